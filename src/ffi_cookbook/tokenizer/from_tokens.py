"""The half of tiktoken's API that goes from ids to text and describes the vocabulary."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from ffi_cookbook.bindings.errors import TokenizerError
from ffi_cookbook.bindings.protocol import Tokenizer, Uint32Array
from ffi_cookbook.tokenizer.ids import as_ids
from ffi_cookbook.tokenizer.offsets import character_offsets


class Decoding:
    """The base of `Encoding`."""

    def __init__(self, tokenizer: Tokenizer, name: str) -> None:
        self.tokenizer = tokenizer
        self.name = name
        model = tokenizer.model
        ids = model.sections["special_ids"].tolist()
        names = zip(model.special_names, ids, strict=True)
        self._specials = {name: i for name, i in names if name not in model.ordinary_names}

    def __repr__(self) -> str:
        return f"<Encoding {self.name!r}>"

    def __reduce__(self) -> tuple[type[Decoding], tuple[Tokenizer, str]]:
        return type(self), (self.tokenizer, self.name)

    # ---- decoding --------------------------------------------------------------------------

    def decode(self, tokens: Sequence[int], errors: str = "replace") -> str:
        """Return the text of ids."""
        return self.decode_bytes(tokens).decode("utf-8", errors)

    def decode_bytes(self, tokens: Sequence[int]) -> bytes:
        """Return the bytes of ids, or raise KeyError."""
        try:
            return self.tokenizer.decode(_ids_of(tokens))
        except TokenizerError as error:
            raise KeyError(f"Invalid token for decoding: {error.actual}") from None

    def decode_single_token_bytes(self, token: int) -> bytes:
        """Return the bytes of an id, or raise KeyError."""
        number, known = operator.index(token), self.tokenizer.model.tokens
        if not 0 <= number < 1 << 32:
            raise OverflowError("out of range integral type conversion attempted")
        spelled = known[number] if number < len(known) else None
        if spelled is None:
            raise KeyError(str(number))
        return spelled

    def decode_tokens_bytes(self, tokens: Iterable[int]) -> list[bytes]:
        """Return the bytes of each id."""
        return [self.decode_single_token_bytes(token) for token in tokens]

    def decode_with_offsets(self, tokens: Iterable[int]) -> tuple[str, list[int]]:
        """Return the text of ids, and the first character of each id."""
        tokens = list(tokens)
        text = b"".join(self.decode_tokens_bytes(tokens)).decode()
        return text, character_offsets(self.tokenizer, as_ids(tokens))[:, 0].tolist()

    def decode_batch(
        self, batch: Iterable[Sequence[int]], *, errors: str = "replace", num_threads: int = 8
    ) -> list[str]:
        """Return the text of each row of ids."""
        check_threads(num_threads)
        return [self.decode(tokens, errors) for tokens in batch]

    def decode_bytes_batch(
        self, batch: Iterable[Sequence[int]], *, num_threads: int = 8
    ) -> list[bytes]:
        """Return the bytes of each row of ids."""
        check_threads(num_threads)
        return [self.decode_bytes(tokens) for tokens in batch]

    # ---- the vocabulary --------------------------------------------------------------------

    def token_byte_values(self) -> list[bytes]:
        """Return the tokens that are not special, sorted."""
        return sorted(self.tokenizer.model.ranks)

    @property
    def eot_token(self) -> int:
        """The id of <|endoftext|>, or KeyError."""
        return self._specials["<|endoftext|>"]

    @cached_property
    def special_tokens_set(self) -> set[str]:
        """The names of the special tokens."""
        return set(self._specials)

    def is_special_token(self, token: int) -> bool:
        """Return True if the id is that of a special token."""
        assert isinstance(token, int)
        return token in self._specials.values()

    @property
    def max_token_value(self) -> int:
        """The highest id."""
        return self.tokenizer.model.n_vocab - 1

    @property
    def n_vocab(self) -> int:
        """The number of ids, one more than the highest."""
        return self.tokenizer.model.n_vocab


def check_threads(num_threads: int) -> None:
    """Raise ValueError for a number that tiktoken's pool of threads refuses."""
    if num_threads < 1:
        raise ValueError("max_workers must be greater than 0")


def _ids_of(tokens: Sequence[int]) -> Uint32Array:
    ordered = tokens.ndim == 1 if isinstance(tokens, np.ndarray) else isinstance(tokens, Sequence)
    if not ordered:
        raise TypeError(f"expected a sequence of ids, not {type(tokens).__name__}")
    return as_ids(tokens)
