r"""Text becomes trees of lists, names, literals and blanks that know their line and column; and back.

Comments are part of the tree, so that laying out a program loses nothing. `?x` and `?(…)` are one item each; `#rx"…"`
is a regex. In a string only `\\`, `\"`, `\n`, `\t`, `\r` and `\u{…}` are escapes: a pattern's `\d` may be
written as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from unlike.errors import SpecError

DEEPEST = 100  # so many brackets inside each other
DIGITS = 300  # of a number
WIDTH = 100  # columns of a program that is laid out
OPENED = {"(": ")", "[": "]"}


class ProgramError(SpecError):
    """A program that cannot be read: the message starts with the file, line and column."""


@dataclass(frozen=True, slots=True)
class TextPlace:
    """Where in a text something stands, counted from 1."""

    line: int
    column: int
    file: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = TextPlace(0, 0)


def error_at(place: TextPlace, said: str) -> ProgramError:
    """Return the error about what stands at a place."""
    return ProgramError(f"{place}: {said}")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name."""

    name: str
    place: TextPlace = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class SexprLiteral:
    """A number, a string or a truth value."""

    value: int | Fraction | str | bool
    place: TextPlace = field(default=NOWHERE, compare=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SexprLiteral) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)


@dataclass(frozen=True, slots=True)
class Rx:
    """A regex literal, `#rx"…"`."""

    pattern: str
    place: TextPlace = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Hole:
    """`?Type`, `?(Option Date)` or `?name`."""

    inner: Tree
    place: TextPlace = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment up to the end of its line; `trailing` if something stands before it on that line."""

    text: str
    trailing: bool
    place: TextPlace = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Form:
    """A list in brackets."""

    items: tuple[Tree, ...]
    place: TextPlace = field(default=NOWHERE, compare=False)

    @property
    def parts(self) -> tuple[Tree, ...]:
        """The items without comments."""
        return tuple(item for item in self.items if not isinstance(item, Comment))

    @property
    def head(self) -> str | None:
        """The name that the list begins with, if it does."""
        first = next(iter(self.parts), None)
        return first.name if isinstance(first, Symbol) else None


Tree: TypeAlias = Symbol | SexprLiteral | Rx | Hole | Comment | Form

_TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<comment>;[^\n]*)|(?P<open>[(\[])|(?P<close>[)\]])
    |(?P<regex>\#[rp]x"(?:[^"\\]|\\.)*")|(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<hole>\?(?=[^\s)\];?]))|(?P<word>[^\s()\[\]";]+)""",
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")
_TRUTHS = {"#t": True, "#f": False, "true": True, "false": False, "#true": True, "#false": False}
_ESCAPED = re.compile(r'\\(?:u\{([0-9a-fA-F]{1,6})\}|(["\\ntr]))')
_LETTERS = {'"': '"', "\\": "\\", "n": "\n", "t": "\t", "r": "\r"}


def read_trees(text: str, file: str = "program", *, comments: bool = True) -> list[Tree]:
    """Return the trees of a text, with or without comments, or say where it stops being one."""
    trees = _SexprReader(text, file).trees()
    return trees if comments else [bare for bare in map(_without_comments, trees) if bare is not None]


class _OpenForm(NamedTuple):
    """A bracket that is not closed yet, the items around it, and a hole before it."""

    bracket: str
    place: TextPlace
    around: list[Tree]
    hole: TextPlace | None


