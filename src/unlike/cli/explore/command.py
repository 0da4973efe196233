"""`unlike explore`: every object a class can build, as counts, test files or recipes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from unlike.classes.api import api_of
from unlike.classes.policy import SearchPolicy
from unlike.classes.result import Result
from unlike.classes.verb import explore_question
from unlike.cli.deliver import deliver
from unlike.cli.explore import selecting
from unlike.cli.explore.answer import answer_of, listing_of
from unlike.cli.explore.names import check_fields, check_names
from unlike.cli.options import AskedFlags, Flags
from unlike.cli.progress import progress_shown
from unlike.cli.verb import Verb
from unlike.cli.words import target_of
from unlike.core import (
    Bounds,
    Exploration,
    Exploring,
    Isolation,
    ObjectChoice,
    Output,
    StateMatching,
    TimeLimit,
)
from unlike.errors import ScopeError
from unlike.saved import check_output
from unlike.writers.answers.envelope import Envelope
from unlike.writers.answers.formats import formats_for

FLAGS = Flags(
    (Bounds, StateMatching, TimeLimit, Isolation, Exploring, ObjectChoice, Output),
    without=("fields", "n"),
    change={
        "form": {"kind": formats_for("text", "tests", "objects"), "help": "What to write (text)."},
        "output": {"unit": "DIR", "help": "Write test files and recipes into this directory."},
        "count": {"help": "Print the number of objects and nothing else."},
        "explain": {"help": "Say what was called, what was outside the scope, what was noticed."},
        "every": {"help": "Write every test, however many."},
        "seed": {"help": "For --random and --sample (0)."},
    },
)
HALF = 0.5  # of the time goes to the search, where objects are to be made again


@click.command("explore", cls=Verb)
@click.argument("targets", nargs=-1, required=True, metavar="MODULE:CLASS…")
@FLAGS.add
def command(targets: tuple[str, ...], **flags: Any) -> int:
    """Every object that the classes' own methods can build, and the errors met on the way."""
    found = [target_of(target) for target in dict.fromkeys(targets)]
    asked = FLAGS.asked(flags, targets)
    choosing, output = asked.record(ObjectChoice), asked.record(Output)
    check_names(found, flags, at_random=choosing.at_random)
    check_output(output.output, directory=True)
    question = question_of(asked, choosing)
    form = "count" if output.count else output.form or ""
    if choosing.list_api:
        return deliver(_listing(found, targets, question), output.form or "", output.output, folder=True)
    makes = form not in ("", "text", "count") or (output.output is not None and form != "count")
    with progress_shown(question.deadline):
        part = replace(question, deadline=question.deadline.part(HALF)) if makes or choosing.few else question
        result = _explored(found, part, choosing, output.seed)
        result.deadline = question.deadline.part(HALF)  # the rest is for writing
        check_fields(found, flags["omit_fields"], result)
        result, few = _few(result) if choosing.few else (result, "")
        selecting.select(result, choosing, output.seed)
        if makes:
            _ = result.suite  # every sequence is tried again, and the status says what came of it
        result.deadline = question.deadline
        answer = answer_of(
            result,
            targets,
            few=few,
            explain=output.explain and form != "count",
            looks=form in ("", "text", "json") or makes,
        )
    return deliver(answer, form, output.output, folder=True, every=output.every)


def question_of(asked: AskedFlags, choosing: ObjectChoice) -> Exploration:
    """Return what is asked of `explore`."""
    question = asked.exploration()
    if choosing.few and question.exploring.values == "symbolic":
        raise ScopeError("--fields looks at values, and --values symbolic leaves them open; leave out one of them")
    return replace(question, exploring=replace(question.exploring, values="concrete")) if choosing.few else question


def _listing(found: list[Any], targets: Sequence[str], question: Exploration) -> Envelope:
    """Return what would be called, and why the rest would not."""
    states = question.states
    leave_out = () if states.invariant is None else (states.invariant,)
    api = api_of(
        found,
        question.bounds.to_scope(),
        methods=states.methods,
        leave_out=leave_out,
        listed_only=True,
        isolation=question.isolation,
        deadline=question.deadline,
    )
    return listing_of(api, targets)


def _few(result: Result) -> tuple[Result, str]:
    """Cut an exploration down to the fewest objects that show every field value, and say what they show."""
    from unlike.field_exhaustive.fewest import few_explored

    few = few_explored(result)
    return few.result, few.summary()


def _explored(targets: list[Any], question: Exploration, choosing: ObjectChoice, seed: int) -> Result:
    """Explore exhaustively, or at random; with the whole API, or with builders."""
    if not choosing.at_random and choosing.builders is None:
        return explore_question(targets, question)
    from unlike.classes.builders import AtRandom
    from unlike.classes.builders.verb import explore_with
    from unlike.cli.explore.saved_builders import builders_for

    policy = AtRandom(seed, choosing.attempts) if choosing.at_random else SearchPolicy()
    if choosing.builders is None:
        return explore_question(targets, question, policy)
    saved = builders_for(choosing.builders, targets, question)
    return explore_with(saved, targets, question, policy)
