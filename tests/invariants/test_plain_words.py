"""What is said of an invariant names the field, the exception and the flag that help."""

from __future__ import annotations

from click.testing import CliRunner
from plain_words import Growing, Raising, TooLarge

import unlike
from unlike.cli.invariants.compare import command, text_of
from unlike.cli.invariants.structures import answer_of
from unlike.compare import compare
from unlike.field_exhaustive import fields


def test_rejecting_everything_names_the_field_that_had_no_chance() -> None:
    found = unlike.structures(TooLarge, 2)

    words = "all ended at TooLarge.size, which may be 0..2; --field TooLarge.size=… gives it other values"
    assert words in found.status.detail


def test_raising_on_nearly_all_is_said_with_the_exception() -> None:
    found = unlike.structures(Raising, 3)

    # three keys and four sizes of a chain that has a node; of one without, two runs about its size
    [note] = [note for note in found.notes if "raised" in note]
    assert "raised in 12 of 14 runs" in note
    assert "first AttributeError: 'Node' object has no attribute 'kye'; what it raises counts as a no" in note


def test_one_is_said_as_one() -> None:
    structures, shown = unlike.structures(Raising, 2), fields(Raising, 2)

    assert "1 structure of Raising within" in "".join(answer_of(structures).text())
    assert "1 structure of Raising shows 2 field values; at least 1 structure is needed" in shown.summary()
    assert "1 object built, 1 structure accepted, within" in text_of(compare(Raising, 2))


def test_a_comparison_names_only_flags_that_it_has() -> None:
    found = compare(Growing, 2)

    flags = {flag for each in command.params for flag in each.opts}
    named = {word.strip("',;:") for word in found.exploration.detail.split() if word.startswith("--")}
    assert "Growing.number grows without end" in found.exploration.detail
    assert named == {"--methods"} <= flags
    assert CliRunner().invoke(command, ["--help"]).exit_code == 0
