"""Run every kernel of a binding on memory that touches an unreadable page.

A signal ends the process if the kernel accesses a byte outside its memory. The results must equal
those on ordinary memory.
"""

from __future__ import annotations

import ctypes
import itertools
import mmap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings.errors import RecordError, TokenizerError
from ffi_cookbook.records import Schema, encode_sequence_example, frame, index
from ffi_cookbook.records.columns.arena import Arena
from support.shared_work import FIELDS, TEXT, small_model

PAGE = mmap.PAGESIZE
Place = Callable[[npt.NDArray[Any]], npt.NDArray[Any]]
Case = tuple[str, Callable[[Place], Any]]

SCHEMA = Schema(
    {"i": "int64", "n": "uint16", "f": "float32", "b": "bytes", "s": "span"},
    sequence={"l": "int32", "t": "bytes", "p": ("int64", 2)},
)
CONTEXT = {"n": [1, 300] * 9, "f": [0.5, 2.0], "b": [b"xyz", b""], "s": b"here", "i": [-1, 7] * 9}
LISTS = {"l": [[1, 300], [], [7] * 20], "t": [b"a", [b"", b"b"]], "p": [[1, 2]] * 2}
RECORD = encode_sequence_example(CONTEXT, LISTS)
FILE = frame(RECORD) + frame(encode_sequence_example(CONTEXT, {}))
VALUES = {
    "i": [3, 200, -1, 2**40],
    "n": [3, 200, 65535],
    "f": [0.5, 1.5],
    "b": [b"", b"xyz"],
    "s": [b"", b"here"],
}


def ending_in(name: str, n: int, few: int) -> bytes:
    """Yield files that end in n values of one kind, taken from the first `few`."""
    return frame(encode_sequence_example({name: (VALUES[name][:few] * n)[:n]}, {}))


