"""Whether values are left open: what was asked for, what the code allows, and what pays.

`auto` leaves values open unless the code or the settings stand against it, and falls back to concrete values when
the code turns out to need nearly every number. It trusts nobody: at scope 3 and below both ways are gone and compared,
and above, both are compared at scope 2 first.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from unlike.errors import TargetError, UnlikeError
from unlike.explore import Result
from unlike.explore.api import Api
from unlike.explore.open_values.compare import differences
from unlike.explore.open_values.result import OpenResult, open_result
from unlike.explore.open_values.search import SIGNALS, OpenSearch
from unlike.explore.search import FoundClass, Options
from unlike.scope import Limits, Scope
from unlike.symbolic import OpenedError, Places

Values = Literal["auto", "symbolic", "concrete"]
COMPARED = 3  # up to this scope both ways are gone
TRIAL = 2  # the scope of the comparison before a larger exploration
MOST_IN_TRIAL = 2_000  # states of a trial
NUMBERS = frozenset({"int", "bool", "float", "complex", "str", "bytes"})


@dataclass(frozen=True, slots=True)
class Setting:
    """One exploration, before it is decided how its values are chosen."""

    api: Callable[[Scope, list[type]], Api]  # given classes met on the way
    scope: Scope
    limits: Limits
    options: Options
    concrete: Callable[[Scope, Limits, Options], Result]

    def at(self, scope: Scope, most_states: int) -> Setting:
        """Return the same exploration within another scope."""
        limits = replace(self.limits, objects=scope.objects, objects_of=scope.objects_of, elements=scope.most_elements)
        return replace(
            self,
            scope=scope,
            limits=limits,
            options=replace(self.options, most_states=most_states, on_progress=None, timeout=None),
        )


def explored(setting: Setting, values: Values, against: str) -> Result:
    """Explore with values open or concrete, as asked; `against` says which setting forbids to leave them open."""
    if values == "concrete":
        return _said(setting.concrete(setting.scope, setting.limits, setting.options), "concrete", "as asked")
    if values == "symbolic":
        if against:
            raise UnlikeError(f"values cannot be left open {against}; use values='concrete' (--values concrete)")
        try:
            return _said(explored_open(setting), "symbolic", "as asked")
        except SIGNALS as error:
            words = f"{type(error).__name__}: {error}"
            raise UnlikeError(
                f"values cannot be left open here: {words}; use values='concrete' (--values concrete)"
            ) from None
    return _chosen(setting, against)


def explored_open(setting: Setting, most_runs: int | None = None) -> OpenResult:
    """Explore with values open; from the beginning whenever a class, or a place of open values, is met late."""
    extra: list[type] = []
    places = Places()
    while True:
        api = setting.api(setting.scope, extra)
        search = OpenSearch(api, setting.scope, setting.limits, setting.options, places)
        search.most_runs = most_runs
        try:
            search.run()
        except FoundClass as found:
            extra.append(found.cls)
        except OpenedError:
            places = search.places.again()
        else:
            return open_result(search)


def _chosen(setting: Setting, against: str) -> Result:
    """Explore as it pays, and say why."""

    def concrete(why: str) -> Result:
        return _said(setting.concrete(setting.scope, setting.limits, setting.options), "concrete", why)

    against = against or (f"since {seen}" if (seen := _asks_for_types(setting.api(setting.scope, []))) else "")
    if against:
        return concrete(f"values cannot be left open {against}")
    if setting.scope.objects <= COMPARED:
        result = setting.concrete(setting.scope, setting.limits, setting.options)
        return _said(result, *_compared(setting, result))
    if trouble := _tried(setting):
        return concrete(trouble)
    try:
        result = explored_open(setting)
    except SIGNALS as error:
        return concrete(f"values cannot stay open: {type(error).__name__}: {error}")
    why = f"{result.abstract_states:,} abstract states stand for {result.states:,} objects"
    return _said(result, "symbolic", why) if result.steady else concrete("state outside the objects is changed")


def _compared(setting: Setting, result: Result) -> tuple[str, str]:
    """Go the other way, too, and return which values were used, and why."""
    if result.status.cut_short or not result.steady:
        return "concrete", "the class is not deterministic, or the search was cut short"
    try:
        opened = explored_open(setting.at(setting.scope, setting.options.most_states), 2 * result.calls + 1_000)
    except SIGNALS as error:
        return "concrete", f"values cannot stay open: {type(error).__name__}: {error}"
    found = differences(result, opened)
    if found:
        return "concrete", f"the code sees that values are left open: {'; '.join(found)}"
    result.opened = opened
    return "symbolic", (
        f"{opened.abstract_states:,} abstract states stand for {result.states:,} objects; "
        "both ways were gone and gave the same"
    )


def _tried(setting: Setting) -> str:
    """Compare both ways at a small scope; return what speaks against leaving values open, or nothing."""
    small = replace(
        setting.scope, objects=TRIAL, objects_of={k: min(v, TRIAL) for k, v in setting.scope.objects_of.items()}
    )
    trial = setting.at(small, MOST_IN_TRIAL)
    try:
        result = trial.concrete(small, trial.limits, trial.options)
    except TargetError:
        return ""  # nothing can be built within so little
    if result.leaks or result.unsteady:
        return "the class is not deterministic, or keeps state outside its objects"
    if result.status.cut_short:
        return ""
    try:
        found = differences(result, explored_open(trial))
    except SIGNALS as error:
        return f"values cannot stay open: {type(error).__name__}: {error}"
    except TargetError:
        return "the code sees that values are left open: nothing could be built"
    return f"the code sees that values are left open: {'; '.join(found)}" if found else ""


def _said(result: Result, values: str, why: str) -> Result:
    result.values, result.why = values, why
    return result


# -- code that asks for the type of a value ----------------------------------------------------------


def _asks_for_types(api: Api) -> str:
    """Return where the code compares `type(x)` with a type of numbers, which a token cannot answer; or nothing."""
    for cls in api.classes:
        for each in cls.__mro__:
            for name, node in _comparisons(each):
                if _is_type_call(node.left) or any(map(_is_type_call, node.comparators)):
                    mentioned = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
                    if mentioned & NUMBERS:
                        return f"{each.__qualname__} compares `{ast.unparse(node)}` ({name}, line {node.lineno})"
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
