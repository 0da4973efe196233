"""The tests of the examples find the planted bugs: they fail, and for the right reason."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from examples.services.calendar_service import Location

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
LONGEST = 10


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Run the tests of the examples once, in a copy."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(
        EXAMPLES, root / "examples", ignore=shutil.ignore_patterns("__unlike__", "__pycache__", "structures")
    )
    (root / "pytest.ini").write_text("[pytest]\npythonpath = .\naddopts = -p no:hypothesispytest -p no:cacheprovider\n")
    words = [sys.executable, "-m", "pytest", "-rf", "--tb=short", "examples"]
    return subprocess.run(words, cwd=root, env=os.environ | {"COLUMNS": "250"}, capture_output=True, text=True).stdout


def failed(ran, test):
    """Return id and reason of every failing item of a test."""
    return dict(re.findall(rf"^FAILED \S+::{test}\[(.*?)\] - (.*)$", ran, re.MULTILINE))


def test_the_calendar_is_wrong_where_clocks_are_not_set_to_the_hour(ran):
    odd = {"ADELAIDE", "DELHI", "KABUL", "KATHMANDU", "ST_JOHNS", "TEHRAN", "YANGON"}

    found = failed(ran, "test_a_time_in_a_name_is_the_same_as_a_time_given")

    places = {id_.partition("-")[0] for id_ in found}
    assert places
    assert places <= odd
    assert places | odd <= {place.name for place in Location}


def test_a_path_with_an_underscore_crashes(ran):
    found = failed(ran, "test_what_is_stored_can_be_read")

    assert found
    assert all("_" in path and reason.startswith("KeyError") for path, reason in found.items())


def test_an_identifier_that_is_not_numeric_is_let_in(ran):
    found = failed(ran, "test_an_identifier_that_is_not_numeric_is_refused")

    assert len(found) == 10
    assert all("DID NOT RAISE" in reason for reason in found.values())


def test_greece_has_no_price_and_every_country_was_tried(ran):
    found = failed(ran, "test_a_parcel_to_every_country_has_a_price")

    assert [id_.partition("-")[0] for id_ in found] == ["GREECE"]
    assert "generated and saved 35 inputs: no more exist (proved)" in ran


def test_the_empty_text_is_refused_as_it_should_be(ran):
    assert "examples/test_services.py" in ran
    assert failed(ran, "test_every_text_but_the_empty_one_is_said_back") == {}


def test_each_of_these_tests_has_at_most_ten_lines():
    for file in EXAMPLES.glob("test_*.py"):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                first = min(each.lineno for each in node.decorator_list)
                assert node.end_lineno - first + 1 <= LONGEST, f"{file.name}: {node.name}"
