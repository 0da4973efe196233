"""Whether what is claimed of schemas is so, by validators that are not ours.

    python -m bench.schema_claims suites DRAFT=FILE … [--remotes URL=FOLDER]   groups of the official test suite
    python -m bench.schema_claims packages                                     schemas that installed packages carry
    python -m bench.schema_claims documents FILE|FOLDER …                      all that descriptions of services offer
    python -m bench.schema_claims random [COUNT]                               schemas made by chance
        [--record FILE]    what is known of a subject is a line of the file, and is not asked again
        [--minutes N]      no subject is begun later; the next run with the same record goes on

Suites: of the data that are said to be invalid, how many are rejected by a keyword (of the same schema) that rejects
an `--invalid` instance, too; and is any such instance accepted by jsonschema-rs. Elsewhere: every instance is accepted
by jsonschema-rs (by a validator of OpenAPI, on the description as written), and "no instance exists" is held against
values that are made without reading what keywords mean (what the document mentions, changed one by one), and has to be
proved again by another way (`bench.no_instance`); what is not counts as undecided. Each subject
has a process of its own. Limits count the time of the processor, so that other work beside does not show; a call may
take a tenth of its limit and a second more, and no process more than 500 MB.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import multiprocessing
import resource
import sys
import time
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs

import unlike
from bench.no_instance import has_no_instance
from bench.openapi_corpus import entries_of, paths_in
from unlike.core import deadline
from unlike.documents.json_schema.changes import SchemaMentions, changes_of
from unlike.documents.json_schema.document import JsonSchema, load
from unlike.documents.json_schema.validator import DIALECTS
from unlike.documents.openapi.api import read_api
from unlike.documents.openapi.requests import Requests
from unlike.errors import UnlikeError

SECONDS = 2.0
LATE = 1.1, 1.0  # times the limit, and seconds more
LINE_ENDS = frozenset(
    "\r\u2028\u2029"
)  # `.` of jsonschema-rs, which is Rust's, matches them; that of ECMA-262 does not
LARGE = 500  # MB
LONGEST = 60  # seconds of the processor, for all of a subject
ROUNDS = 3  # of changes, each of what the last one gave
MOST_TRIED = 3_000  # values that are held against "no instance exists"
# packages with schemas in them, and every how many of their files is tried (cfn-lint has 1,892, all of one kind)
PACKAGES = {"check_jsonschema": 1, "nbformat": 1, "altair": 1, "jsonschema_specifications": 1, "cfnlint": 12}
VALIDATORS = {
    "4": jsonschema_rs.Draft4Validator,
    "6": jsonschema_rs.Draft6Validator,
    "7": jsonschema_rs.Draft7Validator,
    "2019-09": jsonschema_rs.Draft201909Validator,
    "2020-12": jsonschema_rs.Draft202012Validator,
}


@dataclass(slots=True)
class Claims:
    """What was claimed, and what of it is not so."""

    subjects: int = 0
    instances: int = 0
    broken: int = 0
    negatives: int = 0
    matched: int = 0
    empty: int = 0
    undecided: list[str] = field(default_factory=list)
    unconfirmed: list[str] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    large: list[str] = field(default_factory=list)
    unbroken: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def as_data(self) -> dict[str, Any]:
        """Return the claims as data that can be written down."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def add(self, other: Claims) -> None:
        """Add what was claimed of other subjects."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def __str__(self) -> str:
        said = f"{self.subjects} schemas, {self.instances} instances, {self.broken} broken ones; "
        said += f"{self.empty} without any instance ({len(self.unconfirmed)} of them not proved a second time), "
        said += f"{len(self.undecided)} undecided, "
        said += f"{len(self.refused)} refused as no schemas (by us or by the other), {len(self.late)} late, "
        said += f"{len(self.large)} large, {len(self.wrong)} wrong; "
        said += f"{len(self.unbroken)} not all of whose rules are broken"
        if self.negatives:
            said += f"; {self.matched} of {self.negatives} invalid data matched ({self.matched / self.negatives:.1%})"
        return said

    @property
    def is_kept(self) -> bool:
        """Whether the promises hold: nothing wrong or late, 98 % matched, at most 2 % undecided."""
        open_ones = len(self.undecided) + len(self.unconfirmed)
        enough = self.matched >= 0.98 * self.negatives and open_ones <= 0.02 * self.subjects
        return enough and not (self.wrong or self.late or self.large)

    def timed(self, name: str, work: Any) -> Any:
        """Return the result of the work, and note if it took too long."""
        start = time.process_time()
        try:
            return work()
        finally:
            took = time.process_time() - start
            if took > SECONDS * LATE[0] + LATE[1]:
                self.late.append(f"{name}: {took:.1f} s")


def second_validator(contents: Any, draft: str, remotes: dict[str, str]) -> Any:
    """Return jsonschema-rs for a schema, with files in place of addresses."""

    def retrieve(uri: str) -> Any:
        for address, folder in remotes.items():
            if uri.startswith(address):
                return json.loads((Path(folder) / urlsplit(uri[len(address) :]).path.lstrip("/")).read_text())
        raise ValueError(f"{uri} is not here")

    said = contents.get("$schema") if isinstance(contents, dict) else None
    kind = next((key for key, each in DIALECTS.items() if each.rstrip("#") == str(said).rstrip("#")), None)
    if said is not None and kind is None:  # a metaschema of its own
        return jsonschema_rs.validator_for(contents, retriever=retrieve)
    return VALIDATORS[kind or draft](contents, retriever=retrieve, validate_formats=False)


# -- groups of the official suite ----------------------------------------------------------------------------------


def check_groups(claims: Claims, groups: Iterable[dict[str, Any]], draft: str, remotes: dict[str, str]) -> None:
    """Hold what is made of groups against the data that they bring along."""
    for group in groups:
        name = f"{draft} {group.get('file', '')}: {group.get('description', '')}"
        claims.subjects += 1
        try:
            _check_group(claims, name, group, draft, remotes)
        except UnlikeError as error:
            claims.undecided.append(f"{name}: {error}")


def _check_group(claims: Claims, name: str, group: dict[str, Any], draft: str, remotes: dict[str, str]) -> None:
    schema = load(group["schema"], dialect=draft, resolve=remotes).at()
    other = second_validator(group["schema"], draft, remotes)
    suite = claims.timed(name, lambda: unlike.generate(schema, timeout=SECONDS))
    broken = claims.timed(f"{name} --invalid", lambda: unlike.invalid(schema, timeout=SECONDS))
    claims.instances += len(suite)
    claims.broken += len(broken)
    claims.wrong += [f"{name}: {value!r} is no instance" for value in suite.values if not other.is_valid(value)]
    claims.wrong += [f"{name}: {value!r} is an instance" for value in broken.values if other.is_valid(value)]
    if not len(suite):
        empty = suite.status.ending is unlike.Ending.UNSATISFIABLE
        claims.empty += empty
        claims.undecided += [f"{name}: {suite.status}"] * (not empty)
        claims.unconfirmed += [name] * (empty and not has_no_instance(group["schema"], accepts_alone))
        claims.wrong += [f"{name}: has an instance"] * (empty and any(test["valid"] for test in group["tests"]))
    there = {key for value in broken.values for key in rejecting(schema, value)}
    for test in group["tests"]:
        if not test["valid"]:
            claims.negatives += 1
            if rejecting(schema, test["data"]) & there:
                claims.matched += 1
            else:
                claims.unmatched.append(f"{name}: {test['data']!r}")


def rejecting(schema: JsonSchema, value: object) -> set[tuple[int, str]]:
    """Return the keywords that reject a value, each with its schema, and those inside them."""
    todo, found = list(schema.validator.iter_errors(value)), set()
    while todo:
        error = todo.pop()
        todo += error.context or ()
        found.add((id(error.schema) if isinstance(error.schema, dict) else 0, str(error.validator)))
    return found


# -- schemas without data ------------------------------------------------------------------------------------------


def check_schema(claims: Claims, name: str, contents: Any, draft: str = "2020-12", *, invalid: bool = True) -> None:
    """Hold what is made of a schema against jsonschema-rs, and "no instance exists" against other values."""
    try:
        schema = load(contents, dialect=draft).at()
        other = second_validator(contents, draft, {})
    except UnlikeError as error:
        claims.subjects += 1
        claims.refused.append(f"{name}: {error}")
        return
    except (ValueError, jsonschema_rs.ReferencingError) as error:  # the second validator refuses the schema itself
        claims.subjects += 1
        claims.refused.append(f"{name}: jsonschema-rs: {str(error)[:100]}")
        return
    check_against(claims, name, schema, other.is_valid, invalid=invalid)


def check_against(
    claims: Claims, name: str, schema: JsonSchema, fits: Callable[[Any], bool], *, invalid: bool = True
) -> None:
    """Hold what is made of a schema against another judge of values, and "no instance exists" against other values."""
    claims.subjects += 1
    try:
        suite = claims.timed(name, lambda: unlike.generate(schema, timeout=SECONDS))
        broken = claims.timed(f"{name} --invalid", lambda: unlike.invalid(schema, timeout=SECONDS)) if invalid else ()
    except UnlikeError as error:
        claims.undecided.append(f"{name}: {error}")
        return
    claims.instances += len(suite)
    claims.broken += len(broken)
    claims.wrong += [f"{name}: {case.value!r} is no instance" for case in suite if not fits(case.value)]
    if not isinstance(schema, Requests):  # those that are broken otherwise, or only as a text, are held elsewhere
        accepted = [case.value for case in broken if fits(case.value) and not has_line_ends(case.value)]
        claims.wrong += [f"{name}: {value!r} is an instance" for value in accepted]
    if invalid and broken.status.cut_short:
        claims.unbroken.append(f"{name} --invalid: {broken.status}")
    if len(suite):
        return
    if suite.status.ending is not unlike.Ending.UNSATISFIABLE:
        claims.undecided.append(f"{name}: {suite.status}")
        return
    claims.empty += 1
    claims.unconfirmed += [name] * (not has_no_instance(as_written(schema.document.contents), accepts_alone))
    for value in itertools.islice(values_near(schema.document.contents), MOST_TRIED):
        if fits(value):
            claims.wrong.append(f"{name}: {value!r} is an instance")
            return


def as_written(contents: Any) -> Any:
    """Return a schema as it stands in its document: patterns in their own words."""
    match contents:
        case dict():
            return {getattr(key, "written", key): as_written(inner) for key, inner in contents.items()}
        case list():
            return [as_written(each) for each in contents]
    return getattr(contents, "written", contents)


def accepts_alone(schema: Any, value: Any) -> bool:
    """Tell whether a schema without references accepts a value, by jsonschema-rs."""
    return bool(jsonschema_rs.Draft202012Validator(schema, validate_formats=False).is_valid(value))


def has_line_ends(value: Any) -> bool:
    """Tell whether any text in a value has a character of which the judges think differently."""
    match value:
        case str():
            return not LINE_ENDS.isdisjoint(value)
        case dict():
            return any(has_line_ends(each) for each in (*value, *value.values()))
        case list():
            return any(map(has_line_ends, value))
    return False


def values_near(contents: Any) -> Iterator[object]:
    """Yield values made of what a document mentions, without reading what its keywords mean."""
    mentioned = SchemaMentions.of(contents)
    level: list[object] = [None, True, 0, 1, 0.5, "", "text", [], {}, *mentioned.constants]
    level += [dict.fromkeys(mentioned.names, each) for each in ("text", 1, {}, [], *mentioned.constants[:5])]
    for _ in range(ROUNDS):
        yield from level
        level = [value for each in level for _, _, value in changes_of(each, mentioned)]


def package_schemas() -> Iterator[tuple[str, Any]]:
    """Yield the schemas that installed packages carry: JSON files in them that say of themselves they are one."""
    import importlib.util

    for package, every in PACKAGES.items():
        found = importlib.util.find_spec(package)
        for folder in found.submodule_search_locations or () if found is not None else ():
            for path in sorted(Path(folder).rglob("*.json"))[::every]:
                try:
                    contents = json.loads(path.read_text())
                except (ValueError, OSError):
                    continue
                if isinstance(contents, dict) and _is_schema(contents):
                    yield f"{package}/{path.relative_to(folder)}", contents


def _is_schema(contents: dict[str, Any]) -> bool:
    if "$schema" in contents:
        return str(contents["$schema"]).rstrip("#") in {each.rstrip("#") for each in DIALECTS.values()}
    return isinstance(contents.get("properties"), dict) and ("type" in contents or "additionalProperties" in contents)


# -- the command ---------------------------------------------------------------------------------------------------

Subject = tuple[str, Callable[[Claims], None]]


def count_processor_time() -> None:
    """Let limits count the time of the processor from now on."""
    deadline.time = types.SimpleNamespace(monotonic=time.process_time)  # type: ignore[assignment]


def subjects_of(what: str, rest: list[str], remotes: dict[str, str]) -> Iterator[Subject]:
    """Yield the name of each subject, and what holds it against another judge."""
    if what == "suites":
        for draft, _, file in (each.partition("=") for each in rest):
            for number, group in enumerate(json.loads(Path(file).read_text())):
                yield f"{draft} {number}", functools.partial(check_groups, groups=[group], draft=draft, remotes=remotes)
    elif what == "packages":
        for name, contents in package_schemas():
            yield name, functools.partial(check_schema, name=name, contents=contents, draft="7")
    elif what == "documents":
        for path in paths_in(rest):
            api = read_api(path)
            for name, schema, fits in entries_of(api):
                whole = f"{path.name} {name}"
                yield whole, functools.partial(check_against, name=whole, schema=schema, fits=fits)
    else:
        from tests.json_schema.random_schemas import Chance

        for seed in range(int(rest[0]) if rest else 500):
            made, name = Chance(seed, "2020-12").schema(3), f"random {seed}"
            yield name, functools.partial(check_schema, name=name, contents=made, invalid=seed % 5 == 0)


def in_process(name: str, check: Callable[[Claims], None]) -> Claims:
    """Return what is claimed of a subject, found in a process of its own, with its time and memory bounded."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_report, args=(theirs, name, check))
    process.start()
    theirs.close()
    try:
        return Claims(**json.loads(ours.recv()))
    except EOFError:
        return Claims(subjects=1, late=[f"{name}: ended after {LONGEST} s of the processor"])
    finally:
        process.join()


