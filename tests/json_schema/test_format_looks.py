"""A format is kept beside patterns and lengths as long as some text has all of them; else it gives way, and that is said."""

from __future__ import annotations

import base64
import datetime
import ipaddress
import itertools
import re
import urllib.parse
import uuid
from collections.abc import Callable
from email.utils import parseaddr
from typing import Any

import pytest

import unlike
from unlike.documents.json_schema.document import load
from unlike.documents.json_schema.formats import FORMATS, WIDER
from unlike.regex.automaton import Automaton
from unlike.regex.language import Language
from unlike.regex.tree import parse
from unlike.suite import Ending, Suite


def covered(**said: Any) -> Suite:
    suite = unlike.generate(load({"type": "string", **said}).at())
    assert suite.status.ending in (Ending.SHOWN, Ending.FOUND), suite.status
    return suite


def is_email(text: str) -> bool:
    name, _, host = text.rpartition("@")
    return parseaddr(text)[1] == text and bool(name) and len(host.split(".")) > 1 and all(host.split("."))


def is_duration(text: str) -> bool:
    parts = r"P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?)"
    return re.fullmatch(parts, text) is not None


READERS: dict[str, Callable[[str], object]] = {
    "date": datetime.date.fromisoformat,
    "time": lambda text: datetime.time.fromisoformat(text.replace("z", "Z")),
    "date-time": lambda text: datetime.datetime.fromisoformat(text.upper()),
    "uuid": uuid.UUID,
    "ipv6": ipaddress.IPv6Address,
    "email": is_email,
    "duration": is_duration,
    "uri": lambda text: urllib.parse.urlsplit(text).scheme,
    "byte": lambda text: base64.b64encode(base64.b64decode(text, validate=True)) == text.encode(),
}


@pytest.mark.parametrize("name", sorted(READERS))
def test_what_looks_like_a_format_is_read_as_such_by_other_code(name: str) -> None:
    for look in (FORMATS[name], *WIDER[name]):
        language = Language(Automaton.of(parse(look)), 0, 40)
        step = max(1, language.count() // 200)
        texts = [language.at(index) for index in itertools.islice(range(0, language.count(), step), 250)]

        assert texts
        assert all(READERS[name](text) is not False for text in texts)


@pytest.mark.parametrize("name", sorted(WIDER))
def test_the_widest_look_of_a_format_has_all_texts_of_the_narrow_one(name: str) -> None:
    narrow = Language(Automaton.of(parse(FORMATS[name])), 0, 40)
    wide = re.compile(WIDER[name][-1])

    step = max(1, narrow.count() // 50)
    assert all(wide.fullmatch(narrow.at(index)) for index in range(0, narrow.count(), step))


BESIDE: dict[str, tuple[str, dict[str, Any]]] = {
    "a domain": ("email", {"pattern": "@acme\\.com$"}),
    "short": ("email", {"maxLength": 12}),
    "shortest": ("email", {"maxLength": 5}),
    "a capital": ("email", {"pattern": "^[A-Z]"}),
    "a first digit": ("ipv6", {"pattern": "^a"}),
    "a length": ("duration", {"minLength": 8, "maxLength": 12}),
    "a long one": ("duration", {"minLength": 20, "maxLength": 25}),
    "a century": ("date", {"pattern": "^19"}),
    "capitals": ("uuid", {"pattern": "^[A-F]+-"}),
    "a scheme": ("uri", {"pattern": "^urn:"}),
    "zone": ("date-time", {"pattern": "Z$"}),
}


@pytest.mark.parametrize("case", BESIDE)
def test_a_format_is_kept_beside_what_does_not_contradict_it(case: str) -> None:
    name, rules = BESIDE[case]

    suite = covered(format=name, **rules)

    assert len(suite)
    assert all(READERS[name](text) is not False for text in suite.values)
    assert "gives way" not in str(suite.status)


def test_a_format_that_contradicts_a_rule_gives_way_and_that_is_said() -> None:
    suite = covered(format="ipv6", pattern="^zz", maxLength=9)

    assert all(text.startswith("zz") for text in suite.values)
    assert "value: format ipv6 gives way to '^zz' and 0 to 9 characters" in str(suite.status)
    assert "not kept: value: format ipv6" in suite.explanation


def test_a_text_is_found_that_only_several_choices_of_its_pattern_together_lead_to() -> None:
    # each of the three by itself leaves the text too short
    suite = covered(pattern="^a(b)?(c)?(d)?$", minLength=4)

    assert suite.values == ["abcd"]
