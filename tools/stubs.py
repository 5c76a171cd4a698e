"""Write the type stubs of the native modules: `python tools/stubs.py`, or `nox -s stubs`.

Names, kinds and defaults are the module's, as `inspect` reports them, and types are the protocol's;
what `inspect` cannot read is as in the protocol. Functions as the python binding has them come from
there; the classes of several bindings are written once, in bindings/protocol/pages. The overloads
of nanobind's matmul are written by hand.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from ffi_cookbook.bindings.protocol import Backend, Patterns, Tokenizer
from ffi_cookbook.bindings.protocol.patterns import CounterObject, PointObject

BINDINGS = Path(__file__).resolve().parents[1] / "bindings"
PAGES = ("matmul", "records", "tokenizer")
FUNCTIONS = ("arrays", "calls", "containers", "scalars", "text")
PATTERNS = (*(f"patterns.{name}" for name in FUNCTIONS), "patterns.objects")
MODULES = {
    "capi": (*PAGES, "patterns", "patterns.idiomatic"),
    "cython": (*PAGES, *PATTERNS, "patterns.about", "patterns.fast", "patterns.idiomatic"),
    "pybind11": (*PAGES, "patterns", "patterns.fast", "idiomatic"),
    "nanobind": (*PAGES[1:], "patterns", "patterns.fast", "patterns.idiomatic"),
    "pyo3": ("ffi_cookbook_pyo3",),
}
COMMON = BINDINGS / "protocol" / "pages"
SHARED = {"objects": "patterns.objects", "tokenizer": "tokenizer"}
"""The pages, and the modules of the cython binding whose stubs they are."""
HEAD = "# Written by `nox -s stubs`: names and defaults are the module's, types the protocol's.\n"
CLASSES = {"Tokenizer": Tokenizer, "Point": PointObject, "Counter": CounterObject}
IMPORTS = (
    {
        "collections.abc": "Callable Collection Iterator Sequence",
        "typing": "Any Literal Protocol Self final",
    },
    {
        "ffi_cookbook.bindings.protocol": "ModelLike Patterns",
        "ffi_cookbook.bindings.protocol.arrays": (
            "Buffer Floats Int64Array Matrix Text Uint8Array Uint32Array"
        ),
    },
)
SUBMODULE = """\
class _Patterns(Patterns, Protocol):
    idiomatic: Any

patterns: _Patterns
"""
FINAL = "@final\n"
NEW = "    def __new__(cls, model: ModelLike) -> Self: ..."
INIT = "    def __init__(self, model: ModelLike) -> None: ..."
CAN_BE_SUBCLASSED = 1 << 10  # Py_TPFLAGS_BASETYPE


def path_of(binding: str, name: str) -> Path:
    """Return the file of a stub; the stub of a module with submodules is in their folder."""
    parts = [*name.split(".")]
    if name == "patterns":
        parts.append("__init__")
    return (BINDINGS / binding).joinpath(*parts).with_suffix(".pyi")


def module_of(binding: str, name: str) -> ModuleType:
    """Return the native module that a stub describes."""
    first, _, last = name.partition(".")
    if binding == "cython":
        return import_module(f"ffi_cookbook.bindings.cython.{name}")
    home = "" if binding == "pyo3" else f"ffi_cookbook.bindings.{binding}."
    module = import_module(home + first)
    return getattr(module, last) if last else module


def typed(function: Any, protocol: Callable[..., Any] | None, is_method: bool = False) -> str:
    """Return the signature of a function with the types of the protocol's function."""
    wanted = inspect.signature(protocol) if protocol else inspect.Signature(return_annotation="Any")
    try:
        given = inspect.signature(function)
    except ValueError:  # pybind11's matmul has two, and nanobind's functions are its own objects
        given = wanted.replace(parameters=[*wanted.parameters.values()][not is_method :])
    types = {name: parameter.annotation for name, parameter in wanted.parameters.items()}
    parameters = [
        parameter if name == "self" else parameter.replace(annotation=Type(types.get(name, "Any")))
        for name, parameter in given.parameters.items()
    ]
    signature = inspect.Signature(parameters, return_annotation=Type(wanted.return_annotation))
    return str(signature).replace("(self, /, ", "(self, ")  # as a class in C++ has it


class Type:
    """An annotation whose repr is its own text."""

    def __init__(self, text: str) -> None:
        self.text = re.sub(r"(Point|Counter)Object", r"\1", text)

    def __repr__(self) -> str:
        return self.text


