"""Values become requests that can be sent, and others read of them what was meant."""

import base64
import http.server
import json
import shutil
import socket
import subprocess
import threading
from pathlib import Path
from urllib.parse import parse_qsl

import httpx
import pytest
from bench.request_judge import differences
from tests import warm
from werkzeug.formparser import parse_form_data
from werkzeug.test import EnvironBuilder

import unlike
from unlike import generate
from unlike.cli import main
from unlike.documents.openapi.api import ServiceApi, read_api
from unlike.errors import SpecError
from unlike.request import Request, request_of_data
from unlike.suite import Ending
from unlike.writers.requests import curl_line, httpx_call, raw_http

ROOT = Path(__file__).parent.parent.parent
SHOP = ROOT / "examples" / "specs" / "shop.yaml"
SHARED = ROOT.parent / "shared" / "data" / "openapi"
COLOURS, RGB = ["blue", "black", "brown"], {"R": 100, "G": 200, "B": 150}


def service(*parameters, path="/x", version="3.1.0", method="post", operation=None, **more):
    said = {"swagger": "2.0"} if version == "2.0" else {"openapi": version}
    return ServiceApi(
        {
            **said,
            "paths": {path: {method: {"operationId": "send", "parameters": list(parameters), **(operation or {})}}},
        }
        | more,
        "api.json",
    )


def sent(api, value, **options):
    return api.operation("send", **options).request(value)


def parameter(where, schema=None, **more):
    return {"name": "color", "in": where, "required": True, "schema": schema or {}, **more}


