"""Two classes explored together: the same calls on an object and on its reference, whose answers must agree.

A state is a pair of objects that were made by the same calls, so what is not compared by the other parts of an
exploration (states, levels, copies of the process) stays as it is. A pair that differs is not explored further.
"""

from __future__ import annotations

import builtins
import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields as dataclass_fields, replace
from typing import Any, ClassVar, Self

from unlike.classes.agreement import Disagreement, UncomparableError, compare_answers, compare_contents, is_equal
from unlike.classes.api import Api, Kind, Operation, Refusal, Template, Wanted
from unlike.classes.caller import ObjectCaller
from unlike.classes.evidence import Evidence, Failure, FoundClass, Options, Outcome, Revealed, Tally
from unlike.classes.executors.in_copy import InCopy
from unlike.classes.frontier import StateFrontier
from unlike.classes.kept_inside import KeptMore
from unlike.classes.policy import SearchPolicy, list_some
from unlike.classes.recipes import Trace
from unlike.classes.result import Result, is_true, result_of
from unlike.classes.run import SearchRun, SearchSpec
from unlike.classes.under_test import CodeUnderTest, Fixtures, GlobalsWatch
from unlike.classes.workbench import ReadyCall, Workbench
from unlike.core import CutShort
from unlike.errors import ScopeError, TargetError
from unlike.heap.store import States
from unlike.isolation.copy import can_fork, is_in_copy
from unlike.recipe import Name, Recipe, import_name, name_of, run
from unlike.suite import Case, Ending, Status


class Twins:
    """An object, and its reference after the same calls."""

    __slots__ = ("ours", "reference")

    def __init__(self, ours: object, reference: object) -> None:
        self.ours, self.reference = ours, reference


@dataclass(frozen=True, slots=True)
class References:
    """The class explored, and what makes its references: another class, or a function."""

    cls: type
    reference: Callable[..., Any]
    stops: ClassVar[bool] = False  # the search is over when the first difference is met

    @property
    def name(self) -> str:
        """What the reference is called."""
        return getattr(self.reference, "__name__", "the reference")

    def counterpart(self, operation: Operation) -> Callable[..., Any] | None:
        """Return what makes an object of the reference where an operation makes one of the class."""
        if operation.kind is Kind.NEW:
            return self.reference
        found = getattr(self.reference, operation.name, None) if isinstance(self.reference, type) else None
        return found if callable(found) else None

    def has(self, operation: Operation) -> bool:
        """Tell whether the reference has such an operation, as far as can be told before there is an object."""
        if operation.owner is not self.cls:
            return False
        if operation.kind in (Kind.NEW, Kind.MAKER):
            return self.counterpart(operation) is not None
        return not isinstance(self.reference, type) or hasattr(self.reference, operation.name)

    def prepare(self, api: Api) -> tuple[Api, References]:
        """Return the calls that are made, and what is known of them."""
        return api, self

    def twins_of(self, cls: type) -> type[Twins] | None:
        """Return the class of pairs whose first object is of a class; None where these are not called."""
        return Twins if issubclass(self.cls, cls) else None

    def call_on_both(self, operation: Operation) -> Callable[..., object]:
        """Return an operation, made on both objects of a pair."""
        return CallOnBoth(operation, self)

    def list_unseen(self) -> list[str]:
        """Return what shows nothing of itself, and was not compared."""
        return []

    def with_itself(self, call: ReadyCall, pairs: Sequence[Twins]) -> None:
        """Make a call on two objects of the class that were made by the same calls; raise where they differ."""

    def list_uncalled(self, api: Api) -> tuple[str, ...]:
        """Return the operations of the class that are known not to be called, and are to be named."""
        del api
        return ()

    def known_classes(self) -> list[type]:
        """Return the classes in whose modules things may change that are no part of an object."""
        return [each for each in (self.cls, self.reference) if isinstance(each, type)]

    def run_reference(self, recipe: Recipe) -> object:
        """Return what a recipe makes of the reference."""
        return run(recipe, self.resolve, past_errors=True)

    def resolve(self, name: Name) -> object:
        """Return what a name of the class stands for in the reference."""
        own = name_of(self.cls)
        if name == own:
            return self.reference
        if name.module == own.module and name.qualname.startswith(f"{own.qualname}."):
            return getattr(self.reference, name.qualname.removeprefix(f"{own.qualname}."))
        return import_name(name)


def reference_of(given: Any) -> Callable[..., Any]:
    """Return the reference that is meant: a class or function itself, MODULE:NAME, or the name of a builtin."""
    found: Any = given
    if isinstance(given, str):
        module, colon, qualname = given.partition(":")
        found = import_name(Name(module, qualname)) if colon else getattr(builtins, given, None)
    if not callable(found):
        raise TargetError(
            f"reference={given!r} is neither a class nor a function that makes one; name MODULE:CLASS, or a builtin "
            "such as dict, list or set"
        )
    return found  # type: ignore[no-any-return]


