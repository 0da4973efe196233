"""What may be said of a type beside its name: bounds, multiples, lengths, patterns, zones, members, predicates.

Whoever adds a kind of rule adds it here, and a row to the table of annotations in the tests: how it is called by the
libraries that have it (`rules_in`; for attrs `validators`), and what it leaves of a shape (`apply_rule`). Metadata are
known by what they are called, not by importing who made them: a library that is not loaded cannot have put any into
a type.
"""

from __future__ import annotations

import datetime
import pathlib
import re
import sys
import zoneinfo
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from unlike.errors import SpecError, with_article
from unlike.regex.quiet import compile_quietly
from unlike.structure import shapes
from unlike.types import narrowing

SIGNS = {("least", False): ">=", ("least", True): ">", ("most", False): "<=", ("most", True): "<"}


@dataclass(frozen=True, slots=True)
class BoundRule:
    """A lower or upper bound, itself allowed or not."""

    side: str  # "least" or "most"
    value: object
    open: bool

    def __str__(self) -> str:
        return f"{SIGNS[self.side, self.open]} {self.value!r}"


@dataclass(frozen=True, slots=True)
class MultipleRule:
    """A number that divides the value."""

    of: object

    def __str__(self) -> str:
        return f"multiple of {self.of!r}"


@dataclass(frozen=True, slots=True)
class LengthRule:
    """The least or greatest length."""

    side: str
    value: int

    def __str__(self) -> str:
        return f"{'at least' if self.side == 'least' else 'at most'} {self.value} long"


@dataclass(frozen=True, slots=True)
class PatternRule:
    """A regex; searched for, or matching as a whole."""

    pattern: str
    flags: int = 0
    search: bool = False
    unicode: bool = False  # characters of all scripts are as good as ASCII
    written: str = ""  # as it stands in another dialect, where it does

    def __str__(self) -> str:
        return f"matching {self.written or self.pattern!r}"


@dataclass(frozen=True, slots=True)
class ZoneRule:
    """A time zone: None for naive values, or one by name."""

    name: str | None

    def __str__(self) -> str:
        return f"time zone {self.name!r}"


@dataclass(frozen=True, slots=True)
class VersionRule:
    """The version of a UUID."""

    version: int

    def __str__(self) -> str:
        return f"UUID version {self.version}"


@dataclass(frozen=True, slots=True)
class DigitsRule:
    """At most so many digits in all, so many of them after the point."""

    digits: int | None
    places: int | None

    def __str__(self) -> str:
        return f"at most {self.digits} digits, {self.places} of them decimal places"


@dataclass(frozen=True, slots=True)
class MemberRule:
    """One of the given values."""

    values: tuple[object, ...]

    def __str__(self) -> str:
        return f"in [{', '.join(map(repr, self.values))}]"


RUST = "rust-regex"  # what pydantic asks for patterns, unless a model says python-re
UNREADABLE = ("restricts values in a way that cannot be read", "say it with a bound, a pattern or a predicate")


@dataclass(frozen=True, slots=True)
class OpaqueRule:
    """What restricts values in a way that cannot be read; a class of the same library may decide by itself.

    `given_as` is the pattern of what such a class takes, where it is known.
    """

    name: str
    by: str = "pydantic"
    given_as: str = ""

    def __str__(self) -> str:
        return self.name


# A predicate is a Check: a named function of the finished value.
Rule: TypeAlias = (
    BoundRule
    | MultipleRule
    | LengthRule
    | PatternRule
    | ZoneRule
    | VersionRule
    | DigitsRule
    | MemberRule
    | OpaqueRule
    | shapes.Check
)
# What restricts or changes values by code, or by knowledge of its library's own. Other metadata are notes for readers.
OPAQUE = (
    *("AfterValidator", "BeforeValidator", "PlainValidator", "WrapValidator"),
    *("PathType", "EncodedBytes", "EncodedStr", "GetPydanticSchema"),
)
# Paths that have to exist: some folders always do; of files nobody knows, whoever checks it.
EXISTING: dict[str, Rule] = {
    "dir": MemberRule((pathlib.Path(), pathlib.Path(".."))),
    "file": OpaqueRule("FilePath", by="nobody"),
    "socket": OpaqueRule("SocketPath", by="nobody"),
    "new": OpaqueRule("NewPath"),
}
# What pydantic's encoders take, in few readable texts.
ENCODED = {
    "Base64Encoder": r"([A-Za-z0-9+/]{4}){0,2}([A-Za-z0-9+/][AQgw]==)?",
    "Base64UrlEncoder": r"([A-Za-z0-9_-]{4}){0,2}([A-Za-z0-9_-][AQgw]==)?",
}


