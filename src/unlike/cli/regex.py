"""`unlike generate --regex PATTERN`: strings as JSON lines or otherwise, what they guarantee on standard error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click

from unlike.cli.types import write, written
from unlike.errors import SpecError
from unlike.indexed import Listed
from unlike.recipe import recipe_of
from unlike.regex.automaton import Undecided
from unlike.regex.cover import Cover, named
from unlike.regex.cover.heuristics import Combine
from unlike.regex.near_miss import near_misses
from unlike.regex.texts.fullmatch import in_words
from unlike.regex.tree import Pattern, parse
from unlike.suite import Case, Ending, Status, Suite
from unlike.writers.inputs import one_line

DEFAULT_N = 100
SHOWN = 20  # of what is undecided

_FLAGS = {
    "a": re.ASCII,
    "i": re.IGNORECASE,
    "m": re.MULTILINE,
    "s": re.DOTALL,
    "u": re.UNICODE,
    "x": re.VERBOSE,
}


def run_regex(
    pattern: str,
    *,
    flags: str = "",
    cover: Combine = "all",
    heuristic: str = "default",
    n: int | None = None,
    all_: bool = False,
    count: bool = False,
    invalid: bool = False,
    check: bool = False,
    seed: int = 0,
    format_: str = "jsonl",
    output: Path | None = None,
) -> int:
    """Write the strings of a pattern, or their number, or near misses; return the exit code."""
    if n is not None and all_:
        raise SpecError(f"-n {n} and --all contradict each other; give one of them")
    if n is not None and n < 1:
        raise SpecError(f"-n {n} must be at least 1")
    parsed = parse(pattern, flags_of(flags))
    heuristics = named(heuristic, combine=cover)
    page = _Page(pattern, format_, output)
    try:
        if invalid:
            return _invalid(parsed, None if all_ else n, count=count, page=page)
        made = Cover(parsed, heuristics)
        if count:
            return _count(made)
        return _strings(made, None if all_ else n or DEFAULT_N, check=check, seed=seed, page=page)
    except Undecided as error:
        status = Status(Ending.UNKNOWN, str(error))
        click.echo(f"0 strings, {status}", err=True)
        return status.exit_code


def _count(cover: Cover) -> int:
    click.echo(cover.count())
    if not cover.is_counted:
        click.echo("an upper bound: there are too many choices to settle each of them", err=True)
        return 3
    if cover.is_settled and cover.settled.undecided:
        click.echo(f"a lower bound: {len(cover.settled.undecided):,} choices are undecided", err=True)
        return 3
    return 0


def flags_of(letters: str) -> int:
    """Return the flags of `re` that the letters stand for."""
    flags = 0
    for letter in letters:
        if letter.lower() not in _FLAGS:
            raise SpecError(f"no flag is called {letter!r} in {letters!r}; there are: {', '.join(_FLAGS)}")
        flags |= _FLAGS[letter.lower()]
    return flags


@dataclass(slots=True)
class _Page:
    """Where strings are written: JSON lines for the terminal at once, everything else when all are known."""

    name: str
    format_: str
    output: Path | None
    cases: list[Case] = field(default_factory=list)

    @property
    def at_once(self) -> bool:
        return self.format_ == "jsonl" and self.output is None

    def add(self, text: str, label: str) -> None:
        """Write a string, or keep it until all are known."""
        if self.at_once:
            click.echo(one_line({"value": text, "label": label}))
        else:
            self.cases.append(Case(recipe_of(text), label, str(len(self.cases))))

    def end(self, status: Status, said: str) -> None:
        """Write what was kept."""
        if not self.at_once:
            name = "pattern" if self.format_ == "python" else self.name
            write(written(Suite(name, Listed(self.cases), status, said), self.format_), self.output)


def _strings(cover: Cover, n: int | None, *, check: bool, seed: int, page: _Page) -> int:
    printed = unanswered = 0
    doubts: list[str] = []
    for each in cover.first(n, seed=seed):
        page.add(each.text, each.label)
        printed += 1
        unanswered += each.text in cover.unanswered
        if check and not (cover.accepts(each.text) and cover.derives(each.choice, each.text)):
            doubts.append(f"{each.text!r} is not derived by {each.label!r}")
    status = _status(cover, printed, n)
    page.end(status, f"{printed} strings")
    click.echo(f"{printed} strings, {status}", err=True)
    if unanswered:
        click.echo(in_words(unanswered), err=True)
    for note in _notes(cover):
        click.echo(note, err=True)
    if check:
        click.echo(f"checked: {printed - len(doubts)} of {printed} labels derived again", err=True)
        for doubt in doubts:
            click.echo(doubt, err=True)
    return max(status.exit_code, 1) if doubts else status.exit_code


def _status(cover: Cover, printed: int, n: int | None) -> Status:
    if n is not None and printed >= n and n < cover.count():
        return Status(Ending.FOUND, f"of {cover.count():,} representatives")
    if cover.complete:
        if printed:
            return Status(Ending.COMPLETE, "every choice that has a text is shown")
        return Status(Ending.UNSATISFIABLE, "no text matches the pattern")
    if n is not None and printed >= n:
        return Status(Ending.FOUND)
    return Status(Ending.UNKNOWN, cover.pattern.reason or "not every choice could be settled")


def _notes(cover: Cover) -> Iterator[str]:
    """Yield what became of the choices that are not shown."""
    if cover.too_long:
        yield f"left out as too long: {', '.join(cover.too_long)}"
    if not cover.is_settled:
        return
    for title, left_out in (
        ("no text is derived by", cover.settled.impossible),
        ("only texts of other choices are derived by", cover.settled.same),
    ):
        if left_out:
            yield f"{title}: {_some([each.label for each in left_out])}"
    yield from _undecided([(each.label, each.reason) for each in cover.settled.undecided])


def _undecided(reasons: list[tuple[str, str]]) -> Iterator[str]:
    for what, why in reasons[:SHOWN]:
        yield f"undecided: {what}: {why}"
    if len(reasons) > SHOWN:
        yield f"undecided: {len(reasons) - SHOWN:,} more"


def _some(labels: list[str]) -> str:
    return "; ".join(labels[:5]) + (f"; and {len(labels) - 5} more" if len(labels) > 5 else "")


def _invalid(pattern: Pattern, n: int | None, *, count: bool, page: _Page) -> int:
    found = near_misses(pattern)
    if count:
        click.echo(len(found.found))
        return 0
    shown = found.found[:n]
    for each in shown:
        page.add(each.text, each.rule)
    if len(shown) < len(found.found):
        status = Status(Ending.FOUND, f"of {len(found.found):,} near misses")
    elif found.undecided:
        status = Status(Ending.UNKNOWN, f"{len(found.undecided)} rules are undecided")
    elif not shown:
        status = Status(Ending.UNSATISFIABLE, "no rule can be broken: every text matches")
    else:
        status = Status(Ending.COMPLETE, "one near miss for every rule that can be broken alone")
    page.end(status, f"{len(shown)} near misses")
    click.echo(f"{len(shown)} near misses, {status}", err=True)
    if found.unbreakable:
        click.echo(f"cannot be broken alone: {_some(found.unbreakable)}", err=True)
    for note in _undecided(found.undecided):
        click.echo(note, err=True)
    return status.exit_code
