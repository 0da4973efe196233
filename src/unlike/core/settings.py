"""What a field of a record says, once: flag, help, kind and check; and how records become keywords of functions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any, Literal, TypeVar, cast

from unlike.core.deadline import Deadline
from unlike.errors import ScopeError, nearest
from unlike.scope import MOST_SCOPE, Scope, check_seconds, check_whole, compiled_pattern, exceptions_in

Kind = type | tuple[str, ...] | Literal["objects", "literals", "fields", "exceptions", "texts"]
Check = Callable[[str, object], None]
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Setting:
    """What flags, files and keywords are made from; `flag` is empty where only Python can say it.

    A switch that is on unless told otherwise has a flag for the opposite.
    """

    flag: str
    help: str
    kind: Kind
    check: Check
    unit: str = ""
    now: bool = False  # it asks for one thing now, and does not stand in a file
    formerly: tuple[str, ...] = ()  # what the flag was called; still understood
    alone: str | None = None  # what the flag means where no value follows; without it a value must

    def key(self, name: str, default: object) -> str:
        """Return the name in a file: that of the flag, or of the field where the flag is a letter or the opposite."""
        return self.flag[2:].replace("-", "_") if self.flag.startswith("--") and default is not True else name


def setting(
    default: Any,
    flag: str = "",
    help: str = "",  # noqa: A002
    *,
    kind: Kind | None = None,
    check: Check | None = None,
    now: bool = False,
    formerly: tuple[str, ...] = (),
    alone: str | None = None,
) -> Any:
    """Return a field of a record, with what flags and files are made from; "--timeout S" also names the unit."""
    flag, _, unit = flag.partition(" ")
    kind = kind or (type(default) if isinstance(default, bool | int | float) else str)
    about = Setting(flag, help, kind, check or check_of(kind), unit, now, formerly, alone)
    return field(default=default, metadata={"setting": about})


def setting_of(each: Field[Any]) -> Setting:
    """Return what a field of a record says."""
    found: Setting = each.metadata["setting"]
    return found


class Settings:
    """A record of settings; a value that the check of its field refuses is refused."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for each in fields(cast(Any, self)):
            setting_of(each).check(each.name, getattr(self, each.name))


def check_of(kind: Kind) -> Check:
    """Return the usual check of a kind."""
    if isinstance(kind, tuple):
        return functools.partial(check_word, words=kind)
    checks: dict[Kind, Check] = {bool: check_switch, int: check_whole, float: check_seconds, "texts": check_texts}
    return checks.get(kind, check_text)


def check_switch(name: str, value: object) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool):
        raise ScopeError(f"{name}={value!r} must be true or false")


def check_text(name: str, value: object) -> None:
    """Refuse what is no text."""
    if value is not None and not isinstance(value, str):
        raise ScopeError(f"{name}={value!r} must be a text")


def check_texts(name: str, value: object) -> None:
    """Refuse what is no row of texts."""
    if isinstance(value, str) or not isinstance(value, Collection) or not all(isinstance(each, str) for each in value):
        raise ScopeError(f"{name}={value!r} must be a list of texts")


def check_word(name: str, value: object, words: Sequence[str]) -> None:
    """Refuse what is none of these words."""
    if value is not None and value not in words:
        hint = nearest(str(value), words)
        meant = f"; {hint}" if hint.startswith("did you mean") else ""
        raise ScopeError(f"{name}={value!r} must be one of {', '.join(words)}{meant}")


def check_regex(name: str, value: object) -> None:
    """Refuse what is no regular expression."""
    if value is not None:
        compiled_pattern(cast(str, value), name)


def check_workers(name: str, value: object) -> None:
    """Refuse what is neither a number of processes nor an executor."""
    if not callable(value) and not hasattr(value, "submit"):
        check_whole(name, value, least=0)


def check_scope(name: str, value: object) -> None:
    """Refuse what is neither a number of objects nor a Scope."""
    if not isinstance(value, Scope) and (type(value) is not int or value < 1):
        raise ScopeError(f"{name}={value!r} must be a whole number of at least 1")
    if isinstance(value, int):
        check_whole(name, value)
        if value > MOST_SCOPE:
            raise ScopeError(f"{name}={value!r} is too large; a scope is at most {MOST_SCOPE:,}")


def check_timeout(name: str, value: object) -> None:
    """Refuse what is neither a number of seconds nor a deadline."""
    if not isinstance(value, Deadline):
        check_seconds(name, value)


def check_exceptions(name: str, value: object) -> None:
    """Refuse what is no list of exception classes."""
    del name
    exceptions_in(value)


class ClashError(ScopeError):
    """Two settings that contradict each other, by the names of their fields."""

    def __init__(self, **settings: object) -> None:
        self.settings = settings
        words = " and ".join(f"{name}={value!r}" for name, value in settings.items())
        super().__init__(f"{words} contradict each other; say one of them")


# -- keywords of functions -----------------------------------------------------------------------------


def record_of(cls: type[R], keywords: Mapping[str, Any]) -> R:
    """Return the record, with what the keywords say of its fields."""
    names = [each.name for each in fields(cast(Any, cls))]
    return cls(**{name: keywords[name] for name in names if name in keywords})


def keywords_of(record: Any) -> Any:
    """Return a record as the keywords of a verb."""
    return {each.name: getattr(record, each.name) for each in fields(record)}


def takes(*records: type, without: Collection[str] = ()) -> Callable[[F], F]:
    """Give a function, whose last parameter stands for them, the fields of the records as keywords of its own."""
    taken = [each for record in records for each in fields(cast(Any, record)) if each.name not in without]

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
