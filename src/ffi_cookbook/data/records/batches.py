"""The records of a batch, decoded from files that are mapped."""

from __future__ import annotations

import numpy as np

from ffi_cookbook.backends import open_backend
from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.data.records.mapped_frames import MappedFiles
from ffi_cookbook.records import Batch, Schema
from ffi_cookbook.records.columns.arena import LENGTHS
from ffi_cookbook.records.picking.gathering import gather_rows
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.records.reading.decoder import Decoder
from ffi_cookbook.records.reading.missing_features import Presence


class Gatherer:
    """Repeated calls of `records.gather` for the same files and the same schema.

    It may be called by several threads.

    Args:
        files: the files.
        schema, backend, verify: as for `records.gather`.
        watched: the number of records after which a feature that none of them has is a warning;
            0 for none.
    """

    def __init__(
        self,
        files: MappedFiles,
        schema: Schema,
        backend: str | None,
        verify: bool,
        watched: int,
    ) -> None:
        self._presence, self._watched = Presence(schema) if watched else None, watched
        self.files, self._schema, self._verify = files, schema, verify
        self._backend = open_backend(backend)
        if not hasattr(self._backend, "gather_examples"):
            raise ValueError(f"backend must be one that decodes records, not {backend!r}")
        self._per_row = np.ones((len(schema.columns), 2))  # maxima of values and bytes
        self._has_spans = any(kind == "span" for _, kind, _ in schema.fields + schema.sequence)

    def __call__(self, spans: Int64Array) -> Batch:
        """Return the records at `spans`, as `records.gather` returns and raises."""
        presence = self._presence
        batch = None if self._has_spans else self._read(spans, presence)
        if batch is None:
            how = self._schema, self._backend, self._verify, presence
            batch = gather_rows(self.files.paths, spans, *how)
        if presence and presence.warn(self._watched):
            self._presence = None
        return batch

    def _read(self, spans: Int64Array, presence: Presence | None) -> Batch | None:
        """Return the records, read by the maps of their files, or None if they must be read again.

        The error for a bad record is that of the second reading, which says where it is.
        """
        found = self.files.read(spans)
        if found is None:
            return None
        scratch, local = found
        room = [(int(v), int(b)) for v, b in self._per_row * (1.1 * len(spans)) + 64]
        how = self._schema, self._backend, len(spans), self._verify, presence, room
        decoder, cursor = Decoder(*how), Cursor()
        try:
            if decoder.gather(scratch.memory, local, cursor):
                return None
        finally:
            self.files.release(scratch)
        used = decoder.arena.table[:, LENGTHS]
        self._per_row = np.maximum(self._per_row, used / len(spans))
        return decoder.arena.batch(cursor.rows)
