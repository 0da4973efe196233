"""Random invariants: every construct that becomes clauses is in this grammar, so that both grow together.

`written(seed)` is the source of a module with a class `Subject` and its `Node`; ways of saying the same thing are taken
at random, so most invariants make no sense. That is the point.
"""

from __future__ import annotations

import random

HEAD = """
import enum
from collections import deque
from unlike.invariants import ordered, reachable, tree

LIMIT = 2
SMALL = (0, 1)


class Colour(enum.Enum):
    RED = "r"
    BLACK = "b"


class Node:
    left: "Node | None"
    right: "Node | None"
    key: int
    mark: bool
    BASE = 1

    @property
    def both(self):
        return (self.left, self.right)

    def is_leaf(self):
        return self.left is None and self.right is None

    def deeper(self, least):
        if self.key < least:
            return False
        for each in self.both:
            if each is not None and not each.deeper(least + 1):
                return False
        return True


def helper(node, number=1, *rest):
    if node is None:
        return number > 0
    if rest and node.key == rest[0]:
        return node.left is None
    return node.key >= number


class Subject:
    root: "Node | None"
    size: int
    items: "list[int]"
    colour: Colour
"""

TAIL = """
    def walk(self, node, seen):
        if node is None:
            return True
        if node in seen:
            return False
        seen.add(node)
        return self.walk(node.left, seen) and self.walk(node.right, seen)

    def twice(self, node, seen):
        if node is None or node.left is None:
            return True
        if node in seen:
            return False
        seen.add(node)
        return self.twice(node.left, seen) and self.twice(node.right, seen) and self.twice(node.left, seen)

    def height(self, node):
        if node is None:
            return 0
        one, other = self.height(node.left), self.height(node.right)
        return max(one, other) + 1

    def weigh(self, node):
        if node is None:
            return True, 0
        fine, weight = self.weigh(node.left)
        if not fine:
            return False, 0
        return node.key >= weight, weight + node.key

    def sorted(self, node, low, high):
        if node is None:
            return True
        if low is not None and node.key <= low:
            return False
        if high is not None and node.key >= high:
            return False
        return self.sorted(node.left, low, node.key) and self.sorted(node.right, node.key, high)

    def count(self, node, depth):
        if node is None or depth > 3:
            return 0
        return 1 + self.count(node.left, depth + 1) + self.count(node.right, depth + 1)

    def pair(self, node, number):
        if node is None:
            return number, 0
        if node.key > number:
            return node.key, 1
        return 2, number
"""

PATTERNS = {  # a subject of `match`, and patterns that do not fit every value of it
    "a": ["None", "Node(left=None)", "Node(key=x)", "Node(key=0 | 1 as y)", "Node(right=Node() as b)", "Node() as b",
          "Node(left=Node(key=x), right=b)", "None | Node(mark=True)", "int()"],
    "x": ["0", "1 | 2", "int(y)", "None", "bool()", "-1", "True"],
    "self.items": ["[]", "[x]", "[x, *_]", "[*_, y]", "[0 | 1 as x, _]", "{}", "[*_]"],
    "(a, x)": ["(None, 0)", "(Node() as b, y)", "(_, 1)", "[b, 2 | 0]", "(Node(left=b), *_)", "(_, _, _)", "tuple()"],
    "self.colour": ["Colour.RED", "Colour.BLACK", "Colour.RED | Colour.BLACK", "Colour()"],
    "known": ["{}", "{0: x}", "dict()", "[]", "None"],
    "a.mark": ["True", "False", "0", "bool(x)", "1 | None"],
}  # fmt: skip


