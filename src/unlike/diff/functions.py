"""Two versions of a function, given the same inputs: from a space to a verdict.

A small space is tried as a whole, which proves that they are the same; of another one its covering inputs are, and
others around the values that either version mentions. The smallest input that tells them apart is shown.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from unlike.behaviour.calls import PassedInput, passed_inputs
from unlike.behaviour.pool import Candidate, CandidatePool, gather, size_of
from unlike.behaviour.source_values import known_values
from unlike.behaviour.verbs import SpaceChoice, space_of
from unlike.classes.api import Kind, Operation
from unlike.classes.recipes import sequence_text
from unlike.classes.versions import CallOnVersions, Different, OneCall, Versions
from unlike.core import CutShort, Exploration
from unlike.diff.objects import Compared, how_both_end
from unlike.diff.verdict import ShownDifference, Verdict
from unlike.errors import SpecError, UnlikeError, how_many
from unlike.isolation import Answer, Death, each_in_copies
from unlike.recipe import Argument, Call, Items, Recipe, Ref, import_name, name_of, run
from unlike.suite import Ending, Status, proof_of
from unlike.types.resolve import UnresolvedName, names_of_function, resolve, signature_of, written_annotations

DECLARE = "say what to pass: --inputs MODULE:SPEC, a type, a pattern or a schema"


def compare_functions(compared: Compared, question: Exploration, inputs: object = None) -> Verdict:
    """Return whether two versions of a function can be told apart on the inputs of a space."""
    try:
        space = annotated_inputs(compared) if inputs is None else inputs
    except SpecError as error:
        return Verdict(compared.name, "function", Status(Ending.UNKNOWN, f"{error}; {DECLARE}"))
    versions = compared.versions(question)
    if space == {}:
        return _judge(compared, question, versions, [Candidate({}, Recipe((), Items("dict", ())))], None)
    chosen: SpaceChoice = {"cover": None, "where": (), "different": (), "seed": 0, "literals": question.bounds.literals}
    limits: Any = question.isolation.of_one_process()
    try:
        made, _ = space_of(space, chosen, limits, question.isolation, question.deadline, depth=2, mixes=False)
        known = known_values([compared.old, compared.new], None)
        pool = gather(made, known, may_fail=False, seed=0)
    except CutShort as cut:
        return Verdict(compared.name, "function", cut.status)
    except UnlikeError as error:
        if inputs is not None:
            raise
        return Verdict(compared.name, "function", Status(Ending.UNKNOWN, f"{error}; {DECLARE}"))
    if not pool.candidates:
        status = pool.status or Status(Ending.UNKNOWN, "no input was found")
        detail = status.detail or "no input exists"
        return Verdict(compared.name, "function", Status(Ending.UNKNOWN, f"there is nothing to pass: {detail}"))
    order = sorted(pool.candidates, key=lambda each: size_of(each.recipe))
    return _judge(compared, question, versions, order, pool)


def annotated_inputs(compared: Compared) -> dict[str, object]:
    """Return what the annotations of a function say that it takes; of either version, the first one's first."""
    found: dict[str, object] = {}
    others = written_annotations(inspect.unwrap(compared.new))
    parameters = signature_of(compared.old).parameters
    known = signature_of(compared.new).parameters
    for name, each in parameters.items():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        optional = each.default is not each.empty
        if optional and name not in known:
            continue  # left out: what one version does not know cannot be compared
        written = written_annotations(inspect.unwrap(compared.old)).get(name, each.empty)
        function = compared.old
        if written is each.empty and name in others:
            written, function = others[name], compared.new
        read = resolve(written, names_of_function(inspect.unwrap(function)))
        if isinstance(read, UnresolvedName) or read is each.empty:
            if optional:
                continue
            why = "has no annotation" if read is each.empty else f"is annotated {written!r}, which stands for nothing"
            raise SpecError(f"parameter {name!r} of {compared.name} {why}")
        found[name] = read
    return found


def _judge(
    compared: Compared,
    question: Exploration,
    versions: Versions,
    candidates: list[Candidate],
    pool: CandidatePool | None,
) -> Verdict:
    """Return the verdict for inputs in order of their size."""
    blanks = pool.space.blanks if pool is not None else ()
    parts = pool.space.parts if pool is not None else {}
    passed = None if pool is None else passed_inputs(compared.old, blanks, parts)[0]
    calls = CallsWithInputs(compared, versions, passed)
    recipes = [each.recipe for each in candidates]
    tried, unsteady = 0, list[str]()
    try:
        for number, verdict in enumerate(
            each_in_copies(
                lambda at: calls.compare(recipes[at]),
                len(recipes),
                question.isolation,
                question.deadline,
                in_scratch=True,
            )
        ):
            tried += 1
            found = _read(verdict, calls, recipes[number], versions, question)
            if isinstance(found, str):
                unsteady.append(found)
            elif found is not None:
                counts = {"inputs": tried}
                return Verdict(compared.name, "function", Status(Ending.FOUND), "", found, counts=counts)
    except CutShort as cut:
        return Verdict(compared.name, "function", cut.status, f"no difference on {how_many(tried, 'input')}")
    return _same(compared, pool, tried, unsteady)


