"""Whether values are left open: what was asked for, what the code allows, and what pays.

`auto` leaves values open unless the code or the settings stand against it, and falls back to concrete values when
the code turns out to need nearly every number. It trusts nobody: at scope 3 and below both ways are gone and compared,
and above, both are compared at scope 2 first.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from unlike import heap
from unlike.core import Deadline
from unlike.errors import TargetError, UnlikeError
from unlike.explore import Result
from unlike.explore.api import Api
from unlike.explore.open_values.compare import differences
from unlike.explore.open_values.result import OpenResult, open_result
from unlike.explore.open_values.search import SIGNALS, DeadlyError, OpenSearch
from unlike.explore.open_values.states.paying import BESIDE_COMPILED, BESIDE_PYTHON, FREE, Balance
from unlike.explore.outcomes import DEADLY, ENDED, FoundClass, Options
from unlike.explore.search import Search
from unlike.explore.surroundings import HangError
from unlike.isolation import (
    Answer,
    Death,
    call_in_copy,
    can_fork,
    die_interrupted,
    is_in_copy,
    process_state,
    send,
    take_output,
    within_memory,
)
from unlike.progress import Progress
from unlike.scope import Limits, Scope
from unlike.suite import Ending, Status
from unlike.zones import OpenedError, Places

COMPARED = 3  # up to this scope both ways are gone
HALF = 0.5  # of the time that is left goes to the rehearsal
MARGIN = 2  # seconds more than a call may take: calls that hang in Python are interrupted, not killed
TRIAL = 2  # the scope of the comparison before a larger exploration
MOST_IN_TRIAL = 2_000  # states of a trial
NOTHING_BUILT = "the code sees that values are left open: nothing could be built"
NUMBERS = frozenset({"int", "bool", "float", "complex", "str", "bytes"})


@dataclass(frozen=True, slots=True)
class Setting:
    """One exploration, before it is decided how its values are chosen."""

    api: Callable[[Scope, list[type]], Api]  # given classes met on the way
    scope: Scope
    limits: Limits
    options: Options
    concrete: Callable[[Scope, Limits, Options], Result]

    def explored_concrete(self) -> Result:
        """Explore with concrete values."""
        return self.concrete(self.scope, self.limits, self.options)

    def at(self, scope: Scope, most_states: int) -> Setting:
        """Return the same exploration within another scope."""
        limits = replace(self.limits, objects=scope.objects, objects_of=scope.objects_of, elements=scope.most_elements)
        return replace(
            self,
            scope=scope,
            limits=limits,
            options=replace(
                self.options, exploring=replace(self.options.exploring, most_states=most_states), on_progress=None
            ),
        )


def what_forbids(limits: Limits, options: Options, *, search: object) -> str:
    """Return which setting needs concrete values, or nothing."""
    if not options.matching:
        return "without state matching"
    if options.isolation.workers:
        return "when calls are made in several processes"
    if search is not Search:
        return "when builders or random exploration choose the calls"
    return "" if limits.faithful else "when fields are omitted, dicts are unordered, or classes have keys"


def explored(setting: Setting, against: str) -> Result:
    """Explore with values open or concrete, as asked; `against` says which setting forbids to leave them open."""
    values = setting.options.exploring.values
    if values == "concrete":
        return _said(setting.explored_concrete(), "concrete", "as asked")
    if values == "symbolic":
        if against := against or _seen(setting):
            raise UnlikeError(f"values cannot be left open {against}; use values='concrete' (--values concrete)")
        try:
            return _said(explored_open(setting), "symbolic", "as asked")
        except SIGNALS as error:
            words = f"{type(error).__name__}: {error}"
            raise UnlikeError(
                f"values cannot be left open here: {words}; use values='concrete' (--values concrete)"
            ) from None
    return _chosen(setting, against)


def explored_open(setting: Setting, most: int | None = None, *, must_pay: bool = False) -> OpenResult:
    """Explore with values open; where that is asked for, in a copy of this process first, which may die of it."""
    isolated = not setting.options.isolation.is_here and can_fork() and not is_in_copy()
    deadline = setting.options.deadline
    way = Way(must_pay, most, deadline)
    if not isolated:
        return _explored_here(setting, way)
    if (tell := setting.options.on_progress) is not None:
        setting = replace(setting, options=replace(setting.options, on_progress=onward(tell)))
    last_look = _scout(setting, replace(way, deadline=deadline.part(HALF)))
    with within_memory(setting.options.isolation):  # so that a call which takes all there is fails here as it did there
        return _explored_here(setting, replace(way, last_look=last_look, isolated=True))


def onward(tell: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """Return a teller that is silent until a search that begins again is as far as it was told before."""
    furthest = 0

    def told(progress: Progress) -> None:
        nonlocal furthest
        if progress.more["calls"] > furthest:
            furthest = progress.more["calls"]
            tell(progress)

    return told


@dataclass(frozen=True, slots=True)
class Way:
    """How far to go with values open."""

    must_pay: bool
    most: int | None
    deadline: Deadline
    last_look: int = -1  # at the clock, after which the time of the rehearsal was over
    isolated: bool = False  # there was a rehearsal


def _scout(setting: Setting, way: Way) -> int:
    """Explore in a copy of this process, and raise here what ends it there; return where its time was over, or -1.

    The search here then ends where that one did, so that no call is made here that was not made there. The copy tells
    how far it is.
    """
    tell = setting.options.on_progress

    def work() -> tuple[str, str, int]:
        plain = replace(setting, options=replace(setting.options, on_progress=send if tell else None))
        before = process_state()
        try:
            result = _explored_here(plain, way)
        except SIGNALS as error:
            return type(error).__name__, str(error), -1
        if result.status.ending is Ending.INTERRUPTED:
            die_interrupted()
        after = process_state()
        traces = [name for name, value in before.items() if after[name] != value]
        traces += ["its output, past sys.stdout"] if take_output() else []
        if traces:
            return DeadlyError.__name__, f"a call changes its process: {', '.join(traces)}", -1
        return "", "", result.looks if result.status.ending is Ending.TIMEOUT else -1

    limits = setting.options.isolation
    if limits.seconds_per_call is not None:
        limits = replace(limits, seconds_per_call=limits.seconds_per_call + MARGIN)
    verdict = call_in_copy(work, limits, told=tell)
    if isinstance(verdict, Death):
        raise DeadlyError(f"a call ended or blocked its process, {verdict.cause}")
    if not isinstance(verdict, Answer):  # as little memory as a copy may have
        raise DeadlyError(f"the search failed in its process: {verdict.error}")
    name, words, last_look = verdict.result
    if name:
        raise next(each for each in SIGNALS if each.__name__ == name)(words)
    return int(last_look)


def _explored_here(setting: Setting, way: Way) -> OpenResult:
    """Explore in this process; from the beginning whenever a class, or a place of open values, is met late."""
    extra: list[type] = []
    places, looks = Places(), 0
    compiled = setting.options.exploring.implementation != "python" and heap.native_is_built()
    costs = BESIDE_COMPILED if compiled else BESIDE_PYTHON
    while True:
        api = setting.api(setting.scope, extra)
        search = OpenSearch(api, setting.scope, setting.limits, setting.options, places)
        search.balance, search.isolated = Balance(way.must_pay, way.most, costs), way.isolated
        search.deadline, search.looks, search.last_look = way.deadline, looks, way.last_look
        try:
            search.run()
        except FoundClass as found:
            extra.append(found.cls)
        except OpenedError:
            places = search.places.again()
        except SIGNALS:
            search.take_back_tokens()
            raise
        else:
            return open_result(search)
        search.take_back_tokens()
        looks = search.looks


def _chosen(setting: Setting, against: str) -> Result:
    """Explore as it pays, and say why."""

    def concrete(why: str) -> Result:
        return _said(setting.explored_concrete(), "concrete", why)

    if against := against or _seen(setting):
        return concrete(f"values cannot be left open {against}")
    if setting.scope.objects <= COMPARED:
        result = setting.explored_concrete()
        return _said(result, *_compared(setting, result))
    small = _explored_small(setting)
    try:
        if small is not None and (trouble := _tried(setting, small)):
            return concrete(trouble)
        result = explored_open(setting, must_pay=True)
    except KeyboardInterrupt:
        if small is None:
            raise
        return _said(_stopped(small, setting), "concrete", "stopped before it was known whether values stay open")
    except SIGNALS as error:
        return concrete(f"values cannot stay open: {type(error).__name__}: {error}")
    why = f"{result.abstract_states:,} abstract states stand for {result.states:,} objects"
    return _said(result, "symbolic", why) if result.steady else concrete("state outside the objects is changed")


def _compared(setting: Setting, result: Result) -> tuple[str, str]:
    """Go the other way, too, and return which values were used, and why."""
    if result.status.cut_short or not result.steady:
        return "concrete", "the class is not deterministic, or the search was cut short"
    if _is_deadly(result):
        return "concrete", "some calls end or block their process"
    try:
        opened = explored_open(
            setting.at(setting.scope, setting.options.exploring.most_states), 2 * result.calls + FREE
        )
        found = [] if opened.status.cut_short else differences(result, opened)
    except SIGNALS as error:
        return "concrete", f"values cannot stay open: {type(error).__name__}: {error}"
    except TargetError:
        return "concrete", NOTHING_BUILT
    if opened.status.cut_short:
        return "concrete", f"leaving values open did not come to an end: {opened.status}"
    if found:
        return "concrete", f"the code sees that values are left open: {'; '.join(found)}"
    result.opened = opened
    return "symbolic", (
        f"{opened.abstract_states:,} abstract states stand for {result.states:,} objects; "
        "both ways were gone and gave the same"
    )


def _small(setting: Setting) -> Setting:
    """Return the same exploration within the scope of a trial."""
    most = {name: min(objects, TRIAL) for name, objects in setting.scope.objects_of.items()}
    return setting.at(replace(setting.scope, objects=TRIAL, objects_of=most), MOST_IN_TRIAL)


def _explored_small(setting: Setting) -> Result | None:
    """Return what there is within a small scope, or nothing if nothing can be built within so little."""
    trial = _small(setting)
    try:
        return trial.explored_concrete()
    except TargetError:
        return None


def _stopped(small: Result, setting: Setting) -> Result:
    """Return what was found within a small scope as the part of the whole that was found before the user stopped it."""
    small.scope = setting.scope
    if not small.status.cut_short:
        small.status = Status(Ending.INTERRUPTED, f"only objects within scope {TRIAL} were found")
    return small


def _tried(setting: Setting, result: Result) -> str:
    """Compare both ways at a small scope; return what speaks against leaving values open, or nothing."""
    if result.leaks or result.unsteady:
        return "the class is not deterministic, or keeps state outside its objects"
    if _is_deadly(result):
        return "some calls end or block their process"
    if result.status.cut_short:
        return ""
    try:
        opened = explored_open(_small(setting))
        found = [] if opened.status.cut_short else differences(result, opened)
    except SIGNALS as error:
        return f"values cannot stay open: {type(error).__name__}: {error}"
    except TargetError:
        return NOTHING_BUILT
    return f"the code sees that values are left open: {'; '.join(found)}" if found else ""


def _is_deadly(result: Result) -> bool:
    """Tell whether some call did not return to its process."""
    hung = HangError.__qualname__
    return any(
        each.failure.reason == ENDED or each.failure.exception.startswith(DEADLY) or each.failure.exception == hung
        for each in result.errors
    )


def _said(result: Result, values: str, why: str) -> Result:
    result.values, result.why = values, why
    return result


# -- code that asks for the type of a value ----------------------------------------------------------


def _seen(setting: Setting) -> str:
    """Return where the code can tell an open value from a number, or nothing."""
    where = _asks_for_types(setting.api(setting.scope, []))
    return f"since {where}" if where else ""


def _asks_for_types(api: Api) -> str:
    """Return where the code compares `type(x)` with a type of numbers, which a token cannot answer; or nothing."""
    return next(filter(None, (_asks(each) for cls in api.classes for each in cls.__mro__)), "")


@functools.lru_cache(maxsize=1024)  # the source of a class is read once
def _asks(cls: type) -> str:
    for name, node in _comparisons(cls):
        if _is_type_call(node.left) or any(map(_is_type_call, node.comparators)):
            mentioned = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            if mentioned & NUMBERS:
                return f"{cls.__qualname__} compares `{ast.unparse(node)}` ({name}, line {node.lineno})"
    return ""


def _comparisons(cls: type) -> Iterator[tuple[str, ast.Compare]]:
    if cls.__module__ == "builtins":
        return
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except (OSError, TypeError, SyntaxError):
        return
    yield from ((cls.__module__, node) for node in ast.walk(tree) if isinstance(node, ast.Compare))


def _is_type_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"
