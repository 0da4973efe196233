"""A component whose assertions choose between conditions becomes cases, in each of which the conditions are decided.

Where `implies(kind == "euros", value <= basket)` ties three units, there are two cases: the kind is euros and the
value is bounded by the basket, or the kind is another and nothing is said. No member is in two cases, and every
member is in one; in a case the units often fall apart, and can be counted one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from unlike.core import Deadline
from unlike.errors import how_many
from unlike.language import terms
from unlike.language.evaluate import compile_term
from unlike.language.terms import BOOL, FALSE, TRUE, Blank, Const, Node, Op, Quantified, text, walk
from unlike.language.values import Bool, List, OneOf, Option, Record, Str, Value
from unlike.specs.core_difference import (
    Branch,
    Core,
    Everything,
    Key,
    Nothing,
    Some,
    in_words,
    map_terms,
    parts_of,
    terms_of,
)
from unlike.specs.members import Component, assignment_of, components, members
from unlike.specs.numbers import line_of
from unlike.specs.problem import Assertion, Fragment, Path, Unit, conjuncts, units_of
from unlike.specs.sources import Source, in_turn, map_source
from unlike.specs.strings import tied_strings

if TYPE_CHECKING:
    from unlike.specs.plan import Planner

DECISIONS = 1_000  # in all cases together; beyond, the component is left as it is
FEW = 64  # values of a unit that are listed rather than told apart as absent and present


@dataclass(frozen=True, slots=True)
class DecidedCase:
    """Part of a component: what holds there, what the difference is there, and which units are absent."""

    part: Component
    core: Core
    absent: tuple[Path, ...] = ()

    def fill_in(self, fragment: Fragment) -> Fragment:
        """Return the fragment with the units that are absent."""
        return fragment | dict.fromkeys(self.absent)


def by_cases(core: Core, part: Component, planner: Planner) -> Source[Fragment] | None:
    """Return members of a component case by case, any two different; nothing if cases do not make it simpler."""
    cases = split_cases(part, core, planner)
    if cases is None:
        return None
    planner.note(part.words, f"{in_words(core)}: {how_many(len(cases), 'case')}, each by itself")
    sources = []
    for number, case in enumerate(cases):
        # each begins elsewhere, so that the first of all of them differ in what is free
        inner = replace(planner, seed=planner.seed + number, in_cases=True)
        found = inner.plan(case.part.units, case.part.assertions, case.core)
        sources.append(map_source(found, case.fill_in))
    return _one_of_each_class(sources, core)


def has_branches(core: Branch, part: Component, planner: Planner) -> bool:
    """Tell whether the branches of a component are found by automata, where they are too many to be listed."""
    if planner.legal(core, part) is not None or tied_strings(core, part, planner.deadline, free=True) is not None:
        return True
    return split_cases(part, core, planner) is not None


def _is_simple(case: DecidedCase, part: Component, planner: Planner) -> bool:
    """Tell whether a case of a component needs no solver, or only for numbers where there were strings before."""
    parts = components(case.part.units, case.part.assertions)
    for branch in parts_of(case.core):
        if isinstance(branch, Branch):
            about = units_of(branch.term, case.part.units)
            spoken = [each for each in parts if about & set(each.units)]
            if len(spoken) != 1 or not has_branches(branch, spoken[0], planner):
                return False
    return all(
        (_has_strings(part) and not _has_strings(each))
        or planner.members(each) is not None
        or tied_strings(Everything(), each, planner.deadline, free=True) is not None
        for each in parts
    )


def _has_strings(part: Component) -> bool:
    """Tell whether a solver would be asked about strings of a component, on which it is slow."""
    return any(_holds_strings(unit.value) for unit in part.units.values())


def _holds_strings(value: Value) -> bool:
    match value:
        case Option(inner) | List(inner):
            return _holds_strings(inner)
        case Record(fields):
            return any(_holds_strings(inner) for _, inner in fields)
    return isinstance(value, Str)


def _one_of_each_class(sources: Sequence[Source[Fragment]], core: Core) -> Source[Fragment]:
    """Return one member for each class of alike members, of disjoint sources in turn."""
    if isinstance(core, Everything):
        return in_turn(sources, "cases in turn")
    tell = class_of(core)

    def stream() -> Iterator[Fragment]:
        seen: set[object] = set()
        alive = [iter(source) for source in sources]
        while alive:
            for stream_of_case in list(alive):
                for member in stream_of_case:
                    found = tell(member, assignment_of(member))
                    if found not in seen:
                        seen.add(found)
                        yield member
                        break
                else:
                    alive.remove(stream_of_case)

    return Source(stream(), "one for each choice, cases in turn", parts=list(sources))  # type: ignore[arg-type]


# -- splitting ----------------------------------------------------------------------------------------------------


def split_cases(part: Component, core: Core, planner: Planner) -> list[DecidedCase] | None:
    """Return the component as disjoint cases; nothing if it has none, or too many, or one is no simpler than before.

    The difference must be one of keys and branches: another value, another branch, or anything.
    """
    if not tells_classes(core) or any(each.opaque for each in part.assertions):
        return None
    splitting = _Splitting(planner.deadline)
    start = DecidedCase(part, core)
    if splitting.choose(start) is None:
        return None
    found: list[DecidedCase] = []
    waiting = [start]
    while waiting:
        case = waiting.pop()
        atom = splitting.choose(case)
        if atom is None:
            if not _is_simple(case, part, planner):
                return None
            found.append(case)
            continue
        splitting.decisions += 1
        if splitting.decisions > DECISIONS:
            return None
        planner.deadline.check()
        waiting += [each for truth in (False, True) if (each := splitting.decide(case, atom, truth=truth)) is not None]
    return found


def tells_classes(core: Core) -> bool:
    """Tell whether being alike means to have the same keys and branches."""
    return all(isinstance(each, Key | Branch | Everything) for each in _parts(core)) and not (
        isinstance(core, Some) and any(isinstance(each, Everything) for each in core.parts)
    )


def class_of(core: Core) -> Callable[[Fragment, dict[str, object]], object]:
    """Return what tells the class of a fragment: the values of the keys, and the branches that were chosen."""
    keys = [compile_term(each.term) for each in _parts(core) if isinstance(each, Key)]
    numbers = [each.number for each in _parts(core) if isinstance(each, Branch)]

    def of(fragment: Fragment, assignment: dict[str, object]) -> object:
        return (*(terms.freeze(key(assignment)) for key in keys), *(fragment[number] for number in numbers))

    return of


def _parts(core: Core) -> Sequence[Core]:
    return core.parts if isinstance(core, Some) else (core,)


@dataclass(slots=True)
class _Splitting:
    deadline: Deadline
    decisions: int = 0

    def choose(self, case: DecidedCase) -> Node | None:
        """Return the condition to decide next, the simplest first; nothing if all are decided."""
        spoken = [*(each.node for each in case.part.assertions), *terms_of(case.core)]
        for unit in case.part.units.values():
            if _is_wide_option(unit) and any(_mentions(node, unit.term) for node in spoken):
                return Op("present", (unit.term,), BOOL)
        tangled = [each.node for each in case.part.assertions if len(each.units) > 1 and not _is_literal(each.node)]
        asked = [each.term for each in _parts(case.core) if isinstance(each, Key) and each.term.kind == BOOL]
        found = [atom for node in (*tangled, *asked) for atom in find_atoms(node)]
        if found:
            return min(found, key=lambda atom: _rank(atom, case.part))
        return self.choose_value(case)

    def choose_value(self, case: DecidedCase) -> Node | None:
        """Return that a unit of few values has the first it can have, if an assertion ties it to a string."""
        for assertion in case.part.assertions:
            tied = [case.part.units[path] for path in case.part.units if path in assertion.units]
            few = next((unit for unit in tied if _has_few(unit.value)), None)
            if few is not None and any(isinstance(unit.value, Str) for unit in tied):
                left = members(_alone(case, few.path), self.deadline)
                if left is not None and left.size(1):
                    return terms.equal(few.term, Const(left.at(0)[few.path], few.term.kind))
        return None

    def decide(self, case: DecidedCase, atom: Node, *, truth: bool) -> DecidedCase | None:
        """Return the case with a condition decided; nothing if that is impossible."""
        known = _key(atom)

        def put(inner: Node) -> Node | None:
            return Const(truth, BOOL) if inner.kind == BOOL and _key(inner) == known else None

        said = atom if truth else terms.negation(atom)
        decided = [Assertion(said, text(said), units_of(said, case.part.units))]
        changed = _change(case, put)
        part = Component(changed.part.units, (*changed.part.assertions, *decided))
        found = _unwrap(replace(changed, part=part), atom, truth=truth)
        for path in decided[0].units & set(found.part.units) if len(decided[0].units) == 1 else ():
            own = _alone(found, path)
            source = members(own, self.deadline)
            if source is None:
                continue
            if not source.size(1) and source.cut is None:
                return None
            if _has_few(own.units[path].value) and source.size(2) == 1:
                found = _fix(found, own, source.at(0)[path])
        return None if any(each.node == FALSE for each in found.part.assertions) else found


def _alone(case: DecidedCase, path: Path) -> Component:
    """Return a unit with what is said of it alone."""
    said = tuple(each for each in case.part.assertions if each.units == {path})
    return Component({path: case.part.units[path]}, said)


# -- conditions ---------------------------------------------------------------------------------------------------


def find_atoms(node: Node) -> Iterator[Node]:
    """Yield the conditions that a term puts together, and those that an `ite` inside them asks for."""
    match node:
        case Const():
            return
        case Op("and" | "or" | "not", args):
            pass
        case Op("==" | "!=", (left, _) as args) if left.kind == BOOL:
            pass
        case Op("ite", args) if node.kind == BOOL:
            pass
        case _:
            for inner in _plain_parts(node):
                if isinstance(inner, Op) and inner.name == "ite":
                    yield from find_atoms(inner.args[0])
            yield node
            return
    for arg in args:
        yield from find_atoms(arg)


def _plain_parts(node: Node) -> Iterator[Node]:
    """Yield the parts of a term that speak of no element of a list."""
    if not isinstance(node, Quantified):
        yield node
        for child in terms.children(node):
            yield from _plain_parts(child)


def _is_literal(node: Node) -> bool:
    inner = node.args[0] if isinstance(node, Op) and node.name == "not" else node
    return [_key(each) for each in find_atoms(inner)] == [_key(inner)]


def _key(node: Node) -> object:
    """Return what tells conditions apart that Python may find equal: 1, 1.0 and True are three values."""
    match node:
        case Const(value, kind):
            return "const", terms.freeze(value), kind
        case Op(name, args, kind, extra):
            return name, tuple(map(_key, args)), kind, terms.freeze(extra)
        case Quantified(every, variable, items, body):
            return every, variable, _key(items), _key(body)
    return node


def _rank(atom: Node, part: Component) -> int:
    """Return how late a condition is decided: first those about one unit, of few values, then numbers, then strings."""
    units = [part.units[path] for path in units_of(atom, part.units)]
    if len(units) != 1:
        return 4
    value = units[0].value
    return (
        0
        if isinstance(value, Bool | OneOf)
        else 1
        if line_of(value) is not None
        else 3
        if isinstance(value, Str)
        else 2
    )


def _change(case: DecidedCase, put: Callable[[Node], Node | None]) -> DecidedCase:
    """Return the case with something put in the place of parts of its terms, and what follows from that."""
    said = [
        Assertion(node, each.words, units_of(node, case.part.units))
        for each in case.part.assertions
        for node in conjuncts(fold(terms.rebuild(each.node, put)))
        if node != TRUE
    ]
    core = _simplify(map_terms(case.core, lambda term: _bare(fold(terms.rebuild(term, put)))))
    return replace(case, part=Component(case.part.units, tuple(said)), core=core)


def _bare(term: Node) -> Node:
    """Return the value of an option that is there: two of them are the same if their values are."""
    return term.args[0] if isinstance(term, Op) and term.name == "some" else term


def _simplify(core: Core) -> Core:
    """Return the difference without keys that have one value only."""
    if isinstance(core, Everything):
        return core
    kept = tuple(each for each in _parts(core) if not (isinstance(each, Key) and isinstance(each.term, Const)))
    return Some(kept) if len(kept) > 1 else kept[0] if kept else Nothing()


def fold(node: Node) -> Node:
    """Return the term without what is decided in it.

    >>> fold(terms.conjunction([TRUE, terms.negation(FALSE), Blank("x", BOOL)]))
    Blank(name='x', kind=Plain(name='bool'), side=0)
    """
    match node:
        case Quantified(every, variable, items, body):
            return Quantified(every, variable, fold(items), fold(body))
        case Op(name, args, kind, extra):
            folded = Op(name, tuple(map(fold, args)), kind, extra)
        case _:
            return node
    match folded:
        case Op(("and" | "or") as name, args):
            ending, join = (FALSE, terms.conjunction) if name == "and" else (TRUE, terms.disjunction)
            return ending if ending in args else join(args)
        case Op("ite", (Const(condition), then, otherwise)):
            return then if condition else otherwise
        case Op("present", (Const(value),)):
            return Const(value is not None, BOOL)
        case Op(args=args) if all(isinstance(arg, Const) for arg in args):
            return Const(compile_term(folded)({}), folded.kind)
        case Op("not", (inner,)):
            return terms.negation(inner)
        case Op("some", (Const(value),)):
            return Const(value, folded.kind)
        case Op(("==" | "!=") as name, (Op("some", (inner,)), other) | (other, Op("some", (inner,)))):
            match other:
                case Const(None):
                    return Const(name == "!=", BOOL)
                case Const(value):
                    return fold(Op(name, (inner, Const(value, inner.kind)), BOOL))
                case Op("some", (value,)):
                    return fold(Op(name, (inner, value), BOOL))
        case Op(("==" | "!=") as name, (Const(value, kind), other) | (other, Const(value, kind))) if kind == BOOL:
            return other if bool(value) == (name == "==") else terms.negation(other)
    return folded


def _fix(case: DecidedCase, own: Component, value: object) -> DecidedCase:
    """Return the case with the only value that a unit has left in its place, wherever others are spoken of, too."""
    [unit] = own.units.values()
    fixed = Const(value, unit.term.kind)
    others = tuple(each for each in case.part.assertions if each.units != set(own.units))
    changed = _change(
        replace(case, part=Component(case.part.units, others)), lambda inner: fixed if inner == unit.term else None
    )
    return replace(changed, part=Component(case.part.units, (*own.assertions, *changed.part.assertions)))


# -- options ------------------------------------------------------------------------------------------------------


def _is_wide_option(unit: Unit) -> bool:
    """Tell whether a unit may be absent, and has more values than are listed."""
    value = unit.value
    return isinstance(value, Option) and not isinstance(value.inner, Record | List) and not _has_few(value)


def _has_few(value: Value) -> bool:
    match value:
        case Bool():
            return True
        case OneOf():
            return len(value.members) <= FEW
        case Option(inner):
            return _has_few(inner)
    line = line_of(value)
    return line is not None and line.high - line.low < FEW


def _mentions(node: Node, term: Node) -> bool:
    return any(inner == term for inner in walk(node) if inner.kind == term.kind)


def _unwrap(case: DecidedCase, atom: Node, *, truth: bool) -> DecidedCase:
    """Return the case in which an option that is known to be there is its value, and one that is absent is none."""
    unit = next((each for each in case.part.units.values() if atom == Op("present", (each.term,), BOOL)), None)
    if unit is None or isinstance(unit.value, Record | List) or not isinstance(unit.value, Option):
        return case
    units = {path: each for path, each in case.part.units.items() if each is not unit}
    if truth:
        units = {
            path: each if each is not unit else Unit(path, unit.value.inner, _inner_term(unit))
            for path, each in case.part.units.items()
        }
    absent = case.absent if truth else (*case.absent, unit.path)
    part = Component(units, case.part.assertions)
    return _change(DecidedCase(part, case.core, absent), _unwrapping(unit, present=truth))


def _inner_term(unit: Unit) -> Node:
    assert isinstance(unit.term, Blank | Op)
    assert isinstance(unit.value, Option)
    return replace(unit.term, kind=unit.value.inner.kind)


def _unwrapping(unit: Unit, *, present: bool) -> Callable[[Node], Node | None]:
    inner = _inner_term(unit)

    def put(node: Node) -> Node | None:
        match node:
            case Op("present", (option,)) if option == unit.term:
                return Const(present, BOOL)
            case Op("value", (option,)) if option == unit.term:
                return inner if present else Const(terms.default_of(node.kind), node.kind)
            case _ if node == unit.term:
                return Op("some", (inner,), node.kind) if present else Const(None, node.kind)
        return None

    return put
