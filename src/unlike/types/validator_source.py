"""What the validators of a class mention, read from their source: the values that they may want.

    if not value.startswith(("/etc/", "/run/")): …   ->  texts that begin with one of them
    if self.port in RESERVED or self.port > 9_000: … ->  the numbers in RESERVED, 9,000 and those beside them
    if not re.match(r"[A-Z]{3}", value): …           ->  texts that match

These are guesses: they are tried where the class refuses the usual values, and the class still decides.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from unlike.structure.mentioned import Mentioned
from unlike.types.narrowing import search_pattern

MOST = 12  # patterns, and numbers, of a field: each costs tries
LISTED = 50  # values of a constant that are looked at
LONG = 200  # longer texts are prose
ANY = "(?s:.*)"
PARTS = ("count", "find", "rfind", "index", "rindex", "split", "rsplit", "partition", "rpartition")
# what texts often say that something is read from
USUAL_TEXTS = (
    "a", "1", "1.5", "1.2.3", "2000-01-31", "2000-01-31T12:30:00", "12:30", "1/2", "a=1", "a:1", "a/b", "a.b", "a,b",
    "10.0.0.1", "user@example.com", "https://example.com/a", "#0080ff", "{}", "[]", "1h", "1 kB", "true",
    "00000000-0000-4000-8000-000000000000",
)  # fmt: skip
ALL_FIELDS = "*"  # as pydantic writes it


def find_mentioned(cls: object, names: Iterable[str]) -> dict[str, Mentioned]:
    """Return what the validators of a class mention for each of its fields, as far as their source can be read."""
    found = {name: _Notes() for name in names}
    for function, fields in _validators_of(cls):
        try:
            _Reader(cls, function, found, [name for name in found if name in fields or ALL_FIELDS in fields]).read()
        except Exception:  # foreign code, and whatever stands in its source
            continue
    return {name: notes.as_mentioned() for name, notes in found.items() if notes.patterns or notes.numbers}


def texts_mentioned(cls: type, function: object) -> Mentioned:
    """Return what a function that reads texts mentions: in its source, quoted in its description; and usual texts."""
    notes = _Notes()
    quoted = re.findall(r"""(["'])([^"'\n]{1,40})\1""", inspect.getdoc(function) or "")
    for each, _ in _plain(function, ()):
        try:
            _Reader(cls, each, {"text": notes}, ["text"]).read()
        except Exception:  # foreign code, and whatever stands in its source
            continue
    usual = _texts((*(text for _, text in quoted), *USUAL_TEXTS))
    return Mentioned((*tuple(notes.patterns)[:MOST], usual), tuple(notes.numbers))


def _validators_of(cls: object) -> Iterator[tuple[types.FunctionType, tuple[str, ...]]]:
    """Yield the functions that check instances, each with the fields that it looks at."""
    decorators = getattr(cls, "__pydantic_decorators__", None)
    for kind in ("field_validators", "validators", "model_validators", "root_validators"):
        for each in getattr(decorators, kind, {}).values():
            yield from _plain(each.func, tuple(getattr(each.info, "fields", (ALL_FIELDS,))))
    for name, info in getattr(cls, "__pydantic_fields__", {}).items():
        for each in info.metadata:
            yield from _plain(getattr(each, "func", None), (name,))
    for each in getattr(cls, "__attrs_attrs__", ()):
        for validator in getattr(each.validator, "_validators", (each.validator,)):
            yield from _plain(validator, (each.name.lstrip("_") or each.name,))
    for name in ("__post_init__", "__attrs_post_init__"):
        for function, fields in _plain(getattr(cls, name, None), (ALL_FIELDS,)):
            yield function, fields
            for called in function.__code__.co_names:  # self.validate()
                yield from _plain(inspect.getattr_static(cls, called, None), (ALL_FIELDS,))


def _plain(function: object, fields: tuple[str, ...]) -> Iterator[tuple[types.FunctionType, tuple[str, ...]]]:
    found = inspect.unwrap(getattr(function, "__func__", function))  # type: ignore[arg-type]
    if isinstance(found, types.FunctionType):
        yield found, fields


@dataclass(slots=True)
class _Notes:
    patterns: dict[str, None] = field(default_factory=dict)
    numbers: dict[int | float, None] = field(default_factory=dict)

    def as_mentioned(self) -> Mentioned:
        return Mentioned(tuple(self.patterns)[:MOST], tuple(self.numbers)[: 3 * MOST])


class _Reader:
    def __init__(
        self, cls: object, function: types.FunctionType, notes: Mapping[str, _Notes], fields: list[str]
    ) -> None:
        self.cls, self.notes, self.fields = cls, notes, fields
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        self.tree = next(each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.Lambda))
        closure = inspect.getclosurevars(function)
        self.names: dict[str, object] = {**closure.globals, **closure.nonlocals}

    def read(self) -> None:
        """Note what is compared with what is known."""
        for each in ast.walk(self.tree):
            if isinstance(each, ast.comprehension) and isinstance(each.target, ast.Name):
                values = self.value_of(each.iter)
                self.names[each.target.id] = tuple(values if isinstance(values, str) else _flat(values))
        for each in ast.walk(self.tree):
            match each:
                case ast.Compare(left, ops, comparators):
                    for one, op, two in zip([left, *comparators], ops, comparators, strict=False):
                        self.read_comparison(one, op, two)
                case ast.BinOp(subject, ast.Mod(), ast.Constant(int() as number)):
                    self.note(subject, numbers=[number])
                case ast.Call(ast.Attribute(subject, name), arguments):
                    self.read_call(subject, name, arguments)

    def read_comparison(self, one: ast.expr, op: ast.cmpop, two: ast.expr) -> None:
        left, right = self.values_in(one), self.values_in(two)
        if bool(left) == bool(right):
            return
        subject, values = (two, left) if left else (one, right)
        texts, numbers = _texts(values), [each for each in values if not isinstance(each, str)]
        match subject:
            case ast.Call(ast.Name("len"), [measured]):
                sizes = [size for each in numbers for size in (each, each + 1, each - 1) if 0 <= size <= LONG]
                self.note(measured, patterns=[f"(?s:.{{{int(size)}}})" for size in sizes])
                return
        if not isinstance(op, ast.In | ast.NotIn):
            part = [f"{texts}{ANY}", f"{ANY}{texts}"] if isinstance(subject, ast.Subscript) else [texts]
        elif left or (isinstance(two, ast.Constant | ast.Name | ast.Attribute) and len(values) == 1):
            inner = texts if left else _texts(_letters(values[0]))  # a part of the subject, or of a known text
            part = [f"{ANY}{inner}{ANY}"]
        else:
            part = [texts]
        self.note(subject, part if texts else [], numbers)

    def read_call(self, subject: ast.expr, name: str, arguments: list[ast.expr]) -> None:
        if name in ("match", "fullmatch", "search"):
            self.read_match(subject, name, arguments)
            return
        texts = _texts(self.values_in(arguments[0])) if arguments else ""
        written = {"startswith": f"{texts}{ANY}", "endswith": f"{ANY}{texts}"}
        written |= dict.fromkeys(PARTS, f"{ANY}{texts}{ANY}")
        if texts and name in written and not self.values_in(subject):
            self.note(subject, [written[name]])

    def read_match(self, subject: ast.expr, name: str, arguments: list[ast.expr]) -> None:
        compiled = self.value_of(subject)
        if isinstance(compiled, re.Pattern) and arguments:
            pattern, flags, subject = compiled.pattern, compiled.flags & ~int(re.UNICODE), arguments[0]
        elif len(arguments) > 1 and (known := self.values_in(arguments[0])):
            pattern, flags, subject = known[0], 0, arguments[1]
        else:
            return
        if isinstance(pattern, str) and not flags:
            begun = rf"\A(?:{pattern})" if name == "match" else pattern
            self.note(subject, [pattern if name == "fullmatch" else search_pattern(begun)])

    def note(self, subject: ast.expr, patterns: Iterable[str] = (), numbers: Iterable[int | float] = ()) -> None:
        """Note it for the fields that the subject speaks of, or for all that the function looks at."""
        parts = list(ast.walk(subject))
        spoken = {each.attr for each in parts if isinstance(each, ast.Attribute)}
        spoken |= {str(each.value) for each in parts if isinstance(each, ast.Constant)}
        for name in [each for each in self.fields if each in spoken] or self.fields:
            self.notes[name].patterns |= dict.fromkeys(patterns)
            for number in numbers:
                self.notes[name].numbers |= dict.fromkeys((number, number + 1, number - 1))

    def values_in(self, node: ast.expr) -> list[str | int | float]:
        """Return the texts and numbers that an expression stands for, if they are known without running anything."""
        return list(_flat(self.value_of(node)))[:LISTED]

    def value_of(self, node: ast.expr) -> object:
        match node:
            case ast.Constant(value):
                return value
            case ast.Tuple(parts) | ast.List(parts) | ast.Set(parts):
                return tuple(self.value_of(each) for each in parts)
            case ast.Dict(keys):
                return tuple(self.value_of(each) for each in keys if each is not None)
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
                return -number
            case ast.Call(ast.Name("frozenset" | "set" | "tuple" | "list"), [inner]):
                return self.value_of(inner)
            case ast.Name(name):
                return self.names.get(name)
            case ast.Attribute(ast.Name("cls" | "self"), name):
                return inspect.getattr_static(self.cls, name, None)
            case ast.Attribute(ast.Name(module), name) if isinstance(self.names.get(module), types.ModuleType):
                return getattr(self.names[module], name, None)
        return None


def _flat(value: object) -> Iterator[str | int | float]:
    """Yield the texts and numbers in a plain value; those of a set in an order of their own."""
    if type(value) is str and 0 < len(value) <= LONG:
        yield value
    elif type(value) in (int, float) and value - value == 0:  # type: ignore[operator]
        yield value  # type: ignore[misc]
    elif type(value) in (tuple, list, dict):
        for each in value:  # type: ignore[attr-defined]
            yield from _flat(each)
    elif type(value) in (set, frozenset):
        yield from sorted((found for each in value for found in _flat(each)), key=repr)  # type: ignore[attr-defined]


def _letters(value: str | int | float) -> Iterable[str | int | float]:
    return value if isinstance(value, str) else (value,)


def _texts(values: Iterable[object]) -> str:
    """Return a pattern of the texts among values; nothing where there is none."""
    texts = [re.escape(each) for each in values if isinstance(each, str)]
    return f"(?:{'|'.join(texts)})" if texts else ""
