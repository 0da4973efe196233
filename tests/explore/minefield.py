"""A walk on a grid with mines: at chosen states, a call does something to its process that no caller survives."""

import ctypes
import os
import signal
import sys
import threading
import time

SIDE = 11  # 121 places, 247 mines


class Minefield:
    """A place on a grid. Each method but the first two is harmless except on its mines."""

    def __init__(self) -> None:
        self.x = 0
        self.y = 0

    def right(self) -> None:
        if self.x == SIDE - 1:
            raise ValueError("at the edge")
        self.x += 1

    def up(self) -> None:
        if self.y == SIDE - 1:
            raise ValueError("at the edge")
        self.y += 1

    def is_mined(self, kind: int) -> bool:
        return (self.x + 2 * self.y + kind) % 3 == 0

    def leave(self) -> None:
        if self.is_mined(0):
            os._exit(7)

    def crash(self) -> None:
        if self.is_mined(1):
            ctypes.string_at(0)

    def stop(self) -> None:
        if self.is_mined(2):
            os.kill(os.getpid(), signal.SIGKILL)

    def hang(self) -> None:
        while (self.x, self.y) in ((1, 1), (3, 2)):
            pass

    def sleep(self) -> None:
        if (self.x, self.y) == (2, 3):
            time.sleep(1000)

    def recurse(self) -> None:
        if self.is_mined(0):
            self.recurse()

    def hoard(self) -> None:
        if (self.x, self.y) in ((0, 1), (4, 4)):
            hoard = [bytearray(2**20)]
            while True:
                hoard.append(bytearray(2**24))

    def exit(self) -> None:
        if self.is_mined(1):
            sys.exit(5)

    def interrupt(self) -> None:
        if (self.x, self.y) in ((1, 2), (3, 4)):
            raise KeyboardInterrupt

    def ask(self) -> None:
        if self.is_mined(2):
            input("well?")

    def wander(self) -> None:
        os.chdir("/")

    def chatter(self) -> None:
        print("at", self.x, self.y)
        os.write(2, b"and beyond")

    def hurry(self) -> None:
        if self.is_mined(0):
            threading.Thread(target=time.sleep, args=(1000,)).start()

    def ignore(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)

    def fork(self) -> None:
        if (self.x, self.y) == (3, 3):
            os.fork()

    def stay(self) -> None:
        if (self.x, self.y) in ((2, 2), (5, 5)) and os.fork() == 0:
            time.sleep(1000)

    def close(self) -> None:
        if (self.x, self.y) == (4, 2):
            sys.stdout.close()
            os.close(1)
        if (self.x, self.y) == (2, 4):
            del sys.stdout


def mined(kind: int) -> int:
    """Return how many places have a mine of the kind."""
    return sum((x + 2 * y + kind) % 3 == 0 for x in range(SIDE) for y in range(SIDE))


FAULTS = {  # what is reported, and how often
    "leave": ("left with exit code 7", mined(0)),
    "crash": ("killed by SIGSEGV", mined(1)),
    "stop": ("killed by SIGKILL", mined(2)),
    "interrupt": ("killed by SIGINT", 2),
    "hang": ("took more than 2 s", 2),
    "sleep": ("took more than 2 s", 1),
    "recurse": ("RecursionError", mined(0)),
    "hoard": ("MemoryError", 2),
    "exit": ("SystemExit", mined(1)),
    "ask": ("EOFError", mined(2)),
}
HARMLESS = ("wander", "chatter", "hurry", "ignore", "fork", "stay", "close")  # to everybody but their own process
TOGETHER = tuple(each for each in HARMLESS if each != "hurry")  # threads need more memory than the others may have
EVERYTHING = "|".join(("right", "up", *FAULTS, *TOGETHER))


class Slow:
    """Every call costs about as much as a small computation."""

    def __init__(self) -> None:
        self.values: list[int] = []

    def add(self, value: int) -> None:
        until = time.perf_counter() + 20e-6
        while time.perf_counter() < until:
            pass
        self.values.append(value)


class Loud:
    """Prints what it does, and fails in the last of its 64 states."""

    def __init__(self) -> None:
        self.x = 0
        self.y = 0

    def right(self) -> None:
        print("going right")
        if self.x == 7:
            raise ValueError("at the edge")
        self.x += 1

    def up(self) -> None:
        if self.y == 7:
            raise ValueError("at the edge")
        self.y += 1

    def fail(self) -> None:
        print("failing at", self.x, self.y)
        if self.x + self.y == 14:
            raise RuntimeError("too far")

    def leave(self) -> None:
        if self.x + self.y == 13:
            print("good bye", end="")
            os._exit(4)


class Stuck:
    """Its invariant does not return for some objects."""

    def __init__(self) -> None:
        self.count = 0

    def grow(self) -> None:
        if self.count == 5:
            raise ValueError("large enough")
        self.count += 1

    def rep_ok(self) -> bool:
        while self.count == 3:
            pass
        return True


class Keyed:
    """Holds functions: one of its module, one made on the spot, and one that closed over a variable."""

    def __init__(self, base: int) -> None:
        self.kept = mined
        self.made = lambda value: value
        self.closed = lambda value: value + base
        self.values: list[int] = []

    def add(self, value: int) -> None:
        self.values.append(self.closed(self.made(value)))


class Local:
    """Holds a class that nobody else can find."""

    def __init__(self) -> None:
        self.kind = type("Hidden", (), {})
        self.full = False

    def fill(self) -> None:
        self.full = True


class ManyExits:
    """Leaves its process with another code each time."""

    def __init__(self) -> None:
        self.count = 0

    def grow(self) -> None:
        if self.count == 4:
            raise ValueError("large enough")
        self.count += 1

    def leave(self) -> None:
        if self.count:
            os._exit(self.count)


class Brittle:
    """Ends the process when it is hashed after it got old."""

    def __init__(self) -> None:
        self.old = False

    def __hash__(self) -> int:
        if self.old:
            os._exit(9)
        return 1


class Fragile:
    """Cannot be made again once it is old: a set hashes what is put into it."""

    def __init__(self) -> None:
        self.items = {Brittle()}

    def age(self) -> None:
        for item in self.items:
            item.old = True


class Typewriter:
    """Holds texts that nobody has seen before."""

    def __init__(self) -> None:
        self.text = ""

    def strike(self, letter: str) -> None:
        if len(self.text) == 3:
            raise ValueError("the line is full")
        self.text += letter

    def shift(self) -> None:
        self.text = self.text.swapcase()


class Proud:
    """Ends the process when it is let go of while it is old."""

    def __init__(self) -> None:
        self.age = 0

    def grow(self) -> None:
        self.age = (self.age + 1) % 4

    def __del__(self) -> None:
        if self.age == 3:
            os._exit(9)


class Splitting:
    """Makes copies of its process in one of its 60 states, and writes down which of them are called there."""

    def __init__(self) -> None:
        self.count = 0

    def grow(self) -> None:
        if self.count == 59:
            raise ValueError("large enough")
        self.count += 1

    def split(self, times: int) -> None:
        if self.count == 50 and times:
            os.fork()

    def write(self, times: int) -> None:
        if self.count == 50:
            with open(os.environ["NOTES"], "a") as notes:  # noqa: PTH123
                notes.write(f"{os.getpid()} {times}\n")
