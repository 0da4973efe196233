"""From a way through a pattern to its text: a character for every free cell.

Every place has its own bag of characters, shuffled by itself and emptied before it is filled again: each character
comes equally often at a place, and no two places go together. Runs of digits are numbers in half of the texts.
"""

from __future__ import annotations

import functools
import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal

from unlike.regex import chars
from unlike.regex.order.check_digits import checks_of, in_turn, looks_like_code, make_pass
from unlike.regex.order.draw import Route, TextCell
from unlike.regex.order.numbers import DIGITS, forms_of, moment_of, moment_parts, numbers_of

Style = Literal["free", "least", "greatest", "counting"]
BLANKS = 5  # and one more for each tab and each new line, where any white space may stand
ALONE = 12  # signs up to so many are kinds by themselves; more are one kind together
NUMBERS = 0.6  # of short runs of digits: numbers that people write
LONG_NUMBERS = 0.15  # the same of runs that are longer than a year
SHORT_RUN = 4  # digits of a year
DATES = 0.25  # of runs of as many digits as a date or a time has, or more: such a moment, at their beginning
MOMENTS = 0.5  # of groups of digits with signs between them that look like a date or a time: one that exists
MOST_PARTS = 6  # of a moment: year to second
BETWEEN_PARTS = "-/.:T "
TRIES = 6  # moments for places that allow only some digits
DIGIT_GROUP = re.compile("[0-9]+")
LONG_DATE = 8  # digits of a date with all of its year
UNIFORM = 0.15  # of runs: the least character everywhere, or the greatest
CHECKED = 0.7  # of codes: with a right check; the others show what happens without
TOGETHER = 200  # codes that pass several checks at once where they can: to find them takes longer
BROKEN = 0.85  # from CHECKED up to here: a right check with one digit changed


class Bag:
    """Options in turn, in an order drawn anew each time all were given."""

    __slots__ = ("left", "options")

    def __init__(self, options: Sequence[str]) -> None:
        self.options, self.left = options, list[str]()

    def take(self, rng: random.Random) -> str:
        """Return the next option."""
        if not self.left:
            self.left = list(self.options)
            rng.shuffle(self.left)
        return self.left.pop()


@functools.lru_cache(maxsize=4096)
def kinds_of(ranges: chars.Ranges, *, unicode: bool = False) -> tuple[str, ...]:
    r"""Return the characters that stand for a set, those of one kind together.

    >>> kinds_of(((48, 57), (95, 95), (97, 99)))
    ('0123456789', 'abc', '_')
    """
    plain = "".join(
        chr(point) for low, high in chars.intersection(ranges, chars.PRINTABLE) for point in range(low, high + 1)
    )
    kinds = ["".join(filter(test, plain)) for test in (str.isdigit, str.islower, str.isupper)]
    signs = "".join(char for char in plain if not char.isalnum())
    if signs == " ":  # mostly a blank: other white space is hard to read
        others = "".join(char for char in "\t\n" if chars.holds(ranges, ord(char)))
        kinds.append(signs * BLANKS + others + signs if others else signs)
    else:
        kinds += list(signs) if len(signs) <= ALONE else [signs]
    if unicode or not plain:
        kinds.append("".join(chars.samples(ranges, unicode=unicode)))
    return tuple(each for each in kinds if each)


