"""Constructors, validators and checks of a type are somebody else's code: whatever they do, a suite comes back."""

import ctypes
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import annotated_types
import pydantic
import pytest

from unlike import generate, invalid
from unlike.core import Isolation
from unlike.specs import isolated
from unlike.suite import Ending

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")


def recurse() -> None:
    recurse()


DEADLY: dict[str, tuple[Callable[[], object], str]] = {
    "hangs": (lambda: time.sleep(1000), "took more than 1 s"),
    "leaves": (lambda: os._exit(3), "left with exit code 3"),
    "crashes": (lambda: ctypes.string_at(0), "killed by SIGSEGV"),
}
REFUSING: dict[str, Callable[[], object]] = {
    "exits": lambda: sys.exit(3),
    "recurses without end": recurse,
    "allocates without bound": lambda: bytearray(2**46),
    "reads standard input": lambda: input("well?"),
}
HARMLESS: dict[str, Callable[[], object]] = {
    "prints": lambda: os.write(1, b"a word"),
    "changes the working directory": lambda: os.chdir("/"),
    "starts a thread": lambda: threading.Thread(target=time.sleep, args=(1000,)).start(),
    "ignores signals": lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),
    "forks": os.fork,
}
made_in: list[int] = []


class Noted(type):
    def __call__(cls, *args: Any, **options: Any) -> Any:
        made_in.append(os.getpid())
        return super().__call__(*args, **options)


class Setter:
    def __set__(self, thing: object, value: object) -> None:
        made_in.append(os.getpid())


@dataclass
class OwnConstructor:
    years: int

    def __init__(self, years: int) -> None:
        made_in.append(os.getpid())
        self.years = years


@dataclass
class OwnMetaclass(metaclass=Noted):
    years: int


@dataclass
class OwnDefault:
    years: int
    names: list[str] = field(default_factory=lambda: made_in.append(os.getpid()) or [])  # type: ignore[func-returns-value]


@dataclass
class OwnSetter:
    years: int


OwnSetter.years = Setter()  # type: ignore[assignment]


@pytest.mark.parametrize("cls", [OwnConstructor, OwnMetaclass, OwnDefault, OwnSetter])
def test_no_code_of_a_dataclass_runs_in_this_process_while_inputs_are_looked_for(cls: type) -> None:
    made_in.clear()

    generate(cls)

    assert os.getpid() not in made_in


acting: Callable[[], object] = str  # what the classes below do


@pytest.fixture
def one_second(monkeypatch: pytest.MonkeyPatch) -> None:
    before = isolated.in_copy
    quick: Any = lambda *args, **options: before(*args, **{**options, "isolation": Isolation(seconds_per_call=1)})  # noqa: E731
    monkeypatch.setattr("unlike.specs.isolated.in_copy", quick)


