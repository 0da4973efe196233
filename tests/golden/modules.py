"""Which modules of the package an import, or a command, loads: names, sorted."""

from __future__ import annotations

import contextlib
import importlib
import io
import sys


def main(words: list[str]) -> None:
    """Import the package, run the command if there is one, and print what was loaded."""
    importlib.import_module("unlike")
    if words:
        unheard = io.StringIO()
        with contextlib.redirect_stdout(unheard), contextlib.redirect_stderr(unheard), contextlib.suppress(SystemExit):
            importlib.import_module("unlike.cli").main(words)
    print("\n".join(sorted(name for name in sys.modules if name.split(".")[0] == "unlike")))
