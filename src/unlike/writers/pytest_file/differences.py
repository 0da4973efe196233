"""A difference between two versions as a pytest test: what the first version did, asked of the second.

The test passes with the first version and fails with the second; both are tried before it is written.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from unlike.core import Isolation
from unlike.diff.objects import Compared
from unlike.diff.verdict import ShownDifference
from unlike.errors import RecipeError
from unlike.foreign import silence, text_of
from unlike.isolation import Answer, call_in_copy
from unlike.recipe import Argument, Call, Items, Method, Name, Recipe, Step, Store, name_of
from unlike.writers.observations import AnswerLook, attributes_of
from unlike.writers.python_source import SourceLines, assertion, source_of

NO_TEST = "# The difference of {} cannot be written as a test: {}\n"
LONGEST = 200  # characters of what a version did
WIDEST = 110  # characters of a line
PLAIN = (type(None), bool, int, float, str, bytes, tuple)


def difference_test(compared: Compared, difference: ShownDifference, isolation: Isolation) -> str:
    """Return a test that tells the second version from the first, or a comment that says why there is none."""
    if difference.kind == "ends" and not difference.old.startswith("r"):
        return NO_TEST.format(compared.name, f"the first version does not return ({difference.old})")
    found = call_in_copy(lambda: _assertions(compared, difference), isolation, in_scratch=True)
    if not isinstance(found, Answer):
        return NO_TEST.format(compared.name, f"what the first version did cannot be looked at again ({found})")
    imports, lines, why_not = found.result
    text = "" if why_not else _write_test(compared, difference, imports, lines)
    if doubt := why_not or _try_out(compared, text, isolation):
        return NO_TEST.format(compared.name, _one_line(doubt))
    return text


def _write_test(compared: Compared, difference: ShownDifference, imports: list[str], lines: list[str]) -> str:
    """Return the test as source."""
    standard = ["import re\n"] if any("re.escape" in line for line in lines) else []
    own = [*(["import pytest"] if any("pytest." in line for line in lines) else []), *imports]
    top = "\n".join([*standard, *own])
    title = re.sub(r"\W+", "_", compared.name).strip("_").lower() or "code"
    words = [_one_line(each)[:LONGEST] for each in (difference.sequence, difference.old, difference.new)]
    about = "\n    ".join(textwrap.wrap(f"{words[0]}: {words[1]}, and then {words[2]}.", WIDEST))
    about = about.replace("\\", "\\\\").replace('"""', "'''")
    body = "\n".join(f"    {line}" for line in lines)
    return f'{top}\n\n\ndef test_{title}_does_what_it_did():\n    """{about}"""\n{body}\n'.lstrip("\n")


def _one_line(words: str) -> str:
    return " ".join(words.split())


# -- what the first version did ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DidOnce:
    """What the last call of a sequence came to, as its source is run."""

    answer: Any
    error: BaseException | None
    thing: Any  # that it was called on, or that it made
    passed_over: tuple[BaseException | None, ...] = ()  # what the lines before it raised


def _source(recipe: Recipe) -> SourceLines:
    """Return the calls as lines, the last of which shows the difference; the result is what it is called on."""
    last = recipe.steps[-1]
    on: Argument = last.receiver if isinstance(last, Method) else last.target if isinstance(last, Store) else None
    return source_of(replace(recipe, result=on), in_place=False)


def _did(source: SourceLines) -> DidOnce:
    """Run the lines, and say what the last one came to."""
    space: dict[str, Any] = {"__name__": "test_of_a_difference"}
    exec("\n".join(sorted(source.imports)), space)
    passed_over = tuple(_run_line(line, space) for line in source.lines[:-1])
    try:
        code, mode = compile(source.lines[-1], "<test>", "eval"), "eval"
    except SyntaxError:
        code, mode = compile(source.lines[-1], "<test>", "exec"), "exec"
    try:
        answer = eval(code, space) if mode == "eval" else exec(code, space)  # type: ignore[func-returns-value]
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the code under test may raise anything
        return DidOnce(None, error, space.get(source.result), passed_over)
    return DidOnce(answer, None, answer if source.result == "None" else space.get(source.result), passed_over)


