"""An independent matcher, which says whether a text matches and which choices derive it.

It walks the tree as it was parsed, position by position, and shares nothing with the automata or with the
generator. It is the second opinion of the tests and of `--check`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TypeAlias

from unlike.core import FOREVER, Deadline
from unlike.regex import chars, tree
from unlike.regex.cover.builder import DEFAULT, Heuristics
from unlike.regex.cover.choices import Key
from unlike.regex.cover.restrict import Combination, Derivation, Longer, repeats_of
from unlike.regex.machine import EMPTY_IS_NO_BOUNDARY, TooLarge
from unlike.regex.rounds import may_be_empty
from unlike.regex.texts.backtracking_bound import harmless
from unlike.regex.texts.fullmatch import fullmatch, given_up, note_unconfirmed

MAX_STEPS = 300_000  # of one match; then there is no answer
STEPS_AT_ONCE = 1_024  # between two looks at the clock

Captures: TypeAlias = tuple[tuple[int, int, int], ...]  # a group, and where its last match began and ended
_FREE = object()


def matches(pattern: tree.Pattern | tree.Node, text: str, deadline: Deadline = FOREVER) -> bool:
    """Say whether the whole text matches."""
    root = pattern.root if isinstance(pattern, tree.Pattern) else pattern
    return _Matcher(text, DEFAULT, None, None, deadline).whole(root, _FREE)


def accepts(pattern: tree.Pattern, text: str, deadline: Deadline = FOREVER) -> bool:
    """Say whether Python accepts the text; where it does not come to an answer, this matcher answers in its place."""
    return judge(pattern, text, deadline)[0]


def judge(pattern: tree.Pattern, text: str, deadline: Deadline = FOREVER) -> tuple[bool, bool]:
    """Say whether the text matches, and whether it was Python that said so."""
    if len(text) <= harmless(pattern):
        return pattern.matches(text), True
    skipped = given_up(pattern.text, pattern.flags)
    answer = fullmatch(pattern.text, pattern.flags, text)
    if answer is not None:
        return answer, True
    try:
        accepted = matches(pattern, text, deadline)
    except TooLarge:
        answer = fullmatch(pattern.text, pattern.flags, text, insist=True) if skipped else None
        if answer is None:
            raise
        return answer, True
    if accepted:
        note_unconfirmed(text)
    return accepted, False


def derives(
    pattern: tree.Pattern | tree.Node,
    choice: Derivation,
    text: str,
    *,
    heuristics: Heuristics = DEFAULT,
    deadline: Deadline = FOREVER,
) -> bool:
    """Say whether the choice derives the whole text."""
    root = pattern.root if isinstance(pattern, tree.Pattern) else pattern
    match choice:
        case Combination(key):
            return _Matcher(text, heuristics, None, None, deadline).whole(root, key)
        case Longer():
            target = repeats_of(root)[choice.repeat]
            return _Matcher(text, heuristics, target, choice, deadline).whole(root, _FREE)


class _Matcher:
    """Matches one text; a key says which choice must be taken, and free means any."""

    def __init__(
        self,
        text: str,
        heuristics: Heuristics,
        target: tree.Repeat | None,
        longer: Longer | None,
        deadline: Deadline,
    ) -> None:
        self.text = text
        self.deadline = deadline
        self.heuristics = heuristics
        self.target = target
        self.longer = longer
        self.steps = 0
        self.path: set[int] = set()
        self.wanted: set[int] = set()
        self.known: dict[tuple[int, int], list[tuple[int, Captures]]] = {}
        self.in_any_order = False  # whether all that counts is where matches end, not which comes first
        self.runs: dict[int, list[int]] = {}  # by the id of a class: how many of its characters follow each place

    def whole(self, root: tree.Node, key: Key) -> bool:
        self.wanted = {node.index for node in tree.every(root) if isinstance(node, tree.BackReference)}
        self.wanted |= {node.group for node in tree.every(root) if isinstance(node, tree.Conditional)}
        self.in_any_order = not self.wanted and not any(
            isinstance(node, tree.Atomic)
            or (isinstance(node, tree.Repeat) and node.kind == "possessive" and node.low != node.high)
            for node in tree.every(root)
        )
        if self.target is not None:
            self.path = {id(node) for node in tree.every(root) if any(each is self.target for each in tree.every(node))}
        return any(end == len(self.text) for end, _ in self.ends(root, key, 0, ()))

    def ends(self, node: tree.Node, key: Key, start: int, captures: Captures) -> Iterator[tuple[int, Captures]]:
        """Yield where a match of the node from the start can end, in the order in which `re` tries them."""
        if key is not _FREE or self.wanted or id(node) in self.path or isinstance(node, tree.Chars):
            return self.search(node, key, start, captures)
        found = self.known.get((id(node), start))
        if found is None:
            # each end once: a later one of the same kind has nothing to add
            found = list(dict.fromkeys(self.search(node, key, start, captures)))
            self.known[id(node), start] = found
        return iter(found)

    def count_steps(self, steps: int) -> None:
        """Go no further after too many steps, or where the time is over."""
        before, self.steps = self.steps, self.steps + steps
        if self.steps > MAX_STEPS:
            raise TooLarge("matching takes too many steps")
        if before // STEPS_AT_ONCE != self.steps // STEPS_AT_ONCE:
            self.deadline.check()

    def search(self, node: tree.Node, key: Key, start: int, captures: Captures) -> Iterator[tuple[int, Captures]]:
        """Yield the ends without remembering them."""
        self.count_steps(1)
        match node:
            case tree.Empty():
                yield start, captures
            case tree.Chars():
                if start < len(self.text) and self.fits(node, key, ord(self.text[start])):
                    yield start + 1, captures
            case tree.Group(index, _, body):
                if index not in self.wanted:
                    yield from self.ends(body, key, start, captures)
                    return
                for end, inner in self.ends(body, key, start, reopen_group(captures, index, start)):
                    kept = tuple(each for each in inner if each[0] != index)
                    yield end, (*kept, (index, start, end))
            case tree.Concatenation(parts):
                keys = key if isinstance(key, tuple) else (_FREE,) * len(parts)
                yield from self.sequence(parts, keys, start, captures)
            case tree.Alternation(branches):
                yield from self.branches(branches, key, start, captures)
            case tree.Repeat():
                yield from self.match_repeat(node, key, start, captures)
            case tree.Anchor():
                if self.at_place(node, start):
                    yield start, captures
            case tree.Look():
                yield from self.look(node, start, captures)
            case tree.Conditional(group, yes, no):
                which = 0 if any(index == group for index, _, _ in captures) else 1
                asked = self.find_asked((yes, no), key)
                if asked is None or asked == which:
                    inner_key = key[1] if isinstance(key, tuple) else _FREE
                    yield from self.ends((yes, no)[which], inner_key, start, captures)
            case tree.Atomic(tree.Repeat() as body, True):
                yield from self.match_repeat(body, key, start, captures, possessive=True)
            case tree.Atomic(body):
                yield from itertools.islice(self.ends(body, key, start, captures), 1)
            case tree.BackReference():
                yield from self.again(node, start, captures)

    def fits(self, node: tree.Chars, key: Key, point: int) -> bool:
        if not isinstance(key, int) or node.literal is not None or self.heuristics.classes == "one":
            return chars.holds(node.ranges, point)
        if self.heuristics.classes == "pieces":
            return chars.holds(node.pieces[key].ranges, point)
        return point == ord(chars.nth(node.ranges, key))

    def find_asked(self, branches: tuple[tree.Node, ...], key: Key) -> int | None:
        """Return which branch must be taken, if one must."""
        if isinstance(key, tuple):
            which = key[0]
            assert isinstance(which, int)
            return which
        on_path = [index for index, branch in enumerate(branches) if id(branch) in self.path]
        return on_path[0] if on_path else None

    def branches(
        self, branches: tuple[tree.Node, ...], key: Key, start: int, captures: Captures
    ) -> Iterator[tuple[int, Captures]]:
        asked = self.find_asked(branches, key)
        inner = key[1] if isinstance(key, tuple) else _FREE
        for index, branch in enumerate(branches):
            if asked is None or asked == index:
                yield from self.ends(branch, inner, start, captures)

    def sequence(
        self, parts: tuple[tree.Node, ...], keys: tuple[Key, ...], start: int, captures: Captures
    ) -> Iterator[tuple[int, Captures]]:
        """Yield the ends of the parts in a row, without a level of recursion per part."""
        trail = [self.ends(parts[0], keys[0], start, captures)]
        seen: set[tuple[int, int, Captures]] = set()
        while trail:
            found = next(trail[-1], None)
            if found is None:
                trail.pop()
                continue
            place = (len(trail), *found)
            if place in seen:  # the same place again has the same future
                continue
            seen.add(place)
            if len(trail) == len(parts):
                yield found
            else:
                trail.append(self.ends(parts[len(trail)], keys[len(trail)], *found))

    def match_repeat(
        self, node: tree.Repeat, key: Key, start: int, captures: Captures, *, possessive: bool = False
    ) -> Iterator[tuple[int, Captures]]:
        low, high, keys = node.low, node.high, tuple[Key, ...]()
        if node is self.target and self.longer is not None:
            low, high = self.longer.low, self.longer.high
            assert isinstance(self.longer.key, tuple)
            keys = self.longer.key
        elif id(node) in self.path:
            low = max(low, 1)
        elif isinstance(key, tuple) and (node.low, node.high) == (0, 1):
            low = high = len(key)
            keys = key
        elif isinstance(key, tuple) and self.heuristics.concatenation:
            rounds, keys = key
            low = high = rounds
        elif isinstance(key, tuple):
            keys = key
        if self.in_any_order and (id(node) not in self.path or node is self.target):
            path, self.path = self.path, set()  # whatever is below the lengthened repetition is free
            target, self.target = self.target, None
            try:
                ends = self.ends_of_rounds(node.body, keys, (low, high), start)
            finally:
                self.path, self.target = path, target
            yield from ((end, captures) for end in ends)
            return
        if node.kind != "possessive" and not possessive:
            few = low - self.idle_rounds(low, keys)
            most = None if high is None else high - (low - few)
            yield from self.rounds(node, keys, few, most, (start, captures))
            return
        found = self.possessive(node, keys, (start, captures))
        if found is not None and low <= found[1] and (high is None or found[1] <= high):
            yield found[0]

    def idle_rounds(self, low: int, keys: tuple[Key, ...]) -> int:
        """Return how many of the rounds that are needed change neither what ends there are nor their order.

        A round goes on or stays. So after one for each place in the text one more leads to the same ends, each where
        it first was, unless the round knows what those before it have captured.
        """
        return 0 if self.wanted else max(0, low - len(keys) - len(self.text) - 3)

    def ends_of_rounds(
        self, body: tree.Node, keys: tuple[Key, ...], bounds: tuple[int, int | None], start: int
    ) -> list[int]:
        """Return where low to high rounds can end, the furthest first, where no round knows of those before it."""
        low, high = bounds
        places, found, done = {start}, set[int](), 0
        always_empty = may_be_empty(body)  # then rounds that are still needed are there
        while places and done < low:
            if done >= len(keys) and (always_empty or isinstance(body, tree.Chars)):
                break
            before, key = places, keys[done] if done < len(keys) else _FREE
            places = self.after_round(body, key, before)
            done = low if places == before and done >= len(keys) else done + 1  # and so they stay
        if done >= len(keys) and isinstance(body, tree.Chars):
            return self.ends_of_runs(body, places, (max(0, low - done), None if high is None else high - done))
        while places and (high is None or done <= high):  # a place that was reached by fewer rounds has nothing to add
            found |= places
            if done == high:
                break
            places = self.after_round(body, keys[done] if done < len(keys) else _FREE, places) - found
            done += 1
        return sorted(found, reverse=True)

    def ends_of_runs(self, body: tree.Chars, places: set[int], bounds: tuple[int, int | None]) -> list[int]:
        """Return where low to high characters of a class in a row can end, the furthest first."""
        low, high = bounds
        found: set[int] = set()
        for place in places:
            most = self.run_at(body, place) if high is None else min(high, self.run_at(body, place))
            self.count_steps(1 + max(0, most - low) // 8)
            found.update(range(place + low, place + most + 1))
        return sorted(found, reverse=True)

    def after_round(self, body: tree.Node, key: Key, places: set[int]) -> set[int]:
        self.count_steps(len(places))
        return {end for place in places for end, _ in self.ends(body, key, place, ())}

    def run_at(self, body: tree.Chars, start: int) -> int:
        """Return how many characters of a class stand in a row from a place on."""
        run = self.runs.get(id(body))
        if run is None:
            run = self.runs[id(body)] = [0] * (len(self.text) + 1)
            for at in range(len(self.text) - 1, -1, -1):
                run[at] = run[at + 1] + 1 if chars.holds(body.ranges, ord(self.text[at])) else 0
        return run[start]

    def possessive(
        self, node: tree.Repeat, keys: tuple[Key, ...], place: tuple[int, Captures]
    ) -> tuple[tuple[int, Captures], int] | None:
        """Return where as many rounds as fit lead, each the first match of the body and never reconsidered."""
        done = 0
        while node.high is None or done < node.high:
            key = keys[done] if done < len(keys) else _FREE
            within = done == 0 or not self.path
            found = next(self.ends(node.body, key, *place) if within else self.free(node.body, key, place), None)
            if found is None:
                break
            done += 1
            stuck = found[0] == place[0] and done > node.low
            if found == place and max(1, len(keys)) < done < node.low:
                done = node.low  # all the others that are needed do the same
            place = found
            if stuck:  # an empty round is the last
                break
        return None if done < node.low else (place, done)

    def rounds(
        self, node: tree.Repeat, keys: tuple[Key, ...], low: int, high: int | None, first: tuple[int, Captures]
    ) -> Iterator[tuple[int, Captures]]:
        """Yield the ends of low to high rounds, by depth first search with a trail."""
        lazy = node.kind == "lazy"
        seen: set[tuple[int, int | None, Captures, bool]] = set()
        places = [first]
        trail: list[Iterator[tuple[int, Captures]]] = []

        def enter(place: tuple[int, Captures]) -> Iterator[tuple[int, Captures]]:
            done = len(trail)
            self.deadline.check()  # rounds that are known by now count as no steps
            if high is not None and done >= high:
                return iter(())
            key = keys[done] if done < len(keys) else _FREE
            if done and self.path:
                return self.free(node.body, key, place)
            on_path = done == 0 and id(node) in self.path and node is not self.target
            return self.ends(node.body, _FREE if on_path else key, *place)

        if lazy and low == 0:
            yield first
        trail.append(enter(first))
        while trail:
            found = next(trail[-1], None)
            if found is None:
                trail.pop()
                end = places.pop()
                if not lazy and len(trail) >= low:
                    yield end
                continue
            done = len(trail)
            # like `re`: a round more than needed may be empty, but then it is the last
            stuck = found[0] == places[-1][0] and done > max(low, len(keys))
            # enough rounds of the same kind lead to the same future
            mark = (found[0], min(done, max(low, len(keys))) if high is None else done, found[1], stuck)
            if mark in seen:
                continue
            seen.add(mark)
            if lazy and done >= low:
                yield found
            places.append(found)
            trail.append(iter(()) if stuck else enter(found))

    def free(self, body: tree.Node, key: Key, place: tuple[int, Captures]) -> Iterator[tuple[int, Captures]]:
        """Yield the ends of a round that need not lead to the lengthened repetition."""
        path, self.path = self.path, set()
        target, self.target = self.target, None
        try:
            found = list(self.ends(body, key, *place))
        finally:
            self.path, self.target = path, target
        return iter(found)

    def at_place(self, anchor: tree.Anchor, at: int) -> bool:
        text = self.text
        match anchor.kind:
            case "start":
                return at == 0
            case "line start":
                return at == 0 or text[at - 1] == "\n"
            case "end":
                return at == len(text)
            case "final end":
                return at == len(text) or (at == len(text) - 1 and text[at] == "\n")
            case "line end":
                return at == len(text) or text[at] == "\n"
            case "boundary" | "not boundary" as kind:
                before = at > 0 and chars.holds(anchor.word, ord(text[at - 1]))
                after = at < len(text) and chars.holds(anchor.word, ord(text[at]))
                if not text and not EMPTY_IS_NO_BOUNDARY:
                    return False
                return (before != after) == (kind == "boundary")

    def look(self, node: tree.Look, start: int, captures: Captures) -> Iterator[tuple[int, Captures]]:
        if node.ahead:
            found = next(self.ends(node.body, _FREE, start, captures), None)
        else:
            found = next(
                (
                    end
                    for begin in range(start, -1, -1)
                    for end in self.ends(node.body, _FREE, begin, captures)
                    if end[0] == start
                ),
                None,
            )
        if node.negative:
            if found is None:
                yield start, captures
        elif found is not None:
            yield start, found[1]

    def again(self, node: tree.BackReference, start: int, captures: Captures) -> Iterator[tuple[int, Captures]]:
        for index, begin, until in captures:
            if index != node.index:
                continue
            captured = self.text[begin:until]
            end = start + len(captured)
            there = self.text[start:end]
            if there == captured or (node.ignore_case and _same_folded(there, captured, node.ascii_only)):
                yield end, captures


def reopen_group(captures: Captures, index: int, start: int) -> Captures:
    """Return what is captured once a group begins anew: like `re`, its last match counts no more if it ended before."""
    kept = tuple(each for each in captures if each[0] != index)
    last = next((each for each in captures if each[0] == index), None)
    return (*kept, (index, start, last[2])) if last is not None and last[2] >= start else kept


def _same_folded(first: str, second: str, ascii_only: bool) -> bool:
    return len(first) == len(second) and all(
        chars.holds(chars.fold_case(chars.single(b), ascii_only=ascii_only), ord(a))
        for a, b in zip(first, second, strict=True)
    )
