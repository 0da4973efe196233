"""Two versions of a class called alike: an operation on both, and the first thing in which they can be told apart.

Alike are equal results, exceptions of the same type, equal public attributes afterwards, and objects that are alike in
turn: these become pairs of their own, and are called like the first. What the objects keep inside may differ.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import enum
import inspect
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from unlike.classes.agreement import Disagreement
from unlike.classes.api import Api, Kind, Operation, Template, Wanted
from unlike.classes.evidence import HangError
from unlike.classes.pairs import References, Twins
from unlike.classes.sight import defines
from unlike.classes.views import View, Viewer, shorten
from unlike.classes.workbench import ReadyCall
from unlike.foreign import is_of, name_of_class, text_of
from unlike.recipe import Name, Recipe, import_name, name_of, names_in, recipe_of, run

COMPARED = 8  # objects that each is compared with by == and its like
ALONE: dict[str, Callable[[Any], object]] = {
    "__repr__": repr,
    "__str__": str,
    "__hash__": lambda thing: isinstance(hash(thing), int),  # which number it is says nothing; that it has one does
}
TOGETHER: dict[str, Callable[[Any, Any], object]] = {
    f"__{name}__": getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}


class Different(Disagreement):
    """What a call on both versions came to where they can be told apart, in words for each."""

    def __init__(self, kind: str, old: str, new: str) -> None:
        super().__init__(kind, f"{old}\n{new}")


class TwinKinds:
    """Holds a class of pairs for each class: another process finds them here by name."""


def twin_kind(cls: type) -> type[Twins]:
    """Return the class of pairs whose first object is of the class, made when it is first asked for."""
    known: Mapping[str, Any] = vars(TwinKinds)
    for made in known.values():
        if getattr(made, "own", None) is cls:
            return made  # type: ignore[no-any-return]
    name = f"{cls.__name__}_{len(known)}"
    members = {"__slots__": (), "own": cls, "__qualname__": f"{TwinKinds.__qualname__}.{name}", "__module__": __name__}
    made = type(name, (Twins,), members)
    setattr(TwinKinds, name, made)
    return made


@dataclass(frozen=True, slots=True)
class Versions(References):
    """A class, its other version, and where the code of that lives."""

    modules: Mapping[str, str] = field(default_factory=dict)  # names of modules -> where their other versions are kept
    inside: Callable[[], contextlib.AbstractContextManager[object]] = (
        contextlib.nullcontext
    )  # the other version's modules
    messages: bool = False
    dict_order: bool = True
    omits: Callable[[type, str], bool] = lambda _cls, _name: False  # attributes that are not compared
    extra: tuple[type, ...] = ()  # classes of objects that were met
    other_name: str = ""
    unseen: dict[str, None] = field(default_factory=dict)  # what shows nothing of itself, and was not compared
    own: dict[type, bool] = field(default_factory=dict)  # classes, and whether they belong to one of the versions
    stops: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """What the other version is called."""
        return self.other_name or getattr(self.reference, "__name__", "the other version")

    # -- what belongs together -----------------------------------------------------------------------

    def partner(self, cls: type) -> Any:
        """Return the other version of a class; itself where it has none of its own, None where it is gone."""
        if cls is self.cls:
            return self.reference
        if not self.is_own(cls):
            return cls
        try:
            return self.resolve(name_of(cls))
        except Exception:  # it has no name, or none there
            return None

    def is_own(self, cls: type) -> bool:
        """Tell whether a class belongs to one of the two versions."""
        known = self.own.get(cls)
        if known is None:
            modules = {*self.modules, *(each.__module__ for each in (self.cls, self.reference))}
            known = self.own[cls] = cls.__module__ in modules and cls.__module__ != "builtins"
        return known

    def key_of(self, cls: type) -> str:
        """Return what a class is called, the same for both versions of it."""
        if cls is self.cls or cls is self.reference:
            return "the class"
        return cls.__qualname__ if self.is_own(cls) else f"{cls.__module__}:{cls.__qualname__}"

    def resolve(self, name: Name) -> object:
        """Return what a name stands for in the other version."""
        own = name_of(self.cls)
        if name == own:
            return self.reference
        if name.module == own.module and name.qualname.startswith(f"{own.qualname}."):
            found: Any = self.reference
            for part in name.qualname.removeprefix(f"{own.qualname}.").split("."):
                found = getattr(found, part)
            return found
        return import_name(Name(self.modules.get(name.module, name.module), name.qualname))

    def counterpart(self, operation: Operation) -> Callable[..., Any] | None:
        """Return what makes an object of the other version where an operation makes one."""
        if operation.owner is None:
            return self.reference if operation.function is self.cls else None
        other = self.partner(operation.owner)
        found = other if operation.kind is Kind.NEW else getattr(other, operation.name, None)
        return found if callable(found) else None

    def has(self, operation: Operation) -> bool:
        """Tell whether the other version has such an operation."""
        if operation.owner is None or (other := self.partner(operation.owner)) is None:
            return False
        return operation.kind is Kind.NEW or hasattr(other, operation.name)

    def twins_of(self, cls: type) -> type[Twins] | None:
        """Return the class of pairs whose first object is of a class."""
        return twin_kind(cls) if self.partner(cls) is not None else None

    def call_on_both(self, operation: Operation) -> Callable[..., object]:
        """Return an operation, made on both objects of a pair."""
        return CallOnVersions(operation, self)

    def known_classes(self) -> list[type]:
        """Return the classes in whose modules things may change that are no part of an object."""
        every = [self.cls, *self.extra]
        return [*every, *(each for each in map(self.partner, every) if isinstance(each, type))]

    def run_reference(self, recipe: Recipe) -> object:
        """Return what a recipe makes of the other version."""
        with self.inside():
            return run(recipe, self.resolve, past_errors=True)

    def list_unseen(self) -> list[str]:
        """Return what shows nothing of itself, and was not compared."""
        return list(self.unseen)

    def list_uncalled(self, api: Api) -> tuple[str, ...]:
        """Return the operations that are known not to be called: without those that are asked here."""
        asked = {each.title for each in api.operations}
        return tuple(each for each in api.uncalled if each not in asked)

    def viewers(self) -> tuple[Viewer, Viewer]:
        """Return who looks at values of the one and of the other version."""
        names = {} if self.cls.__name__ == self.name_of_other else {self.name_of_other: self.cls.__name__}
        one = Viewer(self.key_of, self.is_own, {}, self.dict_order, self.omits, self.unseen)
        return one, replace(one, names=names)

    @property
    def name_of_other(self) -> str:
        """The name of the other class itself."""
        return str(getattr(self.reference, "__name__", self.cls.__name__))

    def translate(self, value: Any) -> Any:
        """Return an argument as the other version takes it: what is of one version becomes the same of the other."""
        with contextlib.suppress(Exception):  # what has no recipe is of neither version
            recipe = recipe_of(value)
            if any(each.module in self.modules for each in names_in(recipe)):
                return run(recipe, self.resolve)
        return copy.deepcopy(value)

    def prepare(self, api: Api) -> tuple[Api, References]:
        """Return the calls with what Python's own functions ask, and what is known of the classes they are made on."""
        known = replace(self, extra=(*api.extra, *api.guesses.companions))
        return with_questions(api, known), known

    def with_itself(self, call: ReadyCall, pairs: Sequence[Twins]) -> None:
        """Make a call on two objects of the class that were made by the same calls; raise where they differ."""
        made = call.template.operation.function
        assert isinstance(made, CallOnVersions)
        itself = replace(self, reference=self.cls, modules={}, inside=contextlib.nullcontext, own={})
        template = call.template
        _, args, kwargs = template.fill(pairs, copy.deepcopy)
        CallOnVersions(made.operation, itself)(*args, **dict(kwargs))


