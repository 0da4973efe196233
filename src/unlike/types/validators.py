"""What the validators of an attrs class leave of the type of a field.

    instance_of(bool) on int          ->  bool
    optional(ge(0)) on int | None     ->  Annotated[int, Ge(0)] | None
    ge(0) on int | None               ->  Annotated[int, Ge(0)], as None >= 0 raises
    deep_iterable(lt(9)) on list[int] ->  list[Annotated[int, Lt(9)]]

A validator that is not attrs' own, or negates or joins others, can only be asked: it becomes an OpaqueRule.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from unlike.recipe import CONTAINERS
from unlike.types import tree
from unlike.types.as_annotated import class_node
from unlike.types.rules import BoundRule, LengthRule, MemberRule, OpaqueRule, PatternRule, Rule


def validated_type(node: tree.TypeNode, validator: Any) -> tree.TypeNode:
    """Return a type under a validator of attrs."""
    match type(validator).__name__:
        case "NoneType":
            return node
        case "_AndValidator":
            for each in validator._validators:
                node = validated_type(node, each)
            return node
        case "_OptionalValidator":
            inner = validator.validator
            return _optional(node, inner if isinstance(inner, list | tuple) else [inner])
        case "_InstanceOfValidator":
            classes = validator.type if isinstance(validator.type, tuple) else (validator.type,)
            return _instances(node, classes)
        case "_DeepIterable":
            return _deep(node, validator.iterable_validator, [validator.member_validator], validator)
        case "_DeepMapping":
            members = [validator.key_validator, validator.value_validator]
            return _deep(node, validator.mapping_validator, members, validator)
    rule = _rule_of(validator)
    if isinstance(rule, OpaqueRule):
        return tree.with_rules(node, (rule,))
    if isinstance(rule, MemberRule):
        if isinstance(tree.bare_type(node), tree.AnyType):
            return tree.ListedType(rule.values)
        return tree.with_rules(node if None in rule.values else _without_none(node), (rule,))
    return tree.with_rules(_without_none(node), (rule,))


def _rule_of(validator: Any) -> Rule:
    match type(validator).__name__:
        case "_NumberValidator":
            operator = validator.compare_op
            return BoundRule("least" if operator.startswith(">") else "most", validator.bound, "=" not in operator)
        case "_MinLengthValidator":
            return LengthRule("least", validator.min_length)
        case "_MaxLengthValidator":
            return LengthRule("most", validator.max_length)
        case "_InValidator":
            return _members(validator.options)
        case "_MatchesReValidator":
            pattern = validator.pattern
            how = getattr(validator.match_func, "__name__", "fullmatch")
            text = pattern.pattern if how != "match" else rf"\A(?:{pattern.pattern})"
            return PatternRule(text, pattern.flags & ~32, search=how != "fullmatch")
    return _opaque(validator)


def _members(options: object) -> Rule:
    """Return the rule of a set of options, in their own order; for a set, which has none, in that of their texts."""
    if isinstance(options, str) or not isinstance(options, Iterable):
        return OpaqueRule(f"validator in_({options!r})", "attrs")  # parts of a text are in it, too
    values = list(options)
    return MemberRule(tuple(sorted(values, key=repr) if isinstance(options, set | frozenset) else values))


def _opaque(validator: Any) -> OpaqueRule:
    return OpaqueRule(f"validator {getattr(validator, '__qualname__', type(validator).__name__)}", "attrs")


def _optional(node: tree.TypeNode, validators: Iterable[Any]) -> tree.TypeNode:
    """Return a type whose values other than None are under validators."""
    match node:
        case tree.EitherType(alternatives):
            found = [(word, inner if _is_none(inner) else _optional(inner, validators)) for word, inner in alternatives]
            return _left_of(node, found)
        case tree.RuledType() | tree.NewNameType() if isinstance(tree.bare_type(node), tree.EitherType):
            return replace(node, inner=_optional(node.inner, validators))
    for each in validators:
        node = validated_type(node, each)
    return node


def _is_none(node: tree.TypeNode) -> bool:
    return isinstance(node, tree.ListedType) and node.values == (None,)


def _left_of(node: tree.TypeNode, alternatives: list[tuple[str, tree.TypeNode]]) -> tree.TypeNode:
    """Return a union of the alternatives of which values are left, or say that there are none."""
    kept = [(word, inner) for word, inner in alternatives if not isinstance(inner, tree.UnreadableType)]
    if not kept:
        return alternatives[0][1] if alternatives else _nothing(node, "None")
    return kept[0][1] if len(kept) == 1 else tree.EitherType(tuple(kept))


def _nothing(node: tree.TypeNode, wanted: str) -> tree.UnreadableType:
    remedy = "change the annotation or the validator"
    return tree.UnreadableType(tree.type_name(node), f"has no value that its validator takes: {wanted}", remedy)


def _without_none(node: tree.TypeNode) -> tree.TypeNode:
    match node:
        case tree.EitherType(alternatives):
            return _left_of(node, [(word, inner) for word, inner in alternatives if not _is_none(inner)])
        case tree.RuledType(inner) | tree.NewNameType(inner=inner):
            return replace(node, inner=_without_none(inner))
    return node


def _instances(node: tree.TypeNode, classes: tuple[type, ...]) -> tree.TypeNode:
    """Return what is left of a type once its values have to be instances of classes."""
    names = ", ".join(each.__name__ for each in classes)
    unclear = OpaqueRule(f"validator instance_of({names})", "attrs")
    match node:
        case tree.RuledType(inner) | tree.NewNameType(inner=inner):
            found = _instances(inner, classes)
            return found if isinstance(found, tree.UnreadableType) else replace(node, inner=found)
        case tree.EitherType(alternatives):
            return _left_of(node, [(word, _instances(inner, classes)) for word, inner in alternatives])
        case tree.ListedType(values):
            kept = tuple(each for each in values if isinstance(each, classes))
            return replace(node, values=kept) if kept else _nothing(node, f"instance_of({names})")
        case tree.AnyType():
            return _left_of(node, [(each.__name__, class_node(each)) for each in classes])
        case tree.PlainType(cls) | tree.ClassType(cls) | tree.FlagType(cls):
            held = cls
        case tree.ItemsType(kind=kind):
            held = CONTAINERS[kind]
        case tree.PlacesType():
            held = tuple
        case tree.MappingType():
            held = dict
        case _:
            return tree.with_rules(node, (unclear,))
    try:
        if issubclass(held, classes):
            return node
        narrower = [each for each in classes if issubclass(each, held)]
    except TypeError:  # a protocol, which allows no such question
        return tree.with_rules(node, (unclear,))
    if not narrower:
        return _nothing(node, f"instance_of({names})")
    if not isinstance(node, tree.PlainType | tree.ClassType):
        return tree.with_rules(node, (unclear,))  # a class derived from list says nothing of its items
    return _left_of(node, [(each.__name__, class_node(each)) for each in narrower])


def _deep(node: tree.TypeNode, whole: Any, members: list[Any], validator: Any) -> tree.TypeNode:
    """Return a container that is under a validator as a whole, and its items, or keys and values, under others."""
    if isinstance(node, tree.RuledType | tree.NewNameType):
        return replace(node, inner=_deep(node.inner, whole, members, validator))
    node = _without_none(validated_type(node, whole))
    inside = list(tree.inner_types(tree.bare_type(node)))
    match tree.bare_type(node):
        case tree.ItemsType() | tree.MappingType() as bare if len(inside) == len(members):
            found = [validated_type(inner, each) for inner, each in zip(inside, members, strict=True)]
        case _:
            return tree.with_rules(node, (_opaque(validator),))
    if any(isinstance(rule, OpaqueRule) for each in found for rule in tree.rules_on(each)):
        return tree.with_rules(node, (_opaque(validator),))
    if refused := [each for each in found if isinstance(each, tree.UnreadableType)]:
        return refused[0]
    changed = tree.MappingType(*found) if isinstance(bare, tree.MappingType) else replace(bare, item=found[0])
    return tree.with_rules(changed, tree.rules_on(node))
