"""Tests of longer sequences: calls drawn one after the other, also beside the scope, with what each of them shows.

They are drawn in the same way each time. A sequence begins with an object that was found, or with one that a
constructor makes of arguments beside the scope.
"""

from __future__ import annotations

import contextlib
import copy
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.classes.api import Operation, Template
from unlike.classes.beside_scope import beside_scope, draw_call
from unlike.classes.result import Result
from unlike.classes.soundness import Soundness
from unlike.core import CutShort
from unlike.core.question import PRECONDITIONS
from unlike.errors import UnlikeError
from unlike.isolation import Answer
from unlike.recipe import Recipe
from unlike.suite import Case
from unlike.writers.observations import NOTHING, AnswerLook, Observation, attributes_of, line_of, observations_of
from unlike.writers.pytest_file.drafts import TALLEST, Draft, building, test_name
from unlike.writers.pytest_file.other_makers import find_deadly, recipe_of
from unlike.writers.python_source import IN_PLACE, source_of, together

MOST_WALKS = 40  # longer sequences in a file: more are seldom read
FEWEST_WALKS = 5  # each makes some twenty calls: enough for a class with two methods
CALLS_PER_WALK = 4  # the more calls there are, the more sequences
STEPS = 100  # calls tried for one of them; it ends when the test is long enough
SEEN_AFTER = 6  # observations after a call
REFUSALS = 0.3  # of the calls that are refused and change nothing are shown


def walk_tests(result: Result, cases: Sequence[Case], templates: Sequence[Template], look: AnswerLook) -> list[Draft]:
    """Return the tests of longer sequences; one that ends its process, or does not return, is left out."""
    calls: dict[int, list[Template]] = {}
    asked_anyway = [each for each in result.observers if not each.written]
    for each in templates:
        alone = len(each.wanted) == 1 and each.wanted[0] in result.api.classes
        if alone and each.operation.name not in IN_PLACE and each.operation not in asked_anyway:
            calls.setdefault(id(each.operation), []).append(each)
    if not calls or not cases:
        return []
    simple, other = observations_of(result)
    inside = frozenset(map(id, result.api.templates))
    writer = _WalkWriter(
        test_name(result.api.classes[0].__name__, "sequence"),
        list(calls.values()),
        result.observers,
        inside,
        simple,
        other,
        look,
        [each.recipe for each in cases],
        list(_starts_beside(result)),
        result.soundness,
    )
    drafts: list[Draft] = []
    with contextlib.suppress(CutShort):  # what came before it stays
        many = sum(map(len, calls.values())) // CALLS_PER_WALK
        verdicts = result.each_in_copies(writer.draft, max(FEWEST_WALKS, min(many, MOST_WALKS)))
        drafts.extend(each.result for each in verdicts if isinstance(each, Answer) and each.result is not None)
    return drafts


def _starts_beside(result: Result) -> Iterator[Recipe]:
    """Yield objects that an exploration does not make: of arguments beside the scope."""
    left_out = (*result.unsteady, *find_deadly(result))
    for template in beside_scope([each for each in result.api.templates if not each.wanted]):
        if template.operation.owner in result.api.classes and template.operation.title not in left_out:
            with contextlib.suppress(UnlikeError):  # an argument without a literal form cannot be written
                yield recipe_of(template)


@dataclass(slots=True)
class _WalkWriter:
    name: str
    calls: Sequence[Sequence[Template]]  # of each operation
    observers: Sequence[Operation]
    inside: frozenset[int]  # those that an exploration makes: what they raise may be an error
    simple: Sequence[Observation]
    other: Sequence[Observation]
    look: AnswerLook
    found: Sequence[Recipe]
    starts: Sequence[Recipe]
    soundness: Soundness | None

    def draft(self, number: int) -> Draft | None:
        """Return the test of one sequence; nothing if its first object cannot be made."""
        drawing = random.Random(number)
        recipe = drawing.choice(self.starts if self.starts and number % 2 else self.found)
        try:
            thing: Any = Case(recipe).value
        except Exception:  # refused, as another test shows
            recipe = drawing.choice(self.found)
            thing = Case(recipe).value
        source = source_of(recipe, in_place=False)
        lines = building(source)
        docs = ['    """A longer sequence, with calls beside the scope."""']
        draft = Draft(f"{self.name}_{number}", docs, lines, lines, imports=set(source.imports), chained=True)
        for _ in range(STEPS):
            part = self.step(thing, drawing, draft.imports)
            if part is None:
                break
            if part and part not in draft.parts[-1:]:
                draft.parts.append(part)
            if len(draft.lines()) > TALLEST:
                draft.parts.pop()
                break
        return draft if draft.parts else None

    def step(self, thing: Any, drawing: random.Random, imports: set[str]) -> list[str] | None:
        """Return a call and what it shows; nothing to say, or None where the sequence has to end."""
        if self.other and drawing.random() < len(self.other) / (len(self.other) + 2 * sum(map(len, self.calls))):
            return self.look_once(thing, drawing.choice(self.other), imports)
        template = draw_call(drawing.choice(self.calls), drawing)
        try:
            line, needed = line_of(template)
        except UnlikeError:  # an argument without a literal form cannot be written
            return []
        call = line.replace("{x}", "x")
        before = self.see(thing)
        receiver, args, kwargs = template.fill([thing], copy.deepcopy)
        try:
            answer = template.operation.perform(receiver, args, dict(kwargs))
        except Exception as error:
            kind = type(error)
            if kind.__module__ != "builtins" or (id(template) in self.inside and kind not in PRECONDITIONS):
                return None
            after = self.see(thing)
            seldom = drawing.random() < REFUSALS
            if after == before and not seldom:
                return []
            lines = [f"with pytest.raises({kind.__name__}):", f"    {call}"]
            needed |= {"import pytest"}
        else:
            told = _is_expression(call) and (answer is not None or template.operation in self.observers)
            lines = (self.look.lines(call, answer, thing) if told else []) or [call]
        if self.soundness is not None and not self.soundness.is_kept_by(thing):
            return None
        imports |= needed
        after = self.see(thing)
        return [*lines, *(together(after) if after != before else [])]

    def look_once(self, thing: Any, observation: Observation, imports: set[str]) -> list[str]:
        answer = observation.answer(thing)
        if answer is NOTHING:
            return []
        imports |= observation.imports
        return self.look.lines(observation.on("x"), answer, thing)

    def see(self, thing: Any) -> list[tuple[str, str]]:
        """Return what can be seen of the object."""
        asked = (*attributes_of(thing)[: SEEN_AFTER // 2], *self.simple)
        return [(each.on("x"), value) for each in asked if (value := each.value(thing)) is not None][:SEEN_AFTER]


def _is_expression(call: str) -> bool:
    try:
        compile(call, "<call>", "eval")
    except SyntaxError:  # `del x[0]`
        return False
    return True
