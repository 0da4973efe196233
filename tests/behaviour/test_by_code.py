"""Inputs chosen by code: claims against brute force, beginnings, legality, mixes, differences, what is refused."""

import itertools
import re
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import pytest
from tests.behaviour.random_functions import WORDS, load_function, write_function
from tests.corpora import few_of

from unlike import Int, Matching, OneOf, ScopeError, Spec, SpecError, Suite, all_of, cover, differs_by, generate
from unlike.behaviour.result import ChosenCases
from unlike.suite import Ending

SMALL = Spec({"a": Int(0, 5), "b": Int(0, 4), "word": OneOf(*WORDS)})
LARGE = Spec({"a": Int(0, 1_000), "b": Int(0, 1_000)})
NUMBER = re.compile(r"[0-9]{1,3}(\.[0-9]{1,2})?")


def chosen_of(suite: Suite) -> ChosenCases:
    assert isinstance(suite.cases, ChosenCases)
    return suite.cases


def area(a: int, b: int) -> object:
    if a > b + 50:
        return a - b
    if a == b == 17:
        return "seventeen"
    return 0


def read_number(text: str) -> float:
    whole, dot, rest = text.partition(".")
    if not whole.isdigit() or (dot and not rest):
        raise ValueError(text)
    if int(whole) > 255:
        return -1
    return float(text)


# -- against brute force -----------------------------------------------------------------------------------------------


def ways_out(function: Callable[..., object], **values: object) -> str:
    """Return by which way a random function is left: each has a number."""
    try:
        return f"returns {function(**values)}"
    except ValueError as error:
        return f"raises {error}"


def steps_of(function: Callable[..., object], **values: object) -> Iterator[tuple[int, int]]:
    """Yield the lines that come one after the other in a call, as Python's own tracing tells them."""
    lines: list[int] = []

    def trace(frame: types.FrameType, event: str, _: object) -> Any:
        if event == "line":
            lines.append(frame.f_lineno)
        return trace if frame.f_code is function.__code__ else None  # type: ignore[attr-defined]

    sys.settrace(trace)
    try:
        ways_out(function, **values)
    finally:
        sys.settrace(None)
    yield from itertools.pairwise(lines)


def dark_by_brute_force(function: Callable[..., object], source: str, inputs: list[dict[str, object]]) -> set[str]:
    """Return the outcomes of `if`s that no input takes, though one comes to the `if`."""
    found = outcomes_of(function, source, inputs)
    return {f"{line} {'false' if taken else 'true'}" for line, taken in found if (line, not taken) not in found}


def outcomes_of(function: Callable[..., object], source: str, inputs: list[dict[str, object]]) -> set[tuple[int, bool]]:
    """Return the outcomes of `if`s, by the line that comes next."""
    taken = {step for each in inputs for step in steps_of(function, **each)}
    lines = [line for line, text in enumerate(source.splitlines(), 1) if text.strip().startswith("if ")]
    return {(before, after == before + 1) for before, after in taken if before in lines}


@pytest.mark.parametrize("seed", few_of(range(200), 4))
def test_what_is_proved_of_a_whole_space_is_so(seed: int, tmp_path: Path) -> None:
    source = write_function(seed)
    module = load_function(source, f"random_subject_{seed}", tmp_path)
    inputs = [{"a": a, "b": b, "word": word} for a in range(6) for b in range(5) for word in WORDS]

    suite = generate(SMALL, code=module.subject)

    assert suite.status.ending is Ending.SHOWN, suite.guarantee
    assert chosen_of(suite).candidates == len(inputs)
    if "for b" not in source and "try:" not in source:  # there a way out is no outcome of a condition
        everything = {ways_out(module.subject, **each) for each in inputs}
        assert {ways_out(module.subject, **each) for each in suite.values} == everything
    assert outcomes_of(module.subject, source, suite.values) == outcomes_of(module.subject, source, inputs)
    lines = {line: text.strip()[3:-1] for line, text in enumerate(source.splitlines(), 1) if "if " in text}
    said = {
        f"{line} {each.words.rsplit(' ', 1)[1]}"
        for each in chosen_of(suite).dark
        if each.words.startswith(f"`{lines.get(line := int(each.place.rpartition(':')[2]))}` is never")
    }
    assert said == dark_by_brute_force(module.subject, source, inputs)


# -- what is promised of the order -------------------------------------------------------------------------------------


@pytest.mark.corpus
@pytest.mark.usefixtures("few_candidates")
def test_a_larger_number_extends_the_smaller_suite_and_every_input_is_legal() -> None:
    suites = [generate(LARGE, n, code=area).values for n in (1, 6, 20)]

    assert suites[1][:1] == suites[0]
    assert suites[2][:6] == suites[1]
    assert len({repr(each) for each in suites[2]}) == 20
    assert all(0 <= each["a"] <= 1_000 and 0 <= each["b"] <= 1_000 for each in suites[2])
    # a branch behind two equal numbers, which one in a million inputs takes, is found by the distance to it
    assert "seventeen" in {area(**each) for each in suites[1]}


@pytest.mark.usefixtures("few_candidates")
def test_every_input_says_why_it_is_there() -> None:
    suite = generate(LARGE, 6, code=area)

    whys = [case.why for case in suite]
    assert all(whys)
    assert any("`a == b == 17` true" in why for why in whys)
    assert any("`a > b + 50`" in why and "one above" in why for why in whys)