# -- reading metadata ----------------------------------------------------------------------------------------------


def rules_in(metadata: Iterable[object], *, engine: str = RUST) -> tuple[Rule, ...]:
    """Return what metadata ask for; what is not about values is passed over. Patterns of pydantic are of its engine."""
    return tuple(rule for each in metadata for rule in _rules(each, engine))


def _rules(item: object, engine: str) -> Iterator[Rule]:
    name, module = type(item).__name__, type(item).__module__
    if name == "Matching" and module.startswith("unlike."):
        yield PatternRule(item.pattern, int(item.flags), unicode=bool(item.unicode))  # type: ignore[attr-defined]
    elif module.startswith("annotated_types"):
        yield from _of_annotated_types(item, name)
    elif name == "FieldInfo" and module.startswith("pydantic"):
        yield from rules_in(item.metadata, engine=engine)  # type: ignore[attr-defined]
    elif module.startswith("pydantic") and hasattr(item, "__dict__") and name.endswith("GeneralMetadata"):
        yield from _of_general_metadata(vars(item), engine)
    elif _is_grouped(item):
        yield from rules_in(item, engine=engine)  # type: ignore[arg-type]
    elif module.startswith("pydantic") and name == "UuidVersion":
        if item.uuid_version is not None:  # type: ignore[attr-defined]
            yield VersionRule(item.uuid_version)  # type: ignore[attr-defined]
    elif module.startswith("pydantic") and name == "PathType" and item.path_type in EXISTING:  # type: ignore[attr-defined]
        yield EXISTING[item.path_type]  # type: ignore[attr-defined]
    elif module.startswith("msgspec") and name == "Meta":
        yield from _of_msgspec(item)
    elif module.startswith("sqlalchemy.") and hasattr(item, "__visit_name__"):
        yield from _of_column_type(item)
    elif module.startswith("pydantic") and name in OPAQUE:
        encoder = getattr(getattr(item, "encoder", None), "__name__", "")
        yield OpaqueRule(_function_name(item), given_as=ENCODED.get(encoder, ""))


def _is_grouped(item: object) -> bool:
    library = sys.modules.get("annotated_types")
    return library is not None and not isinstance(item, type) and isinstance(item, library.GroupedMetadata)


def _of_annotated_types(item: object, name: str) -> Iterator[Rule]:
    match name:
        case "Ge" | "Gt":
            yield BoundRule("least", getattr(item, name.lower()), name == "Gt")
        case "Le" | "Lt":
            yield BoundRule("most", getattr(item, name.lower()), name == "Lt")
        case "MultipleOf":
            yield MultipleRule(item.multiple_of)  # type: ignore[attr-defined]
        case "MinLen":
            yield LengthRule("least", _length(item.min_length, item))  # type: ignore[attr-defined]
        case "MaxLen":
            yield LengthRule("most", _length(item.max_length, item))  # type: ignore[attr-defined]
        case "Timezone":
            yield ZoneRule(_zone_name(item.tz))  # type: ignore[attr-defined]
        case "Predicate":
            yield shapes.Check(f"predicate {_function_name(item.func)}", item.func)  # type: ignore[attr-defined]
        case _ if _is_grouped(item):
            yield from rules_in(item)  # type: ignore[arg-type]


