"""Ready values: each is what a service would accept."""

import datetime
import ipaddress
import re
import uuid
import zoneinfo
from urllib.parse import urlsplit

import unlike
from unlike import Ending, Spec, cover, differs_by, generate
from unlike.documents.ready_made import LOCATIONS
from unlike.recipe import run
from unlike.writers.inputs import as_python


def fifty(value):
    return [each["v"] for each in generate(Spec({"v": value}), 50).values]


def test_emails_have_one_at_sign_and_a_reserved_domain():
    for email in fifty(unlike.email()):
        local, _, host = email.partition("@")
        assert re.fullmatch(r"[a-z0-9._+-]+", local)
        assert host.endswith(("example.com", "example.org", "example.net"))


def test_urls_parse_and_stay_on_reserved_hosts():
    for url in fifty(unlike.url()):
        parts = urlsplit(url)
        assert parts.scheme in ("http", "https")
        assert parts.hostname.removeprefix("www.") in ("example.com", "example.org")
        assert parts.port in (None, 80, 443, 8080)


def test_uuids_are_of_version_four_and_distinct():
    found = fifty(unlike.uuid())

    assert {each.version for each in found} == {4}
    assert len(set(found)) == 50
    assert all(isinstance(each, uuid.UUID) for each in found)


def test_addresses_of_both_versions():
    assert all(isinstance(each, ipaddress.IPv4Address) for each in fifty(unlike.ip_address()))
    assert all(isinstance(each, ipaddress.IPv6Address) for each in fifty(unlike.ip_address(6)))


def test_account_numbers_have_their_digits():
    assert all(re.fullmatch(r"[0-9]{12}", each) for each in fifty(unlike.account_number()))
    assert all(re.fullmatch(r"[0-9]{4}", each) for each in fifty(unlike.account_number(4)))


def test_ibans_pass_the_check_of_modulo_97():
    lengths = {"DE": 22, "ES": 24, "BE": 16, "AT": 20, "PT": 25, "DK": 18, "FI": 18, "PL": 28, "SE": 24, "NO": 15}
    for iban in fifty(unlike.iban()):
        number = int("".join(str(int(char, 36)) for char in iban[4:] + iban[:4]))
        assert number % 97 == 1
        assert len(iban) == lengths[iban[:2]]


def test_the_parts_of_a_made_value_can_be_spoken_of():
    suite = generate(
        Spec({"iban": unlike.iban()}, where=lambda iban: iban.country == "PL", different=differs_by("iban.account")), 3
    )

    assert all(each["iban"].startswith("PL") for each in suite.values)


def test_iso_dates_parse():
    assert all(datetime.date.fromisoformat(each) for each in fifty(unlike.iso_date()))


def test_slugs_have_no_hyphens_at_their_ends_and_cover_their_branches():
    pattern = unlike.slug().matching
    suite = generate(Spec({"s": unlike.slug()}, different=cover.regex("s", pattern)))

    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", each["s"]) for each in suite.values)
    assert any("-" in each["s"] for each in suite.values)


def test_places_have_different_zones_and_real_ones():
    assert len({place.zone for place in LOCATIONS}) == len(LOCATIONS) >= 38
    assert all(place.time_zone == zoneinfo.ZoneInfo(place.zone) for place in LOCATIONS)


def test_time_zones_differ_by_their_name():
    suite = generate(Spec({"zone": unlike.TimeZone("Asia/Tokyo", "Asia/Seoul")}, different=differs_by("zone.key")))

    assert [each["zone"].key for each in suite.values] == ["Asia/Tokyo", "Asia/Seoul"]
    assert suite.status.ending is Ending.COMPLETE


def test_a_location_of_the_users_own_can_carry_a_time_zone():
    class Office:
        def __init__(self, city, zone):
            self.city, self.zone = city, zone

    office = unlike.record(
        Office, city=unlike.OneOf("Oslo", "Bergen", "Lima"), zone=unlike.TimeZone("Europe/Oslo", "America/Lima")
    )
    spec = Spec({"office": office}, where=lambda office: (office.city == "Lima") == (office.zone.key == "America/Lima"))

    found = [(each["office"].city, each["office"].zone.key) for each in generate(spec).values]

    assert sorted(found) == [("Bergen", "Europe/Oslo"), ("Lima", "America/Lima"), ("Oslo", "Europe/Oslo")]


def test_ready_values_are_written_as_what_they_are_not_by_the_function_that_makes_them():
    blanks = {"account": unlike.iban(), "key": unlike.uuid(), "day": unlike.iso_date(), "host": unlike.ip_address()}

    suite = generate(Spec(blanks), 3)

    source = as_python([suite])
    assert "unlike" not in source
    assert "IPv4Address('1.0.0.1')" in source
    assert [run(case.recipe) for case in suite] == suite.values
