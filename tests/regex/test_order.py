"""Every beginning of the texts of a pattern keeps the promises: against brute force, and against `re`."""

from __future__ import annotations

import collections
import contextlib
import datetime
import itertools
import json
import math
import random
import re
from fractions import Fraction
from typing import Annotated

import pytest
from tests.regex.test_command_line import lines, run

from unlike import Matching, Spec, Str, cover, generate, invalid
from unlike.errors import ScopeError
from unlike.regex.cover import PRESETS, Cover
from unlike.regex.order import Mix, OrderedTexts, checks, draw_texts, ordered_misses
from unlike.regex.order.check_digits import checks_of, looks_like_code, make_pass
from unlike.regex.order.checks import CodeCheck
from unlike.regex.order.numbers import moment_of, numbers_of
from unlike.regex.order.spell import kinds_of
from unlike.suite import Ending

PARTS = [
    "a",
    "b?",
    "[ab]",
    "(a|bc)",
    "c{0,2}",
    "(?:ab)?",
    "[abc]{1,2}",
    "[a-c]+",
    "(?:a|[bc]d){2,4}",
    r"(?=.*b)[a-c]{2}",
]


def patterns(seed: int) -> str:
    draw = random.Random(seed)
    pattern = "".join(draw.choices(PARTS, k=draw.randint(1, 4)))
    return f"{pattern}|{draw.choice(PARTS)}x" if draw.random() < 0.4 else pattern


@pytest.mark.parametrize("seed", range(40))
def test_the_first_texts_show_each_choice_once_whatever_the_seed(seed: int) -> None:
    pattern = patterns(seed)
    cover = Cover(pattern, PRESETS[random.Random(seed).choice(sorted({*PRESETS} - {"every-character"}))])

    shown = list(OrderedTexts(cover, seed).of_choices())

    assert len({each.text for each in shown}) == len(shown) == cover.count()
    assert len({each.choice for each in shown}) == len(shown)
    assert all(re.fullmatch(pattern, each.text) for each in shown)
    assert all(cover.derives(each.choice, each.text) for each in shown), "asked of the independent matcher"
    assert {each.label for each in shown} == {each.label for each in cover.first()}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("mix", [(), ("--mix",), ("--mix", "0.3"), ("--invalid",)])
def test_a_larger_number_keeps_the_smaller_suite_as_its_beginning(seed: int, mix: tuple[str, ...]) -> None:
    asked = ("--regex", patterns(seed), "--seed", str(seed), *mix)
    small, large = lines(run(*asked, "-n", "7")), lines(run(*asked, "-n", "33"))

    assert large[: len(small)] == small
    assert len({each["value"] for each in large}) == len(large)
    for each in large:
        assert bool(re.fullmatch(patterns(seed), each["value"])) == each.get("legal", True)


def test_a_mix_has_its_share_in_every_beginning() -> None:
    usual = [Mix().fails(position) for position in range(400)]
    assert [sum(usual[:n]) for n in (10, 20, 24, 100, 400)] == [0, 5, 6, 25, 100]
    for share in ("0", "0.1", "0.25", "1/3", "0.5", "0.9", "1"):
        failing = [Mix.of(share).fails(position) for position in range(300)]
        assert all(sum(failing[:n]) == math.floor(Fraction(share) * n) for n in range(301))


@pytest.mark.parametrize("n", [1, 10, 11, 20, 57, 100])
def test_a_mix_has_exactly_as_many_as_were_asked_for(n: int) -> None:
    found = lines(run("--regex", "[a-z]{2,5}-[0-9]+", "-n", str(n), "--mix"))

    assert len(found) == n
    assert [not each.get("legal", True) for each in found] == [Mix().fails(position) for position in range(n)]


def test_where_no_more_strings_match_those_that_fail_make_up_the_number() -> None:
    result = run("--regex", "[ab]", "-n", "40", "--mix")

    assert len(lines(result)) == 40
    assert sum(each.get("legal", True) for each in lines(result)) == 2
    assert "2 match, 38 just fail; no more match (proved)" in result.stderr


