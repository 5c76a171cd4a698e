"""The hash tables of a model: open addressing with linear probing, built by numpy in rounds.

docs/tokenizer.md, "The model", defines the keys and the hashes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.bpe.merge import Pairs

K1 = np.uint64(0x9E3779B97F4A7C15)
K2 = np.uint64(0xC2B2AE3D27D4EB4F)
ID_BITS = np.uint64(21)
EMPTY_PAIR = np.uint64(0xFFFFFFFFFFFFFFFF)
NO_RANK = 0xFFFFFFFF
SHORT = 15  # bytes of the longest token in the short table
PROBES = 256  # slots that a kernel tries before it gives up; real vocabularies need 40

Uint64 = npt.NDArray[np.uint64]


def bits_for(n: int) -> int:
    """Return log2 of the size of a table of which n keys fill at most half."""
    return max(1, (2 * n - 1).bit_length())


def place(hashes: Uint64, bits: int) -> npt.NDArray[np.int64]:
    """Return the slot of each key.

    In every round each waiting key claims its slot if that is free, and the losers move on by one.
    So no key ever lies after an empty slot of its own probe sequence.

    Raises:
        ValueError: more keys share a hash than chance allows, so the keys were chosen to collide.
    """
    slots = (hashes >> np.uint64(64 - bits)).astype(np.int64)
    owner = np.full(1 << bits, -1, np.int64)
    waiting = np.arange(len(slots))
    for _ in range(PROBES):
        wanted = slots[waiting]
        free = owner[wanted] < 0
        owner[wanted[free]] = waiting[free]
        waiting = waiting[owner[wanted] != waiting]
        if not waiting.size:
            return slots
        slots[waiting] = (slots[waiting] + 1) & ((1 << bits) - 1)
    raise ValueError(f"the hashes of more than {PROBES} tokens or merges collide")


def short_table(tokens: Sequence[tuple[bytes, int]]) -> dict[str, npt.NDArray[np.generic]]:
    """Return the table of the tokens of 1 to 15 bytes.

    A key is the token itself, padded, and its length.
    """
    packed = b"".join(token.ljust(SHORT, b"\0") + bytes([len(token)]) for token, _ in tokens)
    keys = np.frombuffer(packed, np.uint8).reshape(-1, 16)
    halves = keys.view("<u8").reshape(-1, 2).astype(np.uint64)
    bits = bits_for(len(tokens))
    slots = place(halves[:, 0] * K1 + halves[:, 1] * K2, bits)
    short_keys = np.zeros((1 << bits, 16), np.uint8)
    short_ids = np.zeros(1 << bits, "<u4")
    short_keys[slots] = keys
    short_ids[slots] = [token_id for _, token_id in tokens]
    return {"short_keys": short_keys, "short_ids": short_ids}


def long_hash(token: bytes) -> int:
    """Return the hash of a token's 64-bit words, little-endian, the last one padded."""
    h = len(token)
    for at in range(0, len(token), 8):
        h = (h ^ int.from_bytes(token[at : at + 8], "little")) * int(K1) & 0xFFFFFFFFFFFFFFFF
        h ^= h >> 32
    return h


def long_table(tokens: Sequence[tuple[bytes, int]]) -> dict[str, npt.NDArray[np.generic]]:
    """Return the table of the tokens of 16 bytes and more.

    It has only their ids; the bytes are compared in `token_bytes`.
    """
    hashes = np.array([long_hash(token) for token, _ in tokens], np.uint64)
    bits = bits_for(len(tokens))
    long_ids = np.zeros(1 << bits, "<u4")
    long_ids[place(hashes, bits)] = [token_id + 1 for _, token_id in tokens]
    return {"long_ids": long_ids}


def pair_tables(
    merges: npt.NDArray[np.uint32], byte_ids: npt.NDArray[Any]
) -> dict[str, npt.NDArray[np.generic]]:
    """Return the tables of merges, for any two ids and for any two bytes.

    `merges` has rows of left, right, rank, id.
    """
    left, right, rank, merged = merges.astype(np.uint64).T
    bits = bits_for(len(merges))
    keys = left << ID_BITS | right
    pairs = np.full(1 << bits, EMPTY_PAIR)
    pairs[place(keys * K1, bits)] = keys << ID_BITS | rank
    in_filter = np.zeros(4 << bits, np.bool_)
    in_filter[(keys * K1) >> np.uint64(62 - bits)] = True
    rank_of = dict(zip(keys.tolist(), rank.tolist(), strict=True))
    ids = byte_ids.tolist()
    byte_pairs = [rank_of.get(a << int(ID_BITS) | b, NO_RANK) for a in ids for b in ids]
    id_of_rank = np.zeros(0 if (rank == merged).all() else int(rank.max()) + 1, np.uint64)
    if len(id_of_rank):
        id_of_rank[rank.astype(np.int64)] = merged
    return {
        "pairs": pairs,
        "byte_pairs": np.array(byte_pairs, np.uint32),
        "pair_filter": np.packbits(in_filter, bitorder="little"),
        "merged": id_of_rank,
    }


def listed_ids(sections: Mapping[str, npt.NDArray[Any]]) -> list[int]:
    """Return the ids in the short and the long table: tokens that a whole pretoken may be."""
    short_ids = sections["short_ids"][sections["short_keys"][:, SHORT] > 0]
    long_ids = sections["long_ids"][sections["long_ids"] > 0] - 1
    return [*short_ids.tolist(), *long_ids.tolist()]


def listed_pairs(sections: Mapping[str, npt.NDArray[Any]]) -> Pairs:
    """Return the merges in the pair table."""
    pairs = sections["pairs"][sections["pairs"] != EMPTY_PAIR]
    ranks = pairs & np.uint64((1 << int(ID_BITS)) - 1)
    merged = sections["merged"][ranks.astype(np.int64)] if len(sections["merged"]) else ranks
    left, right = pairs >> ID_BITS >> ID_BITS, pairs >> ID_BITS & np.uint64((1 << int(ID_BITS)) - 1)
    keys = (left << np.uint64(32) | right).tolist()
    return dict(zip(keys, zip(ranks.tolist(), merged.tolist(), strict=True), strict=True))
