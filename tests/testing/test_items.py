"""What becomes of a test with blanks: items, ids, messages; every other feature of pytest goes on working."""

import json
import re

import pytest

import unlike.specs.generate  # loaded once, not again for each run inside this process
import unlike.testing.prepare
from unlike.testing.sources.base import digest

QUIET = ["-p", "no:hypothesispytest", "-p", "no:xdist"]
HEAD = "import enum, datetime, pytest, unittest\nimport unlike\nfrom unlike import *\n\n"


@pytest.fixture
def run(pytester):
    """Write a test module and run pytest on it inside this process."""

    def run(body, *arguments, cache=False):
        pytester.makepyfile(test_it=HEAD + body)
        quiet = QUIET if cache else [*QUIET, "-p", "no:cacheprovider"]
        return pytester.runpytest_inprocess(*quiet, *arguments)

    return run


def ids(result):
    """Return the parts between brackets of the items that ran, in order."""
    return re.findall(r"^test_it\.py::\S+\[(.*)\] (?:PASSED|FAILED)", result.stdout.str(), re.MULTILINE)


def test_annotated_parameters_that_no_fixture_provides_are_blanks(run):
    result = run(
        """
@pytest.fixture
def given(): return "given"

@unlike.inputs(4)
def test_it(given, x: Int(0, 9), tmp_path, flag: bool):
    assert given == "given" and tmp_path.is_dir() and type(x) is int and type(flag) is bool
""",
        "-v",
    )

    result.assert_outcomes(passed=4)
    assert len(set(ids(result))) == 4


def test_a_fixture_goes_before_an_annotation(run):
    result = run(
        """
@pytest.fixture
def x() -> int: return "a fixture"

@unlike.inputs(3)
def test_it(x: int, y: Int(1, 3)):
    assert x == "a fixture"
"""
    )

    result.assert_outcomes(passed=3)


def test_a_fixture_may_ask_for_a_blank(run):
    result = run(
        """
@pytest.fixture
def doubled(x): return x * 2

@unlike.inputs(3)
def test_it(x: Int(1, 3), doubled):
    assert doubled == 2 * x
"""
    )

    result.assert_outcomes(passed=3)


def test_blanks_can_be_named_in_the_decorator(run):
    result = run(
        """
@unlike.inputs(3, blanks={"path": Str(r"[a-c]")}, different=differs_by("path"))
def test_it(path):
    assert path in "abc"
""",
        "-v",
    )

    result.assert_outcomes(passed=3)
    assert ids(result) == ["a", "b", "c"]


def test_a_spec_written_elsewhere_fills_the_parameters_of_its_name(run):
    result = run(
        """
SPEC = Spec({"x": Int(0, 99), "y": Int(0, 99)}, where=lambda x, y: x + y == 7, name="sevens")

@unlike.inputs("all", spec=SPEC)
def test_it(x, y):
    assert x + y == 7

@unlike.inputs(spec=Spec({"x": Int(0, 99)}, n=3))
def test_its_own_number(x):
    pass
"""
    )

    result.assert_outcomes(passed=8 + 3)


def test_postponed_annotations_and_basic_types_are_read(run):
    result = run(
        """
from typing import Annotated, Literal

class Color(enum.Enum):
    RED = 1
    BLUE = 2

def annotated(function):
    function.__annotations__ = {name: str(each) for name, each in function.__annotations__.items()}
    return function

@unlike.inputs(5)
@annotated
def test_it(a: "Int(0, 9)", b: "Annotated[int, Int(5, 6)]", c: "Literal['x', 'y']", d: "list[bool]",
            e: "datetime.date", f: "datetime.time", g: "float", h: "str", i: "int | None", j: "Color"):
    assert 0 <= a <= 9 and b in (5, 6) and c in ("x", "y") and isinstance(d, list)
    assert type(e) is datetime.date and type(f) is datetime.time and type(g) is float and type(h) is str
    assert i is None or type(i) is int
    assert isinstance(j, Color)
"""
    )

    result.assert_outcomes(passed=5)


