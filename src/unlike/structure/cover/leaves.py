"""From a leaf to its choices: the options that may be combined, and the values that must appear for each.

An option is what enters pairs: a constant, a branch of a pattern. Bounds, lengths and repetition lengths are
samples of an option: each is shown once, and enters no pairs.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import Literal, NamedTuple, TypeAlias

from unlike.core import FOREVER, Deadline
from unlike.errors import SpecError
from unlike.foreign import without_address
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.cover import Combination, Cover, Representative, find_heuristics
from unlike.regex.language import Language, printable
from unlike.regex.order import draw_texts
from unlike.structure.cover.codes import (
    ANY_VALUE,
    bounds_of,
    codes_of,
    count_values,
    is_whole,
    lines_of,
    numbers_mentioned,
)
from unlike.structure.cover.streams import HUGE, Narrow, Stream
from unlike.structure.mentioned import Mentioned
from unlike.structure.shapes import Check, Constants, Leaf, Numbers, Texts, first_failed

Strength: TypeAlias = Literal["each", "pairs", "all"]
TRIED = 2_000  # so many values in a row may fail the checks of a leaf before it counts as used up
LONGEST = 2_000  # longer texts are left out, and reported
FURTHER = 200  # further values, beyond what must appear, are at most this long
MOST_SOUGHT = 300  # texts in a row of other options, before no more of this one are looked for
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
MIXTURE = "aB1#cD2@eF3-gH4_iJ5.kL6 mN7+oP8/qR9:"


class Sample(NamedTuple):
    """What must appear: in words (none: nothing but its option), the value that shows it best, and all that show it.

    "longest" of a text of 4 to 12 characters is abcdefghijkl, or any other of the 12: it is missing only where all of
    these are refused. `holds` tells of a value from elsewhere whether it shows the same; `length` says it as a number.
    """

    word: str
    value: object
    others: Stream | None = None  # every value that shows it, where there is more than one
    holds: Callable[[object], bool] | None = None
    length: int | None = None

    def count_values(self) -> int:
        """Return how many values show it, at most."""
        return 1 if self.others is None else self.others.size()


@dataclass(frozen=True, slots=True)
class LeafOption:
    """One option of a leaf: the samples that must appear, its values, and how many there are at most.

    It is not `whole` where there are more values than those: texts that nobody can print, numbers with more digits.
    """

    word: str
    samples: tuple[Sample, ...]
    values: Stream
    count: int
    pairs: bool = True
    whole: bool = True


@dataclass(slots=True)
class LeafChoices:
    """The options of a leaf, and what was found to have no value, with the reason."""

    options: list[LeafOption] = field(default_factory=list)
    impossible: list[tuple[str, str]] = field(default_factory=list)
    undecided: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)


def choices_of(
    leaf: Leaf, strength: Strength, checks: tuple[Check, ...] = (), deadline: Deadline = FOREVER
) -> LeafChoices:
    """Return the options of a leaf whose values pass the checks."""
    match leaf:
        case Constants(values, paired=True):
            listed = values[: leaf.single]
            found = LeafChoices(list(map(_only, show_constants(listed), listed)))
            if rest := values[leaf.single :] if leaf.single is not None else ():
                found.options.append(LeafOption(leaf.others, (Sample("", rest[0]),), Stream(iter(rest)), len(rest)))
            if leaf.unlisted:
                found.left_out.append((leaf.others, f"{leaf.unlisted:,} more exist than are listed"))
        case Constants(values):
            samples = tuple(map(Sample, show_constants(values), values))
            found = LeafChoices([LeafOption("", samples, Stream(iter(values)), len(values))] if values else [])
        case Numbers():
            found = _numbers(leaf)
        case Texts(None):
            found = _free_texts(leaf)
        case Texts():
            found = _texts(leaf, strength, deadline)
    return _filter_options(found, checks) if checks else found


def show_constants(values: Iterable[object]) -> list[str]:
    """Return constants in words; objects that show nothing of themselves are counted."""
    seen: dict[str, int] = {}
    found = []
    for value in values:
        word = show_constant(value)
        if word.endswith(" object>"):
            seen[word] = seen.get(word, 0) + 1
            word = f"{type(value).__name__} #{seen[word]}"
        found.append(word)
    return found


def show_constant(value: object) -> str:
    """Return a constant in words."""
    if isinstance(value, type):
        return value.__name__
    name = getattr(value, "name", None)
    if name is None and isinstance(value, enum.Flag):  # nothing set, or bits without a name
        return f"{type(value).__name__}({value.value!r})"
    return name if isinstance(name, str) and not isinstance(value, FilePath) else without_address(repr(value))


def _only(word: str, value: object) -> LeafOption:
    return LeafOption(word, (Sample("", value),), Stream(iter((value,))), 1)


# -- numbers ---------------------------------------------------------------------------------------------------


def _numbers(leaf: Numbers) -> LeafChoices:
    if not leaf.count():
        return LeafChoices([], [("any value", "the bounds leave none")])
    at, whole, count = leaf.line.value, is_whole(leaf), count_values(leaf)

    def every() -> Iterator[object]:
        codes = ((line, code) for line in lines_of(leaf) for code in codes_of(line))
        return itertools.islice(
            _distinct(line.line.value(code) for line, code in codes if line.has_value(code)), min(count, sys.maxsize)
        )

    plain = Stream(every(), lambda: count if whole else HUGE)
    samples = _without_repeats(
        Sample(word, at(code), plain, lambda _: True) if word == ANY_VALUE else Sample(word, at(code))
        for word, code in bounds_of(leaf)
        if leaf.has_value(code)
    )
    stream = _distinct(itertools.chain((each.value for each in samples), every()))
    mentioned = functools.partial(numbers_mentioned, leaf)
    return LeafChoices([LeafOption("", samples, Stream(stream, narrow=mentioned), count, whole=whole)])


# -- strings ---------------------------------------------------------------------------------------------------


def _free_texts(leaf: Texts) -> LeafChoices:
    if leaf.least > leaf.most:
        return LeafChoices([], [("any value", "the lengths leave none")])
    if leaf.least > LONGEST:
        raise SpecError(
            f"a text of at least {leaf.least:,} characters is longer than the most that is made, {LONGEST:,}"
        )
    make = _maker(leaf)
    lengths = list(_lengths(leaf))
    samples = _without_repeats(_of_length(word, length, make) for word, length in lengths if length <= LONGEST)
    language = printable(leaf.least, min(leaf.most, max(leaf.least, FURTHER)))
    stream = _distinct(itertools.chain((each.value for each in samples), map(make, language.in_turns())))
    count = language.count() if leaf.most <= FURTHER else HUGE
    left_out = [(word, _too_long(length)) for word, length in lengths if length > LONGEST]
    further = language if "longest" in leaf.stated else printable(leaf.least, max(leaf.least, FURTHER))
    values = Stream(stream, narrow=_texts_in(further, make))
    return LeafChoices([LeafOption("", samples, values, count, whole=leaf.most == 0)], left_out=left_out)


def _texts_in(language: Language, make: Callable[[str], object]) -> Narrow:
    """Return how to find those texts of a language that a validator mentions."""
    bounds = (language.lengths[0], language.lengths[-1]) if language.lengths else (0, 0)
    return lambda mentioned: map(make, mentioned.texts(language.automaton, *bounds))


def _of_length(word: str, length: int, make: Callable[[str], object]) -> Sample:
    """Return what shows a length: letters, or any text that is as long."""
    best = make(_letters(length))
    if not length:
        return Sample(word, best)
    texts = Stream(_distinct(map(make, _texts_of(length))), narrow=_texts_in(printable(length, length), make))
    return Sample(word, best, texts, lambda value: len(str(value) if make is FilePath else value) == length, length)  # type: ignore[arg-type]


def _texts_of(length: int) -> Iterator[str]:
    """Yield texts of a length: letters, a mixture of all kinds, each printable character in turn, and then all."""
    letters = _letters(length)
    yield letters
    for turn in range(len(MIXTURE)):
        yield ((MIXTURE[turn:] + MIXTURE[:turn]) * (length // len(MIXTURE) + 1))[:length]
    for sign in map(chr, range(ord(" "), ord("~") + 1)):
        for place in (length // 2, 0, length - 1):
            yield letters[:place] + sign + letters[place + 1 :]
        yield sign * length
    yield from printable(length, length).in_turns()


def _too_long(length: int) -> str:
    return f"{length:,} characters are more than the most that is made, {LONGEST:,}"


def _lengths(leaf: Texts) -> Iterator[tuple[str, int]]:
    yield ("empty" if not leaf.least else "shortest"), leaf.least
    if leaf.least < leaf.most:
        yield ("one character" if not leaf.least else "one longer than shortest"), leaf.least + 1
        yield "longest", leaf.most
    if "longest" in leaf.stated and leaf.most - leaf.least > 1:
        yield "one shorter than longest", leaf.most - 1


def _letters(length: int) -> str:
    return (ALPHABET * (length // len(ALPHABET) + 1))[:length]


def _maker(leaf: Texts) -> Callable[[str], object]:
    makers: dict[str, Callable[[str], object]] = {"str": str, "bytes": str.encode, "path": FilePath}
    return makers[leaf.made]


def _texts(leaf: Texts, strength: Strength, deadline: Deadline) -> LeafChoices:
    """Return an option for each branch of the pattern, with its repetitions at further lengths as samples."""
    assert leaf.pattern is not None
    combine: Strength = "all" if strength == "all" else "each"
    wanted = find_heuristics("default", combine=combine, unicode=leaf.unicode)
    cover = Cover(leaf.pattern, wanted, flags=leaf.flags, deadline=deadline)
    reader = _Patterned(leaf, cover)
    found = LeafChoices()
    longer: list[Representative] = []
    if cover.is_settled:
        found.impossible += [(each.label, "the pattern allows no such text") for each in cover.settled.impossible]
        found.undecided += [(each.label, each.reason) for each in cover.settled.undecided]
    made: list[tuple[Representative, list[Sample]]] = []
    for each in cover.first():
        text = reader.fitting(each, found)
        if text is None:
            continue
        if isinstance(cover.derivation(each.choice), Combination):
            made.append((each._replace(text=text), []))
        else:
            longer.append(each._replace(text=text))
    reader.place(longer, made)
    reader.bounds(made, found)
    make = _maker(leaf)
    for each, samples in made:
        shown_samples = _without_repeats(
            [Sample("", make(each.text)), *(s._replace(value=make(str(s.value))) for s in samples)]
        )
        found.options.append(reader.option(each.label if len(made) > 1 else "", each, shown_samples))
    if not found.options and (option := reader.any_text()) is not None:
        found.options.append(option)
    if not found.options and not found.undecided:
        nothing = ("any value", f"no text matches {leaf.pattern!r} within the lengths")
        (found.impossible if cover.is_settled or cover.complete else found.undecided).append(nothing)
    return found


def _count(language: Language) -> int:
    try:
        return language.count()
    except Undecided:  # more than can be counted
        return HUGE


@dataclass(slots=True)
class _Patterned:
    leaf: Texts
    cover: Cover

    def language(self, least: int, most: int) -> Language:
        """Return all texts of the pattern within lengths."""
        return Language(self.cover.pattern, least, most, deadline=self.cover.deadline)

    def fitting(self, each: Representative, found: LeafChoices) -> str | None:
        """Return a text of the choice within the lengths, or note why there is none."""
        if self.leaf.least <= len(each.text) <= self.most(each):
            return each.text
        try:
            language = Language(self.cover.within(each.choice), self.leaf.least, self.most(each))
        except Undecided as error:
            found.undecided.append((each.label, str(error)))
            return None
        if (text := language.first()) is not None:
            return text
        if self.leaf.most > LONGEST:
            found.left_out.append((each.label, _too_long(self.leaf.most)))
        elif isinstance(self.cover.derivation(each.choice), Combination) or self.leaf.stated:
            found.impossible.append((each.label, f"no such text has {self.leaf.least} to {self.leaf.most} characters"))
        return None

    def any_text(self) -> LeafOption | None:
        """Return an option for any text within the lengths: where no choice by itself leads to one, several may."""
        if not self.cover.pattern.exact:
            return None
        try:
            language = self.language(self.leaf.least, min(self.leaf.most, LONGEST))
        except Undecided:
            return None
        text = language.first()
        if text is None:
            return None
        make = _maker(self.leaf)
        found = _distinct(map(make, language.spread_texts(unicode=self.leaf.unicode)))
        texts = Stream(found, narrow=_texts_in(language, make))
        whole = self.is_whole(language.automaton, self.leaf.most)
        return LeafOption("", (Sample("", make(text)),), texts, _count(language), whole=whole)

    def most(self, each: Representative) -> int:
        """Return the greatest length of a choice's texts: a default bound gives way to what the pattern asks for."""
        most = self.leaf.most if "longest" in self.leaf.stated else max(self.leaf.most, len(each.text))
        return min(most, LONGEST)

    def place(self, longer: list[Representative], made: list[tuple[Representative, list[Sample]]]) -> None:
        """Put every longer text under an option that derives it, so that no label says what is not so."""
        for each in longer:
            for option, samples in made:
                with contextlib.suppress(Undecided):
                    if self.cover.derives(option.choice, each.text):
                        samples.append(Sample(each.label, each.text, self.alike(each, option)))
                        break

    def alike(self, each: Representative, option: Representative) -> Stream:
        """Return every text of a choice, or of a length, that an option derives."""
        length = {"shortest": self.leaf.least, "longest": self.leaf.most}.get(each.label)
        least, most = (self.leaf.least, self.most(each)) if length is None else (length, length)

        @functools.cache  # made when it is needed
        def find() -> Language:
            return (
                Language(self.cover.within(each.choice), least, most) if length is None else self.language(least, most)
            )

        def texts(mentioned: Mentioned | None = None) -> Iterator[object]:
            with contextlib.suppress(Undecided):
                every = find().in_turns() if mentioned is None else _texts_in(find(), str)(mentioned)
                yield from map(_maker(self.leaf), self.keep_derived(option, map(str, every)))

        def size() -> int:
            try:
                return find().count() if self.is_whole(find().automaton, most) else HUGE
            except Undecided:
                return HUGE

        return Stream(texts(), size, texts)

    def keep_derived(self, option: Representative, texts: Iterator[str]) -> Iterator[str]:
        """Yield the texts that an option derives, until very many in a row are of other options."""
        sought = 0
        for text in texts:
            sought += 1
            if self.cover.derives(option.choice, text):
                sought = 0
                yield text
            if sought >= MOST_SOUGHT:
                return

    def is_whole(self, automaton: Automaton, most: int) -> bool:
        """Tell whether no text is longer than the most that is made, or only those that are not asked for."""
        longest = automaton.longest_length()
        return "longest" in self.leaf.stated or (longest is not None and longest <= most)

    def bounds(self, made: list[tuple[Representative, list[Sample]]], found: LeafChoices) -> None:
        """Add texts of the least and the greatest length that the user stated."""
        for word, length in (("shortest", self.leaf.least), ("longest", self.leaf.most)):
            if word not in self.leaf.stated or not self.cover.pattern.exact:
                continue
            if length > LONGEST:
                found.left_out.append((word, _too_long(length)))
                continue
            try:
                language = self.language(length, length)
            except Undecided as error:
                found.undecided.append((word, str(error)))
                continue
            text = language.first()
            if text is None:
                found.impossible.append((word, f"no text of {length} characters matches {self.leaf.pattern!r}"))
                continue
            self.place([Representative(text, word, made[0][0].choice)] if made else [], made)

    def option(self, word: str, each: Representative, samples: tuple[Sample, ...]) -> LeafOption:
        """Return an option with every text of it, as far as they are known."""
        first = [sample.value for sample in samples]
        known = LeafOption(word, samples, Stream(iter(first)), len(first), whole=False)
        if not self.cover.pattern.exact:
            return known
        try:
            automaton = self.cover.within(each.choice)
        except Undecided:
            return known
        most = min(self.most(each), max(self.leaf.least, len(each.text), FURTHER))
        language = Language(automaton, self.leaf.least, most)
        drawn = draw_texts(self.cover, each.choice, fits=lambda text: self.leaf.least <= len(text) <= most)
        texts = itertools.chain(drawn, language.spread_texts(unicode=self.leaf.unicode))
        stream = _distinct(itertools.chain(first, map(_maker(self.leaf), texts)))
        count = _count(language) if self.leaf.most <= FURTHER else HUGE
        values = Stream(stream, narrow=_texts_in(language, _maker(self.leaf)))
        return LeafOption(word, samples, values, count, whole=self.is_whole(automaton, most))


