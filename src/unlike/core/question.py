"""What every verb takes, as a few frozen records.

A field says all there is to say of a setting, once: its name is the Python keyword, its metadata are flag, help,
the unit and the check, its default is what is usual. Flags, TOML keys and keywords are made from the fields.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, TypeVar, cast

from unlike.errors import ScopeError, nearest
from unlike.scope import check_seconds, check_whole

if TYPE_CHECKING:
    from concurrent.futures import Executor

Workers: TypeAlias = "int | Executor | Callable[[], Executor] | None"
F = TypeVar("F", bound=Callable[..., Any])
Check = Callable[[str, object], None]


def said(default: Any, flag: str, help: str, *, check: Check, unit: str = "") -> Any:  # noqa: A002
    """Return a field of a record, with what flags and files are made from."""
    return field(default=default, metadata={"flag": flag, "help": help, "check": check, "unit": unit})


def check_fields(record: Any) -> None:
    """Refuse a value that the check of its field refuses."""
    for each in fields(record):
        each.metadata["check"](each.name, getattr(record, each.name))


def takes(*records: type, without: Collection[str] = ()) -> Callable[[F], F]:
    """Give a function, whose last parameter stands for them, the fields of the records as keywords of its own."""
    taken = [each for record in records for each in fields(record) if each.name not in without]

    def decorate(function: F) -> F:
        signature = inspect.signature(function)
        own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
        more = [
            inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=each.type)
            for each in taken
        ]
        known = {each.name for each in (*own, *more)}

        @functools.wraps(function)
        def verb(*targets: Any, **keywords: Any) -> Any:
            for name in keywords:
                if name not in known:
                    raise TypeError(f"{function.__name__}() has no keyword {name!r}; {nearest(name, sorted(known))}")
            return function(*targets, **keywords)

        vars(verb)["__signature__"] = signature.replace(parameters=[*own, *more])
        return cast(F, verb)

    return decorate


def check_switch(name: str, value: object) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool):
        raise ScopeError(f"{name}={value!r} must be true or false")


def check_workers(name: str, value: object) -> None:
    """Refuse what is neither a number of processes nor an executor."""
    if not callable(value) and not hasattr(value, "submit"):
        check_whole(name, value, least=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    """Where code of the user's runs, and what it may take there; None lifts a limit."""

    seconds_per_call: float | None = said(
        5, "--seconds-per-call", "Most time of one call.", unit="S", check=check_seconds
    )
    megabytes: int | None = said(2_000, "--memory", "Most memory of a process.", unit="MB", check=check_whole)
    in_process: bool = said(
        False, "--in-process", "Call your code in this process: for debuggers and the trusting.", check=check_switch
    )
    workers: Workers = said(None, "--workers", "Processes at once (1).", unit="N", check=check_workers)  # noqa: RUF009

    def __post_init__(self) -> None:
        check_fields(self)
        if self.in_process and self.workers:
            raise ScopeError(f"in_process=True and workers={self.workers!r} contradict each other; say one of them")

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


class LimitKeywords(TypedDict, total=False):
    """The fields of `Isolation` as keywords of a verb that does its work in one process."""

    seconds_per_call: float | None
    megabytes: int | None
    in_process: bool


class IsolationKeywords(LimitKeywords, total=False):
    """The fields of `Isolation` as keywords of a verb that can share its work among processes."""

    workers: Workers


USUAL = Isolation()
NO_LIMITS = Isolation(seconds_per_call=None, megabytes=None)
