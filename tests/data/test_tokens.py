"""Files of tokens, and the sequences that a stream makes of them."""

from __future__ import annotations

import os
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook.data import TokenStream
from ffi_cookbook.data.tokens.token_files import TokenWriter, open_token_file
from support.backends import needs

DOCUMENTS = [[5, 6, 7, 0], [8, 0], [], [9, 10, 11, 12, 13, 0], [14, 0]]
SHARDS = DOCUMENTS[:2], DOCUMENTS[2:4], DOCUMENTS[4:]
TOKENS = [token for document in DOCUMENTS for token in document]


def write(path: Path, documents: Any, n_ids: int = 2**16) -> Path:
    with TokenWriter(path, n_ids) as file:
        for some in (documents[:1], documents[1:]):
            ids = np.array([token for document in some for token in document], np.int64)
            file.write(ids, np.array([len(document) for document in some]))
    return path


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    return [write(tmp_path / f"{i}.bin", shard) for i, shard in enumerate(SHARDS)]


def test_a_file_and_its_index(tmp_path: Path) -> None:
    """The bytes are those that Megatron-LM's indexed_dataset.py describes."""
    file = open_token_file(write(tmp_path / "a.bin", DOCUMENTS[:2], 2**16 + 1))
    assert (file.dtype, file.start, file.n) == (np.dtype("<i4"), 0, 6)
    assert file.documents.tolist() == [0, 4]
    head = b"MMIDIDX\0\0" + struct.pack("<QBQQ", 1, 4, 2, 3)
    tables = struct.pack("<2i", 4, 2) + struct.pack("<2q", 0, 16) + struct.pack("<3q", 0, 1, 2)
    assert (tmp_path / "a.idx").read_bytes() == head + tables
    assert sorted(os.listdir(tmp_path)) == ["a.bin", "a.idx"]


def test_documents_of_several_sequences(tmp_path: Path) -> None:
    write(tmp_path / "a.bin", DOCUMENTS[:2])
    head = b"MMIDIDX\0\0" + struct.pack("<QBQQ", 1, 8, 3, 3)
    tables = struct.pack("<3i", 1, 3, 2) + struct.pack("<3q", 0, 2, 8) + struct.pack("<3q", 0, 2, 3)
    (tmp_path / "a.idx").write_bytes(head + tables)
    assert open_token_file(tmp_path / "a.bin").documents.tolist() == [0, 4]


@pytest.mark.parametrize(
    ("head", "dtype"),
    [
        (b"", "<u2"),
        (struct.pack("<256i", 20240520, 1, *[0] * 254), "<u2"),
        (struct.pack("<256i", 20240801, 7, *[0] * 254), "<u4"),
    ],
)
def test_files_without_an_index(tmp_path: Path, head: bytes, dtype: str) -> None:
    (tmp_path / "a.bin").write_bytes(head + np.arange(1000).astype(dtype).tobytes())
    file = open_token_file(tmp_path / "a.bin")
    assert (file.dtype, file.start, file.n) == (np.dtype(dtype), len(head), 1000)
    (batch,) = TokenStream(tmp_path / "a.bin", 999)
    assert batch.tokens.tolist() == [list(range(1000))]


@pytest.mark.parametrize("at", [0, 9, 17, 20, 28, 34, 42, 46, 58, 66])
def test_a_damaged_index(tmp_path: Path, at: int) -> None:
    """A changed byte anywhere in the index is an error, or gives other documents."""
    write(tmp_path / "a.bin", DOCUMENTS[:2])
    index = bytearray((tmp_path / "a.idx").read_bytes())
    assert len(index) == 34 + 2 * 12 + 3 * 8
    index[at] ^= 0x81
    (tmp_path / "a.idx").write_bytes(index)
    with pytest.raises(ValueError, match=r"a\.idx"):
        open_token_file(tmp_path / "a.bin")
    for size in (0, 10, len(index) - 1):
        (tmp_path / "a.idx").write_bytes(index[:size])
        with pytest.raises(ValueError, match=r"a\.idx"):
            open_token_file(tmp_path / "a.bin")


def test_what_a_writer_refuses(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="less than 2"), TokenWriter(tmp_path / "a.bin", 9) as file:
        file.write(np.array([1]), np.array([2**31]))
    assert os.listdir(tmp_path) == []


def test_tokens_never_appear_without_their_index(tmp_path: Path) -> None:
    (tmp_path / "a.idx").mkdir()
    with pytest.raises(IsADirectoryError, match=r"a\.idx"):
        write(tmp_path / "a.bin", DOCUMENTS)
    assert os.listdir(tmp_path) == ["a.idx"]


