"""The layout of the model, read as docs/tokenizer.md describes it."""

from __future__ import annotations

import struct
from itertools import product

import numpy as np
import pytest
import tiktoken

from ffi_cookbook.bindings._glue.bpe import unicode16
from ffi_cookbook.bindings._glue.bpe.patterns import NAMES
from ffi_cookbook.tokenizer import Model
from support.rank_files import RankFile

MASK = (1 << 64) - 1
K1, K2 = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F


class Reader:
    """A table whose keys are looked up by the specification alone."""

    def __init__(self, blob: bytes) -> None:
        self.blob = blob
        assert struct.unpack_from("<8sQ", blob) == (b"ckbpe\0\0\x03", len(blob))
        numbers = struct.unpack_from("<8I", blob, 16)
        self.pattern, self.max_digits, self.n_ids, self.n_special = numbers[:4]
        self.short_bits, self.long_bits, self.pair_bits, self.n_blocks = numbers[4:]
        *self.at, self.n_merged, n_states = struct.unpack_from("<15Q2I", blob, 48)
        assert (n_states, blob[184:192]) == (0, bytes(8))

    def u32(self, section: int, index: int) -> int:
        return int.from_bytes(self.blob[(at := self.at[section] + 4 * index) : at + 4], "little")

    def u64(self, section: int, index: int) -> int:
        return int.from_bytes(self.blob[(at := self.at[section] + 8 * index) : at + 8], "little")

    def token(self, token_id: int) -> bytes:
        start = self.at[9]
        return self.blob[start + self.u32(8, token_id) : start + self.u32(8, token_id + 1)]

    def find(self, token: bytes) -> int | None:
        if len(token) <= 15:
            key = token.ljust(15, b"\0") + bytes([len(token)])
            low, high = struct.unpack("<2Q", key)
            slot = (low * K1 + high * K2 & MASK) >> (64 - self.short_bits)
            while (stored := self.blob[(at := self.at[3] + 16 * slot) : at + 16])[15]:
                if stored == key:
                    return self.u32(4, slot)
                slot = (slot + 1) % (1 << self.short_bits)
            return None
        h = len(token)
        for at in range(0, len(token), 8):
            word = token[at : at + 8].ljust(8, b"\0")
            h = (h ^ struct.unpack("<Q", word)[0]) * K1 & MASK
            h ^= h >> 32
        slot = h >> (64 - self.long_bits)
        while stored_id := self.u32(5, slot):
            if self.token(stored_id - 1) == token:
                return stored_id - 1
            slot = (slot + 1) % (1 << self.long_bits)
        return None

    def merge(self, left: int, right: int) -> tuple[int, int] | None:
        hashed = (left << 21 | right) * K1 & MASK
        place = hashed >> (62 - self.pair_bits)
        in_filter = self.blob[self.at[12] + place // 8] >> place % 8 & 1
        slot = hashed >> (64 - self.pair_bits)
        while (entry := self.u64(6, slot)) != MASK:
            if entry >> 21 == left << 21 | right:
                assert in_filter
                return self.rank_and_id(entry & 0x1FFFFF)
            slot = (slot + 1) % (1 << self.pair_bits)
        return None

    def merge_bytes(self, left: int, right: int) -> tuple[int, int] | None:
        rank = self.u32(11, left << 8 | right)
        return None if rank == 0xFFFFFFFF else self.rank_and_id(rank)

    def rank_and_id(self, rank: int) -> tuple[int, int]:
        return rank, self.u32(13, rank) if self.n_merged else rank


def test_every_token_is_found_and_no_other(rank_file: RankFile) -> None:
    model = rank_file.load()
    reader = Reader(model.blob.tobytes())
    stride = len(rank_file.ranks) // 5000 + 1
    longest = sorted(rank_file.ranks, key=len)[-500:]
    for token in [*list(rank_file.ranks)[::stride], *longest]:
        assert reader.find(token) == rank_file.ranks[token]
        assert reader.token(rank_file.ranks[token]) == token
        for other in (token + b"\0", token + token, token[::-1] + b"\xff"):
            assert reader.find(other) == rank_file.ranks.get(other)
    assert model.ranks == rank_file.ranks


def test_every_pair_is_found_and_no_other(rank_file: RankFile) -> None:
    model, ranks = rank_file.load(), rank_file.ranks
    reader = Reader(model.blob.tobytes())
    cuts = [(token[:i], token[i:]) for token in ranks for i in range(1, len(token))]
    pairs = [(ranks[a], ranks[b], ranks[a + b]) for a, b in cuts if a in ranks and b in ranks]
    used = model.sections["pairs"] != MASK
    assert used.sum() == len(pairs)
    for left, right, merged in pairs[:: len(pairs) // 5000 + 1]:
        assert reader.merge(left, right) == (merged, merged)
        assert reader.merge(merged, left) is None or ranks.get(
            reader.token(merged) + reader.token(left)
        )
    two = {token: (rank, rank) for token, rank in ranks.items() if len(token) == 2}
    for left, right in product(range(256), repeat=2):
        assert reader.merge_bytes(left, right) == two.get(bytes([left, right]))
    assert np.unpackbits(model.sections["pair_filter"]).sum() <= len(pairs)


def test_header_and_sections(rank_file: RankFile) -> None:
    model = rank_file.load()
    reader = Reader(model.blob.tobytes())
    assert (reader.pattern, reader.max_digits) == NAMES[rank_file.pattern]
    assert reader.n_ids == model.n_vocab == max(*rank_file.ranks.values(), rank_file.eot) + 1
    assert [reader.u32(10, i) for i in range(reader.n_special)] == [rank_file.eot]
    assert all(at % 64 == 0 for at in reader.at)
    assert list(reader.at) == sorted(reader.at)
    sections = model.sections
    for table in (sections["short_ids"], sections["long_ids"], sections["pairs"]):
        assert len(table) & (len(table) - 1) == 0
    assert 2 * (sections["short_keys"][:, 15] > 0).sum() <= len(sections["short_ids"])
    assert 2 * (sections["long_ids"] > 0).sum() <= len(sections["long_ids"])
    assert 2 * (sections["pairs"] != MASK).sum() <= len(sections["pairs"])
    kinds = np.zeros(model.n_vocab, np.uint8)
    kinds[list(rank_file.ranks.values())] = 1
    kinds[rank_file.eot] = 2
    assert (sections["defined"] == kinds).all()
    assert [model.tokens[i] for i in sections["byte_ids"]] == [bytes([b]) for b in range(256)]


def test_the_blob_cannot_be_written_and_is_aligned(rank_file: RankFile) -> None:
    made = Model.from_ranks(rank_file.ranks, pattern="gpt2")
    for model in (rank_file.load(), rank_file.load(), made):
        assert model.blob.ctypes.data % 8 == 0
        assert model.blob.flags.c_contiguous
        assert model.blob.dtype == np.uint8
        with pytest.raises(ValueError, match="read-only"):
            model.blob[0] = 0
        with pytest.raises(ValueError, match="read-only"):
            model.sections["pairs"][0] = 0


def test_unicode_classes_are_those_of_tiktoken(rank_file: RankFile) -> None:
    """An Encoding whose pattern is one class drops every other character."""
    ranks = {bytes([byte]): byte for byte in range(256)}
    everything = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000))))
    sections = rank_file.load().sections
    points = np.arange(0x110000)
    blocks = sections["unicode_index"][points >> 7]
    classes = sections["unicode_blocks"][blocks, points & 127]
    assert (classes == unicode16.classes() % 7).all()
    names = [r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}", r"\s"]
    for number, pattern in enumerate(names, 1):
        pattern = tiktoken.Encoding(
            "pattern", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}
        )
        found = pattern.decode(pattern.encode_ordinary(everything))
        assert [ord(c) for c in found] == points[classes == number].tolist()
    assert (classes == 6).sum() == 25
