"""From words to two versions: `shop:Cart shop_new:Cart`, two files, or a target at a revision."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from unlike.cli.target import load_module, load_target
from unlike.diff.at_revision import Revision, RevisionFinder
from unlike.diff.changed import Touched, find_touched, is_compared, module_name, read_modules
from unlike.diff.objects import Compared
from unlike.diff.sides import Sides, Version
from unlike.diff.verdict import Verdict
from unlike.errors import ScopeError, TargetError
from unlike.suite import Ending, Status


@dataclass(frozen=True, slots=True)
class Word:
    """A target as it was written, where it is imported from, and as it is loaded then."""

    text: str
    target: str  # MODULE:NAME, MODULE, or a file that has no name as a module
    folder: str = ""

    @property
    def is_module(self) -> bool:
        """Whether it names a module, not something in it."""
        return ":" not in self.target

    @property
    def package(self) -> str:
        """The package that it is of."""
        return self.target.partition(":")[0].partition(".")[0]


def read_word(text: str) -> Word:
    """Return what a word means; a file is imported as the module that it is."""
    module, colon, name = text.rpartition(":") if ":" in text and not text.endswith(".py") else (text, "", "")
    if not module.endswith(".py"):
        return Word(text, text)
    path = Path(module)
    if not path.is_file():
        raise TargetError(f"there is no file {module!r}")
    whole = path.absolute()
    folder, dotted = module_name(str(whole), lambda each: Path(each).is_file())
    if not all(part.isidentifier() for part in dotted.split(".")):
        return Word(text, f"{module}{colon}{name}", str(whole.parent))
    return Word(text, f"{dotted}{colon}{name}", folder)


def load_word(word: Word) -> object:
    """Return the module, class or function."""
    with redirect_stdout(sys.stderr):  # what the user's code prints is no part of the answer
        return load_module(word.target) if word.is_module else load_target(word.target)


@dataclass(slots=True)
class Loaded:
    """What is compared, and what needs no comparison."""

    sides: Sides
    compared: list[Compared]
    settled: list[Verdict]  # what exists on one side only, or cannot be imported
    old_name: str
    new_name: str
    reasons: dict[str, str]  # why something is compared, by its name
    notes: tuple[str, ...] = ()
    is_table: bool = False  # several things are compared, and what cannot be is named among them


def load_words(old: str, new: str) -> Loaded:
    """Return two classes, functions or modules, each loaded for itself."""
    words = [read_word(each) for each in (old, new)]
    if words[0].is_module != words[1].is_module:
        raise ScopeError(f"{old!r} and {new!r}: one is a module, and one something in it; name two of a kind")
    versions = [Version((each.folder,) if each.folder else (), package=each.package) for each in words]
    with_here()
    found = [version.load(functools.partial(load_word, each)) for version, each in zip(versions, words, strict=True)]
    sides = Sides(versions[0], versions[1])
    loaded = Loaded(sides, [], [], old, new, {})
    loaded.is_table = words[0].is_module
    if words[0].is_module:
        add_members(loaded, found[0], found[1], "")
    else:
        add_pair(loaded, words[1].target.rpartition(":")[2], found[0], found[1])
    return loaded


def with_here() -> None:
    """Let modules of the working directory be found, after those of a folder that is named."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)


def add_pair(loaded: Loaded, name: str, old: object, new: object) -> None:
    """Add two things that are to be compared, or refuse them."""
    kinds = ["class" if isinstance(each, type) else "function" if callable(each) else "" for each in (old, new)]
    for kind, each, text in zip(kinds, (old, new), (loaded.old_name, loaded.new_name), strict=True):
        if not kind:
            raise TargetError(f"{text!r} is neither a class nor a function: {each!r}")
    if kinds[0] != kinds[1]:
        raise TargetError(
            f"{loaded.old_name!r} is a {kinds[0]} and {loaded.new_name!r} a {kinds[1]}; name two of a kind"
        )
    loaded.compared.append(Compared(name, old, new, loaded.sides))


def add_members(loaded: Loaded, old: object, new: object, prefix: str) -> None:
    """Add the public classes and functions of two modules, by name."""
    members = [dict(list_members(each)) for each in (old, new)]
    for name in dict.fromkeys((*members[0], *members[1])):
        if name not in members[0] or name not in members[1]:
            side = loaded.new_name if name in members[1] else loaded.old_name
            loaded.settled.append(one_sided(f"{prefix}{name}", members[0].get(name, members[1].get(name)), side))
        elif isinstance(members[0][name], type) is not isinstance(members[1][name], type):
            words = "a class on one side and a function on the other"
            loaded.settled.append(Verdict(f"{prefix}{name}", "class", Status(Ending.UNKNOWN, words)))
        else:
            loaded.compared.append(Compared(f"{prefix}{name}", members[0][name], members[1][name], loaded.sides))
    if not loaded.compared and not loaded.settled:
        raise TargetError(f"{loaded.old_name!r} and {loaded.new_name!r} hold no public class or function")


