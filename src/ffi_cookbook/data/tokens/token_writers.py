"""Writers of the shards of `tokenize`: files of token ids, in the format of their reader."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ffi_cookbook.data.tokens.token_files import TokenWriter, dtype_for
from ffi_cookbook.files import NewFile
from ffi_cookbook.records import Writer

Format: TypeAlias = Literal["megatron", "nanogpt", "arrow", "tfrecord"]


class ListWriter(ABC):
    """A file with a list of ids for each document; it appears when it is complete.

    Attributes:
        n_tokens: the number of ids written so far.
    """

    n_tokens = 0

    @abstractmethod
    def _append(self, ids: npt.NDArray[Any], sizes: npt.NDArray[np.int64]) -> None:
        """Append documents."""

    def write(self, ids: npt.NDArray[Any], sizes: npt.NDArray[np.int64]) -> None:
        """Append documents: their ids one after the other, and the number of ids of each."""
        self._append(ids, sizes)
        self.n_tokens += len(ids)


class ArrowWriter(ListWriter):
    """An Arrow stream with a column `ids`, as `datasets.Dataset.from_file` maps it."""

    def __init__(self, path: str, dtype: npt.DTypeLike) -> None:
        import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]

        self._file = NewFile(path)
        self._schema = pa.schema({"ids": pa.large_list(pa.from_numpy_dtype(np.dtype(dtype)))})
        self._type = np.dtype(dtype)
        self._stream = pa.ipc.new_stream(pa.PythonFile(_Sink(self._file), "w"), self._schema)

    def _append(self, ids: npt.NDArray[Any], sizes: npt.NDArray[np.int64]) -> None:
        import pyarrow as pa

        offsets = np.concatenate([[0], np.cumsum(sizes)])
        column = pa.LargeListArray.from_arrays(offsets, pa.array(ids.astype(self._type)))
        self._stream.write_batch(pa.record_batch([column], schema=self._schema))

    def __enter__(self) -> ArrowWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        try:
            if kind is None:
                self._stream.close()
                self._file.publish()
        finally:
            self._file.discard()


class _Sink:
    """A NewFile as pyarrow writes to it."""

    closed = False

    def __init__(self, file: NewFile) -> None:
        self._file = file

    def write(self, data: Any) -> int:
        self._file.write(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: a NewFile has no buffer."""

    def close(self) -> None:
        """Do nothing: the writer publishes the file."""


class TFRecordWriter(ListWriter):
    """A TFRecord file of Examples with a feature `ids`."""

    def __init__(self, path: str) -> None:
        self._file = Writer(path)

    def _append(self, ids: npt.NDArray[Any], sizes: npt.NDArray[np.int64]) -> None:
        numbers, ends = ids.astype(np.int64), np.cumsum(sizes)
        for size, end in zip(sizes.tolist(), ends.tolist(), strict=True):
            self._file.write({"ids": numbers[end - size : end]})

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, *details: Any) -> None:
        self._file.__exit__(*details)


class Kind(NamedTuple):
    """A format: how the names of its files end, and what opens one for ids below `n_ids`."""

    suffix: str
    open: Callable[[str, int], Any]


def _nanogpt(path: str, n_ids: int) -> TokenWriter:
    if n_ids > 2**16:
        raise ValueError(f"format: nanoGPT's files have ids below 65536, and the model has {n_ids}")
    return TokenWriter(path, np.uint16, index=False)


KINDS: dict[str, Kind] = {
    "megatron": Kind(".bin", lambda path, n_ids: TokenWriter(path, dtype_for(n_ids))),
    "nanogpt": Kind(".bin", _nanogpt),
    "arrow": Kind(".arrow", lambda path, n_ids: ArrowWriter(path, dtype_for(n_ids))),
    "tfrecord": Kind(".tfrecord", lambda path, n_ids: TFRecordWriter(path)),
}


def kind_of(name: str) -> Kind:
    """Return a format by its name, or raise ValueError."""
    if name not in KINDS:
        raise ValueError(f"format must be one of {', '.join(KINDS)}, not {name!r}")
    return KINDS[name]
