"""Classes whose tests are hard to write: values, state outside the objects, dice, greed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar, NamedTuple


class Spot(NamedTuple):
    x: int
    y: int = 0

    def flipped(self) -> Spot:
        return Spot(self.y, self.x)


@dataclass(frozen=True)
class Version:
    major: int = 0
    minor: int = 0

    def bumped(self) -> Version:
        return Version(self.major, self.minor + 1)


class Mod3:
    def __init__(self, n: int = 0) -> None:
        if n == 2:
            raise ValueError("two is one too many")
        self.n = n % 3

    def __add__(self, other: Mod3) -> Mod3:
        return made_of(self.n + other.n)

    def succ(self) -> Mod3:
        return made_of(self.n + 1)

    def both(self) -> tuple[Mod3, int]:
        return (made_of(self.n + 1), self.n)

    def me(self) -> Mod3:
        return self

    @classmethod
    def one(cls) -> Mod3:
        return cls(1)


def made_of(n: int) -> Mod3:
    made = Mod3()
    made.n = n % 3
    return made


class Handler:
    registry: ClassVar[dict[str, Handler]] = {}

    def __init__(self, name: str) -> None:
        if name in Handler.registry:
            raise ValueError("taken")
        self.name = name
        Handler.registry[name] = self


class Single:
    instance: ClassVar[Single | None] = None
    n: int

    def __new__(cls) -> Single:
        if cls.instance is None:
            cls.instance = super().__new__(cls)
            cls.instance.n = 0
        return cls.instance

    def inc(self) -> None:
        self.n = min(self.n + 1, 2)


class Dice:
    def __init__(self) -> None:
        self.v = 1

    def roll(self) -> int:
        self.v = random.SystemRandom().randint(1, 60)  # rarely the same again by chance
        return self.v


class Hog:
    def __init__(self) -> None:
        self.n = 0

    def eat(self) -> None:
        raise MemoryError


class Temperature:
    def __init__(self) -> None:
        self._c = 1

    @property
    def celsius(self) -> int:
        return self._c

    @celsius.deleter
    def celsius(self) -> None:
        self._c = 0
