"""Every verb takes a limit on time and one on memory, and says so in its help."""

import pytest
from click.testing import CliRunner

import unlike.cli.regex
from unlike.cli import COMMANDS, cli, main


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_verb_takes_a_timeout_and_a_memory(verb: str) -> None:
    text = CliRunner().invoke(cli, [verb, "--help"]).output

    assert "--timeout S" in text
    assert "--memory MB" in text


def test_what_needs_too_much_memory_is_cut_short_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def greedy(*_: object, **__: object) -> int:
        return len(bytearray(300 * 1024 * 1024))

    monkeypatch.setattr(unlike.cli.regex, "run_regex", greedy)

    with pytest.raises(SystemExit) as ended:
        main(["strings", "a", "--memory", "100"])

    assert ended.value.code == 3
    assert capsys.readouterr().err == "cut short: out of memory; --memory MB allows more\n"
