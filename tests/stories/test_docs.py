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
    blocks = BLOCK.findall((ROOT / "README.md").read_text())
    known = "reveal_type(rooms[1:].values)\nreveal_type(suite[0].value)\n"
    (tmp_path / "readme.py").write_text("\n".join([*blocks, known]))
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, "readme.py"]

    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    assert ran.returncode == 0, ran.stdout
    assert 'Revealed type is "list[readme.Room]"' in ran.stdout
    assert 'Revealed type is "dict[str, Any]"' in ran.stdout
