"""The fewest cases of a suite that show every field value which the whole suite shows."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from unlike.covering import choose_few, count_needed
from unlike.errors import ScopeError, nearest
from unlike.field_exhaustive.measuring.plain_values import parts_of
from unlike.field_exhaustive.pairs import PlainValue, plain
from unlike.indexed import Listed
from unlike.suite import Ending, Status, Suite, proved


@dataclass(frozen=True, slots=True)
class Few:
    """A few cases out of many, and what they show."""

    suite: Suite
    out_of: int
    shown: int
    bound: int  # fewer cannot show it all
    proved: bool  # whether the many were all there are

    @property
    def status(self) -> Status:
        """How the many ended."""
        return self.suite.status

    def summary(self) -> str:
        """Return the result for a reader."""
        first = f"{len(self.suite)} of {self.out_of:,} inputs show all {self.shown:,} field values"
        last = "nothing is missing: proved" if self.proved else "nothing is missing: NOT proved"
        return f"{first}; at least {self.bound} are needed\n{last}"


def fewest(suite: Suite, only: Sequence[str] = ()) -> Few:
    """Return the fewest cases found that show every value of every field (or of those named) which the suite shows."""
    cases = list(suite)
    every = [[(place, plain(value)) for place, value in parts_of(case.value)] for case in cases]
    places = list(dict.fromkeys(place for parts in every for place, _ in parts))
    for name in only:
        if places and not any(_is_named(place, (name,)) for place in places):
            raise ScopeError(f"--only {name!r}: no input has such a field; {nearest(name, places)}")
    shown = [{(place, value) for place, value in parts if not only or _is_named(place, only)} for parts in every]
    return chosen(suite, [cases[place] for place in choose_few(shown)], shown)


def chosen(
    suite: Suite, cases: Sequence[object], shown: Sequence[set[Hashable]] | Sequence[set[tuple[str, PlainValue]]]
) -> Few:
    """Return some cases of a suite, given what each of its cases shows."""
    total = len(set[object]().union(*shown)) if shown else 0
    whole = suite.status.ending is Ending.COMPLETE
    status = proved("every field value is shown") if whole else suite.status
    guarantee = f"every field value that {len(suite):,} inputs show ({suite.guarantee or suite.status})"
    few = Suite(suite.name, Listed(list(cases)), status, guarantee, suite.explanation)  # type: ignore[arg-type]
    return Few(few, len(suite), total, count_needed(shown), whole)


def _is_named(place: str, only: Sequence[str]) -> bool:
    inner = place.removeprefix("len(").rstrip(")")
    return any(inner == name or inner.startswith((f"{name}.", f"{name}[", f"{name} ")) for name in only)
