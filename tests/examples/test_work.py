"""Sixteen specs of ordinary work hold what their docstrings say, judged by plain Python that shares nothing with them."""

import json
import os
import re
import resource
import subprocess
import sys
from datetime import date, timedelta
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

import pytest
from examples.work import bookings, meetings, permissions, shifts
from tests.examples.work_rules import RULES

from unlike import Ending, generate

PATIENCE = 15  # seconds of processor time after which a run is ended: the slowest takes three
FEW = 10  # inputs, the first impression
OTHER_SEED = 3  # any but 0
ASPECTS = ("there", "legal", "different", "promised", "readable", "spread", "seed")
AT_ONCE = ("permissions", "signups")  # the others are left to the corpora


class Run(NamedTuple):
    """What a command printed: its inputs as data, and its words."""

    inputs: list
    words: str


def run(name, n, *, seed=0):
    """Run `unlike generate` on a spec, for at most PATIENCE seconds of processor time."""
    command = [Path(sys.executable).with_name("unlike"), "generate", f"examples.work.{name}:{name}"]
    done = subprocess.run(
        [*command, "-n", str(n), "--seed", str(seed), "--format", "jsonl"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 1)),
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    inputs = [line["value"] if set(line) == {"value", "label"} else line for line in lines]
    return Run(inputs, done.stderr)


def find_faults(name):
    """Return what a spec does not hold, each aspect with what came instead; without its inputs it holds nothing."""
    rules, found = RULES[name], run(name, RULES[name].asked)
    if len(found.inputs) != rules.there:
        words = f"{len(found.inputs)} of {rules.there} inputs: {found.words}"
        return drop_empty(dict.fromkeys(ASPECTS, words))
    first, other = found.inputs[:FEW], run(name, FEW, seed=OTHER_SEED)
    return drop_empty(
        {
            "legal": [problem for x in found.inputs + other.inputs if (problem := complaint(rules.legal, x))],
            "different": [pair for pair in combinations(found.inputs, 2) if not rules.tell_apart(*pair)],
            "promised": complaint(rules.promised, found.inputs),
            "readable": [text for x in found.inputs for text in texts(x) if not is_readable(text)],
            "spread": {
                facet: seen
                for facet, (key, least) in rules.facets.items()
                if (seen := len({key(x) for x in first})) < least
            },
            "seed": frozen(rules, first, other.inputs) if len(other.inputs) == FEW else other.words,
        }
    )


def drop_empty(faults):
    return {aspect: repr(fault) for aspect, fault in faults.items() if fault}


def complaint(rule, subject):
    """Return what a rule says of a subject that breaks it."""
    try:
        rule(subject)
    except Exception as error:  # a rule may stumble over what nobody expected, and that is a complaint, too
        return f"{rule.__name__}, line {error.__traceback__.tb_next.tb_lineno}: {error} in {subject!r:.500}"
    return None


def frozen(rules, inputs, others):
    """Return the facets that are free to move and did not."""
    keys = {facet: rules.facets[facet][0] for facet in rules.free}
    return [facet for facet, key in keys.items() if list(map(key, inputs)) == list(map(key, others))]


def texts(data):
    """Return every text in an input."""
    match data:
        case dict():
            return [text for part in data.values() for text in texts(part)]
        case list():
            return [text for part in data for text in texts(part)]
        case str():
            return [data]
    return []


def is_readable(text):
    """Return whether somebody could read it out: printable ASCII, and no letter six times in a row."""
    return text.isascii() and text.isprintable() and not re.search(r"([A-Za-z])\1{5}", text)


@pytest.fixture(scope="session")
def faults_of(tmp_path_factory):
    """Give the faults of a spec, which is run once, however many processes the tests are spread over."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def read_or_find(name):
        file = folder / f"faults of {name}.json"
        if not file.exists():
            unfinished = base / file.name
            unfinished.write_text(json.dumps(find_faults(name)))
            unfinished.rename(file)
        return json.loads(file.read_text())

    return read_or_find


@pytest.mark.few(3)
@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.corpus] if name not in AT_ONCE else []) for name in RULES]
)
def test_a_spec_of_ordinary_work_holds_what_it_says(name, aspect, faults_of):
    assert faults_of(name).get(aspect) is None


@pytest.mark.parametrize("spec", [permissions.permissions, shifts.shifts], ids=lambda spec: spec.name)
def test_from_python_fewer_inputs_are_the_beginning_of_more(spec):
    few, many = generate(spec, 5).values, generate(spec, 15).values

    assert (len(few), len(many)) == (5, 15)
    assert many[:5] == few
    assert generate(spec, 15).values == many


def count_days():
    """Count the days that differ: four meetings with a break after the first do not fit into the last hour."""
    quarters = 40  # from 8:00 to 18:00
    return sum(
        hour * 4 + length + (not back_to_back) <= quarters
        for hour in range(10)
        for length, back_to_back in [(1, True), *product((2, 3, 4), (False, True))]
    )


def count_bookings():
    """Count the bookings that differ, by trying every one."""
    year = [date(2024, 1, 1) + timedelta(n) for n in range(366)]
    stays = set()
    for day, nights in product(year, range(1, 29)):
        if day + timedelta(nights) <= year[-1] and (nights > 1 or day.isoweekday() != 6):
            stays.add((day.month, "night" if nights == 1 else "week" if nights <= 7 else "longer"))
    rooms = {
        (room, cot)
        for room, beds in {"single": 1, "double": 2, "suite": 4}.items()
        for cot, guests in product((False, True), range(1, beds + 1))
        if guests > 1 or not cot
    }
    return len(stays) * len(rooms)


@pytest.mark.corpus
@pytest.mark.parametrize(("spec", "count"), [(meetings.meetings, count_days), (bookings.bookings, count_bookings)])
def test_no_more_exist_is_said_where_none_is_left(spec, count):
    suite = generate(spec, "all")

    assert suite.status.ending is Ending.COMPLETE
    assert len(suite) == count()
