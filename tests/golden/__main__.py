"""`python -m tests.golden --write [NAME…]` pins anew what the commands say; without --write, shows what differs."""

from __future__ import annotations

import argparse
import fnmatch
import shutil
import sys

from tests.golden import pinned
from tests.golden.commands import COMMANDS
from tests.golden.running import run


def main() -> int:
    """Run the chosen commands; write, or compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="commands by name, or by pattern: 'explore-*' (all)")
    parser.add_argument("--write", action="store_true", help="pin what is said now")
    parser.add_argument("--alone", action="store_true", help="run every command in a process of its own")
    arguments = parser.parse_args()
    chosen = [each for each in COMMANDS.values() if _is_chosen(each.name, arguments.names)]
    if not chosen:
        parser.error(f"no command is called {' or '.join(arguments.names)}")
    differing = 0
    for command in chosen:
        said = run(command, alone=arguments.alone)
        change = pinned.difference(command.name, said)
        differing += bool(change)
        if change and arguments.write:
            pinned.write(command.name, said)
            print("written:", command.name)
        elif change:
            print(change)
    if arguments.write and not arguments.names:
        pinned.write_versions()
        _drop_the_rest()
    return 1 if differing and not arguments.write else 0


def _is_chosen(name: str, wanted: list[str]) -> bool:
    return not wanted or any(fnmatch.fnmatchcase(name, each) for each in wanted)


def _drop_the_rest() -> None:
    """Drop what is pinned of commands that are no longer in the table."""
    for folder in pinned.EXPECTED.iterdir():
        if folder.is_dir() and folder.name not in COMMANDS:
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
