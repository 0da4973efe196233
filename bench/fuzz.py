"""Broken inputs for every command and every file it reads: `python -m bench.fuzz --cases 20000`.

A case is known by its number: real inputs (of ../shared/data, where that is, and of the examples) that are mutated,
inputs made by small grammars, and damaged ones. Each runs in a copy of one process that has loaded everything.
Judges: no traceback, an exit code that is documented, processor time within `--timeout`, a tenth and a second, and
memory within `--memory`. `--log FILE` keeps what was bad and how far it came: the same command goes on from there.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import importlib
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "data"
TIMEOUT = 1.0
MEMORY = 500  # megabytes beyond what a process has
MOST_SECONDS = TIMEOUT * 1.1 + 1
MOST_WALL = 60.0  # seconds by the clock after which a case hangs, however busy the machine is
MOST_KILOBYTES = (MEMORY + 200) * 1024
DOCUMENTED = (0, 1, 2, 3)
LARGEST_SEED = 60_000  # bytes of a real input: larger ones take their time merely to be read
LIMITS = ("--timeout", f"{TIMEOUT:g}", "--memory", str(MEMORY))
NODE, HEAP, SPEC = "bench.endless:Node", "bench.endless:Heap", "examples.retail:items"
FLAGS = (
    "--scope -n --literals --objects --elements --field --seed --calls --sample --at --cover --format --methods "
    "--omit-fields --precondition --invariant --solver --effort"
)
OF_CLASSES = (("explore", HEAP), ("builders", HEAP), ("structures", NODE), ("fields", NODE), ("compare", NODE))
ODD = (
    "0", "-1", "1e999", "99999999999999999999", "9" * 5000, "NaN", "null",
    "true", '""', "[]", "{}", '"\\ud800"', "\x00",
    "\ufeff", "é", "\U0001f600", "[" * 300, "(" * 300, "{1,2}", "{4294967294}", "(?=a)*", "$ref", "..", "\\", '"', "\r",
    "0x" + "f" * 6000, "'''", "#", "@", "- ", "&a *a", "!!python/object:x", "1..99999999999",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FuzzCase:
    """Words of a command line, in which {0} is the file, and what the file holds."""

    words: tuple[str, ...]
    name: str = ""
    contents: bytes = b""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case, and what is wrong with that, if anything."""

    code: int
    seconds: float
    kilobytes: int
    said: str
    wrong: str


# -- inputs --------------------------------------------------------------------------------------------


@functools.cache
def real_patterns() -> list[str]:
    """Return patterns that people wrote."""
    found: list[str] = json.loads((SHARED / "regexes.json").read_text()) if SHARED.is_dir() else []
    return found or [
        r"(1[0-2]|[1-9]):[0-5]\d(\s)?(AM|PM)",
        r"^[\w.]+@[a-z]+\.(?:com|org)$",
        r"(a|b)*\1",
        r"(?<=x)\d{2,5}",
    ]


@functools.cache
def real_schemas() -> list[bytes]:
    """Return JSON Schemas that people wrote."""
    rows: list[Any] = []
    for name in ("json_schemas_draft7.json", "json_schemas_2020_12.json"):
        rows += json.loads((SHARED / name).read_text()) if SHARED.is_dir() else []
    found = [json.dumps(row["schema"]).encode() for row in rows]
    return found or [
        b'{"type": "object", "properties": {"a": {"enum": [1, 2]}}}',
        b'{"pattern": "^a{2,5}$", "type": "string"}',
    ]


@functools.cache
def real_services() -> list[tuple[str, bytes]]:
    """Return descriptions of services that people wrote, in JSON and YAML."""
    files = [each for each in sorted((SHARED / "openapi").glob("*")) if each.suffix in (".json", ".yaml", ".yml")]
    files = files or [ROOT / "examples" / "specs" / name for name in ("library.yaml", "shop.yaml")]
    return [(each.suffix, each.read_bytes()) for each in files if each.stat().st_size <= LARGEST_SEED]


