"""What makes two inputs different, and the combinators that make new differences from old ones.

The meaning is that of the paper's figures 10, 11 and 13: a difference relates any pair of inputs; a combinator that
chooses among assertions adds a hidden choice to each input, and asserts what was chosen. Terms here stand on side 0;
they are put on sides 1 and 2 when two inputs are compared.
"""

from __future__ import annotations

import datetime
import decimal
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NoReturn

from unlike.errors import SpecError, with_article
from unlike.language import terms
from unlike.language.boundaries import declared_value, places_of
from unlike.language.expressions import Expr, as_condition, as_expr, ite_term
from unlike.language.moments import MOST_SECONDS
from unlike.language.reading import PlainPython, call_with_blanks, give_terms, name_of, unknown_blank
from unlike.language.values import Value


@dataclass(frozen=True, slots=True)
class Difference:
    """What makes two inputs different; each kind is frozen data."""


@dataclass(frozen=True, slots=True)
class ByTerm:
    """A term over the blanks, written as an Expr, a blank's name, or a function of blanks; resolved by the spec."""

    written: object


@dataclass(frozen=True, slots=True)
class LengthOf:
    """The length of a term that is still to be resolved."""

    written: object


@dataclass(frozen=True, slots=True)
class DiffersBy(Difference):
    """The term has different values."""

    term: terms.Node | ByTerm


@dataclass(frozen=True, slots=True)
class Distance(Difference):
    """Two numbers (dates: days; times: seconds; moments and spans: a timedelta) at least so far apart."""

    term: terms.Node | ByTerm
    least: object


@dataclass(frozen=True, slots=True)
class EditDistance(Difference):
    """Two strings at least so many edits apart."""

    term: terms.Node | ByTerm
    least: int


@dataclass(frozen=True, slots=True)
class CoverRegex(Difference):
    """Another branch of a regex: the string matches, and by a choice of branches not taken before."""

    term: terms.Node | ByTerm
    pattern: str
    flags: int = 0
    heuristic: str = "default"
    unicode: bool = field(default=False, metadata={"told": "if set"})


