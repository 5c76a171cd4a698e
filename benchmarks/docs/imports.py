"""The imports of files, reduced to the names that some of their code uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from textwrap import wrap

from benchmarks.docs.definitions import definitions
from benchmarks.docs.kits import BINDINGS, KITS, PACKAGE

Needs = dict[str, list[str]]
"""By file of the kit, the names that are used from it."""


# ---- Python and Cython ---------------------------------------------------------------------


def python(backend: str, paths: Iterable[Path], used: Collection[str]) -> tuple[list[str], Needs]:
    """Return the import statements by group, and the names from each file of the kit."""
    groups: dict[str, dict[str, set[str]]] = {"": {}, "others": {}, "ours": {}}
    found = dict.fromkeys(one for path in paths for one in _imports(path))
    for module, name, alias in found:
        if (alias or name or module) not in used:
            continue
        if module.startswith("ffi_cookbook.") or module == "ffi_cookbook_torch":
            if home := _home(backend, module, name):
                groups["ours"].setdefault(home, set()).add(name)
            continue
        group = "others" if module.split(".")[0] in ("numpy", "torch", "cffi") else ""
        what = f"{name} as {alias}" if alias else name
        groups[group].setdefault(module, set()).add(what)
    needs = {
        f"src/{module.replace('.', '/')}.py": sorted(names)
        for module, names in groups["ours"].items()
    }
    return ["\n".join(_statements(modules)) for modules in groups.values() if modules], needs


def _home(backend: str, module: str, name: str) -> str | None:
    """Return the module of the reader's package that has one of our names."""
    if module == "ffi_cookbook.bindings.errors":
        return f"{PACKAGE}.errors"
    if name in KITS[backend].modules:
        return KITS[backend].modules[name]
    homes = {
        origin.removesuffix(".py").replace("/", "."): Path(file).stem
        for file, origins in KITS[backend].files.items()
        for origin in origins
        if origin.endswith(".py") and name in _defined(BINDINGS / origin)
    }
    if not homes:
        return None  # of another page, which is shown with this one
    home = homes.get(
        module.removeprefix("ffi_cookbook.bindings.")
    )  # a module may re-export another's name
    return f"{PACKAGE}.{home or next(iter(homes.values()))}"


@cache
def _defined(path: Path) -> frozenset[str]:
    found = definitions(path.read_text("utf-8"), path.suffix)
    return frozenset[str]().union(*(one.names for one in found))


@cache
def _imports(path: Path) -> tuple[tuple[str, str, str | None], ...]:
    found: list[tuple[str, str, str | None]] = []
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            found += [(one.name, "", one.asname) for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
            found += [
                (node.module or "", one.name, one.asname if one.asname != one.name else None)
                for one in node.names
            ]
    return tuple(found)


def _statements(modules: dict[str, set[str]]) -> Iterator[str]:
    for module, names in sorted(modules.items()):
        for whole in [name for name in names if not name or name.startswith(" as ")]:
            yield f"import {module}{whole}"
            names = names - {whole}
        if not names:
            continue
        line = f"from {module} import {', '.join(sorted(names, key=_order))}"
        if len(line) > 100:
            inside = wrap(", ".join(sorted(names, key=_order)) + ",", 96, break_on_hyphens=False)
            line = f"from {module} import (\n    " + "\n    ".join(inside) + "\n)"
        yield line


def _order(name: str) -> tuple[bool, bool, str]:
    """Sort as ruff does: constants, classes, functions."""
    return not name.isupper(), not name[0].isupper(), name


def cython(paths: Iterable[Path], used: Collection[str]) -> list[str]:
    """Return the lines that import and cimport these names, the project's in their own group."""
    groups: dict[bool, dict[str, list[str]]] = {False: {}, True: {}}
    text = "\n".join(path.read_text("utf-8") for path in paths)
    for several in re.findall(r"cimport (\([^)]*\))", text):
        text = text.replace(several, " ".join(several[1:-1].split()))
    for line in re.findall(r"^(?:from|c?import) .*|^\w+\.import_array\(\)$", text, re.MULTILINE):
        group = groups["ffi_cookbook" in line]
        if found := re.fullmatch(r"(from \S+ c?import )(.*)", line):
            names = [name for name in found[2].split(", ") if name in used]
            if names:
                group[found[1]] = list(dict.fromkeys([*group.get(found[1], ()), *names]))
        elif line.split(".")[0] in used or line.split()[-1] in used:
            group[line] = []
    return [
        "\n".join(verb + ", ".join(names) for verb, names in group.items())
        for group in groups.values()
        if group
    ]


# ---- Rust ----------------------------------------------------------------------------------


def rust(path: Path, used: Collection[str]) -> tuple[list[str], Needs]:
    """Return the `use` declarations by group, and the names from each file of the kit."""
    groups: dict[str, list[str]] = {"std": [], "others": [], "ours": []}
    needs: Needs = {}
    for whole in re.findall(r"^use ([^;]+);", path.read_text("utf-8"), re.MULTILINE):
        module, names = _tree(whole)
        kept = [name for name in names if _is_used(name, module, used)]
        if not kept or module.startswith("cookbook_kernels"):
            continue
        local = re.match(r"(?:super|crate)(?:::(\w+))?", module)
        inside = f"::{{{', '.join(kept)}}}" if len(kept) > 1 else f"::{kept[0]}"
        line = f"use {module}{inside if kept != ['self'] else ''};"
        groups["ours" if local else "std" if module.startswith("std") else "others"].append(line)
        if local:
            stem = local[1] or kept[0]
            names = [stem if name == "self" else name for name in kept]
            needs.setdefault(f"src/{stem}.rs", []).extend(names)
    return ["\n".join(lines) for lines in groups.values() if lines], needs


def _tree(use: str) -> tuple[str, list[str]]:
    """Return a module and the names that `use` takes from it."""
    module, braces, names = use.partition("::{")
    if not braces:
        module, _, names = use.rpartition("::")
    return module, [name.strip() for name in names.strip("}\n ").split(",") if name.strip()]


def _is_used(name: str, module: str, used: Collection[str]) -> bool:
    """Return True for names that are used, and for traits, whose methods are used without them."""
    if name == "self":
        return module.rpartition("::")[2] in used
    trait = name.endswith("Methods") and any("PyArray" in one for one in used)
    trait |= name.startswith("Into") and re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower() in used
    return name == "*" or trait or name.split("::")[-1] in used
