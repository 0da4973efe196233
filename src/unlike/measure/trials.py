"""One try of the code, and what is seen of it: calls in order, each with what `diff` compares.

Two tries are alike where the views are equal: results, types of exceptions, public attributes afterwards, what was left
in arguments. What a try came to is kept as a number, so that many of them can be compared in other processes.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from unlike.classes.api import Kind, Operation
from unlike.classes.recipes import sequence_text
from unlike.classes.versions import ALONE, TOGETHER, CallOnVersions, OneCall, Versions
from unlike.classes.views import ADDRESS
from unlike.measure.subject import UNLIMITED, MeasuredCode, Rounds, TooManyRoundsError
from unlike.recipe import Call, Method, Recipe, Step, import_name, run_step, value_in

FREE_ROUNDS = 3_000  # of loops that every try may make
TIMES = 10  # as many rounds as the original are allowed
BY_VALUE = "SameValue("  # in the text of a view that says itself what it equals


@dataclass(frozen=True, slots=True)
class CodeTrial:
    """Calls in order, and from which of them on it is looked what they come to."""

    target: str  # the class or function that it tries
    recipe: Recipe
    looks: int = 0  # the first step that is looked at

    def __str__(self) -> str:
        return sequence_text(self.recipe)


@dataclass(frozen=True, slots=True)
class TrialRecord:
    """What a try of the original came to."""

    digest: int
    by_value: bool  # views have to be compared themselves: what is written of them does not tell enough
    rounds: int
    lines: tuple[int, ...]  # of the module that is measured


class OneVersion(Versions):
    """The version of the code that is loaded now; classes go by their names, so that others can be compared with it."""

    __slots__ = ()

    def key_of(self, cls: type) -> str:
        """Return what a class is called."""
        return f"{cls.__module__}:{cls.__qualname__}"


@dataclass(slots=True)
class Tries:
    """Makes tries of the code that is loaded now, and looks at what they come to."""

    subject: MeasuredCode
    messages: bool = False
    _versions: dict[str, OneVersion] = field(default_factory=dict)

    def forget(self) -> None:
        """Look the classes up again: the module was executed again."""
        self._versions.clear()

    def version(self, name: str) -> OneVersion:
        """Return how values of the code are looked at."""
        found = self._versions.get(name)
        if found is None:
            target = self.subject.target(name)
            modules = {each: each for each in self.subject.own_modules()}
            found = self._versions[name] = OneVersion(target, target, modules=modules, messages=self.messages)
        return found

    def views(self, trial: CodeTrial) -> list[Any]:
        """Return what is seen of a try, step by step; one that makes too many rounds raises."""
        versions = self.version(trial.target)
        results: list[Any] = []
        seen: list[Any] = []
        for number, step in enumerate(trial.recipe.steps):
            if number < trial.looks or not isinstance(step, Call | Method):
                results.append(self.do_unseen(step, results))
                continue
            answer, view = see_step(step, results, versions)
            results.append(answer)
            seen.append(view)
        return seen

    def do_unseen(self, step: Step, results: list[Any]) -> object:
        """Do a step that is not looked at; what it raises is passed over."""
        try:
            return run_step(step, results, import_name)
        except Exception:
            return None

    def run_limited(self, trial: CodeTrial, rounds: int) -> list[Any] | None:
        """Return what is seen of a try; None if it makes more than ten times as many rounds as the original."""
        Rounds.left = FREE_ROUNDS + TIMES * rounds
        try:
            return self.views(trial)
        except TooManyRoundsError:
            return None
        finally:
            Rounds.left = UNLIMITED

    def record(self, trial: CodeTrial, *, trace: bool) -> TrialRecord:
        """Try the original, and return what it came to, which lines it ran, and how many rounds its loops made."""
        Rounds.left = UNLIMITED
        lines: set[int] = set()
        with_lines = trace_lines(self.subject.file, lines) if trace else None
        sys.settrace(with_lines)
        try:
            seen = self.views(trial)
        finally:
            sys.settrace(None)
        rounds, Rounds.left = UNLIMITED - Rounds.left, UNLIMITED
        digest, by_value = digest_of(seen)
        return TrialRecord(digest, by_value, rounds, tuple(sorted(lines)))


def see_step(step: Call | Method, results: list[Any], versions: OneVersion) -> tuple[Any, dict[str, Any]]:
    """Do a step; return its answer, and what can be seen of it and afterwards."""
    receiver = results[step.receiver.step] if isinstance(step, Method) else None
    function = value_in(step.function, results, import_name) if isinstance(step, Call) else None
    args = [value_in(each, results, import_name) for each in step.args]
    kwargs = {key: value_in(each, results, import_name) for key, each in step.kwargs}
    viewer, _ = versions.viewers()
    side = OneCall(viewer, receiver, args, kwargs)
    kind = Kind.FUNCTION if function is not None and not isinstance(function, type) else Kind.METHOD
    call = CallOnVersions(Operation(kind, getattr(step, "name", ""), None, function), versions)
    call.perform(side, lambda _: _make(step, function, side))
    objects = [each for each in side.objects if versions.is_own(type(each))]
    twins = call.find_twins(side, side)
    return side.answer, call.see(side, objects, twins is not None)


def _make(step: Call | Method, function: Any, side: OneCall) -> object:
    if isinstance(step, Call):
        return function(*side.args, **side.kwargs)
    if step.name in ALONE:
        return ALONE[step.name](side.receiver)
    if step.name in TOGETHER:
        return TOGETHER[step.name](side.receiver, *side.args)
    return getattr(side.receiver, step.name)(*side.args, **side.kwargs)


def digest_of(views: list[Any]) -> tuple[int, bool]:
    """Return views as a number, and whether that tells not enough."""
    try:
        text = ADDRESS.sub("0x…", repr(views))
    except Exception:  # the text of a value raises, or has too many digits
        return 0, True
    made = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=7)
    return int.from_bytes(made.digest()), BY_VALUE in text


def trace_lines(file: str, lines: set[int]) -> Callable[[Any, str, Any], Any]:
    """Return a trace function that notes the lines of a file that are run."""

    def in_function(frame: Any, event: str, argument: Any) -> Any:
        del event, argument
        lines.add(frame.f_lineno)
        return in_function

    def at_call(frame: Any, event: str, argument: Any) -> Any:
        del event, argument
        return in_function if frame.f_code.co_filename == file else None

    return at_call
