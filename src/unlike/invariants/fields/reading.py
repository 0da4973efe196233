"""From the type of a field, or from values listed for it, to its domain within a scope."""

from __future__ import annotations

import ast
import enum
import inspect
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from unlike.core import FOREVER, USUAL, Deadline, Isolation
from unlike.errors import ScopeError, with_article
from unlike.heap.fields import HEAP_TYPE, hidden_bytes
from unlike.indexed import Integers
from unlike.invariants.fields.domains import DictOf, Domain, ListOf, Mixed, Objects, Part, SetOf, Values
from unlike.language.values import VALUES
from unlike.observe.mentions import mentions_of
from unlike.scope import Scope
from unlike.specs.given import list_given
from unlike.types.as_annotated import NOTHING, is_annotation, is_given_type
from unlike.types.first_values import FirstValues, NoValuesError, allowed_values, told_by
from unlike.types.in_scope import ContainerType, Entered, Rules, check_hashable, lengths_of, read_within
from unlike.types.leaves import PYDANTIC
from unlike.types.read import read_annotation
from unlike.types.resolve import names_of_class
from unlike.types.tree import (
    ClassType,
    ItemsType,
    MappingType,
    PlacesType,
    PlainType,
    TypeNode,
    bare_type,
    inner_types,
    type_name,
    value_names,
)

# Their classes are written for other values: typing.IO for files, numbers.Number for ints, pydantic.PastDate for dates.
SOURCE = "source"  # as a pool: what the source of the class mentions
STAND_INS = ("typing", "numbers", "dataclasses", "pydantic")


@dataclass(frozen=True, slots=True)
class Reading:
    """What decides how a type is read: the scope, the class it stands in, and what an `int` means there.

    `arguments` collects with which types generic classes are used, `remarks` what a proof rests upon, `used` which
    literals of the scope are values of something.
    """

    scope: Scope
    owner: type
    ints: Integers | None = None  # instead of the ints of the scope: for counters and settings
    arguments: dict[type, ClassType] = field(default_factory=dict)
    remarks: dict[str, None] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)  # the literals of the scope that stand for something
    isolation: Isolation = USUAL  # of the predicates among the rules
    deadline: Deadline = FOREVER

    def domain(self, node: TypeNode, entered: Entered = ()) -> Domain:
        """Return the domain of a type, or say why there is none."""
        return read_within(node, self, entered)

    def read_declared(self, node: TypeNode) -> Domain | None:
        """Return what is declared for a type, or an int is known to hold, as far as the rules at one place allow it."""
        if self.ints is not None and bare_type(node) == PlainType(int):
            known = range(self.ints.low, self.ints.high + 1)
            return self._list_values(allowed_values(node, known, self.isolation, self.deadline))
        name = next((name for name in value_names(node) if name in self.scope.literals), None)
        if name is None:
            return None
        self.used.add(name)
        given = self.scope.literals[name]
        if is_given_type(given):
            others = {key: each for key, each in self.scope.literals.items() if key != name}
            return replace(self, scope=replace(self.scope, literals=others)).domain(read_annotation(given))
        if isinstance(given, str) and given == SOURCE:
            return self._beside_usual(node, name)
        if (listed := list_given(given)) is None:
            raise NoValuesError(f"{given!r} lists no values for {type_name(node)}")
        return self._list_values(allowed_values(node, listed, self.isolation, self.deadline))

    def _beside_usual(self, node: TypeNode, name: str) -> Domain:
        """Return the usual values of a type, and after them those that the source of the class mentions."""
        others = {key: each for key, each in self.scope.literals.items() if key != name}
        usual = replace(self, scope=replace(self.scope, literals=others)).domain(node)
        found = mentions_of([self.owner], own_only=True)
        kind = getattr(bare_type(node), "cls", None)
        mentioned = [each for each in (*found.numbers, *found.texts) if type(each) is kind]
        return union([usual, self._list_values(allowed_values(node, mentioned, self.isolation, self.deadline))])

    def read_values(self, found: FirstValues) -> Domain:
        """Return values as they are; structures are told apart by their hashes."""
        for each in found.values:
            if type(each).__hash__ is None:
                raise NoValuesError(f"{each!r} cannot be hashed: {type(each).__name__} has no __hash__")
        return self._list_values(found)

    def _list_values(self, found: FirstValues) -> Domain:
        self.remarks.update(dict.fromkeys([found.cut] if found.cut else []))
        return domain_of_values(found.values)

    def add_remark(self, found: Domain, remark: str) -> Domain:
        """Note a remark."""
        self.remarks[remark] = None
        return found

    def read_union(self, members: Sequence[TypeNode], entered: Entered) -> Domain:
        """Return what is in one of the types."""
        ordered = sorted(members, key=lambda each: bare_type(each) != NOTHING)  # None first, as nobody is there
        return union(self.domain(each, entered) for each in ordered)

    def read_container(self, node: ContainerType, rules: Rules, entered: Entered) -> Domain:
        """Return the containers of the elements; what is said of counters is said of plain fields, not of them."""
        check_hashable(node)
        least, most, checks = lengths_of(node, rules, self.scope.most_elements)
        if checks:
            raise NoValuesError(f"'{checks[0]}' on {with_article(type_name(node))} cannot be said of a domain")
        elements = replace(self, ints=None)
        inner = [elements.domain(each, entered) for each in inner_types(node)]
        if isinstance(node, MappingType) or (isinstance(node, ItemsType) and node.kind in ("set", "frozenset")):
            _check_members(inner[0], node)
        match node:
            case PlacesType(rest=None):
                return Domain((Mixed(tuple(inner)),))
            case PlacesType():
                raise NoValuesError(f"{type_name(node)} has places and a rest of any length")
            case ItemsType(_, "list" | "tuple" as kind):
                return Domain((ListOf(inner[0], least, most, kind),))
        if least:
            raise NoValuesError(
                f"'at least {least} long' on {with_article(type_name(node))} cannot be said of a domain"
            )
        if isinstance(node, MappingType):
            return Domain((DictOf(inner[0], inner[1], most),))
        return Domain((SetOf(inner[0], most, "frozenset" if node.kind == "frozenset" else "set"),))

    def read_objects(self, node: ClassType, rules: Rules, entered: Entered) -> Domain:
        """Return the objects of a class, or of those derived from it that have objects."""
        del entered  # fields are read on their own
        if rules:
            raise NoValuesError(f"'{rules[0]}' on objects of {node.cls.__name__} cannot be said of a domain")
        if node.cls.__module__.startswith("pydantic") and node.cls.__name__ in PYDANTIC:
            raise NoValuesError(f"{node.cls.__name__} is a text or a time that pydantic checks")
        if node.cls.__module__.partition(".")[0] in STAND_INS:
            raise NoValuesError(f"{node.cls.__name__} stands for values that are no objects of it")
        if node.arguments and self.arguments.setdefault(node.cls, node) != node:
            both = f"{type_name(self.arguments[node.cls])} and {type_name(node)}"
            raise NoValuesError(f"{both} are one class, whose fields can be read in one way only")
        return Domain((Objects(concrete_classes(node.cls)),))


