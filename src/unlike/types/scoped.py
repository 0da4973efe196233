"""What a scope makes of any type: the one walk over the tree for the arguments of calls and the fields of objects.

Types of plain values are listed by `within`. What becomes of unions, containers and objects, the reading says: for
arguments they are pools of values, for fields domains.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from unlike.core import Deadline, Isolation
from unlike.scope import Scope
from unlike.types.read import TypeReader
from unlike.types.rules import Rule
from unlike.types.tree import (
    AliasType,
    AnyType,
    ClassType,
    EitherType,
    ItemsType,
    MappingType,
    PlacesType,
    PlainType,
    TypeNode,
    UnreadableType,
    VariableType,
    bare_type,
    rules_on,
    type_name,
    with_rules,
)
from unlike.types.within import FirstValues, NoValuesError, first_values, spelled_out, spread_rules

T = TypeVar("T")
MOST_ENTERED = 20  # types inside each other that are names: one may contain itself with ever other arguments
ContainerType = ItemsType | PlacesType | MappingType
Rules = tuple[Rule, ...]
Entered = tuple[TypeNode, ...]  # the names around a place


class ScopedReading(Protocol[T]):
    """What becomes of each kind of type; a method raises NoValuesError where there is nothing."""

    @property
    def scope(self) -> Scope:
        """How much of a type is wanted."""

    @property
    def isolation(self) -> Isolation:
        """Where predicates are asked."""

    @property
    def deadline(self) -> Deadline:
        """Until when they are asked."""

    def read_declared(self, node: TypeNode) -> T | None:
        """Return what somebody declared for a type."""

    def read_values(self, found: FirstValues) -> T:
        """Return the first values of a type of plain values."""
        ...

    def read_union(self, members: Sequence[TypeNode], entered: Entered) -> T:
        """Return what is in one of the types."""
        ...

    def read_container(self, node: ContainerType, rules: Rules, entered: Entered) -> T:
        """Return the containers of a type."""
        ...

    def read_objects(self, node: ClassType, rules: Rules, entered: Entered) -> T:
        """Return the objects of a class."""
        ...

    def add_remark(self, found: T, remark: str) -> T:
        """Return the same with a remark for whoever reads a proof."""
        ...


def read_within(node: TypeNode, reading: ScopedReading[T], entered: Entered = ()) -> T:
    """Return what a reading makes of a type within its scope, or raise NoValuesError."""
    node = spelled_out(node)
    declared = reading.read_declared(node)
    if declared is not None:
        return declared
    found = first_values(node, reading.scope.most_ints, reading.isolation, reading.deadline)
    if found is not None:
        return reading.read_values(found)
    rules, unknown = rules_on(node), "what has no annotation"
    match bare_type(node):
        case AnyType(said):
            unknown = said or unknown
        case VariableType(name, None, ()):
            unknown = f"the open type variable {name}"
        case VariableType(_, bound, among):
            return reading.read_union(spread_rules(among or (bound or AnyType(),), rules), entered)
        case EitherType(alternatives):
            return reading.read_union(spread_rules([inner for _, inner in alternatives], rules), entered)
        case ItemsType() | PlacesType() | MappingType() as container:
            return reading.read_container(container, rules, entered)
        case ClassType() as named:
            return reading.read_objects(named, rules, entered)
        case AliasType() as alias if alias not in entered and len(entered) < MOST_ENTERED:
            return read_within(with_rules(TypeReader().meaning_of(alias), rules), reading, (*entered, alias))
        case AliasType() as alias:
            raise NoValuesError(f"{type_name(alias)} refers to itself")
        case UnreadableType(text, reason):
            raise NoValuesError(f"its type {text} {reason}")
        case other:
            raise NoValuesError(f"no {type_name(other)} is known")
    ints = read_within(with_rules(PlainType(int), rules), reading, entered)
    return reading.add_remark(ints, f"ints for {unknown}")
