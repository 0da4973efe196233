"""A search with values open, in a copy of this process, which may die of it; what it found comes back in one report."""

from __future__ import annotations

from dataclasses import dataclass, replace

from unlike import heap
from unlike.classes.evidence import Evidence, FoundClass
from unlike.classes.executors.transfer import from_bytes, name_exceptions, to_bytes
from unlike.classes.open.cost_model import BESIDE_COMPILED, BESIDE_PYTHON, Cost
from unlike.classes.open.path_caller import SIGNALS, DeadlyError, OpenRun
from unlike.classes.open.states import SentStates
from unlike.classes.run import SearchSpec
from unlike.classes.verb import KnownApis
from unlike.isolation import Answer, Death
from unlike.isolation.copy import call_in_copy, runs_here, send
from unlike.isolation.limits import die_interrupted
from unlike.isolation.output import take_output
from unlike.isolation.state import process_state
from unlike.suite import Ending, Status
from unlike.zones.walking import OpenedError, Places

MARGIN = 2  # seconds more than a call may take: calls that hang in Python are interrupted, not killed


@dataclass(frozen=True, slots=True)
class OpenReport:
    """What a search with values open found."""

    places: Places
    numbered: list[heap.News]  # by the walker, beyond what it knows at first
    extent: list[heap.Extent]  # how much it has numbered in all
    states: SentStates
    evidence: Evidence
    status: Status
    began: float  # by a clock that both processes have


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
        verdict = call_in_copy(there.search_in_copy, limits, told=options.on_progress)
        if isinstance(verdict, Death):
            raise DeadlyError(f"a call ended or blocked its process, {verdict.cause}")
        if not isinstance(verdict, Answer):  # as little memory as a copy may have
            raise DeadlyError(f"the search failed in its process: {verdict.error}")
        ending, *told = verdict.result
        if signal := next((each for each in SIGNALS if each.__name__ == ending), None):
            raise signal(*told)
        search = self.take(*told) if told else None
        return self.search_here() if search is None else search  # what cannot travel is found here, too

    def search_here(self) -> OpenRun:
        """Search in this process; from the beginning whenever a class, or a place of open values, is met late."""
        spec, places = self.spec, Places()
        while True:
            search = self.begin(spec, places)
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

    def begin(self, spec: SearchSpec, places: Places) -> OpenRun:
        """Return a search that knows nothing yet."""
        compiled = spec.options.exploring.implementation != "python" and heap.native_is_built()
        costs = BESIDE_COMPILED if compiled else BESIDE_PYTHON
        return OpenRun(self.apis.api(spec), spec, places, Cost(self.must_pay, self.most, costs))

    def search_in_copy(self) -> tuple[str | bytes, ...]:
        """Search in the copy; return the signal that ended it and its words, or "" with what it found."""
        before = process_state()
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
        try:
            return "", to_bytes(search.api.extra, self.apis.api(self.spec)), to_bytes(_report(search), search.api)
        except Exception:  # whatever an object of somebody else's does when it is pickled
            return ("",)

    def take(self, met: bytes, told: bytes) -> OpenRun | None:
        """Return the search of a copy as if it had been made here, or nothing if it cannot be understood here."""
        spec = replace(self.spec, extra=from_bytes(met, self.apis.api(self.spec)))
        report: OpenReport = from_bytes(told, self.apis.api(spec))
        search = self.begin(spec, report.places)
        heap.import_from(search.code.walker, report.numbered)
        if heap.extent(search.code.walker) != report.extent:
            return None
        search.frontier.states.take(report.states)
        search.frontier.catch_up()
        search.caller.calls = report.evidence.calls
        search.evidence, search.isolated = report.evidence, True
        search.caller.began = report.began
        search.end()
        search.status = report.status  # the provisos are in it
        return search


def _report(search: OpenRun) -> OpenReport:
    name_exceptions(search.evidence)
    walker = search.code.walker
    numbered, _ = heap.export_since(walker, search.code.numbered_at_first)
    return OpenReport(
        search.caller.places,
        numbered,
        heap.extent(walker),
        search.frontier.states.to_send(),
        search.evidence,
        search.status,
        search.caller.began,
    )
