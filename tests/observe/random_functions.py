"""Random small functions with every kind of condition, and with what makes observing hard."""

from __future__ import annotations

import random
import re
from typing import Any

HEAD = '''"""Written at random."""

from tests.observe.random_functions import PATTERN, Odd

LIMIT = 2
NAMES = ("a", "ab", "zz")
'''
PATTERN = re.compile("[ab]+$")
LOG: list[str] = []


class Odd:
    """Compares as it likes, and remembers it: to ask it once more would show."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        LOG.append(f"== {other!r}")
        return bool(self.number == other)

    def __lt__(self, other: Any) -> bool:
        LOG.append(f"< {other!r}")
        if self.number == 3:
            raise ArithmeticError("odd")
        return bool(self.number < other)

    def __bool__(self) -> bool:
        LOG.append("bool")
        return self.number > 1

    def __contains__(self, other: object) -> bool:
        LOG.append(f"in {other!r}")
        return other == self.number

    def __repr__(self) -> str:
        return f"Odd({self.number})"

    __hash__ = None  # type: ignore[assignment]


class FunctionWriter:
    """Writes one function."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.lines: list[str] = []
        self.loops = 0

    def write(self, name: str) -> str:
        self.lines = [f"def {name}(a, b, s, m, o):", "    x = y = 1"]
        self.block(1, 6)
        self.lines += ["    return x, y, a, b, s, m"]
        return "\n".join(self.lines) + "\n\n\n"

    def block(self, depth: int, size: int) -> None:
        for _ in range(self.pick.randint(1, size)):
            kinds = [self.assign, self.assign, self.if_, self.if_, self.loop, self.try_, self.match, self.leave]
            (self.pick.choice(kinds) if depth < 4 else self.assign)(depth)

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def assign(self, depth: int) -> None:
        choice = self.pick.randrange(9)
        if choice == 0:
            self.put(depth, f"m.append({self.number()})")
        elif choice == 1:
            self.put(depth, f"{self.pick.choice('ab')} = {self.number()}")
        elif choice == 2:
            self.put(
                depth, f"s = s[{self.pick.randint(0, 1)}:] + {self.pick.choice(['chr(97 + x % 3)', repr('b'), 's[0]'])}"
            )
        elif choice == 3:
            self.put(depth, f"f = lambda q: {self.truth(1)} and q > {self.number(1)}")
            self.put(depth, f"y = f({self.number(1)})")
        elif choice == 4:
            self.put(depth, f"y = {self.truth()}")
        else:
            self.put(depth, f"x {self.pick.choice(['=', '+=', '-='])} {self.number()}")

    def if_(self, depth: int) -> None:
        self.put(depth, f"if {self.truth()}:")
        self.block(depth + 1, 2)
        if self.pick.random() < 0.3:
            self.put(depth, f"elif {self.truth()}:")
            self.block(depth + 1, 1)
        if self.pick.random() < 0.4:
            self.put(depth, "else:")
            self.block(depth + 1, 2)

    def loop(self, depth: int) -> None:
        self.loops += 1
        name = f"n{self.loops}"
        if self.pick.random() < 0.5:
            self.put(depth, f"{name} = 0")
            self.put(depth, f"while {name} < {self.pick.randint(0, 3)} and {self.truth(1)}:")
            self.put(depth + 1, f"{name} += 1")
        else:
            self.put(depth, f"for {name} in {self.pick.choice(['range(a % 4)', 'm[:3]', 's', '(1, 2)'])}:")
        self.block(depth + 1, 2)
        if self.pick.random() < 0.4:
            self.put(depth + 1, f"if {self.truth(1)}:")
            self.put(depth + 2, self.pick.choice(["break", "continue"]))

    def try_(self, depth: int) -> None:
        self.put(depth, "try:")
        self.block(depth + 1, 2)
        self.put(
            depth, f"except {self.pick.choice(['ZeroDivisionError', 'IndexError', '(ValueError, ArithmeticError)'])}:"
        )
        self.block(depth + 1, 1)
        if self.pick.random() < 0.3:
            self.put(depth, "finally:")
            self.put(depth + 1, "x += 1")

    def match(self, depth: int) -> None:
        self.put(depth, f"match {self.pick.choice(['a', 's', self.number(1)])}:")
        for literal in self.pick.sample(["0", "1 | 2", "'ab'", "-3", "int()", "5"], 2):
            guard = f" if {self.truth(1)}" if self.pick.random() < 0.3 else ""
            self.put(depth + 1, f"case {literal}{guard}:")
            self.block(depth + 2, 1)
        if self.pick.random() < 0.5:
            self.put(depth + 1, "case _:")
            self.put(depth + 2, "y = 0")

    def leave(self, depth: int) -> None:
        choice = self.pick.randrange(3)
        if choice == 0:
            self.put(depth, f"assert {self.truth()}")
        else:
            self.put(depth, f"if {self.truth(1)}:")
            self.put(depth + 1, f"return {self.number()}" if choice == 1 else "raise ValueError(x)")

    def number(self, depth: int = 2) -> str:
        pick = self.pick
        leaves = ["a", "b", "x", "len(s)", "len(m)", "LIMIT", *map(str, range(-1, 4))]
        if not depth or pick.random() < 0.4:
            return pick.choice(leaves)
        return pick.choice(
            [
                lambda: f"({self.number(depth - 1)} {pick.choice(['+', '-', '%', '//'])} {self.number(depth - 1)})",
                lambda: f"({self.number(depth - 1)} if {self.truth(depth - 1)} else {self.number(depth - 1)})",
                lambda: f"({self.number(depth - 1)} or {self.number(depth - 1)})",
                lambda: f"({self.number(depth - 1)} and {self.number(depth - 1)} and {self.number(depth - 1)})",
                lambda: f"len([q for q in m if {self.truth(depth - 1)} if q > {self.number(0)}])",
                lambda: f"sum(q for q in range({pick.randint(0, 3)}) if {self.truth(depth - 1)})",
                lambda: f"m[{pick.randint(0, 2)}]",
            ]
        )()

    def truth(self, depth: int = 2) -> str:
        pick = self.pick
        order = ["<", "<=", ">", ">=", "==", "!="]
        leaves = [
            lambda: f"{self.number(depth)} {pick.choice(order)} {self.number(0)}",
            lambda: f"{self.number(0)} {pick.choice(order)} {self.number(0)} {pick.choice(order)} {self.number(0)}",
            lambda: (
                f"s {pick.choice(['==', '!=', '<', 'in', 'not in'])} {pick.choice(['NAMES[0]', repr('ab'), repr('bb')])}"
            ),
            lambda: (
                f"s {pick.choice(['in', 'not in'])} {pick.choice(['NAMES', '{' + repr('a') + ', ' + repr('ba') + '}'])}"
            ),
            lambda: f"{self.number(0)} in {pick.choice(['(0, 2)', 'm', '{1, 3}', 'o'])}",
            lambda: (
                f"s.{pick.choice(['startswith', 'endswith'])}({pick.choice([repr('a'), '(' + repr('b') + ', ' + repr('ab') + ')'])})"
            ),
            lambda: f"PATTERN.match(s) is {pick.choice(['', 'not '])}None",
            lambda: pick.choice(["o", "x", "s", "m", "PATTERN.match(s)", "isinstance(y, bool)"]),
            lambda: f"o {pick.choice(['==', '<'])} {self.number(0)}",
            lambda: f"(w := {self.number(0)}) > 1",
        ]
        if not depth or pick.random() < 0.45:
            return pick.choice(leaves)()
        return pick.choice(
            [
                lambda: f"not {self.truth(depth - 1)}",
                lambda: f"({self.truth(depth - 1)} and {self.truth(depth - 1)})",
                lambda: f"({self.truth(depth - 1)} or {self.truth(depth - 1)})",
                lambda: f"({self.truth(depth - 1)} and {self.truth(0)} and {self.truth(0)})",
                lambda: f"({self.truth(depth - 1)} or {self.truth(0)} or {self.truth(0)})",
            ]
        )()


def random_arguments(seed: int) -> tuple[Any, ...]:
    """Return new arguments, some of which the function may change."""
    pick = random.Random(seed)
    texts = ["", "a", "ab", "abb", "b", "ba", "zz"]
    items = [pick.randint(-1, 3) for _ in range(pick.randint(0, 3))]
    return pick.randint(-3, 5), pick.randint(-1, 4), pick.choice(texts), items, Odd(pick.randint(0, 3))
