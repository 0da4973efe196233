"""Written constants as terms, fitted to the kind of what they are compared with."""

from __future__ import annotations

import datetime
import decimal
import math
from fractions import Fraction
from typing import NoReturn

from unlike.errors import NeedsValueError, SpecError, nearest, with_article
from unlike.language import terms
from unlike.language.values import exact, kind_of_members, plain_of

NUMBERS = (terms.INT, terms.REAL)


def constant(value: object) -> terms.Const:
    """Return a written value as a constant."""
    match value:
        case None:
            return terms.Const(None, terms.NOTHING)
        case float() | decimal.Decimal() if math.isfinite(value):
            return terms.Const(exact(value), terms.REAL)
        case Fraction():
            return terms.Const(value, terms.REAL)
        case bool() | int() | str():
            return terms.Const(value, kind_of_members((value,)))
        case datetime.datetime() if value.tzinfo:
            pass
        case datetime.datetime() | datetime.timedelta():
            kind = terms.DATETIME if isinstance(value, datetime.datetime) else terms.TIMEDELTA
            return terms.Const(plain_of(kind, value), kind)
        case datetime.date():
            return terms.Const(value, terms.DATE)
        case datetime.time():
            return terms.Const(value, terms.TIME)
    return terms.Const(value, terms.AtomKind((value,)))


def unify(written: str, left: terms.Node, right: terms.Node) -> tuple[terms.Node, terms.Node]:
    """Return both terms with constants fitted to the other side's kind, or refuse to compare them."""
    first, second = _fit(left, right.kind), _fit(right, left.kind)
    if _comparable(first.kind, second.kind):
        return first, second
    if isinstance(first.kind, terms.AtomKind) or isinstance(second.kind, terms.AtomKind):
        atoms, other = (first, second) if isinstance(first.kind, terms.AtomKind) else (second, first)
        if isinstance(other, terms.Const) and not isinstance(atoms, terms.Const):
            _refuse_stranger(written, atoms, other)
    for node in (first, second):
        if isinstance(node, terms.Const) and isinstance(node.value, float):  # finite ones were made exact
            raise SpecError(f"{written}: {node.value!r} is no number that a blank could be compared with")
    kinds = f"{terms.text(first)} is {with_article(first.kind)} and {terms.text(second)} {with_article(second.kind)}"
    # an object that is no constant of the language, such as a Path: what it equals is for Python to say
    strange = any(isinstance(node, terms.Const) and isinstance(node.kind, terms.AtomKind) for node in (first, second))
    error = NeedsValueError if strange else SpecError
    raise error(f"{written}: {kinds}; they cannot be compared")


def _refuse_stranger(written: str, atoms: terms.Node, other: terms.Const) -> NoReturn:
    assert isinstance(atoms.kind, terms.AtomKind)
    hint = nearest(str(other.value), [str(member) for member in atoms.kind.members[:20]])
    error = NeedsValueError if any(_is_equal(member, other.value) for member in atoms.kind.members) else SpecError
    raise error(f"{written}: {other.value!r} is not one of the values of {terms.text(atoms)}; {hint}")


def _is_equal(member: object, value: object) -> bool:
    """Tell whether Python finds a member equal to a value of another type, as it does those of a StrEnum."""
    try:
        return bool(member == value)
    except Exception:  # objects of the user's compare as they like
        return False


def _fit(node: terms.Node, kind: terms.Kind) -> terms.Node:
    """Return a constant as the other side's kind would write it: an atom, an option's content, a record's dict."""
    if not isinstance(node, terms.Const):
        if (
            isinstance(kind, terms.OptionKind)
            and node.kind != terms.NOTHING
            and not isinstance(node.kind, terms.OptionKind)
        ):
            return terms.Op("some", (node,), terms.OptionKind(node.kind))
        return node
    value = node.value
    match kind:
        case terms.AtomKind(members) if (found := _member(node, members)) is not None:
            return terms.Const(found.value, kind)
        case terms.OptionKind(inner):
            if value is None:
                return terms.Const(None, kind)
            fitted = _fit(node, inner)
            return (
                terms.Const(fitted.value, kind)
                if isinstance(fitted, terms.Const) and _comparable(fitted.kind, inner)
                else node
            )
        case terms.ListKind(inner) if isinstance(value, list | tuple):
            items = [_fit(constant(item), inner) for item in value]
            if all(isinstance(item, terms.Const) and _comparable(item.kind, inner) for item in items):
                return terms.Const(tuple(item.value for item in items if isinstance(item, terms.Const)), kind)
        case terms.RecordKind(fields) if isinstance(value, dict) and set(value) == {name for name, _ in fields}:
            parts = {name: _fit(constant(value[name]), inner) for name, inner in fields}
            if all(
                isinstance(parts[name], terms.Const) and _comparable(parts[name].kind, inner) for name, inner in fields
            ):
                return terms.Const(
                    {name: part.value for name, part in parts.items() if isinstance(part, terms.Const)}, kind
                )
        case _ if node.kind == terms.TIMEDELTA:  # whose number is no number of the others
            return node
        case _ if kind == terms.REAL and isinstance(value, int):
            return terms.Const(Fraction(value), terms.REAL)
        case _ if kind == terms.INT and isinstance(value, int):  # such as a member of an IntEnum
            return terms.Const(int(value), terms.INT)
        case _ if kind == terms.STR and isinstance(value, str):
            return terms.Const(str.__str__(value), terms.STR)
    return node


def _member(node: terms.Const, members: tuple[object, ...]) -> terms.Const | None:
    """Return the member of an enumeration that a constant stands for; a float was made exact when it was written."""
    for member in members:
        written = constant(member)
        is_held = node.kind in (terms.REAL, terms.TIMEDELTA) and written.kind == node.kind  # in another form
        if terms.same_member(node.value, written.value if is_held else member):
            return terms.Const(member, terms.AtomKind(members))
    return None


def _comparable(first: terms.Kind, second: terms.Kind) -> bool:
    if first in NUMBERS and second in NUMBERS:
        return True
    match first, second:
        case terms.AtomKind(a), terms.AtomKind(b):
            return any(terms.same_member(x, y) for x in a for y in b)
        case terms.OptionKind(a), terms.OptionKind(b):
            return _comparable(a, b)
        case terms.ListKind(a), terms.ListKind(b):
            return _comparable(a, b)
        case terms.RecordKind(a), terms.RecordKind(b):
            return len(a) == len(b) and all(
                x == y and _comparable(kind, other) for (x, kind), (y, other) in zip(a, b, strict=True)
            )
    return first == second
