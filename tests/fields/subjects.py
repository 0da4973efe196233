"""Small classes whose invariants use one feature each, and some that no compiler of this kind should take."""

from __future__ import annotations

import contextlib
import enum
from collections import deque
from dataclasses import dataclass

from unlike import invariants


class Node:
    left: Node | None
    right: Node | None
    key: int

    def is_leaf(self):
        return self.left is None and self.right is None

    @property
    def children(self):
        return (self.left, self.right)

    def rising(self, least):
        if self.key < least:
            return False
        for child in (self.left, self.right):  # noqa: SIM110
            if child is not None and not child.rising(least + 1):
                return False
        return True


class ExplicitStack:
    root: Node | None

    def rep_ok(self):
        if self.root is None:
            return True
        seen, stack = set(), [self.root]
        while stack:
            node = stack.pop()
            if node in seen:
                return False
            seen.add(node)
            if node.right is not None:
                stack.append(node.right)
            if node.left is not None:
                stack.append(node.left)
        return True


class VisitedByRecursion:
    root: Node | None

    def rep_ok(self):
        seen = set()
        return self.visit(self.root, seen) and len(seen) != 2

    def visit(self, node, seen):
        if node is None:
            return True
        if node in seen:
            return False
        seen.add(node)
        return self.visit(node.left, seen) and self.visit(node.right, seen)


class BreakAndContinue:
    root: Node | None

    def rep_ok(self):
        node, steps, total, seen = self.root, 0, 0, []
        while True:
            if node is None:
                break
            if node in seen or node.left is not None:
                return False
            seen.append(node)
            if node.key == 1:
                node = node.right
                continue
            total += node.key
            steps += 1
            node = node.right
        return total <= 3 and steps != 2


class LevelsInADict:
    root: Node | None

    def rep_ok(self):
        if self.root is None:
            return True
        depth, queue = {self.root: 0}, deque()
        queue.append(self.root)
        while queue:
            node = queue.popleft()
            for child in node.children:
                if child is not None:
                    if child in depth:
                        return False
                    depth[child] = depth[node] + 1
                    queue.append(child)
            if node.key != min(depth[node], 2):
                return False
        return True


class TuplesReturned:
    root: Node | None

    def rep_ok(self):
        if self.root is None:
            return True
        seen, work = {self.root}, [self.root]
        while work:
            node = work.pop(0)
            for child in (node.left, node.right):
                if child is None:
                    continue
                if child in seen:
                    return False
                seen.add(child)
                work.append(child)
        fine, height = self.balanced(self.root)
        return fine and height >= 1

    def balanced(self, node):
        if node is None:
            return True, 0
        fine, left = self.balanced(node.left)
        if not fine:
            return False, 0
        fine, right = self.balanced(node.right)
        if not fine or not -1 <= left - right <= 1:
            return False, 0
        return True, max(left, right) + 1


class AnyAndAll:
    root: Node | None

    def rep_ok(self):
        order, node = [], self.root
        while node is not None:
            if any(other is node for other in order):
                return False
            order.append(node)
            node = node.right
        if not all(node.left is None or node.left in order for node in order):
            return False
        return all(0 <= node.key < 2 for node in order) and sum(node.key for node in order) != 1


class GrowsWhileWalked:
    root: Node | None

    def rep_ok(self):
        nodes = [self.root] if self.root is not None else []
        for node in nodes:
            for child in (node.left, node.right):
                if child is not None:
                    if child in nodes:
                        return False
                    nodes.append(child)
        return len(nodes) != 1


class Raises:
    root: Node | None

    def rep_ok(self):
        node = self.root
        if node.left.is_leaf() and node.left is not node:
            return node.right is node or node.right is None
        return False


class MethodsOfNodes:
    root: Node | None

    def rep_ok(self):
        return self.root is None or self.root.rising(0)


class Swapped:
    root: Node | None

    def rep_ok(self):
        here, before, seen = self.root, None, set()
        while here is not None and here not in seen:
            seen.add(here)
            here, before = here.right, here
        fine = True if before is None else before.key > 0
        if fine and here is None:
            for node in seen:
                if node.left is not None and node.left is not before:
                    return False
        else:
            return False
        return True


class Level:
    low: Level | None
    high: Level | None
    var: int


