"""A space as behaviour is chosen from it: its first inputs in order, inputs that just fail, and whether one is legal.

What an input is made of stays plain, so that parts of it can be changed (`changes`): the text of a pattern, what the
blanks of a spec hold, the recipe of a value of a type.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Protocol, TypeVar
from urllib.parse import unquote

from unlike.core import CutShort, Deadline, Isolation
from unlike.documents.json_schema.document import JsonSchema
from unlike.documents.openapi.operations import WHERE
from unlike.errors import SpecError, UnlikeError
from unlike.isolation.copy import each_in_copies
from unlike.isolation.verdicts import Answer
from unlike.language.code_difference import CodeDifference, code_differences
from unlike.language.differences import AllOf, CoverStructure, NotDifferent, SomeOf, never
from unlike.language.evaluate import choice_key, compile_term
from unlike.language.spec import Spec
from unlike.language.terms import INT, Blank
from unlike.language.values import quote_value
from unlike.recipe import Argument, Items, Recipe, Step, import_name, recipe_of, run
from unlike.regex import match
from unlike.regex.automaton import Undecided
from unlike.regex.cover import Cover
from unlike.regex.further import count_texts
from unlike.regex.order import OrderedTexts, ordered_misses
from unlike.specs.core_difference import (
    Branch,
    Core,
    Every,
    Everything,
    Key,
    Negated,
    Python,
    Select,
    Some,
    parts_of,
)
from unlike.specs.generate import SpecCases, generate as generate_spec
from unlike.specs.isolated import runs_code
from unlike.specs.problem import Problem, take_apart
from unlike.specs.verify import compile_difference, find_illegal, first_unbuilt
from unlike.structure.building import runs_foreign_code
from unlike.structure.shapes import Check, Judged, Shape, first_failed
from unlike.structure.validity import makes
from unlike.suite import Ending, Status, Suite
from unlike.typed.conditions import conditions_of
from unlike.typed.generate import TypeCases
from unlike.typed.literals import annotations_of
from unlike.typed.verbs import generate, invalid
from unlike.types.choices import read_type

T = TypeVar("T")
MOST_REFERENCES = 20  # from one to the next: some go round in a circle


@dataclass(frozen=True, slots=True)
class FirstInputs:
    """The first inputs of a space in its own order, what each shows of the space, and how that ended."""

    plains: list[Any]
    labels: list[str]
    status: Status
    is_whole: bool  # no other input of the space exists


@dataclass(frozen=True, slots=True)
class BrokenInput:
    """An input that just fails: what it is made of, how it is built, and the rule it breaks."""

    plain: Any
    recipe: Recipe
    rule: str


@dataclass(frozen=True, slots=True)
class SeenInput:
    """An input, and what each code that its space speaks of did with it, as a number."""

    plain: Any
    seen: tuple[int, ...] = ()


class InputSpace(Protocol):
    """Where candidates come from."""

    @property
    def name(self) -> str:
        """What the suite is called."""

    @property
    def blanks(self) -> tuple[str, ...]:
        """The names of the parts, if an input is a dict of blanks."""

    @property
    def parts(self) -> Mapping[str, tuple[str, ...]]:
        """The keys that lead to parts of an object of JSON, by the parameter that they may go to."""

    @property
    def may_change(self) -> bool:
        """Whether an input with a part changed can be told to be legal."""

    @property
    def fails_by(self) -> str:
        """What is said of a changed input that is not legal; nothing where such inputs are not made."""

    def first(self, n: int) -> FirstInputs:
        """Return up to n inputs."""

    def misses(self, n: int) -> list[BrokenInput]:
        """Return up to n inputs that just fail."""

    def judge(self, plains: Sequence[Any]) -> list[bool | None]:
        """Say of each whether it is legal; nothing where that is not known."""

    def recipe(self, plain: Any) -> Recipe:
        """Return how the input is built."""

    def differs(self, one: SeenInput, two: SeenInput) -> bool:
        """Tell whether two inputs are as different as the space says they are to be."""

    @property
    def codes(self) -> tuple[CodeDifference, ...]:
        """What the difference of the space says of code."""


def _judge_each(
    is_legal: Callable[[T], bool], plains: Sequence[T], *, foreign: bool, isolation: Isolation, deadline: Deadline
) -> list[bool | None]:
    """Say of each input whether it is legal, asked in a copy of this process if code of the user's decides."""
    if not foreign:
        return [_ask(is_legal, each) for each in deadline.each(plains)]
    verdicts = each_in_copies(lambda at: _ask(is_legal, plains[at]), len(plains), isolation, deadline)
    return [verdict.result if isinstance(verdict, Answer) else None for verdict in verdicts]


