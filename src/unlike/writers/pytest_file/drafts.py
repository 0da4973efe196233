"""What test files are made of: imports, names, assertions, and drafts of tests.

A draft is run as pytest will run it, and loses what does not hold, before it is written.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.util
import io
import math
import re
import textwrap
import tokenize
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
    """Return a line of source as lines that fit into a file: what is expected or passed on lines of its own."""
    text = line.strip()
    margin = line[: len(line) - len(text)]
    if len(line) <= WIDTH:
        return [line]
    with contextlib.suppress(SyntaxError):
        head, inside, tail = _open_up(text, WIDTH - len(margin))
        return [f"{margin}{head}", *fill(inside, f"{margin}    "), f"{margin}{tail}"]
    return [line]


def _open_up(text: str, width: int) -> tuple[str, str, str]:
    """Return a long statement in three: what comes before a bracket with it, what is in it, and the rest.

    What is expected, `("assert x.keys() == (", "['a', 'b']", ")")`, or passed, or else all of its value.
    """
    decorator = "@" * text.startswith("@")
    text = text.removeprefix("@")
    (statement,) = ast.parse(text).body

    def place(column: int) -> int:
        return len(decorator + text.encode()[:column].decode())

    given = statement.test if isinstance(statement, ast.Assert) else getattr(statement, "value", None)
    if not isinstance(given, ast.expr) or not given.end_col_offset:
        raise SyntaxError("nothing to be put into brackets")
    whole = decorator + text
    if isinstance(given, ast.Call) and whole.endswith(")") and given.end_col_offset == len(text.encode()):
        before = place(given.func.end_col_offset or 0) + 1
        if before <= width:
            return whole[:before], whole[before:-1], ")"
    last = given.comparators[-1] if isinstance(given, ast.Compare) and isinstance(statement, ast.Assert) else given
    before = place(last.col_offset)
    before = before if before < width else place(given.col_offset)
    return f"{whole[:before]}(", whole[before:], ")"


def fill(text: str, margin: str) -> list[str]:
    """Return source that stands in brackets in lines, broken after commas and within long texts."""
    pieces, start = list[str](), 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and len(token.string) > WIDTH - len(margin) - 8:
            pieces += [text[start : token.start[1]], *_split_text(token.string, WIDTH - len(margin) - 8)]
            start = token.end[1]
        elif token.string == ",":
            pieces.append(text[start : token.end[1]])
            start = token.end[1]
    lines = [margin]
    for piece in (*pieces, text[start:]):
        if len(lines[-1]) + len(piece.rstrip()) > WIDTH and lines[-1].strip():
            lines.append(margin)
        lines[-1] += piece.lstrip() if lines[-1] == margin else piece
    return [line.rstrip() for line in lines if line.strip()]


def _split_text(literal: str, width: int) -> list[str]:
    """Return a text as several that stand for it one after the other, each with a space before it."""
    try:
        value = ast.literal_eval(literal)
    except (SyntaxError, ValueError):  # one with values in it
        return [literal]
    step = max(1, width // max(1, math.ceil(len(literal) / len(value)))) if value else 1
    return [f" {value[place : place + step]!r}" for place in range(0, len(value), step)]


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
                while lines[line - 1][0].startswith((" " * 5, "    )")):  # within a statement of several lines
                    line -= 1
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
        """Leave out what does not fit into lines, then what comes last, until a person would read the test."""
        wide = [number for number, part in enumerate(self.parts) if is_wide(part)]
        if self.chained and wide:
            del self.parts[wide[0] :]
        self.parts = [part for part in self.parts if not is_wide(part)]
        self.after = [part for part in self.after if not is_wide(part)]
        while len(self.lines()) > TALLEST and (self.after or self.parts):
            (self.after or self.parts).pop()

    @property
    def why_not(self) -> str:
        """Why the test is not run, or not written."""
        return f"it takes more than {TALLEST} lines, or {WIDTH} characters" if self.is_too_long else self.skipped

    @property
    def is_too_long(self) -> bool:
        """Whether nobody would read it, though all is left out but what makes its object."""
        lines = [line for line, _ in self.lines()]
        return len(lines) > TALLEST or max(map(len, lines)) > WIDTH

    def skip(self, words: str) -> None:
        """Write the test, but so that it is not run."""
        self.skipped = " ".join(words.split())[:200]
        self.imports.add("import pytest")


def is_wide(part: Sequence[str]) -> bool:
    """Tell whether some line of a part does not fit into a file, however it is folded."""
    return any(len(line) > WIDTH for each in indent(part) for line in fold(each))


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