class SharedDag:
    """Nodes may be shared, so that call sites of one node happen together, with other arguments each."""

    root: Level | None

    def rep_ok(self):
        return self.root is None or self.ok(self.root, -1, -1)

    def ok(self, node, above, higher):
        if node.var <= higher or node.var < above + 2:
            return False
        for child in (node.low, node.high):  # noqa: SIM110
            if child is not None and not self.ok(child, higher, node.var):
                return False
        return True


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Employee:
    boss: Employee | None
    works_for: Company | None
    colour: Colour


class Company:
    head: Employee | None
    public: bool


class Register:
    """Two classes of objects that lead to each other, booleans, enums and a list."""

    first: Employee | None
    others: list[Employee]
    owner: Company | None

    def rep_ok(self):
        if self.first is None:
            return not self.others and self.owner is None
        seen, people = {self.first}, [self.first]
        for person in self.others:
            if person in seen:
                return False
            seen.add(person)
            people.append(person)
        for person in people:
            if person.boss is not None and person.boss not in seen:
                return False
            if person.works_for is None:
                return False
            if person.works_for.head is not None and person.works_for.head not in seen:
                return False
            if person.works_for.public and person.colour is not Colour.RED:
                return False
        return self.owner is not None and self.owner is self.first.works_for


class Ring:
    """A class whose objects are both the root and the nodes."""

    following: Ring
    number: int

    def rep_ok(self):
        node, seen = self, set()
        while node not in seen:
            seen.add(node)
            node = node.following
        return node is self and all(other.number >= self.number for other in seen)


class Tagged:
    """A set of numbers, a frozen set of enum members, and a number that must fit both."""

    tags: set[int]
    colours: frozenset[Colour]
    size: int

    def rep_ok(self):
        if len(self.tags) + len(self.colours) != self.size:
            return False
        if Colour.RED in self.colours and 0 not in self.tags:
            return False
        return all(tag <= self.size for tag in self.tags)


class Scored:
    """Nodes that hold a set and a dict each."""

    first: Score | None

    def rep_ok(self):
        node, seen = self.first, set()
        while node is not None:
            if node in seen or len(node.marks) != len(node.by_name):
                return False
            seen.add(node)
            for name in node.by_name:
                if name not in node.marks or node.by_name[name] == name:
                    return False
            node = node.following
        return True


class Score:
    following: Score | None
    marks: set[int]
    by_name: dict[int, int]


class MatchedShapes:
    """Class patterns by keyword, captures, guards, alternatives."""

    root: Node | None
    size: int

    def rep_ok(self):
        match self.root:
            case None:
                return self.size == 0
            case Node(left=None, right=None, key=key) if key > 0:
                return self.size == key
            case Node(left=None, right=Node(key=1 | 2 as key)) | Node(right=None, left=Node(key=0 as key)):
                return self.size > key
            case Node(left=Node() as left, right=other) as node:
                match left, other:
                    case (Node(key=k), Node(key=m)) if left is not other and left is not node:
                        return k < m
                    case _:
                        return False
        return False


class MatchedInALoop:
    """A match whose cases leave a loop in every way there is."""

    root: Node | None

    def rep_ok(self):
        node, steps, seen = self.root, 0, set()
        while node is not None:
            if node in seen:
                return False
            seen.add(node)
            match node.key:
                case 0:
                    node = node.left
                    continue
                case 1 if steps > 0:
                    break
                case n if n > 2:
                    raise ValueError(n)
            steps += 1
            node = node.right
        return steps < 2


@dataclass
class Pair:
    one: int
    other: int | None


class MatchedItems:
    """Sequences, stars, dicts, bools, ints, and classes by position."""

    items: list[int]
    table: dict[int, bool]
    pair: Pair

    def rep_ok(self):
        match self.items:
            case []:
                first = 0
            case [one] if one > 0:
                first = one
            case [one, *_, last]:
                first = last - one
            case _:
                return False
        match self.table:
            case {0: True, 1: _}:
                first += 1
            case {2: flag} if flag:
                return False
        match self.pair:
            case Pair(int(one), None):
                return one == first
            case Pair(0, other=int() | None as other):
                return other > first
        match (first, self.pair.one, 3):
            case (0, *rest):
                return rest[0] > 0 and len(rest) == 2
            case bool() | (_, 1, _):
                return True
            case _:
                assert first != 2
        return first > 0


