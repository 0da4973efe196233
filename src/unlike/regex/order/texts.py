"""The texts of a pattern in order: those that show its choices first, each choice once, then further ones.

Every beginning is spread: what was shown least comes next. Routes through the pattern are drawn, and the one with most
that is new is taken. Once each choice is shown, further texts are drawn the same way, and where drawing finds nothing
new, all that are left are listed.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator

from unlike.indexed import spread_indices
from unlike.regex.cover.choices import Choices, Either
from unlike.regex.cover.cover import Cover
from unlike.regex.cover.distinct_texts import Representative
from unlike.regex.further import further_texts
from unlike.regex.order.draw import (
    EVEN,
    EXAMPLE,
    FULL,
    LEAN,
    PLAIN_EXAMPLE,
    Likelihoods,
    Route,
    RouteDrawer,
    may_draw,
)
from unlike.regex.order.spell import Speller, Style
from unlike.regex.texts.labels import name_of_draws

CANDIDATES = 8  # routes that are drawn for one text; the best is taken
FEW_CANDIDATES = 3  # the same for texts of one choice, which differ less
LONGER = 2  # of them: with a repetition at a further length that is still to be shown
CHOSEN = 1_000  # texts that are chosen with care: a test runs few of those that come later
DRY = 20  # texts in a row that could not be drawn, after which all are listed
FAILED = 50  # texts of one choice that do not fit or are there already, after which no more are drawn
REFUSED, REFUSED_EACH = 100, 3  # texts that do not match: so many at first, and for each that does
SPELLINGS = 4  # of one route, where the first is taken or not accepted
SECOND = 3  # routes that are spelt, the best first
ROW = 5  # times the same character in a row
EXHAUSTED = 10  # texts that an alternative is passed over when it gives nothing new
SHORT = 5  # texts that come first are short, to be read
MANY_CHOICES = 100  # of a pattern: with more, branches of few choices get a share of the first texts, too
SHARED, TURN_TO_SHARE = 100, 2  # texts that are shared, and every which of them
LISTED = 20_000  # plain texts of choices that are kept free for them
LEAST, GREATEST = (9, 2), (17, 5)  # every ninth text has the least character everywhere, every seventeenth the greatest
COUNTING = (10, 3)  # every tenth is short and counts up, as examples that people write
TURN_OF_ONE = (3, 1)  # every third has one part of the pattern by itself, until each came twice
LIKELY: dict[Style, Likelihoods] = {"least": LEAN, "greatest": FULL, "counting": EXAMPLE}


class OrderedTexts:
    """The texts of a pattern in order, each once; a text that shows no new choice has no label."""

    def __init__(self, cover: Cover, seed: int = 0, key: str | None = None, *, shares: bool = False) -> None:
        self.cover, self.seed = cover, seed
        self.shares = shares  # whether a choice may be shown again before all are
        self.rng = random.Random(key or f"{cover.pattern.text} {cover.pattern.flags} {seed}")
        self.routes = RouteDrawer(cover, self.rng)
        self.speller = Speller(self.rng, unicode=cover.heuristics.unicode)
        self.given: set[str] = set()
        self.shown: set[int] = set()  # choices
        self.alternatives: list[int] = []  # of the whole pattern, that no text shows yet
        if isinstance(cover.root, Either):
            self.alternatives += [at for at, part in enumerate(cover.root.parts) if part.count]
            self.rng.shuffle(self.alternatives)
        # the share of each: one with very many choices gets more, but not as many times more
        self.weights = {at: 1 + math.log10(cover.root.parts[at].count) for at in sorted(self.alternatives)}
        self.came: Counter[int] = Counter()  # of these alternatives, in texts that any could have had
        self.refused = 0  # texts that were drawn and do not match
        self.plain_examples = 1  # that are still to come: the first that counts up is as plain as can be

    # -- the choices ------------------------------------------------------------------------------------

    def of_choices(self) -> Iterator[Representative]:
        """Yield a text for every choice that has one, the plainest first."""
        left = self.spread_choices()
        for made in itertools.chain(itertools.islice(left, 1), self.choose_with_care(left), left):
            self.note_alternative(made.choice)
            if made.text not in self.given:
                self.given.add(made.text)
                yield made

    def choose_with_care(self, left: Iterator[Representative]) -> Iterator[Representative]:
        """Yield texts of choices that are not shown yet, the best of a few first."""
        if not self.may_draw:
            return
        for turn in range(1, CHOSEN):
            if len(self.shown) >= self.cover.count():
                return
            self.begin(turn)
            if self.is_tired:
                return
            again = self.draw_again(turn) if self.is_turn_to_share(turn) else None
            made = again or self.draw_choice(turn) or self.draw_next(turn, left)
            if made is None:
                return
            self.shown.add(made.choice)
            yield made

    def draw_next(self, turn: int, left: Iterator[Representative]) -> Representative | None:
        """Return a text of the next choice that is not shown yet, drawn where that is possible; or nothing."""
        plain = next(left, None)
        if plain is None:
            return None
        route = self.draw_route(plain.choice)
        text = self.spell(route, turn, plain.choice)
        if text is None:
            return plain
        self.routes.learn(route)
        return Representative(text, plain.label, plain.choice)

    def spread_choices(self) -> Iterator[Representative]:
        """Yield plain texts of the choices that are not shown yet, spread over all of them."""
        cover = self.cover
        for index in cover.deadline.each(_spread_from(cover.count(), self.seed)):
            if cover.is_settled:
                found: Representative | None = cover.settled.found[index]
            elif index in self.shown:
                continue
            else:
                found = cover.find(index)
            if found is not None and found.choice not in self.shown:
                self.shown.add(found.choice)
                yield found

    @functools.cached_property
    def kept(self) -> dict[str, int]:
        """Texts that are kept for the choices they stand for, which may have no other."""
        cover = self.cover
        if cover.is_settled:
            return {each.text: each.choice for each in cover.settled.found}
        if not cover.is_counted:
            return {}
        # of a pattern of so many choices no text has two derivations: only longer ones may take a text from another
        first = 0 if cover.choices <= LISTED else cover.combinations
        return {cover.represent(choice).text: choice for choice in range(first, cover.choices)}

    @property
    def may_draw(self) -> bool:
        """Whether the texts that choices need can be kept for them."""
        listed = self.cover.choices <= LISTED or self.cover.choices - self.cover.combinations <= LISTED
        return listed and may_draw(self.cover)

    @property
    def is_tired(self) -> bool:
        """Whether drawing takes too long, or most of what is drawn is refused, as lookarounds do."""
        return self.routes.work < 0 or self.refused > REFUSED + REFUSED_EACH * len(self.given)

    @functools.cached_property
    def longer(self) -> list[int]:
        """The choices of further lengths that are still to be shown, and have a text."""
        cover = self.cover
        first = cover.combinations
        if cover.is_settled:
            return [each.choice for each in cover.settled.found if each.choice >= first]
        return list(range(first, cover.choices))

    @functools.cached_property
    def possible(self) -> Callable[[int], bool]:
        """Whether a choice has a text of its own, as far as that is known."""
        if self.cover.is_settled:
            return {each.choice for each in self.cover.settled.found}.__contains__
        return lambda _: True

    def begin(self, turn: int) -> None:
        """Say how routes are drawn at a turn."""
        style = _style(turn)
        self.routes.is_short = turn < SHORT
        self.routes.likely = LIKELY.get(style, EVEN)
        if style == "counting" and self.plain_examples:
            self.plain_examples -= 1
            self.routes.likely = PLAIN_EXAMPLE

    def draw_choice(self, turn: int) -> Representative | None:
        """Return a text for the choice that shows most that is new, of a few; or nothing."""
        first = self.draw_alternative() or self.draw_alone(turn, is_new=True)
        routes = [route for number in range(CANDIDATES) if (route := self.draw_unshown(number)) is not None]
        routes.sort(key=self.routes.worth, reverse=True)
        for route in [*first, *routes][:SECOND]:
            text = self.spell(route, turn, route.choice)
            if text is not None:
                self.routes.learn(route)
                return Representative(text, self.cover.represent(route.choice).label, route.choice)
        return None

    def is_turn_to_share(self, turn: int) -> bool:
        """Say whether any choice may come at a turn: where there are very many, the same branch has most of them."""
        return self.shares and turn < SHARED and turn % TURN_TO_SHARE == 0 and self.cover.count() > MANY_CHOICES

    def draw_again(self, turn: int) -> Representative | None:
        """Return a text of any choice, shown or not, where every branch has the same share; or nothing."""
        for route in self.draw_any(turn):
            text = self.spell(route, turn, route.choice)
            if text is not None:
                self.learn(route)
                return Representative(text, self.cover.represent(route.choice).label, route.choice)
        return None

    def draw_any(self, turn: int) -> Iterator[Route]:
        """Yield ways through any choices, the best of a few first: of the alternative whose turn it is, then of any."""
        yield from self.draw_alone(turn)
        for branch in [self.next_alternative(), None] if self.weights else [None]:
            self.routes.branch = branch
            drawn = [self.routes.draw() for _ in self.cover.deadline.each(range(CANDIDATES))]
            routes = sorted(drawn, key=self.routes.worth, reverse=True)
            self.routes.branch = None
            yield from [each for each in routes if self.possible(each.choice)][:SECOND]
            if branch is not None:  # nothing new of it
                self.came[branch] += EXHAUSTED

    def draw_alone(self, turn: int, *, is_new: bool = False) -> list[Route]:
        """Return a way on which one part of the pattern is there by itself, where it is its turn; each comes twice.

        It may have to show a choice that is not shown yet.
        """
        if turn % TURN_OF_ONE[0] != TURN_OF_ONE[1] or _style(turn) != "free":
            return []
        while self.alone:
            route = self.routes.draw_alone(self.alone.pop())
            if self.possible(route.choice) and not (is_new and route.choice in self.shown):
                return [route]
        return []

    @functools.cached_property
    def alone(self) -> list[Choices]:
        """The parts that are still to be shown by themselves, the last of them first."""
        parts = self.routes.alone
        return [*self.rng.sample(parts, len(parts)), *self.rng.sample(parts, len(parts))]

    def next_alternative(self) -> int:
        """Return the alternative of the whole pattern that came least often for what it has to show."""
        behind = {at: self.came[at] / weight for at, weight in self.weights.items()}
        fewest = min(behind.values())
        return self.rng.choice([at for at, share in behind.items() if share == fewest])

    def learn(self, route: Route) -> None:
        """Note what a route shows that any alternative of the whole pattern could have had."""
        self.routes.learn(route)
        if self.weights:
            self.came[bisect.bisect_right(self.cover.root.ends, route.choice)] += 1  # type: ignore[attr-defined]

    def note_alternative(self, choice: int) -> None:
        """Note which alternative of the whole pattern a choice shows."""
        root = self.cover.root
        if self.alternatives and isinstance(root, Either) and choice < root.count:
            which = bisect.bisect_right(root.ends, choice)
            self.alternatives = [each for each in self.alternatives if each != which]

    def draw_alternative(self) -> list[Route]:
        """Return a way through an alternative of the whole pattern that no text shows yet, if there is one."""
        root = self.cover.root
        while self.alternatives and isinstance(root, Either):
            which = self.alternatives.pop(0)
            begin = root.ends[which - 1] if which else 0
            choice = begin + self.rng.randrange(root.parts[which].count)
            if choice not in self.shown and self.possible(choice):
                return [self.routes.draw(choice)]
        return []

    def draw_unshown(self, number: int) -> Route | None:
        """Return a way through a choice that is not shown yet; the first few times one of a further length."""
        if number < LONGER or self.cover.combinations == 1:
            while self.longer:
                at = self.rng.randrange(len(self.longer))
                choice = self.longer[at]
                if choice not in self.shown:
                    return self.draw_route(choice)
                self.longer[at] = self.longer[-1]
                self.longer.pop()
        route = self.routes.draw()
        return route if route.choice not in self.shown and self.possible(route.choice) else None

    def draw_route(self, choice: int) -> Route:
        """Return a way through a choice: a combination of branches, or a repetition of a further length."""
        if choice < self.cover.combinations:
            return self.routes.draw(choice)
        space, rounds, index = self.cover.longer_rounds(choice)
        route = self.routes.draw_longer(space, rounds=rounds, index=index)
        route.choice = choice
        return route

    def spell(self, route: Route, turn: int, choice: int | None = None) -> str | None:
        """Return a new text of the route, for the choice if one is named; or nothing."""
        cover = self.cover
        for attempt in range(SPELLINGS):
            text = self.speller.spell(route, _style(turn) if attempt == 0 else "free")
            if text in self.given:
                continue
            owner = self.kept.get(text, choice) if choice is not None else None
            if owner != choice and owner not in self.shown:
                continue
            if cover.accepts(text) if choice is None or not cover.is_contextual else cover.good(choice, text):
                return text
            self.refused += 1
        return None

    # -- beyond them ------------------------------------------------------------------------------------

    def further(self) -> Iterator[str]:
        """Yield further texts that are drawn, until there are hardly new ones."""
        failed, self.plain_examples = 0, 1  # its choice may have been shown otherwise
        for turn in self.cover.deadline.each(itertools.count(len(self.given))):
            if failed > DRY or turn - failed > CHOSEN or self.is_tired or not self.may_draw:
                return
            self.begin(turn)
            text = None
            for route in self.draw_any(turn):
                text = self.spell(route, turn)
                if text is not None:
                    self.learn(route)
                    self.given.add(text)
                    failed = 0
                    yield text
                    break
            failed += text is None

    def list_rest(self) -> Iterator[str]:
        """Yield all texts that were not given, readable ones first; `Undecided` if they cannot be had exactly."""
        cover = self.cover
        texts = further_texts(cover.pattern, self.seed, cover.deadline, unicode=cover.heuristics.unicode)
        for text in cover.deadline.each(texts):
            if text not in self.given and cover.accepts(text):
                self.given.add(text)
                yield text


def draw_texts(
    cover: Cover, choice: int | None = None, *, fits: Callable[[str], bool] = bool, seed: int = 0
) -> Iterator[str]:
    """Yield plain texts of a combination of branches, or of any, that fit: each once, while new ones are found."""
    # by what the pattern means: a schema writes `^a$` where a type writes `a`
    order = OrderedTexts(cover, seed, f"{name_of_draws(cover.root.node)} {seed} of {choice}")
    order.speller.is_plain = not cover.heuristics.unicode
    for turn in itertools.count(1):
        if turn - len(order.given) > FAILED or len(order.given) >= CHOSEN or order.routes.work < 0:
            return
        routes = [order.routes.draw(choice) for _ in range(FEW_CANDIDATES)]
        route = max(routes, key=order.routes.gain)
        text = order.speller.spell(route, _style(turn))
        if text in order.given or not fits(text) or _is_monotonous(text):
            continue
        if cover.accepts(text) if choice is None or not cover.is_contextual else cover.good(choice, text):
            order.routes.learn(route)
            order.given.add(text)
            yield text


def _is_monotonous(text: str) -> bool:
    """Say whether one character comes so often in a row that nobody likes to read it."""
    return any(len(list(row)) > ROW for _, row in itertools.groupby(text))


def _style(turn: int) -> Style:
    if turn % LEAST[0] == LEAST[1]:
        return "least"
    if turn % COUNTING[0] == COUNTING[1]:
        return "counting"
    return "greatest" if turn % GREATEST[0] == GREATEST[1] else "free"


def _spread_from(count: int, seed: int) -> Iterator[int]:
    if seed == 0 or count < 2:
        return spread_indices(count)
    shift = random.Random(seed).randrange(count - 1)
    return itertools.chain([0], (1 + (index + shift) % (count - 1) for index in spread_indices(count - 1)))
