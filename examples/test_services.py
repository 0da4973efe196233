"""Four small tests of four small services; three of them find the bug that is planted there."""

import pytest

import unlike
from examples.services.account_service import ACCOUNT_ID, AccountService
from examples.services.echo_service import echo
from examples.services.path_service import PATH, PathService
from examples.services.shipping_service import MAXIMUM_GRAMS, Country, quote
from unlike import Int, Str, cover, different_lengths, differs_by


@unlike.inputs(50, different=cover.regex("path", PATH))
def test_what_is_stored_can_be_read(path: Str(PATH, max_length=20)):
    service = PathService()
    service.store(path, "value")
    assert service.read(path) == "value"


@unlike.inputs(10, where=lambda account_id: ~account_id.matches(ACCOUNT_ID))
def test_an_identifier_that_is_not_numeric_is_refused(account_id: Str(min_length=12, max_length=12)):
    with pytest.raises(ValueError, match="identifier"):
        AccountService().open(account_id)


@unlike.inputs("all", different=differs_by("country"))
def test_a_parcel_to_every_country_has_a_price(country: Country, grams: Int(1, MAXIMUM_GRAMS)):
    assert quote(country, grams) > 0


@unlike.inputs(5, different=different_lengths("text"))
def test_every_text_but_the_empty_one_is_said_back(text: Str(max_length=4)):
    if text:
        assert echo(text) == text
    else:
        with pytest.raises(ValueError, match="nothing to say"):
            echo(text)
