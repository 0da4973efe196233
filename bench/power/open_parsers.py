"""Ten parsers that may be looked at while unlike is changed. Their patterns are in `open_patterns.json`."""

from __future__ import annotations

import http.cookies
import json
import shlex
from importlib import import_module as load
from pathlib import Path
from typing import Any

from bench.power.subjects import Parser

PATTERNS = json.loads(Path(__file__).with_name("open_patterns.json").read_text())


def isbn(text: str) -> Any:
    module = load("stdnum.isbn")
    return each_of(
        text, module.validate, module.isbn_type, module.to_isbn13, module.to_isbn10, module.split, module.format
    )


def luhn(text: str) -> Any:
    module = load("stdnum.luhn")
    return each_of(text, module.validate, module.is_valid, module.checksum, module.calc_check_digit)


def ean(text: str) -> Any:
    module = load("stdnum.ean")
    return each_of(text, module.validate, module.is_valid, module.calc_check_digit)


def nif(text: str) -> Any:
    module = load("stdnum.es.nif")
    return each_of(text, module.validate, module.is_valid)


def card(text: str) -> Any:
    module = load("validators.card")
    names = ("card_number", "visa", "mastercard", "amex", "unionpay", "diners", "jcb", "discover", "mir")
    return [bool(getattr(module, name)(text)) for name in names]


def semver(text: str) -> Any:
    cls = load("semver.version").Version
    version = cls.parse(text)
    bumps = [str(getattr(version, f"bump_{part}")()) for part in ("major", "minor", "patch", "prerelease", "build")]
    return str(version), version.to_tuple(), bumps, version.compare("1.2.3-rc.1"), str(version.finalize_version())


def isoduration(text: str) -> Any:
    duration = load("isoduration").parse_duration(text)
    return repr(duration), load("isoduration").format_duration(duration)


def humanfriendly(text: str) -> Any:
    module = load("humanfriendly")
    binary = lambda text: module.parse_size(text, binary=True)  # noqa: E731
    return each_of(text, module.parse_size, binary, module.parse_timespan, module.parse_length)


def split_words(text: str) -> Any:
    return each_of(
        text,
        shlex.split,
        lambda text: shlex.split(text, comments=True),
        lambda text: shlex.split(text, posix=False),
        lambda text: list(shlex.shlex(text, punctuation_chars=True)),
    )


def cookies(text: str) -> Any:
    cookie: Any = http.cookies.SimpleCookie()
    cookie.load(text)
    return [
        (name, morsel.value, morsel.coded_value, sorted(morsel.items())) for name, morsel in cookie.items()
    ], cookie.output()


def each_of(text: str, *functions: Any) -> list[Any]:
    """Return what each function gives for a text, or the type of the error it raises."""
    results = []
    for function in functions:
        try:
            results.append(function(text))
        except Exception as error:
            results.append(type(error).__name__)
    return results


