"""The inputs of a test that are chosen by what code does with them: decoded and checked as those of its blanks are."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from unlike.core import USUAL, Deadline
from unlike.errors import SpecError
from unlike.indexed import Listed
from unlike.recipe import Items, Recipe, recipe_of
from unlike.suite import Status, Suite
from unlike.testing.decorators import Asked, Number
from unlike.testing.fingerprint import fingerprint
from unlike.testing.sources.base import Data, Input, Row
from unlike.testing.sources.spec import SpecInput, SpecSource
from unlike.testing.sources.suites import SuiteSource


class ChosenSource:
    """The inputs of blanks that some code treats most differently.

    Its fingerprint says which code is looked at, not what is written there: a replay does not look. What is written
    there has a mark of its own (`code_mark`), by which `prepare` sees that a choice is of an older code.
    """

    def __init__(self, blanks: SpecSource | SuiteSource, asked: Asked, annotations: Mapping[str, object]) -> None:
        assert asked.code is not None
        self.blanks, self.asked, self.annotations = blanks, asked, annotations
        self.names, self.covers = blanks.names, asked.any_number
        self.given = tuple(
            [name for name in self.names if asked.mix is False or name in annotations]
        )  # without `legal`
        self.named = self._functions()
        names = [f"{each.__module__}:{each.__qualname__}" for each in self.named]
        by = [asked.code.by] if isinstance(asked.code.by, str) else asked.code.by
        told = [] if asked.code.beside is None else ["beside", _show_beside(asked.code.beside)]
        told += [] if asked.code.source else ["no source"]
        self.fingerprint = fingerprint(blanks.fingerprint, "code", names, by, asked.code.within, *told)

    def _functions(self) -> list[Any]:
        from unlike.behaviour.calls import passed_inputs

        assert self.asked.code is not None
        return [each.function for each in passed_inputs(self.asked.code.code, self.given)]

    @property
    def code_mark(self) -> str:
        """What stands for the code as it is written now."""
        return fingerprint(self.named)

    def generate(self, n: Number, timeout: float | None) -> tuple[list[Row], Status]:
        """Return up to n rows; as few as show everything, if nobody said how many."""
        if n == "all" and not self.covers:
            raise SpecError("inputs('all', code=…) leaves nothing to choose; give a number, or none")
        suite = self._choose(None if n == "all" else n, timeout, ())
        return self._rows(suite), suite.status

    def extend(self, kept: Sequence[Input], timeout: float | None) -> tuple[list[Row], Status]:
        """Return the inputs that are there, and those that show what they do not."""
        suite = self._choose(None, timeout, [self._plain(each) for each in kept])
        return self._rows(suite), suite.status

    def _choose(self, n: int | None, timeout: float | None, kept: Sequence[Any]) -> Suite:
        from unlike.behaviour.by_code import choose_inputs, question_of
        from unlike.behaviour.spaces import InputSpace, SpecSpace
        from unlike.behaviour.verbs import SpaceChoice, space_of

        asked, deadline = self.asked, Deadline.of(timeout)
        assert asked.code is not None
        if isinstance(self.blanks, SpecSource):
            space: InputSpace = SpecSpace(self.blanks.spec, {"seed": asked.seed}, USUAL, deadline)
        else:
            options: SpaceChoice = {
                "cover": asked.cover,  # type: ignore[typeddict-item]  # a number is refused beside code
                "where": asked.where,
                "different": asked.different,
                "literals": asked.literals,
                "seed": asked.seed,
            }
            written, mixes = dict(self.annotations), asked.mix is not False
            space, _ = space_of(written, options, {}, USUAL, deadline, depth=2, mixes=mixes)
        said = asked.code
        question = question_of(said.code, said.within, said.by, asked.mix, source=said.source, seed=asked.seed)
        return choose_inputs(space, n, question, USUAL, deadline, kept=kept, beside=said.beside)

    def _rows(self, suite: Suite) -> list[Row]:
        from unlike.behaviour.result import ChosenCases

        if isinstance(self.blanks, SuiteSource):
            if self.given != self.names:
                from unlike.testing.sources.mixed import with_legal

                suite = replace(suite, cases=Listed([with_legal(case) for case in suite]))
            return self.blanks.rows_of(suite)
        assert isinstance(suite.cases, ChosenCases)
        return [self.blanks.row(plain) for plain in suite.cases.plains]

    def _plain(self, one: Input) -> Any:
        """Return an input as its space keeps it."""
        if isinstance(one, SpecInput):
            return one.assignment
        recipes = {name: one.recipe(name) for name in self.given}
        steps = max((each.steps for each in recipes.values()), key=len)  # those that need any have them all
        return Recipe(steps, Items("dict", tuple(part for name in recipes for part in (name, recipes[name].result))))

    def decode(self, data: Data, choices: Mapping[str, int]) -> Input:
        """Return the input that the data stand for."""
        return self.blanks.decode(data, choices)

    def text(self, one: Input) -> str:
        """Return an input as text: the same text, the same values."""
        return self.blanks.text(one)

    def first_wrong(self, inputs: Sequence[Input]) -> tuple[int, str] | None:
        """Return the first input that its blanks would not hold, and why."""
        return self.blanks.first_wrong(inputs)

    def fits(self, one: Input) -> bool:
        """Tell whether one input is legal."""
        return self.blanks.fits(one)


def _show_beside(beside: object) -> object:
    """Return what stands for inputs that are there: the names of files, or the inputs themselves."""
    if isinstance(beside, Suite):
        return [repr(case.recipe) for case in beside]
    if isinstance(beside, Sequence) and not isinstance(beside, str):
        return [
            _show_beside(each) if isinstance(each, Suite | os.PathLike) else repr(recipe_of(each)) for each in beside
        ]
    return str(beside)
