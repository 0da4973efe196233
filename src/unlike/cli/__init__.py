"""The command line: words become one verb, one answer, one way to hand it out."""

from __future__ import annotations

from unlike.cli.entry import COMMANDS, cli, main

__all__ = ["COMMANDS", "cli", "main"]
