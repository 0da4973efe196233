"""z3, cvc5, a solver behind a pipe and brute force say the same of random programs; and what happens if one dies."""

import itertools
import math
import shutil
import sys
from pathlib import Path

import pytest
from tests.engine import reference
from tests.engine.random_specs import random_spec
from tests.engine.test_agreement import environments

import unlike
from unlike import Ending, Int, Spec, Str, generate, read_program, write_program
from unlike.engine.asking.relay import order_of
from unlike.engine.generate import _read
from unlike.engine.plan import Planner
from unlike.errors import SolverError, SpecError
from unlike.formats.programs.sexpr import Form, Literal, read_trees
from unlike.space.problem import take_apart
from unlike.space.sources import Clock

PIPED = f"{shutil.which('z3', path=str(Path(sys.executable).parent)) or 'z3'} -in"
PROGRAMS = 300
BATCHES = 10
SMALL = 30  # inputs in all, before assertions
TIED = Spec({"x": Int(0, 1_000_000), "y": Int(0, 1_000_000)}, where=lambda x, y: x + 2 * y == 1_000)


def programs():
    """Random specs that a program can say, small enough for brute force."""
    for seed in itertools.count():
        spec = random_spec(seed)
        if math.prod(len(reference.domain(value)) for value in spec.blanks.values()) > SMALL:
            continue
        try:
            text = write_program([spec])
        except SpecError:
            continue
        if all(map(is_linear, read_trees(text))):
            yield text


def is_linear(tree):
    """Whether nothing is multiplied or divided by what is open: solvers take any time for that."""
    if not isinstance(tree, Form):
        return True
    if tree.head in ("*", "div", "mod") and sum(not isinstance(part, Literal) for part in tree.parts) > 2:
        return False
    return all(map(is_linear, tree.parts))


TEXTS = list(itertools.islice(programs(), PROGRAMS))


def found_by(problem, solver):
    """What one solver finds, and what it means that there is no more."""
    planner = Planner(problem, Clock(), 0, "solver", (solver,))
    source = planner.plan(problem.units, problem.assertions, problem.difference)
    fragments = [source.at(index) for index in range(source.size(1_000))]
    planner.close()
    assert set(planner.tally.answered) <= {solver}
    ending = source.cut.ending if source.cut else source.ending if fragments else Ending.UNSATISFIABLE
    return environments(problem, fragments), ending


@pytest.mark.parametrize("batch", range(BATCHES))
def test_z3_cvc5_a_piped_solver_and_brute_force_agree(batch):
    for text in TEXTS[batch::BATCHES]:
        [spec] = read_program(text)
        problem = take_apart(spec)
        legal, best = reference.inputs(problem), None

        for solver in ("z3", "cvc5", PIPED):
            envs, ending = found_by(problem, solver)

            assert all(env in legal for env in envs), (solver, text)
            assert all(reference.unlike(problem, a, b) for a, b in itertools.combinations(envs, 2)), (solver, text)
            assert bool(envs) == bool(legal), (solver, text)
            match ending:
                case Ending.UNSATISFIABLE:
                    assert not legal
                case Ending.COMPLETE if len(legal) <= 30:
                    best = reference.largest(problem, legal) if best is None else best
                    assert len(envs) == best, (solver, text)
                case Ending.COMPLETE | Ending.MAXIMAL:
                    assert not [new for new in legal if all(reference.unlike(problem, new, old) for old in envs)]
                case _:
                    pytest.fail(f"small programs are always decided: {solver}: {ending}\n{text}")


# -- asking another


def test_what_one_solver_leaves_open_another_answers_and_the_status_says_who(monkeypatch):
    import z3

    from unlike.solvers import z3 as ours

    real, calls = z3.Solver.check, []

    def gives_up(self, *assumptions):
        calls.append(1)
        return z3.unknown if len(calls) > 8 else real(self, *assumptions)

    monkeypatch.setattr(ours.z3.Solver, "check", gives_up)

    suite = generate(TIED, 30)

    assert len(suite) == 30
    assert suite.status.detail == "answered by z3 (6), cvc5 (24)"


