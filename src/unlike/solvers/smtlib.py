"""Any SMT-LIB 2 solver as text: what is asserted is printed, what is answered is read back.

`TextSolver` stands where a z3 solver stands in a `Conversation`, so all solvers are told the same. Each is a program of
its own, which is ended when its time is up: a command, or a library behind `solvers/program`.
"""

from __future__ import annotations

import contextlib
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import z3

from unlike.core import CutShort
from unlike.errors import SolverError
from unlike.solvers.base import ANY, LAST_RESORT, PATIENCE, SOLVERS, KnownSolver, check_solver, split_command
from unlike.suite import Ending, Status

Z3: TypeAlias = Any  # z3 has no types

WHO = "(set-option :print-success false)\n(get-info :name)"
MODELS = "(set-option :produce-models true)"
LOGIC = "(set-logic ALL)"
MARK = "unlike-has-read-this"
GRACE = 0.3  # seconds that a solver may go beyond its limit before it is stopped
PROGRAM = str(Path(__file__).with_name("program.py"))  # runs a solver that is a library


class Stopped(Exception):  # noqa: N818  (what happened to a solver)
    """The solver is gone, or could not be understood; the message says how."""


class Pipe:
    """A solver that reads SMT-LIB 2 from its standard input, in a process of its own."""

    def __init__(self, solver: str) -> None:
        self.name = solver
        words = _words_of(solver)
        try:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            raise SolverError(f"solver {solver!r} cannot be started: {error.strerror}") from None
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError, OSError):  # closed while we read
            for line in self.process.stdout:
                self.lines.put(line)
        self.lines.put(None)

    def ask(self, text: str, seconds: float | None) -> str:
        """Send commands and return what they print, until it echoes a mark."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f'{text}\n(echo "{MARK}")\n')
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise Stopped(self._how()) from None
        said: list[str] = []
        while True:
            try:
                line = self.lines.get(timeout=None if seconds is None else seconds + GRACE)
            except queue.Empty:
                self.close()
                raise CutShort(Status(Ending.TIMEOUT, f"{self.name} did not answer in time")) from None
            if line is None:
                raise Stopped(self._how())
            if line.strip().strip('"') == MARK:
                return "".join(said)
            said.append(line)

    def _how(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE)
        return f"{self.name} ended by itself (exit code {self.process.poll()})"

    def close(self) -> None:
        """End the process, and leave nothing open."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join(GRACE)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError, ValueError):
                    stream.close()


def _words_of(solver: str) -> list[str]:
    """Return the command that runs a solver; the path of our own program is not searched for modules."""
    if solver not in SOLVERS:
        return split_command(solver)
    check_solver(solver)
    return [sys.executable, "-P", PROGRAM, solver]


def _how(error: Stopped | CutShort) -> str:
    """Return what happened to a solver, in words."""
    return error.status.detail if isinstance(error, CutShort) else str(error)


class TextSolver:
    """Stands for a z3 solver: assertions are z3 expressions, printed; answers are read from text."""

    def __init__(self, solver: str, context: Z3, seed: int = 0) -> None:
        self.channel, self.context, self.seed = Pipe(solver), context, seed
        self.waiting: list[str] = []
        self.declared: dict[str, Z3] = {}
        self.seen: dict[int, Z3] = {}  # expressions looked at; kept, so that their ids stay theirs
        self.seconds: float | None = None
        self.units = 0
        self.reason = ""
        self.why: Literal["", "timeout", "clock"] = ""  # if time was up, whose
        self.gone = False
        self.kind: KnownSolver = ANY
        self.counts = False
        try:
            self._open()
        except (Stopped, CutShort) as error:
            self.gone, self.reason = True, _how(error)

    def _open(self) -> None:
        """Ask for its name, set what that program needs, and find out whether it counts its effort."""
        named = re.search(r':name\s+"([^"]*)"', self.channel.ask(WHO, PATIENCE))
        self.kind = SOLVERS.get(named.group(1).lower(), ANY) if named else ANY
        seed = f"(set-option :random-seed {self.seed})" if self.seed else ""
        self.channel.ask("\n".join(filter(None, [MODELS, seed, self.kind.needed, LOGIC])), PATIENCE)
        self.counts = not self.channel.ask(budget(self.kind.effort), PATIENCE).strip()

    def set(self, option: str, value: int) -> None:
        """Take note of a limit of time or effort; it is told with the next question."""
        if option == "timeout":
            self.seconds = value / 1000
        elif option == "rlimit":
            self.units = value

    def add(self, *conditions: Z3) -> None:
        """Assert conditions; they are sent with the next question."""
        for condition in conditions:
            self._declare(condition)
            self.waiting.append(f"(assert {condition.sexpr()})")

    def _declare(self, expression: Z3) -> None:
        for leaf in leaves([expression], self.seen):
            name, decl = printed_name(leaf), leaf.decl()
            if name not in self.declared:
                self.declared[name] = leaf
                takes = " ".join(decl.domain(i).sexpr() for i in range(decl.arity()))
                self.waiting.append(f"(declare-fun {name} ({takes}) {decl.range().sexpr()})")

    def check(self, *assumed: Z3) -> Z3:
        """Ask for a model under assumptions."""
        for each in assumed:
            self._declare(each)
        literals = " ".join(each.sexpr() for each in assumed)
        said = self._ask(f"(check-sat-assuming ({literals}))" if assumed else "(check-sat)")
        word = said.strip()  # the only one: who complains of anything else did not understand all that was asserted
        if word in ("sat", "unsat"):
            return z3.sat if word == "sat" else z3.unsat
        if not self.reason:
            self._explain(said)
        return z3.unknown

    def _explain(self, said: str) -> None:
        """Find out why the answer is unknown; what did not end by its count ended by the clock."""
        self.reason = said.strip()[:200] or "it said nothing"
        if self.reason == "unknown":  # the reason comes only on request
            with contextlib.suppress(Stopped, CutShort):
                self.reason = self.channel.ask("(get-info :reason-unknown)", PATIENCE).strip()[:200]
        if re.search("timeout", self.reason, re.IGNORECASE):
            self.why = self._whose()

    def _whose(self) -> Literal["timeout", "clock"]:
        return "clock" if self.seconds is None or self.seconds > self.patience else "timeout"

    @property
    def patience(self) -> float:
        """How many seconds a question may take, whatever was counted."""
        times = max(1.0, self.units / self.kind.effort)
        return times * (LAST_RESORT if self.counts else PATIENCE)

    def _ask(self, question: str) -> str:
        if self.gone:
            return ""
        self.reason, self.why = "", ""
        seconds = self.patience if self.seconds is None else min(self.seconds, self.patience)
        text = "\n".join([*self._limits(seconds), *self.waiting, question])
        self.waiting.clear()
        try:
            return self.channel.ask(text, seconds)
        except CutShort as late:
            self.gone, self.reason, self.why = True, _how(late), self._whose()
        except Stopped as error:
            self.gone, self.reason = True, str(error)
        return ""

    def _limits(self, seconds: float) -> list[str]:
        option = self.kind.seconds_option
        limits = [f"(set-option {option} {max(1, int(seconds * 1000))})"] if option else []
        if self.counts and self.units:
            limits.append(budget(self.units))
        return limits

    def reason_unknown(self) -> str:
        """Say why the last answer was unknown: "timeout" or "clock" if time was up, the user's or ours."""
        return self.why or self.reason

    def model(self) -> TextModel:
        """Return the model of the last answer."""
        return TextModel(self)

    def values(self, terms: Sequence[Z3]) -> list[Z3]:
        """Return the values that the model gives to terms."""
        said = self._ask(f"(get-value ({' '.join(term.sexpr() for term in terms)}))")
        try:
            pairs = _tree(said)
            return [_value(pair[1], term, self.context) for pair, term in zip(pairs, terms, strict=True)]
        except (ValueError, IndexError, TypeError, KeyError):
            self.gone, self.reason = True, f"{self.channel.name} gave no values: {said.strip()[:200]!r}"
            raise z3.Z3Exception(self.reason) from None

    def close(self) -> None:
        """End the solver."""
        self.gone = True
        self.channel.close()


