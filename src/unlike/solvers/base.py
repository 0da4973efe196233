"""What a solver can answer, as values: a model, a proof that there is none, or "unknown" with the reason."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from unlike.errors import SolverError

Fragment: TypeAlias = Mapping[Hashable, object]


@dataclass(frozen=True, slots=True)
class Sat:
    """A model: plain values by the unit or choice they belong to."""

    values: dict[Hashable, object]


@dataclass(frozen=True, slots=True)
class Unsat:
    """There is no model."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The solver gave up; `timeout` if only because time was up."""

    reason: str
    timeout: bool = False


Answer: TypeAlias = Sat | Unsat | Unknown


class Untranslatable(SolverError):  # noqa: N818  (what is said of a term)
    """A term that this solver cannot be told; the message names it."""
