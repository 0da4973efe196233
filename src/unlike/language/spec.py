"""A spec: named blanks, what each input must satisfy, and what makes two inputs different.

Statements accumulate as in the paper: assertions are conjoined, differences disjoined, and "not equal" holds beside
them always. Where a blank is a type, all of them are one type, which is covered: what is said of it is kept as it was
said, and read by those who read types.
"""

from __future__ import annotations

import copy
import keyword
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NewType

from unlike.errors import SpecError
from unlike.language import terms
from unlike.language.differences import CoverStructure, Difference, SomeOf, never, resolve
from unlike.language.expressions import Expr
from unlike.language.reading import DEEPEST, TOO_DEEP
from unlike.language.values import VALUES, Value, check_value
from unlike.language.where import read_where


@dataclass(frozen=True)
class SaidOfTypes:
    """What a spec says whose blanks are types, or types and values: each by its name, and what was said of them."""

    blanks: dict[str, object] = field(default_factory=dict)
    where: object = ()
    different: object = ()


class Spec:
    """A space of inputs and what makes two of them different. Where a blank is a type, its choices are covered.

    >>> Spec({"price": Int(1, 100)}, where=lambda price: price % 5 == 0, different=distance("price", 20))
    Spec('inputs': price)
    """

    __slots__ = ("assertions", "blanks", "difference", "n", "name", "places", "typed")

    def __init__(
        self,
        blanks: Mapping[str, object],
        *,
        where: object = (),
        different: CoverStructure | Difference | Iterable[Difference] = (),
        name: str = "inputs",
        n: int | None = None,
        places: Iterable[tuple[object, str]] = (),
    ) -> None:
        if not isinstance(blanks, Mapping) or not blanks:
            raise SpecError(f"Spec({blanks!r}): give the blanks as a dict from name to value, at least one")
        has_types = any(map(_is_type, blanks.values())) or isinstance(different, CoverStructure)
        for blank, value in blanks.items():
            _check_name(blank)
            if not _is_type(value):
                check_value(value, f"blank {blank!r}")
        if n is not None and (type(n) is not int or n < 1):
            raise SpecError(f"Spec(n={n!r}): the number of inputs is an int of at least 1")
        self.name = name
        self.n = n
        self.typed = SaidOfTypes(dict(blanks), where, different) if has_types else None
        if has_types:
            blanks, where, different, places = {}, (), (), ()
        self.blanks: dict[str, Value] = dict(blanks)  # type: ignore[arg-type]
        exprs = {blank: Expr(terms.Blank(blank, value.kind)) for blank, value in self.blanks.items()}
        spoken = {blank: None if terms.is_held(expr._node.kind) else expr for blank, expr in exprs.items()}
        self.assertions: tuple[terms.Node, ...] = tuple(each.node for each in read_where(where, spoken))
        if any(terms.depth(each) > DEEPEST for each in self.assertions):
            raise SpecError(TOO_DEEP)
        self.difference: Difference = _difference(different, exprs, self.blanks)
        # where a text says what: (blank's name, assertion or difference, the words for it), for messages only
        self.places: tuple[tuple[object, str], ...] = tuple(
            (resolve(what, exprs, self.blanks) if isinstance(what, Difference) else what, words)
            for what, words in places
        )

    @property
    def names(self) -> list[str]:
        """The names of the blanks."""
        return list(self.blanks if self.typed is None else self.typed.blanks)

    def as_choices(self) -> Spec:
        """Return the same inputs as choices that are covered; refuse a spec that says itself how inputs differ."""
        if self.typed is not None:
            return self
        if self.difference != never:
            raise SpecError(f"{self!r} says itself how inputs differ; leave out its difference, or cover")
        other = copy.copy(self)
        other.typed = SaidOfTypes(dict(self.blanks), list(map(Expr, self.assertions)))
        other.blanks, other.assertions, other.places = {}, (), ()
        return other

    def with_name(self, name: str) -> Spec:
        """Return the same spec under another name."""
        other = copy.copy(self)
        other.name = name
        return other

    def __repr__(self) -> str:
        return f"Spec({self.name!r}: {', '.join(self.names)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Spec):
            return NotImplemented
        return (self.name, self.n, self.typed, self.blanks, self.assertions, self.difference) == (
            (other.name, other.n, other.typed, other.blanks, other.assertions, other.difference)
        )

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.blanks)))

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"a Spec has no {name!r}; blanks are spec.blanks[{name!r}]")


def blank(name: str, value: Value) -> Expr:
    """Return the term that stands for a blank of that name, to write expressions outside of a function."""
    check_value(value, f"blank {name!r}")
    return Expr(terms.Blank(name, value.kind))


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name) or name.startswith("__"):
        raise SpecError(f"{name!r} cannot be the name of a blank; a blank has the name of a Python parameter")


def _is_type(value: object) -> bool:
    """Tell whether a blank is a type, as annotations are, rather than a value of the language."""
    if isinstance(value, type):
        return not issubclass(value, VALUES)
    return isinstance(value, types.UnionType | NewType) or hasattr(value, "__origin__") or hasattr(value, "__value__")


def _difference(different: object, exprs: dict[str, Expr], values: Mapping[str, Value]) -> Difference:
    given = (different,) if isinstance(different, Difference) else different
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise SpecError(f"different={different!r} is not a difference; write different=differs_by('x') or the like")
    resolved = []
    for each in given:
        if not isinstance(each, Difference):
            raise SpecError(
                f"different={each!r} is not a difference; write differs_by('x'), distance('x', 10) or the like"
            )
        resolved.append(resolve(each, exprs, values))
    if not resolved:
        return never
    return resolved[0] if len(resolved) == 1 else SomeOf(tuple(resolved))