def rows(batches: Any) -> list[tuple[int, ...]]:
    return [tuple(row) for batch in batches for row in batch.tokens.tolist()]


@pytest.mark.parametrize("length", [1, 3, 5, 13])
def test_sequences_across_files(paths: list[Path], length: int) -> None:
    """Each token is an input once, except at the end, and the next token is its target."""
    n = (len(TOKENS) - 1) // length
    stream = TokenStream(paths, length, batch_size=2)
    expected = [tuple(TOKENS[i * length : (i + 1) * length + 1]) for i in range(n)]
    assert rows(stream) == expected
    assert (stream.n_sequences, stream.n_tokens) == (n, len(TOKENS))
    assert sorted(rows(TokenStream(paths, length, shuffle=True, seed=3))) == sorted(expected)


def test_where_documents_begin(paths: list[Path]) -> None:
    """The 5 documents, of which one is empty, begin at the tokens 0, 4, 6, 6 and 12."""
    (batch,) = TokenStream(paths, 5, batch_size=3)  # rows begin at 0 and 5
    assert batch.cu_seqlens.dtype == np.int32
    assert batch.cu_seqlens.tolist() == [0, 4, 5, 6, 10]
    assert batch.position_ids.tolist() == [[0, 1, 2, 3, 0], [0, 0, 1, 2, 3]]
    assert batch.inputs.tolist() == [TOKENS[:5], TOKENS[5:10]]
    assert batch.targets.tolist() == [TOKENS[1:6], TOKENS[6:11]]
    assert len(batch) == 2
    (batch,) = TokenStream(paths, 6, batch_size=2)  # a document begins where a row does
    assert batch.cu_seqlens.tolist() == [0, 4, 6, 12]


def test_a_state_of_another_corpus_is_refused(paths: list[Path], tmp_path: Path) -> None:
    """Other names, sizes or tokens are another corpus, but not another folder."""
    state = TokenStream(paths, 1).state_dict()
    folder = tmp_path / "moved"
    folder.mkdir()
    same = [write(folder / path.name, shard) for path, shard in zip(paths, SHARDS, strict=True)]
    TokenStream(same, 1).load_state_dict(state)
    renamed = [*paths[:2], write(folder / "x.bin", SHARDS[2])]
    changed = [*paths[:2], write(folder / "2.bin", [[15, 0]])]
    parts = DOCUMENTS[:1], DOCUMENTS[1:4]
    resized = [write(folder / f"{i}.bin", part) for i, part in enumerate(parts)]
    for others in (paths[::-1], renamed, changed, [*resized, paths[2]]):
        stream = TokenStream(others, 1)
        assert stream.n_tokens == len(TOKENS)
        with pytest.raises(
            ValueError, match=r"states: (the files .*tokens.* were|the tokens are others)"
        ):
            stream.load_state_dict(state)
    with pytest.raises(ValueError, match="length was 1, and is 2 here"):
        TokenStream(paths, 2).load_state_dict(state)


def test_to_torch(paths: list[Path]) -> None:
    torch = needs("torch")
    (batch,) = TokenStream(paths, 5, batch_size=3)
    tensors = batch.to_torch()
    assert tensors["inputs"].dtype == torch.int64
    assert tensors["inputs"].data_ptr() == batch.tokens.ctypes.data
    assert tensors["targets"].tolist() == batch.targets.tolist()
    assert tensors["cu_seqlens"].tolist() == batch.cu_seqlens.tolist()
    (batch,) = TokenStream(paths, 5, batch_size=3, pad_last=True)
    assert batch.to_torch()["valid"].tolist() == batch.valid.tolist()


