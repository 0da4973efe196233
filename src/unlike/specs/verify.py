"""Every input checked again in plain Python, and every pair: by code that shares nothing with the solver.

The check of pairs uses the form of the difference: a key needs a set, a distance sorted neighbours, some-of with keys
only looks inside the groups that share them. What has no form is checked pair by pair.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from unlike.core import CutShort
from unlike.errors import UnlikeError
from unlike.foreign import LateError, describe_error, foreign
from unlike.language.evaluate import choice_key, compile_term
from unlike.language.terms import ChosenAssertion, Node, freeze
from unlike.language.values import belongs, has_builder, is_fresh
from unlike.specs import core_difference as cores
from unlike.specs.numbers import number_of
from unlike.specs.problem import Problem
from unlike.suite import Ending, Status

Assignment: TypeAlias = dict[str, object]
Different: TypeAlias = Callable[[Assignment, Assignment], bool]
REMEMBERED = 50_000  # so many inputs are built once, however many others they are compared with


class BuiltInput(Mapping[str, object]):
    """An input as a plain Python difference sees it: built values by name, as items or attributes."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> object:
        return self._values[name]

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> object:
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(name) from None


def compile_difference(core: cores.Core, problem: Problem) -> Different:
    """Return the difference as a Python function of two assignments."""
    match core:
        case cores.Python(function):
            return _python(function, problem)
        case cores.Every(parts):
            tests = [compile_difference(part, problem) for part in parts]
            return lambda a, b: all(test(a, b) for test in tests)
        case cores.Some(parts):
            tests = [compile_difference(part, problem) for part in parts]
            return lambda a, b: any(test(a, b) for test in tests)
        case cores.Negated(part):
            test = compile_difference(part, problem)
            return lambda a, b: not test(a, b)
        case cores.Select(number, _, parts):
            key, tests = choice_key(number), [compile_difference(part, problem) for part in parts]
            return lambda a, b: a[key] != b[key] or tests[int(str(a[key]))](a, b)
    pair = compile_term(cores.relation(core), pair=True)
    return lambda a, b: bool(pair(a, b))


def _python(function: Callable[..., object], problem: Problem) -> Different:
    fresh = any(map(is_fresh, problem.blanks.values()))  # the user's code may change its arguments
    known: dict[int, tuple[Assignment, BuiltInput]] = {}  # by identity; what is kept stays itself

    def build_input(assignment: Assignment) -> BuiltInput:
        if (found := known.get(id(assignment))) is not None:
            return found[1]
        made = BuiltInput({name: problem.build(name, assignment[name]) for name in problem.blanks})
        if not fresh and len(known) < REMEMBERED:
            known[id(assignment)] = assignment, made
        return made

    def both(a: Assignment, b: Assignment) -> bool:
        one, two = build_input(a), build_input(b)
        if not function(one, two):
            return False
        return bool(function(build_input(b), build_input(a)) if fresh else function(two, one))

    def different(a: Assignment, b: Assignment) -> bool:
        try:
            return foreign(both, a, b)
        except (Exception, SystemExit) as error:  # foreign code may do anything
            shown = [{name: each[name] for name in problem.blanks} for each in (a, b)]
            said = f"the difference raised {type(error).__name__}: {error} on {shown[0]!r} and {shown[1]!r}"
            raise CutShort(Status(Ending.FAILED, said)) from error

    return different


def first_illegal(problem: Problem, inputs: Sequence[Assignment]) -> tuple[int, Status | None] | None:
    """Return the position of the first input outside its bounds, or that breaks an assertion or its own choice.

    If plain Python is what refuses it, after it was accepted before, or a text is too hard to match, a status says so.
    """
    bounds = list(problem.blanks.items())
    tests = [compile_term(each.node) for each in problem.assertions if not each.opaque]
    tests.append(compile_term(cores.assert_choices(problem.difference)))
    holds = _predicates([each.node for each in problem.assertions if each.opaque])
    for position, assignment in enumerate(inputs):
        try:
            if not all(belongs(value, assignment[name]) for name, value in bounds):
                return position, None
            if not all(test(assignment) for test in tests):
                return position, None
        except UnlikeError as error:  # neither Python nor the matcher of ours comes to an end
            return position, Status(Ending.UNKNOWN, f"an input cannot be checked: {error}")
        try:
            if not holds(assignment):
                return position, _fickle("a predicate", assignment, problem)
        except CutShort as cut:
            return position, cut.status
    return None


def _predicates(nodes: list[Node]) -> Callable[[Assignment], bool]:
    if not nodes:
        return lambda _: True
    from unlike.specs.members import checker  # brings the regexes, which a replay of saved inputs can do without

    return checker(nodes, "an assertion")


