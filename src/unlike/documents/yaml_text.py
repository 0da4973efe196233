"""From the text of a YAML document to data, as JSON would hold them.

Values are put together from the events of the parser, so nothing is ever built but dicts, lists and scalars. Words mean
what YAML 1.2 says: `no` and `on` are strings, so are dates; keys are strings as written. An alias is counted as large
as what it stands for, and too many of them are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from unlike.documents.files import MOST_VALUES, Data, too_deep, too_many
from unlike.errors import SpecError
from unlike.file_limits import MOST_DEPTH

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # its parser only; the compiled one where there is one
CORE = "tag:yaml.org,2002:"
NULL = re.compile(r"null|Null|NULL|~|")
BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
INT = re.compile(r"[-+]?[0-9]+")
OTHER_INT = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
NOT_FINITE = re.compile(r"[-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN")
MERGE = "<<"
MOST_DIGITS = 4000  # of a number: Python refuses to read ints of more than 4,300


@dataclass(slots=True)
class _OpenYaml:
    """A list or mapping under construction: what it holds, its anchor, and how many values are in it."""

    data: list[Data] | dict[str, Data]
    anchor: str | None
    size: int = 1
    key: str | None = None
    merged: list[dict[str, Data]] = field(default_factory=list)


def read_yaml(text: str, source: str) -> Data:
    """Return the data of a YAML text of one document."""
    try:
        return _YamlReader(source).read(yaml.parse(text, Loader=LOADER))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise SpecError(f"{source}{place}: not YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise SpecError(f"{source}: not YAML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise too_deep(source) from None


class _YamlReader:
    """The state of reading: what is open, what anchors name, and how large all of it is."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.open: list[_OpenYaml] = []
        self.anchors: dict[str, tuple[Data, int]] = {}
        self.documents = 0
        self.size = 0
        self.result: Data = None

    def read(self, events: Iterator[Any]) -> Data:
        for event in events:
            match event:
                case yaml.DocumentStartEvent():
                    self.documents += 1
                    if self.documents > 1:
                        raise self.wrong(event, "a second document begins", "keep one document in a file")
                case yaml.ScalarEvent():
                    self.scalar(event)
                case yaml.AliasEvent():
                    self.alias(event)
                case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                    self.start(event)
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    self.end(event)
        return self.result

    def start(self, event: Any) -> None:
        self.tag_of(event)
        if self.waits_for_key():
            raise self.wrong(event, "a list or mapping is used as a key", "use strings as keys")
        if len(self.open) >= MOST_DEPTH:
            raise too_deep(self.source)
        empty: list[Data] | dict[str, Data] = {} if isinstance(event, yaml.MappingStartEvent) else []
        self.open.append(_OpenYaml(empty, event.anchor))

    def end(self, event: Any) -> None:
        done = self.open.pop()
        if isinstance(done.data, dict):
            for merged in done.merged:
                for key, value in merged.items():
                    done.data.setdefault(key, value)
        if done.anchor is not None:
            self.anchors[done.anchor] = done.data, done.size
        self.put(event, done.data, done.size)

    def scalar(self, event: Any) -> None:
        tag = self.tag_of(event)
        if self.waits_for_key():
            self.key(event)
            return
        value = self.value(event, tag)
        if event.anchor is not None:
            self.anchors[event.anchor] = value, 1
        self.put(event, value, 1)

    def alias(self, event: Any) -> None:
        if any(each.anchor == event.anchor for each in self.open):
            raise self.wrong(event, f"*{event.anchor} stands for what it is a part of", "repeat nothing inside itself")
        if event.anchor not in self.anchors:
            raise self.wrong(
                event, f"*{event.anchor} has no anchor before it", f"mark what it means with &{event.anchor}"
            )
        value, size = self.anchors[event.anchor]
        if self.waits_for_key():
            raise self.wrong(event, f"*{event.anchor} is used as a key", "write the key itself")
        self.put(event, value, size)

    def key(self, event: Any) -> None:
        inside = self.open[-1]
        assert isinstance(inside.data, dict)
        if event.value in inside.data:
            raise self.wrong(event, f"the key {event.value!r} is there twice", "keep one")
        inside.key = event.value
        if not (event.value == MERGE and event.implicit[0]):
            inside.data[event.value] = None  # in its place, and known from here on

    def put(self, event: Any, value: Data, size: int) -> None:
        if not self.open:
            self.result = value
            return
        inside = self.open[-1]
        inside.size += size
        if inside.size > MOST_VALUES:
            raise too_many(f"{self.source}, with its aliases written out,")
        if isinstance(inside.data, list):
            inside.data.append(value)
            return
        key, inside.key = inside.key, None
        assert key is not None
        if key in inside.data:
            inside.data[key] = value
            return
        parts = value if isinstance(value, list) else [value]
        if not all(isinstance(part, dict) for part in parts):
            raise self.wrong(event, "what follows << is no mapping", "merge mappings only")
        inside.merged += [part for part in parts if isinstance(part, dict)]

    def waits_for_key(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1].data, dict) and self.open[-1].key is None

    def tag_of(self, event: Any) -> str | None:
        """Return the short name of a tag that says nothing new, and refuse every other one."""
        tag: str | None = event.tag
        if tag is None or tag == "!":  # the latter says: not by its looks
            return tag and "str"
        short = tag.removeprefix(CORE)
        if short not in ("str", "int", "float", "bool", "null", "map", "seq", "timestamp"):
            raise self.wrong(event, f"the tag {tag!r} is not data", "write plain values")
        return "str" if short == "timestamp" else short

    def value(self, event: Any, tag: str | None) -> Data:
        text: str = event.value
        if tag == "str" or (tag is None and not event.implicit[0]):  # quoted, or said to be a string
            return text
        if NULL.fullmatch(text):
            return None
        if BOOL.fullmatch(text):
            return text[0] in "tT"
        if len(text) > MOST_DIGITS:
            return text
        if INT.fullmatch(text):
            return int(text)
        if OTHER_INT.fullmatch(text):
            return int(text, 0)
        if FLOAT.fullmatch(text):
            return float(text)
        if NOT_FINITE.fullmatch(text):
            raise self.wrong(event, f"{text} is no JSON number", "write a finite one")
        if tag is not None:
            raise self.wrong(event, f"{text!r} is no {tag}", "leave out the tag")
        return text

    def wrong(self, event: Any, reason: str, remedy: str) -> SpecError:
        mark = event.start_mark
        return SpecError(f"{self.source}, line {mark.line + 1}, column {mark.column + 1}: {reason}; {remedy}")
