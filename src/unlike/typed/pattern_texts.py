"""The strings of a pattern as cases, in the order of the command line, with others that just fail if asked for."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from unlike.core import CutShort, Deadline
from unlike.errors import how_many
from unlike.indexed import Listed
from unlike.language.differences import CoverRegex, Never
from unlike.language.spec import Spec
from unlike.progress import report
from unlike.recipe import recipe_of
from unlike.regex.automaton import Undecided
from unlike.regex.cover import Cover, Representative, find_heuristics
from unlike.regex.further import count_texts
from unlike.regex.near_miss import NearMiss, NearMisses, near_misses
from unlike.regex.order import ALL_FAIL, Mix, OrderedTexts, ordered_misses
from unlike.regex.tree import parse
from unlike.suite import STOPPED, Case, Ending, Status, Suite, proof_of
from unlike.typed.mixed import check_number_of_mix

if TYPE_CHECKING:
    from unlike.structure.shapes import Shape
    from unlike.typed.conditions import HowMany
    from unlike.types.markers import Matching

DEFAULT_N = 100  # strings, where nobody says how many
EVERY_TEXT_MATCHES = Status(Ending.UNSATISFIABLE, "no rule can be broken: every text matches")


@dataclass(slots=True)
class PatternTexts:
    """The strings of a pattern, one after the other, where asked for with others that just fail; and how they ended."""

    pattern: str
    cover: Cover
    n: int | None
    further: bool = False  # whether more are wanted than the choices give
    check: bool = False
    mix: Mix | None = None  # which of them just fail
    longest: int | None = None  # characters of one that matches, where more are not legal
    found: int = 0
    failing: int = 0  # of those found
    all_there_are: bool = False  # counted, and given
    beyond: str = ""  # why nothing is known of strings beyond the choices
    unanswered: int = 0
    stopped: Status | None = None  # why no more could be looked for
    doubts: list[str] = field(default_factory=list)
    order: OrderedTexts | None = None  # what those that match come from

    def each(self, seed: int) -> Iterator[Case]:
        """Yield the strings as cases, where asked for with others that just fail."""
        fitting = (each for each in self.legal(seed) if self.longest is None or len(each.text) <= self.longest)
        legal, failing = fitting, ordered_misses(self.cover, seed)
        try:
            for position in itertools.count() if self.n is None else range(self.n):
                report("spelling", self.found, of=self.n)
                fails = self.mix is not None and self.mix.fails(position)
                made: Representative | NearMiss | None = next(failing if fails else legal, None)
                if made is None and self.mix not in (None, ALL_FAIL):  # those of the other kind make up the number
                    made = next(legal if fails else failing, None)
                if made is None:
                    break
                yield self.case_of(made)
            self.see_whether_all()
        except Undecided as error:
            self.stopped = Status(Ending.UNKNOWN, str(error))
        except CutShort as cut:
            self.stopped = cut.status
        except KeyboardInterrupt:
            self.stopped = STOPPED

    def case_of(self, made: Representative | NearMiss) -> Case:
        """Return a string as a case, counted."""
        number = str(self.found)
        self.found += 1
        if isinstance(made, NearMiss):
            self.failing += 1
            return Case(recipe_of(made.text), made.rule, number, legal=False)
        return Case(recipe_of(made.text), made.label, number)

    def legal(self, seed: int) -> Iterator[Representative]:
        """Yield strings that match: those that show the choices, then others where more are wanted."""
        self.order = order = OrderedTexts(self.cover, seed, shares=True)
        for each in order.of_choices():
            self.unanswered += each.text in self.cover.unanswered
            if self.check and not (self.cover.accepts(each.text) and self.cover.derives(each.choice, each.text)):
                self.doubts.append(f"{each.text!r} is not derived by {each.label!r}")
            yield each
        if self.further:
            yield from (Representative(text, "", -1) for text in order.further())
            yield from (Representative(text, "", -1) for text in self.list_rest(order))

    def list_rest(self, order: OrderedTexts) -> Iterator[str]:
        """Yield all strings that are left, as far as they can be listed."""
        try:
            total = count_texts(self.cover.pattern, self.cover.deadline)
        except Undecided as error:
            self.beyond = str(error)
            return
        if len(order.given) != total:
            for text in order.list_rest():
                yield text
                if len(order.given) == total:
                    return

    def see_whether_all(self) -> None:
        """Count the strings of the pattern, where those found may be all."""
        if self.further and not self.beyond and self.found - self.failing >= self.cover.count():
            try:
                total = count_texts(self.cover.pattern, self.cover.deadline)
            except Undecided as error:
                self.beyond = str(error)
            else:
                self.all_there_are = self.found - self.failing == total

    @property
    def status(self) -> Status:
        """How it ended."""
        cover, found, n = self.cover, self.found, self.n
        if self.stopped:
            return self.stopped
        if self.mix == ALL_FAIL:
            return self._status_of_failing()
        if cover.is_settled and cover.settled.cut:
            return cover.settled.cut
        if self.mix is not None:
            return self._status_of_mixed()
        if self.all_there_are:
            return Status(Ending.COMPLETE, f"all {found:,} strings of the pattern")
        shown = self.order is not None and len(self.order.shown) >= cover.count()  # every choice
        if self.further and n is not None and found >= n > cover.count() and shown:
            every = ", every one that has a text (proved)" if cover.complete else ""
            return Status(Ending.FOUND, f"{how_many(cover.count(), 'choice')} shown first{every}, then further strings")
        if n is not None and found >= n and not shown:
            return Status(Ending.FOUND, f"of {_short_count(cover.count())} representatives")
        if cover.complete:
            if found:
                unknown = f"; whether more strings exist is not known: {self.beyond}" if self.beyond else ""
                return proof_of(f"every choice that has a text is shown{unknown}")
            return Status(Ending.UNSATISFIABLE, "no text matches the pattern")
        if n is not None and found >= n:
            return Status(Ending.FOUND)
        return Status(Ending.UNKNOWN, cover.pattern.reason or "not every choice could be settled")

    def _status_of_failing(self) -> Status:
        """How it ended where all are to fail."""
        if self.n is not None and self.found >= self.n:
            return Status(Ending.FOUND)
        if not self.found and status_of_misses(near_misses(self.cover.pattern)).ending is Ending.UNSATISFIABLE:
            return EVERY_TEXT_MATCHES
        return Status(Ending.UNKNOWN, "no further text that just fails was found")

    def _status_of_mixed(self) -> Status:
        """How it ended where some are to fail."""
        said = f"{self.found - self.failing:,} match, {self.failing:,} just fail"
        if self.all_there_are:
            said += "; no more match (proved)"
        if self.n is not None and self.found >= self.n:
            return Status(Ending.FOUND, said)
        return Status(Ending.UNKNOWN, f"{said}; no further ones were found")


def status_of_misses(made: NearMisses) -> Status:
    """Return how the search for one near miss per rule ended."""
    if made.cut is not None:
        return made.cut
    if made.undecided:
        return Status(Ending.UNKNOWN, f"undecided: {how_many(len(made.undecided), 'rule')}")
    return proof_of("one near miss for every rule that can be broken alone") if made.found else EVERY_TEXT_MATCHES


class OnePattern(NamedTuple):
    """A space that is one string of a pattern; `name` is the blank it fills, if there is one."""

    pattern: str
    flags: int = 0
    unicode: bool = False
    name: str | None = None
    longest: int | None = None


def pattern_alone(space: object) -> OnePattern | None:
    """Return the pattern that is all a space says; nothing if it says anything else."""
    from unlike.documents.json_schema.document import JsonSchema  # who gives a pattern itself loads no types
    from unlike.types.choices import shape_of

    if is_matching(space):
        return OnePattern(space.pattern, space.flags, space.unicode)
    if isinstance(space, JsonSchema):
        return None
    if isinstance(space, Spec) and space.typed is None:
        alone = None if space.assertions else pattern_alone(space.blanks)
        return alone if alone is not None and _says_no_more(space.difference, alone) else None
    return _pattern_of(shape_of(space))


def is_matching(space: object) -> TypeGuard[Matching]:
    """Say whether a space is `Matching(PATTERN)`; who has one has loaded its module, and nobody else needs it."""
    markers = sys.modules.get("unlike.types.markers")
    return markers is not None and isinstance(space, markers.Matching)


def _pattern_of(shape: Shape) -> OnePattern | None:
    from unlike.structure.shapes import Build, Field, NamedFields, Texts

    match shape:
        case Texts(str(pattern), 0, most, flags, "str", ("pattern",), unicode):
            return OnePattern(pattern, flags, unicode, longest=most)
        case NamedFields((Field(name, inner),), Build("dict")):
            alone = _pattern_of(inner)
            return None if alone is None or alone.name else alone._replace(name=name)
    return None


def _says_no_more(difference: object, alone: OnePattern) -> bool:
    """Say whether a difference asks for no more than other strings of the pattern, as the order of its texts does."""
    if isinstance(difference, CoverRegex):
        said = OnePattern(difference.pattern, difference.flags, difference.unicode, alone.name, alone.longest)
        return said == alone and difference.heuristic == "default"
    return isinstance(difference, Never)


def texts_of_pattern(alone: OnePattern, n: HowMany, mix: Mix | None, seed: int, deadline: Deadline) -> Suite:
    """Return the strings that `unlike generate --regex PATTERN -n N` writes, with `--mix` some that just fail."""
    if mix not in (None, ALL_FAIL):
        check_number_of_mix(n)
    parsed = parse(alone.pattern, alone.flags)
    if mix == ALL_FAIL and n is None:
        misses = near_misses(parsed, deadline)
        cases = [Case(recipe_of(each.text), each.rule, str(at), legal=False) for at, each in enumerate(misses.found)]
        status = status_of_misses(misses)
    else:
        heuristics = find_heuristics("default", start=seed, unicode=alone.unicode)
        cover = Cover(parsed, heuristics, deadline=deadline)
        most = DEFAULT_N if n is None else n if isinstance(n, int) else None
        further = isinstance(n, int)
        texts = PatternTexts(alone.pattern, cover, most, further=further, mix=mix, longest=alone.longest)
        cases = list(texts.each(seed))
        status = texts.status
    if alone.name is not None:
        cases = [replace(case, recipe=recipe_of({alone.name: case.recipe.result})) for case in cases]
    return Suite(alone.pattern, Listed(cases), status, f"{how_many(len(cases), 'string')}, {status}")


def _short_count(count: int) -> str:
    """Return how many there are; of numbers that nobody reads, how many digits they have at least."""
    return f"{count:,}" if count < 10**30 else f"more than 10^{(count.bit_length() - 1) * 3 // 10}"
