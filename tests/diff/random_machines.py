"""Random classes whose behaviour is a table: two of them are compared by walking both tables at once.

A class has a few states, and methods that lead from one to another and answer, or raise. Its second version keeps its
state otherwise, under other numbers, some of them twice; it is equal, or one entry of its table was changed.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, replace

ERRORS = ("ValueError", "KeyError", "RuntimeError")


@dataclass(frozen=True)
class Machine:
    """For each state and method the next state and an answer; a text that is the name of an exception is raised."""

    table: tuple[tuple[tuple[int, int | str], ...], ...]

    @property
    def methods(self) -> int:
        return len(self.table[0])


def random_pair(seed: int) -> tuple[Machine, Machine]:
    """Return two machines: equal ones for even seeds, and for odd ones with one entry changed, if that can be seen or not."""
    pick = random.Random(seed)
    states, methods = pick.randint(2, 6), pick.randint(1, 3)
    first = Machine(
        tuple(
            tuple((pick.randrange(states), pick.choice([0, 0, 1, 2, *ERRORS])) for _ in range(methods))
            for _ in range(states)
        )
    )
    second = first
    if seed % 2:
        state, method = pick.randrange(states), pick.randrange(methods)
        rows = [list(row) for row in first.table]
        after, answer = rows[state][method]
        rows[state][method] = (pick.randrange(states), answer) if pick.random() < 0.5 else (after, 3)
        second = Machine(tuple(map(tuple, rows)))
    return first, twice(second, pick)


def twice(machine: Machine, pick: random.Random) -> Machine:
    """Return a machine that does the same, with some of its states twice and all of them in another order."""
    own = [*range(len(machine.table)), *(pick.randrange(len(machine.table)) for _ in range(2))]
    rest = own[1:]
    pick.shuffle(rest)
    own = [own[0], *rest]  # the first state stays the first
    alike = {state: [place for place, each in enumerate(own) if each == state] for state in range(len(machine.table))}
    rows = [tuple((pick.choice(alike[after]), answer) for after, answer in machine.table[state]) for state in own]
    return replace(machine, table=tuple(rows))


def calls_to_tell(one: Machine, other: Machine) -> int | None:
    """Return how many calls it takes to tell two machines apart, by walking both tables; None where nothing does."""
    waiting, seen = deque([((0, 0), 0)]), {(0, 0)}
    while waiting:
        (a, b), calls = waiting.popleft()
        for method in range(one.methods):
            (next_a, said_a), (next_b, said_b) = one.table[a][method], other.table[b][method]
            if said_a != said_b:
                return calls + 1
            if (next_a, next_b) not in seen:
                seen.add((next_a, next_b))
                waiting.append(((next_a, next_b), calls + 1))
    return None


def source(machine: Machine, *, as_text: bool) -> str:
    """Return a class that behaves so; it keeps its state as a number, or as a row of letters."""
    start, read, write = ("'a'", "ord(self._where) - 97", "chr(97 + {})") if as_text else ("0", "self._where", "{}")
    lines = ["class Machine:", "    def __init__(self) -> None:", f"        self._where = {start}"]
    for method in range(machine.methods):
        rows = {state: row[method] for state, row in enumerate(machine.table)}
        lines += [
            f"    def m{method}(self):",
            f"        after, said = {rows!r}[{read}]",
            f"        self._where = {write.format('after')}",
            "        if isinstance(said, str):",
            "            raise {'ValueError': ValueError, 'KeyError': KeyError, 'RuntimeError': RuntimeError}[said](said)",
            "        return said",
        ]
    return "\n".join(lines) + "\n"
