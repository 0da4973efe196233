"""From the parameters of a function and their types to the values that are passed.

A pool holds literals, and classes whose objects are passed as they are found. What comes first decides: a pool declared
for the parameter, then its annotation, then its default. What none of them can supply is refused with the reason.
"""

from __future__ import annotations

import abc as abstract
import ast
import enum
import functools
import inspect
import textwrap
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from unlike.core import FOREVER, USUAL, Deadline, Isolation
from unlike.errors import ScopeError, TargetError
from unlike.scope import Scope, is_of_type
from unlike.specs.given import list_given
from unlike.structure.shapes import Check
from unlike.types.as_annotated import class_name, find_fault, is_given_type
from unlike.types.first_values import FirstValues, NoValuesError, allowed_values, kept_values, told_by
from unlike.types.given import SourceValues
from unlike.types.in_scope import ContainerType, Entered, Rules, containers_of, lengths_of, read_within, records_of
from unlike.types.read import TypeReader, read_annotation
from unlike.types.tree import (
    AnyType,
    ClassType,
    MappingType,
    PlacesType,
    PlainType,
    TypeNode,
    VariableType,
    bare_type,
    inner_types,
    rules_on,
    value_names,
)

# in written tests for what has no annotation; no texts, whose order in a set differs from run to run
CONTAINERS = [1, 0], [(0, 1), (1, 2)], {2: 0}
INDEXING = "__getitem__", "__setitem__", "__delitem__"
SLICES = slice(0, 2), slice(1, None), slice(None, -1), slice(1, 1)
MOST_NAMES = 4  # of attributes, where a class says what they mean
SOURCE = "source"  # the pool "what the source mentions"
MENTIONED = int, float, str, bytes


@dataclass(frozen=True, slots=True)
class Pool:
    """The values of one parameter: literals as they are, and classes whose objects are passed.

    `remarks` say what a reader of a proof should know: what was cut, what stands for an unknown type. Values `beside`
    the scope are not passed while exploring; written tests do.
    """

    literals: tuple[object, ...] = ()
    classes: tuple[type, ...] = ()
    remarks: tuple[str, ...] = ()
    beside: tuple[object, ...] = ()
    first: int | None = None  # of objects only the first so many that are found are passed
    guessed: bool = False  # nothing is said of it, or of what it holds: some ways to pass it will do

    @property
    def passed(self) -> bool:
        """Whether an exploration passes any of it."""
        return bool(self.literals or self.classes)

    def __or__(self, other: Pool) -> Pool:
        classes = tuple(dict.fromkeys(self.classes + other.classes))
        remarks = tuple(dict.fromkeys(self.remarks + other.remarks))
        beside = distinct(self.beside + other.beside)
        literals, guessed = distinct(self.literals + other.literals), self.guessed or other.guessed
        return Pool(literals, classes, remarks, beside, self.first or other.first, guessed)

    def __str__(self) -> str:
        texts = [_write_value(value) for value in self.literals[:8]]
        if len(self.literals) > 8:
            texts.append(f"… ({len(self.literals)} values)")
        return ", ".join([*texts, *(f"every {cls.__name__} found" for cls in self.classes)])


