"""Numbers that people write and programs compare with, as runs of digits."""

from __future__ import annotations

import functools

DIGITS = "0123456789"
# what people write: clocks, calendars, percentages, limits of screens and of bytes
WRITTEN = """0 1 2 3 4 5 7 8 9 10 11 12 13 15 20 23 24 25 28 29 30 31 32 50 59 60 61 99 100 101 127 128 199 200 255 256
360 365 366 404 500 512 999 1000 1023 1024 1582 1899 1900 1969 1970 1999 2000 2001 2024 2038 2100 2359 4096 8192 9999"""
MOST_DIGITS = 19  # of a number that is made: 2 ** 63 has as many


@functools.cache
def numbers_of(width: int) -> tuple[str, ...]:
    """Return numbers of so many digits: what people write, powers of ten and two and one beside, both ends.

    >>> numbers_of(1)
    ('0', '1', '2', '3', '4', '5', '7', '8', '9')
    """
    if width > MOST_DIGITS:
        return ()
    powers = [base**exponent for base, most in ((10, 20), (2, 64)) for exponent in range(most)]
    found = [number for number in map(int, WRITTEN.split()) if len(str(number)) == width]
    found += [each for power in powers for each in (power - 1, power, power + 1) if len(str(each)) == width]
    ends = [0, 1, 10**width - 1, 10**width - 2]
    small = [2, 7, 10, 12, 99, 100]  # with zeros before them
    texts = dict.fromkeys(str(each).zfill(width) for each in found + ends + small)
    return tuple(text for text in texts if len(text) == width)
