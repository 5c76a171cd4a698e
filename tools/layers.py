"""Print the imports that point up, and the circles; exit with 1 if there is one.

Every import counts: at the top of a module, inside a function, and for types alone. A module may
import from its own layer and from those below it. A binding may not import another binding; only
for type checkers is it the same as the python binding, which is the reference.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "ffi_cookbook.bindings": ROOT / "bindings",
    "ffi_cookbook": ROOT / "src" / "ffi_cookbook",
}
LAYERS = (
    ("bindings.protocol",),
    ("bindings.errors",),
    ("bindings._glue",),
    ("bindings",),
    ("availability", "backends", "files", "operators", "terminal", "wire"),
    ("records", "tokenizer", "costs"),
    ("data",),
    ("",),
    ("cli", "__main__"),
)
"""The packages and modules of ffi_cookbook, the lowest first."""
SHARED = {"errors", "protocol", "_glue"}
SCHEMA = "ffi_cookbook.records.columns.schema"
LATE = {"ffi_cookbook.records.columns.inference"}
"""What makes a Schema, and is imported by the method of Schema that calls it."""


def modules() -> dict[str, list[Path]]:
    """Return the sources of every module by its name: its .py, or a stub, a .pyx or both."""
    found: dict[str, list[Path]] = {}
    for package, folder in PACKAGES.items():
        for path in [*folder.rglob("*.py"), *folder.rglob("*.py[ix]")]:
            parts = path.relative_to(folder).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            if not {"build", "target"} & set(parts):
                found.setdefault(".".join((package, *parts)), []).append(path)
    return found


def imports(name: str, path: Path, known: set[str]) -> Iterator[str]:
    """Yield the modules of ours that a source imports; compiled ones of its own package are not."""
    text = path.read_text("utf-8")
    if path.suffix == ".pyx":  # Cython's own statements are no Python
        text = "\n".join(re.findall(r"^from ffi_cookbook\S* import \w+$", text, re.MULTILINE))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from known.intersection(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            if path.suffix == ".pyi" and node.module == "ffi_cookbook.bindings.python":
                continue
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found = names & known or {node.module}
            yield from (module for module in found if not name.startswith(f"{module}."))


def layer(module: str) -> int:
    """Return the number of the layer of a module."""
    name = module.removeprefix("ffi_cookbook").removeprefix(".")
    return max(
        (len(package), number)
        for number, packages in enumerate(LAYERS)
        for package in packages
        if name == package or (package and name.startswith(f"{package}."))
    )[1]


def binding(module: str) -> str | None:
    """Return the binding that a module belongs to."""
    if not module.startswith("ffi_cookbook.bindings."):
        return None
    name = module.split(".")[2]
    return None if name in SHARED else name


def main() -> int:
    """Run the checks."""
    sources = modules()
    graph = {
        name: {other for path in paths for other in imports(name, path, set(sources))} - {name}
        for name, paths in sources.items()
    }
    faults = [
        f"{name} imports {other}, which is above it or another binding"
        for name, others in graph.items()
        for other in sorted(others)
        if layer(other) > layer(name)
        or (binding(name) and binding(other) not in (None, binding(name)))
    ]
    graph[SCHEMA] -= LATE
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        faults.append(f"a circle: {' -> '.join(error.args[1])}")
    print("\n".join(faults) or f"{len(graph)} modules, no import points up")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
