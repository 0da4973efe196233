"""The file beside a test module: a block for each test, one input per line, sorted; JSON as a whole.

    {"unlike": 1, "tests": {
    "test_path": {"fingerprint": "5d0c…", "n": 2, "count": 2, "ending": "found", "inputs": [
    {"id": "a:b", "rank": 0, "input": {"path": "a:b"}},
    {"id": "a_b", "rank": 1, "input": {"path": "a_b"}, "failed": true},
    "end"]},
    "end": null}}

Every line but the first and last ends in a comma or a bracket whatever comes after it, so two people who add inputs get
no conflict that is not one. A line that cannot be read spoils its own test only; damage around it spoils the file.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from unlike.errors import SavedFileError
from unlike.file_limits import MOST_SAVED_BYTES, check_data_depth, read_text_within
from unlike.saved import Json, shorten_data
from unlike.suite import Ending
from unlike.testing.decorators import Number
from unlike.testing.encode import canonical

VERSION = 1  # of the format; a file of another version is refused
OPENING = '{"unlike": %d, "tests": {'
END_OF_TEST = '"end"]},'
END_OF_FILE = '"end": null}}'
_ID = re.compile(r"[A-Za-z0-9_.:+@%=,/~-]{1,80}")
_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
REMEDY = "restore it from version control, or run pytest --unlike-regenerate"


@dataclass(frozen=True, slots=True)
class SavedInput:
    """One saved input: its place in the order of generation, or the fingerprint of the older spec it was kept from."""

    id: str
    input: dict[str, Json]
    rank: int | None = None
    choices: dict[str, int] = field(default_factory=dict)
    failed: bool = False
    kept: str | None = None
    number: int = 0

    def text(self) -> str:
        """Return the line as it is written, without what has its usual value."""
        data: dict[str, Json] = {"id": self.id}
        if self.rank is not None:
            data["rank"] = self.rank
        data["input"] = self.input
        if self.choices:
            data["choices"] = dict(self.choices)
        if self.failed:
            data["failed"] = True
        if self.kept is not None:
            data["kept"] = self.kept
        return canonical(data)


@dataclass(frozen=True, slots=True)
class SavedTest:
    """The inputs of one test, and what they answer; `damage` says what could not be read."""

    name: str
    fingerprint: str
    n: Number
    ending: Ending
    lines: tuple[SavedInput, ...]
    why: str = ""  # there are too few of them, where that is not proved
    code: str = ""  # what stands for the code that they were chosen by
    added: int = 0  # beyond n, to those that were kept when the code changed
    damage: str = ""
    raw: str = field(default="", repr=False)

    def text(self) -> str:
        """Return the block as it is written; a damaged one stays as it was found, until its user decides."""
        if self.damage:
            return self.raw
        count = sum(line.rank is not None for line in self.lines)
        head: dict[str, Json] = {
            "fingerprint": self.fingerprint,
            "n": self.n,
            "count": count,
            "ending": str(self.ending),
        }
        head |= {"why": self.why} if self.why else {}
        head |= {"code": self.code} if self.code else {}
        head |= {"added": self.added} if self.added else {}
        inputs = "".join(f"{line.text()},\n" for line in sorted(self.lines, key=_order))
        return f'{json.dumps(self.name)}: {canonical(head)[:-1]}, "inputs": [\n{inputs}{END_OF_TEST}\n'

    def lines_in_order(self) -> list[SavedInput]:
        """Return the lines that answer the spec, in the order in which they were generated."""
        return sorted((line for line in self.lines if line.rank is not None), key=lambda line: line.rank or 0)

    def regressions(self) -> list[SavedInput]:
        """Return the lines that failed once."""
        return [line for line in self.lines if line.failed]


def _order(line: SavedInput) -> tuple[object, ...]:
    """Return what lines are sorted by: the id, with the numbers in it as numbers."""
    parts = re.split(r"([0-9]+)", line.id)
    return (*((part, 0) if i % 2 == 0 else ("", int(part)) for i, part in enumerate(parts)), (line.id, 0))


def text_of(blocks: dict[str, SavedTest]) -> str:
    """Return the file as it is written: blocks sorted by name."""
    bodies = "".join(blocks[name].text() for name in sorted(blocks))
    return f"{OPENING % VERSION}\n{bodies}{END_OF_FILE}\n"


def read(path: Path) -> dict[str, SavedTest]:
    """Return the blocks of the file, none if there is no file; refuse a file that is not whole."""
    try:
        text = read_text_within(path, MOST_SAVED_BYTES)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise SavedFileError(f"{path} cannot be read: {error}; {REMEDY}") from error
    try:
        return dict(_blocks(text))
    except SavedFileError as error:
        raise SavedFileError(f"{path}, {error}; {REMEDY}") from error


def names_in(path: Path) -> list[str]:
    """Return the names of the tests in the file, without reading their inputs; none if there is no such file."""
    try:
        text = read_text_within(path, MOST_SAVED_BYTES)
    except (OSError, ValueError):
        return []
    heads = re.findall(r'^("(?:[^"\\]|\\.)*"): \{"fingerprint": ', text, re.MULTILINE)
    return [json.loads(head) for head in heads]


@functools.lru_cache(maxsize=4)  # the tests of a module read the same file one after the other
def _blocks(text: str) -> dict[str, SavedTest]:
    lines = iter(enumerate(text.split("\n"), 1))
    _check_opening(next(lines)[1])
    blocks: dict[str, SavedTest] = {}
    for number, line in lines:
        if line == END_OF_FILE:
            if any(rest.strip() for _, rest in lines):
                raise SavedFileError(f"line {number + 1}: there is more after the end of the file")
            return blocks
        block = _block(number, line, lines)
        if block.name in blocks:
            raise SavedFileError(f"line {number}: {block.name!r} is there twice")
        blocks[block.name] = block
    raise SavedFileError(f"line {text.count(chr(10)) + 1}: the file is cut off")


def _check_opening(line: str) -> None:
    found = re.fullmatch(r'\{"unlike": (\d{1,9}), "tests": \{', line)
    if found is None:
        raise SavedFileError(
            f"line 1: {shorten_data(line[:80])} does not open a file of inputs, one per line (was it reformatted?)"
        )
    if int(found[1]) != VERSION:
        raise SavedFileError(f"line 1: version {found[1]} is unknown; this is a file of another version of unlike")


def _block(number: int, line: str, lines: Iterator[tuple[int, str]]) -> SavedTest:
    head, count = _head(number, line)
    found: list[SavedInput] = []
    seen = [line]
    damage = ""
    for at, text in lines:
        seen.append(text)
        if text == END_OF_TEST:
            raw = "".join(f"{each}\n" for each in seen)
            return _check_block(replace(head, lines=tuple(found), damage=damage, raw=raw), count)
        if text == END_OF_FILE:
            break
        try:
            found.append(_line(at, text))
        except SavedFileError as error:
            damage = damage or f"line {at}: {error}"
    raise SavedFileError(f"line {number + len(seen) - 1}: the inputs of {head.name!r} are cut off")


def _head(number: int, line: str) -> tuple[SavedTest, int]:
    try:
        data = loads(f'{{{line}"end"]}}}}')
    except SavedFileError as error:
        raise SavedFileError(f"line {number}: {error}") from error
    if isinstance(data, dict) and len(data) == 1:
        name, head = next(iter(data.items()))
        match head:
            case {
                "fingerprint": str(mark),
                "n": n,
                "count": int(count),
                "ending": str(ending),
                "inputs": ["end"],
                **rest,
            }:
                why, code, added = rest.pop("why", ""), rest.pop("code", ""), rest.pop("added", 0)
                known = _FINGERPRINT.fullmatch(mark) and ending in set(Ending) and not rest and isinstance(why, str)
                known = known and isinstance(code, str) and type(added) is int and added >= 0
                if known and (n == "all" or (type(n) is int and n > 0)):
                    return SavedTest(name, mark, n, Ending(ending), (), why, code, added), count  # type: ignore[arg-type]
    raise SavedFileError(f"line {number}: {shorten_data(line[:80])} does not open the inputs of a test")


def _line(number: int, text: str) -> SavedInput:
    if not text.endswith(","):
        raise SavedFileError(f"{shorten_data(text[:80])} is not an input followed by a comma")
    data = loads(text[:-1])
    match data:
        case {"id": str(id_), "input": dict(input_), **rest} if _ID.fullmatch(id_):
            rank, choices = rest.pop("rank", None), rest.pop("choices", {})
            failed, kept = rest.pop("failed", False), rest.pop("kept", None)
            if not rest and _is_place(rank, kept, failed) and _are_choices(choices):
                return SavedInput(id_, input_, rank, choices, bool(failed), kept, number)  # type: ignore[arg-type]
    raise SavedFileError(f"{shorten_data(text[:80])} is not an input")


def _is_place(rank: object, kept: object, failed: object) -> bool:
    """Tell whether a line stands in the order of generation, or was kept because it failed, and not both."""
    if failed not in (True, False) or not isinstance(failed, bool):
        return False
    if rank is not None:
        return type(rank) is int and 0 <= rank < 10**9 and kept is None
    return isinstance(kept, str) and _FINGERPRINT.fullmatch(kept) is not None and failed


def _are_choices(choices: object) -> bool:
    return isinstance(choices, dict) and all(
        re.fullmatch(r"\?[0-9]{1,6}", key) and type(value) is int for key, value in choices.items()
    )


def _check_block(block: SavedTest, count: int) -> SavedTest:
    """Return the block, with damage noted if an id or a rank is there twice or missing."""
    if block.damage:
        return block
    ids: set[str] = set()
    ranks: set[int] = set()
    for line in block.lines:
        if line.id in ids:
            return replace(block, damage=f"line {line.number}: the id {line.id!r} is there twice")
        if line.rank is not None and line.rank in ranks:
            return replace(block, damage=f"line {line.number}: the rank {line.rank} is there twice")
        ids.add(line.id)
        if line.rank is not None:
            ranks.add(line.rank)
    missing = next((rank for rank in range(count) if rank not in ranks), None)
    if missing is not None or len(ranks) != count:
        said = f"the input of rank {missing} is missing" if missing is not None else "there are more"
        return replace(block, damage=f"{block.name!r} ought to have {count} inputs, but {said}")
    return block


def loads(text: str) -> Json:
    """Return JSON data; NaN, repeated keys, endless numbers and endless nesting are refused."""
    try:
        data: Json = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        check_data_depth(data)
    except (ValueError, RecursionError) as error:
        raise SavedFileError(f"{shorten_data(text[:80])} is not JSON: {error}") from None
    return data


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a key is there twice")
    return data


def _constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")
