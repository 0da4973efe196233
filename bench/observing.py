"""What it costs to see what code does: observed calls, read and told, against the same calls made plainly.

Both take processor time of this process and its copies. Subjects are of the standard library and of the examples; their
calls take some microseconds, so what is counted is nearly all that observing does.
"""

from __future__ import annotations

import http.cookies
import resource
import shlex
import statistics
import textwrap
from collections.abc import Callable, Iterator
from typing import Any
from urllib import parse

from bench.rows import Row
from examples import versions
from unlike.observe import CodeCall, Watched

CALLS = 4_000  # of each subject
ROUNDS = 3  # of which the quickest counts
MOST = 6  # times the plain calls, as the median of the subjects; the goal is 3


def read_cookie(text: str) -> object:
    return http.cookies.SimpleCookie(text).output()


TEXTS = ["a b", "1.2.3-rc1", "k=v; path=/; secure", "http://me@x.org:80/a?b#c", "it's 'q u o' \\ x", "  -  ", "9.9"]
SUBJECTS: tuple[tuple[Callable[..., Any], str], ...] = (
    (versions.parse, "examples.versions"),
    (shlex.split, "shlex"),
    (read_cookie, "http.cookies"),
    (textwrap.wrap, "textwrap"),
    (parse.urlsplit, "urllib.parse"),
)


def run() -> Iterator[Row]:
    """Yield the ratio of each subject, and their median."""
    found = []
    for function, module in SUBJECTS:
        found.append(ratio_of(function, module))
        yield Row(f"observing {module}", f"{found[-1]:.1f} times", "the same calls, plainly")
    median = statistics.median(found)
    promise = f"at most {MOST} times (the goal is 3)"
    yield Row("observing, median", f"{median:.1f} times", "the same calls, plainly", promise, median <= MOST)


def ratio_of(function: Callable[..., Any], module: str) -> float:
    """Return how many times as long observed calls take."""
    values = [TEXTS[number % len(TEXTS)] for number in range(CALLS)]
    watched = Watched([function], [module])
    calls = [[CodeCall(function, (value,))] for value in values]

    def call_all() -> None:
        for value in values:
            try:
                function(value)
            except ValueError:
                continue

    return processor_time(lambda: [*watched.see_all(calls)]) / processor_time(call_all)


def processor_time(work: Callable[[], object]) -> float:
    """Return the least processor time of some runs, with that of copies of this process."""
    found = []
    for _ in range(ROUNDS):
        before = used()
        work()
        found.append(used() - before)
    return min(found)


def used() -> float:
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in both)
