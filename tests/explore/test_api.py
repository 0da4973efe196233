"""From a class to what can be called on it."""

import collections
import itertools
import threading
from typing import Any

import pytest
import specimens
from specimens import Abstract, Bag, Colour, Everything, Failing, Inherited, Pile, Switches

from unlike.classes.api import Api, Kind, api_of
from unlike.classes.parameters import OMITTED
from unlike.errors import TargetError
from unlike.explore import explore
from unlike.scope import Scope


def calls(api: Api, title: str) -> list[tuple[tuple[Any, ...], tuple[tuple[str, Any], ...]]]:
    return [(each.args, each.kwargs) for each in api.templates if each.operation.title == title]


@pytest.fixture(scope="module")
def everything() -> Api:
    return api_of([Everything], Scope(objects=2))


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Everything", Kind.NEW),
        ("Everything.green", Kind.MAKER),
        ("Everything.of", Kind.MAKER),
        ("Everything.size", Kind.SETTER),
        ("Everything.size", Kind.DELETER),
        ("Everything.many", Kind.METHOD),
        ("Everything.__setitem__", Kind.METHOD),
        ("Everything.__iadd__", Kind.METHOD),
    ],
)
def test_every_kind_of_operation_is_found(everything: Api, title: str, kind: Kind) -> None:
    assert (title, kind) in {(each.title, each.kind) for each in everything.operations}


def test_private_methods_are_not_called(everything: Api) -> None:
    assert not any("_private" in each.title for each in (*everything.operations, *everything.refusals))


def test_arguments_follow_annotations_and_defaults_are_left_out_once(everything: Api) -> None:
    assert calls(everything, "Everything") == [
        ((Colour.RED,), ()),
        ((Colour.RED,), (("loud", True),)),
        ((Colour.GREEN,), ()),
        ((Colour.GREEN,), (("loud", True),)),
    ]
    # the default of `second` is "x", which is no letter of the pool; that of `first` is 0, which is
    assert calls(everything, "Everything.optional") == [
        ((), ()),
        ((), (("second", "a"),)),
        ((), (("second", "b"),)),
        ((1,), ()),
        ((1, "a"), ()),
        ((1, "b"), ()),
    ]
    assert calls(everything, "Everything.named") == [
        ((), (("low", 0),)),
        ((), (("low", 0), ("high", 0))),
        ((), (("low", 1),)),
        ((), (("low", 1), ("high", 0))),
    ]
    assert [args for args, _ in calls(everything, "Everything.untyped_default")] == [(), (0,), (1,)]


def test_star_arguments_take_any_number_of_values(everything: Api) -> None:
    assert [args for args, _ in calls(everything, "Everything.many")] == [
        (), (0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1),
    ]  # fmt: skip


def test_a_method_nobody_can_supply_is_named_with_parameter_reason_and_remedy(everything: Api) -> None:
    reasons = {refusal.title: str(refusal) for refusal in everything.refusals}

    assert "'lock'" in reasons["Everything.unknown"]
    assert "--literals Everything.unknown.lock=" in reasons["Everything.unknown"]
    assert set(reasons) == {"Everything.unknown"}


def test_what_has_no_annotation_gets_small_ints_and_the_listing_says_so(everything: Api) -> None:
    assert [args for args, _ in calls(everything, "Everything.untyped")] == [(0,), (1,)]
    assert "passed           ints for what has no annotation (Everything.untyped.value)" in everything.listing()


def test_declared_pools_come_first_and_the_nearest_wins() -> None:
    literals = {"int": [5], "value": [7], "untyped.value": ["u"], "low": [9]}

    api = api_of([Everything, Pile], Scope(objects=2, literals=literals))

    assert [args for args, _ in calls(api, "Everything.untyped")] == [("u",)]
    assert [args for args, _ in calls(api, "Pile.put")] == [(7,)]
    assert [args for args, _ in calls(api, "Everything.optional")][3] == (5,)
    assert (("low", 9),) in [kwargs for _, kwargs in calls(api, "Everything.named")]


def test_a_class_among_the_literals_stands_for_its_objects() -> None:
    api = api_of([Pile, specimens.Everything], Scope(objects=2, literals={"untyped.value": Pile}))  # type: ignore[dict-item]

    assert [each.wanted for each in api.templates if each.operation.title == "Everything.untyped"] == [
        (Everything, Pile)
    ]


def test_literals_may_come_from_the_source_of_the_class() -> None:
    api = api_of([Failing], Scope(literals={"int": "source"}))

    values = [args[0] for args, _ in calls(api, "Failing.set")]
    assert {0, 1, 2} <= set(values)  # the usual ones, and 1 with what lies beside it
    assert {type(value) for value in values} == {int}  # the words in the source are literals, too, but no ints


