"""Messages that newcomers read: plain words, plurals and articles right, and a remedy that can be used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from unlike import Int, Spec, SpecError, Str, generate
from unlike.cli import main
from unlike.errors import how_many, with_article
from unlike.suite import MEANINGS

ROOT = Path(__file__).parents[2]

# of texts that newcomers did not understand: none of them is in a message, the help or a page
GONE = (
    "has a look",
    "answered by z3",
    "something failed",
    "times the usual budget",
    "there are no saved inputs",
    "listed and filtered out of",
    "for debuggers and the trusting",
    "with inline values",
    "targets shown",
)


@pytest.mark.parametrize("words", GONE)
def test_what_nobody_understood_is_said_nowhere(words: str) -> None:
    pages = [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/**/*.md"), ROOT / "README.md"]
    found = [page for page in pages for line in page.read_text().splitlines() if words in line and "#" not in line]

    assert found == []


@pytest.mark.parametrize(
    ("noun", "said"),
    [("int", "an int"), ("function", "a function"), ("UUID", "a UUID"), ("Item", "an Item"), ("union", "a union")],
)
def test_articles_fit_their_noun(noun: str, said: str) -> None:
    assert with_article(noun) == said


def test_one_is_singular() -> None:
    assert [how_many(number, "input") for number in (0, 1, 2)] == ["0 inputs", "1 input", "2 inputs"]


def test_no_message_puts_a_fixed_article_before_a_name_that_may_begin_with_a_vowel() -> None:
    vowels = re.compile(r"\ba \{[\w.()]*(kind|type_name|__name__)[\w.()]*\}")
    always = ("values.py", "read.py")  # there it is one of a few names, none of which begins with a vowel
    found = [
        f"{page.name}: {line.strip()}"
        for page in ROOT.glob("src/unlike/**/*.py")
        for line in page.read_text().splitlines()
        if vowels.search(line) and page.name not in always
    ]

    assert found == []


def test_a_comparison_of_kinds_says_an_int() -> None:
    with pytest.raises(SpecError, match=r"is an int and .* a string|an int"):
        Spec({"n": Int(0, 9), "s": Str()}, where=lambda n, s: n == s)


def test_a_lookahead_that_no_solver_knows_is_named_with_the_remedy() -> None:
    spec = Spec(
        {"a": Str(r"(?=.*\d)[a-z0-9]{4,8}"), "b": Str(max_length=9), "c": Str(max_length=9)},
        where=lambda a, b, c: a.contains(b) & b.contains(c) & (c.length > 1),
        n=2,
    )

    said = str(generate(spec, engine="solver").status)

    assert r"the lookahead (?=.*\d) of pattern" in said
    assert "where strings depend on each other; write the pattern without it" in said


def test_what_is_no_spec_is_named_with_its_article(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["generate", "os.path:join"])

    assert "os.path:join is a function, not a Spec" in capsys.readouterr().err


def test_one_input_is_not_called_each(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["generate", "uuid:UUID"])

    said = capsys.readouterr().err
    assert "UUID: 1 input, built and checked; found as many" in said
    assert "0 of 0" not in said


def test_every_ending_has_words_of_its_own() -> None:
    assert len(set(MEANINGS.values())) == len(MEANINGS)
    assert not any("something" in words for words in MEANINGS.values())
