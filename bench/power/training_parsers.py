"""Eight further parsers, of the standard library and packaging, on which the order of texts may be tried out.

They were written down before anything was run on them, so that what is learnt is learnt elsewhere than on the parsers kept back.
"""

from __future__ import annotations

import sys
from importlib import import_module as load
from typing import Any

from bench.power.open_parsers import each_of
from bench.power.subjects import Parser

PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor}"


def zone_rule(text: str) -> Any:
    found = load("zoneinfo._zoneinfo")._parse_tz_str(text)
    return type(found).__name__, [
        (name, shown(getattr(found, name)))
        for name in ("utcoff", "tzname", "std", "dst", "start", "end")
        if hasattr(found, name)
    ]


def shown(part: Any) -> Any:
    """Return the fields of a part of a rule."""
    fields = getattr(type(part), "__slots__", ())
    return [(name, str(getattr(part, name))) for name in fields] or str(part)


def web_date(text: str) -> Any:
    module = load("http.cookiejar")
    return each_of(text, module.http2time, module.iso2time)


def mail_date(text: str) -> Any:
    module = load("email._parseaddr")
    return each_of(text, module.parsedate_tz, module.mktime_tz)


def fraction(text: str) -> Any:
    cls = load("fractions").Fraction
    return each_of(text, cls, lambda text: cls(text).limit_denominator(10), lambda text: round(cls(text)))


def plural_rule(text: str) -> Any:
    rule = load("gettext").c2py(text)
    return [rule(number) for number in (0, 1, 2, 3, 4, 5, 10, 11, 12, 21, 22, 100, 101, 111)]


def file_pattern(text: str) -> Any:
    module = load("fnmatch")
    names = ["a", "b", "ab", "a.py", "b.txt", "-", "]", "!", "[a]", "x-y", "", "0", "a/b"]
    return module.translate(text), [name for name in names if module.fnmatchcase(name, text)]


def requirement(text: str) -> Any:
    made = load("packaging.requirements").Requirement(text)
    return str(made), made.name, sorted(made.extras), str(made.specifier), made.url, str(made.marker)


def decimal_number(text: str) -> Any:
    module = load("_pydecimal")
    return each_of(
        text,
        lambda text: str(module.Decimal(text)),
        lambda text: module.Decimal(text).to_eng_string(),
        lambda text: module.Decimal(text).as_tuple(),
        lambda text: str(module.Decimal(text).normalize()),
        lambda text: format(module.Decimal(text), ",.2f"),
    )


