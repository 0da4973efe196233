"""`unlike strings PATTERN`: the strings of a pattern, with the options that a pattern can use."""

from __future__ import annotations

from typing import Any

import click

from unlike.cli.generate import command as generate
from unlike.cli.generate import give_strings, question_of
from unlike.cli.kinds import options_for
from unlike.cli.verb import Verb

HELPS = {
    "n": "How many strings (100).",
    "every": "One string for each combination there is.",
    "seed": "Other strings for another seed; the same for the same.",
    "cover": "How the branches of the pattern combine (all).",
    "invalid": "Strings that just fail: each breaks one rule of the pattern.",
    "form": "How strings are written (jsonl).",
    "count": "Print only how many strings this would print with --all.",
}


def run(pattern: str, **flags: Any) -> int:
    """Generate the strings of a regular expression: one for each combination of its branches, all of them matched."""
    return give_strings(pattern, question_of(flags, "jsonl"))


command = Verb(
    "strings",
    callback=run,
    params=[click.Argument(["pattern"], metavar="PATTERN"), *options_for("pattern", generate, **HELPS)],
    help=run.__doc__,
)
