"""A walk on a grid with mines: at chosen states, a call does something to its process that no caller survives."""

import ctypes
import os
import signal
import sys
import time

SIDE = 11  # 121 places, 207 mines


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

    def wander(self) -> None:
        os.chdir("/")
        print("somewhere else")

    def fork(self) -> None:
        if (self.x, self.y) == (3, 3):
            os.fork()


METHODS = ("leave", "crash", "stop")  # mined on a third of the states each
EVERYTHING = "right|up|leave|crash|stop|hang|sleep|recurse|hoard|exit|wander|fork"


class Slow:
    """Every call costs about as much as a small computation."""

    def __init__(self) -> None:
        self.values: list[int] = []

    def add(self, value: int) -> None:
        until = time.perf_counter() + 20e-6
        while time.perf_counter() < until:
            pass
        self.values.append(value)
