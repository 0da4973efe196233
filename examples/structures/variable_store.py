"""The variables of a SAT solver: which exist, what they are set to, since which guess and why, and who watches them.

Variables are numbered from 1; place 0 of every list is never used. A variable that does not exist, or that has no
value, leaves no trace in the lists.
"""

from __future__ import annotations


class VariableStore:
    """A pool of variables and what the search knows about each."""

    pool: list[bool]
    value: list[bool | None]
    level: list[int]
    reason: list[bool]
    watched: list[bool]

    def __init__(self) -> None:
        self.pool = [False]
        self.value = [None]
        self.level = [0]
        self.reason = [False]
        self.watched = [False]

    # the pool

    def get_from_pool(self, variable: int) -> int:
        """Make sure that the variable exists and return its literal, twice its number."""
        if variable < 1:
            raise ValueError(f"variable {variable!r} is below 1")
        while self.highest_variable() < variable:
            self._append()
        self.pool[variable] = True
        return 2 * variable

    def ensure_pool(self, count: int) -> None:
        """Make sure that the variables from 1 to count exist."""
        if count < 0:
            raise ValueError(f"count {count!r} is below 0")
        for variable in range(1, count + 1):
            self.get_from_pool(variable)

    def next_free_variable(self) -> int:
        """Return the smallest variable that does not exist yet."""
        return next(v for v in range(1, self.highest_variable() + 2) if not self.belongs_to_pool(v))

    def forget(self, variable: int) -> None:
        """Remove a variable and all that is known about it."""
        self._check(variable)
        self.unassign(variable)
        self.watched[variable] = False
        self.pool[variable] = False

    def reset_pool(self) -> None:
        """Keep the variables, but nothing that is known about them."""
        for variable in self.variables():
            self.unassign(variable)
            self.watched[variable] = False

    def belongs_to_pool(self, variable: int) -> bool:
        return 0 <= variable < len(self.pool) and self.pool[variable]

    def variables(self) -> list[int]:
        return [variable for variable, exists in enumerate(self.pool) if exists]

    def highest_variable(self) -> int:
        """Return the largest variable there ever was."""
        return len(self.pool) - 1

    def __len__(self) -> int:
        return len(self.variables())

    # values

    def satisfy(self, variable: int) -> None:
        self._assign(variable, value=True)

    def falsify(self, variable: int) -> None:
        self._assign(variable, value=False)

    def unassign(self, variable: int) -> None:
        self._check(variable)
        self.value[variable] = None
        self.level[variable] = 0
        self.reason[variable] = False

    def is_satisfied(self, variable: int) -> bool:
        return self._value(variable) is True

    def is_falsified(self, variable: int) -> bool:
        return self._value(variable) is False

    def is_unassigned(self, variable: int) -> bool:
        return self._value(variable) is None

    def value_to_string(self, variable: int) -> str:
        return {True: "T", False: "F", None: "U"}[self._value(variable)]

    # guesses and reasons

    def set_level(self, variable: int, level: int) -> None:
        """Note with which guess the variable got its value; level 0 is before the first."""
        if level < 0:
            raise ValueError(f"level {level!r} is below 0")
        self._check_assigned(variable)
        self.level[variable] = level

    def get_level(self, variable: int) -> int:
        self._check_assigned(variable)
        return self.level[variable]

    def set_reason(self, variable: int) -> None:
        """Note that the value was not guessed but follows from others."""
        self._check_assigned(variable)
        self.reason[variable] = True

    def has_reason(self, variable: int) -> bool:
        self._check_assigned(variable)
        return self.reason[variable]

    def is_implied(self, variable: int) -> bool:
        """Say whether the variable has a value that was not guessed."""
        return self._value(variable) is not None and (self.reason[variable] or self.level[variable] == 0)

    def backtrack(self, level: int) -> None:
        """Take back every value given with a later guess."""
        if level < 0:
            raise ValueError(f"level {level!r} is below 0")
        for variable in self.variables():
            if self.level[variable] > level:
                self.unassign(variable)

    # watchers

    def watch(self, variable: int) -> None:
        self._check(variable)
        self.watched[variable] = True

    def unwatch(self, variable: int) -> None:
        self._check(variable)
        self.watched[variable] = False

    def is_watched(self, variable: int) -> bool:
        self._check(variable)
        return self.watched[variable]

    def rep_ok(self) -> bool:
        """Check that the lists are equally long and say nothing about a variable that is not there or has no value."""
        length = len(self.pool)
        if length < 1 or self.pool[0]:
            return False
        for column in (self.value, self.level, self.reason, self.watched):
            if len(column) != length:
                return False
        for variable in range(length):
            if not self.pool[variable] and (self.value[variable] is not None or self.watched[variable]):
                return False
            if self.value[variable] is None and (self.level[variable] != 0 or self.reason[variable]):
                return False
            if self.level[variable] < 0:
                return False
        return True

    def _append(self) -> None:
        self.pool.append(False)
        self.value.append(None)
        self.level.append(0)
        self.reason.append(False)
        self.watched.append(False)

    def _check(self, variable: int) -> None:
        if not self.belongs_to_pool(variable):
            raise KeyError(variable)

    def _check_assigned(self, variable: int) -> None:
        if self._value(variable) is None:
            raise ValueError(f"variable {variable!r} has no value")

    def _value(self, variable: int) -> bool | None:
        self._check(variable)
        return self.value[variable]

    def _assign(self, variable: int, *, value: bool) -> None:
        self._check(variable)
        self.value[variable] = value


class BuggyVariableStore(VariableStore):
    """Removes a variable from the pool but keeps its value.

    `rep_ok` fails, and the variable would come back assigned:
    `BuggyVariableStore(); get_from_pool(1); satisfy(1); forget(1)`.
    """

    def forget(self, variable: int) -> None:
        self._check(variable)
        self.watched[variable] = False
        self.pool[variable] = False
