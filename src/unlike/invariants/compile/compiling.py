"""From an invariant and the fields of a scope to clauses whose models are the valid structures, each once.

The interpreter of invariants is a Run whose entries are functions of the modules beside this one. Those are functions
over (run, site). They import what stands below them, and reach what stands above them by the entries: an operand of a
comparison is evaluated by `run.evaluate`, the body of a function by `run.execute`.

    run       guards, variables, exceptions       sequences, comparing, ordering, operators, containers
    names     variables, attributes, parameters                           what Python's values do, under guards
    functions, iterators, methods, sorting        Python's own            calls     which function a call means
    expressions, displays -> evaluate, truth      holding -> hold         statements, patterns -> execute
    recursion, names_outside -> invoke
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from unlike.core import FOREVER, Deadline
from unlike.invariants.compile import calls, expressions, holding, names, recursion, statements
from unlike.invariants.compile.formula import FALSE, TRUE, Formula, TooLargeError, new_solver
from unlike.invariants.compile.heap import Contents, OpenHeap, Options, close_field, open_heap
from unlike.invariants.compile.names import bind
from unlike.invariants.compile.numbering import number_objects
from unlike.invariants.compile.run import Frame, PendingCalls, Run, Site
from unlike.invariants.compile.values import Algebra, Alternatives, Thing, UnsupportedError, Value
from unlike.invariants.fields.contents import Content, ObjectAt, dict_content
from unlike.invariants.fields.domains import FieldTable, SetOf
from unlike.invariants.search.engine import Shape
from unlike.invariants.structure import ObjectRecord, Structure, breadth_first

Numbering = Literal["breadth-first", "depth-first"]
IsTrue = Callable[[int], bool]

SMALL = 2  # values: a field with so few is part of the shape
UNWOUND = 100_000  # conflicts for the question whether a loop can go on beyond its bound


class Interpreter(Run):
    """A run with its entries."""

    evaluate = expressions.evaluate
    truth = expressions.truth
    hold = holding.hold
    execute = statements.execute
    invoke = recursion.invoke
    call_value = calls.call_value
    item = expressions.item
    lift = names.constant


@dataclass(frozen=True, slots=True)
class Compiled:
    """Clauses, and what their models mean."""

    formula: Formula
    table: FieldTable
    things: tuple[Thing, ...]
    places: Mapping[tuple[Thing, str], Options]

    def structure(self, is_true: IsTrue) -> Structure:
        """Return the structure that a model stands for."""
        things = [thing for thing in self.things if is_true(thing.active)]
        numbers = {thing: number for number, thing in enumerate(things)}

        def value_in(options: Options) -> Any:
            value = next(value for value, literal in options if is_true(literal))
            match value:
                case Thing():
                    return ObjectAt(numbers[value])
                case Contents("dict", places, maker, order):
                    held = {key: value_in(inner) for key, literal, inner in places if inner and is_true(literal)}
                    keys = [key for literal, key in order if is_true(literal)] if order else [*held]
                    return dict_content(keys, (held[key] for key in keys), maker)
                case Contents(kind, places, maker):
                    there = [(key, inner) for key, literal, inner in places if is_true(literal)]
                    return Content(
                        kind, tuple(key if inner is None else value_in(inner) for key, inner in there), maker
                    )
            return value

        records = []
        for thing in things:
            names = [field.name for field in self.table.of(thing.cls).fields]
            records.append(ObjectRecord(thing.cls, tuple((name, value_in(self.places[thing, name])) for name in names)))
        return breadth_first(records)

    @property
    def set_fields(self) -> frozenset[str]:
        """The fields, as "Class.field", that hold sets: several members at once."""
        named = self.table.named
        return frozenset(name for name, domain in named if any(isinstance(part, SetOf) for part in domain.parts))

    def visible(self) -> list[int]:
        """Return the literals that tell structures apart."""
        found = {thing.active: None for thing in self.things}
        todo = list(self.places.values())
        while todo:
            for value, literal in todo.pop():
                found[literal] = None
                if isinstance(value, Contents):
                    found.update((under, None) for _, under, _ in value.places)
                    found.update((under, None) for under, _ in value.order)
                    todo.extend(inner for _, _, inner in value.places if inner is not None)
        return [literal for literal in found if abs(literal) != 1]

    def models(self) -> Iterator[Structure]:
        """Yield every structure, each once."""
        visible = self.visible()
        for model, differ in self._each_model():
            yield self.structure(functools.partial(is_true_in, model))
            differ.extend(-literal if is_true_in(model, literal) else literal for literal in visible)

    def shapes(self) -> Iterator[Shape]:
        """Yield who refers to whom, and what small fields hold, once for each way they can be in a structure.

        Where an invariant is full of pointers, most runs of a search only find out that a reference leads to the wrong
        object. The clauses know that already. What the invariant accepts of a shape is sound whatever the clauses say;
        that no shape is missing rests on them.
        """
        options = [
            ((thing.cls, thing.number), name, (value.cls, value.number) if isinstance(value, Thing) else value, literal)
            for (thing, name), field in self.places.items()
            if self._is_shape(thing, name)
            for value, literal in field
            if literal != FALSE
        ]
        for model, differ in self._each_model():
            held = [each for each in options if is_true_in(model, each[3])]
            yield [each[:3] for each in held]
            differ.extend(-literal for *_, literal in held)

    def _is_shape(self, thing: Thing, name: str) -> bool:
        domain = self.table.of(thing.cls).domain(name)
        return bool(domain.classes) or sum(1 for _ in domain.plain_values()) <= SMALL

    def _each_model(self) -> Iterator[tuple[list[int], list[int]]]:
        """Yield models, each with a clause to be filled: in what the next ones differ from it."""
        with new_solver("minisat22", self.formula.clauses) as solver:
            while solver.solve():
                differ: list[int] = []
                yield solver.get_model(), differ
                solver.add_clause(differ)


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
    if not isinstance(invariant, types.FunctionType):
        raise UnsupportedError(f"{invariant!r} is not an ordinary function")
    objects = sum(each.most for each in table.classes)
    bound = objects + 2
    pending = PendingCalls()  # what earlier tries have found out of functions
    while True:
        try:
            pending = PendingCalls(coming_back=pending.coming_back, unshared=pending.unshared)
            compiled = _compile_within(bound, table, invariant, numbering, deadline, pending)
        except recursion.ComesBackError as error:
            pending.coming_back.add(str(error))
            continue
        except recursion.UnsharedError as error:
            pending.unshared.add(str(error))
            continue
        except TooLargeError as error:
            raise UnsupportedError(f"the formula becomes too large: {error}") from None
        except RecursionError:
            raise UnsupportedError("the formula becomes too deep") from None
        if isinstance(compiled, Compiled):
            return compiled
        if bound > 8 * objects + 16:
            raise UnsupportedError(f"no bound was found for {compiled}")
        bound *= 2


def open_scope(table: FieldTable) -> Compiled | None:
    """Return the scope without any invariant, or nothing if its fields do not become clauses."""
    try:
        heap = open_heap(table, Algebra(Formula()))
    except (UnsupportedError, TooLargeError):
        return None
    return _close(heap, heap.fields)


def _compile_within(
    bound: int,
    table: FieldTable,
    invariant: types.FunctionType,
    numbering: Numbering,
    deadline: Deadline,
    pending: PendingCalls,
) -> Compiled | str:
    """Return the clauses, or in words what the bound on loops and recursion was too small for."""
    heap = open_heap(table, Algebra(Formula()))
    number_objects(heap, depth_first=numbering == "depth-first")
    open_fields = dict(heap.fields)
    run = Interpreter(heap, bound=bound, deadline=deadline)
    run.pending = pending
    with contextlib.closing(run.prover):
        function = run.program.function(invariant)
        _refute_values(run)
        site = Site(Frame(function, {}, assume=True, entry=TRUE), function.tree, TRUE)
        run.invoke(function, bind(run, function, [heap.root], {}, site), TRUE, assume=True)
        _refute_values(run)
        recursion.run_all_bodies(run)
        exceeded = _find_exceeded(run)
    return _close(heap, open_fields) if exceeded is None else exceeded


def _refute_values(run: Run) -> None:
    """Refute what unit propagation can refute of the values of fields."""
    for value in run.deadline.each(run.heap.fields.values()):
        if isinstance(value, Alternatives):
            for literal in value.atoms.values():
                run.prover.possible(literal)


def _find_exceeded(run: Run) -> str | None:
    """Return in words a loop or recursion that can go on beyond its bound."""
    for guard, what in run.deadline.each(run.exceeded):
        if run.prover.possible(guard) == FALSE:
            continue
        if run.prover.satisfiable([guard], UNWOUND) is not False:
            return what
        run.formula.add(-guard)
    return None


def _close(heap: OpenHeap, fields: Mapping[tuple[Thing, str], Value]) -> Compiled:
    """Return the clauses with a literal for each value of each field; objects with the same number stand together."""
    things = sorted(heap.all_things, key=lambda thing: (thing is not heap.root, thing.number))
    places = {(thing, name): close_field(value, thing.active, heap.algebra) for (thing, name), value in fields.items()}
    return Compiled(heap.algebra.formula, heap.table, tuple(things), places)
