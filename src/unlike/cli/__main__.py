"""`python -m unlike.cli`, for where the command is not on the path."""

from unlike.cli import main

main()
