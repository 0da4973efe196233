"""Blanks as types: inputs that break one rule each, and types that the term language has no value for.

The parameters of a test are the fields of one record, so that a rule is broken in one of them while the others stay
legal, and choices are covered across all of them.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from unlike.errors import SpecError
from unlike.indexed import Listed
from unlike.language.differences import CoverStructure, Difference
from unlike.recipe import Items, Recipe, Resolve, run
from unlike.structure import shapes
from unlike.structure.shapes import Check, NamedFields, Shape, first_failed
from unlike.structure.validity import broken_rules, makes
from unlike.suite import Ending, Status, Suite
from unlike.testing.decorators import Asked, Number, Provided
from unlike.testing.encode import Encoders
from unlike.testing.sources.base import RowSource
from unlike.testing.sources.spec import SpecSource
from unlike.testing.sources.suites import SuiteSource
from unlike.typed.by_difference import first_alike_instances, spec_of
from unlike.typed.combining import combining_of
from unlike.typed.conditions import conditions_of
from unlike.typed.generate import differences_of
from unlike.typed.literals import annotations_of
from unlike.types.choices import ReadType, read_type, shape_of


def typed_source(annotations: Mapping[str, object], asked: Asked, encoders: Encoders) -> RowSource:
    """Return the source of a test whose parameters are types: of a spec if a difference is given, else of a suite."""
    read = read_type(annotations, literals=annotations_of(asked.literals))
    covered = asked.cover is not None or bool(asked.combined) or isinstance(asked.different, CoverStructure)
    different = [] if covered else differences_of(asked.different, read)
    made = spec_of(read, where=asked.where, different=different) if different else None
    if made is not None and not made.held:
        return SpecSource(made.spec, asked.seed, encoders)
    covers = asked.any_number and not different
    return SuiteSource(typed_inputs(annotations, asked, covers=covers, different=different))


def typed_inputs(
    annotations: Mapping[str, object], asked: Asked, *, covers: bool = False, different: Sequence[Difference] = ()
) -> Provided:
    """Return the inputs of a test whose parameters are covered as types; their status says what stands for `Any`.

    Where it `covers`, nobody said how many, and all of them are as many as show every choice.
    """
    read = read_type(annotations, literals=annotations_of(asked.literals))
    shape = read.shape
    combining = combining_of(asked.cover, **asked.combined)

    def suite(n: Number, timeout: float | None) -> Suite:
        from unlike.typed.generate import generate_type  # a replay never comes here

        number = None if covers and n == "all" else n
        found = generate_type(
            annotations,
            number,
            cover=asked.cover if combining is None else None,  # type: ignore[arg-type]  # a number is in it
            combining=combining,
            where=asked.where,
            different=asked.different,
            timeout=timeout,
            seed=asked.seed,
            literals=asked.literals,
        )
        detail = "; ".join(filter(None, (found.status.detail, *read.remarks)))
        return replace(found, status=replace(found.status, detail=detail))

    checks = conditions_of(asked.where, shape).checks

    def check(inputs: Sequence[Mapping[str, Recipe]], resolve: Resolve) -> tuple[int, str] | None:
        for position, recipes in enumerate(inputs):
            wrong = _breaks(recipes, shape, checks, resolve)
            if wrong:
                return position, wrong
        return _first_alike(inputs, read, list(different), resolve) if different else None

    told: tuple[object, ...] = ("typed", shape, asked.where, asked.different, asked.seed)
    told += (("cover", asked.cover, covers),) if asked.cover is not None or covers else ()
    told += (("combined", sorted(asked.combined.items())),) if asked.combined else ()
    names = _names_in(shape)
    return Provided(suite, told, names, keys=tuple(annotations), check=check, covers=covers, shows_choices=True)


def _first_alike(
    inputs: Sequence[Mapping[str, Recipe]], read: ReadType, different: list[Difference], resolve: Resolve
) -> tuple[int, str] | None:
    """Return the first input that does not differ from an earlier one as asked, and from which."""
    made: list[object] = [{name: run(each, resolve) for name, each in recipes.items()} for recipes in inputs]
    try:
        alike = first_alike_instances(read, different, made)
    except Exception as error:  # a difference of the user's, or an equality, may raise anything
        return len(made) - 1, f"the difference cannot be evaluated: {type(error).__name__}: {error}"
    return None if alike is None else (alike[1], f"it is like input {alike[0] + 1}")


def _breaks(recipes: Mapping[str, Recipe], shape: Shape, checks: tuple[Check, ...], resolve: Resolve) -> str:
    """Say in words what an input breaks; nothing if it is a value of the type on which every assertion holds."""
    assert isinstance(shape, NamedFields)
    try:
        for field in shape.fields:
            if not makes(field.shape, recipes[field.name], resolve):
                return f"{field.name} breaks the type"
        values = {name: run(recipe, resolve) for name, recipe in recipes.items()}
    except Exception as error:  # a constructor may refuse in any way
        return f"it cannot be built: {type(error).__name__}: {error}"
    failed = first_failed(checks, values)
    return "" if failed is None else f"it breaks {failed}"


def invalid_inputs(annotations: Mapping[str, object], asked: Asked) -> Provided:
    """Return inputs that break one rule of one parameter each; the rule is the label."""
    if asked.where != () or asked.different != ():
        raise SpecError("invalid=True breaks the rules that types and values state; leave out where and different")
    shape = shape_of(annotations, literals=annotations_of(asked.literals))

    def suite(n: Number, timeout: float | None) -> Suite:
        from unlike.typed.invalid import invalid_type  # a replay never comes here

        found = invalid_type(annotations, timeout=timeout, literals=asked.literals)
        # a rule of the record itself (a parameter missing, or too many) cannot be broken by a call
        kept = [case for case in found if _keys(case.recipe.result) == list(annotations)]
        if not kept:
            status = Status(Ending.UNSATISFIABLE, "the blanks state no rule that could be broken")
            return replace(found, cases=Listed(kept), status=status)
        whole = replace(found, cases=Listed(kept))
        return whole if n == "all" else whole.first(n)

    def check(inputs: Sequence[Mapping[str, Recipe]], resolve: Resolve) -> tuple[int, str] | None:
        for position, recipes in enumerate(inputs):
            broken = broken_rules(shape, {name: run(recipe, resolve) for name, recipe in recipes.items()})
            if broken != 1:
                return position, f"it breaks {broken or 'no'} rules of the types, and ought to break one"
        return None

    return Provided(suite, ("invalid", shape), _names_in(shape), keys=tuple(annotations), check=check)


def _keys(result: object) -> list[object]:
    return list(result.items[::2]) if isinstance(result, Items) and result.kind == "dict" else []


def _names_in(shape: Shape) -> tuple[object, ...]:
    """Return the classes and functions that build what the types mention, and the classes of its enum members."""
    found: list[object] = []
    for each in _parts(shape):
        if isinstance(each, enum.Enum):
            found.append(type(each))
        elif isinstance(each, type) or callable(each):
            found.append(each)
    # a method of a builtin, like str.islower, has no module, and is named by nobody
    names = [(getattr(each, "__qualname__", None), getattr(each, "__module__", None)) for each in found]
    named = [each for each, (name, home) in zip(found, names, strict=True) if isinstance(name, str) and home]
    return tuple(each for i, each in enumerate(named) if each not in named[:i] and "<" not in each.__qualname__)  # type: ignore[attr-defined]


def _parts(thing: object) -> Iterator[object]:
    """Yield everything that a shape is made of."""
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        if type(thing).__module__ != shapes.__name__:  # an object that is a value of its own
            yield type(thing)
        for field in dataclasses.fields(thing):
            yield from _parts(getattr(thing, field.name))
    elif isinstance(thing, tuple | list):
        for each in thing:
            yield from _parts(each)
    else:
        yield thing
