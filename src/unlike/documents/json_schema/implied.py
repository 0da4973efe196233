"""Rules that nothing breaks alone, since other schemas at the same place say as much.

{"type": "object", "allOf": [{"type": "object"}]}    what is no object breaks both
"""

from __future__ import annotations

from collections.abc import Iterable

from unlike.documents.json_schema.keywords import bound_of, identity, kinds_named, kinds_of
from unlike.documents.json_schema.located import MISSING, Located

LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
FLAGGED = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}
MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


def is_said_by_others(located: Located, keyword: str, beside: Iterable[Located]) -> bool:
    """Tell whether everything that breaks a keyword is rejected by a schema beside it, too, as far as can be seen."""
    others = [each for each in beside if each.schema is not located.schema]
    if keyword == "required":
        return set(located.get(keyword)) <= {name for each in others for name in each.listing("required")}
    return any(_is_stricter(each, keyword, located) for each in others)


def _is_stricter(other: Located, keyword: str, located: Located) -> bool:
    said = located.get(keyword)
    if keyword == "type":
        return _kinds_of(other) <= set(kinds_named(said))
    theirs = other.get(keyword)
    if keyword in FLAGGED and any(isinstance(each.get(FLAGGED[keyword]), bool) for each in (located, other)):
        return False  # draft 4: whether the bound itself is out
    if theirs is MISSING or isinstance(said, bool) is not isinstance(theirs, bool):
        return False
    match said, theirs:
        case int() | float(), int() | float() if keyword in LEAST and not isinstance(said, bool):
            return bound_of(theirs) >= bound_of(said)
        case int() | float(), int() | float() if keyword in MOST and not isinstance(said, bool):
            return bound_of(theirs) <= bound_of(said)
        case list(), list() if keyword == "enum":
            return {identity(each) for each in theirs} <= {identity(each) for each in said}
    return keyword in ("const", "pattern", "multipleOf", "uniqueItems") and identity(said) == identity(theirs)


def _kinds_of(located: Located) -> set[str]:
    """Return the kinds of values that a schema by itself accepts at most; a whole number counts as both kinds."""
    found = [set(kinds_named(located.get("type")))] if located.get("type") is not MISSING else []
    listed = located.get("enum") if located.get("const") is MISSING else [located.get("const")]
    if listed is not MISSING:
        found.append({kind for each in listed for kind in kinds_of(each)})
    return set.intersection(*found) if found else {"anything"}
