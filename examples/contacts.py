"""A type is a spec: contacts as a dataclass, with 22 alternatives and 142 pairs of them to cover.

unlike generate examples.contacts:Contact --cover pairs
unlike generate examples.contacts:Contact --invalid
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Interval, Len, MaxLen

from unlike import Matching


@dataclass
class Email:
    """A way to reach someone."""

    email: Annotated[str, Matching(r"[a-z]+@[a-z]+\.(com|org)")]


@dataclass
class Phone:
    """Another way."""

    phone: Annotated[str, Matching(r"[0-9]{7}")]


@dataclass
class Address:
    """Where someone lives; not everyone has a zip code, and some have the long form."""

    street: Annotated[str, Len(1, 20)]
    zip: Annotated[str, Matching(r"[0-9]{5}(-[0-9]{4})?")] = ""


@dataclass
class Contact:
    """Someone in the address book."""

    id: Annotated[int, Interval(ge=1, le=100)]
    kind: Literal["person", "company", "bot"]
    address: Address
    nick: Annotated[str, MaxLen(8)] | None = None
    contact: Email | Phone | None = None
    tags: Annotated[list[Literal["a", "b", "c"]], MaxLen(3)] = field(default_factory=list)
