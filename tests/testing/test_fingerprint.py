"""The fingerprint changes when the meaning of a spec may have changed, and at nothing else."""

import dataclasses
import importlib.util
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import unlike
from unlike import Int, OneOf, Place, Spec, Str, cover, differs_by, distance, predicate, python_difference
from unlike.structure.shapes import CodeLine, Constants, EntryCount, Field, ItemsShape, NamedFields, Numbers
from unlike.testing.fingerprint import SAVED_MODULES, SAVED_NAMES, canonical, fingerprint
from unlike.testing.sources.spec import SpecSource

SPEC = """
from unlike import *

LIMIT = 5
DAYS = {{"a": 1}}

def even(number):
    return number % 2 == 0

{predicate}

def far(one, other):
    return one.x > other.x

{spec}
"""
PREDICATE = "def good(x):\n    return even(x) and x > LIMIT and x not in DAYS.values()"
USE = "spec = Spec({'x': Int(0, 99)}, where=predicate(good), different=python_difference(far))"


def mark(spec, seed=0):
    return SpecSource(spec, seed, {}).fingerprint


@pytest.fixture
def written(tmp_path):
    """Return the fingerprint of the spec in a module written anew each time."""
    count = iter(range(100))

    def written(predicate=PREDICATE, spec=USE, **changes):
        text = SPEC.format(predicate=predicate, spec=spec)
        for old, new in changes.values():
            assert old in text
            text = text.replace(old, new)
        file = tmp_path / f"written_{next(count)}.py"
        file.write_text(text)
        found = importlib.util.spec_from_file_location("written", file)
        module = importlib.util.module_from_spec(found)
        sys.modules["written"] = module
        found.loader.exec_module(module)
        return mark(module.spec)

    yield written
    sys.modules.pop("written", None)


def test_a_change_of_bounds_assertions_difference_or_seed_changes_it():
    def spec(value=Int(0, 9), where=lambda x: x > 2, different=differs_by("x")):  # noqa: B008
        return Spec({"x": value}, where=where, different=different)

    marks = [
        mark(spec()),
        mark(spec(value=Int(0, 8))),
        mark(spec(value=OneOf(0, 9))),
        mark(spec(where=lambda x: x > 3)),
        mark(spec(different=distance("x", 2))),
        mark(spec(different=distance("x", 3))),
        mark(spec(), seed=1),
    ]

    assert len(set(marks)) == len(marks)
    assert mark(spec(where=lambda x: x > 1 + 1)) == marks[0], "it is the meaning that counts, not the way it is written"


def test_it_is_short_and_the_same_in_every_process():
    code = """
        from unlike import *
        from unlike.testing.sources.spec import SpecSource
        spec = Spec({"p": Place(), "s": Str("a|b"), "o": OneOf(1, "a", None)}, different=cover.regex("s", "a|b"))
        print(SpecSource(spec, 0, {}).fingerprint)
    """
    spec = Spec({"p": Place(), "s": Str("a|b"), "o": OneOf(1, "a", None)}, different=cover.regex("s", "a|b"))

    told = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)

    assert told.stdout.strip() == mark(spec)
    assert len(mark(spec)) == 16


@pytest.mark.parametrize(
    ("what", "old", "new"),
    [
        ("the body of a predicate", "x > LIMIT", "x >= LIMIT"),
        ("a constant that it reads", "LIMIT = 5", "LIMIT = 6"),
        ("a container that it reads", '{"a": 1}', '{"a": 2}'),
        ("a function that it calls", "number % 2 == 0", "number % 2 == 1"),
        ("a function in the difference", "one.x > other.x", "one.x >= other.x"),
    ],
)
def test_a_change_of_a_user_function_changes_it(written, what, old, new):
    assert written() != written(change=(old, new)), what


def test_comments_blank_lines_and_neighbours_do_not_change_it(written):
    plain = written()

    assert written(predicate="\n\n" + PREDICATE.replace("(x):\n", "(x):\n    # why\n\n")) == plain
    assert written(spec="unrelated = 7\n" + USE) == plain


@pytest.mark.parametrize(
    ("what", "other"),
    [
        ("a comment behind a line", PREDICATE.replace("(x):", "(x):  # why") + "  # because"),
        ("a docstring", PREDICATE.replace("(x):\n", '(x):\n    """Say why."""\n')),
        (
            "a line that is broken",
            PREDICATE.replace("even(x) and x", "(\n        even( x )\n        and x") + "\n    )",
        ),
        ("spaces and the margin", PREDICATE.replace("\n    ", "\n  ").replace(" > ", ">")),
    ],
)
def test_formatting_does_not_change_it(written, what, other):
    assert written(predicate=other) == written(), what


def test_formatting_of_a_lambda_does_not_change_it(written):
    line = "spec = Spec({{'x': Int(0, 9)}}, where=predicate({}))"
    one = written(spec=line.format("lambda x: x > 3 and x != 'a'"))

    assert written(spec=line.format('lambda  x :(  # why\n    x>3 and x != "a")')) == one
    assert written(spec=line.format("lambda x: x > 3 and x != 'b'")) != one


def test_our_own_modules_count_by_name_alone_wherever_they_are():
    own = unlike.testing.fingerprint.source_of  # in a checkout, too, where nothing is in site-packages

    assert canonical(own) == ["function", "unlike.testing.fingerprint", "source_of"]


def test_a_lambda_is_known_by_its_own_text(written):
    line = "spec, other = Spec({{'x': Int(0, 9)}}, where=predicate(lambda x: x > {})), (lambda x: x > {})"
    one = written(spec=line.format(3, 4))

    assert written(spec=line.format(5, 4)) != one
    assert written(spec=line.format(3, 5)) == one, "another lambda on the same line does not matter"


def test_functions_made_on_the_fly_are_known_by_what_they_closed_over():
    def above(limit):
        return predicate(lambda x: x > limit)

    marks = {mark(Spec({"x": Int(0, 9)}, where=above(limit))) for limit in (1, 2, 1)}

    assert len(marks) == 2


def test_a_function_without_source_still_has_a_fingerprint():
    made = eval("lambda a, b: a.x != b.x")
    spec = Spec({"x": Int(0, 9), "y": Str()}, different=python_difference(made))

    assert mark(spec) == mark(spec)

    others = [eval(f"lambda a, b: a.x > b.x + {number}") for number in (1, 2)]
    assert fingerprint(others[0]) != fingerprint(others[1])


def test_a_class_with_a_new_name_keeps_the_fingerprint_that_files_were_saved_with():
    number = Numbers(CodeLine("int"), 0, 9)
    fields = (Field("a", number), Field("b", ItemsShape(Constants((1, 2)), 0, 2)))
    shape = NamedFields(fields, counted=(EntryCount(("a", "b"), 1),))

    assert canonical(number)[1][0] == "Line"
    assert (
        fingerprint(shape) == "69421cff15f563c5"
    )  # as computed when the classes were called Fields, Items, Line, Counted


def test_every_saved_name_stands_for_something_that_exists():
    sources = "\n".join(path.read_text() for path in Path(unlike.__file__).parent.rglob("*.py"))

    assert all(f"class {name}" in sources for name in SAVED_NAMES)
    assert all(importlib.util.find_spec(module) for module in SAVED_MODULES)


def test_a_class_of_the_user_is_known_by_its_own_name_whatever_ours_are_called():
    named = dataclasses.make_dataclass("NamedFields", ["x"], namespace={"__module__": "shop"})

    assert canonical(named(1)) == ["NamedFields", 1]
