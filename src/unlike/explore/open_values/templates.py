"""From the ways to call an operation to the few in which its integers, strings and floats are left open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unlike.explore.api import Api, Operation, Template, templates_of
from unlike.explore.pools import Pool
from unlike.scope import Scope
from unlike.symbolic.ranked import Scale, scales_of

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


def opened(api: Api, scope: Scope) -> tuple[Template, ...]:
    """Return the templates of the Api with every run of values in a pool left open."""
    scales = scales_of(
        value
        for operation in api.operations
        for each in operation.parameters
        if not each.whole
        for value in each.pool.literals
    )
    return tuple(
        replace(template, operation=operation)
        for operation in api.operations
        for template in templates_of(_opened_operation(operation, scales), scope)
    )


def _opened_operation(operation: Operation, scales: Mapping[type, Scale]) -> Operation:
    parameters = tuple(
        each if each.whole else replace(each, pool=Pool(runs_of(each.pool.literals, scales), each.pool.classes))
        for each in operation.parameters
    )
    return replace(operation, parameters=parameters)


def runs_of(literals: Sequence[object], scales: Mapping[type, Scale] | None = None) -> tuple[object, ...]:
    """Return the literals with two or more neighbours of one type as one open value: 0, 1, 2, None -> 0…2, None."""
    opened: list[object] = _runs(value for value in literals if type(value) is int)
    others: list[object] = []
    ranks: dict[type, list[int]] = {}
    for value in literals:
        scale = (scales or {}).get(type(value))
        rank = None if scale is None else scale.place(value)
        if rank is not None:
            ranks.setdefault(type(value), []).append(rank)
        elif type(value) is not int:
            others.append(value)
    for cls, found in ranks.items():
        opened += _runs(found, scales[cls] if scales else None)
    return (*opened, *others)


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
    return [value for value in _values(template) if isinstance(value, Open)]


def has_large(templates: Iterable[Template]) -> bool:
    """Tell whether an open argument takes values that the compiled module has no room for."""
    every = (each for template in templates for each in open_arguments(template))
    return any(max(abs(each.low), abs(each.high)) > LARGEST for each in every)


def filled(template: Template, value: Callable[[int], object]) -> Template:
    """Return the template with the n-th open argument, from 0 on, as the function gives it."""
    count = -1

    def fill(argument: Any) -> Any:
        nonlocal count
        if not isinstance(argument, Open):
            return argument
        count += 1
        return argument.of(value(count))

    args = tuple(map(fill, template.args))
    return replace(template, args=args, kwargs=tuple((name, fill(each)) for name, each in template.kwargs))


def _values(template: Template) -> Iterator[object]:
    yield from template.args
    yield from (value for _, value in template.kwargs)
