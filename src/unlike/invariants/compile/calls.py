"""Calls: which function is meant, and with which arguments; Python's own functions, and methods of containers."""

from __future__ import annotations

import ast
import types
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from unlike.invariants.compile import containers
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.names import attributes_of, bind, rounds_of
from unlike.invariants.compile.operators import refuse_unordered, truth_of
from unlike.invariants.compile.program import UNKNOWN, Function, global_of, member_of
from unlike.invariants.compile.recursion import run_waiting_bodies
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.values import (
    Alternatives,
    ContainerValue,
    DictValue,
    Identity,
    ListValue,
    Number,
    RangeValue,
    SetValue,
    Thing,
    Truth,
    Value,
)
from unlike.recipe import CONTAINERS

MAKERS = (set, list, dict, tuple, frozenset, deque)
READERS = frozenset({"get", "keys", "values", "items", "count", "index"})


def call(run: Run, site: Site, *, assume: bool = False) -> Value:
    """Return what a call gives; with `assume`, assert instead that it gives something true."""
    node = site.node
    assert isinstance(node, ast.Call)
    match node.func:
        case ast.Name(id=name) if name not in site.frame.variables:
            if (found := global_of(site.frame.function, name)) is UNKNOWN:
                run.reject(site.guard)
                return None
            return _call_function(run, found, node, site, assume=assume)
        case ast.Attribute(value=owner, attr=name):
            found = _module_function(owner, name, site)
            if found is not None:
                return _call_function(run, found, node, site, assume=assume)
            return _call_method(run, run.evaluate(site.at(owner)), name, node, site, assume=assume)
    return run.refuse(site, f"a call of {ast.unparse(node.func)}")


def _module_function(owner: ast.expr, name: str, site: Site) -> Any:
    """Return what `module.name` stands for, if the left side is a module."""
    if not isinstance(owner, ast.Name) or owner.id in site.frame.variables:
        return None
    module = global_of(site.frame.function, owner.id)
    return getattr(module, name, None) if isinstance(module, types.ModuleType) else None


def _call_function(run: Run, found: Any, node: ast.Call, site: Site, *, assume: bool) -> Value:
    """Call a function: the user's, or one of Python's own."""
    if isinstance(found, types.FunctionType):
        return _invoke(run, run.program.function(found), [], node, site, assume=assume)
    if getattr(found, "__module__", None) not in ("builtins", "collections"):
        run.refuse(site, f"a call of {ast.unparse(node.func)}")
    return _conclude(run, _call_builtin(run, found, node, site), site, assume=assume)


def _call_method(run: Run, owner: Value, name: str, node: ast.Call, site: Site, *, assume: bool) -> Value:
    """Call a method of each object that the owner can be."""
    if isinstance(owner, ContainerValue):
        return _conclude(run, _call_container_method(run, owner, name, node, site), site, assume=assume)
    if isinstance(owner, type):
        return _call_function(run, member_of(owner, name), node, site, assume=assume)
    whole = run.algebra.alternatives(owner)
    if whole.number is not None:
        run.refuse(site, f"the method {name} of a number")
    cases: list[tuple[Literal, Value]] = []
    for function, receivers in _dispatch(run, whole, name, site).items():
        literal = run.formula.either(*receivers.values())
        here = site.under(run.prover.possible(run.formula.both(site.guard, literal)))
        if here.guard == FALSE:
            continue
        if isinstance(function, ContainerValue):
            result = _conclude(run, _call_container_method(run, function, name, node, here), here, assume=assume)
        else:
            receiver = next(iter(receivers)) if len(receivers) == 1 else Alternatives(receivers)
            result = _invoke(run, function, [receiver], node, here, assume=assume)
        cases.append((literal, result))
    return None if assume else run.algebra.merge(cases)


