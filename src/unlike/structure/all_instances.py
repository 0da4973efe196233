"""What a suite of all inputs still lacks where data are described elsewhere.

A shape of such data says what to make of a description, not all that it allows. If the description has few values, it
lists them itself, and those that the shape did not give are added; if not, the places without an end are told.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from unlike.core import FOREVER, Deadline
from unlike.structure import shapes
from unlike.structure.building import RefusedError, build_object
from unlike.structure.cover.leaves import show_constant
from unlike.structure.cover.outcome import AcceptedInput, CoverOutcome
from unlike.structure.cover.runner import MOST
from unlike.structure.cover.targets import describe_input
from unlike.structure.cover.tree import EmptyShapeError, compile_shape, count, members


@dataclass(slots=True)
class ListedShape:
    """A shape whose described parts are listed: its places without an end, and whether others have too many values."""

    shape: shapes.Shape
    open: list[tuple[str, str]] = field(default_factory=list)
    too_many: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the shape gives all values there are."""
        return not self.open and not self.too_many


def is_described(shape: shapes.Shape) -> bool:
    """Tell whether data that are described elsewhere stand in a shape."""
    return any(isinstance(each, shapes.Judged) for each in shapes.every(shape))


def list_described(shape: shapes.Shape, most: int = MOST, deadline: Deadline = FOREVER) -> ListedShape:
    """Return the shape with all values of its described parts, where they are few; perhaps out of time."""
    found = ListedShape(shape)
    found.shape = _list_parts(shape, (), found, most, deadline)
    with contextlib.suppress(EmptyShapeError):
        found.too_many |= count(compile_shape(found.shape, "each").root) > most
    return found


def _list_parts(
    shape: shapes.Shape, path: shapes.Path, found: ListedShape, most: int, deadline: Deadline
) -> shapes.Shape:
    match shape:
        case shapes.Judged(by=by):
            whole = by.whole(most, deadline)
            found.open += [(shapes.shown_path((*path, *place)), why) for place, why in whole.open]
            found.too_many |= whole.values is None and not whole.open
            if whole.values is None:
                return shape
            values = shapes.Constants(tuple(map(shapes.Bare, whole.values)), paired=False)
            return replace(shape, inner=values, checks=tuple(each for each in shape.checks if not each.again))
        case shapes.Checked(inner):
            return replace(shape, inner=_list_parts(inner, path, found, most, deadline))
        case shapes.ItemsShape(item):
            return replace(shape, item=_list_parts(item, (*path, shapes.EACH), found, most, deadline))
        case shapes.Choice(alternatives):
            return shapes.Choice(
                tuple((word, _list_parts(inner, path, found, most, deadline)) for word, inner in alternatives)
            )
        case shapes.NamedFields(fields):
            kept = [
                replace(each, shape=_list_parts(each.shape, (*path, each.name), found, most, deadline))
                for each in fields
            ]
            return replace(shape, fields=tuple(kept))
    return shape


def lacking(outcome: CoverOutcome, whole: shapes.Shape) -> Iterator[tuple[object, str]]:
    """Yield every input of the whole that the outcome lacks, with a label; it is a plain value of the same shape."""
    try:
        tree = compile_shape(whole, "each")
    except EmptyShapeError:  # assertions leave none of them
        return
    seen = {shapes.freeze_plain(outcome.tree.shape, row.plain) for row in outcome.rows}
    for plain in members(tree.root):
        key = shapes.freeze_plain(whole, plain)
        if key in seen:
            continue
        seen.add(key)
        try:
            build_object(whole, plain)
        except RefusedError:
            continue
        yield plain, "; ".join(f"{shapes.shown_path(path)}: {word}" for path, word in _words(whole, plain, ()))


def _words(shape: shapes.Shape, plain: object, path: shapes.Path) -> Iterator[tuple[shapes.Path, str]]:
    """Yield what stands at each place of a plain value, in words."""
    match shape, plain:
        case shapes.Checked(inner), _:
            yield from _words(inner, plain, path)
        case shapes.Choice(alternatives), shapes.Picked(which, inside):
            yield from _words(alternatives[which][1], inside, path)
        case shapes.NamedFields(fields), dict():
            for each in fields:
                if each.name in plain:
                    yield from _words(each.shape, plain[each.name], (*path, each.name))
                else:
                    yield (*path, each.name), "absent"
        case shapes.ItemsShape(item), tuple():
            for each in plain:
                yield from _words(item, each, (*path, shapes.EACH))
        case _:
            yield path, show_constant(plain)


def join_lacking(outcome: CoverOutcome, whole: shapes.Shape, n: int) -> tuple[list[AcceptedInput], list[str]]:
    """Return the inputs of the outcome, and up to n with those that it lacks, each with what it shows."""
    rows = list(outcome.rows)
    labels = [describe_input(outcome.tree, row.views) for row in rows]
    for plain, label in itertools.islice(lacking(outcome, whole), max(0, n - len(rows))):
        rows.append(AcceptedInput(plain, []))
        labels.append(label)
    return rows, labels
