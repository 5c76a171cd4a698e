"""A vocabulary in the form that a model is built from, for every kind of file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.bpe.layout import Steps
from ffi_cookbook.bindings._glue.bpe.merge import merge
from ffi_cookbook.bindings._glue.bpe.patterns import Pattern
from ffi_cookbook.bindings._glue.bpe.specials import LONGEST
from ffi_cookbook.bindings._glue.bpe.tables import NO_RANK, find_pairs, listed_pairs

NO_STEPS = Steps(0)
MAX_IDS = 1 << 21  # three ids, or ranks, fit in 64 bits

WIDTH = 16  # bytes of a token up to which all tokens are compared at once

CUT_EVERYWHERE = 256  # the most bytes of a token whose every cut is tried

Merges = npt.NDArray[np.uint32]
"""Shape (n, 4): left, right, rank, id."""
Row = tuple[int, int, int, int]
Int32 = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Vocabulary:
    """Tokens, and how bytes become them."""

    tokens: Mapping[bytes, int]
    merges: Merges
    every_token: bool
    """A pretoken that equals a token becomes it at once, even if the merges would not make it."""
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    pattern: Pattern | None = None
    """None if the file does not say."""
    steps: Steps = NO_STEPS
    unknown: int | None = None
    """The id of unknown characters, if bytes have no tokens."""
    byte_ids: Sequence[int] = ()
    """The id of each byte, if it is not that of the token of this byte."""
    byte_tokens: Mapping[int, bytes] = field(default_factory=dict)
    """Tokens that stand for a byte of an unknown character."""
    flags: Mapping[str, int] = field(default_factory=dict)
    """The flags of special tokens."""
    around: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """The ids that the file puts before a text, and after it."""


def from_ranks(ranks: Mapping[bytes, int]) -> Vocabulary:
    """Return the vocabulary of ranks as tiktoken sees it.

    A token's id is its rank, and any two tokens that spell a third one merge.
    """
    check(ranks)
    rows = np.concatenate([_short_rows(ranks), _table([*_middle_rows(ranks)])])
    place_of = np.zeros(max(ranks.values()) + 1, np.uint32)
    place_of[[*ranks.values()]] = np.arange(len(ranks))
    rows = rows[np.argsort(place_of[rows[:, 2]], kind="stable")]
    return Vocabulary(ranks, np.concatenate([rows, _table([*_long_rows(ranks)])]), True)


def _short_rows(ranks: Mapping[bytes, int]) -> Merges:
    """Return the merges that make the tokens of up to 16 bytes."""
    sizes = np.fromiter(map(len, ranks), np.int32, len(ranks))
    ids = np.fromiter(ranks.values(), np.int32, len(ranks))[sizes <= WIDTH]
    tokens = [token for token in ranks if len(token) <= WIDTH]
    sizes = sizes[sizes <= WIDTH]
    begins = _beginnings(tokens, sizes, ids)
    ends = _beginnings([token[::-1] for token in tokens], sizes, ids)
    rows = []
    for cut in range(1, WIDTH):
        number = np.flatnonzero(begins[cut] >= 0)
        right = ends[sizes[number] - cut, number]
        number, right = number[right >= 0], right[right >= 0]
        rows.append(np.stack([begins[cut, number], right, ids[number], ids[number]], 1))
    return np.concatenate(rows).astype(np.uint32)


def _beginnings(tokens: list[bytes], sizes: Int32, ids: Int32) -> Int32:
    """Return the id of the first n bytes of each token, or -1, as an array of shape (n, tokens).

    In sorted order, the tokens with the same first n bytes lie together. The first of them is
    these bytes, if any is.
    """
    letters = np.array(tokens, f"S{WIDTH}").view(np.uint8).reshape(-1, WIDTH)
    order = np.lexsort((sizes, *letters.view(">u8").astype(np.uint64).T[::-1]))
    letters, sizes, ids = letters[order], sizes[order], ids[order]
    differ = np.ones((len(tokens), WIDTH + 1), np.bool_)
    differ[1:, :WIDTH] = letters[1:] != letters[:-1]
    common = np.minimum(differ.argmax(1), sizes)  # bytes that a token shares with the one before
    common[1:] = np.minimum(common[1:], sizes[:-1])
    numbers = np.arange(len(tokens), dtype=np.int32)
    found = np.full((WIDTH, len(tokens)), -1, np.int32)
    for n in range(1, WIDTH):
        first = np.maximum.accumulate(np.where(common < n, numbers, 0))
        found[n, order] = np.where((sizes[first] == n) & (sizes > n), ids[first], -1)
    return found


def _middle_rows(ranks: Mapping[bytes, int]) -> Iterator[Row]:
    """Yield the merges that make the tokens of 17 to 256 bytes."""
    for token, rank in ranks.items():
        if WIDTH < len(token) <= CUT_EVERYWHERE:
            for cut in range(1, len(token)):
                left = ranks.get(token[:cut])
                if left is not None and (right := ranks.get(token[cut:])) is not None:
                    yield left, right, rank, rank


def _long_rows(ranks: Mapping[bytes, int]) -> Iterator[Row]:
    """Yield the merges that make the longer tokens.

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


