"""What looks like a code, and the characters that make its checks right."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Sequence

from unlike.regex.order.checks import AFTER_LETTERS, DIGITS, OF_BOTH, OF_DIGITS, OF_LETTERS, CodeCheck

FEWEST = 7  # letters and digits of what looks like a code
FEWEST_DIGITS = 5  # of them that are digits: words with a number behind have fewer
SHARE = 0.4  # of them that are digits
BETWEEN = set(" -./")  # what may stand between the groups of a code
DATES = (4, 2, 2), (2, 2, 4), (2, 2, 2)  # digits of groups that are a date, not a code
NUMBERS_WITH_DOTS = 4  # groups: those of an address or a version
HALF = 1_500  # ways to write the one half of the changed characters
CHANGED = 6  # characters at most: the last that are free
CANDIDATES = 300  # solutions that are looked at, for checks that are no sums
GROUP = re.compile("[0-9]+")


def looks_like_code(text: str) -> bool:
    """Say whether it has so many digits, in groups like those of a code, that a check may stand among them.

    >>> [looks_like_code(each) for each in ("978-3-16-148410-0", "RCCMNL83S18D969H", "2007-01-25", "127.100.200.300")]
    [True, True, False, False]
    """
    plain = [char for char in text if char.isalnum()]
    digits = sum(char in DIGITS for char in plain)
    if len(plain) < FEWEST or digits < max(FEWEST_DIGITS, SHARE * len(plain)) or not text.isascii():
        return False
    between = {char for char in text if not char.isalnum()}
    if not between <= BETWEEN or (any(map(str.islower, plain)) and any(map(str.isupper, plain))):
        return False
    groups = tuple(len(group) for group in GROUP.findall(text))
    return groups not in DATES and not (between == {"."} and len(groups) >= NUMBERS_WITH_DOTS)


def checks_of(allowed: Sequence[str]) -> tuple[tuple[CodeCheck, ...], ...]:
    """Return the checks of such a code, those that it may pass at once together; `allowed` is as below."""
    free = [options for options in allowed if len(options) > 1]
    if free and not set(free[-1]) & set(DIGITS):
        return OF_LETTERS
    kinds = "".join("A" if options[:1].isalpha() else "0" for options in allowed[:-1] if options[:1].isalnum())
    if "A" not in kinds:
        return OF_DIGITS
    return AFTER_LETTERS if "A" not in kinds.lstrip("A") else OF_BOTH


def make_pass(text: str, allowed: Sequence[str], checks: Sequence[CodeCheck], rng: random.Random) -> str | None:
    """Return the text, its last free characters changed so that it passes the checks, or the first of them; or nothing.

    `allowed` holds for each character what may stand there instead.
    """
    free = [at for at, options in enumerate(allowed) if len(options) > 1]
    for most in range(len(checks), 0, -1):
        found = next(_passing(text, allowed, checks[:most], free[-CHANGED:], rng), None)
        if found is not None:
            return found
    return None


def _passing(
    text: str, allowed: Sequence[str], checks: Sequence[CodeCheck], places: Sequence[int], rng: random.Random
) -> Iterator[str]:
    """Yield texts that pass, changed at some places: what the halves of them add is added up, and looked up."""
    if not places:
        return
    halves: list[list[int]] = [[], []]
    sizes = [1, 1]
    for at in reversed(places):  # the last first: that is where checks stand
        half = 0 if sizes[0] <= sizes[1] else 1
        if sizes[half] * len(allowed[at]) <= HALF:
            halves[half].append(at)
            sizes[half] *= len(allowed[at])
    base = _totals(text, checks)
    moduli = [check.modulus for check in checks]
    wanted = tuple((check.rest - total) % check.modulus for check, total in zip(checks, base, strict=True))
    first, second = (_ways(text, allowed, checks, half, base, rng) for half in halves)
    by_sum: dict[tuple[int, ...], list[str]] = {}
    for chars, sums in first:
        by_sum.setdefault(sums, []).append(chars)
    tried = 0
    for chars, sums in second:
        lacking = tuple((want - each) % by for want, each, by in zip(wanted, sums, moduli, strict=True))
        for others in by_sum.get(lacking, ()):
            made = _put(_put(text, halves[1], chars), halves[0], others)
            tried += 1
            if all(check.passes(_plain(made)) for check in checks):  # some are no sums
                yield made
            elif tried > CANDIDATES:
                return


def _ways(
    text: str,
    allowed: Sequence[str],
    checks: Sequence[CodeCheck],
    places: Sequence[int],
    base: list[int],
    rng: random.Random,
) -> list[tuple[str, tuple[int, ...]]]:
    """Return every way to write some places, in an order that is drawn, with what it adds to each sum."""
    moduli = [check.modulus for check in checks]
    ways: list[tuple[str, tuple[int, ...]]] = [("", (0,) * len(checks))]
    for at in places:
        added = []
        for char in rng.sample(allowed[at], len(allowed[at])):
            totals = _totals(_put(text, [at], char), checks)
            added.append((char, [one - other for one, other in zip(totals, base, strict=True)]))
        ways = [
            (chars + char, tuple((one + other) % by for one, other, by in zip(sums, more, moduli, strict=True)))
            for chars, sums in ways
            for char, more in added
        ]
    return ways


def _totals(text: str, checks: Sequence[CodeCheck]) -> list[int]:
    plain = _plain(text)
    return [check.total(plain) for check in checks]


def _plain(text: str) -> str:
    return "".join(char for char in text if char.isalnum()).upper()


def _put(text: str, places: Sequence[int], new: str) -> str:
    chars = list(text)
    for at, char in zip(places, new, strict=True):
        chars[at] = char
    return "".join(chars)


def in_turn(groups: Sequence[tuple[CodeCheck, ...]], turn: int) -> Iterator[tuple[CodeCheck, ...]]:
    """Yield groups of checks in turn: at every second turn the most common, then another one each time."""
    if turn % 2:
        yield groups[0]
    start = turn // 2 % len(groups)
    yield from itertools.islice(itertools.cycle(groups), start, start + len(groups))
