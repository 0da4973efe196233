"""The protocols of Python, asked of the objects found: from an exploration to the promises that its objects break.

`==` holds for an object and itself, in both directions, and agrees with `!=` and `hash`; `repr` works; `copy`,
`deepcopy` and `pickle` give an equal object and leave the original as it was; items agree with `len` and `in`; `bool`
and `with` work. Only what a class defines, or inherits from another than `object`, is asked.
"""

from __future__ import annotations

import copy
import io
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from unlike.classes.api import Kind, Operation, Template
from unlike.classes.own_arguments import is_about_closed, is_about_text, puts_into_itself, texts_of
from unlike.classes.recipes import sequence_text
from unlike.classes.refusals import guessed_values, is_caused_by, is_refusal
from unlike.classes.result import Result
from unlike.classes.sight import Sight, chosen_templates, defines
from unlike.core import CutShort
from unlike.errors import how_many, with_article
from unlike.foreign import is_of
from unlike.heap.differences import different_fields
from unlike.isolation import Answer
from unlike.recipe import Recipe, run

MOST_OBJECTS = 300  # the first ones, which are the smallest: what breaks for large objects mostly breaks for small ones
MOST_ITEMS = 200  # that an iteration may give
COPYING = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getattr__")
LONGEST = 100  # characters of what an exception says
NOTE = "note: "  # before words that are no error
STRANGERS: tuple[object, ...] = (None, 0, "", object())  # every object can be asked whether it equals these


@dataclass(frozen=True, slots=True)
class BrokenProtocol:
    """A promise that objects of a class break, and the shortest sequence to one that does."""

    protocol: str
    words: str
    recipe: Recipe
    calls: int
    times: int = 1
    is_note: bool = False  # worth knowing, but no error: an object that cannot be pickled

    @property
    def sequence(self) -> str:
        """The calls that make the object, on one line."""
        return sequence_text(self.recipe)

    def __str__(self) -> str:
        return f"{self.protocol}: {self.words} ({how_many(self.times, 'object')})"


def broken_protocols(result: Result) -> tuple[BrokenProtocol, ...]:
    """Return the promises that the first objects of a result break, each once."""
    if not any(map(has_protocols, result.api.classes)):
        return ()
    recipes = result.first_recipes(MOST_OBJECTS)
    asking = _Asking(result)
    met: dict[tuple[str, str], list[int]] = {}
    shown: dict[tuple[str, str], tuple[str, bool]] = {}
    try:
        verdicts = result.each_in_copies(lambda place: asking.broken_by(recipes[place]), len(recipes), soon=True)
        for place, verdict in enumerate(verdicts):
            for protocol, words, is_note in verdict.result if isinstance(verdict, Answer) else ():
                alike = protocol, re.split(r": | \(", words)[0]  # whatever an exception says, and which field it is
                met.setdefault(alike, []).append(place)
                shown.setdefault(alike, (words, is_note))
    except CutShort:
        pass  # what was seen so far stays
    found = [
        BrokenProtocol(
            key[0], shown[key][0], recipes[places[0]], len(recipes[places[0]].steps), len({*places}), shown[key][1]
        )
        for key, places in met.items()
    ]
    return tuple(sorted(found, key=lambda each: (each.is_note, each.calls)))


def has_protocols(cls: type) -> bool:
    """Tell whether there is anything to ask of objects of a class."""
    return any(True for _ in questions_for(cls))


Question = Callable[["_Asking", Any, Callable[[], Any]], Iterator[str]]


def questions_for(cls: type) -> Iterator[tuple[str, Question]]:
    """Yield what is asked of objects of a class, by the name of the protocol."""
    if defines(cls, "__eq__"):
        yield "==", _Asking.about_equality
        if cls.__hash__ is not None and defines(cls, "__hash__"):
            yield "hash", _Asking.about_hash
    if defines(cls, "__repr__") or defines(cls, "__str__"):
        yield "repr", _Asking.about_texts
    if hasattr(cls, "__iter__") and not hasattr(cls, "__next__"):
        yield "iteration", _Asking.about_items
    if hasattr(cls, "__len__") or hasattr(cls, "__bool__"):
        yield "bool", _Asking.about_truth
    if hasattr(cls, "__enter__") and hasattr(cls, "__exit__"):
        yield "with", _Asking.about_context
    if defines(cls, "__eq__") or any(defines(cls, name) for name in COPYING):
        for name in COPIES:
            yield name, partial(_Asking.about_copies, name=name)


