"""From classes and functions to an Api: what can be called, with which arguments, and why the rest cannot.

An Operation is one thing a user of the class can do. A Template is an operation with all its arguments chosen, except
that an argument may be "an object of this class": the search fills in every object it finds.
"""

from __future__ import annotations

import enum
import functools
import inspect
import itertools
import math
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from unlike.classes.guessing.described import NUMBERED, described_parameters
from unlike.classes.guessing.guesses import NO_GUESSES, Guesses
from unlike.classes.parameters import OMITTED, Parameter, leave_out, list_unplaced, parameter_of, place_arguments
from unlike.classes.pools import INDEXING, SLICES, Pool, Pools, check_target
from unlike.classes.public import ATTRIBUTES, as_method, is_called, is_public, list_uncalled, may_change, members_of
from unlike.classes.ways import FEWER_WAYS, MOST_GUESSED, MOST_IN_ALL, MOST_WAYS, CallWays, shared_places, ways_of
from unlike.core import FOREVER, USUAL, Deadline, Isolation
from unlike.errors import TargetError
from unlike.recipe import Name, name_of
from unlike.scope import Scope, compiled_pattern
from unlike.types.first_values import NoValuesError
from unlike.types.read import ReadParameter, read_annotation, read_parameters
from unlike.types.tree import AnyType, ClassType, TypeNode, holds_open

T = TypeVar("T")
Filled = tuple[T | None, tuple[T, ...], tuple[tuple[str, T], ...]]  # receiver, arguments, arguments by name


class Kind(enum.Enum):
    """How an operation is called."""

    NEW = "constructor"
    MAKER = "class method"
    METHOD = "method"
    SETTER = "property setter"
    DELETER = "property deleter"
    GETTER = "property"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class Wanted:
    """An argument that is an object of the class, still to be found; perhaps only one of the first so many."""

    cls: type
    first: int | None = None


