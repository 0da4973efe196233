"""The one place that hands out an answer: to standard output or files, in any format; the status on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

import unlike
from unlike.cli.options import SOURCES, flag_of, settings_in_file, was_given
from unlike.cli.progress import is_quiet, progress_shown
from unlike.core import CutShort
from unlike.errors import ScopeError
from unlike.indexed import in_digits
from unlike.saved import output_directory, write_output
from unlike.suite import STOPPED, Ending, Status
from unlike.writers.envelope import Envelope, Medium, ObjectCases, Page, Remark, Unfolding
from unlike.writers.formats import BY_NAME, FORMATS, Format, formats_for, held_by
from unlike.writers.inputs import labelled_line, plain

DELIVERY = ("output", "form", "format_", "quiet", "count", "config")  # options that are no part of the question
MOST_PRINTED = 20  # tests that are not run, by name
PRINTED = "unlike.printed"


def heading() -> dict[str, Any]:
    """Return how every answer begins: the verb, the tool, what was asked about, and what was asked (also in a file)."""
    context = click.get_current_context()
    params = [each for each in context.command.params if each.name is not None]
    named = [each.name for each in params if isinstance(each, click.Argument) or each.name in SOURCES]
    sources = [context.params[str(name)] for name in named]
    said = {
        flag_of(each).lstrip("-").replace("-", "_"): context.params[str(each.name)]
        for each in params
        if isinstance(each, click.Option) and each.name not in DELIVERY and was_given(each)
    }
    return {
        "verb": context.info_name or "",
        "tool": f"unlike {unlike.__version__}",
        "target": tuple(text for each in sources if each for text in ([each] if isinstance(each, str) else each)),
        "question": {name: plain(value) for name, value in {**settings_in_file(), **said}.items()},
    }


def deliver(
    answer: Envelope | Unfolding,
    form: str,
    output: Path | str | None = None,
    *,
    folder: bool = False,
    every: bool = False,
) -> int:
    """Write an answer in a format to standard output, a file or a folder, and return the exit code.

    Without a format ("") a folder gets every file there is, and standard output the text. With "count" the number is
    printed alone. `every` says that all cases are wanted, however many.
    """
    if isinstance(answer, Unfolding):
        if form == "jsonl":
            unfolding = answer
            return deliver_lines(map(labelled_line, answer.cases), lambda: unfolding.conclude([]), output)
        with progress_shown(), redirect_stdout(sys.stderr):
            answer = answer.conclude(list(answer.cases))
    answer = replace(answer, **heading())
    if form == "count":
        _print_number(answer)
    elif output is None:
        chosen = _find_format(answer, form or "text", every=every)
        medium: Medium = "terminal" if sys.stdout.isatty() else "stream"
        with progress_shown() if chosen.takes_long else nullcontext():
            pages = list(chosen.pages(answer, medium))
        for page in pages:
            _print(page.pieces)
            _say_skipped(page.skipped)
    elif folder:
        _fill(Path(output), answer, form, every=every)
    else:
        (page,) = _find_format(answer, form, every=every).pages(answer, "file")
        _write(Path(output), page)
    on_paper = form in ("", "text") and answer.text is not None
    _close(answer, explained=on_paper)
    return answer.exit_code


def deliver_lines(lines: Iterable[str], conclude: Callable[[], Envelope], output: Path | str | None) -> int:
    """Write lines of JSON as soon as they are found, and then say how it ended; return the exit code."""
    seen = output is None and sys.stdout.isatty()  # the cases themselves show how far it is
    with nullcontext() if seen else progress_shown():
        if output is None:
            _print(lines)
        else:
            _write(Path(output), Page("", lines))
    envelope = conclude()
    _close(envelope, explained=False)
    return envelope.exit_code


def _fill(folder: Path, answer: Envelope, form: str, *, every: bool) -> None:
    """Write the files of one format, or of all that are usual, into a folder; the rest goes to standard output."""
    held = held_by(answer)
    usual = [each for each in FORMATS if each.in_folder and each.writes & {*held, "anything"}]
    chosen = {"": usual, "text": [each for each in usual if each.name == "pytest"]}.get(form)
    chosen = [_find_format(answer, form, every=every)] if chosen is None else chosen
    for each in chosen:
        _check_size(answer, each, every=every)
    with progress_shown() if any(each.takes_long for each in chosen) else nullcontext():
        pages = [page for each in chosen for page in each.pages(answer, "folder")]
    output_directory(folder)
    for page in pages:
        _write(folder / page.name, page)
    if form == "json":
        answer = replace(answer, files=tuple(str(folder / page.name) for page in pages))
    if form == "json" or answer.text is not None:
        for page in BY_NAME["json" if form == "json" else "text"].pages(answer, "stream"):
            _print(page.pieces)


def _find_format(answer: Envelope, form: str, *, every: bool) -> Format:
    """Return the format, if it can write this answer."""
    chosen, held = BY_NAME[form], held_by(answer)
    if not chosen.writes & {*held, "anything"}:
        raise ScopeError(f"--format {form} cannot write this answer; there are: {', '.join(formats_for(*held))}")
    _check_size(answer, chosen, every=every)
    return chosen


def _check_size(answer: Envelope, chosen: Format, *, every: bool) -> None:
    """Refuse to write more objects than a file should hold, or than anybody runs."""
    contents = answer.contents
    if not isinstance(contents, ObjectCases) or chosen.most is None or (every and chosen.unless_all):
        return
    if contents.count > chosen.most:
        all_ = ", or ask for all of them (--all)" if chosen.unless_all else ""
        many = f"{in_digits(contents.count)} {contents.noun} are more {chosen.too_many}"
        raise ScopeError(f"{many}; {contents.instead}{all_}")


def _print_number(answer: Envelope) -> None:
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # a count may be of any size
    try:
        for part in answer.parts:
            click.echo(f"{part.name} {part.count}")
        if not answer.parts and answer.number is not None:  # nobody knows it otherwise
            click.echo(answer.number)
    finally:
        sys.set_int_max_str_digits(most)


def _print(pieces: Iterable[str]) -> None:
    for piece in _made_quietly(pieces):
        click.get_current_context().meta[PRINTED] = True
        click.echo(piece, nl=False)


def _write(path: Path, page: Page) -> None:
    write_output(path, _made_quietly(page.pieces))
    if not is_quiet():
        click.echo(f"wrote {path}", err=True)
    _say_skipped(page.skipped)


def _made_quietly(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the pieces; what the user's code prints while they are made is no part of the answer."""
    every = iter(pieces)
    while True:
        with redirect_stdout(sys.stderr):
            piece = next(every, None)
        if piece is None:
            return
        yield piece


