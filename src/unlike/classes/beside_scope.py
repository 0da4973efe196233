"""Calls that an exploration does not make: with -1, and with parameters it leaves out; and calls drawn one by one."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from unlike.classes.api import Operation, Template, template_of
from unlike.classes.parameters import OMITTED, Parameter
from unlike.types.first_values import told_by

MOST_BESIDE = 24  # calls of one operation
TRIED = 8  # combinations drawn for each call that is kept of them
PLAIN_WEIGHT = 10  # a call with plain arguments is drawn so many times as often as one with a container
BEYOND = 2  # ints after the last of the scope
FEWEST_INTS = 2  # of a scope that has further ones: a single value says nothing of what may follow
BESIDE_SHARE = 0.1  # of the arguments of a longer sequence
MOST_ELEMENTS = 4  # of a container that is drawn; and the greatest int in it
PAIR = 2  # ints of a tuple that stands for an entry: a key and its value
CONTAINERS = (list, dict, set, frozenset)


def beside_scope(templates: Sequence[Template]) -> list[Template]:
    """Return calls with an argument beside the scope: first with one each, then with several together."""
    operations = {id(each.operation): each.operation for each in templates}
    return [each for operation in operations.values() for each in calls_beside(operation)]


def calls_beside(operation: Operation) -> list[Template]:
    """Return calls of one operation with an argument beside the scope."""
    parameters = operation.written
    if any(each.whole for each in parameters) or not any(each.pool.beside for each in parameters):
        return []
    inside, beside = [_inside(each) for each in parameters], _all_beside(parameters)
    if not all(inside):
        return []  # it needs an object
    combinations = itertools.chain(_one_each(inside, beside), _draw_together(inside, beside, operation.title))
    found: dict[str, Template] = {}
    for each in combinations:
        if template := template_of(operation, parameters, each):
            found.setdefault(repr(each), template)
        if len(found) == MOST_BESIDE:
            break
    return list(found.values())


def _beyond(parameter: Parameter) -> list[Any]:
    """Return the next ints of a parameter that takes the first ones."""
    ints = parameter.pool.literals
    if len(ints) < FEWEST_INTS or any(type(each) is not int for each in ints) or set(ints) != set(range(len(ints))):
        return []
    values = [len(ints) + more for more in range(BEYOND)]
    return [(each,) for each in values] if parameter.star else list(values)


def _inside(parameter: Parameter) -> list[Any]:
    """Return what an exploration passes, what is left out first."""
    values = [(each,) if parameter.star else each for each in parameter.pool.literals]
    return [*([OMITTED] if parameter.optional and not parameter.star else [()] if parameter.star else []), *values]


def _all_beside(parameters: Sequence[Parameter]) -> list[list[Any]]:
    """Return for each parameter what an exploration does not pass: slices only for the first, as in `x[0:2] = 1`."""
    beside = [_beside(each) for each in parameters]
    return [*beside[:1], *([each for each in values if not isinstance(each, slice)] for values in beside[1:])]


def _beside(parameter: Parameter) -> list[Any]:
    """Return what an exploration does not pass."""
    known = [told_by(each) for each in parameter.pool.literals]
    values = [each for each in parameter.pool.beside if told_by(each) not in known]
    return [(each,) for each in values] if parameter.star else values


def _one_each(inside: Sequence[list[Any]], beside: Sequence[list[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield the first of all that is passed, with one argument beside it."""
    usual = [each[0] for each in inside]
    for place, values in enumerate(beside):
        for value in values:
            yield (*usual[:place], value, *usual[place + 1 :])


def _draw_together(inside: Sequence[list[Any]], beside: Sequence[list[Any]], seed: str) -> Iterator[tuple[Any, ...]]:
    """Yield combinations with an argument beside the scope, but no containers, the same ones each time."""
    drawing = random.Random(seed)
    beside = [[each for each in values if not isinstance(each, list | dict)] for values in beside]
    for _ in range(TRIED * MOST_BESIDE):
        chosen = tuple(drawing.choice([*within, *other]) for within, other in zip(inside, beside, strict=True))
        if any(each in other for each, other in zip(chosen, beside, strict=True)):
            yield chosen


def draw_call(templates: Sequence[Template], drawing: random.Random) -> Template:
    """Return one of the calls; one with plain arguments is more likely."""
    passed = [(*each.args, *(value for _, value in each.kwargs)) for each in templates]
    weights = [1 if any(isinstance(arg, CONTAINERS) for arg in args) else PLAIN_WEIGHT for args in passed]
    return drawing.choices(templates, weights)[0]


class DrawnArguments(NamedTuple):
    """A call with arguments that were drawn, and whether one of them is beside the scope."""

    template: Template
    beside: bool


def draw_arguments(operation: Operation, drawing: random.Random) -> DrawnArguments | None:
    """Return a call with each argument drawn by itself, also beyond the scope; None if it needs objects."""
    parameters = operation.written
    inside = [_inside(each) for each in parameters]
    if any(each.whole for each in parameters) or not all(inside):
        return None
    chosen, beside = [], False
    for parameter, usual, odd in zip(parameters, inside, _all_beside(parameters), strict=True):
        if odd and drawing.random() < BESIDE_SHARE:
            chosen.append(drawing.choice(odd))
            beside = True
        else:
            several = range(drawing.randint(1, 2) if parameter.star else 1)
            drawn = [_vary(drawing.choice([*usual, *_beyond(parameter)]), drawing) for _ in several]
            chosen.append(tuple(itertools.chain.from_iterable(drawn)) if parameter.star else drawn[0])
    template = template_of(operation, parameters, chosen)
    return None if template is None else DrawnArguments(template, beside)


def _vary(value: Any, drawing: random.Random) -> Any:
    """Return a container of ints, or of pairs of them, with other ints in it; everything else as it is."""
    most = MOST_ELEMENTS
    if type(value) is dict and value and _are_ints([*value, *value.values()]):
        return {_draw_int(drawing): _draw_int(drawing) for _ in range(drawing.randint(0, most))}
    if type(value) not in (list, set, frozenset) or not value:
        return value
    if _are_ints(value):
        return type(value)(_draw_int(drawing) for _ in range(drawing.randint(0, most)))
    if all(type(each) is tuple and len(each) == PAIR and _are_ints(each) for each in value):
        return type(value)((_draw_int(drawing), _draw_int(drawing)) for _ in range(drawing.randint(0, most)))
    return value


def _are_ints(values: Iterable[Any]) -> bool:
    return all(type(each) is int for each in values)


def _draw_int(drawing: random.Random) -> int:
    return drawing.randint(0, MOST_ELEMENTS)
