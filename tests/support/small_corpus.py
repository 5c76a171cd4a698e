"""A small corpus of text, and the token ids that a tokenizer must make of it."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

import ffi_cookbook
from ffi_cookbook.data.tokens.token_files import open_token_file
from ffi_cookbook.tokenizer import Model

END = "<|endoftext|>"
TEXTS = ["a small text", "", "another, with <|endoftext|> in it", "é" * 40, "the last one"]


def documents(folder: Path) -> list[list[int]]:
    """Return the ids of each document in the shards of a folder."""
    found = []
    for path in sorted(folder.glob("*.bin")):
        file = open_token_file(path)
        ids = np.fromfile(path, file.dtype).tolist()
        bounds = [*file.documents.tolist(), len(ids)]
        found += [ids[a:b] for a, b in itertools.pairwise(bounds)]
    return found


def expected(model: Model, texts: list[str], end: tuple[int, ...] = (300,)) -> list[list[int]]:
    encode = ffi_cookbook.load("python").Tokenizer(model).encode
    return [[*encode(text, disallowed_special=()).tolist(), *end] for text in texts]
