"""Values and records are written unchanged, or an error names the feature."""

from __future__ import annotations

import pickle
from array import array
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from support.backends import needs
from support.example_proto import Example, features

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
        (np.array([], object), ("bytes", [])),
        (memoryview(b"abc\0"), ("bytes", [b"abc\0"])),
        (memoryview(b"abcd")[::2], ("bytes", [b"ac"])),
        ([memoryview(b"a"), bytearray(b"b"), "c", b"d"], ("bytes", [b"a", b"b", b"c", b"d"])),
        (pickle.PickleBuffer(b"abc"), ("bytes", [b"abc"])),
        (memoryview(np.array([1, 2])), ("int64", [1, 2])),
        (array("B", b"ab"), ("int64", [97, 98])),
        (np.uint8(97), ("int64", [97])),
        (np.float32(0.5), ("float32", [0.5])),
        ([np.int64(5), 6], ("int64", [5, 6])),
        ([np.float32(5), 6], ("float32", [5.0, 6.0])),
        ((), ("", [])),
        (b"", ("bytes", [b""])),
        ("", ("bytes", [b""])),
        ([""], ("bytes", [b""])),
        (np.arange(6).reshape(2, 3)[:, ::2], ("int64", [0, 2, 3, 5])),
        (np.array([1, 2], ">i8"), ("int64", [1, 2])),
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
        2**63,
        -(2**63) - 1,
        [-1, 2**63],
        [2**64],
        np.array([2**63], np.uint64),
        np.array([2**63], ">u8"),
    ],
)
def test_integers_beyond_int64(value: Any) -> None:
    with pytest.raises(OverflowError, match=r"feature 'x': -?\d+ does not fit an int64"):
        records.encode_example({"x": value})


NOT_VALUES = [None, [None], [b"a", 1], [1, b"a"], [1.5, "a"], {1: 2}, 1j, [[1, 2], [3]], iter([1])]
NOT_VALUES += [np.array(["2020"], "M8[D]"), np.array([b"a\0"]), np.array([], "S1")]


@pytest.mark.parametrize("value", NOT_VALUES)
def test_what_is_not_a_value(value: Any) -> None:
    with pytest.raises(TypeError, match="feature 'x'"):
        records.encode_example({"x": value})


@pytest.mark.parametrize("value", [1e300, -1e300, np.longdouble("1e300")])
def test_floats_beyond_float32(value: Any) -> None:
    """What is infinite already, or not a number, is written as it is."""
    for one in (value, [0.5, value], [1, value], np.array([[float("inf"), value]])):
        with pytest.raises(OverflowError, match="feature 'x': a finite number does not fit a flo"):
            records.encode_example({"x": one})
    special = [float("inf"), float("-inf"), float("nan"), 3.4028235e38]
    for many in (special, np.array(special)):
        assert repr(features(records.encode_example({"x": many}))["x"][1]) == repr(
            np.float32(special).tolist()
        )


@pytest.mark.parametrize("dtype", [float, np.int64, np.float32, object])
def test_a_mask_is_not_ignored(dtype: Any, tmp_path: Path) -> None:
    masked = np.ma.array([[1, 2]], mask=[[False, True]], dtype=dtype)
    for value in (masked, masked[0], [masked], [[masked, masked]], masked[0, 1], [1, np.ma.masked]):
        with pytest.raises(TypeError, match=r"^feature 'x': "):
            records.encode_example({"x": value})
    with records.Writer(tmp_path / "a") as writer:
        writer.write_columns({"x": np.ma.array([1, 2])})  # nothing is masked
        for column in (masked, masked[0], [masked[0]]):
            with pytest.raises(
                TypeError, match=r"^feature 'x': masked values and nulls cannot be written"
            ):
                writer.write_columns({"x": column})
        with pytest.raises(TypeError, match=r"^record: masked values and nulls cannot be written"):
            writer.write(masked)


def test_nulls_do_not_become_nan() -> None:
    array = needs("pyarrow").array
    assert features(records.encode_example({"x": array([1, 2])})) == {"x": ("int64", [1, 2])}
    with pytest.raises(TypeError, match="feature 'x': masked values and nulls cannot be written"):
        records.encode_example({"x": array([1, None])})


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
    assert batch["one"].to_list() == [[b"a"], [b"bc"]]
    assert batch["two"].to_list() == [[b"d", b""], [b"e", b"f"]]


class Message:
    """The methods of a protobuf message that a writer calls."""

    def SerializeToString(self) -> bytes:
        return b"\x0a\x00"


def test_a_message_is_a_record_and_a_value(tmp_path: Path) -> None:
    path = tmp_path / "messages"
    records.write(path, [Message(), {"x": Message(), "y": [Message(), b"a"]}])
    inner = records.encode_example({"x": b"\x0a\x00", "y": [b"\x0a\x00", b"a"]})
    assert path.read_bytes() == records.frame(b"\x0a\x00") + records.frame(inner)


@pytest.mark.parametrize("size", [1, 5, 127, 128, 16383, 16384, 16385, 70_000, 300_000])
def test_bytes_equal_protobufs(size: int) -> None:
    """The lengths cover every size of a message's head, and small and large records."""
    rng = np.random.default_rng(size)
    integers, reals = rng.integers(-(2**63), 2**63 - 1, size), rng.random(size, np.float32)
    for part, values, value in (
        ("int64_list", integers, integers),
        ("int64_list", integers, integers.tolist()),
        ("float_list", reals, reals),
        ("float_list", reals, reals.tolist()),
        ("bytes_list", [b"x" * size, b""], [b"x" * size, b""]),
    ):
        example = Example()
        getattr(example.features.feature["x"], part).value.extend(values)
        assert records.encode_example({"x": value}) == example.SerializeToString()


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


def test_subclasses_that_lie(tmp_path: Path) -> None:
    honest = {"x": b"abc", "s": "abc", "b": [b"abc", "d"]}
    lying = {"x": Bytes(b"abc"), "s": Str("abc"), "b": [Bytes(b"abc"), Str("d")]}
    assert records.encode_example(lying) == records.encode_example(honest)
    assert records.encode_example({Str("y"): b"abc"}) == records.encode_example({"y": b"abc"})
    records.write(tmp_path / "path", [Bytes(b"abc")])
    assert (tmp_path / "path").read_bytes() == records.frame(b"abc")
