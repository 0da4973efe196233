"""Whether data fit a shape, and a recipe makes such: read by itself, without any of the code that generates.

Only what the user stated counts as a rule; default bounds keep generated values small, but break nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePath

from unlike.recipe import CONTAINERS, Argument, Call, Given, Items as Display, Name, Recipe, Ref, Resolve, run
from unlike.regex.texts.fullmatch import careful
from unlike.structure import shapes
from unlike.structure.limits import Limit

MANY = 100  # values, or sets of them


def fits(shape: shapes.Shape, value: object) -> bool:
    """Tell whether bare data keep every stated rule of the shape."""
    match shape:
        case shapes.Anything():
            return True
        case shapes.Constants(values):
            if type(value) in (str, int) and len(values) > MANY:
                return (type(value), value) in _scalars(values)
            return any(type(value) is type(each) and value == each for each in values)
        case shapes.Numbers():
            return _fits_line(shape, value)
        case shapes.Texts():
            return _fits_text(shape, value)
        case shapes.Judged(checks=checks):
            return shapes.first_failed(checks, value) is None
        case shapes.Checked(inner, checks):
            return fits(inner, value) and shapes.first_failed(checks, value) is None
        case shapes.Choice(alternatives):
            return any(fits(inner, value) for _, inner in alternatives)
        case shapes.ItemsShape():
            return _fits_items(shape, value)
        case shapes.NamedFields():
            return _fits_fields(shape, value)
        case shapes.Reference():
            raise AssertionError(f"{shape!r} has to be unrolled first")


def broken_rules(shape: shapes.Shape, value: object) -> int:
    """Return how many rules bare data break; of alternatives the one that is broken least counts."""
    if fits(shape, value):
        return 0
    match shape:
        case shapes.Choice(alternatives):
            return min(broken_rules(inner, value) for _, inner in alternatives)
        case shapes.Checked(inner):
            return broken_rules(inner, value) or 1
        case shapes.Texts() | shapes.Numbers() if fits(replace(shape, stated=()), value):
            return sum(not fits(replace(shape, stated=(rule,)), value) for rule in shape.stated)
        case shapes.ItemsShape():
            return _broken_items(shape, value)
        case shapes.NamedFields() if isinstance(value, dict) and shape.build.kind not in ("tuple", "pair"):
            single = [each for each in shape.fields if each.key != shapes.SPREAD]
            others = [pair for pair in value.items() if pair[0] not in {each.given_by for each in single}]
            extra = sum(not _fits_spread(shape, [pair]) for pair in others) if shape.closed else 0
            missing = sum(each.required and each.given_by not in value for each in single)
            there = [each for each in single if each.given_by in value]
            return extra + missing + sum(broken_rules(each.shape, value[each.given_by]) for each in there)
        case shapes.NamedFields() if isinstance(value, tuple) and len(value) == len(shape.fields):
            pairs = zip(shape.fields, value, strict=True)
            return sum(broken_rules(each.shape, part) for each, part in pairs)
    return 1


def _broken_items(shape: shapes.ItemsShape, value: object) -> int:
    bare = replace(shape, item=shapes.Anything(), unique=False, stated=())
    if not fits(bare, value):
        return 1
    items: list[object] = list(value.items()) if isinstance(value, dict) else list(value)  # type: ignore[call-overload]
    sizes = sum(not fits(replace(bare, stated=(rule,)), value) for rule in shape.stated)
    repeats = not fits(replace(bare, unique=shape.unique), value)
    return sizes + repeats + sum(broken_rules(shape.item, each) for each in items)


_SCALARS: dict[int, tuple[tuple[object, ...], frozenset[tuple[type, object]]]] = {}


def _scalars(values: tuple[object, ...]) -> frozenset[tuple[type, object]]:
    """Return the texts and ints among very many values, found once for all questions about them."""
    known = _SCALARS.get(id(values))
    if known is None or known[0] is not values:
        if len(_SCALARS) > MANY:
            _SCALARS.clear()
        found = frozenset((type(each), each) for each in values if type(each) in (str, int))
        known = _SCALARS[id(values)] = values, found
    return known[1]


def _fits_line(shape: shapes.Numbers, value: object) -> bool:
    code = shape.line.code(value)
    if code is None:
        return False
    for side in ("least", "most"):
        limits = [each for each in shape.limits if each.side == side]
        end = Limit(side, Fraction(shape.low if side == "least" else shape.high, shape.line.unit))
        if side in shape.stated and not all(each.keeps(code / shape.line.unit) for each in limits or [end]):
            return False
    if isinstance(value, Decimal) and not _fits_digits(shape, value):
        return False
    return "multiple" not in shape.stated or code % shape.step == 0


def _fits_digits(shape: shapes.Numbers, value: Decimal) -> bool:
    """Tell whether a decimal has no more digits and decimal places than stated, as it is written or without zeros."""
    for written in (value, value.normalize()):
        _, digits, exponent = written.as_tuple()
        assert isinstance(exponent, int)  # what is no number has no code
        places = max(0, -exponent)
        whole = max(len(digits) + max(0, exponent), places)
        if ("places" not in shape.stated or places <= shape.line.places) and whole <= (shape.digits or whole):
            return True
    return False


def _fits_text(shape: shapes.Texts, value: object) -> bool:
    match shape.made, value:
        case "str", str():
            text = value
        case "bytes", bytes():
            text = value.decode("latin-1")
        case "path", PurePath():
            text = str(value)
        case _:
            return False
    if "shortest" in shape.stated and len(text) < shape.least:
        return False
    if "longest" in shape.stated and len(text) > shape.most:
        return False
    if "pattern" not in shape.stated or shape.pattern is None:
        return True
    return careful(shape.pattern, shape.flags)(text) is not None


def _fits_items(shape: shapes.ItemsShape, value: object) -> bool:
    as_list = shape.kind in ("set", "frozenset", "dict") and type(value) is list and not _hashable(value, shape.kind)
    if type(value) is not CONTAINERS[shape.kind] and not as_list:
        return False
    items = list(value.items()) if isinstance(value, dict) else list(value)  # type: ignore[call-overload]
    if "fewest items" in shape.stated and len(items) < shape.least:
        return False
    if "most items" in shape.stated and len(items) > shape.most:
        return False
    if shape.unique and isinstance(value, list | tuple) and len({repr(each) for each in items}) < len(items):
        return False
    return all(fits(shape.item, each) for each in items)


def _hashable(items: list[object], kind: str) -> bool:
    """Tell whether a set could hold the items; objects that have become dicts come in a list instead."""
    try:
        return bool({each[0] if kind == "dict" and isinstance(each, tuple) else each for each in items}) or not items
    except TypeError:
        return False


def _fits_fields(shape: shapes.NamedFields, value: object) -> bool:
    if shape.build.kind in ("tuple", "pair"):
        return (
            type(value) is tuple
            and len(value) == len(shape.fields)
            and all(fits(each.shape, part) for each, part in zip(shape.fields, value, strict=True))
        )
    if shape.build.kind == "array":
        return _fits_array(shape, value)
    # a dict holds the single fields, and beside them entries of those that are spread
    single = [each for each in shape.fields if each.key != shapes.SPREAD]
    if type(value) is not dict or not all(
        fits(each.shape, value[each.given_by]) if each.given_by in value else not each.required for each in single
    ):
        return False
    names = {each.given_by for each in single}
    return not shape.closed or _fits_spread(shape, [pair for pair in value.items() if pair[0] not in names])


def _fits_array(shape: shapes.NamedFields, value: object) -> bool:
    """Tell whether a list holds the single fields first, and then items of those that are spread."""
    if type(value) is not list:
        return False
    single = [each.shape for each in shape.fields if each.key != shapes.SPREAD]
    rest = value[len(single) :]
    return (
        len(value) >= len(single)
        and all(fits(each, part) for each, part in zip(single, value, strict=False))
        and _fits_spread(shape, rest)
    )


def _fits_spread(shape: shapes.NamedFields, entries: list[object]) -> bool:
    spread = [each.shape for each in shape.fields if each.key == shapes.SPREAD]
    kinds = [each.inner if isinstance(each, shapes.Checked) else each for each in spread]
    items = [each.item for each in kinds if isinstance(each, shapes.ItemsShape)]
    return all(any(fits(each, entry) for each in items) for entry in entries)


# -- recipes, read step by step, without any of the code that writes them ------------------------------------------


def makes(shape: shapes.Shape, recipe: Recipe, resolve: Resolve) -> bool:
    """Tell whether the recipe makes a value of the shape: by the calls the shape is built with, of parts that fit."""
    every = Display("list", tuple(map(Ref, range(len(recipe.steps)))))
    results = run(Recipe(recipe.steps, every), resolve)
    assert isinstance(results, list)
    return _ShapeReader(recipe, results, resolve).makes(shape, recipe.result)


class _ShapeReader:
    def __init__(self, recipe: Recipe, results: Sequence[object], resolve: Resolve) -> None:
        self.steps = recipe.steps
        self.results = results
        self.resolve = resolve

    def value(self, argument: Argument) -> object:
        """Return what an argument stands for."""
        if isinstance(argument, Ref):
            return self.results[argument.step]
        if isinstance(argument, Display) and argument.kind == "dict":
            values = [self.value(each) for each in argument.items]
            return dict(zip(values[::2], values[1::2], strict=True))
        if isinstance(argument, Display):
            return CONTAINERS[argument.kind](map(self.value, argument.items))
        if isinstance(argument, Given):
            return argument.value
        return self.resolve(argument) if isinstance(argument, Name) else argument

    def makes(self, shape: shapes.Shape, argument: Argument) -> bool:
        """Tell whether an argument is a value of the shape."""
        match shape:
            case shapes.Judged(checks=checks):  # data of a document: nothing is called
                return _is_bare(argument) and shapes.first_failed(checks, self.value(argument)) is None
            case shapes.Checked(inner, checks):
                return self.makes(inner, argument) and shapes.first_failed(checks, self.value(argument)) is None
            case shapes.Choice(alternatives):
                return any(self.makes(inner, argument) for _, inner in alternatives)
            case shapes.ItemsShape():
                return self.makes_items(shape, argument)
            case shapes.NamedFields():
                return self.makes_fields(shape, argument)
        return fits(shape, self.value(argument))

    def makes_items(self, shape: shapes.ItemsShape, argument: Argument) -> bool:
        if not isinstance(argument, Display) or argument.kind != shape.kind:
            return False
        items: Sequence[Argument] = argument.items
        if shape.kind == "dict":
            items = [Display("tuple", items[i : i + 2]) for i in range(0, len(items), 2)]  # type: ignore[arg-type]
        if "fewest items" in shape.stated and len(items) < shape.least:
            return False
        if "most items" in shape.stated and len(items) > shape.most:
            return False
        values = [self.value(each) for each in items]
        if shape.unique and any(one == two for i, one in enumerate(values) for two in values[:i]):
            return False
        return all(self.makes(shape.item, each) for each in items)

    def makes_fields(self, shape: shapes.NamedFields, argument: Argument) -> bool:
        if shape.build.kind in ("tuple", "pair"):
            if not isinstance(argument, Display) or argument.kind != "tuple":
                return False
            parts = zip(shape.fields, argument.items, strict=False)
            return len(argument.items) == len(shape.fields) and all(self.makes(each.shape, one) for each, one in parts)
        if shape.build.kind in ("object", "array"):  # data of a document: nothing is called
            return isinstance(argument, Display) and fits(shape, self.value(argument))
        given = self.find_given(shape, argument)
        if given is None or not {each.given_by for each in shape.fields} >= given.keys():
            return False
        return all(
            self.makes(each.shape, given[each.given_by]) if each.given_by in given else not each.required
            for each in shape.fields
        )

    def find_given(self, shape: shapes.NamedFields, argument: Argument) -> dict[object, Argument] | None:
        """Return the parts by the key they are given by, or nothing if something else than the shape says is called."""
        if shape.build.kind == "dict":
            return _pairs(argument)
        if not isinstance(argument, Ref):
            return None
        step = self.steps[argument.step]
        if not isinstance(step, Call):
            return None
        called = self.value(step.function)
        if shape.build.kind == "call":
            return dict(step.kwargs) if called is shape.build.target and not step.args else None
        if shape.build.kind == "in order":
            names = [each.given_by for each in shape.fields]
            is_ours = called is shape.build.target and len(names) == len(step.args) and not step.kwargs
            return dict(zip(names, step.args, strict=True)) if is_ours else None
        of_model = getattr(called, "__self__", None), getattr(called, "__name__", "")
        is_ours = of_model == (shape.build.target, "model_validate")
        return _pairs(step.args[0]) if is_ours and len(step.args) == 1 and not step.kwargs else None


def _is_bare(argument: Argument) -> bool:
    """Tell whether an argument is written out as data, without any call or name."""
    if isinstance(argument, Display):
        return argument.kind in ("list", "dict") and all(map(_is_bare, argument.items))
    return argument is None or isinstance(argument, bool | int | float | str)


def _pairs(argument: Argument) -> dict[object, Argument] | None:
    if not isinstance(argument, Display) or argument.kind != "dict":
        return None
    return dict(zip(argument.items[::2], argument.items[1::2], strict=True))
