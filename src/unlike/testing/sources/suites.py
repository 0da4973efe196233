"""The cases of any suite as inputs, by their recipes; blanks of a spec beside them; and which of these a test has."""

from __future__ import annotations

import datetime
import decimal
import ipaddress
import pathlib
import uuid
import zoneinfo
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from unlike.errors import RecipeError, SavedFileError, SpecError
from unlike.recipe import (
    STANDARD_CONTAINERS,
    Call,
    Items,
    Method,
    Name,
    Recipe,
    Ref,
    Resolve,
    Step,
    Store,
    leaves_of,
    name_of,
    names_in,
    only,
    run,
)
from unlike.saved import Json, recipe_from_data, recipe_to_data, shorten_data
from unlike.suite import Case, Ending, Status
from unlike.testing.decorators import Asked, Number, Provided, annotation_of, spec_of, written_for
from unlike.testing.encode import Encoders, canonical
from unlike.testing.fingerprint import fingerprint
from unlike.testing.sources.base import (
    Data,
    Input,
    Nameless,
    Row,
    RowSource,
    check_names,
    choices_in_short,
    digest,
    words_of_recipe,
)
from unlike.testing.sources.spec import SpecSource
from unlike.types.resolve import plain_value, without_arguments

LEGAL = "legal"  # the parameter that learns whether an input of a mix is legal

# The value types of the standard library that recipes are made of.
STANDARD: dict[object, type] = {
    name_of(kind): kind
    for kind in (
        *STANDARD_CONTAINERS.values(),
        datetime.date,
        datetime.time,
        datetime.datetime,
        datetime.timedelta,
        zoneinfo.ZoneInfo,
        decimal.Decimal,
        uuid.UUID,
        pathlib.Path,
        pathlib.PurePosixPath,
        pathlib.PureWindowsPath,
        ipaddress.IPv4Address,
        ipaddress.IPv6Address,
        complex,
        bytearray,
    )
}


@dataclass(frozen=True, slots=True)
class CaseInput:
    """A recipe for each parameter, run with only the names that the test mentions."""

    recipes: Mapping[str, Recipe]
    resolve: Resolve

    def build(self, name: str) -> object:
        """Return a fresh object."""
        return run(self.recipes[name], self.resolve)

    def recipe(self, name: str) -> Recipe:
        """Return how to build the object."""
        return self.recipes[name]

    def word(self, name: str) -> object:
        """Return a plain value, or what the object is made of: its only name is the label of its case."""
        recipe = self.recipes[name]
        return recipe.result if is_plain(recipe) else Nameless(words_of_recipe(recipe))


def is_plain(recipe: Recipe) -> bool:
    """Tell whether a recipe is a value that stands for itself in an id."""
    return isinstance(recipe.result, bool | int | float | str | None)


