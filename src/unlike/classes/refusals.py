"""From an exception, the call that raised it and what is written about the code: was it refused, or is it an error.

A refusal is something that somebody decided: the method says no. An exception that is announced (by a docstring, or as
a type of the package's own) counts wherever the package raises it, and so does a complaint about a value that was
passed only because nobody said what to pass.
"""

from __future__ import annotations

import contextlib
import dis
import functools
import inspect
import os
import re
import sys
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from unlike.classes.api import Operation, Template
from unlike.classes.own_arguments import (
    is_about_closed,
    is_about_count,
    is_about_text,
    is_asserted,
    is_missing_by_protocol,
    is_of_other_shape,
    parts_inside,
    passed_values,
)
from unlike.classes.public import ATTRIBUTES
from unlike.core import StateMatching
from unlike.foreign import bases_of, is_of, name_of_class, package_of, text_of, trace_of

PACKAGE = f"{Path(__file__).parent.parent}{os.sep}"  # where unlike lies
RAISE = bytes([dis.opmap["RAISE_VARARGS"]])  # a `raise` statement, as compiled
TOO_GENERAL = (object, BaseException, Exception)  # a text that names these announces nothing in particular
DENIED = re.compile(  # "does not raise a KeyError", "instead of raising KeyError"
    r"(n.t|\b(not|never|no|without|instead\s+of|rather\s+than|avoid\w*|suppress\w*|ignor\w*))"
    r"(\s+(rais\w*|throw\w*))?(\s+(an?|the|any))?[\s:`~.]*$",
    re.IGNORECASE,
)
BEFORE = 60  # characters before the name of an exception in which it may be denied
UNTOLD: tuple[object, ...] = (inspect.Parameter.empty, Any, object, "Any", "object", "typing.Any")  # by annotations


def is_own_code(code: types.CodeType) -> bool:
    """Tell whether code is part of unlike: its frames lie around those of the code under test, and are none of them."""
    return code.co_filename.startswith(PACKAGE)


def is_refusal(error: BaseException, template: Template, receiver: object, states: StateMatching) -> bool:
    """Tell whether the exception says that the call was not allowed; whatever is asked of it may raise or exit."""
    try:
        return _is_refusal(error, template, receiver, states)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return False


def _is_refusal(error: BaseException, template: Template, receiver: object, states: StateMatching) -> bool:
    """Tell whether the exception says that the call was not allowed.

    One of the usual classes must come from the method itself: raised in its own frame (or that of the method of the
    same name it extends), or by a `raise` statement anywhere in the same package. What is announced, or was named by
    whoever asks, may also merely happen there. Any other exception that merely happens further down is an error.
    """
    operation, is_usual = template.operation, is_of(error, states.refusals)
    if operation.name in ATTRIBUTES and is_of(error, AttributeError):
        return True  # that there is no such attribute, or none that may be set
    if not is_usual and not states.hears_announced:
        return False
    last, frames, only_method = _last_frame(error, operation.name)
    if is_usual and (last is None or frames == 1 or only_method):
        return True  # the method's own frame, or a method in C that has none
    cls: type = type(receiver)
    kind: Any = type(error)
    packages = _packages_of(operation, cls)
    inside = last is None or _top(last.tb_frame.f_globals.get("__name__", "")) in packages
    if is_usual and inside and last is not None:
        frame, at = last.tb_frame, last.tb_lasti  # the instruction at which it was left
        if frame.f_code.co_code[at : at + 1] == RAISE or is_of(error, states.named):
            return True
    if not states.hears_announced:
        return False
    if is_of(error, NotImplementedError) or (inside and is_announced(kind, operation, cls)):
        return True
    if (inside and is_missing_by_protocol(error, template)) or is_about_closed(error, receiver):
        return True
    return is_about_values(error, template, last)


def is_about_values(error: BaseException, template: Template, last: types.TracebackType | None) -> bool:
    """Tell whether one of the values that were passed caused an exception, as far as that can be known."""
    guessed = guessed_values(template)
    return (
        is_caused_by(error, guessed)
        or is_of_other_shape(error, guessed)
        or is_about_count(error, template)
        or is_asserted(error, template, last)
        or is_about_text(error, passed_values(template), last)
    )


def _last_frame(error: BaseException, name: str) -> tuple[types.TracebackType | None, int, bool]:
    """Return the innermost frame of foreign code, how many there are, and whether all have this name."""
    trace, last = trace_of(error), None
    frames, only_method = 0, True
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith(PACKAGE):  # not our own code; every exception comes by here
            last, frames = trace, frames + 1
            only_method = only_method and code.co_name == name
        trace = trace.tb_next
    return last, frames, only_method


