"""From an exception and the values that were passed: is it about one of them, as its own words or fields say.

A file that is not there, a codec that nobody knows, a text that does not parse, a key that is missing where Python says
that a missing key raises: whoever passes small values meets these, and nothing is wrong with the class.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import textwrap
import types
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from unlike.classes.api import Template
from unlike.foreign import is_of, package_of, text_of
from unlike.recipe import Method, Recipe

# what Python's own protocols announce, whoever writes the class
BY_PROTOCOL: dict[str, tuple[type[Exception], ...]] = {
    "__getitem__": (KeyError, IndexError),
    "__delitem__": (KeyError, IndexError),
    "__setitem__": (IndexError,),
    "__next__": (StopIteration,),
    "pop": (KeyError, IndexError),
    "popitem": (KeyError, IndexError),
    "popleft": (IndexError,),
    "remove": (KeyError, ValueError),
    "index": (ValueError,),
    **{
        f"__{sign}{name}__": (ArithmeticError,)
        for sign in ("", "i", "r")
        for name in ("truediv", "floordiv", "mod", "divmod", "pow")
    },
}
TEXTS = (str, bytes)
MOST_INSIDE = 20  # values looked at within one argument
WITH_PARTS = (str, bytes, list, tuple, dict, set, frozenset)
PLAIN = (type(None), bool, int, float, str, bytes)
SHAPE = re.compile(  # a value was taken apart that has other parts
    r"(not enough|too many) values to unpack|dictionary update sequence element|has length \d+; \d+ is required"
)
CLOSED = re.compile(r"\b(is|was|been|already|on|a) closed\b", re.IGNORECASE)
COUNT = re.compile(
    r"expected (at most |at least |exactly )?\d+ argument|takes .*\bargument|missing \d+ required [\w-]+ argument"
)


def passed_values(template: Template) -> tuple[object, ...]:
    """Return the values of a call, and what its plain containers hold."""
    values = (*template.args, *(value for _, value in template.kwargs))
    return tuple(part for value in values for part in parts_inside(value))


def texts_of(templates: Iterable[Template]) -> list[object]:
    """Return the texts that are passed, each once."""
    values = (value for each in templates for value in passed_values(each))
    return list(dict.fromkeys(each for each in values if isinstance(each, (str, bytes))))


def puts_into_itself(recipe: Recipe) -> bool:
    """Tell whether an object is passed to a method of its own, which may keep it."""
    return any(isinstance(step, Method) and step.passes_itself for step in recipe.steps)


def parts_inside(value: object) -> Iterator[object]:
    """Yield a value, and a few of those that a plain container of it holds."""
    yield value
    if type(value) in (list, tuple, set, frozenset, dict):
        held: Iterable[object] = value.items() if type(value) is dict else value  # type: ignore[assignment]
        for count, each in enumerate(held):
            if count >= MOST_INSIDE:
                return
            yield from parts_inside(each)


def is_missing_by_protocol(error: BaseException, template: Template) -> bool:
    """Tell whether Python's own protocol says that this method raises this where something is not there."""
    if not is_of(error, BY_PROTOCOL.get(template.operation.name, ())):
        return False
    values = passed_values(template)
    return not values or not is_of(error, KeyError) or is_missing_key(error, values)


def is_missing_key(error: BaseException, values: Iterable[object]) -> bool:
    """Tell whether a key is missing that was passed."""
    return is_of(error, KeyError) and len(error.args) == 1 and any(_is_equal(error.args[0], v) for v in values)


def is_about_text(error: BaseException, values: Iterable[object], trace: types.TracebackType | None) -> bool:
    """Tell whether an exception is about a text among the values: a file, a codec, something that does not parse."""
    texts = [each for each in values if type(each) in TEXTS or isinstance(each, PurePath)]
    if not texts:
        return False
    if is_of(error, OSError) and isinstance(error, OSError):
        return any(_is_equal(str(name), str(each)) for each in texts for name in (error.filename, error.filename2))
    if not is_of(error, (ValueError, LookupError)) or is_of(error, (KeyError, IndexError)):
        return False
    if any(_is_equal(getattr(error, name, None), each) for name in ("doc", "object") for each in texts):
        return True
    return quotes(text_of(error), texts) or _is_of_its_own(error, trace)


def quotes(message: str, texts: Iterable[object]) -> bool:
    """Tell whether a message shows one of the texts: in quotes, or at its end after a colon."""
    return any(repr(each) in message or f'"{each}"' in message or message.endswith(f": {each}") for each in texts)


def _is_of_its_own(error: BaseException, trace: types.TracebackType | None) -> bool:
    """Tell whether a parser says no: a type of exception that the module which raised it brings with it."""
    home = package_of(type(error))
    raised = "" if trace is None else str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
    return home != "builtins" and home == raised


def is_of_other_shape(error: BaseException, values: Iterable[object]) -> bool:
    """Tell whether a value was taken apart that has not the parts which are wanted."""
    if not is_of(error, (ValueError, TypeError)) or not any(type(each) in WITH_PARTS for each in values):
        return False
    return bool(SHAPE.search(text_of(error)))


def is_asserted(error: BaseException, template: Template, trace: types.TracebackType | None) -> bool:
    """Tell whether something is asserted of arguments alone (`assert count >= 1`): by the method, or further down.

    Further down it is about a value that was passed where that is handed on as it is.
    """
    if not is_of(error, AssertionError) or trace is None:
        return False
    frame, names = trace.tb_frame, (template.operation.name, "__new__")
    mentioned = _assertions_on_arguments(frame.f_code).get(trace.tb_lineno, ())
    if frame.f_code.co_name in names:
        return bool(mentioned)
    passed = passed_values(template)
    return any(_is_equal(frame.f_locals.get(each), value) for each in mentioned for value in passed)


def is_about_closed(error: BaseException, receiver: object) -> bool:
    """Tell whether an object that can be closed says that it, or what it writes to, is closed."""
    can_be_closed = any(hasattr(type(receiver), name) for name in ("close", "__exit__"))
    return can_be_closed and is_of(error, (ValueError, RuntimeError)) and bool(CLOSED.search(text_of(error)))


@functools.lru_cache(maxsize=1024)
def _assertions_on_arguments(code: types.CodeType) -> dict[int, tuple[str, ...]]:
    """Return the lines of the assertions in a function that speak of its parameters alone, and of which."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    names = [*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], ""]
    is_method = "." in code.co_qualname.rpartition("<locals>.")[2]
    owner, parameters = (names[0], names[1:]) if is_method else ("", names)
    lines: dict[int, tuple[str, ...]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            mentioned = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
            named = tuple(each for each in parameters if each in mentioned)
            if owner not in mentioned and named:
                first = code.co_firstlineno - 1
                lines |= dict.fromkeys(range(first + node.lineno, first + (node.end_lineno or node.lineno) + 1), named)
    return lines


def is_about_count(error: BaseException, template: Template) -> bool:
    """Tell whether more or fewer arguments are wanted, where the call takes any number of them."""
    stars = any(each.star for each in template.operation.parameters)
    return stars and is_of(error, TypeError) and bool(COUNT.search(text_of(error)))


def _is_equal(one: object, other: object) -> bool:
    """Tell whether two values are the same; only plain ones are asked, others may be open, or do anything."""
    return one is other or (type(one) is type(other) and type(one) in PLAIN and one == other)