# -- both ------------------------------------------------------------------------------------------------------


def _filter_options(found: LeafChoices, checks: tuple[Check, ...]) -> LeafChoices:
    """Return the options with the values that pass; a sample is impossible only if no value that shows it passes."""
    kept = LeafChoices([], list(found.impossible), list(found.undecided), list(found.left_out))
    for option in found.options:
        judged = [(each, *_judge_sample(each, checks)) for each in option.samples]
        samples = [sample for _, sample, _ in judged if sample is not None]
        failed = [(each, reason) for each, sample, reason in judged if sample is None]
        stream = Stream(_passing(option.values.all(), checks), narrow=option.values.narrow)
        alone = option.whole and option.count == len(option.samples)
        if not samples:
            samples = [Sample("", value) for value in itertools.islice(stream.all(), 1) if not alone]
        if not samples:
            exhausted = option.whole and option.count <= TRIED
            target = kept.impossible if exhausted else kept.undecided
            target.append((option.word or "any value", f"{failed[0][1]} refuses every value tried"))
            continue
        for each, reason in failed:
            if each.word and each.count_values() <= TRIED:
                which = repr(each.value) if each.count_values() == 1 else f"all {each.count_values():,} of them"
                kept.impossible.append((each.word, f"{reason} refuses {which}"))
            elif each.word:
                kept.undecided.append((each.word, f"{reason} refuses every value tried"))
        count = option.count if not alone else len(samples)
        kept.options.append(replace(option, samples=tuple(samples), values=stream, count=count))
    return kept


