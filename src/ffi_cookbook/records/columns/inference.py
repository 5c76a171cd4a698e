"""The schema of some files, from their own records."""

from __future__ import annotations

import warnings

from ffi_cookbook.backends import open_backend
from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.bindings.protocol import Backend
from ffi_cookbook.records.columns.fields import Feature, Kind
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.picking.index import walk
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.records.reading.decoder import Decoder
from ffi_cookbook.records.reading.inflate import Compression
from ffi_cookbook.records.reading.source import CHUNK, check_options, open_source
from ffi_cookbook.records.reading.sources import Sources, find, name_of
from ffi_cookbook.records.reading.window import Window
from ffi_cookbook.records.recovery.losses import Report
from ffi_cookbook.records.recovery.recovery import OnError, Recovery
from ffi_cookbook.records.writing.messages import contents

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
    found, recovery = Examined(dense), Recovery(open_backend(backend), True, on_error, report)
    sources = find(source).sources
    for one in sources:
        cursor = Cursor()
        with open_source(one, compression, CHUNK) as window:
            _look(recovery, window, cursor, found, records)
            if dense:
                _prove(recovery, window, cursor, found)
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


def _look(
    recovery: Recovery, window: Window, cursor: Cursor, found: Examined, most: int | None
) -> None:
    """Add the first `most` records to `found`, and leave the cursor after them."""
    left, path = -1 if most is None else most, window.path or "<buffer>"
    for spans in walk(recovery, window, cursor):
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


def _prove(recovery: Recovery, window: Window, cursor: Cursor, found: Examined) -> None:
    """Make each feature ragged that is not dense in every record from the cursor on."""
    decoder = None
    while True:
        fault: Exception | None
        decoder = decoder or Decoder(found.candidate(), recovery.backend, _ROWS, True)
        fault, full = decoder.fill(window, cursor)
        cursor.rows = 0
        if fault is None and not full:
            if window.final:
                return
            fault = window.next_record(cursor)
        if isinstance(fault, RecordError) and fault.code in (Code.MISSING, Code.DENSE_LENGTH):
            found.ragged.add(fault.field or "")
            decoder = None
        elif fault:
            recovery.recover(window, cursor, fault)


class Examined:
    """The features of the records that were examined.

    Attributes:
        ragged: the names of the features that are known not to be dense.
    """

    def __init__(self, dense: bool) -> None:
        self._dense, self._records, self._bytes = dense, 0, 0
        self._context, self._lists = dict[str, _Name](), dict[str, _Name]()
        self.ragged = set[str]()

    def add(self, data: bytes, path: str, record: int) -> None:
        """Add the features of a record."""
        where = f"record {record} of {path}"
        features, lists = contents(data)
        for name, (kind, n) in features.items():
            self._context.setdefault(name, _Name(name)).add(kind, n, where)
        for name, steps in lists.items():
            entry = self._lists.setdefault(name, _Name(name))
            for kind, n in steps:
                entry.add(kind, n, where)
        self._records += 1
        self._bytes += len(data)

    @property
    def untyped(self) -> list[str]:
        """The names without a value, and those that are not valid UTF-8, as a schema's must be."""
        names = {**self._context, **self._lists}
        return sorted(name for name, entry in names.items() if entry.usable_kind is None)

    def candidate(self) -> Schema:
        """Return the schema of the records so far."""
        return Schema(
            self._features(self._context, self._records),
            sequence=self._features(self._lists, None),
            found=True,
        )

    def schema(self, where: str) -> Schema:
        """Return the schema, or raise ValueError if there is none."""
        if self._records == 0:
            raise ValueError(f"{where}: a file without records has no schema")
        schema = self.candidate()
        if not schema.names and self._bytes:
            raise ValueError(
                f"{where}: no feature has a value in the {self._records} records examined, "
                "so these are not tf.train.Examples; records.raw reads any records"
            )
        return schema

    def _features(self, names: dict[str, _Name], always: int | None) -> dict[str, Feature]:
        """Return the features in order of their names; a dense one is in `always` records."""
        found: dict[str, Feature] = {}
        for name, entry in sorted(names.items()):
            (length, *others) = entry.lengths or {0}
            steady = length and not others and always in (None, entry.seen)
            if entry.usable_kind is not None:
                dense = self._dense and steady and name not in self.ragged
                found[name] = (entry.usable_kind, length) if dense else entry.usable_kind
        return found


class _Name:
    """A feature's kind, its numbers of values, and the number of records that have it."""

    def __init__(self, name: str) -> None:
        self._name, self._where, self.seen = name, "", 0
        self.kind: Kind | None = None
        self.lengths = set[int]()

    @property
    def usable_kind(self) -> Kind | None:
        """The kind, if there is one and a schema can have the name."""
        return self.kind if _is_utf8(self._name) else None

    def add(self, kind: Kind | None, length: int, where: str) -> None:
        """Add a Feature of this name."""
        if kind and self.kind and kind != self.kind:
            raise ValueError(
                f"feature {self._name!r} is {kind} here and {self.kind} in {self._where}"
            )
        if kind and not self.kind:
            self.kind, self._where = kind, where
        self.lengths.add(length)
        self.seen += 1


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
