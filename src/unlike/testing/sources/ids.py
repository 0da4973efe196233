"""What an input is called: a short, readable, stable id, and Python source to copy."""

from __future__ import annotations

import re
from collections.abc import Sequence

from unlike.errors import RecipeError
from unlike.testing.sources.base import Input, digest

LONGEST = 48


class Digest(str):
    """A word that only tells apart, and is left out of an id that has a label."""

    __slots__ = ()


def short_id(one: Input, names: Sequence[str], label: str = "") -> str:
    """Return a readable id: the values, joined; shortened ones end in a digest so that they stay apart."""
    words = [one.word(name) for name in names]
    told = [_word(word) for word in words if not (label and isinstance(word, Digest))]
    title = re.sub(r"_+", "_", _safe(label)).strip("_")  # "Pile(); put(0)" is Pile_put_0
    whole = "-".join([title, *told] if title else told or [str(word) for word in words])
    if len(whole) <= LONGEST:
        return whole
    return f"{whole[: LONGEST - 9]}~{digest([repr(word) for word in words])}"


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
    """Return the text in characters that every shell, report and node id can show."""
    return re.sub(r"[^A-Za-z0-9_.:+@%=,/~-]", "_", text.replace("::", ":_")) or "_"


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
