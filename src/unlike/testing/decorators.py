"""What a test asks for: decorators that only write it down, and the blanks among a test's parameters.

Nothing is generated when a test module is imported; pytest's plugin reads what was written down when it collects.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, Unpack, cast

from unlike.errors import ScopeError, SpecError, nearest

if TYPE_CHECKING:
    from unlike.classes.result import Result
    from unlike.core import ExploreKeywords
    from unlike.invariants.verbs import StructuresKeywords
    from unlike.language.spec import Spec
    from unlike.language.values import Value
    from unlike.recipe import Recipe, Resolve
    from unlike.scope import Scope
    from unlike.suite import Suite
    from unlike.typed.combining import CombiningKeywords

ATTRIBUTE = "__unlike__"  # where a decorator leaves what was asked; the plugin looks for the same name

COMBINED = ("strength", "rows", "negative", "ignore", "smallest")  # said beside a strength

MOST = 100  # inputs, where nobody says how many

MOST_OBJECTS = 1_000_000  # that one test is run on
T = TypeVar("T")
Number: TypeAlias = int | Literal["all"]
Check: TypeAlias = "Callable[[Sequence[Mapping[str, Recipe]], Resolve], tuple[int, str] | None]"


@dataclass(frozen=True, slots=True)
class Provided:
    """A suite whose cases fill parameters, whoever generates it: objects of a class, inputs that break a rule.

    `told` is everything that decides the cases (it goes into the fingerprint), `names` are the classes and functions
    that a saved case may name. A case fills `parameter` (the one with the annotation, or the first blank, if not
    said); with `keys` each case is a dict, and fills the parameters of these names. `check` reads saved recipes, one
    for each parameter, and names the first that is not what the suite would hold, and why. Where cases are objects of
    several `classes`, `narrowed` gives those of one of them, for a parameter that is annotated with it.
    `shows_choices` says that labels are lists of choices, `covers` that all of it is as many as show them all. `given`
    makes it again with values that a file gives to every test.
    """

    suite: Callable[[Number, float | None], Suite]
    told: tuple[object, ...]
    names: tuple[object, ...]
    parameter: str | None = None
    classes: tuple[type, ...] = ()
    keys: tuple[str, ...] = ()
    check: Check | None = None
    covers: bool = False
    narrowed: Callable[[type], Provided] | None = None
    shows_choices: bool = False
    given: Callable[[Mapping[str, object]], Provided] | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What a decorator says of a test."""

    n: Number
    any_number: bool = False  # nobody said how many
    different: object = ()
    cover: str | int | None = None
    combined: CombiningKeywords = field(default_factory=dict)  # type: ignore[assignment]
    literals: Mapping[Any, object] | None = None
    where: object = ()
    blanks: Mapping[str, object] = field(default_factory=dict)
    spec: Spec | None = None
    invalid: bool = False
    mix: bool | float = False
    seed: int = 0
    timeout: float | None = None
    subtests: bool | None = None
    encoders: Mapping[type, Callable[..., Iterable[object]]] = field(default_factory=dict)
    provided: Provided | None = None
    code: CodeAsked | None = None


@dataclass(frozen=True, slots=True)
class CodeAsked:
    """By which code the inputs of a test are chosen, and by what of its behaviour."""

    code: object
    within: Sequence[str] | None = None
    by: str | Sequence[str] | None = None
    source: bool = True  # whether values that it mentions are tried
    beside: object = None  # inputs that are there already: only what shows something new is added


