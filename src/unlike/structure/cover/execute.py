"""From a tree and a strength to inputs: rows are planned, tried, and what they lack is sought."""

from __future__ import annotations

from unlike.core import FOREVER, CutShort, Deadline
from unlike.foreign import EndedError, LateError
from unlike.structure.cover.leaves import Strength
from unlike.structure.cover.outcome import CoverOutcome
from unlike.structure.cover.plan import plans
from unlike.structure.cover.runner import DoneError, Runner
from unlike.structure.cover.targets import Ask, Targets
from unlike.structure.cover.tree import Tree
from unlike.suite import Ending


def execute(
    tree: Tree,
    strength: Strength,
    n: int | None = None,
    *,
    deadline: Deadline = FOREVER,
    ask: Ask | None = None,
    seed: int = 0,
) -> CoverOutcome:
    """Return the inputs of a tree: all that its targets need, or n of them, and further ones up to n."""
    try:
        found = plans(tree, strength, n, seed=seed, deadline=deadline)
        targets = Targets(tree, strength, found, deadline)
    except CutShort as cut:  # pairs take long to plan and to list; each choice once does not, but for very large trees
        if strength == "each":
            raise
        targets = Targets(tree, "each", plans(tree, "each", n, seed=seed))
        return CoverOutcome(tree, targets, ended=cut.status.ending, failure=cut.status.detail)
    runner = Runner(CoverOutcome(tree, targets), found, n, ask, deadline, seed)
    try:
        if strength == "pairs":
            runner.learn_impossible()
        runner.run()
    except DoneError as done:
        runner.outcome.ended = done.why
    except CutShort as cut:
        runner.outcome.ended, runner.outcome.failure = cut.status.ending, cut.status.detail
    except KeyboardInterrupt:
        runner.outcome.ended = Ending.INTERRUPTED
    except EndedError as ended:
        late = isinstance(ended, LateError)
        runner.outcome.ended, runner.outcome.failure = Ending.TIMEOUT if late else Ending.FAILED, str(ended)
    return runner.outcome
