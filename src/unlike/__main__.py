"""`python -m unlike`: the command line, where the command is not on the path."""

from unlike.cli import main

main()
