"""`unlike generate` with foreign code, odd values and odd names."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from tests import warm

MODULE = """
import sys, time
import unlike as u

print("hello from import")


def refuses(a):
    if a == 2:
        raise ValueError("no object")
    return a


def leaves(a):
    sys.exit(7)


def loud(x):
    print("loud", x)
    return True


def slow(x):
    time.sleep(0.02)
    return True


ok = u.Spec({"x": u.Int(0, 3)})
loud_ones = u.Spec({"x": u.Int(0, 3)}, where=u.predicate(loud))
unbuilt = u.Spec({"r": u.record(refuses, a=u.Int(0, 3))})
left = u.Spec({"r": u.record(leaves, a=u.Int(0, 3))})
twins = [u.Spec({"x": u.Int(0, 1)}), u.Spec({"y": u.Int(0, 1)})]
none = []
words = {"class": u.Spec({"x": u.Int(0, 1)})}
halves = u.Spec({"s": u.OneOf("\\ud800", "\\u00e9")})
odd = u.Spec({"s": u.OneOf(float("nan"), float("-inf"), 1.5)})
long = u.Spec({"x": u.Int(0, 100_000)}, where=u.predicate(slow))
hard = u.Spec({"x": u.Int(), "y": u.Int()}, where=lambda x, y: x * y * (x + y) == 600_851_475_143)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("specs")
    (where / "specs.py").write_text(MODULE)
    return where


def unlike(folder, *arguments):
    return warm.run(["generate", *arguments], folder)


@pytest.mark.parametrize("name", ["ok", "loud_ones", "halves", "odd"])
@pytest.mark.parametrize("format_", ["json", "jsonl", "python"])
def test_whatever_user_code_prints_and_whatever_the_values_the_output_parses(folder, name, format_):
    done = unlike(folder, f"specs:{name}", "--format", format_)

    assert done.returncode == 0, done.stderr
    assert "hello from import" in done.stderr
    match format_:
        case "json":
            json.loads(done.stdout, parse_constant=pytest.fail)
        case "jsonl":
            assert [json.loads(line, parse_constant=pytest.fail) for line in done.stdout.splitlines()]
        case "python":
            exec(done.stdout, {})


def test_a_count_is_the_number_alone_also_when_user_code_prints(folder):
    assert unlike(folder, "specs:loud_ones", "--count").stdout == "4\n"


@pytest.mark.parametrize(
    ("name", "found", "ending", "code"), [("unbuilt", 3, "complete", 0), ("left", 0, "unsatisfiable", 1)]
)
def test_what_cannot_be_built_is_no_input_and_all_others_are_delivered(folder, name, found, ending, code):
    done = unlike(folder, f"specs:{name}")

    answer = json.loads(done.stdout)
    assert done.returncode == code
    assert answer["status"]["ending"] == ending
    assert len(answer["cases"]["inputs"]) == found


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("specs:twins", "2 specs called 'inputs'"),
        ("specs:none", "holds no Spec"),
        ("../specs:ok", "'../specs' is not the name of a module"),
        (".specs:ok", "'.specs' is not the name of a module"),
    ],
)
def test_targets_that_cannot_be_meant_are_refused_in_one_line(folder, target, said):
    done = unlike(folder, target)

    assert done.returncode == 2
    assert said in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert not done.stdout


def test_a_suite_named_by_a_word_of_python_is_still_python(folder):
    found = {}

    exec(unlike(folder, "specs:words", "--format", "python").stdout, found)

    assert found["inputs_class"] == [{"x": 0}, {"x": 1}]


@pytest.mark.few(1)
@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(("name", "least"), [("long", 1), ("hard", 0)])
def test_an_interrupted_command_delivers_what_it_found_and_exits_with_3(folder, name, least):
    command = [sys.executable, "-c", "from unlike.cli import main; main()", "generate", f"specs:{name}", "-n", "50000"]
    command += ["--effort", "100"]  # no solver gives up by itself before it is interrupted
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)

    assert process.returncode == 3
    assert "Traceback" not in err
    answer = json.loads(out)
    assert answer["status"]["ending"] == "interrupted"
    assert len(answer["cases"]["inputs"]) >= least
