"""Jobs, here or elsewhere, and what happens when one dies.

Work is a picklable function of one item. Items travel in jobs of several; a worker that dies costs one job, which is
made again without the item that killed it. So every item gets exactly one verdict, in the order of the items: an
Answer, a Raised (the work did) or a Death (the worker did not survive it, or took too long).
"""

from __future__ import annotations

from unlike.isolation.copy import (
    Copy,
    call_in_copy,
    can_fork,
    cells,
    count_forks,
    each_in_copies,
    is_in_copy,
    mark,
    process_state,
    send,
)
from unlike.isolation.executors import Borrowed, run_on
from unlike.isolation.pieces import piece_sizes
from unlike.isolation.pool import WorkerPool
from unlike.isolation.process import (
    HANDLED,
    die_interrupted,
    lift_memory_limit,
    restore_process,
    streams_are_ours,
    take_output,
    within_memory,
)
from unlike.isolation.verdicts import Answer, Death, Raised, Verdict, list_unenforced_limits

__all__ = [
    "HANDLED",
    "Answer",
    "Borrowed",
    "Copy",
    "Death",
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
    "piece_sizes",
    "process_state",
    "restore_process",
    "run_on",
    "send",
    "streams_are_ours",
    "take_output",
    "within_memory",
]
