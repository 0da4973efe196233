"""A solver's library as a program that reads SMT-LIB 2: `python program.py z3`, in a process that can be ended.

A library in our own process cannot be stopped: z3 hears neither its own limit nor an interrupt while it simplifies a
regular expression. This file is run by its path and knows nothing else of the package, so that it starts quickly.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeAlias

Ask: TypeAlias = Callable[[str], str]  # sends commands, returns what they print


def open_z3() -> Ask:
    """Return the way to z3."""
    import z3

    context = z3.Context()
    evaluate: Any = z3.z3core.Z3_eval_smtlib2_string

    def ask(text: str) -> str:
        try:
            return str(evaluate(context.ref(), text))
        except z3.Z3Exception as error:
            return f"{error.value.decode() if isinstance(error.value, bytes) else error.value}\n"

    return ask


def open_cvc5() -> Ask:
    """Return the way to cvc5."""
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    symbols = parser.getSymbolManager()

    def ask(text: str) -> str:
        said = []
        try:
            parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "unlike")
            while not (command := parser.nextCommand()).isNull():
                said.append(command.invoke(solver, symbols))
        except RuntimeError as error:
            said.append(f"(error {error})\n")
        return "".join(said)

    return ask


LIBRARIES: dict[str, Callable[[], Ask]] = {"z3": open_z3, "cvc5": open_cvc5}


def listen(lines: queue.SimpleQueue[str]) -> None:
    """Pass on what is read; who asked is gone when there is nothing more, whatever the solver is doing."""
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def serve(ask: Ask) -> None:
    """Answer all commands up to each (echo …), which ends a question, and say it back."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(lines,), daemon=True).start()
    asked: list[str] = []
    while True:
        asked.append(lines.get())
        if asked[-1].startswith("(echo "):
            said, mark = ask("".join(asked[:-1])), asked.pop().removeprefix("(echo ").rstrip(")\n")
            sys.stdout.write(f"{said}{mark}\n" if not said or said.endswith("\n") else f"{said}\n{mark}\n")
            sys.stdout.flush()
            asked.clear()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asked
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    serve(LIBRARIES[sys.argv[1]]())
