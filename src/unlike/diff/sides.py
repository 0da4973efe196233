"""Two versions of the same code in one process: each sees its own modules, and never those of the other.

The modules of a project are loaded once for each version. Those of the first stand in `sys.modules`; those of the
second are put there while it runs, and are kept beside under names of their own ("shop (new)"), by which recipes and
other processes find them. The standard library and installed packages are shared.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.util
import site
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from unlike.recipe import second_versions

T = TypeVar("T")
KEPT = "{} (new)"  # the name under which a module of the second version is kept
OURS = ("unlike", "unlike_pytest", "__main__")


@dataclass(slots=True)
class Version:
    """The modules of one version, and where they are looked for."""

    folders: tuple[str, ...] = ()
    finder: importlib.abc.MetaPathFinder | None = None
    package: str = ""  # the package of the target, which is of the project wherever it lies
    modules: dict[str, ModuleType] = field(default_factory=dict)

    @contextlib.contextmanager
    def search_here(self) -> Iterator[None]:
        """Let modules be looked for in this version."""
        path, finders = sys.path[:], sys.meta_path[:]
        self.look_here(path, finders)
        importlib.invalidate_caches()
        try:
            yield
        finally:
            sys.path[:], sys.meta_path[:] = path, finders

    def look_here(self, path: list[str], finders: list[Any]) -> None:
        """Let modules be looked for in this version first, then where they usually are."""
        sys.path[:] = [*self.folders, *path]
        sys.meta_path[:] = finders if self.finder is None else [self.finder, *finders]

    def is_own(self, name: str, module: object) -> bool:
        """Tell whether a module is of the project, and not of those that every version shares."""
        top = name.partition(".")[0]
        if top in OURS or top.startswith("unlike_pytest") or top in sys.stdlib_module_names:
            return False
        if self.package and top == self.package:
            return True
        file = getattr(module, "__file__", None)
        paths = [file] if isinstance(file, str) else list(getattr(module, "__path__", ()))
        return bool(paths) and not any(
            Path(each).is_relative_to(shared) for each in paths for shared in _shared_folders()
        )

    def load(self, work: Callable[[], T]) -> T:
        """Return what is loaded, with modules of its own, which are taken away again afterwards."""
        before = dict(sys.modules)
        hidden = {name: module for name, module in before.items() if self.is_own(name, module)}
        for name in hidden:
            del sys.modules[name]
        sys.modules.update(self.modules)
        try:
            with self.search_here():
                return work()
        finally:
            self.take_own(before)
            sys.modules.update(hidden)

    def take_own(self, before: dict[str, ModuleType]) -> None:
        """Take the modules of the project that came since out of the process, and keep them."""
        for name, module in list(sys.modules.items()):
            if before.get(name) is not module and self.is_own(name, module):
                self.modules[name] = sys.modules.pop(name)


def _shared_folders() -> list[str]:
    paths = sysconfig.get_paths()
    return [paths["stdlib"], paths["platstdlib"], paths["purelib"], paths["platlib"], *site.getsitepackages()]


@dataclass(slots=True)
class Sides:
    """Two versions: the first is in place while they are compared, the second while it runs."""

    old: Version
    new: Version
    usual: tuple[list[str], list[Any]] = field(default_factory=lambda: (sys.path[:], sys.meta_path[:]))

    @property
    def kept(self) -> dict[str, str]:
        """Where the modules of the second version are kept, by their names."""
        return {name: KEPT.format(name) for name in self.new.modules}

    @contextlib.contextmanager
    def in_place(self) -> Iterator[None]:
        """Let the first version stand in this process, and the second beside it."""
        hidden = {
            name: module
            for name, module in list(sys.modules.items())  # another thread may load one
            if self.old.is_own(name, module) or self.new.is_own(name, module)
        }
        for name in hidden:
            del sys.modules[name]
        kept = {KEPT.format(name): module for name, module in self.new.modules.items()}
        sys.modules.update({**self.old.modules, **kept})
        second_versions.update(self.kept)
        try:
            with self.old.search_here():
                yield
        finally:
            second_versions.clear()
            for name in (*self.old.modules, *kept):
                sys.modules.pop(name, None)
            self.old.take_own({**sys.modules, **hidden})
            sys.modules.update(hidden)

    @contextlib.contextmanager
    def inside_new(self) -> Iterator[None]:
        """Let the second version stand in the place of the first, while it runs."""
        modules, old, new = sys.modules, self.old, self.new
        path, finders = sys.path[:], sys.meta_path[:]
        for name in old.modules:
            modules.pop(name, None)
        modules.update(new.modules)
        count = len(modules)
        new.look_here(self.usual[0], self.usual[1])
        try:
            yield
        finally:
            sys.path[:], sys.meta_path[:] = path, finders
            if len(modules) > count:  # something was imported only now
                self.keep_late()
            for name in new.modules:
                modules.pop(name, None)
            modules.update(old.modules)

    def keep_late(self) -> None:
        """Keep modules of the second version that were imported while it ran."""
        kept = set(self.kept.values())
        for name, module in [*sys.modules.items()]:
            if name not in kept and name not in self.new.modules and self.new.is_own(name, module):
                self.new.modules[name] = module
