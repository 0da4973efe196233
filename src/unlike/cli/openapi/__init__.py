"""`unlike generate --openapi FILE`: requests of an operation or values of a model; without either, what there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from unlike.cli.deliver import deliver, heading
from unlike.cli.progress import progress_shown
from unlike.cli.schemas import resolved
from unlike.cli.types import InputQuestion, covered, deliver_covered, run_type
from unlike.documents.openapi.api import ServiceApi, read_api
from unlike.errors import ScopeError, SpecError
from unlike.suite import Ending, Status
from unlike.writers.answers.envelope import DataCases, Envelope


def run_openapi(
    path: str,
    *,
    operation: str | None = None,
    model: str | None = None,
    media: str | None = None,
    resolve: tuple[str, ...] = (),
    question: InputQuestion,
    cover: str | None = None,
    invalid: bool = False,
    as_text: bool = False,
) -> int:
    """Write what is asked for of a service description, or list what it describes if nothing of it is named."""
    if operation is not None and model is not None:
        raise ScopeError(f"--operation {operation} and --model {model} contradict each other; give one of them")
    if media is not None and operation is None:
        raise ScopeError(f"--media {media} goes with --operation")
    api = read_api(path, resolve=resolved(resolve))
    if operation is None and model is None:
        return deliver(listed(api, path), question.output.form or "text", question.output.output)
    schema = api.model(model) if model is not None else api.operation(str(operation), media=media)
    return run_type(schema, target=path, question=question, cover=cover, invalid=invalid, as_text=as_text)


def run_requests(
    path: str,
    *,
    operation: str | None = None,
    media: str | None = None,
    resolve: tuple[str, ...] = (),
    question: InputQuestion,
    cover: str | None = None,
    invalid: bool = False,
    as_text: bool = False,
) -> int:
    """Write the requests of all operations of a service description, or of one."""
    if media is not None and operation is None:
        raise ScopeError(f"--media {media} goes with --operation")
    api = read_api(path, resolve=resolved(resolve))
    names = list(api.operations) if operation is None else [operation]
    if not names:
        raise SpecError(f"{path!r} describes no operation; its models: unlike generate --openapi FILE --model NAME")
    made = []
    with progress_shown(question.deadline):
        for left, name in zip(range(len(names), 0, -1), names, strict=True):
            share = replace(question, deadline=question.deadline.part(1 / left))
            schema = api.operation(name, media=media)
            made.append(covered(schema, share, cover=cover, invalid=invalid, as_text=as_text))
    return deliver_covered(made, path, question)


def listed(api: ServiceApi, path: str) -> Envelope:
    """Return the operations and models of a service description, for people and as data."""
    operations = [
        {"operation": each.name, "method": each.method.upper(), "path": each.path, "media": api.media(each)}
        for each in api.operations.values()
    ]
    return Envelope(
        **heading([path]),
        status=Status(Ending.COMPLETE),
        words="all operations and models are listed",
        counts={"operations": len(operations), "models": len(api.models)},
        contents=DataCases({"format": "unlike service", "operations": operations, "models": list(api.models)}),
        text=lambda: _lines(api),
    )


def _lines(api: ServiceApi) -> Iterator[str]:
    yield f"{len(api.operations)} operations (--operation NAME)"
    width = max((len(name) for name in api.operations), default=0)
    for name, each in api.operations.items():
        media = ", ".join(api.media(each))
        yield f"  {name:<{width}}  {each.route}{f'  {media}' if media else ''}"
    yield f"{len(api.models)} models (--model NAME)"
    yield from (f"  {name}" for name in api.models)
