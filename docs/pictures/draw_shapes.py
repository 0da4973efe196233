"""Draw the abstract states of a search tree: `python docs/pictures/draw_shapes.py` writes shapes.svg beside this file.

States, the order of their unknowns and the numbers of objects are those that an exploration finds; the places on the
sheet are given here.
"""

from html import escape
from pathlib import Path

from examples.structures.binary_search_tree import BinarySearchTree

from unlike import explore

WIDTH, HEIGHT = 960, 650
PLACES = [(480, 10), (480, 130), (240, 290), (720, 290), (96, 480), (288, 480), (480, 480), (672, 480), (864, 480)]
CALLS = [  # parent, child, what was asked and answered
    (0, 1, "insert(x)"),
    (1, 2, "x < a"),
    (1, 3, "x > a"),
    (2, 4, "x < b"),
    (2, 5, "b < x < a"),
    (2, 6, "x > a"),
    (3, 6, "x < a"),
    (3, 7, "a < x < b"),
    (3, 8, "x > b"),
]


def tree(node, x, y, step):
    """Yield the lines and circles of a tree whose keys are names."""
    for child, side in ((node.left, -1), (node.right, 1)):
        if child is not None:
            yield f'<line x1="{x}" y1="{y}" x2="{x + side * step}" y2="{y + 30}" class="branch"/>'
            yield from tree(child, x + side * step, y + 30, step * 0.7)
    yield f'<circle cx="{x}" cy="{y}" r="11" class="node"/>'
    yield f'<text x="{x}" y="{y + 4}" class="key">{node.key}</text>'


def named(point):
    """Return the keys of a representative as names, in the order of the slots."""
    return {value: "abcdefgh"[slot] for slot, value in enumerate(point)}


def height(place):
    """Return the height of the box at a place: a tree of one, two or three levels, and two lines of text."""
    return 50 + 30 * (0 if place == 0 else 1 if place == 1 else 2 if place < 4 or place == 6 else 3)


def state(shape, place):
    """Yield the drawing of an abstract state."""
    (x, y), size = PLACES[place], height(place)
    yield f'<rect x="{x - 80}" y="{y}" width="160" height="{size}" class="state"/>'
    values = shape.points.at(0)
    thing = next(shape.objects())
    if thing.root is not None:
        rename(thing.root, named(values))
        yield from tree(thing.root, x, y + 20, 34)
    words = shape.describe(shape.zones[0]).known or "empty"
    yield f'<text x="{x}" y="{y + size - 26}" class="order">{escape(words)}</text>'
    objects = "1 object" if shape.count() == 1 else f"{shape.count()} objects"
    yield f'<text x="{x}" y="{y + size - 9}" class="count">{objects}</text>'


def rename(node, names):
    """Put names in the place of keys."""
    if node is not None:
        node.key = names[node.key]
        rename(node.left, names)
        rename(node.right, names)


def call(parent, child, label):
    """Yield an arrow with what was answered on the way."""
    (x1, y1), (x2, y2) = PLACES[parent], PLACES[child]
    y1, y2 = y1 + height(parent), y2 - 2
    yield f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" class="call" marker-end="url(#head)"/>'
    x, y = (x1 + x2) / 2, (y1 + y2) / 2 + 4
    yield f'<text x="{x}" y="{y}" class="asked">{escape(label)}</text>'


HEAD = """<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0,0 L8,4 L0,8 z" fill="#5566cc"/></marker>"""
STYLE = """
  .state { fill: #f7f7fb; stroke: #8a8aa8; rx: 8; }
  .node { fill: #ffffff; stroke: #30304a; stroke-width: 1.5; }
  .branch { stroke: #30304a; stroke-width: 1.5; }
  .call { stroke: #5566cc; stroke-width: 1.2; }
  text { font: 13px sans-serif; text-anchor: middle; fill: #20202c; }
  .key { font: italic 13px serif; }
  .order { font: 12px monospace; }
  .count { font: 11px sans-serif; fill: #60607a; }
  .asked { font: 12px monospace; fill: #3344aa; paint-order: stroke; stroke: white; stroke-width: 5; }
"""


def drawing():
    """Return the whole sheet."""
    result = explore(BinarySearchTree, scope=3, methods="insert", literals={"int": range(5)}, values="symbolic")
    assert (len(result.shapes), result.states) == (9, 76)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}">',
        f"<style>{STYLE}</style>",
        f"<defs>{HEAD}</defs>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for parent, child, label in CALLS:
        lines += call(parent, child, label)
    for place, shape in enumerate(result.shapes):
        lines += state(shape, place)
    return "\n".join([*lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("shapes.svg").write_text(drawing())
