"""`unlike requests FILE`: the requests that a service description describes, of all operations or of one."""

from __future__ import annotations

from typing import Any

import click

from unlike.cli.generate import command as generate
from unlike.cli.generate import question_of
from unlike.cli.kinds import options_for
from unlike.cli.verb import Verb
from unlike.isolation.limits import within_memory

HELPS = {
    "operation": "Only the requests of this operation, by its id or as 'POST /path' (all).",
    "n": "How many requests of each operation.",
    "every": "All requests there are.",
    "cover": "How the choices of a request combine (each).",
    "invalid": "Requests that break one rule each.",
    "as_text": "The requests as JSON texts, in various styles.",
    "form": "How requests are written (jsonl).",
    "count": "Print only how many requests of each operation this would print.",
    "explain": "Say which choices are shown, impossible, undecided or left out.",
    "seed": "Other requests for another seed; the same for the same.",
}


def run(file: str, **flags: Any) -> int:
    """Generate the requests of a service (OpenAPI 3.0, 3.1, Swagger 2): every one legal, all choices shown."""
    from unlike.cli.openapi import run_requests

    question = question_of(flags, "jsonl")
    with within_memory(question.isolation):
        return run_requests(file, question)


command = Verb(
    "requests",
    callback=run,
    params=[click.Argument(["file"], metavar="FILE"), *options_for("service", generate, without=["model"], **HELPS)],
    help=run.__doc__,
)
