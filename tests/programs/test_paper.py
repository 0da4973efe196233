"""Every program of the paper runs, and gives what the paper says."""

import re
import types
from pathlib import Path

import pytest
from tests.programs import paper

import unlike
from unlike import Ending, generate
from unlike.documents.programs.read import primitives_of, read_program

FIGURE_8 = Path(__file__).parent / "figure_8.iorek"
TIME = re.compile(r"(([0-1]?\d)|2[0-3]):[0-5]\d|(1[0-2]|[1-9]):[0-5]\d(\s)?(AM|PM)")


def suites(text, module=None):
    return {spec.name: generate(spec) for spec in read_program(text, primitives=module)}


def test_figure_8_gives_100_times_and_locations():
    [spec] = read_program(FIGURE_8.read_text())

    suite = generate(spec)

    assert suite.name == "testSanity"
    assert len(suite) == 100
    assert suite.status.ending is Ending.FOUND
    assert list(spec.blanks) == ["loc", "suffix"]  # an input lists the blanks declared in its block
    assert all(TIME.fullmatch(value["suffix"]) for value in suite.values)
    assert len({value["loc"].zone for value in suite.values}) > 10


def test_figure_8_asks_for_more_than_there_is_and_gets_every_pair():
    [spec] = read_program(FIGURE_8.read_text())

    suite = generate(spec, "all")

    assert suite.status.ending is Ending.COMPLETE
    assert len(suite) == 11 * 51  # branches of the time by time zones


def test_an_event_of_figure_8_is_an_object_with_all_its_fields():
    text = FIGURE_8.read_text().replace("(declare loc ?Location)", "(declare loc ?Location) (declare party ?event)")

    [spec] = read_program(text)
    values = generate(spec, 5).values

    assert list(values[0]["party"]) == ["eventName", "location", "startTime", "duration"]
    assert all(value["party"]["duration"] >= 0 for value in values)
    assert all(re.fullmatch(f"({TIME.pattern})?", value["party"]["eventName"]["timeSuff"]) for value in values)


def test_the_black_box_time_has_two_branches():
    [suite] = suites(paper.BLACK_BOX.replace("Regexp 2", "Regexp all")).values()

    assert [value["time"][0] in "01" for value in suite.values].count(True) == 1
    assert len(suite) == 2
    assert suite.status.ending is Ending.COMPLETE


def test_the_white_box_time_has_72_branches():
    [suite] = suites(paper.WHITE_BOX).values()

    assert len(suite) == 72  # 4 x 3 x 3 x 2
    assert all(value["time"][2] == ":" for value in suite.values)


def test_both_times_give_strings_that_are_not_equal():
    found = suites(paper.NOT_EQUAL)

    texts = {name: [value["time"] for value in suite.values] for name, suite in found.items()}
    assert len(set(texts["black"])) == len(set(texts["white"])) == 60
    assert all(re.fullmatch(r"(([0-1]\d)|(2[0-3])):[0-5]\d", text) for text in texts["black"])
    assert all(re.fullmatch(r"[0-9X]\d:\d\d", text) for text in texts["white"])


def test_an_assertion_of_the_program_is_given_what_the_statement_is_about():
    [suite] = suites(paper.HOURS).values()

    assert sorted(value["numHours"] for value in suite.values) == [0, 1, 2, 3]


def test_a_choice_in_the_open_takes_each_assertion_once():
    [suite] = suites(paper.CHOSEN).values()

    taken = [(value["b0"], value["b1"] and not value["b0"]) for value in suite.values]
    assert sorted(taken) == [(False, False), (False, True), (True, False)]


def test_a_basic_string_is_made_of_what_the_regex_lists():
    program = f"(program b (declare basic-string {paper.BASIC_STRING}) (generate g 50 (declare s ?basic-string)))"

    [suite] = suites(program).values()

    assert len(suite) == 50
    assert all(re.fullmatch(r"[a-zA-Z0-9|;_,:=@!'%#. /-]*", value["s"]) for value in suite.values)