def _ask(is_legal: Callable[[T], bool], plain: T) -> bool:
    try:
        return is_legal(plain)
    except CutShort:
        raise
    except Exception:  # a constructor, a check or an arithmetic of the user's refuses in any way
        return False


# -- patterns ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class TextSpace:
    """The texts of a pattern."""

    cover: Cover
    seed: int = 0
    name: str = "strings"
    blank: str | None = None  # the name of the only blank, where an input is a dict
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    may_change: bool = True
    fails_by: str = "does not match"
    difference: object = ()

    @property
    def blanks(self) -> tuple[str, ...]:
        """The name of the only blank, if there is one."""
        return () if self.blank is None else (self.blank,)

    @property
    def codes(self) -> tuple[CodeDifference, ...]:
        """What is said of code."""
        return tuple(code_differences(self.difference))

    def first(self, n: int) -> FirstInputs:
        """Return up to n texts: those that show the choices of the pattern, then further ones."""
        order = OrderedTexts(self.cover, self.seed, shares=True)
        found: dict[str, str] = {}
        status, total = Status(Ending.FOUND), None
        try:
            found.update(itertools.islice(_each_text(order), n))
            total = count_texts(self.cover.pattern, self.cover.deadline) if len(found) < n else None
        except Undecided as undecided:
            status = Status(Ending.UNKNOWN, str(undecided))
        except CutShort as cut:
            status = cut.status
        if not found and status.ending is Ending.FOUND:
            status = Status(Ending.UNSATISFIABLE, "no text matches the pattern")
        return FirstInputs(list(found), list(found.values()), status, total == len(found))

    def misses(self, n: int) -> list[BrokenInput]:
        """Return up to n texts that just fail."""
        try:
            found = itertools.islice(ordered_misses(self.cover, self.seed), n)
            return [BrokenInput(each.text, self.recipe(each.text), each.rule) for each in found]
        except Undecided:
            return []

    def judge(self, plains: Sequence[str]) -> list[bool | None]:
        """Say of each text whether it matches."""
        return [self._matches(each) for each in plains]

    def _matches(self, text: str) -> bool | None:
        try:
            accepted, by_python = match.judge(self.cover.pattern, text, self.cover.deadline)
        except Undecided:
            return None
        return accepted if accepted or by_python else None

    def recipe(self, plain: str) -> Recipe:
        """Return the text as a recipe."""
        return recipe_of(plain if self.blank is None else {self.blank: plain})

    def differs(self, one: SeenInput, two: SeenInput) -> bool:
        """Tell whether code treats two texts differently, where that is asked."""
        return not self.codes or code_differs(self.difference, one, two, iter(range(len(self.codes))))


def _each_text(order: OrderedTexts) -> Iterator[tuple[str, str]]:
    yield from ((each.text, each.label) for each in order.of_choices())
    yield from ((text, "") for text in order.further())
    yield from ((text, "") for text in order.list_rest())


# -- specs -------------------------------------------------------------------------------------------------------------


