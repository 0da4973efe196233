"""Foreign code in other processes, with limits, and what happens when one of them dies.

    call_in_copy, each_in_copies, Copy   any function, in a forked copy of this process
    WorkerPool, ExecutorPool             a picklable function of one item, in processes that begin with nothing

Every piece of work gets exactly one verdict: an Answer, a Raised (an exception of its own) or a Death (its process did
not survive it, or it took too long).
"""

from __future__ import annotations

from unlike.isolation.copy import (
    COUNTS,
    NOWHERE,
    PLACE,
    STOP,
    Blame,
    Copy,
    call_in_copy,
    can_fork,
    cells,
    each_in_copies,
    is_in_copy,
    mark,
    runs_here,
    send,
)
from unlike.isolation.limits import die_interrupted, lift_memory_limit, list_unenforced_limits, within_memory
from unlike.isolation.output import streams_are_ours, take_output
from unlike.isolation.pool import ExecutorPool, WorkerPool, piece_sizes
from unlike.isolation.state import count_forks, process_state, restore_process
from unlike.isolation.verdicts import Answer, Death, Raised, Verdict
from unlike.isolation.wire import CannotPackError, pack

__all__ = [
    "COUNTS",
    "NOWHERE",
    "PLACE",
    "STOP",
    "Answer",
    "Blame",
    "CannotPackError",
    "Copy",
    "Death",
    "ExecutorPool",
    "Raised",
    "Verdict",
    "WorkerPool",
    "call_in_copy",
    "can_fork",
    "cells",
    "count_forks",
    "die_interrupted",
    "each_in_copies",
    "is_in_copy",
    "lift_memory_limit",
    "list_unenforced_limits",
    "mark",
    "pack",
    "piece_sizes",
    "process_state",
    "restore_process",
    "runs_here",
    "send",
    "streams_are_ours",
    "take_output",
    "within_memory",
]
