"""Classes that other people wrote are the same whether their values are left open or not."""

from typing import Any

import bidict
import cachetools
import pytest
import sortedcontainers

from unlike.classes.open.choose_values import differences
from unlike.explore import explore

VALUES = [0, 1, 2]
CACHE = {"maxsize": [1, 2], "key": VALUES, "value": [0, 1]}
CACHED = "__setitem__|__getitem__|__delitem__|popitem"
CASES: list[Any] = [
    pytest.param(
        sortedcontainers.SortedList,
        {"scope": 3, "elements": 4, "methods": "add|discard|pop|clear|count|bisect_left"},
        {"value": VALUES, "index": VALUES, "iterable": [None], "key": [None]},
        id="SortedList",
    ),
    pytest.param(
        sortedcontainers.SortedSet,
        {"scope": 3, "elements": 8, "methods": "add|discard|pop|clear"},
        {"value": VALUES, "index": VALUES, "iterable": [None], "key": [None]},
        id="SortedSet",
    ),
    pytest.param(
        sortedcontainers.SortedDict,
        {"scope": 3, "elements": 8, "methods": "__setitem__|popitem|peekitem|clear"},
        {"key": VALUES, "value": VALUES, "index": [0, -1], "args": []},
        id="SortedDict",
    ),
    pytest.param(cachetools.LRUCache, {"scope": 2, "methods": CACHED}, CACHE, id="LRUCache"),
    pytest.param(cachetools.FIFOCache, {"scope": 2, "methods": CACHED}, CACHE, id="FIFOCache"),
    pytest.param(cachetools.LFUCache, {"scope": 2, "methods": CACHED, "calls": 5}, CACHE, id="LFUCache"),
    pytest.param(
        bidict.bidict,
        {"scope": 3, "methods": "__setitem__|forceput|pop|clear", "preconditions": [KeyError, bidict.DuplicationError]},
        {"key": VALUES, "val": VALUES, "args": [], "bidict.args": [], "arg": [], "default": [None]},
        id="bidict",
    ),
]


@pytest.mark.few(1)
@pytest.mark.parametrize(("cls", "options", "literals"), CASES)
def test_both_ways_find_the_same(cls: type, options: dict[str, Any], literals: dict[str, Any]) -> None:
    concrete, opened = (
        explore(cls, **options, literals=literals, values=values, in_process=True)
        for values in ("concrete", "symbolic")
    )

    assert not concrete.status.cut_short
    assert differences(concrete, opened) == []
    assert opened.calls <= concrete.calls


@pytest.mark.few(2)
@pytest.mark.parametrize(("cls", "options", "literals"), CASES)
def test_auto_leaves_their_values_open(cls: type, options: dict[str, Any], literals: dict[str, Any]) -> None:
    result = explore(cls, **options, literals=literals)

    assert result.values == "symbolic", result.why
