"""The code under test: what can be called, the walker that sees its objects, and what lies around them."""

from __future__ import annotations

from unlike import heap
from unlike.classes.api import Api
from unlike.classes.globals_watch import Fixtures, GlobalsWatch
from unlike.classes.judging import FoundClass
from unlike.classes.workbench import ReadyCall, has_mutable_argument
from unlike.core import Implementation
from unlike.heap import Walker
from unlike.scope import Limits


class CodeUnderTest:
    """The classes of an Api as a search meets them."""

    def __init__(self, api: Api, limits: Limits, implementation: Implementation = "auto") -> None:
        self.api, self.limits = api, limits
        self.watch = GlobalsWatch(api.classes)
        self.walker: Walker = heap.make_walker(limits, self.watch.pinned(), implementation)
        self.fixtures = Fixtures(self.walker, self.watch.pinned())
        self.calls = [ReadyCall(number, each, has_mutable_argument(each)) for number, each in enumerate(api.templates)]
        self._unary: dict[type, list[ReadyCall]] = {}

    def unary_calls(self, cls: type) -> list[ReadyCall]:
        """Return the calls that need one object of the class and no other."""
        if cls not in self._unary:
            single = [each for each in self.calls if len(each.template.wanted) == 1]
            self._unary[cls] = [each for each in single if issubclass(cls, each.template.wanted[0])]
        return self._unary[cls]

    def is_found_alone(self, cls: type, roots: int) -> bool:
        """Tell whether so many objects are a find of their own; where they are not, the first of them alone is."""
        return roots == 1 or not issubclass(cls, self.api.classes)

    def is_found_object(self, cls: type) -> bool:
        """Tell whether objects of the class are found objects; a class met for the first time restarts the search."""
        if any(issubclass(cls, known) for known in (*self.api.classes, *self.api.extra)):
            return True
        if self.watch.is_neighbour(cls):
            raise FoundClass(cls)
        return False
