"""The common checks of codes: what their characters add up to, and what that leaves when the code is right.

Nearly all of them are sums: each character adds something that depends on its place, and the sum leaves a fixed rest.
So characters that make several checks right at once can be looked up instead of tried.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
AFTER_23 = "TRWAGMYFPDXBNJZSQVHLCKE"  # the letter that a number leaves when it is divided by 23
AFTER_31 = "0123456789ABCDEFHJKLMNPRSTUVWXY"  # the same by 31, without letters that look like digits
# what a character at an odd place counts where it counts its own value at an even one
ODD_PLACES = dict(zip("0123456789", (1, 0, 5, 7, 9, 13, 15, 17, 19, 21), strict=True))
ODD_PLACES |= dict(
    zip(
        LETTERS,
        (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
        strict=True,
    )
)
OF_VEHICLES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))
WEIGHTS_OF_VEHICLES = 8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2


class CodeCheck(NamedTuple):
    """A check: the letters and digits of a code, put together by `total`, leave `rest` by `modulus`."""

    total: Callable[[str], int]
    modulus: int
    rest: int = 0

    def passes(self, plain: str) -> bool:
        """Say whether letters and digits alone, in capitals, pass."""
        return self.total(plain) % self.modulus == self.rest


def values_of(plain: str) -> list[int]:
    """Return the values of the characters from the last to the first; letters count from ten, X at the end is ten."""
    values = [int(char, 36) for char in reversed(plain)]
    if plain[-1:] == "X":
        values[0] = 10
    return values


def add_weighted(weights: Sequence[int], *, first: int = 1, left: bool = False) -> Callable[[str], int]:
    """Return a sum with weights that come again and again, after `first` for the last character.

    They count from the right, or from the left.
    """

    def total(plain: str) -> int:
        last, *others = values_of(plain) or [0]
        others = others[::-1] if left else others
        return last * first + sum(map(int.__mul__, others, itertools.cycle(weights)))

    return total


def without_last(total: Callable[[str], int]) -> Callable[[str], int]:
    """Return the same sum of all characters but the last."""
    return lambda plain: total(plain[:-1])


def digits_of(check: CodeCheck) -> CodeCheck:
    """Return the same check of the digits alone, for codes that begin with letters; X at the end stays."""
    return CodeCheck(lambda plain: check.total("".join(c for c in plain[:-1] if c in DIGITS) + plain[-1:]), *check[1:])


def add_luhn(plain: str) -> int:
    """Double every second digit from the right, and add up all digits; letters are two digits."""
    digits = [int(digit) for char in plain for digit in str(int(char, 36))]
    return sum(each if at % 2 == 0 else each * 2 - 9 * (each > 4) for at, each in enumerate(reversed(digits)))


def add_doubled(plain: str) -> int:
    """Double every second character from the left, and add up the digits of all; the last counts once."""
    values = [each * (1 + at % 2) for at, each in enumerate(values_of(plain)[:0:-1])]
    return sum(each // 10 + each % 10 for each in values) + sum(values_of(plain)[:1])


def as_number(plain: str) -> int:
    """Return the number that the characters make, letters as two digits."""
    return int("".join(str(int(char, 36)) for char in plain) or "0")


def turn_round(plain: str) -> int:
    """Return the number with the first four characters at its end."""
    return as_number(plain[4:] + plain[:4])


def last_two_missing(plain: str) -> int:
    """Return what the last two digits lack to what the number before them leaves."""
    return as_number(plain[:-2]) - as_number(plain[-2:])


def last_two_over(plain: str) -> int:
    """Add the last two digits to the number before them."""
    return as_number(plain[:-2]) + as_number(plain[-2:])


def letter_after(letters: str) -> Callable[[str], int]:
    """Return a sum that leaves nothing if the last character is the one for the number before it."""

    def total(plain: str) -> int:
        digits = "".join(char for char in plain[:-1] if char in DIGITS)
        return int(digits or "0") - letters.find(plain[-1:])

    return total


def odd_and_even(plain: str) -> int:
    """Add up what characters at odd and even places count; the last is the letter for what is left by 26."""
    even = {**{char: int(char) for char in DIGITS}, **{char: at for at, char in enumerate(LETTERS)}}
    values = [ODD_PLACES[char] if at % 2 == 0 else even[char] for at, char in enumerate(plain[:-1])]
    return sum(values) - LETTERS.find(plain[-1:])


def of_vehicles(plain: str) -> int:
    """Add up by the weights of vehicles, whose ninth character is the check."""
    values = [OF_VEHICLES.get(char) or (int(char) if char in DIGITS else 0) for char in plain]
    check = 10 if plain[8:9] == "X" else sum(values[8:9])
    return sum(map(int.__mul__, values, WEIGHTS_OF_VEHICLES)) - check


def taken_in_turn(plain: str) -> int:
    """Take in each digit by a product of two by eleven (no sum: nothing can be looked up)."""
    check = 5
    for char in plain:
        check = ((check or 10) * 2 % 11 + int(char, 36)) % 10
    return check


LUHN = CodeCheck(add_luhn, 10)
ONE_AND_THREE = CodeCheck(add_weighted((3, 1)), 10)
ONE_TWO_THREE = CodeCheck(add_weighted(range(2, 60)), 11)
TWO_ELEVENS = CodeCheck(without_last(ONE_TWO_THREE.total), 11)  # two characters at the end, one after the other
ONE_THREE_SEVEN_NINE = CodeCheck(add_weighted((1, 3, 7, 9), left=True), 10)
SEVEN_THREE_ONE = CodeCheck(add_weighted((7, 3, 1), first=-1, left=True), 10)
THREE_SEVEN_ONE = CodeCheck(add_weighted((3, 7, 1), left=True), 10)
UP_TO_SEVEN = CodeCheck(add_weighted(range(2, 8)), 11)
UP_TO_NINE = CodeCheck(add_weighted(range(2, 10)), 11)
UP_TO_NINE_TWICE = CodeCheck(without_last(UP_TO_NINE.total), 11)
FROM_THE_LEFT = CodeCheck(add_weighted(range(1, 10), first=-1, left=True), 11)
POWERS_OF_TWO = CodeCheck(add_weighted([2**at for at in range(1, 60)]), 11, 1)
OF_97 = CodeCheck(as_number, 97, 1)
TURNED_97 = CodeCheck(turn_round, 97, 1)
LAST_TWO_97, OVER_97 = CodeCheck(last_two_missing, 97), CodeCheck(last_two_over, 97)
IN_TURN = CodeCheck(taken_in_turn, 10, 1)
LETTER_23, LETTER_31 = CodeCheck(letter_after(AFTER_23), 23), CodeCheck(letter_after(AFTER_31), 31)
LETTER_26 = CodeCheck(odd_and_even, 26)
POWERS_37 = CodeCheck(add_weighted([2**at for at in range(1, 60)]), 37, 1)
ODD_WEIGHTS = CodeCheck(add_weighted((9, 3, 7, 1, 3, 1)), 10)
DOUBLED = CodeCheck(add_doubled, 10)
VEHICLES = CodeCheck(of_vehicles, 11)
# checks that a code passes at once, the most common first: where not all can be right, the first of them
OF_DIGITS: tuple[tuple[CodeCheck, ...], ...] = (
    (LUHN, ONE_AND_THREE, ONE_TWO_THREE, ONE_THREE_SEVEN_NINE),
    (TWO_ELEVENS, ONE_TWO_THREE, FROM_THE_LEFT, LUHN),
    (TURNED_97, LUHN, ONE_AND_THREE),
    (ONE_TWO_THREE, LUHN, POWERS_OF_TWO, SEVEN_THREE_ONE),
    (IN_TURN, LUHN, THREE_SEVEN_ONE),
    (LAST_TWO_97, OVER_97),
    (UP_TO_NINE_TWICE, UP_TO_NINE),
    (UP_TO_SEVEN, OF_97),
)
OF_LETTERS: tuple[tuple[CodeCheck, ...], ...] = ((LETTER_23, LETTER_26), (LETTER_26, LETTER_31), (LETTER_26, POWERS_37))
AFTER_LETTERS = (  # letters first, as that of a country, then digits alone
    tuple(map(digits_of, OF_DIGITS[0])),
    (TURNED_97, LUHN, ONE_AND_THREE),
    *(tuple(map(digits_of, group)) for group in OF_DIGITS[1:]),
)
OF_BOTH: tuple[tuple[CodeCheck, ...], ...] = (  # letters among digits, a digit at the end
    (TURNED_97, LUHN, ONE_AND_THREE),
    (LUHN, ODD_WEIGHTS, SEVEN_THREE_ONE),
    (DOUBLED, VEHICLES),
    (OF_97, ONE_TWO_THREE),
)
