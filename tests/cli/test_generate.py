"""`unlike generate` as a user types it."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from tests import warm

SPECS = """
import time
from pathlib import Path
from unlike import Int, Spec, Str, differs_by, distance, predicate

prices = Spec({"price": Int(0, 9), "name": Str("[a-c]")}, name="prices", different=distance("price", 4))
nothing = Spec({"x": Int(0, 9)}, where=[lambda x: x > 5, lambda x: x < 5], name="nothing")
both = {"first": prices, "second": Spec({"x": Int(1, 2)})}
failing = Spec({"x": Int(0, 9)}, where=predicate(lambda x: 1 // (x - 3) or True), name="failing")
def sluggish(x):
    Path("started").touch()
    time.sleep(0.05)
    return True

slow = Spec({"x": Int()}, where=predicate(sluggish), name="slow")
answer = 42
"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "shop.py").write_text(SPECS)
    (tmp_path / "broken.py").write_text("x = 1\nraise RuntimeError('oh no')\n")
    (tmp_path / "leaves.py").write_text("import sys\nsys.exit(7)\n")
    (tmp_path / "lacks.py").write_text("import not_installed_anywhere\n")
    return tmp_path


def run(project, *words, check=None):
    done = warm.run(["generate", *words], project)
    assert "Traceback" not in done.stderr
    if check is not None:
        assert done.returncode == check, done.stderr
    return done


def test_json_holds_status_and_inputs(project):
    done = run(project, "shop:prices", "--all", check=0)

    data = json.loads(done.stdout)
    assert data["status"]["ending"] == "complete"
    assert sorted(each["value"]["price"] for each in data["cases"]["inputs"]) == [0, 4, 8]
    assert "3 inputs, no more exist (proved)" in done.stderr


def test_json_lines_carry_cases_only(project):
    done = run(project, "shop:prices", "-n", "2", "--format", "jsonl", check=0)

    assert [set(json.loads(line)) for line in done.stdout.splitlines()] == [{"price", "name"}] * 2


def test_python_source_runs(project):
    done = run(project, "shop:prices", "-n", "2", "--format", "python", check=0)

    scope = {}
    exec(done.stdout, scope)
    assert len(scope["prices"]) == 2


def test_a_table_shows_every_input(project):
    done = run(project, "shop:prices", "-n", "2", "--format", "table", check=0)

    assert "price" in done.stdout
    assert "name" in done.stdout


def test_several_specs_are_generated_together_and_one_can_be_chosen(project):
    both = json.loads(run(project, "shop:both", check=0).stdout)
    second = json.loads(run(project, "shop:both", "--spec", "second", check=0).stdout)

    assert [part["name"] for part in both["parts"]] == ["first", "second"]
    assert {each["part"] for each in both["cases"]["inputs"]} == {"first", "second"}
    assert sum(part["count"] for part in both["parts"]) == len(both["cases"]["inputs"])
    assert second["parts"] == []
    ours = [each["value"] for each in both["cases"]["inputs"] if each["part"] == "second"]
    assert [each["value"] for each in second["cases"]["inputs"]] == ours
    assert "did you mean 'second'" in run(project, "shop:both", "--spec", "secnd", check=2).stderr


def test_count_prints_the_number_alone(project):
    assert run(project, "shop:prices", "--count", check=0).stdout == "3\n"
    assert run(project, "shop:nothing", "--count", check=1).stdout == "0\n"


def test_no_input_is_an_answer_with_what_clashes(project):
    done = run(project, "shop:nothing", check=1)

    data = json.loads(done.stdout)
    assert data["status"]["ending"] == "unsatisfiable"
    assert data["status"]["clash"] == ["x > 5", "x < 5"]
    assert data["cases"]["inputs"] == []


def test_what_was_found_is_delivered_when_a_predicate_raises(project):
    done = run(project, "shop:failing", "--all", check=3)

    data = json.loads(done.stdout)
    assert data["status"]["ending"] == "failed"
    assert "ZeroDivisionError" in data["status"]["detail"]
    assert len(data["cases"]["inputs"]) == 3


def test_time_out_delivers_what_was_found(project):
    done = run(project, "shop:slow", "-n", "4000", "--timeout", "1", check=3)

    assert json.loads(done.stdout)["status"]["ending"] == "timeout"


def test_an_interruption_delivers_what_was_found(project):
    process = subprocess.Popen(
        [sys.executable, "-m", "unlike.cli", "generate", "shop:slow", "-n", "4000"],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (project / "started").exists():
        time.sleep(0.1)
    time.sleep(1)
    process.send_signal(signal.SIGINT)

    out, err = process.communicate(timeout=30)

    assert process.returncode == 3, err
    assert json.loads(out)["status"]["ending"] == "interrupted"


def test_the_plan_is_explained(project):
    done = run(project, "shop:prices", "--explain", check=0)

    assert "price: 3 numbers at least 4 apart, counted directly" in done.stderr


def test_a_file_is_written_whole(project):
    run(project, "shop:prices", "-o", "out.json", check=0)

    assert json.loads((project / "out.json").read_text())["status"]["ending"] == "complete"
    assert sorted(path.name for path in project.glob("*.json")) == ["out.json"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shop"], "MODULE:NAME"),
        (["shop:price"], "did you mean 'prices'"),
        (["nowhere:x"], "no module 'nowhere'"),
        (["nowhere.py:x"], "no file 'nowhere.py'"),
        (["broken:x"], r"RuntimeError: oh no (broken.py, line 2)"),
        (["leaves:x"], "SystemExit: 7"),
        (["lacks:x"], "it needs 'not_installed_anywhere'"),
        (["shop:answer"], "is an int, not a Spec"),
        (["shop:prices", "-n", "0"], "-n 0 must be"),
        (["shop:prices", "-n", "2", "--all"], "contradict"),
        (["shop:prices", "--timeout", "-1"], "--timeout -1.0 must be"),
        (["shop:prices", "--format", "xml"], "xml"),
        (["shop:prices", "-o", "no/such/folder.json"], "there is no folder"),
        (["shop:prices", "-o", "."], "directory"),
        (["shop:prices", "--seed", "x"], "not a valid integer"),
        ([], "MODULE:NAME"),
    ],
)
def test_bad_input_is_one_message_and_exit_code_two(project, words, said):
    done = run(project, *words, check=2)

    assert said in done.stderr
    assert not done.stdout


def test_a_spec_can_stand_in_a_file(project):
    assert run(project, "shop.py:prices", "--count", check=0).stdout == "3\n"


def test_a_reader_that_has_seen_enough_is_no_error(project):
    command = f"{sys.executable} -m unlike.cli generate shop:prices --all --format jsonl | head -n 1"

    done = subprocess.run(command, shell=True, cwd=project, capture_output=True, text=True, timeout=60)

    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_an_unknown_command_names_the_nearest(project):
    done = warm.run(["generat"], project)

    assert done.returncode == 2
    assert "did you mean 'generate'" in done.stderr


def test_importing_the_package_loads_neither_z3_nor_anything_heavy_and_is_quick():
    code = "import sys, unlike; print([m for m in ('z3', 'rich', 'click', 'rapidfuzz', 'pydantic', 'hypothesis') if m in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)

    assert done.stdout.strip() == "[]"


def test_counting_and_direct_enumeration_load_no_solver():
    code = "import sys; from unlike import *; generate(Spec({'x': Int(0, 9), 's': Str('[a-z]+')}), 9); print('z3' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)

    assert done.stdout.strip() == "False"


def test_a_spec_loads_nothing_that_only_schemas_need(project):
    code = (
        "import sys; from unlike.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    words = ["generate", "shop:prices", "-n", "2", "--format", "json"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=project, capture_output=True, text=True, timeout=60, check=True
    )

    loaded = done.stderr.split()
    schemas = (
        "unlike.documents.json_schema",
        "unlike.documents.files",
        "unlike.documents.openapi",
        "unlike.cli.schemas",
    )
    others = (
        "unlike.typed",
        "unlike.writers.pytest_file",
        "unlike.explore",
        "jsonschema",
        "referencing",
        "yaml",
        "rich",
    )
    assert "unlike.specs.generate" in loaded
    assert [name for name in loaded if name.startswith((*schemas, *others))] == []
