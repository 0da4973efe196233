"""From the tree of a pattern to the table of a deterministic automaton.

The tree becomes a net of nodes. A thread is a place in the net plus what its lookaheads still demand of the
rest; a state is a set of threads plus what can be known of the text on the left (start, newline, word
character, open lookbehinds). So places, boundaries and lookarounds of any nesting are decided exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from unlike.core import FOREVER, Deadline
from unlike.errors import UnlikeError
from unlike.regex import chars, tree
from unlike.regex.atomic import longest
from unlike.regex.chars import Ranges
from unlike.regex.rounds import is_idle, merge_counts

MAX_NODES = 30_000  # places of a pattern with its repetitions written out
MAX_STATES = 10_000  # of one automaton; a larger one is not built
STEPS_AT_ONCE = 256  # between two looks at the clock
WORK_PER_STATE = 60  # threads that a state has at most, on average; lookarounds multiply them

# Before Python 3.14 \B did not match in the empty text.
EMPTY_IS_NO_BOUNDARY = re.fullmatch(r"\B", "") is not None


class Undecided(UnlikeError):  # noqa: N818 - an answer, not a fault
    """A question about a pattern that automata could not answer."""


class TooLarge(Undecided):
    """The automaton outgrew its budget."""


class NotRegular(Undecided):
    """The pattern holds something that no automaton can express."""


@dataclass(frozen=True, slots=True)
class Dfa:
    """A deterministic automaton: `moves[state][letter]` is the next state or -1; letters are sets."""

    letters: tuple[Ranges, ...]
    moves: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]


def table_of(root: tree.Node, *, max_states: int = MAX_STATES, deadline: Deadline = FOREVER) -> Dfa:
    """Return the automaton of exactly the texts that match the tree as a whole.

    >>> table_of(parse("a|b+").root)
    Dfa(letters=(..., ((97, 97),), ((98, 98),)), moves=((-1, 1, 2), (-1, -1, -1), (-1, -1, 2)),
    accepting=(False, True, True))
    """
    net = _Net(deadline)
    for node in tree.every(root):
        if isinstance(node, tree.Conditional):
            net.tested.setdefault(node.group, len(net.tested))
    start = net.build(merge_counts(root), net.end)
    return _Machine(net, max_states).table(start)


# -- the net -----------------------------------------------------------------------------------------

_CHARS, _SPLIT, _MARK, _TEST, _AHEAD, _BEHIND, _LEFT, _END, _STAY, _DEAD = range(10)


class _Net:
    """Nodes by number: an operation, its argument, and the node after it."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self.op: list[int] = []
        self.argument: list[tuple[int, ...]] = []
        self.after: list[int] = []
        self.sets: dict[Ranges, int] = {}
        self.facts: dict[Ranges | None, int] = {}  # None: at the start; else: the last character is in the set
        self.behinds: list[int] = []
        self.tested: dict[int, int] = {}
        self.end = self.add(_END)
        self.stay = self.add(_STAY)
        self.dead = self.add(_DEAD)
        self.any_then_stay = self.characters(chars.EVERYTHING, self.stay)

    def add(self, op: int, argument: tuple[int, ...] = (), after: int = -1) -> int:
        if len(self.op) >= MAX_NODES:
            raise TooLarge(f"the pattern unfolds to more than {MAX_NODES:,} places")
        self.op.append(op)
        self.argument.append(argument)
        self.after.append(after)
        return len(self.op) - 1

    def characters(self, ranges: Ranges, after: int) -> int:
        if not ranges:
            return self.dead
        return self.add(_CHARS, (self.sets.setdefault(ranges, len(self.sets)),), after)

    def fact(self, ranges: Ranges | None) -> int:
        if ranges is not None:
            self.sets.setdefault(ranges, len(self.sets))
        return self.facts.setdefault(ranges, len(self.facts))

    def build(self, node: tree.Node, after: int) -> int:
        match node:
            case tree.Empty():
                return after
            case tree.Chars(ranges):
                return self.characters(ranges, after)
            case tree.Concatenation(parts):
                for part in reversed(parts):
                    after = self.build(part, after)
                return after
            case tree.Alternation(branches):
                return self.add(_SPLIT, tuple(self.build(branch, after) for branch in branches))
            case tree.Repeat(_, _, _, "possessive"):
                return self.build(longest(node), after)
            case tree.Repeat(body, low, high):
                return self.repeat(body, low, high, after)
            case tree.Group(index, _, body):
                if index in self.tested:
                    after = self.add(_MARK, (self.tested[index],), after)
                return self.build(body, after)
            case tree.Atomic():
                raise NotRegular("an atomic group over a body with several matches is not decided")
            case tree.Anchor():
                return self.anchor(node, after)
            case tree.Look(ahead, negative, body):
                return self.look(body, after, ahead=ahead, negative=negative)
            case tree.Conditional(group, yes, no):
                bit = self.tested[group]
                return self.add(_TEST, (bit, self.build(yes, after), self.build(no, after)))
            case tree.BackReference(index):
                raise NotRegular(f"the back-reference to group {index} is not regular")

    def repeat(self, body: tree.Node, low: int, high: int | None, after: int) -> int:
        idle = _idle_branches(body)
        if idle is not None and high is not None and high > 1:
            return self.repeat_with_idle(*idle, (low, high), after)
        if high is None:
            loop = self.add(_SPLIT)
            self.argument[loop] = (self.build(body, loop), after)
            after = loop
        else:
            done = after
            for _ in self.deadline.each(range(high - low)):
                after = self.add(_SPLIT, (self.build(body, after), done))
        for _ in self.deadline.each(range(low)):
            before, after = after, self.build(body, after)
            if after in (before, self.dead):  # nothing is added by any number of rounds, or none ends
                break
        return after

    def repeat_with_idle(self, idle: tree.Node, body: tree.Node, bounds: tuple[int, int], after: int) -> int:
        """Return rounds of a body or of places of no length: one of those stands for as many as are needed.

        So there are either low to high rounds of the body, or fewer than high of them and a place among them.
        """
        low, high = bounds
        passed, open_ = after, self.build(body, after)  # after the last round but one: with a place behind, or none yet
        if low < high:
            open_ = self.add(_SPLIT, (open_, after))
        for done in self.deadline.each(range(high - 1, -1, -1)):  # so many rounds of the body are behind
            if done < high - 1:
                passed = self.add(_SPLIT, (self.build(body, passed), after))
                ways = [self.build(body, open_), *([after] if done >= low else [])]
                open_ = self.add(_SPLIT, tuple(ways))
            open_ = self.add(_SPLIT, (open_, self.build(idle, passed)))
        return open_

    def anchor(self, anchor: tree.Anchor, after: int) -> int:
        match anchor.kind:
            case "start":
                return self.add(_LEFT, (self.fact(None),), after)
            case "line start":
                start = self.add(_LEFT, (self.fact(None),), after)
                return self.add(_SPLIT, (start, self.add(_LEFT, (self.fact(chars.NEWLINE),), after)))
            case "end":
                return self.at_end(after)
            case "final end":
                last = self.add(_AHEAD, (0, self.characters(chars.NEWLINE, self.at_end(self.stay))), after)
                return self.add(_SPLIT, (self.at_end(after), last))
            case "line end":
                newline = self.add(_AHEAD, (0, self.characters(chars.NEWLINE, self.stay)), after)
                return self.add(_SPLIT, (self.at_end(after), newline))
            case _:
                return self.boundary(anchor.word, after, wanted=anchor.kind == "boundary")

    def at_end(self, after: int) -> int:
        return self.add(_AHEAD, (1, self.any_then_stay), after)

    def boundary(self, word: Ranges, after: int, *, wanted: bool) -> int:
        next_is_word = self.characters(word, self.stay)
        last, start = self.fact(word), self.fact(None)
        word_next = self.add(_AHEAD, (0, next_is_word), after)
        none_next = self.add(_AHEAD, (1, next_is_word), after)
        if wanted:
            then, otherwise = none_next, word_next
        else:
            then, otherwise = word_next, none_next
            if not EMPTY_IS_NO_BOUNDARY:
                other = self.characters(chars.complement(word), self.stay)
                otherwise = self.add(
                    _SPLIT,
                    (
                        self.add(_LEFT, (start,), self.add(_AHEAD, (0, other), after)),
                        self.add(_LEFT, (start, 1), none_next),
                    ),
                )
        after_word = self.add(_LEFT, (last,), then)
        after_other = self.add(_LEFT, (last, 1), otherwise)
        return self.add(_SPLIT, (after_word, after_other))

    def look(self, body: tree.Node, after: int, *, ahead: bool, negative: bool) -> int:
        if ahead:
            return self.add(_AHEAD, (int(negative), self.build(body, self.stay)), after)
        start = self.build(body, self.end)
        self.behinds.append(start)  # inner ones are built, and so numbered, first
        return self.add(_BEHIND, (int(negative), len(self.behinds) - 1), after)


