"""The independent validator: jsonschema, on the document as it was given."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from unlike.errors import SpecError
from unlike.formats.json_schema.references import known_dialect, registry_of, resource_of

if TYPE_CHECKING:
    from unlike.formats.json_schema.document import Document


# the keywords of the validation vocabulary, which a metaschema may leave out
VALIDATION = frozenset(
    [
        "type",
        "enum",
        "const",
        "multipleOf",
        "maximum",
        "exclusiveMaximum",
        "minimum",
        "exclusiveMinimum",
        "maxLength",
        "minLength",
        "pattern",
        "maxItems",
        "minItems",
        "uniqueItems",
        "maxContains",
        "minContains",
        "maxProperties",
        "minProperties",
        "required",
        "dependentRequired",
    ]
)


class Validity:
    """Whether values are instances of the schema at a place of a document."""

    def __init__(self, document: Document, pointer: str) -> None:
        self.document = document
        self.pointer = pointer

    @functools.cached_property
    def validator(self) -> Any:
        """The validator of the draft that the document names, standing at the place."""
        from jsonschema.validators import create, validator_for

        document = self.document
        dialect, validates = known_dialect(document.dialect, document.resolve)
        address = document.address or "urn:unlike:document"
        resource = resource_of(document.contents, dialect)
        registry = registry_of(document.resolve, dialect).with_resource(address, resource)
        base = urljoin(address, resource.id() or "")
        registry = registry.with_resource(base, resource).crawl()
        with explained():
            found = registry.resolver(base).lookup(f"#{self.pointer}")
        kind = validator_for({"$schema": dialect})
        if not validates:
            kept = {word: check for word, check in kind.VALIDATORS.items() if word not in VALIDATION}
            kind = create(kind.META_SCHEMA, kept, type_checker=kind.TYPE_CHECKER)
        return kind(found.contents, registry=registry, _resolver=found.resolver)

    def accepts(self, value: object) -> bool:
        """Tell whether a JSON value is an instance."""
        with explained():
            return bool(self.validator.is_valid(value))


@contextmanager
def explained() -> Iterator[None]:
    """Turn what goes wrong with references into one message with the remedy."""
    from referencing.exceptions import Unresolvable

    try:
        yield
    except Unresolvable as error:
        raise _explained(error) from None
    except RecursionError:
        raise SpecError("the schema or the value is nested too deeply, or refers to itself without end") from None


def _explained(error: BaseException) -> SpecError:
    """Return what a reference that leads nowhere needs."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, SpecError):
            return cause
        cause = cause.__cause__
    return SpecError(f"a $ref leads nowhere: {error}")
