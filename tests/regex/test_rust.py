r"""Patterns of Rust mean what pydantic-core says they mean, which is asked here and now."""

from __future__ import annotations

import random
import re

import pytest
from pydantic_core import SchemaError, SchemaValidator, ValidationError, core_schema
from tests.corpora import few_of
from tests.regex.random_rust import MEMBERS, PLACES, WRONG, random_rust, random_texts

from unlike.regex import chars
from unlike.regex.dialects.python_spelling import spell
from unlike.regex.dialects.rust import is_read_alike, read_rust
from unlike.regex.dialects.rust_classes import shorthand
from unlike.regex.tree import PatternError
from unlike.types.narrowing import search_pattern

TEXTS = 40


def said_by_pydantic(pattern: str, texts: list[str]) -> str | None:
    """Return which texts pydantic-core takes under the pattern, or nothing where it refuses that."""
    try:
        validator = SchemaValidator(core_schema.str_schema(pattern=pattern))
    except SchemaError as error:
        return "too large" if "exceeds size limit" in str(error) else None
    found = ""
    for text in texts:
        try:
            validator.validate_python(text)
            found += "1"
        except ValidationError:
            found += "0"
    return found


def said_by_us(pattern: str, texts: list[str]) -> str | None:
    try:
        compiled = re.compile(spell(read_rust(pattern)))
    except PatternError:
        return None
    return "".join("1" if compiled.search(text) else "0" for text in texts)


@pytest.mark.parametrize("block", few_of(range(24), 1))
def test_random_patterns_mean_what_pydantic_says(block: int) -> None:
    draw = random.Random(block)
    wrong = []
    for _ in range(50):
        pattern, texts = random_rust(draw), random_texts(draw, TEXTS)
        ours, said = said_by_us(pattern, texts), said_by_pydantic(pattern, texts)
        if said != "too large" and ours != said:
            wrong.append((pattern, ours, said, texts))

    assert wrong == []


def test_every_construct_by_itself_means_what_pydantic_says() -> None:
    texts = ["", "a", "ab", "a b", "b", "k", "K", "\n", "a\n", "\r\n", "é", "A", "0", "²", "-", "&", "~", "_", "]"]
    patterns = [*WRONG, *PLACES, *(f"^[{each}]+$" for each in MEMBERS), "(?i)^[k]$", "(?x) a b # c", "a$", "(?m)^b$"]

    answers = [(each, said_by_us(each, texts), said_by_pydantic(each, texts)) for each in patterns]

    assert [row for row in answers if row[1] != row[2]] == []


@pytest.mark.parametrize("block", few_of(range(12), 1))
def test_where_both_are_said_to_read_a_pattern_alike_they_agree_on_ascii(block: int) -> None:
    draw = random.Random(1_000 + block)
    found = 0
    for _ in range(300):
        pattern = random_rust(draw, 2)
        texts = [each for each in random_texts(draw, TEXTS) if each.isascii()]
        said = said_by_pydantic(pattern, texts)
        if said not in (None, "too large") and is_read_alike(pattern):
            found += 1
            matched = re.compile(search_pattern(pattern))
            assert "".join("1" if matched.fullmatch(text) else "0" for text in texts) == said, pattern

    assert found > 20


@pytest.mark.corpus
@pytest.mark.parametrize("letter", ["d", "w", "s"])
def test_shorthands_hold_what_pydantic_finds_in_them_but_for_characters_of_another_version_of_unicode(
    letter: str,
) -> None:
    held = shorthand(letter, unicode=True)
    validator = SchemaValidator(core_schema.str_schema(pattern=f"^\\{letter}$"))

    differing = 0
    for point in range(chars.HIGHEST + 1):
        if not 0xD800 <= point <= 0xDFFF:
            try:
                validator.validate_python(chr(point))
                found = True
            except ValidationError:
                found = False
            differing += found is not chars.holds(held, point)

    assert differing <= chars.size(held) * 0.05
