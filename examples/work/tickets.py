"""The life of a ticket, for whatever shows its history and lets people move it on.

A ticket is new first. Then it moves as MOVES allows: it is opened, waits for somebody, is solved, closed, and now and
then opened again. Its history has one to six states. A ticket has a solution if it is solved or closed at the end, and
somebody owns it unless it is still new.

Two tickets differ in the state at the end, in how long their history is, or in whether they were opened again.

What it guarantees: histories without a forbidden move that end in every state, short and long, with and without a
return.
"""

from enum import Enum

from unlike import List, OneOf, Option, Spec, Str, different_lengths, differs_by, implies, or_


class State(Enum):
    """Where a ticket stands."""

    NEW = "new"
    OPEN = "open"
    WAITING = "waiting"
    SOLVED = "solved"
    CLOSED = "closed"


MOVES = [
    (State.NEW, State.OPEN),
    (State.NEW, State.CLOSED),
    (State.OPEN, State.WAITING),
    (State.OPEN, State.SOLVED),
    (State.WAITING, State.OPEN),
    (State.SOLVED, State.OPEN),
    (State.SOLVED, State.CLOSED),
]
MOST = 6


def moves_as_allowed(history):
    """Hold if the history begins with a new ticket and makes allowed moves only."""
    holds = history[0] == State.NEW
    for place in range(MOST - 1):
        moves = or_(*((history[place] == before) & (history[place + 1] == after) for before, after in MOVES))
        holds = holds & implies(history.length > place + 1, moves)
    return holds


tickets = Spec(
    {
        "title": Str(r"[A-Z][a-z]{2,9}( [a-z]{2,9}){1,3}"),
        "history": List(OneOf(State), 1, MOST),
        "owner": Option(OneOf("Ada", "Ben", "Cem")),
        "solution": Option(Str(r"[A-Z][a-z]+( [a-z]+){0,4}\.")),
    },
    where=[
        moves_as_allowed,
        lambda history, solution: solution.present == history[-1].is_in([State.SOLVED, State.CLOSED]),
        lambda history, owner: owner.present == (history[-1] != State.NEW),
    ],
    different=[
        differs_by(lambda history: history[-1]),
        different_lengths("history"),
        differs_by(lambda history: history.some(lambda state: state == State.SOLVED) & (history[-1] == State.OPEN)),
    ],
    name="tickets",
    n=20,
)
