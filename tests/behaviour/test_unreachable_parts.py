"""What is said of branches about parts of an argument is so, against brute force; and what is said of types and texts."""

from __future__ import annotations

import ast
import importlib
import itertools
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Le
from tests.behaviour.random_functions import load_function
from tests.behaviour.random_guards import Noting
from tests.behaviour.random_parts import KINDS, RandomParts, random_parts
from tests.corpora import few_of

from unlike import Matching, generate
from unlike.behaviour.calls import PassedInput
from unlike.behaviour.spaces import TypeSpace
from unlike.behaviour.spoken_parts import spoken_input
from unlike.behaviour.unreachable import AskedBranch, ask_branches
from unlike.core import FOREVER, USUAL
from unlike.observe.run import Spot
from unlike.types.choices import read_type

FUNCTIONS = 360
TEXTS = ["".join(each) for size in range(3) for each in itertools.product("ab", repeat=size)]
EVERY = [
    dict(zip("abstk", each, strict=True))
    for each in itertools.product(range(5), range(-1, 4), TEXTS, (False, True), "xyz")
]
Place = tuple[str, int, int]


def taken_by_brute_force(made: RandomParts, inputs: list[dict[str, Any]]) -> tuple[list[Place], set[Any]]:
    """Return the places of all conditions, and every outcome that any has for any input."""
    taken, noting = set(), Noting()

    def note(place: Place, value: object) -> object:
        taken.add((place, bool(value)))
        return value

    names: dict[str, Any] = {"note": note, "__name__": __name__}
    exec(compile(noting.visit(ast.parse(made.text)), "noted", "exec"), names)
    for each in inputs:
        names["SEEN"].clear()
        built = names["P"](names["Q"](**each)) if made.kind == "holds another" else names["P"](**each)
        try:
            names["subject"](built)
        except Exception:  # it may raise anything
            continue
    return list(noting.places), taken


def ask(made: RandomParts, places: list[Place], name: str, folder: Path) -> list[AskedBranch]:
    module = load_function(made.text, name, folder)
    space = TypeSpace(module.P, {}, USUAL, FOREVER)
    space.shape = read_type(module.P).shape
    spots = [Spot(str(module.__file__), line, column, kind, "", "subject") for kind, line, column in places]  # type: ignore[arg-type]
    every = itertools.product(range(len(places)), (True, False))
    spoken = spoken_input(space, PassedInput(module.subject))
    return list(ask_branches(spoken, module.subject, spots, every, lambda asked: generate(asked, 1)))


@pytest.mark.parametrize("seed", few_of(range(FUNCTIONS), 1))
def test_no_branch_that_is_said_to_be_out_of_reach_is_taken(seed: int, tmp_path: Path) -> None:
    made = random_parts(seed)
    inputs = [*EVERY, {}] if made.kind == "default" else EVERY
    places, taken = taken_by_brute_force(made, inputs)

    asked = ask(made, places, f"parts_{seed}", tmp_path)

    proved = [(places[each.spot], each.holds) for each in asked if each.found is None]
    assert not [each for each in proved if each in taken], f"{made.kind}, {made.defeat}:\n{made.text}"
    if made.kind in ("post init", "registered", "sets otherwise", "computed", "validator"):
        assert not asked, "such a class may do anything with what it is given"


def test_every_kind_of_condition_argument_and_defeat_occurs_often() -> None:
    kinds = Counter(kind for seed in range(FUNCTIONS) for kind in random_parts(seed).kinds)

    assert min(kinds.values()) >= 10, kinds
    assert len(kinds) == 9 + len(KINDS) + 16 - 1  # "property" is a kind and a defeat


PROVING = ("dataclass", "frozen", "slots", "equal", "named tuple", "dict", "model", "holds another", "property")


@pytest.mark.parametrize("kind", PROVING)
def test_parts_of_plain_data_are_proved_of(kind: str, tmp_path: Path) -> None:
    part = {"dict": 'p["a"]', "holds another": "p.q.a"}.get(kind, "p.a")
    text = f"def subject(p):\n    if {part} > 4:\n        return 1\n    return 2 if {part} == 9 else 3\n"
    made = random_parts(0)
    head = "".join([text_of_head(), KINDS[kind], "\n", text])
    line = head.count("\n") - 3
    places: list[Place] = [("condition", line + 1, 7), ("condition", line + 3, 16)]

    asked = ask(RandomParts(kind, "", made.kinds, head), places, f"proving_{kind.replace(' ', '_')}", tmp_path)

    assert [(each.spot, each.found) for each in asked if each.holds] == [(0, None), (1, None)]


def text_of_head() -> str:
    from tests.behaviour.random_parts import HEAD, IMPORTS, OUTSIDE

    return "\n".join([IMPORTS, HEAD, OUTSIDE, ""])


@dataclass
class Parcel:
    weight: Annotated[int, Ge(1), Le(30_000)]
    code: Annotated[str, Matching("[A-Z]{2}[0-9]{1,4}")]
    kind: Literal["letter", "box"]
    note: str = ""


PARCELS = """
LIMIT = 30_000

def price(parcel):
    if parcel.weight > LIMIT:
        return "heavy"
    if parcel.kind == "box" and parcel.weight * 7 == 90_013 and parcel.code.endswith("77"):
        return "found by asking"
    if parcel.kind == "crate":
        return "crate"
    if len(parcel.code) > 6:
        return "long"
    if parcel.note == "a" and parcel.note.endswith("b"):
        return "both"
    return "usual"

def read(text):
    if len(text) > 4 and text.startswith("x"):
        return 1
    if text == "abc12":
        return 2
    return 3
"""


def parcels(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (folder / "parcels_of_parts.py").write_text(PARCELS)
    monkeypatch.syspath_prepend(str(folder))
    return importlib.import_module("parcels_of_parts")


@pytest.mark.corpus
def test_a_type_is_asked_together_with_the_branches_of_its_fields(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    price = parcels(tmp_path, monkeypatch).price

    suite = generate(Parcel, 4, code=price)

    assert "found by asking" in {price(each) for each in suite.values}
    said = suite.explanation.splitlines()
    assert "no input (proved): parcels_of_parts.py:5: `parcel.weight > LIMIT` is never true" in said
    assert 'no input (proved): parcels_of_parts.py:9: `parcel.kind == "crate"` is never true' in said
    assert "no input (proved): parcels_of_parts.py:11: `len(parcel.code) > 6` is never true" in said
    # nobody says how long a note may be
    assert any(each.startswith("no input within the usual bounds (proved): parcels_of_parts.py:13") for each in said)
    assert "no input within the usual bounds takes (proved)" in suite.guarantee


@pytest.mark.corpus
def test_a_pattern_is_asked_together_with_the_branches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = parcels(tmp_path, monkeypatch).read
    pattern = re.compile("[a-w]{2,4}[0-9]{1,4}")

    legal, mixed = (generate(pattern, 4, code=read, mix=mix) for mix in (False, True))

    assert 'no input (proved): parcels_of_parts.py:18: `text.startswith("x")` is never true' in legal.explanation
    assert 2 in {read(each) for each in legal.values}
    assert 1 in {read(each) for each in mixed.values}, "what no legal text does, another one may"
