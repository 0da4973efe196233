"""From a schema written as JSON to the texts of instances that show its choices."""

from __future__ import annotations

import json

from unlike.documents.json_schema.document import load
from unlike.errors import SpecError
from unlike.structure.building import data
from unlike.structure.cover.execute import execute
from unlike.structure.cover.leaves import check_strength
from unlike.structure.cover.tree import compile_shape

MOST = 2_000  # texts, each an assertion of the program


def covering_texts(schema: str, strength: str = "each") -> list[str]:
    """Return the instances of a schema that show each of its choices (or each pair, or all), as JSON in ASCII."""
    try:
        contents = json.loads(schema)
    except ValueError as error:
        raise SpecError(f"the schema is not JSON: {error}") from None
    found = load(contents).at()
    checked = check_strength(strength)
    shape = found.shape(2)
    values = [data(shape, row.plain) for row in execute(compile_shape(shape, checked), checked).rows]
    texts = dict.fromkeys(json.dumps(value) for value in values if found.accepts(value))
    if len(texts) > MOST:
        raise SpecError(f"the schema has {len(texts):,} combinations; cover each choice, or pairs of them")
    if not texts:
        raise SpecError("no instance of the schema was found")
    return list(texts)
