"""What can be seen of an object without changing it, as Python expressions with plain values."""

from __future__ import annotations

import collections
import contextlib
import enum
import itertools
import math
from collections.abc import ItemsView, Iterable, Iterator, KeysView, ValuesView
from dataclasses import dataclass, replace
from typing import Any

from unlike.classes.api import Kind, Template
from unlike.classes.beside_scope import beside_scope
from unlike.classes.recipes import GETS
from unlike.classes.result import Result
from unlike.errors import RecipeError, UnlikeError
from unlike.recipe import Argument, Call, Method, Name, Recipe, Ref, Step, Store, display, quote
from unlike.types.read import read_annotation
from unlike.types.resolve import names_of_function, written_annotations
from unlike.types.tree import ListedType
from unlike.writers.python_source import assertion, source_of, together

LONGEST = 110  # characters of one expected value
STAND_IN = "STAND_IN"  # the object, while an expression is made
MOST_BITS = 4_000  # of an int that is written
MOST_LOOKS = 6  # at one answer
NOTHING = object()  # no answer
ANOTHER = "ANOTHER"  # a second object in the same state

ADDRESS = " at 0x"  # in what an object says of itself: another one in each run
MOST_ELEMENTS = 20  # of an iterator
LISTED = (Iterator, KeysView, ValuesView, ItemsView, collections.deque, collections.OrderedDict, collections.Counter)
EQUALITIES = (
    *("{x} == {x}", "{x} == 0", "{x} == [1, 0]", "{x} == {2: 0}", "{x} != [1, 0]"),
    *("{x} == list({x})", "{x} == set({x})", "{x} == dict({x})", "{x} != [*{x}, 1]"),
)

READS = {
    "__len__": "len({0})",
    "__contains__": "{1} in {0}",
    "__getitem__": "{0}[{1}]",
    "__iter__": "list({0})",
    "__reversed__": "list(reversed({0}))",
    "__bool__": "bool({0})",
}


@dataclass(frozen=True, slots=True)
class Observation:
    """An expression with `{x}` for the object, and the imports it needs."""

    expression: str
    imports: frozenset[str] = frozenset()

    def on(self, variable: str) -> str:
        """Return the expression for the variable."""
        return self.expression.replace("{x}", variable)

    def answer(self, thing: object) -> object:
        """Return what it gives for the object, or NOTHING if it raises."""
        names: dict[str, Any] = {"x": thing}
        try:
            for line in self.imports:
                exec(line, names)
            return eval(self.on("x"), names)
        except Exception:  # a precondition that this object does not meet
            return NOTHING

    def value(self, thing: object) -> str | None:
        """Return what it gives for the object as source, or nothing if it raises or has no plain value."""
        found = self.answer(thing)
        if not is_plain(found) or ADDRESS in str(found):
            return None
        return text if len(text := source_of_value(found)) <= LONGEST else None


