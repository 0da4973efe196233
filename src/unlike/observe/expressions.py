"""Expressions -> the same with probes: truth of conditions and operands, distances of comparisons, rounds.

    a < 5 and b        ->  (M(7) or ((not M(9)) if b else M(10))) if less_than(cell, a, 5) else M(8)     as a condition
    a or b             ->  (M(7) or t) if (t := a) else (M(8) or b)                                      as a value
    x if a else b      ->  (M(7) or x) if a else (M(8) or b)

M notes a number and gives None. Which of the two forms is right depends on whether only the truth is used.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from unlike.observe.deciding import TRIES, CannotLookError, Skipped
from unlike.observe.run import Kind
from unlike.observe.scopes import FunctionScope, assigned_names, names_in
from unlike.observe.tables import SourceText, Tables, Turn

Node = TypeVar("Node", bound=ast.AST)
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
COMPARISONS: dict[type[ast.cmpop], str] = {  # the names of their probes
    ast.Lt: "less_than",
    ast.LtE: "at_most",
    ast.Gt: "more_than",
    ast.GtE: "at_least",
    ast.Eq: "equals",
    ast.NotEq: "differs",
    ast.In: "is_in",
    ast.NotIn: "is_not_in",
}
LITERAL = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Lambda)  # what is true or false whatever happens
BEGINNINGS = {"startswith": "starts_with", "endswith": "ends_with"}


def _asks_again() -> bool:
    """Tell whether in `(a or b) and c` this Python asks for the truth of `a` for `or`, and again for `and`."""
    asked = []

    class Asking:
        def __bool__(self) -> bool:
            asked.append(self)
            return True

    return ((Asking() or 0) and len(asked)) > 1


ASKS_AGAIN = _asks_again()  # 3.11 does not, 3.12 does
# nodes that are treated as another kind is
ALIKE = {"asyncfunctiondef": "functiondef", "asyncfor": "for", "asyncwith": "with"}
ALIKE |= dict.fromkeys(("setcomp", "dictcomp", "generatorexp"), "listcomp")


class ExpressionProber(ast.NodeTransformer):
    """Puts probes into expressions, and writes into the tables what it puts there."""

    def __init__(self, text: str, file: str, tables: Tables, namespace: Mapping[str, Any]) -> None:
        self.source = SourceText(file, text)
        self.tables, self.namespace = tables, namespace
        self.scope: FunctionScope | None = None
        self.path: list[str] = []
        self.tries: list[int] = []  # the first handlers around what is visited, in its function
        recorder = tables.recorder
        self.counts = recorder.counts
        self.record = recorder.record
        self.mark: Callable[[int], None] = recorder.record.mark
        self.enter: Callable[[int], None] = recorder.entered.add
        self.ended: Callable[[Any], None] = recorder.loops.add
        self.leave = recorder.leave

    def visit(self, node: ast.AST) -> Any:
        """Visit a node as its kind is visited."""
        name = type(node).__name__.lower()
        return getattr(self, f"visit_{ALIKE.get(name, name)}", self.generic_visit)(node)

    # -- pieces of probes --------------------------------------------------------------------------

    def _spot(self, node: Any, kind: Kind, end: Any = None) -> int:
        """Return the number of a new spot: a node, or what stands from it to the end of another one."""
        return self.tables.spot(self.source.spot(node, end or node, kind, ".".join(self.path)))

    def _count(self, *turns: Turn) -> ast.stmt:
        """Return `C[slot] += 1`."""
        place = ast.Subscript(self.tables.constant(self.counts), ast.Constant(self.tables.slot(*turns)), ast.Store())
        return ast.AugAssign(place, ast.Add(), ast.Constant(1))

    def _mark(self, *turns: Turn) -> ast.expr:
        """Return `M(slot)`, which is None."""
        return self._call(self.mark, ast.Constant(self.tables.slot(*turns)))

    def _call(self, probe: object, *arguments: ast.expr) -> ast.expr:
        return ast.Call(self.tables.constant(probe), [*arguments], [])

    def _probe(self, name: str, *arguments: ast.expr) -> ast.expr:
        """Return a call of a probe by its name: compiled, or not."""
        return self._call(self.tables.recorder.probes[name], *arguments)

    def _then(self, mark: ast.expr, value: ast.expr) -> ast.expr:
        """Return `M(slot) or value`."""
        return ast.BoolOp(ast.Or(), [mark, value])

    def _temporary(self, scope: FunctionScope) -> str:
        scope.temporaries += 1
        return f"@{scope.temporaries}"  # a name that no source can have

    # -- expressions -------------------------------------------------------------------------------

    def visit_ifexp(self, node: ast.IfExp) -> ast.AST:
        """Mark both branches."""
        if self.scope is None or isinstance(node.test, ast.Constant):
            return self.generic_visit(node)
        spot = self._spot(node.test, "condition")
        node.test = self._visit_test(node.test)
        node.body = at(node.body, self._then(self._mark((spot, True)), self.visit(node.body)))
        node.orelse = at(node.orelse, self._then(self._mark((spot, False)), self.visit(node.orelse)))
        return node

    def _marked_test(self, test: ast.expr, if_true: Turn, if_false: Turn) -> ast.expr:
        """Return a condition that marks its outcome: `not M(…) if test else M(…)`."""
        made = ast.IfExp(self._visit_test(test), negate(self._mark(if_true)), self._mark(if_false))
        return at(test, made)

    def _visit_test(self, node: ast.expr) -> ast.expr:
        """Visit an expression of which only the truth is used."""
        match node:
            case ast.UnaryOp(ast.Not(), operand):
                node.operand = self._visit_test(operand)
                return node
            case ast.BoolOp(op, values):
                return self._visit_operands(node, isinstance(op, ast.And), values, as_value=False)
            case ast.Compare(_, [_]):
                spot = self._spot(node, "comparison")
                left, right = self.visit(node.left), self.visit(node.comparators[0])
                return at(node, self._compare(node.ops[0], left, right, spot))
            case ast.Compare() if self._may_assign():
                sides = [node.left, *node.comparators]
                spots = [self._spot(a, "operand", b) for a, b in itertools.pairwise(sides)]
                return self._join_operands(node, True, self._split_chain(node, as_value=False), spots, {})
        visited: ast.expr = self.visit(node)
        return visited

    def _may_assign(self) -> bool:
        return self.scope is not None and self.scope.may_assign

    def visit_boolop(self, node: ast.BoolOp) -> ast.AST:
        """Mark the truth of each operand; of the last, which nobody asks for, where no code of the user's says it."""
        if not self._may_assign():
            return self.generic_visit(node)
        return self._visit_operands(node, isinstance(node.op, ast.And), node.values, as_value=True)

    def _visit_operands(self, node: ast.BoolOp, is_and: bool, values: list[ast.expr], *, as_value: bool) -> ast.expr:
        spots, deciding = self._look_at_operands(is_and, values)
        if not as_value:
            return self._join_operands(node, is_and, [self._visit_test(each) for each in values], spots, deciding)
        assert self.scope is not None
        names = [self._temporary(self.scope) for _ in values[1:]]
        tests = [self._capture(each, name) for each, name in zip(values, names, strict=False)]
        last = self._visit_last(values[-1], spots[-1], is_and)
        return self._join_values(node, is_and, [*zip(tests, names, strict=True)], last, spots, deciding)

    def _visit_last(self, node: ast.expr, spot: int, is_and: bool) -> ast.expr:
        """Mark the truth of a last operand whose value is used; a literal has only one."""
        visited: ast.expr = self.visit(node)
        if isinstance(node, LITERAL):
            return visited
        decides: dict[bool, list[Turn]] = {is_and: [], not is_and: [(spot, "decides")]}
        slots = [ast.Constant(self.tables.slot((spot, truth), *decides[truth])) for truth in (True, False)]
        return at(node, self._probe("has_known_truth", self.tables.constant(self.record), *slots, visited))

    def _look_at_operands(self, is_and: bool, values: list[ast.expr]) -> tuple[list[int], dict[int, ast.expr]]:
        """Return the spots of operands, and for each place what looks whether that operand decides."""
        spots = [self._spot(each, "operand") for each in values]
        decisions = {
            place: self._decision(spots[place], is_and, values[place + 1 :]) for place in range(len(values) - 1)
        }
        return spots, {place: decision for place, decision in decisions.items() if decision is not None}

    def _capture(self, node: ast.expr, name: str) -> ast.expr:
        """Return a condition that also gives its value a name; truth is asked for as often as this Python does."""
        match node:
            case ast.BoolOp(op, values):
                spots, deciding = self._look_at_operands(isinstance(op, ast.And), values)
                tests = [self._capture(each, name) for each in values]
                return self._join_operands(node, isinstance(op, ast.And), tests, spots, deciding, name)
            case ast.Compare(left, _, comparators) if len(comparators) > 1:
                spots = [self._spot(a, "operand", b) for a, b in itertools.pairwise([left, *comparators])]
                named = [at(node, _name_value(name, each)) for each in self._split_chain(node, as_value=False)]
                return self._join_operands(node, True, named, spots, {}, name)
        return at(node, _name_value(name, self.visit(node)))

    def _join_operands(
        self,
        node: ast.expr,
        is_and: bool,
        tests: list[ast.expr],
        spots: list[int],
        deciding: dict[int, ast.expr],
        captured: str | None = None,
    ) -> ast.expr:
        """Return tests joined by `and` / `or`, each marked: `(M(T) or rest) if test else M(F)`."""
        joined: ast.expr | None = None
        for place in reversed(range(len(tests))):
            spot = spots[place]
            decides: list[Turn] = [(spot, "decides")] if joined is None else []
            went_on, stopped = (True, False) if is_and else (False, True)
            stop = self._mark((spot, stopped), *decides)
            if place in deciding:
                stop = self._then(stop, deciding[place])  # gives something false, too
            if joined is None:
                onward = self._mark((spot, went_on))
                parts = [negate(onward), stop] if is_and else [negate(stop), onward]
            else:
                onward = self._then(self._mark((spot, went_on)), joined)
                settled = stop if is_and else negate(stop)
                if captured is not None and ASKS_AGAIN:
                    settled = self._then(stop, ast.Name(captured, ast.Load()))
                parts = [onward, settled] if is_and else [settled, onward]
            joined = at(node, ast.IfExp(tests[place], *parts))
        assert joined is not None, "there are at least two"
        return joined

    def _join_values(
        self,
        node: ast.expr,
        is_and: bool,
        captured: list[tuple[ast.expr, str]],
        last: ast.expr,
        spots: list[int],
        deciding: dict[int, ast.expr],
    ) -> ast.expr:
        """Return values joined by `and` / `or`: `(M(T) or rest) if (t := value) else (M(F) or t)`."""
        joined = last
        for place, (test, name) in reversed([*enumerate(captured)]):
            onward = self._then(self._mark((spots[place], is_and)), joined)
            stop = self._mark((spots[place], not is_and))
            if place in deciding:
                stop = self._then(stop, deciding[place])
            stop = self._then(stop, ast.Name(name, ast.Load()))
            joined = at(node, ast.IfExp(test, *([onward, stop] if is_and else [stop, onward])))
        return joined

    def _decision(self, spot: int, is_and: bool, skipped: list[ast.expr]) -> ast.expr | None:
        """Return what looks whether an operand decides: something false; None where the skipped cannot be looked at."""
        scope = self.scope
        assert scope is not None
        read = set[str]().union(*map(names_in, skipped)) & scope.open
        if not read <= scope.bound:
            return None
        names = sorted(read)
        try:
            operands = Skipped(skipped, names, self.namespace)
        except CannotLookError:
            return None
        tries, decides = self.tables.slot(start=TRIES), self.tables.slot((spot, "decides"))
        counts, mark = self.counts, self.mark

        def look(*values: Any) -> None:
            counts[tries] -= 1
            if operands.are_all(is_and, values):
                counts[tries] = 0
                mark(decides)

        left = ast.Subscript(self.tables.constant(counts), ast.Constant(tries), ast.Load())
        call = self._call(look, *[ast.Name(name, ast.Load()) for name in names])
        return ast.BoolOp(ast.And(), [left, call])

    def visit_compare(self, node: ast.Compare) -> ast.AST:
        """Look at both sides, and at the result."""
        if self.scope is None or (len(node.ops) > 1 and not self.scope.may_assign):
            return self.generic_visit(node)
        if len(node.ops) > 1:
            return at(node, ast.BoolOp(ast.And(), self._split_chain(node, as_value=True)))
        spot = self._spot(node, "comparison")
        compared = self._compare(node.ops[0], self.visit(node.left), self.visit(node.comparators[0]), spot)
        return at(node, self._with_result(compared, spot))

    def _with_result(self, compared: ast.expr, spot: int) -> ast.expr:
        """Return a comparison whose result is marked."""
        slots = [ast.Constant(self.tables.slot((spot, truth))) for truth in (True, False)]
        return self._probe("is_true_or_false", self.tables.constant(self.record), *slots, compared)

    def _compare(self, op: ast.cmpop, left: ast.expr, right: ast.expr, spot: int) -> ast.expr:
        """Return a single comparison, done by its probe."""
        name = COMPARISONS.get(type(op))
        if name is None:  # `is`: no distance
            return ast.Compare(left, [op], [right])
        return self._probe(name, self.tables.constant(self.tables.cell(spot)), left, right)

    def _split_chain(self, node: ast.Compare, *, as_value: bool) -> list[ast.expr]:
        """Return `a < b < c` as `a < (t := b)` and `t < c`."""
        assert self.scope is not None
        spots = [self._spot(a, "comparison", b) for a, b in itertools.pairwise([node.left, *node.comparators])]
        pairs: list[ast.expr] = []
        left = self.visit(node.left)
        for op, each, spot in zip(node.ops, node.comparators, spots, strict=True):
            right: ast.expr = self.visit(each)
            following = right
            if spot != spots[-1]:
                name = self._temporary(self.scope)
                right, following = _name_value(name, right), ast.Name(name, ast.Load())
            compared = self._compare(op, left, right, spot)
            pairs.append(at(node, self._with_result(compared, spot) if as_value else compared))
            left = following
        return pairs

    def visit_joinedstr(self, node: ast.JoinedStr) -> ast.AST:
        """Leave it: what it shows decides nothing."""
        return node

    def visit_call(self, node: ast.Call) -> ast.AST:
        """Look how far a text is from beginning or ending so."""
        match node:
            case ast.Call(ast.Attribute(text, name), [part], []) if self.scope is not None and name in BEGINNINGS:
                if isinstance(part, ast.Constant | ast.Name) or (
                    isinstance(part, ast.Tuple) and all(isinstance(each, ast.Constant) for each in part.elts)
                ):  # nothing that raises: it is evaluated before the method is looked up
                    cell = self.tables.constant(self.tables.cell(self._spot(node, "comparison")))
                    return at(node, self._probe(BEGINNINGS[name], cell, self.visit(text), part))
        return self.generic_visit(node)

    def visit_listcomp(self, node: Comprehension) -> ast.AST:
        """Mark conditions and rounds; in what it runs over, nothing may be assigned."""
        scope = self.scope
        if scope is None:
            return self.generic_visit(node)
        before = {*scope.bound}
        for each in node.generators:
            loop = self._spot(each.target, "loop", each.iter)
            might, scope.may_assign = scope.may_assign, False
            iterable = self.visit(each.iter)
            scope.may_assign = might
            scope.bind(assigned_names(each.target))
            entry, rounds = self.tables.slot(), self.tables.slot()
            self.tables.rounds[entry] = (loop, rounds)
            each.iter = at(each.iter, self._then(self._call(self.mark, ast.Constant(entry)), iterable))
            spots = [self._spot(test, "condition") for test in each.ifs]
            tests = [self._marked_test(test, (n, True), (n, False)) for n, test in zip(spots, each.ifs, strict=True)]
            each.ifs = [at(each.iter, negate(self._call(self.mark, ast.Constant(rounds)))), *tests]
        if isinstance(node, ast.DictComp):
            node.key, node.value = self.visit(node.key), self.visit(node.value)
        else:
            node.elt = self.visit(node.elt)
        scope.bound = before
        return node


def at(place: ast.AST, node: Node) -> Node:
    """Return a new node, said to stand where another one does."""
    return ast.copy_location(node, place)


def _name_value(name: str, value: ast.expr) -> ast.expr:
    return ast.NamedExpr(ast.Name(name, ast.Store()), value)


def negate(node: ast.expr) -> ast.expr:
    """Return `not node`."""
    return ast.UnaryOp(ast.Not(), node)
