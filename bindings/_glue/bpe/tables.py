"""The hash tables of a model: open addressing with linear probing, built by numpy in rounds.

docs/tokenizer.md, "The model", defines the keys and the hashes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.bpe.merge import Pairs

K1 = np.uint64(0x9E3779B97F4A7C15)
K2 = np.uint64(0xC2B2AE3D27D4EB4F)
ID_BITS = np.uint64(21)
ID_MASK = np.uint64((1 << 21) - 1)
EMPTY_PAIR = np.uint64(0xFFFFFFFFFFFFFFFF)
NO_RANK = 0xFFFFFFFF
SHORT = 15  # bytes of the longest token in the short table
PROBES = 256  # slots that a kernel tries before it gives up; real vocabularies need 40

Uint64 = npt.NDArray[np.uint64]
Int64 = npt.NDArray[np.int64]


def bits_for(n: int) -> int:
    """Return log2 of the size of a table of which n keys fill at most half."""
    return max(1, (2 * n - 1).bit_length())


def place(hashes: Uint64, bits: int) -> Int64:
    """Return the slot of each key.

    In every round each waiting key claims its slot if that is free, and the losers move on by one.
    So no key ever lies after an empty slot of its own probe sequence.

    Raises:
        ValueError: more keys share a hash than chance allows, so the keys were chosen to collide.
    """
    slots = (hashes >> np.uint64(64 - bits)).astype(np.int64)
    owner = np.full(1 << bits, -1, np.int32)
    waiting = np.arange(len(slots), dtype=np.int32)
    for _ in range(PROBES):
        wanted = slots[waiting]
        free = owner[wanted] < 0
        owner[wanted[free]] = waiting[free]
        waiting = waiting[owner[wanted] != waiting]
        if not waiting.size:
            return slots
        slots[waiting] = (slots[waiting] + 1) & ((1 << bits) - 1)
    raise ValueError(f"the hashes of more than {PROBES} tokens or merges collide")


def short_keys(data: bytes, starts: Int64, sizes: Int64) -> Uint64:
    """Return the keys of tokens that lie in `data`, of shape (2, n): the bytes and the size.

    The key of a longer token has no meaning. At least 16 bytes follow the last start.
    """
    words = np.ndarray(len(data) - 7, "<u8", data, strides=(1,))
    masks = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
    low = words[starts] & masks[np.minimum(sizes, 8)]
    high = words[starts + 8] & masks[np.clip(sizes - 8, 0, 8)]
    return np.stack([low, high | sizes.astype(np.uint64) << np.uint64(8 * SHORT - 64)])


def short_table(keys: Uint64, ids: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    """Return the table of the tokens of 1 to 15 bytes."""
    bits = bits_for(len(ids))
    slots = place(keys[0] * K1 + keys[1] * K2, bits)
    words = np.zeros((1 << bits, 2), "<u8")
    short_ids = np.zeros(1 << bits, "<u4")
    words[slots] = keys.T
    short_ids[slots] = ids
    return {"short_keys": words.view(np.uint8), "short_ids": short_ids}


def find_short(table: Mapping[str, npt.NDArray[Any]], keys: Uint64) -> Int64:
    """Return the id of each key in the short table, or -1."""
    words, bits = table["short_keys"].view("<u8"), len(table["short_ids"]).bit_length() - 1
    slots = (keys[0] * K1 + keys[1] * K2 >> np.uint64(64 - bits)).astype(np.int64)
    waiting = np.arange(len(slots))
    for _ in range(PROBES):
        low, high = words.take(slots[waiting], 0).T
        other = (low != keys[0][waiting]) | (high != keys[1][waiting])
        waiting = waiting.compress(other & (high != 0))
        if not waiting.size:
            break
        slots[waiting] = slots[waiting] + 1 & (1 << bits) - 1
    found = np.where(words[slots, 1] == 0, -1, table["short_ids"][slots].astype(np.int64))
    found[waiting] = -1
    return found


def long_hash(token: bytes) -> int:
    """Return the hash of a token's 64-bit words, little-endian, the last one padded."""
    h = len(token)
    for at in range(0, len(token), 8):
        h = (h ^ int.from_bytes(token[at : at + 8], "little")) * int(K1) & 0xFFFFFFFFFFFFFFFF
        h ^= h >> 32
    return h


