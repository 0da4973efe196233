"""Invoices, for the program that prints them and the one that reads them again.

An invoice has a number, a day, one to three lines and a tax rate. Its net is the sum of its lines, its tax the rate of
that, rounded to the cent half up, and its total is both together. It is due 14 or 30 days after its day, and reduced
rates are for books only.

Two invoices differ in the rate, in the number of lines, in the term, or their totals are at least 500.00 apart.

What it guarantees: sums that are right to the cent at every rate, with one line and with several, small and large.
"""

from datetime import date

from unlike import Date, Int, List, OneOf, Spec, Str, different_lengths, differs_by, distance, implies, record

invoices = Spec(
    {
        "number": Str(r"2024-\d{4}"),
        "day": Date(date(2024, 1, 1), date(2024, 12, 31)),
        "due": Date(date(2024, 1, 1), date(2025, 3, 31)),
        "lines": List(record(what=OneOf("book", "lamp", "work"), amount=Int(1, 200_000)), 1, 3),
        "rate": OneOf(0, 7, 19),
        "net": Int(1, 600_000),
        "tax": Int(0, 114_000),
        "total": Int(1, 714_000),
    },
    where=[
        lambda day, due: (due - day).is_in([14, 30]),
        lambda lines, net: net == lines[0].amount + lines[1].amount + lines[2].amount,
        lambda net, rate, tax: tax == (net * rate + 50) // 100,
        lambda net, tax, total: total == net + tax,
        lambda lines, rate: implies(rate == 7, lines.each(lambda line: line.what == "book")),
    ],
    different=[
        differs_by("rate"),
        different_lengths("lines"),
        differs_by(lambda day, due: due - day),
        distance("total", 50_000),
    ],
    name="invoices",
    n=20,
)
