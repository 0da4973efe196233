"""Which mutants of a subject each of several suites kills, and at which input first.

Every mutant lives in a copy of this process. What the original says of an input (the result, or the type of the error)
is what a mutant has to say; it is killed by the first input where it says something else, makes many more rounds
in its loops, or takes its process down. Inputs of which the original does not say the same twice are left out; those
on which the original executes no line of the changed statement are not run: nothing has changed for them.
"""

from __future__ import annotations

import copy
import hashlib
import json
import mmap
import os
import pickle
import re
import resource
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.power.mutants import LoadedModule, Mutant, Rounds, TooManyRounds

OFTEN = 20  # mutants after which what is known is written
MOST = 120  # mutants of a subject: with so many a score is known to about four points, and the study ends in time
FREE_ROUNDS = 3000  # rounds that every input may take
TIMES = 10  # as many rounds as the original takes are allowed
SECONDS = 2  # of processor time for one input, for what makes no rounds (a pattern, compiled code)
DEATHS = 5  # after so many dead processes of one mutant every further input counts as killing
MEMORY = 4 << 30  # bytes of address space
NOT_RUN, SAME, DIFFERS, RUNNING = range(4)
Line = tuple[str, int]  # a module, and a line of it
ADDRESS = re.compile(r"0x[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class Kills:
    """The mutants of a subject; for each suite and mutant the place of the first input that kills it, or None."""

    mutants: list[Mutant]
    firsts: dict[str, list[int | None]]
    unstable: int  # inputs left out

    def killable(self) -> list[int]:
        """Return the mutants that any suite kills."""
        return [m for m in range(len(self.mutants)) if any(each[m] is not None for each in self.firsts.values())]

    def score(self, suite: str, n: int | None = None) -> float:
        """Return how many percent of the killable mutants the first n inputs of a suite kill."""
        killable = self.killable()
        if not killable:
            return 100.0
        places = [self.firsts[suite][mutant] for mutant in killable]
        return 100 * sum(place is not None and (n is None or place < n) for place in places) / len(killable)


def outcome_of(run: Callable[[Any], Any], value: Any) -> str:
    """Return what is seen of one input: the result, or the type of the error."""
    try:
        return ADDRESS.sub("0x", repr(run(copy.deepcopy(value))))
    except (KeyboardInterrupt, TooManyRounds):
        raise
    except BaseException as error:
        return f"raises {type(error).__name__}"


def find_kills(
    modules: Sequence[str],
    run: Callable[[Any], Any],
    suites: dict[str, Sequence[Any]],
    *,
    wanted: Callable[[Mutant], bool] = bool,  # all
    most: int = MOST,
    folder: Path | None = None,
) -> Kills:
    """Run the mutants on the suites: at most so many, of those on lines that some input executes.

    What came of an input is kept in the folder, and not tried again.
    """
    loaded = [LoadedModule(name) for name in modules]
    for module in loaded:
        module.count_rounds()
    try:
        return kills_of(loaded, run, suites, wanted, most, KnownResults(folder, loaded, run))
    finally:
        for module in loaded:
            module.restore()


def kills_of(
    loaded: Sequence[LoadedModule],
    run: Callable[[Any], Any],
    suites: dict[str, Sequence[Any]],
    wanted: Callable[[Mutant], bool],
    most: int,
    known: KnownResults,
) -> Kills:
    keys = {name: [key_of(value) for value in suite] for name, suite in suites.items()}
    by_key = {key: value for name, suite in suites.items() for key, value in zip(keys[name], suite, strict=True)}
    number = {key: place for place, key in enumerate(by_key)}
    plans = {name: [number[key] for key in suite] for name, suite in keys.items()}
    values = list(by_key.values())
    expected, rounds, lines = told_in_copy(lambda: original(run, values, loaded))
    all_lines = frozenset[Line]().union(*lines)
    again, _, _ = told_in_copy(lambda: original(run, values[::-1], []))
    stable = [one == two for one, two in zip(expected, again[::-1], strict=True)]

    candidates = [mutant for module in loaded for mutant in module.mutants() if wanted(mutant)]
    executed = [mutant for mutant in candidates if (mutant.module, mutant.line) in all_lines]
    kept: list[Mutant] = []
    firsts: dict[str, list[int | None]] = {name: [] for name in suites}
    for mutant in sorted(executed, key=lambda mutant: mutant.rank):
        if len(kept) == most:
            break
        seen = known.start(mutant, by_key)
        skip_untouched(mutant, lines, seen)
        found = MutantRun(mutant, loaded, run, values, expected, rounds, stable, seen).first_kills(plans)
        if found is not None:
            known.keep(mutant, by_key, seen)
            kept.append(mutant)
            for name, place in found.items():
                firsts[name].append(place)
            if len(kept) % OFTEN == 0:
                known.write()
    known.write()
    return Kills(kept, firsts, stable.count(False))


def skip_untouched(mutant: Mutant, lines: Sequence[frozenset[Line]], seen: mmap.mmap) -> None:
    """Note for inputs that execute no line of the changed statement that nothing changes."""
    changed = {(mutant.module, line) for line in range(mutant.line, mutant.last_line + 1)}
    for place, executed in enumerate(lines):
        if seen[place] == NOT_RUN and changed.isdisjoint(executed):
            seen[place] = SAME


def key_of(value: Any) -> object:
    """Return what tells inputs apart, so that each is run once for a mutant."""
    if isinstance(value, str):
        return value
    return (value.__module__, value.__qualname__) if callable(value) else repr(value)


def original(run: Callable[[Any], Any], values: Sequence[Any], traced: Sequence[LoadedModule]) -> Any:
    """Return what the original says of each input, the rounds it took, and the lines of modules that it executed."""
    limit_resources()
    files = {module.file: module.name for module in traced}
    lines: set[Line] = set()
    of_inputs: list[frozenset[Line]] = []
    same: dict[frozenset[Line], frozenset[Line]] = {}  # most inputs execute what others do

    def trace_lines(frame: Any, event: str, argument: Any) -> Any:  # noqa: ARG001
        lines.add((files[frame.f_code.co_filename], frame.f_lineno))
        return trace_lines

    def trace_calls(frame: Any, event: str, argument: Any) -> Any:  # noqa: ARG001
        return trace_lines if frame.f_code.co_filename in files else None

    outcomes, rounds, unlimited = [], [], 10**9
    for value in values:
        Rounds.left = unlimited
        lines.clear()
        sys.settrace(trace_calls if traced else None)
        try:
            outcomes.append(outcome_of(run, value))
        finally:
            sys.settrace(None)
        rounds.append(unlimited - Rounds.left)
        executed = frozenset(lines)
        of_inputs.append(same.setdefault(executed, executed))
    return outcomes, rounds, of_inputs


def told_in_copy(work: Callable[[], Any]) -> Any:
    """Return what a function returns in a copy of this process, of which nothing else is left."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        silence()
        with os.fdopen(writing, "wb") as answers:
            pickle.dump(work(), answers)
            answers.flush()
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        said = answers.read()
    os.waitpid(child, 0)
    if not said:
        raise RuntimeError("the original took its process down")
    return pickle.loads(said)  # written by the lines above


def silence() -> None:
    """Send what a mutant prints nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def limit_resources() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@dataclass(slots=True)
class MutantRun:
    """One mutant on all suites, each up to its first killing input."""

    mutant: Mutant
    modules: Sequence[LoadedModule]
    run: Callable[[Any], Any]
    values: Sequence[Any]
    expected: Sequence[str]
    rounds: Sequence[int]
    stable: Sequence[bool]
    seen: mmap.mmap  # what came of each input, written by the copy as it goes

    def first_kills(self, plans: dict[str, list[int]]) -> dict[str, int | None] | None:
        """Return the place of the first killing input in each suite; None for a mutant that is no code."""
        seen, deaths = self.seen, 0
        while any(map(self.is_open, plans.values())):
            child = os.fork()
            if child == 0:
                self.run_all(plans)
            _, status = os.waitpid(child, 0)
            if os.waitstatus_to_exitcode(status) == NO_CODE:
                return None
            deaths += status != 0
            for place in range(len(self.values)):
                if seen[place] == RUNNING or (deaths > DEATHS and seen[place] == NOT_RUN):
                    seen[place] = DIFFERS
        return {
            name: next((place for place, each in enumerate(plan) if seen[each] == DIFFERS), None)
            for name, plan in plans.items()
        }

    def is_open(self, plan: list[int]) -> bool:
        """Say whether an input has to be run before it is known where the suite kills first."""
        return next((self.seen[each] for each in plan if self.seen[each] != SAME), SAME) == NOT_RUN

    def run_all(self, plans: dict[str, list[int]]) -> None:
        """Run the mutant in this copy of the process, and end it."""
        code = DIED
        with suppress(BaseException):
            silence()
            limit_resources()
            signal.signal(signal.SIGVTALRM, out_of_time)
            home = next(each for each in self.modules if each.name == self.mutant.module)
            if not home.put(self.mutant):
                os._exit(NO_CODE)
            for plan in plans.values():
                for each in plan:
                    if self.seen[each] == NOT_RUN:
                        self.seen[each] = RUNNING
                        self.seen[each] = self.try_one(each)
                    if self.seen[each] == DIFFERS:
                        break
            code = 0
        os._exit(code)

    def try_one(self, place: int) -> int:
        """Return what comes of one input."""
        if not self.stable[place]:
            return SAME
        Rounds.left = FREE_ROUNDS + TIMES * self.rounds[place]
        # the limit ends code that does not let the signal through; both count processor time, so that a busy machine
        # changes nothing
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        limit = int(time.process_time()) + 5 * SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        try:
            outcome = outcome_of(self.run, self.values[place])
        except TooManyRounds:
            return DIFFERS
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return SAME if outcome == self.expected[place] else DIFFERS


@dataclass(slots=True)
class KnownResults:
    """What came of inputs in earlier runs, as long as the code and the way it is run are the same; a file of JSON."""

    folder: Path | None
    loaded: Sequence[LoadedModule]
    run: Callable[[Any], Any]
    inputs: dict[str, int] = field(default_factory=dict)  # a hash of each, and its place in the words of mutants
    words: dict[str, str] = field(default_factory=dict)  # of each mutant, a digit for each input

    def __post_init__(self) -> None:
        if self.folder is not None and self.file.exists():
            self.inputs, self.words = json.loads(self.file.read_text())

    @property
    def file(self) -> Path:
        """Where the results are: its name holds all that decides them besides mutant and input."""
        assert self.folder is not None
        shown = "".join(f"{each.name} {each.source}" for each in self.loaded)
        around = Path(self.run.__code__.co_filename).read_text()
        return self.folder / f"{self.loaded[0].name}-{short_hash(sys.version + shown + around)}.json"

    def start(self, mutant: Mutant, by_key: Collection[object]) -> mmap.mmap:
        """Return the state of each input for a mutant: what came of it, or that it was not run."""
        seen = mmap.mmap(-1, len(by_key) + 1)
        word = self.words.get(mutant.rank, "")
        for place, key in enumerate(by_key):
            known = self.inputs.get(short_hash(repr(key)), len(word))
            seen[place] = int(word[known]) if known < len(word) else NOT_RUN
        return seen

    def keep(self, mutant: Mutant, by_key: Iterable[object], seen: mmap.mmap) -> None:
        """Note what came of the inputs."""
        if self.folder is None:
            return
        word = list(self.words.get(mutant.rank, ""))
        for place, key in enumerate(by_key):
            known = self.inputs.setdefault(short_hash(repr(key)), len(self.inputs))
            word += "0" * (known + 1 - len(word))
            word[known] = str(seen[place])
        self.words[mutant.rank] = "".join(word)

    def write(self) -> None:
        """Write the file anew."""
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.file.write_text(json.dumps([self.inputs, self.words]))


def short_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


NO_CODE, DIED = 3, 4  # exit codes of a copy


def out_of_time(number: int, frame: object) -> None:  # noqa: ARG001
    raise TooManyRounds
