"""The verb: a spec and a number become a suite, checked and with its guarantee."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar, Unpack

from unlike import core
from unlike.errors import ASK_FOR_SOME, ScopeError, SpecError, UnlikeError, how_many
from unlike.indexed import Listed, in_digits
from unlike.isolation.copy import runs_here
from unlike.language.spec import Spec
from unlike.language.values import Value, quote_value
from unlike.progress import report
from unlike.recipe import Argument, Items, Recipe, Step
from unlike.regex.texts.fullmatch import collect_unconfirmed, in_words as in_words_of
from unlike.specs.acceptance import Acceptances, find_acceptances
from unlike.specs.asking.encodings import asked_together
from unlike.specs.asking.solve import clashing, is_empty
from unlike.specs.asking.solvers_in_turn import order_of
from unlike.specs.branches import choices_in_words
from unlike.specs.core_difference import Branch, Everything, Select, in_words, is_equivalence, parts_of
from unlike.specs.isolated import in_copy, members_of, runs_code
from unlike.specs.members import assignment_of, components, merge_components
from unlike.specs.plan import Planner
from unlike.specs.problem import Fragment, Problem, take_apart
from unlike.specs.sources import Source
from unlike.specs.unequal import without_equals
from unlike.specs.verify import compare_with_earlier, fickle_difference, find_illegal, first_unbuilt
from unlike.suite import STOPPED, Case, Ending, Status, Suite

T = TypeVar("T")
HALF = 0.5  # of the time goes to finding inputs that only the user's code can check
BLOCK = 256  # inputs read at once where that costs little
MOST = 1_000_000  # without a number, larger sets are refused rather than stored


@dataclass(frozen=True, slots=True)
class SpecCases:
    """The cases of a spec: values are kept plain, and become recipes when asked for."""

    blanks: dict[str, Value]
    inputs: Sequence[dict[str, object]]
    labels: Sequence[str]

    def count(self) -> int:
        """Return how many cases there are."""
        return len(self.inputs)

    def at(self, index: int) -> Case:
        """Return the case at the index."""
        steps: list[Step] = []
        items: list[Argument] = []
        for name, value in self.blanks.items():
            items += [name, quote_value(value, self.inputs[index][name], steps)]
        return Case(Recipe(tuple(steps), Items("dict", tuple(items))), self.labels[index], str(index))


@core.takes(core.Solving, core.Isolation, without=("workers",))
def generate(
    spec: Spec,
    n: int | Literal["all"] | None = None,
    *,
    timeout: core.Timeout = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
    **keywords: Unpack[core.SpecKeywords],
) -> Suite:
    """Return n inputs of the spec, any two of them different; without n the spec's own number, or all there are.

    A larger n keeps the smaller suite as its beginning. The status of the suite says whether more exist. The engine
    "solver" asks a solver even where inputs could be counted. `encoding` says how it is asked; any but "auto" asks one
    always. `solver` is a name (z3), or a command that reads SMT-LIB 2; a question may cost `effort` times its usual
    budget. `progress` is told from time to time how many were found. Predicates and other functions of yours run in a
    copy of this process, unless `in_process` says otherwise.
    """
    deadline = core.Deadline.of(timeout)
    spec = _check_arguments(spec, n, seed)
    solving, limits = core.record_of(core.Solving, keywords), core.record_of(core.Isolation, keywords)
    problem = take_apart(spec)

    def build(progress: Progress) -> SuiteData:
        # every input is checked again, which takes as long where functions of the user's are asked
        share = deadline.part(HALF) if runs_code(problem) else deadline
        accepted = find_acceptances(problem, share)
        while True:
            planner = _make_planner(accepted.problem, share, seed, solving)
            found = _build_suite(planner, _number_of(spec, n), solving.encoding, progress, accepted)
            if not accepted.learn():
                return found

    found = _run(build, problem, deadline, limits, progress) or SuiteData([], STOPPED, [], "", "")
    cases = SpecCases(dict(spec.blanks), found.inputs, found.labels)
    return Suite(spec.name, cases, found.status, found.guarantee, found.explanation)


@core.takes(core.Solving, core.Isolation, without=("workers",))
def read_inputs(
    spec: Spec,
    n: int | Literal["all"] | None = None,
    *,
    timeout: core.Timeout = None,
    seed: int = 0,
    **keywords: Unpack[core.SpecKeywords],
) -> InputReading | None:
    """Return what `generate` would, as it is found; nothing where functions of the user's must run in a copy."""
    spec = _check_arguments(spec, n, seed)
    solving, problem = core.record_of(core.Solving, keywords), take_apart(spec)
    if runs_code(problem):
        return None
    return InputReading(
        _make_planner(problem, core.Deadline.of(timeout), seed, solving), _number_of(spec, n), solving.encoding
    )


