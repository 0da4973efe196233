"""Small random functions over two small numbers and a word, whose every way out has a name of its own."""

import importlib.util
import random
import sys
import types
from pathlib import Path

CONDITIONS = (
    "a < {n}", "a == {n}", "a > b", "a == b", "a + b == {n}", "b in (1, {n})", "a <= {n} and b > {m}",
    "a == {n} or b == {m}", "not a < {n}", "word == {w}", "word.startswith({w})", "word in ('', {w})",
    "{m} <= a <= {n}", "len(word) > {m}", "re.fullmatch('[xy]+', word)", "a < {n} and word != {w}", "Odd(a) == Odd({n})",
)  # fmt: skip
WORDS = ("", "x", "y", "xy", "ab")
HEAD = """import re

class Odd:
    def __init__(self, n):
        self.n = n
    def __eq__(self, other):
        return self.n % 2 == other.n % 2
    __hash__ = None

"""


def write_function(seed: int) -> str:
    """Return the source of a random function; 'a' may be bound anew, and a handler may catch what is raised."""
    pick = random.Random(seed)
    ways = iter(range(1_000))

    def condition() -> str:
        return pick.choice(CONDITIONS).format(n=pick.randrange(6), m=pick.randrange(6), w=repr(pick.choice(WORDS)))

    def body(depth: int, indent: str) -> list[str]:
        lines = []
        if pick.random() < 0.25:
            lines.append(f"{indent}a = {pick.choice(['a + 1', 'b', '3 - a'])}")
        if depth and pick.random() < 0.2:
            lines += [f"{indent}for b in range({pick.choice(['a', 'b', '2'])}):"]
            lines += [f"{indent}    if {condition()}:", f"{indent}        return {next(ways)}"]
        if depth:
            lines += [f"{indent}if {condition()}:", *body(depth - 1, indent + "    ")]
            lines += [f"{indent}else:", *body(depth - 1, indent + "    ")] if pick.random() < 0.6 else []
        if pick.random() < 0.15:
            lines += [f"{indent}try:", f"{indent}    {{1: 1}}[a]", f"{indent}except KeyError:"]
            lines += [f"{indent}    return {next(ways)}"]
        ending = f"raise ValueError({next(ways)})" if pick.random() < 0.2 else f"return {next(ways)}"
        return [*lines, f"{indent}{ending}"]

    return HEAD + "def subject(a, b, word):\n" + "\n".join(body(3, "    ")) + "\n"


def load_function(source: str, name: str, folder: Path) -> types.ModuleType:
    """Return a module with the source."""
    path = folder / f"{name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
