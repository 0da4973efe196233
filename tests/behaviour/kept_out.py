"""Classes with branches that a small scope does not reach, each because of a constant in its source."""

LIMIT = 7
GRADES = ("gold", "silver")


class Basket:
    """A container that is full from eleven items on."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def add(self, item: int) -> bool:
        if len(self.items) > 4:
            return False
        self.items.append(item)
        return True

    def total(self) -> int:
        result = 0
        for each in self.items:
            result += each
        return result


class Door:
    """A text that is compared, one that an attribute keeps, one that has to be long."""

    def __init__(self, name: str = "front") -> None:
        if len(name) >= 12:
            raise ValueError("too long")
        self.label = name
        self.is_open = False

    def unlock(self, word: str) -> bool:
        if word != "sesame":
            return False
        self.is_open = True
        return True

    def is_back(self) -> bool:
        return self.label == "back" and not self.is_open

    def colour(self, grade: str) -> str:
        if grade in GRADES:
            return "shiny"
        return "dull"


class Meter:
    """A number from a module's constant, the other way round, and one that is kept."""

    def __init__(self) -> None:
        self.last = 0

    def read(self, amount: int) -> str:
        self.last = amount
        if LIMIT < amount:  # noqa: SIM300  # the other way round
            return "high"
        return "low"

    def alarm(self) -> bool:
        return self.last == -5 and self.last != 0

    def raises(self, amount: int) -> None:
        if not amount <= 20:
            raise OverflowError


class Twins:
    """Two objects in one call."""

    def __init__(self, value: int) -> None:
        self.value = value

    def beats(self, other: "Twins") -> str:
        if self.value > other.value:
            return "yes"
        if self is other:
            return "itself"
        return "no"


class Emptied:
    """What one of its methods does shows only on an object that holds something."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def put(self, item: int) -> None:
        self.items.append(item)

    def clear(self) -> None:
        self.items.clear()
