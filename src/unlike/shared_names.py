"""Names that code under test shares with us: builtins, and what the modules hold that make its calls.

A method may replace `len`, `os.write` or `json.dumps`, or clear `sys.modules`. In a copy of the process they are as
before after each call: `remember_names` when the copy begins, `put_names_back` where a call returns or raises. The
compiled part asks each dict whether it was changed; the twin here compares them: builtins after each call, the modules
with `put_modules_back`, wherever what makes the calls is about to need them.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import types
from collections.abc import Iterable
from typing import Any, NamedTuple


class _Shared(NamedTuple):
    names: dict[str, Any]
    before: dict[str, Any]
    grows: bool = False  # what is new may stay
    theirs: bool = False  # a module under test: it may do what it likes, but is put back when most of it is gone


MODULES = (
    "binascii", "builtins", "collections", "contextlib", "copy", "copyreg", "dataclasses", "enum", "errno",
    "fractions", "functools", "gc", "importlib", "inspect", "io", "itertools", "json", "json.decoder",
    "json.encoder", "math", "operator", "os", "pickle", "posix", "posixpath", "re", "selectors", "signal", "struct",
    "threading", "time", "types", "weakref", "zlib",
)  # fmt: skip
_rows: tuple[_Shared, ...] = ()
_first: _Shared | None = None  # of builtins
_native: Any = None
get_trace, set_trace = sys.gettrace, sys.settrace  # bound here: code under test may replace them
_get_profile, _set_profile = sys.getprofile, sys.setprofile
_profile: Any = None


def load_native() -> Any:
    """Return the compiled part, or nothing where it was not built; loaded here once, rather than in every copy."""
    try:
        return importlib.import_module("unlike._native")
    except ImportError:
        return None


def remember_names(*, native: bool = True) -> None:
    """Remember what the modules hold now that we share with code under test; from now on it can be put back."""
    global _rows, _first, _native, _profile
    held = [sys.modules[name] for name in MODULES if name in sys.modules]
    rows = [_Shared(vars(each), dict(vars(each))) for each in held]
    rows.append(_Shared(sys.modules, dict(sys.modules), grows=True))
    _rows, _profile = tuple(rows), _get_profile()
    _first = next(each for each in rows if each.names is vars(builtins))
    _native = load_native() if native else None
    if _native is not None:
        _native.remember_names(rows)


def remember_theirs(modules: Iterable[types.ModuleType]) -> None:
    """Remember what modules under test hold now: one that a call empties would take all later calls with it."""
    global _rows
    known = {id(row.names) for row in _rows}
    fresh = [_Shared(vars(each), dict(vars(each)), theirs=True) for each in modules if id(vars(each)) not in known]
    if not _rows or not fresh:
        return
    _rows = (*_rows, *fresh)
    if _native is not None:
        _native.remember_names(_rows)


def put_names_back() -> None:
    """Let the names that were remembered stand for what they stood for.

    Nothing here looks up a builtin before they are back.
    """
    if _native is not None:
        _native.put_names_back()
    elif _first is not None:
        if _get_profile() is not _profile:
            _set_profile(_profile)
        names, before, *_ = _first
        if names != before:
            names.clear()
            names.update(before)


def put_modules_back() -> None:
    """Put back what the modules hold, too."""
    put_names_back()
    if _native is None:
        for row in _rows:
            _put_back(row)


def _put_back(row: _Shared) -> None:
    names, before, grows, theirs = row
    if theirs:
        if len(names) * 2 < len(before):
            names.update({**before, **names})
    elif grows:
        if any(names.get(key) is not value for key, value in before.items()):
            names.update(before)
        if len(names) != len(before):
            before.update(names)
    elif len(names) != len(before) or any(names.get(key) is not value for key, value in before.items()):
        names.clear()
        names.update(before)
