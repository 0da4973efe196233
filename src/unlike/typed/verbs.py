"""The public verbs: what they are given decides which generator answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar, Unpack, overload

from unlike.core import Deadline, Isolation, LimitKeywords, Solving, SpecKeywords, Timeout, record_of, takes
from unlike.documents.json_schema.document import JsonSchema
from unlike.errors import ScopeError, SpecError
from unlike.language.differences import CoverStructure
from unlike.language.spec import Spec
from unlike.regex.order import ALL_FAIL
from unlike.specs.generate import generate as generate_spec
from unlike.suite import Suite
from unlike.typed.conditions import HowMany
from unlike.typed.generate import generate_type
from unlike.typed.invalid import invalid_schema, invalid_type
from unlike.typed.mixed import mix_of, mix_suites
from unlike.typed.pattern_texts import is_matching, pattern_alone, texts_of_pattern
from unlike.typed.schemas import generate_schema

T = TypeVar("T")


class GenerateKeywords(SpecKeywords, total=False):
    """Every keyword of `generate`, for type checkers."""

    cover: str | CoverStructure | None
    where: object
    different: object
    timeout: Timeout
    seed: int
    depth: int
    mix: bool | float
    progress: Callable[[int], None] | None
    literals: Mapping[Any, object] | None


@overload
def generate(space: Spec, n: HowMany = None, **keywords: Unpack[GenerateKeywords]) -> Suite[dict[str, Any]]: ...


@overload
def generate(space: type[T], n: HowMany = None, **keywords: Unpack[GenerateKeywords]) -> Suite[T]: ...


@overload
def generate(space: object, n: HowMany = None, **keywords: Unpack[GenerateKeywords]) -> Suite: ...


@takes(Solving, Isolation, without=("workers",))
def generate(
    space: object,
    n: HowMany = None,
    *,
    cover: str | CoverStructure | None = None,
    where: object = (),
    different: object = (),
    timeout: Timeout = None,
    seed: int = 0,
    depth: int = 2,
    mix: bool | float = False,
    progress: Callable[[int], None] | None = None,
    literals: Mapping[Any, object] | None = None,
    **keywords: Unpack[SpecKeywords],
) -> Suite:
    """Return inputs of a spec or of a type, each checked, any two different; a larger n extends the smaller suite.

    A spec says itself what its inputs satisfy and how they differ. A type is covered: each of its choices once, in
    pairs or in all combinations (`cover`), under assertions about its fields (`where`), or by a difference of its own.
    `literals` gives values to any field, type or class of it: `{"meta": dict[str, str], Money: [Money(1), Money(2)]}`.
    `engine`, `encoding`, `solver` and `effort` say how a solver is asked. Functions of yours run in a copy of this
    process, or `in_process`. With `mix=True` (or a share) some inputs of a type, a schema or a pattern (`Matching(P)`,
    a spec of one) break one rule each, and `case.legal` tells them.
    """
    timeout, limits = Deadline.of(timeout), record_of(Isolation, keywords)
    name = None
    if isinstance(space, Spec) and space.typed is not None:
        _refuse_choices(where=where, different=different)
        n, name, said = space.n if n is None else n, space.name, space.typed
        space, where, different = said.blanks, said.where, said.different
    literals = _read_literals(literals, space)
    if literals is None and (is_matching(space) or mix is not False):
        alone = pattern_alone(space)
        if alone is not None and (cover, where, different) == (None, (), ()):
            return texts_of_pattern(alone, n, None if mix is False else mix_of(mix), seed, timeout)
    chosen: dict[str, Any] = {"cover": cover, "where": where, "different": different, "seed": seed}
    if mix is not False:
        options = {"timeout": timeout, "depth": depth, "literals": literals, **limits.of_one_process()}
        return _mix(space, n, mix, chosen, options)
    if isinstance(space, Spec):
        _refuse_choices(cover=cover, where=where, different=different)
        return generate_spec(space, n, timeout=timeout, seed=seed, progress=progress, **keywords)
    _refuse_solving(record_of(Solving, keywords))
    if isinstance(space, JsonSchema):
        cover = _cover_of_schema(cover, different)
        return generate_schema(space, n, cover=cover, where=where, timeout=timeout, seed=seed, depth=depth)
    suite = generate_type(space, n, timeout=timeout, depth=depth, isolation=limits, literals=literals, **chosen)
    return suite if name is None else replace(suite, name=name)


def _read_literals(literals: Mapping[Any, object] | None, space: object) -> Mapping[Any, object] | None:
    """Return values as they are given, `source` as what it stands for; refuse them where they would have no effect."""
    if literals is None:
        return None
    if isinstance(space, Spec | JsonSchema):
        raise SpecError(f"literals={literals!r} are for types; {space!r} says itself which values there are")
    from unlike.typed.source_literals import with_source  # it reads source, which most literals need not

    return with_source(literals, space)


def _cover_of_schema(cover: str | CoverStructure | None, different: object) -> str | CoverStructure | None:
    """Return how a schema is covered; a difference of another kind is refused."""
    if different not in (None, ()) and not isinstance(different, CoverStructure):
        raise SpecError(f"different={different!r} is for types and specs; a schema is covered as it is written")
    return different if isinstance(different, CoverStructure) else cover


def _mix(space: object, n: HowMany, mix: object, choices: dict[str, Any], options: dict[str, Any]) -> Suite:
    """Return legal inputs together with inputs that break one rule each."""
    if isinstance(space, Spec):
        raise SpecError(f"{space!r} is a Spec of more than one pattern; inputs that break a rule are made from types")
    return mix_suites(
        n,
        mix_of(mix),
        lambda legal: generate(space, legal, **choices, **options),
        lambda broken: invalid(space, broken, **options),
    )


def _refuse_choices(**given: object) -> None:
    """Refuse what a spec says itself."""
    for name, value in given.items():
        if value not in (None, ()):
            where_said = "different" if name == "cover" else name
            raise SpecError(f"{name}={value!r} is for types; a Spec says it itself: Spec(…, {where_said}=…)")


def _refuse_solving(solving: Solving) -> None:
    """Refuse settings of solvers, which are asked about specs alone."""
    for each in fields(solving):
        if (value := getattr(solving, each.name)) != each.default:
            raise ScopeError(f"{each.name}={value!r} says how a solver is asked about a Spec; leave it out")


@takes(Isolation, without=("workers",))
def invalid(
    space: object,
    n: int | None = None,
    *,
    timeout: Timeout = None,
    depth: int = 2,
    literals: Mapping[Any, object] | None = None,
    **isolation: Unpack[LimitKeywords],
) -> Suite:
    """Return data that break exactly one rule of a type each, labelled with the place and the rule.

    `literals` gives values to fields, types and classes, as in `generate`; what is given is not broken. Functions of
    yours that the type runs are called in a copy of this process, or `in_process`.
    """
    limits, timeout = Isolation(**isolation), Deadline.of(timeout)
    if isinstance(space, Spec):
        raise SpecError(f"{space!r} is a Spec; invalid inputs are made from types")
    literals = _read_literals(literals, space)
    if isinstance(space, JsonSchema):
        return invalid_schema(space, n, timeout=timeout, depth=depth)
    if literals is None and is_matching(space) and (alone := pattern_alone(space)):
        return texts_of_pattern(alone, n, ALL_FAIL, 0, timeout)
    return invalid_type(space, n, timeout=timeout, depth=depth, isolation=limits, literals=literals)