def inputs(
    n: int | Literal["all"] | None = None,
    *,
    different: object = (),
    cover: Literal["each", "pairs", "all"] | int | None = None,
    literals: Mapping[Any, object] | None = None,
    where: object = (),
    blanks: Mapping[str, object] | None = None,
    spec: Spec | None = None,
    invalid: bool = False,
    mix: bool | float = False,
    seed: int = 0,
    timeout: float | None = None,
    subtests: bool | None = None,
    encoders: Mapping[type, Callable[..., Iterable[object]]] | None = None,
    code: object = None,
    within: Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    source: bool = True,
    beside: object = None,
    **combined: Unpack[CombiningKeywords],
) -> Callable[[T], T]:
    """Fill the blanks of a test with up to n inputs, any two of them different: each becomes one pytest item.

    Without n there are a hundred, or as many as the spec says; of types, as many as show their choices (`cover` …, as
    in `generate`). Blanks are the annotated parameters that no fixture provides, those in `blanks`, or a `spec`'s. With
    `invalid` each breaks one rule, with `mix` some do (`legal: bool` tells which), with `code` it treats them unlike.
    """
    said = n if n is not None or spec is None else spec.n
    _check_spec(spec, beside=(where, different) != ((), ()) or bool(blanks or literals))
    check_cover(cover, different, combined)
    asked = Asked(
        n=check_number(MOST if said is None else said),
        any_number=said is None,
        different=different,
        cover=cover,
        combined=combined,
        literals=literals,
        where=where,
        blanks=_read_blanks(blanks),
        spec=spec.as_choices() if spec is not None and (cover is not None or combined) else spec,
        invalid=invalid,
        mix=mix,
        seed=seed,
        timeout=timeout,
        subtests=subtests,
        encoders=dict(encoders or {}),
        code=_read_code(CodeAsked(code, within, by, source, beside), cover, combined, invalid=invalid),
    )
    return ask(asked)


def _check_spec(spec: Spec | None, *, beside: bool) -> None:
    if spec is not None and beside:
        raise SpecError("inputs(spec=…) takes where, different and blanks from the spec; leave them out, or the spec")


def _read_code(asked: CodeAsked, cover: object, combined: CombiningKeywords, *, invalid: bool) -> CodeAsked | None:
    if asked.code is not None and (combined or isinstance(cover, int)):
        said = next(iter(combined), f"cover={cover!r}")
        raise SpecError(f"inputs(code=…) chooses inputs by what it does; leave out {said}, or code")
    if asked.code is not None and invalid:
        raise SpecError("inputs(code=…) chooses legal inputs, with mix=True others too; leave out invalid, or code")
    if asked.code is None:
        for name in ("within", "by", "beside"):
            if getattr(asked, name) is not None:
                raise SpecError(f"{name} says how code is looked at; give code=…, or leave it out")
    return None if asked.code is None else asked


def _read_blanks(blanks: object) -> dict[str, object]:
    if blanks is not None and not isinstance(blanks, Mapping):
        raise SpecError(f"inputs(blanks={blanks!r}): give a dict from parameter to value, like {{'path': Str()}}")
    return dict(blanks or {})


def objects(
    *targets: type | Callable[..., object],
    n: Number = "all",
    argument: str | None = None,
    where: object = (),
    different: object = (),
    blanks: Mapping[str, object] | None = None,
    timeout: float | None = None,
    subtests: bool | None = None,
    source: Literal["api", "invariant"] = "api",
    one_per_shape: bool = False,
    boundary: bool = False,
    **options: object,
) -> Callable[[T], T]:
    """Run a test on every object that the classes among the targets can build within the scope, a fresh one each time.

    With `one_per_shape` one object for each abstract state; with `boundary` those with extreme values, too. Options are
    those of `unlike.explore`. With `source="invariant"` the objects are the structures that the class's invariant
    accepts, and options are those of `unlike.structures`. The objects go to the parameter that `argument` names, or
    that is annotated with one of the classes, or else to the first one that nothing provides; other annotated
    parameters are blanks beside. A parameter that is annotated with one of several classes gets objects of that class
    alone.
    """
    check_number(n)
    classes = [target for target in targets if isinstance(target, type)]
    if not classes:
        raise SpecError("objects() needs a class whose objects to build, like objects(Stack, scope=3)")
    _check_source(source, targets, by_shape=one_per_shape or boundary)
    chosen = {"one_per_shape": one_per_shape, "boundary": boundary} if one_per_shape or boundary else {}
    if source == "invariant":
        provided = _provide_structures(classes[0], cast("StructuresKeywords", options))
    else:
        provided = _provide_objects(targets, cast("ExploreKeywords", options), chosen)
    return ask(
        Asked(
            n=n,
            where=where,
            different=different,
            blanks=dict(blanks or {}),
            timeout=timeout,
            subtests=subtests,
            provided=replace(provided, parameter=argument, classes=tuple(classes)),
        )
    )


