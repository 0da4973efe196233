r"""Patterns of pydantic's fields are of Rust's dialect, unless the model or a compiled pattern says Python's."""

from __future__ import annotations

import re
from typing import Annotated

import pytest
from pydantic import BaseModel, ConfigDict, Field

import unlike


class Tag(BaseModel):
    plain: str = Field(pattern=r"^[a-z]{2}[0-9]?$")
    nested: str = Field(pattern=r"^[a-z&&[^aeiou]]+$")
    posix: str = Field(pattern=r"^[[:upper:]]\x{2d}\pL\z")
    folded: str = Field(pattern=r"(?i)^k$")
    several: list[Annotated[str, Field(pattern=r"^\p{Greek}$|^x$")]]


class Looking(BaseModel):
    model_config = ConfigDict(regex_engine="python-re")

    code: str = Field(pattern=r"^(?=.*[0-9])[a-z0-9]{2}$")
    codes: list[Annotated[str, Field(pattern=r"^(?!aa)[a-b]{2}$")]]


class Compiled(BaseModel):
    code: str = Field(pattern=re.compile(r"^(?!b)[a-c]$"))


@pytest.mark.parametrize("model", [Tag, Looking, Compiled])
def test_what_is_made_keeps_the_pattern_and_what_breaks_it_does_not(model: type[BaseModel]) -> None:
    suite, broken = unlike.generate(model), unlike.invalid(model)

    assert all(isinstance(each, model) for each in suite.values)
    assert not suite.status.cut_short
    for case in broken:
        with pytest.raises(ValueError, match="validation error"):
            model.model_validate(case.value)


def test_classes_are_intersected_and_groups_of_posix_are_known() -> None:
    made = [each for each in unlike.generate(Tag, 40).values if isinstance(each, Tag)]

    assert not set("aeiou") & set("".join(each.nested for each in made))
    assert {each.posix[0].isupper() for each in made} == {True}
    assert {"k", "K"} <= {each.folded for each in made}


def test_what_rust_does_not_know_is_refused_with_the_remedy() -> None:
    with pytest.raises(unlike.SpecError, match=r"regex_engine='python-re'"):
        unlike.generate(Annotated[str, Field(pattern="^(?=a)")])
