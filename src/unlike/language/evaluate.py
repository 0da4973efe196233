"""From terms to plain Python: every input that leaves is evaluated again by this code, not by the solver's.

A term becomes the source of a lambda over assignments (dicts from blank to value), compiled once.
"""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from unlike.language import terms
from unlike.language.moments import DAY, moment_of, moment_ticks
from unlike.language.values import plain_of
from unlike.regex.texts.fullmatch import careful

Assignment: TypeAlias = Mapping[str, object]

_TEMPLATES = {name: f"({{0}} {name} {{1}})" for name in ("+", "-", "*", "==", "!=", "<", "<=", ">", ">=")}
_TEMPLATES |= {name: f"{{0}}.{name}" for name in ("year", "month", "day", "hour", "minute", "second")}
_TEMPLATES |= {
    "not": "(not {0})",
    "neg": "(-{0})",
    "abs": "abs({0})",
    "//": "div({0}, {1})",
    "%": "mod({0}, {1})",
    "concat": "({0} + {1})",
    "ite": "({1} if {0} else {2})",
    "length": "len({0})",
    "contains": "({1} in {0})",
    "startswith": "{0}.startswith({1})",
    "endswith": "{0}.endswith({1})",
    "some": "{0}",
    "present": "({0} is not None)",
    "days_between": "({0} - {1}).days",
    "add_days": "add_days({0}, {1})",
    "weekday": "{0}.weekday()",
    "time_between": "(ticks({0}) - ticks({1}))",
    "add_time": "moment(ticks({0}) + {1})",
    "days": f"({{0}} // {DAY})",
    "seconds": "({0}.hour * 3600 + {0}.minute * 60 + {0}.second)",
}


def divide(number: int, by: int) -> int:
    """Return the floor of the quotient; dividing by zero gives zero."""
    return number // by if by else 0


def remainder(number: int, by: int) -> int:
    """Return the remainder with the sign of the divisor; the remainder by zero is the number."""
    return number % by if by else number


def add_days(date: datetime.date, days: int) -> datetime.date:
    """Return the date so many days later, held within the calendar."""
    ordinal = min(max(date.toordinal() + days, 1), datetime.date.max.toordinal())
    return datetime.date.fromordinal(ordinal)


_NAMES: dict[str, object] = {
    "div": divide,
    "mod": remainder,
    "add_days": add_days,
    "ticks": moment_ticks,
    "moment": moment_of,
}


def same(first: object, second: object) -> bool:
    """Tell whether two values are the same, down to the types of members of enumerations."""
    return terms.freeze(first) == terms.freeze(second)


def choice_key(number: int) -> str:
    """Return the key under which an assignment holds the choice of a combinator; no blank can have it."""
    return f"?{number}"


def compile_term(node: terms.Node, *, pair: bool = False) -> Callable[..., object]:
    """Return the term as a Python function of one assignment, or of two if it relates two inputs."""
    writer = _ExpressionWriter()
    source = writer.source(node)
    parameters = "a, b" if pair else "v"
    function: Callable[..., object] = eval(f"lambda {parameters}: {source}", dict(_NAMES) | writer.constants)
    return function


class _ExpressionWriter:
    def __init__(self) -> None:
        self.constants: dict[str, object] = {}
        self.variables: dict[str, str] = {}  # a bound variable may have any name; here it has one of ours
        self.numbers = itertools.count()

    def constant(self, value: object) -> str:
        """Return a name that stands for the value in the source."""
        name = f"k{len(self.constants)}"
        self.constants[name] = value
        return name

    def source(self, node: terms.Node) -> str:
        """Return the Python source of the term."""
        match node:
            case terms.Blank(name, _, side):
                return f"{'vab'[side]}[{name!r}]"
            case terms.ChosenAssertion(number, side):
                return f"{'vab'[side]}[{choice_key(number)!r}]"
            case terms.Const(value):
                return repr(value) if type(value) in (bool, int, str) else self.constant(value)
            case terms.Variable(name):
                return self.variables[name]
            case terms.Quantified():
                return f"{'all' if node.every else 'any'}({self.elements(node)})"
            case terms.Aggregate(name):
                return f"{self.constant(_AGGREGATES[name])}({self.elements(node)})"
            case terms.Opaque(function, names):
                arguments = ", ".join(f"v[{name!r}]" for name in names)
                return f"bool({self.constant(function)}({arguments}))"
            case terms.Op():
                return self.operation(node)

    def elements(self, node: terms.Quantified | terms.Aggregate) -> str:
        """Return the source of what is said of each element; its variable hides an outer one of the same name."""
        items, outer = self.source(node.items), self.variables
        called = f"each{next(self.numbers)}"
        self.variables = outer | {node.variable.name: called}
        body = self.source(node.body)
        self.variables = outer
        return f"{body} for {called} in {items}"

    def operation(self, node: terms.Op) -> str:
        """Return the Python source of an operator and its arguments."""
        args = [self.source(arg) for arg in node.args]
        match node.name:
            case "and" | "or":
                return "(" + f" {node.name} ".join(args) + ")"
            case "==" | "!=" if terms.has_atoms(node.args[0].kind):
                return f"({'' if node.name == '==' else 'not '}{self.constant(same)}({args[0]}, {args[1]}))"
            case "field":
                return f"{args[0]}[{node.extra!r}]"
            case "attribute" if node.kind in (terms.REAL, terms.TIMEDELTA):
                return f"{self.constant(plain_of)}({self.constant(node.kind)}, {args[0]}.{node.extra})"
            case "attribute":
                return f"{args[0]}.{node.extra}"
            case "matches":
                assert isinstance(node.extra, tuple)
                return f"({self.constant(careful(*node.extra))}({args[0]}) is not None)"
            case "accepted":
                return f"{self.constant(node.extra)}({args[0]})"
            case "edit_distance":
                from rapidfuzz.distance import Levenshtein  # loaded only when used

                return f"{self.constant(Levenshtein.distance)}({args[0]}, {args[1]})"
            case "at" if node.args[0].kind == node.kind:  # a character of a string
                return f"{self.constant(_character)}({args[0]}, {args[1]})"
            case "at":
                return f"{self.constant(_element)}({args[0]}, {args[1]}, {self.constant(terms.default_of(node.kind))})"
            case "value":
                default = self.constant(terms.default_of(node.kind))
                return f"{self.constant(_content)}({args[0]}, {default})"
        return _TEMPLATES[node.name].format(*args)


def _character(string: str, index: int) -> str:
    return string[index : index + 1] if index >= 0 else ""


def _element(items: tuple[object, ...], index: int, default: object) -> object:
    return items[index] if 0 <= index < len(items) else default


def _content(value: object, default: object) -> object:
    return default if value is None else value


def _distinct(elements: Iterable[object]) -> bool:
    found = [terms.freeze(each) for each in elements]
    return len(set(found)) == len(found)


def _ascending(elements: Iterable[object]) -> bool:
    return all(one <= two for one, two in itertools.pairwise(elements))  # type: ignore[operator]


def _descending(elements: Iterable[object]) -> bool:
    return all(one >= two for one, two in itertools.pairwise(elements))  # type: ignore[operator]


_AGGREGATES: dict[str, Callable[..., object]] = {
    "sum": sum,
    "count": sum,  # of truths
    "distinct": _distinct,
    "sorted": _ascending,
    "descending": _descending,
}
