"""Odd documents, written before the code that reads them was looked at: an answer, or one clear line; no traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests import warm
from tests.corpora import few_of

ODD = Path(__file__).parent / "odd"
FILES = sorted(ODD.iterdir())
WAYS = [[], ["--invalid"], ["--cover", "pairs"], ["-n", "5"]]
# of the documents that can be read, each has an answer; of all others exactly one line says what is wrong
READ = {
    "always_false.json", "api_body_without_content.yaml", "api_callbacks_and_webhooks.yaml", "api_examples_are_odd.yaml",
    "api_media_type_is_odd.yaml", "api_methods_are_odd.yaml", "api_parameter_twice.yaml", "api_parameter_without_schema.yaml", "api_path_not_filled.yaml",
    "api_responses_is_text.yaml", "api_servers_are_odd.yaml", "api_version_is_a_number.yaml", "byte_order_mark.json",
    "enum_is_empty.json", "id_is_not_an_address.json", "lone_surrogate.json", "nul_in_names.json", "one_of_everything.json",
    "required_for_ever.json", "same_anchor_twice.json", "swagger_2.yaml", "utf_16.json", "yaml_dates_as_keys.yaml",
    "yaml_merge_keys.yaml",
}  # fmt: skip


def asked(path: Path, way: list[str]) -> tuple[int, str]:
    """Return the exit code and what is written to standard error."""
    is_api = path.name.startswith(("api_", "swagger_", "yaml_tags"))
    words = ["requests", path.name] if is_api else ["generate", "--schema", path.name]
    found = warm.run([*words, *way, "--timeout", "5"], ODD)
    return found.returncode, found.stderr


@pytest.mark.parametrize("way", few_of(WAYS, 1), ids=" ".join)
def test_odd_documents_are_answered_or_refused_in_one_line(way: list[str]) -> None:
    assert len(FILES) >= 40
    for path in FILES:
        code, said = asked(path, way)

        assert "Traceback" not in said
        assert code in ((0, 1, 3) if path.name in READ else (2,)), (path.name, code, said)
        assert code != 2 or len(said.strip().splitlines()) == 1, (path.name, said)


@pytest.mark.parametrize(
    "name", ["api_model_names_are_odd.yaml", "api_discriminator_is_odd.yaml", "api_nullable_alone.yaml"]
)
def test_models_of_odd_descriptions_are_answered_or_refused_in_one_line(name: str) -> None:
    listed = warm.run(["generate", "--openapi", name, "--format", "json"], ODD)

    assert listed.returncode in (0, 2)
    for model in json.loads(listed.stdout)["cases"]["models"] if listed.returncode == 0 else ():
        found = warm.run(["generate", "--openapi", name, "--model", str(model)], ODD)

        assert "Traceback" not in found.stderr
        assert found.returncode != 2 or len(found.stderr.strip().splitlines()) == 1
