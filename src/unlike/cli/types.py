"""`unlike generate MODULE:TYPE`: a type becomes inputs, or data that break its rules."""

from __future__ import annotations

import dataclasses
import sys
import types
import typing
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from unlike.cli.deliver import deliver, heading
from unlike.cli.progress import progress_shown
from unlike.errors import ScopeError, SpecError
from unlike.formats.annotations import VALUES
from unlike.suite import Suite
from unlike.writers.answers.envelope import Envelope, InputCases, Notice, Remark
from unlike.writers.json_texts import json_texts

if TYPE_CHECKING:
    from unlike.typed.generate import Coverage


def is_type(found: object) -> bool:
    """Tell whether what a target names is a type, an annotation, a value or a schema, rather than a spec."""
    from unlike.formats.json_schema.document import JsonSchema  # loaded only where there is no spec

    if isinstance(found, (*VALUES, JsonSchema)):
        return True
    if isinstance(found, type | types.UnionType | types.GenericAlias | typing.NewType | typing.TypeVar):
        return True
    return typing.get_origin(found) is not None or type(found).__name__ == "TypeAliasType"


def run_type(
    found: object,
    *,
    target: str,
    n: int | None = None,
    all_: bool = False,
    cover: str | None = None,
    invalid: bool = False,
    timeout: float | None = None,
    seed: int = 0,
    format_: str = "jsonl",
    output: Path | None = None,
    count: bool = False,
    explain: bool = False,
    as_text: bool = False,
    name: str | None = None,
    in_process: bool = False,
) -> int:
    """Write the inputs of a type, say on standard error what they guarantee, and return the exit code."""
    from unlike.typed.generate import TypeCases  # loaded only for types
    from unlike.typed.verbs import generate
    from unlike.typed.verbs import invalid as broken

    if not is_type(found):
        raise SpecError(f"{found!r} is not a type; name a class or an annotation")
    if invalid and cover is not None:
        raise ScopeError(f"--invalid and --cover {cover} contradict each other; an invalid input breaks one rule")
    with progress_shown(timeout), redirect_stdout(sys.stderr):  # what the user's code prints is no input
        suite = (
            broken(found, n, timeout=timeout, in_process=in_process)
            if invalid
            else generate(found, "all" if all_ else n, cover=cover, timeout=timeout, seed=seed, in_process=in_process)
        )
    coverage = suite.cases.coverage if isinstance(suite.cases, TypeCases) else None
    suite = json_texts(suite, len(suite) if n or all_ else None) if as_text else suite
    suite = suite if name is None else dataclasses.replace(suite, name=name)
    answer = answer_of(suite, target, coverage, explain=explain and not count)
    return deliver(answer, "count" if count else format_, output)


def answer_of(suite: Suite, target: str, coverage: Coverage | None = None, *, explain: bool = False) -> Envelope:
    """Return the answer for a type or a document, with what became of its choices; or for what breaks its rules."""
    said = "; ".join(each for each in (suite.guarantee, str(suite.status)) if each)
    return Envelope(
        **heading([target]),
        status=suite.status,
        guarantee=suite.guarantee,
        counts={"cases": len(suite), **({} if coverage is None else _counts(coverage))},
        findings=() if coverage is None else tuple(_findings(coverage)),
        contents=InputCases((suite,), variable=f"{suite.name.lower()} inputs"),  # the name of the class is taken by it
        explanation=suite.explanation if explain else "",
        remarks=(Remark(f"{suite.name}: {said}", is_status=True),),
        number=len(suite),
    )


def _counts(coverage: Coverage) -> dict[str, object]:
    return {
        "choices": coverage.targets,
        "shown": coverage.shown,
        "impossible": len(coverage.impossible),
        "undecided": len(coverage.undecided),
        "left_out": len(coverage.left_out),
        "not_shown": len(coverage.not_shown),
    }


def _findings(coverage: Coverage) -> Iterator[Notice]:
    """Yield what became of the choices that are not shown."""
    yield from (Notice("impossible", why, word) for word, why in coverage.impossible)
    yield from (Notice("undecided", why, word) for word, why in coverage.undecided)
    yield from (Notice("left out", why, word) for word, why in coverage.left_out)
    yield from (Notice("not shown", "no input shows it", word) for word in coverage.not_shown)
