"""From a model file of PICT to a space: its parameters as fields of a dict, its constraints as rules.

    Type:  Primary, Logical, RAID-5            a parameter and its values; numbers where all of them are
    Size:  ~-1, 10, 100 | 128                  ~ a negative value: at most one in a row;  | names of one value
    IF [Type] = "RAID-5" THEN [Size] > 10;     also ELSE, AND, OR, NOT, IN {…}, LIKE "a*", parameter against parameter

Words of constraints and texts are compared whatever their case, as PICT does. Of several names the first one counts.
"""

from __future__ import annotations

import fnmatch
import itertools
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from unlike.errors import SpecError, nearest
from unlike.structure.cover.columns import FieldRule
from unlike.structure.shapes import Check, Checked, Constants, Field, NamedFields, Shape

MOST_PARTS = 64  # that one constraint is taken apart into
TOKEN = re.compile(r'\s*(?:(\[[^\]]*\])|("[^"]*")|(<>|<=|>=|[=<>(){},;])|([^\s=<>(){},;"\[\]]+))')
RELATIONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
Value: TypeAlias = int | float | str


@dataclass(frozen=True, slots=True)
class PictCondition:
    """A relation of one or two parameters, or several conditions joined by "and", "or", "not"."""

    word: str
    parts: tuple[PictCondition, ...] = ()
    names: tuple[str, ...] = ()
    test: Callable[..., bool] | None = None

    def holds(self, row: Mapping[str, object]) -> bool:
        """Tell whether it holds for a row."""
        if self.test is not None:
            return self.test(*(row[name] for name in self.names))
        if self.word == "not":
            return not self.parts[0].holds(row)
        return (all if self.word == "and" else any)(part.holds(row) for part in self.parts)

    def alternatives(self, *, wanted: bool = True) -> list[list[tuple[PictCondition, bool]]] | None:
        """Return it as "and" of "or"s of relations; nothing where that would be long."""
        if self.test is not None:
            return [[(self, wanted)]]
        if self.word == "not":
            return self.parts[0].alternatives(wanted=not wanted)
        inside = [part.alternatives(wanted=wanted) for part in self.parts]
        known = [each for each in inside if each is not None]
        if len(known) < len(inside):
            return None
        if (self.word == "and") == wanted:
            return [clause for each in known for clause in each]
        found = [[part for clause in some for part in clause] for some in itertools.product(*known)]
        return found if len(found) <= MOST_PARTS else None

    def find_names(self) -> tuple[str, ...]:
        """Return the parameters it speaks of."""
        inside = (name for part in self.parts for name in part.find_names())
        return tuple(dict.fromkeys((*self.names, *inside)))


@dataclass(frozen=True, slots=True)
class PictModel:
    """Parameters with their values, constraints in words, and which values are negative."""

    name: str
    values: Mapping[str, tuple[Value, ...]]
    constraints: tuple[tuple[str, PictCondition], ...] = ()
    negative: tuple[tuple[str, object], ...] = ()

    def shape(self) -> Shape:
        """Return the rows as dicts that keep all constraints."""
        fields = tuple(Field(name, Constants(values)) for name, values in self.values.items())
        checks = tuple(Check(words, each.holds) for words, each in self.constraints)  # type: ignore[arg-type]
        return Checked(NamedFields(fields), checks) if checks else NamedFields(fields)

    def rules(self) -> list[FieldRule]:
        """Return the constraints with the parameters that they name."""
        return [rule for words, each in self.constraints for rule in _rules_of(each, words)]

    def __repr__(self) -> str:
        return f"PictModel({self.name!r}: {', '.join(self.values)})"


def _rules_of(condition: PictCondition, words: str) -> Iterator[FieldRule]:
    clauses = condition.alternatives()
    if clauses is None:
        yield FieldRule(condition.find_names(), condition.holds, words)
        return
    for clause in clauses:
        parts = [each if wanted else PictCondition("not", (each,)) for each, wanted in clause]
        whole = parts[0] if len(parts) == 1 else PictCondition("or", tuple(parts))
        split: tuple[FieldRule, ...] = ()
        if len(parts) > 1 and all(len(part.find_names()) == 1 for part in parts):
            split = tuple(FieldRule(part.find_names(), part.holds, words) for part in parts)
        yield FieldRule(whole.find_names(), whole.holds, words, split)


# -- reading -------------------------------------------------------------------------------------------------------


