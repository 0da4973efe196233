"""When a verb has to end, as one moment that is handed down to every loop.

A timeout is the total of what was asked: the moment is reckoned once, where the verb begins. Copies of this process
have the same clock; what travels further takes the seconds that are left along.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from unlike.scope import check_seconds
from unlike.suite import Ending, Status

T = TypeVar("T")


class CutShort(Exception):  # noqa: N818  # an ending, not an error
    """Raised inside work that cannot go on; the status says why."""

    def __init__(self, status: Status) -> None:
        super().__init__(str(status))
        self.status = status


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment of the monotonic clock at which work is cut short, or never; and how many seconds were given for it."""

    ends: float | None = None
    seconds: float | None = field(default=None, compare=False)

    @staticmethod
    def of(timeout: Timeout) -> Deadline:
        """Return the deadline so many seconds from now; one that is there already stays."""
        if isinstance(timeout, Deadline):
            return timeout
        check_seconds("timeout", timeout)
        return _from_now(timeout, timeout)

    def seconds_left(self) -> float | None:
        """Return the seconds left, or nothing if there is no end."""
        return None if self.ends is None else max(0.0, self.ends - time.monotonic())

    def is_over(self, by: float = 0.0) -> bool:
        """Tell whether the time is over, by so many seconds."""
        return self.ends is not None and time.monotonic() >= self.ends + by

    def check(self) -> None:
        """Cut the work short if the time is over."""
        if self.is_over():
            raise CutShort(self.status())

    def status(self, detail: str = "") -> Status:
        """Return the status of work that is cut short here."""
        return Status(Ending.TIMEOUT, detail or f"the limit of {self.seconds or 0:g} s was reached")

    def part(self, share: float) -> Deadline:
        """Return the deadline of work that may take so much of the time that is left."""
        left = self.seconds_left()
        return self if left is None else _from_now(left * share, self.seconds)

    def shares(self, items: Sequence[T]) -> Iterator[tuple[T, Deadline]]:
        """Yield each item with an equal part of the time that is left."""
        for left, item in zip(range(len(items), 0, -1), items, strict=True):
            yield item, self.part(1 / left)

    def sooner(self, other: Deadline) -> Deadline:
        """Return the one of two that comes first."""
        return self if other.ends is None or (self.ends is not None and self.ends <= other.ends) else other

    def within(self, seconds: float) -> Deadline:
        """Return the deadline of work that may take so many seconds, and no longer than all of it."""
        left = self.seconds_left()
        return _from_now(seconds, seconds) if left is None or seconds < left else self

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """Return the items as long as there is time."""
        return iter(items) if self.ends is None else self._each(items)

    def within_time(self, items: Iterable[T]) -> Iterator[T]:
        """Yield the items until the time is over; the first always."""
        for place, item in enumerate(items):
            if place and self.is_over():
                return
            yield item

    def _each(self, items: Iterable[T]) -> Iterator[T]:
        for item in items:
            self.check()
            yield item

    def __reduce__(self) -> tuple[object, ...]:
        return _from_now, (self.seconds_left(), self.seconds)  # another machine has another clock


def _from_now(left: float | None, seconds: float | None) -> Deadline:
    if left is None or left == math.inf:
        return FOREVER
    return Deadline(time.monotonic() + left, seconds)


Timeout = float | Deadline | None
FOREVER = Deadline()
