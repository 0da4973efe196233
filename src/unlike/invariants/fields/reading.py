"""From the type of a field, or from values listed for it, to its domain within a scope."""

from __future__ import annotations

import ast
import collections.abc
import enum
import inspect
import itertools
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from unlike.core import FOREVER, USUAL, Deadline, Isolation
from unlike.errors import ScopeError, with_article
from unlike.heap.fields import HEAP_TYPE, hidden_bytes
from unlike.indexed import Integers
from unlike.invariants.fields.contents import Content
from unlike.invariants.fields.domains import (
    DictOf,
    Domain,
    Keyed,
    ListOf,
    Maker,
    Mixed,
    Objects,
    Part,
    SetOf,
    Values,
    inner_domains,
)
from unlike.invariants.fields.flat_values import MOST_MEMBERS, flat_values, list_members, plain_value
from unlike.language.values import VALUES
from unlike.observe.mentions import mentions_of
from unlike.recipe import CONTAINERS
from unlike.scope import Scope
from unlike.specs.given import list_given
from unlike.types.as_annotated import NOTHING, is_annotation, is_given_type
from unlike.types.first_values import FirstValues, NoValuesError, allowed_values, told_by
from unlike.types.in_scope import ContainerType, Entered, Rules, check_hashable, lengths_of, read_within
from unlike.types.known_classes import concrete_subclasses
from unlike.types.leaves import PYDANTIC
from unlike.types.read import TypeReader, read_annotation
from unlike.types.resolve import names_of_class
from unlike.types.tree import (
    AnyType,
    ClassType,
    ItemsType,
    ListedType,
    MappingType,
    PlacesType,
    PlainType,
    TypeNode,
    bare_type,
    inner_types,
    type_name,
    value_names,
    with_rules,
)

# Their classes are written for other values: typing.IO for files, numbers.Number for ints, pydantic.PastDate for dates.
SOURCE = "source"  # as a pool: what the source of the class mentions
NO_BASES = ("builtins", "typing", "abc")  # whose classes are bases of nearly everything
MOST_OPTIONAL = 8  # keys of a TypedDict that need not be there
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
        """Return the objects of a class and of those derived from it; of some classes, containers."""
        if (found := self._read_standard(node, rules, entered)) is not None:
            return found
        if rules:
            raise NoValuesError(f"'{rules[0]}' on objects of {node.cls.__name__} cannot be said of a domain")
        if node.cls.__module__.startswith("pydantic") and node.cls.__name__ in PYDANTIC:
            raise NoValuesError(f"{node.cls.__name__} is a text or a time that pydantic checks")
        if node.cls.__module__.partition(".")[0] in STAND_INS:
            raise NoValuesError(f"{node.cls.__name__} stands for values that are no objects of it")
        if node.arguments and self.arguments.setdefault(node.cls, node) != node:
            both = f"{type_name(self.arguments[node.cls])} and {type_name(node)}"
            raise NoValuesError(f"{both} are one class, whose fields can be read in one way only")
        classes = tuple(each for each in concrete_classes(node.cls) if _may_stand_for(each, node))
        if not classes:
            raise NoValuesError(f"no concrete subclass of {node.cls.__name__} is {with_article(type_name(node))}")
        return Domain((Objects(classes),))

    def _read_standard(self, node: ClassType, rules: Rules, entered: Entered) -> Domain | None:
        """Return the containers of a class that is no class of objects: of `collections`, a NamedTuple, a TypedDict."""
        first, second = (*node.arguments, AnyType(), AnyType())[:2]
        cls = node.cls
        if cls is collections.abc.Hashable:
            return self.add_remark(self.domain(with_rules(PlainType(int), rules), entered), "ints for Hashable")
        if cls is collections.deque:
            (part,) = self.read_container(ItemsType(first), rules, entered).parts
            return Domain((replace(part, kind="deque", maker=Maker(cls)),))  # type: ignore[arg-type]
        if cls in (collections.OrderedDict, collections.defaultdict):
            maker = Maker(cls, usual_factory(second) if cls is collections.defaultdict else None)
            (part,) = self.read_container(MappingType(first, second), rules, entered).parts
            return Domain((replace(part, maker=maker),))  # type: ignore[arg-type]
        if cls is collections.Counter:
            (part,) = self.read_container(MappingType(first, PlainType(int)), rules, entered).parts
            assert isinstance(part, DictOf)
            counts = part.value if "int" in self.scope.literals else Domain((Integers(0, self.scope.objects),))
            return Domain((replace(part, value=counts, maker=Maker(cls)),))
        is_named = issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple)
        if not is_named and not hasattr(cls, "__required_keys__"):
            return None
        return self._read_record(node, rules, entered, is_named=is_named)

    def _read_record(self, node: ClassType, rules: Rules, entered: Entered, *, is_named: bool) -> Domain:
        """Return the tuples of a NamedTuple, or the dicts of a TypedDict: with and without what need not be there."""
        cls, record = node.cls, TypeReader().record_of(node)
        if rules:
            raise NoValuesError(f"'{rules[0]}' on {with_article(cls.__name__)} cannot be said of a domain")
        if node in entered:
            raise NoValuesError(f"{cls.__name__} holds {with_article(cls.__name__)}, which would never end")
        if record is None or (is_named and _makes_its_own(cls)):
            raise NoValuesError(f"{cls.__name__} makes its tuples in a way of its own")
        reading = replace(self, ints=None)
        if is_named:
            places = [reading.domain(each.type, (*entered, node)) for each in record.fields]
            return Domain((Mixed(tuple(places), Maker(cls)),))
        places_of = {
            each.key or each.name: reading.domain(each.type, (*entered, node))
            for each in sorted(record.fields, key=lambda each: repr(each.key or each.name))
        }
        optional = [each.key or each.name for each in record.fields if not each.required]
        if len(optional) > MOST_OPTIONAL:
            raise NoValuesError(f"{len(optional)} keys of {cls.__name__} need not be there, more than {MOST_OPTIONAL}")
        parts = []
        for left_out in (set(each) for size in range(len(optional) + 1) for each in combinations(optional, size)):
            kept = {key: place for key, place in places_of.items() if key not in left_out}
            parts.append(Keyed(tuple(kept), tuple(kept.values())))
        return Domain(tuple(parts))


