"""`unlike program`: a text program is checked and laid out, or made from specs in Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from unlike.cli.deliver import Verb
from unlike.cli.options import Flags
from unlike.cli.progress import is_quiet
from unlike.cli.target import load_module, load_target
from unlike.core import CutShort, Isolation, TimeLimit
from unlike.documents.programs.read import primitives_of, read_program
from unlike.documents.programs.sexpr import laid_out, read_trees
from unlike.documents.programs.write import write_program
from unlike.errors import ScopeError, SpecError, TargetError, UnlikeError, with_article
from unlike.file_limits import read_text_within
from unlike.isolation import Answer, Raised, call_in_copy
from unlike.language.spec import Spec
from unlike.saved import write_whole
from unlike.suite import Ending, Status

ENDING = ".iorek"
FLAGS = Flags((TimeLimit, Isolation), without=("workers", "in_process", "seconds_per_call"), reads=False)


@click.command("program", cls=Verb)
@click.argument("target", metavar="FILE|MODULE:SPEC")
@click.option("--write", is_flag=True, help="Write the program back to its file, laid out.")
@click.option("--with", "with_", metavar="MODULE", help="A Python module with primitives of your own.")
@click.option("-o", "output", type=click.Path(dir_okay=False, path_type=Path), help="Write to another file.")
@FLAGS.add
def command(target: str, *, write: bool, with_: str | None, output: Path | None, **flags: Any) -> int:
    """Check a program and lay it out; or write specs in Python as a program."""
    asked = FLAGS.read(flags)
    timeout: Any = asked.record(TimeLimit).timeout
    limits = replace(asked.record(Isolation), seconds_per_call=timeout)
    if not target.endswith(ENDING) and ":" in target:
        if write:
            raise ScopeError(f"--write: {target!r} is no file; name one with -o FILE{ENDING}")
        name = target.rpartition(":")[2]
        return _show(
            _run_in_copy(lambda: [write_program(_specs(load_target(target), target), name)], limits)[0], output
        )
    text = read_text(target)
    names = _run_in_copy(lambda: [spec.name for spec in read_program(text, target, primitives(with_))], limits)
    said = laid_out(read_trees(text, target))
    if write:
        _save(Path(target), said)
    else:
        _show(said, output)
    if not is_quiet():
        click.echo(f"{target}: it is in order; specs: {', '.join(names)}", err=True)
    return 0


def _run_in_copy(work: Callable[[], list[str]], limits: Isolation) -> list[str]:
    """Return the texts that are made with modules of the user's, in a copy of this process and within its limits."""

    def texts_or_message() -> list[str] | str:
        try:
            return work()
        except UnlikeError as error:
            return str(error)

    match call_in_copy(texts_or_message, limits):
        case Answer(result=list() as texts):
            return texts
        case Answer(result=str() as message):
            raise SpecError(message)
        case Raised(error=error):
            raise SpecError(f"a module of yours failed: {error}")
        case ended:
            raise CutShort(Status(Ending.FAILED, f"{ended}; --timeout and --memory say how much it may take"))


def load_program(target: str, with_: str | None) -> list[Spec]:
    """Return the specs of a program's file."""
    return read_program(read_text(target), target, primitives(with_))


def primitives(module: str | None) -> dict[str, object]:
    """Return the primitives that a user's module offers."""
    return {} if module is None else primitives_of(load_module(module))


def read_text(target: str) -> str:
    """Return the text of a file, or say why there is none."""
    try:
        return read_text_within(target)
    except UnicodeDecodeError as error:
        raise TargetError(f"{target!r} is not UTF-8 text: {error.reason} at byte {error.start}") from None
    except (OSError, ValueError) as error:
        raise TargetError(f"{target!r} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _specs(found: object, target: str) -> list[Spec]:
    listed = [found] if isinstance(found, Spec) else found
    if isinstance(found, dict):
        listed = [each.with_name(str(name)) for name, each in found.items() if isinstance(each, Spec)]
    if not isinstance(listed, list | tuple) or not listed or not all(isinstance(each, Spec) for each in listed):
        raise SpecError(f"{target} is {with_article(type(found).__name__)}, not a Spec (nor a list or dict of them)")
    return list(listed)


def _show(text: str, output: Path | None) -> int:
    if output is None:
        click.echo(text, nl=False)
    else:
        _save(output, text)
    return 0


def _save(path: Path, text: str) -> None:
    try:
        write_whole(path, text)
    except UnicodeEncodeError as error:
        sign = error.object[error.start]
        raise ScopeError(f"{str(path)!r} cannot be written: {sign!r} is half a character; write a whole one") from None
    except OSError as error:
        raise ScopeError(f"{str(path)!r} cannot be written: {error.strerror}") from None
