"""Draw the picture of the README: `python docs/pictures/draw.py` writes demo.svg beside this file."""

import re
from pathlib import Path

from examples.calendar_events import calendar
from rich.console import Console
from rich.text import Text

from unlike import generate
from unlike.writers.inputs import as_table

suite = generate(calendar, 100)
lines = as_table([suite], width=118).splitlines()
console = Console(record=True, width=118, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
console.print("$ make demo", highlight=False)
for line in [*lines[:14], "│  …", *lines[-4:]]:
    console.print(Text(line), highlight=False, no_wrap=True)
console.print(Text(suite.guarantee), highlight=False)
drawn = console.export_svg(title="unlike generate")
drawn = re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL)  # nothing is loaded from elsewhere
Path(__file__).with_name("demo.svg").write_text(drawn)
