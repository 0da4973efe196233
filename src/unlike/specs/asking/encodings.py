"""Other ways to ask a solver for n different inputs than one after the other.

`all-at-once` asks for n inputs and every pair's difference in one question; `distinct` says that n keys are distinct;
`forall` says it with quantifiers, of functions from a number to an input. If n are impossible, the largest number
that is possible is found by more questions, and that no larger set exists is then proved for any difference.
"""

from __future__ import annotations

from unlike.core import CutShort, Encoding
from unlike.errors import ASK_FOR_SOME, SolverError
from unlike.language.terms import ChosenAssertion, Kind, ListKind, Node, OptionKind, RecordKind, text
from unlike.solvers.base import Unknown, Unsat, Untranslatable
from unlike.specs import core_difference as cores
from unlike.specs.asking.solve import doubter, is_linear
from unlike.specs.branches import expand_branches
from unlike.specs.members import Component, assignment_of, components, merge_components
from unlike.specs.plan import Planner
from unlike.specs.problem import Fragment
from unlike.suite import Ending, Status


def asked_together(planner: Planner, n: int | None, encoding: Encoding, most: int) -> tuple[list[Fragment], Status]:
    """Return n inputs (or as many as there can be) asked for in one question, and what that proves."""
    best: list[Fragment] = []
    try:
        inquiry = _Inquiry(planner, encoding)
        if n is not None and (found := inquiry.ask(n)) is not None:
            return found, Status(Ending.FOUND)
        low, high = 0, n  # so many are possible, so many are not
        while high is None or high - low > 1:
            tried = max(1, 2 * low) if high is None or 2 * low < high else (low + high) // 2
            if tried > most:
                return best, Status(Ending.UNKNOWN, f"more than {most} inputs; {ASK_FOR_SOME}")
            answer = inquiry.ask(max(tried, low + 1))
            if answer is None:
                high = max(tried, low + 1)
            else:
                low, best = len(answer), answer
    except CutShort as cut:
        return best, cut.status
    return best, Status(Ending.COMPLETE if best else Ending.UNSATISFIABLE)


class _Inquiry:
    """One spec asked about in one encoding, for any number of inputs."""

    def __init__(self, planner: Planner, encoding: Encoding) -> None:
        from unlike.solvers.z3 import Question

        problem = planner.problem
        self.planner, self.encoding = planner, encoding
        part = merge_components(components(problem.units, problem.assertions))
        core = expand_branches(problem.difference)
        _refuse_hidden(part, core, encoding)
        self.doubt = doubter(part, core, problem)
        assertions = [*(each.node for each in part.assertions), cores.assert_choices(core)]
        between = None if isinstance(core, cores.Everything) else cores.relation(core)
        key, tells = _key_of(core, part) if encoding == "distinct" else (None, False)
        self.question = Question(
            units={path: unit.value for path, unit in part.units.items()},
            choices={each.number: len(each.parts) for each in cores.parts_of(core) if isinstance(each, cores.Select)},
            assertions=assertions,
            relation=between,
            key=key,
            apart=not tells,
            linear=all(map(is_linear, [*assertions, *([] if between is None else [between])])),
        )
        words = {"distinct": f"{text(key)} all distinct" if key is not None else "", "forall": "with quantifiers"}
        planner.note(
            part.words, f"{cores.in_words(core)}: {encoding}, {words.get(encoding, 'every pair in one question')}"
        )

    def breaks(self, answer: list[Fragment]) -> bool:
        """Tell whether an answer is none: an input breaks the spec, or two are alike."""
        found: list[dict[str, object]] = []
        for fragment in answer:
            if self.doubt(fragment, found):
                return True
            found.append(assignment_of(fragment))
        return False

    def ask(self, count: int) -> list[Fragment] | None:
        """Return so many inputs, or nothing if that is proved impossible; what no solver answers cuts short."""
        from unlike.solvers.z3 import Together

        reasons = []
        for name in self.planner.solvers:
            self.planner.deadline.check()
            try:
                together = Together(
                    self.question, count, quantified=self.encoding == "forall", name=name, effort=self.planner.effort
                )
            except Untranslatable as error:
                raise CutShort(Status(Ending.UNKNOWN, str(error))) from error
            try:
                answer = together.check(deadline=self.planner.deadline)
            finally:
                together.close()
            if isinstance(answer, Unknown) and answer.timeout:
                raise CutShort(self.planner.deadline.status())
            if isinstance(answer, list) and self.breaks(answer):
                answer = Unknown(f"{name} gave a model that breaks the spec")
            if isinstance(answer, Unknown):
                self.planner.tally.clocked.update({name: None} if answer.clocked else {})
                reasons.append(answer.reason)
                continue
            self.planner.tally.note(name)
            return None if isinstance(answer, Unsat) else [dict(each) for each in answer]
        raise CutShort(Status(Ending.UNKNOWN, f"{count} inputs {self.encoding}: {'; '.join(reasons)}"))


def _refuse_hidden(part: Component, core: cores.Core, encoding: Encoding) -> None:
    """Refuse what cannot be told to a solver at all."""
    if any(each.opaque for each in part.assertions) or any(
        isinstance(each, cores.Python) for each in cores.parts_of(core)
    ):
        raise SolverError(f"encoding={encoding!r}: plain Python cannot be told to a solver; use 'auto' or 'loop'")
    if any(isinstance(each, cores.Edits) for each in cores.parts_of(core)):
        raise SolverError(f"encoding={encoding!r}: edits are counted, not told to a solver; use 'auto' or 'loop'")


def _key_of(core: cores.Core, part: Component) -> tuple[Node, bool]:
    """Return the term whose values tell all inputs apart, and whether equal inputs have equal values of it."""
    match core:
        case cores.Key(term) if _is_plain(term.kind):
            return term, True
        case cores.Everything() if len(part.units) == 1:
            [unit] = part.units.values()
            if _is_plain(unit.value.kind):
                return unit.term, True
        case cores.Select(number, _, parts) if all(isinstance(each, cores.Nothing) for each in parts):
            return ChosenAssertion(number), False
    raise SolverError(
        f"encoding='distinct' needs a difference that is a key, one plain value that is another for each input; "
        f"{cores.in_words(core)!r} over {part.words} is none; use 'loop' or 'all-at-once'"
    )


def _is_plain(kind: Kind) -> bool:
    return not isinstance(kind, OptionKind | ListKind | RecordKind)
