"""Whether real service descriptions give valid inputs: `python -m bench.openapi_corpus [--pairs] FILE|FOLDER …`.

Every operation and every model of every description is covered: each of its choices once, or in pairs. Every instance
is checked by the validator of JSON Schema on the schema it was made from, and once more, by a validator of OpenAPI, on
the description as it was written.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import unlike
from unlike.documents.json_schema.document import JsonSchema
from unlike.documents.openapi.api import ServiceApi, read_api
from unlike.documents.openapi.operations import WHERE, ServiceOperation
from unlike.documents.openapi.references import DocumentPlace

SECONDS = 60.0


@dataclass(slots=True)
class Tally:
    """What became of one description."""

    name: str
    entries: int = 0
    instances: int = 0
    empty: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    slowest: float = 0.0
    seconds: float = 0.0

    def __str__(self) -> str:
        said = f"{self.name}: {self.entries} operations and models, {self.instances} instances, {len(self.wrong)} wrong"
        said += f", {len(self.empty)} without instance, {len(self.undecided)} undecided"
        return f"{said}, {self.seconds:.1f} s (slowest {self.slowest:.1f} s)"


def main(arguments: list[str]) -> int:
    """Print a line for each description, then the sum; return 1 if anything is wrong or undecided."""
    tallies = []
    cover = "pairs" if "--pairs" in arguments else "each"
    for path in paths_in([each for each in arguments if each != "--pairs"]):
        tallies.append(tally_of(read_api(path), cover))
        print(tallies[-1], flush=True)
        for entry in tallies[-1].wrong + tallies[-1].undecided + tallies[-1].empty:
            print(f"    {entry}")
    entries, instances = sum(each.entries for each in tallies), sum(each.instances for each in tallies)
    wrong, open_ = sum(len(each.wrong) for each in tallies), sum(len(each.undecided) for each in tallies)
    print(f"{entries} operations and models, {instances} instances, {wrong} wrong, {open_} undecided")
    return 1 if wrong or open_ else 0


def paths_in(arguments: list[str]) -> Iterator[Path]:
    """Yield the files that are meant, those of folders included."""
    for path in map(Path, arguments):
        yield from sorted(path.iterdir()) if path.is_dir() else [path]


def tally_of(api: ServiceApi, cover: str = "each") -> Tally:
    """Return what became of every operation and model of a description."""
    tally = Tally(Path(api.path).name)
    for name, schema, fits in entries_of(api):
        _cover(tally, name, schema, fits, cover)
    return tally


def entries_of(api: ServiceApi) -> Iterator[tuple[str, JsonSchema, Callable[[Any], bool]]]:
    """Yield every model and operation: its name, its schema, and what another validator says of values."""
    for name in api.models:
        yield f"model {name}", api.model(name), _validator(api, api.models[name], writing=False)
    for name, operation in api.operations.items():
        yield f"operation {name}", api.operation(name), _request_check(api, operation)


def _cover(tally: Tally, entry: str, schema: Any, fits: Callable[[Any], bool], cover: str) -> None:
    start = time.process_time()
    suite = unlike.generate(schema, cover=cover, timeout=SECONDS)
    values = suite.values
    seconds = time.process_time() - start
    tally.entries += 1
    tally.instances += len(values)
    tally.seconds += seconds
    tally.slowest = max(tally.slowest, seconds)
    if suite.status.cut_short:
        tally.undecided.append(f"{entry}: {suite.status}")
    elif not values:
        tally.empty.append(f"{entry}: {suite.status}")
    tally.wrong += [f"{entry}: {value!r:.200}" for value in values if not (schema.accepts(value) and fits(value))]


def _request_check(api: ServiceApi, operation: ServiceOperation) -> Callable[[Any], bool]:
    """Return a check of whole requests, each part against the description as written."""
    checks: list[Callable[[Any], bool]] = []
    known = {"security"}
    for at in operation.parameters():
        where, name = str(at.text("in")), str(at.text("name"))
        if where in WHERE and "schema" in at.object():
            checks.append(_part_check(where, name, _validator(api, at.into("schema"), writing=True)))
        elif where in WHERE or where == "formData":
            checks.append(
                _part_check("body" if where == "formData" else where, name, _validator(api, at, writing=True))
            )
        elif where == "body":
            checks.append(_body_check(_validator(api, at.into("schema"), writing=True)))
        known.add("body" if where in ("body", "formData") else where)
    body = operation.at.object().get("requestBody")
    if body is not None:
        content = api.places.follow(operation.at.into("requestBody")).entries("content")
        alike = [each for name, each in content if "json" in name] or [each for _, each in content]
        if "schema" in alike[0].object():
            checks.append(_body_check(_validator(api, alike[0].into("schema"), writing=True)))
        known.add("body")
    return lambda value: set(value) <= known and all(check(value) for check in checks)


def _part_check(where: str, name: str, fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: name not in value.get(where, {}) or fits(value[where][name])


def _body_check(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: "body" not in value or fits(value["body"])


@functools.cache
def _registry(api: ServiceApi) -> Any:
    """Return the description as written, for another validator to refer to."""
    from referencing import Registry
    from referencing.jsonschema import DRAFT4, DRAFT202012

    draft: Any = DRAFT202012 if api.version == "3.1" else DRAFT4
    return Registry().with_resource("urn:description", draft.create_resource(api.places.root.value))


def _validator(api: ServiceApi, at: DocumentPlace, *, writing: bool) -> Callable[[Any], bool]:
    """Return the check of another validator on what stands in the description."""
    from openapi_schema_validator import OAS30Validator, OAS30WriteValidator, OAS31Validator

    modern = api.version == "3.1"
    kind = OAS31Validator if modern else OAS30WriteValidator if writing else OAS30Validator
    validator = kind(_own_schema(at) or {"$ref": f"urn:description#{quote(at.pointer)}"}, registry=_registry(api))
    return lambda value: bool(validator.is_valid(value))


def _own_schema(at: DocumentPlace) -> dict[str, Any] | None:
    """Return the schema that a parameter of Swagger 2 is itself; nothing for a plain schema."""
    if "in" not in at.object() or "name" not in at.object():
        return None
    said = {word: each for word, each in at.object().items() if word not in ("required", "in", "name")}
    return {"type": "string"} if said.get("type") == "file" else said


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