def _of_msgspec(meta: object) -> Iterator[Rule]:
    """Yield what msgspec checks when it decodes; a pattern is searched for."""
    for name, side, is_open in (
        ("ge", "least", False),
        ("gt", "least", True),
        ("le", "most", False),
        ("lt", "most", True),
    ):
        if (value := getattr(meta, name)) is not None:
            yield BoundRule(side, value, is_open)
    if (divisor := meta.multiple_of) is not None:  # type: ignore[attr-defined]
        yield MultipleRule(divisor)
    for name, side in (("min_length", "least"), ("max_length", "most")):
        if (length := getattr(meta, name)) is not None:
            yield LengthRule(side, length)
    if (pattern := meta.pattern) is not None:  # type: ignore[attr-defined]
        yield PatternRule(pattern, search=True)
    if (aware := meta.tz) is not None:  # type: ignore[attr-defined]
        yield ZoneRule("UTC" if aware else None)


def _of_column_type(column: object) -> Iterator[Rule]:
    """Yield what the type of a column of a database says: the greatest length, the digits."""
    kinds = {each.__name__ for each in type(column).__mro__}
    length, digits, places = (getattr(column, name, None) for name in ("length", "precision", "scale"))
    if kinds & {"String", "LargeBinary"} and "Enum" not in kinds and isinstance(length, int):
        yield LengthRule("most", length)
    if "Numeric" in kinds and getattr(column, "asdecimal", False) and isinstance(digits, int):
        yield DigitsRule(digits, places if isinstance(places, int) else None)


def _function_name(function: object) -> str:
    """Return a name that is the same in every run: no addresses."""
    name = getattr(function, "__qualname__", None)
    if isinstance(name, str):
        return name
    inner = getattr(function, "func", None)  # annotated_types.Not, functools.partial
    kind = type(function).__name__
    return kind if inner is None else f"{kind} {_function_name(inner)}"


def _length(value: object, item: object) -> int:
    if not isinstance(value, int):
        raise SpecError(f"{item}: a length is a whole number; give one")
    return value


def _zone_name(zone: object) -> str | None:
    if zone is None:
        return None
    if zone is ... or zone is datetime.UTC:
        return "UTC"
    name = str(zone)
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError) as error:
        raise SpecError(f"Timezone({zone!r}): no such time zone; give an IANA name like 'Europe/Paris'") from error
    return name


def _of_general_metadata(found: dict[str, object], engine: str) -> Iterator[Rule]:
    """Yield what pydantic keeps in one bag: patterns and digits."""
    pattern = found.get("pattern")
    if isinstance(pattern, str) and engine == RUST:
        yield _of_rust(pattern)
    elif pattern is not None:
        text = str(getattr(pattern, "pattern", pattern))
        yield PatternRule(text, int(getattr(pattern, "flags", 0)) & ~int(re.UNICODE), search=True)
    for change in ("strip_whitespace", "to_lower", "to_upper", "ascii_only"):
        if found.get(change):
            yield OpaqueRule(change)
    digits, places = found.get("max_digits"), found.get("decimal_places")
    if isinstance(digits, int) or isinstance(places, int):
        yield DigitsRule(digits if isinstance(digits, int) else None, places if isinstance(places, int) else None)


def _of_rust(pattern: str) -> PatternRule:
    """Return a pattern as Rust means it, in Python's words where Python would read it otherwise."""
    from unlike.regex.dialects.python_spelling import spell
    from unlike.regex.dialects.rust import is_read_alike, read_rust

    try:
        tree = read_rust(pattern)
    except SpecError as error:
        raise SpecError(_why_not_rust(pattern, error)) from None
    if is_read_alike(pattern):
        return PatternRule(pattern, search=True)
    return PatternRule(spell(tree, few=True), search=True, written=pattern)


def _why_not_rust(pattern: str, error: SpecError) -> str:
    """Return why a pattern is not read as Rust means it; Python's engine is the remedy only where it takes it."""
    try:
        compile_quietly(pattern)
    except (re.error, OverflowError, RecursionError):
        return f"{pattern!r} cannot be used as a pattern: {error}; write another"
    return (
        f"pydantic's engine for patterns does not know it: {error}; "
        "say regex_engine='python-re' in the model's configuration, or give a compiled pattern"
    )


