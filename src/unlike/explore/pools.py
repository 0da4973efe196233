"""From the parameters of a function and their types to the values that are passed.

A pool holds literals, and classes whose objects are passed as they are found. What comes first decides: a pool declared
for the parameter, then its annotation, then its default. What none of them can supply is refused with the reason.
"""

from __future__ import annotations

import abc as abstract
import ast
import builtins
import contextlib
import dis
import enum
import importlib
import inspect
import itertools
import math
import sys
import textwrap
import types
import typing
from collections import abc
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.engine.generate import generate
from unlike.errors import ScopeError, TargetError
from unlike.language.spec import Spec
from unlike.scope import Scope, plain_values

MOST_CONTAINERS = 400  # lists, tuples … passed for one parameter; beyond it they get shorter
STORES = ("STORE_ATTR", "DELETE_ATTR")
SOURCE = "source"  # the pool "the literals found in the source"


class UnsuppliedError(Exception):
    """Nobody can supply the parameter; the message says why, `example` how values could be declared."""

    example = "0,1,2"

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Pool:
    """The values of one parameter: literals as they are, and classes whose objects are passed."""

    literals: tuple[object, ...] = ()
    classes: tuple[type, ...] = ()

    def __or__(self, other: Pool) -> Pool:
        return Pool(distinct(self.literals + other.literals), tuple(dict.fromkeys(self.classes + other.classes)))

    def __str__(self) -> str:
        texts = [repr(value) for value in self.literals[:8]]
        if len(self.literals) > 8:
            texts.append(f"… ({len(self.literals)} values)")
        return ", ".join([*texts, *(f"every {cls.__name__} found" for cls in self.classes)])


@dataclass(frozen=True, slots=True)
class Pools:
    """All that decides about pools: the scope, the classes explored, and which of them a method belongs to."""

    scope: Scope
    classes: tuple[type, ...]
    owner: type | None = None

    def declared(self, names: Sequence[str]) -> Pool | None:
        """Return the pool declared under the first of the names, or nothing."""
        for name in names:
            if name in self.scope.literals:
                return self._of_values(self.scope.literals[name])
        return None

    def of_annotation(self, annotation: object) -> Pool:
        """Return the values of a type, or refuse it."""
        if annotation is None or annotation is type(None):
            return Pool((None,))
        if isinstance(annotation, type) and typing.get_origin(annotation) is None:
            return self._of_class(annotation)
        if annotation is typing.Any or isinstance(annotation, typing.TypeVar):
            return self._of_class(int)
        if annotation is typing.Self and self.owner is not None:
            return Pool((), (self.owner,))
        if isinstance(annotation, typing.NewType):
            declared = self.declared([f"{annotation.__module__}:{annotation.__name__}", annotation.__name__])
            return self.of_annotation(annotation.__supertype__) if declared is None else declared
        if isinstance(annotation, getattr(typing, "TypeAliasType", ())):
            return self.of_annotation(annotation.__value__)  # type: ignore[attr-defined]
        if isinstance(annotation, (str, typing.ForwardRef)):
            text = getattr(annotation, "__forward_arg__", annotation)
            raise UnsuppliedError(f"its annotation {text!r} cannot be resolved")
        return self._of_generic(annotation)

    def _of_generic(self, annotation: object) -> Pool:
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin in (typing.Union, types.UnionType):
            return self._of_union(arguments)
        if origin is typing.Literal:
            return Pool(tuple(arguments))
        if origin is typing.Annotated:
            return self.of_annotation(arguments[0])
        if isinstance(origin, type):
            if any(issubclass(origin, cls) for cls in self.classes):
                return Pool((), (origin,))
            return self._of_container(origin, arguments)
        raise UnsuppliedError(f"its type {annotation!r} is not one that can be made")

    def _of_union(self, members: Sequence[object]) -> Pool:
        pool, reasons = Pool(), []
        for member in members:
            try:
                pool |= self.of_annotation(member)
            except UnsuppliedError as error:
                reasons.append(str(error))
        if not pool.literals and not pool.classes:
            raise UnsuppliedError("; ".join(reasons))
        return pool

    def _of_class(self, cls: type) -> Pool:
        declared = self.declared([f"{cls.__module__}:{cls.__qualname__}", cls.__qualname__, cls.__name__])
        if declared is not None:
            return declared
        if cls in self.classes or any(is_kind_of(known, cls) and cls is not object for known in self.classes):
            return Pool((), (cls,))
        if issubclass(cls, enum.Enum):
            return Pool(tuple(cls))
        plain = plain_values(cls, self.scope.most_ints)
        if plain is not None:
            return Pool(plain)
        if cls in (list, tuple, set, frozenset, dict):
            return self._of_container(cls, ())
        unknown = UnsuppliedError(f"no {cls.__name__} is known")
        unknown.example = f"@MODULE:LIST (`unlike explore` takes {cls.__name__}, too)"
        raise unknown

    def _of_container(self, origin: type, arguments: Sequence[object]) -> Pool:
        kind = next((made for made, kinds in CONTAINERS.items() if origin in kinds), None)
        if kind is None:
            raise UnsuppliedError(f"no {origin.__name__} can be made")
        if kind is tuple and arguments and arguments[-1] is not Ellipsis:
            parts = [self._literals(argument) for argument in arguments]
            return Pool(tuple(itertools.islice(itertools.product(*parts), MOST_CONTAINERS)))
        inner = [self._literals(argument) for argument in arguments if argument is not Ellipsis]
        if kind is dict:
            keys, values = inner or [self._literals(int), self._literals(int)]
            pairs = list(itertools.product(keys, values))
            made: list[Any] = [dict(each) for each in _sequences(pairs, self.scope.most_elements, repeat=False)]  # type: ignore[arg-type]
            return Pool(distinct(made))
        members = inner[0] if inner else self._literals(int)
        repeat = kind in (list, tuple)
        return Pool(distinct([kind(each) for each in _sequences(members, self.scope.most_elements, repeat=repeat)]))

    def _literals(self, annotation: object) -> tuple[object, ...]:
        pool = self.of_annotation(annotation)
        if pool.classes:
            raise UnsuppliedError(f"containers of {pool.classes[0].__name__} objects are not made")
        return pool.literals

    def _of_values(self, values: object) -> Pool:
        if values == SOURCE:
            return Pool(source_literals(self.classes))
        if isinstance(values, type):
            return Pool((), (values,))
        if isinstance(values, Spec):
            return Pool(distinct(drawn_from(values)))
        if not isinstance(values, Iterable):
            raise ScopeError(f"literals {values!r} must be a list of values, a spec, a class or {SOURCE!r}")
        listed = list(getattr(values, "values", values) if hasattr(values, "cases") else values)
        classes = tuple(value for value in listed if isinstance(value, type))
        return Pool(distinct([value for value in listed if not isinstance(value, type)]), classes)


