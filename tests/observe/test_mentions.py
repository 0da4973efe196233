"""What the source of code mentions, with the names beside it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.observe import watched_code

from unlike.observe.mentions import Mentions, mentions_of

LIMIT = 100
UNITS = frozenset({"kg", "g"})
TABLE = {"jan": 1, "feb": 2}
PATTERN = re.compile("[a-z]+", re.IGNORECASE)


class Limits:
    HIGH = 900


def compared(order: Any, unit: str) -> bool:
    return order.amount >= LIMIT or unit in UNITS or order.total == -3 or 0.5 < order.rate <= Limits.HIGH


def measured(text: str) -> bool:
    return len(text) > 3 and text[:8] != "v" and text[10] == "x" and len(text.strip()) == 17


def parts(text: str) -> object:
    head, _, tail = text.partition("@")
    if PATTERN.fullmatch(head) and re.match(r"\d{2}", tail):
        return TABLE[head]
    return tail.startswith(("http", "ftp")) or "%" in tail or TABLE.get(tail)


def cased(value: Any) -> int:
    match value:
        case 404 | "none":
            return 1
        case {"kind": "square", "size": 7}:
            return 2
        case [1, _, _]:
            return 3
        case _ if value["weight"] % 13 == 0:
            return 4
    return max(value, 66) if value.get("late") else 0


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (
            compared,
            Mentions(
                numbers={
                    LIMIT: ("amount", "order"),
                    -3: ("total", "order"),
                    0.5: ("rate", "order"),
                    900: ("rate", "order"),
                },
                texts={"g": ("unit",), "kg": ("unit",)},
            ),
        ),
        (
            measured,
            Mentions(
                texts={"v": ("text",), "x": ("text",)},
                lengths={3: ("text",), 8: ("text",), 11: ("text",), 17: ("text",)},
            ),
        ),
        (
            parts,
            Mentions(
                texts={
                    "@": ("text",),
                    "jan": ("head", "text", "tail"),
                    "feb": ("head", "text", "tail"),
                    "http": ("tail", "text"),
                    "ftp": ("tail", "text"),
                    "%": ("tail", "text"),
                },
                patterns={"(?i)[a-z]+": ("head", "text"), r"\d{2}": ("tail", "text")},
            ),
        ),
        (
            cased,
            Mentions(
                numbers={
                    404: ("value",),
                    7: ("size",),
                    1: ("value",),
                    0: ("weight", "value"),
                    13: ("weight", "value"),
                    66: ("value",),
                },
                texts={
                    "none": ("value",),
                    "kind": ("value",),
                    "square": ("kind",),
                    "size": ("value",),
                    "weight": ("value",),
                    "late": ("value",),
                },
                lengths={3: ("value",)},
            ),
        ),
    ],
)
def test_values_stand_beside_the_names_they_were_seen_with(function: Any, expected: Mentions) -> None:
    found = mentions_of([function])  # its own come first, then those around it

    for name in ("numbers", "texts", "lengths", "patterns"):
        wanted = getattr(expected, name)
        first = dict([*getattr(found, name).items()][: len(wanted)])
        assert {value: {*names} >= {*wanted[value]} for value, names in first.items()} == dict.fromkeys(wanted, True)


def test_what_nothing_is_compared_with_is_no_mention() -> None:
    found = mentions_of([watched_code.pass_on])

    assert not {"a result", "a message", "Be no constant: 12345."} & {*found.texts}
    assert 12345 not in found.numbers
    assert {2, 3, 4, 5, 99} <= {*found.numbers}  # of the functions around it
