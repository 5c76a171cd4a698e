"""RecordDataset: the records of some files by number, as a map-style dataset."""

from __future__ import annotations

import copy
import operator
import os
import warnings
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.bindings.protocol import Backend, Int64Array
from ffi_cookbook.data.order.checks import check_least, path_of
from ffi_cookbook.data.order.refusals import described
from ffi_cookbook.data.records.batches import Gatherer
from ffi_cookbook.data.records.mapped_frames import MappedFiles
from ffi_cookbook.data.records.spans import Spans
from ffi_cookbook.records import Batch, Loss, Report, Schema, load_index
from ffi_cookbook.records.picking.frames import refuse_compressed
from ffi_cookbook.records.picking.index import index
from ffi_cookbook.records.reading.missing_features import EARLY
from ffi_cookbook.records.reading.sources import Sources, find
from ffi_cookbook.records.recovery.recovery import OnError, check_policy


class RecordDataset:
    """The records of some TFRecord files, by number.

        dataset = RecordDataset("train-*.tfrecord", schema)
        DataLoader(dataset, batch_size=256, shuffle=True, collate_fn=to_torch)

    `dataset[i]` is a record as a dict. `dataset.__getitems__(numbers)`, which a DataLoader calls,
    is a Batch of many records, decoded with one call. A dataset pickles and holds no open file, so
    it may be used in any number of threads and processes.

    Args:
        paths: a path, a URL, a pattern, or an iterable of these. A file's index is read from its
            `.idx` where there is one (see `records.load_index`), otherwise the file is read once.
            An index that `load_index` refuses is a RuntimeWarning, and is not used.
        schema: the features to decode.
        backend: a binding's name; None takes the fastest one that is available.
        verify: whether to check both CRCs of every record.
        on_error: what to do about a bad record, as for `records.read`. "skip" and "resync" leave
            out of the index what cannot be indexed, and of a Batch what cannot be decoded.
        missing: what to do about a feature that no record has and that is ragged, a feature list or
            has a default. "warn" (except for a schema that `Schema.infer` found) warns when 1000
            records have been read, or as many as there are, and all of them lack it. "allow" leaves
            the column empty.

    Attributes:
        paths: the files that are read.
        report: what was left out, in this process.

    Raises:
        FileNotFoundError: there is no such file, or a pattern matches nothing.
        ValueError: a compressed file, which has no random access; or a backend that decodes no
            records.
        RecordError: a bad record.
    """

    def __init__(
        self,
        paths: Sources,
        schema: Schema,
        *,
        backend: str | Backend | None = None,
        verify: bool = True,
        on_error: OnError = "raise",
        missing: Literal["warn", "allow"] = "warn",
    ) -> None:
        if not isinstance(schema, Schema):
            raise TypeError(f"schema must be a Schema, not {type(schema).__name__}")
        check_policy(on_error)
        if missing not in ("warn", "allow"):
            raise ValueError(f"missing must be 'warn' or 'allow', not {missing!r}")
        self._missing = missing
        self.schema, self.report = schema, Report()
        # A module cannot be pickled.
        name = backend if isinstance(backend, str) else getattr(backend, "__name__", "")
        if backend is not None and not name:
            raise TypeError(f"backend must be a name or a module, not {type(backend).__name__}")
        self._backend = name.rpartition(".")[2] or None
        self._verify, self._on_error = verify, on_error
        self.paths = [path_of(source) for source in find(paths).sources]
        self._spans = Spans.of([self._spans_of(path) for path in self.paths])
        self._gather = self._gatherer(MappedFiles(self.paths))

    def __len__(self) -> int:
        return len(self._spans.table.array)

    def __getitem__(self, number: int) -> dict[str, Any]:
        """Return a record as a dict: an array or a number, and a list of the byte strings.

        Raises:
            IndexError: there is no record of this number.
            RecordError: the record is bad, under any policy.
        """
        place = operator.index(number)
        if not -len(self) <= place < len(self):
            raise IndexError(f"record {number} of {len(self)}")
        batch, _ = self.gather(np.array([place % len(self)]), "raise")
        return next(batch.rows())

    def __getitems__(self, numbers: Iterable[int] | npt.NDArray[Any]) -> Batch:
        """Return the records of these numbers, in this order, as one Batch."""
        array = numbers if isinstance(numbers, np.ndarray) else list(numbers)
        places = np.asarray(array).reshape(-1)
        if len(places) and places.dtype.kind not in "iu":
            raise TypeError(f"numbers must be integers of up to 64 bits, not {places.dtype}")
        if len(places) and not -len(self) <= places.min() <= places.max() < len(self):
            raise IndexError(f"numbers must be below {len(self)}, the number of records")
        return self.gather(places.astype(np.int64) % max(len(self), 1))[0]

    def take(self, n: int) -> RecordDataset:
        """Return a dataset of the first `n` records, or of all if there are fewer."""
        return self._with(self.paths, self._spans.part(0, check_least("n", n, 0)))

    def skip(self, n: int) -> RecordDataset:
        """Return a dataset of the records after the first `n`."""
        return self._with(
            self.paths, self._spans.part(min(check_least("n", n, 0), len(self)), len(self))
        )

    def joined(self, others: Iterable[RecordDataset]) -> RecordDataset:
        """Return a dataset of these records and then those of others, with these options."""
        paths, spans = list(self.paths), self._spans
        for other in others:
            paths, spans = paths + other.paths, spans.followed_by(other._spans)
        return self._with(paths, spans)

    def sizes(self, numbers: Int64Array) -> Int64Array:
        """Return the size in bytes of each of these records in its file."""
        sizes: Int64Array = self._spans.table.array[:, 2][numbers]
        return sizes

    def checksum(self) -> int:
        """Return a checksum by which the data set is recognized, in another folder too.

        It is that of the names of the files, and of the places of at most 1,024 records.
        """
        rows = np.linspace(0, len(self) - 1, min(len(self), 1024)).astype(np.int64)
        names = "\0".join(map(os.path.basename, self.paths))
        return zlib.crc32(os.fsencode(names), zlib.crc32(self._places(rows).tobytes()))

    def files(self) -> str:
        """Return the names of some files and their numbers of records, for a state."""
        ends = np.append(self._spans.rows, len(self))
        return described(list(map(os.path.basename, self.paths)), np.diff(ends).tolist())

    def gather(
        self, numbers: Int64Array, on_error: OnError | None = None
    ) -> tuple[Batch, Int64Array]:
        """Return the records of these numbers, from 0 on, as one Batch, and their numbers.

        Args:
            numbers: an array, all below the number of records.
            on_error: what to do about a bad record, if not what the dataset does.
        """
        policy = on_error or self._on_error
        while True:
            try:
                return self._gather(self._places(numbers)), numbers
            except RecordError as error:
                if policy == "raise":
                    raise self._located(error, int(numbers[error.record])) from None
            numbers = np.concatenate([numbers[:0], *self._good(numbers)])

    def _good(self, numbers: Int64Array) -> Iterator[Int64Array]:
        """Yield the numbers of the records that can be decoded, and report the others.

        The records after a bad one are tried in two halves, so each of n records is read at most
        log2(n) times, even if all of them are bad.
        """
        if not len(numbers):
            return
        try:
            self._gather(self._places(numbers))
        except RecordError as error:
            row = error.record
            fault = self._located(error, int(numbers[row]))
        else:
            yield numbers
            return
        yield numbers[:row]
        _, offset, size = self._places(numbers[row : row + 1])[0].tolist()
        self.report.add(Loss(offset - 12, offset + size + 4, fault))
        behind = numbers[row + 1 :]
        yield from self._good(behind[: len(behind) // 2])
        yield from self._good(behind[len(behind) // 2 :])

    def _places(self, numbers: Int64Array) -> Int64Array:
        places: Int64Array = self._spans.table.array.take(numbers, axis=0)
        return places

    def _located(self, error: RecordError, number: int) -> RecordError:
        """Return the error with the record's number in its file, not its row in the batch."""
        record = self._spans.record_in_file(number)
        where = error.path, error.byte_offset, record, error.field
        return RecordError(error.code, *where, error.expected, error.actual)

    def _spans_of(self, path: str) -> Int64Array:
        refuse_compressed(path)
        try:
            return load_index(path)
        except FileNotFoundError:
            pass
        except ValueError as error:
            warnings.warn(f"{error}; the file is indexed anew", RuntimeWarning, stacklevel=3)
        policy, report = self._on_error, self.report
        return index(
            path, backend=self._backend, verify=self._verify, on_error=policy, report=report
        )

    def _with(self, paths: list[str], spans: Spans) -> RecordDataset:
        other = copy.copy(self)
        other.paths, other._spans, other.report = paths, spans, Report()
        same = paths is self.paths
        other._gather = other._gatherer(self._gather.files if same else MappedFiles(paths))
        return other

    def _gatherer(self, files: MappedFiles) -> Gatherer:
        unknown = self._missing == "warn" and not self.schema.found
        watched = min(len(self), EARLY) if unknown else 0
        return Gatherer(files, self.schema, self._backend, self._verify, watched)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_gather": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._gather = self._gatherer(MappedFiles(self.paths))
