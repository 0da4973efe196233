"""How fast mutants are run: on the binary search tree within the scope 3, and per mutant against other tools.

Other tools (mutmut, cosmic-ray: `pip install 'unlike[bench]'`) make their own mutants of the same module, with the same
pytest tests, one after the other. Times are processor seconds of the whole command, its processes included.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.rows import Row
from unlike.core import Exploration
from unlike.measure.kills import record_original, run_mutants
from unlike.measure.subject import MeasuredCode, subject_of
from unlike.measure.suites.made import SuiteOrder
from unlike.measure.suites.words import make_suite

ROOT = Path(__file__).parents[1]
TREE = ROOT / "examples" / "structures" / "binary_search_tree.py"
ROUNDS = 3  # of which the quickest counts
GOAL = 80  # mutants a second
AGAINST = {"mutmut": 10, "cosmic-ray": 50}  # times as fast per mutant: goals, the first of which is not reached
TESTS = """from tree import BinarySearchTree


def build(*keys):
    tree = BinarySearchTree()
    for key in keys:
        tree.insert(key)
    return tree


def test_insert():
    assert build(2, 1, 3).to_list() == [1, 2, 3]
    assert build(2).insert(2) is False


def test_remove():
    tree = build(2, 1, 3, 4)
    assert tree.remove(2)
    assert tree.to_list() == [1, 3, 4]
    assert not tree.remove(9)


def test_ends():
    tree = build(5, 3, 8)
    assert (tree.minimum(), tree.maximum(), tree.height(), tree.size) == (3, 8, 2, 3)
"""


def run() -> Iterator[Row]:
    """Yield the figures."""
    yield _on_the_tree()
    yield from _against_others()


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _on_the_tree() -> Row:
    code = _tree()
    question = Exploration()
    with code.in_place():
        suite = make_suite("explore:3", SuiteOrder(code, question))
        recorded = record_original(code, [suite], question, messages=False)
        best = 0.0
        for _ in range(ROUNDS):
            began = _children()
            kills, _ = run_mutants(code, recorded, question, matrix=False, messages=False)
            best = max(best, len(kills) / (_children() - began))
    killed = sum(each.is_killed for each in kills)
    figure = f"{best:.0f} mutants a second of processor time ({killed} of {len(kills)} killed)"
    return Row("binary search tree, explore:3", figure, "", f"at least {GOAL}", best >= GOAL)


def _tree() -> MeasuredCode:
    return subject_of(
        lambda: importlib.import_module("examples.structures.binary_search_tree").BinarySearchTree,
        (str(ROOT),), "examples", lambda _: [],
    )  # fmt: skip


# -- against others --------------------------------------------------------------------------------------


def _against_others() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own = _per_mutant(folder / "unlike", _run_unlike)
        assert own is not None
        for tool, times in AGAINST.items():
            run_tool = _run_mutmut if tool == "mutmut" else _run_cosmic_ray
            if importlib.util.find_spec(tool.replace("-", "_")) is None:
                yield Row(f"against {tool}", "not run", "not installed: pip install 'unlike[bench]'")
                continue
            other = _per_mutant(folder / tool, run_tool)
            if other is None:
                yield Row(f"against {tool}", "not run", "it made no mutants here")
                continue
            figure = f"{1000 * own[1]:.1f} ms a mutant ({own[0]} mutants)"
            baseline = f"{tool}: {1000 * other[1]:.1f} ms ({other[0]} mutants)"
            ratio = other[1] / own[1]
            yield Row(f"against {tool}", f"{figure}: {ratio:.1f} times", baseline, f"the goal is {times} times")


def _per_mutant(folder: Path, work: object) -> tuple[int, float] | None:
    """Return how many mutants a tool runs, and processor seconds for each."""
    (folder / "tests").mkdir(parents=True)
    shutil.copy(TREE, folder / "tree.py")
    (folder / "tests" / "test_tree.py").write_text(TESTS)
    (folder / "conftest.py").write_text("")
    began = _children()
    count = work(folder)  # type: ignore[operator]
    return None if not count else (count, (_children() - began) / count)


def _call(folder: Path, words: Sequence[str], seconds: int = 1_500) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder), "COVERAGE_CORE": "ctrace"}
    done = subprocess.run(
        words, cwd=folder, env=environment, check=False, capture_output=True, text=True, timeout=seconds
    )
    return done.stdout + done.stderr


def _run_unlike(folder: Path) -> int:
    words = ["measure", "tree.py", "--suite", "tests", "--no-verdicts", "--format", "json", "--quiet"]
    said = _call(folder, [sys.executable, "-m", "unlike", *words])
    return len(json.loads(said[said.index("{") : said.rindex("}") + 1])["cases"]["mutants"])


def _run_mutmut(folder: Path) -> int:
    (folder / "setup.cfg").write_text(
        "[mutmut]\npaths_to_mutate=tree.py\nsource_paths=tree.py\ntests_dir=tests\nalso_copy=conftest.py\n"
    )
    said = _call(folder, [sys.executable, "-m", "mutmut", "run", "--max-children", "1"])
    counts = re.findall(r"(\d+)/(\d+)", said)
    return int(counts[-1][1]) if counts else 0


def _run_cosmic_ray(folder: Path) -> int:
    (folder / "cosmic.toml").write_text(
        '[cosmic-ray]\nmodule-path = "tree.py"\ntimeout = 10.0\nexcluded-modules = []\n'
        f'test-command = "{sys.executable} -m pytest -x -q tests"\n\n[cosmic-ray.distributor]\nname = "local"\n'
    )
    tool = str(Path(sys.executable).parent / "cosmic-ray")
    _call(folder, [tool, "init", "cosmic.toml", "session.sqlite"])
    _call(folder, [tool, "exec", "cosmic.toml", "session.sqlite"])
    said = _call(folder, [tool, "dump", "session.sqlite"])
    return sum(line.startswith("[") for line in said.splitlines())


if __name__ == "__main__":
    start = time.monotonic()
    for row in run():
        print(row)
    print(f"{time.monotonic() - start:.0f} s")
