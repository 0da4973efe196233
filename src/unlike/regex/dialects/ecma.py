r"""From a pattern of ECMA-262 to the tree, as JavaScript reads it with the u flag, or without.

What a JSON Schema calls a pattern is meant in this dialect. It is read by the grammar of the standard, held to what
node accepts: with the u flag, `\-` or a lone brace is refused. Without it (the standard's annex B) both are
characters; that reading is of whole characters, too, so one beyond 16 bits counts as one.
"""

from __future__ import annotations

import functools
import re
from typing import Literal, NoReturn

from unlike.regex import chars
from unlike.regex.chars import Ranges
from unlike.regex.dialects.references import resolve_references
from unlike.regex.dialects.unicode_properties import property_ranges
from unlike.regex.tree import (
    Alternation,
    Anchor,
    BackReference,
    Chars,
    Group,
    Look,
    Node,
    PatternError,
    Piece,
    join_parts,
    pieces_apart,
    repeat,
)

DIGITS: Ranges = ((48, 57),)
WORD: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
LINE_ENDS: Ranges = chars.single("\n\r\u2028\u2029")
SPACE: Ranges = chars.normal(
    [*chars.single("\t\n\x0b\x0c\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"), (0x2000, 0x200A)]
)
SHORTHANDS = {"d": DIGITS, "w": WORD, "s": SPACE}
CONTROLS = {"f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
SYNTAX = "^$\\.*+?()[]{}|/"  # what may stand behind a backslash and mean itself
LOOKS = {"?=": (True, False), "?!": (True, True), "?<=": (False, False), "?<!": (False, True)}
HIGHEST_COUNT = 2**32 - 2  # Python's matcher counts no further
DEEPEST = 150  # groups within groups

_QUANTIFIER = re.compile(r"\{(\d+)(,(\d*))?\}", re.ASCII)
_GROUP_NAME = re.compile(r"<((?:\\u\{?[0-9a-fA-F]+\}?|[^>\\])*)>")


@functools.lru_cache(maxsize=1024)
def read_ecma(pattern: str, *, unicode: bool = True) -> Node:
    r"""Return the tree of a pattern that is searched for; one that node refuses is refused, with its place marked.

    >>> read_ecma(r"^\d$")
    Concatenation(parts=(Anchor(kind='start'...), Chars(ranges=((48, 57),)...), Anchor(kind='end'...)))
    """
    reader = _EcmaReader(pattern, unicode=unicode)
    try:
        return resolve_references(reader.whole(), pattern)
    except RecursionError:
        raise PatternError(f"pattern {pattern[:80]!r} is nested too deeply") from None


class _EcmaReader:
    def __init__(self, text: str, *, unicode: bool) -> None:
        self.text = text
        self.unicode = unicode
        self.at = 0
        self.depth = 0
        self.opened = 0
        self.groups, self.names = _list_groups(text)
        self.taken: dict[str, int] = {}

    # -- the text ------------------------------------------------------------------------------------------------

    def fail(self, why: str, at: int | None = None) -> NoReturn:
        where = self.at if at is None else at
        shown = "".join(char if char.isprintable() else "?" for char in self.text)
        raise PatternError(f"pattern: {why} at position {where}\n  {shown}\n  {' ' * where}^")

    def peek(self, ahead: int = 0) -> str:
        return self.text[self.at + ahead : self.at + ahead + 1]

    def take(self, expected: str) -> bool:
        if not self.text.startswith(expected, self.at):
            return False
        self.at += len(expected)
        return True

    def match(self, expression: str) -> re.Match[str] | None:
        found = re.compile(expression, re.ASCII).match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    # -- patterns ------------------------------------------------------------------------------------------------

    def whole(self) -> Node:
        found = self.alternatives()
        if self.at < len(self.text):
            self.fail("a bracket is closed that was not opened")
        return found

    def alternatives(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise PatternError(f"pattern {self.text[:80]!r} is nested too deeply")
        branches = [self.sequence()]
        while self.take("|"):
            branches.append(self.sequence())
        self.depth -= 1
        return branches[0] if len(branches) == 1 else Alternation(tuple(branches))

    def sequence(self) -> Node:
        parts: list[Node] = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.term())
        return join_parts(parts)

    def term(self) -> Node:
        match self.peek():
            case "^":
                self.at += 1
                return Anchor("start")
            case "$":
                self.at += 1
                return Anchor("end")
            case "*" | "+" | "?":
                self.fail("nothing to repeat")
            case "(":
                found, repeatable = self.bracket()
            case "\\" if self.peek(1) in ("b", "B"):
                kind: Literal["boundary", "not boundary"] = "boundary" if self.peek(1) == "b" else "not boundary"
                self.at += 2
                return Anchor(kind, WORD)
            case "{" if _QUANTIFIER.match(self.text, self.at):
                self.fail("nothing to repeat")
            case _:
                found, repeatable = self.atom(), True
        return self.read_count(found) if repeatable else found

    def bracket(self) -> tuple[Node, bool]:
        """Return what a bracket holds, and whether it may be repeated."""
        start = self.at
        self.at += 1
        for opening, (ahead, negative) in LOOKS.items():
            if self.take(opening):
                return Look(ahead, negative, self.read_inside(start)), ahead and not self.unicode
        if self.take("?:"):
            return self.read_inside(start), True
        name = None
        if self.take("?"):
            name = self.group_name()
            if name in self.taken:
                self.fail(f"the group {name!r} exists twice", start)
        self.opened += 1
        index = self.opened
        if name is not None:
            self.taken[name] = index
        return Group(index, name, self.read_inside(start)), True

    def read_inside(self, start: int) -> Node:
        inside = self.alternatives()
        if not self.take(")"):
            self.fail("a bracket is not closed", start)
        return inside

    def group_name(self) -> str:
        found = _GROUP_NAME.match(self.text, self.at)
        if not found:
            self.fail("no such group: (?: (?= (?! (?<= (?<! and (?<name> exist")
        name = _spell_out(found[1])
        if not re.fullmatch(r"[^\W\d]\w*", name.replace("$", "_")):
            self.fail(f"{name!r} cannot be the name of a group")
        self.at = found.end()
        return name

    def read_count(self, body: Node) -> Node:
        match self.peek():
            case "*":
                low, high = 0, None
            case "+":
                low, high = 1, None
            case "?":
                low, high = 0, 1
            case "{" if found := _QUANTIFIER.match(self.text, self.at):
                low = int(found[1])
                high = low if found[2] is None else int(found[3]) if found[3] else None
                if high is not None and low > high:
                    self.fail("the least count is above the most")
                if max(low, high or 0) > HIGHEST_COUNT:
                    self.fail(f"no more than {HIGHEST_COUNT:,} repetitions can be counted")
                self.at = found.end() - 1
            case _:
                return body
        self.at += 1
        return repeat(body, low, high, kind="lazy" if self.take("?") else "greedy")

    def atom(self) -> Node:
        char = self.peek()
        if char == "\\":
            return self.escape()
        if char == "[":
            return self.char_class()
        if self.unicode and char in "{}]":
            self.fail(f"a lone {char!r}; write '\\{char}'")
        self.at += 1
        if char == ".":
            return _shorthand(".", chars.complement(LINE_ENDS))
        return _literal(char)

    # -- escapes -------------------------------------------------------------------------------------------------

    def escape(self) -> Node:
        start = self.at
        self.at += 1
        letter = self.peek()
        if letter and letter in "123456789":
            return self.reference(start)
        if letter == "k" and (self.unicode or self.names):
            self.at += 1
            name = self.group_name()
            if name not in self.names:
                self.fail(f"there is no group {name!r}", start)
            return BackReference(self.names[name])
        if (found := self.shorthand()) is not None:
            return found
        return _literal(self.character(start, inside=False))

    def reference(self, start: int) -> Node:
        found = self.match(r"[1-9]\d*")
        assert found
        if int(found[0]) <= self.groups:
            return BackReference(int(found[0]))
        if self.unicode:
            self.fail(f"there is no group {found[0]}", start)
        self.at = start + 1
        return _literal(self.character(start, inside=False))

    def shorthand(self) -> Chars | None:
        r"""Return what \d, \W or \p{…} stands for; the backslash is read already."""
        letter = self.peek()
        if letter and letter in "dDwWsS":
            self.at += 1
            ranges = SHORTHANDS[letter.lower()]
            return _shorthand(f"\\{letter}", chars.complement(ranges) if letter.isupper() else ranges)
        if not self.unicode or letter not in ("p", "P"):
            return None
        start = self.at
        found = self.match(r"[pP]\{([A-Za-z0-9_]+(?:=[A-Za-z0-9_]+)?)\}")
        held = property_ranges(found[1]) if found else None
        if found is None or held is None:
            self.fail("no Unicode property that ECMA-262 knows", start - 1)
        return _shorthand(f"\\{found[0]}", chars.complement(held) if letter == "P" else held)

    def character(self, start: int, *, inside: bool) -> str:
        """Return the one character that an escape stands for; the backslash is read already."""
        letter = self.peek()
        if not letter:
            self.fail("a backslash at the very end", start)
        if letter in CONTROLS:
            self.at += 1
            return CONTROLS[letter]
        if found := self.match(r"c([A-Za-z])"):
            return chr(ord(found[1]) % 32)
        if letter == "0" and not (self.peek(1) and self.peek(1) in "0123456789"):
            self.at += 1
            return "\0"
        if found := self.match(r"x([0-9a-fA-F]{2})"):
            return chr(int(found[1], 16))
        if letter == "u" and (char := self.code_unit()) is not None:
            return char
        if inside and letter == "b":
            self.at += 1
            return "\b"
        if self.unicode:
            if letter in SYNTAX or (inside and letter == "-"):
                self.at += 1
                return letter
            self.fail(f"\\{letter} means nothing; without the backslash it is the character itself", start)
        return self.loose_character(letter, inside=inside)

    def code_unit(self) -> str | None:
        r"""Return the character of \uXXXX (two of them for one beyond 16 bits) or \u{…}."""
        if self.unicode:
            start = self.at
            if found := self.match(r"u\{([0-9a-fA-F]+)\}"):
                if int(found[1], 16) > chars.HIGHEST:
                    self.fail("no character has this number", start)
                return chr(int(found[1], 16))
            if found := self.match(r"u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"):
                return chr(0x10000 + ((int(found[1], 16) - 0xD800) << 10) + int(found[2], 16) - 0xDC00)
        found = self.match(r"u([0-9a-fA-F]{4})")
        return chr(int(found[1], 16)) if found else None

    def loose_character(self, letter: str, *, inside: bool) -> str:
        """Return what an escape stands for that only the reading without the u flag knows."""
        if letter == "c":
            if inside and (found := self.match(r"c([0-9_])")):
                return chr(ord(found[1]) % 32)
            return "\\"  # and the c is read next
        if found := self.match(r"[0-3][0-7]{0,2}|[4-7][0-7]?"):
            return chr(int(found[0], 8))
        if letter == "k" and self.names:
            self.fail("\\k wants the name of a group: \\k<name>")
        self.at += 1
        return letter

    # -- classes -------------------------------------------------------------------------------------------------

    def char_class(self) -> Chars:
        start = self.at
        self.at += 1
        negated = self.take("^")
        pieces: list[Piece] = []
        while not self.take("]"):
            if not self.peek():
                self.fail("a class is not closed", start)
            pieces += self.members(start)
        return class_of(pieces, negated=negated)

    def members(self, start: int) -> list[Piece]:
        low, low_is_class = self.member(start)
        if self.peek() != "-" or self.peek(1) in ("]", ""):
            return [low]
        where = self.at
        self.at += 1
        high, high_is_class = self.member(start)
        if low_is_class or high_is_class:
            if self.unicode:
                self.fail("a range cannot begin or end with a class", where)
            return [low, _piece("-"), high]
        if low.ranges > high.ranges:
            self.fail("a range runs backwards", where)
        return [Piece(f"{low.written}-{high.written}", ((low.ranges[0][0], high.ranges[0][0]),))]

    def member(self, start: int) -> tuple[Piece, bool]:
        """Return a character of a class, or a class in it, and whether it is a class."""
        if not self.peek():
            self.fail("a class is not closed", start)
        if self.peek() != "\\":
            self.at += 1
            return _piece(self.text[self.at - 1]), False
        began = self.at
        self.at += 1
        if (found := self.shorthand()) is not None:
            return Piece(found.written, found.ranges), True
        return _piece(self.character(began, inside=True)), False


def class_of(pieces: list[Piece], *, negated: bool) -> Chars:
    """Return a class of its parts; `[]` holds no character, `[^]` every one."""
    inside = "".join(piece.written for piece in pieces)
    held = chars.union(piece.ranges for piece in pieces)
    if negated:
        ranges = chars.complement(held)
        return Chars(ranges, (Piece(f"[^{inside}]", ranges),) if ranges else (), f"[^{inside}]")
    return Chars(held, pieces_apart(pieces), f"[{inside}]")


def _shorthand(written: str, ranges: Ranges) -> Chars:
    return Chars(ranges, (Piece(written, ranges),) if ranges else (), written)


def _literal(char: str) -> Chars:
    point = ((ord(char), ord(char)),)
    return Chars(point, (Piece(char, point),), char, char)


def _piece(char: str) -> Piece:
    return Piece(chars.shown_character(char), ((ord(char), ord(char)),))


def _spell_out(name: str) -> str:
    r"""Return a name with its \u escapes read."""
    return re.sub(r"\\u\{?([0-9a-fA-F]+)\}?", lambda found: chr(min(int(found[1], 16), chars.HIGHEST)), name)


def _list_groups(text: str) -> tuple[int, dict[str, int]]:
    """Return how many groups a pattern captures, and the numbers of those with names: references may come before."""
    count = 0
    names: dict[str, int] = {}
    in_class = False
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char == "(":
            named = _GROUP_NAME.match(text, at + 2) if text.startswith("?<", at + 1) else None
            if named and text[at + 3 : at + 4] in ("=", "!"):
                named = None
            if named or not text.startswith("?", at + 1):
                count += 1
            if named:
                names.setdefault(_spell_out(named[1]), count)
        at += 1
    return count, names
