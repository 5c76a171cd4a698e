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

from ffi_cookbook.bindings.protocol import Text
from ffi_cookbook.data.order.checks import path_of
from ffi_cookbook.files import open_regular
from ffi_cookbook.records.reading.source import open_file
from ffi_cookbook.records.reading.sources import find

_TEXTS = "to pass texts and not paths, texts must be True"


class Texts:
    """Documents that the caller has: an iterable of texts, or of rows with one in a field.

    Attributes:
        crc32: of the documents that have been taken.
    """

    def __init__(self, rows: Iterable[Any]) -> None:
        self._rows, self.crc32 = rows, 0

    def __str__(self) -> str:
        return "texts"

    def documents(self, field: str) -> Iterator[Text]:
        """Yield the documents."""
        self.crc32 = 0
        for number, row in enumerate(self._rows, 1):
            place = f"{self}, document {number}"
            text = row if isinstance(row, str | bytes) else _field(row, place, field)
            data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
            self.crc32 = zlib.crc32(data, self.crc32)
            yield text


def corpus_of(paths: Any, texts: bool = False) -> list[Any]:
    """Return the files of a corpus, in order, or the Texts.

    Args:
        paths: a path, a URL, a pattern, or an iterable of these.
        texts: whether `paths` is an iterable of documents instead.

    Raises:
        FileNotFoundError: a pattern matches nothing.
        TypeError: an item is none of these, or the paths have no order.
        ValueError: a file whose name does not say how to read it.
    """
    if isinstance(paths, str | os.PathLike) and not texts:
        return _files_of(paths)
    single = isinstance(paths, str | bytes | os.PathLike | Set | Mapping | io.IOBase)
    if single or not isinstance(paths, Iterable):
        right = "an ordered iterable of texts" if texts else "a path or an ordered iterable"
        raise TypeError(f"paths must be {right}, not {type(paths).__name__}")
    return [Texts(paths)] if texts else [file for one in paths for file in _files_of(one)]


def _files_of(path: Any) -> list[str]:
    """Return the files that a path or a pattern names, if their names say how to read them."""
    try:
        found: list[str] = find(path_of(path)).sources
    except FileNotFoundError as error:
        words = f"{error.strerror} ({_TEXTS})"
        raise FileNotFoundError(error.errno, words, _short(path)) from None
    except (TypeError, ValueError) as error:  # no path, or a URL that fsspec does not open
        raise type(error)(f"{error}; {_TEXTS}") from None
    for one in found:
        _reader_of(one)
    return found


def _reader_of(path: str) -> Callable[[str, str], Iterator[Text]]:
    """Return what reads a file, according to the end of its name, or raise ValueError."""
    name, packing = path.lower(), ""
    if name.endswith((".gz", ".zst")):
        name, packing = os.path.splitext(name)
    kind = os.path.splitext(name)[1]
    if kind in _READERS and packing in ("", ".gz", ".zst")[: _READERS[kind][1]]:
        return _READERS[kind][0]
    if os.path.isdir(path):
        raise ValueError(f"{path} is a folder: pass a pattern such as {path}/*.jsonl")
    raise ValueError(
        f"{_short(path)} must end in one of {', '.join(sorted(_READERS))}, or with .gz behind all "
        f"but .parquet, or .zst behind text and JSON, to say how to read it; {_TEXTS}"
    )


def _short(path: Any) -> str:
    name = os.fsdecode(path)
    return name if len(name) <= 200 else f"{name[:200]}..."


def documents(source: str | Texts, field: str) -> Iterator[Text]:
    """Yield the documents of a file by the end of its name, or of an iterable.

    Args:
        source: a `.txt` file is one document; `.jsonl` or `.ndjson` has one in each line, `.json`
            in each line or in each item of an array, `.parquet` in each row, and `.tfrecord` in
            each record, in `field`. All but `.parquet` may be followed by `.gz`, and those of text
            and JSON by `.zst`, which needs pyarrow. A file may be a URL.
        field: the name of the key, column or feature.

    Raises:
        OSError: the file cannot be read.
        ValueError: another kind of file; a damaged compressed file; or a document that is not
            text, with its place.
        RecordError: a damaged record.
    """
    if isinstance(source, Texts):
        yield from source.documents(field)
        return
    reader = _reader_of(source)
    try:
        yield from reader(source, field)
    except (EOFError, zlib.error, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(f"{source} is damaged: {error}") from error


@contextmanager
def _open(path: str) -> Iterator[Any]:
    opened: Any = open_file(path) if "://" in path else open_regular(path, buffering=0)
    with opened as file:
        name = path.lower()
        raw = _zstd(path, file) if name.endswith(".zst") else file
        with gzip.open(file) if name.endswith(".gz") else io.BufferedReader(raw) as plain:
            yield plain


def _zstd(path: str, file: Any) -> Any:
    """Return the decompressed file."""
    try:
        import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError(f"{path}: to read .zst, install pyarrow") from error
    return pa.CompressedInputStream(pa.PythonFile(file, "r"), "zstd")


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
            yield _field(found, f"{path}, line {number}", field)


def _json(path: str, field: str) -> Iterator[str]:
    """Yield the documents of an array, or of the objects of all lines."""
    with _open(path) as file:
        is_array = file.peek(64).lstrip().startswith(b"[")
        if is_array:
            try:
                rows = json.load(file)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{path} is not a JSON array: {error}") from None
    if not is_array:
        yield from _json_lines(path, field)
        return
    for number, row in enumerate(rows, 1):
        yield row if isinstance(row, str) else _field(row, f"{path}, document {number}", field)


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
    from ffi_cookbook.records import Schema, read

    for batch in read(path, Schema({field: ("bytes", ())}), batch_size=256):
        column: Any = batch[field]
        yield from (values[0] for values in column.to_list())


def _field(row: Any, place: str, field: str) -> str:
    """Return the text in a field of a row."""
    if not isinstance(row, Mapping):
        raise ValueError(f"{place}: must be an object with {field!r}, not {type(row).__name__}")
    if field not in row:
        names = ", ".join(map(repr, row)) or "nothing"
        raise ValueError(f"{place}: has no {field!r}: field must be one of {names:.200}")
    return _checked(row[field], place, field)


def _checked(value: object, place: str, field: str) -> str:
    if isinstance(value, str):
        return value
    chat = ""
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        chat = ": apply the model's chat template to these messages, and pass what it makes"
        chat += " with texts=True"
    raise ValueError(f"{place}: {field!r} must be text, not {type(value).__name__}{chat}")


_READERS: dict[str, tuple[Callable[[str, str], Iterator[Text]], int]] = {
    ".txt": (_text, 3),
    ".json": (_json, 3),
    ".jsonl": (_json_lines, 3),
    ".ndjson": (_json_lines, 3),
    ".tfrecord": (_tfrecord, 2),
    ".parquet": (_parquet, 1),
}
"""What reads a kind of file, and how many of plain, .gz and .zst it may be."""
