"""What every verb takes, as a few frozen records.

A field says all there is to say of a setting, once: its name is the Python keyword, its metadata are flag, help, kind
and check, its default is what is usual. Flags, TOML keys and keywords are made from the fields. Below the
records stand their fields once more as keywords, for type checkers; a test compares the two.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, cast

from unlike.core.deadline import FOREVER, Deadline, Timeout
from unlike.core.settings import (
    ClashError,
    Settings,
    check_exceptions,
    check_regex,
    check_scope,
    check_text,
    check_timeout,
    check_workers,
    keywords_of,
    record_of,
    setting,
)
from unlike.errors import ScopeError
from unlike.scope import NO_OTHERS, Key, Scope, check_table, check_whole, exceptions_in, scope_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

Workers: TypeAlias = "int | Executor | Callable[[], Executor] | None"
Values = Literal["auto", "symbolic", "concrete"]
Implementation = Literal["auto", "native", "python"]
Guessing = Literal["auto", "none"]
Encoding = Literal["auto", "loop", "distinct", "all-at-once", "forall"]
ENCODINGS: tuple[Encoding, ...] = ("auto", "loop", "distinct", "all-at-once", "forall")

PRECONDITIONS: tuple[type[BaseException], ...] = (ValueError, TypeError, IndexError, KeyError, StopIteration)
Precondition: TypeAlias = type[BaseException] | Literal["none"]
MOST_STATES = 5_000_000  # at about 100 bytes each (`make bench` keeps that) they fit into one process
MOST_EFFORT = 1_000  # times the usual budget of a question


FROM_ZERO = functools.partial(check_whole, least=0)
NEEDED = functools.partial(check_whole, optional=False)
NEEDED_FROM_ZERO = functools.partial(check_whole, least=0, optional=False)


def check_effort(name: str, value: object) -> None:
    """Refuse what is no number by which a budget can be multiplied."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MOST_EFFORT:
        raise ScopeError(
            f"{name}={value!r} must be a number above 0, at most {MOST_EFFORT}: "
            "it multiplies what a question to a solver may cost"
        )


def check_callable(name: str, value: object) -> None:
    """Refuse what is neither a name nor can be called."""
    if not callable(value):
        check_text(name, value)


@functools.lru_cache(maxsize=16)
def refusals_of(preconditions: tuple[Precondition, ...]) -> tuple[type[BaseException], ...]:
    """Return the exceptions among what was given, and the usual ones unless others are not wanted."""
    named = tuple(each for each in preconditions if isinstance(each, type))
    return named if NO_OTHERS in preconditions else (*PRECONDITIONS, *named)


