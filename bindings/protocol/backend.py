"""A backend: the module behind a binding."""

from __future__ import annotations

from typing import Protocol

from ffi_cookbook.bindings.protocol.arrays import Buffer, Int64Array, Matrix, Uint8Array
from ffi_cookbook.bindings.protocol.patterns import Patterns
from ffi_cookbook.bindings.protocol.tokenizer import ModelLike, Tokenizer


class Backend(Protocol):
    """The module behind a binding.

    `numpy` has only what is natural in arrays: matmul, index_records and decode_fixed. `torch` has
    only what is natural in tensors: matmul and the patterns. What is absent raises an exception
    that says why.
    """

    def Tokenizer(self, model: ModelLike) -> Tokenizer:
        """Make a tokenizer: the binding's own class has this name.

        `model` is a Model or has all attributes of one (else TypeError). Once the tokenizer is
        made, another call of its `__init__` raises TypeError or does nothing."""

    @property
    def patterns(self) -> Patterns:
        """The module of the binding's patterns."""

    def about(self) -> dict[str, str]:
        """Return the tools that built the binding, as strings.

        The keys are "technology" (name and version of the binding tool), "compiler", "kernel" (its
        language) and "isa" (the instruction set in use).
        """

    def matmul(
        self, a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1
    ) -> Matrix:
        """Return the product of two matrices, or of two batches of matrices.

        a (M,K) and b (K,N) are both float32 or both float64, with any strides. They may be
        read-only, and M, N or K may be 0. The result is a new C-contiguous (M,N) array of that
        dtype, or `out` (C-contiguous, aligned), which is filled. Error per element <= K * u * (|A|
        |B|).

        Either operand, or both, may be a batch of matrices: (B,M,K) @ (B,K,N) gives (B,M,N), as for
        np.matmul. A batch of 1 matrix, or a single matrix, is multiplied with every matrix of the
        other operand. Other numbers of dimensions are refused: a vector could be a row or a column,
        and an array with more axes becomes a batch by a reshape, which lets the caller see whether
        it copies.

        Raises:
            TypeError, ValueError: an argument is not an array of float32 or float64 in native byte
                order, `out` is read-only, or `threads` is not an integer (one that does not fit 64
                bits may be an OverflowError): the wording and the type depend on the technology. An
                array of another library may be accepted where a technology can borrow it.
            TypeError: the arrays have different dtypes.
            ValueError: an operand does not have 2 or 3 dimensions, or inner sizes or batches do not
                fit; threads < 1; `out` has another shape, is not C-contiguous and aligned, or
                overlaps the memory between the first and last element of an operand.
            MemoryError: the result, or the working memory, cannot be allocated.

        If there are several faults, the first is reported, in this order: conversion, the operands,
        `threads`, `out`. A signal such as Ctrl-C is handled when the product is done. The GIL is
        released around the kernel, except that capi, cython, pybind11, nanobind and pyo3 keep it
        for a product of two matrices with at most 32,768 multiply-adds.
        """

    # The records functions (docs/records.md) work on memory that the caller owns: `buffer` and
    # `schema` are any C-contiguous buffers; `arena` (uint8) and the tables (int64, native byte
    # order) are numpy arrays or instances of a subclass, C-contiguous, aligned, and writable if
    # they are filled. A wrong type or dtype raises TypeError, any other fault ValueError. An
    # integer is any object with __index__ whose value fits 64 bits, else TypeError or OverflowError
    # is raised; a flag is True or False and nothing else. Every table is copied before it is
    # checked, so another thread may write to any argument: the results are then unspecified. Memory
    # that is filled (arena, columns, cursor, the spans of index_records) must not overlap another
    # argument: a ValueError names the two, and nothing is written.

    def index_records(
        self,
        buffer: Buffer,
        spans: Int64Array,
        cursor: Int64Array,
        verify: bool = True,
        final: bool = True,
        resync: bool = False,
    ) -> int:
        """Find the records of a buffer, and return the number of rows filled (cursor[3]).

        spans (n,2) receives the offset and size of each record's data, from `cursor` on. cursor
        (4,) holds base, position, record and rows; it is updated even when RecordError is raised.

        With `resync`, damage is not an error: the CRCs are checked even without `verify`, and the
        next good record is searched for, in linear time. A call then also ends after a search of
        2^24 bytes (or 1/16 of the buffer), so that it can be interrupted: the next call continues
        at the cursor.
        """

    def decode_examples(
        self,
        buffer: Buffer,
        schema: bytes,
        arena: Uint8Array,
        columns: Int64Array,
        cursor: Int64Array,
        max_records: int,
        verify: bool = True,
        final: bool = True,
    ) -> int:
        """Decode tf.train.Example or SequenceExample records, and return the rows filled.

        The columns of the arena, which columns (n_fields,10) describes, are filled until they have
        `max_records` rows.

        Raises:
            RecordError: the data is bad, or (CAPACITY, DATA_CAPACITY) a column must grow before the
                next call.
        """

    def gather_examples(
        self,
        buffer: Buffer,
        spans: Int64Array,
        schema: bytes,
        arena: Uint8Array,
        columns: Int64Array,
        cursor: Int64Array,
        verify: bool = True,
    ) -> int:
        """Decode records in any order like decode_examples, and return the number of rows filled.

        Row i is the record whose data lies at spans[i] (n,2), as index_records found it. Decoding
        begins at row cursor[3]. The record number of an error is the row.
        """

    def decode_fixed(
        self,
        buffer: Buffer,
        record_size: int,
        fields: Int64Array,
        arena: Uint8Array,
        cursor: Int64Array,
        max_records: int,
        final: bool = True,
    ) -> int:
        """Decode fixed-size records, and return the number of rows filled.

        fields (n,5) describes the columns of the arena that are filled.
        """
