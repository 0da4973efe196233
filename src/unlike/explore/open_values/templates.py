"""From the ways to call an operation to the few in which its integers are left open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unlike.explore.api import Api, Operation, Template, templates_of
from unlike.explore.pools import Pool
from unlike.scope import Scope


@dataclass(frozen=True, slots=True)
class Open:
    """An argument that is any integer from low to high."""

    low: int
    high: int

    def __repr__(self) -> str:
        return f"{self.low}…{self.high}"


def opened(api: Api, scope: Scope) -> tuple[Template, ...]:
    """Return the templates of the Api with every run of integers in a pool left open."""
    return tuple(
        replace(template, operation=operation)
        for operation in api.operations
        for template in templates_of(_opened_operation(operation), scope)
    )


def _opened_operation(operation: Operation) -> Operation:
    parameters = tuple(
        each if each.whole else replace(each, pool=Pool(runs_of(each.pool.literals), each.pool.classes))
        for each in operation.parameters
    )
    return replace(operation, parameters=parameters)


def runs_of(literals: Sequence[object]) -> tuple[object, ...]:
    """Return the literals with two or more consecutive integers as one open value: 0, 1, 2, None -> 0…2, None."""
    numbers = sorted(value for value in literals if type(value) is int)
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] + 1 == number:
            runs[-1].append(number)
        else:
            runs.append([number])
    others = [value for value in literals if type(value) is not int]
    return (*(Open(run[0], run[-1]) if len(run) > 1 else run[0] for run in runs), *others)


def open_arguments(template: Template) -> list[Open]:
    """Return the open arguments of a template in the order of their slots."""
    return [value for value in _values(template) if isinstance(value, Open)]


def filled(template: Template, value: Callable[[int], object]) -> Template:
    """Return the template with the n-th open argument, from 0 on, as the function gives it."""
    count = -1

    def fill(argument: Any) -> Any:
        nonlocal count
        if not isinstance(argument, Open):
            return argument
        count += 1
        return value(count)

    args = tuple(map(fill, template.args))
    return replace(template, args=args, kwargs=tuple((name, fill(each)) for name, each in template.kwargs))


def _values(template: Template) -> Iterator[object]:
    yield from template.args
    yield from (value for _, value in template.kwargs)
