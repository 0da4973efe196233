"""What stands for a test with too few inputs: an item that fails, or a warning.

Like the plugin it stands outside the package: filters of warnings name the class before any test is collected.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

PASSING = "unlike_short = warn (or ignore) lets it pass"
TOO_FEW = "[too few inputs]"  # the id of an item that says so; no input has spaces in its id


class TooFewInputs(pytest.Item):
    """An item that fails, beside those of a test whose inputs are fewer than asked for and not proved to be all."""

    def __init__(self, *, function: object, said: str, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.said = said
        self.line = getattr(getattr(function, "__code__", None), "co_firstlineno", None)
        marks = [each for each in getattr(function, "pytestmark", ()) if each.name not in ("xfail", "parametrize")]
        self.own_markers.extend(marks)
        self.keywords.update({each.name: each for each in marks})
        self.add_marker(pytest.mark.unlike)

    def runtest(self) -> None:
        """Say how many inputs there are, and why there are no more."""
        pytest.fail(f"unlike: {self.said}; {PASSING}", pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the test stands."""
        return self.path, None if self.line is None else self.line - 1, self.name


class TooFewInputsWarning(pytest.PytestWarning):
    """A test whose inputs are fewer than asked for and not proved to be all."""
