"""Training: the ranks of a byte-level BPE vocabulary, from any text."""

from __future__ import annotations

import os
import re
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from operator import index
from pathlib import Path

from ffi_cookbook.bindings._glue.bpe.patterns import named
from ffi_cookbook.bindings._glue.text import utf8
from ffi_cookbook.bindings.errors import Code, TokenizerError
from ffi_cookbook.bindings.protocol import Int64Array, Text, Tokenizer
from ffi_cookbook.files import write_file
from ffi_cookbook.tokenizer.formats import write_tiktoken
from ffi_cookbook.tokenizer.model import Model
from ffi_cookbook.tokenizer.spaced import tokenizer_of

Tell = Callable[[str, int], None]
PART = 1 << 20  # bytes of text that are split at once

# A place where a pretoken ends in every pattern, for any text before and after it.
_CUT = re.compile(rb"[a-z](?= [a-z])")


def train(
    texts: Iterable[Text],
    vocab_size: int,
    pattern: str,
    *,
    backend: str | None = None,
    progress: Tell | None = None,
) -> dict[bytes, int]:
    """Return the ranks of a vocabulary: the 256 bytes, then the most frequent merges.

    There are `vocab_size` tokens, or fewer if the texts have no more pairs to merge. Of pairs that
    are equally frequent the one with the lower ids is merged, so equal texts give equal ranks.

    Args:
        texts: str, or bytes of UTF-8; each is read only once.
        vocab_size: at least 256, special tokens not included.
        pattern: as in `Model.load`.
        backend: the binding that splits the texts; None for the fastest that opens here.
        progress: called with "counting" and the bytes of text read so far, then with "merging" and
            the tokens so far.

    Raises:
        ValueError: `vocab_size` or `pattern` is not as above, or the backend has no tokenizer.
        TypeError: `texts` is a single text, or `vocab_size` is not an integer.
        TokenizerError: bytes are not valid UTF-8; `index` is the number of the text.
        MemoryError: there is none for the distinct pretokens, or they have 2**30 bytes.
    """
    if isinstance(texts, (str, bytes)):
        raise TypeError(f"texts must be an iterable of texts, not one {type(texts).__name__}")
    try:
        vocab_size = index(vocab_size)
    except TypeError:
        raise TypeError(f"vocab_size must be an integer, not {vocab_size!r}") from None
    if vocab_size < 256:
        raise ValueError(f"vocab_size is {vocab_size}, but every byte is a token")
    named(pattern)
    report = progress or (lambda what, done: None)
    split = _pretokens(texts, _splitter(pattern, backend), report)
    try:
        from ffi_cookbook.bindings.cython.training import merges  # by the C library
    except ImportError:
        from ffi_cookbook.tokenizer.pairs import merges
    tokens = [bytes([byte]) for byte in range(256)]
    for left, right in merges(split, vocab_size - 256, lambda n: report("merging", 256 + n)):
        # No other pair spells it: its bytes merge in the same way at every place.
        tokens.append(tokens[left] + tokens[right])
    return {token: rank for rank, token in enumerate(tokens)}


def save_tiktoken(ranks: Mapping[bytes, int], path: str | os.PathLike[str]) -> None:
    """Write ranks as a `.tiktoken` file, which replaces a file of that name when complete."""
    write_file(path, write_tiktoken(ranks))


def sample_texts(limit: int = 2_000_000) -> Iterator[str]:
    """Yield at most `limit` bytes of text that ships with every Python.

    It is the help topics, then the sources of the standard library in the order of their names.
    """
    library = Path(sysconfig.get_path("stdlib"))
    for path in (library / "pydoc_data" / "topics.py", *sorted(library.glob("*.py"))):
        if limit > 0 and path.exists():
            data = path.read_bytes()[:limit]
            limit -= len(data)
            yield data.decode("utf-8", "ignore")


def _pretokens(
    texts: Iterable[Text], tokenizer: Tokenizer, report: Tell
) -> Iterator[tuple[bytes, Int64Array]]:
    """Yield parts of the texts with the places where their pretokens end."""
    read = 0
    for part in _parts(texts):
        yield part, tokenizer.split(part)
        report("counting", read := read + len(part))


@cache
def _splitter(pattern: str, backend: str | None) -> Tokenizer:
    """Return a tokenizer that is used only to split text into pretokens."""
    from ffi_cookbook.backends import open_backend  # not needed to load a model

    model = Model.from_ranks({bytes([byte]): byte for byte in range(256)}, pattern=pattern)
    binding = open_backend(backend)
    if not hasattr(binding, "Tokenizer"):
        raise ValueError(f"the backend {backend!r} has no tokenizer")
    return tokenizer_of(binding, model)


def _parts(texts: Iterable[Text]) -> Iterator[bytes]:
    """Yield the texts in parts, which are cut only where pretokens end."""
    for number, text in enumerate(texts):
        data, start = _checked(text, number), 0
        while cut := _CUT.search(data, start + PART):
            yield data[start : cut.end()]
            start = cut.end()
        yield data[start:]


def _checked(text: Text, number: int) -> bytes:
    if isinstance(text, bytes):
        try:
            text.decode()
        except UnicodeDecodeError as error:
            raise TokenizerError(Code.UTF8, error.start, number) from None
    return utf8(text)
