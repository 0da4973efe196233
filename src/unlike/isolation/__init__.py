"""Foreign code in other processes, with limits, and what happens when one of them dies.

    call_in_copy, each_in_copies, Copy   any function, in a forked copy of this process
    WorkerPool, ExecutorPool             a picklable function of one item, in processes that begin with nothing

Every piece of work gets exactly one verdict: an Answer, a Raised (an exception of its own) or a Death (its process did
not survive it, or it took too long).
"""

from __future__ import annotations

from unlike.isolation.copy import call_in_copy, each_in_copies
from unlike.isolation.limits import list_unenforced_limits
from unlike.isolation.pool import ExecutorPool, WorkerPool
from unlike.isolation.verdicts import Answer, Death, Raised, Verdict

__all__ = [
    "Answer",
    "Death",
    "ExecutorPool",
    "Raised",
    "Verdict",
    "WorkerPool",
    "call_in_copy",
    "each_in_copies",
    "list_unenforced_limits",
]