class Speller:
    """Spells routes; what it gave at a place before is what it gives last.

    Where almost any character may stand, as in `[^@]`, a plain one has letters, or digits, or signs alone.
    """

    def __init__(self, rng: random.Random, *, unicode: bool = False, is_plain: bool = False) -> None:
        self.rng, self.unicode, self.is_plain = rng, unicode, is_plain
        self.bags: dict[object, Bag] = {}
        self.turn = 0

    def spell(self, route: Route, style: Style = "free") -> str:
        """Return a text of the route."""
        cells = route.cells
        spelt = self.count_up(cells) if style == "counting" else [self.first_character(cell, style) for cell in cells]
        if style == "free":
            self.put_numbers(cells, spelt)
        _copy(cells, spelt)
        text = "".join(spelt)
        if style == "free" and looks_like_code(text):
            text = self.check_code(cells, text)
        return text

    def first_character(self, cell: TextCell, style: Style) -> str:
        """Return a character for a cell by itself; numbers and checks may change it."""
        if cell.space is None:
            return cell.written or "\0"
        kinds = self.kinds(cell)
        if style != "free":
            return kinds[0][0 if style == "least" else -1]
        kind = 0
        if len(kinds) > 1:
            kind = int(self.bag((cell.place, cell.piece, "kind"), [str(at) for at in range(len(kinds))]))
        return self.bag((cell.place, cell.piece, kind), kinds[kind])

    def count_up(self, cells: list[TextCell]) -> list[str]:
        """Return characters that count up from cell to cell, each kind by itself: `1.2.3-a`, `12:34`, `abc`."""
        spelt, counts = list[str](), Counter[str]()
        for cell in cells:
            if cell.space is None:
                spelt.append(cell.written or "\0")
                continue
            kind = self.kinds(cell)[0]
            first = kind[:1]
            digits = kind.isdigit() and len(kind) > 1 and kind[0] == "0"
            spelt.append(kind[(counts[first] + digits) % len(kind)])
            counts[first] += 1
        return spelt

    def kinds(self, cell: TextCell) -> tuple[str, ...]:
        """Return the characters that may stand in a cell, by kinds."""
        assert cell.space is not None
        ranges = cell.space.ranges[cell.piece]
        return kinds_of(chars.plain_part(ranges) if self.is_plain else ranges, unicode=self.unicode)

    def bag(self, place: object, options: Sequence[str]) -> str:
        """Return the option whose turn it is at a place."""
        if len(options) == 1:
            return options[0]
        found = self.bags.get(place)
        if found is None:
            found = self.bags[place] = Bag(options)
        return found.take(self.rng)

    # -- numbers ----------------------------------------------------------------------------------------

    def put_numbers(self, cells: list[TextCell], spelt: list[str]) -> None:
        """Put numbers into some runs of digits, and the same character into some runs of any."""
        start = 0
        while start < len(cells):
            end = start + 1
            if cells[start].space is None:
                start = end
                continue
            digits = self.is_digit(cells[start])
            while end < len(cells) and (
                self.is_digit(cells[end]) if digits else cells[end].space is cells[start].space
            ):
                end += 1
            self.change_run(cells[start:end], spelt, start, digits=digits)
            start = end
        self.put_moment(cells, spelt)

    def is_digit(self, cell: TextCell) -> bool:
        """Say whether nothing but digits may stand in a cell."""
        return cell.space is not None and set(self.kinds(cell)[0]) <= set(DIGITS) and len(self.kinds(cell)) == 1

    def change_run(self, run: list[TextCell], spelt: list[str], start: int, *, digits: bool) -> None:
        """Make a run a number, or the least or the greatest character throughout, or leave it."""
        width, drawn = len(run), self.rng.random()
        share = NUMBERS if width <= SHORT_RUN else LONG_NUMBERS
        if digits and drawn < share:
            fitting = self.fitting_numbers(run)
            if fitting:
                spelt[start : start + width] = self.bag(("number", *(cell.place for cell in run)), fitting)
        elif digits and width >= SHORT_RUN and drawn < share + DATES:
            moment = moment_of(width, self.rng) or moment_of(
                self.rng.choice((6, 8)) if width > LONG_DATE else 6, self.rng
            )
            if len(moment) <= width and _fits(moment, run, self.kinds):
                spelt[start : start + len(moment)] = moment
        elif width > 1 and drawn > 1 - UNIFORM:
            end = self.rng.choice((0, -1))
            spelt[start : start + width] = [self.kinds(cell)[0][end] for cell in run]

    def put_moment(self, cells: list[TextCell], spelt: list[str]) -> None:
        """Put a date, a time or both into groups of digits that look like one, in some of the texts."""
        groups = list(DIGIT_GROUP.finditer("".join(spelt))) if len(spelt) == sum(map(len, spelt)) else []
        at = 0
        while at < len(groups):
            some = groups[at : at + MOST_PARTS]
            signs = [spelt[one.end() : other.start()] for one, other in itertools.pairwise(some)]
            close = list(itertools.takewhile(lambda sign: len(sign) == 1 and sign[0] in BETWEEN_PARTS, signs))
            widths = tuple(len(each[0]) for each in some[: len(close) + 1])
            forms = forms_of(widths, "".join(sign[0] for sign in close))
            if forms and self.rng.random() < MOMENTS:
                for _ in range(TRIES):
                    parts = moment_parts(forms[0], self.rng)
                    places = [place for each in some[: len(parts)] for place in range(*each.span())]
                    if all(self.may_stand(digit, cells[p]) for digit, p in zip("".join(parts), places, strict=True)):
                        for digit, place in zip("".join(parts), places, strict=True):
                            spelt[place] = digit
                        break
            at += len(forms[0]) if forms else 1

    def may_stand(self, char: str, cell: TextCell) -> bool:
        """Say whether a character may stand in a cell."""
        return char == cell.written if cell.space is None else any(char in kind for kind in self.kinds(cell))

    def fitting_numbers(self, run: list[TextCell]) -> list[str]:
        """Return the numbers that may stand in a run."""
        return [number for number in numbers_of(len(run)) if _fits(number, run, self.kinds)]

    # -- codes ------------------------------------------------------------------------------------------

    def check_code(self, cells: list[TextCell], text: str) -> str:
        """Return the text with one of the common checks right, in turn; or with one just wrong, or as it is."""
        drawn = self.rng.random()
        if drawn > BROKEN or any(cell.copy_of is not None for cell in cells):
            return text
        allowed = ["".join(self.kinds(cell)) if cell.space else cell.written for cell in cells]
        self.turn += 1
        for checks in in_turn(checks_of(allowed), self.turn):
            made = make_pass(text, allowed, checks if self.turn < TOGETHER else checks[:1], self.rng)
            if made is not None:
                return made if drawn < CHECKED else self.change_one(made, allowed)
        return text

    def change_one(self, text: str, allowed: Sequence[str]) -> str:
        """Return the text with one digit changed."""
        at = self.rng.choice([at for at, options in enumerate(allowed) if len(options) > 1])
        return text[:at] + self.rng.choice([char for char in allowed[at] if char != text[at]]) + text[at + 1 :]


def _fits(digits: str, run: list[TextCell], kinds: Callable[[TextCell], tuple[str, ...]]) -> bool:
    return all(digit in kinds(cell)[0] for digit, cell in zip(digits, run, strict=False))


def _copy(cells: list[TextCell], spelt: list[str]) -> None:
    for at, cell in enumerate(cells):
        if cell.copy_of is not None:
            spelt[at] = spelt[cell.copy_of]
