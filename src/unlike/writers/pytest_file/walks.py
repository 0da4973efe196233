"""Tests of longer sequences: calls drawn one after the other, also beside the scope, with what each of them shows.

They are drawn in the same way each time. A sequence begins with an object that was found, or with one that a
constructor makes of arguments beside the scope.
"""

from __future__ import annotations

import contextlib
import copy
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unlike.classes.api import Operation, Template
from unlike.classes.beside_scope import draw_arguments, draw_call
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
CALLS_PER_WALK = 2  # the more calls there are, the more sequences
STEPS = 100  # calls tried for one of them; it ends when the test is long enough
SEEN_AFTER = 6  # observations after a call
WITH_ALL = 3  # every third sequence is drawn of all operations, the others of half of those that change the object
STALE = 5  # calls in a row that change nothing, after which all operations are drawn
TRIED = 5  # arguments of a constructor, until it takes them
ASKED_SELDOM = 3  # an operation that changes the object is drawn so many times as often as one that only answers
ALL_SEEN = 0.3  # of the calls after which all that is seen takes more than a line
REFUSALS = 0.3  # of the calls that are refused and change nothing are shown


def walk_tests(result: Result, cases: Sequence[Case], templates: Sequence[Template], look: AnswerLook) -> list[Draft]:
    """Return the tests of longer sequences; one that ends its process, or does not return, is left out."""
    calls: dict[int, list[Template]] = {}
    asked_anyway = [each for each in result.observers if not each.written]
    many = len(templates) // CALLS_PER_WALK
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
        _makers(result),
        result.soundness,
    )
    drafts: list[Draft] = []
    with contextlib.suppress(CutShort):  # what came before it stays
        verdicts = result.each_in_copies(writer.draft, max(FEWEST_WALKS, min(many, MOST_WALKS)))
        drafts.extend(each.result for each in verdicts if isinstance(each, Answer) and each.result is not None)
    return drafts


def _makers(result: Result) -> list[Operation]:
    """Return what makes objects of the classes of plain arguments."""
    left_out = (*result.unsteady, *find_deadly(result))
    makers = [each for each in result.api.makers() if each.owner in result.api.classes and each.written]
    return [each for each in makers if each.title not in left_out]


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
    makers: Sequence[Operation]
    soundness: Soundness | None
    only_asks: bool = False  # the last call was one of an operation that changes nothing

    def draft(self, number: int) -> Draft | None:
        """Return the test of one sequence; nothing if its first object cannot be made."""
        drawing = random.Random(number)
        recipe, thing = (self.start_beside(drawing) if number % 2 else None) or self.start_inside(drawing)
        source = source_of(recipe, in_place=False)
        lines = building(source)
        docs = ['    """A longer sequence, with calls beside the scope."""']
        draft = Draft(f"{self.name}_{number}", docs, lines, lines, imports=set(source.imports), chained=True)
        calls, stale = self.chosen_calls(number, drawing), 0
        said: set[str] = set()  # since the object was changed
        for _ in range(STEPS):
            before = self.see(thing)
            part = self.step(thing, calls, drawing, draft.imports)
            if part is None:
                break
            is_changed = self.see(thing) != before
            stale = 0 if is_changed else stale + 1
            if stale > STALE:  # these calls lead nowhere any more
                calls = self.chosen_calls(0, drawing)
            said = set() if is_changed else said
            text = "\n".join(part)
            if part and not (self.only_asks and text in said):  # what may change the object unseen is never left out
                said.add(text)
                draft.parts.append(part)
            if len(draft.lines()) > TALLEST:
                draft.parts.pop()
                break
        draft.shorten()
        return draft if draft.parts else None

    def start_inside(self, drawing: random.Random) -> tuple[Recipe, Any]:
        """Return an object that an exploration makes, and how."""
        recipe = drawing.choice(self.found)
        return recipe, Case(recipe).value

    def start_beside(self, drawing: random.Random) -> tuple[Recipe, Any] | None:
        """Return an object of arguments that are drawn, and how it is made; nothing if they are refused."""
        for _ in range(TRIED if self.makers else 0):
            drawn = draw_arguments(drawing.choice(self.makers), drawing)
            if drawn is None or drawn.template.wanted:
                continue
            with contextlib.suppress(Exception):  # refused, as another test shows; or an argument cannot be written
                recipe = recipe_of(drawn.template)
                return recipe, Case(recipe).value
        return None

    def chosen_calls(self, number: int, drawing: random.Random) -> Sequence[Sequence[Template]]:
        """Return the calls of which a sequence is drawn: without some of the operations that change the object.

        Else what empties it comes every few calls, and no object ever becomes large.
        """
        changing = [each for each in self.calls if each[0].operation not in self.observers]
        asking = [each for each in self.calls if each[0].operation in self.observers]
        if number % WITH_ALL and len(changing) > 1:
            changing = drawing.sample(changing, max(1, len(changing) // 2))
        return [*changing * ASKED_SELDOM, *asking]

    def step(
        self, thing: Any, calls: Sequence[Sequence[Template]], drawing: random.Random, imports: set[str]
    ) -> list[str] | None:
        """Return a call and what it shows; nothing to say, or None where the sequence has to end."""
        self.only_asks = True
        if self.other and drawing.random() < len(self.other) / (len(self.other) + 2 * sum(map(len, self.calls))):
            return self.look_once(thing, drawing.choice(self.other), imports)
        group = drawing.choice(calls)
        self.only_asks = group[0].operation in self.observers
        if drawn := draw_arguments(group[0].operation, drawing):
            template, inside = drawn.template, not drawn.beside
        else:
            template = draw_call(group, drawing)
            inside = id(template) in self.inside
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
            if kind.__module__ != "builtins" or (inside and kind not in PRECONDITIONS):
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
            if answer is None and self.only_asks and drawing.random() > REFUSALS:
                return []  # nothing is seen of it, and nothing is changed
        if self.soundness is not None and not self.soundness.is_kept_by(thing):
            return None
        imports |= needed
        return [*lines, *_look_again(before, self.see(thing), drawing)]

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


def _look_again(
    before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]], drawing: random.Random
) -> list[str]:
    """Return assertions of what a call has changed; of all that is seen where that takes one line, or now and then."""
    changed = [each for each in after if each not in before]
    lines = together(after) if changed or len(after) < len(before) else []
    return lines if len(lines) <= 1 or drawing.random() < ALL_SEEN else together(changed)


def _is_expression(call: str) -> bool:
    try:
        compile(call, "<call>", "eval")
    except SyntaxError:  # `del x[0]`
        return False
    return True
