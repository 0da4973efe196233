"""The fewest cases of a suite, or objects of an exploration, that show every field value which all of them show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from unlike.core import CutShort
from unlike.covering_arrays import choose_few, count_needed
from unlike.errors import ScopeError, nearest
from unlike.field_exhaustive.pairs import plain
from unlike.heap.field_values import extensions
from unlike.heap.rebuild import Heap
from unlike.indexed import Listed
from unlike.suite import Ending, Status, Suite, proof_of

if TYPE_CHECKING:
    from unlike.classes.result import Result


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
    few = Listed([cases[place] for place in choose_few(shown)])
    whole = suite.status.ending is Ending.COMPLETE
    status = proof_of("every field value is shown") if whole else suite.status
    if status.ending is Ending.SHOWN and not whole:  # which was said of all of them
        status = Status(Ending.FOUND, "every field value of these inputs is shown")
    guarantee = f"every field value that {len(suite):,} inputs show ({suite.guarantee or suite.status})"
    chosen = Suite(suite.name, few, status, guarantee, suite.explanation)
    return Few(chosen, len(suite), len(set[object]().union(*shown)), count_needed(shown), whole)


def _is_named(place: str, only: Sequence[str]) -> bool:
    inner = place.removeprefix("len(").rstrip(")")
    return any(inner == name or inner.startswith((f"{name}.", f"{name}[", f"{name} ")) for name in only)


# -- plain values as they are ------------------------------------------------------------------------------


def parts_of(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every field of a plain value, however deep, with what it holds: dataclasses, dicts, tuples, lists."""
    fields = _fields(value)
    if fields is None:
        yield place, value
        return
    if isinstance(value, list | tuple | set | frozenset) and not hasattr(value, "_fields"):
        yield f"len({place})", len(value)
    for name, inner in fields:
        yield from parts_of(inner, f"{place}{name}" if place else name.lstrip("."))


def _fields(value: Any) -> list[tuple[str, Any]] | None:
    cls = type(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [(f".{name}", getattr(value, name)) for name in getattr(value, "_fields", ())]
    if isinstance(value, list | tuple):
        return [(f"[{index}]", each) for index, each in enumerate(value)]
    if isinstance(value, set | frozenset):
        return [(" has", each) for each in sorted(value, key=_in_order)]
    if isinstance(value, dict):
        keyed = sorted(value.items(), key=lambda item: _in_order(item[0]))
        return [
            (f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{key!r}]", each) for key, each in keyed
        ]
    names = getattr(cls, "__dataclass_fields__", None) or getattr(cls, "model_fields", None)
    if names is None and hasattr(cls, "__attrs_attrs__"):
        names = [each.name for each in cls.__attrs_attrs__]
    return None if names is None else [(f".{name}", getattr(value, name)) for name in names]


def _in_order(value: Any) -> tuple[int, int, str]:
    """Order members and keys as domains do: ints by size, the rest by what they look like."""
    return (0, value, "") if isinstance(value, int) else (1, 0, repr(value))


# -- explored objects: the same criterion without an invariant ---------------------------------------------


def _values_in(each: Heap) -> set[tuple[str, object]]:
    return {(name, pair) for name, pairs in extensions([each]).pairs.items() for pair in pairs}


def few_explored(result: Result) -> tuple[Result, str]:
    """Return the exploration with only a few of its objects, which show every field value of all; and that in words."""
    if result.values == "symbolic":
        raise ScopeError("the values of this exploration are open; explore with values='concrete' to look at them")
    shown: list[set[tuple[str, object]]] = []
    try:
        shown.extend(map(_values_in, result.deadline.each(result.heaps())))  # what came before a cut stays
    except CutShort as cut:
        words = f"{len(shown):,} of {result.states:,} objects were looked at"
        result = replace(result, status=Status(cut.status.ending, words))
    promise = f"every field value of every object that the operations build within {result.scope}"
    few = result.only(choose_few(shown), promise)
    proved = f"proved: {few.status.detail}" if few.status.detail else "proved"
    proved = "NOT proved, the search was cut short" if few.status.cut_short else proved
    first = f"{few.states} of {result.states:,} objects show all {len(set[object]().union(*shown)):,} field values"
    return few, f"{first}; at least {count_needed(shown)} are needed\nnothing is missing: {proved}"
