"""A few items from every subcategory of a shop: a difference that follows a tree.

`cover_products` walks the product tree and nests one `enumerate*` inside the other. Two items are different if they
lie in different subcategories, or in the same one with prices far enough apart.
"""

from dataclasses import dataclass

from unlike import Int, OneOf, Spec, distance, enumerate_
from unlike.language.differences import Difference


@dataclass(frozen=True)
class Subcategory:
    """A leaf of the tree."""

    name: str


@dataclass(frozen=True)
class Category:
    """A node of the tree: a category, or the root."""

    name: str
    parts: tuple["Category | Subcategory", ...]


TREE = Category(
    "everything",
    (
        Category("Music", (Subcategory("Vinyl"), Subcategory("Sheet music"), Subcategory("Strings"))),
        Category("Shoes", (Subcategory("Boots"), Subcategory("Sandals"))),
        Subcategory("Gift cards"),
    ),
)


def cover_products(tree: Category | Subcategory) -> Difference:
    """Return the difference of items that covers the tree."""
    match tree:
        case Category(parts=parts):
            return enumerate_([True for _ in parts], [cover_products(part) for part in parts])
        case Subcategory(name):
            return enumerate_([lambda subcategory: subcategory == name], [distance("price", 300)])


def subcategories(tree: Category | Subcategory) -> list[str]:
    """Return the names of the leaves."""
    match tree:
        case Category(parts=parts):
            return [name for part in parts for name in subcategories(part)]
        case Subcategory(name):
            return [name]


products = Spec(
    {"subcategory": OneOf(*subcategories(TREE)), "price": Int(1, 999)},
    different=cover_products(TREE),
    name="products",
    n=24,
)
