"""Two inputs differ if code treats them differently: said here, found out by `unlike.generate`, which runs the code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unlike.errors import SpecError
from unlike.language.differences import AllOf, Difference, Enumerate, IfElse, NotDifferent, SomeOf


@dataclass(frozen=True, slots=True)
class CodeDifference(Difference):
    """Inputs with which code does something else, by what is looked at."""

    code: object
    by: object = None
    within: object = None

    def differs(self, one: object, two: object) -> bool:
        """Refuse: whoever asks has not run the code."""
        del one, two
        raise SpecError("cover.code(…) is found out by running candidates: ask unlike.generate for the inputs")


def code_differences(difference: object) -> Iterator[CodeDifference]:
    """Yield what a difference, or several, say of code, in order; what they say twice, twice."""
    match difference:
        case CodeDifference():
            yield difference
        case AllOf(parts) | SomeOf(parts) | Enumerate(constraints=parts) | list(parts) | tuple(parts):
            for part in parts:
                yield from code_differences(part)
        case NotDifferent(part):
            yield from code_differences(part)
        case IfElse(_, then, otherwise):
            yield from code_differences(then)
            yield from code_differences(otherwise)
