"""Builders as data: what was chosen, what was ruled out and why, and how sure that is; to JSON and back."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from unlike.errors import SavedFileError
from unlike.saved import JsonObject

KIND, VERSION = "unlike builders", 2  # 1: proved for arguments that were read without their rules
LACKING = "the builders do not reach"  # how a reason begins that is no doubt but a fact


@dataclass(frozen=True, slots=True)
class Builder:
    """An operation that was kept, and what is lost without it."""

    name: str
    call: str  # with its parameters and their values
    complexity: int
    lost: int | None = None  # how many states the other builders do not reach
    such_as: str = ""  # a sequence that makes one of them


@dataclass(frozen=True, slots=True)
class Observer:
    """An operation that was never seen to change an argument or to return an object."""

    name: str
    calls: int
    returned: int

    @property
    def evidence(self) -> str:
        """What was tried, in words."""
        raised = f", raised {self.calls - self.returned} times" if self.calls > self.returned else ""
        return (
            f"called {self.calls:,} times on explored states, returned {self.returned:,} times{raised}: "
            "never changed an argument, never returned an object"
        )


@dataclass(frozen=True, slots=True)
class Replaced:
    """An operation that was not kept: all objects of the target class it leads to, the builders in `by` make, too.

    `missing` counts the objects it leads to that the builders do not make: none, if they are sufficient.
    """

    name: str
    by: tuple[str, ...]
    missing: int
    evidence: str

    @property
    def words(self) -> str:
        """What stands for it."""
        if self.missing:
            return f"leads to {self.missing:,} objects that the builders do not make"
        return f"replaced by {', '.join(self.by)}" if self.by else "leads to no other state of the target class"


@dataclass(frozen=True, slots=True)
class Failing:
    """An operation that never returned."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reached:
    """A number for the whole API and for the builders alone."""

    api: int
    builders: int

    def __str__(self) -> str:
        return f"{self.builders:,} with the builders, {self.api:,} with the whole API"


@dataclass(frozen=True, slots=True)
class Builders:
    """The few operations that build everything within the bounds.

    `proved` says that exploring with the builders alone reached the same states of the target class as the whole API;
    `minimal` that none can be dropped or replaced by a simpler one. Without a proof the set is an estimate, and
    `reason` says why.
    """

    target: str
    bounds: JsonObject
    code: str  # stands for the source the answer is about
    search: str  # "exact" or "genetic": the one that gave the answer
    seed: int
    proved: bool
    minimal: bool
    cut_short: bool  # the whole API could not be explored
    reason: str
    builders: tuple[Builder, ...]
    observers: tuple[Observer, ...]
    replaced: tuple[Replaced, ...]
    failing: tuple[Failing, ...]
    refused: tuple[str, ...]
    states: Reached
    field_values: Reached
    calls: int  # made to find all states
    notes: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The builders by name, in the order of the API."""
        return tuple(each.name for each in self.builders)

    @property
    def certainty(self) -> str:
        """How sure the answer is, in words."""
        if not self.proved:
            return f"{'not sufficient' if self.reason.startswith(LACKING) else 'estimated'}: {self.reason}"
        minimal = "minimal: none can be dropped, none replaced by a simpler one" if self.minimal else "not minimal"
        return f"sufficient (proved: {self.states.builders:,} of {self.states.api:,} states reached again), {minimal}"


def to_data(found: Builders) -> JsonObject:
    """Return the answer as JSON data."""
    data = asdict(found)
    first = ("target", "bounds", "code", "search", "seed", "proved", "minimal")
    rest = [name for name in data if name not in (*first, "cut_short", "reason")]
    return {
        "kind": KIND,
        "version": VERSION,
        **{name: data[name] for name in first},
        "certainty": found.certainty,
        **{name: data[name] for name in rest},
    }


@dataclass(frozen=True, slots=True)
class Saved:
    """What exploration needs to know of builders that were saved: their names, and what was proved of them where."""

    target: str
    names: tuple[str, ...]
    proved: bool
    bounds: JsonObject
    code: str


def saved_of(found: Builders) -> Saved:
    """Return what would be read back from a file."""
    return Saved(found.target, found.names, found.proved, found.bounds, found.code)


def from_data(data: object, place: str) -> Saved:
    """Return saved builders, also those within an answer, or refuse what is not a file of builders."""
    if isinstance(data, dict) and data.get("unlike") == "answer":
        data = data.get("cases")
    if not isinstance(data, dict) or data.get("kind", data.get("format")) != KIND:
        raise SavedFileError(
            f"{place!r} is no file of builders; write one with unlike builders … --format json -o FILE"
        )
    if data.get("version") != VERSION:
        raise SavedFileError(
            f"{place!r} has version {data.get('version')!r}; this is version {VERSION}: write it again"
        )
    try:
        names = tuple(str(each["name"]) for each in data["builders"])
        return Saved(str(data["target"]), names, data["proved"] is True, dict(data["bounds"]), str(data["code"]))
    except (KeyError, TypeError, ValueError) as error:
        raise SavedFileError(f"{place!r} cannot be read as builders: {type(error).__name__}: {error}") from None


def text_of(found: Builders, *, explain: bool = False) -> str:
    """Return the answer for people."""
    count = len(found.builders)
    lines = [f"{count} builder{'s' if count != 1 else ''} of {found.target} ({found.search} search):"]
    lines += [f"  {each.call}" for each in found.builders]
    lines.append(found.certainty)
    lines.append(f"states: {found.states}; field values: {found.field_values}")
    lines += [f"note: {each}" for each in found.notes]
    lines += _explain(found) if explain else _name_others(found)
    lines += [f"never returned: {each.name}: {each.reason}" for each in found.failing]
    lines += [f"cannot be called: {each}" for each in found.refused]
    return "\n".join([*lines, *(f"error: {each}" for each in found.errors)])


def _name_others(found: Builders) -> list[str]:
    lines = [f"observers: {', '.join(each.name for each in found.observers)}"] if found.observers else []
    alike: dict[str, list[str]] = {}
    for each in found.replaced:
        alike.setdefault(each.words, []).append(each.name)
    return lines + [f"{words}: {', '.join(names)}" for words, names in alike.items()]


def _explain(found: Builders) -> list[str]:
    lines = [f"{found.calls:,} calls were made to find all states"]
    lines += [
        f"kept: {each.name}: without it {each.lost:,} states are lost, such as {each.such_as}"
        for each in found.builders
        if each.lost
    ]
    lines += [f"observer: {each.name}: {each.evidence}" for each in found.observers]
    return lines + [f"not kept: {each.name}: {each.words}; {each.evidence}" for each in found.replaced]