def _number_of(spec: Spec, n: int | Literal["all"] | None) -> int | None:
    return None if n == "all" else n if n is not None else spec.n


def _make_planner(problem: Problem, deadline: core.Deadline, seed: int, solving: core.Solving) -> Planner:
    asked = "solver" if solving.encoding != "auto" else solving.engine
    return Planner(problem, deadline, seed, asked, order_of(solving.solver), solving.effort)


@dataclass(frozen=True, slots=True)
class SuiteData:
    """A suite as plain data, which may come from another process."""

    inputs: list[dict[str, object]]
    status: Status
    labels: Sequence[str]
    guarantee: str
    explanation: str


def _build_suite(
    planner: Planner, n: int | None, encoding: core.Encoding, progress: Progress, accepted: Acceptances
) -> SuiteData:
    """Return inputs, checked again, with what can be said about them."""
    inputs: list[dict[str, object]] = []
    labels: list[str] = []
    reading = InputReading(planner, n, encoding, progress)
    for some, theirs in reading.blocks():
        inputs += some
        labels += theirs
    status = accepted.say_refusals(reading.status)
    return SuiteData(inputs, status, labels, guarantee(planner.problem, status, len(inputs)), reading.explain(status))


@dataclass(slots=True)
class InputReading:
    """The inputs of a plan, some after the others, each checked again before it leaves; and then how it ended."""

    planner: Planner
    n: int | None
    encoding: core.Encoding = "auto"
    progress: Progress = None
    found: int = 0
    status: Status = STOPPED

    def blocks(self) -> Iterator[tuple[list[dict[str, object]], list[str]]]:
        """Yield inputs with their labels. What fails the check is a defect, and never leaves."""
        problem, check = self.planner.problem, InputCheck(self.planner.problem)
        blocks = self._read()
        refused: Status | None = None
        try:
            while refused is None and (fragments := next(blocks, None)) is not None:
                inputs = [assignment_of(fragment) for fragment in fragments]
                refused = check.keep(inputs)
                self.found += len(inputs)
                yield inputs, _labels(problem, fragments[: len(inputs)])
        except KeyboardInterrupt:
            self.status = STOPPED
        finally:
            self.planner.close()
        if answerers := str(self.planner.tally):
            self.status = with_detail(self.status, answerers)
        if check.unconfirmed:
            self.status = with_detail(self.status, in_words_of(check.unconfirmed))
        self.status = refused or self.status

    def values(self) -> Iterator[list[dict[str, object]]]:
        """Yield the inputs as they are handed out, built; none is kept."""
        build, names = self.planner.problem.build, list(self.planner.problem.blanks)
        for inputs, _ in self.blocks():
            yield [{name: build(name, each[name]) for name in names} for each in inputs]

    def as_suite(self, name: str) -> Suite:
        """Return the suite of what was found, without the inputs, which were handed out."""
        promise = guarantee(self.planner.problem, self.status, self.found)
        return Suite(name, Listed([]), self.status, promise, self.explain(self.status))

    def _read(self) -> Iterator[list[Fragment]]:
        if self.encoding in ("auto", "loop"):
            self.status = yield from read_blocks(self.planner, self.n, self.progress)
            return
        fragments, self.status = asked_together(self.planner, self.n, self.encoding, MOST)
        if self.status.ending is Ending.UNSATISFIABLE:
            self.status = _unsatisfiable(self.planner)
        yield fragments

    def explain(self, status: Status) -> str:
        """Return in lines how the inputs were found, and how that ended."""
        return "\n".join(
            [f"different: {in_words(self.planner.problem.difference)}", *self.planner.lines, f"status: {status}"]
        )


