"""Assignments: from a value to variables, items of a dict, or several targets."""

from __future__ import annotations

import ast

from unlike.invariants.compile.containers import count_items, entry_at, store_item
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.values import DictValue, ListValue, Number, Truth, Value


def assign_target(run: Run, value: Value, site: Site) -> None:
    """Assign a value to the target that the site is at."""
    match site.node:
        case ast.Name(id=name):
            run.assign(site, name, value)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            if any(isinstance(each, ast.Starred) for each in targets):
                run.refuse(site, "a starred target")
            for each, part in zip(targets, unpack(run, value, len(targets), site), strict=True):
                assign_target(run, part, site.at(each))
        case ast.Subscript(value=owner, slice=key):
            container = run.evaluate(site.at(owner))
            if not isinstance(container, DictValue) or container.fixed:
                run.refuse(site, "an assignment to an item of something that is no dict of its own")
            store_item(run, container, run.evaluate(site.at(key)), value, site)
        case _:
            run.refuse(site, "an assignment to a field: an invariant must not change anything")


def unpack(run: Run, value: Value, count: int, site: Site) -> tuple[Value, ...]:
    """Return the parts of a tuple or list; another number of them is an exception."""
    if isinstance(value, tuple) and len(value) == count:
        return value
    if value is None or isinstance(value, tuple | Number | Truth | int):  # a ValueError, or a TypeError
        run.reject(site.guard)
        return (None,) * count
    if not isinstance(value, ListValue):
        run.refuse(site, "unpacking something that is neither a tuple nor a list")
    run.reject(site.guard, -run.algebra.is_exactly(count_items(run, value), count))
    return tuple(entry_at(run, value, place, site.guard) for place in range(count))
