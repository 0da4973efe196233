"""Large, deep and awkward types are handled, or refused with the limit."""

from __future__ import annotations

import dataclasses
import enum
from typing import Annotated, Generic, Literal, NotRequired, TypedDict, TypeVar

import annotated_types
import pydantic
import pytest

import unlike
from unlike.errors import ScopeError, SpecError
from unlike.suite import Ending

T = TypeVar("T")


@dataclasses.dataclass
class Many:
    a: Many | None = None
    b: list[Many] | None = None
    c: dict[str, Many] | None = None
    d: Many | int | None = None


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: bool
    y: Literal[1, 2] = 1


@dataclasses.dataclass
class Loose:
    x: bool


class Page(pydantic.BaseModel, Generic[T]):
    rows: list[T]
    link: pydantic.HttpUrl
    secret: pydantic.SecretStr
    at: pydantic.AwareDatetime


class Rows(pydantic.RootModel[list[int]]):
    pass


def test_an_enum_of_over_thirty_values_shows_each_and_pairs_with_others() -> None:
    country = enum.Enum("country", [f"c{number}" for number in range(300)])

    suite = unlike.generate({"country": country, "on": bool}, cover="pairs")

    assert len(suite) == 600
    assert unlike.coverage_of(suite).pairs == 600


def test_sixty_optional_fields_are_covered_in_pairs() -> None:
    fields = [(f"f{number}", bool, dataclasses.field(default=False)) for number in range(60)]
    wide = dataclasses.make_dataclass("Wide", fields)

    suite = unlike.generate(wide, cover="pairs")

    assert unlike.coverage_of(suite).shown == unlike.coverage_of(suite).targets
    assert len(suite) < 40
    with pytest.raises(ScopeError, match=r"combinations; ask for a number of them"):
        unlike.generate(wide, cover="all")
    assert len(unlike.generate(wide, 50, cover="all")) == 50


def test_a_type_that_refers_to_itself_in_many_ways_is_unrolled_within_limits() -> None:
    suite = unlike.generate(Many)

    assert suite.status.ending is Ending.SHOWN
    assert unlike.coverage_of(suite).shown == unlike.coverage_of(suite).targets


def test_very_long_lists_and_texts_are_left_out_and_reported() -> None:
    items = unlike.generate(Annotated[list[bool], annotated_types.MaxLen(10**6)])
    texts = unlike.generate(Annotated[str, annotated_types.MaxLen(10**7)])

    assert dict(unlike.coverage_of(items).left_out) == {"value: 1,000,000 items": "the most that is made is 1,000"}
    assert [word for word, _ in unlike.coverage_of(texts).left_out] == [
        "value: longest",
        "value: one shorter than longest",
    ]
    assert "left out" in items.guarantee
    assert max(len(value) for value in items.values) == 1_000  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="at least 1,000,000 items are asked for, but the most that is made is 1,000"):
        unlike.generate(Annotated[list[int], annotated_types.MinLen(10**6)])


def test_a_default_length_gives_way_to_what_a_pattern_asks_for() -> None:
    (text,) = unlike.generate(Annotated[str, unlike.Matching("[a-z]{500}")]).values

    assert len(str(text)) == 500


def test_sets_and_keys_of_objects_are_made_where_they_are_hashable() -> None:
    sets = unlike.generate(set[Frozen], 12)
    dicts = unlike.generate(dict[Frozen, int])

    assert all(isinstance(value, set) for value in sets.values)
    assert {len(value) for value in dicts.values} == {0, 1, 2, 3}  # type: ignore[arg-type]
    assert len(unlike.invalid(set[Frozen])) > 3
    for bad in (set[Loose], dict[Loose, int], set[list[int]], frozenset[dict[str, int]]):
        with pytest.raises(SpecError, match="is not hashable and cannot be in"):
            unlike.generate(bad)


def test_generic_and_root_models_and_special_strings_are_read() -> None:
    pages = unlike.generate(Page[Frozen], 5)
    rows = unlike.generate(Rows)

    assert all(isinstance(page, Page) and page.at.tzinfo is not None for page in pages.values)
    assert rows.values != [1, 2, 3]
    assert all(isinstance(each, Rows) for each in rows.values)


def test_a_needle_in_a_haystack_is_found_by_listing_or_called_unknown() -> None:
    @dataclasses.dataclass
    class Needle:
        number: int

        def __post_init__(self) -> None:
            if self.number != 77:
                raise ValueError("only 77")

    one, five = unlike.generate(Needle), unlike.generate(Needle, 5)

    assert [each.number for each in one.values] == [77]  # type: ignore[attr-defined]
    assert five.status.ending is Ending.UNKNOWN
    assert "Needle refuses: ValueError: only 77" in str(five.status)


def test_parameters_by_name_are_one_type_and_values_may_stand_for_annotations() -> None:
    parameters = {"size": unlike.Int(0, 3), "name": str | None, "on": bool, "kind": unlike.OneOf("a", "b")}

    suite = unlike.generate(parameters, cover="pairs", where=lambda size, on: (size > 1) | on)

    assert all(isinstance(value, dict) and (value["size"] > 1 or value["on"]) for value in suite.values)
    assert {(value["on"], value["kind"]) for value in suite.values} == {  # type: ignore[index]
        (on, kind) for on in (False, True) for kind in ("a", "b")
    }
    assert "size: above the most" in {case.label for case in unlike.invalid(parameters)}
    assert set(unlike.generate(Annotated[int, unlike.Int(3, 5)]).values) == {3, 4, 5}


@pytest.mark.parametrize("position", range(4))
@pytest.mark.parametrize("cover", ["each", "pairs"])
def test_a_new_optional_field_anywhere_changes_few_inputs(position: int, cover: str) -> None:
    fields: list[tuple[str, object]] = [
        ("kind", Literal["a", "b", "c"]),
        ("size", Annotated[int, annotated_types.Interval(ge=1, le=9)]),
        ("level", Literal[1, 2, 3, 4] | None),
        ("tags", list[Literal["x", "y"]]),
    ]
    before = unlike.generate(TypedDict("Thing", dict(fields)), cover=cover).values  # type: ignore[operator]
    fields.insert(position, ("extra", NotRequired[bool]))

    after = unlike.generate(TypedDict("Thing", dict(fields)), cover=cover).values  # type: ignore[operator]

    without = [{name: each for name, each in value.items() if name != "extra"} for value in after]  # type: ignore[attr-defined]
    assert sum(value in without for value in before) >= 0.8 * len(before)
