"""An invariant that answers twice differently is refused by name, whoever asks; one that remembers without harm is not."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from remembering import HARMLESS, REMEMBERING, Chain, Link

import unlike
from unlike.compare import compare
from unlike.errors import InvariantError

VERBS: dict[str, Callable[[type], Any]] = {
    "search": lambda cls: unlike.structures(cls, 3, engine="search"),
    "auto, counted": lambda cls: unlike.structures(cls, 3, count_only=True),
    "korat": lambda cls: unlike.structures(cls, 3, engine="korat"),
    "fields": lambda cls: unlike.fields(cls, 3).proved,
    "fields by search": lambda cls: unlike.fields(cls, 3, engine="search").proved,
    "compare": lambda cls: compare(cls, 3),
}


@pytest.mark.few(8)
@pytest.mark.parametrize("cls", REMEMBERING, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("verb", VERBS)
def test_an_invariant_that_remembers_is_refused_by_name(verb: str, cls: type) -> None:
    with pytest.raises(InvariantError, match=r"rep_ok is not deterministic.*functools\.cache or a global"):
        VERBS[verb](cls)


def chains() -> list[Any]:
    """Return every structure of a chain at scope 2, up to the names of its links: plain lists of its fields."""
    found = {}
    for first, size, *rest in itertools.product([None, 0], range(3), *[[0, 1], [None, 0, 1]] * 2):
        links = [Link(0), Link(0)]
        for link, key, after in zip(links, rest[::2], rest[1::2], strict=True):
            link.key, link.after = key, None if after is None else links[after]
        chain = Chain()
        chain.first, chain.size = None if first is None else links[first], size
        found[look(chain)] = chain
    return list(found.values())


def look(chain: Any) -> Any:
    order: list[Link] = []
    link = chain.first
    while link is not None and link not in order:
        order.append(link)
        link = link.after
    keys = tuple((each.key, None if each.after is None else order.index(each.after)) for each in order)
    return chain.size, keys


@pytest.mark.parametrize(("engine", "cls"), [*itertools.product(["search", "korat"], HARMLESS), ("hybrid", Chain)])
def test_what_is_remembered_without_harm_changes_nothing(engine: Any, cls: type) -> None:
    expected = set()
    for chain in chains():
        chain.__class__ = cls
        if chain.rep_ok():
            expected.add(look(chain))

    found = unlike.structures(cls, 2, engine=engine)

    assert {look(case.value) for case in found.suite} == expected
    assert found.count == len(expected)
