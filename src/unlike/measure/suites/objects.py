"""Suites of objects: every object gets every call, and Python's own questions: repr, str, hash and comparisons."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from unlike.classes.api import Api, Template
from unlike.classes.evidence import Options
from unlike.classes.guessing.guesses import guesses_for
from unlike.classes.recipes import append_steps, step_of
from unlike.classes.run import SearchSpec
from unlike.classes.verb import explore_question
from unlike.classes.versions import with_questions
from unlike.core import Exploration
from unlike.errors import ScopeError, TargetError, UnlikeError
from unlike.field_exhaustive import fields
from unlike.heap.field_values import extensions
from unlike.heap.rebuild import compared_heap
from unlike.heap.walkers import make_walker
from unlike.invariants.verbs import structures
from unlike.isolation import Answer, call_in_copy
from unlike.measure.suites.made import MadeSuite, SuiteOrder
from unlike.measure.trials import CodeTrial, OneVersion
from unlike.progress import teller
from unlike.recipe import Argument, BareInstance, Call, Method, Recipe, Ref, Step, Store, run
from unlike.scope import Limits
from unlike.suite import Suite

OTHERS = 8  # objects that each is called with, where a call takes a second one
LONGEST = 10  # calls of a sequence that is drawn
MOST = 100_000  # tries of a suite: more of them are no suite that anybody runs


def api_within(cls: type, question: Exploration, scope: int | None = None) -> Api:
    """Return the calls of a class within the bounds, and Python's own questions."""
    if scope is not None:
        question = with_scope(question, scope)
    options = Options(question.states, question.exploring, question.isolation, question.deadline, teller())
    spec = SearchSpec((cls,), question.bounds.to_scope(), options)
    spec = replace(spec, guesses=guesses_for(spec.targets, spec.scope, question))
    return with_questions(spec.api(), OneVersion(cls, cls))


def with_scope(question: Exploration, scope: int) -> Exploration:
    """Return the question with another scope."""
    return replace(question, bounds=replace(question.bounds, scope=scope))


# -- suites of objects -----------------------------------------------------------------------------------


def explore_all(order: SuiteOrder, name: str, scope: int) -> MadeSuite:
    """Return every object within the scope."""
    cls, question = order.target(name), with_scope(order.question, scope)
    exploring = replace(question.exploring, values="concrete", protocols=False)
    result = explore_question((cls,), replace(question, exploring=exploring))
    recipes = result.first_recipes(len(result.numbers))
    made = of_objects(name, recipes, api_within(cls, question), whole=True)
    made.field_values = result.extensions().count()
    if result.status.cut_short:
        made.remarks.append(f"explore:{scope}: {result.status}")
    return made


def of_shapes(order: SuiteOrder, name: str, scope: int, *, boundary: bool) -> MadeSuite:
    """Return one object for each abstract state, or with its extreme values."""
    cls, question = order.target(name), with_scope(order.question, scope)
    result = explore_question((cls,), replace(question, exploring=replace(question.exploring, protocols=False)))
    return of_suite(order, name, result.one_per_shape(boundary=boundary), scope)


def of_fields(order: SuiteOrder, name: str, scope: int) -> MadeSuite:
    """Return the few structures that show every feasible value of every field."""
    cls, limits = order.target(name), order.question.isolation.of_one_process()
    return of_suite(order, name, fields(cls, scope, timeout=order.question.deadline, **limits).suite, scope)


def of_structures(order: SuiteOrder, name: str, scope: int) -> MadeSuite:
    """Return every structure that the invariant accepts."""
    cls, limits = order.target(name), order.question.isolation.of_one_process()
    found = structures(cls, scope, timeout=order.question.deadline, **limits)
    return of_suite(order, name, found.suite, scope)


def of_suite(order: SuiteOrder, name: str, suite: Suite, scope: int | None = None) -> MadeSuite:
    """Return the objects of any suite; refuse those of another class."""
    cls = order.target(name)
    recipes = [case.recipe for case in suite]
    for recipe in recipes:
        made = class_made_by(recipe)
        if made is not None and made != (cls.__module__, cls.__qualname__):
            raise ScopeError(f"{suite.name or 'the suite'} holds objects of {made[1]}, and {name} is measured")
    made_suite = of_objects(name, recipes, api_within(cls, order.question, scope), whole=False)
    made_suite.field_values = count_field_values(recipes, order)
    if suite.status.cut_short:
        made_suite.remarks.append(str(suite.status))
    return made_suite


def class_made_by(recipe: Recipe) -> tuple[str, str] | None:
    """Return the module and the name of the class that a recipe makes an object of, as far as it says so."""
    if not isinstance(recipe.result, Ref):
        return "builtins", type(recipe.result).__name__
    match recipe.steps[recipe.result.step]:
        case BareInstance(cls):
            return cls.module, cls.qualname
    return None


