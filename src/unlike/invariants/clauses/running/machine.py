"""The state of a run on all structures at once: guards, variables, and what is known of them.

Every statement runs under a guard, a literal that says for which structures it runs. A variable keeps its versions,
each with the guard under which it was assigned; they are merged only when the variable is read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from unlike.core import FOREVER, Deadline
from unlike.invariants.clauses.formula import (
    FALSE,
    SHORT,
    TRUE,
    Literal,
    Prover,
    TooLargeError,
)
from unlike.invariants.clauses.heap import Heap
from unlike.invariants.clauses.program import Function, Program
from unlike.invariants.clauses.values import (
    Choice,
    Container,
    DictValue,
    ListValue,
    Number,
    SetValue,
    Thing,
    Truth,
    UnsupportedError,
    Value,
)

NARROWING = 1_000  # conflicts for the question which objects a variable can be
MOST_STEPS = 3_000_000  # expressions and statements of one compilation


@dataclass(slots=True)
class Loop:
    """The guards under which a loop was left by `break`, or its round by `continue`."""

    broken: Literal = FALSE
    continued: Literal = FALSE


@dataclass(slots=True)
class Frame:
    """A call that is running. With `assume`, the call must return something true: False rejects the structure."""

    function: Function
    variables: dict[str, list[tuple[Literal, Value]]]
    assume: bool
    entry: Literal
    returns: list[tuple[Literal, Value]] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)


class Machine:
    """What all parts of the compiler share."""

    def __init__(self, heap: Heap, *, rounds: int, widest: int, deadline: Deadline = FOREVER) -> None:
        self.heap = heap
        self.algebra = heap.algebra
        self.formula = heap.algebra.formula
        self.prover = Prover(self.formula)
        self.program = Program()
        self.rounds = rounds  # how often a loop is unrolled, how deep a call is nested
        self.widest = widest  # the results of recursive calls lie between minus this and this
        self.exceeded: list[tuple[Literal, str]] = []  # when these guards hold, a bound was too small
        self.raised: list[Literal] | None = None  # exceptions are collected here, where they may be of no concern
        self.steps = 0
        self.deadline = deadline
        self._rank = {
            thing.active: thing for group in heap.things.values() for thing in group if thing is not heap.root
        }
        self._probed: dict[tuple[Thing, str], int] = {}
        self._narrowed: dict[tuple[int, Literal], tuple[Value, Value, int]] = {}

    def step(self) -> None:
        """Count one step, and stop a compilation that has no end."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLargeError(f"more than {MOST_STEPS:,} steps")
        if self.steps % 16 == 0:
            self.deadline.check()

    def refuse(self, frame: Frame, node: ast.AST | None, what: str) -> NoReturn:
        """Name a construct that is outside the subset, with its line."""
        raise UnsupportedError(what, frame.function.name, frame.function.line(node))

    def reject(self, guard: Literal, literal: Literal = TRUE) -> None:
        """Note that evaluation raises an exception under both: the invariant does not hold."""
        both = self.prover.possible(self.formula.both(guard, literal))
        if both == FALSE:
            return
        if self.raised is not None:
            self.raised.append(both)
        else:
            self.formula.add(-both)

    def rejecting(self, guard: Literal) -> Callable[[Literal], None]:
        """Return what notes an exception under the guard."""
        return lambda literal: self.reject(guard, literal)

    def numeric(self, value: Value, guard: Literal) -> Number:
        """Return the value as a number; what is none raises an exception."""
        if isinstance(value, Number):
            return value
        if type(value) is int:
            return Number(value, value, ())
        return self.algebra.numeric(value, self.rejecting(guard))

    # -- variables -----------------------------------------------------------------------------------

    def assign(self, frame: Frame, name: str, value: Value, guard: Literal) -> None:
        """Give a variable a value under the guard."""
        versions = frame.variables.get(name)
        if versions is None or guard in (TRUE, frame.entry):
            frame.variables[name] = [(guard, value)]
        elif versions[0][0] == guard:
            frame.variables[name] = [(guard, value), *versions[1:]]
        else:
            frame.variables[name] = [(guard, value), *versions]

    def read(self, frame: Frame, name: str, guard: Literal) -> Value:
        """Return the value of a variable under the guard; where it has none, that is an exception."""
        both, prover = self.formula.both, self.prover
        cases: list[tuple[Literal, Value]] = []
        rest = guard
        for under, value in frame.variables[name]:
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
        self.reject(rest)
        value = self.algebra.merge(cases)
        if isinstance(value, Choice) and value.number is None and len(value.atoms) > 2:
            return self._narrowed_once(value, guard)
        return value

    def _narrowed_once(self, value: Choice, guard: Literal) -> Value:
        key = (id(value), guard)
        known = self._narrowed.get(key)
        if known is None:
            known = (value, self.narrowed(value, guard), self.formula.asserted)
        elif known[2] != self.formula.asserted and isinstance(known[1], Choice):
            known = (value, self.narrowed(known[1], guard), self.formula.asserted)
        self._narrowed[key] = known
        return known[1]

    def narrowed(self, value: Value, guard: Literal, *, ask: bool = False) -> Value:
        """Return the value without what it cannot be under the guard; with `ask`, the solver is asked, too."""
        if not isinstance(value, Choice) or value.number is not None or len(value.atoms) < 2:
            return value
        both, possible = self.formula.both, self.prover.possible
        atoms = {atom: literal for atom, literal in value.atoms.items() if possible(both(guard, literal)) != FALSE}
        if ask and len(atoms) > 1:
            kept = self._asked(atoms, guard)
            atoms = {atom: literal for atom, literal in atoms.items() if atom in kept}
        if len(atoms) == 1:
            return next(iter(atoms))
        return Choice(atoms)

    def _asked(self, atoms: dict[Any, Literal], guard: Literal) -> set[Any]:
        """Return which atoms the solver finds possible; all that are left when there are many, or no answer."""
        open_ = dict(atoms)
        found: set[Any] = set()
        while open_ and len(found) < 4:
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

    # -- fields --------------------------------------------------------------------------------------

    def field(self, thing: Thing, name: str, *, alone: bool) -> Value:
        """Return a field of one object, without the values that were refuted; `alone`: look for more of those."""
        value = self.heap.fields[thing, name]
        if not isinstance(value, Choice) or len(value.atoms) < 2:
            return value
        units = self.formula.units
        if alone and self._probed.get((thing, name)) != self.formula.asserted:
            for literal in value.atoms.values():
                if literal not in units:
                    self.prover.possible(literal)
            self._probed[thing, name] = self.formula.asserted
        if any(-literal in units for literal in value.atoms.values()):
            atoms = {atom: literal for atom, literal in value.atoms.items() if -literal not in units}
            value = self.heap.fields[thing, name] = Choice(atoms, value.number, value.is_number)
        return value

    # -- guards --------------------------------------------------------------------------------------

    def count(self, literals: Sequence[Literal]) -> Number:
        """Return how many of the literals are true."""
        units = self.formula.units
        open_ = [each for each in literals if each not in units and -each not in units]
        things = [self._rank.get(each) for each in open_]
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
        if guard in (TRUE, FALSE) or guard in self._rank:
            return guard
        fits, implied = prover.propagate([guard])
        if not fits:
            formula.add(-guard)
            return FALSE
        last: dict[type, Thing] = {}
        for literal in implied:
            thing = self._rank.get(literal)
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

    def settle_members(self, frame: Frame, thing: Thing) -> None:
        """Replace guards of members of the frame's sets and work lists by "this object is there" where that is so."""
        for versions in list(frame.variables.values()):
            value = versions[0][1]
            if isinstance(value, SetValue) and not value.fixed:
                self._settle(value.members, thing)
            elif isinstance(value, ListValue) and value.queue:
                self._settle(value.queue, thing)

    def _settle(self, members: dict[Any, Literal], upto: Thing) -> None:
        for member, literal in members.items():
            if (
                isinstance(member, Thing)
                and member.cls is upto.cls
                and member.number <= upto.number
                and literal not in self.formula.units
                and literal not in self._rank
            ):
                members[member] = self.canonical(literal, ask=True)

    def thing_of(self, literal: Literal) -> Thing | None:
        """Return the object that the literal says is there."""
        return self._rank.get(literal)

    # -- truth and equality --------------------------------------------------------------------------

    def truth(self, value: Value, frame: Frame, node: ast.AST) -> Literal:
        """Return whether Python takes the value for true."""
        either = self.formula.either
        match value:
            case Truth(literal):
                return literal
            case ListValue():
                return either(*(literal for literal, _ in value.listed())) if value.entries or value.queue else FALSE
            case SetValue(members=members):
                return either(*members.values()) if members else FALSE
            case DictValue(entries=entries):
                return either(*(literal for literal, _ in entries.values())) if entries else FALSE
            case Number() | Choice():
                return self._any_truth(self.algebra.choice(value), frame, node)
            case Thing(cls):
                self._refuse_own_truth(cls, frame, node)
                return TRUE
            case None | bool() | int() | str() | tuple():
                return TRUE if value else FALSE
        return self.refuse(frame, node, f"the truth of {value!r}")

    def _any_truth(self, value: Choice, frame: Frame, node: ast.AST) -> Literal:
        ways = [self.formula.both(literal, self.truth(atom, frame, node)) for atom, literal in value.atoms.items()]
        if value.number is not None:
            ways.append(self.formula.both(value.is_number, -self.algebra.is_exactly(value.number, 0)))
        return self.formula.either(*ways) if ways else FALSE

    def _refuse_own_truth(self, cls: type, frame: Frame, node: ast.AST) -> None:
        for name in ("__bool__", "__len__"):
            if hasattr(cls, name):
                self.refuse(frame, node, f"the truth of a {cls.__name__}, which defines {name}")

    def equal(self, left: Value, right: Value, frame: Frame, node: ast.AST, *, same: bool = False) -> Literal:
        """Return whether both are equal; with `same`, whether both are one object (`is`)."""
        if isinstance(left, tuple) or isinstance(right, tuple):
            if not isinstance(left, tuple) or not isinstance(right, tuple):
                return self.refuse(frame, node, "a tuple compared with something else")
            if len(left) != len(right):
                return FALSE
            return self.formula.both(
                *(self.equal(one, other, frame, node) for one, other in zip(left, right, strict=True))
            )
        one, other = self.algebra.choice(left), self.algebra.choice(right)
        if not same:
            self.refuse_own_equality([*one.atoms, *other.atoms], frame, node)
        return self._equal_choices(one, other, same=same)

    def _equal_choices(self, one: Choice, other: Choice, *, same: bool) -> Literal:
        both = self.formula.both
        ways = [both(literal, other.atoms[atom]) for atom, literal in one.atoms.items() if atom in other.atoms]
        if one.number is not None and other.number is not None:
            ways.append(both(one.is_number, other.is_number, self.algebra.equal_numbers(one.number, other.number)))
        if not same:  # True == 1
            for left, right in ((one, other), (other, one)):
                if right.number is not None:
                    ways += [
                        both(literal, right.is_number, self.algebra.is_exactly(right.number, int(atom)))
                        for atom, literal in left.atoms.items()
                        if isinstance(atom, bool)
                    ]
        return self.formula.either(*ways) if ways else FALSE

    def refuse_own_equality(self, values: Iterable[Value], frame: Frame, node: ast.AST) -> None:
        """Refuse to compare objects whose class defines what equal means, and containers by their contents."""
        for value in values:
            if isinstance(value, Thing) and _defines_equality(value.cls):
                self.refuse(frame, node, f"comparing objects of {value.cls.__name__}, which defines __eq__")
            if isinstance(value, Container):
                self.refuse(frame, node, "comparing lists, sets or dicts by their contents")


def _defines_equality(cls: type) -> bool:
    own: object = cls.__eq__
    return own is not object.__eq__
