"""Several solvers as one: what the first cannot answer is asked of the next, in a fixed order.

Effort for a question is counted by each solver, and a solver that gave up often enough is asked no more, so results
repeat. Who had to be stopped by the clock is noted, for then they may not. Whoever is asked later is told everything
that was said before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from unlike.core import FOREVER, Deadline
from unlike.errors import how_many
from unlike.language.terms import Node
from unlike.progress import report_question
from unlike.solvers.base import SOLVERS, Answer, Sat, Unknown, check_solver, is_installed

if TYPE_CHECKING:
    from unlike.solvers.z3 import Conversation

GIVEN_UP = 3  # so many questions may a solver leave open before it is asked no more
Said: TypeAlias = "Callable[[Conversation], None]"


def order_of(solver: str) -> tuple[str, ...]:
    """Return the solvers in the order in which they are asked: the chosen one, then the known ones that are there."""
    check_solver(solver)
    return (solver, *(each for each in SOLVERS if each != solver and is_installed(each)))


@dataclass(slots=True)
class AnswerCount:
    """Who answered how many questions, and who was stopped by the clock."""

    answered: dict[str, int] = field(default_factory=dict)
    clocked: dict[str, None] = field(default_factory=dict)

    def note(self, name: str) -> None:
        """Count an answer."""
        self.answered[name] = self.answered.get(name, 0) + 1
        report_question()

    def __str__(self) -> str:
        said = []
        if self.answered:
            said.append(", ".join(f"{how_many(count, 'answer')} of {name}" for name, count in self.answered.items()))
        if self.clocked:
            names = ", ".join(self.clocked)
            said.append(f"stopped by the clock, so another run may differ: {names}")
        return "; ".join(said)


class Relay:
    """A conversation with the first of some solvers that has an answer."""

    def __init__(
        self,
        names: Sequence[str],
        open_: Callable[[str], Conversation],
        tally: AnswerCount,
        breaks: Callable[[Sat], bool],
    ) -> None:
        self.names = list(names)
        self.open = open_
        self.tally = tally
        self.breaks = breaks
        self.said: list[Said] = []
        self.told: dict[str, int] = {}
        self.talks: dict[str, Conversation] = {}
        self.given_up: dict[str, int] = {}

    def add(self, node: Node) -> None:
        """Assert a term about every input: each solver is told when it is asked."""
        self.said.append(lambda talk: talk.add(node))

    def differ(self, relation: Node | None, found: Mapping[Hashable, object]) -> None:
        """Assert that the next model relates to a found one, and is not equal to it."""
        self.said.append(lambda talk: talk.differ(relation, found))

    def check(self, *, deadline: Deadline = FOREVER, distinct: bool = True) -> Answer:
        """Ask for a model until a solver answers."""
        reasons: list[str] = []
        for name in self.names:
            if self.given_up.get(name, 0) >= GIVEN_UP:
                reasons.append(f"{name} gave up {GIVEN_UP} times")
                continue
            answer = self.talk(name).check(deadline=deadline, distinct=distinct)
            if isinstance(answer, Sat) and distinct and self.breaks(answer):
                answer = Unknown(f"{name} gave a model that breaks the spec")
            if not isinstance(answer, Unknown):
                self.tally.note(name)
                return answer
            if answer.timeout:
                return answer
            if answer.clocked:
                self.tally.clocked[name] = None
            self.given_up[name] = self.given_up.get(name, 0) + 1
            reasons.append(answer.reason)
        return Unknown("; ".join(reasons))

    def wish(self, nodes: Sequence[Node], *, deadline: Deadline = FOREVER) -> Answer:
        """Ask the first solver for a model for which these terms hold, too; no other is troubled with it."""
        name = self.names[0]
        if self.given_up.get(name, 0) >= GIVEN_UP:
            return Unknown(f"{name} gave up {GIVEN_UP} times")
        answer = self.talk(name).wish(nodes, deadline=deadline)
        if isinstance(answer, Sat) and self.breaks(answer):
            return Unknown(f"{name} gave a model that breaks the spec")
        if isinstance(answer, Unknown) and answer.clocked:
            self.tally.clocked[name] = None
        elif not isinstance(answer, Unknown):
            self.tally.note(name)
        return answer

    def talk(self, name: str) -> Conversation:
        """Return the conversation with a solver, told everything so far."""
        talk = self.talks.get(name) or self.talks.setdefault(name, self.open(name))
        for said in self.said[self.told.get(name, 0) :]:
            said(talk)
        self.told[name] = len(self.said)
        return talk

    def close(self) -> None:
        """End all conversations, and let go of them: what a solver holds is large, and no collector knows it."""
        for talk in self.talks.values():
            talk.close()
        self.talks.clear()
