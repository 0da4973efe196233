"""The public `generate`: inputs of a space, in its own order, or chosen by what code does with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, overload

from unlike.core import Deadline, Isolation, Solving, SpecKeywords, Timeout, record_of, takes
from unlike.errors import ScopeError, SpecError
from unlike.language.code_difference import code_differences
from unlike.language.differences import CoverStructure
from unlike.language.spec import Spec
from unlike.suite import Suite
from unlike.typed.combining import CombiningKeywords, combining_of
from unlike.typed.conditions import HowMany
from unlike.typed.pattern_texts import is_matching, pattern_alone
from unlike.typed.verbs import GenerateKeywords, generate as generate_in_order, with_bounds

if TYPE_CHECKING:
    from unlike.behaviour.spaces import InputSpace

T = TypeVar("T")


class CodeKeywords(GenerateKeywords, total=False):
    """Every keyword of `generate`, for type checkers."""

    code: object
    within: Sequence[str] | None
    by: str | Sequence[str] | None
    source: bool
    beside: object


class SpaceChoice(TypedDict):
    """What is asked of a space."""

    cover: str | CoverStructure | None
    where: object
    different: object
    seed: int
    literals: Mapping[Any, object] | None


@overload
def generate(space: Spec, n: HowMany = None, **keywords: Unpack[CodeKeywords]) -> Suite[dict[str, Any]]: ...


@overload
def generate(space: type[T], n: HowMany = None, **keywords: Unpack[CodeKeywords]) -> Suite[T]: ...


@overload
def generate(space: object, n: HowMany = None, **keywords: Unpack[CodeKeywords]) -> Suite: ...


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
    code: object = None,
    within: Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    source: bool = True,
    beside: object = None,
    **keywords: Unpack[SpecKeywords],
) -> Suite:
    """Return inputs of a spec or of a type, each checked, any two different; a larger n extends the smaller suite.

    A spec says itself what its inputs satisfy and how they differ. A type is covered: each choice once, in pairs, three
    at a time (`cover=3`; of some `strength`) or all, your `rows` first, at most one `negative`, without what you
    `ignore`, the `smallest` set; under assertions about its fields (`where`), or by a difference of its own.
    `literals` gives values to any field, type or class of it: `{"meta": dict[str, str], Money: [Money(1), Money(2)]}`.
    `engine`, `encoding`, `solver` and `effort` say how a solver is asked. Functions of yours run in a copy, or here
    (`in_process`). With `mix` some inputs break a rule (`case.legal`); with `pair_bounds` bounds of a schema pair.
    With `code` (functions, or a module) inputs are those it treats most differently, by branches, paths and boundaries
    (`by`) of its package (`within`); `case.why` says why. Values in its source are tried (`source`); new ones `beside`.
    """
    combined: Any = {"strength": strength, "rows": rows, "negative": negative, "ignore": ignore, "smallest": smallest}
    cover = _cover_of(cover, combined, code)
    space, cover = with_bounds(space, cover, code) if pair_bounds else (space, cover)
    read = _read_literals(literals, space, code, within, source=source)
    chosen = SpaceChoice(cover=cover, where=where, different=different, seed=seed, literals=read)
    said = list(code_differences(space.difference if isinstance(space, Spec) else different))
    if code is None and said:  # it is chosen by what its differences look at
        code, by, within = said[0].code, said[0].by, said[0].within  # type: ignore[assignment]
    if code is None:
        _refuse_without_code(within=within, by=by, beside=beside)
        combined |= {"timeout": timeout, "progress": progress}
        return generate_in_order(space, n, depth=depth, mix=mix, **combined, **chosen, **keywords)
    return _choose(space, n, chosen, (code, within, by, source, beside), keywords, timeout, depth, mix)


def _choose(
    space: object,
    n: HowMany,
    chosen: SpaceChoice,
    looked: tuple[Any, ...],
    keywords: SpecKeywords,
    timeout: Timeout,
    depth: int,
    mix: bool | float,
) -> Suite:
    """Return the inputs that code treats most differently."""
    from unlike.behaviour.by_code import choose_inputs, question_of  # only where there is code

    if n == "all":
        raise ScopeError("n='all' leaves nothing to choose; give a number, or leave n out for the fewest that show all")
    isolation, deadline = record_of(Isolation, keywords), Deadline.of(timeout)
    code, within, by, source, beside = looked
    question = question_of(code, within, by, mix, source=source, seed=chosen["seed"])
    made, own = space_of(space, chosen, keywords, isolation, deadline, depth=depth, mixes=mix is not False)
    return choose_inputs(made, n if n is not None else own, question, isolation, deadline, beside=beside)


def _cover_of(
    cover: str | int | CoverStructure | None, combined: CombiningKeywords, code: object
) -> str | CoverStructure | None:
    """Return the strength as a word; combinations are refused where code chooses."""
    asked = combining_of(cover, **combined)
    if asked is not None and code is not None:
        raise SpecError(
            f"cover={asked.t} combines choices; with code=… inputs are chosen by what it does: leave one out"
        )
    return str(cover) if isinstance(cover, int) else cover


def _refuse_without_code(**said: object) -> None:
    """Refuse what says how code is looked at, where there is none."""
    for name, value in said.items():
        if value is not None:
            raise SpecError(f"{name}={value!r} says how code is looked at; give code=…, or leave it out")


def _read_literals(
    literals: Mapping[Any, object] | None, space: object, code: object, within: Sequence[str] | None, *, source: bool
) -> Mapping[Any, object] | None:
    """Return literals in which `source` stands for what the source of code mentions; without them, if it is not to."""
    if literals is None or code is None:
        return literals
    from unlike.typed.source_literals import with_source, without_source  # only where there is code

    if not source:
        return without_source(literals)
    listed = code if isinstance(code, Sequence) else [code]
    functions = [each for one in listed for each in (vars(one).values() if isinstance(one, ModuleType) else [one])]
    return with_source(literals, space, [each for each in functions if callable(each)], within)


def space_of(
    space: object,
    chosen: SpaceChoice,
    keywords: SpecKeywords,
    isolation: Isolation,
    deadline: Deadline,
    *,
    depth: int,
    mixes: bool,
) -> tuple[InputSpace, int | None]:
    """Return a space as behaviour is chosen from it, and how many inputs it asks for itself."""
    from unlike.behaviour.spaces import SpecSpace, TextSpace, TypeSpace

    if isinstance(space, re.Pattern):
        from unlike.types.markers import Matching  # loads a library that types without rules do not need

        space = Matching(str(space.pattern), space.flags)
    bare = chosen["cover"] is None and chosen["where"] == ()
    alone = pattern_alone(space) if is_matching(space) or (mixes and bare) else None
    if alone is not None:
        from unlike.regex.cover import Cover, find_heuristics

        heuristics = find_heuristics("default", start=chosen["seed"], unicode=alone.unicode)
        cover = Cover(alone.pattern, heuristics, flags=alone.flags, deadline=deadline)
        return TextSpace(cover, chosen["seed"], alone.pattern, alone.name, difference=chosen["different"]), None
    if not isinstance(space, Spec):
        return TypeSpace(space, chosen, isolation, deadline, depth), None
    for name in ("cover", "where", "different"):
        if (value := chosen[name]) not in (None, ()):
            where_said = "different" if name == "cover" else name
            raise SpecError(f"{name}={value!r} is for types; a Spec says it itself: Spec(…, {where_said}=…)")
    if space.typed is None:
        return SpecSpace(space, {**keywords, "seed": chosen["seed"]}, isolation, deadline), space.n
    said = space.typed
    typed: SpaceChoice = {**chosen, "where": said.where, "different": said.different}
    return TypeSpace(said.blanks, typed, isolation, deadline, depth, space.name), space.n