def budget(units: int) -> str:
    """Return the option of SMT-LIB that limits the effort of a question, in units of the solver's own."""
    return f"(set-option :reproducible-resource-limit {units})"


def leaves(expressions: Sequence[Z3], seen: dict[int, Z3]) -> Iterator[Z3]:
    """Yield the constants and applications of functions that expressions leave open, looking at every part once."""
    todo = list(reversed(expressions))
    while todo:
        each = todo.pop()
        if each.get_id() in seen:
            continue
        seen[each.get_id()] = each
        if z3.is_quantifier(each):
            todo.append(each.body())
        elif z3.is_app(each):
            if each.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                yield each
            todo += reversed(each.children())


def printed_name(application: Z3) -> str:
    """Return the name of a constant or function as it is printed."""
    decl = application.decl()
    if decl.arity() == 0:
        return str(application.sexpr())
    name: str = decl.name()
    return name if re.fullmatch(r"[A-Za-z_.][A-Za-z0-9_.!]*", name) else f"|{name}|"


class TextModel:
    """A model that is asked for values as they are needed."""

    def __init__(self, solver: TextSolver) -> None:
        self.solver = solver
        constants = [each for each in solver.declared.values() if each.decl().arity() == 0]
        values = solver.values(constants) if constants else []
        self.pairs = list(zip(constants, values, strict=True))

    def eval(self, expression: Z3, model_completion: bool = True) -> Z3:
        """Return the value of an expression."""
        del model_completion  # always
        applied = z3.simplify(z3.substitute(expression, *self.pairs)) if self.pairs else expression
        open_ = _applications(applied)
        asked = [each for each in open_ if printed_name(each) in self.solver.declared]
        known = list(zip(asked, self.solver.values(asked) if asked else [], strict=True))
        known += [
            (each, _default(each)) for each in open_ if not any(each.eq(other) for other in asked)
        ]  # nothing was ever said of it
        return z3.simplify(z3.substitute(applied, *known)) if known else applied


def _applications(expression: Z3) -> list[Z3]:
    found, todo = [], [expression]
    while todo:
        each = todo.pop()
        if z3.is_app(each) and each.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found.append(each)
        else:
            todo += each.children()
    return found


def _default(term: Z3) -> Z3:
    context = term.ctx
    if z3.is_bool(term):
        return z3.BoolVal(False, context)
    return z3.StringVal("", context) if z3.is_string(term) else z3.IntVal(0, context)


# -- reading answers ---------------------------------------------------------------------------------------

_WORD = re.compile(r'\s*(?:([()])|("(?:[^"]|"")*")|(\|[^|]*\|)|([^\s()"|]+))')


def _tree(text: str) -> Any:
    """Return an s-expression as nested lists of words."""
    stack: list[list[Any]] = [[]]
    for found in _WORD.finditer(text):
        word = found.group().strip()
        if word == "(":
            stack.append([])
        elif word == ")":
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(word)
    return stack[0][0]


def _value(word: Any, term: Z3, context: Z3) -> Z3:
    if z3.is_bool(term):
        return z3.BoolVal({"true": True, "false": False}[word], context)
    if z3.is_string(term):
        return z3.StringVal(word[1:-1].replace('""', '"'), context)
    number = -int(word[1]) if isinstance(word, list) and word[0] == "-" else int(word)
    return z3.IntVal(number, context)
