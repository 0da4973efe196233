"""What test files are made of: imports, names, assertions, and drafts of tests.

A draft is run as pytest will run it, and loses what does not hold, before it is written.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.util
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType

from unlike.isolation import Answer, Death, Raised, Verdict
from unlike.writers.python_source import SourceLines

Each = Callable[[Callable[[int], object], int], Iterator[Verdict]]
ROUNDS = 8  # in each, every test that fails loses what failed
FILE = "<draft>"
WIDTH = 120  # characters of a line
TALLEST = 60  # lines of a test
BUILDING = -1  # the part of a test that makes its object


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


def building(source: SourceLines, last: str | None = None) -> list[str]:
    """Return the lines that leave the object in `x`; another last line may say what the call gives, too."""
    lines = [*source.lines[:-1], last or source.lines[-1]] if source.lines else []
    return lines if source.result == "x" else [*lines, f"x = {source.result}"]


def fold(line: str) -> list[str]:
    """Return a line of source as one that fits into a file, or as three: what is expected or passed on its own."""
    text = line.strip()
    margin = line[: len(line) - len(text)]
    if len(line) <= WIDTH:
        return [line]
    with contextlib.suppress(SyntaxError):
        (statement,) = ast.parse(text).body
        if isinstance(statement, ast.Assert) and isinstance(test := statement.test, ast.Compare):
            before = len(text.encode()[: test.comparators[-1].col_offset].decode())
            return [f"{margin}{text[:before]}(", f"{margin}    {text[before:]}", f"{margin})"]
        value = getattr(statement, "value", None)
        if isinstance(value, ast.Call) and text.endswith(")"):
            before = len(text.encode()[: value.func.end_col_offset].decode()) + 1
            return [f"{margin}{text[:before]}", f"{margin}    {text[before:-1]}", f"{margin})"]
    return [line]


def indent(lines: Sequence[str], by: int = 4) -> list[str]:
    """Return the lines further to the right."""
    return [" " * by + line if line else "" for line in lines]


def snake(name: str) -> str:
    """Return a name of a class as part of a name of a function."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"\W+", "_", words).strip("_").lower()


def test_name(subject: str, rest: object) -> str:
    """Return the name of a test: of what it is, and its number or the like."""
    return f"test_{snake(subject)}_{rest}"


def heading(text: str) -> str:
    """Return a comment before a test."""
    return "".join(f"# {line}\n" for line in wrap_text(text, 118))


def wrap_text(text: str, width: int) -> list[str]:
    """Return the text in lines."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def docs(label: str) -> list[str]:
    """Return the lines of a docstring: the calls, and for what the object stands if it does so for others."""
    calls, _, stands_for = label.partition("\n")
    if not stands_for:
        return [f'    """{sentence(calls)}"""']
    shown = stands_for.replace("\\", "\\\\").replace('"""', "'''")
    return [f'    """{sentence(calls)}', "", *(f"    {line}" for line in wrap_text(f"{shown}.", 112)), '    """']


def sentence(text: str) -> str:
    """Return a short text as the first line of a docstring."""
    shown = text if len(text) <= 90 else text[:87] + "…"
    shown = shown.replace("\\", "\\\\").replace('"""', "'''")
    return shown if shown.endswith((".", "…")) else f"{shown}."


