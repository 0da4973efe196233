"""Saved objects and typed inputs are read against their class, their type and each other, whatever the file says."""

import dataclasses
import inspect
import json
import os
import subprocess
import sys
from typing import Annotated, Literal

import annotated_types
import pytest
from examples.structures.binary_search_tree import BinarySearchTree
from examples.structures.node_caching_linked_list import NodeCachingLinkedList

import unlike
from unlike import Int, SavedFileError, differs_by
from unlike.recipe import Argument, Call, Items, Method, Recipe, Ref, Step, Store, import_name, name_of
from unlike.saved import recipe_to_data
from unlike.testing.prepare import Policy, ready
from unlike.testing.sources.base import digest
from unlike.testing.sources.objects import first_not_built
from unlike.testing.sources.suites import source_for


class Pile:
    """A pile of ints, of which a method outside the scope, a setter and an iterator are known."""

    def __init__(self) -> None:
        self.items: list[int] = []
        self._mark = 0

    def push(self, item: int) -> None:
        self.items.append(item)

    def push_twice(self, item: int) -> None:
        self.items += [item, item]

    def pop(self) -> int:
        return self.items.pop()

    @property
    def mark(self) -> int:
        return self._mark

    @mark.setter
    def mark(self, value: int) -> None:
        self._mark = value

    def is_low(self) -> bool:
        return self._mark < 2


@dataclasses.dataclass
class Span:
    low: Annotated[int, annotated_types.Interval(ge=0, le=9)]
    high: Annotated[int, annotated_types.Interval(ge=0, le=9)]

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


def pile(*calls: tuple[object, ...], of: type = Pile) -> Recipe:
    steps: list[Step] = [Call(name_of(of))]
    for name, *args in calls:
        arguments: tuple[Argument, ...] = tuple(args)  # type: ignore[arg-type]
        steps.append(Store(Ref(0), "mark", arguments[0]) if name == "mark" else Method(Ref(0), str(name), arguments))
    return Recipe(tuple(steps), Ref(0))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "__unlike__" / "test_it.json"


def source_of(test, asked_by):
    asked_by(test)
    names = list(inspect.signature(test).parameters)
    return source_for(test, test.__unlike__, open_names=names, encoders={})


def replayed(path, source, n="all", frozen=False):
    return ready(path, "test_it", source=source, n=n, policy=Policy(frozen=frozen))


def tampered(path, change, number=0):
    """Change the input of a line, and leave a digest that is right."""
    lines = path.read_text().splitlines(keepends=True)
    at = [i for i, line in enumerate(lines) if line.startswith('{"id"')][number]
    line = json.loads(lines[at].strip().removesuffix(","))
    change(line["input"])
    lines[at] = json.dumps(line) + ",\n"
    path.write_text("".join(lines))
    return at + 1


# -- objects -------------------------------------------------------------------------------------------------------


def piles(path):
    def test_it(it: Pile): ...

    source = source_of(test_it, unlike.objects(Pile, scope=2, invariant="is_low", calls=3, methods="push|pop|mark"))
    replayed(path, source)
    return source


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (pile(("push", 7)), "step 2, push, is not a call that the scope allows"),
        (pile(("push", True)), "step 2, push, is not a call that the scope allows"),
        (pile(("push_twice", 1)), "step 2, push_twice, is not a call that the scope allows"),
        (pile(("push", 0), ("push", 0), ("push", 0)), "4 calls, more than 3|outside the scope"),
        (pile(("push", 0), ("pop",), ("push", 0), ("pop",)), "5 calls, more than 3"),
        (pile(("push", 0), ("pop",)), "the same state by other calls"),
        (pile(("mark", 2)), "mark, is not a call"),
        (pile(of=BinarySearchTree), "names|makes|not a call"),
        (Recipe((Call(name_of(Pile)),), Items("list", (Ref(0),))), "makes list, not Pile"),
        (Recipe((Call(name_of(Pile)),), 3), "makes int, not Pile"),
    ],
)
def test_an_object_that_the_exploration_would_not_build_is_refused(path, recipe, message):
    source = piles(path)
    # the empty pile stays where it is: a copy of it by other calls must be noticed
    empty = recipe_to_data(pile())
    lines = [line for line in path.read_text().splitlines() if line.startswith('{"id"')]
    number = next(i for i, line in enumerate(lines) if json.loads(line.rstrip(","))["input"]["it"][1] != empty)
    data = recipe_to_data(recipe)
    line = tampered(path, lambda found: found.update(it=["recipe", data, digest(data)]), number)

    with pytest.raises(SavedFileError, match=message) as refusal:
        replayed(path, source, frozen=True)

    assert f"line {line}" in str(refusal.value) or "like input" in str(refusal.value)