def _provide_objects(
    targets: Sequence[Any], options: ExploreKeywords, chosen: Mapping[str, bool], of: type | None = None
) -> Provided:
    """Return the objects that an exploration finds, or those chosen of them; all, or those of one class."""

    def suite(number: Number, seconds: float | None) -> Suite:
        from unlike.classes.verb import explore

        check_options("objects()", options, explore)
        asked: ExploreKeywords = {**options, "timeout": seconds}
        result = explore(*targets, **asked)
        found = result.one_per_shape(boundary=chosen["boundary"]) if chosen else result.suite
        return _cut(found if of is None else _of_class(found, of, result), number)

    def check(inputs: Sequence[Mapping[str, Recipe]], resolve: Resolve) -> tuple[int, str] | None:
        from unlike.testing.sources.objects import first_not_built  # read only when there is something saved

        return first_not_built(_recipes(inputs), targets=targets, options=options, resolve=resolve, of=of)

    told = _deciding_parts("objects", targets, [*options.items(), *chosen.items()])
    return Provided(
        suite,
        told if of is None else (*told, of),
        _names_of(targets),
        check=check,
        narrowed=lambda cls: _provide_objects(targets, options, chosen, cls),
        given=lambda values: _provide_objects(targets, _with_values(options, values), chosen, of),
    )


def _of_class(found: Suite, cls: type, result: Result) -> Suite:
    """Return the objects of one class; each is built once to see what it is, where calls are made."""
    from unlike.classes.result import is_true
    from unlike.indexed import Listed

    if found.count() > MOST_OBJECTS:
        return _cut(found, "all")
    verdicts = result.each_in_copies(lambda index: isinstance(found[index].value, cls), found.count())
    kept = [found[index] for index, verdict in enumerate(verdicts) if is_true(verdict)]
    return replace(found, cases=Listed(kept))


def _provide_structures(cls: type, options: StructuresKeywords) -> Provided:
    """Return the structures that the invariant of a class accepts."""

    def suite(number: Number, seconds: float | None) -> Suite:
        from unlike.invariants.verbs import structures  # a replay never comes here

        check_options("objects(source='invariant')", options, structures)
        most = None if number == "all" else number
        asked: StructuresKeywords = {**options, "timeout": seconds}
        return _cut(structures(cls, n=most, **asked).suite, number)

    def check(inputs: Sequence[Mapping[str, Recipe]], resolve: Resolve) -> tuple[int, str] | None:
        from unlike.testing.sources.structures import first_not_accepted  # read only when there is something saved

        return first_not_accepted(_recipes(inputs), cls=cls, options=options, resolve=resolve)

    return Provided(
        suite,
        _deciding_parts("structures", [cls], options.items()),
        _names_of([cls]),
        check=check,
        given=lambda values: _provide_structures(cls, _with_values(options, values)),
    )


def _with_values(options: Any, values: Mapping[str, object]) -> Any:
    return {**options, "scope": widen_scope(options.get("scope", 3), values)}


def widen_scope(scope: int | Scope, values: Mapping[str, object]) -> Scope:
    """Return a scope with the values that a file gives; what it says of them itself counts."""
    from unlike.scope import Scope, scope_of

    own = scope.literals if isinstance(scope, Scope) else {}
    return scope_of(scope, literals={**values, **own})