def _dispatch(run: Run, whole: Alternatives, name: str, site: Site) -> dict[Any, dict[Any, Literal]]:
    """Return for each function (or container) that a method call can mean the receivers it is for."""
    found: dict[Any, dict[Any, Literal]] = {}
    for atom, literal in whole.atoms.items():
        if -literal in run.formula.units:
            continue
        if atom is None:
            run.reject(site.guard, literal)
        elif isinstance(atom, ContainerValue):
            found[atom] = {atom: literal}
        elif isinstance(atom, Thing) and isinstance(source := member_of(atom.cls, name), types.FunctionType):
            found.setdefault(run.program.function(source), {})[atom] = literal
        else:
            run.refuse(site, f"the method {name}")
    return found


def _invoke(run: Run, function: Function, first: list[Value], node: ast.Call, site: Site, *, assume: bool) -> Value:
    """Evaluate the arguments of a call, and make it."""
    arguments: list[Value] = first
    for each in node.args:
        if isinstance(each, ast.Starred):
            value = run.evaluate(site.at(each.value))
            if not isinstance(value, tuple):
                run.refuse(site, "a starred argument that is no tuple")
            arguments.extend(value)
        else:
            arguments.append(run.evaluate(site.at(each)))
    keywords: dict[str, Value] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            run.refuse(site, "** in a call")
        keywords[keyword.arg] = run.evaluate(site.at(keyword.value))
    return run.invoke(function, bind(run, function, arguments, keywords, site), site.guard, assume=assume)


def _conclude(run: Run, result: Value, site: Site, *, assume: bool) -> Value:
    """Return a result, or assert that it is true."""
    if not assume:
        return result
    run.formula.add(-site.guard, truth_of(run, result, site))
    return None


# -- Python's own functions ------------------------------------------------------------------------------


def _call_builtin(run: Run, function: Any, node: ast.Call, site: Site) -> Value:
    """Return what a builtin function gives."""
    if function in (any, all):
        return _any_or_all(run, function, node, site)
    if function in (sum, min, max) and len(node.args) == 1 and not node.keywords:
        return _fold(run, function, node, site)
    if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
        run.refuse(site, f"keywords or stars in a call of {function.__name__}")
    arguments = [run.evaluate(site.at(each)) for each in node.args]
    if function in MAKERS:
        return _make_container(run, function, arguments, site)
    return _call_plain(run, function, arguments, site)


def _call_plain(run: Run, function: Any, arguments: list[Value], site: Site) -> Value:
    """Return what a function gives whose arguments are evaluated."""
    match function.__name__, arguments:
        case "len", [value]:
            return _length(run, value, site)
        case "range", [stop]:
            return RangeValue(0, stop)
        case "range", [start, stop]:
            return RangeValue(start, stop)
        case "bool", [value]:
            return Truth(truth_of(run, value, site))
        case "int", [Truth() | Number() | bool() | int() as value]:
            return run.numeric(value, site.guard)
        case "abs", [value] if not isinstance(value, tuple | ContainerValue):
            number = run.numeric(value, site.guard)
            return run.algebra.extreme([number, number.negate()], largest=True)
        case ("min" | "max") as name, [_, _, *_]:
            for each in arguments:
                refuse_unordered(run, each, site)
            numbers = [run.numeric(each, site.guard) for each in arguments]
            return run.algebra.extreme(numbers, largest=name == "max")
        case "id", [value]:
            return _identity(run, value, site)
        case "isinstance", [value, classes]:
            wanted = classes if isinstance(classes, tuple) else (classes,)
            if not all(isinstance(each, type) for each in wanted) or isinstance(value, tuple):
                run.refuse(site, "isinstance with something that is no class")
            return Truth(_is_instance(run, value, wanted))
        case "type", [value]:
            return _type_of(run, value, site)
        case "enumerate", [value]:
            return _enumerate(run, value, site)
        case "getattr", [value, str() as name]:
            return run.algebra.merge(attributes_of(run, value, name, site))
        case "reversed", [ListValue() as value]:
            return ListValue(entries=value.list_entries()[::-1], queue=None)
    return run.refuse(site, f"a call of {function.__name__}")


