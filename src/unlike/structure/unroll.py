"""From shapes that name each other to one finite shape.

A reference may be entered again so many times (the depth). Beyond, whatever leads into it is left out: the
alternative, the optional field, the items. What cannot be left out has no finite value, and is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unlike.errors import SpecError
from unlike.structure import shapes

DEPTH = 2  # times that a type is entered again inside itself: a tree of two levels shows every choice of it
MOST_SHAPES = 4_000  # places of a shape; a cover looks at each of them, and at pairs of their choices
REACH = 8  # of a shape that is too large, what is nested more deeply than this is left out first


class EndlessError(SpecError):
    """A shape without any finite value."""


class _RoundError(Exception):
    """No finite value: every way leads back to a reference that was entered too often."""

    def __init__(self, path: shapes.Path, name: str) -> None:
        super().__init__(path, name)
        self.path = path
        self.name = name


def unroll(
    shape: shapes.Shape,
    definitions: Mapping[str, shapes.Shape],
    depth: int = DEPTH,
    *,
    left_out: list[tuple[str, str]] | None = None,
) -> shapes.Shape:
    """Return the shape without references; fewer levels than asked if the shape would grow too large.

    If it is too large even so, what is nested deeply and need not be there is left out, and noted; it is refused if
    there is nowhere to note it.
    """
    tries: list[tuple[int, int | None]] = [(levels, None) for levels in range(depth, -1, -1)]
    if left_out is not None:
        tries += [(0, reach) for reach in range(REACH, 0, -1)]
    for levels, reach in tries:
        unrolling = _Unrolling(definitions, levels, reach)
        try:
            found = unrolling.expand(shape, (), {})
        except _TooManyError:
            continue
        except _RoundError as endless:
            if levels or reach is not None:
                continue  # the shortest way round makes the clearest message
            raise EndlessError(
                f"{shapes.shown_path(endless.path)}: {endless.name} contains itself without a way to end; "
                "make the field optional, or add an alternative (None, an empty list) that ends it"
            ) from None
        if left_out is not None:
            left_out += unrolling.left_out
        return found
    raise SpecError(f"the type has more than {MOST_SHAPES:,} places even without recursion; take a part of it")


class _TooManyError(Exception):
    pass


class _Unrolling:
    def __init__(self, definitions: Mapping[str, shapes.Shape], depth: int, reach: int | None) -> None:
        self.definitions = definitions
        self.depth = depth
        self.reach = reach
        self.made = 0
        self.left_out: list[tuple[str, str]] = []

    def is_far(self, path: shapes.Path) -> bool:
        """Tell whether what need not be there is left out at a place."""
        return self.reach is not None and len(path) >= self.reach

    def leave_out(self, path: shapes.Path) -> None:
        self.left_out.append((shapes.shown_path(path), f"the whole would have more than {MOST_SHAPES:,} places"))

    def expand(self, shape: shapes.Shape, path: shapes.Path, entered: Mapping[str, int]) -> shapes.Shape:
        self.made += 1
        if self.made > MOST_SHAPES:
            raise _TooManyError
        match shape:
            case shapes.Reference(name):
                times = entered.get(name, 0)
                if times > self.depth:
                    raise _RoundError(path, name)
                return self.expand(self.definitions[name], path, {**entered, name: times + 1})
            case shapes.Checked(inner):
                return replace(shape, inner=self.expand(inner, path, entered))
            case shapes.Choice():
                return self.choice(shape, path, entered)
            case shapes.NamedFields():
                return self.fields(shape, path, entered)
            case shapes.ItemsShape(least=0) if self.is_far(path):
                self.leave_out((*path, shapes.EACH))
                return replace(shape, item=shapes.NamedFields(()), most=0, stated=())
            case shapes.ItemsShape(item, least):
                try:
                    return replace(shape, item=self.expand(item, (*path, shapes.EACH), entered))
                except _RoundError:
                    if least:
                        raise
                    return replace(shape, item=shapes.NamedFields(()), most=0, stated=())
            case _:
                return shape

    def choice(self, shape: shapes.Choice, path: shapes.Path, entered: Mapping[str, int]) -> shapes.Shape:
        kept: list[tuple[str, shapes.Shape]] = []
        reason: _RoundError | None = None
        for word, inner in shape.alternatives:
            try:
                kept.append((word, self.expand(inner, path, entered)))
            except _RoundError as endless:
                reason = endless
            if kept and self.is_far(path):
                self.leave_out(path)
                break
        if not kept:
            assert reason is not None
            raise reason
        return shapes.Choice(tuple(kept), whole=shape.whole and len(kept) == len(shape.alternatives))

    def fields(self, shape: shapes.NamedFields, path: shapes.Path, entered: Mapping[str, int]) -> shapes.Shape:
        kept: list[shapes.Field] = []
        for each in shape.fields:
            if not each.required and self.is_far(path) and _is_enough(shape, kept, each):
                self.leave_out((*path, each.name))
                continue
            try:
                kept.append(replace(each, shape=self.expand(each.shape, (*path, each.name), entered)))
            except _RoundError:
                if each.required or not _is_enough(shape, kept, each):
                    raise
        there = {each.name for each in kept}
        names = [tuple(name for name in each.names if name in there) for each in shape.counted]
        counted = tuple(replace(each, names=left) for each, left in zip(shape.counted, names, strict=True))
        whole = shape.whole and len(kept) == len(shape.fields)
        return replace(shape, fields=tuple(kept), counted=counted, whole=whole)


def _is_enough(shape: shapes.NamedFields, kept: list[shapes.Field], gone: shapes.Field) -> bool:
    """Tell whether the fields that are kept, or come after one that is left out, can be as many as is asked for."""
    later = shape.fields[shape.fields.index(gone) + 1 :]
    there = {each.name for each in (*kept, *later)}
    spread = {each.name for each in (*kept, *later) if each.key == shapes.SPREAD}
    return all(spread & set(each.names) or len(there & set(each.names)) >= each.least for each in shape.counted)
