"""`unlike explore`: every object a class can build, as counts, test files or recipes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from unlike.classes.api import api_of
from unlike.classes.guessing.guesses import guesses_for
from unlike.classes.policy import SearchPolicy
from unlike.classes.result import Result
from unlike.classes.soundness import methods_left_out
from unlike.classes.verb import explore_question
from unlike.cli.deliver import Verb, deliver
from unlike.cli.explore.answer import answer_of, listing_of
from unlike.cli.explore.names import check_fields, check_names
from unlike.cli.options import AskedFlags, Flags
from unlike.cli.progress import progress_shown
from unlike.cli.target import target_of
from unlike.core import Bounds, Exploration, Exploring, Isolation, ObjectChoice, Output, StateMatching, TimeLimit
from unlike.errors import SavedFileError, ScopeError
from unlike.explore import choose_by_code, question_for_code
from unlike.file_limits import read_json_within
from unlike.indexed import Listed, in_digits
from unlike.saved import check_output
from unlike.suite import Ending, Status, Suite
from unlike.writers.envelope import Envelope, Remark
from unlike.writers.formats import BY_NAME, formats_for

if TYPE_CHECKING:
    from unlike.classes.builders.result import Saved

FLAGS = Flags(
    (Bounds, StateMatching, TimeLimit, Isolation, Exploring, ObjectChoice, Output),
    without=("fields", "n"),
    change={
        "form": {"kind": formats_for("text", "tests", "objects"), "help": "What to write (text)."},
        "output": {"unit": "DIR", "help": "Write test files and recipes into this directory."},
        "count": {"help": "Print the number of objects and nothing else."},
        "explain": {"help": "Say what was called, what was outside the scope, what was noticed."},
        "every": {"help": "Write every test, however many."},
        "seed": {"help": "For --random, --then-random and --sample (0)."},
    },
)
HALF = 0.5  # of the time goes to the search where objects are to be made again, and to finding builders


@click.command("explore", cls=Verb)
@click.argument("targets", nargs=-1, required=True, metavar="MODULE:CLASS…")
@FLAGS.add
def command(targets: tuple[str, ...], **flags: Any) -> int:
    """Every object that the classes' own methods can build, and the errors met on the way."""
    found = [target_of(target) for target in dict.fromkeys(targets)]
    asked = FLAGS.read(flags, targets)
    choosing, output = asked.record(ObjectChoice), asked.record(Output)
    check_names(found, flags, at_random=choosing.at_random)
    check_output(output.output, directory=True)
    question = question_of(asked, choosing)
    form = output.wanted
    if choosing.list_api:
        return deliver(_listing(found, question), output.form or "", output.output, folder=True)
    makes = form not in ("", "text", "count") or (output.output is not None and form != "count")
    with progress_shown(question.deadline):
        chooses = choosing.few or choosing.code
        part = replace(question, deadline=question.deadline.part(HALF)) if makes or chooses else question
        result = _explore(found, part, choosing, output.seed)
        result.deadline = question.deadline.part(HALF)  # the rest is for writing
        check_fields(found, flags["omit_fields"], result)
        few = ""
        if choosing.few:
            from unlike.field_exhaustive.fewest import few_explored  # loaded only when used

            result, few = few_explored(result)
        if choosing.code:
            _choose_by_code(result, choosing)
        _select(result, choosing, output.seed)
        tests = form == "pytest" or (output.output is not None and form in ("", "text"))
        if tests and not output.every and not few and not result.selected:
            result, few = _few_enough(result)
        if makes:
            _ = result.suite  # every sequence is tried again, and the status says what came of it
        result.deadline = question.deadline
        answer = answer_of(
            result, few=few, explain=output.explain and form != "count", looks=form in ("", "text", "json") or makes
        )
    if few and form == "pytest" and output.output is None:  # no text says it
        answer = replace(answer, remarks=(*map(Remark, few.splitlines()), *answer.remarks))
    return deliver(answer, form, output.output, folder=True, every=output.every)


def question_of(asked: AskedFlags, choosing: ObjectChoice) -> Exploration:
    """Return what is asked of `explore`."""
    question = asked.exploration()
    invariant = question.states.invariant
    if isinstance(invariant, str) and ":" in invariant:
        question = replace(question, states=replace(question.states, invariant=target_of(invariant)))
    reference = question.exploring.reference
    if isinstance(reference, str) and ":" in reference:
        question = replace(question, exploring=replace(question.exploring, reference=target_of(reference)))
    if choosing.few and question.exploring.values == "symbolic":
        raise ScopeError("--fields looks at values, and --values symbolic leaves them open; leave out one of them")
    if choosing.code:
        if choosing.few or choosing.one_per_shape or choosing.boundary:
            raise ScopeError(
                "--code chooses calls, and --fields, --one-per-shape and --boundary objects; give one of them"
            )
        return question_for_code(question)
    if choosing.by or choosing.within:
        raise ScopeError("--by and --within say how code is looked at; give --code MODULE, or leave them out")
    return replace(question, exploring=replace(question.exploring, values="concrete")) if choosing.few else question


