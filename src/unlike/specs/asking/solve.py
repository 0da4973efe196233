"""One incremental loop with a solver: a model, then "different from it", until there is none.

The only talk with a solver is here. Models are made readable afterwards, by plain Python that checks every change.
"""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from unlike.core import CutShort
from unlike.language.terms import REAL, STR, Const, Node, Op, freeze, walk
from unlike.language.values import Date, DateTime, Int, Real, Str, Timedelta, Value, belongs, is_legal
from unlike.solvers.base import Answer, Sat, Unknown, Unsat, Untranslatable
from unlike.specs import core_difference as cores, members as spaces
from unlike.specs.asking.proposals import Doubt, Proposals
from unlike.specs.asking.solvers_in_turn import Relay
from unlike.specs.asking.wishes import Wishes
from unlike.specs.choose import ALL_TAKEN
from unlike.specs.equalities import merge_equal
from unlike.specs.members import TRIED, Component
from unlike.specs.problem import Fragment, Path, Problem
from unlike.specs.sources import Source, product
from unlike.specs.verify import compile_difference
from unlike.suite import Ending, Status

if TYPE_CHECKING:
    from unlike.specs.plan import Planner

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ASKED = 500  # so many candidates are asked of a solver after combinations of plain values were tried: it takes its time
POLISHED = 200  # beyond so many found inputs, a string is left as the solver gave it


def solve(part: Component, core: cores.Core, context: Planner) -> Source[Fragment]:
    """Return inputs found by the solver, any two of which are different; it ends complete or maximal."""
    loop = _Loop(part, core, context)
    return Source(loop.stream(), f"asked of {context.solvers[0]}", ending=lambda: loop.ending, dear=True)


class _Loop:
    def __init__(self, part: Component, core: cores.Core, context: Planner) -> None:
        self.part = part
        self.core = core
        self.context = context
        self.ending = Ending.MAXIMAL
        self.found: list[dict[str, object]] = []
        self.breaks = doubter(part, core, context.problem)
        self.wishes = Wishes(part, core, context.seed)
        asked = context.engine == "solver"
        self.proposals = Proposals(part, core, context.seed, self.breaks, context.deadline, asked=asked)

    def stream(self) -> Iterator[Fragment]:
        """Yield models until there are none; what the solver cannot answer cuts the stream short."""
        try:
            wanted = None if isinstance(self.core, cores.Everything) else cores.relation(self.core)
            linear = all(map(is_linear, [*self._nodes(), *([] if wanted is None else [wanted])]))
            talk = self.talk(linear=linear)
            for node in self._nodes():
                talk.add(node)
            for proposed in self.proposals.stream(self.found, linear=linear):
                yield self.note(proposed, talk, wanted)
                if linear and self.wishes.is_due and (rare := self.wish(talk)):
                    yield self.note(self.polish(rare.values), talk, wanted)
            while isinstance(answer := self.ask(talk), Sat):
                yield self.note(self.polish(answer.values), talk, wanted)
            if isinstance(answer, Unknown):
                raise CutShort(
                    self.context.deadline.status() if answer.timeout else Status(Ending.UNKNOWN, answer.reason)
                )
            self.ending = self.find_ending(talk.check(deadline=self.context.deadline, distinct=False))
        except Untranslatable as error:
            raise CutShort(Status(Ending.UNKNOWN, str(error))) from error

    def note(self, fragment: Fragment, talk: Relay, wanted: Node | None) -> Fragment:
        """Return what was found; what is found next is different from it."""
        talk.differ(wanted, fragment)
        self.wishes.note(fragment)
        return fragment

    def ask(self, talk: Relay) -> Answer:
        """Return the next model: one that is wished for, or any."""
        return self.wish(talk) or talk.check(deadline=self.context.deadline)

    def wish(self, talk: Relay) -> Sat | None:
        """Return a model that is wished for, if there is such a one."""
        return self.wishes.ask(lambda nodes: talk.wish(nodes, deadline=self.context.deadline))

    def talk(self, *, linear: bool) -> Relay:
        """Return a conversation with the solvers, about the units and choices at hand."""
        from unlike.solvers.z3 import Conversation

        units = {path: unit.value for path, unit in self.part.units.items()}
        choices = {each.number: len(each.parts) for each in cores.parts_of(self.core) if isinstance(each, cores.Select)}
        seed, effort = self.context.seed, self.context.effort

        def open_(name: str) -> Conversation:
            return Conversation(units, choices, linear=linear, seed=seed, name=name, effort=effort)

        relay = Relay(
            self.context.solvers, open_, self.context.tally, lambda model: self.breaks(model.values, self.found)
        )
        self.context.open.append(relay)
        return relay

    def _nodes(self) -> list[Node]:
        return [*(each.node for each in self.part.assertions), cores.assert_choices(self.core)]

    def find_ending(self, answer: object) -> Ending:
        """Return what the end means: complete if being alike is an equivalence and every class was visited."""
        if isinstance(self.core, cores.Everything):
            return Ending.COMPLETE
        if isinstance(answer, Sat) and self.context.is_free(self.part):
            raise CutShort(Status(Ending.UNKNOWN, ALL_TAKEN))
        return Ending.COMPLETE if cores.is_equivalence(self.core) and isinstance(answer, Unsat) else Ending.MAXIMAL

    def polish(self, values: dict[Hashable, object]) -> Fragment:
        """Return the model with plainer strings wherever plain Python finds them as good."""
        fragment: Fragment = dict(values)
        if len(self.found) < POLISHED:

            def good(tried: Fragment) -> bool:
                return not self.breaks(tried, self.found)

            strings = {path: unit.value for path, unit in self.part.units.items() if isinstance(unit.value, Str)}
            for char in dict.fromkeys("".join(str(fragment[path]) for path in strings)):
                fragment = _rename_odd(fragment, char, strings, good)
            for path, value in strings.items():
                fragment = _plainer(fragment, path, value, good)
            if not self.wishes.granted:  # what was wished for is as it should be
                fragment = self.proposals.move(fragment, good)
        self.found.append(spaces.assignment_of(fragment))
        return fragment