# -- one call on both ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class CallOnBoth:
    """An operation, made on both objects of a pair and compared; what was passed is passed to each by itself."""

    operation: Operation
    references: References

    def __call__(self, *args: Any, **kwargs: Any) -> object:
        """Make the call on both; raise a Disagreement where they do not agree."""
        operation = self.operation
        pair = args[0] if operation.has_receiver else None
        was_equal = pair is not None and is_equal(pair.ours, pair.reference)
        came_to = [self._call_one(side, args, kwargs) for side in ("ours", "reference")]
        own = self.references.cls, type(pair.reference) if pair is not None else object
        result = compare_answers(*came_to, own=own, receivers=None if pair is None else (pair.ours, pair.reference))
        if pair is not None:
            compare_contents(pair.ours, pair.reference)
            if was_equal and not is_equal(pair.ours, pair.reference):
                raise Disagreement("is no longer equal")
        if result is None:
            return None
        compare_contents(*result)
        return Twins(*result)

    def _call_one(self, side: str, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[object, Exception | None]:
        """Return the answer of one side, and what it raised."""
        own = [getattr(each, side) if isinstance(each, Twins) else copy.deepcopy(each) for each in args]
        named = {
            key: getattr(each, side) if isinstance(each, Twins) else copy.deepcopy(each) for key, each in kwargs.items()
        }
        operation = self.operation
        receiver, own = (own[0], own[1:]) if operation.has_receiver else (None, own)
        if receiver is not None and side == "reference" and not hasattr(receiver, operation.name):
            raise UncomparableError(operation.title)
        try:
            if side == "reference" and receiver is None:
                return self._make_reference(own, named), None
            answer = operation.perform(receiver, own, named)
        except Exception as error:
            return None, error
        if answer is NotImplemented:  # what Python makes a TypeError of, after asking the other operand
            return None, TypeError("not implemented for this operand")
        return answer, None

    def _make_reference(self, args: Sequence[Any], kwargs: dict[str, Any]) -> object:
        make = self.references.counterpart(self.operation)
        assert make is not None
        return make(*args, **kwargs)


def pair_api(api: Api, references: References) -> tuple[Api, tuple[Template, ...]]:
    """Return the calls that both have, on pairs, and the same on the class alone, in the same order."""
    compared = {each: references.has(each) for each in api.operations}
    operations = {
        each: Operation(Kind.FUNCTION, each.title, None, references.call_on_both(each), each.parameters)
        for each, has in compared.items()
        if has
    }
    own = tuple(
        each
        for each in api.templates
        if each.operation in operations and all(references.twins_of(cls) for cls in each.wanted)
    )
    missing = [each for each, has in compared.items() if not has]
    refusals = [Refusal(each.title, f"{references.name} has nothing to compare it with") for each in missing]
    pairs = tuple(_on_pairs(each, operations[each.operation], references) for each in own)
    twins = [each for cls in (*api.classes, *api.extra) if (each := references.twins_of(cls)) is not None]
    first, extra = (*dict.fromkeys(twins[:1]),), (*dict.fromkeys(twins[1:]),)
    called = (*operations.values(),), (*api.refusals, *refusals), pairs
    made = Api(first, *called, extra, api.remarks, api.thinned, uncalled=references.list_uncalled(api))
    return made, own


def _on_pairs(template: Template, operation: Operation, references: References) -> Template:
    def pass_on(value: Any) -> Any:
        return Wanted(references.twins_of(value.cls) or Twins, value.first) if isinstance(value, Wanted) else value

    wanted: Any = tuple(references.twins_of(each) for each in template.wanted)
    receiver = (Wanted(wanted[0]),) if template.operation.has_receiver else ()
    args = tuple(map(pass_on, template.args))
    kwargs = tuple((name, pass_on(each)) for name, each in template.kwargs)
    return Template(operation, (*receiver, *args), kwargs, wanted, template.places, template.first)


# -- the search ------------------------------------------------------------------------------------------


class PairCode(CodeUnderTest):
    """Both classes as a search meets them."""

    def __init__(self, api: Api, spec: SearchSpec, references: References) -> None:
        super().__init__(api, spec.limits, spec.options.exploring.implementation)
        self.references = references
        self.watch = GlobalsWatch(references.known_classes())
        self.walker = self.make_walker(self.watch.find_pinned(), spec.options.exploring.implementation)
        self.fixtures = Fixtures(self.walker, self.watch.find_pinned())

    def is_found_object(self, cls: type) -> bool:
        """Tell whether what a call returned is a pair; one of a class that is not called yet restarts the search."""
        if not issubclass(cls, Twins):
            return False
        if not issubclass(cls, (*self.api.classes, *self.api.extra)):
            raise FoundClass(cls.own)  # type: ignore[attr-defined]
        return True


class PairTrace(Trace):
    """Knows how every pair came about: as calls on the class, which are made on the reference, too."""

    def __init__(self, templates: Sequence[Template], store: States, references: References) -> None:
        super().__init__(templates, store)
        self.references = references

    def replay(self, number: int) -> list[Any]:
        """Return fresh pairs in the state, made by their calls."""
        recipe = self.recipe(number, of_all=True)
        sides: Any = (run(recipe, past_errors=True), self.references.run_reference(recipe))
        return [
            (self.references.twins_of(type(ours)) or Twins)(ours, other) for ours, other in zip(*sides, strict=True)
        ]


class PairFrontier(StateFrontier):
    """The known pairs."""

    def __init__(self, code: PairCode, spec: SearchSpec, own: Sequence[Template], references: References) -> None:
        super().__init__(code, spec.scope, spec.options)
        self.trace = PairTrace(own, self.store, references)

    def calls_on(self, number: int) -> list[ReadyCall]:
        """Return the calls that need this pair alone, also where another one shares parts with it."""
        return self.code.unary_calls(self.classes[number])


@dataclass(slots=True)
class Uncompared:
    """Operations that the reference cannot take as the class can."""

    titles: dict[str, None] = field(default_factory=dict)
    unseen: dict[str, None] = field(default_factory=dict)  # what shows nothing of itself

    def merge(self, later: Self) -> None:
        """Add those met later."""
        self.titles |= later.titles
        self.unseen |= later.unseen


@dataclass(slots=True)
class PairPolicy(SearchPolicy):
    """The usual policy, which notes what cannot be compared."""

    def new_notes(self, api: Api) -> Uncompared:
        """Return where to note it."""
        del api
        return Uncompared()


def compare_beside(roots: Iterable[Sequence[Any]]) -> None:
    """Raise where pairs that share parts with those that were called differ now."""
    for beside in (each for some in roots for each in some[1:] if isinstance(each, Twins)):
        try:
            compare_contents(beside.ours, beside.reference)
        except Disagreement as error:
            raise Disagreement("changes another object", error.detail) from None


class PairCaller(ObjectCaller):
    """Makes calls on pairs; whatever differs is an error."""

    references: References

    def hand_on(self) -> Evidence:
        """Return the evidence of all calls since the last time, with what shows nothing of itself."""
        evidence = super().hand_on()
        evidence.notes.unseen.update(dict.fromkeys(self.references.list_unseen()))
        return evidence

    def judge_success(self, bench: Workbench, result: object, tally: Tally) -> Outcome:
        """Look at pairs beside the one that was called, too: an object that shares parts may have changed with it."""
        try:
            compare_beside(bench.roots)
        except Disagreement as error:
            changed = bench.was_changed()
            bench.seen = (type(error), changed)
            return self.judge_exception(bench.call, bench.numbers, None, error, changed, bench.silent)
        return super().judge_success(bench, result, tally)

    def judge_exception(
        self, call: ReadyCall, numbers: Sequence[int], on: object, error: BaseException, changed: bool, silent: bool
    ) -> Outcome:
        """Judge what a call on both came to, where they do not agree or cannot be compared."""
        if isinstance(error, UncomparableError):
            self.evidence.notes.titles[call.template.operation.title] = None
            return Outcome.PRECONDITION
        if not isinstance(error, Disagreement):
            return super().judge_exception(call, numbers, on, error, changed, silent)
        if self.references.stops and not self.is_steady(call, numbers):
            title = call.template.operation.title
            self.evidence.unsteady[title] = True
            return Outcome.PRECONDITION
        if not silent:
            failure = Failure(f"differs from {self.references.name}", error.kind, error.detail)
            self.note_error(call, numbers, failure)
            if self.references.stops:
                self.marks.end_call()
                raise CutShort(Status(Ending.FOUND, "a difference was met"))
        return Outcome.ERROR

    def is_steady(self, call: ReadyCall, numbers: Sequence[int]) -> bool:
        """Tell whether the class agrees with itself where it does not agree with its reference."""
        again = [[self.rerun_calls(each)[0].ours for each in numbers] for _ in range(2)]
        pairs = [Twins(one, other) for one, other in zip(*again, strict=True)]
        try:
            self.references.with_itself(call, pairs)
        except KeyboardInterrupt:
            raise
        except Disagreement:
            return False
        finally:
            self.code.fixtures.restore()
        return True


class PairRun(SearchRun):
    """One search through pairs, in this process."""

    def __init__(self, api: Api, spec: SearchSpec, references: References) -> None:
        self.policy, self.references, self.own_api = PairPolicy(), references, api
        self.scope, self.options = spec.scope, spec.options
        pairs, self.own_templates = pair_api(api, references)
        self.code = PairCode(pairs, spec, references)
        self.frontier = PairFrontier(self.code, spec, self.own_templates, references)
        self.caller = PairCaller(self.code, self.frontier, spec.options, self.policy)
        self.caller.references = references
        self.begin()

    def end(self) -> None:
        """Say how the search ended, and what was not compared."""
        super().end()
        titles, unseen = list(self.evidence.notes.titles), list(self.evidence.notes.unseen)
        if self.status.ending is Ending.COMPLETE:
            words = f"{self.references.name} cannot be called like {list_some(titles)}" if titles else ""
            hidden = f"without comparing what shows nothing of itself ({list_some(unseen)})" if unseen else ""
            self.status = Status(Ending.COMPLETE, "; ".join(filter(None, (self.status.detail, words, hidden))))


@dataclass(slots=True)
class PairResult(Result):
    """What an exploration of pairs found."""

    noun: ClassVar[str] = "pair"

    @property
    def name(self) -> str:
        """The classes compared, by name."""
        return f"{self.api.classes[0].__name__} and {self.search.references.name}"  # type: ignore[attr-defined]

    def _case(self, position: int, number: int) -> Case:
        case = super(PairResult, self)._case(position, number)
        return replace(case, id=f"{self.api.classes[0].__name__}-{position}")

    def _replays(self, number: int, recipe: Recipe) -> bool:
        """Tell whether the calls, made on both, give the pair they should."""
        search, walk = self.search, self.search.code.walker.walk
        try:
            made = search.caller.rerun_calls(number)
            return walk(*made) == search.frontier.key(number) and walk(made[0].ours) == walk(
                run(recipe, past_errors=True)
            )
        except Exception:  # the code under test may do something else this time
            return False
        finally:
            search.code.fixtures.restore()

    def reproduces(self, error: Revealed) -> bool:
        """Tell whether both differ again when the calls are made on their own."""
        (verdict,) = self.each_in_copies(lambda _: self._differs(error), 1)
        return is_true(verdict)

    def _differs(self, error: Revealed) -> bool:
        numbers, call = error.met[0][:2]
        roots = [self.search.caller.rerun_calls(each) for each in numbers]
        try:
            self.search.code.calls[call].run([each[0] for each in roots])
            compare_beside(roots)
        except Disagreement as seen:
            return seen.kind == error.failure.exception
        return False


def explore_pairs(
    spec: SearchSpec, api_of: Callable[[SearchSpec], Api], references: References | None = None
) -> Result:
    """Return what pairs of an object and its reference can be built, and where they differ."""
    exploring = replace(spec.options.exploring, protocols=False)
    options = replace(spec.options, exploring=exploring, states=replace(spec.options.states, invariant=None))
    spec = replace(spec, options=options)
    while True:
        api = api_of(spec)
        if len(api.classes) != 1:
            raise ScopeError(f"a reference (--reference) stands for one class, not for {len(api.classes)}; name one")
        known = references or References(api.classes[0], reference_of(exploring.reference))
        try:
            return _explore_pairs(spec, *known.prepare(api))
        except FoundClass as found:  # its objects take part from the start
            spec = replace(spec, extra=(*spec.extra, found.cls))
        except KeptMore as found:
            spec = replace(spec, scope=replace(spec.scope, kept=found.kept))


def _explore_pairs(spec: SearchSpec, api: Api, references: References) -> Result:
    options = spec.options
    search = PairRun(api, spec, references)
    if not any(not each.wanted for each in search.own_templates):
        raise TargetError(f"{references.name} cannot be made by the same calls as {api.classes[0].__name__}")
    if options.isolation.is_here or is_in_copy() or not can_fork():
        search.run()
    else:
        search.isolated = True
        InCopy(search).run()
    try:
        found = result_of(search)
    except TargetError as error:
        name = f"{api.classes[0].__name__} with its reference"
        raise TargetError(str(error).replace(search.api.classes[0].__name__, name)) from None
    by_title = {each.title: each for each in api.operations}
    fields = {name: getattr(found, name) for name in (each.name for each in dataclass_fields(Result)) if name != "api"}
    fields["by_operation"] = {by_title[each.title]: counts for each, counts in found.by_operation.items()}
    observers = {each.title for each in found.observers}
    fields["observers"] = tuple(each for title, each in by_title.items() if title in observers)
    return PairResult(api=api, **fields).because("concrete", "both are called with the same values")


def check_question(options: Options, policy: SearchPolicy) -> None:
    """Refuse what a comparison with a reference cannot do."""
    exploring = options.exploring
    if exploring.values == "symbolic" or exploring.then_random is not None or not policy.is_usual:
        raise ScopeError(
            "a reference (--reference) is called with the same values as the class, in every order; leave out "
            "--values symbolic, --then-random, --random and --builders"
        )
