"""What is proved with guessed values, against all sequences of the same calls made by plain Python."""

import collections
import copy
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import unannotated
from tests.corpora import few_of

from unlike.classes.api import Template
from unlike.explore import explore
from unlike.suite import Ending


class Chest(list):
    """A list of Python's, under another name."""


class Drawers(dict):
    """A dict of Python's, under another name."""


SUBJECTS: list[type] = [
    unannotated.Register,
    unannotated.Words,
    unannotated.Line,
    collections.UserList,
    collections.UserDict,
    collections.OrderedDict,
    collections.deque,
    Chest,
    Drawers,
]


def content(thing: Any) -> str:
    """Return all that an object holds, in its order."""
    held = list(thing.items()) if isinstance(thing, dict) else list(thing) if isinstance(thing, list) else None
    if isinstance(thing, collections.deque):
        held = [*thing, "at most", thing.maxlen]
    return repr((held, dict(getattr(thing, "__dict__", {}))))


def sizes(value: Any) -> Iterator[int]:
    """Yield how many elements there are in each container that grows, from the object down."""
    if isinstance(value, (list, dict, set, collections.deque)):
        yield len(value)
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        for each in parts:
            yield from sizes(each)
    for each in getattr(value, "__dict__", {}).values():
        yield from sizes(each)


def call_of(template: Template) -> Callable[[Any], tuple[Any, Any]]:
    """Return what makes a call on an object: the object afterwards, and the answer."""

    def call(thing: Any) -> tuple[Any, Any]:
        args, kwargs = copy.deepcopy((template.args, dict(template.kwargs)))
        return thing, getattr(thing, template.operation.name)(*args, **kwargs)

    return call


def every_object(cls: type, templates: list[Template], most: int) -> set[str]:
    """Return the contents of all objects that the calls lead to, as long as no container has more than so many."""
    found: dict[str, Any] = {}
    waiting: list[Any] = []

    def take(thing: Any) -> None:
        if type(thing) is cls and max(sizes(thing), default=0) <= most and content(thing) not in found:
            found[content(thing)] = thing
            waiting.append(thing)

    for template in templates:
        if not template.operation.has_receiver:
            args, kwargs = copy.deepcopy((template.args, dict(template.kwargs)))
            try:
                take(template.operation.function(*args, **kwargs))  # type: ignore[operator]
            except Exception:
                continue
    calls = [call_of(each) for each in templates if each.operation.has_receiver]
    while waiting:
        thing = waiting.pop()
        for call in calls:
            try:
                after, answer = call(copy.deepcopy(thing))
            except Exception:
                continue
            take(after)
            take(answer)
    return set(found)


@pytest.mark.parametrize("cls", few_of(SUBJECTS, 1, ids=[each.__name__ for each in SUBJECTS]))
def test_what_is_proved_with_guessed_values_is_what_all_sequences_build(cls: type) -> None:
    everything = explore(cls, scope=2, values="concrete", protocols=False)
    alone = {each.operation.name for each in everything.api.templates if len(each.wanted) <= 1}
    alone -= {each.operation.name for each in everything.api.templates if len(each.wanted) > 1} | {"__init__"}
    found = explore(cls, scope=2, values="concrete", protocols=False, methods="|".join(map(re.escape, sorted(alone))))

    assert found.status.ending is Ending.COMPLETE, found.status
    built = {content(case.value) for case in found.suite if type(case.value) is cls}
    assert built == every_object(cls, list(found.api.templates), 2)