def with_questions(api: Api, references: Versions) -> Api:
    """Return the calls, and beside them what Python's own functions ask: repr, str, hash, and comparisons."""
    operations, templates = list[Operation](), list[Template]()
    for cls in (*api.classes, *api.extra):
        other = references.partner(cls)
        if other is None:
            continue
        for name in (*ALONE, *TOGETHER):
            both = defines(cls, name) or defines(other, name)
            if not both or getattr(cls, name, None) is None or cls.__module__ == "builtins":
                continue
            operation = Operation(Kind.METHOD, name, cls, getattr(cls, name))
            operations.append(operation)
            args = (Wanted(cls, COMPARED),) if name in TOGETHER else ()
            wanted = (cls,) * (1 + len(args))
            templates.append(
                Template(operation, args, (), wanted, tuple(range(len(wanted))), (None, COMPARED)[: len(wanted)])
            )
    asked = (*api.operations, *operations), (*api.templates, *templates)
    compared = any(each.name in TOGETHER for each in operations)
    remarks = (*api.remarks, *([f"to comparisons the first {COMPARED} objects"] if compared else []))
    return replace(api, operations=asked[0], templates=asked[1], remarks=remarks)


# -- one call on both ------------------------------------------------------------------------------------


@dataclass(slots=True)
class OneCall:
    """One of the two versions in a call: what it was called with, and what that came to."""

    viewer: Viewer
    receiver: Any
    args: list[Any]
    kwargs: dict[str, Any]
    answer: Any = None
    error: BaseException | None = None

    @property
    def objects(self) -> list[Any]:
        """What was passed, receiver first."""
        return [*([] if self.receiver is None else [self.receiver]), *self.args, *self.kwargs.values()]

    def place_of_answer(self) -> int | None:
        """Return which of the objects passed was returned, if one of them was; a list is only compared."""
        places = (place for place, each in enumerate(self.objects) if each is self.answer)
        return None if type(self.answer).__module__ == "builtins" else next(places, None)


