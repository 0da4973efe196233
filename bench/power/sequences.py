"""Classes with state: the tests that `unlike explore --scope 3` writes, against random sequences by Hypothesis.

Of a sequence everything is seen that a perfect model would check: the result of each call, and the object after it. It
is compared twice: with 200 sequences, and with as many as make as many calls as our tests do (at least 200).
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import statistics
import subprocess
import sys
import tempfile
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.power.kills import find_kills, told_in_copy
from bench.power.subjects import StatefulClass
from bench.power.suites import UNLIKE

SEQUENCES = 200
LONGEST = 50  # steps of a sequence, as Hypothesis has it
MOST_SEQUENCES = 2000  # so many make some 50,000 calls; further ones would take longer than all the rest
SECONDS = 180  # for one exploration
SHOWN = 50  # elements of a container or an iterator that are looked at
FEW, MANY = "Hypothesis 200", "Hypothesis, as many calls"


@dataclass(frozen=True)
class Sequence:
    """How an object is made and what is called on it; a random example."""

    constructor: tuple[Any, ...]
    steps: tuple[tuple[str, tuple[Any, ...]], ...]


def measure(subject: StatefulClass, seeds: Iterable[int], most: int, seconds: int = SECONDS) -> dict[str, Any]:
    """Return the figures of one class: how many mutants, of at most so many, each suite kills."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        said = write_tests(subject, Path(folder), "--timeout", str(seconds))
        files = sorted(Path(folder).glob("test_*.py"))
        modules = [load_file(file) for file in files]
        tests = [test for module in modules for test in tests_of(module)]
        calls = told_in_copy(lambda: count_calls(tests, {str(file) for file in files}))
        suites: dict[str, list[Any]] = {UNLIKE: tests}
        for seed in seeds:
            suites[f"{MANY}/{seed}"] = as_many_calls(subject, calls, seed)
            suites[f"{FEW}/{seed}"] = suites[f"{MANY}/{seed}"][:SEQUENCES]
        cls = getattr(importlib.import_module(subject.module), subject.cls)
        mutated = subject.mutated or (subject.cls,)
        kills = find_kills(
            [subject.module],
            lambda value: value() if callable(value) else follow(cls, value),
            suites,
            wanted=lambda mutant: mutant.function.split(".")[0] in mutated,
            most=most,
        )
    scores = {UNLIKE: kills.score(UNLIKE)}
    for name in (FEW, MANY):
        scores[name] = statistics.mean(kills.score(f"{name}/{seed}") for seed in seeds)
    return {
        "package": subject.package, "mutants": len(kills.mutants), "killable": len(kills.killable()), "scores": scores,
        "tests": len(tests), "calls": calls, "sequences": len(suites[f"{MANY}/0"]), "said": said,
        "survivors": [
            f"{mutant.function}:{mutant.line} {mutant.what}"
            for place, mutant in enumerate(kills.mutants)
            if kills.firsts[UNLIKE][place] is None and place in kills.killable()
        ],
    }  # fmt: skip


def write_tests(subject: StatefulClass, folder: Path, *more: str) -> list[str]:
    """Let unlike write its tests into a folder, with further flags; return what it says."""
    command = [
        str(Path(sys.executable).with_name("unlike")),
        "explore",
        f"{subject.module}:{subject.cls}",
        "--scope",
        "3",
    ]
    command += ["-o", str(folder), *subject.flags, *(() if "--timeout" in more else ("--timeout", str(SECONDS))), *more]
    done = subprocess.run(command, capture_output=True, text=True)
    # who is refused has no tests, and scores nothing: the words say why
    return (done.stdout + done.stderr).splitlines()


