from dataclasses import dataclass, field
from enum import IntEnum
from itertools import combinations


class Day(IntEnum):
    MON = 0
    TUE = 1
    WED = 2
    THU = 3
    FRI = 4


@dataclass(order=True, frozen=True)
class Lesson:
    start: int  # minutes since midnight
    end: int
    subject: str = field(compare=False)
    room: str = field(compare=False)

    def overlaps(self, other: "Lesson") -> bool:
        return self.start < other.end and other.start < self.end


class Timetable:
    """The weekly timetable of one class: no two lessons of a day overlap."""

    OPENS = 8 * 60
    CLOSES = 18 * 60

    def __init__(self) -> None:
        self.days: dict[Day, list[Lesson]] = {day: [] for day in Day}
        self.minutes: dict[str, int] = {}

    def schedule(self, day: Day, lesson: Lesson) -> None:
        if not self.OPENS <= lesson.start < lesson.end <= self.CLOSES:
            raise ValueError(f"{lesson} is outside of opening hours")
        if any(lesson.overlaps(other) for other in self.days[day]):
            raise ValueError(f"{lesson} clashes on {day.name}")
        self.days[day] = sorted(self.days[day] + [lesson])
        self.minutes[lesson.subject] = (
            self.minutes.get(lesson.subject, 0) + lesson.end - lesson.start
        )

    def cancel(self, day: Day, start: int) -> None:
        for i, lesson in enumerate(self.days[day]):
            if lesson.start == start:
                del self.days[day][i]
                break
        else:
            raise KeyError(start)
        self.minutes[lesson.subject] -= lesson.end - lesson.start
        if self.minutes[lesson.subject] == 0:
            del self.minutes[lesson.subject]

    def swap_days(self, a: Day, b: Day) -> None:
        self.days[a], self.days[b] = self.days[b], self.days[a]

    def rep_ok(self) -> bool:
        if set(self.days) != set(Day):
            return False
        for lessons in self.days.values():
            if lessons != sorted(lessons):
                return False
            if any(x.overlaps(y) for x, y in combinations(lessons, 2)):
                return False
            if not all(self.OPENS <= x.start < x.end <= self.CLOSES for x in lessons):
                return False
        every = [lesson for lessons in self.days.values() for lesson in lessons]
        return self.minutes == {
            subject: sum(x.end - x.start for x in every if x.subject == subject)
            for subject in {x.subject for x in every}
        }


class StateMachine:
    """Finite state machine with a log of the states it went through."""

    def __init__(self, initial: str = "idle") -> None:
        self.initial: str = initial
        self.state: str = initial
        self.states: set[str] = {initial}
        self.transitions: dict[tuple[str, str], str] = {}
        self.trace: list[tuple[str, str]] = []

    def add_state(self, name: str) -> None:
        self.states.add(name)

    def add_transition(self, source: str, event: str, target: str) -> None:
        if not {source, target} <= self.states:
            raise ValueError(f"unknown state in {source} -{event}-> {target}")
        if self.transitions.setdefault((source, event), target) != target:
            raise ValueError(f"{source} already reacts to {event}")

    def fire(self, event: str) -> str:
        try:
            target = self.transitions[self.state, event]
        except KeyError:
            raise ValueError(f"no transition for {event!r} from {self.state!r}") from None
        self.trace.append((event, target))
        self.state = target
        return target

    def reset(self) -> None:
        self.state = self.initial
        self.trace.clear()

    def rep_ok(self) -> bool:
        mentioned = {self.initial, self.state}
        mentioned.update(self.transitions.values())
        mentioned.update(source for source, _ in self.transitions)
        if not mentioned.issubset(self.states):
            return False
        state = self.initial
        for event, target in self.trace:
            if self.transitions.get((state, event)) != target:
                return False
            state = target
        return state == self.state
