"""One incremental conversation with z3: declare units, assert, ask for a model, say how the next must differ.

Every conversation has a context of its own, without which z3 does not repeat the same models. Effort is counted in
z3's resource units; wall time only cuts short.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import z3

from unlike.core import FOREVER, Deadline
from unlike.language.terms import INT, REAL, STR, Kind, ListKind, Node, OptionKind, RecordKind, same_member
from unlike.language.values import Value
from unlike.solvers.base import LAST_RESORT, SOLVERS, Answer, Sat, Unknown, Unsat
from unlike.solvers.smtlib import TextSolver, leaves
from unlike.solvers.z3_symbols import KnownValues, RecordSymbol, Symbol, Symbols
from unlike.solvers.z3_terms import Translation

Z3: TypeAlias = Any  # z3 has no types
Path: TypeAlias = tuple[str, ...]

T = TypeVar("T")
TENTH = 0.1  # of the effort is spent on a plainer model than any
LONGEST = 1_000_000  # seconds; z3 counts milliseconds in 32 bits
MOST_UNITS = 4_000_000_000  # z3 counts effort in 32 bits
PLAIN = (10, 100, 10_000)  # numbers within these distances of the plainest are tried first


class Conversation:
    """Units, choices and assertions in one z3 solver."""

    def __init__(
        self,
        units: Mapping[Path, Value],
        choices: Mapping[int, int],
        *,
        linear: bool,
        seed: int = 0,
        name: str = "z3",
        effort: float = 1,
    ) -> None:
        self.name, self.effort = name, effort
        self.context = z3.Context()
        self.symbols = Symbols(self.context)
        self.kinds: dict[Hashable, Kind] = {path: value.kind for path, value in units.items()}
        self.kinds |= dict.fromkeys(choices, INT)
        self.parts, constraints = _declare(self.symbols, units, choices)
        self.known = _by_blank(self.parts)
        self.solver: Z3 = make_solver(name, self.context, self.kinds.values(), linear=linear, seed=seed)
        self.distinct = z3.Bool("not equal", self.context)
        self.rungs = self._ladder()
        self.rung = 0
        self.wishes = itertools.count()
        self.solver.add(*constraints)

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

    def add(self, node: Node) -> None:
        """Assert a term about every input."""
        self.solver.add(Translation(self.symbols, self.known).condition(node))

    def differ(self, relation: Node | None, found: Mapping[Hashable, object]) -> None:
        """Assert that the next model relates to a found one, and is not equal to it in its units."""
        if relation is not None:
            constants = {key: self.symbols.constant(value, self.kinds[key]) for key, value in found.items()}
            self.solver.add(_relate(self.symbols, relation, self.known, _by_blank(constants)))
        same = [
            self.symbols.same(self.parts[key], self.symbols.constant(value, self.kinds[key]), self.kinds[key])
            for key, value in found.items()
            if isinstance(key, tuple)
        ]
        self.solver.add(z3.Implies(self.distinct, z3.Not(z3.And(*same)), self.context))

    def check(self, *, deadline: Deadline = FOREVER, distinct: bool = True) -> Answer:
        """Ask for a model; numbers near the plainest are tried first. Without `distinct` values may repeat.

        A rung that is left open is not worth another: then any model will do.
        """
        assumed = [self.distinct] if distinct else []
        for rung in range(self.rung, len(self.rungs) - 1):
            limits = SolverBudget(self.effort * TENTH, deadline.seconds_left())
            answer = self._ask([*assumed, self.rungs[rung]], limits)
            if isinstance(answer, Sat) or (isinstance(answer, Unknown) and (answer.timeout or answer.clocked)):
                return answer  # time never chooses between models: it only cuts short
            if isinstance(answer, Unknown):
                break
            if distinct:
                self.rung = rung + 1  # constraints only grow: nothing plain enough is left
        return self._ask(assumed, SolverBudget(self.effort, deadline.seconds_left()))

    def wish(self, nodes: Sequence[Node], *, deadline: Deadline = FOREVER) -> Answer:
        """Ask for a model for which these terms hold, too; that may cost little."""
        literals = []
        for node in nodes:
            literal = z3.Bool(f"wish {next(self.wishes)}", self.context)
            said = Translation(self.symbols, self.known).condition(node)
            self.solver.add(z3.Implies(literal, said, self.context))
            literals.append(literal)
        return self._ask([self.distinct, *literals], SolverBudget(self.effort * TENTH, deadline.seconds_left()))

    def _ask(self, assumed: list[Z3], limits: SolverBudget) -> Answer:
        def read(model: Z3) -> Sat:
            return Sat({key: self.symbols.read(part, self.kinds[key], model) for key, part in self.parts.items()})

        return limits.ask(self.name, self.solver, read, assumed)

    def close(self) -> None:
        """End the conversation; another program is ended with it."""
        if isinstance(self.solver, TextSolver):
            self.solver.close()


@dataclass(frozen=True, slots=True)
class SolverBudget:
    """What a question may cost: so many times the usual effort, and so many seconds, if the user gave any."""

    effort: float
    seconds: float | None

    def put_on(self, solver: Z3) -> None:
        """Tell a solver the limits of its next question."""
        usual = (solver.kind if isinstance(solver, TextSolver) else SOLVERS["z3"]).effort
        solver.set("rlimit", max(1, min(int(self.effort * usual), MOST_UNITS)))
        if isinstance(solver, TextSolver):
            if self.seconds is not None:
                solver.set("timeout", max(1, int(self.seconds * 1000)))
        else:
            solver.set("timeout", max(1, int(min(self.longest, LONGEST) * 1000)))

    def ask(self, name: str, solver: Z3, read: Callable[[Z3], T], assumed: Sequence[Z3] = ()) -> T | Unsat | Unknown:
        """Return what is read from a model, or why there is none."""
        self.put_on(solver)
        try:
            answer = _check(solver, assumed)
            if answer == z3.unsat:
                return Unsat()
            return self.why(name, solver) if answer == z3.unknown else read(solver.model())
        except z3.Z3Exception as error:
            return Unknown(f"{name} failed: {error}")

    @property
    def longest(self) -> float:
        """How many seconds z3 may take: the user's, and in any case enough for what it should have counted."""
        patience = LAST_RESORT * max(1.0, self.effort)
        return patience if self.seconds is None else min(self.seconds, patience)

    def why(self, name: str, solver: Z3) -> Unknown:
        """Return the answer of a solver that left a question open."""
        reason = solver.reason_unknown()
        if reason == "timeout" and self.seconds is not None and self.longest == self.seconds:
            return Unknown(f"{name} ran out of time", timeout=True)
        if reason in ("timeout", "clock"):
            return Unknown(f"{name} was stopped by the clock, for it did not count its effort", clocked=True)
        if any(word in reason.lower() for word in ("canceled", "resource")):
            reason = "its budget is spent; more with effort"
        return Unknown(f"{name} gave up ({reason})")


