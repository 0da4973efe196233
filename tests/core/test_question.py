"""Flags, settings in a file and keywords say the same: values, messages and defaults come from the fields of records.

Every test goes through all fields of all records, so that a new field is tested by being there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Any, cast

import click
import pytest
from click.testing import CliRunner

from unlike.classes.builders import BuilderSearch, Genetic, builders
from unlike.classes.builders.verb import BuildersKeywords
from unlike.cli.builders import FLAGS as OF_BUILDERS
from unlike.cli.explore.command import FLAGS as OF_EXPLORE
from unlike.cli.generate import FLAGS as OF_GENERATE
from unlike.cli.invariants.compare import FLAGS as OF_COMPARE
from unlike.cli.invariants.fields import FLAGS as OF_FIELDS
from unlike.cli.invariants.structures import FLAGS as OF_STRUCTURES
from unlike.cli.options import IN_FILES, AskedFlags, Flags
from unlike.compare import compare
from unlike.core import (
    Bounds,
    BuilderKeywords,
    ExploreKeywords,
    Exploring,
    InvariantKeywords,
    Isolation,
    IsolationKeywords,
    LimitKeywords,
    StateMatching,
    TimeLimit,
)
from unlike.core.settings import ClashError, setting_of
from unlike.errors import ScopeError
from unlike.explore import explore
from unlike.field_exhaustive import fields as fields_verb
from unlike.field_exhaustive.verbs import FieldChoice, FieldKeywords
from unlike.invariants.verbs import StructureKeywords, StructureSearch, structures
from unlike.specs.generate import count
from unlike.typed.verbs import generate, invalid

RECORDS = (*IN_FILES, BuilderSearch, Genetic, StructureSearch, FieldChoice)
VERBS = {
    "explore": OF_EXPLORE,
    "builders": OF_BUILDERS,
    "structures": OF_STRUCTURES,
    "fields": OF_FIELDS,
    "compare": OF_COMPARE,
    "generate": OF_GENERATE,
}
ALL = [pytest.param(cls, each, id=f"{cls.__name__}.{each.name}") for cls in RECORDS for each in fields(cls)]
FLAGGED = [case for case in ALL if setting_of(cast("Field[Any]", case.values[1])).flag]
LASTING = [
    case for case in FLAGGED if case.values[0] in IN_FILES and not setting_of(cast("Field[Any]", case.values[1])).now
]

Door = tuple[list[str], str, object]  # the same as flags, in a file, and as a value
SAMPLES: dict[object, tuple[list[str], str, object]] = {
    int: (["7"], "7", 7),
    float: (["2.5"], "2.5", 2.5),
    str: (["x"], "'x'", "x"),
    "objects": (["A=2"], "{A = 2}", {"A": 2}),
    "literals": (["int=1,2"], "{int = [1, 2]}", {"int": [1, 2]}),
    "fields": (["A.b=0..3"], "{'A.b' = '0..3'}", {"A.b": "0..3"}),
    "texts": (["x"], "['x']", ("x",)),
    "exceptions": (["ZeroDivisionError"], "['ZeroDivisionError']", (ZeroDivisionError,)),
}
WRONG: dict[object, object] = {
    int: -1,
    float: -1.5,
    bool: "x",
    str: 3,
    "objects": 3,
    "literals": 3,
    "fields": 3,
    "exceptions": 3,
}


def sample(each: Field[Any]) -> Door:
    about = setting_of(each)
    if about.kind is bool:
        return [], "false" if each.default else "true", not each.default
    if isinstance(about.kind, tuple):
        return [about.kind[-1]], repr(about.kind[-1]), about.kind[-1]
    if each.name in ("crossover", "mutation"):  # shares
        return ["0.5"], "0.5", 0.5
    return SAMPLES[about.kind]


def heard(cls: type, arguments: list[str], file: str | None, folder: Path) -> object:
    """Return the record that a command with the flags of one record makes of flags and a file."""
    door, found = Flags((cls,)), []

    @click.command("explore")
    @door.add
    def command(**flags: Any) -> None:
        found.append(door.read(flags).record(cls))

    if file is not None:
        (folder / "own.toml").write_text(file)
        arguments = [*arguments, "--config", str(folder / "own.toml")]
    done = CliRunner().invoke(command, arguments)
    if done.exception is not None:
        raise done.exception
    return found[0]


@pytest.mark.parametrize(("cls", "each"), LASTING)
def test_flag_file_and_keyword_give_the_same_value(cls: type, each: Field[Any], tmp_path: Path) -> None:
    words, written, value = sample(each)
    key = setting_of(each).key(each.name, each.default)

    by_flag = heard(cls, [setting_of(each).flag, *words], None, tmp_path)
    by_file = heard(cls, [], f"{key} = {written}", tmp_path)
    by_keyword = cls(**{each.name: value})

    assert by_flag == by_file == by_keyword != cls()
    assert getattr(by_flag, each.name) == value


@pytest.mark.parametrize(("cls", "each"), LASTING)
def test_a_flag_comes_before_the_file(cls: type, each: Field[Any], tmp_path: Path) -> None:
    words, _, value = sample(each)
    others = {int: "8", float: "9.5", str: "'y'", "objects": "{B = 1}", "literals": "{str = ['a']}"}
    about = setting_of(each)
    written = others.get(about.kind) if not isinstance(about.kind, tuple) else repr(about.kind[0])
    if written is None:
        return  # nothing else could be said

    found = heard(cls, [about.flag, *words], f"{about.key(each.name, each.default)} = {written}", tmp_path)

    now = getattr(found, each.name)
    assert now == value or (isinstance(now, Mapping) and set(cast("dict[str, Any]", value)) < set(now))  # joined


@pytest.mark.parametrize(("cls", "each"), [case for case in FLAGGED if case not in LASTING])
def test_what_asks_for_one_thing_now_does_not_stand_in_a_file(cls: type, each: Field[Any], tmp_path: Path) -> None:
    words, written, value = sample(each)

    assert getattr(heard(cls, [setting_of(each).flag, *words], None, tmp_path), each.name) == value
    key = setting_of(each).key(each.name, each.default)
    if key in OF_EXPLORE.keys:  # of another record, which is not asked here
        assert getattr(heard(cls, [], f"{key} = {written}", tmp_path), each.name) == each.default
        return
    with pytest.raises(ScopeError, match="no setting is called"):
        heard(cls, [], f"{key} = {written}", tmp_path)


@pytest.mark.parametrize(("cls", "each"), ALL)
def test_the_default_is_the_same_whoever_says_nothing(cls: type, each: Field[Any], tmp_path: Path) -> None:
    assert getattr(heard(cls, [], None, tmp_path), each.name) == getattr(cls(), each.name)


@pytest.mark.parametrize(("cls", "each"), LASTING)
def test_a_wrong_value_gets_the_same_message_through_every_door(cls: type, each: Field[Any], tmp_path: Path) -> None:
    about = setting_of(each)
    wrong = WRONG.get(about.kind, "zzz")
    key = about.key(each.name, each.default)
    written = repr(wrong).lower() if not isinstance(wrong, str) else repr(wrong)
    with pytest.raises(ScopeError) as in_file:
        heard(cls, [], f"{key} = {written}", tmp_path)
    assert str(in_file.value).startswith(f"{str(tmp_path / 'own.toml')!r}: {key}={wrong!r} must be ")
    if about.kind in (int, float):
        with pytest.raises(ScopeError) as by_flag:
            heard(cls, [about.flag, str(wrong)], None, tmp_path)
        assert str(by_flag.value).startswith(f"{about.flag} {wrong} must be ")
        with pytest.raises(ScopeError) as by_keyword:
            cls(**{each.name: wrong})
        messages = {str(each.value).partition(" must be ")[2] for each in (in_file, by_flag, by_keyword)}
        assert len(messages) == 1


def test_settings_that_contradict_each_other_are_named_as_they_were_said(tmp_path: Path) -> None:
    with pytest.raises(ClashError, match="in_process=True and workers=2 contradict"):
        Isolation(in_process=True, workers=2)
    with pytest.raises(ScopeError, match="--in-process and --workers 2 contradict"):
        heard(Isolation, ["--in-process", "--workers", "2"], None, tmp_path)


# -- keywords ------------------------------------------------------------------------------------------


OF_EXPLORING = (Bounds, StateMatching, TimeLimit, Isolation, Exploring)
OF_EXPLORE_ALONE = ("fields", "scope", "then_random", "reference", "protocols")
OF_INVARIANT, NOT_OF_INVARIANT = (Bounds, TimeLimit, Isolation), ("scope", "calls", "workers")


def of(*records: type, without: tuple[str, ...] = ()) -> dict[str, str]:
    return {each.name: str(each.type) for cls in records for each in fields(cls) if each.name not in without}


@pytest.mark.parametrize(
    ("keywords", "meant"),
    [
        (IsolationKeywords, of(Isolation)),
        (LimitKeywords, of(Isolation, without=("workers",))),
        (ExploreKeywords, of(*OF_EXPLORING, without=("fields",))),
        (BuilderKeywords, of(*OF_EXPLORING, without=OF_EXPLORE_ALONE)),
        (BuildersKeywords, of(*OF_EXPLORING, BuilderSearch, without=OF_EXPLORE_ALONE)),
        (StructureKeywords, of(*OF_INVARIANT, StructureSearch, without=NOT_OF_INVARIANT)),
        (FieldKeywords, of(*OF_INVARIANT, FieldChoice, without=NOT_OF_INVARIANT)),
        (InvariantKeywords, of(*OF_INVARIANT, without=NOT_OF_INVARIANT)),
    ],
    ids=lambda thing: getattr(thing, "__name__", ""),
)
def test_what_type_checkers_see_are_the_fields_of_the_records(keywords: Any, meant: dict[str, str]) -> None:
    seen = {name: each.__forward_arg__ for name, each in keywords.__annotations__.items()}

    assert seen == meant


@pytest.mark.parametrize("verb", [explore, builders, structures, fields_verb, compare, generate, invalid, count])
def test_every_verb_takes_a_timeout_and_the_limits_and_shows_them(verb: Callable[..., object]) -> None:
    shown = inspect.signature(verb).parameters

    assert shown["timeout"].default is None
    for each in fields(Isolation):
        if each.name != "workers":
            assert shown[each.name].default == each.default
    assert all(each.kind is not inspect.Parameter.VAR_KEYWORD for each in shown.values())


def test_a_misspelt_keyword_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(TypeError, match=r"structures\(\) has no keyword 'megabyte'; did you mean 'megabytes'"):
        structures(int, megabyte=3)  # type: ignore[call-arg]


# -- the commands --------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_every_command_takes_timeout_and_memory(verb: str) -> None:
    flags = {about.flag for _, about in VERBS[verb].each()}

    assert {"--timeout", "--memory", "--seconds-per-call", "--in-process"} <= flags


SHARED = ("scope", "objects", "elements", "literals", "timeout", "memory", "seconds_per_call", "in_process")
READERS = [verb for verb, flags in VERBS.items() if flags.reads]


@pytest.mark.parametrize("key", SHARED)
@pytest.mark.parametrize("verb", READERS)
def test_a_setting_in_a_file_is_looked_at_by_every_command_that_reads_it(verb: str, key: str, tmp_path: Path) -> None:
    door, cases = VERBS[verb], {"objects": "3", "literals": "3", "in_process": "'x'"}
    (tmp_path / "own.toml").write_text(f"{key} = {cases.get(key, '-1')}")
    asked = asked_by(door, tmp_path / "own.toml")

    with pytest.raises(ScopeError, match=f"own.toml': {key}="):
        _ = [asked.record(cls) for cls in RECORDS]


@pytest.mark.parametrize("verb", [verb for verb in READERS if verb != "explore"])
def test_what_only_explore_takes_is_named_by_the_others(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.toml").write_text("scope = 2\nrandom = true\n")

    asked_by(VERBS[verb], tmp_path / "own.toml", verb)

    said = f"{verb} has no setting 'random', and goes on without; --config FILE reads another file"
    assert capsys.readouterr().err == f"note: {str(tmp_path / 'own.toml')!r}: {said}\n"


@pytest.mark.parametrize("key", sorted({key for verb in READERS for key in VERBS[verb].keys}))
@pytest.mark.parametrize("verb", READERS)
def test_each_setting_in_a_file_is_honoured_or_named_with_the_remedy(
    verb: str, key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.toml").write_text(f"{key} = 1979-05-27")  # a date: no setting is one

    asked = asked_by(VERBS[verb], tmp_path / "own.toml", verb)

    if key in VERBS[verb].keys:
        with pytest.raises(ScopeError, match=f"own.toml': {key}="):
            _ = [asked.record(cls) for cls in VERBS[verb].records]
    else:
        said = capsys.readouterr().err
        assert f"{verb} has no setting {key!r}" in said
        assert "--config FILE" in said


@pytest.mark.parametrize("verb", READERS)
def test_a_setting_that_nobody_takes_is_refused(verb: str, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("memmory = 2\n")

    with pytest.raises(ScopeError, match="no setting is called 'memmory'; did you mean 'memory'"):
        asked_by(VERBS[verb], tmp_path / "own.toml", verb)


def asked_by(door: Flags, config: Path, verb: str = "explore") -> AskedFlags:
    with click.Context(click.Command(verb), info_name=verb):
        return door.read({"config": str(config)}, ["shop:Cart"])
