"""Examples in docstrings show data as they are."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path
from typing import Annotated

import annotated_types
import pytest

import unlike
from unlike.regex.tree import parse

SRC = Path(__file__).parent.parent / "src"
SHOWN = [path for path in sorted(SRC.rglob("*.py")) if ">>> " in path.read_text()]


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: str(path.relative_to(SRC)))
def test_the_examples_of_a_module_come_out(path: Path) -> None:
    module = importlib.import_module(".".join(path.relative_to(SRC).with_suffix("").parts))

    public = {name: getattr(unlike, name) for name in unlike.__all__}
    public |= {"Annotated": Annotated, "Ge": annotated_types.Ge, "Le": annotated_types.Le, "parse": parse}
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    found = doctest.testmod(module, extraglobs=public, optionflags=flags)

    assert found.failed == 0
    assert found.attempted > 0
