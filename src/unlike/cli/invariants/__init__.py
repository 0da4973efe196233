"""Commands that run an invariant; what their flags have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from unlike.cli.explore.settings import literals_of, objects_of, pairs_of, settings_of, target_of
from unlike.cli.target import load_target
from unlike.errors import ScopeError, TargetError
from unlike.invariants.verbs import INVARIANT

SHARED = (
    click.option("--scope", type=int, help="Objects per class, ints below it, elements per container (3)."),
    click.option("--invariant", metavar="NAME", help="The invariant: a method, or MODULE:FUNCTION (rep_ok)."),
    click.option("--objects", multiple=True, metavar="CLASS=N", help="Most objects of one class."),
    click.option("--elements", type=int, help="Most elements in a container."),
    click.option("--literals", multiple=True, metavar="TYPE=…", help="Values of a type: int=0,1,2  int=0..9  str=a,b"),
    click.option("--field", "fields", multiple=True, metavar="CLASS.F=…", help="What a field may hold: 0..9,None,Node"),
    click.option("--timeout", type=float, metavar="S", help="Seconds after which the search is cut short."),
    click.option("--config", metavar="FILE", help="TOML file with settings of explore; else [tool.unlike.explore]."),
    click.option("--in-process", is_flag=True, help="Run the invariant in this process, without limits."),
)  # fmt: skip


def shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags that all commands with an invariant have."""
    for option in reversed(SHARED):
        command = option(command)
    return command


def class_of(target: str) -> type:
    """Return the class that MODULE:CLASS stands for, or one clear message."""
    found = target_of(target)
    if not isinstance(found, type):
        raise TargetError(f"{target!r} is a function; name a class that has an invariant")
    return found


def settings(flags: dict[str, Any], target: str) -> dict[str, Any]:
    """Return the settings: what the flags say, then what the file says, then what is usual."""
    file = settings_of(flags["config"], [target])

    def said(name: str, usual: Any = None) -> Any:
        return flags[name] if flags[name] is not None else file.get(name, usual)

    scope = said("scope", 3)
    if not isinstance(scope, int) or isinstance(scope, bool):
        raise ScopeError(f"scope={scope!r} must be a whole number")
    invariant = said("invariant", INVARIANT)
    return {
        "scope": scope,
        "invariant": load_target(invariant) if ":" in invariant else invariant,
        "objects": {**file.get("objects", {}), **objects_of(flags["objects"])},
        "literals": {**file.get("literals", {}), **literals_of(flags["literals"])},
        "elements": said("elements"),
        "fields": pairs_of(flags["fields"], "--field"),
        "timeout": said("timeout"),
        "in_process": flags["in_process"],
    }
