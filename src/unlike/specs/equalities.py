"""Parts of an input that are said to be equal: one of them stands for both, the other is filled in afterwards.

What the declaration of the one that is dropped says becomes an assertion about the one that is kept, so nothing is
lost: the same inputs, with fewer units to choose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unlike.language import terms
from unlike.language.terms import Const, Node, Op, Opaque
from unlike.language.values import (
    Date,
    DateTime,
    Int,
    OneOf,
    Real,
    Str,
    Time,
    Timedelta,
    Value,
    belongs,
    bounds_in_words,
    exact,
    plain_of,
)
from unlike.specs.core_difference import Core, Python, map_terms, parts_of, terms_of
from unlike.specs.problem import Assertion, Fragment, Path, Unit, path_of, units_of

SIDES = (0, 1, 2)  # of a term: about one input, and about the two of a pair


@dataclass(frozen=True, slots=True)
class Reduced:
    """What is left to choose, and for each unit that was dropped the one it equals, in the order of dropping."""

    units: Mapping[Path, Unit]
    assertions: Sequence[Assertion]
    core: Core
    twins: Mapping[Path, Path]

    def fill_in(self, fragment: Fragment) -> Fragment:
        """Return the fragment with the units that were dropped."""
        whole = dict(fragment)
        for dropped, kept in reversed(list(self.twins.items())):  # what was kept first may have been dropped later
            whole[dropped] = whole[kept]
        return whole


def merge_equal(units: Mapping[Path, Unit], assertions: Sequence[Assertion], core: Core) -> Reduced:
    """Return the same inputs with one unit for those that assertions say are equal, wherever that can be said.

    A difference in plain Python sees whole inputs; there nothing is dropped.
    """
    reduced = Reduced(units, assertions, core, {})
    if any(isinstance(part, Python) for part in parts_of(core)):
        return reduced
    tried: set[int] = set()
    while True:
        waiting = [each for each in reduced.assertions if id(each) not in tried and _sides(each.node) is not None]
        if not waiting:
            return reduced
        tried.add(id(waiting[0]))
        reduced = _drop(reduced, waiting[0]) or reduced


def _sides(node: Node) -> tuple[Node, Node] | None:
    match node:
        case Op("==", (left, right)) if left.kind == right.kind and path_of(left) and path_of(right):
            return left, right
    return None


def _drop(reduced: Reduced, assertion: Assertion) -> Reduced | None:
    """Return the problem without one side of an equality; nothing if neither can be dropped."""
    sides = _sides(assertion.node)
    assert sides is not None
    rest = [each for each in reduced.assertions if each is not assertion]
    if sides[0] == sides[1]:
        return Reduced(reduced.units, rest, reduced.core, reduced.twins)
    for kept, dropped in sorted((sides, sides[::-1]), key=lambda each: _preference(each[0], reduced.units)):
        found = _without(Reduced(reduced.units, rest, reduced.core, reduced.twins), kept, dropped)
        if found is not None:
            return found
    return None


def _preference(kept: Node, units: Mapping[Path, Unit]) -> int:
    """Return how well a side stands for both, the best first: listed values, then what has a pattern or few places."""
    match units.get(path_of(kept) or ()):
        case Unit(value=OneOf()):
            return 0
        case Unit(value=Real(places=places)):
            return places
        case Unit(value=Str(matching=None)):
            return 2
    return 1


def _without(reduced: Reduced, kept: Node, dropped: Node) -> Reduced | None:
    """Return the problem in which the kept term stands for the dropped one; nothing if that one is still needed."""
    ours, theirs = path_of(kept), path_of(dropped)
    assert ours
    assert theirs
    pairs = {path: (*ours, *path[len(theirs) :]) for path in reduced.units if path[: len(theirs)] == theirs}
    if not pairs or not all(path in reduced.units for path in pairs.values()):
        return None
    left = {path: unit for path, unit in reduced.units.items() if path not in pairs}
    said: list[Assertion] = []
    for path, stays in pairs.items():
        if stays not in left:
            return None
        bounds = find_bounds(reduced.units[path].value, reduced.units[stays])
        if bounds is None:
            return None
        if bounds != terms.TRUE:
            words = bounds_in_words(".".join(path), reduced.units[path].value)
            said.append(Assertion(bounds, words, frozenset({stays})))
    gone = frozenset(pairs)
    told = [each if not each.units & gone else _rename_in(each, kept, dropped, left) for each in reduced.assertions]
    core = map_terms(reduced.core, lambda term: _rename(term, kept, dropped))
    if any(units_of(node, reduced.units) & gone for node in (*(each.node for each in told), *terms_of(core))):
        return None
    return Reduced(left, [*told, *said], core, {**reduced.twins, **pairs})


def _rename_in(assertion: Assertion, kept: Node, dropped: Node, units: Mapping[Path, Unit]) -> Assertion:
    node = _rename(assertion.node, kept, dropped)
    return Assertion(node, assertion.words, units_of(node, units))


def _rename(node: Node, kept: Node, dropped: Node) -> Node:
    """Return the node with the kept term in place of the dropped one, on every side."""
    names = {terms.on_side(dropped, side): terms.on_side(kept, side) for side in SIDES}
    ours, theirs = path_of(kept), path_of(dropped)

    def change(inner: Node) -> Node | None:
        if isinstance(inner, Opaque) and ours and theirs and len(ours) == len(theirs) == 1:
            return Opaque(inner.function, tuple(ours[0] if name == theirs[0] else name for name in inner.names))
        return names.get(inner) if path_of(inner) is not None else None

    return terms.rebuild(node, change)


def find_bounds(value: Value, kept: Unit) -> Node | None:
    """Return what a value's declaration says of a unit that stands for it; nothing if that cannot be said."""
    term, own = kept.term, kept.value
    match own, value:
        case _ if own.kind != value.kind:
            return None
        case OneOf(), _:
            legal = [each for each in own.members if belongs(value, each)]
            whole = len(legal) == len(own.members)
            return terms.TRUE if whole else terms.disjunction([terms.equal(term, Const(x, term.kind)) for x in legal])
        case _ if own == value and not terms.has_atoms(own.kind):
            return terms.TRUE
        case Int(), Int(low, high):
            return _between(term, low, high)
        case Real(places=ours), Real(least, most, theirs) if ours <= theirs:
            return _between(term, exact(least), exact(most))
        case Date(), Date(first, last):
            return _between(term, first, last)
        case Time(step=ours), Time(start, end, theirs) if ours % theirs == 0:
            return _between(term, start, end)
        case (DateTime() as kept_value, DateTime() as dropped) | (Timedelta() as kept_value, Timedelta() as dropped):
            begin, stop = (plain_of(term.kind, bound) for bound in (dropped.low, dropped.high))
            return _between(term, begin, stop) if kept_value.ticks % dropped.ticks == 0 else None
        case Str(), Str(pattern, low, _, flags):
            said = (r"[ -~]*" if pattern is None else pattern, flags)
            matched = Op("matches", (term,), terms.BOOL, said)
            return terms.conjunction([matched, _between(Op("length", (term,), terms.INT), low, value.most)])
    return None


def _between(term: Node, low: object, high: object) -> Node:
    bounds = ((">=", low), ("<=", high))
    return terms.conjunction([Op(name, (term, Const(bound, term.kind)), terms.BOOL) for name, bound in bounds])
