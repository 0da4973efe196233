"""From the fields of a class to code that writes, compares and fills its instances, one line for each field.

A loop over names or descriptors costs more than what it does. So the lines are written out, once for each sequence of
names, and made into functions for each class. They work on instances that have exactly these fields, and say no to any
other. They run no code of the user's: fields in the instance dictionary are asked of that dictionary, slots are
reached by name only where the class defines nothing that could interfere.
"""

from __future__ import annotations

import functools
import keyword
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from unlike.heap.fields import ABSENT, Fields, is_plainly_read

MOST_FIELDS = 40  # of a class that has code of its own; more take long to compile, and are rare
WARM = 8  # objects of a class that are met before code is made for it: that takes as long as some hundred objects

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
    if not usable or not 1 <= len(names) <= MOST_FIELDS or not _is_plainly_written(cls):
        return None
    if hasattr(cls, "__del__"):  # objects are made before all values are known to be plain, and then dropped unfilled
        return None
    makers = _makers(names, fields.dictionary is None)
    return Code(names, fields.dictionary is not None, *(make(cls) for make in makers))


def _is_plainly_written(cls: type) -> bool:
    """Tell whether setting an attribute of an instance runs no code of the class."""
    written: object = cls.__setattr__
    return written is object.__setattr__


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
