"""Lists, patterns and URLs are accepted wherever files are read."""

from __future__ import annotations

import gzip
import io
import itertools
import os
import re
import struct
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.data import RecordDataset
from ffi_cookbook.records.reading.sources import find
from support.backends import needs
from support.nine_records import EXPECTED, FILE, SCHEMA, plain

SPANS = records.index(FILE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    for name in ("b.rec", "a.rec", "deep/c.rec", "deep/er/d.rec"):
        (tmp_path / name).write_bytes(FILE)
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "n"), [("*.rec", 2), ("[ab].rec", 2), ("?.rec", 2), ("**/*.rec", 4), ("a.rec", 1)]
)
def test_patterns(folder: Path, pattern: str, n: int) -> None:
    for source in (folder / pattern, str(folder / pattern), [folder / pattern]):
        assert plain(records.read(source, SCHEMA)) == EXPECTED * n
        assert len(list(records.raw(source))) == 9 * n
        spans = records.index(source)
        single = pattern == "a.rec" and not isinstance(source, list)
        assert spans.shape == (9 * n, 2 if single else 3)
        order = np.random.default_rng(1).permutation(9 * n)
        batch = records.gather(source, spans[order], SCHEMA)
        assert plain([batch]) == [(EXPECTED * n)[i] for i in order]


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("zstd", b"(\xb5/\xfd"), ("lz4", b"\x04\x22M\x18"), ("bzip2", b"BZh9"),
        ("xz", b"\xfd7zXZ\0"),
    ],
)  # fmt: skip
def test_other_compressions_are_named(tmp_path: Path, name: str, head: bytes) -> None:
    data, path = head + bytes(range(60)), tmp_path / "a.tfrecord"
    path.write_bytes(data)
    for source, where in ((path, re.escape(str(path))), (data, "<buffer>")):
        for use in (
            lambda one: list(records.read(one, SCHEMA, on_error="resync")),
            records.index,
            records.Schema.infer,
        ):
            with pytest.raises(ValueError, match=rf"{where} is compressed \({name}\), and only"):
                use(source)
    with pytest.raises(ValueError, match=rf"{re.escape(str(path))} is compressed \({name}\), and"):
        RecordDataset(path, SCHEMA)


def test_links_to_folders_make_no_endless_paths(folder: Path) -> None:
    """With two links back to the folder there would be 2**40 paths to the same files."""
    for name in ("one", "other"):
        (folder / "deep" / name).symlink_to(folder, target_is_directory=True)
    assert len(records.index(folder / "**" / "*.rec")) == 9 * 4
    assert len(records.index(folder / "*" / "**")) == 9 * 2
    assert len(records.index(folder / "deep" / "one" / "**" / "d.rec")) == 9


def test_the_order_is_that_of_the_names(folder: Path) -> None:
    (folder / "0.rec").write_bytes(FILE[:-1])
    with pytest.raises(records.RecordError, match=r"0\.rec"):
        list(records.read(folder / "*.rec", SCHEMA))
    (folder / "star[1]*.rec").write_bytes(FILE)
    assert plain(records.read(folder / "star[1]*.rec", SCHEMA)) == EXPECTED


def test_a_pattern_that_matches_nothing(folder: Path) -> None:
    nothing = str(folder / "*.none")
    for function in (
        lambda: records.read(nothing, SCHEMA),
        lambda: records.index(nothing),
        lambda: records.raw([nothing]),
        lambda: records.gather(nothing, SPANS, SCHEMA),
        lambda: records.Schema.infer(nothing),
    ):
        with pytest.raises(FileNotFoundError, match=r"\*\.none"):
            function()


def test_iterables_of_paths(folder: Path) -> None:
    paths = sorted(str(path) for path in folder.glob("*.rec"))
    array: Any = np.array(paths)
    for source in (tuple(paths), iter(paths), (p for p in paths), array, array.astype(object)):
        assert plain(records.read(source, SCHEMA)) == EXPECTED * 2


