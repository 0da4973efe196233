"""Random small specs, written with the public language; every operator and combinator turns up."""

from __future__ import annotations

import datetime
import enum
from decimal import Decimal
from random import Random

import unlike as u
from unlike.language.expressions import Expr
from unlike.language.terms import STR


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Size:
    """A member of an enumeration with attributes."""

    def __init__(self, name: str, weight: int) -> None:
        self.name, self.weight = name, weight

    def __repr__(self) -> str:
        return self.name


SIZES = (Size("small", 1), Size("large", 3))
DAY = datetime.date(2024, 2, 27)
NIGHT = datetime.datetime(2024, 2, 28, 22)
HOUR = datetime.timedelta(hours=1)


def values(random: Random):
    """A value with few members."""
    low = random.randint(-3, 2)
    menu = [
        lambda: u.Bool(),
        lambda: u.Int(low, low + random.randint(0, 4)),
        lambda: u.Int(low, low + random.randint(2, 6)),
        lambda: u.Real(0, 0.4, 1),
        lambda: u.OneOf("a", "b1", "ab"),
        lambda: u.OneOf(1, 3, 4),
        lambda: u.OneOf(*SIZES),
        lambda: u.OneOf(Color),
        lambda: u.OneOf(True, 1, "x"),
        lambda: u.Option(u.Int(0, 2)),
        lambda: u.Option(u.OneOf("a", "b")),
        lambda: u.List(u.Int(0, 1), max_length=2),
        lambda: u.List(u.OneOf("a", "b"), min_length=1, max_length=2),
        lambda: u.record(p=u.Int(0, 2), q=u.Bool()),
        lambda: u.record(p=u.record(r=u.Int(0, 1)), s=u.OneOf("a", "b")),
        lambda: u.Date(DAY, DAY + datetime.timedelta(random.randint(0, 4))),
        lambda: u.Time(datetime.time(9, 58), datetime.time(10, 2), step=random.choice([60, 90])),
        lambda: u.DateTime(NIGHT, NIGHT + random.randint(0, 4) * HOUR, step=3600),
        lambda: u.DateTime(
            NIGHT, NIGHT + datetime.timedelta(milliseconds=900), step=datetime.timedelta(milliseconds=300)
        ),
        lambda: u.Timedelta(-HOUR, random.randint(0, 3) * HOUR, step=1800),
        lambda: u.Decimal(Decimal("-0.1"), Decimal("0.3"), 1),
        lambda: u.OneOf(Decimal("0.1"), Decimal("0.30")),
        lambda: u.OneOf(HOUR, 2 * HOUR),
        lambda: u.List(u.Timedelta(-HOUR, HOUR, step=3600), max_length=2),
        lambda: u.List(u.Decimal(0, 1, 0), max_length=3),
        lambda: u.List(u.record(p=u.Int(0, 1), q=u.Bool()), max_length=2),
        lambda: u.Str("[ab]{0,2}", max_length=2),
        lambda: u.Str("a?b?1?", max_length=3),
        lambda: u.Str("(ab|1)?( b)?", max_length=4),
    ]
    return random.choice(menu)()


