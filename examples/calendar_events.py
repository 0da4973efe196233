"""The calendar of the Iorek paper (figures 2, 3 and 8): a meeting's time, wherever Alice flies.

An input is a place to fly to and the time that ends an event's name. Two inputs are different if their times take
different branches of the time pattern, or if their places lie in different time zones.
"""

from unlike import Place, Spec, Str, cover, differs_by

TWELVE_HOURS = r"(1[0-2]|[1-9]):[0-5]\d(\s)?(AM|PM)"
TWENTY_FOUR_HOURS = r"(([0-1]?\d)|2[0-3]):[0-5]\d"
TIME = f"({TWENTY_FOUR_HOURS})|({TWELVE_HOURS})"

calendar = Spec(
    {"location": Place(), "suffix": Str(f"({TIME})?")},
    different=[cover.regex("suffix", TIME), differs_by("location.zone")],
    name="calendar",
    n=100,
)
