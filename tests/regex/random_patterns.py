"""Random patterns over a small alphabet, with every construct that `re` knows."""

import random
import re
import warnings

ALPHABET = "ab-"


def random_pattern(rng: random.Random, *, depth: int = 3, references: bool = False) -> str:
    """Return a pattern that `re` accepts."""
    while True:
        maker = _Maker(rng, references)
        text = maker.union(depth)
        flags = rng.choice(["", "", "", "(?i)", "(?m)", "(?s)", "(?a)"])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                re.compile(flags + text)
        except re.error:
            continue
        return flags + text


class _Maker:
    def __init__(self, rng: random.Random, references: bool) -> None:
        self.rng = rng
        self.references = references
        self.groups = 0

    def union(self, depth: int) -> str:
        branches = self.rng.choice([1, 1, 1, 2, 2, 3])
        return "|".join(self.sequence(depth) for _ in range(branches))

    def sequence(self, depth: int) -> str:
        return "".join(self.repeated(depth) for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3])))

    def repeated(self, depth: int) -> str:
        atom, quantifiable = self.atom(depth)
        if not quantifiable or self.rng.random() < 0.55:
            return atom
        return atom + self.rng.choice(
            ["?", "*", "+", "{2}", "{1,2}", "{0,2}", "{2,}", "??", "*?", "+?", "*+", "?+", "{1,2}+"]
        )

    def atom(self, depth: int) -> tuple[str, bool]:
        rng = self.rng
        if depth == 0 or rng.random() < 0.45:
            return rng.choice(
                ["a", "b", "a", "b", "-", "[ab]", "[^a]", ".", r"\w", r"\W", "[a-b-]", "[ba]", "[aB]"]
            ), True
        kind = rng.random()
        if kind < 0.25:
            self.groups += 1
            return f"({self.union(depth - 1)})", True
        if kind < 0.5:
            return f"(?:{self.union(depth - 1)})", True
        if kind < 0.58:
            return f"(?>{self.union(depth - 1)})", True
        if kind < 0.64:
            return f"(?i:{self.union(depth - 1)})", True
        if kind < 0.78:
            return rng.choice(["^", "$", r"\b", r"\B", r"\A", r"\Z"]), False
        if kind < 0.88:
            return f"(?{rng.choice('=!')}{self.union(depth - 1)})", False
        if kind < 0.96:
            return f"(?<{rng.choice('=!')}{rng.choice(['a', 'b', 'ab', '[ab]b', '^a', '-', 'a|b', 'a$', ''])})", False
        if self.references and self.groups:
            which = rng.randint(1, self.groups)
            return rng.choice([f"(?:\\{which})", f"(?({which})a|b)", f"(?({which})ab)"]), True
        return "b", True
