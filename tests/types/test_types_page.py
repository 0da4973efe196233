"""What the documents show runs, and the example gives what it promises."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

import pytest
from examples.contacts import Contact

import unlike

PAGE = Path(__file__).parent.parent.parent / "docs" / "types.md"


def test_the_programs_on_the_page_run_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    page = types.ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", page)

    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    for program in programs:
        exec(compile(program, str(PAGE), "exec", dont_inherit=True), vars(page))

    assert programs


def test_the_contact_dataclass_shows_its_142_pairs_in_25_inputs() -> None:
    suite = unlike.generate(Contact, cover="pairs")

    assert unlike.coverage_of(suite).pairs == 142
    assert unlike.coverage_of(suite).shown == unlike.coverage_of(suite).targets
    assert len(suite) == 25
