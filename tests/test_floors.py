"""The building stands: rooms import lower floors only, and the public face is what __all__ says."""

import ast
import functools
import importlib
import inspect
import re
import tomllib
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import unlike

SRC = Path(__file__).parent.parent / "src" / "unlike"

FLOORS = [
    {"errors", "foreign", "progress", "shared_names", "_native"},
    {"scope", "recipe", "request", "indexed", "file_limits"},
    {"suite", "saved", "chance"},
    {"core"},
    {"covering_arrays", "covering"},
    {"regex", "heap", "isolation"},
    {"language", "zones", "structure", "observe"},
    {"types"},
    {"documents", "solvers"},
    {"specs"},
    {"classes", "invariants", "typed"},
    {"compare", "field_exhaustive", "behaviour"},
    {"diff"},
    {"writers", "explore"},
    {"testing", "measure"},
    {"__init__", "cli"},
    {"__main__"},
]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
# saved and suite stand on one floor and do not need each other; so do all siblings

MODULES = sorted(SRC.rglob("*.py"))
PLUGIN = sorted(SRC.parent.glob("*.py"))  # of pytest, outside the package


@functools.cache
def tree_of(path: Path) -> ast.Module:
    """Return a module as a tree, read once for all the rules."""
    return ast.parse(path.read_text())


@pytest.fixture(scope="module", autouse=True)
def _trees_are_forgotten() -> Iterator[None]:
    """Forget the trees at the end: every copy that a later test makes of this process would have to hold them, too."""
    yield
    tree_of.cache_clear()


def place_of(path: Path) -> str:
    return str(path.relative_to(SRC if path in MODULES else SRC.parent))


def room_of(path: Path) -> str:
    return path.relative_to(SRC).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    """Return the rooms a module imports, wherever in it the import stands."""
    rooms = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first, *rest = name.split(".")
            if first == "unlike":
                rooms.add(rest[0] if rest and rest[0] in FLOOR_OF else "__init__")
    return rooms


def test_a_room_imports_lower_floors_only() -> None:
    upward = [
        f"{path.relative_to(SRC)} (floor {FLOOR_OF[room]}) imports {other} (floor {FLOOR_OF[other]})"
        for path in MODULES
        if (room := room_of(path)) not in ("__init__", "cli")  # the top floor sees everything
        for other in sorted(imported_rooms(path) - {room})
        if FLOOR_OF[other] >= FLOOR_OF[room]
    ]

    assert not upward


def test_every_room_has_a_floor() -> None:
    rooms = {room_of(path) for path in MODULES}

    assert rooms <= set(FLOOR_OF)


def test_annotations_are_read_in_one_room() -> None:
    looks = {"get_origin", "get_args", "get_type_hints", "get_annotations", "__metadata__", "ForwardRef", "__args__"}
    readers = [
        f"{path.relative_to(SRC)}: {name}"
        for path in MODULES
        if room_of(path) != "types"
        for node in ast.walk(tree_of(path))
        if (name := getattr(node, "attr", getattr(node, "id", getattr(node, "name", "")))) in looks
    ]

    assert not readers, "unlike.types reads annotations; ask it for a tree"


def test_the_plugin_is_installed_and_checked_as_a_whole() -> None:
    project = tomllib.loads((SRC.parent.parent / "pyproject.toml").read_text())
    names = [path.stem for path in PLUGIN]

    assert names == project["tool"]["setuptools"]["py-modules"] == project["tool"]["mypy"]["modules"]


