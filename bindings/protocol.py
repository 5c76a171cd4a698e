"""What a door offers: the type every backend module satisfies.

A Backend is a *module*, not an object around one: `bindings.load("capi").matmul` is the native
function itself, so this interface adds nothing to a call.

Records functions work on memory the caller owns (docs/records.md, and `bindings.records` for the
comfortable layer above): `buffer`, `schema` are any C-contiguous bytes-like objects, read-only
welcome; `arena` is a writable uint8 array; `spans`, `columns`, `fields`, `cursor` are C-contiguous
int64 arrays of the shapes given, all but `fields` writable. A wrong type or dtype raises TypeError,
a wrong shape, strides or a read-only output ValueError. Every kernel runs with the GIL released; a
buffer is held (exported) for the length of the call.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from bindings.tokenizer import Model

Buffer: TypeAlias = Any
"""Any object with a C-contiguous buffer: bytes, bytearray, memoryview, mmap, a numpy array."""
Matrix: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.float64]
Int64Array: TypeAlias = npt.NDArray[np.int64]
Uint8Array: TypeAlias = npt.NDArray[np.uint8]
Uint32Array: TypeAlias = npt.NDArray[np.uint32]


class Tokenizer(Protocol):
    """Byte-level BPE over a `Model` it keeps alive. Immutable, so any number of threads may share
    one."""

    def __init__(self, model: Model) -> None: ...

    @property
    def model(self) -> Model:
        """The model given; also all that a pickle of the tokenizer holds."""

    def encode(
        self,
        text: str,
        *,
        allowed_special: Literal["all"] | Collection[str] = (),
        disallowed_special: Literal["all"] | Collection[str] = "all",
    ) -> Uint32Array:
        """The ids of `text`, a new array. Special tokens as in tiktoken: those in `allowed_special`
        become one id, one in `disallowed_special` ("all": every one not allowed) raises
        TokenizerError, the others are plain text."""

    def encode_into(self, buffer: Buffer, out: Uint32Array) -> int:
        """Encodes UTF-8 bytes into `out` (C-contiguous, writable), special tokens as plain text,
        and returns how many ids were written. TokenizerError: not UTF-8, or `out` too small."""

    def encode_batch(
        self,
        texts: Sequence[str],
        threads: int = 1,
        *,
        allowed_special: Literal["all"] | Collection[str] = (),
        disallowed_special: Literal["all"] | Collection[str] = "all",
    ) -> tuple[Uint32Array, Int64Array]:
        """(ids, offsets): text i is ids[offsets[i]:offsets[i + 1]]. `texts` is a list or tuple of
        str (else TypeError). `threads` >= 1 (else ValueError) is an upper bound on the threads
        used."""

    def count(self, text: str) -> int:
        """How many ids `text` has, special tokens as plain text."""

    def split(self, text: str) -> Int64Array:
        """Where each piece ends, in bytes of UTF-8, before merging."""

    def decode(self, ids: Uint32Array) -> bytes:
        """The bytes of ids: a 1-D C-contiguous uint32 array (else TypeError or ValueError)."""


class Probes(Protocol):
    """The cost ledger: one tiny function per pattern of crossing the border. When a value does not
    convert (wrong type, an int beyond 64 bits, a lone surrogate) each technology raises its own
    choice of TypeError, OverflowError or ValueError, but none returns a wrong number."""

    def noop(self) -> None:
        """Nothing, with the GIL held."""

    def noop_nogil(self) -> None:
        """Nothing, with the GIL released and taken again."""

    def add_int(self, a: int, b: int, /) -> int:
        """a + b in int64 arithmetic: the sum wraps modulo 2**64, an argument beyond int64
        raises."""

    def add_float(self, a: float, b: float, /) -> float:
        """a + b; accepts int where float is asked for."""

    def six_scalars(self, a: int, b: float, c: int, d: float, e: int, f: float, /) -> float:
        """a + b + c + d + e + f as doubles, from left to right."""

    def keywords(self, x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
        """x * scale + offset."""

    def str_in(self, text: str, /) -> int:
        """Sum of the UTF-8 bytes of text."""

    def bytes_in(self, data: bytes, /) -> int:
        """Sum of the bytes."""

    def array_in(self, values: npt.NDArray[np.float64], /) -> float:
        """Sum, from left to right, of a 1-D C-contiguous float64 array, borrowed, read-only
        welcome."""

    def array_out(self, n: int, /) -> npt.NDArray[np.float64]:
        """A new array 0.0, 1.0 ... n - 1. ValueError when n < 0."""

    def list_in(self, values: list[float], /) -> float:
        """Sum, from left to right, of a list of floats (ints welcome)."""

    def callback(self, function: Callable[[float], float], x: float, /) -> float:
        """function(x) + 1, called from native code; what function raises comes out unchanged."""

    def error(self, code: int, /) -> None:
        """Raises ValueError("native call failed with code N") when the native function, handed
        `code`, returns other than 0."""


class Backend(Protocol):
    """The module behind a door. `numpy` has only what is natural in arrays; asked for the rest (the
    Tokenizer, decode_examples, the probes) it says why."""

    Tokenizer: type[Tokenizer]
    probes: Probes

    def about(self) -> dict[str, str]:
        """{"technology": name and version of the binding tool, "compiler": ..., "kernel": language,
        "isa": instruction set in use}."""

    def matmul(
        self, a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1
    ) -> Matrix:
        """a (M,K) @ b (K,N), both float32 or both float64, any strides, read-only welcome, M, N or
        K may be 0. Returns a new C-contiguous (M,N) array of that dtype, or fills and returns `out`
        (C-contiguous, aligned). Error per element <= K * u * (|A| |B|).

        Raises:
            TypeError: an argument is no ndarray, or its dtype is wrong, mixed or byte-swapped.
            ValueError: an operand not 2-D, inner dimensions that differ; `out` of another shape,
            not
                C-contiguous, read-only, or in memory that may overlap an operand's
                (np.may_share_memory); threads < 1.
            MemoryError: the result does not fit in memory.
        """

    def index_records(
        self,
        buffer: Buffer,
        spans: Int64Array,
        cursor: Int64Array,
        verify: bool = True,
        final: bool = True,
    ) -> int:
        """Fills spans (n,2) with the offset and size of each record's data, from `cursor` on, and
        returns the rows filled (cursor[3]). cursor (4,): base, position, record, rows; it is
        updated, also when RecordError is raised."""

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
        """Decodes tf.train.Example records into columns (n_fields,10) of the arena until
        `max_records` rows; returns the rows filled. RecordError: bad data, or (CAPACITY,
        DATA_CAPACITY) a column to grow before calling again."""

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
