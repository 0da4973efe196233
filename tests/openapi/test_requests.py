"""Operations become schemas of their requests: parameters by where they are, and the body."""

import contextlib
import copy
import json
from pathlib import Path

import pytest

import unlike
from unlike import generate
from unlike.documents.files import read_document
from unlike.documents.openapi.api import ServiceApi, read_api
from unlike.documents.spec_files import spec
from unlike.errors import SpecError

LIBRARY = Path(__file__).parent.parent.parent / "examples" / "specs" / "library.yaml"


def service(operation, *, shared=None, version="3.0.3", path="/things/{id}", **more):
    said = {"swagger": "2.0"} if version == "2.0" else {"openapi": version}
    item = {"post": {"operationId": "send", **operation}, **({"parameters": shared} if shared else {})}
    return ServiceApi({**said, "paths": {path: item}, **more}, "api.json")


def parameter(name, where, schema=None, **more):
    return {"name": name, "in": where, "schema": schema or {"type": "string"}, **more}


def test_parameters_stand_under_the_place_they_are_sent_in():
    parameters = [
        parameter("id", "path", {"type": "integer"}),
        parameter("q", "query", required=True),
        parameter("page", "query", {"type": "integer"}),
        parameter("X-Key", "header"),
        parameter("session", "cookie"),
    ]
    found = service({"parameters": parameters}).operation("send")

    whole = {"path": {"id": 1}, "query": {"q": "x", "page": 1}, "header": {"X-Key": "k"}, "cookie": {"session": "s"}}
    assert found.accepts(whole)
    assert found.accepts({"path": {"id": 1}, "query": {"q": "x"}, "header": {}, "cookie": {}})
    assert not found.accepts({**whole, "path": {}})  # what is in a path is always needed
    assert not found.accepts({**whole, "query": {"page": 1}})
    assert not found.accepts({**whole, "query": {"q": "x", "other": 1}})
    assert not found.accepts({**whole, "body": 1})


def test_a_text_in_a_path_is_not_empty():
    found = service({"parameters": [parameter("id", "path"), parameter("q", "query")]}).operation("send")

    assert found.accepts({"path": {"id": "x"}, "query": {"q": "y"}})
    assert not found.accepts({"path": {"id": ""}, "query": {}})


def test_only_rules_of_the_description_are_broken():
    parameters = [
        parameter("id", "path"),
        parameter("a~b", "path", {"type": "string", "minLength": 3}),
        parameter("n", "path", {"type": "integer"}),
        parameter("q", "query", {"type": "integer", "maximum": 5}, required=True),
    ]
    found = service(
        {"parameters": parameters, **body(("application/json", {"type": "integer"}), required=True)},
        path="/things/{id}/{a~b}/{n}",
    ).operation("send")

    suite = unlike.invalid(found)

    broken = {case.label.split(" (")[0] for case in suite}
    assert broken == {
        "path.a~b: minLength",
        "path.n: type",
        "query.q: type",
        "query.q: maximum",
        "query.q: required",
        "body: type",
        "body: required",
        "body: no JSON",
        "content_type: application/x-unknown is none of the operation's",
    }
    assert suite.status.ending is unlike.Ending.SHOWN
    assert "no text breaks path.a~b type, path.id type" in str(suite.status)
    assert not any(found.accepts(value) for value in suite.values)


def test_an_operation_says_more_than_its_path():
    shared = [parameter("id", "path"), parameter("q", "query", {"type": "integer"})]
    found = service({"parameters": [parameter("q", "query", {"type": "boolean"})]}, shared=shared).operation("send")

    assert found.accepts({"path": {"id": "x"}, "query": {"q": True}})
    assert not found.accepts({"path": {"id": "x"}, "query": {"q": 1}})


def test_headers_that_are_said_elsewhere_are_no_parameters():
    parameters = [parameter(name, "header") for name in ("Accept", "content-type", "Authorization")]

    assert service({"parameters": parameters}, path="/").operation("send").accepts({})


def test_a_parameter_may_have_content():
    content = {"name": "filter", "in": "query", "content": {"application/json": {"schema": {"type": "array"}}}}
    found = service({"parameters": [content]}, path="/").operation("send")

    assert found.accepts({"query": {"filter": []}})
    assert not found.accepts({"query": {"filter": "x"}})


def body(*media, required=None):
    content = {name: {"schema": schema} for name, schema in media}
    return {"requestBody": {"content": content, **({} if required is None else {"required": required})}}


def test_a_body_may_be_left_out_unless_it_is_required():
    number = ("application/json", {"type": "integer"})

    assert service(body(number)).operation("send").accepts({})
    assert not service(body(number, required=True)).operation("send").accepts({})
    assert service(body(number, required=True)).operation("send").accepts({"body": 5})


