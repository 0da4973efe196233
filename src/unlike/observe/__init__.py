"""What code does with an input: branches, deciding operands, distances of comparisons, rounds of loops, exceptions.

run: what one input did, as plain data, and its features; watched: code with probes, in a copy of this process;
mentions: values that the source compares its inputs with.
"""

from __future__ import annotations

from unlike.observe.mentions import Mentions, mentions_of
from unlike.observe.run import BY, Behaviour, CodeCall, Feature, Spot, closest_of, features_of
from unlike.observe.watched import Watched

__all__ = [
    "BY",
    "Behaviour",
    "CodeCall",
    "Feature",
    "Mentions",
    "Spot",
    "Watched",
    "closest_of",
    "features_of",
    "mentions_of",
]
