"""From a problem to a stream of inputs: which parts are independent, what is counted, what a solver is asked.

A difference that speaks of independent components is taken apart with them. For some-of, the combinations of the
parts' representatives are a largest set, because each part's representatives stand for classes of alike values, and
so do their combinations. For all-of, representatives go side by side, and the shortest part bounds any set.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from unlike.chance import deal, key_of
from unlike.core import CutShort, Deadline
from unlike.errors import how_many
from unlike.indexed import Integers, Sum, in_digits
from unlike.language.terms import Node, Op, conjunction, text
from unlike.language.values import Str
from unlike.specs import core_difference as cores, members as spaces
from unlike.specs.asking.solve import candidates, solve
from unlike.specs.asking.solvers_in_turn import AnswerCount, Relay
from unlike.specs.branches import Legal, cover_for, expand_branches, one_string_per_branch
from unlike.specs.cases import by_cases, has_branches
from unlike.specs.choose import Greedy, first_unused, greedily_apart, match_choices, one_for_each
from unlike.specs.equalities import merge_equal
from unlike.specs.members import LISTED, TRIED, Component, components, merge_components
from unlike.specs.moves import vary
from unlike.specs.numbers import far_apart, find_allowed, line_of
from unlike.specs.problem import Assertion, Fragment, Path, Problem, Unit, units_of
from unlike.specs.sources import Source, in_turn, list_source, map_source, order_space, product, zip_sources
from unlike.specs.strings import tied_strings
from unlike.suite import Ending

MATCHED = 64  # so many choices that may overlap are matched with members as well as possible
COMPARED = 5_000  # so many members are compared one by one; beyond, a solver is asked
FILLED = 32  # so many members of a component that no difference speaks of are asked of a solver, or of plain Python


@dataclass(slots=True)
class Planner:
    """Makes streams of fragments; remembers in words what it decided."""

    problem: Problem
    deadline: Deadline
    seed: int = 0
    engine: str = "auto"
    solvers: tuple[str, ...] = ("z3",)  # in the order in which they are asked
    effort: float = 1  # how many times the usual budget a question may cost
    tally: AnswerCount = field(default_factory=AnswerCount)
    open: list[Relay] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    known: dict[tuple[int, str, str], bool] = field(default_factory=dict)  # which choices exclude each other
    exact: dict[tuple[int, str, str], bool] = field(default_factory=dict)  # whose branches automata find
    in_cases: bool = False  # while a case is planned: members of others may stand for its choices, too
    choosing: int = field(init=False)  # so many units are chosen: those that equal others are not

    def __post_init__(self) -> None:
        self.choosing = len(self.problem.units)

    def note(self, what: str, how: str) -> None:
        """Remember a decision for the explanation."""
        line = f"{what}: {how}" if what else how
        if line not in self.lines:
            self.lines.append(line)

    def close(self) -> None:
        """End all conversations with solvers."""
        for relay in self.open:
            relay.close()

    def plan(self, units: Mapping[Path, Unit], assertions: Sequence[Assertion], core: cores.Core) -> Source[Fragment]:
        """Return inputs over the units, any two of which are different and not equal."""
        self.deadline.check()
        if self.engine != "solver":
            reduced = merge_equal(units, assertions, core)
            if reduced.twins:
                for gone, stays in reduced.twins.items():
                    self.note(".".join(gone), f"equals {'.'.join(stays)}, and is filled in from it")
                if assertions is self.problem.assertions:  # in every input, not in one choice among several
                    self.choosing = len(reduced.units)
                source = self.plan_apart(reduced.units, reduced.assertions, reduced.core)
                return map_source(source, reduced.fill_in)
        return self.plan_apart(units, assertions, core)

    def plan_apart(
        self, units: Mapping[Path, Unit], assertions: Sequence[Assertion], core: cores.Core
    ) -> Source[Fragment]:
        """Return such inputs where no unit stands for another: by components, which are combined."""
        parts = components(units, assertions)
        touched = self.find_touched(core, parts)
        rest = [part for part in parts if part.words not in touched]
        source = self.fill_rest(self.pick(core, [part for part in parts if part.words in touched]), rest)
        if self.engine == "solver" or self.in_cases or self.find_spoken(core, parts) is None:
            return source
        loose = [part for part in parts if part.words in touched or len(part.units) > 1]
        return vary(source, core, loose, deadline=self.deadline, seed=self.seed)

    def find_touched(self, core: cores.Core, parts: Sequence[Component]) -> set[str]:
        """Return the components that matter to a difference: those it speaks of.

        Where it can hold between inputs that are the same in all it speaks of, every component matters, because two
        inputs must not be equal.
        """
        spoken = self.find_spoken(core, parts)
        if spoken is None or (not spoken and not isinstance(core, cores.Nothing)):  # it speaks of constants only
            return {part.words for part in parts}
        return {part.words for part in parts if spoken & set(part.units)}

    def find_spoken(self, core: cores.Core, parts: Sequence[Component]) -> set[Path] | None:
        """Return the units that a difference speaks of; nothing if inputs that differ may be equal in all of them."""
        if not cores.tells_apart(core):
            return None
        spoken: set[Path] = set()
        for inner in cores.parts_of(core):
            match inner:
                case cores.Key(term) | cores.MinimumDistance(term, _) | cores.Edits(term, _) | cores.Holds(term):
                    spoken |= units_of(term, self.problem.units)
                case cores.Branch(_, term):
                    about = units_of(term, self.problem.units)
                    if not self.tells_branches(inner, [part for part in parts if about & set(part.units)], parts):
                        return None
                    spoken |= about
                case cores.Python():
                    return None
                case cores.Select():
                    about = units_of(cores.assert_choices(inner, taken=False), self.problem.units)
                    if not self.exclusive(inner, [part for part in parts if about & set(part.units)]):
                        return None
                    spoken |= about
        return spoken

    def pick(self, core: cores.Core, parts: Sequence[Component]) -> Source[Fragment]:
        """Return fragments over the components, any two of which are different."""
        if self.engine == "solver" and not isinstance(core, cores.Nothing):
            return self.general(core, parts)
        match core:
            case cores.Nothing():
                return list_source([{}], "one input")
            case cores.Everything():
                return combine_sources([self.everything(part) for part in parts], "all combinations")
            case cores.Key(term):
                return self.pick_by_key([term], merge_components(parts))
            case cores.MinimumDistance():
                return self.apart(core, merge_components(parts))
            case cores.Some(inner):
                groups = self.groups(inner, parts)
                return combine_sources([self.pick_group(cores.Some, *each) for each in groups], "combinations")
            case cores.Every(inner):
                groups = self.groups(inner, parts)
                if len(groups) > 1:
                    return join_fragments(
                        zip_sources([self.pick_group(cores.Every, *each) for each in groups], "side by side")
                    )
            case cores.Branch():
                found = self.branch(core, parts)
                if found is not None:
                    return found
            case cores.Select():
                found = self.select(core, parts)
                if found is not None:
                    return found
        return self.general(core, parts)

    def fill_rest(self, source: Source[Fragment], rest: Sequence[Component]) -> Source[Fragment]:
        """Return the fragments with the components that no difference speaks of filled in, varying."""
        if not rest:
            return source
        fillers = [(*self.filler(part), key_of(part.words, self.seed)) for part in rest]

        def stream() -> Iterator[Fragment]:
            for index, fragment in enumerate(source):
                whole = dict(fragment)
                for filler, most, key in fillers:
                    there = filler.size(min(index + 1, most))
                    if not there:
                        return
                    whole |= filler.at(index if index < there else deal(key, index, there))
                yield whole

        empty = [filler for filler, *_ in fillers if not filler.size(1)]
        count = source.count if not empty else None if any(filler.cut for filler in empty) else 0
        watched: list[Source[object]] = [source, *(filler for filler, *_ in fillers if filler.count is None)]  # type: ignore[list-item]
        ending, dear = (lambda: source.ending), source.dear
        return Source(stream(), source.words, count=count, ending=ending, watched=watched, dear=dear)

    def filler(self, part: Component) -> tuple[Source[Fragment], int]:
        """Return members of a component, and how many of them are worth reading."""
        source = self.members(part) or self.find_exactly(cores.Everything(), [part])
        if source is not None:
            self.note(part.words, f"no difference speaks of it; varied over {source.words}")
            return source, 1_000_000
        if any(each.opaque for each in part.assertions):
            self.note(part.words, "no difference speaks of it; some values that plain Python accepts")
            return Source(_first_found(candidates(part, self), FILLED), "some candidates", dear=True), FILLED
        self.note(part.words, f"no difference speaks of it; some values asked of {self.solvers[0]}")
        return solve(part, cores.Everything(), self), FILLED

    def members(self, part: Component) -> Source[Fragment] | None:
        """Return the members of a component that can be counted or listed."""
        if self.engine == "solver" and not any(each.opaque for each in part.assertions):
            return None
        return spaces.members(part, self.deadline, self.seed)

    def everything(self, part: Component) -> Source[Fragment]:
        """Return all members of a component."""
        source = self.members(part)
        if source is not None:
            self.note(part.words, f"enumerated directly ({source.words})")
            return source
        return self.find_exactly(cores.Everything(), [part]) or self.general(cores.Everything(), [part])

    def find_exactly(self, core: cores.Core, parts: Sequence[Component]) -> Source[Fragment] | None:
        """Return the members of components without a solver: strings that automata can tie, or case by case."""
        if self.engine == "solver":
            return None
        part = merge_components(parts)
        chooses = any(isinstance(each, cores.Branch) for each in cores.parts_of(core))
        few = chooses and not self.is_free(part) and self.small(part, COMPARED) is not None  # tried one by one
        if len(parts) == 1 and not (few and len(part.units) == 1):
            source = tied_strings(core, part, self.deadline, free=self.is_free(part), seed=self.seed)
            if source is not None:
                self.note(part.words, f"{cores.in_words(core)}: {source.words}")
                return source
        return None if few else by_cases(core, part, self)

    def is_free(self, part: Component) -> bool:
        """Tell whether something else than the component may make equal members of it different."""
        return self.in_cases or self.choosing > len(part.units)

    # -- one component and one difference

    def pick_by_key(self, terms: Sequence[Node], part: Component) -> Source[Fragment]:
        """Return one member for each combination of values of the terms."""
        units = list(part.units.values())
        words = ", ".join(map(text, terms))
        if len(units) == 1 and list(terms) == [units[0].term]:
            return self.everything(part)
        if len(units) == 1 and [Op("length", (units[0].term,), terms[0].kind)] == list(terms):
            lengths = self.lengths(part, units[0])
            if lengths is not None:
                self.note(part.words, "one string for each length, by automaton")
                return lengths
        source = self.small(part)
        if source is None:
            core = cores.Key(terms[0]) if len(terms) == 1 else cores.Some(tuple(map(cores.Key, terms)))
            return self.find_exactly(core, [part]) or self.general(core, [part])
        self.note(part.words, f"one for each value of {words}, out of {source.words}")
        return Source(one_for_each(self.deadline.each(source), terms), f"one for each value of {words}", parts=[source])  # type: ignore[list-item]

    def lengths(self, part: Component, unit: Unit) -> Source[Fragment] | None:
        """Return one string for each length that its language has."""
        if not isinstance(unit.value, Str):
            return None
        language = spaces.strings_of(part, unit, self.deadline)
        if language is None:
            return None
        strings = Source(language.first_of_each_length(), "one for each length", count=len(language.lengths))
        return map_source(strings, lambda string: {unit.path: string})

    def apart(self, gap: cores.MinimumDistance, part: Component) -> Source[Fragment]:
        """Return a largest set of members whose numbers are far enough apart."""
        unit, *others = part.units.values()
        line = line_of(unit.value)
        if line is not None and not others and gap.term == unit.term:
            codes = spaces.codes_of(part, line, unit.term)
            if codes is not None:
                steps = -(-gap.least / line.scale // 1)
                ranges = far_apart(codes, int(steps))
                space: Sum[int] = Sum(ranges)
                anchor = min(range(len(ranges)), key=lambda i: abs(ranges[i].at(_index_near(ranges[i]))), default=0)
                near = sum(each.count() for each in ranges[:anchor]) + (_index_near(ranges[anchor]) if ranges else 0)
                self.note(
                    part.words,
                    f"{in_digits(space.count())} numbers at least {cores.gap_in_words(gap)} apart, counted directly",
                )
                numbers = order_space(space, "numbers apart", anchor=near, seed=self.seed)
                return map_source(numbers, lambda code: {unit.path: line.plain(code)})
        source = self.small(part)
        if source is None:
            return self.general(gap, [part])
        self.note(part.words, f"{cores.in_words(gap)}, out of {source.words}")
        return Source(greedily_apart(self.deadline.each(source), gap), "far enough apart", parts=[source])  # type: ignore[list-item]

    def small(self, part: Component, most: int = LISTED) -> Source[Fragment] | None:
        """Return the members of a component that are few enough to read them all."""
        source = self.members(part)
        if source is None or (source.count if source.count is not None else source.size(most + 1)) > most:
            return None
        return source

    # -- combinations

    def groups(
        self, inner: Sequence[cores.Core], parts: Sequence[Component]
    ) -> list[tuple[list[cores.Core], list[Component]]]:
        """Return the differences grouped so that no two groups speak of the same component."""
        groups: list[tuple[list[cores.Core], set[str]]] = []
        for core in inner:
            touched = self.find_touched(core, parts)
            joined_cores, joined_parts = [core], set(touched)
            kept = []
            for group, names in groups:
                if names & joined_parts:
                    joined_cores, joined_parts = group + joined_cores, names | joined_parts
                else:
                    kept.append((group, names))
            groups = [*kept, (joined_cores, joined_parts)]
        return [(group, [part for part in parts if part.words in names]) for group, names in groups]

    def pick_group(
        self, kind: Callable[[tuple[cores.Core, ...]], cores.Core], group: list[cores.Core], parts: list[Component]
    ) -> Source[Fragment]:
        """Return what one group of differences over the same components picks."""
        if len(group) == 1:
            return self.pick(group[0], parts)
        keys = [core.term for core in group if isinstance(core, cores.Key)]
        if kind is cores.Some and len(keys) == len(group) and self.engine != "solver":
            return self.pick_by_key(keys, merge_components(parts))
        core = kind(tuple(group))
        return self.find_exactly(core, parts) or self.general(core, parts)

    def select(self, core: cores.Select, parts: Sequence[Component]) -> Source[Fragment] | None:
        """Return what each choice picks, one of each in turn; nothing if choices may overlap in an unclear way."""
        part = merge_components(parts)
        branches = []
        for assertion, inner in zip(core.assertions, core.parts, strict=True):
            said = Assertion(assertion, text(assertion), units_of(assertion, self.problem.units))
            branches.append((said, inner))
        if not self.exclusive(core, parts):
            if any(not isinstance(inner, cores.Nothing) for _, inner in branches):
                return None
            return self.one_of_each(core.number, part, [said for said, _ in branches])
        sources = []
        for index, (said, inner) in enumerate(branches):
            source = self.plan(part.units, (*part.assertions, said), inner)
            sources.append(map_source(source, _with_choice(core.number, index)))
        self.note(part.words, f"{how_many(len(sources), 'choice')}, each by itself")
        return in_turn(sources, "choices in turn")

    def exclusive(self, core: cores.Select, parts: Sequence[Component]) -> bool:
        """Tell whether no member can make two of the choices; decided by intervals or by listing."""
        part = merge_components(parts)
        key = (core.number, part.words, _in_words(part))
        if key not in self.known:
            pairs = zip(core.assertions, core.parts, strict=True)
            said = [conjunction([assertion, cores.assert_choices(inner, taken=False)]) for assertion, inner in pairs]
            asked = spaces.restrict(part, units_of(conjunction(core.assertions), self.problem.units))
            alone = bool(asked.units) and len(asked.units) < len(part.units) and self.disjoint(asked, core.assertions)
            self.known[key] = core.exclusive or alone or (bool(parts) and self.disjoint(part, said))
        return self.known[key]

    def disjoint(self, part: Component, assertions: Sequence[Node]) -> bool:
        """Tell whether it is known that no member satisfies two of the assertions."""
        unit, *others = part.units.values()
        line = line_of(unit.value)
        if line is not None and not others:
            sets = [find_allowed(line, unit.term, each) for each in assertions]
            known = [each for each in sets if each is not None]
            if len(known) == len(sets):
                return not any((one & two).parts for one, two in itertools.combinations(known, 2))
        source = self.small(part)
        if source is None:
            return False
        tests = [spaces.checker([each], text(each)) for each in assertions]
        try:
            members = self.deadline.each(source)
            return all(sum(test(spaces.assignment_of(member)) for test in tests) < 2 for member in members)
        except CutShort:  # not all members are known
            return False

    def one_of_each(self, number: int, part: Component, branches: Sequence[Assertion]) -> Source[Fragment]:
        """Return one member for each choice, never the same member for two."""
        self.note(part.words, f"one for each of {how_many(len(branches), 'choice')}, none twice")
        sources = [self.plan(part.units, (*part.assertions, said), cores.Everything()) for said in branches]
        if len(branches) <= MATCHED:
            return Source(match_choices(number, sources), "one for each choice")
        missed: list[int] = []
        stream = first_unused(number, sources, missed, self.deadline)
        return Source(stream, "one for each choice", ending=lambda: Ending.MAXIMAL if missed else Ending.COMPLETE)

    def branch(self, core: cores.Branch, parts: Sequence[Component]) -> Source[Fragment] | None:
        """Return one input for each choice of branches of a regex; nothing if a solver must be asked."""
        part = merge_components(parts)
        legal = self.legal(core, part)
        if legal is None:
            if (exact := self.find_exactly(core, parts)) is not None:
                return exact
            wide = expand_branches(core)
            assert isinstance(wide, cores.Select)
            return self.select(wide, parts)
        (path,) = part.units
        self.note(part.words, f"{cover_for(core).choices} branches of {core.pattern!r}, enumerated directly")
        found = one_string_per_branch(core, legal, self.deadline, free=self.is_free(part), seed=self.seed)
        strings = Source(found, "one for each branch")
        return map_source(strings, lambda found: {path: found[1], core.number: found[0]})

    def tells_branches(self, core: cores.Branch, touched: Sequence[Component], parts: Sequence[Component]) -> bool:
        """Tell whether inputs that take different branches are never equal in the components, or known to be."""
        if self.engine != "solver" and touched:
            part = merge_components(touched)
            if self.legal(core, part) is not None:
                return True
            key = (core.number, part.words, _in_words(part))
            if key not in self.exact:  # asked first of all components
                few = not self.in_cases and self.small(merge_components(parts), COMPARED) is not None
                self.exact[key] = not few and has_branches(core, part, self)
            if self.exact[key]:
                return True
        try:
            wide = expand_branches(core)
        except CutShort:  # too many to compare with each other
            return False
        assert isinstance(wide, cores.Select)
        return self.exclusive(wide, touched)

    def legal(self, core: cores.Branch, part: Component) -> Legal | None:
        """Return what a string must be beside taking its branches; nothing if it is not a string by itself."""
        unit, *others = part.units.values()
        if others or not isinstance(unit.value, Str) or core.term != unit.term:
            return None
        plain = [each for each in part.assertions if not each.opaque]
        opaque = [each.node for each in part.assertions if each.opaque]
        accepts = _on_string(spaces.checker(opaque, "an assertion"), unit) if opaque else None
        same = (unit.value.matching, unit.value.flags) == (core.pattern, core.flags)
        if not plain and (same or (unit.value.matching is None and not cover_for(core).pattern.exact)):
            return Legal(unit.value, None, accepts)
        found = spaces.strings_of(Component(part.units, tuple(plain)), unit, self.deadline)
        return None if found is None else Legal(unit.value, found.automaton, accepts)

    # -- everything else

    def general(self, core: cores.Core, parts: Sequence[Component]) -> Source[Fragment]:
        """Return fragments for any difference: by trying listed members one by one, or by asking a solver."""
        core, part = expand_branches(core), merge_components(parts)
        python = any(isinstance(each, cores.Python) for each in cores.parts_of(core)) or any(
            each.opaque for each in part.assertions
        )
        hidden = python or any(isinstance(each, cores.Edits) for each in cores.parts_of(core))
        source = None if self.engine == "solver" and not hidden else self.small(part, TRIED if hidden else COMPARED)
        if source is not None:
            self.note(part.words, f"{cores.in_words(core)}: tried one by one, out of {source.words}")
            return self.try_members(source, core, part)
        if hidden:
            why = "plain Python hides what is asked" if python else "edits are counted, not asked of a solver"
            self.note(part.words, f"{cores.in_words(core)}: {why}; candidates are tried one by one")
            return self.try_members(candidates(part, self), core, part)
        ties = ", ".join(each.words for each in part.assertions) or "the difference"
        self.note(part.words, f"{cores.in_words(core)}: asked of {self.solvers[0]}, tied by {ties}")
        return solve(part, core, self)

    def try_members(self, source: Source[Fragment], core: cores.Core, part: Component) -> Source[Fragment]:
        """Return each member that is different from all before, with every choice it can make."""
        greedy = Greedy(core, self.problem, self.deadline, free=self.is_free(part))
        stream = greedy.stream(source)
        return Source(stream, "tried one by one", ending=lambda: greedy.ending, parts=[source])  # type: ignore[list-item]


def combine_sources(sources: Sequence[Source[Fragment]], words: str) -> Source[Fragment]:
    """Return all combinations of the sources' members."""
    return sources[0] if len(sources) == 1 else join_fragments(product(sources, words))


def join_fragments(source: Source[tuple[Fragment, ...]]) -> Source[Fragment]:
    """Return tuples of fragments as one fragment each."""

    def join(fragments: tuple[Fragment, ...]) -> Fragment:
        whole: Fragment = {}
        for fragment in fragments:
            whole |= fragment
        return whole

    return map_source(source, join)


def _first_found(source: Source[Fragment], most: int) -> Iterator[Fragment]:
    """Yield the first members; that a search for more was given up does not matter where there is one."""
    try:
        yield from itertools.islice(source, most)
    except CutShort as cut:
        if not source.size(1) or cut.status.ending is not Ending.UNKNOWN:
            raise


def _in_words(part: Component) -> str:
    return " & ".join(text(each.node) for each in part.assertions)


def _on_string(holds: Callable[[dict[str, object]], bool], unit: Unit) -> Callable[[str], bool]:
    return lambda string: holds(spaces.assignment_of({unit.path: string}))


def _with_choice(number: int, index: int) -> Callable[[Fragment], Fragment]:
    return lambda fragment: fragment | {number: index}


def _index_near(numbers: Integers) -> int:
    return min(max(0, round(-numbers.low / numbers.step)), numbers.count() - 1)