def _run_line(line: str, space: dict[str, Any]) -> Exception | None:
    """Run a line, and return what it raises."""
    try:
        exec(line, space)
    except Exception as error:
        return error
    return None


def _assertions(compared: Compared, difference: ShownDifference) -> tuple[list[str], list[str], str]:
    """Return the imports and the lines of a test, or why there is none."""
    try:
        return *_lines_of(compared, difference), ""
    except RecipeError as error:
        return [], [], str(error)


def _lines_of(compared: Compared, difference: ShownDifference) -> tuple[list[str], list[str]]:
    """Return the imports and the lines of a test: of the second version, with what the first one did."""
    source = _source(in_new_names(compared, difference.recipe))
    with silence():
        did = _did(_source(difference.recipe))
    *before, call = source.lines
    imports, variable = set(source.imports), source.result
    lines: list[str] = []
    for line, error in zip(before, did.passed_over, strict=True):
        if error is None:
            lines.append(line)
        else:
            lines += [f"with pytest.raises({_name_raised(error, imports)}):", f"    {line}"]
    if did.error is not None:
        lines += _raising(did.error, call, imports, difference)
    elif difference.place.startswith("argument "):
        lines += _changed_argument(difference, call)
    elif difference.kind == "leaves":
        if variable == "None":
            variable, call = "x", f"x = {call}"
        lines += [call, _say_left(did.thing, variable, difference.place)]
    else:
        lines += _returning(did, call, variable, difference)
    return sorted(imports), lines


def _changed_argument(difference: ShownDifference, call: str) -> list[str]:
    """Return the lines that say what became of an argument."""
    last = difference.recipe.steps[-1]
    assert isinstance(last, Call | Method)
    given = (*last.args, *(value for _, value in last.kwargs))[int(difference.place.split()[1]) - 1]
    text = source_of(Recipe(difference.recipe.steps[:-1], given)).result
    left = difference.old.partition(" = ")[2]
    if text not in call or not _is_literal(left):
        raise RecipeError("what became of its argument has no literal")
    return [f"given = {text}", call[::-1].replace(text[::-1], "given"[::-1], 1)[::-1], f"assert given == {left}"]


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True


def _say_left(thing: object, variable: str, place: str) -> str:
    """Return the line that says what was left in an attribute."""
    wanted = f"{variable}.{place}"
    for each in attributes_of(thing):
        if each.on(variable) == wanted and (value := each.value(thing)) is not None:
            return assertion(wanted, value)
    look = AnswerLook((), ()).at(getattr(thing, place), wanted)
    if not look:
        raise RecipeError(f"what it left in {place} has no literal")
    return assertion(*look[0])


def _returning(did: DidOnce, call: str, variable: str, difference: ShownDifference) -> list[str]:
    """Return the lines that say what a call returned."""
    if did.answer is did.thing and type(did.answer) not in PLAIN and variable != "None":
        return [f"assert ({call}) is {variable}"]
    own = () if type(did.answer).__module__ == "builtins" else (type(did.answer),)
    seen = AnswerLook((), own).lines(call, did.answer, None)
    if seen and did.answer is not None:
        return [*seen, f"assert type({call}) is {type(did.answer).__name__}"] if _equal_words(difference) else seen
    if difference.new.startswith("returned"):
        text = "is None" if did.answer is None else f"type({call}).__name__ == {type(did.answer).__name__!r}"
        return [f"assert ({call}) is None" if did.answer is None else f"assert {text}"]
    return [call]  # it returns, and that is all


def _equal_words(difference: ShownDifference) -> bool:
    """Tell whether both versions returned what is equal, but for its type: 0 and 0.0."""
    try:
        old, new = (ast.literal_eval(each.removeprefix("returned ")) for each in (difference.old, difference.new))
    except (ValueError, SyntaxError):
        return False
    return bool(old == new)


