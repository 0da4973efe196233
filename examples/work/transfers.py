"""Transfers between bank accounts, for the service that books them.

Money goes from one account to another, never to the same one. The amount is at least a cent, and at most the balance
and what the account may be overdrawn. A transfer abroad has a reason of at least five characters.

Two transfers differ in whether they go abroad, in whether they overdraw the account, in whether they take all there
is, or their amounts are at least 1,000.00 apart.

What it guarantees: every transfer can be booked; domestic ones and those abroad are there, and for both kinds an
account that is overdrawn and one that is emptied to the cent.
"""

from unlike import Int, Spec, Str, differs_by, distance, iban, implies

transfers = Spec(
    {
        "source": iban(),
        "target": iban(),
        "balance": Int(0, 1_000_000),
        "overdraft": Int(0, 200_000),
        "amount": Int(1, 1_200_000),
        "reason": Str(r"([A-Z][a-z]+( \d{1,6})?)?", max_length=20),
    },
    where=[
        lambda source, target: source != target,
        lambda amount, balance, overdraft: amount <= balance + overdraft,
        lambda source, target, reason: implies(source.country != target.country, reason.length >= 5),
    ],
    different=[
        differs_by(lambda source, target: source.country == target.country),
        differs_by(lambda amount, balance: amount > balance),
        differs_by(lambda amount, balance, overdraft: amount == balance + overdraft),
        distance("amount", 100_000),
    ],
    name="transfers",
    n=20,
)
