"""Values that a user gives by a spec, a suite or a list, as a list."""

from __future__ import annotations

from collections.abc import Iterable

from unlike.language.spec import Spec
from unlike.suite import Suite


def list_given(values: object) -> list[object] | None:
    """Return the values that are given: of a spec those of its blank, or dicts where it has several; or None."""
    if isinstance(values, Spec):
        return _drawn_from(values)
    if isinstance(values, Suite):
        return list(values.values)
    return None if isinstance(values, str | type) or not isinstance(values, Iterable) else list(values)


def _drawn_from(spec: Spec) -> list[object]:
    from unlike.specs.generate import generate  # a third of what an exploration loads, and seldom needed

    if len(spec.blanks) == 1:
        (blank,) = spec.blanks
        return [value[blank] for value in generate(spec).values]
    return list(generate(spec).values)
