"""Whether values are left open: what was asked for, what the code allows, and what pays.

`auto` leaves values open unless the code or the settings stand against it, and falls back to concrete values when
the code turns out to need nearly every number. It trusts nobody: at scope 3 and below both ways are gone and compared,
and above, both are compared at scope 2 first. A search with values open is made in a copy of this process, which may
die of it; what it found comes back in one report.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unlike.classes.api import Api, Operation
from unlike.classes.evidence import DEADLY, ENDED, FoundClass, HangError, Outcome
from unlike.classes.executors.transfer import name_exceptions, why_left_behind
from unlike.classes.open.cost_model import BESIDE_COMPILED, BESIDE_PYTHON, FREE, Cost
from unlike.classes.open.path_caller import SIGNALS, DeadlyError, OpenRun
from unlike.classes.open.result import OpenResult, open_result
from unlike.classes.open.states import Sent
from unlike.classes.policy import SearchPolicy
from unlike.classes.pools import source_tree
from unlike.classes.result import Result
from unlike.classes.run import SearchSpec
from unlike.classes.verb import KnownApis, explore_concrete
from unlike.errors import TargetError, UnlikeError
from unlike.heap.layout import OpaqueError
from unlike.heap.numbered_names import export_since, extent, import_from, number_all, refuse_to_number
from unlike.heap.walkers import native_is_built
from unlike.isolation import Answer, Death
from unlike.isolation.copy import call_in_copy, mark, runs_here, send
from unlike.isolation.limits import die_interrupted
from unlike.isolation.output import take_output
from unlike.isolation.state import process_state
from unlike.isolation.wire import CannotPackError, NonsenseError, pack, unpack
from unlike.scope import Kept, Scope
from unlike.suite import Ending, Status
from unlike.zones.walking import CannotStayOpenError, OpenedError, Places

COMPARED = 3  # up to this scope both ways are gone
TRIAL = 2  # the scope of the comparison before a larger exploration
MOST_IN_TRIAL = 2_000  # states of a trial
NUMBERS = frozenset({"int", "bool", "float", "complex", "str", "bytes"})
MOST_COUNTED = 2_000  # paths that are run again to count the calls they stand for
MOST_COMPARED = 5_000  # states compared one by one; of more, only their number
OF_CONTAINERS = " elements, of at most "  # in the reason why an object is outside
MARGIN = 2  # seconds more than a call may take: calls that hang in Python are interrupted, not killed


@dataclass(frozen=True, slots=True)
class OpenSearch:
    """How to search with values open, and when to give up."""

    spec: SearchSpec
    apis: KnownApis
    must_pay: bool = False  # give up where it takes more than chosen values would
    most: int | None = None  # give up where it takes more than this

    def run(self) -> OpenRun:
        """Search; where that is asked for, in a copy of this process."""
        if runs_here(self.spec.options.isolation):
            return self.search_here()
        options, limits = self.spec.options, self.spec.options.isolation
        if limits.seconds_per_call is not None:
            limits = replace(limits, seconds_per_call=limits.seconds_per_call + MARGIN)
        inside = replace(options, on_progress=send if options.on_progress else None)
        there = replace(self, spec=replace(self.spec, options=inside))
        states: list[Sent] = []
        tell: Callable[[Any], object] = options.on_progress or states.append

        def hear(sent: Any) -> None:
            (states.append if isinstance(sent, Sent) else tell)(sent)

        verdict = call_in_copy(there.search_in_copy, limits, told=hear, in_scratch=True)
        if isinstance(verdict, Death):
            raise DeadlyError(f"a call ended or blocked its process, {verdict.cause}")
        if not isinstance(verdict, Answer):  # as little memory as a copy may have
            raise DeadlyError(f"the search failed in its process: {verdict.error}")
        ending, *told = verdict.result
        if signal := next((each for each in SIGNALS if each.__name__ == ending), None):
            raise signal(*told)
        try:
            with without_collecting():
                return self.take(states, *told)
        except Exception as error:  # whatever nonsense leads to
            raise DeadlyError(f"the copy sent nonsense: {type(error).__name__}: {error}") from None

    def search_here(self) -> OpenRun:
        """Search in this process; from the beginning whenever a class, or a place of open values, is met late."""
        spec, places, cost = self.spec, Places(), self.count_costs()
        leaks: dict[str, str] = {}  # what calls changed outside the objects is as they left it in the next search
        while True:
            search = self.begin(spec, places, cost)
            search.caller.evidence.leaks.update(leaks)
            try:
                search.run()
            except FoundClass as found:
                spec = replace(spec, extra=(*spec.extra, found.cls))
            except OpenedError:
                places = search.caller.places.again()
            else:
                return search
            finally:
                search.code.take_back_tokens()
            leaks = search.caller.evidence.leaks
            here = search.caller.calls_here
            cost.begin_again(here, search.caller.calls - here)

    def count_costs(self) -> Cost:
        """Return the count that decides whether it pays: one for all searches of which only the last counts."""
        compiled = self.spec.options.exploring.implementation != "python" and native_is_built()
        return Cost(self.must_pay, self.most, BESIDE_COMPILED if compiled else BESIDE_PYTHON)

    def begin(self, spec: SearchSpec, places: Places, cost: Cost) -> OpenRun:
        """Return a search that knows nothing yet."""
        with number_all():
            return OpenRun(self.apis.api(spec), spec, places, cost)

    def search_in_copy(self) -> tuple[str | bytes, ...]:
        """Search in the copy; return the signal that ended it and its words, or "" with what it found."""
        before = process_state()
        refuse_to_number(why_left_behind)
        try:
            search = self.search_here()
        except SIGNALS as error:
            return type(error).__name__, str(error)
        if search.status.ending is Ending.INTERRUPTED:
            die_interrupted()
        after = process_state()
        traces = [name for name, value in before.items() if after[name] != value]
        traces += ["its output, past sys.stdout"] if take_output() else []
        if traces:
            return DeadlyError.__name__, f"a call changes its process: {', '.join(traces)}"
        name_exceptions(search.evidence)
        walker, caller = search.code.walker, search.caller
        numbered = export_since(walker, search.code.numbered_at_first)[0], extent(walker)
        report = caller.places, *numbered, search.evidence, search.status, caller.began  # both have the same clock
        try:
            gc.disable()  # this process ends when it has told
            for states in search.frontier.states.to_send():
                mark()
                send(states)
            return "", pack(search.api.extra), pack(report, search.api.operations)
        except CannotPackError as error:
            return CannotStayOpenError.__name__, f"what was found cannot be sent to another process ({error})"

    def take(self, sent: Sequence[Sent], met: bytes, told: bytes) -> OpenRun:
        """Return the search of a copy as if it had been made here."""
        spec = replace(self.spec, extra=unpack(met))
        places, numbered, theirs, evidence, status, began = unpack(told, self.apis.api(spec).operations)
        search = self.begin(spec, places, self.count_costs())
        import_from(search.code.walker, numbered)
        if extent(search.code.walker) != theirs:
            raise NonsenseError("what was numbered there has other numbers here")
        for states in sent:
            search.frontier.states.take(states)
        search.frontier.catch_up()
        search.caller.calls, search.caller.began = evidence.calls, began
        search.evidence, search.isolated = evidence, True
        search.end()
        search.status = status  # the provisos are in it
        return search


def what_forbids(spec: SearchSpec, policy: SearchPolicy) -> str:
    """Return which setting needs concrete values, or nothing."""
    options = spec.options
    if not options.states.state_matching:
        return "without state matching"
    if options.isolation.workers:
        return "when calls are made in several processes"
    if not policy.is_usual:
        return "when builders or random exploration choose the calls"
    return "" if spec.limits.faithful else "when fields are omitted, dicts are unordered, or classes have keys"


def explore_as_asked(spec: SearchSpec, policy: SearchPolicy, apis: KnownApis) -> Result:
    """Explore with values open, as asked, or as it pays."""
    api = apis.api(spec)
    against = what_forbids(spec, policy) or ("where not every way to call is tried" if api.thinned else "")
    against = against or find_type_tests(api)
    if spec.options.exploring.values != "symbolic":
        return _Choice(spec, policy, apis).explore(against)
    if against:
        raise UnlikeError(f"values cannot be left open {against}; use values='concrete' (--values concrete)")
    try:
        result = explore_open(spec, apis)
        if any(
            OF_CONTAINERS in reason for reason in result.outside
        ):  # what is kept inside shows where values are chosen
            small = _Choice(spec, policy, apis).within_trial().explore_small()
            if small is not None and (kept := _kept_within(small, spec.scope)):
                result = explore_open(replace(spec, scope=replace(spec.scope, kept=kept)), apis)
        return result.because("symbolic", "as asked")
    except SIGNALS as error:
        words = f"{type(error).__name__}: {error}"
        raise UnlikeError(
            f"values cannot be left open here: {words}; use values='concrete' (--values concrete)"
        ) from None


def explore_open(spec: SearchSpec, apis: KnownApis, most: int | None = None, *, must_pay: bool = False) -> OpenResult:
    """Explore with values open."""
    search = OpenSearch(spec, apis, must_pay, most).run()
    with without_collecting():
        return open_result(search)


@contextlib.contextmanager
def without_collecting() -> Iterator[None]:
    """Make very many objects that all stay, without looking through them again and again for some that do not."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@dataclass(frozen=True, slots=True)
