"""A tree of decisions as the parameters of an array, and back: one for each factor of the whole input.

A factor that is there only under a condition has one value more, "not there", which enters no tuple. Rules about fields
whose values are all listed become clauses: they are tried on every combination of the fields that they name.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unlike.covering.arrays import ArrayModel, Cells, Row, Rule
from unlike.covering_arrays import Decisions, Factor
from unlike.errors import SpecError, nearest
from unlike.structure.cover.factors import Tallies, factors_of
from unlike.structure.cover.tree import ABSENT, ChoiceNode, FieldsNode, LeafNode, Node, Tree
from unlike.structure.shapes import Picked, shown_path
from unlike.structure.validity import fits

MOST_TRIED = 50_000  # combinations of values that one rule is tried on
MOST_SUBSETS = 2_000  # clauses for fields that are counted
Layer = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class FieldRule:
    """A condition that names the fields it looks at: whether it holds for built values of these, and in words."""

    names: tuple[str, ...]
    holds: Callable[[Mapping[str, object]], bool]
    words: str
    parts: tuple[FieldRule, ...] = ()  # it holds if one of these does; each names one field


class Columns:
    """The factors of a whole input as parameters."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.factors = [each for each in factors_of(tree.root) if any(value.pairs for value in each.values)]
        self.wholes = [[each.whole(value) for value in range(len(each.values))] for each in self.factors]
        self.deciding: dict[int, int] = {}  # by number of a place: the factor that decides on it
        for index, factor in enumerate(self.factors):
            for value in factor.values:
                self.deciding.update(dict.fromkeys(value.decisions, index))
        self.names = [shown_path(tree.paths[next(iter(each.values[0].decisions))]) for each in self.factors]

    def enters(self) -> tuple[bytes, ...]:
        """Return which values of each parameter enter tuples."""
        return tuple(
            bytes([each.pairs for each in factor.values] + [0] * self.is_optional(factor)) for factor in self.factors
        )

    def is_optional(self, factor: Factor) -> bool:
        """Tell whether a factor is there only under a decision that can be another one."""
        return any(number in self.deciding for number in factor.condition)

    # -- rows and decisions ----------------------------------------------------------------------------------------

    def row_of(self, decisions: Decisions) -> Row | None:
        """Return the values of an input that takes these decisions; nothing if some are not known."""
        row = []
        for index, factor in enumerate(self.factors):
            found = next((v for v, each in enumerate(self.wholes[index]) if each.items() <= decisions.items()), None)
            if found is None:
                if not self.is_optional(factor) or factor.condition.items() <= decisions.items():
                    return None
                found = len(factor.values)
            row.append(found)
        return row

    def decisions_of(self, row: Sequence[int]) -> dict[int, int]:
        """Return the decisions of a row."""
        cells = enumerate(row)
        return self.decisions_in(tuple((p, v) for p, v in cells if v < len(self.factors[p].values)))

    def decisions_in(self, cells: Cells) -> dict[int, int]:
        """Return the decisions that some values need."""
        found: dict[int, int] = {}
        for p, v in cells:
            found.update(self.wholes[p][v])
        return found

    def describe(self, cells: Cells) -> str:
        """Return values in words: `kind: 'a' with country: 'x'`."""
        return " with ".join(self.describe_value(p, v) for p, v in cells)

    def describe_value(self, p: int, v: int) -> str:
        """Return one value in words."""
        if v >= len(self.factors[p].values):
            return f"{self.names[p]}: not there"
        decisions = self.factors[p].values[v].decisions
        words = [self.tree.words[each] for each in decisions.items() if self.tree.words[each] != "present"]
        return f"{self.names[p]}: {' '.join(words) or 'present'}"

    def impossible_options(self, impossible: Iterable[Cells]) -> Iterator[tuple[object, ...]]:
        """Yield the targets of options that no value shows which is possible."""
        gone = {cells[0] for cells in impossible if len(cells) == 1}
        for p in sorted({p for p, _ in gone}):
            values = self.factors[p].values
            for number, option in dict.fromkeys(
                each for v, value in enumerate(values) if (p, v) in gone for each in value.decisions.items()
            ):
                showing = [v for v, value in enumerate(values) if value.decisions.get(number) == option]
                if all((p, v) in gone for v in showing):
                    yield "option", number, option

    # -- strengths -------------------------------------------------------------------------------------------------

    def layers(self, t: int, mixed: Sequence[tuple[tuple[str, ...], int]]) -> tuple[Layer, ...]:
        """Return the strengths of parameters: of all of them, and greater ones of some."""
        every = tuple(range(len(self.factors)))
        found = {every: min(t, len(every))} if every else {}
        for names, strength in mixed:
            params = tuple(sorted({p for name in names for p in self.find(name)}))
            if strength > len(params):
                raise SpecError(
                    f"strength: {','.join(names)}={strength} combines more places than have choices: {len(params)}"
                )
            found[params] = max(strength, found.get(params, 0))
        return tuple(layer for params, strength in found.items() for layer in self._down_from(strength, params))

    def _down_from(self, strength: int, params: tuple[int, ...]) -> Iterator[Layer]:
        """Yield a strength of some parameters, with lesser ones where an input may have fewer of these places."""
        yield strength, params
        enters = self.enters()
        if not all(all(enters[p]) for p in params):
            yield from ((less, params) for less in range(strength - 1, 1, -1))

    def find(self, name: str) -> list[int]:
        """Return the parameters of a place, with those within it; refuse a place that is none."""
        found = [p for p, each in enumerate(self.names) if each == name or each.startswith((f"{name}.", f"{name}["))]
        found = found or sorted({p for p, _, _ in self._words_at(name)})
        if not found:
            known = {shown_path(path) for path in self.tree.paths.values()}
            why = "has only one choice" if name in known else f"is no place; {nearest(name, self.names)}"
            raise SpecError(f"strength: {name!r} {why}")
        return found

    def find_choices(self, name: str, value: object) -> dict[int, list[int]]:
        """Return the values of parameters that a word at a place stands for; the place may be there in several ways."""
        found: dict[int, list[int]] = {}
        for p, v, word in self._words_at(name):
            if v not in found.get(p, ()) and (word in (repr(value), str(value)) or word.endswith(f" {value!r}")):
                found.setdefault(p, []).append(v)
        return found

    def _words_at(self, name: str) -> Iterator[tuple[int, int, str]]:
        """Yield values with the words for a place: what they decide there, or what is fixed there where they are."""
        for number, p in self.deciding.items():
            if shown_path(self.tree.paths[number]) == name:
                for v, value in enumerate(self.factors[p].values):
                    if number in value.decisions:
                        yield p, v, self.tree.words[number, value.decisions[number]]
                        yield p, v, self.describe_value(p, v).removeprefix(f"{self.names[p]}: ")
        for number, condition in _single_places(self.tree.root, {}):
            above = [each for each in condition if each in self.deciding]
            if above and shown_path(self.tree.paths[number]) == name:
                p = self.deciding[above[-1]]
                holds = self._holding(p, {above[-1]: condition[above[-1]]})
                yield from ((p, v, self.tree.words[number, 0]) for v, each in enumerate(holds) if each)

    # -- rules -----------------------------------------------------------------------------------------------------

    def model(self, layers: tuple[Layer, ...], rules: Iterable[Rule]) -> ArrayModel:
        """Return what an array is asked for."""
        return ArrayModel(self.enters(), (*self._conditions(), *self._counts(), *rules), layers)

    def _conditions(self) -> Iterator[Rule]:
        """Yield that a factor is there if its condition holds, and only then."""
        for p, factor in enumerate(self.factors):
            if not self.is_optional(factor):
                continue
            here = bytes([1] * len(factor.values) + [0])
            absent = bytes([0] * len(factor.values) + [1])
            unmet: list[tuple[int, bytes]] = []
            for number, option in factor.condition.items():
                if number in self.deciding:
                    above = self.deciding[number]
                    holds = self._holding(above, {number: option})
                    yield ((p, absent), (above, holds))
                    unmet.append((above, bytes(not each for each in holds)))
            yield ((p, here), *unmet)

    def _holding(self, p: int, decisions: Decisions) -> bytes:
        """Return which values of a parameter take all of these decisions."""
        factor = self.factors[p]
        found = [decisions.items() <= value.decisions.items() for value in factor.values]
        return bytes(found + [False] * self.is_optional(factor))

    def rule_against(self, decisions: Decisions) -> Rule:
        """Return that these decisions are not all taken."""
        by_factor: dict[int, dict[int, int]] = {}
        for number, option in decisions.items():
            if number in self.deciding:
                by_factor.setdefault(self.deciding[number], {})[number] = option
        parts = ((p, self._holding(p, taken)) for p, taken in sorted(by_factor.items()))
        return tuple((p, bytes(not each for each in holds)) for p, holds in parts)

    def _counts(self) -> Iterator[Rule]:
        """Yield what fields that are counted together cannot be, where that is said in few clauses."""
        seen: set[int] = set()
        for tally in itertools.chain.from_iterable(Tallies(self.tree.root).by_number.values()):
            parts = [part for part in tally.parts if isinstance(part, ChoiceNode) and part.number in self.deciding]
            if id(tally) in seen or len(parts) != len(tally.parts):
                continue
            seen.add(id(tally))
            most = len(parts) if tally.counted.most is None else tally.counted.most - tally.fixed
            for size, there in ((most + 1, True), (len(parts) - (tally.counted.least - tally.fixed) + 1, False)):
                if not 0 < size <= len(parts) or math.comb(len(parts), size) > MOST_SUBSETS:
                    continue
                for some in itertools.combinations(parts, size):
                    yield tuple((self.deciding[each.number], self._present(each, wanted=not there)) for each in some)

    def _present(self, part: ChoiceNode, *, wanted: bool) -> bytes:
        factor = self.factors[self.deciding[part.number]]
        found = [(part.ways[value.decisions[part.number]].node is not None) == wanted for value in factor.values]
        return bytes(found + [True] * self.is_optional(factor))

    def read_rules(self, rules: Iterable[FieldRule]) -> tuple[list[Rule], list[FieldRule]]:
        """Return rules about listed values as clauses, and those that are none."""
        clauses: list[Rule] = []
        others: list[FieldRule] = []
        for rule in rules:
            found = self._clauses_of(rule)
            if found is None:
                others.append(rule)
            else:
                clauses += found
        return clauses, others

    def _clauses_of(self, rule: FieldRule) -> list[Rule] | None:
        if not rule.parts:
            return self._clauses_tried(rule)
        allowed: dict[int, bytes] = {}
        for part in rule.parts:
            against = self._clauses_tried(part)
            if against is None:
                return None
            if not against:
                return []  # that part always holds
            for p, good in against[0]:  # of one field there is one clause
                allowed[p] = bytes(map(max, good, allowed.get(p, good)))
        return [tuple(sorted(allowed.items()))] if not any(map(all, allowed.values())) else []

    def _place_of(self, p: int, decisions: Decisions) -> int:
        """Return the value of a parameter that takes these decisions; a place with one choice is decided by none."""
        taken = {number: option for number, option in decisions.items() if self.deciding.get(number) == p}
        return self._holding(p, taken).index(True)

    def _clauses_tried(self, rule: FieldRule) -> list[Rule] | None:
        root = self.tree.root
        children = dict(root.children) if isinstance(root, FieldsNode) else {}
        columns: list[tuple[int, list[tuple[int, object]]]] = []
        fixed: dict[str, object] = {}
        names: list[str] = []
        for name in rule.names:
            listed = _list_values(children[name]) if name in children else None
            if listed is None:
                return None
            params = {
                self.deciding[number] for decisions, _ in listed for number in decisions if number in self.deciding
            }
            if not params and len(listed) == 1:
                fixed[name] = listed[0][1]
                continue
            if len(params) != 1:
                return None
            (p,) = params
            if self.is_optional(self.factors[p]) or len(listed) != len(self.factors[p].values):
                return None
            by_place = {self._place_of(p, decisions): value for decisions, value in listed}
            if len(by_place) != len(listed):
                return None
            columns.append((p, sorted(by_place.items(), key=lambda each: each[0])))
            names.append(name)
        sizes = [len(values) for _, values in columns]
        if math.prod(sizes) > MOST_TRIED:
            return None
        try:
            broken = bytes(
                not rule.holds({**fixed, **dict(zip(names, (value for _, value in cells), strict=True))})
                for cells in itertools.product(*(values for _, values in columns))
            )
        except Exception:  # code of the user's: what it says of whole inputs decides
            return None
        return list(_clauses(broken, [p for p, _ in columns], sizes))


