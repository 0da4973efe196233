"""Two strings at once: each in a language of its own, tied to each other."""

from unlike.regex.couple.pair import HOLDS, Lengths, Tie, couple, pairs

__all__ = ["HOLDS", "Lengths", "Tie", "couple", "pairs"]
