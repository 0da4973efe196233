"""A service that says back what it was told, and properly refuses to say nothing. It has no planted bug."""

from __future__ import annotations


def echo(text: str, times: int = 1) -> str:
    """Return the text, repeated; an empty text or a count below 1 is a ValueError."""
    if not text:
        raise ValueError("there is nothing to say; pass a text that is not empty")
    if times < 1:
        raise ValueError(f"times {times!r} is below 1")
    return " ".join([text] * times)
