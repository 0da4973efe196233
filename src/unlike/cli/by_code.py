"""`unlike generate … --code MODULE:FUNCTION`: the inputs that code treats most differently, and what none reached."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path, PurePath

from unlike.behaviour.result import ChosenCases
from unlike.behaviour.verbs import generate
from unlike.cli.deliver import deliver
from unlike.cli.kinds import InputQuestion
from unlike.cli.progress import progress_shown
from unlike.cli.target import load_module, load_target
from unlike.cli.types import share_of
from unlike.errors import ScopeError
from unlike.language.spec import Spec
from unlike.recipe import Name
from unlike.suite import Suite
from unlike.writers.envelope import Envelope, InputCases, Medium, Notice, Page, Remark, answer_of_suites

MOST_NAMED = 20  # branches that nobody reached, on standard error; --format json has all


def give_chosen(spaces: Sequence[object], question: InputQuestion, *, name: str | None = None) -> int:
    """Write the inputs of specs, a type, a schema or a pattern that code treats most differently."""
    if question.choice.pair_bounds:
        raise ScopeError("--code and --pair-bounds contradict each other; code chooses by what it does")
    choice, output = question.choice, question.output
    for flag, said in (("--invalid", choice.invalid), ("--all", output.every), ("--as-text", choice.as_text)):
        if said:
            raise ScopeError(f"--code and {flag} contradict each other; give one of them")
    with redirect_stdout(sys.stderr):  # what the user's code prints is no input
        code = [load_code(each) for each in choice.code]
    if question.form == "pytest" and len(spaces) > 1:
        raise ScopeError(f"--format pytest writes the tests of one spec, not of {len(spaces)}; name it: --spec NAME")
    suites = []
    with progress_shown(question.deadline), redirect_stdout(sys.stderr):
        for space in spaces:
            made = _choose(space, code, question)
            suites.append(made if name is None else replace(made, name=name))
    answer = answer_of_chosen(suites, explain=output.explain)
    assert isinstance(answer.contents, InputCases)
    names = {id(each): _name_in(text) for text, each in zip(choice.code, code, strict=True)}

    def write_tests(medium: Medium) -> Iterator[Page]:
        from unlike.writers.pytest_file.results import result_tests  # it knows what classes show, too

        del medium
        for suite in suites:
            assert isinstance(suite.cases, ChosenCases)
            made = result_tests(suite.cases, names, question.isolation, question.deadline)
            yield Page(f"test_{suite.name}.py", [made])

    held = replace(answer.contents, tests=write_tests)
    return deliver(replace(answer, contents=held), question.form, output.output)


def _name_in(text: str) -> Name:
    module, _, qualname = text.rpartition(":")
    return Name(PurePath(module).stem if module.endswith(".py") else module, qualname)


def load_code(text: str) -> object:
    """Return the function that MODULE:FUNCTION stands for, or the module that is named alone."""
    alone = ":" not in text or (text.endswith(".py") and "/" in text)
    return load_module(text) if alone else load_target(text)


def _choose(space: object, code: Sequence[object], question: InputQuestion) -> Suite:
    choice, output = question.choice, question.output
    limits = question.isolation.of_one_process()
    if isinstance(space, Spec):
        limits = question.solving.keywords(question.isolation)
    return generate(
        space,
        output.n,
        code=code,
        within=choice.within or None,
        by=[word for each in choice.by for word in each.split(",")] or None,
        source=not choice.no_source,
        beside=[Path(each) for each in choice.beside] or None,
        mix=share_of(choice.mix),
        cover=choice.cover,
        literals=choice.literals,
        timeout=question.deadline,
        seed=output.seed,
        **limits,
    )


def answer_of_chosen(suites: Sequence[Suite], *, explain: bool = False) -> Envelope:
    """Return the answer for inputs that were chosen by code, with the branches that nobody reached."""
    chosen = [each.cases for each in suites if isinstance(each.cases, ChosenCases)]
    remarks = [Remark(f"{each.name}: {each.guarantee}; {each.status}") for each in suites]
    for each in chosen:
        remarks += [Remark(str(dark), is_note=True) for dark in each.dark[:MOST_NAMED]]
        if len(each.dark) > MOST_NAMED:
            remarks.append(Remark(f"not reached: {len(each.dark) - MOST_NAMED} more", is_note=True))
        remarks += [Remark(f"note: {words}", is_note=True) for words in each.remarks]
    return replace(
        answer_of_suites(suites),
        counts={
            "cases": sum(map(len, suites)),
            "candidates": sum(each.candidates for each in chosen),
            "branches": sum(each.branches for each in chosen),
            "shown": sum(each.shown for each in chosen),
            "not_reached": sum(len(each.dark) for each in chosen),
        },
        findings=tuple(_findings(chosen)),
        contents=InputCases(tuple(suites), variable="inputs" if len(suites) == 1 else ""),
        explanation="\n".join(each.explanation for each in suites) if explain else "",
        remarks=tuple(remarks),
        number=sum(map(len, suites)),
    )


def _findings(chosen: Sequence[ChosenCases]) -> Iterator[Notice]:
    for each in chosen:
        yield from list_dark(each)


def list_dark(chosen: ChosenCases) -> Iterator[Notice]:
    """Yield what nobody reached, and what could not be looked into."""
    for dark in chosen.dark:
        words = f"; {dark.proof} does (proved)" if dark.is_impossible else dark.hint
        yield Notice("impossible" if dark.is_impossible else "not shown", f"{dark.words}{words}", dark.place)
    yield from (Notice("note", words) for words in chosen.remarks)
