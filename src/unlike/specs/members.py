"""The members of one component: its units with the assertions that tie them.

What can be counted is counted: a unit alone, intervals of numbers, the strings of a regular language, a small product
that is listed and filtered. Anything else is left to a solver.
"""

from __future__ import annotations

import contextlib
import itertools
import operator
import random
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unlike.core import CutShort, Deadline
from unlike.errors import how_many
from unlike.foreign import LateError
from unlike.indexed import in_digits, in_growing_turns
from unlike.language.evaluate import compile_term
from unlike.language.terms import BOOL, Const, Node, Op, conjunction
from unlike.language.values import Bool, List, OneOf, Option, Record, Str, Value, is_legal
from unlike.regex.automaton import Automaton
from unlike.regex.cover import Cover, Heuristics, find_heuristics
from unlike.regex.language import Language, printable
from unlike.regex.machine import Undecided
from unlike.regex.order import OrderedTexts, draw_texts
from unlike.regex.tree import parse
from unlike.specs.numbers import MIRROR, Intervals, Line, find_allowed, line_of, telling_codes
from unlike.specs.problem import Assertion, Fragment, Path, Unit
from unlike.specs.sources import BITS, Source, in_turn, list_source, map_source, order_space, product
from unlike.suite import Ending, Status

LISTED = 100_000  # so many combinations are listed and filtered; beyond, a solver is asked
LENGTHS = 200  # so many lengths of a list are made at once; beyond, one after the other
TRIED = 20_000  # so many candidates are tried where nothing can look inside a condition


@dataclass(frozen=True, slots=True)
class Component:
    """Units that assertions tie together; independent of all other components."""

    units: Mapping[Path, Unit]
    assertions: tuple[Assertion, ...]

    @property
    def words(self) -> str:
        """The names of the units."""
        return ", ".join(".".join(path) for path in self.units)


def components(units: Mapping[Path, Unit], assertions: Iterable[Assertion]) -> list[Component]:
    """Return the independent parts, in the order of their first units."""
    together = {path: {path} for path in units}
    said = list(assertions)
    for assertion in said:
        merged: set[Path] = set().union(*(together[path] for path in assertion.units)) if assertion.units else set()
        for path in merged:
            together[path] = merged
    found: list[Component] = []
    done: set[Path] = set()
    for path in units:
        if path not in done:
            group = {each: units[each] for each in units if each in together[path]}
            done |= set(group)
            first = not found  # what speaks of no unit at all, such as a plain False, goes with the first
            tied = tuple(each for each in said if each.units & set(group) or (first and not each.units))
            found.append(Component(group, tied))
    return found


def merge_components(parts: Sequence[Component]) -> Component:
    """Return several components as one."""
    units = {path: unit for part in parts for path, unit in part.units.items()}
    said = {id(each): each for part in parts for each in part.assertions}
    return Component(units, tuple(said.values()))


def restrict(part: Component, paths: Container[Path]) -> Component:
    """Return some units of a component with what is said of them alone; what is said of others as well is dropped."""
    units = {path: unit for path, unit in part.units.items() if path in paths}
    return Component(units, tuple(each for each in part.assertions if each.units <= set(units)))


# -- members of a value by itself ---------------------------------------------------------------------------


def members_of(value: Value, deadline: Deadline, seed: int = 0) -> Source[object]:
    """Return the plain values of a value, the plainest first; a seed starts elsewhere."""
    line = line_of(value)
    if line is not None:
        return numbers_in(line, Intervals(((line.low, line.high),) if line.low <= line.high else ()), seed)
    match value:
        case Bool():
            return list_source(_shuffle((False, True), seed), "both values")
        case OneOf():
            return list_source(_shuffle(value.members, seed), f"{len(value.members)} values")
        case Str():
            try:
                return strings_in(language_of(value, deadline), value, deadline, seed)
            except Undecided as reason:
                return Source(construct_strings(value, str(reason), deadline), "strings made branch by branch")
        case Option(inner):
            return in_turn([members_of(inner, deadline, seed), list_source((None,), "None")], "optional")
        case List(inner, low, _):
            items = members_of(inner, deadline, seed)
            lengths = range(low, value.most + 1)
            if len(lengths) > LENGTHS:
                number = _how_many(items, lengths)
                return Source(_joining(items, lengths), "lists by length", count=number, parts=[items])
            return in_turn([_lists(items, length) for length in lengths], "lists by length")
        case Record(fields):
            names = [name for name, _ in fields]
            parts = product([members_of(each, deadline, seed) for _, each in fields], "records")
            return map_source(parts, lambda each: dict(zip(names, each, strict=True)))
    raise AssertionError(value)


def _shuffle(members: tuple[object, ...], seed: int) -> Sequence[object]:
    """Return the members in the order in which they were written, or in one that belongs to the seed."""
    return random.Random(seed).sample(members, len(members)) if seed else members


