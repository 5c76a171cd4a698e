"""Sequences of a fixed length in files of tokens."""

from __future__ import annotations

import os
import zlib
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.data.order.refusals import listed
from ffi_cookbook.data.tokens.token_files import open_token_file, pieces_of

_SAMPLES, _SAMPLE = 16, 64  # parts of the tokens that the checksum has, and tokens in each


class Sequences:
    """The sequences of `length` tokens in some sources, which are lists of files.

    Sequence i of a source has its tokens from i x length to (i + 1) x length, that one included.
    Sequences are numbered source after source, and none crosses from one into the next.

    Attributes:
        counts: the number of sequences of each source.
    """

    def __init__(self, sources: list[list[str]], length: int) -> None:
        self.reader, self._length = TokenReader(list(chain.from_iterable(sources))), length
        self._starts = self.reader.starts[np.cumsum([0, *map(len, sources)])]
        sizes = np.diff(self._starts)
        if sizes.min() <= length:
            which = "" if len(sources) == 1 else f"[{sizes.argmin()}]"
            raise ValueError(
                f"paths{which} must have at least {length + 1} tokens, not {sizes.min()}"
            )
        self.counts: list[int] = ((sizes - 1) // length).tolist()
        self._firsts = np.cumsum([0, *self.counts])

    def read(self, numbers: Int64Array) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
        """Return the tokens of these sequences, and where rows and documents begin in them."""
        source = np.searchsorted(self._firsts, numbers, "right") - 1
        at = self._starts[source] + (numbers - self._firsts[source]) * self._length
        tokens = self.reader.read(at, self._length + 1)
        return tokens, self.reader.boundaries(at, self._length)


class TokenReader:
    """The tokens of some files as one sequence, which any number of threads may read.

    It reads and does not map, so that a file that another program cuts short raises an error. It
    opens the file anew for each sequence, so that nothing stays open.

    Attributes:
        dtype: of the tokens.
        starts: the number of the first token of each file, then the number of all tokens.
        checksum: of the names and sizes of the files, and of some of the tokens.
    """

    def __init__(self, paths: list[str]) -> None:
        self._files = [open_token_file(path) for path in paths]
        dtypes = {file.dtype for file in self._files}
        if not dtypes:
            raise ValueError("paths must name at least one file")
        if len(dtypes) > 1:
            raise ValueError(f"paths must have tokens of one dtype, not {sorted(map(str, dtypes))}")
        self.dtype = dtypes.pop()
        self.starts = np.cumsum([0, *(file.n for file in self._files)])
        documents = [
            start + file.documents
            for start, file in zip(self.starts.tolist(), self._files, strict=False)
        ]
        self._documents = np.unique(np.concatenate(documents))
        self.checksum = self._checksum()

    def read(self, at: Int64Array, n: int) -> npt.NDArray[Any]:
        """Return `n` tokens from each of the positions `at` on, as an array (len(at), n)."""
        rows = np.empty((len(at), n), self.dtype)
        for row, start in zip(rows, at.tolist(), strict=True):
            done = 0
            for number, first, here in pieces_of(self.starts, start, n):
                self._fill(row[done : done + here], number, first)
                done += here
        return rows

    def boundaries(self, at: Int64Array, n: int) -> npt.NDArray[np.int32]:
        """Return the starts of rows of `n` tokens and of the documents in them, then the total.

        The rows begin at the tokens `at`. The results are places in all rows, one after the other.
        """
        first = np.searchsorted(self._documents, at, "right")
        counts = np.searchsorted(self._documents, at + n, "left") - first
        ends = np.cumsum(counts)
        inner = np.arange(counts.sum()) + np.repeat(first - (ends - counts), counts)
        shift = np.arange(len(at)) * n
        within = self._documents[inner] + np.repeat(shift - at, counts)
        return np.sort(np.concatenate([shift, within, [len(at) * n]])).astype(np.int32)

    def files(self) -> list[Any]:
        """Return the names of some files and their numbers of tokens, for a state."""
        names = [os.path.basename(file.path) for file in self._files]
        return listed(names, [file.n for file in self._files])

    def _checksum(self) -> int:
        n = int(self.starts[-1])
        size = min(n, _SAMPLE)
        some = self.read(np.linspace(0, n - size, _SAMPLES).astype(np.int64), size)
        about = [(os.path.basename(file.path), file.n) for file in self._files]
        return zlib.crc32(ascii(about).encode(), zlib.crc32(some.tobytes()))

    def _fill(self, row: npt.NDArray[Any], number: int, first: int) -> None:
        file, rest = self._files[number], row.view(np.uint8).data
        at = file.start + first * file.dtype.itemsize
        handle = os.open(file.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        try:
            while len(rest):
                size = os.preadv(handle, [rest], at)
                if size == 0:
                    raise ValueError(f"{file.path} has become shorter: it ends before byte {at}")
                rest, at = rest[size:], at + size
        finally:
            os.close(handle)