def _check_members(members: Domain, node: TypeNode) -> None:
    """Refuse members of a set, or keys, that are hashed by fields which are not filled yet, or equal and not the same.

    Only one of 1 and True can be in a set.
    """
    for cls in members.classes:
        if getattr(cls, "__hash__", None) is not object.__hash__:
            raise NoValuesError(
                f"objects of {cls.__name__} are hashed by what is in them, and cannot be put into "
                f"{with_article(type_name(node))} before that is chosen"
            )
    known: dict[object, object] = {}
    for each in members.plain_values():
        if not isinstance(each, int | float | complex | str | bytes):
            continue
        first = known.setdefault(each, each)
        if told_by(first) != told_by(each):
            raise NoValuesError(
                f"{first!r} and {each!r} are equal, and only one of them can be in {with_article(type_name(node))}"
            )


def concrete_classes(cls: type) -> tuple[type, ...]:
    """Return the classes of the objects that a field of this class may refer to, or say why there are none."""
    if _has_no_objects(cls):
        found: list[type] = list(cls.__subclasses__())
        for each in found:  # grows while we walk
            found.extend(each.__subclasses__())
        concrete = tuple(dict.fromkeys(each for each in found if not _has_no_objects(each)))
        if not concrete:
            kind = "a protocol" if getattr(cls, "_is_protocol", False) else "abstract"
            raise NoValuesError(f"{cls.__name__} is {kind} and has no concrete subclass")
        return tuple(each for one in concrete for each in concrete_classes(one))
    if not cls.__flags__ & HEAP_TYPE or hidden_bytes(cls) != 0 or issubclass(cls, enum.Enum):
        raise NoValuesError(f"objects of {cls.__name__} cannot be made field by field")
    return (cls,)