# the table "Style Examples" of OpenAPI 3.1.1; what it calls n/a is left out
STYLES = [
    ("path", "matrix", False, "blue", ";color=blue"),
    ("path", "matrix", False, COLOURS, ";color=blue,black,brown"),
    ("path", "matrix", False, RGB, ";color=R,100,G,200,B,150"),
    ("path", "matrix", True, COLOURS, ";color=blue;color=black;color=brown"),
    ("path", "matrix", True, RGB, ";R=100;G=200;B=150"),
    ("path", "label", False, "blue", ".blue"),
    ("path", "label", False, COLOURS, ".blue,black,brown"),
    ("path", "label", False, RGB, ".R,100,G,200,B,150"),
    ("path", "label", True, COLOURS, ".blue.black.brown"),
    ("path", "label", True, RGB, ".R=100.G=200.B=150"),
    ("path", "simple", False, "blue", "blue"),
    ("path", "simple", False, COLOURS, "blue,black,brown"),
    ("path", "simple", False, RGB, "R,100,G,200,B,150"),
    ("path", "simple", True, COLOURS, "blue,black,brown"),
    ("path", "simple", True, RGB, "R=100,G=200,B=150"),
    ("header", "simple", False, COLOURS, "blue,black,brown"),
    ("header", "simple", True, RGB, "R=100,G=200,B=150"),
    ("query", "form", False, "blue", "color=blue"),
    ("query", "form", False, COLOURS, "color=blue,black,brown"),
    ("query", "form", False, RGB, "color=R,100,G,200,B,150"),
    ("query", "form", True, COLOURS, "color=blue&color=black&color=brown"),
    ("query", "form", True, RGB, "R=100&G=200&B=150"),
    ("query", "spaceDelimited", False, COLOURS, "color=blue%20black%20brown"),
    ("query", "spaceDelimited", False, RGB, "color=R%20100%20G%20200%20B%20150"),
    ("query", "pipeDelimited", False, COLOURS, "color=blue%7Cblack%7Cbrown"),
    ("query", "pipeDelimited", False, RGB, "color=R%7C100%7CG%7C200%7CB%7C150"),
    ("query", "deepObject", True, RGB, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
    ("cookie", "form", False, "blue", "color=blue"),
    ("cookie", "form", False, COLOURS, "color=blue,black,brown"),
    ("cookie", "form", True, RGB, "R=100; G=200; B=150"),
]


def in_place(request, where):
    match where:
        case "path":
            return request.path.removeprefix("/x/")
        case "query":
            return request.query
        case "header":
            return dict(request.headers)["color"]
    return dict(request.all_headers)["Cookie"]


@pytest.mark.parametrize(("where", "style", "explode", "value", "text"), STYLES)
def test_a_parameter_is_written_as_the_table_of_the_standard_says(where, style, explode, value, text):
    schema = {"type": {str: "string", list: "array", dict: "object"}[type(value)]}
    api = service(
        parameter(where, schema, style=style, explode=explode), path="/x/{color}" if where == "path" else "/x"
    )
    operation = api.operation("send")

    request = operation.request({where: {"color": value}})

    assert in_place(request, where) == text
    assert operation.can_be_sent({where: {"color": value}})  # read back as the value


@pytest.mark.parametrize(
    ("form", "where", "text"),
    [
        ("csv", "query", "color=blue,black,brown"),
        ("ssv", "query", "color=blue%20black%20brown"),
        ("tsv", "query", "color=blue%09black%09brown"),
        ("pipes", "query", "color=blue%7Cblack%7Cbrown"),
        ("multi", "query", "color=blue&color=black&color=brown"),
        ("csv", "path", "blue,black,brown"),
        ("pipes", "path", "blue%7Cblack%7Cbrown"),
        ("csv", "header", "blue,black,brown"),
    ],
)
def test_swagger_has_collection_formats(form, where, text):
    said = {"name": "color", "in": where, "type": "array", "items": {"type": "string"}, "collectionFormat": form}
    api = service({**said, "required": True}, version="2.0", path="/x/{color}" if where == "path" else "/x")

    assert in_place(sent(api, {where: {"color": COLOURS}}), where) == text
    assert api.operation("send").can_be_sent({where: {"color": COLOURS}})


def test_signs_are_quoted_and_reserved_ones_only_where_it_is_said():
    api = service(parameter("query", {"type": "string"}))
    free = service(parameter("query", {"type": "string"}, allowReserved=True))
    path = service(parameter("path", {"type": "string"}), path="/x/{color}/y z")

    assert sent(api, {"query": {"color": "a b&c=d/é+%"}}).query == "color=a%20b%26c%3Dd%2F%C3%A9%2B%25"
    assert sent(free, {"query": {"color": "a b&c=d/é+%"}}).query == "color=a%20b%26c=d/%C3%A9%2B%25"
    assert sent(path, {"path": {"color": "a/b?c"}}).path == "/x/a%2Fb%3Fc/y%20z"


def test_a_parameter_with_a_media_type_is_a_text_of_it():
    content = {"name": "f", "in": "query", "content": {"application/json": {"schema": {}}}}

    assert sent(service(content), {"query": {"f": {"a": [1, None]}}}).query == "f=%7B%22a%22%3A%5B1%2Cnull%5D%7D"


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("query", None),
        ("query", []),
        ("query", {}),
        ("query", [[1]]),
        ("query", [None]),
        ("path", None),
        ("path", ""),
        ("path", ".."),
        ("header", "a\nb"),
        ("header", "é"),
        ("header", " a"),
        ("cookie", "a;b"),
        ("cookie", ["a", "b"]),
        ("query", "\ud800"),
    ],
)
def test_what_no_request_can_hold_is_refused(where, value):
    operation = service(parameter(where), path="/x/{color}" if where == "path" else "/x").operation("send")

    assert not operation.can_be_sent({where: {"color": value}})
    with pytest.raises(SpecError, match=r"send: .* cannot be sent: "):
        operation.request({where: {"color": value}})


@pytest.mark.parametrize(
    ("schema", "kept"),
    [
        ({"type": ["integer", "null"], "enum": [1, None]}, {1}),
        ({"type": "array", "items": {"enum": ["a"]}, "maxItems": 1}, {"['a']"}),
        ({"anyOf": [{"type": "null"}, {"const": "a"}]}, {"a"}),
        (
            {"type": "object", "properties": {"a": {"enum": [1, None]}}, "additionalProperties": False},
            {"{'a': 1}"},
        ),
    ],
)
def test_null_and_empty_lists_are_not_made_in_a_query_and_the_rest_is_proved(schema, kept):
    suite = generate(service(parameter("query", schema)).operation("send"), "all")

    shown = {value["query"]["color"] for value in suite.values} if kept <= {1, "a"} else None
    assert (shown or {str(value["query"]["color"]) for value in suite.values}) == kept
    assert suite.status.ending in (Ending.COMPLETE, Ending.SHOWN)


