"""From a file to its data: documents that people write, as dicts, lists, strings and numbers."""

from __future__ import annotations

import json
import os
from pathlib import Path

from unlike.errors import SpecError


def read_document(path: str | os.PathLike[str]) -> object:
    """Return the data in a JSON file, or refuse it with its name and the place of the mistake."""
    name = os.fspath(path)
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise SpecError(f"there is no file {name!r}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"{name!r} cannot be read: {error}") from None
    try:
        return json.loads(text)
    except ValueError as error:
        raise SpecError(f"{name!r} is not JSON: {error}") from None
    except RecursionError:
        raise SpecError(f"{name!r} is nested too deeply to be read") from None
