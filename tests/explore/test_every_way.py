"""Random classes explored in every way, compiled or not, with values open or chosen, here or in copies: the same found."""

import itertools
import random
import sys
import types

import pytest
from tests.corpora import few_of

from unlike.explore import explore
from unlike.heap.walkers import native_is_built

HEAD = """
import functools
class Base:
    __slots__ = ("slot",)
class Cell:
    def __init__(self, n): self.n, self.next = n, None
"""
BASES = ["dict", "list", "set", "object", "Base", "tuple"]
FIELDS = [
    "self.kept = set()",
    "self.pairs = {}",
    "self.rows = []",
    "self.last = None",
    "self.cell = None",
    "self.n = 0",
]
STATEMENTS = {
    "self.kept = set()": [
        "self.kept.add(v)",
        "self.kept.discard(v)",
        "self.kept = self.kept ^ {v}",
        "self.kept.remove(v)",
    ],
    "self.pairs = {}": [
        "self.pairs[v] = v",
        "self.pairs.pop(v)",
        "self.pairs = {v: (v, v)}",
        "self.look = self.pairs.keys()",
    ],
    "self.rows = []": ["self.rows.append(v)", "self.rows.insert(0, v)", "del self.rows[v]", "self.rows.sort()"],
    "self.last = None": [
        "self.last = v",
        "self.last = (v, self.last if v else 0)[:1]",
        "self.last = [v]",
        "self.last = self.m0",
    ],
    "self.cell = None": [
        "self.cell = Cell(v)",
        "self.cell.next = Cell(v)",
        "self.cell.n = v",
        "self.cell = self.cell and self.cell.next",
    ],
    "self.n = 0": ["self.n = v", "self.n = max(self.n, v)", "self.n = (self.n + v) % 3", "1 // (self.n - v)"],
}
OF_BASE = {
    "dict": ["self[v] = v", "del self[v]", "self.setdefault(v, []).append(v)"],
    "list": ["self.append(v)", "self.remove(v)", "self[v] = v"],
    "set": ["self.add(v)", "self.remove(v)", "self.symmetric_difference_update({v})"],
    "Base": ["self.slot = v", "del self.slot", "self.slot = [v]"],
}  # fmt: skip
ANSWERS = ["v", "(v, 0)", "[v]", "None", "self.size", "self"]


def random_source(rng):
    base = rng.choice(BASES)
    fields = rng.sample(FIELDS, rng.randrange(1, 3))
    statements = [*OF_BASE.get(base, []), *(each for one in fields for each in STATEMENTS[one])]
    lines = [HEAD, f"class C({base}):"]
    if base != "tuple":
        lines += ["    def __init__(self):", *(f"        {each}" for each in fields)]
        lines += ["        super().__init__()"] if base in ("dict", "list", "set") else []
    else:
        lines += ["    def __new__(cls):", "        self = tuple.__new__(cls, (0, 1))"]
        lines += [*(f"        {each}" for each in fields), "        return self"]
    lines += [
        "    @property",
        "    def size(self):",
        f"        return {rng.choice(['len(vars(self))', 'id(self) * 0'])}",
    ]
    for number in range(rng.randrange(2, 4)):
        lines += [f"    def m{number}(self, v: int):"]
        lines += [f"        {each}" for each in rng.sample(statements, rng.randrange(1, 3))]
        lines += [f"        return {rng.choice(ANSWERS)}"]
    return "\n".join(lines)


@pytest.fixture
def module():
    made = sys.modules["every_way"] = types.ModuleType("every_way")
    yield made
    del sys.modules["every_way"]


def found_by(cls, **keywords):
    result = explore(cls, scope=2, calls=5, most_states=400, protocols=False, **keywords)
    errors = {(each.operation, each.failure.reason, each.failure.exception, each.calls) for each in result.errors}
    status = result.status.ending
    return (result.states, status, errors, sorted(map(repr, result.lengths().values()))), result


WALKS = ["native", "python"] if native_is_built() else ["python"]


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", few_of(range(120), 2))
def test_every_way_to_explore_finds_the_same(seed, module):
    source = random_source(random.Random(seed))
    exec(source, vars(module))
    module.C.__module__ = module.Cell.__module__ = module.Base.__module__ = "every_way"

    first, result = found_by(module.C, values="concrete", in_process=True, implementation="python")
    if result.status.cut_short:
        return  # where it is cut off depends on the way
    for walk, values, where in itertools.product(
        WALKS, ("auto", "concrete"), ({"in_process": True}, {}, {"workers": 2})
    ):
        again, _ = found_by(module.C, values=values, implementation=walk, **where)
        assert again == first, f"{walk}, {values}, {where}\n{source}"
