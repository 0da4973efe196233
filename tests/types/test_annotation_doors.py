"""Every door reads every annotation in the same way: the values are right, or it is refused by name.

The rows stand in annotation_table, what they mean is worked out by annotation_reading. For each row a module is written
whose classes use the annotation: `Cell` takes it in a method, `Holder` has it as a field, `Pair` takes it in its
constructor and has an invariant that accepts everything.
"""

import importlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.corpora import few_of
from tests.types.annotation_classes import Haunted, Link
from tests.types.annotation_reading import NothingWithin, form, shown
from tests.types.annotation_table import DOORS, NO_DEFAULT, ROWS, Row

import unlike
from unlike.compare import compare
from unlike.errors import UnlikeError
from unlike.saved import lock_path

ROOT = Path(__file__).parent.parent.parent
ITEMS = [(row, door) for row in ROWS for door in DOORS if door not in row.skip]
# The code under test is that of the table, so no copies of the process are made; no row needs a tenth of the time.
TRUST: dict[str, Any] = {"timeout": 20, "in_process": True}

SAYS_PASSED = re.compile(r"passing [^;]* for ")  # as in: passing 'a', 'b' for Path (Cell.put.value)

MODULE = """
import typing
from dataclasses import dataclass
from typing import Annotated, Final, Optional
import annotated_types as at
from tests.types.annotation_classes import Pixel
from tests.types import annotation_table

T = annotation_table.ROWS[{number}].annotation
DEFAULT = annotation_table.ROWS[{number}].default
Small01 = annotation_table.Small01
del annotation_table  # globals are state that exploration looks at: a large table would cost time

class Cell:
    def __init__(self):
        self.value = None
    def put(self, value{annotation}{default}):
        self.value = value

class Pair:
    def __init__(self, value{annotation}{default}):
        self.value = value
    def rep_ok(self):
        return True
"""
DATACLASS = """
@dataclass
class Holder:
    value: {text}{default}
    def rep_ok(self):
        return True
"""
PLAIN_CLASS = """
class Holder(Pair):
    pass
"""
# What a refusal offers: a flag, or a word that tells the reader to do something.
REMEDY = re.compile(
    r"--\w+|=|\b(use|pass|give|say|declare|name|add|write|leave|explore|install|register|remove|annotate|define|"
    r"put|list|choose|make|instead|state|import|raise|set|widen|allow|refuses every|no input exists)\b",
    re.IGNORECASE,
)
SAYS_JSON = re.compile(r"JSON|\bbools?\b.*\bints?\b", re.IGNORECASE | re.DOTALL)
SAYS_OPEN = re.compile(
    r"\bAny\b|(?<!every )(?<!one )(?<!1 )\bobject\b|\bno annotation|without (an )?annotation|not annotated|unannotated|"
    r"\banything\b|nothing is (known|said)|type variable",
)


@dataclass(frozen=True)
class Given:
    """What a door gave, and all that it said about it."""

    values: list[Any]
    said: str
    complete: bool = True


@dataclass(frozen=True)
class Refused:
    """A refusal, in its own words."""

    message: str


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Row], ModuleType]]:
    """Return a function from a row to a module with its classes, in a file of its own, as code of users is."""
    directory = tmp_path_factory.mktemp("annotation_doors")
    sys.path.insert(0, str(directory))

    def module_of(row: Row) -> ModuleType:
        name = f"annotation_door_{ROWS.index(row)}"
        if name not in sys.modules:
            (directory / f"{name}.py").write_text(source_of(row))
            importlib.invalidate_caches()
        return importlib.import_module(name)

    yield module_of
    sys.path.remove(str(directory))


def source_of(row: Row) -> str:
    default = "" if row.default is NO_DEFAULT else " = DEFAULT"
    annotation = f": {row.text}" if row.text else ""
    source = MODULE.format(number=ROWS.index(row), annotation=annotation, default=default)
    return source + (DATACLASS.format(text=row.text, default=default) if row.text else PLAIN_CLASS)


