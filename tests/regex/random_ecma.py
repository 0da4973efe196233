"""Random patterns of ECMA-262 by a grammar that has every construct, now and then one that is none."""

from __future__ import annotations

import random

ATOMS = [
    "a", "b", "B", "7", "_", "-", "/", " ", "é", "ß", "٣", "😀", ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\n", "\\t",
    "\\f", "\\v", "\\r", "\\0", "\\cJ", "\\x41", "\\u0042", "\\u{43}", "\\u{1F600}", "\\ud83d\\ude00", "\\/", "\\.", "\\$",
    "\\^", "\\(", "\\]", "\\{", "\\p{Lu}", "\\p{L}", "\\P{L}", "\\p{Script=Greek}", "\\p{scx=Cyrl}", "\\p{gc=Nd}", "\\p{Emoji}",
    "\\p{ASCII}", "\\p{White_Space}", "\\p{Alphabetic}", "\\p{Lowercase}",
]  # fmt: skip
WRONG = [
    "\\-", "\\a", "\\Z", "\\A", "\\p{Nonsense}", "\\p{Latin}", "\\p", "\\u{110000}", "\\u12", "\\x4", "\\c", "\\c1", "\\k", "\\k<z>",
    "\\8", "\\01", "\\12", "{", "}", "]", "a{2,1}", "a{,2}", "a{1", "*", "+a", "?", "{2}", "(?P<n>a)", "(?i)a", "(?>a)", "(?#c)",
    "(a", "a)", "[a", "[b-a]", "[\\d-a]", "[a-\\w]", "a**", "a{2}{3}", "^*", "\\b+", "(?=a)*", "(?<=a)*", "(?<1>a)", "(?<>a)",
    "\\9", "[\\b]", "[\\-]", "[\\c1]", "[\\B]", "a++", "(?<n>a)(?<n>b)", "\\_", "\\ ", "\\é",
]  # fmt: skip
MEMBERS = [
    "a", "b", "z", "0", "9", "_", "-", " ", ".", "$", "^", "[", "&&", "|", "~", "é", "😀", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S",
    "\\]", "\\\\", "\\-", "\\b", "\\n", "\\x41", "\\u0042", "\\u{43}", "\\p{Lu}", "\\P{L}", "\\p{Script=Greek}", "a-c", "A-Z", "0-5",
    "!-~", "\\u0100-\\u0200", "\\x20-\\x2f", "\\/",
]  # fmt: skip
COUNTS = ["*", "+", "?", "{2}", "{0}", "{1,}", "{1,3}", "{0,2}", "*?", "+?", "??", "{1,2}?"]


def random_ecma(draw: random.Random, depth: int = 3) -> str:
    """Return a pattern, sometimes one that is refused."""
    made = _PatternMaker(draw)
    text = made.alternatives(depth)
    if draw.random() < 0.6:
        text = f"^{text}$" if "|" not in text else f"^(?:{text})$"
    if draw.random() < 0.12:
        at = draw.randrange(len(text) + 1)
        text = text[:at] + draw.choice(WRONG) + text[at:]
    return text


class _PatternMaker:
    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.groups = 0

    def alternatives(self, depth: int) -> str:
        return "|".join(self.sequence(depth) for _ in range(self.draw.choice([1, 1, 1, 2, 2, 3])))

    def sequence(self, depth: int) -> str:
        return "".join(self.term(depth) for _ in range(self.draw.choice([0, 1, 1, 2, 2, 3])))

    def term(self, depth: int) -> str:
        atom = self.atom(depth)
        repeatable = not atom.startswith(("(?=", "(?!", "(?<=", "(?<!", "\\b", "\\B", "^", "$"))
        return atom + self.draw.choice(COUNTS) if repeatable and self.draw.random() < 0.35 else atom

    def atom(self, depth: int) -> str:
        draw = self.draw
        if not depth or draw.random() < 0.55:
            return draw.choice(ATOMS)
        match draw.randrange(10):
            case 0 | 1 | 2:
                inside = "".join(draw.choice(MEMBERS) for _ in range(draw.randrange(4)))
                return f"[{draw.choice(['', '', '^'])}{inside}]"
            case 3:
                return f"(?:{self.alternatives(depth - 1)})"
            case 4:
                self.groups += 1
                return f"({self.alternatives(depth - 1)})"
            case 5:
                self.groups += 1
                return f"(?<g{self.groups}>{self.alternatives(depth - 1)})"
            case 6:
                if not self.groups:
                    return draw.choice(["\\b", "\\B"])
                return draw.choice([f"\\{draw.randint(1, self.groups)}", f"\\{draw.randint(1, self.groups)}", "\\b"])
            case 7:
                return f"({draw.choice(['?=', '?!'])}{self.alternatives(depth - 1)})"
            case 8:
                return f"({draw.choice(['?<=', '?<!'])}{self.alternatives(min(depth - 1, 1))})"
            case _:
                return draw.choice(["^", "$", "\\b", "\\B"])
