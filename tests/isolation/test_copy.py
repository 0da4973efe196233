"""Work in a copy of this process: whatever it does there, we are told, and nothing is left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from unlike import isolation
from unlike.core import Isolation
from unlike.isolation import Answer, Death, Raised, copy as copy_module, limits
from unlike.isolation.copy import NOWHERE, PLACE, STOP, Copy, call_in_copy, each_in_copies, is_in_copy, mark, send

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
sys.path.insert(0, str(Path(__file__).parent))
from misdeeds import DEADLY, MISDEEDS, RAISING  # noqa: E402

SECONDS = 1.0


@pytest.mark.few(8)
@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_a_misdeed_is_told_and_goes_no_further(misdeed: str, capfd: pytest.CaptureFixture[str]) -> None:
    before = Path.cwd(), threading.active_count()

    seconds = SECONDS if misdeed.startswith("hang") else 60
    verdict = call_in_copy(MISDEEDS[misdeed], Isolation(seconds_per_call=seconds, megabytes=100))

    expected = Death if misdeed in DEADLY else Raised if misdeed in RAISING else Answer
    assert isinstance(verdict, expected)
    assert (Path.cwd(), threading.active_count()) == before
    assert capfd.readouterr().out == ""


def test_what_a_function_returns_comes_back_whatever_it_closes_over() -> None:
    lock, words = threading.Lock(), ["a"]  # a lock cannot be pickled, and need not be

    verdict = call_in_copy(lambda: (lock.locked(), [*words, "b"]))

    assert verdict == Answer(None, (False, ["a", "b"]))


def test_a_death_says_where_it_happened_what_was_printed_and_which_mark_was_the_last() -> None:
    def work() -> None:
        mark(7, 8)
        print("about to crash", end="")
        MISDEEDS["crash"]()

    verdict = call_in_copy(work)

    assert isinstance(verdict, Death)
    assert (verdict.cause, verdict.output, verdict.at[:2]) == ("killed by SIGSEGV", "about to crash", (7, 8))
    assert "string_at" in verdict.place


def test_a_call_that_hangs_is_found_in_its_own_line() -> None:
    verdict = call_in_copy(MISDEEDS["hang"], Isolation(seconds_per_call=SECONDS))

    assert isinstance(verdict, Death)
    assert verdict.cause == "took more than 1 s"
    assert ":hang" in verdict.place


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process waits for")
@pytest.mark.parametrize("is_woken", [False, True])
def test_a_lock_that_nobody_releases_is_known_after_a_blink_unless_an_alarm_may_end_the_wait(is_woken: bool) -> None:
    def ring(*_: object) -> None:
        raise TimeoutError("rang")

    def work() -> None:
        if is_woken:
            signal.signal(signal.SIGALRM, ring)
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
        lock = threading.Lock()
        with lock:
            lock.acquire()

    verdict = call_in_copy(work, Isolation(seconds_per_call=60))

    assert isinstance(verdict, Raised if is_woken else Death)
    assert str(verdict) == ("TimeoutError: rang" if is_woken else "waits for ever for a lock")


def test_a_mark_starts_the_clock_anew() -> None:
    def work() -> int:
        for number in range(8):
            time.sleep(0.2)
            mark(number)
        return 8

    assert call_in_copy(work, Isolation(seconds_per_call=SECONDS)) == Answer(None, 8)


@pytest.mark.parametrize("first", [0.3, 0.0])
def test_between_steps_a_copy_is_never_late(first: float) -> None:
    def work() -> int:
        time.sleep(first)  # before the first step
        for number in range(3):
            mark(number)
            mark(NOWHERE)
            time.sleep(0.2)
        return 3

    with Copy(work, Isolation(seconds_per_call=0.1), in_steps=True) as copy:
        assert list(copy.listen()) == []
        assert copy.verdict == Answer(None, 3)


def test_a_step_that_ends_while_it_is_looked_at_is_not_blamed() -> None:
    with Copy(lambda: time.sleep(5), Isolation(seconds_per_call=0.1), in_steps=True) as copy:
        copy.since -= 1.0  # at step 5 for a second
        copy.cells[PLACE] = 5
        place = tuple(copy.cells[PLACE:STOP])
        copy.cells[PLACE] = NOWHERE  # it goes on after we looked

        assert copy.is_late(place)
        assert not copy.is_late((NOWHERE, 0, 0, 0))


def test_what_is_sent_comes_while_the_work_goes_on_and_survives_its_end() -> None:
    def work() -> None:
        for number in range(1000):
            send((number, "x" * number))
        os._exit(3)

    with Copy(work) as copy:
        got = list(copy.listen())

    assert got == [(number, "x" * number) for number in range(1000)]
    assert isinstance(copy.verdict, Death)
    assert copy.verdict.cause == "left with exit code 3"


def test_each_number_has_its_verdict_and_a_death_costs_that_number_alone() -> None:
    def work(number: int) -> int:
        if number % 3 == 1:
            os._exit(number)
        return number * number

    verdicts = list(each_in_copies(work, 10))

    assert [each.result if isinstance(each, Answer) else str(each) for each in verdicts] == [
        number * number if number % 3 != 1 else f"left with exit code {number}" for number in range(10)
    ]


def test_a_copy_inside_a_copy_is_not_made() -> None:
    def inner() -> tuple[bool, int]:
        return is_in_copy(), os.getpid()

    def work() -> bool:
        verdict = call_in_copy(inner)
        assert isinstance(verdict, Answer)
        return bool(verdict.result == (True, os.getpid()))

    assert call_in_copy(work) == Answer(None, True)
    assert not is_in_copy()


def test_a_run_that_is_given_up_leaves_no_process(tmp_path: Path) -> None:
    def work() -> None:
        (tmp_path / "pid").write_text(str(os.getpid()))
        if os.fork() == 0:
            time.sleep(1000)
        send("started")
        time.sleep(1000)

    with Copy(work) as copy:
        next(iter(copy.listen()))

    group = int((tmp_path / "pid").read_text())
    for _ in range(100):  # what was killed may take a moment to go
        if not alive(group):
            break
        time.sleep(0.1)
    assert not alive(group)


def alive(group: int) -> list[str]:
    shown = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    return [line for line in shown.splitlines() if line.split()[0] == str(group) and "Z" not in line]


ENDINGS: dict[str, Callable[[], object]] = {
    "returns": lambda: None,
    "raises": lambda: 1 // 0,
    "hangs": lambda: time.sleep(1000),
    "leaves": lambda: os._exit(3),
    "crashes": MISDEEDS["crash"],
}


@pytest.mark.skipif(sys.platform != "linux", reason="where a process came from is told by /proc")
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("twice", [False, True], ids=["child", "grandchild"])
def test_what_a_copy_started_ends_with_it_also_in_a_session_of_its_own(
    ending: str, twice: bool, tmp_path: Path
) -> None:
    def work() -> None:
        if os.fork() == 0:
            if twice and os.fork():
                os._exit(0)
            os.setsid()
            (tmp_path / "pid").write_text(str(os.getpid()))
            (tmp_path / "pid").rename(tmp_path / "ready")
            time.sleep(1000)
        while not (tmp_path / "ready").exists():
            time.sleep(0.01)
        ENDINGS[ending]()

    call_in_copy(work, Isolation(seconds_per_call=SECONDS))

    left = int((tmp_path / "ready").read_text())
    for _ in range(100):  # what was killed may take a moment to go
        if not _lives(left):
            return
        time.sleep(0.1)
    os.kill(left, 9)
    pytest.fail(f"process {left} is still there")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere what a copy started may stay")
def test_a_program_in_a_session_of_its_own_ends_with_a_copy_that_crashes() -> None:
    def work() -> None:
        send(subprocess.Popen(["sleep", "1000"], start_new_session=True).pid)
        MISDEEDS["crash"]()

    with Copy(work) as copy:
        (pid,) = copy.listen()

    assert isinstance(copy.verdict, Death)
    assert copy.verdict.cause == "killed by SIGSEGV"
    assert not _lives(pid)


@pytest.mark.parametrize("whose", ["copy", "program in a session of its own"])
def test_a_copy_and_what_it_started_die_with_their_parent(whose: str, tmp_path: Path) -> None:
    pid_of = {
        "copy": "os.getpid()",
        "program in a session of its own": "subprocess.Popen(['sleep', '1000'], start_new_session=True).pid",
    }
    program = (
        "import os, subprocess, time\n"
        "from unlike.isolation.copy import Copy, send\n"
        "def work():\n"
        f"    send({pid_of[whose]}); time.sleep(1000)\n"
        "copy = Copy(work)\n"
        "print(next(copy.listen()), flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=False)

    pid = int(done.stdout)
    for _ in range(50):
        if not _lives(pid):
            return
        time.sleep(0.1)
    pytest.fail(f"process {pid} is still there")


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def test_without_fork_the_call_is_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")

    def fails() -> None:
        raise KeyError("x")

    assert call_in_copy(os.getpid) == Answer(None, os.getpid())
    assert call_in_copy(fails) == Raised(None, "KeyError: 'x'")
    assert list(each_in_copies(lambda number: number, 2)) == [Answer(None, 0), Answer(None, 1)]
    assert any("a call that does not return" in gap for gap in isolation.list_unenforced_limits())


@pytest.mark.parametrize(
    "where", [call_in_copy, lambda call, limits: next(each_in_copies(lambda _: call(), 1, limits))]
)
def test_without_resource_time_is_still_limited_and_memory_is_said_not_to_be(
    where: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "resource", None)  # as it is on other platforms

    isolated = Isolation(seconds_per_call=SECONDS, megabytes=100)

    verdict = where(MISDEEDS["hang_in_c"], isolated)

    assert isinstance(verdict, Death)
    assert verdict.cause == "took more than 1 s"
    assert where(lambda: 5, isolated) == Answer(None, 5)
    assert any("memory" in gap for gap in isolation.list_unenforced_limits())


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited by address space")
def test_more_memory_than_the_system_allows_is_no_reason_to_fail() -> None:
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))\n"
        "from unlike.core import Isolation\n"
        "from unlike.isolation import call_in_copy\n"
        "print(call_in_copy(lambda: 7, Isolation(megabytes=10**6)).result)"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "7\n"


@pytest.mark.skipif(sys.platform != "linux", reason="the descriptors of a process are bounded there")
def test_few_open_files_are_no_reason_to_fail() -> None:
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (50, 50))\n"
        "from unlike.isolation import call_in_copy\n"
        "print(call_in_copy(lambda: 7).result)"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "7\n"


def test_a_copy_that_cannot_be_made_ready_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a compiled part of another version, which lacks what is asked of it."""

    def remember() -> None:
        raise AttributeError("module 'unlike._native' has no attribute 'remember_names'")

    monkeypatch.setattr(copy_module, "remember_names", remember)

    verdict = call_in_copy(lambda: 5)

    assert isinstance(verdict, Raised)
    assert "has no attribute 'remember_names'" in verdict.error
    assert "install it again" in verdict.error
