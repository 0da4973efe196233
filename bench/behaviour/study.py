"""`python -m bench behaviour`: n inputs chosen by what the code does with them, beside the first n and Hypothesis.

    pip install 'unlike[power]'
    python -m bench behaviour                             # the halves that may be looked at: tables as text
    python -m bench behaviour --subjects unseen           # the other half, when all is done
    python -m bench behaviour --subjects classes          # calls of six classes
    python -m bench behaviour --faults                    # ten faults of released versions

Subjects, mutants and scores are those of `python -m bench power`; killable is what any suite of this run kills, so the
scores of the two studies are not comparable. Only the original is looked at when inputs are chosen, never a mutant.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Annotated, Any

from bench.behaviour import classes, faults
from bench.power import open_parsers, structured, suites, unseen_parsers
from bench.power.classes import KEPT as KEPT_CLASSES, OPEN as OPEN_CLASSES
from bench.power.kills import find_kills
from bench.power.study import Figures, table_of_means, table_of_subjects
from bench.power.subjects import Parser, Structured, Subject

BY_BEHAVIOUR = "by behaviour"


def structured_of(names: Iterable[str]) -> list[Structured]:
    return [each for each in structured.functions() if each.name in names]


GROUPS: dict[str, Callable[[], Iterable[Subject]]] = {
    "open": open_parsers.parsers,
    "unseen": unseen_parsers.parsers,
    "structured": lambda: structured_of(structured.OPEN),
    "structured, unseen": lambda: structured_of(structured.KEPT),
}
CLASSES = {"classes": OPEN_CLASSES, "classes, unseen": KEPT_CLASSES}
USUAL = "open", "structured"


def main(arguments: list[str]) -> int:
    """Measure the groups that are named, or the faults, and print their tables; return 0."""
    parser = argparse.ArgumentParser(prog="python -m bench behaviour", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--subjects", nargs="+", choices=(*GROUPS, *CLASSES), default=USUAL, help="which groups (%(default)s)"
    )
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME", help="only these subjects, for a quick look")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="how many for each generator (%(default)s)")
    parser.add_argument("--faults", action="store_true", help="the faults of released versions instead")
    parser.add_argument("--json", metavar="FILE", help="write all figures to a file")
    wanted = parser.parse_args(arguments)
    os.environ["PYTHONHASHSEED"] = "0"  # sets are shown in the same order every time
    figures: dict[str, Any] = {}
    if wanted.faults:
        figures["faults"] = faults.measure(wanted.only)
        print("\n".join(faults.table(figures["faults"])))
    else:
        for group in wanted.subjects:
            figures[group] = found = measure_group(group, wanted)
            tables = (
                classes.table(found) if group in CLASSES else [*table_of_means(found), "", *table_of_subjects(found)]
            )
            print("\n".join([f"## {group}", "", *tables, ""]), flush=True)
    if wanted.json:
        Path(wanted.json).write_text(json.dumps(figures, indent=1) + "\n")
    return 0


def measure_group(group: str, wanted: argparse.Namespace) -> dict[str, Figures]:
    """Return the figures of each subject, measured two at a time in processes of their own."""
    subjects = CLASSES[group] if group in CLASSES else GROUPS[group]()
    names = [each.name for each in subjects if not wanted.only or each.name in wanted.only]
    context = multiprocessing.get_context("spawn")
    found: dict[str, Figures] = {}
    with ProcessPoolExecutor(2, mp_context=context, max_tasks_per_child=1) as pool:
        names_of = {pool.submit(measure, group, name, wanted.seeds): name for name in names}
        for done in as_completed(names_of):
            found[names_of[done]] = done.result()
            if wanted.json:  # a study that is stopped has what it measured
                Path(wanted.json).write_text(json.dumps({group: found}, indent=1) + "\n")
            print(f"{group}: {len(found)} of {len(names)}, {names_of[done]}", file=sys.stderr, flush=True)
    return {name: found[name] for name in names}


def measure(group: str, name: str, seeds: int) -> Figures:
    """Return the figures of one subject: the scores of each generator, and how many mutants there are."""
    if group in CLASSES:
        return classes.measure(next(each for each in CLASSES[group] if each.name == name), seed=0)
    subject = next(each for each in GROUPS[group]() if each.name == name)
    found = suites_of(subject, range(seeds))
    kills = find_kills(
        subject.modules, subject.run, found, wanted=lambda mutant: mutant.function.startswith(subject.only)
    )
    scores: dict[str, dict[str, float]] = {}
    for suite in found:
        generator, n, _ = suite.split("/")
        alike = [each for each in found if each.startswith(f"{generator}/{n}/")]
        scores.setdefault(generator, {})[n] = sum(map(kills.score, alike)) / len(alike)
    return {
        "package": subject.package,
        "mutants": len(kills.mutants),
        "killable": len(kills.killable()),
        "scores": scores,
    }


def suites_of(subject: Subject, seeds: Iterable[int]) -> dict[str, list[Any]]:
    """Return the suites by behaviour, and beside them the first n, Hypothesis and what was written by hand."""
    found = {}
    for seed in seeds:
        chosen = by_behaviour(subject, max(suites.SIZES), seed)
        for n in suites.SIZES:  # a larger n extends the smaller suite
            found[f"{BY_BEHAVIOUR}/{n}/{seed}"] = chosen[:n]
    return found | suites.suites_of(subject, seeds, only=(suites.UNLIKE, "Hypothesis", suites.THOUSAND))


def by_behaviour(subject: Subject, n: int, seed: int) -> list[Any]:
    """Return n inputs of a subject, the most new behaviour first."""
    import unlike

    keywords: dict[str, Any] = {"code": subject.run, "within": list(subject.modules), "seed": seed}
    if isinstance(subject, Parser):
        space: Any = Annotated[str, unlike.Matching(subject.pattern)]
        return list(unlike.generate(space, n, mix=True, **keywords).values)
    if isinstance(subject, Structured):
        return list(unlike.generate(subject.inputs, n, **keywords).values)
    raise TypeError(f"{subject.name} is neither a parser nor a function over structured data")
