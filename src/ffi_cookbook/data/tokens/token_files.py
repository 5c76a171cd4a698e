"""Files of token ids: `name.bin`, and `name.idx` with the documents in it, as Megatron-LM has them.

A `.bin` file without an index is read as nanoGPT (uint16 alone) or llm.c (a header) write it.

Layout of an index, little-endian, after Megatron-LM's indexed_dataset.py:

    "MMIDIDX" 0 0 | version 1: u64 | dtype: u8 | n_sequences: u64 | n_documents + 1: u64
    sizes of the sequences in tokens: i32[n_sequences]
    places of the sequences in bytes: i64[n_sequences]
    first sequence of each document, then n_sequences: i64[n_documents + 1]
"""

from __future__ import annotations

import os
import struct
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.files import NewFile, PathLike, Written, open_regular
from ffi_cookbook.records.reading.sources import TOKEN_INDEX_MAGIC

_HEADER = struct.Struct("<9sQBQQ")
_VERSION = 1
_DTYPES: dict[int, np.dtype[Any]] = {4: np.dtype("<i4"), 8: np.dtype("<u2")}  # Megatron-LM's codes
_LLM_C_HEADER = 1024  # bytes: 256 int32
_LLM_C: dict[tuple[int, int], np.dtype[Any]] = {
    (20240520, 1): np.dtype("<u2"),
    (20240801, 7): np.dtype("<u4"),
}


class TokenFile(NamedTuple):
    """Where the tokens of a file are.

    Attributes:
        path: of the `.bin` file.
        dtype: of a token.
        start: the offset in bytes of the first token.
        n: the number of tokens.
        documents: the number of the first token of each document; one if that is unknown.
    """

    path: str
    dtype: np.dtype[Any]
    start: int
    n: int
    documents: Int64Array


def open_token_file(path: PathLike) -> TokenFile:
    """Return what a `.bin` file holds, according to its index if it has one.

    Raises:
        OSError: the file cannot be read.
        ValueError: the name ends otherwise, or the index is damaged or contradicts the file.
    """
    name = os.fsdecode(path)
    if not name.endswith(".bin"):
        raise ValueError(
            f"{name:.200} must end in .bin, as files of token ids do; tokenize writes them"
        )
    size = os.path.getsize(name)
    index = os.path.splitext(name)[0] + ".idx"
    if os.path.exists(index):
        return _indexed(name, index, size)
    with open_regular(name) as file:
        head = file.read(_LLM_C_HEADER)
    dtype, start = np.dtype("<u2"), 0
    if len(head) == _LLM_C_HEADER:
        magic, version, _ = struct.unpack_from("<3i", head)
        if found := _LLM_C.get((magic, version)):
            dtype, start = found, _LLM_C_HEADER
    n, rest = divmod(size - start, dtype.itemsize)
    if rest:
        raise ValueError(f"{name} must hold whole tokens of {dtype.itemsize} bytes")
    return TokenFile(name, dtype, start, n, np.zeros(1, np.int64))


def _indexed(name: str, index: str, size: int) -> TokenFile:
    with open_regular(index) as file:
        data = file.read()
    if len(data) < _HEADER.size:
        raise ValueError(f"{index} must have a header of {_HEADER.size} bytes, not {len(data)}")
    magic, version, code, n_sequences, n_documents = _HEADER.unpack_from(data)
    if (magic, version) != (TOKEN_INDEX_MAGIC, _VERSION):
        raise ValueError(f"{index} is not an index of version {_VERSION} of Megatron-LM")
    if code not in _DTYPES:
        raise ValueError(f"{index}: tokens must be of uint16 (8) or int32 (4), not of type {code}")
    if len(data) != _HEADER.size + 12 * n_sequences + 8 * n_documents:
        raise ValueError(f"{index} must have as many bytes as its {n_sequences} sequences need")
    sizes = np.frombuffer(data, "<i4", n_sequences, _HEADER.size)
    places = np.frombuffer(data, "<i8", n_sequences, _HEADER.size + 4 * n_sequences)
    firsts = np.frombuffer(data, "<i8", n_documents, _HEADER.size + 12 * n_sequences)
    starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    dtype = _DTYPES[code]
    if sizes.min(initial=0) < 0 or not np.array_equal(places, starts[:-1] * dtype.itemsize):
        raise ValueError(f"{index}: the sequences must follow each other without gaps")
    if starts[-1] * dtype.itemsize != size:
        raise ValueError(f"{index} describes {starts[-1]} tokens, but {name} has {size} bytes")
    steps = np.diff(firsts, prepend=0)
    if steps.min(initial=0) < 0 or firsts.max(initial=0) > n_sequences:
        raise ValueError(f"{index}: the documents must be in the order of the sequences")
    return TokenFile(name, dtype, 0, int(starts[-1]), np.unique(starts[firsts[:-1]]))


class TokenWriter(Written):
    """A `.bin` file being written, and its index; both appear when it is complete.

        with TokenWriter("train-0.bin", n_ids) as file:
            file.write(ids, sizes)

    The index appears first: tokens without one would be read as uint16. An exception within the
    `with` block discards both.

    Args:
        path: of the `.bin` file.
        n_ids: all ids are below this number. The tokens are uint16 if they fit, otherwise int32.
    """

    def __init__(self, path: PathLike, n_ids: int) -> None:
        self._code = 8 if n_ids <= 2**16 else 4
        self._index = os.path.splitext(os.fsdecode(path))[0] + ".idx"
        self._tokens, self._sizes, self.n_tokens = NewFile(path), list[Int64Array](), 0

    def write(self, ids: npt.NDArray[Any], sizes: Int64Array) -> None:
        """Append documents: their ids one after the other, and the number of ids of each.

        Raises:
            ValueError: a document has more ids than an index can say.
        """
        if sizes.max(initial=0) >= 2**31:
            raise ValueError("a document must have less than 2**31 ids")
        self._tokens.write(np.ascontiguousarray(ids, _DTYPES[self._code]).data)
        self._sizes.append(sizes)
        self.n_tokens += len(ids)

    def discard(self) -> None:
        """Remove what has been written, unless it is published already."""
        self._tokens.discard()

    def close(self) -> None:
        """Write the index, and give both files their names."""
        sizes = np.concatenate([np.empty(0, np.int64), *self._sizes])
        places = (np.cumsum(sizes) - sizes) * _DTYPES[self._code].itemsize
        n = len(sizes)
        with NewFile(self._index) as file:
            file.write(_HEADER.pack(TOKEN_INDEX_MAGIC, _VERSION, self._code, n, n + 1))
            file.write(sizes.astype("<i4").data, places.astype("<i8").data)
            file.write(np.arange(n + 1, dtype="<i8").data)
        self._tokens.close()
