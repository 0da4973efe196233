"""Money is kept in integer cents throughout."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import accumulate
from typing import Optional, TypedDict


class Kind(Enum):
    DEPOSIT = auto()
    WITHDRAWAL = auto()
    FEE = auto()


@dataclass(frozen=True)
class LedgerEntry:
    number: int
    kind: Kind
    cents: int

    @property
    def signed(self) -> int:
        return self.cents if self.kind is Kind.DEPOSIT else -self.cents


class BankAccount:
    """Account whose balance always agrees with its ledger."""

    OVERDRAFT_LIMIT = 50_00
    FEE = 1_50

    def __init__(self, owner: str = "nobody") -> None:
        self.owner: str = owner
        self.balance: int = 0
        self.ledger: list[LedgerEntry] = []
        self.frozen: bool = False

    def _post(self, kind: Kind, cents: int) -> None:
        if cents <= 0:
            raise ValueError(f"amount must be positive, not {cents}")
        if self.frozen:
            raise PermissionError("account is frozen")
        entry = LedgerEntry(len(self.ledger) + 1, kind, cents)
        if self.balance + entry.signed < -self.OVERDRAFT_LIMIT:
            raise ValueError("overdraft limit exceeded")
        self.ledger.append(entry)
        self.balance += entry.signed

    def deposit(self, cents: int) -> None:
        self._post(Kind.DEPOSIT, cents)

    def withdraw(self, cents: int) -> None:
        self._post(Kind.WITHDRAWAL, cents)

    def charge_fee(self) -> None:
        self._post(Kind.FEE, self.FEE)

    def freeze(self) -> None:
        self.frozen = True

    def rep_ok(self) -> bool:
        if not self.owner:
            return False
        for number, entry in enumerate(self.ledger, 1):
            if entry.number != number or entry.cents <= 0:
                return False
            if entry.kind is Kind.FEE and entry.cents != self.FEE:
                return False
        balances = list(accumulate((e.signed for e in self.ledger), initial=0))
        return balances[-1] == self.balance and min(balances) >= -self.OVERDRAFT_LIMIT


class Line(TypedDict):
    quantity: int
    unit_price: int


@dataclass
class ShoppingCart:
    """Cart with per-product lines and percentage coupons, each usable once."""

    lines: dict[str, Line] = field(default_factory=dict)
    coupons: OrderedDict[str, int] = field(default_factory=OrderedDict)
    spent_coupons: frozenset[str] = frozenset()
    subtotal: int = 0

    MAX_DISCOUNT = 60
    MAX_QUANTITY = 99

    def add(self, sku: str, unit_price: int, quantity: int = 1) -> None:
        line = self.lines.get(sku, Line(quantity=0, unit_price=unit_price))
        if unit_price < 0 or line["unit_price"] != unit_price:
            raise ValueError(f"bad price for {sku}: {unit_price}")
        if not 1 <= quantity <= self.MAX_QUANTITY - line["quantity"]:
            raise ValueError(f"bad quantity for {sku}: {quantity}")
        line["quantity"] += quantity
        self.lines[sku] = line
        self.subtotal += unit_price * quantity

    def drop(self, sku: str) -> None:
        line = self.lines.pop(sku)
        self.subtotal -= line["unit_price"] * line["quantity"]

    def apply_coupon(self, code: str, percent: int) -> bool:
        if percent <= 0 or code in self.coupons or code in self.spent_coupons:
            return False
        if self.discount + percent > self.MAX_DISCOUNT:
            return False
        self.coupons[code] = percent
        return True

    def retract_coupon(self) -> str:
        """Take back the coupon applied last."""
        code, _ = self.coupons.popitem(last=True)
        return code

    def checkout(self) -> int:
        due = self.total
        self.spent_coupons = self.spent_coupons.union(self.coupons)
        self.lines.clear()
        self.coupons.clear()
        self.subtotal = 0
        return due

    @property
    def discount(self) -> int:
        return sum(self.coupons.values())

    @property
    def total(self) -> int:
        return self.subtotal * (100 - self.discount) // 100

    def _problem(self) -> Optional[str]:
        """A description of the first thing found wrong, or None."""
        for sku, line in self.lines.items():
            if not 0 < line["quantity"] <= self.MAX_QUANTITY:
                return f"{sku} has quantity {line['quantity']}"
            if line["unit_price"] < 0:
                return f"{sku} has a negative price"
        expected = sum(line["quantity"] * line["unit_price"] for line in self.lines.values())
        if self.subtotal != expected:
            return f"subtotal is {self.subtotal}, should be {expected}"
        if not all(percent > 0 for percent in self.coupons.values()):
            return "a coupon is worthless"
        if self.discount > self.MAX_DISCOUNT:
            return f"discount of {self.discount}% is too generous"
        if reused := self.spent_coupons.intersection(self.coupons):
            return f"coupons used twice: {', '.join(sorted(reused))}"
        return None

    def rep_ok(self) -> bool:
        return self._problem() is None