class SuiteSource:
    """The cases of any suite, in one parameter, or in several if each case is a dict."""

    code_mark = ""

    def __init__(self, provided: Provided) -> None:
        if provided.parameter is None and not provided.keys:
            raise SpecError("a provided suite needs the name of the parameter that it fills")
        self.provided = provided
        self.names = provided.keys or (str(provided.parameter),)
        self.covers = provided.covers
        self.resolve = resolver(provided.names)
        self.fingerprint = fingerprint(self.names, *provided.told)

    def generate(self, n: Number, timeout: float | None) -> tuple[list[Row], Status]:
        """Return the cases of the suite as rows."""
        suite = self.provided.suite(n, timeout)
        return self.rows_of(suite), suite.status

    def rows_of(self, cases: Iterable[Case]) -> list[Row]:
        """Return cases as rows."""
        rows = []
        for case in cases:
            parts = parameters_of(case.recipe, self.names) if self.provided.keys else {self.names[0]: case.recipe}
            data = {name: recipe_to_data(recipe) for name, recipe in parts.items()}
            label = case.label
            if self.provided.shows_choices:
                label = choices_in_short(label, [name for name, recipe in parts.items() if is_plain(recipe)])
            rows.append(Row({name: ["recipe", each, digest(each)] for name, each in data.items()}, {}, label))
        return rows

    def decode(self, data: Data, choices: Mapping[str, int]) -> CaseInput:
        """Return the recipes that the data stand for: whole, and naming only what they may."""
        del choices
        check_names(data, self.names)
        return CaseInput({name: self._recipe(data[name]) for name in self.names}, self.resolve)

    def _recipe(self, data: Json) -> Recipe:
        match data:
            case ["recipe", dict(steps), str(mark)] if mark == digest(steps):
                recipe = recipe_from_data(steps)
                _check_recipe(recipe, self.resolve)
                return recipe
        raise SavedFileError(f"{shorten_data(data)} is not a recipe, or was changed after it was saved")

    def first_wrong(self, inputs: Sequence[Input]) -> tuple[int, str] | None:
        """Return the first recipe that was there before, or that the suite would not hold, and why."""
        seen: dict[str, int] = {}
        for position, one in enumerate(inputs):
            text = self.text(one)
            if text in seen:
                return position, f"it is like input {seen[text] + 1}"
            seen[text] = position
        if self.provided.check is None:
            return None
        return self.provided.check([{name: one.recipe(name) for name in self.names} for one in inputs], self.resolve)

    def text(self, one: Input) -> str:
        """Return the recipes of an input as text: the same text, the same case."""
        return canonical([recipe_to_data(one.recipe(name)) for name in self.names])

    def fits(self, one: Input) -> bool:
        """Tell whether the recipes still run, and make what the suite would hold."""
        try:
            for name in self.names:
                one.build(name)
        except Exception:
            return False
        return self.first_wrong([one]) is None


def parameters_of(recipe: Recipe, names: Sequence[str]) -> dict[str, Recipe]:
    """Return a recipe for each item of the dict that a recipe makes."""
    assert isinstance(recipe.result, Items)
    items = recipe.result.items
    made = dict(zip(items[::2], items[1::2], strict=True))
    return {name: _drop_needless_steps(Recipe(recipe.steps, made[name])) for name in names}


def _drop_needless_steps(recipe: Recipe) -> Recipe:
    """Return the recipe without steps if its result needs none of them."""
    refers = any(isinstance(each, Ref) for each in leaves_of([recipe.result]))
    return recipe if refers else Recipe((), recipe.result)


def _check_recipe(recipe: Recipe, resolve: Resolve) -> None:
    """Refuse names that the test does not mention, and private methods, before anything runs."""
    from unlike.writers.python_source import OPERATORS  # the only dunder methods that a recipe may call

    try:
        for name in names_in(recipe):
            resolve(name)
        for step in recipe.steps:
            match step:
                case Method(Ref(of)) | Store(Ref(of)) if _is_standard(recipe.steps[of]):
                    raise SavedFileError("a value of the standard library is made by a saved input, and nothing more")
                case Method(_, "__delattr__", (str(word),), ()) if not word.startswith("_"):
                    continue  # a property that can be deleted
                case Method(_, word) if word.startswith("_") and word not in OPERATORS:
                    raise SavedFileError(f"method {word!r} is private and may not be called by a saved input")
                case Store(_, word) if word.startswith("__"):
                    raise SavedFileError(f"attribute {word!r} may not be stored into by a saved input")
    except (RecipeError, AttributeError) as error:
        raise SavedFileError(str(error)) from error


def resolver(mentioned: Sequence[object]) -> Resolve:
    """Return what a saved input may name: what the test mentions, and the standard value types without their parts.

    How pytest calls the module of a test file depends on how it imports: `test_it` may be `tests.test_it`, too.
    """
    ours = only(*mentioned)
    modules = {name_of(each).module for each in mentioned}

    def resolve(name: Name) -> object:
        if name in STANDARD:
            return STANDARD[name]
        if name.module not in modules:
            last = name.module.rpartition(".")[2]
            called_alike = [each for each in modules if each.rpartition(".")[2] == last]
            name = Name(called_alike[0], name.qualname) if len(called_alike) == 1 else name
        return ours(name)

    return resolve


def _is_standard(step: Step) -> bool:
    return isinstance(step, Call) and step.function in STANDARD


