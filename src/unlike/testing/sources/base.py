"""What every source of inputs is: it generates rows of JSON data, decodes them again, and checks what it decoded.

An input is called by a short, readable, stable id, and shown as Python source to copy.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from unlike.errors import RecipeError, SavedFileError
from unlike.recipe import Call, Items, Method, Name, Recipe, Ref, Step
from unlike.saved import Json

if TYPE_CHECKING:
    from unlike.testing.sources.chosen import ChosenSource
    from unlike.testing.sources.spec import SpecInput, SpecSource
    from unlike.testing.sources.suites import CaseInput, InputPair, SideBySide, SuiteSource

Data: TypeAlias = dict[str, Json]
Input: TypeAlias = "SpecInput | CaseInput | InputPair"  # decoded: builds a fresh object for each of its parameters
RowSource: TypeAlias = (
    "SpecSource | SuiteSource | SideBySide | ChosenSource"  # generates rows, decodes saved ones, and checks them
)
LONGEST = 56  # characters of an id: a line of `pytest -v` holds them


@dataclass(frozen=True, slots=True)
class Row:
    """One generated input as data, the choices that the difference made in it, and what it stands for."""

    input: Data
    choices: Mapping[str, int]
    label: str = ""


def digest(data: Json) -> str:
    """Return eight hexadecimal digits that stand for the data."""
    return hashlib.blake2b(json.dumps(data).encode(), digest_size=4).hexdigest()


def check_names(data: Data, names: Sequence[str]) -> None:
    """Refuse an input that has other parameters than the test."""
    if sorted(data) != sorted(names):
        raise SavedFileError(f"it has the parameters {sorted(data)}, but the test has {sorted(names)}")


# -- what an input is called ---------------------------------------------------------------------------


class Nameless(str):
    """What an object is made of: left out of an id that has a label."""

    __slots__ = ()


def short_id(one: Input, names: Sequence[str], label: str = "") -> str:
    """Return a readable id: what the input stands for, then its values; cut where it is too long."""
    words = [one.word(name) for name in names]
    told = [_word(word) for word in words if not (label and isinstance(word, Nameless))]
    title = re.sub(r"_+", "_", _safe(label)).strip("_") if label else ""  # "Pile(); put(0)" is Pile_put_0
    whole = "-".join([title, *told] if title else told)
    if len(whole) <= LONGEST:
        return whole
    words_that_fit = re.match(rf".{{{LONGEST // 2},{LONGEST}}}(?=[,-])", whole)  # better than half a word
    return words_that_fit[0] if words_that_fit else whole[:LONGEST].rstrip("_,-+.:=")


def choices_in_short(label: str, plain: Collection[str]) -> str:
    """Return a label of choices as it stands in an id: "room.size: 'small'; room.beds: 1" is "size=small,beds=1".

    Of a plain parameter, whose value stands in the id, nothing is said.
    """
    parts = [part.partition(": ") for part in label.split("; ")] if label else []
    kept = {
        place.replace("[]", ".item"): words.replace("'", "").replace(", ", "+")
        for place, _, words in parts
        if place not in plain
    }
    return ",".join(f"{_shortest(place, kept)}={words}" for place, words in kept.items())


def _shortest(place: str, places: Collection[str]) -> str:
    """Return the end of a dotted place that no other place ends in."""
    words = place.split(".")
    ends = [".".join(words[i:]) for i in reversed(range(len(words)))]
    return next((end for end in ends if sum(f".{each}".endswith(f".{end}") for each in places) == 1), place)


def words_of_recipe(recipe: Recipe) -> str:
    """Return the plain values that an object is made of, or the class of one that is made of nothing."""
    return ",".join(_words_of_part(recipe.result, recipe.steps))


def _words_of_part(part: object, steps: Sequence[Step]) -> Iterator[str]:
    match part:
        case Ref(step):
            yield from _words_of_step(steps[step], steps)
        case Items(_, items):
            yield from (word for each in items for word in _words_of_part(each, steps)) if items else ("none",)
        case Name(_, qualname):
            yield _word(qualname.rpartition(".")[2])
        case _:
            yield _word(part)


def _words_of_step(step: Step, steps: Sequence[Step]) -> Iterator[str]:
    match step:
        case Call(_, args, kwargs) | Method(_, _, args, kwargs) if args or kwargs:
            for each in (*args, *(value for _, value in kwargs)):
                yield from _words_of_part(each, steps)
        case Call(Name(_, name)) | Method(_, name):
            yield _word(name)
        case _:
            yield "made"


def _word(value: object) -> str:
    match value:
        case str():
            return _safe(value) if value else "empty"
        case None:
            return "None"
        case dict():
            return ",".join(_word(each) for each in value.values()) if value else "none"
        case tuple() | list():
            return "+".join(map(_word, value)) if value else "none"
    named = getattr(value, "name", None) or getattr(value, "key", None)
    return _safe(named if isinstance(named, str) else str(value))


def _safe(text: str) -> str:
    """Return the text in characters that every shell, report and node id can show; signs alone by their names."""
    if not re.search(r"[A-Za-z0-9]", text):
        names = [unicodedata.name(each, f"U+{ord(each):04X}") for each in text[:LONGEST]]
        return re.sub(r"[^A-Za-z0-9+.]", "_", ".".join(names)).lower()
    return re.sub(r"[^A-Za-z0-9_.:+@%=,/~-]", "_", text.replace("::", ":_"))


def source_text(one: Input, names: Sequence[str]) -> str:
    """Return an input as Python source to copy: imports, then an assignment for each parameter."""
    from unlike.writers import python_source  # a run in which nothing fails never comes here

    imports: set[str] = set()
    lines: list[str] = []
    for name in names:
        recipe = one.recipe(name)
        try:
            source = python_source.source_of(recipe, variable=f"{name}_")
        except RecipeError:  # no literal form: show what there is
            lines.append(f"{name} = {one.build(name)!r}")
            continue
        imports |= source.imports
        lines += [*source.lines, f"{name} = {source.result}"]
    return "\n".join([*sorted(imports), *lines])