@pytest.mark.parametrize("said", ["1.5", "-0.1", "x", "nan", "1/0"])
def test_a_share_that_is_none_is_refused(said: str) -> None:
    with pytest.raises(ScopeError, match=r"must be a share from 0 to 1"):
        Mix.of(said)


@pytest.mark.parametrize("other", ["--invalid", "--all", "--count"])
def test_a_mix_and_what_it_contradicts_are_refused(other: str) -> None:
    assert "contradict each other" in str(run("--regex", "a+", "--mix", other).exception)


@pytest.mark.parametrize("seed", range(12))
def test_a_near_miss_does_not_match_and_no_text_comes_twice(seed: int) -> None:
    pattern = patterns(seed)
    misses = list(itertools.islice(ordered_misses(Cover(pattern), seed), 60))

    assert len({each.text for each in misses}) == len(misses) == 60
    assert not any(re.fullmatch(pattern, each.text) for each in misses)


def test_near_misses_are_of_all_kinds_before_one_comes_often() -> None:
    misses = itertools.islice(ordered_misses(Cover(r"[a-z]{2,9}-[0-9]{3}\.[A-Z]{2}")), 1, 79, 2)
    kinds = collections.Counter(each.rule for each in misses if " is " not in each.rule and "round" not in each.rule)

    assert max(kinds.values()) <= 6


def test_places_are_balanced_and_no_two_go_together() -> None:
    order = OrderedTexts(Cover("[ab][cd]-[efgh]_[ijkl]", PRESETS["class-as-one"]))
    texts = [each.text for each in order.of_choices()] + list(itertools.islice(order.further(), 60))

    for place in (0, 1, 3, 5):
        often = collections.Counter(text[place] for text in texts)
        assert max(often.values()) <= 2.5 * min(often.values())
    for one, other in itertools.combinations((0, 1, 3, 5), 2):
        pairs = collections.Counter((text[one], text[other]) for text in texts)
        assert len(pairs) == len({text[one] for text in texts}) * len({text[other] for text in texts})


def cramers_v(pairs: list[tuple[object, object]]) -> float:
    """Return how far two places go together: 0 not at all, 1 always."""
    both = collections.Counter(pairs)
    ones, others = (collections.Counter(pair[at] for pair in pairs) for at in (0, 1))
    expected = {(a, b): ones[a] * others[b] / len(pairs) for a in ones for b in others}
    chi = sum((both[each] - wanted) ** 2 / wanted for each, wanted in expected.items())
    return math.sqrt(chi / len(pairs) / (min(len(ones), len(others)) - 1))


@pytest.mark.parametrize("seed", range(3))
def test_no_place_tells_what_stands_at_another(seed: int) -> None:
    order = OrderedTexts(Cover("[ab][cd]-[efgh]_[ijkl]", PRESETS["class-as-one"]), seed)
    texts = [each.text for each in order.of_choices()] + list(itertools.islice(order.further(), 60))

    for one, other in itertools.combinations((0, 1, 3, 5), 2):
        assert cramers_v([(text[one], text[other]) for text in texts]) < 0.45, (one, other)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pattern", ["[+-][0-9]{1,9}", "[+-](a|bc)[0-9]*x?[0-9]*", "(x|y)?[+-][0-9]+([.,][0-9]+)?"])
def test_signs_that_are_choices_come_in_turn(pattern: str, seed: int) -> None:
    order = OrderedTexts(Cover(pattern), seed)
    texts = itertools.chain((each.text for each in order.of_choices()), order.further())
    some = list(itertools.islice(texts, 30))

    for n in (10, 20, 30):
        often = collections.Counter("+" in text for text in some[:n])
        assert abs(often[True] - often[False]) <= 4


SHARED = "[+-]?P((a1|b2)?(c3|d4)?(e5|f6)?(g7|h8)?(i9|j0)?|[0-9]{4}-[0-9]{2})"  # 732 choices, 3 of them of dates


