"""From a space and code to a suite: candidates are run, searched further, and chosen by what the code did with them."""

from __future__ import annotations

import functools
import importlib
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.behaviour.beside import ExistingInputs, existing_inputs
from unlike.behaviour.calls import PassedInput, calls_with, functions_left_out, passed_inputs
from unlike.behaviour.changes import MentionedValues
from unlike.behaviour.choose import choose_fewest, order_by_news
from unlike.behaviour.hanging import NOT_RUN, HangingInputs
from unlike.behaviour.pool import Candidate, CandidatePool, gather, look_of, size_of
from unlike.behaviour.result import (
    ChosenCases,
    Proofs,
    count_branches,
    dark_branches,
    guarantee_of,
    lost_in_words,
    reasons_of,
    words_of,
)
from unlike.behaviour.search import search
from unlike.behaviour.source_values import known_values
from unlike.behaviour.spaces import InputSpace, SeenInput
from unlike.behaviour.unreachable import Branch, ask_in_the_dark
from unlike.core import CutShort, Deadline, Isolation
from unlike.errors import ScopeError, SpecError, nearest
from unlike.observe.run import BY, Behaviour, By, Feature, closest_of, features_of
from unlike.observe.watched import Watched
from unlike.progress import report
from unlike.recipe import Recipe
from unlike.suite import Case, Ending, Status, Suite, proof_of

USUAL_BY: tuple[By, ...] = ("branches", "paths", "boundaries")
BLOCK, SMALL_BLOCK = 400, 40  # candidates in one copy; at first, and once some hang, before others are looked at


LOST = ("hangs", "dies")  # results of calls of which nothing else is known


@dataclass(frozen=True, slots=True)
class CodeQuestion:
    """By which code inputs are chosen, and how."""

    code: object
    within: Sequence[str] | None = None  # the modules and packages that are looked into
    by: tuple[By, ...] | None = None
    share: float | None = 0  # of inputs that may fail; None: as many as show something
    uses_source: bool = True
    seed: int = 0


def question_of(code: object, within: object, by: object, mix: object, *, source: bool, seed: int) -> CodeQuestion:
    """Return what is asked of code, checked."""
    return CodeQuestion(code, modules_of(within), families_of(by), share_of(mix), source, seed)


def families_of(by: object) -> tuple[By, ...] | None:
    """Return what is looked at; nothing for what is usual."""
    if by is None:
        return None
    given = [by] if isinstance(by, str) else by
    if not isinstance(given, Sequence) or not given:
        raise SpecError(f"by={by!r}: give one or several of {', '.join(BY)}")
    for each in given:
        if each not in BY:
            raise SpecError(f"by={by!r}: {nearest(str(each), BY)}")
    return tuple(each for each in BY if each in given)


def modules_of(within: object) -> Sequence[str] | None:
    """Return the names of the modules that are looked into; nothing for what is usual."""
    if within is None:
        return None
    given = [within] if isinstance(within, str) else within
    if not isinstance(given, Sequence) or not all(isinstance(each, str) for each in given):
        raise SpecError(f"within={within!r}: give the names of modules or packages")
    for name in given:
        try:
            importlib.import_module(name)
        except Exception as error:
            raise SpecError(f"within={within!r}: {name} cannot be imported: {error}; give its full name") from error
    return given


def share_of(mix: object) -> float | None:
    """Return how many inputs may fail: none, a share, or (mix=True) as many as behave in ways of their own."""
    if mix is False or mix is True:
        return None if mix else 0
    if isinstance(mix, bool) or not isinstance(mix, int | float) or not 0 <= mix <= 1:
        raise ScopeError(f"mix={mix!r} must be True, or the largest share of inputs that may fail: mix=0.25")
    return mix


