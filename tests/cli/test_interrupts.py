"""Ctrl-C ends every verb with what it has: exit code 3, and one document where JSON was asked for."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.corpora import few_of

import unlike
from unlike.suite import Ending, Status

ROOT = Path(__file__).parent.parent.parent
PROGRAM = """
import importlib, os, signal, sys, threading
from unlike.cli import COMMANDS, main
for name in (COMMANDS[sys.argv[1]].partition(":")[0], "bench.endless", "unlike.typed.verbs"):
    importlib.import_module(name)
threading.Timer(2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
main()
"""
PATTERN = "((a|b|c)?(d|e|f)?(g|h|i)?(j|k|l)?){6}(?!.*aab)(?=.*(x|y|z))[a-z]*(.)\\4"
SCHEMA = {
    "type": "object",
    "properties": {
        f"f{number}": {"type": "array", "items": {"enum": list(range(12))}, "maxItems": 6, "uniqueItems": True}
        for number in range(14)
    },
}
VERBS = {
    "a spec": ["generate", "bench.endless:slow_spec"],
    "a type": ["generate", "bench.endless:Wide", "-n", "100000"],
    "a schema": ["generate", "--schema", "{folder}/schema.json", "-n", "100000"],
    "strings": ["strings", PATTERN, "--all"],
    "requests": ["requests", "{folder}/service.json", "-n", "100000"],
    "explore": ["explore", "bench.endless:Slow", "--scope", "7", "--values", "concrete", "--sample", "2"],
    "explore in two processes": ["explore", "bench.endless:Slow", "--scope", "7", "--workers", "2"],
    "explore, open": ["explore", "bench.endless:Node", "--scope", "13", "--values", "symbolic"],
    "builders": ["builders", "bench.endless:Heap", "--scope", "7"],
    "builders, genetic": ["builders", "bench.endless:Heap", "--scope", "4", "--search", "genetic"],
    "structures": ["structures", "bench.endless:Node", "--scope", "9"],
    "structures, korat": ["structures", "bench.endless:Node", "--scope", "9", "--engine", "korat"],
    "fields": ["fields", "bench.endless:Node", "--scope", "12"],
    "compare": ["compare", "bench.endless:Node", "--scope", "9"],
    "compare, slow": ["compare", "bench.endless:Slow", "--scope", "3"],
}


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("name", few_of(VERBS, 1))
def test_an_interrupted_verb_answers_with_one_document(name: str, tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    body = {"content": {"application/json": {"schema": SCHEMA}}}
    service = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/x": {"post": {"operationId": "put", "requestBody": body, "responses": {}}}},
    }
    (tmp_path / "service.json").write_text(json.dumps(service))
    words = [word.replace("{folder}", str(tmp_path)) for word in VERBS[name]]

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words, "--format", "json"],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    answer = json.loads(done.stdout)
    assert answer["verb"] == words[0]
    assert answer["status"]["ending"] == "interrupted"


def test_a_sample_of_what_was_cut_short_is_cut_short() -> None:
    every = unlike.generate(int | str, 10)
    cut = dataclasses.replace(every, status=Status(Ending.TIMEOUT, "2 s are over"))

    assert every.sample(1).status == Status(Ending.FOUND, f"drawn from {len(every)}")
    assert cut.sample(1).status == Status(Ending.TIMEOUT, f"2 s are over; drawn from {len(every)}")
