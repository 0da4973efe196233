"""What a parcel costs to any of the countries served.

The planted bug: the tariff calls Greece by its tax code, `EL`, the rest of the world calls it `GR`; its parcels find
no zone and `quote` crashes with a KeyError.
"""

from __future__ import annotations

from enum import Enum

MAXIMUM_GRAMS = 30_000

_ZONES = {
    "home": "DE",
    "near": "AT BE CH CZ DK FR LI LU NL PL",
    "union": "BG CY EE EL ES FI HR HU IE IT LT LV MT PT RO SE SI SK",
    "far": "GB IS NO RS TR UA",
}
_ZONE_OF = {code: zone for zone, codes in _ZONES.items() for code in codes.split()}
_CENTS = {"home": (399, 50), "near": (899, 90), "union": (1_199, 120), "far": (1_999, 250)}


class Country(Enum):
    """A country to which parcels go, by its two-letter code."""

    AUSTRIA = "AT"
    BELGIUM = "BE"
    BULGARIA = "BG"
    CROATIA = "HR"
    CYPRUS = "CY"
    CZECHIA = "CZ"
    DENMARK = "DK"
    ESTONIA = "EE"
    FINLAND = "FI"
    FRANCE = "FR"
    GERMANY = "DE"
    GREECE = "GR"
    HUNGARY = "HU"
    ICELAND = "IS"
    IRELAND = "IE"
    ITALY = "IT"
    LATVIA = "LV"
    LIECHTENSTEIN = "LI"
    LITHUANIA = "LT"
    LUXEMBOURG = "LU"
    MALTA = "MT"
    NETHERLANDS = "NL"
    NORWAY = "NO"
    POLAND = "PL"
    PORTUGAL = "PT"
    ROMANIA = "RO"
    SERBIA = "RS"
    SLOVAKIA = "SK"
    SLOVENIA = "SI"
    SPAIN = "ES"
    SWEDEN = "SE"
    SWITZERLAND = "CH"
    TURKEY = "TR"
    UKRAINE = "UA"
    UNITED_KINGDOM = "GB"


def quote(country: Country, grams: int) -> int:
    """Return the price in cents: a base by zone, and more for every kilogram begun after the first."""
    if not 0 < grams <= MAXIMUM_GRAMS:
        raise ValueError(f"{grams!r} grams is not between 1 and {MAXIMUM_GRAMS}")
    base, per_kilogram = _CENTS[_ZONE_OF[country.value]]
    return base + (grams - 1) // 1_000 * per_kilogram