def test_classes_methods_parametrize_mocks_and_marks_mix_with_blanks(run):
    result = run(
        """
from unittest import mock

@unlike.inputs(2)
class TestAll:
    @pytest.mark.parametrize("a, b", [(1, 2), (3, 4)])
    def test_one(self, a, b, x: Int(0, 1)):
        assert a < b and x in (0, 1)

    def test_without_blanks(self):
        pass

    @staticmethod
    def test_static(x: Int(0, 1)):
        assert x in (0, 1)

@mock.patch("os.getcwd", return_value="nowhere")
@unlike.inputs(2)
def test_mocked(getcwd, x: Int(0, 1)):
    import os
    assert os.getcwd() == "nowhere"

@pytest.mark.skipif(True, reason="marked")
@unlike.inputs(2)
def test_skipped(x: Int(0, 1)):
    assert False

@pytest.mark.xfail(strict=True)
@unlike.inputs(2)
def test_expected(x: Int(0, 1)):
    assert False
"""
    )

    result.assert_outcomes(passed=4 + 1 + 2 + 2, skipped=2, xfailed=2)


def test_an_async_test_gets_its_inputs_from_whatever_plugin_runs_it(run, pytester):
    pytester.makeconftest(
        """
import asyncio, inspect, pytest

@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if inspect.iscoroutinefunction(pyfuncitem.obj):
        names = pyfuncitem._fixtureinfo.argnames
        asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
        return True
"""
    )
    result = run(
        """
@unlike.inputs(3)
async def test_it(x: Int(0, 9)):
    assert x != 0
"""
    )

    result.assert_outcomes(passed=2, failed=1)


def test_every_item_has_objects_of_its_own(run):
    result = run(
        """
SHARED = ([1], [2])

@unlike.inputs("all")
@pytest.mark.parametrize("again", [1, 2])
def test_it(items: List(Int(0, 1), max_length=1), one: OneOf(*SHARED), again):
    assert len(items) < 2 and len(one) == 1
    items.append(7)
    one.append(7)

def test_the_members_of_an_enumeration_are_as_they_were():
    assert SHARED == ([1], [2])
"""
    )

    result.assert_outcomes(passed=3 * 2 * 2 + 1)


def test_a_failing_item_shows_its_input_as_python_to_copy(run, pytester):
    pytester.makepyfile(
        shapes="""
import dataclasses, enum

class Color(enum.Enum):
    RED = 1

@dataclasses.dataclass
class Box:
    width: int
    color: Color
"""
    )
    result = run(
        """
from shapes import Box, Color

@unlike.inputs(1)
def test_it(box: record(Box, width=Int(3, 3), color=OneOf(Color)), day: Date(datetime.date(2024, 2, 29))):
    assert False
"""
    )

    text = result.stdout.str()
    section = text.partition("unlike: this input as Python ---")[2].partition("\n")[2].partition("\n---")[0]
    found = {}
    pytester.syspathinsert()
    exec(section.partition("\n===")[0], found)
    assert (found["box"].width, found["box"].color.name, found["day"].isoformat()) == (3, "RED", "2024-02-29")


def test_ids_are_short_unique_and_readable(run):
    result = run(
        """
@unlike.inputs(40)
def test_it(text: Str(max_length=60, min_length=58), place: Place("Tokyo", "Apia"), gone: Option(Int(0, 1))):
    pass

@unlike.inputs("all")
def test_odd(text: OneOf("", "a b", "a_b", "[", "]", "é", "::", "x" * 90)):
    pass
""",
        "-v",
        "--strict-markers",
        "--strict-config",
    )

    result.assert_outcomes(passed=48)
    found = ids(result)
    assert len(set(found)) == 48
    assert all(len(each) <= 60 and re.fullmatch(r"[ -~]+", each) for each in found)
    named = {"left_square_bracket", "right_square_bracket", "latin_small_letter_e_with_acute", "colon.colon"}
    assert {"empty", "a_b", "a_b~2", *named} < set(found)


def test_selection_last_failed_durations_and_markers_work(run, pytester):
    body = """
@unlike.inputs("all")
def test_it(x: Int(0, 9)):
    assert x != 3

def test_plain():
    pass
"""
    run(body, cache=True).assert_outcomes(passed=10, failed=1)

    run(body, "--lf", cache=True).assert_outcomes(failed=1)
    run(body, "-k", "test_it and 7").assert_outcomes(passed=1, deselected=10)
    run(body, "-m", "not unlike", "--strict-markers").assert_outcomes(passed=1, deselected=10)
    run(body, "--durations=3", "-vv").stdout.fnmatch_lines(["*slowest 3 durations*"])
    run(body, "test_it.py::test_it[5]").assert_outcomes(passed=1)
    only = run(body, "--collect-only", "-q")
    only.stdout.fnmatch_lines(["test_it.py::test_it[[]3[]]"])
    pytester.makeini("[pytest]\nunlike_frozen = true\nunlike_directory = elsewhere\n")
    run(body).stdout.fnmatch_lines(["*unlike: frozen, directory elsewhere*", "*none were saved before*"])


