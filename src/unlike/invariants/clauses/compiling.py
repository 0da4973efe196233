"""From an invariant and the fields of a scope to clauses whose models are the valid structures, each once."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from unlike.core import FOREVER, Deadline
from unlike.invariants.clauses.calling.calls import Calls
from unlike.invariants.clauses.formula import FALSE, Formula, TooLargeError, new_solver
from unlike.invariants.clauses.heap import Contents, Place, open_heap, place_of
from unlike.invariants.clauses.numbering import number_breadth_first, number_depth_first
from unlike.invariants.clauses.running.machine import Machine
from unlike.invariants.clauses.values import Algebra, Choice, Number, Thing, UnsupportedError
from unlike.invariants.fields.domains import FieldTable, SetOf
from unlike.invariants.structure import Content, ObjectAt, Record, Structure, breadth_first

Numbering = Literal["breadth-first", "depth-first"]
IsTrue = Callable[[int], bool]

UNWOUND = 100_000  # conflicts for the question whether a loop can go on beyond its bound


@dataclass(frozen=True, slots=True)
class Compiled:
    """Clauses, and what their models mean."""

    formula: Formula
    table: FieldTable
    things: tuple[Thing, ...]
    places: Mapping[tuple[Thing, str], Place]
    numbering: Numbering
    undecided: int  # questions on the way whose budget ran out: the formula is larger than it could be, not wrong

    def structure(self, is_true: IsTrue) -> Structure:
        """Return the structure that a model stands for."""
        things = [thing for thing in self.things if is_true(thing.active)]
        numbers = {thing: number for number, thing in enumerate(things)}

        def held(place: Place) -> Any:
            value = next(value for value, literal in place.options if is_true(literal))
            match value:
                case Thing():
                    return ObjectAt(numbers[value])
                case Contents("dict", places):
                    items = [(key, held(inner)) for key, literal, inner in places if inner and is_true(literal)]
                    return Content("dict", tuple(part for item in items for part in item))
                case Contents(kind, places):
                    there = [(key, inner) for key, literal, inner in places if is_true(literal)]
                    return Content(kind, tuple(key if inner is None else held(inner) for key, inner in there))  # type: ignore[arg-type]
            return value

        records = []
        for thing in things:
            names = [field.name for field in self.table.of(thing.cls).fields]
            records.append(Record(thing.cls, tuple((name, held(self.places[thing, name])) for name in names)))
        return breadth_first(records)

    def count(self, literals: list[int]) -> Number:
        """Return how many of the literals are true."""
        return Algebra(self.formula).count(literals)

    @property
    def set_fields(self) -> frozenset[str]:
        """The fields, as "Class.field", that hold sets: several members at once."""
        return frozenset(
            f"{each.cls.__name__}.{field.name}"
            for each in self.table.classes
            for field in each.fields
            if any(isinstance(part, SetOf) for part in field.domain.parts)
        )

    def visible(self) -> list[int]:
        """Return the literals that tell structures apart."""
        found = {thing.active: None for thing in self.things}
        todo = list(self.places.values())
        while todo:
            for value, literal in todo.pop().options:
                found[literal] = None
                if isinstance(value, Contents):
                    found.update((under, None) for _, under, _ in value.places)
                    todo.extend(inner for _, _, inner in value.places if inner is not None)
        return [literal for literal in found if abs(literal) != 1]

    def models(self, most: int | None = None) -> Iterator[Structure]:
        """Yield every structure, each once."""
        visible = self.visible()
        solver = new_solver("minisat22", self.formula.clauses)
        count = 0
        try:
            while (most is None or count < most) and solver.solve():
                model = solver.get_model()
                count += 1
                yield self.structure(functools.partial(is_true_in, model))
                solver.add_clause([-literal if is_true_in(model, literal) else literal for literal in visible])
        finally:
            solver.delete()


def is_true_in(model: list[int], literal: int) -> bool:
    """Tell whether a model makes the literal true; a variable that no clause has is false."""
    return model[abs(literal) - 1] == literal if abs(literal) <= len(model) else literal < 0


def compile_invariant(
    table: FieldTable,
    invariant: Callable[..., object],
    *,
    numbering: Numbering = "breadth-first",
    deadline: Deadline = FOREVER,
) -> Compiled:
    """Return the clauses; raise UnsupportedError if the invariant has a construct that does not become clauses.

    It is cut short where they are not done by the deadline.
    """
    objects = sum(each.most for each in table.classes)
    rounds = widest = objects + 2
    while True:
        compilation = _Compilation(table, invariant, numbering, rounds=rounds, widest=widest, deadline=deadline)
        try:
            compiled = compilation.compiled()
        except TooLargeError as error:
            raise UnsupportedError(f"the formula becomes too large: {error}") from None
        except RecursionError:
            raise UnsupportedError("the formula becomes too deep") from None
        finally:
            compilation.machine.prover.close()
        if compiled is not None:
            return compiled
        if rounds > 8 * objects + 16:
            raise UnsupportedError(f"no bound was found for {compilation.beyond}")
        rounds, widest = 2 * rounds, 2 * widest


def open_scope(table: FieldTable, numbering: Numbering) -> Compiled | None:
    """Return the scope without any invariant, or nothing if its fields do not become clauses."""
    formula = Formula()
    algebra = Algebra(formula)
    try:
        heap = open_heap(table, algebra)
    except (UnsupportedError, TooLargeError):
        return None
    places = {key: place_of(value, key[0].active, algebra) for key, value in heap.fields.items()}
    return Compiled(formula, table, tuple(heap.all_things), places, numbering, 0)


class _Compilation:
    """One attempt, with a bound on loops and recursion."""

    def __init__(
        self,
        table: FieldTable,
        invariant: Callable[..., object],
        numbering: Numbering,
        *,
        rounds: int,
        widest: int,
        deadline: Deadline,
    ) -> None:
        self.table = table
        self.numbering = numbering
        self.formula = Formula()
        self.algebra = Algebra(self.formula)
        if not isinstance(invariant, types.FunctionType):
            raise UnsupportedError(f"{invariant!r} is not an ordinary function")
        self.source = invariant
        self.heap = open_heap(table, self.algebra)
        (number_breadth_first if numbering == "breadth-first" else number_depth_first)(self.heap)
        self.machine = Machine(self.heap, rounds=rounds, widest=widest, deadline=deadline)
        self.beyond = ""

    def compiled(self) -> Compiled | None:
        """Return the clauses, or None if a bound was too small."""
        open_fields = dict(self.heap.fields)
        calls = Calls(self.machine)
        function = calls.function(self.source)
        self.tighten()
        if function.is_recursive:
            calls.invoke(function, [self.heap.root], 1, assume=True)
        else:
            calls.run(function, [self.heap.root], 1, assume=True)
        self.tighten()
        calls.recursion.flush()
        if self.is_exceeded():
            return None
        return self.closed(open_fields)

    def tighten(self) -> None:
        """Refute what unit propagation can refute of the values of fields."""
        for value in self.machine.deadline.each(self.heap.fields.values()):
            if isinstance(value, Choice):
                for literal in value.atoms.values():
                    self.machine.prover.possible(literal)

    def is_exceeded(self) -> bool:
        """Tell whether some loop or recursion can go on beyond its bound."""
        for guard, what in self.machine.deadline.each(self.machine.exceeded):
            if self.machine.prover.possible(guard) == FALSE:
                continue
            if self.machine.prover.satisfiable([guard], UNWOUND) is not False:
                self.beyond = what
                return True
            self.formula.add(-guard)
        return False

    def closed(self, open_fields: Mapping[tuple[Thing, str], Any]) -> Compiled:
        heap = self.heap
        things = tuple(sorted(heap.all_things, key=lambda thing: (thing is not heap.root, thing.number)))
        places = {
            (thing, name): place_of(value, thing.active, self.algebra) for (thing, name), value in open_fields.items()
        }
        return Compiled(self.formula, self.table, things, places, self.numbering, self.machine.prover.undecided)
