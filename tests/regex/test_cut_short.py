"""No loop over a pattern goes on after its deadline: automata, counting, products, matching, near misses."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest

from unlike.core import CutShort, Deadline
from unlike.regex import match
from unlike.regex.automaton import Automaton
from unlike.regex.couple import wholes_of
from unlike.regex.cover import Cover
from unlike.regex.further import count_texts, further_texts
from unlike.regex.language import Language
from unlike.regex.machine import Undecided
from unlike.regex.near_miss import near_misses
from unlike.regex.several import parts_of
from unlike.regex.texts.construct import candidates
from unlike.regex.tree import Repeat, parse

OVER = Deadline(time.monotonic() - 1, 1)
PATTERN = parse(r"(a|b)*a(a|b){9}")
SECONDS = 0.2
MOST = SECONDS * 1.1 + 1

# each of them took three to fifteen seconds, in one step of a loop that looked at the clock
LONG = [
    r"(?:(?:(?=[\w-])){0,2000}){0,}",
    r"(?!(?:(?:\w){20,50}(?![a-z])){1,2001})",
    r"(?:b|x)(?:é){5,}(?=é)(?:.\W){0,300}(?:\Wx){1,}(?=(?:(?=é)){20,320})(?:(?:(?![\w-])){2,5}){1,301}",
    r"(?:(?:(?:\S[a-z]\w){1,}){5,2005}|.|(?!(?:(?<=b)){5,35})|(?i:é))",
    r"(?:(?=(?!\W))|(?:(?:\S){5,6}){2,2002}|(?:(?:(?i:é)){1,31}(?!\W)){0,300}|\w|(?=\w\S\W[\w-]?\b(?:[a-z]){1,2001}))",
    r"(?:x.|.\dx\W\W|(?:x){20,2020})(?:.){2,32}\W(?:[^a]\Sbb|(?:\S){5,8}|$|(?:\S){0,300}|b)(?:(?:\w){20,50}){0,}",
    r"(.*a.{9}|.*b.{10}|.*c.{8})+",
]


def late() -> Automaton:
    """Return an automaton that was made in time."""
    made = Automaton.of(PATTERN)
    made.deadline = OVER
    return made


OTHER = Automaton.of(parse(r"[a-c]{2,8}"))


@pytest.mark.parametrize(
    "work",
    [
        lambda: Automaton.of(PATTERN, deadline=OVER),
        lambda: Automaton.of(parse("(?:){1000000000}a{2}"), deadline=OVER),
        lambda: late().count(40),
        lambda: late().lengths(40),
        lambda: late().total() or late().count(40),
        lambda: next(late().texts(20)),
        lambda: late().intersect(OTHER),
        lambda: OTHER.intersect(late()),
        lambda: OTHER.difference(late()),
        lambda: OTHER.unite(late()),
        lambda: OTHER.concatenate(late()),
        lambda: late().concatenate(OTHER),
        lambda: late().readable().count(40),
        lambda: parts_of(late(), "part"),
        lambda: wholes_of(late(), "part"),
        lambda: Language(late(), 0, 40),
        lambda: match.matches(PATTERN, "ab" * 600, OVER),
        lambda: match.derives(PATTERN, Cover(PATTERN).derivation(0), "ab" * 600, deadline=OVER),
        lambda: Cover(PATTERN).within(0, deadline=OVER),
        lambda: Cover(PATTERN, deadline=OVER).within(0),
        lambda: count_texts(PATTERN, OVER),
        lambda: next(further_texts(PATTERN, deadline=OVER)),
    ],
)
def test_what_comes_after_the_deadline_is_not_done(work: Callable[[], object]) -> None:
    with pytest.raises(CutShort, match="the limit of 1 s"):
        work()


def test_what_was_counted_before_the_end_of_the_time_stays_right() -> None:
    counted, cut = Automaton.of(PATTERN), Automaton.of(PATTERN)
    assert cut.count(12) == counted.count(12)
    cut.deadline = OVER
    with pytest.raises(CutShort):
        cut.count(30)
    cut.deadline = Deadline()

    assert cut.count(30) == counted.count(30) > 0


def cover_all(pattern: str, deadline: Deadline) -> None:
    for _ in Cover(pattern, deadline=deadline).first():
        pass


def do_sums(pattern: str, deadline: Deadline) -> None:
    made = Automaton.of(parse(pattern), deadline=deadline)
    others = Automaton.everything().difference(made)
    both = others.concatenate(OTHER).intersect(made.concatenate(OTHER)).unite(made)
    both.total()
    both.readable().count(2_000)


def miss(pattern: str, deadline: Deadline) -> None:
    near_misses(parse(pattern), deadline)


@pytest.mark.parametrize("work", [cover_all, do_sums, miss])
@pytest.mark.parametrize("pattern", LONG)
def test_patterns_that_take_long_end_in_time(work: Callable[[str, Deadline], None], pattern: str) -> None:
    began = time.process_time()
    with contextlib.suppress(CutShort, Undecided):
        work(pattern, Deadline.of(SECONDS))

    assert time.process_time() - began <= MOST


def test_a_repetition_of_nothing_is_counted_although_it_adds_no_characters():
    look = parse("(?=a)").root

    assert list(candidates(Repeat(look, 4294967294, None))) == []
