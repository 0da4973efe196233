"""Fields that grow without end, recognised level by level."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator

from unlike.heap import Heap, RecordValue
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
        if self.ends_anyway:
            return ""
        endless = [label for label in self.history if self._grew(label, self.window) and self._last(label) > self.bound]
        return self._words(endless)

    def hint(self) -> str:
        """Return the words for fields that were still growing when the search was cut short."""
        return self._words(
            [label for label in self.history if self._grew(label, 8) and self._last(label) > self.bound / 2]
        )

    def _words(self, labels: list[str]) -> str:
        if not labels:
            return ""
        shown = ", ".join(labels)
        pattern = "|".join(labels)
        remedy = f"leave it out of the comparison: --omit-fields '{pattern}', or bound the calls: --calls N"
        return f"{shown} grows without end; {remedy}"

    def _last(self, label: str) -> float:
        return self.history[label][-1]

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
