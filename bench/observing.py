"""What it costs to see what code does: observed calls, read and told, against the same calls made plainly.

Both take processor time of this process and its copies. Subjects are the fourteen open ones of the study of behaviour
(`pip install 'unlike[power]'`), each with inputs of which no two are equal, and functions of the standard library and
of the examples, whose calls take few microseconds: with them nearly all is what observing does.
"""

from __future__ import annotations

import email.utils
import html.parser
import http.cookies
import importlib
import ipaddress
import random
import resource
import shlex
import statistics
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any

import unlike
from bench.power import open_parsers, structured
from bench.power.subjects import Parser, Structured
from bench.power.suites import edit
from bench.rows import Row
from examples import versions
from unlike.observe import CodeCall, Watched

CALLS = 2_400  # of each subject, with inputs that differ: as many as a pool of candidates has
ROUNDS = 3  # of which the quickest counts
GOAL = "the goal is 3 times"  # reached by little: nothing is promised


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
    """Yield the ratio of each subject, and the median of those of the study."""
    plainly = "the same calls, plainly"
    for function, module, texts in SUBJECTS:
        yield Row(f"observing {module}", f"{ratio_of(function, [module], edited(texts)):.1f} times", plainly)
    try:
        subjects = [*open_parsers.parsers(), *[each for each in structured.functions() if each.name in structured.OPEN]]
        for module in {module for each in subjects for module in each.modules}:
            importlib.import_module(module)
    except ImportError as error:
        yield Row("observing, median of the study", "not measured", f"{error}; pip install 'unlike[power]'")
        return
    found = []
    for subject in subjects:
        found.append(ratio_of(subject.run, subject.modules, inputs_of(subject)))
        yield Row(f"observing {subject.name}", f"{found[-1]:.1f} times", plainly)
    median = statistics.median(found)
    yield Row("observing, median of the study", f"{median:.1f} times", plainly, GOAL)


def edited(texts: list[str]) -> list[str]:
    """Return many texts, each with a small edit of one of a few."""
    source, found = random.Random("observing"), dict.fromkeys(texts)
    while len(found) < CALLS:
        found[edit(source.choice([*found][-200:]), source)] = None
    return [*found]


def inputs_of(subject: Parser | Structured) -> list[Any]:
    """Return inputs of a subject as candidates are: legal ones, and of texts others that just fail."""
    if isinstance(subject, Parser):
        return [*unlike.generate(Annotated[str, unlike.Matching(subject.pattern)], CALLS, mix=True).values]
    return [*unlike.generate(subject.inputs, CALLS).values]


def ratio_of(function: Callable[..., Any], modules: Sequence[str], values: list[Any]) -> float:
    """Return how many times as long observed calls take."""
    watched = Watched([function], [*modules])
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
