"""What a user sets of the pytest plugin: flags, and the settings of ini files and pyproject.toml.

Like the plugin it stands outside the package: pytest reads settings whether or not a test has blanks.
"""

from __future__ import annotations

import contextlib

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the flags and the settings of ini files and pyproject.toml."""
    group = parser.getgroup("unlike", "test inputs, any two of them unlike each other")
    group.addoption("--unlike-frozen", action="store_true", help="refuse to generate inputs, and never write (for CI)")
    group.addoption("--unlike-prepare", action="store_true", help="only generate and save inputs; run no tests")
    group.addoption(
        "--unlike-regenerate", action="store_true", help="generate inputs anew even where saved ones answer"
    )
    group.addoption(
        "--unlike-keep", action="store_true", help="keep inputs that were chosen by an older code, and add what is new"
    )
    group.addoption("--unlike-n", type=int, metavar="N", help="this many inputs for every test, whatever it says")
    group.addoption("--unlike-prune", action="store_true", help="drop saved inputs whose test is gone")
    group.addoption(
        "--unlike-forget",
        action="append",
        default=[],
        metavar="ID",
        help="stop keeping an input that once failed: its id, or TEST[ID]; * matches anything; may be repeated",
    )
    parser.addini("unlike_directory", "directory beside the tests that holds saved inputs", default="__unlike__")
    parser.addini("unlike_frozen", "refuse to generate inputs, as --unlike-frozen", type="bool", default=False)
    parser.addini("unlike_timeout", "seconds for generating the inputs of one test", default="60")
    parser.addini(
        "unlike_short", "a test with too few inputs, not proved to be all: error, warn or ignore", default="error"
    )
    parser.addini("unlike_subtests", "above this many inputs a test runs them as subtests of one item", default="")


def check_settings(config: pytest.Config) -> None:
    """Refuse flags that contradict each other, and settings that mean nothing."""
    option = config.option
    for name in ("prepare", "regenerate", "keep", "prune", "forget"):
        if is_frozen(config) and getattr(option, f"unlike_{name}"):
            raise pytest.UsageError(f"--unlike-frozen never writes; it cannot go with --unlike-{name}")
    if option.unlike_n is not None and option.unlike_n < 1:
        raise pytest.UsageError(f"--unlike-n={option.unlike_n} must be at least 1")
    for name in ("unlike_timeout", "unlike_subtests"):
        number(config, name)  # refused now rather than on the first test that needs it
    on_short(config)
    if option.unlike_prune and not sees_whole_files(config):
        raise pytest.UsageError("--unlike-prune needs whole test files: leave out -k, -m, --lf and TEST_FILE::NAME")


def is_frozen(config: pytest.Config) -> bool:
    """Tell whether saved inputs must do."""
    return bool(config.option.unlike_frozen or config.getini("unlike_frozen"))


def number(config: pytest.Config, name: str) -> float | None:
    """Return a setting that is a number above 0, or nothing if it is empty."""
    written = str(config.getini(name)).strip()
    with contextlib.suppress(ValueError):
        if not written or float(written) > 0:
            return float(written) if written else None
    raise pytest.UsageError(f"{name} = {written!r} must be a number above 0")


def on_short(config: pytest.Config) -> str:
    """Return what becomes of a test with too few inputs."""
    written = str(config.getini("unlike_short")).strip()
    if written not in ("error", "warn", "ignore"):
        raise pytest.UsageError(f"unlike_short = {written!r} must be error (a failing item), warn or ignore")
    return written


def shared_literals(config: pytest.Config) -> dict[str, object]:
    """Return the values that `[tool.unlike.literals]` of the project gives to every test, as to every command."""
    file = config.rootpath / "pyproject.toml"
    if not file.is_file() or "tool.unlike" not in file.read_text(encoding="utf-8", errors="replace"):
        return {}
    from unlike.cli.options import literals_in  # only where there is such a table

    return literals_in(file)


def sees_whole_files(config: pytest.Config) -> bool:
    """Tell whether everything in the test files is collected, so that what is missing is gone."""
    option = config.option
    narrowed = getattr(option, "keyword", "") or getattr(option, "markexpr", "") or getattr(option, "lf", False)
    return not narrowed and not any("::" in str(argument) for argument in config.args)


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say in the header what is not as usual."""
    option = config.option
    said = ["frozen"] if is_frozen(config) else []
    said += [name for name in ("prepare", "regenerate", "keep", "prune") if getattr(option, f"unlike_{name}")]
    said += [f"n={option.unlike_n}"] if option.unlike_n is not None else []
    said += [f"forget {pattern}" for pattern in option.unlike_forget]
    if config.getini("unlike_directory") != "__unlike__":
        said.append(f"directory {config.getini('unlike_directory')}")
    return f"unlike: {', '.join(said)}" if said else None
