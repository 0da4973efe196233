"""What every verb takes, as a few frozen records.

A field says all there is to say of a setting, once: its name is the Python keyword, its metadata are flag, help, kind
and check, its default is what is usual. Flags, TOML keys and keywords are made from the fields. Below the
records stand their fields once more as keywords, for type checkers; a test compares the two.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, cast

from unlike.core.deadline import Deadline, Timeout
from unlike.core.saying import (
    ClashError,
    check_exceptions,
    check_fields,
    check_regex,
    check_scope,
    check_timeout,
    check_workers,
    record_of,
    said,
)
from unlike.errors import ScopeError
from unlike.scope import Key, Scope, check_table, check_whole, exceptions_in, scope_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

Workers: TypeAlias = "int | Executor | Callable[[], Executor] | None"
Values = Literal["auto", "symbolic", "concrete"]
Implementation = Literal["auto", "native", "python"]
Encoding = Literal["auto", "loop", "distinct", "all-at-once", "forall"]
ENCODINGS: tuple[Encoding, ...] = ("auto", "loop", "distinct", "all-at-once", "forall")

PRECONDITIONS: tuple[type[BaseException], ...] = (ValueError, TypeError, IndexError, KeyError, StopIteration)
MOST_STATES = 5_000_000
MOST_EFFORT = 1_000  # times the usual budget of a question


# -- the records ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How far to look: a scope in one number, and what refines it."""

    scope: int | Scope = said(
        3, "--scope", "Objects per class, first ints, elements per container (3).", kind=int, check=check_scope
    )
    objects: Mapping[str, int] | None = said(
        None, "--objects", "Most objects of one class.", kind="objects", unit="CLASS=N", check=check_table
    )
    elements: int | None = said(
        None, "--elements", "Most elements in a container.", kind=int, check=functools.partial(check_whole, least=0)
    )
    literals: Mapping[str, Sequence[object]] | None = said(
        None,
        "--literals",
        "Values: int=0,1,2  int=0..9  str=a,b  put.key=…",
        kind="literals",
        unit="TYPE=…",
        check=check_table,
    )
    calls: int | None = said(None, "--calls", "Longest sequence of calls.", kind=int)
    fields: Mapping[str, object] | None = said(
        None, "--field", "What a field may hold: 0..9,None,Node", kind="fields", unit="CLASS.F=…", check=check_table
    )

    def __post_init__(self) -> None:
        check_fields(self)

    def to_scope(self) -> Scope:
        """Return the scope with all that refines it."""
        return scope_of(
            self.scope, objects=self.objects, literals=self.literals, elements=self.elements, calls=self.calls
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StateMatching:
    """What is called, and what makes two objects the same."""

    methods: str | None = said(
        None,
        "--methods",
        "Names of the methods to call; constructors are always called.",
        unit="REGEX",
        check=check_regex,
    )
    omit_fields: str | None = said(
        None,
        "--omit-fields",
        "Fields that do not tell states apart: version, Cart.version.",
        unit="REGEX",
        check=check_regex,
    )
    preconditions: Iterable[type[BaseException]] = said(
        PRECONDITIONS,
        "--precondition",
        "Exceptions that say a call was not allowed.",
        kind="exceptions",
        unit="EXC",
        check=check_exceptions,
    )
    invariant: str | None = said(None, "--invariant", "Method that tells whether an object is sound.", unit="NAME")
    keys: Mapping[type, Key] | None = said(None, check=lambda *_: None)
    dict_order: bool = said(True, "--any-dict-order", "The order of dict items does not tell states apart.", kind=bool)
    state_matching: bool = said(True, "--no-state-matching", "Run every sequence of at most --calls calls.", kind=bool)

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "preconditions", exceptions_in(self.preconditions))


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimit:
    """When to end."""

    timeout: Timeout = said(
        None, "--timeout", "Seconds after which all is cut short.", kind=float, unit="S", check=check_timeout
    )

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    """Where code of the user's runs, and what it may take there; None lifts a limit."""

    seconds_per_call: float | None = said(
        5, "--seconds-per-call", "Most seconds for one call of your code (5).", kind=float, unit="S"
    )
    megabytes: int | None = said(2_000, "--memory", "Most memory of a process (2000).", kind=int, unit="MB")
    in_process: bool = said(False, "--in-process", "Run your code in this process: no isolation.", kind=bool)
    workers: Workers = said(
        None, "--workers", "Make the calls in N processes at once (1).", kind=int, unit="N", check=check_workers
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if self.in_process and self.workers:
            raise ClashError(in_process=True, workers=self.workers)

    @property
    def is_here(self) -> bool:
        """Whether the code runs in this process: no workers are none."""
        return self.in_process or self.workers == 0

    @property
    def limits(self) -> str:
        """What a call may take, in words: "5 s for a call and 2,000 MB"."""
        seconds = "no limit" if self.seconds_per_call is None else f"{self.seconds_per_call:g} s"
        return f"{seconds} for a call" + ("" if self.megabytes is None else f" and {self.megabytes:,} MB")

    def keywords(self) -> IsolationKeywords:
        """Return it as the keywords of another verb."""
        return cast(IsolationKeywords, {each.name: getattr(self, each.name) for each in fields(self)})

    def of_one_process(self) -> LimitKeywords:
        """Return it as the keywords of a verb that does its work in one process."""
        alone = replace(self, in_process=self.is_here, workers=None).keywords()
        del alone["workers"]
        return alone

    def in_this_process(self) -> Isolation:
        """Return the same, for code that has to run here."""
        return replace(self, in_process=True, workers=None)

    def within(self, seconds: float | None) -> Isolation:
        """Return the same, where a call has at most so many seconds."""
        if seconds is None or (self.seconds_per_call is not None and self.seconds_per_call <= seconds):
            return self
        return replace(self, seconds_per_call=seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploring:
    """How to explore: what is no part of the space itself."""

    values: Values = said(
        "auto",
        "--values",
        "Leave integers open, or pass every one; auto: open where it pays (auto).",
        kind=("auto", "symbolic", "concrete"),
    )
    most_states: int = said(
        MOST_STATES,
        "--most-states",
        "States after which a search is given up (5000000).",
        kind=int,
        unit="N",
        check=functools.partial(check_whole, optional=False),
    )
    implementation: Implementation = said("auto", kind=("auto", "native", "python"))

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectChoice:
    """Of an exploration on the command line: which calls are made, and which of the objects found are handed out."""

    builders: str | None = said(
        None, "--builders", "Call only the few methods that build everything.", unit="auto|FILE"
    )
    at_random: bool = said(False, "--random", "Call at random, until --timeout or --attempts ends it.", kind=bool)
    attempts: int | None = said(None, "--attempts", "Calls to try with --random.", kind=int)
    one_per_shape: bool = said(False, "--one-per-shape", "One object for each abstract state.", kind=bool)
    boundary: bool = said(False, "--boundary", "The same, and the smallest and largest of each value.", kind=bool)
    sample: int | None = said(
        None,
        "--sample",
        "N objects drawn at random (--seed).",
        kind=int,
        unit="N",
        check=functools.partial(check_whole, least=0),
    )
    at: int | None = said(
        None,
        "--at",
        "The object at index I alone; the first is 0.",
        kind=int,
        unit="I",
        check=functools.partial(check_whole, least=0),
        now=True,
    )
    few: bool = said(False, "--fields", "Only the fewest objects that show every value of every field.", kind=bool)
    list_api: bool = said(
        False, "--list-api", "Show what would be called, and why the rest would not.", kind=bool, now=True
    )

    def __post_init__(self) -> None:
        check_fields(self)


def check_effort(name: str, value: object) -> None:
    """Refuse what is no number by which a budget can be multiplied."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MOST_EFFORT:
        raise ScopeError(f"{name}={value!r} must be a number above 0, at most {MOST_EFFORT}: times the usual budget")


@dataclass(frozen=True, slots=True, kw_only=True)
class Solving:
    """How the inputs of a spec are asked of a solver."""

    engine: Literal["auto", "solver"] = said("auto", kind=("auto", "solver"))
    encoding: Encoding = said("auto", "--encoding", "How a solver is asked for n inputs.", kind=ENCODINGS, now=True)
    solver: str = said(
        "z3", "--solver", "Who is asked first; a command reads SMT-LIB 2.", unit="NAME|COMMAND", now=True
    )
    effort: float = said(
        1,
        "--effort",
        "Multiply what a question to a solver may cost.",
        kind=float,
        unit="X",
        check=check_effort,
        now=True,
    )

    def __post_init__(self) -> None:
        check_fields(self)

    def keywords(self, isolation: Isolation) -> SpecKeywords:
        """Return it as keywords of another verb, with where code of the user's runs."""
        own: SpecKeywords = {name: getattr(self, name) for name in self.__slots__}  # type: ignore[assignment]
        return {**own, **isolation.of_one_process()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What to hand out, and where to."""

    n: int | None = said(None, "-n", "How many.", kind=int, unit="N", toml="n")
    every: bool = said(False, "--all", "All there are, however many.", kind=bool)
    form: str | None = said(None, "--format", "What to write.")
    output: str | None = said(None, "-o", "Write to a file.", unit="FILE", toml="output")
    count: bool = said(False, "--count", "Print the number and nothing else.", kind=bool, now=True)
    explain: bool = said(False, "--explain", "Say how it was found, and what was noticed.", kind=bool)
    seed: int = said(
        0,
        "--seed",
        "Others for another seed; the same for the same (0).",
        kind=int,
        unit="K",
        check=functools.partial(check_whole, least=0, optional=False),
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if self.n is not None and self.every:
            raise ClashError(n=self.n, every=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """All that `explore` is asked besides its targets."""

    bounds: Bounds = Bounds()
    states: StateMatching = StateMatching()
    isolation: Isolation = Isolation()
    exploring: Exploring = Exploring()
    deadline: Deadline = Deadline()

    def __post_init__(self) -> None:
        if not self.states.state_matching and self.bounds.to_scope().calls is None:
            raise ScopeError(
                "without state matching every sequence is run, and only calls=… (--calls) bounds their length"
            )

    @staticmethod
    def of(keywords: Mapping[str, Any]) -> Exploration:
        """Return what the keywords of `explore` ask."""
        return Exploration(
            bounds=record_of(Bounds, keywords),
            states=record_of(StateMatching, keywords),
            isolation=record_of(Isolation, keywords),
            exploring=record_of(Exploring, keywords),
            deadline=Deadline.of(keywords.get("timeout")),
        )


USUAL = Isolation()
NO_LIMITS = Isolation(seconds_per_call=None, megabytes=None)


# -- the records as keywords of functions --------------------------------------------------------------


class ScopeKeywords(TypedDict, total=False):
    """Those of `Bounds` that every verb on classes has besides its scope."""

    objects: Mapping[str, int] | None
    literals: Mapping[str, Sequence[object]] | None
    elements: int | None


class LimitKeywords(TypedDict, total=False):
    """The fields of `Isolation` as keywords of a verb that does its work in one process."""

    seconds_per_call: float | None
    megabytes: int | None
    in_process: bool


class IsolationKeywords(LimitKeywords, total=False):
    """The fields of `Isolation` as keywords of a verb that can share its work among processes."""

    workers: Workers


class SpecKeywords(LimitKeywords, total=False):
    """The fields of `Solving` and `Isolation` as keywords of `generate`."""

    engine: Literal["auto", "solver"]
    encoding: Encoding
    solver: str
    effort: float


class BuilderKeywords(ScopeKeywords, IsolationKeywords, total=False):
    """What `builders` takes besides its scope, and how it chooses."""

    methods: str | None
    omit_fields: str | None
    preconditions: Iterable[type[BaseException]]
    invariant: str | None
    keys: Mapping[type, Key] | None
    dict_order: bool
    state_matching: bool
    calls: int | None
    timeout: Timeout
    values: Values
    most_states: int
    implementation: Implementation


class ExploreKeywords(BuilderKeywords, total=False):
    """What `explore` takes."""

    scope: int | Scope


class InvariantKeywords(ScopeKeywords, LimitKeywords, total=False):
    """What verbs on invariants take besides their scope and their invariant."""

    fields: Mapping[str, object] | None
    timeout: Timeout


class StructuresKeywords(InvariantKeywords, total=False):
    """What `structures` takes besides its class, as tests ask for it."""

    scope: int | Scope
    invariant: str | Callable[[Any], object]
    engine: Literal["auto", "search", "hybrid", "korat"]
    all_labels: bool
