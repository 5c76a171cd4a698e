"""TokenStream: sequences of a fixed length from files of token ids, for a language model."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bindings.data.checks import check_least, path_of
from bindings.data.iterating import Stream
from bindings.data.job import share_of_job
from bindings.data.making import Maker
from bindings.data.plan import EpochPlan, Part, State
from bindings.data.token_files import open_token_file, pieces_of
from bindings.protocol import Int64Array
from bindings.records.sources import Sources, find

_TOKENS_AT_ONCE = 1 << 16


@dataclass(frozen=True, eq=False)
class TokenBatch:
    """Sequences of tokens, and where documents begin in them. `len(batch)` is their number.

    Attributes:
        tokens: (sequences, length + 1): the last token of a row is only a target.
        cu_seqlens: int32, from 0 to sequences x length: where documents and rows begin in the
            flattened `inputs`, as the attention operators for packed sequences take it.
        state: where its share of the stream stands behind this batch.
    """

    tokens: npt.NDArray[Any]
    cu_seqlens: npt.NDArray[np.int32]
    state: State

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def inputs(self) -> npt.NDArray[Any]:
        """(sequences, length): a view of the tokens without the last of each row."""
        return self.tokens[:, :-1]

    @property
    def targets(self) -> npt.NDArray[Any]:
        """(sequences, length): a view of the tokens that follow the inputs."""
        return self.tokens[:, 1:]

    @property
    def position_ids(self) -> Int64Array:
        """(sequences, length): the place of each input in its document or row, from 0 on."""
        rows, width = self.inputs.shape
        places = np.arange(rows * width)
        before = np.searchsorted(self.cu_seqlens, places, "right") - 1
        found: Int64Array = (places - self.cu_seqlens[before].astype(np.int64)).reshape(rows, width)
        return found

    @property
    def nbytes(self) -> int:
        """The number of bytes of the arrays."""
        return self.tokens.nbytes + self.cu_seqlens.nbytes

    def to_torch(self) -> dict[str, Any]:
        """Return `inputs`, `targets` and `cu_seqlens` as tensors on the same memory."""
        import torch  # type: ignore[import-not-found, unused-ignore]

        names = "inputs", "targets", "cu_seqlens"
        return {name: torch.from_numpy(getattr(self, name)) for name in names}


class TokenStream(Stream):
    """Batches of token sequences of one length, each once an epoch over all ranks and workers.

        stream = TokenStream("tokens/*.bin", 1024, batch_size=8, shuffle=True)
        for batch in stream:
            model(batch.inputs), batch.targets  # (8, 1024) int64, both

    The tokens of all files are one sequence, of which sequence i has the tokens from i x length to
    (i + 1) x length, that one included: it is the last target, and the next sequence's first input.
    What is left at the end is left out. Shuffling, shares and states are as for a RecordStream.

    Args:
        paths: `.bin` files as `tokenize` writes them, a pattern, or an iterable of these; see
            `token_files` for the formats.
        length: tokens that a model sees at once.
        batch_size: sequences a batch; the last one of a share may have fewer.
        dtype: of the batches' tokens: any integer type that holds those of the files.
        shuffle, seed, drop_last, threads, max_bytes, rank, world, collate: see `RecordStream`;
            `collate` receives a TokenBatch.

    Raises:
        FileNotFoundError: there is no such file, or a pattern matches nothing.
        ValueError: a damaged index, files of different dtypes, or fewer than length + 1 tokens.
    """

    def __init__(
        self,
        paths: Sources,
        length: int,
        *,
        batch_size: int = 8,
        dtype: npt.DTypeLike = np.int64,
        shuffle: bool = False,
        seed: int = 0,
        drop_last: bool = False,
        threads: int = 1,
        max_bytes: int = 64 << 20,
        rank: int | None = None,
        world: int | None = None,
        collate: Callable[[TokenBatch], Any] | None = None,
    ) -> None:
        self._length = check_least("length", length, 1)
        self._dtype, self._collate = np.dtype(dtype), collate
        self._reader = TokenReader([path_of(path) for path in find(paths).sources])
        if self._dtype.kind not in "iu" or not np.can_cast(self._reader.dtype, self._dtype):
            raise ValueError(f"dtype must hold {self._reader.dtype}, not be {self._dtype}")
        self.n_sequences = (self._reader.n - 1) // length
        if self.n_sequences < 1:
            raise ValueError(f"paths must have at least {length + 1} tokens, not {self._reader.n}")
        how: Any = {"shuffle": shuffle, "seed": seed, "drop_last": drop_last}
        how |= {"threads": threads, "max_bytes": max_bytes, "rank": rank, "world": world}
        super().__init__(batch_size=batch_size, **how)

    @property
    def n_tokens(self) -> int:
        """The number of tokens in the files."""
        return self._reader.n

    def _new_plan(self) -> EpochPlan:
        how: Any = {"seed": self._seed, "epoch": self.epoch, "shuffle": self._shuffle}
        about = {"tokens": self._reader.n, "length": self._length}
        return EpochPlan(self.n_sequences, **how, **share_of_job(self._rank), about=about)

    def _maker(self) -> Maker:
        return Maker(self._read, self._collate)

    def _sizes(self, numbers: Int64Array) -> Int64Array:
        return np.full(len(numbers), (self._length + 1) * self._dtype.itemsize)

    def _most(self, left: int) -> int:
        return _TOKENS_AT_ONCE // (self._batch_size * self._length)

    def _read(self, parts: list[Part]) -> Iterator[TokenBatch]:
        for numbers, state in parts:
            at = numbers * self._length
            tokens = self._reader.read(at, self._length + 1).astype(self._dtype, copy=False)
            yield TokenBatch(tokens, self._reader.boundaries(at, self._length), state)


class TokenReader:
    """The tokens of some files as one sequence, which any number of threads may read.

    It reads and does not map, so that a file that another program cuts short raises an error. It
    opens the file anew for each sequence, so that nothing stays open.
    """

    def __init__(self, paths: list[str]) -> None:
        self._files = [open_token_file(path) for path in paths]
        dtypes = {file.dtype for file in self._files}
        if len(dtypes) > 1:
            raise ValueError(f"paths must have tokens of one dtype, not {sorted(map(str, dtypes))}")
        self.dtype = dtypes.pop()
        self._starts = np.cumsum([0, *(file.n for file in self._files)])
        self.n = int(self._starts[-1])
        documents = [
            start + file.documents
            for start, file in zip(self._starts.tolist(), self._files, strict=False)
        ]
        self._documents = np.unique(np.concatenate(documents))

    def read(self, at: Int64Array, n: int) -> npt.NDArray[Any]:
        """Return the `n` tokens from each of these numbers on: (len(at), n)."""
        rows = np.empty((len(at), n), self.dtype)
        for row, start in zip(rows, at.tolist(), strict=True):
            done = 0
            for number, first, here in pieces_of(self._starts, start, n):
                self._fill(row[done : done + here], number, first)
                done += here
        return rows

    def boundaries(self, at: Int64Array, n: int) -> npt.NDArray[np.int32]:
        """Return where rows of `n` tokens from these numbers on, and documents in them, begin.

        They are numbers of tokens in all rows, one after the other; the last is that of all.
        """
        first = np.searchsorted(self._documents, at, "right")
        counts = np.searchsorted(self._documents, at + n, "left") - first
        ends = np.cumsum(counts)
        inner = np.arange(counts.sum()) + np.repeat(first - (ends - counts), counts)
        shift = np.arange(len(at)) * n
        within = self._documents[inner] + np.repeat(shift - at, counts)
        return np.sort(np.concatenate([shift, within, [len(at) * n]])).astype(np.int32)

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
