"""What each structure ought to do, said with lists, dicts and tuples.

A model has the methods of its structure; `...` as a result means that the structure is free in it.
"""

from collections import OrderedDict


class Values:
    """A list."""

    def __init__(self):
        self.values = []

    def add(self, value):
        self.values.append(value)

    def add_first(self, value):
        self.values.insert(0, value)

    def insert(self, index, value):
        if index > len(self.values):
            raise IndexError
        self.values.insert(index, value)

    def remove_index(self, index):
        return self.values.pop(index)

    def remove(self, value):
        if value not in self.values:
            return False
        self.values.remove(value)
        return True

    def reverse(self):
        self.values.reverse()

    def clear(self):
        self.values.clear()

    def get(self, index):
        return self.values[index]

    def index_of(self, value):
        return self.values.index(value) if value in self.values else -1

    def to_list(self):
        return list(self.values)

    def __len__(self):
        return len(self.values)

    def __contains__(self, value):
        return value in self.values


class CachingValues(Values):
    """A list with the rich interface."""

    def add(self, value):
        self.values.append(value)
        return True

    add_last = add

    def add_first(self, value):
        self.values.insert(0, value)
        return True

    def add_all(self, values):
        self.values.extend(values)
        return bool(values)

    def insert_all(self, index, values):
        if index > len(self.values):
            raise IndexError
        self.values[index:index] = values
        return bool(values)

    def set(self, index, value):
        old, self.values[index] = self.values[index], value
        return old

    def remove_first(self):
        return self.values.pop(0)

    def remove_last(self):
        return self.values.pop()

    def remove_all(self, values):
        return self._keep([value for value in self.values if value not in values])

    def retain_all(self, values):
        return self._keep([value for value in self.values if value in values])

    def _keep(self, kept):
        changed = kept != self.values
        self.values = kept
        return changed

    def get_first(self):
        return self.values[0]

    def get_last(self):
        return self.values[-1]

    def last_index_of(self, value):
        return max((index for index, present in enumerate(self.values) if present == value), default=-1)

    def is_empty(self):
        return not self.values

    def contains_all(self, values):
        return set(values) <= set(self.values)

    def to_tuple(self):
        return tuple(self.values)

    def __str__(self):
        return str(self.values)


class RingValues(Values):
    """A list that turns."""

    def rotate(self, steps):
        if self.values:
            steps %= len(self.values)
            self.values = self.values[steps:] + self.values[:steps]

    def pop(self):
        return self.values.pop(0)

    def first(self):
        return self.values[0]

    def last(self):
        return self.values[-1]


class SortedValues(Values):
    """A list that is sorted after every change."""

    def add(self, value):
        self.values = sorted([*self.values, value])

    def pop_smallest(self):
        return self.values.pop(0)

    def pop_largest(self):
        return self.values.pop()

    def count(self, value):
        return self.values.count(value)


class PositiveValues(SortedValues):
    def add(self, value):
        if value > 0:
            super().add(value)
        return value > 0


class DistinctValues(SortedValues):
    """A sorted list without repeats."""

    def add(self, value):
        if value in self.values:
            return False
        super().add(value)
        return True

    insert = add

    def minimum(self):
        return min(self.values)

    def maximum(self):
        return max(self.values)

    def height(self):
        return ...


class Queue(SortedValues):
    """A priority queue."""

    insert = SortedValues.add

    def extract_min(self):
        return self.values.pop(0)

    remove_min = extract_min

    def find_min(self):
        return self.values[0]

    def decrease_key(self, key, smaller):
        if smaller > key:
            raise ValueError
        if key not in self.values:
            raise KeyError
        self.values.remove(key)
        self.add(smaller)

    def delete(self, key):
        if key not in self.values:
            raise KeyError
        self.values.remove(key)

    def is_empty(self):
        return not self.values


class Sets:
    """A dict from element to the set it is in."""

    def __init__(self):
        self.set_of = {}

    def add_element(self, element):
        if element in self.set_of:
            raise ValueError
        self.set_of[element] = (element,)

    def find(self, element):
        return self.set_of[element] and ...

    def union(self, first, second):
        merged = tuple(sorted({*self.set_of[first], *self.set_of[second]}))
        for element in merged:
            self.set_of[element] = merged

    def in_same_set(self, first, second):
        return self.set_of[first] == self.set_of[second]

    def number_of_sets(self):
        return len(set(self.set_of.values()))

    def reset(self):
        self.set_of = {element: (element,) for element in self.set_of}

    def __len__(self):
        return len(self.set_of)

    def __str__(self):
        return " ".join("{" + ", ".join(map(str, members)) + "}" for members in sorted(set(self.set_of.values())))


class Recent:
    """An OrderedDict of two entries, newest last."""

    def __init__(self):
        self.entries = OrderedDict()

    def put(self, key, value):
        self.entries[key] = value
        self.entries.move_to_end(key)
        if len(self.entries) > 2:
            self.entries.popitem(last=False)

    def get(self, key):
        self.entries.move_to_end(key)
        return self.entries[key]

    def discard(self, key):
        return self.entries.pop(key, None) is not None

    def peek(self, key):
        return self.entries[key]

    def to_list(self):
        return list(self.entries)[::-1]

    def __len__(self):
        return len(self.entries)

    def __contains__(self, key):
        return key in self.entries


