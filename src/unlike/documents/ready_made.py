"""Ready values for what services take, and the places and time zones of the world that tests travel to."""

from __future__ import annotations

import datetime
import ipaddress
import uuid as uuids
import zoneinfo
from dataclasses import dataclass

from unlike.errors import SpecError, nearest
from unlike.language.values import Date, Int, OneOf, Record, Str, record


@dataclass(frozen=True, slots=True)
class Location:
    """A place on earth with the time zone that its clocks show."""

    __module__ = "unlike"  # the place it is public at: files that are written import it from there

    name: str
    country: str
    zone: str
    latitude: float
    longitude: float

    @property
    def time_zone(self) -> zoneinfo.ZoneInfo:
        """The time zone as an object."""
        return zoneinfo.ZoneInfo(self.zone)


# One city for each time zone that a test may care for: whole, half and quarter hours, both hemispheres, with and
# without summer time, and both sides of the date line.
LOCATIONS = tuple(
    Location(*row)
    for row in (
        ("Vancouver", "CA", "America/Vancouver", 49.28, -123.12),
        ("Amsterdam", "NL", "Europe/Amsterdam", 52.37, 4.9),
        ("Pittsburgh", "US", "America/New_York", 40.44, -79.99),
        ("Tokyo", "JP", "Asia/Tokyo", 35.68, 139.69),
        ("London", "GB", "Europe/London", 51.51, -0.13),
        ("Kolkata", "IN", "Asia/Kolkata", 22.57, 88.36),
        ("Kathmandu", "NP", "Asia/Kathmandu", 27.72, 85.32),
        ("Sydney", "AU", "Australia/Sydney", -33.87, 151.21),
        ("Nairobi", "KE", "Africa/Nairobi", -1.29, 36.82),
        ("Honolulu", "US", "Pacific/Honolulu", 21.31, -157.86),
        ("St. John's", "CA", "America/St_Johns", 47.56, -52.71),
        ("Apia", "WS", "Pacific/Apia", -13.83, -171.77),
        ("Kiritimati", "KI", "Pacific/Kiritimati", 1.87, -157.43),
        ("Pago Pago", "AS", "Pacific/Pago_Pago", -14.28, -170.7),
        ("Adelaide", "AU", "Australia/Adelaide", -34.93, 138.6),
        ("Darwin", "AU", "Australia/Darwin", -12.46, 130.84),
        ("Brisbane", "AU", "Australia/Brisbane", -27.47, 153.03),
        ("Eucla", "AU", "Australia/Eucla", -31.68, 128.88),
        ("Lord Howe", "AU", "Australia/Lord_Howe", -31.55, 159.08),
        ("Auckland", "NZ", "Pacific/Auckland", -36.85, 174.76),
        ("Chatham", "NZ", "Pacific/Chatham", -43.95, -176.55),
        ("Tehran", "IR", "Asia/Tehran", 35.69, 51.39),
        ("Kabul", "AF", "Asia/Kabul", 34.53, 69.17),
        ("Yangon", "MM", "Asia/Yangon", 16.84, 96.17),
        ("Dubai", "AE", "Asia/Dubai", 25.2, 55.27),
        ("Karachi", "PK", "Asia/Karachi", 24.86, 67.01),
        ("Dhaka", "BD", "Asia/Dhaka", 23.81, 90.41),
        ("Bangkok", "TH", "Asia/Bangkok", 13.76, 100.5),
        ("Singapore", "SG", "Asia/Singapore", 1.35, 103.82),
        ("Shanghai", "CN", "Asia/Shanghai", 31.23, 121.47),
        ("Seoul", "KR", "Asia/Seoul", 37.57, 126.98),
        ("Vladivostok", "RU", "Asia/Vladivostok", 43.12, 131.89),
        ("Moscow", "RU", "Europe/Moscow", 55.76, 37.62),
        ("Istanbul", "TR", "Europe/Istanbul", 41.01, 28.98),
        ("Helsinki", "FI", "Europe/Helsinki", 60.17, 24.94),
        ("Cairo", "EG", "Africa/Cairo", 30.04, 31.24),
        ("Johannesburg", "ZA", "Africa/Johannesburg", -26.2, 28.05),
        ("Lagos", "NG", "Africa/Lagos", 6.52, 3.38),
        ("Casablanca", "MA", "Africa/Casablanca", 33.57, -7.59),
        ("Reykjavik", "IS", "Atlantic/Reykjavik", 64.15, -21.94),
        ("Azores", "PT", "Atlantic/Azores", 37.74, -25.67),
        ("Cape Verde", "CV", "Atlantic/Cape_Verde", 14.93, -23.51),
        ("São Paulo", "BR", "America/Sao_Paulo", -23.55, -46.63),
        ("Buenos Aires", "AR", "America/Argentina/Buenos_Aires", -34.6, -58.38),
        ("Caracas", "VE", "America/Caracas", 10.48, -66.9),
        ("Lima", "PE", "America/Lima", -12.05, -77.04),
        ("Chicago", "US", "America/Chicago", 41.88, -87.63),
        ("Denver", "US", "America/Denver", 39.74, -104.99),
        ("Phoenix", "US", "America/Phoenix", 33.45, -112.07),
        ("Anchorage", "US", "America/Anchorage", 61.22, -149.9),
        ("Marquesas", "PF", "Pacific/Marquesas", -9.43, -140.07),
    )
)