def _length(run: Run, value: Value, site: Site) -> Value:
    """Return what `len` gives."""
    run_waiting_bodies(run, value, site.node)
    match value:
        case tuple() | str() | list() | dict() | set() | frozenset() | range():
            return len(value)
        case ContainerValue():
            return containers.count_items(run, value)
        case Alternatives(atoms=atoms, number=None) if all(
            atom is None or isinstance(atom, ContainerValue) for atom in atoms
        ):
            cases = []
            for atom, literal in atoms.items():
                if atom is None:
                    run.reject(site.guard, literal)
                else:
                    cases.append((literal, containers.count_items(run, atom)))
            return run.algebra.merge(cases)
        case None | Number():
            run.reject(site.guard)
            return 0
    return run.refuse(site, "the length of something that is no container")


def _identity(run: Run, value: Value, site: Site) -> Value:
    """Return what `id` gives."""
    whole = run.algebra.alternatives(value)
    if whole.number is not None or not all(isinstance(atom, Thing) or atom is None for atom in whole.atoms):
        run.refuse(site, "id() of something that is no object of a class")
    return Alternatives({Identity(atom) if atom is not None else None: under for atom, under in whole.atoms.items()})


def _is_instance(run: Run, value: Value, wanted: tuple[type, ...]) -> Literal:
    """Return whether a value is an object of one of the classes."""
    whole = run.algebra.alternatives(value)
    ways = [literal for atom, literal in whole.atoms.items() if issubclass(class_of(atom), wanted)]
    if whole.number is not None and issubclass(int, wanted):
        ways.append(whole.is_number)
    return run.formula.either(*ways)


def _type_of(run: Run, value: Value, site: Site) -> Value:
    """Return what `type` gives."""
    if isinstance(value, tuple):
        run.refuse(site, "the type of a tuple")
    whole = run.algebra.alternatives(value)
    cases: list[tuple[Literal, Value]] = [(literal, class_of(atom)) for atom, literal in whole.atoms.items()]
    if whole.number is not None:
        cases.append((whole.is_number, int))
    return run.algebra.merge(cases)


def class_of(atom: Any) -> type:
    """Return the class of one value."""
    if isinstance(atom, Thing):
        return atom.cls
    if isinstance(atom, Identity):
        return int
    if isinstance(atom, ContainerValue):
        usual = {SetValue: set, ListValue: list, DictValue: dict}[type(atom)]
        kind: type = CONTAINERS.get(atom.kind, usual)
        return kind
    return type(atom)


# -- new containers --------------------------------------------------------------------------------------


def _make_container(run: Run, function: Any, arguments: list[Value], site: Site) -> Value:
    """Return a new container with what another one holds."""
    if function is dict:
        if arguments:
            run.refuse(site, "dict() with arguments")
        return DictValue()
    if len(arguments) > 1:
        run.refuse(site, f"{function.__name__}() with two arguments")
    new: SetValue | ListValue = SetValue() if function in (set, frozenset) else ListValue()
    for source in arguments:
        if function is tuple and isinstance(source, tuple):
            return source
        run_waiting_bodies(run, source, site.node)
        _put_all(run, new, source, site)
    if function is tuple:
        new.fixed, new.kind = True, "tuple"
    return new


def _put_all(run: Run, target: SetValue | ListValue, source: Value, site: Site) -> None:
    """Put what one container holds into another."""
    for present, value in list(containers.items_of(run, source, site)):
        containers.put(run, target, value, site.under(run.formula.both(site.guard, present)))


def _enumerate(run: Run, value: Value, site: Site) -> ListValue:
    """Return pairs of a place and what stands there."""
    items = list(containers.items_of(run, value, site))
    dense = isinstance(value, tuple) or (isinstance(value, ListValue) and value.dense)
    entries: list[tuple[Literal, Value]] = [
        (present, (containers.count_before(run, items, place, dense=dense), each))
        for place, (present, each) in enumerate(items)
    ]
    return ListValue(entries=entries, queue=None, dense=dense)


# -- functions of all elements ---------------------------------------------------------------------------


def _elements(
    run: Run, node: ast.Call, site: Site, *, still: Callable[[], Literal] = lambda: TRUE
) -> Iterator[Site | tuple[Literal, Value]]:
    """Yield the elements of the one argument: still to be evaluated, if it is a generator expression."""
    if node.keywords or len(node.args) != 1:
        run.refuse(site, "keywords or several arguments here")
    argument = site.at(node.args[0])
    if isinstance(argument.node, ast.GeneratorExp):
        yield from rounds_of(run, argument, still=still)
        return
    source = run.evaluate(argument)
    run_waiting_bodies(run, source, node)
    yield from containers.items_of(run, source, site)


