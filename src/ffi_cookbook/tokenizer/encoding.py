"""The API of tiktoken: `Encoding`, method by method, over a tokenizer of any binding."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, NoReturn

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.bpe.specials import Finder
from ffi_cookbook.bindings.errors import TokenizerError
from ffi_cookbook.bindings.protocol import Uint32Array
from ffi_cookbook.tokenizer.from_tokens import Decoding, check_threads

Allowed = Literal["all"] | Set[str]
Refused = Literal["all"] | Collection[str]
NONE: frozenset[str] = frozenset()


class Encoding(Decoding):
    """A replacement for the result of `tiktoken.get_encoding`, with its names and exceptions.

    Two things differ: where one special token begins another, the longest is found, while
    tiktoken's choice depends on the hashes of the names; and `encode_with_unstable` is not
    implemented.

    Args:
        tokenizer: a tokenizer of any binding, which is also the attribute `tokenizer`.
        name: as in tiktoken.
    """

    # ---- encoding --------------------------------------------------------------------------

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the ids of a text, with special tokens as plain text."""
        return self.encode(text, disallowed_special=())

    def encode(
        self, text: str, *, allowed_special: Allowed = NONE, disallowed_special: Refused = "all"
    ) -> list[int]:
        """Return the ids of a text."""
        ids: list[int] = self._encode(text, allowed_special, disallowed_special).tolist()
        return ids

    def encode_to_numpy(
        self,
        text: str,
        *,
        allowed_special: Allowed = NONE,
        disallowed_special: Refused = "all",
        dtype: npt.DTypeLike = np.uint32,
    ) -> npt.NDArray[Any]:
        """Return the ids of a text as an array of this dtype, which tiktoken does not have.

        Raises:
            ValueError: the dtype cannot hold every id of the vocabulary.
        """
        wanted = np.dtype(dtype)
        if wanted.kind not in "iu" or np.iinfo(wanted).max < self.max_token_value:
            raise ValueError(f"dtype must hold ids up to {self.max_token_value}, not be {wanted}")
        ids = self._encode(text, allowed_special, disallowed_special).astype(wanted, copy=False)
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
        check_threads(num_threads)
        texts = list(text)
        options = self._options(texts, allowed_special, disallowed_special)
        try:
            ids, offsets = self.tokenizer.encode_batch(texts, num_threads, **options)
        except TokenizerError as error:
            raise _refusal(error) from None
        flat = ids.tolist()
        return [flat[start:end] for start, end in pairwise(offsets.tolist())]

    def encode_single_token(self, text_or_bytes: str | bytes) -> int:
        """Return the id of a token, or raise KeyError."""
        data = text_or_bytes.encode() if isinstance(text_or_bytes, str) else text_or_bytes
        if not isinstance(data, bytes):
            raise TypeError(f"expected str or bytes, not {type(data).__name__}")
        model = self.tokenizer.model
        specials = zip(model.special_names, model.sections["special_ids"].tolist(), strict=True)
        names = {name.encode(): token for name, token in specials}
        found = model.ranks.get(data, names.get(data))
        if found is None:
            raise KeyError(data)
        return found

    def encode_with_unstable(self, *arguments: Any, **options: Any) -> NoReturn:
        """Raise NotImplementedError."""
        raise NotImplementedError("encode_with_unstable is not implemented here")

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
            _check_text(text)
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


def _check_text(text: str) -> None:
    if not isinstance(text, str):
        raise TypeError(f"expected str, not {type(text).__name__}")


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