# -- drafts --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Draft:
    """The test of one object: how to make it, and what is asserted of it in parts that stand for themselves."""

    name: str
    docs: list[str]
    building: list[str]  # leaves the object in `x`
    bare: list[str]  # the same, and asserts nothing
    parts: list[list[str]] = field(default_factory=list)  # one after the other on the same object
    after: list[list[str]] = field(default_factory=list)  # each on a fresh one
    other: list[str] = field(default_factory=list)  # makes another object, in `x`
    imports: set[str] = field(default_factory=set)
    skipped: str = ""  # why the test cannot be run
    chained: bool = False  # each part goes on where the one before it ended

    def lines(self) -> list[tuple[str, int]]:
        """Return the lines of the test, each with the number of the part it belongs to."""
        head = [f"def {self.name}() -> None:", *self.docs]
        if self.skipped:
            head.insert(0, f"@pytest.mark.skip(reason={self.skipped!r})")
        said = [line for part in (*self.parts, *self.after) for line in part]
        lines = [(line, BUILDING) for line in head]
        if self.after or any("made()" in line for line in said):
            inner = ["", "    def made():", *indent([*self.building, "return x"], 8)]
            if self.other and any("other()" in line for line in said):
                inner += ["", "    def other():", *indent([*self.other, "return x"], 8)]
            first = ["    x = made()"] if self.parts or not self.after else []
            lines += [(line, BUILDING) for line in (*inner, "", *first)]
        else:
            own = self.building
            if self.other and any("other()" in line for line in said):
                own = ["", "def other():", *indent([*self.other, "return x"]), "", *own]
            lines += [(line, BUILDING) for line in indent(own)]
        for number, part in enumerate(self.parts):
            lines += [(line, number) for line in indent(part)]
        for number, part in enumerate(self.after, len(self.parts)):
            lines += [(line, number) for line in indent(["x = made()", *part])]
        if len(lines) == len(head):
            return [*lines, ("    pass", BUILDING)]
        return [(short, part) for line, part in lines for short in fold(line)]

    @property
    def text(self) -> str:
        """The test as source."""
        return "\n".join(line for line, _ in self.lines())

    def mend(self, failed: Iterable[int], words: str) -> None:
        """Leave out the parts to which lines belong, for they did not hold; or skip the test, if they make the object.

        Of a sequence that goes on only an assertion can be left out; without the call the rest goes, too.
        """
        lines = self.lines()
        parts = {lines[line - 1][1] if 0 < line <= len(lines) else BUILDING: line for line in sorted(failed)}
        for part, line in sorted(parts.items(), reverse=True):
            if part == BUILDING and self.building != self.bare:
                self.building = self.bare
            elif part == BUILDING:
                self.skip(words)
            elif self.chained:
                asserted = lines[line - 1][0].strip().removesuffix("(")
                is_first = lines[line - 2][1] != part
                if is_first or not asserted.startswith("assert "):
                    del self.parts[part:]
                else:
                    self.parts[part] = [each for each in self.parts[part] if not each.startswith(asserted)]
            elif part < len(self.parts):
                del self.parts[part]
            else:
                del self.after[part - len(self.parts)]

    def shorten(self) -> None:
        """Leave out what comes last, until a person would read the test."""
        while len(self.lines()) > TALLEST and (self.after or self.parts):
            (self.after or self.parts).pop()

    def skip(self, words: str) -> None:
        """Write the test, but so that it is not run."""
        self.skipped = " ".join(words.split())[:200]
        self.imports.add("import pytest")


def confirm(drafts: Sequence[Draft], each: Each, *, alone: bool) -> None:
    """Run the tests as pytest will, all in one process, and leave out what does not hold.

    `alone` runs each in a process of its own, too, and all in the opposite order: where state outside the objects goes
    from one test to the next, a test may be run without the others.
    """
    if importlib.util.find_spec("pytest") is not None:
        importlib.import_module("pytest")  # here once, and not in every copy of this process
    elif any("import pytest" in draft.imports for draft in drafts):
        return  # they cannot be run here
    for _ in range(ROUNDS):
        failed = _find_failures(drafts, each, alone=alone)
        if not failed:
            return
        for draft, line, words in failed:
            draft.mend([line], words)
    for draft, _, words in _find_failures(drafts, each, alone=alone):
        draft.skip(words)


def _find_failures(drafts: Sequence[Draft], each: Each, *, alone: bool) -> list[tuple[Draft, int, str]]:
    """Return the tests that fail, with the line of the test and what was raised."""
    tried = [draft for draft in drafts if not draft.skipped]
    codes = [compile("\n".join([draft.text]), FILE, "exec") for draft in tried]

    def work(index: int) -> tuple[int, str] | None:
        return _failure(tried[index], codes[index])

    found: dict[int, tuple[int, str]] = {}
    backwards = list(each(lambda index: work(len(tried) - 1 - index), len(tried) if alone else 0))[::-1]
    for index, verdict in enumerate(list(each(work, len(tried)))):
        if alone and _holds(verdict):
            verdict = backwards[index]
        if alone and _holds(verdict):
            (verdict,) = each(lambda _, index=index: work(index), 1)  # type: ignore[misc]
        match verdict:
            case Answer(result=None):
                continue
            case Answer(result=(line, words)):
                found[index] = (line, words)
            case Raised():
                found[index] = (0, str(verdict.error))
            case Death(cause=cause):
                found[index] = (0, cause)
    return [(tried[index], line, words) for index, (line, words) in found.items()]


def _holds(verdict: Verdict) -> bool:
    return isinstance(verdict, Answer) and verdict.result is None


def _failure(draft: Draft, code: CodeType) -> tuple[int, str] | None:
    """Run a test; return the line at which it fails and what was raised, or nothing."""
    space: dict[str, object] = {"__name__": "draft"}
    try:
        for line in sorted(draft.imports):
            exec(line, space)
        exec(code, space)
        space[draft.name]()  # type: ignore[operator]
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the code under test may raise anything
        return _line(error, draft.name), f"{type(error).__name__}: {error}"
    return None


def _line(error: BaseException, name: str) -> int:
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE and trace.tb_frame.f_code.co_name == name:
            return trace.tb_lineno
        trace = trace.tb_next
    return 0