@dataclass(frozen=True, slots=True)
class Boundary(Difference):
    """At another place relative to the bounds of a blank; the places are conditions that exclude each other."""

    term: terms.Node | ByTerm
    places: tuple[terms.Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Related(Difference):
    """A relation between two inputs, written as an expression over both, holding both ways."""

    function: Callable[[Expr, Expr], object]


@dataclass(frozen=True, slots=True)
class RelatedTerm(Difference):
    """A relation as a term over sides 1 and 2."""

    node: terms.Node


@dataclass(frozen=True, slots=True)
class PythonDifference(Difference):
    """A plain Python predicate over two built inputs; no solver can see inside."""

    function: Callable[..., object]


@dataclass(frozen=True, slots=True)
class Always(Difference):
    """Any two inputs are different."""


@dataclass(frozen=True, slots=True)
class Never(Difference):
    """No two inputs are different: the neutral element of some_of."""


@dataclass(frozen=True, slots=True)
class AllOf(Difference):
    """Different in all of these ways."""

    parts: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class SomeOf(Difference):
    """Different in at least one of these ways."""

    parts: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class NotDifferent(Difference):
    """Not different in this way."""

    part: Difference


@dataclass(frozen=True, slots=True)
class IfElse(Difference):
    """Different if the condition tells them apart; otherwise by the branch that both are on."""

    condition: terms.Node | ByTerm
    then: Difference
    otherwise: Difference


@dataclass(frozen=True, slots=True)
class Enumerate(Difference):
    """Choose one of the assertions; different if another is chosen, or by the constraint of the chosen one."""

    assertions: tuple[terms.Node | ByTerm, ...]
    constraints: tuple[Difference, ...]


# -- how a user writes them ------------------------------------------------------------------------------

always = Always()
never = Never()


def differs_by(term: object) -> DiffersBy:
    """Return the difference of any two inputs for which the term has different values."""
    return DiffersBy(ByTerm(term))


not_equal = differs_by


def different_lengths(term: object) -> DiffersBy:
    """Return the difference of strings or lists that are not equally long."""
    return DiffersBy(ByTerm(LengthOf(term)))


def distance(term: object, least: object) -> Distance:
    """Return the difference of numbers at least so far apart: dates in days, times in seconds.

    Moments and spans of time are a timedelta apart, or so many seconds.
    """
    return Distance(ByTerm(term), least)


def edit_distance(term: object, least: int) -> EditDistance:
    """Return the difference of strings at least so many edits apart."""
    if type(least) is not int or least < 1:
        raise SpecError(f"edit_distance(…, {least!r}): the least distance is an int of at least 1")
    return EditDistance(ByTerm(term), least)


def boundary(term: object) -> Boundary:
    """Return the difference of inputs at different places relative to the bounds of a blank or a field.

    The places: at the least, one beside it, between, one beside the greatest, at the greatest. Of strings and lists
    it is the length that has bounds; of an optional value None is a place, too.
    """
    return Boundary(ByTerm(term))


def relation(function: Callable[[Expr, Expr], object]) -> Related:
    """Return the difference of two inputs for which `function(a, b)` and `function(b, a)` hold, as expressions."""
    if not callable(function):
        raise SpecError(f"relation({function!r}) takes a function of two inputs: relation(lambda a, b: a.x < b.x)")
    _check_takes_two("relation", function)
    return Related(function)


def python_difference(function: Callable[..., object]) -> PythonDifference:
    """Return the difference of two inputs for which the plain Python `function(a, b)` is true, both ways."""
    if not callable(function):
        raise SpecError(f"python_difference({function!r}) takes a function of two inputs")
    if inspect.iscoroutinefunction(function):
        raise SpecError(f"python_difference({name_of(function)}) is an async function; give a plain one")
    _check_takes_two("python_difference", function)
    return PythonDifference(function)


def _check_takes_two(what: str, function: Callable[..., object]) -> None:
    try:
        inspect.signature(function).bind(None, None)
    except TypeError as error:
        raise SpecError(f"{what}({name_of(function)}) takes a function of two inputs, a and b: {error}") from None
    except ValueError:  # a builtin that does not say
        return


def all_of(*differences: Difference) -> AllOf:
    """Return the difference of inputs that differ in all of these ways."""
    return AllOf(_check_differences("all_of", differences))


def some_of(*differences: Difference) -> SomeOf:
    """Return the difference of inputs that differ in at least one of these ways."""
    return SomeOf(_check_differences("some_of", differences))


def not_different(difference: Difference) -> NotDifferent:
    """Return the relation of inputs that do not differ in this way."""
    return NotDifferent(_check_differences("not_different", (difference,))[0])


def ite(condition: object, then: object, otherwise: object) -> Expr | IfElse:
    """Return "then if condition else otherwise", for terms as well as for differences.

    For differences: inputs that disagree on the condition are different; others differ by the branch they are on.
    """
    if isinstance(then, Difference) or isinstance(otherwise, Difference):
        first, second = _check_differences("ite", (then, otherwise))
        return IfElse(ByTerm(condition), first, second)
    return ite_term(condition, then, otherwise)


def enumerate_(assertions: Iterable[object], constraints: Iterable[Difference] | None = None) -> Enumerate:
    """Return the bounded enumeration `enumerate*`: always another choice among the assertions.

    Two inputs that make the same choice i differ by constraints[i]; without constraints there is one input for each
    assertion.
    """
    chosen = tuple(ByTerm(each) for each in assertions)
    if not chosen:
        raise SpecError("enumerate_([]) has nothing to choose from; give at least one assertion")
    nested = (never,) * len(chosen) if constraints is None else _check_differences("enumerate_", tuple(constraints))
    if len(nested) != len(chosen):
        raise SpecError(f"enumerate_ has {len(chosen)} assertions but {len(nested)} constraints; give one for each")
    return Enumerate(chosen, nested)


def enumerate_linear(assertions: Iterable[object]) -> Enumerate:
    """Return the enumeration that visits each assertion once."""
    return enumerate_(assertions)


@dataclass(frozen=True, slots=True)
class CoverStructure:
    """Inputs of a type that take other choices; for types, where a spec has no structure to cover."""

    strength: str | int


class cover:  # noqa: N801  (reads as cover.regex in a spec)
    """Coverage as a difference: another branch of what describes the value."""

    @staticmethod
    def regex(
        term: object, pattern: str, flags: int = 0, heuristic: str = "default", *, unicode: bool = False
    ) -> CoverRegex:
        r"""Return the difference of strings that take different branches of the pattern; each must match it.

        Strings are of ASCII where the pattern leaves the choice: 0 to 9 for `\d`. With `unicode` they are not.
        """
        if not isinstance(pattern, str):
            raise SpecError(f"cover.regex(…, {pattern!r}): a pattern is a string")
        from unlike.regex.cover.builder import find_heuristics  # loaded only when used

        find_heuristics(heuristic)  # refuses a name that is none
        return CoverRegex(ByTerm(term), pattern, int(flags), heuristic, bool(unicode))

    @staticmethod
    def code(code: object, by: object = None, *, within: object = None) -> Difference:
        """Return the difference of inputs that code treats differently, `by` branches, paths, boundaries or results."""
        from unlike.language.code_difference import CodeDifference  # it is a difference itself

        return CodeDifference(code, by, within)

    @staticmethod
    def structure(strength: str | int = "each") -> CoverStructure:
        """Return the difference of inputs that take other choices of a type: each once, so many or all combined."""
        if strength not in ("each", "pairs", "all") and not (type(strength) is int and strength > 0):
            raise SpecError(f"cover.structure({strength!r}): the strength is 'each', 'pairs', 'all' or a number like 3")
        return CoverStructure(strength)


def _check_differences(name: str, differences: tuple[object, ...]) -> tuple[Difference, ...]:
    for each in differences:
        if not isinstance(each, Difference):
            raise SpecError(
                f"{name}({each!r}): not a difference; write differs_by('x'), distance('x', 10), relation(…) or the like"
            )
    return differences  # type: ignore[return-value]


# -- resolving terms against the blanks of a spec -------------------------------------------------------------


def resolve_term(written: object, blanks: dict[str, Expr]) -> terms.Node:
    """Return the term that was written as an expression, a blank's name (with fields), or a function of blanks."""
    match written:
        case LengthOf(inner):
            expr = Expr(resolve_term(inner, blanks))
            if expr._node.kind != terms.STR and not isinstance(expr._node.kind, terms.ListKind):
                raise SpecError(f"different_lengths({expr!r}): only strings and lists have a length")
            return as_expr(expr.length)._node
        case Expr():
            _check_known(written._node, blanks)
            return written._node
        case str():
            return _path(written, blanks)
        case list() | tuple():
            nodes = tuple(resolve_term(each, blanks) for each in written)
            kind = terms.RecordKind(tuple((f"item{i}", node.kind) for i, node in enumerate(nodes)))
            return terms.Op("together", nodes, kind)
    if callable(written):
        result = call_with_blanks(written, blanks)
        return resolve_term(result, blanks) if isinstance(result, tuple | list) else as_expr(result)._node
    return as_expr(written)._node


def _path(path: str, blanks: dict[str, Expr]) -> terms.Node:
    name, *fields = path.split(".")
    if name not in blanks:
        raise SpecError(unknown_blank(name, blanks))
    expr = blanks[name]
    for each in fields:
        part = getattr(expr, each)
        if not isinstance(part, Expr):
            raise SpecError(f"{path!r}: {each!r} is a method; write it as a function: lambda {name}: {path}(…)")
        expr = part
    return expr._node


def _check_known(node: terms.Node, blanks: dict[str, Expr]) -> None:
    for name in sorted(terms.blank_names(node)):
        if name not in blanks:
            raise SpecError(unknown_blank(name, blanks))


def resolve(difference: Difference, blanks: dict[str, Expr], values: Mapping[str, Value]) -> Difference:
    """Return the difference with every term resolved against the blanks, its kinds checked."""

    def inside(part: Difference) -> Difference:
        return resolve(part, blanks, values)

    def term(written: terms.Node | ByTerm) -> terms.Node:
        return resolve_term(written.written, blanks) if isinstance(written, ByTerm) else written

    def condition(written: terms.Node | ByTerm) -> terms.Node:
        return as_condition(Expr(term(written)))._node

    match difference:
        case Related(function):
            return RelatedTerm(_both_ways(function, blanks))
        case DiffersBy(written):
            return _differs(term(written))
        case Distance(written, least):
            node = term(written)
            return Distance(node, _checked_distance(node, least))
        case EditDistance(written, least):
            return EditDistance(_of_kind("edit_distance", term(written), (terms.STR,)), least)
        case CoverRegex(written):
            return replace(difference, term=_of_kind("cover.regex", term(written), (terms.STR,)))
        case Boundary(written):
            return _boundary(term(written), values)
        case AllOf(parts):
            return AllOf(tuple(map(inside, parts)))
        case SomeOf(parts):
            return SomeOf(tuple(map(inside, parts)))
        case NotDifferent(part):
            return NotDifferent(inside(part))
        case IfElse(written, then, otherwise):
            return IfElse(condition(written), inside(then), inside(otherwise))
        case Enumerate(assertions, constraints):
            return Enumerate(tuple(condition(each) for each in assertions), tuple(map(inside, constraints)))
    return difference


def _differs(node: terms.Node) -> Difference:
    """Return the difference by a term; by several terms together it is a difference in at least one of them."""
    if isinstance(node, terms.Op) and node.name == "together":
        return SomeOf(tuple(_differs(part) for part in node.args))
    return DiffersBy(node)


def _boundary(node: terms.Node, values: Mapping[str, Value]) -> Boundary:
    value = declared_value(node, values)
    if value is None:
        raise SpecError(
            f"boundary({terms.text(node)}): only a blank or a field of one has bounds; make what is meant a blank, and "
            "say in where= what it equals"
        )
    return Boundary(node, places_of(node, value))


def _of_kind(what: str, node: terms.Node, kinds: tuple[terms.Kind, ...]) -> terms.Node:
    if node.kind not in kinds:
        names = " or ".join(str(kind) for kind in kinds)
        raise SpecError(
            f"{what}({terms.text(node)}) takes {with_article(names)}, "
            f"but {terms.text(node)} is {with_article(node.kind)}"
        )
    return node


def _checked_distance(node: terms.Node, least: object) -> object:
    kinds = (terms.INT, terms.REAL, terms.DATE, terms.TIME, terms.DATETIME, terms.TIMEDELTA)
    _of_kind("distance", node, kinds)
    said = f"distance({terms.text(node)}, {least!r})"
    if node.kind in (terms.DATETIME, terms.TIMEDELTA):
        if type(least) is int and 0 < least <= MOST_SECONDS:
            return datetime.timedelta(seconds=least)
        if not isinstance(least, datetime.timedelta) or least <= datetime.timedelta(0):
            raise SpecError(
                f"{said}: for {with_article(node.kind)} the least distance is a timedelta above 0, or seconds"
            )
        return least
    number = isinstance(least, int | float | decimal.Decimal) and not isinstance(least, bool)
    if not number or not math.isfinite(least) or least <= 0:  # type: ignore[arg-type, operator]
        raise SpecError(f"{said}: the least distance is a finite number above 0")
    if node.kind != terms.REAL and not isinstance(least, int):
        raise SpecError(f"{said}: for {with_article(node.kind)} the least distance is an int")
    return least


# -- a relation between two inputs ----------------------------------------------------------------------------------


def _both_ways(function: Callable[[Expr, Expr], object], blanks: dict[str, Expr]) -> terms.Node:
    """Return a relation written as a function of two inputs as a term over both."""
    sides = []
    for side in (1, 2):
        parts = tuple(terms.on_side(expr._node, side) for expr in blanks.values())
        kind = terms.RecordKind(tuple((name, expr._node.kind) for name, expr in blanks.items()))
        sides.append(_Side(terms.Op("input", parts, kind)))
    made = give_terms(function, sides)
    if isinstance(made, PlainPython):
        remedy = "write it as a term (== for is), or use python_difference(function)"
        raise SpecError(f"relation({name_of(function)}) is decided before there are values: {made.why}; {remedy}")
    result = as_expr(made)._node
    if result.kind != terms.BOOL:
        raise SpecError(
            f"relation: {terms.text(result)} is {with_article(result.kind)}, not a condition; compare the two inputs"
        )
    backwards = terms.other_way(result)
    return result if backwards == result else terms.conjunction([result, backwards])


class _Side(Expr):
    """One of two inputs: its fields are the blanks on that side."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Expr:
        if name.startswith("__"):
            raise AttributeError(name)
        assert isinstance(self._node, terms.Op)
        for part in self._node.args:
            if isinstance(part, terms.Blank) and part.name == name:
                return Expr(part)
        known = [part.name for part in self._node.args if isinstance(part, terms.Blank)]
        raise SpecError(unknown_blank(name, known))

    def __getitem__(self, name: object) -> Expr:
        return self.__getattr__(str(name))

    def __eq__(self, other: object) -> NoReturn:
        raise SpecError("a relation compares blanks, not whole inputs: a.x != b.x; inputs are never equal as wholes")

    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __hash__ = Expr.__hash__
