"""Documents: the schema of `--schema FILE`; requests and values of models of `--openapi FILE`, or what there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from unlike.cli.deliver import deliver
from unlike.cli.kinds import InputChoice, InputQuestion
from unlike.cli.progress import progress_shown
from unlike.cli.types import cover_type, deliver_covered, run_type
from unlike.documents.json_schema.document import JsonSchema, load
from unlike.errors import ScopeError, SpecError
from unlike.suite import Ending, Status
from unlike.writers.envelope import DataCases, Envelope

if TYPE_CHECKING:
    from unlike.documents.openapi.api import ServiceApi


def schema_in(source: str, resolve: Iterable[str] = ()) -> JsonSchema:
    """Return the schema in a file, or a part of it: FILE, or FILE#/$defs/Pet."""
    path, _, pointer = source.partition("#")
    if Path(source).is_file():
        path, pointer = source, ""
    name = pointer.rpartition("/")[2] or Path(path).name
    return load(path, resolve=files_by_address(resolve)).at(pointer, name)


def files_by_address(given: Iterable[str]) -> dict[str, str]:
    """Return which file each address means: `URL=FILE`, or `URL=FOLDER` for all addresses that begin so."""
    found = {}
    for each in given:
        address, equals, target = each.rpartition("=")
        if not equals or not address:
            raise ScopeError(f"--resolve {each!r}: write --resolve URL=FILE")
        if not Path(target).exists():
            raise ScopeError(f"--resolve {each!r}: there is no file {target!r}")
        found[address] = target
    return found


def run_openapi(path: str, question: InputQuestion) -> int:
    """Write what is asked for of a service description, or list what it describes if nothing of it is named."""
    choice = question.choice
    if choice.operation is not None and choice.model is not None:
        both = f"--operation {choice.operation} and --model {choice.model}"
        raise ScopeError(f"{both} contradict each other; give one of them")
    api = _read(path, choice)
    if choice.model is not None:
        return run_type(api.model(choice.model), question)
    if choice.operation is not None:
        return run_type(api.operation(choice.operation, media=choice.media), question)
    if choice.code:
        raise ScopeError(f"--code needs to know which inputs of {path} are meant: give --operation ID or --model NAME")
    return deliver(list_service(api), question.output.form or "text", question.output.output)


def give_requests(path: str, question: InputQuestion) -> int:
    """Write the requests of all operations of a service description, or of one."""
    choice = question.choice
    api = _read(path, choice)
    names = list(api.operations) if choice.operation is None else [choice.operation]
    if not names:
        raise SpecError(f"{path!r} describes no operation; its models: unlike generate --openapi FILE --model NAME")
    if choice.code:
        from unlike.cli.by_code import give_chosen

        return give_chosen([api.operation(name, media=choice.media) for name in names], question)
    with progress_shown(question.deadline):
        made = [
            cover_type(api.operation(name, media=choice.media), replace(question, deadline=share))
            for name, share in question.deadline.shares(names)
        ]
    return deliver_covered(made, question)


def _read(path: str, choice: InputChoice) -> ServiceApi:
    from unlike.documents.openapi.api import read_api  # a schema needs none of it

    if choice.media is not None and choice.operation is None:
        raise ScopeError(f"--media {choice.media} goes with --operation")
    return read_api(path, resolve=files_by_address(choice.resolve))


def list_service(api: ServiceApi) -> Envelope:
    """Return the operations and models of a service description, for people and as data."""
    operations = [
        {"operation": each.name, "method": each.method.upper(), "path": each.path, "media": each.media()}
        for each in api.operations.values()
    ]
    return Envelope(
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
        media = ", ".join(each.media())
        yield f"  {name:<{width}}  {each.route}{f'  {media}' if media else ''}"
    yield f"{len(api.models)} models (--model NAME)"
    yield from (f"  {name}" for name in api.models)
