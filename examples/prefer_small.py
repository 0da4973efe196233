"""Small numbers all, large numbers few: `enumerate*` with another difference for each choice.

Numbers below 100 are different if they are not equal, larger ones if they are at least 50 apart.
"""

from unlike import Int, Spec, differs_by, distance, enumerate_


def prefer_small(blank: str):
    """Return the difference that prefers small numbers."""
    return enumerate_(
        [lambda x: x < 100, lambda x: x >= 100],
        [differs_by(blank), distance(blank, 50)],
    )


numbers = Spec({"x": Int(0, 999)}, different=prefer_small("x"), name="numbers", n=200)
