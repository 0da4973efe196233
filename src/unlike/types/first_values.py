"""What a scope leaves of a type of plain values: its first few values, the same ones for arguments and for fields.

A scope narrows a type, it never widens it. Numbers come from 0 up, then from below 0 down, those with fewer decimal
places first; texts are a, b, c …, then the shortest others. Of all of them only what the type and its rules allow:

    int, 3              0, 1, 2               Annotated[int, Ge(10)], 3     10, 11, 12
    Interval(-1, 1), 4  0, 1, -1              Annotated[str, MinLen(2)], 2  "aa", "ab"
"""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from unlike.core import FOREVER, USUAL, CutShort, Deadline, Isolation
from unlike.errors import SpecError
from unlike.isolation import Answer, Death, Raised, each_in_copies
from unlike.language.values import VALUES
from unlike.regex import chars
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.tree import parse
from unlike.structure import shapes
from unlike.structure.validity import fits
from unlike.types import tree
from unlike.types.leaves import LEAVES, flag_values, shape_of_value
from unlike.types.rules import Rule, apply_rule, apply_rules

IN_SCOPE = (int, float, complex, str, bytes)  # the types whose values can be told apart in every state of an object
MOST_TRIED = 1_000  # values that predicates are asked about
MOST_LETTERS = 10_000  # of a text
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class NoValuesError(Exception):
    """No value of a type can be given; the message says why, `remedy` what to do, `example` how to declare some."""

    example = "0,1,2"

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class FirstValues:
    """The first values of a type, in order; `cut` says in words what was left out where there was room for more.

    `beside` are values outside the scope that the type allows as well: what a written test may try.
    """

    values: tuple[object, ...]
    cut: str = ""
    beside: tuple[object, ...] = ()


def first_values(
    node: tree.TypeNode, count: int, isolation: Isolation = USUAL, deadline: Deadline = FOREVER
) -> FirstValues | None:
    """Return the first so many values of a type of plain values under its rules; nothing for other types.

    The values of an Enum, a Literal, a Flag, of bool and None are few by themselves, and all given. Predicates are
    code of the user's, and run where the isolation says, as long as there is time.
    """
    if tree.bare_type(node) == tree.PlainType(complex):
        if rules := tree.rules_on(node):
            raise NoValuesError(f"'{_in_words(rules)}' does not apply to a complex")
        return FirstValues(tuple(map(complex, range(count))))
    shape = plain_shape(node)
    if shape is None:
        return None
    inner, checks = without_checks(shape)
    is_listed = isinstance(inner, shapes.Constants)
    candidates = _candidates(inner, count)
    if not checks:
        found = tuple(candidates if is_listed else itertools.islice(candidates, count))
        if not found and count:
            raise NoValuesError(f"no value keeps {_in_words(tree.rules_on(node))}")
        return FirstValues(found, _left_out(node), _beside(inner, found))
    tried = list(itertools.islice(candidates, MOST_TRIED))
    kept = kept_values(tried, checks, len(tried) if is_listed else count, isolation, deadline)
    if not kept.values:
        raise NoValuesError(f"none of the first {len(tried):,} values keeps {_in_words(checks)}")
    short = not is_listed and not kept.cut and len(kept.values) < count and len(tried) == MOST_TRIED
    cut = f"only {len(kept.values)} of the first {MOST_TRIED:,} values keep {_in_words(checks)}" if short else kept.cut
    return FirstValues(kept.values, cut or _left_out(node))


def _beside(shape: shapes.Shape, found: tuple[object, ...]) -> tuple[object, ...]:
    """Return the value that is tried most often where nobody thought of it: -1, if it is one and not there."""
    is_int = isinstance(shape, shapes.Numbers) and shape.line.kind == "int"
    return (-1,) if is_int and fits(shape, -1) and -1 not in found else ()


def _left_out(node: tree.TypeNode) -> str:
    """Return in words what is left out of a type with all its values: the combinations of many flags."""
    match tree.bare_type(node):
        case tree.FlagType(cls):
            shown, mixed, unlisted = flag_values(cls)
            listed = len(shown) + len(mixed)
            return f"{listed} of {listed + unlisted:,} combinations of {cls.__name__}" if unlisted else ""
    return ""


