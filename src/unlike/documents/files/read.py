"""From a file to data: JSON or YAML, told by its name, else by how it begins."""

from __future__ import annotations

import json
import os
from pathlib import Path

from unlike.documents.files.json_text import read_json
from unlike.documents.files.limits import Data, check_data, check_size
from unlike.errors import SpecError

YAML_NAMES = (".yaml", ".yml")


def read_document(path: str | os.PathLike[str]) -> Data:
    """Return the data of a JSON or YAML file, or refuse it with one message that says where it is wrong."""
    path = Path(path)
    try:
        check_size(path.stat().st_size, str(path))
        raw = path.read_bytes()
    except FileNotFoundError:
        raise SpecError(f"there is no file {str(path)!r}") from None
    except (OSError, ValueError) as error:
        raise SpecError(f"{str(path)!r} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    return parse_document(raw, str(path))


def parse_document(raw: bytes, source: str) -> Data:
    """Return the data of a JSON or YAML text; `source` names it in messages, and its ending tells which it is."""
    text = _decoded(raw, source)
    if source.endswith(YAML_NAMES) or not (source.endswith(".json") or text.lstrip()[:1] in ("{", "[", '"', "")):
        from unlike.documents.files.yaml_text import read_yaml  # loaded only for YAML

        data = read_yaml(text, source)
    else:
        data = read_json(text, source)
    check_data(data, source)
    return data


def _decoded(raw: bytes, source: str) -> str:
    encoding = "utf-8-sig" if raw.startswith(b"\xef\xbb\xbf") else json.detect_encoding(raw)
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SpecError(f"{source}, line {line}: byte {error.start} is not {encoding}; save it as UTF-8") from None
