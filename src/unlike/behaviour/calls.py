"""The code that is looked at, and how an input is passed to it.

Blanks go to the parameters of their names; a single value goes to the only required parameter. The parts of an object
of JSON go by name where a function takes several: of a request the parts (`path`, `body`) and the parameters in them.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.errors import SpecError
from unlike.observe.run import CodeCall
from unlike.recipe import Argument, Items, Name, Recipe, run

Parts = Mapping[str, tuple[str, ...]]  # of an object of JSON, by the parameter they may go to: the keys to each
NO_PARTS: Parts = {}
REMEDY = "say what is to be called: code=lambda {}: …"


@dataclass(frozen=True, slots=True)
class PassedPart:
    """A parameter, the keys that lead to what it is given, and whether None is where nothing stands there."""

    parameter: str
    keys: tuple[str, ...]
    required: bool


@dataclass(frozen=True, slots=True)
class PassedInput:
    """A function, and the names of the blanks that it takes; without names it takes an input as it is."""

    function: Callable[..., Any]
    blanks: tuple[str, ...] = ()
    by_name: bool = True  # the only blank may go to a parameter of another name
    parts: tuple[PassedPart, ...] = ()  # of an object of JSON

    def call(self, recipe: Recipe) -> CodeCall:
        """Return the call with an input, which is built afresh."""
        value: Any = run(self.keywords(recipe) if self.parts else recipe)
        if self.parts:
            return CodeCall(self.function, (), value)
        if not self.blanks:
            return CodeCall(self.function, (value,))
        if not self.by_name:
            return CodeCall(self.function, (value[self.blanks[0]],))
        return CodeCall(self.function, (), {name: value[name] for name in self.blanks})

    def keywords(self, recipe: Recipe) -> Recipe:
        """Return how the keywords are built that the parts of an input are."""
        found: list[Argument] = []
        for each in self.parts:
            inner: Argument = recipe.result
            for key in each.keys:
                inner = _entry(inner, key)
            if inner is not ABSENT or each.required:
                found += [each.parameter, None if inner is ABSENT else inner]
        return Recipe(recipe.steps, Items("dict", tuple(found)))


ABSENT = Name("", "absent")


def _entry(argument: Argument, key: str) -> Argument:
    if not isinstance(argument, Items) or argument.kind != "dict":
        return ABSENT
    return dict(zip(argument.items[::2], argument.items[1::2], strict=True)).get(key, ABSENT)


def calls_with(passed: Sequence[PassedInput], recipe: Recipe) -> list[CodeCall]:
    """Return the calls of every function with an input; each has one of its own."""
    return [each.call(recipe) for each in passed]


def passed_inputs(code: object, blanks: Sequence[str], parts: Parts = NO_PARTS) -> list[PassedInput]:
    """Return how inputs with these blanks, or without any, go to the functions that are named.

    Of a module these are its public functions that can take an input; a function that is named has to.
    """
    found: list[PassedInput] = []
    for each in _list_code(code):
        if isinstance(each, types.ModuleType):
            taken, refused = _in_module(each, blanks, parts)
            if not taken:
                why = f": {next(iter(refused.values()))}" if refused else ", it has none"
                raise SpecError(f"no public function of {each.__name__} can take the inputs{why}")
            found += taken
        elif not callable(each):
            raise SpecError(f"code={each!r} is neither a function nor a module; give what the inputs are for")
        else:
            found.append(_pass_to(each, blanks, parts))
    if not found:
        raise SpecError(f"code={code!r}: no function is named; give at least one")
    return found


def functions_left_out(code: object, blanks: Sequence[str], parts: Parts = NO_PARTS) -> Iterator[str]:
    """Yield in words the public functions of modules that cannot take an input, with the reason."""
    for each in _list_code(code):
        if isinstance(each, types.ModuleType):
            for name, why in _in_module(each, blanks, parts)[1].items():
                yield f"{each.__name__}.{name} is not called: {why.partition(';')[0]}"


def _list_code(code: object) -> Iterable[object]:
    return code if isinstance(code, Sequence) and not isinstance(code, str) else [code]


def _in_module(
    module: types.ModuleType, blanks: Sequence[str], parts: Parts
) -> tuple[list[PassedInput], dict[str, str]]:
    """Return the public functions of a module that can take an input, and why others cannot."""
    found, refused = [], {}
    for name, each in sorted(vars(module).items()):
        if name.startswith("_") or not inspect.isroutine(each) or getattr(each, "__module__", "") != module.__name__:
            continue
        try:
            found.append(_pass_to(each, blanks, parts))
        except SpecError as error:
            refused[name] = str(error)
    return found, refused


def _pass_to(function: Callable[..., Any], blanks: Sequence[str], parts: Parts) -> PassedInput:
    """Return how an input is passed to a function, or refuse with the remedy."""
    name = getattr(function, "__qualname__", type(function).__qualname__)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except Exception:  # written in C, and says nothing of itself; or an object that answers as it likes
        if len(blanks) > 1:
            words = f"{name} does not say which parameters it has"
            raise SpecError(f"{words}; {REMEDY.format(', '.join(blanks))}") from None
        return _pass_single(function, blanks)
    if hasattr(function, "dispatch") and hasattr(function, "registry"):  # singledispatch looks at the first place
        if len(blanks) < 2:
            return _pass_single(function, blanks)
        raise SpecError(f"{name} takes its first argument by place alone; {REMEDY.format(', '.join(blanks))}")
    by_name = [each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    any_name = any(each.kind is each.VAR_KEYWORD for each in parameters)
    required = [each for each in parameters if each.default is each.empty and each.kind not in _STARRED]
    names = {each.name for each in by_name}
    if blanks and (any_name or set(blanks) <= names) and {each.name for each in required} <= set(blanks):
        return PassedInput(function, tuple(blanks))
    mine = [each for each in by_name if each.name in parts]
    if mine and required and {each.name for each in required} <= {each.name for each in mine}:
        given = [PassedPart(each.name, parts[each.name], each in required) for each in mine]
        return PassedInput(function, parts=tuple(given))
    places = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    only = required or places[:1] or [each for each in parameters if each.kind is each.VAR_POSITIONAL]
    if len(blanks) < 2 and len(only) == 1 and only[0].kind is not inspect.Parameter.KEYWORD_ONLY:
        return _pass_single(function, blanks)
    has = f"{name} takes {', '.join(map(str, parameters)) or 'nothing'}"
    given_by = f"the blanks are {', '.join(blanks)}" if blanks else "an input is a single value"
    given_by = f"an input has {', '.join(parts)}" if parts else given_by
    raise SpecError(f"{has}, but {given_by}; {REMEDY.format(', '.join(blanks) or 'value')}")


_STARRED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _pass_single(function: Callable[..., Any], blanks: Sequence[str]) -> PassedInput:
    return PassedInput(function, tuple(blanks), by_name=False)
