"""The public verbs: what they are given decides which generator answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar, Unpack, overload

from unlike.core import Deadline, Isolation, LimitKeywords, Solving, SpecKeywords, Timeout, record_of, takes
from unlike.documents.json_schema.document import JsonSchema
from unlike.documents.pict import PictModel
from unlike.errors import ScopeError, SpecError
from unlike.language.differences import CoverStructure
from unlike.language.spec import Spec
from unlike.regex.order import ALL_FAIL
from unlike.specs.generate import generate as generate_spec
from unlike.structure.cover.leaves import check_strength
from unlike.structure.cover.tuples import Combining
from unlike.suite import Suite
from unlike.typed.combining import combining_of
from unlike.typed.conditions import HowMany
from unlike.typed.generate import check_asked, covering, generate_type
from unlike.typed.invalid import invalid_type
from unlike.typed.invalid_schemas import invalid_schema
from unlike.typed.mixed import mix_of, mix_suites
from unlike.typed.pattern_texts import is_matching, pattern_alone, texts_of_pattern
from unlike.typed.schemas import generate_schema

T = TypeVar("T")


class GenerateKeywords(SpecKeywords, total=False):
    """Every keyword of `generate`, for type checkers."""

    cover: str | int | CoverStructure | None
    strength: Mapping[str, int] | None
    rows: Iterable[object]
    negative: Mapping[str, object] | None
    ignore: Iterable[Mapping[str, object]]
    smallest: bool
    where: object
    different: object
    timeout: Timeout
    seed: int
    depth: int
    mix: bool | float
    progress: Callable[[int], None] | None
    literals: Mapping[Any, object] | None
    pair_bounds: bool


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
    cover: str | int | CoverStructure | None = None,
    strength: Mapping[str, int] | None = None,
    rows: Iterable[object] = (),
    negative: Mapping[str, object] | None = None,
    ignore: Iterable[Mapping[str, object]] = (),
    smallest: bool = False,
    where: object = (),
    different: object = (),
    timeout: Timeout = None,
    seed: int = 0,
    depth: int = 2,
    mix: bool | float = False,
    progress: Callable[[int], None] | None = None,
    literals: Mapping[Any, object] | None = None,
    pair_bounds: bool = False,
    **keywords: Unpack[SpecKeywords],
) -> Suite:
    """Return inputs of a spec or of a type, each checked, any two different; a larger n extends the smaller suite.

    Every keyword is told by the public `generate` (`behaviour.verbs`), which also chooses by code.
    """
    combining = combining_of(cover, strength, rows, negative, ignore, smallest)
    word = None if isinstance(cover, int) or combining is not None else cover  # a number is in it
    space, cover = with_bounds(space, word) if pair_bounds else (space, word)
    timeout, limits = Deadline.of(timeout), record_of(Isolation, keywords)
    name, covered = None, cover is not None or combining is not None
    if isinstance(space, Spec) and (space.typed is not None or covered):
        _refuse_choices(where=where, different=different)
        n, name = space.n if n is None else n, space.name
        space, where, different = _said_of(space, covered=covered)
    literals = _read_literals(literals, space)
    if literals is None and (is_matching(space) or mix is not False):
        alone = pattern_alone(space)
        if alone is not None and (cover, combining, where, different) == (None, None, (), ()):
            return texts_of_pattern(alone, n, None if mix is False else mix_of(mix), seed, timeout)
    chosen: dict[str, Any] = {"cover": cover, "where": where, "different": different, "seed": seed}
    combined = {"strength": strength, "rows": rows, "negative": negative, "ignore": ignore, "smallest": smallest}
    if mix is not False:
        options = {"timeout": timeout, "depth": depth, "literals": literals, **limits.of_one_process()}
        return _mix(space, n, mix, chosen | combined | {"cover": cover if combining is None else combining.t}, options)
    if isinstance(space, Spec):
        _refuse_choices(where=where, different=different)
        return generate_spec(space, n, timeout=timeout, seed=seed, progress=progress, **keywords)
    _refuse_solving(record_of(Solving, keywords))
    suite = _cover_space(space, n, chosen, (timeout, depth, combining), limits, literals)
    return suite if name is None else replace(suite, name=name)


def _said_of(spec: Spec, *, covered: bool) -> tuple[object, object, object]:
    """Return what a spec says whose choices are covered; how that is done may be asked for anew."""
    said = spec.as_choices().typed
    assert said is not None
    different = () if covered and isinstance(said.different, CoverStructure) else said.different
    return said.blanks, said.where, different


def _cover_space(
    space: object,
    n: HowMany,
    chosen: dict[str, Any],
    made: tuple[Timeout, int, Combining | None],
    limits: Isolation,
    literals: Mapping[Any, object] | None,
) -> Suite:
    """Return inputs that show the choices of a model, a schema or a type."""
    timeout, depth, combining = made
    more: dict[str, Any] = {"timeout": timeout, "depth": depth, "combining": combining}
    if isinstance(space, PictModel):
        said = (chosen["cover"], chosen["where"], combining)
        return _rows_of_model(space, n, *said, timeout=timeout, seed=chosen["seed"])
    if isinstance(space, JsonSchema):
        cover = _cover_of_schema(chosen["cover"], chosen["different"])
        return generate_schema(space, n, cover=cover, where=chosen["where"], seed=chosen["seed"], **more)
    return generate_type(space, n, isolation=limits, literals=literals, **more, **chosen)


def _rows_of_model(
    model: PictModel,
    n: HowMany,
    cover: str | CoverStructure | None,
    where: object,
    combining: Combining | None,
    *,
    timeout: Timeout,
    seed: int,
) -> Suite:
    """Return the rows of a model of PICT: in pairs, unless something else is said."""
    check_asked(n, seed)
    word = check_strength((cover.strength if isinstance(cover, CoverStructure) else cover) or "pairs")
    asked = combining or Combining({"each": 1, "pairs": 2, "all": len(model.values)}[word])
    asked = replace(asked, negative=(*model.negative, *asked.negative))
    deadline = Deadline.of(timeout)
    return covering(
        model.shape(),
        "pairs",
        n,
        name=model.name,
        where=where,
        deadline=deadline,
        seed=seed,
        combining=asked,
        rules=model.rules(),
    )


def _read_literals(literals: Mapping[Any, object] | None, space: object) -> Mapping[Any, object] | None:
    """Return values as they are given, `source` as what it stands for; refuse them where they would have no effect."""
    if literals is None:
        return None
    if isinstance(space, Spec | JsonSchema):
        raise SpecError(f"literals={literals!r} are for types; {space!r} says itself which values there are")
    from unlike.typed.source_literals import with_source  # it reads source, which most literals need not

    return with_source(literals, space)


def _with_formats(space: object, break_formats: bool | None) -> object:
    """Return the schema whose formats are to be broken, or not to be; what is no schema has none."""
    if break_formats is None:
        return space
    if not isinstance(space, JsonSchema):
        raise SpecError(f"break_formats={break_formats!r} is for JSON Schemas and requests; leave it out")
    return space.breaking_formats(break_formats)


def with_bounds(
    space: object, cover: str | CoverStructure | None, code: object = None
) -> tuple[JsonSchema, str | CoverStructure]:
    """Return the schema whose bounds are choices; what is none, or asks for no pairs, is refused."""
    if not isinstance(space, JsonSchema):
        raise SpecError(f"pair_bounds=True is for JSON Schemas and requests, not for {space!r}; leave it out")
    if code is not None:
        raise SpecError("pair_bounds=True covers a schema; with code=… inputs are chosen by what it does: leave it out")
    if cover == "each":
        raise SpecError("pair_bounds=True and cover='each' contradict each other; leave one of them out")
    return space.pairing_bounds(), cover or "pairs"


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
        if value not in (None, (), [], {}, False):
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
    break_formats: bool | None = None,
    **isolation: Unpack[LimitKeywords],
) -> Suite:
    """Return data that break exactly one rule of a type each, labelled with the place and the rule.

    `literals` gives values to fields, types and classes, as in `generate`; what is given is not broken. Functions of
    yours that the type runs are called in a copy of this process, or `in_process`. `break_formats` says whether the
    formats of a schema are rules, too (bad dates, addresses); they are in requests.
    """
    limits, timeout = Isolation(**isolation), Deadline.of(timeout)
    if isinstance(space, Spec):
        raise SpecError(f"{space!r} is a Spec; invalid inputs are made from types")
    literals, space = _read_literals(literals, space), _with_formats(space, break_formats)
    if isinstance(space, JsonSchema):
        return invalid_schema(space, n, timeout=timeout, depth=depth)
    if literals is None and is_matching(space) and (alone := pattern_alone(space)):
        return texts_of_pattern(alone, n, ALL_FAIL, 0, timeout)
    return invalid_type(space, n, timeout=timeout, depth=depth, isolation=limits, literals=literals)