@dataclass(frozen=True, slots=True)
class InputPair:
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

    covers = False
    code_mark = ""

    def __init__(self, first: SuiteSource, second: SpecSource | SuiteSource) -> None:
        self.first = first
        self.second = second
        self.names = (*first.names, *second.names)
        self.fingerprint = digest([first.fingerprint, second.fingerprint]) * 2

    def generate(self, n: Number, timeout: float | None) -> tuple[list[Row], Status]:
        """Return the rows of both, paired."""
        ours, status = self.first.generate(n, timeout)
        theirs, other = self.second.generate("all" if self.second.covers else max(1, len(ours)), timeout)
        if not ours or not theirs:
            return [], status if not ours else other
        rows = []
        for i in range(max(len(ours), len(theirs))):
            one, two = ours[i % len(ours)], theirs[i % len(theirs)]
            rows.append(Row(one.input | two.input, two.choices, one.label or two.label))
        if other.cut_short and not status.cut_short:
            return rows, other  # a failing predicate is not hidden by values that come again
        all_beside = other.ending is Ending.COMPLETE and len(rows) == len(ours) * len(theirs)
        # all cases are there, but not all inputs that could stand beside them
        some = status.ending is Ending.COMPLETE and not all_beside
        return rows, Status(Ending.FOUND, status.detail) if some else status

    def decode(self, data: Data, choices: Mapping[str, int]) -> InputPair:
        """Return both inputs."""
        check_names(data, self.names)
        first = {name: data[name] for name in self.first.names}
        second = {name: data[name] for name in self.second.names}
        return InputPair(self.first.decode(first, {}), self.second.decode(second, choices), self.first.names)

    def first_wrong(self, inputs: Sequence[Input]) -> tuple[int, str] | None:
        """Return the first pair that is wrong: cases and inputs come again, but no pair of them, and each is right."""
        pairs = [one for one in inputs if isinstance(one, InputPair)]
        cases: dict[str, int] = {}
        beside: dict[str, int] = {}
        seen: dict[tuple[str, str], int] = {}
        for position, pair in enumerate(pairs):
            both = self.first.text(pair.first), self.second.text(pair.second)
            if both in seen:
                return position, f"it is like input {seen[both] + 1}"
            seen[both] = position
            cases.setdefault(both[0], position)
            beside.setdefault(both[1], position)
        wrong = [
            _at(cases, self.first.first_wrong([pairs[i].first for i in cases.values()])),
            _at(beside, self.second.first_wrong([pairs[i].second for i in beside.values()])),
        ]
        return min((each for each in wrong if each is not None), default=None)

    def fits(self, one: Input) -> bool:
        """Tell whether both inputs are legal."""
        assert isinstance(one, InputPair)
        return self.first.fits(one.first) and self.second.fits(one.second)


def _at(places: Mapping[str, int], wrong: tuple[int, str] | None) -> tuple[int, str] | None:
    """Return what is wrong with the position it has among all inputs."""
    return None if wrong is None else (list(places.values())[wrong[0]], wrong[1])


# -- which source a test has ---------------------------------------------------------------------------


def source_for(
    function: Callable[..., object],
    asked: Asked,
    *,
    open_names: Sequence[str],
    encoders: Encoders,
    shared: Mapping[str, object] | None = None,
) -> RowSource:
    """Return the source of a test: its blanks, the suite it is provided with, or both side by side.

    `shared` are values that a file gives to every test; each counts where a type or class of the test has its name.
    """
    known = dict(encoders) | dict(asked.encoders)
    if shared:
        asked = _told_by_file(function, asked, open_names, shared)
    if asked.provided is None:
        source = _source_of_blanks(function, asked, open_names, known)
        return source if asked.code is None else _source_by_code(function, source, asked, open_names)
    filled = _parameter_to_fill(function, asked.provided, open_names)
    provided = SuiteSource(replace(_fitting(function, asked.provided, filled), parameter=filled))
    beside = [name for name in open_names if name != filled]
    if not beside:
        return provided
    theirs = replace(asked, provided=None, any_number=True)  # as many as it takes beside the objects
    second = _source_of_blanks(function, theirs, beside, known)
    assert isinstance(second, SpecSource | SuiteSource)
    return SideBySide(provided, second)


