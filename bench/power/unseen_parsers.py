"""Ten parsers that are not looked at while unlike is changed: run only by `--subjects unseen`.

Their patterns say what a user who has read the documentation of the package would say, and no more.
"""

from __future__ import annotations

from importlib import import_module as load
from typing import Any

from bench.power.subjects import Parser


def date(text: str) -> Any:
    moment = load("iso8601.iso8601").parse_date(text)
    return moment.isoformat(), str(moment.tzinfo), load("iso8601.iso8601").is_iso8601(text)


def version(text: str) -> Any:
    cls = load("packaging.version").Version
    made, other = cls(text), cls("1.2rc1")
    parts = made.epoch, made.release, made.pre, made.post, made.dev, made.local, made.base_version, made.public
    return str(made), parts, made.is_prerelease, made.is_postrelease, made < other, made == other, made > other


def colour(text: str) -> Any:
    return tuple(load("webcolors._html5").html5_parse_legacy_color(text))


def roman(text: str) -> Any:
    number = load("roman").fromRoman(text)
    return number, load("roman").toRoman(number)


def timespan(text: str) -> Any:
    module = load("pytimeparse.timeparse")
    return module.timeparse(text), module.timeparse(text, granularity="minutes")


def tax_code(text: str) -> Any:
    module = load("stdnum.it.codicefiscale")
    number = module.validate(text)
    if len(number) == 11:
        return number
    return number, module.get_birth_date(number), module.get_gender(number)


def email(text: str) -> Any:
    found = load("email_validator.validate_email").validate_email(
        text, check_deliverability=False, allow_quoted_local=True, allow_domain_literal=True, allow_display_name=True
    )
    parts = found.normalized, found.local_part, found.domain, found.ascii_email, found.smtputf8, found.display_name
    return parts, str(getattr(found, "domain_address", None))


def npm_range(text: str) -> Any:
    base = load("semantic_version.base")
    spec = base.NpmSpec(text)
    versions = (
        "0.0.1",
        "0.0.3",
        "0.2.0",
        "0.2.5",
        "1.0.0",
        "1.2.0",
        "1.2.3-rc.1",
        "1.2.3",
        "1.2.4",
        "1.9.0",
        "2.0.0",
        "3.1.4",
    )
    return [each for each in versions if spec.match(base.Version(each))]


def cron(text: str) -> Any:
    return load("cron_descriptor.ExpressionDescriptor").get_description(text)


def uri(text: str) -> Any:
    reference = load("rfc3986.api").uri_reference(text)
    normal = reference.normalize()
    resolved = reference.resolve_with("http://example.org/a/b?c")
    return (
        tuple(reference),
        tuple(normal),
        reference.is_valid(require_scheme=True),
        reference.authority_info(),
        resolved.unsplit(),
    )


