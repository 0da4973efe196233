"""What users of an object can see of it: from two objects to whether any question is answered differently.

Asked are the calls on the object alone, each on an object of its own, its length, its items, its text, and attributes
with a public name.
"""

from __future__ import annotations

import contextlib
import gc
import re
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from unlike.classes.api import Template
from unlike.classes.run import SearchRun
from unlike.classes.workbench import PLAIN, ReadyCall
from unlike.errors import UnlikeError
from unlike.heap.walkers import Walker, make_walker

MOST_ASKED = 48  # calls by which two objects are compared
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
DEEPEST = 2  # answers that are objects of the classes are asked in turn, so many times
MOST_ITEMS = 50  # that are taken from an iterator: it may have no end
NOT_HELD = (type, types.ModuleType, types.FunctionType, types.CodeType)  # what every object leads to


def wide_walker(search: SearchRun) -> Walker:
    """Return a walker that sees objects of any size, as the search tells them apart."""
    limits = replace(search.code.limits, objects=None, objects_of={}, elements=None)
    return make_walker(limits, search.code.watch.find_pinned(), search.options.exploring.implementation)


def chosen_templates(search: SearchRun) -> tuple[Template, ...]:
    """Return the calls of a search with their values, also where it left them open."""
    templates: tuple[Template, ...] = getattr(search.code, "given", search.api).templates
    return templates


class Sight:
    """Compares objects by what can be asked of them."""

    def __init__(self, search: SearchRun) -> None:
        self.walker = wide_walker(search)
        self.fixtures = search.code.fixtures
        self.classes = search.api.classes
        self.calls = [
            ReadyCall(number, each, fresh=True)
            for number, each in enumerate(chosen_templates(search))
            if len(each.wanted) == 1 and each.operation.has_receiver
        ]

    def first_difference(self, make_one: Callable[[], Any], make_other: Callable[[], Any]) -> str | None:
        """Return what is answered differently by two objects, of which fresh ones are made for each question."""
        one, other = self.fresh(make_one), self.fresh(make_other)
        for title, ask in self.questions(one):
            first = self.answer(ask, one)
            if first != self.answer(ask, other) and first == self.answer(ask, self.fresh(make_one)):
                return title
        for call in spread_calls([each for each in self.calls if isinstance(one, each.template.wanted[0])]):
            ask = partial(_make_call, call)
            first = self.answer(ask, self.fresh(make_one))
            if first == self.answer(ask, self.fresh(make_other)):
                continue
            if first == self.answer(ask, self.fresh(make_one)):  # else it says something else each time
                return call.template.operation.title
        return None

    def fresh(self, make: Callable[[], Any]) -> Any:
        """Return what is made, with sentinels and registries as they were at first."""
        self.fixtures.restore()
        return make()

    def questions(self, thing: Any) -> Iterator[tuple[str, Callable[[Any], object]]]:
        """Yield what can be asked of such an object besides calls, by name."""
        cls = type(thing)
        if hasattr(cls, "__len__"):
            yield "len", len
        if hasattr(cls, "__iter__") and not hasattr(cls, "__next__"):  # an iterator would be used up by looking
            yield "iter", list_some_items
        if defines(cls, "__repr__"):
            yield "repr", repr
        names = {name for name in (*dir(cls), *getattr(thing, "__dict__", ())) if not name.startswith("_")}
        for name in sorted(names):
            if not callable(getattr(cls, name, None)):
                yield name, partial(_get_attribute, name)

    def answer(self, ask: Callable[[Any], object], thing: Any, depth: int = 0) -> object:
        """Return what is said to a question, as something that can be compared."""
        try:
            said = ask(thing)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the code under test may raise anything
            return type(error)
        return self.see_value(said, depth)

    def see_value(self, value: Any, depth: int = 0) -> object:
        """Return a value as something that equals another exactly where both look the same to users."""
        if type(value) in PLAIN:
            return type(value), ADDRESS.sub("", repr(value))
        if isinstance(value, self.classes):  # what it keeps to itself, nobody sees
            asked = self.questions(value) if depth < DEEPEST else ()
            return type(value), tuple((title, self.answer(ask, value, depth + 1)) for title, ask in asked)
        if type(value) in (list, tuple) and len(value) <= MOST_ITEMS:
            return type(value), tuple(self.see_value(each, depth + 1) for each in value)
        if hasattr(type(value), "__next__"):
            with contextlib.suppress(Exception):
                return self.see_value(list_some_items(value), depth + 1)
        if leads_to(value, self.classes):  # a view: it shows what the object shows, and hides what it hides
            asked = self.questions(value) if depth < DEEPEST else ()
            return type(value), tuple((title, self.answer(ask, value, depth + 1)) for title, ask in asked)
        return self.see_state(value)

    def see_state(self, value: Any) -> object:
        """Return what equals another exactly where both are in the same state, also in what nobody is shown."""
        try:
            return self.walker.walk(value)
        except UnlikeError:  # nothing of it can be seen
            return type(value)
        except Exception:  # its own code refuses
            return type(value)


def leads_to(value: object, classes: tuple[type, ...]) -> bool:
    """Tell whether a value holds an object of the classes, as views and cursors do; only its nearest parts count."""
    parts: list[object] = [value]
    for _ in range(DEEPEST):
        parts = [part for part in gc.get_referents(*parts) if not isinstance(part, NOT_HELD)][:MOST_ITEMS]
        if any(isinstance(part, classes) for part in parts):
            return True
    return False


def spread_calls(calls: Sequence[ReadyCall], most: int = MOST_ASKED) -> list[ReadyCall]:
    """Return so many of the calls: of each operation one, then of each another, from all over its ways."""
    groups: dict[int, list[ReadyCall]] = {}
    for call in calls:
        groups.setdefault(id(call.template.operation), []).append(call)
    share = max(1, most // max(1, len(groups)))
    spread = [[each[place * len(each) // share] for place in range(share)] for each in groups.values()]
    turns = [call for turn in zip(*spread, strict=True) for call in turn]
    return list({id(call): call for call in (*turns, *calls)}.values())[:most]


def _make_call(call: ReadyCall, thing: Any) -> object:
    return call.run([thing])


def _get_attribute(name: str, thing: Any) -> object:
    return getattr(thing, name)


def defines(cls: type, name: str) -> bool:
    """Tell whether a class has a method that is not that of every object."""
    return getattr(cls, name, None) is not getattr(object, name, None)


def list_some_items(thing: Any) -> list[Any]:
    """Return the first items of an object."""
    return [item for _, item in zip(range(MOST_ITEMS), thing, strict=False)]
