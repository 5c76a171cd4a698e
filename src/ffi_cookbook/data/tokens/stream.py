"""TokenStream: sequences of a fixed length from files of token ids, for a language model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.data.order.checks import check_least, path_of
from ffi_cookbook.data.order.plan import Part, State, records_of
from ffi_cookbook.data.order.proportions import Proportions
from ffi_cookbook.data.stream.base import Stream
from ffi_cookbook.data.stream.maker import Maker
from ffi_cookbook.data.tokens.sequences import Sequences
from ffi_cookbook.records.reading.sources import Sources, find


@dataclass(frozen=True, eq=False)
class TokenBatch:
    """Sequences of tokens, and where documents begin in them. `len(batch)` is their number.

    Attributes:
        tokens: (sequences, length + 1): the last token of a row is only a target.
        cu_seqlens: int32, from 0 to sequences x length: where documents and rows begin in the
            flattened `inputs`, as the attention operators for packed sequences take it.
        state: the position of its share of the stream after this batch.
        valid: bool for each sequence, False for those that only fill up the batch (`pad_last`).
    """

    tokens: npt.NDArray[Any]
    cu_seqlens: npt.NDArray[np.int32]
    state: State
    valid: npt.NDArray[np.bool_]

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
        """Return `inputs`, `targets`, `cu_seqlens` as tensors on the same memory.

        With `pad_last`, `valid` is among them.
        """
        import torch  # type: ignore[import-not-found, unused-ignore]

        names = "inputs", "targets", "cu_seqlens", *["valid"] * ("pad" in self.state)
        return {name: torch.from_numpy(getattr(self, name)) for name in names}


class TokenStream(Stream):
    """Batches of token sequences of one length, each once an epoch over all ranks and workers.

        stream = TokenStream("tokens/*.bin", 1024, batch_size=8, shuffle=True)
        for batch in stream:
            model(batch.inputs), batch.targets  # (8, 1024) int64, both

    The tokens of all files are one sequence, of which sequence i has the tokens from i x length to
    (i + 1) x length, that one included: it is the last target, and the next sequence's first input.
    Tokens at the end that do not fill a sequence are left out. Shuffling, shares and states are as
    for a RecordStream.

        TokenStream(["articles/*.bin", "code/*.bin"], 1024, weights=[3, 1], shuffle=True)

    With weights, each item of `paths` is a source of its own, whose end is left out in the same
    way, and an epoch has sequences of all sources in these proportions; see `Mixture`.

    Args:
        paths: `.bin` files as `tokenize` writes them, a pattern, or an iterable of these; see
            `token_files` for the formats. With weights an item may be an iterable too.
        length: tokens that a model sees at once.
        batch_size: sequences a batch; the last one of a share may have fewer.
        weights: the relative numbers of sequences of the sources, as for a `Mixture`.
        repeat: False ends an epoch before any sequence comes twice, True when every one has come.
        dtype: of the batches' tokens: any integer type that holds those of the files.
        shuffle, seed, drop_last, pad_last, threads, max_bytes, rank, world, collate: see
            `RecordStream`; `collate` receives a TokenBatch.

    Attributes:
        counts: the number of sequences of each source in an epoch.

    Raises:
        FileNotFoundError: there is no such file, or a pattern matches nothing.
        ValueError: a damaged index, files of different dtypes, a source of fewer than length + 1
            tokens, or one with a weight so small that an epoch would have none of its sequences.
    """

    def __init__(
        self,
        paths: Sources,
        length: int,
        *,
        batch_size: int = 8,
        weights: Iterable[float] | None = None,
        repeat: bool = False,
        dtype: npt.DTypeLike = np.int64,
        shuffle: bool = False,
        seed: int = 0,
        drop_last: bool = False,
        pad_last: bool = False,
        threads: int = 1,
        max_bytes: int = 64 << 20,
        rank: int | None = None,
        world: int | None = None,
        collate: Callable[[TokenBatch], Any] | None = None,
    ) -> None:
        self._length = check_least("length", length, 1)
        self._dtype, self._collate = np.dtype(dtype), collate
        if repeat and weights is None:
            raise TypeError("repeat must be given with weights")
        shares = None if weights is None else list(weights)
        sources = [paths] if shares is None else _separate(paths, len(shares))
        files = [[path_of(path) for path in find(source).sources] for source in sources]
        self._sequences = Sequences(files, self._length)
        stored = self._sequences.dtype
        if self._dtype.kind not in "iu" or not np.can_cast(stored, self._dtype):
            raise ValueError(f"dtype must hold {stored}, not be {self._dtype}")
        self.counts = self._sequences.counts
        if shares is not None:
            self._mixed = Proportions(self.counts, shares, repeat)
            self.counts = self._mixed.counts
        super().__init__(
            batch_size=batch_size,
            shuffle=shuffle,
            seed=seed,
            drop_last=drop_last,
            pad_last=pad_last,
            threads=threads,
            max_bytes=max_bytes,
            rank=rank,
            world=world,
        )

    @property
    def n_sequences(self) -> int:
        """The number of sequences in an epoch."""
        return sum(self.counts)

    @property
    def n_tokens(self) -> int:
        """The number of tokens in the files."""
        return self._sequences.n_tokens

    def _data(self) -> tuple[int, State]:
        about = {"data": self._sequences.checksum, "files": self._sequences.files()}
        return self.n_sequences, {**about, "tokens": self.n_tokens, "length": self._length}

    def _maker(self) -> Maker:
        return Maker(self._read, self._collate)

    def _sizes(self, numbers: Int64Array) -> Int64Array:
        return np.full(len(numbers), (self._length + 1) * self._dtype.itemsize)

    def _read(self, parts: list[Part]) -> Iterator[TokenBatch]:
        for numbers, state in parts:
            tokens, boundaries = self._sequences.read(records_of(numbers))
            tokens = tokens.astype(self._dtype, copy=False)
            yield TokenBatch(tokens, boundaries, state, numbers >= 0)


def _separate(paths: Sources, n: int) -> list[Sources]:
    """Return the sources, of which there must be n."""
    if not isinstance(paths, list | tuple):
        raise TypeError(f"paths must be a list, for the weights, not {type(paths).__name__}")
    if not 0 < len(paths) == n:
        raise ValueError(f"weights must be one for each item of paths, not {n} for {len(paths)}")
    return list(paths)