@functools.cache
def real_programs() -> list[bytes]:
    """Return programs and specs in files."""
    files = [SHARED / "figure_8.iorek", ROOT / "examples" / "calendar.iorek", ROOT / "tests/programs/figure_8.iorek"]
    return [each.read_bytes() for each in files if each.is_file()]


@functools.cache
def saved_files() -> dict[str, bytes]:
    """Return what commands themselves save and read again: builders, and a suite."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, words in {
            "builders": ("builders", HEAP, "--scope", "2", "--format", "json"),
            "suite": ("structures", NODE, "--scope", "2", "--all", "--format", "json"),
        }.items():
            path = Path(folder) / f"{name}.json"
            run_case(FuzzCase((*words, "-o", str(path))), seconds=MOST_WALL)
            found[name] = (path / "Node.json" if path.is_dir() else path).read_bytes()
    return found


TOML = b"""scope = 2
elements = 2
values = "concrete"
omit-fields = "version"
precondition = ["ValueError"]
[literals]
int = [0, 1]
str = "a,b"
[objects]
Heap = 2
["bench.endless:Heap"]
calls = 3
"""


def make_pattern(rng: random.Random, depth: int = 3) -> str:
    """Return a pattern of a small grammar, with counts of any size."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(
            ["a", "b", ".", r"\w", "[a-c]", r"\b", "^", "$", "(?=a)", "(?!b)", "()", "(?:)", r"\1", "x{2}+"]
        )
    match rng.randrange(6):
        case 0:
            return "|".join(make_pattern(rng, depth - 1) for _ in range(rng.randint(2, 3)))
        case 1:
            return "".join(make_pattern(rng, depth - 1) for _ in range(rng.randint(2, 3)))
        case 2:
            around = rng.choice(["({})", "(?:{})", "(?>{})", "(?={})", "(?!{})", "(?<={})", "(?i:{})", "(?P<n>{})"])
            return around.format(make_pattern(rng, depth - 1))
        case _:
            count = rng.choice(
                ["*", "+", "?", "*?", "++", "{2}", "{3,}", "{0,5}", "{1000}", "{100000}", "{4294967294,}"]
            )
            return f"(?:{make_pattern(rng, depth - 1)}){count}"


