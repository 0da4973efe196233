"""A process that has everything loaded, and answers each request in a copy of itself.

Requests come as JSON lines on standard input: which function to call with which words, and in which folder. What the copy
writes on standard output and standard error goes to files beside that folder. The answer is its exit code, as a line.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import sys
from pathlib import Path

LOADED = [
    *("jsonschema", "pysat.solvers", "rich.console", "rich.table", "yaml", "z3"),
    *("attrs", "pydantic", "annotated_types"),
    *("unlike.cli.generate", "unlike.cli.explore", "unlike.cli.builders", "unlike.cli.program", "unlike.cli.regex"),
    *("unlike.cli.invariants.structures", "unlike.cli.invariants.compare", "unlike.cli.invariants.fields"),
    *("unlike.cli.openapi", "unlike.cli.schemas", "unlike.engine.asking.solve", "unlike.field_exhaustive"),
]


def serve() -> None:
    """Answer one request after the other."""
    for module in LOADED:
        with contextlib.suppress(ImportError):  # a rebuild may have moved it: then it is loaded when it is used
            importlib.import_module(module)
    gc.collect()
    gc.freeze()  # or each copy would copy all of it, looking for garbage
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            _answer(**request)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _answer(call: str, words: list[str], folder: str) -> None:
    """Call the function as a process of its own would, and leave."""
    os.chdir(folder)
    for number, name in ((1, f"{folder}.out"), (2, f"{folder}.err")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = Path(os.devnull).open()  # noqa: SIM115  # not what was read ahead of the next request
    code = 1
    try:
        code = run(call, words)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def run(call: str, words: list[str]) -> int:
    """Return the exit code of MODULE:FUNCTION called with the words."""
    module, _, name = call.partition(":")
    try:
        getattr(importlib.import_module(module), name)(words)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # shown as the interpreter would show it
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1:]:  # in a process of its own: nothing is loaded before it is used
        sys.exit(run(sys.argv[1], sys.argv[2:]))
    serve()
