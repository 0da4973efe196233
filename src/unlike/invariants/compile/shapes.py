"""From clauses to shapes: who refers to whom, and what small fields hold, once for each way they can be in a structure.

Where an invariant is full of pointers, most runs of a search only find out that a reference leads to the wrong
object. The clauses know that already: a solver gives one shape after the other, and the invariant itself runs on each
of them with the other fields open. What it accepts is sound whatever the clauses say; that no shape is missing rests
on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from unlike.invariants.compile.compiling import Compiled, is_true_in
from unlike.invariants.compile.formula import FALSE, new_solver
from unlike.invariants.compile.values import Thing
from unlike.invariants.fields.domains import FieldTable

SMALL = 2  # values: a field with so few is part of the shape

Shape: TypeAlias = list[tuple[Thing, str, Any]]  # the fields that are settled, objects as Things


def shapes_of(compiled: Compiled) -> Iterator[Shape]:
    """Yield every shape that a model of the clauses has, each once."""
    places = [
        (thing, name, [(value, literal) for value, literal in place.options if literal != FALSE])
        for (thing, name), place in compiled.places.items()
        if _is_shape(compiled.table, thing, name)
    ]
    solver = new_solver("minisat22", compiled.formula.clauses)
    try:
        while solver.solve():
            model = solver.get_model()
            shape, held = [], []
            for thing, name, options in places:
                for value, literal in options:
                    if is_true_in(model, literal):
                        shape.append((thing, name, value))
                        held.append(-literal)
            yield shape
            solver.add_clause(held)
    finally:
        solver.delete()


def _is_shape(table: FieldTable, thing: Thing, name: str) -> bool:
    domain = table.of(thing.cls).domain(name)
    return bool(domain.classes) or sum(1 for _ in domain.plain_values()) <= SMALL
