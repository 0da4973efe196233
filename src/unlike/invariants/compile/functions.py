"""Python's own functions: those of one value, of all values of a container, and those that make containers."""

from __future__ import annotations

import ast
import collections
import functools
import math
import operator
from collections import deque
from typing import Any, TypeAlias

from unlike.invariants.compile.comparing import class_of, describe_value, equal, is_numeric, truth_of
from unlike.invariants.compile.containers import (
    add_member,
    as_list,
    go_over,
    item_or_usual,
    store_item,
)
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.iterators import ITERATORS, Builtin
from unlike.invariants.compile.names import attributes_of, unpack
from unlike.invariants.compile.operators import OPERATORS, combine, made_of_constants, pointwise
from unlike.invariants.compile.ordering import ordered
from unlike.invariants.compile.recursion import run_waiting_bodies
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.sequences import Entries, count_items
from unlike.invariants.compile.sorting import best_of
from unlike.invariants.compile.values import (
    Alternatives,
    ContainerValue,
    DictValue,
    FunctionValue,
    Identity,
    LazyValues,
    ListValue,
    Number,
    RangeValue,
    SetValue,
    Thing,
    Truth,
    TupleValue,
    Unread,
    Value,
    made_plain,
)

Arguments: TypeAlias = tuple[list[Value], dict[str, Value]]

# asked of Python itself, value by value, where all arguments are constants
PLAIN = frozenset({
    abs, bin, bool, chr, complex, divmod, float, hex, int, oct, ord, pow, round, str, math.ceil, math.floor, math.gcd,
    math.isqrt, math.isfinite, math.isinf, math.isnan, math.log2, math.sqrt, math.factorial, math.comb, math.prod,
})  # fmt: skip


def call_builtin(run: Run, function: Any, arguments: Arguments, site: Site) -> Value:
    """Return what a function of Python's own gives."""
    places, keywords = arguments
    known = FUNCTIONS.get(function) if _is_hashable(function) else None
    if known is not None:
        result = known(run, places, keywords, site)
        if result is not NotImplemented:
            return result
    plain = not keywords and made_of_constants(places)
    if plain and _is_hashable(function) and (function in PLAIN or getattr(function, "__module__", "") == "_operator"):
        return pointwise(run, function, places, site, function.__name__)
    if isinstance(function, type) and issubclass(function, BaseException):
        return Unread(function, is_true=True)
    if plain and _is_text_method(function):
        return pointwise(run, function, places, site, function.__name__)
    name = getattr(function, "__name__", type(function).__name__)
    if isinstance(function, type) and not keywords and function in run.heap.things:
        run.refuse(site, f"a new object of {name}")
    return run.refuse(site, f"a call of {name} like this")


def _is_hashable(function: Any) -> bool:
    return not isinstance(function, ContainerValue | Alternatives)


def _is_text_method(function: Any) -> bool:
    """Tell whether a function is one like `str.isalpha`."""
    return getattr(function, "__objclass__", None) in (str, bytes, int, float)


# -- of one value --------------------------------------------------------------------------------------------


