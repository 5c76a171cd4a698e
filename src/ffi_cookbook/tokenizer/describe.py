"""What a vocabulary file is, as `Model.load` recognises it, or why it is refused."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ffi_cookbook.bindings._glue.bpe.layout import Steps
from ffi_cookbook.tokenizer import formats
from ffi_cookbook.tokenizer.model import Model


def describe(path: str | os.PathLike[str], pattern: str | None = None) -> dict[str, Any]:
    """Return what is recognised in a file.

    Args:
        path: the file.
        pattern: as in `Model.load`; files of ranks need it.

    Returns:
        "format"; and, if the file can be loaded, "model", "pattern", "normalizer" (None if texts
        stay as they are), "ids" (one more than the highest), "special tokens" and "added tokens"
        (their names; the latter are found in every text), and "post-processor" (the ids before a
        text, and after it). Otherwise "refused": a reason for each part.
    """
    found: dict[str, Any] = {"format": formats.format_of(Path(path).read_bytes())}
    try:
        model = Model.load(path, pattern=pattern)
    except ValueError as error:
        return {**found, "refused": getattr(error.__cause__, "parts", (str(error),))}
    ordinary = model.ordinary_names
    return {
        **found,
        "model": f"{'SentencePiece' if Steps.SPACES in model.flags else 'byte-level'} BPE",
        "pattern": model.pattern,
        "normalizer": model.normalizer,
        "ids": model.n_vocab,
        "special tokens": [name for name in model.special_names if name not in ordinary],
        "added tokens": [name for name in model.special_names if name in ordinary],
        "post-processor": model.around,
    }