class Writer:
    """Writes random terms over some blanks, and notes which operators it used."""

    def __init__(self, random: Random, blanks: dict[str, Expr]) -> None:
        self.random, self.blanks = random, blanks

    def leaves(self) -> list[Expr]:
        found, queue = [], list(self.blanks.values())
        while queue:
            expr = queue.pop(0)
            kind = str(expr.node.kind).split()[0]
            match kind:
                case "record":
                    queue += [expr[name] for name, _ in expr.node.kind.fields]
                case "optional":
                    found.append(expr.present)
                    queue.append(expr.value)
                case "list":
                    found.append(expr.length)
                    queue.append(expr[self.random.randint(0, 2)])
                case "enumeration" if hasattr(expr.node.kind.members[0], "weight"):
                    queue += [expr.weight, expr.name]
                case "date":
                    found += [expr, expr.day, expr.month, expr.year, expr.weekday]
                case "time":
                    found += [expr, expr.hour, expr.minute, expr.second]
                case "datetime":
                    found += [expr, expr.day, expr.weekday, expr.hour, expr.minute, expr.second]
                case "timedelta":
                    found += [expr, expr.days]
                case "str":
                    found += [expr, expr.length]
                case _:
                    found.append(expr)
        return found

    def of_kind(self, kind: str) -> list[Expr]:
        return [leaf for leaf in self.leaves() if str(leaf.node.kind) == kind]

    def number(self, depth: int = 2) -> Expr | int:
        pool = self.of_kind("int")
        if depth == 0 or not pool or self.random.random() < 0.4:
            return self.random.choice(pool) if pool and self.random.random() < 0.7 else self.random.randint(-2, 4)
        a, b = self.number(depth - 1), self.number(depth - 1)
        match self.random.choice("+-*/%nai"):
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/":
                return a // b if isinstance(a, Expr) or isinstance(b, Expr) else a
            case "%":
                return a % b if isinstance(a, Expr) or isinstance(b, Expr) else a
            case "n":
                return -a
            case "a":
                return abs(a)
            case _:
                return u.ite(self.condition(0), a, b)

    def string(self, depth: int = 1) -> Expr | str:
        pool = self.of_kind("str")
        choice = self.random.random()
        if not pool or choice < 0.25:
            return self.random.choice(["", "a", "b", "ab", "1"])
        expr = self.random.choice(pool)
        if depth and choice < 0.45:
            return expr + self.string(depth - 1)
        if depth and choice < 0.55:
            return expr[self.random.randint(-1, 2)]
        return expr

    def condition(self, depth: int = 2) -> Expr:
        if depth and self.random.random() < 0.5:
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return self.random.choice(
                [lambda: a & b, lambda: a | b, lambda: ~a, lambda: u.implies(a, b), lambda: a ^ b]
            )()
        about = [self.about_number, self.about_string, self.about_other, self.about_other, self.about_list]
        made = self.random.choice(about)()
        return made if made is not None else self.about_number()

    def about_number(self) -> Expr:
        a, b = self.number(1), self.number(1)
        if not isinstance(a, Expr) and not isinstance(b, Expr):
            leaf = self.random.choice(self.leaves())
            return leaf == leaf
        return self.random.choice(
            [lambda: a == b, lambda: a != b, lambda: a < b, lambda: a <= b, lambda: a > b, lambda: a >= b]
        )()

    def about_string(self) -> Expr | None:
        pool = [each for each in self.of_kind("str") if each.node.kind == STR]
        if not pool:
            return None
        s, t = self.random.choice(pool), self.string()
        return self.random.choice(
            [
                lambda: s.contains(t),
                lambda: s.startswith(t),
                lambda: s.endswith(t),
                lambda: s == t,
                lambda: s < t,
                lambda: s.matches("a*b?|1"),
                lambda: s.is_in(["a", "ab", ""]),
                lambda: (s + t).length >= 2,
            ]
        )()

    def about_list(self) -> Expr | None:
        lists = [each for each in self.blanks.values() if str(each.node.kind).startswith("list")]
        if not lists:
            return None
        items = self.random.choice(lists)
        kind = str(items.node.kind.inner)
        first = {"int": 1, "real": 1, "timedelta": HOUR, "record": {"p": 1, "q": True}}.get(kind, "a")
        ordered = (lambda item: item.p) if kind == "record" else None
        summed = {"record": ordered, "str": lambda item: item.length}.get(kind)
        most = datetime.timedelta(0) if kind == "timedelta" else 1
        return self.random.choice(
            [
                lambda: items.sum(summed) > most,
                lambda: items.sum(summed) == most,
                lambda: items.count(lambda item: item == first) == self.number(0),
                lambda: items.count(first) < items.length,
                lambda: items.distinct(),
                lambda: items.distinct(ordered),
                lambda: items.sorted(ordered),
                lambda: items.sorted(ordered, descending=True),
                lambda: items.contains(first),
                lambda: items.each(lambda item: item == first),
                lambda: items.some(lambda item: item != first),
                lambda: items == [first],
            ]
        )()

    def about_other(self) -> Expr | None:
        leaf = self.random.choice(self.leaves())
        match str(leaf.node.kind):
            case "bool":
                return leaf
            case "real":
                return self.random.choice([lambda: leaf > 0.15, lambda: leaf * 2 == 0.4, lambda: leaf + 1 != 1.1])()
            case "date":
                other = DAY + datetime.timedelta(self.random.randint(0, 3))
                return self.random.choice([lambda: leaf > other, lambda: leaf + 1 == other, lambda: leaf - other < 2])()
            case "time":
                return leaf >= datetime.time(10, 0)
            case "datetime":
                late = NIGHT + self.random.randint(0, 3) * HOUR
                spans = self.of_kind("timedelta")
                return self.random.choice(
                    [
                        lambda: leaf >= late,
                        lambda: leaf + 2 * HOUR == late,
                        lambda: leaf - HOUR < late,
                        lambda: leaf - late != HOUR,
                        lambda: leaf + (self.random.choice(spans) if spans else HOUR) > late,
                    ]
                )()
            case "timedelta":
                dates = self.of_kind("date")
                return self.random.choice(
                    [
                        lambda: leaf > HOUR / 2,
                        lambda: leaf + leaf == HOUR,
                        lambda: -leaf <= abs(leaf) - HOUR,
                        lambda: leaf * 2 < HOUR,
                        lambda: leaf // HOUR == 0,
                        lambda: leaf % HOUR == leaf // 2,
                        lambda: (dates[0] if dates else DAY) + leaf < DAY,
                        lambda: (dates[0] if dates else DAY) - leaf >= DAY,
                        lambda: (dates[0] - DAY if dates else leaf) > leaf,
                    ]
                )()
            case "enumeration":
                return leaf == self.random.choice(leaf.node.kind.members)
        options = [each for each in self.blanks.values() if str(each.node.kind).startswith("optional")]
        return options[0] == None if options else None  # noqa: E711

    def difference(self, depth: int = 2):
        roll = self.random.random()
        if depth and roll < 0.5:
            inner = [self.difference(depth - 1) for _ in range(2)]
            return self.random.choice(
                [
                    lambda: u.some_of(*inner),
                    lambda: u.all_of(*inner),
                    lambda: u.not_different(inner[0]),
                    lambda: u.ite(self.condition(1), *inner),
                    lambda: u.enumerate_([self.condition(1), self.condition(1)], inner),
                    lambda: u.enumerate_linear([self.condition(1) for _ in range(3)]),
                    lambda: u.some_of(*inner),
                ]
            )()
        if roll < 0.56:
            return self.random.choice([u.never, u.always])
        return self.simple()

    def simple(self):
        leaf = self.random.choice(self.leaves())
        kind = str(leaf.node.kind)
        name = self.random.choice(list(self.blanks))
        menu = [lambda: u.differs_by(leaf), lambda: u.differs_by(leaf), lambda: u.not_equal(name)]
        if kind in ("int", "date"):
            menu += [lambda: u.distance(leaf, self.random.randint(1, 3))] * 2
        if kind == "real":
            menu += [lambda: u.distance(leaf, 0.2)]
        if kind == "time":
            menu += [lambda: u.distance(leaf, 100)]
        if kind in ("datetime", "timedelta"):
            menu += [lambda: u.distance(leaf, self.random.choice([1, 5400, 2 * HOUR]))] * 2
        bounded = [each for each in self.blanks if declared_bounds(self.blanks[each].node.kind)]
        if bounded:
            place = self.random.choice(bounded)
            menu += [lambda: u.boundary(place)] * 2
        if kind == "str":
            menu += [lambda: u.edit_distance(leaf, 2), lambda: u.different_lengths(leaf)]
        menu += [lambda: u.relation(lambda a, b: a[name] != b[name])]
        number = next((each for each in self.blanks if str(self.blanks[each].node.kind) == "int"), None)
        if number is not None:
            menu += [lambda: u.relation(lambda a, b: (a[number] + b[number]) % 2 == 1)]
            menu += [lambda: u.python_difference(lambda a, b: getattr(a, number) // 2 != getattr(b, number) // 2)]
        return self.random.choice(menu)()


def declared_bounds(kind) -> bool:
    """Whether a blank of the kind has bounds: not truth values, records, and enumerations of anything."""
    words = str(kind)
    return not any(word in words.split("list")[0] for word in ("bool", "record", "enumeration", "str"))


def random_spec(seed: int) -> u.Spec:
    """A spec made from a seed; about a quarter of them contradict themselves."""
    random = Random(seed)
    blanks = {name: values(random) for name in "xyz"[: random.choice([1, 1, 2, 2, 3])]}
    writer = Writer(random, {name: u.blank(name, value) for name, value in blanks.items()})
    where = [writer.condition() for _ in range(random.choice([0, 1, 1, 2]))]
    if random.random() < 0.2:
        said = writer.condition(1)
        where += [said, ~said]
    if random.random() < 0.1:
        name = next(iter(blanks))
        where.append(u.predicate(eval(f"lambda {name}: hash(str({name})) is not None")))
    different = writer.difference() if random.random() < 0.8 else ()
    return u.Spec(blanks, where=where, different=different)