def test_a_module_has_at_most_500_lines() -> None:
    long = [str(path) for path in (*MODULES, *PLUGIN) if len(path.read_text().splitlines()) > 500]

    assert not long


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield every function of the package and of the plugin, with its module."""
    for path in (*MODULES, *PLUGIN):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef):
                yield place_of(path), node


def test_a_function_has_at_most_50_lines() -> None:
    long = [f"{place}: {each.name}" for place, each in functions() if (each.end_lineno or 0) - each.lineno >= 50]

    assert not long


def test_what_one_room_hands_to_another_has_names_and_types() -> None:
    passing_on = {"foreign", "verb"}  # call what they are given, and say nothing of it
    nameless = [
        f"{place}: {each.name}(**{each.args.kwarg.arg}: Any)"
        for place, each in functions()
        if each.args.kwarg and ast.unparse(each.args.kwarg.annotation or ast.Name("Any")) == "Any"
        if not place.startswith("cli/") and not each.name.startswith("_") and each.name not in passing_on
        if not each.args.kwarg.arg.startswith("_")  # refused, whatever it is
    ]

    assert not nameless, "take a frozen record of core/question.py, or keywords by name"


def used_by_rooms() -> dict[str, set[str]]:
    """Return the rooms that import a name, or look it up in a module or an object."""
    found: dict[str, set[str]] = {}
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else []
            for name in [node.attr] if isinstance(node, ast.Attribute) else names:
                found.setdefault(name, set()).add(room_of(path))
    return found


NAMELESS = re.compile(r"\b(dict|Mapping)\[str, Any\]")
HONESTLY_NAMELESS = {
    "core/question.py: of",  # here keywords become a record, which checks their names
    "core/settings.py: record_of",  # the same, for any record
    "documents/json_schema/located.py: mapping",  # a part of a document of the user's
    "documents/spec_files.py: spec",  # what a file of the user's declares, by its names
    "testing/strategies.py: as_strategy",  # an input of a spec, by the names of its blanks
    "typed/verbs.py: generate",  # an input of a spec, by the names of its blanks
    "behaviour/verbs.py: generate",  # the same
}


def test_no_room_hands_another_a_dict_whose_keys_nobody_declares() -> None:
    users = used_by_rooms()
    nameless = set()
    for place, each in functions():
        arguments = [*each.args.posonlyargs, *each.args.args, *each.args.kwonlyargs]
        said = [ast.unparse(part) for part in (*(one.annotation for one in arguments), each.returns) if part]
        room = place.partition("/")[0].removesuffix(".py")
        others = users.get(each.name, set()) - {room}
        if room != "cli" and not each.name.startswith("_") and others and any(map(NAMELESS.search, said)):
            nameless.add(f"{place}: {each.name}")

    assert nameless == HONESTLY_NAMELESS, "give it a frozen record; what is on its way to JSON is a JsonObject"


def class_names() -> dict[str, list[str]]:
    """Return where each class name is defined, private ones and those inside functions included."""
    found: dict[str, list[str]] = {}
    for path in sorted(SRC.parent.rglob("*.py")):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(f"{path.relative_to(SRC.parent)}:{node.lineno}")
    return found


def test_a_class_name_exists_once() -> None:
    twins = {name: places for name, places in class_names().items() if len(places) > 1}

    assert not twins, "give one of them a name that says what it is"


def test_a_module_lies_at_most_two_folders_deep() -> None:
    deep = {str(path.relative_to(SRC).parent) for path in MODULES if len(path.relative_to(SRC).parts) > 3}

    assert not deep, "room/subroom/module.py at most"


def holds_only_exports(path: Path) -> bool:
    """Tell whether a module has a docstring, imports, `__all__` and what loads names when they are used; no more."""
    allowed = {"__getattr__", "__dir__", "__all__", "__version__", "_WHERE", "_MODULE_OF", "TYPE_CHECKING"}
    for node in tree_of(path).body:
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant(str())):
                continue
            case ast.Assign([ast.Name(name)]) | ast.FunctionDef(name) | ast.If(ast.Name(name)) if name in allowed:
                continue
        return False
    return True


def test_an_init_only_exports() -> None:
    full = {
        str(path.parent.relative_to(SRC))
        for path in MODULES
        if path.name == "__init__.py" and not holds_only_exports(path)
    }

    assert not full, "move what is in it to a module with a name"


def test_a_folder_has_more_than_one_module() -> None:
    lonely = {
        str(path.parent.relative_to(SRC))
        for path in MODULES
        if path.name == "__init__.py" and len(list(path.parent.rglob("*.py"))) < 3
    }

    assert not lonely, "a folder of one module is a module"


def test_all_names_exactly_what_a_user_may_use() -> None:
    public = {
        name
        for name, value in vars(unlike).items()
        if not name.startswith("_")
        and not isinstance(value, types.ModuleType)
        and name not in ("annotations", "TYPE_CHECKING")
    }

    assert public | set(dir(unlike)) & set(unlike.__all__) == set(unlike.__all__)
    assert all(inspect.getdoc(getattr(unlike, name)) for name in unlike.__all__)


def test_type_checkers_know_every_public_name() -> None:
    tree = ast.parse((SRC / "__init__.py").read_text())
    known = [
        alias
        for node in tree.body
        if isinstance(node, ast.If)
        for each in node.body
        if isinstance(each, ast.ImportFrom)
        for alias in each.names
    ]

    assert sorted(alias.name for alias in known) == sorted(unlike.__all__)
    assert all(alias.name == alias.asname for alias in known), "a name without `as` is not exported to strict checkers"


def test_the_map_names_modules_that_are_there() -> None:
    text = (SRC.parent.parent / "ARCHITECTURE.md").read_text()
    folders = {path.parent.name for path in MODULES}
    known = {path.stem for path in MODULES} | folders | {"py", "_native"}
    said = {(room, name) for room, name in re.findall(r"\b([a-z_0-9]+)[./]([a-z_0-9]+)\b", text) if room in folders}
    gone = {
        f"{room}/{name}"
        for room, name in said
        if name not in known and not (room in FLOOR_OF and hasattr(importlib.import_module(f"unlike.{room}"), name))
    }

    assert not gone


def test_test_files_have_names_of_their_own() -> None:
    names = [path.name for path in (SRC.parent.parent / "tests").rglob("test_*.py")]

    assert sorted(names) == sorted(set(names))


# public words, and what the compiled twins answer to
KNOWN_PARTICIPLES = {"ordered", "changed", "saved"}
IRREGULAR = {
    "built",
    "chosen",
    "found",
    "given",
    "held",
    "kept",
    "known",
    "left",
    "made",
    "met",
    "said",
    "seen",
    "sent",
}
IRREGULAR |= {"shown", "spread", "taken", "told", "written", "drawn", "grown", "frozen", "hidden", "bound", "lost"}


def is_property(function: ast.FunctionDef) -> bool:
    return any(ast.unparse(each).endswith(("property", ".setter")) for each in function.decorator_list)


def test_a_function_is_a_verb_with_its_object() -> None:
    named = [
        node.name
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef) and not is_property(node) and not node.name.startswith("__")
    ]
    words = {name for name in named if (word := name.strip("_")).endswith("ed") or word in IRREGULAR}
    participles = {name for name in words if "_" not in name.strip("_")} - {"seed", "need", "feed", "embed"}

    assert {name.strip("_") for name in participles} <= KNOWN_PARTICIPLES, "say what is done, and to what"


def numbers_without_a_reason(path: Path) -> list[str]:
    """Return the numeric constants of a module that no comment stands beside or above."""
    lines = path.read_text().splitlines()
    bare = []
    for node in tree_of(path).body:
        match node:
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, value) if value is not None:
                numeric = all(
                    isinstance(each, ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop)
                    for each in ast.walk(value)
                )
                numbers = [each for each in ast.walk(value) if isinstance(each, ast.Constant)]
                if numeric and all(type(each.value) in (int, float) for each in numbers):
                    said = lines[node.lineno - 1 : node.end_lineno]
                    if not any("#" in line for line in said) and not lines[node.lineno - 2].startswith("#"):
                        bare.append(f"{place_of(path)}: {name}")
    return bare


def test_a_limit_has_a_reason() -> None:
    bare = [name for path in (*MODULES, *PLUGIN) for name in numbers_without_a_reason(path)]

    assert not bare, "say beside it what it is and why it is that much"


def test_a_folder_of_modules_is_a_package() -> None:
    bare = {str(path.parent.relative_to(SRC)) for path in MODULES if not (path.parent / "__init__.py").exists()}

    assert not bare, "an __init__.py says in a line what the folder is for"