def from_merges(tokens: Mapping[bytes, int], rows: Merges, ignore_merges: bool) -> Vocabulary:
    """Return the vocabulary of merges as Hugging Face sees it.

    Only listed pairs merge, in the order of the list. A pretoken that is a token becomes that token
    if the merges produce it too; with `ignore_merges` it always does. A byte that UTF-8 never has
    may lack a token.
    """
    pairs = rows[:, 0].astype(np.int64) << 32 | rows[:, 1]
    ordered = np.sort(pairs)
    if (ordered[1:] == ordered[:-1]).any():
        repeated = np.delete(np.arange(len(pairs)), np.unique(pairs, return_index=True)[1])
        raise ValueError(f"merge {repeated[0]} is a repetition")
    if len(rows) > MAX_IDS:
        raise ValueError(f"{len(rows)} merges, more than {MAX_IDS}")
    return Vocabulary(tokens, rows, ignore_merges)


def made_by_merges(
    tokens: Mapping[bytes, int],
    tables: Mapping[str, npt.NDArray[Any]],
    byte_ids: npt.NDArray[Any] | None = None,
) -> npt.NDArray[np.bool_]:
    """Return, for each token, whether the merges turn its bytes into it.

    All tokens lie end to end, and a round of the loop is one merge in each of them.

    Args:
        tokens: a token with a byte that has no token of its own is not made.
        tables: those of `pair_tables`.
        byte_ids: None for those of the tokens.
    """
    pairs, merged = tables["pairs"], tables["merged"]
    if byte_ids is None:
        byte_ids = np.array([tokens.get(bytes([byte]), -1) for byte in range(256)])
    byte_pairs = find_pairs(pairs, np.repeat(byte_ids, 256), np.tile(byte_ids, 256))
    ids = np.fromiter(tokens.values(), np.int64, len(tokens))
    sizes = np.fromiter(map(len, tokens), np.int64, len(tokens))
    made = np.zeros(len(tokens), np.bool_)
    if sizes.max() > CUT_EVERYWHERE:  # a round takes time for the whole token
        listed = listed_pairs(tables)
        for number, token in enumerate(tokens):
            if len(token) > CUT_EVERYWHERE:
                made[number] = merge(byte_ids[[*token]].tolist(), listed) == [ids[number]]

    going = np.flatnonzero((sizes >= 1) & (sizes <= CUT_EVERYWHERE))
    sizes = sizes[going]
    data = np.frombuffer(b"".join(token for token in tokens if len(token) <= CUT_EVERYWHERE), "u1")
    symbols = byte_ids[data]
    ranks = byte_pairs[data * np.int64(256) + np.append(data[1:], 0)]  # of a symbol and the next
    while going.size:
        ends = np.cumsum(sizes)
        starts = ends - sizes
        ranks[ends - 1] = NO_RANK
        lowest = np.minimum.reduceat(ranks << 31 | np.arange(len(ranks)), starts)
        rank, at = lowest >> 31, lowest & 0x7FFFFFFF
        merges = rank != NO_RANK
        made[going] = ~merges & (sizes == 1) & (symbols[starts] == ids[going])
        stays = np.repeat(merges, sizes)
        rank, at, within = rank[merges], at[merges], (at - starts)[merges]
        symbols[at] = merged[rank] if len(merged) else rank
        stays[at + 1] = False
        symbols, ranks = symbols[stays], ranks[stays]
        going, sizes = going[merges], sizes[merges] - 1
        at = np.cumsum(sizes) - sizes + within
        changed = np.concatenate([at[within < sizes - 1], at[within > 0] - 1])
        ranks[changed] = find_pairs(pairs, symbols[changed], symbols[changed + 1])
    return made


def check(tokens: Mapping[bytes, int]) -> None:
    """Raise ValueError unless the tokens can encode any bytes and have ids of their own."""
    for byte in range(256):
        if bytes([byte]) not in tokens:
            raise ValueError(f"no token for the byte 0x{byte:02x}")
    check_ids(tokens)


def check_ids(tokens: Mapping[bytes, int] | Mapping[str, int]) -> None:
    """Raise ValueError unless the tokens have ids of their own, in the range of ids."""
    ids = tokens.values()
    distinct = {*map(type, ids)} == {int} and len({*ids}) == len(ids)
    if distinct and min(ids) >= 0 and max(ids) < MAX_IDS:
        return
    names: dict[int, bytes | str] = {}
    for token, token_id in tokens.items():
        if not isinstance(token_id, int) or not 0 <= token_id < MAX_IDS:
            raise ValueError(f"the id {token_id!r} of {token!r} is not in 0..{MAX_IDS - 1}")
        if names.setdefault(token_id, token) != token:
            raise ValueError(f"{names[token_id]!r} and {token!r} have the same id {token_id}")


def check_specials(
    special_tokens: Mapping[str, int], tokens: Mapping[bytes, int] | Mapping[str, int]
) -> None:
    """Raise ValueError unless these tokens can be found and have ids of their own.

    One may be an ordinary token too, with the same bytes and id.
    """
    ids = {token_id for token_id in special_tokens.values() if isinstance(token_id, int)}
    used = {token_id: token for token, token_id in tokens.items() if token_id in ids}
    for name, token_id in special_tokens.items():
        if not name or not isinstance(token_id, int) or not 0 <= token_id < MAX_IDS:
            raise ValueError(f"the special token {name!r} cannot have the id {token_id!r}")
        if len(name.encode()) > LONGEST:
            start = f"{name[:20]!r}..."
            raise ValueError(f"the special token {start} has more than {LONGEST} bytes")
        if used.setdefault(token_id, name) not in (name, name.encode()):
            raise ValueError(f"the id {token_id} of the special token {name!r} is taken")


def _table(rows: list[Row]) -> Merges:
    return np.array(rows, np.uint32).reshape(-1, 4)
