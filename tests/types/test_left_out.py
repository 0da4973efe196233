"""What may be absent need not be understood: it is left out, and the guarantee names it."""

from __future__ import annotations

import abc
import dataclasses
import pathlib
from collections.abc import Callable
from types import CodeType
from typing import TYPE_CHECKING, Annotated, Any, Generic, Protocol, TypeVar

import annotated_types
import pydantic
import pytest

import unlike
from unlike.errors import SpecError

if TYPE_CHECKING:
    from fractions import Fraction as Share

T = TypeVar("T")
Bound = TypeVar("Bound", bound=bool)


class Opaque(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
    name: bool
    cache: CodeType | None
    retry: CodeType = None  # type: ignore[assignment]
    several: list[CodeType]
    by_name: dict[str, CodeType]
    either: CodeType | bool | None
    deep: list[dict[str, CodeType | None]] | None = None


@dataclasses.dataclass
class Inner:
    needed: CodeType
    outer: Outer | None = None


@dataclasses.dataclass
class Outer:
    through: Through | None
    inner: Inner | None = None


@dataclasses.dataclass
class Through:
    inner: Inner | None
    needs: list[Inner]


@dataclasses.dataclass
class Box(Generic[T]):
    content: T


@dataclasses.dataclass
class BoundBox(Generic[Bound]):
    content: Bound


def test_what_cannot_be_made_is_left_out_by_name() -> None:
    suite = unlike.generate(Opaque)

    for words in (
        "cache: always None, code cannot be made",
        "retry is left out: code cannot be made",
        "several: always empty, code cannot be made",
        "by_name: always empty, code cannot be made",
        "either: never code, which cannot be made",
    ):
        assert words in suite.guarantee
    values: list[Any] = list(suite.values)
    assert {each.name for each in values} == {False, True}
    assert {each.either for each in values} == {False, True, None}
    assert all(each.cache is None and each.several == [] and each.by_name == {} for each in values)
    assert any(each.deep for each in values)  # what is around it is made


def test_a_part_that_was_given_up_leaves_nothing_of_itself_behind() -> None:
    # Through is read first while Inner is still hoped for, and again after it was given up
    suite = unlike.generate(Outer)

    assert "inner: always None, code cannot be made" in suite.guarantee
    assert Outer(None, None) in suite.values
    assert Outer(Through(None, []), None) in suite.values


@pytest.mark.parametrize(
    "annotation",
    [
        Inner,
        Annotated[list[CodeType], annotated_types.MinLen(1)],
        tuple[CodeType, bool],
        CodeType | Inner,
    ],
)
def test_what_must_be_there_is_refused_by_name(annotation: object) -> None:
    with pytest.raises(SpecError, match="code is not a type whose values can be generated"):
        unlike.generate(annotation)


def test_invalid_inputs_know_every_alternative() -> None:
    # a text could be what the missing alternative allows, for all that is known
    with pytest.raises(SpecError, match="code"):
        unlike.invalid(Opaque)


def test_a_large_type_names_what_it_does_not_show() -> None:
    leaf = pydantic.create_model("Leaf", **{f"a{i}": (bool, True) for i in range(10)})  # type: ignore[call-overload]
    middle = pydantic.create_model("Middle", **{f"b{i}": (leaf | None, None) for i in range(30)})  # type: ignore[call-overload]
    large = pydantic.create_model("Large", **{f"c{i}": (middle | None, None) for i in range(30)})  # type: ignore[call-overload]

    suite = unlike.generate(large, 2)

    assert len(suite.values) == 2
    assert "not shown: the whole would have more than 4,000 places" in suite.guarantee


def test_open_generic_classes_have_their_bound_or_small_values() -> None:
    suite = unlike.generate(Box)
    assert "content: the open T is read as small JSON values" in suite.guarantee
    assert Box("text") in suite.values
    assert sorted(unlike.generate(BoundBox).values, key=repr) == [BoundBox(False), BoundBox(True)]


@dataclasses.dataclass
class Partly:
    flag: bool
    code: CodeType | None = None


def test_nothing_is_called_complete_that_lacks_what_cannot_be_made() -> None:
    status = unlike.generate(Partly, "all").status

    assert status.ending == "unknown"
    assert "more may exist: code: always None, code cannot be made" in str(status)


class WithFile(pydantic.BaseModel):
    flag: bool
    path: pydantic.FilePath = pathlib.Path("a.txt")


def test_a_file_that_nobody_knows_counts_as_left_out() -> None:
    assert unlike.generate(WithFile, "all").status.ending == "unknown"


def test_no_input_is_not_said_where_a_missing_one_might_do() -> None:
    suite = unlike.generate(Partly, where=lambda code: isinstance(code, CodeType))

    assert not suite.values
    assert suite.status.ending == "unknown"
    assert "no input exists" not in suite.guarantee


def test_where_every_value_counts_none_may_be_missing() -> None:
    with pytest.raises(SpecError, match="code cannot be made; with a difference every value has to be known"):
        unlike.generate(Partly, different=unlike.differs_by("flag"))
    with pytest.raises(SpecError, match="code"):
        unlike.value_of(Partly)


class Client:
    def __init__(self, name: bool, *others: int, retries: bool = False) -> None:
        self.told = name, retries


class Picky:
    def __init__(self, first: bool, second: bool) -> None:
        if first != second:
            raise ValueError("they differ")
        self.first = first

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picky) and self.first == other.first


