"""Shipping addresses in five countries, for the label printer.

The postcode is written as its country writes it. There is a state in the United States and a province in Canada, and
none elsewhere. The first line is a street and a number; a second line is there or not, and is never empty.

Two addresses differ in their country, in having a second line, or in the branch that the postcode takes of its
country's pattern.

What it guarantees: every country in its own form, with one line and with two, and each way to write a postcode.
"""

from unlike import OneOf, Option, Spec, Str, cover, differs_by, enumerate_, implies, some_of

POSTCODES = {
    "DE": r"\d{5}",
    "NL": r"[1-9]\d{3} [A-Z]{2}",
    "GB": r"[A-Z][A-Z]?\d[A-Z\d]? \d[A-Z]{2}",
    "US": r"\d{5}(-\d{4})?",
    "CA": r"[A-Z]\d[A-Z] \d[A-Z]\d",
}
POSTCODE = "|".join(f"({pattern})" for pattern in POSTCODES.values())
REGIONS = {"US": ["CA", "NY", "TX"], "CA": ["BC", "ON", "QC"]}

addresses = Spec(
    {
        "name": Str(r"[A-Z][a-z]{1,9} [A-Z][a-z]{1,14}"),
        "street": Str(r"[A-Z][a-z]{3,12} (Street|Road|Lane) [1-9]\d{0,2}[a-d]?"),
        "second_line": Option(Str(min_length=1, max_length=30)),
        "city": Str(r"[A-Z][a-z]{2,14}( [A-Z][a-z]{2,9})?"),
        "region": Option(OneOf("CA", "NY", "TX", "BC", "ON", "QC")),
        "postcode": Str(POSTCODE),
        "country": OneOf(*POSTCODES),
    },
    where=[
        *(
            lambda country, postcode, code=code, pattern=pattern: implies(country == code, postcode.matches(pattern))
            for code, pattern in POSTCODES.items()
        ),
        lambda country, region: region.present == country.is_in(["US", "CA"]),
        lambda country, region: implies(country == "US", region.value.is_in(REGIONS["US"])),
        lambda country, region: implies(country == "CA", region.value.is_in(REGIONS["CA"])),
    ],
    different=enumerate_(
        [lambda country, code=code: country == code for code in POSTCODES],
        [
            some_of(differs_by(lambda second_line: second_line.present), cover.regex("postcode", pattern))
            for pattern in POSTCODES.values()
        ],
    ),
    name="addresses",
    n=20,
)