class Crate:
    """Another class beside Pile."""

    def __init__(self, size: Literal[1, 2]) -> None:
        self.size = size


def test_a_parameter_annotated_with_one_of_several_classes_gets_its_objects_alone(path):
    def test_of_crates(it: Crate): ...
    def test_of_any(it): ...

    asked = unlike.objects(Pile, Crate, scope=1, methods="push")
    crates = source_of(test_of_crates, asked)
    everything = source_of(test_of_any, asked)

    made = [one.input.build("it") for one in replayed(path, crates).inputs]
    both = [one.input.build("it") for one in replayed(path.with_name("any.json"), everything).inputs]

    assert {type(one) for one in made} == {Crate}
    assert len(made) == 2
    assert {type(one) for one in both} == {Pile, Crate}
    assert crates.first_wrong([everything.decode({"it": ["recipe", data := recipe_to_data(pile()), digest(data)]}, {})])


def test_two_parameters_annotated_with_classes_of_objects_are_refused():
    def test_it(pile: Pile, crate: Crate): ...

    with pytest.raises(unlike.SpecError, match="objects fill one parameter, and pile and crate"):
        source_of(test_it, unlike.objects(Pile, Crate, scope=1))


def test_an_object_that_breaks_the_invariant_is_refused():
    calls = [pile(("mark", 2))]
    options = {"scope": 3, "invariant": "is_low"}

    assert first_not_built(calls, targets=[Pile], options={"scope": 3}, resolve=import_name) is None
    found = first_not_built(calls, targets=[Pile], options=options, resolve=import_name)

    assert found == (0, "it breaks is_low")


@pytest.mark.corpus
@pytest.mark.parametrize("cls", [Pile, BinarySearchTree, NodeCachingLinkedList])
@pytest.mark.parametrize("options", [{"scope": 3}, {"scope": 2, "calls": 2}, {"scope": 3, "methods": "push|add.*"}])
def test_every_object_that_was_explored_is_accepted(cls, options):
    suite = unlike.explore(cls, **options).suite

    recipes = [case.recipe for case in suite]

    assert first_not_built(recipes, targets=[cls], options=options, resolve=import_name) is None


# -- types ---------------------------------------------------------------------------------------------------------


def spans(path, **asked):
    def test_it(span: Span, tags: set[Literal["a", "b"]]): ...

    source = source_of(test_it, unlike.inputs(6, **asked))
    assert len(replayed(path, source, n=6).inputs) == 6
    return source


def span(low, high):
    return Recipe((Call(name_of(Span), (), (("low", low), ("high", high))),), Ref(0))


@pytest.mark.parametrize(
    ("name", "recipe", "message"),
    [
        ("span", span(0, 10), "span breaks the type"),
        ("span", span(0, 5.0), "span breaks the type"),
        ("span", span(5, 4), "it cannot be built: ValueError: low is above high"),
        ("span", span(7, 7), "it breaks where"),
        ("span", Recipe((), Items("dict", ("low", 1, "high", 2))), "span breaks the type"),
        ("tags", Recipe((), Items("set", ("c",))), "tags breaks the type"),
        ("tags", Recipe((), Items("list", ("a",))), "tags breaks the type"),
    ],
)
def test_a_typed_input_that_breaks_its_type_or_an_assertion_is_refused(path, name, recipe, message):
    source = spans(path, where=lambda span: span.low < 7)
    data = recipe_to_data(recipe)
    line = tampered(path, lambda found: found.update({name: ["recipe", data, digest(data)]}))

    with pytest.raises(SavedFileError, match=rf"line {line}: {message}"):
        replayed(path, source, n=6, frozen=True)


def test_inputs_of_a_type_that_are_alike_by_the_difference_are_refused(path):
    def test_it(span: Span): ...

    source = source_of(test_it, unlike.inputs(4, different=differs_by("span.low")))
    answer = replayed(path, source, n=4)
    assert len({one.input.build("span").low for one in answer.inputs}) == 4
    low = answer.inputs[0].input.build("span").low
    tampered(path, lambda found: found["span"][1].update(low=low, high=9), 3)

    with pytest.raises(SavedFileError, match="it is like input"):
        replayed(path, source, n=4, frozen=True)


