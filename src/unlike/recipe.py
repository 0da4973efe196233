"""The one currency: a straight-line program that rebuilds an input.

Whatever a generator finds leaves it as a Recipe: literals, constructor calls, method calls, blank objects
and stores into them. A recipe is frozen data. It can be run (each time giving a fresh object), written as
Python source, and saved as JSON, without knowing who made it.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import importlib
import ipaddress
import pathlib
import sys
import uuid
import zoneinfo
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from unlike.errors import RecipeError

MOST_BITS = 10_000  # of a number that is written with decimal digits
Scalar: TypeAlias = bool | int | float | str | bytes | None
CONTAINERS: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict}
# where a second version of a module is kept among the modules while two versions are compared: "shop" -> "shop (new)"
second_versions: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Ref:
    """The result of an earlier step."""

    step: int


@dataclass(frozen=True, slots=True)
class Name:
    """Something importable: a class, a function, an enum member, a classmethod."""

    module: str
    qualname: str


# containers that a call makes, and what may make the values of a defaultdict: harmless, whoever names them
STANDARD_CONTAINERS: dict[Name, type] = {
    Name(cls.__module__, cls.__qualname__): cls
    for cls in (
        collections.deque, collections.OrderedDict, collections.Counter, collections.defaultdict,
        list, tuple, set, frozenset, dict, int, float, str, bytes, bool,
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Items:
    """A container display; the items of a dict are keys and values in turn."""

    kind: Literal["list", "tuple", "set", "frozenset", "dict"]
    items: tuple[Argument, ...]


def write_plain(value: object) -> str:
    """Return a plain value as Python source; numbers with more digits than `repr` writes in base 16."""
    return hex(value) if type(value) is int and value.bit_length() > MOST_BITS else repr(value)


def display(kind: str, items: Sequence[str]) -> str:
    """Return a container as Python writes it, from the texts of its items."""
    inner = ", ".join(items)
    match kind:
        case "list":
            return f"[{inner}]"
        case "tuple":
            return f"({inner},)" if len(items) == 1 else f"({inner})"
        case "set":
            return f"{{{inner}}}" if items else "set()"
        case "dict":
            pairs = zip(items[::2], items[1::2], strict=True)
            return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
    return f"frozenset({{{inner}}})" if items else "frozenset()"


@dataclass(frozen=True, slots=True)
class Given:
    """An object the user handed in, known only to this process: it can be run but not saved."""

    value: object

    def __hash__(self) -> int:
        return id(self.value)


Argument: TypeAlias = Scalar | Ref | Name | Items | Given


@dataclass(frozen=True, slots=True)
class Call:
    """Call a class, function or classmethod."""

    function: Name | Given
    args: tuple[Argument, ...] = ()
    kwargs: tuple[tuple[str, Argument], ...] = ()


@dataclass(frozen=True, slots=True)
class Method:
    """Call a method of an earlier result; operators go by their dunder names."""

    receiver: Ref
    name: str
    args: tuple[Argument, ...] = ()
    kwargs: tuple[tuple[str, Argument], ...] = ()

    @property
    def passes_itself(self) -> bool:
        """Whether the object is passed to its own method: `x.append(x)`."""
        return self.receiver in (*self.args, *(value for _, value in self.kwargs))


@dataclass(frozen=True, slots=True)
class BareInstance:
    """Make an instance without running its constructor."""

    cls: Name


@dataclass(frozen=True, slots=True)
class Store:
    """Store into an attribute of an earlier result; `raw` goes past a `__setattr__` of the class, if it is frozen."""

    target: Ref
    name: str
    value: Argument
    raw: bool = False


Step: TypeAlias = Call | Method | BareInstance | Store
Resolve: TypeAlias = Callable[[Name], object]


@dataclass(frozen=True, slots=True)
class Recipe:
    """Steps in order, and which result is the input."""

    steps: tuple[Step, ...]
    result: Argument


def arguments_of(step: Step) -> tuple[Argument, ...]:
    """Return what a step takes: what it calls, makes, or changes, and then its arguments."""
    match step:
        case Call(first, args, kwargs) | Method(first, _, args, kwargs):
            return first, *args, *(value for _, value in kwargs)
        case BareInstance(cls):
            return (cls,)
        case Store(target, _, value):
            return target, value


def leaves_of(arguments: Iterable[Argument]) -> Iterator[Argument]:
    """Yield arguments, and instead of containers what they hold."""
    for each in arguments:
        if isinstance(each, Items):
            yield from leaves_of(each.items)
        else:
            yield each


def names_in(recipe: Recipe) -> Iterator[Name]:
    """Yield what a recipe names, step by step."""
    for arguments in (*map(arguments_of, recipe.steps), (recipe.result,)):
        yield from (each for each in leaves_of(arguments) if isinstance(each, Name))


def import_name(name: Name) -> object:
    """Return what the name stands for, importing its module."""
    try:
        found: object = sys.modules.get(name.module) or importlib.import_module(name.module)
        for part in name.qualname.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise RecipeError(f"{name.module}:{name.qualname} cannot be found: {error}") from error
    return found


def only(*allowed: object) -> Resolve:
    """Return a resolver that knows the given classes and functions, and their attributes, and nothing else."""
    known = {name_of(thing): thing for thing in allowed}

    def resolve(name: Name) -> object:
        qualname, inner = name.qualname, list[str]()
        while (found := known.get(Name(name.module, qualname))) is None:
            qualname, _, last = qualname.rpartition(".")
            if not qualname:
                raise RecipeError(f"{name.module}:{name.qualname} is not one of the names this file may use")
            inner.insert(0, last)
        for part in inner:
            if part.startswith("_"):
                raise RecipeError(f"{name.module}:{name.qualname} is private and may not be named by a recipe")
            found = getattr(found, part)
        return found

    return resolve


def run(recipe: Recipe, resolve: Resolve = import_name, *, past_errors: bool = False) -> object:
    """Run the recipe and return a fresh input; steps that raise are passed over if they may."""
    results = _run_steps(recipe.steps, resolve, past_errors=past_errors)
    return value_in(recipe.result, results, resolve)


def _run_steps(steps: Iterable[Step], resolve: Resolve, *, past_errors: bool) -> list[object]:
    results: list[object] = []
    for step in steps:
        try:
            results.append(run_step(step, results, resolve))
        except Exception:
            if not past_errors:
                raise
            results.append(None)
    return results


def run_failing(
    recipe: Recipe, resolve: Resolve = import_name, *, past_errors: bool = False
) -> tuple[object, BaseException | None]:
    """Run a recipe whose last step fails; return its input all the same, and what was raised (nothing, if nothing)."""
    results = _run_steps(recipe.steps[:-1], resolve, past_errors=past_errors)
    try:
        results.append(run_step(recipe.steps[-1], results, resolve))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the code under test may raise anything
        is_made = not isinstance(recipe.result, Ref) or recipe.result.step < len(results)
        return (value_in(recipe.result, results, resolve) if is_made else None), error
    return value_in(recipe.result, results, resolve), None


def run_step(step: Step, results: Sequence[object], resolve: Resolve) -> object:
    """Do one step, after those whose results are given."""

    def value(argument: Argument) -> object:
        return value_in(argument, results, resolve)

    match step:
        case Call(function, args, kwargs):
            call = value(function)
            return call(*map(value, args), **{key: value(each) for key, each in kwargs})  # type: ignore[operator]
        case Method(receiver, name, args, kwargs):
            method = getattr(value(receiver), name)
            return method(*map(value, args), **{key: value(each) for key, each in kwargs})
        case BareInstance(cls):
            made = value(cls)
            return made.__new__(made)  # type: ignore[arg-type]
        case Store(target, name, stored, raw):
            (object.__setattr__ if raw else setattr)(value(target), name, value(stored))
            return None


def value_in(argument: Argument, results: Sequence[object], resolve: Resolve) -> object:
    """Return what an argument stands for, after steps with these results."""
    match argument:
        case Ref(step):
            return results[step]
        case Name():
            return resolve(argument)
        case Given(value):
            return value
        case Items("dict", items):
            values = [value_in(item, results, resolve) for item in items]
            return dict(zip(values[::2], values[1::2], strict=True))
        case Items(kind, items):
            return CONTAINERS[kind](value_in(item, results, resolve) for item in items)
        case _:
            return argument


# -- from values to recipes ------------------------------------------------------------------------


def name_of(thing: object) -> Name:
    """Return the importable name of a class or function, or refuse with the reason."""
    module = getattr(thing, "__module__", None)
    qualname = getattr(thing, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(qualname, str):
        raise RecipeError(f"{thing!r} has no importable name; define it at the top of a module")
    if "<" in qualname:
        raise RecipeError(f"{module}:{qualname} cannot be imported by name; define it at the top of a module")
    if second_versions and (second := second_version_of(thing, module, qualname)) is not None:
        return Name(second, qualname)
    return Name(module if module in sys.modules else _module_with(thing, qualname) or module, qualname)


def second_version_of(thing: object, module: str, qualname: str) -> str | None:
    """Return where the second version of a module is kept, if the thing is of that one."""
    kept = second_versions.get(module)
    if kept is None:
        return None
    return kept if _look_up(sys.modules.get(kept), qualname) is thing else None


def _look_up(module: object, qualname: str) -> object:
    found: Any = module
    for part in qualname.split("."):
        found = getattr(found, "__dict__", {}).get(part)
    return getattr(found, "__func__", found)


def _module_with(thing: object, qualname: str) -> str | None:
    """Return a module that has the thing under its name, where that which it says to be of does not exist.

    Classes written in C may say anything.
    """
    top, _, rest = qualname.partition(".")
    for name in sorted(sys.modules):
        if (found := getattr(sys.modules[name], "__dict__", {}).get(top)) is not None:
            for part in rest.split(".") if rest else ():
                found = getattr(found, part, None)
            if found is thing:
                return name
    return None


def recipe_of(value: object) -> Recipe:
    """Return a recipe for a plain value: literals, containers, enums, dates and their like."""
    steps: list[Step] = []
    result = quote(value, steps)
    return Recipe(tuple(steps), result)


def text_of(value: object) -> str:
    """Return the text of a value to sort it by, also of numbers that have more digits than Python writes."""
    if type(value) is int and value.bit_length() > MOST_BITS:
        return hex(value)
    if type(value) is tuple:
        return f"({', '.join(map(text_of, value))}{',' * (len(value) == 1)})"
    return repr(value)


def quote(value: object, steps: list[Step]) -> Argument:
    """Return the argument that stands for the value, adding the steps needed to make it."""
    kind = type(value)
    if value is None or kind in (bool, int, float, str, bytes):
        return value  # type: ignore[return-value]
    if isinstance(value, enum.Flag) and not (value.name or "").isidentifier():
        steps.append(Call(name_or_given(type(value)), (quote(value.value, steps),)))  # several flags together, or none
        return Ref(len(steps) - 1)
    if isinstance(value, enum.Enum):
        name = name_or_given(type(value))
        return Name(name.module, f"{name.qualname}.{value.name}") if isinstance(name, Name) else Given(value)
    if isinstance(value, type) and isinstance(name := name_or_given(value), Name):
        return name
    if kind in (list, tuple):
        items = tuple(quote(item, steps) for item in value)  # type: ignore[attr-defined]
        return Items("list" if kind is list else "tuple", items)
    if kind is dict:
        flat = tuple(quote(part, steps) for pair in value.items() for part in pair)  # type: ignore[attr-defined]
        return Items("dict", flat)
    if kind in (set, frozenset):
        ordered = sorted(value, key=text_of)  # type: ignore[call-overload]
        return Items("set" if kind is set else "frozenset", tuple(quote(item, steps) for item in ordered))
    if isinstance(value, fractions.Fraction):
        steps.append(Call(name_of(kind), (value.numerator, value.denominator)))
        return Ref(len(steps) - 1)
    if isinstance(value, tuple) and (own := _named_tuple(value)) is not None:
        steps.append(Call(own, tuple(quote(each, steps) for each in value)))
        return Ref(len(steps) - 1)
    if (arguments := constructor_arguments(value)) is not None:
        args = tuple(quote(each, steps) for each in arguments)
        steps.append(Call(name_of(public_class(kind)), args))
        return Ref(len(steps) - 1)
    if (fields := _dataclass_fields(value)) is not None and isinstance(name := name_or_given(kind), Name):
        kwargs = tuple((field, quote(each, steps)) for field, each in fields.items())
        steps.append(Call(name, (), kwargs))
        return Ref(len(steps) - 1)
    return Given(value)


def _named_tuple(value: tuple[object, ...]) -> Name | None:
    """Return the name of the class of a tuple with names for its parts, if the class makes it again of these."""
    kind: Any = type(value)
    if not isinstance(getattr(kind, "_fields", None), tuple) or not isinstance(name := name_or_given(kind), Name):
        return None
    try:
        again = kind(*value)
    except Exception:  # its `__new__` may take something else
        return None
    return name if type(again) is kind and tuple.__eq__(again, value) else None


def public_class(kind: type) -> type:
    """Return the class that a user would name: a path is a Path on every system."""
    return pathlib.Path if issubclass(kind, pathlib.Path) else kind


def _dataclass_fields(value: object) -> dict[str, object] | None:
    """Return the constructor's arguments of a dataclass instance all of whose fields are such arguments."""
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return None
    fields = dataclasses.fields(value)
    if not all(field.init for field in fields):
        return None
    return {field.name: getattr(value, field.name) for field in fields}


