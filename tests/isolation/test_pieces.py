"""Whatever the code under test does to its process, every other item is answered and the run ends."""

import itertools
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from unlike.core import Isolation
from unlike.errors import UnlikeError
from unlike.isolation import Answer, Death, Raised, Verdict, pool as pools
from unlike.isolation.pool import ExecutorPool, WorkerPool, piece_sizes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="half of the misdeeds do not exist there")
sys.path.insert(0, str(Path(__file__).parent))
from misdeeds import DEADLY, MISDEEDS, NAMELESS, RAISING, turn, work  # noqa: E402

SECONDS = 1.5  # per item; generous, for tests run on busy machines
CAUSES = {
    "hang": "took more than 1.5 s",
    "hang_in_c": "took more than 1.5 s",
    "leave_at_once": "left with exit code 3",
    "crash": "killed by SIGSEGV",
    "signal_oddly": f"killed by signal {NAMELESS}",
}


def run(items: list[tuple[int, str]], *, count: int = 2, size: int = 8) -> list[Verdict]:
    with WorkerPool(work, count=count, isolation=Isolation(seconds_per_call=SECONDS, megabytes=100)) as pool:
        return list(pool.run(items, size))


def check(items: list[tuple[int, str]], verdicts: list[Verdict]) -> None:
    """Every item has its verdict, in order."""
    assert [verdict.item for verdict in verdicts] == items
    for (number, misdeed), verdict in zip(items, verdicts, strict=True):
        match verdict:
            case Answer():
                assert misdeed not in DEADLY | RAISING
                assert verdict.result == (number * number, str(Path.cwd()))
            case Raised():
                assert misdeed in RAISING
            case Death():
                assert verdict.cause == CAUSES[misdeed]


@pytest.mark.few(7)
@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_one_misdeed_costs_no_other_item(misdeed: str) -> None:
    items = [(number, misdeed if number == 3 else "") for number in range(10)]

    verdicts = run(items)

    check(items, verdicts)


@pytest.mark.corpus
def test_two_hundred_misdeeds_in_one_run() -> None:
    rng = random.Random(7)
    slow = {"hang", "hang_in_c", "start_a_thread", "fork_and_stay", "take_all_memory"}
    quick = sorted(set(MISDEEDS) - slow)
    misdeeds = [*rng.choices(quick, k=190), *sorted(slow), *sorted(slow), *[""] * 400]
    rng.shuffle(misdeeds)
    items = list(enumerate(misdeeds))
    began = time.monotonic()

    verdicts = run(items)

    check(items, verdicts)
    assert time.monotonic() - began < 120


def test_no_worker_goes_back_to_an_earlier_item_also_when_others_died() -> None:
    with WorkerPool(turn, count=2, isolation=Isolation(seconds_per_call=SECONDS)) as pool:
        verdicts = list(pool.run(range(60), 5))

    assert [type(verdict) for verdict in verdicts] == [Death if item % 7 == 3 else Answer for item in range(60)]
    done = sorted((*verdict.result, verdict.item) for verdict in verdicts if isinstance(verdict, Answer))
    items_by_process = [
        [item for _, _, item in turns] for _, turns in itertools.groupby(done, key=lambda each: each[0])
    ]
    assert all(items == sorted(items) for items in items_by_process)
    assert len(items_by_process) > 2


@pytest.mark.parametrize("hands", [1, 2, 5])
def test_portions_are_large_at_first_and_leave_something_for_every_hand(hands: int) -> None:
    for total in (0, 1, 3, 10, 64, 1000):
        sizes = list(piece_sizes(total, hands))

        assert sum(sizes) == total
        assert sizes == sorted(sizes, reverse=True)
        assert max(sizes, default=0) <= 64
        assert len(sizes) >= min(total, hands)


