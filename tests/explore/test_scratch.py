"""Code under test stands in an empty directory of its own, wherever it is run."""

import concurrent.futures
import multiprocessing
import os
import tempfile
from pathlib import Path

import pytest
from tests.corpora import few_of
from tests.explore.odd_proofs import Notes
from tests.writers.files import write_tests

from unlike.cli.entry import main
from unlike.explore import explore
from unlike.isolation.scratch import absolute_paths, in_scratch

PROVISO = "provided that nothing depends on files in the working directory, which calls change"


def two_processes():
    return concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    folder = tmp_path / "own"
    folder.mkdir()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.corpus
@pytest.mark.parametrize(
    "keywords",
    few_of(
        [{}, {"in_process": True}, {"workers": 2}, {"workers": two_processes}, {"then_random": 5}],
        1,
        ids=["copy", "in-process", "workers", "executor", "random"],
    ),
)
def test_what_calls_write_lands_in_a_directory_that_goes_with_them(own_folder, keywords):
    result = explore(Notes, scope=2, values="concrete", **keywords)
    assert len(list(result.suite)) >= result.states == 6
    write_tests(result, own_folder.parent)

    assert list(own_folder.iterdir()) == []
    assert Path.cwd() == own_folder
    assert list((own_folder.parent / "temporary").glob("unlike-*")) == []
    if "workers" not in keywords:
        assert PROVISO in result.status.detail


@pytest.mark.few(1)
def test_errors_are_shown_again_in_such_a_directory_too(own_folder, monkeypatch):
    (own_folder.parent / "spoils.py").write_text(
        "class Spoils:\n    def spoil(self):\n        open('spoilt', 'w').close()\n        raise RuntimeError\n"
    )
    monkeypatch.syspath_prepend(own_folder.parent)

    with pytest.raises(SystemExit):
        main(["explore", "spoils:Spoils", "-o", str(own_folder.parent / "out")])

    assert list(own_folder.iterdir()) == []


def test_a_module_beside_the_working_directory_can_be_imported_by_a_call(own_folder, monkeypatch):
    (own_folder / "late_one.py").write_text("VALUE = 5\n")
    (own_folder / "importing_late.py").write_text(
        "class Late:\n    def __init__(self):\n        self.value = 0\n"
        "    def load(self):\n        import late_one\n        self.value = late_one.VALUE\n"
    )
    monkeypatch.syspath_prepend("")  # the working directory, whatever it is
    import importing_late

    result = explore(importing_late.Late, scope=2)

    assert [case.value.value for case in result.suite] == [0, 5]
    assert not result.errors


def test_a_process_comes_back_from_there_and_finds_its_modules_meanwhile(own_folder, monkeypatch):
    monkeypatch.syspath_prepend("below")
    before = list(absolute_paths())

    with in_scratch():
        inside = Path.cwd()
        assert inside != own_folder
        assert absolute_paths() == before
        with in_scratch():  # once is enough
            assert Path.cwd() == inside
        os.chdir("/")

    assert Path.cwd() == own_folder
    assert not inside.exists()
    assert absolute_paths() == before