def _report(pipe: Any, name: str, check: Callable[[Claims], None]) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
    count_processor_time()
    claims = Claims()
    check(claims)
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if size > LARGE:
        claims.large.append(f"{name}: {size:.0f} MB")
    pipe.send(json.dumps(claims.as_data()))


def main(arguments: list[str]) -> int:
    """Print what is claimed, and what is not so; return 1 if a promise is not kept."""
    parser = argparse.ArgumentParser(prog="python -m bench.schema_claims")
    parser.add_argument("what", choices=["suites", "packages", "documents", "random"])
    parser.add_argument("rest", nargs="*")
    parser.add_argument("--remotes", action="append", default=[])
    parser.add_argument("--record", type=Path)
    parser.add_argument("--minutes", type=float, default=15.0)
    asked = parser.parse_args(arguments)
    remotes = dict(each.rpartition("=")[::2] for each in asked.remotes)
    known: dict[str, Any] = {}
    if asked.record is not None and asked.record.exists():
        known = dict(json.loads(line) for line in asked.record.read_text().splitlines())
    end = time.monotonic() + 60 * asked.minutes
    claims, left = Claims(), 0
    for name, check in subjects_of(asked.what, asked.rest, remotes):
        if name not in known and time.monotonic() > end:
            left += 1
            continue
        found = Claims(**known[name]) if name in known else in_process(name, check)
        claims.add(found)
        if name not in known and asked.record is not None:
            with asked.record.open("a") as record:
                record.write(
                    json.dumps([name, {each.name: getattr(found, each.name) for each in fields(found)}]) + "\n"
                )
    print(claims)
    for each in (*claims.wrong, *claims.late, *claims.large, *claims.undecided, *claims.refused, *claims.unbroken):
        print(f"    {each[:300]}")
    for each in claims.unconfirmed:
        print(f"    not proved a second time: {each[:300]}")
    for each in claims.unmatched:
        print(f"    not matched: {each[:300]}")
    if left:
        print(f"{left} subjects are left: run it again with the same --record")
    return 0 if claims.is_kept and not left else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
