"""Exploration runs on the Python walker and, where it was built, on the compiled one."""

import pytest

from unlike import heap


@pytest.fixture(params=["python", "native"] if heap.native_is_built() else ["python"])
def implementation(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen
