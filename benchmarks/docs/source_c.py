"""The source of a pattern in C and C++, with the code that registers it in a module.

That is a line of the table of methods, statements that name the function in quotes, or the blocks
that declare and implement an operator of torch.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import dedent

from benchmarks.docs.definitions import Definition, bare, definition, identifiers, needed
from benchmarks.docs.kits import KITS, Source, kit, linked, parts

_INCLUDED_FOR = {
    "cookbook.h": "",
    "nanobind.h": "",
    "pybind11.h": "",
    "NPY_NO_DEPRECATED_API": r"\bPyArray",
    "arrayobject.h": r"\bPyArray",
    "ndarray.h": r"\bndarray<",
    "numpy.h": r"\barray_t<",
    "stl.h": r"std::(vector|map|string|pair)\b",
    "functional.h": r"std::function\b",
    "critical_section.h": r"\bscoped_critical_section\b",
    "algorithm": r"std::(min|max)\b",
    "climits": r"\bINT_M(AX|IN)\b",
    "exception": r"std::(exception_ptr|current_exception)\b",
    "stdalign.h": r"\balignof\b",
    "stdexcept": r"std::invalid_argument\b",
    "utility": r"std::(pair|move)\b",
}
"""For what a file is included, where that is not the name of the file in `std`."""
_EVERYWHERE = {"nb", "py"}
"""Names of namespaces, which every file of the kit defines."""
_ADDS = re.compile(r"^(?:static )?int (add_\w+)\(PyObject \*.*State \*state\) \{", re.MULTILINE)


def c(backend: str, path: Path, names: Collection[str]) -> Source:
    """Return C functions with their lines of the table of methods."""
    text = path.read_text("utf-8")
    own = [one for one in parts(path) if not re.match("int add_(?!.*state->)", one.text, re.DOTALL)]
    lines = [
        definition(found[0].strip().rstrip(","), ".c")
        for name in names
        for found in [re.search(rf"^    METHOD\({name},.*?\)(?=,\n)", text, re.M | re.S)]
        if found and "methods[] = {" in text
    ]
    table = [one for one in lines if "$self" not in one.text]
    files = _included(backend, path)
    pool = [one for file in files for one in kit(backend, file)]
    roots = [one for one in own if one.names & set(names)] if table else []
    adders = {one for one in [*own, *pool] if _ADDS.search(one.text)}
    fields = {name for name in names if f"state->{name} =" in text}
    chosen: set[Definition] = set()
    while True:
        found = needed([*roots, *table, *(one for one in chosen if one in own)], own)
        theirs = needed([*found, *table, *chosen], pool)
        code = "\n".join(one.text for one in [*found, *theirs] if one not in adders)
        wanted = fields | set(re.findall(r"state->(\w+)", code))
        new = {
            one
            for one in adders - chosen
            if wanted & set(re.findall(r"state->(\w+)(?:\[\w+\])? =", one.text))
        }
        if not new:
            break
        chosen |= new
    used = frozenset[str]().union(*(one.used for one in [*found, *table, *chosen]))
    needs = _needs(backend, files, used)
    state = sorted(match[1] for one in chosen for match in [_ADDS.search(one.text)] if match)
    return Source(
        path,
        _joined(_includes(path, needs, code), found),
        "\n".join(f"{_aligned(one.text)}," for one in table),
        "\n".join(f"if ({name}(module, state) < 0)\n  return -1;" for name in state),
        needs,
    )


def cpp(backend: str, path: Path, names: Collection[str]) -> Source:
    """Return C++ functions with the statements that register them."""
    if backend == "torch":
        return _operators(backend, path, names)
    own = parts(path)
    body = [one for one in own if re.search(r"^void \w+\(\w+::module_|_MODULE\(", one.text, re.M)]
    own = [one for one in own if one not in body and "TORCH_LIBRARY" not in one.text]
    statements = [one for page in body for one in _statements(page.text)]
    named = rf'(?:def|>|\w)\(\s*(?:m, )?"(?:{"|".join(names)})(?:"|\()'
    roots = [one for one in statements if re.search(named, one.text)]
    found = needed(roots, [*own, *statements])
    used = frozenset[str]().union(*(one.used for one in found))
    needs = {} if path.stem == "idiomatic" else _needs(backend, _included(backend, path), used)
    shown = [one for one in found if one not in statements]
    includes = _includes(path, needs, "\n".join(one.text for one in found))
    return Source(
        path,
        _joined(includes if found else [], shown),
        "\n\n".join(one.text for one in found if one in statements),
        needs=needs,
    )


def _operators(backend: str, path: Path, names: Collection[str]) -> Source:
    """Return torch operators with the blocks that declare and implement them."""
    own = [one for one in parts(path) if "TORCH_LIBRARY" not in one.text]
    blocks = []
    for block in parts(path):
        if head := re.search(r"^STABLE_TORCH_LIBRARY_\w+\(.*\{$", block.text, re.M):
            blocks += [
                definition(f"{head[0]}\n  {one.text}\n}}", ".cpp")
                for one in _statements(block.text)
                if re.search(rf'"(?:{"|".join(names)})["(]', one.text)
            ]
    found = needed(blocks, own)
    used = frozenset[str]().union(*(one.used for one in [*found, *blocks]))
    needs = _needs(backend, ["src/patterns.hpp"], used)
    if not blocks:
        return Source(path, "")
    code = "\n".join(one.text for one in [*found, *blocks])
    return Source(
        path,
        _joined(_includes(path, needs, code), found),
        "\n\n".join(one.text for one in blocks),
        needs=needs,
    )


def _joined(head: Iterable[str], found: Iterable[Definition]) -> str:
    return "\n\n".join([*head, *(one.text for one in found)])


def _aligned(entry: str) -> str:
    """Return an entry of a table, shifted to the beginning of a line."""
    return entry.replace("\n           ", "\n       ")


def _included(backend: str, path: Path) -> list[str]:
    """Return the files of the kit that a page includes."""
    names = re.findall(r'^#include "(?:\.\./)?(\S+)"', path.read_text("utf-8"), re.MULTILINE)
    return [f"src/{name}" for name in names if f"src/{name}" in KITS[backend].files]


def _needs(backend: str, files: Iterable[str], used: frozenset[str]) -> dict[str, list[str]]:
    """Return, by file of the kit, the names that are used from it or from the files it includes."""
    needs = {}
    for file in files:
        theirs = [one for other in linked(backend, file) for one in kit(backend, other)]
        names = frozenset[str]().union(*(one.names for one in theirs)) & used - _EVERYWHERE
        if names:
            needs[file] = sorted(names)
    return needs


def _includes(path: Path, needs: Mapping[str, list[str]], code: str) -> list[str]:
    """Return the includes that this code needs, unless the reader's file has them already."""
    whole = path.read_text("utf-8")
    kept: list[str] = []
    for line in re.findall(r"^#include .*|^#define NPY_NO.*", whole, re.MULTILINE):
        name = Path(line.split()[1].strip('"<>')).name
        uses = _INCLUDED_FOR.get(name, rf"std::{Path(name).stem}\b")
        if name == "cookbook.h" and path.parent.name == "patterns":
            continue
        if f"src/{name}" in needs or re.search(uses, code):
            kept.append(line)
    return ["\n".join(kept)] if kept else []


def _statements(function: str) -> Iterator[Definition]:
    """Yield the statements of a function's body."""
    body = function[function.index("{\n") + 2 : function.rindex("}")]
    start = depth = 0
    quoted = False
    for at, sign in enumerate(body):
        quoted ^= sign == '"' and body[at - 1] != "\\"
        if not quoted:
            depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(sign, 0)
            if sign == ";" and depth == 0:
                text = dedent(body[start : at + 1].strip("\n"))
                yield Definition(text, _made(text), identifiers(bare(text, ".cpp")))
                start = at + 1


def _made(statement: str) -> frozenset[str]:
    """Return the variable that a statement makes or uses, and the type that it registers."""
    found = re.match(
        r"(?:if \(!has_class.*\s+)?"
        r"(?:\w+::class_<(\w+)>(?: (\w+))?|\w+<(\w+)>\(\)|[\w:]+ (\w+) =|(\w+)\s*\.def)",
        statement,
    )
    return frozenset(name for name in (found.groups() if found else ()) if name and name != "m")