def told_by(value: object) -> tuple[object, ...]:
    """Return what tells a plain value from others, equal or not: 1 from True, and the members of an Enum by name.

    Containers are told apart by what is in them, whatever order sets and dicts show it in.
    """
    match value:
        case enum.Enum():
            return type(value), value.name, id(value)
        case list() | tuple():
            return type(value), *map(told_by, value)
        case set() | frozenset():
            return type(value), frozenset(map(told_by, value))
        case dict():
            return type(value), frozenset((told_by(key), told_by(each)) for key, each in value.items())
    return type(value), repr(value)


def plain_shape(node: tree.TypeNode) -> shapes.Shape | None:
    """Return the shape of a type of plain values under its rules; nothing for other types."""
    match tree.bare_type(node):
        case tree.PlainType(cls) if cls in IN_SCOPE and cls in LEAVES:  # complex has none
            shape = LEAVES[cls]
        case tree.ListedType(values, word):
            shape = shapes.Constants(values, word)
        case tree.FlagType(cls):
            shown, mixed, _ = flag_values(cls)
            shape = shapes.Constants((*shown, *mixed))
        case tree.OwnValueType(value) if isinstance(value, VALUES):
            shape = shape_of_value(value)
            if not isinstance(shape, shapes.Constants | shapes.Texts) and not (
                isinstance(shape, shapes.Numbers) and shape.line.kind in ("int", "float")
            ):
                return None
        case _:
            return None
    try:
        return apply_rules(shape, tree.rules_on(node), ())
    except SpecError as error:
        said = str(error).removeprefix("value: ")
        raise NoValuesError(said.rpartition(";")[0] or said) from None


def without_checks(shape: shapes.Shape) -> tuple[shapes.Shape, tuple[shapes.Check, ...]]:
    """Return a shape without its predicates, and these."""
    return (shape.inner, shape.checks) if isinstance(shape, shapes.Checked) else (shape, ())


def allowed_values(
    node: tree.TypeNode, values: Iterable[object], isolation: Isolation = USUAL, deadline: Deadline = FOREVER
) -> FirstValues:
    """Return those of the values that somebody declared for a type which its rules allow, too."""
    every, rules = tuple(values), tree.rules_on(node)
    if not rules or not every:
        return FirstValues(every)
    shape = plain_shape(node)
    if shape is None:
        checks = tuple(rule for rule in rules if isinstance(rule, shapes.Check))
        kept = every
        for rule in rules:
            kept = kept if isinstance(rule, shapes.Check) else _keeping(rule, every, kept)
    else:
        inner, checks = without_checks(shape)
        kept = tuple(value for value in every if fits(inner, value))
    found = kept_values(kept, checks, None, isolation, deadline) if checks else FirstValues(kept)
    if not found.values:
        raise NoValuesError(f"none of {', '.join(map(repr, every[:5]))} keeps {_in_words(rules)}")
    return found


def _keeping(rule: Rule, every: Sequence[object], kept: Sequence[object]) -> tuple[object, ...]:
    """Return the kept values that keep one more rule, or of which it does not speak; it has to speak of one of all."""
    if all(_shape_under(value, rule) is None for value in every):
        raise NoValuesError(f"'{rule}' does not apply to {', '.join(map(repr, every[:5]))}")
    return tuple(value for value in kept if (shape := _shape_under(value, rule)) is None or fits(shape, value))


def _shape_under(value: object, rule: Rule) -> shapes.Shape | None:
    """Return what a rule leaves of the type that a value has; nothing where it does not speak of such values."""
    cls = type(value)
    if cls in (list, tuple, set, frozenset, dict):
        return apply_rule(shapes.ItemsShape(shapes.Anything(), 0, 0, cls.__name__), rule, ())  # type: ignore[arg-type]
    try:
        return apply_rule(LEAVES[cls], rule, ()) if cls in LEAVES else None
    except SpecError:  # a bound of another kind
        return None


def _in_words(rules: Iterable[object]) -> str:
    return " and ".join(map(str, rules))


