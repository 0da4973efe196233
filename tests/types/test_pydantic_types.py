"""Every type of pydantic, generated and broken: pydantic itself is asked about each value, as it would be by a user."""

import dataclasses
import importlib
import pathlib
import re
from collections.abc import Callable
from typing import Annotated, Any

import attrs
import pydantic
import pytest
from pydantic import Base64Bytes, BaseModel, Field, FilePath, HttpUrl, TypeAdapter, create_model, networks, types
from tests.corpora import few_of

import unlike
from unlike import SpecError
from unlike.suite import Ending

# metadata, functions and bases, which are nobody's annotation
NO_TYPES = {"Strict", "AllowInfNan", "FailFast", "StringConstraints", "GetPydanticSchema", "validate_email", "Secret"}
NO_TYPES |= {"EncoderProtocol", "EncodedBytes", "EncodedStr", "Base64Encoder", "Tag", "Discriminator", "UrlConstraints"}
FUNCTIONS = {name for name in types.__all__ if name.startswith("con")}
FORMATS = {"AnyUrl", "AnyHttpUrl", "HttpUrl"}
BROKEN = {name: "another version" for name in types.__all__ if re.fullmatch(r"UUID\d", name)}
BROKEN |= {name: f"refused by the format of {name}" for name in FORMATS}
BROKEN |= {"NaiveDatetime": "with a time zone", "AwareDatetime": "without a time zone"}
BROKEN |= {"DirectoryPath": "none of the 2 values"}


def _all_types() -> dict[str, Any]:
    found = {}
    for module in (types, networks):
        for name in module.__all__:
            if name in NO_TYPES | FUNCTIONS:
                continue
            try:
                TypeAdapter(getattr(module, name))
            except (TypeError, ImportError):  # open, or of a library that is not there
                continue
            found[name] = getattr(module, name)
    return found


TYPES = _all_types()


def _takes(annotation: object, value: object) -> bool:
    try:
        TypeAdapter(annotation).validate_python(value)
    except pydantic.ValidationError:
        return False
    return True


def _made(name: str, make: Callable[[], unlike.Suite]) -> unlike.Suite | None:
    """Return what is made, or nothing where the type is refused by its name."""
    encoded = name.replace("Base64Url", "Encoded").replace("Base64", "Encoded")
    try:
        return make()
    except SpecError as error:
        if any(each in str(error) for each in (name, encoded, "open type variable")):
            return None
        raise


def test_the_table_has_most_types() -> None:
    assert len(TYPES) > 60
    assert set(BROKEN) <= set(TYPES)


@pytest.mark.few(16)
@pytest.mark.filterwarnings("ignore::pydantic.PydanticDeprecatedSince20")  # of PaymentCardNumber
@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("cover", few_of(["each", "pairs", "all"], 1))
def test_what_is_made_is_taken(name: str, cover: str) -> None:
    suite = _made(name, lambda: unlike.generate(TYPES[name], 8, cover=cover))
    if suite is None:
        return
    assert len(suite)
    assert all(_takes(TYPES[name], case.value) for case in suite)


SLOW = {"Base64Str", "Base64UrlStr"}  # searched for seconds; Base64Bytes are there at once


@pytest.mark.few(12)
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.corpus if each in SLOW else ()) for each in TYPES]
)
def test_what_a_model_is_made_with_is_taken(name: str) -> None:
    model = create_model("Model", part=(TYPES[name], ...), parts=(list[TYPES[name]] | None, None))
    suite = _made(name, lambda: unlike.generate(model, 12))
    if suite is None:
        return
    assert len(suite) or suite.status.ending is Ending.UNKNOWN
    assert all(isinstance(case.value, model) for case in suite)


@pytest.mark.parametrize("name", TYPES)
def test_what_is_broken_is_refused(name: str) -> None:
    suite = _made(name, lambda: unlike.invalid(TYPES[name]))
    if suite is None:
        return
    assert not [case.value for case in suite if _takes(TYPES[name], case.value)]
    if name in BROKEN:
        assert f"value: {BROKEN[name]}" in [case.label for case in suite]


