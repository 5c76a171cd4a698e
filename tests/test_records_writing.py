"""What is written is what was given, or an error that names the feature."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from example_proto import features

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
        (np.array([[b"a", b"b"], [b"c", b""]]), ("bytes", [b"a", b"b", b"c", b""])),
        (np.array(["a", b"b\0", bytearray(b"c")], object), ("bytes", [b"a", b"b\0", b"c"])),
        (np.array([1, 2.5], object), ("float32", [1.0, 2.5])),
        (np.array([], "S1"), ("bytes", [])),
        (np.array([], np.float64), ("float32", [])),
        ([], ("", [])),
    ],
)
def test_values(value: Any, wanted: tuple[str, list[Any]]) -> None:
    assert features(records.encode_example({"x": value})) == {"x": wanted}


@pytest.mark.parametrize("value", [2**63, [-1, 2**63], [2**64], np.array([2**63], np.uint64)])
def test_integers_beyond_int64(value: Any) -> None:
    with pytest.raises(OverflowError, match=r"feature 'x': \d+ does not fit an int64"):
        records.encode_example({"x": value})


@pytest.mark.parametrize(
    "value",
    [None, [None], [b"a", 1], {1: 2}, 1j, [[1, 2], [3]], np.array(["2020"], "M8[D]"), iter([1])],
)
def test_what_is_no_value(value: Any) -> None:
    with pytest.raises(TypeError, match="feature 'x'"):
        records.encode_example({"x": value})


@pytest.mark.parametrize("name", [1, b"x", None])
def test_what_is_no_name(name: Any) -> None:
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
def test_what_is_no_record(record: Any, tmp_path: Path) -> None:
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
