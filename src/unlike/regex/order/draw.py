"""From the choices of a pattern to one way through it: which branches, how many rounds, and where characters are free.

A route is drawn, not yet spelt: its cells say which characters may stand where, in the order of the text. What was
chosen less often before is drawn more often now. A route through a given choice takes what that choice fixes and draws
the rest.
"""

from __future__ import annotations

import bisect
import functools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from unlike.regex import chars
from unlike.regex.cover.choices import (
    Characters,
    Choices,
    Class,
    CountedRepeat,
    Either,
    Optional,
    Repeated,
    Rows,
    WrittenText,
)
from unlike.regex.cover.cover import Cover
from unlike.regex.rounds import least_steps
from unlike.regex.tree import BackReference, Repeat

# Rounds above the fewest, and how often: short often, long now and then.
OF_CHARACTERS = {0: 1.0, 1: 1.0, 2: 0.7, 3: 0.5, 5: 0.4, 8: 0.3, 12: 0.2, 20: 0.1}
OF_DIGITS = {0: 1.0, 1: 0.8, 2: 0.5, 3: 0.4, 5: 0.2, 8: 0.15, 12: 0.1, 20: 0.1}  # numbers are short
OF_PARTS = {0: 1.0, 1: 1.0, 2: 0.7, 3: 0.5, 5: 0.3, 8: 0.15}
OF_EXAMPLES = {0: 1.0, 1: 0.2, 2: 0.2}  # an example that people write has one of each, mostly
FIXED = 0.2  # how often an example takes a branch without a free character, beside one with
SELDOM, OFTEN = 0.1, 10.0  # on routes that take as little as possible, or as much
SHORT = 64  # rounds: where a repetition allows no more, its greatest number is drawn as often as its least
LONG = 1_000  # rounds: a greatest number up to here is drawn now and then; greater ones are shown once, as a choice
NOW_AND_THEN = 0.1  # of a greatest number: such texts are long, and show little more
FEW = 3  # numbers of rounds within repetitions of repetitions, and in the first texts: else they are hard to read
DEEP = 2  # repetitions around one that is kept short
ROOM = 300  # characters after which every repetition takes its fewest rounds
APART = 30  # places of a run whose characters are balanced by themselves; those after it together
MOST_PAIRS = 60  # choices of one route whose pairs are looked at
WORK = 500_000  # steps of all routes together, which take a second or two; later texts are listed
AT_ONCE = 1_000  # of these steps, before it is looked whether the time is over
LONGEST_DRAWN = 2_000  # characters of the shortest text: where it is longer nothing is drawn
LONGEST_BRANCH = 20_000  # characters of a text through the longest branches, each with its fewest rounds: likewise
LONGEST_COPIED = 100_000  # the same, with what references to groups copy
ONLY_DIGITS = (((48, 57),), ((49, 57),))  # characters that make numbers: 0 to 9, or 1 to 9
MOST_ALONE = 60  # parts that are shown alone: more would leave no room for what they do together
READABLE = 95  # characters that a free place is drawn from where each is a choice: printable ASCII, mostly


class Likelihoods(NamedTuple):
    """How often each way of a choice is taken, beside the others, on one kind of route."""

    fixed: float = 0.7  # a branch without a free character, beside one with: it shows the same each time
    absent: float = 1.0  # nothing, where something may be left out
    present: float = 1.0
    few: bool = False  # rounds, as in an example that people write
    fewest: float = 1.0  # the least number of rounds
    most: float = 1.0  # the greatest number of rounds that is allowed
    length: int = 0  # of several routes the shortest is taken, with 1 the longest; with 0 the one with most that is new


EVEN = Likelihoods()
EXAMPLE = Likelihoods(fixed=FIXED, few=True)
PLAIN_EXAMPLE = Likelihoods(
    fixed=FIXED / 4, few=True, present=SELDOM, fewest=OFTEN, length=-1
)  # what may be left out is, mostly
LEAN = Likelihoods(present=SELDOM, fewest=OFTEN, length=-1)  # as little as possible, mostly
FULL = Likelihoods(absent=SELDOM, most=OFTEN, length=1)  # as much as possible, mostly


ALONE = Likelihoods(absent=OFTEN, fewest=OFTEN)  # one part by itself, or with few others


class TextCell(NamedTuple):
    """One character of a text: written out, a copy of an earlier cell, or one of a piece of a class."""

    place: tuple[int, int]  # which part of the pattern, and which of its rounds
    written: str = ""
    space: Class | None = None
    piece: int = 0
    copy_of: int | None = None


Option = tuple[int, int]  # a place, and what is chosen there


@dataclass(slots=True)
class Route:
    """One route through a pattern: its cells, the options taken, and the choice that it stands for."""

    choice: int = 0
    cells: list[TextCell] = field(default_factory=list)
    taken: list[Option] = field(default_factory=list)
    pieces: list[tuple[int, int, int]] = field(default_factory=list)  # of classes: part, round, and which


