"""Strings that just fail: one per rule of a pattern, breaking that rule alone.

Each rule is broken in the tree (another character, a part left out, a round too many, a lookaround turned
round), and a shortest text of the broken tree that the pattern does not match is the near miss. It matches
as soon as the named rule is relaxed.
"""

from __future__ import annotations

import itertools
import random
import string
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from unlike.core import FOREVER, CutShort, Deadline
from unlike.indexed import spread_indices
from unlike.progress import report
from unlike.regex import chars, match, tree
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.texts.construct import candidates
from unlike.regex.texts.labels import write_node
from unlike.suite import Status

MAX_STATES = 1_500  # of one broken pattern: there is an automaton for each rule
MAX_WORK = 400_000  # moves of all these automata together
MOST_DRAWN = 60  # characters of a text that are drawn anew
TEXTS_PER_RULE = 50  # that are looked at for one that no other rule has taken

_ANY = tree.Chars(chars.EVERYTHING, (), "any")


class NearMiss(NamedTuple):
    """A text that fails, and the only rule it breaks."""

    text: str
    rule: str


@dataclass(slots=True)
class NearMisses:
    """What was found, the rules left undecided with the reason, and those that cannot be broken alone.

    A rule counts as unbreakable too if every text that breaks it stands for another rule already.
    """

    found: list[NearMiss] = field(default_factory=list)
    unbreakable: list[str] = field(default_factory=list)
    undecided: list[tuple[str, str]] = field(default_factory=list)
    cut: Status | None = None  # not every rule was looked at


def near_misses(pattern: tree.Pattern, deadline: Deadline = FOREVER) -> NearMisses:
    """Return one failing text per rule of the pattern, no text twice; those of the rules that there was time for."""
    result = NearMisses()
    try:
        for _ in each_near_miss(pattern, result, deadline):
            pass
    except CutShort as cut:
        result.cut = cut.status
    return result


def each_near_miss(
    pattern: tree.Pattern,
    result: NearMisses,
    deadline: Deadline = FOREVER,
    *,
    spread: bool = False,
    rng: random.Random | None = None,
) -> Iterator[NearMiss]:
    """Yield one failing text per rule, no text twice, as they are found; the result says what became of each rule.

    They come as the rules are written, or spread over all rules. The text is a shortest one; with a source of chance
    its letters and digits are drawn.
    """
    used: set[str] = set()
    whole, why, work = None, "", MAX_WORK
    rules = _name_rules(pattern)
    order = spread_indices(len(rules)) if spread else range(len(rules))
    try:
        whole = Automaton.of(pattern, max_states=MAX_STATES, deadline=deadline)
    except Undecided as error:
        why = str(error)
    for number in deadline.each(order):
        report("breaking rules", len(result.found))
        name, broken = rules[number]
        if work < 0:
            whole, why = None, "the pattern has too many rules to look at each of them"
        texts, reason, cost = _texts(broken, whole, why, deadline)
        work -= cost
        text, tried = _find_unused(pattern, broken, texts, used, deadline)
        if text is not None and rng is not None:
            drawn = _draw_characters(pattern, broken, text, rng, deadline)
            text = text if drawn in used else drawn
        if text is not None:
            used.add(text)
            result.found.append(NearMiss(text, name))
            yield result.found[-1]
        elif reason or tried >= TEXTS_PER_RULE:
            reason = reason or f"the first {tried} texts that break it are taken or not accepted"
            result.undecided.append((name, reason))
        else:
            result.unbreakable.append(name)


def _name_rules(pattern: tree.Pattern) -> list[tuple[str, tree.Node]]:
    """Return every rule by a name of its own, with the tree in which it is broken."""
    times: dict[str, int] = {}
    found = []
    for rule, broken in broken_rules(pattern.root):
        times[rule] = times.get(rule, 0) + 1
        found.append((rule if times[rule] == 1 else f"{rule} (#{times[rule]})", broken))
    return found


def _find_unused(
    pattern: tree.Pattern, broken: tree.Node, texts: Iterator[str], used: set[str], deadline: Deadline
) -> tuple[str | None, int]:
    """Return the first text that fails and stands for no other rule, and how many were looked at."""
    tried = 0
    for text in deadline.each(texts):
        tried += 1
        try:
            # asked of others than the automaton
            fails = text not in used and match.matches(broken, text, deadline)
            if fails and not match.accepts(pattern, text, deadline):
                return text, tried
        except Undecided:  # one that is too hard to match tells nothing, nor will the longer ones after it
            return None, TEXTS_PER_RULE
    return None, tried


