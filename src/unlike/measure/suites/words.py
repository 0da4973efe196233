"""What `--suite` may say: each word, whom it is for, and who makes the suite."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unlike.errors import ScopeError
from unlike.measure.suites import inputs, objects
from unlike.measure.suites.by_hypothesis import drawn_by_hypothesis
from unlike.measure.suites.made import MadeSuite, SuiteOrder
from unlike.writers.json_file import load

Maker = Callable[[SuiteOrder, str, int], MadeSuite]


@dataclass(frozen=True, slots=True)
class Strategy:
    """How a suite is made: of classes, of functions, or of both; and the number that is usual."""

    usual: int | None  # None: it takes no number
    of_class: Maker | None = None
    of_function: Maker | None = None


def _pairs(order: SuiteOrder, name: str, _: int) -> MadeSuite:
    return inputs.in_pairs(order, name)


STRATEGIES: Mapping[str, Strategy] = {
    "explore": Strategy(3, objects.explore_all),
    "one-per-shape": Strategy(3, functools.partial(objects.of_shapes, boundary=False)),
    "boundary": Strategy(3, functools.partial(objects.of_shapes, boundary=True)),
    "fields": Strategy(3, objects.of_fields),
    "structures": Strategy(3, objects.of_structures),
    "random": Strategy(1_000, objects.at_random, inputs.draw_inputs),
    "pairs": Strategy(None, None, _pairs),
    "hypothesis": Strategy(1_000, drawn_by_hypothesis, drawn_by_hypothesis),
}
ALL = (
    "explore:N, one-per-shape:N, boundary:N, fields:N, structures:N, random:N, hypothesis:N, pairs, spec:MODULE:SPEC, "
    "a saved suite FILE.json, a folder of pytest tests"
)


def usual_words(order: SuiteOrder) -> list[str]:
    """Return the suites that are made where none is named."""
    kinds = {isinstance(order.target(name), type) for name in order.subject.names}
    given = order.question.bounds.scope
    return [
        *([f"explore:{given if isinstance(given, int) else 3}"] if True in kinds else []),
        *(["pairs"] if False in kinds else []),
    ]


def make_suite(word: str, order: SuiteOrder) -> MadeSuite:
    """Return the suite that a word names, for all that is measured; refuse a word that means nothing here."""
    began = time.monotonic()
    made = _make(word, order)
    made.name = word
    made.seconds = time.monotonic() - began
    return made


def _make(word: str, order: SuiteOrder) -> MadeSuite:
    kind, colon, rest = word.partition(":")
    if kind == "spec" and rest:
        return _of_functions(word, order, lambda name: inputs.of_spec(order, name, rest))
    if kind in STRATEGIES:
        strategy = STRATEGIES[kind]
        number = _number(word, rest, strategy) if colon else strategy.usual or 0
        made = _of_each(word, order, strategy, number)
        made.scope = number if kind == "explore" else None
        return made
    path = Path(word)
    if path.is_dir() or word.partition("::")[0].endswith(".py"):
        if not Path(word.partition("::")[0]).exists():
            raise ScopeError(f"--suite {word!r}: there is no such file")
        return MadeSuite(word, folder=word)
    if path.suffix == ".json":
        return _read_saved(word, order)
    raise ScopeError(f"--suite {word!r} is none; there are {ALL}")


def _number(word: str, text: str, strategy: Strategy) -> int:
    if strategy.usual is None:
        raise ScopeError(f"--suite {word!r}: it takes no number; write {word.partition(':')[0]}")
    if not text.isdecimal() or not 1 <= int(text) <= 10_000_000:
        raise ScopeError(
            f"--suite {word!r}: {text!r} is no whole number of at least 1, as in {word.partition(':')[0]}:3"
        )
    return int(text)


def _of_each(word: str, order: SuiteOrder, strategy: Strategy, number: int) -> MadeSuite:
    """Make the suite for every class or function that it is for."""
    whole = MadeSuite(word)
    fits = 0
    for name in order.subject.names:
        maker = strategy.of_class if isinstance(order.target(name), type) else strategy.of_function
        if maker is None:
            continue
        fits += 1
        whole.add(maker(order, name, number))
    if not fits:
        kind = "functions" if strategy.of_class is None else "classes"
        raise ScopeError(
            f"--suite {word!r} is for {kind}, and {', '.join(order.subject.names)} is none; there are {ALL}"
        )
    return whole


def _of_functions(word: str, order: SuiteOrder, make: Callable[[str], MadeSuite]) -> MadeSuite:
    """Make a suite of inputs for every function that takes them."""
    functions = [each for each in order.subject.names if not isinstance(order.target(each), type)]
    if not functions:
        raise ScopeError(f"--suite {word!r} is for functions, and {', '.join(order.subject.names)} is none")
    whole = MadeSuite(word)
    refused = []
    for name in functions:
        try:
            whole.add(make(name))
        except ScopeError as error:
            refused.append(error)
    if len(refused) == len(functions):
        raise refused[0]
    return whole


def _read_saved(word: str, order: SuiteOrder) -> MadeSuite:
    """Return a suite that was saved, of the class or function that takes it."""
    targets: dict[str, Any] = {name: order.target(name) for name in order.subject.names}
    suite = load(word, *targets.values())
    classes = {name: each for name, each in targets.items() if isinstance(each, type)}
    if classes:
        made = {objects.class_made_by(case.recipe) for case in suite}
        for name, cls in classes.items():
            if len(classes) == 1 or (cls.__module__, cls.__qualname__) in made:
                return objects.of_suite(order, name, suite)
    return _of_functions(word, order, lambda name: inputs.of_suite(order, name, suite))
