"""The verb on types: a type, a strength and perhaps a number become a suite of real instances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from unlike.core import USUAL, CutShort, Deadline, Isolation, Timeout
from unlike.documents.json_schema.document import JsonSchema
from unlike.errors import ASK_FOR_SOME, ScopeError, SpecError, UnlikeError, how_many
from unlike.foreign import EndedError, LateError
from unlike.isolation.copy import runs_here
from unlike.language.differences import CoverStructure, Difference, differs_by
from unlike.recipe import Recipe, Step
from unlike.regex.texts.fullmatch import collect_unconfirmed, in_words
from unlike.request import Request
from unlike.solvers.legal_rows import decide_row
from unlike.specs.generate import with_detail
from unlike.specs.isolated import sent_from_copy
from unlike.structure.all_instances import ListedShape, is_described, join_lacking, lacking, list_described
from unlike.structure.building import data, known_in, quote_plain, runs_foreign_code
from unlike.structure.cover.columns import FieldRule
from unlike.structure.cover.execute import execute
from unlike.structure.cover.factors import factors_of
from unlike.structure.cover.leaves import Strength, check_strength
from unlike.structure.cover.outcome import AcceptedInput, CoverOutcome, TupleCount
from unlike.structure.cover.runner import LISTED, MOST
from unlike.structure.cover.targets import describe_input
from unlike.structure.cover.tree import EmptyShapeError, Tree, compile_shape, count
from unlike.structure.cover.tuples import Combining, execute_tuples
from unlike.structure.paired_bounds import list_short_ranges
from unlike.structure.shapes import Checked, Constants, Judged, Shape
from unlike.structure.validity import fits
from unlike.suite import STOPPED, Case, Ending, Status, Suite, proof_of
from unlike.typed.by_difference import by_difference, spec_of
from unlike.typed.combining import combining_of
from unlike.typed.conditions import Conditions, HowMany, conditions_of
from unlike.typed.literals import annotations_of
from unlike.types.choices import ReadType, read_type

MANY = 30  # factors: more are not planned one after the other
HALF = 0.5  # of the time goes to finding inputs that only the user's code can check
NAMED = 3  # open places that are named in the status


@dataclass(frozen=True, slots=True)
class ChoiceCoverage:
    """What a suite shows: how many targets, how many of them shown, and what became of the rest.

    Every target is shown or stands in exactly one of the lists; also one that was ruled out before any input was made.

    impossible  proved, with the reason       undecided  neither shown nor proved
    not_shown   n was too small               left_out   too long to be made
    """

    strength: Strength
    targets: int
    shown: int
    pairs: int
    impossible: tuple[tuple[str, str], ...]
    undecided: tuple[tuple[str, str], ...]
    not_shown: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    combined: str = ""  # how many are combined, where that is not said by a word


@dataclass(frozen=True, slots=True)
class TypeCases:
    """The cases of a type: values are kept plain, and become recipes when asked for."""

    shape: Shape
    rows: Sequence[AcceptedInput]
    coverage: ChoiceCoverage
    tree: Tree | None = None
    labels: Sequence[str] = ()  # what each case shows, if that is known already

    def count(self) -> int:
        """Return how many cases there are."""
        return len(self.rows)

    def at(self, index: int) -> Case:
        """Return the case at the index."""
        steps: list[Step] = []
        plain = self.rows[index].plain
        result = quote_plain(self.shape, plain, steps)
        return Case(Recipe(tuple(steps), result), self.label(index), str(index), request=self._request(plain))

    def _request(self, plain: object) -> Request | None:
        shape = self.shape
        while isinstance(shape, Checked) and not isinstance(shape, Judged):
            shape = shape.inner
        by = shape.by if isinstance(shape, Judged) else None
        return by.request_or_none(data(shape, plain)) if isinstance(by, JsonSchema) else None

    def label(self, index: int) -> str:
        """Return the choices that the case shows, in words."""
        if self.labels:
            return self.labels[index]
        return "" if self.tree is None else describe_input(self.tree, self.rows[index].views)

    @property
    def plains(self) -> list[object]:
        """The plain values, from which instances are built."""
        return [row.plain for row in self.rows]


def generate_type(
    annotation: object,
    n: HowMany = None,
    *,
    cover: str | CoverStructure | None = None,
    where: object = (),
    different: object = (),
    timeout: Timeout = None,
    seed: int = 0,
    depth: int = 2,
    isolation: Isolation = USUAL,
    literals: Mapping[str | type, object] | None = None,
    combining: Combining | None = None,
) -> Suite:
    """Return instances of a type that show its choices: each once, in pairs, or in all combinations.

    With n the first n of them, or further ones after them; a larger n keeps the smaller suite as its beginning; with
    "all" every input there is.
    `where` speaks about the fields by their names. With `different` any two inputs differ as it says. What the coverage
    came to is `coverage_of(suite)`. Constructors, validators and assertions run in a copy of this process, unless the
    isolation says otherwise.
    """
    check_asked(n, seed)
    deadline = Deadline.of(timeout)
    read = read_type(annotation, depth=depth, literals=annotations_of(literals))
    if isinstance(different, CoverStructure):
        cover, different = different, ()
    if (cover is not None or combining is not None) and different not in (None, ()):
        raise SpecError(f"cover={cover!r} says itself how inputs differ; leave out different, or cover")
    given = differences_of(different, read) if cover is None and combining is None else []
    if given:
        made = spec_of(read, where=where, different=given, deadline=deadline, isolation=isolation)
        return by_difference(read, n, made, deadline, seed, isolation)
    strength, combining = _strength_of(cover, read, combining)
    read = read if combining is None else replace(read, shape=list_short_ranges(read.shape))

    def make() -> Suite:
        suite = covering(
            read.shape, strength, n, name=read.name, where=where, deadline=deadline, seed=seed, combining=combining
        )
        suite = replace(suite, guarantee="; ".join(filter(None, (suite.guarantee, *read.remarks))))
        if read.left_out and suite.status.ending in (Ending.COMPLETE, Ending.UNSATISFIABLE):
            words = f"all that can be made; more may exist: {'; '.join(read.left_out[:NAMED])}"
            guarantee = suite.guarantee.replace("no input exists", "no input was found", 1)
            suite = replace(suite, status=Status(Ending.UNKNOWN, words), guarantee=guarantee)
        return suite

    if runs_here(isolation) or not (where or runs_foreign_code(read.shape)):
        return make()
    return _elsewhere(make, read, deadline, isolation)


def _strength_of(
    cover: str | CoverStructure | None, read: ReadType, combining: Combining | None
) -> tuple[Strength, Combining | None]:
    """Return how choices combine: as it is said, or as the type says itself."""
    if combining is not None:
        return "pairs", combining
    asked = cover.strength if isinstance(cover, CoverStructure) else cover
    said = [each.strength for each in read.metadata if type(each).__name__ == "Covering"]  # type: ignore[attr-defined]
    wanted = asked if asked is not None else next(iter(said), "each")
    combining = combining_of(wanted)
    return (check_strength(wanted), None) if combining is None else ("pairs", combining)


def _elsewhere(make: Callable[[], Suite], read: ReadType, deadline: Deadline, isolation: Isolation) -> Suite:
    """Return the suite, made in a copy of this process; what cannot be sent from there is made here."""

    def light() -> Suite:
        suite = make()
        assert isinstance(suite.cases, TypeCases)
        labels = [suite.cases.label(index) for index in range(len(suite.cases.rows))]
        bare = [AcceptedInput(row.plain, []) for row in suite.cases.rows]
        return replace(suite, cases=replace(suite.cases, shape=Constants(()), rows=bare, tree=None, labels=labels))

    def rest(suite: Suite) -> Suite | None:
        assert isinstance(suite.cases, TypeCases)
        # where something ended its process, nothing is made here
        failed = suite.status.ending is Ending.FAILED
        return replace(suite, cases=replace(suite.cases, rows=(), labels=())) if failed else None

    suite = sent_from_copy(light, known_in(read.shape), deadline=deadline, rest=rest, isolation=isolation)
    if suite is None:
        return Suite(read.name, TypeCases(read.shape, (), no_coverage("each")), STOPPED)
    if suite is False:
        return make()
    assert isinstance(suite.cases, TypeCases)
    return replace(suite, cases=replace(suite.cases, shape=read.shape))


def covering(
    bare: Shape,
    strength: Strength,
    n: HowMany,
    *,
    name: str,
    where: object,
    deadline: Deadline,
    seed: int,
    combining: Combining | None = None,
    rules: Sequence[FieldRule] = (),
) -> Suite:
    """Return inputs of a shape that show its choices."""
    conditions = conditions_of(where, bare)
    shape = Checked(bare, conditions.checks) if conditions.checks else bare
    try:
        tree = compile_shape(shape, strength, deadline)
    except EndedError as ended:
        status = deadline.status() if isinstance(ended, LateError) else Status(Ending.FAILED, str(ended))
        return Suite(name, TypeCases(shape, (), no_coverage(strength)), status)
    except EmptyShapeError as empty:
        conditions.refuse_unanswered()
        return Suite(name, TypeCases(shape, (), no_coverage(strength)), *nothing_found(empty))
    except CutShort as cut:
        return Suite(name, TypeCases(shape, (), no_coverage(strength)), cut.status)
    wanted = MOST + 1 if n == "all" else n
    if n == "all" and (there_are := count(tree.root)) > MOST:
        if not is_described(shape) or not _is_short(shape, deadline):
            number = "very many" if is_described(shape) else f"about {_in_short(there_are)}"  # bounds may be ours
            raise ScopeError(f"there are {number} inputs; {ASK_FOR_SOME}")
        wanted = None  # the coverage first; what it lacks is listed
    share = deadline.part(HALF) if runs_foreign_code(shape) else deadline  # every input is checked again
    try:
        outcome = _execute(tree, strength, wanted, combining, (conditions, rules), share, seed)
    except CutShort as cut:
        return Suite(name, TypeCases(shape, (), no_coverage(strength)), cut.status)
    with collect_unconfirmed() as texts:
        _verify(shape, outcome)
    coverage = _coverage(outcome, strength, combining)
    if not outcome.rows:
        conditions.refuse_unanswered()
    cases = TypeCases(shape, outcome.rows, coverage, tree)
    status = _status(outcome, conditions)
    if is_described(shape) and _claims_all(outcome, strength, n):
        cases, status = _with_the_rest(cases, outcome, n, status, deadline)
    guarantee = guarantee_of(coverage, cases.count(), described=isinstance(bare, Judged))
    guarantee += outcome.say_least() + conditions.say_filters()
    if texts:
        status, guarantee = with_detail(status, in_words(len(texts))), f"{guarantee}; {in_words(len(texts))}"
    return Suite(name, cases, status, guarantee, explanation_of(coverage, conditions.words))


def _execute(
    tree: Tree,
    strength: Strength,
    n: int | None,
    combining: Combining | None,
    said: tuple[Conditions, Sequence[FieldRule]],
    deadline: Deadline,
    seed: int,
) -> CoverOutcome:
    """Return the inputs of a tree, by an array where more than pairs are combined, or pairs under rules or of many."""
    ask, rules = said[0].ask(tree, deadline), [*said[0].rules(), *said[1]]
    if combining is None and strength == "pairs" and (rules or len(factors_of(tree.root)) > MANY):
        combining = Combining(2)
    if combining is None:
        return execute(tree, strength, n, deadline=deadline, ask=ask, seed=seed)
    return execute_tuples(
        tree,
        combining,
        n,
        rules=rules,
        decide=lambda model: lambda cells: decide_row(model, cells, deadline),
        deadline=deadline,
        ask=ask,
        seed=seed,
    )


def _is_short(shape: Shape, deadline: Deadline) -> bool:
    """Tell whether a shape of too many choices has few inputs, as far as that can be told in time."""
    try:
        return list_described(shape, LISTED, deadline).is_whole
    except CutShort:
        return False


def _claims_all(outcome: CoverOutcome, strength: Strength, n: HowMany) -> bool:
    """Tell whether a suite is about to say that it holds all inputs, or all combinations."""
    if n is None:
        return strength == "all" and outcome.ended == "covered"
    return outcome.ended in ("all", "unknown") or (n == "all" and outcome.ended == "covered")


def _with_the_rest(
    cases: TypeCases, outcome: CoverOutcome, n: HowMany, status: Status, deadline: Deadline
) -> tuple[TypeCases, Status]:
    """Return the cases with those they lack of all there are, and what is true of them then."""
    try:
        whole = list_described(cases.shape, MOST if n == "all" else LISTED, deadline)
        if n is None:
            lacks = next(lacking(outcome, whole.shape), None) is not None if whole.is_whole else True
            return cases, _open(whole, status, asked=True) if lacks else status
        if not whole.is_whole:
            return cases, _open(whole, status, asked=n == "all")
        most = MOST if n == "all" else n
        rows, labels = join_lacking(outcome, whole.shape, most)
    except CutShort:
        return cases, Status(Ending.TIMEOUT, "whether more exist is not known")
    cases = replace(cases, rows=rows, labels=labels)
    if len(rows) == n:
        return cases, Status(Ending.FOUND)
    return cases, Status(Ending.COMPLETE, "all inputs there are")


def _open(whole: ListedShape, status: Status, *, asked: bool) -> Status:
    """Return the status of inputs that show all choices, where more may exist than the choices give."""
    if status.ending not in (Ending.COMPLETE, Ending.SHOWN):
        return status
    if whole.is_whole:
        return Status(Ending.FOUND, "all that the choices give; there are more, which n='all' (--all) lists")
    if not whole.open:
        return Status(Ending.UNKNOWN, "all that the choices give; there are too many inputs to list them all")
    said = [f"{place}: {why}" for place, why in whole.open[:NAMED]]
    said += [f"{len(whole.open) - NAMED} more"] * (len(whole.open) > NAMED)
    words = f"all that the choices give; more may exist, as these are open: {'; '.join(said)}"
    return Status(Ending.FOUND if asked else Ending.UNKNOWN, words)


def nothing_found(empty: EmptyShapeError) -> tuple[Status, str]:
    """Return what it means that a shape has no value: that none exists only where that is proved."""
    if not empty.proved:
        return Status(Ending.UNKNOWN, f"neither an input nor a proof that there is none: {empty}"), ""
    return Status(Ending.UNSATISFIABLE, str(empty), (str(empty),)), "no input exists"


def coverage_of(suite: Suite) -> ChoiceCoverage:
    """Return what a suite made from a type shows of its structure."""
    if isinstance(suite.cases, TypeCases):
        return suite.cases.coverage
    raise SpecError(f"{suite.name!r} is not a suite that covers the structure of a type")


def check_asked(n: object, seed: object) -> None:
    """Refuse a number or a seed that makes no sense."""
    if n is not None and n != "all" and (type(n) is not int or n < 1):
        raise ScopeError(f"n={n!r} must be an int of at least 1 or 'all'; leave it out for what the coverage needs")
    if type(seed) is not int or seed < 0:
        raise ScopeError(f"seed={seed!r} must be an int of at least 0")


def differences_of(different: object, read: ReadType) -> list[Difference]:
    """Return the differences that are passed, and those that stand in the metadata of the type and its fields."""
    given = [different] if isinstance(different, Difference) else different
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SpecError(f"different={different!r} is not a difference; write different=differs_by('x') or the like")
    found = list(given)
    if not found:
        marks = [each for each in read.metadata if type(each).__name__ == "Differing"]
        found += [each.difference for each in marks if each.difference is not None]  # type: ignore[attr-defined]
        for name, metadata in read.field_metadata.items():
            found += [differs_by(name) for each in metadata if type(each).__name__ == "Differing"]
    if found and read.left_out:
        raise SpecError(f"{read.left_out[0]}; with a difference every value has to be known: cover the type instead")
    return found


# -- what came of it -----------------------------------------------------------------------------------------------


def _verify(shape: Shape, outcome: CoverOutcome) -> None:
    """Check every input again by code that generates nothing; what fails is a defect, and never leaves."""
    bare = shape.inner if isinstance(shape, Checked) else shape
    for number, row in enumerate(outcome.rows):
        try:
            kept = fits(bare, data(shape, row.plain))
        except EndedError as ended:  # a check that decided the first time
            outcome.ended = Ending.TIMEOUT if isinstance(ended, LateError) else Ending.FAILED
            outcome.failure = f"{ended} on {data(shape, row.plain)!r}"
            del outcome.rows[number:]
            return
        if not kept:
            raise UnlikeError(
                f"a defect in unlike: {data(shape, row.plain)!r} was generated but breaks the type; please report it"
            )


def no_coverage(strength: Strength) -> ChoiceCoverage:
    """Return the coverage of no inputs at all."""
    return ChoiceCoverage(strength, 0, 0, 0, (), (), ())


def _coverage(outcome: CoverOutcome, strength: Strength, combining: Combining | None) -> ChoiceCoverage:
    goals = outcome.targets.goals
    tuples = outcome.tuples or TupleCount(0, 0)
    missing = tuple(goal.word for target, goal in goals.items() if target not in outcome.covered)
    known = {word for word, _ in (*outcome.impossible, *outcome.undecided)}
    tree = outcome.tree
    return ChoiceCoverage(
        strength,
        len(goals) + len(tree.impossible) + len(tree.undecided) + len(tree.left_out) + tuples.count(),
        len(goals) - len(missing) + tuples.shown,
        sum(target[0] == "pair" for target in goals) + tuples.shown,
        (*outcome.tree.impossible, *outcome.impossible, *tuples.impossible),
        (*outcome.tree.undecided, *outcome.undecided, *tuples.undecided),
        (*(word for word in missing if word not in known), *tuples.not_shown),
        tuple(outcome.tree.left_out),
        "" if combining is None else str(combining),
    )


def _status(outcome: CoverOutcome, conditions: Conditions) -> Status:
    refused = sorted(outcome.refusals, key=lambda each: -outcome.refusals[each])
    # all inputs are all of them, also where what they show is not known; what the tree has left out may hold more
    undecided = len(outcome.undecided) * (outcome.ended == "covered") + len(outcome.tree.undecided)
    if outcome.tuples is not None and outcome.ended == "covered":
        undecided += len(outcome.tuples.undecided) + len(outcome.tuples.not_shown)
    if undecided and outcome.ended in ("nothing", "all", "covered"):
        were = "choice was" if undecided == 1 else "choices were"
        return Status(Ending.UNKNOWN, f"{undecided} {were} neither shown nor proved impossible")
    match outcome.ended:
        case "enough":
            return Status(Ending.FOUND)
        case Ending.FAILED:
            return Status(Ending.FAILED, outcome.failure)
        case Ending.TIMEOUT:
            return Status(Ending.TIMEOUT, "" if outcome.rows or not refused else _all_refused(outcome, refused))
        case Ending():  # by the user
            return STOPPED
        case "nothing":
            clash = tuple(dict.fromkeys((*conditions.words, *refused[:3])))
            return Status(Ending.UNSATISFIABLE, "all inputs were tried: " + "; ".join(clash), clash)
        case "refused":
            return Status(Ending.UNKNOWN, _all_refused(outcome, refused))
        case "unknown":
            first = [f"the first one refused is {outcome.first_refused}"] if outcome.first_refused else []
            return Status(Ending.UNKNOWN, "; ".join(["no more inputs were found", *refused[:3], *first]))
        case "all" if outcome.tree.left_out:
            left_out = "; ".join(f"{place}: {why}" for place, why in outcome.tree.left_out)
            return Status(Ending.UNKNOWN, f"all inputs but those left out: {left_out}")
        case "all":
            return Status(Ending.COMPLETE, "all inputs of the type within its bounds, stated or usual")
        case "covered" if outcome.covered.keys() & outcome.targets.goals.keys():
            tuples = () if outcome.tuples is None else outcome.tuples.impossible
            impossible = outcome.impossible or outcome.tree.impossible or tuples
            return proof_of("every choice that is possible is shown" if impossible else "every choice is shown")
        case "covered" if outcome.targets.goals or outcome.tree.impossible or outcome.tree.left_out:
            return Status(Ending.FOUND, "inputs exist, but none of the choices can be shown")
        case "covered":
            return Status(Ending.FOUND, "there is nothing to choose, and one input stands for all")


def _all_refused(outcome: CoverOutcome, refused: list[str]) -> str:
    """Say that nothing was accepted of all that was tried, by whom, and what to do."""
    tried = sum(outcome.refusals.values())
    return (
        f"none of the {tried:,} inputs tried was accepted; {'; '.join(refused[:3])}; "
        f"the first one refused is {outcome.first_refused or 'no whole input'}; give values that are accepted: "
        "literals={'FIELD': [...]} (--literals FIELD=...)"
    )


def guarantee_of(coverage: ChoiceCoverage, count: int, *, described: bool = False) -> str:
    """Say in one line what a suite shows; instances of what is described elsewhere are compared as data."""
    each, pairs, all_ = "each once", f"{coverage.pairs or 'none'} of them pairs", "in all combinations"
    what = {"each": each, "pairs": pairs, "all": all_}[coverage.strength]
    if coverage.combined:
        what = f"{coverage.pairs:,} of them combinations of {coverage.combined}"
    how, apart = (
        ("accepted by the validator", "no two equal")
        if described
        else ("built and checked", "no two from the same arguments")
    )
    checked = f", {how}" if count == 1 else f", each {how}, {apart}"
    said = how_many(count, "instance" if described else "input") + checked * (count > 0)
    if coverage.targets:
        said += f"; {coverage.shown} of {how_many(coverage.targets, 'choice')} shown"
        said += f", {what}" * (coverage.shown > 0)
    if coverage.impossible:
        said += f"; {len(coverage.impossible)} proved impossible"
    if coverage.undecided:
        said += f"; {len(coverage.undecided)} undecided"
    if coverage.left_out:
        said += f"; {len(coverage.left_out)} left out"
    return said


def _in_short(number: int) -> str:
    """Return a number, or its power of ten where nobody would read the digits."""
    return f"{number:,}" if number < 10**15 else f"10^{int(number.bit_length() * 0.30103)}"


def explanation_of(coverage: ChoiceCoverage, words: tuple[str, ...]) -> str:
    """Say line by line what a suite shows, and what not."""
    lines = [f"cover: {coverage.combined or coverage.strength}; {coverage.shown} of {coverage.targets} choices shown"]
    lines += [f"where: {word}" for word in words]
    lines += [f"impossible: {word} ({why})" for word, why in coverage.impossible]
    lines += [f"undecided: {word} ({why})" for word, why in coverage.undecided]
    lines += [f"left out: {word} ({why})" for word, why in coverage.left_out]
    lines += [f"not shown: {word}" for word in coverage.not_shown]
    return "\n".join(lines)
