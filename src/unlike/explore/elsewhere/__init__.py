"""The same search with the code under test in worker processes: whatever it does there, the search goes on.

The parent holds the states with the calls that led to them, and makes no call. Usually a copy of it makes them all
(`copies`); with several workers, copies share the wide levels (`crew`). Where a process cannot be copied, and on an
executor of somebody else's, calls travel in jobs (`isolated`): a job is some objects as plain data and the calls to
make on them; a worker keeps a search of its own, makes the calls there, and reports the states it had not seen yet. A
job that ends its process is made again call by call, until the one call is known.
"""

from __future__ import annotations

from unlike.explore.elsewhere.copies import Keeper
from unlike.explore.elsewhere.guard import CannotTravelError
from unlike.explore.elsewhere.isolated import Isolated
from unlike.explore.elsewhere.replica import Spec

__all__ = ["CannotTravelError", "Isolated", "Keeper", "Spec"]
