"""From a parameter to the kinds of values that are tried for it, the likeliest first.

What is declared or annotated is tried as it is. For the rest every hint counts: the name, the default, what the source
does with it, examples in docstrings; and the plain kinds come in a fixed order where nothing is known.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
import typing
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from unlike.classes.api import Kind, Operation, Wanted, passed_parameters
from unlike.classes.guessing import kinds
from unlike.classes.guessing.described import NUMBERED
from unlike.classes.guessing.hints import Usage, classes_near, examples_of, has_attributes, kinds_with, usage_of
from unlike.classes.guessing.kinds import FOREIGN, Flavour, ValueKind
from unlike.classes.pools import Pools
from unlike.classes.public import DUNDERS
from unlike.types.first_values import NoValuesError
from unlike.types.known_classes import HEAP_TYPE, concrete_subclasses
from unlike.types.leaves import has_own_objects
from unlike.types.read import ReadParameter, read_annotation
from unlike.types.stand_ins import Returning
from unlike.types.tree import (
    AnyType,
    ClassType,
    EitherType,
    TypeNode,
    UnreadableType,
    bare_type,
    is_open,
    type_name,
    value_names,
)

MOST_KINDS = 26  # that are tried for one parameter
ANNOTATED = "annotated"
UNLIKELY = ("bool", "none", "float", "bytes", "digits", "slice", "rows", "class", "constant function", "function")
MOST_COMPANIONS = 3  # classes whose objects are passed for one parameter
PLAIN_DEFAULTS = {int: "number", float: "float", str: "text", bytes: "bytes", bool: "bool"}
MOST_EXAMPLES = 3  # values of examples, of comparisons and of constants that are tried each
MOST_ANNOTATED = 3  # values of an annotation that are tried, where it has more
BLOCKING = ("block", "blocking", "wait")
TIMES = ("timeout", "max_wait")


@dataclass(frozen=True, slots=True)
class Subject:
    """An operation on trial: its parameters, and for each the kinds in the order in which they are tried."""

    operation: Operation
    read: tuple[ReadParameter, ...]
    kinds: tuple[tuple[ValueKind, ...], ...]
    guessed: tuple[bool, ...]  # which parameters nobody said anything about
    whole: bool = False  # its one parameter stands for all arguments of a call
    always: frozenset[int] = frozenset()  # places that are passed in every call, so that it does not wait


@dataclass(slots=True)
class CandidateMaker:
    """Makes the candidates of one class in one flavour."""

    cls: type
    flavour: Flavour
    pools: Pools
    plain: dict[str, ValueKind] = field(init=False)

    def __post_init__(self) -> None:
        self.plain = kinds.plain_kinds(self.flavour, self.pools.scope)

    def subject(self, operation: Operation) -> Subject:
        """Return an operation with its parameters and what is tried for each."""
        if (calls := self.whole_calls(operation)) is not None:
            arguments = ReadParameter(
                "arguments", inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.empty, AnyType()
            )
            return Subject(operation, (arguments,), ((ValueKind(ANNOTATED, calls),),), (False,), whole=True)
        read = tuple(passed_parameters(operation, described=True))
        read = tuple(each for each in read if each.kind is not inspect.Parameter.VAR_KEYWORD)
        function = getattr(operation.owner, "__init__", None) if operation.kind is Kind.NEW else operation.function
        usage = usage_of(function)
        found = [self.of_parameter(operation, each, place, usage.get(each.name)) for place, each in enumerate(read)]
        listed, guessed = [each for each, _ in found], tuple(is_guessed for _, is_guessed in found)
        waiting = keep_from_waiting(read) if operation.kind is Kind.METHOD else {}
        for place, values in waiting.items():
            listed[place] = (ValueKind("no waiting", values),) if values else ()
        return Subject(operation, read, tuple(listed), guessed, always=frozenset(p for p in waiting if waiting[p]))

    def whole_calls(self, operation: Operation) -> tuple[Any, ...] | None:
        """Return the arguments of calls that are declared, or known: a context is left without an exception."""
        if operation.name == "__exit__":
            return ((None, None, None),)
        declared = self.pools.find_declared([operation.title, operation.name])
        if declared is None or not declared.literals or not all(type(each) is tuple for each in declared.literals):
            return None
        return declared.literals

    def of_parameter(
        self, operation: Operation, parameter: ReadParameter, place: int, usage: Usage | None
    ) -> tuple[tuple[ValueKind, ...], bool]:
        """Return the kinds of a parameter, and whether they are guesses."""
        names = [f"{operation.title}.{parameter.name}", f"{operation.name}.{parameter.name}", parameter.name]
        pools = self.pools.for_part(parameter.name)
        declared = pools.find_declared(names, parameter.type)
        if declared is None and is_open(parameter.type):
            declared = pools.find_declared(value_names(parameter.type))
        if declared is not None:
            return (_as_kind(ANNOTATED, declared.literals, declared.classes),), False
        node = parameter.type
        if not is_open(node):
            try:
                pool = pools.of_type(node)
                annotated = _as_kind(ANNOTATED, pool.literals, pool.classes)
                return (annotated, *self.of_the_same_type(operation, parameter, place, usage, annotated)), False
            except NoValuesError:  # what an annotation asks for is passed, or nothing
                typed = tuple(self.of_type(node))
                return typed, bool(typed)
        elif parameter.is_optional and has_plain_default(parameter):
            pool = pools.of_type(read_annotation(type(parameter.default)))
            if (
                type(parameter.default) is float and 0 < parameter.default < 1
            ):  # a share: whole numbers may all be refused
                values = kinds.distinct_values([*kinds.SHARES, *pool.literals])
                return tuple(ValueKind(repr(each), (each,)) for each in values), True
            return (_as_kind(ANNOTATED, pool.literals, ()),), False
        elif parameter.is_optional and operation.name in DUNDERS:
            return (), False  # nobody who writes x[k] can pass more
        ranked = self.rank(operation, parameter, place, usage or Usage())
        shown = self.shown_values(operation, place, usage or Usage())
        special = self.special_values(parameter.name)
        early = 3 if operation.kind is Kind.NEW else 6  # a constructor that refuses everything leaves nothing to try
        listed = [*ranked[:2], *shown, *ranked[2:early], *special, *ranked[early:]]
        unique = {(each.name, repr(each.values)): each for each in listed if each.values}
        return tuple(unique.values())[:MOST_KINDS], True

    def of_the_same_type(
        self, operation: Operation, parameter: ReadParameter, place: int, usage: Usage | None, annotated: ValueKind
    ) -> list[ValueKind]:
        """Return further values of the types that an annotation allows: a constructor may refuse the first ones."""
        if operation.has_receiver:
            return []
        allowed = {type(each) for each in annotated.values}
        listed = [*self.shown_values(operation, place, usage or Usage()), *self.special_values(parameter.name)]
        return [each for each in listed if type(each.values[0]) in allowed]

    def rank(self, operation: Operation, parameter: ReadParameter, place: int, usage: Usage) -> list[ValueKind]:
        """Return the plain kinds, objects of the class and of its neighbours, the likeliest first."""
        own = ValueKind("self", (Wanted(self.cls),))
        known = {**self.plain, "self": own}
        weights = dict.fromkeys(known, 0.0)
        for number, name in enumerate(kinds.kinds_by_name(name_of_one(parameter))):
            weights[name] += 4 - number / 2
        for name in kinds.kinds_by_method(operation.name) if place == 0 else ():
            weights[name] += 2
        for name in usage.kinds[:12]:
            weights[name] += 1.5
        if type(parameter.default) in PLAIN_DEFAULTS:
            weights[PLAIN_DEFAULTS[type(parameter.default)]] += 6
        if operation.name in kinds.OPERATORS and place == 0:
            weights["self"] += 5
        if operation.name in ("__getitem__", "__setitem__", "__delitem__", "__contains__") and place == 0:
            weights["element"] += 3
        companions: list[ValueKind] = []
        if attributes := [*usage.attributes]:
            fitting = kinds_with(attributes)
            for name in fitting:
                weights[name] += 5
            is_own = self.cls.__name__ in usage.classes or has_attributes(self.cls, attributes)
            if is_own and (not fitting or self.cls.__name__ in usage.classes):
                weights["self"] += 6
            if not fitting and not is_own:
                companions = [_objects_of(each) for each in self.neighbours(attributes, usage)]
        order = {name: index for index, name in enumerate(known)}

        def cost(name: str) -> float:
            foreign = 4 if name in FOREIGN[self.flavour] and weights[name] < 4 else 0
            unlikely = 3 if name in UNLIKELY and not weights[name] else 0
            circular = (
                20 if name == "self" and not operation.has_receiver else 0
            )  # makes objects of nothing but objects
            return order[name] / 4 + foreign + unlikely + circular - min(weights[name], 8) * 1.5

        return [*companions, *(known[name] for name in sorted(known, key=cost))]

    def neighbours(self, attributes: Sequence[str], usage: Usage) -> list[type]:
        """Return classes beside the class whose objects have the attributes that are used, or that are named."""
        near = [each for each in classes_near(self.cls) if each is not self.cls and _can_be_made(each)]
        named = [each for each in near if each.__name__ in usage.classes]
        fitting = [each for each in near if has_attributes(each, attributes)]
        return list(dict.fromkeys((*named, *fitting)))[:MOST_COMPANIONS]

    def shown_values(self, operation: Operation, place: int, usage: Usage) -> list[ValueKind]:
        """Return single values: those of examples, and those that the source compares with."""
        shown = examples_of(self.cls).get(operation.name, ())
        values = [each[place] for each in shown if place < len(each)][:MOST_EXAMPLES]
        values += [*usage.constants.values()][:MOST_EXAMPLES]
        return [ValueKind(repr(each), (each,)) for each in kinds.distinct_values(values)]

    def special_values(self, name: str) -> list[ValueKind]:
        """Return single values that a name suggests, and constants of the module that are called alike."""
        values = [*kinds.special_values(name), *_module_constants(self.cls, name)]
        return [ValueKind(repr(each), (each,)) for each in kinds.distinct_values(values)]

    def of_type(self, node: TypeNode) -> list[ValueKind]:
        """Return what is tried for a type of which a scope knows no values: functions, and objects of other classes."""
        match bare_type(node):
            case UnreadableType(means="function", inner=inner):
                return self.functions(inner)
            case UnreadableType(means="class", inner=inner) if inner is None or is_open(inner):
                return [self.plain["class"]]
            case EitherType(alternatives):
                return [kind for _, inner in alternatives for kind in self.of_type(inner)]
            case ClassType(cls, arguments) if all(map(is_open, arguments)):  # objects are made for no argument
                return self.of_class(cls)
        return []

    def functions(self, returned: TypeNode | None) -> list[ValueKind]:
        """Return functions: those that return what their annotation says, where it says something."""
        if returned is not None and not is_open(returned):
            with contextlib.suppress(NoValuesError):
                values = self.pools.of_type(returned).literals[: kinds.FEW]
                if values:
                    return [ValueKind(f"function of {type_name(returned)}", tuple(map(Returning, values)))]
        return [self.plain["function"], self.plain["constant function"]]

    def of_class(self, cls: type) -> list[ValueKind]:
        """Return objects of a class: standard ones as they are, others to be made."""
        if cls in kinds.STANDARD:
            return [ValueKind(cls.__name__, kinds.STANDARD[cls])]
        if cls is typing.SupportsIndex or cls is typing.SupportsInt:
            return [self.plain["number"]]
        if cls is typing.SupportsFloat:
            return [self.plain["float"]]
        below = [cls, *concrete_subclasses(cls, (self.cls.__module__,))]
        listed = [ValueKind(each.__name__, kinds.STANDARD[each]) for each in below if each in kinds.STANDARD]
        others = [each for each in below if each not in kinds.STANDARD and _can_be_made(each) and has_own_objects(each)]
        return [*listed, *map(_objects_of, others)][:MOST_COMPANIONS]


def name_of_one(parameter: ReadParameter) -> str:
    """Return what one argument of a parameter is called: each of `*nodes` is a node."""
    many = parameter.kind is inspect.Parameter.VAR_POSITIONAL
    return parameter.name.removesuffix("s") if many else parameter.name


def has_telling_names(subject: Subject) -> bool:
    """Tell whether the names of its parameters say something: those of operators are all `other` or `value`."""
    numbered = any(each.name.startswith(NUMBERED) for each in subject.read)
    return subject.operation.name not in kinds.OPERATORS and not numbered


def keep_from_waiting(read: Sequence[ReadParameter]) -> dict[int, tuple[Any, ...]]:
    """Return what is passed so that a call does not wait, by place: `block=False`, or else `timeout=0`."""
    places = {each.name: place for place, each in enumerate(read) if each.is_optional}
    times = {place: () for name, place in places.items() if name in TIMES}
    for name in BLOCKING:
        if name in places and read[places[name]].default is True:
            return {**times, places[name]: (False,)}
    return {place: (0,) for place in times if read[place].default is None}


def has_plain_default(parameter: ReadParameter) -> bool:
    """Tell whether a default says which type is meant."""
    return type(parameter.default) in PLAIN_DEFAULTS


def _as_kind(name: str, literals: Sequence[Any], classes: Sequence[type]) -> ValueKind:
    """Return what is known as a kind; of many values the second and third first: 0 and "" are seldom typical."""
    some = [*literals[1:MOST_ANNOTATED], *literals[:1]] if len(literals) > MOST_ANNOTATED else [*literals]
    return ValueKind(name, (*some, *map(Wanted, classes)))


def _objects_of(cls: type) -> ValueKind:
    return ValueKind(f"{cls.__name__} objects", (Wanted(cls),))


def _can_be_made(cls: type) -> bool:
    """Tell whether a class has objects that a call makes, and a name that a test can import."""
    found: object = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    odd = issubclass(cls, (BaseException, type)) or hasattr(cls, "_member_map_") or cls.__module__ == "builtins"
    in_python = cls.__flags__ & HEAP_TYPE or any(isinstance(each, FunctionType) for each in vars(cls).values())
    return (
        found is cls
        and bool(in_python)
        and not odd
        and not inspect.isabstract(cls)
        and not getattr(cls, "_is_protocol", False)
    )


def _module_constants(cls: type, name: str) -> list[Any]:
    """Return constants of the module whose name has a word in common with that of the parameter."""
    words = {each for each in name.upper().split("_") if len(each) > 2}
    module = vars(sys.modules.get(cls.__module__, typing))
    found = [
        value
        for label, value in module.items()
        if label.isupper() and type(value) in (int, str, float, bytes) and words & set(label.split("_"))
    ]
    return found[:MOST_EXAMPLES]
