"""Real models: of how many public model classes of released packages there are instances, without a word of help.

    pip install 'unlike[models]'
    python -m bench models --answers FOLDER

Counted is every dataclass, attrs class and pydantic model that a package defines and that a public module of it shows
under a public name; classes that are abstract themselves are not. A class counts if at least one instance is made, each
is of that class (or one derived from it), and its class takes it again: what `model_dump` or `asdict` gives is equal
after the way back (`asdict` as far as one level: what is inside is an object of another class). Where it is not, that
is the doing of the class, which has taken the instance itself: a serializer, an excluded field, two alternatives that
take the same data. Such classes are listed apart, with the reason. Limits are of processor time.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import importlib
import inspect
import json
import os
import pkgutil
import re
import resource
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from bench.rows import Row, show

# chosen before anything was changed for them: six packages of pydantic models, then fourteen that are well known
PACKAGES = {
    "pydantic": (
        "fastapi", "mcp", "anthropic", "openai", "openapi_pydantic", "google.genai",
        "langchain_core", "ollama", "qdrant_client", "mistralai",
    ),
    "attrs": ("lsprotocol", "referencing", "aiohttp", "trio", "twisted"),
    "dataclasses": ("rich", "libcst", "huggingface_hub", "black", "markdown_it"),
}  # fmt: skip
WANTED = {"pydantic": 0.98, "all": 0.95}
SEARCH = 4  # seconds of processor time after which the search for more instances ends, with what was found
SECONDS = 12  # of processor time for one class, with reading it and the way back
WAITING = 240  # seconds that may pass on a busy machine, or in a class that waits
INPUTS = 5  # of each class
SKIPPED = re.compile(r"(^|\.)(_|tests?($|\.)|testing($|\.)|__main__|conftest)")


def main(words: list[str]) -> int:
    """Count the classes of the packages (all twenty unless some are named), and return 1 if a promise is broken."""
    reader = argparse.ArgumentParser(prog="python -m bench models")
    reader.add_argument("packages", nargs="*", help="names as they are imported; all twenty unless some are given")
    reader.add_argument(
        "--answers", type=Path, default=Path("build/models"), help="a folder; what is there is not asked again"
    )
    reader.add_argument("--every", type=int, default=1, help="only each so many classes, for a quick look")
    chosen = reader.parse_args(words)
    packages = chosen.packages or [each for some in PACKAGES.values() for each in some]
    rows = run(packages, chosen.answers, chosen.every)
    show("models", rows)
    return 1 if any(row.kept is False for row in rows) else 0


def count(package: str, file: str, every: int = 1) -> None:
    """Add a line of JSON to a file for each model class of a package that it has none of: what came of the class."""
    warnings.simplefilter("ignore")
    os.dup2(2, 1)  # packages print when they are imported
    answered = {answer["name"] for answer in read_answers(Path(file))}
    found = sorted(models_of(package).items())[::every]
    tried(complex)  # loads all that the copies of this process need
    with Path(file).open("a") as output:
        for name, cls in found:
            if name not in answered:
                print(json.dumps({"name": name, "kind": kind_of(cls), **tried_alone(cls)}), file=output, flush=True)
    os._exit(0)  # packages start threads that never end


def read_answers(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def models_of(package: str) -> dict[str, type]:
    """Return the public model classes of a package by the place where they are written."""
    found: dict[str, type] = {}
    for module in modules_of(package):
        for name, cls in list(vars(module).items()):
            if name.startswith("_") or not isinstance(cls, type) or not cls.__module__.startswith(package):
                continue
            if kind_of(cls) and not inspect.isabstract(cls) and not re.search(r"(^|\.)tests?\.", cls.__module__):
                found[f"{cls.__module__}:{cls.__qualname__}"] = cls
    return found


def modules_of(package: str) -> Iterator[ModuleType]:
    """Yield the public modules of a package that can be imported here."""
    try:
        root = importlib.import_module(package)
    except (Exception, SystemExit):  # an extra that is not installed, another system
        return
    yield root
    for each in pkgutil.iter_modules(getattr(root, "__path__", ())):
        if not SKIPPED.search(each.name):
            yield from modules_of(f"{package}.{each.name}")


def kind_of(cls: type) -> str:
    if "__pydantic_fields__" in vars(cls):
        return "pydantic"
    if "__attrs_attrs__" in vars(cls):
        return "attrs"
    return "dataclasses" if "__dataclass_fields__" in vars(cls) else ""


def tried_alone(cls: type) -> dict[str, str]:
    """Return what comes of a class, tried in a copy of this process that is given a few seconds."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        signal.alarm(WAITING)
        try:
            answer = tried(cls)
        except BaseException as error:  # counted, whatever it is
            answer = {"refused": f"{type(error).__name__}: {error}"}
        os.write(writing, json.dumps(answer).encode()[:60_000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        said = answers.read()
    os.waitpid(child, 0)
    return json.loads(said) if said else {"refused": f"no answer within {SECONDS} s"}


def tried(cls: type) -> dict[str, str]:
    """Return why a class gives no instances ("refused"), or no good ones ("wrong"), or what its way back says."""
    import unlike

    signal.signal(
        signal.SIGPROF, signal.default_int_handler
    )  # as if somebody pressed control-C: what was found is kept
    signal.setitimer(signal.ITIMER_PROF, SEARCH)
    suite = unlike.generate(cls, INPUTS, in_process=True)
    signal.setitimer(signal.ITIMER_PROF, 0)
    values = list(suite.values)
    if not values:
        return {"refused": f"nothing found: {suite.status}"}
    for value in values:
        if not isinstance(value, cls):
            return {"wrong": f"an instance of {type(value).__name__}"}
    said = {"guarantee": suite.guarantee}
    for value in values:
        if reason := way_back(cls, value):
            return {**said, "way_back": reason}
    return said


def way_back(cls: Any, value: Any) -> str:
    """Return what is wrong with an instance after `model_dump` or `asdict` and back; nothing where all is well."""
    try:
        if hasattr(cls, "model_validate"):
            again = type(value).model_validate(value.model_dump(by_alias=True, warnings=False))
        elif "__attrs_attrs__" in vars(cls):
            import attrs

            given = attrs.asdict(value, recurse=False)
            fields = [each for each in attrs.fields(type(value)) if each.init]
            again = type(value)(**{each.alias: given[each.name] for each in fields})
        else:
            given = {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if each.init}
            again = type(value)(**given)
    except Exception as error:
        return f"{why_refused(value, error)}: {type(error).__name__}: {error}"[:400]
    try:
        return "" if again == value or repr(again) == repr(value) else difference(value, again)[:400]
    except Exception as error:
        return f"{OPEN_TYPE}: __eq__ raises {type(error).__name__}"


SERIALIZER = "a serializer leaves a field out or writes it in another way"
OPEN_TYPE = "the data do not say of which class the object in a field of an open or abstract type was"
EXCLUDED = "a field is excluded"
SAME_DATA = "another alternative of a union takes the same data"
OTHER_NAMES = "the constructor takes other names than the fields have"
IDENTITY = "its objects are equal to themselves alone"
OTHER = "another value"


def why_refused(value: Any, error: Exception) -> str:
    """Return why a class refuses the data of its own instance, as far as it can be seen."""
    said = str(error)
    if "abstract class" in said or "is_instance_of" in said or "Expected a Runnable" in said:
        return OPEN_TYPE
    if "unexpected keyword argument" in said:
        return OTHER_NAMES
    if any(has_serializer(each) for each in models_in(value)):
        return SERIALIZER
    return EXCLUDED if "type=missing" in said else OTHER


def models_in(value: Any) -> Iterator[Any]:
    """Yield the pydantic models in a value, itself first."""
    if isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from models_in(each)
    elif hasattr(type(value), "model_fields"):
        yield value
        yield from models_in([getattr(value, name) for name in type(value).model_fields])


def has_serializer(value: Any, field: str = "") -> bool:
    said = type(value).__pydantic_decorators__
    return bool(said.model_serializers) or any(
        not field or field in each.info.fields for each in said.field_serializers.values()
    )


def difference(before: Any, after: Any, place: str = "") -> str:
    """Return the first place where two values differ, with both and the cause as far as it can be seen."""
    if type(before) is not type(after):
        both = [hasattr(type(each), "model_fields") or isinstance(each, dict) for each in (before, after)]
        return f"{SAME_DATA if all(both) else OTHER}: {place}: {before!r} became {after!r}"
    if isinstance(before, dict) and before.keys() == after.keys():
        for key, one in before.items():
            if one != after[key]:
                return difference(one, after[key], f"{place}[{key!r}]")
    if isinstance(before, list | tuple) and len(before) == len(after):
        for at, (one, other) in enumerate(zip(before, after, strict=True)):
            if one != other:
                return difference(one, other, f"{place}[{at}]")
    for name, field in getattr(type(before), "model_fields", {}).items():
        one, other = getattr(before, name), getattr(after, name)
        if one != other:
            if field.exclude or has_serializer(before, name):
                cause = EXCLUDED if field.exclude else SERIALIZER
                return f"{cause}: {place}.{name}: {one!r} became {other!r}"
            return difference(one, other, f"{place}.{name}")
    cause = IDENTITY if type(before).__eq__ is object.__eq__ else OTHER
    return f"{cause}: {place}: {before!r} became {after!r}"


def run(packages: list[str], folder: Path, every: int = 1) -> list[Row]:
    """Return a row for each package, one for each kind and the reasons, the most frequent first."""
    rows = []
    counts: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
    reasons: collections.Counter[str] = collections.Counter()
    apart: collections.Counter[str] = collections.Counter()
    for package in packages:
        made = total = back = 0
        for answer in answers_of(package, folder, every):
            good = "refused" not in answer and "wrong" not in answer
            for name in (answer["kind"], "all"):
                counts[name][0] += good
                counts[name][1] += 1
            total, made, back = total + 1, made + good, back + ("way_back" in answer)
            if "way_back" in answer:
                apart[answer["way_back"].partition(":")[0]] += 1
            if not good:
                reasons[reason_of(answer)] += 1
        rows.append(Row(package, f"{made} of {total} classes", "", f"{back} not equal after the way back" * bool(back)))
    for name, (made, total) in sorted(counts.items()):
        share, wanted = made / max(total, 1), WANTED.get(name)
        promise = "" if wanted is None else f"at least {wanted:.0%}"
        kept = None if wanted is None else share >= wanted
        rows.append(Row(f"{name}: classes with instances", f"{made} of {total}, {share:.1%}", "", promise, kept))
    rows += [Row(reason, f"{number} classes") for reason, number in reasons.most_common(25)]
    rows += [Row(f"not equal after the way back: {why}", f"{number} classes") for why, number in apart.most_common()]
    return rows


def answers_of(package: str, folder: Path, every: int) -> list[dict[str, str]]:
    """Return the answers for one package, from a process of its own that leaves others the machine."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{package}.jsonl"
    command = [sys.executable, "-c", f"from bench import models; models.count({package!r}, {str(file)!r}, {every})"]
    subprocess.run(command, stderr=subprocess.DEVNULL, preexec_fn=be_nice, check=False)
    return read_answers(file)


def be_nice() -> None:
    os.nice(10)


def reason_of(answer: dict[str, str]) -> str:
    """Return the reason for which a class has no instances, without its names, so that reasons can be counted."""
    text = answer.get("refused") or f"wrong: {answer.get('wrong')}"
    text = re.sub(r"^SpecError: \S+: ", "", text)
    return re.sub(r"['\"][^'\"]*['\"]|\d+", "…", text)[:110]
