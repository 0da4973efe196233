"""Calls of recursive functions that wait for their bodies, and what is known of those that were run."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from unlike.invariants.compile.formula import Literal
from unlike.invariants.compile.program import Function
from unlike.invariants.compile.values import Number, SetValue, Thing, Truth, Value


@dataclass(slots=True, eq=False)
class PendingCall:
    """A call that waits for its body: its guard, its arguments, and where its result is expected."""

    guard: Literal
    arguments: list[Value]
    result: Truth | Number | None


@dataclass(slots=True, eq=False)
class Body:
    """A function called with one object, and the calls that it answers."""

    function: Function
    thing: Thing
    assume: bool
    generation: int  # calls that come after a body was run get another one
    at_most_once: bool  # two calls on this object would be rejected
    has_effects: bool  # it adds to a set
    calls: list[PendingCall] = field(default_factory=list)
    is_done: bool = False


@dataclass(slots=True, eq=False)
class KnownResult:
    """What a function of an object alone gives, and when it raises; not yet known while it is being found."""

    is_known: bool = False
    value: Value = None
    raised: list[Literal] = field(default_factory=list)


@dataclass(slots=True)
class PendingCalls:
    """The tables of recursion, for one run."""

    results: dict[tuple[Any, ...], KnownResult] = field(default_factory=dict)  # by function and arguments
    bodies: dict[tuple[Any, ...], Body] = field(default_factory=dict)
    waiting: list[Body] = field(default_factory=list)
    shared: dict[int, SetValue] = field(default_factory=dict)  # by id: sets that only say "at most once" to bodies
    disciplined: set[ast.AST] = field(default_factory=set)  # where they are used so
    running: int = 0
    depth: int = 0
