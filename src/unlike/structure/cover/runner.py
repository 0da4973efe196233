"""From planned rows to plain values that were tried: what is shown, what cannot be, what was not found.

Constraints that no plan can see (checks, validators, assertions) refuse some rows. Then other values are tried, and
every target that is still missing is sought by itself: found, proved impossible by trying all, or left undecided.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from unlike.chance import Turn, key_of
from unlike.core import CutShort, Deadline
from unlike.covering_arrays import Decisions, merge_decisions
from unlike.foreign import EndedError, without_address
from unlike.progress import report
from unlike.structure.building import RefusedError, build_object, data
from unlike.structure.cover.blame import GoodValues
from unlike.structure.cover.draws import Draws
from unlike.structure.cover.factors import Tallies
from unlike.structure.cover.listing import add_any_items, can_list, shows_itself
from unlike.structure.cover.outcome import AcceptedInput, CoverOutcome, Ended
from unlike.structure.cover.plan import MORE, Planned, fill, plans, turn_sample
from unlike.structure.cover.targets import ANY, Ask, Goal, Target, View, recognise
from unlike.structure.cover.tree import (
    ABSENT,
    ChoiceNode,
    FieldsNode,
    ItemsNode,
    LeafNode,
    Node,
    Tree,
    count,
    is_whole,
    members,
)
from unlike.structure.shapes import Picked, freeze_plain

TRIES = 12  # other values for a planned row
TOGETHER = 10  # rows tried that show several missing targets at once
JOINED = 400  # so many missing targets are looked at to find those that go together
PROBES = 300  # inputs made to learn which pairs a constraint allows
SEARCH = 150  # rows tried for a target of its own
SEARCH_VALUES = 600  # rows tried where many values show it
MISSES = 200  # known inputs in a row before all are listed in order
LISTED = 50_000  # so many inputs are listed in order, where more exist than can be
MOST = 300_000  # all inputs are listed up to this number
REFUSED = 100_000  # values in inputs that constructors refused, all of them, before the search is given up


class DoneError(Exception):
    """There is no more to do, and why."""

    def __init__(self, why: Ended) -> None:
        super().__init__(why)
        self.why: Ended = why


@dataclass(slots=True)
class Runner:
    """Tries rows, and keeps those that are accepted and new."""

    outcome: CoverOutcome
    plans: list[list[Planned]]
    n: int | None
    ask: Ask | None
    deadline: Deadline
    seed: int
    used: dict[tuple[int, int], int] = field(default_factory=dict)
    items_used: dict[int, int] = field(default_factory=dict)
    seen: dict[object, int | None] = field(default_factory=dict)  # which row it became; none where it was refused
    last_refusal: str = ""
    refused_values: int = 0  # in inputs that the code of a class refused
    good: GoodValues = field(default_factory=GoodValues)
    impossible: list[Decisions] = field(default_factory=list)
    known: dict[Target, str] = field(default_factory=dict)
    tree: Tree = field(init=False)
    tallies: list[Tallies] = field(init=False)
    draws: Draws = field(init=False)

    def __post_init__(self) -> None:
        self.tree = self.outcome.tree
        self.draws = Draws(self.seed)
        self.tallies = [Tallies(level.node) for level in self.tree.levels]

    def learn_impossible(self) -> None:
        """Learn on inputs that are thrown away which decisions cannot stand together, and plan again without them."""
        scratch = Runner(
            CoverOutcome(self.tree, self.outcome.targets), self.plans, None, self.ask, self.deadline, self.seed
        )
        try:
            scratch.probe()
            if scratch.impossible:
                learned = scratch.impossible
                self.plans = plans(self.tree, "pairs", seed=self.seed, forbidden=learned, deadline=self.deadline)
        except (DoneError, EndedError, CutShort):  # out of time, or no more to be had: what was tried is all there is
            self.outcome = scratch.outcome
            raise
        self.known, self.impossible = scratch.known, scratch.impossible

    def probe(self) -> None:
        """Try the planned rows; if some are refused, find for every pair an input, or that there is none."""
        for planned in self.plans[0]:
            self.attempt(planned)
        if not self.outcome.refusals:
            return
        for number in range(PROBES):
            found: dict[int, int] = {}
            fill(self.tree.root, {}, Turn("probe", number, self.seed), found)
            row = self.realise(Planned(found), {})
            if row is not None:
                self.accept(row)
        for target, goal in self.outcome.targets.goals.items():
            if target not in self.outcome.covered and not goal.samples and not goal.level:
                self.seek(target, goal)

    def run(self) -> None:
        """Try the planned rows, then what is missing, then further inputs up to n."""
        for planned in self.plans[0]:
            self.attempt(planned)
        for target, goal in self.outcome.targets.goals.items():
            if target not in self.outcome.covered:
                self.seek(target, goal)
        if not self.outcome.rows:
            self.any_input()
        if self.n is None:
            raise DoneError("covered")
        self.further()

    def any_input(self) -> None:
        """Look for an input of any kind where no choice could be shown, or for a proof that there is none."""
        if self.ask is not None:
            match self.ask(ANY):
                case "impossible", str(why):
                    self.refuse(why)
                    self.end_with_nothing()
                case "found", known if self.complete(known, ANY, "asked"):
                    return
        for plain in itertools.islice(members(self.tree.root), LISTED):
            if self.accept(self.view_plain(plain)):
                return
        if count(self.tree.root) <= LISTED and is_whole(self.tree.root):
            self.end_with_nothing()
        raise DoneError("unknown")

    def end_with_nothing(self) -> None:
        """End with the proof that there is no input, and so none that shows what was not found."""
        self.outcome.impossible += [(word, "no input exists") for word, _ in self.outcome.not_found.values()]
        self.outcome.not_found.clear()
        raise DoneError("nothing")

    # -- one input -------------------------------------------------------------------------------------------------

    def attempt(self, planned: Planned) -> None:
        """Try a planned row, with other values if it is refused."""
        for number in range(TRIES):
            row = self.realise(planned, {}, advance=bool(number))
            if row is not None and self.accept(row):
                return

    def realise(self, planned: Planned, forced: dict[int, Planned], *, advance: bool = False) -> AcceptedInput | None:
        """Return the input of a planned row; nothing if its parts refuse it."""
        views: list[View] = []
        self.good.tried.clear()
        self.draws.begin_input()
        samples = {} if advance else planned.samples
        try:
            plain = self.plain(self.tree.root, Planned(planned.decisions, samples), views, forced, level=0)
        except RefusedError as refused:
            self.refuse(str(refused))
            return None
        return AcceptedInput(plain, views)

    def accept(self, row: AcceptedInput) -> bool:
        """Keep a row that is new and that every check and constructor accepts."""
        self.report()
        self.deadline.check()
        key = freeze_plain(self.tree.shape, row.plain)
        if key in self.seen:
            return self.shows_more(self.seen[key], row)
        self.seen[key] = None
        try:
            build_object(self.tree.shape, row.plain)
        except EndedError as ended:
            raise type(ended)(f"{ended} on {data(self.tree.shape, row.plain)!r}") from None
        except RefusedError as refused:
            self.refuse(str(refused))
            self.good.learn(refused)
            refused_data = without_address(repr(data(self.tree.shape, row.plain)))
            self.outcome.first_refused = self.outcome.first_refused or refused_data
            if refused.by_class:
                self.give_up_late(row)
            return False
        number = self.seen[key] = len(self.outcome.rows)
        self.outcome.rows.append(row)
        self.cover(row.views, number)
        if self.n is not None and len(self.outcome.rows) >= self.n:
            raise DoneError("enough")
        return True

    def report(self) -> None:
        """Say how far it is: inputs where a number of them is asked for, else choices that are settled."""
        outcome = self.outcome
        if self.n is not None:
            report("generating", len(outcome.rows), of=self.n)
            return
        settled = min(len(outcome.covered), len(outcome.targets.goals)) + len(outcome.impossible)
        report("covering", settled, len(outcome.rows), of=len(outcome.targets.goals))

    def cover(self, views: list[View], number: int) -> bool:
        """Note what a row shows; tell whether any of it was missing."""
        found = [target for view in views for target in self.outcome.targets.shown_by(view)]
        missing = [each for each in found if each in self.outcome.targets.goals and each not in self.outcome.covered]
        for target in found:
            self.outcome.covered.setdefault(target, number)
        return bool(missing)

    def shows_more(self, number: int | None, row: AcceptedInput) -> bool:
        """Let an input that is there show what it shows when it is chosen in another way, if that was missing."""
        if number is None:
            return False
        known = self.outcome.rows[number]
        views = [view for view in row.views if view not in known.views]
        if not self.cover(views, number):
            return False
        known.views += views
        return True

    def refuse(self, reason: str) -> None:
        """Note that an input was refused, and why."""
        self.last_refusal = reason
        self.outcome.refusals[reason] = self.outcome.refusals.get(reason, 0) + 1

    def give_up_late(self, row: AcceptedInput) -> None:
        """End the search once a class has refused very much and taken nothing, unless all there is can be tried."""
        self.refused_values += 1 + sum(len(view.decisions) for view in row.views)
        root, outcome = self.tree.root, self.outcome
        if outcome.rows or self.refused_values < REFUSED or (count(root) <= LISTED and is_whole(root)):
            return
        impossible = {word for word, _ in outcome.impossible}
        for target, goal in outcome.targets.goals.items():
            if goal.word not in impossible:
                outcome.not_found.setdefault(target, (goal.word, "nothing at all was accepted"))
        raise DoneError("refused")

    def plain(self, node: Node, row: Planned, views: list[View], forced: dict[int, Planned], *, level: int) -> object:
        """Return the plain value of a node, and note what it shows."""
        view = View(level, {}, {})
        views.append(view)
        return self.below(node, row, view, views, forced)

    def below(self, node: Node, row: Planned, view: View, views: list[View], forced: dict[int, Planned]) -> object:
        """Return the plain value of what is below."""
        match node:
            case LeafNode():
                return self.leaf(node, row, view)
            case ChoiceNode(number):
                option = view.decisions[number] = row.decisions[number]
                way = node.ways[option]
                if way.node is None:
                    return ABSENT
                inner = self.below(way.node, row, view, views, forced)
                return inner if way.picked is None else Picked(way.picked, inner)
            case FieldsNode():
                parts = {name: self.below(child, row, view, views, forced) for name, child in node.children}
                return {name: part for name, part in parts.items() if part is not ABSENT}
            case ItemsNode(number):
                option = view.decisions[number] = row.decisions[number]
                return self.items(node, self.draws.length(node, node.sizes[option]), views, forced)

    def leaf(self, node: LeafNode, row: Planned, view: View) -> object:
        """Return the sample that is asked for, or the next value of the option; of a picky field mostly a good one."""
        value = self.next_value(node, row, view)
        self.good.note(node, view.decisions[node.number], value)
        return value

    def next_value(self, node: LeafNode, row: Planned, view: View) -> object:
        """Return the next value of the option that a row takes."""
        option = view.decisions[node.number] = row.decisions[node.number]
        chosen = node.options[option]
        place = (node.number, option)
        asked = row.samples.get(node.number)
        index = self.used.get(place, 0)
        self.used[place] = index + 1
        turn = self.draws.count_turn(node, option)
        if asked is not None:
            view.samples[node.number] = asked
            return self.good.next_of_sample(node, chosen.samples[asked])
        for value in self.good.choose(place, index):
            return value
        if index < len(chosen.samples):
            sample = view.samples[node.number] = turn_sample(node.path, index, len(chosen.samples))
            return chosen.samples[sample].value
        mentioned = self.good.choose_mentioned(node, chosen.values, index)
        value = mentioned[0] if mentioned else self.draws.value(node, chosen, turn)
        for number, each in enumerate(chosen.samples):
            if type(each.value) is type(value) and each.value == value:
                view.samples[node.number] = number
        return value

    def items(self, node: ItemsNode, size: int, views: list[View], forced: dict[int, Planned]) -> tuple[object, ...]:
        """Return so many items of a list."""
        rows = self.plans[node.level]
        made: list[object] = []
        keys: set[object] = set()
        wanted = forced.get(node.number)
        for _ in range(size * (1 if not node.shape.unique else len(rows) + 20)):
            if len(made) == size:
                break
            used = self.items_used.get(node.level, 0)
            row = wanted or rows[used % len(rows)]
            if wanted is None:
                self.items_used[node.level] = used + 1
                if used >= len(rows):  # not the first time round
                    if again := list(self.draws.again(node, made, used)):
                        made += again
                        continue
                    found: dict[int, int] = {}
                    fill(node.item, {}, Turn("item", used, self.seed), found)
                    row = Planned(found)
            wanted = None
            inner: list[View] = []
            item = self.plain(node.item, row, inner, forced, level=node.level)
            if not node.shape.unique or node.shape.item_key(item) not in keys:
                keys.add(node.shape.item_key(item) if node.shape.unique else None)
                made.append(item)
                views += inner
        return tuple(made) if len(made) == size else add_any_items(node, size, made, keys)

    # -- what is missing -------------------------------------------------------------------------------------------

    def seek(self, target: Target, goal: Goal) -> None:
        """Look for an input that shows the target, or for a proof that there is none."""
        if target in self.known:
            self.outcome.impossible.append((goal.word, self.known[target]))
            return
        if contrary := self.tallies[goal.level].find_broken(goal.decisions):
            self.rule_out(target, goal, contrary)
            return
        if goal.level == 0 and self.together(target, goal):
            return
        if self.ask is not None and goal.level == 0 and self.ask_for(target, goal):
            return
        tries = SEARCH_VALUES if goal.samples else SEARCH
        for number in range(tries):
            row = self.aim_at(goal, number)
            if row is not None and self.shows(row, target) and self.accept(row):
                return
        reason = self.last_refusal or "refused"
        if goal.level == 0 and can_list(self.tree, goal):
            for plain in members(self.tree.root, goal.decisions, goal.samples):
                if self.accept(self.view_goal(plain, goal)) and target in self.outcome.covered:
                    return
            self.rule_out(target, goal, f"all inputs tried: {reason}")
            return
        tried = goal.level and self.try_all(target, goal, reason)
        if not tried and (self.ask is None or not goal.level or not self.ask_for(target, goal)):
            self.outcome.not_found[target] = goal.word, f"none found in {tries} tries: {reason}"

    def try_all(self, target: Target, goal: Goal, reason: str) -> bool:
        """Look for a goal of list items in all inputs, if they can be listed and what their items show be seen."""
        if not can_list(self.tree, ANY) or not shows_itself(self.outcome.targets, target, goal):
            return False
        rows = map(self.view_plain, members(self.tree.root))
        if not any(self.shows(row, target) and self.accept(row) for row in rows):
            self.rule_out(target, goal, f"all inputs tried: {reason}")
        return True

    def rule_out(self, target: Target, goal: Goal, why: str) -> None:
        """Note that no input shows a target, and why."""
        self.outcome.impossible.append((goal.word, why))
        self.known[target] = why
        if not goal.samples:
            self.impossible.append(goal.decisions)

    def together(self, target: Target, goal: Goal) -> bool:
        """Look for an input that shows the target and as many other missing ones as can stand beside it."""
        goals = self.outcome.targets.goals.items()
        lacking = (each for key, each in goals if key not in self.outcome.covered and each.level == 0)
        missing = list(itertools.islice(lacking, JOINED)) or [goal]
        for number in range(TOGETHER):
            start = key_of(goal.word, number) % len(missing)
            row = self.realise(self.join_goals(goal, [*missing[start:], *missing[:start]]), {})
            if row is not None and self.shows(row, target) and self.accept(row):
                return True
        return False

    def shows(self, row: AcceptedInput, target: Target) -> bool:
        """Tell whether a row shows the target, if it is accepted."""
        return any(target in self.outcome.targets.shown_by(view) for view in row.views)

    def join_goals(self, goal: Goal, others: list[Goal]) -> Planned:
        """Return a row for a goal and all others that contradict neither it nor what is known to be impossible."""
        decisions, samples = dict(goal.decisions), dict(goal.samples)
        for other in others:
            both, shown = merge_decisions(decisions, other.decisions), merge_decisions(samples, other.samples)
            if both is None or shown is None or (len(both) == len(decisions) and len(shown) == len(samples)):
                continue
            ruled_out = any(each.items() <= both.items() for each in self.impossible)
            if not ruled_out and not self.tallies[0].find_broken(both):
                decisions, samples = both, shown
        found: dict[int, int] = {}
        fill(self.tree.root, decisions, Turn(goal.word, 0, self.seed), found)
        return Planned(found, {number: each for number, each in samples.items() if number in found})

    def ask_for(self, target: Target, goal: Goal) -> bool:
        """Ask for an input that shows a target; tell whether that was settled."""
        assert self.ask is not None
        match self.ask(goal):
            case "impossible", str(why):
                self.rule_out(target, goal, why)
                return True
            case "found", known:
                return self.complete(known, goal, "asked") and target in self.outcome.covered
        return False

    def complete(self, known: object, goal: Goal, salt: str) -> bool:
        """Keep an input of which some fields are known, the others as the goal and chance have them."""
        if isinstance(known, dict):
            asked = goal._replace(word=salt) if not goal.level else ANY._replace(word=salt)
            if (row := self.realise(self.join_goals(asked, []), {})) is None:
                return False
            known = row.plain | known  # type: ignore[operator]
        return self.accept(self.view_plain(known))

    def view_goal(self, plain: object, goal: Goal) -> AcceptedInput:
        """Return the row of a plain value that was made to reach a goal: it shows that besides what can be seen."""
        row = self.view_plain(plain)
        row.views[0].decisions.update(goal.decisions)
        row.views[0].samples.update(goal.samples)
        return row

    def view_plain(self, plain: object) -> AcceptedInput:
        """Return the row of a plain value that was not planned, with what can be seen in it."""
        views: list[View] = []
        recognise(self.tree.root, plain, 0, views)
        return AcceptedInput(plain, views)

    def aim_at(self, goal: Goal, attempt: int) -> AcceptedInput | None:
        """Return a row in which the goal's level shows the goal, and everything else is as in this attempt."""
        forced: dict[int, Planned] = {}
        level, decisions, samples = goal.level, dict(goal.decisions), dict(goal.samples)
        while True:
            found: dict[int, int] = {}
            fill(self.tree.levels[level].node, decisions, Turn("try", attempt, self.seed), found)
            planned, above = Planned(found, samples), self.tree.levels[level]
            if above.parent is None or above.items is None:
                return self.realise(planned, forced)
            forced[above.items] = planned
            level, decisions, samples = above.parent, dict(above.condition), {}
            if attempt and above.lengths:  # the longest list first, then every length in turn
                decisions[above.items] = above.lengths[attempt % len(above.lengths)]

    # -- further inputs --------------------------------------------------------------------------------------------

    def further(self) -> None:
        """Make further inputs, up to n."""
        missed = 0
        for number in itertools.count():
            found: dict[int, int] = {}
            fill(self.tree.root, {}, Turn(MORE, number, self.seed), found)
            row = self.realise(Planned(found), {})
            missed = 0 if row is not None and self.accept(row) else missed + 1
            if missed > MISSES:
                self.rest()

    def rest(self) -> None:
        """List all inputs in order, and keep those not seen yet; where they are too many, ask for some first."""
        there_are = count(self.tree.root)
        if self.ask is not None and self.n is not None and there_are > MOST:
            found, whole = self.ask.further(self.n)
            for number, known in enumerate(found):
                self.complete(known, ANY, f"asked {number}")
            if whole:
                raise DoneError("all")
        for plain in itertools.islice(members(self.tree.root), there_are if there_are <= MOST else LISTED):
            self.accept(self.view_plain(plain))
        raise DoneError("all" if there_are <= MOST else "unknown")