class _Choice:
    """One exploration of which nobody has said how its values are chosen."""

    spec: SearchSpec
    policy: SearchPolicy
    apis: KnownApis

    def explore(self, against: str) -> Result:
        """Explore as it pays, and say why; `against` says which setting or code forbids to leave values open."""
        if against:
            return self.concrete(f"values cannot be left open {against}")
        if self.spec.scope.objects <= COMPARED:
            result = explore_concrete(self.spec, self.policy, self.apis)
            try:
                return result.because(*self.knowing(result).compare(result))
            except KeyboardInterrupt:  # what was found stays
                return result.because("concrete", "stopped before both ways were compared")
        trial = self.within_trial()
        small = trial.explore_small()
        try:
            if small is not None and small.search.evidence.through_sets:
                return self.concrete("where sets are gone through, whose order is no value")
            if small is not None and (trouble := trial.knowing(small).try_open(small)):
                return self.concrete(trouble)
            if small is not None and _kept_within(small, self.spec.scope):
                return self.concrete("the class keeps more inside than is put in")
            result = explore_open(self.spec, self.apis, must_pay=True)
        except KeyboardInterrupt:
            if small is None:
                raise
            return _end_at_trial(small, self.spec.scope)
        except SIGNALS as error:
            return self.concrete(f"values cannot stay open: {type(error).__name__}: {error}")
        except OpaqueError as error:
            return self.concrete(f"values cannot stay open: {error}")
        if not result.steady:
            return self.concrete("state outside the objects is changed")
        why = f"{result.abstract_states:,} abstract states stand for {result.states:,} objects"
        return result.because("symbolic", why)

    def knowing(self, result: Result) -> _Choice:
        """Return the same exploration, knowing what a concrete one found the classes to keep inside."""
        return replace(self, spec=replace(self.spec, scope=replace(self.spec.scope, kept=result.scope.kept)))

    def concrete(self, why: str) -> Result:
        """Explore with concrete values."""
        return explore_concrete(self.spec, self.policy, self.apis).because("concrete", why)

    def compare(self, result: Result) -> tuple[str, str]:
        """Go the other way, too, and return which values were used, and why."""
        if result.status.cut_short or not result.steady:
            return "concrete", "the class is not deterministic, or the search was cut short"
        quiet = replace(self.spec, options=replace(self.spec.options, on_progress=None))
        opened, trouble = self.cross_check(quiet, result, 2 * result.calls + FREE)
        if opened is None or trouble:
            return "concrete", trouble
        if opened.status.cut_short:
            return "concrete", f"leaving values open did not come to an end: {opened.status}"
        result.opened = opened
        return "symbolic", (
            f"{opened.abstract_states:,} abstract states stand for {result.states:,} objects; "
            "both ways were gone and gave the same"
        )

    def cross_check(self, spec: SearchSpec, result: Result, most: int | None = None) -> tuple[OpenResult | None, str]:
        """Explore with values open; return what was found, and what speaks against leaving them open, or nothing."""
        if _is_deadly(result):
            return None, "some calls end or block their process"
        try:
            opened = explore_open(spec, self.apis, most)
            found = [] if opened.status.cut_short else _differences(result, opened)
        except SIGNALS as error:
            return None, f"values cannot stay open: {type(error).__name__}: {error}"
        except OpaqueError as error:
            return None, f"values cannot stay open: {error}"
        except TargetError:
            return None, "the code sees that values are left open: nothing could be built"
        return opened, f"the code sees that values are left open: {'; '.join(found)}" if found else ""

    def within_trial(self) -> _Choice:
        """Return the same exploration within the scope of a trial."""
        spec = self.spec
        most = {name: min(objects, TRIAL) for name, objects in spec.scope.objects_of.items()}
        scope = replace(spec.scope, objects=TRIAL, objects_of=most)
        exploring = replace(spec.options.exploring, most_states=MOST_IN_TRIAL)
        options = replace(spec.options, exploring=exploring, on_progress=None)
        return replace(self, spec=replace(spec, scope=scope, options=options))

    def explore_small(self) -> Result | None:
        """Return what there is within a small scope, or nothing if nothing can be built within so little."""
        try:
            return explore_concrete(self.spec, self.policy, self.apis)
        except TargetError:
            return None

    def try_open(self, result: Result) -> str:
        """Compare both ways at a small scope; return what speaks against leaving values open, or nothing."""
        if not result.steady:
            return "the class is not deterministic, or keeps state outside its objects"
        if result.status.cut_short and not _is_deadly(result):
            return ""
        return self.cross_check(self.spec, result)[1]


