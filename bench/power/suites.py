"""The suites of a subject: what unlike and other generators give for the same pattern or type, and what a person wrote.

A suite is named `generator/n/seed`, because a generator may choose otherwise when it is asked for another number.
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
import itertools
import json
import os
import random
import string
import subprocess
import sys
import types
import typing
import warnings
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

from bench.power.subjects import Parser, Structured, Subject

SIZES = 10, 20, 50, 100
MANY = 1000  # examples of Hypothesis that decide what can be killed
SEEDS_OF_MANY = range(3)
BY_HAND = "by hand/0/0"
UNLIKE, BEFORE, THOUSAND = "unlike", "unlike before", "Hypothesis 1,000"


def suites_of(
    subject: Subject, seeds: Iterable[int], before: str = "", only: Collection[str] = ()
) -> dict[str, list[Any]]:
    """Return every suite of a parser or of a function over structured data, by its name; `only` those of some makers.

    `before` is the command of another installation of unlike, which is run as a rival on patterns.
    """
    warnings.simplefilter("ignore")
    if isinstance(subject, Parser):
        generators = generators_of_texts(subject.pattern, before)
    elif isinstance(subject, Structured):
        generators = generators_of_values(subject.inputs)
    else:
        raise TypeError(f"{subject.name} is neither a parser nor a function over structured data")
    suites = {}
    for name, generate in generators.items():
        if only and name not in only:
            continue
        many = name == THOUSAND
        for n, seed in itertools.product([MANY] if many else SIZES, SEEDS_OF_MANY if many else seeds):
            suites[f"{name}/{n}/{seed}"] = generate(n, seed)
    suites[BY_HAND] = list(subject.by_hand)
    return suites


Generator = Callable[[int, int], list[Any]]


def generators_of_texts(pattern: str, before: str) -> dict[str, Generator]:
    ours = str(Path(sys.executable).with_name("unlike"))
    generators = {
        UNLIKE: lambda n, seed: texts_of_unlike(ours, pattern, n, seed),
        "exrex": lambda n, seed: texts_of_exrex(pattern, n, seed),
        "rstr with edits": lambda n, seed: texts_of_rstr(pattern, n, seed),
        "Hypothesis": lambda n, seed: texts_of_hypothesis(pattern, n, seed),
        THOUSAND: lambda n, seed: texts_of_hypothesis(pattern, n, seed),
    }
    if before:
        generators[BEFORE] = lambda n, seed: texts_of_unlike(before, pattern, n, seed)
    return generators


def texts_of_unlike(command: str, pattern: str, n: int, seed: int) -> list[str]:
    """Return what `unlike generate --mix` gives; without that option half valid texts, half near misses."""
    start = [command, "generate", "--regex", pattern, "--seed", str(seed)]
    if can_mix(command):
        return read_texts(ran([*start, "-n", str(n), "--mix"]))
    valid = read_texts(ran([*start, "-n", str(n)]))
    wrong = read_texts(ran([*start, "-n", str(n // 2), "--invalid"]))
    return (valid[: n - len(wrong)] + wrong)[:n]


@functools.cache
def can_mix(command: str) -> bool:
    return "--mix" in ran([command, "generate", "--help"]).stdout


def ran(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run an installation of unlike: its own, whatever the path of this process says."""
    around = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(command, capture_output=True, text=True, env=around)


def read_texts(done: subprocess.CompletedProcess[str]) -> list[str]:
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{' '.join(done.args)}: {done.stderr}")
    return [json.loads(line)["value"] for line in done.stdout.splitlines()]


def texts_of_exrex(pattern: str, n: int, seed: int) -> list[str]:
    import exrex

    random.seed(seed)
    return [exrex.getone(pattern) for _ in range(n)]


def texts_of_rstr(pattern: str, n: int, seed: int) -> list[str]:
    """Return random texts, every fourth of them with one small edit."""
    import rstr

    source = random.Random(seed)
    texts = [rstr.Rstr(source).xeger(pattern) for _ in range(n)]
    return [edit(text, source) if place % 4 == 3 else text for place, text in enumerate(texts)]


def edit(text: str, source: random.Random) -> str:
    """Return a text with a character inserted, dropped, replaced or swapped with the next."""
    place = source.randrange(len(text) + 1)
    before, after = text[:place], text[place:]
    kind = source.choice(("insert", "drop", "replace", "swap"))
    if kind == "insert" or not after:
        return before + source.choice(string.printable) + after
    if kind == "drop":
        return before + after[1:]
    if kind == "replace":
        return before + source.choice(string.printable) + after[1:]
    return before + after[1:2] + after[0] + after[2:]


def texts_of_hypothesis(pattern: str, n: int, seed: int) -> list[Any]:
    from hypothesis import strategies

    return examples_of(strategies.from_regex(pattern, fullmatch=True), n, seed)


def examples_of(strategy: Any, n: int, seed: int) -> list[Any]:
    """Return the first n examples that a test with this strategy is run on."""
    import hypothesis

    found: list[Any] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=n,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found[:n]


