"""What the docstrings of examples/work say, once more and in plain Python, about inputs as JSON writes them.

For each spec: `legal` raises where an input breaks a rule; `tell_apart` holds if two inputs are different as the
docstring says; `promised` raises where the inputs together are not what is guaranteed; `facets` are what must move, each
with how many values of it are expected among the first ten inputs; `free` names what another seed must move.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, time
from itertools import pairwise

from examples.work.settings import Settings

Input = dict[str, object]


@dataclass(frozen=True)
class Rules:
    """How one spec is judged: `asked` inputs are asked for, and `there` are there."""

    legal: Callable[[Input], None]
    tell_apart: Callable[[Input, Input], bool]
    promised: Callable[[list[Input]], None]
    facets: dict[str, tuple[Callable[[Input], object], int]]
    free: tuple[str, ...]
    asked: int = 20
    there: int = 20


def by_key(key, **distances):
    """Return: two inputs differ if their keys do, or a number by a distance."""
    return lambda a, b: key(a) != key(b) or any(abs(a[name] - b[name]) >= least for name, least in distances.items())


def values_of(key, inputs):
    return {key(x) for x in inputs}


def blanks(**least):
    """Return the facets that are blanks: name and number of values."""
    return {name: (lambda x, name=name: repr(x[name]), number) for name, number in least.items()}


# orders


def goods(order):
    return sum(line["quantity"] * line["price"] for line in order["lines"])


def legal_order(x):
    order = x["order"]
    assert order["status"] in ("draft", "placed", "shipped", "returned")
    assert 1 <= len(order["lines"]) <= 3
    for line in order["lines"]:
        assert re.fullmatch(r"[A-Z]{2}-\d{3}", line["article"])
        assert 1 <= line["quantity"] <= 20
        assert 1 <= line["price"] <= 10_000
    assert order["shipping"] == (0 if goods(order) >= 5_000 else 490)
    assert order["total"] == goods(order) + order["shipping"] <= 1_000_000
    if order["status"] in ("draft", "shipped"):
        assert order["paid"] is (order["status"] == "shipped")


def order_situation(x):
    return x["order"]["status"], len(x["order"]["lines"]), x["order"]["shipping"] == 0


def promised_orders(inputs):
    assert len(values_of(order_situation, inputs)) == 4 * 3 * 2


ORDERS = Rules(
    legal_order,
    by_key(order_situation),
    promised_orders,
    {
        "status": (lambda x: x["order"]["status"], 4),
        "lines": (lambda x: len(x["order"]["lines"]), 3),
        "free": (lambda x: x["order"]["shipping"], 2),
        "total": (lambda x: x["order"]["total"], 5),
        "article": (lambda x: x["order"]["lines"][0]["article"], 5),
    },
    ("total", "article"),
    asked=30,
    there=24,
)

# meetings


def legal_day(x):
    meetings = x["meetings"]
    assert 1 <= len(meetings) <= 4
    for meeting in meetings:
        begin, end = time.fromisoformat(meeting["begin"]), time.fromisoformat(meeting["end"])
        assert time(8) <= begin < end <= time(18)
        assert begin.minute % 15 == end.minute % 15 == begin.second == end.second == 0
        assert meeting["title"] in ("Stand-up", "Review", "Interview", "Lunch", "Planning")
        assert meeting["room"] in ("Oslo", "Lima", None)
    assert all(a["end"] <= b["begin"] for a, b in pairwise(meetings))


def back_to_back(x):
    return len(x["meetings"]) > 1 and x["meetings"][0]["end"] == x["meetings"][1]["begin"]


def promised_days(inputs):
    assert values_of(back_to_back, inputs) == {True, False}


MEETINGS = Rules(
    legal_day,
    by_key(lambda x: (len(x["meetings"]), x["meetings"][0]["begin"][:2], back_to_back(x))),
    promised_days,
    {
        "length": (lambda x: len(x["meetings"]), 4),
        "first hour": (lambda x: x["meetings"][0]["begin"][:2], 5),
        "back to back": (back_to_back, 2),
        "title": (lambda x: x["meetings"][0]["title"], 4),
        "room": (lambda x: x["meetings"][0]["room"], 3),
        "end of the day": (lambda x: x["meetings"][-1]["end"], 5),
    },
    ("title", "end of the day"),
)

# transfers


def iban_holds(text):
    """Return whether the check digits are right: the number, its head at the end, is 1 modulo 97."""
    return int("".join(str(int(c, 36)) for c in text[4:] + text[:4])) % 97 == 1


def legal_transfer(x):
    assert iban_holds(x["source"])
    assert iban_holds(x["target"])
    assert x["source"] != x["target"]
    assert 0 <= x["balance"] <= 1_000_000
    assert 0 <= x["overdraft"] <= 200_000
    assert 1 <= x["amount"] <= x["balance"] + x["overdraft"]
    assert re.fullmatch(r"([A-Z][a-z]+( \d{1,6})?)?", x["reason"])
    assert len(x["reason"]) <= 20
    assert not abroad(x) or len(x["reason"]) >= 5


def abroad(x):
    return x["source"][:2] != x["target"][:2]


def overdrawn(x):
    return x["amount"] > x["balance"]


def emptied(x):
    return x["amount"] == x["balance"] + x["overdraft"]


def promised_transfers(inputs):
    assert values_of(lambda x: (abroad(x), overdrawn(x)), inputs) >= {(False, True), (True, True)}
    assert values_of(lambda x: (abroad(x), emptied(x)), inputs) >= {(False, True), (True, True)}


TRANSFERS = Rules(
    legal_transfer,
    by_key(lambda x: (abroad(x), overdrawn(x), emptied(x)), amount=100_000),
    promised_transfers,
    {
        "abroad": (abroad, 2),
        "overdrawn": (overdrawn, 2),
        "emptied": (emptied, 2),
        "large": (lambda x: x["amount"] // 100_000, 3),
        **blanks(source=5, target=5, balance=5, overdraft=4, amount=5, reason=4),
    },
    ("source", "target", "balance", "amount", "reason"),
)

# flights


def moment(x, which):
    clock = time.fromisoformat(x[f"{which}_time"])
    return date.fromisoformat(x[f"{which}_day"]).toordinal() * 24 * 60 + clock.hour * 60 + clock.minute


def legal_flight(x):
    assert x["origin"] != x["destination"]
    assert x["departure_day"].startswith("2024-")
    assert "2024-01-01" <= x["arrival_day"] <= "2025-01-01"
    assert 0 < moment(x, "arrival") - moment(x, "departure") <= 18 * 60


def overnight(x):
    return x["departure_day"] != x["arrival_day"]


def promised_flights(inputs):
    assert values_of(overnight, inputs) == {False, True}
    assert len(values_of(lambda x: x["origin"]["zone"], inputs)) >= 8
    assert len(values_of(lambda x: x["destination"]["zone"], inputs)) >= 8


FLIGHTS = Rules(
    legal_flight,
    by_key(lambda x: (x["origin"]["zone"], x["destination"]["zone"], overnight(x))),
    promised_flights,
    {
        "overnight": (overnight, 2),
        "month": (lambda x: x["departure_day"][:7], 4),
        "minutes": (lambda x: moment(x, "arrival") - moment(x, "departure"), 4),
        **blanks(origin=5, destination=5, departure_day=5, departure_time=5, arrival_time=5),
    },
    ("origin", "destination", "departure_day", "departure_time", "arrival_time"),
)

# permissions


def is_granted(role, action, own, archived):
    """Decide as the docstring says it, one sentence after the other."""
    if role == "ADMIN" or action == "READ":
        return True
    if role == "GUEST" or (archived and action != "SHARE"):
        return False
    if role == "AUTHOR":
        return own
    return action == "WRITE" or (action == "SHARE" and own)


def request(x):
    return x["role"], x["action"], x["own"], x["archived"]


def legal_request(x):
    assert x["granted"] is is_granted(*request(x))


def promised_requests(inputs):
    assert len(values_of(request, inputs)) == 4 * 4 * 2 * 2
    assert len(values_of(lambda x: x["role"], inputs[:20])) > 1


PERMISSIONS = Rules(
    legal_request,
    by_key(request),
    promised_requests,
    blanks(role=4, action=4, own=2, archived=2, granted=2),
    (),
    asked=100,
    there=64,
)

# signups

MARKS = "!#$%&*?@"


def legal_form(x):
    assert re.fullmatch(r"[a-z][a-z0-9_]{2,15}", x["user"])
    assert re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", x["email"])
    assert 8 <= len(x["password"]) <= 20
    assert x["password"].isascii()
    assert all(c.isalnum() or c in MARKS for c in x["password"])
    for kind in (str.islower, str.isupper, str.isdigit, MARKS.__contains__):
        assert any(kind(c) for c in x["password"])
    assert x["confirm"] == x["password"]
    assert x["user"] not in x["password"]
    assert 13 <= x["age"] <= 120
    assert x["age"] >= 18 or not x["newsletter"]


def kinds_of_user(x):
    """Return what stands after the first letter: which kinds of characters, and whether many."""
    rest = x["user"][1:]
    return any(map(str.isalpha, rest)), any(map(str.isdigit, rest)), "_" in rest


def promised_forms(inputs):
    assert values_of(lambda x: x["age"] >= 18, inputs) == {False, True}
    assert len(values_of(lambda x: len(x["password"]), inputs)) >= 5
    assert len(values_of(kinds_of_user, inputs)) >= 3


SIGNUPS = Rules(
    legal_form,
    lambda a, b: a["user"] != b["user"] or (len(a["password"]), a["age"] >= 18) != (len(b["password"]), b["age"] >= 18),
    promised_forms,
    {
        "length": (lambda x: len(x["password"]), 4),
        "kind of user": (kinds_of_user, 3),
        "adult": (lambda x: x["age"] >= 18, 2),
        **blanks(user=5, email=5, password=8, age=4, newsletter=2),
    },
    ("user", "email", "password", "age"),
)

# addresses

WRITTEN = {
    "DE": r"\d{5}",
    "NL": r"[1-9]\d{3} [A-Z]{2}",
    "GB": r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}",
    "US": r"\d{5}(-\d{4})?",
    "CA": r"[A-Z]\d[A-Z] \d[A-Z]\d",
}


def legal_address(x):
    assert re.fullmatch(WRITTEN[x["country"]], x["postcode"])
    assert x["region"] in {"US": ("CA", "NY", "TX"), "CA": ("BC", "ON", "QC")}.get(x["country"], (None,))
    assert x["second_line"] is None or 1 <= len(x["second_line"]) <= 30
    assert re.fullmatch(r"[A-Z][a-z]{1,9} [A-Z][a-z]{1,14}", x["name"])
    assert re.fullmatch(r"[A-Z][a-z]{3,12} (Street|Road|Lane) [1-9]\d{0,2}[a-d]?", x["street"])
    assert re.fullmatch(r"[A-Z][a-z]{2,14}( [A-Z][a-z]{2,9})?", x["city"])


def address_situation(x):
    form = re.sub("[A-Z]", "A", re.sub(r"\d", "0", x["postcode"]))
    return x["country"], x["second_line"] is None, form


def promised_addresses(inputs):
    assert values_of(lambda x: (x["country"], x["second_line"] is None), inputs) == {
        (country, absent) for country in WRITTEN for absent in (False, True)
    }


ADDRESSES = Rules(
    legal_address,
    by_key(address_situation),
    promised_addresses,
    {
        "second line": (lambda x: x["second_line"] is None, 2),
        "form": (lambda x: address_situation(x)[2], 4),
        **blanks(country=5, name=5, street=5, city=5, region=3, postcode=5),
    },
    ("name", "street", "city", "postcode"),
)

# price lists


def legal_prices(x):
    steps = x["steps"]
    assert re.fullmatch(r"[A-Z]{3}\d{4}", x["article"])
    assert 100 <= x["list_price"] <= 99_900
    assert 1 <= len(steps) <= 4
    assert steps[0] == {"pieces": 1, "price": x["list_price"]}
    assert all(a["pieces"] < b["pieces"] <= 1_000 and a["price"] > b["price"] for a, b in pairwise(steps))
    assert steps[-1]["price"] * 2 >= x["list_price"]


def halved(x):
    return x["steps"][-1]["price"] * 2 == x["list_price"]


def promised_prices(inputs):
    assert values_of(lambda x: len(x["steps"]), inputs) == {1, 2, 3, 4}
    assert len(values_of(lambda x: x["list_price"] // 20_000, inputs)) >= 4


PRICE_LISTS = Rules(
    legal_prices,
    by_key(lambda x: (len(x["steps"]), halved(x)), list_price=10_000),
    promised_prices,
    {
        "steps": (lambda x: len(x["steps"]), 4),
        "halved": (halved, 2),
        "price": (lambda x: x["list_price"] // 20_000, 3),
        "pieces": (lambda x: x["steps"][-1]["pieces"], 4),
        "last price": (lambda x: x["steps"][-1]["price"], 5),
        **blanks(article=5),
    },
    ("article", "last price", "pieces"),
)

# bookings

BEDS = {"single": 1, "double": 2, "suite": 4}


def nights(x):
    return (date.fromisoformat(x["check_out"]) - date.fromisoformat(x["check_in"])).days


def legal_booking(x):
    assert x["check_in"].startswith("2024-")
    assert x["check_out"].startswith("2024-")
    saturday = date.fromisoformat(x["check_in"]).isoweekday() == 6
    assert (2 if saturday else 1) <= nights(x) <= 28
    assert 1 <= x["guests"] <= BEDS[x["room"]]
    assert x["guests"] >= 2 or not x["cot"]


def length_of_stay(x):
    return "night" if nights(x) == 1 else "week" if nights(x) <= 7 else "longer"


def promised_bookings(inputs):
    assert values_of(lambda x: x["room"], inputs) == set(BEDS)
    assert values_of(length_of_stay, inputs) == {"night", "week", "longer"}
    assert len(values_of(lambda x: x["check_in"][:7], inputs)) >= 6


BOOKINGS = Rules(
    legal_booking,
    by_key(lambda x: (x["room"], length_of_stay(x), x["check_in"][:7], x["cot"])),
    promised_bookings,
    {
        "stay": (length_of_stay, 3),
        "month": (lambda x: x["check_in"][:7], 5),
        "nights": (nights, 4),
        **blanks(room=3, cot=2, guests=3, check_in=5, check_out=5),
    },
    ("check_in", "check_out", "nights"),
)

# invoices


def legal_invoice(x):
    assert re.fullmatch(r"2024-\d{4}", x["number"])
    assert x["day"].startswith("2024-")
    assert term(x) in (14, 30)
    assert 1 <= len(x["lines"]) <= 3
    assert all(1 <= line["amount"] <= 200_000 for line in x["lines"])
    assert all(line["what"] in ("book", "lamp", "work") for line in x["lines"])
    assert x["net"] == sum(line["amount"] for line in x["lines"])
    whole, rest = divmod(x["net"] * x["rate"], 100)
    assert x["tax"] == whole + (rest >= 50)
    assert x["total"] == x["net"] + x["tax"]
    assert x["rate"] in (0, 7, 19)
    assert x["rate"] != 7 or {line["what"] for line in x["lines"]} == {"book"}


def term(x):
    return (date.fromisoformat(x["due"]) - date.fromisoformat(x["day"])).days


def promised_invoices(inputs):
    assert values_of(lambda x: x["rate"], inputs) == {0, 7, 19}
    assert values_of(lambda x: len(x["lines"]), inputs) == {1, 2, 3}
    assert min(x["total"] for x in inputs) < 50_000 < 200_000 < max(x["total"] for x in inputs)


INVOICES = Rules(
    legal_invoice,
    by_key(lambda x: (x["rate"], len(x["lines"]), term(x)), total=50_000),
    promised_invoices,
    {
        "lines": (lambda x: len(x["lines"]), 3),
        "term": (term, 2),
        "month": (lambda x: x["day"][:7], 4),
        "what": (lambda x: x["lines"][0]["what"], 3),
        "size": (lambda x: x["total"] // 50_000, 3),
        **blanks(number=5, rate=3, total=5, day=5),
    },
    ("number", "day", "total", "what"),
)

# shifts

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def legal_roster(x):
    assert 1 <= len(x["shifts"]) <= 3
    worked = {}
    for shift in x["shifts"]:
        assert shift["who"] in ("Ada", "Ben", "Cem")
        assert 0 <= shift["start"] <= 23
        assert 4 <= shift["hours"] <= 10
        begin = DAYS.index(shift["day"]) * 24 + shift["start"]
        worked.setdefault(shift["who"], []).append((begin, begin + shift["hours"]))
    for spans in worked.values():
        assert all(b - end >= 11 for (_, end), (b, _) in pairwise(sorted(spans)))


def team(x):
    return frozenset(shift["who"] for shift in x["shifts"])


def by_night(x):
    return any(shift["start"] + shift["hours"] > 24 for shift in x["shifts"])


def promised_rosters(inputs):
    assert values_of(by_night, inputs) == {False, True}
    assert values_of(lambda x: len(team(x)), inputs) == {1, 2, 3}


SHIFTS = Rules(
    legal_roster,
    by_key(lambda x: (len(x["shifts"]), team(x), by_night(x))),
    promised_rosters,
    {
        "length": (lambda x: len(x["shifts"]), 3),
        "team": (team, 4),
        "night": (by_night, 2),
        "day": (lambda x: x["shifts"][0]["day"], 4),
        "start": (lambda x: x["shifts"][0]["start"], 4),
        "hours": (lambda x: x["shifts"][0]["hours"], 4),
    },
    ("day", "start", "hours"),
)

# coupons


def legal_coupon(x):
    assert re.fullmatch(r"(SUMMER|WINTER|VIP)-\d{4}(-[A-Z])?", x["code"])
    assert 1 <= x["value"] <= 200
    assert 0 <= x["minimum_basket"] <= 500
    if x["kind"] == "percent":
        assert 5 <= x["value"] <= 100
    else:
        assert x["kind"] == "euros"
        assert x["value"] <= x["minimum_basket"]
    assert "2024-01-01" <= x["first_day"] <= x["last_day"] <= "2024-12-31"
    assert x["uses"] is None or 1 <= x["uses"] <= 1_000
    assert not x["code"].startswith("VIP") or x["uses"] == 1


def series(x):
    return x["code"].split("-")[0]


def for_a_day(x):
    return x["first_day"] == x["last_day"]


def promised_coupons(inputs):
    assert values_of(lambda x: (series(x), x["kind"]), inputs) == {
        (name, kind) for name in ("SUMMER", "WINTER", "VIP") for kind in ("percent", "euros")
    }
    assert values_of(for_a_day, inputs) == {False, True}


COUPONS = Rules(
    legal_coupon,
    by_key(lambda x: (x["kind"], series(x), x["code"].count("-"), for_a_day(x)), value=25),
    promised_coupons,
    {
        "series": (series, 3),
        "for a day": (for_a_day, 2),
        "unlimited": (lambda x: x["uses"] is None, 2),
        **blanks(code=6, kind=2, value=4, minimum_basket=4, first_day=5, last_day=5, uses=3),
    },
    ("code", "first_day", "last_day", "value"),
)

# settings


def legal_settings(x):
    Settings.model_validate(x)  # its own validators, run anew on plain data
    assert re.fullmatch(r"[a-z]+(\.[a-z]+){0,3}", x["host"])
    assert 1024 <= x["port"] <= 65535
    assert 1 <= x["workers"] <= 64
    assert x["workers"] <= x["pool"] <= 256
    assert x["stage"] != "production" or (x["level"] != "debug" and x["encryption"])
    assert not x["encryption"] or re.fullmatch(r"/(etc|run)(/[a-z]+)+\.pem", x["encryption"]["certificate"])


def promised_settings(inputs):
    assert values_of(lambda x: x["stage"], inputs) == {"local", "testing", "production"}
    assert values_of(lambda x: x["level"], inputs) == {"debug", "info", "error"}
    assert values_of(lambda x: x["encryption"] and x["encryption"]["minimum"], inputs) == {None, "1.2", "1.3"}


SETTINGS = Rules(
    legal_settings,
    lambda a, b: a != b,
    promised_settings,
    {
        "encryption": (lambda x: x["encryption"] is None, 2),
        **blanks(stage=3, host=5, port=5, level=3, workers=3, pool=3),
    },
    ("port", "workers"),
    asked=50,
    there=50,
)

# phones

PHONE = r"(?P<head>\+49 ?|0049 ?|0)(?P<area>\(?[1-9]\d{1,3}\)?)(?P<sep>[ /-]?)\d{3,8}(?P<groups>( \d{2}){0,2})(?P<ext>-\d{1,3})?"


def legal_phone(x):
    assert re.fullmatch(PHONE, x["phone"])
    assert x["phone"].count("(") == x["phone"].count(")")
    assert 7 <= sum(c.isdigit() for c in x["phone"]) <= 15


def phone_situation(x):
    parts = re.fullmatch(PHONE, x["phone"]).groupdict()
    return parts["head"], "(" in parts["area"], parts["sep"], len(parts["groups"]), parts["ext"] is None


def promised_phones(inputs):
    assert len(values_of(lambda x: x["phone"], inputs)) == len(inputs)


PHONES = Rules(
    legal_phone,
    lambda a, b: a != b,  # which branches there are, tests/regex judges
    promised_phones,
    {
        "head": (lambda x: phone_situation(x)[0], 4),
        "brackets": (lambda x: phone_situation(x)[1], 2),
        "separator": (lambda x: phone_situation(x)[2], 4),
        "extension": (lambda x: phone_situation(x)[4], 2),
        "digits": (lambda x: sum(c.isdigit() for c in x["phone"]), 3),
        "area": (lambda x: x["phone"].lstrip("+0(")[:5], 4),
    },
    ("area",),
)

# tickets

MOVES = {"NEW": "OPEN CLOSED", "OPEN": "WAITING SOLVED", "WAITING": "OPEN", "SOLVED": "OPEN CLOSED", "CLOSED": ""}


def histories(most):
    """Return every history of at most so many states, by walking."""
    found = [["NEW"]]
    for history in found:  # grows while we walk
        if len(history) < most:
            found += [[*history, state] for state in MOVES[history[-1]].split()]
    return found


def legal_ticket(x):
    history = x["history"]
    assert history in histories(6)
    assert (x["solution"] is not None) is (history[-1] in ("SOLVED", "CLOSED"))
    assert (x["owner"] is not None) is (history[-1] != "NEW")
    assert re.fullmatch(r"[A-Z][a-z]{2,9}( [a-z]{2,9}){1,3}", x["title"])


def ticket_situation(history):
    return history[-1], len(history), "SOLVED" in history and history[-1] == "OPEN"


def promised_tickets(inputs):
    assert values_of(lambda x: ticket_situation(x["history"]), inputs) == set(map(ticket_situation, histories(6)))


TICKETS = Rules(
    legal_ticket,
    by_key(lambda x: ticket_situation(x["history"])),
    promised_tickets,
    {
        "end": (lambda x: x["history"][-1], 5),
        "length": (lambda x: len(x["history"]), 5),
        **blanks(title=5, owner=4, solution=3),
    },
    ("title", "owner"),
    there=len(set(map(ticket_situation, histories(6)))),  # 13, counted by walking
)

# log lines

LINE = r"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(,\d{3})? (DEBUG|INFO|WARNING|ERROR) \[([a-z.]+)\] (.+)"


def legal_line(x):
    day, clock, _, level, logger, message = re.fullmatch(LINE, x["line"]).groups()
    assert 2000 <= date.fromisoformat(day).year <= 2099
    assert time.fromisoformat(clock)
    assert all(logger.split("."))
    assert len(x["line"]) <= 100
    assert "  " not in x["line"]
    assert not x["line"].endswith(" ")
    assert (level == "ERROR") is bool(re.search(r" code=\d+$", message))


def line_situation(x):
    _, _, milliseconds, level, logger, _ = re.fullmatch(LINE, x["line"]).groups()
    return milliseconds is None, level, "." in logger


def promised_lines(inputs):
    assert len(values_of(line_situation, inputs)) >= 12


LOG_LINES = Rules(
    legal_line,
    lambda a, b: a != b,  # which branches there are, tests/regex judges
    promised_lines,
    {
        "level": (lambda x: line_situation(x)[1], 4),
        "milliseconds": (lambda x: line_situation(x)[0], 2),
        "parts of the logger": (lambda x: line_situation(x)[2], 2),
        "day": (lambda x: x["line"][:10], 4),
        "clock": (lambda x: x["line"][11:19], 4),
        "message": (lambda x: x["line"].split("] ", 1)[1], 5),
    },
    ("day", "message"),
)

RULES = {
    "orders": ORDERS,
    "meetings": MEETINGS,
    "transfers": TRANSFERS,
    "flights": FLIGHTS,
    "permissions": PERMISSIONS,
    "signups": SIGNUPS,
    "addresses": ADDRESSES,
    "price_lists": PRICE_LISTS,
    "bookings": BOOKINGS,
    "invoices": INVOICES,
    "shifts": SHIFTS,
    "coupons": COUPONS,
    "settings": SETTINGS,
    "phones": PHONES,
    "tickets": TICKETS,
    "log_lines": LOG_LINES,
}
