"""Where the inputs of a test come from: a spec, a suite of cases, or one beside the other.

A source generates rows of JSON data, decodes them again, and checks what it decoded by code that shares nothing with
the generator. Everything above it (files, items, reports) knows only this.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from unlike.engine.verify import first_alike, first_illegal
from unlike.errors import RecipeError, SavedFileError, SpecError
from unlike.language.evaluate import choice_key, compiled
from unlike.language.spec import Spec
from unlike.language.values import Record, Value, build, quoted
from unlike.recipe import Argument, Blank, Call, Items, Method, Name, Recipe, Resolve, Step, Store, only, run
from unlike.saved import Json, recipe_from_data, recipe_to_data
from unlike.space.core import Branch, Everything, parts_of
from unlike.space.problem import Problem, take_apart
from unlike.suite import Status
from unlike.testing.decorators import Asked, Number, Provided, annotation_of, spec_of
from unlike.testing.encode import Codec, Encoders, canonical, shown
from unlike.testing.fingerprint import fingerprint

Data: TypeAlias = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Row:
    """One generated input as data, the choices that the difference made in it, and what it stands for."""

    input: Data
    choices: Mapping[str, int]
    label: str = ""


class Input(Protocol):
    """One decoded input: builds a fresh object for each of its parameters."""

    def build(self, name: str) -> object:
        """Return a fresh object for the parameter."""
        ...

    def recipe(self, name: str) -> Recipe:
        """Return how to build the object."""
        ...

    def word(self, name: str) -> object:
        """Return what the parameter is called in an id: a plain value."""
        ...


class Source(Protocol):
    """Generates rows, decodes saved ones, and checks them."""

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters it fills."""
        ...

    @property
    def fingerprint(self) -> str:
        """What changes when its inputs may change."""
        ...

    def generate(self, n: Number, timeout: float | None) -> tuple[list[Row], Status]:
        """Return up to n rows, and why there are no more."""
        ...

    def decode(self, data: Data, choices: Mapping[str, int]) -> Input:
        """Return the input that the data stand for, or refuse them."""
        ...

    def first_wrong(self, inputs: Sequence[Input]) -> tuple[int, str] | None:
        """Return the position of the first input that is not legal or like an earlier one, and why."""
        ...

    def fits(self, one: Input) -> bool:
        """Tell whether one input is legal, whatever else there is."""
        ...


def source_for(
    function: Callable[..., object], asked: Asked, *, open_names: Sequence[str], encoders: Encoders
) -> Source:
    """Return the source of a test: its blanks, the suite it is provided with, or both side by side."""
    if asked.invalid:
        raise SpecError(
            "invalid=True needs inputs that break one rule each, which cannot be generated yet; leave it out"
        )
    known = dict(encoders) | dict(asked.encoders)
    if asked.provided is None:
        return SpecSource(spec_of(function, asked, open_names=open_names), asked.seed, known)
    filled = _filled(function, asked.provided, open_names)
    provided = SuiteSource(replace(asked.provided, parameter=filled))
    beside = [name for name in open_names if name != filled]
    if not beside:
        return provided
    return SideBySide(provided, SpecSource(spec_of(function, asked, open_names=beside), asked.seed, known))


def _filled(function: Callable[..., object], provided: Provided, open_names: Sequence[str]) -> str:
    """Return the parameter that a suite fills: as said, as annotated, or the first one that is open."""
    if provided.parameter is not None:
        return provided.parameter
    annotated = [name for name in open_names if annotation_of(function, name) is provided.annotation]
    if not annotated and not open_names:
        raise SpecError(f"{getattr(function, '__qualname__', function)} has no parameter to fill; give it one")
    return (annotated or list(open_names))[0]


def source_text(one: Input, names: Sequence[str]) -> str:
    """Return an input as Python source to copy: imports, then an assignment for each parameter."""
    from unlike.writers import python_source  # a run in which nothing fails never comes here

    imports: set[str] = set()
    lines: list[str] = []
    for name in names:
        recipe = one.recipe(name)
        try:
            source = python_source.source_of(recipe, variable=f"{name}_")
        except RecipeError:  # no literal form: show what there is
            lines.append(f"{name} = {one.build(name)!r}")
            continue
        imports |= source.imports
        lines += [*source.lines, f"{name} = {source.result}"]
    return "\n".join([*sorted(imports), *lines])


