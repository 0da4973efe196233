"""The services do what they promise on the inputs a programmer thinks of; the planted bugs are where they are said."""

import re
from datetime import UTC, datetime, time

import pytest
from examples.services.account_service import ACCOUNT_ID, AccountService
from examples.services.calendar_service import Calendar, Event, Location, parse_time
from examples.services.echo_service import echo
from examples.services.path_service import PATH, PathService
from examples.services.shipping_service import MAXIMUM_GRAMS, Country, quote

FLIGHT = datetime(2017, 10, 21, 10, 0, tzinfo=Location.PITTSBURGH.zone)
DAY_AFTER = datetime(2017, 10, 22, 14, 0, tzinfo=UTC)
ODD_CLOCKS = {
    Location.ADELAIDE,
    Location.DELHI,
    Location.KABUL,
    Location.KATHMANDU,
    Location.ST_JOHNS,
    Location.TEHRAN,
    Location.YANGON,
}


def every_time():
    """Return every time of the day in every way to write it, with the time that it means."""
    for hour in range(24):
        for minute in (0, 5, 30, 59):
            meant = time(hour, minute)
            clock, half = hour % 12 or 12, "AM" if hour < 12 else "PM"
            forms = [f"{hour}:{minute:02}", f"{hour:02}:{minute:02}"]
            forms += [f"{clock}:{minute:02}{space}{half}" for space in ("", " ")]
            yield from ((form, meant) for form in forms)


def abroad(location):
    calendar = Calendar(now=FLIGHT)
    calendar.fly(location, FLIGHT)
    calendar.set_current_time(DAY_AFTER)
    return calendar


def test_every_way_to_write_a_time_is_read_as_that_time():
    assert all(parse_time(text) == meant for text, meant in every_time())


@pytest.mark.parametrize("text", ["", "24:00", "7:60", "13:00 PM", "0:30 AM", "7 PM", "07:00 PM", "7:00  PM", "٧:٠٠"])
def test_what_is_not_a_time_is_refused(text):
    with pytest.raises(ValueError, match=re.escape(repr(text))):
        parse_time(text)


def test_a_time_at_the_end_of_a_name_is_the_same_as_a_time_given():
    for text, meant in every_time():
        calendar = Calendar(now=FLIGHT)

        from_name = calendar.create(f"meeting {text}", Location.PITTSBURGH)
        given = calendar.create("meeting", Location.PITTSBURGH, datetime.combine(FLIGHT.date(), meant, FLIGHT.tzinfo))

        assert from_name == given
        assert calendar.events == [from_name, given]


def test_a_name_without_a_time_stays_as_it_is():
    event = Calendar(now=FLIGHT).create("chapter 12:7", Location.TOKYO)

    assert event == Event("chapter 12:7", Location.TOKYO, None, 60)


def test_an_event_with_a_start_keeps_its_name():
    event = Calendar(now=FLIGHT).create("meeting 7:00 PM", Location.TOKYO, DAY_AFTER)

    assert (event.name, event.start) == ("meeting 7:00 PM", DAY_AFTER)


def test_events_are_shown_at_home_before_the_flight_and_abroad_after_it():
    calendar = abroad(Location.VANCOUVER)
    zone = Location.PITTSBURGH.zone

    before = calendar.create("breakfast", Location.PITTSBURGH, datetime(2017, 10, 21, 9, 0, tzinfo=zone))
    after = calendar.create("dinner", Location.VANCOUVER, datetime(2017, 10, 21, 22, 0, tzinfo=zone))

    assert calendar.show(before) == "2017-10-21 09:00 breakfast"
    assert calendar.show(after) == "2017-10-21 19:00 dinner"


@pytest.mark.parametrize("location", list(Location))
def test_a_time_in_a_name_is_local_after_a_flight_except_where_clocks_are_not_set_to_the_hour(location):
    calendar = abroad(location)

    from_name = calendar.create("meeting 7:00 PM", location)
    given = calendar.create("meeting", location, datetime.combine(calendar.today(), time(19), location.zone))

    assert (from_name == given) == (location not in ODD_CLOCKS)


