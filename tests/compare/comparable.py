"""Classes whose API and invariant differ in one way each."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any


class Counter:
    total: int

    def __init__(self) -> None:
        self.total = 0

    def add(self, number: int) -> None:
        if self.total > 10:
            raise ValueError("it is full")
        self.total += number

    def too_strong(self) -> bool:
        return self.total != 2

    def raises_on_two(self) -> bool:
        return bool(1 / (self.total - 2))

    def hangs_on_two(self) -> bool:
        while self.total == 2:
            pass
        return True

    def anything(self) -> bool:
        return True


class Endless:
    total: int

    def __init__(self) -> None:
        self.total = 0

    def more(self) -> None:
        self.total += 1

    def anything(self) -> bool:
        return True


class Even:
    total: int

    def __init__(self) -> None:
        self.total = 0

    def add_two(self) -> None:
        if self.total < 2:
            self.total += 2

    def rep_ok(self) -> bool:
        return True


class Register:
    values: dict[str, int]

    def __init__(self) -> None:
        self.values = {}

    def put(self, name: str, value: int) -> None:
        self.values[name] = value

    def rep_ok(self) -> bool:
        return all(value >= 0 for value in self.values.values())


class Bank:
    def __init__(self) -> None:
        self.total: int = 0

    def deposit(self, number: int) -> None:
        if self.total + number > 4:
            raise ValueError("it is full")
        self.total += number

    def rep_ok(self) -> bool:
        return self.total >= 0


class Ordered:
    def __init__(self) -> None:
        self.data: OrderedDict[int, int] = OrderedDict()

    def put(self, key: int) -> None:
        self.data[key] = 0

    def rep_ok(self) -> bool:
        return all(value == 0 for value in self.data.values())


@dataclass
class Parcel:
    """Whose content may be anything."""

    content: Any

    def rep_ok(self) -> bool:
        """Accept all."""
        return True


class Talking:
    said: int

    def __init__(self) -> None:
        print("made")
        self.said = 0

    def speak(self) -> None:
        print("spoken")
        self.said = 1

    def rep_ok(self) -> bool:
        print("asked")
        return self.said in (0, 1)


class Forgetful:
    number: int

    def __init__(self) -> None:
        self.number = 0

    def set(self, number: int) -> None:
        raise RuntimeError("not today")

    def rep_ok(self) -> bool:
        return self.number in (0, 1)


@dataclass
class Lit:
    on: bool

    def __post_init__(self) -> None:
        if not self.on:
            raise ValueError("always on")


@dataclass
class Coloured(Lit):  # equal by its fields, so it has no hash
    pass


@dataclass
class Lamp:
    bulb: Lit

    def rep_ok(self) -> bool:
        return True