# -- a spec ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SpecInput:
    """An assignment of plain values to the blanks of a spec."""

    blanks: Mapping[str, Value]
    assignment: dict[str, object]

    def build(self, name: str) -> object:
        """Return a fresh object: even members of an enumeration are copied, lest one test changes another's."""
        return build(self.blanks[name], copy.deepcopy(self.assignment[name]))

    def recipe(self, name: str) -> Recipe:
        """Return how to build the object."""
        steps: list[Step] = []
        result = quoted(self.blanks[name], self.assignment[name], steps)
        return Recipe(tuple(steps), result)

    def word(self, name: str) -> object:
        """Return the plain value, or what is built of it if that reads better."""
        value = self.blanks[name]
        if isinstance(value, Record) and value.build is not None and isinstance(built := self.build(name), str):
            return built
        return self.assignment[name]


class SpecSource:
    """The inputs of a spec."""

    def __init__(self, spec: Spec, seed: int, encoders: Encoders) -> None:
        self.spec = spec
        self.seed = seed
        self.names = tuple(spec.blanks)
        self.fingerprint = fingerprint(list(spec.blanks.items()), spec.assertions, spec.difference, seed)
        self.problem: Problem = take_apart(spec)
        self.branches = [part for part in parts_of(self.problem.difference) if isinstance(part, Branch)]
        self.codecs = {name: Codec(value, encoders) for name, value in spec.blanks.items()}

    def generate(self, n: Number, timeout: float | None) -> tuple[list[Row], Status]:
        """Return up to n rows, and why there are no more."""
        from unlike.engine.generate import SpecCases, generate  # a replay never comes here

        suite = generate(self.spec, None if n == "all" else n, timeout=timeout, seed=self.seed)
        cases = suite.cases
        assert isinstance(cases, SpecCases)
        return [self.row(assignment) for assignment in cases.inputs], suite.status

    def row(self, assignment: Mapping[str, object]) -> Row:
        """Return an assignment as data."""
        data = {name: codec.encode(assignment[name]) for name, codec in self.codecs.items()}
        choices = {key: value for key, value in assignment.items() if key.startswith("?") and type(value) is int}
        return Row(data, choices)

    def decode(self, data: Data, choices: Mapping[str, int]) -> SpecInput:
        """Return the assignment that the data stand for, or refuse them."""
        check_names(data, self.names)
        plain: dict[str, object] = {name: codec.decode(data[name]) for name, codec in self.codecs.items()}
        return SpecInput(self.problem.blanks, plain | dict(choices))

    def first_wrong(self, inputs: Sequence[Input]) -> tuple[int, str] | None:
        """Return the first input outside the spec, or like an earlier one, and why."""
        found = [one.assignment for one in inputs if isinstance(one, SpecInput)]
        try:
            illegal = first_illegal(self.problem, found)
        except Exception:
            illegal = self._first_raising(found)
        if illegal is not None:
            return illegal, "it breaks the spec"
        for position, assignment in enumerate(found):
            if not self._takes_its_branches(assignment):
                return position, "it does not take the branches of the pattern that it is said to take"
        try:
            alike = first_alike(self.problem, found)
        except Exception as error:
            return len(found) - 1, f"the difference cannot be evaluated: {type(error).__name__}: {error}"
        return None if alike is None else (alike[1], f"it is like input {alike[0] + 1}")

    def _first_raising(self, found: Sequence[dict[str, object]]) -> int:
        for position, assignment in enumerate(found):
            try:
                if first_illegal(self.problem, [assignment]) is not None:
                    return position
            except Exception:
                return position
        return len(found) - 1

    def _takes_its_branches(self, assignment: Mapping[str, object]) -> bool:
        for part in self.branches:
            from unlike.space.branches import cover_for  # regexes are loaded only for those who cover one

            if (choice := assignment.get(choice_key(part.number))) is None:
                continue
            cover = cover_for(part)
            string = compiled(part.term)(assignment)
            if not isinstance(choice, int) or not 0 <= choice < cover.choices or not isinstance(string, str):
                return False
            if not cover.derives(cover.made(choice).choice, string):
                return False
        return True

    def fits(self, one: Input) -> bool:
        """Tell whether one input is within the bounds and satisfies every assertion."""
        assert isinstance(one, SpecInput)
        try:
            return first_illegal(replace(self.problem, difference=Everything()), [one.assignment]) is None
        except Exception:
            return False


