"""Test files written out pass on the class and read well."""

import dataclasses
import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.writers.files import object_source, write_tests

from unlike.cli import cli
from unlike.errors import SavedFileError
from unlike.explore import explore
from unlike.writers.formats import BY_NAME
from unlike.writers.json_file import load, save
from unlike.writers.pytest_file import files
from unlike.writers.pytest_file.files import error_source

STRUCTURES = Path(importlib.import_module("examples.structures").__path__[0])


def run_pytest(directory: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--rootdir", str(directory), "."]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a copy of the search tree, importable as `tree`."""
    shutil.copy(STRUCTURES / "binary_search_tree.py", tmp_path / "tree.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("tree", None)
    yield tmp_path
    sys.modules.pop("tree", None)


def sequences_in(folder: Path) -> int:
    """Return how many tests of longer sequences were written."""
    return sum(path.read_text().count("A longer sequence") for path in folder.glob("test_*.py"))


@pytest.mark.corpus
def test_written_tests_pass_on_the_class(shop: Path) -> None:
    tree = importlib.import_module("tree")

    write_tests(explore(tree.BinarySearchTree, scope=3), shop)

    assert f"{15 + sequences_in(shop)} passed" in run_pytest(shop).stdout  # a test of each object, and longer sequences
    assert 5 <= sequences_in(shop) <= 15


def test_a_written_test_reads_like_one_a_person_wrote(shop: Path) -> None:
    tree = importlib.import_module("tree")
    write_tests(explore(tree.BinarySearchTree, scope=2), shop)

    text = (shop / "test_binary_search_tree.py").read_text()

    assert (
        '''def test_binary_search_tree_3() -> None:
    """BinarySearchTree(); insert(0); insert(1)."""

    def made():
        x = BinarySearchTree()
        x.insert(0)
        assert x.insert(1) is True
        return x

    x = made()
    assert x.minimum() == 0
'''
        in text
    )


@pytest.mark.corpus
def test_error_revealing_tests_assert_type_and_place(shop: Path) -> None:
    shutil.copy(STRUCTURES / "singly_linked_list.py", shop / "chain.py")
    sys.modules.pop("chain", None)
    chain = importlib.import_module("chain")
    result = explore(chain.BuggySinglyLinkedList, scope=2, invariant="rep_ok")

    paths = write_tests(result, shop)

    errors = (shop / "test_buggy_singly_linked_list_errors.py").read_text()
    assert [path.name for path in paths] == [
        "test_buggy_singly_linked_list.py",
        "test_buggy_singly_linked_list_errors.py",
    ]
    assert "with pytest.raises(IndexError) as caught:\n        x.insert(1, 0)" in errors
    assert "('chain.py', 'insert')" in errors or '("chain.py", "insert")' in errors
    assert run_pytest(shop).returncode == 0


@pytest.mark.corpus
def test_an_error_that_ends_its_process_is_written_as_a_test_in_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(Path(__file__).parent.parent / "explore")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", folder)
    specimens, minefield = importlib.import_module("specimens"), importlib.import_module("minefield")
    hung = explore(specimens.Slow, scope=3, seconds_per_call=1)
    ended = explore(minefield.Minefield, methods="right|up|leave|crash", calls=3)
    stuck = explore(minefield.Stuck, invariant="rep_ok", seconds_per_call=1)

    for number, result in enumerate((hung, ended, stuck)):
        (tmp_path / f"test_{number}.py").write_text(error_source(result))

    hanging = (tmp_path / "test_0.py").read_text()
    assert "pytest.raises(subprocess.TimeoutExpired)" in hanging
    assert "'x.set(2)'" in hanging
    assert ".returncode == 7" in (tmp_path / "test_1.py").read_text()
    assert "'x.rep_ok()'" in (tmp_path / "test_2.py").read_text()
    done = run_pytest(tmp_path)
    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout


def test_a_question_that_no_process_survives_is_left_out_of_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent.parent / "explore"))
    minefield = importlib.import_module("minefield")
    result = explore(minefield.Minefield, methods="right|leave|crash", calls=3)

    source = object_source(result)

    # places 0, 1, 2: leave is mined at 0, crash at 2
    tests = source.split("def test_")[1:]
    assert ["x.leave()" in test.partition("x = made()\n    x.right()")[0] for test in tests] == [False, True, True]
    assert ["x.crash()" in test.partition("x = made()\n    x.right()")[0] for test in tests] == [True, True, False]