def may_draw(cover: Cover) -> bool:
    """Tell whether the texts of a pattern are short enough to be drawn place by place."""
    if cover.steps > LONGEST_DRAWN or cover.longest_steps > LONGEST_BRANCH:
        return False
    return least_steps(cover.pattern.root, max, copies=True) <= LONGEST_COPIED


class RouteDrawer:
    """Draws ways through the choices of a pattern, and remembers what was taken."""

    def __init__(self, cover: Cover, rng: random.Random) -> None:
        self.root, self.groups, self.rng, self.deadline = cover.root, cover.groups, rng, cover.deadline
        self.numbers: dict[int, int] = {}
        self.above: dict[int, Choices] = {}
        _number(cover.root, self.numbers, self.above)
        self.uses: Counter[Option] = Counter()
        self.pieces: Counter[tuple[int, int, int]] = Counter()  # of classes, which come in turn at each place
        self.pairs: set[tuple[Option, Option]] = set()
        self.last: tuple[Route, set[tuple[Option, Option]]] = Route(), set()  # what was taken last, and its new pairs
        self.refused: Counter[Option] = Counter()  # on routes whose choice has no text that may stand there
        self.is_short = False  # whether repetitions have few rounds
        self.likely = EVEN  # how routes are drawn
        self.branch: int | None = None  # of the alternatives of the whole pattern, the one to take
        self.free: dict[int, bool] = {}  # of spaces: whether a character in them may vary
        self.work = WORK

    def draw(self, choice: int | None = None) -> Route:
        """Return a way through the combination of the number, or through any."""
        drawing = _Drawing(self)
        drawing.route.choice = drawing.emit(self.root, choice)
        return drawing.route

    def draw_longer(self, target: Repeated, *, rounds: tuple[int, int | None], index: int) -> Route:
        """Return a route on which a repetition has so many rounds, of which the index says what is chosen."""
        drawing = _Drawing(self)
        drawing.target, drawing.rounds, drawing.index = target, rounds, index
        space: Choices | None = target
        while space is not None:
            drawing.towards.add(id(space))
            space = self.above.get(id(space))
        drawing.emit(self.root, None)
        return drawing.route

    @functools.cached_property
    def alone(self) -> list[Choices]:
        """What may be there or not, each to be shown alone: parts that may be left out, and alternatives.

        Where only some combinations are choices, none is.
        """
        spaces = list(_spaces(self.root))
        if any(isinstance(each, Rows) for each in spaces):
            return []
        return [each for each in spaces if isinstance(self.above.get(id(each)), Optional | Either)][:MOST_ALONE]

    def draw_alone(self, target: Choices) -> Route:
        """Return a route on which one part is there, and as little else as can be."""
        drawing, before = _Drawing(self), self.likely
        space: Choices | None = target
        while space is not None:
            drawing.towards.add(id(space))
            space = self.above.get(id(space))
        self.likely = ALONE
        drawing.route.choice = drawing.emit(self.root, None)
        self.likely = before
        return drawing.route

    def varies(self, space: Choices) -> bool:
        """Say whether any character of a space may vary."""
        known = self.free.get(id(space))
        if known is None:
            known = self.free[id(space)] = isinstance(space, Class | Characters) or any(map(self.varies, space.parts))
        return known

    def learn(self, route: Route) -> None:
        """Note what was taken."""
        self.uses.update(route.taken)
        self.pieces.update(route.pieces)
        new = self.new_pairs(route)
        self.pairs |= new
        self.last = route, new

    def refuse_last(self) -> None:
        """Note that what was taken last shows nothing: its choice has no text that may stand there."""
        route, new = self.last
        self.uses.subtract(route.taken)
        self.pairs -= new
        self.refused.update(route.taken)
        self.last = Route(), set()

    def new_pairs(self, route: Route) -> set[tuple[Option, Option]]:
        """Return the pairs of options on a route that no route had before."""
        some, known = route.taken[:MOST_PAIRS], self.pairs
        return {pair for at, one in enumerate(some) for other in some[at + 1 :] if (pair := (one, other)) not in known}

    def worth(self, route: Route) -> tuple[int, float]:
        """Return how good a route is among others: by its length where that is asked for, and by what is new."""
        if self.likely is PLAIN_EXAMPLE:  # what shows most that is new is no plain one
            return -len(route.cells), sum(cell.space is not None for cell in route.cells)
        return self.likely.length * len(route.cells), self.gain(route)

    def gain(self, route: Route) -> float:
        """Return how much of the route is new, for each option on it: else only long routes would be worth much."""
        self.work -= len(route.taken[:MOST_PAIRS])
        single = sum(1 / (1 + self.uses[each]) ** 2 for each in route.taken)
        gain = (4 * single + len(self.new_pairs(route))) / (1 + len(route.taken))  # an option is worth a few pairs
        return gain * self.likelihood(route) if self.refused else gain

    def likelihood(self, route: Route) -> float:
        """Return how likely the route's choice has a text that may stand there, by the option refused most."""
        return min(
            ((1 + self.uses[each]) / (1 + self.uses[each] + self.refused[each]) for each in route.taken), default=1
        )