def test_what_is_not_a_source(folder: Path) -> None:
    with open(folder / "a.rec", encoding="latin1") as text:
        for source, message in (
            (5, "must be a path.*not int"),
            (None, "not NoneType"),
            (io.StringIO("x"), "binary mode"),
            (text, "binary mode"),
            ({"a.rec"}, r"no order: pass sorted\(...\)"),
            ({"a.rec": 1}, "not dict"),
            (["a.rec", 5], r"source\[1\] must be"),
            ([["a.rec"]], r"source\[0\] must be"),
        ):
            with pytest.raises(TypeError, match=message):
                records.read(source, SCHEMA)


def test_picking_from_open_files(folder: Path) -> None:
    with open(folder / "a.rec", "rb") as file:
        assert plain([records.gather(file, SPANS[3:5], SCHEMA)]) == EXPECTED[3:5]
        assert plain([records.gather([FILE, file], _of(1), SCHEMA)]) == EXPECTED
        assert file.tell() == 0
    for spans in (SPANS, _of(2), _of(-1)):
        with pytest.raises(ValueError, match="spans"):
            records.gather([FILE, FILE], spans, SCHEMA)
    (folder / "b.rec").write_bytes(FILE[:100])
    with pytest.raises(records.RecordError, match=r"b\.rec.*record 1 "):
        records.gather(folder / "*.rec", np.concatenate([_of(0)[:1], _of(1)[5:]]), SCHEMA)


def _of(file: int) -> Any:
    return np.insert(SPANS, 0, file, axis=1)


# ---- compression ------------------------------------------------------------------------------


def test_names_and_windows_of_compression() -> None:
    for window, level in itertools.product(range(9, 16), (0, 9)):
        stream = zlib.compressobj(level, wbits=window)
        packed = stream.compress(FILE) + stream.flush()
        assert plain(records.read(packed, SCHEMA)) == EXPECTED
    capitals: Any = "GZIP"
    assert plain(records.read(gzip.compress(FILE), SCHEMA, compression=capitals)) == EXPECTED
    for bad in ("gz", 5):
        with pytest.raises(ValueError, match="compression must be"):
            records.read(FILE, SCHEMA, compression=bad)


def test_nothing_is_picked_from_a_compressed_file(folder: Path) -> None:
    path = folder / "a.gz"
    path.write_bytes(gzip.compress(FILE * 9))
    for source in (path, path.read_bytes()):
        with pytest.raises(ValueError, match=r"is compressed \(gzip\).*decompress the file"):
            records.gather(source, SPANS, SCHEMA)


# ---- memory -----------------------------------------------------------------------------------


def test_spans_that_claim_much(tmp_path: Path) -> None:
    """A small index cannot make gathering read a large file many times."""
    path = tmp_path / "large"
    path.write_bytes(FILE)
    os.truncate(path, 1 << 30)
    spans = np.repeat([[12, (1 << 30) - 16]], 100, axis=0)
    tracemalloc.start()
    try:
        with pytest.raises(records.RecordError, match="STALE_INDEX"):
            records.gather(path, spans, SCHEMA)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def read_with_schema(source: Any, schema: Any = SCHEMA, **options: Any) -> Any:
    return records.read(source, schema, **options)


@pytest.mark.parametrize("function", [records.index, records.raw, read_with_schema])
def test_options_are_checked_at_the_call(function: Any) -> None:
    wrong: list[tuple[str, Any, type[Exception]]] = [
        ("chunk_size", 0, ValueError),
        ("chunk_size", "1", TypeError),
        ("compression", "lzma", ValueError),
        ("on_error", "ignore", ValueError),
    ]
    if function is read_with_schema:
        wrong += [("batch_size", 0, ValueError), ("schema", {"a": "int64"}, TypeError)]
    for name, value, error in wrong:
        with pytest.raises(error):
            function(FILE, **{name: value})
    with pytest.raises(ValueError, match=r"chunk_size must be at least 1.*, not -1"):
        records.read(FILE, SCHEMA, chunk_size=-1)


