"""The contact schema: five groups with 22 alternatives, 142 pairs between the groups, 675 combinations."""

from __future__ import annotations

import itertools
import re
import time

import pytest

from unlike.core import Deadline
from unlike.structure.building import data
from unlike.structure.cover.execute import execute
from unlike.structure.cover.leaves import Strength
from unlike.structure.cover.outcome import CoverOutcome
from unlike.structure.cover.targets import describe_input
from unlike.structure.cover.tree import compile_shape
from unlike.structure.shapes import Choice, CodeLine, Constants, Field, ItemsShape, NamedFields, Numbers, Shape, Texts
from unlike.suite import Ending

EMAIL = NamedFields((Field("email", Texts(r"[a-z]+@[a-z]+\.(com|org)", 0, 64, stated=("pattern",))),), closed=True)
PHONE = NamedFields((Field("phone", Texts(r"[0-9]{7}", 0, 64, stated=("pattern",))),), closed=True)
NONE = Constants((None,))
ADDRESS = NamedFields(
    (
        Field("street", Texts(None, 1, 20, stated=("shortest", "longest"))),
        Field("zip", Texts(r"[0-9]{5}(-[0-9]{4})?", 0, 64, stated=("pattern",)), required=False),
    ),
    closed=True,
)
CONTACT: Shape = NamedFields(
    (
        Field("id", Numbers(CodeLine("int"), 1, 100, stated=("least", "most"))),
        Field("kind", Constants(("person", "company", "bot"))),
        Field("nick", Choice((("str", Texts(None, 0, 8, stated=("longest",))), ("null", NONE))), required=False),
        Field("address", ADDRESS),
        Field("contact", Choice((("email", EMAIL), ("phone", PHONE), ("null", NONE))), required=False),
        Field("tags", ItemsShape(Constants(("a", "b", "c")), 0, 3, stated=("most items",)), required=False),
    ),
    closed=True,
)

Value = dict[str, object]


def covered(strength: Strength, n: int | None = None) -> tuple[CoverOutcome, list[Value]]:
    outcome = execute(compile_shape(CONTACT, strength), strength, n)
    return outcome, [data(CONTACT, row.plain) for row in outcome.rows]  # type: ignore[misc]


# -- what the schema says, written down again by hand ----------------------------------------------------------------


def is_valid(value: Value) -> bool:
    address = value["address"]
    assert isinstance(address, dict)
    contact = value.get("contact")
    tags = value.get("tags", [])
    nick = value.get("nick")
    return all(
        [
            set(value) <= {"id", "kind", "nick", "address", "contact", "tags"},
            value["id"] in range(1, 101),
            value["kind"] in ("person", "company", "bot"),
            nick is None or (isinstance(nick, str) and len(nick) <= 8),
            1 <= len(address["street"]) <= 20,
            re.fullmatch(r"[0-9]{5}(-[0-9]{4})?", address.get("zip", "00000")),
            contact is None
            or (isinstance(contact, dict) and list(contact) == ["email"] and is_email(contact["email"]))
            or (isinstance(contact, dict) and list(contact) == ["phone"] and is_phone(contact["phone"])),
            isinstance(tags, list) and len(tags) <= 3 and set(tags) <= {"a", "b", "c"},
        ]
    )


def is_email(text: str) -> bool:
    return re.fullmatch(r"[a-z]+@[a-z]+\.(com|org)", text) is not None


def is_phone(text: str) -> bool:
    return re.fullmatch(r"[0-9]{7}", text) is not None


def alternatives(value: Value) -> dict[str, str]:
    """Return which alternative of each of the five groups a value takes."""
    address, contact = value["address"], value.get("contact", "absent")
    assert isinstance(address, dict)
    nick, tags = value.get("nick", "absent") if "nick" in value else "absent", value.get("tags")
    if isinstance(contact, dict):
        contact = contact.get("email", "phone")[-4:] if "email" in contact else "phone"
    return {
        "kind": str(value["kind"]),
        "nick": "absent" if "nick" not in value else "null" if nick is None else "string",
        "zip": {5: "short", 10: "long"}.get(len(address.get("zip", "")), "absent"),
        "contact": "null" if contact is None else str(contact),
        "tags": "absent" if tags is None else str(len(tags)),  # type: ignore[arg-type]
    }