def test_an_invalid_input_that_breaks_no_rule_or_two_is_refused(path):
    def test_it(count: Int(1, 9), size: Int(1, 9)): ...

    source = source_of(test_it, unlike.inputs("all", invalid=True))
    replayed(path, source)
    text = path.read_text()

    for count, size, broken in [(5, 5, "no"), (0, 10, "2")]:
        made = {name: recipe_to_data(Recipe((), value)) for name, value in (("count", count), ("size", size))}
        changed = {name: ["recipe", data, digest(data)] for name, data in made.items()}
        line = tampered(path, lambda found, changed=changed: found.update(changed))
        with pytest.raises(SavedFileError, match=f"line {line}: it breaks {broken} rules"):
            replayed(path, source, frozen=True)
        path.write_text(text)


# -- blanks beside objects -----------------------------------------------------------------------------------------


def test_an_option_that_no_exploration_has_is_one_message(path):
    def test_it(it: Pile): ...

    with pytest.raises(unlike.SpecError, match="no option 'skope'; did you mean 'scope'"):
        replayed(path, source_of(test_it, unlike.objects(Pile, skope=2)))


@pytest.mark.parametrize(
    ("asked", "asker"),
    [
        (unlike.objects(Pile, source="invariant", invariant="__len__", skope=1), r"objects\(source='invariant'\)"),
        (unlike.fields(Pile, skope=1), r"fields\(\)"),
    ],
)
def test_an_option_that_no_verb_has_is_one_message_whatever_the_source(path, asked, asker):
    def test_it(it: Pile): ...

    with pytest.raises(unlike.SpecError, match=rf"^{asker} has no option 'skope'; did you mean 'scope'"):
        replayed(path, source_of(test_it, asked))


@pytest.mark.parametrize("target", [Pile, unlike.Spec({"x": Int(0, 3)})])
def test_an_option_that_fields_does_not_have_is_one_message_without_a_test_too(target):
    with pytest.raises(unlike.SpecError, match=r"fields\(\) has no option 'smalest'; did you mean 'smallest'"):
        unlike.fields(target, smalest=True).suite  # noqa: B018  # looking at it makes it


def beside(path):
    def test_it(it: Pile, x: Int(0, 99)): ...

    asked = unlike.objects(Pile, scope=2, methods="push|pop", different=unlike.distance("x", 10))
    source = source_of(test_it, asked)
    answer = replayed(path, source)
    assert len(answer.inputs) > 2
    assert answer.events[0].text == "generated and saved 7 inputs (none were saved before)"
    return source


def test_of_two_blanks_beside_objects_no_two_are_alike(path):
    source = beside(path)
    tampered(path, lambda found: found.update(x=1), 1)

    with pytest.raises(SavedFileError, match="like input"):
        replayed(path, source, frozen=True)


def test_no_object_comes_twice_with_the_same_blank(path):
    source = beside(path)
    lines = [json.loads(line.rstrip(",")) for line in path.read_text().splitlines() if line.startswith('{"id"')]
    tampered(path, lambda found: found.update(lines[0]["input"]), 1)

    with pytest.raises(SavedFileError, match="like input"):
        replayed(path, source, frozen=True)


# -- a directory that cannot be written ----------------------------------------------------------------------------

TEST = """
import unlike
@unlike.inputs(3)
def test_it(x: int): pass
def test_plain(): pass
"""


# root may write wherever it likes, unless it gives that right away for good before it starts the run
WITHOUT_RIGHTS = """
import ctypes, os, sys
if os.geteuid() == 0:
    for right in (1, 2):  # to pass over the permission to write, and to read
        assert ctypes.CDLL(None).prctl(24, right, 0, 0, 0) == 0, "the right cannot be given away"
os.execv(sys.executable, [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-q"])
"""


@pytest.mark.corpus
@pytest.mark.skipif(sys.platform != "linux", reason="rights are given away as Linux does it")
def test_a_read_only_directory_is_a_message_on_the_item_and_replays_what_is_there(tmp_path):
    (tmp_path / "test_it.py").write_text(TEST)

    tmp_path.chmod(0o555)
    refused = run_without_rights(tmp_path)
    tmp_path.chmod(0o755)
    written = run_without_rights(tmp_path)
    (tmp_path / "__unlike__").chmod(0o555)
    tmp_path.chmod(0o555)
    replayed_there = run_without_rights(tmp_path)
    (tmp_path / "__unlike__").chmod(0o755)
    tmp_path.chmod(0o755)

    assert "1 passed, 1 error" in refused
    assert "cannot be written" in refused
    assert "Traceback" not in refused
    assert "4 passed" in written
    assert "4 passed" in replayed_there


def run_without_rights(project):
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "200"}
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_RIGHTS],
        cwd=project,
        env=environment,
        text=True,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return ran.stdout + ran.stderr