@pytest.mark.few(4)
@pytest.mark.parametrize(("row", "door"), few_of(ITEMS, 250, ids=[f"{row.name}-{door}" for row, door in ITEMS]))
def test_annotation_at_door(
    row: Row, door: str, modules: Callable[[Row], ModuleType], request: pytest.FixtureRequest
) -> None:
    if door == "inputs":
        judge_inputs(row, request.getfixturevalue("inputs_run"))
    elif door in ("generate", "invalid"):
        judge = judge_generated if door == "generate" else judge_invalid
        judge(row, modules(row))
    else:
        both = door in ("explore", "structures")  # the others run these two once more, or rest upon them
        largest = min(max(row.scopes), 3) if door == "builders" else max(row.scopes)  # each builder is explored again
        for k in row.scopes if both else [largest]:
            judge_scope(row, door, k, modules(row))


# Every tenth row or so is also tried as it is run by default: foreign code in copies of the process.
IN_COPIES = [(row, door) for row in ROWS[:: len(ROWS) // 25] for door in DOORS if door not in (*row.skip, "inputs")]


@pytest.mark.corpus
@pytest.mark.parametrize(("row", "door"), IN_COPIES, ids=[f"{row.name}-{door}" for row, door in IN_COPIES])
def test_annotation_at_door_in_copies(
    row: Row,
    door: str,
    modules: Callable[[Row], ModuleType],
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(TRUST, "in_process", False)
    monkeypatch.setitem(TRUST, "timeout", 60)

    test_annotation_at_door(row, door, modules, request)


GUESSED = [row for row in ROWS if "explore" in row.must_refuse and "explore" not in row.skip]


# their values are no objects of the class that is written there, or not of just any such class
NO_OBJECTS = ("EmailStr", "Boxed[bool]", "type[Color]")


@pytest.mark.parametrize("name", NO_OBJECTS)
def test_no_object_is_guessed_that_an_annotation_forbids(name: str, modules: Callable[[Row], ModuleType]) -> None:
    row = next(row for row in ROWS if row.name == name)

    outcome = attempt(lambda: open_explore(row, 2, modules(row), "auto"))

    assert isinstance(outcome, Refused), outcome
    assert_refused_by_name(row, outcome)


@pytest.mark.few(9)
@pytest.mark.parametrize("row", few_of(GUESSED, 20, ids=[row.name for row in GUESSED]))
def test_what_is_guessed_for_an_annotation_is_legal_and_said(row: Row, modules: Callable[[Row], ModuleType]) -> None:
    outcome = attempt(lambda: open_explore(row, 2, modules(row), "auto"))

    if isinstance(outcome, Refused):
        assert_refused_by_name(row, outcome)
        return
    values = [value for value in outcome.values if value is not None]
    assert all(row.legal(value) for value in values), values
    assert not values or SAYS_PASSED.search(outcome.said), f"does not say what is passed: {outcome.said}"
    assert not outcome.complete, "proved without a condition, though values were guessed"


# What is generated, and what breaks a rule


def judge_generated(row: Row, module: ModuleType) -> None:
    target = module.Holder if row.as_field() else row.annotation
    some = attempt(lambda: given_by(unlike.generate(target, 15, **TRUST)))
    if accept_refusal(row, "generate", some):
        return
    assert some.values, f"nothing is given: {some.said}"
    judge_values(row, some.values)
    if row.open:
        assert SAYS_JSON.search(some.said), f"does not say what stands for anything: {some.said}"
    if row.finite is not None:
        every = attempt(lambda: given_by(unlike.generate(target, "all", **TRUST)))
        assert isinstance(every, Given), every
        judge_values(row, every.values)
        assert_same_set(row, bare(row, every.values), list(row.finite))
        assert every.complete, every.said


def judge_values(row: Row, values: list[Any]) -> None:
    illegal = [value for value in bare(row, values) if not allowed(row, value)]
    assert not illegal, f"illegal: {illegal[:5]!r}"
    if not row.equal_twins:
        twice = [text for text, times in Counter(map(form, values)).items() if times > 1]
        assert not twice, f"given twice: {twice[:5]}"


def judge_invalid(row: Row, module: ModuleType) -> None:
    target = module.Holder if row.as_field() else row.annotation
    outcome = attempt(lambda: given_by(unlike.invalid(target, **TRUST)))
    if accept_refusal(row, "invalid", outcome):
        return
    fitting = [value for value in outcome.values if fits(row, module, value)]
    assert not fitting, f"legal after all: {fitting[:5]!r}"
    assert outcome.values or not outcome.complete or re.search(r"no rule|nothing", outcome.said), (
        f"nothing is broken: {outcome.said}"
    )
    for name, breaks in row.rules.items():
        broken = any(breaks(value) for value in outcome.values)
        assert broken or name in outcome.said, (
            f"the rule {name} is neither broken nor named: {outcome.values!r}; {outcome.said}"
        )


def fits(row: Row, module: ModuleType, data: Any) -> bool:
    """Return whether data that should break a rule make a legal value after all."""
    try:
        if row.as_field():
            data = module.Holder(**data).value
        value = row.build(data) if row.build is not None else data
    except Exception:  # the constructor refuses, in whatever way
        return False
    return row.legal(value)


def allowed(row: Row, value: Any) -> bool:
    return row.legal(value) or form(value) in set(map(form, row.unclear))


def bare(row: Row, values: list[Any]) -> list[Any]:
    return [value.value for value in values] if row.as_field() else values


# Values within a scope: what the annotation alone says, so nothing is guessed where it names no values


def judge_scope(row: Row, door: str, k: int, module: ModuleType) -> None:
    expected = expect(row, door, k)
    outcome = attempt(lambda: SCOPE_DOORS[door](row, k, module))
    if isinstance(expected, NothingWithin):
        assert isinstance(outcome, Refused), f"at scope {k}: no container is long enough, but {outcome}"
        assert_refused_by_name(row, outcome)
        assert "elements" in outcome.message, f"does not say how to allow more elements: {outcome.message}"
        return
    if door == "compare" and door in row.must_refuse and isinstance(outcome, Given) and outcome.values:
        # a comparison always guesses: objects of a class beside it are made where they can be, and that is said
        assert SAYS_PASSED.search(outcome.said), f"does not say what is passed: {outcome.said}"
        return
    if accept_refusal(row, door, outcome):
        return
    if row.open:
        assert SAYS_OPEN.search(outcome.said), f"does not say what stands for anything: {outcome.said}"
    JUDGES[door](row, k, outcome, expected)


def expect(row: Row, door: str, k: int) -> list[Any] | NothingWithin | None:
    reading = row.heap_at if row.heap_at is not None and door in ("structures", "fields") else row.at
    if reading is None:
        return None
    try:
        return [value for value in reading(k) if row.legal(value) or "<" in form(value)]
    except NothingWithin as nothing:
        return nothing


def open_explore(row: Row, k: int, module: ModuleType, guess: str = "none") -> Given | Refused:
    result = unlike.explore(module.Cell, *row.companions, scope=k, guess=guess, **TRUST)
    for name in ("Cell.put", *(companion.__name__ for companion in row.companions)):
        refused = not_called(result.api.listing(), name)
        if refused:
            assert name in str(result.status), f"the status does not say that {name} was not called: {result.status}"
            return Refused(refused)
    values = [case.value for case in result.suite]
    cells = [cell.value for cell in values if isinstance(cell, module.Cell)]
    assert len(values) == result.states, f"{result.states} states, of which {len(values)} are given"
    return Given(cells, words(result) + result.api.listing(), str(result.status) == "no more exist (proved)")


def not_called(listing: str, method: str) -> str:
    """Return why a method is not called, remedy included; an empty text if it is called."""
    found = re.search(rf"cannot be called +{re.escape(method)}:(.*(?:\n {{6,}}.*)*)", listing)
    return found[1] if found else ""


def open_builders(row: Row, k: int, module: ModuleType) -> Given | Refused:
    found = unlike.builders(module.Cell, *row.companions, scope=k, guess="none", **TRUST)
    needed = ("Cell.put:", *(f"{companion.__name__}:" for companion in row.companions))
    refused = [reason for reason in found.refused if reason.startswith(needed)]
    if refused:
        return Refused(refused[0])
    calls = [builder.call for builder in found.builders if builder.name == "Cell.put"]
    if not calls:
        return Given([None] * found.states.api, f"put is no builder; {words(found)}", False)
    return Given([None] * found.states.api, f"{calls[0]}; {words(found)}", found.proved)


def open_structures(row: Row, k: int, module: ModuleType) -> Given:
    found = unlike.structures(module.Holder, scope=k, **TRUST)
    values = [case.value.value for case in found.suite]
    return Given(values, words(found) + found.table.listing(), found.status.ending.value == "complete")


def open_fields(row: Row, k: int, module: ModuleType) -> Given:
    found = unlike.fields(module.Holder, scope=k, **TRUST)
    values = [case.value.value for case in found.suite]
    return Given(values, words(found), found.proved)


def open_compare(row: Row, k: int, module: ModuleType) -> Given:
    found = compare(module.Pair, k, **TRUST)
    # objects that a constructor refuses are missing, and named as gaps, where no invariant of their own forbids them
    agrees = found.agrees or ("compare" in row.must_refuse and not found.rejected)
    assert agrees, f"gaps {found.gaps}, rejected {found.rejected}, {found.exploration}, {found.search}"
    return Given([None] * found.built, words(found), not found.cut_short)


def judge_exactly(row: Row, k: int, outcome: Given, expected: list[Any] | None) -> None:
    illegal = [value for value in outcome.values if not allowed(row, value)]
    assert not illegal, f"at scope {k}: illegal {illegal[:5]!r}"
    assert outcome.values, f"at scope {k}: nothing is given: {outcome.said}"
    if expected is not None:
        assert_same_set(row, outcome.values, expected)
        assert outcome.complete, f"not proved: {outcome.said}"


def judge_explored(row: Row, k: int, outcome: Given, expected: list[Any] | None) -> None:
    """Compare all but None, which every cell holds at first; many containers may be shortened, if that is said."""
    values = [value for value in outcome.values if value is not None]
    if expected is None:
        assert values, f"at scope {k}: nothing is given: {outcome.said}"
        assert all(allowed(row, value) for value in values), values[:5]
        return
    wanted = [value for value in expected if value is not None]
    if not wanted:
        assert not values
        return
    if len(wanted) > 100 and len(values) < len(wanted) and not outcome.complete:
        assert set(map(form, values)) <= set(map(form, wanted))
        assert re.search(r"shorter|shortened|fewer|elements", outcome.said), outcome.said
        return
    illegal = [value for value in values if not allowed(row, value)]
    assert not illegal, f"at scope {k}: illegal {illegal[:5]!r}"
    assert_same_set(row, values, wanted)


def judge_count(row: Row, k: int, outcome: Given, expected: list[Any] | None) -> None:
    if expected is None or not row.countable or row.unclear:
        return
    plain = [value for value in expected if value is None or isinstance(value, int | float | str)]
    if plain == expected != [None] and len(plain) <= 4 and row.default is NO_DEFAULT:
        listed = re.match(r"Cell\.put\(value: (.*?)\);", outcome.said)  # as in Cell.put(value: 0, 1)
        assert listed, f"put does not build anything: {outcome.said}"
        assert set(listed[1].split(", ")) == set(map(repr, plain)), f"at scope {k}: not {plain}, but {listed[1]}"
    states = {form(row.same(value)) + str(place) * ("<" in form(value)) for place, value in enumerate(expected)} | {
        "None"
    }
    assert len(outcome.values) == len(states), (
        f"at scope {k}: {len(outcome.values)} states instead of {len(states)}; {outcome.said}"
    )


def judge_compared(row: Row, k: int, outcome: Given, expected: list[Any] | None) -> None:
    if expected is None or not row.countable or row.unclear:
        return
    assert len(outcome.values) == len(expected), (
        f"at scope {k}: {len(outcome.values)} objects instead of {len(expected)}"
    )


def judge_shown(row: Row, k: int, outcome: Given, expected: list[Any] | None) -> None:
    illegal = [value for value in outcome.values if not allowed(row, value)]
    assert not illegal, f"at scope {k}: illegal {illegal[:5]!r}"
    assert outcome.values, f"at scope {k}: nothing is given: {outcome.said}"
    if expected is None or any(isinstance(value, Link) for value in expected):
        return
    if any("<" in form(value) for value in expected):  # some text, it does not matter which
        assert_same_set(row, outcome.values, expected)
        return
    got = set().union(*(shown(row.same(value)) for value in outcome.values))
    wanted = set().union(*(shown(row.same(value)) for value in expected))
    unclear = set().union(*(shown(row.same(value)) for value in row.unclear))
    missing, more = sorted(wanted - got), sorted(got - wanted - unclear)
    assert not missing and not more, f"at scope {k}: not shown {missing[:5]}, shown too much {more[:5]}"  # noqa: PT018
    assert outcome.complete, f"not proved: {outcome.said}"


def assert_same_set(row: Row, values: list[Any], expected: list[Any]) -> None:
    """Compare as sets of exact values; of a text that is only known by its length, there are as many as wanted."""
    got = {form(row.same(value)): value for value in values}
    wanted = {form(row.same(value)) for value in expected if "<" not in form(value)}
    lengths = sorted(value.length for value in expected if "<" in form(value))
    missing = sorted(wanted - set(got))
    rest = [value for text, value in got.items() if text not in wanted | set(map(form, row.unclear))]
    assert not missing, f"missing {missing[:6]} of {len(wanted)}; given {sorted(got)[:6]}"
    assert sorted(len(value) if lengths else -1 for value in rest) == lengths, f"too much, or too long: {rest[:6]!r}"


SCOPE_DOORS: dict[str, Callable[[Row, int, ModuleType], Given | Refused]] = {
    "explore": open_explore,
    "builders": open_builders,
    "structures": open_structures,
    "fields": open_fields,
    "compare": open_compare,
}
JUDGES: dict[str, Callable[[Row, int, Given, list[Any] | None], None]] = {
    "explore": judge_explored,
    "builders": judge_count,
    "structures": judge_exactly,
    "fields": judge_shown,
    "compare": judge_compared,
}


# Refusals


def attempt(open_door: Callable[[], Given | Refused]) -> Any:
    """Open a door; what it raises on purpose is a refusal, anything else fails the test."""
    try:
        return open_door()
    except UnlikeError as error:
        return Refused(str(error))


def accept_refusal(row: Row, door: str, outcome: Given | Refused) -> bool:
    """Return whether the row was refused, after a look at who may do that and how."""
    if isinstance(outcome, Given) and not outcome.values and door in row.must_refuse:
        outcome = Refused(outcome.said)  # no value, and why
    if isinstance(outcome, Refused):
        assert door in row.must_refuse, f"refused: {outcome.message}"
        assert_refused_by_name(row, outcome)
        return True
    assert door not in row.must_refuse, f"not refused, but given {outcome.values[:5]!r}: {outcome.said}"
    return False


def assert_refused_by_name(row: Row, refused: Refused) -> None:
    names = row.names or (row.name,)
    assert any(name.lower() in refused.message.lower() for name in names), f"names none of {names}: {refused.message}"
    if "no input exists" not in refused.message:  # that is an answer, and asks for no remedy
        assert REMEDY.search(refused.message), f"no remedy: {refused.message}"


def given_by(suite: Any) -> Given:
    ending = suite.status.ending.value
    return Given(list(suite.values), f"{words(suite)} {ending}", ending == "complete")


def words(result: Any) -> str:
    """Return all that a result says in words."""
    told = []
    for holder in (result, getattr(result, "suite", None)):
        for name in ("status", "guarantee", "explanation", "notes", "certainty", "reason", "exploration", "search"):
            part = getattr(holder, name, None)
            told.append(str(part() if callable(part) else part))
    return "; ".join(part for part in told if part not in ("None", "()"))


# Inputs of tests, in a pytest of their own

INPUTS_CONFTEST = """
import json
import pytest

@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report):
    if report.failed:
        note(report.nodeid, str(report.longrepr))

def pytest_collectreport(report):
    if report.failed:
        note(report.nodeid, str(report.longrepr))

def note(nodeid, text):
    with open("record.jsonl", "a") as file:
        print(json.dumps({"test": nodeid.partition("::")[2].partition("[")[0], "failed": text}), file=file)
"""
INPUTS_HEAD = """
import json
from tests.types.annotation_table import ROWS
from tests.types.annotation_reading import form
import unlike

def record(number, value):
    row = ROWS[number]
    bare = value.value if row.as_field() and row.text and type(value).__name__ == "Holder" else value
    line = {"test": f"test_{number}", "form": form(value), "bare": form(bare), "legal": row.legal(bare)}
    with open("record.jsonl", "a") as file:
        print(json.dumps(line), file=file)
"""


@pytest.fixture(scope="session")
def inputs_run(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> list[dict[str, list[dict[str, Any]]]]:
    """Run one test for each row that is judged; where several processes share the tests, one of them for all."""
    selected = {item.name for item in request.session.items}
    rows = [row for row in ROWS if f"test_annotation_at_door[{row.name}-inputs]" in selected]
    base = tmp_path_factory.getbasetemp()
    directory = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "annotation_inputs"
    kept = directory / "runs.json"
    with lock_path(directory):
        if not kept.exists():
            directory.mkdir(exist_ok=True)
            kept.write_text(json.dumps(run_rows(rows, directory)))
        runs: list[dict[str, list[dict[str, Any]]]] = json.loads(kept.read_text())
    return runs


def run_rows(rows: list[Row], directory: Path) -> list[dict[str, list[dict[str, Any]]]]:
    """Run the tests of the rows twice, in a process of its own; the second time what was saved is replayed."""
    (directory / "conftest.py").write_text(INPUTS_CONFTEST)
    (directory / "test_rows.py").write_text(INPUTS_HEAD + "".join(map(inputs_test, rows)))
    for row in rows:
        if row.as_field():
            (directory / f"inputs_door_{ROWS.index(row)}.py").write_text(source_of(row))
    runs = []
    for _ in range(2):
        (directory / "record.jsonl").write_text("")
        environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{directory}"}
        quiet = [
            "-o",
            "unlike_short=ignore",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-p",
            "no:hypothesispytest",
            "-c",
            "/dev/null",
        ]
        command = [sys.executable, "-m", "pytest", *quiet, "--rootdir", str(directory), "test_rows.py"]
        ran = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, timeout=300)
        assert ran.returncode in (0, 1), ran.stdout[-3000:] + ran.stderr[-3000:]
        lines = [json.loads(line) for line in (directory / "record.jsonl").read_text().splitlines()]
        by_test: dict[str, list[dict[str, Any]]] = {}
        for line in lines:
            by_test.setdefault(line["test"], []).append(line)
        runs.append(by_test)
    return runs


def inputs_test(row: Row) -> str:
    number = ROWS.index(row)
    n = '"all"' if row.finite is not None else "12"
    before, annotation = "", f": ROWS[{number}].annotation"
    if row.as_field() and row.text:
        before, annotation = f"\nfrom inputs_door_{number} import Holder as Holder{number}", f": Holder{number}"
    if not row.text:
        annotation = ""
    return f"{before}\n\n@unlike.inputs({n})\ndef test_{number}(value{annotation}):\n    record({number}, value)\n"


def judge_inputs(row: Row, runs: list[dict[str, list[dict[str, Any]]]]) -> None:
    lines, again = (run.get(f"test_{ROWS.index(row)}", []) for run in runs)
    failures = [line["failed"] for line in lines if "failed" in line]
    if failures:
        text = failures[0]
        assert not re.search(r"^E\s+(?!.*(UnlikeError|SpecError))\w*Error\b|Traceback", text, re.MULTILINE), text[-800:]
        accept_refusal(row, "inputs", Refused(text))
        return
    assert lines, "no input, no failure"
    assert "inputs" not in row.must_refuse, f"not refused, but given {lines[:5]}"
    unclear = set(map(form, row.unclear))
    illegal = [line["bare"] for line in lines if not line["legal"] and line["bare"] not in unclear]
    assert not illegal, f"illegal: {illegal[:5]}"
    forms = [line["form"] for line in lines]
    assert row.equal_twins or len(set(forms)) == len(forms), f"given twice: {sorted(forms)[:9]}"
    if row.finite is not None:
        assert {line["bare"] for line in lines} - unclear == set(map(form, row.finite)) - unclear
    assert [line.get("form", line.get("failed", "")[-300:]) for line in again] == forms, "replayed, they are others"


def test_a_companion_nobody_can_make_is_named() -> None:
    found = unlike.explore(Link, Haunted, scope=2)

    assert "not called: Haunted" in str(found.status)
    assert "its type Ghost is a name that could not be resolved" in found.api.listing()


# Places in a signature, and annotations that need a class around them

SIGNATURES = """
from __future__ import annotations
import unlike
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self, TYPE_CHECKING
import annotated_types as at

if TYPE_CHECKING:
    from nowhere_at_run_time import Ghost

Bit = Annotated[int, at.Ge(5), at.Le(6)]

class Starred:
    def __init__(self):
        self.value = None
    def put(self, *values: Bit):
        self.value = values

class Keyword:
    def __init__(self):
        self.value = None
    def put(self, *, value: Bit):
        self.value = value

class Positional:
    def __init__(self):
        self.value = None
    def put(self, value: Bit, /):
        self.value = value

class Made:
    def __init__(self, value: Bit):
        self.value = value

class WithDefault:
    def __init__(self, value: Bit = 5):
        self.value = value

class Named:
    @classmethod
    def of(cls, value: Bit) -> Named:
        made = cls()
        made.value = value
        return made
    def __init__(self):
        self.value = None

class Settable:
    def __init__(self):
        self._value = None
    @property
    def value(self):
        return self._value
    @value.setter
    def value(self, value: Bit):
        self._value = value

class Triple:
    def __init__(self):
        self.value = None
    def put(self, value: tuple[int, int, int]):
        self.value = value

class Knot:
    def __init__(self):
        self.other = None
    def tie(self, other: Self):
        self.other = other

class Haunt:
    def __init__(self):
        self.value = None
    def put(self, value: Bit):
        self.value = value
    def meet(self, ghost: Ghost):
        self.value = ghost

@dataclass
class Counted:
    value: Annotated[int, at.Ge(0), at.Le(1)]
    made: ClassVar[int] = 0
    def rep_ok(self):
        return True
"""


@pytest.fixture(scope="module")
def signatures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    directory = tmp_path_factory.mktemp("annotation_signatures")
    (directory / "annotation_door_signatures.py").write_text(SIGNATURES)
    sys.path.insert(0, str(directory))
    importlib.invalidate_caches()
    yield importlib.import_module("annotation_door_signatures")
    sys.path.remove(str(directory))


def explored(cls: type, scope: int) -> list[Any]:
    result = unlike.explore(cls, scope=scope, **TRUST)
    assert str(result.status).startswith("no more exist (proved)")
    return [value for case in result.suite if (value := case.value.value) is not None]


@pytest.mark.parametrize("name", ["Keyword", "Positional", "Made", "WithDefault", "Named", "Settable", "Haunt"])
def test_a_bound_holds_wherever_the_parameter_stands(name: str, signatures: ModuleType) -> None:
    assert sorted(explored(getattr(signatures, name), 4)) == [5, 6]


def test_each_of_the_rest_of_the_arguments_is_bounded(signatures: ModuleType) -> None:
    # none, one or two of 5 and 6
    assert sorted(explored(signatures.Starred, 2)) == [(), (5,), (5, 5), (5, 6), (6,), (6, 5), (6, 6)]


def test_three_ints_below_nine_are_729_tuples(signatures: ModuleType) -> None:
    assert len(set(explored(signatures.Triple, 9))) == 9**3


def test_self_means_objects_of_the_class(signatures: ModuleType) -> None:
    result = unlike.explore(signatures.Knot, scope=2, **TRUST)

    # alone; tied to one that is alone, to itself, and to one that is tied to itself or back
    ties = {form(case.value) for case in result.suite}
    assert {"Knot(other=None)", "Knot(other=Knot(other=None))", "Knot(other=^1)"} <= ties


def test_a_type_that_only_type_checkers_know_costs_no_other_method(signatures: ModuleType) -> None:
    result = unlike.explore(signatures.Haunt, scope=4, **TRUST)

    assert "Haunt.meet" in str(result.status)
    assert "Ghost" in not_called(result.api.listing(), "Haunt.meet")


def test_a_class_variable_is_no_field(signatures: ModuleType) -> None:
    found = unlike.structures(signatures.Counted, scope=4, **TRUST)

    assert sorted(case.value.value for case in found.suite) == [0, 1]
    assert {value.value for value in unlike.generate(signatures.Counted, "all").values} == {0, 1}
