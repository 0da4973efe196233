"""The fewest explored objects that show every field value: the same criterion without an invariant."""

from __future__ import annotations

from dataclasses import dataclass, replace

from unlike import heap
from unlike.classes.result import Result
from unlike.core import CutShort
from unlike.covering import choose_few, count_needed
from unlike.errors import ScopeError
from unlike.suite import Status


@dataclass(frozen=True, slots=True)
class FewExplored:
    """An exploration cut down to a few objects, and what they show."""

    result: Result
    out_of: int
    shown: int
    bound: int

    def summary(self) -> str:
        """Return the result for a reader."""
        few = f"{self.result.states} of {self.out_of:,} objects show all {self.shown:,} field values"
        status = self.result.status
        proved = f"proved: {status.detail}" if status.detail else "proved"
        proved = "NOT proved, the search was cut short" if status.cut_short else proved
        return f"{few}; at least {self.bound} are needed\nnothing is missing: {proved}"


def _values_in(each: heap.Heap) -> set[tuple[str, object]]:
    return {(name, pair) for name, pairs in heap.extensions([each]).pairs.items() for pair in pairs}


def few_explored(result: Result) -> FewExplored:
    """Return the exploration with only a few of its objects, which show every field value that all of them show."""
    if result.values == "symbolic":
        raise ScopeError("the values of this exploration are open; explore with values='concrete' to look at them")
    shown: list[set[tuple[str, object]]] = []
    try:
        shown.extend(map(_values_in, result.deadline.each(result.heaps())))  # what came before a cut stays
    except CutShort as cut:
        words = f"{len(shown):,} of {result.states:,} objects were looked at"
        result = replace(result, status=Status(cut.status.ending, words))
    places = choose_few(shown)
    total = len(set[object]().union(*shown)) if shown else 0
    promise = f"every field value of every object that the operations build within {result.scope}"
    return FewExplored(result.only(places, promise), result.states, total, count_needed(shown))