def long_table(tokens: Mapping[bytes, int]) -> dict[str, npt.NDArray[Any]]:
    """Return the table of the tokens of 16 bytes and more.

    It has only their ids; the bytes are compared in `token_bytes`.
    """
    hashes = np.array([long_hash(token) for token in tokens], np.uint64)
    bits = bits_for(len(tokens))
    long_ids = np.zeros(1 << bits, "<u4")
    long_ids[place(hashes, bits)] = np.fromiter(tokens.values(), np.int64, len(tokens)) + 1
    return {"long_ids": long_ids}


def pair_tables(
    merges: npt.NDArray[np.uint32], byte_ids: npt.NDArray[Any]
) -> dict[str, npt.NDArray[Any]]:
    """Return the tables of merges, for any two ids and for any two bytes.

    `merges` has rows of left, right, rank, id.
    """
    left, right, rank, merged = merges.T
    bits = bits_for(len(merges))
    keys = left.astype(np.uint64) << ID_BITS | right
    pairs = np.full(1 << bits, EMPTY_PAIR)
    pairs[place(keys * K1, bits)] = keys << ID_BITS | rank
    in_filter = np.zeros(4 << bits, np.bool_)
    in_filter[(keys * K1) >> np.uint64(62 - bits)] = True
    id_of_rank = np.zeros(0 if (rank == merged).all() else int(rank.max()) + 1, np.uint32)
    if len(id_of_rank):
        id_of_rank[rank] = merged
    return {
        "pairs": pairs,
        "byte_pairs": find_pairs(pairs, np.repeat(byte_ids, 256), np.tile(byte_ids, 256)),
        "pair_filter": np.packbits(in_filter, bitorder="little"),
        "merged": id_of_rank,
    }


def find_pairs(pairs: Uint64, left: Int64, right: Int64) -> Int64:
    """Return the rank of each pair of ids in the pair table, or NO_RANK."""
    bits = len(pairs).bit_length() - 1
    keys = (left << int(ID_BITS) | right).astype(np.uint64)
    slots = ((keys * K1) >> np.uint64(64 - bits)).astype(np.int64)
    waiting = np.arange(len(slots))
    for _ in range(PROBES):
        there = pairs[slots[waiting]]
        waiting = waiting[(there >> ID_BITS != keys[waiting]) & (there != EMPTY_PAIR)]
        if not waiting.size:
            break
        slots[waiting] = (slots[waiting] + 1) & (len(pairs) - 1)
    found = pairs[slots]
    found[waiting] = EMPTY_PAIR
    return np.where(found == EMPTY_PAIR, NO_RANK, (found & ID_MASK).astype(np.int64))


def listed_ids(sections: Mapping[str, npt.NDArray[Any]]) -> list[int]:
    """Return the ids in the short and the long table: tokens that a whole pretoken may be."""
    short_ids = sections["short_ids"][sections["short_keys"][:, SHORT] > 0]
    long_ids = sections["long_ids"][sections["long_ids"] > 0] - 1
    return [*short_ids.tolist(), *long_ids.tolist()]


def listed_pairs(sections: Mapping[str, npt.NDArray[Any]]) -> Pairs:
    """Return the merges in the pair table."""
    pairs = sections["pairs"][sections["pairs"] != EMPTY_PAIR]
    ranks = pairs & ID_MASK
    merged = sections["merged"][ranks.astype(np.int64)] if len(sections["merged"]) else ranks
    left, right = pairs >> ID_BITS >> ID_BITS, pairs >> ID_BITS & ID_MASK
    keys = (left << np.uint64(32) | right).tolist()
    return dict(zip(keys, zip(ranks.tolist(), merged.tolist(), strict=True), strict=True))
