"""What a contact of examples/specs/contact.json shows: alternatives in five groups, and the pairs between them.

Nothing but the standard library is used here, so that other generators can be measured in environments of their own.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parent.parent / "examples" / "specs" / "contact.json").read_text())
LIMIT = 1_000
GROUPS = {
    "kind": ["person", "company", "bot"],
    "nick": ["absent", "text", "null"],
    "zip": ["absent", "short", "long"],
    "contact": ["absent", "null", ".com", ".org", "phone"],
    "tags": ["absent", "0", "1", "2", "3"],
}
TAGS = {("tag", word) for word in "abc"}
ALTERNATIVES = {(group, word) for group, words in GROUPS.items() for word in words} | TAGS  # 22
PAIRS = {  # 142
    frozenset({(one, first), (two, second)})
    for one, two in itertools.combinations(GROUPS, 2)
    for first in GROUPS[one]
    for second in GROUPS[two]
}


def shown_by(value: dict[str, Any]) -> dict[str, str]:
    """Return the alternative that a contact takes in each group."""
    absent = object()
    nick, zip_, contact, tags = (
        value.get("nick", absent),
        value["address"].get("zip", absent),
        value.get("contact", absent),
        value.get("tags", absent),
    )
    return {
        "kind": value["kind"],
        "nick": "absent" if nick is absent else "null" if nick is None else "text",
        "zip": "absent" if zip_ is absent else "short" if len(zip_) == 5 else "long",
        "contact": _way(contact, absent),
        "tags": "absent" if tags is absent else str(len(tags)),
    }


def _way(contact: Any, absent: object) -> str:
    if contact is absent:
        return "absent"
    if contact is None:
        return "null"
    return "phone" if "phone" in contact else contact["email"].rstrip("\n")[-4:]


class Tally:
    """What a run of inputs has shown so far, and after how many inputs and seconds all of it was seen."""

    def __init__(self) -> None:
        self.start = time.process_time()
        self.number = 0
        self.alternatives: set[tuple[str, str]] = set()
        self.pairs: set[frozenset[tuple[str, str]]] = set()
        self.each: str | None = None
        self.all_pairs: str | None = None

    def add(self, value: dict[str, Any]) -> None:
        """Count one valid input."""
        self.number += 1
        shown = sorted(shown_by(value).items())
        self.alternatives |= {*shown, *(("tag", each) for each in value.get("tags", ()))}
        self.pairs |= {frozenset(pair) for pair in itertools.combinations(shown, 2)}
        if self.each is None and self.alternatives >= ALTERNATIVES:
            self.each = self._now()
        if self.all_pairs is None and self.pairs >= PAIRS:
            self.all_pairs = self._now()

    @property
    def done(self) -> bool:
        """Whether everything was seen."""
        return self.each is not None and self.all_pairs is not None

    def _now(self) -> str:
        return f"{self.number} inputs, {time.process_time() - self.start:.2f} s"

    def said(self) -> dict[str, str]:
        """Return after how much all alternatives, and all pairs, were seen; or how many of them."""
        seconds = time.process_time() - self.start
        some = f"{len(self.alternatives & ALTERNATIVES)} of {len(ALTERNATIVES)}"
        some_pairs = f"{len(self.pairs & PAIRS)} of {len(PAIRS)}"
        rest = f"in {self.number} inputs, {seconds:.2f} s"
        return {"each": self.each or f"{some} {rest}", "pairs": self.all_pairs or f"{some_pairs} {rest}"}


def tallied(values: Iterable[dict[str, Any]]) -> Tally:
    """Return the tally of some inputs, in order."""
    tally = Tally()
    for value in values:
        tally.add(value)
    return tally