def _say_skipped(skipped: tuple[str, ...]) -> None:
    """Say which tests were written so that they are not run."""
    if is_quiet():
        return
    for line in skipped[:MOST_PRINTED]:
        click.echo(f"skipped: the test of {line}", err=True)
    if len(skipped) > MOST_PRINTED:
        click.echo(f"skipped: {len(skipped) - MOST_PRINTED} more tests", err=True)


def _close(answer: Envelope, *, explained: bool) -> None:
    """Say what is left to say: how it was found, if that was asked, what was noticed, how it ended."""
    if answer.explanation:
        click.echo(answer.explanation, err=not explained)
    for remark in answer.remarks:
        if not (remark.is_note and is_quiet()):
            click.echo(remark.words, err=True)


class Verb(click.Command):
    """A command; what ends it from outside becomes the status of an answer without cases."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; where it is ended by Ctrl-C, by the clock or for want of memory, answer so much."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            status = STOPPED
        except CutShort as cut:
            status = cut.status
        except MemoryError:
            status = Status(Ending.FAILED, "out of memory; --memory MB allows more")
        answer = Envelope(status=status, remarks=(Remark(str(status)),))
        as_json = ctx.params.get("form") == "json" and ctx.params.get("output") is None and not ctx.meta.get(PRINTED)
        return deliver(answer, "json" if as_json else "count")
