"""Code, watched: what it does with each of some values, in a copy of this process.

    watched = Watched([parse])
    for run in watched.see_all([[CodeCall(parse, ("1.2",))], [CodeCall(parse, ("x",))]]): …

The values are known before the copy is made, so they need not cross. A value that hangs, exits, or kills the copy costs
only itself: the next copy goes on after it. In this process no function changes.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import itertools
import json
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from unlike.core import FOREVER, Deadline, Isolation
from unlike.core.question import Implementation
from unlike.errors import UnlikeError
from unlike.isolation.copy import Copy, is_in_copy, mark, runs_here, send
from unlike.isolation.output import take_output
from unlike.isolation.verdicts import ENDLESS, Death, Raised
from unlike.observe.outcome import shape_of
from unlike.observe.recorder import Recorder, Seen
from unlike.observe.run import Behaviour, CodeCall, Spot
from unlike.observe.sources import Code, Sources
from unlike.observe.tables import Tables
from unlike.shared_names import put_names_back

TOGETHER = 32  # values whose records cross at once
OFTEN = 64  # values after which what they printed is thrown away
PATIENCE = 2  # values that hang, after which a call has half of the time; counted, so it is the same everywhere
LEAST_SECONDS = 0.5  # that a call has then: hardly any that ends takes so long
MANY_ITEMS = 1_000  # of a generator: longer ones behave as they did before
Calls = Sequence[CodeCall] | Callable[[], Sequence[CodeCall]]  # of one value; a function makes them where they are run
Result = tuple[str, ...]
USUAL_LIMITS = Isolation()


class Watched:
    """Code whose behaviour is seen: the modules of the same packages that it reaches, or those `within`."""

    def __init__(
        self,
        code: Sequence[Code],
        within: Sequence[str] | None = None,
        limits: Isolation = USUAL_LIMITS,
        implementation: Implementation = "auto",
    ) -> None:
        self.limits, self._tables, self.hangs = limits, Tables(Recorder(implementation=implementation)), 0
        sources = Sources(code, within, self._tables)
        self._codes = sources.codes
        if any(code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR) for code in self._codes.values()):
            importlib.import_module("asyncio")  # here, once, rather than in every copy, within the time of a call
        self.modules = tuple([module.__name__ for module in sources.modules])
        self.spots: tuple[Spot, ...] = tuple(self._tables.spots)
        self.blind = tuple([f"{name}: {why}" for name, why in sources.blind.items()])

    def see_all(self, values: Iterable[Calls], deadline: Deadline = FOREVER) -> Iterator[Behaviour]:
        """Yield what the code does with each of the values, one after the other."""
        known = [*values]
        if runs_here(self.limits):
            yield from self._see_here(known)
            return
        begin, end, lost = 0, len(known), None
        while begin < len(known):
            if begin == end:  # where a process ended
                assert lost is not None
                yield Behaviour(results=(lost,))
                begin, end = begin + 1, len(known)
                continue
            reader = SeenReader(self._tables)
            work = functools.partial(self._send_all, known, begin, end)
            with Copy(work, self._limits_now(), in_steps=True) as copy:
                for text in copy.listen(deadline.check):
                    for row in json.loads(text):
                        yield reader.read(row)
                        begin += 1
                ending = copy.verdict
            if isinstance(ending, Death):  # those before it that were not sent yet are run once more
                where = ending.at[0] if ending.at else begin
                lost, end = result_of_death(ending), max(begin, min(where, end - 1))
                self.hangs += lost == ("hangs",)
            elif isinstance(ending, Raised):
                raise UnlikeError(f"observing failed in its process: {ending.error}")

    def _limits_now(self) -> Isolation:
        """Return the limits of the next copy: for each few values that hang, half of the time of a call is left."""
        seconds = self.limits.seconds_per_call
        if seconds is None or seconds <= LEAST_SECONDS:
            return self.limits
        return replace(self.limits, seconds_per_call=max(LEAST_SECONDS, seconds / 2 ** (self.hangs // PATIENCE)))

    def find_unsteady(self, values: Sequence[Calls], runs: Sequence[Behaviour] = ()) -> tuple[int, ...]:
        """Return the places of values with which the code does not always do the same.

        All are run in a new copy of the process, and in the opposite order in another one. What was seen of them before
        is compared, too.
        """
        forth, back = [*self.see_all(values)], [*self.see_all(values[::-1])][::-1]
        before = runs or forth
        return tuple([place for place, each in enumerate(forth) if not each == back[place] == before[place]])

    def _see_here(self, values: list[Calls]) -> list[Behaviour]:
        with self._put_probes():
            return [self._tables.behaviour_of(*self._see(each)) for each in values]

    def _send_all(self, values: list[Calls], begin: int, end: int) -> None:
        """In the copy: run the values from one to another, and send records together."""
        writer, rows = SeenWriter(), list[object]()
        with self._put_probes():
            for number in range(begin, end):
                mark(number)
                rows.append(writer.write(*self._see(values[number])))
                if len(rows) == TOGETHER or number + 1 == end:
                    send(encode_json(rows))
                    rows.clear()
                if number % OFTEN == 0:
                    take_output()  # nobody reads it: it is only kept from growing

    @contextlib.contextmanager
    def _put_probes(self) -> Iterator[None]:
        """Let the functions of this process have their probes."""
        plain = {function: function.__code__ for function in self._codes}
        self._tables.recorder.record.forget_pairs()
        try:
            for function, code in self._codes.items():
                function.__code__ = code
            yield
        finally:
            for function, code in plain.items():
                function.__code__ = code

    def _see(self, value: Calls) -> tuple[Seen, list[Result]]:
        """Run the calls of one value, and return what was recorded and what they gave."""
        recorder = self._tables.recorder
        try:
            calls = value() if callable(value) else value
        except Exception as error:
            return recorder.take(), [("raises", type(error).__name__)]
        recorder.forget()  # what making them has left
        results = [result_of_call(each) for each in calls]
        return recorder.take(), results


class SeenWriter:
    """In the copy: what was seen as lists and texts, which cross quickly; what comes again is sent as its number."""

    def __init__(self) -> None:
        self.known: dict[object, int] = {}
        self.rows: dict[object, int] = {}

    def write(self, seen: Seen, results: list[Result]) -> object:
        """Return what was seen of one value: a number, if it is what was seen of another one."""
        loops, left, compared = seen.loops, seen.left, seen.compared
        key = (seen.counts, seen.near, seen.steps, *results, *loops, *left)
        size = len(self.rows)
        if self.rows.setdefault(key, size) != size and not compared:
            return self.rows[key]
        if any(type(each) is bytes for each in compared):
            compared = [{"hex": each.hex()} if type(each) is bytes else each for each in compared]
        numbers = *self._number(seen.counts), *self._number(seen.near)
        return [self.rows[key], *numbers, loops, compared, left, seen.steps, results]

    def _number(self, numbers: bytes) -> tuple[int, str]:
        """Return the number of some bytes, and they themselves if they are new."""
        size = len(self.known)
        found = self.known.setdefault(numbers, size)
        return found, numbers.hex() if found == size else ""


class SeenReader:
    """In the parent: what a writer has written."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.known: dict[int, bytes] = {}
        self.rows: dict[int, Behaviour] = {}

    def read(self, row: Any) -> Behaviour:
        """Return what was seen of one value."""
        if type(row) is int:
            return self.rows[row]
        number, counts, new_counts, near, new_near, loops, compared, left, steps, results = row
        if new_counts:
            self.known[counts] = bytes.fromhex(new_counts)
        if new_near:
            self.known[near] = bytes.fromhex(new_near)
        if any(type(each) is dict for each in compared):
            compared = [bytes.fromhex(each["hex"]) if type(each) is dict else each for each in compared]
        seen = Seen(self.known.get(counts, b""), self.known.get(near, b""), loops, compared, left, steps)
        found = self.tables.behaviour_of(seen, [tuple(each) for each in results])
        self.rows[number] = replace(found, compared=()) if compared else found
        return found


