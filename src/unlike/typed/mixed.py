"""Legal inputs of a type or a schema together with inputs that break one rule each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from unlike.errors import ScopeError
from unlike.indexed import Listed
from unlike.regex.order import Mix
from unlike.suite import Case, Ending, Status, Suite

if TYPE_CHECKING:
    from unlike.typed.conditions import HowMany


@dataclass(frozen=True, slots=True)
class MixedCases:
    """Cases of two suites in an order: of each place whether it is a legal one, and its index."""

    legal: Suite
    broken: Suite
    order: tuple[tuple[bool, int], ...]

    def count(self) -> int:
        """Return how many cases there are."""
        return len(self.order)

    def at(self, index: int) -> Case:
        """Return the case at the index."""
        is_legal, place = self.order[index]
        case: Case = (self.legal if is_legal else self.broken)[place]
        return replace(case, id=str(index), legal=is_legal)


def mix_of(said: object) -> Mix:
    """Return the mix that was asked for: True for the usual one, or the share that breaks a rule."""
    if said is True:
        return Mix()
    if isinstance(said, bool) or not isinstance(said, int | float | Fraction):
        raise ScopeError(f"mix={said!r} must be True, or the share of inputs that break a rule: mix=0.25")
    return Mix.of(str(said))


def check_number_of_mix(n: HowMany) -> int:
    """Return the number of inputs; refuse any other word."""
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise ScopeError(f"n={n!r}: a mix of legal inputs and others needs a number of them (n=20, -n 20)")
    return n


def mix_suites(n: HowMany, mix: Mix, make_legal: Callable[[int], Suite], make_broken: Callable[[int], Suite]) -> Suite:
    """Return exactly n inputs, if there are so many; where one kind is used up, the other makes up the number."""
    number = check_number_of_mix(n)
    wanted = [mix.fails(position) for position in range(number)]
    if all(wanted):  # every one is to break a rule
        return make_broken(number)
    nothing: Listed[Case] = Listed(())
    broken = make_broken(sum(wanted)) if any(wanted) else Suite("", nothing, Status(Ending.FOUND), "")
    legal = make_legal(number - len(broken))
    if len(legal) + len(broken) < number:
        broken = make_broken(number - len(legal))
    order: list[tuple[bool, int]] = []
    taken = {True: 0, False: 0}
    there = {True: len(legal), False: len(broken)}
    for fails in wanted:
        kind = not fails if taken[not fails] < there[not fails] else fails
        if taken[kind] < there[kind]:
            order.append((kind, taken[kind]))
            taken[kind] += 1
    missing = sum(wanted) - taken[False]
    too_few = f"{missing} fewer than asked for break a rule: no further ones were found" if missing > 0 else ""
    status = Status(Ending.FOUND, too_few) if len(order) == number else legal.status
    guarantee = f"{taken[True]} of {len(order)} inputs are legal: {legal.guarantee}; {taken[False]} break one rule each"
    return Suite(legal.name, MixedCases(legal, broken, tuple(order)), status, guarantee, legal.explanation)
