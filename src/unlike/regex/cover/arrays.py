"""Few rows in which every pair of values of two columns occurs."""

from __future__ import annotations

from unlike.regex.machine import TooLarge

MAX_PAIRS = 2_000_000


def pair_rows(counts: list[int]) -> list[list[int]]:
    """Return rows in which any two columns show every pair of their values; column i has counts[i] values.

    Columns are added one by one, the widest first: each existing row takes the value that shows most new
    pairs, and pairs that are left over are put into rows with free places, or into new ones.
    """
    wide = [column for column in range(len(counts)) if counts[column] > 1]
    if len(wide) <= 1:
        column = wide[0] if wide else None
        return [
            [value if place == column else 0 for place in range(len(counts))]
            for value in range(counts[column] if column is not None else 1)
        ]
    ordered = sorted(wide, key=lambda column: -counts[column])
    if counts[ordered[0]] * counts[ordered[1]] * len(wide) > MAX_PAIRS:
        raise TooLarge(f"pairs of {counts[ordered[0]]:,} and {counts[ordered[1]]:,} choices are too many; use each")
    first, second = ordered[:2]
    rows: list[dict[int, int]] = [{first: a, second: b} for a in range(counts[first]) for b in range(counts[second])]
    for place in range(2, len(ordered)):
        _add_column(rows, ordered[:place], ordered[place], counts)
    return [[row.get(column, 0) for column in range(len(counts))] for row in rows]


def _add_column(rows: list[dict[int, int]], before: list[int], column: int, counts: list[int]) -> None:
    open_pairs = {
        (value, other, theirs) for value in range(counts[column]) for other in before for theirs in range(counts[other])
    }
    used = [0] * counts[column]
    for row in rows:
        shown = [[(value, other, row[other]) for other in before if other in row] for value in range(counts[column])]
        gains = [sum(pair in open_pairs for pair in pairs) for pairs in shown]
        value = max(range(counts[column]), key=lambda each: (gains[each], -used[each], -each))
        if gains[value]:  # else the place stays free
            row[column] = value
            used[value] += 1
            open_pairs.difference_update(shown[value])
    for value, other, theirs in sorted(open_pairs):
        for row in rows:
            if row.get(column, value) == value and row.get(other, theirs) == theirs:
                row[column], row[other] = value, theirs
                break
        else:
            rows.append({column: value, other: theirs})
