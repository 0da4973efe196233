"""Run `unlike explore` and write down which public methods of the class returned, as the interpreter saw it.

    python -m bench.packages.witness FILE MODULE:CLASS [FLAG …]

The command does not grade itself: a profile function, kept in every copy of the process, marks a method on a page of
memory that they all share. Counted are methods with a public name and operators written in Python; a method counts as
succeeded if it returned to a caller within unlike something else than NotImplemented; calls that are made for trial,
before the exploration, do not count. Comparison, hash, repr, copying
and pickling are not counted, nor are constructors and properties, nor operators written in C, which the interpreter
does not show.
"""

from __future__ import annotations

import importlib
import json
import mmap
import opcode
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

# the operators that use or change what an object holds
OPERATORS = {
    f"__{name}__"
    for line in (
        "getitem setitem delitem contains iter next len reversed bool call enter exit",
        "neg pos abs invert int float index",
        "add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift",
        "iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift",
    )
    for name in line.split()
}
TRIAL = "unlike.classes.guessing"  # makes calls to learn what a class takes: they are no part of an exploration
RETURNED = {opcode.opmap[name] for name in ("RETURN_VALUE", "YIELD_VALUE", "RETURN_CONST") if name in opcode.opmap}
Mark = tuple[str, int]  # file and line: the code under test may be compiled a second time


def main(arguments: list[str]) -> None:
    file, target, *flags = arguments
    module, _, name = target.partition(":")
    cls = getattr(importlib.import_module(module), name)
    methods = find_public_methods(cls)
    page = mmap.mmap(-1, max(1, len(methods)))  # shared with every copy of this process
    from unlike import cli

    watch = make_watch(cls, methods, page)
    threading.setprofile(watch)
    sys.setprofile(watch)
    sys.argv = ["unlike", "explore", target, *flags]
    try:
        cli.main()
    finally:
        sys.setprofile(None)
        Path(file).write_text(json.dumps({each: bool(page[place]) for place, each in enumerate(methods)}))


def find_public_methods(cls: type) -> dict[str, Any]:
    """Return the methods that are counted, by name, as they stand in the class that defines them."""
    found: dict[str, Any] = {}
    for name in dir(cls):
        owner = next((each for each in cls.__mro__ if name in vars(each)), object)
        if owner is object or (name.startswith("_") and name not in OPERATORS):
            continue
        method = unwrap(vars(owner)[name])
        if callable(method) and not isinstance(method, type) and (code_of(method) or not name.startswith("_")):
            found[name] = method
    return found


def unwrap(method: Any) -> Any:
    """Return the function below class methods, static methods and decorators."""
    while True:
        below = getattr(method, "__func__", None) or getattr(method, "__wrapped__", None)
        if below is None:
            return method
        method = below


def code_of(method: Any) -> CodeType | None:
    return getattr(method, "__code__", None)


def make_watch(cls: type, methods: dict[str, Any], page: mmap.mmap) -> Callable[[FrameType, str, Any], None]:
    """Return a profile function that marks on the page what returns."""
    places = {name: place for place, name in enumerate(methods)}
    marks: dict[Mark, list[int]] = {}  # several names may stand for one function
    for name, method in methods.items():
        if code := code_of(method):
            marks.setdefault((code.co_filename, code.co_firstlineno), []).append(places[name])

    def watch(frame: FrameType, event: str, result: Any) -> None:
        if event == "return":
            code = frame.f_code
            seen = marks.get((code.co_filename, code.co_firstlineno))
            if (
                seen
                and result is not NotImplemented
                and code.co_code[frame.f_lasti] in RETURNED
                and is_asked(frame.f_back)
            ):
                for place in seen:
                    page[place] = 1
        elif event == "c_return" and is_asked(frame):
            receiver = getattr(result, "__self__", None)
            if (isinstance(receiver, cls) or receiver is cls) and result.__name__ in places:
                page[places[result.__name__]] = 1

    return watch


def is_asked(caller: FrameType | None) -> bool:
    """Tell whether a call comes from the tool, rather than from another method, and is not made for trial."""
    if caller is None or module_of(caller).partition(".")[0] != "unlike":
        return False
    frame: FrameType | None = caller
    while frame is not None:
        if module_of(frame).startswith(TRIAL):
            return False
        frame = frame.f_back
    return True


def module_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


if __name__ == "__main__":
    main(sys.argv[1:])
