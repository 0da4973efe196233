"""Jobs, here or elsewhere, and what happens when one dies.

Work is a picklable function of one item. Items travel in jobs of several; a worker that dies costs one job, which is
made again without the item that killed it. So every item gets exactly one verdict, in the order of the items: an
Answer, a Failure (the work raised) or a Death (the worker did not survive it, or took too long).
"""

from __future__ import annotations

from unlike.workers.executors import Borrowed, run_on
from unlike.workers.forked import (
    Forked,
    can_fork,
    cells,
    footprint,
    forks,
    guarded,
    guarded_each,
    is_guarded,
    mark,
    send,
)
from unlike.workers.jobs import portions
from unlike.workers.pool import Pool
from unlike.workers.process import HANDLED, are_open, die_interrupted, heard, lift_limit, put_back, within_memory
from unlike.workers.verdicts import Answer, Death, Failure, Verdict, not_enforced

__all__ = [
    "HANDLED",
    "Answer",
    "Borrowed",
    "Death",
    "Failure",
    "Forked",
    "Pool",
    "Verdict",
    "are_open",
    "can_fork",
    "cells",
    "die_interrupted",
    "footprint",
    "forks",
    "guarded",
    "guarded_each",
    "heard",
    "is_guarded",
    "lift_limit",
    "mark",
    "not_enforced",
    "portions",
    "put_back",
    "run_on",
    "send",
    "within_memory",
]
