"""A pattern as a z3 regular expression, for the constructs that z3 has."""

from __future__ import annotations

from typing import Any, TypeAlias

import z3

from unlike.regex.tree import Alternation, Chars, Concatenation, Empty, Group, Node, Repeat, parse
from unlike.solvers.base import Untranslatable

Z3: TypeAlias = Any  # z3 has no types

HIGHEST = 0x2FFFF  # the last character of z3's alphabet
MANY = 1_000  # so many characters of a class are as good as all of it


def text(string: str, context: Z3) -> Z3:
    """Return a string constant; every character outside plain ASCII, and the backslash, is escaped."""
    if string and ord(max(string)) > HIGHEST:
        raise Untranslatable(f"z3 has no character {max(string)!r}; its alphabet ends at U+{HIGHEST:X}")
    escaped = "".join(char if " " <= char <= "~" and char != "\\" else f"\\u{{{ord(char):x}}}" for char in string)
    return z3.StringVal(escaped, context)


def regex(pattern: str, flags: int, context: Z3) -> Z3:
    """Return the language of the pattern as a z3 regular expression, or refuse what z3 cannot be told."""
    return _Z3Translation(pattern, context).of(parse(pattern, flags).root)


def regex_of(tree: Node, context: Z3) -> Z3:
    """Return the language of a pattern's tree as a z3 regular expression."""
    return _Z3Translation("of a branch", context).of(tree)


class _Z3Translation:
    def __init__(self, pattern: str, context: Z3) -> None:
        self.pattern = pattern
        self.context = context

    def of(self, node: Node) -> Z3:
        """Return one node as a z3 regular expression."""
        match node:
            case Chars(ranges):
                return self.characters(ranges)
            case Empty():
                return z3.Re(text("", self.context))
            case Concatenation(parts):
                translated = [self.of(part) for part in parts]
                return z3.Concat(*translated) if len(translated) > 1 else (translated or [self.of(Empty())])[0]
            case Alternation(branches):
                return self.union([self.of(branch) for branch in branches])
            case Group(_, _, body):
                return self.of(body)
            case Repeat(body, low, high, kind) if kind != "possessive":
                return self.repeat(self.of(body), low, high)
        kind_name = type(node).__name__.lower()
        raise Untranslatable(f"pattern {self.pattern!r} has a {kind_name}, which z3 cannot be told")

    def characters(self, ranges: tuple[tuple[int, int], ...]) -> Z3:
        """Return one character out of the ranges.

        Of characters that z3 does not have, many others that it has can take the place; of few they cannot.
        """
        there = sum(max(0, min(high, HIGHEST) - low + 1) for low, high in ranges)
        if ranges and ranges[-1][1] > HIGHEST and there < MANY:
            raise Untranslatable(f"pattern {self.pattern!r} has characters beyond U+{HIGHEST:X}, which z3 has not")
        parts = []
        for low, high in ranges:
            if low <= HIGHEST:
                first, last = text(chr(low), self.context), text(chr(min(high, HIGHEST)), self.context)
                parts.append(z3.Range(first, last) if low != high else z3.Re(first))
        return self.union(parts)

    def union(self, parts: list[Z3]) -> Z3:
        """Return the union of the parts, the empty language if there are none."""
        if not parts:
            return z3.Empty(z3.ReSort(z3.StringSort(self.context)))
        return z3.Union(*parts) if len(parts) > 1 else parts[0]

    def repeat(self, body: Z3, low: int, high: int | None) -> Z3:
        """Return the body low to high times."""
        match low, high:
            case 0, None:
                return z3.Star(body)
            case 1, None:
                return z3.Plus(body)
            case _, None:
                return z3.Concat(z3.Loop(body, low, low), z3.Star(body))
            case 0, 0:
                return z3.Re(text("", self.context))
            case 0, 1:
                return z3.Option(body)
        return z3.Loop(body, low, high)
