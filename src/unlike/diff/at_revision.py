"""A revision as git has it: files are read through git, and modules imported from there; nothing is checked out."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType

from unlike.errors import TargetError

PATIENCE = 60  # seconds that git may take for one answer


def ask_git(folder: Path, *words: str) -> bytes:
    """Return what git answers, or say what it complains of."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, timeout=PATIENCE, check=False)
    except FileNotFoundError:
        raise TargetError("--git needs the program git, which is not installed (or not on the path)") from None
    except subprocess.TimeoutExpired:
        raise TargetError(f"git {words[0]} did not answer within {PATIENCE} s") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise TargetError(f"git {' '.join(words)}: {said[-1] if said else 'it failed'}")
    return done.stdout


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit of the repository around a folder."""

    name: str  # as it was given: HEAD~1
    top: Path
    commit: str
    files: frozenset[str] = field(repr=False)

    @staticmethod
    def find(name: str, folder: Path) -> Revision:
        """Return the revision of that name, or one clear message."""
        try:
            top = Path(ask_git(folder, "rev-parse", "--show-toplevel").decode().strip())
        except TargetError as error:
            if "not installed" in str(error):
                raise
            raise TargetError(
                f"--git {name!r}: {str(folder)!r} is not in a git repository; go to one, or name two files"
            ) from None
        if name.startswith("-") or not name:
            raise TargetError(f"--git {name!r} is not a revision; name one, like HEAD, HEAD~1, main or a tag")
        try:
            commit = ask_git(folder, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").decode().strip()
        except TargetError:
            raise TargetError(
                f"--git {name!r}: the repository {str(top)!r} has no such revision; name a commit, a branch or a tag"
            ) from None
        listed = ask_git(top, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
        return Revision(name, top, commit, frozenset(listed.decode(errors="surrogateescape").split("\0")) - {""})

    def read(self, path: str) -> bytes:
        """Return what a file held."""
        return ask_git(self.top, "cat-file", "blob", f"{self.commit}:{path}")

    def changed_since(self) -> list[str]:
        """Return the files that are others in the working tree now, new ones and those that are gone included."""
        tracked = ask_git(self.top, "diff", "--name-only", "-z", "--no-renames", self.commit, "--")
        new = ask_git(self.top, "ls-files", "--others", "--exclude-standard", "-z", "--full-name")
        found = (tracked + new).decode(errors="surrogateescape").split("\0")
        return sorted({each for each in found if each})

    def is_dirty(self) -> bool:
        """Tell whether the working tree holds changes that are not committed."""
        return bool(ask_git(self.top, "status", "--porcelain", "--untracked-files=no").strip())


class RevisionFinder(importlib.abc.MetaPathFinder):
    """Finds modules among the files of a revision; what is there now and was not then does not exist."""

    def __init__(self, revision: Revision, roots: Sequence[str]) -> None:
        self.revision, self.roots = revision, [f"{each}/" if each else "" for each in dict.fromkeys(roots)]
        self.folders = {path.rpartition("/")[0] for path in revision.files}
        self.folders |= {parent for path in self.folders for parent in _parents(path)}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return where a module is in the revision, nothing for modules of others."""
        del path, target
        inner, files, top = fullname.replace(".", "/"), self.revision.files, self.revision.top
        for root in self.roots:
            for file, is_package in ((f"{root}{inner}/__init__.py", True), (f"{root}{inner}.py", False)):
                if file in files:
                    loader = RevisionLoader(self.revision, file)
                    folders = [str(top / root / inner)] if is_package else None
                    return importlib.util.spec_from_file_location(
                        fullname, top / file, loader=loader, submodule_search_locations=folders
                    )
        for root in self.roots:
            if f"{root}{inner}" in self.folders and any(
                each.startswith(f"{root}{inner}/") and each.endswith(".py") for each in files
            ):
                spec = importlib.machinery.ModuleSpec(fullname, None, is_package=True)
                spec.submodule_search_locations = [str(top / root / inner)]
                return spec
            there = top / root / inner
            if there.with_suffix(".py").is_file() or (there / "__init__.py").is_file():
                raise ModuleNotFoundError(f"there was no module {fullname!r} at {self.revision.name}", name=fullname)
        return None


def _parents(path: str) -> list[str]:
    return [path[:place] for place, letter in enumerate(path) if letter == "/"]


class RevisionLoader(importlib.abc.InspectLoader):
    """Loads one module of a revision."""

    def __init__(self, revision: Revision, file: str) -> None:
        self.revision, self.file = revision, file

    @property
    def origin(self) -> str:
        """How the code is called in messages: `HEAD~1:shop.py`."""
        return f"{self.revision.name}:{self.file}"

    def is_package(self, fullname: str) -> bool:
        """Tell whether it is a package."""
        del fullname
        return self.file.endswith("/__init__.py")

    def get_source(self, fullname: str) -> str:
        """Return the source as it was."""
        del fullname
        return importlib.util.decode_source(self.revision.read(self.file))

    def get_data(self, path: str) -> bytes:
        """Return what a file beside it held, as `importlib.resources` and `pkgutil.get_data` ask for it."""
        return self.revision.read(str(Path(path).relative_to(self.revision.top)))

    def get_code(self, fullname: str) -> CodeType:
        """Return the code."""
        source = self.get_source(fullname)
        lines = source.splitlines(keepends=True)
        linecache.cache[self.origin] = len(source), None, lines, self.origin
        return compile(source, self.origin, "exec", dont_inherit=True)
