"""Methods of lists, sets, dicts, tuples and texts."""

from __future__ import annotations

import ast
from typing import Any

from unlike.invariants.compile.comparing import class_of, describe_value, equal, truth_of
from unlike.invariants.compile.containers import (
    add_member,
    append_entry,
    as_list,
    contains,
    delete_item,
    discard_member,
    go_over,
    item_of,
    item_or_usual,
    pop_entry,
    put,
    store_item,
)
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.names import unpack
from unlike.invariants.compile.operators import combine_sets, made_of_constants, pointwise
from unlike.invariants.compile.ordering import subset
from unlike.invariants.compile.recursion import run_waiting_bodies
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.sequences import (
    count_before,
    delete_entry,
    entry_at,
    new_list,
)
from unlike.invariants.compile.sorting import sorted_list
from unlike.invariants.compile.values import (
    DictValue,
    ListValue,
    SetValue,
    Truth,
    TupleValue,
    Unread,
    Value,
    list_value,
    made_plain,
)

READERS = frozenset({
    "get", "keys", "values", "items", "count", "index", "copy", "union", "intersection", "difference",
    "symmetric_difference", "issubset", "issuperset", "isdisjoint", "__contains__", "__getitem__", "most_common",
    "total", "elements",
})  # fmt: skip
SET_OPERATORS: dict[str, ast.operator] = {
    "union": ast.BitOr(),
    "intersection": ast.BitAnd(),
    "difference": ast.Sub(),
    "symmetric_difference": ast.BitXor(),
}


def call_container_method(
    run: Run, target: Any, name: str, arguments: tuple[list[Value], dict[str, Value]], site: Site
) -> Value:
    """Return what a method of a list, set, dict, tuple or text gives."""
    places, keywords = arguments
    site = site.under(run.alive(site.guard))
    if isinstance(target, str | bytes):
        return _call_text_method(run, target, name, places, keywords, site)
    if isinstance(target, TupleValue):
        target = list_value(target.parts)
        target.kind, target.fixed = "tuple", True
    if keywords and name != "sort":
        run.refuse(site, f"keywords in a call of {name}")
    if target.fixed and name not in READERS:
        if not hasattr(class_of(target), name):
            run.reject(site.guard, kind=AttributeError)
            return None
        run.refuse(site, f"{name} on a container of the structure, which an invariant must not change")
    run_waiting_bodies(run, target, site.node)
    if name not in READERS:
        run.changes(target, site)
    match target:
        case SetValue():
            result = _call_set_method(run, target, name, places, site)
        case DictValue():
            result = _call_dict_method(run, target, name, places, site)
        case _:
            result = _call_list_method(run, target, name, places, keywords, site)
    if result is NotImplemented:
        run.refuse(site, f"the method {name} of {describe_value(target)} with {len(places)} arguments")
    return result


def _call_text_method(
    run: Run, text: str | bytes, name: str, places: list[Value], keywords: dict[str, Value], site: Site
) -> Value:
    """Return what a method of a text gives, asked of Python itself."""
    if name == "join" and len(places) == 1:
        entries = as_list(run, places[0], site).list_entries()
        if not all(present in run.formula.units for present, _ in entries):
            if all(isinstance(each, str) for _, value in entries for each in run.algebra.alternatives(value).atoms):
                return Unread(str)
            run.refuse(site, "join with an open number of texts")
        places = [tuple(value for _, value in entries)]
    if keywords or not made_of_constants(places):
        run.refuse(site, f"the method {name} of a text with such arguments")
    return pointwise(run, getattr(text, name), places, site, f"the method {name}")


# -- lists ---------------------------------------------------------------------------------------------------