def _single_places(node: Node, condition: Decisions) -> Iterator[tuple[int, Decisions]]:
    """Yield the numbers of places with one choice, with the decisions under which they are there."""
    match node:
        case LeafNode(number) if len(node.options) == 1:
            yield number, condition
        case FieldsNode():
            for _, child in node.children:
                yield from _single_places(child, condition)
        case ChoiceNode(number):
            for index, way in enumerate(node.ways):
                if way.node is not None:
                    yield from _single_places(way.node, {**condition, number: index})


def _list_values(node: Node) -> list[tuple[dict[int, int], object]] | None:
    """Return the values of a field with the decisions that lead to them, if each option is one value."""
    match node:
        case LeafNode(number) if all(option.count == 1 and len(option.samples) == 1 for option in node.options):
            return [({number: index}, option.samples[0].value) for index, option in enumerate(node.options)]
        case ChoiceNode(number):
            found: list[tuple[dict[int, int], object]] = []
            for index, way in enumerate(node.ways):
                inner = None if way.node is None else _list_values(way.node)
                if inner is None:
                    return None
                found += [({number: index, **decisions}, value) for decisions, value in inner]
            return found
    return None


def _clauses(broken: bytes, params: list[int], sizes: list[int]) -> Iterator[Rule]:
    """Yield clauses against all combinations that break a rule, each as short as it can be in this order."""

    def descend(table: bytes, depth: int, taken: tuple[tuple[int, bytes], ...]) -> Iterator[Rule]:
        if not any(table):
            return
        if all(table):
            yield taken
            return
        width = len(table) // sizes[depth]
        parts = [table[value * width : (value + 1) * width] for value in range(sizes[depth])]
        for part in dict.fromkeys(parts):
            others = bytes(each != part for each in parts)
            yield from descend(part, depth + 1, (*taken, (params[depth], others)))

    yield from descend(broken, 0, ())


