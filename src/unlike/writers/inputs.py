"""Suites of inputs as a table or Python source, and values as JSON."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import enum
import io
import json
import keyword
import math
import re
import zoneinfo
from collections.abc import Iterator, Sequence

from unlike.foreign import without_address
from unlike.suite import Case, Suite
from unlike.writers.envelope import Envelope, InputCases, Medium, Page
from unlike.writers.python_source import source_of


def table(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield the inputs of an answer as a table; on a terminal as wide as it, in colours."""
    assert isinstance(envelope.contents, InputCases)
    suites, seen = envelope.contents.suites, medium == "terminal"
    yield Page(f"{suites[0].name}.txt", [as_table(suites, width=None if seen else 120, color=seen)])


def python(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield the inputs of an answer as Python source."""
    del medium
    assert isinstance(envelope.contents, InputCases)
    suites, variable = envelope.contents.suites, envelope.contents.variable
    named = [dataclasses.replace(each, name=variable) for each in suites] if variable else suites
    yield Page(f"{suites[0].name}.py", [as_python(named)])


def as_python(suites: Sequence[Suite]) -> str:
    """Return a list of inputs for each suite as Python source, with the imports it needs."""
    imports: set[str] = set()
    bodies = []
    for suite in suites:
        rows = []
        mixed = len({case.legal for case in suite}) > 1  # then each input comes with whether it is legal
        for case in suite:
            source = source_of(case.recipe)
            imports |= source.imports
            rows.append(f"    ({source.result}, {case.legal}),\n" if mixed else f"    {source.result},\n")
        bodies.append(f"{_identifier(suite.name)} = [\n{''.join(rows)}]\n")
    head = "".join(f"{line}\n" for line in sorted(imports))
    return f"{head}\n\n{chr(10).join(bodies)}" if head else "\n".join(bodies)


NARROW = 8  # characters of a column with its frame: with fewer, words are broken letter by letter


def as_table(suites: Sequence[Suite], *, width: int | None = None, color: bool = False) -> str:
    """Return the inputs as a table for people."""
    from rich.console import Console
    from rich.table import Table

    text = io.StringIO()
    # what is shown is not ours: [red] and :smile: stay as they are
    console = Console(
        file=text, width=width, force_terminal=color, no_color=not color, highlight=False, markup=False, emoji=False
    )
    for suite in suites:
        table = Table(title=suite.name, title_justify="left")
        values = [case.value for case in suite]
        rows = [value for value in values if isinstance(value, dict)]
        names = list(dict.fromkeys(name for row in rows for name in row)) if rows and len(rows) == len(values) else []
        names = names if len(names) * NARROW <= console.width else []  # one column for all, where none would be legible
        labelled = any(case.label for case in suite)
        mixed = len({case.legal for case in suite}) > 1
        explained = any(case.why for case in suite)
        table.add_column("", justify="right", style="dim")
        for name in names or ["input"]:
            table.add_column(str(name), overflow="fold")
        if labelled:
            table.add_column("choice", overflow="fold", style="dim")
        if explained:
            table.add_column("why", overflow="fold", style="dim")
        for number, (case, value) in enumerate(zip(suite, values, strict=True), 1):
            cells = [_cell(value)]
            if names and isinstance(value, dict):
                cells = [_cell(value[name]) if name in value else "" for name in names]
            label = case.label if case.legal or not mixed else f"not legal: {case.label}"
            reasons = [case.why] if explained else []
            table.add_row(str(number), *cells, *([label] if labelled else []), *reasons)
        console.print(table)
    return text.getvalue()


_JSON_ALREADY = {int, str, bool, type(None)}


def plain(value: object) -> object:
    """Return the value as JSON can hold it: dates and addresses as text, objects as their fields."""
    if type(value) in _JSON_ALREADY:  # most are
        return value
    match value:
        case enum.Flag() if value.name is None:  # nothing set
            return value.value
        case enum.Enum():
            return value.name
        case float() if not math.isfinite(value):  # JSON has no such numbers
            return str(value)
        case None | bool() | int() | float() | str():
            return value
        case dict():
            return {str(plain(key)): plain(each) for key, each in value.items()}
        case list() | tuple():
            names = getattr(value, "_fields", None)  # a named tuple
            return dict(zip(names, map(plain, value), strict=True)) if names else [plain(each) for each in value]
        case set() | frozenset():
            return [plain(each) for each in sorted(value, key=repr)]
        case datetime.date() | datetime.time():
            return value.isoformat()
        case zoneinfo.ZoneInfo():
            return value.key
        case bytes():
            return value.decode("latin-1")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if hasattr(type(value), "get_secret_value"):  # pydantic: a text that hides itself from logs, not from tests
        return plain(value.get_secret_value())  # type: ignore[attr-defined]
    names = _field_names(type(value))
    if names:
        return {name: plain(getattr(value, name)) for name in names}
    if type(value).__repr__ is object.__repr__ and type(value).__str__ is object.__str__:  # no text, but its address
        with contextlib.suppress(RecursionError):  # an object may hold itself
            return {name: plain(each) for name, each in attributes_of(value)}
    try:
        return without_address(str(value))
    except Exception:  # foreign code may do anything
        return f"<{type(value).__module__}.{type(value).__qualname__} object>"


def attributes_of(value: object) -> list[tuple[str, object]]:
    """Return the attributes of an object of a plain class."""
    slots = [name for cls in type(value).__mro__ for name in _slot_names(cls) if hasattr(value, name)]
    return [(name, getattr(value, name)) for name in slots] + list(getattr(value, "__dict__", {}).items())


def _slot_names(cls: type) -> Sequence[str]:
    named = vars(cls).get("__slots__", ())
    every = (named,) if isinstance(named, str) else tuple(named)
    return [name for name in every if name not in ("__dict__", "__weakref__")]


def labelled_line(case: Case, part: str | None = None) -> str:
    """Return a line of JSON with the value and the label of its choices, and which part of several it belongs to."""
    return one_line(case_data(case, part)) + "\n"


def value_line(value: object) -> str:
    """Return a line of JSON with nothing but the value."""
    return one_line(plain(value)) + "\n"


def case_data(case: Case, part: str | None = None) -> dict[str, object]:
    """Return a case as JSON data; of one that just fails it is said, and why one was chosen."""
    data: dict[str, object] = {"value": plain(case.value), "label": case.label}
    if not case.legal:
        data["legal"] = False
    if case.why:
        data["why"] = case.why
    return data if part is None else {**data, "part": part}


def one_line(value: object) -> str:
    """Return the value as JSON that any reader takes; halves of characters are escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() or not _HALF.search(text) else json.dumps(value)


_HALF = re.compile("[\ud800-\udfff]")


def _field_names(cls: type) -> list[str]:
    """Return the fields of an attrs class or a pydantic model, told by the marks they leave on it."""
    if hasattr(cls, "__pydantic_fields__"):
        return list(cls.__pydantic_fields__)
    return [each.name for each in getattr(cls, "__attrs_attrs__", ())]


def _cell(value: object) -> str:
    shown = plain(value)
    if isinstance(shown, dict) and "name" in shown and ("zone" in shown or "country" in shown):
        rest = ", ".join(str(each) for key, each in shown.items() if key in ("zone", "country"))
        return f"{shown['name']} ({rest})" if rest else str(shown["name"])
    return repr(shown) if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)


def _identifier(name: str) -> str:
    cleaned = "".join(char if char.isalnum() else "_" for char in name)
    plain_name = cleaned.isidentifier() and not keyword.iskeyword(cleaned)
    return cleaned if plain_name else f"inputs_{cleaned}"
