"""Parameters with the values passed for them, and arguments put where they belong.

A parameter that nobody supplies keeps its default: what follows it is passed by name. Where that cannot be (a star, or
what is positional alone), the defaults before it are passed themselves.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unlike.classes.pools import Pool
from unlike.types.read import ReadParameter

OMITTED = inspect.Parameter.empty  # an argument that is left to its default
PLAIN = (type(None), bool, int, float, complex, str, bytes)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter and the values passed for it."""

    name: str
    pool: Pool
    keyword: bool = False  # must be passed by name
    positional: bool = False  # cannot be passed by name
    optional: bool = False
    star: bool = False  # any number of values
    whole: bool = False  # each value is all arguments of a call, or all that a star takes
    default: Any = OMITTED
    skipped: tuple[Any, ...] = ()  # the defaults of what stands before it and is never passed

    @property
    def needs_place(self) -> bool:
        """Whether its values land right only if all before them are passed, too."""
        return self.star or self.positional or self.whole


def parameter_of(read: ReadParameter, pool: Pool) -> Parameter:
    """Return a parameter with its values."""
    return Parameter(
        read.name,
        pool,
        keyword=read.kind is inspect.Parameter.KEYWORD_ONLY,
        positional=read.kind is inspect.Parameter.POSITIONAL_ONLY,
        optional=read.is_optional,
        star=read.kind is inspect.Parameter.VAR_POSITIONAL,
        default=read.default,
    )


def leave_out(parameters: Iterable[Parameter], is_passed: Callable[[Parameter], bool]) -> tuple[Parameter, ...]:
    """Return the parameters that are passed, each with the defaults of those that are not and stand before it."""
    kept: list[Parameter] = []
    skipped: tuple[Any, ...] = ()
    for each in parameters:
        if is_passed(each):
            kept.append(replace(each, skipped=skipped))
            skipped = ()
        elif not each.keyword and not each.star:
            skipped = (*skipped, each.default)
    return tuple(kept)


def place_arguments(
    parameters: Sequence[Parameter], values: Sequence[Any]
) -> tuple[tuple[Any, ...], tuple[tuple[str, Any], ...]] | None:
    """Return the arguments and those by name for a value (or OMITTED) each; None where one cannot land in its place."""
    args: list[Any] = []
    kwargs: list[tuple[str, Any]] = []
    left: list[Any] = []  # the defaults of what is left out so far
    placed = [at for at, each in enumerate(parameters) if each.needs_place and _is_given(each, values[at])]
    for at, (parameter, value) in enumerate(zip(parameters, values, strict=True)):
        left += parameter.skipped
        if not _is_given(parameter, value):
            left += [] if parameter.keyword or parameter.star or parameter.whole else [parameter.default]
        elif placed and at <= placed[-1] and not parameter.keyword:
            if not all(map(_can_be_passed, left)):
                return None
            args += [*left, *(value if parameter.star or parameter.whole else (value,))]
            left = []
        elif parameter.keyword or left:
            kwargs.append((parameter.name, value))
        else:
            args.append(value)
    return tuple(args), tuple(kwargs)


def _is_given(parameter: Parameter, value: Any) -> bool:
    """Tell whether anything is passed; a star may take nothing."""
    return bool(value) if parameter.star or parameter.whole else value is not OMITTED


def list_unplaced(parameters: Sequence[Parameter]) -> list[Parameter]:
    """Return those whose values have no place where a default before them is used, which cannot be written down."""
    found, before = list[Parameter](), list[Any]()
    for each in parameters:
        before += each.skipped
        if each.needs_place and not each.whole and not all(map(_can_be_passed, before)):
            found.append(each)
        before += [each.default] if each.optional and not each.star and not each.keyword else []
    return found


def _can_be_passed(default: object) -> bool:
    """Tell whether a default can be written down as an argument, and means the same there."""
    if type(default) is tuple:
        return all(map(_can_be_passed, default))
    return type(default) in PLAIN or (isinstance(default, enum.Enum) and not isinstance(default, enum.Flag))
