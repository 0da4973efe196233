"""Whatever bytes a copy sends: it is lost, another one goes on, and nothing else is raised."""

import contextlib
import itertools
import random
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import specimens
from tests.corpora import few_of

from unlike.errors import UnlikeError
from unlike.explore import explore
from unlike.isolation import copy as copy_module, wire

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
HOW = ("change", "cut", "nothing", "random", "swap", "other sums")
WAYS: dict[str, dict[str, Any]] = {
    "copy": {"values": "concrete"},
    "workers": {"values": "concrete", "workers": 2},
    "open": {"values": "symbolic"},
}


def spoil(frame: bytes, rng: random.Random, how: str, key: int) -> bytes:
    """Return a message as it should not be; but for `other sums` with a head that is right."""
    head, payload = frame[: wire.HEAD.size], bytearray(frame[wire.HEAD.size :])
    kind = frame[8:9]
    match how:
        case "cut":
            del payload[rng.randrange(len(payload) + 1) :]
        case "nothing":
            return b""
        case "random":
            payload[:] = rng.randbytes(rng.randrange(200))
        case "swap":
            numbers = [at for at, byte in enumerate(payload) if chr(byte).isdigit()]
            for _ in range(min(3, len(numbers))):
                payload[rng.choice(numbers)] = rng.choice(b"0123456789-[{")
        case _:
            for _ in range(rng.randint(1, 3)):
                if payload:
                    payload[rng.randrange(len(payload))] = rng.randrange(256)
    return head + bytes(payload) if how == "other sums" else next(wire.make_frames(kind, bytes(payload), key))


@pytest.mark.few(4)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", few_of(range(60), 2))
def test_what_is_spoilt_on_its_way_costs_a_copy_and_raises_nothing(
    seed: int, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, how = random.Random(seed), HOW[seed % len(HOW)]

    def make_spoilt(kind: bytes, payload: bytes, key: int) -> Iterator[bytes]:
        for frame in wire.make_frames(kind, payload, key):
            yield spoil(frame, rng, how, key)

    monkeypatch.setattr(copy_module, "make_frames", make_spoilt)
    with contextlib.suppress(UnlikeError):
        result = explore(specimens.Pile, guess="none", protocols=False, timeout=20, **WAYS[way])
        assert result.explanation
        assert result.states == sum(result.by_size.values())


def test_a_search_goes_on_after_one_message_that_is_nonsense(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = explore(specimens.Pile, values="concrete", protocols=False)
    copies = itertools.count()
    begin = copy_module.Copy.__init__

    def begin_spoilt(self: Any, *args: Any, **kwargs: Any) -> None:
        is_first = bool(kwargs.get("known")) and next(copies) == 0

        def make_frames(kind: bytes, payload: bytes, key: int) -> Iterator[bytes]:
            return iter([b"nonsense"]) if is_first else wire.make_frames(kind, payload, key)

        monkeypatch.setattr(copy_module, "make_frames", make_frames)
        begin(self, *args, **kwargs)

    monkeypatch.setattr(copy_module.Copy, "__init__", begin_spoilt)

    result = explore(specimens.Pile, values="concrete", protocols=False)

    assert next(copies) > 1
    assert result.states == whole.states
    assert str(result.status) == str(whole.status)