def test_settings_in_pyproject_are_read(run, pytester):
    pytester.makepyprojecttoml('[tool.pytest.ini_options]\nunlike_directory = "saved"\nunlike_subtests = "5"\n')
    result = run("@unlike.inputs(6)\ndef test_it(x: Int(0, 99)): pass\n", "-v")

    assert ids(result) == ["6-inputs"]
    assert (pytester.path / "saved" / "test_it.json").exists()


def test_without_the_plugin_other_tests_run_and_flags_are_unknown(run):
    body = "@unlike.inputs(3)\ndef test_it(x: int): pass\n\ndef test_plain(): pass\n"

    run(body, "-p", "no:unlike").assert_outcomes(passed=1, errors=1)


def test_many_inputs_run_as_subtests_of_one_item(run, pytester):
    result = run(
        """
@pytest.fixture
def made(): return []

@unlike.inputs(300, subtests=True)
def test_it(x: Int(0, 9999), made):
    made.append(x)
    with open("log", "a") as file: file.write(".")
    if x == 1: pytest.skip("odd")
    assert x != 9998, made
"""
    )

    text = result.stdout.str()
    assert len((pytester.path / "log").read_text()) == 300
    assert "unlike: this input as Python:" in text
    assert "x = 9998" in text
    marked = [line for line in (pytester.path / "__unlike__/test_it.json").read_text().splitlines() if "failed" in line]
    assert [json.loads(line[:-1])["id"] for line in marked] == ["9998"]


def test_objects_of_a_class_are_items_with_blanks_beside_them(run, pytester):
    pytester.makepyfile(
        piles="""
class Pile:
    def __init__(self): self.items = []
    def put(self, item: int):
        if len(self.items) == 2: raise ValueError("full")
        self.items.append(item)
    def __len__(self): return len(self.items)
"""
    )
    body = """
from piles import Pile

@unlike.objects(Pile, scope=2)
def test_all(tmp_path, pile: Pile):
    assert len(pile) <= 2

@unlike.objects(Pile, scope=2)
def test_beside(x: Int(0, 99), pile: Pile):
    before = len(pile)
    if before < 2:
        pile.put(x)
        assert pile.items[-1] == x
"""

    first = run(body, "-v")
    again = run(body, "-v", "--unlike-frozen")

    first.assert_outcomes(passed=14)  # nothing, 0, 1, and the four piles of two; twice
    assert ids(again) == ids(first)
    assert "Pile_put_0" in ids(again)
    pytester.makepyfile(piles=(pytester.path / "piles.py").read_text().replace("== 2", "== 1"))
    run(body, "--unlike-frozen").assert_outcomes(errors=2)


def test_orphans_are_named_and_pruned_but_only_where_everything_was_collected(run, pytester):
    two = """
@unlike.inputs(2)
def test_one(x: Int(0, 9)): pass

class TestTwo:
    @unlike.inputs(2)
    def test_two(self, x: Int(0, 9)): pass
"""
    one = two.partition("class")[0]
    saved = pytester.path / "__unlike__" / "test_it.json"
    gone = pytester.path / "__unlike__" / "test_gone.json"
    run(two)
    gone.write_text(saved.read_text())

    assert "no test has" not in run(two, "test_it.py::test_one").stdout.str()
    assert "no test has" not in run(one + "raise RuntimeError", "-q").stdout.str()
    assert "no test has" not in run("pytest.skip('all', allow_module_level=True)\n" + one).stdout.str()
    run(one).stdout.fnmatch_lines(
        [
            "__unlike__/test_gone.json: no test has the inputs of TestTwo::test_two, test_one; --unlike-prune drops them",
            "__unlike__/test_it.json: no test has the inputs of TestTwo::test_two; --unlike-prune drops them",
        ]
    )
    run(one, "--unlike-prune").stdout.fnmatch_lines(["*dropped the inputs of TestTwo::test_two"])
    assert not gone.exists()
    assert "TestTwo" not in saved.read_text()
    run(one, "--unlike-frozen").assert_outcomes(passed=2)


