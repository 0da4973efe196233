"""A command loads what its target needs, and nothing that only other targets need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PROGRAM = """
import sys
from unlike.cli import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules, file=sys.stderr)
"""


def test_a_spec_loads_nothing_that_only_documents_types_and_classes_need() -> None:
    words = ["generate", "examples.retail:items", "-n", "3"]
    command = [sys.executable, "-c", PROGRAM, *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)

    loaded = set(done.stderr.split())
    assert "unlike.specs.generate" in loaded
    assert not loaded & {"jsonschema", "referencing", "yaml", "rich", "pydantic", "pytest"}
    rooms = {name.split(".")[1] for name in loaded if name.startswith("unlike.")}
    assert not rooms & {
        "structure",
        "typed",
        "types",
        "formats",
        "heap",
        "explore",
        "invariants",
        "symbolic",
        "testing",
    }
