"""Ten further parsers that nobody looks at before the study of behaviour ends; with the unseen ones they are twenty.

Their patterns say what a user who has read the documentation of the package would say, and no more.
"""

from __future__ import annotations

import functools
import os
from importlib import import_module as load
from typing import Any

from bench.power.open_parsers import each_of
from bench.power.subjects import Parser


def interval(text: str) -> Any:
    names = "aniso8601.interval:parse_interval", "aniso8601.duration:parse_duration", "aniso8601.time:parse_time"
    functions = [getattr(load(module), function) for module, function in (each.split(":") for each in names)]
    return [str(each) for each in each_of(text, *functions)]


@functools.cache
def licences(process: int) -> Any:  # noqa: ARG001
    """Return the licences of a process: a mutant, which has its own, builds them again; it takes longer than a text."""
    return load("license_expression").get_spdx_licensing()


def licence(text: str) -> Any:
    licensing = licences(os.getpid())
    return each_of(
        text,
        lambda text: str(licensing.parse(text, validate=True)),
        lambda text: str(licensing.parse(text).simplify()),
        lambda text: licensing.license_keys(text),
        lambda text: licensing.is_equivalent(text, "mit or apache-2.0"),
    )


def number_word(text: str) -> Any:
    return load("word2number.w2n").word_to_num(text)


def cron_fields(text: str) -> Any:
    cls = load("croniter.croniter").croniter
    expanded, nth = cls.expand(text)
    return expanded, sorted((day, sorted(weeks)) for day, weeks in nth.items())


def language_tag(text: str) -> Any:
    return load("langcodes.tag_parser").parse_tag(text)


def point(text: str) -> Any:
    made = load("geopy.point").Point.from_string(text)
    return tuple(made), made.format(), made.format_decimal()


def accept_header(text: str) -> Any:
    module = load("mimeparse")
    supported = ["application/json", "text/html", "text/plain;format=flowed", "image/png"]
    return each_of(
        text, module.parse_mime_type, module.parse_media_range, lambda text: module.best_match(supported, text)
    )


def bits(text: str) -> Any:
    module = load("bitmath")
    return [
        repr(each)
        for each in each_of(
            text,
            module.parse_string,
            lambda text: module.parse_string(text, strict=False),
            lambda text: module.parse_string(text, strict=False, system=module.SI),
            lambda text: module.parse_string(text).best_prefix(),
        )
    ]


def network(text: str) -> Any:
    found = load("netaddr.ip").IPNetwork(text)
    return (
        str(found),
        str(found.netmask),
        str(found.hostmask),
        found.size,
        str(found.broadcast),
        str(found.cidr),
        found.prefixlen,
    )


def mexican_tax_number(text: str) -> Any:
    module = load("stdnum.mx.rfc")
    return each_of(
        text,
        module.validate,
        lambda text: module.validate(text, validate_check_digits=True),
        module.format,
        module.is_valid,
    )


