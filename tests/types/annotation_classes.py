"""Classes that the annotations of the table speak of, written in the styles people write them."""

import abc
import dataclasses
import enum
import math
import typing
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Annotated,
    ClassVar,
    Final,
    Generic,
    NamedTuple,
    NotRequired,
    Optional,
    Protocol,
    TypeVar,
)

import annotated_types as at
import attrs
import pydantic
from attrs import validators
from typing_extensions import TypedDict

if TYPE_CHECKING:
    from nowhere_at_run_time import Ghost  # type: ignore[import-not-found]

T = TypeVar("T")


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


class Mood(enum.StrEnum):
    GLAD = "glad"
    SAD = "sad"


class Many(enum.Enum):
    """More members than any scope of the table."""

    A, B, C, D, E, F, G = range(7)


class Right(enum.Flag):
    READ = enum.auto()
    WRITE = enum.auto()


class Bits(enum.IntFlag):
    X = 1
    Y = 4


def is_even(number: int) -> bool:
    return number % 2 == 0


def is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, math.isqrt(number) + 1))


def is_never(value: object) -> bool:
    return False


def is_sorted(items: list[int]) -> bool:
    return list(items) == sorted(items)


def check_even(number: int) -> int:
    if number % 2:
        raise ValueError("odd")
    return number


@dataclass
class Point:
    x: int
    on: bool


@dataclass(frozen=True)
class Pixel:
    x: Annotated[int, at.Ge(0), at.Le(1)]
    on: bool


@dataclass(slots=True)
class Slotted:
    x: Annotated[int, at.Interval(ge=10, le=11)]


@dataclass
class Defaulted:
    x: Annotated[int, at.Ge(0), at.Le(1)] = 0
    note: str | None = None


@dataclass
class Factory:
    items: list[bool] = dataclasses.field(default_factory=list)


@dataclass
class Positive:
    """Says in its constructor what its annotation does not say."""

    x: int

    def __post_init__(self) -> None:
        if self.x <= 0:
            raise ValueError("x must be positive")


@dataclass
class Nested:
    inner: Pixel
    tag: typing.Literal["a", "b"]


@dataclass
class Fixed:
    x: Final[bool]
    made: ClassVar[int] = 0


@dataclass
class Later:
    """Names a class that stands below."""

    value: "Below"


@dataclass
class Below:
    on: bool


@dataclass
class Haunted:
    """One field has a type that only type checkers know."""

    on: bool
    ghost: "Ghost"


@dataclass
class Link:
    on: bool
    after: Optional["Link"] = None


@dataclass
class Boxed(Generic[T]):
    item: T


@dataclass
class Child(Boxed[bool]):
    """Says what the item of a box is."""


class Plain:
    """An ordinary class: its constructor says what it takes."""

    def __init__(self, on: bool) -> None:
        self.on = on


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> int: ...


@dataclass
class Square(Shape):
    big: bool

    def area(self) -> int:
        return 4 if self.big else 1


@dataclass
class Dot(Shape):
    def area(self) -> int:
        return 0


class Speaker(Protocol):
    def speak_loudly(self) -> str: ...


class Move(NamedTuple):
    x: Annotated[int, at.Ge(0), at.Le(1)]
    on: bool


class Options(TypedDict):
    x: Annotated[int, at.Ge(0), at.Le(1)]
    on: NotRequired[bool]


class Partial(TypedDict, total=False):
    on: bool


class Order(pydantic.BaseModel):
    count: int = pydantic.Field(ge=1, le=2)
    rush: bool


class Checked(pydantic.BaseModel):
    """The class decides: a validator that nobody can read."""

    value: Annotated[int, pydantic.AfterValidator(check_even), pydantic.Field(ge=0, le=5)]


@attrs.define
class AtLeast:
    x: int = attrs.field(validator=validators.ge(10))


@attrs.define
class Below3:
    x: int = attrs.field(validator=[validators.instance_of(int), validators.ge(0), validators.lt(3)])


@attrs.define
class Chosen:
    x: int = attrs.field(validator=validators.in_([1, 2, 5]))


@attrs.define
class Coded:
    x: str = attrs.field(validator=validators.matches_re("[ab]{1,2}"))


@attrs.define
class Sized:
    x: list[bool] = attrs.field(validator=validators.and_(validators.min_len(1), validators.max_len(2)))


@attrs.define
class MaybeSmall:
    x: int | None = attrs.field(validator=validators.optional(validators.and_(validators.ge(0), validators.le(1))))


@attrs.frozen
class JustInt:
    x: int = attrs.field(validator=validators.instance_of(int))


@attrs.define
class Odd:
    """A validator of its own."""

    x: int = attrs.field()

    @x.validator
    def _check_odd(self, attribute: object, value: int) -> None:
        if value % 2 == 0:
            raise ValueError("x must be odd")


def small_only(instance: object, attribute: object, value: int) -> None:
    if not 0 <= value <= 1:
        raise ValueError("too large")


@attrs.mutable
class Small:
    x: int = attrs.field(validator=small_only)


@attrs.define
class Untyped:
    x = attrs.field(validator=validators.in_(["p", "q"]))
