"""Whether a recipe makes a value of a shape: read step by step, without any of the code that writes recipes."""

from __future__ import annotations

from collections.abc import Sequence

from unlike.recipe import Argument, Call, Given, Name, Recipe, Ref, Resolve, run
from unlike.recipe import Items as Display
from unlike.structure.shapes import Checked, Choice, Field, ItemsShape, Judged, NamedFields, Shape, first_failed
from unlike.structure.validity import fits


def makes(shape: Shape, recipe: Recipe, resolve: Resolve) -> bool:
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
            whole: object = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[argument.kind](
                map(self.value, argument.items)
            )
            return whole
        if isinstance(argument, Given):
            return argument.value
        return self.resolve(argument) if isinstance(argument, Name) else argument

    def makes(self, shape: Shape, argument: Argument) -> bool:
        """Tell whether an argument is a value of the shape."""
        match shape:
            case Judged(checks=checks):  # data of a document: nothing is called
                return _is_bare(argument) and first_failed(checks, self.value(argument)) is None
            case Checked(inner, checks):
                return self.makes(inner, argument) and first_failed(checks, self.value(argument)) is None
            case Choice(alternatives):
                return any(self.makes(inner, argument) for _, inner in alternatives)
            case ItemsShape():
                return self.makes_items(shape, argument)
            case NamedFields():
                return self.makes_fields(shape, argument)
        return fits(shape, self.value(argument))

    def makes_items(self, shape: ItemsShape, argument: Argument) -> bool:
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

    def makes_fields(self, shape: NamedFields, argument: Argument) -> bool:
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
        return all(_makes_field(self, each, given) for each in shape.fields)

    def find_given(self, shape: NamedFields, argument: Argument) -> dict[object, Argument] | None:
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
        of_model = getattr(called, "__self__", None), getattr(called, "__name__", "")
        is_ours = of_model == (shape.build.target, "model_validate")
        return _pairs(step.args[0]) if is_ours and len(step.args) == 1 and not step.kwargs else None


def _is_bare(argument: Argument) -> bool:
    """Tell whether an argument is written out as data, without any call or name."""
    if isinstance(argument, Display):
        return argument.kind in ("list", "dict") and all(map(_is_bare, argument.items))
    return argument is None or isinstance(argument, bool | int | float | str)


def _makes_field(reader: _ShapeReader, field: Field, given: dict[object, Argument]) -> bool:
    if field.given_by not in given:
        return not field.required
    return reader.makes(field.shape, given[field.given_by])


def _pairs(argument: Argument) -> dict[object, Argument] | None:
    if not isinstance(argument, Display) or argument.kind != "dict":
        return None
    return dict(zip(argument.items[::2], argument.items[1::2], strict=True))
