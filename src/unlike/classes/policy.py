"""Which calls a search makes, how far it goes, what is written down of it, and what its claim rests upon."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from unlike.classes.api import Api, Kind, Operation
from unlike.classes.evidence import Evidence, Options
from unlike.classes.frontier import Levels, StateFrontier, WorkUnit
from unlike.classes.set_order import has_sets
from unlike.classes.workbench import Workbench
from unlike.core import CutShort
from unlike.heap.layout import CANNOT_BE_SEEN
from unlike.suite import Ending, Status

if TYPE_CHECKING:
    from unlike.classes.caller import ObjectCaller

UNTIED = "as long as only one of several objects that share parts is called"
MOST_NAMED = 8  # operations that a proof names


@dataclass(slots=True)
class SearchPolicy:
    """The usual one: every call on every state, level by level. `names` are the operations that may be called."""

    names: frozenset[str] | None = field(default=None, kw_only=True)
    most_calls: float = field(default=math.inf, kw_only=True)
    sees_calls: ClassVar[bool] = False  # each call is to be noted, so none is left to the walker

    @property
    def is_usual(self) -> bool:
        """Whether units may be done apart from each other, in several processes, and with values left open."""
        return type(self) is SearchPolicy and self.names is None

    def begin(self, options: Options) -> Self:
        """Return the policy of one search."""
        del options
        return replace(self)

    def restrict_api(self, api: Api) -> Api:
        """Return the Api with the operations that may be called."""
        if self.names is None:
            return api
        kept = tuple(each for each in api.operations if name_of(each) in self.names)
        return replace(api, operations=kept, templates=tuple(each for each in api.templates if each.operation in kept))

    # -- which calls ----------------------------------------------------------------------------------

    def has_level(self, frontier: Levels) -> bool:
        """Tell whether there is work on this level."""
        if not frontier.has_more():
            return False
        most = frontier.scope.calls
        if most is not None and frontier.level >= most:
            raise CutShort(Status(Ending.COMPLETE, f"all sequences of at most {most} calls"))
        return True

    def units(self, frontier: StateFrontier) -> Iterator[WorkUnit]:
        """Yield the work of the level that is not done yet."""
        return itertools.islice(frontier.units(), frontier.done, None)

    def end_level(self, frontier: StateFrontier) -> None:
        """Look for fields that grow without end in a few of the level's new states."""
        if not frontier.level or frontier.first == len(frontier):
            return
        for state in frontier.sample():
            frontier.growth.see(state)
        if endless := frontier.growth.end_level():
            raise CutShort(Status(Ending.UNKNOWN, endless))

    @property
    def position(self) -> Any:
        """Where it stands, beyond what the frontier says."""
        return None

    @position.setter
    def position(self, position: Any) -> None:
        """Go on from there."""

    # -- how far --------------------------------------------------------------------------------------

    def out_of_time(self, frontier: Levels, options: Options) -> Status:
        """Return the status of a search whose time is used up."""
        deadline = options.deadline
        return deadline.status(f"{deadline.seconds or 0:g} s; {frontier.growth.hint()}".rstrip("; "))

    # -- what is written down -------------------------------------------------------------------------

    def new_notes(self, api: Api) -> Any:
        """Return where to write down what is beyond the evidence."""
        del api
        return None

    def note(self, caller: ObjectCaller, bench: Workbench, *came_to: Any) -> None:
        """Note what a call came to: "returned", result; "raised", error, changed; or "found", roots, roles, key."""


def name_of(operation: Operation) -> str:
    """Return a name no other operation of an Api has: `Cart.add`, `Cart`, `Cart.size =`, `del Cart.size`."""
    if operation.kind is Kind.SETTER:
        return f"{operation.title} ="
    return f"del {operation.title}" if operation.kind is Kind.DELETER else operation.title


def conclude(status: Status, api: Api, evidence: Evidence, *, set_order: bool = False) -> Status:
    """Return the status of a search that is over, with what its claim rests upon.

    Where a call led to another state when it was made again nothing is proved: it may lead to yet another.
    """
    if status.ending is Ending.COMPLETE and api.guesses.cut is not None:
        return api.guesses.cut
    is_complete, unsteady, lost = status.ending is Ending.COMPLETE, evidence.unsteady, evidence.lost
    if is_complete and (erratic := sorted(title for title, states_differ in unsteady.items() if states_differ)):
        return Status(Ending.UNKNOWN, f"{', '.join(erratic)} led to another state when it was called again")
    unsettled = [title for title, is_steady in evidence.by_passed.items() if not is_steady]
    if is_complete and (evidence.by_order or unsettled):
        titles = ", ".join(sorted({*evidence.by_order, *unsettled}))
        steady = all(evidence.by_order.values()) and not unsettled
        often = "is not part of a state" if steady else "differs from run to run"
        return Status(Ending.UNKNOWN, f"what {titles} does depends on the order of a set, which {often}")
    if is_complete and (hidden := [reason for reason in evidence.outside if CANNOT_BE_SEEN in reason]):
        return Status(Ending.UNKNOWN, f"calls led to objects that cannot be looked into: {hidden[0]}")
    if lost and not status.cut_short:
        causes = ", ".join(dict.fromkeys(fault.cause for fault in lost))
        detail = f"{len(lost)} objects could not be made again ({causes}), and not all was called on them"
        return Status(Ending.UNKNOWN, detail)
    if not is_complete:
        return status
    provisos = [status.detail] if status.detail else []
    if refused := dict.fromkeys((*(each.title for each in api.refusals), *api.uncalled)):
        provisos.append(f"by the operations that were called; not called: {list_some(list(refused))}")
    if api.remarks:
        provisos.append(f"passing {list_some(api.remarks)}")
    provisos += evidence.compared
    provisos += _about_sets(api, evidence, set_order=set_order)
    if evidence.ties:
        verb = "makes" if len(evidence.ties) == 1 else "make"
        provisos.append(f"{UNTIED}; {', '.join(evidence.ties)} {verb} them share parts")
    if unsteady:
        seen = (
            "does nothing but what it was seen to do" if len(unsteady) == 1 else "do nothing but what they were seen to"
        )
        provisos.append(f"provided that {', '.join(sorted(unsteady))} {seen}")
    if evidence.leaks:
        provisos.append(f"provided that nothing depends on {', '.join(evidence.leaks)}, which calls change")
    return Status(Ending.COMPLETE, "; ".join(provisos))


def _about_sets(api: Api, evidence: Evidence, *, set_order: bool) -> list[str]:
    """Return what a proof takes the order of sets for."""
    if set_order:
        said = ["counting sets that go in another order apart, and provided that nothing else of a set shows"]
        passed = any(has_sets([*each.args, *(value for _, value in each.kwargs)]) for each in api.templates)
        return [*said, "passing each set in one order"] if passed else said
    said, through = [], evidence.through_sets.keys() - evidence.by_passed
    if through or evidence.untried_sets:
        titles = f" ({', '.join(sorted(through))})" if through else ""
        said.append(f"provided that nothing depends on the order of sets{titles}")
    return [*said, "passing each set in one order"] if evidence.by_passed else said


def list_some(titles: Sequence[str]) -> str:
    """Return the names, or the first of very many and how many more there are."""
    if len(titles) <= MOST_NAMED:
        return ", ".join(titles)
    return f"{', '.join(titles[:MOST_NAMED])} and {len(titles) - MOST_NAMED} more"
