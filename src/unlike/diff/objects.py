"""Two versions of a class, explored together: from a question to a verdict."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from unlike.classes.evidence import LATE, MOST_MET, Revealed
from unlike.classes.public import is_public, members_of
from unlike.classes.recipes import sequence_text
from unlike.classes.result import Result
from unlike.classes.verb import explore_versions
from unlike.classes.versions import Versions, show_view
from unlike.classes.views import shorten
from unlike.core import Exploration, Isolation
from unlike.diff.sides import Sides
from unlike.diff.verdict import ShownDifference, Verdict
from unlike.errors import how_many
from unlike.foreign import name_of_class, silence, text_of
from unlike.isolation import Answer, Death, call_in_copy
from unlike.recipe import Call, Method, Name, Recipe, Ref, name_of, run_failing
from unlike.scope import Limits
from unlike.suite import Ending, Status, proof_of

EFFORT = 500  # calls that end their process that are looked into
FOR_HANGING = 25  # times as much for a call that has to be waited for


@dataclass(frozen=True, slots=True)
class Compared:
    """Two versions of a class or function, by name, and where their modules are."""

    name: str
    old: Any
    new: Any
    sides: Sides | None = None
    messages: bool = False

    def versions(self, question: Exploration) -> Versions:
        """Return the two versions of a class as a search meets them."""
        more: dict[str, Any] = {}
        if self.sides is not None:
            own = self.sides.old.modules
            kept = {name: place for name, place in self.sides.kept.items() if name in own}
            first, second = self.old.__module__, self.new.__module__
            if first != second and first not in kept and second in self.sides.kept:
                kept[first] = self.sides.kept[second]  # what stands beside the class stands beside its other version
            more = {"modules": kept, "inside": self.sides.inside_new}
        return Versions(
            self.old,
            self.new,
            messages=self.messages,
            dict_order=question.states.dict_order,
            omits=Limits(omit=question.states.omit_fields).omits,
            other_name=self.new.__name__,
            **more,
        )


def compare_classes(compared: Compared, question: Exploration) -> Verdict:
    """Return whether two versions of a class can be told apart within the scope."""
    versions = compared.versions(question)
    names = [[*public_names(one), *own_parameters(one, other)] for one, other in _both_ways(compared)]
    only = tuple(tuple(each for each in one if each not in other) for one, other in (names, names[::-1]))
    exploring = replace(question.exploring, reference=None, values="concrete", then_random=None, protocols=False)
    result = explore_versions(compared.old, replace(question, exploring=exploring), versions)
    told = [each for each in result.errors if not each.is_deadly and not each.hung]
    first = min(told, key=lambda each: each.calls, default=None)
    ends = EndedCalls(result, versions)
    deadly = ends.first_difference(None if first is None else first.calls)
    counts = {"pairs": result.states, "calls": result.calls}
    more: dict[str, Any] = {"only_old": only[0], "only_new": only[1], "counts": counts}
    if deadly is not None:
        return Verdict(compared.name, "class", Status(Ending.FOUND), "", deadly, **more)
    if first is not None:
        return Verdict(compared.name, "class", Status(Ending.FOUND), "", _difference(result, versions, first), **more)
    within = f"within {result.scope}"
    if result.status.cut_short or ends.undecided:
        status = result.status if result.status.cut_short else Status(Ending.UNKNOWN, ends.undecided)
        return Verdict(compared.name, "class", status, f"no difference {within}, as far as it was looked for", **more)
    shared = "" if not (only[0] or only[1]) else ", by what both have"
    detail = f"; {result.status.detail}" if result.status.detail else ""
    claim = f"the same {within}{shared}"
    both = f"{how_many(result.states, 'pair')} of objects built by the same calls, every call on each alike"
    return Verdict(compared.name, "class", proof_of(claim + detail), f"{claim}: {both}{detail}", **more)


def compare_members(compared: Compared) -> Verdict:
    """Return whether two versions of an Enum have the same members, with the same values."""
    old, new = ({name: each.value for name, each in one.__members__.items()} for one in (compared.old, compared.new))
    only: dict[str, Any] = {
        "only_old": tuple(each for each in old if each not in new),
        "only_new": tuple(each for each in new if each not in old),
    }
    for name in (each for each in old if each in new):
        if type(old[name]) is not type(new[name]) or old[name] != new[name]:
            recipe = Recipe(
                (
                    Call(Name("builtins", "getattr"), (name_of(compared.old), name)),
                    Method(Ref(0), "__getattribute__", ("value",)),
                ),
                Ref(1),
            )
            was, now = (f"returned {shorten(each)}" for each in (old[name], new[name]))
            difference = ShownDifference(recipe, f"{compared.old.__name__}.{name}.value", "returns", was, now)
            return Verdict(compared.name, "class", Status(Ending.FOUND), "", difference, **only)
    claim = (
        f"the same {how_many(len(old), 'member')}"
        if not any(only.values())
        else "the same members, of those that both have"
    )
    return Verdict(compared.name, "class", proof_of(claim), claim, **only)


def _both_ways(compared: Compared) -> tuple[tuple[type, type], tuple[type, type]]:
    return (compared.old, compared.new), (compared.new, compared.old)


def own_parameters(cls: type, other: type) -> list[str]:
    """Return parameters that the methods of a class have, and those of its other version have not: `add(…, tax)`."""
    found = []
    for name in ("__init__", *public_names(cls)):
        parameters = []
        for each in (cls, other):
            try:
                parameters.append([*inspect.signature(getattr(each, name)).parameters])
            except (TypeError, ValueError, AttributeError):  # no function, or it does not tell
                break
        if len(parameters) == 2:
            found += [f"{name}(…, {each})" for each in parameters[0] if each not in parameters[1]]
    return found


def public_names(cls: type) -> list[str]:
    """Return what users can call or read of a class."""
    found = [name for name, _ in members_of(cls) if is_public(name) and not name.startswith("__")]
    return sorted(dict.fromkeys(found))


def _difference(result: Result, versions: Versions, error: Revealed) -> ShownDifference:
    """Return a difference that was met, in words, with what can be seen afterwards."""
    old, _, new = error.failure.message.partition("\n")
    seen = call_in_copy(lambda: _afterwards(error.recipe, versions), result.search.options.isolation, in_scratch=True)
    afterwards = tuple(seen.result) if isinstance(seen, Answer) else ()
    place = old.removeprefix("left ").partition(" = ")[0] if error.failure.exception == "leaves" else ""
    afterwards = tuple(each for each in afterwards if not each.startswith(f"{place}:") or not place)
    return ShownDifference(error.recipe, error.sequence, error.failure.exception, old, new, afterwards, place)


def _afterwards(recipe: Recipe, versions: Versions) -> list[str]:
    """Return in words what can be seen of both objects after the calls, where it differs."""
    one, other = versions.viewers()
    with silence():
        made, _ = run_failing(recipe, past_errors=True)
        seen = {**dict(one.attributes(made)), "items and text": one.see(made)[1:] if made is not None else ()}
        with versions.inside():
            second, _ = run_failing(recipe, versions.resolve, past_errors=True)
            later = {
                **dict(other.attributes(second)),
                "items and text": other.see(second)[1:] if second is not None else (),
            }
    names = [name for name in dict.fromkeys((*seen, *later)) if name != "items and text"]
    other_names = [name for name in names if seen.get(name) != later.get(name)]
    found = [f"{name}: {_show(seen.get(name))} and {_show(later.get(name))}" for name in other_names]
    for kind in ("items", "text"):
        shown = [
            [part for part in each["items and text"] if isinstance(part, tuple) and part and part[0] == kind]
            for each in (seen, later)
        ]
        if shown[0] != shown[1] and all(shown):
            found.append(f"{kind}: {_show(shown[0][0][1:])} and {_show(shown[1][0][1:])}")
    return found


def _show(view: Any) -> str:
    if view is None:
        return "nothing"
    if view and isinstance(view[0], tuple):
        return ", ".join(map(show_view, view))
    return show_view(view)


# -- calls that end or block their process ---------------------------------------------------------------


@dataclass(slots=True)
class EndedCalls:
    """Looks into calls on pairs that no process survived: whether both versions end it, and alike."""

    result: Result
    versions: Versions
    undecided: str = ""

    def first_difference(self, before: int | None) -> ShownDifference | None:
        """Return the shortest of these calls on which the versions differ, if it is shorter than what is known."""
        met = [
            (error.calls, place, error)
            for error in self.result.errors
            if (error.is_deadly or error.hung) and (before is None or error.calls < before)
            for place in error.met
        ]
        met.sort(key=lambda each: each[0])
        effort = looked = 0
        for _, place, error in met:
            effort += FOR_HANGING if error.failure.exception.startswith(LATE) else 1
            if effort > EFFORT:
                break
            looked += 1
            recipe = self.result.search.frontier.failing(*place)
            old, new = how_both_end(recipe, self.versions, self.result.search.options.isolation)
            if old != new:
                return ShownDifference(recipe, sequence_text(recipe), "ends", old, new)
        if looked < len(met) or any(error.times > MOST_MET for _, _, error in met):
            times = sum(each.times for each in self.result.errors if each.is_deadly)
            self.undecided = (
                f"{times:,} calls end or block their process; in {looked:,} of them both versions do so alike"
            )
        return None


def how_both_end(recipe: Recipe, versions: Versions, isolation: Isolation) -> tuple[str, str]:
    """Return in words how each version ends after some calls, alone in a process."""

    def ending(make: Callable[[], tuple[object, BaseException | None]]) -> str:
        ended = call_in_copy(lambda: _came_to(make), isolation, in_scratch=True)
        if isinstance(ended, Death):
            return str(ended.cause)
        return str(ended.result) if isinstance(ended, Answer) else "raised what cannot be looked at"

    def make_other() -> tuple[object, BaseException | None]:
        with versions.inside():
            return run_failing(recipe, versions.resolve, past_errors=True)

    return ending(lambda: run_failing(recipe, past_errors=True)), ending(make_other)


def _came_to(make: Callable[[], tuple[object, BaseException | None]]) -> str:
    with silence():
        _, error = make()
    return "returned" if error is None else f"raised {name_of_class(type(error))}: {text_of(error)}".removesuffix(": ")
