"""Documents: the schema of `--schema FILE`; requests and values of models of `--openapi FILE`, or what there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from unlike.cli.deliver import deliver
from unlike.cli.kinds import InputChoice, InputQuestion
from unlike.cli.types import run_covered, run_type
from unlike.documents.json_schema.document import JsonSchema, load
from unlike.errors import ScopeError, SpecError, nearest
from unlike.suite import Ending, Status
from unlike.writers.envelope import DataCases, Envelope

if TYPE_CHECKING:
    from unlike.documents.openapi.api import ServiceApi
    from unlike.documents.openapi.requests import Requests

SENT = ("curl", "http", "httpx")  # formats that write requests as they are sent


def schema_in(source: str, resolve: Iterable[str] = (), draft: str | None = None) -> JsonSchema:
    """Return the schema in a file, or a part of it: FILE, or FILE#/$defs/Pet."""
    path, _, pointer = source.partition("#")
    if Path(source).is_file():
        path, pointer = source, ""
    name = pointer.rpartition("/")[2] or Path(path).name
    return load(path, resolve=files_by_address(resolve), dialect=draft).at(pointer, name)


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
    if choice.operation and choice.model is not None:
        both = f"--operation {' --operation '.join(choice.operation)} and --model {choice.model}"
        raise ScopeError(f"{both} contradict each other; give one of them")
    if choice.media is not None and not choice.operation:
        raise ScopeError(f"--media {choice.media} goes with --operation")
    api = _read(path, choice)
    if choice.model is not None:
        return run_type(api.model(choice.model), question)
    if choice.operation:
        chosen = _choose(api, choice)
        _check_sendable(chosen, question.output.form)
        return run_type(chosen[0], question) if len(chosen) == 1 else _give(chosen, question)
    if choice.code:
        raise ScopeError(f"--code needs to know which inputs of {path} are meant: give --operation ID or --model NAME")
    return deliver(list_service(api), question.output.form or "text", question.output.output)


def give_requests(path: str, question: InputQuestion) -> int:
    """Write the requests of all operations of a service description, or of some."""
    choice = question.choice
    api = _read(path, choice)
    if not api.operations:
        raise SpecError(f"{path!r} describes no operation; its models: unlike generate --openapi FILE --model NAME")
    chosen = _choose(api, choice)
    _check_sendable(chosen, question.output.form)
    return _give(chosen, question)


def _check_sendable(chosen: list[Requests], form: str | None) -> None:
    """Refuse to write requests whose bodies are only known as values."""
    for each in chosen if form in SENT else ():
        if not each.is_written and not each.has_text_body:
            media = "" if each.written.body is None else each.written.body.media
            raise SpecError(
                f"{each.name}: bodies of {media} are not written as requests; choose another one of its media types "
                "with --media, other operations with --operation, or take the values alone (--format jsonl)"
            )


def _choose(api: ServiceApi, choice: InputChoice) -> list[Requests]:
    """Return the requests of the operations that were named; a media type holds for those that offer it."""
    from unlike.documents.openapi.api import EVERY_MEDIA

    names = api.select(choice.operation)
    if choice.media == EVERY_MEDIA and choice.invalid:
        raise ScopeError("--media '*' and --invalid do not go together: rules are broken in one media type; name it")
    if choice.media in (None, EVERY_MEDIA) or len(names) == 1:
        return [api.operation(name, media=choice.media) for name in names]
    offered = [choice.media in api.operations[name].media() for name in names]
    if not any(offered):
        every = dict.fromkeys(media for name in names for media in api.operations[name].media())
        raise SpecError(f"none of these operations has a body of {choice.media!r}; {nearest(choice.media, every)}")
    return [
        api.operation(name, media=choice.media if is_offered else None)
        for name, is_offered in zip(names, offered, strict=True)
    ]


def _give(chosen: list[Requests], question: InputQuestion) -> int:
    if question.choice.code:
        from unlike.cli.by_code import give_chosen

        return give_chosen([*chosen], question)
    return run_covered(chosen, question)


def _read(path: str, choice: InputChoice) -> ServiceApi:
    from unlike.documents.openapi.api import read_api  # a schema needs none of it

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