class CalledByPlace:
    """Functions of a module and of a class; a parameter with a default."""

    root: Node | None

    def rep_ok(self, most=2):
        if not invariants.tree(self.root, "left", "right"):
            return False
        nodes = invariants.reachable(self.root, "left", "right")
        return len(nodes) < most or (Node.is_leaf(self.root.left) and invariants.ordered(node.key for node in nodes))


FEATURES = [
    CalledByPlace,
    MatchedShapes,
    MatchedInALoop,
    MatchedItems,
    Tagged,
    Scored,
    ExplicitStack,
    VisitedByRecursion,
    BreakAndContinue,
    LevelsInADict,
    TuplesReturned,
    AnyAndAll,
    GrowsWhileWalked,
    Raises,
    MethodsOfNodes,
    Swapped,
    SharedDag,
    Register,
    Ring,
]

LARGE = (Register, Scored)  # thousands of structures at scope 3
SLOW = (MatchedShapes, MatchedInALoop)  # seconds each: corpora


# -- outside the subset ----------------------------------------------------------------------------------------


class Small:
    key: int


class WithTry:
    root: Small | None

    def rep_ok(self):
        try:
            return self.root.key > 0
        except AttributeError:
            return True


class WithLambda:
    root: Small | None

    def rep_ok(self):
        return (lambda node: node is None)(self.root)


class WithWrite:
    root: Small | None

    def rep_ok(self):
        self.root = None  # here
        return True


class WithString:
    root: Small | None

    def rep_ok(self):
        return f"{self.root}" == "x"  # here


class WithNumberRecursion:
    root: Small | None

    def rep_ok(self):
        return self.down(3)

    def down(self, number):
        return number <= 0 or self.down(number - 1)


class WithInnerFunction:
    root: Small | None

    def rep_ok(self):
        def inner(node):
            return node is None

        return inner(self.root)


class WithSorted:
    root: Small | None

    def rep_ok(self):
        return sorted([self.root.key])[0] == 0


class WithContentsCompared:
    root: Small | None

    def rep_ok(self):
        return {self.root} == {None}


class WithDivision:
    root: Small | None

    def rep_ok(self):
        return self.root.key / 2 > 0.5


class WithSlice:
    root: Small | None

    def rep_ok(self):
        return not [self.root][1:]


class WithAppendToField:
    items: list[int]

    def rep_ok(self):
        self.items.append(1)  # here
        return True


@dataclass
class Equal:
    key: int


@dataclass(frozen=True)
class Switches:
    one: bool
    two: bool
    three: bool


class WithOwnEquality:
    one: Equal | None
    other: Equal | None

    def rep_ok(self):
        return self.one == self.other


class WithGenerator:
    root: Small | None

    def rep_ok(self):
        return len(list(self.all())) < 2

    def all(self):
        yield self.root


class WithStarredName:
    items: list[int]

    def rep_ok(self):
        match self.items:
            case [_, *rest]:
                return len(rest) == 1
        return True


class WithContext:
    root: Small | None

    def rep_ok(self):
        with contextlib.suppress(AttributeError):  # here
            return self.root.key > 0
        return True


class WithSentValue:
    root: Small | None

    def rep_ok(self):
        return len(list(self.all())) < 2

    def all(self):
        got = yield self.root  # here
        yield got


class WithOpenText:
    root: Small | None

    def rep_ok(self):
        text = f"{self.root}"
        return text.startswith("x")  # here


class WithClassInside:
    root: Small | None

    def rep_ok(self):
        class Inner:  # here
            pass

        return Inner is not None


class WithNewObject:
    root: Small | None

    def rep_ok(self):
        return self.root is not Small()  # here


WRITTEN_AS_PEOPLE_DO = [  # each was outside the subset once
    WithStarredName,
    WithTry,
    WithLambda,
    WithNumberRecursion,
    WithInnerFunction,
    WithSorted,
    WithContentsCompared,
    WithDivision,
    WithSlice,
    WithOwnEquality,
    WithGenerator,
]
FEATURES += WRITTEN_AS_PEOPLE_DO

OUTSIDE = [
    WithWrite,
    WithString,
    WithAppendToField,
    WithContext,
    WithSentValue,
    WithOpenText,
    WithClassInside,
    WithNewObject,
]
