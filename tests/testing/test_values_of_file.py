"""`[tool.unlike.literals]` of the project's pyproject.toml gives values to tests as it does to commands."""

from __future__ import annotations

import pytest

SHOP = """
    from dataclasses import dataclass
    from typing import Any

    class Sealed:
        def __init__(self, *parts):
            raise TypeError("nobody makes one")

    @dataclass(frozen=True)
    class Euros:
        cents: int

    prices = [Euros(100), Euros(250)]

    @dataclass
    class Order:
        meta: Any
        total: Sealed
        paid: bool

    class Pile:
        def __init__(self) -> None:
            self.items: list[int] = []

        def push(self, item: int) -> None:
            self.items.append(item)

    @dataclass
    class Node:
        value: int
        next: "Node | None"

        def rep_ok(self) -> bool:
            return self.next is None
"""

FILE = """
    [tool.unlike.literals]
    meta = ["x", "y"]
    int = "5..6"
    Sealed = "@shop:prices"
"""

TESTS = """
    import shop, unlike

    @unlike.inputs()
    def test_types(order: shop.Order, other: shop.Order):
        assert {order.meta, other.meta} <= {"x", "y"} and order.total in shop.prices

    @unlike.inputs(literals={"meta": ["z"]})
    def test_own_words_come_first(order: shop.Order):
        assert order.meta == "z" and order.total in shop.prices

    @unlike.inputs(spec=unlike.Spec({"order": shop.Order}))
    def test_spec_of_types(order):
        assert order.meta in ("x", "y")

    @unlike.inputs(3, invalid=True)
    def test_broken(order: shop.Order):
        pass

    @unlike.inputs(3, spec=unlike.Spec({"k": unlike.Int(0, 3)}))
    def test_a_spec_says_itself(k):
        assert k in range(4)

    @unlike.objects(shop.Pile, scope=2)
    def test_objects(pile):
        assert set(pile.items) <= {5, 6}

    @unlike.objects(shop.Node, source="invariant", scope=2)
    def test_structures(node):
        assert node.value in (5, 6)

    @unlike.fields(shop.Node, scope=unlike.Scope(2))
    def test_fields(node):
        assert node.value in (5, 6)
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(shop=SHOP, test_shop=TESTS)
    pytester.makepyprojecttoml(FILE)
    return pytester


def test_every_decorator_takes_the_values_of_the_file_where_they_name_something(project: pytest.Pytester) -> None:
    result = project.runpytest("-q", "-p", "no:cacheprovider")

    counts = result.parseoutcomes()
    assert counts.keys() == {"passed"}, result.stdout.str()
    assert counts["passed"] > len(TESTS.split("@unlike")) - 1


def test_inputs_are_made_anew_when_the_file_changes_and_replayed_while_it_does_not(project: pytest.Pytester) -> None:
    project.runpytest("-q", "-p", "no:cacheprovider", "-k", "test_types or test_objects")
    same = project.runpytest("-q", "--unlike-frozen", "-k", "test_types or test_objects")
    project.makepyprojecttoml(FILE.replace('"y"', '"yy"').replace("5..6", "5..5"))
    other = project.runpytest("-q", "--unlike-frozen", "-k", "test_types or test_objects")

    assert same.parseoutcomes().keys() == {"passed", "deselected"}
    assert other.parseoutcomes()["errors"] == 2


def test_a_file_that_cannot_be_read_is_said_on_the_test(project: pytest.Pytester) -> None:
    project.makepyprojecttoml("[tool.unlike.literals]\nmeta = 3")

    result = project.runpytest("-q", "-k", "test_types")

    result.stdout.fnmatch_lines(["*pyproject.toml*literals.meta=3 must be a list of values*"])
