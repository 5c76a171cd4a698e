"""The definitions of a source file: what each one defines, and which others it uses.

Python has a parser for itself. A file of any other language is read as paragraphs: the text between
two blank lines outside all brackets. So a comment belongs to the definition below it, and five
languages need no parser. Names in comments and strings do not count as used.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import NamedTuple

_COMMENTS = {
    **dict.fromkeys((".pyx", ".pxd"), r'(?s:""".*?""")|#[^\n]*'),
    **dict.fromkeys((".c", ".h", ".cpp", ".hpp", ".rs"), r"(?s:/\*.*?\*/)|//[^\n]*"),
}
_QUOTED = r'"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])'"
_C = r"""
    ^\#define\ (\w+) | ^(?:template\ <.*>\s*)?(?:struct|class)\ (\w+)\b(?!::) | ^\}\ (\w+);
    | ^(?:using|namespace)\ (\w+)\ = | ^using\ [\w:]+::(\w+); | ^enum\ \{(.*)\};$
    | \btype_caster<(\w+)
    | ^(?!namespace|using|return|typedef|template\ <.*>\ struct|struct|enum)
      [A-Za-z_][\w:<>,.*&\ ]*?[\ *&](\w+)\s*[(\[={;]"""
_RUST = r"""
    ^(?:pub(?:\(\w+\))?\ )?(?:unsafe\ )?(?:extern\ ""\ )?(?:fn|struct|enum|type|const|static)\ (\w+)
    | import_exception!\([\w.]+,\ (\w+)\) | ^impl\ From<(?:\w+::)*(\w+)>
    | ^(?:unsafe\ )?impl(?:<[^>]*>)?\ (?:\w+(?:<.*?>)?\ for\ )?(\w+)"""
_CYTHON = r"""
    ^(?:def|class|cdef\ class|cdef\ struct|ctypedef\ struct)\ (\w+)
    | ^ctypedef\ [^(]*\(\*(\w+)\) | ^cp?def\ (?:[^(=\n]*?|inline\ \([^)]*\)\ )(\w+)\(
    | ^cdef\ \w+\ (\w+)\ =
    | ^\ {4}([A-Z]+)\ =
    | ^\ {4}(?!return|cdef|if)(?:\w+\ )+(?:\(?\*)?(ck_\w+)"""
_NAMES = {
    suffix: re.compile(pattern, re.MULTILINE | re.VERBOSE)
    for pattern, suffixes in (
        (_C, (".c", ".h", ".cpp", ".hpp")),
        (_RUST, (".rs",)),
        (_CYTHON, (".pyx", ".pxd")),
    )
    for suffix in suffixes
}


class Definition(NamedTuple):
    """One definition with the comment above it."""

    text: str
    names: frozenset[str]
    """What it defines."""
    used: frozenset[str]
    """Every identifier in it."""


def definitions(text: str, suffix: str) -> list[Definition]:
    """Return the definitions of a file, and everything else that stands at its outermost level."""
    if suffix == ".py":
        return _python(text)
    return [definition(piece, suffix) for piece in paragraphs(text, suffix)]


def definition(text: str, suffix: str) -> Definition:
    """Return a paragraph with the names that it defines and uses."""
    code = bare(text, suffix)
    names = " ".join(name for found in _NAMES[suffix].findall(code) for name in found)
    variables = {
        name
        for name in re.findall(r"\blet (?:mut )?(\w+)", code)
        if suffix == ".rs" and not re.search(rf"\b{name}\(", code)
    }
    return Definition(text, identifiers(names), identifiers(code).difference(variables))


def paragraphs(text: str, suffix: str) -> list[str]:
    """Return the texts between blank lines, outside all brackets."""
    found: list[str] = []
    for piece in re.split(r"\n{2,}(?=[^\s})])", text.strip("\n")):
        if found and _depth(bare(found[-1], suffix)) > 0:
            found[-1] += "\n\n" + piece
        else:
            found.append(piece.rstrip())
    return found


def bare(text: str, suffix: str) -> str:
    """Return a text without its comments, and with empty strings."""
    pattern = rf"({_COMMENTS[suffix]})|{_QUOTED}"
    return re.sub(pattern, lambda found: "" if found[1] else '""', text)


def identifiers(text: str) -> frozenset[str]:
    """Return the identifiers of a text."""
    return frozenset(re.findall(r"[A-Za-z_]\w*", text))


def needed(roots: Iterable[Definition], among: Iterable[Definition]) -> list[Definition]:
    """Return the roots and all that they use, directly or not, in the order of `among`."""
    among, found = list(among), set(roots)
    used = frozenset[str]().union(*(root.used for root in found))
    while new := [one for one in among if one.names & used and one not in found]:
        found.update(new)
        used = used.union(*(one.used for one in new))
    return [one for one in among if one in found]


def _python(text: str) -> list[Definition]:
    found, lines, end = [], text.splitlines(), 0
    for node in ast.parse(text).body:
        decorators = getattr(node, "decorator_list", [])
        start = min(one.lineno for one in [node, *decorators]) - 1
        while start > end and lines[start - 1].startswith("# ") and "----" not in lines[start - 1]:
            start -= 1
        end = node.end_lineno or 0
        pieces = _pairs(node) or [(node, "\n".join(lines[start:end]))]
        found += [Definition(piece, *_python_names(one)) for one, piece in pieces]
    return found


def _pairs(node: ast.stmt) -> list[tuple[ast.stmt, str]]:
    """Return `a, b = x, y` as two assignments."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
        return []
    if not isinstance(node.targets[0], ast.Tuple):
        return []
    pairs = zip(node.targets[0].elts, node.value.elts, strict=True)
    texts = [f"{ast.unparse(name)} = {ast.unparse(value)}" for name, value in pairs]
    return [(ast.parse(text).body[0], text) for text in texts]


def _python_names(node: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names that a statement defines and uses, without a function's own variables.

    A function that a decorator registers is called through a variable, so it defines that variable
    too.
    """
    walked = list(ast.walk(node))
    stored = {one.id for one in walked if isinstance(one, ast.Name) and not _loads(one)}
    used = {one.id for one in walked if isinstance(one, ast.Name) and _loads(one)}
    used |= {
        one.attr
        for one in walked
        if isinstance(one, ast.Attribute) and ast.unparse(one.value) == "lib"
    }
    if isinstance(node, ast.Import | ast.ImportFrom):
        return frozenset(), frozenset()
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
        stored = {ast.unparse(node.targets[0].value)}  # `function.restype = ...` goes with it
    if not isinstance(node, ast.FunctionDef | ast.ClassDef):
        return frozenset(stored), frozenset(used)
    own = stored | {one.arg for one in walked if isinstance(one, ast.arg)}
    own |= {one.name for one in walked if isinstance(one, ast.ExceptHandler) and one.name}
    used -= own
    names = {node.name}
    if any(ast.unparse(one).startswith("torch.library.impl") for one in node.decorator_list):
        names |= {name for name in used if name.startswith("_")}
    return frozenset(names), frozenset(used)


def _loads(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _depth(code: str) -> int:
    return sum(code.count(sign) for sign in "([{") - sum(code.count(sign) for sign in ")]}")
