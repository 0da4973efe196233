"""A parser of version numbers, as `unlike generate --regex … --code examples.versions:parse` looks at it."""

from __future__ import annotations

import re
from typing import NamedTuple

VERSION = r"[0-9]{1,3}(\.[0-9]{1,3}){1,2}(-(a|b|rc)[0-9]{1,2})?"
STAGES = {"a": 0, "b": 1, "rc": 2}


class Version(NamedTuple):
    """Parts of a version; one without a stage is final."""

    major: int
    minor: int
    patch: int
    stage: int = 3
    number: int = 0


def parse(text: str) -> Version:
    """Return the version that a text names, or refuse it."""
    found = re.fullmatch(r"(\d+)\.(\d+)(?:\.(\d+))?(?:-([a-z]+)(\d+))?", text)
    if found is None:
        raise ValueError(f"{text!r} is no version")
    major, minor, patch, stage, number = found.groups()
    if int(major) > 99 and patch is None:
        raise ValueError("from 100 on there are three numbers")
    if stage is None:
        return Version(int(major), int(minor), int(patch or 0))
    if int(number) == 0:
        raise ValueError(f"the first {stage} is 1")
    return Version(int(major), int(minor), int(patch or 0), STAGES[stage], int(number))
