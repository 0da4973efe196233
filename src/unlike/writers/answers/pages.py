"""What a writer gives: pages, each a text in pieces, for a terminal, a stream, a file or a folder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Medium = Literal["terminal", "stream", "file", "folder"]


@dataclass(frozen=True, slots=True)
class Page:
    """A text in pieces; in a folder it is a file of this name."""

    name: str
    pieces: Iterable[str]
    skipped: tuple[str, ...] = ()  # tests that are written so that they are not run, and why
