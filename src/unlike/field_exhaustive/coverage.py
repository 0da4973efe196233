"""How much of the feasible field values a suite shows, whoever made it: definition 2 of the paper, quantified."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from unlike.errors import TargetError
from unlike.field_exhaustive.covering import Wish, holds
from unlike.field_exhaustive.pairs import Pair, pairs_of
from unlike.field_exhaustive.result import FieldSuiteResult
from unlike.invariants.structure import structure_of
from unlike.suite import Ending, Status, Suite


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which feasible pairs a suite shows, which are missing, and what of the suite does not count."""

    shown: int
    feasible: int
    missing: tuple[Pair, ...]
    objects: int
    invalid: int  # objects that the invariant rejects, or that lack a field: they show nothing
    outside: int  # pairs that are not of this scope
    needed: int  # so many structures would be enough
    status: Status  # of the pairs: whether all that are feasible are known

    @property
    def percentage(self) -> float:
        """How much of the feasible pairs is shown; 100.0 only if all of them are."""
        if self.feasible == 0:
            return 100.0
        exact = 100 * self.shown / self.feasible
        return exact if not self.missing else min(exact, 99.9)

    def summary(self, most: int = 20) -> str:
        """Return the coverage for a reader, with the first missing pairs."""
        lines = [f"{self.percentage:.1f} % of the feasible field values: {self.shown:,} of {self.feasible:,}"]
        lines[0] += f", by {self.objects:,} objects ({self.needed} would be enough)"
        lines += [f"missing: {pair}" for pair in self.missing[:most]]
        if len(self.missing) > most:
            lines.append(f"… and {len(self.missing) - most:,} more are missing")
        if self.invalid:
            lines.append(f"{self.invalid:,} objects do not count: the invariant rejects them")
        if self.outside:
            lines.append(f"{self.outside:,} field values are not of this scope")
        if self.status.cut_short:
            lines.append(f"more may be feasible: {self.status}")
        return "\n".join(lines)

    @property
    def exit_code(self) -> int:
        """0 if nothing is missing, 1 if something is, 3 if not all feasible pairs are known."""
        if self.status.cut_short:
            return 3
        return 1 if self.missing else 0


def coverage_of(objects: Iterable[Any] | Suite, result: FieldSuiteResult, wish: Wish) -> Coverage:
    """Measure a suite, or any objects, against the feasible pairs of a result."""
    made = list(objects.values if isinstance(objects, Suite) else objects)
    seen: set[Pair] = set()
    invalid = 0
    for each in made:
        if type(each) is not result.table.root:
            raise TargetError(
                f"a {type(each).__name__} is in the suite, and {result.table.root.__name__} is measured; "
                "pass objects of that class only"
            )
        structure = structure_of(each, result.table)
        if structure is None or not holds(wish.invariant, each):
            invalid += 1
            continue
        seen.update(pairs_of(structure, wish.numbering, wish.wanted))
    ordered = [
        Pair(name, thing, value)  # type: ignore[arg-type]
        for name, values in result.extensions.pairs.items()
        for thing, value in values
    ]
    missing = tuple(pair for pair in ordered if pair not in seen)
    status = result.status if result.status.cut_short else Status(Ending.COMPLETE)
    return Coverage(
        shown=len(result.shown) - len(missing),
        feasible=len(result.shown),
        missing=missing,
        objects=len(made),
        invalid=invalid,
        outside=len(seen - result.shown),
        needed=len(result.structures),
        status=status,
    )
