"""A writer writes what it is given, or raises an error that names the feature."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import zlib
from array import array
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from backends import needs
from example_proto import Example, features

from bindings import records

# ---- values -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ([-1, 2**63 - 1], ("int64", [-1, 2**63 - 1])),
        ([True, 2], ("int64", [1, 2])),
        ([1, 2.5], ("float32", [1.0, 2.5])),
        (range(3), ("int64", [0, 1, 2])),
        (bytearray(b"abc"), ("bytes", [b"abc"])),
        (np.array(["a", "\u00e9"]), ("bytes", [b"a", "\u00e9".encode()])),
        (np.array([[b"a", b"b\0"], [b"c", b""]], object), ("bytes", [b"a", b"b\0", b"c", b""])),
        (np.array(["a", b"b\0", bytearray(b"c")], object), ("bytes", [b"a", b"b\0", b"c"])),
        (np.array([1, 2.5], object), ("float32", [1.0, 2.5])),
        (np.array([], "U1"), ("bytes", [])),
        (np.array([], object), ("bytes", [])),
        (np.array([], np.int64), ("int64", [])),
        (memoryview(b"abc\0"), ("bytes", [b"abc\0"])),
        (memoryview(b"abcd")[::2], ("bytes", [b"ac"])),
        ([memoryview(b"a"), bytearray(b"b"), "c", b"d"], ("bytes", [b"a", b"b", b"c", b"d"])),
        (pickle.PickleBuffer(b"abc"), ("bytes", [b"abc"])),
        (memoryview(np.array([1, 2])), ("int64", [1, 2])),
        (memoryview(np.array([1, 2], np.float32)), ("float32", [1.0, 2.0])),
        (array("B", b"ab"), ("int64", [97, 98])),
        (np.frombuffer(b"ab", np.uint8), ("int64", [97, 98])),
        (np.uint8(97), ("int64", [97])),
        (np.float32(0.5), ("float32", [0.5])),
        ([np.int64(5), 6], ("int64", [5, 6])),
        ([5, np.int64(6)], ("int64", [5, 6])),
        ([np.float32(5), 6], ("float32", [5.0, 6.0])),
        ((), ("", [])),
        (b"", ("bytes", [b""])),
        ("", ("bytes", [b""])),
        ([""], ("bytes", [b""])),
        (np.arange(6).reshape(2, 3)[:, ::2], ("int64", [0, 2, 3, 5])),
        (np.array([1, 2], ">i8"), ("int64", [1, 2])),
        (np.array([1, 2], ">f8"), ("float32", [1.0, 2.0])),
        (np.array([2**63 - 1], np.uint64), ("int64", [2**63 - 1])),
        (np.array([], np.float64), ("float32", [])),
        ([], ("", [])),
    ],
)
def test_values(value: Any, wanted: tuple[str, list[Any]]) -> None:
    assert features(records.encode_example({"x": value})) == {"x": wanted}


@pytest.mark.parametrize(
    "value",
    [
        *(2**63, -(2**63) - 1, [-1, 2**63], [2**64]),
        *(np.array([2**63], np.uint64), np.array([2**63], ">u8")),
    ],
)
def test_integers_beyond_int64(value: Any) -> None:
    with pytest.raises(OverflowError, match=r"feature 'x': -?\d+ does not fit an int64"):
        records.encode_example({"x": value})


@pytest.mark.parametrize(
    "value",
    [
        *(None, [None], [b"a", 1], [1, b"a"], [1.5, "a"], {1: 2}, 1j, [[1, 2], [3]], iter([1])),
        *(np.array(["2020"], "M8[D]"), np.array([b"a\0"]), np.array([], "S1")),
    ],
)
def test_what_is_not_a_value(value: Any) -> None:
    with pytest.raises(TypeError, match="feature 'x'"):
        records.encode_example({"x": value})


@pytest.mark.parametrize("name", [1, b"x", None])
def test_what_is_not_a_name(name: Any) -> None:
    with pytest.raises(TypeError, match="name must be a str"):
        records.encode_example({name: 1})
    with pytest.raises(TypeError, match="name must be a str"):
        records.encode_sequence_example({}, {name: [1]})


# ---- records ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [bytearray(b"abcdef"), memoryview(b"abcdef")[::2], np.arange(3), np.zeros((2, 2), "f4")],
)
def test_a_record_is_the_bytes_of_a_buffer(record: Any, tmp_path: Path) -> None:
    path = tmp_path / "one"
    records.write(path, [record])
    data = bytes(memoryview(record))
    assert path.read_bytes() == records.frame(data)
    assert records.index(path).tolist() == [[12, len(data)]]


@pytest.mark.parametrize("record", ["text", [1, 2], 5, None])
def test_what_is_not_a_record(record: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        records.write(tmp_path / "none", [record])


def test_columns_of_strings(tmp_path: Path) -> None:
    path = tmp_path / "strings"
    with records.Writer(path) as writer:
        writer.write_columns(
            {"one": np.array(["a", "bc"]), "two": np.array([["d", ""], ["e", "f"]])}
        )
    (batch,) = records.read(path, records.Schema.infer(path))
    assert batch["one"].to_list() == [[b"a"], [b"bc"]]  # type: ignore[union-attr]
    assert batch["two"].to_list() == [[b"d", b""], [b"e", b"f"]]  # type: ignore[union-attr]


class Message:
    """The methods of a protobuf message that a writer calls."""

    def SerializeToString(self) -> bytes:
        return b"\x0a\x00"


def test_a_message_is_a_record_and_a_value(tmp_path: Path) -> None:
    path = tmp_path / "messages"
    records.write(path, [Message(), {"x": Message(), "y": [Message(), b"a"]}])
    inner = records.encode_example({"x": b"\x0a\x00", "y": [b"\x0a\x00", b"a"]})
    assert path.read_bytes() == records.frame(b"\x0a\x00") + records.frame(inner)


@pytest.mark.parametrize("size", [0, 1, 5, 127, 128, 16383, 16384, 16385, 70_000, 300_000])
def test_bytes_equal_protobufs(size: int, tmp_path: Path) -> None:
    """The lengths cover every size of a message's head, and small and large records."""
    rng, path = np.random.default_rng(size), tmp_path / "path"
    integers = rng.integers(-(2**63), 2**63 - 1, size)
    rows = [
        {"i": integers},
        {"i": integers.tolist()},
        {"f": rng.random(size, np.float32)},
        {"f": rng.random(size).tolist()},
        {"b": rng.bytes(size)},
        {"b": [rng.bytes(size), b""]},
    ]
    records.write(path, rows)
    for (start, length), row in zip(records.index(path).tolist(), rows, strict=True):
        data = path.read_bytes()[start : start + length]
        example = Example()
        for name, value in row.items():
            feature = example.features.feature[name]
            if name == "i" and size:
                feature.int64_list.value.extend(value)
            elif name == "f" and size:
                feature.float_list.value.extend(value)
            elif name == "b":
                feature.bytes_list.value.extend(value if isinstance(value, list) else [value])
        if size or name == "b":
            assert data == example.SerializeToString()


