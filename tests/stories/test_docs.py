"""What the documents show is true: their Python runs, and the numbers in their comments come out."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = ["README.md", "docs/tutorial.md", "docs/regex.md"]
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
COUNTED = re.compile(r"^(len\(.*\))\s+# (\d+)", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_a_page_runs_and_its_numbers_come_out(page, capsys):
    scope = {}
    for block in BLOCK.findall((ROOT / page).read_text()):
        exec(compile(block, page, "exec"), scope)
        for expression, number in COUNTED.findall(block):
            assert eval(expression, scope) == int(number), expression
    if page == "README.md":
        assert len(scope["suite"]) == 12
        assert "No larger set exists" in capsys.readouterr().out


@pytest.mark.parametrize(
    "page", ["README.md", *(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]
)
def test_every_link_of_a_page_leads_somewhere(page):
    text = (ROOT / page).read_text()

    for link in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in link:
            assert ((ROOT / page).parent / link).exists(), link


@pytest.mark.corpus  # it reads all of unlike, which takes a type checker half a minute
def test_a_type_checker_takes_the_examples_of_the_readme_and_knows_what_suites_hold(tmp_path):
    pytest.importorskip("mypy")
    write_examples_of_readme(tmp_path)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, "readme.py"]

    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    assert ran.returncode == 0, ran.stdout
    assert 'Revealed type is "list[readme.Room]"' in ran.stdout
    assert 'Revealed type is "dict[str, Any]"' in ran.stdout


def test_pyright_takes_the_examples_of_the_readme_and_knows_what_suites_hold(tmp_path):
    pytest.importorskip("pyright")
    pyright = [sys.executable, "-m", "pyright"]
    try:
        there = subprocess.run([*pyright, "--version"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip("pyright does not start here")
    if there.returncode or not there.stdout.startswith("pyright "):
        pytest.skip("pyright has no node here")
    write_examples_of_readme(tmp_path)

    ran = subprocess.run(
        [*pyright, "--pythonpath", sys.executable, "readme.py"], cwd=tmp_path, capture_output=True, text=True
    )

    assert ran.returncode == 0, ran.stdout
    assert 'Type of "rooms[1:].values" is "list[Room]"' in ran.stdout
    assert 'Type of "suite[0].value" is "dict[str, Any]"' in ran.stdout
    assert "0 errors, 0 warnings" in ran.stdout


def write_examples_of_readme(folder):
    blocks = BLOCK.findall((ROOT / "README.md").read_text())
    known = "reveal_type(rooms[1:].values)\nreveal_type(suite[0].value)\n"
    (folder / "readme.py").write_text("\n".join([*blocks, known]))
