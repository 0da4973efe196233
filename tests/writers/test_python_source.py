"""Recipes as Python source: what a call looks like."""

from __future__ import annotations

import pytest

from unlike.recipe import Call, Method, Name, Recipe, Ref
from unlike.writers.python_source import source_of


@pytest.mark.parametrize(
    ("name", "arguments", "written"),
    [
        ("__sub__", (), "x.__sub__()"),
        ("__sub__", (1,), "x - 1"),
        ("__sub__", (1, 2), "x.__sub__(1, 2)"),
        ("__ior__", (), "x.__ior__()"),
        ("__ior__", (1, 2), "x.__ior__(1, 2)"),
        ("__len__", (3,), "x.__len__(3)"),
        ("__getitem__", (), "x.__getitem__()"),
    ],
)
def test_an_operator_is_written_as_one_only_with_as_many_arguments_as_it_has(
    name: str, arguments: tuple[int, ...], written: str
) -> None:
    """`__sub__ = difference`, which takes any number of others, is called with none and with two, too."""
    recipe = Recipe((Call(Name("builtins", "set")), Method(Ref(0), name, arguments)), Ref(0))

    assert source_of(recipe).lines == ["x = set()", written]
