"""What a scope keeps out that a branch needs: as the flags that would let it in.

if role == "admin": …              --literals role=a,b,c,admin
if len(self.items) > 10: …         --elements 11
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from unlike.classes.api import Api
from unlike.classes.parameters import Parameter
from unlike.observe.needs import NeededValue, NeedsReader
from unlike.observe.run import Spot
from unlike.scope import Scope

LISTED = 12  # values of a pool that are written again beside a new one: more are not read
LONGEST = 80  # letters of a text that is made for its length
UNQUOTED = frozenset('"$`\\!')  # what means something else between double quotes
PLAIN = (bool, int, float, str, bytes, type(None))


@dataclass(frozen=True, slots=True)
class ScopeRemedies:
    """Which flags may lead to a branch that nobody took."""

    reader: NeedsReader
    api: Api
    scope: Scope

    def remedy(self, spot: Spot, outcome: bool) -> str:
        """Return the flags in words; nothing where the scope is not known to keep out what is needed."""
        elements, values = 0, dict[str, tuple[Parameter, list[object]]]()
        for need in self.reader.needs_of(spot, outcome):
            texts = self._parameters(need, str) if need.is_length else []
            if need.is_length and not texts:
                elements = max(elements, int(str(need.value)))
                continue
            value = "a" * min(int(str(need.value)), LONGEST) if need.is_length else need.value
            parameters = texts or self._parameters(need, type(value))
            if parameters and not any(_is_among(value, each.pool.literals) for each in parameters):
                values.setdefault(parameters[0].name, (parameters[0], []))[1].append(value)
        flags = [_flag(parameter, more) for parameter, more in values.values()]
        flags += [f"--elements {elements}"] if elements > self.scope.most_elements else []
        return f"kept out by the scope: add {' '.join(flags)}" if flags else ""

    def _parameters(self, need: NeededValue, kind: type) -> list[Parameter]:
        """Return the parameters that the value may be passed for: by their names, else the only one of its type."""
        every = [each for operation in self.api.operations for each in operation.parameters if not each.whole]
        fit = [each for each in every if any(type(value) is kind for value in each.pool.literals)]
        named = [each for name in need.names for each in fit if each.name == name]
        return named or (fit if len({each.name for each in fit}) == 1 and not need.is_length else [])


def _is_among(value: object, known: Sequence[object]) -> bool:
    return any(type(each) is type(value) and each == value for each in known)


def _flag(parameter: Parameter, more: Sequence[object]) -> str:
    """Return the flag that passes some more values."""
    known = parameter.pool.literals
    kept = known if len(known) <= LISTED and all(type(each) in PLAIN for each in known) else ()
    values = (*kept, *more)
    if all(isinstance(each, str) and each.isalpha() and each.isascii() for each in values) and len(values) > 1:
        words = ",".join(map(str, values))  # texts without quotes, as the command line reads them
    else:
        words = ",".join(map(repr, values))
    given = f"{parameter.name}={words}"
    safe = shlex.quote(given)
    return f"--literals {safe if safe == given or set(given) & UNQUOTED else chr(34) + given + chr(34)}"
