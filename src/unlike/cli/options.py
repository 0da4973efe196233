"""Flags made from records, and records made from what was said: by flags first, then in a file, then what is usual.

Settings stand in `[tool.unlike.explore]` of pyproject.toml, or in a file of their own, there also without that heading.
A table named after a target ("shop.cart:Cart") holds settings for that target alone. `[tool.unlike.literals]` gives
values to every command that takes some, wherever they apply.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypedDict, TypeVar, cast

import click
from click.core import ParameterSource

from unlike.cli.progress import Command, is_quiet, quiet_option
from unlike.cli.target import exceptions_of, literals_of, objects_of, pairs_of, values_of
from unlike.core import (
    Bounds,
    Deadline,
    Exploration,
    Exploring,
    Isolation,
    ObjectChoice,
    Output,
    StateMatching,
    TimeLimit,
)
from unlike.core.settings import ClashError, Kind, Setting, setting_of
from unlike.errors import ScopeError, nearest
from unlike.file_limits import check_data_depth, read_text_within, too_deep

R = TypeVar("R")
IN_FILE = "unlike.settings"
SOURCES = ("regex", "schema", "openapi")  # what to generate from, beside a target
REPEATED: dict[str, Callable[[Sequence[str]], object]] = {  # kinds of which a flag may be given several times
    "objects": objects_of,
    "literals": literals_of,
    "fields": lambda texts: pairs_of(texts, "--field"),
    "exceptions": exceptions_of,
    "texts": tuple,
}


class Change(TypedDict, total=False):
    """What a command says otherwise than the record does."""

    help: str
    kind: Kind
    unit: str
    flag: str


# -- flags ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of a command: those of some records, with what it says otherwise."""

    records: tuple[type, ...]
    without: Collection[str] = ()
    change: Mapping[str, Change] = field(default_factory=dict)
    reads: bool = True  # settings stand in a file, too

    def each(self) -> Iterator[tuple[Field[Any], Setting]]:
        """Yield the fields that have flags here, and what is said of them."""
        for record in self.records:
            for each in settings_in(record):
                if each.name not in self.without:
                    yield each, replace(setting_of(each), **self.change.get(each.name, {}))

    def add(self, command: Command) -> Command:
        """Give a command these flags, in the order of the fields."""
        command = CONFIG(quiet_option(command)) if self.reads else quiet_option(command)
        for each, about in reversed(list(self.each())):
            command = _option(each, about)(command)
        return command

    @property
    def keys(self) -> dict[str, Setting]:
        """What can be said in a file, by its name there."""
        lasting = {each.name for record in self.records if record in IN_FILES for each in settings_in(record)}
        named = [(setting_of(each).key(each.name, each.default), each, about) for each, about in self.each()]
        return {key: about for key, each, about in named if each.name in lasting and not about.now}

    def read(self, flags: Mapping[str, Any], targets: Sequence[str] = ()) -> AskedFlags:
        """Return what the flags and the file say; what the file says that only other commands take is named."""
        path, table, shared = _table(flags["config"], targets) if self.reads else ("", {}, {})
        own, known = self.keys, {**ALL.keys, **self.keys}
        for key in table:
            if key not in known:
                raise ScopeError(f"{path!r}: no setting is called {key!r}; {nearest(key, sorted(known))}")
        others = [key for key in table if key not in own]
        context = click.get_current_context()
        if shared and "literals" in own:
            table["literals"] = {**shared, **table.get("literals", {})}
        if others and not is_quiet():
            words = f"{context.info_name} has no setting {', '.join(map(repr, others))}, and goes on without"
            click.echo(f"note: {path!r}: {words}; --config FILE reads another file", err=True)
        context.meta[IN_FILE] = {key: value for key, value in table.items() if key in own}
        return AskedFlags(self, flags, context.meta[IN_FILE], path)


def shared_literals() -> dict[Any, object]:
    """Return the values that pyproject.toml gives to every command."""
    return _table(None, ())[2]


def literals_in(path: Path) -> dict[str, Any]:
    """Return the values that `[tool.unlike.literals]` of a file gives."""
    return _table(str(path), ())[2]


