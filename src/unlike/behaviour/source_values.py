"""What the source of code mentions, as values for parts of inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from unlike.behaviour.changes import KnownValues


def known_values(functions: Sequence[Callable[..., Any]], within: Sequence[str] | None) -> KnownValues:
    """Return the numbers, lengths and texts that the source of functions mentions, and those beside them."""
    return KnownValues()