def _lists(items: Source[object], length: int) -> Source[object]:
    """Return the lists of one length; what was read of the items is shared by all positions and lengths."""
    if not length:
        return list_source(((),), "the empty list")
    return product([items] * length, f"lists of {length}", apart=1)  # type: ignore[return-value]


def _how_many(items: Source[object], lengths: range) -> int | None:
    """Return how many lists of these lengths there are, if that is known and a number of a bearable size."""
    each = items.count
    if each is None or each.bit_length() * lengths[-1] > BITS:
        return None
    if each == 1:
        return len(lengths)
    number: int = (each ** (lengths[-1] + 1) - each ** lengths[0]) // (each - 1)  # 0 ** 0 is 1: the empty list
    return number


def _joining(items: Source[object], lengths: range) -> Iterator[object]:
    """Yield a list of each length so far, then one more length joins; none is made before its turn."""
    possible = lengths if items.size(1) else lengths[:1]  # without items only the empty list may be one
    yield from in_growing_turns(iter(_lists(items, length)) for length in possible)


def numbers_in(line: Line, codes: Intervals, seed: int = 0) -> Source[object]:
    """Return the plain values of some codes, the roundest first."""
    if not codes.parts:
        return list_source((), "an empty range")
    words = f"{in_digits(codes.count())} numbers"
    first = [rank for code in telling_codes(line, codes) if codes.at(rank := codes.rank_near(code)) == code]
    source = order_space(codes, words, first=first, anchor=codes.rank_near(0), step=line.plain_step, seed=seed)
    return map_source(source, line.plain)


def language_of(value: Str, deadline: Deadline) -> Language:
    """Return the strings of a string value; `Undecided` if they cannot be had exactly."""
    if value.matching is None:
        return printable(value.min_length, value.most)
    pattern = parse(value.matching, value.flags)
    if not pattern.exact:
        raise Undecided(f"pattern {value.matching!r} cannot be decided exactly: {pattern.reason}")
    return Language(Automaton.of(pattern, deadline=deadline), value.min_length, value.most)


def construct_strings(value: Str, reason: str, deadline: Deadline) -> Iterator[object]:
    """Yield strings of a pattern that cannot be decided exactly: made branch by branch, each checked with `re`."""
    pattern = parse(value.matching or "", value.flags)
    seen: set[str] = set()
    order = OrderedTexts(Cover(pattern, find_heuristics("more-lengths"), deadline=deadline))
    texts = itertools.chain((each.text for each in order.of_choices()), order.further())
    for text in itertools.islice(texts, TRIED):
        if text not in seen and is_legal(value, text):
            seen.add(text)
            yield text
    deadline.check()
    raise CutShort(Status(Ending.UNKNOWN, reason))


def strings_in(language: Language, value: Str, deadline: Deadline, seed: int = 0) -> Source[object]:
    """Return the strings of a language: the plainest, then drawn from the value's pattern, then all that are left."""
    count = language.count()
    return Source(_each_string(language, value, deadline, seed), f"{in_digits(count)} strings", count=count)


def _each_string(language: Language, value: Str, deadline: Deadline, seed: int) -> Iterator[str]:
    drawn: Iterator[str] = iter(())
    if value.matching is not None:
        with contextlib.suppress(Undecided):
            cover = Cover(value.matching, Heuristics(unicode=value.unicode), flags=value.flags, deadline=deadline)
            drawn = draw_texts(cover, fits=lambda text: language.accepts(text), seed=seed)
    every = language.spread_texts(seed, unicode=value.unicode)
    given: set[str] = set()
    for text in itertools.chain(itertools.islice(every, 1), drawn):
        if text not in given:
            given.add(text)
            yield text
    yield from (text for text in every if text not in given)


# -- members of a component ----------------------------------------------------------------------------------


def members(component: Component, deadline: Deadline, seed: int = 0) -> Source[Fragment] | None:
    """Return the members of a component that can be counted or listed, or nothing if a solver is needed."""
    alone = unit_members(component, deadline, seed)
    if alone is not None:
        (path,) = component.units
        return map_source(alone, lambda value: {path: value})
    if len(component.units) == 1 and not component.assertions:
        return None
    return filter_combinations(component, deadline, seed)


def unit_members(component: Component, deadline: Deadline, seed: int = 0) -> Source[object] | None:
    """Return the members of a component of one unit whose assertions can be counted exactly."""
    if len(component.units) > 1:
        return None
    (unit,) = component.units.values()
    line = line_of(unit.value)
    if line is not None:
        codes = codes_of(component, line, unit.term)
        return None if codes is None else numbers_in(line, codes, seed)
    if isinstance(unit.value, Str) and component.assertions:
        language = strings_of(component, unit, deadline)
        return None if language is None else strings_in(language, unit.value, deadline, seed)
    return None if component.assertions else members_of(unit.value, deadline, seed)


