"""Exploration runs on the Python walker and, where it was built, on the compiled one."""

from pathlib import Path

import pytest

from unlike.classes.open import path_caller, states, zone_frontier
from unlike.heap.walkers import native_is_built
from unlike.zones import open_values, walking

WALKS = ["python", "native"] if native_is_built() else ["python"]
# where calls are made, what is written, how much is found: the walk is not the point, and its repetition a corpus
REPEATED = {
    "test_bugs_found",
    "test_command",
    "test_copies",
    "test_counts",
    "test_random_classes",
    "test_several_copies",
    "test_sharing",
}
WITH_TOKENS = open_values, walking, path_caller, states, zone_frontier
NO_WALK = {"test_in_another_process", "test_progress", "test_api", "test_every_way"}  # or processes of their own
assert {f"{name}.py" for name in REPEATED | NO_WALK} <= {path.name for path in Path(__file__).parent.iterdir()}


@pytest.fixture(params=WALKS)
def implementation(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let every test that explores run once more as if the compiled walk were not built, unless it chooses the walk."""
    module = metafunc.module.__name__.rpartition(".")[2]
    if module in NO_WALK or "native" not in WALKS:
        return
    if hasattr(metafunc.function, "__unlike__"):  # its parameters are blanks
        return
    if not {"implementation", "walk", "which"} & {*metafunc.fixturenames}:
        marks = (pytest.mark.corpus,) if module in REPEATED else ()
        python = pytest.param("python", marks=marks)
        metafunc.parametrize("walk_in_use", [python, "native"], indirect=True)


@pytest.fixture(autouse=True)
def walk_in_use(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Hide the compiled walk; by itself in every test, for a fixture that a test does not ask for is not set up."""
    chosen: str = getattr(request, "param", WALKS[-1])
    if chosen == "python":
        monkeypatch.setattr("unlike.heap.walkers._native", lambda: None)
        for module in WITH_TOKENS:  # they took theirs when they were loaded
            monkeypatch.setattr(module, "Token", open_values.PythonToken)
    return chosen
