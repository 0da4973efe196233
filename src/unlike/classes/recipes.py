"""From (parent, call) to recipes: the calls that lead to a state, written down only when somebody asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from unlike.classes.api import Kind, Template
from unlike.errors import UnlikeError
from unlike.heap.store import States
from unlike.recipe import (
    Argument,
    BareInstance,
    Call,
    Items,
    Method,
    Recipe,
    Ref,
    Step,
    Store,
    display,
    quote,
    run,
    write_plain,
)

GETS = "__getattribute__"  # asks for a property
MOST_KEPT = 20_000  # sequences that are kept, because others begin with them
RESULT = -1  # the role of what the call returned


class Invocation(NamedTuple):
    """A template, the states of the objects after the first, and which objects make up the state reached.

    A role is (which object of the call, which of its roots), or (RESULT, 0).
    """

    template: int
    others: tuple[int, ...]
    roles: tuple[tuple[int, int], ...]


class Trace:
    """Knows how every state came about."""

    def __init__(self, templates: Sequence[Template], store: States) -> None:
        self.templates = templates
        self.store = store
        self.invocations: list[Invocation] = []
        self.given: dict[int, Recipe | None] = {}  # states that came from elsewhere, perhaps with their sequence
        self._numbers: dict[Invocation, int] = {}
        self._sequences: dict[int, tuple[tuple[Step, ...], tuple[Argument, ...]]] = {}

    def call_number(self, invocation: Invocation) -> int:
        """Return the number under which the store keeps the call."""
        number = self._numbers.get(invocation)
        if number is None:
            number = self._numbers[invocation] = len(self.invocations)
            self.invocations.append(invocation)
        return number

    def recipe(self, number: int, *, of_all: bool = False) -> Recipe:
        """Return the shortest sequence found for the state; its result is the first object, or a list `of_all`."""
        steps, roots = self.steps(number)
        return Recipe(tuple(steps), Items("list", tuple(roots)) if of_all else roots[0])

    def failing(self, parent: int, invocation: Invocation) -> Recipe:
        """Return a sequence that ends with a call that goes wrong; its result is the receiver, if there is one."""
        steps, roots = self.steps(parent) if parent != -1 else ([], [])
        self.apply(invocation, steps, roots)
        return Recipe(tuple(steps), roots[0] if roots else Ref(len(steps) - 1))

    def replay(self, number: int) -> list[Any]:
        """Return fresh objects in the state, made by its calls."""
        recipe = self.given[number] if number in self.given else self.recipe(number, of_all=True)
        if recipe is None:
            raise UnlikeError("an object that came from another process cannot be made again")
        made = run(recipe)
        assert isinstance(made, list)
        return made

    def steps(self, number: int) -> tuple[list[Step], list[Argument]]:
        """Return the steps that lead to the state, and its roots; what others begin with is made once."""
        calls: list[tuple[int, int]] = []
        at = number
        while at != -1 and at not in self._sequences:
            parent, call = self.store.origin(at)
            calls.append((at, call))
            at = parent
        before, first = self._sequences.get(at, ((), ()))
        steps, roots = list(before), list(first)
        for at, call in reversed(calls):
            roots = self.apply(self.invocations[call], steps, roots)
            if len(self._sequences) >= MOST_KEPT:
                self._sequences.clear()
            self._sequences[at] = tuple(steps), tuple(roots)
        return steps, roots

    def apply(self, invocation: Invocation, steps: list[Step], roots: list[Argument]) -> list[Argument]:
        """Add the steps of one call, and return the roots of the state it leads to."""
        template = self.templates[invocation.template]
        objects = [roots]
        objects += [append_steps(steps, *self.steps(other)) for other in invocation.others]
        mains = [each[0] for each in objects if each]
        steps.append(step_of(template, mains, steps))
        last = Ref(len(steps) - 1)
        return [last if index == RESULT else objects[index][position] for index, position in invocation.roles]


def step_of(template: Template, objects: Sequence[Argument], steps: list[Step]) -> Step:
    """Return the step that makes the call; what it needs to quote its arguments is added to the steps."""
    operation = template.operation
    receiver, args, kwargs = template.fill(objects, lambda value: quote(value, steps))
    if receiver is None:
        return Call(operation.recipe_name, args, kwargs)
    assert isinstance(receiver, Ref)
    if operation.kind is Kind.SETTER:
        return Store(receiver, operation.name, args[0])
    if operation.kind is Kind.DELETER:
        return Method(receiver, "__delattr__", (operation.name,))
    if operation.kind is Kind.GETTER:
        return Method(receiver, GETS, (operation.name,))
    return Method(receiver, operation.name, args, kwargs)


def append_steps(steps: list[Step], more: Sequence[Step], roots: Sequence[Argument]) -> list[Argument]:
    """Add steps after others, and return their roots as they read there."""
    offset = len(steps)
    if not offset:
        steps += more
        return list(roots)
    steps += [shift_step(step, offset) for step in more]
    return [shift_argument(root, offset) for root in roots]


def shift_step(step: Step, offset: int) -> Step:
    """Return the step as it reads when so many steps stand before it."""

    def move(argument: Argument) -> Argument:
        return shift_argument(argument, offset)

    match step:
        case Call(function, args, kwargs):
            return Call(function, tuple(map(move, args)), tuple((name, move(each)) for name, each in kwargs))
        case Method(receiver, name, args, kwargs):
            moved_kwargs = tuple((key, move(each)) for key, each in kwargs)
            return Method(Ref(receiver.step + offset), name, tuple(map(move, args)), moved_kwargs)
        case Store(target, name, value, raw):
            return Store(Ref(target.step + offset), name, move(value), raw)
        case BareInstance():
            return step


def shift_argument(argument: Argument, offset: int) -> Argument:
    """Return the argument with its references moved."""
    match argument:
        case Ref(step):
            return Ref(step + offset)
        case Items(kind, items):
            return Items(kind, tuple(shift_argument(item, offset) for item in items))
    return argument


def sequence_text(recipe: Recipe) -> str:
    """Return the calls of a recipe on one line: `Cart(); add(0); add(1)`.

    Where there is more than one object, each call names the one it is made on: `Box(); Box(); #1.put(#2)`.
    """
    receivers = {step.receiver.step for step in recipe.steps if hasattr(step, "receiver")}
    receivers |= {step.target.step for step in recipe.steps if hasattr(step, "target")}
    several = len(receivers) > 1 or sum(hasattr(step, "function") for step in recipe.steps) > 1
    return "; ".join(_step_text(step, several=several) for step in recipe.steps)


def _step_text(step: Any, *, several: bool) -> str:
    if isinstance(step, BareInstance):
        return f"a bare {step.cls.qualname}"
    if hasattr(step, "function"):
        name = step.function.qualname
    else:
        on = getattr(step, "receiver", None) or step.target
        name = f"#{on.step + 1}.{step.name}" if several else step.name
    if hasattr(step, "target"):
        return f"{name} = {_argument_text(step.value)}"
    if name.endswith(GETS):
        return f"{name.removesuffix(GETS)}{step.args[0]}"
    if name.endswith("__delattr__"):
        return f"del {name.removesuffix('__delattr__')}{step.args[0]}"
    args = [_argument_text(each) for each in step.args]
    args += [f"{key}={_argument_text(each)}" for key, each in step.kwargs]
    return f"{name}({', '.join(args)})"


def _argument_text(argument: Any) -> str:
    if hasattr(argument, "step"):
        return f"#{argument.step + 1}"
    if hasattr(argument, "items"):
        return display(argument.kind, [_argument_text(item) for item in argument.items])
    return str(getattr(argument, "qualname", None) or write_plain(argument))
