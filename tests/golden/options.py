"""The options of every command as data: what a user may type, whatever the version of click makes of it in --help."""

from __future__ import annotations

import json
from typing import Any

import click

from unlike.cli import cli


def main(_words: list[str]) -> None:
    """Print every command with its parameters."""
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    told = {name: [_told(each) for each in command.params] for name, command in commands.items() if command}
    print(json.dumps(told, indent=1, ensure_ascii=False))


def _told(parameter: click.Parameter) -> str:
    information: dict[str, Any] = parameter.to_info_dict()
    choices = information["type"].get("choices")
    kind = "|".join(map(str, choices)) if choices else information["type"]["name"]
    words = [*parameter.opts, *parameter.secondary_opts, kind]
    words += ["required"] if parameter.required else []
    words += ["repeated"] if information.get("multiple") or parameter.nargs == -1 else []
    return f"{' '.join(words)}: {information.get('help') or parameter.human_readable_name}"
