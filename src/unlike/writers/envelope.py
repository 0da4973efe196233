"""One answer for every verb: what was asked, how it ended, what it guarantees, and what there is to write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from unlike.recipe import Recipe
from unlike.suite import Case, Ending, Status, Suite

Medium = Literal["terminal", "stream", "file", "folder"]
NoticeKind = Literal[
    "error", "protocol", "rejected", "gap", "missing", "doubt", "different",
    "note", "explanation", "plan",
    "impossible", "undecided", "infeasible", "left out", "not shown", "same", "unconfirmed", "unbreakable",
    "unsteady", "leak", "not called", "observer", "not kept", "never returned",
    "invalid", "outside", "larger", "operation", "field",
]  # fmt: skip
LOOKED_AT: frozenset[NoticeKind] = frozenset(
    {"error", "protocol", "rejected", "gap", "missing", "doubt", "different"}
)  # findings that make the exit code 1


@dataclass(frozen=True, slots=True)
class Page:
    """A text in pieces, as a writer gives it; in a folder it is a file of this name."""

    name: str
    pieces: Iterable[str]
    skipped: tuple[str, ...] = ()  # tests that are written so that they are not run, and why


@dataclass(frozen=True, slots=True)
class Notice:
    """Something worth knowing besides the cases: an error revealed, a choice nobody could decide, a note."""

    kind: NoticeKind
    words: str
    place: str = ""
    recipe: Recipe | None = None
    times: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One of several things that a target holds, or one of two sides that are compared."""

    name: str
    status: Status
    guarantee: str
    count: int


@dataclass(frozen=True, slots=True)
class Remark:
    """A line for people on standard error; a note can be hidden, a status cannot."""

    words: str
    is_note: bool = False


@dataclass(frozen=True, slots=True)
class InputCases:
    """Values to pass to a test: those of a spec, a type, a document or a pattern."""

    suites: tuple[Suite, ...]
    labelled: bool = True  # a line of JSON carries the label of the choices, not the bare value
    variable: str = ""  # what Python source calls them, if not as the suite is called
    tests: Callable[[Medium], Iterable[Page]] | None = None  # where they were chosen by code
    requests: bool = False  # they are requests of a service
    url: str | None = None  # where the service is, if not where its description says


@dataclass(frozen=True, slots=True)
class ObjectCases:
    """Objects as recipes, and the tests that can be written for them."""

    make: Callable[[], Suite]  # a suite may be costly, and some formats do without
    name: str  # of the files, without their endings
    tests: Callable[[Medium], Iterable[Page]]
    bounds: Callable[[], str] | None = None
    noun: str = "objects"
    instead: str = ""  # what to ask for where these are too many

    @property
    def suite(self) -> Suite:
        """The objects as cases."""
        return self.make()

    @property
    def count(self) -> int:
        """How many there are."""
        return self.suite.count()


@dataclass(frozen=True, slots=True)
class DataCases:
    """An answer that is data of its own, such as builders; `body` begins with its format."""

    body: Mapping[str, object]
    saved: Mapping[str, object] | None = None  # as it is saved, where that was there before
    tests: Callable[[Medium], Iterable[Page]] | None = None  # that show it


Contents = InputCases | ObjectCases | DataCases


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """The answer of a verb. `text` gives it to people, line by line; findings and counts give the same as data."""

    verb: str = ""  # this and the next three: who asked what, put down where the answer is delivered
    tool: str = ""
    target: tuple[str, ...] = ()
    question: Mapping[str, object] = field(default_factory=dict)
    status: Status
    guarantee: str = ""
    words: str = ""  # for the status, where it has better ones
    counts: Mapping[str, object] = field(default_factory=dict)
    findings: tuple[Notice, ...] = ()
    contents: Contents | None = None
    files: tuple[str, ...] | None = None  # where the cases are, if they are not in the answer
    parts: tuple[Part, ...] = ()
    text: Callable[[], Iterator[str]] | None = None
    explanation: str = ""
    remarks: tuple[Remark, ...] = ()
    number: int | None = None  # what --count prints

    @property
    def cut_short(self) -> bool:
        """Whether more may exist than the answer, or a part of it, says."""
        return self.status.cut_short or any(part.status.cut_short for part in self.parts)

    @property
    def exit_code(self) -> int:
        """0 answered, 1 answered with something to look at, 3 cut short."""
        if any(each.kind == "different" for each in self.findings):  # whatever else was cut short
            return 1
        if self.cut_short:
            return 3
        statuses = [self.status, *(part.status for part in self.parts)]
        nothing = any(status.ending is Ending.UNSATISFIABLE for status in statuses)
        return 1 if nothing or any(each.kind in LOOKED_AT for each in self.findings) else 0


@dataclass(frozen=True, slots=True)
class Unfolding:
    """An answer that is still being found: cases one after the other, and the envelope when there are no more."""

    cases: Iterator[Case]
    conclude: Callable[[list[Case]], Envelope]


def answer_of_suites(suites: Sequence[Suite]) -> Envelope:
    """Return the answer of suites: how they ended, and what they guarantee, together and each."""
    several = len(suites) > 1
    return Envelope(
        status=worst((suite.name, suite.status) for suite in suites),
        guarantee="; ".join(f"{each.name}: {each.guarantee}" if several else each.guarantee for each in suites),
        parts=tuple(Part(each.name, each.status, each.guarantee, len(each)) for each in suites) if several else (),
    )


def worst(named: Iterable[tuple[str, Status]]) -> Status:
    """Return the status of several together: the one that most has to be said about, with the name it belongs to."""
    every = list(named)
    name, status = max(every, key=lambda each: each[1].exit_code)
    if len(every) == 1:
        return status
    return replace(status, detail=f"{name}: {status.detail}" if status.detail else name)
