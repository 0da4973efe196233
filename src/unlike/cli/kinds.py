"""What `unlike generate` is asked, and which kind of target each option goes with: help and refusals are made of it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Literal

import click

from unlike.cli.deliver import Verb
from unlike.cli.options import SOURCES, flag_of, settings_in, was_given
from unlike.core import Deadline, Isolation, Output, Settings, Solving, setting
from unlike.errors import ScopeError
from unlike.scope import check_table

Kind = Literal["spec", "type", "schema", "service", "pattern"]
KINDS: tuple[Kind, ...] = ("spec", "type", "schema", "service", "pattern")


def check_cover(name: str, value: object) -> None:
    """Refuse what says no strength."""
    if value is not None and value not in ("each", "pairs", "all") and not (str(value).isdecimal() and int(str(value))):
        raise ScopeError(f"--{name} {value!s} is no strength; write each, pairs, all, or how many are combined, like 3")


@dataclass(frozen=True, slots=True, kw_only=True)
class InputChoice(Settings):
    """Of `generate` on the command line: what inputs are made from, and which of them."""

    regex: str | None = setting(
        None, "--regex PATTERN", "Strings of a pattern: one for each combination of its branches."
    )
    schema: str | None = setting(
        None, "--schema FILE", "Instances of a JSON Schema; FILE#/$defs/NAME for a part of it."
    )
    openapi: str | None = setting(None, "--openapi FILE", "What a service description (OpenAPI, Swagger) describes.")
    operation: tuple[str, ...] = setting(
        (),
        "--operation ID",
        "The requests of this operation, of 'POST /path', or of all of a /path, a METHOD, a tag, a pattern ('get*').",
        kind="texts",
    )
    model: str | None = setting(None, "--model NAME", "The values of this model.")
    media: str | None = setting(None, "--media TYPE", "The media type of the body, where there are several.")
    url: str | None = setting(
        None, "--url URL", "Where the service is, in requests that are written (as its description says)."
    )
    resolve: tuple[str, ...] = setting(
        (), "--resolve URL=FILE", "The file that an address in a $ref means.", kind="texts"
    )
    draft: str | None = setting(
        None, "--draft WORD", "The draft of a JSON Schema that does not say it: 4, 6, 7, 2019-09, 2020-12 (the last)."
    )
    as_text: bool = setting(False, "--as-text", "The inputs as JSON texts, in various styles.")
    cover: str | None = setting(
        None,
        "--cover WORD",
        "How choices of a type or a pattern combine: each, pairs, all, or so many at a time (3).",
        check=check_cover,
    )
    strength: tuple[str, ...] = setting(
        (), "--strength FIELDS=T", "More of some fields are combined: kind,country,tax=3.", kind="texts"
    )
    rows: str | None = setting(
        None, "--rows FILE", "Inputs that must be in, first (.csv, .json, .jsonl, a saved suite)."
    )
    negative: tuple[str, ...] = setting(
        (), "--negative FIELD=CHOICE", "A choice of which an input has at most one.", kind="texts"
    )
    ignore: tuple[str, ...] = setting(
        (), "--ignore FIELD=CHOICE,…", "A combination that need not be shown.", kind="texts"
    )
    smallest: bool = setting(False, "--smallest", "Look for fewer inputs, as far as a counted budget goes.")
    pair_bounds: bool = setting(
        False, "--pair-bounds", "Stated bounds of numbers and lengths enter pairs, too (--cover pairs)."
    )
    literals: Mapping[str, object] | None = setting(
        None,
        "--literals FIELD=…",
        "Values of a field or type: n=0..9  str=a,b  meta=@MODULE:SPEC",
        kind="literals",
        check=check_table,
    )
    invalid: bool = setting(False, "--invalid", "Inputs that break one rule of a type or a pattern each.")
    break_formats: Literal["yes", "no"] | None = setting(
        None,
        "--break-formats [yes|no]",
        "With --invalid or --mix: bad dates, addresses and the like, too (yes for requests).",
        kind=("yes", "no"),
        alone="yes",
    )
    mix: str | None = setting(
        None,
        "--mix [SHARE]",
        "Inputs that are legal and inputs that just fail, together; a quarter fails, or this share.",
        alone="usual",
    )
    spec: str | None = setting(
        None, "--spec NAME", "Only the spec of this name, where the target holds several.", formerly=("--outline",)
    )
    primitives: str | None = setting(None, "--with MODULE", "A Python module with primitives for a program.")
    flags: str = setting("", "--flags LETTERS", "Flags of the pattern: a, i, m, s, x.")
    heuristic: str = setting("default", "--heuristic NAME", "Which differences count.")
    unicode: bool = setting(
        False, "--unicode", r"Characters of all scripts for \d, . and the like, not of ASCII alone."
    )
    check: bool = setting(False, "--check", "Derive every label again by an independent matcher.")
    code: tuple[str, ...] = setting(
        (),
        "--code MODULE:FUNCTION",
        "The inputs that this function treats most differently, or all those of MODULE.",
        kind="texts",
    )
    by: tuple[str, ...] = setting(
        (),
        "--by WORD",
        "What --code looks at: branches, paths, boundaries, results (the first three).",
        kind="texts",
    )
    within: tuple[str, ...] = setting(
        (), "--within MODULE", "Modules or packages that --code looks into (that of the function).", kind="texts"
    )
    beside: tuple[str, ...] = setting(
        (),
        "--beside TESTS",
        "With --code: inputs that are there (test file, .json, .jsonl); only what they do not show is added.",
        kind="texts",
    )
    no_source: bool = setting(False, "--no-source", "With --code: try no values that its source mentions.")


@dataclass(frozen=True, slots=True)
class InputQuestion:
    """What is asked of a spec, a type, a document or a pattern."""

    choice: InputChoice
    solving: Solving
    output: Output
    isolation: Isolation
    deadline: Deadline
    usual: str  # the format

    @property
    def form(self) -> str:
        """What to write: a format, or the number alone."""
        return self.output.wanted or self.usual


# Settings of code of the user's; memory is limited where there is none of it, too.
FOREIGN = tuple(each.name for each in fields(Isolation) if each.name not in ("workers", "megabytes"))
COMBINED = ("strength", "rows", "negative", "ignore", "smallest")
USES: Mapping[str, tuple[Kind, ...]] = {  # options that not every kind of target can use
    "spec": ("spec",),
    "primitives": ("spec",),
    **dict.fromkeys((each.name for each in settings_in(Solving)), ("spec",)),
    "explain": ("spec", "type", "schema", "service"),
    **dict.fromkeys(FOREIGN, ("spec", "type")),
    "literals": ("type",),
    **dict.fromkeys(COMBINED, ("spec", "type", "schema", "service")),
    "invalid": ("type", "schema", "service", "pattern"),
    "mix": ("type", "schema", "service", "pattern"),
    "break_formats": ("schema", "service"),
    "as_text": ("type", "schema", "service"),
    "pair_bounds": ("schema", "service"),
    "resolve": ("schema", "service"),
    "draft": ("schema",),
    "operation": ("service",),
    "model": ("service",),
    "media": ("service",),
    "url": ("service",),
    "flags": ("pattern",),
    "heuristic": ("pattern",),
    "unicode": ("pattern",),
    "check": ("pattern",),
}
SECTIONS: Mapping[str, tuple[Kind, ...]] = {
    "Specs (MODULE:SPEC, FILE.iorek)": ("spec",),
    "Types (MODULE:TYPE)": ("type",),
    "Documents (--schema FILE, --openapi FILE, FILE.json:NAME; see unlike requests)": ("schema", "service"),
    "Patterns (--regex PATTERN; see unlike strings)": ("pattern",),
}
WORDS: Mapping[Kind, str] = {
    "spec": "a spec",
    "type": "a type",
    "schema": "a JSON Schema",
    "service": "a service description",
    "pattern": "a pattern",
}


def refuse_others(target: str, *kinds: Kind) -> None:
    """Refuse options that were given, whatever their value, where a target of these kinds cannot use them."""
    context = click.get_current_context()
    for each in context.command.params:
        name = each.name or ""
        used_by = USES.get(name, KINDS)
        if set(kinds) & set(used_by) or not was_given(each):
            continue
        if name in FOREIGN and context.params.get("code"):
            continue
        why = f"{target!r} is {WORDS[kinds[0]]}" if len(kinds) == 1 else f"{target!r} is none of these"
        why += ", which runs no code" if name in FOREIGN else ""
        raise ScopeError(f"{_in_words(each, context.params[name])} goes with {_words(used_by)}; {why}")


def refuse_given(names: Iterable[str], belongs_to: str) -> None:
    """Refuse options that were given, whatever their value, where they would not be looked at."""
    context, unused = click.get_current_context(), set(names)
    for each in context.command.params:
        if each.name in unused and was_given(each):
            raise ScopeError(f"{_in_words(each, context.params[each.name])} goes with {belongs_to}")


def _in_words(option: click.Parameter, value: object) -> str:
    flag = flag_of(option)
    value = " ".join(map(str, value)) if isinstance(value, tuple) else value
    return flag if value is True else f"{flag} {value}"


def _words(kinds: tuple[Kind, ...]) -> str:
    """Return the kinds in words.

    >>> _words(("type", "schema", "service"))
    'types and documents'
    """
    words = [each for each, kind in (("specs", "spec"), ("types", "type")) if kind in kinds]
    if "service" in kinds:
        words.append("documents" if "schema" in kinds else "--openapi")
    words += ["--regex"] if "pattern" in kinds else []
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


class ByKind(Verb):
    """A command whose help shows each option with the kinds of target that can use it."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options: where inputs come from, what any target takes, and what only some kinds take."""
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        rows = {str(each.name): record for each in options if (record := each.get_help_record(ctx)) is not None}
        with formatter.section("What to generate from, if not a target"):
            formatter.write_dl([rows[name] for name in SOURCES])
        with formatter.section("Any target"):
            formatter.write_dl([record for name, record in rows.items() if name not in USES and name not in SOURCES])
        told: set[str] = set()
        for title, kinds in SECTIONS.items():
            usable = [name for name in rows if set(USES.get(name, ())) & set(kinds)]
            also = ", ".join(rows[name][0].split()[0] for name in usable if name in told)
            own = [rows[name] for name in usable if name not in told]
            with formatter.section(title):
                formatter.write_dl([*own, *([("and", f"{also}, as above")] if also else [])])
            told.update(usable)


def options_for(
    kind: Kind, command: click.Command, *, without: Iterable[str] = (), **helps: str
) -> list[click.Parameter]:
    """Return the options of a command that a kind of target can use, some with other words of help."""
    found: list[click.Parameter] = []
    for each in command.params:
        name = each.name or ""
        if isinstance(each, click.Option) and name not in (*SOURCES, *without) and kind in USES.get(name, KINDS):
            own = copy.copy(each)
            own.help = helps.get(name, each.help)
            found.append(own)
    return found
