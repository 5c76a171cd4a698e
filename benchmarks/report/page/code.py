"""The source beside the cost: every pattern cut from its page, with syntax highlighting."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType

from benchmarks.docs.source import BINDINGS, LANGUAGES, snippets
from benchmarks.ledger.rows import ALL, VARIANTS

MARKS = {
    "macro": (Comment.Preproc, Comment.PreprocFile, Name.Decorator),
    "remark": (Comment, String.Doc),
    "word": (Keyword,),
    "value": (String, Number),
}
"""Class in the page, and the tokens that have it; the first that fits."""

Sources = dict[str, dict[str, list[tuple[str, str]]]]
"""By binding and variant ("capi", "capi idiomatic"), by function: path and marked-up text."""


def sources(backends: list[str]) -> Sources:
    """Return the source of every cell that has one."""
    found: Sources = {}
    for backend in backends:
        for contender, page, function in _functions(backend):
            pieces = [
                (str(path.relative_to(BINDINGS.parent)), marked(text, LANGUAGES[path.suffix]))
                for path, text in snippets(backend, page, {function})
            ]
            if pieces:
                found.setdefault(contender, {})[function] = pieces
    return found


def marked(text: str, language: str) -> str:
    """Return a text in HTML."""
    tokens = get_lexer_by_name(language, ensurenl=False).get_tokens(text)
    return "".join(
        f'<span class="{mark}">{run}</span>' if mark else run
        for mark, parts in groupby(tokens, lambda token: _mark(token[0]))
        for run in [escape("".join(text for _, text in parts), quote=False)]
    )


def _mark(kind: _TokenType) -> str | None:
    return next((name for name, kinds in MARKS.items() if any(kind in of for of in kinds)), None)


def _functions(backend: str) -> Iterator[tuple[str, str, str]]:
    for page, function in dict.fromkeys((row.page, row.function) for row in ALL.values()):
        yield backend, page, function
        for variant in VARIANTS:
            yield f"{backend} {variant}", variant, function