# -- data that are there already -----------------------------------------------------------------------------------


class MismatchError(Exception):
    """Data that are no input of the tree: where, and why."""


def read_data(node: Node, value: object, decisions: dict[int, int]) -> object:
    """Return data as a plain value, and note the decisions it takes; a field that is not given stays open."""
    match node:
        case LeafNode():
            return _read_leaf(node, value, decisions)
        case ChoiceNode(number):
            for index, way in enumerate(node.ways):
                if way.node is None:
                    continue
                inner: dict[int, int] = {}
                try:
                    plain = read_data(way.node, value, inner)
                except MismatchError:
                    continue
                decisions.update({number: index, **inner})
                return plain if way.picked is None else Picked(way.picked, plain)
        case FieldsNode():
            return _read_fields(node, value, decisions)
        case _:
            if isinstance(value, list | tuple | set | frozenset | dict):
                for index, size in enumerate(node.sizes):
                    if size.least <= len(value) <= size.most:
                        decisions[node.number] = index
                        items = value.items() if isinstance(value, dict) else value
                        keyed = (
                            [{"key": each[0], "value": each[1]} for each in items] if isinstance(value, dict) else items
                        )
                        return tuple(read_data(node.item, each, {}) for each in keyed)
    raise MismatchError(f"{shown_path(node.path)}: {value!r} is none of its choices")


