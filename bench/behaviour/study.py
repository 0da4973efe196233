"""`python -m bench behaviour`: n inputs chosen by what the code does with them, beside the first n and Hypothesis.

    pip install 'unlike[power]'
    python -m bench behaviour                             # the halves that may be looked at: tables as text
    python -m bench behaviour --subjects unseen           # the other half, when all is done
    python -m bench behaviour --subjects classes          # calls of six classes
    python -m bench behaviour --faults                    # ten faults of released versions
    python -m bench behaviour --keep FOLDER               # may be stopped: it goes on from what is there
    python -m bench behaviour --rivals rivals/bin/python  # beside CrossHair and Pynguin (unlike[power,rivals])

Subjects, mutants and scores are those of `python -m bench power`; killable is what any suite of this run kills, so the
scores of the two studies are not comparable. Only the original is looked at when inputs are chosen, never a mutant.
"""

from __future__ import annotations

import argparse
import inspect
import json
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

from bench.behaviour import classes, faults, rivals
from bench.power import open_parsers, structured, suites, unseen_parsers
from bench.power.classes import KEPT as KEPT_CLASSES, OPEN as OPEN_CLASSES
from bench.power.kills import MOST, Kills, find_kills, short_hash
from bench.power.study import Figures, row, rule, table_of_means, table_of_subjects
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
    parser.add_argument("--mutants", type=int, default=MOST, metavar="N", help="at most, of a subject (%(default)s)")
    parser.add_argument("--seconds", type=int, default=3600, metavar="S", help="for one subject (%(default)s)")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="subjects at a time (%(default)s)")
    parser.add_argument("--keep", metavar="FOLDER", help="keep what was measured there, and do not measure it again")
    parser.add_argument("--rivals", metavar="PYTHON", help="the Python of an environment with CrossHair and Pynguin")
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
            print("\n".join([f"## {group}", "", *tables_of(group, found, bool(wanted.rivals)), ""]), flush=True)
    if wanted.json:
        Path(wanted.json).write_text(json.dumps(figures, indent=1) + "\n")
    return 0


def tables_of(group: str, found: dict[str, Figures], with_rivals: bool) -> list[str]:
    """Return the tables of a group."""
    if not found:
        return ["nothing was measured"]
    if group in CLASSES:
        return classes.table(found)
    beside = ["", *table_of_rivals(found)] if with_rivals else []
    return [*table_of_means(found), "", *table_of_subjects(found), *beside]


def measure_group(group: str, wanted: argparse.Namespace) -> dict[str, Figures]:
    """Return the figures of each subject, measured in processes of their own; who does not end in time has none."""
    subjects = CLASSES[group] if group in CLASSES else GROUPS[group]()
    names = [each.name for each in subjects if not wanted.only or each.name in wanted.only]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(wanted.keep or scratch) / group.replace(", ", "_")
        folder.mkdir(parents=True, exist_ok=True)
        files = {name: folder / f"{name}-{what_decides(wanted)}.json" for name in names}
        waiting = [name for name in names if not files[name].exists()]
        with ThreadPoolExecutor(wanted.workers) as pool:
            ended = pool.map(lambda name: measure_in_time(group, name, wanted, files[name]), waiting)
            for name, told in zip(waiting, ended, strict=True):
                print(f"{group}: {name}: {told}", file=sys.stderr, flush=True)
        return {name: json.loads(file.read_text()) for name, file in files.items() if file.exists()}


def what_decides(wanted: argparse.Namespace) -> str:
    """Return a short text that is another one when unlike is, or what is asked for."""
    import unlike

    sources = sorted(Path(str(unlike.__file__)).parent.rglob("*.py"))
    text = "".join([each.read_text() for each in sources]) + f"{wanted.seeds} {wanted.mutants} {bool(wanted.rivals)}"
    return short_hash(text)


def measure_in_time(group: str, name: str, wanted: argparse.Namespace, file: Path) -> str:
    """Measure one subject in a process of its own, and say how that went; its figures are in the file afterwards."""
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=measure_into, args=(group, name, wanted, file))
    process.start()
    process.join(wanted.seconds)
    if process.is_alive():
        process.terminate()
        process.join()
        return f"did not end within {wanted.seconds} s"
    return "measured" if file.exists() else f"failed, exit code {process.exitcode}"


