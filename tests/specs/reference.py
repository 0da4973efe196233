"""What a spec means, once more and in the plainest way: every input is listed, every term interpreted, every pair tried.

Nothing here is shared with the engine but the data of the language.
"""

from __future__ import annotations

import datetime
import itertools
import re
from fractions import Fraction

from unlike.language import values as v
from unlike.language.terms import Aggregate, Blank, ChosenAssertion, Const, Op, Opaque, Quantified, RecordKind, Variable
from unlike.specs import core_difference as c

ALPHABET = "ab1 "


def domain(value):
    """Every plain value, listed."""
    match value:
        case v.Bool():
            return [False, True]
        case v.Int(low, high):
            return list(range(low, high + 1))
        case v.Real(low, high, places):
            low, high = value.steps
            return [Fraction(code, 10**places) for code in range(low, high + 1)]
        case v.OneOf():
            return list(value.members)
        case v.Option(inner):
            return [None, *domain(inner)]
        case v.List(inner, low, _):
            lengths = range(low, value.most + 1)
            return [items for length in lengths for items in itertools.product(domain(inner), repeat=length)]
        case v.Record(fields):
            names = [name for name, _ in fields]
            return [
                dict(zip(names, parts, strict=True))
                for parts in itertools.product(*(domain(each) for _, each in fields))
            ]
        case v.Date(low, high):
            return [low + datetime.timedelta(days) for days in range((high - low).days + 1)]
        case v.DateTime(low, high, step):
            tick = step if isinstance(step, datetime.timedelta) else datetime.timedelta(seconds=step)
            return [low + number * tick for number in range((high - low) // tick + 1)]  # here low is a multiple
        case v.Timedelta(low, high, step):
            tick = datetime.timedelta(seconds=step)
            spans = [low + number * tick for number in range((high - low) // tick + 1)]
            return [each // datetime.timedelta(microseconds=1) for each in spans]
        case v.Time(low, high, step):
            seconds = range(0, 24 * 3600, step)
            times = [(datetime.datetime.min + datetime.timedelta(seconds=each)).time() for each in seconds]
            return [each for each in times if low <= each <= high]
        case v.Str(pattern, low, _, flags):
            every = (
                "".join(p) for size in range(low, value.most + 1) for p in itertools.product(ALPHABET, repeat=size)
            )
            return [s for s in every if re.fullmatch(pattern or "[ -~]*", s, flags)]
    raise TypeError(value)


def default(kind):
    """The value of what is not there."""
    if isinstance(kind, RecordKind):
        return {name: default(inner) for name, inner in kind.fields}
    plain = {"bool": False, "int": 0, "real": Fraction(0), "str": "", "date": datetime.date(1, 1, 1)}
    plain["time"] = datetime.time(0)
    plain |= {"datetime": datetime.datetime(1, 1, 1), "timedelta": 0}
    match str(kind).split()[0]:
        case "optional":
            return None
        case "list":
            return ()
        case "enumeration":
            return kind.members[0]
        case name:
            return plain[name]


def evaluate(node, env):
    """The value of a term; env holds blanks and choices by side, and bound elements by name."""
    match node:
        case Blank(name, _, side):
            return env[side, name]
        case ChosenAssertion(number, side):
            return env[side, number]
        case Variable(name):
            return env[name]
        case Const(value):
            return value
        case Opaque(function, names):
            return bool(function(*(env[0, name] for name in names)))
        case Quantified(every, variable, items, body):
            results = [bool(evaluate(body, env | {variable.name: each})) for each in evaluate(items, env)]
            return (False not in results) if every else (True in results)
        case Aggregate(name, variable, items, body):
            return total(name, [evaluate(body, env | {variable.name: each}) for each in evaluate(items, env)])
        case Op(name, args, kind, extra):
            return operate(name, [evaluate(arg, env) for arg in args], kind, extra)
    raise TypeError(node)


def total(name, said):
    """What is said of the elements of a list, taken together."""
    pairs = list(itertools.combinations(said, 2))
    match name:
        case "sum":
            result = 0
            for each in said:
                result = result + each
            return result
        case "count":
            return len([each for each in said if each])
        case "distinct":
            return not any(operate("==", [one, two], None, None) for one, two in pairs)
        case "sorted":
            return not any(two < one for one, two in pairs)
        case "descending":
            return not any(one < two for one, two in pairs)
    raise ValueError(name)


def operate(name, a, kind, extra):
    match name:
        case "and":
            return all(a)
        case "or":
            return any(a)
        case "not":
            return not a[0]
        case "ite":
            return a[1] if a[0] else a[2]
        case "==" | "!=":
            same = a[0] == a[1] and isinstance(a[0], bool) == isinstance(a[1], bool)
            return same if name == "==" else not same
        case "<":
            return a[0] < a[1]
        case "<=":
            return not a[1] < a[0]
        case ">":
            return a[1] < a[0]
        case ">=":
            return not a[0] < a[1]
        case "+" | "concat":
            return a[0] + a[1]
        case "-":
            return a[0] + -a[1]
        case "*":
            return a[0] * a[1]
        case "//":
            return int(Fraction(a[0], a[1]).__floor__()) if a[1] else 0
        case "%":
            return a[0] - a[1] * int(Fraction(a[0], a[1]).__floor__()) if a[1] else a[0]
        case "neg":
            return -a[0]
        case "abs":
            return max(a[0], -a[0])
        case "length":
            return len(a[0])
        case "contains":
            return any(a[0][i : i + len(a[1])] == a[1] for i in range(len(a[0]) + 1))
        case "startswith":
            return a[0][: len(a[1])] == a[1]
        case "endswith":
            return a[0][len(a[0]) - len(a[1]) :] == a[1] if len(a[1]) <= len(a[0]) else False
        case "at":
            inside = 0 <= a[1] < len(a[0])
            return a[0][a[1]] if inside else ("" if isinstance(a[0], str) else default(kind))
        case "matches":
            return re.fullmatch(extra[0], a[0], extra[1]) is not None
        case "field":
            return a[0][extra]
        case "attribute":
            return getattr(a[0], extra)
        case "some":
            return a[0]
        case "present":
            return a[0] is not None
        case "value":
            return default(kind) if a[0] is None else a[0]
        case "days_between":
            return a[0].toordinal() - a[1].toordinal()
        case "add_days":
            return datetime.date.fromordinal(max(1, a[0].toordinal() + a[1]))
        case "time_between":
            return (a[0] - a[1]) // datetime.timedelta(microseconds=1)
        case "add_time":
            return near(a[0], a[1])
        case "days":
            return datetime.timedelta(microseconds=a[0]).days
        case "weekday":
            return a[0].isoweekday() - 1
        case "year" | "month" | "day" | "hour" | "minute" | "second":
            return getattr(a[0], name)
    raise ValueError(name)


def near(moment, microseconds):
    """A moment so much later, held within the calendar."""
    try:
        return moment + datetime.timedelta(microseconds=microseconds)
    except OverflowError:
        return datetime.datetime.max if microseconds > 0 else datetime.datetime.min


def edits(first, second):
    """Levenshtein's distance, by his recurrence."""
    row = list(range(len(second) + 1))
    for i, x in enumerate(first, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(second, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def number(value):
    match value:
        case datetime.datetime():
            return (value - datetime.datetime(2000, 1, 1)) // datetime.timedelta(microseconds=1)
        case datetime.date():
            return value.toordinal()
        case datetime.time():
            return value.hour * 3600 + value.minute * 60 + value.second
    return value


def different(core, a, b):
    """Whether two inputs with their choices are different."""

    def both(term):
        return evaluate(term, a), evaluate(term, b)

    match core:
        case c.Key(term):
            one, two = both(term)
            return not operate("==", [one, two], None, None)
        case c.MinimumDistance(term, least):
            one, two = map(number, both(term))
            return abs(one - two) >= least
        case c.Edits(term, least):
            return edits(*both(term)) >= least
        case c.Holds(node):
            sides = {(1, key[1]): value for key, value in a.items()} | {(2, key[1]): value for key, value in b.items()}
            return bool(evaluate(node, sides))
        case c.Python(function):
            return bool(function(Plain(a), Plain(b))) and bool(function(Plain(b), Plain(a)))
        case c.Select(number_, _, parts):
            one, two = a[0, number_], b[0, number_]
            return one != two or different(parts[one], a, b)
        case c.Every(parts):
            return all(different(part, a, b) for part in parts)
        case c.Some(parts):
            return any(different(part, a, b) for part in parts)
        case c.Negated(part):
            return not different(part, a, b)
        case c.Everything():
            return True
        case c.Nothing():
            return False
    raise TypeError(core)


class Plain:
    def __init__(self, env):
        self.__dict__.update({key[1]: value for key, value in env.items()})


def allowed(core, env):
    """Whether what the choices of an input assert holds."""
    match core:
        case c.Select(number_, assertions, parts):
            choice = env[0, number_]
            return bool(evaluate(assertions[choice], env)) and allowed(parts[choice], env)
        case c.Every(parts) | c.Some(parts):
            return all(allowed(part, env) for part in parts)
        case c.Negated(part):
            return allowed(part, env)
    return True


def inputs(problem):
    """Every legal input, with every combination of choices that it can make."""
    names = list(problem.blanks)
    selects = [part for part in c.parts_of(problem.difference) if isinstance(part, c.Select)]
    found = []
    for values in itertools.product(*(domain(problem.blanks[name]) for name in names)):
        env = {(0, name): value for name, value in zip(names, values, strict=True)}
        if not all(evaluate(each.node, env) for each in problem.assertions):
            continue
        for picked in itertools.product(*(range(len(each.parts)) for each in selects)):
            full = env | {(0, each.number): choice for each, choice in zip(selects, picked, strict=True)}
            if allowed(problem.difference, full):
                found.append(full)
    return found


def unlike(problem, a, b):
    """Whether two inputs may stand in one suite: not equal in their blanks, and different."""
    equal = all(operate("==", [a[0, name], b[0, name]], None, None) for name in problem.blanks)
    return not equal and different(problem.difference, a, b)


def largest(problem, nodes):
    """The size of a largest suite, by search."""
    neighbours = [{j for j, b in enumerate(nodes) if j != i and unlike(problem, a, b)} for i, a in enumerate(nodes)]
    best = 0

    def grow(size, candidates):
        nonlocal best
        best = max(best, size)
        while candidates and size + len(candidates) > best:
            node = candidates.pop()
            grow(size + 1, candidates & neighbours[node])

    grow(0, set(range(len(nodes))))
    return best