@pytest.mark.few(7)
@pytest.mark.parametrize("name", sorted({*BROKEN, "Base64Bytes", "Base64UrlStr"}))
def test_what_is_broken_in_a_model_is_refused(name: str) -> None:
    model = create_model("Model", part=(TYPES[name], ...))
    suite = unlike.invalid(model)
    assert not [case.value for case in suite if _takes(model, case.value)]
    labels = " ".join(case.label for case in suite)
    assert BROKEN.get(name, "part: not matching the pattern") in labels or "cannot break" in str(suite.status)


def test_a_rule_that_its_class_never_breaks_is_named() -> None:
    class Lax(BaseModel):
        part: Annotated[str, Field(max_length=3), pydantic.BeforeValidator(lambda text: str(text)[:3])]

    suite = unlike.invalid(Lax, in_process=True)
    assert "cannot break part: longer than the longest" in str(suite.status)


# -- patterns of another engine ------------------------------------------------------------------------------------

PATTERNS = [
    *(r"^[a-z]\w+$", r"^\w{2}$", r"\d", r"^\d{3}$", r"^\s?x$", r"(?i)^k{1,2}$", r"^\W$", r"^[^\w]{2}$", r"^\D\S$"),
    *(r"^a\b.$", r"^.$", r"(?s)^.$", r"^(?:a|\w)\z", r"x$", r"^[\w-]+@\w+$", r"^\w+\s\d$"),
]


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", few_of(range(3), 1))
@pytest.mark.parametrize("pattern", few_of(PATTERNS, 6))
def test_nothing_leaves_that_its_model_refuses(pattern: str, seed: int) -> None:
    model = create_model("Model", name=(Annotated[str, Field(pattern=pattern)], ...), flag=(bool, ...))
    asked: list[dict[str, Any]] = [{"different": unlike.differs_by("name")}, {"cover": "pairs"}, {"cover": "all"}]
    asked += [{"where": lambda flag: flag}]
    for keywords in asked:
        suite = unlike.generate(model, 40, seed=seed, timeout=20, **keywords)
        assert len(suite)
        assert all(isinstance(case.value, model) for case in suite)


@pytest.mark.few(6)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_texts_under_a_pattern_of_pydantic_are_taken(pattern: str) -> None:
    annotation = Annotated[str, Field(pattern=pattern)]
    suite = unlike.generate(annotation, 60, timeout=20)
    assert len(suite)
    assert all(_takes(annotation, case.value) for case in suite)


# -- who checks what -----------------------------------------------------------------------------------------------


def test_a_class_that_is_not_pydantics_checks_nothing_for_it() -> None:
    plain = dataclasses.make_dataclass("Plain", [("part", FilePath)])
    of_attrs = attrs.make_class("OfAttrs", {"part": attrs.field(type=Base64Bytes)})
    around = create_model("Around", __config__={"arbitrary_types_allowed": True}, inner=(plain, ...))
    for cls, name in ((plain, "FilePath"), (of_attrs, "EncodedBytes"), (around, "FilePath")):
        with pytest.raises(SpecError, match=name):
            unlike.generate(cls)


def test_what_only_a_model_makes_of_a_text_is_an_object_elsewhere() -> None:
    of_attrs = attrs.make_class("OfAttrs", {"part": attrs.field(type=HttpUrl)})
    assert all(isinstance(case.value.part, HttpUrl) for case in unlike.generate(of_attrs, 4))


def test_a_file_that_need_not_be_given_is_left_out() -> None:
    with pytest.raises(SpecError, match="FilePath"):
        unlike.generate(create_model("Model", file=(FilePath, ...)))
    suite = unlike.generate(create_model("Model", size=(int, ...), file=(FilePath, "x")))
    assert len(suite)
    assert "file is left out: no FilePath can be made" in suite.guarantee


@pytest.mark.filterwarnings("ignore::pydantic.PydanticDeprecatedSince20")  # Color has moved to another package
def test_types_that_stand_elsewhere_are_taken_alone_and_in_a_model() -> None:
    for annotation in (importlib.import_module("pydantic.color").Color, pathlib.PurePath):
        model: Any = create_model("Holding", held=(annotation, ...))

        alone, held = unlike.generate(annotation, 3).values, unlike.generate(model, 3).values

        assert len(alone) == len(held) == 3
        assert [TypeAdapter(annotation).validate_python(each) for each in alone] == alone
        assert [model.model_validate(each.model_dump()) for each in held] == held