def parsers() -> list[Parser]:
    """Return the ten unseen parsers."""
    return [
        Parser(
            "iso8601", "iso8601==2.1.0", ("iso8601.iso8601",), date,
            ("2007-01-25T12:00:00Z", "2007-01-25", "2007-01", "2007", "20070125", "20070125T120000Z", "2007-01-25 12:00",
             "2007-01-25T12:34:56.789", "2007-01-25T12:34:56,5Z", "2007-01-25T12:00:00+01:00", "2007-01-25T12:00:00-0530",
             "2007-01-25T12:00:00-03", "2007-02-30", "2007-13-01", "2007-01-25T24:00:00", "2007-01-25T23:59:59.9999999Z",
             "2008-02-29", "", "25.01.2007", "2007-1-5", "2007-01-25T12", "2007-01-25T12:00:00-00:30"),
            pattern=r"[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01])([T ]([01][0-9]|2[0-3])(:[0-5][0-9](:[0-5][0-9]"
            r"([.,][0-9]{1,6})?)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?)?)?|[0-9]{8}(T[0-9]{6}Z?)?",
        ),
        Parser(
            "packaging.version", "packaging==26.3", ("packaging.version",), version,
            ("1.0", "1", "1.2.3", "1.0.dev1", "1.0a1", "1.0b2", "1.0rc1", "1.0.post1", "1!2.0", "1.0+local.1",
             "1.0-alpha.1", "1.0-1", "v1.0", "1.0c1", "1.0.pre1", "1.0.post1.dev2", "1.2rc1", "1.2.0rc1", "1.0+Ubuntu-2_x",
             "1.0.", "", "a", "1.0+", " 1.0 ", "1.0.0.0"),
            pattern=r"v?([0-9]+!)?[0-9]+(\.[0-9]+)*([-_.]?(a|b|rc|c|alpha|beta|pre|preview)[-_.]?[0-9]*)?"
            r"(-[0-9]+|[-_.]?(post|rev|r)[-_.]?[0-9]*)?([-_.]?dev[-_.]?[0-9]*)?(\+[a-z0-9]+([-_.][a-z0-9]+)*)?",
        ),
        Parser(
            "webcolors", "webcolors==25.10.0", ("webcolors._html5", "webcolors._conversion", "webcolors._normalization"),
            colour,
            ("black", "White", "chucknorris", "Window", "#fff", "#0f8", "#123456", "123456", "#12345", "transparent", "",
             " red ", "#ff00ff00ff00ff", "fff", "#ggg", "rgb(1,2,3)", "0123456789abcdef0123456789", "000000001", "é",
             "#1234567", "cornflowerblue", "00a0b0"),
            pattern=r"#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|black|white|red|lime|blue|cornflowerblue|rebeccapurple|transparent"
            r"|[a-z]{1,12}|#?[0-9a-zA-Z]{1,30}",
        ),
        Parser(
            "roman", "roman==5.2", ("roman",), roman,
            ("I", "II", "IV", "V", "IX", "XIV", "XL", "XC", "CD", "CM", "MCMXCIX", "MMMCMXCIX", "MMMM", "MMMMM", "N", "",
             "IIII", "VX", "IC", "iv", "XLII", "DCLXVI", "IM", "A"),
            pattern="M{0,4}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})",
        ),
        Parser(
            "pytimeparse", "pytimeparse==1.1.10", ("pytimeparse.timeparse",), timespan,
            ("32m", "2h32m", "3d2h32m", "1w3d2h32m", "1 w 3 d 2 h 32 m", "4:13", "4:13:02", "4:13:02.266", "2:04:13:02",
             "2 days, 4:13:02", "2 days,  4:13:02.266", "5hr34m56s", "5 hours, 34 minutes, 56 secs", "1.2 minutes",
             "- 1 minute", "+32m", "-4:13", ":22", "", "1:99", "10", "1.5h", "0", "m", "1 month"),
            pattern=r"[+-]? ?(([0-9]+(\.[0-9]+)? ?(w|wk|weeks?),? ?)?([0-9]+(\.[0-9]+)? ?(d|days?),? ?)?"
            r"([0-9]+(\.[0-9]+)? ?(h|hrs?|hours?),? ?)?([0-9]+(\.[0-9]+)? ?(m|mins?|minutes?),? ?)?"
            r"([0-9]+(\.[0-9]+)? ?(s|secs?|seconds?))?|([0-9]+ days?, )?([0-9]+:)?[0-9]{1,2}:[0-9]{2}(\.[0-9]+)?|:[0-9]{2})",
        ),
        Parser(
            "codicefiscale", "python-stdnum==2.2", ("stdnum.it.codicefiscale", "stdnum.it.iva", "stdnum.luhn"), tax_code,
            ("RCCMNL83S18D969H", "RCCMNL83S18D969", "RCCMNL83S18D969A", "00743110157", "00743110158", "MRTMTT91D08F205J",
             "MRTMTT91D48F205N", "RSSMRA85T10A562S", "VRDGPP13R10B293P", "rccmnl83s18d969h", "RCC MNL 83S18 D969H", "",
             "RCCMNL83Z18D969H", "RCCMNL83S39D969X", "CNTCHR83T41D969D", "RCDLSN84S16D96VB", "12345678901", "00000000000"),
            pattern="[A-Z]{6}[0-9]{2}[ABCDEHLMPRST]([04][1-9]|[1256][0-9]|[37][01])[A-Z][0-9]{3}[A-Z]|[0-9]{11}",
        ),
        Parser(
            "email", "email-validator==2.3.0", ("email_validator.syntax", "email_validator.validate_email"), email,
            ("a@example.org", "first.last+tag@mail.example.org", '"a b"@example.org', "Ann <ann@example.org>",
             '"Ann B." <ann@example.org>', "a@[127.0.0.1]", "a@[IPv6:::1]", "a@[IPv6:zz]", "ü@example.org",
             "a@bücher.example", "a..b@example.org", ".a@example.org", "a.@example.org", "a@example", "a@-x.org",
             "a@x-.org", "a@x..org", "@example.org", "a@", "a", "", "a@b@c.org", "a b@example.org", "a@localhost",
             "x" * 65 + "@example.org"),
            pattern=r"[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+"
            r"[a-z]{2,6}|\"[a-z ]+\"@example\.org|[a-z]+@\[(IPv6:[0-9a-f:]+|[0-9]{1,3}(\.[0-9]{1,3}){3})\]"
            r"|[A-Z][a-z]* <[a-z]+@[a-z]+\.org>",
        ),
        Parser(
            "npm range", "semantic-version==2.10.0", ("semantic_version.base",), npm_range,
            ("1.2.3", "=1.2.3", ">1.2.3", ">=1.2.3", "<1.2.3", "<=1.2.3", "^1.2.3", "^0.2.3", "^0.0.3", "~1.2.3", "~1.2",
             "~1", "1.x", "1.2.x", "*", "", "1.2.3 - 2.0.0", "1.2 - 2", ">=1.0.0 <2.0.0", "1.2.3 || 3.x", "^1.2.3-rc.1",
             ">1.2.3-rc.0", "1.2.3.4", "a", ">"),
            pattern=r"(([<>]=?|=|\^|~)?(0|[1-9][0-9]*|x|\*)(\.(0|[1-9][0-9]*|x|\*)(\.(0|[1-9][0-9]*|x|\*)(-[a-z]+(\.[0-9])?)?)?)?"
            r"|[0-9]\.[0-9]\.[0-9] - [0-9](\.[0-9](\.[0-9])?)?|>=?[0-9]\.[0-9]\.[0-9] <=?[0-9]\.[0-9]\.[0-9])"
            r"( \|\| [0-9](\.[0-9])?\.x)?",
        ),
        Parser(
            "cron description", "cron-descriptor==2.2.1",
            ("cron_descriptor.ExpressionDescriptor", "cron_descriptor.ExpressionParser",
             "cron_descriptor.ExpressionValidator"),
            cron,
            ("* * * * *", "*/5 * * * *", "0 0 * * *", "30 11 * * 1-5", "0 23 ? * MON-FRI", "0 12 1 1 *", "0 0 L * *",
             "0 0 * * 5L", "0 0 * * 6#3", "23 12 * JAN-MAR *", "1-10 * * * *", "0,30 * * * *", "*/10 * * * * *",
             "0 15 10 * * ? 2015", "5-10,20 8-17/2 * * *", "0 0 15W * *", "0 0 LW * *", "60 * * * *", "* 24 * * *",
             "* * *", "", "@daily", "0 0 * * 7", "a * * * *", "* * 32 * *"),
            pattern=r"(\*|\*/[0-9]{1,2}|[0-5]?[0-9](-[0-5]?[0-9])?(,[0-5]?[0-9])*) (\*|\*/[0-9]{1,2}|1?[0-9](-2[0-3])?|2[0-3]) "
            r"(\*|\?|L|LW|[12]?[0-9]W?|3[01]) (\*|1?[0-9]|(JAN|MAR|MAY)(-(MAR|JUN|DEC))?) (\*|\?|[0-7](-[0-6]|L|#[1-5])?|MON-FRI|SUN)"
            r"( (\*|20[0-9]{2}))?",
        ),
        Parser(
            "uri", "rfc3986==2.0.0",
            ("rfc3986.api", "rfc3986.uri", "rfc3986._mixin", "rfc3986.misc", "rfc3986.normalizers", "rfc3986.validators"),
            uri,
            ("http://example.org", "HTTP://User@Example.ORG:80/a/../b/./c?q=1#f", "https://user:pw@host:8080/", "mailto:a@b.c",
             "/path/only", "../up", "?q", "#f", "", "//host/path", "http://[::1]:80/", "http://[::1", "http://127.0.0.1/%7euser",
             "http://a:99999/", "http://256.1.1.1/", "urn:isbn:0451450523", "http://host/a%2fb%zz", "file:///etc/x", "1http://a",
             "http://a b/", "./a:b", "http://[fe80::1%25en0]/", "http://example.org/a/b/../../../c"),
            pattern=r"([a-z][a-z0-9+.-]*:)?(//([a-zA-Z0-9]+(:[a-z0-9]*)?@)?([A-Za-z0-9.-]+|[0-9]{1,3}(\.[0-9]{1,3}){3}|"
            r"\[[0-9a-f:]+\])(:[0-9]{1,5})?)?(/([a-zA-Z0-9._~-]|%[0-9A-Fa-f]{2}|\.\.)*)*(\?[a-z0-9=&]*)?(#[a-z0-9]*)?",
        ),
    ]  # fmt: skip
