"""`--builders auto|FILE`: builders found on the spot, or read from a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from unlike.building import builders
from unlike.building.result import Saved, from_data, saved_of
from unlike.errors import SavedFileError

HOW = ("timeout", "search", "on_progress", "workers", "megabytes")  # settings of one exploration, not of the space


def builders_for(word: str, targets: list[Any], settings: dict[str, Any]) -> Saved:
    """Return the builders that `--builders auto|FILE` asks for."""
    if word == "auto":
        finding = {name: value for name, value in settings.items() if name not in HOW}
        return saved_of(builders(*targets, **finding))
    try:
        data = json.loads(Path(word).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SavedFileError(f"--builders {word!r} cannot be read: {error}; use auto or a file of builders") from None
    return from_data(data, word)