class Unannotated:
    def __init__(self, name) -> None:  # type: ignore[no-untyped-def]
        self.name = name


class Speaker(Protocol):
    def speak(self) -> str: ...


class Loud(Speaker):
    def speak(self) -> str:
        return "HA"


class Maker(Protocol):
    def __call__(self, name: str) -> bool: ...


class Node(abc.ABC):
    @abc.abstractmethod
    def size(self) -> int: ...


@dataclasses.dataclass
class Two(Node):
    left: Node
    right: Node

    def size(self) -> int:
        return 2


@dataclasses.dataclass
class End(Node):
    on: bool

    def size(self) -> int:
        return 1


@dataclasses.dataclass
class Wired:
    client: Client
    speaker: Speaker
    node: Node
    call: Callable[[int], bool]
    kind: type[Node]
    share: Share


def test_ordinary_classes_functions_and_bases_are_made_and_named() -> None:
    suite = unlike.generate(Wired)

    values: list[Any] = list(suite.values)
    assert {each.client.told for each in values} >= {(False, False), (True, False)}
    assert {type(each.node) for each in values} == {Two, End}
    assert {each.call(3) for each in values} == {False, True}
    assert {each.kind for each in values} == {Node, Two, End}
    assert all(type(each.speaker) is Loud and type(each.share).__name__ == "Fraction" for each in values)
    for words in (
        "speaker: of Speaker only Loud",
        "node: of Node only End, Two",
        "call: of all functions only such as return the same value always",
        "kind: of all such classes only Node, End, Two",
    ):
        assert words in suite.guarantee


def test_a_protocol_of_a_function_is_a_function() -> None:
    suite = unlike.generate(Maker)

    calls: list[Any] = list(suite.values)
    assert [each("any") for each in calls] == [False, True]
    assert "of all functions only" in suite.guarantee


def test_classes_made_in_functions_are_not_known() -> None:
    class Hidden(Speaker):
        def speak(self) -> str:
            return ""

    assert all(type(each) is Loud for each in unlike.generate(Speaker).values)
    assert Hidden().speak() == ""


def test_nothing_leaves_that_an_ordinary_class_refuses() -> None:
    assert {each.first for each in unlike.generate(Picky, "all").values} == {False, True}
    by_first = unlike.generate(Picky, different=unlike.differs_by("first"))
    assert sorted(each.first for each in by_first.values) == [False, True]


def test_constructors_that_do_not_say_what_they_take_are_refused() -> None:
    with pytest.raises(SpecError, match="Unannotated is not a type whose values can be generated"):
        unlike.generate(Unannotated)


def only_even(value: int) -> int:
    if value % 2:
        raise ValueError("odd")
    return value


@dataclasses.dataclass
class Ticket:
    number: int
    gate: Annotated[int, pydantic.AfterValidator(only_even)] | None = None
    seats: list[Annotated[int, pydantic.BeforeValidator(only_even)]] = dataclasses.field(default_factory=list)


def test_what_a_function_restricts_where_nobody_calls_it_is_left_out_if_it_may_be() -> None:
    suite = unlike.generate(Ticket)

    assert {(each.gate, tuple(each.seats)) for each in suite.values} == {(None, ())}
    assert "gate" in suite.guarantee
    assert "only_even" in suite.guarantee


def test_what_a_function_restricts_and_must_be_there_is_refused_by_name() -> None:
    with pytest.raises(SpecError, match=r"gate: 'AfterValidator only_even' restricts values in a way that"):
        unlike.generate({"gate": Annotated[int, pydantic.AfterValidator(only_even)]})