def _rename_odd(
    fragment: Fragment, char: str, strings: Mapping[Path, Str], good: Callable[[Fragment], bool]
) -> Fragment:
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


def candidates(part: Component, context: Planner) -> Source[Fragment]:
    """Return inputs to try where plain Python decides: those that satisfy all that can be seen, up to a budget.

    What combinations of plain values give comes before what a solver must be asked for one by one.
    """
    seen = Component(part.units, tuple(each for each in part.assertions if not each.opaque))
    hidden = Component(part.units, tuple(each for each in part.assertions if each.opaque))

    def stream() -> Iterator[Fragment]:
        source, known, most = context.members(seen), set[object](), TRIED
        source = source or context.find_exactly(cores.Everything(), [seen])
        if source is None:
            source = solve(seen, cores.Everything(), context)
            if context.engine != "solver":
                most = ASKED
                for fragment in spaces.keep_accepted(hidden, _combinations(seen, context), context.deadline):
                    known.add(freeze(fragment))
                    yield fragment
        for fragment in spaces.keep_accepted(hidden, _at_most(source, most), context.deadline):
            if freeze(fragment) not in known:
                yield fragment
        if source.size(most + 1) > most:
            raise CutShort(
                Status(Ending.UNKNOWN, f"{TRIED} candidates were tried, and plain Python hides whether more exist")
            )
        if source.cut:
            raise CutShort(source.cut)

    return Source(stream(), "candidates", dear=True)


def _combinations(part: Component, context: Planner) -> Iterator[Fragment]:
    """Yield those of the first combinations of plain values that satisfy the assertions."""
    sources = [spaces.members_of(unit.value, context.deadline, context.seed) for unit in part.units.values()]
    first = itertools.islice(product(sources, "combinations"), TRIED)
    fragments: Iterator[Fragment] = (dict(zip(part.units, values, strict=True)) for values in first)
    try:
        yield from spaces.keep_accepted(part, fragments, context.deadline)
    except CutShort as cut:
        if cut.status.ending is not Ending.UNKNOWN:  # a solver may know more about a value that cannot be listed
            raise


def _at_most(source: Source[Fragment], most: int) -> Iterator[Fragment]:
    index = 0
    while index < most and source.size(index + 1) > index:
        yield source.at(index)
        index += 1


# -- a model is looked at before it is taken: what breaks the spec is no answer, whoever gave it -------------------


def doubter(part: Component, core: cores.Core, problem: Problem) -> Doubt:
    """Return what tells whether a fragment breaks the spec, or is alike one of those found before."""
    holds = spaces.checker([*(each.node for each in part.assertions), cores.assert_choices(core)], "an assertion")
    different = compile_difference(core, problem)
    names = {path[0] for path in part.units}
    arities = {each.number: len(each.parts) for each in cores.parts_of(core) if isinstance(each, cores.Select)}

    def breaks(fragment: Fragment, found: Sequence[dict[str, object]]) -> bool:
        if not all(belongs(unit.value, fragment[path]) for path, unit in part.units.items()):
            return True
        if not all(fragment[number] in range(arity) for number, arity in arities.items()):
            return True
        new = spaces.assignment_of(fragment)
        if not holds(new):
            return True
        # frozen, because True is not 1
        return any(
            all(freeze(new[name]) == freeze(old[name]) for name in names) or not different(new, old) for old in found
        )

    return breaks


# -- why there is no input ---------------------------------------------------------------------------------


def is_empty(part: Component, core: cores.Core, context: Planner) -> bool:
    """Tell whether it is proved that a component has no member, given the choices that a difference asks for."""
    choosing = any(isinstance(each, cores.Select) for each in cores.parts_of(core))
    if choosing and any(isinstance(each, cores.Python) for each in cores.parts_of(core)):
        return False
    asked = core if choosing else cores.Everything()
    if context.engine != "solver":
        reduced = merge_equal(part.units, part.assertions, asked)
        part, asked = Component(reduced.units, tuple(reduced.assertions)), reduced.core
    source = None if choosing else context.members(part) or context.find_exactly(asked, [part])
    if source is None:
        if any(each.opaque for each in part.assertions):
            return False
        source = solve(part, asked, context)
    return source.size(1) == 0 and source.cut is None


def clashing(part: Component, core: cores.Core, context: Planner) -> list[str]:
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
        wider = units | {path: replace(unit, value=widen(unit.value))}
        if unit.value != wider[path].value and is_empty(Component(wider, kept), core, context):
            units = wider
        else:
            words.append(context.problem.words(path))
    return words


def widen(value: Value) -> Value:
    """Return the value with bounds so wide that they do not matter, where that is possible."""
    match value:
        case Int():
            return Int(-(10**12), 10**12)
        case Real(places=places):
            return Real(-(10**12), 10**12, places)
        case Date():
            return Date(datetime.date.min, datetime.date.max)
        case DateTime(step=step):
            return DateTime(datetime.datetime.min, datetime.datetime.max, step)
        case Timedelta(step=step):
            return Timedelta(datetime.timedelta.min, datetime.timedelta.max, step)
        case Str(None):
            return Str(r"[\s\S]*", max_length=200)
    return value
