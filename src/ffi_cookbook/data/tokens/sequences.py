"""Sequences of a fixed length in files of tokens."""

from __future__ import annotations

import os
import zlib
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.data.order.refusals import described
from ffi_cookbook.data.tokens.token_files import TokenFile, open_token_file

_SAMPLES, _SAMPLE = 16, 64  # parts of the tokens that the checksum has, and tokens in each


class Sequences:
    """The sequences of `length` tokens in some sources, which are lists of files.

    Sequence i of a source has its tokens from i x length to (i + 1) x length, that one included.
    Sequences are numbered source after source, and none crosses from one into the next.

    Any number of threads may read them. The files are read and not mapped, so that one that another
    program cuts short raises an error, and opened for each sequence, so that nothing stays open.

    Attributes:
        counts: the number of sequences of each source.
        n_tokens, dtype: of all files.
        checksum: of the names and sizes of the files, and of some of the tokens.
    """

    def __init__(self, sources: list[list[str]], length: int) -> None:
        self._files = [open_token_file(path) for path in chain.from_iterable(sources)]
        dtypes = {file.dtype for file in self._files}
        if not dtypes:
            raise ValueError("paths must name at least one file")
        if len(dtypes) > 1:
            raise ValueError(f"paths must have tokens of one dtype, not {sorted(map(str, dtypes))}")
        self.dtype = dtypes.pop()
        self._starts = np.cumsum([0, *(file.n for file in self._files)])  # of files, and the end
        documents = [
            start + file.documents
            for start, file in zip(self._starts.tolist(), self._files, strict=False)
        ]
        self._documents = np.unique(np.concatenate(documents))
        self.n_tokens = int(self._starts[-1])
        self.checksum = self._checksum()
        self._length, self._sources = length, self._starts[np.cumsum([0, *map(len, sources)])]
        sizes = np.diff(self._sources)
        if sizes.min() <= length:
            which = "" if len(sources) == 1 else f"[{sizes.argmin()}]"
            raise ValueError(
                f"paths{which} must have at least {length + 1} tokens, not {sizes.min()}"
            )
        self.counts: list[int] = ((sizes - 1) // length).tolist()
        self._firsts = np.cumsum([0, *self.counts])

    def read(self, numbers: Int64Array) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
        """Return the tokens of these sequences, and where rows and documents begin in them.

        The places are those in all inputs, one row after the other, and the last is their number.
        """
        source = np.searchsorted(self._firsts, numbers, "right") - 1
        at = self._sources[source] + (numbers - self._firsts[source]) * self._length
        return self._tokens(at, self._length + 1), self._boundaries(at)

    def files(self) -> str:
        """Return the names of some files and their numbers of tokens, for a state."""
        names = [os.path.basename(file.path) for file in self._files]
        return described(names, [file.n for file in self._files])

    def _tokens(self, at: Int64Array, n: int) -> npt.NDArray[Any]:
        """Return `n` tokens from each of the positions `at` on, as an array (len(at), n)."""
        rows = np.empty((len(at), n), self.dtype)
        files = np.searchsorted(self._starts, at, "right") - 1
        firsts = at - self._starts[files]
        for row, number, first in zip(rows, files.tolist(), firsts.tolist(), strict=True):
            while len(row):
                file = self._files[number]
                here = min(len(row), file.n - first)
                _fill(row[:here], file, first)
                row, number, first = row[here:], number + 1, 0
        return rows

    def _boundaries(self, at: Int64Array) -> npt.NDArray[np.int32]:
        """Return the places for `read`, of rows that begin at the tokens `at`."""
        n = self._length
        first = np.searchsorted(self._documents, at, "right")
        counts = np.searchsorted(self._documents, at + n, "left") - first
        ends = np.cumsum(counts)
        inner = np.arange(counts.sum()) + np.repeat(first - (ends - counts), counts)
        shift = np.arange(len(at)) * n
        within = self._documents[inner] + np.repeat(shift - at, counts)
        return np.sort(np.concatenate([shift, within, [len(at) * n]])).astype(np.int32)

    def _checksum(self) -> int:
        size = min(self.n_tokens, _SAMPLE)
        places = np.linspace(0, self.n_tokens - size, _SAMPLES).astype(np.int64)
        about = [(os.path.basename(file.path), file.n) for file in self._files]
        return zlib.crc32(ascii(about).encode(), zlib.crc32(self._tokens(places, size).tobytes()))


def _fill(row: npt.NDArray[Any], file: TokenFile, first: int) -> None:
    """Read the tokens of a file from number `first` on into a row."""
    rest, at = row.view(np.uint8).data, file.start + first * file.dtype.itemsize
    handle = os.open(file.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        while len(rest):
            size = os.preadv(handle, [rest], at)
            if size == 0:
                raise ValueError(f"{file.path} has become shorter: it ends before byte {at}")
            rest, at = rest[size:], at + size
    finally:
        os.close(handle)