def test_what_is_printed_is_kept_with_its_item_and_nowhere_else(capfd: pytest.CaptureFixture[str]) -> None:
    verdicts = run([(1, ""), (2, "chatter"), (3, "")])

    assert [verdict.output.replace("\n", " ") for verdict in verdicts] == ["", "a word and another", ""]
    assert capfd.readouterr().out == ""


def living(groups: set[int]) -> list[str]:
    """Return the processes of the groups that are not dead, as `ps` shows them."""
    shown = subprocess.run(["ps", "-eo", "pgid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    lines = [line.split(None, 2) for line in shown.splitlines()]
    return [" ".join(line) for line in lines if int(line[0]) in groups and not line[1].startswith("Z")]


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Return the ids of all processes that workers start, which are those of their groups."""
    started, before = set[int](), pools._Worker._start

    def noted(worker: pools._Worker) -> None:
        before(worker)
        assert worker.process is not None
        started.add(worker.process.pid or 0)

    monkeypatch.setattr(pools._Worker, "_start", noted)
    return started


def test_no_process_and_no_file_is_left_over(groups: set[int]) -> None:
    with WorkerPool(work, count=2, isolation=Isolation(seconds_per_call=SECONDS)) as pool:
        list(pool.run([(1, "fork_and_stay"), (2, "hang"), (3, "start_a_thread"), (4, "fork")], 1))
        folder = Path(pool.folder.name)

    assert not folder.exists()
    assert len(groups) >= 3
    assert living(groups) == []


def test_a_run_that_is_given_up_leaves_nothing_running(groups: set[int]) -> None:
    with WorkerPool(work, count=2, isolation=Isolation(seconds_per_call=30)) as pool:
        answers = pool.run(((number, "hang_in_c" if number else "") for number in range(100)), 1)
        assert next(answers) == Answer((0, ""), (0, str(Path.cwd())))

    assert living(groups) == []


class Unready:
    """Work that no worker can load."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (3,)

    def __call__(self, item: int) -> int:
        return item


def test_a_worker_that_ends_before_it_begins_is_a_death_of_its_item() -> None:
    with WorkerPool(Unready(), count=1) as pool:
        verdicts = list(pool.run([1, 2], 2))

    assert [(verdict.item, str(verdict)) for verdict in verdicts] == [
        (1, "left with exit code 3"),
        (2, "left with exit code 3"),
    ]


def test_items_are_taken_as_they_are_needed() -> None:
    taken = []

    def endless() -> object:
        for number in range(10**9):
            taken.append(number)
            yield number, ""

    with WorkerPool(work, count=1) as pool:
        answers = pool.run(endless(), 5)  # type: ignore[arg-type]
        for _ in range(7):
            next(answers)

    assert len(taken) <= 20


def test_any_executor_will_do() -> None:
    items = [(number, "leave" if number == 3 else "") for number in range(20)]
    with ThreadPoolExecutor(2) as executor:
        verdicts = list(ExecutorPool(executor, work).run(items, 3))

    check(items, verdicts)


def test_a_job_that_breaks_an_executor_is_split_until_the_one_item_is_known() -> None:
    items = [(number, "leave_at_once" if number in (3, 17) else "") for number in range(30)]

    verdicts = list(ExecutorPool(lambda: ProcessPoolExecutor(2), work).run(items, 8))

    assert [verdict.item for verdict in verdicts if isinstance(verdict, Death)] == [items[3], items[17]]
    assert all(isinstance(verdict, Answer) for verdict in verdicts if verdict.item not in (items[3], items[17]))


def test_a_broken_executor_that_cannot_be_made_again_is_one_clear_message() -> None:
    with ProcessPoolExecutor(1) as executor, pytest.raises(UnlikeError, match="makes a new executor"):
        list(ExecutorPool(executor, work).run([(1, "leave_at_once")]))


def test_work_that_cannot_travel_is_refused_with_the_remedy() -> None:
    with pytest.raises(UnlikeError, match="top of a module"):
        WorkerPool(lambda item: item)
    with pytest.raises(UnlikeError, match="at least 1"):
        WorkerPool(work, count=0)
