"""What it costs to see what code does: observed calls, read and told, against the same calls made plainly.

Both take processor time of this process and its copies. Subjects are of the standard library and of the examples; their
calls take some microseconds, so what is counted is nearly all that observing does.
"""

from __future__ import annotations

import email.utils
import html.parser
import http.cookies
import ipaddress
import resource
import shlex
import statistics
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from bench.rows import Row
from examples import versions
from unlike.observe import CodeCall, Watched

CALLS = 4_000  # of each subject
ROUNDS = 3  # of which the quickest counts
GOAL = "the goal is 3 times"  # not reached: nothing is promised yet


WORDS = """Small sets of inputs, each of which says why it is there, are read by people; large ones are not.

A suite that nobody reads is run, and when it fails it is run again."""
PAGE = "<html><body class='a b'><p>one &amp; two</p><br/><!-- no --><a href=x>y</a></body></html>"


def read_page(text: str) -> list[str]:
    """Return the tags of a page."""
    found: list[str] = []

    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            found.append(f"{tag} {attrs}")

    Reader().feed(text)
    return found


SUBJECTS: tuple[tuple[Callable[..., Any], str, list[str]], ...] = (
    (versions.parse, "examples.versions", ["1.2", "1.2.3-rc1", "10.20.30", "0.0.0", "1.2-b7", "1.2.3-x1"]),
    (shlex.split, "shlex", ["a b c", "a 'b c' d", 'a "b \\" c"', "it's", "a\\ b # c"]),
    (http.cookies.SimpleCookie, "http.cookies", ["k=v", "a=1; path=/; secure", 'q="x y"; b=2', "k=v; max-age=5; c=d"]),
    (textwrap.wrap, "textwrap", [WORDS, WORDS[:90], "one two"]),
    (email.utils.parseaddr, "email", ["me@x.org", "A B <a.b@c.de>", '"Q, R" <q@r>', "(no) x@y (z)", "broken <"]),
    (
        ipaddress.ip_network,
        "ipaddress",
        ["10.0.0.0/8", "::1/128", "1.2.3.4", "10.0.0.1/8", "300.1.1.1"],
    ),
    (read_page, "html", [PAGE, "<p>x", "<a b='c' d=e f>", "&lt;<b>"]),
)


def run() -> Iterator[Row]:
    """Yield the ratio of each subject, and their median."""
    found = []
    for function, module, texts in SUBJECTS:
        found.append(ratio_of(function, module, texts))
        yield Row(f"observing {module}", f"{found[-1]:.1f} times", "the same calls, plainly")
    median = statistics.median(found)
    yield Row("observing, median", f"{median:.1f} times", "the same calls, plainly", GOAL)


def ratio_of(function: Callable[..., Any], module: str, texts: list[str]) -> float:
    """Return how many times as long observed calls take."""
    values = [texts[number % len(texts)] for number in range(CALLS)]
    watched = Watched([function], [module])
    calls = [[CodeCall(function, (value,))] for value in values]

    def call_all() -> None:
        for value in values:
            try:
                function(value)
            except Exception:  # as some of them should
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