def load_file(file: Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tests_of(module: types.ModuleType) -> Iterator[Callable[[], None]]:
    """Yield the tests of a module that pytest would run."""
    for name, test in vars(module).items():
        marks = [mark.name for mark in getattr(test, "pytestmark", ())]
        if name.startswith("test_") and callable(test) and "skip" not in marks:
            yield test


def count_calls(tests: list[Callable[[], None]], files: set[str]) -> int:
    """Return how many calls the tests make on what is not their own."""
    made = 0

    def count(frame: Any, event: str, argument: Any) -> None:  # noqa: ARG001
        nonlocal made
        caller = frame.f_back
        if event == "call" and caller is not None and caller.f_code.co_filename in files:
            made += frame.f_code.co_filename not in files

    for test in tests:
        sys.setprofile(count)
        try:
            test()
        except Exception as error:
            print(type(error).__name__)  # counted by find_kills: it must raise the same again
        finally:
            sys.setprofile(None)
    return made


def as_many_calls(subject: StatefulClass, calls: int, seed: int) -> list[Sequence]:
    """Return at least 200 sequences, and as many as make so many calls."""
    per_sequence = LONGEST * 4 // 5  # on average
    wanted = max(SEQUENCES, min(MOST_SEQUENCES, calls // per_sequence + SEQUENCES))
    found = sequences_of(subject, wanted, seed)
    made = itertools.accumulate(1 + len(each.steps) for each in found)
    enough = next((place for place, sum_ in enumerate(made, 1) if sum_ >= calls), len(found))
    return found[: max(enough, SEQUENCES)]


def sequences_of(subject: StatefulClass, many: int, seed: int) -> list[Sequence]:
    """Return the sequences that a state machine of Hypothesis with one rule for each operation goes through."""
    import hypothesis
    from hypothesis import stateful

    kinds = strategies_by_kind()
    found: list[tuple[list[Any], list[Any]]] = []

    class Machine(stateful.RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            found.append(([], []))

    def begin(self: object, **arguments: Any) -> None:  # noqa: ARG001
        found[-1][0].extend(arguments.values())

    def step_of(method: str) -> Callable[..., None]:
        def step(self: object, **arguments: Any) -> None:  # noqa: ARG001
            found[-1][1].append((method, tuple(arguments.values())))

        return step

    def named(arguments: tuple[str, ...]) -> dict[str, Any]:
        return {f"argument{place}": kinds[kind] for place, kind in enumerate(arguments)}

    Machine.begin = stateful.initialize(**named(subject.constructor))(begin)  # type: ignore[attr-defined]
    for place, operation in enumerate(subject.operations):
        setattr(Machine, f"step{place}", stateful.rule(**named(operation.arguments))(step_of(operation.method)))
    settings = hypothesis.settings(
        max_examples=many, stateful_step_count=LONGEST, database=None, deadline=None,
        phases=[hypothesis.Phase.generate], suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    stateful.run_state_machine_as_test(hypothesis.seed(seed)(Machine), settings=settings)
    return [Sequence(tuple(constructor), tuple(steps)) for constructor, steps in found[:many]]


def strategies_by_kind() -> dict[str, Any]:
    from hypothesis import strategies as st

    key, index = st.integers(0, 4), st.integers(-4, 4)
    bound = st.none() | index
    return {
        "key": key, "value": key, "index": index, "keys": st.lists(key, max_size=4),
        "unique": st.lists(key, max_size=4, unique=True),
        "pairs": st.lists(st.tuples(key, key), max_size=4), "text": st.text("ab", max_size=3), "bool": st.booleans(),
        "size": st.integers(1, 3), "share": st.floats(0.1, 0.9), "slice": st.builds(slice, bound, bound),
    }  # fmt: skip


def follow(cls: type, sequence: Sequence) -> list[Any]:
    """Return all that is seen of a sequence."""
    made = cls(*sequence.constructor)
    seen = [look_at(made)]
    for method, arguments in sequence.steps:
        try:
            result = getattr(made, method)(*arguments)
            seen.append(look_at(result) if isinstance(result, cls) else shown(result))
        except Exception as error:
            seen.append(type(error).__name__)
        seen.append(look_at(made))
    return seen


def look_at(value: Any) -> list[str]:
    """Return what everybody can see of an object."""
    views: list[Callable[[Any], Any]] = [lambda value: list(itertools.islice(value, SHOWN)), len, repr, public_fields]
    seen = []
    for view in views:
        try:
            seen.append(repr(view(value)))
        except Exception as error:
            seen.append(type(error).__name__)
    return seen


def public_fields(value: Any) -> dict[str, Any]:
    return {name: field for name, field in vars(value).items() if not name.startswith("_")}


def shown(result: Any) -> str:
    return repr(list(itertools.islice(result, SHOWN)) if isinstance(result, Iterator) else result)


def report(figures: dict[str, dict[str, Any]]) -> str:
    """Return the table of the classes as text."""
    names = [UNLIKE, FEW, MANY]
    lines = [
        "## classes",
        "",
        "| class | killable | tests | calls | " + " | ".join(names) + " |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, each in figures.items():
        scores = " | ".join(f"{each['scores'][suite]:.1f}" for suite in names)
        lines.append(
            f"| {name} | {each['killable']} of {each['mutants']} | {each['tests']} | {each['calls']} | {scores} |"
        )
    means = [statistics.mean(each["scores"][suite] for each in figures.values()) for suite in names]
    lines.append("| mean |  |  |  | " + " | ".join(f"{mean:.1f}" for mean in means) + " |")
    good = sum(each["scores"][UNLIKE] >= each["scores"][MANY] for each in figures.values())
    lines += ["", f"unlike reaches what as many calls of Hypothesis reach on {good} of {len(figures)} classes", ""]
    return "\n".join(lines)
