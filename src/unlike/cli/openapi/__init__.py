"""`unlike generate --openapi FILE`: requests of an operation or values of a model; without either, what there is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from unlike.cli.schemas import resolved
from unlike.cli.types import run_type, write
from unlike.errors import ScopeError
from unlike.formats.openapi.api import Api, read_api


def run_openapi(
    path: str,
    *,
    operation: str | None = None,
    model: str | None = None,
    media: str | None = None,
    resolve: tuple[str, ...] = (),
    format_: str | None = None,
    output: Path | None = None,
    **asked: Any,
) -> int:
    """Write what is asked for of a service description, or list what it describes if nothing of it is named."""
    if operation is not None and model is not None:
        raise ScopeError(f"--operation {operation} and --model {model} contradict each other; give one of them")
    if media is not None and operation is None:
        raise ScopeError(f"--media {media} goes with --operation")
    api = read_api(path, resolve=resolved(resolve))
    if operation is None and model is None:
        write(listed(api, as_data=format_ in ("json", "jsonl")), output)
        return 0
    schema = api.model(model) if model is not None else api.operation(str(operation), media=media)
    return run_type(schema, format_=format_ or "jsonl", output=output, **asked)


def listed(api: Api, *, as_data: bool) -> str:
    """Return the operations and models of a service description, for people or as JSON."""
    if as_data:
        operations = [
            {"operation": each.name, "method": each.method.upper(), "path": each.path, "media": api.media(each)}
            for each in api.operations.values()
        ]
        return json.dumps({"operations": operations, "models": list(api.models)}, indent=2, ensure_ascii=False) + "\n"
    lines = [f"{len(api.operations)} operations (--operation NAME)"]
    width = max((len(name) for name in api.operations), default=0)
    for name, each in api.operations.items():
        media = ", ".join(api.media(each))
        lines.append(f"  {name:<{width}}  {each.route}{f'  {media}' if media else ''}")
    lines += [f"{len(api.models)} models (--model NAME)", *(f"  {name}" for name in api.models)]
    return "\n".join(lines) + "\n"
