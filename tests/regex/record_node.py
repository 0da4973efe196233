"""Writes tests/regex/node/answers.json: what node says of random patterns and of those that people wrote.

    python -m tests.regex.record_node FILE_OF_PATTERNS…

The files are JSON: lists of patterns, or documents with `pattern` and `patternProperties` in them. The answers are
committed, so that the tests need no node.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.regex.random_ecma import random_ecma

from unlike.regex.dialects.ecma import read_ecma
from unlike.regex.texts.construct import candidates
from unlike.regex.tree import PatternError

HERE = Path(__file__).parent / "node"
ODD = [
    "",
    "a",
    "ab",
    "B7",
    "é",
    "ß",
    "٣",
    "😀",
    "a\n",
    "\n",
    " ",
    "\ufeff",
    "Σa",
    "Я",
    "-",
    "a-b",
    "aa",
    "ABC",
    "_9",
    "\u2028",
    "a b",
]
RANDOM = 2_000
WRITTEN = 600  # of the patterns that people wrote


def main() -> None:
    draw = random.Random(2_026)
    written = sorted({each for name in sys.argv[1:] for each in patterns_in(json.loads(Path(name).read_text()))})
    draw.shuffle(written)
    made = dict.fromkeys(random_ecma(draw) for _ in range(RANDOM * 2))
    patterns = [*written[:WRITTEN], *[each for each in made if len(each) < 80][:RANDOM]]
    asked = [[each, texts_for(each, draw)] for each in patterns]
    said = subprocess.run(
        ["node", str(HERE / "answers.mjs")], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    (HERE / "answers.json").write_text(said.stdout)


def patterns_in(part: object) -> Iterator[str]:
    match part:
        case str():
            yield part
        case list():
            for each in part:
                if isinstance(each, str | list | dict):
                    yield from patterns_in(each) if not isinstance(each, str) else [each]
        case dict():
            for key, value in part.items():
                if key == "pattern" and isinstance(value, str):
                    yield value
                elif key == "patternProperties" and isinstance(value, dict):
                    yield from value
                if isinstance(value, dict | list):
                    yield from (each for each in patterns_in(value) if isinstance(value, dict) or key != "enum")


def texts_for(pattern: str, draw: random.Random) -> list[str]:
    """Return texts that it may match, these with one change, and odd ones."""
    found: dict[str, None] = {}
    for unicode in (True, False):
        try:
            for text in candidates(read_ecma(pattern, unicode=unicode), 6):
                found[text[:60]] = None
                if text:
                    at = draw.randrange(len(text))
                    found[(text[:at] + draw.choice(ODD[1:]) + text[at + 1 :])[:60]] = None
            break
        except PatternError:
            continue
    whole = [each for each in found if not any(0xD800 <= ord(char) < 0xE000 for char in each)]
    return [*whole[:9], *draw.sample(ODD, 7)]


if __name__ == "__main__":
    main()
