"""What a change touches: the classes and functions whose code, or whose callees' code in the project, is another now.

Code is compared as syntax trees, so what is only formatted or commented anew is no change; a docstring neither.
Whatever a definition names is followed: functions, classes and constants of its module, and of those that it imports.
Which method an object has is not known before it runs: a call of any method of that name counts.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

LEFT_OUT = ("setup.py", "conftest.py", "__main__.py")
OTHER = "<module>"  # what stands in a module beside its definitions
Place = tuple[str, str]  # a module and a name in it


@dataclass(slots=True)
class Definition:
    """A definition at the top of a module: its code as a text, and what it names."""

    kind: str  # "class", "function", "value", "other"
    code: str
    names: set[str] = field(default_factory=set)
    methods: dict[str, str] = field(default_factory=dict)  # of a class, by name: their code
    asked: set[str] = field(default_factory=set)  # names of attributes


@dataclass(slots=True)
class ReadModule:
    """A module as it is written."""

    name: str
    root: str
    definitions: dict[str, Definition] = field(default_factory=dict)
    imports: dict[str, Place] = field(default_factory=dict)  # what a name in it is: of which module, and its name there
    whole: list[str] = field(default_factory=list)  # modules of which it imports everything


def module_name(path: str, exists: Callable[[str], bool]) -> tuple[str, str]:
    """Return the folder that a file is imported from, and the name of its module: `("src", "shop.cart")`."""
    file = PurePosixPath(path)
    parts = [] if file.name == "__init__.py" else [file.stem]
    folder = file.parent
    while str(folder) != "." and exists(str(folder / "__init__.py")):
        parts.insert(0, folder.name)
        folder = folder.parent
    return ("" if str(folder) == "." else str(folder)), ".".join(parts)


def is_compared(path: str) -> bool:
    """Tell whether a file may hold what is compared: code, and no tests."""
    file = PurePosixPath(path)
    is_test = file.stem.startswith("test_") or file.stem.endswith("_test") or "tests" in file.parts[:-1]
    return file.suffix == ".py" and file.name not in LEFT_OUT and not is_test


def read_modules(
    paths: Iterable[str], read: Callable[[str], str | None], exists: Callable[[str], bool]
) -> dict[str, ReadModule]:
    """Return the modules in some files; one that is no Python of today is left out."""
    found = {}
    for path in paths:
        source = read(path)
        if source is None:
            continue
        root, name = module_name(path, exists)
        try:
            found[name] = _read(ast.parse(source), name, root, is_package=path.endswith("__init__.py"))
        except (SyntaxError, ValueError):
            continue
    return found


def _read(tree: ast.Module, name: str, root: str, *, is_package: bool) -> ReadModule:
    module = ReadModule(name, root)
    rest: list[ast.stmt] = []
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                module.definitions[node.name] = _definition("function", [node])
            case ast.ClassDef():
                made = module.definitions[node.name] = _definition("class", [node])
                made.methods = {
                    each.name: _code([each])
                    for each in node.body
                    if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
                }
            case ast.Import() | ast.ImportFrom():
                _note_import(module, node, is_package=is_package)
            case ast.Assign([ast.Name(target)]) | ast.AnnAssign(ast.Name(target)):
                module.definitions[target] = _definition("value", [node])
            case ast.Expr(ast.Constant(str())):
                continue
            case _:
                rest.append(node)
                for each in ast.walk(node):
                    if isinstance(each, ast.Import | ast.ImportFrom):
                        _note_import(module, each, is_package=is_package)
    module.definitions[OTHER] = _definition("other", rest)
    return module


def _definition(kind: str, nodes: list[ast.stmt]) -> Definition:
    made = Definition(kind, _code(nodes))
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Name):
                made.names.add(each.id)
            elif isinstance(each, ast.Attribute):
                made.asked.add(each.attr)
            elif isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value.isidentifier():
                made.names.add(each.value)  # an annotation in quotes
    return made


def _code(nodes: Iterable[ast.stmt]) -> str:
    """Return code as a text that is the same for the same code, however it is laid out."""
    return "\n".join(ast.dump(_without_docstrings(node)) for node in nodes)


def _without_docstrings(tree: ast.AST) -> ast.AST:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and ast.get_docstring(node, clean=False) is not None
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return tree


def _note_import(module: ReadModule, node: ast.Import | ast.ImportFrom, *, is_package: bool) -> None:
    if isinstance(node, ast.Import):
        for alias in node.names:
            module.imports[alias.asname or alias.name.partition(".")[0]] = (
                alias.name if alias.asname else alias.name.partition(".")[0],
                "",
            )
        return
    parts = module.name.split(".") if module.name else []
    above = parts[: len(parts) - node.level + (1 if is_package else 0)] if node.level else []
    source = ".".join([*above, *([node.module] if node.module else [])])
    for alias in node.names:
        if alias.name == "*":
            module.whole.append(source)
        else:
            module.imports[alias.asname or alias.name] = source, alias.name


@dataclass(frozen=True, slots=True)
class Touched:
    """A class or function whose behaviour a change may have touched."""

    module: str
    root: str
    name: str
    kind: str  # "class", "function"
    since: str  # "changed", "new", "gone", or "calls NAME" where only what it calls did


def find_touched(old: Mapping[str, ReadModule], new: Mapping[str, ReadModule]) -> list[Touched]:
    """Return the classes and functions that are other ones now, or that use what is."""
    changed, methods = _changes(old, new)
    reasons: dict[Place, str] = dict.fromkeys(changed, "changed")
    while True:
        more = {place: why for place, why in _users(new, reasons, methods) if place not in reasons}
        if not more:
            break
        reasons |= more
    found = []
    for name, module in sorted({**old, **new}.items()):
        kinds = {
            key: each.kind for one in (old.get(name), new.get(name)) if one for key, each in one.definitions.items()
        }
        for key in sorted(kinds):
            if kinds[key] not in ("class", "function") or key.startswith("_"):
                continue
            before, after = (name in side and key in side[name].definitions for side in (old, new))
            since = "gone" if not after else "new" if not before else reasons.get((name, key), "")
            if since:
                found.append(Touched(name, module.root, key, kinds[key], since))
    return found


def _changes(old: Mapping[str, ReadModule], new: Mapping[str, ReadModule]) -> tuple[set[Place], set[str]]:
    """Return the definitions that are other ones now, and the names of methods that are."""
    changed: set[Place] = set()
    methods: set[str] = set()
    for name in {*old, *new}:
        before, after = old.get(name), new.get(name)
        keys = {*(before.definitions if before else ()), *(after.definitions if after else ())}
        for key in keys:
            one = before.definitions.get(key) if before else None
            other = after.definitions.get(key) if after else None
            if (one and one.code) == (other and other.code):
                continue
            changed.add((name, key))
            both = [each.methods if each else {} for each in (one, other)]
            methods |= {
                each
                for each in {*both[0], *both[1]}
                if both[0].get(each) != both[1].get(each) and not each.startswith("__")
            }
        if before and after and (before.imports, before.whole) != (after.imports, after.whole):
            changed |= {(name, key) for key in keys if _names_other(before, after, key)}
    return changed, methods


def _names_other(before: ReadModule, after: ReadModule, key: str) -> bool:
    """Tell whether a definition uses a name that was imported from elsewhere before."""
    definition = after.definitions.get(key)
    if definition is None:
        return False
    return before.whole != after.whole or any(
        before.imports.get(each) != after.imports.get(each) for each in definition.names
    )


def _users(
    modules: Mapping[str, ReadModule], reasons: Mapping[Place, str], methods: set[str]
) -> Iterator[tuple[Place, str]]:
    """Yield what uses something of which the behaviour may have changed, and what that is."""
    for name, module in modules.items():
        for key, each in module.definitions.items():
            if (name, key) in reasons:
                continue
            used = next(
                (place for place in _places(modules, module, each) if place in reasons and place != (name, key)), None
            )
            if used is not None:
                label = used[1] if used[1] != OTHER else used[0]
                yield (name, key), f"uses {label}"
            elif called := sorted(each.asked & methods):
                yield (name, key), f"uses .{called[0]}"


def _places(modules: Mapping[str, ReadModule], module: ReadModule, definition: Definition) -> Iterator[Place]:
    """Yield what a definition may refer to."""
    if definition.kind != "other":
        yield module.name, OTHER
    for name in sorted(definition.names):
        if name in module.definitions:
            yield module.name, name
        elif name in module.imports:
            yield from _follow_import(modules, module.imports[name], definition.asked)
    for source in module.whole:
        if source in modules:
            yield from ((source, name) for name in sorted(definition.names) if name in modules[source].definitions)


def _follow_import(modules: Mapping[str, ReadModule], place: Place, asked: set[str]) -> Iterator[Place]:
    """Yield what an imported name stands for: a definition, or those of a module that are asked for."""
    source, name = place
    inner = f"{source}.{name}" if name else source
    for _ in range(8):  # a package hands on what its modules define
        if source in modules and name and name not in modules[source].definitions and name in modules[source].imports:
            source, name = modules[source].imports[name]
        else:
            break
    if source in modules and name:
        yield source, name
    for each in [known for known in modules if known == inner or known.startswith(f"{inner}.")]:
        yield from ((each, key) for key in modules[each].definitions if key in asked)