def anywhere(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy in ordinary memory."""
    return array.copy()


def guarded(array: npt.NDArray[Any], at_end: bool) -> npt.NDArray[Any]:
    """Return a copy that touches an inaccessible page before or after it."""
    n, pages = array.nbytes, -(-array.nbytes // PAGE) + 2
    whole = np.frombuffer(mmap.mmap(-1, pages * PAGE), np.uint8)
    start = (pages - 1) * PAGE - n if at_end else PAGE
    copy = whole[start : start + n].view(array.dtype).reshape(array.shape)
    copy[...] = array
    libc = ctypes.CDLL(None, use_errno=True)
    for page in (0, pages - 1):
        address = ctypes.c_void_p(whole.ctypes.data + page * PAGE)
        if libc.mprotect(address, ctypes.c_size_t(PAGE), 0):  # PROT_NONE
            raise OSError(ctypes.get_errno(), "mprotect")
    return copy


def as_array(data: bytes) -> npt.NDArray[Any]:
    return np.frombuffer(data, np.uint8)


# ---- calls on the copies -------------------------------------------------------------------


def index_cases(binding: Any) -> Iterator[Case]:
    def work(place: Place, size: int, verify: bool, final: bool, resync: bool) -> Any:
        spans, cursor = place(np.zeros((2, 2), np.int64)), place(np.zeros(4, np.int64))
        try:
            binding.index_records(
                place(as_array(FILE[:size])), spans, cursor, verify, final, resync
            )
        finally:
            outcome = spans.tolist(), cursor.tolist()
        return outcome

    options = [(True, True, False), (False, False, False), (True, True, True)]
    for size, option in itertools.product(range(len(FILE) + 1), options):
        yield f"index {size} {option}", lambda p, size=size, o=option: work(p, size, *o)


def example_cases(binding: Any) -> Iterator[Case]:
    """Yield files that are cut anywhere, and files of records that are cut."""

    def work(place: Place, file: bytes, spans: Any, room: int) -> Any:
        arena = Arena(SCHEMA, 2, [(room, room)] * len(SCHEMA.columns))
        memory, table = place(np.zeros_like(arena.memory)), place(arena.table)
        cursor = place(np.zeros(4, np.int64))
        schema, buffer = place(as_array(SCHEMA.buffer)), place(as_array(file))
        try:
            if spans is None:
                binding.decode_examples(buffer, schema, memory, table, cursor, 2)
            else:
                binding.gather_examples(buffer, place(spans), schema, memory, table, cursor, False)
        except RecordError as error:
            return str(error), cursor.tolist(), table[:, :7].tolist()
        return memory.tobytes(), cursor.tolist(), table[:, :7].tolist()

    whole = index(FILE, backend="python")[::-1]
    for size, spans in itertools.product(range(len(FILE) + 1), (None, whole)):
        yield f"file {size}", lambda p, n=size, s=spans: work(p, FILE[:n], s, 200)
    for room in range(60):
        yield f"room {room}", lambda p, r=room: work(p, FILE, None, r)
    for name, n, few in itertools.product(VALUES, range(0, 140, 3), (1, 2, 4)):
        file = ending_in(name, n, few)
        yield f"{n} of {name}", lambda p, file=file: work(p, file, None, 400)
    for size in range(len(RECORD)):
        yield f"record {size}", lambda p, n=size: work(p, frame(RECORD[:n]), None, 200)


def fixed_cases(binding: Any) -> Iterator[Case]:
    def work(place: Place, size: int) -> Any:
        arena, cursor = place(np.zeros(256 + 64, np.uint8)), place(np.zeros(4, np.int64))
        binding.decode_fixed(
            place(np.arange(size, dtype=np.uint8)), 5, place(FIELDS), arena, cursor, 16
        )
        return arena.tobytes(), cursor.tolist()

    for size in range(83):
        yield f"fixed {size}", lambda p, size=size: work(p, size)


def matmul_cases(binding: Any) -> Iterator[Case]:
    def work(place: Place, m: int, k: int, n: int, dtype: str, turned: bool) -> Any:
        rng = np.random.default_rng(m + k + n)
        a, b = rng.random((m, k)).astype(dtype), rng.random((k, n)).astype(dtype)
        out = place(np.zeros((m, n), dtype))
        a, b = (place(a.T).T, place(b[::-1])[::-1]) if turned else (place(a), place(b))
        binding.matmul(a, b, out=out)
        return out.tobytes()

    sizes = [(1, 1, 1), (3, 5, 7), (16, 17, 33), (33, 64, 31), (70, 9, 130), (5, 300, 3), (0, 3, 1)]
    sizes += [(130, 90, 61), (1030, 20, 70)]  # b is packed, a too if its columns are a page apart
    for size, dtype, turned in itertools.product(sizes, ("f4", "f8"), (False, True)):
        yield f"matmul {size}", lambda p, s=size, d=dtype, t=turned: work(p, *s, d, t)


def tokenizer_cases(binding: Any) -> Iterator[Case]:
    tokenizer, text = binding.Tokenizer(small_model()), (TEXT * 3).encode()

    def work(place: Place, size: int) -> Any:
        out = place(np.zeros(size, np.uint32))
        n = tokenizer.encode_into(place(as_array(text[:size])), out)
        ids = out[:n].copy()
        again = place(np.zeros(n, np.uint32))
        assert tokenizer.encode_into(place(as_array(text[:size])), again) == n
        return ids.tolist(), again.tolist(), tokenizer.decode(place(ids))

    for size in range(len(text) + 1):
        yield f"text {size}", lambda p, size=size: work(p, size)


def outcome(work: Callable[[Place], Any], place: Place) -> Any:
    try:
        return work(place)
    except (ValueError, TokenizerError) as error:
        return type(error), str(error)


def check(binding: Any, step: int = 1) -> None:
    """Run every case, or one of `step`, which is enough for glue in front of a tested kernel."""
    kinds = [matmul_cases]
    if hasattr(binding, "Tokenizer"):
        kinds += [index_cases, fixed_cases, example_cases, tokenizer_cases]
    n = 0
    for kind in kinds:
        for name, work in itertools.islice(kind(binding), 0, None, step):
            expected = outcome(work, anywhere)
            for at_end in (True, False):
                found = outcome(work, lambda array, at_end=at_end: guarded(array, at_end))
                assert found == expected, f"{name}: {found}, not {expected}"
                n += 1
    assert n > (60 if kinds == [matmul_cases] else 2000) // step