class _Asking:
    """Asks objects, in a copy of this process."""

    def __init__(self, result: Result) -> None:
        self.sight = Sight(result.search)
        self.states = result.search.options.states
        guesses = [value for each in chosen_templates(result.search) for value in guessed_values(each)]
        self.guesses = list({type(each): each for each in guesses}.values())  # one of each type is enough for messages
        self.texts = texts_of(chosen_templates(result.search))
        self.into_itself = False  # whether the object that is asked may hold itself

    def broken_by(self, recipe: Recipe) -> list[tuple[str, str, bool]]:
        """Return what the object of a recipe breaks: the protocol, what is wrong, and whether it is a mere note."""

        def make() -> Any:
            return self.sight.fresh(lambda: run(recipe))

        found: list[tuple[str, str, bool]] = []
        self.into_itself = puts_into_itself(recipe)
        for name, ask in questions_for(type(make())):
            thing = make()
            before = self.sight.see_state(thing)
            try:
                found += [(name, words.removeprefix(NOTE), words.startswith(NOTE)) for words in ask(self, thing, make)]
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # the code under test may raise anything
                if not self.is_refused(error, thing, name):
                    found.append((name, f"raises {_describe(error)}", False))
            if self.sight.see_state(thing) != before and name != "with":
                found += [(name, words, False) for words in self.lasting_change(make, thing, name)]
        return found

    def lasting_change(self, make: Callable[[], Any], thing: Any, name: str) -> Iterator[str]:
        """Yield the words for a question that changed the object so that its users can notice it."""
        ask = dict(questions_for(type(thing)))[name]

        def make_and_ask() -> Any:
            other = make()
            for _ in ask(self, other, make):
                pass
            return other

        if self.sight.first_difference(make, make_and_ask) is not None:
            walker = self.sight.walker
            one, other = (walker.heap(walker.capture(each)) for each in (make(), thing))
            yield f"changes the object ({', '.join(different_fields(one, other)[:3])})"

    def is_refused(self, error: BaseException, thing: Any, name: str) -> bool:
        """Tell whether an exception is one with which the object says no; what must always work cannot be refused."""
        if self.is_of_our_making(error, thing):
            return True
        method = METHODS.get(name)
        if method is None:
            return False
        function = getattr(type(thing), method, None)
        template = Template(Operation(Kind.METHOD, method, type(thing), function), (), (), (type(thing),), (0,))
        return is_refusal(error, template, thing, self.states)

    def is_of_our_making(self, error: BaseException, thing: Any) -> bool:
        """Tell whether an exception comes of what was passed, or of an object that is closed."""
        if is_of(error, NotImplementedError) or is_caused_by(error, self.guesses) or is_about_closed(error, thing):
            return True
        return (self.into_itself and is_of(error, RecursionError)) or is_about_text(error, self.texts, None)

    # -- questions ------------------------------------------------------------------------------------

    def about_equality(self, thing: Any, make: Callable[[], Any]) -> Iterator[str]:
        """Yield what is wrong with `==` and `!=`."""
        if not thing == thing:  # noqa: SIM201  # that is the question
            yield "x == x is false"
        twin = make()
        forth, back = thing == twin, twin == thing
        if bool(forth) is not bool(back):
            yield "x == y and y == x differ, for two objects made by the same calls"
        if bool(forth) is bool(thing != twin):
            yield "x == y and x != y agree"
        for stranger in STRANGERS:
            try:
                _ = thing == stranger, stranger == thing
            except Exception as error:
                shown = "object()" if type(stranger) is object else repr(stranger)
                yield f"x == {shown} raises {_describe(error)}"
                return

    def about_hash(self, thing: Any, make: Callable[[], Any]) -> Iterator[str]:
        """Yield what is wrong with hashes."""
        twin = make()
        try:
            codes = hash(thing), hash(twin)
        except TypeError:  # of what it holds
            return
        if thing == twin and codes[0] != codes[1]:
            yield "equal objects have different hashes"

    def about_texts(self, thing: Any, make: Callable[[], Any]) -> Iterator[str]:
        """Yield what is wrong with texts."""
        del make
        for ask in (repr, str):
            try:
                ask(thing)
            except Exception as error:
                if not self.is_refused(error, thing, "repr"):
                    yield f"{ask.__name__}(x) raises {_describe(error)}"
                return

    def about_items(self, thing: Any, make: Callable[[], Any]) -> Iterator[str]:
        """Yield what is wrong with the items."""
        del make
        items = [item for _, item in zip(range(MOST_ITEMS + 1), thing, strict=False)]
        if len(items) > MOST_ITEMS:
            return
        if hasattr(type(thing), "__len__") and len(thing) != len(items):
            yield "len(x) is not the number of its items"
        if hasattr(type(thing), "__contains__"):
            yield from self.about_membership(thing, items)
        if hasattr(type(thing), "__reversed__") and [*map(repr, reversed(thing))][::-1] != [*map(repr, items)]:
            yield "reversed(x) has not the items of x, from the end"

    def about_membership(self, thing: Any, items: Sequence[Any]) -> Iterator[str]:
        """Yield what is wrong with `in`."""
        for item in items:
            try:
                is_there = item in thing
            except Exception as error:
                if not self.is_refused(error, thing, "iteration"):
                    yield f"an item of x in x raises {_describe(error)}"
                return
            if not is_there:
                yield "an item of x is not in x"
                return

    def about_truth(self, thing: Any, make: Callable[[], Any]) -> Iterator[str]:
        """Yield what is wrong with `bool`."""
        del make
        is_true = bool(thing)
        if hasattr(type(thing), "__len__") and hasattr(type(thing), "__iter__") and is_true is not (len(thing) > 0):
            yield "bool(x) does not say whether it holds anything"

    def about_context(self, thing: Any, make: Callable[[], Any]) -> Iterator[str]:
        """Enter and leave."""
        del make
        with thing:
            pass
        yield from ()

    def about_copies(self, thing: Any, make: Callable[[], Any], *, name: str) -> Iterator[str]:
        """Yield what is wrong with a copy; whether it is equal is asked only where objects made alike are."""
        try:
            copied = COPIES[name](thing)
        except Exception as error:
            if self.is_of_our_making(error, thing):
                return
            may_fail = name == "pickle" or "pickle" in str(error) or is_of(error, NotImplementedError)
            yield f"{NOTE if may_fail else ''}{name} raises {_describe(error)}"
            return
        if type(copied) is not type(thing):
            yield f"{name} gives {with_article(type(copied).__name__)}"
        elif defines(type(thing), "__eq__") and _are_equal(thing, make()) and not _are_equal(copied, thing):
            yield f"{name} gives an object that is not equal"
        elif hasattr(type(thing), "__len__") and len(copied) != len(thing):
            yield f"{name} gives an object with another length"


def _are_equal(one: Any, other: Any) -> bool:
    """Tell whether both say so; that `==` raises is said elsewhere."""
    try:
        return bool(one == other) and bool(other == one)
    except Exception:
        return False


def _pickle_and_load(thing: Any) -> Any:
    buffer = io.BytesIO()
    pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(thing)
    return pickle.Unpickler(io.BytesIO(buffer.getvalue())).load()


COPIES: dict[str, Callable[[Any], Any]] = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": _pickle_and_load}
METHODS = {"iteration": "__iter__", "bool": "__bool__", "with": "__enter__"}  # what an object may refuse


def _describe(error: BaseException) -> str:
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # an exception whose own text cannot be made
        return type(error).__name__
    return re.sub(" at 0x[0-9a-f]+", "", text).splitlines()[0][:LONGEST]
