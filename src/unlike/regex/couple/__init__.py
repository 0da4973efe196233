"""Two strings at once: each in a language of its own, tied to each other."""

from unlike.regex.couple.pair import ANY_LENGTHS, HOLDS, MAX_PAIRS, Lengths, Tie, couple, pairs

__all__ = ["ANY_LENGTHS", "HOLDS", "MAX_PAIRS", "Lengths", "Tie", "couple", "pairs"]
