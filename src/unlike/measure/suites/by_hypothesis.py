"""Suites that Hypothesis draws: strategies made from the same types, rules made from the same operations."""

from __future__ import annotations

import inspect
from typing import Any

from unlike.classes.api import Api, Template
from unlike.errors import ScopeError, UnlikeError
from unlike.measure.suites import objects
from unlike.measure.suites.made import MadeSuite, SuiteOrder
from unlike.measure.trials import CodeTrial
from unlike.recipe import Call, Given, Recipe, Ref, Step, leaves_of, name_of, quote
from unlike.types.resolve import UnresolvedName, names_of_function, resolve, signature_of, written_annotations

LONGEST = 50  # calls of a sequence, as many as Hypothesis makes of its own accord


def drawn_by_hypothesis(order: SuiteOrder, name: str, count: int) -> MadeSuite:
    """Return so many examples, the same for the same seed."""
    try:
        import hypothesis  # only where it is asked for
        from hypothesis import strategies
    except ImportError:
        raise ScopeError("--suite hypothesis:N needs Hypothesis: pip install hypothesis") from None

    target = order.target(name)
    trials: list[CodeTrial] = []
    if isinstance(target, type):
        api = objects.api_within(target, order.question)
        drawn: Any = strategies.data()
    else:
        drawn = strategies.fixed_dictionaries(_arguments(target, name, strategies))
    settings = hypothesis.settings(
        max_examples=count, database=None, deadline=None, derandomize=False,
        suppress_health_check=list(hypothesis.HealthCheck), phases=[hypothesis.Phase.generate],
        verbosity=hypothesis.Verbosity.quiet,
    )  # fmt: skip

    @hypothesis.seed(order.seed)
    @settings
    @hypothesis.given(drawn)
    def collect(value: Any) -> None:
        trial = _sequence(name, api, value, strategies) if isinstance(target, type) else _call(name, target, value)
        if trial is not None:
            trials.append(trial)

    collect()
    made = MadeSuite("", len(trials), trials)
    if isinstance(target, type):
        made.field_values = objects.count_field_values([each.recipe for each in trials], order)
    return made


def _arguments(target: Any, name: str, strategies: Any) -> dict[str, Any]:
    """Return a strategy for each parameter that is annotated."""
    found = {}
    for key, parameter in signature_of(target).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        written = written_annotations(inspect.unwrap(target)).get(key, parameter.empty)
        read = (
            resolve(written, names_of_function(inspect.unwrap(target))) if written is not parameter.empty else written
        )
        if read is parameter.empty or isinstance(read, UnresolvedName):
            if parameter.default is not parameter.empty:
                continue
            raise ScopeError(f"parameter {key!r} of {name} has no annotation that Hypothesis could draw from")
        found[key] = strategies.from_type(read)
    return found


def _call(name: str, target: Any, value: dict[str, Any]) -> CodeTrial | None:
    steps: list[Step] = []
    kwargs = tuple((key, quote(each, steps)) for key, each in value.items())
    if any(isinstance(each, Given) for _, argument in kwargs for each in leaves_of([argument])):
        return None  # what cannot be written down
    placed = {key for key, each in signature_of(target).parameters.items() if each.kind is each.POSITIONAL_ONLY}
    args = tuple(each for key, each in kwargs if key in placed)
    steps.append(Call(name_of(target), args, tuple(each for each in kwargs if each[0] not in placed)))
    return CodeTrial(name, Recipe(tuple(steps), Ref(len(steps) - 1)), len(steps) - 1)


def _sequence(name: str, api: Api, data: Any, strategies: Any) -> CodeTrial | None:
    """Return a sequence that is drawn rule by rule; whole numbers are drawn freely, other arguments from the pools."""

    def choose(options: Any) -> Any:
        if isinstance(options[0], Template):
            return _with_numbers(data.draw(strategies.sampled_from(options)), data, strategies)
        return data.draw(strategies.sampled_from(options))

    length = data.draw(strategies.integers(0, LONGEST))
    try:
        return objects.drawn_sequence(name, api, choose, length)
    except UnlikeError:
        return None


def _with_numbers(template: Template, data: Any, strategies: Any) -> Template:
    """Return a call with every whole number and text drawn anew, as the types allow."""

    def draw_anew(value: Any) -> Any:
        if type(value) is int:
            return data.draw(strategies.integers())
        if type(value) is str:
            return data.draw(strategies.text(max_size=10))
        return value

    args = tuple(map(draw_anew, template.args))
    kwargs = tuple((key, draw_anew(value)) for key, value in template.kwargs)
    return Template(template.operation, args, kwargs, template.wanted, template.places, template.first)