def parsers() -> list[Parser]:
    """Return the ten parsers kept back."""
    return [
        Parser(
            "aniso8601", "aniso8601==10.0.1",
            ("aniso8601.interval", "aniso8601.duration", "aniso8601.time", "aniso8601.date", "aniso8601.timezone"), interval,
            ("2007-03-01T13:00:00Z/2008-05-11T15:30:00Z", "2007-03-01/P1Y2M", "P1Y2M10DT2H30M/2008-05-11", "P1Y", "P2W",
             "PT36H", "P1.5D", "PT1,5S", "P0003-06-04T12:30:05", "13:00:00Z", "1300", "13", "24:00:00", "24:00:01",
             "13:00:00.5+01:00", "2007-W01-1/2007-060", "P", "", "P1S", "/", "2007-03-01", "-P1Y", "13:60", "2007/2008"),
            pattern=r"[0-9]{4}-(0[1-9]|1[0-2])-[0-2][0-9](T[0-2][0-9]:[0-5][0-9]Z?)?/([0-9]{4}-(0[1-9]|1[0-2])-[0-2][0-9]|P([0-9]+Y)?[0-9]+[MWD])"
            r"|P([0-9]+Y)?([0-9]+M)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+([.,][0-9]+)?S)?)?|P[0-9]+W"
            r"|[0-2][0-9](:?[0-5][0-9](:?[0-5][0-9]([.,][0-9]+)?)?)?(Z|[+-][0-9]{2}(:[0-9]{2})?)?",
        ),
        Parser(
            "licence expression", "license-expression==30.4.4", ("license_expression",), licence,
            ("MIT", "mit OR apache-2.0", "MIT AND Apache-2.0", "GPL-2.0-only WITH Classpath-exception-2.0", "(MIT OR BSD-3-Clause)",
             "MIT OR MIT", "MIT AND (MIT OR Apache-2.0)", "foo", "MIT OR foo", "MIT OR", "OR MIT", "(MIT", "", "MIT Apache-2.0",
             "GPL-2.0+", "Apache-2.0 OR MIT", "MIT WITH MIT", "LicenseRef-x", "mit and mit or apache-2.0"),
            pattern=r"\(?(MIT|mit|Apache-2\.0|BSD-3-Clause|GPL-2\.0-only( WITH Classpath-exception-2\.0)?|LicenseRef-[a-z]+)"
            r"( (AND|OR|and|or) \(?(MIT|Apache-2\.0|ISC|GPL-3\.0-or-later|[a-z]{3})\)?)*\)?",
        ),
        Parser(
            "number words", "word2number==1.1", ("word2number.w2n",), number_word,
            ("two million three thousand nine hundred and eighty four", "two point three", "one", "zero", "nineteen", "forty two",
             "one hundred", "one hundred and one", "three thousand", "one billion", "two point five seven", "point five",
             "112", "12.5", "hundred", "million million", "thousand one million", "seven apples", "", "and", "point point", "2 two",
             "one billion two million three thousand four hundred five"),
            pattern=r"((one|two|nineteen) billion ?)?((two|three|sixty one) million ?)?((two|three|fifteen|ninety) thousand ?)?"
            r"((one|four|nine) hundred( and)? ?)?(zero|one|two|five|ten|nineteen|((twenty|forty|eighty)( (two|four|nine))?))?"
            r"( point( (one|three|five|seven|zero))+)?",
        ),
        Parser(
            "croniter", "croniter==6.2.4", ("croniter.croniter",), cron_fields,
            ("* * * * *", "*/15 * * * *", "0-5,10 * * * mon-fri", "* * * * 2#3", "0 * l * *", "0 0 * * * */15", "0 0 1 jan *",
             "0 0 * * 7", "0 0 * * sun", "5/10 * * * *", "10-5 * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *",
             "@daily", "@nope", "* * * *", "", "*/0 * * * *", "0 0 29 2 *", "0 0 * * l5", "0 0 * * * 0 2030", "1-2-3 * * * *"),
            pattern=r"(\*|\*/[0-9]{1,2}|[0-5]?[0-9](-[0-5]?[0-9](/[0-9])?)?(,[0-5]?[0-9])*) (\*|\*/[0-9]|1?[0-9](-2[0-3])?|2[0-3]) "
            r"(\*|l|[12]?[0-9]|3[01]) (\*|1?[0-9]|(jan|mar|may)(-(jun|dec))?) (\*|[0-7](-[0-7]|#[1-5])?|mon-fri|sun|l[0-6])( \*/[0-9]{2})?"
            r"|@(yearly|monthly|weekly|daily|hourly)",
        ),
        Parser(
            "language tag", "langcodes==3.5.1", ("langcodes.tag_parser",), language_tag,
            ("en", "en-US", "en-Latn-US", "zh-Hant-TW", "sl-rozaj-biske", "de-CH-1901", "es-419", "zh-yue-HK", "en-u-co-phonebk",
             "en-x-private", "x-private", "i-klingon", "EN_us", "aa-bbb-ccc-ddd-eee", "en-a-bbb-a-ccc", "", "e", "en-", "en--US",
             "toolongtag9", "en-US-US", "de-1996-1996", "en-x", "de-u"),
            pattern=r"([a-z]{2,3}(-[a-z]{3}){0,2}|[a-z]{4})([-_][A-Z][a-z]{3})?([-_]([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"
            r"(-[a-wyz](-[a-z0-9]{2,8})+)*(-x(-[a-z0-9]{1,8})+)?|x-[a-z0-9]{1,8}|i-(klingon|navajo)",
        ),
        Parser(
            "geographic point", "geopy==2.5.0", ("geopy.point", "geopy.units", "geopy.format", "geopy.util"), point,
            ("41.5;-81.0", "41.5,-81.0", "41.5 -81.0", "41.5 N -81.0 W", "-41.5 S;81.0 E", "23 26m 22s N 23 27m 30s E",
             "23 26' 22\" N 23 27' 30\" E", "UT: N 39°20' 0'' / W 74°35' 0''", "41.5,-81.0,2.5km", "41.5,-81.0,1000ft", "91,0", "0,181",
             "0,0", "-90,180", "41.5", "", "a,b", "41.5S,81W,3mi", "N 41.5 E 81", "23 26.5m N, 23 E", "1,2,3nm", "41.5 N, 81"),
            pattern=r"[+-]?[0-9]{1,2}(\.[0-9]+)?( ?[NS])?[ ,;] ?[+-]?[0-9]{1,3}(\.[0-9]+)?( ?[EW])?(, ?[0-9]+(\.[0-9])?(km|m|mi|ft|nm))?"
            r"|[0-9]{1,2} [0-5]?[0-9]m( [0-5]?[0-9]s)? [NS],? [0-9]{1,2} [0-5]?[0-9]m( [0-5]?[0-9]s)? [EW]",
        ),
        Parser(
            "media types", "python-mimeparse==2.0.0", ("mimeparse",), accept_header,
            ("text/html", "text/*;q=0.5,*/*; q=0.1", "application/json;q=0.8", "application/json;q=2", "application/json;q=-1",
             "application/json;q=x", "*/*", "*", "text", "text/plain;format=flowed", "text/html;level=1;q=0.7", "image/*", "",
             ";q=1", "text/html;q", "text/html,application/json", "text/html;q=0.4, application/json;q=0.4", "a/b/c", "audio/*;q=0"),
            pattern=r"(text|application|image|\*)/(html|json|plain|png|\*)(; ?(q=(0(\.[0-9]{1,3})?|1(\.0)?)|level=[0-9]|format=flowed))*"
            r"(, ?(text|application|\*)/(html|json|\*)(;q=0\.[0-9])?)*",
        ),
        Parser(
            "bitmath", "bitmath==2.1.1", ("bitmath",), bits,
            ("1KiB", "1 KiB", "4.5 GB", "10 Mb", "1 Byte", "8 Bit", "1 bit", "1 TiB", "3 kB", "3 KB", "4k", "2.7M", "1024", "0 B", "1 EiB",
             "-1 MB", "MB", "", "1 XB", "1.5.2 MB", "1e3 MB", "5 Ki", "1 PB", "5 gi"),
            pattern=r"[0-9]+(\.[0-9]+)? ?(Bit|Byte|[KMGTPE]i?[Bb]|kB|kb|[kKMGT]i?)?",
        ),
        Parser(
            "network", "netaddr==1.3.0", ("netaddr.ip", "netaddr.strategy.ipv4", "netaddr.strategy.ipv6"), network,
            ("192.0.2.0/24", "192.0.2.1", "192.0.2.130/25", "10.0.0.0/255.0.0.0", "10.0.0.0/0.255.255.255", "0.0.0.0/0", "1.2.3.4/32",
             "1.2.3.4/31", "1.2.3.4/33", "fe80::/10", "fe80::1/64", "::/0", "::1", "2001:db8::/ffff:ffff::", "::ffff:1.2.3.4/120",
             "1.2.3", "256.1.1.1", "", "1.2.3.4/", "1.2.3.4/a", "10.0.0.0/255.0.255.0", "::1/129", "a"),
            pattern=r"[0-9]{1,3}(\.[0-9]{1,3}){3}(/([0-9]|[12][0-9]|3[0-2]|255\.255\.(0|128|255)\.0|0\.0\.[0-9]{1,3}\.255))?"
            r"|([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(/[0-9]{1,3})?|([0-9a-f]{1,4}:){1,4}:([0-9a-f]{1,4})?(/(10|48|64|128))?|::1?",
        ),
        Parser(
            "rfc", "python-stdnum==2.2", ("stdnum.mx.rfc",), mexican_tax_number,
            ("GODE 561231 GR8", "GODE561231GR8", "MAB-930714-8T4", "COMG-600703", "VACE-460910-SX6", "MAB9307148T5", "MAB931314XX4",
             "GODE560230GR8", "GODE561231", "GODE561231GR", "", "123456789012", "&AB9307148T4", "Ñ&A930714AB1", "GODE5612310R8",
             "BUEI561231GR8", "gode561231gr8", "GODE561231GR8X"),
            pattern="[A-Z&]{3}[- ]?[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[- ]?[0-9A-V][0-9A-Z][0-9A]"
            "|[A-Z]{4}[- ]?[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])([- ]?[0-9A-Z]{2}[0-9A])?",
        ),
    ]  # fmt: skip