MOMENT = (
    "[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01])([T ]([01][0-9]|2[0-3])(:[0-5][0-9](:[0-5][0-9]([.,][0-9]{1,6})?)?)?"
    "(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?)?)?|[0-9]{8}(T[0-9]{6}Z?)?"
)


def test_a_branch_of_few_choices_keeps_its_share_beside_one_of_very_many() -> None:
    texts = [each["value"] for each in lines(run("--regex", SHARED, "-n", "100"))]

    dates = [at for at, text in enumerate(texts) if re.fullmatch(r"[+-]?P[0-9]{4}-[0-9]{2}", text)]
    assert len(dates) >= 15
    assert len([at for at in dates if at < 20]) >= 3


def test_shared_texts_never_stand_for_a_proof_that_every_choice_is_shown() -> None:
    cover = Cover(SHARED)
    everything = list(OrderedTexts(cover, shares=True).of_choices())
    exactly = run("--regex", SHARED, "-n", str(cover.count())).stderr
    enough = run("--regex", SHARED, "-n", str(len(everything))).stderr

    assert {each.choice for each in everything} == set(range(cover.count()))
    assert len({each.text for each in everything}) == len(everything) > cover.count()
    assert "every choice" not in exactly
    assert "of 732 representatives" in exactly
    assert "732 choices shown first" in enough


@pytest.mark.parametrize(
    ("pattern", "example"),
    [
        (r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[a-z]+)?", r"1\.2\.3.*"),
        ("[0-9]{2}:[0-9]{2}(:[0-9]{2})?", "12:34.*"),
        ("[a-z]{3,40}-[0-9]{1,6}", "abc-1"),
    ],
)
def test_among_the_first_is_a_short_one_that_counts_as_people_do(pattern: str, example: str) -> None:
    texts = [each["value"] for seed in "012" for each in lines(run("--regex", pattern, "-n", "20", "--seed", seed))]

    assert any(re.fullmatch(example, text) for text in texts)


def test_codes_of_digits_pass_several_checks_at_once() -> None:
    """By chance one of 1,100 passes these three."""
    texts = [each["value"] for each in lines(run("--regex", "4[0-9]{15}|62[0-9]{14}", "-n", "40"))]

    assert sum(all(check.passes(text) for check in checks.OF_DIGITS[0][:3]) for text in texts) >= 5


def test_every_top_level_alternative_has_its_share() -> None:
    order = OrderedTexts(Cover("[0-9]{4}|[a-z]+@(x|y|z|u|v|w)(k|l|m)(o|p|q)|#[0-9A-F]{6}"))
    texts = list(itertools.islice((each.text for each in order.of_choices()), 8))

    assert any(text.isdigit() for text in texts)
    assert any(text.startswith("#") for text in texts)


def test_runs_of_digits_are_numbers_that_people_write_in_about_half_of_the_texts() -> None:
    order = OrderedTexts(Cover("[0-9]{4}"))
    texts = [each.text for each in order.of_choices()] + list(itertools.islice(order.further(), 99))

    written = sum(text in numbers_of(4) for text in texts)
    assert 35 <= written <= 85
    assert {"0000", "9999"} <= set(texts)


# codes that exist or stand in the documents of those who give them out
REAL_CODES = [
    (checks.LUHN, "79927398713"),
    (checks.LUHN, "US0378331005"),
    (checks.ONE_AND_THREE, "4006381333931"),
    (checks.ONE_TWO_THREE, "080442957X"),
    (checks.ONE_TWO_THREE, "9434765919"),
    (checks.TWO_ELEVENS, "11144477735"),
    (checks.ONE_THREE_SEVEN_NINE, "44051401359"),
    (checks.THREE_SEVEN_ONE, "111000025"),
    (checks.SEVEN_THREE_ONE, "L898902C36"),
    (checks.UP_TO_SEVEN, "125319092"),
    (checks.UP_TO_NINE, "16727230000197"),
    (checks.UP_TO_NINE_TWICE, "16727230000197"),
    (checks.POWERS_OF_TWO, "000000021694233X"),
    (checks.OF_97, "213800KUD8LAJWSQ9D15"),
    (checks.TURNED_97, "GB82WEST12345698765432"),
    (checks.OVER_97, "0403019261"),
    (checks.IN_TURN, "136695976"),
    (checks.LETTER_23, "12345678Z"),
    (checks.LETTER_26, "RCCMNL83S18D969H"),
    (checks.LETTER_31, "131052308T"),
    (checks.ODD_WEIGHTS, "B0YBKJ7"),
    (checks.DOUBLED, "037833100"),
    (checks.VEHICLES, "1M8GDM9AXKP042788"),
]