def settings_in_file() -> dict[str, object]:
    """Return what a file says to the command that runs: it is part of what was asked."""
    return dict(click.get_current_context().meta.get(IN_FILE, {}))


def settings_in(record: type) -> Iterator[Field[Any]]:
    """Yield the fields of a record that have flags."""
    yield from (each for each in fields(cast(Any, record)) if setting_of(each).flag)


IN_FILES = (Bounds, StateMatching, TimeLimit, Isolation, Exploring, ObjectChoice, Output)
ALL = Flags(IN_FILES)  # what some command takes
CONFIG = click.option("--config", metavar="FILE", help="TOML file with settings; else [tool.unlike.explore].")


def _option(each: Field[Any], about: Setting) -> Callable[[Command], Command]:
    """Return the flag of a field; it is None where nobody gave it."""
    kind = about.kind
    more: dict[str, Any] = {"help": about.help, "default": None}
    if kind is bool:
        more |= {"is_flag": True, "flag_value": True}
    elif isinstance(kind, tuple):
        more |= {"type": click.Choice(kind)} | ({"metavar": about.unit} if about.unit else {})
    elif isinstance(kind, str):
        more |= {"multiple": True, "metavar": about.unit, "default": ()}
    else:
        more |= {"type": kind} | ({"metavar": about.unit} if about.unit else {})
    more |= {"is_flag": False, "flag_value": about.alone} if about.alone is not None else {}
    return click.option(about.flag, *about.formerly, each.name, **more)


def flag_of(option: click.Parameter) -> str:
    """Return the flag of an option by its long name of today: "--output", not "-o"."""
    return next((each for each in option.opts if each.startswith("--")), option.opts[0])


def was_given(option: click.Parameter) -> bool:
    """Tell whether an option stands on the command line, whatever its value."""
    source = click.get_current_context().get_parameter_source(option.name or "")
    return source is ParameterSource.COMMANDLINE


# -- what was said -------------------------------------------------------------------------------------


class AskedFlags:
    """What flags and a file say, as records."""

    def __init__(self, door: Flags, flags: Mapping[str, Any], file: Mapping[str, object], path: str) -> None:
        self.door, self.flags, self.file, self.path = door, flags, file, path

    def record(self, cls: type[R], **usual: Any) -> R:
        """Return a record: of each field what a flag says, or the file, or what is usual for this command."""
        found = {**usual}
        names = {each.name for each in settings_in(cls)}
        for each, about in self.door.each():
            if each.name not in names:
                continue
            spoken = [*self._in_file(each, about), *self._by_flag(each, about)]
            if len(spoken) > 1 and isinstance(spoken[0], dict):  # tables are joined
                found[each.name] = {**spoken[0], **cast("dict[str, Any]", spoken[1])}
            elif spoken:
                found[each.name] = spoken[-1]
        try:
            return cls(**found)
        except ClashError as clash:
            words = " and ".join(self._flag(name, value) for name, value in clash.settings.items())
            raise ScopeError(f"{words} contradict each other; give one of them") from None

    @property
    def deadline(self) -> Deadline:
        """When all has to end; the time runs from now."""
        return Deadline.of(self.record(TimeLimit).timeout)

    def exploration(self) -> Exploration:
        """Return what is asked of `explore`."""
        return Exploration(
            bounds=self.record(Bounds),
            states=self.record(StateMatching),
            isolation=self.record(Isolation),
            exploring=self.record(Exploring),
            deadline=self.deadline,
        )

    def _by_flag(self, each: Field[Any], about: Setting) -> list[object]:
        """Return what the flag of a field says, if it does."""
        value = self.flags.get(each.name)
        if value in (None, ()):
            return []
        if about.kind is bool:
            return [not each.default]
        if isinstance(about.kind, str):
            return [REPEATED[about.kind](value)]
        try:
            about.check(about.flag, value)
        except ScopeError as refused:
            raise ScopeError(str(refused).replace(f"{about.flag}={value!r}", f"{about.flag} {value}", 1)) from None
        return [value]

    def _in_file(self, each: Field[Any], about: Setting) -> list[object]:
        """Return what the file says of a field, if it does."""
        key = setting_of(each).key(each.name, each.default)
        if key not in self.file:
            return []
        try:
            return [_from_file(key, self.file[key], about)]
        except ScopeError as refused:
            raise ScopeError(f"{self.path!r}: {refused}") from None

    def _flag(self, name: str, value: object) -> str:
        flag = next(about.flag for each, about in self.door.each() if each.name == name)
        return flag if value is True else f"{flag} {value}"


