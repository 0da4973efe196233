"""Command lines run in copies of a process that has everything loaded: as apart from each other as processes, and cheap.

`run` is the caller's side; `serve`, in the other process, answers each request in a copy of itself. Requests are JSON
lines on its standard input: which function to call with which words, and in which folder. What the copy writes on standard
output and standard error goes to files beside that folder. The answer is the copy's exit code, as a line.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
SECONDS = 120  # for one command
MAIN = "unlike.cli:main"
LOADED = [  # of what is installed; of this project, everything
    *("jsonschema", "pysat.solvers", "rich.console", "rich.table", "yaml", "z3", "cvc5"),
    *("attrs", "pydantic.main", "pydantic.json_schema", "pydantic.plugin._loader", "annotated_types"),
    *("csv", "email.message", "email.parser", "http.client", "importlib.metadata", "urllib.request"),
]

Done = subprocess.CompletedProcess[str]


def run(words: Sequence[str], folder: Path | str, *, call: str = MAIN) -> Done:
    """Run a command in a folder, as `python -m unlike.cli` would; return its exit code and what it wrote."""
    with tempfile.TemporaryDirectory(prefix="warm") as aside:
        out, err = Path(aside, "out"), Path(aside, "err")
        code = _server().ask(
            {"call": call, "words": list(words), "folder": str(folder), "out": str(out), "err": str(err)}
        )
        return _done(words, code, out.read_bytes(), err.read_bytes())


def run_alone(words: Sequence[str], folder: Path | str, *, call: str = MAIN) -> Done:
    """Do the same in a process of its own, in which nothing is loaded before it is used."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.warm", call, *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=_environment() | {"PYTHONPATH": str(ROOT)},
        timeout=SECONDS,
        check=False,
    )
    return _done(words, done.returncode, done.stdout, done.stderr)


def _done(words: Sequence[str], code: int, out: bytes, err: bytes) -> Done:
    texts = (each.decode("utf-8", "backslashreplace") for each in (out, err))
    return subprocess.CompletedProcess(list(words), code, *texts)


def _environment() -> dict[str, str]:
    """Return the environment without what pytest, a terminal or a user's settings would change."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "UNLIKE"))}
    kept.pop("PYTHONPATH", None)
    kept |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "unlike_pytest"}  # whatever else is installed
    return kept | {"COLUMNS": "100", "LINES": "40", "NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8"}


class _Server:
    """The process that has everything loaded."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.warm"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=_environment(),
            start_new_session=True,
        )

    def ask(self, request: dict[str, object]) -> int:
        """Return the exit code that answers a request."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], SECONDS)[0]:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.close()
            raise TimeoutError(f"{request['words']} took more than {SECONDS} s")
        return int(self.process.stdout.readline())

    def close(self) -> None:
        """End it."""
        _server.cache_clear()
        self.process.communicate()


@functools.cache
def _server() -> _Server:
    made = _Server()
    atexit.register(made.close)
    return made


# -- in the other process


def serve() -> None:
    """Answer one request after the other."""
    for module in [*LOADED, *_own_modules()]:
        with contextlib.suppress(ImportError):  # it may not be installed: then what needs it says so
            importlib.import_module(module)
    chars = importlib.import_module("unlike.regex.chars")
    for letter in "dws":  # a million characters are looked through, once
        chars.category(letter, ascii_only=False)
    gc.collect()
    gc.freeze()  # or each copy would copy all of it, looking for garbage
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            _answer(**request)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _own_modules() -> Iterator[str]:
    """Yield the names of all modules of this project, but those that run when they are imported."""
    package = importlib.import_module("unlike")  # not above: what runs alone loads nothing before it is used
    for found in pkgutil.walk_packages(package.__path__, "unlike."):
        if not found.name.endswith(".__main__"):
            yield found.name


def _answer(call: str, words: list[str], folder: str, out: str, err: str) -> None:
    """Call the function as a process of its own would, and leave."""
    os.chdir(folder)
    for number, name in ((1, out), (2, err)):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = Path(os.devnull).open()  # noqa: SIM115  # not what was read ahead of the next request
    code = 1
    try:
        code = call_main(call, words)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def call_main(call: str, words: list[str]) -> int:
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
    if sys.argv[1:]:
        sys.exit(call_main(sys.argv[1], sys.argv[2:]))
    serve()