GROUPS = {
    "kind": ["person", "company", "bot"],
    "nick": ["absent", "string", "null"],
    "zip": ["absent", "short", "long"],
    "contact": ["absent", "null", ".com", ".org", "phone"],
    "tags": ["absent", "0", "1", "2", "3"],
}
ALL_PAIRS = {
    frozenset({(one, first), (two, second)})
    for one, two in itertools.combinations(GROUPS, 2)
    for first in GROUPS[one]
    for second in GROUPS[two]
}


def pairs_shown(values: list[Value]) -> set[frozenset[tuple[str, str]]]:
    return {
        frozenset(pair) for value in values for pair in itertools.combinations(sorted(alternatives(value).items()), 2)
    }


def test_the_142_pairs_appear_in_at_most_30_valid_inputs() -> None:
    outcome, values = covered("pairs")

    assert len(ALL_PAIRS) == 142
    assert pairs_shown(values) == ALL_PAIRS
    assert len(values) <= 30
    assert all(map(is_valid, values))
    assert sum(target[0] == "pair" for target in outcome.targets.goals) == 142
    assert not outcome.impossible
    assert not outcome.undecided


def test_no_fewer_rows_could_show_the_pairs_of_the_two_widest_groups() -> None:
    _, values = covered("pairs")

    assert len(values) == 25  # five ways to contact, five numbers of tags


@pytest.mark.few(1)
@pytest.mark.parametrize("strength", ["each", "pairs", "all"])
def test_each_of_the_22_alternatives_and_every_bound_appears(strength: Strength) -> None:
    _, values = covered(strength)

    shown = {pair for value in values for pair in alternatives(value).items()}
    assert shown == {(group, each) for group, words in GROUPS.items() for each in words}
    assert {tag for value in values for tag in value.get("tags", [])} == {"a", "b", "c"}  # type: ignore[attr-defined]
    assert {1, 2, 99, 100} <= {value["id"] for value in values}
    assert {1, 2, 19, 20} <= {len(value["address"]["street"]) for value in values}  # type: ignore[index]
    assert {0, 1, 7, 8} <= {len(value["nick"]) for value in values if isinstance(value.get("nick"), str)}  # type: ignore[arg-type]


def test_each_choice_once_takes_no_more_rows_than_the_widest_field_has_choices() -> None:
    _, values = covered("each")

    # contact: absent, null, a phone; two endings of an email, and its two repetitions once longer
    assert len(values) == 7


def test_all_are_the_675_combinations() -> None:
    outcome, values = covered("all")

    assert len({frozenset(alternatives(value).items()) for value in values}) == 675
    assert len(values) == 675
    assert all(map(is_valid, values))
    assert not outcome.undecided


def test_every_input_carries_the_choices_it_shows() -> None:
    outcome, values = covered("pairs")

    for row, value in zip(outcome.rows, values, strict=True):
        label = describe_input(outcome.tree, row.views)
        assert f"kind: {value['kind']!r}" in label
        assert ("nick: absent" in label) == ("nick" not in value)
        assert ("tags: absent" in label) == ("tags" not in value)


def test_adding_an_optional_field_changes_few_inputs() -> None:
    assert isinstance(CONTACT, NamedFields)
    wider = NamedFields((*CONTACT.fields, Field("vip", Constants((False, True)), required=False)), closed=True)

    _, before = covered("pairs")
    outcome = execute(compile_shape(wider, "pairs"), "pairs")
    after = [data(wider, row.plain) for row in outcome.rows]

    without = [{name: part for name, part in value.items() if name != "vip"} for value in after]  # type: ignore[union-attr]
    assert sum(value in without for value in before) >= 0.9 * len(before)
    assert len(after) <= len(before) + 3


def test_pairs_that_are_not_planned_in_time_leave_an_outcome_that_says_so() -> None:
    outcome = execute(compile_shape(CONTACT, "pairs"), "pairs", deadline=Deadline(time.monotonic() - 1, 1))

    assert outcome.ended is Ending.TIMEOUT
    assert outcome.rows == []
