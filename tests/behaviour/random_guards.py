"""Random small functions, and a way to note every condition as it is looked at.

The grammar has comparisons of arguments with constants and with each other, membership, patterns, lengths and truth, in
`if`, `while`, `a if b else c`, behind early returns, exceptions and handlers; and what defeats a proof: arguments that
are bound anew (by assignment, `for`, `:=`, `except … as`, `nonlocal`, `match`), objects with an `__eq__` of their own,
globals that change, and functions that call themselves.
"""

from __future__ import annotations

import ast
import random
from dataclasses import dataclass, field

HEAD = """
import re
LIMIT = 3
SHIFTING = 1
NAMES = ("x", "q")
DIGIT = re.compile("[a]+")


class Odd:
    def __eq__(self, other):
        return True

    __hash__ = None
"""
CONDITIONS = {
    "with a constant": ["a < {n}", "a == {n}", "b >= {n}", "{n} < b", "a != {n}", "k == 'x'", "k == 'other'", "s == 'ab'"],
    "with each other": ["a < b", "a == b", "b <= a", "a + 1 > b", "a * 2 == b", "a - b == {n}"],
    "chain": ["{n} < a < 4", "0 <= b <= a", "a < b < {n}"],
    "membership": ["a in (1, {n})", "k in NAMES", "k not in ('x', 'y')", "s in ('', 'b')", "'a' in s", "b in [{n}]"],
    "pattern": ["re.fullmatch('a*b?', s)", "DIGIT.fullmatch(s)", "s.startswith('a')", "s.endswith('b')"],
    "length": ["len(s) > {n}", "len(s) == 2", "len(s) % 2 == 1"],
    "truth": ["a", "not s", "t", "not t", "b"],
    "of the module": ["a > LIMIT", "b == LIMIT"],
    "not spoken of": ["a == SHIFTING", "Odd() == a", "a == Odd()", "str(a) == '3'", "a is True", "hash(s) == 1"],
}  # fmt: skip
DEFEATS = {
    "assigned": "a = a + 1",
    "by a loop": "for b in range(2):\n    pass",
    "by a walrus": "(a := 2)",
    "by a handler": "try:\n    raise ValueError\nexcept ValueError as s:\n    pass\ns = ''",
    "by a function": "def change():\n    nonlocal a\n    a = 4\nchange()",
    "by match": "match 3:\n    case b:\n        pass",
    "global": "globals()['SHIFTING'] += 1",
    "calls itself": "if depth < 1:\n    subject(3 - a, b, s, t, k, depth + 1)",
    "by name": "if depth < 1:\n    globals()['sub' + 'ject'](0, 0, '', t, 'x', depth + 1)",
}


@dataclass
class RandomFunction:
    """The lines of a function with a mark for each of its conditions, and what was drawn."""

    rng: random.Random
    kinds: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)

    def condition(self, depth: int = 0) -> str:
        if depth < 2 and self.rng.random() < 0.3:
            join = self.rng.choice([" and ", " or "])
            said = join.join(f"({self.condition(depth + 1)})" for _ in range(2))
            return f"not ({said})" if self.rng.random() < 0.2 else said
        kind = self.rng.choice(list(CONDITIONS))
        self.kinds.append(kind)
        return self.rng.choice(CONDITIONS[kind]).format(n=self.rng.randint(-1, 4))

    def test(self) -> str:
        """Return the mark of a new condition."""
        self.conditions.append(self.condition())
        return f"<{len(self.conditions) - 1}>"

    def block(self, depth: int = 0) -> list[str]:
        lines = []
        for _ in range(1 if depth else self.rng.randint(2, 4)):
            lines += self.statement(depth)
        if self.rng.random() < 0.5 and depth:
            lines.append(self.rng.choice(["return 1", "raise KeyError(1)"]))
        return lines

    def statement(self, depth: int) -> list[str]:
        draw = self.rng.random()
        if depth > 1 or draw < 0.15:
            return [f"done = 1 if {self.test()} else 2"]
        if draw < 0.25:
            return [f"while {self.test()}:", *indent(self.block(depth + 1)), *indent(["break"])]
        if draw < 0.35:
            return ["try:", *indent(self.block(depth + 1)), "except KeyError:", *indent(self.block(depth + 1))]
        lines = [f"if {self.test()}:", *indent(self.block(depth + 1))]
        return [*lines, "else:", *indent(self.block(depth + 1))] if self.rng.random() < 0.4 else lines


def indent(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def random_function(seed: int) -> RandomFunction:
    made = RandomFunction(random.Random(seed))
    defeat: list[str] = []
    if made.rng.random() < 0.5:
        kind = made.rng.choice(list(DEFEATS))
        made.kinds.append(kind)
        defeat = DEFEATS[kind].splitlines()
    inside = [*made.block(), *defeat, *made.block(), "return 0"]
    made.body = [*HEAD.strip().splitlines(), "", "", "def subject(a, b, s, t, k, depth=0):", *indent(inside)]
    return made


def text_of(made: RandomFunction) -> str:
    text = "\n".join(made.body) + "\n"
    for number, condition in enumerate(made.conditions):
        text = text.replace(f"<{number}>", condition)
    return text


class Noting(ast.NodeTransformer):
    """Puts `note((kind, line, column), …)` around every condition and every operand of `and` and `or` in one."""

    def __init__(self) -> None:
        self.places: dict[tuple[str, int, int], None] = {}

    def noted(self, kind: str, node: ast.expr, inner: ast.expr) -> ast.expr:
        place = kind, node.lineno, node.col_offset
        self.places[place] = None
        name = ast.copy_location(ast.Name("note", ast.Load()), node)
        call = ast.Call(name, [ast.Constant(place), inner], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def visit_test(self, node: ast.If | ast.While | ast.IfExp) -> ast.AST:
        test = node.test
        self.generic_visit(node)
        node.test = self.noted("condition", test, node.test)
        return node

    visit_If = visit_While = visit_IfExp = visit_test  # noqa: N815

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        before = list(node.values)
        self.generic_visit(node)
        node.values = [self.noted("operand", old, new) for old, new in zip(before, node.values, strict=True)]
        return node