def _call_list_method(
    run: Run, target: ListValue, name: str, places: list[Value], keywords: dict[str, Value], site: Site
) -> Value:
    match name, places:
        case "append", [value]:
            append_entry(run, target, value, site)
        case "extend", [source]:
            _put_all(run, target, source, site)
        case ("pop", [0]) | ("popleft", []):
            return pop_entry(run, target, site, first=True)
        case ("pop", []) | ("pop", [-1]):
            return pop_entry(run, target, site, first=False)
        case "pop", [index]:
            value = entry_at(run, target, index, site.guard)
            delete_entry(run, target, index, site)
            return value
        case "count", [value]:
            pairs = target.list_entries()
            return run.count([run.formula.both(present, equal(run, value, each, site)) for present, each in pairs])
        case "index", [value]:
            return _place_of(run, target, value, site)
        case "remove", [value]:
            delete_entry(run, target, _place_of(run, target, value, site), site)
        case "copy", []:
            return new_list(run, target.list_entries(), dense=target.dense, kind=target.kind)
        case "clear", []:
            _clear(run, target, site)
        case "reverse", []:
            _replace(run, target, new_list(run, target.list_entries()[::-1]), site)
        case "sort", [] if isinstance(reverse := keywords.get("reverse", False), bool):
            _replace(run, target, sorted_list(run, target, keywords.get("key"), site, reverse=reverse), site)
        case "appendleft", [value]:
            first = new_list(run, [(site.guard, value), *target.list_entries()])
            target.entries, target.queue, target.dense = first.entries, None, False
            target.shrunk += 1
        case "__contains__", [value]:
            return Truth(contains(run, target, value, site))
        case "__getitem__", [index]:
            return entry_at(run, target, index, site.guard)
        case _:
            return NotImplemented
    return None


def _place_of(run: Run, target: ListValue, value: Value, site: Site) -> Value:
    """Return the first place of a value; one that is not there is an exception."""
    entries = target.list_entries()
    cases: list[tuple[Literal, Value]] = []
    rest = TRUE
    for position, (present, each) in enumerate(entries):
        under = run.prover.possible(run.formula.both(site.guard, rest, present))
        if under == FALSE:
            continue
        hit = run.formula.both(rest, present, equal(run, value, each, site.under(under)))
        cases.append((hit, count_before(run, entries, position, dense=target.dense)))
        rest = run.formula.both(rest, -hit)
    run.reject(site.guard, rest, ValueError)
    return run.algebra.merge(cases) if cases else 0


def _clear(run: Run, target: ListValue, site: Site) -> None:
    both = run.formula.both
    target.entries = [(both(present, -site.guard), value) for present, value in target.list_entries()]
    target.queue, target.dense = None, False
    target.shrunk += 1


def _replace(run: Run, target: ListValue, new: ListValue, site: Site) -> None:
    """Let a list hold what another one holds, under the guard."""
    both = run.formula.both
    old = [(both(present, -site.guard), value) for present, value in target.list_entries()]
    fresh = [(both(present, site.guard), value) for present, value in new.list_entries()]
    target.entries, target.queue = [each for each in (*old, *fresh) if each[0] != FALSE], None
    target.dense = new.dense and all(present == FALSE for present, _ in old)
    target.shrunk += 1


def _put_all(run: Run, target: SetValue | ListValue, source: Value, site: Site) -> None:
    """Put what one container holds into another."""

    def take(here: Literal, value: Value) -> Literal:
        put(run, target, value, site.under(here))
        return here

    if made_plain(source) is target:
        run.refuse(site, "a container that is put into itself")
    go_over(run, source, site, take)


# -- sets ----------------------------------------------------------------------------------------------------


def _call_set_method(run: Run, target: SetValue, name: str, places: list[Value], site: Site) -> Value:
    match name, places:
        case "add", [value]:
            add_member(run, target, value, site)
        case (("discard" | "remove"), [value]):
            discard_member(run, target, value, site, must=name == "remove")
        case "update", _:
            for source in places:
                _put_all(run, target, source, site)
        case "copy", []:
            return SetValue(members=dict(target.members), kind=target.kind, born=run.steps)
        case "clear", []:
            target.members = {key: run.formula.both(each, -site.guard) for key, each in target.members.items()}
            target.shrunk += 1
        case (("issubset" | "issuperset" | "isdisjoint"), [source]):
            other = _as_set(run, source, site)
            if name == "isdisjoint":
                return Truth(-truth_of(run, combine_sets(run, ast.BitAnd(), target, other), site))
            one, two = (target, other) if name == "issubset" else (other, target)
            return Truth(subset(run, one.members, two.members))
        case _ if name in SET_OPERATORS and (places or name != "symmetric_difference"):
            found = SetValue(members=dict(target.members), kind=target.kind, born=run.steps)
            for source in places:
                found = combine_sets(run, SET_OPERATORS[name], found, _as_set(run, source, site))
            return found
        case "__contains__", [value]:
            return Truth(contains(run, target, value, site))
        case _:
            return NotImplemented
    return None


