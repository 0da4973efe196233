"""A set of builders by evolution: bit vectors, crossover, mutation, and a fitness that counts field values.

For APIs whose states are too many for the exact search. What a set of operations builds is measured on the recorded
transitions where they are complete, else by a random exploration with a counted number of calls.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import multiprocessing
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.classes.builders.graph import Reach
from unlike.classes.builders.policies import AtRandom, raise_if_interrupted
from unlike.classes.verb import explore_question
from unlike.core import FOREVER, Deadline, Exploration, Settings, setting
from unlike.core.question import NEEDED
from unlike.errors import ScopeError, TargetError
from unlike.progress import hide_progress, report

Chromosome = tuple[bool, ...]


def check_share(name: str, value: object) -> None:
    """Refuse what is no number between 0 and 1."""
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ScopeError(f"{name}={value!r} must be between 0 and 1")


def check_weight(name: str, value: object) -> None:
    """Refuse what is no number of at least 1."""
    if not isinstance(value, int | float) or value < 1:
        raise ScopeError(f"{name}={value!r} must be at least 1")


@dataclass(frozen=True, slots=True)
class Genetic(Settings):
    """The parameters of the evolution; the defaults are the published ones.

    `methods_weight` and `parameters_weight` (w1, w2) say how much fewer methods and simpler parameters count where
    field values are equal, `reference_weight` (w3) how much more a parameter that is an object or container counts than
    a plain one. `islands` populations evolve apart in each round; `processes` says how many at a time.
    """

    evolutions: int = setting(20, "--evolutions", "numEvo of the genetic search.", check=NEEDED)
    population: int = setting(30, "--population", "popSize.", check=NEEDED)
    crossover: float = setting(0.35, "--crossover", "cRate.", check=check_share)
    mutation: float = setting(0.08, "--mutation", "mRate.", check=check_share)
    methods_weight: float = setting(2.0, "--methods-weight", "w1: fewer methods.", check=check_weight)
    parameters_weight: float = setting(1.0, "--parameters-weight", "w2: simpler parameters.", check=check_weight)
    reference_weight: float = setting(2.0, "--reference-weight", "w3: objects as parameters.", check=check_weight)
    islands: int = setting(1, "--islands", "Populations that evolve apart.", check=NEEDED)
    processes: int = setting(1, "--processes", "Islands at a time.", check=NEEDED)
    attempts: int = setting(500, "--attempts", "Random calls to measure a set that is not known.", check=NEEDED)


@dataclass(slots=True)
class ByTrying:
    """Measures by random exploration with the operations alone."""

    targets: tuple[Any, ...]
    question: Exploration
    names: tuple[str, ...]
    attempts: int
    seed: int

    def field_values(self, operations: Sequence[int]) -> int:
        """Return the number of field values in the states found."""
        if self.question.deadline.is_over():
            return 0
        names = frozenset(self.names[index] for index in operations)
        policy = AtRandom(self.seed, self.attempts, names=names)
        try:
            with hide_progress():
                result = raise_if_interrupted(explore_question(self.targets, self.question, policy))
        except TargetError:  # these operations make no object at all
            return 0
        return result.extensions().count() if result.states else 0


@dataclass(slots=True)
class Fitness:
    """The published fitness: field values, and a part below 1 for fewer methods and simpler parameters."""

    measure: Reach | ByTrying  # on recorded transitions, or by trying
    candidates: tuple[int, ...]
    parameters: tuple[tuple[int, int], ...]  # plain and other parameters of each candidate
    settings: Genetic
    known: dict[Chromosome, float] = field(default_factory=dict)

    def of(self, chromosome: Chromosome) -> float:
        """Return the fitness of a set; each is measured once."""
        if chromosome not in self.known:
            chosen = [index for index, kept in zip(self.candidates, chromosome, strict=True) if kept]
            self.known[chromosome] = (self.measure.field_values(chosen) if chosen else 0) + self.tie_breaker(chromosome)
        return self.known[chromosome]

    def tie_breaker(self, chromosome: Chromosome) -> float:
        """Return the part between 0 and 1: high for few methods with simple parameters."""
        first, second = self.settings.methods_weight, self.settings.parameters_weight
        everything = self.weight([True] * len(chromosome))
        methods = 1 - sum(chromosome) / len(chromosome)
        parameters = 1 - self.weight(chromosome) / everything if everything else 0.0
        return (first * methods + second * parameters) / (first + second)

    def weight(self, chromosome: Iterable[bool]) -> float:
        """Return the weighted number of parameters."""
        return sum(
            plain + self.settings.reference_weight * other
            for (plain, other), kept in zip(self.parameters, chromosome, strict=True)
            if kept
        )

    def fittest(self, population: Iterable[Chromosome], count: int) -> list[Chromosome]:
        """Return the fittest, each once; among equals the one that keeps earlier methods comes first."""
        distinct = dict.fromkeys(population)
        ordered = sorted(distinct, key=lambda each: (-self.of(each), tuple(not gene for gene in each)))
        return ordered[:count]


def evolve(fitness: Fitness, seed: int, deadline: Deadline = FOREVER) -> tuple[int, ...]:
    """Return the fittest set of candidates after all evolutions, or those in time; the same for the same seed."""
    settings, size = fitness.settings, len(fitness.candidates)
    population = [tuple(index == one for index in range(size)) for one in range(size)]
    with _run_islands(settings) as run:
        for number in range(settings.evolutions):
            if deadline.is_over():
                break
            report("evolving", number, len(fitness.known), of=settings.evolutions)
            seeds = [f"{seed}/{number}/{island}" for island in range(settings.islands)]
            population = fitness.fittest(population, settings.population)
            evolved = list(run(_round, [fitness] * settings.islands, [population] * settings.islands, seeds))
            for _, known in evolved:
                fitness.known.update(known)
            share = -(-settings.population // settings.islands) if settings.islands > 1 else None
            population = [each for island, _ in evolved for each in island[:share]]
    best = fitness.fittest(population, 1)[0]
    return tuple(index for index, kept in zip(fitness.candidates, best, strict=True) if kept)


def _round(
    fitness: Fitness, population: list[Chromosome], seed: str
) -> tuple[list[Chromosome], dict[Chromosome, float]]:
    """Return the population after crossover and mutation, fittest first, and what was measured on the way."""
    rng, settings = random.Random(seed), fitness.settings
    grown = list(population)
    for _ in range(int(settings.crossover * settings.population)):
        one, other = rng.choice(grown), rng.choice(grown)
        point = rng.randrange(len(one) + 1)
        grown.append(one[:point] + other[point:])
    for each in list(grown):
        mutated = tuple(gene != (rng.random() < settings.mutation) for gene in each)
        if mutated != each:
            grown.append(mutated)
    return fitness.fittest(grown, len(grown)), fitness.known


@contextlib.contextmanager
def _run_islands(settings: Genetic) -> Iterator[Callable[..., Iterable[Any]]]:
    """Give a `map` that runs the islands of a round, here or in other processes: with the same result."""
    many = min(settings.processes, settings.islands)
    if many == 1:
        yield map
        return
    fresh = multiprocessing.get_context("spawn")  # a copy of a process with threads may hang
    with concurrent.futures.ProcessPoolExecutor(many, mp_context=fresh) as pool:
        yield pool.map
