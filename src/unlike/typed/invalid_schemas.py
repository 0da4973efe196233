"""The other verb on JSON Schemas: data that break exactly one keyword each, labelled with it.

A change of a valid instance is kept if the validator rejects it, and accepts it once the keyword that it blames is
dropped from the schema. Changes come from the shape first (just beyond a bound, nearly matching a pattern), then
from the value alone.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from unlike.core import CutShort, Deadline, Timeout
from unlike.documents.json_schema.changes import Change, SchemaMentions, changes_of, objects_in, put_at
from unlike.documents.json_schema.document import JsonSchema
from unlike.documents.json_schema.formats import OTHERWISE, FormatRules, bad_values, is_implied, kind_of
from unlike.documents.json_schema.keywords import identity, states_rule
from unlike.documents.json_schema.reader import NoInstanceError, ReadSchema
from unlike.documents.json_schema.validator import Blamed, blame, complaints
from unlike.errors import how_many
from unlike.progress import report
from unlike.structure.building import data
from unlike.structure.invalid import Broken, invalid as broken, invalid_again as broken_again
from unlike.structure.shapes import EACH, Checked, Constants, Path, Shape, shown_path
from unlike.suite import Ending, Status, Suite, proof_of
from unlike.typed.generate import TypeCases
from unlike.typed.invalid import HALF, BrokenData, InvalidCases, check_number, spread_over_places
from unlike.typed.schemas import GRACE, generate_schema
from unlike.types.choices import SAMPLES

NOTHING_ACCEPTED = "no value is accepted"
MOST_TRIED = 5_000  # changes of valid instances, one at a time
MOST_BAD = 3  # values that break one format
MOST_PLACES = 5  # at which the same format is tried
SAME, NEAR, ELSEWHERE = range(3)
ANY = "\0any"  # the step to the value of any key


def invalid_schema(schema: JsonSchema, n: int | None = None, *, timeout: Timeout = None, depth: int = 2) -> Suite:
    """Return data that break exactly one keyword of the schema each; the label names the place and the keyword."""
    check_number(n, "keywords")
    deadline = Deadline.of(timeout)
    valid = generate_schema(schema, timeout=deadline.part(HALF), depth=depth)
    name = f"invalid {schema.name}"
    if not len(valid):
        return _reject_everything(schema, name, valid, n)
    frame = _frame(schema)
    rules: dict[tuple[int, str], str] = {}
    found: list[BrokenInstance] = []
    cut: CutShort | None = None
    read: ReadSchema | None = None
    try:
        read = _read(schema, depth, deadline)
        rules = {key: place for key, place in _rules_in(schema, read).items() if key not in frame}
        rules = {key: place for key, place in rules.items() if not read.implied.get(key)}
        formats = _break_formats(schema, valid, rules if schema.formats else (), deadline)
        for each in itertools.chain(_break_keywords(schema, valid, set(rules) - set(read.formats), deadline), formats):
            found.append(each)  # what came before a cut stays
            report("breaking rules", len(found), of=n)
    except CutShort as short:
        cut = short
    if cut is not None and not found:
        found += _break_in_time(schema, valid)
    found = spread_over_places(found, lambda each: (each.path, each.blamed.keyword))[:n]
    others: list[BrokenData] = [BrokenOtherwise(*each) for each in schema.broken_otherwise(valid.values)]
    if n is not None and cut is None and len(found) + len(others) < n:
        others += _break_again(schema, valid, found, n - len(found) - len(others), deadline)
    cases = InvalidCases([*found, *others][:n], schema.request_or_none)
    number = how_many(cases.count(), "input")
    guarantee = f"{number}: each is rejected because of the keyword in its label, and accepted once it is dropped"
    if any(each.blamed.keyword == "format" for each in found):
        guarantee += " (formats by those who look at them)"
    if any(isinstance(each, BrokenOtherwise) for each in others):
        guarantee += "; what breaks no keyword is refused for what its label says"
    status = Status(Ending.FOUND)
    if n is None or cases.count() < n:
        status = _status_of(schema, found, rules, read) if cut is None else cut.status
    if status.ending is Ending.UNSATISFIABLE and others:
        status = proof_of("all that could be broken is broken")
    return Suite(name, cases, status, guarantee)


def _break_in_time(schema: JsonSchema, valid: Suite) -> list[BrokenInstance]:
    """Return what changes of the first instance break, where the time was over before anything was."""
    found: list[BrokenInstance] = []
    with contextlib.suppress(CutShort):
        found.extend(_break_keywords(schema, valid, set(), Deadline.of(GRACE), of=1))  # what came before a cut stays
    return found


def _read(schema: JsonSchema, depth: int, deadline: Deadline) -> ReadSchema:
    """Return a schema that has instances as it is read; if no reading finds one, nothing is known of its rules."""
    for thorough in (False, True):
        with contextlib.suppress(NoInstanceError):
            return schema.read(depth=depth, thorough=thorough, deadline=deadline)
    return ReadSchema(Constants(()), left_out=[(schema.name, "no choice leads to an instance")])


def _status_of(
    schema: JsonSchema, found: list[BrokenInstance], rules: dict[tuple[int, str], str], read: ReadSchema | None
) -> Status:
    """Return what is true of the rules, once all changes were tried; what no request can break is none of them."""
    broken_ones = {(id(each.blamed.schema), each.blamed.keyword) for each in found}
    parts = {id(part): part for part in objects_in(schema.document.contents)}
    missing: set[str] = set()
    kept: set[str] = set()
    for key, place in rules.items():
        if key not in broken_ones:
            proved = schema.cannot_break(parts.get(key[0]), key[1], place)
            (kept if proved else missing).add(f"{place} {key[1]}")
    if missing:
        return Status(Ending.UNKNOWN, f"not broken alone: {'; '.join(sorted(missing))}")
    if read is None or read.left_out:
        said = "every keyword that was read is broken alone; of a schema this large some are left out"
        return Status(Ending.UNKNOWN, said)
    if kept and not found:
        return Status(Ending.UNSATISFIABLE, f"no text breaks any of its rules: {'; '.join(sorted(kept))}")
    twice = ", ".join(sorted({f"{read.rules[key]} {key[1]}" for key, implied in read.implied.items() if implied}))
    but = f", but for what others say, too ({twice})" if twice else ""
    if kept:
        unbroken = ", ".join(sorted(kept))
        return proof_of(f"every keyword that a request can break is broken alone{but}; no text breaks {unbroken}")
    if found:
        return proof_of(f"every keyword is broken alone{but}")
    if not _states_rule(schema):
        return Status(Ending.UNSATISFIABLE, "the schema states no rule that could be broken")
    return Status(Ending.UNKNOWN, "no value was found that breaks one rule alone")


def _rules_in(schema: JsonSchema, read: ReadSchema) -> dict[tuple[int, str], str]:
    """Return the keywords that can be broken, and where they stand."""
    if not schema.formats:
        return read.rules
    formats = {key: place for key, (place, said) in read.formats.items() if not is_implied(str(said["format"]), said)}
    return read.rules | formats


def _states_rule(schema: JsonSchema) -> bool:
    frame = _frame(schema)
    parts = (
        {word: said for word, said in part.items() if (id(part), word) not in frame}
        for part in objects_in(schema.document.contents)
    )
    return any(states_rule(part) or (schema.formats and kind_of(part.get("format"))) for part in parts)


def _reject_everything(schema: JsonSchema, name: str, valid: Suite, n: int | None) -> Suite:
    """Return one value of each kind, where it is proved that none is accepted."""
    if valid.status.ending is not Ending.UNSATISFIABLE:
        return Suite(name, InvalidCases(()), valid.status, valid.guarantee)
    found: list[BrokenInstance] = []
    for value in (*SAMPLES.values(), *SchemaMentions.of(schema.document.contents).constants):
        error = next(iter(schema.validator.iter_errors(value)), None)
        if error is None or not schema.is_refused(value):
            continue
        if not any(each.data == value and type(each.data) is type(value) for each in found):
            holds = error.schema if isinstance(error.schema, dict) else {}
            found.append(BrokenInstance((), NOTHING_ACCEPTED, value, Blamed(error.validator or "false", holds)))
    guarantee = f"{how_many(len(found[:n]), 'input')}: each is rejected, as no instance exists"
    return Suite(name, InvalidCases(found[:n]), proof_of(f"no instance exists: {valid.status.detail}"), guarantee)


def _break_keywords(
    schema: JsonSchema, valid: Suite, rules: set[tuple[int, str]], deadline: Deadline, of: int | None = None
) -> Iterator[BrokenInstance]:
    """Yield what the shape gives first; of all other changes only those that break a keyword not broken so far.

    Changed are all valid instances, or the first `of` them.
    """
    values: set[object] = set()
    known: set[tuple[int, str]] = set()
    frame = _frame(schema)
    mentioned = SchemaMentions.of(schema.document.contents)
    first = ((change, False) for change in schema.first_changes(valid.values[:of]))
    tried = itertools.islice(itertools.chain(first, _changes(valid, mentioned, deadline, of)), MOST_TRIED)
    is_listed = bool(rules) or not _states_rule(schema)  # rules of places that no instance has are listed nowhere
    for (path, word, value), is_general in deadline.each(tried):
        if is_general and is_listed and rules <= known:
            return
        if identity(value) in values:
            continue
        blamed = _blamed_by(schema, value, frame)
        fresh = [each for each in blamed if (id(each.schema), each.keyword) not in known]
        if not blamed or (is_general and not fresh) or not schema.is_refused(value):
            continue
        # the keyword that speaks of the place of the change, or else near it; of several one not broken so far
        chosen = min(fresh if is_general else blamed, key=lambda each: (_distance(path, each), each not in fresh))
        values.add(identity(value))
        known.add((id(chosen.schema), chosen.keyword))
        yield BrokenInstance(path, word, value, chosen)


def _blamed_by(schema: JsonSchema, value: object, frame: Collection[tuple[int, str]]) -> list[Blamed]:
    """Return the keywords that reject a value, each alone, and that somebody can break."""
    return [
        each
        for each in blame(schema.validator, value)
        if (id(each.schema), each.keyword) not in frame
        and not schema.cannot_break(each.schema, each.keyword, shown_path(_steps_to(each)))
    ]


def _break_again(
    schema: JsonSchema, valid: Suite, found: Sequence[BrokenInstance], number: int, deadline: Deadline
) -> list[BrokenInstance]:
    """Return data that break keywords once more, on other valid instances and with other values; at most so many."""
    shape, plains = _shape_and_plains(valid)
    frame, values = _frame(schema), {identity(each.data) for each in found}
    again: list[BrokenInstance] = []
    with contextlib.suppress(CutShort):  # each keyword is broken once: what follows is more than was promised
        for round_ in deadline.each(broken_again(shape, plains) if found else ()):
            fresh: list[BrokenInstance] = []
            for each in deadline.each(round_):
                if not _is_json(each.data) or identity(each.data) in values:
                    continue
                blamed = _blamed_by(schema, each.data, frame)
                if blamed and schema.is_refused(each.data):
                    values.add(identity(each.data))
                    chosen = min(blamed, key=lambda one: _distance(each.path, one))
                    fresh.append(BrokenInstance(each.path, each.rule, each.data, chosen))
            again += spread_over_places(fresh, lambda each: (each.path, each.blamed.keyword))
            if len(again) >= number:
                break
    return again[:number]


def _shape_and_plains(valid: Suite) -> tuple[Shape, Sequence[object]]:
    """Return the shape that valid instances were made of, and what was chosen for each."""
    cases = valid.cases
    assert isinstance(cases, TypeCases)
    shape = cases.shape
    while isinstance(shape, Checked):  # the validator judges, not the shape
        shape = shape.inner
    return shape, cases.plains


def _frame(schema: JsonSchema) -> set[tuple[int, str]]:
    """Return the keywords that are not to be broken."""
    return {(id(schema.document.value_at(pointer)), keyword) for pointer, keyword in schema.frame}


def _break_formats(
    schema: JsonSchema, valid: Suite, rules: Collection[tuple[int, str]], deadline: Deadline
) -> Iterator[BrokenInstance]:
    """Yield instances in which a text or a number breaks its format and no other rule, a few for each format."""
    every, strict = (schema.validator.evolve(format_checker=FormatRules(none=each)) for each in (True, False))
    tried: Counter[int] = Counter()
    for value in valid.values if rules else ():
        for blamed, part in complaints(every, value, "format"):
            key = id(blamed.schema)
            if tried[key] == MOST_PLACES or (key, "format") not in rules:
                continue
            tried[key] += 1
            path = _steps_to(blamed)
            broken_so_far = 0
            for word, bad in deadline.each(bad_values(str(blamed.schema["format"]), blamed.schema)):
                if broken_so_far == MOST_BAD or (broken_so_far and word == OTHERWISE):
                    break
                changed = put_at(value, blamed.about, part, bad)
                if not schema.is_refused(changed):
                    continue
                for found in (each for each in blame(strict, changed) if each.schema is blamed.schema):
                    broken_so_far += 1
                    yield BrokenInstance(path, word, changed, found)
            if broken_so_far:
                tried[key] = MOST_PLACES


def _changes(
    valid: Suite, mentioned: SchemaMentions, deadline: Deadline, of: int | None
) -> Iterator[tuple[Change, bool]]:
    shape, every = _shape_and_plains(valid)
    plains = every[:of]
    for each in broken(shape, plains, deadline=deadline):
        if isinstance(each, Broken) and _is_json(each.data):
            yield (each.path, each.rule, each.data), False
    for plain in plains:
        for change in changes_of(data(shape, plain), mentioned):
            yield change, True


def _is_json(value: object) -> bool:
    match value:
        case dict():
            return all(isinstance(key, str) and _is_json(inner) for key, inner in value.items())
        case list():
            return all(map(_is_json, value))
    return value is None or isinstance(value, bool | int | float | str)


@dataclass(frozen=True, slots=True)
class BrokenOtherwise:
    """Data that break no keyword and are refused all the same: for what the label says."""

    label: str
    data: object

    def __str__(self) -> str:
        return self.label


# -- labels --------------------------------------------------------------------------------------------------------


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
        return f"{shown_path(_steps_to(self.blamed))}: {self.blamed.keyword} ({shown_path(self.path)}: {self.word})"


def _steps_to(blamed: Blamed) -> Path:
    return tuple(EACH if isinstance(step, int) else step for step in blamed.about)


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
