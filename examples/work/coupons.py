"""Coupons, for the code that takes them off a basket.

A coupon has a code, a kind, a value and a period. One in percent takes off 5 to 100, one in euros no more than the
basket it is for. It can be used until the day its period ends, which is not before it begins. A VIP's coupon can
be used once; others so many times, or without a limit.

Two coupons differ in the kind, in the branch of the code, in being for one day only, or their values are 25 apart.

What it guarantees: coupons that the shop accepts, of each series and kind, for a day and for longer.
"""

from datetime import date

from unlike import Date, Int, OneOf, Option, Spec, Str, cover, differs_by, distance, implies

CODE = r"(SUMMER|WINTER|VIP)-\d{4}(-[A-Z])?"
this_year = Date(date(2024, 1, 1), date(2024, 12, 31))

coupons = Spec(
    {
        "code": Str(CODE),
        "kind": OneOf("percent", "euros"),
        "value": Int(1, 200),
        "minimum_basket": Int(0, 500),
        "first_day": this_year,
        "last_day": this_year,
        "uses": Option(Int(1, 1_000)),
    },
    where=[
        lambda kind, value: implies(kind == "percent", (value >= 5) & (value <= 100)),
        lambda kind, value, minimum_basket: implies(kind == "euros", value <= minimum_basket),
        lambda first_day, last_day: first_day <= last_day,
        lambda code, uses: implies(code.startswith("VIP"), uses.present & (uses.value == 1)),
    ],
    different=[
        differs_by("kind"),
        cover.regex("code", CODE),
        differs_by(lambda first_day, last_day: first_day == last_day),
        distance("value", 25),
    ],
    name="coupons",
    n=20,
)
