"""Data that break exactly one rule of a shape.

Each starts from a valid input and is changed in one place. With it comes the shape without that rule, and it leaves
here only if it does not fit the shape, and fits again once the rule is dropped.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from unlike.core import FOREVER, Deadline
from unlike.foreign import foreign
from unlike.recipe import CONTAINERS
from unlike.regex.automaton import Undecided
from unlike.regex.language import Language
from unlike.regex.near_miss import near_misses
from unlike.regex.texts.fullmatch import careful
from unlike.regex.tree import parse
from unlike.structure import shapes
from unlike.structure.building import data
from unlike.structure.validity import fits

MOST_TRIED = 2_000  # members of a shape that are tried for one that breaks a rule and no other
WRONG: tuple[object, ...] = (None, {}, "text", 0, [])  # one of them is of another type
MORE_WRONG: tuple[object, ...] = (
    True,
    "",
    -1.5,
    [None],
    {"key": "value"},
    "None",
    1,
    b"",
    [[]],
    "0",
    {"0": 0},
    2**64,
    "[]",
    " ",
)
FURTHEST = 6  # powers of ten that a number lies beyond its bound
Stated = TypeVar("Stated", shapes.Numbers, shapes.Texts, shapes.ItemsShape)


class ValidRows(list[tuple[int, object]]):
    """Valid plain values, each with the number of its input; `turn` is how often each rule was broken before."""

    def __init__(self, rows: Iterable[tuple[int, object]], turn: int) -> None:
        super().__init__(rows)
        self.turn = turn

    def wrong_values(self) -> tuple[object, ...]:
        """Return values of many types, at each turn others first."""
        every = WRONG if self.turn == 0 else (*WRONG, *MORE_WRONG)
        at = self.turn % len(every)
        return (*every[at:], *every[:at])


@dataclass(frozen=True, slots=True)
class Broken:
    """Data that break one rule: where, which, the data, and the shape without the rule."""

    path: shapes.Path
    rule: str
    data: object
    dropped: shapes.Shape
    row: int = 0

    def __str__(self) -> str:
        return f"{shapes.shown_path(self.path)}: {self.rule}"


def invalid(
    shape: shapes.Shape,
    plains: Iterable[object],
    takes: Callable[[object], bool] | None = None,
    *,
    deadline: Deadline = FOREVER,
) -> Iterator[Broken | Unbroken]:
    """Yield data that break one rule each; the plain values are valid inputs that show every choice.

    Where somebody else has the last word, nothing leaves that it takes; in the end come the rules that it never breaks.
    """
    seen: set[str] = set()
    taken: dict[str, Unbroken] = {}
    for each in deadline.each(_break_rules(shape, ValidRows(enumerate(plains), 0), ())):
        said = str(each)
        if said in seen or fits(shape, each.data) or not fits(each.dropped, each.data):
            continue
        if takes is not None and foreign(takes, each.data):
            taken.setdefault(said, Unbroken(said, each.data))
            continue
        seen.add(said)
        yield each
    yield from (each for said, each in taken.items() if said not in seen)


def invalid_again(
    shape: shapes.Shape, plains: Sequence[object], takes: Callable[[object], bool] | None = None
) -> Iterator[list[Broken]]:
    """Yield data that break the rules once more, each time on other valid inputs and with other wrong values.

    What was found before may come again.
    """
    rows = list(enumerate(plains))
    for turn in range(1, max(len(rows), len(WRONG + MORE_WRONG)) + 1 if rows else 0):
        at = turn % len(rows)
        found: dict[str, Broken] = {}
        for each in _break_rules(shape, ValidRows([*rows[at:], *rows[:at]], turn), ()):
            if str(each) in found or fits(shape, each.data) or not fits(each.dropped, each.data):
                continue
            if takes is None or not foreign(takes, each.data):
                found[str(each)] = each
        yield list(found.values())


@dataclass(frozen=True, slots=True)
class Unbroken:
    """A rule that was to be broken, and data that its class takes all the same."""

    label: str
    data: object


def _break_rules(shape: shapes.Shape, rows: ValidRows, path: shapes.Path) -> Iterator[Broken]:
    if not rows:
        return
    match shape:
        case shapes.Constants(word="anything"):
            return  # samples of what is not described: whatever else there is, is legal, too
        case shapes.Choice(alternatives) if any(getattr(each, "word", "") == "anything" for _, each in alternatives):
            return  # an alternative takes whatever breaks the others
        case shapes.Constants():
            yield from _constants(shape, path, rows)
        case shapes.Numbers():
            yield from _numbers(shape, path, rows)
        case shapes.Texts():
            yield from _texts(shape, rows, path)
        case shapes.Checked():
            yield from _break_checks(shape, rows, path)
        case shapes.Choice():
            yield from _choice(shape, rows, path)
        case shapes.ItemsShape():
            yield from _items(shape, rows, path)
        case shapes.NamedFields():
            yield from _fields(shape, rows, path)
    for value in rows.wrong_values():
        if not fits(shape, value):
            word = "None" if value is None else type(value).__name__
            yield Broken(path, f"wrong type ({word})", value, shapes.Anything(), rows[0][0])
            return


# -- leaves --------------------------------------------------------------------------------------------------------


def _constants(shape: shapes.Constants, path: shapes.Path, rows: ValidRows) -> Iterator[Broken]:
    kinds = {type(each) for each in shape.values}
    if kinds == {int}:
        other: object = max(each for each in shape.values if isinstance(each, int)) + 10**rows.turn
    elif kinds <= {bool, type(None)}:
        return  # whatever is none of these is of another type
    else:
        other, texts = "other" + "x" * rows.turn, {each for each in shape.values if type(each) is str}
        while other in texts:
            other = f"{other}x"
    yield Broken(path, f"none of the {len(shape.values)} values", other, shapes.Anything(), rows[0][0])


def _numbers(shape: shapes.Numbers, path: shapes.Path, rows: ValidRows) -> Iterator[Broken]:
    row, beyond = rows[0][0], shape.step * 10 ** min(rows.turn, FURTHEST)
    tried = [
        ("least", "below the least", shape.low - beyond),
        ("most", "above the most", shape.high + beyond),
        ("multiple", "not a multiple", shape.low + 1 if shape.low + 1 <= shape.high else shape.high - 1),
    ]
    for rule, word, code in tried:
        if rule not in shape.stated:
            continue
        try:
            value = shape.line.value(code)
        except (ValueError, OverflowError):
            continue  # the type itself has no such value
        yield Broken(path, word, value, _drop_rule(shape, rule), row)
    if shape.line.kind == "decimal":
        yield from _digits(shape, path, row)
    if "zone" in shape.stated:
        line = replace(shape.line, zone="UTC" if shape.line.zone is None else None)
        word = "with a time zone" if shape.line.zone is None else "without a time zone"
        yield Broken(path, word, line.value(shape.low), replace(shape, line=line), row)
    if shape.line.version is not None:
        free = replace(shape.line, version=None)
        other = replace(shape.line, version=shape.line.version % 5 + 1).value(shape.low)
        yield Broken(path, "another version", other, replace(shape, line=free), row)


def _digits(shape: shapes.Numbers, path: shapes.Path, row: int) -> Iterator[Broken]:
    """Yield a number with one decimal place too many, and one with one digit too many."""
    if "places" in shape.stated:
        finer = replace(shape.line, places=shape.line.places + 1)
        near = min(max(shape.low, 0), shape.high)  # few digits: only the places are to be wrong
        for code in (near * 10 + 1, near * 10 - 1):
            dropped = _drop_rule(shape, "places")
            yield Broken(path, "too many decimal places", finer.value(code), dropped, row)
    if shape.digits is not None:
        code = 10**shape.digits + 1  # without zeros, which may be left out
        freed = replace(shape, digits=None, low=min(shape.low, -code), high=max(shape.high, code))
        tried = [shape.line.value(code), shape.line.value(-code)]
        if "places" not in shape.stated:
            finer = replace(shape.line, places=shape.digits + 1)
            tried += [finer.value(shape.low // shape.line.unit * finer.unit + 1)]
        for each in tried:
            yield Broken(path, "too many digits", each, freed.at_places(shape.line.places), row)


def _texts(shape: shapes.Texts, rows: ValidRows, path: shapes.Path) -> Iterator[Broken]:
    row = rows[0][0]
    if "shortest" in shape.stated and shape.least > 0:
        yield from _of_length(shape, path, row, "shortest", length=shape.least - 1)
    if "longest" in shape.stated:
        yield from _of_length(shape, path, row, "longest", length=shape.most + 1)
    if "pattern" in shape.stated and shape.pattern is not None:
        dropped = replace(_drop_rule(shape, "pattern"), pattern=None)
        near = near_misses(parse(shape.pattern, shape.flags)).found
        tried = [(f"not matching the pattern ({each.rule})", each.text) for each in near]
        if not any(fits(dropped, _make_text(shape, text)) for _, text in tried):
            tried = [("not matching the pattern", text) for text in _changed_texts(str(rows[0][1]), shape)]
        for rule, text in tried:
            if careful(shape.pattern, shape.flags)(text) is None and fits(dropped, _make_text(shape, text)):
                yield Broken(path, rule, _make_text(shape, text), dropped, row)


def _of_length(shape: shapes.Texts, path: shapes.Path, row: int, rule: str, *, length: int) -> Iterator[Broken]:
    word = {"shortest": "shorter than the shortest", "longest": "longer than the longest"}[rule]
    text: str | None = ("abcdefghijklmnopqrstuvwxyz" * (length // 26 + 1))[:length]
    if shape.pattern is not None:
        text = _matching(shape, length)
    if text is not None:
        yield Broken(path, word, _make_text(shape, text), _drop_rule(shape, rule), row)


def _matching(shape: shapes.Texts, length: int) -> str | None:
    assert shape.pattern is not None
    try:
        return Language(parse(shape.pattern, shape.flags), length, length).first()
    except Undecided:
        return None


def _drop_rule(shape: Stated, rule: str) -> Stated:
    return replace(shape, stated=tuple(each for each in shape.stated if each != rule))


def _make_text(shape: shapes.Texts, text: str) -> object:
    return text.encode() if shape.made == "bytes" else text


def _changed_texts(text: str, shape: shapes.Texts) -> Iterator[str]:
    """Yield texts that differ from a right one in a single place, then any text of a fitting length."""
    for index in reversed(range(len(text))):
        yield f"{text[:index]}{'!' if text[index] != '!' else '?'}{text[index + 1 :]}"
    yield text[:-1]
    yield f"{text}!"
    for length in range(shape.least, shape.most + 1):
        yield "!" * length


# -- what contains others ------------------------------------------------------------------------------------------


def _break_checks(shape: shapes.Checked, rows: ValidRows, path: shapes.Path) -> Iterator[Broken]:
    own = tuple(check for check in shape.checks if not check.again)  # the others fall with the rule they say again
    for each in _break_rules(shape.inner, rows, path):
        if each.path != path or not each.rule.startswith("wrong type"):
            yield replace(each, dropped=shapes.Checked(each.dropped, own) if own else each.dropped)
    for index, check in enumerate(shape.checks):
        if check.again and not check.examples:
            continue
        others = shape.checks[:index] + shape.checks[index + 1 :]
        for value in check.examples or _values(shape.inner):
            if shapes.first_failed((check,), value) is not None and shapes.first_failed(others, value) is None:
                dropped = replace(shape, checks=others) if others else shape.inner
                yield Broken(path, f"refused by {check.name}", value, dropped, rows[0][0])
                break


def _values(shape: shapes.Shape) -> Iterator[object]:
    """Yield data of a shape, checks aside, some of each option."""
    from unlike.structure.cover.tree import EmptyShapeError, compile_shape, members

    try:
        tree = compile_shape(shape, "each")
    except EmptyShapeError:
        return
    for _, plain in zip(range(MOST_TRIED), members(tree.root), strict=False):
        yield data(shape, plain)


def _choice(shape: shapes.Choice, rows: ValidRows, path: shapes.Path) -> Iterator[Broken]:
    for which, (word, inner) in enumerate(shape.alternatives):
        picked = ((row, each) for row, each in rows if isinstance(each, shapes.Picked) and each.which == which)
        for broken in _break_rules(inner, ValidRows(((row, each.plain) for row, each in picked), rows.turn), path):
            if broken.path == path and isinstance(broken.dropped, shapes.Anything):
                continue  # a wrong type is wrong for all alternatives, and comes once
            alternatives = (*shape.alternatives[:which], (word, broken.dropped), *shape.alternatives[which + 1 :])
            yield replace(broken, dropped=shapes.Choice(alternatives))


def _items(shape: shapes.ItemsShape, rows: ValidRows, path: shapes.Path) -> Iterator[Broken]:
    filled: list[tuple[int, tuple[object, ...]]] = [
        (row, plain) for row, plain in rows if isinstance(plain, tuple) and plain
    ]
    by_row = dict(filled)
    firsts = ValidRows(((row, plain[0]) for row, plain in filled), rows.turn)
    for broken in _break_rules(shape.item, firsts, (*path, shapes.EACH)):
        rest = [data(shape.item, each) for each in by_row[broken.row][1:]]
        yield from _collect(shape, [broken.data, *rest], broken)
    if not filled:
        return
    row, plain = max(filled, key=lambda each: len(each[1]))
    items = [data(shape.item, each) for each in plain]
    if "fewest items" in shape.stated and shape.least > 0:
        dropped = _drop_rule(shape, "fewest items")
        fewer = items[: shape.least - 1]
        yield from _collect(shape, fewer, Broken(path, "fewer than the fewest items", None, dropped, row))
    if "most items" in shape.stated:
        dropped = _drop_rule(shape, "most items")
        more = _more(shape, items)
        yield from _collect(shape, more, Broken(path, "more than the most items", None, dropped, row))
    if shape.unique and shape.kind in ("list", "tuple"):
        twice = [items[0], *items[: max(1, min(len(items), shape.most - 1))]]
        dropped = replace(shape, unique=False)
        yield from _collect(shape, twice, Broken(path, "the same item twice", None, dropped, row))


def _more(shape: shapes.ItemsShape, items: list[object]) -> list[object]:
    """Return one item more than there may be; in a set another one."""
    wanted = shape.most + 1
    if not shape.unique:
        return [items[index % len(items)] for index in range(wanted)]
    found: list[object] = list(items)
    keys = [each[0] if shape.kind == "dict" and isinstance(each, tuple) else each for each in found]
    for value in _values(shape.item):
        key = value[0] if shape.kind == "dict" and isinstance(value, tuple) else value
        if len(found) >= wanted:
            break
        if key not in keys:
            keys.append(key)
            found.append(value)
    return found[:wanted]


def _collect(shape: shapes.ItemsShape, items: list[object], broken: Broken) -> Iterator[Broken]:
    """Yield the broken items in their container, if the container can hold them."""
    try:
        whole = CONTAINERS[shape.kind](items)
    except TypeError:  # objects have become dicts, which a set cannot hold
        whole = items
    except ValueError:  # a dict needs pairs
        return
    dropped = broken.dropped if broken.path[-1:] != (shapes.EACH,) and broken.data is None else None
    yield replace(broken, data=whole, dropped=dropped or replace(shape, item=broken.dropped))


def _fields(shape: shapes.NamedFields, rows: ValidRows, path: shapes.Path) -> Iterator[Broken]:
    if shape.build.kind == "array":
        return  # places shift when one is changed: no rule can be said to be broken alone
    positional = shape.build.kind in ("tuple", "pair")
    for index, each in enumerate(shape.fields):
        if each.key == shapes.SPREAD:
            continue
        there = ((row, plain) for row, plain in rows if isinstance(plain, dict) and each.name in plain)
        present = ValidRows(((row, plain[each.name]) for row, plain in there), rows.turn)
        for broken in _break_rules(each.shape, present, (*path, each.name)):
            whole = _with(shape, dict(rows)[broken.row], each, broken.data)
            yield replace(broken, data=whole, dropped=_change_field(shape, index, replace(each, shape=broken.dropped)))
        if each.required and not positional:
            row, plain = rows[0]
            whole = data(shape, plain)
            assert isinstance(whole, dict)
            del whole[each.given_by]
            yield Broken(
                (*path, each.name), "missing", whole, _change_field(shape, index, replace(each, required=False)), row
            )
    if shape.closed and not positional:
        row, plain = rows[0]
        whole = data(shape, plain)
        assert isinstance(whole, dict)
        tried = ({**whole, "unexpected": value} for value in (1, *WRONG))  # others may be allowed to hold some of them
        for wrong in itertools.islice((each for each in tried if not fits(shape, each)), 1):
            yield Broken(path, "a field too many", wrong, replace(shape, closed=False), row)


def _with(shape: shapes.NamedFields, plain: object, field: shapes.Field, value: object) -> object:
    whole = data(shape, plain)
    if isinstance(whole, dict):
        return {**whole, field.given_by: value}
    assert isinstance(whole, tuple)
    place = [each.name for each in shape.fields].index(field.name)
    return (*whole[:place], value, *whole[place + 1 :])


def _change_field(shape: shapes.NamedFields, index: int, field: shapes.Field) -> shapes.NamedFields:
    return replace(shape, fields=(*shape.fields[:index], field, *shape.fields[index + 1 :]))
