"""A type with a difference of the user's own becomes a spec over its fields, whose inputs become instances.

A field that the term language has no value for is held: some of its values fill the inputs, and what is proved holds
only where neither a condition nor the difference looks at it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from unlike.core import FOREVER, USUAL, Deadline, Isolation
from unlike.errors import SpecError, how_many
from unlike.isolation.copy import runs_here
from unlike.language.differences import Difference
from unlike.language.expressions import Expr
from unlike.language.spec import Spec
from unlike.language.terms import INT, Blank, blank_names, is_held
from unlike.language.values import Int, OneOf, Record, Value
from unlike.language.where import Predicate, predicate
from unlike.recipe import Recipe, Step
from unlike.specs.core_difference import Branch, Python, Select, core_of, parts_of, tells_apart, terms_of
from unlike.specs.generate import SpecCases, generate as generate_spec, with_detail
from unlike.specs.isolated import sent_from_copy
from unlike.specs.problem import take_apart
from unlike.specs.verify import first_alike
from unlike.structure.building import CALLED, RefusedError, assemble, known_in, quote_plain, runs_foreign_code
from unlike.structure.shapes import Check, Checked, NamedFields, Numbers, Shape, Texts, every, first_failed
from unlike.suite import Case, Ending, Status, Suite
from unlike.typed.conditions import WHOLE, HowMany, as_in_terms, fields_of, fit_names, part_of
from unlike.types.asked_pydantic import taken_by_pydantic
from unlike.types.choices import ReadType, has_validators
from unlike.types.held import Hold, SeenPart, covering_plains, held_parts, hold, looks_at_held
from unlike.types.known_classes import is_ordinary
from unlike.types.terms import plain_in_shape, value_of_shape

LISTED = 64  # multiples that are listed, so that each has others beside it; of more a term says what they are


@dataclass(frozen=True, slots=True)
class TypeSpec:
    """A type as a spec over its fields (or over the value, if it has none), and what it says of more than the spec."""

    spec: Spec
    shape: Shape
    held: tuple[str, ...] = ()  # places of which only some values are tried
    looks: bool = False  # whether a condition or the difference looks at them, so that others might matter


def by_difference(
    read: ReadType, n: HowMany, made: TypeSpec, deadline: Deadline, seed: int, limits: Isolation
) -> Suite:
    """Return instances of a type, any two of which differ as said."""
    suite = generate_spec(made.spec, n, timeout=deadline, seed=seed, **limits.of_one_process())
    assert isinstance(suite.cases, SpecCases)
    places = {each.line.places for each in every(read.shape) if isinstance(each, Numbers) and not each.is_listed}
    status, guarantee = suite.status, suite.guarantee
    if places and status.ending in (Ending.COMPLETE, Ending.UNSATISFIABLE):
        status = with_detail(status, f"of floats with {max(places)} decimal places")
    if made.held:
        said = f"of {', '.join(made.held)} some values were tried"
        guarantee = f"{guarantee} {said[0].upper()}{said[1:]}."
        if made.looks and status.ending in (Ending.COMPLETE, Ending.MAXIMAL, Ending.UNSATISFIABLE):
            status = Status(Ending.UNKNOWN, f"{said}; with others there may be more")
            guarantee = (
                f"{how_many(len(suite), 'input')}. Each is within its bounds; {said}, and more inputs may exist."
            )
    return Suite(suite.name, _Instances(suite.cases, made.shape), status, guarantee, suite.explanation)


def spec_of(
    read: ReadType,
    *,
    where: object,
    different: list[Difference],
    deadline: Deadline = FOREVER,
    isolation: Isolation = USUAL,
) -> TypeSpec:
    """Return a type as a spec whose blanks are its fields; what the term language has no value for is held."""

    def hold_part(shape: Shape) -> Value:
        return hold(shape, _plains(shape, deadline, isolation))

    bare = read.shape.inner if isinstance(read.shape, Checked) else read.shape
    fields = fields_of(bare)
    blanks: dict[str, Value] = {}
    said: list[object] = []
    for name, shape in (fields or {WHOLE: read.shape}).items():
        blanks[name], more = _blank(name, shape, hold_part)
        said += more
    if not fields and is_held(blanks[WHOLE].kind):
        value_of_shape(bare)  # which says why there is none
    refuses = isinstance(bare, NamedFields) and bool(fields) and _may_refuse(read.shape, bare)
    final = [_acceptance(read.shape, list(fields))] if refuses else _patterns_of_pydantic(bare)
    spec = Spec(blanks, where=[*said, fit_names(where, fields), *final], different=different, name=read.name)
    places = tuple(place for name, value in blanks.items() for place in held_parts(value, name))
    optional = _may_lack(bare) if isinstance(bare, NamedFields) else []
    names = {place.split(".")[0].split("[")[0] for place in places}
    looks = bool(optional) or _looks_at(spec, names)
    return TypeSpec(spec, read.shape, (*places, *(f"{name} (always given)" for name in optional)), looks)


def first_alike_instances(
    read: ReadType, different: list[Difference], instances: list[object]
) -> tuple[int, int] | None:
    """Return the positions of two instances that do not differ as said; nothing if all do.

    Which branch of a pattern a text was made for is not to be seen of an instance, so that those are not compared.
    """
    bare = read.shape.inner if isinstance(read.shape, Checked) else read.shape
    fields = fields_of(bare)

    def number_seen(_: Shape) -> Value:
        return Record((("number", OneOf(0)),), SeenPart())

    blanks = {name: _blank(name, shape, number_seen)[0] for name, shape in (fields or {WHOLE: read.shape}).items()}
    problem = take_apart(Spec(blanks, different=different))
    if any(isinstance(part, Select | Branch) for part in parts_of(problem.difference)):
        return None
    assignments: list[dict[str, object]] = [
        {name: as_in_terms(value, part_of(each, name) if fields else each) for name, value in blanks.items()}
        for each in instances
    ]
    return first_alike(problem, assignments)


def _may_lack(shape: NamedFields) -> list[str]:
    """Return the fields that an instance may lack: a dict shows whether a key is there, an object does not."""
    return [] if shape.build.kind in CALLED else [each.name for each in shape.fields if not each.required]


def _blank(name: str, shape: Shape, held: Hold) -> tuple[Value, list[object]]:
    """Return the value of a field, and what else is true of it: multiples as a term, predicates as filters."""
    match shape:
        case Checked(inner, checks) if not all(check.again for check in checks):
            value, said = _blank(name, inner, held)
            own = tuple(check for check in checks if not check.again)
            return value, [*said, _on_fields([name], lambda fields: first_failed(own, fields[name]) is None)]
        case Numbers(line, low, high, step) if line.kind == "int" and step > 1 and shape.count() <= LISTED:
            return OneOf(*range(low, high + 1, step)), []
        case Numbers(line, low, high, step) if line.kind == "int" and step > 1:
            return Int(low, high), [Expr(Blank(name, INT)) % step == 0]
    return value_of_shape(shape, (name,), held), []


def _looks_at(spec: Spec, names: set[str]) -> bool:
    """Tell whether an assertion or the difference looks at what one of the blanks holds, or at whole inputs."""
    core = core_of(spec.difference)
    if not tells_apart(core) or any(isinstance(part, Python) for part in parts_of(core)):
        return bool(names)
    said = (*spec.assertions, *terms_of(core))
    return any(blank_names(node) & names and looks_at_held(node) for node in said)


def _plains(shape: Shape, deadline: Deadline, isolation: Isolation) -> list[object]:
    """Return some values of a part, made in a copy of this process where code of the user's makes them."""
    if not runs_here(isolation) and runs_foreign_code(shape):
        found = sent_from_copy(
            lambda: covering_plains(shape), known_in(shape), deadline=deadline, rest=lambda _: None, isolation=isolation
        )
        if found:
            return found
    plains = covering_plains(shape)
    if not plains:
        raise SpecError("a field has no values that could be found; leave out different=…, and its choices are covered")
    return plains


