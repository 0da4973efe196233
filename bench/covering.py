"""Covering arrays: rows and processor seconds on published models, beside ACTS, the best published, and other tools.

`python -m bench covering` takes the default. COVERING=smallest in the environment runs the search of `--smallest`
instead, at most SECONDS (60) of processor time a model; COVERING=python times the plain twin at strength 2; STRENGTHS=2
takes one strength, MODELS=gcc,Telecom some models. PICT is the program that the variable PICT names, or the one on the
path; other tools get LIMIT seconds each. Every array is checked by tests/covering/models, which shares no code.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.covering.models import clauses_of, models, verify

from bench.rows import Row
from unlike.core import Deadline
from unlike.covering.arrays import Array, ArrayModel, cover

UNCONSTRAINED = {
    "3^4": [3] * 4,
    "3^13": [3] * 13,
    "4^15 3^17 2^29": [4] * 15 + [3] * 17 + [2] * 29,
    "4^1 3^39 2^35": [4] + [3] * 39 + [2] * 35,
    "2^100": [2] * 100,
    "10^20": [10] * 20,
}
LEFT_OUT = "Storage4"  # its published sizes are for another model
LIMIT = 60  # seconds that another tool may take for one model
MOST_CHECKED = 70  # parameters: z3 and the loops of the check take long beyond, at strength 3


def run() -> Iterator[Row]:
    how = os.environ.get("COVERING", "")
    if not how:
        yield from unconstrained()
    for t in os.environ.get("STRENGTHS", "2" if how == "python" else "2,3").split(","):
        yield from published(int(t), how)


class ProcessorTime(Deadline):
    """A deadline in processor seconds of this process, whatever else the machine does."""

    def is_over(self, by: float = 0.0) -> bool:
        """Tell whether the time is over, by so many seconds."""
        return self.ends is not None and time.process_time() >= self.ends + by


def model_of(levels: Sequence[int], rules: Sequence[Any], t: int) -> ArrayModel:
    every = tuple(range(len(levels)))
    return ArrayModel(tuple(bytes([1] * each) for each in levels), clauses_of(levels, rules), ((t, every),))


def published(t: int, how: str) -> Iterator[Row]:
    """Yield a row for each model, and what is true of all of them."""
    found: list[tuple[int, int, int]] = []
    seconds, plain = 0.0, 0.0
    pict = 0.0
    chosen = os.environ.get("MODELS", "")
    for name, each in models().items():
        if chosen and name not in chosen.split(","):
            continue
        levels, rules, sizes = each["levels"], each["rules"], each["sizes"][str(t)]
        model = model_of(levels, rules, t)
        seconds_each = float(os.environ.get("SECONDS", "60"))
        limit = ProcessorTime(time.process_time() + seconds_each, seconds_each) if how == "smallest" else Deadline()
        array, took = timed(lambda model=model, limit=limit: cover(model, smallest=how == "smallest", deadline=limit))  # type: ignore[misc]
        seconds += took
        if t == 2 or len(levels) <= MOST_CHECKED:
            verify(levels, rules, array.rows, t)
        best, acts = sizes["fastca"]["best"], sizes["acts"]
        words = f"{len(array.rows)} rows, {took:.2f} s, bound {array.bound}"
        if how == "python":
            other, took_plain = timed(lambda model=model: cover(model, implementation="python"))  # type: ignore[misc]
            plain += took_plain
            words += f", plain {took_plain:.2f} s, {'the same' if other.rows == array.rows else 'OTHER'} rows"
        beside = pict_rows(levels, rules, t) if not how else None
        if beside is not None:
            pict += beside[1]
            words += f"; PICT {beside[0]} rows, {beside[1]:.2f} s"
        yield Row(f"{name} t={t}", words, f"ACTS {acts}, best {best}")
        if name != LEFT_OUT:
            found.append((len(array.rows), acts, best))
    yield from summary(t, how, found, seconds, plain, pict)


def summary(
    t: int, how: str, found: list[tuple[int, int, int]], seconds: float, plain: float, pict: float
) -> Iterator[Row]:
    of = len(found)
    if not of:
        return
    acts = sum(rows <= other for rows, other, _ in found)
    at_best, five, ten = (sum(rows <= share * best for rows, _, best in found) for share in (1, 1.05, 1.1))
    fewer = sum(rows < best for rows, _, best in found)
    words = f"<= ACTS {acts}, <= best {at_best} ({fewer} below), within 5 % {five}, 10 % {ten} of {of}; {seconds:.1f} s"
    if how == "smallest":
        kept = five == of and at_best >= (0.9 if t == 2 else 0.6) * of
        promise = f"<= best {'90' if t == 2 else '60'} %, within 5 % all"
    else:
        kept = acts == of and ten >= 0.9 * of if t == 2 else acts >= 0.95 * of
        promise = "<= ACTS all, within 10 % 90 %" if t == 2 else "<= ACTS 95 %"
    yield Row(f"all models t={t}", words, promise=promise, kept=kept)
    if how == "python":
        ratio = plain / seconds
        yield Row("plain twin t=2", f"{plain:.1f} s, {ratio:.1f} times", promise="at most 10 times", kept=ratio <= 10)
    if pict:
        yield Row(f"seconds t={t}", f"{seconds:.1f}", f"PICT {pict:.1f}", "at most PICT's", seconds <= pict)
    elif not how:
        yield Row("PICT", "not there: set PICT to the program; skipped")


def unconstrained() -> Iterator[Row]:
    cover(model_of([2, 2], (), 2))  # what is loaded once is not measured
    for name, levels in UNCONSTRAINED.items():
        model = model_of(levels, (), 2)
        array, took = timed(lambda model=model: cover(model))  # type: ignore[misc]
        verify(levels, (), array.rows, 2)
        words = list(others(levels))
        beside = pict_rows(levels, (), 2)
        words += [f"PICT {beside[0]} rows, {beside[1]:.3f} s"] if beside is not None else ["PICT not there"]
        kept = None if beside is None else took <= beside[1]
        yield Row(name, f"{len(array.rows)} rows, {took:.3f} s", "; ".join(words), "at most PICT's seconds", kept)


def timed(make: Callable[[], Array]) -> tuple[Array, float]:
    start = time.process_time()
    array = make()
    return array, time.process_time() - start


OTHERS = {
    "allpairspy": "import allpairspy; print(len(list(allpairspy.AllPairs(columns))))",
    "covertable": "import covertable; print(len(covertable.make(columns)))",
}


def others(levels: Sequence[int]) -> Iterator[str]:
    """Yield what other generators of Python need, where they are installed."""
    for name, code in OTHERS.items():
        columns = f"columns = [[f'{{p}}:{{v}}' for v in range(n)] for p, n in enumerate({json.dumps(list(levels))})]"
        said = run_program([sys.executable, "-c", f"{columns}\n{code}"])
        match said:
            case None:
                yield f"{name} more than {LIMIT} s"
            case "", _:
                yield f"{name} not there"
            case rows, seconds:
                yield f"{name} {rows.strip()} rows, {seconds:.2f} s"


def pict_rows(levels: Sequence[int], rules: Sequence[Any], t: int) -> tuple[int, float] | None:
    """Return the rows and seconds of PICT, where it is there; no rows where the time was over."""
    program = os.environ.get("PICT") or shutil.which("pict")
    if not program:
        return None
    lines = [f"p{p}: {', '.join(map(str, range(count)))}" for p, count in enumerate(levels)]
    lines += ["", *(f"{written(rule)};" for rule in rules)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "model.txt")
        file.write_text("\n".join(lines) + "\n")
        said = run_program([program, str(file), f"/o:{t}"])
    return (0, float(LIMIT)) if said is None else (max(0, len(said[0].splitlines()) - 1), said[1])


def run_program(words: Sequence[str]) -> tuple[str, float] | None:
    """Return what a program says and its processor seconds, with its start; nothing beyond the limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        made = subprocess.run(list(words), capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return made.stdout, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def written(rule: Any) -> str:
    """Return a rule as PICT reads it."""
    match rule:
        case ["is", p, v]:
            return f"[p{p}] = {v}"
        case ["not", ["is", p, v]]:
            return f"[p{p}] <> {v}"
        case ["not", inner]:
            return f"NOT ({written(inner)})"
    joined = f" {rule[0].upper()} ".join(f"({written(each)})" for each in rule[1:])
    return f"({joined})"