def _top(module: object) -> str:
    return str(module).partition(".")[0]


@functools.lru_cache(maxsize=1024)
def _packages_of(operation: Operation, cls: type) -> frozenset[str]:
    """Return the packages whose code is "the same code": those of the function and of the object's classes."""
    classes = {*cls.__mro__, *(() if operation.owner is None else operation.owner.__mro__)}
    written = [member for each in classes for member in vars(each).values() if inspect.isfunction(member)]
    said = map(package_of, [*classes, *written, operation.function])  # imported from one, written in another
    return frozenset(said) - {"builtins", ""}


# -- what is announced ---------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def is_announced(error: Any, operation: Operation, cls: type) -> bool:
    """Tell whether an exception is a type of the package's own, or named by what is written about method or class."""
    packages = _packages_of(operation, cls)
    for base in bases_of(error):
        if base in TOO_GENERAL:
            continue
        if package_of(base) in packages or any(names(text, name_of_class(base)) for text in _texts(operation, cls)):
            return True
    return False


def names(text: str, exception: str) -> bool:
    """Tell whether a text says that an exception may be raised: it names it, and does not say that it is not."""
    return any(
        not DENIED.search(text[max(0, found.start() - BEFORE) : found.start()])
        for found in re.finditer(rf"\b{re.escape(exception)}\b", text)
    )


@functools.lru_cache(maxsize=1024)
def _texts(operation: Operation, cls: type) -> tuple[str, ...]:
    """Return what is written about a method, its class, and the modules these stand in."""
    classes = [base for base in (*cls.__mro__, *(operation.owner or object).__mro__) if base is not object]
    methods = [operation.function, *(vars(base).get(operation.name) for base in classes)]
    modules = [sys.modules.get(base.__module__) for base in classes if base.__module__ != "builtins"]
    found: dict[str, None] = {}
    for each in (*methods, *classes, *modules):
        with contextlib.suppress(Exception):  # an object of the user's may answer anything
            text = getattr(each, "__doc__", None)
            if isinstance(text, str):
                found[text] = None
    return tuple(found)


# -- what our own value caused -------------------------------------------------------------------------


def guessed_values(template: Template) -> tuple[object, ...]:
    """Return the arguments that were passed without a word on what the parameter takes, and what they hold."""
    by_place, by_name = _untold_parameters(template.operation)
    last = len(by_place) - 1
    values = [value for place, value in enumerate(template.args) if by_place[min(place, last)]]
    values += [value for name, value in template.kwargs if name in by_name]
    return tuple(part for value in values for part in parts_inside(value))


@functools.lru_cache(maxsize=1024)
def _untold_parameters(operation: Operation) -> tuple[tuple[bool, ...], frozenset[str]]:
    """Return which places, and which names, no annotation tells the type of; the last place stands for all further."""
    try:
        parameters = list(inspect.signature(operation.function).parameters.values())  # type: ignore[arg-type]
    except (ValueError, TypeError):
        return (True,), frozenset()
    if operation.has_receiver and not isinstance(operation.function, types.MethodType):
        parameters = parameters[1:]
    untold = {each.name: is_untold(each.annotation) for each in parameters}
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    places = [untold[each.name] for each in parameters if each.kind in by_place]
    star = [untold[each.name] for each in parameters if each.kind is inspect.Parameter.VAR_POSITIONAL]
    return (*places, *(star or [True])), frozenset(name for name, is_open in untold.items() if is_open)


@functools.lru_cache(maxsize=1024)
def leaves_none(operation: Operation) -> bool:
    """Tell whether a parameter that says nothing of its type may be left out and is None then."""
    _, names_untold = _untold_parameters(operation)
    return any(each.optional and each.default is None and each.name in names_untold for each in operation.parameters)


def is_untold(annotation: object) -> bool:
    """Tell whether an annotation leaves open what may be passed."""
    return any(annotation is each for each in UNTOLD[:3]) or (
        annotation in UNTOLD[3:] if isinstance(annotation, str) else isinstance(annotation, TypeVar)
    )


def is_caused_by(error: BaseException, values: Iterable[object]) -> bool:
    """Tell whether one of these values caused an exception: it lacks an attribute, or is of a type that is refused."""
    if is_of(error, AttributeError):
        lacking = getattr(error, "obj", None)
        return any(type(each) is type(lacking) and _is_same(each, lacking) for each in values)
    if not is_of(error, TypeError):
        return False
    message = text_of(error)
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", message) for word in set(map(_type_word, values)))


def _is_same(one: object, other: object) -> bool:
    with contextlib.suppress(Exception):
        return one is other or bool(one == other)
    return False


def _type_word(value: object) -> str:
    return "NoneType" if value is None else type(value).__name__
