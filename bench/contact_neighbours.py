"""Other generators of JSON from a schema, each run in an environment of its own.

`python -m bench.contact_neighbours NAME` prints a JSON object: after how many inputs and CPU seconds all alternatives
and all pairs of the contact schema were seen; for random ones
the median of three seeds.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.contacts import LIMIT, SCHEMA, Tally

SEEDS = (1, 2, 3)
DESCRIPTION = {
    "openapi": "3.1.0",
    "info": {"title": "contacts", "version": "1"},
    "paths": {
        "/contacts": {
            "post": {
                "requestBody": {"required": True, "content": {"application/json": {"schema": SCHEMA}}},
                "responses": {"200": {"description": "done"}},
            }
        }
    },
}


class EnoughError(Exception):
    """All alternatives and pairs were seen."""


def drawn(strategy: Any, body: Any, seed: int) -> Tally:
    """Return what the first inputs of a Hypothesis strategy show."""
    import hypothesis

    tally = Tally()
    everything = hypothesis.settings(
        max_examples=LIMIT,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    @hypothesis.seed(seed)
    @everything
    @hypothesis.given(strategy)
    def collect(found: Any) -> None:
        tally.add(body(found))
        if tally.done:
            raise EnoughError

    with contextlib.suppress(EnoughError):
        collect()
    return tally


def median(strategy: Any, body: Any) -> dict[str, str]:
    """Return what the middle one of three seeds needs."""
    runs = [drawn(strategy, body, seed) for seed in SEEDS]
    runs.sort(key=lambda run: (not run.done, run.number))
    return runs[len(runs) // 2].said()


def hypothesis_jsonschema() -> dict[str, str]:
    """Draw from hypothesis-jsonschema, on a Hypothesis that it still works with."""
    from hypothesis_jsonschema import from_schema

    return median(from_schema(SCHEMA), lambda found: found)


def schemathesis_fuzzing() -> dict[str, str]:
    """Draw from Schemathesis's own strategy for the requests of an operation, valid ones only."""
    import schemathesis
    from schemathesis import GenerationMode

    operation = schemathesis.openapi.from_dict(DESCRIPTION)["/contacts"]["POST"]
    return median(operation.as_strategy(generation_mode=GenerationMode.POSITIVE), lambda case: case.body)


COVERAGE_TEST = """
import json, pathlib
import schemathesis
from bench.contact_neighbours import DESCRIPTION
from bench.contacts import Tally

schema = schemathesis.openapi.from_dict(DESCRIPTION)
schema.config.generation.update(modes=[schemathesis.GenerationMode.POSITIVE])
schema.config.phases.update(phases=["coverage"])
tally = Tally()


@schema.parametrize()
def test_requests(case):
    tally.add(case.body)


def teardown_module():
    pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(tally.said()))
"""


def schemathesis_coverage() -> dict[str, str]:
    """Run Schemathesis's coverage phase, which is the same every time; it is reached through pytest only."""
    with tempfile.TemporaryDirectory() as folder:
        test = Path(folder) / "test_requests.py"
        test.write_text(COVERAGE_TEST)
        command = [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", "--rootdir", folder, str(test)]
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONPATH": str(Path.cwd())})
        found: dict[str, str] = json.loads(test.with_suffix(".json").read_text())
    return found


GENERATORS = {
    "hypothesis-jsonschema": hypothesis_jsonschema,
    "schemathesis-fuzzing": schemathesis_fuzzing,
    "schemathesis-coverage": schemathesis_coverage,
}

if __name__ == "__main__":
    print(json.dumps(GENERATORS[sys.argv[1]]()))
