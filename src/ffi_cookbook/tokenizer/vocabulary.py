"""A vocabulary in the form that a model is built from, for every kind of file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.bpe.merge import merge
from ffi_cookbook.bindings._glue.bpe.patterns import Pattern
from ffi_cookbook.bindings._glue.bpe.specials import LONGEST

MAX_IDS = 1 << 21  # three ids, or ranks, fit in 64 bits

NO_ID = MAX_IDS  # no pair has it

CUT_EVERYWHERE = 256  # the most bytes of a token whose every cut is tried

Token = tuple[bytes, int]
Row = tuple[int, int, int, int]  # left, right, rank, id


@dataclass(frozen=True)
class Vocabulary:
    """Tokens, and how bytes become them."""

    tokens: Mapping[bytes, int]
    merges: npt.NDArray[np.uint32]
    """Shape (n, 4): left, right, rank, id."""
    whole: list[Token]
    """The tokens that a pretoken becomes at once when it equals one, before any merging."""
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    pattern: Pattern | None = None
    """None if the file does not say."""
    nfc: bool = False
    """Texts are to be brought to Normalization Form C."""
    flags: Mapping[str, int] = field(default_factory=dict)
    """LSTRIP, RSTRIP and NORMALIZED of special tokens."""


def from_ranks(ranks: Mapping[bytes, int]) -> Vocabulary:
    """Return the vocabulary of ranks as tiktoken sees it.

    A token's id is its rank, and any two tokens that spell a third one merge.
    """
    check(ranks)
    rows = []
    find = ranks.get
    for token, rank in ranks.items():
        for cut in range(1, len(token) if len(token) <= CUT_EVERYWHERE else 0):
            left = find(token[:cut])
            if left is not None and (right := find(token[cut:])) is not None:
                rows.append((left, right, rank, rank))
    rows += _long_rows(ranks)
    return Vocabulary(ranks, _table(rows), list(ranks.items()))


def _long_rows(ranks: Mapping[bytes, int]) -> Iterator[Row]:
    """Yield the merges that make the long tokens.

    Trying every cut of a token would take quadratic time, so a cut is tried only after a prefix
    that is a token.
    """
    long = [token for token in ranks if len(token) > CUT_EVERYWHERE]
    if not long:
        return
    begins = _longest_beginnings({token: token for token in ranks})
    ends = _longest_beginnings({token[::-1]: token for token in ranks})
    for token in long:
        lefts, left, right = {}, begins[token], ends[token]
        while left:
            lefts[len(left)] = ranks[left]
            left = begins[left]
        while right:
            if (found := lefts.get(len(token) - len(right))) is not None:
                yield found, ranks[right], ranks[token], ranks[token]
            right = ends[right]


def _longest_beginnings(tokens: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """Return for each value that of the longest other key that its key begins with, or b"".

    In sorted order all keys that a key begins with come before it, each a prefix of the next. A
    stack holds them, so the work is that of sorting.
    """
    found: dict[bytes, bytes] = {}
    stack: list[bytes] = []
    for key in sorted(tokens):
        while stack and not key.startswith(stack[-1]):
            stack.pop()
        found[tokens[key]] = tokens[stack[-1]] if stack else b""
        stack.append(key)
    return found


def from_merges(tokens: Mapping[bytes, int], rows: list[Row], ignore_merges: bool) -> Vocabulary:
    """Return the vocabulary of merges as Hugging Face sees it.

    Only listed pairs merge, in the order of the list. A pretoken that is a token becomes that token
    if the merges produce it too; with `ignore_merges` it always does. A byte that UTF-8 never has
    may lack a token.
    """
    pairs: dict[int, tuple[int, int]] = {}
    for left, right, rank, token_id in rows:
        if pairs.setdefault(left << 32 | right, (rank, token_id))[0] != rank:
            raise ValueError(f"merge {rank} is a repetition")
    if len(rows) > MAX_IDS:
        raise ValueError(f"{len(rows)} merges, more than {MAX_IDS}")
    byte_ids = [tokens.get(bytes([byte]), NO_ID) for byte in range(256)]

    def reached(token: bytes, token_id: int) -> bool:
        return merge([byte_ids[byte] for byte in token], pairs) == [token_id]

    whole = [it for it in tokens.items() if ignore_merges or reached(*it)]
    return Vocabulary(tokens, _table(rows), whole)


def check(tokens: Mapping[bytes, int]) -> None:
    """Raise ValueError unless the tokens can encode any bytes and have ids of their own."""
    for byte in range(256):
        if bytes([byte]) not in tokens:
            raise ValueError(f"no token for the byte 0x{byte:02x}")
    check_ids(tokens)


def check_ids(tokens: Mapping[bytes, int] | Mapping[str, int]) -> None:
    """Raise ValueError unless the tokens have ids of their own, in the range of ids."""
    names: dict[int, bytes | str] = {}
    for token, token_id in tokens.items():
        if not isinstance(token_id, int) or not 0 <= token_id < MAX_IDS:
            raise ValueError(f"the id {token_id!r} of {token!r} is not in 0..{MAX_IDS - 1}")
        if names.setdefault(token_id, token) != token:
            raise ValueError(f"{names[token_id]!r} and {token!r} have the same id {token_id}")


def check_specials(special_tokens: Mapping[str, int], tokens: Mapping[int, bytes]) -> None:
    """Raise ValueError unless these tokens can be found and have ids of their own.

    One may be an ordinary token too, with the same bytes and id.
    """
    used = dict(tokens)
    for name, token_id in special_tokens.items():
        if not name or not isinstance(token_id, int) or not 0 <= token_id < MAX_IDS:
            raise ValueError(f"the special token {name!r} cannot have the id {token_id!r}")
        if len(name.encode()) > LONGEST:
            start = f"{name[:20]!r}..."
            raise ValueError(f"the special token {start} has more than {LONGEST} bytes")
        if used.setdefault(token_id, name.encode()) != name.encode():
            raise ValueError(f"the id {token_id} of the special token {name!r} is taken")


def _table(rows: list[Row]) -> npt.NDArray[np.uint32]:
    return np.array(rows, np.uint32).reshape(-1, 4)
