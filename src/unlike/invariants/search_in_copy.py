"""The search under limits: in a copy of this process, which sends what it finds.

A run of the invariant that takes the copy down (a crash, no memory, a loop that nothing else can end) counts as a no:
the search is made again without that run, which is known by its number, because a search is the same every time.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from unlike.core import CutShort
from unlike.errors import InvariantError
from unlike.foreign import silence
from unlike.indexed import Listed
from unlike.invariants.fields.domains import Values
from unlike.invariants.korat import Korat
from unlike.invariants.search.engine import Order, Search, Shape
from unlike.invariants.search.guards import EndedEarly, InvariantNotes, RunClock, SearchEndError
from unlike.invariants.search.template import TemplateFilling, TemplateStructures
from unlike.invariants.structure import Structure, build_structure
from unlike.isolation import Answer, Death, Raised
from unlike.isolation.copy import Blame, Copy, call_in_copy, mark, runs_here, send
from unlike.isolation.wire import CannotPackError
from unlike.progress import report
from unlike.suite import Ending

if TYPE_CHECKING:
    from unlike.invariants.compile.compiling import Compiled

Ended: TypeAlias = Literal["complete", "enough", "died"] | EndedEarly | Ending
BATCH = 200  # structures for each message: fewer cost a message each, more would be lost when the process dies
MOST_DEATHS = 3  # of the process that runs the invariant, before the search is given up
GRACE = 0.3  # seconds for a search to see by itself that its time is over


@dataclass(slots=True)
class SearchAnswer:
    """What came of a search: blocks of structures (or their number alone), and how it ended."""

    blocks: list[Any] = field(default_factory=list)
    count: int = 0
    ended: Ended = "complete"
    detail: str = ""
    seen: InvariantNotes = field(default_factory=InvariantNotes)
    deaths: list[str] = field(default_factory=list)  # of runs that count as a no
    order: Order | None = None  # as the search was made in the end


def find(order: Order) -> SearchAnswer:
    """Search; what was found before the end stays, however it ends."""
    filling, blame = TemplateFilling(order.table), Blame()
    while True:
        found = SearchAnswer()
        death = _search_in_copy(order, blame, found, filling)
        found.order = order
        if found.ended == "complete" and order.backwards and not _says_the_same_backwards(order, found.seen.asked):
            found.ended = "unsteady"
        if found.ended == "leaked":  # compiled code looked into an open list: whole lists from now on
            order = replace(order, lazy=False)
        elif found.ended == "unsteady" and order.symbolic:  # it may tell an int from what stands in for one
            order = replace(order, symbolic=False)
        elif found.ended == "unsteady" and order.table.has_containers and order.engine != "korat":  # or a list
            order = replace(order, engine="korat", twice=False)
        elif death is None or not blame.take(death) or len(blame.deadly) > MOST_DEATHS:
            found.deaths = list(blame.deadly.values())
            return found


def _says_the_same_backwards(order: Order, asked: Sequence[tuple[Structure, bool]]) -> bool:
    """Tell whether the invariant gives the same answers in a process that has not asked it yet, in another order.

    One that keeps its first answer to something always says the same afterwards, whatever that was.
    """

    def ask() -> list[bool]:
        watch = RunClock(InvariantNotes())
        with watch, silence():
            return [watch.says(order.invariant, build_structure(each)) for each, _ in reversed(asked)]

    if runs_here(order.isolation):
        return True  # nothing would be forgotten
    match call_in_copy(ask, order.isolation):
        case Answer(result=answers):
            return bool(answers == [accepted for _, accepted in reversed(asked)])
    return True  # it ended its process: the search says that of it


def _take(sent: Any, found: SearchAnswer, order: Order, filling: TemplateFilling) -> None:
    match sent:
        case tuple():  # the last thing that a search sends
            found.ended, found.detail, found.seen = sent
        case int():
            found.count += sent
        case list() if order.engine == "korat":
            found.blocks.append(Listed(sent))
            found.count += len(sent)
        case list():
            for template in sent:
                block = TemplateStructures(template, filling)
                found.blocks.append(block)
                found.count += block.count()


def _search_in_copy(order: Order, blame: Blame, found: SearchAnswer, filling: TemplateFilling) -> Death | None:
    """Enter what the search sends, from a copy of this process or from here; return what the copy died of."""
    if runs_here(order.isolation):
        with silence():
            try:
                for sent in work(order, blame):
                    _take(sent, found, order, filling)
            except KeyboardInterrupt:
                found.ended = Ending.INTERRUPTED
        return None

    def send_all() -> None:
        for value in work(order, blame):
            send(value)

    def tick() -> None:
        if order.deadline.is_over(by=GRACE):
            raise CutShort(order.deadline.status())

    try:
        with Copy(send_all, order.isolation, known=_known_to_both(filling)) as copy:
            for sent in copy.listen(tick):
                _take(sent, found, order, filling)
            verdict = copy.verdict
    except (CutShort, KeyboardInterrupt) as end:  # in a run that takes long
        found.ended = end.status.ending if isinstance(end, CutShort) else Ending.INTERRUPTED
        return None
    match verdict:
        case Death() if order.deadline.is_over():
            found.ended = Ending.TIMEOUT
        case Death():
            found.ended, found.detail = "died", verdict.cause
            return verdict
        case Raised(error=error) if error.startswith(CannotPackError.__name__):  # values that do not cross
            return _search_in_copy(replace(order, isolation=order.isolation.in_this_process()), blame, found, filling)
        case Raised(error=error):
            raise InvariantError(f"the search failed: {error}")
    return None


def _known_to_both(filling: TemplateFilling) -> list[object]:
    """Return what stays itself on its way: classes, of which some cannot be found by name; domains and their values."""
    values = [part.values for domain in filling.kinds for part in domain.parts if isinstance(part, Values)]
    makers = [getattr(part, "maker", None) for domain in filling.kinds for part in domain.parts]
    pairs = [(each.cls, each.argument) for each in makers if each is not None]
    named = [each for each in itertools.chain.from_iterable(pairs) if not isinstance(each, int | None)]
    return [*filling.number, *filling.kinds, *named, *itertools.chain.from_iterable(values)]


def work(order: Order, blame: Blame) -> Iterator[Any]:
    """Yield batches of what is found (or counts), and how it ended."""
    searched = _korat(order) if order.engine == "korat" else _search(order, blame)
    seen: InvariantNotes = next(searched)
    ended: Ended = "complete"
    detail, batch, total = "", list[Any](), 0
    try:
        for each, count in searched:
            total += count
            report("searching", total, seen.runs, of=order.enough)
            batch.append(count if order.counted else each)
            if len(batch) >= BATCH:
                yield sum(batch) if order.counted else batch
                batch = []
            if order.enough is not None and total >= order.enough:
                ended = "enough"
                break
    except CutShort as cut:
        ended = cut.status.ending
    except SearchEndError as end:
        ended, detail = end.how, end.detail
    if batch:
        yield sum(batch) if order.counted else batch
    yield ended, detail, seen


def _search(order: Order, blame: Blame) -> Iterator[Any]:
    """Yield what is seen on the way, then each template with its count."""
    search = Search(order, skip=blame.deadly, closely=blame.one_by_one)
    yield search.seen
    filling = TemplateFilling(order.table)
    for _ in search.accept(None if order.compiled is None else _shapes(order.compiled)):
        template = search.template()
        counts = order.counted or order.enough is not None
        yield template, TemplateStructures(template, filling).count() if counts else 1


def _shapes(compiled: Compiled) -> Iterator[Shape]:
    for shape in compiled.shapes():
        mark(-1)
        yield shape


def _korat(order: Order) -> Iterator[Any]:
    korat = Korat(order)
    yield korat.seen
    for structure in korat.structures():
        yield structure, 1
