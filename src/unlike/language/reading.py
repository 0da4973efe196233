"""A function of the user's, given terms in place of values: what it says of them, or that it is plain Python.

Python operators on terms build terms. But `is`, `isinstance`, `type` and `match` look at the term itself and decide at
once; so does a function that knows only real values, and raises. What such a function says cannot be had from terms:
it has to be run on finished values. `sys.setprofile` shows which code held a term, and its instructions whether it
looked at the term in such a way.
"""

from __future__ import annotations

import contextvars
import dis
import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from unlike.errors import EarlyError, NeedsValueError, SpecError, nearest
from unlike.language.expressions import Expr

DEEPEST = 90  # terms inside one another: what Python's own parser and every walk through a term can take
TOO_DEEP = (
    f"where=… holds a term with more than {DEEPEST} terms inside one another; give and_(…) and or_(…) all conditions "
    "at once, say a long sum in several blanks, or use predicate(function)"
)
DECIDING = ("isinstance", "issubclass", "type", "id", "callable")  # builtins that look at the term, not at the value
STRANGE = (TypeError, AttributeError, ValueError, LookupError)  # what a function raises that knows only real values
OF_TERMS = {  # what real values understand otherwise, without a word
    "UNARY_INVERT": "~ is for terms (in plain Python ~True is -2): write not",
    "weekday": ".weekday is for terms: write .weekday()",
}


@dataclass(frozen=True, slots=True)
class PlainPython:
    """What a function says cannot be had from terms: it is run on finished values."""

    why: str


def call_with_blanks(function: Callable[..., object], blanks: Mapping[str, Expr]) -> object:
    """Call the function with the blanks that its parameters name; refuse one that decides before they have values."""
    call, names = by_name(function, blanks)
    result = give_terms(call, [blanks[name] for name in names])
    if isinstance(result, PlainPython):
        raise SpecError(
            f"{name_of(function)} is decided before {', '.join(names)} has a value: {result.why}; "
            "write it as a term, or use python_difference(function)"
        )
    return result


def give_terms(function: Callable[..., object], given: Iterable[object]) -> object:
    """Return what the function makes of terms, or why it is plain Python; refuse what a term says in other words."""
    arguments = list(given)
    looked = _TermWatch()
    caught = EarlyError.raised
    try:
        result = looked.call(function, arguments)
    except RecursionError:
        raise SpecError(TOO_DEEP) from None
    except NeedsValueError as error:
        return looked.plain(str(error))
    except SpecError as error:
        if looked.why:
            return looked.plain(looked.why)
        if isinstance(error, EarlyError):
            raise EarlyError(f"{error}; or predicate(function), which is run on finished values") from None
        raise
    except Exception as error:
        if looked.why:
            return looked.plain(looked.why)
        if isinstance(error, STRANGE):
            return looked.plain(f"it raises {type(error).__name__} on terms: {error}")
        raise
    if looked.why:
        return looked.plain(looked.why)
    if caught != EarlyError.raised:
        return looked.plain("it catches what terms raise")
    if arguments and any(isinstance(each, bool) for each in _parts(result)):
        return looked.plain("Python decides it without a look at a value")
    return result


def _parts(result: object) -> Iterator[object]:
    if isinstance(result, list | tuple):
        for each in result:
            yield from _parts(each)
    else:
        yield result


class _TermWatch:
    """Sees which code holds terms while it runs, and whether that code looks at them as only Python can."""

    def __init__(self) -> None:
        self.why = ""
        self.codes: dict[CodeType, None] = {}

    def call(self, function: Callable[..., object], arguments: list[object]) -> object:
        """Call the function and look on; beside a profiler that could not be put back, in a thread of its own."""
        before: Any = sys.getprofile()
        if before is not None and not callable(before):
            from concurrent.futures import ThreadPoolExecutor  # loaded only beside such a profiler

            context = contextvars.copy_context()
            with ThreadPoolExecutor(1) as threads:
                return threads.submit(context.run, self.call, function, arguments).result()
        sys.setprofile(self.look)
        try:
            return function(*arguments)
        finally:
            sys.setprofile(before)

    def look(self, frame: FrameType, event: str, _: object) -> None:
        """Take note of code that holds a term."""
        if event not in ("call", "return") or frame.f_globals.get("__name__", "").startswith("unlike."):
            return
        held = {name for name, value in frame.f_locals.items() if isinstance(value, Expr)}
        if held:
            self.codes[frame.f_code] = None
            self.why = self.why or _decision(frame.f_code, held, set(frame.f_locals))

    def plain(self, why: str) -> PlainPython:
        """Return why the function is plain Python."""
        return plain_python(why, self.codes)


