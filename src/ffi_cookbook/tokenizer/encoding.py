"""The API of tiktoken: `Encoding`, method by method, over a tokenizer of any binding."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Sequence, Set
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Literal, cast

import numpy as np

from ffi_cookbook.bindings._glue.bpe.specials import Finder, control_ids
from ffi_cookbook.bindings._glue.text import as_ids, integers
from ffi_cookbook.bindings.errors import TokenizerError
from ffi_cookbook.bindings.protocol import Tokenizer, Uint32Array
from ffi_cookbook.tokenizer.offsets import character_offsets

Allowed = Literal["all"] | Set[str]
Refused = Literal["all"] | Collection[str]
NONE: frozenset[str] = frozenset()


class Encoding:
    """A replacement for the result of `tiktoken.get_encoding`, with its names and exceptions.

    Two things differ: where one special token begins another, the longest is found, while
    tiktoken's choice depends on the hashes of the names; and the constructor and what needs merge
    ranks are in the subclass `ffi_cookbook.tokenizer.tiktoken.Encoding`.

    Args:
        tokenizer: a tokenizer of any binding, which is also the attribute `tokenizer`.
        name: as in tiktoken.
    """

    def __init__(self, tokenizer: Tokenizer, name: str) -> None:
        self.tokenizer = tokenizer
        self.name = name
        model = tokenizer.model
        ids = model.sections["special_ids"].tolist()
        self._added: dict[str, int] = dict(zip(model.special_names, ids, strict=True))
        control = set(control_ids(model.sections).tolist())
        self._special_tokens = {
            name: token for name, token in self._added.items() if token in control
        }

    def __repr__(self) -> str:
        return f"<Encoding {self.name!r}>"

    # ---- encoding --------------------------------------------------------------------------

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the ids of a text, with special tokens as plain text."""
        return self.encode(text, disallowed_special=())

    def encode(
        self, text: str, *, allowed_special: Allowed = NONE, disallowed_special: Refused = "all"
    ) -> list[int]:
        """Return the ids of a text."""
        ids = self._encode(text, allowed_special, disallowed_special)
        return cast("list[int]", integers(ids).tolist())

    def encode_to_numpy(
        self, text: str, *, allowed_special: Allowed = NONE, disallowed_special: Refused = "all"
    ) -> Uint32Array:
        """Return the ids of a text as an array."""
        ids = self._encode(text, allowed_special, disallowed_special)
        if not text.isascii():
            text.encode()  # here tiktoken refuses lone surrogates
        return ids

    def encode_ordinary_batch(
        self, text: Iterable[str], *, num_threads: int = 8
    ) -> list[list[int]]:
        """Return the ids of each text, with special tokens as plain text."""
        return self.encode_batch(text, num_threads=num_threads, disallowed_special=())

    def encode_batch(
        self,
        text: Iterable[str],
        *,
        num_threads: int = 8,
        allowed_special: Allowed = NONE,
        disallowed_special: Refused = "all",
    ) -> list[list[int]]:
        """Return the ids of each text."""
        _check_threads(num_threads)
        texts = list(text)
        options = self._options(texts, allowed_special, disallowed_special)
        try:
            ids, offsets = self.tokenizer.encode_batch(texts, num_threads, **options)
        except TokenizerError as error:
            raise _refusal(error) from None
        flat = integers(ids)
        return [flat[start:end].tolist() for start, end in pairwise(offsets.tolist())]

    def encode_single_token(self, text_or_bytes: str | bytes) -> int:
        """Return the id of a token, or raise KeyError."""
        data = text_or_bytes.encode() if isinstance(text_or_bytes, str) else text_or_bytes
        if not isinstance(data, bytes):
            raise TypeError(f"expected str or bytes, not {type(data).__name__}")
        added = {name.encode(): token for name, token in self._added.items()}
        found = self.tokenizer.model.ranks.get(data, added.get(data))
        if found is None:
            raise KeyError(data)
        return found

    # ---- special tokens --------------------------------------------------------------------

    def _encode(self, text: str, allowed: Allowed, refused: Refused) -> Uint32Array:
        options = self._options([text], allowed, refused)
        try:
            return self.tokenizer.encode(text, **options)
        except TokenizerError as error:
            raise _refusal(error) from None

    def _options(self, texts: list[str], allowed: Allowed, refused: Refused) -> dict[str, Any]:
        """Return the options for special tokens that the tokenizer takes.

        Names that are not special tokens are searched for here: tiktoken ignores them among the
        allowed ones, and refuses a text that has a disallowed one.
        """
        for text in texts:
            if not isinstance(text, str):
                raise TypeError(f"expected str, not {type(text).__name__}")
        if allowed == NONE and (refused == "all" or not refused):
            return {} if refused else {"disallowed_special": ()}
        if allowed != "all" and not isinstance(allowed, Set):
            raise TypeError(f'allowed_special must be "all" or a set, not {type(allowed).__name__}')
        known = self.special_tokens_set
        allowed = known if allowed == "all" else allowed
        refused = known - allowed if refused == "all" else frozenset(refused or ())
        if refused - known:
            for text in texts:
                for _, name in _finder(frozenset(refused)).find_all(text):
                    raise _disallowed(name)
            refused = known & refused
        return {"allowed_special": known & allowed, "disallowed_special": refused}

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
        _check_threads(num_threads)
        return [self.decode(tokens, errors) for tokens in list(batch)]

    def decode_bytes_batch(
        self, batch: Iterable[Sequence[int]], *, num_threads: int = 8
    ) -> list[bytes]:
        """Return the bytes of each row of ids."""
        _check_threads(num_threads)
        return [self.decode_bytes(tokens) for tokens in list(batch)]

    # ---- the vocabulary --------------------------------------------------------------------

    def token_byte_values(self) -> list[bytes]:
        """Return the tokens that are not special, sorted."""
        return sorted(self.tokenizer.model.ranks)

    @property
    def eot_token(self) -> int:
        """The id of <|endoftext|>, or KeyError."""
        return self._special_tokens["<|endoftext|>"]

    @cached_property
    def special_tokens_set(self) -> set[str]:
        """The names of the special tokens."""
        return set(self._special_tokens)

    def is_special_token(self, token: int) -> bool:
        """Return True if the id is that of a special token."""
        assert isinstance(token, int)
        return token in self._special_tokens.values()

    @property
    def max_token_value(self) -> int:
        """The highest id."""
        return self.tokenizer.model.n_vocab - 1

    @property
    def n_vocab(self) -> int:
        """The number of ids, one more than the highest."""
        return self.tokenizer.model.n_vocab