def _check_arguments(spec: object, n: object, seed: object) -> Spec:
    if isinstance(spec, Spec) and spec.typed is not None:
        raise SpecError(f"{spec!r} has types among its blanks; ask unlike.generate for it, which covers types")
    if not isinstance(spec, Spec):
        raise SpecError(f"{spec!r} is not a Spec; write Spec({{'x': Int(0, 9)}}, …)")
    if n is not None and n != "all" and (type(n) is not int or n < 1):
        raise ScopeError(f"n={n!r} must be an int of at least 1, or 'all'")
    if type(seed) is not int or seed < 0:
        raise ScopeError(f"seed={seed!r} must be an int of at least 0")
    return spec


@core.takes(core.Isolation, without=("workers",))
def count(spec: Spec, *, timeout: core.Timeout = None, **isolation: Unpack[core.LimitKeywords]) -> tuple[int, Status]:
    """Return how many inputs there are, any two different: counted where possible, found one by one otherwise."""
    deadline = core.Deadline.of(timeout)
    spec = _check_arguments(spec, None, 0)
    problem = take_apart(spec)

    def count_here(_: object) -> tuple[int, Status]:
        accepted = find_acceptances(problem, deadline)
        planner = Planner(accepted.problem, deadline)
        asked = planner.problem
        trust = f"if {' and '.join(accepted.trusted)} refuse{'s' * (len(accepted.trusted) == 1)} none of them"
        try:
            source = planner.plan(asked.units, asked.assertions, asked.difference)
            if source.count:
                return source.count, Status(source.ending, trust if accepted.trusted else "")
        except core.CutShort as cut:
            return 0, cut.status
        fragments, status = _read(planner, None, None)
        return len(fragments), with_detail(status, trust) if accepted.trusted and fragments else status

    return _run(count_here, problem, deadline, core.Isolation(**isolation), None) or (0, STOPPED)


Progress: TypeAlias = Callable[[int], None] | None


def _run(
    work: Callable[[Progress], T], problem: Problem, deadline: core.Deadline, limits: core.Isolation, progress: Progress
) -> T | None:
    """Return what the work gives: done in a copy of this process where it runs code of the user's, unless told."""
    if runs_here(limits) or not runs_code(problem):
        return work(progress)
    known = members_of(problem.blanks.values())
    return in_copy(work, known, deadline=deadline, progress=progress, isolation=limits)


def _read(planner: Planner, n: int | None, progress: Progress) -> tuple[list[Fragment], Status]:
    fragments: list[Fragment] = []
    blocks = read_blocks(planner, n, progress)
    while True:
        try:
            fragments += next(blocks)
        except StopIteration as end:
            return fragments, end.value


def read_blocks(planner: Planner, n: int | None, progress: Progress) -> Generator[list[Fragment], None, Status]:
    """Yield what a plan finds, some at once where that costs little; return how it ended."""
    problem, found = planner.problem, 0
    block: list[Fragment] = []
    try:
        source = planner.plan(problem.units, problem.assertions, problem.difference)
        source = without_equals(source, planner)
        if n is None and (source.count or 0) > MOST:
            raise ScopeError(f"there are {in_digits(source.count or 0)} inputs; {ASK_FOR_SOME}")
        most = n if n is not None else MOST + 1
        step = 1 if source.dear else BLOCK
        while found < most:
            planner.deadline.check()
            if progress is not None:
                progress(found)
            report("generating", found, sum(planner.tally.answered.values()), of=n)
            source.take_into(block, min(step, most - found))
            if not block:
                return _end_status(planner, source, found)
            found += len(block)
            ready, block = block, []
            yield ready
    except core.CutShort as cut:
        return cut.status
    except KeyboardInterrupt:
        yield block
        return STOPPED
    if n is None:
        return Status(Ending.UNKNOWN, f"more than {MOST} inputs; {ASK_FOR_SOME}")
    if source.count == n and source.ending is Ending.COMPLETE:  # counted: these are all
        return Status(Ending.COMPLETE)
    return Status(Ending.FOUND)