@dataclass(frozen=True, slots=True)
class Pools:
    """All that decides about pools: the scope, the classes explored, where predicates are asked, and until when."""

    scope: Scope
    classes: tuple[type, ...]
    isolation: Isolation = USUAL
    deadline: Deadline = FOREVER
    texts: bool = False  # texts, rather than ints, stand for what has no annotation
    part: str = ""  # the parameter whose values are sought

    def find_declared(self, names: Sequence[str], node: TypeNode | None = None) -> Pool | None:
        """Return the pool declared under the first of the names for what has a type, or nothing."""
        for name in names:
            if name in self.scope.literals:
                if self.is_source(name):
                    return self._beside_usual(name, node or AnyType())
                found = self._of_values(name, self.scope.literals[name])
                return replace(found, literals=tuple(each for each in found.literals if is_of_type(name, each)))
        return None

    def for_part(self, name: str) -> Pools:
        """Return the same for a parameter."""
        return replace(self, part=name)

    def is_source(self, name: str) -> bool:
        """Tell whether what the source mentions is asked for under a name."""
        values = self.scope.literals.get(name)
        return isinstance(values, str) and values == SOURCE

    def _beside_usual(self, name: str, node: TypeNode) -> Pool:
        """Return the usual values of a type, and after them those that the source mentions beside the parameter."""
        others = {key: each for key, each in self.scope.literals.items() if key != name}
        kinds = [each for each in MENTIONED if each.__name__ == name]
        more = {} if kinds else dict.fromkeys((each.__name__ for each in MENTIONED), SOURCE)
        usual = replace(self, scope=replace(self.scope, literals={**more, **others})).of_type(node)
        return replace(usual, literals=distinct((*usual.literals, *self.find_mentioned(kinds))))

    def find_mentioned(self, kinds: Iterable[type]) -> tuple[object, ...]:
        """Return what the source of the classes mentions of some types, where it can beside the parameter."""
        found = _source_values(self.classes)
        return tuple(value for kind in kinds for value in found.for_part(kind, self.part))

    def with_source(self, found: Pool) -> Pool:
        """Return values that were guessed, with those of their types that the source mentions, where asked for."""
        kinds = [each for each in MENTIONED if self.is_source(each.__name__)]
        kinds = [each for each in kinds if any(type(value) is each for value in found.literals)]
        return replace(found, literals=distinct((*found.literals, *self.find_mentioned(kinds))))

    def guess(self, more: tuple[object, ...] = ()) -> Pool:
        """Return what a written test passes for a parameter of which nothing is known: values beside the scope."""
        declared = self.find_declared(["any"])
        if declared is not None:
            return Pool(beside=declared.literals)
        ints = (*range(self.scope.most_ints), -1)
        return Pool(beside=(*ints, *more, *CONTAINERS))

    def of_the_same_kind(self, values: Sequence[object]) -> tuple[object, ...]:
        """Return what a written test passes beside values that were guessed: other numbers, or other containers."""
        kinds = {type(each) for each in values}
        if kinds and kinds <= {list, tuple, dict, set, frozenset}:
            return ([], *CONTAINERS)
        if kinds == {int}:
            return (-1,)
        return (-1.0, *self.of_type(PlainType(float)).literals) if kinds == {float} else ()

    def attribute_names(self, function: object) -> Pool:
        """Return the names passed to a method that says what attributes mean: those in its code, and one it lacks."""
        code = getattr(inspect.unwrap(function) if callable(function) else function, "__code__", None)
        written = [each for each in getattr(code, "co_consts", ()) if isinstance(each, str) and each.isidentifier()]
        names = distinct(["a", *(each for each in written if not each.startswith("_"))])[:MOST_NAMES]
        return Pool(names, (), (f"{', '.join(map(repr, names))} for any name",))

    def of_type(self, node: TypeNode, entered: Entered = ()) -> Pool:
        """Return the values of a type within the scope, or refuse it."""
        return read_within(node, self, entered)

    def read_declared(self, node: TypeNode) -> Pool | None:
        """Return what is declared for a type, as far as the rules at one place allow it."""
        declared, rules = self.find_declared(value_names(node), bare_type(node)), rules_on(node)
        if declared is None and self.texts and not rules and isinstance(node, AnyType | VariableType):
            return self._texts_for(node)
        if declared is None or not rules:
            return declared
        if declared.classes:
            raise _found_as_they_are(declared.classes[0], rules)
        return self.read_values(allowed_values(node, declared.literals, self.isolation, self.deadline))

    def _texts_for(self, node: AnyType | VariableType) -> Pool | None:
        """Return texts for what says nothing; of a type variable that is bound its bound says enough."""
        if isinstance(node, VariableType) and (node.bound is not None or node.among):
            return None
        unknown = f"the open type variable {node.name}" if isinstance(node, VariableType) else node.said
        return self.add_remark(self.of_type(PlainType(str)), f"texts for {unknown or 'what has no annotation'}")

    def read_values(self, found: FirstValues) -> Pool:
        """Return values as they are."""
        return Pool(found.values, (), (found.cut,) if found.cut else (), found.beside)

    def add_remark(self, found: Pool, remark: str) -> Pool:
        """Return the pool with a remark."""
        return Pool(remarks=(remark,)) | found

    def read_union(self, members: Sequence[TypeNode], entered: Entered) -> Pool:
        """Return the values of all types that can be supplied."""
        pool, reasons = Pool(), []
        for member in members:
            try:
                pool |= self.of_type(member, entered)
            except NoValuesError as error:
                reasons.append(str(error))
        if not pool.literals and not pool.classes:
            raise NoValuesError("; ".join(reasons))
        return replace(pool, remarks=(*pool.remarks, *(f"nothing where {reason}" for reason in reasons)))

    def read_objects(self, node: ClassType, rules: Rules, entered: Entered) -> Pool:
        """Return the objects of a class that are found; of a TypedDict or a NamedTuple every combination of fields."""
        cls = node.cls
        if cls in self.classes or any(is_kind_of(known, cls) for known in self.classes):
            if rules:
                raise _found_as_they_are(cls, rules)
            return Pool((), (cls,))
        if issubclass(cls, dict | tuple) and (record := TypeReader().record_of(node)) and node not in entered:
            extra = () if record.extra is None else (MappingType(PlainType(str), record.extra),)
            _, _, checks = lengths_of(PlacesType(()), rules, self.scope.most_elements)
            types_inside = (*(each.type for each in record.fields), *extra)
            return self._make_pool(types_inside, (*entered, node), checks, functools.partial(records_of, record))
        unknown = NoValuesError(f"no {cls.__name__} is known")
        unknown.example = f"@MODULE:LIST (`unlike explore` takes {cls.__name__}, too)"
        raise unknown

    def read_container(self, node: ContainerType, rules: Rules, entered: Entered) -> Pool:
        """Return every container of the elements, as long as the rules and the scope allow."""
        least, most, checks = lengths_of(node, rules, self.scope.most_elements)
        return self._make_pool(
            inner_types(node), entered, checks, lambda parts, _: containers_of(node, parts, least, most)
        )

    def _make_pool(
        self,
        types_inside: Iterable[TypeNode],
        entered: Entered,
        checks: tuple[Check, ...],
        make: Callable[[Sequence[Sequence[object]], int], FirstValues],
    ) -> Pool:
        parts = [self._literals(each, entered) for each in types_inside]
        found = make([part.literals for part in parts], self.scope.most_elements)
        kept = kept_values(found.values, checks, None, self.isolation, self.deadline) if checks else found
        cuts = dict.fromkeys(each.cut for each in (found, kept) if each.cut)
        return Pool(distinct(kept.values), (), (*(remark for part in parts for remark in part.remarks), *cuts))

    def _literals(self, node: TypeNode, entered: Entered) -> Pool:
        pool = self.of_type(node, entered)
        if pool.classes:
            raise NoValuesError(f"containers of {pool.classes[0].__name__} objects are not made")
        return pool

    def _of_values(self, name: str, values: object) -> Pool:
        if is_given_type(values):
            others = {key: each for key, each in self.scope.literals.items() if key != name}
            return replace(self, scope=replace(self.scope, literals=others)).of_type(read_annotation(values))
        if isinstance(values, type):
            return Pool((), (values,))
        if (listed := list_given(values)) is None:
            raise ScopeError(f"literals {values!r} must be a list of values, a spec, a type, a class or {SOURCE!r}")
        classes = tuple(value for value in listed if isinstance(value, type))
        return Pool(distinct([value for value in listed if not isinstance(value, type)]), classes)


