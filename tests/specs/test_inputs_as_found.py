"""Inputs that are read and checked block by block are those of the suite; pairs are compared as brute force does."""

import itertools
import random
import signal
import subprocess
import sys
import time

import pytest
from tests.corpora import few_of
from tests.specs.random_specs import random_spec

from unlike import Ending, Int, Spec, distance, generate
from unlike.cli.generate import _leave_time_to_write
from unlike.core import CutShort, Deadline
from unlike.errors import SpecError
from unlike.language.terms import freeze
from unlike.specs import generate as room
from unlike.specs.core_difference import Branch, Select, parts_of
from unlike.specs.generate import InputCheck, read_inputs
from unlike.specs.problem import take_apart
from unlike.specs.sources import list_source, map_source
from unlike.specs.verify import compile_difference, first_alike
from unlike.writers.inputs import value_line

MOST = 30


def specs(seed):
    try:
        return random_spec(seed)
    except SpecError:
        return None


@pytest.mark.parametrize("seed", few_of(range(200), 40))
def test_what_is_read_block_by_block_is_what_the_suite_holds(seed, monkeypatch):
    monkeypatch.setattr(room, "BLOCK", 4)
    spec = specs(seed)
    reading = spec and read_inputs(spec, MOST)
    if reading is None:
        return  # it is no spec, or runs functions of the user's

    lines = [value_line(each) for block in reading.values() for each in block]
    suite = generate(spec, MOST)

    assert lines == [value_line(case.value) for case in suite]
    assert (reading.as_suite(spec.name).status, reading.found) == (suite.status, len(suite))
    assert reading.as_suite(spec.name).guarantee == suite.guarantee


@pytest.mark.parametrize("seed", few_of(range(300), 60))
def test_the_first_input_that_is_like_an_earlier_one_is_found_as_by_comparing_every_pair(seed):
    spec = specs(seed)
    if spec is None:
        return
    problem = take_apart(spec)
    inputs = inputs_of(spec)
    inputs = random.Random(seed).choices(inputs, k=12) if inputs else []  # some twice
    different = compile_difference(problem.difference, problem)

    def are_alike(one, two):
        equal = all(freeze(one[name]) == freeze(two[name]) for name in problem.blanks)
        return equal or not different(one, two)

    pairs = ((i, j) for j in range(len(inputs)) for i in range(j) if are_alike(inputs[i], inputs[j]))

    assert first_alike(problem, inputs) == next(pairs, None)


def inputs_of(spec):
    """Inputs of the blanks of a spec, alike or not; where choices tell inputs apart, those of the spec with theirs."""
    chosen = any(isinstance(part, Select | Branch) for part in parts_of(take_apart(spec).difference))
    reading = read_inputs(spec if chosen else Spec(dict(spec.blanks)), MOST)
    return [] if reading is None else list(itertools.chain.from_iterable(block for block, _ in reading.blocks()))


def test_an_input_like_one_in_an_earlier_block_never_leaves():
    check = InputCheck(take_apart(Spec({"x": Int(0, 99)}, different=distance("x", 3))))

    assert check.keep([{"x": 0}, {"x": 9}]) is None
    with pytest.raises(Exception, match="one found before are alike"):
        check.keep([{"x": 20}, {"x": 7}])


def test_members_that_are_taken_are_not_kept_and_come_once():
    source = map_source(list_source(range(1_000), "numbers"), str)
    assert source.size(3) == 3  # somebody looked
    taken = list(source.once())

    assert taken == [str(number) for number in range(1_000)]
    assert source.size(10) == 3


def test_very_many_inputs_end_in_time():
    spec = Spec({"x": Int(), "y": Int()})
    suite = generate(spec, 10**9, timeout=0.5)

    assert suite.status.ending is Ending.TIMEOUT
    assert len(suite) > 1_000


def test_lines_come_at_once_and_ctrl_c_is_heard(tmp_path):
    (tmp_path / "shop.py").write_text("from unlike import *\nspec = Spec({'x': Int(), 'y': OneOf(*range(9))})\n")
    command = [sys.executable, "-m", "unlike.cli", "generate", "shop:spec", "-n", "1000000000", "--format", "jsonl"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        first = [process.stdout.readline() for _ in range(5_000)]
        process.send_signal(signal.SIGINT)
        rest, said = process.communicate()

    assert len(set(first)) == 5_000
    assert "interrupted" in said
    assert process.returncode == 3
    assert (rest or "\n").endswith("\n")


def test_of_very_many_inputs_so_many_are_found_that_there_is_time_to_write_them():
    check = _leave_time_to_write(Deadline(time.monotonic() + 0.0001, 1))
    time.sleep(0.001)

    check(9_999)
    with pytest.raises(CutShort):
        check(10_000)
