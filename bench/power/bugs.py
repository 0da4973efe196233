"""Ten faults of released packages that a later version does not have.

An input shows the fault if the two versions answer differently; each of `shows` was tried on both. Versions between the
two were not tried: `package` has the fault, `fixed` has it no more.
"""

from __future__ import annotations

from bench.power.subjects import Bug

DATE = (
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.,][0-9]{1,6})?)?"
    r"(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?"
)
POINT = r"[+-]?[0-9]{1,2}(\.[0-9]+)?[NS]?[,; ] ?[+-]?[0-9]{1,3}(\.[0-9]+)?[EW]?(, ?[0-9]+(\.[0-9])?(km|m|mi|ft|nm))?"

BUGS = [
    Bug(
        "a size just below a unit is said to be 1000.0 of the smaller one", "humanize==4.15.0", "humanize==4.16.0",
        "humanize", "naturalsize", (999_999, 999_950), inputs="Annotated[int, Interval(ge=0, le=10**15)]",
    ),
    Bug(
        "a negative number of seconds is said to be a day", "humanize==4.9.0", "humanize==4.10.0",
        "humanize", "naturaldelta", (-1, -1500), inputs="Annotated[int, Interval(ge=-10**8, le=10**8)]",
    ),
    Bug(
        "leading zeros are refused where texts are made versions", "semantic-version==2.8.3", "semantic-version==2.8.4",
        "semantic_version", "Version.coerce", ("01.2", "0.00+ldk"),
        pattern=r"[0-9]{1,2}(\.[0-9]{1,2}){0,2}(-[a-z0-9]{1,3}(\.[0-9]{1,2})?)?(\+[a-z]{1,3})?",
    ),
    Bug(
        "ranges with ^ are refused", "semantic-version==2.7.0", "semantic-version==2.7.1",
        "semantic_version", "NpmSpec", ("^1.2.3", "^0.0.3"),
        pattern=r"([<>]=?|=|\^|~)?[0-9]{1,2}(\.([0-9]{1,2}|x)){0,2}( \|\| [0-9]\.x)?",
    ),
    Bug(
        "a comma before the fraction of a second is refused", "iso8601==0.1.10", "iso8601==0.1.12",
        "iso8601", "parse_date", ("2007-01-25T12:34:56,5Z",), pattern=DATE,
    ),
    Bug(
        "an offset of a day and more raises another error than promised", "iso8601==0.1.16", "iso8601==1.0.2",
        "iso8601", "parse_date", ("2007-01-25T12:34-49", "2007-01-25T12:34+24:00"), pattern=DATE,
    ),
    Bug(
        "an altitude in miles is read as metres", "geopy==1.17.0", "geopy==1.23.0",
        "geopy.point", "Point.from_string", ("41.5,81,3mi",), pattern=POINT,
    ),
    Bug(
        "a plus before the longitude is refused", "geopy==2.0.0", "geopy==2.4.1",
        "geopy.point", "Point.from_string", ("76N,+6W", "41.5,+81.0"), pattern=POINT,
    ),
    Bug(
        "midnight is said to be 00:00 AM", "cron-descriptor==1.2.24", "cron-descriptor==1.2.31",
        "cron_descriptor", "get_description", ("0 0 * * *", "30 0 * * *", "0 0 * * 7"),
        pattern=r"(\*|\*/[0-9]{1,2}|[0-5]?[0-9]) (\*|1?[0-9](-2[0-3])?|2[0-3]) (\*|L|[12]?[1-9]) (\*|[1-9]|JAN-MAR) (\*|[0-7]|MON-FRI)",
    ),
    Bug(
        "a network of one IPv6 address has a broadcast address", "netaddr==0.8.0", "netaddr==0.9.0",
        "netaddr", "IPNetwork", ("::1", "fe80::1/128"),
        pattern=r"[0-9]{1,3}(\.[0-9]{1,3}){3}(/([0-9]|[12][0-9]|3[0-2]))?|([0-9a-f]{1,4}:){1,4}:[0-9a-f]{1,4}(/(10|48|64|12[0-8]))?|::1?",
    ),
]  # fmt: skip
