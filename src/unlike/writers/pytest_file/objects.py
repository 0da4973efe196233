"""Tests of the objects that an exploration found: what can be seen of each, what it refuses, what follows."""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
import math
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from unlike.classes.api import Kind, Operation, Template
from unlike.classes.beside_scope import beside_scope
from unlike.classes.evidence import Outcome
from unlike.classes.result import Result
from unlike.classes.soundness import Soundness
from unlike.core import CutShort
from unlike.core.question import PRECONDITIONS
from unlike.errors import UnlikeError
from unlike.isolation import Answer, Death, Verdict
from unlike.isolation.copy import mark
from unlike.recipe import Argument, Items, Method, Recipe, Ref
from unlike.suite import Case
from unlike.writers.envelope import Page
from unlike.writers.observations import (
    AnswerLook,
    Observation,
    attributes_of,
    is_plain,
    line_of,
    observations_of,
    source_of_value,
)
from unlike.writers.pytest_file.drafts import Draft, TestModule, building, confirm, docs, heading, test_name
from unlike.writers.pytest_file.other_makers import find_deadly, making
from unlike.writers.pytest_file.other_order import leave_out_unordered
from unlike.writers.pytest_file.walks import walk_tests
from unlike.writers.python_source import IN_PLACE, OPERATORS, SourceLines, assertion, source_of, together

T = TypeVar("T")
HALF = 0.5  # of the time that is left goes to writing tests, the rest to running them
MOST_OBSERVED = 16  # observations in one test
MOST_PAIRED = 6  # calls with another object that change neither
MOST_AFTER = 8  # changing calls in one test
ORDERS = 3  # times that all tests are run once more after something was left out that has no fixed order
ENOUGH_TESTS = 60  # of few objects: more of them go on with calls that the first do not make
SEEN_AFTER = 6  # observations after each of them
MOST_REFUSED = 3  # calls that the object refuses


def object_tests(
    result: Result,
    cases: Sequence[Case],
    *,
    calls: Result | None = None,
    first: int = 0,
    is_last: bool = True,
    title: str = "",
) -> Page:
    """Return a test file with one test per object, run before it is written.

    `calls` are what is known of the calls, if another exploration found that.
    The objects are those of the exploration, or with a title of their own any others of its classes.
    The last file has further tests: more calls on the objects where they are few, other ways to make them, and longer
    sequences, with calls beside the scope.
    What does not hold when the tests are run as pytest will run them is left out; a test whose object cannot be made
    again is skipped.
    """
    sheet, calls = TestModule(), calls or result
    headings = {} if title else result.headings()
    walks = walk_tests(calls, cases, _on_objects(calls), look_at_answers(calls)) if is_last else []
    drafts = _in_time(calls, cases, first)
    own = len(drafts)
    if is_last and own == len(cases):
        drafts += _in_time(calls, cases, first, further=True) if first == 0 else []
        drafts += [] if title else making(result, list(result.suite), look_at_answers(calls))
    drafts += walks
    for _ in range(ORDERS):
        confirm(drafts, calls.each_in_copies, alone=bool(calls.leaks))
        if not leave_out_unordered(drafts):
            break
    for index, draft in enumerate(drafts):
        if draft.is_too_long:
            continue
        sheet.tests.append((heading(headings.get(first + index, "")) if index < own else "") + draft.text)
        sheet.imports |= draft.imports
    if not title:
        all_of_it = f"Every {result.name} within {result.scope}."
        title = f"{result.name}: {result.suite.guarantee}." if result.selected else all_of_it
    title = "\n\n".join("\n".join(textwrap.wrap(each, 117)) for each in (title, _not_asserted(calls)) if each)
    pairs = zip(cases, drafts, strict=False)
    skipped = [f"{case.label}: {draft.why_not}" for case, draft in pairs if draft.why_not]
    if (late := len(cases) - own) > 0:
        skipped.append(f"{late:,} more objects: there was no time to write them")
    return Page("", [sheet.text(title)], tuple(skipped))


