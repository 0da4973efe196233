"""From pydantic's own schema of a type to an annotation: what it takes, where the annotation itself does not say so.

    no_info_after_validator_function(Money, str_schema(pattern="[0-9]+"))   ->  Annotated[str, Field(pattern="[0-9]+")]

What a class makes of such a value is its own matter: it is built by the model around it, which may refuse.
"""

from __future__ import annotations

import datetime
import decimal
import inspect
import sys
import typing
import uuid
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from unlike.types.resolve import names_of_function, resolve

Schema: TypeAlias = Mapping[str, Any]

PLAIN: dict[str, object] = {
    "any": Any, "none": None, "bool": bool, "int": int, "float": float, "str": str, "bytes": bytes,
    "date": datetime.date, "time": datetime.time, "datetime": datetime.datetime, "timedelta": datetime.timedelta,
    "decimal": decimal.Decimal, "uuid": uuid.UUID, "complex": complex,
}  # fmt: skip
BOUNDS = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern", "max_digits", "decimal_places")
INSIDE = {
    "function-before": "schema", "function-after": "schema", "function-wrap": "schema", "default": "schema",
    "custom-error": "schema", "nullable": "schema", "lax-or-strict": "lax_schema", "json-or-python": "python_schema",
}  # fmt: skip
ITEMS: dict[str, Any] = {"list": list, "set": set, "frozenset": frozenset}


def has_own_schema(thing: object) -> bool:
    """Tell whether a class, or metadata of a type, says by itself what pydantic takes; classes of pydantic do not."""
    cls = thing if isinstance(thing, type) else type(thing)
    if str(cls.__module__).startswith("pydantic") or hasattr(cls, "__pydantic_fields__"):
        return False
    return hasattr(thing, "__get_pydantic_core_schema__")


def annotation_of_schema(annotation: object) -> object:
    """Return what pydantic takes for an annotation, as another annotation; `...` where its schema does not say that."""
    try:
        return _Reading().read(sys.modules["pydantic"].TypeAdapter(annotation).core_schema)
    except Exception:  # foreign code: no schema, or one that is not as they are
        return ...


class _Reading:
    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}
        self.entered: list[str] = []

    def read(self, schema: Schema) -> object:
        """Return the annotation of a schema."""
        kind = schema["type"]
        if kind in PLAIN:
            return self.under_rules(PLAIN[kind], schema)
        if kind in INSIDE:
            inner = self.read(schema[INSIDE[kind]])
            return inner if kind != "nullable" else None if inner is ... else _either([inner, None])
        match kind:
            case "literal":
                return Literal[tuple(schema["expected"])]
            case "enum" | "model" | "dataclass" | "typed-dict":
                return schema.get("cls", ...)
            case "list" | "set" | "frozenset":
                item = self.read(schema.get("items_schema") or {"type": "any"})
                return ... if item is ... else self.under_rules(ITEMS[kind][item], schema)
            case "dict":
                parts = [self.read(schema.get(name) or {"type": "any"}) for name in ("keys_schema", "values_schema")]
                return ... if ... in parts else self.under_rules(dict[tuple(parts)], schema)  # type: ignore[misc]
            case "union":
                ways = [each[0] if isinstance(each, tuple) else each for each in schema["choices"]]
                return _either([self.read(each) for each in ways])
            case "tagged-union":
                return _either([self.read(each) for each in schema["choices"].values()])
            case "chain":
                return self.read(schema["steps"][0])
            case "url":
                return sys.modules["pydantic"].AnyUrl
            case "function-plain":
                return _first_parameter(schema["function"]["function"])
            case "definitions":
                self.definitions |= {each["ref"]: each for each in schema["definitions"]}
                return self.read(schema["schema"])
            case "definition-ref" if schema["schema_ref"] not in self.entered:
                self.entered.append(schema["schema_ref"])
                return self.read(self.definitions[schema["schema_ref"]])
        return ...

    def under_rules(self, annotation: object, schema: Schema) -> object:
        said = {name: schema[name] for name in BOUNDS if schema.get(name) is not None}
        return Annotated[annotation, sys.modules["pydantic"].Field(**said)] if said else annotation


def _either(ways: list[object]) -> object:
    """Return one of several types, those of them that are known."""
    known = [each for each in ways if each is not ...]
    return typing.Union[tuple(known)] if known else ...  # noqa: UP007 - there are as many as there are


def _first_parameter(function: Any) -> object:
    """Return what a function says that it takes."""
    first = next(iter(inspect.signature(function).parameters.values()))
    found = resolve(first.annotation, names_of_function(function))
    return ... if found in (inspect.Parameter.empty, Any, object) else found
