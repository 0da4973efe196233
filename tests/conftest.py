"""What holds for all tests."""

import gc


def pytest_collection_finish() -> None:
    """Take what was collected for good: the collector need not go through ten thousand tests again and again."""
    gc.collect()
    gc.freeze()
