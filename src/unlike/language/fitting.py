"""Written constants as terms, fitted to the kind of what they are compared with."""

from __future__ import annotations

import datetime
import math
from fractions import Fraction
from typing import NoReturn

from unlike.errors import SpecError, nearest
from unlike.language.terms import (
    DATE,
    INT,
    NOTHING,
    REAL,
    STR,
    TIME,
    AtomKind,
    Const,
    Kind,
    ListKind,
    Node,
    Op,
    OptionKind,
    RecordKind,
    same_member,
    text,
)
from unlike.language.values import exact, kind_of_members

NUMBERS = (INT, REAL)


def constant(value: object) -> Const:
    """Return a written value as a constant."""
    match value:
        case None:
            return Const(None, NOTHING)
        case float() if math.isfinite(value):
            return Const(exact(value), REAL)
        case Fraction():
            return Const(value, REAL)
        case bool() | int() | str():
            return Const(value, kind_of_members((value,)))
        case datetime.datetime():
            pass
        case datetime.date():
            return Const(value, DATE)
        case datetime.time():
            return Const(value, TIME)
    return Const(value, AtomKind((value,)))


def unify(written: str, left: Node, right: Node) -> tuple[Node, Node]:
    """Return both terms with constants fitted to the other side's kind, or refuse to compare them."""
    first, second = _fit(left, right.kind), _fit(right, left.kind)
    if _comparable(first.kind, second.kind):
        return first, second
    if isinstance(first.kind, AtomKind) or isinstance(second.kind, AtomKind):
        atoms, other = (first, second) if isinstance(first.kind, AtomKind) else (second, first)
        if isinstance(other, Const) and not isinstance(atoms, Const):
            _refuse_stranger(written, atoms, other)
    for node in (first, second):
        if isinstance(node, Const) and isinstance(node.value, float):  # finite ones were made exact
            raise SpecError(f"{written}: {node.value!r} is no number that a blank could be compared with")
    raise SpecError(
        f"{written}: {text(first)} is a {first.kind} and {text(second)} a {second.kind}; they cannot be compared"
    )


def _refuse_stranger(written: str, atoms: Node, other: Const) -> NoReturn:
    assert isinstance(atoms.kind, AtomKind)
    hint = nearest(str(other.value), [str(member) for member in atoms.kind.members[:20]])
    raise SpecError(f"{written}: {other.value!r} is not one of the values of {text(atoms)}; {hint}")


def _fit(node: Node, kind: Kind) -> Node:
    """Return a constant as the other side's kind would write it: an atom, an option's content, a record's dict."""
    if not isinstance(node, Const):
        if isinstance(kind, OptionKind) and node.kind != NOTHING and not isinstance(node.kind, OptionKind):
            return Op("some", (node,), OptionKind(node.kind))
        return node
    value = node.value
    match kind:
        case AtomKind(members) if (found := _member(value, members)) is not None:
            return Const(found.value, kind)
        case OptionKind(inner):
            if value is None:
                return Const(None, kind)
            fitted = _fit(node, inner)
            return Const(fitted.value, kind) if isinstance(fitted, Const) and _comparable(fitted.kind, inner) else node
        case ListKind(inner) if isinstance(value, list | tuple):
            items = [_fit(constant(item), inner) for item in value]
            if all(isinstance(item, Const) and _comparable(item.kind, inner) for item in items):
                return Const(tuple(item.value for item in items if isinstance(item, Const)), kind)
        case RecordKind(fields) if isinstance(value, dict) and set(value) == {name for name, _ in fields}:
            parts = {name: _fit(constant(value[name]), inner) for name, inner in fields}
            if all(isinstance(parts[name], Const) and _comparable(parts[name].kind, inner) for name, inner in fields):
                return Const({name: part.value for name, part in parts.items() if isinstance(part, Const)}, kind)
        case _ if kind == REAL and isinstance(value, int):
            return Const(Fraction(value), REAL)
        case _ if kind == INT and isinstance(value, int):  # such as a member of an IntEnum
            return Const(int(value), INT)
        case _ if kind == STR and isinstance(value, str):
            return Const(str.__str__(value), STR)
    return node


def _member(value: object, members: tuple[object, ...]) -> Const | None:
    """Return the member of an enumeration that a constant stands for; a float was made exact when it was written."""
    for member in members:
        written = exact(member) if isinstance(member, float) and math.isfinite(member) else member
        if same_member(value, member) or same_member(value, written):
            return Const(member, AtomKind(members))
    return None


def _comparable(first: Kind, second: Kind) -> bool:
    if first in NUMBERS and second in NUMBERS:
        return True
    match first, second:
        case AtomKind(a), AtomKind(b):
            return any(same_member(x, y) for x in a for y in b)
        case OptionKind(a), OptionKind(b):
            return _comparable(a, b)
        case ListKind(a), ListKind(b):
            return _comparable(a, b)
        case RecordKind(a), RecordKind(b):
            return len(a) == len(b) and all(
                x == y and _comparable(kind, other) for (x, kind), (y, other) in zip(a, b, strict=True)
            )
    return first == second
