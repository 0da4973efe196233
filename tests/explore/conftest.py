"""Exploration runs on the Python walker and, where it was built, on the compiled one."""

import pytest

from unlike import heap

WALKS = ["python", "native"] if heap.native_is_built() else ["python"]
ELSEWHERE = {"test_command", "test_elsewhere", "test_progress", "test_api"}  # processes of their own, or no walk


@pytest.fixture(params=WALKS)
def implementation(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let every test that explores run once more as if the compiled walk were not built, unless it chooses the walk."""
    if metafunc.module.__name__.rpartition(".")[2] in ELSEWHERE or "native" not in WALKS:
        return
    if hasattr(metafunc.function, "__unlike__"):  # its parameters are blanks
        return
    if not {"implementation", "walk", "which"} & {*metafunc.fixturenames}:
        metafunc.fixturenames.append("walk_in_use")
        metafunc.parametrize("walk_in_use", WALKS, indirect=True)


@pytest.fixture
def walk_in_use(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "python":
        monkeypatch.setattr(heap, "_native", lambda: None)