class SpecSpace:
    """The inputs of a spec, whose difference holds between those that are chosen.

    Where the difference is plain terms, candidates are all inputs of the spec; else those that it finds itself.
    """

    fails_by = ""
    parts: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    def __init__(self, spec: Spec, options: Mapping[str, Any], isolation: Isolation, deadline: Deadline) -> None:
        self.spec, self.options, self.isolation, self.deadline = spec, options, isolation, deadline
        self.name, self.blanks = spec.name, tuple(spec.blanks)
        own: Problem = take_apart(spec)
        self.codes: tuple[CodeDifference, ...] = tuple(code_differences(spec.difference))
        self.is_bare = spec.difference == never
        parts = list(parts_of(own.difference))
        self.selects = [each for each in parts if isinstance(each, Select)]
        runs_python = any(isinstance(each, Python) and not _is_of_code(each) for each in parts)
        chooses = any(isinstance(each, Branch) for each in parts) or not all(each.exclusive for each in self.selects)
        if self.codes and (runs_python or chooses):
            raise SpecError("cover.code(…) goes with differences of terms; leave out python_difference and cover.regex")
        self.may_change = self.is_bare or not (chooses or runs_python)
        self.problem = replace(own, difference=Everything())
        numbers = iter(range(len(self.codes)))
        core = _number_codes(own.difference, numbers)
        self.difference = compile_difference(core, own) if self.may_change and not self.is_bare else None
        self.find_illegal = find_illegal(self.problem)

    def first(self, n: int) -> FirstInputs:
        """Return up to n inputs."""
        spec = copy.copy(self.spec)
        if self.may_change:
            spec.difference = never
        suite = generate_spec(spec, n, timeout=self.deadline, **self.options)
        assert isinstance(suite.cases, SpecCases)
        whole = suite.status.ending is Ending.COMPLETE and (self.is_bare or self.may_change)
        return FirstInputs(list(suite.cases.inputs), list(suite.cases.labels), suite.status, whole)

    def find_one(self, spec: Spec) -> Suite:
        """Return an input of a spec like this one, with further conditions."""
        return generate_spec(spec, 1, timeout=self.deadline, **self.options)

    def misses(self, n: int) -> list[BrokenInput]:
        """Refuse: a spec states no single rule that an input could break."""
        del n
        raise SpecError(f"{self.spec!r} is a Spec; inputs that break a rule are made from types and patterns")

    def judge(self, plains: Sequence[Any]) -> list[bool | None]:
        """Say of each input whether it is within its bounds and satisfies every assertion."""
        foreign = runs_code(self.problem)
        return _judge_each(self._is_legal, plains, foreign=foreign, isolation=self.isolation, deadline=self.deadline)

    def _is_legal(self, plain: dict[str, object]) -> bool:
        return self.find_illegal([plain]) is None and first_unbuilt(self.problem, [plain]) is None

    def recipe(self, plain: dict[str, object]) -> Recipe:
        """Return how the dict of blanks is built."""
        steps: list[Step] = []
        items: list[Argument] = []
        for name, value in self.spec.blanks.items():
            items += [name, quote_value(value, plain[name], steps)]
        return Recipe(tuple(steps), Items("dict", tuple(items)))

    def differs(self, one: SeenInput, two: SeenInput) -> bool:
        """Tell whether two inputs differ as the spec says."""
        return self.difference is None or self.difference(self._with_choices(one), self._with_choices(two))

    def _with_choices(self, one: SeenInput) -> dict[str, object]:
        """Return an input with the choices that a difference makes of it, and what code did with it."""
        chosen: dict[str, object] = {}
        for each in self.selects:
            holding = [at for at, node in enumerate(each.assertions) if compile_term(node)(one.plain)]
            chosen[choice_key(each.number)] = holding[0] if holding else -1
        return {**one.plain, **chosen, **{_code_key(number): seen for number, seen in enumerate(one.seen)}}


def _is_of_code(part: Python) -> bool:
    return isinstance(getattr(part.function, "__self__", None), CodeDifference)


def _code_key(number: int) -> str:
    return f"?code{number}"  # no blank can have it


def _number_codes(core: Core, numbers: Iterator[int]) -> Core:
    """Return a difference in which what code does is a term: a blank that holds a number of what it did."""
    match core:
        case Python() if _is_of_code(core):
            return Key(Blank(_code_key(next(numbers)), INT))
        case Every(parts) | Some(parts) | Select(parts=parts):
            return replace(core, parts=tuple(_number_codes(part, numbers) for part in parts))
        case Negated(part):
            return Negated(_number_codes(part, numbers))
    return core