def test_items_that_hold_what_stands_between_them_are_not_made():
    delimited = service(parameter("query", {"type": "array", "items": {"enum": ["a,b", "c"]}}, explode=False))
    apart = service(parameter("query", {"type": "array", "items": {"enum": ["a,b", "c"]}}))

    assert not delimited.operation("send").can_be_sent({"query": {"color": ["a,b"]}})
    assert apart.operation("send").can_be_sent({"query": {"color": ["a,b"]}})
    assert all("a,b" not in value["query"]["color"] for value in generate(delimited.operation("send")).values)


def test_a_free_text_in_a_path_has_no_slash_but_one_that_is_listed_may():
    free = service(parameter("path", {"type": "string"}), path="/x/{color}").operation("send")
    listed = service(parameter("path", {"enum": ["a/b"]}), path="/x/{color}").operation("send")

    assert not any("/" in value["path"]["color"] for value in generate(free, 300).values)
    assert generate(listed)[0].request.path == "/x/a%2Fb"


# -- bodies --------------------------------------------------------------------------------------------------------


def with_body(media, schema, *, required=True, **more):
    return {"requestBody": {"required": required, "content": {media: {"schema": schema, **more}}}}


FIELDS = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "many": {"type": "array", "items": {"type": "integer"}},
        "deep": {"type": "object"},
        "file": {"type": "string", "format": "binary"},
        "csv": {"type": "array", "items": {"type": "string"}},
        "typed": {"type": "string"},
    },
}
FILLED = {"text": "a&b=ü\r\n", "many": [1, 2], "deep": {"a": None}, "csv": ["x", "y"], "file": "\0bytes", "typed": "t"}
ENCODING = {"csv": {"style": "form", "explode": False}, "typed": {"contentType": "text/markdown"}}


def parsed(request):
    """Return what werkzeug reads of a form: fields and files."""
    environ = EnvironBuilder(method=request.method, data=request.body, content_type=request.content_type).get_environ()
    _, form, files = parse_form_data(environ)
    found = {}
    for name, each in files.items():
        found[name] = each.content_type, each.read()
        each.close()
    return form.to_dict(flat=False), found


def test_a_form_is_read_by_others():
    api = service(operation=with_body("application/x-www-form-urlencoded", FIELDS, encoding=ENCODING))

    request = sent(api, {"body": FILLED})

    form, _ = parsed(request)
    assert request.content_type == "application/x-www-form-urlencoded"
    assert form == {
        "text": ["a&b=ü\r\n"],
        "many": ["1", "2"],
        "deep": ['{"a":null}'],
        "csv": ["x,y"],
        "file": ["\0bytes"],
        "typed": ["t"],
    }
    assert api.operation("send").can_be_sent({"body": FILLED})


def test_a_form_of_several_parts_is_read_by_others():
    api = service(operation=with_body("multipart/form-data", FIELDS, encoding=ENCODING))

    request = sent(api, {"body": FILLED})

    form, files = parsed(request)
    assert form == {"text": ["a&b=ü\r\n"], "many": ["1", "2"], "deep": ['{"a":null}'], "csv": ["x,y"], "typed": ["t"]}
    assert files == {"file": ("application/octet-stream", b"\0bytes")}
    assert b'name="typed"\r\nContent-Type: text/markdown\r\n\r\nt' in request.body
    assert request == sent(api, {"body": FILLED})  # the boundary, too
    assert api.operation("send").can_be_sent({"body": FILLED})