def test_a_rerun_of_an_item_gets_fresh_objects(run, pytester):
    pytester.makeconftest(
        """
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for _ in range(2):
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    return True
"""
    )
    result = run(
        "@unlike.inputs(2)\ndef test_it(items: List(Int(0, 1), min_length=1)):\n    items.clear() if items else 1 / 0"
    )

    result.assert_outcomes(passed=2)


# -- bad input: a clear message on the item, other tests unaffected ----------------------------------------------

BAD = {
    "a parameter with neither annotation nor fixture": (
        "@unlike.inputs(3)\ndef test_bad(q): pass",
        "parameter 'q' has neither an annotation nor a fixture",
    ),
    "a spec that no input satisfies": (
        "@unlike.inputs(3, where=lambda q: q > 9)\ndef test_bad(q: Int(0, 9)): pass",
        "no input exists; these clash: q > 9",
    ),
    "a blank that is no parameter": (
        "@unlike.inputs(3, blanks={'pth': Str()})\ndef test_bad(path): pass",
        "has no parameter 'pth' to fill",
    ),
    "an annotation that means nothing": (
        "import types\n\n@unlike.inputs(3)\ndef test_bad(q: types.FrameType): pass",
        "q: frame is not a type whose values can be generated",
    ),
    "an annotation whose rules are not understood": (
        "import types, typing\n\n@unlike.inputs(3)\ndef test_bad(q: typing.Annotated[types.FrameType, 'at least 3']): pass",
        "q: frame is not a type whose values can be generated",
    ),
    "an annotation that cannot be evaluated": (
        "@unlike.inputs(3)\ndef test_bad(q: 'Missing'): pass",
        "the annotation 'Missing' of 'q' cannot be read: name 'Missing' is not defined",
    ),
    "a spec that raises": (
        "@unlike.inputs(3, where=lambda q: 1 / 0)\ndef test_bad(q: Int(0, 9)): pass",
        "ZeroDivisionError",
    ),
    "an unknown name in a difference": (
        "@unlike.inputs(3, different=differs_by('r'))\ndef test_bad(q: Int(0, 9)): pass",
        "'r' is not a blank of this spec",
    ),
    "no blank at all": ("@unlike.inputs(3)\ndef test_bad(tmp_path): pass", "test_bad has no blanks"),
    "a type that cannot be saved": (
        "@unlike.inputs(3)\ndef test_bad(q: OneOf(type('Odd', (), {'__repr__': lambda self: '<odd>'})(), 1)): pass",
        "<odd> cannot be saved: Odd has no literal form. Register an encoder",
    ),
    "a unittest.TestCase": (
        "@unlike.inputs(3)\nclass TestBad(unittest.TestCase):\n    def test_bad(self, q: int): pass",
        "TestBad is a unittest.TestCase",
    ),
    "a method of a unittest.TestCase": (
        "class TestBad(unittest.TestCase):\n    @unlike.inputs(3)\n    def test_bad(self, q: int): pass",
        "TestBad is a unittest.TestCase",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_one_message_on_the_item_and_other_tests_run(run, what):
    body, message = BAD[what]

    result = run(f"{body}\n\ndef test_plain(): pass\n\n@unlike.inputs(2)\ndef test_good(x: Int(0, 1)): pass\n")

    result.assert_outcomes(passed=3, errors=1)
    assert message in result.stdout.str()
    assert "Traceback" not in result.stdout.str() or what == "a spec that raises"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--unlike-frozen", "--unlike-prepare"], "--unlike-frozen never writes"),
        (["--unlike-frozen", "--unlike-forget", "x"], "--unlike-frozen never writes"),
        (["--unlike-n=0"], "--unlike-n=0 must be at least 1"),
        (["--unlike-prune", "-k", "x"], "--unlike-prune needs whole test files"),
        (["-o", "unlike_timeout=soon"], "unlike_timeout = 'soon' must be a number above 0"),
        (["-o", "unlike_subtests=many"], "unlike_subtests = 'many' must be a number above 0"),
    ],
)
def test_flags_that_make_no_sense_are_refused(run, arguments, message):
    result = run("def test_plain(): pass", *arguments)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert message in result.stderr.str()


