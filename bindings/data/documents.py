"""Documents: the texts in the files of a corpus, one by one."""

from __future__ import annotations

import gzip
import io
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from typing import Any

from bindings.data.checks import path_of
from bindings.files import open_regular
from bindings.protocol import Text
from bindings.records.source import open_file
from bindings.records.sources import find


def corpus_of(paths: Any) -> list[Any]:
    """Return the files and data sets of a corpus, in order.

    Args:
        paths: a path, a URL, a pattern, a `datasets.Dataset`, or an iterable of these.

    Raises:
        FileNotFoundError: a pattern matches nothing.
        TypeError: an item is none of these, or the paths have no order.
    """
    single = isinstance(paths, str | os.PathLike) or _is_dataset(paths)
    ordered = isinstance(paths, Iterable) and not isinstance(paths, Set | Mapping | io.IOBase)
    if not single and not ordered:
        kind = type(paths).__name__
        raise TypeError(f"paths must be a path, a Dataset, or an ordered iterable, not {kind}")
    found = list[Any]()
    for one in [paths] if single else paths:
        found += [one] if _is_dataset(one) else find(path_of(one)).sources
    return found


def name_of(source: Any) -> str:
    """Return the path of a file, or a name of a data set that distinguishes it from others."""
    return f"datasets.Dataset {source._fingerprint}" if _is_dataset(source) else str(source)


def _is_dataset(source: Any) -> bool:
    return hasattr(source, "_fingerprint") and hasattr(source, "column_names")


def documents(source: Any, field: str = "text") -> Iterator[Text]:
    """Yield the documents of a data set, or of a file by the end of its name.

    Args:
        source: a `datasets.Dataset` has one document in each row, in `field`. A `.txt` file is one
            document; `.jsonl` or `.ndjson` has one in each line, `.parquet` in each row, and
            `.tfrecord` in each record, in `field`. All but `.parquet` may be followed by `.gz`. A
            file may be a URL.
        field: the name of the key, column or feature.

    Raises:
        OSError: the file cannot be read.
        ValueError: another kind of file; a damaged compressed file; or a document that is not
            text, with its place.
        RecordError: a damaged record.
    """
    if _is_dataset(source):
        yield from _rows(source, field)
        return
    path = path_of(source)
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


@contextmanager
def _open(path: str) -> Iterator[Any]:
    opened: Any = open_file(path) if "://" in path else open_regular(path, buffering=0)
    with opened as file:
        is_plain = not path.lower().endswith(".gz")
        with io.BufferedReader(file) if is_plain else gzip.open(file) as plain:
            yield plain


def _rows(dataset: Any, field: str) -> Iterator[str]:
    if field not in dataset.column_names:
        raise ValueError(f"{name_of(dataset)} has no column {field!r}")
    texts = dataset.select_columns([field]).with_format(None)
    values = (value for batch in texts.iter(1024) for value in batch[field])
    for number, value in enumerate(values, 1):
        yield _checked(value, f"{name_of(dataset)}, document {number}", field)


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
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{path}, line {number}, is not JSON: {error}") from None
            value = found.get(field) if isinstance(found, dict) else None
            yield _checked(value, f"{path}, line {number}", field)


def _parquet(path: str, field: str) -> Iterator[str]:
    import pyarrow.parquet as parquet  # type: ignore[import-not-found, import-untyped, unused-ignore]

    def values() -> Iterator[Any]:
        try:
            with parquet.ParquetFile(opened) as file:
                if field not in file.schema_arrow.names:
                    raise KeyError(field)
                for batch in file.iter_batches(batch_size=1024, columns=[field]):
                    yield from batch.column(0).to_pylist()
        except KeyError:
            raise ValueError(f"{path} has no column {field!r}") from None
        except (OSError, ValueError) as error:  # pyarrow's errors do not name the file
            raise ValueError(f"{path} is damaged: {error}") from error

    with open_file(path) as opened:
        for number, value in enumerate(values(), 1):
            yield _checked(value, f"{path}, document {number}", field)


def _tfrecord(path: str, field: str) -> Iterator[bytes]:
    from bindings.records import Schema, read

    for batch in read(path, Schema({field: ("bytes", ())}), batch_size=256):
        column: Any = batch[field]
        yield from (values[0] for values in column.to_list())


def _checked(value: object, place: str, field: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{place}: {field!r} must be text, not {type(value).__name__}")
    return value


_READERS: dict[str, Callable[[str, str], Iterator[Text]]] = {
    ".txt": _text,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".parquet": _parquet,
    ".tfrecord": _tfrecord,
}
