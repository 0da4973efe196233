"""What is said of branches that nobody took is so: a solver and the guards of the source against brute force."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import itertools
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.behaviour.random_guards import Noting, random_function, text_of
from tests.corpora import few_of

from unlike import Bool, Int, OneOf, Spec, Str, generate
from unlike.behaviour.spoken_parts import SpokenInput
from unlike.behaviour.unreachable import ask_branches
from unlike.observe.run import Spot

FUNCTIONS, BATCHES = 240, 240
BLANKS = {"a": Int(0, 4), "b": Int(-1, 3), "s": Str("[ab]*", max_length=2), "t": Bool(), "k": OneOf("x", "y", "z")}
TEXTS = ["".join(each) for size in range(3) for each in itertools.product("ab", repeat=size)]
EVERY = [
    dict(zip(BLANKS, each, strict=True))
    for each in itertools.product(range(5), range(-1, 4), TEXTS, (False, True), "xyz")
]
SPACES: list[tuple[Spec, Callable[[dict[str, Any]], bool]]] = [
    (Spec(BLANKS), lambda each: True),
    (Spec(BLANKS, where=lambda a, b: a + b < 3), lambda each: each["a"] + each["b"] < 3),
    (Spec(BLANKS, where=lambda s, k: (k != "x") | (s.length > 0)), lambda each: each["k"] != "x" or bool(each["s"])),
]


def load(text: str, folder: Path, name: str) -> ModuleType:
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Place = tuple[str, int, int]


def taken_by_brute_force(text: str, legal: Callable[[dict[str, Any]], bool]) -> tuple[list[Place], set[Any]]:
    """Return the places of all conditions and operands, and every outcome that any has for any legal input."""
    taken, noting = set(), Noting()

    def note(place: Place, value: object) -> object:
        taken.add((place, bool(value)))
        return value

    names: dict[str, Any] = {"note": note}
    exec(compile(noting.visit(ast.parse(text)), "noted", "exec"), names)
    for each in filter(legal, EVERY):
        names["SHIFTING"] = 1
        try:
            names["subject"](**each)
        except Exception:  # it may raise anything
            continue
    return list(noting.places), taken


@pytest.mark.parametrize("batch", few_of(range(BATCHES), 1))
def test_no_branch_that_is_said_to_be_out_of_reach_is_taken(batch: int, tmp_path: Path) -> None:
    said: Counter[str] = Counter()
    for seed in range(batch * FUNCTIONS // BATCHES, (batch + 1) * FUNCTIONS // BATCHES):
        text = text_of(random_function(seed))
        module = load(text, tmp_path, f"subject_{seed}")
        spec, legal = SPACES[seed % len(SPACES)]
        places, taken = taken_by_brute_force(text, legal)
        spots = [Spot(str(module.__file__), line, column, kind, "", "subject") for kind, line, column in places]  # type: ignore[arg-type]
        every = list(itertools.product(range(len(places)), (True, False)))

        spoken = SpokenInput.of_spec(spec, {name: name for name in BLANKS})
        asked = ask_branches(spoken, module.subject, spots, every, lambda asked: generate(asked, 1))

        for each in asked:
            if each.found is None:
                outcome = places[each.spot], each.holds
                assert outcome not in taken, f"seed {seed}: {outcome} for some input\n{text}"
                said["proved"] += 1
            else:
                assert legal(each.found)
                said["found"] += 1
        said["not taken"] += len(every) - len(taken)

    assert said["proved"] <= said["not taken"], said


def test_what_no_input_can_be_is_proved(tmp_path: Path) -> None:
    text = "def subject(a, b, s, t, k):\n    if a > 9:\n        return 1\n    return 2 if b == a + 7 else 3\n"
    subject = load(text, tmp_path, "subject_of_proofs").subject
    spots = [Spot(subject.__code__.co_filename, *place, "condition", "", "subject") for place in ((2, 7), (4, 16))]
    spoken = SpokenInput.of_spec(Spec(BLANKS), {name: name for name in BLANKS})

    asked = ask_branches(spoken, subject, spots, [(0, True), (1, True)], lambda asked: generate(asked, 1))

    assert [(each.spot, each.found) for each in asked] == [(0, None), (1, None)]


def test_every_kind_of_condition_and_of_defeat_occurs_often() -> None:
    kinds = Counter(kind for seed in range(FUNCTIONS) for kind in random_function(seed).kinds)

    texts = [text_of(random_function(seed)) for seed in range(FUNCTIONS)]
    written = (
        "return 1",
        "raise KeyError",
        "except KeyError:",
        "while ",
        "Odd() ==",
        "== Odd()",
        " if a in (",
        ".fullmatch(s)",
    )

    assert min(kinds.values()) >= 10, kinds
    assert len(kinds) == 9 + 9
    assert min(sum(each in text for text in texts) for each in written) >= 10


SHOP = """
LIMIT = 500

def fee(price, kind, code):
    if kind == "gift" and price > LIMIT:
        return 0
    if kind == "loan":
        return 7
    if code == "Z" and price * 3 == 2997:
        return price // 2
    return price
"""


def test_a_choice_by_code_says_what_is_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shop_of_proofs.py").write_text(SHOP)
    monkeypatch.syspath_prepend(str(tmp_path))
    fee = importlib.import_module("shop_of_proofs").fee
    blanks = {"price": Int(1, 1_000_000), "kind": OneOf("gift", "sale"), "code": Str("[A-Z]{1,9}")}
    spec = Spec(blanks, where=lambda price, kind: (kind != "gift") | (price <= 400))

    suite = generate(spec, 4, code=fee)

    assert "3 branches that no input takes (proved)" in suite.guarantee
    assert "not reached" not in suite.guarantee
    assert (
        'no input (proved): shop_of_proofs.py:5: `kind == "gift" and price > LIMIT` is never true' in suite.explanation
    )