@pytest.mark.parametrize(
    ("media", "schema", "value", "body", "content_type"),
    [
        ("application/json", {}, {"a": "ü"}, '{"a": "ü"}'.encode(), "application/json"),
        ("application/json", {}, "\ud800", b'"\\ud800"', "application/json"),
        ("application/vnd.x+json", {}, None, b"null", "application/vnd.x+json"),
        ("*/*", {}, 1, b"1", "application/json"),
        ("text/plain", {"type": "number"}, 2.0, b"2", "text/plain"),
        ("application/octet-stream", {"type": "string"}, "ab", b"ab", "application/octet-stream"),
        ("image/*", {"type": "string"}, "ab", b"ab", "image/png"),
        ("application/xml", {"type": "string"}, "<a/>", b"<a/>", "application/xml"),
    ],
)
def test_bodies_are_bytes_of_their_media_type(media, schema, value, body, content_type):
    request = sent(service(operation=with_body(media, schema)), {"body": value})

    assert (request.body, request.content_type) == (body, content_type)


def test_a_body_that_nobody_knows_to_write_is_told_and_its_values_are_given():
    operation = service(operation=with_body("application/xml", {"type": "object"})).operation("send")

    assert generate(operation)[0].request is None
    with pytest.raises(SpecError, match=r"bodies of application/xml are not written"):
        operation.request({"body": {}})


# -- credentials and servers ---------------------------------------------------------------------------------------

SCHEMES = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "inquery": {"type": "apiKey", "in": "query", "name": "key"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
    "basic": {"type": "http", "scheme": "basic"},
    "bearer": {"type": "http", "scheme": "bearer"},
    "oauth": {"type": "oauth2", "flows": {}},
    "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://x"},
    "tls": {"type": "mutualTLS"},
}


@pytest.mark.parametrize(
    ("scheme", "headers", "query"),
    [
        ("key", {"X-Key": "key"}, ""),
        ("inquery", {}, "key=key"),
        ("cookie", {"Cookie": "sid=key"}, ""),
        ("basic", {"Authorization": f"Basic {base64.b64encode(b'user:password').decode()}"}, ""),
        ("bearer", {"Authorization": "Bearer token"}, ""),
        ("oauth", {"Authorization": "Bearer token"}, ""),
        ("oidc", {"Authorization": "Bearer token"}, ""),
        ("tls", {}, ""),
    ],
)
def test_credentials_are_inputs(scheme, headers, query):
    api = service(operation={"security": [{scheme: []}]}, components={"securitySchemes": SCHEMES})

    (case,) = generate(api.operation("send"))

    assert (dict(case.request.all_headers), case.request.query) == (headers, query)
    assert case.value == ({} if scheme == "tls" else {"security": scheme})


def test_every_set_of_credentials_is_shown_and_those_of_the_document_hold_unless_the_operation_says_otherwise():
    several = {"security": [{"key": [], "cookie": []}, {"bearer": []}, {}]}
    api = service(operation=several, components={"securitySchemes": SCHEMES}, security=[{"basic": []}])
    whole = service(components={"securitySchemes": SCHEMES}, security=[{"basic": []}])
    none = service(operation={"security": []}, components={"securitySchemes": SCHEMES}, security=[{"basic": []}])

    shown = {value["security"] for value in generate(api.operation("send")).values}

    assert shown == {"key and cookie", "bearer", "no credentials"}
    assert generate(whole.operation("send")).values == [{"security": "basic"}]
    assert generate(none.operation("send")).values == [{}]


def test_credentials_of_swagger():
    schemes = {"b": {"type": "basic"}, "o": {"type": "oauth2"}, "k": {"type": "apiKey", "in": "query", "name": "k"}}
    api = service(version="2.0", securityDefinitions=schemes, security=[{"b": []}, {"o": []}, {"k": []}])

    shown = {value["security"] for value in generate(api.operation("send")).values}

    assert shown == {"b", "o", "k"}