@dataclass(frozen=True, slots=True, eq=False)
class CallOnVersions:
    """An operation, made on both versions and compared; what was passed is passed to each by itself."""

    operation: Operation
    versions: Versions

    def __call__(self, *args: Any, **kwargs: Any) -> object:
        """Make the call on both; raise where they can be told apart."""
        versions = self.versions
        pairs = [each for each in (*args, *kwargs.values()) if isinstance(each, Twins)]
        old_viewer, new_viewer = versions.viewers()
        old = self.prepare(old_viewer, "ours", args, kwargs, copy.deepcopy)
        self.perform(old, self.call_old)
        with versions.inside():
            new = self.prepare(new_viewer, "reference", args, kwargs, versions.translate)
            self.perform(new, self.call_new)
        return self.judge(old, new, pairs)

    def judge(self, old: OneCall, new: OneCall, pairs: Sequence[Twins] = ()) -> object:
        """Return a pair if both calls made an object that can be called in turn; raise where they can be told apart."""
        twins = self.find_twins(old, new)
        seen = self.see(old, [each.ours for each in pairs], twins is not None)
        with self.versions.inside():
            other = self.see(new, [each.reference for each in pairs], twins is not None)
        self.compare(old, new, seen, other)
        return None if twins is None else twins(old.answer, new.answer)

    def prepare(
        self, viewer: Viewer, side: str, args: Sequence[Any], kwargs: Mapping[str, Any], pass_on: Callable[[Any], Any]
    ) -> OneCall:
        """Return what is passed on one side."""
        own = [getattr(each, side) if isinstance(each, Twins) else pass_on(each) for each in args]
        named = {key: getattr(each, side) if isinstance(each, Twins) else pass_on(each) for key, each in kwargs.items()}
        receiver, own = (own[0], own[1:]) if self.operation.has_receiver else (None, own)
        return OneCall(viewer, receiver, own, named)

    def perform(self, side: OneCall, call: Callable[[OneCall], Any]) -> None:
        """Make the call on one side, and note what it came to."""
        try:
            side.answer = call(side)
            if inspect.iscoroutine(side.answer):
                side.answer = asyncio.run(side.answer)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the code under test may raise anything
            if is_of(error, HangError):
                raise
            side.error = error
        if side.answer is NotImplemented:  # what Python makes a TypeError of, after asking the other operand
            side.answer, side.error = None, TypeError("not implemented for this operand")

    def call_old(self, side: OneCall) -> object:
        """Make the call on the first version."""
        name = self.operation.name
        if self.operation.kind is Kind.METHOD and name in ALONE:
            return ALONE[name](side.receiver)
        if self.operation.kind is Kind.METHOD and name in TOGETHER:
            return TOGETHER[name](side.receiver, *side.args)
        return self.operation.perform(side.receiver, side.args, side.kwargs)

    def call_new(self, side: OneCall) -> object:
        """Make the call on the other version."""
        if self.operation.has_receiver:
            return self.call_old(side)
        make = self.versions.counterpart(self.operation)
        assert make is not None
        return make(*side.args, **side.kwargs)

    def find_twins(self, old: OneCall, new: OneCall) -> type[Twins] | None:
        """Return the class of pairs for both answers, if they are objects that can be called in turn."""
        if old.error is not None or new.error is not None or old.place_of_answer() is not None:
            return None
        if self.operation.kind is Kind.FUNCTION:  # what it returns is looked at, and not called
            return None
        cls, versions = type(old.answer), self.versions
        is_called = issubclass(cls, (versions.cls, *versions.extra)) or (versions.is_own(cls) and has_methods(cls))
        return twin_kind(cls) if is_called and versions.partner(cls) is type(new.answer) else None

    def see(self, side: OneCall, objects: list[Any], is_twin: bool) -> dict[str, View]:
        """Return what can be seen of a call on one side: what it came to, then what it left behind."""
        viewer = side.viewer
        seen = {"": self.see_answer(side, is_twin=is_twin)}
        if is_twin:
            objects = [*objects, side.answer]
        for number, each in enumerate(objects):
            for name, view in viewer.attributes(each):
                seen[f"{'' if number == 0 else f'#{number + 1}'}.{name}"] = view
        for number, each in enumerate((*side.args, *side.kwargs.values())):
            if not any(each is one for one in objects):
                seen[f"argument {number + 1}"] = viewer.see(each)
        return seen

    def see_answer(self, side: OneCall, *, is_twin: bool) -> View:
        """Return the view of what a call came to."""
        if side.error is not None:
            return "raised", side.viewer.see_error(side.error, messages=self.versions.messages)
        if (place := side.place_of_answer()) is not None:
            return "returned what was passed", place
        if is_twin:
            return "object", side.viewer.key_of(type(side.answer))
        return "returned", side.viewer.see(side.answer)

    def compare(self, old: OneCall, new: OneCall, seen: Mapping[str, View], other: Mapping[str, View]) -> None:
        """Raise at the first difference."""
        if seen[""] != other[""]:
            kinds = {view[0] for view in (seen[""], other[""])}
            kind = "raises" if "raised" in kinds else "returns"
            raise Different(kind, self.tell(old, seen[""]), self.tell(new, other[""]))
        for place in dict.fromkeys((*seen, *other)):
            if seen.get(place) != other.get(place):
                raise Different("leaves", *(tell_view(place, each.get(place)) for each in (seen, other)))

    def tell(self, side: OneCall, view: View) -> str:
        """Return in words what a call came to."""
        if side.error is not None:
            text = text_of(side.error)
            return f"raised {name_of_class(type(side.error))}" + (f": {text}" if text else "")
        if (place := side.place_of_answer()) is not None:
            return "returned the object itself" if place == 0 and side.receiver is not None else "returned its argument"
        if isinstance(side.answer, Iterator):  # it is used up by now
            return f"returned {show_view(view[1])}"
        return f"returned {shorten(side.answer)}"


