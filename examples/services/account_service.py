"""Accounts under an identifier of twelve digits.

The planted bug: the identifier ought to be numeric, but only its length is looked at;
`"twelve chars"` opens an account.
"""

from __future__ import annotations

ACCOUNT_ID = r"[0-9]{12}"


class AccountService:
    """Balances in cents by account identifier."""

    def __init__(self) -> None:
        self._balances: dict[str, int] = {}

    def open(self, account_id: str) -> None:
        """Open an account with nothing in it."""
        _check(account_id)
        if account_id in self._balances:
            raise ValueError(f"account {account_id!r} is already open")
        self._balances[account_id] = 0

    def deposit(self, account_id: str, cents: int) -> int:
        """Add to an account and return its balance."""
        if cents <= 0:
            raise ValueError(f"{cents!r} cents cannot be paid in")
        self._balances[self._known(account_id)] += cents
        return self.balance(account_id)

    def transfer(self, source: str, target: str, cents: int) -> None:
        """Move money from one account to another."""
        if not 0 < cents <= self.balance(source):
            raise ValueError(f"account {source!r} cannot give {cents!r} cents")
        self._known(target)
        self._balances[source] -= cents
        self._balances[target] += cents

    def balance(self, account_id: str) -> int:
        return self._balances[self._known(account_id)]

    def _known(self, account_id: str) -> str:
        _check(account_id)
        if account_id not in self._balances:
            raise KeyError(account_id)
        return account_id


def _check(account_id: str) -> None:
    if len(account_id) != 12:
        raise ValueError(f"{account_id!r} is not an account identifier of twelve digits")