def _check(solver: Z3, assumed: Sequence[Z3]) -> Z3:
    """Ask z3 in a thread of its own: while it works, only then is this one free to hear of Ctrl-C."""
    if isinstance(solver, TextSolver):
        return solver.check(*assumed)
    answers: list[Z3] = []

    def ask() -> None:
        try:
            answers.append(solver.check(*assumed))
        except Exception as error:  # handed over to the thread that waits
            answers.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        solver.ctx.interrupt()
        thread.join()
        raise
    if isinstance(answers[0], Exception):
        raise answers[0]
    return answers[0]


def make_solver(name: str, context: Z3, kinds: Collection[Kind], *, linear: bool, seed: int = 0) -> Z3:
    """Return z3, told which logic is enough; about strings it is asked in a process of its own, like all others.

    What z3 does with strings cannot be interrupted: only the end of its process ends it.
    """
    if name != "z3" or any(_has(kind, STR) for kind in kinds):
        return TextSolver(name, context, seed)
    linear = linear and not any(_has(kind, REAL) for kind in kinds)
    solver = z3.SolverFor("QF_LIA", ctx=context) if linear else z3.Solver(ctx=context)
    solver.set("random_seed", seed)
    solver.set("ctrl_c", False)  # otherwise z3 takes the signal for itself, and says only "unknown"
    return solver


