from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce


class SparseMatrix:
    """Integer matrix keeping only its non-zero cells, keyed by (row, column)."""

    def __init__(self, rows: int = 3, columns: int = 3) -> None:
        self.shape: tuple[int, int] = (rows, columns)
        self.cells: dict[tuple[int, int], int] = {}
        self.row_sums: dict[int, int] = {}

    def __getitem__(self, position: tuple[int, int]) -> int:
        return self.cells.get(position, 0)

    def __setitem__(self, position: tuple[int, int], value: int) -> None:
        row, column = position
        rows, columns = self.shape
        if not (0 <= row < rows and 0 <= column < columns):
            raise IndexError(f"{position} is outside of {rows}x{columns}")
        self.row_sums[row] = self.row_sums.get(row, 0) + value - self[position]
        if value:
            self.cells[position] = value
        else:
            self.cells.pop(position, None)
        if not any(r == row for r, _ in self.cells):
            del self.row_sums[row]

    def transpose(self) -> None:
        self.shape = self.shape[::-1]
        self.cells = {(c, r): v for (r, c), v in self.cells.items()}
        self.row_sums = self._sums()

    def scale(self, factor: int) -> None:
        if factor == 0:
            self.cells.clear()
            self.row_sums.clear()
        for position in self.cells:
            self.cells[position] *= factor
        for row in self.row_sums:
            self.row_sums[row] *= factor

    def _sums(self) -> dict[int, int]:
        sums: dict[int, int] = {}
        for (row, _), value in self.cells.items():
            sums[row] = sums.get(row, 0) + value
        return sums

    def rep_ok(self) -> bool:
        rows, columns = self.shape
        if min(self.shape) < 0:
            return False
        for (row, column), value in self.cells.items():
            if value == 0 or row not in range(rows) or column not in range(columns):
                return False
        return self.row_sums == self._sums()


class Polynomial:
    """Polynomial over the integers modulo a prime, lowest coefficient first."""

    MODULUS = 97

    def __init__(self, *coefficients: int) -> None:
        self.coefficients: list[int] = [c % self.MODULUS for c in coefficients]
        self._trim()

    @property
    def degree(self) -> int:
        """Degree, or -1 for the zero polynomial."""
        return len(self.coefficients) - 1

    def __call__(self, x: int) -> int:
        return reduce(lambda acc, c: (acc * x + c) % self.MODULUS, reversed(self.coefficients), 0)

    def _trim(self) -> None:
        while self.coefficients and self.coefficients[-1] == 0:
            self.coefficients.pop()

    def add_term(self, coefficient: int, power: int) -> None:
        if power < 0:
            raise ValueError("negative power")
        missing = power - self.degree
        self.coefficients += [0] * max(missing, 0)
        self.coefficients[power] = (self.coefficients[power] + coefficient) % self.MODULUS
        self._trim()

    def shift(self, by: int = 1) -> None:
        """Multiply by x ** by."""
        if by < 0:
            raise ValueError("cannot shift down")
        if self.coefficients:
            self.coefficients = [0] * by + self.coefficients

    def differentiate(self) -> None:
        self.coefficients = [i * c % self.MODULUS for i, c in enumerate(self.coefficients)][1:]
        self._trim()

    def rep_ok(self) -> bool:
        match self.coefficients:
            case []:
                return True
            case [*_, 0]:
                return False
            case _:
                return all(0 <= c < self.MODULUS for c in self.coefficients)


class Expr:
    """Base class of the nodes of a formula."""


@dataclass(eq=False)
class Num(Expr):
    value: int


@dataclass(eq=False)
class BinOp(Expr):
    op: str
    left: Expr
    right: Expr


@dataclass
class Formula:
    """An expression tree (not a DAG) with a cached value and a depth bound."""

    root: Expr = field(default_factory=lambda: Num(0))
    value: int = 0

    OPERATORS = frozenset("+-*")
    MAX_DEPTH = 6

    def combine(self, op: str, number: int) -> None:
        """Turn ``self`` into ``self op number``."""
        if op not in self.OPERATORS:
            raise ValueError(f"unknown operator {op!r}")
        if self._depth(self.root) >= self.MAX_DEPTH:
            raise OverflowError("formula is too deep")
        self.root = BinOp(op, self.root, Num(number))
        self.value = self._evaluate(self.root)

    def fold(self) -> None:
        self.root = Num(self.value)

    def negate(self) -> None:
        self.fold()
        self.root = BinOp("-", Num(0), self.root)
        self.value = -self.value

    @classmethod
    def _depth(cls, expr: Expr) -> int:
        if isinstance(expr, BinOp):
            return 1 + max(cls._depth(expr.left), cls._depth(expr.right))
        return 1

    @classmethod
    def _evaluate(cls, expr: Expr) -> int:
        match expr:
            case Num(value):
                return value
            case BinOp("+", left, right):
                return cls._evaluate(left) + cls._evaluate(right)
            case BinOp("-", left, right):
                return cls._evaluate(left) - cls._evaluate(right)
            case BinOp("*", left, right):
                return cls._evaluate(left) * cls._evaluate(right)
        raise TypeError(f"not an expression: {expr!r}")

    def _is_tree(self, expr: Expr, depth: int, seen: set[int]) -> bool:
        if depth > self.MAX_DEPTH or id(expr) in seen:
            return False
        seen.add(id(expr))
        if isinstance(expr, Num):
            return True
        if not isinstance(expr, BinOp) or expr.op not in self.OPERATORS:
            return False
        return self._is_tree(expr.left, depth + 1, seen) and self._is_tree(
            expr.right, depth + 1, seen
        )

    def rep_ok(self) -> bool:
        return self._is_tree(self.root, 1, set()) and self._evaluate(self.root) == self.value
