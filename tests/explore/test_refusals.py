"""Rules: what is announced, what our own value caused and what is not implemented is refused; the rest is an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner

import unlike
from unlike.classes.evidence import Outcome
from unlike.classes.refusals import names
from unlike.cli.explore.command import command
from unlike.errors import ScopeError


class ShelfError(Exception):
    """The shelf's own way to say no."""


def _looked_up(table: dict[int, int], key: int) -> int:
    return table[key]


def _checked(key: int) -> None:
    if key > 1:
        raise ShelfError(key)


class Shelf:
    """Things by number. Asking for what is not there raises LookupError."""

    known: ClassVar[dict[int, int]] = {0: 1}

    def own_type(self, key: int) -> None:
        _checked(key)

    def documented(self, key: int) -> int:
        return _looked_up(self.known, key)

    def not_yet(self) -> None:
        raise NotImplementedError

    def wants_text(self, name) -> str:
        return self.helped(name)

    def helped(self, name: str) -> str:
        return _upper(name)

    def wants_items(self, items) -> int:
        return _total(items)

    def says_int(self, number: int) -> int:
        return _total(number)

    def divides(self, by: int) -> float:
        return _divided(by)


def _upper(name: Any) -> str:
    return name.upper()


def _total(items: Any) -> int:
    return sum(each for each in items)


def _divided(by: int) -> float:
    return 1 / by


class Drawer:
    """Files, codecs, parsers and keys: what is passed decides whether they are there."""

    def __init__(self) -> None:
        self.kept: dict[int, int] = {}

    def opened(self, name: str) -> str:
        return _read(name)

    def encoded(self, codec: str) -> bytes:
        return _encoded(codec)

    def parsed(self, text: str) -> Any:
        return _parsed(text)

    def counted(self, text: str) -> int:
        return _counted(text)

    def paired(self, pair) -> Any:
        return _taken_apart(pair)

    def joined(self, *parts: int) -> dict[int, int]:
        return _merged(parts)

    def remove(self, key: int) -> None:
        self._drop(key)

    def __getitem__(self, key: int) -> int:
        return _looked_up(self.kept, key)

    def __truediv__(self, by: int) -> float:
        return _divided(by)

    def asserts(self, count: int) -> int:
        assert count > 3, "too few"
        return count

    def asserts_itself(self, count: int) -> int:
        assert len(self.kept) > count
        return count

    def discard(self, key: int) -> None:
        self._drop(key)

    def pop(self, key: int) -> int:
        return _looked_up(self.kept, key + 7)  # a key that nobody passed

    def _drop(self, key: int) -> None:
        del self.kept[key]


def _read(name: str) -> str:
    return Path(name).read_text()


def _encoded(codec: str) -> bytes:
    return b"".decode(codec).encode(codec)


def _parsed(text: str) -> Any:
    return json.loads(text)


def _counted(text: str) -> int:
    return int(text)


def _taken_apart(pair: Any) -> Any:
    one, _ = pair
    return one


def _merged(parts: Any) -> dict[int, int]:
    return dict(*[{}] * len(parts))


def outcomes_of(name: str, **more: Any) -> set[Outcome]:
    ints = {"wants_text.name": [0, 1], "items": [0, 1], "pair": [[0], "a"]}  # what nobody said that they take
    cls = Shelf if hasattr(Shelf, name) else Drawer
    found = unlike.explore(cls, scope=3, methods=name, in_process=True, values="concrete", literals=ints, **more)
    return {
        outcome
        for operation, counts in found.by_operation.items()
        if operation.name == name
        for outcome, times in counts.items()
        if times
    } - {Outcome.KNOWN}


@pytest.mark.few(8)
@pytest.mark.parametrize(
    "name",
    [
        "own_type",
        "documented",
        "not_yet",
        "wants_text",
        "wants_items",
        "opened",
        "encoded",
        "parsed",
        "counted",
        "paired",
        "joined",
        "remove",
        "__getitem__",
        "__truediv__",
        "asserts",
    ],
)
def test_what_is_announced_or_our_own_doing_is_refused(name: str) -> None:
    assert outcomes_of(name) == {Outcome.PRECONDITION}


@pytest.mark.parametrize(
    "name", ["divides", "says_int", "discard", "pop", "asserts_itself"]
)  # nobody announced the first; of the second the annotation itself asks for an int; discarding needs no key
def test_what_nobody_announced_is_an_error(name: str) -> None:
    assert outcomes_of(name) == {Outcome.ERROR}


def test_a_precondition_that_is_named_is_added_to_the_others() -> None:
    assert outcomes_of("divides", preconditions=[ZeroDivisionError]) == {Outcome.PRECONDITION}
    assert outcomes_of("own_type", preconditions=[ZeroDivisionError]) == {Outcome.PRECONDITION}


@pytest.mark.parametrize("name", ["own_type", "documented", "not_yet", "wants_text"])
def test_none_leaves_only_those_that_are_named(name: str) -> None:
    assert outcomes_of(name, preconditions=["none"]) == {Outcome.ERROR}
    assert outcomes_of(name, preconditions=["none", Exception]) == {Outcome.PRECONDITION}


def test_flag_and_file_say_the_same(tmp_path: Path) -> None:
    config = tmp_path / "settings.toml"
    config.write_text('[tool.unlike.explore]\nprecondition = ["none"]\n')
    words = ["test_refusals:Shelf", "--methods", "own_type", "--in-process", "--values", "concrete", "--format", "json"]

    usual, by_flag, by_file = (
        json.loads(CliRunner().invoke(command, [*words, *more], standalone_mode=False).stdout)["counts"]["outcomes"][
            "error revealed"
        ]
        for more in ([], ["--precondition", "none"], ["--config", str(config)])
    )

    assert usual == 0
    assert by_flag == by_file == 1


def test_a_word_that_is_no_exception_is_refused_with_the_remedy() -> None:
    with pytest.raises(ScopeError, match="'nothing' is not an exception class"):
        unlike.explore(Shelf, preconditions=["nothing"])


@pytest.mark.parametrize(
    ("text", "announced"),
    [
        ("Raises KeyError if it is missing.", True),
        (":raises KeyError: where there is none", True),
        ("Remove it. Does not raise KeyError if it is missing.", False),
        ("Return the default instead of raising KeyError.", False),
        ("Raises MyKeyError.", False),
        ("It is not sorted. Raises KeyError.", True),
    ],
)
def test_a_text_announces_what_it_names_and_does_not_deny(text: str, announced: bool) -> None:
    assert names(text, "KeyError") is announced


def _stepped(count: int) -> int:
    assert count >= 1
    return count


class Tape:
    """Can be closed, and hands a number on to whoever asserts something of it."""

    def __init__(self) -> None:
        self.is_closed, self.left = False, 1

    def close(self) -> None:
        self.is_closed = True

    def read(self) -> int:
        if self.is_closed:
            _refuse_closed()
        return 0

    def step(self, count: int) -> int:
        return _stepped(count)

    def step_on(self) -> int:
        self.left = 0
        return _stepped(self.left)


def _refuse_closed() -> None:
    raise RuntimeError("I/O operation on closed tape: it is closed")


def test_what_a_closed_object_or_an_assertion_on_a_value_that_was_passed_says_is_no_error() -> None:
    found = unlike.explore(Tape, scope=2, values="concrete", in_process=True)

    assert [each.operation for each in found.errors] == ["Tape.step_on"]