def is_kind_of(known: type, cls: type) -> bool:
    """Tell whether objects of a known class may be passed for another; no for protocols that cannot be checked."""
    try:
        return issubclass(known, cls)
    except TypeError:  # a TypedDict, a Protocol: they allow no such question
        return False


def drawn_from(spec: Spec) -> list[object]:
    """Return the inputs of a spec as values to pass: those of its blank, or dicts where it has several."""
    if len(spec.blanks) == 1:
        (blank,) = spec.blanks
        return [value[blank] for value in generate(spec).values]  # type: ignore[index]
    return generate(spec).values


CONTAINERS: dict[type, tuple[type, ...]] = {
    list: (list, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection, abc.Container, abc.Reversible),
    tuple: (tuple,),
    set: (set, abc.Set, abc.MutableSet),
    frozenset: (frozenset,),
    dict: (dict, abc.Mapping, abc.MutableMapping),
}


def parameters_of(function: Any, owner: type | None) -> list[inspect.Parameter]:
    """Return the parameters of a function, or of the constructor of a class, with their annotations resolved.

    Each is resolved by itself: where a name is known to type checkers only, the others still count. A constructor that
    passes on all it gets (`__new__(cls, *args)`, a metaclass) has the parameters of `__init__`.
    """
    parameters = list(_signature(function).parameters.values())
    sources = [function]
    if isinstance(function, type):
        sources = [each for each in (function.__init__, function.__new__) if isinstance(each, types.FunctionType)]  # type: ignore[misc]
        if sources and all(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in parameters):
            parameters = list(_signature(sources[0]).parameters.values())[1:]
    known: dict[str, object] = {}
    for source in reversed(sources):
        known |= getattr(inspect.unwrap(source), "__globals__", {})
    for cls in reversed(() if owner is None else owner.__mro__):
        known |= {**vars(sys.modules.get(cls.__module__, builtins)), **known}
    inner = {} if owner is None else {**vars(owner), owner.__name__: owner}
    return [each.replace(annotation=_resolved(each.annotation, known, inner)) for each in parameters]


