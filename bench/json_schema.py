"""JSON Schema against its neighbours: inputs and time until all alternatives and all pairs of a schema are seen.

The neighbours need other versions of the same packages, so each gets an environment of its own under build/bench.
"""

from __future__ import annotations

import json
import subprocess
import time
import venv
from pathlib import Path

import unlike
from bench.contacts import tallied
from bench.rows import Row

ROOT = Path(__file__).parent.parent
ENVIRONMENTS = ROOT / "build" / "bench"
ENVIRONMENT_OF = {
    # the last Hypothesis known to work with it; later ones fail on every object schema
    "hypothesis-jsonschema": ("hypothesis-jsonschema==0.23.1", "hypothesis==6.170.5"),
    "schemathesis": ("schemathesis>=4.32,<5",),
}
NEIGHBOURS = {
    "Schemathesis, its coverage phase": ("schemathesis", "schemathesis-coverage"),
    "Schemathesis, its strategy": ("schemathesis", "schemathesis-fuzzing"),
    "hypothesis-jsonschema, older Hypothesis": ("hypothesis-jsonschema", "hypothesis-jsonschema"),
}
SECONDS = 300


def environment(name: str) -> Path | None:
    """Return the Python of a neighbour's environment, made if it is not there; nothing if it cannot be made."""
    folder = ENVIRONMENTS / name
    python, stamp = folder / "bin" / "python", folder / "installed.txt"
    wanted = "\n".join(ENVIRONMENT_OF[name])
    if stamp.is_file() and stamp.read_text() == wanted:
        return python
    venv.create(folder, clear=True, with_pip=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *ENVIRONMENT_OF[name]]
    if subprocess.run(install, check=False, capture_output=True).returncode:
        return None
    stamp.write_text(wanted)
    return python


def neighbour(name: str) -> Row:
    """Return what another generator needs."""
    where, generator = NEIGHBOURS[name]
    python = environment(where)
    if python is None:
        return Row(name, "cannot be installed here")
    command = [python, "-m", "bench.contact_neighbours", generator]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return Row(name, f"out of time after {SECONDS} s")
    if done.returncode:
        return Row(name, f"failed: {done.stderr.strip().splitlines()[-1][:80]}")
    said = json.loads(done.stdout.splitlines()[-1])
    return Row(name, f"alternatives: {said['each']}; pairs: {said['pairs']}")


def ours(cover: str) -> tuple[float, int, dict[str, str]]:
    """Return the CPU seconds of one run, how many inputs there are, and what they show."""
    start = time.process_time()
    suite = unlike.generate(schema(), cover=cover)
    values = suite.values
    seconds = time.process_time() - start
    return seconds, len(values), tallied(values).said()  # type: ignore[arg-type]


def schema() -> object:
    return unlike.spec(ROOT / "examples" / "specs" / "contact.json")["#"]


def run() -> list[Row]:
    """Return the rows: ours first, then each neighbour."""
    ours("each")  # what is imported on first use is not counted
    rows = []
    for cover, promise in (("each", ""), ("pairs", "at most 30 inputs, under 0.3 s")):
        seconds, number, said = min((ours(cover) for _ in range(3)), key=lambda found: found[0])
        inputs = said["pairs" if cover == "pairs" else "each"].split(",")[0]
        kept = None if not promise else number <= 30 and seconds < 0.3 and " of " not in inputs
        what = "alternatives" if cover == "each" else "pairs"
        rows.append(Row(f"unlike cover={cover}", f"all {what} after {inputs}, {seconds:.2f} s", "", promise, kept))
    return [*rows, *(neighbour(name) for name in NEIGHBOURS)]
