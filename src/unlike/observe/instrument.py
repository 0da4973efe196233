"""Source -> the same source with probes: at conditions, operands, comparisons, loops, handlers, and around functions.

    if a < 5 and b:                 if (M(7) or ((not M(9)) if b else M(10))) if less_than(cell, a, 5) else M(8):
        f(a)               ->           C[11] += 1
                                        f(a)
                                    else:
                                        C[12] += 1

C, M (which gives None) and the cells are constants of the compiled code, so no name is added anywhere. Each probe
gives the code what it would have had, evaluates everything once and in its order, and asks for the truth of a value
only where the code does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from unlike.observe.expressions import ExpressionProber, at
from unlike.observe.recorder import NEVER
from unlike.observe.scopes import Function, FunctionScope, assigned_names, enter_scope, own_nodes
from unlike.observe.tables import Tables, Turn


def add_probes(text: str, file: str, tables: Tables, namespace: Mapping[str, Any]) -> ast.Module:
    """Return a module with probes in every function; what stands outside of functions stays as it is."""
    probed: ast.Module = Prober(text, file, tables, namespace).visit(ast.parse(text))
    return ast.fix_missing_locations(probed)


class Prober(ExpressionProber):
    """Walks over a module."""

    # -- functions ---------------------------------------------------------------------------------

    def _visit_function(self, node: Function, name: str, body: Callable[[FunctionScope], None]) -> None:
        """Let a body be visited in the scope of its function."""
        outer, tables = self.scope, self.tables
        number, start = len(tables.lines), len(tables.recorder.starts)
        tables.lines.append({})
        tables.recorder.spans.append((start, start))
        self.scope = enter_scope(node, number, outer, name)
        self.path.append(name)
        tries, self.tries = self.tries, []
        body(self.scope)
        self.tries = tries
        tables.recorder.spans[number] = (start, len(tables.recorder.starts))
        self.path.pop()
        self.scope = outer

    def visit_functiondef(self, node: ast.FunctionDef) -> ast.AST:
        """Visit what is evaluated around it, then put probes into the body and around it."""
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.args = self.visit(node.args)

        def visit_body(scope: FunctionScope) -> None:
            kept = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
            self._note_lines(node, scope.number)
            entry = ast.Expr(self._call(self.enter, ast.Constant(scope.number)))
            body = self._visit_block(node.body[len(kept) :]) or [ast.Pass()]
            leaving = ast.Expr(self._call(self.leave, ast.Constant(scope.number)))
            handler = ast.ExceptHandler(self.tables.constant(Exception), None, [leaving, ast.Raise()])
            node.body = [
                *kept,
                ast.copy_location(entry, node),
                ast.copy_location(ast.Try(body, [handler], [], []), node),
            ]

        self._visit_function(node, node.name, visit_body)
        return node

    def visit_lambda(self, node: ast.Lambda) -> ast.AST:
        """Put probes into its body."""
        node.args = self.visit(node.args)

        def visit_body(scope: FunctionScope) -> None:
            node.body = self._then(self._call(self.enter, ast.Constant(scope.number)), self.visit(node.body))

        self._visit_function(node, "<lambda>", visit_body)
        return node

    def visit_classdef(self, node: ast.ClassDef) -> ast.AST:
        """Visit the functions in it: its own statements are no function's."""
        outer, self.scope = self.scope, None
        self.path.append(node.name)
        self.generic_visit(node)
        self.path.pop()
        self.scope = outer
        return node

    def _note_lines(self, node: Function, number: int) -> None:
        """Give every line that an exception can come from a spot."""
        starts: dict[int, ast.AST] = {}
        for each in own_nodes(node):
            if isinstance(each, ast.stmt | ast.expr):
                starts.setdefault(each.lineno, each)
        self.tables.lines[number] = {line: self._spot(starts[line], "exception") for line in sorted(starts)}

    # -- statements --------------------------------------------------------------------------------

    def _visit_block(self, block: list[ast.stmt]) -> list[ast.stmt]:
        """Visit statements in their order; what they assign has a value for those after them."""
        scope = self.scope
        before = {*scope.bound} if scope else set()
        found: list[ast.stmt] = []
        for each in block:
            made = self.visit(each)
            found += made if isinstance(made, list) else [made]
            if scope and isinstance(each, ast.Assign | ast.AnnAssign | ast.AugAssign) and each.value is not None:
                targets = each.targets if isinstance(each, ast.Assign) else [each.target]
                scope.bind({name for target in targets for name in assigned_names(target)})
        if scope:
            scope.bound = before
        return found

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Visit all parts, blocks of statements by their order."""
        for name, old in ast.iter_fields(node):
            if isinstance(old, list) and old and all(isinstance(each, ast.stmt) for each in old):
                setattr(node, name, self._visit_block(old))
            elif isinstance(old, list):
                setattr(node, name, [self.visit(each) if isinstance(each, ast.AST) else each for each in old])
            elif isinstance(old, ast.AST):
                setattr(node, name, self.visit(old))
        return node

    def visit_if(self, node: ast.If) -> ast.AST:
        """Count both branches."""
        if self.scope is None or isinstance(node.test, ast.Constant):
            return self.generic_visit(node)
        spot = self._spot(node.test, "condition")
        node.test = self._visit_test(node.test)
        node.body = [at(node, self._count((spot, True))), *self._visit_block(node.body)]
        node.orelse = [at(node, self._count((spot, False))), *self._visit_block(node.orelse)]
        return node

    def visit_while(self, node: ast.While) -> Any:
        """Count both branches, and rounds."""
        if self.scope is None:
            return self.generic_visit(node)
        loop = self._spot(node, "loop", node.test)
        if isinstance(node.test, ast.Constant):
            self.generic_visit(node)
        else:
            spot = self._spot(node.test, "condition")
            node.test = self._visit_test(node.test)
            node.body = [at(node, self._count((spot, True))), *self._visit_block(node.body)]
            node.orelse = [at(node, self._count((spot, False))), *self._visit_block(node.orelse)]
        return self._with_rounds(node, loop)

    def visit_for(self, node: ast.For | ast.AsyncFor) -> Any:
        """Count rounds; the target has a value inside."""
        if self.scope is None:
            return self.generic_visit(node)
        loop = self._spot(node, "loop", node.iter)
        node.iter, node.target = self.visit(node.iter), self.visit(node.target)
        before = {*self.scope.bound}
        self.scope.bind(assigned_names(node.target))
        node.body = self._visit_block(node.body)
        self.scope.bound = before
        node.orelse = self._visit_block(node.orelse)
        return self._with_rounds(node, loop)

    def _with_rounds(self, node: ast.While | ast.For | ast.AsyncFor, loop: int) -> list[ast.stmt]:
        """Return the loop, after `ended((slot, C[slot])); C[slot] = 0`, and with `C[slot] += 1` in it."""
        slot = self.tables.slot(start=NEVER)
        self.tables.loops[slot] = loop

        def rounds_so_far(context: ast.expr_context) -> ast.Subscript:
            return ast.Subscript(self.tables.constant(self.counts), ast.Constant(slot), context)

        last = ast.Tuple([ast.Constant(slot), rounds_so_far(ast.Load())], ast.Load())
        node.body.insert(0, at(node, ast.AugAssign(rounds_so_far(ast.Store()), ast.Add(), ast.Constant(1))))
        return [
            at(node, ast.Expr(self._call(self.ended, last))),
            at(node, ast.Assign([rounds_so_far(ast.Store())], ast.Constant(0))),
            node,
        ]

    def visit_assert(self, node: ast.Assert) -> ast.AST:
        """Mark both outcomes."""
        if self.scope is not None and not isinstance(node.test, ast.Constant):
            spot = self._spot(node.test, "condition")
            node.test = self._marked_test(node.test, (spot, True), (spot, False))
        node.msg = self.visit(node.msg) if node.msg is not None else None
        return node

    def visit_with(self, node: ast.With | ast.AsyncWith) -> ast.AST:
        """Visit it; what it names has a value inside."""
        node.items = [self.visit(each) for each in node.items]
        if self.scope is None:
            node.body = self._visit_block(node.body)
            return node
        before = {*self.scope.bound}
        for each in node.items:
            if each.optional_vars is not None:
                self.scope.bind(assigned_names(each.optional_vars))
        node.body = self._visit_block(node.body)
        self.scope.bound = before
        return node

    def visit_try(self, node: ast.Try) -> ast.AST:
        """Count how often its first handler is not needed: the body ends, or a value is returned from it."""
        if self.scope is None or not node.handlers:
            return self.generic_visit(node)
        first = node.handlers[0]
        spot = self._spot(first, "handler", first.type or first)
        self.tries.append(spot)
        node.body = self._visit_block(node.body)
        self.tries.pop()
        node.handlers = [self._visit_handler(each, spot if each is first else None) for each in node.handlers]
        node.orelse = [at(node, self._count((spot, False))), *self._visit_block(node.orelse)]
        node.finalbody = self._visit_block(node.finalbody)
        return node

    def visit_return(self, node: ast.Return) -> ast.AST:
        """Note that a value is returned from the body of `try`: its first handler is not needed."""
        if not self.tries or node.value is None:
            return self.generic_visit(node)
        slot = ast.Constant(self.tables.slot(*[(spot, False) for spot in self.tries]))
        value = self.visit(node.value)
        node.value = at(node.value, self._probe("pass_on", self.tables.constant(self.record), slot, value))
        return node

    def visit_excepthandler(self, node: ast.ExceptHandler) -> ast.AST:
        """Count how often it handles something."""
        return self.generic_visit(node) if self.scope is None else self._visit_handler(node, None)

    def _visit_handler(self, node: ast.ExceptHandler, known: int | None) -> ast.ExceptHandler:
        spot = self._spot(node, "handler", node.type or node) if known is None else known
        node.type = self.visit(node.type) if node.type is not None else None
        node.body = [at(node, self._count((spot, True))), *self._visit_block(node.body)]
        return node

    def visit_match(self, node: ast.Match) -> ast.AST:
        """Count the case that is taken: those before it were not; and look how far the subject is from literals."""
        if self.scope is None:
            return self.generic_visit(node)
        node.subject = self.visit(node.subject)
        refused: list[Turn] = []
        cells: list[tuple[Any, object]] = []
        for case in node.cases:
            spot = self._spot(case.pattern, "case")
            cells += [(self.tables.cell(spot), literal) for literal in _literals_of(case.pattern)]
            if case.guard is not None:
                inner = self._spot(case.guard, "condition")
                case.guard = self._marked_test(case.guard, (inner, True), (inner, False))
            case.body = [at(node, self._count((spot, True), *refused)), *self._visit_block(case.body)]
            refused.append((spot, False))
        if not _takes_everything(node.cases[-1]):
            node.cases.append(ast.match_case(at(node, ast.MatchAs()), None, [at(node, self._count(*refused))]))
        if cells:
            node.subject = at(
                node.subject, self._probe("meets_literals", self.tables.constant((*cells,)), node.subject)
            )
        return node


def _literals_of(pattern: ast.pattern) -> list[object]:
    match pattern:
        case ast.MatchValue(ast.Constant(value)):
            return [value]
        case ast.MatchOr(patterns):
            return [literal for each in patterns for literal in _literals_of(each)]
        case ast.MatchAs(ast.pattern() as inner):
            return _literals_of(inner)
    return []


def _takes_everything(case: ast.match_case) -> bool:
    """Tell whether no other case may follow: it takes whatever comes."""
    match case.pattern:
        case ast.MatchAs(None):
            return case.guard is None
        case ast.MatchAs(ast.MatchAs(None)):
            return case.guard is None
        case ast.MatchOr(patterns):
            return case.guard is None and _takes_everything(ast.match_case(patterns[-1], None, []))
    return False