def _signature(function: Any) -> inspect.Signature:
    try:
        return inspect.signature(function)
    except NameError:  # from Python 3.14 on annotations are evaluated now
        lenient: Any = {"annotation_format": importlib.import_module("annotationlib").Format.FORWARDREF}
        return inspect.signature(function, **lenient)


def _resolved(annotation: object, known: dict[str, object], inner: dict[str, object]) -> object:
    """Return what an annotation stands for; itself where its text stands for nothing that is known."""

    def holder() -> None: ...

    if annotation is inspect.Parameter.empty:
        return annotation
    holder.__annotations__ = {"it": annotation}
    for names in ({}, inner):  # a class may have a method called `list`
        with contextlib.suppress(Exception):  # foreign code: a name that is missing, a broken expression
            return typing.get_type_hints(holder, known, names)["it"]
    return annotation


def _sequences(members: Sequence[object], longest: int, *, repeat: bool) -> list[tuple[object, ...]]:
    """Return all sequences of members, shortest first, as long as they may be without getting too many."""
    found: list[tuple[object, ...]] = []
    for length in range(longest + 1):
        count = len(members) ** length if repeat else math.comb(len(members), length)
        if len(found) + count > MOST_CONTAINERS:
            break
        choose = itertools.product(members, repeat=length) if repeat else itertools.combinations(members, length)
        found.extend(choose)
    return found


def distinct(values: Iterable[object]) -> tuple[object, ...]:
    """Return the values without repeats; 1, 1.0 and True are three."""
    return tuple({(type(value), repr(value)): value for value in values}.values())


def source_literals(classes: Iterable[type]) -> tuple[object, ...]:
    """Return the numbers and strings that stand in the source of the classes, in order; docstrings are none."""
    found: list[object] = []
    for cls in classes:
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
        except (OSError, TypeError, SyntaxError):
            continue
        documents = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.body and isinstance(node.body[0], ast.Expr)
        }
        found.extend(
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and id(node) not in documents
            and isinstance(node.value, (int, float, str, bytes))
        )
    return distinct(found)


def check_target(cls: type) -> None:
    """Refuse a class that cannot be explored, with the reason and the remedy."""
    if cls.__module__ == "__main__":
        raise TargetError(
            f"{cls.__qualname__} is defined in __main__, where no test can import it; put it into a module of its own"
        )
    if "<locals>" in cls.__qualname__:
        raise TargetError(f"{cls.__qualname__} is defined inside a function; move it to the top of a module")
    if getattr(cls, "_is_protocol", False):
        concrete = [each.__name__ for each in _subclasses(cls) if not getattr(each, "_is_protocol", False)]
        hint = f": {', '.join(concrete)}" if concrete else ""
        raise TargetError(
            f"{cls.__qualname__} is a protocol, of which there are no objects; explore a class that has "
            f"its methods{hint}"
        )
    if inspect.isabstract(cls):
        missing = ", ".join(sorted(getattr(cls, "__abstractmethods__", ())))
        concrete = [each.__name__ for each in _subclasses(cls) if not inspect.isabstract(each)]
        hint = f"explore a concrete subclass: {', '.join(concrete)}" if concrete else "explore a concrete subclass"
        raise TargetError(f"{cls.__qualname__} is abstract ({missing} is missing); {hint}")
    if issubclass(cls, (enum.Enum, abstract.ABCMeta, types.ModuleType)):
        raise TargetError(f"{cls.__qualname__} has no objects to build; pass it as a parameter type instead")


def _subclasses(cls: type) -> list[type]:
    found: list[type] = list(cls.__subclasses__())
    for each in found:  # grows while we walk
        found.extend(each.__subclasses__())
    return found


def stores(getter: object) -> bool:
    """Tell whether the code of a getter assigns to an attribute: asking for the property changes the object."""
    code = getattr(inspect.unwrap(getter) if callable(getter) else getter, "__code__", None)
    return isinstance(code, types.CodeType) and any(each.opname in STORES for each in dis.get_instructions(code))
