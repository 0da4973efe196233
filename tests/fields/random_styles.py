"""Random invariants in the words that people use: nested functions, generators, try, slices, tuples, sorted, zip …

`written_in_style(seed)` is the grammar of `random_invariants` and more; a construct that becomes clauses is in one of
the two.
"""

from __future__ import annotations

from tests.fields.random_invariants import HEAD, TAIL, Writer

IMPORTS = """
import functools
import itertools
import operator
from collections import Counter
from itertools import accumulate, chain, combinations, pairwise


class Odd(Exception):
    pass


def keys_below(node, deep=2):
    if node is None or deep < 0:
        return
    yield node.key
    yield from keys_below(node.left, deep - 1)
    if node.mark:
        return
    yield from keys_below(node.right, deep - 1)


def nodes_of(node):
    known = []
    while node is not None:
        if any(node is each for each in known):
            raise Odd(f"{node.key} comes again")
        known.append(node)
        yield node
        node = node.left


def first_of(*values):
    return next(iter(values), None)
"""
FIELDS = """    name: str

    @staticmethod
    def near(one, other=1):
        return abs(one - other) < 2

    @classmethod
    def limit(cls, number):
        return number <= cls.MOST

    @property
    def least(self):
        return min(self.items, default=self.size)

    MOST = 1
    TABLE = {0: 1, 1: 0}

    def in_order(self, node):
        if node is not None:
            yield from self.in_order(node.left)
            yield node
            yield from self.in_order(node.right)

    def collect(self, node, seen):
        if node is None:
            return []
        if node in seen:
            raise ValueError
        seen.add(node)
        return [*self.collect(node.left, seen), node, *self.collect(node.right, seen)]

    def depth(self, node, path=()):
        if node is None:
            return len(path)
        if any(each is node for each in path):
            raise RecursionError(f"{node!r}")
        return max(self.depth(node.left, (*path, node)), self.depth(node.right, path + (node,)))

    def problem(self, node):
        if node is None:
            return None
        if node.key > self.size:
            return f"{node.key} is more than {self.size}"
        return ""
"""
KINDS = ["AttributeError", "KeyError", "IndexError", "(TypeError, ValueError)", "Exception", "LookupError", "Odd",
         "UnboundLocalError", "ZeroDivisionError", "(AssertionError, AttributeError)"]  # fmt: skip