def parsers() -> list[Parser]:
    """Return the eight parsers."""
    return [
        Parser(
            "zone rule", PYTHON, ("zoneinfo._zoneinfo",), zone_rule,
            ("EST5EDT", "UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "<+03>-3", "AAA4BBB,J60/0,J300/2", "XXX-2<+01>-1,0/0,J365/23",
             "EST5", "EST+5EDT,M3.2.0/4:30:15,M11.1.0/-3", "IST-2IDT,M3.4.4/26,M10.5.0", "", "5", "EST", "AAA4BBB,M13.1.1,M3.1.1",
             "AAA25", "AAA4BBB,J0,J5", "AAA4BBB,M3.2.0", "<AAA4", "EST5:30:10"),
            pattern=r"([A-Z]{3,4}|<[+-]\d{2,4}>)[+-]?(\d|1\d|2[0-4])(:[0-5]\d(:[0-5]\d)?)?"
            r"([A-Z]{3,4}([+-]?\d)?(,(M(\d|1[0-2])\.[1-5]\.[0-6]|J?\d{1,3})(/-?\d{1,3}(:\d\d)?)?){0,2})?",
            only="_parse",
        ),
        Parser(
            "web date", PYTHON, ("http.cookiejar",), web_date,
            ("Wed, 09 Feb 1994 22:23:32 GMT", "Tuesday, 08-Feb-94 14:15:29 GMT", "Feb  3 17:03:55 GMT 1994", "09 Feb 1994 22:23:32 GMT",
             "08-Feb-94 14:15:29", "1994-02-03 14:15:29 -0100", "1994-02-03", "19940203T141529Z", "03/Feb/1994:17:03:55 -0700",
             "Feb 3 1994", "02-03-94  12:15PM", "1994-02-03T14:15:29.5+01:30", "32 Feb 1994 00:00:00", "Wed, 09 Foo 1994 22:23:32 GMT",
             "", "09 Feb 99 12:00 AM", "1994-13-01", "24:00"),
            pattern=r"((Mon|Tue|Wed), )?[0-3]\d[ -](Jan|Feb|Jul|Dec)[ -](19|20)?\d\d( [0-2]\d:[0-5]\d(:[0-5]\d)?( (GMT|UTC|[+-]\d{4}))?( ?[AP]M)?)?"
            r"|(19|20)\d\d-?[01]\d-?[0-3]\d([T ][0-2]\d:?[0-5]\d(:?[0-5]\d(\.\d+)?)?( ?(Z|[+-]\d\d:?\d\d))?)?",
            only=("http2time", "iso2time", "_str2time", "_timegm", "offset_from_tz_string"),
        ),
        Parser(
            "mail date", PYTHON, ("email._parseaddr",), mail_date,
            ("Mon, 20 Nov 1995 19:12:08 -0500", "20 Nov 1995 19:12:08 EST", "Thu, 1 Jan 70 00:00", "1 Jan 2000 00:00:00 +0000",
             "Nov 20 1995 19:12:08", "Mon,20 Nov 1995 19:12:08 -0500", "20-Nov-95 19:12:08 GMT", "20 November 1995 7.12", "", "Mon",
             "20 Foo 1995 19:12:08", "20 Nov 1995", "20 Nov 1995 19:12:08 -05", "20 Nov 68 1:2:3 PST", "20 Nov 69 1:2:3 -0000",
             "Mon, 20 Nov 1995 19:12 +1000", "20 Nov 1995 19.12.08 UT"),
            pattern=r"((Mon|Tue|Sun), ?)?[0-3]?\d[ -](Jan|Mar|Nov|June)[ -]((19|20)\d\d|\d\d) [0-2]\d[:.][0-5]\d([:.][0-5]\d)?"
            r"( ([+-]\d{4}|GMT|EST|PDT|UT))?( \(comment\))?",
            only=("parsedate_tz", "_parsedate_tz", "mktime_tz"),
        ),
        Parser(
            "fraction", PYTHON, ("fractions",), fraction,
            ("3/7", "-35/4", "3.1415", "-47e-2", "  7 ", "1_000/3", "0.1e+2", ".5", "5.", "+2", "1/0", "1/-2", "", "a", "1/2/3", "1e400",
             "0/5", "22/7", "-.25E1", "1__0"),
            pattern=r" ?[+-]?(\d{1,4}/[1-9]\d{0,3}|\d{1,3}(_\d{3})?(\.\d{0,4})?([eE][+-]?\d{1,2})?|\.\d{1,4}) ?",
            only=("Fraction.__new__", "Fraction.limit_denominator", "Fraction.__round__"),
        ),
        Parser(
            "plural rule", PYTHON, ("gettext",), plural_rule,
            ("n != 1", "0", "n>1", "n==1 ? 0 : n==2 ? 1 : 2", "n%10==1 && n%100!=11 ? 0 : 1", "(n%10==1)?0:2", "n<2 || n>=20", "!n", "!(n-1)",
             "n*2+1", "n/2", "n", "n ==", "n = 1", "(n", "n ? 1", "", "x", "n**2", "1 ? 2 : 3 : 4", "n%2", "n-1-1"),
            pattern=r"!?n( ?(%|/|\*|\+|-) ?\d{1,3})?( ?(==|!=|<|>|<=|>=) ?\d{1,2})?( (&&|\|\|) n%\d{1,3}(==|!=|<)\d{1,2})?"
            r"( ?\? ?\d ?: ?(\d|\(n(==|>)\d ?\? ?\d ?: ?\d\)))?",
            only=("_tokenize", "_error", "_parse", "_as_int", "c2py"),
        ),
        Parser(
            "file pattern", PYTHON, ("fnmatch",), file_pattern,
            ("*", "?", "*.py", "a*b", "[ab]", "[!ab]", "[a-z]*", "[]a]", "[!]", "[", "[a", "[z-a]", "[a-", "**", "a?b*c", "[a-c-e]", "[^a]", "\\", "",
             "[a-]", "[--x]", "[!-]", "[[:alpha:]]", "*a*b*"),
            pattern=r"([a-z0-9._-]{1,4}|\*{1,2}|\?|\[!?(\]|[a-z]-[a-z]|[a-z0-9]|-){1,3}\]){1,4}",
        ),
        Parser(
            "requirement", "packaging==26.3", ("packaging._parser", "packaging._tokenizer", "packaging.requirements"), requirement,
            ("name", "name<=1", "name>=2,<3", "name[quux]", "name[a,b]>=1.0", "name @ http://foo.com", "name @ http://foo.com ; os_name=='a'",
             "name[a,b]; python_version<'3'", "name; python_version < '3' and os_name == 'nt'", "name; (os_name=='a' or os_name=='b')", "",
             "name[", "name>=", "name;", "name; x", "1.0", "name[a,]", "name>1 <2", "name (>=1,<2)", "name; extra not in 'a b'", "na me"),
            pattern=r"[a-zA-Z][a-zA-Z0-9._-]{0,8}(\[[a-z]+(, ?[a-z]+)*\])?( ?(==|>=|<|~=|!=)\d+(\.\d+){0,2}(, ?(<|!=)\d+(\.\*)?)?| @ https?://[a-z]+\.org)?"
            r"( ?; ?(python_version|os_name|extra) ?(==|<|>=|in|not in) ?'[a-z0-9.]+'( (and|or) os_name == \"[a-z]+\")?)?",
        ),
        Parser(
            "decimal", PYTHON, ("_pydecimal",), decimal_number,
            ("0", "1.5", "-1.50", "1e3", "1E-7", "NaN", "sNaN12", "Infinity", "-inf", "0.000", "-0", "1_000.5", "  3 ", "12345678901234567890.123456789",
             "1e400", "0E+5", ".5", "5.", "", "abc", "1.2.3", "--1", "1e", "٣"),
            pattern=r"[+-]?(\d{1,12}(\.\d{0,8})?([eE][+-]?\d{1,3})?|\.\d{1,6}|[Ii]nf(inity)?|s?NaN\d{0,3})",
            only=("Decimal.__new__", "Decimal.__str__", "Decimal.normalize", "Decimal.__format__", "_format_number", "_insert_thousands_sep",
                  "_parse_format_specifier", "Decimal._rescale", "Decimal._fix"),
        ),
    ]  # fmt: skip