@dataclass(frozen=True, slots=True)
class AnswerLook:
    """How to look at what a call answers: an object of the classes by what can be asked of it without arguments."""

    simple: tuple[Observation, ...]
    classes: tuple[type, ...]

    def lines(self, call: str, answer: object, thing: object) -> list[str]:
        """Return assertions of what a call on `x`, the thing, answered; nothing if nothing can be seen of it."""
        if answer is thing:
            return [f"assert {call} is x"]
        seen = self.at(answer, "y")
        if len(seen) == 1 and seen[0][0] in ("y", "list(y)", "dict(y)", "repr(y)", "repr(list(y))"):
            return [assertion(seen[0][0].replace("(y)", f"({call})") if seen[0][0] != "y" else call, seen[0][1])]
        return [f"y = {call}", *together(seen)] if seen else []

    def at(self, found: object, path: str, *, deep: int = 2) -> list[tuple[str, str]]:
        """Return what can be seen: expressions upon the path, each with its plain value as source."""
        if is_plain(found):
            return [(path, text)] if len(text := source_of_value(found)) <= LONGEST else []
        if isinstance(found, enum.Enum):
            return [(f"{path}.name", repr(found.name))]
        if isinstance(found, self.classes):
            return self.of_object(found, path)
        if isinstance(found, LISTED):
            return self.of_elements(found, path)
        if type(found) not in (list, tuple, dict):
            return _by_repr(found, path)
        if not deep or not found:
            return []
        members: Any = found.items() if isinstance(found, dict) else enumerate(found)  # type: ignore[arg-type]
        shown = [(f"len({path})", str(len(found)))]  # type: ignore[arg-type]
        for key, member in members:
            if is_plain(key) and len(shown) < MOST_LOOKS:
                shown += self.at(member, f"{path}[{source_of_value(key)}]", deep=deep - 1)
        return shown[:MOST_LOOKS]

    def of_elements(self, found: Iterable[object], path: str) -> list[tuple[str, str]]:
        """Return what an iterator or a view goes through, if it is plain and comes to an end soon."""
        kind = "dict" if isinstance(found, dict) else "list"
        try:
            elements = list(itertools.islice(found.items() if isinstance(found, dict) else found, MOST_ELEMENTS + 1))
        except Exception:  # an iterator of the user's may raise anything
            return []
        if len(elements) > MOST_ELEMENTS:
            return []
        made: Any = dict(elements) if kind == "dict" else elements  # type: ignore[arg-type]
        if is_plain(made):
            return [(f"{kind}({path})", text)] if len(text := source_of_value(made)) <= LONGEST else []
        try:
            text = repr(repr(made))
        except Exception:  # code of the user's, or a number with more digits than Python writes
            return []
        return [(f"repr({kind}({path}))", text)] if ADDRESS not in text and len(text) <= LONGEST else []

    def of_object(self, thing: object, path: str) -> list[tuple[str, str]]:
        """Return what can be seen of an object."""
        asked = (*attributes_of(thing), *self.simple)
        seen = [(each.on(path), value) for each in asked if (value := each.value(thing)) is not None]
        return (seen or _by_repr(thing, path))[:MOST_LOOKS]


def _by_repr(thing: object, path: str) -> list[tuple[str, str]]:
    """Return how an object shows itself, if its class says how, and not by an address."""
    if not _has_own(type(thing), "__repr__") or type(thing).__module__ == "builtins":
        return []
    try:
        text = repr(repr(thing))
    except Exception:  # code of the user's, or a number with more digits than Python writes
        return []
    return [(f"repr({path})", text)] if ADDRESS not in text and len(text) <= LONGEST else []


def _has_own(cls: type, method: str) -> bool:
    return any(method in vars(base) for base in cls.__mro__ if base.__module__ == cls.__module__)


def observations_of(result: Result) -> tuple[list[Observation], list[Observation]]:
    """Return what can be asked of the objects of an exploration: without arguments, and with them.

    What is known to answer differently when it is asked again is not asked.
    """
    simple: list[Observation] = []
    other: list[Observation] = []
    for template in (*result.api.templates, *beside_scope(result.api.templates)):
        operation = template.operation
        if operation.title in result.unsteady:
            continue
        if operation in result.observers and operation.kind is Kind.METHOD and len(template.wanted) == 1:
            with contextlib.suppress(UnlikeError):  # an argument without a literal form cannot be written
                (other if template.args or template.kwargs else simple).extend(_observations(template))
    for cls in result.api.classes:
        simple.extend(_properties(cls))
        simple.extend(Observation(f"{name}({{x}})") for name in ("str", "repr") if _has_own(cls, f"__{name}__"))
        if _has_own(cls, "__eq__"):
            other.extend(map(Observation, EQUALITIES))
    return list(dict.fromkeys(simple)), list(dict.fromkeys(other))


def _properties(cls: type) -> list[Observation]:
    found: dict[str, property] = {}
    for base in cls.__mro__:
        for name, member in vars(base).items():
            if isinstance(member, property) and not name.startswith("_"):
                found.setdefault(name, member)
    parts = {name: ".name" if _answers_with_enum(member.fget) else "" for name, member in found.items()}
    return [Observation(f"{{x}}.{name}{part}") for name, part in parts.items()]


def _answers_with_enum(function: object) -> bool:
    annotation = written_annotations(function).get("return")
    answer = read_annotation(annotation, names_of_function(function))
    return isinstance(answer, ListedType) and answer.cls is not None


def _observations(template: Template) -> Iterator[Observation]:
    """Yield what the call answers; and the name of it, where it answers with an enum."""
    observation = _observation(template)
    yield observation
    if _answers_with_enum(template.operation.function):
        yield replace(observation, expression=f"{observation.expression}.name")