def _in_time(result: Result, cases: Sequence[Case], first: int, *, further: bool = False) -> list[Draft]:
    """Return the tests that there is time to write, and to run afterwards."""
    total, drafts = result.deadline, list[Draft]()
    result.deadline = total.part(HALF)
    try:
        drafts.extend(_drafts(result, cases, first, further=further))  # what came before a cut stays
    except CutShort:
        pass
    finally:
        result.deadline = total
    return drafts


def _drafts(result: Result, cases: Sequence[Case], first: int, *, further: bool) -> Iterator[Draft]:
    """Yield the test of each object; of one that cannot be made twice what can be seen of the first.

    Further tests of few objects make the calls that there is no room for in the first.
    """
    simple, other = observations_of(result)
    following = _following(result)
    writer = _ObjectWriter(
        simple,
        other,
        look_at_answers(result),
        following,
        _pairing(result),
        _refusing(result),
        cases,
        first,
        result.soundness,
    )
    needed = max(math.ceil(len(following) / MOST_AFTER), math.ceil(2 * len(other) / MOST_OBSERVED))
    turns = range(1, min(needed, ENOUGH_TESTS // max(1, len(cases)))) if further else range(1)
    plan = [(index, turn) for turn in turns for index in range(len(cases))]
    for (index, turn), verdict in zip(
        plan, result.each_in_copies(lambda place: writer.draft(*plan[place]), len(plan)), strict=False
    ):
        while isinstance(verdict, Death):  # what is asked next did not let its process live: once more, without it
            writer.avoid(verdict, cases[index])
            verdict = _once(result, functools.partial(writer.draft, index, turn))
        erratic = _erratic(cases[index], result)  # it may have done the same twice by chance
        if turn == 0 and (erratic or not isinstance(verdict, Answer)):
            verdict = _once(result, functools.partial(writer.glimpse, index))
        draft = verdict.result if isinstance(verdict, Answer) else writer.bare(index)
        if erratic:
            draft.skip(f"{erratic} did something else when it was called again")
        if turn == 0 or (isinstance(verdict, Answer) and not draft.skipped and (draft.parts or draft.after)):
            yield draft


def _once(result: Result, work: Callable[[], Draft]) -> Verdict:
    (verdict,) = result.each_in_copies(lambda _: work(), 1)
    return verdict


def look_at_answers(result: Result) -> AnswerLook:
    """Return how answers of calls are written."""
    return AnswerLook(tuple(observations_of(result)[0]), (*result.api.classes, *result.api.extra))


def _erratic(case: Case, result: Result) -> str:
    """Return the call among those that make the object that does not do the same each time; nothing if all do.

    One that changes state outside the objects is left to the trial of the tests, in the order of the file and alone.
    """
    leaky = {title.partition(".")[0] for title in result.leaks.values()}  # by class
    unsteady = [title for title in result.unsteady if title.partition(".")[0] not in leaky]
    for step in case.recipe.steps:
        name = step.name if isinstance(step, Method) else getattr(getattr(step, "function", None), "qualname", "")
        for title in unsteady:
            if name in (title, title.rpartition(".")[2]):
                return title
    return ""


def _following(result: Result) -> list[Template]:
    """Return the calls that change objects; what else they take is another object."""
    found = [each for each in _on_objects(result) if each.operation not in result.observers]
    return [each for each in found if all(cls in result.api.classes for cls in each.wanted)]


def _pairing(result: Result) -> list[Template]:
    """Return the calls that take another object of the classes, and change neither."""
    found = [each for each in _on_objects(result) if each.operation in result.observers and len(each.wanted) == 2]
    return [each for each in found if all(cls in result.api.classes for cls in each.wanted)]


def _refusing(result: Result) -> list[list[Template]]:
    """Return the calls of each operation that some object refused, with nothing but the receiver."""
    refused = [
        operation for operation, outcomes in result.by_operation.items() if outcomes.get(Outcome.PRECONDITION, 0)
    ]
    wrong = {each.operation for each in result.errors}  # what it raises may be the error
    calls = [each for each in _on_objects(result) if len(each.wanted) == 1 and each.operation.title not in wrong]
    groups = [[each for each in calls if each.operation is operation] for operation in refused]
    groups += [[each] for each in beside_scope(calls)]
    return [group for group in groups if group]


def _on_objects(result: Result) -> list[Template]:
    """Return the calls on objects, without operations that ended or blocked a process, or do not do the same each time.

    Of other operations that revealed an error only the calls are left out that do so.
    """
    left_out = {*find_deadly(result), *result.unsteady}
    templates = (*result.api.templates, *beside_scope(result.api.templates))
    found = [each for each in templates if each.operation.has_receiver and len(each.wanted) <= 2]
    return [each for each in found if each.operation.title not in left_out]


def _not_asserted(result: Result) -> str:
    """Return in words which calls no test makes, because of the errors they revealed."""
    deadly = find_deadly(result)
    some = dict.fromkeys(each.operation for each in result.errors if each.operation not in deadly)
    said = [f"calls of {each} that reveal an error" for each in some]
    said += [f"any call of {each}, which can end or block its process" for each in deadly]
    return f"Not asserted: {'; '.join(said)}." if said else ""


def _in_turn(things: Sequence[T], number: int, most: int) -> Iterator[T]:
    """Yield all things, beginning where the object before this one stopped after so many of them."""
    for step in range(len(things)):
        yield things[(number * most + step) % len(things)]


@dataclass(slots=True)
class _ObjectWriter:
    simple: Sequence[Observation]
    other: Sequence[Observation]
    look: AnswerLook
    following: Sequence[Template]
    pairing: Sequence[Template]
    refusing: Sequence[Sequence[Template]]
    cases: Sequence[Case]
    first: int  # number of a case
    soundness: Soundness | None = None
    imports: set[str] = field(default_factory=set)
    deadly: set[tuple[int, int]] = field(default_factory=set)  # tests and questions that no process survives
    number: int = 0  # the test
    asked: int = 0  # questions of this test

    def bare(self, index: int, turn: int = 0) -> Draft:
        """Return a test that makes the object and asserts nothing."""
        case, number = self.cases[index], self.first + index
        source = source_of(case.recipe, in_place=False)
        name = test_name(case.id.rpartition("-")[0], f"{number}_part_{turn + 1}" if turn else number)
        lines = building(source)
        return Draft(name, docs(case.label), lines, lines, imports=set(source.imports))

    def glimpse(self, index: int) -> Draft:
        """Return a test of an object that is made once: of what can be seen of it."""
        draft = self.bare(index)
        thing = self.cases[index].value
        draft.parts = [[assertion(each, value)] for each, value in self.look.of_object(thing, "x")]
        draft.imports |= {line for each in self.simple for line in each.imports}
        return draft

    def draft(self, index: int, turn: int) -> Draft:
        """Return a test of one object; in a later turn one that goes on where the last one stopped."""
        number = self.first + index + turn
        self.number, self.asked, self.imports = turn * len(self.cases) + index, 0, set()
        case, partner = self.cases[index], self.partner(index)
        draft = self.bare(index, turn)
        source = source_of(case.recipe, in_place=_stays_in_place(case))
        last = self.ask(lambda: last_line(case, source))
        draft.bare = building(source)
        draft.building = building(source, last)
        draft.after = list(self.after(case, number, partner))
        draft.parts = [
            *self.ask_soundness(case),
            *self.observe(case, number, [] if turn else [*self.simple, *attributes_of(case.value)]),
            *self.find_answers_of_pairs(case, number, partner),
            *self.find_refusals(case, number),
        ]
        if partner is not None and any("other()" in line for part in (*draft.parts, *draft.after) for line in part):
            source = source_of(partner.recipe, in_place=False)
            draft.other = building(source)
            self.imports |= source.imports
        draft.imports |= self.imports
        draft.shorten()
        return draft

    def partner(self, index: int) -> Case | None:
        """Return another object, in another state, that calls on this one can take; nothing if there is none."""
        own = _kind(self.cases[index])
        wanted = [each.wanted[1].__name__ for each in (*self.pairing, *self.following) if len(each.wanted) == 2]
        if not wanted:
            return None
        kind = own if own in wanted else wanted[0]
        turned = (*self.cases[index + 1 :], *self.cases[:index])
        return next((case for case in turned if _kind(case) == kind), None)

    def avoid(self, death: Death, case: Case) -> None:
        """Ask a question no more that ended its process."""
        number, question = death.at[1:3]
        if not question:
            raise UnlikeError(f"writing the test of {case.label} ended its process: {death.cause}")
        self.deadly.add((number, question))

    def ask(self, question: Callable[[], T]) -> T | None:
        """Return the answer to a question, or nothing to one that no process survives."""
        self.asked += 1
        mark(self.number, self.number, self.asked)
        return None if (self.number, self.asked) in self.deadly else question()

    def observe(self, case: Case, number: int, simple: Sequence[Observation]) -> list[list[str]]:
        """Return assertions of what can be seen of the object, of what is the same each time."""
        found: list[list[str]] = []
        for observation in (*simple, *_in_turn(self.other, number, MOST_OBSERVED // 2)):
            lines = self.ask(functools.partial(self.observe_twice, observation, case))
            if lines:
                found.append(lines)
                self.imports |= observation.imports
            if len(found) == MOST_OBSERVED:
                return found
        return found

    def observe_twice(self, observation: Observation, case: Case) -> list[str]:
        """Return assertions of what is seen of a fresh object, if it is the same each time."""
        one, other = [self.look.lines(observation.on("x"), observation.answer(x), x) for x in (case.value, case.value)]
        return one if one == other else []

    def find_answers_of_pairs(self, case: Case, number: int, partner: Case | None) -> list[list[str]]:
        """Return assertions of what calls with another object answer: with one in the same state, and in another."""
        found: list[list[str]] = []
        for template in _in_turn(self.pairing, number, MOST_PAIRED):
            for other in (case, partner):
                with contextlib.suppress(UnlikeError):
                    found += self.ask(functools.partial(self.answers_of_pair, template, case, other)) or ()
        return found[:MOST_PAIRED]

    def answers_of_pair(self, template: Template, case: Case, other: Case | None) -> list[list[str]]:
        """Return assertions of what one call with another object answers."""
        if (tried := self.try_call(template, case, other)) is None:
            return []
        thing, answer = tried
        line, imports = line_of(template)
        self.imports |= imports
        call = line.replace("{x}", "x").replace("made()", "made()" if other is case else "other()")
        return [lines] if (lines := self.look.lines(call, answer, thing)) else []

    def find_refusals(self, case: Case, number: int) -> list[list[str]]:
        """Return assertions of what the object refuses: a call of each operation, in turn."""
        found: list[list[str]] = []
        for templates in _in_turn(self.refusing, number, MOST_REFUSED):
            for template in _in_turn(templates, number, 1):
                error = self.ask(functools.partial(_refusal_of, template, case))
                if error is None:
                    continue
                with contextlib.suppress(UnlikeError):  # an argument without a literal form cannot be written
                    line, imports = line_of(template)
                    self.imports |= {"import pytest", *imports}
                    found.append([f"with pytest.raises({error}):", f"    {line.replace('{x}', 'x')}"])
                    break
            if len(found) == MOST_REFUSED:
                break
        return found

    def after(self, case: Case, number: int, partner: Case | None) -> Iterator[list[str]]:
        """Yield calls that follow on a fresh object, each with what can be seen afterwards."""
        calls = [(each, case) for each in self.following]
        calls += [(each, partner) for each in self.following if partner is not None and len(each.wanted) == 2]
        shown = 0
        for template, other in itertools.islice(_in_turn(calls, number, MOST_AFTER), 2 * MOST_AFTER):
            with contextlib.suppress(UnlikeError):
                lines = self.ask(functools.partial(self.one_after, case, template, other))
                if lines and shown < MOST_AFTER:
                    shown += 1
                    yield lines

    def ask_soundness(self, case: Case) -> list[list[str]]:
        """Return the line that asks the invariant, if there is one."""
        if self.soundness is None or not self.soundness.applies_to(case.value):
            return []
        line, needed = self.soundness.write_question(case.value)
        self.imports |= needed
        return [[line]]

    def try_call(self, template: Template, case: Case, other: Case | None) -> tuple[Any, Any] | None:
        """Return the object after the call and what the call answered; None where the call may not be made.

        What raises here is no part of a test, nor what breaks the invariant: that is shown as an error.
        """
        if other is None or not _fits(template, case, other):
            return None
        thing: Any = case.value
        try:
            answer = _perform(template, other, thing)
            holds = self.soundness is None or self.soundness.is_kept_by(thing)
        except Exception:
            return None
        return (thing, answer) if holds else None

    def one_after(self, case: Case, template: Template, other: Case) -> list[str]:
        """Return one call and what can be seen afterwards, if the call is allowed here and something can be seen."""
        if (tried := self.try_call(template, case, other)) is None:
            return []
        thing, result = tried
        line, imports = line_of(template)
        if template.operation.name in IN_PLACE and result is not thing:
            return []  # `x += y` would put another object in the place of x
        attributes = attributes_of(thing)
        asked = (*attributes[: SEEN_AFTER // 2], *self.simple, *self.other)
        seen = [(each.on("x"), value) for each in asked if (value := each.value(thing)) is not None][:SEEN_AFTER]
        call = line.replace("{x}", "x").replace("made()", "made()" if other is case else "other()")
        lines = self.look.lines(call, result, thing) if _shows(template.operation, result) else []
        if not seen and not lines:
            return []
        self.imports |= imports
        return [*(lines or [call]), *together(seen)]


def _kind(case: Case) -> str:
    return case.id.rpartition("-")[0]


def _fits(template: Template, case: Case, other: Case) -> bool:
    """Tell whether the call can take the objects, as far as their classes go."""
    return isinstance(case.value, template.wanted[0]) and (
        len(template.wanted) == 1 or isinstance(other.value, template.wanted[1])
    )


def _stays_in_place(case: Case) -> bool:
    """Tell whether every operator in place gives the object it was called on: only then it can be written as one."""
    steps = case.recipe.steps
    numbers = [n for n, step in enumerate(steps) if isinstance(step, Method) and step.name in IN_PLACE]
    pairs: list[Argument] = [ref for n in numbers for ref in (steps[n].receiver, Ref(n))]  # type: ignore[union-attr]
    made: Any = Case(Recipe(steps, Items("list", tuple(pairs)))).value if pairs else []
    return all(one is other for one, other in zip(made[::2], made[1::2], strict=True))


def _perform(template: Template, case: Case, thing: object) -> object:
    """Make a call with arguments of its own, and with other objects in the same state where they are wanted."""
    objects = [thing, *(case.value for _ in template.wanted[1:])]
    receiver, args, kwargs = template.fill(objects, copy.deepcopy)
    return template.operation.perform(receiver, args, dict(kwargs))


def _refusal_of(template: Template, case: Case) -> str | None:
    """Return the built-in exception with which the object refuses a call each time; nothing if it does not."""
    names = set()
    for _ in range(2):
        try:
            _perform(template, case, case.value)
        except PRECONDITIONS as error:
            names.add(type(error))
        except Exception:  # an error that was revealed, and stands in the other file
            return None
        else:
            return None
    only = names.pop()
    return only.__name__ if not names and only.__module__ == "builtins" else None


def _shows(operation: Operation, result: object) -> bool:
    """Tell whether what a call returned can be asserted."""
    asked = operation.kind in (Kind.METHOD, Kind.GETTER) and operation.name not in OPERATORS
    return asked and result is not None


def last_line(case: Case, source: SourceLines) -> str:
    """Return the last call, with an assertion of what it returned if that is plain."""
    line = source.lines[-1] if source.lines else ""
    last = case.recipe.steps[-1]
    if not isinstance(last, Method) or last.name in OPERATORS or " = " in line.partition("(")[0]:
        return line
    value = Case(Recipe(case.recipe.steps, Ref(len(case.recipe.steps) - 1))).value
    return line if value is None or not is_plain(value) else assertion(line, source_of_value(value))