def choose_inputs(
    space: InputSpace,
    n: int | None,
    question: CodeQuestion,
    isolation: Isolation,
    deadline: Deadline,
    *,
    kept: Sequence[Any] = (),
    beside: object = None,
) -> Suite:
    """Return n inputs that the code treats most differently; without n few that show everything reached.

    A larger n keeps the smaller suite as its beginning. Inputs that are `kept` come first, and count as shown. With
    inputs `beside` them, which are not among those returned, only inputs that show something new are.
    """
    if n is not None and (type(n) is not int or n < 1):
        raise ScopeError(f"n={n!r} must be an int of at least 1; leave it out for the fewest that show everything")
    observed = _observe(question.code, question.within, space, isolation, deadline)
    watched = observed.watched
    functions = [each.function for each in observed.passed]
    known = known_values(functions, question.within) if question.uses_source else MentionedValues()
    pool = gather(space, known, may_fail=question.share != 0, seed=question.seed, kept=kept)
    assert pool.status is not None
    if not pool.candidates:
        return Suite(space.name, ChosenCases((), (), 0, 0, 0), pool.status, f"0 inputs, {pool.status}")
    try:
        there = None if beside is None else existing_inputs(beside, space, observed.passed, isolation)
        runs = observed.see(pool.candidates)
        pool.candidates, runs = _leave_out_not_run(pool.candidates, runs)
        pool.is_whole &= not observed.hanging.skipped
        if space.may_change and not (pool.is_whole and question.share == 0):
            search(pool, runs, observed.see, sites=watched.spots, known=known, seed=question.seed)
        impossible: dict[Branch, bool] = {}
        if not pool.is_whole or question.share != 0:
            impossible = ask_in_the_dark(pool, runs, watched.spots, observed.passed, observed.see, deadline)
        if there is not None:
            first = [Candidate(None, recipe, "is there already") for recipe in there.recipes]
            runs[:0] = observed.see_recipes(there.recipes)
            observed.count += len(first)
            pool.candidates[:0] = first
    except CutShort as cut:
        return Suite(space.name, ChosenCases((), (), 0, 0, 0), cut.status, f"0 inputs, {cut.status}")
    return _CodeChoice(pool, runs, question, observed, len(kept), impossible, there).suite(n)


def _leave_out_not_run(
    candidates: Sequence[Candidate], runs: Sequence[Behaviour]
) -> tuple[list[Candidate], list[Behaviour]]:
    kept = [(candidate, run) for candidate, run in zip(candidates, runs, strict=True) if run is not NOT_RUN]
    return [candidate for candidate, _ in kept], [run for _, run in kept]


def _observe(
    code: object, within: Sequence[str] | None, space: InputSpace, isolation: Isolation, deadline: Deadline
) -> _Observed:
    passed = passed_inputs(code, space.blanks, space.parts)
    left_out = tuple(functions_left_out(code, space.blanks, space.parts))
    watched = Watched([each.function for each in passed], within, isolation)
    return _Observed(watched, passed, isolation, deadline, left_out)


@dataclass(slots=True)
class _Observed:
    """Candidates handed to the code, one after the other."""

    watched: Watched
    passed: Sequence[PassedInput]
    isolation: Isolation
    deadline: Deadline
    left_out: tuple[str, ...] = ()  # functions of a module that cannot take an input, in words
    count: int = 0
    hanging: HangingInputs = field(default_factory=HangingInputs)

    def see(self, candidates: Sequence[Candidate]) -> list[Behaviour]:
        """Return what the code does with each, and count them; NOT_RUN for those that are like others that hang."""
        runs: list[Behaviour] = []
        while len(runs) < len(candidates):
            block = BLOCK if self.count and not self.hanging.hangs else SMALL_BLOCK
            wanted = candidates[len(runs) : len(runs) + block]
            near = [self.hanging.is_near(each.recipe) for each in wanted]
            seen = iter(self.see_recipes([each.recipe for each, skip in zip(wanted, near, strict=True) if not skip]))
            for candidate, skip in zip(wanted, near, strict=True):
                run = NOT_RUN if skip else next(seen)
                runs.append(run)
                if not skip:
                    self.count += 1
                    self.hanging.note(candidate.recipe, run)
        return runs

    def see_recipes(self, recipes: Sequence[Recipe]) -> list[Behaviour]:
        """Return what the code does with each input."""
        runs: list[Behaviour] = []
        for start in range(0, len(recipes), BLOCK):
            block = recipes[start : start + BLOCK]
            # inputs are built where the code runs: their constructors are the user's, too
            made = [functools.partial(calls_with, self.passed, recipe) for recipe in block]
            for run in self.watched.see_all(made, self.deadline):
                runs.append(run)
                report("running", self.count + len(runs))
        return runs


