"""Pairs of versions: what the first and the second say, the calls that tell them apart, and what each came to."""

from __future__ import annotations

HEAD = "class Cart:\n"
INIT = "    def __init__(self) -> None:\n        self._items: list[int] = []\n"
ADD = "    def add(self, item: int) -> None:\n        self._items.append(item)\n"
CART = HEAD + INIT + ADD
TOTAL = "    def total(self) -> int:\n        return sum(self._items)\n"
POP = "    def pop(self) -> int:\n        return self._items.pop()\n"

# old, new, sequence, what the old one did, what the new one did
DIFFERENT: dict[str, tuple[str, str, str, str, str]] = {
    "another answer": (
        CART + TOTAL,
        CART + TOTAL.replace("sum(self._items)", "sum(self._items[:2])"),
        "Cart(); add(0); add(0); add(1); total()",
        "returned 1",
        "returned 0",
    ),
    "another exception": (
        CART + POP,
        CART + POP.replace("return", "if not self._items: raise KeyError('empty')\n        return"),
        "Cart(); pop()",
        "raised IndexError: pop from empty list",
        "raised KeyError: 'empty'",
    ),
    "an exception instead of an answer": (
        CART + TOTAL,
        CART + TOTAL.replace("return", "if not self._items: raise ValueError('empty')\n        return"),
        "Cart(); total()",
        "returned 0",
        "raised ValueError: empty",
    ),
    "another type of answer": (
        CART + TOTAL,
        CART + TOTAL.replace("sum(self._items)", "float(sum(self._items))"),
        "Cart(); total()",
        "returned 0",
        "returned 0.0",
    ),
    "a public attribute": (
        CART.replace("self._items: list[int] = []", "self._items: list[int] = []; self.size = 0"),
        CART.replace("self._items: list[int] = []", "self._items: list[int] = []; self.size = 1"),
        "Cart()",
        "left size = 0",
        "left size = 1",
    ),
    "a property": (
        CART + "    @property\n    def size(self) -> int:\n        return len(self._items)\n",
        CART + "    @property\n    def size(self) -> int:\n        return len(set(self._items))\n",
        "Cart(); add(0); add(0)",
        "left size = 2",
        "left size = 1",
    ),
    "a text": (
        CART + "    def __repr__(self) -> str:\n        return f'Cart({self._items})'\n",
        CART + "    def __repr__(self) -> str:\n        return f'Cart({sorted(self._items)})'\n",
        "Cart(); add(1); add(0); __repr__()",
        "returned 'Cart([1, 0])'",
        "returned 'Cart([0, 1])'",
    ),
    "a comparison": (
        CART + "    def __eq__(self, other: object) -> bool:\n        return self._items == other._items\n",
        CART + "    def __eq__(self, other: object) -> bool:\n        return len(self._items) == len(other._items)\n",
        "Cart(); #1.add(0); Cart(); #3.add(1); #1.__eq__(#3)",
        "returned False",
        "returned True",
    ),
    "the items of an iterator": (
        CART + "    def __iter__(self):\n        return iter(self._items)\n",
        CART + "    def __iter__(self):\n        yield from reversed(self._items)\n",
        "Cart(); add(0); add(1); __iter__()",
        "returned iterator(0, 1)",
        "returned iterator(1, 0)",
    ),
    "an object that is returned": (
        CART + TOTAL + "    def copy(self) -> 'Cart':\n        made = Cart(); made._items = list(self._items)\n        return made\n",
        CART + TOTAL + "    def copy(self) -> 'Cart':\n        made = Cart(); made._items = self._items[:1]\n        return made\n",
        "Cart(); #1.add(0); #1.add(1); #1.copy(); #4.total()",
        "returned 1",
        "returned 0",
    ),
    "the object itself": (
        CART.replace("self._items.append(item)", "self._items.append(item); return self"),
        CART,
        "Cart(); add(0)",
        "returned the object itself",
        "returned None",
    ),
    "a process that ends": (
        CART + POP,
        CART + "    def pop(self) -> int:\n        import os\n        if not self._items: os._exit(3)\n        return self._items.pop()\n",
        "Cart(); pop()",
        "raised IndexError: pop from empty list",
        "left with exit code 3",
    ),
    "an exit": (
        CART + POP,
        CART + "    def pop(self) -> int:\n        if not self._items: raise SystemExit(2)\n        return self._items.pop()\n",
        "Cart(); pop()",
        "raised IndexError: pop from empty list",
        "raised SystemExit: 2",
    ),
    "a call that never ends": (
        CART + POP,
        CART + "    def pop(self) -> int:\n        while not self._items: pass\n        return self._items.pop()\n",
        "Cart(); pop()",
        "raised IndexError: pop from empty list",
        "took more than 1 s",
    ),
}  # fmt: skip

LINKED = """
class Node:
    def __init__(self, item, after):
        self.item, self.after = item, after

class Cart:
    def __init__(self) -> None:
        self._head = None
    def add(self, item: int) -> None:
        self._head = Node(item, self._head)
    def pop(self) -> int:
        if self._head is None:
            raise IndexError("nothing is left")
        item, self._head = self._head.item, self._head.after
        return item
    def total(self) -> int:
        total, node = 0, self._head
        while node is not None:
            total, node = total + node.item, node.after
        return total
"""
CACHED = CART + POP.replace("return", "self._total = None; return").replace(
    "        self", "        if self._items: self", 1
)

SAME: dict[str, tuple[str, str]] = {
    "a list and a linked list": (CART + POP + TOTAL, LINKED),
    "formatted anew": (CART + POP, "# another comment\n" + (CART + POP).replace("\n    def", "\n\n    def")),
    "an iterator of another kind": (
        CART + "    def __iter__(self):\n        return iter(self._items)\n",
        CART + "    def __iter__(self):\n        yield from self._items\n",
    ),
    "both raise alike": (
        CART + POP,
        CART + "    def pop(self) -> int:\n        if not self._items: raise IndexError('empty')\n        return self._items.pop()\n",
    ),
    "both end their process": (
        CART + "    def stop(self) -> int:\n        import os\n        os._exit(len(self._items))\n",
        CART + "    def stop(self) -> int:\n        import os\n        os._exit(0 + len(self._items))\n",
    ),
    "an enum that is passed": (
        "import enum\nclass Kind(enum.Enum):\n    A = 1\n    B = 2\n" + CART
        + "    def put(self, kind: Kind) -> str:\n        assert kind in Kind\n        return kind.name\n",
        "import enum\nclass Kind(enum.Enum):\n    A = 1\n    B = 2\n" + CART
        + "    def put(self, kind: Kind) -> str:\n        assert isinstance(kind, Kind)\n        return 'A' if kind is Kind.A else 'B'\n",
    ),
    "a global of each": (
        "SEEN = []\n" + CART + "    def count(self) -> int:\n        SEEN[:] = [1]\n        return len(SEEN)\n",
        "SEEN = []\n" + CART + "    def count(self) -> int:\n        import shop\n        return 1 + len(shop.SEEN)\n",
    ),
}  # fmt: skip