# -- a suite of cases --------------------------------------------------------------------------------------------


class Digest(str):
    """A word that only tells apart, and is left out of an id that has a label."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CaseInput:
    """A recipe, run with only the names that the test mentions."""

    name: str
    made: Recipe
    resolve: Resolve

    def build(self, name: str) -> object:
        """Return a fresh object."""
        del name
        return run(self.made, self.resolve)

    def recipe(self, name: str) -> Recipe:
        """Return how to build the object."""
        del name
        return self.made

    def word(self, name: str) -> object:
        """Return the digest of the recipe: an object has no short name of its own, only the label of its case."""
        del name
        return Digest(digest(recipe_to_data(self.made)))


class SuiteSource:
    """The cases of any suite, in one parameter."""

    def __init__(self, provided: Provided) -> None:
        if provided.parameter is None:
            raise SpecError("a provided suite needs the name of the parameter that it fills")
        self.provided = provided
        self.name = provided.parameter
        self.names = (self.name,)
        self.resolve = only(*provided.names)
        self.fingerprint = fingerprint(self.name, *provided.told)

    def generate(self, n: Number, timeout: float | None) -> tuple[list[Row], Status]:
        """Return the cases of the suite as rows."""
        suite = self.provided.suite(n, timeout)
        rows = []
        for case in suite:
            data = recipe_to_data(case.recipe)
            rows.append(Row({self.name: ["recipe", data, digest(data)]}, {}, case.label))
        return rows, suite.status

    def decode(self, data: Data, choices: Mapping[str, int]) -> CaseInput:
        """Return the recipe that the data stand for: whole, and naming only what it may."""
        del choices
        check_names(data, self.names)
        match data[self.name]:
            case ["recipe", dict(steps), str(mark)] if mark == digest(steps):
                recipe = recipe_from_data(steps)
                _check_recipe(recipe, self.resolve)
                return CaseInput(self.name, recipe, self.resolve)
        raise SavedFileError(f"{shown(data[self.name])} is not a recipe, or was changed after it was saved")

    def first_wrong(self, inputs: Sequence[Input]) -> tuple[int, str] | None:
        """Return the first recipe that was there before."""
        seen: dict[str, int] = {}
        for position, one in enumerate(inputs):
            text = canonical(recipe_to_data(one.recipe(self.name)))
            if text in seen:
                return position, f"it is like input {seen[text] + 1}"
            seen[text] = position
        return None

    def fits(self, one: Input) -> bool:
        """Tell whether the recipe still runs."""
        try:
            one.build(self.name)
        except Exception:
            return False
        return True


def digest(data: Json) -> str:
    """Return eight hexadecimal digits that stand for the data."""
    return hashlib.blake2b(json.dumps(data).encode(), digest_size=4).hexdigest()


def _check_recipe(recipe: Recipe, resolve: Resolve) -> None:
    """Refuse names that the test does not mention, and private methods, before anything runs."""
    from unlike.writers.python_source import OPERATORS  # the only dunder methods that a recipe may call

    try:
        for name in _names_in(recipe.result):
            resolve(name)
        for step in recipe.steps:
            for name in _names_in_step(step):
                resolve(name)
            match step:
                case Method(_, word) if word.startswith("_") and word not in OPERATORS:
                    raise SavedFileError(f"method {word!r} is private and may not be called by a saved input")
                case Store(_, word) if word.startswith("__"):
                    raise SavedFileError(f"attribute {word!r} may not be stored into by a saved input")
    except (RecipeError, AttributeError) as error:
        raise SavedFileError(str(error)) from error


def _names_in_step(step: Step) -> Iterator[Name]:
    match step:
        case Call(function, args, kwargs):
            arguments: list[Argument] = [function, *args, *(value for _, value in kwargs)]
        case Method(_, _, args, kwargs):
            arguments = [*args, *(value for _, value in kwargs)]
        case Blank(cls):
            arguments = [cls]
        case Store(_, _, value):
            arguments = [value]
    for argument in arguments:
        yield from _names_in(argument)


def _names_in(argument: Argument) -> Iterator[Name]:
    match argument:
        case Name():
            yield argument
        case Items(_, items):
            for item in items:
                yield from _names_in(item)


# -- one beside the other ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """An input of each of two sources."""

    first: Input
    second: Input
    names: tuple[str, ...]

    def of(self, name: str) -> Input:
        """Return the input that fills the parameter."""
        return self.first if name in self.names else self.second

    def build(self, name: str) -> object:
        """Return a fresh object."""
        return self.of(name).build(name)

    def recipe(self, name: str) -> Recipe:
        """Return how to build the object."""
        return self.of(name).recipe(name)

    def word(self, name: str) -> object:
        """Return what the parameter is called in an id."""
        return self.of(name).word(name)


class SideBySide:
    """A suite and blanks beside it: every case and every input at least once, the shorter list from its start again."""

    def __init__(self, first: SuiteSource, second: SpecSource) -> None:
        self.first = first
        self.second = second
        self.names = (*first.names, *second.names)
        self.fingerprint = digest([first.fingerprint, second.fingerprint]) * 2

    def generate(self, n: Number, timeout: float | None) -> tuple[list[Row], Status]:
        """Return the rows of both, paired."""
        ours, status = self.first.generate(n, timeout)
        theirs, other = self.second.generate(max(1, len(ours)), timeout)
        if not ours or not theirs:
            return [], status if not ours else other
        rows = []
        for i in range(max(len(ours), len(theirs))):
            one, two = ours[i % len(ours)], theirs[i % len(theirs)]
            rows.append(Row(one.input | two.input, two.choices, one.label or two.label))
        return rows, status

    def decode(self, data: Data, choices: Mapping[str, int]) -> Pair:
        """Return both inputs."""
        check_names(data, self.names)
        first = {name: data[name] for name in self.first.names}
        second = {name: data[name] for name in self.second.names}
        return Pair(self.first.decode(first, {}), self.second.decode(second, choices), self.first.names)

    def first_wrong(self, inputs: Sequence[Input]) -> tuple[int, str] | None:
        """Return the first pair whose input is illegal; cases and inputs may come again, but no pair of them."""
        pairs = [one for one in inputs if isinstance(one, Pair)]
        for position, pair in enumerate(pairs):
            if not self.second.fits(pair.second):
                return position, "it breaks the spec"
        return None

    def fits(self, one: Input) -> bool:
        """Tell whether both inputs are legal."""
        assert isinstance(one, Pair)
        return self.first.fits(one.first) and self.second.fits(one.second)


def check_names(data: Data, names: Sequence[str]) -> None:
    """Refuse an input that has other parameters than the test."""
    if sorted(data) != sorted(names):
        raise SavedFileError(f"it has the parameters {sorted(data)}, but the test has {sorted(names)}")


# -- ids -----------------------------------------------------------------------------------------------------------

LONGEST = 48


def short_id(one: Input, names: Sequence[str], label: str = "") -> str:
    """Return a readable id: the values, joined; shortened ones end in a digest so that they stay apart."""
    words = [one.word(name) for name in names]
    told = [_word(word) for word in words if not (label and isinstance(word, Digest))]
    title = re.sub(r"_+", "_", _safe(label)).strip("_")  # "Pile(); put(0)" is Pile_put_0
    whole = "-".join([title, *told] if title else told or [str(word) for word in words])
    if len(whole) <= LONGEST:
        return whole
    return f"{whole[: LONGEST - 9]}~{digest([repr(word) for word in words])}"


def _word(value: object) -> str:
    match value:
        case str():
            return _safe(value) if value else "empty"
        case None:
            return "None"
        case dict():
            return ",".join(_word(each) for each in value.values())
        case tuple() | list():
            return "+".join(map(_word, value)) if value else "none"
    named = getattr(value, "name", None) or getattr(value, "key", None)
    return _safe(named if isinstance(named, str) else str(value))


def _safe(text: str) -> str:
    """Return the text in characters that every shell, report and node id can show."""
    return re.sub(r"[^A-Za-z0-9_.:+@%=,/~-]", "_", text.replace("::", ":_")) or "_"