def test_a_calendar_refuses_moments_without_a_zone_and_negative_durations():
    calendar = Calendar(now=FLIGHT)
    naive = FLIGHT.replace(tzinfo=None)

    with pytest.raises(ValueError, match="no time zone"):
        calendar.set_current_time(naive)
    with pytest.raises(ValueError, match="no time zone"):
        calendar.fly(Location.TOKYO, naive)
    with pytest.raises(ValueError, match="-1 is below 0"):
        calendar.create("nap", Location.TOKYO, minutes=-1)
    assert calendar.events == []
    assert calendar.flights == []


def test_a_value_is_read_back_from_its_path():
    service = PathService()

    assert service.store("reports:2024:sales", "good") == 1
    assert service.store("reports:2024:costs", "high") == 2
    assert service.store("reports", "many") == 1

    assert service.read("reports:2024:sales") == "good"
    assert service.read("reports:2024") is None
    assert service.list_folder("reports:2024") == ["costs", "sales"]
    assert service.list_folder("nowhere") == []


@pytest.mark.parametrize("path", ["", ":", "a:", ":a", "a::b", "a b", "a\n"])
def test_what_is_not_a_path_is_refused(path):
    with pytest.raises(ValueError, match="is not a path"):
        PathService().store(path, "x")


@pytest.mark.parametrize("path", ["a_b", "a:b_c", "_", "_a", "a_", "a:_b:c"])
def test_a_legal_path_with_an_underscore_crashes_as_documented(path):
    assert re.fullmatch(PATH, path)
    with pytest.raises(KeyError):
        PathService().store(path, "x")


def test_money_moves_between_accounts():
    service = AccountService()
    service.open("000000000001")
    service.open("000000000002")

    assert service.deposit("000000000001", 500) == 500
    service.transfer("000000000001", "000000000002", 200)

    assert (service.balance("000000000001"), service.balance("000000000002")) == (300, 200)


def test_an_account_refuses_what_it_must_and_is_left_as_it_was():
    service = AccountService()
    service.open("000000000001")
    service.deposit("000000000001", 500)

    for wrong in (0, -1, 501):
        with pytest.raises(ValueError, match="cannot give"):
            service.transfer("000000000001", "000000000001", wrong)
    with pytest.raises(ValueError, match="cannot be paid in"):
        service.deposit("000000000001", 0)
    with pytest.raises(KeyError):
        service.transfer("000000000001", "000000000009", 1)
    with pytest.raises(ValueError, match="already open"):
        service.open("000000000001")
    with pytest.raises(ValueError, match="twelve digits"):
        service.open("1")
    assert service.balance("000000000001") == 500


def test_an_identifier_that_is_not_numeric_is_accepted_as_documented():
    assert not re.fullmatch(ACCOUNT_ID, "twelve chars")

    AccountService().open("twelve chars")


@pytest.mark.parametrize("country", [country for country in Country if country is not Country.GREECE])
def test_a_parcel_costs_more_the_more_it_weighs(country):
    prices = [quote(country, grams) for grams in (1, 1_000, 1_001, 2_000, 2_001, MAXIMUM_GRAMS)]

    assert 0 < prices[0] == prices[1] < prices[2] == prices[3] < prices[4] < prices[5]


def test_there_are_over_thirty_countries_and_greece_alone_crashes():
    assert len(Country) > 30
    with pytest.raises(KeyError):
        quote(Country.GREECE, 1)


@pytest.mark.parametrize("grams", [0, -1, MAXIMUM_GRAMS + 1])
def test_a_parcel_of_no_weight_or_too_much_is_refused(grams):
    with pytest.raises(ValueError, match="grams is not between"):
        quote(Country.MALTA, grams)


def test_an_echo_says_back_what_it_was_told():
    assert echo("hello") == "hello"
    assert echo("hello", 3) == "hello hello hello"


def test_an_echo_refuses_nothing():
    with pytest.raises(ValueError, match="nothing to say"):
        echo("")
    with pytest.raises(ValueError, match="times 0 is below 1"):
        echo("hello", 0)
