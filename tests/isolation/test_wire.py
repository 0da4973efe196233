"""What crosses from a copy: every value comes out as it went in, and whatever else comes is nonsense, never run."""

import contextlib
import datetime
import decimal
import enum
import fractions
import json
import os
import pickle
import random
import re
import stat
import struct
import sys
import time
import uuid
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest

from unlike.documents.json_schema.patterns import EcmaPattern
from unlike.errors import ScopeError
from unlike.isolation import Answer, Death, Raised, copy as copy_module, wire
from unlike.isolation.copy import Copy, call_in_copy, send
from unlike.isolation.wire import MAGIC, MOST_BYTES, CannotPackError, Frames, NonsenseError, make_frames, pack, unpack
from unlike.suite import Ending, Status

needs_fork = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="descriptors cannot be opened again")


class Colour(enum.Enum):
    RED = 1


class Shade(int):
    def __new__(cls, value: int) -> Self:
        assert value, "somebody made it again"
        return super().__new__(cls, value)

    def lighter(self) -> int:
        return self + 1


class Day(datetime.date):
    """A date of one's own."""


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


def plain(rng: random.Random, depth: int = 3) -> object:
    """Return a random value of plain data."""
    leaves = [
        None, True, False, rng.randrange(-9, 9), rng.randrange(-(2**200), 2**200), 2**63, -(2**63), 2**63 - 1,
        rng.random(), float("inf"), "", "ä\ud800\U0001f600", b"", rng.randbytes(5),
    ]  # fmt: skip
    if not depth or rng.random() < 0.4:
        return rng.choice(leaves)
    items = [plain(rng, depth - 1) for _ in range(rng.randrange(5))]
    match rng.randrange(4):
        case 0:
            return items
        case 1:
            return tuple(items)
        case 2:
            return {rng.choice(leaves): item for item in items}
    return rng.choice((set, frozenset))(rng.sample(leaves, rng.randrange(5)))


@pytest.mark.parametrize("seed", range(50))
def test_plain_values_come_out_as_pickle_would_bring_them(seed: int) -> None:
    value = plain(random.Random(seed))

    assert repr(unpack(pack(value))) == repr(pickle.loads(pickle.dumps(value)))


@pytest.mark.parametrize(
    "value",
    [
        Status(Ending.FOUND, "as asked", ("a", "b")), Answer(None, [Raised(None, "no")]), Colour.RED, Rights.READ | Rights.WRITE,
        int, os.getcwd, datetime.datetime(2024, 2, 29, 12), datetime.timedelta(days=-1), decimal.Decimal("1.50"), fractions.Fraction(-1, 3),
        uuid.UUID(int=5), Path("a/b"), 1j, bytearray(b"ab"), Ending.UNKNOWN, range(1, 9, 2), list[int], re.compile("a+", re.I), ..., NotImplemented,
        datetime.UTC, Shade(3), Day(2024, 2, 29), Counter("aab"), type(iter([])), str.upper, os, Shade.lighter.__code__,
    ],
)  # fmt: skip
def test_records_and_standard_values_come_out_equal(value: object) -> None:
    found = unpack(pack([value, value]))

    assert found == [value, value]
    assert type(found[0]) is type(value)


@pytest.mark.parametrize("wrap", [lambda n: n, lambda n: [1, n], lambda n: (n, {n}), lambda n: {n: -n}, Shade])
def test_numbers_cross_that_are_too_long_for_python_to_write(wrap: Callable[[int], object]) -> None:
    value = wrap(10**5_000 + 7)

    found = unpack(pack(value))

    assert found == value


def test_values_of_classes_that_extend_standard_ones_keep_their_attributes() -> None:
    shade, pattern = Shade(3), EcmaPattern(r"^\d$")
    vars(shade)["names"] = ["grey", Shade(4)]

    found, spelt = unpack(pack((shade, {pattern: pattern})))

    assert (found, found.names) == (3, ["grey", 4])
    assert spelt == {pattern: pattern}
    assert [each.written for each in spelt] == [r"^\d$"]
    assert re.search(spelt[pattern], "5\n") is None  # to `re` it is still spelt for Python


def test_an_exception_of_ours_comes_out_with_what_it_carries() -> None:
    error = unpack(pack(ScopeError("n=0", 3)))

    assert type(error) is ScopeError
    assert error.args == ("n=0", 3)


