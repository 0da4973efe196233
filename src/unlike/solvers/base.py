"""What a solver can answer, as values: a model, a proof that there is none, or "unknown" with the reason."""

from __future__ import annotations

import importlib.util
import shlex
import shutil
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TypeAlias

from unlike.errors import SolverError


@dataclass(frozen=True, slots=True)
class KnownSolver:
    """What must be known of a solver to ask it, by the name that it gives itself."""

    effort: int  # what one question may cost, in the solver's own units: some ten seconds
    seconds_option: str | None = None  # limits the time of a question
    needed: str = ""  # what it must be told before it is asked anything


SOLVERS = {  # those that are asked unless told otherwise, in this order, if they are installed
    "z3": KnownSolver(40_000_000, ":timeout"),
    "cvc5": KnownSolver(800_000, ":tlimit-per", "(set-option :incremental true)\n(set-option :strings-exp true)"),
}
KNOWN = ", ".join(SOLVERS)
ANY = KnownSolver(2_000_000)  # a program that we do not know
PATIENCE = 30.0  # seconds for a question to a program that does not count
LAST_RESORT = 180.0  # seconds for work that a solver forgot to count


@dataclass(frozen=True, slots=True)
class Sat:
    """A model: plain values by the unit or choice they belong to."""

    values: dict[Hashable, object]


@dataclass(frozen=True, slots=True)
class Unsat:
    """There is no model."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The solver gave up; `timeout` if the user's time was up, `clocked` if it was stopped for lack of a count."""

    reason: str
    timeout: bool = False
    clocked: bool = False


Answer: TypeAlias = Sat | Unsat | Unknown


def is_installed(name: str) -> bool:
    """Tell whether a known solver can be asked."""
    return importlib.util.find_spec(name) is not None


def check_solver(solver: str) -> None:
    """Refuse what is neither a known solver that is installed nor a command whose program exists."""
    if not isinstance(solver, str) or not solver.strip():
        raise SolverError(f"solver={solver!r} is not the name of a solver; give {KNOWN}, or a command like 'z3 -in'")
    if solver not in SOLVERS:
        split_command(solver)
    elif not is_installed(solver):
        raise SolverError(f"{solver} is not installed; pip install 'unlike[{solver}]' or pass solver='z3'")


def split_command(command: str) -> list[str]:
    """Return the words of a command whose program exists."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SolverError(f"solver {command!r} is not a command: {error}") from None
    if not words or shutil.which(words[0]) is None:
        remedy = f"give {KNOWN}, or a command that reads SMT-LIB 2 from its standard input, like 'z3 -in'"
        raise SolverError(f"solver {command!r}: there is no program {(words or [''])[0]!r}; {remedy}")
    return words


class Untranslatable(SolverError):  # noqa: N818  (what is said of a term)
    """A term that this solver cannot be told; the message names it."""
