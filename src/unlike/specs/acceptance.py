"""What builds objects may refuse some of them: constructors, validators and functions of the user's filter inputs.

A class that is known to check what it is given is asked about every candidate, like a predicate. Any other builder is
trusted until it refuses something; then all is planned anew, and it is asked, too. What is proved of all inputs holds
of those that are accepted, so a builder that refused nothing spoils no proof.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from unlike.core import CutShort, Deadline
from unlike.foreign import EndedError, describe_error
from unlike.language.terms import Opaque
from unlike.language.values import List, Option, Record, Value, build, has_builder
from unlike.specs.members import failure, members_of
from unlike.specs.problem import Assertion, Path, Problem
from unlike.suite import Ending, Status

PROBED = 8  # objects that a builder is tried on before it is trusted; the first refusals are most often among them
SHOWN = 200  # characters of an input in a status
TOLD = (Ending.UNSATISFIABLE, Ending.MAXIMAL, Ending.UNKNOWN, Ending.TIMEOUT)  # what refusals help to understand


@dataclass(slots=True, eq=False)
class Acceptance:
    """Who builds the object at a path, and what it refused so far."""

    path: Path
    value: Value
    builder: str
    refused: str = ""  # the first input that was refused, and the exception

    def accepts(self, whole: object) -> bool:
        """Tell whether the object can be built; the plain value is that of the whole blank."""
        for name in self.path[1:]:
            whole = whole[name]  # type: ignore[index]
        try:
            build(self.value, whole)
        except EndedError as error:
            raise CutShort(failure(f"building {'.'.join(self.path)}", error, {self.path[-1]: whole})) from None
        except (Exception, SystemExit) as error:  # foreign code may refuse in any way
            self.refused = self.refused or f"{self.builder} refuses {_in_short(whole)}: {describe_error(error)}"
            return False
        return True


def _in_short(plain: object) -> str:
    shown = repr(plain)
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"


@dataclass(slots=True)
class Acceptances:
    """All that build objects in a spec, and those of them that are asked about every candidate."""

    spec: Problem
    all: list[Acceptance] = field(default_factory=list)
    asked: list[Acceptance] = field(default_factory=list)

    @property
    def problem(self) -> Problem:
        """The spec, with an assertion for each builder that is asked; first of all, as predicates see built objects."""
        outermost = [each for each in self.asked if not any(_is_inside(each, other) for other in self.asked)]
        said = [_assertion(each, self.spec) for each in outermost]
        return replace(self.spec, assertions=(*said, *self.spec.assertions))

    def learn(self) -> bool:
        """Ask those from now on that refused something though they were trusted; tell whether there are any."""
        noted, before = list(self.spec.refused), len(self.asked)
        self.spec.refused.clear()
        for name, plain in noted:
            trusted = (each for each in self.all if each.path[0] == name and each not in self.asked)
            with contextlib.suppress(CutShort):
                self.asked += [each for each in trusted if not each.accepts(plain)][:1]  # what is inside comes first
        return len(self.asked) > before

    def say_refusals(self, status: Status) -> Status:
        """Return a status of too few inputs with what was refused, and why."""
        said = [each.refused for each in self.asked if each.refused]
        if not said or status.ending not in TOLD:
            return status
        return replace(status, detail="; ".join(filter(None, [status.detail, *said])))

    @property
    def trusted(self) -> list[str]:
        """The names of those that were not asked."""
        return list(dict.fromkeys(each.builder for each in self.all if each not in self.asked))


def find_acceptances(problem: Problem, deadline: Deadline) -> Acceptances:
    """Return who builds objects in a spec; asked are those known to check, and those that refuse one of the first."""
    found = Acceptances(problem, list(_acceptances(problem.blanks)))
    found.asked = [each for each in found.all if _checks(each.value) or _refuses_early(each, deadline)]
    return found


def _acceptances(blanks: Mapping[str, Value]) -> Iterator[Acceptance]:
    for name, value in blanks.items():
        yield from _inside((name,), value)


def _inside(path: Path, value: Value) -> Iterator[Acceptance]:
    """Yield what builds a part of a value, or the value: what is inside comes first."""
    if not has_builder(value):
        return
    if isinstance(value, Record):
        for name, inner in value.fields:
            yield from _inside((*path, name), inner)
        if value.build is None:
            return
    names = [getattr(each, "__name__", repr(each)) for each in _builders(value)]
    yield Acceptance(path, value, names[0] if isinstance(value, Record) else " or ".join(dict.fromkeys(names)))


def _builders(value: Value) -> Iterator[object]:
    match value:
        case Record(fields, made):
            yield from () if made is None else (made,)
            for _, inner in fields:
                yield from _builders(inner)
        case Option(inner) | List(inner):
            yield from _builders(inner)


def _checks(value: Value) -> bool:
    """Tell whether a class that builds the value itself, not one of its fields, is known to check what it is given."""
    from unlike.types.choices import has_validators  # types are read only where classes build objects

    own = [value.build] if isinstance(value, Record) else _builders(value)
    return any(isinstance(each, type) and has_validators(each) for each in own)


def _refuses_early(acceptance: Acceptance, deadline: Deadline) -> bool:
    """Tell whether one of the first objects is refused."""
    with contextlib.suppress(CutShort):
        source = members_of(acceptance.value, deadline)
        candidates = (source.at(index) for index in range(source.size(PROBED)))
        return not all(_accepts_part(acceptance, plain) for plain in candidates)
    return False


def _accepts_part(acceptance: Acceptance, plain: object) -> bool:
    for name in reversed(acceptance.path[1:]):
        plain = {name: plain}
    return acceptance.accepts(plain)


def _is_inside(one: Acceptance, other: Acceptance) -> bool:
    return one is not other and one.path[: len(other.path)] == other.path


def _assertion(acceptance: Acceptance, problem: Problem) -> Assertion:
    path = acceptance.path
    about = frozenset(each for each in problem.units if each[: len(path)] == path)
    return Assertion(Opaque(acceptance.accepts, (path[0],)), f"{acceptance.builder} accepts {'.'.join(path)}", about)
