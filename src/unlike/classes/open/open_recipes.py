"""From a point of an abstract state to the recipe that builds the object with these values."""

from __future__ import annotations

from collections.abc import Sequence

from unlike.classes.open.states import Origin, ZoneStates
from unlike.classes.open.templates import filled
from unlike.classes.recipes import RESULT, Trace, shift_argument, shift_step
from unlike.classes.workbench import ReadyCall
from unlike.heap import make_store
from unlike.recipe import Argument, Items, Recipe, Ref, Step


class Recipes:
    """Knows how every point of every state came about."""

    def __init__(self, states: ZoneStates, calls: Sequence[ReadyCall]) -> None:
        self.states = states
        self.calls = calls
        self._trace = Trace([], make_store("python"))

    def recipe(self, number: int, point: Sequence[int]) -> Recipe:
        """Return the shortest sequence found for the point of a state."""
        steps, roots = self.steps(number, point)
        return Recipe(tuple(steps), roots[0])

    def recipe_of_all_roots(self, number: int, point: Sequence[int]) -> Recipe:
        """Return the same, with all roots of the state as its result."""
        steps, roots = self.steps(number, point)
        return Recipe(tuple(steps), Items("list", tuple(roots)))

    def failing(self, parents: tuple[int, ...], call: int, values: Sequence[int]) -> Recipe:
        """Return a sequence that ends with a call that goes wrong; its result is the receiver, if there is one."""
        steps: list[Step] = []
        objects = self._apply(parents, call, values, steps)
        return Recipe(tuple(steps), objects[0][0] if objects else Ref(len(steps) - 1))

    def steps(self, number: int, point: Sequence[int]) -> tuple[list[Step], list[Argument]]:
        """Return the steps that lead to the point of the state, and its roots."""
        origin = self.states.origin(number)
        steps: list[Step] = []
        objects = self._apply(origin.parents, origin.call, self._values(origin, point), steps)
        last = Ref(len(steps) - 1)
        return steps, [last if index == RESULT else objects[index][position] for index, position in origin.roles]

    def _values(self, origin: Origin, point: Sequence[int]) -> tuple[int, ...]:
        """Return values of all that the call saw, arguments that left the object included, that lead to the point."""
        zone = origin.zone
        for (slot, offset), value in zip(origin.terms, point, strict=True):
            narrowed = zone.equal(slot, 0, value - offset)
            assert narrowed is not None, "the point of a state comes from a point of the call"
            zone = narrowed
        return zone.first_point()

    def _apply(
        self, parents: tuple[int, ...], call: int, values: Sequence[int], steps: list[Step]
    ) -> list[list[Argument]]:
        """Add the steps of the parents and of the call, and return the roots of the parents."""
        objects: list[list[Argument]] = []
        first = 0
        for parent in parents:
            slots = self.states.zone(parent).slots
            shape, point = self.states.shape(parent), values[first : first + slots]
            more, found = self.steps(self.states.first_with(shape, point), point)
            offset = len(steps)
            steps.extend(shift_step(step, offset) for step in more)
            objects.append([shift_argument(root, offset) for root in found])
            first += slots
        template = filled(self.calls[call].template, lambda n: values[first + n])
        steps.append(self._trace.step(template, [each[0] for each in objects], steps))
        return objects