@pytest.mark.parametrize(("check", "code"), REAL_CODES)
def test_codes_that_exist_pass_their_check_and_not_with_a_digit_changed(check: CodeCheck, code: str) -> None:
    digit = next(at for at in range(3, len(code)) if code[at].isdigit())
    wrong = code[:digit] + str((int(code[digit]) + 1) % 10) + code[digit + 1 :]

    assert check.passes(code)
    assert not check.passes(wrong)


@pytest.mark.parametrize("groups", [checks.OF_DIGITS, checks.OF_LETTERS, checks.AFTER_LETTERS, checks.OF_BOTH])
def test_a_code_gets_the_checks_of_its_kind_right_at_once(groups: tuple[tuple[CodeCheck, ...], ...]) -> None:
    ten, letters = checks.DIGITS, checks.LETTERS
    allowed = [ten if groups is checks.OF_DIGITS else letters] * 4 + [ten] * 12
    allowed += [letters] if groups is checks.OF_LETTERS else [ten]
    allowed[5] = letters if groups is checks.OF_BOTH else ten
    text = "".join(options[3] for options in allowed)

    assert looks_like_code(text)
    assert checks_of(allowed) == groups
    for group in groups:
        made = make_pass(text, allowed, group, random.Random(0))
        assert made is not None
        assert all(check.passes(made) for check in group)
        assert made[:11] == text[:11], "the last characters are those that check"


@pytest.mark.parametrize(
    "text", ["2007-01-25", "31.12.1999", "12:34:56.789", "127.100.200.300", "1.5e+100000", "Abcdef12345", "a@12345678"]
)
def test_dates_versions_and_addresses_are_no_codes(text: str) -> None:
    assert not looks_like_code(text)


def test_codes_pass_common_checks_far_more_often_than_by_chance() -> None:
    """By chance one in ten passes each of the checks by ten, one in eleven that by eleven."""
    order = OrderedTexts(Cover("[0-9]{12,16}"))
    texts = [each.text for each in order.of_choices()] + list(itertools.islice(order.further(), 97))

    passed = [sum(map(check.passes, texts)) for check in checks.OF_DIGITS[0][:3]]
    assert min(passed) >= 25


@pytest.mark.parametrize(
    ("pattern", "check"), [("[A-Z]{3}[0-9]{8}[A-Z]", checks.LETTER_26), ("[0-9]{8}[A-Z]", checks.LETTER_23)]
)
def test_codes_that_end_with_a_letter_often_end_with_the_right_one(pattern: str, check: CodeCheck) -> None:
    """By chance one of 26 does."""
    texts = [each["value"] for each in lines(run("--regex", pattern, "-n", "40"))]

    assert sum(map(check.passes, texts[:10])) >= 2
    assert sum(map(check.passes, texts)) >= 10


def test_a_long_run_of_digits_begins_with_a_date_now_and_then() -> None:
    """By chance one of 36 begins with a month and a day after the year."""
    texts = [each["value"] for each in lines(run("--regex", "[0-9]{11}", "-n", "100"))]

    assert sum(re.match(r"..(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])", text) is not None for text in texts) >= 8


@pytest.mark.parametrize(
    ("width", "form"), [(8, "%Y%m%d %d%m%Y"), (14, "%Y%m%d%H%M%S"), (12, "%Y%m%d%H%M %y%m%d%H%M%S")]
)
def test_moments_are_dates_and_times(width: int, form: str) -> None:
    def is_written(text: str, how: str) -> bool:
        with contextlib.suppress(ValueError):
            return datetime.datetime.strptime(text, how).strftime(how) == text
        return False

    for seed in range(60):
        moment = moment_of(width, random.Random(seed))
        assert len(moment) == width
        assert any(is_written(moment, how) for how in form.split()), moment


