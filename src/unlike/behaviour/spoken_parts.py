"""A space as terms: which parts of an input a condition of code can speak of, and a spec that holds all their values.

    def fee(order): …       order.price, an int from 1 to 100   ->   a blank Int(1, 100)

The spec may hold more than the space, never less: what no input of the spec can do, no input of the space can. Where
nobody stated a bound the usual one stands in its place, and the part is among those that are `usual`.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.behaviour.calls import PassedInput
from unlike.behaviour.changes import places_in
from unlike.behaviour.spaces import InputSpace, SpecSpace, TextSpace, TypeSpace
from unlike.documents.json_schema.document import JsonSchema
from unlike.language import terms
from unlike.language.expressions import Expr
from unlike.language.spec import Spec
from unlike.language.values import Bool, Int, OneOf, Str, Value, belongs
from unlike.observe.chains import Chain, PartUse, Step, uses_of
from unlike.recipe import recipe_of
from unlike.regex.widths import usual_most, widths
from unlike.structure import shapes
from unlike.types.kept_fields import NONE, UNKNOWN, kept_fields

ANY_TEXT = r"(?s:.)*"
BASES = 3  # inputs into which the values that a solver found are put


@dataclass(slots=True)
class SpokenInput:
    """What conditions can speak of: terms by where code finds them, and a spec over their blanks."""

    blanks: dict[str, Value] = field(default_factory=dict)
    assertions: tuple[terms.Node, ...] = ()
    parts: dict[Chain, Expr] = field(default_factory=dict)
    holders: dict[Chain, tuple[str, ...]] = field(default_factory=dict)  # dicts and objects -> the steps to their parts
    usual: set[str] = field(default_factory=set)  # blanks with a bound that nobody stated
    may_be_floats: bool = False  # whole numbers may be floats, as in JSON: 3.0 is an integer there

    @property
    def spec(self) -> Spec:
        """The spec over the blanks."""
        made = Spec(self.blanks)
        made.assertions = self.assertions
        return made

    @classmethod
    def of_spec(cls, spec: Spec, names: Mapping[str, str]) -> SpokenInput:
        """Return the blanks of a spec, by the parameters that they go to."""
        made = cls(dict(spec.blanks), spec.assertions)
        for parameter, blank in names.items():
            made.parts[parameter, ()] = Expr(terms.Blank(blank, spec.blanks[blank].kind))
        return made

    def add(self, chain: Chain, shape: shapes.Shape) -> None:
        """Note what of a shape can be spoken of at a place, and inside of it."""
        match shape:
            case shapes.Judged():
                return  # its inner shape says what is made, not what is legal
            case shapes.Checked(inner):
                self.add(chain, inner)
            case shapes.Choice(((_, inner),)):
                self.add(chain, inner)
            case shapes.NamedFields(fields, build):
                self._add_fields(chain, fields, build)
            case _ if (value := _value_of(shape)) is not None:
                self.add_value(chain, value, is_usual=not _is_stated(shape))

    def add_value(self, chain: Chain, value: Value, *, is_usual: bool) -> None:
        """Note the values of a place, and whether a bound of them is one that nobody stated."""
        blank = f"part{len(self.blanks)}"
        self.blanks[blank] = value
        self.parts[chain] = Expr(terms.Blank(blank, value.kind))
        if is_usual:
            self.usual.add(blank)

    def _add_fields(self, chain: Chain, fields: Sequence[shapes.Field], build: shapes.Build) -> None:
        parameter, steps = chain
        inside: list[tuple[Step, shapes.Field]] = []
        match build.kind:
            case "dict":
                inside = [(("item", each.given_by), each) for each in fields]
            case "tuple":
                inside = [(("item", at), each) for at, each in enumerate(fields)]
            case "call" | "validate" if isinstance(build.target, type):
                kept = kept_fields(build.target)
                if kept is None:
                    return
                self.holders[chain] = build.kind, *kept
                for each in fields:
                    if each.name in kept and _is_held(each, kept[each.name]):
                        self.add((parameter, (*steps, ("attribute", each.name))), each.shape)
            case _:
                return
        if inside:
            self.holders[chain] = (build.kind,)
        for step, each in inside:
            self.add((parameter, (*steps, step)), each.shape)


def _value_of(shape: shapes.Shape) -> Value | None:
    """Return a value that holds everything of a leaf; nothing for what terms do not speak of as Python does."""
    match shape:
        case shapes.Constants(values) if not shape.unlisted and shape.word != "anything":
            kinds = {type(each) for each in values}
            if kinds == {bool}:
                return Bool()
            return OneOf(*values) if kinds in ({int}, {str}) else None
        case shapes.Numbers(line, low, high) if line.kind == "int" and not line.written:
            return Int(low, high)
        case shapes.Texts(pattern, least, most, flags, "str"):
            return Str(ANY_TEXT if pattern is None else pattern, least, most, 0 if pattern is None else flags)
    return None


def _is_stated(shape: shapes.Shape) -> bool:
    """Tell whether every bound of a leaf is the user's own."""
    match shape:
        case shapes.Numbers(stated=stated):
            return {"least", "most"} <= set(stated)
        case shapes.Texts(pattern, stated=stated) if "longest" not in stated:
            return pattern is not None and "pattern" in stated and _longest(shape) is not None
        case shapes.Texts(pattern, stated=stated):
            return pattern is None or "pattern" in stated
    return True