def make_data(rng: random.Random, depth: int = 4) -> Any:
    """Return data that may be a schema, with words of JSON Schema in places where they belong or do not."""
    plain = [None, True, 0, -1, 2, 1.5, 10**30, "", "string", "object", "array", "#", "#/$defs/a", "^a+$", "date"]
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(plain)
    if rng.random() < 0.25:
        return [make_data(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    words = [
        "type", "enum", "const", "properties", "required", "items", "prefixItems", "minItems", "maxItems", "pattern",
        "minLength", "maxLength", "minimum", "multipleOf", "anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "if", "a",
        "uniqueItems", "then", "additionalProperties", "patternProperties", "dependentRequired", "format", "contains",
    ]  # fmt: skip
    return {rng.choice(words): make_data(rng, depth - 1) for _ in range(rng.randint(0, 4))}


def make_program(rng: random.Random, depth: int = 4) -> str:
    """Return a program, or what looks like one."""
    words = [
        "program",
        "declare",
        "specify",
        "generate",
        "matches",
        "gte",
        "with",
        "cover-regexp",
        "?Integer",
        "x",
        "10",
    ]
    if depth == 0 or rng.random() < 0.3:
        return rng.choice([*words, '"a+"', '"\\ud800"', "99999999999999999999", "-1", "?(Option Date)"])
    inner = " ".join(make_program(rng, depth - 1) for _ in range(rng.randint(0, 4)))
    return f"({rng.choice(words)} {inner})"


# -- damage --------------------------------------------------------------------------------------------


def damage(raw: bytes, rng: random.Random) -> bytes:
    """Return the bytes with one to three slips: cut, doubled, moved, changed, or something odd in between."""
    for _ in range(rng.randint(1, 3)):
        at, until = sorted((rng.randint(0, len(raw)), rng.randint(0, len(raw))))
        until = min(until, at + rng.choice([1, 2, 8, 64, len(raw)]))
        match rng.randrange(7):
            case 0:
                raw = raw[:at]
            case 1:
                raw = raw[:at] + raw[until:]
            case 2:
                raw = raw[:until] + raw[at:until] * rng.choice([1, 2, 30]) + raw[until:]
            case 3:
                raw = raw[:at] + bytes([rng.randrange(256)]) + raw[at + 1 :]
            case 4:
                numbers = list(re.finditer(rb"\d+", raw))
                if numbers:
                    number = rng.choice(numbers)
                    raw = raw[: number.start()] + rng.choice(ODD).encode() + raw[number.end() :]
            case _:
                raw = raw[:at] + rng.choice(ODD).encode() + raw[at:]
        raw = raw[: 4 * LARGEST_SEED]
    return raw


def change_data(raw: bytes, rng: random.Random) -> bytes:
    """Return JSON in which one value is another, or a key is gone or has another name."""
    data = json.loads(raw)
    places: list[tuple[Any, Any]] = []
    todo = [data]
    while todo:
        each = todo.pop()
        keys = list(each) if isinstance(each, dict) else range(len(each)) if isinstance(each, list) else ()
        places += [(each, key) for key in keys]
        todo += [each[key] for key in keys]
    if not places:
        return damage(raw, rng)
    inside, key = rng.choice(places)
    match rng.randrange(4):
        case 0:
            del inside[key]
        case 1 if isinstance(inside, dict):
            inside[rng.choice(["", "type", "name", "\ud800", "__class__"])] = inside.pop(key)
        case _:
            inside[key] = rng.choice([None, True, -1, 10**40, 1.5, "", "\ud800", [], {}, [inside[key]], make_data(rng)])
    return json.dumps(data).encode()


def change(raw: bytes, rng: random.Random) -> bytes:
    """Return JSON changed as data, or as bytes."""
    if rng.random() < 0.6:
        with contextlib.suppress(ValueError):
            return change_data(raw, rng)
    return damage(raw, rng)


# -- cases ---------------------------------------------------------------------------------------------


def case_of_pattern(rng: random.Random) -> FuzzCase:
    """Return a pattern that was written, damaged or made."""
    real = rng.choice(real_patterns())
    damaged = damage(real.encode(), rng).decode(errors="replace").replace("\x00", "")
    pattern = rng.choice([real, damaged, damaged, make_pattern(rng), make_pattern(rng)])
    ways = (("-n", "3"), ("-n", "30"), ("--count",), ("--invalid",), ("--mix", "0.5", "-n", "6"), ("--cover", "pairs"))
    return FuzzCase(("generate", "--regex", pattern[:5_000], *rng.choice(ways), *LIMITS))


def case_of_schema(rng: random.Random) -> FuzzCase:
    """Return a schema that was changed, damaged or made."""
    made = json.dumps(make_data(rng)).encode()
    contents = rng.choice([change(rng.choice(real_schemas()), rng), change(rng.choice(real_schemas()), rng), made])
    ways = (("-n", "3"), ("--invalid",), ("--cover", "pairs", "-n", "3"), ("--count",), ("--as-text", "-n", "3"))
    return FuzzCase(("generate", "--schema", "{0}", *rng.choice(ways), *LIMITS), "schema.json", contents)


def case_of_service(rng: random.Random) -> FuzzCase:
    """Return a description of a service that was changed or damaged."""
    suffix, raw = rng.choice(real_services())
    contents = change(raw, rng) if suffix == ".json" else damage(raw, rng)
    command = rng.choice([("requests", "{0}"), ("generate", "--openapi", "{0}")])
    return FuzzCase((*command, "-n", "1", *LIMITS), f"service{suffix}", contents)


def case_of_program(rng: random.Random) -> FuzzCase:
    """Return a program that was damaged or made."""
    made = f"(program p {make_program(rng)} (generate t 3 {make_program(rng)}))".encode()
    contents = rng.choice([damage(rng.choice(real_programs()), rng), damage(rng.choice(real_programs()), rng), made])
    command = rng.choice([("program", "{0}"), ("generate", "{0}", "-n", "3")])
    return FuzzCase((*command, *LIMITS), "p.iorek", contents)


def case_of_document(rng: random.Random) -> FuzzCase:
    """Return a file of named patterns or types, or YAML, that was damaged."""
    raw = (SHARED / "figure_2.json").read_bytes() if SHARED.is_dir() else b'{"a": {"type": "Regex", "pat": "x|y"}}'
    name, key = rng.choice([("spec.json", "Event"), ("spec.yaml", "time"), ("spec.yml", "12h")])
    return FuzzCase(("generate", f"{{0}}:{key}", "-n", "3", *LIMITS), name, change(raw, rng))


def case_of_settings(rng: random.Random) -> FuzzCase:
    """Return settings that were damaged, for each command that reads some."""
    return FuzzCase((*rng.choice(OF_CLASSES), "--config", "{0}", *LIMITS), "s.toml", damage(TOML, rng))


def case_of_builders(rng: random.Random) -> FuzzCase:
    """Return a file of builders that was changed."""
    words = ("explore", HEAP, "--scope", "2", "--builders", "{0}", "--count", *LIMITS)
    return FuzzCase(words, "b.json", change(saved_files()["builders"], rng))


def case_of_suite(rng: random.Random) -> FuzzCase:
    """Return a saved suite that was changed."""
    return FuzzCase(
        ("fields", NODE, "--scope", "2", "--of", "{0}", *LIMITS), "s.json", change(saved_files()["suite"], rng)
    )


def case_of_flags(rng: random.Random) -> FuzzCase:
    """Return a command with odd values for its flags."""
    odd = [each for each in ODD if "\x00" not in each]
    others = [("generate", SPEC), ("generate", "--regex", "a+"), ("strings", "a|b"), ("program", "no.iorek")]
    command = rng.choice([*OF_CLASSES, *others])
    flags = FLAGS.split()
    words = list(command)
    for _ in range(rng.randint(1, 2)):
        value = rng.choice([*odd, "3", "int=0..99999999", "int=" + rng.choice(odd), "Heap=99999999999", "Node.x=1"])
        words += [rng.choice(flags), value]
    return FuzzCase((*words, *LIMITS))


MAKERS: tuple[tuple[Callable[[random.Random], FuzzCase], int], ...] = (  # and how often each comes
    (case_of_pattern, 6), (case_of_schema, 6), (case_of_service, 2), (case_of_program, 4), (case_of_document, 2),
    (case_of_settings, 2), (case_of_builders, 2), (case_of_suite, 2), (case_of_flags, 3),
)  # fmt: skip


def case_of(number: int) -> FuzzCase:
    """Return the case of a number: the same one, always."""
    rng = random.Random(f"fuzz {number}")
    [maker] = rng.choices([maker for maker, _ in MAKERS], [often for _, often in MAKERS])
    return maker(rng)


# -- running -------------------------------------------------------------------------------------------


def load_everything() -> None:
    """Load what commands load, once for all cases."""
    from unlike.cli.entry import COMMANDS

    modules = [place.partition(":")[0] for place in COMMANDS.values()]
    more = ["bench.endless", "examples.retail", "unlike.typed.verbs", "unlike.cli.regex", "unlike.cli.types"]
    for name in [
        *modules,
        *more,
        "unlike.cli.documents",
        "unlike.documents.openapi.requests",
        "unlike.documents.yaml_text",
    ]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def run_case(case: FuzzCase, seconds: float = MOST_SECONDS) -> Outcome:
    """Run a case in a copy of this process, and judge what became of it."""
    folder = tempfile.mkdtemp(prefix="unlike-fuzz-")
    try:
        with tempfile.TemporaryFile() as said:
            pid = os.fork()
            if pid == 0:
                _run_here(case, folder, said.fileno())
            code, used = _wait(pid)
            said.seek(0)
            words = said.read(2_000_000).decode(errors="replace")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    took = used.ru_utime + used.ru_stime
    return Outcome(code, took, used.ru_maxrss, words[-1_500:], _wrong(code, took / seconds, used.ru_maxrss, words))


def _wrong(code: int, share: float, kilobytes: int, words: str) -> str:
    if "Traceback (most recent call last)" in words:
        return "a traceback"
    if code not in DOCUMENTED:
        return f"exit code {code}"
    if share > 1:
        return "too slow"
    return "too much memory" if kilobytes > MOST_KILOBYTES else ""


def _run_here(case: FuzzCase, folder: str, said: int) -> None:
    """Be the command; never return."""
    code: object = 99
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(said, 1)
        os.dup2(said, 2)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        os.chdir(folder)
        if case.name:
            Path(case.name).write_bytes(case.contents)
        sys.path.insert(0, str(ROOT))
        from unlike.cli.entry import main

        try:
            main([word.replace("{0}", case.name) if case.name else word for word in case.words])
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            import traceback

            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code if isinstance(code, int) else 98)


def _wait(pid: int) -> tuple[int, resource.struct_rusage]:
    """Wait for a copy; one that hangs is ended."""
    until = time.monotonic() + MOST_WALL
    while True:
        done, status, used = os.wait4(pid, os.WNOHANG)
        if done:
            break
        if time.monotonic() > until:
            with contextlib.suppress(OSError):
                os.killpg(pid, signal.SIGKILL)
            _, status, used = os.wait4(pid, 0)
            break
        time.sleep(0.002)
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status), used


