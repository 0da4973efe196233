"""Exact languages: what a pattern matches, as an automaton over sets of characters.

All questions are answered over the full language: is it empty, which lengths occur, how many texts of a
length there are, and which one stands at an index. What would cost too much raises `TooLarge`.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Callable, Iterator

from unlike.core import FOREVER, Deadline
from unlike.regex import chars
from unlike.regex.chars import Ranges
from unlike.regex.machine import MAX_STATES, Dfa, NotRegular, TooLarge, Undecided, table_of
from unlike.regex.tree import Node, Pattern, parse

__all__ = ["Automaton", "NotRegular", "TooLarge", "Undecided"]

WORD_BYTES, MOST_BYTES = 32, 200_000_000  # of a number, and of all that are kept to count texts


class Automaton:
    """A regular language; deterministic, without states that lead nowhere.

    Making it, counting it and what is made of it is cut short at its deadline.
    """

    __slots__ = (
        "_best", "_counts", "_ending", "_leading", "_letter_at", "_starts", "_steps",
        "accepting", "deadline", "letters", "moves",
    )  # fmt: skip

    def __init__(self, table: Dfa, deadline: Deadline = FOREVER) -> None:
        self.deadline = deadline
        trimmed = _trim(table)
        self.letters = trimmed.letters
        self.moves = trimmed.moves
        self.accepting = trimmed.accepting
        starts = sorted((low, letter) for letter, ranges in enumerate(self.letters) for low, _ in ranges)
        self._starts = [low for low, _ in starts]
        self._letter_at = [letter for _, letter in starts]
        self._best = [chars.readable(ranges)[0] for ranges in self.letters]
        sizes = [chars.size(ranges) for ranges in self.letters]
        self._steps = [
            [(letter, target, sizes[letter]) for letter, target in enumerate(row) if target >= 0] for row in self.moves
        ]
        # by how many characters each state leads to each other: all that counting asks
        self._leading = [_sum_steps(steps) for steps in self._steps]
        self._counts: list[list[int]] = [[int(each) for each in self.accepting]]
        self._ending: list[int] = []  # see `_states_ending`

    # -- making ----------------------------------------------------------------------------------------

    @classmethod
    def of(cls, pattern: Pattern | Node, *, max_states: int = MAX_STATES, deadline: Deadline = FOREVER) -> Automaton:
        """Return the automaton of the texts that match as a whole."""
        root = pattern.root if isinstance(pattern, Pattern) else pattern
        return cls(table_of(root, max_states=max_states, deadline=deadline), deadline)

    @classmethod
    def of_text(cls, text: str) -> Automaton:
        """Return the automaton of one text alone."""
        return cls.of(parse(re.escape(text)))

    @classmethod
    def everything(cls, alphabet: Ranges = chars.EVERYTHING) -> Automaton:
        """Return the automaton of all texts over the alphabet."""
        return cls.of_lengths(0, None, alphabet=alphabet)

    @classmethod
    def of_lengths(cls, low: int, high: int | None, *, alphabet: Ranges = chars.EVERYTHING) -> Automaton:
        """Return the automaton of all texts of low to high characters of the alphabet."""
        last = low if high is None else high
        if last > MAX_STATES:
            raise TooLarge(f"a length of {last:,} is more than {MAX_STATES:,} states")
        rest = chars.complement(alphabet)
        extra = (-1,) if rest else ()
        moves = [(min(state + 1, last), *extra) for state in range(last + 1)]
        if high is not None:
            moves[last] = (-1, *extra)
        letters = (alphabet, rest) if rest else (alphabet,)
        return cls(Dfa(letters, tuple(moves), tuple(state >= low for state in range(last + 1))))

    @classmethod
    def nothing(cls) -> Automaton:
        """Return the automaton that accepts no text."""
        return cls(Dfa((chars.EVERYTHING,), (), ()))

    def readable(self) -> Automaton:
        r"""Return the texts of well readable characters: of each set that goes beyond ASCII its letters, if it has any.

        Sets without any character of ASCII are left out where there are texts without them.

        >>> Automaton.of(parse(r"[^@]")).readable().total()
        52
        >>> Automaton.of(parse(r"[0-4]|\d")).readable().total()
        10
        """
        plain = [chars.plain_part(letter) for letter in self.letters]
        foreign = [not letter or letter[0][0] >= chars.ASCII_END for letter in plain]
        found = self._with_letters(plain, without=foreign) if any(foreign) else self
        if found is self or not found.moves:
            found = self._with_letters(plain, without=[False] * len(plain))
        return found

    def _with_letters(self, plain: list[Ranges], without: list[bool]) -> Automaton:
        """Return the texts in which each letter is a part of what it was, and some are not there."""
        rest = chars.complement(chars.union(plain))
        if not any(without) and not chars.difference(rest, self._absent_characters()):
            return self
        rows = (
            (*(-1 if gone else target for target, gone in zip(row, without, strict=True)), -1) for row in self.moves
        )
        return Automaton(Dfa((*plain, rest), tuple(rows), self.accepting), self.deadline)

    def _absent_characters(self) -> Ranges:
        """Return the characters that occur in no text."""
        used = {letter for steps in self._steps for letter, _, _ in steps}
        return chars.union(ranges for letter, ranges in enumerate(self.letters) if letter not in used)

    def intersect(self, other: Automaton) -> Automaton:
        """Return the texts of both languages."""
        return _product(self, other, lambda a, b: a and b)

    def difference(self, other: Automaton, *, max_states: int = MAX_STATES) -> Automaton:
        """Return the texts of this language that are not in the other."""
        return _product(self, other, lambda a, b: a and not b, max_states=max_states)

    def unite(self, other: Automaton) -> Automaton:
        """Return the texts of either language."""
        return _product(self, other, lambda a, b: a or b)

    def concatenate(self, other: Automaton) -> Automaton:
        """Return each text of this language followed by each text of the other."""
        letters, ours, theirs = _common(self.letters, other.letters)

        def enter(first: int, rest: frozenset[int]) -> tuple[int, frozenset[int]]:
            return first, rest | {0} if first >= 0 and self.accepting[first] and other.moves else rest

        if not self.moves:
            return self
        start, deadline = enter(0, frozenset()), self.deadline.sooner(other.deadline)
        numbers, order, moves = {start: 0}, [start], list[tuple[int, ...]]()
        for first, others in deadline.each(
            order
        ):  # grows while we walk: where we are here, and all places in the other
            row: list[int] = []
            for mine, their in zip(ours, theirs, strict=True):
                target = enter(
                    self.moves[first][mine] if first >= 0 else -1,
                    frozenset(other.moves[each][their] for each in others) - {-1},
                )
                if target == (-1, frozenset()):
                    row.append(-1)
                    continue
                if target not in numbers:
                    if len(order) >= MAX_STATES:
                        raise _too_many(MAX_STATES)
                    numbers[target] = len(order)
                    order.append(target)
                row.append(numbers[target])
            moves.append(tuple(row))
        accepting = tuple(any(other.accepting[each] for each in others) for _, others in order)
        return Automaton(Dfa(letters, tuple(moves), accepting), deadline)

    # -- asking ----------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"Automaton({len(self.moves)} states, {len(self.letters)} letters)"

    def is_empty(self) -> bool:
        """Say whether there is no text at all."""
        return not self.moves

    def accepts(self, text: str) -> bool:
        """Say whether the text belongs to the language."""
        if not self.moves:
            return False
        state = 0
        for char in text:
            letter = self._letter_at[bisect.bisect_right(self._starts, ord(char)) - 1]
            state = self.moves[state][letter]
            if state < 0:
                return False
        return self.accepting[state]

    def count(self, length: int) -> int:
        """Return how many texts of the length there are."""
        if not self.moves:
            return 0
        if len(self._counts) <= length:
            self._check_countable(length)
        while len(self._counts) <= length:
            self.deadline.check()
            last = self._counts[-1]
            self._counts.append([sum([last[target] * size for target, size in steps]) for steps in self._leading])
        return self._counts[length][0]

    def _check_countable(self, length: int) -> None:
        """Refuse to count texts whose numbers would fill the memory: one for each state and length, as long as it."""
        if len(self.moves) * length * (WORD_BYTES + length) > MOST_BYTES:
            raise Undecided(f"texts of {length:,} characters over {len(self.moves):,} states are too many to count")

    def first(self, length: int) -> str | None:
        """Return the first text of the length, the one at index 0, without counting; None if there is none."""
        if not self.moves:
            return None
        ending = self._states_ending(length)
        if not ending[length] & 1:
            return None
        state, text = 0, []
        for left in range(length - 1, -1, -1):
            letter, state = next(
                (letter, target) for letter, target, _ in self._steps[state] if ending[left] >> target & 1
            )
            text.append(chr(self._best[letter][0]))
        return "".join(text)

    def _states_ending(self, length: int) -> list[int]:
        """Return for each number of characters up to the length, from which states so many lead to an end."""
        if not self._ending:
            self._ending.append(sum(1 << state for state, accepts in enumerate(self.accepting) if accepts))
        if len(self._ending) <= length:
            before = [0] * len(self.moves)  # of each state, the states that lead to it
            for state, leading in enumerate(self._leading):
                for target, _ in leading:
                    before[target] |= 1 << state
            for _ in self.deadline.each(range(len(self._ending), length + 1)):
                self._ending.append(_join_masks(before, self._ending[-1]))
        return self._ending

    def at(self, length: int, index: int) -> str:
        """Return the text at the index among those of the length, well readable ones first."""
        if not 0 <= index < self.count(length):
            raise IndexError(f"text {index} of {self.count(length)} of length {length}")
        state, text = 0, []
        for left in range(length - 1, -1, -1):
            counts = self._counts[left]
            for letter, target, size in self._steps[state]:
                below = counts[target]
                if index < below * size:
                    which, index = divmod(index, below)
                    low, high = self._best[letter]
                    text.append(chr(low + which) if low + which <= high else chars.nth(self.letters[letter], which))
                    state = target
                    break
                index -= below * size
        return "".join(text)

    def shortest(self) -> str | None:
        """Return a shortest text, the most readable one, or None if there is none."""
        if not self.moves:
            return None
        came: dict[int, tuple[int, int]] = {0: (-1, -1)}
        order = [0]
        for state in order:  # grows while we walk, and in the order of the letters
            if self.accepting[state]:
                return self._spelt(came, state)
            for letter, target, _ in self._steps[state]:
                if target not in came:
                    came[target] = (state, letter)
                    order.append(target)
        raise AssertionError("a state that leads nowhere was kept")

    def _spelt(self, came: dict[int, tuple[int, int]], state: int) -> str:
        text: list[str] = []
        while state:
            state, letter = came[state]
            text.append(chr(self._best[letter][0]))
        return "".join(reversed(text))

    def lengths(self, limit: int) -> list[int]:
        """Return which lengths up to the limit occur."""
        masks = [sum(1 << target for target, _ in leading) for leading in self._leading]
        final = sum(1 << state for state, accepts in enumerate(self.accepting) if accepts)
        reached = 1 if self.moves else 0
        found: list[int] = []
        for length in self.deadline.each(range(limit + 1)):
            if reached & final:
                found.append(length)
            reached = _join_masks(masks, reached)
        return found

    def longest_length(self) -> int | None:
        """Return the length of the longest text, or None if there is none or no bound."""
        depth = [-1] * len(self.moves)
        for state in self._backwards() or ():
            depth[state] = max((depth[target] + 1 for _, target, _ in self._steps[state]), default=0)
        return depth[0] if depth and depth[0] >= 0 else None

    def _backwards(self) -> list[int] | None:
        """Return the states with all successors before them, or None if there is a loop."""
        waiting = [len(leading) for leading in self._leading]
        before: list[list[int]] = [[] for _ in self.moves]
        for state, leading in enumerate(self._leading):
            for target, _ in leading:
                before[target].append(state)
        ready = [state for state, left in enumerate(waiting) if not left]
        for state in ready:  # grows while we walk
            for each in before[state]:
                waiting[each] -= 1
                if not waiting[each]:
                    ready.append(each)
        return ready if len(ready) == len(self.moves) else None

    def total(self) -> int | None:
        """Return how many texts there are, or None if there is no end."""
        longest = self.longest_length()
        if longest is None:
            return None if self.moves else 0
        return sum(self.count(length) for length in range(longest + 1))

    def texts(self, least: int = 0, most: int | None = None) -> Iterator[str]:
        """Yield every text of least to most characters, shortest first; without end if there is none."""
        longest = self.longest_length()
        if longest is None and not self.moves:
            return
        ends = [each for each in (longest, most) if each is not None]
        for length in range(least, min(ends) + 1) if ends else itertools.count(least):
            for index in range(self.count(length)):
                yield self.at(length, index)

    def texts_readily(self, least: int = 0, most: int | None = None) -> Iterator[str]:
        """Yield the same texts; the shortest one, which often is the answer, is had without counting."""
        shortest = self.shortest()
        if shortest is None or (most is not None and len(shortest) > most):
            return
        if len(shortest) >= least:
            yield shortest
        yield from (text for text in self.texts(least, most) if text != shortest)


def _join_masks(masks: list[int], states: int) -> int:
    """Return what the masks of some states hold together."""
    found = 0
    while states:
        low = states & -states
        found |= masks[low.bit_length() - 1]
        states ^= low
    return found


# -- tables ------------------------------------------------------------------------------------------


def _sum_steps(steps: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Return the steps of a state without their letters: each target once, with the number of characters."""
    sizes: dict[int, int] = {}
    for _, target, size in steps:
        sizes[target] = sizes.get(target, 0) + size
    return list(sizes.items())


