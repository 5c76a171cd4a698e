"""The source of a pattern, cut out of its page, to stand beside its cost.

Every language has its own sign of where a definition ends: Python's parser knows it, Cython has its
indentation, C, C++ and Rust their braces. What registers a function under its name (`m.def("name",
...)`, a line of a method table) belongs to it, and so does what hangs on a variable made there. In
C a class is what stands under a banner of its name.
"""

from __future__ import annotations

import ast
import re
from itertools import takewhile
from pathlib import Path

BINDINGS = Path(__file__).resolve().parents[1] / "bindings"
LANGUAGES = {
    ".py": "python",
    ".pyx": "cython",
    ".c": "c",
    ".cpp": "cpp",
    ".rs": "rust",
}
"""By ending, as Pygments and Markdown name them; in the order in which a reader wants them."""


GOES_ON = {"objects": "counter", "arrays": "dlpack"}
"""Pages that some bindings continue in a second file."""


def pages(backend: str, page: str) -> list[Path]:
    """Return the files of a page of the ledger, the one that Python sees first."""
    folder = BINDINGS / backend
    stems = (page, GOES_ON.get(page, page))
    names = [f"{stem}{end}" for end in LANGUAGES for stem in dict.fromkeys(stems)]
    paths = [folder / "patterns" / name for name in names]
    if page == "idiomatic":  # a module of its own in some bindings
        paths += [folder / name for name in names]
    return [path for path in paths if path.exists()]


def snippets(backend: str, page: str, name: str) -> list[tuple[Path, str]]:
    """Path and text of every piece that makes a pattern, in the order of `pages`."""
    found = []
    for path in pages(backend, page):
        text = path.read_text("utf-8")
        if piece := _CUTTERS[path.suffix](text, name):
            found.append((path, piece))
    return found


def _python(text: str, name: str) -> str:
    pieces = []
    for node in ast.parse(text).body:
        named = [getattr(node, "name", None)]
        if isinstance(node, ast.Assign):
            named = [
                target.id
                for one in node.targets
                for target in ast.walk(one)
                if isinstance(target, ast.Name)
            ]
        if name in named or f"_{name}" in named:
            decorators = getattr(node, "decorator_list", [])
            first = min((one.lineno for one in decorators), default=node.lineno)
            pieces.append("\n".join(text.splitlines()[first - 1 : node.end_lineno]))
    return "\n\n".join(pieces)


def _cython(text: str, name: str) -> str:
    lines = text.splitlines()
    head = re.compile(rf"(?:(?:cp?def|def)\b.*\b{name}\(|(?:cdef )?class {name}\b|{name} = )")
    for start, line in enumerate(lines):
        if head.match(line):
            above = takewhile(lambda one: one.startswith("@"), reversed(lines[:start]))
            body = takewhile(lambda one: not one or one[0] in " )", lines[start + 1 :])
            piece = [*reversed(list(above)), line, *body]
            return "\n".join(piece).rstrip()
    return ""


def _braces(text: str, name: str) -> str:
    """Return what is under a banner of that name, or a definition and its registration.

    The registration is the statements that name the function or type in quotes, and those that use
    their results.
    """
    if section := re.search(
        rf"^/\* -+ {name} -+ \*/\n(.*?)(?=^/\* -+ |\Z)", text, re.MULTILINE | re.DOTALL
    ):
        return section[1].strip()
    pieces = []
    head = re.compile(
        rf"^(?:(?:static|const|inline|struct|typedef|class)\b[^;{{}}()]*\b{name}\b[^;{{}}]*"
        rf"|[A-Za-z_][\w:<>*& ]*\b{name}\([^;{{}}]*)\{{",
        re.MULTILINE,
    )
    start = end = 0
    if defined := head.search(text):
        start, end = defined.start(), _closing(text, defined.end() - 1)
        end += text[end : end + 1] == ";"
        pieces.append(text[start:end])
    named = rf'^ *(?:[^\n"]*?(\w+)>?[({{]\s*(?:\w+, )?)?"{name}(?:\([^"]*)?"'
    for found in re.finditer(named, text, re.MULTILINE):
        if not start <= found.start() < end:
            start, end = found.start(), _end_of_statement(text, found.start())
            pieces.append(_dedented(text[start:end]))
            further = re.finditer(rf"^ *{found[1]}\.", text, re.MULTILINE) if found[1] else ()
            pieces += [
                _dedented(text[one.start() : _end_of_statement(text, one.start())])
                for one in further
            ]
    return "\n\n".join(pieces)


def _rust(text: str, name: str) -> str:
    pieces = []
    head = re.compile(
        rf'^( *)(?:pub(?:\(\w+\))? )?(?:unsafe )?(?:extern "C" )?'
        rf"(?:fn {name}\b|struct {name}\b|impl {name}\b)[^;{{}}]*",
        re.MULTILINE,
    )
    for found in head.finditer(text):
        opening = text.find("{", found.start())
        braced = text[found.end() : found.end() + 1] == "{"
        end = _closing(text, opening) if braced else found.end() + 1
        above = takewhile(
            lambda line: line.strip().startswith(("#[", "///")),
            reversed(text[: found.start()].splitlines()),
        )
        pieces.append(_dedented("\n".join([*reversed(list(above)), text[found.start() : end]])))
    return "\n\n".join(pieces)


_CUTTERS = {".py": _python, ".pyx": _cython, ".c": _braces, ".cpp": _braces, ".rs": _rust}


def _closing(text: str, opening: int) -> int:
    """Return the place after the brace that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text)


def _end_of_statement(text: str, start: int) -> int:
    """Return where the statement ends: after its `;` or `},`, outside quotes and brackets."""
    depth, quoted = 0, False
    for at in range(start, len(text)):
        quoted ^= text[at] == '"' and text[at - 1] != "\\"
        if not quoted:
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[at], 0)
            if depth <= 0 and text[at] in ";,":
                return at + 1
    return len(text.rstrip())


def _dedented(piece: str) -> str:
    width = len(piece) - len(piece.lstrip(" "))
    return "\n".join(line[width:] if line[:width].isspace() else line for line in piece.split("\n"))
