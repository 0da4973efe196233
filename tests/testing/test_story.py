"""The whole life of a test with blanks, in a scratch project with real pytest processes."""

import json
import re
import sys

import pytest

PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]

TEST = """
import unlike
from unlike import Int, distance

@unlike.inputs({n}, different=distance("x", 2), where=lambda x: x % {step} == 0)
def test_x(x: Int(0, 999)):
    assert x != {bad}
"""


def inputs(project):
    """Return the saved inputs by id."""
    lines = project.saved().read_text().splitlines()
    found = [json.loads(line.removesuffix(",")) for line in lines if line.startswith('{"id"')]
    return {line["id"]: line for line in found}


def ran(text):
    """Return the items that ran, in order."""
    return re.findall(r"^(test_it\.py::\S+) (?:PASSED|FAILED)", text, re.MULTILINE)


@pytest.mark.corpus
def test_the_whole_cycle_of_a_test_with_blanks(either_project):
    project = either_project

    # first run: generated, saved, run; what failed is marked
    project.write(test_it=TEST.format(n=6, step=2, bad=4))
    first = project.run("-v", "-p", "no:cacheprovider")
    version = re.search(r"pytest-(\d+)", first.text)[1]
    assert version == ("8" if project.library else "9")
    assert "test_x: generated and saved 6 inputs" in first.text
    assert "1 failed, 5 passed" in first.text
    assert "x = 4\n" in first.text, "the failing input as Python to copy"
    assert len(inputs(project)) == 6
    assert inputs(project)["4"]["failed"] is True
    saved = project.saved().read_bytes()

    # replay: the same items in the same order, nothing written, nothing to tell, no solver
    replay = project.run("-v", "-p", "no:cacheprovider", "--unlike-frozen")
    assert ran(replay.text) == ran(first.text)
    assert len(ran(replay.text)) == 6
    assert "generated and saved" not in replay.text
    assert project.saved().read_bytes() == saved

    # edit of the spec: refused when frozen, regenerated otherwise; the input that failed is kept
    project.write(test_it=TEST.format(n=6, step=3, bad=4))
    frozen = project.run("-q", "--unlike-frozen")
    assert frozen.code == 1
    assert "the spec changed, and --unlike-frozen refuses to generate" in frozen.text
    assert project.saved().read_bytes() == saved
    moved = project.run("-q")
    assert "regenerated 6 inputs" in moved.text
    assert "kept 1 regression" in moved.text
    assert "(the spec changed)" in moved.text
    assert "1 regression no longer fits the spec and did not run" in moved.text, "4 is no multiple of 3"
    assert moved.code == 0
    assert set(inputs(project)["4"]) == {"id", "input", "failed", "kept"}

    # the spec moves back a little: the regression runs again, and fails again
    project.write(test_it=TEST.format(n=6, step=1, bad=4))
    again = project.run("-q")
    assert "FAILED test_it.py::test_x[4]" in again.text
    lost = project.run("-q", "--unlike-forget", "5000")
    assert "no regression has the id 5000" in lost.text
    forgotten = project.run("-q", "--unlike-forget", "test_x[[]4]", "-k", "none")
    assert "test_x[4]: is no longer kept as a regression" in forgotten.text
    assert not any(line.get("failed") for line in inputs(project).values())

    # larger n: the inputs there were stay, more come; smaller n: the first ones stay
    before = inputs(project)
    project.write(test_it=TEST.format(n=9, step=1, bad=-1))
    assert "extended to 9 inputs" in project.run("-q").text
    after = inputs(project)
    assert {id_: after[id_]["input"] for id_ in before} == {id_: line["input"] for id_, line in before.items()}
    assert len(after) == 9
    project.write(test_it=TEST.format(n=6, step=1, bad=-1))
    assert "trimmed 6 inputs" in project.run("-q").text
    assert inputs(project) == before

    # xdist: one prepares, the rest wait; ids and order are those of a single process
    project.saved().unlink()
    parallel = project.run("-v", "-n", "2", "-p", "no:cacheprovider")
    assert parallel.text.count("generated and saved 6 inputs") == 1
    assert parallel.passed(6), parallel.text
    assert inputs(project) == before
    alone = project.run("-v", "-p", "no:cacheprovider")
    assert sorted(re.findall(r"PASSED (test_it\.py::\S+)", parallel.text)) == sorted(ran(alone.text))
    project.write(test_it=TEST.format(n=6, step=1, bad=4))
    failing = project.run("-q", "-n", "2", "-p", "no:cacheprovider")
    assert failing.text.count("1 failing input marked") == 1
    assert inputs(project)["4"]["failed"] is True


@pytest.mark.corpus
def test_prepare_only_generates_and_frozen_then_replays(project):
    project.write(test_it=TEST.format(n=4, step=1, bad=0))

    prepared = project.command("prepare", ".")
    assert prepared.code == 0, prepared.text
    assert "generated and saved 4 inputs" in prepared.text
    assert "passed" not in prepared.text
    assert "failed" not in prepared.text

    again = project.command("prepare", ".")
    assert again.code == 0, again.text
    assert "all is prepared: 1 test with inputs" in again.text
    assert "generated and saved 4 inputs" not in again.text

    assert "1 failed, 3 passed" in project.run("-q", "--unlike-frozen").text
    assert not any(line.get("failed") for line in inputs(project).values()), "frozen never writes"


@pytest.mark.corpus
def test_parallel_runs_never_corrupt_the_file(project):
    tests = "\n".join(TEST.format(n=20, step=1, bad=2 * i).replace("test_x", f"test_{i}") for i in range(4))
    project.write(test_it=tests)

    processes = [project.start(*PYTEST, f"--unlike-n={n}") for n in (20, 25, 30)]
    ended = [project.ended(process) for process in processes]

    for each in ended:  # 0, 2, 4 and 6 are among the inputs, so that each test fails once
        assert "4 failed" in each.text, each.text
    assert project.run("-q", "-p", "no:cacheprovider", "--unlike-n=20", "--unlike-frozen").text.count("passed") == 1
