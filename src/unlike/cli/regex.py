"""`unlike generate --regex PATTERN`: strings as JSON lines or otherwise, what they guarantee on standard error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from unlike.cli.deliver import deliver
from unlike.cli.kinds import InputQuestion
from unlike.cli.progress import progress_shown
from unlike.core import CutShort
from unlike.errors import ScopeError, SpecError, how_many
from unlike.indexed import Listed
from unlike.recipe import recipe_of
from unlike.regex.automaton import Undecided
from unlike.regex.cover import Cover, find_heuristics
from unlike.regex.near_miss import NearMisses, near_misses
from unlike.regex.order import ALL_FAIL, Mix
from unlike.regex.quiet import compile_quietly
from unlike.regex.texts.fullmatch import in_words
from unlike.regex.tree import parse
from unlike.suite import Case, Ending, Status, Suite
from unlike.typed.pattern_texts import DEFAULT_N, PatternTexts, status_of_misses
from unlike.writers.envelope import Envelope, InputCases, Notice, Remark, Unfolding

SHOWN = 20  # of what is undecided
TITLES = {  # of findings that are listed on one line
    "impossible": "no text is derived by",
    "same": "only texts of other choices are derived by",
    "unbreakable": "cannot be broken alone",
}

_FLAGS = {"a": re.ASCII, "i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "u": re.UNICODE, "x": re.VERBOSE}


def run_regex(pattern: str, question: InputQuestion) -> int:
    """Write the strings of a pattern, or their number, or near misses; return the exit code."""
    choice, output, deadline = question.choice, question.output, question.deadline
    parsed = parse(pattern, flags_of(choice.flags))
    if choice.code:
        from unlike.cli.by_code import give_chosen

        return give_chosen([compile_quietly(pattern, flags_of(choice.flags))], question)
    heuristics = find_heuristics(
        choice.heuristic, combine=_combine_of(choice.cover), start=output.seed, unicode=choice.unicode
    )
    mix = mix_of(question)
    most = output.n if output.n or output.every else DEFAULT_N
    try:
        with progress_shown(deadline):
            if mix == ALL_FAIL and (output.n is None or output.count):
                misses = near_misses(parsed, deadline)
                answer: Envelope | Unfolding = answer_of_misses(misses, pattern, count=output.count)
            else:
                cover = Cover(parsed, heuristics, deadline=deadline)
                further = output.n is not None or mix is not None
                strings = Strings(pattern, cover, most, further=further, check=choice.check, mix=mix)
                answer = strings.count() if output.count else Unfolding(strings.each(output.seed), strings.answer)
    except Undecided as error:
        answer = answer_undecided(pattern, Status(Ending.UNKNOWN, str(error)))
    except CutShort as cut:
        answer = answer_undecided(pattern, cut.status)
    return deliver(answer, question.form, output.output)


def mix_of(question: InputQuestion) -> Mix | None:
    """Return which strings are to fail; nothing where none are."""
    choice, output = question.choice, question.output
    if choice.mix is None:
        return ALL_FAIL if choice.invalid else None
    for flag, said in (("--invalid", choice.invalid), ("--all", output.every), ("--count", output.count)):
        if said:
            raise ScopeError(f"--mix and {flag} contradict each other; give one of them")
    return Mix.of(choice.mix)


def answer_undecided(pattern: str, status: Status) -> Envelope:
    """Return the answer for a pattern that is too hard, or took too long."""
    return Envelope(
        status=status,
        counts={"cases": 0},
        contents=InputCases((Suite(pattern, Listed([]), status),), variable="pattern inputs"),
        remarks=(Remark(f"0 strings, {status}"),),
    )


def flags_of(letters: str) -> int:
    """Return the flags of `re` that the letters stand for."""
    flags = 0
    for letter in letters:
        if letter.lower() not in _FLAGS:
            raise SpecError(f"no flag is called {letter!r} in {letters!r}; there are: {', '.join(_FLAGS)}")
        flags |= _FLAGS[letter.lower()]
    return flags


class Strings(PatternTexts):
    """The strings of a pattern, and what is to be said of them when there are no more."""

    __slots__ = ()

    def answer(self, cases: list[Case]) -> Envelope:
        """Return the answer, with the cases that are not written yet."""
        status = self.status
        said = how_many(self.found, "string") if self.mix != ALL_FAIL else near_misses_in_words(self.found)
        findings = [*self._findings(), *(Notice("doubt", doubt) for doubt in self.doubts)]
        remarks = [Remark(f"{said}, {status}")]
        remarks += [Remark(in_words(self.unanswered), is_note=True)] if self.unanswered else []
        remarks += _notes(findings)
        if self.check:
            derived = f"checked: {self.found - len(self.doubts)} of {self.found} labels derived again"
            remarks += [Remark(derived, is_note=True), *(Remark(doubt) for doubt in self.doubts)]
            findings.append(Notice("note", derived))
        return Envelope(
            status=status,
            guarantee=said,
            counts={"cases": self.found} if self.stopped else {"cases": self.found, "choices": self.cover.count()},
            findings=tuple(findings),
            contents=InputCases((Suite(self.pattern, Listed(cases), status, said),), variable="pattern inputs"),
            remarks=tuple(remarks),
        )

    def count(self) -> Envelope:
        """Return the answer to how many there are."""
        number, bound = self.cover.count(), self._words_of_bound()
        status = Status(Ending.UNKNOWN, bound) if bound else Status(Ending.COMPLETE)
        if self.cover.is_settled and self.cover.settled.cut:
            status = self.cover.settled.cut
            bound = f"a lower bound: {status}"
        remarks = (Remark(bound),) if bound else ()
        return Envelope(status=status, number=number, remarks=remarks)

    def _words_of_bound(self) -> str:
        if not self.cover.is_counted:
            return "an upper bound: there are too many choices to settle each of them"
        if self.cover.is_settled and self.cover.settled.undecided:
            return f"a lower bound; undecided: {how_many(len(self.cover.settled.undecided), 'choice')}"
        return ""

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


def _notes(findings: Iterable[Notice]) -> Iterator[Remark]:
    """Yield in few words what became of choices that are not shown, and of rules that are not broken."""
    by_kind: dict[str, list[Notice]] = {}
    for each in findings:
        by_kind.setdefault(each.kind, []).append(each)
    if too_long := by_kind.get("left out"):
        yield Remark(f"left out as too long: {', '.join(each.place for each in too_long)}", is_note=True)
    for kind, title in TITLES.items():
        if labels := [each.place for each in by_kind.get(kind, ())]:
            more = f"; and {len(labels) - 5} more" if len(labels) > 5 else ""
            yield Remark(f"{title}: {'; '.join(labels[:5])}{more}", is_note=True)
    undecided = by_kind.get("undecided", [])
    for each in undecided[:SHOWN]:
        yield Remark(f"undecided: {each.place}: {each.words}", is_note=True)
    if len(undecided) > SHOWN:
        yield Remark(f"undecided: {len(undecided) - SHOWN:,} more", is_note=True)


def near_misses_in_words(count: int) -> str:
    """Return how many near misses there are."""
    return f"{count:,} near miss{'' if count == 1 else 'es'}"


def answer_of_misses(made: NearMisses, pattern: str, *, count: bool = False) -> Envelope:
    """Return the answer for strings that just fail: one for each rule."""
    cases = [Case(recipe_of(each.text), each.rule, str(at), legal=False) for at, each in enumerate(made.found)]
    status = status_of_misses(made)
    said = near_misses_in_words(len(cases))
    ended = Remark(f"{said}, {status}")
    findings = [Notice("unbreakable", "cannot be broken alone", rule) for rule in made.unbreakable]
    findings += [Notice("undecided", why, rule) for rule, why in made.undecided]
    return Envelope(
        status=status,
        guarantee=said,
        counts={"cases": len(cases), "found": len(made.found)},
        findings=tuple(findings),
        contents=InputCases((Suite(pattern, Listed(cases), status, said),), variable="pattern inputs"),
        remarks=(ended, *_notes(findings)) if not count else (ended,) if status.cut_short else (),
        number=len(made.found),
    )


def _combine_of(cover: str | None) -> Literal["each", "pairs", "all"]:
    if cover is None or cover == "all":
        return "all"
    if cover in ("each", "1"):
        return "each"
    if cover in ("pairs", "2"):
        return "pairs"
    raise ScopeError(f"--cover {cover}: the branches of a pattern are combined in pairs, or all of them: pairs, all")