def test_what_a_stream_refuses(paths: list[Path], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least 16 tokens, not 14"):
        TokenStream(paths, 15)
    with pytest.raises(ValueError, match="length must be at least 1"):
        TokenStream(paths, 0)
    for dtype in ("float32", "int16", "uint8"):
        with pytest.raises(ValueError, match=f"dtype must hold uint16, not be {dtype}"):
            TokenStream(paths, 2, dtype=dtype)
    with pytest.raises(ValueError, match="paths must name at least one file"):
        TokenStream([], 4)
    with pytest.raises(FileNotFoundError):
        TokenStream(str(tmp_path / "no*.bin"), 2)
    mixed = [*paths, write(tmp_path / "wide.bin", DOCUMENTS, 2**16 + 1)]
    with pytest.raises(ValueError, match="one dtype"):
        TokenStream(mixed, 2)
    (tmp_path / "odd.bin").write_bytes(b"abc")
    with pytest.raises(ValueError, match=r"odd\.bin must hold whole tokens"):
        TokenStream(tmp_path / "odd.bin", 1)


@pytest.mark.parametrize("threads", [0, 2])
def test_a_file_that_is_cut_short(paths: list[Path], threads: int) -> None:
    stream = TokenStream(paths, 5, threads=threads)
    os.truncate(paths[0], 4)
    with pytest.raises(ValueError, match=r"0\.bin has become shorter: it ends before byte 4"):
        list(stream)


# ---- Sequences of several sources of tokens in fixed proportions.


SIZES = 100, 61, 9  # the second source is in two files


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Return three sources, of the tokens from 0, from 1000 and from 2000 on."""
    folder = tmp_path_factory.mktemp("tokens")
    tokens = [np.arange(size) + 1000 * i for i, size in enumerate(SIZES)]
    parts = [tokens[0], tokens[1][:17], tokens[1][17:], tokens[2]]
    for path, ids in zip(("a.bin", "b0.bin", "b1.bin", "c.bin"), parts, strict=True):
        with TokenWriter(folder / path, 2**16) as file:
            file.write(ids, np.array([5, len(ids) - 5]))
    return [folder / "a.bin", str(folder / "b*.bin"), [folder / "c.bin"]]


def of_source(number: int) -> list[tuple[int, ...]]:
    """Return the sequences of 4 tokens, with the target behind them, of a source by itself."""
    tokens = [1000 * number + i for i in range(SIZES[number])]
    return [tuple(tokens[i : i + 5]) for i in range(0, len(tokens) - 4, 4)]


@pytest.mark.parametrize(
    ("weights", "repeat", "counts"),
    [
        ([1, 1, 1], False, [2, 2, 2]),
        ([4, 3, 0.5], False, [16, 12, 2]),
        ([0.8, 0.5, 0.1], False, [16, 10, 2]),
        ([1, 1, 1], True, [24, 24, 24]),
    ],
)
def test_an_epoch_has_exact_proportions(
    sources: list[Any], weights: list[float], repeat: bool, counts: list[int]
) -> None:
    """No sequence crosses from one source into the next, and each comes as often as another."""
    options: Any = {"weights": weights, "repeat": repeat, "batch_size": 5, "threads": 2}
    stream = TokenStream(sources, 4, shuffle=True, **options)
    assert (stream.counts, stream.n_sequences, stream.n_tokens) == (counts, sum(counts), 170)
    found = rows(stream)
    for number, count in enumerate(counts):
        whole = of_source(number)
        times = Counter(row for row in found if row[0] // 1000 == number)
        assert times.total() == count
        assert times.keys() <= set(whole)
        assert set(times.values()) <= {count // len(whole), -(-count // len(whole))}
    in_order = rows(TokenStream(sources, 4, **options))
    origins, blocks = ([row[0] // 1000 for row in some] for some in (found, in_order))
    assert blocks == sorted(blocks)
    assert origins != sorted(origins)


def test_documents_begin_where_they_do_in_their_source(sources: list[Any]) -> None:
    """The second source's documents begin at its tokens 0, 5, 17 and 22."""
    stream = TokenStream(sources[1:2], 10, weights=[1], batch_size=6, threads=0)
    (batch,) = stream
    assert batch.cu_seqlens.tolist() == [0, 5, 10, 17, 20, 22, 30, 40, 50, 60]


def test_what_cannot_be_mixed(sources: list[Any], tmp_path: Path) -> None:
    for paths, weights, error, match in (
        (sources, [1], ValueError, "one for each item of paths, not 1 for 3"),
        ([], [], ValueError, "one for each item of paths, not 0 for 0"),
        (sources, [1, 1, 1e-6], ValueError, r"weights\[2\] is too small"),
        (sources[1], [1], TypeError, "paths must be a list, for the weights, not str"),
        (sources, None, TypeError, r"source\[2\] must be a path"),
    ):
        with pytest.raises(error, match=match):
            TokenStream(paths, 4, weights=weights)
    with pytest.raises(ValueError, match=r"paths\[2\] must have at least 10 tokens, not 9"):
        TokenStream(sources, 9, weights=[1, 1, 1])
    with pytest.raises(TypeError, match="repeat must be given with weights"):
        TokenStream(sources[0], 4, repeat=True)
