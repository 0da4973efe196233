"""What the power study is made of: parsers, functions over structured data, classes and bugs, each as plain data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Subject:
    """Code of a released package (or of `bench.power.written`), and the inputs a good tester would write for it.

    `modules` are mutated; `run` shows what is seen of one input, and looks its functions up in their modules each time.
    """

    name: str
    package: str  # with its exact version
    modules: tuple[str, ...]
    run: Callable[[Any], Any]
    by_hand: Sequence[Any]
    only: str | tuple[str, ...] = (
        ""  # of the functions of these modules those whose qualified names begin so; all unless told
    )

    def __post_init__(self) -> None:
        if not self.by_hand:
            raise ValueError(f"{self.name} has no inputs written by hand")


@dataclass(frozen=True, slots=True)
class Parser(Subject):
    """A function of a text; `pattern` is what a user would write for its legal inputs."""

    pattern: str = ""


@dataclass(frozen=True, slots=True)
class Structured(Subject):
    """A function of one value of the type `inputs`."""

    inputs: Any = None


@dataclass(frozen=True, slots=True)
class Operation:
    """A call of a class: the method, and for each argument the kind of values that are passed."""

    method: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StatefulClass:
    """A class with state: what it is made of and what is called, as its user would write it for random sequences.

    `flags` are what `unlike explore` is told besides the class and the scope; mostly nothing.
    """

    name: str
    package: str
    module: str
    cls: str
    operations: tuple[Operation, ...]
    constructor: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    mutated: tuple[str, ...] = ()  # classes of the module whose methods are mutated; `cls` alone unless told


@dataclass(frozen=True, slots=True)
class Bug:
    """A fault of a released version that a later one does not have."""

    name: str
    package: str  # the last version with the fault
    fixed: str  # the first version without
    module: str
    function: str
    shows: tuple[Any, ...]  # inputs that show it: the two versions answer differently
    pattern: str = ""
    inputs: str = ""  # a type of inputs, where they are no texts
