"""Code under test that does one bad thing: no other state is lost, nothing is left behind, the caller is as before."""

import sys

import pytest
from bench.faults.__main__ import judge, run_driver
from bench.faults.driver import WAYS
from bench.faults.table import FAULTS
from tests.corpora import few_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="half of the faults do not exist there")
TRIED = [
    (name, list(WAYS)[number % len(WAYS)])  # each in one of the ways; the bench tries all
    for number, name in enumerate(FAULTS)
]


@pytest.mark.few(1)
@pytest.mark.parametrize(("name", "way"), few_of(TRIED, 5), ids=lambda each: str(each))
def test_a_fault_does_no_harm(name: str, way: str) -> None:
    wrong = judge([name], run_driver(way, [name]), way)

    assert wrong == [] or judge([name], run_driver(way, [name]), way) == [], (
        wrong
    )  # what else runs may have made it late


def test_the_table_has_many_faults_of_every_kind() -> None:
    kinds = [fault.seen for fault in FAULTS.values()]

    assert len(FAULTS) >= 150
    assert all(kinds.count(kind) >= 9 for kind in ("fine", "told", "raises", "ends", "held"))
