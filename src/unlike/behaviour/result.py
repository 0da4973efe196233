"""What was chosen and why, in words; and what no candidate reached.

Never more is said than was seen: that every branch is shown which any input takes only where the whole space was run,
else how many candidates did not reach one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.behaviour.calls import PassedInput
from unlike.behaviour.search import dark_outcomes
from unlike.errors import how_many
from unlike.observe.run import Behaviour, Feature, Spot
from unlike.recipe import Argument, Call, Items, Method, Name, Recipe, Ref, Step, display
from unlike.suite import Case

NAMED = 3  # reasons that are said of one input: more are not read
LONG = 60  # letters of a condition, or of an input, that are shown
SIDE = {-1: "below", 0: "on its boundary", 1: "above"}


@dataclass(frozen=True, slots=True)
class DarkBranch:
    """A branch that no candidate took: where it is, and which input came nearest to it."""

    place: str
    words: str
    nearest: str = ""
    proof: str = ""  # "no input" (of the space takes it), "no input within the usual bounds"
    remedy: str = ""  # what may lead to it

    @property
    def is_impossible(self) -> bool:
        """Whether that is proved."""
        return bool(self.proof)

    def __str__(self) -> str:
        if self.is_impossible:
            return f"{self.proof} (proved): {self.place}: {self.words}"
        return f"not reached: {self.place}: {self.words}{self.hint}"

    @property
    def hint(self) -> str:
        """Which input came nearest, and what may lead to it."""
        nearest = f"; nearest: {self.nearest}" if self.nearest else ""
        return f"{nearest}; {self.remedy}" if self.remedy else nearest


@dataclass(frozen=True, slots=True)
class Proofs:
    """Of which inputs it is proved that none takes a branch: of all that nobody took, or of each."""

    of_all: str = ""
    of_branch: Mapping[tuple[int, bool], str] = field(default_factory=dict)


NO_PROOFS = Proofs()


@dataclass(frozen=True, slots=True)
class ChosenCases:
    """The cases that were chosen, and what their runs add up to."""

    cases: Sequence[Case]
    plains: Sequence[Any]  # what each is made of, as its space keeps it
    branches: int  # outcomes of conditions and the like that any candidate had
    shown: int  # of them by those chosen, and those that are there
    candidates: int  # that were run
    dark: tuple[DarkBranch, ...] = ()
    remarks: tuple[str, ...] = ()  # what could not be looked into, what differed the second time
    results: tuple[tuple[tuple[str, ...], ...], ...] = ()  # of each case what became of each call
    passed: tuple[PassedInput, ...] = ()  # the functions that were called
    beside: tuple[int, int] | None = None  # how many inputs are there already, and how many branches they show

    def count(self) -> int:
        """Return how many cases there are."""
        return len(self.cases)

    def at(self, index: int) -> Case:
        """Return the case at the index."""
        return self.cases[index]


def reasons_of(
    chosen: Sequence[int], shown: Sequence[Sequence[Feature]], runs: Sequence[Behaviour], sites: Sequence[Spot]
) -> Iterator[str]:
    """Yield of each chosen input what it is the first to show."""
    known: set[Feature] = set()
    for index in chosen:
        fresh = [each for each in shown[index] if each not in known and each[0] != "look"]
        known.update(shown[index])
        reached = [_outcome_in_words(sites[number], outcome) for number, outcome in _telling_first(fresh, sites)]
        said = [f"first to reach {', '.join(reached[:NAMED])}"] if reached else []
        others = [_in_words(each, runs[index], sites) for each in fresh if each[0] != "branches"]
        words = [*said, *dict.fromkeys(filter(None, others))]
        left = len(words[NAMED:]) + len(reached[NAMED:])
        yield "; ".join([*words[:NAMED], *([f"{left} more"] if left else [])]) or "shows what others show"


def _telling_first(features: Sequence[Feature], sites: Sequence[Spot]) -> list[tuple[int, object]]:
    """Return the branches among features: exceptions, then conditions as a whole, then operands; later ones first."""
    kinds = ("exception", "handler", "condition", "case")
    found = [(int(str(each[1])), each[2]) for each in features if each[0] == "branches"]
    place = {number: kinds.index(kind) if (kind := sites[number].kind) in kinds else len(kinds) for number, _ in found}
    return sorted(found, key=lambda each: (place[each[0]], -each[0], str(each[1])))


def _in_words(feature: Feature, run: Behaviour, sites: Sequence[Spot]) -> str:
    match feature:
        case ("boundaries", int(number), int(side)):
            site, away = sites[number], abs(run.near[number, side])
            far = SIDE[side] if side == 0 else f"{'one' if away == 1 else f'{away:g}'} {SIDE[side]}"
            return f"`{_short(site.source)}` at {site} {far}"
        case ("paths", "rounds", int(number), int(rounds)):
            return f"the loop at {sites[number]} goes {('not at all', 'once', 'more than once')[min(rounds, 2)]}"
        case ("paths", "again", int(number), _):
            return f"{sites[number]} more than once"
        case ("paths", *_):
            return "a path of its own"
        case ("values", "call", title, "returns"):
            return f"first {title} that returns"
        case ("values", "call", title, "changes its object"):
            return f"first {title} that changes its object"
        case ("values", "call", title, "raises", error):
            return f"first {title} that raises {error}"
        case ("results", "raises", error):
            return f"first to raise {error}"
        case ("results", "hangs"):
            return "first to hang"
        case ("results", "dies", how):
            return f"first to end the process: {how}"
        case ("results", "returns", shape):
            return f"first to return {shape}"
    return ""


def _outcome_in_words(site: Spot, outcome: object) -> str:
    match site.kind:
        case "exception":
            return f"{site}, left by {outcome}"
        case "handler":
            return f"{site} (`{_short(site.source)}`{'' if outcome else ' not needed'})"
    said = {True: "true", False: "false"}.get(outcome, str(outcome)) if isinstance(outcome, bool) else str(outcome)
    return f"{site} (`{_short(site.source)}` {said})"


def _short(source: str) -> str:
    line = " ".join(source.split())
    return line if len(line) <= LONG else f"{line[:LONG]}…"


def dark_branches(
    runs: Sequence[Behaviour],
    sites: Sequence[Spot],
    words: Callable[[int], str],
    sizes: Sequence[int],
    proofs: Proofs = NO_PROOFS,
    remedy: Callable[[Spot, bool], str] = lambda *_: "",
) -> Iterator[DarkBranch]:
    """Yield the branches that no run took though its condition was reached, with the input that came nearest, in words.

    Nearest is who has the smallest distance at a comparison on the same line, then the shortest.
    """
    seen: Counter[Hashable] = Counter()
    for run in runs:
        seen.update((*key, 1) for key in run.turns)
    lines: dict[tuple[str, int], list[int]] = {}
    for number, site in enumerate(sites):
        lines.setdefault((site.file, site.line), []).append(number)
    for number, outcome in dark_outcomes(sites, seen):
        site = sites[number]
        reached = [index for index, run in enumerate(runs) if (number, not outcome) in run.turns]
        here = set(lines[site.file, site.line])

        def nearness(index: int, here: set[int] = here) -> tuple[float, int, int]:
            away = [abs(float(each)) for (spot, _), each in runs[index].near.items() if spot in here and each]
            return min(away, default=float("inf")), sizes[index], index

        said = "true" if outcome else "false"
        proof = proofs.of_all or proofs.of_branch.get((number, outcome), "")
        claim = f"`{_short(site.source)}` is never {said}"
        nearest = words(min(reached, key=nearness))
        yield DarkBranch(str(site), claim, nearest, proof, "" if proof else remedy(site, outcome))
    yield from _dark_handlers(seen, sites, proofs.of_all)


def _dark_handlers(seen: Counter[Hashable], sites: Sequence[Spot], proof: str) -> Iterator[DarkBranch]:
    """Yield handlers that no run came to, of functions that were reached."""
    entered = {(sites[key[0]].file, sites[key[0]].function) for key in seen if isinstance(key, tuple)}
    for number, site in enumerate(sites):
        if site.kind == "handler" and not seen[number, True, 1] and (site.file, site.function) in entered:
            yield DarkBranch(str(site), f"`{_short(site.source)}` is never reached", "", proof)


def lost_in_words(runs: Sequence[Behaviour]) -> Iterator[str]:
    """Yield with how many inputs the code hangs, or ends its process: what they took before is not known."""
    lost = Counter(each for run in runs for each in run.results if each[0] in ("hangs", "dies"))
    for (how, *detail), count in sorted(lost.items()):
        words = "hangs" if how == "hangs" else f"ends its process ({', '.join(detail)})"
        yield f"{words} with {how_many(count, 'input')}"


def count_branches(shown: Sequence[Sequence[Feature]], chosen: Sequence[int]) -> tuple[int, int]:
    """Return how many branches the candidates reach, and how many of them those chosen do."""
    reached = {each for features in shown for each in features if each[0] == "branches"}
    mine = {each for index in chosen for each in shown[index] if each[0] == "branches"}
    return len(reached), len(mine)


def guarantee_of(cases: ChosenCases, *, whole: str) -> str:
    """Return in words what is promised of the inputs.

    `whole` says of which inputs all were run; nothing where that proves nothing: of code that remembers, or cannot be
    looked into.
    """
    chosen, legal = len(cases.cases), sum(each.legal for each in cases.cases)
    said = [f"{how_many(chosen, 'input')} of {cases.candidates:,} that were run"]
    if legal < chosen:
        said.append(f"{legal} of them legal")
    if cases.beside is not None:
        there, branches = cases.beside
        shows = "shows" if there == 1 else "show"
        said.append(f"beside {how_many(there, 'input')} that {shows} {branches} of {cases.branches} branches")
    claim = f"{cases.shown} of {cases.branches} branches reached"
    if cases.shown == cases.branches and whole:
        claim = f"every outcome of a condition that {whole} has is shown (proved): {cases.branches} branches"
    said.append(claim)
    proved = Counter(each.proof for each in cases.dark if each.proof)
    said += [f"{branches_in_words(count)} that {proof} takes (proved)" for proof, count in proved.items()]
    if left := len(cases.dark) - proved.total():
        said.append(f"{branches_in_words(left)} not reached by {cases.candidates:,} candidates")
    return "; ".join(said)


def branches_in_words(count: int) -> str:
    """Return so many branches in words."""
    return "1 branch" if count == 1 else f"{count:,} branches"


def words_of(recipe: Recipe) -> str:
    """Return an input as Python would write it, as short as can be."""
    words = _write_argument(recipe.result, recipe.steps)
    return words if len(words) <= LONG else f"{words[:LONG]}…"


def _write_argument(argument: Argument, steps: Sequence[Step]) -> str:
    match argument:
        case Ref(number):
            step = steps[number]
            if not isinstance(step, Call | Method):
                return "…"
            given = [_write_argument(each, steps) for each in step.args]
            given += [f"{name}={_write_argument(each, steps)}" for name, each in step.kwargs]
            called = step.name if isinstance(step, Method) else getattr(step.function, "qualname", "…")
            return f"{called}({', '.join(given)})"
        case Items(kind, items):
            return display(kind, [_write_argument(each, steps) for each in items])
        case Name(_, qualname):
            return qualname
    return repr(argument)
