"""JSON and YAML files become plain data, or one message that says where they are wrong."""

import json
import re
from pathlib import Path

import pytest
import yaml

from unlike.documents import files, yaml_text
from unlike.documents.files import parse_document, read_document
from unlike.errors import SpecError


def read(text, name="a.yaml"):
    return parse_document(text.encode(), name)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", '{"a": 1,\n  b}', r"^a\.json, line 2, column 3: not JSON: .*'b}'"),
        ("a.json", '{"a": "x', r"^a\.json, line 1, column 7: not JSON: unterminated string"),
        ("a.json", "", r"^a\.json, line 1, column 1: not JSON"),
        (
            "a.json",
            '[{"a": 1}, {"b": [{"a": 1}],\n "b": 2}]',
            r"^a\.json, line 2, column 2: the key 'b' is there twice",
        ),
        ("a.json", '{"x": {"a": 1}, "y": {"a": 1, "a": 2}}', r"line 1, column 31: the key 'a' is there twice"),
        ("a.json", '[1, {"a": NaN}]', r"^a\.json: NaN is no JSON number"),
        ("a.json", "[-Infinity]", r"^a\.json: -Infinity is no JSON number"),
        ("a.json", "[1e999]", r"^a\.json holds a number too large"),
        ("a.json", "9" * 5000, r"^a\.json holds a whole number of more than 4,000 digits"),
        ("a.yaml", "a: 1\nb: [1,\n", r"^a\.yaml, line 3, column 1: not YAML"),
        ("a.yaml", "a: 1\n\ta: 2", r"^a\.yaml, line 2, column 1: not YAML"),
        ("a.yaml", "a: 1\nb: 2\na: 3", r"^a\.yaml, line 3, column 1: the key 'a' is there twice"),
        ("a.yaml", "a: .nan", r"^a\.yaml, line 1, column 4: \.nan is no JSON number"),
        ("a.yaml", "[1, 2]: x", r"^a\.yaml, line 1, column 1: a list or mapping is used as a key"),
        ("a.yaml", "a: &k x\n*k : y", r"^a\.yaml, line 2, column 1: \*k is used as a key"),
        ("a.yaml", "a: *b", r"^a\.yaml, line 1, column 4: \*b has no anchor"),
        ("a.yaml", "a: 1\n---\nb: 1", r"^a\.yaml, line 2, column 1: a second document begins"),
        ("a.yaml", "a: \0", r"^a\.yaml: not YAML: .*#x0000"),
        ("a.yaml", "b: &b 3\na: {<<: *b}", r"^a\.yaml, line 2, column 9: what follows << is no mapping"),
        ("a.yaml", "a: !!int x", r"^a\.yaml, line 1, column 4: 'x' is no int"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(name, text, said):
    with pytest.raises(SpecError, match=said):
        read(text, name)


@pytest.mark.parametrize(
    "tag", ["!!python/object/apply:os.system", "!!python/name:os.system", "!mine", "!!binary", "!!set"]
)
@pytest.mark.parametrize("loader", [yaml_text.LOADER, yaml.SafeLoader])
def test_a_tag_that_is_not_data_is_refused(tag, loader, monkeypatch):
    monkeypatch.setattr(yaml_text, "LOADER", loader)

    with pytest.raises(SpecError, match=r"line 1, column 4: the tag .* is not data"):
        read(f"a: {tag} [x]")


@pytest.mark.parametrize("loader", [yaml_text.LOADER, yaml.SafeLoader])
def test_words_mean_what_json_can_hold(loader, monkeypatch):
    monkeypatch.setattr(yaml_text, "LOADER", loader)
    text = """
        dates: [2001-01-01, 2001-01-01T10:00:00Z, 12:30:45]
        words: [no, on, yes, y, Off, "true", 'null', !!str 12, ! 13]
        real: [true, FALSE, null, ~, , 1, -1, 010, 0o10, 0x1f, 1.5, .5, 1e3, +2]
        200: number
        true: bool
        text: |
          two
          lines
    """

    found = read(text.replace(", ,", ", !!null '',"))

    assert found["dates"] == ["2001-01-01", "2001-01-01T10:00:00Z", "12:30:45"]
    assert found["words"] == ["no", "on", "yes", "y", "Off", "true", "null", "12", "13"]
    assert found["real"] == [True, False, None, None, None, 1, -1, 10, 8, 31, 1.5, 0.5, 1000.0, 2]
    assert found["200"] == "number"
    assert found["true"] == "bool"
    assert found["text"] == "two\nlines\n"


def test_aliases_and_merges_are_written_out():
    found = read(
        "base: &b {x: 1, y: 2}\nmore: &m {z: 9, x: 8}\none: {<<: *b, x: 3}\ntwo: {<<: [*b, *m]}\nthree: *b\nfour: {'<<': 1}"
    )

    assert found["one"] == {"x": 3, "y": 2}
    assert found["two"] == {"x": 1, "y": 2, "z": 9}
    assert found["three"] == {"x": 1, "y": 2}
    assert found["four"] == {"<<": 1}


def test_a_bomb_of_aliases_is_refused_before_it_is_written_out():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]

    with pytest.raises(SpecError, match="with its aliases written out, holds more than 2,000,000 values"):
        read("\n".join(lines))