class Bytes(bytes):
    """Bytes that misreport their length."""

    def __len__(self) -> int:
        return 99


class Str(str):
    """A str that is equal to anything and encodes to something else."""

    __slots__ = ()

    def encode(self, *_: Any) -> bytes:
        return b"lies"

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("x")


class Int(int):
    """An int that is another number in calculations."""

    def __and__(self, other: int) -> int:
        return 99

    def __le__(self, other: int) -> bool:
        return True


class Items(list):  # type: ignore[type-arg]
    """A list that misreports its length."""

    def __len__(self) -> int:
        return 99


def test_subclasses_that_lie(tmp_path: Path) -> None:
    honest = {"x": b"abc", "s": "abc", "i": 300, "b": [b"abc", "d"], "l": [1, 2], "f": [0.5]}
    lying = {
        "x": Bytes(b"abc"),
        "s": Str("abc"),
        "i": Int(300),
        "b": [Bytes(b"abc"), Str("d")],
        "l": Items([Int(1), 2]),
        "f": Items([0.5]),
    }
    assert records.encode_example(lying) == records.encode_example(honest)
    records.encode_example({"x": b"abc"})
    assert records.encode_example({Str("y"): b"abc"}) == records.encode_example({"y": b"abc"})
    records.write(tmp_path / "path", [Bytes(b"abc")])
    assert (tmp_path / "path").read_bytes() == records.frame(b"abc")


