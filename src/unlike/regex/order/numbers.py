"""Numbers that people write and programs compare with, as runs of digits."""

from __future__ import annotations

import functools
import random

DIGITS = "0123456789"
# what people write: clocks, calendars, percentages, limits of screens and of bytes
WRITTEN = """0 1 2 3 4 5 7 8 9 10 11 12 13 15 20 23 24 25 28 29 30 31 32 50 59 60 61 99 100 101 127 128 199 200 255 256
360 365 366 404 500 512 999 1000 1023 1024 1582 1899 1900 1969 1970 1999 2000 2001 2024 2038 2100 2359 4096 8192 9999"""
MOST_DIGITS = 19  # of a number that is made: 2 ** 63 has as many
OF_ONE = tuple("0112233457989")  # single digits: small ones are written more often
SMALL = 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12  # hours, days, months: numbers of two digits up to here come more often
YEARS = 1582, 1900, 1969, 1970, 1985, 1999, 2000, 2001, 2007, 2023, 2024, 2038, 2100
DAYS_OF_MONTHS = 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
LEAP_DAYS = 0.1  # of dates
GROUPS = "YMdhms", "YMdhm", "YMd", "dMY", "Mdy", "dMy", "hms", "hm"  # how they are written with signs between the parts
DATES: dict[int, tuple[str, ...]] = {  # how moments are written, by the number of digits
    4: ("Md", "dM", "hm"),
    6: ("yMd", "dMy", "hms", "YM"),
    8: ("YMd", "dMY"),
    12: ("YMdhm", "yMdhms"),
    14: ("YMdhms",),
}


@functools.cache
def numbers_of(width: int) -> tuple[str, ...]:
    """Return numbers of so many digits: what people write, powers of ten and two and one beside, both ends.

    Small ones are there more than once.

    >>> len(numbers_of(3)), numbers_of(3)[:4]
    (27, ('100', '101', '127', '128'))
    """
    if width > MOST_DIGITS:
        return ()
    if width == 1:
        return OF_ONE
    powers = [base**exponent for base, most in ((10, 20), (2, 64)) for exponent in range(most)]
    found = [number for number in map(int, WRITTEN.split()) if len(str(number)) == width]
    found += [each for power in powers for each in (power - 1, power, power + 1) if len(str(each)) == width]
    ends = [0, 1, 10**width - 1, 10**width - 2]
    small = [2, 7, 10, 12, 99, 100]  # with zeros before them
    texts = dict.fromkeys(str(each).zfill(width) for each in found + ends + small)
    more = [str(each).zfill(width) for each in SMALL] if width == len("12") else []
    more += [str(each) for each in YEARS] if width == len("2024") else []
    return (*(text for text in texts if len(text) == width), *more)


def moment_of(width: int, rng: random.Random) -> str:
    """Return a date or a time of so many digits, or nothing where there is no usual one.

    >>> moment_of(8, random.Random(1)), moment_of(6, random.Random(1))
    ('20230201', '010223')
    """
    forms = DATES.get(width)
    return "" if forms is None else "".join(moment_parts(rng.choice(forms), rng))


def moment_parts(form: str, rng: random.Random) -> list[str]:
    """Return the parts of a date or a time: Year (y: of two digits), Month, day, hour, minute, second."""
    year, month = rng.choice(YEARS), rng.randrange(12)
    day = rng.choice((1, DAYS_OF_MONTHS[month], 1 + rng.randrange(DAYS_OF_MONTHS[month])))
    if rng.random() < LEAP_DAYS:
        year, month, day = 2024, 1, 29
    parts = {"Y": f"{year}", "y": f"{year % 100:02}", "M": f"{month + 1:02}", "d": f"{day:02}"}
    parts |= {"h": f"{rng.randrange(24):02}", "m": f"{rng.choice((0, 30, 59)):02}", "s": f"{rng.randrange(60):02}"}
    return [parts[each] for each in form]


def forms_of(widths: tuple[int, ...], between: str) -> tuple[str, ...]:
    """Return the moments that groups of digits may be, the longest first; `between` is what stands between them.

    >>> forms_of((4, 2, 2, 2, 2), "--T:"), forms_of((2, 2, 2), "::"), forms_of((2, 2), ":"), forms_of((3, 2), "-")
    (('YMdhm', 'YMd'), ('hms', 'hm'), ('hm',), ())
    """
    found = [form for form in GROUPS if tuple(4 if part == "Y" else 2 for part in form) == widths[: len(form)]]
    return tuple(form for form in found if (":" in between[: len(form) - 1]) == ("h" in form))