def bad_cases(numbers: range, until: float = float("inf")) -> Iterator[tuple[int, FuzzCase, Outcome]]:
    """Yield each case with its outcome, as long as there is time by the clock."""
    load_everything()
    for number in numbers:
        if time.monotonic() > until:
            return
        case = case_of(number)
        outcome = run_case(case)
        if outcome.wrong == "too slow":  # once more: what else runs may have made it so
            outcome = run_case(case)
        yield number, case, outcome


def main() -> int:
    """Run so many cases, from where the log ends; print what was bad."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--log", type=Path, default=None, help="what was bad, and how far it came")
    parser.add_argument("--show", type=int, default=None, help="run one case and print it")
    asked = parser.parse_args()
    if asked.show is not None:
        load_everything()
        case = case_of(asked.show)
        print(case, run_case(case), sep="\n")
        return 0
    first = asked.first
    if asked.log is not None and asked.log.exists():
        first = max([first, *(json.loads(line)["number"] + 1 for line in asked.log.read_text().splitlines())])
    bad = Counter[str]()
    done, began = 0, time.process_time() + sum(os.times()[2:4])
    for number, case, outcome in bad_cases(range(first, asked.cases), time.monotonic() + 60 * asked.minutes):
        done += 1
        if outcome.wrong:
            bad[outcome.wrong] += 1
            print(f"{number}: {outcome.wrong}: {' '.join(case.words)[:200]!r}\n  {outcome.said[-300:]!r}", flush=True)
        if asked.log is not None and (outcome.wrong or number % 50 == 49):
            with asked.log.open("a") as log:
                log.write(json.dumps({"number": number, "wrong": outcome.wrong}) + "\n")
    took = time.process_time() + sum(os.times()[2:4]) - began
    print(
        f"{done:,} cases from {first:,} on, {sum(bad.values())} bad {dict(bad) or ''}, {took:.0f} s of processor time"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