def test_what_both_sides_know_stays_itself() -> None:
    local = type("Local", (), {})
    known = [object(), local, [1]]

    found = unpack(pack((known[0], local, known[2]), known), known)

    assert all(one is two for one, two in zip(found, known, strict=True))


class Armed:
    """Says what it likes to being pickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch armed",)


@pytest.mark.parametrize("value", [Armed(), [lambda: 5], {1: type("Local", (), {})}, object()])
def test_what_would_have_to_be_run_to_be_made_does_not_cross(value: object) -> None:
    with pytest.raises(CannotPackError):
        pack(value)


def test_a_value_that_is_its_own_part_does_not_cross() -> None:
    endless: list[object] = []
    endless.append(endless)

    with pytest.raises(CannotPackError, match="too deeply"):
        pack(endless)


def test_bytes_that_are_no_value_are_nonsense_whatever_they_are() -> None:
    rng = random.Random(1)
    whole = pack([Status(Ending.FOUND), {"a": (1, 2.5, b"x")}, {3}, Colour.RED, datetime.date(2024, 1, 1)])
    for _ in range(3_000):
        damaged = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        try:
            unpack(bytes(damaged[: rng.randrange(len(damaged) + 1)]))
        except NonsenseError:
            continue  # and never anything else


def test_no_name_but_that_of_data_is_called() -> None:
    for name in ("os:system", "subprocess:Popen", "builtins:eval", "builtins:type", "unlike.isolation.copy:Copy"):
        for tag in ("record", "standard", "member", "anything"):
            with pytest.raises(NonsenseError):
                unpack(json.dumps({tag: [{"name": name}, "exit 3"]}).encode())


def test_frames_come_out_of_any_pieces_of_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MOST_BYTES", 10)  # a message of several frames
    sent = [(b"s", b"a" * 35), (b"d", b""), (b"s", b"b" * 10)]
    stream = b"".join(frame for kind, payload in sent for frame in make_frames(kind, payload))
    frames, got = Frames(), list[tuple[bytes, bytes]]()
    for number in stream:
        frames.buffer.append(number)
        got += frames.messages()

    assert got == sent


HEADS = {
    "another beginning": struct.pack("<4sIcI", b"GET ", 1, b"s", zlib.crc32(b"N")) + b"N",
    "no end": struct.pack("<4sIcI", MAGIC, MOST_BYTES + 1, b"s", 0) + b"N",
    "a wrong sum": struct.pack("<4sIcI", MAGIC, 1, b"s", 7) + b"N",
    "no value": b"".join(make_frames(b"s", b"?")),
    "a value and more": b"".join(make_frames(b"d", b"1 1")),
}


@needs_fork
@pytest.mark.parametrize("what", HEADS)
def test_a_copy_that_sends_nonsense_is_dead(what: str) -> None:
    def work() -> None:
        send("before")
        assert copy_module._inside is not None
        copy_module._inside.channel.write([HEADS[what]])  # as if somebody had found the way
        os._exit(0)

    with Copy(work) as copy:
        got = list(copy.listen())

    assert got == ["before"]
    assert isinstance(copy.verdict, Death)
    assert copy.verdict.cause.startswith("sent nonsense")


@needs_proc
def test_no_descriptor_of_a_copy_leads_to_its_parent() -> None:
    there = set(map(int, os.listdir("/proc/self/fd")))  # noqa: PTH208

    def work() -> str:
        for number in set(range(3, 1024)) - there:
            with contextlib.suppress(OSError):
                if stat.S_ISFIFO(os.fstat(number).st_mode):
                    os.write(number, b"nonsense")
        return "done"

    with Copy(lambda: time.sleep(30)) as other:  # nor to another copy of it
        assert call_in_copy(work) == Answer(None, "done")
        assert other.news(heard=True) == []
        assert other.verdict is None


@needs_proc
def test_a_copy_whose_descriptors_were_all_taken_for_a_file_still_answers_and_the_file_stays_as_it_is(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine"
    file.write_text("precious")

    def work() -> str:
        own = os.open(file, os.O_RDWR)
        for number in range(3, 1024):
            if number != own:
                os.dup2(own, number)
        return "done"

    assert call_in_copy(work) == Answer(None, "done")
    assert file.read_text() == "precious"
