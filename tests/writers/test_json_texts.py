"""Inputs as JSON texts: written in many ways, meaning the same."""

import json

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from unlike.errors import ScopeError
from unlike.indexed import Listed
from unlike.recipe import recipe_of
from unlike.suite import Case, Ending, Status, Suite
from unlike.writers.json_texts import ESCAPES, ORDERS, SPACES, Style, json_text, json_texts, visible_styles

RICH = {"a/b": [1, -2.5, True, None, []], "ü": 'quote " back \\ line\n', "𝄞": {"x": {}, "y": "\ud800", "z": "\x01"}}
EVERY_STYLE = [Style(*ways) for ways in ((a, b, c) for a in SPACES for b in ORDERS for c in ESCAPES)]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)


def suite_of(*values):
    cases = [Case(recipe_of(value), f"label {i}", str(i)) for i, value in enumerate(values)]
    return Suite("some", Listed(cases), Status(Ending.COMPLETE), "all of them")


def same(one, two):
    """Tell whether two JSON values are the same, with their types and whatever the order of keys."""
    return json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)


@pytest.mark.parametrize("style", EVERY_STYLE, ids=str)
def test_every_style_parses_to_the_same_value(style):
    assert same(json.loads(json_text(RICH, style)), RICH)


@pytest.mark.corpus
@settings(max_examples=60, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(JSON_VALUES, st.sampled_from(EVERY_STYLE))
def test_any_value_in_any_style_parses_to_itself(value, style):
    assert same(json.loads(json_text(value, style)), value)


def test_visible_styles_are_all_written_differently_and_the_others_are_not():
    seen = {json_text(RICH, style) for style in EVERY_STYLE}

    assert len(seen) == len(visible_styles(RICH)) == len(EVERY_STYLE) == 60


@pytest.mark.parametrize(
    "value", [1, None, "", "a", "ü", "/", [], {}, [1], {"a": 1}, {"a": 1, "b": "\n"}, [{"a": [], "b": "", "c": "/é"}]]
)
def test_a_style_counts_as_visible_exactly_if_it_makes_a_text_of_its_own(value):
    written = {json_text(value, style) for style in EVERY_STYLE}

    assert {json_text(value, style) for style in visible_styles(value)} == written
    assert len(visible_styles(value)) == len(written)


def test_all_four_kinds_of_whitespace_stand_at_every_place():
    text = json_text({"a": [], "b": [1, 2]}, Style("much"))

    assert {" ", "\t", "\n", "\r"} <= set(text)
    assert text[0].isspace()
    assert text[-1].isspace()


def test_escapes_are_written_as_their_names_say():
    assert json_text("/é\n𝄞", Style()) == '"/é\\n𝄞"'
    assert json_text("/é\n", Style(escapes="slashes")) == '"\\/é\\n"'
    assert json_text("/é\n𝄞", Style(escapes="numbers")) == '"/\\u00E9\\u000a\\ud834\\udd1e"'
    assert json_text("aé", Style(escapes="all")) == '"\\u0061\\u00E9"'


def test_keys_are_put_in_another_order():
    value = {"a": 1, "b": 2, "c": 3}

    orders = [list(json.loads(json_text(value, Style(order=order)))) for order in ORDERS]

    assert orders == [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]]


def test_a_suite_shows_every_two_ways_to_write_together():
    texts = json_texts(suite_of(RICH, 5))

    shown = {tuple(case.label.split("; ")[1:]) for case in texts}
    for spaces in SPACES:
        assert {(spaces, order) for order in ORDERS} <= {(a.split(": ")[1], b.split(": ")[1]) for a, b, _ in shown}
        assert {(spaces, escape) for escape in ESCAPES} <= {(a.split(": ")[1], c.split(": ")[1]) for a, _, c in shown}
    assert "47 of 47 pairs" in texts.guarantee
    assert texts.guarantee.startswith("all of them; ")
    assert texts.status.ending is Ending.COMPLETE
    assert len(texts) <= 30  # 20 is the least that could do: five times four
    assert all(same(json.loads(text), RICH) or json.loads(text) == 5 for text in texts.values)


def test_every_input_is_written_and_labels_say_of_which():
    texts = json_texts(suite_of(*range(40)))

    assert [json.loads(text) for text in texts.values[:40]] == list(range(40))
    assert texts[7].label == "label 7; whitespace: none; keys: as they are; escapes: fewest"
    assert {case.id for case in texts} == {str(i) for i in range(len(texts))}


def test_a_number_of_texts_is_kept_and_the_same_come_out_again():
    one, two = json_texts(suite_of(RICH, RICH, RICH), 2), json_texts(suite_of(RICH, RICH, RICH), 2)

    assert one.values == two.values
    assert len(one) == 2
    assert "6 of 47" in one.guarantee


@pytest.mark.parametrize("n", [-1, True, 1.5])
def test_a_number_of_texts_that_makes_no_sense_is_refused(n):
    with pytest.raises(ScopeError, match=r"must be an int of at least 0"):
        json_texts(suite_of(1), n)


def test_no_inputs_give_no_texts():
    assert json_texts(suite_of()).values == []
