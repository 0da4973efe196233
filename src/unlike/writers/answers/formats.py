"""The formats that an answer can be written in: the one table of them.

To add one, write a function that gives pages (`Writer`), and add its row here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias, cast

from unlike.writers.answers.envelope import DataCases, Envelope, InputCases, ObjectCases
from unlike.writers.answers.pages import Medium, Page

Writer: TypeAlias = Callable[[Envelope, Medium], Iterable[Page]]


@dataclass(frozen=True, slots=True)
class Format:
    """A row of the table. Writers are loaded when they are used."""

    name: str
    writes: frozenset[str]  # what an answer must hold one of: text, inputs, objects, tests, bounds, saved, or anything
    writer: str  # MODULE:FUNCTION
    in_folder: bool = False  # written when somebody names a folder and no format
    most: int | None = None  # objects
    too_many: str = ""
    unless_all: bool = False  # more are written if all of them are asked for
    takes_long: bool = False  # calls are made while it is written

    def pages(self, envelope: Envelope, medium: Medium) -> Iterable[Page]:
        """Return what is to be written."""
        module, _, function = self.writer.partition(":")
        return cast("Writer", getattr(importlib.import_module(module), function))(envelope, medium)


HERE = "unlike.writers.answers"
FORMATS = (
    Format("text", frozenset({"text"}), f"{HERE}.plain:text"),
    Format(
        "pytest",
        frozenset({"tests"}),
        f"{HERE}.plain:tests",
        in_folder=True,
        most=5_000,
        too_many="than anybody runs",
        unless_all=True,
        takes_long=True,
    ),
    Format(
        "json",
        frozenset({"anything"}),
        f"{HERE}.answer_json:answer",
        in_folder=True,
        most=1_000_000,
        too_many="than a file holds",
    ),
    Format("jsonl", frozenset({"inputs", "objects"}), f"{HERE}.plain:json_lines"),
    Format("table", frozenset({"inputs"}), "unlike.writers.inputs:table"),
    Format("python", frozenset({"inputs"}), "unlike.writers.inputs:python"),
    Format("saved", frozenset({"saved"}), f"{HERE}.answer_json:saved"),
    Format("bounds", frozenset({"bounds"}), f"{HERE}.plain:bounds", in_folder=True),
)
BY_NAME = {each.name: each for each in FORMATS}


def formats_for(*held: str) -> tuple[str, ...]:
    """Return the names of the formats for answers that hold this: the choices of `--format`.

    >>> formats_for("text")
    ('text', 'json')
    """
    return tuple(each.name for each in FORMATS if each.writes & {*held, "anything"})


def held_by(envelope: Envelope) -> frozenset[str]:
    """Return what an answer holds that a format could write."""
    held = {"text"} if envelope.text is not None else set[str]()
    match envelope.contents:
        case InputCases():
            held.add("inputs")
        case ObjectCases(bounds=bounds):
            held |= {"objects", "tests"} if bounds is None else {"objects", "tests", "bounds"}
        case DataCases(saved=saved):
            held |= set() if saved is None else {"saved"}
    return frozenset(held)
