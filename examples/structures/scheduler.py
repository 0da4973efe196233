"""A process scheduler: one process runs, others are ready at one of three priorities, others are blocked.

Whenever the running process leaves, the first one of the highest priority runs. A process is never interrupted by one
of higher priority, only by the end of its quantum.
"""

from __future__ import annotations

from dataclasses import dataclass, field

PRIORITIES = range(3)


@dataclass(eq=False, slots=True)
class Process:
    """A process; two of the same priority are still two."""

    priority: int


@dataclass(eq=False)
class Scheduler:
    """All processes that are not finished."""

    running: Process | None = field(default_factory=lambda: None, init=False)  # a factory: set on every object
    ready: list[list[Process]] = field(default_factory=lambda: [[] for _ in PRIORITIES], init=False)
    blocked: list[Process] = field(default_factory=list, init=False)

    def add_process(self, priority: int) -> None:
        if priority not in PRIORITIES:
            raise ValueError(f"priority {priority!r} is not one of {list(PRIORITIES)}")
        self._make_ready(Process(priority))

    def finish_process(self) -> None:
        """End the running process."""
        self._running()
        self._run_next()

    def finish_all(self) -> None:
        """Run every process to its end, except the blocked ones."""
        while self.running is not None:
            self.finish_process()

    def block_process(self) -> None:
        """Let the running process wait for something."""
        self.blocked.append(self._running())
        self._run_next()

    def unblock_process(self, index: int) -> None:
        """Let a blocked process be ready again."""
        if not 0 <= index < len(self.blocked):
            raise IndexError(f"index {index!r} is not within {len(self.blocked)} blocked processes")
        self._make_ready(self.blocked.pop(index))

    def quantum_expire(self) -> None:
        """Put the running process behind the others of its priority."""
        process = self._running()
        self.ready[process.priority].append(process)
        self._run_next()

    def upgrade_process(self, priority: int, index: int) -> None:
        """Raise a ready process to the next priority."""
        if priority not in PRIORITIES or priority + 1 not in PRIORITIES:
            raise ValueError(f"priority {priority!r} cannot be raised")
        queue = self.ready[priority]
        if not 0 <= index < len(queue):
            raise IndexError(f"index {index!r} is not within {len(queue)} processes of priority {priority!r}")
        process = queue.pop(index)
        process.priority += 1
        self.ready[process.priority].append(process)

    def to_list(self) -> list[int]:
        """Return the priorities in the order in which the processes would run if none came and none was blocked."""
        now = [] if self.running is None else [self.running.priority]
        return now + [process.priority for queue in reversed(self.ready) for process in queue]

    def __len__(self) -> int:
        """Return the number of processes, blocked ones too."""
        return len(self.to_list()) + len(self.blocked)

    def rep_ok(self) -> bool:
        """Check that each process is in one place, in the queue of its priority, and none is ready while none runs."""
        if len(self.ready) != len(PRIORITIES):
            return False
        processes = list(self.blocked)
        if self.running is not None:
            processes.append(self.running)
        for priority, queue in enumerate(self.ready):
            if queue and self.running is None:
                return False
            for process in queue:
                if process.priority != priority:
                    return False
                processes.append(process)
        for process in processes:
            if process.priority not in PRIORITIES:
                return False
        return len(set(processes)) == len(processes)

    def _running(self) -> Process:
        if self.running is None:
            raise ValueError("no process runs")
        return self.running

    def _make_ready(self, process: Process) -> None:
        self.ready[process.priority].append(process)
        if self.running is None:
            self._run_next()

    def _run_next(self) -> None:
        queue = next((queue for queue in reversed(self.ready) if queue), None)
        self.running = queue.pop(0) if queue else None


class BuggyScheduler(Scheduler):
    """Lets the processor idle when a process is unblocked while no other runs.

    A process is ready and none runs, so `rep_ok` fails:
    `BuggyScheduler(); add_process(0); block_process(); unblock_process(0)`.
    """

    def unblock_process(self, index: int) -> None:
        if not 0 <= index < len(self.blocked):
            raise IndexError(f"index {index!r} is not within {len(self.blocked)} blocked processes")
        process = self.blocked.pop(index)
        self.ready[process.priority].append(process)
