"""Random small functions of one argument that holds others: conditions about its parts, and what defeats a proof.

The argument is a dataclass of several kinds, a named tuple, a dict, a tuple, a pydantic model, or holds another one. It
may be changed by an assignment, an alias, a method, a function that it is given to; and a class may change what it was
given: in `__post_init__`, `__setattr__`, a property, a validator.
"""

from __future__ import annotations

import ast
import random
from dataclasses import dataclass

from tests.behaviour.random_guards import HEAD, RandomFunction, indent, text_of

FIELDS = {
    "a": "Annotated[int, Ge(0), Le(4)]",
    "b": "Annotated[int, Ge(-1), Le(3)]",
    "s": "Annotated[str, Matching('[ab]{0,2}')]",
    "t": "bool",
    "k": "Literal['x', 'y', 'z']",
}
IMPORTS = """
import dataclasses
from typing import Annotated, Literal, NamedTuple, TypedDict
import pydantic
from annotated_types import Ge, Le
from unlike import Matching
"""
DECLARED = "\n".join(f"    {name}: {annotation}" for name, annotation in FIELDS.items())
DEFAULTED = "\n".join(
    f"    {name}: {annotation} = {default}"
    for (name, annotation), default in zip(FIELDS.items(), (9, 0, "''", None, "'w'"), strict=True)
)
BUMP = "\n\n    def bump(self):\n        self.a = 4 - self.a\n        return self\n"
POST = "\n\n    def __post_init__(self):\n        self.a = self.a + 1\n"
REGISTERED = "\n\n    def __post_init__(self):\n        SEEN.append(self)\n"
SETATTR = "\n\n    def __setattr__(self, name, value):\n        object.__setattr__(self, name, value + 1 if name == 'a' else value)\n"
PROPERTY = "\n\n    @property\n    def late(self):\n        self.b = 3\n        return 1\n"
COMPUTED = "\n\n    def __getattribute__(self, name):\n        return 7 if name == 'a' else object.__getattribute__(self, name)\n"
VALIDATOR = (
    "\n\n    @pydantic.field_validator('a')\n    @classmethod\n    def more(cls, value):\n        return value + 1\n"
)
EQUAL = "\n\n    def __eq__(self, other):\n        return True\n    __hash__ = None\n"
KINDS = {
    "dataclass": f"@dataclasses.dataclass\nclass P:\n{DECLARED}{BUMP}",
    "frozen": f"@dataclasses.dataclass(frozen=True)\nclass P:\n{DECLARED}",
    "slots": f"@dataclasses.dataclass(slots=True)\nclass P:\n{DECLARED}",
    "equal": f"@dataclasses.dataclass(eq=False)\nclass P:\n{DECLARED}{EQUAL}",
    "default": f"@dataclasses.dataclass\nclass P:\n{DEFAULTED}{BUMP}",
    "named tuple": f"class P(NamedTuple):\n{DECLARED}",
    "dict": f"class P(TypedDict):\n{DECLARED}",
    "model": f"class P(pydantic.BaseModel):\n{DECLARED}{BUMP}",
    "holds another": f"@dataclasses.dataclass\nclass Q:\n{DECLARED}{BUMP}\n@dataclasses.dataclass\nclass P:\n    q: Q\n    n: int = 3\n",
    "post init": f"@dataclasses.dataclass\nclass P:\n{DECLARED}{POST}",
    "registered": f"@dataclasses.dataclass\nclass P:\n{DECLARED}{REGISTERED}",
    "sets otherwise": f"@dataclasses.dataclass\nclass P:\n{DECLARED}{SETATTR}",
    "property": f"@dataclasses.dataclass\nclass P:\n{DECLARED}{PROPERTY}",
    "computed": f"@dataclasses.dataclass\nclass P:\n{DECLARED}{COMPUTED}",
    "validator": f"class P(pydantic.BaseModel):\n{DECLARED}{VALIDATOR}",
}
OUTSIDE = """
def change(p):
    try:
        p.a = 4
    except Exception:
        pass
    try:
        p["b"] = 3
    except Exception:
        pass
    try:
        p.q.s = "ba"
    except Exception:
        pass

def change_known():
    for each in SEEN:
        each.b = -1


SEEN = []
"""
DEFEATS = {
    "nothing": "pass",
    "assigned": "p = p",
    "part assigned": "{a} = 3",
    "part added to": "{a} += 1",
    "alias": "other = p\nchange(other)",
    "given away": "change(p)",
    "method": "getattr(p, 'bump', int)()",
    "own method": "p.bump()",
    "property": "p.late",
    "known elsewhere": "change_known()",
    "inner given away": "change(p.q)",
    "updated": "p.update(b=2)",
    "in a list": "[change(each) for each in [p]]",
    "captured": "def inside():\n    change(p)\ninside()",
    "looked at": "done = len(p) if isinstance(p, (dict, tuple)) else 0",
    "other part": "done = {t}",
}


@dataclass
class RandomParts:
    kind: str
    defeat: str
    kinds: list[str]
    text: str


class Access(ast.NodeTransformer):
    """Puts the part of the argument in place of each name."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.parse(access(self.kind, node.id), mode="eval").body if node.id in FIELDS else node


def access(kind: str, name: str) -> str:
    return f'p["{name}"]' if kind == "dict" else f"p.q.{name}" if kind == "holds another" else f"p.{name}"


def random_parts(seed: int) -> RandomParts:
    rng = random.Random(f"parts {seed}")
    made = RandomFunction(rng)
    kind, defeat = list(KINDS)[seed % len(KINDS)], "nothing" if seed % 2 else list(DEFEATS)[seed // 2 % len(DEFEATS)]
    lines = DEFEATS[defeat].replace("{a}", access(kind, "a")).replace("{t}", access(kind, "t")).splitlines()
    guarded = ["try:", *indent(lines), "except (AttributeError, TypeError, KeyError):", *indent(["pass"])]
    inside = [*made.block(), *(lines if defeat == "captured" else guarded), *made.block(), "return 0"]
    made.body = ["def subject(p):", *indent(inside)]
    made.conditions = [ast.unparse(Access(kind).visit(ast.parse(each, mode="eval"))) for each in made.conditions]
    text = "\n".join([IMPORTS, HEAD, OUTSIDE, KINDS[kind], text_of(made)])
    return RandomParts(kind, defeat, [*made.kinds, kind, defeat], text)