def name_or_given(thing: object) -> Name | Given:
    """Return the importable name of a class or function, or the thing itself if it has none."""
    try:
        return name_of(thing)
    except RecipeError:
        return Given(thing)


def constructor_arguments(value: object) -> tuple[object, ...] | None:
    """Return what to pass to the value's own class to make it again, for the standard value types."""
    match value:
        case datetime.datetime() if value.tzinfo is None or isinstance(value.tzinfo, zoneinfo.ZoneInfo):
            fields = (*value.timetuple()[:6], value.microsecond)
            return fields if value.tzinfo is None else (*fields, value.tzinfo)
        case datetime.time() if value.tzinfo is None or isinstance(value.tzinfo, zoneinfo.ZoneInfo):
            clock = (value.hour, value.minute, value.second, value.microsecond)
            return clock if value.tzinfo is None else (*clock, value.tzinfo)
        case datetime.timedelta():
            return (value.days, value.seconds, value.microseconds)
        case datetime.datetime() | datetime.time():
            return None
        case datetime.date():
            return (value.year, value.month, value.day)
        case zoneinfo.ZoneInfo() if value.key:
            return (value.key,)
        case decimal.Decimal() | uuid.UUID() | pathlib.PurePath():
            return (str(value),)
        case ipaddress.IPv4Address() | ipaddress.IPv6Address():
            return (str(value),)
        case complex():
            return (value.real, value.imag)
        case slice() | range():
            ends = value.start, value.stop
            return ends if value.step in (None, 1) else (*ends, value.step)
        case bytearray():
            return (bytes(value),)
    return None
