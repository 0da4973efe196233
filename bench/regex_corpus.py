"""How many patterns of a file get a definite answer: `python -m bench.regex_corpus FILE`.

The file is a JSON list of patterns, or one pattern a line. Each pattern is asked for 20 matching strings in
a process of its own kind, with 5 seconds and 500 MB. A definite answer is 20 strings, all of them, or the
proof that none matches; every string has passed `re.fullmatch`, or the independent matcher where that might never end.
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

WANTED = 20
SECONDS = 5.0
MEGABYTES = 500


def patterns_of(path: Path) -> list[str]:
    """Return the patterns of a file."""
    text = path.read_text(encoding="utf-8")
    if text.lstrip().startswith("["):
        return [str(each) for each in json.loads(text)]
    return [line for line in text.splitlines() if line]


def answer(pattern: str) -> tuple[str, int, str]:
    """Return the kind of answer, how many strings it has, and its detail."""
    from unlike.errors import UnlikeError
    from unlike.regex.cover import Cover
    from unlike.regex.match import accepts
    from unlike.regex.texts.strings import strings
    from unlike.regex.tree import parse

    try:
        found, status = strings(Cover(pattern), WANTED)
    except UnlikeError as error:
        return "refused", 0, str(error)
    except MemoryError:
        return "out of memory", 0, ""
    parsed = parse(pattern)
    texts = {each.text for each in found}
    if len(texts) != len(found) or not all(accepts(parsed, text) for text in texts):
        return "WRONG", len(found), repr(sorted(texts, key=len)[:3])
    return status.ending.value, len(found), status.detail


def work(connection: Connection) -> None:
    """Answer one pattern after the other until told to stop."""
    limit = MEGABYTES * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    while (pattern := connection.recv()) is not None:
        try:
            connection.send(answer(pattern))
        except Exception as error:
            connection.send(("CRASHED", 0, repr(error)))


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

    def ask(self, pattern: str) -> tuple[str, int, str]:
        """Return the answer, or that there was none in time."""
        self.connection.send(pattern)
        try:
            if self.connection.poll(SECONDS):
                found: tuple[str, int, str] = self.connection.recv()
                return found
            kind = "out of time"
        except EOFError:
            kind = "CRASHED"
        self.process.kill()
        self.process.join()
        self.start()
        return kind, 0, ""

    def stop(self) -> None:
        """End the process."""
        self.connection.send(None)
        self.process.join()


DEFINITE = ("found", "complete", "unsatisfiable")


def main(arguments: list[str]) -> int:
    """Print the figures for the patterns of a file."""
    patterns = patterns_of(Path(arguments[0]))
    worker = Worker()
    kinds: collections.Counter[str] = collections.Counter()
    times: list[float] = []
    for pattern in patterns:
        start = time.perf_counter()
        kind, count, detail = worker.ask(pattern)
        times.append(time.perf_counter() - start)
        kinds[kind] += 1
        if kind not in DEFINITE:
            print(f"{kind:14} {count:3} {pattern[:70]!r} {detail[:90]}")
    worker.stop()
    definite = sum(kinds[kind] for kind in DEFINITE)
    times.sort()
    print(f"{len(patterns):,} patterns, {definite:,} definite answers ({100 * definite / len(patterns):.2f} %)")
    print(", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common()))
    print(
        f"median {1000 * times[len(times) // 2]:.2f} ms, 99 % within {1000 * times[len(times) * 99 // 100]:.0f} ms, "
        f"slowest {times[-1]:.2f} s"
    )
    return 0 if definite >= 0.98 * len(patterns) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