# -- applying them -------------------------------------------------------------------------------------------------


def apply_rules(shape: shapes.Shape, rules: Iterable[Rule], path: shapes.Path) -> shapes.Shape:
    """Return the shape under the rules; one that cannot apply, or that leaves nothing, is refused."""
    ordered = list(rules)
    found = under(shape, ordered, path)
    while (refined := _refine(shape, found)) is not shape:
        shape, found = refined, under(refined, ordered, path)
    if isinstance(found, shapes.Numbers):
        found = narrowing.without_gaps(narrowing.list_few(found))
    _check_not_empty(found, ordered, path)
    return found


def _refine(shape: shapes.Shape, found: shapes.Shape) -> shapes.Shape:
    """Return the shape with other decimal places where the rules left nothing of it, and might have; else the shape."""
    match shape, found:
        case shapes.Numbers(), _ if (places := narrowing.other_places(shape, found)) is not None:
            return shape.at_places(places)
        case shapes.Choice(before), shapes.Choice(after):
            left = dict(after)
            refined = tuple((word, _refine(inner, left[word])) for word, inner in before)
            unchanged = all(new is old for (_, new), (_, old) in zip(refined, before, strict=True))
            return shape if unchanged else shapes.Choice(refined)
    return shape


def under(shape: shapes.Shape, rules: Iterable[Rule], path: shapes.Path) -> shapes.Shape:
    """Return the shape under the rules, even if they leave nothing."""
    # digits last, as they say how the numbers are written; then predicates, which look at values that keep every rule
    for each in sorted(rules, key=lambda each: (isinstance(each, shapes.Check), isinstance(each, DigitsRule))):
        found = apply_rule(shape, each, path)
        if found is None:
            raise SpecError(f"{shapes.shown_path(path)}: '{each}' {_why_not(shape, each)}")
        shape = found
    return shape


def apply_rule(shape: shapes.Shape, rule: Rule, path: shapes.Path) -> shapes.Shape | None:
    """Return the shape under one rule; nothing where the rule does not apply to it."""
    match shape, rule:
        case shapes.Choice(alternatives), _ if not isinstance(rule, shapes.Check):
            found = [(word, apply_rule(inner, rule, path)) for word, inner in alternatives]
            if all(inner is None for _, inner in found):
                return None
            old = dict(alternatives)
            return shapes.Choice(tuple((word, inner or old[word]) for word, inner in found))
        case shapes.Checked(checks=checks), shapes.Check():
            return replace(shape, checks=(*checks, rule))
        case _, shapes.Check():
            return shapes.Checked(shape, (rule,))
        case shapes.Checked(inner, checks), _:
            below = apply_rule(inner, rule, path)
            return None if below is None else shapes.Checked(below, checks)
        case shapes.Numbers(), BoundRule(side, value, is_open):
            return narrowing.keep_bound(shape, side, value, is_open=is_open, rule=rule, path=path)
        case shapes.Numbers(), MultipleRule(of):
            return narrowing.keep_multiples(shape, of, rule=rule, path=path)
        case shapes.Numbers(), ZoneRule(name) if shape.line.kind in ("datetime", "time"):
            return replace(shape, line=replace(shape.line, zone=name), stated=(*shape.stated, "zone"))
        case shapes.Numbers(), VersionRule(version) if shape.line.kind == "uuid":
            return replace(shape, line=replace(shape.line, version=version), stated=(*shape.stated, "version"))
        case shapes.Numbers(), DigitsRule(digits, places):
            return narrowing.in_digits(shape, digits, places)
        case shapes.Texts() | shapes.ItemsShape(), LengthRule():
            return _keep_length(shape, rule)
        case shapes.Texts(), PatternRule(pattern, flags, search):
            matching = narrowing.match_pattern(shape, pattern, flags, search=search, path=path)
            return replace(matching, unicode=shape.unicode or rule.unicode)
        case shapes.Constants(values), BoundRule() if not all(each is None for each in values):
            return _keep_constants(shape, lambda value: _keeps_bound(value, rule))
        case shapes.Constants(values), MemberRule(members) if not all(each is None for each in values):
            return _keep_constants(shape, lambda value: value in members)
        case shapes.Numbers() | shapes.Texts(), MemberRule(members):
            return _keep_members(shape, members)
    return None