@pytest.mark.parametrize(
    "json_media", ["application/json", "application/json; charset=utf-8", "application/vnd.x+json"]
)
def test_the_body_is_json_where_it_can_be_and_else_of_the_media_asked_for(json_media):
    found = service(body(("text/plain", {"type": "string"}), (json_media, {"type": "integer"}), required=True))

    assert found.operation("send").accepts({"body": 1})
    assert found.operation("send", media="text/plain").accepts({"body": "x"})
    assert found.operations["send"].media() == ["text/plain", json_media]
    with pytest.raises(SpecError, match="has no body of 'text/plan'; did you mean 'text/plain'"):
        found.operation("send", media="text/plan")


def test_a_media_type_of_nothing_is_refused():
    with pytest.raises(SpecError, match="has no body, so no media type 'text/plain'"):
        service({}).operation("send", media="text/plain")


def test_swagger_sends_bodies_and_forms():
    item = {"in": "body", "name": "item", "required": True, "schema": {"$ref": "#/definitions/Item"}}
    found = service({"parameters": [item]}, version="2.0", definitions={"Item": {"type": "integer"}}).operation("send")
    assert found.accepts({"body": 1})
    assert not found.accepts({"body": "x"})
    assert not found.accepts({})

    form = [
        {"in": "formData", "name": "file", "type": "file", "required": True},
        {"in": "formData", "name": "note", "type": "string", "maxLength": 2},
        {"in": "query", "name": "many", "type": "array", "items": {"type": "integer"}, "collectionFormat": "multi"},
        {"in": "path", "name": "id", "type": "integer", "format": "int32", "required": True},
    ]
    found = service({"parameters": form}, version="2.0").operation("send")
    assert found.accepts({"path": {"id": 1}, "query": {"many": [1]}, "body": {"file": "x", "note": "y"}})
    assert not found.accepts({"path": {"id": 1}, "query": {}, "body": {"note": "y"}})
    assert all(abs(value["path"]["id"]) <= 2**31 for value in generate(found).values)  # int32, a hint
    assert not found.accepts({"path": {"id": 1}, "query": {}, "body": {"file": "x", "note": "long"}})


def test_swagger_says_what_it_consumes():
    form = {"in": "formData", "name": "a", "type": "string"}
    described = service({"parameters": [form]}, version="2.0", consumes=["text/xml"])

    assert described.operations["send"].media() == ["text/xml"]
    plain = service({"parameters": [form]}, version="2.0")
    assert plain.operations["send"].media() == ["application/x-www-form-urlencoded"]
    nothing = service({}, version="2.0")
    assert nothing.operations["send"].media() == []


def test_parameters_and_bodies_may_be_referred_to():
    components = {
        "parameters": {"Q": parameter("q", "query", required=True)},
        "requestBodies": {"B": {"required": True, "content": {"application/json": {"schema": {"type": "integer"}}}}},
    }
    operation = {
        "parameters": [{"$ref": "#/components/parameters/Q"}],
        "requestBody": {"$ref": "#/components/requestBodies/B"},
    }
    found = service(operation, components=components).operation("send")

    assert found.accepts({"query": {"q": "x"}, "body": 1})
    assert not found.accepts({"query": {}, "body": 1})


def test_operations_go_by_their_id_or_by_method_and_path():
    contents = {
        "openapi": "3.1.0",
        "paths": {
            "/a": {"get": {"operationId": "one"}, "post": {}},
            "/b": {"$ref": "#/components/pathItems/B"},
            "x-no": 1,
        },
        "webhooks": {"called": {"post": {"operationId": "hook"}}},
        "components": {"pathItems": {"B": {"delete": {"operationId": "two"}}}, "schemas": {"one": {"type": "null"}}},
    }
    found = ServiceApi(contents, "api.json")

    assert list(found.operations) == ["one", "POST /a", "two", "hook"]
    assert found.operation("get /a").name == "one"
    assert list(found) == ["one", "POST /a", "two", "hook"]
    assert found["one"].accepts(None)  # a model of the same name goes first
    assert found["GET /a"].accepts({})
    assert len(found) == 4


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tow", r"has no operation 'tow'; did you mean 'two'"),
        ("GET /aa", "did you mean 'GET /a'"),
        ("zzz", "there are: one, two"),
    ],
)
def test_a_misspelt_operation_is_told_its_nearest(name, said):
    contents = {
        "openapi": "3.0.0",
        "paths": {"/a": {"get": {"operationId": "one"}}, "/b": {"get": {"operationId": "two"}}},
    }

    with pytest.raises(SpecError, match=said):
        ServiceApi(contents, "api.json").operation(name)


