"""From a schema to a shape: what holds at a place is gathered, its choices are laid out, its parts are read in turn."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from unlike.core import FOREVER, Deadline
from unlike.documents.json_schema.alternatives import name_extra_properties
from unlike.documents.json_schema.arrays import ANYTHING, array_shape
from unlike.documents.json_schema.demands import Demands
from unlike.documents.json_schema.formats import kind_of
from unlike.documents.json_schema.implied import is_said_by_others
from unlike.documents.json_schema.keywords import ABOUT, identity, kinds_of
from unlike.documents.json_schema.leaves import number_shape, text_shape
from unlike.documents.json_schema.located import Alternative, ContradictionError, Key, Located, Making, SchemaInForce
from unlike.documents.json_schema.objects import object_shape
from unlike.errors import SpecError
from unlike.structure.shapes import Check, Checked, Choice, Constants, Path, Reference, Shape, shown_path, under
from unlike.structure.unroll import DEPTH, EndlessError, unroll
from unlike.types.choices import SAMPLES

MOST_ALTERNATIVES = 200  # of one choice that combines with no other
MOST_BRANCHES = 64  # combinations of choices at one place; beyond, a choice takes its first way that can be
MOST_PLACES = 20_000  # an upper bound; a schema that multiplies itself has no end of them
TOO_MANY = f"the schema has more than {MOST_PLACES:,} places"
REACHES = (8, 5, 3, 2, 1)  # of a schema with more of them, what is nested more deeply and need not be there is left out
WORDS = {"integer": "integer", "fraction": "number"}


@dataclass(slots=True)
class ReadSchema:
    """A schema as it was read: its finite shape, what cannot be, what makes a contradiction no proof.

    rules      keywords that can be broken, by schema, and where they stand
    formats    the same of formats, with their schema
    implied    of each rule, whether others at the same place say as much: nothing breaks it alone
    left_out   what a large schema has that is not shown     given_way   hints that contradict a rule
    """

    shape: Shape
    impossible: list[tuple[str, str]] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    rules: dict[tuple[int, str], str] = field(default_factory=dict)
    formats: dict[tuple[int, str], tuple[str, Mapping[str, object]]] = field(default_factory=dict)
    implied: dict[tuple[int, str], bool] = field(default_factory=dict)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    given_way: list[tuple[str, str]] = field(default_factory=list)


class NoInstanceError(Exception):
    """The schema has no instance; `doubts` says why that may not be certain."""

    def __init__(self, reason: str, doubts: list[str]) -> None:
        super().__init__(reason)
        self.doubts = doubts


def read_located(
    located: Located,
    *,
    depth: int = DEPTH,
    thorough: bool = False,
    wide: bool = False,
    small: bool = False,
    deadline: Deadline = FOREVER,
) -> ReadSchema:
    """Return the finite shape of a schema; one without any instance raises NoInstanceError.

    Of a `small` one only what must be there is read, beside what is near the top.
    """
    for reach in REACHES[-1:] if small else (None, *REACHES):
        with contextlib.suppress(_TooManyPlacesError):
            return _read_within(SchemaReader(thorough, deadline, reach, wide=wide), located, depth)
    raise AssertionError  # the last one does not give up


def _read_within(reader: SchemaReader, located: Located, depth: int) -> ReadSchema:
    try:
        shape = reader.read([located], ())
        finite = unroll(shape, reader.definitions, depth, left_out=reader.found.left_out)
        return replace(reader.found, shape=finite, doubts=reader.making.doubts)
    except ContradictionError as error:
        raise NoInstanceError(str(error), reader.making.doubts) from None
    except EndlessError:
        # an instance within an instance could take its place, unless items have to differ
        doubts = ["items have to differ"] if reader.unique else []
        raise NoInstanceError("an instance would never end", [*reader.making.doubts, *doubts]) from None
    except RecursionError:
        raise SpecError("the schema is nested too deeply to be read; take a part of it") from None


class _TooManyPlacesError(Exception):
    """A schema that is too large to be read as far as was tried."""


class SchemaReader:
    """Reads what holds for a value and its parts, and notes what cannot be.

    `reach`  so far from the top everything is read, and beyond it what must be there
    `wide`   values of a kind that nobody speaks of are of every size, not a sample
    """

    def __init__(
        self, thorough: bool, deadline: Deadline = FOREVER, reach: int | None = None, *, wide: bool = False
    ) -> None:
        self.deadline = deadline
        self.wide = wide
        self.reach = reach
        self.making = Making(thorough)
        self.definitions: dict[str, Shape] = {}
        self.found = ReadSchema(Constants(()))  # until it is read
        self.within: list[str] = []  # the alternatives that are being read
        self.done: dict[tuple[Key, ...], Shape | ContradictionError] = {}
        self.open: dict[tuple[Key, ...], str] = {}
        self.used: set[str] = set()
        self.kept: list[Located] = []  # what keys stand for lives as long as the keys
        self.places = 0
        self.unique = False

    def note(self, path: Path, word: str, why: str) -> None:
        """Note what cannot be; what was not looked at is left out instead."""
        said = under(f"{shown_path(path)}: {word}", self.within)
        (self.found.left_out if TOO_MANY in why else self.found.impossible).append((said, why))

    def leaves_out(self, path: Path, word: str) -> bool:
        """Tell whether what need not be there is left out, since it is far from the top of a schema too large."""
        if self.reach is None or len(path) < self.reach:
            return False
        self.note(path, word, TOO_MANY)
        self.making.notes.append(f"{TOO_MANY}, not all of which are read")
        return True

    def read(self, goals: list[Located], path: Path) -> Shape:
        """Return the shape of values that all schemas accept; the same schemas again are known by their name."""
        found = {each.key: each for each in (goal.target(to_hint=True) for goal in goals) if each.schema is not True}
        key = tuple(found)
        known = self.done.get(key)
        if isinstance(known, ContradictionError):
            raise ContradictionError(*known.args)
        if known is not None:
            return known
        if key in self.open:
            self.used.add(self.open[key])
            return Reference(self.open[key])
        self.kept += found.values()
        before = len(self.done)
        name = self.open[key] = self.name_place(path)
        place = Demands(self.making)
        try:
            for goal in found.values():
                place.add(SchemaInForce(goal))
            shape = self.place(place, path)
        except ContradictionError as error:
            # what was read meanwhile may lead back here
            self.done = dict(itertools.islice(self.done.items(), before))
            self.done[key] = error
            raise
        finally:
            del self.open[key]
        if name in self.used:
            self.definitions[name] = shape
            shape = Reference(name)
        self.done[key] = shape
        return shape

    def name_place(self, path: Path) -> str:
        """Return a name for a place that no other one has."""
        name = shown_path(path)
        while name in self.definitions or name in self.open.values():
            name += "'"
        return name

    # -- choices ---------------------------------------------------------------------------------------------------

    def place(self, place: Demands, path: Path) -> Shape:
        """Return the shape of a place: its choices first, then what is left."""
        self.places += 1
        self.deadline.check()
        if self.places > MOST_PLACES:
            if self.reach != REACHES[-1]:
                raise _TooManyPlacesError
            self.making.notes.append(f"{TOO_MANY}, not all of which are read")
            raise ContradictionError(TOO_MANY)
        self.note_rules(place, path)
        place.looked_at = len(place.said)
        if not place.pending:
            return self.leaf(place, path)
        choosing, *rest = place.pending
        bare = place.is_bare and not rest
        place.pending = tuple(rest)
        choosing = name_extra_properties(self.making, place.held, choosing)
        weight = place.weight * (1 if choosing.first else len(choosing.alternatives))
        most = MOST_ALTERNATIVES if place.weight == 1 else MOST_BRANCHES
        narrow = weight > most
        if narrow:
            self.found.left_out.append((f"{shown_path(path)}: {choosing.keyword}", f"more than {most} combinations"))
        if narrow or (choosing.first and len(choosing.alternatives) > 1):
            self.making.notes.append(f"{shown_path(path)}: not all combinations of {choosing.keyword} are read")
        found: list[tuple[str, Shape]] = []
        reasons: list[str] = []
        for each in choosing.alternatives:
            told = [f"{shown_path(path)}: {each.word}"] if not choosing.first else []
            known = len(self.found.impossible), len(self.found.given_way)
            self.within += told
            try:
                shape = self.alternative(place, each, path, weight, bare=bare)
            except ContradictionError as error:
                reasons.append(str(error))
                # it is the whole that cannot be
                del self.found.impossible[known[0] :], self.found.given_way[known[1] :]
                shape = None
            finally:
                del self.within[len(self.within) - len(told) :]
            if shape is None:
                if not choosing.first:
                    self.note(path, each.word, reasons[-1])
                continue
            found.append((each.word, shape))
            if narrow or choosing.first or (each is not choosing.alternatives[-1] and self.leaves_out(path, "others")):
                break
        if not found:
            raise ContradictionError("; ".join(dict.fromkeys(reasons)))
        return found[0][1] if len(found) == 1 else Choice(tuple(found))

    def note_rules(self, place: Demands, path: Path) -> None:
        """Note what can be broken of the schemas that are new at a place."""
        for located in place.said[place.looked_at :]:
            self.unique |= located.get("uniqueItems") is True
            if id(located.schema) in self.making.muted:
                continue
            for keyword in located.rules():
                rule = id(located.schema), keyword
                self.found.rules.setdefault(rule, shown_path(path))
                implied = is_said_by_others(located, keyword, place.said)
                self.found.implied[rule] = self.found.implied.get(rule, True) and implied
            if place.values is None and kind_of(located.get("format")) in place.kinds:
                self.found.formats.setdefault((id(located.schema), "format"), (shown_path(path), located.schema))

    def alternative(self, place: Demands, taken: Alternative, path: Path, weight: int, *, bare: bool) -> Shape:
        """Return the shape of a place once an alternative is taken."""
        if bare and len(taken.nodes) == 1 and not (taken.impossible or taken.then or taken.some):
            return _exclude(self.read([taken.nodes[0].located], path), taken.refused)
        return self.place(place.taking(taken, weight), path)

    # -- what is left ----------------------------------------------------------------------------------------------

    def leaf(self, place: Demands, path: Path) -> Shape:
        """Return the shape of a place at which nothing is left to choose but the type; hints hold if they can."""
        if place.hints:
            known = len(self.found.impossible), len(self.found.given_way)
            try:
                return self.place(place.with_hints(), path)
            except ContradictionError:
                del self.found.impossible[known[0] :], self.found.given_way[known[1] :]
        if place.values is not None:
            return _constants(place)
        spoken = {ABOUT[keyword] for node in place.nodes for keyword in node.located.keywords() if keyword in ABOUT}
        found: list[tuple[str, Shape]] = []
        reasons: list[str] = []
        others: list[str] = []
        for kinds in _group_kinds(place.kinds):
            kind = "number" if kinds[0] in WORDS else kinds[0]
            if not place.typed and kind not in spoken and not self.wide:
                others += kinds
                continue
            word = kinds[0] if kinds == ("integer",) else kind
            try:
                found.append((word, _exclude(self.kind(place, kinds, path), place.refused)))
            except ContradictionError as error:
                reasons.append(str(error))
                self.note(path, word, str(error))
        if others:  # nothing here speaks of such values
            wanted = [SAMPLES[kind] for kind in others if kind != "fraction" or "integer" not in others]
            samples = tuple(each for each in wanted if not any(refused.accepts(each) for refused in place.refused))
            if samples:
                found.append(("another type" if found else ANYTHING, Constants(samples, ANYTHING, paired=False)))
        if not found:
            raise ContradictionError("; ".join(dict.fromkeys(reasons)) or "no value is left")
        return found[0][1] if len(found) == 1 else Choice(tuple(found))

    def kind(self, place: Demands, kinds: tuple[str, ...], path: Path) -> Shape:
        """Return the shape of the values of one kind."""
        match kinds[0]:
            case "object":
                return object_shape(self, place, path)
            case "array":
                return array_shape(self, place, path)
            case "string":
                return text_shape(place, path, self.found.given_way, self.deadline)
            case "integer" | "fraction":
                return number_shape(place, kinds, path)
            case "boolean":
                return Constants((False, True), "bool")
        return Constants((None,), "null")


def _group_kinds(kinds: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the kinds one by one, whole and other numbers together."""
    numbers = tuple(each for each in ("integer", "fraction") if each in kinds)
    found: list[tuple[str, ...]] = []
    for kind in kinds:
        group = numbers if kind in WORDS else (kind,)
        if group not in found:
            found.append(group)
    return found


def _constants(place: Demands) -> Shape:
    """Return the values of enum and const that everything else here accepts."""
    assert place.values is not None
    found: dict[object, object] = {}
    for value in place.values:
        if not any(kind in place.kinds for kind in kinds_of(value)):
            continue
        if isinstance(value, dict) and not all(any(name in value for name in names) for names in place.some):
            continue
        accepted = all(node.located.accepts(value) for node in place.nodes)
        if accepted and not any(each.accepts(value) for each in place.refused):
            found.setdefault(identity(value), value)
    if not found:
        raise ContradictionError("no value of enum or const is accepted")
    return Constants(tuple(found.values()))


def _exclude(shape: Shape, refused: tuple[Located, ...]) -> Shape:
    """Return the shape without the values that these schemas accept."""
    checks = tuple(Check("what must not hold", _Refuses(each)) for each in refused)
    return Checked(shape, checks) if checks else shape


@dataclass(frozen=True, slots=True)
class _Refuses:
    located: Located

    def __call__(self, value: object) -> bool:
        return not self.located.accepts(value)
