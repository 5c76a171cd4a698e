"""The contenders: each has a maker, which returns a fresh function from a text to its ids."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import version
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.ledger.baselines import tokenizer_of
from ffi_cookbook.bindings._glue.bpe.patterns import named
from studies.tokenizer.texts import Vocabulary

Encode = Callable[[str], Any]
Makers = dict[str, Callable[[], Encode]]
GIGATOKEN, TIKTOKEN, HUGGING_FACE = "gigatoken", "tiktoken", "HF tokenizers"
MODULES = {GIGATOKEN: "gigatoken", TIKTOKEN: "tiktoken", HUGGING_FACE: "tokenizers"}


def ours(backends: Mapping[str, ModuleType], vocabulary: Vocabulary) -> Makers:
    """Return our tokenizer through bindings."""
    model = vocabulary.load()
    return {
        name: lambda backend=backend: backend.Tokenizer(model).encode
        for name, backend in backends.items()
    }


def libraries(vocabulary: Vocabulary) -> Makers:
    """Return the libraries that are installed.

    tiktoken and HF tokenizers are each one object throughout: tiktoken has no cache, and HF
    tokenizers take seconds to make.
    """
    makers: Makers = {}
    if installed(GIGATOKEN):
        makers[GIGATOKEN] = lambda: gigatoken_of(vocabulary).encode
    makers[TIKTOKEN] = lambda: tiktoken_of(vocabulary).encode_to_numpy
    if installed(HUGGING_FACE) and vocabulary.pattern == "gpt2":
        makers[HUGGING_FACE] = lambda: (
            lambda text: np.array(huggingface_of(vocabulary).encode(text).ids, np.uint32)
        )
    return makers


def gigatoken_of(vocabulary: Vocabulary) -> Any:
    """Return a new tokenizer, from the file."""
    import gigatoken

    return gigatoken.Tokenizer.from_tiktoken(
        vocabulary.path, pretokenizer=vocabulary.pattern, special_tokens=vocabulary.special
    )


def loaded_by_tiktoken(vocabulary: Vocabulary) -> Any:
    """Return a new tokenizer, from the file."""
    import tiktoken
    from tiktoken.load import load_tiktoken_bpe

    return tiktoken.Encoding(
        vocabulary.pattern,
        pat_str=named(vocabulary.pattern).regex,
        mergeable_ranks=load_tiktoken_bpe(str(vocabulary.path)),
        special_tokens=vocabulary.special,
    )


tiktoken_of = cache(loaded_by_tiktoken)


@cache
def huggingface_of(vocabulary: Vocabulary) -> Any:
    """Return the tokenizer for a vocabulary whose pattern is gpt2."""
    return tokenizer_of(vocabulary.load().ranks)


def installed(name: str) -> bool:
    """Return True if a library is installed."""
    return importlib.util.find_spec(MODULES[name]) is not None


def versions() -> dict[str, str]:
    """Return the makers of the installed libraries."""
    return {name: version(module) for name, module in MODULES.items() if installed(name)}


def missing() -> dict[str, str]:
    """Return the libraries that are not installed, and the reasons why they are not measured."""
    return {name: "it is not installed" for name in MODULES if not installed(name)}
