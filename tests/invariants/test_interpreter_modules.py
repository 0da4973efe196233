"""The interpreter of invariants is made of modules that import downwards only."""

import ast
import graphlib
from pathlib import Path

import unlike.invariants.compile

ROOM = "unlike.invariants.compile"


def imported(path: Path) -> set[str]:
    """Return the modules of the room that a module imports, for type checkers alone, too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == ROOM:
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith(f"{ROOM}."):
            names.add(node.module.removeprefix(f"{ROOM}."))
    return names


def test_no_module_of_the_interpreter_is_imported_by_one_that_it_imports() -> None:
    folder = Path(unlike.invariants.compile.__file__).parent
    graph = {path.stem: imported(path) for path in folder.glob("*.py")}

    order = list(graphlib.TopologicalSorter(graph).static_order())  # raises where there is a circle

    assert order.index("run") < order.index("expressions") < order.index("compiling")
