"""Types against their neighbours: inputs and time until all alternatives and all pairs of a model are seen.

The model is the contact of the pairwise comparison: five groups of 3, 3, 3, 5 and 5 alternatives, 142 pairs between
them. Covering-array tools get the bare numbers of alternatives: they make rows without values. Generators of values
are asked for inputs until all pairs are seen, up to a limit.
"""

from __future__ import annotations

import importlib.util
import itertools
import time
from collections.abc import Callable, Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, Field

import unlike
from bench.rows import Row

LIMIT = 1_000
Pairs = set[frozenset[tuple[str, str]]]


class Email(BaseModel):
    """A way to reach someone."""

    email: Annotated[str, Field(pattern=r"^[a-z]+@[a-z]+\.(com|org)$")]


class Phone(BaseModel):
    """Another way."""

    phone: Annotated[str, Field(pattern=r"^[0-9]{7}$")]


class Address(BaseModel):
    """Where someone lives."""

    street: Annotated[str, Field(min_length=1, max_length=20)]
    zip: Annotated[str, Field(pattern=r"^[0-9]{5}(-[0-9]{4})?$")] | None = None


class Contact(BaseModel):
    """Five groups of alternatives, and what goes with them."""

    id: Annotated[int, Field(ge=1, le=100)]
    kind: Literal["person", "company", "bot"]
    nick: Annotated[str, Field(max_length=8)] | Literal[0] | None
    address: Address
    contact: Email | Phone | Literal[0] | None
    tags: Annotated[list[Literal["a", "b", "c"]], Field(max_length=3)] | None


GROUPS = {
    "kind": ["person", "company", "bot"],
    "nick": ["none", "zero", "text"],
    "zip": ["none", "short", "long"],
    "contact": ["none", "zero", ".com", ".org", "phone"],
    "tags": ["none", "0", "1", "2", "3"],
}
ALTERNATIVES = {(group, word) for group, words in GROUPS.items() for word in words}
PAIRS: Pairs = {
    frozenset({(one, first), (two, second)})
    for one, two in itertools.combinations(GROUPS, 2)
    for first in GROUPS[one]
    for second in GROUPS[two]
}


def alternatives(contact: Contact) -> dict[str, str]:
    """Return the alternative that a contact takes in each group."""
    reach = contact.contact
    way = (
        "none" if reach is None else "zero" if reach == 0 else reach.email[-4:] if isinstance(reach, Email) else "phone"
    )
    return {
        "kind": contact.kind,
        "nick": "none" if contact.nick is None else "zero" if contact.nick == 0 else "text",
        "zip": "none" if contact.address.zip is None else "short" if len(contact.address.zip) == 5 else "long",
        "contact": way,
        "tags": "none" if contact.tags is None else str(len(contact.tags)),
    }


def until_seen(inputs: Iterable[Contact]) -> tuple[str, str]:
    """Return after how many inputs all alternatives, and all pairs, were seen."""
    seen, pairs = set[tuple[str, str]](), Pairs()
    each: int | None = None
    number = 0
    for number, contact in enumerate(itertools.islice(iter(inputs), LIMIT), 1):
        found = sorted(alternatives(contact).items())
        seen |= set(found)
        pairs |= {frozenset(pair) for pair in itertools.combinations(found, 2)}
        if each is None and seen >= ALTERNATIVES:
            each = number
        if pairs >= PAIRS:
            return str(each), str(number)
    return (str(each) if each else f"{len(seen)} of 19 in {number}"), f"{len(pairs & PAIRS)} of 142 in {number}"


def timed(work: Callable[[], tuple[str, str]]) -> tuple[float, str, str]:
    """Return the CPU seconds of one run beside its answer."""
    start = time.process_time()
    each, pairs = work()
    return time.process_time() - start, each, pairs


def ours(cover: str) -> tuple[str, str]:
    return until_seen(value for value in unlike.generate(Contact, cover=cover).values if isinstance(value, Contact))


def polyfactory_coverage() -> tuple[str, str]:
    from polyfactory.factories.pydantic_factory import ModelFactory

    factory = ModelFactory.create_factory(Contact)
    factory.seed_random(1)
    return until_seen(factory.coverage())