def _keep_length(shape: shapes.Texts | shapes.ItemsShape, length: LengthRule) -> shapes.Shape:
    short, long = ("shortest", "longest") if isinstance(shape, shapes.Texts) else ("fewest items", "most items")
    if length.side == "least":
        most = shape.most if long in shape.stated else max(shape.most, length.value)
        return replace(shape, least=length.value, most=most, stated=(*shape.stated, short))
    if isinstance(shape, shapes.ItemsShape) and not length.value:
        # nothing is ever in it, and no choice of an item can be shown
        shape = replace(shape, item=shapes.NamedFields(()))
    return replace(shape, most=length.value, stated=(*shape.stated, long))


def _keep_constants(shape: shapes.Constants, keeps: Callable[[object], bool]) -> shapes.Shape:
    kept = tuple(each for each in shape.values if keeps(each))
    single = None if shape.single is None else sum(map(keeps, shape.values[: shape.single]))
    return replace(shape, values=kept, single=single)


def _keep_members(shape: shapes.Numbers | shapes.Texts, members: tuple[object, ...]) -> shapes.Shape:
    """Return those of the members that are values of the shape; an int may stand where a float is meant."""
    from unlike.structure.validity import fits  # loads the matcher, which few rules need

    numbers = isinstance(shape, shapes.Numbers) and shape.line.kind == "float"
    values = [float(each) if numbers and type(each) is int else each for each in members]
    return shapes.Constants(tuple(each for each in values if fits(shape, each)))


def _keeps_bound(value: object, bound: BoundRule) -> bool:
    try:
        if bound.side == "least":
            return bool(value > bound.value if bound.open else value >= bound.value)  # type: ignore[operator]
        return bool(value < bound.value if bound.open else value <= bound.value)  # type: ignore[operator]
    except TypeError:
        return False


def _check_not_empty(shape: shapes.Shape, rules: list[Rule], path: shapes.Path) -> None:
    said = " and ".join(f"'{each}'" for each in rules if not isinstance(each, shapes.Check))
    for inner in _own(shape):
        match inner:
            case shapes.Numbers() if not inner.count():
                raise SpecError(f"{shapes.shown_path(path)}: {said} leave no value; change one of them")
            case shapes.Texts() | shapes.ItemsShape() if not 0 <= inner.least <= inner.most:
                raise SpecError(f"{shapes.shown_path(path)}: {said} leave no length; change one of them")
            case shapes.Constants(()):
                raise SpecError(f"{shapes.shown_path(path)}: {said} leave none of the values; change one of them")


def _own(shape: shapes.Shape) -> Iterator[shapes.Shape]:
    """Yield the shapes that rules at this place speak about."""
    match shape:
        case shapes.Choice(alternatives):
            for _, inner in alternatives:
                yield from _own(inner)
        case shapes.Checked(inner):
            yield from _own(inner)
        case _:
            yield shape


def _why_not(shape: shapes.Shape, rule: Rule) -> str:
    if isinstance(rule, OpaqueRule):
        return "; ".join(UNREADABLE)
    return f"does not apply to {_what(shape)}; remove it"


def _what(shape: shapes.Shape) -> str:
    match shape:
        case shapes.Numbers(line):
            return f"{with_article(line.kind)}"
        case shapes.Texts(made=made):
            return f"a {made}"
        case shapes.Constants(values):
            return f"one of {', '.join(map(repr, values[:4]))}"
        case shapes.ItemsShape(kind=kind):
            return f"{with_article(kind)}"
        case shapes.NamedFields() | shapes.Reference():
            return "an object"
        case _:
            return "this type"