def tell_view(place: str, view: View | None) -> str:
    """Return in words what was left behind at a place."""
    name = place.removeprefix(".")
    if view is None:
        return f"left no {name}"
    return f"left {name} = {show_view(view)}"


def show_view(view: Any) -> str:
    """Return a view for people."""
    match view:
        case ("str", str(text)) | ("bytes", bytes(text)):
            return shorten(text)
        case ("float" | "int" | "bool" | "NoneType" | "complex", value):
            return str(value)
        case ("raises", name):
            return f"(it raises {name})"
        case ("list" | "tuple" | "set" | "frozenset" | "deque" as kind, *items):
            inner = ", ".join(map(show_view, items))
            return {"list": f"[{inner}]", "tuple": f"({inner})"}.get(kind, f"{kind}({inner})")
        case ("dict", *pairs):
            return "{" + ", ".join(f"{show_view(key)}: {show_view(value)}" for key, value in pairs) + "}"
        case (str(kind), *rest):
            return f"{kind}({', '.join(map(show_view, rest))})"
    return shorten(view)


def has_methods(cls: type) -> bool:
    """Tell whether objects of a class of the code under test can be called: then they are compared by their calls."""
    if issubclass(cls, (enum.Enum, BaseException)):
        return False
    return any(
        callable(member) and not name.startswith("_")
        for base in cls.__mro__[:-1]
        for name, member in vars(base).items()
        if base.__module__ != "builtins"
    )
