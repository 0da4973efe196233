"""cvc5 in this process, spoken to in SMT-LIB 2 through its own parser."""

from __future__ import annotations

from unlike.solvers.base import check_solver
from unlike.solvers.smtlib import Stopped


class Cvc5:
    """A channel to cvc5."""

    name = "cvc5"

    def __init__(self) -> None:
        check_solver(self.name)
        import cvc5

        self.language = cvc5.InputLanguage.SMT_LIB_2_6
        self.solver = cvc5.Solver(cvc5.TermManager())
        self.parser = cvc5.InputParser(self.solver)
        self.symbols = self.parser.getSymbolManager()

    def ask(self, text: str, seconds: float | None) -> str:
        """Send commands and return what they print; it keeps its own time."""
        del seconds
        said = []
        try:
            self.parser.setStringInput(self.language, text, "unlike")
            while not (command := self.parser.nextCommand()).isNull():
                said.append(command.invoke(self.solver, self.symbols))
        except RuntimeError as error:
            raise Stopped(f"cvc5 failed: {error}") from None
        return "".join(said)

    def close(self) -> None:
        """Nothing is left open."""
