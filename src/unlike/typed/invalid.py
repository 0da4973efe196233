"""The other verb on types and JSON Schemas: data that break exactly one rule each, labelled with the rule.

Of a schema, a change of a valid instance is kept if the validator rejects it, and accepts it once the keyword that it
blames is dropped from the schema. Changes come from the shape first (just beyond a bound, nearly matching a pattern),
then from the value alone.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from unlike.core import USUAL, CutShort, Deadline, Isolation, Timeout
from unlike.documents.json_schema.document import JsonSchema
from unlike.documents.json_schema.keywords import identity, states_rule
from unlike.documents.json_schema.patterns import shortest
from unlike.documents.json_schema.validator import Blamed, blame
from unlike.errors import ScopeError, how_many
from unlike.foreign import EndedError, LateError
from unlike.isolation.copy import runs_here
from unlike.progress import report
from unlike.recipe import recipe_of
from unlike.specs.isolated import sent_from_copy
from unlike.structure.building import data, known_in, runs_foreign_code
from unlike.structure.cover.execute import execute
from unlike.structure.cover.tree import EmptyShapeError, compile_shape
from unlike.structure.invalid import Broken, Unbroken, invalid as broken
from unlike.structure.shapes import EACH, Checked, Path, Shape, every, shown_path
from unlike.suite import STOPPED, Case, Ending, Status, Suite, proof_of
from unlike.typed.generate import TypeCases, nothing_found
from unlike.typed.literals import samples_of
from unlike.typed.schemas import generate_schema
from unlike.types.asked_pydantic import TakenByPydantic, taken_by_pydantic
from unlike.types.choices import SAMPLES, read_type

T = TypeVar("T")
EVERY_RULE = "one for every rule that can be broken alone"
NOTHING_ACCEPTED = "no value is accepted"
NO_RULE = "it states no rule that could be broken"
HALF = 0.5  # of the time goes to valid inputs, the rest to breaking them
MOST_TRIED = 5_000  # changes of valid instances, one at a time
MOST_CONSTANTS = 20  # values that the schema mentions, which are tried in other places, too
SAME, NEAR, ELSEWHERE = range(3)
ANY = "\0any"  # the step to the value of any key
Change = tuple[Path, str, object]
BrokenRules = tuple[list[Broken], Status, str]  # how the search for them ended, and what they guarantee


@dataclass(frozen=True, slots=True)
class BrokenInstance:
    """Data that the validator rejects because of one keyword: where, how it was changed, the keyword and its schema."""

    path: Path
    word: str
    data: object
    blamed: Blamed

    def __str__(self) -> str:
        if _distance(self.path, self.blamed) == SAME:
            return f"{shown_path(self.path)}: {self.blamed.keyword} ({self.word})"
        place = tuple(EACH if isinstance(step, int) else step for step in self.blamed.about)
        return f"{shown_path(place)}: {self.blamed.keyword} ({shown_path(self.path)}: {self.word})"


def _distance(path: Path, blamed: Blamed) -> int:
    """Tell whether a keyword speaks of the place of a change, of one around or inside it, or of another one."""
    return min(_between(steps, blamed.about) for steps in ([*path], [*_validator_steps(path)]))


def _between(steps: list[str], about: tuple[str | int, ...]) -> int:
    for step, each in zip(steps, about, strict=False):
        if step != each and not (step == EACH and isinstance(each, int)) and step not in (ANY, str(each)):
            return ELSEWHERE
    return SAME if len(steps) == len(about) else NEAR


def _validator_steps(path: Path) -> Iterator[str]:
    """Yield the steps of a path to an entry of a mapping as a validator counts them: one to a value, none to a key."""
    for index, step in enumerate(path):
        entry = path[index + 1 : index + 2] if step == EACH else path[index : index + 1]
        within = step == EACH or path[index - 1 : index] == (EACH,)
        if not within or entry not in (("key",), ("value",)):
            yield step
        elif step == EACH and entry == ("value",):
            yield ANY


@dataclass(frozen=True, slots=True)
class InvalidCases:
    """The cases of data that break one rule each."""

    found: Sequence[Broken | BrokenInstance]

    def count(self) -> int:
        """Return how many cases there are."""
        return len(self.found)

    def at(self, index: int) -> Case:
        """Return the case at the index."""
        each = self.found[index]
        return Case(recipe_of(each.data), str(each), str(index), legal=False)


def invalid_type(
    annotation: object,
    n: int | None = None,
    *,
    timeout: Timeout = None,
    depth: int = 2,
    isolation: Isolation = USUAL,
    literals: Mapping[str | type, object] | None = None,
) -> Suite:
    """Return data that break exactly one rule of the type each: dicts for objects, lists for items.

    The label names the place and the rule. Only rules that the type states are broken, not default bounds; where values
    are given, they stand in data that break a rule elsewhere.
    """
    _check_number(n, "rules")
    deadline = Deadline.of(timeout)
    read = read_type(annotation, depth=depth, as_data=True, literals=samples_of(literals))
    takes = taken_by_pydantic(annotation) if is_of_pydantic(annotation, read.shape) else None

    if runs_here(isolation) or not runs_foreign_code(read.shape):
        found, status, guarantee = _break_rules(read.shape, n, deadline, takes)
    else:
        found, status, guarantee = _break_elsewhere(read.shape, n, deadline, isolation, takes)
    if not found and status.ending is Ending.UNSATISFIABLE:
        status = replace(status, detail="; ".join((status.detail, *read.remarks)))
    return Suite(f"invalid {read.name}", InvalidCases(found), status, guarantee)


def is_of_pydantic(annotation: object, shape: Shape) -> bool:
    """Tell whether pydantic has the last word on a type: a class of its own, or what is under a check of it."""
    if hasattr(annotation, "__pydantic_fields__"):
        return True
    checks = [check.function for each in every(shape) if isinstance(each, Checked) for check in each.checks]
    return any(isinstance(each, TakenByPydantic) for each in checks)


def _check_number(n: object, of: str) -> None:
    if n is not None and (type(n) is not int or n < 1):
        raise ScopeError(f"n={n!r} must be an int of at least 1; leave it out for all {of}")


def _break_elsewhere(
    shape: Shape, n: int | None, deadline: Deadline, isolation: Isolation, takes: TakenByPydantic | None
) -> BrokenRules:
    """Return what a copy of this process makes; what cannot be sent from there is made here."""

    def make() -> BrokenRules:
        return _break_rules(shape, n, deadline, takes)

    def rest(found: BrokenRules) -> BrokenRules | None:
        _, status, _ = found
        return ([], status, "") if status.ending is Ending.FAILED else None  # then nothing is made here

    found = sent_from_copy(make, known_in(shape), deadline=deadline, rest=rest, isolation=isolation)
    if found is None:
        return [], STOPPED, ""
    return make() if found is False else found


def _break_rules(shape: Shape, n: int | None, deadline: Deadline, takes: TakenByPydantic | None) -> BrokenRules:
    """Return the broken data, how the search for them ended, and what they guarantee."""
    found: list[Broken] = []
    taken: list[str] = []
    try:
        outcome = execute(compile_shape(shape, "each"), "each", deadline=deadline.part(HALF))
        for each in deadline.each(broken(shape, [row.plain for row in outcome.rows], takes)):
            if isinstance(each, Unbroken):
                taken.append(f"cannot break {each.label}: {each.data!r} is taken")
                continue
            found.append(each)
            report("breaking rules", len(found), of=n)
    except EmptyShapeError as empty:
        return [], nothing_found(empty)[0], ""
    except CutShort as cut:
        return found, cut.status, _guarantee(found)
    except EndedError as ended:
        status = deadline.status() if isinstance(ended, LateError) else Status(Ending.FAILED, str(ended))
        return found, status, _guarantee(found)
    found = spread_over_places(found, lambda each: (each.path, each.rule))[:n]
    if outcome.ended is Ending.FAILED:
        return found, Status(Ending.FAILED, outcome.failure), _guarantee(found)
    status = proof_of(EVERY_RULE)
    if not found:
        status = Status(Ending.UNSATISFIABLE, NO_RULE)
    elif len(found) == n:
        status = Status(Ending.FOUND)
    if n is None and (unbroken := [*_unbroken(shape, found), *taken]):
        status = replace(status, detail="; ".join((status.detail, *unbroken)))
    return found, status, _guarantee(found)


def spread_over_places(found: Sequence[T], about: Callable[[T], tuple[Path, str]]) -> list[T]:
    """Return all that was found, so that every beginning shows many places and many rules.

    Each time the place comes that was shown least, and there the rule that was broken least anywhere.
    """
    waiting: dict[Path, list[tuple[str, T]]] = {}
    for each in found:
        path, rule = about(each)
        waiting.setdefault(path, []).append((rule, each))
    broken: Counter[str] = Counter()
    ordered: list[T] = []
    while waiting:
        for path, rules in list(waiting.items()):  # one of each place
            at = min(range(len(rules)), key=lambda index: broken[rules[index][0]])
            rule, each = rules.pop(at)
            broken[rule] += 1
            ordered.append(each)
            if not rules:
                del waiting[path]
    return ordered


def _unbroken(shape: Shape, found: list[Broken]) -> list[str]:
    """Return the predicates that no value was found to break, in words."""
    labels = [str(each) for each in found]
    checks = [
        check
        for each in every(shape)
        if isinstance(each, Checked)
        for check in each.checks
        if not check.again or check.examples
    ]
    names = dict.fromkeys(check.name for check in checks)
    return [f"no value was found that breaks {name}" for name in names if not any(name in label for label in labels)]


def _guarantee(found: list[Broken]) -> str:
    return (
        f"{how_many(len(found), 'input')}: each breaks the rule in its label, and fits again once that rule is dropped"
    )


# -- schemas -------------------------------------------------------------------------------------------------------


def invalid_schema(schema: JsonSchema, n: int | None = None, *, timeout: Timeout = None, depth: int = 2) -> Suite:
    """Return data that break exactly one keyword of the schema each; the label names the place and the keyword."""
    _check_number(n, "keywords")
    deadline = Deadline.of(timeout)
    valid = generate_schema(schema, timeout=deadline.part(HALF), depth=depth)
    name = f"invalid {schema.name}"
    if not len(valid):
        return _reject_everything(schema, name, valid, n)
    frame = _frame(schema)
    rules: dict[tuple[int, str], str] = {}
    found: list[BrokenInstance] = []
    cut: CutShort | None = None
    try:
        read = schema.read(depth=depth, deadline=deadline)
        rules = {key: place for key, place in read.rules.items() if key not in frame}
        for each in _break_keywords(schema, valid, set(rules), deadline):
            found.append(each)  # what came before a cut stays
            report("breaking rules", len(found), of=n)
    except CutShort as short:
        cut = short
    found = spread_over_places(found, lambda each: (each.path, each.blamed.keyword))[:n]
    number = how_many(len(found), "input")
    guarantee = f"{number}: each is rejected because of the keyword in its label, and accepted once it is dropped"
    if n is not None and len(found) == n:
        return Suite(name, InvalidCases(found), Status(Ending.FOUND), guarantee)
    if cut is not None:
        return Suite(name, InvalidCases(found), cut.status, guarantee)
    broken_ones = {(id(each.blamed.schema), each.blamed.keyword) for each in found}
    missing = sorted({f"{place} {key[1]}" for key, place in rules.items() if key not in broken_ones})
    status = proof_of("every keyword is broken alone")
    if missing:
        status = Status(Ending.UNKNOWN, f"not broken alone: {'; '.join(missing)}")
    elif not found and not _states_rule(schema):
        status = Status(Ending.UNSATISFIABLE, "the schema states no rule that could be broken")
    elif not found:
        status = Status(Ending.UNKNOWN, "no value was found that breaks one rule alone")
    return Suite(name, InvalidCases(found), status, guarantee)


def _states_rule(schema: JsonSchema) -> bool:
    return any(states_rule(part) for part in _objects_in(schema.document.contents))


def _reject_everything(schema: JsonSchema, name: str, valid: Suite, n: int | None) -> Suite:
    """Return one value of each kind, where it is proved that none is accepted."""
    if valid.status.ending is not Ending.UNSATISFIABLE:
        return Suite(name, InvalidCases(()), valid.status, valid.guarantee)
    found: list[BrokenInstance] = []
    for value in (*SAMPLES.values(), *SchemaMentions.of(schema.document.contents).constants):
        error = next(iter(schema.validator.iter_errors(value)), None)
        if error is not None and not any(each.data == value and type(each.data) is type(value) for each in found):
            holds = error.schema if isinstance(error.schema, dict) else {}
            found.append(BrokenInstance((), NOTHING_ACCEPTED, value, Blamed(error.validator or "false", holds)))
    guarantee = f"{how_many(len(found[:n]), 'input')}: each is rejected, as no instance exists"
    return Suite(name, InvalidCases(found[:n]), proof_of(f"no instance exists: {valid.status.detail}"), guarantee)


def _break_keywords(
    schema: JsonSchema, valid: Suite, rules: set[tuple[int, str]], deadline: Deadline
) -> Iterator[BrokenInstance]:
    """Yield what the shape gives first; of all other changes only those that break a keyword not broken so far."""
    values: set[object] = set()
    known: set[tuple[int, str]] = set()
    frame = _frame(schema)
    mentioned = SchemaMentions.of(schema.document.contents)
    tried = itertools.islice(_changes(valid, mentioned, deadline), MOST_TRIED)
    is_listed = bool(rules) or not _states_rule(schema)  # rules of places that no instance has are listed nowhere
    for (path, word, value), is_general in deadline.each(tried):
        if is_general and is_listed and rules <= known:
            return
        if identity(value) in values:
            continue
        blamed = [each for each in blame(schema.validator, value) if (id(each.schema), each.keyword) not in frame]
        fresh = [each for each in blamed if (id(each.schema), each.keyword) not in known]
        if not blamed or (is_general and not fresh):
            continue
        # the keyword that speaks of the place of the change, or else near it; of several one not broken so far
        chosen = min(fresh if is_general else blamed, key=lambda each: (_distance(path, each), each not in fresh))
        values.add(identity(value))
        known.add((id(chosen.schema), chosen.keyword))
        yield BrokenInstance(path, word, value, chosen)


def _frame(schema: JsonSchema) -> set[tuple[int, str]]:
    """Return the keywords that are not to be broken."""
    return {(id(schema.document.value_at(pointer)), keyword) for pointer, keyword in schema.frame}


# -- changes -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SchemaMentions:
    """What a document speaks of: values under const and enum, names of properties, numbers to be multiples of."""

    constants: tuple[object, ...] = ()
    names: tuple[str, ...] = ()
    steps: tuple[float, ...] = ()

    @staticmethod
    def of(document: object) -> SchemaMentions:
        """Return what a document speaks of, as far as it is few."""
        constants: list[object] = []
        names: dict[str, None] = {}
        others: dict[str, None] = {}
        steps: dict[float, None] = {}
        for part in _objects_in(document):
            listed = part.get("enum")
            constants += [*([part["const"]] if "const" in part else []), *(listed if isinstance(listed, list) else [])]
            if isinstance(step := part.get("multipleOf"), int | float):
                steps[step] = None
            for keyword in ("properties", "patternProperties", "dependentSchemas", "dependentRequired", "dependencies"):
                inside = part.get(keyword)
                for name, inner in inside.items() if isinstance(inside, dict) else ():
                    example = shortest(name) if keyword == "patternProperties" else str(name)
                    if example is not None:
                        (names if inner in (False, {"not": {}}, {"not": True}) else others)[example] = None
        few = slice(MOST_CONSTANTS)
        return SchemaMentions(tuple(constants)[few], tuple(names | others)[few], tuple(steps)[few])


def _objects_in(part: object) -> Iterator[dict[str, object]]:
    match part:
        case dict():
            yield part
            for inner in part.values():
                yield from _objects_in(inner)
        case list():
            for inner in part:
                yield from _objects_in(inner)


def _changes(valid: Suite, mentioned: SchemaMentions, deadline: Deadline) -> Iterator[tuple[Change, bool]]:
    cases = valid.cases
    assert isinstance(cases, TypeCases)
    shape = cases.shape
    while isinstance(shape, Checked):  # the validator judges, not the shape
        shape = shape.inner
    for each in broken(shape, cases.plains, deadline=deadline):
        if isinstance(each, Broken) and _is_json(each.data):
            yield (each.path, each.rule, each.data), False
    for plain in cases.plains:
        for change in changes_of(data(shape, plain), mentioned):
            yield change, True


def _is_json(value: object) -> bool:
    match value:
        case dict():
            return all(isinstance(key, str) and _is_json(inner) for key, inner in value.items())
        case list():
            return all(map(_is_json, value))
    return value is None or isinstance(value, bool | int | float | str)


NOTHING = SchemaMentions()
PARTS = {"a half": 2, "a tenth": 10}


def changes_of(value: object, mentioned: SchemaMentions = NOTHING, path: Path = ()) -> Iterator[Change]:
    """Yield the value with one change in one place: where, what was done, and the whole."""
    for word, other in (*_others(value), *_insert_mentions(value, mentioned)):
        yield path, word, other
    match value:
        case dict():
            for name, inner in value.items():
                yield (*path, name), "missing", {key: each for key, each in value.items() if key != name}
                for where, word, other in changes_of(inner, mentioned, (*path, name)):
                    yield where, word, {**value, name: other}
        case list():
            for index, inner in enumerate(value):
                for where, word, other in changes_of(inner, mentioned, (*path, EACH)):
                    yield where, word, [*value[:index], other, *value[index + 1 :]]


def _insert_mentions(value: object, mentioned: SchemaMentions) -> Iterator[tuple[str, object]]:
    """Yield other values that the document speaks of."""
    for each in mentioned.constants:
        yield f"{each!r} instead", each
    if isinstance(value, int | float) and not isinstance(value, bool):
        for step in mentioned.steps:
            yield from (
                (f"{part} of {step} more", value + step / parts) for part, parts in (("a half", 2), ("a tenth", 10))
            )
    if isinstance(value, dict):
        for name in mentioned.names:
            if name not in value:
                yield f"with {name}", {**value, name: 1}


def _others(value: object) -> Iterator[tuple[str, object]]:
    match value:
        case bool() | None:
            pass
        case int() | float():
            yield from (("one less", value - 1), ("one more", value + 1), ("a half more", value + 0.5))
            yield from (("negative", -abs(value) - 1), ("very large", abs(value) + 10**9))
        case str():
            yield from (("one longer", f"{value}x"), ("one shorter", value[:-1]), ("much longer", value + "x" * 100))
            yield from (("empty", ""), ("other characters", "~" * max(1, len(value))))
        case list():
            yield from (("one fewer", value[:-1]), ("empty", []), ("one null more", [*value, None]))
            if value:
                yield from (("the first twice", [value[0], *value]), ("the last often", [*value, *value[-1:] * 20]))
                yield from ((f"the first again at {at}", [*value[:at], value[0], *value[at + 1 :]]) for at in (1, 2))
        case dict():
            extra = "unexpected"
            while extra in value:
                extra += "_"
            for word, each in (("one", 1), ("a null", None), *(("one like another", each) for each in value.values())):
                yield f"{word} too many", {**value, extra: each}
            yield from (("empty", {}), ("many more", {**value, **{f"{extra}{i}": "x" for i in range(20)}}))
    kinds: dict[str, object] = {"null": None, "a boolean": True, "a number": 0, "a fraction": 0.5, "a text": "text"}
    for word, other in (kinds | {"an array": [], "an object": {}}).items():
        if type(other) is not type(value):
            yield word, other
