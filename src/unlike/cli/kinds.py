"""What each option of `unlike generate` goes with: the one table, from which its help and its refusals are made."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Literal

import click
from click.core import ParameterSource

from unlike.cli.verb import Verb
from unlike.core import Isolation
from unlike.errors import ScopeError

Kind = Literal["spec", "type", "schema", "service", "pattern"]
KINDS: tuple[Kind, ...] = ("spec", "type", "schema", "service", "pattern")

# Settings of code of the user's; memory is limited where there is none of it, too.
FOREIGN = tuple(each.name for each in fields(Isolation) if each.name not in ("workers", "megabytes"))
SOURCES = ("regex", "schema", "openapi")  # what to generate from, beside a target
USES: Mapping[str, tuple[Kind, ...]] = {  # options that not every kind of target can use
    "outline": ("spec",),
    "with_": ("spec",),
    "encoding": ("spec",),
    "solver": ("spec",),
    "effort": ("spec",),
    "explain": ("spec", "type", "schema", "service"),
    **dict.fromkeys(FOREIGN, ("spec", "type")),
    "cover": ("type", "schema", "service", "pattern"),
    "invalid": ("type", "schema", "service", "pattern"),
    "as_text": ("type", "schema", "service"),
    "resolve": ("schema", "service"),
    "operation": ("service",),
    "model": ("service",),
    "media": ("service",),
    "flags": ("pattern",),
    "heuristic": ("pattern",),
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


def refuse_others(options: Mapping[str, Any], kinds: Iterable[Kind], target: str) -> None:
    """Refuse options that were given, whatever their value, where a target of these kinds cannot use them."""
    context, kinds = click.get_current_context(), tuple(kinds)
    for each in context.command.params:
        name = each.name or ""
        used_by = USES.get(name, KINDS)
        if set(kinds) & set(used_by) or context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        why = f"{target!r} is {WORDS[kinds[0]]}" if len(kinds) == 1 else f"{target!r} is none of these"
        why += ", which runs no code" if name in FOREIGN else ""
        raise ScopeError(f"{_said(each, options[name])} goes with {_words(used_by)}; {why}")


def refuse_given(names: Iterable[str], options: Mapping[str, Any], belongs_to: str) -> None:
    """Refuse options that were given, whatever their value, where they would not be looked at."""
    context, unused = click.get_current_context(), set(names)
    for each in context.command.params:
        if each.name in unused and context.get_parameter_source(each.name) is ParameterSource.COMMANDLINE:
            raise ScopeError(f"{_said(each, options[each.name])} goes with {belongs_to}")


def _said(option: click.Parameter, value: object) -> str:
    flag = max(option.opts, key=len)
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