def _found_as_they_are(cls: type, rules: Rules) -> NoValuesError:
    return NoValuesError(f"objects of {cls.__name__} are passed as they are found, not by '{rules[0]}'")


def _write_value(value: object) -> str:
    """Return a value as one would write it; the members of a set in an order that is the same in every run."""
    if type(value) in (set, frozenset) and value:
        members = ", ".join(sorted(map(_write_value, value)))  # type: ignore[call-overload]
        return f"{{{members}}}" if type(value) is set else f"frozenset({{{members}}})"
    return value.__name__ if isinstance(value, type) else repr(value)


def is_kind_of(known: type, cls: type) -> bool:
    """Tell whether objects of a known class may be passed for another; no for protocols that cannot be checked."""
    try:
        return issubclass(known, cls)
    except Exception:  # a TypedDict, a Protocol: they allow no such question; nor may a metaclass
        return False


def distinct(values: Iterable[object]) -> tuple[object, ...]:
    """Return the values without repeats; 1, 1.0 and True are three."""
    return tuple({told_by(value): value for value in values}.values())


@functools.lru_cache(maxsize=8)
def _source_values(classes: tuple[type, ...]) -> SourceValues:
    """Return what the source of the classes compares with, looks up or tests; any constants where there is none."""
    from unlike.observe.mentions import mentions_of  # it reads source, which most literals need not

    found = SourceValues.of(mentions_of(classes, own_only=True))
    written = [each for each in _constants(classes) if not any(type(each) is type(value) for value in found.values)]
    return replace(found, values=(*found.values, *written))


def _constants(classes: Iterable[type]) -> tuple[object, ...]:
    """Return the numbers and strings that stand in the source of the classes, in order; docstrings are none."""
    found: list[object] = []
    for tree in filter(None, map(source_tree, classes)):
        documents = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.body and isinstance(node.body[0], ast.Expr)
        }
        constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in documents]
        found.extend(node.value for node in constants if isinstance(node.value, MENTIONED))
    return distinct(found)


def source_tree(cls: type) -> ast.Module | None:
    """Return the source of a class, parsed, or nothing where there is none."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except (OSError, TypeError, SyntaxError):
        return None


def check_target(cls: type) -> None:
    """Refuse a class that cannot be explored, with the reason and the remedy."""
    if fault := find_fault(cls):
        raise TargetError(f"{class_name(cls)} cannot be explored: {fault}; mend that first")
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
