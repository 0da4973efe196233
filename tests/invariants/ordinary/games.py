from __future__ import annotations

from enum import Enum
from functools import reduce
from typing import ClassVar, Optional


class Mark(Enum):
    X = "X"
    O = "O"

    @property
    def opponent(self) -> Mark:
        return Mark.O if self is Mark.X else Mark.X


class TicTacToe:
    """A tic-tac-toe game; X moves first and play stops at a win."""

    LINES: ClassVar[tuple[tuple[int, int, int], ...]] = (
        (0, 1, 2), (3, 4, 5), (6, 7, 8),
        (0, 3, 6), (1, 4, 7), (2, 5, 8),
        (0, 4, 8), (2, 4, 6),
    )

    def __init__(self) -> None:
        self.board: list[Optional[Mark]] = [None] * 9
        self.turn: Mark = Mark.X
        self.winner: Optional[Mark] = None

    def _completed(self, mark: Mark) -> list[tuple[int, int, int]]:
        return [line for line in self.LINES if all(self.board[i] is mark for i in line)]

    def play(self, cell: int) -> Optional[Mark]:
        if self.winner is not None:
            raise RuntimeError(f"game over, {self.winner.value} won")
        if not 0 <= cell < 9 or self.board[cell] is not None:
            raise ValueError(f"cannot play on {cell}")
        self.board[cell] = self.turn
        if self._completed(self.turn):
            self.winner = self.turn
        self.turn = self.turn.opponent
        return self.winner

    def restart(self) -> None:
        self.board[:] = [None] * 9
        self.turn, self.winner = Mark.X, None

    def rotate(self) -> None:
        """Turn the board a quarter clockwise."""
        self.board = [self.board[3 * (2 - c) + r] for r in range(3) for c in range(3)]

    def rep_ok(self) -> bool:
        if len(self.board) != 9:
            return False
        xs, os = self.board.count(Mark.X), self.board.count(Mark.O)
        if xs + os + self.board.count(None) != 9 or xs - os not in (0, 1):
            return False
        if self.turn is not (Mark.X if xs == os else Mark.O):
            return False
        won = {mark: self._completed(mark) for mark in Mark}
        match won[Mark.X], won[Mark.O]:
            case [], []:
                return self.winner is None
            case [_, *_] as lines, []:
                mark = Mark.X
            case [], lines:
                mark = Mark.O
            case _:
                return False
        # The winner moved last, so two lines at once must share that last cell.
        last_moves = reduce(lambda common, line: common & set(line), lines, set(range(9)))
        return self.winner is mark and self.turn is mark.opponent and bool(last_moves)
