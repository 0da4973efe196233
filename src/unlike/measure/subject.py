"""The code that is measured: a module, what of it is called, its mutants, and its code behind the switch."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from unlike.classes.evidence import HangError
from unlike.diff.changed import read_modules
from unlike.diff.sides import Sides, Version
from unlike.errors import TargetError
from unlike.measure.mutants.switch import ROUND, SWITCH, Mutant, list_mutants, mutant_code, switched_code

UNLIMITED = 10**15  # rounds


class TooManyRoundsError(HangError):
    """The loops of a mutant made many more rounds than those of the original; no ordinary handler catches it."""


class Rounds:
    """How many rounds loops may still make, in this process."""

    left = UNLIMITED

    @classmethod
    def count(cls) -> None:
        """Take one round off."""
        cls.left -= 1
        if cls.left < 0:
            raise TooManyRoundsError


@dataclass(frozen=True, slots=True)
class MeasuredCode:
    """A module, and the classes and functions of it that are measured."""

    module: str
    file: str
    source: str = field(repr=False)
    names: tuple[str, ...]  # of what is called
    owners: frozenset[str] | None = field(repr=False)  # definitions that are changed; None: all
    plain: Version = field(repr=False)  # the original
    switched: Version = field(repr=False)  # the same behind the switch
    finder: ChangedFinder = field(repr=False)
    mutants: tuple[Mutant, ...] = field(repr=False)

    def target(self, name: str) -> Any:
        """Return a class or function that is measured, as it is loaded now."""
        found: Any = sys.modules[self.module]
        for part in name.split("."):
            found = getattr(found, part)
        return found

    def own_modules(self) -> frozenset[str]:
        """Return the names of the modules of the project."""
        return frozenset(self.switched.modules)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let the switched module stand in this process, with the modules that use it."""
        with Sides(self.switched, Version()).in_place():
            yield

    def switch_to(self, number: int) -> None:
        """Let the module be a mutant, or with 0 itself; what stands outside of functions is executed again."""
        vars(sys.modules[self.module])[SWITCH] = number

    def execute_again(self, number: int) -> None:
        """Load the module anew as a mutant, and with it the modules of the project; for good, in a copy."""
        for name in self.own_modules():
            sys.modules.pop(name, None)
        self.finder.number = number
        sys.meta_path.insert(0, self.finder)
        importlib.import_module(self.module)

    def load_plain(self) -> None:
        """Load the module anew as it was written, for good, in a copy."""
        for name in self.own_modules():
            sys.modules.pop(name, None)
        sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, ChangedFinder)]
        importlib.import_module(self.module)

    def load_mutant(self, mutant: Mutant) -> tuple[Sides, dict[str, Any]]:
        """Return a mutant without a switch beside the original, with modules of its own."""
        code = mutant_code(self.source, self.file, mutant, self.owners)
        finder = ChangedFinder(self.module, self.file, code)
        version = Version(self.plain.folders, finder, self.plain.package)
        found = version.load(lambda: importlib.import_module(self.module))
        return Sides(self.plain, version), {name: _find(found, name) for name in self.names}

    def originals(self) -> dict[str, Any]:
        """Return what is measured, as it was written."""
        return {name: _find(self.plain.modules[self.module], name) for name in self.names}

    def names_that_use(self, mutant: Mutant) -> list[str]:
        """Return what is measured and uses the definition that a mutant changes."""
        found = [name for name in self.names if not mutant.owner or mutant.owner in used_by(self.source, [name])]
        return found or list(self.names)


def _find(module: object, name: str) -> Any:
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part)
    return found


def used_by(source: str, names: Sequence[str]) -> frozenset[str]:
    """Return definitions of a module, and those that they use."""
    (module,) = read_modules(["module.py"], lambda _: source, lambda _: False).values()
    found, waiting = set[str](), [each.partition(".")[0] for each in names]
    for name in waiting:  # grows while we walk
        if name not in found and name in module.definitions:
            found.add(name)
            waiting += sorted(module.definitions[name].names)
    return frozenset(found)


def subject_of(
    load: Callable[[], object], folders: tuple[str, ...], package: str, members: Callable[[ModuleType], Sequence[str]]
) -> MeasuredCode:
    """Return what is measured where a module, a class or a function is loaded."""
    plain = Version(folders, package=package)
    found: Any = plain.load(load)
    name = found.__name__ if isinstance(found, ModuleType) else str(getattr(found, "__module__", ""))
    module = plain.modules.get(name)
    if not (isinstance(found, ModuleType | type) or callable(found)):
        raise TargetError(f"{found!r} is neither a class, a function nor a module; name one, like shop:Cart")
    if module is None:
        raise TargetError(
            f"the code of {getattr(found, '__name__', found)!r} is in {name or 'no module'!r}, which is not of this "
            "project: it cannot be changed; name a class, a function or a module of yours"
        )
    file = getattr(module, "__file__", None)
    if not isinstance(file, str) or not file.endswith(".py"):
        raise TargetError(f"the source of {name!r} cannot be read: it is no Python file")
    source = importlib.util.decode_source(Path(file).read_bytes())
    is_module = isinstance(found, ModuleType)
    names = tuple(members(module)) if is_module else (_name_in(module, found),)
    if not names:
        raise TargetError(f"{name!r} holds no public class or function; name what is to be measured, like {name}:NAME")
    owners = None if is_module else used_by(source, names)
    mutants = tuple(list_mutants(source, owners))
    if not mutants:
        raise TargetError(f"nothing in {', '.join(names)} can be changed: there is no code to measure tests by")
    finder = ChangedFinder(name, file, switched_code(source, file, owners))
    switched = Version(folders, finder, package)
    switched.load(lambda: importlib.import_module(name))
    return MeasuredCode(name, file, source, names, owners, plain, switched, finder, mutants)


def _name_in(module: ModuleType, found: Any) -> str:
    name = str(getattr(found, "__qualname__", ""))
    try:
        if name and "<" not in name and _find(module, name) is found:
            return name
    except AttributeError:
        pass
    raise TargetError(
        f"{found!r} cannot be found in {module.__name__!r} by its name; define it at the top of the module"
    )


class ChangedFinder(importlib.abc.MetaPathFinder):
    """Finds one module, with other code."""

    def __init__(self, module: str, file: str, code: CodeType) -> None:
        self.module, self.file, self.code, self.number = module, file, code, 0

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return where the module is; nothing for all others."""
        del path, target
        if fullname != self.module:
            return None
        folders = [str(Path(self.file).parent)] if self.file.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(
            fullname, self.file, loader=_ChangedLoader(self), submodule_search_locations=folders
        )


class _ChangedLoader(importlib.abc.Loader):
    """Executes the changed code."""

    def __init__(self, finder: ChangedFinder) -> None:
        self.finder = finder

    def exec_module(self, module: ModuleType) -> None:
        """Fill the module; the switch stands before its code does."""
        vars(module).update({SWITCH: self.finder.number, ROUND: Rounds.count})
        exec(self.finder.code, vars(module))
