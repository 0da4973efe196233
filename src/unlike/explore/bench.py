"""One call on real objects: arguments filled in, objects put back into their state afterwards."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from unlike import heap
from unlike.errors import UnlikeError
from unlike.explore.api import Kind, Template, Wanted
from unlike.heap import Outside, Walker

PLAIN = frozenset({type(None), bool, int, float, str, bytes})
Roles = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Prepared:
    """A template made ready to run."""

    number: int
    template: Template
    fresh: bool  # some argument is mutable: pass a new copy each time

    def run(self, objects: Sequence[Any]) -> object:
        """Run the call on the objects, receiver first."""
        template = self.template
        operation = template.operation
        args, kwargs = template.args, template.kwargs
        rest = iter(objects)
        receiver = next(rest) if operation.has_receiver else None
        if len(template.wanted) > operation.has_receiver:
            args = tuple(next(rest) if isinstance(value, Wanted) else value for value in args)
            kwargs = tuple((name, next(rest) if isinstance(value, Wanted) else value) for name, value in kwargs)
        if self.fresh:
            args = tuple(value if isinstance(value, type) else _fresh(value, objects) for value in args)
            kwargs = tuple((name, _fresh(value, objects)) for name, value in kwargs)
        if operation.kind is Kind.METHOD and not kwargs:  # the usual case
            return getattr(receiver, operation.name)(*args)
        return operation.perform(receiver, args, dict(kwargs))


def _fresh(value: Any, objects: Sequence[Any]) -> Any:
    if type(value) in PLAIN or any(value is each for each in objects):
        return value
    return copy.deepcopy(value)


def needs_copies(template: Template) -> bool:
    """Tell whether some argument is mutable, so that each call needs one of its own."""
    values = [*template.args, *(value for _, value in template.kwargs)]
    return any(not _is_immutable(value) for value in values if not isinstance(value, Wanted))


def _is_immutable(value: object) -> bool:
    if type(value) in (tuple, frozenset):
        return all(map(_is_immutable, value))  # type: ignore[call-overload]
    return type(value) in PLAIN or hasattr(type(value), "_member_map_") or isinstance(value, type)


class Source(Protocol):
    """Where objects in a state come from."""

    walker: Walker
    in_place: bool  # objects may be put back by undoing what a call did

    def obtain(self, number: int) -> list[Any]:
        """Return fresh objects in the state."""
        ...

    def key(self, number: int) -> bytes:
        """Return the canonical bytes of the state."""
        ...


class Bench:
    """The objects that calls are tried on, put back into their state after each."""

    def __init__(self, source: Source, numbers: list[int]) -> None:
        self.source = source
        self.numbers = numbers
        self.before: list[bytes | Outside] | None = None
        self.dirty = False
        self.fill()

    def fill(self) -> None:
        """Make the objects anew and remember what they hold."""
        self.roots = [self.source.obtain(number) for number in self.numbers]
        self.objects = [roots[0] for roots in self.roots]
        self.snapshot: heap.Remembered | None = None
        self.dirty = False
        if self.numbers and self.source.in_place:
            with contextlib.suppress(UnlikeError):  # an object that cannot be seen is made again after every call
                self.snapshot = self.source.walker.snapshot(*(root for roots in self.roots for root in roots))

    def changed(self) -> bool:
        """Tell whether any object holds something else than before the call."""
        if not self.numbers:
            return False
        self.dirty = True if self.snapshot is None else self.snapshot.changed()
        return self.dirty

    def reset(self) -> None:
        """Put the objects back into the state they had."""
        if self.dirty and (self.snapshot is None or not self.snapshot.restore()):
            self.fill()
        self.dirty = False

    def keys(self) -> list[bytes | Outside]:
        """Return the states the objects are in now."""
        return [self.source.walker.walk(*roots) for roots in self.roots]

    def keys_before(self) -> list[bytes | Outside]:
        """Return the states the objects were in before the call."""
        return [self.source.key(number) for number in self.numbers]

    def found(self) -> Iterator[tuple[list[Any], Roles]]:
        """Yield the objects that a call may have changed, each with the roles that name it in a recipe."""
        for index, roots in enumerate(self.roots):
            yield roots, tuple((index, position) for position in range(len(roots)))
            for position, companion in enumerate(roots[1:], start=1):
                yield [companion], ((index, position),)

    def with_result(self, result: object) -> tuple[list[Any], Roles]:
        """Return the result, together with the objects it shares parts with: a view and what it looks into."""
        roots, roles = [result], [(-1, 0)]
        for index, objects in enumerate(self.roots):
            for position, other in enumerate(objects):
                if self.shares(result, other):
                    roots.append(other)
                    roles.append((index, position))
        return roots, tuple(roles)

    def shares(self, one: object, other: object) -> bool:
        """Tell whether two objects have a part in common: then two walks apart see more nodes than one."""
        walker = self.source.walker
        try:
            apart = [len(walker.heap(walker.capture(each)).nodes) for each in (one, other)]
            return len(walker.heap(walker.capture(one, other)).nodes) < sum(apart)
        except UnlikeError:
            return True