def count_field_values(recipes: Sequence[Recipe], order: SuiteOrder) -> int | None:
    """Return how many values fields have in some objects, which are made in a copy; None where they cannot be made."""

    def count() -> int:
        walker: Any = make_walker(Limits())
        heaps = []
        for recipe in recipes:
            state = walker.walk(run(recipe, past_errors=True))
            if isinstance(state, bytes):
                heaps.append(compared_heap(walker, state))
        return extensions(heaps).count()

    found = call_in_copy(count, replace(order.question.isolation, seconds_per_call=None), in_scratch=True)
    return found.result if isinstance(found, Answer) else None


def of_objects(name: str, recipes: Sequence[Recipe], api: Api, *, whole: bool) -> MadeSuite:
    """Return the tries that some objects give; of a whole exploration only the last call is looked at, since those
    before it are tries of their own.
    """
    trials: list[CodeTrial] = []
    for template in api.templates:
        if not template.wanted:
            trials += _try_call(name, template, [], whole=whole)
    own = (*api.classes, *api.extra)
    first = recipes[:OTHERS]
    for recipe in recipes:
        if not whole and not any(isinstance(each, BareInstance) for each in recipe.steps):
            trials.append(CodeTrial(name, recipe))
        for template in api.templates:
            if not template.wanted or not template.operation.has_receiver or len(trials) > MOST:
                continue
            if not issubclass(own[0], template.wanted[0]) or any(
                not issubclass(own[0], each) for each in template.wanted
            ):
                continue
            for others in _choices(first, len(template.wanted) - 1):
                trials += _try_call(name, template, [recipe, *others], whole=True)
    made = MadeSuite("", len(recipes), trials)
    if len(trials) > MOST:
        made.remarks.append(f"{len(recipes):,} objects give more than {MOST:,} calls, and the rest is left out")
    return made


def _choices(recipes: Sequence[Recipe], count: int) -> Iterator[tuple[Recipe, ...]]:
    if count == 0:
        yield ()
    elif count == 1:
        yield from ((each,) for each in recipes)
    else:
        yield tuple(recipes[:1]) * count


def _try_call(name: str, template: Template, objects: Sequence[Recipe], *, whole: bool) -> list[CodeTrial]:
    """Return the try of one call on some objects, if it can be written down."""
    steps: list[Step] = []
    roots: list[Argument] = []
    for each in objects:
        roots += append_steps(steps, each.steps, [each.result])
    try:
        last = step_of(template, roots, steps)
    except UnlikeError:
        return []
    steps.append(last)
    looks = len(steps) - 1 if whole else 0
    return [CodeTrial(name, Recipe(tuple(steps), Ref(len(steps) - 1)), looks)]


# -- sequences drawn at random ---------------------------------------------------------------------------


def at_random(order: SuiteOrder, name: str, count: int) -> MadeSuite:
    """Return so many sequences of calls, each drawn by itself: an object, and up to ten calls on it."""
    cls = order.target(name)
    api = api_within(cls, order.question)
    drawing = random.Random(f"measure {order.seed} {name}")
    choose: Callable[[Sequence[Any]], Any] = drawing.choice
    trials = [drawn_sequence(name, api, choose, drawing.randint(0, LONGEST)) for _ in range(count)]
    made = MadeSuite("", count, [each for each in trials if each is not None])
    made.field_values = count_field_values([_object_of(each) for each in made.trials], order)
    return made


def drawn_sequence(name: str, api: Api, choose: Callable[[Sequence[Any]], Any], length: int) -> CodeTrial | None:
    """Return a sequence that is chosen call by call: first of operations, then of their arguments."""
    makers, calls = _by_operation(api, needs=False), _by_operation(api, needs=True)
    if not makers:
        raise TargetError(f"nothing makes a {name}; its constructor needs what nobody knows a value for")
    steps: list[Step] = []
    roots: list[Argument] = []

    def make() -> Argument:
        steps.append(step_of(choose(choose(makers)), [], steps))
        return Ref(len(steps) - 1)

    roots.append(make())
    try:
        for _ in range(length if calls else 0):
            template = choose(choose(calls))
            objects = [roots[0], *(make() for _ in template.wanted[1:])]
            steps.append(step_of(template, objects, steps))
    except UnlikeError:  # a value that cannot be written down
        return None
    return CodeTrial(name, Recipe(tuple(steps), roots[0]))


def _by_operation(api: Api, *, needs: bool) -> list[list[Template]]:
    found: dict[int, list[Template]] = {}
    for each in api.templates:
        fits = each.operation.has_receiver and issubclass(api.classes[0], each.wanted[0]) if needs else not each.wanted
        if bool(each.wanted) is needs and fits:
            found.setdefault(id(each.operation), []).append(each)
    return list(found.values())


def _object_of(trial: CodeTrial) -> Recipe:
    return trial.recipe


def calls_in(trials: Iterable[CodeTrial]) -> int:
    """Return how many calls tries make that are looked at."""
    return sum(
        sum(isinstance(step, Call | Method | Store) for step in each.recipe.steps[each.looks :]) for each in trials
    )