def hypothesis_builds() -> tuple[str, str]:
    import hypothesis
    from hypothesis import strategies

    found: list[Contact] = []
    everything = hypothesis.settings(
        max_examples=LIMIT, database=None, derandomize=True, suppress_health_check=list(hypothesis.HealthCheck)
    )

    @everything
    @hypothesis.given(strategies.data())
    def collect(data: strategies.DataObject) -> None:
        email = strategies.from_regex(r"^[a-z]+@[a-z]+\.(com|org)$", fullmatch=True).map(lambda text: Email(email=text))
        phone = strategies.from_regex(r"[0-9]{7}", fullmatch=True).map(lambda text: Phone(phone=text))
        short = strategies.from_regex(r"[0-9]{5}(-[0-9]{4})?", fullmatch=True)
        found.append(
            data.draw(
                strategies.builds(
                    Contact,
                    id=strategies.integers(1, 100),
                    nick=strategies.none() | strategies.just(0) | strategies.text("abc", max_size=8),
                    address=strategies.builds(
                        Address, street=strategies.text("abc", min_size=1, max_size=20), zip=strategies.none() | short
                    ),
                    contact=strategies.none() | strategies.just(0) | email | phone,
                    tags=strategies.none() | strategies.lists(strategies.sampled_from("abc"), max_size=3),
                )
            )
        )

    collect()
    return until_seen(found)


def hypothesis_from_type() -> tuple[str, str]:
    """Ask for the dataclass of examples/contacts.py, whose patterns Hypothesis reads as predicates."""
    import hypothesis
    from examples.contacts import Contact as Dataclass
    from hypothesis import strategies

    found: list[object] = []

    @hypothesis.settings(max_examples=200, database=None, derandomize=True)
    @hypothesis.given(strategies.from_type(Dataclass))
    def collect(contact: object) -> None:
        found.append(contact)

    collect()
    rows = [dataclass_alternatives(contact) for contact in found]
    seen = {each for row in rows for each in row.items()}
    pairs = {pair for row in rows for pair in itertools.combinations(row.items(), 2)}
    # an absent field cannot be told from its default here: 16 alternatives and 101 pairs are left
    return f"{len(seen)} of 16 in {len(found)}", f"{len(pairs)} of 101 in {len(found)}"


def dataclass_alternatives(contact: object) -> dict[str, str]:
    """Return the alternative that a contact of the example takes in each group."""
    reach = contact.contact  # type: ignore[attr-defined]
    way = "none" if reach is None else reach.email[-4:] if hasattr(reach, "email") else "phone"
    return {
        "kind": contact.kind,  # type: ignore[attr-defined]
        "nick": "none" if contact.nick is None else "text",  # type: ignore[attr-defined]
        "zip": {0: "none", 5: "short"}.get(len(contact.address.zip), "long"),  # type: ignore[attr-defined]
        "contact": way,
        "tags": str(len(contact.tags)),  # type: ignore[attr-defined]
    }


def allpairspy_rows() -> tuple[str, str]:
    from allpairspy import AllPairs

    return "", str(len(list(AllPairs(list(GROUPS.values())))))


def covertable_rows() -> tuple[str, str]:
    from covertable import make

    return "", str(len(make(list(GROUPS.values()))))


NEIGHBOURS = [
    ("polyfactory", "polyfactory coverage()", polyfactory_coverage),
    ("hypothesis", "Hypothesis builds (constraints by hand)", hypothesis_builds),
    ("hypothesis", "Hypothesis from_type (patterns as predicates)", hypothesis_from_type),
    ("allpairspy", "allpairspy (rows without values)", allpairspy_rows),
    ("covertable", "covertable (rows without values)", covertable_rows),
]


class Leaf(BaseModel):
    """The innermost part."""

    name: Annotated[str, Field(pattern="^[a-z]{2,8}$")]
    size: Annotated[int, Field(ge=0, le=1_000)]


class Branch(BaseModel):
    """A part with parts."""

    leaves: list[Leaf]
    mark: Literal["x", "y"] | None = None


class Nested(BaseModel):
    """A model of models."""

    left: Branch
    right: Branch | Leaf
    tags: dict[str, bool]


def thousand() -> float:
    start = time.process_time()  # others may be using the machine
    assert len(unlike.generate(Nested, 1_000).values) == 1_000
    return time.process_time() - start


def run() -> list[Row]:
    """Return the rows: ours first, then each neighbour that is installed."""
    ours("each")  # what is imported on first use is not counted
    rows = []
    seconds, each, _ = timed(lambda: ours("each"))
    rows.append(Row("unlike cover=each", f"alternatives after {each} inputs, {seconds:.2f} s", "5 at least"))
    seconds, each, pairs = timed(lambda: ours("pairs"))
    said = f"alternatives after {each}, pairs after {pairs} inputs, {seconds:.2f} s"
    rows.append(Row("unlike cover=pairs", said, "25 at least", "at most 30", pairs.isdigit() and int(pairs) <= 30))
    for module, name, work in NEIGHBOURS:
        if importlib.util.find_spec(module) is None:
            rows.append(Row(name, "not installed"))
            continue
        seconds, each, pairs = timed(work)
        said = f"pairs after {pairs} inputs, {seconds:.2f} s"
        rows.append(Row(name, f"alternatives after {each}, {said}" if each else said))
    seconds = min(thousand() for _ in range(3))
    rows.append(Row("1,000 instances of a nested model", f"{seconds:.2f} s", "", "under 1 s", seconds < 1))
    return rows
