"""Arguments land where they belong: every way of calling, bound to the signature, against all choices of values."""

import inspect
import itertools
import random
import sys
import types

import pytest
from tests.corpora import few_of
from tests.explore import odd_proofs

from unlike.classes.api import api_of
from unlike.classes.open.templates import open_templates
from unlike.explore import explore
from unlike.scope import Scope

SCOPE = Scope(1, literals={"int": [0, 1], "str": ["a"], "bool": [True]}, elements=2)
KINDS = {"int": ("7", [0, 1]), "str": ("'z'", ["a"]), "bool": ("False", [True])}


def random_signature(rng):
    """Return the source of parameters, and for each its name and what it may be: (name, values bound)."""
    source, bound, needs_default = [], {}, False
    groups = [rng.randrange(3), rng.randrange(3), rng.randrange(2), rng.randrange(3)]
    number = itertools.count()

    def one(kind, keyword):
        nonlocal needs_default
        name, (default, values) = f"p{next(number)}", KINDS[kind]
        optional = rng.random() < 0.6 or (needs_default and not keyword)
        needs_default = needs_default or (optional and not keyword)
        if optional and rng.random() < 0.35:  # nobody can supply it
            source.append(f"{name}=None")
            bound[name] = [None]
            return
        source.append(f"{name}: {kind} = {default}" if optional else f"{name}: {kind}")
        bound[name] = [*values, *([eval(default)] if optional else [])]

    for _ in range(groups[0]):
        one(rng.choice(list(KINDS)), keyword=False)
    if groups[0]:
        source.append("/")
    for _ in range(groups[1]):
        one(rng.choice(list(KINDS)), keyword=False)
    if groups[2]:
        source.append("*rest: str")
        bound["rest"] = [(), ("a",), ("a", "a")]
    elif groups[3]:
        source.append("*")
    for _ in range(groups[3]):
        one(rng.choice(list(KINDS)), keyword=True)
    return ", ".join(source), bound


@pytest.fixture
def module():
    made = sys.modules["places_of_arguments"] = types.ModuleType("places_of_arguments")
    yield made
    del sys.modules["places_of_arguments"]


@pytest.mark.parametrize("seed", few_of(range(400), 60))
def test_every_choice_of_values_is_bound_as_it_was_chosen(seed, module):
    signature, bound = random_signature(random.Random(seed))
    source = f"""
class C:
    def __init__(self{", " * bool(signature)}{signature}): pass
    def method(self{", " * bool(signature)}{signature}): pass
    @classmethod
    def made(cls{", " * bool(signature)}{signature}): pass
    @staticmethod
    def plain({signature}): pass
"""
    exec(source, vars(module))
    module.C.__module__ = module.__name__

    api = api_of([module.C], SCOPE)

    expected = {repr(dict(zip(bound, each, strict=True))) for each in itertools.product(*bound.values())}
    reader = inspect.signature(module.C.plain)
    for operation in api.operations:
        ways = [each for each in api.templates if each.operation is operation]
        seen = []
        for each in ways:
            made = reader.bind(*each.args, **dict(each.kwargs))
            made.apply_defaults()
            seen.append(repr({name: made.arguments[name] for name in bound}))
        assert set(seen) == expected, (signature, operation.title)
        assert len(seen) == len(set(seen))
    for each in open_templates(api, SCOPE):  # with values left open, too
        reader.bind(*each.args, **dict(each.kwargs))


def test_a_star_after_a_default_takes_its_values_with_the_default_before_them():
    result = explore(odd_proofs.Star, scope=SCOPE, methods="of")

    # n is 7 or 3 by default, or 0 or 1; at most two names
    assert {case.value.n for case in result.suite if case.value.names} == {0, 1, 3, 7}
    assert result.states == 4 * 3
    assert any(case.label == "Star(7, 'a')" for case in result.suite)


def test_what_follows_a_parameter_that_nobody_supplies_is_passed_by_name():
    result = explore(odd_proofs.Skips, scope=Scope(2, elements=4), methods="grow", guess="none")

    assert {case.label for case in result.suite} >= {"Skips()", "Skips(size=1)"}
    assert all(case.value.part is None for case in result.suite)


def test_a_call_is_shown_as_it_is_made():
    operations = {str(each) for each in api_of([odd_proofs.Positional], Scope(2)).operations}

    assert operations == {"Positional(a: 0, 1, b: 0, 1, c: 0, 1)"}
    result = explore(odd_proofs.Positional, scope=Scope(2, elements=4), values="concrete")
    assert {case.value.all for case in result.suite} == set(itertools.product([5, 0, 1], [6, 0, 1], [9, 0, 1], [True]))


def test_the_proof_says_that_nothing_is_passed_for_keywords_of_any_name():
    result = explore(odd_proofs.Options, scope=Scope(1), methods="change")

    assert "nothing for keywords of any name (Options.change.others)" in result.status.detail