def _spaces(space: Choices) -> Iterator[Choices]:
    yield space
    for part in space.parts:
        yield from _spaces(part)


def _number(space: Choices, numbers: dict[int, int], above: dict[int, Choices]) -> None:
    numbers[id(space)] = len(numbers)
    for part in space.parts:
        above[id(part)] = space
        _number(part, numbers, above)


class _Drawing:
    """One route in the making."""

    def __init__(self, routes: RouteDrawer) -> None:
        self.routes, self.route = routes, Route()
        self.depth = 0
        self.is_run = False  # whether the next character is one of a run
        self.captured: dict[int, range] = {}
        self.towards: set[int] = set()  # spaces on the route to the repetition that is to be longer
        self.target: Repeated | None = None
        self.rounds: tuple[int, int | None] = (0, None)
        self.index = 0

    def emit(self, space: Choices, fixed: int | None, at: int = 0) -> int:
        """Add the cells of a space, by its choice of the number or any; return the number of its choice."""
        self.routes.work -= 1
        if self.routes.work % AT_ONCE == 0:
            self.routes.deadline.check()
        start = len(self.route.cells)
        match space:
            case WrittenText():
                self.write(space)
                chosen = 0
            case Class():
                chosen = self.character(space, fixed, at)
            case Characters():
                chosen = self.routes.rng.randrange(min(space.count, READABLE)) if fixed is None else fixed
                cell = TextCell((self.routes.numbers[id(space)], 0), chars.nth(space.ranges, chosen))
                self.route.cells.append(cell)
            case Either():
                chosen = self.either(space, fixed)
            case Optional(body=body):
                chosen = self.optional(space, body, fixed)
            case CountedRepeat():
                chosen = self.add_counted(space, fixed)
            case Repeated():
                chosen = self.add_repeat(space, fixed)
            case _:
                chosen = self.sequence(space, fixed)
        for group in self.routes.groups.get(id(space), ()):
            self.captured[group] = range(start, len(self.route.cells))
        return chosen

    def pick(self, space: Choices, often: list[float]) -> int:
        """Return one of the options; the more often it was taken at this place, the less likely."""
        number, uses = self.routes.numbers[id(space)], self.routes.uses
        weights = [each / (1 + uses[number, at] / each) if each else 0.0 for at, each in enumerate(often)]
        [chosen] = self.routes.rng.choices(range(len(often)), weights) if len(often) > 1 else [0]
        if sum(map(bool, often)) > 1:
            self.route.taken.append((number, chosen))
        return chosen

    def take(self, space: Choices, chosen: int, options: int) -> None:
        if options > 1:
            self.route.taken.append((self.routes.numbers[id(space)], chosen))

    def write(self, space: WrittenText) -> None:
        number = self.routes.numbers[id(space)]
        if isinstance(space.node, BackReference):
            for source in self.captured.get(space.node.index, ()):
                self.route.cells.append(TextCell((number, 0), copy_of=source))
            return
        for at, char in enumerate(space.shown[0]):
            self.route.cells.append(TextCell((number, at), char))

    def character(self, space: Class, fixed: int | None, at: int) -> int:
        number, place = self.routes.numbers[id(space)], min(at, APART)
        chosen = self.next_piece(space, (number, place)) if fixed is None else fixed
        if space.count > 1:
            self.route.pieces.append((number, place, chosen))
            if not self.is_run:  # a sign like `[+-]` is a choice as alternatives are
                self.take(space, chosen, space.count)
        self.route.cells.append(TextCell((number, place), space=space, piece=chosen))
        return chosen

    def next_piece(self, space: Class, place: tuple[int, int]) -> int:
        """Return the piece of a class that came least often at a place; of several one that is drawn."""
        if space.count == 1:
            return 0
        came = [self.routes.pieces[*place, piece] for piece in range(space.count)]
        least = min(came)
        return self.routes.rng.choice([piece for piece, times in enumerate(came) if times == least])

    def either(self, space: Either, fixed: int | None) -> int:
        within = None
        if fixed is not None:
            which = bisect.bisect_right(space.ends, fixed)
            within = fixed - (space.ends[which - 1] if which else 0)
            self.take(space, which, len(space.parts))
        else:
            routes = [at for at, part in enumerate(space.parts) if id(part) in self.towards]
            if routes or (self.routes.branch is not None and space is self.routes.root):
                which = routes[0] if routes else self.routes.branch or 0
                self.take(space, which, len(space.parts))
            else:
                which = self.pick(space, self.likely_parts(space))
        chosen = self.emit(space.parts[which], within)
        return chosen + (space.ends[which - 1] if which else 0)

    def likely_parts(self, space: Either) -> list[float]:
        fixed = self.routes.likely.fixed
        return [(1.0 if fixed == 1 or self.routes.varies(part) else fixed) * (part.count > 0) for part in space.parts]

    def optional(self, space: Optional, body: Choices, fixed: int | None) -> int:
        if not body.count:
            return 0
        if fixed is not None or id(body) in self.towards:
            there = fixed is None or fixed > 0
            self.take(space, int(there), 2)
        else:
            there = bool(self.pick(space, [self.routes.likely.absent, self.routes.likely.present]))
        return 1 + self.emit(body, None if fixed is None else fixed - 1) if there else 0

    def sequence(self, space: Choices, fixed: int | None) -> int:
        if isinstance(space, Rows) and fixed is None and not self.towards:
            fixed = self.routes.rng.randrange(space.count)
        if fixed is None:
            index = 0
            for part in space.parts:
                index = index * part.count + self.emit(part, None)
            return index
        digits: list[int] = space.digits(fixed)  # type: ignore[attr-defined]
        for part, digit in zip(space.parts, digits, strict=True):
            self.emit(part, digit)
        return fixed

    # -- repetitions ------------------------------------------------------------------------------------

    def add_repeat(self, space: Repeated, fixed: int | None) -> int:
        node = space.node
        assert isinstance(node, Repeat)
        if not space.body.count:
            return 0
        low, high = node.low, node.high
        first: list[int] = []  # what is chosen in the first rounds
        if space is self.target:
            low, high = self.rounds
            first = self.first_rounds(space, self.index, low if space.vary else 1)
        elif id(space) in self.towards:
            low = max(low, 1)
        elif fixed is not None:
            first = self.first_rounds(space, fixed, node.low if space.vary else min(node.low, 1))
        chosen = self.go_round(space, self.number_of_rounds(space, low, high), first)
        if space is self.target:  # all that follows is free
            self.target, self.towards = None, set()
        return chosen

    def first_rounds(self, space: Repeated, index: int, rounds: int) -> list[int]:
        if not space.vary or rounds == 0:
            return [index] * rounds
        digits: list[int] = []
        for _ in range(rounds):
            index, digit = divmod(index, space.body.count)
            digits.append(digit)
        return digits[::-1]

    def number_of_rounds(self, space: Repeated, low: int, high: int | None) -> int:
        if low == high:
            return low
        run = isinstance(space.body, Class)
        likely = self.routes.likely
        often = OF_EXAMPLES if likely.few else self.usual_rounds(space)
        sizes = {low + more: each for more, each in often.items() if high is None or low + more <= high}
        sizes[low] *= likely.fewest
        if high is not None and high <= LONG and not likely.few:
            sizes[high] = (1.0 if high <= SHORT else NOW_AND_THEN) * likely.most
        if len(self.route.cells) > ROOM:
            return low
        if (self.depth >= DEEP and not run) or self.routes.is_short:
            sizes = dict(list(sizes.items())[:FEW])
        return list(sizes)[self.pick(space, list(sizes.values()))]

    def usual_rounds(self, space: Repeated) -> dict[int, float]:
        if not isinstance(space.body, Class):
            return OF_PARTS
        return OF_DIGITS if all(ranges in ONLY_DIGITS for ranges in space.body.ranges) else OF_CHARACTERS

    def go_round(self, space: Repeated, rounds: int, first: list[int]) -> int:
        """Add the rounds; return the number of the choice that they make."""
        counts = space.low if space.vary else min(space.low, 1)
        chosen, run = 0, isinstance(space.body, Class)
        self.depth += 1
        for at in range(rounds):
            self.is_run = run
            each = self.emit(space.body, first[at] if at < len(first) else None, at if run else 0)
            self.is_run = False
            if at < counts:
                chosen = chosen * space.body.count + each
        self.depth -= 1
        return chosen

    def add_counted(self, space: CountedRepeat, fixed: int | None) -> int:
        if fixed is None:
            which = self.pick(space, [1.0 if space.body.count or not rounds else 0.0 for rounds in space.lows])
        else:
            which = bisect.bisect_right(space.ends, fixed)
            self.take(space, which, len(space.lows))
        before = space.ends[which - 1] if which else 0
        rounds = space.lows[which]
        first = [] if fixed is None else self.first_rounds(space, fixed - before, rounds)
        chosen = 0
        for at in range(rounds):
            self.is_run = isinstance(space.body, Class)
            each = self.emit(space.body, first[at] if first else None, at)
            self.is_run = False
            chosen = chosen * space.body.count + each
        return before + chosen