@dataclass(slots=True)
class _CodeChoice:
    """Candidates with their runs, and which of them are taken."""

    pool: CandidatePool
    runs: list[Behaviour]
    question: CodeQuestion
    observed: _Observed
    kept: int  # of the first candidates
    impossible: Mapping[Branch, bool] = field(default_factory=dict)  # that no legal input takes (proved)
    there: ExistingInputs | None = None  # the candidates before all others, which are not taken

    @property
    def before(self) -> int:
        """How many inputs are there already."""
        return 0 if self.there is None else len(self.there.recipes)

    def suite(self, n: int | None) -> Suite:
        """Return the chosen inputs."""
        sizes = [size_of(each.recipe) for each in self.pool.candidates]
        shown = self.features(self.question.by or USUAL_BY, look=n is not None)
        if (n is None or self.there is not None) and self.question.by is None:
            # every path of its own would be too many
            shown = [[feature for feature in each if feature[:2] != ("paths", "whole")] for each in shown]
        chosen = self.choose(shown, sizes, n)
        unsteady = self.find_unsteady(chosen)
        lost = any(each[0] in LOST for run in self.runs for each in run.results)  # with what they took
        doubts = bool(unsteady or self.observed.watched.blind or lost)
        whole = "" if doubts else self.whole_in_words()
        cases = self.cases(chosen, shown, sizes, unsteady, self.proofs(whole, steady=not unsteady))
        guarantee = guarantee_of(cases, whole=whole)
        status = self.status(len(cases.cases), n, proved=bool(whole))
        return Suite(self.pool.space.name, cases, status, guarantee, self.explanation(cases))

    def features(self, families: Sequence[By], *, look: bool) -> list[list[Feature]]:
        """Return what each candidate shows."""
        closest = closest_of(self.runs)
        found = []
        for candidate, run in zip(self.pool.candidates, self.runs, strict=True):
            mine = [feature for by in families for feature in features_of(run, by, closest)]
            mine += [("results", *each) for each in run.results if each[0] in LOST and "results" not in families]
            mine += [("look", *each) for each in look_of(candidate.recipe)] if look else []
            found.append(mine)
        return found

    def choose(self, shown: list[list[Feature]], sizes: list[int], n: int | None) -> list[int]:
        """Return the candidates to take, in order."""
        candidates, space, share = self.pool.candidates, self.pool.space, self.question.share

        seen = self.see_differences()

        def differs(one: int, two: int) -> bool:
            if min(one, two) < self.before:
                return True  # the space knows nothing of what is there
            mixed = not candidates[one].legal or not candidates[two].legal
            return mixed or space.differs(
                SeenInput(candidates[one].plain, seen[one]), SeenInput(candidates[two].plain, seen[two])
            )

        def admits(index: int, chosen: Sequence[int]) -> bool:
            if share is None or candidates[index].legal:
                return True
            failing = 1 + sum(not candidates[each].legal for each in chosen)
            return failing <= math.floor(share * (len(chosen) + 1))

        first = list(range(self.before + self.kept))
        if n is None and not space.codes:
            return [*first, *choose_fewest(shown, sizes, differs=differs, first=first)]
        order = order_by_news(shown, sizes, admits=admits, differs=differs, first=first)
        if self.there is not None:
            order = _only_new(order, shown, first)
        return [*first, *itertools.islice(order, n)]

    def see_differences(self) -> list[tuple[int, ...]]:
        """Return of each candidate what the codes did with it that the difference of the space speaks of, numbered."""
        columns: list[list[int]] = []
        for said in self.pool.space.codes:
            runs = self.runs
            if said.code != self.question.code or said.within != self.question.within:
                observed = _observe(
                    said.code, modules_of(said.within), self.pool.space, self.observed.isolation, self.observed.deadline
                )
                runs = observed.see_recipes([each.recipe for each in self.pool.candidates])
            numbers: dict[frozenset[Feature], int] = {}
            families = families_of(said.by) or USUAL_BY
            shown = [frozenset(each for by in families for each in features_of(run, by)) for run in runs]
            columns.append([numbers.setdefault(each, len(numbers)) for each in shown])
        return list(zip(*columns, strict=True)) if columns else [()] * len(self.runs)

    def find_unsteady(self, chosen: Sequence[int]) -> list[int]:
        """Return those of the chosen inputs with which the code does something else the second time, in another order.

        Where all of a space was run, all of it is run again.
        """
        again = list(range(len(self.runs))) if self.pool.is_whole else list(chosen)
        try:
            recipes = [self.pool.candidates[index].recipe for index in reversed(again)]
            runs = self.observed.see_recipes(recipes)[::-1]
        except CutShort:
            return list(chosen)
        return [index for index, run in zip(again, runs, strict=True) if _steady(run) != _steady(self.runs[index])]

    def cases(
        self,
        chosen: Sequence[int],
        shown: list[list[Feature]],
        sizes: list[int],
        unsteady: Sequence[int],
        proofs: Proofs,
    ) -> ChosenCases:
        """Return the cases with why each is there, and what is to be said of all."""
        watched, candidates = self.observed.watched, self.pool.candidates
        reasons = reasons_of(chosen, shown, self.runs, watched.spots)
        mine = list(zip(chosen, reasons, strict=True))[self.before :]
        cases = [
            Case(candidates[index].recipe, candidates[index].label, str(number), candidates[index].legal, why)
            for number, (index, why) in enumerate(mine)
        ]
        branches = self.features(("branches",), look=False)
        reached, by_all = count_branches(branches, chosen)
        recipes = [each.recipe for each in candidates]
        dark = tuple(dark_branches(self.runs, watched.spots, lambda at: words_of(recipes[at]), sizes, proofs))
        again = (f"does something else the second time: {words_of(recipes[each])}" for each in unsteady)
        not_taken = [f"not taken: {each}" for each in (self.there.left_out if self.there is not None else ())]
        said = (*lost_in_words(self.runs), *self.observed.hanging.in_words())
        remarks = (*self.observed.left_out, *not_taken, *said, *watched.blind, *again)
        return ChosenCases(
            tuple(cases),
            tuple(candidates[index].plain for index, _ in mine),
            reached,
            by_all,
            self.observed.count,
            dark,
            remarks,
            tuple(self.runs[index].results for index, _ in mine),
            tuple(self.observed.passed),
            None if self.there is None else (self.before, count_branches(branches, range(self.before))[1]),
        )

    def proofs(self, whole: str, *, steady: bool) -> Proofs:
        """Return of which inputs it is proved that none takes a branch that nobody took."""
        if whole:
            return Proofs(whole.replace("any", "no", 1))
        one = "no input" if self.question.share == 0 else "no legal input"
        said = {branch: f"{one} within the usual bounds" if usual else one for branch, usual in self.impossible.items()}
        return Proofs("", said if steady else {})

    def whole_in_words(self) -> str:
        """Return of which inputs all were run; nothing where more exist."""
        assert self.pool.status is not None
        if not self.pool.is_whole or not all(each.legal for each in self.pool.candidates):
            return ""
        usual = "usual" in self.pool.status.detail
        return "any input within the bounds, stated or usual" if usual else "any input"

    def status(self, chosen: int, n: int | None, *, proved: bool) -> Status:
        """Return how the choice ended."""
        status = self.pool.status
        assert status is not None
        if status.cut_short and status.ending is not Ending.UNKNOWN:
            return status
        if n is not None and chosen >= n:
            return Status(Ending.FOUND)
        if self.there is not None and not self.pool.space.codes:
            return Status(Ending.FOUND, f"no other of {self.observed.count:,} candidates shows anything new")
        if self.pool.space.codes:
            return self._no_other(n)
        if n is not None:
            return Status(Ending.COMPLETE if self.pool.is_whole else Ending.UNKNOWN, f"all {chosen} candidates")
        if proved:
            return proof_of("every outcome of a condition that any input has is shown")
        return Status(Ending.FOUND, f"everything that {self.observed.count:,} candidates reached is shown")

    def _no_other(self, n: int | None) -> Status:
        """Return the status where no input was found that differs from all that were chosen."""
        if self.pool.is_whole:
            return Status(Ending.MAXIMAL)
        ending = Ending.FOUND if n is None else Ending.UNKNOWN
        return Status(ending, f"no other unlike input among {self.observed.count:,} candidates")

    def explanation(self, cases: ChosenCases) -> str:
        """Return line by line what was not reached, and what could not be looked into."""
        dark = map(str, cases.dark)
        return "\n".join([*dark, *(f"note: {each}" for each in cases.remarks)])


def _only_new(order: Iterable[int], shown: Sequence[Sequence[Feature]], first: Sequence[int]) -> Iterator[int]:
    """Yield those candidates that show what none before them does; how an input looks is nothing that it shows."""
    known = {feature for index in first for feature in shown[index]}
    for index in order:
        mine = {feature for feature in shown[index] if feature[0] != "look"}
        if not mine <= known:
            known |= mine
            yield index


def _steady(run: Behaviour) -> object:
    return run.turns, run.near, run.results, run.steps
