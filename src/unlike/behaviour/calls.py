"""The code that is looked at, and how an input is passed to it.

Blanks go to the parameters of their names; a single value goes to the only required parameter.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.errors import SpecError
from unlike.observe.run import CodeCall
from unlike.recipe import Recipe, run

REMEDY = "say what is to be called: code=lambda {}: …"


@dataclass(frozen=True, slots=True)
class PassedInput:
    """A function, and the names of the blanks that it takes; without names it takes an input as it is."""

    function: Callable[..., Any]
    blanks: tuple[str, ...] = ()
    by_name: bool = True  # the only blank may go to a parameter of another name

    def call(self, recipe: Recipe) -> CodeCall:
        """Return the call with an input, which is built afresh."""
        value: Any = run(recipe)
        if not self.blanks:
            return CodeCall(self.function, (value,))
        if not self.by_name:
            return CodeCall(self.function, (value[self.blanks[0]],))
        return CodeCall(self.function, (), {name: value[name] for name in self.blanks})


def calls_with(passed: Sequence[PassedInput], recipe: Recipe) -> list[CodeCall]:
    """Return the calls of every function with an input; each has one of its own."""
    return [each.call(recipe) for each in passed]


def passed_inputs(code: object, blanks: Sequence[str]) -> list[PassedInput]:
    """Return how inputs with these blanks, or without any, go to the functions that are named.

    Of a module these are its public functions that can take an input; a function that is named has to.
    """
    found: list[PassedInput] = []
    for each in _list_code(code):
        if isinstance(each, types.ModuleType):
            found += _in_module(each, blanks)
        elif not callable(each):
            raise SpecError(f"code={each!r} is neither a function nor a module; give what the inputs are for")
        else:
            found.append(_pass_to(each, blanks))
    if not found:
        raise SpecError(f"code={code!r}: no function is named; give at least one")
    return found


def _list_code(code: object) -> Iterable[object]:
    return code if isinstance(code, Sequence) and not isinstance(code, str) else [code]


def _in_module(module: types.ModuleType, blanks: Sequence[str]) -> list[PassedInput]:
    """Return the public functions of a module that can take an input."""
    found, refused = [], []
    for name, each in sorted(vars(module).items()):
        if name.startswith("_") or not inspect.isroutine(each) or getattr(each, "__module__", "") != module.__name__:
            continue
        try:
            found.append(_pass_to(each, blanks))
        except SpecError as error:
            refused.append(str(error))
    if not found:
        why = f": {refused[0]}" if refused else ", it has none"
        raise SpecError(f"no public function of {module.__name__} can take the inputs{why}")
    return found


def _pass_to(function: Callable[..., Any], blanks: Sequence[str]) -> PassedInput:
    """Return how an input is passed to a function, or refuse with the remedy."""
    name = getattr(function, "__qualname__", repr(function))
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # written in C, and says nothing of itself
        if len(blanks) > 1:
            words = f"{name} does not say which parameters it has"
            raise SpecError(f"{words}; {REMEDY.format(', '.join(blanks))}") from None
        return _pass_single(function, blanks)
    by_name = [each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    any_name = any(each.kind is each.VAR_KEYWORD for each in parameters)
    required = [each for each in parameters if each.default is each.empty and each.kind not in _STARRED]
    names = {each.name for each in by_name}
    if blanks and (any_name or set(blanks) <= names) and {each.name for each in required} <= set(blanks):
        return PassedInput(function, tuple(blanks))
    places = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    only = required or places[:1] or [each for each in parameters if each.kind is each.VAR_POSITIONAL]
    if len(blanks) < 2 and len(only) == 1 and only[0].kind is not inspect.Parameter.KEYWORD_ONLY:
        return _pass_single(function, blanks)
    has = f"{name} takes {', '.join(map(str, parameters)) or 'nothing'}"
    given = f"the blanks are {', '.join(blanks)}" if blanks else "an input is a single value"
    raise SpecError(f"{has}, but {given}; {REMEDY.format(', '.join(blanks) or 'value')}")


_STARRED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _pass_single(function: Callable[..., Any], blanks: Sequence[str]) -> PassedInput:
    return PassedInput(function, tuple(blanks), by_name=False)
