"""The invariant of an exploration: from the name of a method, or a function, to whether an object is sound.

An answer of None means that nothing is wrong, as with methods that raise when something is.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from unlike.errors import TargetError
from unlike.recipe import Name, import_name, name_of


@dataclass(frozen=True, slots=True)
class Soundness:
    """What tells whether objects of some classes are sound: a method of theirs, or a function beside them."""

    name: str
    function: Callable[[Any], object] | None = None  # of a method the name says all
    classes: tuple[type, ...] = ()  # whose objects a function is asked about

    def applies_to(self, thing: object) -> bool:
        """Tell whether it can be asked about an object."""
        return isinstance(thing, self.classes) if self.function is not None else hasattr(type(thing), self.name)

    def holds_for(self, thing: Any) -> bool:
        """Ask; whatever it raises says that it is broken, and is raised."""
        said = getattr(thing, self.name)() if self.function is None else self.function(thing)
        return said is None or bool(said)

    def is_kept_by(self, thing: object) -> bool:
        """Tell whether an object is sound as far as can be asked."""
        return not self.applies_to(thing) or self.holds_for(thing)

    def write_question(self, thing: Any) -> tuple[str, set[str]]:
        """Return the line of a test that asks about x, an object like this one, and what has to be imported for it."""
        if self.function is None:
            return (f"x.{self.name}()" if getattr(thing, self.name)() is None else f"assert x.{self.name}()"), set()
        named = name_of(self.function)
        first = named.qualname.partition(".")[0]
        asked = f"{named.qualname}(x)"
        line = asked if self.function(thing) is None else f"assert {asked}"
        return line, {f"from {named.module} import {first}"}

    @property
    def for_walker(self) -> object:
        """The same for the compiled walk: the name of a method, or a function that is asked about every object."""
        return self.name if self.function is None else self.is_kept_by


def soundness_of(invariant: str | Callable[[Any], object] | None, classes: tuple[type, ...]) -> Soundness | None:
    """Return what an invariant asks of objects of these classes; refuse one that none of them has."""
    if invariant is None:
        return None
    if callable(invariant):
        return Soundness(getattr(invariant, "__name__", "the invariant"), invariant, classes)
    if ":" in invariant:
        return Soundness(invariant.partition(":")[2], _import_function(invariant), classes)
    if not any(hasattr(cls, invariant) for cls in classes):
        raise TargetError(
            f"no class explored has a method {invariant!r} that could be the invariant; name one, or a function that "
            "takes the object: MODULE:FUNCTION"
        )
    return Soundness(invariant)


def methods_left_out(invariant: object) -> tuple[str, ...]:
    """Return the methods that are not called while exploring, because they are the invariant."""
    return (invariant,) if isinstance(invariant, str) and ":" not in invariant else ()


@functools.lru_cache(maxsize=16)
def _import_function(text: str) -> Callable[[Any], object]:
    module, _, qualname = text.partition(":")
    found = import_name(Name(module, qualname))
    if not callable(found):
        raise TargetError(f"invariant {text!r} is no function of the object, but {found!r}")
    return found