# -- the records ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds(Settings):
    """How far to look: a scope in one number, and what refines it."""

    scope: int | Scope = setting(
        3, "--scope", "Objects per class, first ints, elements per container (3).", check=check_scope
    )
    objects: Mapping[str, int] | None = setting(
        None, "--objects CLASS=N", "Most objects of one class.", kind="objects", check=check_table
    )
    elements: int | None = setting(None, "--elements", "Most elements in a container.", kind=int, check=FROM_ZERO)
    literals: Mapping[Any, Any] | None = setting(
        None, "--literals TYPE=…", "Values: int=0,1,2  int=0..9  str=a,b  put.key=…", kind="literals", check=check_table
    )
    calls: int | None = setting(None, "--calls", "Longest sequence of calls.", kind=int)
    fields: Mapping[str, object] | None = setting(
        None, "--field CLASS.F=…", "What a field may hold: 0..9,None,Node", kind="fields", check=check_table
    )

    def to_scope(self) -> Scope:
        """Return the scope with all that refines it."""
        return scope_of(
            self.scope, objects=self.objects, literals=self.literals, elements=self.elements, calls=self.calls
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StateMatching(Settings):
    """What is called, and what makes two objects the same."""

    methods: str | None = setting(
        None, "--methods REGEX", "Names of the methods to call; constructors are always called.", check=check_regex
    )
    omit_fields: str | None = setting(
        None, "--omit-fields REGEX", "Fields that do not tell states apart: version, Cart.version.", check=check_regex
    )
    preconditions: Iterable[Precondition] = setting(
        (),
        "--precondition EXC",
        "Another exception that says a call was not allowed; none: only those named.",
        kind="exceptions",
        check=check_exceptions,
    )
    invariant: str | Callable[[Any], object] | None = setting(
        None,
        "--invariant NAME",
        "Method or MODULE:FUNCTION that tells whether an object is sound: not false, nothing raised.",
        check=check_callable,
    )
    keys: Mapping[type, Key] | None = setting(None, check=lambda *_: None)
    dict_order: bool = setting(True, "--any-dict-order", "The order of dict items does not tell states apart.")
    state_matching: bool = setting(True, "--no-state-matching", "Run every sequence of at most --calls calls.")

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        object.__setattr__(self, "preconditions", exceptions_in(self.preconditions))

    @property
    def hears_announced(self) -> bool:
        """Whether what is usual, and what is announced in a docstring or by the package's own types, says no, too."""
        return NO_OTHERS not in self.preconditions  # a tuple by now

    @property
    def named(self) -> tuple[type[BaseException], ...]:
        """The exceptions that were named."""
        return tuple(each for each in self.preconditions if isinstance(each, type))

    @property
    def refusals(self) -> tuple[type[BaseException], ...]:
        """The exceptions that say a call was not allowed, if they come from the method itself."""
        return refusals_of(self.preconditions)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimit(Settings):
    """When to end."""

    timeout: Timeout = setting(
        None, "--timeout S", "Seconds after which all is cut short.", kind=float, check=check_timeout
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation(Settings):
    """Where code of the user's runs, and what it may take there; None lifts a limit."""

    seconds_per_call: float | None = setting(
        5, "--seconds-per-call S", "Most seconds for one call of your code (5).", kind=float
    )
    megabytes: int | None = setting(2_000, "--memory MB", "Most memory of a process (2000).")
    in_process: bool = setting(False, "--in-process", "Run your code in this process: no isolation.")
    workers: Workers = setting(
        None, "--workers N", "Make the calls in N processes at once (1).", kind=int, check=check_workers
    )

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
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
        return cast(IsolationKeywords, keywords_of(self))

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
class Exploring(Settings):
    """How to explore: what is no part of the space itself."""

    values: Values = setting(
        "auto",
        "--values",
        "Leave integers open, or pass every one; auto: open where it pays (auto).",
        kind=("auto", "symbolic", "concrete"),
    )
    most_states: int = setting(
        MOST_STATES, "--most-states N", "States after which a search is given up (5000000).", check=NEEDED
    )
    implementation: Implementation = setting("auto", kind=("auto", "native", "python"))
    guess: Guessing = setting(
        "auto",
        "--guess",
        "Try values for parameters without annotation, or pass ints as asked: auto, none (auto).",
        kind=("auto", "none"),
    )
    then_random: int | None = setting(
        None, "--then-random N", "Then draw N longer sequences, also beyond the scope.", kind=int, check=check_whole
    )
    reference: str | Callable[..., Any] | None = setting(
        None,
        "--reference MODULE:REF",
        "Make the same calls on this class (dict, list, …), and show where they differ.",
        check=check_callable,
    )
    protocols: bool = setting(
        True, "--no-protocols", "Do not ask objects about ==, hash, repr, copies, items, bool and with."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectChoice(Settings):
    """Of an exploration on the command line: which calls are made, and which of the objects found are handed out."""

    builders: str | None = setting(None, "--builders auto|FILE", "Call only the few methods that build everything.")
    at_random: bool = setting(False, "--random", "Call at random, until --timeout or --attempts ends it.")
    attempts: int | None = setting(None, "--attempts", "Calls to try with --random.", kind=int)
    one_per_shape: bool = setting(False, "--one-per-shape", "One object for each abstract state.")
    boundary: bool = setting(False, "--boundary", "The same, and the smallest and largest of each value.")
    sample: int | None = setting(None, "--sample N", "N objects drawn at random (--seed).", kind=int, check=FROM_ZERO)
    at: int | None = setting(
        None, "--at I", "The object at index I alone; the first is 0.", kind=int, check=FROM_ZERO, now=True
    )
    few: bool = setting(False, "--fields", "Only the fewest objects that show every value of every field.")
    code: tuple[str, ...] = setting(
        (), "--code MODULE", "Only the fewest calls that show every behaviour of this module's code.", kind="texts"
    )
    by: tuple[str, ...] = setting(
        (),
        "--by WORD",
        "What --code looks at: branches, paths, boundaries, results (the first three).",
        kind="texts",
    )
    within: tuple[str, ...] = setting(
        (), "--within MODULE", "Modules or packages that --code looks into (those of its package).", kind="texts"
    )
    list_api: bool = setting(False, "--list-api", "Show what would be called, and why the rest would not.", now=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparing(Settings):
    """How two versions are compared."""

    git: str | None = setting(
        None, "--git REV", "Compare with this revision: one target, or all that changed.", now=True
    )
    inputs: str | None = setting(
        None,
        "--inputs SPACE",
        "What functions are given: MODULE:SPEC, a type, FILE.json, /PATTERN/ (annotations).",
        now=True,
    )
    messages: bool = setting(False, "--messages", "What exceptions say has to be equal, too.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring(Settings):
    """How suites are measured by mutants."""

    suite: tuple[str, ...] = setting(
        (),
        "--suite WORD",
        "A suite, several side by side: explore:3, random:1000, pairs, spec:MODULE:SPEC, tests/, FILE.json, …",
        kind="texts",
    )
    matrix: bool = setting(False, "--matrix", "Every input that kills a mutant, not only the first.")
    no_verdicts: bool = setting(False, "--no-verdicts", "Only count: say nothing of mutants that survive.")
    smallest: str | None = setting(
        None,
        "--smallest",
        "The fewest cases with the same kills, or branches.",
        kind=("kills", "branches"),
    )
    add: str | None = setting(None, "--add FILE", "Write tests that kill what survives.", now=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Solving(Settings):
    """How the inputs of a spec are asked of a solver."""

    engine: Literal["auto", "solver"] = setting("auto", kind=("auto", "solver"))
    encoding: Encoding = setting("auto", "--encoding", "How a solver is asked for n inputs.", kind=ENCODINGS)
    solver: str = setting("z3", "--solver NAME|COMMAND", "Who is asked first; a command reads SMT-LIB 2.")
    effort: float = setting(
        1, "--effort X", "Multiply what a question to a solver may cost.", kind=float, check=check_effort
    )

    def keywords(self, isolation: Isolation) -> SpecKeywords:
        """Return it as keywords of another verb, with where code of the user's runs."""
        own: SpecKeywords = keywords_of(self)
        return {**own, **isolation.of_one_process()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Output(Settings):
    """What to hand out, and where to."""

    n: int | None = setting(None, "-n N", "How many.", kind=int)
    every: bool = setting(False, "--all", "All there are, however many.")
    form: str | None = setting(None, "--format", "What to write.")
    output: str | None = setting(None, "-o FILE", "Write to a file.")
    count: bool = setting(False, "--count", "Print the number and nothing else.", now=True)
    explain: bool = setting(False, "--explain", "Say how it was found, and what was noticed.")
    seed: int = setting(0, "--seed K", "Others for another seed; the same for the same (0).", check=NEEDED_FROM_ZERO)

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        if self.n is not None and self.every:
            raise ClashError(n=self.n, every=True)

    @property
    def wanted(self) -> str:
        """What to write: a format, the number alone ("count"), or what is usual ("")."""
        return "count" if self.count else self.form or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """All that `explore` is asked besides its targets."""

    bounds: Bounds = Bounds()
    states: StateMatching = StateMatching()
    isolation: Isolation = Isolation()
    exploring: Exploring = Exploring()
    deadline: Deadline = FOREVER

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
    literals: Mapping[Any, Any] | None
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
    preconditions: Iterable[Precondition]
    invariant: str | Callable[[Any], object] | None
    keys: Mapping[type, Key] | None
    dict_order: bool
    state_matching: bool
    calls: int | None
    timeout: Timeout
    values: Values
    most_states: int
    implementation: Implementation
    guess: Guessing


class ExploreKeywords(BuilderKeywords, total=False):
    """What `explore` takes."""

    scope: int | Scope
    then_random: int | None
    reference: str | Callable[..., Any] | None
    protocols: bool


class InvariantKeywords(ScopeKeywords, LimitKeywords, total=False):
    """What verbs on invariants take besides their scope and their invariant."""

    fields: Mapping[str, object] | None
    timeout: Timeout


class SameKeywords(ScopeKeywords, LimitKeywords, total=False):
    """What `assert_same` takes besides the two versions."""

    scope: int | Scope
    calls: int | None
    methods: str | None
    omit_fields: str | None
    dict_order: bool
    timeout: Timeout
    most_states: int
    guess: Guessing
    messages: bool
