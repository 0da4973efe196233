"""Rules: what every object promises by the protocols it has is asked of each; what it does not have is not asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import unlike
from unlike.classes.protocols import has_protocols
from unlike.cli.explore.command import command


class Bag:
    """Numbers; each subclass breaks one promise."""

    def __init__(self) -> None:
        self._items: list[int] = []

    def add(self, number: int) -> None:
        self._items.append(number)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[int]:
        return iter(self._items)

    def __contains__(self, item: object) -> bool:
        return item in self._items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bag) and self._items == other._items

    def __hash__(self) -> int:
        return hash(tuple(self._items))

    def __repr__(self) -> str:
        return f"Bag({self._items})"

    def __enter__(self) -> Bag:
        return self

    def __exit__(self, *_: object) -> None:
        return None


class NotItself(Bag):
    def __eq__(self, other: object) -> bool:
        return self is not other

    __hash__ = None  # type: ignore[assignment]


class KnowsNoStranger(Bag):
    def __eq__(self, other: object) -> bool:
        return self._items == other._items  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]


class BothEqualAndNot(Bag):
    def __ne__(self, other: object) -> bool:
        return True


class HashById(Bag):
    def __hash__(self) -> int:
        return id(self)


class NoText(Bag):
    def __repr__(self) -> str:
        return f"Bag of {self._items[0]}"


class LosesOne(Bag):
    def __copy__(self) -> LosesOne:
        made = LosesOne()
        made._items = self._items[1:]
        return made


class OtherClass(Bag):
    def __deepcopy__(self, memo: object) -> Bag:
        return Bag()


class CountsDistinct(Bag):
    def __len__(self) -> int:
        return len(set(self._items))


class Forgets(Bag):
    def __contains__(self, item: object) -> bool:
        return item in self._items[1:]


class AlwaysTrue(Bag):
    def __bool__(self) -> bool:
        return True


class UsedUp(Bag):
    def __iter__(self) -> Iterator[int]:
        while self._items:
            yield self._items.pop()


class CannotLeave(Bag):
    def __exit__(self, *_: object) -> None:
        _ = 1 // len(self._items)


class Guarded(Bag):
    def __reduce_ex__(self, version: object) -> str:
        raise TypeError("cannot pickle it")


class Keeps(Bag):
    """Is given whatever nobody said anything about."""

    def __init__(self, items=()) -> None:
        self._items = items


class Plain:
    """Has no protocol of its own."""

    def __init__(self) -> None:
        self.level = 0

    def rise(self) -> None:
        self.level = 1


BROKEN = [
    (NotItself, "==", "x == x is false"),
    (KnowsNoStranger, "==", "x == None raises AttributeError: 'NoneType' object has no attribute '_items'"),
    (BothEqualAndNot, "==", "x == y and x != y agree"),
    (HashById, "hash", "equal objects have different hashes"),
    (NoText, "repr", "repr(x) raises IndexError: list index out of range"),
    (LosesOne, "copy", "copy gives an object that is not equal"),
    (OtherClass, "deepcopy", "deepcopy gives a Bag"),
    (CountsDistinct, "iteration", "len(x) is not the number of its items"),
    (Forgets, "iteration", "an item of x is not in x"),
    (AlwaysTrue, "bool", "bool(x) does not say whether it holds anything"),
    (UsedUp, "iteration", "changes the object (_items)"),
    (CannotLeave, "with", "raises ZeroDivisionError: integer division or modulo by zero"),
]


@pytest.mark.few(7)
@pytest.mark.parametrize(("cls", "protocol", "words"), BROKEN, ids=lambda each: getattr(each, "__name__", ""))
def test_each_broken_promise_is_found(cls: type, protocol: str, words: str) -> None:
    found = unlike.explore(cls, scope=2, in_process=True, values="concrete", methods="add").protocols

    assert (protocol, words) in [(each.protocol, each.words) for each in found if not each.is_note]


def test_a_sound_class_breaks_none_and_a_plain_one_is_not_asked() -> None:
    assert unlike.explore(Bag, scope=2).protocols == ()
    assert not has_protocols(Plain)


def test_the_shortest_sequence_is_shown_and_objects_are_counted() -> None:
    found = unlike.explore(CountsDistinct, scope=2, methods="add", values="concrete").protocols
    (broken,) = [each for each in found if each.protocol == "iteration"]

    assert broken.sequence == "CountsDistinct(); add(0); add(0)"
    assert broken.times == 2  # of the two numbers, and of no others


def test_what_a_value_of_ours_caused_is_not_held_against_the_class() -> None:
    found = unlike.explore(Keeps, scope=2, methods="__len__", literals={"items": [0]}).protocols

    assert found == ()  # 'int' object is not iterable: nobody said what to pass


def test_an_object_that_cannot_be_pickled_is_a_note() -> None:
    found = unlike.explore(Guarded, scope=2, methods="add").protocols

    assert {(each.protocol, each.is_note) for each in found} == {("copy", True), ("deepcopy", True), ("pickle", True)}


@pytest.mark.few(1)
def test_the_flag_and_the_file_turn_it_off(tmp_path: Path) -> None:
    config = tmp_path / "settings.toml"
    config.write_text("[tool.unlike.explore]\nprotocols = false\n")
    words = ["test_protocols:NoText", "--methods", "add"]
    said, by_flag, by_file = (
        CliRunner().invoke(command, [*words, *more], standalone_mode=False)
        for more in ([], ["--no-protocols"], ["--config", str(config)])
    )

    assert "protocol: repr: repr(x) raises IndexError: list index out of range (1 object)" in said.stdout
    assert said.return_value == 1
    assert "protocol" not in by_flag.stdout + by_file.stdout
    assert by_flag.return_value == by_file.return_value == 0
    assert unlike.explore(NoText, protocols=False).protocols == ()


class Encoded:
    """Is written with a codec that anybody may name, and may hold itself."""

    def __init__(self) -> None:
        self.encoding, self.inner, self.is_closed = "ascii", [], False

    def set_encoding(self, name: str) -> None:
        self.encoding = name

    def put(self, inner: Encoded) -> None:
        self.inner.append(inner)

    def close(self) -> None:
        self.is_closed = True

    def __repr__(self) -> str:
        if self.is_closed:
            raise ValueError("I/O operation on closed file")
        return f"{'a'.encode(self.encoding)!r} {[*map(repr, self.inner)]}"


def test_what_was_passed_or_closed_is_not_held_against_the_class() -> None:
    assert unlike.explore(Encoded, scope=2, most_states=40).protocols == ()


class Picture:
    """Keeps a view of itself once somebody looks, and the view leads back to it."""

    def __init__(self) -> None:
        self.width = 0
        self.seen: View | None = None

    def widen(self) -> None:
        self.width += self.width < 2

    def view(self) -> View:
        return View(self)

    def __repr__(self) -> str:
        self._text = f"Picture({self.width})"
        return self._text


class View:
    """Shows a picture."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    def __repr__(self) -> str:
        return f"View({self.picture.width})"


def test_a_cache_that_only_a_view_leads_to_is_no_change() -> None:
    assert unlike.explore(Picture, scope=2).protocols == ()


class Lists:
    """Breaks one promise, with other words for each object."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def add(self, item: int) -> None:
        self.items.append(item)

    def __repr__(self) -> str:
        raise IndexError(f"{len(self.items)} items are too many")


def test_one_promise_is_shown_once_whatever_its_exception_says() -> None:
    (broken,) = unlike.explore(Lists, scope=2).protocols

    assert broken.words == "repr(x) raises IndexError: 0 items are too many"
    assert broken.times == 7
