"""Classes about whose invariants there is something to say."""

from __future__ import annotations


class Node:
    key: int
    after: Node | None

    def __init__(self, key: int) -> None:
        self.key, self.after = key, None


class TooLarge:
    """Its size is never what is asked for."""

    first: Node | None
    size: int

    def __init__(self) -> None:
        self.first, self.size = None, 0

    def rep_ok(self) -> bool:
        return self.size == 99 and self.first is None


class Raising(TooLarge):
    """It raises wherever there is a node."""

    def rep_ok(self) -> bool:
        if self.first is None:
            return self.size == 0
        hash((self.first.key, self.size))  # each of which is looked at
        return bool(self.first.kye)  # type: ignore[attr-defined]


class Growing:
    """It grows without end."""

    number: int

    def __init__(self) -> None:
        self.number = 0

    def more(self) -> None:
        self.number += 1

    def rep_ok(self) -> bool:
        return self.number >= 0