def _trim(table: Dfa) -> Dfa:
    """Return the table without states that no text leads to or from, and with letters that act alike joined."""
    useful = _useful(table)
    if 0 not in useful:
        return Dfa(table.letters, (), ())
    order = [0, *sorted(useful - {0})]
    number = {state: index for index, state in enumerate(order)}
    rows = [[number.get(target, -1) for target in table.moves[state]] for state in order]
    columns: dict[tuple[int, ...], list[int]] = {}
    for letter, column in enumerate(zip(*rows, strict=True)):
        columns.setdefault(column, []).append(letter)
    letters = [chars.union(table.letters[each] for each in same) for same in columns.values()]
    ranked = sorted(range(len(letters)), key=lambda index: (chars.rank(letters[index]), letters[index][0]))
    kept = [list(columns.values())[index][0] for index in ranked]
    return Dfa(
        tuple(letters[index] for index in ranked),
        tuple(tuple(row[letter] for letter in kept) for row in rows),
        tuple(table.accepting[state] for state in order),
    )


def _useful(table: Dfa) -> set[int]:
    before: dict[int, set[int]] = {}
    reached, todo = {0}, [0] if table.moves else []
    while todo:
        state = todo.pop()
        for target in table.moves[state]:
            if target >= 0:
                before.setdefault(target, set()).add(state)
                if target not in reached:
                    reached.add(target)
                    todo.append(target)
    useful = {state for state in reached if table.moves and table.accepting[state]}
    todo = sorted(useful)
    while todo:
        for state in before.get(todo.pop(), ()):
            if state not in useful:
                useful.add(state)
                todo.append(state)
    return useful


