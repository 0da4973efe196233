"""The inputs of a spec: decoded by the declarations of its blanks, checked by its assertions and its difference."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from unlike.language.evaluate import choice_key, compile_term
from unlike.language.spec import Spec
from unlike.language.values import Record, Value, build, quote_value
from unlike.recipe import Recipe, Step
from unlike.specs.core_difference import Branch, Everything, parts_of
from unlike.specs.problem import Problem, take_apart
from unlike.specs.verify import first_alike, first_illegal, first_unbuilt
from unlike.suite import Status
from unlike.testing.decorators import Number
from unlike.testing.encode import Codec, Encoders, canonical
from unlike.testing.fingerprint import fingerprint
from unlike.testing.sources.base import Data, Input, Row, check_names


@dataclass(frozen=True, slots=True)
class SpecInput:
    """An assignment of plain values to the blanks of a spec."""

    blanks: Mapping[str, Value]
    assignment: dict[str, object]

    def build(self, name: str) -> object:
        """Return a fresh object: even members of an enumeration are copied, lest one test changes another's."""
        return build(self.blanks[name], copy.deepcopy(self.assignment[name]))

    def recipe(self, name: str) -> Recipe:
        """Return how to build the object."""
        steps: list[Step] = []
        result = quote_value(self.blanks[name], self.assignment[name], steps)
        return Recipe(tuple(steps), result)

    def word(self, name: str) -> object:
        """Return the plain value, or what is built of it if that reads better."""
        value = self.blanks[name]
        if isinstance(value, Record) and value.build is not None and isinstance(built := self.build(name), str):
            return built
        return self.assignment[name]


class SpecSource:
    """The inputs of a spec."""

    covers = False
    code_mark = ""

    def __init__(self, spec: Spec, seed: int, encoders: Encoders) -> None:
        self.spec = spec
        self.seed = seed
        self.names = tuple(spec.blanks)
        self.fingerprint = fingerprint(list(spec.blanks.items()), spec.assertions, spec.difference, seed)
        self.problem: Problem = take_apart(spec)
        self.branches = [part for part in parts_of(self.problem.difference) if isinstance(part, Branch)]
        self.codecs = {name: Codec(value, encoders) for name, value in spec.blanks.items()}

    def generate(self, n: Number, timeout: float | None) -> tuple[list[Row], Status]:
        """Return up to n rows, and why there are no more."""
        from unlike.specs.generate import SpecCases, generate  # a replay never comes here

        suite = generate(self.spec, None if n == "all" else n, timeout=timeout, seed=self.seed)
        cases = suite.cases
        assert isinstance(cases, SpecCases)
        return [self.row(assignment) for assignment in cases.inputs], suite.status

    def row(self, assignment: Mapping[str, object]) -> Row:
        """Return an assignment as data."""
        data = {name: codec.encode(assignment[name]) for name, codec in self.codecs.items()}
        choices = {key: value for key, value in assignment.items() if key.startswith("?") and type(value) is int}
        return Row(data, choices)

    def decode(self, data: Data, choices: Mapping[str, int]) -> SpecInput:
        """Return the assignment that the data stand for, or refuse them."""
        check_names(data, self.names)
        plain: dict[str, object] = {name: codec.decode(data[name]) for name, codec in self.codecs.items()}
        return SpecInput(self.problem.blanks, plain | dict(choices))

    def text(self, one: Input) -> str:
        """Return an input as text: the same text, the same values."""
        assert isinstance(one, SpecInput)
        return canonical({name: codec.encode(one.assignment[name]) for name, codec in self.codecs.items()})

    def first_wrong(self, inputs: Sequence[Input]) -> tuple[int, str] | None:
        """Return the first input outside the spec, or like an earlier one, and why."""
        found = [one.assignment for one in inputs if isinstance(one, SpecInput)]
        illegal = self._first_illegal(found)
        if illegal is not None:
            return illegal, "it breaks the spec"
        unbuilt = first_unbuilt(self.problem, found)
        if unbuilt is not None:
            return unbuilt[0], f"it cannot be built: {unbuilt[1].detail}"
        for position, assignment in enumerate(found):
            if not self._takes_its_branches(assignment):
                return position, "it does not take the branches of the pattern that it is said to take"
        try:
            alike = first_alike(self.problem, found)
        except Exception as error:
            return len(found) - 1, f"the difference cannot be evaluated: {type(error).__name__}: {error}"
        return None if alike is None else (alike[1], f"it is like input {alike[0] + 1}")

    def _first_illegal(self, found: Sequence[dict[str, object]]) -> int | None:
        """Return the first input that is not legal, or on which the spec itself raises: no saved one ever did."""
        try:
            illegal = first_illegal(self.problem, found)
            return None if illegal is None else illegal[0]
        except Exception:
            return next((i for i, one in enumerate(found) if not self._is_legal(one, self.problem)), len(found) - 1)

    def _is_legal(self, assignment: dict[str, object], problem: Problem) -> bool:
        try:
            return first_illegal(problem, [assignment]) is None
        except Exception:
            return False

    def _takes_its_branches(self, assignment: Mapping[str, object]) -> bool:
        for part in self.branches:
            from unlike.specs.branches import cover_for  # regexes are loaded only for those who cover one

            if (choice := assignment.get(choice_key(part.number))) is None:
                continue
            cover = cover_for(part)
            string = compile_term(part.term)(assignment)
            if not isinstance(choice, int) or not 0 <= choice < cover.choices or not isinstance(string, str):
                return False
            if not cover.derives(cover.represent(choice).choice, string):
                return False
        return True

    def fits(self, one: Input) -> bool:
        """Tell whether one input is within the bounds and satisfies every assertion."""
        assert isinstance(one, SpecInput)
        legal = self._is_legal(one.assignment, replace(self.problem, difference=Everything()))
        return legal and first_unbuilt(self.problem, [one.assignment]) is None