def kept_values(
    values: Sequence[object],
    checks: tuple[shapes.Check, ...],
    most: int | None,
    isolation: Isolation,
    deadline: Deadline,
) -> FirstValues:
    """Return the values that pass all checks, or the first so many of them; checks are code of the user's."""
    kept: list[object] = []
    asked = 0
    verdicts = each_in_copies(
        lambda number: shapes.first_failed(checks, values[number]) is None, len(values), isolation, deadline
    )
    try:
        for value, verdict in zip(values, verdicts, strict=False):
            asked += 1
            match verdict:
                case Answer(result=True):
                    kept.append(value)
                case Raised(error=error):
                    raise NoValuesError(f"{_in_words(checks)} raised {error}")
                case Death(cause=cause):
                    raise NoValuesError(f"{_in_words(checks)} ended its process on {value!r}: {cause}")
            if most is not None and len(kept) >= most:
                break
    except CutShort as cut:
        late = f"{_in_words(checks)} was asked about {asked:,} of {len(values):,} values: {cut.status.detail}"
        if not kept:
            raise NoValuesError(late) from None
        return FirstValues(tuple(kept), late)
    return FirstValues(tuple(kept))


# -- candidates in order -------------------------------------------------------------------------------------------


def _candidates(shape: shapes.Shape, count: int) -> Iterator[object]:
    match shape:
        case shapes.Constants(values):
            yield from values
        case shapes.Numbers():
            yield from _numbers(shape)
        case shapes.Texts():
            yield from _texts(shape, count)


def _numbers(shape: shapes.Numbers) -> Iterator[object]:
    """Yield numbers: with few decimal places first, from 0 up, then from below 0 down."""
    before = missed = 0
    for places in range(shape.line.places + 1):
        step = math.lcm(shape.step, 10 ** (shape.line.places - places))
        first_up = -(-max(0, shape.low) // step) * step
        first_down = min(-1, shape.high) // step * step
        for code in itertools.chain(_codes(shape, first_up, step), _codes(shape, first_down, -step)):
            if before and code % before == 0:
                continue
            missed = 0 if shape.has_value(code) else missed + 1
            if not missed:
                yield shape.line.value(code)
            elif missed > MOST_TRIED:
                raise NoValuesError(
                    f"{MOST_TRIED:,} floats in a row are no multiples of {shape.line.value(shape.step)!r}"
                )
        before = step


def _codes(shape: shapes.Numbers, code: int, step: int) -> Iterator[int]:
    """Yield the codes from one on in steps; where floats lie further apart than that, one code for each float."""
    line, towards = shape.line, math.inf if step > 0 else -math.inf
    while shape.low <= code <= shape.high:
        yield code
        value, code = line.value(code), code + step
        if line.kind == "float" and shape.low <= code <= shape.high and line.value(code) == value:
            beside = math.nextafter(value, towards)  # type: ignore[arg-type]
            if math.isinf(beside):
                return
            code = -(-Fraction(beside) * line.unit // step) * step


def _texts(shape: shapes.Texts, count: int) -> Iterator[object]:
    """Yield a, b, c … as far as they fit, then all other texts, shortest first."""
    letters = [LETTERS[index % 26] * (index // 26 + 1) for index in range(count)]
    seen: set[str] = set()
    for text in itertools.chain(letters, _matching(shape)):
        value = text.encode() if shape.made == "bytes" else text
        if text not in seen and fits(shape, value):
            seen.add(text)
            yield value


def _matching(shape: shapes.Texts) -> Iterator[str]:
    """Yield the texts of a pattern, or all printable ones, shortest first."""
    if shape.least > MOST_LETTERS:
        raise NoValuesError(f"texts of {shape.least:,} letters are asked for, and at most {MOST_LETTERS:,} are made")
    if shape.pattern is None:
        return Automaton.everything(chars.PRINTABLE).texts(shape.least, shape.most)
    try:
        return Automaton.of(parse(shape.pattern, shape.flags)).texts(shape.least, shape.most)
    except Undecided as error:
        raise NoValuesError(f"the texts that match {shape.pattern!r} cannot be listed: {error}") from None
