r"""From a pattern of Rust's `regex` crate to the tree: what `pydantic.Field(pattern="…")` means.

It has no looks and no references; classes may be nested, intersected and subtracted, `\d`, `\w` and `\b` know all of
Unicode, `$` is the very end. Held to what pydantic-core accepts and finds (`tests/regex/test_rust.py`).
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace
from typing import Literal, NoReturn

from unlike.regex import chars
from unlike.regex.chars import Ranges
from unlike.regex.dialects.rust_classes import POSIX, fold_simply, named_property, shorthand
from unlike.regex.tree import (
    Alternation,
    Anchor,
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

# escapes, flags, nested classes and their operators, a `$` inside, counts of counts, blanks in counts
_OTHERWISE = re.compile(r"\\|\(\?(?!:|P<)|\[[^\]]*\[|&&|--|~~|\$|[*+?}]\??[*+{]|[*+?}]\?\?|\{[^}]*\s")
DEEPEST = 150  # groups within groups
HIGHEST_COUNT = 2**32 - 2  # Python's matcher counts no further
META = "\\.+*?()|[]{}^$#&-~"
CONTROLS = {"a": "\a", "f": "\f", "t": "\t", "n": "\n", "r": "\r", "v": "\v"}
HEX = {"x": 2, "u": 4, "U": 8}
OPERATORS = ("&&", "--", "~~")
FLAGS = "imsUuxR"
# of `\b{…}`: whether a word character stands before, and behind; nothing where it does not matter
PLACES: dict[str, tuple[bool | None, bool | None]] = {
    "start": (False, True), "end": (True, False), "start-half": (False, None), "end-half": (None, False),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Flags:
    ignore_case: bool = False
    lines: bool = False
    dot_all: bool = False
    lazy: bool = False
    unicode: bool = True
    verbose: bool = False
    carriage: bool = False


NAMES = dict(zip(FLAGS, ("ignore_case", "lines", "dot_all", "lazy", "unicode", "verbose", "carriage"), strict=True))


@functools.lru_cache(maxsize=1024)
def read_rust(pattern: str) -> Node:
    r"""Return the tree of a pattern that is searched for; one that the crate refuses is refused.

    >>> read_rust(r"^[a-c&&b]$")
    Concatenation(parts=(Anchor(kind='start'...), Chars(ranges=((98, 98),)...), Anchor(kind='end'...)))
    """
    try:
        return _RustReader(pattern).whole()
    except RecursionError:
        raise PatternError(f"pattern {pattern[:80]!r} is nested too deeply") from None


def is_read_alike(pattern: str) -> bool:
    r"""Tell whether Python's `re` reads a pattern as Rust does, as far as texts of ASCII go.

    It does if nothing is there that only one of them has, or that means something else: `\s`, `\b`, a `$` inside.
    """
    plain = re.sub(r"\\[dDwWntrfv.+*?()|{}^$#&~\\/\[\]-]", "", pattern).removeprefix("^")
    if plain.endswith("$") and "|" not in plain:
        plain = plain[:-1]
    return not _OTHERWISE.search(plain)


class _RustReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.opened = 0
        self.taken: set[str] = set()
        self.flags = _Flags()

    # -- the text ------------------------------------------------------------------------------------------------

    def fail(self, why: str, at: int | None = None) -> NoReturn:
        raise PatternError(f"pattern {self.text!r}: {why} at position {self.at if at is None else at}")

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def take(self, expected: str) -> bool:
        if not self.text.startswith(expected, self.at):
            return False
        self.at += len(expected)
        return True

    def skip_blanks(self) -> None:
        """Go on to what counts: with the x flag, blanks and comments do not."""
        while self.flags.verbose and (char := self.peek()):
            if char == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end + 1
            elif char.isspace():
                self.at += 1
            else:
                return

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
        around = self.flags  # what is set inside ends there
        branches = [self.sequence()]
        while self.take("|"):
            branches.append(self.sequence())
        self.flags = around
        self.depth -= 1
        return branches[0] if len(branches) == 1 else Alternation(tuple(branches))

    def sequence(self) -> Node:
        parts: list[Node] = []
        self.skip_blanks()
        while self.peek() not in ("", "|", ")"):
            if (found := self.term()) is not None:
                parts.append(found)
            self.skip_blanks()
        return join_parts(parts)

    def term(self) -> Node | None:
        """Return what stands next, with its counts; nothing for flags that only hold from here on."""
        if self.peek() in ("*", "+", "?", "{"):
            self.fail("nothing to repeat")
        found = self.bracket() if self.peek() == "(" else self.atom()
        if found is None:
            return None
        self.skip_blanks()
        while self.peek() in ("*", "+", "?", "{") and self.peek():
            found = self.read_count(found)
            self.skip_blanks()
        return found

    def bracket(self) -> Node | None:
        start = self.at
        self.at += 1
        self.skip_blanks()
        if any(self.text.startswith(each, self.at) for each in ("?=", "?!", "?<=", "?<!")):
            self.fail("looks (?=…) (?!…) (?<=…) (?<!…) do not exist in Rust's patterns", start)
        if self.take("?P<") or self.take("?<"):
            return self.group(start, self.group_name())
        if not self.take("?"):
            return self.group(start, None)
        flags = self.read_flags(start)
        if self.take(")"):
            if self.text[start:].startswith("(?)"):
                self.fail("nothing to repeat", start)
            self.flags = flags
            return None
        self.at += 1  # the colon
        around, self.flags = self.flags, flags
        inside = self.read_inside(start)
        self.flags = around
        return inside

    def group(self, start: int, name: str | None) -> Node:
        self.opened += 1
        index = self.opened
        return Group(index, name, self.read_inside(start))

    def read_inside(self, start: int) -> Node:
        inside = self.alternatives()
        if not self.take(")"):
            self.fail("a bracket is not closed", start)
        return inside

    def group_name(self) -> str:
        end = self.text.find(">", self.at)
        name = self.text[self.at : end] if end >= 0 else ""
        first, rest = name[:1], name[1:].replace(".", "_").replace("[", "_").replace("]", "_")
        if not (first == "_" or first.isalpha()) or not all(char == "_" or char.isalnum() for char in rest):
            self.fail(f"{name!r} cannot be the name of a group")
        if name in self.taken:
            self.fail(f"the group {name!r} exists twice")
        self.taken.add(name)
        self.at = end + 1
        return name

    def read_flags(self, start: int) -> _Flags:
        """Return the flags up to the colon or the bracket, which is next."""
        found, seen, value, last = self.flags, set[str](), True, ""
        while (char := self.peek()) not in (":", ")"):
            if not char:
                self.fail("a bracket is not closed", start)
            if char == "-" and value:
                value = False
            elif char in FLAGS and char not in seen:
                seen.add(char)
                found = replace(found, **{NAMES[char]: value})
            else:
                self.fail(f"no such flag, or one that is there twice: {char!r}")
            last = char
            self.at += 1
        if last == "-":
            self.fail("no flag behind '-'")
        return found

    def read_count(self, body: Node) -> Node:
        start = self.at
        low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(self.peek(), (0, 0))
        if self.take("{"):
            found = re.compile(r"\s*([0-9]+)\s*(,\s*([0-9]+)?\s*)?\}").match(self.text, self.at)
            if not found or re.match(r",\s+\}", found[0][found.end(1) - found.start() :].lstrip()):
                self.fail("a count is no {2}, {2,} or {2,3}", start)
            low = int(found[1])
            high = low if found[2] is None else int(found[3]) if found[3] else None
            if max(low, high or 0) > HIGHEST_COUNT or (high is not None and low > high):
                self.fail("the least count is above the most, or one is too high", start)
            self.at = found.end()
        else:
            self.at += 1
        lazy = self.take("?") is not self.flags.lazy
        return repeat(body, low, high, kind="lazy" if lazy else "greedy")

    def atom(self) -> Node:
        char = self.peek()
        if char == "\\":
            found = self.escape(inside=False)
            return found if isinstance(found, Node) else self.literal(found)
        if char == "[":
            start = self.at
            self.at += 1
            return self.char_class(start)
        self.at += 1
        match char:
            case "^":
                return self.line_start() if self.flags.lines else Anchor("start")
            case "$":
                return self.line_end() if self.flags.lines else Anchor("end")
            case ".":
                ends = chars.single("\n\r") if self.flags.carriage else chars.NEWLINE
                return self.one_of(Piece(".", chars.EVERYTHING if self.flags.dot_all else chars.complement(ends)))
        return self.literal(char)

    def line_start(self) -> Node:
        if not self.flags.carriage:
            return Anchor("line start")
        alone = join_parts([_look(chars.single("\r"), ahead=False), _look(chars.NEWLINE, ahead=True, negative=True)])
        return Alternation((Anchor("start"), _look(chars.NEWLINE, ahead=False), alone))

    def line_end(self) -> Node:
        newline = _look(chars.NEWLINE, ahead=True)
        if not self.flags.carriage:
            return Alternation((Anchor("end"), newline))
        before = _look(chars.single("\r"), ahead=False, negative=True)
        return Alternation((Anchor("end"), _look(chars.single("\r"), ahead=True), join_parts([before, newline])))

    def literal(self, char: str) -> Chars:
        point: Ranges = ((ord(char), ord(char)),)
        ranges = self.fold(point)
        return Chars(ranges, (Piece(char, ranges),), char, char if ranges == point else None)

    def one_of(self, piece: Piece) -> Chars:
        """Return one character of a set; where bytes are meant, none beyond ASCII can be in it."""
        if not self.flags.unicode and piece.ranges and piece.ranges[-1][1] > chars.ASCII_END - 1:
            self.fail(f"{piece.written} without the u flag means bytes, which are no text")
        return Chars(piece.ranges, (piece,) if piece.ranges else (), piece.written)

    def fold(self, ranges: Ranges) -> Ranges:
        if not self.flags.ignore_case:
            return ranges
        return fold_simply(ranges, ascii_only=not self.flags.unicode)

    # -- escapes -------------------------------------------------------------------------------------------------

    def escape(self, *, inside: bool) -> Node | str:
        """Return the set, the place or the character that an escape means."""
        start = self.at
        self.at += 1
        letter = self.peek()
        if not letter:
            self.fail("a backslash at the very end", start)
        self.at += 1
        if letter in "dDwWsS":
            held = shorthand(letter.lower(), unicode=self.flags.unicode)
            return self.one_of(Piece(f"\\{letter}", chars.complement(held) if letter.isupper() else held))
        if letter in "pP":
            return self.unicode_class(start, negated=letter == "P")
        if letter in HEX:
            return self.hexadecimal(HEX[letter], start)
        if letter in CONTROLS:
            return CONTROLS[letter]
        if not inside and (place := self.place(letter)) is not None:
            return place
        if letter not in META and (not letter.isascii() or letter.isalnum() or letter in "<>"):
            self.fail(f"\\{letter} means nothing here; references and \\Z do not exist in Rust's patterns", start)
        return letter

    def place(self, letter: str) -> Node | None:
        word = shorthand("w", unicode=self.flags.unicode)
        if letter == "b" and self.peek() == "{":
            found = re.compile(r"\{([A-Za-z-]+)\}").match(self.text, self.at)
            if found and found[1] in PLACES:
                self.at = found.end()
                return _between(*PLACES[found[1]], word)
            if re.compile(r"\{[A-Za-z-]").match(self.text, self.at):
                self.fail(f"\\b knows {', '.join(PLACES)}")
        match letter:
            case "A":
                return Anchor("start")
            case "z":
                return Anchor("end")
            case "<":
                return _between(*PLACES["start"], word)
            case ">":
                return _between(*PLACES["end"], word)
            case "b" | "B":
                kind: Literal["boundary", "not boundary"] = "boundary" if letter == "b" else "not boundary"
                return Anchor(kind, word)
        return None

    def unicode_class(self, start: int, *, negated: bool) -> Chars:
        if not self.flags.unicode:
            self.fail("\\p needs the u flag", start)
        if self.take("{"):
            end = self.text.find("}", self.at)
            name = self.text[self.at : end] if end >= 0 else ""
            self.at = end + 1
        else:
            name = self.peek()
            self.at += 1
        if "!=" in name:
            negated, name = not negated, name.replace("!=", "=")
        held = named_property(name.replace(":", "="))
        if held is None:
            self.fail(f"{name!r} is no Unicode property that is known", start)
        held = self.fold(held)
        return self.one_of(Piece(self.text[start : self.at], chars.complement(held) if negated else held))

    def hexadecimal(self, width: int, start: int) -> str:
        self.skip_blanks()
        blanks = r"\s*" if self.flags.verbose else ""
        digits = blanks.join(["[0-9A-Fa-f]"] * width)
        found = re.compile(rf"\{{{blanks}([0-9A-Fa-f]+){blanks}\}}|({digits})").match(self.text, self.at)
        if not found:
            self.fail("a character is written \\x41, \\u0041 or \\x{41}", start)
        self.at = found.end()
        number = int(re.sub(r"\s", "", found[1] or found[2]), 16)
        if number > chars.HIGHEST or 0xD800 <= number <= 0xDFFF:
            self.fail("no character has this number", start)
        if not self.flags.unicode and number > chars.ASCII_END - 1 and width == HEX["x"] and found[1] is None:
            self.fail("a byte is no text", start)  # \x{ff} and \u00ff are characters all the same
        return chr(number)

    # -- classes -------------------------------------------------------------------------------------------------

    def char_class(self, start: int) -> Chars:
        """Return a class; the bracket is read already."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise PatternError(f"pattern {self.text[:80]!r} is nested too deeply")
        self.skip_blanks()
        negated = self.take("^")
        self.skip_blanks()
        pieces: list[Piece] = []
        while self.take("-"):
            pieces.append(_piece("-"))
            self.skip_blanks()
        if not pieces and self.take("]"):
            pieces.append(_piece("]"))
        left: Ranges | None = None
        operator = ""
        while True:
            self.skip_blanks()
            if not self.peek():
                self.fail("a class is not closed", start)
            following = next((each for each in OPERATORS if self.text.startswith(each, self.at)), "")
            if following or self.peek() == "]":
                right = self.fold(chars.union(piece.ranges for piece in pieces))
                left = right if left is None else _combine(operator, left, right)
                self.at += len(following) or 1
                if not following:
                    break
                operator, pieces = following, []
                continue
            pieces += self.members(start)
        self.depth -= 1
        found = self.one_of(Piece(self.text[start : self.at], chars.complement(left) if negated else left))
        if negated or operator:
            return found
        return replace(found, pieces=pieces_apart([Piece(each.written, self.fold(each.ranges)) for each in pieces]))

    def members(self, start: int) -> list[Piece]:
        if self.peek() == "[":
            named = re.compile(r"\[:(\^?)([A-Za-z]+):\]").match(self.text, self.at)
            if named and named[2] in POSIX:
                self.at = named.end()
                held = POSIX[named[2]]
                return [Piece(named[0], chars.complement(held) if named[1] else held)]
            inner = self.at
            self.at += 1
            found = self.char_class(inner)
            return [Piece(found.written, found.ranges)]
        low, low_is_class = self.member(start)
        self.skip_blanks()
        where = self.at
        if self.peek() != "-":
            return [low]
        self.at += 1
        self.skip_blanks()
        if self.peek() in ("]", "-"):
            self.at = where
            if self.peek() == "-" and not self.text.startswith("--", self.at):
                self.at += 1
                return [low, _piece("-")]
            return [low]
        high, high_is_class = self.member(start)
        if low_is_class or high_is_class:
            self.fail("a range begins and ends with a character", where)
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
        found = self.escape(inside=True)
        if isinstance(found, str):
            return _piece(found), False
        assert isinstance(found, Chars)
        return Piece(found.written, found.ranges), True


def _combine(operator: str, left: Ranges, right: Ranges) -> Ranges:
    match operator:
        case "&&":
            return chars.intersection(left, right)
        case "--":
            return chars.difference(left, right)
    return chars.union([chars.difference(left, right), chars.difference(right, left)])


def _look(ranges: Ranges, *, ahead: bool, negative: bool = False) -> Node:
    return Look(ahead, negative, Chars(ranges, (Piece("", ranges),), "[…]"))


def _between(before: bool | None, behind: bool | None, word: Ranges) -> Node:
    """Return the place between what is a word character, or is none."""
    sides = [(False, before), (True, behind)]
    return join_parts([_look(word, ahead=ahead, negative=not said) for ahead, said in sides if said is not None])


def _piece(char: str) -> Piece:
    return Piece(chars.shown_character(char), ((ord(char), ord(char)),))
