"""One object in several places of a call: `x.merge(x)`, `join(x, x)`."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import curiosities
import pytest
import sharers
from sharers import Parcel, swapped
from tests.writers.files import write_tests

import unlike
from unlike.classes.recipes import sequence_text
from unlike.core import Implementation
from unlike.explore import explore
from unlike.heap.walkers import native_is_built
from unlike.recipe import Call, Method, Name, Recipe, Ref, Store, run
from unlike.writers.json_file import suite_to_text

WALKS = ["python", *(["native"] if native_is_built() else [])]
WHERE: list[dict[str, Any]] = [{}, {"in_process": True}, {"workers": 1}]


def by_hand() -> set[tuple[int, ...]]:
    """Return the values of every parcel that calls build, by a search that knows nothing but identity."""
    found: set[tuple[int, ...]] = {(0,), (1,)}
    while True:
        more = {one + two for one in found for two in found if len(one + two) <= 2} | {()}
        more |= found  # passed to itself: () + taken gives the values it had; and the other is left empty
        if more == found:
            return found
        found = more


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize("where", WHERE, ids=["copy", "here", "worker"])
def test_a_receiver_is_passed_to_itself(walk: Implementation, where: dict[str, Any]) -> None:
    options: dict[str, Any] = {"scope": 2, "implementation": walk, "methods": "link", "literals": {"value": [0]}}

    result = explore(Parcel, **options, **where)

    # apart, linked to one that is apart, linked to itself, linked to one linked to itself
    assert result.states == 4
    assert "Parcel(0); link(#1)" in [case.label for case in result.suite]


def test_states_reached_only_by_sharing_are_found() -> None:
    result = explore(Parcel, scope=2, methods="take_from", literals={"value": [0, 1]})

    values = {tuple(case.value.values) for case in result.suite}  # type: ignore[attr-defined]
    assert values == by_hand()


def test_each_way_to_share_is_tried() -> None:
    api = unlike.explore.api_of([Parcel], unlike.Scope(objects=2))  # type: ignore[attr-defined]

    places = [each.places for each in api.templates if each.operation.name == "both"]

    assert sorted(places) == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2)]


def test_functions_get_one_object_twice_and_the_error_has_its_sequence() -> None:
    result = explore(Parcel, swapped, scope=2, methods="swapped", literals={"value": [0]})

    (error,) = result.errors
    assert error.sequence == "Parcel(0); swapped(#1, #1)"
    assert result.reproduces(error)


@pytest.mark.corpus
def test_recipes_files_and_tests_keep_what_is_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = explore(Parcel, scope=2, methods="link|__contains__|take_from", literals={"value": [0]})
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))

    saved = tmp_path / "parcels.json"
    saved.write_text(suite_to_text(result.suite))
    loaded = unlike.load(saved, Parcel)
    paths = write_tests(result, tmp_path)

    itself = next(case for case in loaded if case.label == "Parcel(0); link(#1)")
    thing: Any = run(itself.recipe)
    assert thing.partner is thing
    assert json.loads(saved.read_text())
    text = paths[0].read_text()
    assert "x.link(x)" in text
    assert "assert (x in x) is True" in text
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout


def test_objects_of_unrelated_classes_are_shared_where_one_class_is_both() -> None:
    result = explore(sharers.Amphibian, sharers.Boat, sharers.Car, scope=2)

    assert {error.sequence for error in result.errors} == {"Amphibian(); tow(#1)"}


def test_a_function_may_call_several_objects_that_share_parts() -> None:
    plain = explore(Parcel, scope=2, methods="link", literals={"value": [0]})
    knotted = explore(Parcel, sharers.knot, scope=2, methods="link|knot", literals={"value": [0]})

    assert knotted.states == plain.states + 1  # two that hold each other
    assert "Parcel(0); Parcel(0); knot(#1, #2)" in [case.label for case in knotted.suite]


@pytest.mark.parametrize("where", WHERE, ids=["copy", "here", "worker"])
def test_the_proof_says_where_objects_share_parts_of_which_only_one_is_called(where: dict[str, Any]) -> None:
    tied = explore(Parcel, scope=2, methods="link", **where)
    apart = explore(Parcel, scope=2, methods="take_from", **where)
    viewed = explore(curiosities.Steps, scope=2, **where)
    shelves = explore(sharers.Shelf, scope=2, **where)

    words = "no more exist (proved): as long as only one of several objects that share parts is called; "
    assert str(tied.status) == f"{words}Parcel.link makes them share parts"
    assert str(viewed.status) == f"{words}Steps.__iter__ makes them share parts"
    assert str(shelves.status) == f"{words}Shelf.share makes them share parts"  # and neither is in another state
    assert str(apart.status) == "no more exist (proved)"
    assert tied.suite.guarantee.endswith(tied.status.detail)


def test_calls_name_the_object_they_are_made_on_where_there_are_several() -> None:
    two = Recipe(
        (Call(Name("m", "Box")), Call(Name("m", "Box")), Method(Ref(1), "put", (Ref(0),)), Store(Ref(0), "size", 1)),
        Ref(0),
    )
    one = Recipe((Call(Name("m", "Box")), Method(Ref(0), "__delattr__", ("size",))), Ref(0))

    assert sequence_text(two) == "Box(); Box(); #2.put(#1); #1.size = 1"
    assert sequence_text(one) == "Box(); del size"
