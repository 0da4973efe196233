"""What the API builds against what the invariant accepts: gaps are found, named and counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from comparable import Bank, Counter, Even, Forgetful, Lamp, Ordered, Register, Talking
from examples.structures.binary_search_tree import BinarySearchTree, BuggyBinarySearchTree
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree
from examples.structures.sorted_ring import BuggySortedRing, SortedRing

from unlike.cli.invariants.compare import command, text_of
from unlike.compare import Comparison, compare
from unlike.compare.gaps import Built, group_gaps
from unlike.invariants.structure import Structure
from unlike.invariants.verbs import structures

BUILDERS = "add_last|remove_index"


@pytest.fixture(scope="module")
def caching() -> Comparison:
    return compare(NodeCachingLinkedList, 3, invariant="rep_ok_original", methods=BUILDERS)


def test_the_gaps_of_the_published_invariant_are_found_and_named(caching: Comparison) -> None:
    alone = {str(gap.places[0]): gap for gap in caching.gaps if len(gap.places) == 1}

    # the two that the paper names, and the third: None in the main list
    assert "an int where None is built" in alone["header.value"].values
    assert "an int where None is built" in alone["first_cached.value"].values
    assert "None where an int is built" in alone["value of objects behind header"].values
    assert set(alone) == {
        "header.value",
        "first_cached.value",
        "value of objects behind first_cached",
        "value of objects behind header",
    }


def test_values_of_one_kind_are_told_apart_by_what_they_are() -> None:
    gaps = compare(Even, 4).gaps

    assert [list(gap.values) for gap in gaps] == [["1 where 0 is built", "3 where 0 is built", "4 where 0 is built"]]


def test_every_structure_that_is_not_built_is_in_one_group(caching: Comparison) -> None:
    assert (caching.built, caching.accepted, caching.missing) == (18, 228, 210)
    assert sum(gap.count for gap in caching.gaps) == 210
    assert caching.through_larger == 0
    assert not caching.rejected
    assert caching.exit_code == 1


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("cls", "invariant", "methods"),
    [
        (NodeCachingLinkedList, "rep_ok", BUILDERS),
        (BinarySearchTree, "rep_ok", None),
        (SortedRing, "rep_ok", None),
        (RedBlackTree, "rep_ok_black_root", "add|remove"),
    ],
)
def test_an_exact_invariant_has_no_gap(cls: type, invariant: str, methods: str | None) -> None:
    found = compare(cls, 3, invariant=invariant, methods=methods)

    assert found.agrees
    assert found.exit_code == 0


def test_the_colour_of_the_root_is_the_gap_of_the_red_black_tree() -> None:
    found = compare(RedBlackTree, 3, methods="add|remove")

    (gap,) = found.gaps
    assert [str(place) for place in gap.places] == ["root.color"]
    assert list(gap.values) == ["False where True is built"]
    assert gap.count == found.missing == 16 - 12  # red root allowed, less black root only


def test_what_is_built_only_through_larger_objects_is_no_gap() -> None:
    found = compare(RedBlackTree, 5, invariant="rep_ok_black_root", methods="add|remove")

    # 74 trees with a black root, of which 72 are built within the scope
    assert (found.accepted, found.built) == (74, 72)
    assert found.through_larger == 2
    assert found.agrees


@pytest.mark.parametrize(
    ("cls", "scope", "sequence"),
    [
        (
            BuggyBinarySearchTree,
            4,
            "BuggyBinarySearchTree(); insert(1); insert(0); insert(2); insert(3); remove(1)",
        ),
        (BuggySortedRing, 3, None),
    ],
)
def test_a_method_that_breaks_the_invariant_is_shown_by_a_shortest_sequence(
    cls: type, scope: int, sequence: str | None
) -> None:
    found = compare(cls, scope)

    assert found.rejected
    assert found.exit_code == 1
    assert sequence is None or found.rejected[0].sequence == sequence


def test_an_invariant_that_is_too_strong_rejects_what_is_built() -> None:
    found = compare(Counter, 3, invariant="too_strong", methods="add")

    assert [each.sequence for each in found.rejected][:1] == ["Counter(); add(2)"]
    assert {each.reason for each in found.rejected} == {"returned False"}


def test_an_invariant_that_raises_on_what_is_built_is_shown_with_what_it_raises() -> None:
    found = compare(Counter, 3, invariant="raises_on_two", methods="add")

    assert found.rejected[0].reason == "raised ZeroDivisionError: division by zero"


def test_an_invariant_that_does_not_end_on_what_is_built_is_stopped() -> None:
    found = compare(Counter, 3, invariant="hangs_on_two", fields={"Counter.total": range(2)}, seconds_per_call=1)

    assert [each.reason for each in found.rejected] == ["did not end by itself: took more than 1 s"]
    assert found.rejected[0].sequence == "Counter(); add(2)"


def test_the_order_of_a_dict_makes_no_gap() -> None:
    found = compare(Register, 2)

    assert found.agrees
    assert found.accepted == 9  # each of two names: absent, 0 or 1


def test_the_nearest_object_is_the_one_with_the_fewest_other_fields() -> None:
    accepted = structures(NodeCachingLinkedList, 3, invariant="rep_ok_original").structures
    sound = structures(NodeCachingLinkedList, 3).structures
    built: list[Structure] = [sound.at(index) for index in range(sound.count())]  # type: ignore[misc]
    others: list[Structure] = [
        each  # type: ignore[misc]
        for index in range(accepted.count())
        if (each := accepted.at(index)) not in set(built)
    ]

    found = Built(built)

    for structure in others:
        nearest = found.nearest(structure)
        assert nearest is not None
        fewest = min(
            sum(mine != theirs for one, other in zip(structure.objects, each.objects, strict=True)
                for mine, theirs in zip(one.fields, other.fields, strict=True))
            for each in built
            if len(each.objects) == len(structure.objects)
        )  # fmt: skip
        assert len(nearest[0]) == fewest
    assert sum(gap.count for gap in group_gaps(others, found)) == len(others)


# -- the command -------------------------------------------------------------------------------------------------

CACHING = "examples.structures.node_caching_linked_list:NodeCachingLinkedList"


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(command, list(arguments), standalone_mode=False)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.corpus
def test_the_command_names_gaps_and_ends_with_exit_code_1() -> None:
    result = run(CACHING, "--invariant", "rep_ok_original", "--methods", BUILDERS)

    assert result.return_value == 1
    assert "18 objects built, 228 structures accepted" in result.stdout
    assert "210 structures are accepted by NodeCachingLinkedList.rep_ok_original that no sequence" in result.stdout
    assert "54 in header.value: an int where None is built" in result.stdout


def test_the_command_says_so_when_there_is_no_gap() -> None:
    result = run(CACHING, "--methods", BUILDERS)

    assert result.return_value == 0
    assert "NodeCachingLinkedList.rep_ok accepts exactly what the API builds" in result.stdout


@pytest.mark.corpus
def test_the_command_writes_json(tmp_path: Path) -> None:
    path = tmp_path / "gaps.json"

    result = run(CACHING, "--invariant", "rep_ok_original", "--methods", BUILDERS, "--format", "json", "-o", str(path))

    data = json.loads(path.read_text())
    assert result.return_value == 1
    assert data["counts"]["missing"] == 210
    assert data["cases"]["gaps"][0]["fields"] == ["header.value"]
    assert next(each["place"] for each in data["findings"] if each["kind"] == "gap") == "header.value"


def test_what_stands_for_anything_is_said_of_both_sides() -> None:
    result = run("comparable:Parcel")

    assert result.return_value == 0
    assert "exploration: no more exist (proved): passing ints for Any (Parcel.content)" in result.stderr
    assert "search: no more exist (proved): with ints for Any (Parcel.content)" in result.stderr


def test_an_exploration_that_is_cut_short_calls_nothing_a_gap() -> None:
    result = run("comparable:Endless", "--invariant", "anything", "--field", "Endless.total=-1..5")

    assert result.return_value == 3
    assert "exploration cut short" in result.stderr
    assert "too weak" not in result.stdout


def test_objects_that_hold_what_no_field_may_hold_are_counted_and_shown() -> None:
    found = compare(Bank, 3, literals={"int": [0, 1, 2]})

    assert (found.built, found.accepted, found.outside) == (5, 4, 1)
    assert found.outside_example == "Bank(); deposit(2); deposit(2)"
    assert "1 object is built and sound that hold" in text_of(found)
    assert "of all other objects Bank.rep_ok accepts exactly" in text_of(found)


def test_a_container_of_another_class_is_named() -> None:
    found = compare(Ordered, 1, fields={"Ordered.data": [dict[int, int]]})

    assert [str(gap) for gap in found.gaps] == [f"{found.missing} in data: dict where OrderedDict is built"]


@pytest.mark.parametrize("in_process", [False, True])
def test_nothing_is_heard_of_what_the_class_prints(capfd: pytest.CaptureFixture[str], in_process: bool) -> None:
    assert compare(Talking, 2, in_process=in_process).agrees

    assert capfd.readouterr() == ("", "")


def test_a_call_that_failed_is_named_beside_what_is_not_built() -> None:
    found = compare(Forgetful, 2)

    assert found.missing == 1
    assert [note for note in found.notes if "Forgetful.set: raised, RuntimeError: not today" in note]


def test_objects_without_a_hash_of_a_subclass_are_no_trouble() -> None:
    found = compare(Lamp, 2)

    assert "Coloured" in str(found.exploration)  # passed for a Lit, of which it is one
    assert [str(gap) for gap in found.gaps] == ["2 in bulb.on: False where True is built"]