class StyledWriter(Writer):
    """Writes one invariant with all that the language has."""

    names = 0

    def fresh(self, word: str) -> str:
        self.names += 1
        return f"{word}{self.names}"

    def numbers(self) -> str:
        """Return a list of numbers, or something like it."""
        return self.pick(
            "[x, y]", "self.items", "[n.key for n in work]", "sorted(self.items + [x, y])", "[x, *self.items, y]",
            "self.items[::-1]", "self.items[x:]", "self.items[:y]", "[x, y][1:]", "[y] * x", "list(reversed([x, y]))",
            "list(map(lambda n: n.key, work))", "[x, y, 1][-2:]", "list(keys_below(a))", "sorted([x, y], reverse=True)",
            "sorted([x, y, 1], key=lambda v: -v)", "[i for i, v in enumerate(self.items, 1)]", "list(accumulate([x, y]))",
            "[p + q for p, q in pairwise([x, y, 2])]", "[*map(operator.add, [x], [y])]", "list(known.values())",
            "[v for v in (x, y) if v]", "list(chain([x], self.items))", "[p * q for p, q in combinations([x, y, 2], 2)]",
        )  # fmt: skip

    def number(self) -> str:
        if self.random.random() < 0.6:
            return super().number()
        return self.pick(
            "2 ** x", "x // 2", "y % 2", "x ** 2", f"sum({self.numbers()})", f"len({self.numbers()})",
            f"max({self.numbers()}, default=x)", f"min({self.numbers()}, key=lambda v: -v, default=0)",
            f"functools.reduce(lambda p, q: p + q, {self.numbers()}, 0)", f"next(iter({self.numbers()}), y)",
            f"({self.numbers()})[0]", f"({self.numbers()}).count(x)", "(x, y)[1]", "self.least", "self.TABLE[x]",
            "self.depth(a)", "len(self.name)", "Counter([x, y])[1]", "dict.fromkeys([x], 2).get(y, 0)", "1 // x",
            "len(list(self.in_order(a)))", "len(self.collect(a, set()))", "ord(self.name)", "len({*work, a})",
            "known.setdefault(a, x)", "first_of(x, y)", "first_of(*self.items)", "self.items.index(x)",
            "sum(1 for n in nodes_of(a) if n.mark)", "len((*work, a))", "{1: x}[y]", "int(x > y)",
        )  # fmt: skip

    def truth(self, depth: int = 0) -> str:
        if self.random.random() < 0.5:
            return super().truth(depth)
        order = self.pick("<", "<=", "==", "!=", ">", ">=")
        return self.random.choice(
            [
                lambda: f"{self.numbers()} {order} {self.numbers()}",
                lambda: f"(x, y) {order} (y, {self.number()})",
                lambda: f"(x, a) {self.pick('==', '!=')} (y, {self.thing()})",
                lambda: f"set({self.numbers()}) {order} {{x, 1}}",
                lambda: f"self.name {order} {self.pick(repr('a'), repr('ab'), 'self.name[:0]')}",
                lambda: self.pick(
                    "self.name + 'c' == 'ac'", "'b' in self.name", "self.name.isalpha()", "self.name[0:1]"
                ),
                lambda: f"any(map(lambda v: v > x, {self.numbers()}))",
                lambda: f"all(filter(None, {self.numbers()}))",
                lambda: f"all(p {order} q for p, q in zip({self.numbers()}, self.items))",
                lambda: f"known {self.pick('==', '!=')} {{a: {self.number()}}}",
                lambda: self.pick(
                    "known.keys() <= {a, b}", "set(known) == {a}", "seen & {a}", "seen - {b}", "{a} <= seen"
                ),
                lambda: self.pick("seen.issubset({a, b})", "seen.isdisjoint(work)", "{a, b}.union(work) == seen"),
                lambda: f"self.near({self.number()})",
                lambda: f"{self.pick('self', 'Subject')}.limit({self.number()})",
                lambda: f"{self.pick('x', '0')} < self.near(x) + y < {self.number()}",
                lambda: f"self.problem({self.pick('a', 'b')}) is {self.pick('None', 'not None')}",
                lambda: f"isinstance({self.thing()}, (Node, int, type(None)))",
                lambda: f"id({self.thing()}) in {{id(n) for n in work}}",
                lambda: f"(lambda n, m=x: n is not None and n.key > m)({self.thing()})",
                lambda: f"[n for n in self.in_order(a)] == [{self.thing()}]",
                lambda: f"a in list(nodes_of({self.pick('a', 'b', 'self.root')}))",
                lambda: f"tuple(work) {self.pick('==', '!=')} (a, {self.thing()})",
                lambda: "x < float('inf')",
            ]
        )()

    # -- statements --------------------------------------------------------------------------------

    def statement(self, indent: int, depth: int, *, loop: bool) -> None:
        chance = self.random.random()
        if chance < 0.5 or depth > 2:
            super().statement(indent, depth, loop=loop)
        elif chance < 0.65:
            self.attempt(indent, depth, loop=loop)
        elif chance < 0.75:
            self.inner_function(indent)
        elif chance < 0.85:
            self.generator_loop(indent, depth)
        else:
            self.add(indent, self.styled())

    def styled(self) -> str:
        return self.random.choice(
            [
                lambda: "known[a] += 1",
                lambda: f"known[{self.thing()}] = x",
                lambda: self.pick("work += [a]", "work = work + [b]", "work.extend([a, b])", "work.reverse()"),
                lambda: self.pick(
                    "seen |= {a}", "seen -= {b}", "seen &= {a, b}", "seen = seen | {b}", "seen.update(work)"
                ),
                lambda: self.pick("del known[a]", "known.pop(a)", "known.pop(b, None)", "known.update({a: 1})"),
                lambda: self.pick("a, *rest = work", "x, y = self.items", "(x, y), a = (y, x), b", "*rest, x = [x, y]"),
                lambda: self.pick("x += y", "y -= 1", "x *= 2", "x, y = y, x", "x = y = self.size", "x = -y"),
                lambda: f"work.sort(key=lambda n: {self.pick('n.key', '-n.key', '(n.mark, n.key)')})",
                lambda: f"work = {self.pick('work[1:]', 'work[::-1]', 'work.copy()', 'list(self.in_order(a))')}",
                lambda: f"items = {self.numbers()}; items.append(x); y = items[{self.pick('0', '-1', 'x')}]",
                lambda: f"items = [x, y, 0]; items[{self.pick('0', '-1', 'x')}] = {self.number()}; x = items[y]",
                lambda: f"assert {self.truth()}, f'{{x}} and {{y}}'",
                lambda: f"raise {self.pick('Odd', 'ValueError()', 'KeyError(x)', 'Odd(a.key)')}",
                lambda: "check = lambda n: n is None or n.key >= x",
                lambda: "a = max(work, key=lambda n: n.key)",
            ]
        )()

    def attempt(self, indent: int, depth: int, *, loop: bool) -> None:
        self.add(indent, "try:")
        self.block(indent + 1, depth + 1, loop=loop)
        for _ in range(self.random.randint(1, 2)):
            self.add(indent, f"except {self.pick(*KINDS)}{self.pick('', ' as error')}:")
            if self.random.random() < 0.5:
                self.add(indent + 1, self.pick("return False", "return True", "x = 1", "pass", "raise", "a = None"))
            else:
                self.block(indent + 1, depth + 1, loop=loop)
        if self.random.random() < 0.25:
            self.add(indent, "else:")
            self.block(indent + 1, depth + 1, loop=loop)
        if self.random.random() < 0.15:
            self.add(indent, "finally:")
            self.add(indent + 1, self.pick("x = 0", "y += 1", "seen.add(a)", "a = None"))

    def inner_function(self, indent: int) -> None:
        name = self.fresh("inner")
        if self.random.random() < 0.3:  # what it reads outside changes after it was called
            self.add(indent, f"limit, ids = {self.number()}, set()")
            self.add(indent, f"def {name}(n, low):")
            self.add(indent + 1, "if n is None:")
            self.add(indent + 2, "return True")
            self.add(indent + 1, "if id(n) in ids:")
            self.add(indent + 2, "return False")
            self.add(indent + 1, "ids.add(id(n))")
            self.add(indent + 1, f"return low <= n.key <= limit and {name}(n.left, n.key) and {name}(n.right, low)")
            self.add(indent, f"if not {name}({self.thing()}, 0):")
            self.add(indent + 1, self.pick("return False", "x = 1", "return True"))
            self.add(indent, self.pick("limit = 0", "limit = x", "y = len(ids)", "ids = set()", "x = limit"))
            return
        self.add(indent, f"def {name}(n, m={self.pick('x', '1', 'None')}):")
        if self.random.random() < 0.5:
            self.add(indent + 1, "nonlocal x, y")
            self.add(indent + 1, self.pick("x = y", "y += 1", "x, y = y, x"))
        self.add(indent + 1, "if n is None:")
        self.add(indent + 2, self.pick("return True", "return False", "raise Odd", "return m"))
        self.add(indent + 1, "if n in seen:")
        self.add(indent + 2, self.pick("return False", "raise ValueError(n.key)", "return True"))
        self.add(indent + 1, "seen.add(n)")
        if self.random.random() < 0.6:
            self.add(indent + 1, f"return {name}(n.left) and {self.pick(f'{name}(n.right)', 'n.key == m', 'n.mark')}")
        else:
            self.add(indent + 1, f"return {self.pick('n.key', 'n.mark', 'n.key > x', 'm is None')}")
        self.add(indent, self.pick(f"if {name}({self.thing()}):", f"if not {name}(a, y):"))
        self.add(indent + 1, self.pick("return False", "return True", "x = 2", "b = a"))

    def generator_loop(self, indent: int, depth: int) -> None:
        head = self.pick(
            "for n in nodes_of(a):", "for n in self.in_order(self.root):", "for x in keys_below(b):",
            "for n in (n for n in work if n.mark):", "for x, y in zip(self.items, [x, y]):",
            "for x, n in enumerate(nodes_of(self.root)):", "for n in filter(None, (a, b)):",
            "for n in sorted(work, key=lambda n: n.key):", "for n in reversed(work):", "for x in map(abs, [x, -1]):",
        )  # fmt: skip
        if self.random.random() < 0.4:
            name = self.fresh("walk")
            self.add(indent, f"def {name}(n):")
            self.add(indent + 1, "while n is not None and n not in seen:")
            self.add(indent + 2, "seen.add(n)")
            self.add(indent + 2, f"yield {self.pick('n', 'n', 'n.left')}")
            self.add(indent + 2, f"n = n.{self.pick('left', 'right')}")
            if self.random.random() < 0.5:
                self.add(indent + 1, f"yield from {self.pick('work', '(a, b)', '[]')}")
            head = f"for n in {name}({self.thing()}):"
        self.add(indent, head)
        self.block(indent + 1, depth + 1, loop=True)
        if self.random.random() < 0.3:
            self.add(indent + 1, self.pick("break", f"if {self.truth()}:\n{'    ' * (indent + 2)}return False"))

    def source(self) -> str:
        """Return the module."""
        plain = super().source()
        tail = plain.index(TAIL)
        return plain[:tail].replace(HEAD, HEAD.replace("\nLIMIT", f"{IMPORTS}\nLIMIT", 1) + FIELDS) + plain[tail:]


def written_in_style(seed: int) -> str:
    """Return the source of a module with one random invariant."""
    return StyledWriter(seed).source()