def _idle_branches(body: tree.Node) -> tuple[tree.Node, tree.Node] | None:
    """Return the branches of a body that are places of no length, and the others; nothing if it has not both kinds."""
    if not isinstance(body, tree.Alternation):
        return None
    idle = [branch for branch in body.branches if is_idle(branch)]
    others = [branch for branch in body.branches if not is_idle(branch)]
    if not idle or not others:
        return None
    return tree.Alternation(tuple(idle)), tree.Alternation(tuple(others))


# -- the machine -------------------------------------------------------------------------------------


class _Thread(NamedTuple):
    """A place, the groups it has passed that a conditional asks for, and what its lookaheads still demand."""

    node: int
    marks: int
    demands: frozenset[_Demand]


class _Demand(NamedTuple):
    """A lookahead under way: one of its threads must arrive, or none may."""

    negative: bool
    threads: frozenset[_Thread]


class _Left(NamedTuple):
    """What is known of the text so far: the facts asked for, and the open lookbehinds."""

    facts: int
    behinds: tuple[frozenset[_Thread], ...]


_State: TypeAlias = tuple[_Left, frozenset[_Thread]]
_NO_DEMANDS: frozenset[_Demand] = frozenset()


class _Machine:
    """Runs the net on one letter after the other."""

    def __init__(self, net: _Net, max_states: int) -> None:
        self.net = net
        self.deadline = net.deadline
        self.max_states = max_states
        self.work = max_states * WORK_PER_STATE
        self.look_at = self.work  # what is left of the work when budget and clock are looked at again
        self.letters, self.members = _letters(list(net.sets))
        self.facts = [frozenset() if each is None else self.members[net.sets[each]] for each in net.facts]
        self.closed: dict[tuple[int, int, _Left], tuple[_Thread, ...]] = {}

    def table(self, start: int) -> Dfa:
        left = self.first_left()
        first: _State = (left, frozenset(self.closure(start, 0, left)))
        numbers = {first: 0}
        order = [first]
        moves: list[tuple[int, ...]] = []
        for state in order:  # grows while we walk
            row: list[int] = []
            for successor in self.successors(state):
                if not successor[1]:
                    row.append(-1)
                    continue
                if successor not in numbers:
                    if len(order) >= self.max_states:
                        raise TooLarge(f"the automaton has more than {self.max_states:,} states")
                    numbers[successor] = len(order)
                    order.append(successor)
                row.append(numbers[successor])
            moves.append(tuple(row))
        accepting = tuple(any(self.done(thread) for thread in threads) for _, threads in order)
        return Dfa(tuple(self.letters), tuple(moves), accepting)

    def successors(self, state: _State) -> Iterable[_State]:
        left, threads = state
        if not self.facts and not left.behinds:
            return [(left, self.step(threads, letter, left)) for letter in range(len(self.letters))]
        lefts = [self.next_left(left, letter) for letter in range(len(self.letters))]
        return [(after, self.step(threads, letter, after)) for letter, after in enumerate(lefts)]

    def first_left(self) -> _Left:
        facts = 0
        for ranges, bit in self.net.facts.items():
            facts |= (ranges is None) << bit
        left = _Left(facts, ())
        for start in self.net.behinds:
            left = _Left(facts, (*left.behinds, frozenset(self.closure(start, 0, left))))
        return left

    def next_left(self, left: _Left, letter: int) -> _Left:
        facts = 0
        for bit, members in enumerate(self.facts):
            facts |= (letter in members) << bit
        after = _Left(facts, ())
        for start, threads in zip(self.net.behinds, left.behinds, strict=True):
            going = self.step(threads, letter, after) | frozenset(self.closure(start, 0, after))
            after = _Left(facts, (*after.behinds, going))
        return after

    def step(self, threads: frozenset[_Thread], letter: int, left: _Left) -> frozenset[_Thread]:
        """Return the threads after one more letter."""
        net, members = self.net, self.members
        found: set[_Thread] = set()
        self.work -= len(threads)
        if self.work < self.look_at:
            self.look()
        for thread in threads:
            node, marks, demands = thread
            op = net.op[node]
            if op == _CHARS:
                if letter not in members[net.argument[node][0]]:
                    continue
                nodes = self.closure(net.after[node], marks, left)
            elif op == _STAY:
                nodes = (_Thread(node, marks, _NO_DEMANDS),)
            else:
                continue
            if not demands:
                found.update(nodes)
                continue
            kept = self.demand_step(demands, letter, left)
            if kept is not None:
                found.update(_Thread(each.node, each.marks, each.demands | kept) for each in nodes)
        return self.prune(found)

    def look(self) -> None:
        """Go no further where the budget is used up, or the time is over."""
        if self.work < 0:
            raise TooLarge("the automaton takes more steps than its budget allows")
        self.deadline.check()
        self.look_at = max(0, self.work - STEPS_AT_ONCE)

    def demand_step(self, demands: frozenset[_Demand], letter: int, left: _Left) -> frozenset[_Demand] | None:
        """Return what is still demanded after one more letter, or None if a demand has failed."""
        kept: set[_Demand] = set()
        for negative, threads in demands:
            after = self.step(threads, letter, left)
            settled = self.settle(negative, after)
            if settled is False:
                return None
            if settled is None:
                kept.add(_Demand(negative, after))
        return frozenset(kept)

    def settle(self, negative: bool, threads: frozenset[_Thread]) -> bool | None:
        """Say whether a lookahead is decided by now, whatever follows."""
        if any(self.net.op[node] == _STAY and not demands for node, _, demands in threads):
            return not negative
        return None if threads else negative

    def done(self, thread: _Thread) -> bool:
        """Say whether the thread has arrived if the text ends here."""
        if self.net.op[thread.node] not in (_END, _STAY):
            return False
        return all(any(self.done(each) for each in threads) != negative for negative, threads in thread.demands)

    def closure(self, node: int, marks: int, left: _Left) -> tuple[_Thread, ...]:
        """Return the threads that wait for a letter, or have arrived, without a letter from the node on."""
        key = (node, marks, left)
        known = self.closed.get(key)
        if known is None:
            known = tuple(self.prune(set(self.close(_Thread(node, marks, _NO_DEMANDS), left))))
            self.closed[key] = known
        return known

    def close(self, first: _Thread, left: _Left) -> Iterable[_Thread]:
        net = self.net
        todo, seen = [first], {first}
        while todo:
            thread = todo.pop()
            self.work -= 1
            if self.work < self.look_at:
                self.look()
            node, marks, demands = thread
            op = net.op[node]
            if op in (_CHARS, _END, _STAY):
                yield thread
                continue
            for each in self.onward(op, node, marks, demands, left):
                if each not in seen:
                    seen.add(each)
                    todo.append(each)

    def onward(self, op: int, node: int, marks: int, demands: frozenset[_Demand], left: _Left) -> Iterable[_Thread]:
        """Return where a thread goes without a letter."""
        argument, after = self.net.argument[node], self.net.after[node]
        if op == _SPLIT:
            return [_Thread(each, marks, demands) for each in argument]
        if op == _MARK:
            return [_Thread(after, marks | 1 << argument[0], demands)]
        if op == _TEST:
            bit, yes, no = argument
            return [_Thread(yes if marks >> bit & 1 else no, marks, demands)]
        if op == _LEFT:
            wanted = len(argument) == 1
            return [_Thread(after, marks, demands)] if bool(left.facts >> argument[0] & 1) == wanted else []
        if op == _AHEAD:
            negative, threads = bool(argument[0]), frozenset(self.closure(argument[1], marks, left))
            settled = self.settle(negative, threads)
            if settled is False:
                return []
            more = demands if settled else demands | {_Demand(negative, threads)}
            return [_Thread(after, marks, more)]
        if op == _BEHIND:
            return self.behind(bool(argument[0]), left.behinds[argument[1]], _Thread(after, marks, demands))
        return []

    def behind(self, negative: bool, threads: frozenset[_Thread], onward: _Thread) -> Iterable[_Thread]:
        arrived = [thread for thread in threads if self.net.op[thread.node] == _END]
        if any(not thread.demands for thread in arrived):
            return [] if negative else [onward]
        if not arrived:
            return [onward] if negative else []
        if negative:
            raise NotRegular("a lookahead inside a negative lookbehind is not decided")
        return [onward._replace(demands=onward.demands | thread.demands) for thread in arrived]

    def prune(self, threads: set[_Thread]) -> frozenset[_Thread]:
        """Return the threads without those that demand more than another one at the same place."""
        if not any(thread.demands for thread in threads):
            return frozenset(threads)
        places: dict[tuple[int, int], list[_Thread]] = {}
        for thread in threads:
            places.setdefault(thread[:2], []).append(thread)
        return frozenset(
            thread
            for thread in self.deadline.each(threads)
            if not any(other.demands < thread.demands for other in places[thread[:2]])
        )


def _letters(sets: list[Ranges]) -> tuple[list[Ranges], list[frozenset[int]]]:
    """Return the coarsest split of all characters that every set respects, and the letters of each set."""
    toggles: dict[int, int] = {0: 0}
    for bit, ranges in enumerate(sets):
        for low, high in ranges:
            toggles[low] = toggles.get(low, 0) ^ 1 << bit
            toggles[high + 1] = toggles.get(high + 1, 0) ^ 1 << bit
    points = sorted(toggles)
    groups: dict[int, list[tuple[int, int]]] = {}
    mask = 0
    for point, following in zip(points, [*points[1:], chars.HIGHEST + 1], strict=True):
        mask ^= toggles[point]
        if point <= chars.HIGHEST:
            groups.setdefault(mask, []).append((point, following - 1))
    letters = [(chars.normal(ranges), mask) for mask, ranges in groups.items()]
    letters.sort(key=lambda letter: (chars.rank(letter[0]), letter[0][0]))
    members = [
        frozenset(index for index, (_, mask) in enumerate(letters) if mask >> bit & 1) for bit in range(len(sets))
    ]
    return [ranges for ranges, _ in letters], members