def with_detail(status: Status, said: str) -> Status:
    """Return the status with one more thing said."""
    return replace(status, detail=f"{status.detail}; {said}" if status.detail else said)


def _end_status(planner: Planner, source: Source[Fragment], found: int) -> Status:
    if source.cut is not None:
        return source.cut
    if not found:
        return _unsatisfiable(planner)
    return Status(source.ending)


def _unsatisfiable(planner: Planner) -> Status:
    """Return the status of an empty space, with a minimal set of what clashes in the user's words."""
    problem = planner.problem
    parts = components(problem.units, problem.assertions)
    empty = next((part for part in parts if is_empty(part, Everything(), planner)), None)
    if empty is not None:
        clash = clashing(empty, Everything(), planner)
    else:
        choices = [in_words(each) for each in parts_of(problem.difference) if isinstance(each, Select | Branch)]
        clash = [*clashing(merge_components(parts), problem.difference, planner), *choices]
    clash = list(dict.fromkeys(problem.places.get(words, words) for words in clash))
    return Status(Ending.UNSATISFIABLE, "these clash: " + "; ".join(clash), tuple(clash))


class InputCheck:
    """Checks every input and every pair again, some inputs after the others."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.find_illegal = find_illegal(problem)
        self.is_alike = compare_with_earlier(problem)
        self.unconfirmed = 0  # texts that only the matcher of our own accepts

    def keep(self, inputs: list[dict[str, object]]) -> Status | None:
        """Drop the first input that fails, and those after it, and say why.

        What fails is a defect; only plain Python may say something else than before, and then what it said twice stays.
        """
        with collect_unconfirmed() as texts:
            illegal = self.find_illegal(inputs)
        self.unconfirmed += len(texts)
        status = None
        if illegal is not None:
            position, status = illegal
            if status is None:
                raise UnlikeError(
                    f"a defect in unlike: {inputs[position]!r} was generated but breaks the spec; please report it"
                )
            del inputs[position:]
        unbuilt = first_unbuilt(self.problem, inputs)
        if unbuilt is not None:
            position, status = unbuilt
            del inputs[position:]
        return self._drop_alike(inputs) or status

    def _drop_alike(self, inputs: list[dict[str, object]]) -> Status | None:
        for position, each in enumerate(inputs):
            try:
                alike = self.is_alike(each)
            except core.CutShort as cut:  # a difference that raised now, though not before
                del inputs[position:]
                return cut.status
            if alike:
                changed = fickle_difference(self.problem, each)
                if changed is None:
                    raise UnlikeError(f"a defect in unlike: {each!r} and one found before are alike; please report it")
                del inputs[position:]
                return changed
        return None


def _labels(problem: Problem, fragments: Sequence[Fragment]) -> list[str]:
    if not any(isinstance(part, Select | Branch) for part in parts_of(problem.difference)):
        return [""] * len(fragments)
    return ["; ".join(choices_in_words(problem.difference, fragment)) for fragment in fragments]


def guarantee(problem: Problem, status: Status, found: int) -> str:
    """Return in words what is promised of the inputs."""
    if not found:
        return f"0 inputs, {status}"
    said = strip_brackets(in_words(problem.difference))
    holds = {0: "", 1: " and satisfies 1 assertion"}.get(
        len(problem.assertions), f" and satisfies {len(problem.assertions)} assertions"
    )
    opaque = sum(each.opaque for each in problem.assertions)
    which = "" if opaque == len(problem.assertions) else f"{opaque} of them "
    run = f" ({which}plain Python, run on the finished values)" if opaque else ""
    promise = f"{how_many(found, 'input')}, {status}. Each is within its bounds{holds}{run}. Any two: {said}."
    if status.ending is not Ending.COMPLETE:
        return promise
    missed = "Nothing within the bounds is missed." if is_equivalence(problem.difference) else "No larger set exists."
    return f"{promise} {missed}"


def strip_brackets(words: str) -> str:
    """Return words without the brackets around the whole of them: (a) & (b) has none."""
    depth = 0
    for place, letter in enumerate(words):
        depth += (letter == "(") - (letter == ")")
        if depth <= 0:
            return words[1:-1] if depth == 0 and 0 < place == len(words) - 1 else words
    return words
