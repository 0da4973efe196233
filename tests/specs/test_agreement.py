"""Direct enumeration, z3 and brute force say the same of random small specs."""

import itertools
import math
from collections import Counter

import pytest
from tests.corpora import few_of
from tests.specs import reference
from tests.specs.random_specs import random_spec

import unlike
from unlike.core import Deadline
from unlike.language.terms import Aggregate, Op, Quantified, walk
from unlike.specs import core_difference as c
from unlike.specs.generate import _read, generate
from unlike.specs.plan import Planner
from unlike.specs.problem import take_apart
from unlike.suite import Ending

SPECS = 760
BATCHES = 38
SMALL = 150  # inputs in all, before assertions: what brute force can compare pair by pair


def usable(seed):
    spec = random_spec(seed)
    size = math.prod(len(reference.domain(value)) for value in spec.blanks.values())
    return spec if size <= SMALL else None


def found(problem, engine):
    planner = Planner(problem, Deadline(), 0, engine)
    try:
        fragments, status = _read(planner, None, None)
    finally:
        planner.close()
    return environments(problem, fragments), status


def environments(problem, fragments):
    envs = []
    for fragment in fragments:
        env = {}
        for key, value in fragment.items():
            if isinstance(key, int):
                env[0, key] = value
            elif len(key) == 1:
                env[0, key[0]] = value
            else:
                inner = env.setdefault((0, key[0]), {})
                for part in key[1:-1]:
                    inner = inner.setdefault(part, {})
                inner[key[-1]] = value
        for part in c.parts_of(problem.difference):
            if isinstance(part, c.Select):
                env.setdefault((0, part.number), 0)  # inside a branch that was not taken, any choice will do
        envs.append(env)
    return envs


def check(problem, engine, legal):
    envs, status = found(problem, engine)

    assert all(env in legal for env in envs), "every input is legal"
    for a, b in itertools.combinations(envs, 2):
        assert reference.unlike(problem, a, b), f"every two are different: {a} {b}"
    assert bool(envs) == bool(legal), "there are inputs if and only if brute force finds one"
    match status.ending:
        case Ending.UNSATISFIABLE:
            assert not legal
        case Ending.COMPLETE if len(legal) <= 40:
            assert len(envs) == reference.largest(problem, legal)
        case Ending.COMPLETE | Ending.MAXIMAL:
            assert not [new for new in legal if all(reference.unlike(problem, new, old) for old in envs)]
        case Ending.UNKNOWN:
            pytest.fail(f"small specs are always decided: {status}")
    return status


@pytest.mark.corpus
@pytest.mark.parametrize("batch", few_of(range(BATCHES), 1))
def test_brute_force_direct_enumeration_and_the_solver_agree(batch):
    for seed in range(batch * SPECS // BATCHES, (batch + 1) * SPECS // BATCHES):
        spec = usable(seed)
        if spec is None:
            continue
        problem = take_apart(spec)
        legal = reference.inputs(problem)

        statuses = [check(problem, engine, legal) for engine in ("auto", "solver")]

        both = {status.ending for status in statuses}
        assert both != {Ending.COMPLETE, Ending.UNSATISFIABLE}, seed
        assert generate(spec, "all").status.ending == statuses[0].ending


@pytest.mark.corpus
def test_every_operator_occurs_and_a_fifth_is_unsatisfiable():
    operators, differences, empty, used = Counter(), Counter(), 0, 0
    for seed in range(SPECS):
        spec = usable(seed)
        if spec is None:
            continue
        used += 1
        problem = take_apart(spec)
        empty += not reference.inputs(problem)
        differences.update(type(part).__name__ for part in c.parts_of(problem.difference))
        for assertion in problem.assertions:
            for node in walk(assertion.node):
                match node:
                    case Op(name):
                        operators[name] += 1
                    case Quantified(every):
                        operators["each" if every else "some item"] += 1
                    case Aggregate(name):
                        operators[name] += 1
                    case _:
                        operators[type(node).__name__] += 1

    wanted = "and or not ite == != < <= > >= + - * // % neg abs length contains startswith endswith at concat matches"
    wanted += (
        " field attribute present value days_between add_days year month day weekday hour minute second each Opaque"
    )
    wanted += " sum count distinct sorted descending time_between add_time days"
    assert not set(wanted.split()) - set(operators)
    assert not {"Key", "MinimumDistance", "Edits", "Holds", "Python", "Select", "Every", "Some", "Negated"} - set(
        differences
    )
    assert used >= 500
    assert empty >= used / 5


def test_the_largest_suite_is_found_by_search_in_a_case_known_by_hand():
    spec = unlike.Spec({"x": unlike.Int(0, 6)}, different=unlike.distance("x", 3))
    problem = take_apart(spec)

    assert reference.largest(problem, reference.inputs(problem)) == 3  # 0, 3, 6