def _draw_characters(
    pattern: tree.Pattern, broken: tree.Node, text: str, rng: random.Random, deadline: Deadline
) -> str:
    """Return the text with other letters and digits, as long as it still breaks the rule, and nothing else."""
    for at, char in enumerate(text[:MOST_DRAWN]):
        kind = next(
            (kind for kind in (string.digits, string.ascii_lowercase, string.ascii_uppercase) if char in kind), ""
        )
        if kind:
            other = text[:at] + rng.choice(kind) + text[at + 1 :]
            with suppress(Undecided):
                if match.matches(broken, other, deadline) and not match.accepts(pattern, other, deadline):
                    text = other
    return text


def _texts(broken: tree.Node, whole: Automaton | None, why: str, deadline: Deadline) -> tuple[Iterator[str], str, int]:
    """Return texts of the broken tree, why they are not all if they are not, and the work it took."""
    if whole is None:
        return candidates(broken, deadline=deadline), why, 0
    try:
        language = Automaton.of(broken, max_states=MAX_STATES, deadline=deadline)
        failing = language.difference(whole, max_states=MAX_STATES)
    except Undecided as error:
        return candidates(broken, deadline=deadline), str(error), MAX_STATES * 20
    cost = sum(len(each.moves) * len(each.letters) for each in (language, failing))
    return itertools.islice(failing.texts_readily(), TEXTS_PER_RULE), "", cost


# -- the rules ---------------------------------------------------------------------------------------


def broken_rules(root: tree.Node) -> Iterator[tuple[str, tree.Node]]:
    """Yield every rule of the tree in words, with the tree in which this rule alone is broken."""
    yield from _break_rules(root)
    yield "something before", tree.join_parts([_ANY, root])
    yield "something after", tree.join_parts([root, _ANY])


def _break_rules(node: tree.Node) -> Iterator[tuple[str, tree.Node]]:
    match node:
        case tree.Chars(ranges):
            if other := chars.complement(ranges):
                yield f"{write_node(node)} is another character", tree.Chars(other, (), "other")
            yield f"{write_node(node)} is missing", tree.Empty()
        case tree.Concatenation(parts):
            yield from _broken_sequence(parts)
        case tree.Alternation(branches):
            for branch in branches:
                yield from _break_rules(branch)
            yield f"none of {write_node(node)}", tree.Repeat(_ANY, 1, None)
        case tree.Repeat():
            yield from _broken_repeat(node)
        case tree.Look(ahead, negative, body, True):
            yield f"{write_node(body)} is given back after it matched", tree.Look(ahead, not negative, body)
        case tree.Look(ahead, negative, body):
            yield f"{write_node(node)} does not hold", tree.Look(ahead, not negative, body)
        case tree.Anchor():
            yield f"{write_node(node)} does not hold", tree.Empty()
        case tree.BackReference(index):
            yield f"\\{index} repeats something else", tree.Repeat(_ANY, 1, 3)
        case tree.Conditional(group, yes, no):
            yield f"{write_node(node)} takes the other branch", tree.Conditional(group, no, yes)
        case tree.Atomic(body):
            yield f"{write_node(node)} gives back what it took", body
            yield from _break_rules(body)
        case _:
            for part in tree.inner(node):
                for rule, broken in _break_rules(part):
                    yield rule, _replace_inner(node, part, broken)


def _replace_inner(node: tree.Node, part: tree.Node, other: tree.Node) -> tree.Node:
    return tree.with_inner(node, lambda each: other if each is part else each)


def _broken_sequence(parts: tuple[tree.Node, ...]) -> Iterator[tuple[str, tree.Node]]:
    """Yield the broken rules of each part; a word written out is one part."""
    start = 0
    while start < len(parts):
        end = start + 1
        while _is_literal(parts[start]) and end < len(parts) and _is_literal(parts[end]):
            end += 1
        before, after = parts[:start], parts[end:]
        if end - start == 1:
            for rule, broken in _break_rules(parts[start]):
                yield rule, tree.join_parts([*before, broken, *after])
        else:
            word = write_node(tree.Concatenation(parts[start:end]))
            first = parts[start]
            assert isinstance(first, tree.Chars)
            other = tree.Chars(chars.complement(first.ranges), (), "other")
            yield f"{word} is misspelt", tree.join_parts([*before, other, *parts[start + 1 :]])
            yield f"{word} is missing", tree.join_parts([*before, *after])
        start = end


def _is_literal(node: tree.Node) -> bool:
    return isinstance(node, tree.Chars) and node.literal is not None


def _broken_repeat(node: tree.Repeat) -> Iterator[tuple[str, tree.Node]]:
    body, low, high = node.body, node.low, node.high
    rest = tree.repeat(body, max(low, 1) - 1, None if high is None else high - 1)
    single = isinstance(body, tree.Chars)
    for rule, broken in _break_rules(body):
        if not (single and rule.endswith("is missing")):  # that is one round fewer
            yield rule, tree.join_parts([broken, rest])
    if low > 0:
        yield f"{write_node(node)} has one round too few", tree.repeat(body, low - 1, low - 1)
    if high is not None:
        yield f"{write_node(node)} has one round too many", tree.repeat(body, high + 1, high + 1)
