"""Run an invariant on open objects, and fork where it looks: from a FieldTable to every structure accepted.

A reference is chosen when it is first read: nobody, an object that is there, the next new one. An int is a token until
it is compared. What was chosen is stored in the objects, and what is known of the tokens is a zone, so a second run
comes to the same place by itself: the stored choices ARE the path, and nothing is replayed. After a run the last
choice that has another way takes it; a field that no run looked at stays open in the structure that leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from unlike.core import FOREVER, USUAL, Deadline, Isolation
from unlike.heap.fields import maker_of
from unlike.indexed import Integers
from unlike.invariants.fields.domains import DictOf, Domain, FieldTable, ListOf, SetOf
from unlike.invariants.fields.flat_values import list_members, plain_value
from unlike.invariants.search.closed import ClosedSet
from unlike.invariants.search.decisions import (
    DELETE,
    ELEMENT,
    FIELD,
    MEMBER,
    OPEN,
    PRESENCE,
    QUESTION,
    SET,
    SETTLED,
    STOP,
    ContainerDraft,
    Decision,
    MemberLister,
    NewContainer,
    OpenDict,
    OpenList,
    SetMember,
    close_draft,
    fixed_options,
)
from unlike.invariants.search.fresh import FreshCopies, is_checked
from unlike.invariants.search.guards import (
    ABSENT,
    OURS,
    ClassHooks,
    InvariantNotes,
    RunClock,
    SearchEndError,
    SkippedError,
    SlowRunError,
    ask_slowly,
)
from unlike.invariants.search.template import StructureTemplate, TemplateReader, TemplateWalk
from unlike.isolation.copy import mark
from unlike.progress import report
from unlike.zones.open_values import Token, set_answerer
from unlike.zones.zone import Zone

if TYPE_CHECKING:
    from unlike.invariants.compile.compiling import Compiled

Engine: TypeAlias = Literal["auto", "search", "hybrid", "korat"]
ASKED_AGAIN = 8  # times, where it is to be found out whether the invariant is steady
LOOKED_AT_CLOSELY = 64  # runs after each of which the objects are searched for writes past `__setattr__`
MARKED = 16  # every how many runs it is said where the search is, and the clock is looked at


# the fields that are settled: of which object (class and number), which field, and what it holds (a tuple: an object)
Shape: TypeAlias = Sequence[tuple[tuple[type, int], str, Any]]


@dataclass(frozen=True, slots=True)
class Order:
    """What to look for, and how."""

    table: FieldTable
    invariant: Callable[[Any], object]
    engine: Engine = "search"
    all_labels: bool = False  # for plain Korat alone
    counted: bool = False  # templates are counted and forgotten
    symbolic: bool = True  # an int is a token until it is compared
    lazy: bool = True  # the elements of a list are chosen when they are read, not with the list
    enough: int | None = None  # structures
    deadline: Deadline = FOREVER
    most_runs: int | None = None
    isolation: Isolation = USUAL  # its seconds are those between two runs of the invariant
    compiled: Compiled | None = None  # for the hybrid: the clauses that know the shapes
    twice: bool = False  # make every run again, to see whether it comes to the same
    backwards: bool = False  # ask again about some structures in another process, the last one first


class Search:
    """One search. `accept` yields after each run that the invariant accepted, while the structure stands.

    `skip` has the choices after which the invariant is known to end the process; `closely` says where the search is at
    every choice.
    """

    def __init__(self, order: Order, *, skip: Collection[int] = (), closely: bool = False) -> None:
        table = self.table = order.table
        self.order, self.invariant, self.skip, self.closely = order, order.invariant, skip, closely
        self.marked = 1 if closely else MARKED  # every how many runs it is said where the search is
        self.seen = InvariantNotes()
        self.watch = RunClock(self.seen)
        self.trail: list[Decision] = []
        self.zone = Zone.box()
        self.domains = {each.cls: {f.name: f.domain for f in each.fields} for each in table.classes}
        self.names = {cls: frozenset(domains) for cls, domains in self.domains.items()}
        self.pool = {each.cls: [maker_of(each.cls)(each.cls) for _ in range(each.most)] for each in table.classes}
        self.used = dict.fromkeys(self.pool, 0)
        self.numbers = {id(thing): number for things in self.pool.values() for number, thing in enumerate(things)}
        self.static: dict[Domain, tuple[list[Any], tuple[type, ...]]] = {}
        self.drafts: dict[tuple[int, Any], ContainerDraft] = {}
        self.lister = MemberLister(self.pool)
        self.reader = TemplateReader(table, self.numbers)
        self.root: Any = self.pool[table.root][0]
        self.used[table.root] = 1
        self.has_containers = table.has_containers
        self.fresh = FreshCopies(table, self.reader)
        self.is_any_accepted = False

    # -- the loop -----------------------------------------------------------------------------------------

    def accept(self, shapes: Iterable[Shape] | None = None) -> Iterator[Any]:
        """Yield the root once for each way through the invariant that it accepts.

        With `shapes` the fields that a shape settles are settled, one shape after the other.
        """
        hooks = ClassHooks(self.table, lambda thing: id(thing) in self.numbers, self.choose)
        before = set_answerer(self)
        try:
            with hooks, self.watch:
                if shapes is None:
                    yield from self._runs()
                for shape in shapes or ():
                    yield from self._runs_on(shape)
                if not self.closely and not self.fresh.check_again(self.says):
                    raise SearchEndError("unsteady")
                if self.order.backwards:
                    self.seen.asked = self.fresh.list_asked(self.table)
        finally:
            set_answerer(before)
            self._let_go()

    def _runs_on(self, shape: Shape) -> Iterator[Any]:
        """Search with the fields of a shape settled; a shape without any structure contradicts who gave it."""
        before, found = dict(self.used), False
        for (cls, number), name, value in shape:
            held = self.pool[value[0]][value[1]] if type(value) is tuple else value
            SET(self.pool[cls][number], name, held)
            self.used[cls] = max(self.used[cls], number + 1)
        for root in self._runs():
            found = True
            yield root
        for (cls, number), name, _ in shape:
            DELETE(self.pool[cls][number], name)
        self.used = before
        if not found:
            raise SearchEndError("shapeless")

    def _runs(self) -> Iterator[Any]:
        seen, marked = self.seen, self.marked
        while True:
            seen.runs += 1
            if not seen.runs % marked:
                self.check_bounds()
            endless = seen.endless
            accepted = self.is_accepted()
            if seen.endless == endless:
                if self.order.twice:
                    self.check_steady(accepted)
                if self.order.twice or is_checked(seen.runs, accepted=accepted):
                    self.check_fresh(accepted)
            if not accepted and not self.is_any_accepted:
                self.note_last_read()
            if accepted:
                self.is_any_accepted = True
                floor = len(self.trail)
                self.check_untouched()
                while True:
                    self.complete()
                    yield self.root
                    if not self.backtrack(floor):
                        break
            elif seen.runs < LOOKED_AT_CLOSELY:
                self.check_untouched()
            if not self.backtrack(0):
                return

    def note_last_read(self) -> None:
        """Note which field was chosen last in a run that rejects: what it holds had no chance there."""
        last = next((each for each in reversed(self.trail) if each.kind == FIELD), None)
        if last is not None:
            name = f"{type(last.target).__name__}.{last.key}"
            self.seen.last_read[name] = self.seen.last_read.get(name, 0) + 1

    def check_bounds(self) -> None:
        """Say where the search is, and end it where its time or its number of runs is used up."""
        mark(self.seen.steps)
        report("searching", None, self.seen.runs)
        if self.order.most_runs is not None and self.seen.runs > self.order.most_runs:
            raise SearchEndError("runs")
        self.order.deadline.check()

    def check_steady(self, accepted: bool) -> None:
        """Run the invariant again: everything it looked at is chosen, so it must come to the same, and choose none."""
        choices = len(self.trail)
        for _ in range(ASKED_AGAIN if self.seen.runs < LOOKED_AT_CLOSELY else 1):
            if self.is_accepted() != accepted or len(self.trail) != choices:
                raise SearchEndError("unsteady")

    def check_fresh(self, accepted: bool) -> None:
        """Run the invariant on fresh objects that hold the same: it must say the same, or it remembers something."""
        if self.closely:  # some runs end the process
            return
        if not self.fresh.check(self.says, self.root, self.zone, accepted=accepted, run=self.seen.runs):
            raise SearchEndError("unsteady")

    def says(self, thing: Any) -> bool:
        """Return what the invariant says of an object that is none of the search."""
        return self.watch.says(self.invariant, thing)

    def is_accepted(self) -> bool:
        """Run the invariant once; what it raises counts as a no."""
        try:
            if self.closely:
                self.step()
            self.watch.is_running = True
            try:
                answer = self.invariant(self.root)
                if answer is True or answer is False:
                    return answer
                self.seen.answers.add(type(answer).__name__)
                return bool(answer)
            finally:
                self.watch.is_running = False
        except OURS:
            raise
        except SkippedError:
            return False
        except SlowRunError:
            mark(self.seen.steps)
            return ask_slowly(lambda: self.invariant(self.root), self.seen)
        except BaseException as error:  # the invariant is foreign code and may raise anything
            self.seen.note(error)
            return False

    def check_untouched(self) -> None:
        """Refuse what was written past `__setattr__`, such as the value of a cached property."""
        for cls, number in self.used.items():
            names = self.names[cls]
            for thing in self.pool[cls][:number]:
                held = getattr(thing, "__dict__", None)
                if held and not held.keys() <= names:
                    raise SearchEndError("wrote", f"{cls.__name__}.{next(name for name in held if name not in names)}")

    def _let_go(self) -> None:
        for cls, things in self.pool.items():
            for thing in things:
                for name in self.domains[cls]:
                    try:
                        DELETE(thing, name)
                    except AttributeError:
                        continue

    # -- choices -----------------------------------------------------------------------------------------------

    def choose(self, thing: Any, name: str) -> Any:
        """Choose what a field holds that is read for the first time."""
        if id(thing) not in self.numbers:
            return ABSENT
        return self.choose_at(FIELD, thing, name, self.domains[type(thing)][name])

    def choose_presence(self, container: OpenDict, key: Any) -> bool:
        """Choose whether a key is in an open dict."""
        options = (False, True) if sum(container.decided.values()) < container.most else (False,)
        return bool(self._take(Decision(PRESENCE, container, key, options, self.zone)))

    def choose_at(self, kind: int, target: Any, key: Any, domain: Domain) -> Any:
        """Choose what stands in a place; a draft that was begun is gone on with."""
        draft = self.drafts.get((id(target), key)) if self.drafts else None
        if draft is None:
            value = self._take(Decision(kind, target, key, self.options(domain), self.zone))
            if value is not OPEN:
                return value
            draft = self.drafts[id(target), key]
        while (wanted := draft.domain) is not None:
            if draft.takes_member:
                options = self._members(draft, wanted)
                self._take(Decision(MEMBER, draft, len(draft.members), options, self.zone))
            else:
                self.choose_at(MEMBER, draft, len(draft.members), wanted)
        return self._take(Decision(SETTLED, target, key, (draft,), self.zone))

    def _take(self, choice: Decision) -> Any:
        self.seen.choices += 1
        self.trail.append(choice)
        value = self.apply(choice)
        if self.closely:
            self.step()
        return value

    def step(self) -> None:
        """Say where the search is; end a run that is known to end the process from here."""
        mark(self.seen.steps)
        if self.seen.steps in self.skip:
            raise SkippedError

    def options(self, domain: Domain) -> list[Any]:
        """Return what may be chosen now: values, objects that are there and the next new one of each class."""
        known = self.static.get(domain)
        if known is None:
            known = self.static[domain] = fixed_options(domain, symbolic=self.order.symbolic)
        fixed, classes = known
        if not classes:
            return fixed
        options = fixed[:]
        for cls in classes:
            options += self.pool[cls][: self.used[cls] + 1]
        return options

    def _members(self, draft: ContainerDraft, domain: Domain) -> list[Any]:
        """Return what may come next in a set: its end, or what stands behind the member chosen last."""
        part = draft.made.part
        if isinstance(part, DictOf) and part.is_ordered:  # in any order
            taken = {each.rank for each in draft.members}
            return [STOP, *(each for each in self.lister.list(domain, self.used) if each.rank not in taken)]
        last = draft.members[-1].rank if draft.members else ()
        return [STOP, *self.lister.list(domain, self.used, last)]

    def apply(self, choice: Decision) -> Any:
        """Take the option of a choice and return it as it is read; OPEN if a draft has to be completed first."""
        value = choice.options[choice.index]
        kind = choice.kind
        if kind == QUESTION:
            answer, i, j, c, exactly = value
            part = choice.zone.equal(i, j, c) if exactly else choice.zone.at_most(i, j, c)
            assert part is not None, "only possible answers are offered"
            self.zone = part
            return answer
        cls = type(value)
        if cls is Integers:
            self.zone = choice.zone.extend((value.low, value.high))
            value = Token(self.zone.slots)
        else:
            self.zone = choice.zone
            if cls in self.used:
                pool, number = self.pool[cls], self.used[cls]
                if number < len(pool) and pool[number] is value:
                    self.used[cls] = number + 1
                    choice.fresh = (cls,)
            elif cls is SetMember:
                for made in value.fresh:
                    self.used[made] += 1
                choice.fresh = value.fresh
            elif cls is NewContainer or kind >= SETTLED:
                return self._apply_container(choice, value)
        if kind == FIELD:
            SET(choice.target, choice.key, value)
        else:
            choice.put(value)
        return value

    def _apply_container(self, choice: Decision, value: Any) -> Any:
        """Take an option that makes a container, or says something about one."""
        if choice.kind == PRESENCE:
            choice.target.decided[choice.key] = value
            return value
        made = close_draft(value, self) if choice.kind == SETTLED else self._make_container(value)
        if made is OPEN:
            self.drafts[id(choice.target), choice.key] = ContainerDraft(value)
        else:
            choice.put(made)
        return made

    def _make_container(self, made: NewContainer) -> Any:
        """Return a container that can be read at once, or OPEN."""
        match made.part:
            case ListOf(element, _, _, "list") if self.order.lazy:
                return OpenList(made.length, element, self)
            case SetOf(_, _, kind) if made.content is not None:
                return ClosedSet(made.content) if kind == "set" else frozenset(made.content)
            case DictOf(key, value, most, None) if not key.classes:
                return OpenDict(list(map(plain_value, list_members(key))), value, most, self)
        return OPEN

    def backtrack(self, floor: int) -> bool:
        """Take the next option of the last choice that has one; False if there is none above the floor."""
        trail = self.trail
        while len(trail) > floor:
            choice = trail[-1]
            if choice.fresh is not None:
                for made in choice.fresh:
                    self.used[made] -= 1
                choice.fresh = None
            kind = choice.kind
            if kind != QUESTION and self.has_containers:
                self._undo(choice)
            choice.index += 1
            if choice.index < len(choice.options):
                self.apply(choice)
                return True
            if kind == FIELD and not self.has_containers:
                DELETE(choice.target, choice.key)  # only now: the next option would have taken its place
            self.zone = choice.zone
            trail.pop()
        return False

    def _undo(self, choice: Decision) -> None:
        place = (id(choice.target), choice.key)
        if choice.kind == PRESENCE:
            del choice.target.decided[choice.key]
        elif choice.kind != SETTLED and place in self.drafts:
            del self.drafts[place]
        else:
            choice.take_back()

    def complete(self) -> None:
        """Choose what an accepted structure leaves open and what cannot be counted unlisted: keys, sets of objects."""
        if not self.has_containers:
            return
        for container in TemplateWalk(self.reader, self.root).dicts:
            for key in container.keys_known:
                if key not in container.decided:
                    self.choose_presence(container, key)
        while self.table.is_unordered:
            places = TemplateWalk(self.reader, self.root).open_places
            first = next((each for each in places if self.table.leads_to_unordered(each[2])), None)
            if first is None:
                return
            self.choose_at(FIELD if id(first[0]) in self.numbers else ELEMENT, *first)

    def template(self) -> StructureTemplate:
        """Return the structure that stands now, with its slots and open places."""
        walk = TemplateWalk(self.reader, self.root)
        places = tuple(domain for *_, domain in walk.open_places)
        return StructureTemplate(tuple(walk.records), self.zone.bounds, places)

    # -- what tokens ask -----------------------------------------------------------------------------------------

    def at_most(self, i: int, j: int, c: int) -> bool:
        """Answer whether x_i - x_j <= c; where both is possible, both ways are gone."""
        bounds = self.zone.bounds
        if bounds[i][j] <= c:
            return True
        if bounds[j][i] + c < 0:
            return False
        return bool(self._ask(((True, i, j, c, False), (False, j, i, -c - 1, False))))

    def equal(self, i: int, j: int, c: int) -> bool:
        """Answer whether x_i - x_j == c; unequal is below or above, so that a zone has bounds only."""
        bounds = self.zone.bounds
        most, least = bounds[i][j], -bounds[j][i]
        if most < c or least > c:
            return False
        if most == least:
            return True
        ways = [(True, i, j, c, True)]
        if least < c:
            ways.append((False, i, j, c - 1, False))
        if most > c:
            ways.append((False, j, i, -c - 1, False))
        return bool(self._ask(tuple(ways)))

    def value(self, slot: int) -> int:
        """Answer what a value is; every way is gone."""
        bounds = self.zone.bounds
        low, high = -bounds[0][slot], bounds[slot][0]
        if low == high:
            return low
        return self._ask(tuple((value, slot, 0, value, True) for value in range(low, high + 1)))

    def _ask(self, ways: Sequence[tuple[int, int, int, int, bool]]) -> int:
        """Choose a way: an answer, and that x_i - x_j <= c (or == c, `exactly`) is what makes it true."""
        choice = Decision(QUESTION, None, None, ways, self.zone)
        self.seen.questions += 1
        self.trail.append(choice)
        answer: int = self.apply(choice)
        if self.closely:
            self.step()
        return answer
