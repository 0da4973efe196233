"""Objects as plain data: canonical form, snapshot, rebuild, store.

`make_walker` gives the one object that explores an object graph.
"""

from unlike.core import Implementation
from unlike.heap.extensions import Extensions, ObjectLabel, extensions
from unlike.heap.layout import OpaqueError
from unlike.heap.rebuild import Heap, RecordValue, compared_heap, distinguish_values, holds_only_weakly, size_of
from unlike.heap.store import KNOWN, OUTSIDE, RAISED, REFUSED, UNCHANGED, GraphSnapshot, States, WalkerCall
from unlike.heap.tables import Extent, News, export_since, extent, import_from, knows_weak
from unlike.heap.walkers import PythonWalker, Walker, make_store, make_walker, native_is_built, native_module
from unlike.scope import Outside

__all__ = [
    "KNOWN",
    "OUTSIDE",
    "RAISED",
    "REFUSED",
    "UNCHANGED",
    "Extensions",
    "Extent",
    "GraphSnapshot",
    "Heap",
    "Implementation",
    "News",
    "ObjectLabel",
    "OpaqueError",
    "Outside",
    "PythonWalker",
    "RecordValue",
    "States",
    "Walker",
    "WalkerCall",
    "compared_heap",
    "distinguish_values",
    "export_since",
    "extensions",
    "extent",
    "holds_only_weakly",
    "import_from",
    "knows_weak",
    "make_store",
    "make_walker",
    "native_is_built",
    "native_module",
    "size_of",
]