def _makes_its_own(cls: type) -> bool:
    """Tell whether a named tuple is made by code of its class."""
    above = itertools.takewhile(lambda each: "_fields" not in vars(each), cls.__mro__)
    return any("__new__" in vars(each) for each in above)


def usual_factory(value: TypeNode) -> object:
    """Return the default_factory of a defaultdict whose values have that type: what makes an empty one."""
    match bare_type(value):
        case ItemsType(_, kind):
            return CONTAINERS[kind]
        case MappingType():
            return dict
        case PlainType(cls) if cls in (int, float, str, bytes):
            return cls
        case ListedType(word="bool"):
            return bool
        case ClassType(cls) if cls in (collections.deque, collections.Counter, collections.OrderedDict):
            return cls
    return None


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
    _check_hashed(members, node)
    if members.classes:
        _check_alternatives(members, node)
        return
    if not members.is_plain and (count := flat_values(members).count()) > MOST_MEMBERS:
        raise NoValuesError(
            f"there are {count:,} values that could be in {with_article(type_name(node))}, more than {MOST_MEMBERS:,}; "
            "a smaller scope, or fewer --elements, leaves fewer"
        )
    known: dict[object, object] = {}
    for each in list_members(members):
        if isinstance(each, int | float | complex | str | bytes | Content):
            first = known.setdefault(_drop_names(each), each)
            if _kinds(first) != _kinds(each):
                raise NoValuesError(
                    f"{plain_value(first)!r} and {plain_value(each)!r} are equal, and only one of them can be in "
                    f"{with_article(type_name(node))}"
                )


def _check_hashed(members: Domain, node: TypeNode) -> None:
    """Refuse named tuples that hold what cannot be hashed: other types say so themselves."""
    for part in members.parts:
        if isinstance(part, ListOf) and part.kind != "tuple":
            raise NoValuesError(f"{with_article(part.kind)} is not hashable and cannot be in {type_name(node)}")
        if isinstance(part, DictOf | Keyed) or (isinstance(part, SetOf) and part.kind == "set"):
            raise NoValuesError(f"a dict or a set is not hashable and cannot be in {type_name(node)}")
        for inner in inner_domains(part):
            _check_hashed(inner, node)


def _drop_names(value: object) -> object:
    """Return a value with plain tuples instead of named ones, to which they are equal."""
    return Content(value.kind, tuple(map(_drop_names, value.items))) if isinstance(value, Content) else value


def _kinds(value: object) -> object:
    """Return what tells a value from those that are equal to it."""
    return (value.name, *map(_kinds, value.items)) if isinstance(value, Content) else told_by(value)


def _check_alternatives(members: Domain, node: TypeNode) -> None:
    """Refuse members that hold objects, and that may be equal without being the same."""
    if members.overlaps:
        raise NoValuesError(f"alternatives of what is in {with_article(type_name(node))} may be equal")
    for inner in (members, *(each for part in members.parts for each in inner_domains(part))):
        plain = Domain(tuple(part for part in inner.parts if isinstance(part, Integers | Values)))
        _check_members(plain if inner is members else inner, node)


def concrete_classes(cls: type) -> tuple[type, ...]:
    """Return the classes of the objects that a field of this class may refer to, or say why there are none.

    These are the class itself and its known subclasses: those in its own module, and in modules which that one imports.
    """
    if _has_no_objects(cls):
        found: list[type] = list(cls.__subclasses__())
        for each in found:  # grows while we walk
            found.extend(each.__subclasses__())
        concrete = tuple(dict.fromkeys(each for each in found if not _has_no_objects(each)))
        if not concrete:
            kind = "a protocol" if getattr(cls, "_is_protocol", False) else "abstract"
            raise NoValuesError(f"{cls.__name__} is {kind} and has no concrete subclass")
        return tuple(dict.fromkeys(each for one in concrete for each in concrete_classes(one)))
    if not is_made_by_fields(cls):
        raise NoValuesError(f"objects of {cls.__name__} cannot be made field by field")
    below = concrete_subclasses(cls, (cls.__module__,)) if cls.__module__ not in NO_BASES else []
    return (cls, *(each for each in below if is_made_by_fields(each) and not _has_no_objects(each)))


def _may_stand_for(cls: type, node: ClassType) -> bool:
    """Tell whether a class is derived from a generic one with these arguments, or leaves them open."""
    if not node.arguments:
        return True
    for derived in cls.__mro__:
        for base in vars(derived).get("__orig_bases__", ()):
            if getattr(base, "__parameters__", None) == ():  # none is left open
                read = read_annotation(base, names_of_class(derived))
                if isinstance(read, ClassType) and read.cls is node.cls:
                    return read.arguments == node.arguments
    return True


def is_made_by_fields(cls: type) -> bool:
    """Tell whether an object of the class is nothing but its fields."""
    return bool(cls.__flags__ & HEAP_TYPE) and hidden_bytes(cls) == 0 and not issubclass(cls, enum.Enum)


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
