"""With a compiler or without: the package installs, works, and says which walk is in use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from unlike.heap.walkers import native_is_built

pytest.importorskip("setuptools")

ROOT = Path(__file__).parent.parent.parent
BUILD = """
import sys, warnings
warnings.simplefilter("ignore")
from setuptools import Extension, setup
sys.argv = ["setup.py", "-q", "build", "--build-base", sys.argv[1]]
exec(compile(open("setup.py").read(), "setup.py", "exec"))
"""
VERSION = "from unlike.cli import main; main(['--version'])"


def built(folder: Path, compiler: str | None) -> Path:
    """Build the package as its build file says, and return where the modules are."""
    sources = folder / "sources"
    sources.mkdir()
    (sources / "setup.py").write_text((ROOT / "setup.py").read_text())
    (sources / "native").symlink_to(ROOT / "native")
    package = sources / "unlike"
    package.mkdir()
    (package / "__init__.py").write_text("")
    environment = {**os.environ, **({"CC": compiler} if compiler else {})}
    command = [sys.executable, "-c", BUILD, str(folder / "build")]
    subprocess.run(command, cwd=sources, env=environment, check=True, capture_output=True)
    return next((folder / "build").glob("lib*"), folder / "build")


def version(path: Path) -> str:
    command = [sys.executable, "-c", VERSION]
    environment = {**os.environ, "PYTHONPATH": str(path)}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def copied_package(folder: Path) -> Path:
    """Return a folder with the package and without the compiled module."""
    for each in (ROOT / "src" / "unlike").rglob("*.py"):
        target = folder / each.relative_to(ROOT / "src")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(each)
    return folder


def test_without_a_compiler_the_build_succeeds_and_makes_no_compiled_module(tmp_path: Path) -> None:
    assert not list(built(tmp_path, "false").rglob("_native*"))


@pytest.mark.corpus
@pytest.mark.skipif(not native_is_built(), reason="no compiler here")
def test_with_a_compiler_the_build_makes_the_compiled_module(tmp_path: Path) -> None:
    assert len(list(built(tmp_path, None).rglob("_native*"))) == 1


def test_the_version_says_whether_the_compiled_core_is_there(tmp_path: Path) -> None:
    assert f"(compiled core: {'yes' if native_is_built() else 'no'})" in version(ROOT / "src")
    assert "(compiled core: no)" in version(copied_package(tmp_path))


def test_without_the_compiled_module_everything_works_in_python(tmp_path: Path) -> None:
    program = """
from unlike.heap.store import WalkerCall
from unlike.heap.walkers import make_store, make_walker, native_is_built
from unlike.scope import Limits
assert not native_is_built() and type(make_walker(Limits())).__name__ == "PythonWalker"
walker, states = make_walker(Limits()), make_store()
states.add(walker.walk([]))
assert walker.expand(states, 0, None, (WalkerCall("append", (1,)),)) == [1]
"""
    environment = {**os.environ, "PYTHONPATH": str(copied_package(tmp_path))}

    done = subprocess.run([sys.executable, "-c", program], env=environment, check=False, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