def test_an_error_that_does_not_come_again_is_written_as_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent.parent / "explore"))
    specimens = importlib.import_module("specimens")
    specimens.Once.failed = False

    result = explore(specimens.Once, scope=2, in_process=True)  # elsewhere it would be the first time again

    assert [result.reproduces(error) for error in result.errors] == [False]
    assert "not seen again" in error_source(result)


@pytest.mark.corpus
def test_many_tests_are_split_over_files_and_of_too_many_a_few_are_written(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(files, "TESTS_PER_FILE", 10)
    few = dataclasses.replace(BY_NAME["pytest"], most=14)
    monkeypatch.setitem(BY_NAME, "pytest", few)
    words = ["explore", "tree:BinarySearchTree", "--format", "pytest", "-o", str(shop)]

    for values, objects, why in (
        ("concrete", 7, "of 15 objects show all"),
        ("symbolic", 14, "14 of them are tested: the smallest and largest values of each shape"),
    ):
        cli.main([*words, "--values", values], standalone_mode=False)
        said = capsys.readouterr().out
        assert "15 objects are more than anybody runs (--all writes every test)" in said
        assert why in said
        assert f"{objects + sequences_in(shop)} passed" in run_pytest(shop).stdout
        for path in shop.glob("test_*.py"):
            path.unlink()
    cli.main([*words, "--all"], standalone_mode=False)

    written = sorted(path.name for path in shop.glob("test_*.py"))
    assert written == ["test_binary_search_tree_1.py", "test_binary_search_tree_2.py"]
    assert f"{15 + sequences_in(shop)} passed" in run_pytest(shop).stdout


def test_written_tests_call_with_minus_one_where_the_type_allows_it(shop: Path) -> None:
    (shop / "ring.py").write_text(RING)
    cli.main(["explore", "ring:Ring", "--scope", "2", "--format", "pytest", "-o", str(shop)], standalone_mode=False)

    written = (shop / "test_ring.py").read_text()
    for line in ("        x.drop(-1)", "x.peek(-1)", "x.push(-1)", "        Ring(-1)"):
        assert line in written
    assert "bound(-1)" not in written
    assert "failed" not in run_pytest(shop).stdout


RING = """
from typing import Annotated
from annotated_types import Ge

class Ring:
    def __init__(self, size: int) -> None:
        if size < 0:
            raise ValueError(size)
        self.size, self.items = size, []

    def push(self, x: int) -> bool:
        if len(self.items) == self.size:
            return False
        self.items.append(abs(x))
        return True

    def peek(self, at: int = 0) -> int:
        return self.items[at]

    def drop(self, n: int) -> int:
        if n < 0:
            raise ValueError("negative")
        del self.items[:n]
        return len(self.items)

    def bound(self, n: Annotated[int, Ge(0)]) -> int:
        return min(n, self.size)
"""


# -- recipes as JSON -------------------------------------------------------------------------------


def test_saved_recipes_come_back_and_share_their_beginnings(shop: Path) -> None:
    tree = importlib.import_module("tree")
    suite = explore(tree.BinarySearchTree, scope=3).suite
    path = shop / "trees.json"

    save(suite, path)
    again = load(path, tree.BinarySearchTree)

    assert [case.recipe for case in again] == [case.recipe for case in suite]
    assert [case.value.to_list() for case in again] == [case.value.to_list() for case in suite]
    assert (again.status, again.guarantee) == (suite.status, suite.guarantee)
    assert path.read_text().count('["method"') == 14  # one step per tree but the empty one: prefixes are shared


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("tree", "os", "not one of the names"),
        ('"insert"', '"__class__"', "private"),
        ('"insert"', '"_helper"', "private"),
        ('"version": 1', '"version": 99', "version 99"),
        ('"unlike objects"', '"other"', "not a file of"),
        ("[0, [", "[7, [", "step"),
        ("}", "", "cannot be read"),
    ],
)
def test_a_file_that_reaches_for_more_is_refused(shop: Path, old: str, new: str, words: str) -> None:
    tree = importlib.import_module("tree")
    path = shop / "trees.json"
    save(explore(tree.BinarySearchTree, scope=2).suite, path)
    path.write_text(path.read_text().replace(old, new))

    with pytest.raises(SavedFileError, match=words):
        load(path, tree.BinarySearchTree)


