"""One incremental conversation with z3: declare units, assert, ask for a model, say how the next must differ.

Every conversation has a context of its own, without which z3 does not repeat the same models. Effort is counted in
z3's resource units; wall time only cuts short.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Mapping
from typing import Any, TypeAlias

import z3

from unlike.language.terms import INT, REAL, STR, Kind, ListKind, Node, OptionKind, RecordKind
from unlike.language.values import Value
from unlike.solvers.base import Answer, Sat, Unknown, Unsat
from unlike.solvers.z3_symbols import RecordSymbol, Symbol, Symbols
from unlike.solvers.z3_terms import Translation

Z3: TypeAlias = Any  # z3 has no types
Path: TypeAlias = tuple[str, ...]

EFFORT = 40_000_000  # resource units for one question; some ten seconds
LONGEST = 1_000_000  # seconds; z3 counts milliseconds in 32 bits
PLAIN = (10, 100, 10_000)  # numbers within these distances of the plainest are tried first


class Conversation:
    """Units, choices and assertions in one z3 solver."""

    def __init__(self, units: Mapping[Path, Value], choices: Mapping[int, int], *, linear: bool, seed: int = 0) -> None:
        self.context = z3.Context()
        self.symbols = Symbols(self.context)
        self.kinds: dict[Hashable, Kind] = {path: value.kind for path, value in units.items()}
        self.labels: dict[str, str] = {}
        self.known: dict[Hashable, Symbol] = {}
        declared: list[tuple[str, list[Z3]]] = []
        parts: dict[Hashable, Symbol] = {}
        for path, value in units.items():
            constraints: list[Z3] = []
            parts[path] = self.symbols.declare(value, ".".join(path), constraints)
            declared.append((".".join(path), constraints))
        for number, arity in choices.items():
            choice = z3.Int(f"choice {number}", self.context)
            self.kinds[number] = INT
            parts[number] = choice
            declared.append((f"choice {number}", [choice >= 0, choice < arity]))
        self.parts = parts
        self.known.update(_by_blank(parts))
        self.solver = self._solver(linear)
        self.solver.set("random_seed", seed)
        self.solver.set("ctrl_c", False)  # otherwise z3 takes the signal for itself, and says only "unknown"
        self.distinct = z3.Bool("not equal", self.context)
        self.rungs = self._ladder()
        self.rung = 0
        for _, constraints in declared:
            self.solver.add(*constraints)

    def _solver(self, linear: bool) -> Z3:
        if linear and all(map(_numeric, self.kinds.values())):
            return z3.SolverFor("QF_LIA", ctx=self.context)
        return z3.Solver(ctx=self.context)

    def _ladder(self) -> list[Z3]:
        """Return assumptions that hold numbers near the plainest ones: ever weaker, at last nothing."""
        rungs = []
        for reach in PLAIN:
            near = [z3.And(code >= plain - reach, code <= plain + reach) for code, plain in self.symbols.numbers]
            if near:
                literal = z3.Bool(f"near {reach}", self.context)
                self.solver.add(z3.Implies(literal, z3.And(*near), self.context))
                rungs.append(literal)
        return [*rungs, None]

    def add(self, node: Node, label: str | None = None) -> None:
        """Assert a term about every input; under a label it can be named as part of a clash."""
        condition = Translation(self.symbols, self.known).condition(node)
        if label is None:
            self.solver.add(condition)
            return
        tracker = f"a{len(self.labels)}"
        self.labels[tracker] = label
        self.solver.assert_and_track(condition, z3.Bool(tracker, self.context))

    def differ(self, relation: Node | None, found: Mapping[Hashable, object]) -> None:
        """Assert that the next model relates to a found one, and is not equal to it in its units."""
        if relation is not None:
            known: dict[Hashable, Symbol] = {(1, key): symbol for (_, key), symbol in _sided(self.known)}
            constants = {key: self.symbols.constant(value, self.kinds[key]) for key, value in found.items()}
            known.update({(2, key): symbol for (_, key), symbol in _sided(_by_blank(constants))})
            self.solver.add(Translation(self.symbols, known).condition(relation))
        same = [
            self.symbols.same(self.parts[key], self.symbols.constant(value, self.kinds[key]), self.kinds[key])
            for key, value in found.items()
            if isinstance(key, tuple)
        ]
        self.solver.add(z3.Implies(self.distinct, z3.Not(z3.And(*same)), self.context))

    def check(self, *, seconds: float | None = None, distinct: bool = True) -> Answer:
        """Ask for a model; numbers near the plainest are tried first. Without `distinct` values may repeat."""
        assumed = [self.distinct] if distinct else []
        for rung in range(self.rung, len(self.rungs)):
            literal = self.rungs[rung]
            answer = self._ask([*assumed, *([] if literal is None else [literal])], seconds)
            if isinstance(answer, Sat) or literal is None or (isinstance(answer, Unknown) and answer.timeout):
                return answer  # time never chooses between models: it only cuts short
            if distinct and isinstance(answer, Unsat):
                self.rung = rung + 1  # constraints only grow: nothing plain enough is left
        return answer

    def _ask(self, assumed: list[Z3], seconds: float | None) -> Answer:
        self.solver.set("rlimit", EFFORT)
        if seconds is not None:
            self.solver.set("timeout", max(1, int(min(seconds, LONGEST) * 1000)))
        try:
            answer = self._check(assumed)
        except z3.Z3Exception as error:
            return Unknown(f"z3 failed: {error}")
        if answer == z3.unsat:
            return Unsat()
        if answer == z3.unknown:
            reason = self.solver.reason_unknown()
            if seconds is not None and reason in ("timeout", "canceled"):
                return Unknown("z3 ran out of time", timeout=True)
            return Unknown(f"z3 gave up ({reason})")
        model = self.solver.model()
        return Sat({key: self.symbols.read(part, self.kinds[key], model) for key, part in self.parts.items()})

    def _check(self, assumed: list[Z3]) -> Z3:
        """Ask in a thread of its own: while z3 works, only then is this one free to hear of Ctrl-C."""
        answers: list[Z3] = []

        def ask() -> None:
            try:
                answers.append(self.solver.check(*assumed))
            except z3.Z3Exception as error:
                answers.append(error)

        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        try:
            thread.join()
        except KeyboardInterrupt:
            self.context.interrupt()
            thread.join()
            raise
        if isinstance(answers[0], z3.Z3Exception):
            raise answers[0]
        return answers[0]

    def clash(self) -> list[str]:
        """Return the labels of the assertions that z3 used in its last proof."""
        return [self.labels[str(name)] for name in self.solver.unsat_core() if str(name) in self.labels]


def _numeric(kind: Kind) -> bool:
    match kind:
        case OptionKind(inner) | ListKind(inner):
            return _numeric(inner)
        case RecordKind(fields):
            return all(_numeric(inner) for _, inner in fields)
    return kind not in (STR, REAL)


def _by_blank(parts: Mapping[Hashable, Symbol]) -> dict[Hashable, Symbol]:
    """Return the symbols of whole blanks and choices by side and name, records put together again."""
    known: dict[Hashable, Symbol] = {}
    for key, symbol in parts.items():
        if not isinstance(key, tuple):
            known[0, key] = symbol
            continue
        name, *fields = key
        if not fields:
            known[0, name] = symbol
            continue
        whole = known.setdefault((0, name), RecordSymbol({}))
        for field in fields[:-1]:
            whole = whole.fields.setdefault(field, RecordSymbol({}))
        whole.fields[fields[-1]] = symbol
    return known


def _sided(known: Mapping[Hashable, Symbol]) -> list[tuple[tuple[int, Hashable], Symbol]]:
    return [(key, symbol) for key, symbol in known.items() if isinstance(key, tuple)]