def _judge_sample(each: Sample, checks: tuple[Check, ...]) -> tuple[Sample | None, str]:
    """Return the sample with a value that passes and all others that do; or nothing, and what refuses them."""
    refused = first_failed(checks, each.value)
    others = each.others
    if others is not None:
        others = Stream(_passing(others.all(), checks), others.size, others.narrow)
    if refused is None:
        return each._replace(others=others), ""
    for value in () if others is None else others.all():
        return each._replace(value=value, others=others), ""
    return None, refused


def _passing(values: Iterator[object], checks: tuple[Check, ...]) -> Iterator[object]:
    failed = 0
    for value in values:
        if first_failed(checks, value) is None:
            failed = 0
            yield value
        elif (failed := failed + 1) > TRIED:
            return


def _distinct(values: Iterator[object]) -> Iterator[object]:
    seen: set[object] = set()
    for value in values:
        if value not in seen:
            seen.add(value)
            yield value


def _without_repeats(samples: Iterator[Sample] | list[Sample]) -> tuple[Sample, ...]:
    kept: dict[object, Sample] = {}
    for each in samples:
        kept.setdefault(each.value, each)
    return tuple(kept.values())


def check_strength(strength: object) -> Strength:
    """Return the strength, or refuse what is none."""
    if strength in ("each", "pairs", "all"):
        return strength
    raise SpecError(f"cover={strength!r} is not a strength; write 'each', 'pairs' or 'all'")