def measure_into(group: str, name: str, wanted: argparse.Namespace, file: Path) -> None:
    """Write the figures of one subject into a file."""
    figures = measure(group, name, wanted)
    partial = file.with_suffix(".part")
    partial.write_text(json.dumps(figures, indent=1) + "\n")
    partial.rename(file)


def subject_of(group: str, name: str) -> Subject:
    """Return a parser, or a function over structured data, by its name."""
    return next(each for each in GROUPS[group]() if each.name == name)


def measure(group: str, name: str, wanted: argparse.Namespace) -> Figures:
    """Return the figures of one subject: the scores of each generator, and how many mutants there are."""
    if group in CLASSES:
        return classes.measure(next(each for each in CLASSES[group] if each.name == name), 0, wanted.mutants)
    subject = subject_of(group, name)
    found = suites_of(subject, range(wanted.seeds))
    beside: dict[str, list[Any]] = {}
    failed: dict[str, str] = {}
    if wanted.rivals:
        beside, failed = rivals.suites_of_rivals(wanted.rivals, group, subject, Path(wanted.keep or ".", "rivals"))
        found |= {f"{rival}/{len(suite)}/0": suite for rival, suite in beside.items()}
    around = Path(subject.run.__code__.co_filename).read_text() + shown_tests(beside)
    folder = Path(wanted.keep, "mutants", f"{name}-{short_hash(around)}") if wanted.keep else None
    tests = {suite: found.pop(suite) for suite in [*found] if suite.startswith(rivals.PYNGUIN)}
    kills = find_kills(
        subject.modules,
        lambda value: value() if callable(value) else subject.run(value),
        found,
        wanted=lambda mutant: mutant.function.startswith(subject.only),
        most=wanted.mutants,
        folder=folder,
    )
    scores: dict[str, dict[str, float]] = {}
    for suite in found:
        generator, n, _ = suite.split("/")
        alike = [each for each in found if each.startswith(f"{generator}/{n}/")]
        scores.setdefault(generator, {})[n] = sum(map(kills.score, alike)) / len(alike)
    reached = {rival: [int(n), score] for rival in rivals.RIVALS for n, score in scores.pop(rival, {}).items()}
    for suite in tests.values():
        reached[rivals.PYNGUIN] = [len(suite), score_of_tests(subject, kills, suite)]
    return {
        "package": subject.package,
        "mutants": len(kills.mutants),
        "killable": len(kills.killable()),
        "scores": scores,
        "rivals": reached | failed,
    }


def score_of_tests(subject: Subject, kills: Kills, tests: list[Any]) -> float:
    """Return how many percent of the mutants that some inputs kill are killed by tests of the whole module.

    What only such tests kill is not counted: they call functions that no input reaches.
    """
    killable = {kills.mutants[each].rank for each in kills.killable()}
    found = find_kills(subject.modules, lambda test: test(), {"": tests}, wanted=lambda each: each.rank in killable)
    return 100 * sum(place is not None for place in found.firsts[""]) / max(1, len(killable))


def shown_tests(beside: dict[str, list[Any]]) -> str:
    """Return the tests among suites as text: what came of others with the same names is not theirs."""
    return "".join([inspect.getsource(each) for suite in beside.values() for each in suite if callable(each)])


def table_of_rivals(figures: dict[str, Figures]) -> list[str]:
    """Return what tools that look at the code reach beside 20 inputs by behaviour, or why they gave nothing."""
    lines = [row("subject", f"{BY_BEHAVIOUR}, 20", *rivals.RIVALS), rule(len(rivals.RIVALS) + 2)]
    for name, each in figures.items():
        told = [each["rivals"].get(rival, "not asked") for rival in rivals.RIVALS]
        cells = [f"{given[1]:.0f} ({given[0]})" if isinstance(given, list) else given for given in told]
        lines.append(row(name, f"{each['scores'][BY_BEHAVIOUR]['20']:.0f}", *cells))
    return lines


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
