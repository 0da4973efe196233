"""`unlike explore` as a user types it."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from unlike.cli.explore.command import command
from unlike.cli.options import AskedFlags
from unlike.errors import ScopeError, TargetError

PILE = "specimens:Pile"


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(command, list(arguments), standalone_mode=False)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_counting_prints_the_number_alone_and_replays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unlike.classes.result.Result._replays", lambda *_: pytest.fail("replayed"))

    result = run(PILE, "--scope", "2", "--count")

    assert result.stdout == "7\n"
    assert result.return_value == 0


def test_the_summary_shows_counts_sizes_outcomes_and_field_values() -> None:
    result = run(PILE, "--scope", "2")

    assert "7 objects of Pile within 2 objects per class, the first 2 ints, 2 elements" in result.stdout
    assert "preconditions violated" in result.stdout
    assert "by size: 2: 7" in result.stdout
    assert "field values:" in result.stdout
    assert "no more exist (proved)" in result.stderr


def test_errors_revealed_are_shown_and_give_exit_code_1() -> None:
    result = run("specimens:Broken", "--scope", "2", "--invariant", "rep_ok")

    assert "Broken(); grow(); grow()" in result.stdout
    assert result.return_value == 1


def test_cut_short_is_exit_code_3_with_the_remedy() -> None:
    result = run("specimens:Counter")

    assert "--omit-fields 'Counter.version'" in result.stderr
    assert result.return_value == 3
    assert run("specimens:Counter", "--omit-fields", "Counter.version").return_value == 0


def test_the_api_is_listed_with_reasons() -> None:
    result = run("specimens:Everything", "--list-api")

    assert "property setter  Everything.size = size: 0, 1, 2" in result.stdout
    assert "cannot be called  Everything.unknown: nobody can supply 'lock'" in result.stdout


@pytest.mark.corpus
def test_flags_refine_the_scope() -> None:
    assert run(PILE, "--scope", "2", "--literals", "int=0..4", "--count").stdout == "31\n"  # 1 + 5 + 25
    assert run(PILE, "--scope", "2", "--elements", "1", "--count").stdout == "3\n"
    assert run(PILE, "--scope", "2", "--calls", "2", "--count").stdout == "3\n"
    assert run(PILE, "--methods", "take", "--count").stdout == "1\n"
    assert run(PILE, "--scope", "2", "--calls", "3", "--no-state-matching", "--count").stdout == "7\n"
    assert run("specimens:Chain", "--scope", "2", "--objects", "Link=1", "--count").stdout == "3\n"
    assert run("specimens:Everything", "--literals", "name=a,b", "--literals", "size=1,2", "--count").return_value == 0


def test_preconditions_are_named_exceptions() -> None:
    failing = ("specimens:Failing", "--scope", "2", "--methods", "divide|assert_it", "--count")

    assert run(*failing).return_value == 1
    assert run(*failing, "--precondition", "ZeroDivisionError", "--precondition", "AssertionError").return_value == 0


def test_settings_stand_in_a_toml_file_and_flags_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "unlike.toml"
    own.write_text('scope = 2\n[literals]\nint = [5]\n["specimens:Pile"]\nmethods = "put"\n')
    project = "[tool.unlike.explore]\nscope = 2\n[tool.unlike.explore.literals]\nint = [0, 1, 2, 3]\n"
    (tmp_path / "pyproject.toml").write_text(project)
    monkeypatch.chdir(tmp_path)

    assert run(PILE, "--config", str(own), "--count").stdout == "3\n"  # [], [5], [5, 5]
    assert run(PILE, "--count").stdout == "21\n"  # 1 + 4 + 16
    assert run(PILE, "--count", "--elements", "1").stdout == "5\n"


class Heard(Exception):  # noqa: N818  # news, not an error
    """What the command would have explored."""


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("setting", "flags"),
    [
        ("scope = 2", ["--scope", "2"]),
        ("elements = 1", ["--elements", "1"]),
        ("calls = 3", ["--calls", "3"]),
        ("state_matching = false\ncalls = 2", ["--no-state-matching", "--calls", "2"]),
        ("methods = 'put'", ["--methods", "put"]),
        ("[literals]\nint = '0..4'", ["--literals", "int=0..4"]),
        ("[literals]\nint = 'source'", ["--literals", "int=source"]),
        ("[literals]\nstr = ['a', 'b']", ["--literals", "str=a,b"]),
        ("[objects]\nLink = 1", ["--objects", "Link=1"]),
        ("precondition = 'ZeroDivisionError'", ["--precondition", "ZeroDivisionError"]),
        ("omit-fields = 'version'", ["--omit-fields", "version"]),
        ("invariant = 'is_sound'", ["--invariant", "is_sound"]),
        ("dict-order = false", ["--any-dict-order"]),
        ("timeout = 60.0", ["--timeout", "60"]),
        ("values = 'concrete'", ["--values", "concrete"]),
        ("workers = 1", ["--workers", "1"]),
        ("in_process = true", ["--in-process"]),
        ("memory = 500", ["--memory", "500"]),
        ("random = true", ["--random"]),
        ("random = true\nattempts = 20\nseed = 3", ["--random", "--attempts", "20", "--seed", "3"]),
        ("fields = true", ["--fields"]),
        ("sample = 2", ["--sample", "2"]),
        ("one-per-shape = true", ["--one-per-shape"]),
        ("boundary = true", ["--boundary"]),
        ("builders = 'auto'", ["--builders", "auto"]),
        ("format = 'jsonl'", ["--format", "jsonl"]),
        ("output = 'out'", ["-o", "out"]),
        ("explain = true", ["--explain"]),
        ("all = true", ["--all"]),
    ],
)
def test_a_setting_in_a_file_means_what_its_flag_means(
    setting: str, flags: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[object]()
    record = AskedFlags.record

    def hear(*asked: object) -> None:
        raise Heard(*told)

    def noted(asked: AskedFlags, cls: type, **usual: object) -> object:
        told.append(record(asked, cls, **usual))
        return told[-1]

    def heard(*arguments: str) -> object:
        told.clear()
        with pytest.raises(Heard) as news:
            run(PILE, *arguments)
        return news.value.args

    monkeypatch.setattr("unlike.cli.explore.command._explore", hear)
    monkeypatch.setattr(AskedFlags, "record", noted)
    (tmp_path / "settings.toml").write_text(setting)

    by_file, by_flags = heard("--config", str(tmp_path / "settings.toml")), heard(*flags)

    assert by_file == by_flags != heard()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("skope = 3", "did you mean 'scope'"),
        ("scope = ", "cannot be read"),
        ("scope = 'x'", "scope='x' must be a whole number"),
        ("scope = true", "scope=True must be a whole number"),
        ("objects = 3", "objects=3 must be a table"),
        ("literals = [1]", "must be a table"),
        ("methods = 3", "methods=3 must be a text"),
        ("timeout = 'x'", "timeout='x' must be a number"),
        ("precondition = 5", "precondition=5 must be a list"),
        ("precondition = [1]", "precondition=1 must be the name of an exception, like 'ValueError'"),
        ("precondition = {a = 1}", "precondition={'a': 1} must be a list"),
        ("objects = {Thing = 'x'}", "objects.Thing='x' must be a whole number of at least 1"),
        ("objects = {Thing = 1.5}", "objects.Thing=1.5 must be a whole number of at least 1"),
        ("objects = {Thing = 0}", "objects.Thing=0 must be a whole number of at least 1"),
        ("literals = {int = {a = 1}}", "literals.int={'a': 1} must be a list of values, or a text like '0..9'"),
        ("literals = {int = 5}", "literals.int=5 must be a list of values"),
        ("memory = 0", "memory=0 must be a whole number of at least 1"),
        ("memory = -5", "memory=-5 must be a whole number of at least 1"),
        ("workers = -1", "workers=-1 must be a whole number of at least 0"),
        ("sample = -1", "sample=-1 must be a whole number of at least 0"),
        ("elements = -1", "elements=-1 must be a whole number of at least 0"),
        ("timeout = nan", "timeout=nan must be a number of seconds above 0"),
        ("dict_order = 'no'", "must be true or false"),
        ("values = 'open'", "values='open' must be one of auto, symbolic, concrete"),
        ("'specimens:Pile' = 3", "'specimens:Pile'=3 must be a table"),
    ],
)
def test_a_bad_toml_file_is_one_message(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "bad.toml").write_text(text)

    with pytest.raises(ScopeError, match=re.escape(words)):
        run(PILE, "--config", str(tmp_path / "bad.toml"))


def test_tests_and_recipes_are_written_into_a_directory(tmp_path: Path) -> None:
    result = run(PILE, "--scope", "2", "-o", str(tmp_path / "out"))

    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["Pile.json", "test_pile.py"]
    assert "wrote" in result.stderr
    assert (tmp_path / "out" / "test_pile.py").read_text().count("def test_") == 12  # 5 longer sequences


def test_lines_of_json_carry_cases_only() -> None:
    result = run(PILE, "--scope", "2", "--format", "jsonl")

    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["label"] for line in lines][:2] == ["Pile()", "Pile(); put(0)"]
    assert "proved" in result.stderr


def test_the_same_command_gives_the_same_bytes() -> None:
    arguments = ("specimens:Bag", "--scope", "2", "--format", "json")

    assert run(*arguments).stdout == run(*arguments).stdout


@pytest.mark.corpus
def test_another_hash_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from unlike.cli import main; main()"
    here = str(Path(__file__).parent)
    outputs = []
    for seed in ("1", "2"):
        arguments = ["explore", "specimens:Words", "--format", "pytest"]
        done = subprocess.run(
            [sys.executable, "-c", code, here, *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        outputs.append(done.stdout)

    assert outputs[0] == outputs[1]
    assert "x.all() == ['a', 'b']" in outputs[0]


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("specimens", "not of the form MODULE:NAME"),
        ("nowhere:Pile", "no module 'nowhere'"),
        ("specimens:Pyle", "did you mean 'Pile'"),
        ("specimens:NIL", "neither a class nor a function"),
        ("specimens:Abstract", "abstract"),
    ],
)
def test_a_target_that_cannot_be_explored_is_one_message(target: str, words: str) -> None:
    with pytest.raises(TargetError, match=words):
        run(target)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--objects", "Pile"], "not NAME=VALUE"),
        (["--objects", "Pile=x"], "whole number"),
        (["--objects", "Pile=0"], "whole number of at least 1"),
        (["--precondition", "Nothing"], "not an exception"),
        (["--methods", "("], "regular expression"),
        (["--scope", "0"], "at least 1"),
        (["--config", "/nowhere.toml"], "no file"),
    ],
)
def test_flags_that_mean_nothing_are_one_message(flags: list[str], words: str) -> None:
    with pytest.raises(ScopeError, match=words):
        run(PILE, *flags)


def test_the_command_line_reports_bad_input_without_a_traceback() -> None:
    command_line = [sys.executable, "-c", "from unlike.cli import main; main()", "explore", "nowhere:Pile"]
    done = subprocess.run(command_line, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 2
    assert done.stderr.startswith("unlike: there is no module 'nowhere'")
    assert done.stderr.count("\n") == 1


MUTE = """
class Refusing(type):
    def __getattribute__(cls, name):
        raise RuntimeError("not for you")

