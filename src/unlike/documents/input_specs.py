"""The input specification of a service (the format of the Iorek paper, figure 2): definitions by name.

A definition is a leaf (`{"type": "Integer", "minimum": 0}`), the name of another definition, or an object of fields. A
pattern refers to another by `$name`, and takes it as a group. Each becomes an annotation: a leaf a type or a value of
the language, an object a TypedDict, in which a field with `"req": "false"` need not be there.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict

from annotated_types import Interval

from unlike.documents.ready_made import Place, TimeZone
from unlike.errors import SpecError, nearest
from unlike.language.values import OneOf, Str

Annotation: TypeAlias = Any  # a type, perhaps with bounds, a value of the language, or a TypedDict made at run time
PATTERNS = ("Regex", "Str")
NUMBERS: dict[str, type] = {"Integer": int, "Real": float}
PLAIN: dict[str, Annotation] = {
    "Boolean": bool,
    "Date": datetime.date,
    "Time": datetime.time,
    "Location": Place(),
    "TimeZone": TimeZone(),
}
KINDS = (*PATTERNS, *NUMBERS, *PLAIN)
WORDS = ("type", "pat", "req", "minimum", "maximum")


def is_input_spec(contents: object) -> bool:
    """Tell whether a document is in this format: none of a schema's `$` words, and a kind or pattern of this one."""
    if not isinstance(contents, dict) or any(name.startswith("$") for name in contents):
        return False
    inside = [each for each in contents.values() if isinstance(each, dict)]
    leaves = [*inside, *(field for each in inside for field in each.values() if isinstance(field, dict))]
    return any(each.get("type") in KINDS or isinstance(each.get("pat"), str) for each in leaves)


def read_input_spec(contents: Mapping[str, object], path: str) -> dict[str, Annotation]:
    """Return the definitions by name, each an annotation."""
    reader = _InputSpecReader(contents, path)
    return {name: reader.definition(name, (), name) for name in contents}


