"""The finite, ordered answer, and what it guarantees.

A Suite is a sequence of Cases with a Status. The status tells apart what must never be confused: all that
exists, as many as were asked for, cut short, and unknown. `Suite[T]` is one whose values are of type T.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, cast, overload

from unlike.indexed import Indexed, Listed, Sliced, draw_indices, in_digits, members
from unlike.recipe import Recipe, Resolve, import_name, run
from unlike.request import Request

if TYPE_CHECKING:  # type checkers know what a bare Suite holds; Python itself does from 3.13 on
    from typing_extensions import TypeVar

    T_co = TypeVar("T_co", covariant=True, default=Any)
else:
    from typing import TypeVar

    T_co = TypeVar("T_co", covariant=True)


class Ending(enum.StrEnum):
    """Why a suite ends where it ends."""

    FOUND = "found"
    COMPLETE = "complete"
    SHOWN = "shown"
    MAXIMAL = "maximal"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"
    TIMEOUT = "timeout"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


MEANINGS = {
    Ending.FOUND: "found as many as were asked for",
    Ending.COMPLETE: "no more exist (proved)",
    Ending.SHOWN: "all that was to be shown is shown (proved)",
    Ending.MAXIMAL: "nothing can be added; another, larger set may exist",
    Ending.UNSATISFIABLE: "no input exists",
    Ending.UNKNOWN: "cut short: whether more exist is undecided",
    Ending.TIMEOUT: "cut short: out of time",
    Ending.FAILED: "cut short: a call failed",
    Ending.INTERRUPTED: "cut short: interrupted",
}


@dataclass(frozen=True, slots=True)
class Status:
    """How a suite ended: the kind of ending, details in words, and for "unsatisfiable" what clashes."""

    ending: Ending
    detail: str = ""
    clash: tuple[str, ...] = ()

    @property
    def cut_short(self) -> bool:
        """Whether more may exist that was not reached."""
        return self.ending in (Ending.UNKNOWN, Ending.TIMEOUT, Ending.FAILED, Ending.INTERRUPTED)

    @property
    def exit_code(self) -> int:
        """The exit code of a command that ends with this status."""
        if self.cut_short:
            return 3
        return 1 if self.ending is Ending.UNSATISFIABLE else 0

    def __str__(self) -> str:
        words = MEANINGS[self.ending]
        if not self.detail:
            return words
        if self.ending is Ending.SHOWN:  # what is said after the claim is no part of it
            claim, more, rest = self.detail.partition("; ")
            return f"{claim} (proved){more}{rest}"
        said = "cut short" if self.ending in (Ending.FAILED, Ending.UNKNOWN) else words
        return f"{said}: {self.detail}"


STOPPED = Status(Ending.INTERRUPTED, "stopped by the user")


def proof_of(claim: str) -> Status:
    """Return the status of a suite that shows all it claims to show, where more inputs exist."""
    return Status(Ending.SHOWN, claim)


@dataclass(frozen=True, slots=True)
class Case(Generic[T_co]):
    """One input: how to rebuild it, what it stands for, a short id that stays the same, and whether it is legal.

    Where inputs are chosen by what code does with them, `why` says what it is the first to show. An input of an
    operation of a service has the `request` that can be sent.
    """

    recipe: Recipe
    label: str = ""
    id: str = ""
    legal: bool = True
    why: str = ""
    request: Request | None = None

    @property
    def value(self) -> T_co:
        """A fresh object, built by the recipe."""
        return cast("T_co", self.build())

    def build(self, resolve: Resolve = import_name) -> object:
        """Build a fresh object, with names resolved as given."""
        return run(self.recipe, resolve)


class LazyCase(Case[T_co]):
    """A case whose recipe and label are made when somebody asks for them, and its value by a shorter way.

    `make` returns the recipe and the label; `shortcut` builds the same object as the recipe does.
    """

    __slots__ = ("_make", "_shortcut")
    _make: Callable[[], tuple[Recipe, str]]
    _shortcut: Callable[[], object] | None

    def __init__(
        self,
        recipe: Recipe | None = None,
        label: str = "",
        id: str = "",  # noqa: A002  # as the field of a case is called
        legal: bool = True,
        why: str = "",
        request: Request | None = None,
        *,
        make: Callable[[], tuple[Recipe, str]] | None = None,
        shortcut: Callable[[], object] | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "id", id)
        put(self, "legal", legal)
        put(self, "why", why)
        put(self, "request", request)
        put(self, "_make", make)
        put(self, "_shortcut", shortcut)
        if recipe is not None:
            _RECIPE.__set__(self, recipe)
        if make is None:
            _LABEL.__set__(self, label)

    def _keep(self, recipe: Recipe, label: str) -> None:
        _RECIPE.__set__(self, recipe)
        _LABEL.__set__(self, label)

    @property
    def recipe(self) -> Recipe:
        """How to rebuild it."""
        return cast("Recipe", self._ask_maker(_RECIPE))

    @property
    def label(self) -> str:
        """What it stands for."""
        return cast("str", self._ask_maker(_LABEL))

    def _ask_maker(self, field: Any) -> Any:
        try:
            return field.__get__(self)
        except AttributeError:
            self._keep(*self._make())
            return field.__get__(self)

    def build(self, resolve: Resolve = import_name) -> object:
        """Build a fresh object; by the recipe if names are resolved in another way."""
        return run(self.recipe, resolve) if self._shortcut is None or resolve is not import_name else self._shortcut()

    def __reduce__(self) -> tuple[Any, ...]:
        return Case, (self.recipe, self.label, self.id, self.legal, self.why, self.request)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Case) and self.__reduce__()[1] == _parts(other)

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])


def _parts(case: Case[Any]) -> tuple[Any, ...]:
    return case.recipe, case.label, case.id, case.legal, case.why, case.request


_RECIPE: Any = vars(Case)["recipe"]
_LABEL: Any = vars(Case)["label"]
ANY = object()  # stands for every case, where none is named


@dataclass(frozen=True, slots=True, repr=False)
class Suite(Sequence[Case[T_co]]):
    """Cases in order, counted and reached by index, with their status and guarantee.

    A slice of a suite is a suite. `in` asks for a case, or for the value of one.
    """

    name: str
    cases: Indexed[Case[T_co]]
    status: Status
    guarantee: str = ""
    explanation: str = ""

    def __repr__(self) -> str:
        count = self.count()
        return f"<Suite {self.name}: {in_digits(count)} {'case' if count == 1 else 'cases'}, {self.status}>"

    def __len__(self) -> int:
        return self.cases.count()

    def __bool__(self) -> bool:
        return self.cases.count() > 0

    @overload
    def __getitem__(self, index: int) -> Case[T_co]: ...

    @overload
    def __getitem__(self, index: slice) -> Suite[T_co]: ...

    def __getitem__(self, index: int | slice) -> Case[T_co] | Suite[T_co]:
        count = self.cases.count()
        if isinstance(index, slice):
            return self._part(Sliced(self.cases, range(*index.indices(count))))
        if not -count <= index < count:
            raise IndexError(f"case {index} of a suite of {count}")
        return self.cases.at(index % count)

    def __iter__(self) -> Iterator[Case[T_co]]:
        return self.stream()

    def stream(self) -> Iterator[Case[T_co]]:
        """Yield every case in order, made and checked one after the other; none is kept.

        A suite of millions takes no more memory than one of ten, and whoever stops early pays for what came.
        """
        return members(self.cases)

    def __contains__(self, item: object) -> bool:
        if isinstance(item, Case):
            return any(case == item for case in self)
        return any(type(value) is type(item) and bool(value == item) for value in (case.value for case in self))

    @property
    def values(self) -> list[T_co]:
        """A fresh object for every case."""
        return [case.value for case in self]

    def count(self, value: object = ANY) -> int:
        """Return how many cases there are: `len` for suites of any size; or how often one case is among them."""
        return self.cases.count() if value is ANY else sum(case == value for case in self)

    def sample(self, n: int, seed: int = 0) -> Suite[T_co]:
        """Return the suite of n cases drawn uniformly, the same ones for the same seed; all, if there are no more."""
        if n >= self.count():
            return self
        drawn = [self.cases.at(index) for index in sorted(draw_indices(self.count(), n, seed=seed))]
        source = f"drawn from {in_digits(self.count())}"
        status = Status(Ending.FOUND, source)
        if self.status.cut_short:  # what was not reached could not be drawn
            status = Status(self.status.ending, "; ".join(filter(None, [self.status.detail, source])))
        guarantee = f"{n:,} drawn at random (seed {seed}) from {self.guarantee}"
        return replace(self, cases=Listed(drawn), status=status, guarantee=guarantee)

    def first(self, n: int) -> Suite[T_co]:
        """Return the suite of the first n cases, as `suite[:n]` does; all, if there are no more."""
        return self[:n]

    def _part(self, cases: Sliced[Case[T_co]]) -> Suite[T_co]:
        """Return the suite of some of the cases; all of them in another order are as many as before."""
        if cases.count() == self.count():
            return self if cases.indices.step == 1 else replace(self, cases=cases)
        guarantee = f"{in_digits(cases.count())} of {self.guarantee}" if self.guarantee else ""
        return replace(self, cases=cases, status=Status(Ending.FOUND), guarantee=guarantee)