# -- types and schemas -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class TypeSpace:
    """The values of a type, or the instances of a JSON Schema."""

    annotation: object
    options: Mapping[str, Any]  # of `generate`: cover, where, different, literals, seed
    isolation: Isolation
    deadline: Deadline
    depth: int = 2
    name: str = ""
    blanks: tuple[str, ...] = ()
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    may_change: bool = True
    shape: Shape | None = None
    checks: tuple[Check, ...] = ()
    limits: dict[str, Any] = field(default_factory=dict)
    fails_by: str = ""
    difference: object = ()  # of code, which no generator knows of

    def __post_init__(self) -> None:
        different = self.options.get("different", ())
        if any(code_differences(different)):
            self.difference, different = different, ()
            self.options = {**self.options, "different": ()}
        self.may_change = different in (None, ()) or isinstance(different, CoverStructure)
        self.limits = {"timeout": self.deadline, "depth": self.depth, **self.isolation.of_one_process()}
        if isinstance(self.annotation, Mapping):
            self.blanks = tuple(map(str, self.annotation))
        if isinstance(self.annotation, JsonSchema):
            self.fails_by = "rejected by the validator"
            self.parts = _parts_of_schema(self.annotation)

    def first(self, n: int) -> FirstInputs:
        """Return up to n values."""
        suite: Suite = generate(self.annotation, n, **self.options, **self.limits)
        self.name = self.name or suite.name
        cases = list(suite)
        if self.may_change:
            self._read_shape(suite)
        whole = suite.status.ending is Ending.COMPLETE and self.may_change
        return FirstInputs([each.recipe for each in cases], [each.label for each in cases], suite.status, whole)

    def _read_shape(self, suite: Suite) -> None:
        if isinstance(self.annotation, JsonSchema):
            assert isinstance(suite.cases, TypeCases)
            self.shape = suite.cases.shape
            return
        literals = annotations_of(self.options.get("literals"))
        self.shape = read_type(self.annotation, depth=self.depth, literals=literals).shape
        self.checks = conditions_of(self.options.get("where", ()), self.shape).checks

    def misses(self, n: int) -> list[BrokenInput]:
        """Return up to n data that break one rule each."""
        found = invalid(self.annotation, **self.limits).first(n)
        return [BrokenInput(case.recipe, case.recipe, case.label) for case in found]

    def judge(self, plains: Sequence[Recipe]) -> list[bool | None]:
        """Say of each value whether it keeps every rule of the type."""
        assert self.shape is not None
        foreign = runs_foreign_code(self.shape) and not isinstance(self.shape, Judged)
        return _judge_each(
            self._is_legal,
            plains,
            foreign=foreign or bool(self.checks),
            isolation=self.isolation,
            deadline=self.deadline,
        )

    def _is_legal(self, plain: Recipe) -> bool:
        assert self.shape is not None
        try:
            if not makes(self.shape, plain, import_name):
                return False
        except UnlikeError:
            return False
        return not self.checks or first_failed(self.checks, run(plain)) is None

    def recipe(self, plain: Recipe) -> Recipe:
        """Return the recipe itself."""
        return plain

    @property
    def codes(self) -> tuple[CodeDifference, ...]:
        """What is said of code."""
        return tuple(code_differences(self.difference))

    def differs(self, one: SeenInput, two: SeenInput) -> bool:
        """Tell whether code treats two values differently, where that is asked."""
        return not self.codes or code_differs(self.difference, one, two, iter(range(len(self.codes))))


def _parts_of_schema(schema: JsonSchema) -> dict[str, tuple[str, ...]]:
    """Return the properties of an object by name; of a request also the parameters in its parts."""
    found: dict[str, tuple[str, ...]] = {}
    properties = _properties(schema, schema.document.value_at(schema.pointer))
    for name in properties:
        found[_as_parameter(name)] = (name,)
    for part in WHERE if schema.frame else ():
        for name in _properties(schema, properties.get(part)):
            found.setdefault(_as_parameter(name), (part, name))
    return found


def _properties(schema: JsonSchema, part: object) -> Mapping[str, object]:
    """Return the properties that a part of a document names, also if it stands elsewhere in it."""
    for _ in range(MOST_REFERENCES):
        if not isinstance(part, Mapping):
            return {}
        reference = part.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            found = part.get("properties")
            return found if isinstance(found, Mapping) else {}
        part = schema.document.value_at(unquote(reference).removeprefix("#"))
    return {}


def _as_parameter(name: str) -> str:
    """Return a name as Python could have it: `X-Rate` is `x_rate`."""
    return name if name.isidentifier() else re.sub(r"\W", "_", name).lower()


def code_differs(difference: object, one: SeenInput, two: SeenInput, numbers: Iterator[int]) -> bool:
    """Tell whether two inputs differ, where a difference speaks of code alone."""
    match difference:
        case CodeDifference():
            number = next(numbers)
            return one.seen[number] != two.seen[number]
        case AllOf(parts):
            return min(code_differs(part, one, two, numbers) for part in parts)  # all are asked: each has its number
        case SomeOf(parts) | list(parts) | tuple(parts):
            return max(code_differs(part, one, two, numbers) for part in parts)
        case NotDifferent(part):
            return not code_differs(part, one, two, numbers)
    raise SpecError(f"{difference!r} stands beside cover.code(…); write both in a Spec, whose blanks they can speak of")