def _longest(shape: shapes.Texts) -> int | None:
    """Return how long texts of the pattern can be, if that is within the length of the shape."""
    assert shape.pattern is not None
    longest = widths(shape.pattern, shape.flags)[1]
    return longest if longest is not None and longest <= shape.most else None


def _is_held(each: shapes.Field, default: object) -> bool:
    """Tell whether a field can have no value beside those of its shape."""
    if default is UNKNOWN:
        return False
    if each.required or default is NONE:
        return True
    shape = each.shape.inner if isinstance(each.shape, shapes.Checked) else each.shape
    value = _value_of(shape)
    return value is not None and belongs(value, default)


# -- of a space --------------------------------------------------------------------------------------------------------


def spoken_input(space: InputSpace, passed: PassedInput) -> SpokenInput:
    """Return what conditions of a function can speak of in the inputs of a space."""
    names = parameters_of(passed)
    match space:
        case SpecSpace():
            return SpokenInput.of_spec(space.spec, {name: blank for name, blank in names.items() if blank is not None})
        case TextSpace():
            pattern = space.cover.pattern
            whole: shapes.Shape = shapes.Texts(
                pattern.text, 0, usual_most(pattern.text, pattern.flags), pattern.flags, stated=("pattern",)
            )
            return _spoken_of(dict.fromkeys(names, whole))
        case TypeSpace() if space.shape is not None and not isinstance(space.annotation, JsonSchema):
            bare = space.shape.inner if isinstance(space.shape, shapes.Checked) else space.shape
            if not space.blanks:
                return _spoken_of(dict.fromkeys(names, space.shape))
            fields = bare.fields if isinstance(bare, shapes.NamedFields) else ()
            by_name = {each.given_by: each.shape for each in fields if not isinstance(space.shape, shapes.Judged)}
            return _spoken_of({name: by_name[blank] for name, blank in names.items() if blank in by_name})
        case TypeSpace(annotation=JsonSchema() as schema):
            from unlike.behaviour.spoken_schemas import spoken_schema  # it speaks of parts by this module

            return spoken_schema(schema, passed)
    return SpokenInput()


def _spoken_of(roots: Mapping[str, shapes.Shape]) -> SpokenInput:
    made = SpokenInput()
    for parameter, shape in roots.items():
        made.add((parameter, ()), shape)
    return made


def parameters_of(passed: PassedInput) -> dict[str, str | None]:
    """Return which blank goes to which parameter; None: the input as a whole."""
    if passed.blanks and passed.by_name:
        return {name: name for name in passed.blanks}
    try:
        first = next(iter(inspect.signature(passed.function).parameters), None)
    except Exception:  # an object may answer as it likes
        return {}
    return {} if first is None else {first: passed.blanks[0] if passed.blanks else None}


def steady_parts(spoken: SpokenInput, function: ast.FunctionDef, steady: Collection[str]) -> dict[Chain, Expr]:
    """Return the parts that have one value during a call: of parameters never bound anew, and given to nobody."""
    uses = {name: [*uses_of(function, name)] for name in {chain[0] for chain in spoken.parts} & set(steady)}
    return {
        (name, steps): term
        for (name, steps), term in spoken.parts.items()
        if name in uses and not any(_may_change(spoken, name, steps, use) for use in uses[name])
    }


def _may_change(spoken: SpokenInput, name: str, steps: tuple[Step, ...], use: PartUse) -> bool:
    """Tell whether a use of an argument may change one of its parts: by what holds the part, or a method of that."""
    if not steps:
        return False  # it is the argument, which holds no other value unless its name is bound anew
    if use.is_changed:
        return True
    for at in range(len(steps)):  # what is above the part, from the argument on
        held = spoken.holders.get((name, steps[:at]))
        if held is None or use.steps[:at] != steps[:at]:
            return False
        if len(use.steps) == at:
            return not (use.is_only_looked_at and held[0] in ("dict", "tuple"))
        kind, key = use.steps[at]
        if held[0] in ("dict", "tuple"):
            if kind == "attribute":
                return key != "get"  # a method of a dict may change it
        elif kind == "item" or str(key) not in held[1:]:
            return True  # a method, or what stands for one
    return False


def inputs_with(space: InputSpace, spoken: SpokenInput, found: Mapping[str, Any], bases: Sequence[Any]) -> list[Any]:
    """Return inputs of a space, as it keeps them, in which the parts have the values that a solver found."""
    if isinstance(space, SpecSpace):
        return [dict(found)]
    places = {chain: found[next(iter(terms.blank_names(term._node)))] for chain, term in spoken.parts.items()}
    whole = [value for (_, steps), value in places.items() if not steps]
    if isinstance(space, TextSpace):
        return whole[:1]
    if not space.blanks and whole:
        return [recipe_of(whole[0])]
    made = []
    for base in bases[:BASES]:
        for (name, steps), value in places.items():
            key = str(steps[-1][1]) if steps else name
            wanted = (each for each in places_in(base) if each.name == key and type(each.value) is type(value))
            if (place := next(wanted, None)) is not None:
                base = place.put(value)
        made.append(base)
    return made
