"""A tokenizer whose texts are normalized first, as files such as those of Qwen demand.

A binding refuses such a model, since its kernel does not normalize. `Normalized` stands before it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import cast

import numpy as np

from ffi_cookbook.bindings._glue.bpe.specials import ALLOWED, Finder
from ffi_cookbook.bindings._glue.text import utf8
from ffi_cookbook.bindings.protocol import Backend, Buffer, Int64Array, Text, Tokenizer, Uint32Array
from ffi_cookbook.tokenizer.model import Model, Specials

# Hugging Face normalizes by Unicode 9, in which these characters of Unicode 10 to 16 are neither
# marks nor parts of others. Any Python that runs this has a later version.
_LATER = re.compile(
    "([\u07fd\u0897-\u089f\u08ca-\u08d3\u09fe\u0c3c\u0d3b\u0d3c\u0eba\u1715\u1abf-\u1ace"
    "\u1df6-\u1dfa\ua82c\U000105c0-\U000105ff\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab"
    "\U00010eac\U00010efd-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011070\U0001133b"
    "\U00011380-\U000113ff\U0001145e\U00011839\U0001183a\U00011900-\U0001195f\U000119e0\U00011a34"
    "\U00011a47\U00011a99\U00011d42-\U00011d45\U00011d97\U00011f41\U00011f42\U00016100-\U0001613f"
    "\U00016d40-\U00016d7f\U00016ff0\U00016ff1\U0001e08f\U0001e130-\U0001e136\U0001e2ae"
    "\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee\U0001e5ef])"
)


def nfc(text: str) -> str:
    """Return the Normalization Form C of a text, as Hugging Face has it."""
    if unicodedata.is_normalized("NFC", text):
        return text
    return "".join(unicodedata.normalize("NFC", part) for part in _LATER.split(text))


def changes(text: Text) -> bool:
    """Return True if `nfc` may change a text; False for bytes that are not UTF-8."""
    if isinstance(text, str) and text.isascii():
        return False
    try:
        return not unicodedata.is_normalized("NFC", utf8(text).decode())
    except UnicodeDecodeError:
        return False


def tokenizer_of(backend: Backend, model: Model) -> Tokenizer:
    """Return the tokenizer of a binding, `Normalized` if the model needs that."""
    return Normalized(backend, model) if model.normalizer else backend.Tokenizer(model)


class Normalized:
    """A `protocol.Tokenizer` in front of that of a binding, for a model with a normalizer.

    Special tokens are found in the text as it is, and what is between them is normalized. `split`,
    which counts bytes, refuses a text that this changes.
    """

    def __init__(self, backend: Backend, model: Model) -> None:
        """Open the model with a binding, such as `ffi_cookbook.load("capi")`."""
        self.model = model
        self._name = cast("ModuleType", backend).__name__
        self._tokenizer: Tokenizer = backend.Tokenizer(model.without_normalizer())

    def __reduce__(self) -> tuple[object, tuple[str, Model]]:
        return _reopen, (self._name, self.model)

    def encode(
        self, text: Text, /, *, allowed_special: Specials = (), disallowed_special: Specials = "all"
    ) -> Uint32Array:
        """Return the ids of a text."""
        encode = self._tokenizer.encode
        ids = encode(text, allowed_special=allowed_special, disallowed_special=disallowed_special)
        if changes(text):
            whole, start, parts = utf8(text).decode(), 0, []
            policy = self.model.special_policy(allowed_special, disallowed_special)
            names = zip(self.model.special_names, policy, strict=True)
            for at, name in Finder(name for name, it in names if it == ALLOWED).find_all(whole):
                parts.append(encode(nfc(whole[start:at]), disallowed_special=()))
                parts.append(encode(name, allowed_special=[name]))
                start = at + len(name)
            ids = np.concatenate([*parts, encode(nfc(whole[start:]), disallowed_special=())])
        return ids

    def encode_into(self, buffer: Buffer, out: Uint32Array, /) -> int:
        """Write ids into an array."""
        data = bytes(memoryview(buffer))
        normal = nfc(data.decode()).encode() if changes(data) else buffer
        return self._tokenizer.encode_into(normal, out)

    def encode_batch(
        self,
        texts: Sequence[Text],
        threads: int = 1,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> tuple[Uint32Array, Int64Array]:
        """Return the ids of many texts; one that is not normalized takes about twice its time."""
        ids, offsets = self._tokenizer.encode_batch(
            texts, threads, allowed_special=allowed_special, disallowed_special=disallowed_special
        )
        changed = [number for number, text in enumerate(texts) if changes(text)]
        if changed:
            rows = np.split(ids, offsets[1:-1])
            for number in changed:
                rows[number] = self.encode(
                    texts[number], allowed_special=allowed_special, disallowed_special=()
                )
            ids, offsets = np.concatenate(rows), np.cumsum([0, *map(len, rows)])
        return ids, offsets

    def count(self, text: Text, /) -> int:
        """Return the number of ids of a text."""
        return self._tokenizer.count(nfc(utf8(text).decode()) if changes(text) else text)

    def split(self, text: Text, /) -> Int64Array:
        """Return where each pretoken ends, in a text that is normalized."""
        if changes(text):
            raise ValueError("the text is not in NFC, so pretokens do not end at places in it")
        return self._tokenizer.split(text)

    def decode(self, ids: Uint32Array, /) -> bytes:
        """Return the bytes of ids."""
        return self._tokenizer.decode(ids)


def _reopen(name: str, model: Model) -> Normalized:
    return Normalized(import_module(name), model)