def plain_python(why: str, codes: Iterable[CodeType]) -> PlainPython:
    """Return why code is plain Python; refuse it where it says what real values would understand otherwise."""
    for each in (each for code in codes for each in dis.get_instructions(code)):
        word = each.argrepr if each.opname == "LOAD_ATTR" else each.opname
        if word in OF_TERMS:
            raise SpecError(f"this is plain Python ({why}), but {OF_TERMS[word]}")
    return PlainPython(why)


def _decision(code: CodeType, held: set[str], known: set[str]) -> str:
    """Say in words how the code looks at a term it holds, if it does: the variables that hold one, of those it has."""
    instructions = [each for each in dis.get_instructions(code) if each.opname != "PUSH_NULL"]
    for position, each in enumerate(instructions):
        before, after = instructions[:position], instructions[position + 1 : position + 2]
        if each.opname == "IS_OP" and _may_hold(before, 2, held, known):
            return "'is' compares the term, not its value"
        if each.opname.endswith(("_IF_NONE", "_IF_NOT_NONE")) and _may_hold(before, 1, held, known):
            return "'is' compares the term, not its value"
        if each.opname == "LOAD_GLOBAL" and each.argval in DECIDING and _may_hold(after, 1, held, known):
            return f"{each.argval} looks at the term, not at its value"
        if each.opname.startswith("MATCH_"):
            return "'match' looks at the term, not at its value"
    return ""


def _may_hold(loads: list[dis.Instruction], operands: int, held: set[str], known: set[str]) -> bool:
    """Tell whether one of the operands that the last instructions loaded may be a term: what a known variable holds."""
    loads = list(loads)
    while operands > 0 and loads:
        last = loads.pop()
        if last.opname == "LOAD_ATTR":  # what matters is whose attribute
            continue
        names = last.argval if isinstance(last.argval, tuple) else (last.argval,)
        operands -= len(names)
        if last.opname in ("LOAD_CONST", "LOAD_GLOBAL"):
            continue
        if not last.opname.startswith(("LOAD_FAST", "LOAD_DEREF")) or not known.issuperset(names):
            return True
        if held.intersection(names):
            return True
    return operands > 0


# -- which blanks a function takes -----------------------------------------------------------------------------------


def by_name(function: Callable[..., object], blanks: Iterable[str]) -> tuple[Callable[..., object], tuple[str, ...]]:
    """Return the function as one of positional arguments, and the blanks that its parameters name, in order."""
    known = list(blanks)
    if inspect.iscoroutinefunction(function):
        raise SpecError(f"{name_of(function)} is an async function; give a plain one")
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError) as error:
        raise SpecError(f"{function!r} cannot be called with blanks: {error}") from None
    if any(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in parameters):
        raise SpecError(f"{name_of(function)}: parameters name the blanks they take; *args and **kwargs name none")
    wanted = [each for each in parameters if each.name in known or each.default is each.empty]
    for each in wanted:
        if each.name not in known:
            raise SpecError(unknown_blank(each.name, known))
    leading = sum(each.kind is each.POSITIONAL_ONLY for each in wanted)
    names = tuple(each.name for each in wanted)

    def call(*values: object) -> object:
        return function(*values[:leading], **dict(zip(names[leading:], values[leading:], strict=True)))

    call.__qualname__ = name_of(function)
    return call, names


def unknown_blank(name: str, blanks: Iterable[str]) -> str:
    """Return the message for a name that is no blank."""
    return f"{name!r} is not a blank of this spec; {nearest(name, list(blanks))}"


def name_of(function: object) -> str:
    """Return how a message calls a function."""
    return getattr(function, "__qualname__", repr(function))


def as_filter(function: Callable[..., object]) -> Callable[..., bool]:
    """Return a function that is plain Python as a filter on finished values: all that it returns must hold."""

    @functools.wraps(function)
    def holds(*values: object) -> bool:
        return all(map(_holds, _parts(function(*values))))

    return holds


def _holds(result: object) -> bool:
    if isinstance(result, Expr):  # of constants alone, as and_(True, x > 3) gives where x is a number
        from unlike.language.evaluate import compile_term  # brings the regexes

        return bool(compile_term(result._node)({}))
    if type(result).__module__.startswith("unlike."):
        raise SpecError(f"plain Python gave {result!r}, which speaks of blanks; say it in a condition of its own")
    return bool(result)