def _as_set(run: Run, source: Value, site: Site) -> SetValue:
    source = made_plain(source)
    run_waiting_bodies(run, source, site.node)
    if isinstance(source, SetValue):
        return source
    made = SetValue(born=run.steps)
    _put_all(run, made, source, site)
    return made


def change_in_place(run: Run, op: ast.operator, target: Value, source: Value, site: Site) -> bool:
    """Carry out += on a list, or |=, &=, -= or ^= on a set: they change it where it is. Tell whether it was one."""
    if not isinstance(target, ListValue | SetValue) or class_of(target) not in (list, set):
        return False
    if target.fixed:
        run.refuse(site, "an operator that changes a container of the structure")
    run.changes(target, site)
    run_waiting_bodies(run, target, site.node)
    if isinstance(target, ListValue):
        if not isinstance(op, ast.Add):
            return False
        _put_all(run, target, source, site)
        return True
    other = made_plain(source)
    if not isinstance(other, SetValue):
        return False
    both, either = run.formula.both, run.formula.either
    changed = combine_sets(run, op, target, other).members
    target.members = {
        key: either(both(site.guard, changed.get(key, FALSE)), both(-site.guard, target.members.get(key, FALSE)))
        for key in dict.fromkeys([*target.members, *changed])
    }
    target.shrunk += 1
    return True


# -- dicts ---------------------------------------------------------------------------------------------------


def _call_dict_method(run: Run, target: DictValue, name: str, places: list[Value], site: Site) -> Value:
    match name, places:
        case "get", [key]:
            return item_or_usual(run, target, key, None, site)
        case "get", [key, usual]:
            return item_or_usual(run, target, key, usual, site)
        case (("keys" | "values" | "items"), []):
            return _view(target, name)
        case "setdefault", [key, *rest]:
            usual = rest[0] if rest else None
            found = contains(run, target, key, site)
            missing = run.prover.possible(run.formula.both(site.guard, -found))
            if missing != FALSE:
                store_item(run, target, key, usual, site.under(missing))
            return item_or_usual(run, target, key, usual, site)
        case "pop", [key, *rest]:
            value = item_or_usual(run, target, key, rest[0], site) if rest else item_of(run, target, key, site)
            delete_item(run, target, key, site, must=not rest)
            return value
        case "update", [source]:
            _update(run, target, source, site)
        case "copy", []:
            return DictValue(entries=dict(target.entries), log=list(target.log), kind=target.kind, born=run.steps)
        case "clear", []:
            both = run.formula.both
            target.entries = {key: (both(here, -site.guard), each) for key, (here, each) in target.entries.items()}
            target.log = [(both(here, -site.guard), key) for here, key in target.log]
            target.shrunk += 1
        case "total", [] if target.kind == "Counter":
            return run.call_value(sum, [_view(target, "values")], site)
        case "__contains__", [key]:
            return Truth(contains(run, target, key, site))
        case "__getitem__", [key]:
            return item_of(run, target, key, site)
        case _:
            return NotImplemented
    return None


def _view(target: DictValue, name: str) -> ListValue:
    """Return the keys, values or items of a dict."""
    entries: list[tuple[Literal, Value]] = []
    for present, key in target.log:
        value = target.entries[key][1]
        entries.append((present, key if name == "keys" else value if name == "values" else (key, value)))
    state = target, target.shrunk + target.grown
    return ListValue(True, f"dict_{name}", entries=entries, queue=None, view_of=state)


def _update(run: Run, target: DictValue, source: Value, site: Site) -> None:
    """Put the items of a dict, or pairs, into another dict."""
    source = made_plain(source)
    pairs: Value = _view(source, "items") if isinstance(source, DictValue) else source

    def take(here: Literal, value: Value) -> Literal:
        key, item = unpack(run, value, 2, None, site.under(here))
        store_item(run, target, key, item, site.under(here))
        return here

    go_over(run, pairs, site, take)
