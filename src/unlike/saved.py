"""Recipes as plain JSON data, and back; files that are whole or not there.

A saved file is data, never code: tagged lists, decoded one by one, with names that the caller resolves.
Scalars stand for themselves; everything else is a list that begins with its tag.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import math
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Literal, TypeAlias

from unlike.errors import RecipeError, SavedFileError, ScopeError
from unlike.recipe import Argument, BareInstance, Call, Given, Items, Method, Name, Recipe, Ref, Step, Store

VERSION = 1  # of the format; a file of another version is refused
MOVED = {"unlike.formats.ready": "unlike"}  # where files of earlier versions look for our own classes

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
JsonObject: TypeAlias = dict[str, Json]


def recipe_to_data(recipe: Recipe) -> Json:
    """Return the recipe as JSON data.

    >>> recipe_to_data(Recipe((Call(Name("collections", "Counter")), Method(Ref(0), "update", ("aab",))), Ref(0)))
    {'steps': [['call', ['name', 'collections', 'Counter'], [], {}], ['method', 0, 'update', ['aab'], {}]],
    'result': ['ref', 0]}
    """
    return {"steps": [step_to_data(step) for step in recipe.steps], "result": argument_to_data(recipe.result)}


def recipe_from_data(data: Json) -> Recipe:
    """Return the recipe that the JSON data stand for, or refuse data that are no recipe."""
    match data:
        case {"steps": list(steps), "result": result, **rest} if not rest:
            decoded = tuple(step_from_data(step, position) for position, step in enumerate(steps))
            return Recipe(decoded, argument_from_data(result, len(decoded)))
    raise SavedFileError(f"a recipe has the keys 'steps' and 'result', not {shorten_data(data)}")


def step_to_data(step: Step) -> Json:
    """Return one step as JSON data."""
    match step:
        case Call(function, args, kwargs):
            return ["call", argument_to_data(function), *_arguments_to_data(args, kwargs)]
        case Method(receiver, name, args, kwargs):
            return ["method", receiver.step, name, *_arguments_to_data(args, kwargs)]
        case BareInstance(cls):
            return ["blank", argument_to_data(cls)]
        case Store(target, name, value, raw):
            return ["store", target.step, name, argument_to_data(value), *(["raw"] if raw else [])]


def step_from_data(data: Json, position: int) -> Step:
    """Return the step that stands at the position; it may refer to earlier ones only."""
    match data:
        case ["call", function, list(args), dict(kwargs)]:
            return Call(_name(function), *_arguments_from_data(args, kwargs, position))
        case ["method", int(receiver), str(name), list(args), dict(kwargs)]:
            arguments = _arguments_from_data(args, kwargs, position)
            return Method(_ref(receiver, position), _identifier(name), *arguments)
        case ["blank", cls]:
            return BareInstance(_name(cls))
        case ["store", int(target), str(name), value, *raw] if raw in ([], ["raw"]):
            stored = argument_from_data(value, position)
            return Store(_ref(target, position), _identifier(name), stored, bool(raw))
    raise SavedFileError(f"step {position} is not a call, method, blank or store: {shorten_data(data)}")


def argument_to_data(argument: Argument) -> Json:
    """Return one argument as JSON data."""
    match argument:
        case Ref(step):
            return ["ref", step]
        case Name(module, qualname):
            return ["name", module, qualname]
        case Items(kind, items):
            return [kind, [argument_to_data(item) for item in items]]
        case Given(value):
            raise RecipeError(
                f"{value!r} cannot be saved: {type(value).__name__} has no literal form; "
                "use values made of numbers, strings, enums and dates, or a record with a build function"
            )
        case bytes():
            return ["bytes", base64.b64encode(argument).decode("ascii")]
        case float() if not math.isfinite(argument):
            return ["float", repr(argument)]
        case _:
            return argument


def argument_from_data(data: Json, position: int) -> Argument:
    """Return the argument of a step at the position; it may refer to earlier steps only."""
    match data:
        case None | bool() | int() | float() | str():
            return data
        case ["ref", int(step)]:
            return _ref(step, position)
        case ["name", str(), str()]:
            return _name(data)
        case ["bytes", str(text)]:
            return _bytes(text)
        case ["float", "nan" | "inf" | "-inf" as text]:
            return float(text)
        case [("list" | "tuple" | "set" | "frozenset" | "dict") as kind, list(items)]:
            return _items(kind, tuple(argument_from_data(item, position) for item in items))
    raise SavedFileError(f"{shorten_data(data)} is not an argument of a recipe")


def _arguments_to_data(args: tuple[Argument, ...], kwargs: tuple[tuple[str, Argument], ...]) -> list[Json]:
    return [[argument_to_data(each) for each in args], {key: argument_to_data(each) for key, each in kwargs}]


def _arguments_from_data(
    args: list[Json], kwargs: dict[str, Json], position: int
) -> tuple[tuple[Argument, ...], tuple[tuple[str, Argument], ...]]:
    return (
        tuple(argument_from_data(each, position) for each in args),
        tuple((_identifier(key), argument_from_data(each, position)) for key, each in kwargs.items()),
    )


def _items(kind: Literal["list", "tuple", "set", "frozenset", "dict"], items: tuple[Argument, ...]) -> Items:
    if kind == "dict" and len(items) % 2:
        raise SavedFileError(f"a dict needs as many values as keys, but has {len(items)} items")
    return Items(kind, items)


def _ref(step: int, position: int) -> Ref:
    if isinstance(step, bool) or not 0 <= step < position:
        raise SavedFileError(f"step {position} refers to step {step!r}, which is not before it")
    return Ref(step)


def _name(data: Json) -> Name:
    match data:
        case ["name", str(module), str(qualname)] if all(
            part.isidentifier() for text in (module, qualname) for part in text.split(".")
        ):
            return Name(MOVED.get(module, module), qualname)
    raise SavedFileError(f"{shorten_data(data)} is not the name of a class or function")


def _identifier(name: str) -> str:
    if not name.isidentifier():
        raise SavedFileError(f"{name!r} is not a Python name")
    return name


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise SavedFileError(f"{text[:40]!r} is not base64: {error}") from None


def shorten_data(data: object) -> str:
    """Return the data, shortened for a message."""
    text = repr(data)
    return text if len(text) <= 80 else text[:77] + "..."


def write_whole(path: str | os.PathLike[str], pieces: str | Iterable[str]) -> None:
    """Write the file beside its place and rename it, so that a reader finds the old or the new one, whole."""
    target = Path(path)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.writelines([pieces] if isinstance(pieces, str) else pieces)
        mode = target.stat().st_mode if target.exists() else 0o666 & ~_umask()
        Path(temporary).chmod(mode)
        Path(temporary).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def write_output(path: str | os.PathLike[str], pieces: str | Iterable[str]) -> None:
    """Write a file that somebody asked for, whole; refuse a place that cannot be written, and say why."""
    check_output(path, directory=False)
    try:
        write_whole(path, pieces)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def output_directory(path: str | os.PathLike[str]) -> Path:
    """Return the directory that somebody wants files in, made if need be; refuse one that cannot be."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    return Path(path)


