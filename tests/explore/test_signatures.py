"""What can be called, where constructors and annotations are hard to read."""

import curiosities
import pytest
from curiosities import Checked, Code, Door, Made, Outer, Passing, Point, Ruled

from unlike.classes.api import Api, api_of
from unlike.errors import TargetError
from unlike.explore import explore
from unlike.scope import Scope


def values(api: Api, title: str) -> list[object]:
    """Return the arguments of every way to call an operation."""
    return [each.args for each in api.templates if each.operation.title == title]


def test_an_annotation_of_what_is_not_known_costs_no_other_one() -> None:
    api = api_of([Checked], Scope(objects=2))

    reasons = {refusal.title: str(refusal) for refusal in api.refusals}
    assert values(api, "Checked.add") == [(0,), (1,)]
    assert list(reasons) == ["Checked.pay"]
    assert "'price': no Decimal is known" in reasons["Checked.pay"]
    assert "--literals Checked.pay.price=" in reasons["Checked.pay"]


def test_a_method_named_like_a_type_does_not_hide_the_type() -> None:
    api = api_of([Checked], Scope(objects=1))

    assert values(api, "Checked.put") == [([],), ([False],), ([True],)]


def test_a_new_type_is_the_type_it_stands_for_unless_it_has_values_of_its_own() -> None:
    usual = api_of([Checked], Scope(objects=1))
    declared = api_of([Checked], Scope(objects=1, literals={Code.__name__: [404]}))

    assert values(usual, "Checked.code") == [(0, False), (0, True)]
    assert values(declared, "Checked.code") == [(404, False), (404, True)]


def test_typed_dicts_are_made_and_protocols_refused_by_name() -> None:
    api = api_of([curiosities.Asking], Scope(objects=2))

    reasons = {refusal.title: refusal.reason for refusal in api.refusals}
    assert list(reasons) == ["Asking.order"]
    assert values(api, "Asking.row")[0] == ({"key": 0},)
    assert "no Ordered is known" in reasons["Asking.order"]
    assert values(api, "Asking.either") == [(0,), (1,)]


@pytest.mark.parametrize(("cls", "arguments"), [(Made, [(0,), (1,)]), (Passing, [(False,), (True,)])])
def test_a_constructor_takes_what_new_or_init_says(cls: type, arguments: list[object]) -> None:
    assert values(api_of([cls], Scope(objects=2)), cls.__name__) == arguments


def test_a_metaclass_that_passes_all_on_leaves_the_parameters_of_the_class() -> None:
    assert explore(Ruled, scope=2, methods="-").states == 2


def test_a_typed_named_tuple_is_built_and_counted() -> None:
    result = explore(Point, scope=2, methods="moved")

    assert {case.value for case in result.suite} == {(x, name) for x in (0, 1) for name in ("p", "a", "b")}


def test_self_is_the_class_of_the_method_whatever_else_is_explored() -> None:
    api = api_of([Made, Ruled], Scope(objects=2))

    wanted = {each.wanted for each in api.templates if each.operation.name == "absorb"}
    assert wanted == {(Made, Made), (Made,), (Ruled, Ruled), (Ruled,)}


def test_a_class_within_a_class_is_known_by_its_short_name() -> None:
    result = explore(Outer, Outer.Inner, scope=2)

    assert result.api.refusals == ()
    assert {getattr(case.value.inner, "number", None) for case in result.suite if isinstance(case.value, Outer)} == {
        None, 0, 1,
    }  # fmt: skip


def test_leaving_a_context_is_a_call_and_a_coroutine_is_none() -> None:
    result = explore(Door, scope=2)

    assert {(case.value.open, case.value.times) for case in result.suite} == {  # type: ignore[attr-defined]
        (False, 0), (True, 0), (False, 1), (True, 1),
    }  # fmt: skip
    assert "Door.knock: it is asynchronous" in str(result.api.refusals[0])


def test_a_constructor_that_refuses_all_is_told_with_the_parameter_to_declare() -> None:
    with pytest.raises(TargetError, match=r"every constructor refused .*--literals Refusing\.number=…"):
        explore(curiosities.Refusing)


def test_a_protocol_has_no_objects_to_explore() -> None:
    with pytest.raises(TargetError, match="Ordered is a protocol, of which there are no objects"):
        api_of([curiosities.Ordered], Scope())
