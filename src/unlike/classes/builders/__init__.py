"""The few operations of a class that build everything: from classes and a scope to Builders.

All states are explored once with the whole API, and where each call leads is written down. From then on a question
about a set of operations is graph search. The set found is explored once more, by itself, and must reach the same.
"""

from __future__ import annotations

from unlike.classes.builders.genetic import Genetic
from unlike.classes.builders.policies import AtRandom
from unlike.classes.builders.result import Builders
from unlike.classes.builders.verb import BuilderSearch, Finding, builders

__all__ = ["AtRandom", "BuilderSearch", "Builders", "Finding", "Genetic", "builders"]
