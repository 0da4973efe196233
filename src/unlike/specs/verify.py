"""Every input checked again in plain Python, and every pair: by code that shares nothing with the solver.

The check of pairs uses the form of the difference: a key needs a set, a distance sorted neighbours, some-of with keys
only looks inside the groups that share them. What has no form is checked pair by pair.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
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


FindIllegal: TypeAlias = Callable[[Sequence[Assignment]], "tuple[int, Status | None] | None"]


def first_illegal(problem: Problem, inputs: Sequence[Assignment]) -> tuple[int, Status | None] | None:
    """Return the position of the first input outside its bounds, or that breaks an assertion or its own choice.

    If plain Python is what refuses it, after it was accepted before, or a text is too hard to match, a status says so.
    """
    return find_illegal(problem)(inputs)


def find_illegal(problem: Problem) -> FindIllegal:
    """Return `first_illegal` of a problem as a function of the inputs, for one block of them after the other."""
    bounds = list(problem.blanks.items())
    tests = [compile_term(each.node) for each in problem.assertions if not each.opaque]
    tests.append(compile_term(cores.assert_choices(problem.difference)))
    holds = _predicates([each.node for each in problem.assertions if each.opaque])

    def find(inputs: Sequence[Assignment]) -> tuple[int, Status | None] | None:
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

    return find


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
    is_alike = compare_with_earlier(problem)
    for position, assignment in enumerate(inputs):
        if is_alike(assignment):
            return next(each for each in range(position) if _are_alike(problem, inputs[each], assignment)), position
    return None


def _are_alike(problem: Problem, one: Assignment, two: Assignment) -> bool:
    is_alike = compare_with_earlier(problem)
    return is_alike(one) or is_alike(two)


IsAlike: TypeAlias = Callable[[Assignment], bool]


def compare_with_earlier(problem: Problem) -> IsAlike:
    """Return a function that is shown one input after the other and tells whether it is like an earlier one.

    It keeps of an input what the form of the difference needs: a key, a number; the whole of it only where nothing
    less will do.
    """
    names = list(problem.blanks)
    compare = _compare(problem.difference, problem)
    if _tells_equal(problem.difference):
        return compare
    is_twin = _same_key(lambda each: tuple([freeze(each[name]) for name in names]))
    return lambda each: is_twin(each) or compare(each)


def _tells_equal(core: cores.Core) -> bool:
    """Tell whether equal inputs are alike by the form of the difference, whatever it speaks of."""
    match core:
        case cores.Key() | cores.Nothing():
            return True
        case cores.MinimumDistance(_, least):
            return least > 0
        case cores.Every(parts):
            return any(map(_tells_equal, parts))
        case cores.Some(parts):
            return all(map(_tells_equal, parts))
    return False  # a choice tells apart also what is equal, and plain Python whatever it likes


def _compare(core: cores.Core, problem: Problem) -> IsAlike:
    match core:
        case cores.Everything():
            return lambda _: False
        case cores.Nothing():
            return _same_key(lambda _: None)
        case cores.Key(term):
            value = compile_term(term)
            return _same_key(lambda each: freeze(value(each)))
        case cores.Branch(number):
            return _same_key(lambda each: each[choice_key(number)])
        case cores.MinimumDistance():
            return _too_near(core)
        case cores.Every(parts):
            tests = [_compare(part, problem) for part in parts]
            return lambda each: sum(test(each) for test in tests) > 0  # every one is shown every input
        case cores.Some(parts) if any(isinstance(part, cores.Key | cores.Branch) for part in parts):
            return _compare_in_groups(parts, problem)
        case cores.Select(number, _, parts):
            tests = [_compare(part, problem) for part in parts]
            return lambda each: tests[int(str(each[choice_key(number)]))](each)
    return _compare_pairs(compile_difference(core, problem))


def _compare_pairs(different: Different) -> IsAlike:
    earlier: list[Assignment] = []

    def is_alike(assignment: Assignment) -> bool:
        found = not all(different(each, assignment) for each in earlier)
        earlier.append(assignment)
        return found

    return is_alike


def _compare_in_groups(parts: Sequence[cores.Core], problem: Problem) -> IsAlike:
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
    left = rest[0] if len(rest) == 1 else cores.Some(tuple(rest))
    groups: dict[object, IsAlike] = {}

    def key_of(assignment: Assignment) -> object:
        return tuple([freeze(test(assignment)) for test in tests])

    def is_alike(assignment: Assignment) -> bool:
        key = key_of(assignment)
        if key not in groups:
            groups[key] = _compare(left, problem)
        return groups[key](assignment)

    return is_alike if rest else _same_key(key_of)


def _too_near(gap: cores.MinimumDistance) -> IsAlike:
    number = compile_term(gap.term)
    least = int(gap.least) if gap.least.denominator == 1 else gap.least  # ints compare faster
    ranked: list[Fraction | int] = []

    def is_alike(assignment: Assignment) -> bool:
        value = number_of(number(assignment))
        place = bisect.bisect_left(ranked, value)
        near = ranked[max(place - 1, 0) : place + 1]
        ranked.insert(place, value)
        return any(max(value, each) - min(value, each) < least for each in near)

    return is_alike


def _same_key(key: Callable[[Assignment], object]) -> IsAlike:
    seen: set[object] = set()

    def is_alike(assignment: Assignment) -> bool:
        value, before = key(assignment), len(seen)
        seen.add(value)
        return len(seen) == before

    return is_alike
