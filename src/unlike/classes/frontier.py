"""The known states, what comes next, what grows without end, and the one place that decides whether a state is new.

Level n holds the states whose shortest sequence has n calls. A call with several objects belongs to the level of all
their calls together, so the first sequence found is a shortest one, whatever is passed to what.
"""

from __future__ import annotations

import itertools
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from unlike.classes.evidence import Options
from unlike.classes.recipes import Invocation, Trace
from unlike.classes.under_test import CodeUnderTest
from unlike.classes.workbench import ReadyCall
from unlike.errors import UnlikeError
from unlike.heap.rebuild import Heap, RecordValue, compared_heap
from unlike.heap.walkers import make_store
from unlike.recipe import Recipe
from unlike.scope import Scope


class Growth:
    """Watches the size of every field level by level, and recognises one that grows without end."""

    def __init__(self, scope: Scope, omits: Callable[[type, str], bool]) -> None:
        self.omits = omits
        literals = [abs(value) for values in scope.literals.values() for value in _numbers(values)]
        own = max(scope.objects, scope.most_elements, scope.most_ints, *scope.objects_of.values(), 0)
        self.window = max(12, 2 * own + 4)
        self.bound = max(4 * own, 16, *literals)
        self.ends_anyway = scope.calls is not None  # who bounds the calls wants all of them
        self.now: dict[str, float] = {}
        self.history: dict[str, list[float]] = {}

    def see(self, heap: Heap) -> None:
        """Take in one state of the level."""
        for node in heap.nodes:
            for name, value in node.fields:
                size = _size(value)
                if size is not None and not self.omits(node.cls, name):
                    label = f"{node.cls.__name__}.{name}"
                    self.now[label] = max(size, self.now.get(label, size))

    def end_level(self) -> str:
        """Return the words for a field that grows without end, or nothing."""
        for label in {**self.history, **self.now}:
            history = self.history.setdefault(label, [])
            history.append(max([*history[-1:], self.now.get(label, 0)]))  # the largest ever seen: few states are
        self.now = {}
        return "" if self.ends_anyway else self._words(self.window, self.bound)

    def hint(self) -> str:
        """Return the words for fields that were still growing when the search was cut short."""
        return self._words(8, self.bound / 2)

    def _words(self, levels: int, bound: float) -> str:
        """Return the words for fields that grew over so many levels, beyond a bound."""
        labels = [label for label, sizes in self.history.items() if self._grew(label, levels) and sizes[-1] > bound]
        if not labels:
            return ""
        shown = ", ".join(labels)
        pattern = "|".join(labels)
        remedy = f"leave it out of the comparison: --omit-fields '{pattern}', or bound the calls: --calls N"
        return f"{shown} grows without end; {remedy}"

    def _grew(self, label: str, levels: int) -> bool:
        """Tell whether it grew in every quarter of the last levels: where calls take turns, not at each level."""
        recent = self.history[label][-levels - 1 :]
        marks = [recent[levels * quarter // 4] for quarter in range(5)] if len(recent) > levels else []
        return bool(marks) and all(a < b for a, b in itertools.pairwise(marks))


def _numbers(values: object) -> Iterator[float]:
    if isinstance(values, Iterable) and not isinstance(values, (str, bytes, type)):
        yield from (value for value in values if type(value) in (int, float))


def _size(value: object) -> float | None:
    if type(value) in (int, float):
        return abs(value)  # type: ignore[arg-type]
    if type(value) in (str, bytes):
        return len(value)  # type: ignore[arg-type]
    if isinstance(value, RecordValue):
        return 1 + max((_size(part) or 0 for part in value.parts), default=0) + len(value.parts)
    return None


class WorkUnit(NamedTuple):
    """States, and the calls to make on their objects; without calls, all that need this one object."""

    numbers: Sequence[int] = ()
    calls: Sequence[ReadyCall] | None = None


class Levels:
    """States by class and by how many calls they need, and the units of work that this makes."""

    def __init__(self, code: CodeUnderTest, scope: Scope) -> None:
        self.code, self.scope = code, scope
        self.lengths = array("I")  # calls of the shortest sequence, by number of the state
        self.classes: list[type] = []  # of its first object
        self.roots = array("B")  # how many objects it has
        # class -> calls -> states; arrays, as there are millions
        self.by_class: dict[type, list[array[int]]] = defaultdict(list)
        self.growth = Growth(scope, code.limits.omits)
        self.level = self.done = 0  # levels that are done, and units of work of this level
        self.first = 0  # states there were when it began

    def note_state(self, number: int, length: int, cls: type, roots: int) -> None:
        """Note what is to be known of a state that was added."""
        self.lengths.append(length)
        self.classes.append(cls)
        self.roots.append(roots)
        levels = self.by_class[cls]
        while len(levels) <= length:
            levels.append(array("I"))
        levels[length].append(number)

    def length_after(self, numbers: Sequence[int]) -> int:
        """Return how many calls it takes to make one on these states."""
        return sum(map(self.lengths.__getitem__, numbers), 1)

    def keys_since(self, number: int) -> Iterable[bytes]:
        """Return the canonical bytes of states from this number on, where values are in them."""
        del number
        return ()

    def width(self) -> int:
        """Return how many states wait for their calls."""
        return max((len(levels[-1]) for levels in self.by_class.values() if levels), default=0)

    def units(self) -> Iterator[WorkUnit]:
        """Yield the work of the level; what it finds belongs to the next, so the units stay the same."""
        if self.level == 0:
            yield WorkUnit((), [each for each in self.code.calls if not each.template.wanted])
            return
        yield from self.unary_units(self.states_of(object, self.level))
        for each in self.code.calls:
            if len(each.template.wanted) > 1:
                yield from self.joint_units(each)

    def unary_units(self, numbers: list[int]) -> Iterator[WorkUnit]:
        """Yield the calls on one object, for each of the states."""
        return map(WorkUnit, zip(numbers, strict=True))

    def joint_units(self, call: ReadyCall) -> Iterator[WorkUnit]:
        """Yield a call that needs several objects, for all states that took as many calls together as the level says.

        What is passed is passed alone, where it counts alone; the receiver may come with objects it shares parts with,
        so that what the call does to them is seen.
        """
        wanted = call.template.wanted
        for lengths in split_length(self.level, len(wanted)):
            pools = [self.states_of(cls, length) for cls, length in zip(wanted, lengths, strict=True)]
            for place in range(call.template.operation.has_receiver, len(pools)):
                pools[place] = [each for each in pools[place] if self.is_found_alone(each)]
            for place, most in enumerate(call.template.first):
                if most is not None:
                    among = set(self.first_states(wanted[place], most))
                    pools[place] = [each for each in pools[place] if each in among]
            for numbers in itertools.product(*pools):
                yield WorkUnit(numbers, [call])

    def has_more(self) -> bool:
        """Tell whether a call of this level, or of a later one, can still be made."""
        longest = max((len(levels) - 1 for levels in self.by_class.values()), default=0)
        width = max((len(each.template.wanted) for each in self.code.calls), default=1)
        return self.level == 0 or self.level <= longest * max(width, 1)

    def begin_level(self) -> None:
        """Go on to the next level."""
        self.level, self.done, self.first = self.level + 1, 0, len(self.lengths)

    def states_of(self, cls: type, length: int) -> list[int]:
        """Return the states of the class (and its subclasses) whose shortest sequence has so many calls."""
        return sorted(
            number
            for known, levels in self.by_class.items()
            if issubclass(known, cls) and length < len(levels)
            for number in levels[length]
        )

    def first_states(self, cls: type, most: int) -> list[int]:
        """Return the first so many states of a class: a state that takes more calls has a higher number."""
        longest = max((len(levels) for known, levels in self.by_class.items() if issubclass(known, cls)), default=0)
        every = (each for length in range(longest) for each in self.states_of(cls, length) if self.is_found_alone(each))
        return list(itertools.islice(every, most))

    def is_found_alone(self, number: int) -> bool:
        """Tell whether the objects of a state are a find of their own."""
        return self.code.is_found_alone(self.classes[number], self.roots[number])

    def calls_on(self, number: int) -> list[ReadyCall]:
        """Return the calls that need this object alone; one that came with others is passed where it is alone."""
        calls = self.code.unary_calls(self.classes[number])
        if self.is_found_alone(number):
            return calls
        return [each for each in calls if each.template.operation.has_receiver]


class StateFrontier(Levels):
    """States with all their values: canonical bytes in a store, each with the state and call it came from."""

    counts = "states"

    def __init__(self, code: CodeUnderTest, scope: Scope, options: Options) -> None:
        super().__init__(code, scope)
        self.walker, self.faithful = code.walker, code.limits.faithful
        self.matching = options.states.state_matching
        self.store = make_store(options.exploring.implementation)
        self.trace = Trace(code.api.templates, self.store)
        self.captured: dict[int, bytes | None] = {}  # what states are made of again, where their bytes do not say all
        self.distinct: set[bytes] = set()  # states, where a sequence is kept for each way to reach them

    def __len__(self) -> int:
        return len(self.store)

    def knows(self, key: bytes) -> bool:
        """Tell whether the state is known."""
        return self.store.find(key) >= 0 if self.matching else key in self.distinct

    def add(self, key: bytes, numbers: Sequence[int], invocation: Invocation, roots: Sequence[object]) -> int:
        """Add a state, with the call that led to it, and return its number."""
        call, length = self.trace.call_number(invocation), self.length_after(numbers)
        whole = None if self.faithful else self.capture(roots)
        return self.enter(key, numbers[0] if numbers else -1, call, length, type(roots[0]), len(roots), whole)

    def enter(self, key: bytes, parent: int, call: int, length: int, cls: type, roots: int, whole: bytes | None) -> int:
        """Add a state that somebody has looked at, and return its number."""
        if not self.matching:
            self.distinct.add(key)
            key += len(self.store).to_bytes(8, "big")  # every sequence is a state of its own
        number = self.store.add(key, parent, call)
        self.note_state(number, length, cls, roots)
        if not self.faithful:
            self.captured[number] = whole
        return number

    def capture(self, roots: Sequence[object]) -> bytes | None:
        """Return what is needed to make the state again, or nothing where only its calls can do that."""
        try:
            return self.walker.capture(*roots)
        except UnlikeError:
            return None

    def key(self, number: int) -> bytes:
        """Return the canonical bytes of a state; without state matching they carry the number of their sequence."""
        return self.store.state(number)[: None if self.matching else -8]

    def keys_since(self, number: int) -> Iterable[bytes]:
        """Return the canonical bytes of the states from this number on."""
        return map(self.key, range(number, len(self)))

    def whole(self, number: int) -> bytes | None:
        """Return what the state can be made of, or nothing where only its calls can do that."""
        return self.key(number) if self.faithful else self.captured[number]

    def heap_of(self, number: int) -> Heap:
        """Return a state as plain data: all that it holds, or all that is compared where the rest cannot be seen."""
        whole = self.whole(number)
        return compared_heap(self.walker, self.key(number)) if whole is None else self.walker.heap(whole)

    def sample(self) -> Iterator[Heap]:
        """Yield the few new states that growth is judged by."""
        if self.matching:
            yield from map(self.heap_of, range(self.first, len(self), max(1, (len(self) - self.first) // 8)))

    def failing(self, numbers: Sequence[int], call: int) -> Recipe:
        """Return a sequence that ends with a call on these states that goes wrong."""
        return self.trace.failing(numbers[0] if numbers else -1, Invocation(call, tuple(numbers[1:]), ()))


def split_length(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write the total as so many numbers of at least 1."""
    for cuts in itertools.combinations(range(1, total), parts - 1):
        yield tuple(end - start for start, end in itertools.pairwise((0, *cuts, total)))
