"""Rules: every operator makes its changes, and a module behind the switch is each of its mutants."""

from __future__ import annotations

import ast
import asyncio
import types
from pathlib import Path
from typing import Any

import pytest
from measured_code import CART, ODD, inputs_of

from corpora import few_of
from unlike.measure.mutants.operators import OPERATORS
from unlike.measure.mutants.switch import Mutant, list_mutants, mutant_source, switched_code
from unlike.measure.subject import UNLIMITED, Rounds, TooManyRoundsError

CHANGES = {
    "comparison": ("a < b", ["< becomes <=", "< becomes >="]),
    "arithmetic": ("a + b", ["+ becomes -"]),
    "boolean": ("a and b", ["and becomes or", "a dropped", "b dropped"]),
    "constant": ("x = 7", ["7 becomes 8", "7 becomes 6"]),
    "off by one": ("a[b]", ["[b] becomes [b + 1]"]),
    "slice bound": ("a[b:]", ["lower bound b + 1", "lower bound b dropped"]),
    "negated condition": ("c if f(a) else b", ["f(a) becomes not f(a)"]),
    "statement deleted": ("x = a", ["x = a deleted"]),
    "return value": ("def f():\n    return a", ["return a becomes return None"]),
    "break / continue": ("for x in a:\n    break", ["break becomes continue"]),
    "argument swapped": ("f(a, b)", ["a, b swapped"]),
    "exception type": ("raise ValueError('no')", ["ValueError becomes TypeError"]),
}


@pytest.mark.parametrize("operator", CHANGES)
def test_every_operator_of_the_list_makes_its_changes(operator: str) -> None:
    source, expected = CHANGES[operator]

    assert [each.what for each in list_mutants(source) if each.operator == operator] == expected


def test_there_is_an_operator_for_every_kind_of_change() -> None:
    assert len(OPERATORS) == len(CHANGES)


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring."""',
        "def f(a: 'int') -> 'str': ...",
        "raise KeyError('what it says')",
        "f'text {a}'",
        "__all__ = ['a']",
        "if TYPE_CHECKING:\n    x = 1",
        "if __name__ == '__main__':\n    f(1)",
        "T = TypeVar('T')",
        "import a",
    ],
)
def test_what_is_no_behaviour_stays(source: str) -> None:
    assert [each for each in list_mutants(source) if each.operator == "constant"] == []


def outcomes(code: types.CodeType, number: int | None) -> list[str]:
    """Return what every call of the odd constructs comes to, in a module of this code."""
    found = []
    space: dict[str, Any] = {"__name__": "odd", "__unlike_mutant__": number or 0, "__unlike_round__": Rounds.count}
    Rounds.left = 10_000
    try:
        exec(code, space)
        for text in inputs_of(ODD):
            try:
                found.append(repr(eval(text, {**space, "asyncio": asyncio})))
            except Exception as error:
                found.append(type(error).__name__)
    except TooManyRoundsError:
        return ["does not end"]
    except Exception as error:
        return [f"does not import: {type(error).__name__}"]
    finally:
        Rounds.left = UNLIMITED
    return found


SWITCHED = switched_code(ODD, "odd.py")


def test_with_the_switch_at_nothing_a_module_is_itself() -> None:
    plain = compile(ODD, "odd.py", "exec")

    assert outcomes(SWITCHED, None) == outcomes(plain, None)
    assert "does not" not in outcomes(plain, None)[0]


@pytest.mark.parametrize("mutant", few_of(list_mutants(ODD), 12, ids=[str(each.number) for each in list_mutants(ODD)]))
def test_a_switched_module_does_what_the_source_with_that_change_does(mutant: Mutant) -> None:
    alone = compile(mutant_source(ODD, mutant), "odd.py", "exec")

    assert outcomes(SWITCHED, mutant.number) == outcomes(alone, None)


def test_a_change_is_at_the_line_of_its_statement_and_outside_of_functions_where_it_is() -> None:
    lines = CART.splitlines()
    for mutant in list_mutants(CART):
        assert 1 <= mutant.line <= mutant.last_line <= len(lines)
    outside = {each.what for each in list_mutants(CART) if each.is_outside}

    assert outside == {
        "2 becomes 3", "2 becomes 1", "LIMIT = 2 deleted", "3 becomes 4", "3 becomes 2", "most = 2 deleted",
    }  # fmt: skip


def test_only_what_is_asked_for_is_changed() -> None:
    assert {each.owner for each in list_mutants(CART, {"price"})} == {"price"}


@pytest.mark.corpus
@pytest.mark.parametrize("module", ["heapq", "fractions", "argparse", "typing", "enum", "dataclasses", "asyncio.tasks"])
def test_every_mutant_of_a_large_module_is_code_and_another_one(module: str) -> None:
    path = Path(str(__import__(module, fromlist=["_"]).__file__))
    source = path.read_text()
    original = ast.unparse(ast.parse(source))

    switched_code(source, str(path))
    for mutant in list_mutants(source)[::100]:
        changed = mutant_source(source, mutant)
        compile(changed, str(path), "exec")
        assert changed != original
