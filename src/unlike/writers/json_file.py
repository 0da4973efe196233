"""From a suite of recipes to one JSON file, and back.

Sequences that begin alike share their beginning: the file holds a tree of steps, each with the step before it, and a
case is the place of its last step. A file is data, never code: it is read step by step, and names resolve only to the
classes that the reader passes.
"""

from __future__ import annotations

import json
import os
from typing import Any

from unlike.classes.public import DUNDERS
from unlike.errors import RecipeError, SavedFileError
from unlike.file_limits import read_json_within
from unlike.indexed import Listed
from unlike.recipe import STANDARD_CONTAINERS, Method, Name, Recipe, Step, Store, names_in, only
from unlike.saved import VERSION, Json, argument_from_data, argument_to_data, step_from_data, step_to_data, write_whole
from unlike.suite import Case, Ending, Status, Suite

FORMAT = "unlike objects"
# values that a literal cannot write, and standard containers
HARMLESS = {Name("builtins", "complex"), Name("builtins", "bytearray"), *STANDARD_CONTAINERS}


def suite_to_text(suite: Suite) -> str:
    """Return the suite as the text of a JSON file, one step or case a line."""
    tree: dict[tuple[int, str], int] = {}
    lines: list[str] = []
    cases: list[str] = []
    for case in suite:
        place = -1
        for step in case.recipe.steps:
            text = json.dumps(step_to_data(step))
            known = tree.get((place, text))
            if known is None:
                known = tree[place, text] = len(lines)
                lines.append(f"[{place}, {text}]")
            place = known
        result = json.dumps(argument_to_data(case.recipe.result))
        cases.append(f"[{place}, {result}, {json.dumps(case.id)}, {json.dumps(case.label)}{_more(case)}]")
    head = {
        "format": FORMAT,
        "version": VERSION,
        "name": suite.name,
        "ending": suite.status.ending.value,
        "detail": suite.status.detail,
        "guarantee": suite.guarantee,
    }
    body = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    body.append('"steps": [\n  ' + ",\n  ".join(lines) + "\n]")
    body.append('"cases": [\n  ' + ",\n  ".join(cases) + "\n]")
    return "{\n" + ",\n".join(body) + "\n}\n"


def _more(case: Case) -> str:
    """Return what a case that was chosen by code says besides: why it is there, and whether its last call returns."""
    if case.legal and not case.why:
        return ""
    return f", {json.dumps({'legal': case.legal, 'why': case.why})}"


def save(suite: Suite, path: str | os.PathLike[str]) -> None:
    """Write the suite to a file, whole or not at all."""
    write_whole(path, suite_to_text(suite))


def load(path: str | os.PathLike[str], *classes: Any) -> Suite:
    """Return the suite saved in the file; its recipes may name the given classes and functions, and nothing else."""
    if not classes:
        raise SavedFileError(f"{os.fspath(path)!r} names classes: pass those it may use, as in load(FILE, Cart)")
    try:
        data = read_json_within(path)
    except FileNotFoundError:
        raise SavedFileError(f"there is no file {os.fspath(path)!r}") from None
    except (OSError, ValueError) as error:
        raise SavedFileError(f"{os.fspath(path)!r} cannot be read: {error}") from None
    if isinstance(data, dict) and data.get("unlike") == "answer":  # what --format json prints
        data = data.get("cases")
    try:
        return _suite(data, classes)
    except RecipeError as error:
        raise SavedFileError(f"{os.fspath(path)!r}: {error}") from None


def _suite(data: Json, classes: tuple[Any, ...]) -> Suite:
    match data:
        case {"format": str(form), "version": int(version)} if form == FORMAT and version != VERSION:
            raise SavedFileError(f"the file is of version {version!r}, this is version {VERSION}; write it again")
        case {
            "format": str(form),
            "version": int(),
            "name": str(name),
            "ending": str(ending),
            "detail": str(detail),
            "guarantee": str(guarantee),
            "steps": list(steps),
            "cases": list(cases),
        } if form == FORMAT and ending in list(Ending):
            tree = _tree(steps)
            made = [_case(each, tree, classes) for each in cases]
            return Suite(name, Listed(made), Status(Ending(ending), detail), guarantee)
    raise SavedFileError(f"this is not a file of {FORMAT}")


def _tree(steps: list[Json]) -> list[tuple[int, int, Step]]:
    """Return for every step the step before it, its depth and itself."""
    tree: list[tuple[int, int, Step]] = []
    for position, each in enumerate(steps):
        match each:
            case [int(before), step] if -1 <= before < position:
                depth = 0 if before == -1 else tree[before][1] + 1
                decoded = step_from_data(step, depth)
                _check(decoded)
                tree.append((before, depth, decoded))
            case _:
                raise SavedFileError(f"step {position} is not a step with the one before it")
    return tree


def _case(data: Json, tree: list[tuple[int, int, Step]], classes: tuple[Any, ...]) -> Case:
    match data:
        case [int(place), result, str(identity), str(label), *more] if -1 <= place < len(tree):
            legal, why = _read_more(more)
            steps: list[Step] = []
            while place != -1:
                place, _, step = tree[place]
                steps.append(step)
            recipe = Recipe(tuple(reversed(steps)), argument_from_data(result, len(steps)))
            allowed = only(*classes)
            for name in names_in(recipe):
                if name not in HARMLESS:
                    allowed(name)
            return Case(recipe, label, identity, legal, why)
    raise SavedFileError(f"{str(data)[:80]!r} is not a case")


def _read_more(more: list[Json]) -> tuple[bool, str]:
    match more:
        case []:
            return True, ""
        case [{"legal": bool(legal), "why": str(why)}]:
            return legal, why
    raise SavedFileError(f"{str(more)[:80]!r} is nothing that a case says")


def _check(step: Step) -> None:
    """Refuse a step that reaches for what no test would call: private names, and dunders that are no operators."""
    if isinstance(step, Method) and step.name.startswith("_") and step.name not in DUNDERS:
        of_property = step.name in ("__delattr__", "__getattribute__") and len(step.args) == 1
        if not of_property or not isinstance(step.args[0], str) or step.args[0].startswith("_"):
            raise SavedFileError(f"{step.name!r} is private and may not be called by a recipe")
    if isinstance(step, Store) and step.name.startswith("__"):
        raise SavedFileError(f"{step.name!r} belongs to Python and may not be stored by a recipe")