def _kept_within(small: Result, scope: Scope) -> Kept:
    """Return what a small exploration found the classes to keep inside, as far as it is beyond a larger scope."""
    beyond = {0: scope.objects}
    return {
        (name, length): most
        for (name, length), most in small.scope.kept.items()
        if (most if length in beyond else length) > beyond.get(length, scope.most_elements)
    }


def _end_at_trial(small: Result, scope: Scope) -> Result:
    """Return what was found within a small scope as the part of the whole that was found before the user stopped it."""
    small.scope = scope
    if not small.status.cut_short:
        small.status = Status(Ending.INTERRUPTED, f"only objects within scope {TRIAL} were found")
    return small.because("concrete", "stopped before it was known whether values stay open")


def _is_deadly(result: Result) -> bool:
    """Tell whether some call did not return to its process."""
    hung = HangError.__qualname__
    return any(
        each.failure.reason == ENDED or each.failure.exception.startswith(DEADLY) or each.failure.exception == hung
        for each in result.errors
    )


# -- code that asks for the type of a value ----------------------------------------------------------


def find_type_tests(api: Api) -> str:
    """Return where the code compares `type(x)` with a type of numbers, which a token cannot answer; or nothing."""
    where = next(filter(None, (_asks(each) for cls in api.classes for each in cls.__mro__)), "")
    return f"since {where}" if where else ""


