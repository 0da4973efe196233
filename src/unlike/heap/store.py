"""The states known so far: exact bytes, numbered in order of arrival, each with the state and call it came from."""

from __future__ import annotations

from array import array


class Store:
    """Known states. A state without a parent has parent -1."""

    __slots__ = ("_calls", "_numbers", "_parents", "_states")

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._states: list[bytes] = []
        self._parents = array("q")
        self._calls = array("q")

    def add(self, state: bytes, parent: int = -1, call: int = -1) -> int:
        """Return the number of a state that is new, or -1 if it is known."""
        number = len(self._states)
        if self._numbers.setdefault(state, number) != number:
            return -1
        self._states.append(state)
        self._parents.append(parent)
        self._calls.append(call)
        return number

    def find(self, state: bytes) -> int:
        """Return the number of a known state, or -1."""
        return self._numbers.get(state, -1)

    def state(self, number: int) -> bytes:
        """Return the bytes of a state."""
        return self._states[number]

    def origin(self, number: int) -> tuple[int, int]:
        """Return the parent and the call that first led to the state."""
        return self._parents[number], self._calls[number]

    def __len__(self) -> int:
        return len(self._states)
