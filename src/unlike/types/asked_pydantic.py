"""Checks that pydantic itself takes a value, for annotations that only it can read to the end.

Its library is never imported for this: an annotation of its own shows that it is there already.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any

from unlike.structure.shapes import Check


@dataclass(slots=True, eq=False)  # each is itself: a check is a part of shapes, which are looked up
class TakenByPydantic:
    """Whether pydantic takes a value for an annotation."""

    annotation: Any
    adapter: Any = field(default=None, repr=False)

    def __call__(self, value: object) -> bool:
        """Tell whether it takes the value."""
        if self.adapter is None:
            self.adapter = sys.modules["pydantic"].TypeAdapter(self.annotation)
        try:
            self.adapter.validate_python(value)
        except ValueError:  # its own error is one
            return False
        return True


def taken_by_pydantic(annotation: object) -> TakenByPydantic | None:
    """Return whether pydantic takes a value, as a question that can be asked; nothing where it has no answer."""
    library = sys.modules.get("pydantic")
    if library is None:
        return None
    try:
        return TakenByPydantic(annotation, library.TypeAdapter(annotation))
    except Exception:  # foreign code: it has no schema for the annotation, or lacks a library
        return None


def check_format(annotation: type, examples: tuple[object, ...]) -> tuple[Check, ...]:
    """Return the check of a format that pydantic knows; the examples are texts that may break it."""
    takes = taken_by_pydantic(annotation)
    name = f"the format of {annotation.__name__}"
    return () if takes is None else (Check(name, takes, again=True, examples=examples),)


def check_words(cls: type, words: Iterable[object]) -> tuple[Check, ...]:
    """Return the check that pydantic takes a plain value under metadata, where some of them are its own."""
    said = tuple(words)
    if not any(type(each).__module__.startswith("pydantic") for each in said):
        return ()
    takes = taken_by_pydantic(Annotated[cls, *said])
    return () if takes is None else (Check("pydantic", takes, again=True),)