@functools.lru_cache(maxsize=1024)  # the source of a class is read once
def _asks(cls: type) -> str:
    tree = None if cls.__module__ == "builtins" else source_tree(cls)
    for node in () if tree is None else ast.walk(tree):
        if isinstance(node, ast.Compare) and any(map(_is_type_call, (node.left, *node.comparators))):
            mentioned = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            if mentioned & NUMBERS:
                return f"{cls.__qualname__} compares `{ast.unparse(node)}` ({cls.__module__}, line {node.lineno})"
    return ""


def _is_type_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"


def _differences(concrete: Result, opened: OpenResult) -> list[str]:
    """Return how two answers differ, or that they cannot be compared; objects are made for that, so in a copy."""
    if runs_here(concrete.search.options.isolation):
        return _compare_all(concrete, opened)
    compare = functools.partial(_compare_all, concrete, opened)
    verdict = call_in_copy(compare, concrete.search.options.isolation, in_scratch=True)
    if isinstance(verdict, Answer) and isinstance(verdict.result, list):
        return [str(each) for each in verdict.result]
    return [f"objects could not be made again to be compared: {verdict}"]


def _compare_all(concrete: Result, opened: OpenResult) -> list[str]:
    """Return how two answers differ, or that they cannot be compared: objects may hold a signalling NaN."""
    try:
        return differences(concrete, opened)
    except (TypeError, ArithmeticError) as error:
        return [f"objects hold values that cannot be compared: {error}"]


def differences(concrete: Result, opened: Result) -> list[str]:
    """Return what the two results do not agree on, in words."""
    found = []
    if concrete.states != opened.states:
        found.append(f"{concrete.states:,} states with concrete values, {opened.states:,} with open ones")
    elif _are_few(concrete, opened) and concrete.lengths() != opened.lengths():
        found.append("other states, or other lengths of sequences")
    if dict(concrete.others) != dict(opened.others):
        found.append(f"found on the way {dict(concrete.others)} and {dict(opened.others)}")
    if errors_of(concrete) != errors_of(opened):
        found.append("other errors")
    if not _same_outcomes(concrete, opened):
        found.append("other outcomes")
    return found


def _are_few(concrete: Result, opened: Result) -> bool:
    """Tell whether states are compared one by one: that may not take longer than to find them."""
    lookups = opened.most_lookups() if isinstance(opened, OpenResult) else 0
    return concrete.states <= MOST_COMPARED and lookups <= FREE + concrete.calls


def _same_outcomes(concrete: Result, opened: Result) -> bool:
    """Tell whether as many calls came to the same; where there are very many paths, only whether the same occurred."""
    if not isinstance(opened, OpenResult) or sum(opened.outcomes.values()) > MOST_COUNTED:
        return count_outcomes(concrete.by_operation).keys() == count_outcomes(opened.by_operation).keys()
    try:
        return count_outcomes(concrete.by_operation) == count_outcomes(opened.calls_by_outcome())
    except UnlikeError:
        return False


def errors_of(result: Result) -> set[tuple[object, ...]]:
    """Return every error, with the length of its shortest sequence."""
    return {
        (each.operation, each.failure.reason, each.failure.exception, each.failure.place, each.calls)
        for each in result.errors
    }


def count_outcomes(outcomes: Mapping[Operation, Mapping[Outcome, int]]) -> dict[tuple[str, Outcome], int]:
    """Return how often each operation came to what; whether a state was new depends on the order: it does not count."""
    counts: Counter[tuple[str, Outcome]] = Counter()
    for operation, came_to in outcomes.items():
        for outcome, times in came_to.items():
            counts[operation.title, Outcome.KNOWN if outcome is Outcome.NEW else outcome] += times
    return {key: times for key, times in counts.items() if times}