def _declare(
    symbols: Symbols, units: Mapping[Path, Value], choices: Mapping[int, int], prefix: str = ""
) -> tuple[dict[Hashable, Symbol], list[Z3]]:
    """Return a symbol for each unit and choice, and what their declarations say of them."""
    constraints: list[Z3] = []
    parts: dict[Hashable, Symbol] = {}
    for path, value in units.items():
        parts[path] = symbols.declare(value, f"{prefix}{'.'.join(path)}", constraints)
    for number, arity in choices.items():
        parts[number] = z3.Int(f"{prefix}choice {number}", symbols.context)
        constraints += [parts[number] >= 0, parts[number] < arity]
    return parts, constraints


def _has(kind: Kind, sought: Kind) -> bool:
    match kind:
        case OptionKind(inner) | ListKind(inner):
            return _has(inner, sought)
        case RecordKind(fields):
            return any(_has(inner, sought) for _, inner in fields)
    return kind == sought


def _by_blank(parts: Mapping[Any, Symbol]) -> dict[Any, Symbol]:
    """Return the symbols of whole blanks and choices by side and name, records put together again."""
    known: dict[Any, Symbol] = {}
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


def _relate(symbols: Symbols, relation: Node, one: Mapping[Any, Symbol], two: Mapping[Any, Symbol]) -> Z3:
    """Return the condition that a relation holds between two inputs."""
    sides = {(side, key): symbol for side, known in ((1, one), (2, two)) for (_, key), symbol in known.items()}
    return Translation(symbols, sides).condition(relation)


# -- all inputs in one question ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of several inputs at once: the assertions on each, and the relation between any two."""

    units: Mapping[Path, Value]
    choices: Mapping[int, int]
    assertions: Sequence[Node]
    relation: Node | None
    key: Node | None = None  # a term whose values must all be distinct, instead of the relation
    apart: bool = True  # whether no two inputs may be equal; a key that tells them apart says so already
    linear: bool = False