@pytest.mark.parametrize(
    ("more", "server"),
    [
        ({}, "http://localhost"),
        ({"servers": []}, "http://localhost"),
        ({"servers": [{"url": "/v1/"}]}, "http://localhost/v1"),
        ({"servers": [{"url": "https://a.example/v1"}, {"url": "b"}]}, "https://a.example/v1"),
        (
            {"servers": [{"url": "{s}://x:{p}", "variables": {"s": {"default": "http"}, "p": {"default": "80"}}}]},
            "http://x:80",
        ),
        ({"servers": [{"url": "//a.example"}]}, "https://a.example"),
    ],
)
def test_the_server_is_the_first_that_the_description_names(more, server):
    assert sent(service(**more), {}).server == server


def test_the_server_of_swagger_and_of_an_operation():
    swagger = service(version="2.0", schemes=["http"], host="a.example:81", basePath="/v2/")
    own = service(operation={"servers": [{"url": "http://b"}]}, servers=[{"url": "http://a"}])

    assert sent(swagger, {}).url() == "http://a.example:81/v2/x"
    assert sent(own, {}).url("http://127.0.0.1:8000/") == "http://127.0.0.1:8000/x"
    assert sent(own, {}).url() == "http://b/x"


def test_a_query_in_a_path_and_a_step_that_nobody_describes_are_sent():
    request = sent(service(parameter("query"), path="/a/{b}?do=this&that#c"), {"query": {"color": "x"}})

    assert request.target == "/a/x?do=this&that&color=x"


def test_a_request_is_the_same_after_it_was_saved():
    request = Request("PUT", "/a", "b=c", (("X", "y"),), (("s", "t"),), b"\0\xff", "image/png", "http://x")

    assert request_of_data(json.loads(json.dumps(request.as_data()))) == request
    with pytest.raises(unlike.errors.RecipeError, match="is no request as it is saved"):
        request_of_data({"method": "GET"})


# -- over the wire -------------------------------------------------------------------------------------------------


