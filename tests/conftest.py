"""What holds for all tests."""

import gc
import signal
from collections import defaultdict

import pytest

# a shell that starts the tests in the background has them ignore Ctrl-C, which some of them are about
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # before `-m` is looked at
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to `make corpora` what `@pytest.mark.few(3)` says: all subjects of a slow test but three, spread evenly."""
    subjects: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("few") and not item.get_closest_marker("corpus"):
            subjects[item.nodeid.partition("[")[0]].append(item)
    for each in subjects.values():
        few = each[0].get_closest_marker("few").args[0]  # type: ignore[union-attr]
        kept = {number * len(each) // few for number in range(few)}
        for at, item in enumerate(each):
            if few < len(each) and at not in kept:
                item.add_marker(pytest.mark.corpus)


def pytest_collection_finish() -> None:
    """Take what was collected for good: the collector need not go through ten thousand tests again and again."""
    gc.collect()
    gc.freeze()
