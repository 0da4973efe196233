"""Suites of inputs: a function is called once with each."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from unlike.behaviour.calls import passed_inputs
from unlike.behaviour.verbs import SpaceChoice, generate, space_of
from unlike.diff.functions import CallsWithInputs, annotated_inputs
from unlike.diff.objects import Compared
from unlike.errors import ScopeError, SpecError
from unlike.language.spec import Spec
from unlike.measure.suites.made import MadeSuite, SuiteOrder
from unlike.measure.trials import CodeTrial, OneVersion
from unlike.recipe import Items, Recipe
from unlike.suite import Suite

MOST = 2_000  # inputs of a spec that does not say how many


def in_pairs(order: SuiteOrder, name: str) -> MadeSuite:
    """Return the inputs that show every pair of choices of the parameters."""
    return of_space(order, name, _space(order, name), cover="pairs")


def of_spec(order: SuiteOrder, name: str, word: str) -> MadeSuite:
    """Return the inputs of a spec, a type, a pattern or a schema that is named."""
    return of_space(order, name, order.load(word), cover=None)


def draw_inputs(order: SuiteOrder, name: str, count: int) -> MadeSuite:
    """Return so many inputs, drawn from what the annotations say."""
    space = _space(order, name)
    if space == {}:
        return of_recipes(order, name, [Recipe((), Items("dict", ()))], None)
    return of_space(order, name, space, cover=None, n=count)


def _space(order: SuiteOrder, name: str) -> object:
    if order.inputs is not None:
        return order.inputs
    target = order.target(name)
    try:
        return annotated_inputs(Compared(name, target, target))
    except SpecError as error:
        raise ScopeError(f"{error}; say what to pass: --inputs MODULE:SPEC, a type, a pattern or a schema") from None


def of_space(order: SuiteOrder, name: str, space: object, *, cover: str | None, n: int | None = None) -> MadeSuite:
    """Return the first inputs of a space, in its own order."""
    if space == {}:
        return of_recipes(order, name, [Recipe((), Items("dict", ()))], None)
    question = order.question
    limits: Any = question.isolation.of_one_process()
    if isinstance(space, Suite):
        return of_suite(order, name, space)
    if cover is not None and not isinstance(space, Spec) and not hasattr(space, "pattern"):
        found = generate(space, cover=cover, seed=order.seed, timeout=question.deadline, **limits)
        blanks = tuple(space) if isinstance(space, dict) else ()
        return of_recipes(order, name, [case.recipe for case in found], blanks)
    chosen: SpaceChoice = {
        "cover": None,
        "where": (),
        "different": (),
        "seed": order.seed,
        "literals": question.bounds.literals,
    }
    made_space, own = space_of(space, chosen, limits, question.isolation, question.deadline, depth=2, mixes=False)
    wanted = n or own or MOST
    first = made_space.first(wanted)
    recipes = [made_space.recipe(each) for each in itertools.islice(first.plains, wanted)]
    return of_recipes(order, name, recipes, made_space.blanks, made_space.parts)


def of_suite(order: SuiteOrder, name: str, suite: Suite) -> MadeSuite:
    """Return the inputs of a suite that was saved, or made elsewhere."""
    recipes = [case.recipe for case in suite]
    names = {_keys(each) for each in recipes}
    blanks = next(iter(names)) if len(names) == 1 else None
    return of_recipes(order, name, recipes, blanks or ())


def _keys(recipe: Recipe) -> tuple[str, ...] | None:
    result = recipe.result
    if not isinstance(result, Items) or result.kind != "dict":
        return None
    keys = result.items[::2]
    return tuple(map(str, keys)) if all(isinstance(each, str) for each in keys) else None


def of_recipes(
    order: SuiteOrder, name: str, recipes: Sequence[Recipe], blanks: Sequence[str] | None, parts: Any = None
) -> MadeSuite:
    """Return the calls of a function with some inputs; refuse those that it cannot take."""
    target = order.target(name)
    passed = None
    if blanks is not None:
        try:
            passed = passed_inputs(target, blanks, parts or {})[0]
        except SpecError as error:
            raise ScopeError(f"the suite is of another function: {error}") from None
    calls = CallsWithInputs(Compared(name, target, target), OneVersion(target, target), passed)
    whole = [calls.whole(each) for each in recipes]
    return MadeSuite("", len(recipes), [CodeTrial(name, each, len(each.steps) - 1) for each in whole])
