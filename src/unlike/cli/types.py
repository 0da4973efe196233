"""`unlike generate MODULE:TYPE`: a type becomes inputs, or data that break its rules."""

from __future__ import annotations

import dataclasses
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unlike.cli.deliver import deliver
from unlike.cli.kinds import InputChoice, InputQuestion
from unlike.cli.options import shared_literals
from unlike.cli.progress import progress_shown
from unlike.errors import ScopeError
from unlike.language.spec import Spec
from unlike.language.values import VALUES
from unlike.regex.order.mix import USUAL
from unlike.suite import Suite
from unlike.writers.envelope import Envelope, InputCases, Notice, Remark, answer_of_suites
from unlike.writers.json_texts import json_texts

if TYPE_CHECKING:
    from unlike.typed.combining import CombiningKeywords
    from unlike.typed.generate import ChoiceCoverage


def is_type(found: object) -> bool:
    """Tell whether what a target names is a type, an annotation, a value or a schema, rather than a spec."""
    from unlike.documents.json_schema.document import JsonSchema  # loaded only where there is no spec
    from unlike.documents.pict import PictModel

    if isinstance(found, (*VALUES, JsonSchema, Spec, PictModel)):  # a spec comes here if it has types among its blanks
        return True
    from unlike.types.as_annotated import is_annotation  # types are read only where there may be one

    return is_annotation(found)


def is_schema(found: object) -> bool:
    """Tell whether what a target names is a JSON Schema."""
    from unlike.documents.json_schema.document import JsonSchema

    return isinstance(found, JsonSchema)


@dataclass(frozen=True, slots=True)
class Covered:
    """A suite that was made of a type, and what became of the choices of the type."""

    suite: Suite
    coverage: ChoiceCoverage | None = None


def run_type(found: object, question: InputQuestion, *, name: str | None = None) -> int:
    """Write the inputs of a type, say on standard error what they guarantee, and return the exit code."""
    if question.choice.code:
        from unlike.cli.by_code import give_chosen

        return give_chosen([found], question, name=name)
    with progress_shown(question.deadline):
        made = cover_type(found, question)
    if name is not None:
        made = Covered(dataclasses.replace(made.suite, name=name), made.coverage)
    return deliver_covered([made], question)


def run_covered(spaces: Sequence[object], question: InputQuestion) -> int:
    """Write the inputs of several spaces, each with its share of the time."""
    with progress_shown(question.deadline):
        shares = question.deadline.shares(spaces)
        made = [cover_type(each, dataclasses.replace(question, deadline=share)) for each, share in shares]
    return deliver_covered(made, question)


def deliver_covered(made: Sequence[Covered], question: InputQuestion) -> int:
    """Write what was made of types or documents."""
    output = question.output
    answer = answer_of(made, explain=output.explain and not output.count, url=question.choice.url)
    return deliver(answer, question.form, output.output)


def cover_type(found: object, question: InputQuestion) -> Covered:
    """Return the inputs of a type, or data that break its rules."""
    from unlike.documents.json_schema.document import JsonSchema
    from unlike.typed.generate import TypeCases  # loaded only for types
    from unlike.typed.mixed import MixedCases
    from unlike.typed.verbs import generate, invalid

    choice, output, deadline = question.choice, question.output, question.deadline
    if choice.invalid and choice.cover is not None:
        raise ScopeError(
            f"--invalid and --cover {choice.cover} contradict each other; an invalid input breaks one rule"
        )
    if choice.invalid and (said := [name for name, value in combining_said(choice).items() if value]):
        raise ScopeError(f"--invalid and --{said[0]} contradict each other; an invalid input breaks one rule")
    if choice.invalid and choice.pair_bounds:
        raise ScopeError("--invalid and --pair-bounds contradict each other; an invalid input breaks one rule")
    if choice.invalid and choice.mix is not None:
        raise ScopeError("--mix and --invalid contradict each other; give one of them")
    if choice.break_formats is not None and isinstance(found, JsonSchema):
        if not choice.invalid and choice.mix is None:
            raise ScopeError(f"--break-formats {choice.break_formats} goes with --invalid and --mix")
        found = found.breaking_formats(choice.break_formats == "yes")
    n, limits = output.n, question.isolation.of_one_process()
    literals = _literals(found, choice)
    with redirect_stdout(sys.stderr):  # what the user's code prints is no input
        if choice.invalid:
            suite = invalid(found, n, timeout=deadline, literals=literals, **limits)
        else:
            suite = generate(
                found,
                "all" if output.every else n,
                cover=choice.cover,
                **combining_said(choice),
                timeout=deadline,
                seed=output.seed,
                mix=share_of(choice.mix),
                literals=literals,
                pair_bounds=choice.pair_bounds,
                **limits,
            )
    cases = suite.cases.legal.cases if isinstance(suite.cases, MixedCases) else suite.cases
    coverage = cases.coverage if isinstance(cases, TypeCases) else None
    return Covered(json_texts(suite, len(suite) if n or output.every else None) if choice.as_text else suite, coverage)


