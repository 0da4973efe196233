"""Differences as the engine sees them: resolved, numbered, without neutral elements.

Each is an assertion about one input (`assert_choices`) and a relation between two (`relation`).
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from unlike.language import differences as said, terms
from unlike.language.code_difference import CodeDifference
from unlike.language.values import plain_of


@dataclass(frozen=True, slots=True)
class Key:
    """The term has different values."""

    term: terms.Node


@dataclass(frozen=True, slots=True)
class MinimumDistance:
    """The term's numbers are at least so far apart."""

    term: terms.Node
    least: Fraction


@dataclass(frozen=True, slots=True)
class Edits:
    """The strings are at least so many edits apart."""

    term: terms.Node
    least: int


@dataclass(frozen=True, slots=True)
class Holds:
    """A relation over sides 1 and 2 holds; it is written so that it holds both ways."""

    node: terms.Node


@dataclass(frozen=True, slots=True)
class Python:
    """A plain Python predicate over two built inputs is true, both ways."""

    function: Callable[..., object]


@dataclass(frozen=True, slots=True)
class Branch:
    """Another branch of a regex; the choice of branches has a number."""

    number: int
    term: terms.Node
    pattern: str
    flags: int
    heuristic: str
    unicode: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    """Another choice among assertions, or the part that belongs to the choice; the choice has a number."""

    number: int
    assertions: tuple[terms.Node, ...]
    parts: tuple[Core, ...]
    exclusive: bool = False


