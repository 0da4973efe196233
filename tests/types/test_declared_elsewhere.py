"""Classes whose fields another library declares, and such as say in other ways how they are made."""

import asyncio
import datetime
import decimal
import enum
import importlib
import re
from collections.abc import AsyncIterable, AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Optional, Protocol, Self

import msgspec
import pydantic
import pytest
import sqlalchemy
from pydantic_core import core_schema
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedAsDataclass, mapped_column, relationship

import unlike
from unlike.suite import Ending


class Person(msgspec.Struct, tag=True):
    name: Annotated[str, msgspec.Meta(min_length=1, pattern="^[a-z]+$")]
    age: Annotated[int, msgspec.Meta(ge=0, lt=10, multiple_of=2)]
    parent: "Person | None" = None
    tags: Annotated[list[bool], msgspec.Meta(max_length=1)] = msgspec.field(default_factory=list)
    since: Annotated[datetime.datetime, msgspec.Meta(tz=True)] | None = None


def test_structs_of_msgspec_are_taken_by_its_own_decoder() -> None:
    values: list[Person] = list(unlike.generate(Person).values)

    assert {each.age for each in values} >= {0, 2, 8}
    assert {len(each.tags) for each in values} == {0, 1}
    for each in values:
        assert msgspec.json.decode(msgspec.json.encode(each), type=Person) == each


class Base(DeclarativeBase):
    pass


class Kind(enum.Enum):
    PLAIN = "plain"
    RARE = "rare"


class Order(Base):
    __tablename__ = "orders"
    number: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(sqlalchemy.String(5))
    kind: Mapped[Kind]
    note: Mapped[Optional[str]]  # noqa: UP045 - as it is written there
    total: Mapped[decimal.Decimal] = mapped_column(sqlalchemy.Numeric(4, 2))
    lines: Mapped[list["Line"]] = relationship(back_populates="order")


class Line(Base):
    __tablename__ = "lines"
    number: Mapped[int] = mapped_column(primary_key=True)
    order_number: Mapped[int] = mapped_column(sqlalchemy.ForeignKey("orders.number"))
    order: Mapped["Order"] = relationship(back_populates="lines")


class DataBase(MappedAsDataclass, DeclarativeBase):
    pass


class Label(DataBase):
    __tablename__ = "labels"
    number: Mapped[int] = mapped_column(primary_key=True, init=False)
    text: Mapped[str] = mapped_column(sqlalchemy.String(3))


def test_mapped_classes_of_sqlalchemy_keep_what_their_columns_say() -> None:
    suite = unlike.generate(Order)
    orders: list[Any] = list(suite.values)

    assert "number: absent" in suite[0].label  # a database counts by itself
    assert {each.kind for each in orders} == set(Kind)
    assert max(len(each.title) for each in orders) == 5
    assert max(each.total for each in orders) == decimal.Decimal("99.99")
    assert any(each.note is None for each in orders)
    assert any(line.order is each for each in orders for line in each.lines)  # the other end is set by SQLAlchemy
    assert not any("order:" in case.label for case in unlike.generate(Line))
    assert {len(each.text) for each in unlike.generate(Label).values} == {0, 1, 2, 3}


