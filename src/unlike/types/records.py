"""From a class to its fields: dataclasses, attrs, pydantic, msgspec, SQLAlchemy, TypedDicts, NamedTuples.

Nobody's library is imported here: a class shows by its attributes which of them made it.
"""

from __future__ import annotations

import dataclasses
import keyword
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from unlike.errors import SpecError
from unlike.structure.shapes import Build
from unlike.types.resolve import written_annotations
from unlike.types.rules import RUST
from unlike.types.tree import AnyType


@dataclass(slots=True)
class DeclaredField:
    """A field as its class declares it: its annotation, and the class in whose body that was written."""

    name: str
    annotation: object
    owner: type
    required: bool
    key: str = ""
    metadata: tuple[object, ...] = ()
    validator: object = None  # of attrs


@dataclass(slots=True)
class DeclaredClass:
    """The fields of a class, how an instance is built, and whether building one checks what was read by nobody else."""

    fields: list[DeclaredField] = field(default_factory=list)
    build: Build = field(default_factory=Build)
    closed: bool = False
    validates: bool = False
    extra: DeclaredField | None = None  # what keys hold that no field names


def declared_class(cls: type) -> DeclaredClass | None:
    """Return the fields of a class, or nothing if it is none whose fields can be read."""
    if hasattr(cls, "__pydantic_fields__"):
        return _pydantic(cls)
    if dataclasses.is_dataclass(cls):
        return _dataclass(cls)
    if hasattr(cls, "__attrs_attrs__"):
        return _attrs(cls)
    if hasattr(cls, "__struct_fields__"):
        return _msgspec(cls)
    if "__mapper__" in vars(cls):
        return _sqlalchemy(cls)
    if issubclass(cls, dict) and hasattr(cls, "__required_keys__"):  # also where typing_extensions made it
        return _typed_dict(cls)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return _named_tuple(cls)
    return None


def declared_annotation(cls: type, name: str) -> tuple[object, type] | None:
    """Return the annotation of a field as it was written, and the class that wrote it: its own or the nearest base."""
    for each in cls.__mro__:
        own = written_annotations(each) if each is not object else {}
        if name in own:
            return own[name], each
    return None


def pydantic_field(cls: type, name: str) -> tuple[object, tuple[object, ...]] | None:
    """Return the annotation of a field that pydantic checks, and what is said of it, as in `= Field(ge=0)`."""
    info = getattr(cls, "__pydantic_fields__", {}).get(name)
    return None if info is None else (info.annotation, tuple(info.metadata))


def regex_engine(cls: type) -> str:
    """Return which engine pydantic asks for the patterns of a class."""
    config = getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None)
    return str(config.get("regex_engine", RUST)) if isinstance(config, Mapping) else RUST


def attrs_validator(cls: type, name: str) -> object:
    """Return the validator that an attrs class has for a field, or None."""
    return next((each.validator for each in getattr(cls, "__attrs_attrs__", ()) if each.name == name), None)


def _dataclass(cls: typing.Any) -> DeclaredClass:
    found = []
    columns = cls.__mapper__.column_attrs if "__mapper__" in vars(cls) else ()  # of SQLAlchemy
    stored = {each.key: (each.columns[0].type,) for each in columns}
    for each in cls.__dataclass_fields__.values():
        if str(each._field_type).endswith("CLASSVAR") or not each.init:
            continue
        required = each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING
        annotation, owner = declared_annotation(cls, each.name) or (each.type, cls)
        found.append(DeclaredField(each.name, annotation, owner, required, metadata=stored.get(each.name, ())))
    return DeclaredClass(found, Build("call", cls), closed=True)


def _named_tuple(cls: type) -> DeclaredClass:
    found = []
    for name in cls._fields:  # type: ignore[attr-defined]
        annotation, owner = declared_annotation(cls, name) or (AnyType(), cls)  # collections.namedtuple has none
        found.append(DeclaredField(name, annotation, owner, name not in cls._field_defaults))  # type: ignore[attr-defined]
    return DeclaredClass(found, Build("call", cls), closed=True)


def _typed_dict(cls: type) -> DeclaredClass:
    required: frozenset[str] = cls.__required_keys__  # type: ignore[attr-defined]
    # inherited ones are among them, and know the module they were written in
    own = written_annotations(cls).items()
    fields = [DeclaredField(name, each, cls, name in required) for name, each in own]
    found = DeclaredClass(fields, Build("dict", cls))
    for each in _typed_dict_bases(cls):
        extra = getattr(each, "__extra_items__", None)
        if getattr(each, "__closed__", None) or getattr(extra, "__name__", "") == "Never":
            found.closed = True
        elif extra is not None and getattr(extra, "__name__", "NoExtraItems") != "NoExtraItems":
            found.closed, found.extra = True, DeclaredField("extra items", extra, each, required=False)
        if found.closed:
            break
    return found