@dataclass(frozen=True, slots=True)
class Every:
    """All of the parts."""

    parts: tuple[Core, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of the parts."""

    parts: tuple[Core, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """Not the part."""

    part: Core


@dataclass(frozen=True, slots=True)
class Everything:
    """Any two inputs that are not equal."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """No two inputs."""


Core: TypeAlias = (
    Key | MinimumDistance | Edits | Holds | Python | Branch | Select | Every | Some | Negated | Everything | Nothing
)


def core_of(difference: said.Difference) -> Core:
    """Return the difference as the engine sees it; a spec that says nothing means "not equal"."""
    simple = _simplify(_number_choices(difference, iter(range(1_000_000))))
    return Everything() if isinstance(simple, Nothing) else simple


def _number_choices(difference: said.Difference, numbers: Iterator[int]) -> Core:
    def each(parts: Iterable[said.Difference]) -> tuple[Core, ...]:
        return tuple(_number_choices(part, numbers) for part in parts)

    match difference:
        case said.DiffersBy(term):
            return Key(_check_resolved(term))
        case said.Distance(term, least):
            node = _check_resolved(term)
            kind = terms.TIMEDELTA if isinstance(least, datetime.timedelta) else terms.REAL
            return MinimumDistance(node, Fraction(plain_of(kind, least)))  # type: ignore[call-overload]
        case said.EditDistance(term, least):
            return Edits(_check_resolved(term), least)
        case said.RelatedTerm(node):
            return Holds(node)
        case said.PythonDifference(function):
            return Python(function)
        case CodeDifference():
            return Python(difference.differs)
        case said.CoverRegex(term, pattern, flags, heuristic, unicode):
            return Branch(next(numbers), _check_resolved(term), pattern, flags, heuristic, unicode)
        case said.Boundary(_, places):
            return Select(next(numbers), places, (Nothing(),) * len(places), exclusive=True)
        case said.Enumerate(assertions, constraints):
            return Select(next(numbers), tuple(map(_check_resolved, assertions)), each(constraints))
        case said.IfElse(written, then, otherwise):
            condition = _check_resolved(written)
            return Select(
                next(numbers), (condition, terms.negation(condition)), each((then, otherwise)), exclusive=True
            )
        case said.AllOf(parts):
            return Every(each(parts))
        case said.SomeOf(parts):
            return Some(each(parts))
        case said.NotDifferent(part):
            return Negated(_number_choices(part, numbers))
        case said.Always():
            return Everything()
        case said.Never():
            return Nothing()
    raise TypeError(f"{difference!r} has no form here; a relation is resolved by its spec")


def _check_resolved(term: terms.Node | said.ByTerm) -> terms.Node:
    assert not isinstance(term, said.ByTerm), "terms are resolved by their spec"
    return term


def _simplify(core: Core) -> Core:
    """Return the same difference without neutral elements, nested all-of and some-of flattened."""
    match core:
        case Some(parts):
            told = [part for part in _flat(Some, parts) if not isinstance(part, Nothing)]
            return Some(tuple(told)) if len(told) > 1 else next(iter(told), Nothing())
        case Every(parts):
            kept = [part for part in _flat(Every, parts) if not isinstance(part, Everything)]
            if kept and all(isinstance(part, Nothing) for part in kept):
                return Nothing()
            return Every(tuple(kept)) if len(kept) > 1 else next(iter(kept), Everything())
        case Negated(Negated(inner)):
            return _simplify(inner)
        case Negated(inner):
            return Negated(_simplify(inner))
        case Select(number, assertions, parts, exclusive):
            return Select(number, assertions, tuple(map(_simplify, parts)), exclusive)
    return core


def _flat(kind: type[Some] | type[Every], parts: Iterable[Core]) -> Iterator[Core]:
    for part in parts:
        simple = _simplify(part)
        if isinstance(simple, kind):
            yield from simple.parts
        else:
            yield simple


def parts_of(core: Core) -> Iterator[Core]:
    """Yield the difference and every difference inside it."""
    yield core
    match core:
        case Every(parts) | Some(parts) | Select(parts=parts):
            for part in parts:
                yield from parts_of(part)
        case Negated(part):
            yield from parts_of(part)


def terms_of(core: Core) -> Iterator[terms.Node]:
    """Yield the terms that the difference speaks of."""
    for part in parts_of(core):
        match part:
            case Key(term) | MinimumDistance(term) | Edits(term) | Holds(term) | Branch(term=term):
                yield term
            case Select(assertions=assertions):
                yield from assertions


def map_terms(core: Core, change: Callable[[terms.Node], terms.Node]) -> Core:
    """Return the difference with each of its terms changed."""

    def below(parts: tuple[Core, ...]) -> tuple[Core, ...]:
        return tuple(map_terms(part, change) for part in parts)

    match core:
        case Key(term) | MinimumDistance(term) | Edits(term) | Branch(term=term):
            return replace(core, term=change(term))
        case Holds(node):
            return Holds(change(node))
        case Select(number, assertions, parts, exclusive):
            return Select(number, tuple(map(change, assertions)), below(parts), exclusive)
        case Every(parts):
            return Every(below(parts))
        case Some(parts):
            return Some(below(parts))
        case Negated(part):
            return Negated(map_terms(part, change))
    return core


def is_equivalence(core: Core) -> bool:
    """Tell whether being alike is an equivalence, so that one input per class is all there can be."""
    match core:
        case Key() | Everything() | Nothing() | Branch():
            return True
        case Some(parts) | Select(parts=parts):
            return all(map(is_equivalence, parts))
    return False


def tells_apart(core: Core) -> bool:
    """Tell whether two inputs that differ also differ in a value that the difference speaks of (or in a choice)."""
    match core:
        case Key() | MinimumDistance() | Edits() | Branch() | Nothing():
            return True
        case Some(parts) | Select(parts=parts):
            return all(map(tells_apart, parts))
        case Every(parts):
            return any(map(tells_apart, parts))
    return False


def assert_choices(core: Core, *, taken: bool = True) -> terms.Node:
    """Return what each input satisfies because of the choices that the difference adds to it.

    Unless they are `taken`, only that some choice can be made, whatever it is.
    """
    match core:
        case Select(number, assertions, parts):
            made = [_is(number, i) if taken else terms.TRUE for i in range(len(parts))]
            inside = [assert_choices(part, taken=taken) for part in parts]
            return terms.disjunction(map(terms.conjunction, zip(made, assertions, inside, strict=True)))
        case Every(parts) | Some(parts):
            return terms.conjunction([assert_choices(part, taken=taken) for part in parts])
        case Negated(part):
            return assert_choices(part, taken=taken)
        case Branch(_, term, pattern, flags):
            return terms.Op("matches", (term,), terms.BOOL, (pattern, flags))
    return terms.TRUE


def relation(core: Core) -> terms.Node:
    """Return the difference as a term over two inputs. A plain Python predicate is not a term."""
    match core:
        case Key(term):
            return terms.negation(terms.equal(terms.on_side(term, 1), terms.on_side(term, 2)))
        case MinimumDistance(term, least):
            return _at_least_apart(term, least)
        case Edits(term, least):
            edits = terms.Op("edit_distance", (terms.on_side(term, 1), terms.on_side(term, 2)), terms.INT)
            return terms.Op(">=", (edits, terms.Const(least, terms.INT)), terms.BOOL)
        case Holds(node):
            return node
        case Every(parts):
            return terms.conjunction([relation(part) for part in parts])
        case Some(parts):
            return terms.disjunction([relation(part) for part in parts])
        case Negated(part):
            return terms.negation(relation(part))
        case Everything():
            return terms.TRUE
        case Nothing():
            return terms.FALSE
        case Branch(number):
            return _another(number)
        case Select(number, _, parts):
            same = [
                terms.conjunction([_is(number, i, 1), _is(number, i, 2), relation(part)])
                for i, part in enumerate(parts)
            ]
            return terms.disjunction([_another(number), *same])
        case Python():
            raise TypeError("a plain Python predicate is not a term")


def _is(number: int, choice: int, side: int = 0) -> terms.Node:
    return terms.equal(terms.ChosenAssertion(number, side), terms.Const(choice, terms.INT))


def _another(number: int) -> terms.Node:
    return terms.negation(terms.equal(terms.ChosenAssertion(number, 1), terms.ChosenAssertion(number, 2)))


def _at_least_apart(term: terms.Node, least: Fraction) -> terms.Node:
    one, two = terms.on_side(term, 1), terms.on_side(term, 2)
    if term.kind == terms.DATE:
        gap: terms.Node = terms.Op("days_between", (one, two), terms.INT)
    elif term.kind == terms.TIME:
        gap = terms.Op("-", (terms.Op("seconds", (one,), terms.INT), terms.Op("seconds", (two,), terms.INT)), terms.INT)
    elif term.kind == terms.DATETIME:
        gap = terms.Op("time_between", (one, two), terms.TIMEDELTA)
    else:
        gap = terms.Op("-", (one, two), term.kind)
    bound = terms.Const(least if gap.kind == terms.REAL else int(least), gap.kind)
    return terms.Op(">=", (terms.Op("abs", (gap,), gap.kind), bound), terms.BOOL)


def in_words(core: Core) -> str:
    """Return the difference in words, for an explanation."""
    match core:
        case Key(term):
            return f"another {terms.text(term)}"
        case MinimumDistance(term):
            return f"{terms.text(term)} at least {gap_in_words(core)} apart"
        case Edits(term, least):
            return f"{terms.text(term)} at least {least} edits apart"
        case Holds(node):
            return terms.text(node)
        case Python(function):
            return f"python {getattr(function, '__qualname__', function)!s}"
        case Branch(_, term, pattern):
            return f"another branch of {pattern} in {terms.text(term)}"
        case Select(_, assertions, parts):
            choices = [_choice_in_words(*pair) for pair in zip(assertions, parts, strict=True)]
            return f"another of [{'; '.join(choices)}]"
        case Every(parts):
            return "(" + " and ".join(map(in_words, parts)) + ")"
        case Some(parts):
            return "(" + " or ".join(map(in_words, parts)) + ")"
        case Negated(part):
            return f"not ({in_words(part)})"
        case Everything():
            return "not equal"
        case Nothing():
            return "never"


def gap_in_words(gap: MinimumDistance) -> str:
    """Return how far apart values are at least: a number, or a span of time."""
    if gap.term.kind in (terms.DATETIME, terms.TIMEDELTA):
        return str(datetime.timedelta(microseconds=int(gap.least)))
    return terms.decimal(gap.least)


def _choice_in_words(assertion: terms.Node, part: Core) -> str:
    said = "" if assertion == terms.TRUE else terms.text(assertion)
    inner = "" if isinstance(part, Nothing) else in_words(part)
    return ": ".join(filter(None, (said, inner))) or "anything"
