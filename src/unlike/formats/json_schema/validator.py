"""The independent validator: jsonschema, on the document as it was given."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from unlike.errors import SpecError
from unlike.formats.json_schema.references import registry_of, resource_of

if TYPE_CHECKING:
    from unlike.formats.json_schema.document import Document


class Validity:
    """Whether values are instances of the schema at a place of a document."""

    def __init__(self, document: Document, pointer: str) -> None:
        self.document = document
        self.pointer = pointer

    @functools.cached_property
    def validator(self) -> Any:
        """The validator of the draft that the document names."""
        from jsonschema.validators import validator_for

        resource = resource_of(self.document.contents, self.document.dialect)
        address = self.document.address or "urn:unlike:document"
        registry = registry_of(self.document.resolve, self.document.dialect).with_resource(address, resource)
        kind = validator_for({"$schema": self.document.dialect})
        schema = {"$ref": f"{address}#{self.pointer}"} if self.pointer else self.document.contents
        return kind(schema, registry=registry, _resolver=registry.resolver_with_root(resource))

    def accepts(self, value: object) -> bool:
        """Tell whether a JSON value is an instance."""
        from referencing.exceptions import Unresolvable

        try:
            return bool(self.validator.is_valid(value))
        except Unresolvable as error:
            raise _explained(error) from None
        except RecursionError:
            raise SpecError(f"the schema refers to itself without end at one value: {str(value)[:60]!r}") from None


def _explained(error: BaseException) -> SpecError:
    """Return what a reference that leads nowhere needs."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, SpecError):
            return cause
        cause = cause.__cause__
    return SpecError(f"a $ref leads nowhere: {error}")