def members(cls: type, protocol: type | None, maker: Any) -> Iterator[str]:
    """Yield the lines of a class: how it is made, its attributes and its methods."""
    if protocol:
        new = "__new__" in vars(cls) and "__init__" not in vars(cls)
        first, result = ("__new__(cls", "Self") if new else ("__init__(self", "None")
        parameters = typed(cls, maker).partition(" -> ")[0]
        yield f"    def {first}, {parameters[1:]} -> {result}: ...\n"
    for name in ("__iter__", "__next__"):
        if name in vars(cls):
            yield f"    def {name}(self) -> {cls.__name__ if name == '__iter__' else 'int'}: ...\n"
    for name, member in vars(protocol or object).items():
        if name.startswith("_") or name not in dir(cls):
            continue
        if isinstance(member, property):
            result = Type(inspect.signature(member.fget).return_annotation)
            yield f"    @property\n    def {name}(self) -> {result}: ...\n"
            if member.fset:
                yield f"    @{name}.setter\n    def {name}(self, value: {result}) -> None: ...\n"
        else:
            yield f"    def {name}{typed(getattr(cls, name), member, is_method=True)}: ...\n"


def items(module: ModuleType) -> Iterator[str]:
    """Yield the definitions of a module, in the order of their names."""
    for name, item in sorted(vars(module).items()):
        maker = getattr(Backend, name, getattr(Patterns, name, None))
        if isinstance(item, type) and item.__module__.startswith("ffi_"):
            lines = list(members(item, CLASSES.get(name), maker))
            final = "" if item.__flags__ & CAN_BE_SUBCLASSED else FINAL
            if lines:  # else it is a helper
                yield f"{final}class {name}:\n{''.join(lines)}"
        elif inspect.ismodule(item) and name == "patterns":
            yield SUBMODULE
        elif name.startswith("_") or inspect.isfunction(item):  # internal, or only imported
            continue
        elif inspect.isroutine(item) or "nanobind" in type(item).__module__:
            yield f"def {name}{typed(item, maker)}: ...\n"


def shared() -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the modules that a stub may import from, and their definitions."""
    for name in ("matmul", "records", *(f"patterns.{name}" for name in FUNCTIONS)):
        module = import_module(f"ffi_cookbook.bindings.python.{name}")
        functions = [(one, getattr(module, one)) for one in module.__all__]
        made = (f"def {one}{typed(function, function)}: ...\n" for one, function in functions)
        yield module.__name__, meaning("".join(made))
    for page in SHARED:
        home = f"ffi_cookbook.bindings.protocol.pages.{page}"
        yield home, meaning((COMMON / f"{page}.pyi").read_text("utf-8"))


def ours(module: ModuleType, common: bool = True) -> str:
    """Return the stub of a module: its own names, the protocol's types.

    With `common`, the definitions that other bindings share are imported.
    """
    body = list(items(module))
    imported = []
    for home, definitions in shared() if common else ():
        if definitions <= meaning("".join(body)):
            body = [item for item in body if not meaning(item) <= definitions]
            imported.append(f"from {home} import *\n")
        for i, item in enumerate(body):  # a class that is as there, but final or made by __init__
            own = meaning(item.removeprefix(FINAL).replace(INIT, NEW))
            if "class " in item and own <= definitions:
                name = item.split("class ")[1].split(":")[0]
                final, init = (
                    FINAL * item.startswith(FINAL),
                    f"\n{INIT}" if INIT in item else " ...",
                )
                body[i] = f"{final}class {name}(_{name}):{init}\n"
                imported.append(f"from {home} import {name} as _{name}\n")
    text = "".join(body)
    groups = [
        "".join(
            f"from {source} import {', '.join(used)}\n"
            for source, names in group.items()
            if (used := [name for name in names.split() if re.search(rf"\b{name}\b(?!: \w)", text)])
        )
        for group in IMPORTS
    ]
    variants = [vars(module).get(name) for name in ("fast", "idiomatic")]
    paths = [variant.__name__.rpartition(".") for variant in variants if variant]
    imported += [f"from {path} import {name} as {name}\n" for path, _, name in paths]
    return "\n".join([HEAD, *filter(None, [*groups, "".join(sorted(imported)), text])])


def meaning(text: str) -> frozenset[str]:
    """Return the definitions of a stub without their layout."""
    definitions = (ast.FunctionDef, ast.ClassDef)
    return frozenset(
        ast.unparse(node) for node in ast.parse(text).body if isinstance(node, definitions)
    )


def stubs(binding: str) -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of every stub of a binding."""
    for page, name in SHARED.items() if binding == "cython" else ():
        yield COMMON / f"{page}.pyi", ours(module_of(binding, name), common=False)
    for name in MODULES[binding]:
        yield path_of(binding, name), ours(module_of(binding, name))


if __name__ == "__main__":
    for binding in MODULES:
        for path, text in stubs(binding):
            path.write_text(text)