@pytest.mark.few(1)
@pytest.mark.usefixtures("few_candidates")
@pytest.mark.parametrize(("mix", "most"), [(False, 0), (0.25, 3), (True, 12)])
def test_the_share_that_fails_is_at_most_what_was_asked(mix: bool | float, most: int) -> None:
    suite = generate(NUMBER, 12, code=read_number, mix=mix)

    failing = [case for case in suite if not case.legal]
    assert len(suite) == 12
    assert len(failing) <= most
    assert (len(failing) > 0) == (most > 0)
    assert all((NUMBER.fullmatch(case.value) is not None) == case.legal for case in suite)
    assert all(case.label for case in failing)
    if mix is True:
        assert any(case.why.count("ValueError") for case in failing)


@dataclass
class Order:
    name: str
    amount: Annotated[int, Int(0, 10_000)]
    codes: list[str]


def total(order: Order) -> int:
    if order.amount >= 5_000 and len(order.codes) == 2:
        return 0
    if order.name.endswith("!"):
        return 1
    return order.amount


@pytest.mark.usefixtures("few_candidates")
def test_values_of_a_type_are_chosen_and_stay_within_it() -> None:
    suite = generate(Order, 8, code=total)

    assert {total(each) for each in suite.values} >= {0, 1}
    assert all(type(each) is Order and 0 <= each.amount <= 10_000 for each in suite.values)


def remembers(a: int, b: int, *, _before: list[int] = []) -> bool:  # noqa: B006
    _before.append(a + b)
    return len(_before) % 3 == 0 if _before[-1] > 4 else False


def test_nothing_is_proved_of_code_with_a_memory() -> None:
    suite = generate(Spec({"a": Int(0, 5), "b": Int(0, 4)}), code=remembers)

    assert suite.status.ending is not Ending.SHOWN
    assert "proved" not in suite.guarantee
    assert any("second time" in each for each in chosen_of(suite).remarks)
    assert remembers.__kwdefaults__ == {"_before": []}, "nothing ran in this process"


# -- what code does as a difference ------------------------------------------------------------------------------------


def sign(a: int, b: int) -> str:
    return "less" if a < b else "equal" if a == b else "greater than"


def test_two_inputs_differ_if_code_does_and_that_combines() -> None:
    blanks = {"a": Int(0, 5), "b": Int(0, 4)}
    alone = generate(Spec(blanks, different=cover.code(sign, by="branches")))
    both = generate(Spec(blanks, different=all_of(cover.code(sign, by="branches"), differs_by("a"))))

    assert sorted(sign(**each) for each in alone.values) == ["equal", "greater than", "less"]
    assert alone.status.ending is Ending.MAXIMAL
    assert len({each["a"] for each in both.values}) == len(both.values) == 3


def test_code_and_a_difference_hold_together() -> None:
    spec = Spec({"a": Int(0, 5), "b": Int(0, 4)}, different=differs_by("a"))
    suite = generate(spec, 5, code=sign)

    assert len({each["a"] for each in suite.values}) == 5
    assert {sign(**each) for each in suite.values} == {"less", "equal", "greater than"}


# -- what is refused, and what is passed on ----------------------------------------------------------------------------


def test_several_functions_and_modules_are_looked_at_together() -> None:
    spec = Spec({"a": Int(0, 5), "b": Int(0, 4)})
    together = generate(spec, code=[sign, remembers_nothing])

    shown = {(sign(**each), remembers_nothing(**each)) for each in together.values}
    assert {each for each, _ in shown} == {"less", "equal", "greater than"}
    assert {each for _, each in shown} == {True, False}


def remembers_nothing(a: int, b: int) -> bool:
    return a * b == 20


@lru_cache
def refused(word: str) -> str:
    return word


@pytest.mark.parametrize(
    ("space", "keywords", "words"),
    [
        (LARGE, {"code": lambda x, y: x}, "code=lambda a, b: …"),
        (int, {"code": area}, "code=lambda value: …"),
        (int, {"code": 3}, "neither a function nor a module"),
        (int, {"code": abs, "by": "branch"}, "did you mean 'branches'"),
        (int, {"code": abs, "mix": 3}, "mix=3"),
        (int, {"by": "branches"}, "give code=…"),
        (LARGE, {"code": area, "mix": True}, "made from types and patterns"),
        (int, {"code": []}, "no function is named"),
        (LARGE, {"code": itertools}, "no public function of itertools"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_remedy(space: Any, keywords: dict[str, Any], words: str) -> None:
    with pytest.raises((SpecError, ScopeError), match=re.escape(words)):
        generate(space, 3, **keywords)


def test_all_inputs_leave_nothing_to_choose() -> None:
    with pytest.raises(ScopeError, match="nothing to choose"):
        generate(LARGE, "all", code=area)


def test_the_only_blank_goes_to_the_only_required_parameter() -> None:
    spec = Spec({"word": OneOf("a", "bb", "ccc")})

    assert generate(spec, 2, code=read_other).values == [{"word": "a"}, {"word": "ccc"}]


def read_other(text: str, strict: bool = False) -> bool:
    return len(text) > 2 or strict


def test_patterns_in_types_stay_matched(few_candidates: None) -> None:
    suite = generate(Annotated[str, Matching(r"[0-9]{1,3}(\.[0-9]{1,2})?")], 6, code=read_number)

    assert all(NUMBER.fullmatch(each) for each in suite.values)
    assert -1 in {read_number(each) for each in suite.values}


def test_modules_that_are_named_are_imported_and_one_that_is_not_there_is_refused() -> None:
    suite = generate(int, 2, code=lambda number: __import__("textwrap").fill("a b", 1 + number % 3), within="textwrap")

    assert "no module" not in suite.explanation
    with pytest.raises(SpecError, match="nowhere_at_all cannot be imported"):
        generate(int, 2, code=abs, within=["nowhere_at_all"])