class Version:
    def __init__(self, *parts: object) -> None:
        self.parts = parts

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return what a text says, as in `Version.parse("3.4.5-rc1")`."""
        found = re.fullmatch(r"([0-9]+)\.([0-9]+)\.([0-9]+)(-[a-z0-9]+)?", text)
        if found is None:
            raise ValueError(text)
        return cls(*found.groups())


class Token:
    def __init__(self, key) -> None:  # type: ignore[no-untyped-def]
        self.key = key

    @classmethod
    def from_hex(cls, digits: str) -> "Token":
        return cls(bytes.fromhex(digits))


class Quiet(Version):
    """It inherits the way in which it is made."""


@pytest.mark.parametrize("cls", [Version, Quiet])
def test_an_object_is_made_of_a_text_where_a_classmethod_takes_one(cls: type[Version]) -> None:
    suite = unlike.generate(cls, 5)

    assert ("3", "4", "5", "-rc1") in [each.parts for each in suite.values]  # quoted in its description
    assert all(type(each) is cls for each in suite.values)
    assert suite[0].recipe.steps[0].function.qualname == f"{cls.__name__}.parse"  # type: ignore[union-attr]
    assert f"of {cls.__name__} only what parse makes of a text" in suite.guarantee


def test_such_a_classmethod_is_known_by_what_it_returns() -> None:
    assert all(isinstance(each.key, bytes) for each in unlike.generate(Token).values)


class Open:
    def __init__(self, on: bool, *rest: object, note=None, **more: object) -> None:  # type: ignore[no-untyped-def]
        self.on = on


def test_what_a_constructor_takes_beside_its_annotations_is_named_as_left_out() -> None:
    suite = unlike.generate(Open, "all")

    assert [each.on for each in suite.values] == [False, True]
    assert "rest is never given; note is never given; more is never given" in suite.guarantee
    assert suite.status.ending is Ending.UNKNOWN


class Quacking(Protocol):
    name: str

    def quack(self, times: int) -> str: ...


class Duck:
    name: str

    def __init__(self, loud: bool) -> None:
        self.name, self.loud = "Donald", loud

    def quack(self, times: int, word: str = "quack") -> str:
        return word * times


class Nameless:
    def quack(self, times: int) -> str:
        return "q" * times


class Choosy:
    name = "Daisy"

    def quack(self, times: int, why: str) -> str:
        return why * times


@dataclass
class Pond:
    bird: Quacking


def test_a_protocol_is_any_known_class_that_has_what_it_asks_for() -> None:
    suite = unlike.generate(Pond)

    assert {(type(each.bird), each.bird.loud) for each in suite.values} == {(Duck, False), (Duck, True)}  # type: ignore[attr-defined]
    assert "bird: of Quacking only Duck" in suite.guarantee


class Money:
    def __init__(self, raw) -> None:  # type: ignore[no-untyped-def]
        self.raw = raw

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        text = core_schema.str_schema(pattern="^[0-9] (EUR|USD)$")
        made = core_schema.no_info_after_validator_function(cls, text)
        return core_schema.json_or_python_schema(
            json_schema=made, python_schema=core_schema.union_schema([core_schema.is_instance_schema(cls), made])
        )


class Plain:
    def __init__(self, number) -> None:  # type: ignore[no-untyped-def]
        self.number = number


class AsNumber:
    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        steps = [core_schema.int_schema(ge=3, le=5), core_schema.no_info_plain_validator_function(Plain)]
        return core_schema.nullable_schema(core_schema.chain_schema(steps))


def of_flag(value: bool) -> str:
    return "on" if value else "off"


class Switch(str):
    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return core_schema.no_info_plain_validator_function(of_flag)


class Listed:
    def __init__(self, items) -> None:  # type: ignore[no-untyped-def]
        self.items = items

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        items = core_schema.list_schema(core_schema.literal_schema(["a", "b"]), min_length=1, max_length=2)
        return core_schema.no_info_after_validator_function(cls, items)


class Invoice(pydantic.BaseModel):
    price: Money
    plain: Annotated[Plain, AsNumber]
    switch: Switch
    listed: Listed


def test_pydantic_s_own_schema_says_what_a_class_takes() -> None:
    suite = unlike.generate(Invoice)
    values: list[Any] = list(suite.values)

    assert {each.price.raw[1:] for each in values} == {" EUR", " USD"}
    assert {each.plain and each.plain.number for each in values} == {None, 3, 4, 5}
    assert {each.switch for each in values} == {"on", "off"}
    assert {len(each.listed.items) for each in values} == {1, 2}
    assert "price: Money only of str" in suite.guarantee


@dataclass
class Sealed:
    number: int
    name: str

    def __post_init__(self) -> None:
        raise TypeError("there is no public constructor")


@dataclass
class Never:
    on: bool

    def __post_init__(self) -> None:
        raise TypeError("not so")


def test_a_class_that_refuses_everything_is_given_up_after_a_counted_number_of_tries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("unlike.structure.cover.runner.REFUSED", 300)

    for cover in ("each", "pairs"):
        status = unlike.generate(Sealed, cover=cover, in_process=True).status
        assert status.ending is Ending.UNKNOWN
        assert re.match(r"none of the \d+ inputs tried was accepted; Sealed refuses: TypeError", status.detail)
        assert "the first one refused is {'number': 0, 'name': ''}; give values that are accepted" in status.detail
    assert unlike.generate(Never, in_process=True).status.ending is Ending.UNSATISFIABLE  # all two were tried


class Hooked(pydantic.BaseModel):
    hook: Callable[[int], bool]
    other: Callable[[], list[str]] | None = None


def test_models_with_functions_come_back_equal_from_their_own_data() -> None:
    for value in unlike.generate(Hooked).values:
        assert Hooked.model_validate(value.model_dump()) == value


def test_names_are_found_in_the_module_that_writes_a_class_wherever_it_says_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "hidden_shop"
    (package / "_core").mkdir(parents=True)
    (package / "_core" / "__init__.py").write_text("")
    (package / "_core" / "_run.py").write_text(
        "from __future__ import annotations\nimport enum\nfrom dataclasses import dataclass\n"
        "class Kind(enum.Enum):\n    NEW = 1\n    OLD = 2\n"
        "@dataclass\nclass Item:\n    kind: Kind\n"
        "Item.__module__ = 'hidden_shop'\n"
    )
    (package / "__init__.py").write_text("from hidden_shop._core._run import Item\n")
    monkeypatch.syspath_prepend(tmp_path)
    item = importlib.import_module("hidden_shop").Item

    assert {each.kind.name for each in unlike.generate(item, in_process=True).values} == {"NEW", "OLD"}


@dataclass
class Stream:
    chunks: AsyncIterator[bool]
    lines: AsyncIterable[str]


def test_asynchronous_iterators_are_made_of_lists() -> None:
    async def read(stream: Stream) -> list[bool]:
        assert all([isinstance(each, str) async for each in stream.lines])
        return [each async for each in stream.chunks]

    suite = unlike.generate(Stream)

    assert {len(asyncio.run(read(each))) for each in suite.values} >= {0, 1}
    assert "of all iterators only those of lists" in suite.guarantee
