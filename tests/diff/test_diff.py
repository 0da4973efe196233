"""Rules: what can be told apart is shown by the shortest calls, in words and as a test; all else is proved the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import unlike
from corpora import few_of
from unlike.cli.diff.command import command
from unlike.errors import TargetError, UnlikeError
from versions import CART, DIFFERENT, POP, SAME, TOTAL


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def diff(*words: str) -> Any:
    return CliRunner().invoke(command, [*words, "--seconds-per-call", "1"], standalone_mode=False)


def write(folder: Path, old: str, new: str) -> tuple[str, str]:
    """Write two versions of a module of the same name, and return them as targets."""
    for name, text in (("old", old), ("new", new)):
        (folder / name).mkdir()
        (folder / name / "shop.py").write_text(text)
    return "old/shop.py", "new/shop.py"


@pytest.mark.few(1)
@pytest.mark.parametrize("name", few_of(DIFFERENT, 2))
def test_the_shortest_difference_is_shown_in_words(name: str, here: Path) -> None:
    old, new, sequence, was, now = DIFFERENT[name]
    words = [f"{each}:Cart" for each in write(here, old, new)]

    answer = diff(*words)

    assert answer.return_value == 1
    assert f"  {sequence}\n    old/shop.py:Cart: {was}\n    new/shop.py:Cart: {now}" in answer.stdout


@pytest.mark.corpus
@pytest.mark.parametrize("name", few_of(DIFFERENT, 1))
def test_a_difference_is_data_and_a_test_that_the_first_version_passes(name: str, here: Path) -> None:
    old, new, sequence, was, now = DIFFERENT[name]
    words = [f"{each}:Cart" for each in write(here, old, new)]
    test = here / "test_shop.py"

    data = json.loads(diff(*words, "--format", "json").stdout)
    wrote = diff(*words, "-o", str(test))

    shown = data["cases"]["verdicts"][0]["difference"]
    assert (shown["sequence"], shown["old"], shown["new"]) == (sequence, was, now)
    assert wrote.return_value == 1
    assert [_passes(here / side, test) for side in ("old", "new")] == [True, False]


def _passes(folder: Path, test: Path) -> bool:
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:unlike", str(test)]
    with_folder = {"PYTHONPATH": str(folder)}
    try:
        done = subprocess.run(run, env=with_folder, capture_output=True, text=True, timeout=30, check=False)
    except subprocess.TimeoutExpired:  # what never ends does not pass
        return False
    assert "error" not in (done.stdout.splitlines() or [""])[-1], done.stdout
    return done.returncode == 0


@pytest.mark.parametrize("name", few_of(SAME, 1))
def test_what_cannot_be_told_apart_is_the_same(name: str, here: Path) -> None:
    words = [f"{each}:Cart" for each in write(here, *SAME[name])]

    answer = diff(*words, "--format", "json")

    assert json.loads(answer.stdout)["cases"]["verdicts"][0]["verdict"] == "same (proved)", answer.stdout
    assert answer.return_value == 0


@pytest.mark.corpus
def test_messages_count_when_they_are_asked_for(here: Path) -> None:
    old, new = SAME["both raise alike"]
    words = [f"{each}:Cart" for each in write(here, old, new)]

    answer = diff(*words, "--messages")

    assert answer.return_value == 1
    assert "raised IndexError: pop from empty list" in answer.stdout
    assert "match=re.escape('pop from empty list')" in answer.stdout


@pytest.mark.corpus
def test_what_exists_on_one_side_only_is_named(here: Path) -> None:
    words = [f"{each}:Cart" for each in write(here, CART + POP, CART + TOTAL)]

    answer = diff(*words)

    assert answer.return_value == 0
    assert "by what both have" in answer.stdout
    assert "only in old/shop.py:Cart: pop\nonly in new/shop.py:Cart: total\n" in answer.stdout


def test_modules_are_compared_member_by_member(here: Path) -> None:
    more = "\n\ndef double(flag: bool) -> int:\n    return 2 * flag\n"
    old, new = write(
        here, CART + TOTAL + more, CART + TOTAL + more.replace("2 *", "flag +") + "def fresh(): return 1\n"
    )

    answer = diff(old, new)

    assert answer.return_value == 0
    assert [line.split()[:2] for line in answer.stdout.splitlines()[:3]] == [
        ["Cart", "same"],
        ["double", "same"],
        ["fresh", "only"],
    ]


def test_a_search_that_is_cut_short_is_no_proof(here: Path) -> None:
    words = [f"{each}:Cart" for each in write(here, CART, CART)]

    answer = diff(*words, "--most-states", "3")

    assert answer.return_value == 3
    assert answer.stdout.startswith("Cart: undecided")


FUNCTIONS = [
    ("flag: bool", "1 if flag else 2", "2 - flag", (), "same (proved)"),
    ("n: int", "n < 100", "n <= 99", (), "same"),
    ("n: int", "n < 1_000", "n <= 1_000", (), "different"),
    ("text", "text", "text.strip()", ("--inputs", "/[a-c]{1,2}/"), "same (proved)"),
    ("text", "len(text)", "len(text) % 3", ("--inputs", "/[a-c]{1,3}/"), "different"),
    ("n", "n", "abs(n)", ("--inputs", "spaces.py:small"), "same (proved)"),
    ("n", "n", "abs(n)", ("--inputs", "spaces.py:signed"), "different"),
    ("n", "n['a']", "n.get('a', 0)", ("--inputs", "schema.json"), "same"),
    ("n", "n", "n", (), "undecided"),
]


@pytest.mark.few(1)
@pytest.mark.parametrize(("parameter", "old", "new", "more", "word"), few_of(FUNCTIONS, 2))
def test_functions_are_compared_on_their_inputs(
    parameter: str, old: str, new: str, more: tuple[str, ...], word: str, here: Path
) -> None:
    (here / "spaces.py").write_text(
        "from unlike import Int, Spec\nsmall = Spec({'n': Int(0, 9)})\nsigned = Spec({'n': Int(-3, 3)})\n"
    )
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    (here / "schema.json").write_text(json.dumps(schema))
    files = write(here, *(f"def f({parameter}):\n    return {each}\n" for each in (old, new)))

    answer = diff(*(f"{each}:f" for each in files), *more, "--format", "json")

    verdict = json.loads(answer.stdout)["cases"]["verdicts"][0]
    assert verdict["verdict"] == word, verdict
    assert answer.return_value == {"different": 1, "undecided": 3}.get(word, 0)
    assert ("not proved" in verdict["guarantee"]) is (word == "same")


# -- git -----------------------------------------------------------------------------------------------


def git(folder: Path, *words: str) -> None:
    settings = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(here: Path) -> Path:
    package = here / "src" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "cart.py").write_text(CART + TOTAL)
    (package / "prices.py").write_text(
        "LIMIT = 2\n\n\ndef price(flag: bool) -> int:\n    # dear\n    return 3 * flag\n"
    )
    (package / "bill.py").write_text(
        "from shop.cart import Cart\nfrom shop import prices\n\n\n"
        "def bill(flag: bool) -> int:\n    cart = Cart()\n    cart.add(4)\n    return cart.total()\n\n\n"
        "def tax(flag: bool) -> int:\n    return prices.LIMIT\n"
    )
    git(here, "init", "-q")
    git(here, "add", "-A")
    git(here, "commit", "-qm", "first")
    return here


def test_everything_that_a_change_touches_is_compared_with_a_revision(project: Path) -> None:
    cart, prices = project / "src/shop/cart.py", project / "src/shop/prices.py"
    cart.write_text(cart.read_text().replace("sum(self._items)", "sum(self._items) + (len(self._items) > 2)"))
    prices.write_text(prices.read_text().replace("# dear", "# cheap").replace("3 * flag", "(3\n        * flag)"))
    before = sorted(path for path in project.rglob("*") if ".git" not in path.parts and "__pycache__" not in path.parts)

    answer = diff("--git", "HEAD")

    assert answer.return_value == 1
    rows = answer.stdout.splitlines()
    assert rows[0].split()[:2] == ["shop.bill:bill", "same"]
    assert rows[0].endswith("(uses Cart)")
    assert rows[1].split() == ["shop.cart:Cart", "different", *["Cart();", "add(0);", "add(0);", "add(0);", "total()"]]
    assert rows[2] == "1 same (proved), 1 different"  # neither price, which is laid out anew, nor tax
    after = sorted(path for path in project.rglob("*") if ".git" not in path.parts and "__pycache__" not in path.parts)
    assert before == after


@pytest.mark.corpus
def test_a_constant_touches_whoever_uses_it(project: Path) -> None:
    prices = project / "src/shop/prices.py"
    prices.write_text(prices.read_text().replace("LIMIT = 2", "LIMIT = 3"))
    git(project, "commit", "-qam", "second")

    answer = diff("--git", "HEAD~1")

    assert [line.split()[:2] for line in answer.stdout.splitlines()[:1]] == [["shop.bill:tax", "different"]]
    assert diff("--git", "HEAD").return_value == 0


@pytest.mark.corpus
def test_one_target_is_compared_with_a_revision(project: Path) -> None:
    cart = project / "src/shop/cart.py"
    cart.write_text(cart.read_text().replace("sum(self._items)", "0"))

    by_file, by_name = diff("--git", "HEAD", "src/shop/cart.py:Cart"), diff("--git", "HEAD", "shop.cart:Cart")

    assert (by_file.return_value, by_name.return_value) == (1, 1)
    assert "HEAD: returned 1\n    the working tree: returned 0" in by_file.stdout
    assert by_file.stdout == by_name.stdout
    assert "changes that are not committed" in by_file.stderr


BAD = [
    (("old/shop.py:Cart",), "give two versions"),
    (("nosuch:Cart", "old/shop.py:Cart"), "there is no module 'nosuch'"),
    (("old/gone.py", "old/shop.py"), "there is no file 'old/gone.py'"),
    (("broken.py:Cart", "old/shop.py:Cart"), "cannot be imported: ZeroDivisionError"),
    (("old/shop.py:Crat", "old/shop.py:Cart"), "did you mean 'Cart'?"),
    (("old/shop.py:Cart", "old/shop.py"), "name two of a kind"),
    (("old/shop.py:Cart", "old/shop.py:f"), "name two of a kind"),
    (("old/shop.py:f", "old/shop.py:f", "--inputs", "/(/"), "is no pattern"),
    (("--git", "HEAD"), "is not in a git repository"),
    (("old/shop.py:Cart", "old/shop.py:Cart", "--scope", "0"), "must be a whole number of at least 1"),
]


@pytest.mark.parametrize(("words", "said"), few_of(BAD, 2))
def test_bad_input_is_one_clear_message(words: tuple[str, ...], said: str, here: Path) -> None:
    write(here, CART + "\n\ndef f(n: int): return n\n", CART)
    (here / "broken.py").write_text("1 / 0\n")

    answer = diff(*words)

    assert isinstance(answer.exception, UnlikeError)
    assert said in str(answer.exception)


@pytest.mark.corpus
def test_an_unknown_revision_and_a_missing_git_are_said(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "has no such revision" in str(diff("--git", "nowhere").exception)
    (project / "src/shop/fresh.py").write_text(CART)
    assert "at HEAD: there is no module 'shop.fresh'" in str(diff("--git", "HEAD", "shop.fresh:Cart").exception)
    monkeypatch.setenv("PATH", str(project))
    assert "git, which is not installed" in str(diff("--git", "HEAD").exception)


# -- in pytest -----------------------------------------------------------------------------------------


class Tally:
    def __init__(self) -> None:
        self._seen: dict[int, int] = {}

    def note(self, number: int) -> int:
        self._seen[number] = self._seen.get(number, 0) + 1
        return self._seen[number]


class Counts:
    def __init__(self) -> None:
        self._all: list[int] = []

    def note(self, number: int) -> int:
        self._all.append(number)
        return self._all.count(number)


class Forgets(Counts):
    def note(self, number: int) -> int:
        self._all = [*self._all[-1:], number]
        return self._all.count(number)


def halve(flag: bool) -> int:
    return int(flag) // 2


def test_two_classes_are_asserted_to_be_the_same() -> None:
    unlike.assert_same(Tally, Counts, scope=2)

    with pytest.raises(AssertionError, match="Counts and test_diff:Forgets are different") as caught:
        unlike.assert_same(Counts, Forgets, scope=3)
    assert "Counts(); note(0); note(0); note(0)\n" in str(caught.value)
    assert "test_diff:Counts: returned 3\n    test_diff:Forgets: returned 2" in str(caught.value)


def keep(flag: bool) -> int:
    return int(flag)


@pytest.mark.corpus
def test_two_functions_are_asserted_to_be_the_same() -> None:
    unlike.assert_same(halve, halve)

    with pytest.raises(AssertionError, match="are different"):
        unlike.assert_same(halve, keep)
    with pytest.raises(TargetError, match="neither a class nor a function"):
        unlike.assert_same(halve, 3)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="undecided"):
        unlike.assert_same(Tally, Counts, scope=3, most_states=2)