def test_an_alias_inside_itself_is_refused():
    with pytest.raises(SpecError, match=r"line 1, column 8: \*x stands for what it is a part of"):
        read("a: &x [*x]")


@pytest.mark.parametrize("name", ["deep.json", "deep.yaml"])
@pytest.mark.parametrize("levels", [files.MOST_DEPTH + 1, 1_000_000])
def test_deep_nesting_is_refused(name, levels):
    with pytest.raises(SpecError, match=r"nested more than 200 levels"):
        read("[" * levels + "]" * levels, name)


@pytest.mark.parametrize("name", ["deep.json", "deep.yaml"])
def test_nesting_to_the_limit_is_read(name):
    levels = files.MOST_DEPTH - 1

    found = read("[" * levels + "1" + "]" * levels, name)

    for _ in range(levels):
        (found,) = found
    assert found == 1


def test_a_document_of_five_megabytes_is_read():
    data = {"models": [{"name": f"model {i}", "type": "string", "enum": ["a", "b", i]} for i in range(80_000)]}
    text = json.dumps(data)
    assert len(text) > 5_000_000

    assert read(text, "big.json") == data


def test_too_large_a_document_is_refused_unread(tmp_path, monkeypatch):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(files.MOST_BYTES + 1)
    monkeypatch.delattr(Path, "read_bytes")

    with pytest.raises(SpecError, match=r"has 20,000,001 bytes"):
        read_document(path)


def test_too_many_values_are_refused(monkeypatch):
    monkeypatch.setattr(files, "MOST_VALUES", 100)

    with pytest.raises(SpecError, match="more than 100 values"):
        read(str(list(range(101))), "many.json")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("name", ["a.json", "a.yaml", "a"])
def test_any_encoding_of_unicode_is_read(tmp_path, encoding, name):
    (tmp_path / name).write_bytes('{"ü": "𝄞"}'.encode(encoding))

    assert read_document(tmp_path / name) == {"ü": "𝄞"}


def test_a_file_that_cannot_be_read_is_one_message(tmp_path):
    (tmp_path / "latin.json").write_bytes(b'{\n"\xfc": 1}')

    with pytest.raises(SpecError, match=r"latin\.json, line 2: byte 3 is not utf-8"):
        read_document(tmp_path / "latin.json")
    with pytest.raises(SpecError, match=re.escape(f"there is no file {str(tmp_path / 'none.json')!r}")):
        read_document(tmp_path / "none.json")
    with pytest.raises(SpecError, match="cannot be read: Is a directory"):
        read_document(tmp_path)


def test_a_name_without_ending_is_told_by_how_it_begins():
    assert parse_document(b' {"a": 1}', "x") == {"a": 1}
    assert parse_document(b"a: 1", "x") == {"a": 1}
