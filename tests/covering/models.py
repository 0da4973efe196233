"""Published models of covering arrays (data of the literature), and a check of arrays that shares no code with us."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ArrayRule = list[Any]
Clause = tuple[tuple[int, bytes], ...]


def models() -> dict[str, Any]:
    """Return the models by name: levels, rules, and published numbers of rows."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / "models.json").read_text())
    return found


def smaller_arrays() -> dict[str, list[list[int]]]:
    """Return arrays with fewer rows than the best published, by model and strength, as they were found."""
    found = json.loads((Path(__file__).parent / "smaller.json").read_text())
    return {name: [[int(each) for each in row.split()] for row in rows] for name, rows in found.items()}


def keeps(rule: ArrayRule, row: Sequence[int]) -> bool:
    """Tell whether a row keeps a rule, read as it is written."""
    match rule:
        case ["is", p, v]:
            return bool(row[p] == v)
        case ["not", inner]:
            return not keeps(inner, row)
        case ["or", *parts]:
            return any(keeps(each, row) for each in parts)
        case ["and", *parts]:
            return all(keeps(each, row) for each in parts)
    raise AssertionError(rule)


def _clauses(rule: ArrayRule, sign: bool) -> list[list[tuple[int, int, bool]]]:
    match rule:
        case ["is", p, v]:
            return [[(p, v, sign)]]
        case ["not", inner]:
            return _clauses(inner, not sign)
    parts = [_clauses(each, sign) for each in rule[1:]]
    if (rule[0] == "and") == sign:
        return [clause for part in parts for clause in part]
    return [[each for clause in some for each in clause] for some in itertools.product(*parts)]


def clauses_of(levels: Sequence[int], rules: Sequence[ArrayRule]) -> tuple[Clause, ...]:
    """Return rules as clauses: of each parameter the values that keep it."""
    found: dict[Clause, None] = {}
    for rule in rules:
        for clause in _clauses(rule, True):
            allowed: dict[int, list[int]] = {}
            for p, v, sign in clause:
                mine = allowed.setdefault(p, [0] * levels[p])
                for value in range(levels[p]):
                    mine[value] |= (value == v) == sign
            if not any(map(all, allowed.values())):
                found[tuple((p, bytes(each)) for p, each in sorted(allowed.items()))] = None
    return tuple(found)


def verify(levels: Sequence[int], rules: Sequence[ArrayRule], rows: Sequence[Sequence[int]], t: int) -> int:
    """Check that all rows are legal, and ask z3 about every tuple that is missing; return how many minimal ones are."""
    import z3

    def term(rule: ArrayRule) -> Any:
        match rule:
            case ["is", p, v]:
                return xs[p] == v
            case ["not", inner]:
                return z3.Not(term(inner))
        return (z3.Or if rule[0] == "or" else z3.And)([term(each) for each in rule[1:]])

    assert all(0 <= value < count for row in rows for value, count in zip(row, levels, strict=True))
    assert all(keeps(rule, row) for row in rows for rule in rules)
    xs, solver = [z3.Int(f"x{p}") for p in range(len(levels))], z3.Solver()
    solver.add([z3.And(x >= 0, x < count) for x, count in zip(xs, levels, strict=True)])
    solver.add([term(rule) for rule in rules])
    impossible: set[tuple[tuple[int, int], ...]] = set()
    for size in range(1, t + 1):
        for params in itertools.combinations(range(len(levels)), size):
            there = {tuple(row[p] for p in params) for row in rows}
            if len(there) == math.prod(levels[p] for p in params):
                continue
            for values in itertools.product(*(range(levels[p]) for p in params)):
                cells = tuple(zip(params, values, strict=True))
                known = any(
                    part in impossible for less in range(1, size) for part in itertools.combinations(cells, less)
                )
                if values not in there and not known:
                    assert solver.check([xs[p] == v for p, v in cells]) == z3.unsat, f"{cells} is missing"
                    impossible.add(cells)
    return len(impossible)