class Mute(metaclass=Refusing):
    pass

class Switch:
    def __init__(self):
        self.on = False

    def flip(self):
        self.on = not self.on
"""


@pytest.mark.corpus
@pytest.mark.parametrize("verb", ["explore", "builders", "generate", "structures", "fields", "compare"])
def test_a_class_that_raises_when_it_is_looked_at_is_one_message(verb: str, tmp_path: Path) -> None:
    (tmp_path / "mute.py").write_text(MUTE)
    command_line = [sys.executable, "-c", "from unlike.cli import main; main()", verb, "mute:Mute"]
    done = subprocess.run(command_line, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)

    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("unlike: ")
    assert "raise" in done.stderr
    assert "RuntimeError" in done.stderr
    assert "not for you" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("verb", ["explore", "builders"])
def test_a_class_that_raises_when_it_is_looked_at_does_not_disturb_its_neighbours(verb: str, tmp_path: Path) -> None:
    (tmp_path / "mute.py").write_text(MUTE)
    command_line = [sys.executable, "-c", "from unlike.cli import main; main()", verb, "mute:Switch"]
    done = subprocess.run(command_line, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert "Switch" in done.stdout
    assert "proved" in done.stdout + done.stderr


def test_ctrl_c_on_the_command_line_delivers_what_was_found() -> None:
    # a class of 8 million states: it would run for minutes
    code = (
        "import sys, signal, threading, os; sys.path.insert(0, sys.argv.pop(1));"
        "from unlike.cli import main; import unlike.cli.explore.command;"
        "threading.Timer(2, lambda: os.kill(os.getpid(), signal.SIGINT)).start(); main()"
    )
    arguments = ["explore", "specimens:Wheels", "--literals", "int=0..199", "--count"]
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", code, here, *arguments], capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 3, done.stderr
    assert int(done.stdout) > 1
    assert "interrupted" in done.stderr
    assert signal.SIGINT


def test_literals_can_be_drawn_from_a_spec(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(
        "from unlike import Spec, Str, cover\n"
        "names = Spec({'name': Str()}, different=cover.regex('name', '[a-z]|[0-9]'))\n"
        "class Shelf:\n"
        "    def __init__(self) -> None: self.top = None\n"
        "    def put(self, name: str) -> None: self.top = name\n"
    )

    done = subprocess.run(
        [sys.executable, "-m", "unlike.cli", "explore", "shop:Shelf", "--literals", "str=@shop:names", "--count"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout == "3\n", done.stderr  # nothing on it, a letter, a digit


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--objects", "Piel=2"], "no class is called 'Piel'; did you mean 'Pile'"),
        (["--literals", "pusch.value=1"], "no type, method or parameter is called 'pusch.value'"),
        (["--literals", "zzz=1"], "'zzz'; there are: "),
        (["--literals", "int="], "'int=': literals of int: the pool is empty"),
        (["--literals", "int=5..1"], "'int=5..1': literals of int: the pool is empty"),
        (["--literals", "int=a"], "literals of int: 'a' is not of that type"),
        (["--literals", "str=0..3"], "literals of str: 0 is not of that type"),
        (["--methods", "nope"], "'nope' matches the whole name of no method; there are: "),
        (["--omit-fields", "nope"], "'nope' matches no field; there are: "),
        (["--attempts", "5"], "--attempts 5 bounds calls at random: say --random"),
    ],
)
def test_a_flag_that_names_nothing_is_refused_with_the_nearest_name(flags: list[str], words: str) -> None:
    with pytest.raises(ScopeError) as refused:
        run(PILE, "--scope", "2", "--in-process", *flags)

    assert words in str(refused.value)


def test_names_that_may_be_meant_are_accepted_and_a_class_named_twice_counts_once() -> None:
    meant = ["--objects", "OrderedDict=2", "--literals", "str=a", "--literals", "any=1", "--methods", ""]

    assert run(PILE, PILE, "--scope", "2", "--count").stdout == "7\n"
    assert run(PILE, "--scope", "2", *meant, "--count").return_value == 0


def test_the_api_is_listed_however_many_ways_there_are_to_call_it() -> None:
    result = run("specimens:Pile", "--list-api", "--literals", "int=0..99999")

    assert "Pile.put(" in result.stdout


def test_a_constructor_that_does_not_tell_its_parameters_is_helped_with_calls() -> None:
    with pytest.raises(TargetError, match=r"list calls it accepts.*--literals 'date=\(0,\),\(1,\)'"):
        run("datetime:date", "--guess", "none")

    assert (
        run("datetime:date", "--literals", "date=(2024,1,1),(2024,1,2)", "--methods", "ctime", "--count").stdout
        == "2\n"
    )


def test_flags_that_contradict_each_other_are_named_as_flags() -> None:
    with pytest.raises(ScopeError, match="--in-process and --workers 2 contradict"):
        run(PILE, "--in-process", "--workers", "2")
