"""From a class to its fields: dataclasses, attrs, pydantic models, TypedDicts, NamedTuples.

Nobody's library is imported here: a class shows by its attributes which of them made it.
"""

from __future__ import annotations

import dataclasses
import keyword
import sys
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from unlike.errors import SpecError
from unlike.formats.python_types.constraints import Bound, Constraint, Length, Pattern
from unlike.structure.shapes import Build, Check


@dataclass(slots=True)
class ReadField:
    """A field as its class declares it."""

    name: str
    annotation: object
    required: bool
    key: str = ""
    metadata: tuple[object, ...] = ()
    constraints: tuple[Constraint, ...] = ()


@dataclass(slots=True)
class ReadClass:
    """The fields of a class and how an instance is built."""

    fields: list[ReadField] = field(default_factory=list)
    build: Build = field(default_factory=Build)
    closed: bool = False


def reader_for(cls: type) -> Callable[[type], ReadClass] | None:
    """Return the function that reads this kind of class, or nothing if it is none that can be read."""
    if hasattr(cls, "__pydantic_fields__"):
        return _pydantic
    if dataclasses.is_dataclass(cls):
        return _dataclass
    if hasattr(cls, "__attrs_attrs__"):
        return _attrs
    if issubclass(cls, dict) and hasattr(cls, "__required_keys__"):  # also where typing_extensions made it
        return _typed_dict
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return _named_tuple
    return None


def hints_of(cls: type) -> dict[str, object]:
    """Return the annotations of a class with all names resolved."""
    module = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
    try:
        return typing.get_type_hints(cls, globalns=None, localns={**module, cls.__name__: cls}, include_extras=True)
    except NameError as error:
        raise SpecError(
            f"{cls.__name__}: the annotation {error.name!r} could not be resolved; define it at the top of "
            f"{cls.__module__}, outside of functions and of `if TYPE_CHECKING`"
        ) from None
    except TypeError as error:
        raise SpecError(f"{cls.__name__}: its annotations could not be read: {error}") from None


def _dataclass(cls: type) -> ReadClass:
    hints = hints_of(cls)
    found = []
    declared = getattr(cls, "__dataclass_fields__", {})
    for each in declared.values():
        kind = getattr(each, "_field_type", None)
        if str(kind).endswith("CLASSVAR") or not each.init:
            continue
        required = each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING
        found.append(ReadField(each.name, hints.get(each.name, each.type), required))
    return ReadClass(found, Build("call", cls), closed=True)


def _named_tuple(cls: type) -> ReadClass:
    hints = hints_of(cls)
    names: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]
    defaults: dict[str, object] = cls._field_defaults  # type: ignore[attr-defined]
    untyped = [name for name in names if name not in hints]
    if untyped:
        raise SpecError(f"{cls.__name__}.{untyped[0]} has no annotation; use typing.NamedTuple with types")
    found = [ReadField(name, hints[name], name not in defaults) for name in names]
    return ReadClass(found, Build("call", cls), closed=True)


def _typed_dict(cls: type) -> ReadClass:
    required: frozenset[str] = cls.__required_keys__  # type: ignore[attr-defined]
    found = []
    for name, hint in hints_of(cls).items():
        # where annotations are strings, the class itself cannot know its Required and NotRequired keys
        said = getattr(typing.get_origin(hint), "_name", None)
        needed = said == "Required" if said in ("Required", "NotRequired") else name in required
        found.append(ReadField(name, hint, needed))
    return ReadClass(found, Build("dict", cls))


# -- attrs ---------------------------------------------------------------------------------------------------------


def _attrs(cls: type) -> ReadClass:
    hints = hints_of(cls)
    nothing = sys.modules["attr"].NOTHING
    found = []
    for each in cls.__attrs_attrs__:  # type: ignore[attr-defined]
        if not each.init:
            continue
        annotation = hints.get(each.name, each.type)
        if annotation is None:
            raise SpecError(f"{cls.__name__}.{each.name} has no annotation; write {each.name}: int = field(…)")
        constraints = tuple(_validator(each.validator))
        name = each.name.lstrip("_") or each.name
        found.append(ReadField(name, annotation, each.default is nothing, each.alias or "", (), constraints))
    return ReadClass(found, Build("call", cls), closed=True)


def _validator(validator: object) -> Iterator[Constraint]:
    """Yield what a validator of attrs itself says; any other one is asked by the constructor."""
    match type(validator).__name__:
        case "_AndValidator":
            for each in validator._validators:  # type: ignore[attr-defined]
                yield from _validator(each)
        case "_OptionalValidator":
            inner = validator.validator  # type: ignore[attr-defined]
            for each in inner if isinstance(inner, list | tuple) else [inner]:
                yield from _validator(each)
        case "_NumberValidator":
            operator = validator.compare_op  # type: ignore[attr-defined]
            side = "least" if operator.startswith(">") else "most"
            yield Bound(side, validator.bound, "=" not in operator)  # type: ignore[attr-defined]
        case "_MinLengthValidator":
            yield Length("least", validator.min_length)  # type: ignore[attr-defined]
        case "_MaxLengthValidator":
            yield Length("most", validator.max_length)  # type: ignore[attr-defined]
        case "_InValidator":
            options = validator.options  # type: ignore[attr-defined]
            yield Check(f"in {options!r}", lambda value: value in options)
        case "_MatchesReValidator":
            pattern = validator.pattern  # type: ignore[attr-defined]
            how = getattr(validator.match_func, "__name__", "fullmatch")  # type: ignore[attr-defined]
            text = pattern.pattern if how != "match" else rf"\A(?:{pattern.pattern})"
            yield Pattern(text, pattern.flags & ~32, search=how != "fullmatch")


# -- pydantic ------------------------------------------------------------------------------------------------------


def _pydantic(cls: type) -> ReadClass:
    is_model = hasattr(cls, "model_validate")
    if is_model and not getattr(cls, "__pydantic_complete__", True):
        cls.model_rebuild(raise_errors=False)  # type: ignore[attr-defined]
    config = _config(cls)
    found = []
    for name, info in cls.__pydantic_fields__.items():  # type: ignore[attr-defined]
        if getattr(info, "init", None) is False:
            continue
        key = _key(cls, name, info, config)
        found.append(ReadField(name, info.annotation, info.is_required(), key, tuple(info.metadata)))
    plain = all(each.key.isidentifier() and not keyword.iskeyword(each.key) for each in found)
    closed = config.get("extra") == "forbid" or not is_model
    return ReadClass(found, Build("call" if plain or not is_model else "validate", cls), closed)


def _config(cls: type) -> dict[str, object]:
    return dict(getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or {})


def _key(cls: type, name: str, info: object, config: dict[str, object]) -> str:
    """Return the keyword that sets the field: its alias, unless only the name is asked for."""
    alias = getattr(info, "validation_alias", None)
    alias = alias if alias is not None else getattr(info, "alias", None)
    if alias is None or config.get("validate_by_alias") is False:
        return name
    choices = getattr(alias, "choices", None)
    if choices:
        alias = next((each for each in choices if isinstance(each, str)), alias)
    if isinstance(alias, str):
        return alias
    if config.get("populate_by_name") or config.get("validate_by_name"):
        return name
    raise SpecError(
        f"{cls.__name__}.{name}: the alias {alias!r} is a path into other data; add validate_by_name=True to the "
        "model's configuration"
    )
