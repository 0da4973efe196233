"""What every source of inputs is: it generates rows of JSON data, decodes them again, and checks what it decoded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from unlike.errors import SavedFileError
from unlike.recipe import Recipe
from unlike.saved import Json
from unlike.suite import Status
from unlike.testing.decorators import Number

Data: TypeAlias = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Row:
    """One generated input as data, the choices that the difference made in it, and what it stands for."""

    input: Data
    choices: Mapping[str, int]
    label: str = ""


class Input(Protocol):
    """One decoded input: builds a fresh object for each of its parameters."""

    def build(self, name: str) -> object:
        """Return a fresh object for the parameter."""
        ...

    def recipe(self, name: str) -> Recipe:
        """Return how to build the object."""
        ...

    def word(self, name: str) -> object:
        """Return what the parameter is called in an id: a plain value."""
        ...


class RowSource(Protocol):
    """Generates rows, decodes saved ones, and checks them."""

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters it fills."""
        ...

    @property
    def fingerprint(self) -> str:
        """What changes when its inputs may change."""
        ...

    def generate(self, n: Number, timeout: float | None) -> tuple[list[Row], Status]:
        """Return up to n rows, and why there are no more."""
        ...

    def decode(self, data: Data, choices: Mapping[str, int]) -> Input:
        """Return the input that the data stand for, or refuse them."""
        ...

    def first_wrong(self, inputs: Sequence[Input]) -> tuple[int, str] | None:
        """Return the position of the first input that is not legal or like an earlier one, and why."""
        ...

    def fits(self, one: Input) -> bool:
        """Tell whether one input is legal, whatever else there is."""
        ...


def digest(data: Json) -> str:
    """Return eight hexadecimal digits that stand for the data."""
    return hashlib.blake2b(json.dumps(data).encode(), digest_size=4).hexdigest()


def check_names(data: Data, names: Sequence[str]) -> None:
    """Refuse an input that has other parameters than the test."""
    if sorted(data) != sorted(names):
        raise SavedFileError(f"it has the parameters {sorted(data)}, but the test has {sorted(names)}")
