"""The cases of any suite as inputs, by their recipes; and blanks of a spec beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from unlike.errors import RecipeError, SavedFileError, SpecError
from unlike.recipe import Argument, Blank, Call, Items, Method, Name, Recipe, Resolve, Step, Store, only, run
from unlike.saved import recipe_from_data, recipe_to_data
from unlike.suite import Status
from unlike.testing.decorators import Number, Provided
from unlike.testing.encode import canonical, shown
from unlike.testing.fingerprint import fingerprint
from unlike.testing.sources.base import Data, Input, Row, check_names, digest
from unlike.testing.sources.ids import Digest
from unlike.testing.sources.spec import SpecSource


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
