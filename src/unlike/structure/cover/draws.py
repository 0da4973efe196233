"""Values for places that nothing is asked of: ordinary ones and odd ones, drawn for each place by itself.

Of an input most values are ordinary: spread over the range, many of them round. Some are odd: an end of the range, one
beside it, a power of two or ten, a number or text that stands elsewhere in the same input already.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from unlike.chance import Chance, deal, key_of
from unlike.structure.cover.leaves import LeafOption
from unlike.structure.cover.tree import ItemsNode, LeafNode, LengthClass
from unlike.structure.shapes import Numbers, Texts, first_failed, shown_path

DRAWN = 4  # values of a leaf with checks before the next of its list is taken
SHIFTS = 64  # values that a seed may leave out before the list goes on
FEW = 6  # lists of the fewest items, before there are longer ones
MORE = 4  # items beyond the fewest of a class of lengths
LONG, MANY_MORE = 5, 20  # of a hundred lists are longer: so many items beyond the fewest, at most
# of a hundred places of an input so many are odd, and of the ordinary numbers so many small: one pair for each input
MOODS = ((10, 20), (40, 50), (70, 50), (20, 100))
STRATA = 6  # equal parts of a range, each as often as the others
ROUNDED = 40  # of a hundred ordinary numbers have two digits that are not 0
AGAIN = 12  # of a hundred items, or texts, are there already
FAR = 300  # characters beyond the least that a text drawn here has at most
BANDS = ("least", "most", "beside", "small", "written", "power", "wide", "related", "related")
SMALL_BANDS = ("small", "small", "written", "wide")  # ordinary ones that are small, of a range with both bounds
OPEN_BANDS = (
    "small",
    "small",
    "written",
    "power",
    "wide",
    "wide",
    "related",
)  # ordinary where a bound is not stated
WRITTEN = (1, 2, 3, 5, 7, 10, 12, 18, 20, 24, 25, 30, 31, 50, 60, 65, 90, 99, 100, 120, 180, 200, 255, 256, 300, 360,
           365, 366, 500, 512, 999, 1000, 1024, 1440, 1900, 1999, 2000, 2024, 3600, 5000, 8080, 9999, 10_000, 65_535,
           86_400, 100_000, 1_000_000)  # fmt: skip
DAYS = ((1, 1), (2, 28), (2, 29), (3, 1), (6, 30), (7, 1), (10, 31), (12, 24), (12, 31))
YEARS = (2000, 2001, 2004, 2020, 2023, 2024, 2025, 2038, 2096, 2099)
TIMES = (0, 1, 43_200, 86_399, 5_400, 30_600, 63_000)  # seconds of a day: midnight, noon, its end, ordinary ones
DAY = 86_400  # seconds
EPOCH = datetime.date(1970, 1, 1).toordinal()
WORDS = ("a", "b", "Ab", "x y", "0", "1", "-1", "2", "10", "12345", "1.5", "null", "A-Z_9", "<&>", "'", '"', "\\", " ",
         "foo", "bar", "Test", "max", "%", "a,b", "a/b", "x@y", "#", "_", "TRUE", "no")  # fmt: skip
LETTERS = "abcdefghijklmnopqrstuvwxyz"
KINDS = (LETTERS, LETTERS.upper(), "0123456789", "abcXYZ019 _-")


@dataclass(slots=True)
class Draws:
    """What is drawn for the places of inputs: the seed, how odd the present input is, and what it has so far."""

    seed: int
    inputs: int = 0
    odd: int = 0
    small: int = 0
    numbers: dict[str, list[tuple[int, int]]] = field(default_factory=dict)  # by kind of line: code and unit
    texts: list[str] = field(default_factory=list)
    lists: dict[int, int] = field(default_factory=dict)  # how many there were at a place
    turns: dict[tuple[str, type, int], int] = field(default_factory=dict)  # values of an option at a place

    def begin_input(self) -> None:
        """Forget what the last input had."""
        self.odd, self.small = MOODS[deal(key_of("odd", self.seed), self.inputs, len(MOODS))]
        self.inputs += 1
        self.numbers.clear()
        self.texts.clear()

    def count_turn(self, node: LeafNode, option: int) -> int:
        """Return how many values there were at a place, in whatever branch: or branches would show the same ones."""
        place = (shown_path(node.path), type(node.shape), option)
        self.turns[place] = turn = self.turns.get(place, -1) + 1
        return turn

    def value(self, node: LeafNode, chosen: LeafOption, index: int) -> object:
        """Return a further value of an option: a drawn one that passes its checks, else the next of all."""
        shape, place = node.shape, key_of(shown_path(node.path), self.seed)
        if isinstance(shape, Numbers) or (isinstance(shape, Texts) and shape.pattern is None and shape.made != "path"):
            for again in range(DRAWN if node.checks else 1):
                value = self.draw(shape, place, index, Chance(key_of(place, index, again)))
                if value is not None and first_failed(node.checks, value) is None:
                    return value
        return chosen.values.at(index + place % (SHIFTS if self.seed else 8))

    def draw(self, leaf: Numbers | Texts, place: int, turn: int, chance: Chance) -> object:
        """Return a value of a leaf: chance decides it, with what the input has already."""
        if isinstance(leaf, Numbers):
            code = self.code(leaf, chance, place, turn)
            self.numbers.setdefault(leaf.line.kind, []).append((code, leaf.line.unit))
            return leaf.line.value(code) if leaf.has_value(code) else None
        text = self.text(leaf, chance, place, turn)
        self.texts.append(text)
        return text.encode() if leaf.made == "bytes" else text

    def length(self, node: ItemsNode, size: LengthClass) -> int:
        """Return how many items show a class of lengths: the fewest at first, later often more, now and then many."""
        turn = self.lists[node.number] = self.lists.get(node.number, -1) + 1
        if turn < FEW or size.least == size.most:
            return size.shown
        chance = Chance(key_of(shown_path(node.path), "length", turn, self.seed))
        more = chance.below(min(size.most - size.shown, MORE) + 1)
        return size.shown + (chance.below(min(size.most - size.shown, MANY_MORE) + 1) if chance.happens(LONG) else more)

    def again(self, node: ItemsNode, made: Sequence[object], turn: int) -> Iterator[object]:
        """Yield, now and then, an item that is in the list already."""
        chance = Chance(key_of(shown_path(node.path), "again", turn, self.seed))
        if made and not node.shape.unique and chance.happens(AGAIN):
            yield chance.one_of(made)

    # -- numbers ---------------------------------------------------------------------------------------------------

    def code(self, leaf: Numbers, chance: Chance, place: int, turn: int) -> int:
        """Return where a number stands on its line."""
        if leaf.count() <= STRATA + 3:
            return leaf.low + deal(place, turn, leaf.count()) * leaf.step
        if leaf.line.kind in ("uuid", "ipv4", "ipv6"):
            return leaf.low + chance.below(leaf.count()) * leaf.step
        is_number = leaf.line.kind in ("int", "float", "decimal")
        if chance.happens(self.odd):
            code = self.odd_code(leaf, chance.one_of(BANDS), chance)
        elif is_number and not {"least", "most"} <= set(leaf.stated):
            code = self.odd_code(leaf, chance.one_of(OPEN_BANDS), chance)
        elif is_number and chance.happens(self.small):
            code = number_code(leaf, chance.one_of(SMALL_BANDS), chance)
        else:
            code = leaf.low - 1
        if not leaf.low <= code <= leaf.high:  # what is not there is no reason to take an end of the range again
            code = spread_code(leaf, deal(place, turn, STRATA), chance)
        if not leaf.low <= code <= leaf.high:  # rounding left the range
            code = leaf.low + chance.below(leaf.count()) * leaf.step
        return leaf.low + (code - leaf.low) // leaf.step * leaf.step

    def odd_code(self, leaf: Numbers, band: str, chance: Chance) -> int:
        """Return a number of some kind, near the range; nothing says that it is inside."""
        match band:
            case "least":
                return leaf.low
            case "most":
                return leaf.high
            case "beside":
                return leaf.low + leaf.step if chance.below(2) else leaf.high - leaf.step
            case "related" if leaf.line.kind in self.numbers:
                return self.related_code(leaf, chance)
        if leaf.line.kind in ("date", "datetime"):
            return day_code(leaf, chance)
        if leaf.line.kind == "time":
            return chance.one_of(TIMES) * leaf.line.unit
        return number_code(leaf, band, chance)

    def related_code(self, leaf: Numbers, chance: Chance) -> int:
        """Return a number that stands in the input already, one beside it, or the sum or difference of two."""
        known = [code * leaf.line.unit // unit for code, unit in self.numbers[leaf.line.kind]]
        one, two = chance.one_of(known), chance.one_of(known)
        beside = leaf.line.unit if leaf.line.kind in ("int", "float", "decimal", "date") else DAY * leaf.line.unit
        if leaf.line.kind in ("date", "datetime", "time"):
            found = [one, one, one + beside, one - beside, one + 7 * beside, one + leaf.step]
        else:
            found = [one, one, one + beside, one - beside, one + two, abs(one - two), one - two, 2 * one, one // 2]
        return chance.one_of([each for each in found if leaf.low <= each <= leaf.high] or [leaf.low])

    # -- texts -----------------------------------------------------------------------------------------------------

    def text(self, leaf: Texts, chance: Chance, place: int, turn: int) -> str:
        """Return a text of printable ASCII: letters of one kind, words that programs look for, or one again."""
        known = [each for each in self.texts if leaf.least <= len(each) <= leaf.most]
        if known and chance.happens(AGAIN):
            return chance.one_of(known)
        least, most = leaf.least, min(leaf.most, leaf.least + FAR)
        middle = least + min(most - least, 12) // 2
        sizes = [least + 1, middle, least + 2, middle + 1, least, least + 3, most - 1, most, least + 4]
        size = sizes[deal(place, turn, len(sizes))]
        size = min(max(size, least), most)
        chars = chance.one_of(KINDS)
        words = chance.happens(self.odd)
        made = ""
        while len(made) < size:
            made += chance.one_of(WORDS) if words else chance.one_of(chars)
        return made[:size]


def spread_code(leaf: Numbers, stratum: int, chance: Chance) -> int:
    """Return a code in one of the equal parts of a range, often a round one."""
    width = leaf.high - leaf.low
    code = leaf.low + (width * stratum + chance.below(width + 1)) // STRATA
    if leaf.line.kind in ("datetime", "timedelta") and chance.happens(ROUNDED):
        return code // (DAY * leaf.line.unit) * DAY * leaf.line.unit
    if leaf.line.kind in ("int", "float", "decimal"):
        if chance.happens(ROUNDED):
            power = int(10 ** max(0, len(str(abs(code))) - 2))
            return code // power * power
        if chance.happens(50):
            return code // leaf.line.unit * leaf.line.unit
    return code


def number_code(leaf: Numbers, band: str, chance: Chance) -> int:
    """Return a small number, one that people write, a power of two or ten and one beside, or any of some length."""
    unit = leaf.line.unit
    sign = -1 if leaf.low < 0 and (leaf.high <= 0 or chance.below(2)) else 1
    if band == "small":
        if leaf.low > 0:
            return leaf.low + chance.below(13) * max(unit, leaf.step)
        code = sign * chance.one_of((0, 0, 1, 1, 2, 3, 4, 5, 10)) * unit
        return code if unit == 1 or chance.below(2) else code + sign * chance.one_of((1, unit // 10, unit // 2))
    largest = max(abs(leaf.low), abs(leaf.high)) // unit
    fits = range(leaf.low, leaf.high + 1)
    if band == "written" and (known := [each for each in WRITTEN if sign * each * unit in fits]):
        return sign * (chance.one_of(known) + chance.one_of((0, 0, 0, 1, -1))) * unit
    if band == "power":
        powers = [int(10**k) for k in range(1, len(str(largest)))] + [1 << k for k in range(2, largest.bit_length())]
        return sign * (chance.one_of(powers or [1]) + chance.below(3) - 1) * unit
    longest = int(10 ** (1 + chance.below(len(str(largest)))))  # as many numbers of each length
    return sign * chance.below(longest * unit)


def day_code(leaf: Numbers, chance: Chance) -> int:
    """Return a day that calendars treat by itself, at an ordinary or an odd time."""
    year, (month, day) = chance.one_of(YEARS), chance.one_of(DAYS)
    leap = year % 4 == 0
    found = datetime.date(year, month, min(day, 28) if month == 2 and not leap else day).toordinal()
    if leaf.line.kind == "date":
        return found
    return ((found - EPOCH) * DAY + chance.one_of(TIMES)) * leaf.line.unit
