"""Schema and encode_example: what is asked for, and what is written."""

from __future__ import annotations

import pickle
import struct
from typing import Any

import pytest

from bindings import records


def test_a_schema_is_a_value() -> None:
    schema = records.Schema({"a": "int64", "ü": ("float32", 784)})
    assert schema == records.Schema({"a": "int64", "ü": ("float32", 784)})
    assert schema != records.Schema({"ü": ("float32", 784), "a": "int64"})
    assert len({schema, pickle.loads(pickle.dumps(schema))}) == 1
    assert schema.names == ("a", "ü")
    table = struct.pack("=iiiiq", 48, 1, 3, 0, 0) + struct.pack("=iiiiq", 49, 2, 2, 1, 784)
    assert schema.buffer == table + "aü".encode()
    assert eval(repr(schema), {"Schema": records.Schema}) == schema


@pytest.mark.parametrize(
    ("features", "error"),
    [
        ({"a": "int8"}, ValueError),
        ({"a": ("int64", -1)}, ValueError),
        ({"a": ("int64", 2**31)}, ValueError),
        ({"a": ("int64", 1.5)}, TypeError),
        ({1: "int64"}, TypeError),
    ],
)
def test_a_schema_refuses_what_no_kernel_knows(features: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        records.Schema(features)


def test_examples_are_encoded_as_protobuf_does() -> None:
    entries = (
        "0a14 0a0161 120f 1a0d 0a0b 01 ffffffffffffffffff01",
        "0a0d 0a0162 1208 1206 0a04 0000003f",
        "0a0d 0a0163 1208 0a06 0a02c3a9 0a00",
        "0a05 0a0164 1200",
    )
    example = records.encode_example({"a": [1, -1], "b": 0.5, "c": ["é", b""], "d": []})
    assert example == bytes.fromhex("0a3b" + "".join(entries))
    with pytest.raises(OverflowError):
        records.encode_example({"a": 2**63})
    with pytest.raises(TypeError, match="'a'"):
        records.encode_example({"a": [None]})