def test_characters_of_a_class_are_of_all_kinds_and_within_it() -> None:
    assert kinds_of(((48, 57), (65, 70), (97, 99), (45, 46))) == ("0123456789", "abc", "ABCDEF", "-", ".")
    assert kinds_of(((9, 10), (32, 32))) == ("     \t\n ",)
    assert kinds_of(((0x410, 0x412),)) == ("АБВ",)


def test_the_same_seed_gives_the_same_texts_and_another_seed_others() -> None:
    first, again, other = (run("--regex", "[a-z]+[0-9]{2}", "-n", "30", "--mix", "--seed", seed) for seed in "112")

    assert first.stdout == again.stdout
    assert first.stdout != other.stdout


def test_python_source_of_a_mix_says_of_each_input_whether_it_is_legal() -> None:
    source = run("--regex", "[a-z]+", "-n", "12", "--mix", "--format", "python").stdout
    pairs = eval(source.partition("=")[2])  # our own source: a list of literals

    assert [legal for _, legal in pairs] == [bool(re.fullmatch("[a-z]+", text)) for text, _ in pairs]
    assert json.dumps(pairs)


@pytest.mark.parametrize("seed", range(8))
def test_texts_of_one_choice_are_derived_by_it_and_come_once(seed: int) -> None:
    cover = Cover(patterns(seed))
    for choice in range(min(cover.combinations, 6)):
        texts = list(itertools.islice(draw_texts(cover, choice, seed=seed), 12))

        assert len(set(texts)) == len(texts)
        assert all(re.fullmatch(patterns(seed), text) and cover.derives(choice, text) for text in texts)


def test_strings_of_a_value_are_all_there_are_whether_drawn_or_listed() -> None:
    for seed in range(6):
        pattern = "".join(random.Random(seed).choices(PARTS[:7], k=2))
        texts = ("".join(each) for size in range(6) for each in itertools.product("abc", repeat=size))
        brute_force = {text for text in texts if re.fullmatch(pattern, text)}

        suite = generate(Spec({"text": Str(pattern)}), "all", seed=seed)

        found = [each["text"] for each in suite.values]
        assert len(found) == len(set(found))
        assert set(found) == brute_force


PHONE = r"(\+\d{1,3} )?\(?\d{3}\)?[ -]\d{3}-\d{4}"


@pytest.mark.parametrize("asked", [("--mix",), ("--mix", "0.3"), ()])
@pytest.mark.parametrize("seed", [0, 3])
def test_python_gives_the_same_texts_as_the_command_line(asked: tuple[str, ...], seed: int) -> None:
    told = lines(run("--regex", PHONE, "-n", "30", "--seed", str(seed), *asked))
    mix: bool | float = float(asked[1]) if len(asked) > 1 else bool(asked)
    spaces = [Matching(PHONE)]
    spaces += [Annotated[str, Matching(PHONE)], Spec({"phone": Str(PHONE)})] if asked else []

    for space in spaces:
        found = [(case.value, case.legal) for case in generate(space, 30, seed=seed, mix=mix)]
        texts = [(each["phone"] if isinstance(each, dict) else each, legal) for each, legal in found]
        assert texts == [(each["value"], each.get("legal", True)) for each in told]


def test_texts_that_just_fail_can_be_had_alone() -> None:
    found = invalid(Matching(PHONE), 12)

    assert len(found) == 12
    assert not any(case.legal or re.fullmatch(PHONE, case.value) for case in found)
    assert len({case.label for case in invalid(Matching("ab[0-9]"))}) > 2


