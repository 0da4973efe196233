"""Texts that just fail: one edit away from a text of the pattern, of many kinds, spread over the parts of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

from unlike.regex import match
from unlike.regex.automaton import Undecided
from unlike.regex.cover.cover import Cover
from unlike.regex.near_miss import NearMiss, NearMisses, each_near_miss
from unlike.regex.order.draw import RouteDrawer, may_draw
from unlike.regex.order.spell import Speller

PRINTABLE = "".join(map(chr, range(32, 127)))
LONGEST = 60  # characters beyond the shortest of a text that is edited: in longer ones an edit is hard to see
TRIES = 60  # routes that are drawn for one near miss
KINDS = 6  # kinds of edits that are tried on one text, those used least first
NEARBY = 0.2  # how much an edit of another kind at a place counts
AROUND = (" {}", "{} ", "{}\n", "\t{}", "({})", "'{}'", "{}.", "-{}", "{},", "{}-")
TWICE = ("", " ", ",", "-")
SEPARATORS = " -./:,"
INSTEAD_OF_DIGIT, INSTEAD_OF_LETTER, INSTEAD_OF_SIGN = "AxOl-. /:", "0159-_ @[", "-_. ,:;/x0"
LOOKS = dict(zip("01- .:/+,'\"aeoisk", "٠１–\u00a0。：∕＋，’“аеоıſK", strict=True))
WIDE = ord("！") - ord("!")

Edit = Callable[[random.Random, str, int], str | None]  # of a text at a place


def _replace(text: str, at: int, new: str, over: int = 1) -> str:
    return text[:at] + new + text[at + over :]


def _other_kind(rng: random.Random, char: str) -> str:
    if char.isdigit():
        return rng.choice(INSTEAD_OF_DIGIT)
    return rng.choice(INSTEAD_OF_LETTER if char.isalpha() else INSTEAD_OF_SIGN.replace(char, ""))


def _look_alike(char: str) -> str:
    return LOOKS.get(char) or (chr(ord(char) + WIDE) if char.isascii() and char.isalnum() else "é")


def _change_case(_: random.Random, text: str, at: int) -> str | None:
    if not text:
        return None
    changed = text[at].swapcase()
    return _replace(text, at, changed) if changed != text[at] else text.swapcase()


def _change_separator(rng: random.Random, text: str, at: int) -> str:
    if text and not text[at].isalnum():
        return _replace(text, at, rng.choice(SEPARATORS))
    return _replace(text, at, rng.choice(SEPARATORS), 0)


EDITS: dict[str, Edit] = {
    "a character left out": lambda _, text, at: _replace(text, at, "") if text else None,
    "a character of another kind": lambda rng, text, at: (
        _replace(text, at, _other_kind(rng, text[at])) if text else None
    ),
    "a character inserted": lambda rng, text, at: _replace(text, at + rng.randrange(2), rng.choice(PRINTABLE), 0),
    "a character doubled": lambda _, text, at: _replace(text, at, text[at] * 2) if text else None,
    "the end left out": lambda rng, text, _: text[: rng.randrange(len(text))] if text else None,
    "another case": _change_case,
    "something around": lambda rng, text, _: rng.choice(AROUND).replace("{}", text),
    "two characters exchanged": lambda _, text, at: (
        _replace(text, at, text[at + 1] + text[at], 2) if at + 1 < len(text) else None
    ),
    "the beginning left out": lambda rng, text, _: text[rng.randrange(1, len(text)) :] if len(text) > 1 else None,
    "a character that looks alike": lambda _, text, at: _replace(text, at, _look_alike(text[at])) if text else None,
    "the text twice": lambda rng, text, _: text + rng.choice(TWICE) + text,
    "nothing": lambda *_: "",
    "another separator": _change_separator,
}


def ordered_misses(cover: Cover, seed: int = 0) -> Iterator[NearMiss]:
    """Yield texts that the pattern does not match, each once: an edit and a rule that is broken alone, in turn.

    Once each rule is broken there are edits alone, until hardly new ones are found.
    """
    given: set[str] = set()
    edits = edited_texts(cover, seed)
    rng = random.Random(f"{cover.pattern.text} {cover.pattern.flags} {seed} rules")
    rules = each_near_miss(cover.pattern, NearMisses(), cover.deadline, spread=True, rng=rng)
    turns = [edits, rules]
    while turns:
        turn = turns.pop(0)
        made = next((each for each in turn if each.text not in given), None)
        if made is not None:
            given.add(made.text)
            turns.append(turn)
            yield made


def edited_texts(cover: Cover, seed: int = 0) -> Iterator[NearMiss]:
    """Yield texts that the pattern does not match, each once; the kind of edit is the rule.

    Where hardly new ones are found, what was edited once is edited again.
    """
    rng = random.Random(f"{cover.pattern.text} {cover.pattern.flags} {seed} misses")
    editor = _Editor(cover, rng)
    routes = RouteDrawer(cover, rng)
    speller = Speller(rng, unicode=cover.heuristics.unicode)
    failed = 0
    while failed < TRIES and routes.work > 0 and may_draw(cover):
        route = routes.draw()
        text = speller.spell(route)
        made = None
        if len(text) <= cover.shortest + LONGEST and cover.accepts(text):
            made = editor.edit(text, [cell.place[0] for cell in route.cells])
        failed = 0 if made is not None else failed + 1
        if made is not None:
            routes.learn(route)
            yield made
    again, failed = list(editor.given), 0
    while again and failed < TRIES:
        text = rng.choice(again)
        made = editor.edit(text, list(range(len(text))))
        failed = 0 if made is not None else failed + 1
        if made is not None:
            again.append(made.text)
            yield made


class _Editor:
    """Edits texts; the kinds and places that were used least come first."""

    def __init__(self, cover: Cover, rng: random.Random) -> None:
        self.cover, self.rng = cover, rng
        self.kinds: Counter[str] = Counter()
        self.places: Counter[object] = Counter()
        self.given: dict[str, None] = {}

    def edit(self, text: str, places: list[int]) -> NearMiss | None:
        """Return a new text that fails, one edit away; `places` says from which part each character comes."""
        self.cover.deadline.check()
        for kind in sorted(EDITS, key=lambda each: (self.kinds[each], self.rng.random()))[:KINDS]:
            at = self.least_used(kind, places)
            edited = EDITS[kind](self.rng, text, at)
            if edited is None or edited in self.given or not _fails(self.cover, edited):
                continue
            self.kinds[kind] += 1
            if places:
                self.places.update([(kind, places[at]), places[at]])
            self.given[edited] = None
            return NearMiss(edited, kind)
        return None

    def least_used(self, kind: str, places: list[int]) -> int:
        """Return where an edit of the kind was made least often, counting others a little."""
        used = {each: self.places[kind, each] + NEARBY * self.places[each] for each in set(places)}
        return min(range(len(places)), key=lambda at: (used[places[at]], self.rng.random()), default=0)


def _fails(cover: Cover, text: str) -> bool:
    """Say whether the pattern does not match the text, for certain."""
    try:
        return not match.accepts(cover.pattern, text, cover.deadline)
    except Undecided:
        return False
