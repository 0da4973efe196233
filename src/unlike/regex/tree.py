"""From the text of a pattern to a tree in which every flag is resolved.

Python's own parser reads the text, so what it accepts and how it complains are Python's. One thing it does
is undone: it rewrites `(0|[1-9])` into a class and pulls common beginnings out of unions. How a pattern is
written tells what its author holds apart, so a union must stay a union.
"""

from __future__ import annotations

import functools
import importlib.util
import re
import re._constants as constants  # type: ignore[import-not-found]
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from unlike.errors import SpecError
from unlike.regex import chars
from unlike.regex.chars import Ranges
from unlike.regex.quiet import compile_quietly


class PatternError(SpecError):
    """A pattern that Python does not accept."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One separately written part of a class, without what smaller parts of it hold already."""

    written: str
    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of a set."""

    ranges: Ranges
    pieces: tuple[Piece, ...]
    written: str
    literal: str | None = None


@dataclass(frozen=True, slots=True)
class Empty:
    """The empty text."""


@dataclass(frozen=True, slots=True)
class Concatenation:
    """One part after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """One of the branches; the first that leads to a match counts."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """The body low to high times in a row; high None means no bound."""

    body: Node
    low: int
    high: int | None
    kind: Literal["greedy", "lazy", "possessive"] = "greedy"


@dataclass(frozen=True, slots=True)
class Group:
    """A group that is captured."""

    index: int
    name: str | None
    body: Node


@dataclass(frozen=True, slots=True)
class BackReference:
    """What the group captured, once more."""

    index: int
    ignore_case: bool = False
    ascii_only: bool = False


AnchorKind: TypeAlias = Literal["start", "line start", "end", "final end", "line end", "boundary", "not boundary"]


@dataclass(frozen=True, slots=True)
class Anchor:
    r"""A place: `end` is \Z, `final end` is $ without MULTILINE; a boundary knows its word characters."""

    kind: AnchorKind
    word: Ranges = ()


@dataclass(frozen=True, slots=True)
class Look:
    """What must or must not stand after or before this place."""

    ahead: bool
    negative: bool
    body: Node
    implied: bool = False  # not written: an atomic group would keep an earlier branch


@dataclass(frozen=True, slots=True)
class Conditional:
    """The first branch if the group has taken part, else the second."""

    group: int
    yes: Node
    no: Node


@dataclass(frozen=True, slots=True)
class Atomic:
    """The body, keeping its first match whatever follows."""

    body: Node
    by_rounds: bool = False  # a possessive repetition: even each of its rounds keeps its first match


Node: TypeAlias = (
    Chars | Empty | Concatenation | Alternation | Repeat | Group | BackReference | Anchor | Look | Conditional | Atomic
)

NEVER = Chars((), (), "(?!)")


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """A pattern: its text, its flags, its tree, and whether automata decide it exactly."""

    text: str
    flags: int
    root: Node
    compiled: re.Pattern[str]
    exact: bool
    reason: str
    empty_bits: float = 0.0  # two to the power of so many steps may `re` take without a character
    empty_rounds: int = 1  # so many rounds that may be empty can share the text among them

    def __str__(self) -> str:
        return self.text

    def matches(self, text: str) -> bool:
        """Say whether Python's `re.fullmatch` accepts the text."""
        try:
            return self.compiled.fullmatch(text) is not None
        except SystemError:  # Python's matcher loses its way in some atomic groups
            return False


def parse(pattern: str, flags: int = 0) -> Pattern:
    """Return the pattern as a tree, or refuse it in Python's own words with the position marked.

    >>> parse("a|b+").root
    Alternation(branches=(Chars(... literal='a'), Repeat(body=Chars(... literal='b'), low=1, high=None, kind='greedy')))
    """
    if not isinstance(pattern, str):
        raise PatternError(f"{pattern!r} is not a text pattern; patterns over bytes are not supported")
    return _parse(pattern, int(flags))


