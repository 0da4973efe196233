"""Codes whose last characters check the others: which common checks a text passes, and the digits that make it pass."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence

DIGITS = "0123456789"
LETTERS_23 = "TRWAGMYFPDXBNJZSQVHLCKE"  # the letter that a number leaves when it is divided by 23


def _values(text: str) -> list[int]:
    """Return the digits from the last to the first; X is ten."""
    return [int(char) if char in DIGITS else 10 for char in reversed(text) if char in DIGITS or char == "X"]


def passes_luhn(text: str) -> bool:
    """Say whether every second digit doubled, all digits added up, leave nothing by ten."""
    return sum(each if at % 2 == 0 else each * 2 - 9 * (each > 4) for at, each in enumerate(_values(text))) % 10 == 0


def passes_mod_10(text: str) -> bool:
    """Say whether the digits with weights 1 and 3 in turn leave nothing by ten."""
    return sum(each * (3 if at % 2 else 1) for at, each in enumerate(_values(text))) % 10 == 0


def passes_mod_11(text: str) -> bool:
    """Say whether the digits with weights 1, 2, 3 … leave nothing by eleven."""
    return sum(each * (at + 1) for at, each in enumerate(_values(text))) % 11 == 0


def passes_mod_97(text: str) -> bool:
    """Say whether the code, its first four characters moved to its end and letters as numbers, leaves one by 97."""
    plain = "".join(char for char in text.upper() if char.isascii() and char.isalnum())
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4]) or "0") % 97 == 1


def passes_mod_11_10(text: str) -> bool:
    """Say whether the digits leave one by ten, each taken in by a product of two by eleven."""
    check = 5
    for each in reversed(_values(text)):
        check = ((check or 10) * 2 % 11 + each) % 10
    return check == 1


def passes_letter_23(text: str) -> bool:
    """Say whether the last letter is the one that the number before it leaves by 23."""
    digits = "".join(char for char in text if char in DIGITS)
    return bool(digits) and LETTERS_23[int(digits) % 23] == text[-1:]


Check = Callable[[str], bool]
CHECKS: tuple[Check, ...] = (
    passes_luhn,
    passes_mod_10,
    passes_mod_11,
    passes_mod_97,
    passes_letter_23,
    passes_mod_11_10,
)
OF_DIGITS: tuple[Check, ...] = (
    passes_luhn,
    passes_mod_10,
    passes_mod_11,
)  # what most codes of digits alone use, at once
OF_LETTERS: tuple[Check, ...] = (passes_letter_23,)  # of codes that end with a letter
FEWEST = 7  # digits of what looks like a code: dates and times have fewer in a row
TRIES = 500  # ways to spell the changed characters: two checks by ten leave one of a hundred
TRIES_OF_THREE = 5_000  # one by eleven with them leaves one of eleven hundred
SHARE = 0.6  # of its letters and digits that are digits


def looks_like_code(text: str) -> bool:
    """Say whether so many of its characters are digits that a check may stand among them."""
    digits = sum(char in DIGITS for char in text)
    return digits >= FEWEST and digits >= SHARE * sum(char.isalnum() for char in text)


def make_pass(text: str, allowed: Sequence[str], checks: Sequence[Check], rng: random.Random) -> str | None:
    """Return the text with its last free characters, or its first two, changed so that it passes; or nothing.

    `allowed` holds for each character what may stand there instead.
    """
    free = [at for at, options in enumerate(allowed) if len(options) > 1]
    if not free or (passes_letter_23 in checks and not set(LETTERS_23) & set(allowed[free[-1]])):
        return None
    for places in (free[-1:], free[:2], free[-2:]) if len(checks) == 1 else (free[-1 - len(checks) :],):
        options = [rng.sample(allowed[at], len(allowed[at])) for at in places]
        tries = TRIES if len(checks) < 3 else TRIES_OF_THREE
        for chosen in itertools.islice(itertools.product(*options), tries):
            changed = list(text)
            for at, char in zip(places, chosen, strict=True):
                changed[at] = char
            new = "".join(changed)
            if all(check(new) for check in checks):
                return new
    return None