def combining_said(choice: InputChoice) -> CombiningKeywords:
    """Return what flags say about combinations."""
    said: CombiningKeywords = {"smallest": choice.smallest}
    if choice.strength:
        said["strength"] = dict(map(strength_of, choice.strength))
    if choice.rows is not None:
        from unlike.cli.given_rows import read_rows_file  # only where there are some

        said["rows"] = read_rows_file(choice.rows, "--rows")
    if choice.negative:
        negative: dict[str, list[str]] = {}
        for name, value in (_named_choice(each, "--negative") for each in choice.negative):
            negative.setdefault(name, []).append(value)
        said["negative"] = negative
    if choice.ignore:
        said["ignore"] = [dict(_named_choice(one, "--ignore") for one in each.split(",")) for each in choice.ignore]
    return said


def strength_of(text: str) -> tuple[str, int]:
    """Return what `--strength` says: places, and how many of them are combined."""
    names, _, number = text.rpartition("=")
    if not names or not number.isdecimal():
        raise ScopeError(f"--strength {text!r}: write --strength kind,country,tax=3")
    return names, int(number)


def _named_choice(text: str, flag: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise ScopeError(f"{flag} {text!r}: write {flag} FIELD=CHOICE{',FIELD=CHOICE' * (flag == '--ignore')}")
    return name.strip(), value.strip()


def _literals(found: object, choice: InputChoice) -> dict[Any, object] | None:
    """Return the values that flags give, and those of a file that name something of the type; None without any."""
    from unlike.typed.literals import annotations_of  # loaded only for types
    from unlike.types.choices import literals_used

    shared = shared_literals()
    used = literals_used(found, annotations_of(shared)) if shared and not isinstance(found, Spec) else ()
    return {**{name: shared[name] for name in shared if name in used}, **(choice.literals or {})} or None


def share_of(mix: str | None) -> bool | float:
    """Return what `--mix` means as a keyword: nothing, the usual mix, or a share."""
    if mix is None or mix == USUAL:
        return mix is not None
    try:
        return float(mix)
    except ValueError:
        raise ScopeError(f"--mix {mix} must be a share from 0 to 1, like 0.25") from None


def answer_of(made: Sequence[Covered], *, explain: bool = False, url: str | None = None) -> Envelope:
    """Return the answer for types or documents, with what became of their choices; or for what breaks their rules."""
    suites = tuple(each.suite for each in made)
    coverages = [each.coverage for each in made if each.coverage is not None]
    counted: Counter[str] = Counter({"cases": sum(map(len, suites))})
    for each in coverages:
        counted.update(_counts(each))
    # the name of a class is taken by the class
    variable = "" if len(suites) > 1 else f"{suites[0].name.lower()} inputs"
    explanations = (Remark(each.explanation) for each in suites if explain and each.explanation)
    return dataclasses.replace(
        answer_of_suites(suites),
        counts=dict(counted),
        findings=tuple(notice for coverage in coverages for notice in _findings(coverage)),
        contents=InputCases(suites, variable=variable, requests=any(map(_has_requests, suites)), url=url),
        remarks=(*explanations, *(Remark(f"{each.name}: {_in_words(each)}") for each in suites)),
        number=len(suites[0]),
    )


def _has_requests(suite: Suite) -> bool:
    return bool(suite) and suite[0].request is not None


def _in_words(suite: Suite) -> str:
    return "; ".join(filter(None, (suite.guarantee, str(suite.status))))


def _counts(coverage: ChoiceCoverage) -> dict[str, int]:
    return {
        "choices": coverage.targets,
        "shown": coverage.shown,
        "impossible": len(coverage.impossible),
        "undecided": len(coverage.undecided),
        "left_out": len(coverage.left_out),
        "not_shown": len(coverage.not_shown),
    }


def _findings(coverage: ChoiceCoverage) -> Iterator[Notice]:
    """Yield what became of the choices that are not shown."""
    yield from (Notice("impossible", why, word) for word, why in coverage.impossible)
    yield from (Notice("undecided", why, word) for word, why in coverage.undecided)
    yield from (Notice("left out", why, word) for word, why in coverage.left_out)
    yield from (Notice("not shown", "no input shows it", word) for word in coverage.not_shown)
