"""`unlike generate --regex PATTERN`: strings as JSON lines or otherwise, what they guarantee on standard error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from unlike.cli.deliver import deliver, heading
from unlike.cli.kinds import InputQuestion
from unlike.cli.progress import progress_shown
from unlike.core import CutShort
from unlike.errors import SpecError, counted
from unlike.indexed import Listed
from unlike.progress import report
from unlike.recipe import recipe_of
from unlike.regex.automaton import Undecided
from unlike.regex.cover import Cover, find_heuristics
from unlike.regex.near_miss import NearMisses, near_misses
from unlike.regex.texts.fullmatch import in_words
from unlike.regex.tree import parse
from unlike.suite import STOPPED, Case, Ending, Status, Suite, proved
from unlike.writers.answers.envelope import Envelope, InputCases, Notice, Remark, Unfolding

DEFAULT_N = 100
SHOWN = 20  # of what is undecided

_FLAGS = {
    "a": re.ASCII,
    "i": re.IGNORECASE,
    "m": re.MULTILINE,
    "s": re.DOTALL,
    "u": re.UNICODE,
    "x": re.VERBOSE,
}


def run_regex(pattern: str, question: InputQuestion) -> int:
    """Write the strings of a pattern, or their number, or near misses; return the exit code."""
    choice, output, deadline = question.choice, question.output, question.deadline
    parsed = parse(pattern, flags_of(choice.flags))
    heuristics = find_heuristics(choice.heuristic, combine=choice.cover or "all")
    most = output.n if output.n or output.every else DEFAULT_N
    try:
        with progress_shown(deadline):
            if choice.invalid:
                answer: Envelope | Unfolding = answer_of_misses(
                    near_misses(parsed, deadline), output.n, pattern, count=output.count
                )
            else:
                strings = Strings(pattern, Cover(parsed, heuristics, deadline=deadline), most, check=choice.check)
                answer = strings.counted() if output.count else Unfolding(strings.each(output.seed), strings.answer)
    except Undecided as error:
        answer = unanswered(pattern, Status(Ending.UNKNOWN, str(error)))
    except CutShort as cut:
        answer = unanswered(pattern, cut.status)
    return deliver(answer, question.form, output.output)


def unanswered(pattern: str, status: Status) -> Envelope:
    """Return the answer for a pattern that is too hard, or took too long."""
    return Envelope(
        **heading([pattern]),
        status=status,
        counts={"cases": 0},
        contents=InputCases((Suite(pattern, Listed([]), status),), variable="pattern inputs"),
        remarks=(Remark(f"0 strings, {status}", is_status=True),),
    )


def flags_of(letters: str) -> int:
    """Return the flags of `re` that the letters stand for."""
    flags = 0
    for letter in letters:
        if letter.lower() not in _FLAGS:
            raise SpecError(f"no flag is called {letter!r} in {letters!r}; there are: {', '.join(_FLAGS)}")
        flags |= _FLAGS[letter.lower()]
    return flags


@dataclass(slots=True)
class Strings:
    """The strings of a pattern, one after the other, and what is to be said of them when there are no more."""

    pattern: str
    cover: Cover
    n: int | None
    check: bool = False
    found: int = 0
    unanswered: int = 0
    stopped: Status | None = None  # why no more could be looked for
    doubts: list[str] = field(default_factory=list)

    def each(self, seed: int) -> Iterator[Case]:
        """Yield the strings as cases."""
        try:
            for each in self.cover.first(self.n, seed=seed):
                report("spelling", self.found, of=self.n)
                self.unanswered += each.text in self.cover.unanswered
                if self.check and not (self.cover.accepts(each.text) and self.cover.derives(each.choice, each.text)):
                    self.doubts.append(f"{each.text!r} is not derived by {each.label!r}")
                yield Case(recipe_of(each.text), each.label, str(self.found))
                self.found += 1
        except Undecided as error:
            self.stopped = Status(Ending.UNKNOWN, str(error))
        except CutShort as cut:
            self.stopped = cut.status
        except KeyboardInterrupt:
            self.stopped = STOPPED

    def answer(self, cases: list[Case]) -> Envelope:
        """Return the answer, with the cases that are not written yet."""
        status = self.status
        said = counted(self.found, "string")
        findings = [*self._findings(), *(Notice("doubt", doubt) for doubt in self.doubts)]
        remarks = [Remark(f"{said}, {status}", is_status=True)]
        remarks += [Remark(in_words(self.unanswered))] if self.unanswered else []
        remarks += [] if self.stopped else map(Remark, _notes(self.cover))
        if self.check:
            derived = f"checked: {self.found - len(self.doubts)} of {self.found} labels derived again"
            remarks += [Remark(derived), *(Remark(doubt, is_status=True) for doubt in self.doubts)]
            findings.append(Notice("note", derived))
        return Envelope(
            **heading([self.pattern]),
            status=status,
            guarantee=said,
            counts={"cases": self.found} if self.stopped else {"cases": self.found, "choices": self.cover.count()},
            findings=tuple(findings),
            contents=InputCases((Suite(self.pattern, Listed(cases), status, said),), variable="pattern inputs"),
            remarks=tuple(remarks),
        )

    def counted(self) -> Envelope:
        """Return the answer to how many there are."""
        number, bound = self.cover.count(), self._bound()
        status = Status(Ending.UNKNOWN, bound) if bound else Status(Ending.COMPLETE)
        if self.cover.is_settled and self.cover.settled.cut:
            status = self.cover.settled.cut
            bound = f"a lower bound: {status}"
        remarks = (Remark(bound, is_status=True),) if bound else ()
        return Envelope(**heading([self.pattern]), status=status, number=number, remarks=remarks)

    def _bound(self) -> str:
        if not self.cover.is_counted:
            return "an upper bound: there are too many choices to settle each of them"
        if self.cover.is_settled and self.cover.settled.undecided:
            return f"a lower bound: {len(self.cover.settled.undecided):,} choices are undecided"
        return ""

    @property
    def status(self) -> Status:
        """How it ended."""
        cover, found, n = self.cover, self.found, self.n
        if self.stopped:
            return self.stopped
        if cover.is_settled and cover.settled.cut:
            return cover.settled.cut
        if n is not None and found >= n and n < cover.count():
            return Status(Ending.FOUND, f"of {cover.count():,} representatives")
        if cover.complete:
            if found:
                return proved("every choice that has a text is shown")
            return Status(Ending.UNSATISFIABLE, "no text matches the pattern")
        if n is not None and found >= n:
            return Status(Ending.FOUND)
        return Status(Ending.UNKNOWN, cover.pattern.reason or "not every choice could be settled")

    def _findings(self) -> Iterator[Notice]:
        """Yield what became of the choices that are not shown."""
        cover = self.cover
        if self.unanswered:
            yield Notice("unconfirmed", in_words(self.unanswered), times=self.unanswered)
        if self.stopped:
            return
        yield from (Notice("left out", "too long", each) for each in cover.too_long)
        if cover.is_settled:
            yield from (Notice("impossible", "no text is derived", each.label) for each in cover.settled.impossible)
            same = "only texts of other choices are derived"
            yield from (Notice("same", same, each.label) for each in cover.settled.same)
            yield from (Notice("undecided", each.reason, each.label) for each in cover.settled.undecided)


def _notes(cover: Cover) -> Iterator[str]:
    """Yield what became of the choices that are not shown, in few words."""
    if cover.too_long:
        yield f"left out as too long: {', '.join(cover.too_long)}"
    if not cover.is_settled:
        return
    for title, left_out in (
        ("no text is derived by", cover.settled.impossible),
        ("only texts of other choices are derived by", cover.settled.same),
    ):
        if left_out:
            yield f"{title}: {_some([each.label for each in left_out])}"
    yield from _undecided([(each.label, each.reason) for each in cover.settled.undecided])


def _undecided(reasons: list[tuple[str, str]]) -> Iterator[str]:
    for what, why in reasons[:SHOWN]:
        yield f"undecided: {what}: {why}"
    if len(reasons) > SHOWN:
        yield f"undecided: {len(reasons) - SHOWN:,} more"


def _some(labels: list[str]) -> str:
    return "; ".join(labels[:5]) + (f"; and {len(labels) - 5} more" if len(labels) > 5 else "")


def answer_of_misses(made: NearMisses, n: int | None, pattern: str, *, count: bool = False) -> Envelope:
    """Return the answer for strings that just fail."""
    cases = [Case(recipe_of(each.text), each.rule, str(number)) for number, each in enumerate(made.found[:n])]
    if made.cut is not None:
        status = made.cut
    elif len(cases) < len(made.found):
        status = Status(Ending.FOUND, f"of {len(made.found):,} near misses")
    elif made.undecided:
        status = Status(Ending.UNKNOWN, f"{len(made.undecided)} rules are undecided")
    elif not cases:
        status = Status(Ending.UNSATISFIABLE, "no rule can be broken: every text matches")
    else:
        status = proved("one near miss for every rule that can be broken alone")
    said = f"{len(cases)} near miss{'' if len(cases) == 1 else 'es'}"
    notes = [f"cannot be broken alone: {_some(made.unbreakable)}"] if made.unbreakable else []
    notes += _undecided(made.undecided)
    ended = Remark(f"{said}, {status}", is_status=True)
    findings = [Notice("unbreakable", "cannot be broken alone", rule) for rule in made.unbreakable]
    return Envelope(
        **heading([pattern]),
        status=status,
        guarantee=said,
        counts={"cases": len(cases), "found": len(made.found)},
        findings=(*findings, *(Notice("undecided", why, rule) for rule, why in made.undecided)),
        contents=InputCases((Suite(pattern, Listed(cases), status, said),), variable="pattern inputs"),
        remarks=(ended, *map(Remark, notes)) if not count else (ended,) if status.cut_short else (),
        number=len(made.found),
    )
