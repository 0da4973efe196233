"""Where the calls of a search are made, so that no call takes the run down.

Usually a copy of this process makes them all, and with several workers, copies share the wide levels (`in_copy`).
Where a process cannot be copied, and on an executor of somebody else's, calls travel in pieces (`in_pieces`). In each
of them this process takes the reports in the order of the units, and makes no call.
"""
