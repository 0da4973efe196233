"""Lines of a log file, for the script that counts errors.

A line has a moment, a level, the name of a logger in brackets and a message. An error says its code at the end, and
only an error does. No line is longer than 100 characters, and none has two spaces in a row.

Two lines differ in the branch that they take: with or without milliseconds, which level, how many parts the name of
the logger has.

What it guarantees: lines that the script must read, one for each combination of those.
"""

from unlike import Spec, Str, cover

MOMENT = r"20\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8]) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(,\d{3})?"
LINE = MOMENT + r" (DEBUG|INFO|WARNING|ERROR) \[[a-z]+(\.[a-z]+)*\] .+"
ERROR = MOMENT + r" ERROR .+"
WITH_CODE = r".*\] .+ code=\d+"
WITH_HTTP_CODE = r".*\] .+ code=[45]\d\d"
READ_APART = r"[-\d]{10} [:\d]{8}(,\d{3})? (DEBUG|INFO|WARNING|ERROR) \[[a-z]+(\.[a-z]+(\.[a-z.]+)?)?\] .+"

log_lines = Spec(
    {"line": Str(LINE, max_length=100)},
    where=[
        lambda line: line.matches(ERROR) == line.matches(WITH_CODE),
        lambda line: ~line.matches(ERROR) | line.matches(WITH_HTTP_CODE),
        lambda line: ~line.contains("  ") & ~line.endswith(" "),
    ],
    different=cover.regex("line", READ_APART),
    name="log_lines",
    n=20,
)
