"""One incremental loop with a solver: a model, then "different from it", until there is none.

The only talk with a solver is here. Models are made readable afterwards, by plain Python that checks every change.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from unlike.core import CutShort, Deadline
from unlike.language.terms import REAL, STR, Const, Node, Op, walk
from unlike.language.values import Date, Int, Real, Str, Value, is_legal
from unlike.specs import members as spaces
from unlike.specs.asking.model_check import doubter, same
from unlike.specs.asking.relay import AnswerCount, Relay
from unlike.specs.core_difference import Core, Everything, Python, Select, chosen, is_equivalence, parts_of, relation
from unlike.specs.members import TRIED, Component
from unlike.specs.problem import Fragment, Path, Problem
from unlike.specs.sources import Source
from unlike.specs.verify import related
from unlike.suite import Ending, Status

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
POLISHED = 200  # beyond so many found inputs, a string is left as the solver gave it


class Context(Protocol):
    """What the loop needs to know of the plan it belongs to."""

    problem: Problem
    deadline: Deadline
    seed: int
    solvers: tuple[str, ...]
    effort: float
    tally: AnswerCount
    open: list[Relay]

    def members(self, part: Component) -> Source[Fragment] | None:
        """Return the members of a component that can be counted or listed."""
        ...


def solved(part: Component, core: Core, context: Context) -> Source[Fragment]:
    """Return inputs found by the solver, any two of which are different; it ends complete or maximal."""
    loop = _Loop(part, core, context)
    return Source(loop.stream(), f"asked of {context.solvers[0]}", ending=lambda: loop.ending, dear=True)


class _Loop:
    def __init__(self, part: Component, core: Core, context: Context) -> None:
        self.part = part
        self.core = core
        self.context = context
        self.ending = Ending.MAXIMAL
        self.found: list[dict[str, object]] = []

    def stream(self) -> Iterator[Fragment]:
        """Yield models until there are none; what the solver cannot answer cuts the stream short."""
        from unlike.solvers.base import Sat, Unknown, Untranslatable

        try:
            wanted = None if isinstance(self.core, Everything) else relation(self.core)
            talk = self.talk([*self._nodes(), *([] if wanted is None else [wanted])])
            for node in self._nodes():
                talk.add(node)
            while isinstance(answer := talk.check(seconds=self.context.deadline.seconds_left()), Sat):
                fragment = self.polished(answer.values)
                talk.differ(wanted, fragment)
                yield fragment
            if isinstance(answer, Unknown):
                raise CutShort(
                    self.context.deadline.status() if answer.timeout else Status(Ending.UNKNOWN, answer.reason)
                )
            self.ending = self.proved(talk.check(seconds=self.context.deadline.seconds_left(), distinct=False))
        except Untranslatable as error:
            raise CutShort(Status(Ending.UNKNOWN, str(error))) from error

    def talk(self, said: list[Node]) -> Relay:
        """Return a conversation with the solvers, about the units and choices at hand."""
        from unlike.solvers.z3 import Conversation

        units = {path: unit.value for path, unit in self.part.units.items()}
        choices = {each.number: len(each.parts) for each in parts_of(self.core) if isinstance(each, Select)}
        linear, seed, effort = all(map(is_linear, said)), self.context.seed, self.context.effort

        def open_(name: str) -> Conversation:
            return Conversation(units, choices, linear=linear, seed=seed, name=name, effort=effort)

        breaks = doubter(self.part, self.core, self.context.problem)
        relay = Relay(self.context.solvers, open_, self.context.tally, lambda model: breaks(model.values, self.found))
        self.context.open.append(relay)
        return relay

    def _nodes(self) -> list[Node]:
        return [*(each.node for each in self.part.assertions), chosen(self.core)]

    def proved(self, answer: object) -> Ending:
        """Return what the end means: complete if being alike is an equivalence and every class was visited."""
        from unlike.solvers.base import Unsat

        if isinstance(self.core, Everything):
            return Ending.COMPLETE
        return Ending.COMPLETE if is_equivalence(self.core) and isinstance(answer, Unsat) else Ending.MAXIMAL

    def polished(self, values: dict[Hashable, object]) -> Fragment:
        """Return the model with plainer strings wherever plain Python finds them as good."""
        fragment: Fragment = dict(values)
        if len(self.found) < POLISHED:
            holds = spaces.checker(self._nodes(), "an assertion")
            different = related(self.core, self.context.problem)
            names = {path[0] for path in self.part.units}

            def good(tried: Fragment) -> bool:
                assignment = spaces.assignment_of(tried)
                if not holds(assignment) or any(same(assignment, old, names) for old in self.found):
                    return False
                return all(different(assignment, old) for old in self.found)

            strings = {path: unit.value for path, unit in self.part.units.items() if isinstance(unit.value, Str)}
            for char in dict.fromkeys("".join(str(fragment[path]) for path in strings)):
                fragment = _renamed(fragment, char, strings, good)
            for path, value in strings.items():
                fragment = _plainer(fragment, path, value, good)
        self.found.append(spaces.assignment_of(fragment))
        return fragment


def _renamed(fragment: Fragment, char: str, strings: Mapping[Path, Str], good: Callable[[Fragment], bool]) -> Fragment:
    """Return the fragment with an odd character replaced by a letter everywhere at once, where that is as good."""
    if char in LETTERS:
        return fragment
    for letter in LETTERS[:12]:
        changed = {path: str(fragment[path]).replace(char, letter) for path in strings}
        if all(is_legal(strings[path], string) for path, string in changed.items()) and good(fragment | changed):
            return fragment | changed
    return fragment


def _plainer(fragment: Fragment, path: object, value: Str, good: Callable[[Fragment], bool]) -> Fragment:
    """Return the fragment with a string in which odd characters are replaced by letters where that is as good."""
    string = fragment[path]
    assert isinstance(string, str)
    for position, char in enumerate(string):
        if char in LETTERS:
            continue
        for letter in LETTERS[position % 26 : position % 26 + 36]:
            changed = string[:position] + letter + string[position + 1 :]
            if is_legal(value, changed) and good(fragment | {path: changed}):
                fragment, string = fragment | {path: changed}, changed
                break
    return fragment


def is_linear(node: Node) -> bool:
    """Tell whether a term is about whole numbers only, multiplied or divided by constants."""
    for inner in walk(node):
        if inner.kind in (STR, REAL):
            return False
        match inner:
            case Op("*", (left, right)) if not (isinstance(left, Const) or isinstance(right, Const)):
                return False
            case Op(("//" | "%"), (_, right)) if not isinstance(right, Const):
                return False
    return True


def candidates(part: Component, context: Context) -> Source[Fragment]:
    """Return inputs to try where plain Python decides: those that satisfy all that can be seen, up to a budget."""
    seen = Component(part.units, tuple(each for each in part.assertions if not each.opaque))
    hidden = Component(part.units, tuple(each for each in part.assertions if each.opaque))

    def stream() -> Iterator[Fragment]:
        source = context.members(seen) or solved(seen, Everything(), context)
        tried = spaces.accepted(hidden, _at_most(source, TRIED), context.deadline)
        yield from tried
        if source.size(TRIED + 1) > TRIED:
            raise CutShort(
                Status(Ending.UNKNOWN, f"{TRIED} candidates were tried, and plain Python hides whether more exist")
            )
        if source.cut:
            raise CutShort(source.cut)

    return Source(stream(), "candidates", dear=True)


def _at_most(source: Source[Fragment], most: int) -> Iterator[Fragment]:
    index = 0
    while index < most and source.size(index + 1) > index:
        yield source.at(index)
        index += 1


# -- why there is no input ---------------------------------------------------------------------------------


def is_empty(part: Component, core: Core, context: Context) -> bool:
    """Tell whether it is proved that a component has no member, given the choices that a difference asks for."""
    choosing = any(isinstance(each, Select) for each in parts_of(core))
    if choosing and any(isinstance(each, Python) for each in parts_of(core)):
        return False
    source = None if choosing else context.members(part)
    if source is None:
        if any(each.opaque for each in part.assertions):
            return False
        source = solved(part, core if choosing else Everything(), context)
    return source.size(1) == 0 and source.cut is None


def clashing(part: Component, core: Core, context: Context) -> list[str]:
    """Return in words a minimal set of what makes a component empty: assertions, and bounds that matter."""
    kept = part.assertions
    for assertion in part.assertions:
        fewer = tuple(each for each in kept if each is not assertion)
        if is_empty(Component(part.units, fewer), core, context):
            kept = fewer
    spoken = set().union(*(each.units for each in kept)) if kept else set(part.units)
    units = {path: unit for path, unit in part.units.items() if path in spoken or not kept}
    words = [each.words for each in kept]
    for path, unit in list(units.items()):
        wider = units | {path: replace(unit, value=widened(unit.value))}
        if unit.value != wider[path].value and is_empty(Component(wider, kept), core, context):
            units = wider
        else:
            words.append(context.problem.words(path))
    return words


def widened(value: Value) -> Value:
    """Return the value with bounds so wide that they do not matter, where that is possible."""
    match value:
        case Int():
            return Int(-(10**12), 10**12)
        case Real(places=places):
            return Real(-(10**12), 10**12, places)
        case Date():
            return Date(datetime.date.min, datetime.date.max)
        case Str(None):
            return Str(r"[\s\S]*", max_length=200)
    return value
