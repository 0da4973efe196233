"""The compiled probes and their Python twins: the same results, the same records, and the same behaviours."""

from __future__ import annotations

import copy
import datetime
import decimal
import fractions
import importlib
import itertools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.observe.random_functions import HEAD, FunctionWriter, random_arguments

from unlike.core import Isolation
from unlike.heap.walkers import native_is_built
from unlike.observe import CodeCall, Watched
from unlike.observe.recorder import PYTHON_PROBES, Recorder, Seen, read_near

pytestmark = pytest.mark.skipif(not native_is_built(), reason="the compiled part is not built here")
HUGE = 1 << 200


class Picky(int):
    """Compares as it likes."""

    def __lt__(self, other: object) -> Any:
        return "less"

    def __contains__(self, other: object) -> bool:
        return True


VALUES: list[Any] = [
    *(
        ["b", "d", 3],
        ("x", 1, 9),
        {"bb": 1, "ab": 2},
        {2, 4},
        frozenset({"ab", "ac"}),
        "abc" * 20,
        [2**61 + 5, -(2**62)],
    ),
    *(0, 1, -1, 7, 2**61, 2**61 + 1, -(2**62), 2**63, HUGE - 1, HUGE, -HUGE, True, False, None),
    *(0.0, -0.5, 1e300, float("inf"), float("nan"), 5e-324),
    *("", "a", "b", "é", "ab", "abc", "b" * 70, "a" * 300, "\ud800", "\U0001f600"),
    *(b"", b"a", b"ab", bytes(300)),
    *((1, 2), (1, 3), [1], [], {"a": 1}, {1, 2}, frozenset("ab"), range(3), range(0)),
    *(decimal.Decimal("0.1"), decimal.Decimal(1), fractions.Fraction(1, 3), decimal.Decimal("nan")),
    *(decimal.Decimal(10) ** 80, decimal.Decimal(f"1.{'0' * 70}1"), datetime.date(2024, 2, 29), Picky(3)),
]


def try_all(recorder: Recorder, name: str, pairs: list[tuple[Any, Any]]) -> list[Any]:
    """Return what a comparison gives for each pair, and what is kept of all of them."""
    cell, other = recorder.record.cell(5), recorder.record.cell(6)
    given, probe = [], arranged(recorder, name, cell, other)
    for a, b in pairs:
        try:
            given.append(repr(probe(a, b)))
        except Exception as error:
            given.append(f"{type(error).__name__}: {error}")
    keys = [(spot, side) for spot in range(7) for side in (-1, 0, 1) for _ in range(2)]
    taken = recorder.take()
    again = recorder.take()
    return [given, repr(read_near(taken.near, keys)), taken.counts, repr(taken.compared), again]


def arranged(recorder: Recorder, name: str, cell: Any, other: Any) -> Callable[[Any, Any], Any]:
    """Return a probe as a function of two values."""
    probe, record = recorder.probes[name], recorder.record
    if name == "meets_literals":
        return lambda a, b: probe(((cell, b), (other, 7), (other, "a")), a)
    if name in ("is_true_or_false", "has_known_truth"):
        return lambda a, b: probe(record, 3, 8, a if type(b) is int else b)
    if name == "pass_on":
        return lambda a, b: probe(record, 4, (a, b))
    return lambda a, b: probe(cell, a, b)


@pytest.mark.parametrize("name", PYTHON_PROBES)
def test_a_comparison_gives_and_keeps_the_same(name: str) -> None:
    compiled, twin = Recorder(), Recorder(implementation="python")
    pairs = [*itertools.product(VALUES, VALUES)]
    assert compiled.probes[name] is not twin.probes[name] is PYTHON_PROBES[name]

    assert try_all(compiled, name, pairs) == try_all(twin, name, pairs)
    draw = random.Random(name)
    for _ in range(300):  # what is kept depends on the order
        some = draw.choices(pairs, k=6)
        assert try_all(compiled, name, some) == try_all(twin, name, some)


def test_counts_are_read_the_same_and_put_back() -> None:
    draw = random.Random("counts")
    for _ in range(200):
        recorders = Recorder(), Recorder(implementation="python")
        slots, starts = draw.randint(1, 40), [draw.choice((0, 0, -1, 3)) for _ in range(40)]
        ends = sorted([0, *draw.choices(range(slots + 1), k=3), slots])
        changed = [(draw.randrange(slots), draw.choice((0, 1, 5, -1, 2**40, 1000))) for _ in range(12)]
        events = draw.choices(range(slots), k=draw.randrange(30))
        taken = []
        for each in recorders:
            for start in starts[:slots]:
                each.slot(start)
            each.spans += [*itertools.pairwise(ends)]
            each.entered |= {number for number in range(4) if number != 2}
            open_slots = {slot for number in each.entered for slot in range(*each.spans[number])}
            for slot, count in changed:
                if slot in open_slots:
                    each.counts[slot] = count
            for slot in events:
                if each.counts[slot] == each.starts[slot] == 0:
                    each.record.mark(slot)
            taken.append(each.take())
            assert each.counts == each.starts
            assert each.take() == Seen(b"", b"", [], [], [])
        assert taken[0] == taken[1]


@pytest.mark.few(1)
@pytest.mark.parametrize("in_process", [True, False])
def test_random_functions_behave_the_same(in_process: bool, tmp_path: Path, monkeypatch: Any) -> None:
    text = HEAD + "\n\n" + "".join(FunctionWriter(number).write(f"g{number}") for number in range(300, 320))
    name = f"written_for_twins_{in_process}"
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module(name)
    functions = [getattr(module, f"g{number}") for number in range(300, 320)]

    def calls() -> list[list[CodeCall]]:
        return [[CodeCall(each, copy.deepcopy(random_arguments(n)))] for each in functions for n in range(12)]

    compiled, twin = (
        [*Watched(functions, limits=Isolation(in_process=in_process), implementation=each).see_all(calls())]
        for each in ("native", "python")
    )

    assert compiled == twin
    assert any(run.near and run.compared for run in compiled)
    assert [[*run.turns] for run in compiled] == [[*run.turns] for run in twin]


def test_values_that_end_their_process_cost_only_themselves_wherever_they_stand() -> None:
    def leave(number: int) -> int:
        if number % 7 == 3:
            raise SystemExit if number % 2 else KeyboardInterrupt
        if number in (5, 40, 41, 99):
            import os

            os._exit(4)
        return number

    runs = [*Watched([leave]).see_all([[CodeCall(leave, (number,))] for number in range(100)])]

    assert [place for place, run in enumerate(runs) if run.results[0][0] == "dies"] == [5, 40, 41, 99]
    assert len(runs) == 100
