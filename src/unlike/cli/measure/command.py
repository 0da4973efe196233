"""`unlike measure`: small changes of the code, which suites notice them, and what is known of those that none does."""

from __future__ import annotations

import functools
import sys
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from unlike.cli.deliver import Verb, deliver
from unlike.cli.options import Flags
from unlike.cli.progress import progress_shown
from unlike.core import (
    Bounds,
    Comparing,
    Exploration,
    Exploring,
    Isolation,
    Measuring,
    Output,
    StateMatching,
    TimeLimit,
)
from unlike.errors import ScopeError
from unlike.saved import check_output, write_output
from unlike.writers.formats import formats_for

if TYPE_CHECKING:
    from unlike.measure.subject import MeasuredCode

FLAGS = Flags(
    (Measuring, Comparing, Bounds, StateMatching, TimeLimit, Isolation, Exploring, Output),
    without=(
        *("git", "fields", "invariant", "preconditions", "state_matching", "values", "then_random", "reference"),
        *("protocols", "n", "every", "explain", "workers", "in_process"),
    ),
    change={
        "form": {"kind": formats_for("text"), "help": "What to write (text)."},
        "output": {"help": "Write to this file."},
        "count": {"help": "Print how many mutants survive and nothing else."},
        "scope": {"help": "Of classes, where no suite explores: the scope that survivors are asked about (3)."},
        "seed": {"help": "For what is drawn at random (0)."},
    },
)


@click.command("measure", cls=Verb)
@click.argument("target", metavar="TARGET")
@FLAGS.add
def command(target: str, **flags: Any) -> int:
    """Measure tests by small changes of the code: which of them each suite notices, and which matter of the others.

    TARGET is a class or a function (shop:Cart, shop.py:total) or a module (shop.py). Without --suite a class is
    explored within the scope 3, and a function gets every pair of choices that its annotations leave.
    """
    from unlike.cli.measure.answer import answer_of, tests_to_add  # this and what measures is loaded only when used
    from unlike.measure.measurement import MeasureQuestion, measure_suites

    asked = FLAGS.read(flags, [target])
    output, measuring, comparing = asked.record(Output), asked.record(Measuring), asked.record(Comparing)
    check_output(output.output, directory=False)
    check_output(measuring.add, directory=False)
    if measuring.add is not None and measuring.no_verdicts:
        raise ScopeError("--add writes tests that kill survivors, and --no-verdicts looks for none; leave one out")
    question = asked.exploration()
    subject = _load(target)
    inputs = None
    if comparing.inputs is not None:
        from unlike.cli.diff.command import inputs_of

        inputs = inputs_of(comparing.inputs)
    with progress_shown(question.deadline):
        suites = _suites(subject, question, measuring.suite, inputs, output.seed)
        wanted = MeasureQuestion(
            question,
            measuring.matrix or measuring.smallest == "kills",
            comparing.messages,
            not measuring.no_verdicts,
            inputs,
            _writer(question) if measuring.add is not None or output.form == "json" else None,
        )
        found = measure_suites(subject, suites, wanted)
    if measuring.add is not None:
        write_output(Path(measuring.add), tests_to_add(found))
    answer = answer_of(found, smallest=measuring.smallest, add=measuring.add, matrix=measuring.matrix)
    return deliver(answer, output.wanted or "text", output.output)


def _load(target: str) -> MeasuredCode:
    """Return what a word names, with its mutants."""
    from unlike.cli.diff.loading import list_members, load_word, read_word, with_here
    from unlike.measure.subject import subject_of

    with_here()
    word = read_word(target)
    folders = (word.folder,) if word.folder else ()

    def members(module: ModuleType) -> list[str]:
        return [name for name, _ in list_members(module)]

    with redirect_stdout(sys.stderr):  # what the user's code prints is no part of the answer
        return subject_of(functools.partial(load_word, word), folders, word.package, members)


def _suites(
    subject: MeasuredCode, question: Exploration, words: tuple[str, ...], inputs: object, seed: int
) -> list[Any]:
    """Make the suites that are named, or the usual ones."""
    from unlike.cli.target import load_target
    from unlike.measure.suites.made import SuiteOrder
    from unlike.measure.suites.words import make_suite, usual_words

    with subject.in_place(), redirect_stdout(sys.stderr):
        order = SuiteOrder(subject, question, seed, inputs, load_target)
        chosen = [each for word in words for each in word.split(",")] or usual_words(order)
        return [make_suite(word, order) for word in dict.fromkeys(chosen)]


def _writer(question: Exploration) -> Any:
    from unlike.writers.pytest_file.differences import difference_test

    return lambda pair, difference: difference_test(pair, difference, question.isolation)
