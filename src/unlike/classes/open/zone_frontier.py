"""The known abstract states: shapes with zones of values, and the recipes of their points.

A state that lies within a known one is not new.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from unlike.classes.api import Api, Template
from unlike.classes.frontier import Levels, WorkUnit
from unlike.classes.open.states import Origin, ZoneStates
from unlike.classes.open.templates import TOKEN_KINDS, fill_template, has_large, nests, open_templates, scales_in
from unlike.classes.recipes import MOST_KEPT, RESULT, append_steps, step_of
from unlike.classes.under_test import CodeUnderTest
from unlike.core import Implementation
from unlike.heap.numbered_names import export_since
from unlike.heap.rebuild import Heap, StateReader
from unlike.heap.walkers import PythonWalker, Walker, native_module
from unlike.recipe import Argument, Items, Recipe, Ref, Step
from unlike.scope import Limits, Scope
from unlike.zones.open_values import Token
from unlike.zones.shapes import ShapeFilling
from unlike.zones.walking import CannotStayOpenError, Places, rebuild_open, register_tokens


class OpenCode(CodeUnderTest):
    """The code under test, called with values left open."""

    def __init__(self, api: Api, scope: Scope, limits: Limits, implementation: Implementation) -> None:
        self.given = api  # with values chosen
        super().__init__(replace(api, templates=open_templates(api, scope)), limits, implementation)
        self.numbered_at_first = export_since(self.walker)[1]

    def make_walker(self, pinned: list[object], implementation: Implementation) -> Walker:
        """Return the walker that sees the objects, and lets tokens pass."""
        twin = PythonWalker(self.limits, pinned)
        self.table = twin._keys
        register_tokens(self.table)
        self.table.scales = scales_in(self.api.templates)
        # the compiled module leaves integers open, nothing else, and not very large ones
        slow = implementation == "python" or self.table.scales or has_large(self.api.templates)
        native = None if slow else native_module()
        self.is_compiled = native is not None and Token is native.Token  # it answers for its own tokens only
        return twin if native is None or not self.is_compiled else native.Walker(twin)

    def needs_copies(self, template: Template) -> bool:
        """Tell whether some argument is mutable, or holds open values, so that each call needs one of its own."""
        return super().needs_copies(fill_template(template, lambda _: 0)) or nests(template)

    def take_back_tokens(self) -> None:
        """Put back what modules and classes held at first, where calls left open values: they mean nothing later on."""
        self.fixtures.restore()
        self.watch.put_back(lambda value: type(value) in TOKEN_KINDS)


class ZoneFrontier(Levels):
    """Abstract states by class and by how many calls they need; a unit of work is a group of states that are alike."""

    counts = "abstract states"

    def __init__(self, code: OpenCode, scope: Scope, states: ZoneStates, places: Places) -> None:
        super().__init__(code, scope)
        self.table, self.states, self.places = code.table, states, places
        self._sequences: dict[tuple[int, tuple[int, ...]], tuple[Sequence[Step], Sequence[Argument]]] = {}
        self._fillings: dict[int, ShapeFilling] = {}
        self.kinds: dict[int, tuple[type, int]] = {}  # of shapes: the class of the first root, and how many roots

    def __len__(self) -> int:
        return len(self.states)

    def unary_units(self, numbers: list[int]) -> Iterator[WorkUnit]:
        """Yield the calls on one object, for states of one class together."""
        groups = itertools.groupby(numbers, lambda each: (self.classes[each], self.roots[each]))
        return (WorkUnit(list(group)) for _, group in groups)

    def states_of(self, cls: type, length: int) -> list[int]:
        """Return the states of the class whose shortest sequence has so many calls."""
        return [each for each in super().states_of(cls, length) if not self.states.is_covered(each)]

    def catch_up(self) -> None:
        """Take in the states that were added since the last time."""
        first = len(self.classes)
        for number, (shape, length) in enumerate(self.states.rows_from(first), start=first):
            if (kind := self.kinds.get(shape)) is None:
                kind = self.kinds[shape] = self.kind_of(shape)
            self.note_state(number, length, *kind)

    def kind_of(self, shape: int) -> tuple[type, int]:
        """Return the class of the first root of a shape, and how many roots it has."""
        state = self.states.shape_bytes(shape)
        nodes = state[0]
        if not nodes:
            raise CannotStayOpenError("what is built is a plain value, such as a tuple")
        if max(state[: nodes + 2]) < 128:  # the usual case: one byte each
            return self.table.layouts[state[1]].cls, state[nodes + 1]
        reader = StateReader(self.table, state)
        first = reader.numbers()[0]
        return self.table.layouts[first].cls, reader.number()

    def sample(self) -> Iterator[Heap]:
        """Yield the few new states that growth is judged by, each with some values."""
        walker = self.code.walker
        for number in range(self.first, len(self), max(1, (len(self) - self.first) // 8)):
            zone = self.states.zone(number)
            objects = self.objects_at(self.states.shape(number), zone.first_point())
            yield walker.heap(walker.capture(*objects))

    def objects_at(self, shape: int, point: Sequence[int]) -> list[Any]:
        """Return fresh objects of the shape with the values of the point."""
        return rebuild_open(self.table, self.states.shape_bytes(shape), lambda n: point[n - 1])

    def bytes_at(self, shape: int, point: tuple[int, ...]) -> bytes:
        """Return the canonical bytes of the objects of the shape with the values of the point."""
        if (filling := self._fillings.get(shape)) is None:
            filling = self._fillings[shape] = ShapeFilling(self.table, self.states.shape_bytes(shape))
        return filling.fill(point)

    # -- how a point of a state came about ----------------------------------------------------------------

    def recipe(self, number: int, point: Sequence[int], *, of_all: bool = False) -> Recipe:
        """Return the shortest sequence for the point of a state; its result is the first root, or a list `of_all`."""
        steps, roots = self.steps(number, tuple(point))
        return Recipe(tuple(steps), Items("list", tuple(roots)) if of_all else roots[0])

    def failing(self, parents: Sequence[int], call: int, values: Sequence[int]) -> Recipe:
        """Return a sequence that ends with a call that goes wrong; its result is the receiver, if there is one."""
        steps: list[Step] = []
        objects = self._apply(parents, call, values, steps)
        return Recipe(tuple(steps), objects[0][0] if objects else Ref(len(steps) - 1))

    def steps(self, number: int, point: tuple[int, ...]) -> tuple[Sequence[Step], Sequence[Argument]]:
        """Return the steps that lead to the point of the state, and its roots; what others begin with is made once."""
        known = self._sequences.get((number, point))
        if known is not None:
            return known
        origin = self.states.origin(number)
        steps: list[Step] = []
        objects = self._apply(origin.parents, origin.call, self._values(origin, point), steps)
        last = Ref(len(steps) - 1)
        roots = [last if index == RESULT else objects[index][position] for index, position in origin.roles]
        if len(self._sequences) >= MOST_KEPT:
            self._sequences.clear()
        self._sequences[number, point] = known = tuple(steps), roots
        return known

    def state_with(self, shape: int, point: Sequence[int]) -> int:
        """Return the state of the shape that has the point and needs the fewest calls."""
        every = self.states.of_shape(shape)
        return every[0] if len(every) == 1 else self.states.first_with(shape, point)

    def _values(self, origin: Origin, point: Sequence[int]) -> tuple[int, ...]:
        """Return values of all that the call saw, arguments that left the object included, that lead to the point."""
        zone = origin.zone
        values = {slot: value - offset for (slot, offset), value in zip(origin.terms, point, strict=True)}
        if len(values) == zone.slots and 0 not in values:  # nothing has left the object
            return tuple(values[slot] for slot in range(1, zone.slots + 1))
        for (slot, offset), value in zip(origin.terms, point, strict=True):
            narrowed = zone.equal(slot, 0, value - offset)
            assert narrowed is not None, "the point of a state comes from a point of the call"
            zone = narrowed
        return zone.first_point()

    def _apply(
        self, parents: Sequence[int], call: int, values: Sequence[int], steps: list[Step]
    ) -> list[list[Argument]]:
        """Add the steps of the parents and of the call, and return the roots of the parents."""
        objects: list[list[Argument]] = []
        first = 0
        for parent in parents:
            slots = self.states.zone(parent).slots
            shape, point = self.states.shape(parent), values[first : first + slots]
            objects.append(append_steps(steps, *self.steps(self.state_with(shape, point), tuple(point))))
            first += slots
        template = fill_template(self.code.calls[call].template, lambda n: values[first + n])
        steps.append(step_of(template, [each[0] for each in objects], steps))
        return objects