class Together:
    """So many inputs in one question: a copy of every unit for each, or functions from a number to its values."""

    def __init__(
        self, question: Question, count: int, *, quantified: bool = False, name: str = "z3", effort: float = 1
    ) -> None:
        self.question, self.count, self.name, self.effort = question, count, name, effort
        self.context = z3.Context()
        self.symbols = Symbols(self.context)
        kinds = [value.kind for value in question.units.values()]
        self.solver: Z3 = make_solver(name, self.context, kinds, linear=question.linear and not quantified)
        self.copies: list[dict[Hashable, Symbol]] = []
        self.functions: list[tuple[Z3, Z3]] = []  # the units of the first copy, and what gives their values
        if quantified:
            self._quantify()
        else:
            self._copy()

    def _copy(self) -> None:
        """Assert everything about as many copies of the units as there are inputs."""
        for _ in range(self.count):
            self.solver.add(*self._declare())
        ranks = [self._rank(copy) for copy in self.copies]
        self.solver.add(*[one <= two for one, two in itertools.pairwise(ranks) if one is not None])
        if self.question.key is not None and self.count > 1:
            self.solver.add(z3.Distinct(*(self._key(copy) for copy in self.copies)))
        for i, j in itertools.combinations(range(self.count), 2):
            conditions = self._conditions_between(self.copies[i], self.copies[j])
            if conditions:
                self.solver.add(*conditions)

    def _quantify(self) -> None:
        """Assert everything for all numbers below the count, of functions from a number to the units."""
        one, two = self._declare(), self._declare()
        conditions = self._conditions_between(self.copies[0], self.copies[1])
        constants = list(leaves([*one, *two, *conditions], {}))
        mine = [each for each in constants if each.decl().name().startswith("0 ")]
        for constant in mine:
            function = z3.Function(f"each {constant.decl().name()}", z3.IntSort(self.context), constant.sort())
            self.functions.append((constant, function))
        i, j = z3.Ints("i j", self.context)
        first = [(constant, function(i)) for constant, function in self.functions]
        named = {constant.decl().name(): function for constant, function in self.functions}
        theirs = [each for each in constants if each.decl().name().startswith("1 ")]
        second = [(each, named["0 " + each.decl().name().removeprefix("1 ")](j)) for each in theirs]
        inside = z3.And(i >= 0, i < self.count)
        self.solver.add(z3.ForAll([i], z3.Implies(inside, z3.substitute(z3.And(*one), *first), self.context)))
        if conditions:
            body = z3.substitute(z3.substitute(z3.And(*conditions), *first), *second)
            pairs = z3.And(inside, j >= 0, j < self.count, i != j)
            self.solver.add(z3.ForAll([i, j], z3.Implies(pairs, body, self.context)))

    def _declare(self) -> list[Z3]:
        """Add a copy of the units; return what each input must satisfy."""
        question = self.question
        copy, constraints = _declare(self.symbols, question.units, question.choices, f"{len(self.copies)} ")
        self.copies.append(copy)
        translation = Translation(self.symbols, _by_blank(copy))
        stated = [translation.condition(node) for node in question.assertions]
        return [z3.BoolVal(True, self.context), *constraints, *stated]

    def _rank(self, copy: dict[Hashable, Symbol]) -> Z3:
        """Return a number to order the inputs by: any order is as good, and a question about one is easier."""
        if self.question.key is not None and z3.is_int(key := self._key(copy)):
            return key
        for key in (*self.question.choices, *self.question.units):
            symbol = copy[key].index if isinstance(copy[key], KnownValues) else copy[key]
            if z3.is_expr(symbol) and z3.is_arith(symbol):
                return symbol
        strings = [symbol for symbol in copy.values() if z3.is_expr(symbol) and z3.is_string(symbol)]
        return z3.Length(strings[0]) if strings else None

    def _key(self, copy: dict[Hashable, Symbol]) -> Z3:
        """Return the key of a copy as one expression; members of an enumeration are numbered."""
        key = self.question.key
        assert key is not None
        translation = Translation(self.symbols, _by_blank(copy))
        symbol = translation.symbol(key)
        if isinstance(symbol, KnownValues):
            firsts = [next(i for i, m in enumerate(symbol.members) if same_member(m, each)) for each in symbol.members]
            return self.symbols.expression(KnownValues(symbol.index, tuple(firsts)), INT)
        return translation.plain(key)

    def _conditions_between(self, one: dict[Hashable, Symbol], two: dict[Hashable, Symbol]) -> list[Z3]:
        conditions = []
        if self.question.relation is not None and self.question.key is None:
            conditions.append(_relate(self.symbols, self.question.relation, _by_blank(one), _by_blank(two)))
        if self.question.apart:
            units = self.question.units.items()
            conditions.append(z3.Not(z3.And(*[self.symbols.same(one[p], two[p], value.kind) for p, value in units])))
        return conditions

    def check(self, *, deadline: Deadline = FOREVER) -> list[dict[Hashable, object]] | Unsat | Unknown:
        """Ask for all inputs."""
        return SolverBudget(self.effort, deadline.seconds_left()).ask(self.name, self.solver, self._read)

    def _read(self, model: Z3) -> list[dict[Hashable, object]]:
        kinds: dict[Hashable, Kind] = {path: value.kind for path, value in self.question.units.items()}
        kinds.update(dict.fromkeys(self.question.choices, INT))
        if self.functions:
            models = [_At(model, self.functions, z3.IntVal(k, self.context)) for k in range(self.count)]
            copies = [self.copies[0]] * self.count
        else:
            models, copies = [model] * self.count, self.copies
        pairs = zip(copies, models, strict=True)
        return [{key: self.symbols.read(copy[key], kinds[key], each) for key in copy} for copy, each in pairs]

    def close(self) -> None:
        """End the conversation."""
        if isinstance(self.solver, TextSolver):
            self.solver.close()


class _At:
    """A model of functions, seen at one number."""

    def __init__(self, model: Z3, functions: Sequence[tuple[Z3, Z3]], number: Z3) -> None:
        self.model = model
        self.pairs = [(constant, function(number)) for constant, function in functions]

    def eval(self, expression: Z3, model_completion: bool = True) -> Z3:
        """Return the value of an expression about this number's input."""
        return self.model.eval(z3.substitute(expression, *self.pairs), model_completion=model_completion)
