"""Tests run once more where sets of texts go in another order: what they show there differs from run to run."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Sequence

from unlike.isolation.scratch import absolute_paths, new_scratch
from unlike.writers.pytest_file.drafts import FILE, Draft

SEEDS = "1", "2", "8"  # of the hash of texts: sets of the first letters go in other orders in each
SECONDS = 60  # for all tests of a file, which have been run before
PROGRAM = f"""
import ast, json, sys, traceback

class Lenient(ast.NodeTransformer):  # an assertion that fails is noted, and the test goes on
    def visit_Assert(self, node):
        note = ast.parse(f"failed.add({{node.lineno}})").body
        return ast.Try([node], [ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, note)], [], [])

said = []
for number, (imports, text, name) in enumerate(json.load(sys.stdin)):
    failed = set()
    space = {{"__name__": "draft", "failed": failed}}
    try:
        exec("\\n".join(imports), space)
        tree = ast.fix_missing_locations(Lenient().visit(ast.parse(text)))
        exec(compile(tree, {FILE!r}, "exec"), space)
        space[name]()
    except BaseException as error:
        failed.update(line for frame, line in traceback.walk_tb(error.__traceback__)
                      if (frame.f_code.co_filename, frame.f_code.co_name) == ({FILE!r}, name))
    said.append(sorted(failed))
sys.__stdout__.write("\\n" + json.dumps(said))
"""


def leave_out_unordered(drafts: Sequence[Draft], words: str = "it shows texts in another order in each run") -> bool:
    """Leave out what fails where texts have other hashes; tell whether there was any.

    Tests without texts are run once: the code may have texts of its own.
    """
    tried = [draft for draft in drafts if not draft.skipped]
    tests = json.dumps([[sorted(draft.imports), draft.text, draft.name] for draft in tried])
    failed: list[set[int]] = [set() for _ in tried]
    for seed in SEEDS if any(_has_texts(draft.text) for draft in tried) else SEEDS[: bool(tried)]:
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(absolute_paths())}
        command = [sys.executable, "-c", PROGRAM]
        try:
            with new_scratch() as here:
                done = subprocess.run(
                    command, input=tests, capture_output=True, text=True, env=env, timeout=SECONDS, cwd=here
                )
            said = json.loads(done.stdout.rpartition("\n")[2])
        except (subprocess.TimeoutExpired, ValueError):  # code under test that ends or blocks a process
            continue
        for lines, more in zip(failed, said, strict=True):
            lines |= set(more)
    for draft, lines in zip(tried, failed, strict=True):
        if lines:
            draft.mend(lines, words)
    return any(failed)


def _has_texts(text: str) -> bool:
    """Tell whether texts are passed, or shown several at a time."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Attribute() | ast.Name(), args=parts) if any(map(_is_text, parts)):
                return True
            case ast.Subscript(slice=part) | ast.Compare(left=part) if _is_text(part):
                return True
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.Dict(keys=parts):
                if sum(map(_is_text, parts)) > 1:
                    return True
    return False


def _is_text(node: object) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
