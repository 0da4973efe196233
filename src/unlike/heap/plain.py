"""The usual case, in code made for each class: objects that have their fields, and values of one byte.

A loop over names or descriptors costs more than what it does. So the lines that write, compare and fill the instances
of a class are written out, once for each sequence of names, and made into functions for each class. They work on
instances that have exactly these fields, and say no to any other. They run no code of the user's: fields in the
instance dictionary are asked of that dictionary, slots are reached by name only where the class defines nothing that
could interfere. What is not usual (a field gone or added, a string, a list, a hundred and more objects) is left to the
general code, with the same answer.
"""

from __future__ import annotations

import functools
import keyword
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from unlike.heap.fields import ABSENT, Fields, is_plainly_read
from unlike.scope import Outside

if TYPE_CHECKING:
    from unlike.heap.layout import Layout, Node

MOST_FIELDS = 40  # of a class that has code of its own; more take long to compile, and are rare
WARM = 8  # objects of a class that are met before code is made for it: that takes as long as some hundred objects
FIRST_NODE, LAST_NODE = 0x80, 0xFE  # the bytes of nodes
SINGLES = (None, ABSENT, False, True, *range(-16, 80))  # kept, so that their ids stay theirs
SMALL = dict(zip(map(id, SINGLES), (0, 1, 2, 3, *range(0x20, FIRST_NODE)), strict=True))  # their bytes
VALUES = {SMALL[id(value)]: value for value in SINGLES if value is not ABSENT}
LARGER = 0x80  # a number from here on takes more than one byte
PATIENCE = 30  # graphs in a row that are not plain; after them no more are tried

Entry = tuple[Any, ...]  # an object, then its values
Encode = Callable[[Any, Callable[[int], int | None], Callable[[int], None], Callable[[Any], None]], bool]


@dataclass(frozen=True, slots=True)
class Code:
    """The functions for instances that have exactly these fields."""

    names: tuple[str, ...]
    counted: bool  # the number of fields is written before them
    encode: Encode  # writes the object's values, or writes nothing and returns False
    touched: Callable[[list[Entry]], list[Entry]]  # returns the entries whose object holds something else
    put_back: Callable[[Entry], None]  # gives the object of an entry its class and its values
    fill: Callable[[Any, list[Any]], None]  # gives a new object its values


Groups = list[tuple[Code, list[Entry]]]


def code_of(fields: Fields) -> Code | None:
    """Return the code for instances with the usual fields, or None for a class that is read in the general way."""
    cls = fields.cls
    if fields.dictionary is None:
        names = tuple(slot.__name__ for slot in fields.slots)
        usable = all(name.isascii() and name.isidentifier() and not keyword.iskeyword(name) for name in names)
        usable = usable and is_plainly_read(cls, fields.slots)
    else:
        names = fields.usual()
        usable = not fields.slots and is_plainly_read(cls, ())
    written: object = cls.__setattr__
    if not usable or not 1 <= len(names) <= MOST_FIELDS or written is not object.__setattr__:
        return None
    if hasattr(cls, "__del__"):  # objects are made before all values are known to be plain, and then dropped unfilled
        return None
    makers = _makers(names, fields.dictionary is None)
    return Code(names, fields.dictionary is not None, *(make(cls) for make in makers))


@functools.lru_cache(maxsize=2000)
def _makers(names: tuple[str, ...], slots: bool) -> tuple[Callable[[type], Any], ...]:
    """Return functions that make the functions for a class with these names."""
    space: dict[str, Any] = {"set_field": object.__setattr__, "NAMES": frozenset(names)}
    text = _text(names, slots=slots)  # the names in it are quoted, or identifiers
    exec(compile(text, "<plain code>", "exec"), space)
    return tuple(space[f"make_{name}"] for name in ("encode", "touched", "put_back", "fill"))


# the lines that end in ` # dictionary` are for classes without slots
TEMPLATE = """
def make_encode(cls):
    def encode(thing, code_of, write, meet):
        fields = thing.__dict__  # dictionary
        if len(fields) != {count}:  # dictionary
            return False  # dictionary
        try:
            {reads}
        except {missing}:
            return False
        write({count})  # dictionary
        {writes}
        return True
    return encode

def make_touched(cls):
    def touched(entries):
        found = []
        for entry in entries:
            thing, {variables} = entry
            if type(thing) is cls:
                fields = thing.__dict__  # dictionary
                try:
                    if {same}:
                        continue
                except {missing}:
                    pass
            found.append(entry)
        return found
    return touched

def make_put_back(cls):
    def put_back(entry):
        thing, {variables} = entry
        if type(thing) is not cls:
            set_field(thing, "__class__", cls)
        fields = thing.__dict__  # dictionary
        {places} = {variables}
        if len(fields) != {count}:  # dictionary
            for name in [name for name in fields if name not in NAMES]:  # dictionary
                del fields[name]  # dictionary
    return put_back

def make_fill(cls):
    def fill(thing, values):
        fields = thing.__dict__  # dictionary
        {places} = values
    return fill
"""

WRITE = """\
        if v{0} is None:
            write(0)
        elif (code := code_of(id(v{0}))) is not None:
            write(code)
        else:
            meet(v{0})
"""


