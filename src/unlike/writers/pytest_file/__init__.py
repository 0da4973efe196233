"""From explored objects to test files that a person can read.

One test per object: it builds the object by its shortest sequence and asserts what the observers returned when the file
was written, and which calls it refuses. Then it makes calls that change the object, each on a fresh one, and asserts
what they returned and what can be seen afterwards. Where there are more calls than a person reads, objects take turns.
A second file shows the errors that were revealed.
"""

from __future__ import annotations

from unlike.writers.pytest_file.errors import error_source
from unlike.writers.pytest_file.files import MOST_TESTS, TESTS_PER_FILE, TestFile, files_of, write_tests
from unlike.writers.pytest_file.objects import object_source, object_tests

__all__ = [
    "MOST_TESTS",
    "TESTS_PER_FILE",
    "TestFile",
    "error_source",
    "files_of",
    "object_source",
    "object_tests",
    "write_tests",
]