def test_a_spec_that_covers_a_pattern_is_spread_like_its_texts() -> None:
    spec = Spec({"phone": Str()}, different=cover.regex("phone", PHONE))
    suites = [[each["phone"] for each in generate(spec, 20, seed=seed).values] for seed in (0, 1)]

    for texts in suites:
        assert len(set(texts)) == 18  # a choice each
        assert all(re.fullmatch(PHONE, each) and each.isascii() for each in texts)
        assert len({each[-4:] for each in texts}) > 9
        assert len({each.partition(" ")[0] for each in texts if each[0] == "+"}) > 5
    counting = "1234567890" * 2  # examples, as people write them
    free = [
        {each for each in texts if not set(digits := re.sub(r"\D", "", each)) <= set("09") and digits not in counting}
        for texts in suites
    ]
    assert len(free[0]) >= 10
    assert not free[0] & free[1]


@pytest.mark.parametrize("seed", range(12))
def test_every_choice_of_a_random_pattern_has_its_string_in_a_spec(seed: int) -> None:
    pattern = patterns(seed)
    whole = Cover(pattern)
    suite = generate(Spec({"text": Str(pattern)}, different=cover.regex("text", pattern)), 500, seed=seed)
    texts = [each["text"] for each in suite.values]

    assert len(set(texts)) == len(texts)
    assert all(re.fullmatch(pattern, each) for each in texts)
    if suite.status.ending is Ending.COMPLETE:
        labels = {case.label for case in suite}
        for choice in range(whole.choices):
            own = whole.represent(choice)
            assert own.label in labels or own.text in texts or not re.fullmatch(pattern, own.text), own


def test_as_many_as_were_asked_for_are_given_where_they_exist() -> None:
    """The choices are 64; each has ten strings."""
    texts = {each["value"] for each in lines(run("--regex", "[ab]-[cd]-[ef]-[gh]-[ij]-[kl]-[0-9]", "-n", "100"))}

    assert len(texts) == 100


@pytest.mark.parametrize("seed", range(3))
def test_what_no_choice_fixes_varies_from_text_to_text(seed: int) -> None:
    """Of 2,418 choices each of the first hundred is another one: none of them gets the plain text of its choice."""
    texts = [each["value"] for each in lines(run("--regex", MOMENT, "-n", "100", "--seed", str(seed)))]
    years = collections.Counter(text[:4] for text in texts)

    assert max(years.values()) <= 20  # every ninth has the least characters, every seventh counts up
    assert len(years) >= 45


@pytest.mark.parametrize("seed", range(3))
def test_each_alternative_goes_on_coming_however_few_its_choices(seed: int) -> None:
    pattern = "[A-Z]{6}[0-9]{2}[ABCDEHLMPRST]([04][1-9]|[1256][0-9]|[37][01])[A-Z]|[0-9]{11}"
    texts = [each["value"] for each in lines(run("--regex", pattern, "-n", "100", "--seed", str(seed)))]

    assert sum(text.isdigit() for text in texts[:20]) >= 3
    assert sum(text.isdigit() for text in texts) >= 10


def test_as_little_and_as_much_as_possible_come_now_and_then() -> None:
    texts = [
        each["value"] for each in lines(run("--regex", "(a[0-9])?(b[0-9]{1,3})?(c[0-9])?(d[0-9]{1,2})?x", "-n", "60"))
    ]

    assert any(re.fullmatch("a9b999c9(d99)?x", text) or re.fullmatch("(a9)?b999c9d99x", text) for text in texts)
    assert any(re.fullmatch("[abcd]0x", text) for text in texts)


@pytest.mark.parametrize("seed", range(3))
def test_what_surrounds_a_broken_rule_varies(seed: int) -> None:
    broken = [each.text for each in itertools.islice(ordered_misses(Cover(MOMENT), seed), 1, 60, 2)]

    assert len({text[:4] for text in broken}) >= 20


def test_the_longest_of_a_run_is_among_the_first_texts() -> None:
    for pattern, longest in (("[a-z]{2,40}", 40), ("#[0-9a-f]{3,8}(-[a-z]{1,20})?", 30), ("(ab){1,9}", 18)):
        texts = [each["value"] for each in lines(run("--regex", pattern, "-n", "20"))]
        assert max(map(len, texts)) >= longest - 8 * pattern.startswith("#"), pattern
