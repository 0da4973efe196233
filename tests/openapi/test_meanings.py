"""The schemas of service descriptions mean in JSON Schema what they mean where they stand."""

import base64

import pytest
from openapi_schema_validator import OAS30Validator, OAS30WriteValidator, OAS31Validator

import unlike
from unlike import generate, invalid
from unlike.documents.openapi.api import ServiceApi
from unlike.errors import SpecError
from unlike.suite import Ending


def api(schemas, *, version="3.0.3", paths=None, **more):
    if version == "2.0":
        return ServiceApi({"swagger": "2.0", "paths": paths or {}, "definitions": schemas, **more}, "api.json")
    return ServiceApi(
        {"openapi": version, "paths": paths or {}, "components": {"schemas": schemas}, **more}, "api.json"
    )


def request(schemas, body, *, version="3.0.3"):
    """Return what is accepted as the body of a request."""
    path = {
        "post": {
            "operationId": "send",
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        }
    }
    found = api(schemas, version=version, paths={"/": path}).operation("send")
    return lambda value: found.accepts({"body": value})


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


VALUES = [
    None,
    True,
    "",
    "a",
    "abcd",
    "YQ==",
    "YWI=",
    -(2**63) - 1,
    -(2**31) - 1,
    -(2**31),
    -1,
    0,
    1,
    2,
    3.5,
    2**31 - 1,
    2**31,
    2**63,
    [],
    [1],
    ["a"],
    [None],
    {},
    {"a": None},
    {"a": 1},
    {"a": 1, "b": 2},
    {"a": "x", "b": "y"},
]
OLD = [
    {"type": "string", "nullable": True},
    {"type": "string", "nullable": False},
    {"type": "string", "nullable": True, "enum": ["a"]},
    {"type": "string", "nullable": True, "enum": ["a", None]},
    {"nullable": True, "allOf": [{"type": "string"}]},
    {"type": "array", "items": {"type": "integer", "nullable": True}},
    {"type": "object", "properties": {"a": {"type": "integer", "nullable": True}}},
    {"type": "object", "additionalProperties": {"type": "integer"}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False},
    {"type": "object", "minProperties": 1, "maxProperties": 1},
    {"type": "integer", "minimum": 0, "exclusiveMinimum": True},
    {"type": "integer", "minimum": 0, "exclusiveMinimum": False},
    {"type": "number", "maximum": 3.5, "exclusiveMaximum": True},
    {"type": "integer", "exclusiveMaximum": True},
    {"oneOf": [{"type": "integer", "minimum": 1}, {"type": "number", "maximum": 1}]},
    {"anyOf": [{"type": "integer"}, {"type": "string", "nullable": True}]},
    {"not": {"type": "string"}, "type": "integer"},
    {"enum": [1, "a", None, []]},
    {"type": "string", "minLength": 1, "maxLength": 2, "pattern": "^a"},
    {"type": "array", "uniqueItems": True, "minItems": 1, "items": {"type": "integer"}},
    {"type": "number", "multipleOf": 0.5},
    {"type": "boolean"},
    {"type": "string", "description": "d", "example": 1, "x-more": {"type": "integer"}, "deprecated": True},
]


@pytest.mark.parametrize("schema", OLD, ids=str)
def test_a_schema_of_3_0_accepts_what_another_validator_of_3_0_accepts(schema):
    other = OAS30Validator(schema)
    ours = api({"M": schema}).model("M")

    for value in VALUES:
        assert ours.accepts(value) == other.is_valid(value), value


