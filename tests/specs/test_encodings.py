"""Every encoding gives the same verdict on n wherever it answers."""

import itertools
import shutil
import sys
from pathlib import Path

import pytest
from tests.corpora import few_of

from unlike import (
    Bool,
    Ending,
    Int,
    OneOf,
    Option,
    Place,
    ScopeError,
    SolverError,
    Spec,
    Str,
    blank,
    cover,
    different_lengths,
    differs_by,
    distance,
    edit_distance,
    enumerate_linear,
    generate,
    predicate,
    python_difference,
    relation,
    some_of,
)

PIPED = f"{shutil.which('z3', path=str(Path(sys.executable).parent)) or 'z3'} -in"
X = blank("x", Int(0, 9))

# differences whose opposite is an equivalence, with the number of classes, and whether the difference is a key
CLASSES = {
    "not equal": (Spec({"x": Int(3, 8)}), 6, True),
    "not equal, an enumeration": (Spec({"x": OneOf("a", 2, None, "c")}), 4, True),
    "not equal, two blanks": (Spec({"x": Int(0, 2), "y": Bool()}), 6, False),
    "not equal, an option": (Spec({"x": Option(Int(0, 2))}), 4, False),
    "lengths": (Spec({"s": Str("[a-z]*", max_length=5)}, different=different_lengths("s")), 6, True),
    "time zones": (
        Spec({"p": Place("Tokyo", "Lima", "London")}, different=differs_by(lambda p: p.zone)),
        3,
        True,
    ),
    "by a term": (Spec({"x": Int(0, 50)}, different=differs_by(lambda x: x // 10)), 6, True),
    "by two terms": (
        Spec({"x": Int(0, 8), "y": Int(0, 3)}, different=[differs_by(lambda x: x // 4), differs_by(lambda y: y // 2)]),
        6,
        False,
    ),
    "a cover": (Spec({"s": Str(max_length=4)}, different=cover.regex("s", "[a-c]|[0-9][0-9]|x?y")), 4, True),
    "choices": (Spec({"x": Int(0, 9)}, different=enumerate_linear([X < 3, X == 5, X > 7])), 3, True),
}
# what a twentieth of the usual effort leaves open with quantifiers: nearly all about strings, and proofs by pigeonholes
LEFT_OPEN = {
    *(("lengths", more) for more in (0, 1)),
    *(("by two terms", more) for more in (0, 1)),
    *((name, 1) for name in ("not equal", "not equal, two blanks", "by a term", "a cover")),
}
ASKED = ("loop", "distinct", "all-at-once", "forall")


@pytest.mark.few(5)
@pytest.mark.parametrize("encoding", ASKED)
@pytest.mark.parametrize("name", few_of(CLASSES, 4))
def test_encodings_agree_on_whether_n_is_possible(name, encoding):
    spec, classes, is_key = CLASSES[name]
    if encoding == "distinct" and not is_key:
        with pytest.raises(SolverError, match="is none; use 'loop' or 'all-at-once'"):
            generate(spec, classes, encoding=encoding)
        return

    for n, ending in ((classes, Ending.FOUND), (classes + 1, Ending.COMPLETE)):
        suite = generate(spec, n, encoding=encoding, effort=0.05 if encoding == "forall" else 1)

        if encoding == "forall" and (name, n - classes) in LEFT_OPEN and suite.status.cut_short:
            assert suite.status.ending is Ending.UNKNOWN
            assert "z3 gave up (its budget is spent" in suite.status.detail
            continue
        assert len(suite) == classes
        assert suite.status.ending is ending


def test_forall_answers_for_numbers():
    for name in ("not equal", "not equal, two blanks", "by a term", "choices"):
        spec, classes, _ = CLASSES[name]

        assert generate(spec, classes, encoding="forall").status.ending is Ending.FOUND


def test_every_solver_answers_in_every_encoding():
    spec, classes, _ = CLASSES["by a term"]
    for solver in ("cvc5", PIPED):
        for encoding in ("loop", "distinct", "all-at-once"):
            suite = generate(spec, "all", encoding=encoding, solver=solver)

            assert (len(suite), suite.status.ending) == (classes, Ending.COMPLETE)
            assert suite.status.detail.endswith(f" of {solver}")
        assert len(generate(spec, 3, encoding="forall", solver=solver)) == 3


def test_if_all_at_once_proves_n_impossible_the_loop_stops_below_n():
    spec = Spec({"x": Int(0, 30)}, different=distance("x", 7))

    together, loop = (generate(spec, 9, encoding=encoding) for encoding in ("all-at-once", "loop"))

    assert together.status.ending is Ending.COMPLETE
    assert len(together) == 5  # 0, 7, 14, 21, 28
    assert len(loop) <= 5
    assert "No larger set exists" in together.guarantee


@pytest.mark.parametrize(("modulus", "least"), [(5, 2), (7, 3), (11, 6)])
def test_no_encoding_finds_more_than_the_largest_set_of_any_difference(modulus, least):
    def far(a, b):
        return (a * b + a + b) % modulus >= least

    spec = Spec({"x": Int(0, 9)}, different=relation(lambda a, b: far(a.x, b.x)))
    sets = (each for size in range(10, 0, -1) for each in itertools.combinations(range(10), size))
    largest = len(next(each for each in sets if all(far(a, b) for a, b in itertools.combinations(each, 2))))

    together, loop = (generate(spec, largest + 1, encoding=encoding) for encoding in ("all-at-once", "loop"))

    assert (len(together), together.status.ending) == (largest, Ending.COMPLETE)
    assert len(loop) <= largest


def test_what_clashes_is_named_in_every_encoding():
    spec = Spec({"x": Int(0, 9)}, where=[lambda x: x > 5, lambda x: x < 5])
    for encoding in ASKED:
        suite = generate(spec, 3, encoding=encoding)

        assert suite.status.ending is Ending.UNSATISFIABLE
        assert suite.status.clash == ("x > 5", "x < 5")


def test_choices_that_overlap_are_never_met_by_equal_inputs():
    spec = Spec({"x": Int(0, 1)}, different=enumerate_linear([X >= 0, X >= 0, X >= 0]))

    for encoding in ("distinct", "all-at-once", "loop"):
        assert len(generate(spec, "all", encoding=encoding)) == 2


@pytest.mark.parametrize("encoding", ["distinct", "all-at-once", "forall"])
def test_what_no_solver_can_be_told_is_refused(encoding):
    hidden = [
        Spec({"x": Int(0, 9)}, where=predicate(lambda x: x > 3)),
        Spec({"x": Int(0, 9)}, different=python_difference(lambda a, b: a.x != b.x)),
        Spec({"s": Str("[ab]{3}")}, different=some_of(edit_distance("s", 2), differs_by("s"))),
    ]
    for spec in hidden:
        with pytest.raises(SolverError, match="use 'auto' or 'loop'"):
            generate(spec, 3, encoding=encoding)


def test_an_encoding_that_is_none_is_refused():
    with pytest.raises(ScopeError, match="did you mean 'distinct'"):
        generate(CLASSES["lengths"][0], 3, encoding="distict")


@pytest.mark.parametrize("encoding", ["distinct", "all-at-once", "forall"])
def test_a_solver_that_dies_at_once_is_replaced_in_every_encoding(encoding):
    suite = generate(CLASSES["by a term"][0], 3, encoding=encoding, solver="false")

    assert len(suite) == 3
    assert suite.status.detail == "1 answer of z3"


def test_time_cuts_a_question_short():
    spec = Spec({"s": Str("[a-z]*", max_length=64)}, different=different_lengths("s"))

    suite = generate(spec, 60, encoding="all-at-once", timeout=0.5)

    assert suite.status.ending in (Ending.TIMEOUT, Ending.UNKNOWN)