@functools.lru_cache(maxsize=512)
def _parse(pattern: str, flags: int) -> Pattern:
    try:
        compiled = compile_quietly(pattern, flags)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = _parser().parse(pattern, flags)
    except re.error as error:
        raise PatternError(_mark_error(pattern, error)) from None
    except (RecursionError, OverflowError, ValueError) as error:
        raise PatternError(f"pattern {pattern[:80]!r} is not accepted: {error}") from None
    from unlike.regex.atomic import (  # works on these very nodes, so it cannot be imported earlier
        replace_atoms,
        why_not_exact,
    )
    from unlike.regex.rounds import empty_bits, empty_rounds, leave_out_rounds

    reader = _ReTreeReader({index: name for name, index in compiled.groupindex.items()})
    try:
        written = reader.sequence(parsed, parsed.state.flags)
        root = _without_edges(replace_atoms(leave_out_rounds(written)))
    except RecursionError:
        raise PatternError(f"pattern {pattern[:80]!r} is nested too deeply") from None
    reason = why_not_exact(root)
    return Pattern(pattern, flags, root, compiled, not reason, reason, empty_bits(written), empty_rounds(written))


def _mark_error(pattern: str, error: re.error) -> str:
    if error.pos is None:
        return f"pattern {pattern!r}: {error.msg}"
    line = pattern.split("\n")[(error.lineno or 1) - 1]
    column = (error.colno or 1) - 1
    shown = "".join(char if char.isprintable() else "?" for char in line)
    return f"pattern: {error}\n  {shown}\n  {' ' * column}^"


@functools.lru_cache(maxsize=1)
def _parser() -> Any:
    """Return a copy of Python's pattern parser that leaves unions as they are written."""
    import re._parser as original  # type: ignore[import-not-found]

    spec = importlib.util.find_spec("re._parser")
    if spec is None or spec.loader is None:
        return original
    copy = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(copy)

    def parse_union(source: Any, state: Any, verbose: int, nested: int) -> Any:
        branches: list[Any] = []
        while True:
            branches.append(copy._parse(source, state, verbose, nested + 1, not nested and not branches))
            if not source.match("|"):
                break
            if not nested:  # a flag at the start of the pattern counts for every branch
                verbose = state.flags & re.VERBOSE
        if len(branches) == 1:
            return branches[0]
        union = copy.SubPattern(state)
        union.append((constants.BRANCH, (None, branches)))
        return union

    plain = copy._parse_sub
    copy._parse_sub = parse_union  # type: ignore[attr-defined]
    try:
        copy.parse("a|(b|[^c]){2,}", 0)
    except Exception:  # a Python whose parser is built otherwise: unions may then look like classes
        copy._parse_sub = plain  # type: ignore[attr-defined]
    return copy


_ANCHORS: dict[Any, tuple[AnchorKind, AnchorKind]] = {  # without and with MULTILINE
    constants.AT_BEGINNING: ("start", "line start"),
    constants.AT_BEGINNING_STRING: ("start", "start"),
    constants.AT_END: ("final end", "line end"),
    constants.AT_END_STRING: ("end", "end"),
    constants.AT_BOUNDARY: ("boundary", "boundary"),
    constants.AT_NON_BOUNDARY: ("not boundary", "not boundary"),
}
_CATEGORIES = {
    constants.CATEGORY_DIGIT: "d",
    constants.CATEGORY_NOT_DIGIT: "D",
    constants.CATEGORY_SPACE: "s",
    constants.CATEGORY_NOT_SPACE: "S",
    constants.CATEGORY_WORD: "w",
    constants.CATEGORY_NOT_WORD: "W",
}
_REPEATS: dict[Any, Literal["greedy", "lazy", "possessive"]] = {
    constants.MAX_REPEAT: "greedy",
    constants.MIN_REPEAT: "lazy",
    constants.POSSESSIVE_REPEAT: "possessive",
}
_TYPES = re.ASCII | re.UNICODE | re.LOCALE


