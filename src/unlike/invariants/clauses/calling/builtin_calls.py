"""Calls of Python's own functions, and of the methods of lists, sets and dicts."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from unlike.invariants.clauses.formula import FALSE, TRUE, Literal
from unlike.invariants.clauses.running.expressions import Expressions
from unlike.invariants.clauses.running.machine import Frame, Machine
from unlike.invariants.clauses.values import (
    Choice,
    Container,
    DictValue,
    Identity,
    ListValue,
    Number,
    Range,
    SetValue,
    Thing,
    Truth,
    Value,
)

MAKERS = (set, list, dict, tuple, frozenset, deque)


class BuiltinCalls:
    """Calls whose function is not the user's."""

    def __init__(self, machine: Machine, expressions: Expressions) -> None:
        self.machine = machine
        self.formula = machine.formula
        self.prover = machine.prover
        self.algebra = machine.algebra
        self.expressions = expressions
        self.containers = expressions.containers

    def call(self, function: Any, node: ast.Call, frame: Frame, guard: Literal) -> Value:
        """Return what a builtin function gives."""
        if function in (any, all):
            return self.any_or_all(function, node, frame, guard)
        if function in (sum, min, max) and len(node.args) == 1 and not node.keywords:
            return self.folded(function, node, frame, guard)
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            self.machine.refuse(frame, node, f"keywords or stars in a call of {function.__name__}")
        arguments = [self.expressions.evaluate(each, frame, guard) for each in node.args]
        if function in MAKERS:
            return self.made(function, arguments, frame, node, guard)
        return self.plain(function, arguments, frame, node, guard)

    def plain(self, function: Any, arguments: list[Value], frame: Frame, node: ast.Call, guard: Literal) -> Value:
        """Return what a function gives whose arguments are evaluated."""
        machine = self.machine
        match function.__name__, arguments:
            case "len", [value]:
                return self.length(value, frame, node, guard)
            case "range", [stop]:
                return Range(0, stop)
            case "range", [start, stop]:
                return Range(start, stop)
            case "bool", [value]:
                return Truth(machine.truth(value, frame, node))
            case "int", [Truth() | Number() | bool() | int() as value]:
                return machine.numeric(value, guard)
            case "abs", [value] if not isinstance(value, tuple | Container):
                number = machine.numeric(value, guard)
                return self.algebra.extreme([number, number.negated()], largest=True)
            case ("min" | "max") as name, [_, _, *_]:
                for each in arguments:
                    self.expressions.operators.refuse_unordered(each, frame, node)
                numbers = [machine.numeric(each, guard) for each in arguments]
                return self.algebra.extreme(numbers, largest=name == "max")
            case "id", [value]:
                return self.identity(value, frame, node)
            case "isinstance", [value, classes]:
                return self.is_instance(value, classes, frame, node)
            case "type", [value]:
                return self.type_of(value, frame, node)
            case "enumerate", [value]:
                return self.numbered(value, frame, node, guard)
            case "getattr", [value, str() as name]:
                return self.algebra.merge(self.expressions.attributes_of(value, name, frame, node, guard))
            case "reversed", [ListValue() as value]:
                return ListValue(entries=value.listed()[::-1], queue=None)
        return machine.refuse(frame, node, f"a call of {function.__name__}")

    def length(self, value: Value, frame: Frame, node: ast.Call, guard: Literal) -> Value:
        """Return what `len` gives."""
        self.expressions.calls.settle(value, node)
        match value:
            case tuple() | str() | list() | dict() | set() | frozenset() | range():
                return len(value)
            case Container():
                return self.containers.count(value)
            case Choice(atoms=atoms, number=None):
                cases = []
                for atom, literal in atoms.items():
                    if isinstance(atom, Container):
                        cases.append((literal, self.containers.count(atom)))
                    elif atom is None:
                        self.machine.reject(guard, literal)
                    else:
                        self.machine.refuse(frame, node, "the length of something that is no container")
                return self.algebra.merge(cases)
            case None | Number():
                self.machine.reject(guard)
                return 0
        return self.machine.refuse(frame, node, "the length of something that is no container")

    def identity(self, value: Value, frame: Frame, node: ast.Call) -> Value:
        """Return what `id` gives."""
        whole = self.algebra.choice(value)
        if whole.number is not None or not all(isinstance(atom, Thing) or atom is None for atom in whole.atoms):
            self.machine.refuse(frame, node, "id() of something that is no object of a class")
        atoms = {Identity(atom) if isinstance(atom, Thing) else None: under for atom, under in whole.atoms.items()}
        return Choice(atoms)

    def is_instance(self, value: Value, classes: Value, frame: Frame, node: ast.Call) -> Value:
        """Return what `isinstance` gives."""
        wanted = classes if isinstance(classes, tuple) else (classes,)
        if not all(isinstance(each, type) for each in wanted) or isinstance(value, tuple):
            self.machine.refuse(frame, node, "isinstance with something that is no class")
        whole = self.algebra.choice(value)
        ways = [literal for atom, literal in whole.atoms.items() if issubclass(self.kind(atom), wanted)]
        if whole.number is not None and issubclass(int, wanted):
            ways.append(whole.is_number)
        return Truth(self.formula.either(*ways) if ways else FALSE)

    def type_of(self, value: Value, frame: Frame, node: ast.Call) -> Value:
        """Return what `type` gives."""
        if isinstance(value, tuple):
            self.machine.refuse(frame, node, "the type of a tuple")
        whole = self.algebra.choice(value)
        cases: list[tuple[Literal, Value]] = [(literal, self.kind(atom)) for atom, literal in whole.atoms.items()]
        if whole.number is not None:
            cases.append((whole.is_number, int))
        return self.algebra.merge(cases)

    def kind(self, atom: Any) -> type:
        """Return the class of one value."""
        if isinstance(atom, Thing):
            return atom.cls
        if isinstance(atom, Identity):
            return int
        if isinstance(atom, Container):
            usual = {SetValue: set, ListValue: list, DictValue: dict}[type(atom)]
            return KINDS.get(atom.kind, usual)
        return type(atom)

    # -- makers, rounds ------------------------------------------------------------------------------

    def made(self, function: Any, arguments: list[Value], frame: Frame, node: ast.Call, guard: Literal) -> Value:
        """Return a new container with what another one holds."""
        at = frame, node
        if function is dict:
            if arguments:
                self.machine.refuse(frame, node, "dict() with arguments")
            return DictValue()
        if len(arguments) > 1:
            self.machine.refuse(frame, node, f"{function.__name__}() with two arguments")
        new: SetValue | ListValue = SetValue() if function in (set, frozenset) else ListValue()
        for source in arguments:
            if function is tuple and isinstance(source, tuple):
                return source
            self.expressions.calls.settle(source, node)
            for present, value in list(self.containers.items(source, guard, at=at)):
                self.expressions.put(new, value, self.formula.both(guard, present), at=at)
        if function is tuple:
            new.fixed, new.kind = True, "tuple"
        return new

    def numbered(self, value: Value, frame: Frame, node: ast.Call, guard: Literal) -> ListValue:
        """Return pairs of a place and what stands there."""
        items = list(self.containers.items(value, guard, at=(frame, node)))
        dense = isinstance(value, tuple) or (isinstance(value, ListValue) and value.dense)
        entries: list[tuple[Literal, Value]] = [
            (present, (self.containers.rank(items, place, dense=dense), each))
            for place, (present, each) in enumerate(items)
        ]
        return ListValue(entries=entries, queue=None, dense=dense)

    def rounds(
        self, node: ast.Call, frame: Frame, guard: Literal, *, still: Callable[[], Literal] = lambda: TRUE
    ) -> Iterator[tuple[Literal, ast.expr | Value, Frame | None]]:
        """Yield the elements of the one argument: still to be evaluated, if it is a generator expression."""
        if node.keywords or len(node.args) != 1:
            self.machine.refuse(frame, node, "keywords or several arguments here")
        argument = node.args[0]
        if isinstance(argument, ast.GeneratorExp):
            yield from self.expressions.generated(argument, frame, guard, still=still)
            return
        source = self.expressions.evaluate(argument, frame, guard)
        self.expressions.calls.settle(source, node)
        for present, value in self.containers.items(source, guard, at=(frame, node)):
            yield present, value, None

    def any_or_all(self, function: Any, node: ast.Call, frame: Frame, guard: Literal) -> Value:
        """Return whether any (or all) elements are true; elements after one that decides are not looked at."""
        both, either, possible = self.formula.both, self.formula.either, self.prover.possible
        decided = FALSE

        def still() -> Literal:
            return -decided

        for under, element, inner in self.rounds(node, frame, guard, still=still):
            here = possible(both(under, guard, -decided))
            if here == FALSE:
                continue
            if inner is None:
                true = self.machine.truth(element, frame, node)
            else:
                assert isinstance(element, ast.expr)
                true = self.expressions.truth(element, inner, here)
            decided = either(decided, both(here, true if function is any else -true))
        return Truth(decided if function is any else -decided)

    def folded(self, function: Any, node: ast.Call, frame: Frame, guard: Literal) -> Value:
        """Return the sum, least or largest of the elements."""
        parts: list[tuple[Literal, Number]] = []
        for under, element, inner in self.rounds(node, frame, guard):
            here = self.formula.both(under, guard)
            if inner is not None:
                assert isinstance(element, ast.expr)
                element = self.expressions.evaluate(element, inner, here)
            self.expressions.operators.refuse_unordered(element, frame, node)
            parts.append((here, self.machine.numeric(element, here)))
        if function is sum:
            total = Number(0, 0, ())
            for under, number in parts:
                total = self.algebra.sum_of(
                    total, self.algebra.merged_numbers([(under, number), (-under, Number(0, 0, ()))])
                )
            return total
        present = self.formula.either(*(under for under, _ in parts)) if parts else FALSE
        self.machine.reject(guard, -present)
        if not parts:
            return 0
        low, high = min(each.low for _, each in parts), max(each.high for _, each in parts)
        missing = Number(low, low, ()) if function is max else Number(high, high, ())
        numbers = [self.algebra.merged_numbers([(under, each), (-under, missing)]) for under, each in parts]
        return self.algebra.extreme(numbers, largest=function is max)

    # -- methods of containers -----------------------------------------------------------------------

    def method(self, target: Any, name: str, node: ast.Call, frame: Frame, guard: Literal) -> Value:
        """Return what a method of a list, set or dict gives."""
        if node.keywords:
            self.machine.refuse(frame, node, f"keywords in a call of {name}")
        arguments = [self.expressions.evaluate(each, frame, guard) for each in node.args]
        if target.fixed and name not in READERS:
            self.machine.refuse(
                frame, node, f"{name} on a container of the structure, which an invariant must not change"
            )
        self.expressions.calls.settle(target, node)
        at = frame, node
        match target, name, arguments:
            case SetValue(), "add", [value]:
                self.containers.add(target, value, guard, at=at)
            case SetValue(), ("discard" | "remove"), [value]:
                self.containers.discard(target, value, guard, at=at, must=name == "remove")
            case (SetValue(), "update", [source]) | (ListValue(), "extend", [source]):
                for present, value in list(self.containers.items(source, guard, at=at)):
                    self.expressions.put(target, value, self.formula.both(guard, present), at=at)
            case ListValue(), "append", [value]:
                self.containers.append(target, value, guard)
            case (ListValue(), "pop", [0]) | (ListValue(), "popleft", []):
                return self.containers.pop(target, guard, first=True)
            case (ListValue(), "pop", []) | (ListValue(), "pop", [-1]):
                return self.containers.pop(target, guard, first=False)
            case DictValue(), "get", [key]:
                return self.containers.get(target, key, None, at=at)
            case DictValue(), "get", [key, usual]:
                return self.containers.get(target, key, usual, at=at)
            case DictValue(), "keys", []:
                return target
            case DictValue(), "values", []:
                return self.listed(target, lambda _, value: value)
            case DictValue(), "items", []:
                return self.listed(target, lambda key, value: (key, value))
            case _:
                self.machine.refuse(frame, node, f"the method {name} with {len(arguments)} arguments")
        return None

    def listed(self, source: DictValue, pick: Any) -> ListValue:
        """Return keys, values or both of a dict, in the order in which keys came."""
        entries = [(present, pick(key, source.entries[key][1])) for present, key in source.log]
        return ListValue(entries=entries, queue=None)


KINDS: dict[str, type] = {"set": set, "list": list, "dict": dict, "tuple": tuple, "frozenset": frozenset}
READERS = frozenset({"get", "keys", "values", "items", "count", "index"})