def _raising(error: BaseException, call: str, imports: set[str], difference: ShownDifference) -> list[str]:
    """Return the lines that say what a call raised."""
    name = _name_raised(error, imports)
    raised = [each.removeprefix("raised ").partition(":")[0] for each in (difference.old, difference.new)]
    if raised[0] == raised[1]:  # the message is another
        return [f"with pytest.raises({name}, match=re.escape({text_of(error)!r})):", f"    {call}"]
    lines = [f"with pytest.raises({name}) as caught:", f"    {call}"]
    return [*lines, f"assert caught.type is {name}"]


def _name_raised(error: BaseException, imports: set[str]) -> str:
    """Return how a test names the class of an exception."""
    name = name_of(next(each for each in type(error).__mro__ if "<" not in each.__qualname__))
    if name.module != "builtins":
        imports.add(f"from {name.module} import {name.qualname.partition('.')[0]}")
    return name.qualname


# -- in the names of the second version ----------------------------------------------------------------


def in_new_names(compared: Compared, recipe: Recipe) -> Recipe:
    """Return a recipe in the names of the second version."""
    old, new = name_of(compared.old), Name(compared.new.__module__, compared.new.__qualname__)

    def change(argument: Any) -> Any:
        match argument:
            case Name(module, qualname) if module == old.module:
                inner = qualname.removeprefix(old.qualname)
                is_inside = qualname.startswith(old.qualname) and inner[:1] in ("", ".")
                return Name(new.module, f"{new.qualname}{inner}" if is_inside else qualname)
            case Items(kind, items):
                return Items(kind, tuple(map(change, items)))
        return argument

    def with_names(step: Step) -> Step:
        match step:
            case Call(function, args, kwargs):
                return Call(change(function), tuple(map(change, args)), _changed(kwargs, change))
            case Method(receiver, name, args, kwargs):
                return Method(receiver, name, tuple(map(change, args)), _changed(kwargs, change))
            case Store(target, name, value, raw):
                return Store(target, name, change(value), raw)
        return step

    return Recipe(tuple(map(with_names, recipe.steps)), change(recipe.result))


def _changed(
    kwargs: tuple[tuple[str, Argument], ...], change: Callable[[Any], Any]
) -> tuple[tuple[str, Argument], ...]:
    return tuple((key, change(each)) for key, each in kwargs)


# -- trying it out ---------------------------------------------------------------------------------------


def _try_out(compared: Compared, text: str, isolation: Isolation) -> str:
    """Return why a test does not tell the versions apart, or nothing if it does."""
    tries = [functools.partial(_passes, compared, text, new=new) for new in (False, True)]
    held = [call_in_copy(each, isolation, in_scratch=True) for each in tries]
    if not isinstance(held[0], Answer) or held[0].result is not True:
        return "the first version does not do the same again"
    if isinstance(held[1], Answer) and held[1].result is True:
        return "what can be written down of it is the same for both"
    return ""


def _passes(compared: Compared, text: str, *, new: bool) -> bool:
    """Tell whether the test passes with a version."""
    inside = compared.sides.inside_new() if new and compared.sides is not None else contextlib.nullcontext()
    with inside, silence():
        space: dict[str, Any] = {"__name__": "test_of_a_difference"}
        exec(compile(text if new else _of_old(compared, text), "<test>", "exec"), space)
        (test,) = (value for name, value in space.items() if name.startswith("test_"))
        try:
            test()
        except KeyboardInterrupt:
            raise
        except BaseException:  # whatever the code under test does
            return False
    return True


def _of_old(compared: Compared, text: str) -> str:
    """Return the test as one of the first version."""
    old, new = name_of(compared.old), Name(compared.new.__module__, compared.new.__qualname__)
    first, second = old.qualname.partition(".")[0], new.qualname.partition(".")[0]
    lines = [
        f"from {old.module} import {first} as {second}"
        if line == f"from {new.module} import {second}"
        else line.replace(f"from {new.module} import ", f"from {old.module} import ")
        for line in text.splitlines()
    ]
    return "\n".join(lines)