def _common(first: tuple[Ranges, ...], second: tuple[Ranges, ...]) -> tuple[tuple[Ranges, ...], list[int], list[int]]:
    """Return letters that respect both alphabets, and which letter of each they belong to."""
    if first == second:
        return first, list(range(len(first))), list(range(len(first)))
    pairs: dict[tuple[int, int], list[tuple[int, int]]] = {}
    spans = [
        sorted((low, high, letter) for letter, ranges in enumerate(letters) for low, high in ranges)
        for letters in (first, second)
    ]
    i = j = 0
    while i < len(spans[0]) and j < len(spans[1]):
        (low, high, ours), (other_low, other_high, theirs) = spans[0][i], spans[1][j]
        if max(low, other_low) <= min(high, other_high):
            pairs.setdefault((ours, theirs), []).append((max(low, other_low), min(high, other_high)))
        if high < other_high:
            i += 1
        else:
            j += 1
    keys = list(pairs)
    return tuple(chars.normal(pairs[key]) for key in keys), [key[0] for key in keys], [key[1] for key in keys]


def _product(
    first: Automaton, second: Automaton, accepts: Callable[[bool, bool], bool], *, max_states: int = MAX_STATES
) -> Automaton:
    """Return the texts that are in the two languages as asked."""
    letters, ours, theirs = _common(first.letters, second.letters)
    # a state that a language has left for good is its last row
    one = [[row[letter] for letter in ours] for row in first.moves] + [[-1] * len(letters)]
    two = [[row[letter] for letter in theirs] for row in second.moves] + [[-1] * len(letters)]
    needs_first, needs_second = not accepts(False, True), not accepts(True, False)
    start = (0 if first.moves else -1, 0 if second.moves else -1)
    order, numbers, moves = [start], {start: 0}, list[tuple[int, ...]]()
    deadline = first.deadline.sooner(second.deadline)
    for a, b in deadline.each(order):  # grows while we walk
        row: list[int] = []
        for pair in zip(one[a], two[b], strict=True):
            x, y = pair
            if (x < 0 and (needs_first or y < 0)) or (y < 0 and needs_second):
                row.append(-1)
                continue
            number = numbers.get(pair)
            if number is None:
                number = numbers[pair] = len(order)
                order.append(pair)
                if number >= max_states:
                    raise _too_many(max_states)
            row.append(number)
        moves.append(tuple(row))
    ends = [[*each.accepting, False] for each in (first, second)]
    accepting = tuple(accepts(ends[0][a], ends[1][b]) for a, b in order)
    return Automaton(Dfa(letters, tuple(moves), accepting), deadline)


def _too_many(max_states: int) -> TooLarge:
    return TooLarge(f"the automaton has more than {max_states:,} states")
