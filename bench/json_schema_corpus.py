"""Whether groups of schemas get a right answer.

    python -m bench.json_schema_corpus DRAFT=FILE … [--remotes URL=FOLDER]

A file holds groups as the official test suite of JSON Schema has them: a schema, and data that are valid or not. Every
schema is covered, each of its choices once, and every instance is checked by the validator. "No instance exists" is
wrong if one of the group's own data is valid; the validator has to agree with all of them.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import unlike
from unlike.documents.json_schema.document import load
from unlike.errors import UnlikeError

SECONDS = 60.0


@dataclass(slots=True)
class Tally:
    """What became of the groups of one file."""

    draft: str
    groups: int = 0
    valid: int = 0
    empty: int = 0
    instances: int = 0
    unknown: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def __str__(self) -> str:
        definite = self.valid + self.empty
        said = f"draft {self.draft}: {definite} of {self.groups} groups with a definite answer "
        said += f"({definite / self.groups:.1%}): {self.valid} with {self.instances} instances, "
        said += f"{self.empty} without any (proved); {len(self.unknown)} unknown, {len(self.wrong)} wrong"
        return f"{said}; {self.seconds:.0f} s"


def tally_of(groups: Iterable[dict[str, Any]], draft: str, remotes: dict[str, str]) -> Tally:
    """Return what becomes of groups of schemas."""
    tally = Tally(draft)
    start = time.process_time()
    for group in groups:
        tally.groups += 1
        name = f"{group.get('file', '')}: {group.get('description', '')}"
        try:
            tally.wrong += [f"{name}: {each}" for each in _answer(tally, group, remotes)]
        except UnlikeError as error:
            tally.unknown.append(f"{name}: {error}")
    tally.seconds = time.process_time() - start
    return tally


def _answer(tally: Tally, group: dict[str, Any], remotes: dict[str, str]) -> Iterator[str]:
    """Count the answer to one schema, and yield what is wrong with it."""
    schema = load(group["schema"], dialect=tally.draft, resolve=remotes).at()
    suite = unlike.generate(schema, timeout=SECONDS)
    tests = group.get("tests", ())
    for test in tests:
        if schema.accepts(test["data"]) is not test["valid"]:
            yield f"the validator errs on {test['data']!r}"
    values = suite.values
    tally.instances += len(values)
    if values:
        tally.valid += 1
        yield from (f"{value!r} is no instance" for value in values if not schema.accepts(value))
    elif suite.status.ending is unlike.Ending.UNSATISFIABLE:
        tally.empty += 1
        if any(test["valid"] for test in tests):
            yield "there is an instance"
    else:
        tally.unknown.append(f"{group.get('description')}: {suite.status}")


def main(arguments: list[str]) -> int:
    """Print a line for each file, and what is unknown or wrong; return 1 if anything is wrong or below 95 %."""
    remotes, files = {}, []
    rest = iter(arguments)
    for each in rest:
        if each == "--remotes":
            address, _, folder = next(rest).rpartition("=")
            remotes[address] = folder
        else:
            files.append(each.split("=", 1))
    worst = 1.0
    for draft, path in files:
        tally = tally_of(json.loads(Path(path).read_text()), draft, remotes)
        print(tally)
        for entry in tally.unknown + tally.wrong:
            print(f"    {entry}")
        worst = min(worst, (tally.valid + tally.empty) / tally.groups, 0.0 if tally.wrong else 1.0)
    return 0 if worst >= 0.95 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
