"""What a scope makes of any type: the one walk over the tree for the arguments of calls and the fields of objects.

Types of plain values are listed by `within`. What becomes of unions, containers and objects, the reading says: for
arguments they are pools of values, for fields domains. Containers over given elements are as long as a scope and the
rules allow.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from unlike.core import Deadline, Isolation
from unlike.errors import SpecError, with_article
from unlike.foreign import foreign
from unlike.language.values import List, Option
from unlike.recipe import CONTAINERS
from unlike.scope import Scope
from unlike.structure.shapes import Check, Constants, ItemsShape, NamedFields, Shape
from unlike.types import tree
from unlike.types.as_annotated import NOTHING
from unlike.types.first_values import FirstValues, NoValuesError, first_values, plain_shape, without_checks
from unlike.types.read import TypeReader
from unlike.types.rules import LengthRule, OpaqueRule, Rule, apply_rule, under

T = TypeVar("T")
MOST_CONTAINERS = 400  # of varying length, passed for one parameter; beyond it they get shorter, and it is said
MOST_TUPLES = 10_000  # of a fixed length; a method with more ways to call it is refused anyway
ABSENT = object()
LONGEST = 2**31  # of a container, before rules and a scope shorten it
MOST_ENTERED = 20  # types inside each other that are names: one may contain itself with ever other arguments
ContainerType = tree.ItemsType | tree.PlacesType | tree.MappingType
Rules = tuple[Rule, ...]
Entered = tuple[tree.TypeNode, ...]  # the names around a place


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

    def read_declared(self, node: tree.TypeNode) -> T | None:
        """Return what somebody declared for a type."""

    def read_values(self, found: FirstValues) -> T:
        """Return the first values of a type of plain values."""

    def read_union(self, members: Sequence[tree.TypeNode], entered: Entered) -> T:
        """Return what is in one of the types."""

    def read_container(self, node: ContainerType, rules: Rules, entered: Entered) -> T:
        """Return the containers of a type."""

    def read_objects(self, node: tree.ClassType, rules: Rules, entered: Entered) -> T:
        """Return the objects of a class."""

    def add_remark(self, found: T, remark: str) -> T:
        """Return the same with a remark for whoever reads a proof."""


def read_within(node: tree.TypeNode, reading: ScopedReading[T], entered: Entered = ()) -> T:
    """Return what a reading makes of a type within its scope, or raise NoValuesError."""
    node = spelled_out(node)
    declared = reading.read_declared(node)
    if declared is not None:
        return declared
    found = first_values(node, reading.scope.most_ints, reading.isolation, reading.deadline)
    if found is not None:
        return reading.read_values(found)
    rules, unknown = tree.rules_on(node), "what has no annotation"
    match tree.bare_type(node):
        case tree.AnyType(said):
            unknown = said or unknown
        case tree.VariableType(name, None, ()):
            unknown = f"the open type variable {name}"
        case tree.VariableType(_, bound, among):
            return reading.read_union(spread_rules(among or (bound or tree.AnyType(),), rules), entered)
        case tree.EitherType(alternatives):
            return reading.read_union(spread_rules([inner for _, inner in alternatives], rules), entered)
        case tree.ItemsType() | tree.PlacesType() | tree.MappingType() as container:
            return reading.read_container(container, rules, entered)
        case tree.ClassType() as named:
            return reading.read_objects(named, rules, entered)
        case tree.AliasType() as alias if alias not in entered and len(entered) < MOST_ENTERED:
            return read_within(tree.with_rules(TypeReader().meaning_of(alias), rules), reading, (*entered, alias))
        case tree.AliasType() as alias:
            raise NoValuesError(f"{tree.type_name(alias)} refers to itself")
        case tree.UnreadableType(text, reason):
            raise NoValuesError(f"its type {text} {reason}")
        case other:
            raise NoValuesError(f"no {tree.type_name(other)} is known")
    ints = read_within(tree.with_rules(tree.PlainType(int), rules), reading, entered)
    return reading.add_remark(ints, f"ints for {unknown}")


def spelled_out(node: tree.TypeNode) -> tree.TypeNode:
    """Return a type that says in other words what a value of the language says.

    List(Bool(), 0, 1) is a list of bools of at most one; Option(Int(0, 1)) is that int or None.
    """
    rules = tree.rules_on(node)
    match tree.bare_type(node):
        case tree.OwnValueType(List(inner, least) as listed):
            lengths = (LengthRule("least", least), LengthRule("most", listed.most))
            return tree.with_rules(tree.ItemsType(tree.OwnValueType(inner)), (*lengths, *rules))
        case tree.OwnValueType(Option(inner)):
            return tree.with_rules(tree.EitherType((("value", tree.OwnValueType(inner)), ("None", NOTHING))), rules)
    return node


def spread_rules(members: Sequence[tree.TypeNode], rules: tuple[Rule, ...]) -> list[tree.TypeNode]:
    """Return the alternatives of a union, each under the rules that apply to it; one that applies to none is refused.

    int | None under ">= 0" is an int under ">= 0", or None. A predicate is asked about every value.
    """
    found = list(members)
    for rule in rules:
        speaks = [_applies(rule, member) for member in members]
        if not any(speaks):
            raise NoValuesError(f"'{rule}' does not apply to {' | '.join(map(tree.type_name, members))}")
        found = [tree.with_rules(each, (rule,)) if said else each for each, said in zip(found, speaks, strict=True)]
    return found


def _applies(rule: Rule, member: tree.TypeNode) -> bool:
    if isinstance(rule, Check | OpaqueRule):
        return True
    shape = plain_shape(member) or container_shape(tree.bare_type(member))
    return apply_rule(shape, rule, ()) is not None


def container_shape(node: tree.TypeNode) -> Shape:
    """Return what rules see of a container, whatever is in it; of a tuple with places, or an object, nothing."""
    match node:
        case tree.ItemsType(kind=kind):
            return ItemsShape(Constants((None,)), 0, LONGEST, kind)
        case tree.MappingType():
            return ItemsShape(Constants((None,)), 0, LONGEST, "dict")
    return NamedFields(())


# -- containers ----------------------------------------------------------------------------------------------------


def lengths_of(node: tree.TypeNode, rules: Iterable[Rule], elements: int) -> tuple[int, int, tuple[Check, ...]]:
    """Return the least and the greatest length that the rules and a scope leave, and the predicates among the rules.

    Any other rule does not apply to a container, and is refused by its name.
    """
    try:
        shape = under(container_shape(node), rules, ())
    except SpecError as error:
        raise NoValuesError(str(error).removeprefix("value: ").rpartition(";")[0]) from None
    shape, checks = without_checks(shape)
    least, most = (shape.least, min(shape.most, elements)) if isinstance(shape, ItemsShape) else (0, elements)
    if least > most:
        raise NoValuesError(
            f"{tree.type_name(node)} must be at least {least} long, and containers have at most {most} elements here "
            f"(--elements {least} allows it)"
        )
    return least, most, checks


def check_hashable(node: tree.TypeNode) -> None:
    """Refuse a set, or a dict, of what cannot be in one."""
    match node:
        case tree.ItemsType(inner, "set" | "frozenset") | tree.MappingType(inner) if not tree.is_hashable(inner):
            raise NoValuesError(
                f"{tree.type_name(inner)} is not hashable and cannot be in {with_article(tree.type_name(node))}"
            )


def containers_of(
    node: tree.ItemsType | tree.PlacesType | tree.MappingType, parts: Sequence[Sequence[object]], least: int, most: int
) -> FirstValues:
    """Return every container over the elements, shortest first; where they are too many, the shorter ones alone.

    `parts` are the elements; for a dict its keys and its values, for a tuple with places those of each place.
    """
    check_hashable(node)
    match node:
        case tree.PlacesType():
            return _tuples_of(node, parts, most)
        case tree.ItemsType(kind=kind):
            return _up_to_length(kind, CONTAINERS[kind], parts, least, most)
        case tree.MappingType():
            return _up_to_length("dict", dict, parts, least, most)


def _contents(kind: str, parts: Sequence[Sequence[object]], length: int) -> tuple[int, Iterator[tuple[object, ...]]]:
    """Return how many containers there are of so many elements, and the elements of each."""
    elements, count = parts[0], len(parts[0])
    if kind in ("list", "tuple"):
        return count**length, itertools.product(elements, repeat=length)
    if kind != "dict":
        return math.comb(count, length), itertools.combinations(elements, length)
    entries = (
        tuple(zip(keys, values, strict=True))
        for keys in itertools.combinations(elements, length)
        for values in itertools.product(parts[1], repeat=length)
    )
    return math.comb(count, length) * len(parts[1]) ** length, entries


def _up_to_length(
    kind: str, make: type[Collection[object]], parts: Sequence[Sequence[object]], least: int, most: int
) -> FirstValues:
    found: list[object] = []
    for length in range(least, most + 1):
        count, rows = _contents(kind, parts, length)
        if len(found) + count > MOST_CONTAINERS:
            longest = f"{kind}s of at most {length - 1} elements" if length > least else f"no {kind}s"
            return FirstValues(tuple(found), f"{longest} instead of {most}, as there are more than {MOST_CONTAINERS}")
        made = [make(map(_fresh, row)) for row in rows]  # type: ignore[call-arg]
        found += [each for each in made if len(each) == length]  # 1 and True are one element of a set
    if not found:
        raise NoValuesError(f"there are not enough elements for {with_article(kind)} at least {least} long")
    return FirstValues(tuple(found))


def _fresh(value: object) -> object:
    """Return a container of its own, so that no two places of another share one; anything else as it is."""
    match value:
        case list() | tuple() if type(value) in (list, tuple):
            return type(value)(map(_fresh, value))
        case set() if type(value) is set:
            return set(value)
        case dict() if type(value) is dict:
            return {key: _fresh(each) for key, each in value.items()}
    return value


def records_of(record: tree.RecordType, parts: Sequence[Sequence[object]], most: int) -> FirstValues:
    """Return the dicts or named tuples of all combinations of fields; one that need not be there is also left out.

    `parts` are the values of each field, and where other keys may be there, too, the dicts of such entries.
    """
    names = [each.key or each.name for each in record.fields]
    if len([each for each in record.fields if each.required]) > most:
        raise NoValuesError(f"it has {len(names)} fields, and containers have at most {most} elements here")
    choices = [part if each.required else [ABSENT, *part] for each, part in zip(record.fields, parts, strict=False)]
    extras = [{}] if record.extra is None else [each for each in parts[-1] if not each.keys() & {*names}]  # type: ignore[attr-defined]
    rows = itertools.product(extras, *choices)
    found: list[object] = []
    refusal = ""
    for extra, *row in itertools.islice(rows, MOST_TUPLES):
        given = {name: _fresh(value) for name, value in zip(names, row, strict=True) if value is not ABSENT}
        given |= _fresh(extra)  # type: ignore[call-overload]
        if len(given) <= most:
            try:
                found.append(given if record.build.kind == "dict" else foreign(record.build.target, **given))  # type: ignore[arg-type]
            except Exception as error:  # a class may refuse some of them
                refusal = f"{type(error).__name__}: {error}"
    if refusal and not found:
        raise NoValuesError(f"its class refuses every combination of fields: {refusal}")
    cut = f"{MOST_TUPLES:,} combinations of fields, as there are more" if next(rows, None) is not None else ""
    return FirstValues(tuple(found), cut)


def _tuples_of(node: tree.PlacesType, parts: Sequence[Sequence[object]], most: int) -> FirstValues:
    """Return the tuples with places; what may be repeated in the middle fills them up to the greatest length."""
    before, after = parts[: len(node.before)], parts[len(parts) - len(node.after) :] if node.after else []
    rest = [] if node.rest is None else [parts[len(node.before)]]
    fixed = len(before) + len(after)
    if fixed > most:
        raise NoValuesError(
            f"{tree.type_name(node)} is {fixed} long, and containers have at most {most} elements here "
            f"(--elements {fixed} allows it)"
        )
    longest = most - fixed if rest else 0
    found: list[object] = []
    for middle in range(longest + 1):
        rows = itertools.product(*before, *(rest * middle), *after)
        found += [tuple(map(_fresh, row)) for row in itertools.islice(rows, MOST_TUPLES - len(found))]
        if next(rows, None) is not None:
            return FirstValues(tuple(found), f"{MOST_TUPLES:,} tuples, as there are more")
    return FirstValues(tuple(found))
