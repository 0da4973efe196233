"""Lines of written tests: at most 120 characters, folded without a change of meaning; at most 60 of them in a test."""

import ast
import random

import pytest

from unlike.writers.pytest_file.drafts import TALLEST, WIDTH, Draft, fold

FORMS = [
    "assert x.keys() == {}",
    "assert x.find({}) == {}",
    "assert not x.holds({})",
    "assert x.take({}) is None",
    "x = Table({})",
    "x = {}",
    "x.put({}, key={})",
    "x |= {}",
    "x + {}",
    "@pytest.mark.skip(reason={})",
]


def random_literal(rng, depth):
    kind = rng.randrange(7 if depth else 4)
    if kind == 0:
        return repr("".join(rng.choice("ab'\"\\\n,é([ ") for _ in range(rng.choice([1, 5, 60, 300]))))
    if kind == 1:
        return repr(rng.randrange(-1000, 1000))
    if kind == 2:
        return repr(b"x,\x00" * rng.randrange(60))
    if kind == 3:
        return rng.choice(["None", "-1.5e300", "True"])
    inner = [random_literal(rng, depth - 1) for _ in range(rng.randrange(9))]
    if kind == 4:
        return f"[{', '.join(inner)}]"
    if kind == 5:
        return f"({', '.join(inner)}{',' * (len(inner) == 1)})"
    return f"{{{', '.join(f'{number}: {each}' for number, each in enumerate(inner))}}}"


@pytest.mark.parametrize("form", FORMS)
def test_a_long_line_is_folded_into_lines_that_mean_the_same(form):
    rng = random.Random(form)
    for _ in range(100):
        text = form.format(random_literal(rng, 3), random_literal(rng, 2))
        after = "\ndef f(): ..." if text.startswith("@") else ""

        lines = [line.removeprefix("    ") for line in fold(f"    {text}")]

        assert ast.dump(ast.parse("\n".join(lines) + after)) == ast.dump(ast.parse(text + after))
        assert max(map(len, lines)) <= WIDTH - 4, lines


def test_what_does_not_fit_into_lines_is_left_out_and_a_test_too_long_without_it_is_not_written():
    wide = f"assert x[{'a' * 200}] == 1"
    draft = Draft("test_it", [], ["x = 1"], ["x = 1"], [["assert x == 1"], [wide], *([["assert x"]] * 99)])

    draft.shorten()

    assert len(draft.lines()) <= TALLEST
    assert wide not in draft.text
    assert not draft.is_too_long
    assert not Draft("test_it", [], [f"x = {list(range(200))}"], []).is_too_long
    assert Draft("test_it", [], [f"x[{'a' * 200}] = 1"], []).is_too_long
    assert Draft("test_it", [], ["x = 1"] * 80, []).is_too_long


def test_a_sequence_ends_before_what_does_not_fit():
    parts = [["x.a()"], [f"x[{'a' * 200}] = 1"], ["assert x.b() == 1"]]
    draft = Draft("test_it", [], ["x = 1"], ["x = 1"], parts, chained=True)

    draft.shorten()

    assert draft.parts == [["x.a()"]]