class _SexprReader:
    """Reads tokens into trees without recursion; a hole waits for the item that follows it."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text.removeprefix("\ufeff"), file  # a byte order mark is none of the text
        self.line, self.start = 1, 0

    def trees(self) -> list[Tree]:
        found: list[Tree] = []
        open_: list[_OpenForm] = []
        hole: TextPlace | None = None
        for kind, word, place in self.tokens():
            if kind == "open":
                if len(open_) >= DEEPEST:
                    raise error_at(place, f"brackets are nested more than {DEEPEST} deep")
                open_.append(_OpenForm(word, place, found, hole))
                found, hole = [], None
                continue
            if hole is not None and kind != "word":
                raise error_at(place, f"{word[:20]!r} after '?'; expected a type, like ?Integer or ?(Option Date)")
            if kind == "close":
                tree, found, hole = self.close_form(word, place, found, open_)
            elif kind == "hole":
                hole = place
                continue
            else:
                tree = self.leaf(kind, word, place, found)
            found.append(tree if hole is None else Hole(tree, hole))
            hole = None
        if open_:
            bracket = open_[-1].bracket
            raise error_at(open_[-1].place, f"this {bracket!r} is never closed; expected {OPENED[bracket]!r}")
        return found

    def close_form(
        self, word: str, place: TextPlace, found: list[Tree], open_: list[_OpenForm]
    ) -> tuple[Tree, list[Tree], TextPlace | None]:
        if not open_:
            raise error_at(place, f"{word!r} closes nothing; expected a statement or the end of the program")
        bracket, begun, around, hole = open_.pop()
        if OPENED[bracket] != word:
            raise error_at(place, f"{word!r} closes the {bracket!r} of line {begun.line}; expected {OPENED[bracket]!r}")
        return Form(tuple(found), begun), around, hole

    def tokens(self) -> Iterator[tuple[str, str, TextPlace]]:
        position = 0
        while position < len(self.text):
            place = TextPlace(self.line, position - self.start + 1, self.file)
            found = _TOKEN.match(self.text, position)
            if found is None:
                raise error_at(place, "this string has no end; expected a closing '\"'")
            kind, word = str(found.lastgroup), found.group()
            if kind != "space":
                yield kind, word, place
            position = found.end()
            if "\n" in word:
                self.line += word.count("\n")
                self.start = position - (len(word) - word.rindex("\n") - 1)

    def leaf(self, kind: str, word: str, place: TextPlace, before: list[Tree]) -> Tree:
        match kind:
            case "comment":
                line_start = self.text[self.start : self.start + place.column - 1]
                trailing = bool(line_start.strip()) and bool(before)
                return Comment(word.rstrip(), trailing, place)
            case "regex":
                return Rx(self.unescape(word[4:-1], place), place)
            case "string":
                return SexprLiteral(self.unescape(word[1:-1], place), place)
        return self.atom(word, place)

    def atom(self, word: str, place: TextPlace) -> Tree:
        if word in _TRUTHS:
            return SexprLiteral(_TRUTHS[word], place)
        if _NUMBER.fullmatch(word):
            if len(word) > DIGITS:
                raise error_at(place, f"a number of {len(word)} digits; expected at most {DIGITS}")
            return SexprLiteral(Fraction(word) if "." in word else int(word), place)
        if word[0] == "?":
            raise error_at(place, f"{word[:30]!r} names no type; expected one, like ?Integer or ?(Option Date)")
        if word in ("#rx", "#px"):  # a whole one is a token of its own
            raise error_at(place, "this regex has no end; expected a closing '\"'")
        if word[0] in "'`#" or "\0" in word or "|" in word:
            raise error_at(place, f"{word[:30]!r} is not a name; expected a name, a number, a string or a list")
        return Symbol(word, place)

    def unescape(self, written: str, place: TextPlace) -> str:
        def letter(found: re.Match[str]) -> str:
            if found[1] is None:
                return _LETTERS[found[2]]
            if int(found[1], 16) > 0x10FFFF:
                raise error_at(place, f"{found[0]!r} is not a character; expected at most \\u{{10ffff}}")
            return chr(int(found[1], 16))

        return _ESCAPED.sub(letter, written)


def _without_comments(tree: Tree) -> Tree | None:
    """Return a tree without its comments."""
    match tree:
        case Comment():
            return None
        case Form(items, place):
            return Form(tuple(bare for bare in map(_without_comments, items) if bare is not None), place)
        case Hole(inner, place):
            bare = _without_comments(inner)
            return None if bare is None else Hole(bare, place)
    return tree


# -- back to text ------------------------------------------------------------------------------------------


def flat(tree: Tree) -> str:
    """Return a tree without comments on one line."""
    match tree:
        case Symbol(name):
            return name
        case SexprLiteral(bool() as truth):
            return "#t" if truth else "#f"
        case SexprLiteral(Fraction() as number):
            return decimal(number)
        case SexprLiteral(int() as number):
            return str(number)
        case SexprLiteral(str() as string):
            return f'"{escape(string)}"'
        case Rx(pattern):
            return f'#rx"{escape(pattern)}"'
        case Hole(inner):
            return f"?{flat(inner)}"
        case Comment(text):
            return text
        case Form():
            return f"({' '.join(flat(part) for part in tree.parts)})"
    raise TypeError(tree)


def decimal(number: Fraction) -> str:
    """Return a number with a finite decimal expansion in decimals, always with a point."""
    places = 1
    while (number * 10**places).denominator != 1:
        places += 1
        if places > DIGITS:
            raise SpecError(f"{number} has no decimal form that a program could be written with")
    digits = str(abs(int(number * 10**places))).rjust(places + 1, "0")
    return f"{'-' if number < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def escape(string: str) -> str:
    """Return the inside of a string literal."""
    letters = {char: f"\\{letter}" for letter, char in _LETTERS.items()}
    return "".join(letters.get(char, char if char.isprintable() else f"\\u{{{ord(char):x}}}") for char in string)


def laid_out(trees: list[Tree]) -> str:
    """Return the trees as text: on one line what fits, otherwise a part a line; comments stay."""
    return "".join(f"{line}\n" for line in _lines_below([], trees, 0))


_KEPT = {"program": 2, "define-program": 2, "generate": 3, "declare": 2, "specify": 2, "constrain-solutions": 2}
_OPEN = ("program", "define-program", "generate")  # always a statement a line


def _lines(tree: Tree, indent: int) -> list[str]:
    """Return a tree as lines, the first without its indentation."""
    match tree:
        case Hole(Form() as inner):
            first, *rest = _lines(inner, indent + 1)
            return [f"?{first}", *rest]
        case Form(items):
            if not _has_comment(tree) and tree.head not in _OPEN and indent + len(one := flat(tree)) <= WIDTH:
                return [one]
            return _break_lines(tree, items, indent)
    return [flat(tree)]


def _break_lines(tree: Form, items: tuple[Tree, ...], indent: int) -> list[str]:
    kept, start = _KEPT.get(tree.head or "", 1), 0
    while start < min(kept, len(items)) and not isinstance(items[start], Form | Comment | Hole):
        start += 1
    lines = _lines_below(["(" + " ".join(flat(item) for item in items[:start])], items[start:], indent + 2)
    if isinstance(items[-1], Comment):
        return [*lines, " " * indent + ")"]
    lines[-1] += ")"
    return lines


def _lines_below(lines: list[str], trees: Iterable[Tree], indent: int) -> list[str]:
    """Return the lines with those of the trees below them; a comment may stand at the end of one."""
    for tree in trees:
        first, *rest = _lines(tree, indent)
        if isinstance(tree, Comment) and tree.trailing and lines:
            lines[-1] += f" {first}"
        else:
            lines += [" " * indent + first, *rest]
    return lines


def _has_comment(tree: Tree) -> bool:
    match tree:
        case Comment():
            return True
        case Form(items):
            return any(map(_has_comment, items))
        case Hole(inner):
            return _has_comment(inner)
    return False
