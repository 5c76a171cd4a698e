"""A backend: the module behind a binding."""

from __future__ import annotations

from typing import Protocol

from bindings.protocol.arrays import Buffer, Int64Array, Matrix, Uint8Array
from bindings.protocol.patterns import Patterns
from bindings.protocol.tokenizer import Tokenizer


class Backend(Protocol):
    """The module behind a binding. `numpy` has only what is natural in arrays; asked for the rest
    (the Tokenizer, decode_examples, gather_examples, the patterns) it says why."""

    Tokenizer: type[Tokenizer]
    patterns: Patterns

    def about(self) -> dict[str, str]:
        """{"technology": name and version of the binding tool, "compiler": ..., "kernel": language,
        "isa": instruction set in use}."""

    def matmul(
        self, a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1
    ) -> Matrix:
        """a (M,K) @ b (K,N), both float32 or both float64, any strides, read-only welcome, M, N or
        K may be 0. Returns a new C-contiguous (M,N) array of that dtype, or fills and returns `out`
        (C-contiguous, aligned). Error per element <= K * u * (|A| |B|).

        Either operand, or both, may be a batch of matrices: (B,M,K) @ (B,K,N), where one of them
        may also have 1 matrix, or 2 dimensions, for all; the result is (B,M,N), as np.matmul has
        it. Other numbers of dimensions are refused: a vector could be a row or a column, and more
        axes are a batch after a reshape, which tells whether it had to copy.

        Raises:
            TypeError, ValueError: an argument is not an array of float32 or float64 in native byte
                order, `out` is read-only, or `threads` is not an integer (one that does not fit 64
                bits may be an OverflowError): each technology says so in its own way. An array of
                another library may be taken where a technology can borrow it.
            TypeError: the arrays have different dtypes.
            ValueError: an operand has not 2 or 3 dimensions, inner sizes or batches do not fit;
                threads < 1; `out` has another shape, is not C-contiguous and aligned, or lies in
                memory between the first and last element of an operand.
            MemoryError: the result, or what the work takes, does not fit in memory.

        Of several faults the first is reported: those of conversion, of the operands, `threads`,
        `out`. A signal such as Ctrl-C is handled when the product is done. The GIL is always
        released around the kernel.
        """

    # Of the records functions: `buffer` and `schema` are any C-contiguous buffers; `arena` (uint8)
    # and the tables (int64, native order) are numpy arrays or of a subclass, C-contiguous, aligned,
    # and writable if they are filled. Integers are what has __index__ and fits 64 bits, else
    # TypeError or OverflowError; flags are True or False and nothing else. Every table is copied
    # before it is believed, so that another thread may write to any argument: the results are then
    # unspecified. Memory that is filled (arena, columns, cursor, the spans of index_records) must
    # not overlap another argument's: ValueError names the two, and nothing has been written.

    def index_records(
        self,
        buffer: Buffer,
        spans: Int64Array,
        cursor: Int64Array,
        verify: bool = True,
        final: bool = True,
        resync: bool = False,
    ) -> int:
        """Fills spans (n,2) with the offset and size of each record's data, from `cursor` on, and
        returns the rows filled (cursor[3]). cursor (4,): base, position, record, rows; it is
        updated, also when RecordError is raised. With `resync` damage is no error: whatever
        `verify` says the CRCs are checked, and the next good record is looked for, in linear time.
        Then a call also ends after a search of 2^24 bytes (or 1/16 of the buffer), so that it can
        be interrupted: the next call goes on from the cursor."""

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
        """Decodes records of tf.train.Example or SequenceExample into columns (n_fields,10) of the
        arena until `max_records` rows; returns the rows filled. RecordError: bad data, or
        (CAPACITY, DATA_CAPACITY) a column to grow before calling again."""

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
        """The same for records in any order: row i is the record whose data lies at spans[i] (n,2),
        as index_records found it. From row cursor[3] on; returns the rows filled. Errors count the
        rows."""

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
        """Decodes fixed-size records into the columns that fields (n,5) describes; returns the rows
        filled."""

    def crc32c(self, buffer: Buffer, /) -> int:
        """Return the CRC-32C (Castagnoli) of the bytes of a buffer, not masked: 0xE3069283 for
        b"123456789"."""

    def encode_varints(self, values: Int64Array, /) -> bytes:
        """Return the varints of integers, one behind the other, as protobuf packs an int64 field:
        two's complement of 64 bits, so that a negative integer takes ten bytes.

        Raises:
            TypeError: `values` is not an int64 array.
            ValueError: `values` has not one dimension, is not C-contiguous or not aligned.
        """
