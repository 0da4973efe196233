"""Several operations at once, a description from anywhere on this machine, and responses as an oracle."""

import http.server
import io
import json
import threading
from pathlib import Path

import pytest

import unlike
from unlike.cli import main
from unlike.documents.files import read_document
from unlike.documents.openapi.api import ServiceApi, read_api
from unlike.errors import SpecError

SHOP = Path(__file__).parent.parent.parent / "examples" / "specs" / "shop.yaml"
ALL = ["findArticles", "addArticle", "addPicture"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([], ALL),
        (["*"], ALL),
        (["addArticle"], ["addArticle"]),
        (["post /articles"], ["addArticle"]),
        (["addPicture", "findArticles"], ["findArticles", "addPicture"]),  # in the order of the document
        (["/articles"], ["findArticles", "addArticle"]),
        (["/articles/*"], ["addPicture"]),
        (["GET"], ["findArticles"]),
        (["put"], ["addPicture"]),
        (["articles"], ["findArticles", "addArticle"]),  # a tag
        (["pictures", "GET"], ["findArticles", "addPicture"]),
        (["add*"], ["addArticle", "addPicture"]),
    ],
)
def test_operations_are_chosen_by_name_path_method_tag_and_pattern(words, found):
    assert read_api(SHOP).select(words) == found


def test_a_word_that_means_no_operation_is_told_its_nearest():
    with pytest.raises(SpecError, match="has no operation 'picture'; did you mean 'pictures'"):
        read_api(SHOP).select(["picture"])


def run(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        main([*map(str, words)])
    said = capsys.readouterr()
    return ended.value.code, said.out, said.err


def parts(text):
    return list(dict.fromkeys(json.loads(line).get("part") for line in text.splitlines()))


@pytest.mark.parametrize("command", [("requests", SHOP), ("generate", "--openapi", SHOP)], ids=["requests", "generate"])
def test_operation_twice_means_both(capsys, command):
    code, out, _ = run(capsys, *command, "--operation", "PUT", "--operation", "addArticle", "-n", "2")

    assert code == 0
    assert parts(out) == ["addArticle", "addPicture"]


def test_a_media_type_holds_for_the_operations_that_offer_it(capsys):
    form = "application/x-www-form-urlencoded"
    code, out, _ = run(capsys, "requests", SHOP, "--operation", "*", "--media", form, "-n", "1", "--format", "http")
    assert code == 0
    assert out.count(form) == 1

    code, _, err = run(capsys, "requests", SHOP, "--operation", "*", "--media", "text/x", "-n", "1")
    assert code == 2
    assert "none of these operations has a body of 'text/x'" in err


def test_a_description_comes_from_standard_input(capsys, monkeypatch):
    text = io.TextIOWrapper(io.BytesIO(SHOP.read_bytes()))
    monkeypatch.setattr("sys.stdin", text)

    code, out, _ = run(capsys, "requests", "-", "--operation", "addArticle", "-n", "1")

    assert code == 0
    assert json.loads(out)["value"]["body"]["title"] == "a"


def test_a_description_may_be_a_dict():
    api = unlike.spec(read_document(SHOP))

    assert list(api.operations) == ALL
    with pytest.raises(SpecError, match="the dict holds a number too large"):
        unlike.spec({"openapi": "3.0.0", "x": float("inf")})


class Description(http.server.BaseHTTPRequestHandler):
    """Gives a description, and leads elsewhere from another path."""

    def do_GET(self):
        found = self.path == "/openapi.json?v=1"
        body = json.dumps(read_document(SHOP)).encode()
        self.send_response(200 if found else 302)
        if not found:
            self.send_header("Location", "http://example.com/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        del args


@pytest.fixture
def address():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Description) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_description_comes_from_a_service_on_this_machine(address):
    assert list(unlike.spec(f"{address}/openapi.json?v=1").operations) == ALL

    with pytest.raises(SpecError, match="answers 302 Found; name where the description is"):
        unlike.spec(f"{address}/elsewhere")


@pytest.mark.parametrize(
    "address", ["http://example.com/a.json", "https://127.0.0.1/a", "http://127.0.0.1.example.com/", "http://[::2]/"]
)
def test_nothing_is_fetched_from_elsewhere(address, monkeypatch):
    monkeypatch.setattr("socket.socket", None)

    with pytest.raises(SpecError, match="is not on this machine, and nothing is fetched from the network; save it"):
        read_api(address)


def test_a_service_that_is_down_is_told():
    with pytest.raises(SpecError, match=r"'http://127\.0\.0\.1:9/' gives no document: .*; start the service"):
        read_api("http://127.0.0.1:9/")


# -- responses -----------------------------------------------------------------------------------------------------


def test_responses_are_judged_by_their_schema():
    api = read_api(SHOP)

    assert api.response("addArticle", 201).accepts({"title": "a", "price": 1, "id": 3})
    assert not api.response("addArticle", 201).accepts({"title": "a"})
    assert api.response("findArticles", "200").accepts([])
    assert api.response("findArticles", 404).accepts({"title": "gone"})  # default
    assert not api.response("findArticles", 404).accepts({})
    assert api.response("addPicture", 204).accepts("anything")  # nothing is said of it


def test_what_is_only_written_need_not_be_there_and_what_is_only_read_must():
    user = {
        "type": "object",
        "required": ["id", "password"],
        "properties": {"id": {"type": "integer", "readOnly": True}, "password": {"type": "string", "writeOnly": True}},
    }
    said = {"content": {"application/json": {"schema": user}}}
    responses = {"2XX": {"description": "", **said}, "404": {"$ref": "#/components/responses/None"}}
    item = {"post": {"operationId": "add", "requestBody": {**said, "required": True}, "responses": responses}}
    api = ServiceApi(
        {"openapi": "3.0.3", "paths": {"/u": item}, "components": {"responses": {"None": {"description": ""}}}},
        "api.json",
    )

    assert api.response("POST /u", 201).accepts({"id": 1})
    assert not api.response("add", 201).accepts({"password": "x"})
    assert api.operation("add").accepts({"body": {"password": "x"}})
    assert not api.operation("add").accepts({"body": {"id": 1}})
    assert api.response("add", 404).accepts(None)
    with pytest.raises(SpecError, match="describes no response '500'; there are: 2XX, 404"):
        api.response("add", 500)
    with pytest.raises(SpecError, match="has no body of 'text/x'"):
        api.response("add", 200, media="text/x")


def test_responses_of_swagger():
    responses = {"200": {"description": "", "schema": {"type": "integer"}}}
    api = ServiceApi(
        {"swagger": "2.0", "paths": {"/": {"get": {"operationId": "x", "responses": responses}}}}, "a.json"
    )

    assert api.response("x", 200).accepts(1)
    assert not api.response("x", 200).accepts("1")
