"""What the first n texts of a pattern promise, as a user asks for them."""

from __future__ import annotations

import collections
import itertools
import random
import re

import pytest
from tests.regex.test_command_line import lines, run
from tests.regex.test_order import patterns

from unlike.regex.cover import PRESETS, Cover
from unlike.regex.order import OrderedTexts, ordered_misses
from unlike.regex.order.misses import EDITS, edited_texts


@pytest.mark.parametrize("seed", range(8))
def test_with_as_many_as_come_unasked_or_more_every_choice_is_shown_and_that_is_proved(seed: int) -> None:
    asked = ("--regex", patterns(seed), "--seed", str(seed))
    unasked = run(*asked)
    labels = {each["label"] for each in lines(unasked)}
    size = len(lines(unasked))
    assert "every choice that has a text is shown (proved)" in unasked.stderr or size == 100

    for n in (size, size + 25):
        more = run(*asked, "-n", str(n))
        assert {each["label"] for each in lines(more)[:size]} == labels
        assert "(proved)" in more.stderr or size == 100


def test_pairs_of_choices_that_are_new_come_before_others() -> None:
    """Beside as many drawn by chance: the first texts show more pairs of branches."""
    pattern = "(a|b|c|d)(e|f|g|h)(i|j|k|l)(m|n|o|p)(q|r|s|t)"

    def pairs(texts: list[str]) -> int:
        return len({(i, text[i], j, text[j]) for text in texts for i, j in itertools.combinations(range(5), 2)})

    for seed in range(3):
        ours = [each["value"] for each in lines(run("--regex", pattern, "-n", "16", "--seed", str(seed)))]
        chance = random.Random(seed)
        drawn = sorted(
            pairs(["".join(map(chance.choice, ("abcd", "efgh", "ijkl", "mnop", "qrst"))) for _ in range(16)])
            for _ in range(100)
        )
        assert pairs(ours) > drawn[75], "more than three of four random suites"


def test_free_characters_are_readable_and_of_every_kind_and_no_ramp() -> None:
    texts = [each["value"] for each in lines(run("--regex", r"[A-Za-z0-9_.-]{9}", "-n", "20"))]

    assert all(text.isascii() and text.isprintable() for text in texts)
    for kind in (str.isdigit, str.islower, str.isupper, lambda char: not char.isalnum()):
        assert sum(any(map(kind, text)) for text in texts) >= 8
    assert not any(text.startswith("01234567A") for text in texts)
    for place in range(9):
        assert len({text[place] for text in texts}) >= 8


def test_there_are_thirteen_kinds_of_edits_and_the_first_near_misses_have_all_of_them() -> None:
    assert len(EDITS) == 13
    for seed in range(3):
        cover = Cover(r"[a-z]{2,9}-[0-9]{3}\.[A-Z]{2}")
        kinds = [each.rule for each in itertools.islice(edited_texts(cover, seed), 30)]
        assert set(kinds) == set(EDITS)
        assert max(collections.Counter(kinds).values()) <= 4


def test_near_misses_are_spread_over_the_places_of_a_text() -> None:
    """Where characters are left out, replaced, doubled: in each of the five parts of it."""
    misses = [each.text for each in itertools.islice(ordered_misses(Cover("[a-c]{3}-[0-9]{3}:[A-C]{3}")), 60)]
    parts = ("[a-c]{3}", "-", "[0-9]{3}", ":", "[A-C]{3}")

    for at in range(5):
        around = [re.compile("".join(part if k != at else ".*" for k, part in enumerate(parts)), re.DOTALL)]
        assert any(each.fullmatch(text) for each in around for text in misses), parts[at]


@pytest.mark.corpus
@pytest.mark.parametrize("seed", [0, 4])
def test_a_mix_of_one_is_what_just_fails(seed: int) -> None:
    asked = ("--regex", "[a-z]{2}-[0-9]+", "-n", "30", "--seed", str(seed))
    mixed, failing = (lines(run(*asked, *words)) for words in (("--mix", "1"), ("--invalid",)))

    assert [each["value"] for each in mixed] == [each["value"] for each in failing]
    assert len(mixed) == 30


@pytest.mark.corpus
def test_without_a_mix_all_are_legal() -> None:
    for seed in range(3):
        texts = [each["value"] for each in lines(run("--regex", "[a-z]{2}-[0-9]+", "-n", "30", "--seed", str(seed)))]
        assert all(re.fullmatch("[a-z]{2}-[0-9]+", text) for text in texts)


@pytest.mark.corpus
def test_fewer_than_asked_for_are_all_there_are_and_that_is_said() -> None:
    result = run("--regex", "[ab]-[cd]-[ef]-[gh]-[ij]-[kl]-[0-9]", "-n", "700")

    assert len(lines(result)) == 640
    assert "no more exist (proved)" in result.stderr


def test_the_longest_is_a_choice_of_its_own() -> None:
    cover = Cover("[a-z]{2,40}", PRESETS["default"])
    texts = [each.text for each in OrderedTexts(cover).of_choices()]

    assert {2, 40} <= set(map(len, texts))
