"""Calls with a value beside the scope, which an exploration does not make and a written test does: -1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unlike.classes.api import Template


def beside_scope(templates: Sequence[Template]) -> list[Template]:
    """Return calls with one argument beside the scope: the first call of each operation that passes an int there."""
    found: dict[tuple[int, int | str], Template] = {}
    for template in templates:
        parameters = template.operation.parameters
        if any(each.star or each.whole for each in parameters):
            continue
        by_name = {each.name: each.pool for each in parameters}
        for at, (value, parameter) in enumerate(zip(template.args, parameters, strict=False)):
            if type(value) is int and parameter.pool.beside:
                args = (*template.args[:at], *parameter.pool.beside, *template.args[at + 1 :])
                found.setdefault((id(template.operation), at), replace(template, args=args))
        for at, (name, value) in enumerate(template.kwargs):
            if type(value) is int and by_name[name].beside:
                kwargs = (*template.kwargs[:at], (name, by_name[name].beside[0]), *template.kwargs[at + 1 :])
                found.setdefault((id(template.operation), name), replace(template, kwargs=kwargs))
    return list(found.values())
