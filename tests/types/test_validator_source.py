"""Values that validators mention in their source are found, whatever library the class is of."""

import importlib.util
import itertools
import textwrap

import pytest

from unlike import generate

# what a validator demands of a text or a number, and the annotation of the field
DEMANDS = {
    "begins": ("str", "value.startswith(('/etc/', '/run/'))"),
    "ends": ("str", "value.endswith('.pem')"),
    "begins and ends": ("str", "value.startswith('ORD-') and value.endswith('/X')"),
    "contains": ("str", "'::' in value"),
    "counted": ("str", "value.count('@@') == 1"),
    "listed": ("str", "value in ALLOWED"),
    "equal": ("str", "value == 'exactly this'"),
    "sliced": ("str", "value[:3] == 'ab#'"),
    "any of": ("str", "any(each in value for each in MARKS)"),
    "long": ("str", "len(value) == 37"),
    "matches": ("str", "re.match(r'[A-Z]{3}-[0-9]{4}', value) is not None"),
    "compiled": ("str", "CODE.fullmatch(value) is not None"),
    "number": ("int", "value == 48_611 or value in PORTS"),
    "above": ("int", "400_000 < value < 400_003"),
    "multiple": ("int", "value and value % 104_729 == 0"),
    "part": ("float", "value == 0.377"),
}
HEAD = """
import re
from dataclasses import dataclass
from typing import Annotated
import attrs, pydantic

ALLOWED = frozenset({"north-by-northwest", "far from home"})
MARKS = ("<<", ">>")
CODE = re.compile("[0-9]{2}:[0-9]{2}:x")
PORTS = {31_337: "elite"}
"""
WRITTEN = {
    "pydantic": """
        class Subject(pydantic.BaseModel):
            other: bool
            field: {annotation}
            @pydantic.field_validator("field")
            @classmethod
            def check(cls, value):
                if not ({demand}):
                    raise ValueError("another one")
                return value
    """,
    "model": """
        class Subject(pydantic.BaseModel):
            other: bool
            field: {annotation}
            @pydantic.model_validator(mode="after")
            def check(self):
                value = self.field
                if not ({demand}):
                    raise ValueError("another one")
                return self
    """,
    "annotated": """
        def check(value):
            if not ({demand}):
                raise ValueError("another one")
            return value
        class Subject(pydantic.BaseModel):
            other: bool
            field: Annotated[{annotation}, pydantic.AfterValidator(check)]
    """,
    "attrs": """
        @attrs.define
        class Subject:
            other: bool
            field: {annotation} = attrs.field()
            @field.validator
            def check(self, attribute, value):
                if not ({demand}):
                    raise ValueError("another one")
    """,
    "dataclass": """
        @dataclass
        class Subject:
            other: bool
            field: {annotation}
            def __post_init__(self):
                value = self.field
                if not ({demand}):
                    raise ValueError("another one")
    """,
}


def make_class(folder, written, annotation, demand):
    file = folder / "subject_of_test.py"
    file.write_text(HEAD + textwrap.dedent(WRITTEN[written]).format(annotation=annotation, demand=demand))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("demand", "written"),
    [pair for number, pair in enumerate(itertools.product(DEMANDS, WRITTEN)) if number % 3 == 0],
)
def test_what_a_validator_mentions_is_tried(demand, written, tmp_path):
    annotation, condition = DEMANDS[demand]
    module = make_class(tmp_path, written, annotation, condition)

    suite = generate(module.Subject, 2)

    assert len(suite) == 2
    assert {each.other for each in suite.values} == {False, True}
    assert all(eval(condition, {**vars(module), "value": each.field}) for each in suite.values)
