"""Digests of what `explore` finds of odd classes, gone every way; `python -m tests.golden.odd_classes` pins them anew.

    {"specimens:Pile": {"concrete, a copy": "5f0c1a2b 90e1d3c4", …}, …}    what was found, and what is said of it

Where `explorations` shows in full what a few classes come to, here are many, and executors and the walk in Python, too.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from tests.golden import explorations

PINNED = Path(__file__).parent / "odd_classes.json"
SAID = ("status", "explanation", "suite status", "guarantee")  # in words
USUAL = ("minefield:ManyExits",)  # the others are a corpus
CLASSES: dict[str, dict[str, Any]] = {
    **{f"minefield:{name}": {} for name in ("Loud", "ManyExits", "Typewriter", "Fragile", "Keyed", "Local")},
    "minefield:Minefield": {"methods": "right|up|leave|exit|ask|recurse", "calls": 5},
    **{f"keepers:{name}": {} for name in ("Frame", "Chain", "Clock", "Limiter", "Basket", "Turns")},
    "keepers:Twig": {"scope": 2},
    "keepers:Area": {"invariant": "is_sound"},
    "sharers:Parcel": {"scope": 2, "calls": 3},
    **{f"sharers:{name}": {"scope": 2} for name in ("Amphibian", "Shelf")},
    **{f"curiosities:{name}": {} for name in ("Checked", "Passing", "Door", "Refusing", "Steps", "Cat", "Pages")},
    **{f"curiosities:{name}": {} for name in ("Piercing", "Turning", "Fickle", "Only")},
    **{f"specimens:{name}": {} for name in ("Pile", "Inherited", "Failing", "Registered", "Chain", "Tape", "Locked")},
    **{f"specimens:{name}": {} for name in ("Picky", "Wide", "Loud", "Wheels", "Once", "Guarded", "Words")},
    "specimens:Everything": {"scope": 2},
    "specimens:Bag": {"scope": 2},
    "specimens:Counter": {"calls": 6},
    "specimens:Broken": {"invariant": "rep_ok", "calls": 4},
}
WAYS: dict[str, dict[str, Any]] = {
    **{f"{values}, {way}": how | {"values": values} for way, how in explorations.WAYS.items() for values in explorations.VALUES},
    **{f"{values}, in Python": {"implementation": "python", "values": values} for values in explorations.VALUES},
    "an executor": {"workers": partial(ThreadPoolExecutor, 1)},
    "no matching": {"state_matching": False, "calls": 2},
    "omitted": {"omit_fields": "value|count|x"},
}  # fmt: skip


def digests_of(target: str) -> dict[str, str]:
    """Return what each way finds of MODULE:CLASS, as two short digests."""
    cls = explorations.class_at(target)
    found = {}
    for way, how in WAYS.items():
        told = json.loads(explorations.in_a_copy(cls, {"scope": 3} | CLASSES[target] | how))
        parts = {part: _digest(value) for part, value in told.items()}
        said = [parts.pop(part, "") for part in SAID]
        found[way] = f"{_digest(parts)} {_digest(said)}"
    return found


def _digest(value: Any) -> str:
    """Return a digest of a value, but for where the project and its own lines lie."""
    text = json.dumps(value).replace(str(Path(__file__).parent.parent.parent), "<project>")
    text = re.sub(r"(<project>/src/[\w./]+\.py:\w+:)\d+", r"\1<line>", text)
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def main() -> None:
    """Pin the classes that are named, or all."""
    pinned = json.loads(PINNED.read_text()) if sys.argv[1:] else {}
    pinned |= {target: digests_of(target) for target in sys.argv[1:] or CLASSES}
    PINNED.write_text(json.dumps(pinned, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