def _same(compared: Compared, pool: CandidatePool | None, tried: int, unsteady: list[str]) -> Verdict:
    counts = {"inputs": tried}
    if unsteady:
        status = Status(Ending.UNKNOWN, f"it does something else each time, as for {unsteady[0]}")
        return Verdict(compared.name, "function", status, counts=counts)
    if pool is None or pool.is_whole:
        claim = (
            f"the same on all {how_many(tried, 'input')} there are" if pool is not None else "the same, without inputs"
        )
        return Verdict(compared.name, "function", proof_of(claim), claim, counts=counts)
    status = Status(Ending.FOUND, f"{how_many(tried, 'input')} that cover what there is to choose; more exist")
    words = (
        f"the same on {how_many(tried, 'input')}: those that cover {pool.space.name or 'the annotations'}, and others"
    )
    return Verdict(
        compared.name,
        "function",
        status,
        f"{words} around the values that the code mentions; not proved",
        counts=counts,
    )


def _read(
    verdict: object, calls: CallsWithInputs, recipe: Recipe, versions: Versions, question: Exploration
) -> ShownDifference | str | None:
    """Return the difference that an input shows, words for one that is not the same each time, or nothing."""
    whole = calls.whole(recipe)
    words = calls.words(recipe)
    if isinstance(verdict, Death):
        old, new = how_both_end(whole, versions, question.isolation)
        return None if old == new else ShownDifference(whole, words, "ends", old, new)
    if not isinstance(verdict, Answer):
        return ShownDifference(whole, words, "raises", "raised what cannot be looked at", str(verdict))
    if verdict.result is None:
        return None
    kind, detail = verdict.result
    if kind == "unsteady":
        return words
    old, _, new = detail.partition("\n")
    place = old.removeprefix("left ").partition(" = ")[0] if kind == "leaves" else ""
    return ShownDifference(whole, words, kind, old, new, (), place)


@dataclass(frozen=True, slots=True)
class CallsWithInputs:
    """Calls of both versions with the same input, each with one of its own."""

    compared: Compared
    versions: Versions
    passed: PassedInput | None  # None where there is nothing to pass

    def compare(self, recipe: Recipe) -> tuple[str, str] | None:
        """Return what tells the versions apart, "unsteady" if the first does something else each time, or nothing."""
        try:
            self._call_both(self.versions, recipe)
        except Different as error:
            try:
                self._call_both(
                    replace(
                        self.versions, reference=self.versions.cls, modules={}, inside=contextlib.nullcontext, own={}
                    ),
                    recipe,
                )
            except Different as again:
                return "unsteady", again.detail
            return error.kind, error.detail
        return None

    def _call_both(self, versions: Versions, recipe: Recipe) -> None:
        call = CallOnVersions(Operation(Kind.FUNCTION, self.compared.name, None, versions.cls), versions)
        one, other = versions.viewers()
        old = OneCall(one, None, *self._arguments(recipe, import_name))
        call.perform(old, call.call_old)
        with versions.inside():
            new = OneCall(other, None, *self._arguments(recipe, versions.resolve))
            call.perform(new, call.call_new)
        call.judge(old, new)

    def _arguments(self, recipe: Recipe, find: Callable[..., object]) -> tuple[list[Any], dict[str, Any]]:
        """Return what is passed, made with the classes of one version."""
        args, kwargs = self.parts(recipe)
        made: Any = run(Recipe(recipe.steps, Items("list", (*args, *kwargs.values()))), find)
        return made[: len(args)], dict(zip(kwargs, made[len(args) :], strict=True))

    def parts(self, recipe: Recipe) -> tuple[tuple[Argument, ...], dict[str, Argument]]:
        """Return the arguments of a call, by place and by name."""
        passed = self.passed
        if passed is None:
            return (), {}
        if passed.parts:
            recipe = passed.keywords(recipe)
        elif not passed.blanks:
            return (recipe.result,), {}
        assert isinstance(recipe.result, Items)
        items: dict[Any, Argument] = dict(zip(recipe.result.items[::2], recipe.result.items[1::2], strict=True))
        if not passed.by_name and passed.blanks:
            return (items[passed.blanks[0]],), {}
        placed = {
            each.name
            for each in signature_of(self.compared.old).parameters.values()
            if each.kind is each.POSITIONAL_ONLY
        }
        return tuple(items[name] for name in items if name in placed), {
            name: each for name, each in items.items() if name not in placed
        }

    def whole(self, recipe: Recipe) -> Recipe:
        """Return the call itself as a recipe."""
        args, kwargs = self.parts(recipe)
        steps = (*recipe.steps, Call(name_of(self.compared.old), args, tuple(kwargs.items())))
        return Recipe(steps, Ref(len(steps) - 1))

    def words(self, recipe: Recipe) -> str:
        """Return the call for people."""
        return sequence_text(self.whole(recipe))
