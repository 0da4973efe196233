"""Items of a shop: two are different if their categories differ, or if their prices are at least 50 apart."""

from unlike import Int, OneOf, Spec, Str, differs_by, distance

CATEGORIES = ("Music", "Shoes", "Books", "Garden", "Toys", "Tools", "Food", "Bags")

items = Spec(
    {
        "name": Str(r"[A-Z][a-z]{2,9}( [A-Z][a-z]{2,9})?"),
        "category": OneOf(*CATEGORIES),
        "price": Int(1, 1050),
    },
    different=[differs_by("category"), distance("price", 50)],
    name="items",
    n=100,
)