class _ReTreeReader:
    """Turns what Python's parser gives into our tree."""

    def __init__(self, names: dict[int, str]) -> None:
        self.names = names

    def sequence(self, items: Any, flags: int) -> Node:
        return join_parts([self.node(op, argument, flags) for op, argument in items])

    def node(self, op: Any, argument: Any, flags: int) -> Node:
        if op in _REPEATS:
            low, high, body = argument
            bound = None if high is constants.MAXREPEAT else int(high)
            return repeat(self.sequence(body, flags), int(low), bound, kind=_REPEATS[op])
        match str(op):
            case "LITERAL":
                return _literal(argument, flags)
            case "NOT_LITERAL":
                return _class([(constants.NEGATE, None), (constants.LITERAL, argument)], flags)
            case "ANY":
                ranges = chars.EVERYTHING if flags & re.DOTALL else chars.complement(chars.NEWLINE)
                return Chars(ranges, (Piece(".", ranges),), ".")
            case "IN":
                return _class(argument, flags)
            case "BRANCH":
                return Alternation(tuple(self.sequence(branch, flags) for branch in argument[1]))
            case "SUBPATTERN":
                index, added, removed, body = argument
                inner = self.sequence(body, _scope_flags(flags, added, removed))
                return inner if index is None else Group(index, self.names.get(index), inner)
            case "GROUPREF":
                return BackReference(argument, bool(flags & re.IGNORECASE), bool(flags & re.ASCII))
            case "AT":
                return _anchor(argument, flags)
            case "ASSERT" | "ASSERT_NOT" as kind:
                return Look(argument[0] > 0, kind == "ASSERT_NOT", self.sequence(argument[1], flags))
            case "GROUPREF_EXISTS":
                group, yes, no = argument
                return Conditional(group, self.sequence(yes, flags), self.sequence(no, flags) if no else Empty())
            case "ATOMIC_GROUP":
                return Atomic(self.sequence(argument, flags))
            case "FAILURE":
                return NEVER
        raise PatternError(f"the construct {str(op).lower()!r} is not known to this version")


def join_parts(parts: list[Node]) -> Node:
    """Return the parts one after the other, without needless wrapping."""
    flat: list[Node] = []
    for part in parts:
        match part:
            case Empty():
                continue
            case Concatenation(inner):
                flat += inner
            case _:
                flat.append(part)
    if not flat:
        return Empty()
    return flat[0] if len(flat) == 1 else Concatenation(tuple(flat))


def repeat(body: Node, low: int, high: int | None, *, kind: Literal["greedy", "lazy", "possessive"] = "greedy") -> Node:
    """Return the body repeated, without needless wrapping."""
    if high == 0:
        return Empty()
    return body if low == high == 1 and kind != "possessive" else Repeat(body, low, high, kind)


def _scope_flags(flags: int, added: int, removed: int) -> int:
    if added & _TYPES:
        flags &= ~_TYPES
    return (flags | added) & ~removed


def _literal(point: int, flags: int) -> Chars:
    ranges: Ranges = ((point, point),)
    char = chr(point)
    if flags & re.IGNORECASE:
        ranges = chars.fold_case(ranges, ascii_only=bool(flags & re.ASCII))
    return Chars(ranges, (Piece(char, ranges),), char, char)


def _anchor(place: Any, flags: int) -> Anchor:
    kind = _ANCHORS[place][bool(flags & re.MULTILINE)]
    if kind in ("boundary", "not boundary"):
        return Anchor(kind, chars.category("w", ascii_only=bool(flags & re.ASCII)))
    return Anchor(kind)


def _class(items: Any, flags: int) -> Chars:
    negated = bool(items) and items[0][0] is constants.NEGATE
    ascii_only = bool(flags & re.ASCII)
    pieces: list[Piece] = []
    inside = ""  # of the brackets, as it is written: "]" is a piece by itself, and "\\]" there
    for op, argument in items[1:] if negated else items:
        match str(op):
            case "LITERAL":
                inside += _in_class(argument)
                piece = Piece(chars.shown_character(chr(argument)), ((argument, argument),))
            case "RANGE":
                low, high = argument
                inside += f"{_in_class(low)}-{_in_class(high)}"
                written = f"{chars.shown_character(chr(low))}-{chars.shown_character(chr(high))}"
                piece = Piece(written, ((low, high),))
            case _:
                letter = _CATEGORIES[argument]
                inside += f"\\{letter}"
                piece = Piece(f"\\{letter}", chars.category(letter, ascii_only=ascii_only))
        if flags & re.IGNORECASE and not piece.written.startswith("\\"):
            piece = Piece(piece.written, chars.fold_case(piece.ranges, ascii_only=ascii_only))
        pieces.append(piece)
    if negated:
        ranges = chars.complement(chars.union(piece.ranges for piece in pieces))
        rest = (Piece(f"[^{inside}]", ranges),) if ranges else ()  # of [^\s\S] nothing is left
        return Chars(ranges, rest, f"[^{inside}]")
    written = inside if len(items) == 1 and str(items[0][0]) == "CATEGORY" else f"[{inside}]"
    return Chars(chars.union(piece.ranges for piece in pieces), pieces_apart(pieces), written)


