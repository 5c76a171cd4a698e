"""The records of a batch, decoded from files that are mapped."""

from __future__ import annotations

from typing import Any

import numpy as np

from bindings.data.mapped import MappedFiles
from bindings.errors import RecordError
from bindings.opening import open_backend
from bindings.protocol import Int64Array
from bindings.records import Batch, Schema, gather
from bindings.records.rows import Rows


class Gatherer:
    """Repeated calls of `records.gather` for the same files and the same schema.

    It may be called by several threads.
    """

    def __init__(self, paths: list[str], schema: Schema, backend: str | None, verify: bool) -> None:
        self._paths, self._schema, self._verify = paths, schema, verify
        self._backend = open_backend(backend)
        self._files = MappedFiles(paths)
        self._per_row = np.ones((len(schema.columns), 2))  # maxima of values and bytes
        self._has_spans = any(kind == "span" for _, kind, _ in schema.fields + schema.sequence)

    def __call__(self, spans: Int64Array) -> Batch:
        """Return the records at `spans`, as `records.gather` returns and raises."""
        found = None if self._has_spans else self._files.read(spans)
        if found is None:
            return self._gathered(spans)
        scratch, local = found
        room = [(int(v), int(b)) for v, b in self._per_row * (1.1 * len(spans)) + 64]
        rows = Rows(self._schema, len(spans), self._backend, self._verify, room)
        try:
            rows.decode(scratch.memory, local, None)
        except RecordError:
            return self._gathered(spans)  # its error says where in its file the bad record is
        finally:
            self._files.release(scratch)
        self._per_row = np.maximum(self._per_row, rows.used() / len(spans))
        return rows.batch()

    def _gathered(self, spans: Int64Array) -> Batch:
        options: Any = {"backend": self._backend, "verify": self._verify}
        return gather(self._paths, spans, self._schema, **options)