# -- what only finished values tell -------------------------------------------------------------------------------


def can_refuse(shape: Shape) -> bool:
    """Tell whether a constructor in the shape may refuse values that keep the stated rules."""
    targets = [each.build.target for each in every(shape) if isinstance(each, NamedFields)]
    return any(has_validators(each) or (isinstance(each, type) and is_ordinary(each)) for each in targets)


def _may_refuse(shape: Shape, bare: NamedFields) -> bool:
    """Tell whether an instance may be refused though all its fields are legal."""
    checked = isinstance(shape, Checked) and not all(check.again for check in shape.checks)
    return checked or (bare.build.kind in CALLED and can_refuse(bare))


def _acceptance(shape: Shape, names: list[str]) -> Predicate:
    """Return the assertion that an instance can be made of the fields, as a predicate that names them."""
    checks: tuple[Check, ...] = shape.checks if isinstance(shape, Checked) else ()
    bare = shape.inner if isinstance(shape, Checked) else shape
    assert isinstance(bare, NamedFields)

    def accepts(fields: dict[str, object]) -> bool:
        try:
            instance = assemble(bare.build, [(each, fields[each.name]) for each in bare.fields])
        except RefusedError:
            return False
        return first_failed(checks, instance) is None

    return _on_fields(names, accepts)


def _on_fields(names: list[str], function: Callable[[dict[str, object]], object]) -> Predicate:
    """Return a predicate on some fields; it says by its parameters what it takes, so it needs real ones."""
    pairs = ", ".join(f"{name!r}: {name}" for name in names)
    made: Callable[..., object] = eval(f"lambda {', '.join(names)}: accepts({{{pairs}}})", {"accepts": function})
    return predicate(made)


def _patterns_of_pydantic(shape: Shape) -> list[Predicate]:
    """Return that pydantic takes each field with a pattern: its engine reads some of them otherwise than Python's."""
    fields = getattr(shape.build.target, "__pydantic_fields__", {}) if isinstance(shape, NamedFields) else {}
    parts = fields_of(shape)
    wanted = {name: info for name, info in fields.items() if name in parts and _has_pattern(parts[name])}
    asked = {name: taken_by_pydantic(Annotated[info.annotation, info]) for name, info in wanted.items()}
    return [_on_fields([name], _takes(takes, name)) for name, takes in asked.items() if takes is not None]


def _takes(takes: Callable[[object], object], name: str) -> Callable[[dict[str, object]], object]:
    return lambda fields: takes(fields[name])


def _has_pattern(shape: Shape) -> bool:
    return any(isinstance(each, Texts) and "pattern" in each.stated for each in every(shape))


# -- instances ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Instances:
    """Cases of a spec over the fields of a type, as instances of the type."""

    cases: SpecCases
    shape: Shape

    def count(self) -> int:
        """Return how many cases there are."""
        return self.cases.count()

    def at(self, index: int) -> Case:
        """Return the case at the index."""
        steps: list[Step] = []
        found = self.cases.inputs[index]
        parts = fields_of(self.shape)
        plain: object = {
            name: plain_in_shape(shape, self.cases.blanks[name], found[name]) for name, shape in parts.items()
        }
        if not parts:
            plain = plain_in_shape(self.shape, self.cases.blanks[WHOLE], found[WHOLE])
        result = quote_plain(self.shape, plain, steps)
        return Case(Recipe(tuple(steps), result), self.cases.labels[index], str(index))
