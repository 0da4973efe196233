"""A proof names every operation that was not called, and is none where nothing was called."""

import dataclasses
import functools
from typing import NamedTuple

import attrs
import pytest
from tests.explore import odd_proofs

from unlike.classes.public import list_uncalled, may_change
from unlike.cli.entry import main
from unlike.explore import explore
from unlike.scope import Scope


def test_operators_that_nobody_calls_are_named_in_the_proof():
    result = explore(odd_proofs.Money, scope=2)

    named = ["__eq__", "__lt__", "__hash__", "__int__", "__float__", "__str__", "__copy__"]
    assert result.status.detail == "by the operations that were called; not called: " + ", ".join(
        f"Money.{each}" for each in named
    )


@dataclasses.dataclass(frozen=True, order=True)
class Written:
    a: int


@attrs.define
class ByAttrs:
    a: int


class Pair(NamedTuple):
    a: int


class Own(dict):
    def __sizeof__(self):
        return 1

    def _set(self, value):
        self["a"] = value

    reset = functools.partialmethod(_set, 0)


@pytest.mark.parametrize(
    ("cls", "names"),
    [
        (Written, ()),
        (ByAttrs, ()),
        (Pair, ()),
        (Own, ("Own.__sizeof__", "Own.reset")),
        (odd_proofs.Silent, ("Silent.__format__",)),
        (odd_proofs.Sorted, ("Sorted.__lt__",)),
        (odd_proofs.AttrDict, ()),
    ],
)
def test_what_builtins_and_libraries_write_only_reads_and_the_rest_is_named(cls, names):
    assert set(list_uncalled([cls])) == set(names)


def brute_force(make, keep):
    """Return all states that attribute access reaches, by copies of dicts."""
    found, todo = set(), [make()]
    while todo:
        thing = todo.pop()
        if (key := repr(thing)) in found or not keep(thing):
            continue
        found.add(key)
        todo += [{**thing, "a": value} for value in (0, 1)]
        todo += [{**thing, "a": thing.get("a", 0)}]
        todo += [{name: value for name, value in thing.items() if name != "a"}]
    return found


def test_attribute_access_is_called_where_a_class_defines_it():
    result = explore(odd_proofs.AttrDict, scope=2)

    assert {repr(vars(case.value)["data"]) for case in result.suite} == brute_force(dict, lambda thing: len(thing) <= 2)
    assert not result.errors  # that there is no such attribute is a refusal
    assert "'a' for any name (AttrDict.__setattr__.name, AttrDict.__delattr__.name)" in result.status.detail


def test_names_of_attributes_can_be_declared():
    result = explore(odd_proofs.AttrDict, scope=Scope(2, literals={"str": ["x", "y"]}))

    # nothing; x or y with 0 or 1; both in either order
    assert result.states == 1 + 2 * 2 + 2 * 2 * 2


def test_attributes_that_the_code_mentions_are_asked_for():
    result = explore(odd_proofs.Proxy, scope=2)

    assert {vars(case.value)["asked"] for case in result.suite} == {0, 1, 2}


def test_a_class_of_which_no_object_can_be_made_is_no_proof(capsys, monkeypatch, tmp_path):
    (tmp_path / "refuses.py").write_text("class R:\n    def __init__(self, n: int):\n        raise RuntimeError(n)\n")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(SystemExit) as ended:
        main(["explore", "refuses:R", "--scope", "2"])

    shown = capsys.readouterr()
    assert ended.value.code == 3
    assert "proved" not in shown.out + shown.err
    assert "no R could be made: raised, RuntimeError: 0" in shown.out + shown.err


class Lazy:
    def __init__(self) -> None:
        self.items = [1, 0]

    @property
    def sorted(self):
        self.items.sort()
        return self.items

    @property
    def size(self):
        return len(self.items) + self.items.count(0)

    @property
    def first(self):
        self.items[0] = 0
        return None

    @property
    def others(self):
        return [self.items.pop() for _ in range(1)]


def test_a_property_whose_code_may_change_the_object_is_called():
    assert [name for name, each in vars(Lazy).items() if isinstance(each, property) and may_change(each.fget)] == [
        "sorted",
        "first",
        "others",
    ]
    result = explore(Lazy, scope=2)

    assert {tuple(case.value.items) for case in result.suite} == {(1, 0), (0, 1), (0, 0), (1,), (0,), ()}
