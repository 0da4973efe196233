"""Legal inputs of a test together with inputs that break one rule each, and whether each is legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from unlike.errors import SpecError
from unlike.indexed import Listed
from unlike.recipe import Items, Recipe, Resolve, run
from unlike.structure.validity import broken_rules
from unlike.suite import Case, Suite
from unlike.testing.decorators import Asked, Number, Provided
from unlike.testing.sources.suites import LEGAL
from unlike.testing.sources.typed import invalid_inputs, typed_inputs
from unlike.typed.literals import annotations_of
from unlike.typed.mixed import mix_of, mix_suites
from unlike.typed.pattern_texts import pattern_alone
from unlike.types.choices import shape_of


def mixed_inputs(written: Mapping[str, object], asked: Asked, *, tells: bool) -> Provided:
    """Return a mix of inputs; where the test has a parameter for it, each `tells` whether it is legal."""
    mix = mix_of(asked.mix)
    if asked.invalid:
        raise SpecError(
            f"mix={asked.mix!r} and invalid=True contradict each other; give one of them (invalid is mix=1)"
        )
    if asked.spec is not None:
        if pattern_alone(asked.spec) is None:
            raise SpecError(f"{asked.spec!r} is a Spec of more than one pattern; a mix is made from types or a pattern")
        written = asked.spec.blanks
    legal = typed_inputs(written, replace(asked, spec=None))
    broken = invalid_inputs(written, replace(asked, where=(), different=()))
    alone = (
        asked.literals is None
        and asked.where == ()
        and asked.different == ()
        and (asked.cover, not asked.combined) == (None, True)
        and pattern_alone(written) is not None
    )
    shape = shape_of(written, literals=annotations_of(asked.literals))

    def suite(n: Number, timeout: float | None) -> Suite:
        if alone:
            from unlike.typed.verbs import generate  # a replay never comes here

            found = generate(written, n, mix=asked.mix, seed=asked.seed, timeout=timeout)
        else:
            found = mix_suites(
                n, mix, lambda some: legal.suite(some, timeout), lambda some: broken.suite(some, timeout)
            )
        return replace(found, cases=Listed([with_legal(case) for case in found])) if tells else found

    def check(inputs: Sequence[Mapping[str, Recipe]], resolve: Resolve) -> tuple[int, str] | None:
        assert legal.check is not None
        for position, recipes in enumerate(inputs):
            values = {name: run(recipe, resolve) for name, recipe in recipes.items()}
            said = values.pop(LEGAL) if tells else None
            if tells and not isinstance(said, bool):
                return position, f"its parameter {LEGAL!r} is {said!r}, and ought to be True or False"
            wrong = legal.check([{name: recipes[name] for name in values}], resolve)
            if wrong is not None and (said is True or (asked.code is None and broken_rules(shape, values) != 1)):
                return position, wrong[1]
            if wrong is None and said is False:
                return position, "it breaks no rule of the types, and ought to break one"
        return None

    keys = (*written, LEGAL) if tells else tuple(written)
    told = ("mixed", *legal.told, asked.cover, str(asked.mix), tells)
    return Provided(suite, told, legal.names, keys=keys, check=check)


def with_legal(case: Case) -> Case:
    """Return a case with one parameter more: whether it is legal."""
    whole = case.recipe.result
    assert isinstance(whole, Items)
    return replace(case, recipe=replace(case.recipe, result=replace(whole, items=(*whole.items, LEGAL, case.legal))))
