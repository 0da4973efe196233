"""Types on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests import warm

MODULE = """
import dataclasses
from types import CodeType
from typing import Annotated, Literal, TypedDict, NotRequired
from annotated_types import Ge, Le

@dataclasses.dataclass
class Item:
    kind: Literal["book", "game"]
    price: Annotated[int, Ge(1), Le(100)]
    used: bool = False

class Note(TypedDict):
    text: str
    mark: NotRequired[bool]

@dataclasses.dataclass
class Bad:
    call: CodeType

Small = Literal["a", "b"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(MODULE)
    return tmp_path


def unlike(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return warm.run(["generate", *arguments], folder)


def test_each_line_carries_a_value_and_the_label_of_its_choices(folder: Path) -> None:
    done = unlike(folder, "shop:Item", "--cover", "pairs", "--format", "jsonl")

    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert {(row["value"]["kind"], row["value"]["used"]) for row in rows} == {
        (kind, used) for kind in ("book", "game") for used in (False, True)
    }
    assert all("kind: " in row["label"] and "used: " in row["label"] for row in rows)
    assert "pairs" in done.stderr
    assert "every choice is shown" in done.stderr


def test_json_holds_the_status_and_every_value_with_its_label(folder: Path) -> None:
    done = unlike(folder, "shop:Item", "--cover", "each", "--format", "json")

    answer = json.loads(done.stdout)
    assert answer["status"]["ending"] == "shown"
    assert answer["cases"]["inputs"][0] == {
        "value": {"kind": "book", "price": 1, "used": False},
        "label": "kind: 'book'; price: least; used: absent",
    }


def test_python_source_runs_and_gives_the_inputs(folder: Path) -> None:
    done = unlike(folder, "shop:Item", "-n", "3", "--format", "python")

    program = f"{done.stdout}\nprint(item_inputs[0])"
    ran = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    assert ran.stdout == "Item(kind='book', price=1, used=False)\n"


def test_invalid_prints_data_that_break_one_rule(folder: Path) -> None:
    done = unlike(folder, "shop:Item", "--invalid", "--format", "jsonl")

    rows = {row["label"]: row["value"] for row in map(json.loads, done.stdout.splitlines())}
    assert rows["price: above the most"]["price"] == 101
    assert done.returncode == 0


def test_a_number_all_and_the_count(folder: Path) -> None:
    assert len(unlike(folder, "shop:Item", "-n", "30", "--format", "jsonl").stdout.splitlines()) == 30
    assert unlike(folder, "shop:Small", "--all", "--count").stdout == "2\n"
    assert unlike(folder, "shop:Item", "--cover", "each", "--count").stdout == "4\n"


@pytest.mark.parametrize("format_", ["json", "jsonl", "table", "python"])
def test_every_format_is_written_to_standard_output_or_a_file(folder: Path, format_: str) -> None:
    printed = unlike(folder, "shop:Note", "--cover", "pairs", "--format", format_)
    written = unlike(folder, "shop:Note", "--cover", "pairs", "--format", format_, "-o", "out.txt")

    assert printed.returncode == written.returncode == 0
    assert (folder / "out.txt").read_text() == printed.stdout
    assert "mark" in printed.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["shop:Bad"], "call: code is not a type whose values can be generated"),
        (["shop:Item", "-n", "0"], "-n 0 must be a whole number of at least 1"),
        (["shop:Item", "-n", "3", "--all"], "contradict each other"),
        (["shop:Item", "--invalid", "--cover", "each"], "contradict each other"),
        (["shop:Item", "--cover", "some"], "--cover some is no strength"),
        (["shop:Items"], "has no 'Items'; did you mean 'Item'?"),
    ],
)
def test_bad_input_is_one_message_and_exit_code_2(folder: Path, arguments: list[str], message: str) -> None:
    done = unlike(folder, *arguments)

    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_values_for_every_command_stand_in_a_file_and_flags_come_first(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.unlike.literals]\nprice = [5, 95]\nmark = "@shop:marks"\nnobody = [1]\n'
    )
    (folder / "shop.py").write_text(f"{MODULE}\nmarks = [True]\n")
    lines = lambda *arguments: [  # noqa: E731
        json.loads(line)["value"] for line in unlike(folder, *arguments, "--format", "jsonl").stdout.splitlines()
    ]

    assert {each["price"] for each in lines("shop:Item")} == {5, 95}
    assert {each["price"] for each in lines("shop:Item", "--literals", "price=7")} == {7}
    assert {each.get("mark") for each in lines("shop:Note")} == {None, True}
    assert not any("above" in each for each in map(str, lines("shop:Item", "--invalid", "--literals", "price=7")))

    (folder / "pyproject.toml").write_text("[tool.unlike]\nliterals = 3\n")
    done = unlike(folder, "shop:Item")
    assert (done.returncode, done.stderr.strip()) == (2, "unlike: 'pyproject.toml': literals=3 must be a table")