def list_members(module: object) -> Iterator[tuple[str, object]]:
    """Yield the public classes and functions that a module defines."""
    assert isinstance(module, ModuleType)
    for name, value in vars(module).items():
        if not name.startswith("_") and callable(value) and getattr(value, "__module__", None) == module.__name__:
            if isinstance(value, type) and issubclass(value, BaseException):
                continue
            yield name, value


def one_sided(name: str, thing: object, side: str) -> Verdict:
    """Return the verdict on what exists on one side only."""
    kind = "class" if isinstance(thing, type) else "function"
    return Verdict(name, kind, Status(Ending.FOUND, f"only in {side}"))


# -- at a revision -----------------------------------------------------------------------------------


def load_revision(name: str, words: Sequence[str]) -> Loaded:
    """Return targets as they were at a revision and are in the working tree; without words all that changed."""
    with_here()
    revision = Revision.find(name, Path.cwd())
    touched = [] if words else find_changed(revision)
    read = [read_word(each) for each in words]
    roots = [
        *_roots(revision, [each.folder for each in read if each.folder]),
        *dict.fromkeys(each.root for each in touched),
    ]
    old = Version((), RevisionFinder(revision, roots))
    new = Version(tuple(str(revision.top / each) for each in dict.fromkeys(roots)))
    packages = {each.package for each in read} or {each.module.partition(".")[0] for each in touched}
    old.package = new.package = next(iter(packages)) if len(packages) == 1 else ""
    notes = (
        ("the working tree has changes that are not committed; they are compared, too",) if revision.is_dirty() else ()
    )
    loaded = Loaded(Sides(old, new), [], [], name, "the working tree", {}, notes)
    loaded.is_table = len(read) != 1 or read[0].is_module
    for word in read:
        add_at_revision(loaded, word)
    for each in touched:
        add_touched(loaded, each)
    return loaded


def find_changed(revision: Revision) -> list[Touched]:
    """Return the classes and functions that a change since a revision touches."""
    files = [each for each in revision.changed_since() if is_compared(each)]
    if not files:
        return []
    top = revision.top
    now = {str(each.relative_to(top).as_posix()) for each in top.rglob("*.py") if not _is_hidden(each.relative_to(top))}
    changed = set(files)
    others = sorted(path for path in now | revision.files if is_compared(path) and path not in changed)
    new = read_modules([*files, *others], lambda path: _text(top / path), lambda path: (top / path).is_file())
    old_of_files = read_modules(
        files,
        lambda path: revision.read(path).decode(errors="replace") if path in revision.files else None,
        lambda path: path in revision.files,
    )
    new_of_files = {name for path in files for name in [module_name(path, lambda each: (top / each).is_file())[1]]}
    old = {**{name: module for name, module in new.items() if name not in new_of_files}, **old_of_files}
    return find_touched(old, new)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") or part in ("node_modules", "build", "dist") for part in path.parts[:-1])


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _roots(revision: Revision, folders: Sequence[str]) -> list[str]:
    """Return the folders of the repository that modules are imported from, as git calls them."""
    found = []
    for each in (*folders, str(Path.cwd()), *sys.path, str(revision.top / "src"), str(revision.top)):
        path = Path(each or ".").absolute()
        if path.is_relative_to(revision.top):
            relative = path.relative_to(revision.top).as_posix()
            if (relative.startswith(".") and relative != ".") or "site-packages" in relative:
                continue
            found.append("" if relative == "." else relative)
    return list(dict.fromkeys(found))


def add_at_revision(loaded: Loaded, word: Word) -> None:
    """Add a target that was named."""
    new = loaded.sides.new.load(functools.partial(load_word, word))
    try:
        old = loaded.sides.old.load(functools.partial(load_word, word))
    except TargetError as error:
        raise TargetError(f"at {loaded.old_name}: {error}") from None
    if word.is_module:
        add_members(loaded, old, new, "")
    else:
        names = replace(loaded, old_name=f"{word.text} at {loaded.old_name}", new_name=word.text, compared=[])
        add_pair(names, word.target.rpartition(":")[2], old, new)
        loaded.compared += names.compared


def add_touched(loaded: Loaded, touched: Touched) -> None:
    """Add what a change touches; what is new or gone needs no comparison."""
    label = f"{touched.module}:{touched.name}"
    loaded.reasons[label] = touched.since
    if touched.since in ("new", "gone"):
        side = loaded.new_name if touched.since == "new" else loaded.old_name
        loaded.settled.append(Verdict(label, touched.kind, Status(Ending.FOUND, f"only in {side}")))
        return
    found = []
    for version, where in ((loaded.sides.old, f"at {loaded.old_name}: "), (loaded.sides.new, "")):
        try:
            found.append(version.load(functools.partial(load_word, Word(label, label))))
        except TargetError as error:
            loaded.settled.append(Verdict(label, touched.kind, Status(Ending.UNKNOWN, f"{where}{error}")))
            return
    if isinstance(found[0], type) and issubclass(found[0], BaseException):
        return
    if isinstance(found[0], type) is isinstance(found[1], type) and all(map(callable, found)):
        loaded.compared.append(Compared(label, found[0], found[1], loaded.sides))
    else:
        loaded.settled.append(Verdict(label, touched.kind, Status(Ending.UNKNOWN, "a class then, and none now")))
