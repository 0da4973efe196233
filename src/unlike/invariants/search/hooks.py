"""Open fields on the user's own classes, for the time of a search, and no writing while it runs.

A field that an object does not hold yet is asked for through a descriptor that gives way to whatever the object holds
(or, for slots, through `__getattr__`), so a field that was chosen costs nothing when it is read again. Only the
objects of the search are open; any other object of the class behaves as always.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.heap.fields import slot_descriptors
from unlike.invariants.fields import FieldTable
from unlike.invariants.search.guards import SearchEndError

Choose = Callable[[Any, str], Any]
ABSENT = object()


class OpenField:
    """A field of a class with a dictionary; what an object holds itself comes first."""

    def __init__(self, name: str, choose: Choose, before: Any) -> None:
        self.name = name
        self.choose = choose
        self.before = before  # what the class has under this name: a default

    def __get__(self, thing: Any, cls: type | None = None) -> Any:
        if thing is not None:
            value = self.choose(thing, self.name)
            if value is not ABSENT:
                return value
        if self.before is ABSENT:
            raise AttributeError(f"{(cls or type(thing)).__name__!r} object has no attribute {self.name!r}")
        return self.before.__get__(thing, cls) if hasattr(self.before, "__get__") else self.before


@dataclass(eq=False)
class ClassHooks:
    """The changes to the classes of a table; use it as a context, and they are undone when it is left.

    `choose` returns what to read in a field of one of the objects that is still open, ABSENT for other objects.
    """

    table: FieldTable
    is_ours: Callable[[Any], bool]
    choose: Choose
    descriptor: Callable[[type, OpenField], Any] = lambda _, found: found  # what stands in the place of an open field
    saved: list[tuple[type, str, Any]] = field(default_factory=list)

    def __enter__(self) -> None:
        try:
            for each in self.table.classes:
                self._open(each.cls, [each_field.name for each_field in each.fields])
        except BaseException:
            self._undo()
            raise

    def __exit__(self, *_: object) -> None:
        self._undo()

    def _open(self, cls: type, names: Sequence[str]) -> None:
        slots = {slot.__name__ for slot in slot_descriptors(cls)}
        for name in names:
            if name not in slots:
                self._put(cls, name, self.descriptor(cls, OpenField(name, self.choose, _found(cls, name))))
        if slots:
            self._put(cls, "__getattr__", self._getattr(frozenset(slots & set(names)), _found(cls, "__getattr__")))
        self._put(cls, "__setattr__", self._guard(cls.__setattr__))
        self._put(cls, "__delattr__", self._guard(cls.__delattr__))

    def _getattr(self, names: frozenset[str], before: Any) -> Callable[[Any, str], Any]:
        choose = self.choose

        def __getattr__(thing: Any, name: str) -> Any:  # noqa: N807
            if name in names:
                value = choose(thing, name)
                if value is not ABSENT:
                    return value
            if before is not ABSENT:
                return before(thing, name)
            raise AttributeError(f"{type(thing).__name__!r} object has no attribute {name!r}")

        return __getattr__

    def _guard(self, before: Any) -> Callable[..., None]:
        is_ours = self.is_ours

        def guard(thing: Any, name: str, *value: Any) -> None:
            if is_ours(thing):
                raise SearchEndError("wrote", f"{type(thing).__name__}.{name}")
            before(thing, name, *value)  # an object the invariant made for itself

        return guard

    def _put(self, cls: type, name: str, value: Any) -> None:
        self.saved.append((cls, name, vars(cls).get(name, ABSENT)))
        setattr(cls, name, value)

    def _undo(self) -> None:
        for cls, name, value in reversed(self.saved):
            if value is ABSENT:
                delattr(cls, name)
            else:
                setattr(cls, name, value)
        self.saved.clear()


def _found(cls: type, name: str) -> Any:
    """Return what the class or a base has under the name, as it is defined."""
    for each in cls.__mro__:
        if name in vars(each):
            return vars(each)[name]
    return ABSENT
