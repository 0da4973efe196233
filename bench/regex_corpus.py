"""How many patterns of a file get a definite answer: `python -m bench.regex_corpus FILE`.

The file is a JSON list of patterns, or one pattern a line. The patterns are asked for 20 matching strings each, in a
process that may take 500 MB and is ended if a pattern takes it more than 5 seconds. A definite answer is 20 strings,
all of them, or the proof that none matches. Every string has passed `re.fullmatch`; where that comes to no answer in
time, the independent matcher, and the figures say how many these are. Exit code 0: 98 % have a definite answer.
"""

from __future__ import annotations

import collections
import json
import multiprocessing
import resource
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

WANTED = 20
SECONDS = 5.0
MEGABYTES = 500


class Answer(NamedTuple):
    """The kind of answer, how many strings it has, its detail, how many of them `re` left open, and the peak in MB."""

    kind: str
    strings: int = 0
    detail: str = ""
    open: int = 0
    peak: float = 0.0


def patterns_of(path: Path) -> list[str]:
    """Return the patterns of a file."""
    text = path.read_text(encoding="utf-8")
    if text.lstrip().startswith("["):
        return [str(each) for each in json.loads(text)]
    return [line for line in text.splitlines() if line]


def answer(pattern: str) -> Answer:
    """Return the answer for one pattern."""
    from bench.regex_texts import strings
    from unlike.errors import UnlikeError
    from unlike.regex.cover import Cover
    from unlike.regex.match import accepts
    from unlike.regex.tree import parse

    try:
        cover = Cover(pattern)
        found, status = strings(cover, WANTED)
    except UnlikeError as error:
        return Answer("refused", 0, str(error))
    except MemoryError:
        return Answer("out of memory")
    parsed = parse(pattern)
    texts = {each.text for each in found}
    if len(texts) != len(found) or not all(accepts(parsed, text) for text in texts):
        return Answer("WRONG", len(found), repr(sorted(texts, key=len)[:3]))
    return Answer(status.ending.value, len(found), status.detail, sum(text in cover.unanswered for text in texts))


def work(connection: Connection) -> None:
    """Answer one pattern after the other until told to stop."""
    limit = MEGABYTES * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    while (pattern := connection.recv()) is not None:
        try:
            found = answer(pattern)
        except Exception as error:
            found = Answer("CRASHED", 0, repr(error))
        connection.send(found._replace(peak=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


class Worker:
    """A process that is replaced when it takes too long or dies."""

    def __init__(self) -> None:
        self.context = multiprocessing.get_context("spawn")
        self.start()

    def start(self) -> None:
        """Start a fresh process and let it load."""
        self.connection, theirs = self.context.Pipe()
        self.process = self.context.Process(target=work, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.connection.send("warm-up")
        self.connection.recv()

    def ask(self, pattern: str) -> Answer:
        """Return the answer, or that there was none in time."""
        self.connection.send(pattern)
        try:
            if self.connection.poll(SECONDS):
                found: Answer = self.connection.recv()
                return found
            kind = "out of time"
        except EOFError:
            kind = "CRASHED"
        self.process.kill()
        self.process.join()
        self.start()
        return Answer(kind)

    def stop(self) -> None:
        """End the process."""
        self.connection.send(None)
        self.process.join()


DEFINITE = ("found", "complete", "shown", "unsatisfiable")


def main(arguments: list[str]) -> int:
    """Print the figures for the patterns of a file."""
    try:
        [path] = arguments
        patterns = patterns_of(Path(path))
    except (ValueError, OSError) as error:
        print(f"python -m bench.regex_corpus FILE: a JSON list of patterns, or one a line: {error}", file=sys.stderr)
        return 2
    worker = Worker()
    answers: list[Answer] = []
    times: list[float] = []
    for pattern in patterns:
        start = time.perf_counter()
        found = worker.ask(pattern)
        times.append(time.perf_counter() - start)
        answers.append(found)
        if found.kind not in DEFINITE:
            print(f"{found.kind:14} {found.strings:3} {pattern[:70]!r} {found.detail[:90]}")
    worker.stop()
    return report(answers, sorted(times))


def report(answers: list[Answer], times: list[float]) -> int:
    """Print what became of all patterns; return the exit code."""
    kinds = collections.Counter(each.kind for each in answers)
    definite = sum(kinds[kind] for kind in DEFINITE)
    share = definite / max(1, len(answers))
    print(f"{len(answers):,} patterns, {definite:,} definite answers ({100 * share:.2f} %)")
    print(", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common()))
    print(f"{sum(each.strings for each in answers):,} strings, {sum(each.open for each in answers):,} left open by re")
    if times:
        median, most = times[len(times) // 2], times[len(times) * 99 // 100]
        print(f"median {1000 * median:.2f} ms, 99 % within {1000 * most:.0f} ms, slowest {times[-1]:.2f} s")
        peak = max(each.peak for each in answers)
        print(f"at most {peak:.0f} MB (a pattern may take {SECONDS:.0f} s and {MEGABYTES} MB)")
    return 0 if share >= 0.98 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
