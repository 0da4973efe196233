"""Every planted bug is found, by a sequence as short as the one its docstring gives; the sound twins show none."""

import importlib
import pkgutil
import re
from typing import Any

import examples.structures
import pytest
from tests.corpora import few_of

from unlike.classes.recipes import sequence_text
from unlike.explore import explore
from unlike.recipe import Call, Items, Name, Recipe, Ref

# what a twin needs beyond scope 3 to show its bug
BEYOND: dict[str, dict[str, Any]] = {
    "AVLTree": {"scope": 4},
    "BinarySearchTree": {"scope": 4},
    "FibonacciHeap": {"scope": 4, "methods": "insert|remove_min|decrease_key"},
    "HashMap": {"elements": 8, "literals": {"value": [0]}},
    "NodeCachingLinkedList": {"methods": "add_first|add_last|insert|set|remove|remove_index|remove_first|clear"},
    "VariableStore": {"scope": 2},
}


def twins() -> list[type]:
    found: list[type] = []
    for info in pkgutil.iter_modules(examples.structures.__path__):
        module = importlib.import_module(f"examples.structures.{info.name}")
        found += [cls for name, cls in vars(module).items() if name.startswith("Buggy")]
    return found


def documented_calls(twin: type) -> int:
    [sequence] = re.findall(rf"`({twin.__name__}\(.*)`", twin.__doc__ or "")
    return len(sequence.split("; "))


@pytest.mark.few(1)
@pytest.mark.parametrize("twin", few_of(twins(), 5, ids=[cls.__name__ for cls in twins()]))
def test_a_planted_bug_is_found_by_a_minimal_sequence_and_only_in_the_twin(twin: type) -> None:
    sound = twin.__base__
    assert sound is not None
    options = {"scope": 3, "invariant": "rep_ok", **BEYOND.get(sound.__name__, {})}

    found = explore(twin, **options).errors
    others = explore(sound, **options).errors

    assert found
    assert min(error.calls for error in found) == documented_calls(twin)
    assert others == ()


def test_containers_in_a_sequence_are_written_as_in_python() -> None:
    recipe = Recipe((Call(Name("shop", "Basket"), (Items("tuple", (1, Items("list", (2,)))),)),), Ref(0))

    assert sequence_text(recipe) == "Basket((1, [2]))"
