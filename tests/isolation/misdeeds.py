"""Work that does one bad thing, by name; in a module of its own, so that worker processes can import it."""

import ctypes
import itertools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

NAMELESS = getattr(signal, "SIGRTMIN", 26) + 5  # a signal that has no name on Linux


def hang() -> None:
    while True:
        pass


def hang_in_c() -> None:
    time.sleep(1000)


def leave() -> None:
    sys.exit(3)


def leave_at_once() -> None:
    os._exit(3)


def crash() -> None:
    ctypes.string_at(0)


def signal_oddly() -> None:
    os.kill(os.getpid(), NAMELESS)


def recurse() -> None:
    recurse()


def take_all_memory() -> None:
    hoard = [bytearray(2**20)]
    while True:
        hoard.append(bytearray(2**24))


def chatter() -> None:
    print("a word")
    os.write(2, b"and another")


def ask() -> None:
    input("well?")


def wander() -> None:
    os.chdir("/")


def start_a_thread() -> None:
    threading.Thread(target=time.sleep, args=(1000,)).start()


def handle_signals() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def fork() -> None:
    os.fork()


def fork_and_stay() -> None:
    if os.fork() == 0:
        time.sleep(1000)


def close_everything() -> None:
    sys.stdout.close()
    os.close(1)


MISDEEDS: dict[str, Callable[[], None]] = {
    each.__name__: each
    for each in (
        hang, hang_in_c, leave, leave_at_once, crash, signal_oddly, recurse, take_all_memory, chatter, ask, wander, start_a_thread,
        handle_signals, fork, fork_and_stay, close_everything,
    )
}  # fmt: skip
DEADLY = {"hang", "hang_in_c", "leave_at_once", "crash", "signal_oddly"}
RAISING = {"leave", "recurse", "take_all_memory", "ask"}


def work(item: tuple[int, str]) -> tuple[int, str]:
    """Return the square of the number and where we are, after doing what the name says."""
    number, misdeed = item
    where = str(Path.cwd())
    if misdeed:
        MISDEEDS[misdeed]()
    return number * number, where


_turns = itertools.count()


def turn(item: int) -> tuple[int, int]:
    """Return in which process, and as its how manieth, an item is done; every seventh ends its process at once."""
    if item % 7 == 3:
        os._exit(3)
    return os.getpid(), next(_turns)
