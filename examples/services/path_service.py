"""A store of values under colon-delimited paths such as `reports:2024:summer-sales`.

A segment is made of letters, digits, dashes and underscores. Storing a value makes all folders on the way to it.

The planted bug: inside, an underscore stands before every segment, so a path with an underscore in a segment looks
deeper than it is, its folder is not found, and `store` crashes with a KeyError.
"""

from __future__ import annotations

import re

PATH = r"[A-Za-z0-9_-]+(:[A-Za-z0-9_-]+)*"


class PathService:
    """A tree of folders, every one of which can also hold a value."""

    def __init__(self) -> None:
        self._values: dict[str, str | None] = {"": None}

    def store(self, path: str, value: str) -> int:
        """Store a value and return how many entries its folder now has."""
        segments = _segments(path)
        for depth in range(1, len(segments) + 1):
            self._values.setdefault(_key(segments[:depth]), None)
        self._values[_key(segments)] = value
        return len(self._entries()[_key(segments[:-1])])

    def read(self, path: str) -> str | None:
        """Return the value under a path, or None if there is none."""
        return self._values.get(_key(_segments(path)))

    def list_folder(self, path: str) -> list[str]:
        """Return the names in a folder, sorted."""
        return sorted(self._entries().get(_key(_segments(path)), []))

    def _entries(self) -> dict[str, list[str]]:
        entries: dict[str, list[str]] = {key: [] for key in self._values}
        for key in self._values:
            if key:
                folder, _, name = key.rpartition("_")
                entries[folder].append(name)
        return entries


def _segments(path: str) -> list[str]:
    if re.fullmatch(PATH, path) is None:
        raise ValueError(f"{path!r} is not a path such as reports:2024")
    return path.split(":")


def _key(segments: list[str]) -> str:
    return "".join(f"_{segment}" for segment in segments)
