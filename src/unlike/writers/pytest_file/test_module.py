"""What test files are made of: imports, tests, names, docstrings, assertions."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

from unlike.writers.python_source import SourceLines


@dataclass(slots=True)
class TestModule:
    """The imports and tests of one file."""

    imports: set[str] = field(default_factory=set)
    tests: list[str] = field(default_factory=list)

    def text(self, title: str) -> str:
        """Return the whole file."""
        imports = "\n".join(sorted(self.imports, key=lambda line: (line.startswith("from"), line)))
        head = f'"""{title}"""\n' + (f"\n{imports}\n" if imports else "")
        return head + "".join(f"\n\n{test}\n" for test in self.tests)


def building(source: SourceLines, last: str) -> list[str]:
    """Return the lines that leave the object in `x`."""
    lines = [*source.lines[:-1], last] if source.lines else []
    return lines if source.result == "x" else [*lines, f"x = {source.result}"]


def assertion(expression: str, value: str) -> str:
    """Return an assertion as a person would write it."""
    if value not in ("True", "False", "None"):
        return f"assert {expression} == {value}"
    return f"assert ({expression}) is {value}" if " in " in expression else f"assert {expression} is {value}"


def indented(lines: Sequence[str], by: int = 4) -> list[str]:
    """Return the lines further to the right."""
    return [" " * by + line if line else "" for line in lines]


def snake(name: str) -> str:
    """Return a name of a class as part of a name of a function."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"\W+", "_", words).strip("_").lower()


def heading(text: str) -> str:
    """Return a comment before a test."""
    return "".join(f"# {line}\n" for line in wrapped(text, 118))


def wrapped(text: str, width: int) -> list[str]:
    """Return the text in lines."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def docstring(label: str) -> list[str]:
    """Return the lines of a docstring: the calls, and for what the object stands if it does so for others."""
    calls, _, stands_for = label.partition("\n")
    if not stands_for:
        return [f'    """{sentence(calls)}"""']
    shown = stands_for.replace("\\", "\\\\").replace('"""', "'''")
    return [f'    """{sentence(calls)}', "", *(f"    {line}" for line in wrapped(f"{shown}.", 112)), '    """']


def sentence(text: str) -> str:
    """Return a short text as the first line of a docstring."""
    shown = text if len(text) <= 90 else text[:87] + "…"
    shown = shown.replace("\\", "\\\\").replace('"""', "'''")
    return shown if shown.endswith((".", "…")) else f"{shown}."
