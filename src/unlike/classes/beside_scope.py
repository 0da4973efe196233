"""Calls that an exploration does not make: with -1, and with parameters it leaves out; and calls drawn one by one."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any

from unlike.classes.api import Operation, Template, template_of
from unlike.classes.parameters import OMITTED, Parameter
from unlike.types.first_values import told_by

MOST_BESIDE = 24  # calls of one operation
TRIED = 8  # combinations drawn for each call that is kept of them
PLAIN_WEIGHT = 10  # a call with plain arguments is drawn so many times as often as one with a container
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
    inside, beside = [_inside(each) for each in parameters], [_beside(each) for each in parameters]
    beside[1:] = [[each for each in values if not isinstance(each, slice)] for values in beside[1:]]  # `x[0:2] = 1`
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


def _inside(parameter: Parameter) -> list[Any]:
    """Return what an exploration passes, what is left out first."""
    values = [(each,) if parameter.star else each for each in parameter.pool.literals]
    return [*([OMITTED] if parameter.optional and not parameter.star else [()] if parameter.star else []), *values]


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