@dataclass(frozen=True, slots=True, eq=False)  # known by identity: arguments may be lists
class Operation:
    """One thing a user of the classes can do."""

    kind: Kind
    name: str
    owner: type | None
    function: object
    parameters: tuple[Parameter, ...] = ()
    written: tuple[Parameter, ...] = ()  # and those for which only written tests pass values

    @property
    def title(self) -> str:
        """The operation as a user writes it: `Cart.add`, `Cart`, `merge`."""
        if self.kind is Kind.NEW:
            assert self.owner is not None
            return self.owner.__name__
        return self.name if self.owner is None else f"{self.owner.__name__}.{self.name}"

    @property
    def recipe_name(self) -> Name:
        """The importable name of what is called, for everything but methods."""
        if self.kind is Kind.MAKER:
            assert self.owner is not None
            own = name_of(self.owner)
            return Name(own.module, f"{own.qualname}.{self.name}")
        return name_of(self.owner if self.kind is Kind.NEW else self.function)

    @property
    def has_receiver(self) -> bool:
        """Whether it is called on an object."""
        return self.kind in (Kind.METHOD, Kind.SETTER, Kind.DELETER, Kind.GETTER)

    def perform(self, receiver: Any, args: Sequence[Any], kwargs: Mapping[str, object]) -> object:
        """Do it."""
        match self.kind:
            case Kind.METHOD:
                return getattr(receiver, self.name)(*args, **kwargs)
            case Kind.SETTER:
                setattr(receiver, self.name, *args)
                return None
            case Kind.DELETER:
                delattr(receiver, self.name)
                return None
            case Kind.GETTER:
                return getattr(receiver, self.name)
            case Kind.MAKER:
                return getattr(self.owner, self.name)(*args, **kwargs)
            case Kind.NEW:
                assert self.owner is not None
                return self.owner(*args, **kwargs)
        return self.function(*args, **kwargs)  # type: ignore[operator]

    def __str__(self) -> str:
        shown = ", ".join(f"{'*' if each.star else ''}{each.name}: {each.pool}" for each in self.parameters)
        if self.kind is Kind.SETTER:
            return f"{self.title} = {shown}"
        if self.kind is Kind.GETTER:
            return self.title
        return f"del {self.title}" if self.kind is Kind.DELETER else f"{self.title}({shown})"


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """An operation with its arguments; `wanted` are the classes of the objects to fill in, receiver first.

    `places` says which of the objects each place takes (the receiver, then every Wanted among the arguments): the same
    one may stand in several, as in `x.merge(x)`.
    """

    operation: Operation
    args: tuple[Any, ...]
    kwargs: tuple[tuple[str, Any], ...]
    wanted: tuple[type, ...]
    places: tuple[int, ...]
    first: tuple[int | None, ...] = ()  # of each wanted class only the first so many objects are passed

    def fill(self, objects: Sequence[T], other: Callable[[Any], T]) -> Filled[T]:
        """Return the receiver, the arguments and the arguments by name, with the objects in their places.

        An argument that is no object is what `other` makes of it.
        """
        rest = iter(self.places)
        receiver = objects[next(rest)] if self.operation.has_receiver else None

        def argument(value: Any) -> T:
            return objects[next(rest)] if isinstance(value, Wanted) else other(value)

        args = tuple(argument(value) for value in self.args)
        return receiver, args, tuple((name, argument(value)) for name, value in self.kwargs)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An operation that cannot be called, why, and what can be done about it."""

    title: str
    reason: str
    remedy: str = ""

    def __str__(self) -> str:
        return "; ".join(part for part in (f"{self.title}: {self.reason}", self.remedy) if part)


@dataclass(frozen=True, slots=True)
class Api:
    """Everything that can be called, for the classes explored."""

    classes: tuple[type, ...]
    operations: tuple[Operation, ...]
    refusals: tuple[Refusal, ...]
    templates: tuple[Template, ...] = field(repr=False)
    extra: tuple[type, ...] = ()  # classes of objects met on the way
    remarks: tuple[str, ...] = ()  # which values stand for others, and where: a proof holds for these
    thinned: bool = False  # of the ways to call an operation only some are tried
    guesses: Guesses = field(default=NO_GUESSES, repr=False)
    uncalled: tuple[str, ...] = ()  # operations of which it is known that nobody calls them here

    def makers(self) -> list[Operation]:
        """Return the operations that need no object."""
        return list(dict.fromkeys(each.operation for each in self.templates if not each.wanted))

    def listing(self) -> str:
        """Return the operations and refusals, one a line."""
        lines = [f"{operation.kind.value:16} {operation}" for operation in self.operations]
        lines += [f"{'passed':16} {remark}" for remark in self.remarks]
        lines += [f"{'not called':16} {', '.join(self.uncalled)}"] if self.uncalled else []
        lines += [f"{'never succeeded':16} {refused}" for refused in self.guesses.never]
        return "\n".join([*lines, *self.not_called("cannot be called  ")])

    def not_called(self, heading: str) -> list[str]:
        """Return what cannot be called, one a line, and after all of it each kind of remedy once."""
        lines = [f"{heading}{each.title}: {each.reason}" for each in self.refusals]
        remedies = {each.remedy.partition(":")[0]: each.remedy for each in reversed(self.refusals) if each.remedy}
        return [*lines, *(f"{' ' * len(heading)}{remedy}" for remedy in reversed(remedies.values()))]


def api_of(
    targets: Sequence[object],
    scope: Scope,
    *,
    methods: str | None = None,
    leave_out: Iterable[str] = (),
    extra: Sequence[type] = (),
    listed_only: bool = False,
    isolation: Isolation = USUAL,
    deadline: Deadline = FOREVER,
    guesses: Guesses = NO_GUESSES,
) -> Api:
    """Return what can be called on the targets (classes and functions).

    `methods` is a regular expression for the names to keep (constructors always stay); `leave_out` names methods that
    are not part of the API, such as the invariant; `extra` are classes of objects that were found, which are not
    targets themselves. One that is `listed_only` says what would be called, but not in which ways. `guesses` are values
    for what nothing is said about.
    """
    targets = list({id(target): target for target in targets}.values())  # each once
    classes = tuple(target for target in targets if isinstance(target, type))
    functions = [target for target in targets if not isinstance(target, type)]
    if not classes:
        raise TargetError("nothing to explore: name at least one class")
    for cls in classes:
        check_target(cls)
    pools = Pools(scope, (*classes, *extra, *guesses.companions), isolation, deadline, guesses.texts)
    collector = _Collector(pools, _name_test(methods), frozenset(leave_out), guesses)
    for cls in classes:
        collector.add_makers(cls)
    for cls in guesses.companions:
        collector.add_companion(cls)
    for cls in (*classes, *extra):
        collector.add_methods(cls)
    for function in functions:
        collector.add_function(function)
    most = _most_ways(collector.operations, scope) if guesses.active else MOST_WAYS
    ways = [(each, operation_ways(each, scope, most)) for each in collector.operations]
    known = (*classes, *extra, *guesses.companions)
    templates = [each for op, some in ways if not listed_only for each in templates_of(op, scope, known, some)]
    thinned = [(operation, each.left_out) for operation, each in ways if each.left_out]
    for operation, left_out in thinned:
        collector.remark(left_out, operation.title)
    remarks = tuple(f"{text} ({', '.join(places)})" for text, places in collector.remarks.items())
    called = (*collector.operations,), (*collector.refusals,), tuple(templates)
    uncalled = () if methods is not None else list_uncalled((*classes, *extra))
    some = bool(thinned) or any(number is not None for each in templates for number in each.first)
    return Api(classes, *called, tuple(extra), remarks, some, guesses, uncalled)


def _name_test(methods: str | None) -> Callable[[str], bool]:
    kept = compiled_pattern(methods or "", "methods") if methods is not None else None
    return lambda name: kept is None or kept.fullmatch(name) is not None


def list_operations(cls: type, methods: str | None, leave_out: Iterable[str]) -> list[Operation]:
    """Return what a class offers, whether values for it are known or not; without what is asynchronous."""
    listing = _OperationList(Pools(Scope(), (cls,)), _name_test(methods), frozenset(leave_out), NO_GUESSES)
    listing.add_makers(cls)
    listing.add_methods(cls)
    return listing.operations


class _Collector:
    """Goes through classes and functions and keeps what can be called."""

    def __init__(self, pools: Pools, keeps: Callable[[str], bool], leave_out: frozenset[str], guesses: Guesses) -> None:
        self.pools, self.guesses = pools, guesses
        self.keeps = keeps
        self.leave_out = leave_out
        self.operations: list[Operation] = []
        self.refusals: list[Refusal] = []
        self.remarks: dict[str, dict[str, None]] = {}

    def add_makers(self, cls: type) -> None:
        """Add the constructor, and the class methods and static methods that may make objects."""
        self.add(Kind.NEW, "__init__", cls, cls)
        for name, member in members_of(cls):
            if isinstance(member, (classmethod, staticmethod)) and not name.startswith("_") and self.keeps(name):
                self.add(Kind.MAKER, name, cls, getattr(cls, name))

    def add_companion(self, cls: type) -> None:
        """Add what makes objects of a class that are passed alone."""
        name = self.guesses.makers.get(cls)
        self.add(Kind.MAKER if name else Kind.NEW, name or "__init__", cls, getattr(cls, name) if name else cls)

    def add_methods(self, cls: type) -> None:
        """Add methods, operators and properties that can be set or deleted."""
        for name, member in members_of(cls):
            if name in self.leave_out or not self.keeps(name) or not is_public(name) or not is_called(cls, name):
                continue
            if isinstance(member, property):
                self.add_property(cls, name, member)
            elif isinstance(member, functools.cached_property):
                self.add(Kind.GETTER, name, cls, member.func)
            elif (method := as_method(cls, name, member)) is not None:
                self.add(Kind.METHOD, name, cls, method)

    def add_property(self, cls: type, name: str, member: property) -> None:
        """Add the setter and the deleter of a property, and a getter that may change the object."""
        if member.fget is not None and may_change(member.fget):
            self.add(Kind.GETTER, name, cls, member.fget)
        if member.fset is not None:
            self.add(Kind.SETTER, name, cls, member.fset)
        if member.fdel is not None:
            self.add(Kind.DELETER, name, cls, member.fdel)

    def add_function(self, function: object) -> None:
        """Add a function of a module."""
        if not callable(function):
            raise TargetError(f"{function!r} is neither a class nor a function")
        name = getattr(function, "__name__", repr(function))
        if self.keeps(name):
            self.add(Kind.FUNCTION, name, None, function)

    def add(self, kind: Kind, name: str, owner: type | None, function: object) -> None:
        """Add the operation, or the reason why it cannot be called."""
        operation = Operation(kind, name, owner, function)
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            remedy = "explore a function beside the class that runs it: asyncio.run(x.…)"
            self.refusals.append(Refusal(operation.title, "it is asynchronous", remedy))
            return
        if reason := self.guesses.refused.get(operation.title):
            self.refusals.append(Refusal(operation.title, reason, self.remedy(operation)))
            return
        try:
            read = list(self.parameters(operation))
        except NoValuesError as error:
            self.refusals.append(Refusal(operation.title, str(error), error.remedy))
            return
        written = leave_out(read, lambda each: each.pool.passed or bool(each.pool.beside) or not each.optional)
        parameters = leave_out(read, lambda each: each.pool.passed or not each.optional)
        for each in list_unplaced(parameters):
            self.remark("nothing where what stands before it is left out", f"{operation.title}.{each.name}")
        self.operations.append(Operation(kind, name, owner, function, parameters, written))

    def remedy(self, operation: Operation) -> str:
        """Return what to declare where nothing was taken; numbers are no example where a class is asked for."""
        for parameter in passed_parameters(operation, described=True):
            if isinstance(parameter.type, ClassType) and not parameter.is_optional:
                return f"declare values: --literals {names_of(operation, parameter)[0]}=@MODULE:LIST"
        return f"list calls that it takes: --literals '{operation.name}=(0,),(1,)' (or '…=()')"

    def parameters(self, operation: Operation) -> Iterator[Parameter]:
        """Yield the parameters; one that is optional and cannot be supplied is left to written tests, or left out."""
        declared = self.pools.find_declared([operation.title, operation.name])
        if declared is not None and declared.literals and all(type(each) is tuple for each in declared.literals):
            yield Parameter("arguments", declared, whole=True)
            return
        if operation.name == "__exit__":
            yield Parameter("arguments", Pool(((None, None, None),)), whole=True)  # nothing was raised
            return
        for index, parameter in enumerate(passed_parameters(operation, described=self.guesses.active)):
            place = f"{operation.title}.{parameter.name}"
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                self.remark("nothing for keywords of any name", place)
                continue
            try:
                pool = self.pool(operation, parameter, is_attribute=index == 0 and operation.name in ATTRIBUTES)
            except NoValuesError as error:
                if parameter.is_optional:
                    if not parameter.name.startswith(NUMBERED):
                        self.remark(f"nothing where {error}", place)
                    yield parameter_of(parameter, self.pools.guess() if parameter.type == AnyType() else Pool())
                    continue
                declare = f"declare values: --literals {names_of(operation, parameter)[0]}={error.example}"
                raise NoValuesError(f"nobody can supply {parameter.name!r}: {error}", declare) from None
            for remark in pool.remarks:
                self.remark(remark, place)
            always = place in self.guesses.always_passed
            yield replace(parameter_of(parameter, pool), optional=parameter.is_optional and not always)

    def remark(self, text: str, place: str) -> None:
        """Note what a proof rests upon, each thing once with all the parameters it is true of."""
        self.remarks.setdefault(text, {})[place] = None

    def pool(self, operation: Operation, parameter: ReadParameter, *, is_attribute: bool) -> Pool:
        """Return the values of a parameter: declared, by annotation, or by default."""
        pools = self.pools.for_part(parameter.name)
        declared = pools.find_declared(names_of(operation, parameter), parameter.type)
        if declared is not None:
            if not parameter.is_optional and not declared.literals and not declared.classes:
                raise NoValuesError("its pool is empty")
            return declared
        if is_attribute:
            return self.pools.find_declared(["str"]) or self.pools.attribute_names(operation.function)
        guessed = self.guesses.pools.get(names_of(operation, parameter)[0])
        if guessed is not None:
            if not guessed.passed:
                raise NoValuesError("no kind of value was taken when it was tried")
            return pools.with_source(guessed) | Pool(beside=pools.of_the_same_kind(guessed.literals))
        node = _type_of(parameter)
        is_guessed = self.guesses.active and not self.pools.scope.literals and holds_open(node)
        found = replace(pools.of_type(node), guessed=is_guessed)
        if parameter.type == AnyType():
            found |= pools.guess(SLICES if operation.name in INDEXING else ())
        return replace(found, literals=tuple(each for each in found.literals if not _same(each, parameter.default)))


class _OperationList(_Collector):
    """Keeps everything that a class offers."""

    def add(self, kind: Kind, name: str, owner: type | None, function: object) -> None:
        """Add the operation, unless it is asynchronous."""
        if not inspect.iscoroutinefunction(function) and not inspect.isasyncgenfunction(function):
            self.operations.append(Operation(kind, name, owner, function))


def _type_of(parameter: ReadParameter) -> TypeNode:
    """Return the type of a parameter: as annotated, or else that of its default."""
    if parameter.type != AnyType() or not parameter.is_optional:
        return parameter.type
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL or parameter.default is None:
        raise NoValuesError("it has no annotation")  # and may well be left out
    return read_annotation(type(parameter.default))


def names_of(operation: Operation, parameter: ReadParameter) -> list[str]:
    """Return the names under which values for a parameter may be declared, the nearest first."""
    return [f"{operation.title}.{parameter.name}", f"{operation.name}.{parameter.name}", parameter.name]


def _same(value: object, default: object) -> bool:
    return type(value) is type(default) and repr(value) == repr(default)


def passed_parameters(operation: Operation, *, described: bool = False) -> list[ReadParameter]:
    """Return the parameters that may be passed; none for a constructor in C that does not tell.

    Those that are only `described`, in a stub or a docstring, count where values are guessed anyway.
    """
    try:
        parameters = read_parameters(operation.function, operation.owner)
    except (ValueError, TypeError):
        if described:
            return described_parameters(operation.function, operation.name, operation.owner)
        if operation.kind is Kind.NEW:
            return []
        remedy = f"list its calls: --literals '{operation.name}=(0,),(1,)' (or '…=()')"
        raise NoValuesError("its signature cannot be read", remedy) from None
    bound = operation.has_receiver and not isinstance(operation.function, types.MethodType)
    # `_normalize=True` is not for users; those that annotate, or declare values, say otherwise
    return [each for each in parameters[bound:] if not (described and is_private(each))]


def is_private(parameter: ReadParameter) -> bool:
    """Tell whether a parameter is for the class itself: passed by name alone, and never by those who do not know it."""
    by_name = parameter.kind is inspect.Parameter.KEYWORD_ONLY and parameter.is_optional
    return by_name and parameter.name.startswith("_") and isinstance(parameter.type, AnyType)


def templates_of(
    operation: Operation, scope: Scope, classes: Sequence[type] = (), ways: CallWays | None = None
) -> list[Template]:
    """Return every way to call the operation, also with one object in several places."""
    rows = (ways or operation_ways(operation, scope)).rows
    made = (template_of(operation, operation.parameters, each) for each in rows)
    return [each for template in made if template for each in (template, *_share_objects(template, classes))]


def _most_ways(operations: Iterable[Operation], scope: Scope) -> int:
    """Return in how many ways an operation may be called, so that all of them together are not too many."""
    if scope.literals:  # whoever declares values wants each of them passed
        return MOST_WAYS
    counts = [math.prod(len(choices_of(each, scope)) for each in operation.parameters) for operation in operations]
    return next((most for most in FEWER_WAYS if sum(min(n, most) for n in counts) <= MOST_IN_ALL), MOST_GUESSED)


def operation_ways(operation: Operation, scope: Scope, most: int = MOST_WAYS) -> CallWays:
    """Return a value for each parameter, in every way or, where these are very many, in some."""
    is_guessed = any(each.pool.guessed for each in operation.parameters)
    choices = [choices_of(parameter, scope) for parameter in operation.parameters]
    optional = [each.optional or each.star for each in operation.parameters]
    fewer = is_guessed or most < MOST_WAYS
    return ways_of(choices, MOST_GUESSED if is_guessed else most, optional if fewer and not scope.literals else ())


def choices_of(parameter: Parameter, scope: Scope) -> list[Any]:
    """Return what may be passed for a parameter; for one with a star, all that may be passed together."""
    values = [*parameter.pool.literals, *(Wanted(each, parameter.pool.first) for each in parameter.pool.classes)]
    if parameter.whole:
        return values
    if not parameter.star:
        return [OMITTED, *values] if parameter.optional else values
    longest = scope.most_elements
    while longest and sum(len(values) ** length for length in range(longest + 1)) > MOST_WAYS // 10:
        longest -= 1
    return [each for length in range(longest + 1) for each in itertools.product(values, repeat=length)]


def template_of(operation: Operation, parameters: Sequence[Parameter], combination: Sequence[Any]) -> Template | None:
    """Return the operation with an argument for each of the parameters, or OMITTED; None where one has no place."""
    if (placed := place_arguments(parameters, combination)) is None:
        return None
    args, kwargs = placed
    receiver = (operation.owner,) if operation.has_receiver and operation.owner is not None else ()
    inner = [value for value in (*args, *(value for _, value in kwargs)) if isinstance(value, Wanted)]
    wanted = (*receiver, *(each.cls for each in inner))
    first = (*(None for _ in receiver), *(each.first for each in inner))
    return Template(operation, args, kwargs, wanted, tuple(range(len(wanted))), first)


def _share_objects(template: Template, classes: Sequence[type]) -> Iterator[Template]:
    """Yield the ways to make the call with one object in several places, where one object fits them all."""
    for wanted, places in shared_places(template.wanted, classes):
        first = tuple(template.first[places.index(place)] for place in range(len(wanted)))
        yield replace(template, wanted=wanted, places=places, first=first)
