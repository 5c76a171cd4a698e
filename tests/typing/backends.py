"""Uses of the bindings for type checkers. `nox -s lint` checks this file; nothing runs it."""

from __future__ import annotations

from typing import Any, Literal, assert_type

import numpy as np
from numpy.typing import NDArray

import ffi_cookbook
from ffi_cookbook.bindings import (
    capi,
    cffi,
    ctypes,
    cython,
    nanobind,
    pybind11,
    pyo3,
    python,
)
from ffi_cookbook.bindings.protocol import Backend, Matrix, ModelLike
from ffi_cookbook.tokenizer import Model

Floats = NDArray[np.float64]
Int64s = NDArray[np.int64]


def every_module_is_a_backend() -> list[Backend]:
    return [python, capi, ctypes, cffi, cython, pybind11, nanobind, pyo3]


# ---- what a call returns -------------------------------------------------------------------


def numbers() -> None:
    assert_type(capi.patterns.add_int(1, 2), int)
    assert_type(cython.patterns.add_int(1, 2), int)
    assert_type(pybind11.patterns.add_float(1, 2.0), float)
    assert_type(nanobind.patterns.keywords(1.0, scale=2.0), float)
    assert_type(pyo3.patterns.tuple_out(1, 2), tuple[int, int])
    assert_type(nanobind.patterns.array_in(np.ones(3)), float)


def objects() -> None:
    assert_type(capi.patterns.Point(1.0, 2.0), capi.patterns.Point)
    assert_type(nanobind.patterns.struct_out(1.0, 2.0), nanobind.patterns.Point)
    assert_type(pybind11.patterns.Counter(1).add(2), int)
    assert_type(cython.patterns.Counter(1).value, int)


def arrays(single: NDArray[np.float32], double: Floats) -> None:
    assert_type(nanobind.matmul(double, double, threads=2), Matrix)
    assert_type(capi.matmul(single, single), Matrix)
    assert_type(pybind11.patterns.array_map(double), Floats)


def texts(model: Model) -> None:
    tokenizer = pyo3.Tokenizer(model)
    assert_type(tokenizer.encode("a", allowed_special="all"), NDArray[np.uint32])
    assert_type(tokenizer.encode_batch(["a", b"b"], 2), tuple[NDArray[np.uint32], Int64s])
    assert_type(nanobind.Tokenizer(model).model, ModelLike)
    assert_type(cython.Tokenizer(model).count("a"), int)


# ---- what is refused -----------------------------------------------------------------------


def wrong_types(model: Model, int64s: Int64s, some: Literal["some"]) -> None:
    capi.patterns.add_int("1", 2)  # type: ignore[arg-type]
    cython.patterns.add_int(1.5, 2)  # type: ignore[arg-type]
    pybind11.patterns.str_in(b"text")  # type: ignore[arg-type]
    nanobind.patterns.array_in(int64s)  # type: ignore[arg-type]
    pyo3.patterns.struct_out("x", 1.0)  # type: ignore[arg-type]
    pyo3.Tokenizer(model).encode("a", allowed_special=1)  # type: ignore[arg-type]
    nanobind.Tokenizer(model).decode([1, 2])  # type: ignore[arg-type]
    capi.Tokenizer(b"model")  # type: ignore[arg-type]


def wrong_matrices(double: Floats, int64s: Int64s) -> None:
    ffi_cookbook.load("capi").matmul(double, int64s)  # type: ignore[arg-type]
    python.matmul(double, int64s)  # type: ignore[arg-type]
    capi.matmul(double, int64s)  # type: ignore[arg-type]
    ctypes.matmul(double, int64s)  # type: ignore[arg-type]
    cffi.matmul(double, int64s)  # type: ignore[arg-type]
    cython.matmul(double, int64s)  # type: ignore[arg-type]
    pybind11.matmul(double, int64s)  # type: ignore[arg-type]
    nanobind.matmul(double, int64s)  # type: ignore[arg-type]
    pyo3.matmul(double, int64s)  # type: ignore[arg-type]


def wrong_names(double: Floats, anything: Any) -> None:
    capi.matmul(double, double, thread=2)  # type: ignore[call-arg]
    cython.matmul(double, double, thread=2)  # type: ignore[call-arg]
    pybind11.patterns.keywords(1.0, factor=2.0)  # type: ignore[call-arg]
    nanobind.patterns.add_int(a=1, b=2)  # type: ignore[call-arg]
    pyo3.encode_varint(anything)  # type: ignore[attr-defined]