def read_pict(path: str) -> PictModel:
    """Return the model in a file."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SpecError(f"{path!r} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise SpecError(f"{path!r} is no text in UTF-8: {error}") from None
    return parse_pict(text, Path(path).stem, path)


def parse_pict(text: str, name: str = "model", path: str = "model") -> PictModel:
    r"""Return the model in a text.

    >>> model = parse_pict('A: 1, 2\nB: x, y\nIF [A] = 1 THEN [B] = "x";')
    >>> dict(model.values), model.constraints[0][1].holds({"A": 1, "B": "y"})
    ({'A': (1, 2), 'B': ('x', 'y')}, False)
    """
    return _ModelReader(path).read(text, name)


class _ModelReader:
    def __init__(self, path: str) -> None:
        self.path = path
        self.texts: dict[str, list[str]] = {}
        self.values: dict[str, tuple[Value, ...]] = {}
        self.negative: list[tuple[str, object]] = []

    def refuse(self, line: int, why: str) -> NoReturn:
        raise SpecError(f"{self.path}, line {line}: {why}")

    def read(self, text: str, name: str) -> PictModel:
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
        lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
        rest: list[tuple[int, str]] = []
        for number, line in lines:
            if not rest and self.is_parameter(line):
                self.read_parameter(number, line)
            elif line.startswith("{"):
                self.refuse(
                    number, f"sub-models are not read: {line!r}; take it out, and say --strength A,B,C=3 instead"
                )
            else:
                rest.append((number, line))
        if not self.values:
            raise SpecError(f"{self.path} has no parameters; write NAME: value, value")
        return PictModel(name, self.values, tuple(self.read_constraints(rest)), tuple(self.negative))

    @staticmethod
    def is_parameter(line: str) -> bool:
        before = line.partition(":")[0]
        return ":" in line and "[" not in before and not re.match(r"(?i)if\b", line) and not line.startswith("{")

    def read_parameter(self, number: int, line: str) -> None:
        name, _, listed = line.partition(":")
        name = name.strip()
        if not name:
            self.refuse(number, "a parameter has a name: NAME: value, value")
        if name.casefold() in map(str.casefold, self.texts):
            self.refuse(number, f"there are two parameters {name!r}")
        texts: list[str] = []
        for each in listed.split(","):
            word = each.strip()
            if re.fullmatch(r"<[^<>]+>", word):
                texts += self.texts[self.find_known(word[1:-1].strip(), number)]
            else:
                texts.append(re.sub(r"\s*\(\d+\)$", "", word.partition("|")[0].strip()))
        self.texts[name] = texts
        bare = [text.removeprefix("~").strip() for text in texts]
        if not all(bare):
            self.refuse(number, f"{name}: a value is empty")
        numbers = [_number(text) for text in bare]
        found = [text if None in numbers else value for text, value in zip(bare, numbers, strict=True)]
        self.values[name] = tuple(dict.fromkeys(found))  # type: ignore[arg-type]
        marked = [value for value, text in zip(found, texts, strict=True) if text.startswith("~")]
        self.negative += [(name, value) for value in dict.fromkeys(marked)]
        if len(set(map(repr, marked))) == len(self.values[name]):
            self.refuse(number, f"{name}: all values are negative; leave one that is not")

    def find_known(self, name: str, number: int) -> str:
        found = next((each for each in self.texts if each.casefold() == name.casefold()), None)
        if found is None:
            self.refuse(number, f"there is no parameter {name!r}; {nearest(name, self.texts)}")
        return found

    # -- constraints -----------------------------------------------------------------------------------------------

    def read_constraints(self, lines: list[tuple[int, str]]) -> Iterator[tuple[str, PictCondition]]:
        tokens: list[tuple[str, int]] = []
        for number, line in lines:
            at = 0
            while at < len(line):
                found = TOKEN.match(line, at)
                if found is None or found.end() == at:
                    self.refuse(number, f"{line[at:]!r} is no part of a constraint")
                tokens.append((next(filter(None, found.groups()), ""), number))
                at = found.end()
        while tokens:
            ends = next((place for place, (token, _) in enumerate(tokens) if token == ";"), None)
            if ends is None:
                self.refuse(tokens[0][1], "a constraint ends with ;")
            words = " ".join(token for token, _ in tokens[:ends])
            yield words, _Constraint(self, tokens[: ends + 1]).read()
            tokens = tokens[ends + 1 :]


def _number(text: str) -> int | float | None:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None


class _Constraint:
    def __init__(self, reader: _ModelReader, tokens: list[tuple[str, int]]) -> None:
        self.reader, self.tokens, self.at = reader, tokens, 0

    def peek(self) -> str:
        return self.tokens[self.at][0].upper()

    def take(self, *wanted: str) -> str:
        token, number = self.tokens[self.at]
        if wanted and token.upper() not in wanted:
            self.reader.refuse(number, f"{token!r} stands where {' or '.join(wanted)} is expected")
        self.at += token != ";"
        return token

    def read(self) -> PictCondition:
        if self.peek() != "IF":
            found = self.either()
            self.take(";")
            return found
        self.take("IF")
        condition = self.either()
        self.take("THEN")
        then = PictCondition("or", (PictCondition("not", (condition,)), self.either()))
        if self.peek() == "ELSE":
            self.take("ELSE")
            then = PictCondition("and", (then, PictCondition("or", (condition, self.either()))))
        self.take(";")
        return then

    def either(self) -> PictCondition:
        parts = [self.both()]
        while self.peek() == "OR":
            self.take("OR")
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else PictCondition("or", tuple(parts))

    def both(self) -> PictCondition:
        parts = [self.clause()]
        while self.peek() == "AND":
            self.take("AND")
            parts.append(self.clause())
        return parts[0] if len(parts) == 1 else PictCondition("and", tuple(parts))

    def clause(self) -> PictCondition:
        if self.peek() == "NOT":
            self.take("NOT")
            return PictCondition("not", (self.clause(),))
        if self.peek() == "(":
            self.take("(")
            found = self.either()
            self.take(")")
            return found
        return self.term()

    def parameter(self, token: str) -> str:
        return self.reader.find_known(token[1:-1].strip(), self.tokens[max(0, self.at - 1)][1])

    def term(self) -> PictCondition:
        token = self.take()
        if not token.startswith("["):
            self.reader.refuse(self.tokens[self.at - 1][1], f"{token!r} stands where a [parameter] is expected")
        name = self.parameter(token)
        negated = self.peek() == "NOT"
        if negated:
            self.take("NOT")
        relation = self.take(*RELATIONS, "IN", "LIKE").upper()
        found = self.relation(name, relation)
        return PictCondition("not", (found,)) if negated else found

    def relation(self, name: str, relation: str) -> PictCondition:
        if relation == "IN":
            self.take("{")
            members = [self.value(name)]
            while self.take(",", "}") == ",":
                members.append(self.value(name))
            kept = {_fold_case(each) for each in members}
            return PictCondition("is", names=(name,), test=lambda value: _fold_case(value) in kept)
        if relation == "LIKE":
            pattern = str(self.value(name)).casefold().replace("[", "[[]")
            return PictCondition(
                "is", names=(name,), test=lambda value: fnmatch.fnmatchcase(str(value).casefold(), pattern)
            )
        compare = RELATIONS[relation]
        if self.peek().startswith("["):
            other = self.parameter(self.take())
            self.check_kinds(name, self.reader.values[other][0], f"[{other}]")
            return PictCondition(
                "is",
                names=(name, other),
                test=lambda one, two: compare(_fold_case(one), _fold_case(two)),
            )
        wanted = self.value(name)
        self.check_kinds(name, wanted, repr(wanted))
        return PictCondition("is", names=(name,), test=lambda value: compare(_fold_case(value), _fold_case(wanted)))

    def check_kinds(self, name: str, other: Value, words: str) -> None:
        """Refuse to compare a number with a text."""
        if isinstance(other, str) != isinstance(self.reader.values[name][0], str):
            kind = "texts" if isinstance(self.reader.values[name][0], str) else "numbers"
            self.reader.refuse(
                self.tokens[self.at - 1][1], f"[{name}] has {kind}, which cannot be compared with {words}"
            )

    def value(self, name: str) -> Value:
        token = self.take()
        if token.startswith('"'):
            return token[1:-1]
        number = _number(token)
        if number is None:
            self.reader.refuse(
                self.tokens[self.at - 1][1], f'[{name}]: {token!r} is no value; write it in quotes: "{token}"'
            )
        return number


def _fold_case(value: object) -> object:
    return value.casefold() if isinstance(value, str) else value