def Place(*names: str) -> OneOf:  # noqa: N802  (a value like Int and Date)
    """Return one of the known places, or of those named; `.zone`, `.country` and the like are its attributes."""
    if not names:
        return OneOf(*LOCATIONS)
    known = {place.name: place for place in LOCATIONS}
    for name in names:
        if name not in known:
            raise SpecError(f"Place({name!r}): not a known place; {nearest(name, known)}")
    return OneOf(*(known[name] for name in names))


def TimeZone(*names: str) -> OneOf:  # noqa: N802  (a value like Int and Date)
    """Return one of the time zones of the known places, or of those named; `.key` is the IANA name."""
    keys = names or tuple(place.zone for place in LOCATIONS)
    zones = []
    for key in keys:
        try:
            zones.append(zoneinfo.ZoneInfo(key))
        except (zoneinfo.ZoneInfoNotFoundError, ValueError) as error:
            raise SpecError(f"TimeZone({key!r}): no such time zone; give an IANA name like 'Europe/Paris'") from error
    return OneOf(*zones)


def email() -> Str:
    """Return a value for email addresses that any service should take."""
    return Str(r"[a-z][a-z0-9]{0,9}([._+-][a-z0-9]{1,8})?@([a-z][a-z0-9-]{0,8}[a-z0-9]\.)?example\.(com|org|net)")


def url() -> Str:
    """Return a value for web addresses: scheme, host, and maybe port, path, query and fragment."""
    return Str(
        r"https?://(www\.)?example\.(com|org)(:(80|443|8080))?(/[a-z0-9_-]{1,8}){0,3}/?"
        r"(\?[a-z]{1,5}=[a-z0-9%+]{0,8})?(#[a-z0-9]{1,6})?",
        max_length=90,
    )


def slug() -> Str:
    """Return a value for slugs: lower-case words and numbers joined by hyphens."""
    return Str(r"[a-z0-9]+(-[a-z0-9]+)*", max_length=40)


def account_number(digits: int = 12) -> Str:
    """Return a value for account numbers of so many digits."""
    if type(digits) is not int or digits < 1:
        raise SpecError(f"account_number({digits!r}): the number of digits is an int of at least 1")
    return Str(rf"\d{{{digits}}}", flags=256, max_length=digits)  # 256 is re.ASCII


def uuid() -> Record:
    """Return a value for random (version 4) UUIDs; `.number` counts them."""
    return record(_uuid, number=Int(0, 2**62 - 1))


def _uuid(number: int) -> uuids.UUID:
    return uuids.UUID(int=number, version=4)


def ip_address(version: int = 4) -> Record:
    """Return a value for IP addresses; `.address` is the address as a number."""
    if version not in (4, 6):
        raise SpecError(f"ip_address({version!r}): the version is 4 or 6")
    first = int(ipaddress.ip_address("1.0.0.1" if version == 4 else "2001:db8::1"))
    last = int(ipaddress.ip_address("223.255.255.254" if version == 4 else "2001:db8::ffff:ffff:ffff"))
    return record(_ipv4 if version == 4 else _ipv6, address=Int(first, last))


def _ipv4(address: int) -> ipaddress.IPv4Address:
    return ipaddress.IPv4Address(address)


def _ipv6(address: int) -> ipaddress.IPv6Address:
    return ipaddress.IPv6Address(address)


def iso_date() -> Record:
    """Return a value for dates as text, like 2024-02-29; `.date` is the date."""
    return record(_iso_date, date=Date())


def _iso_date(date: datetime.date) -> str:
    return date.isoformat()


# Country codes with the length of the account part that follows the two check digits, all digits in these countries.
IBAN_DIGITS = {"DE": 18, "ES": 20, "BE": 12, "AT": 16, "PT": 21, "DK": 14, "FI": 14, "PL": 24, "SE": 20, "NO": 11}


def iban() -> Record:
    """Return a value for IBANs with right check digits; `.country` and `.account` are what they are made of."""
    shortest = min(IBAN_DIGITS.values())
    return record(_iban, country=OneOf(*IBAN_DIGITS), account=Int(0, 10**shortest - 1))


def _iban(country: str, account: int) -> str:
    digits = str(account).rjust(IBAN_DIGITS[country], "0")
    number = int(digits + "".join(str(ord(letter) - ord("A") + 10) for letter in country) + "00")
    return f"{country}{98 - number % 97:02d}{digits}"
