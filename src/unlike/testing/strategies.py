"""Beside Hypothesis: a spec as a strategy, and representative inputs as explicit examples of a property.

Only the public API of Hypothesis is used, and Hypothesis is imported only when one of these is called.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from unlike.errors import SpecError
from unlike.language.spec import Spec
from unlike.suite import Suite
from unlike.testing.decorators import Asked, spec_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def as_strategy(
    spec: Spec, n: int | Literal["all"] = 100, *, timeout: float | None = 60, seed: int = 0
) -> SearchStrategy[dict[str, object]]:
    """Return a Hypothesis strategy that draws from up to n inputs of the spec, each a dict from blank to fresh object.

    It shrinks towards the first input.
    """
    from hypothesis import strategies

    suite = _suite(spec, n, timeout, seed)
    return strategies.sampled_from(range(len(suite))).map(lambda index: suite[index].value)


def examples(
    n: int | Literal["all"] = 20,
    *,
    different: object = (),
    where: object = (),
    blanks: Mapping[str, object] | None = None,
    spec: Spec | None = None,
    timeout: float | None = 60,
    seed: int = 0,
) -> Callable[[T], T]:
    """Put up to n inputs, any two of them different, in front of a Hypothesis test as explicit examples.

    The parameters to fill are those named in `blanks` (or in the spec); without either, every annotated one.
    """
    from hypothesis import example

    asked = Asked(n=n, different=different, where=where, blanks=dict(blanks or {}), spec=spec, seed=seed)

    def decorate(test: T) -> T:
        inner: Any = getattr(getattr(test, "hypothesis", None), "inner_test", test)
        suite = _suite(spec_of(inner, asked, open_names=_names(inner, asked)), n, timeout, seed)
        decorated: Any = test
        for index in reversed(range(len(suite))):  # the last one applied is tried first
            value = suite[index].value
            assert isinstance(value, dict)
            decorated = example(**value)(decorated)
        return cast("T", decorated)

    return decorate


def _names(function: Callable[..., object], asked: Asked) -> list[str]:
    if asked.spec is not None:
        return list(asked.spec.blanks)
    if asked.blanks:
        return list(asked.blanks)
    parameters = inspect.signature(function).parameters.values()
    return [each.name for each in parameters if each.annotation is not each.empty]


def _suite(spec: Spec, n: int | Literal["all"], timeout: float | None, seed: int) -> Suite:
    from unlike.specs.generate import generate

    suite = generate(spec, None if n == "all" else n, timeout=timeout, seed=seed)
    if not len(suite):
        raise SpecError(f"{spec!r} gives Hypothesis nothing to draw from: {suite.status}")
    return suite
