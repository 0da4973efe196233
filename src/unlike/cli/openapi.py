"""`unlike generate --openapi FILE`: requests of an operation or values of a model; without either, what there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from unlike.cli.deliver import deliver, heading
from unlike.cli.kinds import InputChoice, InputQuestion
from unlike.cli.progress import progress_shown
from unlike.cli.schemas import files_by_address
from unlike.cli.types import cover_type, deliver_covered, run_type
from unlike.documents.openapi.api import ServiceApi, read_api
from unlike.errors import ScopeError, SpecError
from unlike.suite import Ending, Status
from unlike.writers.answers.envelope import DataCases, Envelope


def run_openapi(path: str, question: InputQuestion) -> int:
    """Write what is asked for of a service description, or list what it describes if nothing of it is named."""
    choice = question.choice
    if choice.operation is not None and choice.model is not None:
        both = f"--operation {choice.operation} and --model {choice.model}"
        raise ScopeError(f"{both} contradict each other; give one of them")
    api = _read(path, choice)
    if choice.model is not None:
        return run_type(api.model(choice.model), path, question)
    if choice.operation is not None:
        return run_type(api.operation(choice.operation, media=choice.media), path, question)
    return deliver(list_service(api, path), question.output.form or "text", question.output.output)


def run_requests(path: str, question: InputQuestion) -> int:
    """Write the requests of all operations of a service description, or of one."""
    choice = question.choice
    api = _read(path, choice)
    names = list(api.operations) if choice.operation is None else [choice.operation]
    if not names:
        raise SpecError(f"{path!r} describes no operation; its models: unlike generate --openapi FILE --model NAME")
    made = []
    with progress_shown(question.deadline):
        for left, name in zip(range(len(names), 0, -1), names, strict=True):
            share = replace(question, deadline=question.deadline.part(1 / left))
            made.append(cover_type(api.operation(name, media=choice.media), share))
    return deliver_covered(made, path, question)


def _read(path: str, choice: InputChoice) -> ServiceApi:
    if choice.media is not None and choice.operation is None:
        raise ScopeError(f"--media {choice.media} goes with --operation")
    return read_api(path, resolve=files_by_address(choice.resolve))


def list_service(api: ServiceApi, path: str) -> Envelope:
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
