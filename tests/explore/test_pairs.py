"""Rules: the same calls on a class and its reference come to the same; the shortest sequence where not is shown."""

from __future__ import annotations

import itertools
import json
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import unlike
from unlike.cli.explore.command import command
from unlike.errors import ScopeError, TargetError


class Stack:
    """As a list has it."""

    def __init__(self) -> None:
        self._items: list[int] = []

    def append(self, number: int) -> None:
        self._items.append(number)

    def pop(self) -> int:
        return self._items.pop()

    def extend(self, other: Stack) -> None:
        self._items += other._items

    def copy(self) -> Stack:
        made = type(self)()
        made._items = list(self._items)
        return made

    def top(self) -> int:
        return self._items[-1]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[int]:
        return iter(self._items)


class TakesFirst(Stack):
    def pop(self) -> int:
        return self._items.pop(0 if len(self._items) > 1 else -1)


class Refuses(Stack):
    def pop(self) -> int:
        if not self._items:
            raise KeyError("empty")
        return self._items.pop()


class Swallows(Stack):
    def pop(self) -> int:
        return self._items.pop() if self._items else 0


class Shares(Stack):
    def copy(self) -> Shares:
        made = Shares()
        made._items = self._items
        return made


class Drops(Stack):
    def extend(self, other: Stack) -> None:
        self._items += other._items[1:]


DIFFERENCES = [
    (TakesFirst, "TakesFirst(); append(0); append(1); pop()", "answers otherwise"),
    (Refuses, "Refuses(); pop()", "raises KeyError"),
    (Swallows, "Swallows(); pop()", "returns"),
    (Shares, "Shares(); #1.copy(); #2.append(0)", "changes another object"),
    (Drops, "Drops(); append(0); extend(#1)", "has another length"),
]


def test_what_agrees_is_proved_and_what_is_not_compared_is_named() -> None:
    found = unlike.explore(Stack, scope=2, reference=list)

    assert found.errors == ()
    assert found.states == 7  # the lists of at most two of two numbers
    assert str(found.status).startswith("no more exist (proved)")
    assert "not called: Stack.top" in str(found.status)


@pytest.mark.few(3)
@pytest.mark.parametrize(("cls", "sequence", "kind"), DIFFERENCES, ids=lambda each: getattr(each, "__name__", ""))
def test_the_shortest_difference_is_shown(cls: type, sequence: str, kind: str) -> None:
    found = unlike.explore(cls, scope=2, reference=list)

    first = min(found.errors, key=lambda each: each.calls)
    assert (first.sequence, first.failure.exception) == (sequence, kind)
    assert all(found.reproduces(each) for each in found.errors)


def test_a_second_way_finds_the_same_shortest_difference() -> None:
    def differs(calls: tuple[tuple[str, tuple[int, ...]], ...]) -> bool:
        ours, reference = TakesFirst(), list[int]()
        for name, arguments in calls:
            came_to = []
            for each in (ours, reference):
                try:
                    came_to.append(getattr(each, name)(*arguments))
                except IndexError:
                    came_to.append(IndexError)
            if came_to[0] != came_to[1] or list(ours) != reference:
                return True
        return False

    calls = [("append", (0,)), ("append", (1,)), ("pop", ())]
    shortest = next(
        length for length in itertools.count(1) if any(map(differs, itertools.product(calls, repeat=length)))
    )

    found = unlike.explore(TakesFirst, scope=2, reference=list, methods="append|pop")
    assert min(each.calls for each in found.errors) == shortest + 1  # and the constructor


@pytest.mark.parametrize("reference", ["list", "builtins:list", list, "collections:deque", deque, Stack])
def test_a_reference_is_a_class_or_its_name(reference: object) -> None:
    assert unlike.explore(Stack, scope=2, reference=reference, methods="append|pop").errors == ()  # type: ignore[arg-type]


def test_flag_file_and_keyword_say_the_same(tmp_path: Path) -> None:
    config = tmp_path / "settings.toml"
    config.write_text('[tool.unlike.explore]\nreference = "list"\n')
    words = ["test_pairs:Refuses", "--scope", "2", "--format", "json"]
    by_flag, by_file = (
        json.loads(CliRunner().invoke(command, [*words, *more], standalone_mode=False).stdout)
        for more in (["--reference", "list"], ["--config", str(config)])
    )

    assert by_flag["findings"] == by_file["findings"]
    assert (
        "differs from list, raises KeyError: where the reference raises IndexError" in by_flag["findings"][0]["words"]
    )
    said = CliRunner().invoke(command, ["test_pairs:Stack", "--scope", "2", "--reference", "list"]).stdout
    assert said.startswith("7 pairs of Stack and list within")


@pytest.mark.few(1)
def test_written_tests_build_the_objects_of_the_class(tmp_path: Path) -> None:
    CliRunner().invoke(
        command, ["test_pairs:Stack", "--scope", "2", "--reference", "list", "-o", str(tmp_path)], standalone_mode=False
    )

    assert "x = Stack()" in (tmp_path / "test_stack.py").read_text()


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"reference": "no_such"}, "neither a class nor a function"),
        ({"reference": list, "values": "symbolic"}, "leave out"),
        ({"reference": list, "then_random": 3}, "leave out"),
    ],
)
def test_what_cannot_be_compared_is_refused(keywords: dict[str, object], words: str) -> None:
    with pytest.raises((ScopeError, TargetError), match=words):
        unlike.explore(Stack, **keywords)  # type: ignore[arg-type]
