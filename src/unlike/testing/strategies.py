"""Beside Hypothesis: any spec, type or suite as a strategy, and inputs as explicit examples of a property.

Only the public API of Hypothesis is used, and Hypothesis is imported only when one of these is called.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Unpack, cast, overload

from unlike.errors import SpecError
from unlike.language.spec import Spec
from unlike.suite import Suite
from unlike.testing.decorators import MOST, Asked, Number, check_cover, spec_of, written_for
from unlike.types.resolve import plain_value

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from unlike.typed.verbs import GenerateKeywords

T = TypeVar("T")


@overload
def as_strategy(
    space: Spec, n: Number | None = None, **keywords: Unpack[GenerateKeywords]
) -> SearchStrategy[dict[str, Any]]: ...


@overload
def as_strategy(space: Suite[T], n: Number | None = None) -> SearchStrategy[T]: ...


@overload
def as_strategy(space: type[T], n: Number | None = None, **keywords: Unpack[GenerateKeywords]) -> SearchStrategy[T]: ...


@overload
def as_strategy(
    space: object, n: Number | None = None, **keywords: Unpack[GenerateKeywords]
) -> SearchStrategy[Any]: ...


def as_strategy(space: object, n: Number | None = None, **keywords: Unpack[GenerateKeywords]) -> SearchStrategy[Any]:
    """Return a Hypothesis strategy that draws from up to n inputs of a spec, a type or a suite, a fresh object each.

    Of a suite all cases are drawn from, of others a hundred, unless n says how many. Inputs of a spec are dicts from
    blank to value. It shrinks towards the first input. Keywords are those of `generate`; `timeout` is 60 seconds.
    """
    from hypothesis import strategies

    suite = _suite_of(space, n, keywords)
    return strategies.integers(0, suite.count() - 1).map(lambda index: suite[index].value)


def examples(
    n: Number = 20,
    *,
    different: object = (),
    cover: Literal["each", "pairs", "all"] | int | None = None,
    where: object = (),
    blanks: Mapping[str, object] | None = None,
    spec: Spec | None = None,
    suite: Suite | None = None,
    timeout: float | None = 60,
    seed: int = 0,
) -> Callable[[T], T]:
    """Put up to n inputs, any two of them different, in front of a Hypothesis test as explicit examples.

    The parameters to fill are those named in `blanks` (or in the spec); without either, every annotated one, types
    among them. Of a `suite` the first n cases are taken: each fills the test's only parameter, or, if it is a dict, the
    parameters that its keys name.
    """
    from hypothesis import example

    check_cover(cover, different)
    asked = Asked(n=n, different=different, cover=cover, where=where, blanks=dict(blanks or {}), spec=spec, seed=seed)

    def decorate(test: T) -> T:
        inner: Any = getattr(getattr(test, "hypothesis", None), "inner_test", test)
        keywords: GenerateKeywords = {"timeout": timeout, "seed": seed}
        if suite is not None:
            values = [_by_parameter(inner, value) for value in _suite_of(suite, n, {}).values]
        else:
            values = _suite_of(*_space_of(inner, asked, keywords)).values
        decorated: Any = test
        for value in reversed(values):  # the last one applied is tried first
            decorated = example(**value)(decorated)
        return cast("T", decorated)

    return decorate


def _space_of(
    function: Callable[..., object], asked: Asked, keywords: GenerateKeywords
) -> tuple[object, Number, GenerateKeywords]:
    """Return what the parameters of a test stand for: a spec of values, or types by name, covered together."""
    names = _names(function, asked)
    written = {} if asked.spec is not None else written_for(function, asked, names)
    if asked.cover is None and not any(plain_value(each) is None for each in written.values()):
        return spec_of(function, asked, open_names=names), asked.n, keywords
    said: GenerateKeywords = {"where": asked.where, "different": asked.different, "cover": asked.cover}
    return written, asked.n, {**keywords, **said}


def _names(function: Callable[..., object], asked: Asked) -> list[str]:
    if asked.spec is not None:
        return asked.spec.names
    if asked.blanks:
        return list(asked.blanks)
    parameters = inspect.signature(function).parameters.values()
    return [each.name for each in parameters if each.annotation is not each.empty]


def _by_parameter(function: Callable[..., object], value: object) -> dict[str, Any]:
    """Return a value of a suite by the parameters of a test that it fills."""
    names = list(inspect.signature(function).parameters)
    if isinstance(value, dict) and value and set(value) <= set(names):
        return value
    if len(names) != 1:
        raise SpecError(
            f"examples(suite=…): {function.__qualname__} has the parameters {', '.join(names)}, and {value!r} does "
            "not say which of them it fills; give a suite of dicts from parameter to value"
        )
    return {names[0]: value}


def _suite_of(space: object, n: Number | None, keywords: GenerateKeywords) -> Suite:
    from unlike.typed.verbs import generate

    if isinstance(space, Suite):
        if keywords:
            raise SpecError(f"a suite is there already; leave out {', '.join(keywords)}")
        suite = space if n in (None, "all") else space[:n]
    else:
        asked: GenerateKeywords = {"timeout": 60, **keywords}
        suite = generate(space, MOST if n is None else n, **asked)
    if not suite:
        raise SpecError(f"{space!r} gives Hypothesis nothing to draw from: {suite.status}")
    return suite
