"""Lines of code of a binding, without comments, docstrings and blank lines.

The lexers of Pygments find these. Kernels are not counted: those in C, Cython and Rust are
elsewhere, and pyo3's kernels of the patterns are left out. (In python and numpy the page is the
kernel.)
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, String

from benchmarks.docs.source import BINDINGS, LANGUAGES

PAGES = ("matmul", "records", "tokenizer")
PATTERNS = (
    "scalars",
    "text",
    "arrays",
    "containers",
    "objects",
    "calls",
    "mixed",
    "idiomatic",
    "fast",
)
BUILD = {
    "CMakeLists.txt": "cmake",
    "Cargo.toml": "toml",
    "pyproject.toml": "toml",
    "build.rs": "rust",
    "build_library.py": "python",
}
LEXERS = {**LANGUAGES, ".h": "c", ".hpp": "cpp", ".pxd": "cython"}
KERNELS = ("kernels.rs",)


def count(backend: str) -> dict[str, int]:
    """Count lines by page.

    "build" has the files that build the binding, "shared" the code for several pages, "patterns"
    the code for several pages of patterns.
    """
    lines: Counter[str] = Counter(
        dict.fromkeys((*PAGES, *PATTERNS, "patterns", "shared", "build"), 0)
    )
    for path in sorted((BINDINGS / backend).glob("*.*")):
        subject = path.stem.split("_")[0]  # tokenizer_batch.c belongs to the tokenizer
        page = subject if subject in (*PAGES, "idiomatic") else "shared"
        lines["build" if path.name in BUILD else page] += code_lines(path)
    for path in sorted((BINDINGS / backend / "patterns").glob("*.*")):
        lines[path.stem if path.stem in PATTERNS else "patterns"] += code_lines(path)
    return {**lines, "total": lines.total()}


def code_lines(path: Path) -> int:
    """Return the lines of code of one file, 0 if it is not source code."""
    language = BUILD.get(path.name) or LEXERS.get(path.suffix)
    if language is None or path.name in KERNELS:
        return 0
    tokens = _lexer(language).get_tokens(path.read_text("utf-8"))
    code = "".join(text if _is_code(kind) else "\n" * text.count("\n") for kind, text in tokens)
    return sum(1 for line in code.splitlines() if line.strip())


@cache
def _lexer(language: str) -> Lexer:
    return get_lexer_by_name(language)


def _is_code(kind: object) -> bool:
    if kind in Comment.Preproc or kind in Comment.PreprocFile:  # #include, #[...]
        return True
    return kind not in Comment and kind not in String.Doc