NEW = [
    {"type": ["string", "null"]},
    {"type": "string", "nullable": True},  # says nothing in 3.1
    {"const": 1},
    {"exclusiveMinimum": 0, "type": "integer"},
    {"prefixItems": [{"type": "integer"}], "items": False},
    {"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "unevaluatedProperties": False},
    {"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"type": "integer"}},
    {"type": "object", "propertyNames": {"maxLength": 1}, "dependentRequired": {"a": ["b"]}},
    {"type": "array", "contains": {"type": "integer"}},
    {"dependentSchemas": {"a": {"properties": {"a": {"type": "integer"}}}}},
    True,
]


@pytest.mark.parametrize("schema", NEW, ids=str)
def test_a_schema_of_3_1_accepts_what_another_validator_of_3_1_accepts(schema):
    other = OAS31Validator({"allOf": [schema]})
    ours = api({"M": schema}, version="3.1.0").model("M")

    for value in VALUES:
        assert ours.accepts(value) == other.is_valid(value), value


def accepted(schema, version="3.0.3"):
    ours = api({"M": schema}, version=version).model("M")
    return [value for value in VALUES if ours.accepts(value)]


def values_of(schema, **schemas):
    return generate(api({"M": schema, **schemas}).model("M")).values


def test_sizes_of_numbers_are_hints():
    assert accepted({"type": "integer", "format": "int32"}) == accepted({"type": "integer"})
    assert {-(2**31), 2**31 - 1} <= set(values_of({"type": "integer", "format": "int32"}))
    assert {2, 2**63 - 1} <= set(values_of({"type": "integer", "format": "int64", "minimum": 2}))
    assert {2**40, 2**41} <= set(values_of({"type": "integer", "format": "int32", "maximum": 2**41, "minimum": 2**40}))


def test_a_size_of_numbers_is_no_rule_that_could_be_broken():
    model = api({"M": {"type": "integer", "format": "int32"}}).model("M")

    assert all("minimum" not in case.label and "maximum" not in case.label for case in invalid(model))


def test_bytes_are_base64():
    assert accepted({"type": "string", "format": "byte"}) == accepted({"type": "string"})
    assert all(
        base64.b64decode(text, validate=True) is not None for text in values_of({"type": "string", "format": "byte"})
    )


def test_beside_a_reference_3_0_says_nothing_and_3_1_says_more():
    schemas = {"T": {"type": "string"}, "M": {**ref("T"), "minLength": 3}}

    assert api(schemas).model("M").accepts("a")
    assert not api(schemas, version="3.1.0").model("M").accepts("a")
    assert api(schemas, version="3.1.0").model("M").accepts("abc")


def test_names_with_odd_characters_are_referred_to():
    schemas = {"a b/c~d%20é": {"type": "integer"}, "M": {"$ref": "#/components/schemas/a%20b~1c~0d%2520%C3%A9"}}

    assert api(schemas).model("M").accepts(1)
    assert not api(schemas).model("M").accepts("a")


def test_two_schemas_of_one_name_stay_apart():
    schemas = {
        "A": {"type": "object", "properties": {"x": {"type": "integer"}}},
        "M": {"type": "array", "items": {"oneOf": [ref("A/properties/x"), ref("B/properties/x")]}},
        "B": {"properties": {"x": {"type": "string"}}},
    }

    assert api(schemas).model("M").accepts([1, "a"])
    assert not api(schemas).model("M").accepts([None])


def test_recursion_stays():
    tree = {"type": "object", "properties": {"left": ref("T"), "right": ref("T")}, "additionalProperties": False}

    found = api({"T": tree}).model("T")

    assert found.accepts({"left": {"right": {}}})
    assert not found.accepts({"left": {"right": 1}})


# what is only read


def test_what_is_only_read_is_not_sent_and_a_model_has_it():
    schema = {
        "type": "object",
        "required": ["id", "name"],
        "additionalProperties": False,
        "properties": {
            "id": {"type": "integer", "readOnly": True},
            "name": {"type": "string"},
            "key": {"type": "string", "writeOnly": True},
        },
    }
    sent, other = request({}, schema), OAS30WriteValidator(schema)

    for value in [{}, {"name": "x"}, {"name": "x", "id": 1}, {"name": "x", "key": "k"}, {"name": 1}]:
        assert sent(value) == other.is_valid(value), value
    assert api({"M": schema}).model("M").accepts({"name": "x", "id": 1, "key": "k"})
    assert not api({"M": schema}).model("M").accepts({"name": "x"})


def test_a_part_may_require_what_another_part_only_reads():
    schemas = {
        "Base": {"type": "object", "properties": {"id": {"type": "integer", "readOnly": True}}},
        "Strict": {"type": "object", "required": ["id", "name"], "properties": {"name": {"type": "string"}}},
        "Both": {"allOf": [ref("Base"), ref("Strict"), {"required": ["id"]}]},
    }
    sent = request(schemas, {"type": "object", "properties": {"both": ref("Both"), "strict": ref("Strict")}})

    assert sent({"both": {"name": "x"}})
    assert not sent({"both": {}})
    assert not sent({"strict": {"name": "x"}})  # nobody says there that it is only read


def test_a_property_may_be_only_read_where_it_is_referred_to():
    schemas = {"Id": {"type": "integer", "readOnly": True}, "Plain": {"type": "integer"}}
    body = {
        "type": "object",
        "required": ["id", "n"],
        "properties": {"id": ref("Id"), "n": {**ref("Plain"), "readOnly": True}},
    }

    assert request(schemas, body, version="3.1.0")({})
    assert request(schemas, body)({"n": 1})
    assert not request(schemas, body)({})  # 3.0 says nothing beside a reference


# discriminators

PETS = {
    "Cat": {"type": "object", "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
    "Dog": {"type": "object", "properties": {"kind": {"type": "string"}, "lives": {"type": "string"}}},
}


def kinds_of(model, cover="each"):
    return {value.get("kind") for value in generate(model, cover=cover).values if isinstance(value, dict)}


@pytest.mark.parametrize("word", ["oneOf", "anyOf"])
def test_a_discriminator_is_a_hint_and_changes_nothing_of_what_is_valid(word):
    pet = {word: [ref("Cat"), ref("Dog")], "discriminator": {"propertyName": "kind"}}
    found = api({**PETS, "Pet": pet}).model("Pet")

    assert found.accepts({"kind": "Dog", "lives": 9})
    assert found.accepts({"lives": 9})
    assert not found.accepts({"kind": "Cat", "lives": None})
    assert kinds_of(found) == {"Cat", "Dog"}


@pytest.mark.parametrize("mapping", [{}, {"mapping": {"a": "Cat", "b": "Dog"}}])
def test_a_discriminator_gives_way_to_what_the_alternatives_say(mapping):
    schemas = {
        name: {"type": "object", "required": ["kind"], "properties": {"kind": {"enum": [value]}}}
        for name, value in (("Cat", "cat"), ("Dog", "dog"))
    }
    pet = {"oneOf": [ref("Cat"), ref("Dog")], "discriminator": {"propertyName": "kind", **mapping}}
    found = api({**schemas, "Pet": pet}).model("Pet")

    assert kinds_of(found) == {"cat", "dog"}
    assert generate(found).status.ending is Ending.SHOWN


def test_a_mapping_names_alternatives_by_address_or_by_name():
    mapping = {"c": "#/components/schemas/Cat", "k": "#/components/schemas/Cat", "d": "Dog"}
    pet = {"oneOf": [ref("Cat"), ref("Dog")], "discriminator": {"propertyName": "kind", "mapping": mapping}}
    found = api({**PETS, "Pet": pet}).model("Pet")

    assert kinds_of(found) == {"c", "k", "d"}


def family(discriminator, root="#/components/schemas"):
    def to(name):
        return {"$ref": f"{root}/{name}"}

    return {
        "Pet": {
            "type": "object",
            "required": ["kind"],
            "properties": {"kind": {"type": "string"}},
            "discriminator": discriminator,
        },
        "Cat": {
            "allOf": [
                to("Pet"),
                {"type": "object", "required": ["lives"], "properties": {"lives": {"type": "integer"}}},
            ]
        },
        "Tiger": {"allOf": [to("Cat"), {"type": "object", "required": ["stripes"]}]},
        "Dog": {"allOf": [to("Pet"), {"type": "object", "properties": {"lives": {"type": "string"}}}]},
        "Stone": {"type": "object"},
    }


@pytest.mark.parametrize("version", ["2.0", "3.0.0", "3.1.0"])
def test_a_schema_with_heirs_is_one_of_them(version):
    found = api(
        family("kind", "#/definitions") if version == "2.0" else family({"propertyName": "kind"}), version=version
    )
    pet, cat = found.model("Pet"), found.model("Cat")

    assert pet.accepts({"kind": "Cow"})  # as the schema says, and a discriminator does not change it
    assert not pet.accepts({})
    assert kinds_of(pet) == {"Pet", "Cat", "Tiger", "Dog"}
    assert not cat.accepts({"kind": "Cat"})  # a cat has lives
    assert kinds_of(cat) == {"Cat"}


def test_a_mapping_of_heirs_leaves_out_the_schema_itself():
    mapping = {"c": "#/components/schemas/Cat", "d": "Dog"}
    pet = api(family({"propertyName": "kind", "mapping": mapping})).model("Pet")

    assert kinds_of(pet) == {"c", "d", "Tiger"}
    assert pet.accepts({"kind": "anything"})


def test_what_extends_a_schema_is_shown_with_its_own_properties():
    pet = api(family({"propertyName": "kind"})).model("Pet")
    by_kind = {}
    for value in generate(pet, cover="pairs").values:
        by_kind.setdefault(value["kind"], []).append(value)

    assert all(isinstance(value["lives"], int) for kind in ("Cat", "Tiger") for value in by_kind[kind])
    assert all("stripes" in value for value in by_kind["Tiger"])
    assert all(isinstance(value.get("lives", ""), str) for value in by_kind["Dog"])


def test_a_reference_wrapped_in_all_of_means_the_whole_family():
    schemas = {
        **family({"propertyName": "kind"}),
        "Owner": {"properties": {"pet": {"allOf": [ref("Pet")], "description": "d"}}},
    }
    owner = api(schemas).model("Owner")
    pets = [value["pet"] for value in generate(owner).values if isinstance(value, dict) and "pet" in value]

    assert {pet["kind"] for pet in pets} == {"Pet", "Cat", "Tiger", "Dog"}


# what is refused


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "strin"}, r"api\.json#/components/schemas/M/type: 'strin' is no type"),
        ({"$id": "http://x"}, r"\$id is not supported in service descriptions"),
        ({"$dynamicRef": "#x"}, r"\$dynamicRef is not supported"),
        (5, r"api\.json#/components/schemas/M: 5 is no object"),
        ({"minLength": "x"}, r"^'api\.json', M: .*'x' is not of type 'integer' \(at /\$defs/M/minLength\); correct it"),
        ({"properties": {"a": {"enum": None}}}, r"None is not of type 'array' \(at /\$defs/M/properties/a/enum\)"),
        ({"required": [[]]}, r"\[\] is not of type 'string' \(at /\$defs/M/required/0\)"),
        ({"pattern": 5}, r"5 is not of type 'string' \(at /\$defs/M/pattern\)"),
        ({"properties": []}, r"schemas/M/properties: \[\] is no object"),
        ({"allOf": {}}, r"schemas/M/allOf: \{\} is no list"),
        ({"allOf": ["x"]}, r"schemas/M/allOf/0: 'x' is no object"),
        (
            {"$ref": "#/components/schemas/Mx"},
            r"schemas/M: \$ref '#/components/schemas/Mx' leads nowhere: there is no 'Mx'; did you mean 'M'",
        ),
        ({"$ref": "#nowhere"}, r"no \$anchor 'nowhere' is to be found"),
        (
            {"$ref": "http://example.com/a.json#/x"},
            r"schemas/M: \$ref 'http://example\.com/a\.json' .*--resolve http://example\.com/a\.json=FILE",
        ),
        ({"$ref": "no_such_file.yaml"}, r"there is no file .*no_such_file\.yaml"),
        ({"discriminator": {"propertyName": 5}, "oneOf": []}, r"propertyName: 5 is no string"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(schema, said):
    with pytest.raises(SpecError, match=said):
        api({"M": schema}, version="3.1.0").model("M")


def test_references_in_a_circle_are_refused():
    path = {"get": {"operationId": "g", "parameters": [{"$ref": "#/components/parameters/a"}]}}
    found = ServiceApi(
        {
            "openapi": "3.0.0",
            "paths": {"/": path},
            "components": {"parameters": {"a": {"$ref": "#/components/parameters/a"}}},
        },
        "api.json",
    )

    with pytest.raises(SpecError, match=r"get/parameters/0: its \$ref leads round in a circle"):
        found.operation("g")


@pytest.mark.parametrize("version", ["3.0.0", "3.1.0"])
def test_models_in_a_circle_are_named_as_the_description_names_them(version):
    with pytest.raises(SpecError, match=r"#/components/schemas/A: its \$ref leads round in a circle"):
        api({"A": ref("B"), "B": ref("A")}, version=version).model("A").read()


def test_a_label_names_a_member_of_a_family_as_one_reads_it():
    labels = {case.label for case in unlike.generate(api(family({"propertyName": "kind"})).model("Pet"))}

    assert any(label.startswith("value: Pet itself; ") for label in labels)
    assert not any("%" in label for label in labels)
