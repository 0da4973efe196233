"""`--builders auto|FILE`: builders found on the spot, or read from a file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from unlike.classes.builders.finding import Finding
from unlike.classes.builders.result import Saved, from_data, saved_of
from unlike.classes.builders.verb import find_builders
from unlike.core import Exploration
from unlike.errors import SavedFileError

HALF = 0.5  # of the time goes to finding them


def builders_for(word: str, targets: list[Any], question: Exploration) -> Saved:
    """Return the builders that `--builders auto|FILE` asks for."""
    if word == "auto":
        alone = replace(question, deadline=question.deadline.part(HALF))
        return saved_of(find_builders(Finding(tuple(targets), alone)))
    try:
        data = json.loads(Path(word).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SavedFileError(f"--builders {word!r} cannot be read: {error}; use auto or a file of builders") from None
    return from_data(data, word)