encode_json = json.JSONEncoder(check_circular=False).encode  # what is sent has no cycles


def result_of_call(call: CodeCall) -> Result:
    """Make one call, and return what came of it."""
    try:
        result = finish(_make_call(call))
    except BaseException as error:  # the code under test may raise anything
        if isinstance(error, KeyboardInterrupt) and not is_in_copy():
            raise
        return "raises", type(error).__name__
    try:
        return "returns", shape_of(result)
    except Exception:  # an object that cannot be looked at
        return "returns", type(result).__name__


def _make_call(call: CodeCall) -> Any:
    try:
        return call.function(*call.args, **call.kwargs)
    finally:
        put_names_back()


def finish(result: Any) -> Any:
    """Return a result, with generators and coroutines run, and what a context manager gives."""
    if isinstance(result, types.GeneratorType):
        return [*itertools.islice(result, MANY_ITEMS)]
    if isinstance(result, types.CoroutineType | types.AsyncGeneratorType):
        import asyncio

        return asyncio.run(result if isinstance(result, types.CoroutineType) else _collect(result))
    if isinstance(result, contextlib._GeneratorContextManager):
        with result as entered:
            return entered
    return result


async def _collect(result: types.AsyncGeneratorType[Any, None]) -> list[Any]:
    found: list[Any] = []
    async for each in result:
        found.append(each)
        if len(found) >= MANY_ITEMS:
            break
    return found


def result_of_death(death: Death) -> Result:
    """Return how a call ended its process, or had to be ended."""
    return ("hangs",) if death.cause.startswith(("took more than", ENDLESS)) else ("dies", death.cause)