def _told_by_file(
    function: Callable[..., object], asked: Asked, names: Sequence[str], shared: Mapping[str, object]
) -> Asked:
    """Return what is asked, with the values of a file that name something of it; the test's own words come first."""
    if asked.provided is not None and asked.provided.given is not None:
        made = asked.provided.given(shared)
        made = replace(made, parameter=asked.provided.parameter, classes=asked.provided.classes)
        return replace(asked, provided=made)
    said = None if asked.spec is None else asked.spec.typed
    if asked.spec is not None and said is None:
        return asked
    from unlike.typed.literals import annotations_of  # types are read only for those who use them
    from unlike.types.choices import literals_used

    written = written_for(function, asked, names) if said is None else said.blanks
    used = literals_used(written, annotations_of(dict(shared.items())))
    own = {name: values for name, values in shared.items() if name in used}
    return replace(asked, literals={**own, **(asked.literals or {})}) if own else asked


def _source_of_blanks(
    function: Callable[..., object], asked: Asked, names: Sequence[str], encoders: Encoders
) -> RowSource:
    """Return the source of parameters that nothing else fills: a spec of values, or types that are covered together."""
    if asked.spec is not None and asked.spec.typed is not None:
        said, counts = asked.spec.typed, asked.cover is None and not asked.combined
        different = said.different if counts else ()  # the decorator says how inputs differ
        asked = replace(asked, spec=None, blanks=said.blanks, where=said.where, different=different)
    filled = [name for name in names if name != LEGAL or name in asked.blanks] if asked.mix is not False else names
    written = {} if asked.spec is not None else written_for(function, asked, filled)
    if asked.mix is not False:
        from unlike.testing.sources.mixed import mixed_inputs

        return SuiteSource(mixed_inputs(written, asked, tells=len(filled) < len(names)))
    if asked.invalid:
        from unlike.testing.sources.typed import invalid_inputs

        return SuiteSource(invalid_inputs(written, asked))
    if (
        asked.cover is None
        and not asked.combined
        and asked.literals is None
        and not any(plain_value(each) is None for each in written.values())
    ):
        return SpecSource(spec_of(function, asked, open_names=names), asked.seed, encoders)
    from unlike.testing.sources.typed import typed_source  # types are read only for those who use them

    return typed_source(written, asked, encoders)


def _source_by_code(
    function: Callable[..., object], source: RowSource, asked: Asked, names: Sequence[str]
) -> RowSource:
    """Return the source of blanks whose inputs are chosen by what code does with them."""
    from unlike.testing.sources.chosen import ChosenSource  # only for those who name code

    assert isinstance(source, SpecSource | SuiteSource)
    filled = [name for name in names if name != LEGAL or name in asked.blanks] if asked.mix is not False else names
    written = {} if isinstance(source, SpecSource) else written_for(function, asked, filled)
    return ChosenSource(source, asked, written)


def _parameter_to_fill(function: Callable[..., object], provided: Provided, open_names: Sequence[str]) -> str:
    """Return the parameter that a suite fills: as said, as annotated, or the first one that is open."""
    if provided.parameter is not None:
        return provided.parameter
    annotated = [name for name in open_names if _class_of(function, name) in provided.classes]
    shown = getattr(function, "__qualname__", function)
    if len(annotated) > 1:
        raise SpecError(
            f"{shown}: objects fill one parameter, and {' and '.join(annotated)} are annotated with their classes; "
            f"give one of them by a fixture, or write a class whose constructor takes both and ask for its objects"
        )
    if not annotated and not open_names:
        raise SpecError(f"{shown} has no parameter to fill; give it one")
    return (annotated or list(open_names))[0]


def _fitting(function: Callable[..., object], provided: Provided, filled: str) -> Provided:
    """Return the objects that a parameter takes: those of the class it is annotated with, where there are several."""
    cls = _class_of(function, filled) if len(provided.classes) > 1 and provided.narrowed is not None else None
    if not isinstance(cls, type) or cls not in provided.classes:
        return provided
    assert provided.narrowed is not None
    return replace(provided.narrowed(cls), classes=provided.classes)


def _class_of(function: Callable[..., object], name: str) -> object:
    """Return the annotation of a parameter without its type arguments."""
    return without_arguments(annotation_of(function, name))