def parsers() -> list[Parser]:
    """Return the ten open parsers."""
    return [
        Parser(
            "isbn", "python-stdnum==2.2", ("stdnum.isbn", "stdnum.ean"), isbn,
            (
                "978-9024538270", "978-9024538271", "1-85798-218-5", "1857982185", "9781857982183", "185798218X",
                "080442957X", "9790000000000", "979-10-90636-07-1", "9784873113685", "1-85798-218", "", "978902453827",
                "0-306-40615-2", "978 0 306 40615 7", "9770306406157", "ISBN 0306406152", "08044X9571",
            ),
            pattern=PATTERNS["isbn"],
        ),
        Parser(
            "luhn", "python-stdnum==2.2", ("stdnum.luhn",), luhn,
            ("7894", "7893", "79927398713", "79927398710", "0", "00", "18", "4242424242424242", "4242424242424241",
             "", "12a4", "-18", "1 8", "9999999999999999999"),
            pattern=PATTERNS["luhn"],
        ),
        Parser(
            "ean", "python-stdnum==2.2", ("stdnum.ean",), ean,
            ("73513537", "73513538", "978-0-471-11709-4", "4006381333931", "4006381333932", "98412345678908",
             "012345678905", "1234567", "123456789", "", "7351353X", "00000000", "0000000000000", "7351 3537"),
            pattern=PATTERNS["ean"],
        ),
        Parser(
            "es.nif", "python-stdnum==2.2",
            ("stdnum.es.nif", "stdnum.es.dni", "stdnum.es.nie", "stdnum.es.cif"), nif,
            ("ES B-58378431", "B64717838", "B64717839", "54362315K", "54362315Z", "X-5253868-R", "X5253868A",
             "M-1234567-L", "K1234567L", "J99216582", "U99216582", "A13585625", "A1358562", "Y0000000Z", "Z0000000M",
             "", "ES", "1234567890", "ABCDEFGHI", "P0700000A", "Q2876002C", "54362315-k"),
            pattern=PATTERNS["es.nif"],
        ),
        Parser(
            "card", "validators==0.36.0", ("validators.card",), card,
            ("4242424242424242", "4242424242424241", "4111111111111", "5555555555554444", "2223003122003222",
             "378282246310005", "3782822463100051", "6200000000000005", "3056930009020004", "30569309025904",
             "3566002020360505", "6011111111111117", "6555555555554442", "2200123456789019", "2205123456789012", "",
             "42424242424242424", "4242-4242-4242-4242", "abcd", "00000000000000"),
            pattern=PATTERNS["card"],
        ),
        Parser(
            "semver", "semver==3.1.1", ("semver.version",), semver,
            ("1.2.3", "0.0.0", "1.2.3-rc.1", "1.2.3-rc.1+build.5", "1.2.3-alpha", "1.2.3-rc.2", "1.2.3-rc.10", "2.0.0",
             "1.2.4", "1.2.3+build.9", "01.2.3", "1.2", "1.2.3-01", "1.2.3-0a", "1.2.3-", "1.2.3+", "", "v1.2.3",
             "10.20.30", "1.2.3-9.x-y.z", "0.9.99-beta.99"),
            pattern=PATTERNS["semver"],
        ),
        Parser(
            "isoduration", "isoduration==20.11.0",
            ("isoduration.parser", "isoduration.parser.parsing", "isoduration.parser.util", "isoduration.types",
             "isoduration.formatter", "isoduration.formatter.formatting", "isoduration.formatter.checking"),
            isoduration,
            ("P3Y6M4DT12H30M5S", "P1Y", "P1M", "PT1M", "P2W", "PT0S", "P", "PT", "-P1D", "+P1D", "P1.5Y", "PT1.5S",
             "PT1,5S", "P0003-06-04T12:30:05", "P1YT", "1Y", "P1S", "P1D2H", "PT5M3H", "P-1D", "PT36H", "P1W2D", ""),
            pattern=PATTERNS["isoduration"],
        ),
        Parser(
            "humanfriendly", "humanfriendly==10.0", ("humanfriendly",), humanfriendly,
            ("42", "13b", "5 bytes", "1 KB", "1 KiB", "1.5 GB", "1.5 GiB", "3 MB", "2 TB", "5 m", "1.5 h", "10 days",
             "2 weeks", "1 year", "500 ms", "3 km", "2.5 cm", "7 metres", "1z", "a", "", " 1 KB ", "1 kilobyte",
             "1 megabytes", "-5 MB", "2 min"),
            pattern=PATTERNS["humanfriendly"],
            only="parse_",
        ),
        Parser(
            "shlex", "python==3.11", ("shlex",), split_words,
            ("a b c", "a 'b c' d", 'a "b c" d', 'a "b \\" c"', "a\\ b", "'unclosed", '"unclosed', "a # comment",
             "a|b && c", "(a;b) > c < d", "''", '""', "a''b", "a\tb\nc", "\\", '"\\a"', "'\\a'", "a#b", "", "x;;y",
             "a 'b'\"c\""),
            pattern=PATTERNS["shlex"],
        ),
        Parser(
            "cookies", "python==3.11", ("http.cookies",), cookies,
            ("a=b", "a=b; c=d", 'a="b c"', 'a="b\\"c"', 'a="\\012"', "a=b; Path=/; Domain=x.org", "a=b; Max-Age=10",
             "a=b; HttpOnly; Secure", "a=b; SameSite=Lax", "a=b; expires=Wed, 01 Jan 2020 00:00:00 GMT", "a=", "=b", "",
             "a", "$Version=1; a=b; $Path=/x", "a=b;c=d", "Path=/; a=b", "a b=c", "a=b; Secure=yes", "a=b, c=d"),
            pattern=PATTERNS["cookies"],
        ),
    ]  # fmt: skip