def _listing(found: list[Any], question: Exploration) -> Envelope:
    """Return what would be called, and why the rest would not."""
    states = question.states
    api = api_of(
        found,
        question.bounds.to_scope(),
        methods=states.methods,
        leave_out=methods_left_out(states.invariant),
        listed_only=True,
        isolation=question.isolation,
        deadline=question.deadline,
        guesses=guesses_for(found, question.bounds.to_scope(), question),
    )
    return listing_of(api)


def _explore(targets: list[Any], question: Exploration, choosing: ObjectChoice, seed: int) -> Result:
    """Explore exhaustively, or at random; with the whole API, or with builders."""
    if not choosing.at_random and choosing.builders is None:
        return explore_question(targets, question, seed=seed)
    from unlike.classes.builders import AtRandom  # most explorations need neither
    from unlike.classes.builders.verb import explore_with

    policy = AtRandom(seed, choosing.attempts) if choosing.at_random else SearchPolicy()
    if choosing.builders is None:
        return explore_question(targets, question, policy)
    saved = _builders_for(choosing.builders, targets, question)
    return explore_with(saved, targets, question, policy)


def _builders_for(word: str, targets: list[Any], question: Exploration) -> Saved:
    """Return the builders that `--builders auto|FILE` asks for: found on the spot, or read."""
    from unlike.classes.builders.result import from_data, saved_of
    from unlike.classes.builders.verb import Finding

    if word == "auto":
        alone = replace(question, deadline=question.deadline.part(HALF))
        return saved_of(Finding(tuple(targets), alone).answer())
    try:
        data = read_json_within(word)
    except (OSError, ValueError) as error:
        raise SavedFileError(f"--builders {word!r} cannot be read: {error}; use auto or a file of builders") from None
    return from_data(data, word)


def _choose_by_code(result: Result, choosing: ObjectChoice) -> None:
    """Let the result hand out the fewest calls that show every behaviour."""
    from unlike.cli.by_code import load_code  # loaded only when used

    code = [load_code(each) for each in choosing.code]
    by = [word for each in choosing.by for word in each.split(",")] or None
    choose_by_code(result, code, within=choosing.within or None, by=by, deadline=result.deadline)


def _select(result: Result, choosing: ObjectChoice, seed: int) -> None:
    """Make the result hand out what was asked for."""
    if choosing.boundary or choosing.one_per_shape:
        result.deliver(result.one_per_shape(boundary=choosing.boundary))
    if choosing.sample is not None:
        result.deliver(result.suite.sample(choosing.sample, seed))
    if choosing.at is not None:
        result.deliver(_single(result.suite, choosing.at))


def _few_enough(result: Result) -> tuple[Result, str]:
    """Return an exploration of which everybody runs the tests, and in words what was left out: nothing if they are few.

    Where values are open: of each shape the objects with the smallest and largest values, or one. Else the fewest that
    show every value of every field.
    """
    most = BY_NAME["pytest"].most
    assert most is not None
    if result.states <= most:
        return result, ""
    many = f"{in_digits(result.states)} objects are more than anybody runs (--all writes every test)"
    if result.values == "concrete" and result.opened is None:
        from unlike.field_exhaustive.fewest import few_explored  # loaded only when used

        fewer, words = few_explored(result)
        return fewer, f"{many}\n{words}"
    for boundary in (True, False):
        chosen = result.one_per_shape(boundary=boundary)
        if chosen.count() <= most:
            result.deliver(chosen)
            each = "the smallest and largest values of each shape" if boundary else "one of each shape"
            return result, f"{many}\n{chosen.count():,} of them are tested: {each}"
    return result, ""


def _single(suite: Suite, index: int) -> Suite:
    if not 0 <= index < suite.count():
        raise ScopeError(
            f"--at {index!r} must be at least 0 and below the number of objects, {in_digits(suite.count())}"
        )
    status = Status(Ending.FOUND, f"number {index:,} of {in_digits(suite.count())}")
    guarantee = f"number {index:,} of {suite.guarantee}"
    return Suite(suite.name, Listed([suite[index]]), status, guarantee, suite.explanation)
