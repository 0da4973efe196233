"""One run of an invariant on all structures at once: guards, variables, and what is known of them.

Every statement runs under a guard, a literal that says for which structures it runs. A variable keeps its versions,
each with the guard under which it was assigned; they are merged only when the variable is read. What runs where is a
Site: a call that is running, a node of its syntax tree, and the guard.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from unlike.core import FOREVER, Deadline
from unlike.invariants.compile.formula import FALSE, SHORT, TRUE, Literal, Prover, TooLargeError
from unlike.invariants.compile.heap import OpenHeap
from unlike.invariants.compile.program import Function, Program
from unlike.invariants.compile.values import (
    Alternatives,
    ContainerValue,
    Identity,
    ListValue,
    Number,
    SetValue,
    Thing,
    Unread,
    UnsupportedError,
    Value,
    made_plain,
    unbox,
)


@dataclass(slots=True, eq=False)
class PossibleError:
    """An exception: when it is raised, and of which type it is."""

    literal: Literal
    kind: type[BaseException]


@dataclass(slots=True, eq=False)
class PendingCall:
    """A call that waits for its body: its guard, its arguments, and where its result is expected."""

    guard: Literal
    arguments: list[Value]
    result: Value  # a Truth or a Number that is still open, or nothing


@dataclass(slots=True, eq=False)
class Body:
    """A function called with one object, and the calls that it answers."""

    function: Function
    thing: Thing
    assume: bool
    outer: Frame | None  # where the names outside the function live
    generation: int  # calls that come after a body was run get another one
    at_most_once: bool  # two calls on this object would be rejected
    has_effects: bool  # it adds to a set
    calls: list[PendingCall] = field(default_factory=list)
    is_done: bool = False


@dataclass(slots=True, eq=False)
class KnownResult:
    """What a function of an object alone gives, and when it raises; not yet known while it is being found."""

    is_known: bool = False
    value: Value = None
    raised: list[PossibleError] = field(default_factory=list)


@dataclass(slots=True)
class PendingCalls:
    """The tables of recursion, for one run."""

    results: dict[tuple[Any, ...], KnownResult] = field(default_factory=dict)  # by function and arguments
    bodies: dict[tuple[Any, ...], Body] = field(default_factory=dict)
    waiting: list[Body] = field(default_factory=list)
    shared: dict[int, SetValue] = field(default_factory=dict)  # by id: sets that only say "at most once" to bodies
    disciplined: set[ast.AST] = field(default_factory=set)  # where they are used so
    running: int = 0
    depth: int = 0
    coming_back: set[str] = field(
        default_factory=set
    )  # functions that may be called again while a result is being found
    unshared: set[str] = field(default_factory=set)  # functions each of whose calls runs a body of its own
    nested: dict[tuple[Any, ...], int] = field(default_factory=dict)  # how often those are running, by other arguments


NARROWING = 1_000  # conflicts for the question which objects a variable can be
MOST_STEPS = 3_000_000  # expressions and statements of one compilation
FEW_FOUND = 4  # objects that the solver finds possible, after which it is no longer asked about the others


@dataclass(slots=True)
class Loop:
    """The guards under which a loop was left by `break`, or its round by `continue`."""

    broken: Literal = FALSE
    continued: Literal = FALSE


@dataclass(slots=True)
class Frame:
    """A call that is running. With `assume`, the call must return something true: False rejects the structure."""

    function: Function
    variables: dict[str, list[tuple[Literal, Value]]]  # name -> versions, the last one first
    assume: bool
    entry: Literal
    outer: Frame | None = None  # where names that are not its own are looked up
    is_comprehension: bool = False
    hand_on: Callable[[Literal, Value], Literal] | None = None  # takes what a generator yields
    returns: list[tuple[Literal, Value]] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    caught: list[list[PossibleError]] = field(
        default_factory=list
    )  # by the handlers that are running, the last one last

    def owner_of(self, name: str) -> Frame | None:
        """Return the call whose variable a name is; None if it is nobody's, or has no value yet."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.variables:
                return frame
            if not frame.is_comprehension and name in frame.function.own_names:
                return None
            frame = frame.outer
        return None

    def has_own(self, name: str) -> bool:
        """Tell whether a name is a variable here, or in a call around it, with or without a value."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.variables or name in frame.function.own_names:
                return True
            frame = frame.outer
        return False

    def keeper_of(self, name: str) -> Frame:
        """Return the call in which an assignment to a name is kept."""
        if self.is_comprehension or name not in self.function.outer_names:
            return self
        frame = self.outer
        while frame is not None and (frame.is_comprehension or name not in frame.function.own_names):
            frame = frame.outer
        assert frame is not None
        return frame

    @property
    def body(self) -> Frame:
        """The call of a function that a comprehension stands in."""
        frame = self
        while frame.is_comprehension and frame.outer is not None:
            frame = frame.outer
        return frame


@dataclass(slots=True)  # not frozen: one is made for every step, and a frozen one takes three times as long to make
class Site:
    """Where something runs: in which call, at which node, and for which structures."""

    frame: Frame
    node: ast.AST
    guard: Literal

    def at(self, node: ast.AST) -> Site:
        """Return another node of the same call, for the same structures."""
        return Site(self.frame, node, self.guard)

    def under(self, guard: Literal) -> Site:
        """Return the same node for other structures."""
        return Site(self.frame, self.node, guard)


class Run(ABC):
    """What all parts of the interpreter share; its entries are filled by `interpreter`."""

    def __init__(self, heap: OpenHeap, *, bound: int, deadline: Deadline = FOREVER) -> None:
        self.heap = heap
        self.algebra = heap.algebra
        self.formula = heap.algebra.formula
        self.prover = Prover(self.formula, deadline)
        self.program = Program(tuple(heap.things))
        self.pending = PendingCalls()
        # how often a loop is unrolled, how deep a call is nested; and results of recursive calls lie between minus
        # this and this
        self.bound = bound
        self.exceeded: list[tuple[Literal, str]] = []  # when these guards hold, a bound was too small
        self.raised: list[PossibleError] | None = None  # exceptions are collected here, where they may be of no concern
        self.dead: Literal = FALSE  # when one of those was raised: nothing that follows happens then
        self.beyond: Literal = FALSE  # when a bound was too small
        self.watch_since: int | None = None  # what was made before this step must not change
        self.steps = 0
        self.lifted: dict[int, tuple[object, Value]] = {}  # constants that are containers, by id
        self.deadline = deadline
        self._things = {
            thing.active: thing for group in heap.things.values() for thing in group if thing is not heap.root
        }
        self._probed: dict[tuple[Thing, str], int] = {}
        self._narrowed: dict[tuple[int, Literal], tuple[Value, Value, int]] = {}

    # -- the entries: whatever needs another part of the interpreter asks for it here -------------------

    @abstractmethod
    def evaluate(self, site: Site) -> Value:
        """Return the value of an expression."""

    @abstractmethod
    def truth(self, site: Site) -> Literal:
        """Return whether an expression is true, without making its value where that is not needed."""

    @abstractmethod
    def hold(self, site: Site, *, wanted: bool) -> None:
        """Assert that an expression is true (or false, if that is wanted)."""

    @abstractmethod
    def execute(self, statements: Sequence[ast.stmt], site: Site) -> Literal:
        """Run statements one after the other and return the guard that is left."""

    @abstractmethod
    def invoke(
        self, function: Function, arguments: list[Value], guard: Literal, *, assume: bool, outer: Frame | None = None
    ) -> Value:
        """Call a function of the user's; with `assume`, assert that it returns something true."""

    @abstractmethod
    def call_value(self, callee: Value, arguments: list[Value], site: Site) -> Value:
        """Call whatever a value stands for."""

    @abstractmethod
    def item(self, owner: Value, key: Value, site: Site) -> Value:
        """Return an item of a tuple, list, dict or text."""

    @abstractmethod
    def lift(self, value: object, site: Site) -> Value:
        """Return a constant of Python's as a value."""

    # -- steps and endings ---------------------------------------------------------------------------

    def step(self) -> None:
        """Count one step, and stop a compilation that has no end."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLargeError(f"more than {MOST_STEPS:,} steps")
        if self.steps % 16 == 0:
            self.deadline.check()

    def changes(self, target: ContainerValue, site: Site) -> None:
        """Note that a container changes."""
        if self.watch_since is not None and target.born < self.watch_since:
            self.refuse(site, "a generator that changes something while it is taken together with others")

    def refuse(self, site: Site, what: str) -> NoReturn:
        """Name a construct that is outside the subset, with its line."""
        function = site.frame.function
        raise UnsupportedError(what, function.name, function.line(site.node))

    def reject(self, guard: Literal, literal: Literal = TRUE, kind: type[BaseException] = TypeError) -> None:
        """Note that evaluation raises an exception under both: the invariant does not hold, unless it is caught."""
        both = self.prover.possible(self.formula.both(guard, literal, -self.dead, -self.beyond))
        if both == FALSE:
            return
        if self.raised is None:
            self.formula.add(-both)
        else:
            self.raised.append(PossibleError(both, kind))
            self.dead = self.formula.either(self.dead, both)

    def alive(self, guard: Literal) -> Literal:
        """Return the guard without the structures for which an exception was raised, or a bound was too small."""
        if self.dead == FALSE and self.beyond == FALSE:
            return guard
        return self.prover.possible(self.formula.both(guard, -self.dead, -self.beyond))

    def note_exceeded(self, guard: Literal, what: str) -> None:
        """Note that under a guard a bound is too small: what is found out there means nothing."""
        self.exceeded.append((guard, what))
        self.beyond = self.formula.either(self.beyond, guard)

    def numeric(self, value: Value, guard: Literal) -> Number:
        """Return the value as a number; what is none raises an exception."""
        if isinstance(value, Number):
            return value
        if type(value) is int:
            return Number(value, value, ())
        whole = self.algebra.alternatives(value)
        parts: list[tuple[Literal, Number]] = []
        for atom, literal in whole.atoms.items():
            plain = unbox(atom)
            if isinstance(plain, int):
                parts.append((literal, Number(int(plain), int(plain), ())))
            elif isinstance(plain, float | Identity | Unread):
                raise UnsupportedError("a float, an id or a text that is not looked at, where an int is used")
            else:
                self.reject(guard, literal)
        if whole.number is not None:
            parts.append((whole.is_number, whole.number))
        return self.algebra.merge_numbers(parts)

    # -- variables -----------------------------------------------------------------------------------

    def assign(self, site: Site, name: str, value: Value) -> None:
        """Give a variable a value."""
        frame, guard = site.frame.keeper_of(name), self.alive(site.guard)
        if guard == FALSE:
            return
        if frame is not site.frame and self.watch_since is not None:
            self.refuse(site, "a generator that changes something while it is taken together with others")
        versions = frame.variables.get(name)
        if versions is None or guard in (TRUE, frame.entry):
            frame.variables[name] = [(guard, value)]
        elif versions[0][0] == guard:
            frame.variables[name] = [(guard, value), *versions[1:]]
        else:
            frame.variables[name] = [(guard, value), *versions]

    def read(self, site: Site, name: str) -> Value:
        """Return the value of a variable; where it has none, that is an exception."""
        both, prover = self.formula.both, self.prover
        cases: list[tuple[Literal, Value]] = []
        rest = site.guard
        owner = site.frame.owner_of(name)
        for under, value in owner.variables[name] if owner is not None else ():
            if prover.implies(rest, under):
                cases.append((rest if cases else TRUE, value))
                rest = FALSE
                break
            taken = prover.possible(both(rest, under))
            if taken != FALSE:
                cases.append((taken, value))
                rest = prover.possible(both(rest, -under))
                if rest == FALSE:
                    break
        self.reject(rest, kind=UnboundLocalError)
        value = self.algebra.merge(cases)
        if isinstance(value, Alternatives) and value.number is None and len(value.atoms) > 2:
            return self._narrow_once(value, site.guard)
        return value

    def _narrow_once(self, value: Alternatives, guard: Literal) -> Value:
        key = (id(value), guard)
        known = self._narrowed.get(key)
        if known is None:
            known = (value, self.narrow(value, guard), self.formula.asserted)
        elif known[2] != self.formula.asserted and isinstance(known[1], Alternatives):
            known = (value, self.narrow(known[1], guard), self.formula.asserted)
        self._narrowed[key] = known
        return known[1]

    def narrow(self, value: Value, guard: Literal, *, ask: bool = False) -> Value:
        """Return the value without what it cannot be under the guard; with `ask`, the solver is asked, too."""
        if not isinstance(value, Alternatives) or value.number is not None or len(value.atoms) < 2:
            return value
        both, possible = self.formula.both, self.prover.possible
        atoms = {atom: literal for atom, literal in value.atoms.items() if possible(both(guard, literal)) != FALSE}
        if ask and len(atoms) > 1:
            kept = self._ask_which(atoms, guard)
            atoms = {atom: literal for atom, literal in atoms.items() if atom in kept}
        return made_plain(Alternatives(atoms))

    def _ask_which(self, atoms: dict[Any, Literal], guard: Literal) -> set[Any]:
        """Return which atoms the solver finds possible; all that are left when there are many, or no answer."""
        open_ = dict(atoms)
        found: set[Any] = set()
        while open_ and len(found) < FEW_FOUND:
            answer = self.prover.one_of(list(open_.values()), guard, NARROWING)
            if answer is None:
                break
            if not answer:
                for literal in open_.values():
                    self.formula.add(-guard, -literal)
                return found
            shown = set(self.prover.models_true(open_.values()))
            hits = [atom for atom, literal in open_.items() if literal in shown]
            found.update(hits)
            for atom in hits:
                del open_[atom]
        return found | set(open_)

    def field(self, thing: Thing, name: str, *, alone: bool) -> Value:
        """Return a field of one object, without the values that were refuted; `alone`: look for more of those."""
        value = self.heap.fields[thing, name]
        if not isinstance(value, Alternatives) or len(value.atoms) < 2:
            return value
        units = self.formula.units
        if alone and self._probed.get((thing, name)) != self.formula.asserted:
            for literal in value.atoms.values():
                if literal not in units:
                    self.prover.possible(literal)
            self._probed[thing, name] = self.formula.asserted
        if any(-literal in units for literal in value.atoms.values()):
            atoms = {atom: literal for atom, literal in value.atoms.items() if -literal not in units}
            value = self.heap.fields[thing, name] = Alternatives(atoms, value.number, value.is_number)
        return value

    # -- guards --------------------------------------------------------------------------------------

    def branch(self, guard: Literal, test: Literal) -> tuple[Literal, Literal]:
        """Return the guards under which a test holds, and does not."""
        both, possible = self.formula.both, self.prover.possible
        return possible(both(guard, test)), possible(both(guard, -test))

    def count(self, literals: Sequence[Literal]) -> Number:
        """Return how many of the literals are true."""
        units = self.formula.units
        open_ = [each for each in literals if each not in units and -each not in units]
        things = [self._things.get(each) for each in open_]
        if len({None if thing is None else thing.cls for thing in things}) == 1 and len(set(open_)) == len(open_):
            chain = [thing for thing in things if thing is not None]  # each is there only if those before it are
            if chain:
                certain = sum(each in units for each in literals)
                steps = [thing.active for thing in sorted(chain, key=lambda each: each.number)]
                return Number(certain, certain + len(steps), steps)
        return self.algebra.count(literals)

    def canonical(self, guard: Literal, *, ask: bool = False) -> Literal:
        """Return "this object is there" for a guard that says the same, else the guard."""
        formula, prover = self.formula, self.prover
        if guard in (TRUE, FALSE) or guard in self._things:
            return guard
        fits, implied = prover.propagate([guard])
        if not fits:
            formula.add(-guard)
            return FALSE
        last: dict[type, Thing] = {}
        for literal in implied:
            thing = self._things.get(literal)
            if thing is not None and (thing.cls not in last or last[thing.cls].number < thing.number):
                last[thing.cls] = thing
        for cls, group in self.heap.things.items():
            there = self._furthest(guard, group, last.get(cls))
            if there is not None and self._follows(there.active, guard, ask=ask):
                formula.add(-guard, there.active)
                formula.add(-there.active, guard)
                return there.active
        return guard

    def _furthest(self, guard: Literal, group: list[Thing], known: Thing | None) -> Thing | None:
        """Return the last object of a class that is there whenever the guard holds."""
        furthest = known
        for thing in group[0 if known is None else known.number + 1 :]:
            if thing is self.heap.root:
                continue
            if self.prover.propagate([guard, -thing.active])[0]:
                break
            furthest = thing
        return furthest

    def _follows(self, active: Literal, guard: Literal, *, ask: bool) -> bool:
        if not self.prover.propagate([active, -guard])[0]:
            return True
        return ask and self.prover.satisfiable([active, -guard], SHORT) is False

    def settle_members(self, frame: Frame, guard: Literal) -> None:
        """Where the guard says that an object is there, say it the same way in the frame's sets and work lists."""
        upto = self._things.get(guard)
        if upto is None:
            return
        for versions in list(frame.variables.values()):
            value = versions[0][1]
            if isinstance(value, SetValue) and not value.fixed:
                self._settle(value.members, upto)
            elif isinstance(value, ListValue) and value.queue:
                self._settle(value.queue, upto)

    def _settle(self, members: dict[Any, Literal], upto: Thing) -> None:
        for member, literal in members.items():
            if (
                isinstance(member, Thing)
                and member.cls is upto.cls
                and member.number <= upto.number
                and literal not in self.formula.units
                and literal not in self._things
            ):
                members[member] = self.canonical(literal, ask=True)
