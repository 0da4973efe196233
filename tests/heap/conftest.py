"""Every test of the heap runs on the Python walker and, where it was built, on the compiled one."""

import pytest

from unlike.heap.walkers import native_is_built


def implementations() -> list[str]:
    return ["python", "native"] if native_is_built() else ["python"]


@pytest.fixture(params=implementations())
def implementation(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


@pytest.fixture(autouse=True)
def code_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the Python walk make code for a class when it meets the second object of it.

    So a test compares both ways: the first walk is the general one. When the first object is met its fields are not
    known yet, and code made then would be for none.
    """
    monkeypatch.setattr("unlike.heap.layout.WARM", 2)