def _len(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    (value,) = places
    run_waiting_bodies(run, value, site.node)
    value = made_plain(value)
    match value:
        case tuple() | str() | bytes() | list() | dict() | set() | frozenset() | range():
            return len(value)
        case TupleValue(parts):
            return len(parts)
        case ContainerValue():
            return count_items(run, value)
        case RangeValue(start, stop, 1):
            one, other = run.numeric(start, site.guard), run.numeric(stop, site.guard)
            return run.algebra.extreme([run.algebra.sum_of(other, one.negate()), Number(0, 0, ())], largest=True)
        case Thing():
            return _call_special(run, value, "__len__", site)
        case Alternatives(atoms=atoms):
            cases = []
            for atom, literal in atoms.items():
                under = run.prover.possible(run.formula.both(site.guard, literal))
                if under != FALSE:
                    cases.append((literal, _len(run, [atom], {}, site.under(under))))
            if value.number is not None:
                run.reject(site.guard, value.is_number)
            return run.algebra.merge(cases)
        case Unread() | RangeValue():
            run.refuse(site, f"the length of {describe_value(value)}")
    run.reject(site.guard)
    return 0


def _call_special(run: Run, thing: Thing, name: str, site: Site) -> Value:
    """Return what a method of an object gives that Python calls by itself."""
    return run.algebra.merge(
        [
            (literal, run.call_value(method, [], site.under(run.formula.both(site.guard, literal))))
            for literal, method in attributes_of(run, thing, name, site)
        ]
    )


def _bool(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
    return Truth(truth_of(run, places[0], site)) if len(places) == 1 and not keywords else NotImplemented


def _int(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
    if len(places) == 1 and not keywords and isinstance(places[0], Truth | Number | bool | int):
        return run.numeric(places[0], site.guard)
    return NotImplemented


def _abs(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    if len(places) != 1 or not is_numeric(places[0]):
        return NotImplemented
    number = run.numeric(places[0], site.guard)
    return run.algebra.extreme([number, number.negate()], largest=True)


def _range(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    for each in places:
        if isinstance(each, ContainerValue | tuple | str):
            run.reject(site.guard)
            return RangeValue(0, 0)
    match places:
        case [stop]:
            return RangeValue(0, stop)
        case [start, stop]:
            return RangeValue(start, stop)
        case [start, stop, int() as step] if step:
            return RangeValue(start, stop, step)
    return NotImplemented


def _id(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    whole = run.algebra.alternatives(places[0])
    if whole.number is not None or not all(isinstance(atom, Thing) or atom is None for atom in whole.atoms):
        run.refuse(site, "id() of something that is no object of a class")
    return Alternatives({Identity(atom) if atom is not None else None: under for atom, under in whole.atoms.items()})


def _isinstance(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    value, classes = places
    wanted = classes if isinstance(classes, tuple) else (classes,)
    if not all(isinstance(each, type) for each in wanted):
        run.refuse(site, "isinstance with something that is no class")
    whole = run.algebra.alternatives(value)
    for atom in whole.atoms:
        if isinstance(atom, LazyValues | FunctionValue):
            run.refuse(site, f"the class of {describe_value(atom)}")
    ways = [literal for atom, literal in whole.atoms.items() if issubclass(class_of(atom), wanted)]
    if whole.number is not None and issubclass(int, wanted):
        ways.append(whole.is_number)
    return Truth(run.formula.either(*ways))


def _issubclass(_: Run, places: list[Value], __: dict[str, Value], ___: Site) -> Value:
    if len(places) == 2 and isinstance(places[0], type) and isinstance(places[1], type | tuple):
        return issubclass(places[0], places[1])
    return NotImplemented


def _type(run: Run, places: list[Value], _: dict[str, Value], __: Site) -> Value:
    if len(places) != 1:
        return NotImplemented
    whole = run.algebra.alternatives(places[0])
    cases: list[tuple[Literal, Value]] = [(literal, class_of(atom)) for atom, literal in whole.atoms.items()]
    if whole.number is not None:
        cases.append((whole.is_number, int))
    return run.algebra.merge(cases)


def _getattr(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    if len(places) == 2 and isinstance(places[1], str):
        return run.algebra.merge(attributes_of(run, places[0], places[1], site))
    return NotImplemented


def _text(_: Run, places: list[Value], keywords: dict[str, Value], __: Site) -> Value:
    """Return a text that nobody looks at, unless it is one of constants."""
    if keywords or not places:
        return "" if not places and not keywords else NotImplemented
    return NotImplemented if made_of_constants(places) else Unread(str)


# -- of all values -------------------------------------------------------------------------------------------


def any_or_all(run: Run, function: Any, source: Value, site: Site) -> Value:
    """Return whether any (or all) values are true; those after one that decides are not looked at."""
    decided = FALSE

    def look(here: Literal, value: Value) -> Literal:
        nonlocal decided
        true = truth_of(run, value, site.under(here))
        hit = run.formula.both(here, true if function is any else -true)
        decided = run.formula.either(decided, hit)
        return run.prover.possible(run.formula.both(here, -hit))

    go_over(run, source, site, look)
    return Truth(decided if function is any else -decided)


def _sum(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
    """Return the sum of all values."""
    start = places[1] if len(places) == 2 else keywords.get("start", 0)
    algebra, nothing = run.algebra, Number(0, 0, ())
    total = start
    for here, value in _visit_all(run, places[0], site):
        if is_numeric(total) and is_numeric(value):
            number = algebra.merge_numbers([(here, run.numeric(value, here)), (-here, nothing)])
            total = algebra.sum_of(run.numeric(total, here), number)
        else:
            total = algebra.merge([(here, combine(run, ast.Add(), total, value, site.under(here))), (-here, total)])
    return total


def _visit_all(run: Run, source: Value, site: Site) -> Entries:
    """Return all values of a source, each with the guard under which it comes."""
    found: Entries = []

    def take(here: Literal, value: Value) -> Literal:
        found.append((here, value))
        return here

    go_over(run, source, site, take)
    return found


def _extreme(function: Any) -> Builtin:
    def extreme(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
        if set(keywords) - {"key", "default"}:
            return NotImplemented
        entries = _visit_all(run, places[0], site) if len(places) == 1 else [(site.guard, each) for each in places]
        present = run.formula.either(*(here for here, _ in entries))
        if "default" not in keywords:
            run.reject(site.guard, -present, ValueError)
        if not entries:
            return keywords.get("default", 0)
        found = best_of(run, entries, keywords.get("key"), site, largest=function is max)
        if "default" not in keywords:
            return found
        return run.algebra.merge([(present, found), (-present, keywords["default"])])

    return extreme


def _reduce(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    """Return what functools.reduce gives."""
    function, source, *start = places
    total, begun = (start[0], TRUE) if start else (None, FALSE)

    def take(here: Literal, value: Value) -> Literal:
        nonlocal total, begun
        both = run.formula.both
        if begun == FALSE:
            total, begun = value, here
            return here
        goes_on = run.prover.possible(both(here, begun))
        cases = [(both(here, -begun), value), (-here, total)]
        if goes_on != FALSE:
            cases.append((both(here, begun), run.call_value(function, [total, value], site.under(goes_on))))
        total = run.algebra.merge(cases)
        begun = run.formula.either(begun, here)
        return here

    go_over(run, source, site, take)
    run.reject(site.guard, -begun)
    return total


# -- new containers ------------------------------------------------------------------------------------------


def _list(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
    if keywords or len(places) > 1:
        return NotImplemented
    return as_list(run, places[0], site) if places else ListValue(born=run.steps)


def _deque(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
    made = _list(run, places, keywords, site)
    if isinstance(made, ListValue):
        made.kind = "deque"
    return made


def _tuple(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    if not places:
        return ()
    source = made_plain(places[0])
    if isinstance(source, tuple):
        return source
    made = as_list(run, source, site)
    entries = made.leave_queue()
    if all(present in run.formula.units for present, _ in entries):
        return tuple(value for _, value in entries)
    made.fixed, made.kind = True, "tuple"
    return made


def _set(kind: str) -> Builtin:
    def make(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
        if keywords or len(places) > 1:
            return NotImplemented
        made = SetValue(born=run.steps)

        def take(here: Literal, value: Value) -> Literal:
            add_member(run, made, value, site.under(here))
            return here

        for source in places:
            go_over(run, source, site, take)
        made.kind, made.fixed = kind, bool(kind)
        return made

    return make


def _dict(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
    made = DictValue(born=run.steps)
    for source in map(made_plain, places):
        if isinstance(source, DictValue):
            for present, key in list(source.log):
                here = site.under(run.prover.possible(run.formula.both(site.guard, present)))
                if here.guard != FALSE:
                    store_item(run, made, key, source.entries[key][1], here)
            continue

        def take(here: Literal, value: Value) -> Literal:
            key, item = unpack(run, value, 2, None, site.under(here))
            store_item(run, made, key, item, site.under(here))
            return here

        go_over(run, source, site, take)
    for name, value in keywords.items():
        store_item(run, made, name, value, site)
    return made


def _fromkeys(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    made, usual = DictValue(born=run.steps), places[1] if len(places) > 1 else None

    def take(here: Literal, key: Value) -> Literal:
        store_item(run, made, key, usual, site.under(here))
        return here

    go_over(run, places[0], site, take)
    return made


def _counter(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
    made = DictValue(kind="Counter", born=run.steps)
    if keywords or len(places) > 1 or (places and isinstance(made_plain(places[0]), DictValue)):
        return NotImplemented

    def take(here: Literal, key: Value) -> Literal:
        at = site.under(here)
        before = item_or_usual(run, made, key, 0, at)
        store_item(run, made, key, combine(run, ast.Add(), before, 1, at), at)
        return here

    for source in places:
        go_over(run, source, site, take)
    return made


def _compare_by(op: type[ast.cmpop]) -> Builtin:
    def compare(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
        one, other = places
        return Truth(ordered(run, op, one, other, site))

    return compare


def _equality(*, wanted: bool) -> Builtin:
    def compare(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
        literal = equal(run, places[0], places[1], site)
        return Truth(literal if wanted else -literal)

    return compare


def _operator(op: type[ast.operator]) -> Builtin:

    def calculate(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
        one, other = places
        return combine(run, op(), one, other, site)

    return calculate


FUNCTIONS: dict[Any, Builtin] = {
    len: _len, bool: _bool, int: _int, abs: _abs, range: _range, id: _id, isinstance: _isinstance,
    issubclass: _issubclass, type: _type, getattr: _getattr, str: _text, repr: _text, print: lambda *_: None,
    any: lambda run, places, _, site: any_or_all(run, any, places[0], site),
    all: lambda run, places, _, site: any_or_all(run, all, places[0], site),
    sum: _sum, min: _extreme(min), max: _extreme(max), functools.reduce: _reduce,
    **ITERATORS,
    list: _list, deque: _deque, tuple: _tuple, set: _set(""), frozenset: _set("frozenset"), dict: _dict,
    dict.fromkeys: _fromkeys, collections.Counter: _counter,
    operator.lt: _compare_by(ast.Lt), operator.le: _compare_by(ast.LtE), operator.gt: _compare_by(ast.Gt),
    operator.ge: _compare_by(ast.GtE), operator.eq: _equality(wanted=True), operator.ne: _equality(wanted=False),
    **{function: _operator(op) for op, function in OPERATORS.items()},
}  # fmt: skip