def codes_of(component: Component, line: Line, term: Node) -> Intervals | None:
    """Return the codes that a component of one number allows, if its assertions compare it with constants only."""
    codes = Intervals(((line.low, line.high),) if line.low <= line.high else ())
    for assertion in component.assertions:
        found = find_allowed(line, term, assertion.node)
        if found is None:
            return None
        codes = codes & found
    return codes


def strings_of(component: Component, unit: Unit, deadline: Deadline) -> Language | None:
    """Return the strings that a component of one string allows, if its assertions are regular."""
    assert isinstance(unit.value, Str)
    try:
        language = language_of(unit.value, deadline)
        if not component.assertions:
            return language
        automaton = automaton_of(unit.value, deadline)
        for assertion in component.assertions:
            accepted = regular(assertion.node, unit.term, deadline)
            if accepted is None:
                return None
            automaton = automaton.intersect(accepted)
    except Undecided:
        return None
    return Language(automaton, unit.value.min_length, unit.value.most)


def automaton_of(value: Str, deadline: Deadline) -> Automaton:
    """Return the automaton of the pattern of a string value."""
    pattern = parse(r"[ -~]*" if value.matching is None else value.matching, value.flags)
    return Automaton.of(pattern, deadline=deadline)


def regular(node: Node, term: Node, deadline: Deadline) -> Automaton | None:
    """Return the strings for which a condition holds, or nothing if it is not regular in this string alone."""
    match node:
        case Const(bool(holds)):
            return Automaton.everything() if holds else Automaton.nothing()
        case Op("not", (inner,)):
            refused = regular(inner, term, deadline)
            return None if refused is None else Automaton.everything().difference(refused)
        case Op(("and" | "or") as name, args):
            result: Automaton | None = None
            for arg in args:
                part = regular(arg, term, deadline)
                if part is None:
                    return None
                if result is not None:
                    part = result.intersect(part) if name == "and" else result.unite(part)
                result = part
            return result
        case Op("==" | "!=" | "ite", args) if args[-1].kind == BOOL:
            return _about_truth(node.name, [regular(arg, term, deadline) for arg in args])
        case Op(("==" | "!=") as name, (Op("at", (inner, place)), Const(str(text)))) if inner == term:
            found = _about_character(place, text, term)
            return found if found is None or name == "==" else Automaton.everything().difference(found)
        case Op(name, (left, right)) if left == right == term and name in SAME_TEXT:
            return Automaton.everything() if SAME_TEXT[name] else Automaton.nothing()
        case Op("accepted", (inner,), _, branch) if inner == term:
            accepted: Automaton = branch.automaton(deadline)  # type: ignore[attr-defined]
            return accepted
        case Op("matches", (inner,), _, (str(pattern), int(flags))) if inner == term:
            parsed = parse(pattern, flags)
            return Automaton.of(parsed, deadline=deadline) if parsed.exact else None
        case Op(("contains" | "startswith" | "endswith" | "==" | "!=") as name, (left, Const(str(text)))) if (
            left == term
        ):
            return _about_text(name, text)
        case Op(("==" | "!=") as name, (Const(str(text)), right)) if right == term:
            return _about_text(name, text)
        case Op(("==" | "!=" | "<" | "<=" | ">" | ">=") as name, (left, right)):
            one, two = _length_sum(left, term), _length_sum(right, term)
            if one is not None and two is not None:
                return _about_lengths(name, one[0] - two[0], two[1] - one[1])
    return None


def _about_truth(name: str, parts: list[Automaton | None]) -> Automaton | None:
    """Return the strings for which conditions are as true as each other (or not), or one decides between two."""
    match [part for part in parts if part is not None]:
        case [asked, then, otherwise]:
            return asked.intersect(then).unite(otherwise.difference(asked))
        case [one, two] if name != "ite":
            differing = one.difference(two).unite(two.difference(one))
            return differing if name == "!=" else Automaton.everything().difference(differing)
    return None


COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
# what these say of a string and itself
SAME_TEXT = {"==": True, "!=": False, "contains": True, "startswith": True, "endswith": True}


def _about_text(name: str, text: str) -> Automaton:
    exactly, anything = Automaton.of_text(text), Automaton.everything()
    match name:
        case "contains":
            return anything.concatenate(exactly).concatenate(anything)
        case "startswith":
            return exactly.concatenate(anything)
        case "endswith":
            return anything.concatenate(exactly)
        case "!=":
            return anything.difference(exactly)
    return exactly


