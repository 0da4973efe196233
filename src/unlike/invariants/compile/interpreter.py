"""The interpreter of invariants: a Run whose five entries are the functions of the modules beside this one.

Those modules are functions over (run, site). They import what stands below them, and reach what stands above them by
the entries: an operand of a comparison is evaluated by `run.evaluate`, the body of a function by `run.execute`.

    run       guards, variables, objects          operators, containers   what Python's values do, under guards
    names     variables, attributes, parameters   assignments, comprehensions
    recursion functions, in place or by bodies    builtin_calls, calls    which function a call means
    expressions -> evaluate, truth     assertions -> hold     statements -> execute     recursion -> invoke
"""

from __future__ import annotations

from unlike.invariants.compile import assertions, expressions, recursion, statements
from unlike.invariants.compile.formula import TRUE
from unlike.invariants.compile.names import bind
from unlike.invariants.compile.program import Function
from unlike.invariants.compile.run import Frame, Run, Site


class Interpreter(Run):
    """A run with its entries."""

    evaluate = expressions.evaluate
    truth = expressions.truth
    hold = assertions.hold
    execute = statements.execute
    invoke = recursion.invoke

    def assume_invariant(self, function: Function) -> None:
        """Assert that the invariant holds for the root."""
        site = Site(Frame(function, {}, assume=True, entry=TRUE), function.tree, TRUE)
        self.invoke(function, bind(self, function, [self.heap.root], {}, site), TRUE, assume=True)

    def finish(self) -> None:
        """Run what still waits."""
        recursion.run_all_bodies(self)
