"""A field-exhaustive suite with its guarantee: what is shown, what cannot be, what is not known, how small it is.

And how much of the feasible field values any suite shows, whoever made it: definition 2 of the paper, quantified.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from unlike.errors import TargetError, UnlikeError, how_many, with_article
from unlike.field_exhaustive.by_clauses import Wish, holds
from unlike.field_exhaustive.pairs import Pair, extensions_of, pairs_of
from unlike.heap.field_values import Extensions
from unlike.indexed import Listed
from unlike.invariants.compile.compiling import Numbering
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.result import case_of_structure
from unlike.invariants.structure import Structure, structure_of
from unlike.suite import Ending, Status, Suite, proof_of

FORMAT, VERSION = "unlike field bounds", 1


@dataclass(frozen=True, slots=True)
class FieldSuiteResult:
    """What was found. `proved` says that every pair is shown or was refuted: nothing is missing."""

    table: FieldTable
    invariant: str
    numbering: Numbering
    only: tuple[str, ...]
    status: Status
    structures: tuple[Structure, ...] = ()
    shown: frozenset[Pair] = frozenset()
    infeasible: tuple[Pair, ...] = ()  # proved
    undecided: tuple[Pair, ...] = ()
    bound: int = 0  # so many structures are needed at least
    engine: Literal["clauses", "search"] = "clauses"
    reason: str = ""  # why the invariant was not compiled, if it was not
    checked: str = ""  # what the compiled formula was compared with

    @property
    def proved(self) -> bool:
        """Whether nothing is missing."""
        return not self.undecided and not self.status.cut_short

    @property
    def smallest(self) -> bool:
        """Whether no smaller suite exists."""
        return self.proved and len(self.structures) == self.bound

    @property
    def extensions(self) -> Extensions:
        """The field extensions: which values each field of each object takes. If proved, these are tight bounds."""
        return extensions_of(self.shown, self.table)

    @property
    def cls(self) -> type:
        """The class."""
        return self.table.root

    @property
    def count(self) -> int:
        """How many structures there are."""
        return len(self.structures)

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.table.root.__name__

    @property
    def guarantee(self) -> str:
        """What the suite promises."""
        what = f"every feasible value of {', '.join(self.only) or 'every field'}"
        within = f"within {self.table.scope}, objects numbered {self.numbering}"
        if self.proved:
            return f"{what} {within}: nothing is missing (proved)"
        return f"{what} that was found {within}: {len(self.undecided):,} pairs are not decided"

    @property
    def suite(self) -> Suite:
        """The structures as cases."""
        cases = [
            case_of_structure(structure, f"{self.name}-{number}") for number, structure in enumerate(self.structures)
        ]
        return Suite(self.name, Listed(cases), self.status, self.guarantee, self.explanation)

    @property
    def explanation(self) -> str:
        """How it was found, and within what."""
        lines = [self.table.listing()]
        if self.engine == "clauses":
            lines.append(f"{self.invariant} became clauses; {self.checked}")
        else:
            lines.append(f"found by search: {self.reason}")
        return "\n".join(lines)

    def summary(self) -> str:
        """Return the result for a reader."""
        pairs = len(self.shown)
        one = len(self.structures) == 1
        size = f"{how_many(len(self.structures), 'structure')} of {self.name} {'shows' if one else 'show'}"
        needed = f"at least {how_many(self.bound, 'structure')} {'is' if self.bound == 1 else 'are'} needed"
        lines = [f"{size} {how_many(pairs, 'field value')}; {needed}", *self._by_field()]
        lines.append(f"infeasible (proved): {how_many(len(self.infeasible), 'pair')}")
        if self.undecided:
            some = ", ".join(map(str, self.undecided[:5]))
            lines.append(f"not decided: {how_many(len(self.undecided), 'pair')}, such as {some}")
        if self.engine == "search":
            lines.append(f"found by search: {self.reason}")
        lines.append("nothing is missing: proved" if self.proved else "nothing is missing: NOT proved")
        return "\n".join(lines)

    def _by_field(self) -> list[str]:
        lines = []
        for name, pairs in self.extensions.pairs.items():
            objects = {thing for thing, _ in pairs}
            lines.append(f"  {name}: {how_many(len(pairs), 'pair')} over {how_many(len(objects), 'object')}")
        return lines

    def bounds_text(self) -> str:
        """Return the extensions as a JSON file of tight field bounds: field to object to its feasible values."""
        bounds: dict[str, dict[str, list[object]]] = {}
        for name, pairs in self.extensions.pairs.items():
            for thing, value in pairs:
                bounds.setdefault(name, {}).setdefault(str(thing), []).append(str(value))
        data = {
            "format": FORMAT,
            "version": VERSION,
            "class": f"{self.table.root.__module__}:{self.table.root.__qualname__}",
            "invariant": self.invariant,
            "scope": str(self.table.scope),
            "numbering": self.numbering,
            "tight": self.proved,
        }
        head = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()]
        body = [f"    {json.dumps(name)}: {json.dumps(values)}" for name, values in bounds.items()]
        return (
            "{\n"
            + ",\n".join([*("  " + line for line in head), '  "bounds": {\n' + ",\n".join(body) + "\n  }"])
            + "\n}\n"
        )


def status_of(
    table: FieldTable, structures: Sequence[Structure], undecided: Sequence[Pair], *, cut: Status | None
) -> Status:
    """Return how a suite ends: complete, cut short, or with pairs that nobody could decide."""
    if cut is not None:
        return cut
    if undecided:
        return Status(Ending.UNKNOWN, f"{len(undecided):,} pairs are not decided")
    if not structures:
        return Status(Ending.UNSATISFIABLE, "the invariant accepts no structure within the scope")
    return proof_of("; ".join(filter(None, ("every feasible field value is shown", table.remarks))))


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
        lines[0] += f", by {how_many(self.objects, 'object')} ({self.needed} would be enough)"
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
        return 3 if self.status.cut_short else 1 if self.missing else 0


def _make_all(objects: Iterable[Any] | Suite) -> list[Any]:
    """Return the objects to measure; a recipe of a changed file may lead to none."""
    try:
        return list(objects.values if isinstance(objects, Suite) else objects)
    except UnlikeError:
        raise
    except Exception as error:
        raise TargetError(
            f"an object of the suite cannot be made: {type(error).__name__}: {error}; write the suite again"
        ) from None


def coverage_of(objects: Iterable[Any] | Suite, result: FieldSuiteResult, wish: Wish) -> Coverage:
    """Measure a suite, or any objects, against the feasible pairs of a result."""
    made = _make_all(objects)
    seen: set[Pair] = set()
    invalid = 0
    for each in made:
        if type(each) is not result.table.root:
            raise TargetError(
                f"{with_article(type(each).__name__)} is in the suite, and {result.table.root.__name__} is measured; "
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