def generators_of_values(inputs: Any) -> dict[str, Generator]:
    return {
        UNLIKE: lambda n, seed: values_of_unlike(inputs, n, seed),
        "polyfactory": lambda n, seed: values_of_polyfactory(inputs, n, seed),
        "allpairspy": lambda n, seed: values_of_allpairspy(inputs, n, seed),
        "Hypothesis": lambda n, seed: values_of_hypothesis(inputs, n, seed),
        THOUSAND: lambda n, seed: values_of_hypothesis(inputs, n, seed),
    }


def values_of_unlike(inputs: Any, n: int, seed: int) -> list[Any]:
    import unlike

    return list(unlike.generate(inputs, n, seed=seed).values)


def values_of_hypothesis(inputs: Any, n: int, seed: int) -> list[Any]:
    from hypothesis import strategies

    return examples_of(strategies.from_type(inputs), n, seed)


def values_of_polyfactory(inputs: Any, n: int, seed: int) -> list[Any]:
    from polyfactory.factories import DataclassFactory, TypedDictFactory
    from polyfactory.factories.pydantic_factory import ModelFactory

    if typing.is_typeddict(inputs):
        base: Any = TypedDictFactory
    else:
        base = DataclassFactory if dataclasses.is_dataclass(inputs) else ModelFactory
    longest = {"TwoSettings": 2}.get(inputs.__name__, 5)  # a third key of a dict that can have two is sought for ever
    options = {"__randomize_collection_length__": True, "__max_collection_length__": longest}
    factory: Any = base.create_factory(inputs, __random_seed__=seed, **options)
    return list(factory.batch(n))


ABSENT = object()  # for a key that may be missing, or a field that keeps its default


def values_of_allpairspy(inputs: Any, n: int, seed: int) -> list[Any]:
    """Return what shows every two options of the fields together, in the order of allpairspy, then random ones."""
    from allpairspy import AllPairs

    fields = fields_of(inputs)
    options = [options_of(hint) + [ABSENT] * optional for hint, optional in fields.values()]
    rows = list(itertools.islice(AllPairs(options), n)) if len(options) > 1 else [[each] for each in options[0]][:n]
    source = random.Random(seed)
    while len(rows) < n:
        rows.append([source.choice(each) for each in options])
    return [made_of(inputs, list(fields), row) for row in rows]


def fields_of(inputs: Any) -> dict[str, tuple[Any, bool]]:
    """Return the type of each field, and whether it may be left out."""
    hints = typing.get_type_hints(inputs, include_extras=True)
    if typing.is_typeddict(inputs):
        return {name: (hint, name in inputs.__optional_keys__) for name, hint in hints.items()}
    if dataclasses.is_dataclass(inputs):
        return {
            field.name: (hints[field.name], not_required(field.default) or not_required(field.default_factory))
            for field in dataclasses.fields(inputs)
        }
    return {name: (hints[name], not field.is_required()) for name, field in inputs.model_fields.items()}


def not_required(default: object) -> bool:
    return default is not dataclasses.MISSING


def made_of(inputs: Any, names: list[str], row: list[Any]) -> Any:
    return inputs(**{name: value for name, value in zip(names, row, strict=True) if value is not ABSENT})


OPTIONS = 8  # of a field, as many as a person would write
USUAL: dict[Any, list[Any]] = {
    bool: [False, True],
    int: [0, 1, -1, 2, 100],
    float: [0.0, 1.0, -1.0, 0.5, 1000.0],
    str: ["", "a", "Hello World"],
    type(None): [None],
    datetime.date: [datetime.date(*each) for each in ((2024, 1, 1), (2024, 2, 29), (1999, 12, 31), (2023, 6, 15))],
}


def options_of(hint: Any) -> list[Any]:
    """Return what a person would write for a type: all of a few values, or usual ones and the ends of a range."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Annotated, typing.NotRequired):
        return options_within(arguments[0], arguments[1:])
    if origin is typing.Literal:
        return list(arguments)
    if origin in (typing.Union, types.UnionType):
        return [each for one in arguments for each in options_of(one)][:OPTIONS]
    if origin in (list, set):
        items = options_of(arguments[0])
        return [origin(items[:length]) for length in (0, 1, 2, len(items))]
    if origin is dict:
        keys, values = options_of(arguments[0]), options_of(arguments[1])
        return [dict(zip(keys[:length], itertools.cycle(values))) for length in (0, 1, 2)]
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return list(hint)
    if hint in USUAL:
        return USUAL[hint]
    return values_of_allpairspy(hint, OPTIONS, 0)


def options_within(hint: Any, rules: tuple[Any, ...]) -> list[Any]:
    lower = max((each.ge for each in rules if getattr(each, "ge", None) is not None), default=None)
    upper = min((each.le for each in rules if getattr(each, "le", None) is not None), default=None)
    longest = min((each.max_length for each in rules if hasattr(each, "max_length")), default=None)
    if lower is not None and upper is not None:
        return sorted({lower, lower + 1, (lower + upper) // 2, upper - 1, upper})
    return [each for each in options_of(hint) if longest is None or len(each) <= longest]
