"""From a recipe to Python source that a person would write.

A recipe without steps is one expression. Otherwise each result that is used again gets a name, and the
last line gives the input.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from unlike.errors import RecipeError
from unlike.recipe import (
    Argument,
    BareInstance,
    Call,
    Given,
    Items,
    Method,
    Name,
    Recipe,
    Ref,
    Step,
    Store,
    arguments_of,
    display,
    leaves_of,
    write_plain,
)

WIDEST = 112  # characters of an assertion: in a test it is indented
SIGNS = (
    *(("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"), ("pow", "**")),
    *(("matmul", "@"), ("or", "|"), ("and", "&"), ("xor", "^"), ("lshift", "<<"), ("rshift", ">>")),
)
IN_PLACE = {f"__i{name}__": f"{{0}} {sign}= {{1}}" for name, sign in SIGNS}
OPERATORS = {
    "__setitem__": "{0}[{1}] = {2}",
    "__delitem__": "del {0}[{1}]",
    "__getitem__": "{0}[{1}]",
    "__contains__": "{1} in {0}",
    **IN_PLACE,
    **{f"__{name}__": f"{{0}} {sign} {{1}}" for name, sign in SIGNS},
    "__neg__": "-{0}",
    "__pos__": "+{0}",
    "__invert__": "~{0}",
    "__len__": "len({0})",
    "__iter__": "iter({0})",
    "__next__": "next({0})",
    **{f"__{name}__": f"{name}({{0}})" for name in ("repr", "str", "hash")},
    **{
        f"__{name}__": f"{{0}} {sign} {{1}}"
        for name, sign in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    },
}


def is_operator(step: Method) -> bool:
    """Say whether a call can be written as an operator: `__sub__(self, *others)` takes any number of arguments."""
    written = OPERATORS.get(step.name)
    return written is not None and not step.kwargs and written.count("{") == 1 + len(step.args)


@dataclass(slots=True)
class SourceLines:
    """Python lines and the imports they need."""

    lines: list[str]
    result: str
    imports: set[str] = field(default_factory=set)


def source_of(recipe: Recipe, *, variable: str = "x", in_place: bool = True) -> SourceLines:
    """Return Python source that builds the recipe's input.

    Classes are imported by name (`from shop import Item`). `x += y` is written only `in_place`: where it leaves x the
    object it was.

    >>> made = Recipe((Call(Name("collections", "Counter")), Method(Ref(0), "update", ("aab",))), Ref(0))
    >>> source_of(made)
    SourceLines(lines=['x = Counter()', "x.update('aab')"], result='x', imports={'from collections import Counter'})
    """
    writer = _Writer(recipe, variable, in_place)
    lines = [writer.statement(index) for index in range(len(recipe.steps))]
    return SourceLines([line for line in lines if line], writer.text(recipe.result), writer.imports)


class _Writer:
    def __init__(self, recipe: Recipe, variable: str, in_place: bool) -> None:
        self.recipe = recipe
        self.variable = variable
        self.in_place = in_place
        self.imports: set[str] = set()
        self.uses = _count_uses(recipe)
        self.names = self._variables()

    def _variables(self) -> dict[int, str]:
        """Name the results that need a name: changed later, or used more than once."""
        changed = {step.receiver.step for step in self.recipe.steps if isinstance(step, Method)}
        changed |= {step.target.step for step in self.recipe.steps if isinstance(step, Store)}
        wanted = sorted(
            index
            for index in range(len(self.recipe.steps))
            if index in changed or self.uses.get(index, 0) > 1 or isinstance(self.recipe.steps[index], Method)
        )
        wanted = [index for index in wanted if self.uses.get(index, 0) or index in changed]
        if len(wanted) == 1:
            return {wanted[0]: self.variable}
        return {index: f"{self.variable}{number}" for number, index in enumerate(wanted)}

    def statement(self, index: int) -> str:
        """Return the line of a step, or nothing if the step is written inside a later line."""
        step = self.recipe.steps[index]
        if isinstance(step, Store) and step.raw:
            return f"object.__setattr__({self.text(step.target)}, {step.name!r}, {self.text(step.value)})"
        if isinstance(step, Store):
            return f"{self.text(step.target)}.{step.name} = {self.text(step.value)}"
        text = self.expression(step)
        if isinstance(step, Method) and step.name in IN_PLACE and self.in_place and is_operator(step):
            name = self.names.get(index)
            return f"{text}; {name} = {self.text(step.receiver)}" if name else text
        if index in self.names:
            return f"{self.names[index]} = {text}"
        return text if isinstance(step, Method) or not self.uses.get(index) else ""

    def expression(self, step: Step) -> str:
        """Return the expression (or bare statement) of a step."""
        match step:
            case Call(function, args, kwargs):
                return f"{self.text(function)}({self.arguments(args, kwargs)})"
            case Method(receiver, "__getattribute__" | "__getattr__", (str(name),), ()) if name.isidentifier():
                return f"{self.text(receiver)}.{name}"
            case Method(receiver, name, args) if is_operator(step) and (self.in_place or name not in IN_PLACE):
                return OPERATORS[name].format(self.text(receiver), *map(self.text, args))
            case Method(receiver, "__setattr__", (str(name), value), ()) if name.isidentifier():
                return f"{self.text(receiver)}.{name} = {self.text(value)}"
            case Method(receiver, "__delattr__", (str(name),), ()) if name.isidentifier():
                return f"del {self.text(receiver)}.{name}"
            case Method(receiver, name, args, kwargs):
                return f"{self.text(receiver)}.{name}({self.arguments(args, kwargs)})"
            case BareInstance(cls):
                return f"{self.text(cls)}.__new__({self.text(cls)})"
            case Store(target, name, value):
                return f"setattr({self.text(target)}, {name!r}, {self.text(value)})"

    def arguments(self, args: tuple[Argument, ...], kwargs: tuple[tuple[str, Argument], ...]) -> str:
        """Return what stands between the parentheses of a call."""
        return ", ".join([*map(self.text, args), *(f"{key}={self.text(value)}" for key, value in kwargs)])

    def text(self, argument: Argument) -> str:
        """Return an argument as an expression."""
        match argument:
            case Ref(step):
                return self.names.get(step) or self.expression(self.recipe.steps[step])
            case Name(module, qualname):
                return self.name_with_import(module, qualname)
            case Items(kind, items):
                return display(kind, [self.text(item) for item in items])
            case float() if not math.isfinite(argument):
                return f"float({str(argument)!r})"
            case Given(value):
                raise RecipeError(
                    f"{value!r} cannot be written as Python source: it has no literal form and no importable name"
                )
            case _:
                return write_plain(argument)

    def name_with_import(self, module: str, qualname: str) -> str:
        """Return the name as the source may use it, and remember the import it needs."""
        if module == "builtins":
            return qualname
        self.imports.add(f"from {module} import {qualname.partition('.')[0]}")
        return qualname


def assertion(expression: str, value: str) -> str:
    """Return an assertion as a person would write it."""
    if value not in ("True", "False", "None"):
        return f"assert {expression} == {value}"
    compared = any(sign in expression for sign in (" in ", " == ", " != "))
    return f"assert ({expression}) is {value}" if compared else f"assert {expression} is {value}"


def together(seen: Sequence[tuple[str, str]]) -> list[str]:
    """Return assertions of all that was seen, as many of them on one line as it holds."""
    lines: list[str] = []
    waiting: list[tuple[str, str]] = []
    for each in seen:
        longer = _on_one_line([*waiting, each])
        if waiting and len(longer) > WIDEST:
            lines.append(_on_one_line(waiting))
            waiting = []
        waiting.append(each)
    return [*lines, *([_on_one_line(waiting)] if waiting else [])]


def _on_one_line(seen: Sequence[tuple[str, str]]) -> str:
    if len(seen) == 1:
        return assertion(*seen[0])
    return f"assert ({', '.join(each for each, _ in seen)}) == ({', '.join(value for _, value in seen)})"


def _count_uses(recipe: Recipe) -> dict[int, int]:
    every = (*(each for step in recipe.steps for each in arguments_of(step)), recipe.result)
    return Counter(each.step for each in leaves_of(every) if isinstance(each, Ref))