class Queues:
    """The ready processes in one list, as they came; the one that runs is chosen from it."""

    def __init__(self):
        self.running = None
        self.ready = []
        self.blocked = []

    def add_process(self, priority):
        if priority > 2:
            raise ValueError
        self.ready.append(priority)
        self._run()

    def _run(self):
        if self.running is None and self.ready:
            self.running = max(self.ready)
            self.ready.remove(self.running)

    def _stop(self):
        if self.running is None:
            raise ValueError
        stopped, self.running = self.running, None
        return stopped

    def finish_process(self):
        self._stop()
        self._run()

    def finish_all(self):
        self.running = None
        self.ready = []

    def block_process(self):
        self.blocked.append(self._stop())
        self._run()

    def unblock_process(self, index):
        self.ready.append(self.blocked.pop(index))
        self._run()

    def quantum_expire(self):
        self.ready.append(self._stop())
        self._run()

    def upgrade_process(self, priority, index):
        if priority > 1:
            raise ValueError
        places = [place for place, present in enumerate(self.ready) if present == priority]
        del self.ready[places[index]]
        self.ready.append(priority + 1)

    def to_list(self):
        running = [] if self.running is None else [self.running]
        return running + sorted(self.ready, reverse=True)

    def __len__(self):
        return len(self.to_list()) + len(self.blocked)


class Shape:
    """A tree as a pair of trees, or None."""

    def __init__(self):
        self.tree = None

    def add(self, place):
        if place > size(self.tree):
            raise IndexError
        self.tree = added(self.tree, place)

    def prune(self, index):
        before = size(self.tree)
        if index >= before:
            raise IndexError
        self.tree = pruned(self.tree, index)
        return before - size(self.tree)

    def mirror(self):
        self.tree = mirrored(self.tree)

    def height(self):
        return height(self.tree)

    def shape(self):
        return str(self.tree).replace("None", ".").replace(",", "")

    def __len__(self):
        return size(self.tree)


def size(tree):
    return 0 if tree is None else 1 + size(tree[0]) + size(tree[1])


def height(tree):
    return 0 if tree is None else 1 + max(height(tree[0]), height(tree[1]))


def mirrored(tree):
    return None if tree is None else (mirrored(tree[1]), mirrored(tree[0]))


def added(tree, place):
    if tree is None:
        return (None, None)
    left, right = tree
    if place <= size(left):
        return (added(left, place), right)
    return (left, added(right, place - size(left) - 1))


def pruned(tree, index):
    left, right = tree
    if index == size(left):
        return None
    if index < size(left):
        return (pruned(left, index), right)
    return (left, pruned(right, index - size(left) - 1))


class Facts:
    """A dict from variable to value, level, reason and watcher."""

    def __init__(self):
        self.known = {}
        self.highest = 0

    def get_from_pool(self, variable):
        if variable < 1:
            raise ValueError
        self.highest = max(self.highest, variable)
        self.known.setdefault(variable, [None, 0, False, False])
        self.known = dict(sorted(self.known.items()))
        return 2 * variable

    def ensure_pool(self, count):
        for variable in range(1, count + 1):
            self.get_from_pool(variable)

    def next_free_variable(self):
        return min(set(range(1, self.highest + 2)) - set(self.known))

    def forget(self, variable):
        del self.known[variable]

    def reset_pool(self):
        self.known = {variable: [None, 0, False, False] for variable in self.known}

    def belongs_to_pool(self, variable):
        return variable in self.known

    def variables(self):
        return list(self.known)

    def highest_variable(self):
        return self.highest

    def __len__(self):
        return len(self.known)

    def satisfy(self, variable):
        self.known[variable][0] = True

    def falsify(self, variable):
        self.known[variable][0] = False

    def unassign(self, variable):
        self.known[variable][:3] = [None, 0, False]

    def is_satisfied(self, variable):
        return self.known[variable][0] is True

    def is_falsified(self, variable):
        return self.known[variable][0] is False

    def is_unassigned(self, variable):
        return self.known[variable][0] is None

    def value_to_string(self, variable):
        return str(self.known[variable][0])[0].replace("N", "U")

    def _assigned(self, variable):
        if self.known[variable][0] is None:
            raise ValueError
        return self.known[variable]

    def set_level(self, variable, level):
        self._assigned(variable)[1] = level

    def get_level(self, variable):
        return self._assigned(variable)[1]

    def set_reason(self, variable):
        self._assigned(variable)[2] = True

    def has_reason(self, variable):
        return self._assigned(variable)[2]

    def is_implied(self, variable):
        value, level, reason, _ = self.known[variable]
        return value is not None and (reason or level == 0)

    def backtrack(self, level):
        for variable, (_, since, _, _) in self.known.items():
            if since > level:
                self.unassign(variable)

    def watch(self, variable):
        self.known[variable][3] = True

    def unwatch(self, variable):
        self.known[variable][3] = False

    def is_watched(self, variable):
        return self.known[variable][3]