def _any_or_all(run: Run, function: Any, node: ast.Call, site: Site) -> Value:
    """Return whether any (or all) elements are true; elements after one that decides are not looked at."""
    both = run.formula.both
    decided = FALSE

    def still() -> Literal:
        return -decided

    for element in _elements(run, node, site, still=still):
        under = element.guard if isinstance(element, Site) else element[0]
        here = run.prover.possible(both(under, site.guard, -decided))
        if here == FALSE:
            continue
        true = run.truth(element.under(here)) if isinstance(element, Site) else truth_of(run, element[1], site)
        decided = run.formula.either(decided, both(here, true if function is any else -true))
    return Truth(decided if function is any else -decided)


def _fold(run: Run, function: Any, node: ast.Call, site: Site) -> Value:
    """Return the sum, least or largest of the elements."""
    algebra, nothing = run.algebra, Number(0, 0, ())
    parts: list[tuple[Literal, Number]] = []
    for element in _elements(run, node, site):
        here = run.formula.both(element.guard if isinstance(element, Site) else element[0], site.guard)
        value = run.evaluate(element.under(here)) if isinstance(element, Site) else element[1]
        refuse_unordered(run, value, site)
        parts.append((here, run.numeric(value, here)))
    if function is sum:
        total = nothing
        for under, number in parts:
            total = algebra.sum_of(total, algebra.merge_numbers([(under, number), (-under, nothing)]))
        return total
    present = run.formula.either(*(under for under, _ in parts))
    run.reject(site.guard, -present)
    if not parts:
        return 0
    low, high = min(each.low for _, each in parts), max(each.high for _, each in parts)
    missing = Number(low, low, ()) if function is max else Number(high, high, ())
    numbers = [algebra.merge_numbers([(under, each), (-under, missing)]) for under, each in parts]
    return algebra.extreme(numbers, largest=function is max)


# -- methods of containers -------------------------------------------------------------------------------


def _call_container_method(run: Run, target: Any, name: str, node: ast.Call, site: Site) -> Value:
    """Return what a method of a list, set or dict gives."""
    if node.keywords:
        run.refuse(site, f"keywords in a call of {name}")
    arguments = [run.evaluate(site.at(each)) for each in node.args]
    if target.fixed and name not in READERS:
        run.refuse(site, f"{name} on a container of the structure, which an invariant must not change")
    run_waiting_bodies(run, target, node)
    match target, name, arguments:
        case SetValue(), "add", [value]:
            containers.add_member(run, target, value, site)
        case SetValue(), ("discard" | "remove"), [value]:
            containers.discard_member(run, target, value, site, must=name == "remove")
        case (SetValue(), "update", [source]) | (ListValue(), "extend", [source]):
            _put_all(run, target, source, site)
        case ListValue(), "append", [value]:
            containers.append_entry(run, target, value, site.guard)
        case (ListValue(), "pop", [0]) | (ListValue(), "popleft", []):
            return containers.pop_entry(run, target, site.guard, first=True)
        case (ListValue(), "pop", []) | (ListValue(), "pop", [-1]):
            return containers.pop_entry(run, target, site.guard, first=False)
        case DictValue(), "get", [key]:
            return containers.item_or_usual(run, target, key, None, site)
        case DictValue(), "get", [key, usual]:
            return containers.item_or_usual(run, target, key, usual, site)
        case DictValue(), "keys", []:
            return target
        case DictValue(), "values", []:
            return ListValue(entries=[(present, target.entries[key][1]) for present, key in target.log], queue=None)
        case DictValue(), "items", []:
            pairs = [(present, (key, target.entries[key][1])) for present, key in target.log]
            return ListValue(entries=pairs, queue=None)
        case _:
            run.refuse(site, f"the method {name} with {len(arguments)} arguments")
    return None