def test_the_calls_of_a_method_without_signature_can_be_listed() -> None:
    plain = api_of([collections.deque], Scope())
    listed = api_of([collections.deque], Scope(literals={"append": [(0,), (1,)], "clear": [()]}))

    assert calls(plain, "deque") == [((), ())]
    if "deque.append" in {each.title for each in plain.refusals}:  # newer Pythons know the signature
        assert "append=(0,),(1,)" in next(str(each) for each in plain.refusals if each.title == "deque.append")
    assert calls(listed, "deque.append") == [((0,), ()), ((1,), ())]
    assert calls(listed, "deque.clear") == [((), ())]


def test_objects_are_passed_where_their_class_is_asked_for() -> None:
    api = api_of([Bag, specimens.merged, specimens.singleton], Scope(objects=2))

    wanted: dict[str, list[object]] = {}
    for each in api.templates:
        wanted.setdefault(each.operation.title, []).append((each.wanted, each.places))
    assert wanted["Bag.union"] == wanted["merged"] == [((Bag, Bag), (0, 1)), ((Bag,), (0, 0))]
    assert set(wanted["singleton"]) == {((), ())}


def test_inherited_methods_are_called_and_names_can_be_chosen() -> None:
    api = api_of([Inherited], Scope(), methods="double|put")

    assert {each.title for each in api.operations} == {"Inherited", "Inherited.double", "Inherited.put"}


@pytest.mark.parametrize(
    ("annotation", "values"),
    [
        (bool, [False, True]),
        (float, [0.0, 1.0]),
        (str, ["a", "b"]),
        (bytes, [b"a", b"b"]),
        (int | None, [0, 1, None]),
        (list[int], [[], [0], [1], [0, 0], [0, 1], [1, 0], [1, 1]]),
        (set[int], [set(), {0}, {1}, {0, 1}]),
        (tuple[int, bool], [(0, False), (0, True), (1, False), (1, True)]),
        (dict[int, bool], [{}, {0: False}, {0: True}, {1: False}, {1: True}]),
        (Colour, [Colour.RED, Colour.GREEN]),
    ],
)
def test_a_type_gives_its_values(annotation: Any, values: list[object]) -> None:
    from unlike.classes.pools import Pools
    from unlike.types.read import read_annotation

    found = Pools(Scope(objects=2), ()).of_type(read_annotation(annotation)).literals

    assert list(found)[: len(values)] == values


@pytest.mark.parametrize(
    ("cls", "words"),
    [
        (Abstract, "abstract.*area.*concrete subclass"),
        (type("Main", (), {"__module__": "__main__"}), "__main__.*module of its own"),
        (type("Local", (), {"__qualname__": "f.<locals>.Local"}), "inside a function"),
        (Colour, "no objects to build"),
    ],
)
def test_a_class_that_cannot_be_explored_is_refused_with_the_remedy(cls: type, words: str) -> None:
    with pytest.raises(TargetError, match=words):
        api_of([cls], Scope())


def test_of_very_many_ways_to_call_every_pair_of_arguments_is_tried_and_said() -> None:
    api = api_of([Switches], Scope(objects=2))

    tried = [dict(zip("abcdefghijklmnop", row, strict=True)) for row in _rows(api, "Switches")]
    for one, other in itertools.combinations("abcdefghijklmnop", 2):
        assert {(row[one], row[other]) for row in tried} == set(itertools.product((OMITTED, True), (OMITTED, True)))
    assert len(tried) < 100
    assert api.remarks == (f"every pair of arguments in {len(tried)} of 65,536 ways (Switches)",)


def test_of_more_pairs_than_can_be_tried_one_argument_changes_after_the_other() -> None:
    api = api_of([Everything], Scope(objects=2, literals={"colour": range(30_000), "loud": [True, False]}))

    # each colour alone, and what is loud beside the first of them
    assert len(calls(api, "Everything")) == 30_000 + 2
    assert "one argument after the other in 30,002 of 90,000 ways (Everything)" in api.remarks


def test_where_of_very_many_ways_some_are_tried_values_are_not_left_open() -> None:
    result = explore(Switches, scope=2)

    assert result.values == "concrete"
    assert "not every way to call is tried" in result.why
    assert "every pair of arguments in" in result.status.detail


def _rows(api: Api, title: str) -> list[list[Any]]:
    names = [each.name for each in next(each for each in api.operations if each.title == title).parameters]
    made = []
    for args, kwargs in calls(api, title):
        given = {**dict(zip(names, args, strict=False)), **dict(kwargs)}
        made.append([given.get(name, OMITTED) for name in names])
    return made


def test_the_listing_shows_calls_and_reasons(everything: Api) -> None:
    listing = everything.listing()

    assert "constructor      Everything(colour: <Colour.RED: 1>, <Colour.GREEN: 2>" in listing
    assert "cannot be called  Everything.unknown: nobody can supply 'lock'" in listing
    assert threading.__name__ not in listing


def test_what_is_not_called_is_one_line_each_with_each_remedy_once(everything: Api) -> None:
    lines = everything.not_called("not called: ")

    assert [line.split(":")[1].strip() for line in lines] == [
        "Everything.unknown",
        "--literals Everything.unknown.lock=0,1,2",
    ]
    assert sum("--literals Everything" in line for line in lines) == 1
