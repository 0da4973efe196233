"""A file system tree held in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Iterator, Optional


class Entry(ABC):
    def __init__(self, name: str) -> None:
        self.name: str = name
        self.parent: Optional[Directory] = None

    @property
    @abstractmethod
    def size(self) -> int: ...


class File(Entry):
    def __init__(self, name: str, content: str = "") -> None:
        super().__init__(name)
        self.content: str = content

    @property
    def size(self) -> int:
        return len(self.content)


class Directory(Entry):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.entries: dict[str, Entry] = {}

    @property
    def size(self) -> int:
        return sum(entry.size for entry in self.entries.values())


class FileSystem:
    """Directories and files under a nameless root, within a quota of characters."""

    QUOTA = 1024

    def __init__(self) -> None:
        self.root: Directory = Directory("")
        self.used: int = 0

    def _directory(self, path: str) -> Directory:
        node: Entry = self.root
        for part in filter(None, path.split("/")):
            if not isinstance(node, Directory) or part not in node.entries:
                raise FileNotFoundError(path)
            node = node.entries[part]
        if not isinstance(node, Directory):
            raise NotADirectoryError(path)
        return node

    def _attach(self, path: str, entry: Entry) -> None:
        directory = self._directory(path)
        if not entry.name or "/" in entry.name:
            raise ValueError(f"bad name {entry.name!r}")
        if entry.name in directory.entries:
            raise FileExistsError(f"{path}/{entry.name}")
        if self.used + entry.size > self.QUOTA:
            raise OSError("quota exceeded")
        directory.entries[entry.name] = entry
        entry.parent = directory
        self.used += entry.size

    def mkdir(self, path: str, name: str) -> None:
        self._attach(path, Directory(name))

    def write(self, path: str, name: str, content: str) -> None:
        self._attach(path, File(name, content))

    def remove(self, path: str, name: str) -> None:
        entry = self._directory(path).entries.pop(name)
        entry.parent = None
        self.used -= entry.size

    def _walk(self, directory: Directory, ancestors: tuple[Directory, ...] = ()) -> Iterator[Entry]:
        if any(directory is a for a in ancestors):
            raise RecursionError(f"{directory.name!r} contains itself")
        yield directory
        for name, entry in directory.entries.items():
            if entry.parent is not directory or entry.name != name:
                raise ValueError(f"{name!r} is filed wrongly under {directory.name!r}")
            if not name or "/" in name:
                raise ValueError(f"{name!r} is no name")
            if isinstance(entry, Directory):
                yield from self._walk(entry, (*ancestors, directory))
            elif isinstance(entry, File):
                yield entry
            else:
                raise TypeError(f"unexpected {type(entry).__name__}")

    def rep_ok(self) -> bool:
        if self.root.parent is not None or self.root.name:
            return False
        try:
            total = sum(e.size for e in self._walk(self.root) if isinstance(e, File))
        except (ValueError, TypeError, RecursionError):
            return False
        return total == self.used <= self.QUOTA