def test_a_misspelt_model_is_told_its_nearest():
    found = ServiceApi({"swagger": "2.0", "paths": {}, "definitions": {"Pet": {}, "Owner": {}}}, "api.json")

    with pytest.raises(SpecError, match="has no model 'Pets'; did you mean 'Pet'"):
        found.model("Pets")
    with pytest.raises(SpecError, match="has no model and no operation 'Ownr'; did you mean 'Owner'"):
        found["Ownr"]


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        ({"info": {}}, "is no service description"),
        ([], "is no service description"),
        ({"openapi": "4.0.0"}, r"is of version 4\.0; read are 2\.0, 3\.0, 3\.1, 3\.2"),
        ({"swagger": "1.2"}, r"is of version 1\.2"),
        ({"openapi": 4}, "is no service description"),
        ({"openapi": "3.0.0", "paths": []}, r"api\.json#/paths: \[\] is no object"),
        ({"openapi": "3.0.0", "paths": {"/": 1}}, r"api\.json#/paths/~1: 1 is no object"),
        ({"openapi": "3.0.0", "paths": {"/": {"get": 1}}}, r"#/paths/~1/get: 1 is no object"),
        ({"openapi": "3.0.0", "paths": {"/": {"get": {"operationId": 1}}}}, r"operationId: 1 is no string"),
        (
            {"openapi": "3.0.0", "paths": {"/": {"get": {"operationId": "a"}, "put": {"operationId": "a"}}}},
            r"PUT / and GET / are both called 'a'|GET / and PUT /",
        ),
        (
            {"openapi": "3.0.0", "paths": {"/": {"get": {"operationId": "a", "parameters": [{"in": "query"}]}}}},
            r"parameters/0: a parameter says its name",
        ),
        (
            {"openapi": "3.0.0", "paths": {"/": {"get": {"operationId": "a", "parameters": {}}}}},
            r"parameters: \{\} is no list",
        ),
    ],
)
def test_a_description_that_is_none_is_told_with_its_place(contents, said):
    with pytest.raises(SpecError, match=said):
        read_all(contents)


def read_all(contents):
    found = ServiceApi(contents, "api.json")
    return [found.operation(name) for name in found.operations]


def places(data, path=()):
    """Yield the path to everything in a document."""
    yield path
    for step in data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
        yield from places(data[step], (*path, step))


@pytest.mark.few(2)
@pytest.mark.parametrize("wrong", [None, 1, "x", [], {}, True, ["x"], {"x": 1}], ids=repr)
def test_whatever_stands_in_a_description_is_read_or_refused(wrong):
    library = read_document(LIBRARY)

    for path in list(places(library))[1::9]:
        broken = copy.deepcopy(library)
        inside = broken
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = wrong
        with contextlib.suppress(SpecError):
            found = ServiceApi(broken, str(LIBRARY))
            for name in found:
                found[name]


@pytest.fixture
def split(tmp_path):
    """Return a description whose parts are in other files, some under an address."""
    (tmp_path / "api.yaml").write_text(
        "openapi: 3.0.0\npaths:\n  /: {$ref: 'parts/paths.yaml#/root'}\ncomponents:\n  schemas:\n"
        "    Far: {$ref: 'https://example.com/far.json#/Far'}\n    Near: {$ref: 'parts/models.json'}\n"
    )
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "paths.yaml").write_text(
        "root:\n  get:\n    operationId: look\n    parameters:\n"
        "      - {name: q, in: query, required: true, schema: {$ref: 'models.json#/properties/a'}}\n"
    )
    model = {"type": "object", "properties": {"a": {"type": "integer", "nullable": True}, "self": {"$ref": "#"}}}
    (tmp_path / "parts" / "models.json").write_text(json.dumps(model))
    (tmp_path / "far.json").write_text(json.dumps({"Far": {"type": "string", "nullable": True}}))
    return tmp_path


def test_other_files_are_read_and_mean_what_the_description_means(split):
    found = read_api(split / "api.yaml")

    assert found.operation("look").said.at("/properties/query").accepts({"q": None})  # nullable, as the file means it
    assert not found.operation("look").accepts({"query": {"q": None}})  # but null cannot be sent
    assert found.operation("look").accepts({"query": {"q": 1}})
    assert not found.operation("look").accepts({"query": {"q": "x"}})
    assert found.model("Near").accepts({"self": {"self": {"a": None}}})
    assert not found.model("Near").accepts({"self": {"self": {"a": "x"}}})


def test_an_address_is_never_fetched_and_a_file_stands_for_it(split, monkeypatch):
    monkeypatch.setattr("socket.socket", None)

    with pytest.raises(SpecError, match=r"--resolve https://example\.com/far\.json=FILE"):
        read_api(split / "api.yaml").model("Far")

    found = read_api(split / "api.yaml", resolve={"https://example.com/far.json": split / "far.json"}).model("Far")
    assert found.accepts(None)
    assert not found.accepts(1)


def test_a_spec_file_may_be_a_description(split):
    assert spec(split / "api.yaml")["Near"].accepts({})
    assert list(spec(split / "api.yaml")) == ["Far", "Near", "look"]