def test_the_same_solver_gives_the_same_inputs_again():
    for solver in ("cvc5", PIPED):
        first, second = (generate(TIED, 8, solver=solver) for _ in range(2))

        assert first.values == second.values
        assert f"answered by {solver} (8)" in first.status.detail


def test_a_command_that_is_not_there_and_a_name_that_is_none_are_refused():
    for solver, said in (
        ("no-such-solver -in", "there is no program 'no-such-solver'"),
        ("", "not the name"),
        ("'", "not a command"),
    ):
        with pytest.raises(SolverError, match=said):
            generate(TIED, 3, solver=solver)


def test_without_cvc5_the_message_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr("unlike.engine.asking.relay.has_cvc5", lambda: False)

    assert order_of("z3") == ("z3",)
    with pytest.raises(SolverError, match=r"pip install 'unlike\[cvc5\]'"):
        order_of("cvc5")


# -- programs that misbehave

FRONT = """
import subprocess, sys, time
real = subprocess.Popen([{z3!r}, "-in"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
asked = 0
for line in sys.stdin:
    if line.startswith("(check-sat"):
        asked += 1
        if asked == {limit}:
            {then}
    real.stdin.write(line)
    real.stdin.flush()
    if line.startswith("(echo"):
        while (said := real.stdout.readline()):
            sys.stdout.write(said)
            sys.stdout.flush()
            if "unlike-has-read-this" in said:
                break
"""


def misbehaving(tmp_path, then, limit=6):
    path = tmp_path / "front.py"
    path.write_text(FRONT.format(z3=PIPED.split()[0], limit=limit, then=then))
    return f"{sys.executable} {path}"


def alone(spec, n, solver, timeout=None):
    """What one solver finds without another to take over."""
    planner = Planner(take_apart(spec), Clock(timeout), 0, "solver", (solver,))
    fragments, status = _read(planner, n, None)
    planner.close()
    return fragments, status


def test_a_solver_that_dies_leaves_what_was_found(tmp_path):
    solver = misbehaving(tmp_path, "real.kill(); sys.exit(9)")

    fragments, status = alone(TIED, 20, solver)

    assert 0 < len(fragments) < 20
    assert status.ending is Ending.UNKNOWN
    assert "ended by itself (exit code 9)" in status.detail


def test_a_solver_that_dies_is_replaced_by_z3(tmp_path):
    suite = generate(TIED, 20, solver=misbehaving(tmp_path, "real.kill(); sys.exit(9)"))

    assert len(suite) == 20
    assert ", z3 (" in suite.status.detail


def test_a_solver_that_hangs_is_stopped_when_time_is_up(tmp_path):
    fragments, status = alone(TIED, 20, misbehaving(tmp_path, "time.sleep(60)"), timeout=2)

    assert status.ending is Ending.TIMEOUT
    assert 0 < len(fragments) < 20


@pytest.mark.parametrize("then", ["print('nonsense')", "print('sat ((')", "sys.stdout.write('\\xff(')"])
def test_a_solver_that_talks_nonsense_is_not_believed(tmp_path, then):
    fragments, status = alone(TIED, 12, misbehaving(tmp_path, then))

    assert 0 < len(fragments) <= 12
    assert status.ending in (Ending.FOUND, Ending.UNKNOWN)


def test_strings_survive_the_way_through_text():
    odd = ['a"b', "\\", "\\u{41}", "é", "|", ";", "\t", "\u2028", ""]
    spec = Spec({"s": unlike.OneOf(*odd), "t": Str("[\\x00-\\xff]{0,7}", max_length=7)}, where=lambda s, t: s == t)
    for solver in ("z3", "cvc5", PIPED):
        fragments, status = alone(spec, None, solver)

        assert {each[("s",)] for each in fragments} == {each for each in odd if each != "\u2028"}
        assert all(each[("s",)] == each[("t",)] for each in fragments)
        assert status.ending is Ending.COMPLETE