# -- files ---------------------------------------------------------------------------------------------


def _table(config: str | None, targets: Sequence[str]) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return the file that was named, or pyproject.toml here, its settings for the targets, and its shared literals."""
    path = Path(config or "pyproject.toml")
    if config is None and not path.exists():
        return "", {}, {}
    try:
        data: Any = tomllib.loads(read_text_within(path))
        check_data_depth(data)
    except FileNotFoundError:
        raise ScopeError(f"there is no file {config!r}") from None
    except (OSError, ValueError) as error:
        raise ScopeError(f"{str(path)!r} cannot be read: {error}") from None
    except RecursionError:
        raise ScopeError(f"{str(path)!r} cannot be read: {too_deep()}") from None
    whole = data.get("tool", {}).get("unlike", {})
    table = whole.get("explore", {}) if isinstance(whole, dict) else {}
    shared = whole.get("literals", {}) if isinstance(whole, dict) else {}
    if config is not None and "tool" not in data:
        table = data.get("explore", data)
    if not isinstance(table, dict):
        raise ScopeError(f"{str(path)!r}: explore={table!r} must be a table")
    try:
        return str(path), _merge_tables(table, targets, path), _parts("literals", shared, "literals")
    except ScopeError as refused:
        raise ScopeError(f"{str(path)!r}: {refused}") from None


def _merge_tables(table: dict[str, Any], targets: Sequence[str], path: Path) -> dict[str, Any]:
    """Return the settings of all targets together, those of one target after those for every one."""
    merged = {key: value for key, value in table.items() if ":" not in key}
    for target in targets:
        own = table.get(target, {})
        if not isinstance(own, dict):
            raise ScopeError(f"{str(path)!r}: {target!r}={own!r} must be a table")
        for key, value in own.items():
            both = isinstance(value, dict) and isinstance(merged.get(key), dict)
            merged[key] = {**merged[key], **value} if both else value
    return {key.replace("-", "_"): value for key, value in merged.items()}


def _from_file(key: str, value: Any, about: Setting) -> object:
    """Return the value of a setting if it is of the right kind, or refuse it."""
    match about.kind:
        case "exceptions":
            names = [value] if isinstance(value, str) else value
            if not isinstance(names, list):
                raise ScopeError(f"{key}={value!r} must be a list")
            for name in names:
                if not isinstance(name, str):
                    raise ScopeError(f"{key}={name!r} must be the name of an exception, like 'ValueError'")
            return exceptions_of(names)
        case "objects" | "literals" | "fields":
            return _parts(key, value, about.kind)
        case "texts":
            about.check(key, value)
            return tuple(value)
    about.check(key, value)
    return value


def _parts(key: str, value: Any, kind: str) -> dict[str, Any]:
    """Return a table, if it is one and each of its members may stand there."""
    if not isinstance(value, dict):
        raise ScopeError(f"{key}={value!r} must be a table")
    for name, each in value.items():
        may_stand, words = PARTS[kind]
        if not may_stand(each):
            raise ScopeError(f"{key}.{name}={each!r} must be {words}")
    if kind == "literals":
        return {name: values_of(name, each) if isinstance(each, str) else each for name, each in value.items()}
    return value


PARTS: dict[str, tuple[Callable[[object], bool], str]] = {  # what the members of a table must be
    "objects": (lambda each: type(each) is int and each >= 1, "a whole number of at least 1, like { Item = 2 }"),
    "literals": (lambda each: isinstance(each, (list, str)), "a list of values, or a text like '0..9' or 'source'"),
    "fields": (lambda each: isinstance(each, (list, str)), "a list of values, or a text like '0..9,None'"),
}
