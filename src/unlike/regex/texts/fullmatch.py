"""Python's own verdict on a text, asked in another process where the question can be dropped.

`re` may take time exponential in the length of a text, and nothing stops it from outside. So what might take for ever
is asked of a small process that is kept; it gives up by its own processor time, and says so.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING

from unlike.regex.quiet import compile_quietly

if TYPE_CHECKING:
    import subprocess

SECONDS = 0.25  # of processor time for one text
PATIENCE = 10.0  # seconds by the clock, where a process cannot count its own
COUNTED = hasattr(signal, "setitimer")
NO_TIME = 4  # up to so many characters no text takes long
GIVEN_UP = 3  # so many texts of a pattern may stay open before no more are asked

_CHILD = """
import json, re, signal, sys, warnings

warnings.simplefilter("ignore")
patterns = {}


class Late(Exception):
    pass


def late(*_):
    raise Late


try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000))
except (ImportError, OSError, ValueError):
    pass
counted = hasattr(signal, "setitimer")
if counted:
    signal.signal(signal.SIGVTALRM, late)
for line in sys.stdin:
    pattern, flags, text, seconds = json.loads(line)
    try:
        if (pattern, flags) not in patterns:
            patterns[pattern, flags] = re.compile(pattern, flags)
        if counted:
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        answer = patterns[pattern, flags].fullmatch(text) is not None
        if counted:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except (Late, MemoryError):
        answer = None
    except SystemError:
        answer = False
    print(json.dumps(answer), flush=True)
"""


class _Judge:
    """The process, started when it is first needed, and again after it had to be ended."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[str] | None = None
        self.owner = 0
        self.registered = False

    def ask(self, pattern: str, flags: int, text: str) -> bool | None:
        """Return whether the text matches, or None if that was not found out in time."""
        with self.lock:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            watch = None if COUNTED else threading.Timer(PATIENCE, process.kill)
            if watch is not None:
                watch.start()
            try:
                process.stdin.write(json.dumps([pattern, flags, text, SECONDS]) + "\n")
                process.stdin.flush()
                said = process.stdout.readline()
            except OSError:
                said = ""
            finally:
                if watch is not None:
                    watch.cancel()
            if not said:  # it died
                self.end()
            return {"true": True, "false": False}.get(said.strip())

    def _running(self) -> subprocess.Popen[str]:
        if self.process is None or self.owner != os.getpid():  # a fork must not share the pipes
            import subprocess  # seldom needed, and slow to load

            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _CHILD],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="ascii",
            )
            self.owner = os.getpid()
            if not self.registered:
                atexit.register(self.end)
                self.registered = True
        return self.process

    def end(self) -> None:
        """End the process, and leave nothing open."""
        process, self.process = self.process, None
        if process is None or self.owner != os.getpid():
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


_JUDGE = _Judge()
_open: dict[tuple[str, int], int] = {}


def given_up(pattern: str, flags: int) -> bool:
    """Say whether Python left so many texts of the pattern open that it is asked only where nothing else answers.

    That depends on what ran before, and on how fast: it may save time, and must never decide what is found.
    """
    return _open.get((pattern, flags), 0) >= GIVEN_UP


def fullmatch(pattern: str, flags: int, text: str, *, insist: bool = False) -> bool | None:
    """Say whether `re.fullmatch` accepts the text, or None if it does not come to an answer.

    A pattern that was given up is asked again only by one who insists.
    """
    if not insist and given_up(pattern, flags):
        return None
    answer = _JUDGE.ask(pattern, flags, text)
    if answer is None:
        _open[pattern, flags] = _open.get((pattern, flags), 0) + 1
    return answer


_listening: ContextVar[tuple[dict[str, None], ...]] = ContextVar("listening", default=())


@contextlib.contextmanager
def collect_unconfirmed() -> Iterator[dict[str, None]]:
    """Collect the texts that count as matching meanwhile though Python said nothing of them."""
    texts: dict[str, None] = {}
    before = _listening.set((*_listening.get(), texts))
    try:
        yield texts
    finally:
        _listening.reset(before)


def note_unconfirmed(text: str) -> None:
    """Note a text that only the independent matcher accepted."""
    for texts in _listening.get():
        texts[text] = None


def in_words(texts: int) -> str:
    """Return what is said of so many texts that Python did not confirm."""
    return f"{texts} of these passed only the independent matcher: re.fullmatch came to no answer in time"


@functools.lru_cache(maxsize=512)
def careful(pattern: str, flags: int = 0) -> Callable[[str], object | None]:
    """Return what stands for the `fullmatch` of a compiled pattern: as fast, and without hanging on any text."""
    compiled = compile_quietly(pattern, flags)
    if (
        len(re.findall(r"[*+?{|]|\\\d", pattern)) <= 1 and ")" not in pattern
    ):  # one decision at most: no need to parse it
        return compiled.fullmatch

    def ask(text: str) -> object | None:
        if len(text) <= NO_TIME:
            return compiled.fullmatch(text)
        from unlike.regex.match import accepts
        from unlike.regex.tree import parse

        return True if accepts(parse(pattern, flags), text) else None

    return ask