def test_usernames_differ_in_every_way_of_section_4():
    found = suites(paper.USERNAMES)

    lengths = [len(value["username"]) for value in found["lengths"].values]
    assert len(found["notEqual"]) == 10
    assert len(set(lengths)) == len(lengths) == 10
    assert len(found["edits"]) == 5
    assert len({len(value["username"]) for value in found["related"].values}) == 5
    assert len(found["covered"]) == 8  # four classes of characters, short and long


def test_enumerations_visit_each_assertion_and_prefer_small_numbers():
    found = suites(paper.ENUMERATED)

    numbers = sorted(value["x"] for value in found["preferSmall"].values)
    assert len(found["linear"]) == len(found["never3"]) == 3
    assert numbers[:99] == list(range(1, 100))
    assert len(numbers) == 99 + 18  # 100, 150 … 950
    assert found["preferSmall"].status.ending is Ending.COMPLETE


def test_products_are_covered_by_a_recursive_primitive_in_python():
    module = types.ModuleType("shop")
    exec(paper.PRODUCTS_MODULE, module.__dict__)

    [suite] = suites(paper.PRODUCTS, primitives_of(module)).values()

    found = [(value["item"]["subcategory"], value["item"]["price"]) for value in suite.values]
    assert len(found) == 6  # two prices 50 apart in each of three subcategories
    assert {name for name, _ in found} == {"rock", "jazz", "boots"}


def test_retail_items_differ_in_category_or_by_50_in_price():
    [suite] = suites(paper.RETAIL).values()

    assert len(suite) == 12  # three categories by 1, 51, 101, 151


def test_three_strings_come_from_three_branches():
    [suite] = suites(paper.BRANCHES).values()

    texts = [each["s"] for each in suite.values]
    assert [sum(bool(re.fullmatch(branch, text)) for text in texts) for branch in ("[a-z]+", "[0-9]+", "_")] == [
        1,
        1,
        1,
    ]


def test_a_cover_made_of_enumerate_by_the_user_visits_each_class_once():
    module = types.ModuleType("structural")
    exec(paper.STRUCTURAL_MODULE, module.__dict__)

    [suite] = suites(paper.STRUCTURAL, primitives_of(module)).values()

    texts = [each["username"] for each in suite.values]
    assert suite.status.ending is Ending.COMPLETE
    assert [sum(bool(re.fullmatch(kind, text)) for text in texts) for kind in ("[a-z]", "[A-Z]", "[0-9]", "_")] == [
        1
    ] * 4


@pytest.mark.parametrize(("program", "most"), [(paper.ANY_CHARACTER, 1), (paper.FULL_NAMES, 20)])
def test_other_programs_run(program, most):
    [suite] = suites(program).values()

    assert len(suite) == most


def test_the_queries_of_the_tables_run():
    assert [len(suite) for suite in suites(paper.TABLES).values()] == [200, 100, 50, 1000]


def test_time_zones_differ_when_their_iana_names_do():
    program = """
    (program zones (generate g all
      (declare a ?(Location "Brisbane" "Sydney"))
      (constrain-solutions a different-time-zones)))"""

    [suite] = suites(program).values()

    assert len(suite) == 2  # the same time in winter, but two names
    assert unlike.Place("Brisbane", "Sydney").members[0].zone == "Australia/Brisbane"


def test_the_programs_of_the_documents_run():
    page = (Path(__file__).parent.parent.parent / "docs/reference/programs.md").read_text()
    shown = page.split("```")[1::2]
    [python] = [block.removeprefix("python") for block in shown if block.startswith("python")]
    module = types.ModuleType("shop")
    exec(python, module.__dict__)

    found = [suite for text in shown if "(program" in text for suite in suites(text, primitives_of(module)).values()]

    assert [len(suite) for suite in found] == [100, 3]
    assert sorted(value["price"] for value in found[1].values) == [100, 300, 500]


def test_the_example_is_figure_8_laid_out():
    example = Path(__file__).parent.parent.parent / "examples/calendar.iorek"

    assert read_program(example.read_text()) == read_program(FIGURE_8.read_text())
