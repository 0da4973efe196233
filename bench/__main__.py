"""`python -m bench [SUBJECT …]`: every promise about speed and memory, as a ratio to a baseline in the same run."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import bench
from bench.rows import show


def main(wanted: list[str]) -> int:
    """Run the subjects (all of them unless some are named) and return 1 if a promise is broken."""
    # the last four need packages of their own: 'unlike[models]', 'unlike[power]', 'unlike[packages]'
    apart = ("rows", "__main__", "models", "power", "behaviour", "packages")
    subjects = [module.name for module in pkgutil.iter_modules(bench.__path__) if module.name not in apart]
    if wanted[:1] == ["models"]:
        return int(importlib.import_module("bench.models").main(wanted[1:]))
    if wanted[:1] in (["power"], ["behaviour"], ["packages"]):  # they have options of their own
        study = importlib.import_module(f"bench.{wanted[0]}.study")
        return int(study.main(wanted[1:]))
    broken = 0
    for name in wanted or subjects:
        module = importlib.import_module(f"bench.{name}")
        if hasattr(module, "run"):
            rows = []
            for row in module.run():  # as they come: some take minutes
                rows.append(row)
                print(f"{name}: {row}", file=sys.stderr, flush=True)
            show(name, rows)
            broken += sum(row.kept is False for row in rows)
    print(f"{broken} promises broken" if broken else "all promises kept")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
