"""`@unlike.objects(Class, source="invariant")`: a test runs on every structure that the invariant accepts."""

from __future__ import annotations

from pathlib import Path

import examples.structures
import pytest

import examples
import unlike
from unlike.errors import SpecError

MODULE = """
    class Node:
        def __init__(self, key: int, after: "Node | None") -> None:
            self.key = key
            self.after = after

    class Chain:
        first: Node | None
        size: int

        def __init__(self):
            self.first, self.size = None, 0

        def rep_ok(self) -> bool:
            seen, node = set(), self.first
            while node is not None:
                if node in seen:
                    return False
                seen.add(node)
                node = node.after
            return self.size == len(seen)
"""
TEST = """
    import unlike
    from chains import Chain

    @unlike.objects(Chain, scope=2, source="invariant")
    def test_sound(chain: Chain) -> None:
        assert chain.rep_ok()
        assert chain.size < 2 or chain.first.key + chain.first.after.key < 2, "two large keys"
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(chains=MODULE, test_chains=TEST)
    pytester.syspathinsert()
    return pytester


@pytest.mark.corpus
def test_a_test_runs_on_every_structure_and_fails_where_it_fails(project: pytest.Pytester) -> None:
    result = project.runpytest_subprocess("-q", "-p", "no:hypothesispytest")

    # nothing, one of two keys, two of two keys each; only (1, 1) fails
    result.assert_outcomes(passed=6, failed=1)


@pytest.mark.corpus
def test_a_second_run_replays_what_was_saved_after_checking_it(project: pytest.Pytester) -> None:
    project.runpytest_subprocess("-q", "-p", "no:hypothesispytest")
    (saved,) = [path for path in project.path.rglob("__unlike__/**/*") if path.is_file()]
    before = saved.read_bytes()

    result = project.runpytest_subprocess("-q", "-p", "no:hypothesispytest")

    result.assert_outcomes(passed=6, failed=1)
    assert saved.read_bytes() == before


@pytest.mark.corpus
def test_a_saved_structure_that_the_invariant_now_rejects_is_not_used(project: pytest.Pytester) -> None:
    project.runpytest_subprocess("-q", "-p", "no:hypothesispytest")
    source = (project.path / "chains.py").read_text()
    (project.path / "chains.py").write_text(source.replace("== len(seen)", "== len(seen) < 2"))

    result = project.runpytest_subprocess("-q", "-p", "no:hypothesispytest")

    result.assert_outcomes(passed=3)


@pytest.mark.corpus
def test_the_example_finds_the_planted_bug(pytester: pytest.Pytester) -> None:
    example = Path(examples.structures.__file__).with_name("test_remove.py")
    pytester.makepyfile(test_remove=example.read_text())
    root = str(Path(examples.__file__).parent.parent)

    result = pytester.runpytest_subprocess("-q", "-p", "no:hypothesispytest", "-o", f"pythonpath={root}")

    # one that has 1 above the node below which something is lost: 1 with 0 on its left, 2 and 3 on its right
    result.assert_outcomes(passed=101, failed=1)


@pytest.mark.parametrize(
    ("targets", "options", "message"),
    [
        ((int,), {"source": "magic"}, "source='magic'"),
        ((int, str), {"source": "invariant"}, "takes one class, not 2"),
        ((int,), {"source": "invariant", "one_per_shape": True}, "leave out one_per_shape"),
    ],
)
def test_a_wrong_source_is_one_clear_message(
    targets: tuple[type, ...], options: dict[str, object], message: str
) -> None:
    with pytest.raises(SpecError) as caught:
        unlike.objects(*targets, **options)  # type: ignore[arg-type]

    assert message in str(caught.value)
