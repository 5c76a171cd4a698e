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

K1, K2 = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F


class Reader:
    """A header that is read by the specification alone."""

    def __init__(self, blob: bytes) -> None:
        self.blob = blob
        assert struct.unpack_from("<8sQ", blob) == (b"ckbpe\0\0\x03", len(blob))
        numbers = struct.unpack_from("<8I", blob, 16)
        self.pattern, self.max_digits, self.n_ids, self.n_special = numbers[:4]
        *self.at, self.n_merged, n_states = struct.unpack_from("<15Q2I", blob, 48)
        assert (n_states, blob[184:192]) == (0, bytes(8))

    def u32(self, section: int, index: int) -> int:
        return int.from_bytes(self.blob[(at := self.at[section] + 4 * index) : at + 4], "little")

    def token(self, token_id: int) -> bytes:
        start = self.at[9]
        return self.blob[start + self.u32(8, token_id) : start + self.u32(8, token_id + 1)]


def test_the_tokens(rank_file: RankFile) -> None:
    model, ranks = rank_file.load(), rank_file.ranks
    reader = Reader(model.blob.tobytes())
    assert model.ranks == ranks
    assert all(reader.token(rank) == token for token, rank in [*ranks.items()][::100])
    for left, right in product(range(256), repeat=2):
        rank = reader.u32(11, left << 8 | right)
        assert rank == ranks.get(bytes([left, right]), 0xFFFFFFFF)


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
    assert 2 * (sections["pairs"] != 2**64 - 1).sum() <= len(sections["pairs"])
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
