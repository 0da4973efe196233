"""Names that a module has for type checkers only: what it imports under `if TYPE_CHECKING`, read from its source."""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterator

Import = tuple[str, str]  # a module, and what is taken from it; nothing for the module itself


def checked_name(module: str, name: str) -> object:
    """Return what a name means to type checkers in a module; None where nobody says it, or it cannot be imported."""
    source, wanted = _checked_imports(module).get(name, ("", ""))
    if not source:
        return None
    try:
        found = importlib.import_module(source)
        return getattr(found, wanted) if wanted else found
    except (Exception, SystemExit):  # foreign code: a library that is not there, a name that only a stub has
        return None


@functools.cache
def _checked_imports(module: str) -> dict[str, Import]:
    """Return the names that a module imports for type checkers only."""
    try:
        parsed = ast.parse(inspect.getsource(sys.modules[module]))
    except (KeyError, OSError, TypeError, SyntaxError, ValueError):  # no source: written in C, or typed in
        return {}
    package = getattr(sys.modules[module], "__package__", None) or module
    found: dict[str, Import] = {}
    for each in ast.walk(parsed):
        if isinstance(each, ast.If) and _asks_for_checkers(each.test):
            for inner in (part for line in each.body for part in ast.walk(line)):
                found.update(_names_of(inner, package))
    return found


def _asks_for_checkers(test: ast.expr) -> bool:
    """Tell whether a condition is TYPE_CHECKING, or that and more."""
    return any(
        (isinstance(each, ast.Name) and each.id == "TYPE_CHECKING")
        or (isinstance(each, ast.Attribute) and each.attr == "TYPE_CHECKING")
        for each in ast.walk(test)
    )


def _names_of(statement: ast.AST, package: str) -> Iterator[tuple[str, Import]]:
    match statement:
        case ast.ImportFrom(source, names, level):
            try:
                named = importlib.util.resolve_name("." * (level or 0) + (source or ""), package)
            except ImportError:  # above the top of the package
                return
            yield from ((each.asname or each.name, (named, each.name)) for each in names)
        case ast.Import(names):
            for each in names:
                yield (
                    each.asname or each.name.partition(".")[0],
                    (each.name if each.asname else each.name.partition(".")[0], ""),
                )