def _fickle(what: str, assignment: Assignment, problem: Problem) -> Status:
    shown = {name: assignment[name] for name in problem.blanks}
    said = f"{what} accepted {shown!r} and then refused it; it may depend on nothing but its arguments"
    return Status(Ending.FAILED, said)


def fickle_difference(problem: Problem, assignment: Assignment) -> Status | None:
    """Return the status of a difference in plain Python that changed its mind; nothing if none is in plain Python."""
    if not any(isinstance(part, cores.Python) for part in cores.parts_of(problem.difference)):
        return None
    return _fickle("a difference", assignment, problem)


def first_unbuilt(problem: Problem, inputs: Sequence[Assignment]) -> tuple[int, Status] | None:
    """Return the position of the first input whose objects cannot be built by the user's functions, and why."""
    built = [name for name, value in problem.blanks.items() if has_builder(value)]
    for position, assignment in enumerate(inputs) if built else ():
        for name in built:
            try:
                problem.build(name, assignment[name])
            except LateError:
                return position, Status(Ending.TIMEOUT, f"building {name} was not asked in time")
            except (Exception, SystemExit) as error:
                said = f"building {name} raised {describe_error(error)} on {assignment[name]!r}"
                return position, Status(Ending.FAILED, said)
    return None


def first_alike(problem: Problem, inputs: Sequence[Assignment]) -> tuple[int, int] | None:
    """Return the positions of two inputs that are equal or not different, or nothing if every pair is unlike."""
    names = list(problem.blanks)
    numbered = list(enumerate(inputs))
    twins = _same_key(numbered, lambda each: tuple([freeze(each[name]) for name in names]))
    return twins or _alike(problem.difference, numbered, problem)


Numbered: TypeAlias = Sequence[tuple[int, Assignment]]


def _alike(core: cores.Core, inputs: Numbered, problem: Problem) -> tuple[int, int] | None:
    if len(inputs) < 2:
        return None
    match core:
        case cores.Everything():
            return None
        case cores.Nothing():
            return inputs[0][0], inputs[1][0]
        case cores.Key(term):
            value = compile_term(term)
            return _same_key(inputs, lambda each: freeze(value(each)))
        case cores.Branch(number):
            return _same_key(inputs, lambda each: each[choice_key(number)])
        case cores.MinimumDistance():
            return _too_near(core, inputs)
        case cores.Every(parts):
            return next(filter(None, (_alike(part, inputs, problem) for part in parts)), None)
        case cores.Some(parts) if any(isinstance(part, cores.Key | cores.Branch) for part in parts):
            return _alike_in_groups(parts, inputs, problem)
        case cores.Select(number, _, parts):
            groups = _groups(inputs, lambda each: each[choice_key(number)])
            found = (_alike(parts[int(str(choice))], group, problem) for choice, group in groups.items())
            return next(filter(None, found), None)
    different = compile_difference(core, problem)
    for (i, one), (j, two) in itertools.combinations(inputs, 2):
        if not different(one, two):
            return i, j
    return None


def _alike_in_groups(parts: Sequence[cores.Core], inputs: Numbered, problem: Problem) -> tuple[int, int] | None:
    """Look for alike inputs only among those that share the keys of a some-of."""
    tests: list[Callable[[Assignment], object]] = []
    rest: list[cores.Core] = []
    for part in parts:
        match part:
            case cores.Key(term):
                tests.append(compile_term(term))
            case cores.Branch(number):
                tests.append(compile_term(ChosenAssertion(number)))
            case _:
                rest.append(part)
    groups = _groups(inputs, lambda each: tuple(freeze(test(each)) for test in tests))
    left: cores.Core = cores.Nothing() if not rest else rest[0] if len(rest) == 1 else cores.Some(tuple(rest))
    return next(filter(None, (_alike(left, group, problem) for group in groups.values())), None)


def _too_near(gap: cores.MinimumDistance, inputs: Numbered) -> tuple[int, int] | None:
    number = compile_term(gap.term)
    ranked = sorted((number_of(number(each)), position) for position, each in inputs)
    least = int(gap.least) if gap.least.denominator == 1 else gap.least  # ints compare faster
    for (low, i), (high, j) in itertools.pairwise(ranked):
        if high - low < least:
            return i, j
    return None


def _same_key(inputs: Numbered, key: Callable[[Assignment], object]) -> tuple[int, int] | None:
    seen: dict[object, int] = {}
    for position, assignment in inputs:
        value = key(assignment)
        if value in seen:
            return seen[value], position
        seen[value] = position
    return None


def _groups(inputs: Numbered, key: Callable[[Assignment], object]) -> dict[object, list[tuple[int, Assignment]]]:
    groups: dict[object, list[tuple[int, Assignment]]] = {}
    for position, assignment in inputs:
        groups.setdefault(key(assignment), []).append((position, assignment))
    return groups