@lru_cache(maxsize=128)
def _finder(names: frozenset[str]) -> Finder:
    return Finder(names)


def _refusal(error: TokenizerError) -> ValueError:
    return error if error.token is None else _disallowed(error.token)


def _disallowed(token: str) -> ValueError:
    return ValueError(
        f"Encountered text corresponding to disallowed special token {token!r}.\n"
        "If you want this text to be encoded as a special token, "
        f"pass it to `allowed_special`, e.g. `allowed_special={{{token!r}, ...}}`.\n"
        "If you want this text to be encoded as normal text, disable the check for this token "
        f"by passing `disallowed_special=(enc.special_tokens_set - {{{token!r}}})`.\n"
        "To disable this check for all special tokens, pass `disallowed_special=()`.\n"
    )


def _check_threads(num_threads: int) -> None:
    """Raise ValueError for a number that tiktoken's pool of threads refuses."""
    if num_threads < 1:
        raise ValueError("max_workers must be greater than 0")


def _ids_of(tokens: Sequence[int]) -> Uint32Array:
    ordered = tokens.ndim == 1 if isinstance(tokens, np.ndarray) else isinstance(tokens, Sequence)
    if not ordered:
        raise TypeError(f"expected a sequence of ids, not {type(tokens).__name__}")
    return as_ids(tokens)