class Recorder(http.server.BaseHTTPRequestHandler):
    """Keeps what arrives."""

    protocol_version = "HTTP/1.1"

    def keep(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.arrived.append((self.command, self.path, list(self.headers.items()), body))
        self.send_response(204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = keep  # noqa: N815

    def log_message(self, *args):
        del args


@pytest.fixture
def server():
    """Return a server on this machine that keeps what arrives, and its address."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder) as found:
        found.arrived = []
        thread = threading.Thread(target=found.serve_forever, daemon=True)
        thread.start()
        found.address = f"http://127.0.0.1:{found.server_address[1]}/v1"
        yield found
        found.shutdown()
        thread.join()


def own_headers(headers, request):
    """Return the headers that arrived, of those names that the request has."""
    names = {name.lower() for name, _ in request.all_headers}
    return sorted((name.lower(), value) for name, value in headers if name.lower() in names)


def shop_cases(n=4):
    api = read_api(SHOP)
    return [case for name in api.operations for case in generate(api.operation(name), n)]


def awkward():
    """Return a request with whatever is hard to write in a shell, in Python or in HTTP."""
    return Request(
        "POST",
        "/a%20b/it's;x=$(y)/[z]",
        "q=%27%22%60%24&r={a}",
        (("X-Quote", 'it\'s "so" $HOME `x` \\ %'), ("X-Empty", "")),
        (("sid", "a"),),
        b"it's\0 $HOME \\ %s %% \r\n\xff'\"",
        "application/octet-stream",
    )


def check_arrival(server, request):
    method, target, headers, body = server.arrived.pop()
    wanted = sorted((name.lower(), value) for name, value in request.all_headers)
    assert (method, target, body) == (request.method, f"/v1{request.target}", request.body or b"")
    assert own_headers(headers, request) == wanted


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_lines_of_curl_send_the_request(server):
    for request in [*(case.request for case in shop_cases()), awkward()]:
        line = curl_line(request, server.address)
        subprocess.run(["sh", "-c", line], check=True, timeout=20, capture_output=True)
        check_arrival(server, request)


def test_code_for_httpx_sends_the_request(server):
    for case in shop_cases():
        source = f"def send(client):\n{httpx_call(case.request, server.address)}"
        scope = {}
        exec(source, scope)
        with httpx.Client() as client:
            assert [each.status_code for each in scope["send"](client)] == [204]
        check_arrival(server, case.request)


def test_raw_http_is_the_request(server):
    for request in [*(case.request for case in shop_cases()), awkward()]:
        text = raw_http(request, server.address)
        with socket.create_connection(server.server_address, timeout=10) as line:
            line.sendall(text.encode("utf-8", "surrogateescape"))
            assert line.recv(100).startswith(b"HTTP/1.1 204")
        check_arrival(server, request)


def test_a_client_of_httpx_sends_the_same_bytes():
    arrived = []
    client = httpx.Client(transport=httpx.MockTransport(lambda each: arrived.append(each) or httpx.Response(200)))

    for case in shop_cases(12):
        request = case.request
        client.request(request.method, request.url(), headers=list(request.all_headers), content=request.body)
        assert arrived[-1].url.raw_path.decode() == f"/v1{request.target}"
        assert arrived[-1].content == (request.body or b"")
        assert parse_qsl(arrived[-1].url.query.decode()) == parse_qsl(request.query)


# -- what others read ----------------------------------------------------------------------------------------------

LIMITS = {
    # openapi-core 0.23 looks for a path parameter of these styles under its bare name
    "addPicture": "MissingRequiredParameter",
    # it puts the default in, which is no text as the description says itself
    "html-renderer-post": "0 is not of type 'string'",
    # it reads numbers and truths of a form only where the schema of the form says that it is an object
    "createUpload": "is not of type",
}


def check_agreement(path, n=None):
    api = read_api(path)
    for name, operation in api.operations.items():
        if operation.is_webhook:
            continue
        for case in generate(api.operation(name), n):
            told = [each for each in differences(api, case.value, case.request) if LIMITS.get(name, "\0") not in each]
            assert not told, (name, case.value, case.request)


def test_another_library_reads_the_values_again():
    check_agreement(SHOP)


@pytest.mark.corpus
@pytest.mark.skipif(not SHARED.is_dir(), reason="the descriptions are not here")
@pytest.mark.parametrize("path", sorted(SHARED.glob("*")), ids=lambda path: path.name)
@pytest.mark.filterwarnings("ignore")
def test_another_library_reads_the_values_of_real_services_again(path):
    check_agreement(path)


def test_the_formats_write_all_requests(capsys):
    for form, mark in (("curl", "# "), ("http", "### "), ("httpx", "    # ")):
        with pytest.raises(SystemExit):
            main(["requests", str(SHOP), "--operation", "addArticle", "--format", form, "--url", "http://h:1/z"])
        said = capsys.readouterr().out
        count = len(generate(read_api(SHOP).operation("addArticle")))
        assert sum(line.startswith(mark) for line in said.splitlines()) == count
        assert "http://h:1/z/articles" in said or "\nHost: h:1\r\n" in said


def test_formats_of_requests_are_for_requests(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["generate", "--openapi", str(SHOP), "--model", "Article", "--format", "curl"])

    assert ended.value.code == 2
    assert "--format curl cannot write this answer; there are: " in capsys.readouterr().err


@pytest.mark.parametrize("form", ["curl", "http", "httpx"])
def test_bodies_that_are_not_written_are_refused_by_name_with_the_remedy(tmp_path, form):
    operation = {"operationId": "send", **with_body("application/xml", {"type": "object"})}
    described = {"openapi": "3.1.0", "paths": {"/x": {"post": operation}}}
    (tmp_path / "api.json").write_text(json.dumps(described))

    done = warm.run(["requests", "api.json", "--format", form], tmp_path)

    assert done.returncode == 2
    assert "send: bodies of application/xml are not written as requests; choose another one" in done.stderr
    assert "--media" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_server_that_is_no_address_is_refused_in_one_line() -> None:
    service = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "servers": [{"url": "http://{host}/v1", "variables": {"host": {"default": "localhost:[]"}}}],
        "paths": {"/x": {"get": {"operationId": "look", "responses": {}}}},
    }

    with pytest.raises(SpecError, match="the server 'http://localhost:\\[\\]/v1' is no address"):
        generate(read_api(service).operation("look"))