def test_an_encoder_registered_in_a_decorator_or_conftest_makes_a_type_savable(run, pytester):
    pytester.makepyfile(
        money="""
class Money:
    def __init__(self, cents, currency): self.cents, self.currency = cents, currency
    def __eq__(self, other): return (self.cents, self.currency) == (other.cents, other.currency)
    __hash__ = None
"""
    )
    test = """
from money import Money

@unlike.inputs("all"{encoders})
def test_it(price: OneOf(Money(1, "EUR"), Money(2, "USD"))):
    assert price.cents in (1, 2)
"""
    encoder = "{Money: lambda money: (money.cents, money.currency)}"

    run(test.format(encoders=f", encoders={encoder}")).assert_outcomes(passed=2)
    pytester.makeconftest(f"from money import Money\n\ndef pytest_unlike_encoders(): return {encoder}\n")
    run(test.format(encoders=""), "--unlike-frozen").assert_outcomes(passed=2)


def test_a_directory_that_cannot_be_written_is_a_message_on_the_item(run, pytester):
    (pytester.path / "__unlike__").write_text("a file where the directory ought to be")

    result = run("@unlike.inputs(3)\ndef test_it(x: int): pass\n\ndef test_plain(): pass\n")

    result.assert_outcomes(passed=1, errors=1)
    assert "cannot be" in result.stdout.str()


def test_a_decorator_refuses_what_it_cannot_mean():
    with pytest.raises(unlike.ScopeError, match="needs parentheses"):
        unlike.inputs(lambda x: x)
    with pytest.raises(unlike.ScopeError, match="an int of at least 1"):
        unlike.inputs(0)
    with pytest.raises(unlike.SpecError, match="decorated twice"):
        unlike.inputs(1)(unlike.inputs(2)(lambda x: x))


def test_pytest_starts_without_the_package_where_no_test_has_blanks(pytester):
    body = "def test_it(): assert 'unlike_pytest' in sys.modules and 'unlike' not in sys.modules"
    pytester.makepyfile(test_it=f"import sys\n\n{body}\n")
    named = "error::unlike_pytest.TooFewInputsWarning"

    result = pytester.runpytest_subprocess(*QUIET, "-W", named, "-o", "unlike_short=warn", "-v")

    result.assert_outcomes(passed=1)


MIXED = """
import re
from typing import Annotated

@unlike.inputs(24, mix=True)
def test_text(code: Annotated[str, Matching("[A-Z]{2}-?[0-9]+")], legal: bool):
    assert bool(re.fullmatch("[A-Z]{2}-?[0-9]+", code)) is legal

@unlike.inputs(20, mix=0.5)
def test_several(number: Int(1, 9), code: Str("[a-z]{2}"), legal: bool):
    right = type(number) is int and 1 <= number <= 9, type(code) is str and bool(re.fullmatch("[a-z]{2}", code))
    assert all(right) is legal and any(right)

@unlike.inputs(16, mix=True, spec=Spec({"code": Str("[a-z]{2}")}))
def test_of_a_spec(code, legal):
    assert bool(re.fullmatch("[a-z]{2}", code)) is legal

@unlike.inputs(16, mix=True)
def test_that_is_not_told(code: Str("[a-z]{2}")):
    pass
"""


def test_a_mix_tells_which_inputs_are_legal_and_is_replayed(run, pytester):
    run(MIXED).assert_outcomes(passed=76)
    run(MIXED, "--unlike-frozen").assert_outcomes(passed=76)

    [file] = [each for each in pytester.path.glob("__unlike__/*") if each.suffix]
    said = {True: '["recipe", {"steps": [], "result": true}', False: '["recipe", {"steps": [], "result": false}'}
    ends = {each: f'{said[each]}, "{digest({"steps": [], "result": each})}"]' for each in said}
    text = file.read_text()
    for legal, words in ((True, "breaks no rule of the types"), (False, "breaks the type")):
        assert ends[legal] in text
        file.write_text(text.replace(ends[legal], ends[not legal], 1))  # a lie about one input
        assert words in run(MIXED, "--unlike-frozen").stdout.str()


def test_a_mix_beside_what_contradicts_it_is_refused(run):
    result = run("@unlike.inputs(9, mix=True, invalid=True)\ndef test_it(x: Int(0, 9), legal: bool): pass\n")
    assert "contradict each other" in result.stdout.str()
    result = run("@unlike.inputs(9, mix='half')\ndef test_it(x: Int(0, 9), legal: bool): pass\n")
    assert "mix='half' must be True, or the share" in result.stdout.str()
    result = run("@unlike.inputs('all', mix=True)\ndef test_it(x: Int(0, 9), legal: bool): pass\n")
    assert "needs a number of them" in result.stdout.str()
