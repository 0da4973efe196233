"""What operators make of dates, moments and spans of time, as terms."""

from __future__ import annotations

from unlike.language import terms
from unlike.language.moments import DAY


def between_times(operator: str, first: terms.Node, second: terms.Node) -> terms.Node | None:
    """Return what an operator makes of dates, moments and spans of time; nothing where it is not about them."""
    date, moment, span, number = terms.DATE, terms.DATETIME, terms.TIMEDELTA, terms.INT
    kinds = (first.kind, second.kind)
    if operator == "+" and kinds in ((span, date), (span, moment), (number, date)):
        first, second, kinds = second, first, kinds[::-1]
    negated = terms.Op("neg", (second,), second.kind) if operator == "-" else second
    match operator:
        case "-" if kinds == (date, date):
            return terms.Op("days_between", (first, second), number)
        case "-" if kinds == (moment, moment):
            return terms.Op("time_between", (first, second), span)
        case "+" | "-" if kinds == (date, number):
            return terms.Op("add_days", (first, negated), date)
        case "+" | "-" if kinds == (date, span):  # a date has days alone, and a span of -1 hour begins a day before
            return between_times(operator, first, terms.Op("days", (second,), number))
        case "+" | "-" if kinds == (moment, span):
            return terms.Op("add_time", (first, negated), moment)
        case "+" | "-" | "%" if kinds == (span, span):
            return terms.Op(operator, (first, second), span)
        case "//" if kinds == (span, span):
            return terms.Op(operator, (first, second), number)
        case "*" if kinds in ((span, number), (number, span)):
            return terms.Op(operator, (first, second), span)
        case "//" if kinds == (span, number):
            return terms.Op(operator, (first, second), span)
    return None


def as_spans(first: terms.Node, second: terms.Node) -> tuple[terms.Node, terms.Node]:
    """Return two terms with the days between two dates as a span of time where the other one is a span."""

    def fit(node: terms.Node, other: terms.Node) -> terms.Node:
        if other.kind == terms.TIMEDELTA and isinstance(node, terms.Op) and node.name == "days_between":
            return terms.Op("*", (node, terms.Const(DAY, terms.INT)), terms.TIMEDELTA)
        return node

    return fit(first, second), fit(second, first)