def check_options(asker: str, options: Iterable[str], verb: Callable[..., object]) -> None:
    """Refuse options that the verb, to which they are handed on, does not have; what comes first are its targets."""
    _, *known = inspect.signature(verb).parameters
    for name in options:
        if name not in known:
            raise SpecError(f"{asker} has no option {name!r}; {nearest(name, known)}")


def _cut(found: Suite, number: Number) -> Suite:
    """Return so many objects of a suite, or all of them unless no test could run on so many."""
    if number != "all":
        return found.first(number)
    if found.count() > MOST_OBJECTS:
        raise SpecError(
            f"{found.count():,} objects are more than a test can run on; "
            f"take one_per_shape=True, n={MOST_OBJECTS}, or a smaller scope"
        )
    return found


def _recipes(inputs: Sequence[Mapping[str, Recipe]]) -> list[Recipe]:
    return [recipe for one in inputs for recipe in one.values()]


def _deciding_parts(kind: str, targets: Sequence[object], options: Iterable[tuple[str, object]]) -> tuple[object, ...]:
    """Return everything that decides which objects there are."""
    return kind, [source_of_module(target) for target in targets], tuple(targets), sorted(options)


def _names_of(targets: Sequence[object]) -> tuple[object, ...]:
    return (*targets, *classes_beside(targets))


def _check_source(source: str, targets: Sequence[object], *, by_shape: bool) -> None:
    if source not in ("api", "invariant"):
        raise SpecError(f"objects(source={source!r}): 'api' is what methods build, 'invariant' what it accepts")
    if source == "invariant" and len(targets) != 1:
        raise SpecError(f"objects(source='invariant') takes one class, not {len(targets)}")
    if source == "invariant" and by_shape:
        raise SpecError("objects(source='invariant') gives every structure; leave out one_per_shape and boundary")


def source_of_module(thing: object) -> str:
    """Return the source of the module that defines a class or function: what it builds may depend on all of it."""
    module = inspect.getmodule(thing)
    try:
        return inspect.getsource(module) if module is not None else ""
    except (OSError, TypeError):
        return ""


def classes_beside(targets: Iterable[object]) -> list[type]:
    """Return the classes that the targets' modules define: their objects may be arguments of the targets' methods."""
    modules = [module for module in map(inspect.getmodule, targets) if module is not None]
    things = [(each, module.__name__) for module in modules for each in vars(module).values()]
    return [
        each
        for each, name in things
        if isinstance(each, type) and each.__module__ == name and "<" not in each.__qualname__
    ]


def ask(asked: Asked) -> Callable[[T], T]:
    """Return a decorator that leaves what was asked on a test function, method or class."""

    def decorate(test: T) -> T:
        inner = test.__func__ if isinstance(test, staticmethod | classmethod) else test
        if not isinstance(inner, type) and not callable(inner):
            raise SpecError(f"{test!r} is not a test function or class")
        if ATTRIBUTE in vars(inner):
            raise SpecError(
                f"{getattr(inner, '__qualname__', inner)} is decorated twice; say everything in one decorator"
            )
        setattr(inner, ATTRIBUTE, asked)
        return test

    return decorate


def check_number(n: Number) -> Number:
    """Refuse a number of inputs that makes no sense, and a decorator without parentheses."""
    if isinstance(n, types.FunctionType | type):
        raise ScopeError(f"@unlike.inputs needs parentheses: write @unlike.inputs(100) above {n.__qualname__}")
    if n != "all" and (type(n) is not int or n < 1):
        raise ScopeError(f"inputs({n!r}): the number of inputs is an int of at least 1, or 'all'")
    return n