def _typed_dict_bases(cls: type) -> Iterator[type]:
    """Yield a TypedDict and those it is derived from, which are none of its bases at run time, the nearest first."""
    yield cls
    for base in getattr(cls, "__orig_bases__", ()):
        origin = typing.get_origin(base) or base
        if hasattr(origin, "__required_keys__"):
            yield from _typed_dict_bases(origin)


def _attrs(cls: type) -> DeclaredClass:
    nothing = sys.modules["attr"].NOTHING
    found = []
    for each in cls.__attrs_attrs__:  # type: ignore[attr-defined]
        if not each.init:
            continue
        annotation, owner = declared_annotation(cls, each.name) or (each.type or AnyType(), cls)
        name, required = each.name.lstrip("_") or each.name, each.default is nothing
        found.append(DeclaredField(name, annotation, owner, required, each.alias or "", (), each.validator))
    return DeclaredClass(found, Build("call", cls), closed=True, validates=True)


def _msgspec(cls: type) -> DeclaredClass:
    names: tuple[str, ...] = cls.__struct_fields__  # type: ignore[attr-defined]
    defaults: tuple[object, ...] = cls.__struct_defaults__  # type: ignore[attr-defined]  # of the last fields
    nothing = sys.modules["msgspec"].NODEFAULT
    found = []
    for name, default in zip(names, (*[nothing] * (len(names) - len(defaults)), *defaults), strict=True):
        annotation, owner = declared_annotation(cls, name) or (AnyType(), cls)
        found.append(DeclaredField(name, annotation, owner, default is nothing))
    return DeclaredClass(found, Build("call", cls), closed=True)


# -- SQLAlchemy ----------------------------------------------------------------------------------------------------


def _sqlalchemy(cls: typing.Any) -> DeclaredClass | None:
    """Return the columns of a mapped class and its relationships; nothing where it has a constructor of its own."""
    made_by = getattr(cls.__init__, "_sa_original_init", cls.__init__)
    if not str(made_by.__module__).startswith("sqlalchemy."):
        return None
    found = []
    for each in cls.__mapper__.column_attrs:
        column = each.columns[0]
        annotation, owner = declared_annotation(cls, each.key) or (_type_of_column(column), cls)
        found.append(DeclaredField(each.key, annotation, owner, _is_needed(column), metadata=(column.type,)))
    for each in cls.__mapper__.relationships:
        other: typing.Any = each.mapper.class_
        usual = types.GenericAlias(list, (other,)) if each.uselist else other
        annotation, owner = declared_annotation(cls, each.key) or (usual, cls)
        if not each.viewonly and not _is_mirrored(each):
            found.append(DeclaredField(each.key, annotation, owner, required=False))
    return DeclaredClass(found, Build("call", cls), closed=True)


def _type_of_column(column: typing.Any) -> object:
    """Return the type of a column that has no annotation, where its library knows one."""
    try:
        return column.type.python_type
    except NotImplementedError:
        return AnyType()


def _is_needed(column: typing.Any) -> bool:
    """Tell whether nobody else fills a column that may not be null."""
    filled = (column.default, column.server_default, column.identity, column.computed)
    counted = column.table is not None and column.table._autoincrement_column is column
    return not column.nullable and all(each is None for each in filled) and not counted


def _is_mirrored(relationship: typing.Any) -> bool:
    """Tell whether a relationship is set by its opposite: of two that holds which has several, or the first by name."""
    ends = [relationship, *sorted(relationship._reverse_property, key=str)]
    first = min(ends, key=lambda each: (not each.uselist, str(each)))
    return first is not relationship


# -- pydantic ------------------------------------------------------------------------------------------------------


def _pydantic(cls: type) -> DeclaredClass:
    is_model = hasattr(cls, "model_validate")
    if is_model and not getattr(cls, "__pydantic_complete__", True):
        cls.model_rebuild(raise_errors=False)  # type: ignore[attr-defined]
    config = dict(getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or {})
    found = []
    for name, info in cls.__pydantic_fields__.items():  # type: ignore[attr-defined]
        if getattr(info, "init", None) is False:
            continue
        key = _key(cls, name, info, config)
        found.append(DeclaredField(name, info.annotation, cls, info.is_required(), key, tuple(info.metadata)))
    plain = all(each.key.isidentifier() and not keyword.iskeyword(each.key) for each in found)
    closed = config.get("extra") == "forbid" or not is_model
    build = Build("call" if plain or not is_model else "validate", cls)
    return DeclaredClass(found, build, closed, validates=True)


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