@pytest.fixture
def acts(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    return lambda act: monkeypatch.setattr(sys.modules[__name__], "acting", act)


@dataclass
class Age:
    """At the age of 100 something happens."""

    years: Annotated[int, annotated_types.Ge(0), annotated_types.Le(100)]

    def __post_init__(self) -> None:
        if self.years == 100:
            acting()


class Model(pydantic.BaseModel):
    years: Annotated[int, pydantic.Field(ge=0, le=100)]

    @pydantic.field_validator("years")
    @classmethod
    def act(cls, value: int) -> int:
        if value == 100:
            acting()
        return value


def is_bearable(value: int) -> bool:
    return value != 100 or bool(acting())


Checked = Annotated[int, annotated_types.Ge(0), annotated_types.Le(100), annotated_types.Predicate(is_bearable)]


def years(suite: Any) -> set[int]:
    return {getattr(case.value, "years", case.value) for case in suite}


@pytest.mark.usefixtures("one_second")
@pytest.mark.parametrize(
    ("cls", "misdeed"), [(Age, "hangs"), (Age, "leaves"), (Age, "crashes"), (Model, "leaves"), (Model, "crashes")]
)
def test_a_constructor_that_ends_its_process_cuts_the_suite_short_and_what_was_found_is_delivered(
    cls: type, misdeed: str, acts: Callable[[Callable[[], object]], None]
) -> None:
    act, cause = DEADLY[misdeed]
    before = list(itertools.takewhile(lambda value: value.years != 100, generate(cls).values))
    acts(act)

    suite = generate(cls)

    assert suite.status.ending is Ending.FAILED
    assert suite.status.detail == (f"{cls.__name__}: it ended or blocked its process ({cause}) on {{'years': 100}}")
    assert suite.values == before != []


def test_a_check_that_ends_its_process_is_named(acts: Callable[[Callable[[], object]], None]) -> None:
    acts(lambda: os._exit(3))

    made, broken = generate(Checked), invalid(Checked)

    assert made.status.ending is broken.status.ending is Ending.FAILED
    assert "predicate is_bearable: it ended or blocked its process (left with exit code 3)" in made.status.detail
    assert "predicate is_bearable" in broken.status.detail


@pytest.mark.parametrize("misdeed", REFUSING)
def test_a_constructor_that_raises_anything_refuses_the_value_and_the_rest_is_found(
    misdeed: str, acts: Callable[[Callable[[], object]], None]
) -> None:
    acts(REFUSING[misdeed])

    suite = generate(Age, "all")

    assert years(suite) == set(range(100))


@pytest.mark.parametrize("misdeed", HARMLESS)
def test_nothing_of_what_a_constructor_does_is_seen_in_this_process(
    misdeed: str, acts: Callable[[Callable[[], object]], None], capfd: pytest.CaptureFixture[str]
) -> None:
    before = Path.cwd(), signal.getsignal(signal.SIGTERM), threading.active_count()
    acts(HARMLESS[misdeed])

    suite = generate(Age, "all")

    assert len(suite) == 101
    assert capfd.readouterr() == ("", "")
    assert (Path.cwd(), signal.getsignal(signal.SIGTERM), threading.active_count()) == before


def test_in_this_process_on_demand(acts: Callable[[Callable[[], object]], None]) -> None:
    where: list[int] = []
    acts(lambda: where.append(os.getpid()))

    generate(Age)
    assert not where

    generate(Age, in_process=True)
    assert set(where) == {os.getpid()}


def test_a_copy_gives_the_suite_that_this_process_gives() -> None:
    here, elsewhere = (generate(Age, 40, cover="all", seed=3, in_process=here) for here in (True, False))

    assert [(case.label, case.recipe) for case in here] == [(case.label, case.recipe) for case in elsewhere]
    assert (here.status, here.guarantee, here.explanation) == (
        elsewhere.status,
        elsewhere.guarantee,
        elsewhere.explanation,
    )


def test_values_that_cannot_be_sent_are_made_here() -> None:
    class Local:
        """Known to no other process by its name."""

    member = Local()

    @dataclass
    class Holder:
        one: Annotated[int, annotated_types.Ge(0), annotated_types.Le(1)]

        def __post_init__(self) -> None:
            self.other = member

    assert [case.value.one for case in generate(Holder, "all")] == [0, 1]


def test_the_command_line_delivers_what_was_found_and_says_what_ended_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ages.py").write_text(
        "import os\nfrom dataclasses import dataclass\nfrom typing import Literal\n"
        "@dataclass\nclass Age:\n    years: Literal[1, 2, 3]\n"
        "    def __post_init__(self):\n        print('a word')\n        if self.years == 3:\n            os._exit(4)\n"
    )
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "unlike.cli", "generate", "ages:Age"]

    done = subprocess.run(command, capture_output=True, text=True, check=False)
    here = subprocess.run([*command, "--in-process"], capture_output=True, text=True, check=False)

    assert [line["value"]["years"] for line in json.loads(done.stdout)["cases"]["inputs"]] == [1, 2]
    assert "Age: it ended or blocked its process (left with exit code 4) on {'years': 3}" in done.stderr
    assert (done.returncode, here.returncode) == (3, 4)  # cut short; gone with it
