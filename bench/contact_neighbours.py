"""Other generators of JSON from a schema, each run in an environment of its own.

`python -m bench.contact_neighbours NAME` prints a JSON object: after how many inputs and CPU seconds all alternatives
and all pairs of the contact schema were seen; the median of three seeds.
"""

from __future__ import annotations

import contextlib
import json
import sys
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


def hypothesis_jsonschema(seed: int) -> Tally:
    """Draw from hypothesis-jsonschema, on a Hypothesis that it still works with."""
    from hypothesis_jsonschema import from_schema

    return drawn(from_schema(SCHEMA), lambda found: found, seed)


def schemathesis_fuzzing(seed: int) -> Tally:
    """Draw from Schemathesis's own strategy for the requests of an operation, valid ones only."""
    import schemathesis
    from schemathesis import GenerationMode

    operation = schemathesis.openapi.from_dict(DESCRIPTION)["/contacts"]["POST"]
    return drawn(operation.as_strategy(generation_mode=GenerationMode.POSITIVE), lambda case: case.body, seed)


GENERATORS = {"hypothesis-jsonschema": hypothesis_jsonschema, "schemathesis": schemathesis_fuzzing}

if __name__ == "__main__":
    runs = [GENERATORS[sys.argv[1]](seed) for seed in SEEDS]
    runs.sort(key=lambda run: (not run.done, run.number))
    print(json.dumps(runs[len(runs) // 2].said()))
