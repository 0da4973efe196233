"""The one object that explores an object graph: in Python, or compiled.

There are two implementations with equal answers: one in Python, and one compiled (`unlike._native`), used where it was
built. The compiled one works on the tables of a Python walker (its `twin`) and asks it for whatever is rare.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Sequence
from typing import Any, TypeAlias

from unlike.core import Implementation
from unlike.errors import UnlikeError
from unlike.heap.canonical import HeapError, canonical
from unlike.heap.layout import OpaqueError
from unlike.heap.numbered_names import Table
from unlike.heap.plain import remake_plain
from unlike.heap.rebuild import Heap, build_heap, heap_of, is_exact, rebuild
from unlike.heap.store import OUTSIDE, Snapshot, States, StateStore, expand
from unlike.scope import Limits, Outside


class PythonWalker:
    """Everything one can do with an object graph. Bytes are comparable within one walker only."""

    expand = expand  # the calls on a known state

    def __init__(self, limits: Limits, pinned: Sequence[object] = ()) -> None:
        self._pinned = tuple(pinned)  # kept alive: they are known by id
        self._keys = Table(limits, pinned)
        # what is left out when states are compared is still needed to make them again
        self._whole = self._keys if limits.faithful else Table(Limits(set_order=limits.set_order), pinned)
        self._reasons: dict[str, int] = {}

    def walk(self, *roots: object) -> bytes | Outside:
        """Return the bytes that tell this state from others, or why the graph is outside the limits.

        Equal bytes exactly for graphs that are equal up to identity, fields omitted and keys applied.
        """
        try:
            return canonical(self._keys, roots)
        except OpaqueError as error:
            return Outside(str(error))

    def capture(self, *roots: object) -> bytes:
        """Return bytes that hold every part of the graph, to rebuild it; the same as `walk` if nothing is omitted."""
        state = canonical(self._whole, roots, bounded=False)
        if isinstance(state, Outside):  # tuples within tuples, without end
            raise HeapError(f"the graph cannot be captured: {state}")
        return state

    def rebuild(self, captured: bytes) -> list[Any]:
        """Return fresh roots in the captured state; only atoms and pinned objects are shared."""
        return rebuild(self._whole, captured)

    def snapshot(self, *roots: object) -> Snapshot:
        """Remember what every object holds now."""
        return Snapshot(self._whole, roots)

    def remake(self, captured: bytes) -> tuple[list[Any], Snapshot, bool]:
        """Return fresh roots in the captured state, remembered, and whether they certainly are in that state."""
        plain = remake_plain(self._whole.layouts, captured)
        if plain is not None:
            roots, groups = plain
            return roots, Snapshot(self._whole, roots, groups), True
        roots = rebuild(self._whole, captured)
        return roots, self.snapshot(*roots), is_exact(self._whole, captured)

    def heap(self, captured: bytes) -> Heap:
        """Return a captured state as plain data, which may travel to another process."""
        return heap_of(self._whole, captured)

    def made_of(self, heap: Heap) -> list[Any]:
        """Return fresh roots in the state that plain data from another walker describe."""
        return build_heap(self._whole, heap)

    @property
    def twin(self) -> PythonWalker:
        """The walker whose tables these are."""
        return self

    @property
    def tables(self) -> list[Table]:
        """The tables that number classes, names and atoms: one, or two if something is left out of comparisons."""
        return [self._keys] if self._whole is self._keys else [self._keys, self._whole]

    def is_exact(self, captured: bytes) -> bool:
        """Tell whether making the graph again from its bytes certainly gives the same graph."""
        return is_exact(self._whole, captured)

    def reason(self, code: int) -> str:
        """Return why a call led outside the limits, given its outcome."""
        return list(self._reasons)[OUTSIDE - code]

    def reason_number(self, reason: str) -> int:
        """Return the number of a reason, numbering it when it is first met."""
        return self._reasons.setdefault(reason, len(self._reasons))


Walker: TypeAlias = PythonWalker  # either of the two: the compiled one has the same methods


def native_is_built() -> bool:
    """Tell whether the compiled walker can be used here."""
    return _native() is not None


def make_walker(limits: Limits, pinned: Sequence[object] = (), implementation: Implementation = "auto") -> Walker:
    """Return a walker. Pinned objects (sentinels, registries) keep their identity in every rebuilt graph."""
    # the compiled walker puts members into sets as they come
    implementation = "python" if limits.set_order else implementation
    native, twin = _choose_native(implementation), PythonWalker(limits, pinned)
    if native is None:
        return twin
    made: Walker = native.Walker(twin)
    return made


def make_store(implementation: Implementation = "auto") -> States:
    """Return an empty store of known states."""
    native = _choose_native(implementation)
    if native is None:
        return StateStore()
    made: States = native.Store()
    return made


def _choose_native(implementation: Implementation) -> Any:
    if implementation == "python":
        return None
    native = _native()
    if native is None and implementation == "native":
        raise UnlikeError(
            "the compiled walker is not built; reinstall with a C compiler, or use implementation='python'"
        )
    return native


def native_module() -> Any:
    """Return the compiled module, or None where it was not built."""
    return _native()


@functools.cache  # asked for every shape
def _native() -> Any:
    try:
        found = importlib.import_module("unlike._native")
    except ImportError:
        return None
    return found if hasattr(found, "Walker") else None