def test_a_pattern_leaves_out_indices(tmp_path: Path) -> None:
    """By what they hold: a file of records may have any name."""
    for shard in range(2):
        path = tmp_path / f"train.tfrecord-{shard:05}-of-00002"
        path.write_bytes(FILE)
        records.save_index(path, SPANS)
    Path(f"{path}-places").write_bytes(Path(f"{path}.idx").read_bytes())
    text = "".join(f"{start - 12} {size + 16}\n" for start, size in SPANS.tolist())
    (tmp_path / "train.tfrecord-text").write_bytes(FILE)
    (tmp_path / "train.tfrecord-text.idx").write_text(text)
    (tmp_path / "train.tfrecord-alone.idx").write_bytes(FILE)
    (tmp_path / "train.tfrecord-none.idx").touch()
    os.mkfifo(tmp_path / "train.tfrecord-pipe.idx")
    found = [os.path.basename(path) for path in find(tmp_path / "train.tfrecord-*").sources]
    assert found == [
        "train.tfrecord-00000-of-00002",
        "train.tfrecord-00001-of-00002",
        "train.tfrecord-alone.idx",
        "train.tfrecord-none.idx",
        "train.tfrecord-pipe.idx",
        "train.tfrecord-text",
    ]
    pattern = tmp_path / "train.tfrecord-0*"
    assert plain(records.read(pattern, SCHEMA)) == EXPECTED * 2
    assert len(RecordDataset(pattern, SCHEMA)) == 18
    with pytest.raises(FileNotFoundError, match="No file matches the pattern"):
        find(tmp_path / "*-00002.idx")


def test_an_index_that_is_named_is_not_a_file_of_records(tmp_path: Path) -> None:
    path = tmp_path / "a.rec"
    path.write_bytes(FILE)
    records.save_index(path, SPANS)
    index = Path(f"{path}.idx")
    for source in (index, str(index), [path, index], index.read_bytes()):
        for policy in ("raise", "skip"):
            with pytest.raises(ValueError, match=r"is an index, as save_index writes it, not a"):
                list(records.read(source, SCHEMA, on_error=policy))
    with index.open("rb") as file, pytest.raises(ValueError, match=r"a\.rec\.idx is an index"):
        records.index(file)
    with pytest.raises(ValueError, match=r"a\.rec\.idx is an index"):
        RecordDataset([path, index], SCHEMA)


def test_a_set_of_files_that_is_not_whole(tmp_path: Path) -> None:
    """A pattern for some of the files that are there is no reason to warn."""

    def write(*names: str) -> None:
        for name in names:
            (tmp_path / name).write_bytes(FILE)

    write(*(f"train-{i:05}-of-00011.rec" for i in range(11)))
    write(*(f"model-{i}-of-11" for i in range(1, 12)), "0-of-2", "1-of-2", "so-1-of-a-kind")
    for pattern in (
        "train-*",
        "train-0000[2-4]*",
        "model-*",
        "model-1*",
        "*-of-2",
        "so-*",
        "?-of-2",
    ):
        assert find(tmp_path / pattern).sources
    for name, pattern, n in (
        ("train-00003-of-00011.rec", "train-*", 10),
        ("train-00010-of-00011.rec", "tr*-0000[0-2]*", 3),
        ("model-5-of-11", "**/model*", 10),
        ("0-of-2", "?-of-2", 1),
    ):
        (tmp_path / name).unlink()
        words = f"{name} is missing: {re.escape(str(tmp_path / pattern))} matches {n} "
        with pytest.warns(UserWarning, match=words):
            find(tmp_path / pattern)
        write(name)


def test_urls() -> None:
    files = needs("fsspec").filesystem("memory")
    for name in ("b-1-of-2", "a-0-of-2", "a-1-of-2"):
        files.pipe_file(f"/set/{name}", FILE)
    files.pipe_file("/set/a-1-of-2.idx", struct.pack("<8sqqq", b"\x89CKIDX\r\n", len(FILE), 1, 0))
    for source, n in (("memory://set/a-*", 2), (["memory://set/b-1-of-2", FILE], 2)):
        assert plain(records.read(source, SCHEMA)) == EXPECTED * n
        spans = records.index(source)[::-1]
        assert plain([records.gather(source, spans, SCHEMA)]) == (EXPECTED * n)[::-1]
    with pytest.raises(ValueError, match=r"memory://set/a-1-of-2\.idx is an index"):
        list(records.read("memory://set/a-1-of-2.idx", SCHEMA))
    with pytest.raises(FileNotFoundError):
        records.index("memory://set/*.none")
    with pytest.warns(UserWarning, match="b-0-of-2 is missing"):
        assert plain(records.read("memory://set/b-*", SCHEMA)) == EXPECTED
