"""Documents: the texts in the files of a corpus, one by one."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from bindings.protocol import Text


def documents(path: str, field: str = "text") -> Iterator[Text]:
    """Yield the documents of a file, by the end of its name.

    Args:
        path: `.txt` is one document; `.jsonl` or `.ndjson` has one a line, `.parquet` one a row,
            `.tfrecord` one a record, in `field`. All but `.parquet` may be followed by `.gz`.
        field: the name of the key, column or feature.

    Raises:
        OSError: the file cannot be read.
        ValueError: another kind of file; a damaged compressed file; or a document that is not
            text, with its place.
        RecordError: a damaged record.
    """
    name = path.lower().removesuffix(".gz")
    kind = os.path.splitext(name)[1]
    if kind not in _READERS or (kind == ".parquet" and name != path.lower()):
        known = ", ".join(sorted(_READERS))
        raise ValueError(
            f"{path} must end in one of {known}, or with .gz behind all but .parquet, to say how "
            "to read it"
        )
    try:
        yield from _READERS[kind](path, field)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{path} is damaged: {error}") from error


def _open(path: str) -> Any:
    return gzip.open(path) if path.lower().endswith(".gz") else open(path, "rb")


def _text(path: str, _: str) -> Iterator[bytes]:
    with _open(path) as file:
        yield file.read()


def _json_lines(path: str, field: str) -> Iterator[str]:
    with _open(path) as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                found = json.loads(line)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}, is not JSON: {error}") from None
            yield _checked(
                found.get(field) if isinstance(found, dict) else None, path, field, number
            )


def _parquet(path: str, field: str) -> Iterator[str]:
    import pyarrow.parquet as parquet  # type: ignore[import-not-found, import-untyped, unused-ignore]

    number = 0
    with parquet.ParquetFile(path) as file:
        if field not in file.schema_arrow.names:
            raise ValueError(f"{path} has no column {field!r}")
        for batch in file.iter_batches(batch_size=1024, columns=[field]):
            for value in batch.column(0).to_pylist():
                number += 1
                yield _checked(value, path, field, number)


def _tfrecord(path: str, field: str) -> Iterator[bytes]:
    from bindings.records import Schema, read

    for batch in read(path, Schema({field: ("bytes", ())}), batch_size=256):
        column: Any = batch[field]
        yield from (values[0] for values in column.to_list())


def _checked(value: object, path: str, field: str, number: int) -> str:
    if not isinstance(value, str):
        kind = type(value).__name__
        raise ValueError(f"{path}, document {number}: {field!r} must be text, not {kind}")
    return value


_READERS: dict[str, Callable[[str, str], Iterator[Text]]] = {
    ".txt": _text,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".parquet": _parquet,
    ".tfrecord": _tfrecord,
}
