"""Saved objects on trial: whether an exploration could have built them, read call by call and state by state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from unlike.classes.api import Api, Kind, Template, Wanted, api_of
from unlike.classes.guessing.guesses import guesses_for
from unlike.classes.kept_inside import Judge, Larger, measure
from unlike.classes.soundness import methods_left_out, soundness_of
from unlike.classes.under_test import CodeUnderTest
from unlike.core import Bounds, Exploration, ExploreKeywords, record_of
from unlike.recipe import Argument, Call, Items, Method, Recipe, Ref, Resolve, Step, Store, quote, run
from unlike.scope import Limits, Outside, Scope


def first_not_built(
    recipes: Sequence[Recipe],
    *,
    targets: Sequence[object],
    options: ExploreKeywords,
    resolve: Resolve,
    of: type | None = None,
) -> tuple[int, str] | None:
    """Return the first recipe that no exploration of the targets would hold, and why.

    Each call must be one of the API with arguments from its pools; what it builds must lie within the scope, keep the
    invariant, be an object of the class wanted, and another state than all before it. A recipe that raises is left to
    its test, which shows how.
    """
    trial = _Trial(targets, options, of)
    wrong = _first_wrong(trial, recipes, resolve)
    while wrong is not None and trial.keeps_more():
        wrong = _first_wrong(trial, recipes, resolve)
    return wrong


def _first_wrong(trial: _Trial, recipes: Sequence[Recipe], resolve: Resolve) -> tuple[int, str] | None:
    seen: dict[bytes, int] = {}
    for position, recipe in enumerate(recipes):
        state = trial.state(recipe, resolve)
        if isinstance(state, str):
            return position, state
        if state is not None and state in seen:
            return position, f"it is like input {seen[state] + 1}: the same state by other calls"
        if state is not None:
            seen[state] = position
            trial.known = list(seen)
    return None


class _Trial:
    """The code as an exploration would begin with it; nothing is searched, but everything it knows is asked."""

    def __init__(self, targets: Sequence[object], options: ExploreKeywords, of: type | None) -> None:
        self.targets = targets
        self.of = of
        self.options = options
        self.bounds = record_of(Bounds, options).to_scope()
        self.extra: list[type] = []
        self.known: Sequence[bytes] = ()  # states within the scope
        self.larger: Larger | None = None  # what is in the object that is not
        self.code = self.begin()

    def begin(self) -> CodeUnderTest:
        """Return the code, with the classes met so far."""
        bounds, options = self.bounds, self.options
        limits = Limits(
            bounds.objects,
            bounds.objects_of,
            bounds.most_elements,
            options.get("omit_fields"),
            options.get("dict_order", True),
            options.get("keys") or {},
            kept=bounds.kept,
        )
        invariant = options.get("invariant")
        api = api_of(
            self.targets,
            bounds,
            methods=options.get("methods"),
            leave_out=methods_left_out(invariant),
            extra=self.extra,
            guesses=guesses_for(self.targets, bounds, Exploration.of(options)),
        )
        return CodeUnderTest(api, limits)

    def state(self, recipe: Recipe, resolve: Resolve) -> bytes | str | None:
        """Return the state of the object that a recipe makes, in words what is wrong with it, nothing if it raises."""
        results = _results(recipe, resolve)
        try:
            return None if results is None else self.judge(recipe, results)
        finally:
            self.code.fixtures.restore()

    def judge(self, recipe: Recipe, results: Sequence[object]) -> bytes | str:
        """Return the state of the last result, or in words what is wrong with how it came about."""
        *made, thing = results
        self.meet(made)
        wrong = _foreign_call(self.code.api, self.bounds, recipe, made) or self.foreign(thing)
        if wrong:
            return wrong
        state = self.code.walker.walk(thing)
        if not isinstance(state, Outside):
            return state
        self.larger = measure(self.code.walker, [thing])
        return f"it is outside the scope: {state.reason}"

    def keeps_more(self) -> bool:
        """Tell whether an object is outside for what its class keeps inside, and begin again knowing that."""
        larger, self.larger = self.larger, None
        if larger is None:
            return False
        table, bounds = self.code.walker.twin.tables[0], self.bounds
        kept = Judge().find_kept([larger], table, self.known, bounds.kept, is_any=bool(self.known))
        self.bounds = replace(bounds, kept={**bounds.kept, **kept})
        self.code = self.begin()
        return bool(kept)

    def meet(self, made: Sequence[object]) -> None:
        """Take in the classes of objects that an exploration would have met on the way."""
        known = (*self.code.api.classes, *self.extra)
        kinds = dict.fromkeys(type(thing) for thing in made)
        new = [cls for cls in kinds if not issubclass(cls, known) and self.code.watch.is_neighbour(cls)]
        if new:
            self.extra += new
            before = self.code
            self.code = self.begin()
            self.code.fixtures = before.fixtures  # as they were before anything ran

    def foreign(self, thing: object) -> str:
        """Say in words why an object is none of those explored; nothing if it is one."""
        classes = self.code.api.classes if self.of is None else (self.of,)
        if not isinstance(thing, classes):
            return f"it makes {type(thing).__name__}, not {' or '.join(cls.__name__ for cls in classes)}"
        sound = soundness_of(self.options.get("invariant"), self.code.api.classes)
        return "" if sound is None or sound.is_kept_by(thing) else f"it breaks {sound.name}"


def _results(recipe: Recipe, resolve: Resolve) -> list[object] | None:
    """Return what every step gave, and the object itself at the end; nothing if a step raises."""
    parts = (*map(Ref, range(len(recipe.steps))), recipe.result)
    try:
        made = run(Recipe(recipe.steps, Items("list", parts)), resolve)
    except Exception:  # the code under test may raise anything; its test will show it
        return None
    assert isinstance(made, list)
    return made


def _foreign_call(api: Api, bounds: Scope, recipe: Recipe, results: Sequence[object]) -> str:
    """Say in words which step is neither a call of the API nor part of a literal; nothing if each is one of them."""
    literal: set[int] = set()
    calls = 0
    for number in reversed(range(len(recipe.steps))):
        step = recipe.steps[number]
        if any(_is_call(template, step, recipe.steps, results, literal) for template in _templates_for(api, step)):
            calls += 1
        elif number not in literal:
            name = getattr(step, "name", None) or getattr(getattr(step, "function", None), "qualname", "a step")
            return f"step {number + 1}, {name}, is not a call that the scope allows"
    if bounds.calls is not None and calls > bounds.calls:
        return f"it makes {calls} calls, more than {bounds.calls}"
    return ""


def _templates_for(api: Api, step: Step) -> Iterator[Template]:
    """Yield the ways to call what the step calls."""
    for template in api.templates:
        operation = template.operation
        match step:
            case Call(function) if not operation.has_receiver and operation.recipe_name == function:
                yield template
            case Store(_, name) if operation.kind is Kind.SETTER and operation.name == name:
                yield template
            case Method(_, "__delattr__", (name,)) if operation.kind is Kind.DELETER and operation.name == name:
                yield template
            case Method(_, "__getattribute__", (name,)) if operation.kind is Kind.GETTER and operation.name == name:
                yield template
            case Method(_, name) if operation.kind is Kind.METHOD and operation.name == name:
                yield template


def _is_call(
    template: Template, step: Step, steps: Sequence[Step], results: Sequence[object], literal: set[int]
) -> bool:
    """Tell whether the step makes the call of the template; the steps that make its literals are noted."""
    match step:
        case Call(_, args, kwargs) | Method(_, _, args, kwargs):
            given: list[tuple[str, Argument]] = [("", each) for each in args] + list(kwargs)
        case Store(_, _, value):
            given = [("", value)]
        case _:
            return False
    if template.operation.kind in (Kind.DELETER, Kind.GETTER):
        return True
    wanted: list[tuple[str, Any]] = [("", each) for each in template.args] + list(template.kwargs)
    if [name for name, _ in given] != [name for name, _ in wanted]:
        return False
    used: set[int] = set()
    for (_, argument), (_, value) in zip(given, wanted, strict=True):
        if isinstance(value, Wanted):
            if not isinstance(argument, Ref) or not isinstance(results[argument.step], value.cls):
                return False
        else:
            own: list[Step] = []
            if _spelt(argument, steps, used) != _spelt(quote(value, own), own, set()):
                return False
    literal |= used
    return True


def _spelt(argument: Argument, steps: Sequence[Step], used: set[int]) -> object:
    """Return an argument written out, wherever its steps stand; the steps are noted."""
    match argument:
        case Ref(number):
            step = steps[number]
            used.add(number)
            if not isinstance(step, Call):
                return step
            args = tuple(_spelt(each, steps, used) for each in step.args)
            return step.function, args, tuple((key, _spelt(each, steps, used)) for key, each in step.kwargs)
        case Items(kind, items):
            return kind, tuple(_spelt(each, steps, used) for each in items)
    return type(argument).__name__, repr(argument)