# ---- files ------------------------------------------------------------------------------------

FRAMES = b"".join(map(records.frame, [b"abc", b"", b"x" * 50_000, b"y"]))
DATA = [b"abc", b"", b"x" * 50_000, b"y"]


@pytest.mark.parametrize("name", ["python", "numpy", None])
def test_a_backend_is_chosen(name: str | None, tmp_path: Path) -> None:
    records.write(tmp_path / "path", [*DATA, {"a": [1, 2]}], backend=name)
    last = records.frame(records.encode_example({"a": [1, 2]}))
    assert (tmp_path / "path").read_bytes() == FRAMES + last


@pytest.mark.parametrize("spelling", ["gzip", "GZIP", "zlib", "ZLIB"])
def test_compression(spelling: Any, tmp_path: Path) -> None:
    path = tmp_path / "path"
    records.write(path, DATA, compression=spelling)
    inflate = gzip.decompress if spelling.lower() == "gzip" else zlib.decompress
    assert inflate(path.read_bytes()) == FRAMES


def test_levels(tmp_path: Path) -> None:
    sizes = []
    for level in (0, 1, 9):
        records.write(tmp_path / "path", DATA, compression="gzip", level=level)
        sizes.append((tmp_path / "path").stat().st_size)
        assert gzip.decompress((tmp_path / "path").read_bytes()) == FRAMES
    assert sizes[0] > len(FRAMES) > sizes[1] > sizes[2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"compression": "bz2"}, "compression must be 'gzip', 'zlib' or None, not 'bz2'"),
        ({"compression": "gzip", "level": 10}, "level must be from 0 to 9, not 10"),
        ({"compression": "gzip", "level": -1}, "level must be from 0 to 9, not -1"),
        ({"level": 3}, "level is 3, but compression is None"),
    ],
)
def test_what_is_not_a_compression(options: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        records.Writer(tmp_path / "path", **options)
    assert not list(tmp_path.iterdir())


class Slow(io.RawIOBase):
    """A file that takes few bytes at a time."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: Any) -> int:
        self.data += data[:1000]
        return min(len(data), 1000)


@pytest.mark.parametrize("compression", [None, "gzip"])
def test_a_file_object(compression: Any) -> None:
    file, slow = io.BytesIO(), Slow()
    for target in (file, slow):
        records.write(target, DATA, compression=compression)
    assert not file.closed
    for data in (file.getvalue(), bytes(slow.data)):
        assert (gzip.decompress(data) if compression else data) == FRAMES


@pytest.mark.parametrize("target", [io.StringIO(), 5, None, b"x", ["path"]])
def test_what_is_not_a_target(target: Any) -> None:
    with pytest.raises(TypeError, match="target must be a path, a URL or a binary file object"):
        records.Writer(target)


def write_and_raise(writer: records.Writer | records.ShardedWriter) -> None:
    with writer:
        for _ in range(20):
            writer.write(b"abc" * 10_000)
        raise ValueError("the end")


@pytest.mark.parametrize("scheme", ["memory", "file"])
def test_a_url(scheme: str, tmp_path: Path) -> None:
    fsspec = needs("fsspec")
    url = f"{scheme}://{tmp_path}/path"
    records.write(url, DATA)
    with fsspec.open(url, "rb") as file:
        assert file.read() == FRAMES


def test_an_exception_leaves_nothing_at_a_url(tmp_path: Path) -> None:
    needs("fsspec")
    with pytest.raises(ValueError, match="the end"):
        write_and_raise(records.Writer(f"file://{tmp_path}/path"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("compression", [None, "gzip"])
def test_a_record_of_many_parts(compression: Any, tmp_path: Path) -> None:
    """It has more parts than one system call takes."""
    path, row = tmp_path / "path", {f"feature {i}": b"x" * 50 for i in range(3000)}
    records.write(path, [b"before", row, b"behind"], compression=compression)
    wanted = [b"before", records.encode_example(row), b"behind"]
    assert [*records.raw(path)] == wanted


def test_a_file_that_takes_few_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pipes do so, and any file when a signal arrives."""

    def writev(handle: int, parts: Any) -> int:
        return os.write(handle, b"".join(parts)[: random.randrange(1, 40_000)])

    random = Random(1)
    monkeypatch.setattr(os, "writev", writev)
    rows = [{"a": bytes([i]) * 20_000, "b": b"x" * 20_000} for i in range(30)]
    records.write(tmp_path / "path", rows)
    assert [*records.raw(tmp_path / "path")] == [*map(records.encode_example, rows)]


@pytest.mark.parametrize("record", [b"abc", b"x" * 50_000, {"a": 1}, {"a": b"x" * 50_000}])
def test_a_closed_writer_takes_nothing(record: Any, tmp_path: Path) -> None:
    writer = records.Writer(tmp_path / "path")
    writer.write(b"abc")
    writer.close()
    with pytest.raises(ValueError, match="the writer is closed"):
        writer.write(record)
    writer.close()
    assert (tmp_path / "path").read_bytes() == records.frame(b"abc")


def test_few_bytes_wait_to_be_written() -> None:
    file, written = io.BytesIO(), 0
    with records.Writer(file) as writer:
        for size in (0, 100, 16_000) * 500:
            writer.write(bytes(size))
            written += size + 16
            assert written - file.tell() < 300_000
    assert file.tell() == written


# ---- shards -----------------------------------------------------------------------------------


def shards(folder: Path) -> dict[str, list[bytes]]:
    found = {}
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        spans = records.index(path).tolist()
        found[path.name] = [data[start : start + size] for start, size in spans]
    return found


def test_a_number_of_shards(tmp_path: Path) -> None:
    pattern = tmp_path / "train-{shard:03d}-of-{n}"
    with records.ShardedWriter(pattern, shards=3) as writer:
        for i in range(8):
            writer.write(bytes([i]))
        assert not any("train" in path.name[:5] for path in tmp_path.iterdir())
    assert shards(tmp_path) == {
        f"train-00{shard}-of-3": [bytes([i]) for i in range(shard, 8, 3)] for shard in range(3)
    }


def test_shards_of_records(tmp_path: Path) -> None:
    with records.ShardedWriter(tmp_path / "{shard}-of-{n}", max_records=3) as writer:
        writer.write_columns({"a": np.arange(7)})
    assert [*map(len, shards(tmp_path).values())] == [3, 3, 1]
    assert [*shards(tmp_path)] == ["0-of-3", "1-of-3", "2-of-3"]


def test_shards_of_bytes(tmp_path: Path) -> None:
    with records.ShardedWriter(str(tmp_path / "{shard}"), max_bytes=100) as writer:
        for size in (40, 20, 20, 300, 84, 0):
            writer.write(bytes(size))
    sizes = [[len(data) for data in found] for found in shards(tmp_path).values()]
    assert sizes == [[40, 20], [20], [300], [84], [0]]


@pytest.mark.parametrize("limit", [{"shards": 2}, {"max_records": 5}, {"max_bytes": 5}])
def test_no_records_make_empty_shards(limit: Any, tmp_path: Path) -> None:
    with records.ShardedWriter(tmp_path / "{shard}", **limit):
        pass
    assert [*shards(tmp_path).values()] == [[]] * limit.get("shards", 1)


@pytest.mark.parametrize("limit", [{"shards": 2}, {"max_records": 5}, {"max_bytes": 5}])
def test_an_exception_leaves_no_shard(limit: Any, tmp_path: Path) -> None:
    writer = records.ShardedWriter(tmp_path / "{shard}", compression="gzip", **limit)
    with pytest.raises(ValueError, match="the end"):
        write_and_raise(writer)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="closed"):
        writer.write(b"abc")


@pytest.mark.parametrize(
    ("pattern", "options"),
    [
        ("train", {"shards": 2}),
        ("{n}", {"shards": 2}),
        ("{shard}-{other}", {"shards": 2}),
        ("{shard", {"shards": 2}),
        ("{}", {"shards": 2}),
        ("{shard}/x-{shard}", {"shards": 2}),
        ("{shard}", {}),
        ("{shard}", {"shards": 2, "max_records": 2}),
        ("{shard}", {"shards": 0}),
        ("{shard}", {"max_bytes": -1}),
    ],
)
def test_what_is_not_a_set_of_shards(pattern: str, options: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"pattern|shards, max_bytes"):
        records.ShardedWriter(tmp_path / pattern, **options)
    assert not list(tmp_path.iterdir())
