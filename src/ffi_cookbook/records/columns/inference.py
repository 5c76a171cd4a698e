"""The schema of some files, from their own records."""

from __future__ import annotations

import warnings

from ffi_cookbook.backends import open_backend
from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.bindings.protocol import Backend
from ffi_cookbook.records.columns.observed import Examined
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.picking.index import walk
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.records.reading.decoder import Decoder
from ffi_cookbook.records.reading.inflate import Compression
from ffi_cookbook.records.reading.source import CHUNK, check_options, open_source
from ffi_cookbook.records.reading.sources import Sources, find, name_of
from ffi_cookbook.records.reading.window import Window
from ffi_cookbook.records.recovery.losses import Report
from ffi_cookbook.records.recovery.recovery import OnError, recover

_ROWS = 1024  # rows decoded at a time to check which features are dense


def infer(
    source: Sources,
    records: int | None,
    dense: bool,
    backend: str | Backend | None,
    compression: Compression,
    on_error: OnError,
    report: Report | None,
) -> Schema:
    """See `Schema.infer`."""
    check_options(compression, on_error, CHUNK)
    found, reader = Examined(dense), _Reader(open_backend(backend), on_error, report)
    sources = find(source).sources
    for one in sources:
        cursor = Cursor()
        with open_source(one, compression, CHUNK) as window:
            reader.look(window, cursor, found, records, name_of(one) or "<buffer>")
            if dense:
                reader.prove(window, cursor, found)
    where = ", ".join(name_of(one) or "<buffer>" for one in sources[:3]) or "no file"
    schema = found.schema(where + ", ..." * (len(sources) > 3))
    if found.untyped:
        warnings.warn(
            f"no record that was examined has a value of {', '.join(map(repr, found.untyped))}: "
            "the kind is not known, and the schema does not have it",
            UserWarning,
            stacklevel=3,
        )
    return schema


class _Reader:
    """A reader of the records of a window: first one by one, then as fast as a binding can."""

    def __init__(self, backend: Backend, on_error: OnError, report: Report | None) -> None:
        self._backend, self._on_error, self._report = backend, on_error, report

    def look(
        self, window: Window, cursor: Cursor, found: Examined, most: int | None, path: str
    ) -> None:
        """Add the first `most` records to `found`, and leave the cursor after them."""
        left = -1 if most is None else most
        for spans in walk(self._backend, window, cursor, True, self._on_error, self._report):
            base, first = cursor.base, cursor.record - len(spans)
            for record, (offset, size) in enumerate(spans.tolist(), first):
                if left == 0:
                    cursor.position, cursor.record, cursor.rows = offset - 12 - base, record, 0
                    return
                try:
                    found.add(bytes(window.data[offset - base :][:size]), path, record)
                except ValueError as error:
                    raise ValueError(f"{path}: record {record}: {error}") from None
                left -= 1

    def prove(self, window: Window, cursor: Cursor, found: Examined) -> None:
        """Make each feature ragged that is not dense in every record from the cursor on."""
        decoder = self._decoder(found)
        while True:
            fault: Exception | None
            fault, full = decoder.fill(window, cursor)
            cursor.rows = 0
            if fault is None and not full:
                if window.final:
                    return
                fault = window.next_record(cursor)
            if isinstance(fault, RecordError) and fault.code in (Code.MISSING, Code.DENSE_LENGTH):
                found.ragged.add(fault.field or "")
                decoder = self._decoder(found)
            elif fault:
                recover(self._backend, window, cursor, fault, True, self._on_error, self._report)

    def _decoder(self, found: Examined) -> Decoder:
        return Decoder(found.candidate(), self._backend, _ROWS, False, True, None)
