"""The search under limits: in a copy of this process, which sends what it finds.

A run of the invariant that takes the copy down (a crash, no memory, a loop that nothing else can end) counts as a no:
the search is made again without that run, which is known by its number, because a search is the same every time.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from unlike.core import FOREVER, USUAL, CutShort, Deadline, Isolation
from unlike.errors import InvariantError
from unlike.indexed import Listed
from unlike.invariants.fields import FieldTable
from unlike.invariants.korat import Korat
from unlike.invariants.search.engine import Search, Shape
from unlike.invariants.search.filling import TemplateFilling
from unlike.invariants.search.guards import EndedEarly, InvariantNotes, SearchEndError
from unlike.invariants.search.template import StructureTemplate, TemplateStructures
from unlike.invariants.structure import LabelledStructure, ObjectRecord, Structure
from unlike.isolation import Answer, Copy, Death, Raised, can_fork, is_in_copy, mark, send
from unlike.progress import report
from unlike.suite import Ending

if TYPE_CHECKING:
    from unlike.invariants.compile.compiling import Compiled

Engine: TypeAlias = Literal["auto", "search", "hybrid", "korat"]
Ended: TypeAlias = Literal["complete", "enough", "died"] | EndedEarly | Ending
BATCH = 200
MOST_DEATHS = 3
GRACE = 0.3  # seconds for a search to see by itself that its time is over


@dataclass(frozen=True, slots=True)
class Order:
    """What to look for, and how."""

    table: FieldTable
    invariant: Callable[[Any], object]
    engine: Engine = "search"
    all_labels: bool = False  # for plain Korat alone
    counted: bool = False  # templates are counted and forgotten
    symbolic: bool = True
    lazy: bool = True
    enough: int | None = None  # structures
    deadline: Deadline = FOREVER
    most_runs: int | None = None
    isolation: Isolation = USUAL  # its seconds are those between two runs of the invariant
    skip: tuple[int, ...] = ()
    closely: bool = False
    compiled: Compiled | None = None  # for the hybrid: the clauses that know the shapes
    twice: bool = False


@dataclass(slots=True)
class SearchAnswer:
    """What came of a search: blocks of structures (or their number alone), and how it ended."""

    blocks: list[Any] = field(default_factory=list)
    count: int = 0
    ended: Ended = "complete"
    detail: str = ""
    seen: InvariantNotes = field(default_factory=InvariantNotes)
    deaths: list[str] = field(default_factory=list)
    died_at: int = 0  # the step of the search


@dataclass(frozen=True, slots=True)
class End:
    """The last thing that a search sends."""

    ended: Ended
    detail: str
    seen: InvariantNotes


def find(order: Order) -> SearchAnswer:
    """Search; what was found before the end stays, however it ends."""
    filling, deaths = TemplateFilling(order.table), list[str]()
    while True:
        found = SearchAnswer()
        for sent in _listened(order, found):
            _take(sent, found, order, filling)
        if found.ended == "leaked":  # compiled code looked into an open list: whole lists from now on
            order = replace(order, lazy=False)
            continue
        if found.ended == "died" and order.closely:
            deaths.append(found.detail)
        if found.ended == "died" and order.deadline.is_over():
            found.ended = Ending.TIMEOUT
        again = _without_death(order, found)
        if again is None:
            found.deaths = deaths
            return found
        order = again


def _without_death(order: Order, found: SearchAnswer) -> Order | None:
    """Return the search to make instead of one that was taken down, or nothing if it ended by itself."""
    if found.ended != "died" or len(order.skip) >= MOST_DEATHS:
        return None
    if not order.closely:
        return replace(order, closely=True)
    return replace(order, skip=(*order.skip, found.died_at))


def _take(sent: Any, found: SearchAnswer, order: Order, filling: TemplateFilling) -> None:
    match sent:
        case End(ended, detail, seen):
            found.ended, found.detail, found.seen = ended, detail, seen
        case int():
            found.count += sent
        case list() if order.engine == "korat":
            found.blocks.append(Listed([_unpacked_structure(each, order.table) for each in sent]))
            found.count += len(sent)
        case list():
            for each in sent:
                block = TemplateStructures(_unpacked(each, order.table, filling), filling)
                found.blocks.append(block)
                found.count += block.count()


def _listened(order: Order, found: SearchAnswer) -> Iterator[Any]:
    """Yield what the search sends, from a copy of this process or from here."""
    if order.isolation.is_here or is_in_copy() or not can_fork():
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                yield from work(order)
            except KeyboardInterrupt:
                found.ended = Ending.INTERRUPTED
        return

    def in_copy() -> None:
        for value in work(order):
            send(value)

    def tick() -> None:
        if order.deadline.is_over(by=GRACE):
            raise CutShort(order.deadline.status())

    copy = Copy(in_copy, order.isolation)
    try:
        with copy:
            yield from copy.listen(tick)
    except CutShort as cut:  # in a run that takes long
        found.ended = cut.status.ending
        return
    except KeyboardInterrupt:
        found.ended = Ending.INTERRUPTED
        return
    match copy.verdict:
        case Death(_, cause):
            found.ended, found.detail = "died", cause
            found.died_at = copy.verdict.at[0] if copy.verdict.at else 0
        case Raised(_, error):
            if "pickle" not in error.lower():
                raise InvariantError(f"the search failed: {error}")
            here = replace(order, isolation=order.isolation.in_this_process())
            yield from _listened(here, found)  # values of a class that cannot travel
        case Answer():
            return


def work(order: Order) -> Iterator[Any]:
    """Yield batches of what is found (or counts), and how it ended."""
    searched = _korat(order) if order.engine == "korat" else _search(order)
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
    yield End(ended, detail, seen)


def _search(order: Order) -> Iterator[Any]:
    """Yield what is seen on the way, then each template with its count."""
    search = Search(
        order.table,
        order.invariant,
        symbolic=order.symbolic,
        lazy=order.lazy,
        deadline=order.deadline,
        most_runs=order.most_runs,
        skip=order.skip,
        closely=order.closely,
        twice=order.twice,
    )
    yield search.seen
    filling = TemplateFilling(order.table)
    for _ in search.accepted(None if order.compiled is None else shapes(order.compiled)):
        template = search.template()
        counts = order.counted or order.enough is not None
        yield _packed(template, order.table, filling), TemplateStructures(template, filling).count() if counts else 1


def shapes(compiled: Compiled) -> Iterator[Shape]:
    """Yield the shapes that the clauses know, objects by class and number."""
    from unlike.invariants.compile.shapes import shapes_of  # a solver is loaded only when it is used
    from unlike.invariants.compile.values import Thing

    for shape in shapes_of(compiled):
        mark(-1)
        yield [
            ((thing.cls, thing.number), name, (value.cls, value.number) if isinstance(value, Thing) else value)
            for thing, name, value in shape
        ]


def _korat(order: Order) -> Iterator[Any]:
    korat = Korat(order.table, order.invariant, all_labels=order.all_labels, deadline=order.deadline)
    yield korat.seen
    for structure in korat.structures():
        yield _packed_structure(structure, order.table), 1


# -- classes travel as numbers: not every class can be found by its name ----------------------------------------


def _packed(template: StructureTemplate, table: FieldTable, filling: TemplateFilling) -> Any:
    return _numbered(template.objects, table), template.bounds, tuple(map(filling.kind, template.places))


def _unpacked(data: Any, table: FieldTable, filling: TemplateFilling) -> StructureTemplate:
    objects, bounds, places = data
    return StructureTemplate(_named(objects, table), bounds, tuple(filling.kinds[place] for place in places))


def _packed_structure(found: Structure | LabelledStructure, table: FieldTable) -> Any:
    if isinstance(found, LabelledStructure):
        return _numbered(found.structure.objects, table), found.labels
    return _numbered(found.objects, table), None


def _unpacked_structure(data: Any, table: FieldTable) -> Structure | LabelledStructure:
    objects, labels = data
    structure = Structure(_named(objects, table))
    return structure if labels is None else LabelledStructure(structure, labels)


def _numbered(records: tuple[ObjectRecord, ...], table: FieldTable) -> Any:
    numbers = {each.cls: number for number, each in enumerate(table.classes)}
    return [(numbers[record.cls], [value for _, value in record.fields]) for record in records]


def _named(data: Any, table: FieldTable) -> tuple[ObjectRecord, ...]:
    records = []
    for number, values in data:
        each = table.classes[number]
        records.append(ObjectRecord(each.cls, tuple((f.name, v) for f, v in zip(each.fields, values, strict=True))))
    return tuple(records)
