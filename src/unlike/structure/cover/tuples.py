"""Combinations of any number of choices: an array is planned, its rows become inputs, what they lack is sought.

What rules say about listed values is known before a row is planned. What other constraints refuse (validators,
assertions about numbers and texts) is learned from pairs first: each is found, proved impossible, or left undecided.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from unlike.chance import Turn
from unlike.core import FOREVER, CutShort, Deadline
from unlike.covering.arrays import BUDGET, SAMPLES, Array, ArrayModel, Cells, Decide, Row, Rule, cover, make_engine
from unlike.errors import ScopeError, SpecError
from unlike.foreign import EndedError, LateError
from unlike.structure.cover.columns import Columns, FieldRule, MismatchError, read_data
from unlike.structure.cover.outcome import CoverOutcome, TupleCount
from unlike.structure.cover.plan import FILLINGS, Planned, fill, plans
from unlike.structure.cover.runner import DoneError, Runner
from unlike.structure.cover.targets import Ask, Goal, Target, Targets, View
from unlike.structure.cover.tree import Tree
from unlike.structure.shapes import freeze_plain
from unlike.suite import Ending

MOST_SOUGHT = 20_000  # missing combinations that are sought one by one
BY_RULES = "no choices satisfy the rules together"
PLANNING = 0.7  # of the time; in what is left inputs are made of the rows
NAMED = 1_000  # combinations that are named in an answer
DecideFor: TypeAlias = Callable[[ArrayModel], Decide]


@dataclass(frozen=True, slots=True)
class Combining:
    """How many choices are combined: of all places, and more of some; rows that must be in; what is left out."""

    t: int = 2
    mixed: tuple[tuple[tuple[str, ...], int], ...] = ()
    rows: tuple[object, ...] = ()
    negative: tuple[tuple[str, object], ...] = ()  # choices of which a row has at most one
    ignored: tuple[Mapping[str, object], ...] = ()  # combinations that need not be shown
    smallest: bool = False

    def __str__(self) -> str:
        mixed = (f", {','.join(names)} {strength}" for names, strength in self.mixed)
        return f"{self.t}{''.join(mixed)}"


@dataclass(frozen=True, slots=True)
class GivenRow:
    """A row that must be in: its plain value as far as it is given, and the decisions it takes."""

    plain: object
    decisions: Mapping[int, int]
    number: int


@dataclass(slots=True)
class SoughtTargets(Targets):
    """Options and samples, and the combinations that are being sought."""

    sought: dict[Target, Mapping[int, int]] = field(default_factory=dict)

    def shown_by(self, view: View) -> Iterator[Target]:
        """Yield the targets that a view shows."""
        yield from Targets.shown_by(self, view)
        if not view.level:
            for target, decisions in self.sought.items():
                if decisions.items() <= view.decisions.items():
                    yield target


class TupleRun:
    """One run: the columns, what is known of them, and the runner that makes inputs."""

    def __init__(
        self,
        tree: Tree,
        asked: Combining,
        n: int | None,
        *,
        rules: Sequence[FieldRule],
        decide: DecideFor,
        ask: Ask | None,
        deadline: Deadline,
        seed: int,
    ) -> None:
        self.tree, self.asked, self.n, self.seed = tree, asked, n, seed
        self.deadline, self.ask, self.decide = deadline, ask, decide
        self.columns = Columns(tree)
        if asked.t > max(2, len(self.columns.factors)):
            there = len(self.columns.factors)
            raise SpecError(
                f"cover={asked.t} combines more places than there are: {there} with choices; use cover='all'"
            )
        self.layers = self.columns.layers(asked.t, asked.mixed)
        self.rules, self.others = self.columns.read_rules(rules)
        self.said = [each.words for each in rules if each not in self.others]
        self.rules += self.read_negative()
        self.ignored = [cells for each in asked.ignored for cells in self.read_ignored(each)]
        self.given = [self.read_given(row, number) for number, row in enumerate(asked.rows, 1)]
        self.known: dict[Target, str] = {}
        self.learned: list[Mapping[int, int]] = []
        self.array = Array([])

    # -- what is asked ---------------------------------------------------------------------------------------------

    def read_given(self, row: object, number: int) -> GivenRow:
        """Return a row that must be in, or refuse it."""
        decisions: dict[int, int] = {}
        try:
            return GivenRow(read_data(self.tree.root, row, decisions), decisions, number)
        except MismatchError as mismatch:
            raise ScopeError(f"rows: row {number} is no input: {mismatch}; leave it out, or correct it") from None

    def cells_of(self, name: str, value: object, what: str) -> dict[int, list[int]]:
        """Return the values that a word at a place stands for; a place may be a parameter under each of several."""
        try:
            found = self.columns.find(name)
        except SpecError as error:
            raise SpecError(str(error).replace("strength", what, 1)) from None
        called = self.columns.find_choices(name, value)
        if not called:
            choices = [(p, v) for p in found for v in range(len(self.columns.factors[p].values))]
            there = ", ".join(self.columns.describe_value(p, v) for p, v in choices)
            raise SpecError(f"{what}: {name}={value!r} is no choice; there are {there}")
        return called

    def read_negative(self) -> list[Rule]:
        """Return that a row has at most one negative choice."""
        negative: dict[int, set[int]] = {}
        for name, value in self.asked.negative:
            for p, values in self.cells_of(name, value, "negative").items():
                negative.setdefault(p, set()).update(values)
        enters = self.columns.enters()
        usual = {p: bytes(v not in values for v in range(len(enters[p]))) for p, values in sorted(negative.items())}
        for p, allowed in usual.items():
            if not any(allowed):
                raise SpecError(f"negative: all choices of {self.columns.names[p]} are negative; leave one that is not")
        pairs = [(one, two) for one in usual for two in usual if one < two]
        return [((one, usual[one]), (two, usual[two])) for one, two in pairs]

    def read_ignored(self, combination: Mapping[str, object]) -> list[Cells]:
        """Return the combinations that need not be shown."""
        if not isinstance(combination, Mapping) or len(combination) < 1:
            raise SpecError(f"ignore: {combination!r} is no combination; write {{'field': choice, 'field': choice}}")
        said = [self.cells_of(name, value, "ignore") for name, value in combination.items()]
        parts = [[(p, v) for p, values in each.items() for v in values] for each in said]
        found = (tuple(sorted(set(cells))) for cells in itertools.product(*parts))
        return [cells for cells in found if len({p for p, _ in cells}) == len(cells)]

    # -- planning --------------------------------------------------------------------------------------------------

    def plan(self, given: Sequence[Row]) -> list[list[Planned]]:
        """Plan the rows of an array after those that are given."""
        if not self.columns.factors:
            return plans(self.tree, "pairs", self.n, seed=self.seed, top=[{}], deadline=self.deadline)
        learned = [self.columns.rule_against(each) for each in self.learned]
        model = self.columns.model(self.layers, [*self.rules, *learned])
        self.array = cover(
            model,
            given=given,
            ignored=self.ignored,
            smallest=self.asked.smallest,
            seed=self.seed,
            deadline=self.deadline.part(PLANNING),
            decide=self.decide(model),
        )
        if self.array.possible is False and not self.learned:
            raise DoneError("nothing")
        self.known.update((target, BY_RULES) for target in self.columns.impossible_options(self.array.impossible))
        rows = [self.columns.decisions_of(row) for row in self.array.rows[len(given) :]]
        found = plans(self.tree, "pairs", self.n, seed=self.seed, top=rows or [{}], deadline=self.deadline)
        if given:  # what these show need not be planned again
            del found[0][len(rows) :]
        return found

    def runner(self, found: list[list[Planned]]) -> Runner:
        """Return what makes inputs of planned rows."""
        targets = SoughtTargets(self.tree, "each", found)
        made = Runner(CoverOutcome(self.tree, targets), found, self.n, self.ask, self.deadline, self.seed)
        made.known, made.impossible = dict(self.known), list(self.learned)
        return made

    def keep_given(self, runner: Runner) -> None:
        """Take the rows that must be in, or refuse them with the reason."""
        for each in self.given:
            if not self.keep_one(runner, each):
                why = runner.last_refusal or "no values for its open places were found"
                raise ScopeError(f"rows: row {each.number} is no legal input: {why}; leave it out, or correct it")

    def keep_one(self, runner: Runner, each: GivenRow) -> bool:
        """Keep a row; places that it leaves open are filled."""
        before = len(runner.outcome.rows)
        runner.last_refusal = ""
        for again in range(FILLINGS):
            decided: dict[int, int] = {}
            fill(self.tree.root, each.decisions, Turn(f"given {again}", each.number, self.seed), decided)
            row = runner.realise(Planned(decided), {})
            if row is None:
                continue
            plain = row.plain | each.plain if isinstance(each.plain, dict) else each.plain  # type: ignore[operator]
            made = runner.view_plain(plain)
            made.views[0].decisions.update({**decided, **each.decisions})
            runner.accept(made)
            known = runner.seen.get(freeze_plain(self.tree.shape, plain))
            if len(runner.outcome.rows) > before or known is not None:  # the same row may be given twice
                return True
        return False

    # -- running ---------------------------------------------------------------------------------------------------

    def rows_of(self, runner: Runner) -> list[Row]:
        """Return the rows that the accepted inputs are."""
        found = (self.columns.row_of(row.views[0].decisions) for row in runner.outcome.rows)
        return [row for row in found if row is not None]

    def missing(self, runner: Runner, engine: object, most: int) -> tuple[int, list[Cells]]:
        """Return how many combinations no accepted input shows, and the first of them."""
        answer: tuple[int, list[Cells]] = engine.missing(self.rows_of(runner), most)  # type: ignore[attr-defined]
        return answer

    def seek_all(self, runner: Runner, engine: object) -> None:
        """Look for every combination that is missing, or for a proof that it cannot be."""
        targets = runner.outcome.targets
        assert isinstance(targets, SoughtTargets)
        _, missing = self.missing(runner, engine, MOST_SOUGHT)
        for cells in missing:
            target = ("tuple", cells)
            decisions = self.columns.decisions_in(cells)
            if target in runner.outcome.covered:
                continue
            if any(each.items() <= decisions.items() for each in runner.impossible):
                continue
            targets.sought[target] = decisions
            runner.seek(target, Goal(0, decisions, {}, self.columns.describe(cells)))
            if target in runner.known:
                del targets.sought[target]

    def learn(self, runner: Runner) -> bool:
        """Learn from pairs what constraints refuse; tell whether anything was learned."""
        every = tuple(range(len(self.columns.factors)))
        layers = ((min(2, len(every)), every),)
        engine = make_engine(self.columns.model(layers, self.rules), self.seed)
        engine.decide(SAMPLES, BUDGET, self.deadline.check)
        self.seek_all(runner, engine)
        self.learned, self.known = list(runner.impossible), dict(runner.known)
        return bool(self.learned)

    def go(self) -> CoverOutcome:
        """Make the inputs."""
        runner = self.runner([[Planned({})]])
        try:
            runner = self.runner(self.plan([]))
            self.keep_given(runner)
            if self.given and self.columns.factors:
                runner.plans = self.plan(self.rows_of(runner))
            self.attempt_all(runner)
            lacking = self.missing(runner, self.array.engine, 0)[0] if self.columns.factors else 0
            if lacking and runner.outcome.refusals and self.learn(runner):
                runner = self.runner(self.plan([]))
                self.keep_given(runner)
                if self.given:
                    runner.plans = self.plan(self.rows_of(runner))
                self.attempt_all(runner)
            if self.columns.factors:
                self.seek_all(runner, self.array.engine)
            runner.plans = [[], *runner.plans[1:]]
            runner.run()
        except DoneError as done:
            runner.outcome.ended = done.why
            if done.why == "nothing" and not runner.outcome.refusals:
                runner.outcome.refusals = dict.fromkeys(self.said, 1)
        except CutShort as cut:
            runner.outcome.ended, runner.outcome.failure = cut.status.ending, cut.status.detail
        except KeyboardInterrupt:
            runner.outcome.ended = Ending.INTERRUPTED
        except EndedError as ended:
            late = isinstance(ended, LateError)
            runner.outcome.ended, runner.outcome.failure = Ending.TIMEOUT if late else Ending.FAILED, str(ended)
        self.count(runner)
        return runner.outcome

    def attempt_all(self, runner: Runner) -> None:
        """Try the planned rows; where planning was cut short, no more is sought afterwards."""
        for planned in runner.plans[0]:
            runner.attempt(planned)
        if self.array.cut is not None:
            raise self.array.cut
        if self.array.interrupted:
            raise KeyboardInterrupt

    def count(self, runner: Runner) -> None:
        """Say in the outcome what became of the combinations."""
        outcome, array = runner.outcome, self.array
        lacking, named = self.missing(runner, array.engine, NAMED) if array.engine is not None else (0, [])
        impossible = [(self.columns.describe(cells), BY_RULES) for cells in array.impossible]
        impossible = [each for each in impossible if each not in outcome.impossible]  # options are among them
        not_shown = [self.columns.describe(cells) for cells in named if ("tuple", cells) not in runner.known]
        sought = {word for word, _ in outcome.undecided} | {word for word, _ in outcome.impossible}
        outcome.tuples = TupleCount(
            needed=array.tuples,  # with those that were found to be impossible later, which are listed
            shown=max(0, array.tuples - lacking),  # no row satisfies the rules: then none was counted
            impossible=tuple(impossible),
            undecided=tuple((self.columns.describe(each), "not decided within the budget") for each in array.undecided),
            not_shown=tuple(word for word in not_shown if word not in sought),
            bound=array.bound,
            given=len(self.given),
            planned=len(array.rows),
            smallest=self.asked.smallest,
        )


def execute_tuples(
    tree: Tree,
    asked: Combining,
    n: int | None = None,
    *,
    rules: Sequence[FieldRule],
    decide: DecideFor,
    deadline: Deadline = FOREVER,
    ask: Ask | None = None,
    seed: int = 0,
) -> CoverOutcome:
    """Return inputs of a tree that show all combinations of so many choices, or n of them, and further ones up to n."""
    return TupleRun(tree, asked, n, rules=rules, decide=decide, ask=ask, deadline=deadline, seed=seed).go()
