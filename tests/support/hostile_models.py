"""Results of a binding with models that run code or change, and with lying subclasses."""

from __future__ import annotations

import contextlib
import gc
from types import ModuleType
from typing import Any

import numpy as np

from ffi_cookbook.tokenizer import Model

RANKS = {bytes([byte]): byte for byte in range(256)}
GOOD = Model.from_ranks(RANKS, pattern="gpt2")
ATTRIBUTES = (
    "special_names",
    "default_policy",
    "special_policy",
    "blob",
    "sections",
    "tokens",
    "n_vocab",
)


class Own:
    """A model object with the methods that a tokenizer calls."""

    def __init__(self, model: Model, **changes: Any) -> None:
        vars(self).update({name: getattr(model, name) for name in ATTRIBUTES} | changes)


def memory_that_changes(backend: ModuleType) -> object:
    """Overwrite the blob after the tokenizer was made."""
    ids = []
    for memory in (bytearray(GOOD.blob), np.array(GOOD.blob)):
        tokenizer = backend.Tokenizer(Own(GOOD, blob=memory))
        memory[192:] = bytes([255]) * (len(memory) - 192) if isinstance(memory, bytearray) else 255
        ids += tokenizer.encode("aä漢").tolist() + list(tokenizer.decode(np.arange(2, dtype="u4")))
    return ids


def a_blank_that_is_a_letter(backend: ModuleType) -> object:
    """Change the Unicode table so that no alternative of the pattern matches a blank."""
    blob = np.array(GOOD.blob)
    classes = GOOD.sections["unicode_blocks"]
    start = classes.ctypes.data - GOOD.blob.ctypes.data
    first = start + 128 * int(GOOD.sections["unicode_index"][0])
    blob[first + ord(" ")] = 1
    tokenizer = backend.Tokenizer(Own(GOOD, blob=blob))
    blanks = " " * 3000
    return tokenizer.count("1 "), tokenizer.count(blanks), len(tokenizer.split(blanks)) <= 3000


def init_while_it_runs(backend: ModuleType) -> object:
    """Call __init__ from within the model's method, which then returns or raises."""
    if _needs_a_model(backend):
        return "one model"
    for fails in (True, False):
        tokenizer = backend.Tokenizer.__new__(backend.Tokenizer)

        class Asked:
            default_policy = GOOD.default_policy
            special_names = GOOD.special_names

            @property
            def blob(self) -> object:
                tokenizer.__init__(Own(GOOD))  # noqa: B023
                if fails:  # noqa: B023
                    raise RuntimeError
                return GOOD.blob

        with contextlib.suppress(RuntimeError, TypeError):
            tokenizer.__init__(Asked())
        gc.collect()
        if type(tokenizer.model) is not Own or tokenizer.count("abc") != 3:
            return tokenizer.model
    return "one model"


def _needs_a_model(backend: ModuleType) -> bool:
    try:
        backend.Tokenizer.__new__(backend.Tokenizer)
    except TypeError:
        return True
    return False


def another_model_meanwhile(backend: ModuleType) -> object:
    """Call __init__ with a model of more special tokens from within special_policy."""
    names = {f"<|{i:06}|>": 300 + i for i in range(3000)}
    few = Model.from_ranks(RANKS, pattern="gpt2", special_tokens={"<|a|>": 300})
    many = Model.from_ranks(RANKS, pattern="gpt2", special_tokens=names)

    def policy(allowed: object, refused: object) -> bytes:
        with contextlib.suppress(TypeError):
            tokenizer.__init__(many)
        return b"\0"

    tokenizer = backend.Tokenizer(Own(few, special_policy=policy))
    return int((tokenizer.encode("".join(names), allowed_special={"x"}) >= 300).sum())


class Bytes(bytes):
    """Bytes that report another length."""

    claimed = 64

    def __len__(self) -> int:
        return self.claimed

    def __bytes__(self) -> bytes:
        return b"other"


class Huge(Bytes):
    claimed = 1 << 40


class String(str):
    """A str that reports another text."""

    def encode(self, *arguments: Any) -> bytes:
        return b"other"

    def __len__(self) -> int:
        return 1 << 40


class Pair(tuple):
    """A tuple that reports other items."""

    def __iter__(self) -> Any:
        return iter(("ab", "c"))


def texts_that_lie(backend: ModuleType) -> object:
    """Encode texts whose bytes differ from what their class reports."""
    tokenizer = backend.Tokenizer(GOOD)
    found: list[object] = []
    for text in (Bytes(b"abc"), Huge(b"abc"), String("abc"), String("a\ud800")):
        found += [tokenizer.encode(text).tolist(), tokenizer.count(text)]
        found += [tokenizer.split(text).tolist(), tokenizer.encode_batch([text])[0].tolist()]
    found.append(tokenizer.encode_batch(Pair(("x", "y", "z")))[1].tolist())
    for kind in (bytes, str, list):
        fake = type("Fake", (), {"__class__": property(lambda self, kind=kind: kind)})()
        for call in (tokenizer.encode, tokenizer.count, tokenizer.split, tokenizer.encode_batch):
            try:
                call(fake)
            except TypeError:
                found.append("TypeError")
    return found