class _InputSpecReader:
    def __init__(self, contents: Mapping[str, object], path: str) -> None:
        self.contents = contents
        self.path = path
        self.done: dict[str, Annotation] = {}

    def definition(self, name: str, open_: tuple[str, ...], place: str) -> Annotation:
        """Return what a name stands for; `open_` are the names that lead to it."""
        if name not in self.contents:
            raise self.wrong(place, f"{name!r} is not defined", nearest(name, [*self.contents, *KINDS]))
        if name in open_:
            raise self.wrong(
                place, f"{' → '.join([*open_, name])} leads round in a circle", "define one of them itself"
            )
        if name not in self.done:
            self.done[name] = self.read(self.contents[name], (*open_, name), name)
        return self.done[name]

    def read(self, written: object, open_: tuple[str, ...], place: str) -> Annotation:
        match written:
            case str(name):
                return self.definition(name, open_, place)
            case {"type": str(kind), **rest}:
                return self.leaf(kind, {str(word): each for word, each in rest.items()}, open_, place)
            case dict() if written:
                return self.fields(written, open_, place)
        raise self.wrong(place, f"{written!r:.60} defines nothing", 'write a name, {"type": …}, or an object of fields')

    def leaf(self, kind: str, rest: Mapping[str, object], open_: tuple[str, ...], place: str) -> Annotation:
        for word in rest:
            if word not in WORDS:
                raise self.wrong(place, f"{word!r} is not known beside a type", nearest(word, WORDS))
        said = {word: each for word, each in rest.items() if word != "req"}
        if kind in PATTERNS:
            return self.text(said, open_, place)
        if kind in NUMBERS:
            return self.number(kind, said, place)
        if said:
            raise self.wrong(place, f"{next(iter(said))!r} says nothing of {kind}", f"leave it out; {_belongs(said)}")
        return PLAIN[kind] if kind in PLAIN else self.definition(kind, open_, place)

    def text(self, said: Mapping[str, object], open_: tuple[str, ...], place: str) -> Annotation:
        for word in said:
            if word != "pat":
                raise self.wrong(place, f"{word!r} says nothing of a text", _belongs(said))
        if "pat" not in said:
            return str
        pattern = self.pattern(said["pat"], open_, place)
        try:
            re.compile(pattern)
        except re.error as error:
            raise self.wrong(place, f"the pattern {pattern!r} is none: {error}", "correct it") from None
        return Str(pattern)

    def pattern(self, written: object, open_: tuple[str, ...], place: str) -> str:
        """Return a pattern with every `$name` replaced by what it names, as a group."""
        if not isinstance(written, str):
            raise self.wrong(place, f"the pattern {written!r:.60} is no string", "write one")
        return "".join(part if name is None else self.group(name, open_, place) for part, name in parts(written))

    def group(self, name: str, open_: tuple[str, ...], place: str) -> str:
        found = self.definition(name, open_, place)
        if not isinstance(found, Str) or found.matching is None:
            raise self.wrong(place, f"${name} has no pattern", "refer to a definition with one")
        return f"(?:{found.matching})"

    def number(self, kind: str, said: Mapping[str, object], place: str) -> Annotation:
        if "pat" in said:
            raise self.wrong(place, "'pat' says nothing of a number", _belongs(said))
        for word, bound in said.items():
            if isinstance(bound, bool) or not isinstance(bound, int if kind == "Integer" else int | float):
                raise self.wrong(place, f"{word!r} is {bound!r:.60}", f"write a number of type {kind}")
        low: Any = said.get("minimum")
        high: Any = said.get("maximum")
        if low is not None and high is not None and low > high:
            raise self.wrong(place, f"nothing is from {low!r} to {high!r}", "correct the bounds")
        return Annotated[NUMBERS[kind], Interval(ge=low, le=high)] if said else NUMBERS[kind]

    def fields(self, written: Mapping[str, object], open_: tuple[str, ...], place: str) -> Annotation:
        types: dict[str, Any] = {}
        for name, each in written.items():
            inner = self.read(each, open_, f"{place}.{name}")
            annotation = Annotated[object, inner] if isinstance(inner, Str | OneOf) else inner
            types[name] = annotation if self.is_required(each, f"{place}.{name}") else NotRequired[annotation]
        return TypedDict(open_[-1], types)  # type: ignore[operator]

    def is_required(self, written: object, place: str) -> bool:
        said = written.get("req", True) if isinstance(written, dict) and "type" in written else True
        if said in (True, "true"):
            return True
        if said in (False, "false"):
            return False
        raise self.wrong(place, f"'req' is {said!r:.60}", "write true or false")

    def wrong(self, place: str, reason: str, remedy: str) -> SpecError:
        return SpecError(f"{self.path!r}, {place}: {reason}; {remedy}")


def _belongs(said: Mapping[str, object]) -> str:
    return "pat goes with Str and Regex" if "pat" in said else "minimum and maximum go with Integer and Real"


NAME = re.compile(r"\$(?:(\w+)|\{(\w+)\})", re.ASCII)


def parts(pattern: str) -> Iterator[tuple[str, str | None]]:
    """Yield the parts of a pattern: text as it stands, and names after a `$`.

    A `$` that is escaped, in brackets, or with no name behind it is what it is to any pattern.
    """
    at, in_brackets = 0, False
    while at < len(pattern):
        reference = None if in_brackets else NAME.match(pattern, at)
        if reference is not None:
            yield "", reference[1] or reference[2]
            at = reference.end()
            continue
        width = 2 if pattern[at] == "\\" else 1
        if pattern[at] == "[" and not in_brackets:
            in_brackets = True
            width = len(re.match(r"\[\^?\]?", pattern[at:])[0])  # type: ignore[index]  # a first ] stands for itself
        elif pattern[at] == "]":
            in_brackets = False
        yield pattern[at : at + width], None
        at += width