def _about_character(place: Node, text: str, term: Node) -> Automaton | None:
    """Return the strings that have the text at a place, which counts from the start or from the end.

    No character is there beyond the end, and none is a text of two.
    """
    anything = Automaton.everything()
    match _length_sum(place, term):
        case (0, int(index)) if index >= 0:
            before, after, longest_without = Automaton.of_lengths(index, index), anything, index
        case (1, int(index)) if index < 0:
            before, after, longest_without = anything, Automaton.of_lengths(-index - 1, -index - 1), -index - 1
        case _:
            return None
    if not text:
        return Automaton.of_lengths(0, longest_without)
    return before.concatenate(Automaton.of_text(text)).concatenate(after) if len(text) == 1 else Automaton.nothing()


def _length_sum(node: Node, term: Node) -> tuple[int, int] | None:
    """Return a sum of numbers and lengths of the string as (how many lengths, number)."""
    match node:
        case Const(int(number)):
            return 0, number
        case Op("length", (inner,)) if inner == term:
            return 1, 0
        case Op(("+" | "-") as name, (left, right)):
            one, two = _length_sum(left, term), _length_sum(right, term)
            sign = 1 if name == "+" else -1
            return None if one is None or two is None else (one[0] + sign * two[0], one[1] + sign * two[1])
    return None


def _about_lengths(name: str, times: int, bound: int) -> Automaton | None:
    """Return the strings so many times whose length compares with the bound as said; nothing if that is not asked."""
    if times == 0:
        return Automaton.everything() if COMPARED[name](0, bound) else Automaton.nothing()
    if times == 1:
        return _about_length(name, bound)
    return _about_length(MIRROR[name], -bound) if times == -1 else None


def _about_length(name: str, bound: int) -> Automaton:
    anything = Automaton.everything()
    bounds = {"<": (0, bound - 1), "<=": (0, bound), ">": (bound + 1, None), ">=": (bound, None)}
    least, most = bounds.get(name, (bound, bound))
    if most is not None and most < max(least, 0):
        found = anything.difference(anything)
    else:
        found = Automaton.of_lengths(max(least, 0), most)
    return anything.difference(found) if name == "!=" else found


def filter_combinations(component: Component, deadline: Deadline, seed: int = 0) -> Source[Fragment] | None:
    """Return the members of a small component: every combination of its units, filtered by its assertions."""
    sources = [members_of(unit.value, deadline, seed) for unit in component.units.values()]
    whole = product(sources, "combinations")
    if any(source.count is None for source in sources) or whole.count is None or whole.count > LISTED:
        return None
    fragments: Iterator[Fragment] = (dict(zip(component.units, values, strict=True)) for values in whole)
    listed = how_many(whole.count, "value" if len(sources) == 1 else "combination")
    return Source(keep_accepted(component, fragments, deadline), f"those of {listed} that pass the assertions")


def keep_accepted(component: Component, fragments: Iterable[Fragment], deadline: Deadline) -> Iterator[Fragment]:
    """Yield the fragments that satisfy the assertions; user code that raises cuts the stream short."""
    holds = checker([assertion.node for assertion in component.assertions], "an assertion")
    slow = any(assertion.opaque for assertion in component.assertions)
    for position, fragment in enumerate(fragments):
        if slow or not position % 256:
            deadline.check()
        if holds(assignment_of(fragment)):
            yield fragment


def checker(nodes: list[Node], what: str) -> Callable[[dict[str, object]], bool]:
    """Return a function that tells whether all terms hold; an exception of user code cuts the stream short."""
    test = compile_term(conjunction(nodes))

    def holds(assignment: dict[str, object]) -> bool:
        try:
            return bool(test(assignment))
        except CutShort:
            raise
        except (Exception, SystemExit) as error:  # foreign code may do anything
            raise CutShort(failure(what, error, assignment)) from error

    return holds


def failure(what: str, error: BaseException, *inputs: Mapping[str, object]) -> Status:
    """Return the status of a run in which user code raised an exception, or was not called for want of time."""
    if isinstance(error, LateError):
        return Status(Ending.TIMEOUT, f"{what} was not asked in time")
    shown = " and ".join(repr(dict(each)) for each in inputs)
    return Status(Ending.FAILED, f"{what} raised {type(error).__name__}: {error} on {shown}")


def assignment_of(fragment: Fragment) -> dict[str, object]:
    """Return whole blanks by name, records put together again, and choices under their keys."""
    found: dict[str, object] = {}
    for key, value in fragment.items():
        if not isinstance(key, tuple):
            found[f"?{key}"] = value
            continue
        name, *fields = key
        if not fields:
            found[name] = value
            continue
        whole = found.setdefault(name, {})
        for field in fields[:-1]:
            whole = whole.setdefault(field, {})  # type: ignore[attr-defined]
        whole[fields[-1]] = value  # type: ignore[index]
    return found