def _text(names: tuple[str, ...], *, slots: bool) -> str:
    places = [f"thing.{name}" if slots else f"fields[{name!r}]" for name in names]
    same = [f"{place} is v{number}" for number, place in enumerate(places)]
    template = [line for line in TEMPLATE.splitlines() if not slots or not line.endswith("# dictionary")]
    return "\n".join(template).format(
        count=len(places),
        missing="AttributeError" if slots else "KeyError",
        variables=", ".join(f"v{number}" for number in range(len(places))) + ",",
        places=", ".join(places) + ",",
        reads="\n            ".join(f"v{number} = {place}" for number, place in enumerate(places)),
        same=" and ".join(same if slots else [f"len(fields) == {len(places)}", *same]),
        writes="".join(WRITE.format(number) for number in range(len(places))).strip(),
    )


def has_all(code: Code, values: Any) -> bool:
    """Tell whether these are the values of all the fields the code knows."""
    return len(values) == len(code.names) and id(ABSENT) not in map(id, values)


# -- from a graph of plain objects to its canonical bytes, in one pass without detours ----------------------


class ClassPlan(NamedTuple):
    """What the pass needs to know about a class."""

    encode: Encode
    number: int
    most: int  # the byte of the first node that could be one too many
    beyond: Outside  # what is said of one object too many


class NotPlainError(Exception):
    """Something in the graph is left to the general walk; with an argument, the graph is outside the limits."""


class PlainWalk:
    """The pass for one table, as long as its graphs are plain."""

    def __init__(self) -> None:
        self.kinds: dict[type, ClassPlan] = {}
        self.misses = 0

    def walk(self, roots: Sequence[object], bounded: bool) -> bytes | Outside | None:
        """Return the bytes of the graph, or why it is outside the limits, or None if it is not plain."""
        if len(roots) >= FIRST_NODE:
            return None
        out, numbers = bytearray(), bytearray()
        codes, order, encoders = SMALL.copy(), list[Any](), list[Encode]()
        write, code_of, kind_of = out.append, codes.get, self.kinds.get
        join, join_encoder, join_number = order.append, encoders.append, numbers.append

        def meet(value: Any) -> None:
            # numbers and writes an object that is met for the first time
            kind = kind_of(type(value))
            code = len(order) + FIRST_NODE
            if kind is None or code > LAST_NODE:
                raise NotPlainError
            encode, number, most, outside = kind
            if code >= most and bounded and numbers.count(number) >= most - FIRST_NODE:
                raise NotPlainError(outside)
            join(value)
            join_encoder(encode)
            join_number(number)
            codes[id(value)] = code
            write(code)

        try:
            for root in roots:
                code = code_of(id(root))
                meet(root) if code is None else write(code)
            for thing, encode in zip(order, encoders, strict=True):  # both grow while we walk
                if not encode(thing, code_of, write, meet):
                    return None
        except NotPlainError as stop:
            return stop.args[0] if stop.args else None
        return bytes((len(order), *numbers, len(roots))) + out  # each of them takes one byte

    def learn(self, layouts: Mapping[type, Node]) -> None:
        """Take in the classes that have code by now; called after a graph that was not plain."""
        self.misses += 1
        for cls, layout in layouts.items():
            if cls not in self.kinds and layout.code is not None and layout.number < FIRST_NODE:
                self.kinds[cls] = ClassPlan(layout.code.encode, layout.number, layout.most + FIRST_NODE, beyond(layout))


def beyond(layout: Node) -> Outside:
    """Return what is said of an object beyond the limit of its class."""
    return Outside(f"{layout.most + 1} objects of class {layout.cls.__name__}, of at most {layout.most}")


# -- and back -----------------------------------------------------------------------------------------------


def remake_plain(layouts: Sequence[Layout], state: bytes) -> tuple[list[Any], Groups] | None:
    """Return fresh roots with the state, and all objects with their values; None for a graph that is not plain.

    Nothing of the user's runs, so the graph certainly has the state.
    """
    count = state[0]
    numbers = state[1 : count + 1]
    if count >= LARGER - 1 or max(numbers, default=LARGER) >= LARGER:
        return None
    chosen: list[Any] = [layouts[number] for number in numbers]
    groups: dict[int, tuple[Code, list[Entry]]] = {}
    for number in set(numbers):
        code = getattr(layouts[number], "code", None)
        if code is None:
            return None
        groups[number] = (code, [])
    made = [layout.maker(layout.cls) for layout in chosen]
    values = {**VALUES, **dict(zip(range(FIRST_NODE, 255), made, strict=False))}
    try:
        return _fill_objects(values, state, numbers, groups, made)
    except KeyError:  # a value of more than one byte
        return None


def _fill_objects(
    values: dict[int, object],
    state: bytes,
    numbers: bytes,
    groups: dict[int, tuple[Code, list[Entry]]],
    made: list[Any],
) -> tuple[list[Any], Groups] | None:
    """Give the objects their values and return the roots and the groups, unless some object has other fields."""
    value_of = values.__getitem__
    begin = len(numbers) + 2
    position = begin + state[begin - 1]
    roots = [*map(value_of, state[begin:position])]
    for number, thing in zip(numbers, made, strict=True):
        code, entries = groups[number]
        size = len(code.names)
        if code.counted:
            if state[position] != size:
                return None
            position += 1
        held = [*map(value_of, state[position : position + size])]
        position += size
        code.fill(thing, held)
        entries.append((thing, *held))
    return (roots, [*groups.values()]) if position == len(state) else None
