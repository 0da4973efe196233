"""From the annotation of a field, or from values listed for it, to its domain within a scope."""

from __future__ import annotations

import ast
import enum
import inspect
import types
import typing
from collections import abc
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from unlike.errors import ScopeError
from unlike.heap.fields import HEAP_TYPE, hidden_bytes
from unlike.invariants.fields.domains import DictOf, Domain, Ints, ListOf, Mixed, Objects, Part, SetOf, Values
from unlike.invariants.fields.stores import Unclear
from unlike.scope import Scope, plain_values

NONE = Domain((Values((None,)),))
LISTS = (list, abc.Sequence, abc.MutableSequence, abc.Collection, abc.Iterable)
SETS = (set, abc.Set, abc.MutableSet)
DICTS = (dict, abc.Mapping, abc.MutableMapping)


class UnknownDomainError(Exception):
    """Nothing tells what the field may hold; the message says why."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What decides how an annotation is read: the scope, the class it stands in, and what an `int` means there."""

    scope: Scope
    owner: type
    ints: Ints | None = None  # instead of the ints of the scope: for counters and settings

    def domain(self, annotation: object) -> Domain:
        """Return the domain of an annotation, or say why there is none."""
        annotation = _plain_annotation(annotation)
        if annotation is None or annotation is type(None):
            return NONE
        if annotation is typing.Any or annotation is object:
            return self._of_class(int)
        if annotation is typing.Self:
            return Domain((Objects((self.owner,)),))
        if isinstance(annotation, typing.TypeVar):
            return self._of_variable(annotation)
        if isinstance(annotation, str | typing.ForwardRef | Unclear):
            raise UnknownDomainError(f"its annotation {_text(annotation)!r} cannot be resolved")
        if isinstance(annotation, type) and typing.get_origin(annotation) is None:
            return self._of_class(annotation)
        return self._of_generic(annotation)

    def _of_variable(self, variable: typing.TypeVar) -> Domain:
        if variable.__constraints__:
            return union(self.domain(each) for each in variable.__constraints__)
        return self.domain(int if variable.__bound__ is None else variable.__bound__)

    def _of_generic(self, annotation: object) -> Domain:
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin in (typing.Union, types.UnionType):
            ordered = sorted(arguments, key=lambda each: each is not type(None))  # None first, as nobody is there
            return union(self.domain(each) for each in ordered)
        if origin is typing.Literal:
            return listed(arguments)
        if origin is typing.ClassVar:
            raise UnknownDomainError("it belongs to the class, not to its objects")
        if origin is tuple and arguments and arguments[-1] is not Ellipsis:
            return Domain((Mixed(tuple(self.domain(each) for each in arguments if each != ())),))
        if isinstance(origin, type):
            return self._of_container(origin, arguments)
        raise UnknownDomainError(f"its type {annotation!r} is not one whose values are known")

    def _of_class(self, cls: type) -> Domain:
        given = self.scope.literals.get(cls.__name__)
        if given is not None and self.ints is None:
            return listed(given)
        if cls is int:
            return Domain((self.ints or Ints(0, self.scope.most_ints - 1),))
        plain = plain_values(cls, self.scope.most_ints)
        if plain is not None:
            return listed(plain)
        if issubclass(cls, enum.Enum):
            return Domain((Values(tuple(cls)),))
        if cls in (tuple, frozenset) or cls in (*LISTS, *SETS, *DICTS):
            return self._of_container(cls, ())
        return Domain((Objects(concrete_classes(cls)),))

    def _of_container(self, origin: type, arguments: Sequence[object]) -> Domain:
        most = self.scope.most_elements
        inner = [self._inside().domain(each) for each in arguments if each is not Ellipsis]
        if not inner and (origin is tuple or origin in (frozenset, *LISTS, *SETS, *DICTS)):
            raise UnknownDomainError(f"it says {origin.__name__}, but not of what")
        if origin is tuple:
            return Domain((ListOf(inner[0], 0, most, "tuple"),))
        if origin in LISTS:
            return Domain((ListOf(inner[0], 0, most),))
        if origin is frozenset or origin in SETS:
            return Domain((SetOf(inner[0], most, "frozenset" if origin is frozenset else "set"),))
        if origin in DICTS and len(inner) == 2:
            return Domain((DictOf(inner[0], inner[1], most),))
        return Domain((Objects(concrete_classes(origin)),))

    def _inside(self) -> Reading:
        """Return how the elements of a container are read: what is said of counters is said of plain fields."""
        return Reading(self.scope, self.owner)


def concrete_classes(cls: type) -> tuple[type, ...]:
    """Return the classes of the objects that a field of this class may refer to, or say why there are none."""
    if inspect.isabstract(cls):
        found: list[type] = list(cls.__subclasses__())
        for each in found:  # grows while we walk
            found.extend(each.__subclasses__())
        concrete = tuple(dict.fromkeys(each for each in found if not inspect.isabstract(each)))
        if not concrete:
            raise UnknownDomainError(f"{cls.__name__} is abstract and has no concrete subclass")
        return tuple(each for one in concrete for each in concrete_classes(one))
    if not cls.__flags__ & HEAP_TYPE or hidden_bytes(cls) != 0 or issubclass(cls, enum.Enum):
        raise UnknownDomainError(f"objects of {cls.__name__} cannot be made field by field")
    return (cls,)


def union(domains: Iterable[Domain]) -> Domain:
    """Return the domain of everything that is in one of the domains."""
    parts: dict[Part, None] = dict.fromkeys(part for domain in domains for part in domain.parts)
    objects = tuple(dict.fromkeys(cls for part in parts if isinstance(part, Objects) for cls in part.classes))
    rest = [part for part in parts if not isinstance(part, Objects)]
    return Domain((*rest, Objects(objects)) if objects else tuple(rest))


def listed(values: Iterable[object]) -> Domain:
    """Return the domain of the values: None first, ints without gaps as a range, all others as they are."""
    found = {(type(value), repr(value)): value for value in values}.values()
    ints = [value for value in found if type(value) is int]
    others = [value for value in found if type(value) is not int]
    parts: list[Part] = []
    if None in others:
        parts.append(Values((None,)))
    if ints and sorted(ints) == list(range(min(ints), max(ints) + 1)):
        parts.append(Ints(min(ints), max(ints)))
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
        if isinstance(each, type) or typing.get_origin(each) is not None:
            try:
                domains.append(reading.domain(each))
            except UnknownDomainError as error:
                raise ScopeError(f"--field {key}={_text(each)}: {error}") from None
        elif isinstance(each, Domain):
            domains.append(each)
        elif isinstance(each, range):
            values.extend(each)
        else:
            values.append(each)
    found = union([*([listed(values)] if values else []), *domains])
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
            found.append(_named(part, names, key))
    return found


def _named(text: str, names: Mapping[str, object], key: str) -> object:
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


def _plain_annotation(annotation: object) -> object:
    """Return the annotation without what says nothing of its values."""
    while True:
        if isinstance(annotation, typing.NewType):
            annotation = annotation.__supertype__
        elif typing.get_origin(annotation) in (typing.Annotated, typing.Final):
            annotation = typing.get_args(annotation)[0]
        elif hasattr(annotation, "__value__"):  # a type alias by the statement `type`
            annotation = annotation.__value__
        else:
            return annotation


def _text(annotation: object) -> str:
    match annotation:
        case Unclear(text):
            return text
        case typing.ForwardRef():
            return annotation.__forward_arg__
        case type():
            return annotation.__name__
    return str(annotation)
