"""How long commands take beyond their `--timeout`: each is given two seconds for what takes far too long.

The promise is that nothing overruns by more than a tenth and a second, once the command is loaded.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import jsonschema_specifications

from bench.rows import Row

ROOT = Path(__file__).parent.parent
METASCHEMA = str(Path(jsonschema_specifications.__file__).parent / "schemas" / "draft6" / "metaschema.json")
TIMEOUT = 2.0
MOST = TIMEOUT * 1.1 + 1
GIVEN_UP = 60.0

PROGRAM = """
import importlib, sys, time
from unlike.cli import COMMANDS, main
for name in (COMMANDS[sys.argv[1]].partition(":")[0], "bench.endless", "unlike.typed.verbs"):
    importlib.import_module(name)
began = time.monotonic()
try:
    main()
finally:
    print(time.monotonic() - began, file=sys.stderr)
"""

SCHEMA = {
    "type": "object",
    "required": [f"f{number}" for number in range(14)],
    "properties": {
        f"f{number}": {"type": "array", "items": {"enum": list(range(12))}, "maxItems": 6, "uniqueItems": True}
        for number in range(14)
    },
    "additionalProperties": False,
}
DESCRIPTION = {
    "openapi": "3.1.0",
    "info": {"title": "t", "version": "1"},
    "paths": {
        "/x": {
            "post": {
                "operationId": "put",
                "requestBody": {"content": {"application/json": {"schema": SCHEMA}}},
                "responses": {"200": {"description": "ok"}},
            }
        }
    },
}
PATTERN = "((a|b|c)?(d|e|f)?(g|h|i)?(j|k|l)?){6}(?!.*aab)(?=.*(x|y|z))[a-z]*(.)\\4"

HEAP, NODE, SLOW, STUCK = (f"bench.endless:{name}" for name in ("Heap", "Node", "Slow", "Stuck"))
GENERATE = {
    "three specs": "bench.endless:specs",
    "a slow predicate": "bench.endless:slow_spec",
    "very many inputs": "bench.endless:quick_spec -n 50000000",
    "count a spec": "bench.endless:slow_spec --count",
    "a type": "bench.endless:Wide -n 100000",
    "a type by pairs": "bench.endless:Wide --cover pairs",
    "a picky type": "bench.endless:Picky -n 100",
    "invalid": "bench.endless:Picky --invalid",
    "a type here": "bench.endless:Wide -n 100000 --in-process",
    "a schema": "--schema {folder}/schema.json -n 100000",
    "pairs of a schema": "--schema {folder}/schema.json --cover pairs",
    "pairs of a large schema": "--schema {metaschema} --cover pairs",
    "invalid by a large schema": "--schema {metaschema} --invalid",
    "invalid by a schema": "--schema {folder}/schema.json --invalid",
    "a request": "--openapi {folder}/service.json --operation put -n 100000",
    "a description": "--openapi {folder}/service.json",
    "a pattern": "--regex {pattern} --all",
    "invalid strings": "--regex {pattern} --invalid",
    "count a pattern": "--regex {pattern} --count",
    "a repetition of nothing": "--regex ((?=a)){4294967294,} --count",
    "a long repetition": "--regex (?:.{2,5}){3}(?:[a-z]+){100000} -n 5",
    "invalid, long": "--regex (?:\\w*){100000} --invalid",
    "invalid, empty rounds": "--regex (?:(?:\\b)+|x{2}+){1000} --invalid",
    "many empty rounds": "--regex (?:a?){1000}a{1000} -n 5",
    "addresses of ordinary work": "examples.work.addresses:addresses -n 20",
    "coupons of ordinary work": "examples.work.coupons:coupons -n 20",
    "log lines of ordinary work": "examples.work.log_lines:log_lines -n 20",
}
OTHERS = {
    "explore": f"{HEAP} --scope 7",
    "explore, JSON": f"{HEAP} --scope 7 --format json",
    "explore, files": f"{HEAP} --scope 7 --all -o {{folder}}/made",
    "explore, one of each shape": f"{HEAP} --scope 7 --one-per-shape",
    "explore, open": f"{NODE} --scope 13 --values symbolic",
    "explore, two workers": f"{HEAP} --scope 7 --workers 2",
    "explore here": f"{HEAP} --scope 7 --in-process",
    "explore at random": f"{HEAP} --scope 7 --random",
    "explore, fields": f"{HEAP} --scope 7 --fields",
    "explore, builders": f"{HEAP} --scope 7 --builders auto",
    "explore, drawn from open": f"{NODE} --scope 13 --values symbolic --sample 2000 --format json",
    "explore, slow calls": f"{SLOW} --scope 5 --format json",
    "explore, a call that hangs": f"{STUCK} --scope 5",
    "structures": f"{NODE} --scope 9",
    "structures, korat": f"{NODE} --scope 9 --engine korat",
    "structures, hybrid": f"{NODE} --scope 9 --engine hybrid",
    "structures, tests": f"{NODE} --scope 9 --format pytest --all",
    "structures, slow": f"{SLOW} --scope 6",
    "structures that hang": f"{STUCK} --scope 5",
    "fields": f"{NODE} --scope 12",
    "fields, smallest": f"{NODE} --scope 9 --smallest",
    "fields by search": f"{NODE} --scope 9 --engine search",
    "fields, slow": f"{SLOW} --scope 6 --engine search",
    "compare": f"{NODE} --scope 8",
    "compare, slow": f"{SLOW} --scope 3",
    "compare, hangs": f"{STUCK} --scope 5",
    "builders": f"{HEAP} --scope 7",
    "builders, genetic": f"{HEAP} --scope 4 --search genetic",
    "builders, slow": f"{SLOW} --scope 3",
}


def run() -> Iterator[Row]:
    """Yield how long each command takes."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "schema.json").write_text(json.dumps(SCHEMA))
        Path(folder, "service.json").write_text(json.dumps(DESCRIPTION))
        for name, words in GENERATE.items():
            yield timed(f"generate: {name}", ["generate", *filled(words, folder)])
        for name, words in OTHERS.items():
            yield timed(name, [name.split()[0].strip(","), *filled(words, folder)])


def filled(words: str, folder: str) -> list[str]:
    """Return the arguments of a command, with what stands for files and patterns filled in."""
    return [
        word.replace("{folder}", folder).replace("{pattern}", PATTERN).replace("{metaschema}", METASCHEMA)
        for word in words.split()
    ]


def timed(name: str, arguments: list[str]) -> Row:
    """Run a command and say how long it took."""
    command = [sys.executable, "-c", PROGRAM, *arguments, "--timeout", f"{TIMEOUT:g}"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=GIVEN_UP, check=False)
        *said, last = done.stderr.strip().splitlines()
        seconds, ending = float(last), f"exit {done.returncode}: {(said or [''])[-1][:60]}"
    except subprocess.TimeoutExpired:
        seconds, ending = GIVEN_UP, "given up"
    return Row(name, f"{seconds:.1f} s", ending, f"at most {MOST:g} s", kept=seconds <= MOST)
