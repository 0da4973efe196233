"""Classes with state: the few calls that `unlike explore --code` chooses, against all tests it writes and Hypothesis.

The mutants, and what is seen of a sequence, are those of `python -m bench power --subjects classes`.
"""

from __future__ import annotations

import importlib
import tempfile
import warnings
from pathlib import Path
from typing import Any

from bench.power.kills import find_kills
from bench.power.sequences import FEW, SEQUENCES, follow, load_file, sequences_of, tests_of, write_tests
from bench.power.subjects import StatefulClass
from bench.power.suites import UNLIKE

BY_BEHAVIOUR = "by behaviour"


def measure(subject: StatefulClass, seed: int, most: int) -> dict[str, Any]:
    """Return the figures of one class: how many tests each suite has, and how many mutants it kills."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        suites: dict[str, list[Any]] = {}
        for name, more in ((BY_BEHAVIOUR, ("--code", subject.module)), (UNLIKE, ())):
            place = Path(folder) / name.replace(" ", "_")
            write_tests(subject, place, *more)
            files = sorted(place.glob("test_*.py"))
            suites[name] = [test for file in files for test in tests_of(load_file(file))]
        suites[FEW] = sequences_of(subject, SEQUENCES, seed)
        cls = getattr(importlib.import_module(subject.module), subject.cls)
        mutated = subject.mutated or (subject.cls,)
        kills = find_kills(
            [subject.module],
            lambda value: value() if callable(value) else follow(cls, value),
            suites,
            wanted=lambda mutant: mutant.function.split(".")[0] in mutated,
            most=most,
        )
    return {
        "package": subject.package,
        "mutants": len(kills.mutants),
        "killable": len(kills.killable()),
        "sizes": {name: len(suite) for name, suite in suites.items()},
        "scores": {name: kills.score(name) for name in suites},
    }


def table(figures: dict[str, dict[str, Any]]) -> list[str]:
    """Return for each class how many tests each suite has, and its score."""
    names = (BY_BEHAVIOUR, UNLIKE, FEW)
    lines = [f"| class | killable | {' | '.join(f'{name} (tests)' for name in names)} |", "|---|---|---|---|---|"]
    for cls, each in figures.items():
        cells = [f"{each['scores'][name]:.1f} ({each['sizes'][name]:,})" for name in names]
        lines.append(f"| {cls} | {each['killable']} of {each['mutants']} | {' | '.join(cells)} |")
    means = [sum(each["scores"][name] for each in figures.values()) / len(figures) for name in names]
    return [*lines, f"| mean |  | {' | '.join(f'{mean:.1f}' for mean in means)} |"]
