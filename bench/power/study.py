"""`python -m bench power`: the first n inputs of each generator, and how many mutants of real code they kill.

    pip install 'unlike[power]'
    python -m bench power --subjects open structured classes --json figures.json

Killable is a mutant that any suite kills at n = 100, Hypothesis with 1,000 examples (three seeds), or what was written
by hand. A score is the percentage of killable mutants that are killed, the mean of three seeds. Who is within three
points of the best is tied with it. Each subject is measured in processes of its own, two at a time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from bench.power import kept_parsers, open_parsers, sequences, structured, suites, training_parsers, unseen_parsers
from bench.power.classes import stateful_classes
from bench.power.kills import MOST, find_kills
from bench.power.subjects import StatefulClass, Subject

GROUPS: dict[str, Callable[[], Iterable[Subject | StatefulClass]]] = {
    "open": open_parsers.parsers,
    "unseen": unseen_parsers.parsers,
    "kept": kept_parsers.parsers,
    "training": training_parsers.parsers,
    "structured": structured.functions,
    "classes": stateful_classes,
}
USUAL = "open", "structured", "classes"  # the others are looked at only when they are asked for
TIED = 3  # points
Figures = dict[str, Any]


def main(arguments: list[str]) -> int:
    """Measure the groups that are named and print their tables; return 0."""
    parser = argparse.ArgumentParser(prog="python -m bench power", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--subjects", nargs="+", choices=GROUPS, default=USUAL, help="which groups (%(default)s)")
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME", help="only these subjects, for a quick look")
    parser.add_argument(
        "--before", default="", metavar="COMMAND", help="the `unlike` of another installation, as a rival"
    )
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="how many for each generator (%(default)s)")
    parser.add_argument("--mutants", type=int, default=MOST, metavar="N", help="at most, of a subject (%(default)s)")
    parser.add_argument(
        "--seconds", type=int, default=sequences.SECONDS, metavar="S", help="for one exploration (%(default)s)"
    )
    parser.add_argument("--keep", metavar="FOLDER", help="keep what mutants do there, and do not try it again")
    parser.add_argument("--json", metavar="FILE", help="write all figures to a file")
    wanted = parser.parse_args(arguments)
    os.environ["PYTHONHASHSEED"] = "0"  # sets are shown in the same order every time
    figures = {}
    for group in wanted.subjects:
        began = time.monotonic()
        figures[group] = measure_group(group, wanted)
        print(report(group, figures[group]))
        print(f"{group}: {time.monotonic() - began:.0f} s\n", flush=True)
        if wanted.json:
            Path(wanted.json).write_text(json.dumps(figures, indent=1) + "\n")
    return 0


def measure_group(group: str, wanted: argparse.Namespace) -> dict[str, Figures]:
    """Return the figures of each subject, measured two at a time; those that are there are written already."""
    names = [each.name for each in GROUPS[group]() if not wanted.only or each.name in wanted.only]
    context = multiprocessing.get_context("spawn")
    found: dict[str, Figures] = {}
    with ProcessPoolExecutor(2, mp_context=context, max_tasks_per_child=1) as pool:
        names_of = {pool.submit(measure, group, name, wanted): name for name in names}
        for done in as_completed(names_of):
            found[names_of[done]] = done.result()
            if wanted.json:
                Path(wanted.json).write_text(json.dumps({group: found}, indent=1) + "\n")
            print(f"{group}: {len(found)} of {len(names)}, {names_of[done]}", file=sys.stderr, flush=True)
    return {name: found[name] for name in names}


def measure(group: str, name: str, wanted: argparse.Namespace) -> Figures:
    """Return the figures of one subject: the scores of each generator, and how many mutants there are."""
    subject = next(each for each in GROUPS[group]() if each.name == name)
    if isinstance(subject, StatefulClass):
        return sequences.measure(subject, range(wanted.seeds), wanted.mutants, wanted.seconds)
    found = suites.suites_of(subject, range(wanted.seeds), wanted.before)
    kills = find_kills(
        subject.modules,
        subject.run,
        found,
        wanted=lambda mutant: mutant.function.startswith(subject.only),
        most=wanted.mutants,
        folder=Path(wanted.keep, name) if wanted.keep else None,
    )
    scores: dict[str, dict[str, float]] = {}
    for suite in found:
        generator, n, _ = suite.split("/")
        scores.setdefault(generator, {}).setdefault(n, 0.0)
        scores[generator][n] += kills.score(suite)
    for generator, by_size in scores.items():
        for n in by_size:
            by_size[n] /= sum(suite.startswith(f"{generator}/{n}/") for suite in found)
    sizes = {suite: len(values) for suite, values in found.items()}
    return {
        "package": subject.package,
        "mutants": len(kills.mutants),
        "killable": len(kills.killable()),
        "inputs left out": kills.unstable,
        "too short": {suite: size for suite, size in sizes.items() if size < int(suite.split("/")[1])},
        "scores": scores,
    }


def report(group: str, figures: dict[str, Figures]) -> str:
    """Return the tables of a group as text."""
    if group == "classes":
        return sequences.report(figures)
    return "\n".join([f"## {group}", "", *table_of_means(figures), "", *table_of_subjects(figures), ""])


def rivals_of(figures: dict[str, Figures]) -> list[str]:
    """Return the generators that are compared at n: all but what was written by hand and the thousand examples."""
    generators = next(iter(figures.values()))["scores"]
    return [each for each in generators if each not in (suites.THOUSAND, suites.BY_HAND.split("/")[0])]


def table_of_means(figures: dict[str, Figures]) -> list[str]:
    """Return the means over the subjects at each n, and on how many subjects each generator is first or tied."""
    sizes = [str(n) for n in suites.SIZES]
    rivals = rivals_of(figures)
    means = {
        rival: [statistics.mean(each["scores"][rival][n] for each in figures.values()) for n in sizes]
        for rival in rivals
    }
    lines = [
        row("mean score", *(f"n = {n}" for n in sizes), *(f"first or tied at {n}" for n in sizes)),
        rule(2 * len(sizes) + 1),
    ]
    for rival in rivals:
        best = [max(means[each][place] for each in rivals) for place in range(len(sizes))]
        shown = [
            f"**{mean:.1f}**" if mean >= top - TIED else f"{mean:.1f}"
            for mean, top in zip(means[rival], best, strict=True)
        ]
        firsts = [sum(rival in first_of(each["scores"], rivals, n) for each in figures.values()) for n in sizes]
        lines.append(row(rival, *shown, *(f"{each} of {len(figures)}" for each in firsts)))
    for name, n in ((suites.THOUSAND, str(suites.MANY)), suites.BY_HAND.split("/")[:2]):
        mean = statistics.mean(each["scores"][name][n] for each in figures.values())
        lines.append(row(name, f"{mean:.1f}", *[""] * (2 * len(sizes) - 1)))
    return lines


def first_of(scores: dict[str, dict[str, float]], rivals: list[str], n: str) -> list[str]:
    best = max(scores[rival][n] for rival in rivals)
    return [rival for rival in rivals if scores[rival][n] >= best - TIED]


def table_of_subjects(figures: dict[str, Figures]) -> list[str]:
    """Return the scores of each subject at each n, `10 / 20 / 50 / 100`."""
    rivals = rivals_of(figures)
    thousand, by_hand = suites.THOUSAND, suites.BY_HAND.split("/")[0]
    lines = [row("subject", "killable", *rivals, thousand, by_hand), rule(len(rivals) + 4)]
    for name, each in figures.items():
        scores = each["scores"]
        shown = [" / ".join(f"{scores[rival][str(n)]:.0f}" for n in suites.SIZES) for rival in rivals]
        last = f"{scores[thousand][str(suites.MANY)]:.0f}", f"{scores[by_hand]['0']:.0f}"
        lines.append(row(name, f"{each['killable']} of {each['mutants']}", *shown, *last))
    return lines


def row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def rule(columns: int) -> str:
    return "|" + "---|" * columns