class Writer:
    """Writes one invariant."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    # -- expressions -------------------------------------------------------------------------------

    def thing(self) -> str:
        return self.pick(
            "a", "b", "a", "b", "self.root", "None", "a.left", "a.right", "b.left",
            "(a or b)", "(a and a.left)", "(a.left if a is not None else b)", 'getattr(a, "right")',
        )  # fmt: skip

    def number(self) -> str:
        return self.pick(
            "x", "y", "a.key", "b.key", "self.size", "0", "1", "2", "LIMIT", "a.BASE", "x + 1", "y - 1", "x + y",
            "x * 2", "y // 2", "x % 2", "-x", "min(x, y)", "max(x, 1)", "abs(y)", "len(seen)", "len(work)",
            "len(known)", "len(self.items)", "self.height(a)", "self.count(b, x)", "known.get(a, 1)", "a.mark + 1",
            "sum(self.items)", "sum(n.key for n in work)", "self.items[0]", "self.items[-1]", "max(self.items)",
            "x & 1", "len(reachable(a, 'left', 'right'))", "(x if a is b else y)", "int(a.mark)",
        )  # fmt: skip

    def truth(self, depth: int = 0) -> str:
        options = [
            lambda: f"{self.thing()} is None",
            lambda: f"{self.thing()} is not None",
            lambda: f"{self.thing()} is {self.thing()}",
            lambda: f"{self.thing()} == {self.thing()}",
            lambda: f"{self.number()} {self.pick('<', '<=', '==', '!=', '>', '>=')} {self.number()}",
            lambda: f"0 <= {self.number()} < {self.number()}",
            lambda: f"{self.pick('a', 'b', 'a.left')} {self.pick('in', 'not in')} {self.pick('seen', 'work', 'known')}",
            lambda: f"id({self.pick('a', 'b')}) in {{id(self.root), id(b)}}",
            lambda: (
                f"{self.number()} {self.pick('in', 'not in')} {self.pick('SMALL', 'self.items', 'range(x)', '{0, 2}')}"
            ),
            lambda: f"a.mark {self.pick('is', '==', 'and', 'or')} {self.pick('True', 'False', 'b is None')}",
            lambda: f"self.colour {self.pick('is', '==', '!=')} Colour.{self.pick('RED', 'BLACK')}",
            lambda: f"isinstance({self.thing()}, Node)",
            lambda: f"type({self.pick('a', 'x')}) is {self.pick('Node', 'int')}",
            lambda: self.pick("a.is_leaf()", "helper(a)", "helper(b, x)", "helper(a, number=y)", "helper(a, 1, x, y)"),
            lambda: self.pick("self.walk(a, seen)", "self.walk(self.root, set())", "self.weigh(a)[0]", "a.deeper(x)"),
            lambda: self.pick("self.twice(a, seen)", "self.walk(a, seen) and self.walk(b, seen)", "tree(a, 'left')"),
            lambda: self.pick("self.sorted(a, None, None)", "self.sorted(self.root, x, None)", "self.count(a, 0) == x"),
            lambda: (
                f"{self.pick('any', 'all')}(n is not None and n.key > {self.number()} for n in ({self.thing()}, b))"
            ),
            lambda: f"{self.pick('any', 'all')}(n.mark for n in {self.pick('work', 'seen', 'known')})",
            lambda: "all(i <= v for i, v in enumerate(self.items))",
            lambda: self.pick("work", "seen", "known", "self.items", "x", "a", "bool(y)"),
            lambda: f"(n := {self.thing()}) is None or n.key == {self.number()}",
            lambda: f"[n.key for n in work if n.mark] {self.pick('and', 'or')} x > 0",
        ]
        if depth < 2:
            options += [
                lambda: f"not ({self.truth(depth + 1)})",
                lambda: f"({self.truth(depth + 1)} and {self.truth(depth + 1)})",
                lambda: f"({self.truth(depth + 1)} or {self.truth(depth + 1)})",
            ] * 2
        return self.random.choice(options)()

    # -- statements --------------------------------------------------------------------------------

    def block(self, indent: int, depth: int, *, loop: bool) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(indent, depth, loop=loop)

    def add(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def statement(self, indent: int, depth: int, *, loop: bool) -> None:
        kind = self.random.random()
        if kind < 0.32:
            self.simple(indent)
        elif kind < 0.50 and depth < 3:
            self.branch(indent, depth, loop=loop)
        elif kind < 0.58 and depth < 3:
            self.match(indent, depth, loop=loop)
        elif kind < 0.75 and depth < 2:
            self.loop(indent, depth)
        elif loop and kind < 0.9:
            self.add(indent, self.pick("break", "continue"))
        else:
            self.add(indent, f"if {self.truth()}:")
            self.add(indent + 1, "return False")

    def simple(self, indent: int) -> None:
        self.add(
            indent,
            self.random.choice(
                [
                    lambda: f"{self.pick('a', 'b')} = {self.thing()}",
                    lambda: f"{self.pick('x', 'y')} = {self.number()}",
                    lambda: f"{self.pick('x', 'y')} {self.pick('+=', '-=')} {self.pick('1', 'a.key', 'x')}",
                    lambda: f"a, b = {self.thing()}, {self.thing()}",
                    lambda: f"x, y = self.pair({self.pick('a', 'b')}, x)",
                    lambda: f"seen.add({self.pick('a', 'b')})",
                    lambda: f"seen.discard({self.pick('a', 'b')})",
                    lambda: f"work.append({self.pick('a', 'b', 'self.root')})",
                    lambda: f"work.extend(each for each in {self.pick('a.both', 'b.both')} if each is not None)",
                    lambda: self.pick(
                        "a = work.pop()", "b = work.pop(0)", "a = work[0]", "b = work[-1]", "a = work[x]"
                    ),
                    lambda: f"known[{self.pick('a', 'b', 'self.root')}] = {self.number()}",
                    lambda: f"x = known[{self.pick('a', 'b')}]",
                    lambda: f"seen = {self.pick('set(work)', '{n for n in work}', 'set()', 'seen')}",
                    lambda: f"work = {self.pick('list(seen)', '[n for n in seen if n is not a]', '[]', '[a, b]')}",
                    lambda: f"known = {self.pick('{n: n.key for n in work}', '{}', '{a: x}')}",
                    lambda: f"assert {self.truth()}",
                    lambda: "pass",
                ]
            )(),
        )

    def branch(self, indent: int, depth: int, *, loop: bool) -> None:
        self.add(indent, f"if {self.truth()}:")
        if self.random.random() < 0.35:
            self.add(indent + 1, f"return {self.pick('False', 'False', 'True', self.truth())}")
        else:
            self.block(indent + 1, depth + 1, loop=loop)
            if self.random.random() < 0.4:
                self.add(indent, "else:")
                self.block(indent + 1, depth + 1, loop=loop)

    def match(self, indent: int, depth: int, *, loop: bool) -> None:
        subject = self.random.choice(list(PATTERNS))
        self.add(indent, f"match {subject}:")
        patterns = self.random.sample(PATTERNS[subject], self.random.randint(1, 3))
        for pattern in [*patterns, *(["_"] if self.random.random() < 0.4 else [])]:
            guard = f" if {self.truth(1)}" if self.random.random() < 0.25 else ""
            self.add(indent + 1, f"case {pattern}{guard}:")
            if self.random.random() < 0.3:
                self.add(indent + 2, f"return {self.pick('False', 'True', self.truth())}")
            else:
                self.block(indent + 2, depth + 1, loop=loop)

    def loop(self, indent: int, depth: int) -> None:
        kind = self.random.randrange(6)
        if kind == 0:
            self.add(indent, "while a is not None and a not in seen:")
            self.add(indent + 1, "seen.add(a)")
            self.block(indent + 1, depth + 1, loop=True)
            self.add(indent + 1, f"a = {self.pick('a.left', 'a.right', 'b', 'a.left if a is not None else b')}")
        elif kind == 1:
            self.add(indent, "work = [self.root] if self.root is not None else []")
            self.add(indent, "while work:")
            self.add(indent + 1, f"n = work.pop({self.pick('0', '')})")
            self.add(indent + 1, "if n in seen:")
            self.add(indent + 2, self.pick("return False", "continue", "break"))
            self.add(indent + 1, "seen.add(n)")
            self.add(indent + 1, "for each in (n.left, n.right):")
            self.add(indent + 2, "if each is not None:")
            self.add(indent + 3, "work.append(each)")
            if self.random.random() < 0.5:
                self.block(indent + 1, depth + 1, loop=True)
        else:
            head = self.pick(
                f"for n in ({self.thing()}, {self.thing()}):", "for n in work:", "for n in seen:", "for n in known:",
                f"for x in range({self.number()}):", "for y in self.items:", "for x, y in enumerate(self.items):",
                "for n, y in known.items():", "for y in known.values():",
            )  # fmt: skip
            self.add(indent, head)
            if "n" in head.split(" in ")[0] and self.random.random() < 0.5:
                self.add(indent + 1, "if n is None:")
                self.add(indent + 2, self.pick("continue", "break", "return False"))
                self.add(indent + 1, f"{self.pick('a', 'b')} = n")
            self.block(indent + 1, depth + 1, loop=True)
            if self.random.random() < 0.2:
                self.add(indent, "else:")
                self.block(indent + 1, depth + 1, loop=False)

    def source(self) -> str:
        self.add(1, "def rep_ok(self):")
        self.add(2, "a, b, x, y = self.root, None, 0, self.size")
        self.add(2, "seen, work, known = set(), [], {}")
        for _ in range(self.random.randint(2, 5)):
            self.statement(2, 0, loop=False)
        self.add(2, f"return {self.truth()}")
        return HEAD + "\n" + "\n".join(self.lines) + "\n" + TAIL


def written(seed: int) -> str:
    """Return the source of a module with one random invariant."""
    return Writer(seed).source()
