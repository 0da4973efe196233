"""What `where` may say, for specs, types, dicts and tests alike: conditions as terms, or as filters on finished values.

A function is given terms. What it makes of them is a term, which engines see through. What only Python can decide
(`is`, `isinstance`, real methods, a function that raises on terms) becomes a filter. A term that is decided too early
(`and`, `not`, `in`, `if`, `len`) is refused with what to write instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType

from unlike.errors import SpecError
from unlike.language import terms
from unlike.language.differences import resolve_term
from unlike.language.expressions import Expr, as_condition
from unlike.language.reading import PlainPython, as_filter, by_name, give_terms, name_of, plain_python


@dataclass(frozen=True, slots=True)
class Predicate:
    """A plain Python predicate over built values, used as an assertion."""

    function: Callable[..., object]


def predicate(function: Callable[..., object]) -> Predicate:
    """Return an assertion that runs plain Python on the values; its parameters name the blanks it takes.

    No solver can see inside, so inputs are proposed and tried, and completeness is claimed only where all were tried.
    """
    if not callable(function):
        raise SpecError(f"predicate({function!r}) takes a function whose parameters name blanks")
    return Predicate(function)


@dataclass(frozen=True, slots=True)
class Matches:
    """A term that matches a pattern, used as an assertion."""

    term: object
    pattern: str
    flags: int


def matching(term: object, pattern: str, flags: int = 0) -> Matches:
    """Return the assertion that a string matches a pattern as a whole: a blank by name, or any term.

    >>> Spec({"name": Str()}, where=matching("name", "[a-z]+"))
    Spec('inputs': name)
    """
    if not isinstance(pattern, str):
        raise SpecError(f"matching(…, {pattern!r}): a pattern is a string")
    return Matches(term, pattern, int(flags))


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that `where` says: a term, or a filter as an `Opaque` one, and how a message calls it."""

    node: terms.Node
    words: str


def read_where(where: object, blanks: Mapping[str, Expr | None]) -> Iterator[Condition]:
    """Yield the conditions; a blank for which no term stands is `None`, and what speaks of it is plain Python.

    >>> [each.node.names for each in read_where(lambda x: x is not None, {"x": blank("x", Int(0, 9))})]
    [('x',)]
    """
    speakable = {name: term for name, term in blanks.items() if term is not None}
    match where:
        case Predicate(function):
            call, names = by_name(function, blanks)
            yield Condition(terms.Opaque(call, names), _words(function, names))
        case Matches(term, pattern, flags):
            made = Expr(resolve_term(term, speakable)).matches(pattern, flags)  # type: ignore[operator]
            yield from read_where(made, blanks)
        case list() | tuple():
            for each in where:
                yield from read_where(each, blanks)
        case Expr() | bool():
            node = as_condition(Expr(resolve_term(where, speakable)))._node
            yield Condition(node, terms.text(node))
        case _ if callable(where):
            yield from _read_function(where, blanks)
        case _:
            raise SpecError(
                f"where={where!r} is not an assertion; write where=lambda price: price > 5, or a list of them"
            )


def _read_function(function: Callable[..., object], blanks: Mapping[str, Expr | None]) -> Iterator[Condition]:
    call, names = by_name(function, blanks)
    words = _words(function, names)
    given = [blanks[name] for name in names]
    mute = [name for name, each in zip(names, given, strict=True) if each is None]
    codes = [function.__code__] if isinstance(function, FunctionType) else []
    match plain_python(f"no term stands for {mute[0]}", codes) if mute else give_terms(call, given):
        case PlainPython():
            yield Condition(terms.Opaque(as_filter(call), names), words)
        case Expr() | bool() | list() | tuple() | Predicate() | Matches() as result:
            for each in read_where(result, blanks):
                yield Condition(each.node, words)
        case result:
            raise SpecError(
                f"where={name_of(function)!r} returned {result!r} instead of a condition over the blanks; "
                "for plain Python that needs real values write where=predicate(function)"
            )


def _words(function: object, names: tuple[str, ...]) -> str:
    name = getattr(function, "__name__", "<lambda>")
    return f"where({', '.join(names)})" if name == "<lambda>" else name