def _observation(template: Template) -> Observation:
    step = step_of(template)
    assert isinstance(step, Method)
    if step.name in READS and READS[step.name].count("{") == len(step.args) + 1 and not step.kwargs:
        sources = [None if argument == Ref(0) else source_of(Recipe((), argument)) for argument in step.args]
        imports = frozenset(line for source in sources if source is not None for line in source.imports)
        shown = ["{x}" if source is None else source.result for source in sources]
        return Observation(READS[step.name].format("{x}", *shown), imports)
    return Observation(*line_of(template))


def line_of(template: Template) -> tuple[str, frozenset[str]]:
    """Return the call as a line of source on `{x}`, with `made()` for every other object, and its imports."""
    source = source_of(Recipe((Call(Name("builtins", STAND_IN)), step_of(template)), Ref(0)), variable=STAND_IN)
    line = source.lines[-1].replace(f"{STAND_IN}()", "{x}").replace(STAND_IN, "{x}")
    return line.replace(ANOTHER, "made()"), frozenset(source.imports)


def step_of(template: Template) -> Step:
    """Return the step that makes the call on the result of step 0."""
    operation = template.operation
    steps: list[Step] = []
    others = template.places.count(1)
    objects: list[Argument] = [Ref(0), Name("builtins", ANOTHER)]
    _, args, kwargs = template.fill(objects, lambda value: _quote(value, steps))
    if steps or others > 1:
        raise RecipeError("arguments that need steps of their own are not written on one line")
    if operation.kind is Kind.SETTER:
        return Store(Ref(0), operation.name, args[0])
    if operation.kind is Kind.DELETER:
        return Method(Ref(0), "__delattr__", (operation.name,))
    if operation.kind is Kind.GETTER:
        return Method(Ref(0), GETS, (operation.name,))
    return Method(Ref(0), operation.name, args, kwargs)


def _quote(value: object, steps: list[Step]) -> Argument:
    if isinstance(value, slice):  # between brackets
        start, stop = ("" if each is None else repr(each) for each in (value.start, value.stop))
        return Name("builtins", f"{start}:{stop}")
    return quote(value, steps)


def fields_of(thing: object) -> list[tuple[str, object]]:
    """Return the public attributes of an object that have plain values; of an enum its name."""
    names = list(getattr(type(thing), "_fields", ()) if isinstance(thing, tuple) else ())
    names += getattr(thing, "__dict__", {})
    names += [name for cls in type(thing).__mro__ for name in _slots(cls)]
    public = [name for name in names if isinstance(name, str) and name.isidentifier() and not name.startswith("_")]
    seen = []
    for name in public:
        with contextlib.suppress(Exception):  # a property in the place of a field may raise anything
            seen.append((name, getattr(thing, name)))
    named = [(f"{name}.name", value.name) if isinstance(value, enum.Enum) else (name, value) for name, value in seen]
    return [(name, value) for name, value in named if is_plain(value)]


def attributes_of(thing: object) -> list[Observation]:
    """Return what the public attributes of an object show: themselves where they are plain, else how they are shown."""
    plain = [Observation(f"{{x}}.{name}") for name, _ in fields_of(thing)]
    names = {each.expression.partition(".")[2].partition(".")[0] for each in plain}
    others = [name for name in getattr(thing, "__dict__", {}) if name.isidentifier() and not name.startswith("_")]
    return [*plain, *(Observation(f"repr({{x}}.{name})") for name in others if name not in names)]


def _slots(cls: type) -> tuple[str, ...]:
    slots = vars(cls).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def is_plain(value: object) -> bool:
    """Tell whether the value can be written as source that gives it back, the same in every run."""
    match value:
        case int() if value.bit_length() > MOST_BITS:
            return False  # it has more digits than anybody reads, or Python writes
        case None | bool() | int() | str() | bytes():
            return type(value) in (type(None), bool, int, str, bytes)
        case float():
            return type(value) is float and math.isfinite(value)
        case list() | tuple() | set() | frozenset():
            return type(value) in (list, tuple, set, frozenset) and all(map(is_plain, value))
        case dict():
            return type(value) is dict and all(is_plain(part) for pair in value.items() for part in pair)
    return False


def source_of_value(value: object) -> str:
    """Return a plain value as source; sets in an order of their own, which does not change from run to run."""
    match value:
        case dict():
            return display("dict", [source_of_value(part) for pair in value.items() for part in pair])
        case list() | tuple():
            return display(type(value).__name__, list(map(source_of_value, value)))
        case set() | frozenset():
            return display(type(value).__name__, sorted(map(source_of_value, value)))
    return repr(value)
