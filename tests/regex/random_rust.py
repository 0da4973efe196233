"""Random patterns of Rust's `regex` crate by a grammar that has every construct, now and then one that is none."""

from __future__ import annotations

import random

ATOMS = [
    "a", "b", "B", "7", "_", "-", "/", " ", "é", "ß", "٣", "😀", "k", "s", ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\n", "\\t",
    "\\a", "\\f", "\\v", "\\r", "\\x41", "\\u0042", "\\U00000043", "\\x{44}", "\\u{1F600}", "\\/", "\\.", "\\$", "\\-", "\\ ", "\\%",
    "\\pL", "\\PL", "\\p{Lu}", "\\p{Greek}", "\\p{Script=Cyrillic}", "\\p{gc=Nd}", "\\p{gc!=Lu}", "\\p{sc:Grek}", "\\p{alphabetic}",
    "\\p{White_Space}", "\\p{ascii}", "\\p{any}", "\\p{Uppercase_Letter}", "\\p{is_Lu}", "]", "}", "&", "~", "#",
]  # fmt: skip
PLACES = [
    "^",
    "$",
    "\\A",
    "\\z",
    "\\b",
    "\\B",
    "\\b{start}",
    "\\b{end}",
    "\\b{start-half}",
    "\\b{end-half}",
    "\\<",
    "\\>",
]
WRONG = [
    "\\Z", "\\1", "\\0", "\\8", "\\e", "\\h", "\\é", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?#c)", "(?P=n)", "(?>a)", "a{,2}", "a{2,1}",
    "a{", "a{}", "a{x}", "*", "+a", "{2}", "[b-a]", "[\\d-a]", "[a-\\w]", "[a", "(a", "a)", "[]", "[^]", "\\p{Nonsense}", "\\pX", "\\p{^L}",
    "\\x{110000}", "\\x{d800}", "\\x4", "\\u12", "\\u{}", "[\\b]", "(?P<1>a)", "(?P<>a)", "(?<n>a)(?<n>b)", "(?ii)a", "(?i-)a", "(?z)a", "(?)",
    "\\b{foo}", "\\b{start", "(?-u:\\W)", "(?-u:.)", "(?-u:\\pL)", "\\", "[[]]", "(?-u:[^a])", "\\x{ 41 }", "(?-u:\\xff)", "a{2, }",
]  # fmt: skip
MEMBERS = [
    "a", "b", "z", "0", "9", "_", " ", ".", "$", "^", "|", "é", "😀", "k", "\\d", "\\D", "\\w", "\\W", "\\s", "\\]", "\\\\", "\\-", "\\n",
    "\\x41", "\\u{43}", "\\p{Lu}", "\\PL", "\\p{Greek}", "a-c", "A-Z", "0-5", "!-~", "\\x20-\\x2f", "[:alpha:]", "[[:alpha:]]", "[:^digit:]",
    "[a-f]", "[^a-f]", "[[:punct:]--,]", "[a-z&&[^aeiou]]", "-", "&", "~",
]  # fmt: skip
OPERATORS = ["&&", "--", "~~"]
COUNTS = ["*", "+", "?", "{2}", "{0}", "{1,}", "{1,3}", "{ 0 , 2 }", "*?", "+?", "??", "{1,2}?", "**", "{2}{2}", "++"]
FLAGS = ["i", "m", "s", "U", "x", "R", "u", "-u", "im", "i-s", "sm", "Rm", "is"]
PIECES = [
    "a", "b", "B", "A", "z", "7", "_", "-", " ", "é", "É", "ß", "ẞ", "٣", "😀", "k", "K", "K", "ſ", "s", "\n", "\r", "\r\n", "\t", "\x1c", "²",
    "\u0301", "\u200d", "\u2028", "\ufeff", "Ω", "я", "0", "1", "@", "~", "&", "\x00", "İ", "i", "/", ".", "$", "%", "]", "}", "#",
]  # fmt: skip


def random_rust(draw: random.Random, depth: int = 3) -> str:
    """Return a pattern, sometimes one that is refused."""
    text = alternatives(draw, depth)
    if draw.random() < 0.5:
        text = f"^{text}$" if "|" not in text else f"^(?:{text})$"
    if draw.random() < 0.2:
        text = f"(?{draw.choice(FLAGS)}){text}"
    if draw.random() < 0.12:
        at = draw.randrange(len(text) + 1)
        text = text[:at] + draw.choice(WRONG) + text[at:]
    return text


def random_texts(draw: random.Random, count: int) -> list[str]:
    """Return short texts of characters that patterns tell apart."""
    return ["".join(draw.choice(PIECES) for _ in range(draw.randrange(5))) for _ in range(count)]


def alternatives(draw: random.Random, depth: int) -> str:
    return "|".join(sequence(draw, depth) for _ in range(draw.choice([1, 1, 1, 2, 2, 3])))


def sequence(draw: random.Random, depth: int) -> str:
    return "".join(term(draw, depth) for _ in range(draw.choice([0, 1, 1, 2, 2, 3])))


def term(draw: random.Random, depth: int) -> str:
    found = atom(draw, depth)
    return found + draw.choice(COUNTS) if draw.random() < 0.3 else found


def atom(draw: random.Random, depth: int) -> str:
    if not depth or draw.random() < 0.5:
        return draw.choice(ATOMS)
    match draw.randrange(9):
        case 0 | 1 | 2 | 3:
            return char_class(draw)
        case 4:
            return f"({alternatives(draw, depth - 1)})"
        case 5:
            return f"(?{draw.choice(['', '', *FLAGS])}:{alternatives(draw, depth - 1)})"
        case 6:
            return f"(?{draw.choice(['P', ''])}<n{draw.randrange(1000)}>{alternatives(draw, depth - 1)})"
        case 7:
            return f"(?{draw.choice(FLAGS)})"
    return draw.choice(PLACES)


def char_class(draw: random.Random) -> str:
    parts = [
        "".join(draw.choice(MEMBERS) for _ in range(draw.randrange(1, 4))) for _ in range(draw.choice([1, 1, 1, 2]))
    ]
    return f"[{draw.choice(['', '', '^', '-', ']'])}{draw.choice(OPERATORS).join(parts)}]"
