"""`unlike.fields`: a field-exhaustive suite, asked for by a caller or by the test that it decorates."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, cast

from unlike.errors import SpecError
from unlike.testing.decorators import (
    Asked,
    Number,
    Provided,
    ask,
    check_number,
    check_options,
    classes_beside,
    source_of_module,
    widen_scope,
)

if TYPE_CHECKING:
    from unlike.field_exhaustive import FieldsKeywords, FieldSuiteResult
    from unlike.field_exhaustive.fewest import Few
    from unlike.invariants.verbs import StructuresKeywords
    from unlike.recipe import Recipe, Resolve
    from unlike.scope import Scope
    from unlike.suite import Suite

T = TypeVar("T")
BOUNDS = frozenset({"scope", "objects", "literals", "elements", "fields", "invariant"})
MOST_INPUTS = 20_000  # of a plain spec, out of which a few are chosen


class FieldSuite:
    """A field-exhaustive suite, made when it is first looked at; above a test, its cases become the test's items.

    Everything that a result has (`suite`, `structures`, `extensions`, `proved`, `bound`, `summary()`, …) is here.
    """

    def __init__(self, target: object, options: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
        self._target = target
        self._options = dict(options)
        self._asked = dict(asked)

    @functools.cached_property
    def result(self) -> FieldSuiteResult | Few:
        """The result, made now if it was not made before."""
        return _make_result(self._target, self._options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.result, name)

    def __call__(self, test: T) -> T:
        """Leave on a test what was asked; nothing is made until pytest collects it."""
        return ask(self._asked_of_test())(test)

    def _with_values(self, values: Mapping[str, object]) -> FieldSuite:
        scope = widen_scope(self._options["scope"], values)
        return FieldSuite(self._target, {**self._options, "scope": scope}, self._asked)

    def provided_here(self) -> Provided:
        """Return what fills a parameter of a test."""
        provided = self._asked_of_test().provided
        assert provided is not None
        return provided

    def _asked_of_test(self) -> Asked:
        target, options, asked = self._target, self._options, dict(self._asked)
        if not isinstance(target, type):
            raise SpecError(
                f"@unlike.fields({target!r}): above a test it takes a class, like @unlike.fields(Tree, scope=8)"
            )
        number: Number = asked.pop("n")

        def suite(wanted: Number, seconds: float | None) -> Suite:
            found: Suite = _make_result(target, {**options, "timeout": seconds}).suite
            return found if wanted == "all" else found.first(wanted)

        told = ("fields", source_of_module(target), target, sorted(options.items(), key=lambda option: option[0]))
        names = (target, *classes_beside((target,)))

        def check(inputs: Sequence[Mapping[str, Recipe]], resolve: Resolve) -> tuple[int, str] | None:
            from unlike.testing.sources.structures import first_not_accepted  # only when there is something saved

            recipes = [recipe for one in inputs for recipe in one.values()]
            bounds = {name: value for name, value in options.items() if name in BOUNDS}
            asked_for = cast("StructuresKeywords", bounds)
            return first_not_accepted(recipes, cls=target, options=asked_for, resolve=resolve)

        provided = Provided(
            suite,
            told,
            names,
            asked.pop("argument"),
            (target,),
            check=check,
            given=lambda values: self._with_values(values).provided_here(),
        )
        return Asked(n=number, provided=provided, timeout=options.get("timeout"), **asked)


def fields(
    target: object,
    scope: int | Scope = 3,
    *,
    n: Number = "all",
    argument: str | None = None,
    where: object = (),
    different: object = (),
    blanks: Mapping[str, object] | None = None,
    subtests: bool | None = None,
    **options: Unpack[FieldsKeywords],
) -> FieldSuite:
    """Show every feasible value of every field of a class within the scope, in a handful of structures.

    invariant  a method by name, or a function (rep_ok)      only       the fields that count: "left", "Node.left"
    smallest   go on until no smaller suite exists            numbering  "breadth-first" or "depth-first"
    engine     "auto", "clauses" or "search"                  timeout    seconds
    objects, literals, elements, fields                       the scope in detail, as for `unlike.structures`

    The result is made when it is first looked at. Above a test it is a decorator like `unlike.objects`: structures go
    to the parameter that `argument` names, or that is annotated with the class, or to the first one that is open. Of a
    Spec the fewest inputs are taken that show every value of every blank.
    """
    check_number(n)
    asked = {
        "n": n,
        "argument": argument,
        "where": where,
        "different": different,
        "blanks": dict(blanks or {}),
        "subtests": subtests,
    }
    return FieldSuite(target, {"scope": scope, **options}, asked)


def _make_result(target: object, options: Mapping[str, Any]) -> FieldSuiteResult | Few:
    from unlike.field_exhaustive import fields as make
    from unlike.language.spec import Spec

    check_options("fields()", options, make)
    if isinstance(target, Spec):
        from unlike.core import Isolation, record_of
        from unlike.field_exhaustive.fewest import fewest
        from unlike.specs.generate import generate

        limits = record_of(Isolation, options).of_one_process()
        suite = generate(target, MOST_INPUTS, timeout=options.get("timeout"), **limits)
        return fewest(suite, options.get("only", ()))
    return make(target, **options)