def _read_leaf(node: LeafNode, value: object, decisions: dict[int, int]) -> object:
    for exact in (True, False):  # a text stands for the value that is written so: cells of files are texts
        for index, option in enumerate(node.options):
            for sample in option.samples:
                if _is_same(sample.value, value, exact=exact):
                    decisions[node.number] = index
                    return sample.value
    for each in (value, *_readings_of(value)) if len(node.options) == 1 else ():
        if fits(node.shape, each):
            decisions[node.number] = 0
            return each
    raise MismatchError(f"{shown_path(node.path)}: {value!r} is none of its choices")


def _readings_of(value: object) -> list[object]:
    """Return what a text in a file may stand for."""
    if not isinstance(value, str):
        return []
    with contextlib.suppress(ValueError, RecursionError):
        return [json.loads(value)]
    return []


def _is_same(sample: object, value: object, *, exact: bool) -> bool:
    if exact:
        return type(sample) is type(value) and sample == value
    written = getattr(sample, "value", sample)
    return value == written or (
        isinstance(value, str) and value in (str(sample), str(written), getattr(sample, "name", ""))
    )


def _read_fields(node: FieldsNode, value: object, decisions: dict[int, int]) -> dict[str, object]:
    there = dict(value) if isinstance(value, Mapping) else getattr(value, "__dict__", None)
    if there is None:
        there = {name: getattr(value, name) for name, _ in node.children if hasattr(value, name)}
    unknown = [str(name) for name in there if name not in dict(node.children)]
    if unknown and isinstance(value, Mapping):
        raise MismatchError(f"{shown_path(node.path)}: there is no field {unknown[0]!r}")
    found: dict[str, object] = {}
    for name, child in node.children:
        if name in there:
            found[name] = read_data(child, there[name], decisions)
        elif isinstance(child, ChoiceNode) and any(way.node is None for way in child.ways):
            decisions[child.number] = next(index for index, way in enumerate(child.ways) if way.node is None)
            found[name] = ABSENT
    return {name: part for name, part in found.items() if part is not ABSENT}