def check_cover(cover: object, different: object, combined: Iterable[str] = ()) -> None:
    """Refuse a strength that is none, one beside a difference, and what is not said beside one."""
    for name in combined:
        if name not in COMBINED:
            raise SpecError(f"inputs() has no option {name!r}; {nearest(name, COMBINED)}")
    if cover not in (None, "each", "pairs", "all") and (type(cover) is not int or cover < 1):
        raise SpecError(
            f"cover={cover!r}: the choices of types are covered by 'each', 'pairs', 'all', or so many at a time, like 3"
        )
    if cover is not None and different != ():
        raise SpecError(f"cover={cover!r} says itself how inputs differ; leave out different, or cover")


# -- the blanks among the parameters ---------------------------------------------------------------------------


def spec_of(function: Callable[..., object], asked: Asked, *, open_names: Iterable[str]) -> Spec:
    """Return the spec of a test whose parameters `open_names` nothing else provides."""
    from unlike.language.spec import Spec

    names = list(open_names)
    if asked.spec is not None:
        missing = [name for name in names if name not in asked.spec.names]
        if missing:
            raise SpecError(f"{_title_of(function)}: parameter {missing[0]!r} is not a blank of {asked.spec!r}")
        return asked.spec
    blanks = blanks_of(function, asked, open_names=names)
    return Spec(
        blanks,
        where=asked.where,
        different=asked.different,  # type: ignore[arg-type]
        name=getattr(function, "__name__", "inputs"),
    )


def blanks_of(function: Callable[..., object], asked: Asked, *, open_names: Iterable[str]) -> dict[str, Value]:
    """Return the value of each blank: as named in the decorator, otherwise as annotated."""
    written = written_for(function, asked, open_names)
    found = {name: _value_of(each, f"{_title_of(function)}: parameter {name!r}") for name, each in written.items()}
    if not found:
        raise SpecError(f"{_title_of(function)} has no blanks: no annotated parameter that no fixture provides")
    return found


def _value_of(annotation: object, path: str) -> Value:
    from unlike.types.resolve import plain_value

    plain = plain_value(annotation)
    if plain is not None:
        return plain
    from unlike.types.terms import value_of_annotation  # types are read only for those who use them

    return value_of_annotation(annotation, path)


def written_for(function: Callable[..., object], asked: Asked, names: Iterable[str]) -> dict[str, object]:
    """Return what stands for each parameter: in the decorator, or as its annotation; refuse one with neither."""
    written = {name: asked.blanks[name] if name in asked.blanks else annotation_of(function, name) for name in names}
    for name, each in written.items():
        if each is inspect.Parameter.empty:
            raise SpecError(
                f"{_title_of(function)}: parameter {name!r} has neither an annotation nor a fixture; annotate it "
                f"({name}: Int(0, 9)), name it in blanks={{{name!r}: …}}, or write a fixture"
            )
    return written


def check_named(function: Callable[..., object], asked: Asked, parameters: Iterable[str]) -> None:
    """Refuse blanks that are no parameters of the test."""
    known = list(parameters)
    for name in [*asked.blanks, *(asked.spec.names if asked.spec is not None else ())]:
        if name not in known:
            raise SpecError(f"{_title_of(function)} has no parameter {name!r} to fill; {nearest(name, known)}")


def annotation_of(function: Callable[..., object], name: str) -> object:
    """Return the annotation of a parameter; one that was postponed is evaluated where the function was written."""
    from unlike.types.resolve import UnresolvedName, names_of_function, resolve, written_annotations

    inner = inspect.unwrap(function)
    written = written_annotations(inner).get(name, inspect.Parameter.empty)
    found = resolve(written, names_of_function(inner))
    if isinstance(found, UnresolvedName):
        missing = f"name {found.missing!r} is not defined" if found.missing else "it is no expression"
        raise SpecError(f"{_title_of(function)}: the annotation {found.text!r} of {name!r} cannot be read: {missing}")
    return found


def _title_of(function: object) -> str:
    return str(getattr(function, "__qualname__", function)).replace("<locals>.", "")
