"""Faults of released versions that 20 inputs show, chosen by behaviour, and how many others show.

Both versions of a package are installed, each into a folder of its own. Inputs are chosen with the version at hand that
has the fault, and nothing is known of the other. A suite shows the fault if the versions differ on one of its inputs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from bench.power.bugs import BUGS
from bench.power.subjects import Bug

FEW, MANY = 20, 1000
SEEDS = range(3)
OURS = str(Path(sys.executable).with_name("unlike"))

ANSWERS = """
import functools, importlib, json, sys
module, function, inputs = sys.argv[1], sys.argv[2], json.load(sys.stdin)
called = functools.reduce(getattr, function.split("."), importlib.import_module(module))
answers = []
for value in inputs:
    try:
        result = called(value)
        seen = [(name, str(getattr(result, name, None))) for name in ("broadcast", "altitude")]
        answers.append(f"{result!r} {result} {seen}")
    except Exception as error:
        answers.append(f"raises {type(error).__name__}")
json.dump(answers, sys.stdout)
"""

DRAWN = """
import json, sys
from typing import Annotated
from annotated_types import Interval
from hypothesis import strategies
from bench.power.suites import examples_of
pattern, inputs, n, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
strategy = strategies.from_regex(pattern, fullmatch=True) if pattern else strategies.from_type(eval(inputs))
json.dump(examples_of(strategy, n, seed), sys.stdout)
"""


def measure(only: Collection[str] = ()) -> dict[str, dict[str, float]]:
    """Return for each fault and each suite in how many of its runs the suite shows it, from 0 to 1."""
    found = {}
    with tempfile.TemporaryDirectory() as base:
        for number, bug in enumerate(BUGS):
            if not only or any(each in bug.package for each in only):
                folder = Path(base) / str(number)
                found[f"{bug.package}: {bug.name}"] = measure_one(bug, folder)
                print(f"faults: {number + 1} of {len(BUGS)}", file=sys.stderr, flush=True)
    return found


def measure_one(bug: Bug, folder: Path) -> dict[str, float]:
    faulty, fixed = folder / "faulty", folder / "fixed"
    for target, package in ((faulty, bug.package), (fixed, bug.fixed)):
        install(package, target)
    if bug.inputs:
        head = "from typing import Annotated\nfrom annotated_types import Interval\n"
        (faulty / "inputs_of_the_fault.py").write_text(f"{head}Value = {bug.inputs}\n")
    shows = {
        name: [is_shown(bug, faulty, fixed, inputs) for inputs in make(bug, faulty)] for name, make in SUITES.items()
    }
    if not is_shown(bug, faulty, fixed, bug.shows):
        raise RuntimeError(f"{bug.package}: its own inputs do not show the fault")
    return {name: sum(each) / len(each) for name, each in shows.items()}


def install(package: str, target: Path) -> None:
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", str(target)]
    subprocess.run([*words, package, "setuptools<70"], check=True, capture_output=True)


def is_shown(bug: Bug, faulty: Path, fixed: Path, inputs: Sequence[Any]) -> bool:
    return answers_of(bug, faulty, inputs) != answers_of(bug, fixed, inputs)


def answers_of(bug: Bug, folder: Path, inputs: Sequence[Any]) -> list[str]:
    words = [sys.executable, "-W", "ignore", "-c", ANSWERS, bug.module, bug.function]
    return json.loads(run(words, folder, json.dumps(list(inputs))))  # type: ignore[no-any-return]


def run(words: list[str], folder: Path, given: str = "", fine: Collection[int] = (0,)) -> str:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(Path.cwd())]), "PYTHONHASHSEED": "0"}
    done = subprocess.run(words, env=environment, input=given, capture_output=True, text=True, check=False)
    if done.returncode not in fine:
        raise RuntimeError(f"{' '.join(words[:6])}: {done.stderr}")
    return done.stdout


def of_unlike(bug: Bug, folder: Path, *more: str) -> list[Any]:
    target = ["--regex", bug.pattern, "--mix"] if bug.pattern else ["inputs_of_the_fault:Value"]
    told = run([OURS, "generate", *target, "-n", str(FEW), "--format", "jsonl", *more], folder, fine=(0, 1, 3))
    return [json.loads(line)["value"] for line in told.splitlines()]


def by_behaviour(bug: Bug, folder: Path) -> list[list[Any]]:
    return [of_unlike(bug, folder, "--code", f"{bug.module}:{bug.function}")]


def first_n(bug: Bug, folder: Path) -> list[list[Any]]:
    return [of_unlike(bug, folder)]


def drawn(bug: Bug, folder: Path, n: int) -> list[list[Any]]:
    words = [sys.executable, "-W", "ignore", "-c", DRAWN, bug.pattern, bug.inputs, str(n)]
    return [json.loads(run([*words, str(seed)], folder)) for seed in SEEDS]


SUITES: dict[str, Callable[[Bug, Path], list[list[Any]]]] = {
    "by behaviour, 20": by_behaviour,
    "the first 20": first_n,
    "Hypothesis, 20": lambda bug, folder: drawn(bug, folder, FEW),
    "Hypothesis, 1,000": lambda bug, folder: drawn(bug, folder, MANY),
}


def table(found: dict[str, dict[str, float]]) -> list[str]:
    """Return how often each suite shows each fault, and the sums."""
    lines = ["| fault | " + " | ".join(SUITES) + " |", "|---|" + "---|" * len(SUITES)]
    for name, shown in found.items():
        lines.append(f"| {name} | " + " | ".join(f"{shown[each]:.2g}" for each in SUITES) + " |")
    sums = [sum(shown[each] for shown in found.values()) for each in SUITES]
    lines.append(f"| of {len(found)} | " + " | ".join(f"{each:.2g}" for each in sums) + " |")
    return lines
