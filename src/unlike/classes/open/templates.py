"""From the ways to call an operation to the few in which its integers, strings and floats are left open.

What is in lists and tuples is left open, too: all pairs of the numbers 0 to 2 become one pair of open values.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from unlike.classes.api import Api, Template, choices_of, templates_of
from unlike.classes.parameters import Parameter
from unlike.classes.pools import Pool
from unlike.scope import Scope
from unlike.zones.open_values import KINDS, TOKENS, PythonToken, RankedToken, Scale, find_scales

OpenValue: TypeAlias = PythonToken | RankedToken
TOKEN_KINDS = {*KINDS, *TOKENS.values()}
ROWS = (list, tuple)  # what may have open values inside
LARGEST = 3_000  # distance from zero up to which the compiled module keeps bounds in 16 bits


@dataclass(frozen=True, slots=True)
class Open:
    """An argument that is any integer from low to high, or any value of a scale between two ranks."""

    low: int
    high: int
    scale: Scale | None = None  # then it is the value of a rank from low to high

    def of(self, given: Any) -> Any:
        """Return what to pass for a token, or for a number that was chosen."""
        return given if self.scale is None else self.scale.of(given)

    def __repr__(self) -> str:
        return f"{self.of(self.low)!r}…{self.of(self.high)!r}"


def open_templates(api: Api, scope: Scope) -> tuple[Template, ...]:
    """Return the templates of the Api with every run of values in a pool left open."""
    scales = find_scales(
        value
        for operation in api.operations
        for each in operation.parameters
        if not each.whole
        for literal in each.pool.literals
        for value in _inside(literal)
    )
    return tuple(
        replace(template, operation=operation)
        for operation in api.operations
        for parameters in [tuple(_open_parameter(each, scope, scales) for each in operation.parameters)]
        for template in templates_of(replace(operation, parameters=parameters), scope, (*api.classes, *api.extra))
    )


def _open_parameter(parameter: Parameter, scope: Scope, scales: Mapping[type, Scale]) -> Parameter:
    if parameter.whole:
        return parameter
    if parameter.star:  # how many values are passed depends on how many there are before they are left open
        return replace(parameter, star=False, whole=True, pool=Pool(runs_of(choices_of(parameter, scope), scales)))
    return replace(parameter, pool=Pool(runs_of(parameter.pool.literals, scales), parameter.pool.classes))


def runs_of(literals: Sequence[object], scales: Mapping[type, Scale] | None = None) -> tuple[object, ...]:
    """Return the literals with two or more neighbours of one type as one open value: 0, 1, 2, None -> 0…2, None."""
    opened: list[object] = _runs(value for value in literals if type(value) is int)
    others: list[object] = []
    ranks: dict[type, list[int]] = {}
    rows: dict[tuple[type, int], list[Any]] = {}
    for value in literals:
        scale = (scales or {}).get(type(value))
        rank = None if scale is None else scale.place(value)
        if rank is not None:
            ranks.setdefault(type(value), []).append(rank)
        elif isinstance(value, ROWS) and type(value) in ROWS:
            rows.setdefault((type(value), len(value)), []).append(value)
        elif type(value) is not int:
            others.append(value)
    for cls, found in ranks.items():
        opened += _runs(found, scales[cls] if scales else None)
    for each in rows.values():
        others += _opened_rows(each, scales)
    return (*opened, *others)


def _opened_rows(rows: list[Any], scales: Mapping[type, Scale] | None) -> list[Any]:
    """Return lists or tuples of one length with open values inside, where they are all combinations of some values."""
    columns = [{(type(value), repr(value)): value for value in column} for column in zip(*rows, strict=True)]
    flat = not any(type(value) in ROWS for row in rows for value in row)  # [x, x] may hold one list twice
    if not flat or len({repr(row) for row in rows}) < len(rows) or math.prod(map(len, columns)) != len(rows):
        return rows
    choices = [runs_of(tuple(column.values()), scales) for column in columns]
    return [type(rows[0])(row) for row in itertools.product(*choices)]


def _runs(numbers: Iterable[int], scale: Scale | None = None) -> list[object]:
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][-1] + 1 == number:
            runs[-1].append(number)
        else:
            runs.append([number])
    made = (Open(run[0], run[-1], scale) for run in runs)
    return [each if each.low < each.high else each.of(each.low) for each in made]


def scales_in(templates: Iterable[Template]) -> dict[type, Scale]:
    """Return the scales of the open arguments."""
    found = [each.scale for template in templates for each in open_arguments(template)]
    return {scale.cls: scale for scale in found if scale is not None}


def open_arguments(template: Template) -> list[Open]:
    """Return the open arguments of a template in the order of their slots."""
    return [each for value in _values(template) for each in _inside(value) if isinstance(each, Open)]


def nests(template: Template) -> bool:
    """Tell whether an argument is a list or a tuple with open values inside."""
    rows = [value for value in _values(template) if type(value) in ROWS]
    return any(isinstance(each, Open) for row in rows for each in _inside(row))


def tokens_in(template: Template) -> list[OpenValue]:
    """Return the tokens among the arguments of a template that was filled with them."""
    return [each for value in _values(template) for each in _inside(value) if type(each) in TOKEN_KINDS]


def has_large(templates: Iterable[Template]) -> bool:
    """Tell whether an open argument takes values that the compiled module has no room for."""
    every = (each for template in templates for each in open_arguments(template))
    return any(max(abs(each.low), abs(each.high)) > LARGEST for each in every)


def fill_template(template: Template, value: Callable[[int], object]) -> Template:
    """Return the template with the n-th open argument, from 0 on, as the function gives it."""
    count = -1

    def fill(argument: Any) -> Any:
        nonlocal count
        if type(argument) in ROWS and any(isinstance(each, Open) for each in argument):
            return type(argument)(map(fill, argument))
        if not isinstance(argument, Open):
            return argument
        count += 1
        return argument.of(value(count))

    args = tuple(map(fill, template.args))
    return replace(template, args=args, kwargs=tuple((name, fill(each)) for name, each in template.kwargs))


def _values(template: Template) -> Iterator[object]:
    yield from template.args
    yield from (value for _, value in template.kwargs)


def _inside(value: object) -> Iterator[Any]:
    """Yield what is in a list or a tuple; any other value itself."""
    if isinstance(value, ROWS) and type(value) in ROWS:
        yield from value
    else:
        yield value
