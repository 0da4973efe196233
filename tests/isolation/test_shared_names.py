"""Builtins and modules that code under test replaces are as before after each call, in both implementations."""

import builtins
import json
import os
import sys
import types
from collections.abc import Callable

import pytest

from unlike import shared_names
from unlike.heap.walkers import native_is_built
from unlike.isolation import Answer, call_in_copy

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
TWINS = [False, *([True] if native_is_built() else [])]


def replace_builtins() -> None:
    builtins.len = lambda _: 0  # type: ignore[assignment]
    del builtins.isinstance  # type: ignore[attr-defined]


def clear_builtins() -> None:
    vars(builtins).clear()


def replace_functions() -> None:
    os.write = json.dumps = None  # type: ignore[assignment]


def clear_modules() -> None:
    sys.modules.clear()


def add_names() -> None:
    builtins.surprise = os.surprise = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("native", TWINS)
@pytest.mark.parametrize(
    "misdeed",
    [replace_builtins, clear_builtins, replace_functions, clear_modules, add_names],
    ids=lambda each: each.__name__,
)
def test_names_are_what_they_were_the_very_same_objects(misdeed: Callable[[], None], native: bool) -> None:
    def work() -> list[str]:
        shared_names.remember_names(native=native)
        before = [dict(vars(builtins)), dict(vars(os)), dict(vars(json)), dict(sys.modules)]
        misdeed()
        shared_names.put_modules_back()
        after = [dict(vars(builtins)), dict(vars(os)), dict(vars(json)), dict(sys.modules)]
        return [
            name
            for one, other in zip(before, after, strict=True)
            for name in one.keys() | other.keys()
            if one.get(name) is not other.get(name)
        ]

    assert call_in_copy(work) == Answer(None, [])


@pytest.mark.parametrize("native", TWINS)
def test_modules_that_a_call_imports_stay(native: bool) -> None:
    def work() -> list[bool]:
        shared_names.remember_names(native=native)
        import colorsys

        shared_names.put_modules_back()
        first = sys.modules.get("colorsys") is colorsys
        sys.modules.clear()
        shared_names.put_modules_back()
        return [first, sys.modules.get("colorsys") is colorsys]

    assert call_in_copy(work) == Answer(None, [True, True])


@pytest.mark.parametrize("native", TWINS)
def test_a_module_under_test_keeps_what_it_changed_and_is_put_back_when_it_was_emptied(native: bool) -> None:
    def work() -> list[object]:
        theirs = types.ModuleType("theirs")
        vars(theirs).update(count=1, limit=2, gone=3)
        shared_names.remember_names(native=native)
        shared_names.remember_theirs([theirs])
        vars(theirs).update(count=5, more=6)
        del vars(theirs)["gone"]
        shared_names.put_modules_back()
        changed = [vars(theirs).get(name) for name in ("count", "limit", "gone", "more")]
        vars(theirs).clear()
        vars(theirs)["count"] = 7
        shared_names.put_modules_back()
        return [*changed, *(vars(theirs).get(name) for name in ("count", "limit", "gone", "more"))]

    assert call_in_copy(work) == Answer(None, [5, 2, None, 6, 7, 2, 3, None])
