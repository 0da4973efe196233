"""`unlike program` and `unlike generate FILE.iorek` as a user types them."""

import json

import pytest
from tests import warm

PROGRAM = """; prices
(program shop
(declare price ?(Integer 0 9)) ; in euros
 (generate far all (specify price (is-even)) (constrain-solutions price (numeric-distance 4)))
 (generate near 2 (constrain-solutions price not-equal)))
"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "shop.iorek").write_text(PROGRAM)
    (tmp_path / "mine.py").write_text("def is_even(x):\n    return x % 2 == 0\n")
    (tmp_path / "bad.iorek").write_text("(program p (generate g 5 (declare x ?Integer) (specify x (gtee 5))))")
    (tmp_path / "never.iorek").write_text(
        "(declare x ?Integer)\n(specify x (gt 5))\n(specify x (lt 5))\n(generate g 5)"
    )
    (tmp_path / "bytes.iorek").write_bytes(b"\xff\xfe(program")
    (tmp_path / "specs.py").write_text(
        "from unlike import *\nodd = Spec({'x': Int(0, 9)}, where=lambda x: x % 2 == 1)\n"
    )
    return tmp_path


def run(project, *words):
    done = warm.run(words, project)
    assert "Traceback" not in done.stderr
    return done


def test_generate_runs_every_spec_of_a_program(project):
    done = run(project, "generate", "shop.iorek", "--with", "mine")

    inputs = json.loads(done.stdout)["cases"]["inputs"]
    assert done.returncode == 0
    assert sorted(each["value"]["price"] for each in inputs if each["part"] == "far") == [0, 4, 8]
    assert [each["part"] for each in inputs].count("near") == 2


def test_generate_runs_one_spec_by_name(project):
    done = run(project, "generate", "shop.iorek", "--with", "mine.py", "--spec", "far", "--count")

    assert done.stdout == "3\n"


def test_program_lays_out_and_keeps_comments_and_writes_only_if_asked(project):
    shown = run(project, "program", "shop.iorek", "--with", "mine")
    before = (project / "shop.iorek").read_text()
    written = run(project, "program", "shop.iorek", "--with", "mine", "--write")

    assert shown.returncode == written.returncode == 0
    assert before == PROGRAM
    assert (project / "shop.iorek").read_text() == shown.stdout
    assert "; prices\n(program shop\n  (declare price ?(Integer 0 9)) ; in euros\n" in shown.stdout
    assert "in order; specs: far, near" in shown.stderr


def test_a_python_spec_is_written_as_a_program(project):
    run(project, "program", "specs:odd", "-o", "odd.iorek")

    done = run(project, "generate", "odd.iorek", "--format", "jsonl", "--all")

    assert sorted(json.loads(line)["x"] for line in done.stdout.splitlines()) == [1, 3, 5, 7, 9]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("generate", "bad.iorek"),
            "bad.iorek:1:58: (gtee 5): there is no assertion or term 'gtee'; did you mean 'gte'?",
        ),
        (("program", "bad.iorek", "--write"), "bad.iorek:1:58"),
        (("program", "nowhere.iorek"), "cannot be read: No such file"),
        (("generate", "bytes.iorek"), "is not UTF-8 text"),
        (("generate", "shop.iorek"), "no assertion or term 'is-even'"),
        (("generate", "shop.iorek", "--with", "nowhere"), "there is no module 'nowhere'"),
        (("generate", "specs:odd", "--with", "mine"), "gives primitives to a program"),
        (("program", "specs:odd", "--write"), "is no file"),
    ],
)
def test_bad_input_is_one_message_and_exit_code_2(project, words, said):
    done = run(project, *words)

    assert done.returncode == 2
    assert said in done.stderr


def test_a_contradiction_is_exit_code_1_with_the_lines(project):
    done = run(project, "generate", "never.iorek")

    assert done.returncode == 1
    assert json.loads(done.stdout)["status"]["clash"] == ["line 2: (specify x (gt 5))", "line 3: (specify x (lt 5))"]


def test_encoding_and_solver_are_flags_and_the_status_says_who_answered(project):
    words = ["generate", "never.iorek", "--encoding", "all-at-once", "--solver", "cvc5"]
    done = run(project, *words)
    near = run(project, "generate", "shop.iorek", "--with", "mine", "--spec", "near", "--encoding", "distinct")

    assert done.returncode == 1
    assert "of cvc5" in done.stderr
    assert near.returncode == 0
    assert "1 answer of z3" in near.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--encoding", "some"), "'some' is not one of"),
        (("--solver", "no-such-solver -in"), "there is no program 'no-such-solver'"),
        (("--spec", "far", "--encoding", "distinct"), "needs a difference that is a key"),
        (("--count", "--encoding", "loop"), "leave out --encoding and --solver"),
    ],
)
def test_an_encoding_or_a_solver_that_will_not_do_is_one_message(project, words, said):
    done = run(project, "generate", "shop.iorek", "--with", "mine", *words)

    assert done.returncode == 2
    assert said in done.stderr


def test_what_takes_too_long_is_cut_short_and_no_bad_input(project):
    (project / "slow.py").write_text("import time\ntime.sleep(9)\n")
    done = run(project, "program", "slow:specs", "--timeout", "0.2")

    assert done.returncode == 3
    assert done.stderr == "cut short: took more than 0.2 s; --timeout and --memory say how much it may take\n"
