"""`unlike diff`: what a change does, by the shortest calls that tell two versions apart; or that it does nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from unlike.cli.deliver import Verb, deliver
from unlike.cli.options import Flags
from unlike.cli.progress import progress_shown
from unlike.cli.target import load_target
from unlike.core import (
    Bounds,
    Comparing,
    Deadline,
    Exploration,
    Exploring,
    Isolation,
    Output,
    StateMatching,
    TimeLimit,
)
from unlike.errors import ScopeError, UnlikeError
from unlike.saved import check_output
from unlike.suite import Ending, Status
from unlike.writers.formats import formats_for

if TYPE_CHECKING:
    from unlike.cli.diff.answer import JudgedVersions
    from unlike.cli.diff.loading import Loaded

FLAGS = Flags(
    (Comparing, Bounds, StateMatching, TimeLimit, Isolation, Exploring, Output),
    without=(
        *("fields", "invariant", "preconditions", "state_matching", "values", "then_random", "reference", "protocols"),
        *("n", "every", "seed", "explain", "workers"),
    ),
    change={
        "form": {"kind": formats_for("text", "tests"), "help": "What to write (text)."},
        "output": {"help": "Write to this file."},
        "count": {"help": "Print how many differ and nothing else."},
        "scope": {"help": "Of classes: objects per class, first ints, elements per container (3)."},
    },
)

FOR_EACH = 60  # seconds for each of several classes and functions, where no --timeout is given: one may have no end


@click.command("diff", cls=Verb)
@click.argument("targets", nargs=-1, metavar="[OLD NEW]")
@FLAGS.add
def command(targets: tuple[str, ...], **flags: Any) -> int:
    """Show what a change does: the shortest calls that tell two versions apart; or that they are the same (proved).

    OLD and NEW are classes or functions (shop:Cart shop_new:Cart, old/shop.py:Cart new/shop.py:Cart) or modules
    (shop.py shop_new.py). With --git REV one target, or everything that changed since REV.
    """
    from unlike.cli.diff.answer import answer_of  # this and what compares is loaded only when used

    asked = FLAGS.read(flags, targets)
    output, comparing = asked.record(Output), asked.record(Comparing)
    check_output(output.output, directory=False)
    question = asked.exploration()
    loaded = _load(targets, comparing)
    with progress_shown(question.deadline), loaded.sides.in_place():
        judged = _judge(loaded, question, comparing)
    form = output.wanted
    if output.output is not None and not form:
        form = "pytest"
    return deliver(answer_of(judged), form or "text", output.output)


def _load(targets: tuple[str, ...], comparing: Comparing) -> Loaded:
    from unlike.cli.diff.loading import load_revision, load_words

    if comparing.git is not None:
        return load_revision(comparing.git, targets)
    if len(targets) != 2:
        raise ScopeError(
            f"give two versions, like shop:Cart shop_new:Cart or shop.py shop_new.py, not {len(targets)}; "
            "or --git REV, and one target or none"
        )
    return load_words(*targets)


def _judge(loaded: Loaded, question: Exploration, comparing: Comparing) -> JudgedVersions:
    """Compare all that was loaded, each with its share of the time."""
    from unlike.cli.diff.answer import JudgedVersions
    from unlike.diff.verb import compare_versions
    from unlike.diff.verdict import Verdict
    from unlike.writers.pytest_file.differences import difference_test

    inputs = None if comparing.inputs is None else inputs_of(comparing.inputs)
    verdicts, tests = list[Verdict](), dict[str, str]()
    several = loaded.is_table
    for each, share in question.deadline.shares(loaded.compared):
        if several and share.ends is None:
            share = Deadline.of(FOR_EACH)
        pair = replace(each, messages=comparing.messages)
        try:
            verdict = compare_versions(pair, replace(question, deadline=share), inputs)
        except UnlikeError as error:
            if not several:
                raise
            kind = "class" if isinstance(each.old, type) else "function"
            verdict = Verdict(each.name, kind, Status(Ending.UNKNOWN, str(error)))
        verdicts.append(verdict)
        if verdict.difference is not None:
            tests[verdict.name] = difference_test(pair, verdict.difference, question.isolation)
    every = sorted((*verdicts, *loaded.settled), key=lambda each: each.name) if several else verdicts
    return JudgedVersions(every, tests, loaded.old_name, loaded.new_name, loaded.reasons, loaded.notes, several)


def inputs_of(word: str) -> object:
    """Return the space that a word means: what a module or a document holds, or /a pattern/."""
    if len(word) > 1 and word.startswith("/") and word.endswith("/"):
        try:
            return re.compile(word[1:-1])
        except re.error as error:
            raise ScopeError(f"--inputs {word!r} is no pattern: {error}") from None
    found = load_target(word)
    return re.compile(found) if isinstance(found, str) else found