def check_output(path: str | os.PathLike[str] | None, *, directory: bool) -> None:
    """Refuse a place that cannot be written, before work is done whose result would be lost."""
    if path is None:
        return
    place = Path(path)
    try:
        if directory and place.exists() and not place.is_dir():
            raise ScopeError(f"-o {os.fspath(path)!r} is a file; name a directory to write into")
        if not directory and place.is_dir():
            raise ScopeError(f"-o {os.fspath(path)!r} is a directory; name a file to write")
        if not directory and not place.parent.is_dir():
            raise ScopeError(f"-o {os.fspath(path)!r} cannot be written: there is no directory {str(place.parent)!r}")
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def _unwritable(path: str | os.PathLike[str], error: Exception) -> ScopeError:
    reason = getattr(error, "strerror", None) or str(error)
    return ScopeError(f"-o {os.fspath(path)!r} cannot be written: {reason}")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def lock_path(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """Hold the only lock on a path, among all processes of this user on this machine.

    The lock is a small file in the temporary directory, so nothing is left beside the path. It is given to the holder
    as a notebook: those who take turns can leave word for the next.
    """
    mark = hashlib.blake2b(str(Path(path).absolute()).encode(), digest_size=12).hexdigest()
    user = os.getuid() if hasattr(os, "getuid") else "user"
    notebook = Path(tempfile.gettempdir()) / f"unlike-{user}-{mark}.lock"
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(notebook, flags, 0o600), "r+", encoding="utf-8") as file:
        _lock(file)
        try:
            yield file
            file.flush()
        finally:
            _unlock(file)


if sys.platform == "win32":  # pragma: no cover
    import msvcrt
    import time

    def _lock(file: IO[str]) -> None:
        while True:
            try:
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            except OSError:  # LK_LOCK gives up after ten tries
                time.sleep(0.1)
            else:
                return

    def _unlock(file: IO[str]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)

    def _unlock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