def test_loading_without_classes_or_without_a_file_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(SavedFileError, match="pass those it may use"):
        load(tmp_path / "none.json")
    with pytest.raises(SavedFileError, match="there is no file"):
        load(tmp_path / "none.json", int)


def test_enums_are_seen_by_their_names_and_sets_in_an_order_that_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent.parent / "explore"))
    source = written_and_run("Cat")

    for line in (
        "assert x.state().name == 'CALM'",
        "assert x.other.name == 'CROSS'",
        "assert x.mood.name == 'CALM'",
        "assert x.known() == frozenset()",
        "assert x.known() == frozenset({'a', 'b'})",
        "assert x.names == {'a', 'b'}",
    ):
        assert line in source


def test_iterators_and_operators_in_place_are_written_as_they_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent.parent / "explore"))

    assert "x1 = iter(x0)\n    next(x1)\n    x1.skip()" in written_and_run("Pages")
    power = written_and_run("Power")
    assert "x **= 2" in power
    assert " //= " not in power  # it changes the object, and gives another one: `x //= 1` would forget the first


def written_and_run(name: str) -> str:
    """Return the tests written for a class of the curiosities, after running each."""
    result = explore(getattr(importlib.import_module("curiosities"), name), scope=3)
    source = object_source(result)
    space: dict[str, Any] = {}
    exec(compile(source, f"test_{name}.py", "exec"), space)
    for test in [each for key, each in space.items() if key.startswith("test_")]:
        test()
    return source


PATCHY = """
class Trie:
    '''Deletes wrongly when two words are left, and hangs when asked for what is not there.'''

    def __init__(self):
        self.words = []

    def add(self, word: int):
        if word not in self.words:
            self.words.append(word)

    def drop(self, word: int):
        self.words.remove(word)
        if len(self.words) == 1:
            self.words[0] = None

    def crash(self):
        if len(self.words) == 2:
            raise ZeroDivisionError("two")
        self.words.clear()

    def spin(self):
        while len(self.words) == 2:
            pass
        self.words.clear()

    def rep_ok(self):
        return None not in self.words

    def listed(self):
        return list(self.words)
"""


@pytest.mark.corpus
def test_of_an_operation_that_reveals_an_error_only_those_calls_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "patchy.py").write_text(PATCHY)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("patchy", None)
    trie = importlib.import_module("patchy").Trie

    write_tests(explore(trie, scope=2, invariant="rep_ok", seconds_per_call=0.3), tmp_path)

    text = (tmp_path / "test_trie.py").read_text()
    one, two = (text.split(f"Trie(); {calls}.")[1].split("\ndef test_")[0] for calls in ("add(0)", "add(0); add(1)"))
    assert "x.drop(0)\n    assert (x.words, x.listed()) == ([], [])" in one
    assert "x.crash()\n" in one
    assert "x.drop(" not in two
    assert "x.crash()" not in two
    assert ".spin()" not in text
    assert (
        "Not asserted: calls of Trie.drop that reveal an error; calls of Trie.crash that reveal an error; any call of "
        "Trie.spin, which can end or block its process." in text.partition("import")[0].replace("\n", " ")
    )
    assert run_pytest(tmp_path).returncode == 0


@pytest.mark.corpus
@pytest.mark.parametrize("verb", ["structures", "fields"])
def test_tests_of_structures_ask_and_change_each_of_them(shop: Path, verb: str) -> None:
    done = CliRunner().invoke(
        cli, [verb, "tree:BinarySearchTree", "--scope", "2", "-o", str(shop), "--format", "pytest"]
    )

    text = (shop / f"test_binary_search_tree_{verb}.py").read_text()
    assert done.exit_code == 0
    for call in ("assert x.rep_ok()", "assert x.insert(0) is True", "x.remove(", "in x)", "x.minimum()"):
        assert call in text, call
    assert run_pytest(shop).returncode == 0


def test_structures_of_a_class_that_cannot_be_explored_say_so_in_their_tests(tmp_path, monkeypatch) -> None:
    (tmp_path / "closed.py").write_text(
        "class Pair:\n    left: bool\n    def __init__(self, secret): raise TypeError\n    def rep_ok(self): return True\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("closed", None)

    CliRunner().invoke(cli, ["structures", "closed:Pair", "--scope", "2", "-o", str(tmp_path), "--format", "pytest"])

    text = (tmp_path / "test_pair_structures.py").read_text()
    assert "No calls are asserted: " in text
    assert "assert x.rep_ok()" in text
    assert run_pytest(tmp_path).returncode == 0