def _in_class(point: int) -> str:
    return f"\\{chr(point)}" if chr(point) in "]^-\\" else chars.shown_character(chr(point))


def pieces_apart(pieces: list[Piece]) -> tuple[Piece, ...]:
    r"""Return the pieces without overlap: a character belongs to the smallest piece that holds it.

    So `[\w_]` keeps two pieces; a piece written twice, or made up of others, is not a choice of its own.
    """
    taken: Ranges = ()
    kept: dict[int, Piece] = {}
    for index in sorted(range(len(pieces)), key=lambda index: chars.size(pieces[index].ranges)):
        own = chars.difference(pieces[index].ranges, taken)
        if own:
            kept[index] = Piece(pieces[index].written, own)
            taken = chars.union([taken, own])
    return tuple(kept[index] for index in sorted(kept))


# -- anchors that fullmatch makes true ---------------------------------------------------------------


def _without_edges(node: Node) -> Node:
    """Return the tree without the anchors that always hold because the whole text is matched."""
    left, _ = _edge(node, ("start", "line start"), first=True)
    right, _ = _edge(left, ("end", "final end", "line end"), first=False)
    return right


def _edge(node: Node, kinds: tuple[AnchorKind, ...], *, first: bool) -> tuple[Node, bool]:
    """Return the node without such anchors at its edge, and whether nothing is left of it."""
    match node:
        case Anchor(kind) if kind in kinds:
            return Empty(), True
        case Empty():
            return node, True
        case Concatenation(parts):
            rest = list(parts)
            where = 0 if first else -1
            while rest:
                rest[where], gone = _edge(rest[where], kinds, first=first)
                if not gone:
                    break
                rest.pop(where)
            return join_parts(rest), not rest
        case Alternation(branches):
            stripped = [_edge(branch, kinds, first=first)[0] for branch in branches]
            return Alternation(tuple(stripped)), False
        case Group(index, name, body):
            return Group(index, name, _edge(body, kinds, first=first)[0]), False
        case _:
            return node, False


# -- what a tree is made of --------------------------------------------------------------------------


def inner(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly below."""
    match node:
        case Concatenation(parts):
            return parts
        case Alternation(branches):
            return branches
        case Repeat(body) | Group(_, _, body) | Look(_, _, body) | Atomic(body):
            return (body,)
        case Conditional(_, yes, no):
            return (yes, no)
        case _:
            return ()


def with_inner(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return the node with each node directly below it changed."""
    match node:
        case Concatenation(parts):
            return Concatenation(tuple(map(change, parts)))
        case Alternation(branches):
            return Alternation(tuple(map(change, branches)))
        case Repeat() | Group() | Look() | Atomic():
            return replace(node, body=change(node.body))
        case Conditional(group, yes, no):
            return Conditional(group, change(yes), change(no))
        case _:
            return node


def every(node: Node) -> Iterator[Node]:
    """Yield the node and everything below it, in the order of the text."""
    todo = [node]
    while todo:
        each = todo.pop()
        yield each
        todo += reversed(inner(each))


def contextual(node: Node) -> bool:
    """Say whether a match depends on more than the pieces put together: places, looks, references, atoms."""
    return any(
        isinstance(each, Anchor | Look | Conditional | Atomic | BackReference)
        or (isinstance(each, Repeat) and each.kind == "possessive")
        for each in every(node)
    )
