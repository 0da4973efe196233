"""A class without faults: exploring it loads whatever exploring loads."""


class Quiet:
    """A list of at most two numbers, as the class with the faults has it."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def push(self, value: int) -> None:
        """Put a value at the end."""
        if len(self.items) == 2:
            raise ValueError("full")
        self.items.append(value)
