"""Classes whose exploration, or whose tests, could not be written at all."""

import codecs
import fractions
import json
import subprocess
import sys
import types

import pytest
from tests.explore import odd_proofs
from tests.writers.files import write_tests

from unlike.explore import explore
from unlike.recipe import Recipe, quote, run
from unlike.saved import recipe_from_data, recipe_to_data
from unlike.scope import Scope
from unlike.suite import Case
from unlike.writers.python_source import source_of


def all_pass(paths) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, paths)]
    return subprocess.run(command, capture_output=True).returncode == 0


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("cls", "states"),
    [
        (odd_proofs.Huge, 2),
        (odd_proofs.Merge, 5),
        (odd_proofs.TwoWay, 13),
        (odd_proofs.Lazily, 3),
        (codecs.IncrementalDecoder, 3),  # frozen: its errors have no file
        (codecs.IncrementalEncoder, 3),
        (odd_proofs.Doubling, 3),
        (odd_proofs.Combined, 3),
    ],
)
def test_tests_are_written_and_pass(cls, states, tmp_path):
    result = explore(cls, scope=2)

    assert result.states == states
    result.extensions()
    assert all_pass(write_tests(result, tmp_path))


@pytest.mark.parametrize(
    "text",
    [
        "10**5000",
        "-(2**20_000)",
        "fractions.Fraction(10**5000, 3)",
        "[10**4400]",
        "{10**4400: -(10**4301)}",
        "(10**4300, 10**4299)",
        "frozenset({7**6000})",
    ],
)
def test_numbers_of_very_many_digits_are_written(text):
    number, steps = eval(text), []
    argument = quote(number, steps)
    source, space = source_of(Recipe(tuple(steps), argument)), {}
    exec("\n".join([*sorted(source.imports), *source.lines, f"x = {source.result}"]), space)

    assert space["x"] == number


def test_a_fraction_raised_to_its_own_power_is_looked_at():
    result = explore(fractions.Fraction, scope=2, methods="__pow__")

    assert result.states == len(list(result.suite)) == len(result.all_states())
    result.extensions()


def test_a_recipe_with_a_named_tuple_is_saved_and_read_again():
    result = explore(odd_proofs.TwoWay, scope=2)
    data = [recipe_to_data(case.recipe) for case in result.suite]

    again = [Case(recipe_from_data(json.loads(json.dumps(each)))) for each in data]

    assert [vars(each.value) for each in again] == [vars(each.value) for each in result.suite]


def test_a_named_tuple_that_is_made_otherwise_is_not_quoted_by_its_parts():
    class Odd(tuple):
        _fields = ("a", "b")

        def __new__(cls, both):
            return tuple.__new__(cls, both)

    steps = []
    value = Odd((1, 2))
    assert run(Recipe((), quote(value, steps))) is value


@pytest.mark.parametrize("name", ["__truediv__", "__rpow__", "__floordiv__"])
def test_fractions_are_looked_at_after_other_operators(name):
    result = explore(fractions.Fraction, scope=2, methods=name)

    assert result.states == len(list(result.suite)) == len(result.all_states())


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("cls", "omitted"),
    [
        (odd_proofs.Connections, "Connections.last"),
        (odd_proofs.Connections, ".*"),
        (odd_proofs.Frozen, "head"),
        (odd_proofs.Merge, ".*"),
        (odd_proofs.TwoWay, ".*"),
    ],
)
def test_states_are_listed_where_fields_are_omitted(cls, omitted):
    for values in ("concrete", "auto"):
        result = explore(cls, scope=2, omit_fields=omitted, values=values)

        assert len({*result.all_states()}) == len(result.lengths()) == result.states


EXTENSION = """
class {name}:
    def __init__(self):
        self.inner = None

    def begin(self):
        import {module}
        self.inner = {made}
"""


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("module", "made"),
    [
        ("_zoneinfo", "_zoneinfo.ZoneInfo('UTC')"),
        ("_elementtree", "_elementtree.Element('a')"),
        ("mmap", "mmap.PROT_READ"),
        ("_decimal", "_decimal.Decimal(1)"),
        ("array", "array.array('i', [1])"),
        ("_bisect", "_bisect.insort_left"),
    ],
)
def test_a_class_of_an_extension_module_may_come_in_with_a_call(module, made, monkeypatch):
    own = types.ModuleType("comes_late")
    monkeypatch.setitem(sys.modules, "comes_late", own)
    exec(EXTENSION.format(name="Late", module=module, made=made), vars(own))
    own.Late.__module__ = "comes_late"
    monkeypatch.delitem(sys.modules, module, raising=False)

    for workers in ({}, {"in_process": True}):
        result = explore(own.Late, scope=Scope(2, elements=20), **workers)

        assert result.states == len(list(result.suite)) == 2


@pytest.mark.parametrize("value", [slice(0, 1), slice(1, None), slice(None, None, 2), range(1, 4), range(0, 9, 2)])
def test_slices_and_ranges_are_written_and_saved(value):
    steps = []
    argument = quote(value, steps)
    recipe = Recipe(tuple(steps), argument)

    assert run(recipe) == value
    assert run(recipe_from_data(recipe_to_data(recipe))) == value
    assert eval(source_of(recipe).result) == value