def _has_no_objects(cls: type) -> bool:
    return inspect.isabstract(cls) or bool(getattr(cls, "_is_protocol", False))


def union(domains: Iterable[Domain]) -> Domain:
    """Return the domain of everything that is in one of the domains, each plain value once."""
    parts = [part for domain in domains for part in domain.parts]
    objects = tuple(dict.fromkeys(cls for part in parts if isinstance(part, Objects) for cls in part.classes))
    known: set[object] = set()
    rest: list[Part] = []
    for part in parts:
        match part:
            case Integers() | Values():
                values = list(Domain((part,)).plain_values())
                new = [each for each in values if told_by(each) not in known]
                rest += [part] if len(new) == len(values) else domain_of_values(new).parts
                known.update(map(told_by, new))
            case Objects():
                continue
            case _ if part not in rest:
                rest.append(part)
    return Domain((*rest, Objects(objects)) if objects else tuple(rest))


def domain_of_values(values: Iterable[object]) -> Domain:
    """Return the domain of the values: None first, ints without gaps as a range, all others as they are."""
    found = {told_by(value): value for value in values}.values()
    ints = [value for value in found if type(value) is int]
    others = [value for value in found if type(value) is not int]
    parts: list[Part] = []
    if any(value is None for value in others):
        parts.append(Values((None,)))
    if ints and max(ints) - min(ints) + 1 == len(ints):  # they are distinct
        parts.append(Integers(min(ints), max(ints)))
    else:
        others = [value for value in found if value is not None]
    others = [value for value in others if value is not None]
    return Domain(tuple([*parts, Values(tuple(others))] if others else parts))


def given_domain(given: object, reading: Reading, key: str) -> Domain:
    """Return the domain that a user gives a field: a Domain, an annotation, or alternatives among them and values."""
    if isinstance(given, Domain):
        return given
    if isinstance(given, str):
        given = alternatives(given, vars(inspect.getmodule(reading.owner) or types), key)
    if isinstance(given, type) or not isinstance(given, Iterable):
        given = [given]
    domains, values = list[Domain](), list[object]()
    for each in given:
        if is_annotation(each) or isinstance(each, VALUES):
            node = read_annotation(each, names_of_class(reading.owner), reading.owner)
            try:
                domains.append(reading.domain(node))
            except NoValuesError as error:
                raise ScopeError(f"--field {key}={type_name(node)}: {error}") from None
        elif isinstance(each, Domain):
            domains.append(each)
        elif isinstance(each, range):
            values.extend(each)
        else:
            values.append(each)
    found = union([*([domain_of_values(values)] if values else []), *domains])
    if not found.parts:
        raise ScopeError(f"--field {key}: there is no value in it; list some, like {key}=0..3 or {key}=None,Node")
    return found


def alternatives(text: str, names: Mapping[str, object], key: str) -> list[object]:
    """Return what a text like `None,0..3`, `Node,None` or `list[int]` lists, with names as the module has them."""
    found: list[object] = []
    for part in _split(text):
        low, dots, high = part.partition("..")
        if dots and low.strip().lstrip("-").isdecimal() and high.strip().lstrip("-").isdecimal():
            found.append(range(int(low), int(high) + 1))
            continue
        try:
            found.append(ast.literal_eval(part))
        except (ValueError, SyntaxError, TypeError):
            found.append(_look_up_name(part, names, key))
    return found


def _look_up_name(text: str, names: Mapping[str, object], key: str) -> object:
    """Return what a name or a type of the module stands for; nothing is called."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
        if any(isinstance(each, ast.Call | ast.Lambda) for each in ast.walk(tree)):
            raise ScopeError(f"--field {key}: {text!r} is a call; list values, ranges, classes or types")
        return eval(compile(tree, "--field", "eval"), {**vars(typing), **names})
    except (SyntaxError, NameError, AttributeError, TypeError):
        raise ScopeError(
            f"--field {key}: {text!r} is neither a value nor a name of the class's module; "
            f"write a range (0..3), values (None,'a','b'), a class (Node) or a type (list[int])"
        ) from None


def _split(text: str) -> list[str]:
    """Split at commas that stand in no bracket and in no string."""
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        depth += (letter in "[({") - (letter in "])}") if not quote else 0
        if letter == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]
