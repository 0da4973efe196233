"""The table of what is pinned: command lines as a user types them, over the examples and a few files of our own.

A line of the table is a name, the words after `unlike`, the files that lie in the folder it runs in (beside `examples/`),
and the commands that come before it there. `steady` says that the same is said each time; of the others only the exit code
and the names of written files are pinned. `alone` asks for a process of its own.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

SHOP = {"shop.py": "shop.py"}
CART = {"cart.py": "cart.py"}
ORDER = {"order.json": "order.json", "schemas/item.json": "item.json"}
PETS = {"pets.yaml": "pets.yaml"}
ITEMS = {"items.iorek": "items.iorek", "primitives.py": "primitives.py"}
SEVERAL = {"several.iorek": "several.iorek"}
BLANKS = SHOP | {"test_shop.py": "blanks.py"}
SAVED = SHOP | CART | {"test_saved.py": "saved_blanks.py"}

STRUCTURES = "examples.structures"
TREE = f"{STRUCTURES}.binary_search_tree:BinarySearchTree"
BUGGY_TREE = f"{STRUCTURES}.binary_search_tree:BuggyBinarySearchTree"
RED_BLACK = f"{STRUCTURES}.red_black_tree:RedBlackTree"
CHAIN = f"{STRUCTURES}.sorted_chain:SortedChain"
RING = f"{STRUCTURES}.doubly_linked_ring:DoublyLinkedRing"
CACHING = f"{STRUCTURES}.node_caching_linked_list:NodeCachingLinkedList"
CACHE = f"{STRUCTURES}.lru_cache:BuggyLRUCache"
LIBRARY = "--openapi examples/specs/library.yaml"
CONTACT = "examples/specs/contact.json"
NAME = r"((Ms|Mr|Mrs|Dr)\s+)?[A-Z][a-z]+\s+([A-Z][a-z]+\s+)?[A-Z][a-z]+\s+(Jr|Sr)?"


@dataclass(frozen=True)
class Command:
    """Something to run, by name."""

    name: str
    words: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    before: tuple[tuple[str, ...], ...] = ()
    steady: bool = True
    alone: bool = False
    call: str = "unlike.cli:main"


def _lines(prefix: str, lines: Mapping[str, str], files: Mapping[str, str] | None = None) -> Iterable[Command]:
    """Yield a command for each name and line, all in a folder with the same files."""
    for name, line in lines.items():
        yield Command(f"{prefix}-{name}", tuple(shlex.split(line)), files or {})


def _after(name: str, lines: list[str], files: Mapping[str, str] | None = None) -> Command:
    """Return a command that runs after others in the same folder."""
    *before, last = (tuple(shlex.split(line)) for line in lines)
    return Command(name, last, files or {}, tuple(before))


SPECS = [
    *_lines(
        "spec",
        {
            "json": "generate shop:items",
            "all": "generate shop:items --all",
            "all-table": "generate shop:items --all --format table",
            "jsonl": "generate shop:items -n 4 --format jsonl",
            "python": "generate shop:nested -n 4 --format python",
            "file": "generate shop:items -n 3 -o items.json",
            "python-file": "generate shop:nested -n 3 --format python -o nested.py",
            "count": "generate shop:items --count",
            "explain": "generate shop:items -n 6 --explain",
            "seed": "generate shop:items -n 5 --seed 7",
            "in-process": "generate shop:checked --in-process",
            "tied": "generate shop:tied --all --format jsonl",
            "tied-explain": "generate shop:tied -n 3 --explain",
            "tied-count": "generate shop:tied --count",
            "words": "generate shop:words -n 5",
            "words-explain": "generate shop:words -n 2 --explain",
            "nested": "generate shop:nested --all",
            "nested-explain": "generate shop:nested -n 2 --explain",
            "ready": "generate shop:ready -n 4",
            "ready-table": "generate shop:ready -n 4 --format table",
            "covered": "generate shop:covered --all --format table",
            "covered-explain": "generate shop:covered --explain",
            "related": "generate shop:related --all",
            "related-explain": "generate shop:related --explain",
            "checked": "generate shop:checked --all",
            "checked-count": "generate shop:checked --count",
            "apart": "generate shop:apart --all",
            "failing": "generate shop:failing --all",
            "nothing": "generate shop:nothing",
            "nothing-count": "generate shop:nothing --count",
            "nothing-explain": "generate shop:nothing --explain",
            "both": "generate shop:both",
            "both-jsonl": "generate shop:both -n 2 --format jsonl",
            "both-python": "generate shop:both -n 2 --format python",
            "both-count": "generate shop:both --count",
            "outline": "generate shop:both --spec second",
            "file-py": "generate shop.py:items -n 2",
            "loop": "generate shop:tied -n 3 --encoding loop",
            "distinct": "generate shop:related -n 3 --encoding distinct --explain",
            "distinct-refused": "generate shop:tied -n 3 --encoding distinct",
            "all-at-once": "generate shop:tied -n 3 --encoding all-at-once",
            "forall": "generate shop:tied -n 3 --encoding forall",
            "cvc5": "generate shop:tied -n 3 --encoding loop --solver cvc5 --explain",
            "effort": "generate shop:related -n 3 --effort 0.5",
        },
        SHOP,
    ),
    *_lines(
        "example",
        {
            "demo": "generate examples.calendar_events:calendar -n 100 --format table",
            "calendar-explain": "generate examples.calendar_events:calendar -n 3 --explain",
            "calendar-count": "generate examples.calendar_events:calendar --count",
            "retail": "generate examples.retail:items -n 12 --format jsonl",
            "retail-count": "generate examples.retail:items --count",
            "usernames": "generate examples.usernames:usernames",
            "usernames-outline": "generate examples.usernames:usernames --spec lengths --explain",
            "products": "generate examples.products:products",
            "products-explain": "generate examples.products:products -n 2 --explain",
            "prefer-small": "generate examples.prefer_small:numbers --all --format jsonl",
        },
    ),
]

TYPES = [
    *_lines(
        "type",
        {
            "room": "generate shop:Room",
            "room-pairs": "generate shop:Room --cover pairs",
            "room-all": "generate shop:Room --cover all --format jsonl",
            "room-python": "generate shop:Room -n 12 --format python",
            "room-table": "generate shop:Room --format table",
            "room-count": "generate shop:Room --count",
            "room-pairs-count": "generate shop:Room --cover pairs --count",
            "room-explain": "generate shop:Room --cover pairs --explain",
            "room-invalid": "generate shop:Room --invalid",
            "room-invalid-jsonl": "generate shop:Room --invalid --format jsonl",
            "room-file": "generate shop:Room -o rooms.json",
            "room-in-process": "generate shop:Room --in-process",
            "room-seed": "generate shop:Room --seed 5",
            "price": "generate shop:Price",
            "price-all": "generate shop:Price --all --format jsonl",
            "price-invalid": "generate shop:Price --invalid",
            "order": "generate shop:Order",
            "order-python": "generate shop:Order --cover pairs --format python",
            "order-explain": "generate shop:Order --explain",
            "order-invalid": "generate shop:Order --invalid --explain",
            "row": "generate shop:Row --cover all",
            "row-invalid": "generate shop:Row --invalid",
            "point": "generate shop:Point --all --format python",
            "point-invalid": "generate shop:Point --invalid",
            "size": "generate shop:Size --all",
            "choice": "generate shop:choice --all --explain",
            "choice-invalid": "generate shop:choice --invalid",
            "dict": "generate shop:pairs --cover pairs --format python",
            "dict-count": "generate shop:pairs --count --all",
            "plain-class": "generate shop:Tree",
            "contact": "generate examples.contacts:Contact",
            "contact-pairs": "generate examples.contacts:Contact --cover pairs",
            "contact-invalid": "generate examples.contacts:Contact --invalid",
            "contact-explain": "generate examples.contacts:Contact --cover pairs --explain --format jsonl -o contacts.jsonl",
            "contact-many": "generate examples.contacts:Contact -n 100 --format python",
            "contact-count": "generate examples.contacts:Contact --cover all --count",
        },
        SHOP,
    )
]

PATTERNS = [
    *_lines(
        "regex",
        {
            "user": "generate --regex '[a-zA-Z0-9_]+' --check",
            "name": f"generate --regex '{NAME}'",
            "name-count": f"generate --regex '{NAME}' --count",
            "name-pairs": f"generate --regex '{NAME}' --cover pairs",
            "name-each": f"generate --regex '{NAME}' --cover each --format table",
            "name-python": f"generate --regex '{NAME}' -n 5 --format python",
            "name-json": f"generate --regex '{NAME}' -n 5 --format json -o names.json",
            "digits-invalid": r"generate --regex '\d{2,3}' --invalid",
            "time-invalid": r"generate --regex '([01][0-9]|2[0-3]):[0-5][0-9]' --invalid --format table",
            "invalid-count": r"generate --regex '\d{2,3}' --invalid --count",
            "flags": "generate --regex '(a|b)c?$' --flags i --all",
            "look": r"generate --regex '(?=.*\d)[a-c\d]{2,3}(?<!c)' --check",
            "backreference": r"generate --regex '(a|bc)-\1' --all --check",
            "seed": "generate --regex '[a-z]+(x|y)*' --seed 3",
            "heuristic": "generate --regex '[a-z0-9]{1,3}' --heuristic class-as-one",
            "nothing": r"generate --regex '(?!a)a'",
            "everything-invalid": r"generate --regex '(?s:.*)' --invalid",
            "n": "generate --regex '(a|b|c)(d|e|f)' -n 4 --format jsonl",
            "strings": "strings '(a|b|c)(d|e|f)' -n 4 --check",
            "strings-json": "strings '(a|b)?c' --format json",
        },
    )
]

DOCUMENTS = [
    *_lines(
        "schema",
        {
            "contact": f"generate --schema {CONTACT}",
            "contact-pairs": f"generate --schema {CONTACT} --cover pairs",
            "contact-100": f"generate --schema {CONTACT} -n 100",
            "contact-kind": f"generate --schema '{CONTACT}#/properties/kind' --all",
            "contact-tags": f"generate --schema '{CONTACT}#/properties/tags' --all",
            "contact-tags-count": f"generate --schema '{CONTACT}#/properties/tags' --all --count",
            "contact-invalid": f"generate --schema {CONTACT} --invalid",
            "contact-as-text": f"generate --schema {CONTACT} --as-text",
            "contact-explain": f"generate --schema {CONTACT} --explain",
            "contact-json": f"generate --schema {CONTACT} -n 3 --format json",
            "contact-table": f"generate --schema {CONTACT} -n 3 --format table",
            "contact-python": f"generate --schema {CONTACT} -n 3 --format python -o contacts.py",
            "order": "generate --schema order.json --resolve https://example.com/schemas/item.json=schemas/item.json",
            "order-folder": "generate --schema order.json --resolve https://example.com/schemas=schemas --cover pairs",
            "order-invalid": "generate --schema order.json --resolve https://example.com/schemas=schemas --invalid",
            "order-unresolved": "generate --schema order.json",
            "none": "generate --schema 'order.json#/$defs/none'",
            "flag": "generate --schema 'order.json#/$defs/flag' --all --explain",
            "named": "generate order.json:flag --all",
        },
        ORDER,
    ),
    *_lines(
        "openapi",
        {
            "list": f"generate {LIBRARY}",
            "add-pairs": f"generate {LIBRARY} --operation addItem --cover pairs",
            "requests": "requests examples/specs/library.yaml",
            "requests-one": "requests examples/specs/library.yaml --operation addItem --format json",
            "post": f"generate {LIBRARY} --operation 'POST /items' -n 100",
            "find": f"generate {LIBRARY} --operation findItems --explain",
            "lend-invalid": f"generate {LIBRARY} --operation lend --invalid",
            "loan-all": f"generate {LIBRARY} --model Loan --all",
            "loan": f"generate {LIBRARY} --model Loan",
            "loan-as-text": f"generate {LIBRARY} --model Loan --as-text",
            "item-json": f"generate {LIBRARY} --model Item --format json",
            "item-python": f"generate {LIBRARY} --model Item --format python -o items.py",
            "item-count": f"generate {LIBRARY} --model Item --cover all --count",
            "model-by-file": "generate examples/specs/library.yaml:Book",
            "swagger": "generate --openapi pets.yaml",
            "swagger-operation": "generate --openapi pets.yaml --operation putPet",
            "swagger-invalid": "generate --openapi pets.yaml --operation putPet --invalid --format table",
            "unknown-operation": f"generate {LIBRARY} --operation lendd",
            "unknown-model": f"generate {LIBRARY} --model Bok",
        },
        PETS,
    ),
    *_lines(
        "input-spec",
        {
            "time": "generate examples/specs/calendar.json:time",
            "meeting": "generate examples/specs/calendar.json:Meeting --explain",
            "meeting-python": "generate examples/specs/calendar.json:Meeting -n 3 --format python",
            "several": "generate examples/specs/calendar.json",
        },
    ),
]

PROGRAMS = [
    *_lines(
        "program",
        {
            "calendar": "generate examples/calendar.iorek --format jsonl",
            "calendar-count": "generate examples/calendar.iorek --count",
            "calendar-explain": "generate examples/calendar.iorek -n 2 --explain",
            "calendar-laid-out": "program examples/calendar.iorek",
            "of-spec": "program examples.retail:items",
            "of-specs": "program examples.usernames:usernames -o usernames.iorek",
            "of-products": "program examples.products:products",
            "of-predicate": "program shop:checked",
            "of-nested": "program shop:nested",
        },
        SHOP,
    ),
    *_lines(
        "program-items",
        {
            "generate": "generate items.iorek --with primitives",
            "without": "generate items.iorek",
            "laid-out": "program items.iorek --with primitives.py",
            "write": "program items.iorek --with primitives --write",
        },
        ITEMS,
    ),
    *_lines(
        "program-several",
        {
            "generate": "generate several.iorek",
            "outline": "generate several.iorek --spec second --format table",
            "python": "generate several.iorek --format python",
            "laid-out": "program several.iorek -o laid_out.iorek",
        },
        SEVERAL,
    ),
]

EXPLORATIONS = [
    *_lines(
        "explore",
        {
            "text": f"explore {TREE}",
            "directory": f"explore {TREE} --scope 3 -o tests/generated",
            "directory-every": f"explore {TREE} --scope 2 --all --format pytest -o generated",
            "directory-json": f"explore {TREE} --scope 2 --format json -o generated",
            "pytest": f"explore {TREE} --scope 2 --format pytest",
            "json": f"explore {TREE} --scope 2 --format json",
            "jsonl": f"explore {TREE} --scope 2 --format jsonl",
            "jsonl-directory": f"explore {TREE} --scope 2 --format jsonl -o generated",
            "quiet": f"explore {TREE} --scope 2 -o generated -q",
            "list-api-json": f"explore {TREE} --list-api --format json",
            "count": f"explore {TREE} --scope 4 --count",
            "explain": f"explore {TREE} --explain",
            "list-api": f"explore {TREE} --list-api",
            "list-api-methods": f"explore {CACHING} --list-api --methods 'add.*|remove_index' --invariant rep_ok",
            "concrete": f"explore {TREE} --values concrete --explain",
            "symbolic": f"explore {TREE} --values symbolic --explain",
            "symbolic-large": f"explore {TREE} --scope 5 --values symbolic --methods 'insert|remove'",
            "symbolic-json": f"explore {TREE} --scope 2 --values symbolic --format json",
            "in-process": f"explore {TREE} --in-process --explain",
            "workers": f"explore {TREE} --workers 2 --explain",
            "workers-concrete": f"explore {TREE} --workers 2 --values concrete --scope 4",
            "random": f"explore {TREE} --random --attempts 60 --seed 4",
            "random-json": f"explore {TREE} --random --attempts 30 --format jsonl",
            "no-state-matching": f"explore {TREE} --scope 2 --no-state-matching --calls 3",
            "calls": f"explore {TREE} --calls 2 --explain",
            "one-per-shape": f"explore {TREE} --scope 4 --methods insert --one-per-shape --format pytest",
            "boundary": f"explore {TREE} --scope 4 --methods insert --boundary",
            "sample": f"explore {TREE} --scope 4 --sample 5 --seed 2",
            "at": f"explore {TREE} --scope 4 --at 7 --format jsonl",
            "fields": f"explore {TREE} --scope 4 --fields",
            "fields-json": f"explore {TREE} --scope 3 --fields --format jsonl",
            "literals": f"explore {TREE} --literals int=1,5 --objects Node=2 --elements 2 --explain",
            "omit-fields": f"explore {TREE} --omit-fields 'size|key' --explain",
            "memory": f"explore {TREE} --scope 2 --memory 500 --explain",
            "builders-auto": f"explore {RED_BLACK} --scope 3 --builders auto",
            "buggy-tree": f"explore {BUGGY_TREE} --invariant rep_ok --scope 4 --methods 'insert|remove'",
            "buggy-cache": f"explore {CACHE} --invariant rep_ok --scope 2",
            "buggy-cache-directory": f"explore {CACHE} --invariant rep_ok --scope 2 -o generated",
            "ring": f"explore {RING} --scope 2 --explain",
            "caching": f"explore {CACHING} --scope 2 --methods 'add_last|remove_index'",
            "caching-count": f"explore {CACHING} --scope 9 --methods 'add_last|remove_index' --count",
            "map": f"explore {STRUCTURES}.hash_map:HashMap --scope 2 --any-dict-order",
            "scheduler": f"explore {STRUCTURES}.scheduler:Scheduler --scope 3 --methods 'add_process|block_process' --explain",
            "union-find": f"explore {STRUCTURES}.union_find:UnionFind --scope 3",
            "binomial-heap": f"explore {STRUCTURES}.binomial_heap:BinomialHeap --scope 2 --format pytest",
        },
    ),
    *_lines(
        "explore-cart",
        {
            "text": "explore cart:Cart cart:Item --scope 2",
            "invariant": "explore cart:Cart cart:Item --scope 2 --invariant rep_ok --explain",
            "alone": "explore cart:Cart --scope 2 --explain",
            "directory": "explore cart:Cart cart:Item --scope 2 --invariant rep_ok -o generated",
            "precondition": "explore cart:Cart cart:Item --scope 2 --precondition IndexError",
            "no-precondition": "explore cart:Cart cart:Item --scope 2 --precondition none --precondition KeyError",
            "leaving": "explore cart:Leaving",
            "leaving-pytest": "explore cart:Leaving --format pytest",
            "leaving-workers": "explore cart:Leaving --workers 2 --explain",
            "chain": "explore cart:Chain --scope 3 --invariant rep_ok --format jsonl",
            "symbolic-leaving": "explore cart:Leaving --values symbolic",
        },
        CART,
    ),
    Command("explore-dice", ("explore", "cart:Dice", "--calls", "2"), CART, steady=False),
    Command("explore-timeout", tuple(f"explore {CACHING} --scope 30 --timeout 0.2 --count".split()), steady=False),
    _after(
        "explore-builders-file",
        [
            f"builders {RED_BLACK} --scope 3 -o tree.json",
            f"explore {RED_BLACK} --scope 4 --builders tree.json --count",
        ],
    ),
    _after("explore-config", ["explore cart:Chain --config settings.toml"], CART | {"settings.toml": "settings.toml"}),
]

BUILDERS = [
    *_lines(
        "builders",
        {
            "text": f"builders {RED_BLACK}",
            "scope-4": f"builders {RED_BLACK} --scope 4",
            "explain": f"builders {TREE} --explain",
            "json": f"builders {TREE} --scope 2 --format json",
            "file": f"builders {TREE} --scope 2 -o builders.json",
            "text-file": f"builders {TREE} --scope 2 --format text -o builders.txt",
            "genetic": f"builders {TREE} --scope 2 --search genetic --seed 3 --evolutions 5 --population 10",
            "in-process": f"builders {CHAIN} --scope 3 --in-process",
            "methods": f"builders {CACHING} --scope 2 --methods 'add.*|remove_index|clear'",
            "cart": "builders cart:Cart cart:Item --scope 2 --explain",
            "budget": f"builders {TREE} --scope 3 --budget 20",
        },
        CART,
    )
]

INVARIANTS = [
    *_lines(
        "structures",
        {
            "text": f"structures {TREE} --scope 3",
            "red-black": f"structures {RED_BLACK} --scope 4",
            "count": f"structures {TREE} --scope 6 --count",
            "explain": f"structures {TREE} --scope 3 --explain",
            "list-fields": f"structures {RED_BLACK} --list-fields",
            "json": f"structures {TREE} --scope 2 --format json",
            "jsonl": f"structures {TREE} --scope 2 --format jsonl",
            "pytest": f"structures {TREE} --scope 2 --format pytest",
            "directory": f"structures {CHAIN} --scope 2 -o generated",
            "first": f"structures {TREE} --scope 4 -n 5 --format jsonl",
            "search": f"structures {RING} --scope 3 --engine search",
            "hybrid": f"structures {RING} --scope 3 --engine hybrid --explain",
            "korat": f"structures {RING} --scope 3 --engine korat --explain",
            "in-process": f"structures {TREE} --scope 2 --in-process --explain",
            "all-labels": f"structures {TREE} --scope 2 --all-labels --count",
            "field": f"structures {TREE} --scope 2 --field Node.key=5..7 --field BinarySearchTree.size=0,1",
            "other-invariant": f"structures {CACHING} --scope 2 --invariant rep_ok_original",
            "chain": "structures cart:Chain --scope 3 --format jsonl",
            "raising": "structures cart:Twisted --scope 3 --explain",
        },
        CART,
    ),
    *_lines(
        "compare",
        {
            "red-black": f"compare {RED_BLACK} --scope 3",
            "caching": f"compare {CACHING} --scope 2 --invariant rep_ok_original",
            "buggy-tree": f"compare {BUGGY_TREE} --scope 3",
            "tree": f"compare {TREE} --scope 2",
            "json": f"compare {RED_BLACK} --scope 2 --format json",
            "file": f"compare {RED_BLACK} --scope 2 --format json -o compared.json",
            "methods": f"compare {TREE} --scope 2 --methods insert",
            "in-process": f"compare {TREE} --scope 2 --in-process",
            "chain": "compare cart:Chain --scope 3",
            "twisted": "compare cart:Twisted --scope 2",
        },
        CART,
    ),
    *_lines(
        "fields",
        {
            "tree": f"fields {TREE} --scope 5",
            "red-black": f"fields {RED_BLACK} --scope 4",
            "explain": f"fields {TREE} --scope 3 --explain",
            "count": f"fields {TREE} --scope 4 --count",
            "bounds": f"fields {TREE} --scope 3 --format bounds",
            "json": f"fields {CHAIN} --scope 2 --format json",
            "jsonl": f"fields {CHAIN} --scope 3 --format jsonl",
            "pytest": f"fields {CHAIN} --scope 2 --format pytest",
            "directory": f"fields {CHAIN} --scope 2 -o generated",
            "only": f"fields {TREE} --scope 3 --only left --only Node.right",
            "smallest": f"fields {CHAIN} --scope 3 --smallest",
            "depth-first": f"fields {RING} --scope 3 --numbering depth-first",
            "search": f"fields {TREE} --scope 3 --engine search",
            "clauses": f"fields {TREE} --scope 3 --engine clauses --explain",
            "in-process": f"fields {TREE} --scope 2 --in-process",
            "of-objects": "fields cart:Chain --scope 3 --of cart:chains",
            "chain": "fields cart:Chain --scope 3 --explain",
            "raising": "fields cart:Twisted --scope 2 --explain",
            "spec": "fields shop:tied",
        },
        CART | SHOP,
    ),
    _after(
        "fields-of-file",
        [
            f"explore {TREE} --scope 2 --format json -o trees",
            f"fields {TREE} --scope 3 --of trees/BinarySearchTree.json",
        ],
    ),
]

PREPARED = [
    _after("prepare", ["prepare test_shop.py"], BLANKS),
    _after("prepare-n", ["prepare test_shop.py", "prepare test_shop.py -n 2"], BLANKS),
    _after("prepare-again", ["prepare test_shop.py -n 2", "prepare test_shop.py --regenerate --prune"], BLANKS),
    _after("prepare-refused", ["prepare test_nothing.py"], {"test_nothing.py": "refused_blanks.py"}),
    _after("prepare-no-tests", ["prepare shop.py"], SHOP),
    _after("prepare-fingerprints", ["prepare test_saved.py"], SAVED),
]

REFUSED = [
    *_lines(
        "refused",
        {
            "command": "genrate shop:items",
            "no-target": "generate",
            "form": "generate items",
            "module": "generate shp:items",
            "name": "generate shop:itms",
            "object": "generate shop:answer",
            "outline": "generate shop:both --spec secnd",
            "n": "generate shop:items -n 0",
            "n-and-all": "generate shop:items -n 3 --all",
            "seed": "generate shop:items --seed x",
            "option": "generate shop:items --cuont",
            "format": "generate shop:items --format xml",
            "cover": "generate shop:items --cover pairs",
            "encoding": "generate shop:Room --encoding loop",
            "solver": "generate shop:tied --encoding loop --solver no-such-solver",
            "output": "generate shop:items -o out/items.json",
            "output-in-file": "generate shop:items -o shop.py/items.json",
            "regex": "generate --regex '(a'",
            "regex-flags": "generate --regex a --flags q",
            "regex-heuristic": "generate --regex a --heuristic bests",
            "two-targets": "generate shop:items --regex a",
            "schema": "generate --schema missing.json",
            "schema-pointer": f"generate --schema '{CONTACT}#/properties/knd'",
            "openapi": f"generate --openapi {CONTACT}",
            "operation-alone": "generate shop:items --operation lend",
            "program": "generate wrong.iorek",
            "program-laid-out": "program wrong.iorek",
            "program-missing": "program missing.iorek",
            "explore-class": "explore cart:Crt",
            "explore-object": "explore shop:answer",
            "explore-scope": "explore cart:Cart --scope 0",
            "explore-methods": "explore cart:Chain --methods '('",
            "explore-no-method": "explore cart:Chain --methods nothing",
            "explore-invariant": "explore cart:Chain --invariant rep_okay",
            "explore-literals": "explore cart:Cart cart:Item --literals int=a..b",
            "explore-objects": "explore cart:Chain --objects Lnk=2",
            "explore-matching": "explore cart:Chain --no-state-matching",
            "explore-workers": "explore cart:Chain --in-process --workers 2",
            "explore-fields-symbolic": "explore cart:Chain --fields --values symbolic",
            "explore-builders": "explore cart:Chain --builders missing.json",
            "explore-output": "explore cart:Chain -o cart.py",
            "explore-precondition": "explore cart:Chain --precondition NoError",
            "structures-invariant": "structures cart:Cart --invariant rep_okay",
            "structures-field": "structures cart:Chain --field Link.vlue=1",
            "fields-only": "fields cart:Chain --only nothing",
            "fields-of": "fields cart:Chain --of missing.json",
            "compare-no-invariant": "compare cart:Item",
            "prepare-path": "prepare missing",
        },
        SHOP | CART | {"wrong.iorek": "wrong.iorek"},
    )
]

BESIDES = [
    Command("options", (), call="tests.golden.options:main"),
    Command("modules-import", (), alone=True, call="tests.golden.modules:main"),
    *(
        Command(f"modules-{name}", tuple(line.split()), SHOP | CART, alone=True, call="tests.golden.modules:main")
        for name, line in {
            "spec": "generate shop:items",
            "type": "generate shop:Room",
            "regex": "generate --regex a|b",
            "schema": f"generate --schema {CONTACT}",
            "explore": "explore cart:Chain",
            "help": "--help",
        }.items()
    ),
    *(
        Command(f"odd-{target.replace(':', '-').lower()}", (target,), call="tests.golden.explorations:main")
        for target in (
            *("minefield:Loud", "minefield:Keyed", "minefield:Fragile"),
            *("keepers:Twig", "keepers:Area", "keepers:Turns"),
            *("sharers:Shelf", "sharers:Amphibian"),
            *("curiosities:Pages", "curiosities:Cat"),
            *("specimens:Pile", "specimens:Everything", "specimens:Failing", "specimens:Registered"),
        )
    ),
]

_EVERY = [*SPECS, *TYPES, *PATTERNS, *DOCUMENTS, *PROGRAMS, *EXPLORATIONS, *BUILDERS, *INVARIANTS, *PREPARED, *REFUSED]
COMMANDS = {command.name: command for command in [*_EVERY, *BESIDES]}
assert len(COMMANDS) == len(_EVERY) + len(BESIDES), "every command has a name of its own"
