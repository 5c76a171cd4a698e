"""The tables of a records kernel, in any memory, while other threads write to them."""

from __future__ import annotations

import itertools
import sys
import threading
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.records import Schema, encode_example, frame
from ffi_cookbook.records.columns.arena import Arena
from support.kernel_arguments import FIELDS, FILE, arguments
from support.processes import run_in_child

PAIRS = [
    (function, *pair, offset)
    for function in ("index_records", "decode_examples", "gather_examples", "decode_fixed")
    for pair in itertools.combinations(arguments(function)[0], 2)
    if set(pair) & set(arguments(function)[2])
    for offset in (0, 1)
]


def overlapped(one: npt.NDArray[Any], two: npt.NDArray[Any], offset: int) -> list[npt.NDArray[Any]]:
    """Return copies of two arrays that share as many bytes as possible, or only eight."""
    shift = 0 if offset == 0 else (one.nbytes - 1) // 8 * 8
    shared = np.zeros((shift + max(one.nbytes, two.nbytes)) // 8 + 1, np.int64).view(np.uint8)
    places = []
    for array, at in ((one, 0), (two, shift)):
        place = shared[at : at + array.nbytes].view(array.dtype).reshape(array.shape)
        place[...] = array
        places.append(place)
    return places


@pytest.mark.part("index_records")
@pytest.mark.parametrize(("function", "one", "two", "offset"), PAIRS)
def test_memory_that_is_filled_must_not_overlap(
    backend: ModuleType, function: str, one: str, two: str, offset: int
) -> None:
    if not hasattr(backend, function):
        return  # numpy does not decode protobuf
    memory, others, _ = arguments(function)
    memory[one], memory[two] = overlapped(memory[one], memory[two], offset)
    before = {name: array.copy() for name, array in memory.items()}
    with pytest.raises(ValueError, match=f"^{one} and {two} must not overlap$"):
        getattr(backend, function)(**memory, **others)
    assert all(np.array_equal(memory[name], before[name]) for name in memory)


@pytest.mark.part("index_records")
def test_neighbours_do_not_overlap(backend: ModuleType) -> None:
    words = np.zeros(4 + 8 + 4, np.int64)
    words[4:12].view(np.uint8)[:] = 7
    spans, cursor = np.zeros((2, 2), np.int64), words[:4]
    backend.index_records(words[12:12], spans, cursor)
    buffer = words[4:12].view(np.uint8)
    assert backend.decode_fixed(buffer, 64, FIELDS, words[12:].view(np.uint8)[:32], cursor, 1) == 1
    assert words[12:].view(np.uint8).tolist() == [7] * 32


def refused(backend: ModuleType, function: str, **changed: Any) -> bool:
    """Return True if a call with these arguments changed is refused, with nothing written."""
    memory, others, filled = arguments(function)
    given = {**memory, **others, **changed}
    before = {name: given[name].copy() for name in filled}
    try:
        getattr(backend, function)(**given)
    except ValueError:
        return all(np.array_equal(given[name], before[name]) for name in filled)
    return False


@pytest.mark.part("decode_examples", kernels=True)
def test_columns_share_no_bytes_of_the_arena(backend: ModuleType) -> None:
    columns = arguments("decode_examples")[0]["columns"]
    parts = [(0, 0), (0, 1), (1, 1), (2, 0), (2, 1), (2, 4)]  # in the order of the arena
    offsets = [int(columns[part]) for part in parts]
    assert offsets == sorted(offsets)
    assert not refused(backend, "decode_examples")
    for later, (part, offset) in enumerate(zip(parts, offsets, strict=True)):
        for place in [offsets[earlier] for earlier in range(later)] + [offset - 8] * (later > 0):
            changed = columns.copy()
            changed[part] = place
            assert refused(backend, "decode_examples", columns=changed)


@pytest.mark.part("decode_fixed", kernels=True)
def test_columns_of_fixed_records_share_no_bytes_of_the_arena(backend: ModuleType) -> None:
    arena = np.zeros(200, np.int64).view(np.uint8)
    for second, wrong in [(160, False), (168, False), (152, True), (0, True)]:
        fields = np.array([[0, 8, 4, 0, 0], [0, 1, 1, 0, second], [0, 8, 1, 0, 320]])
        assert refused(backend, "decode_fixed", fields=fields, arena=arena) == wrong
    backwards = np.array([[0, 8, 1, 0, 320], [0, 8, 1, 0, 0]])
    assert refused(backend, "decode_fixed", fields=backwards, arena=arena)


def race(k: ModuleType, function: str, table: str) -> None:
    """Call a kernel while another thread writes random numbers to a table and restores it."""
    sys.setswitchinterval(1e-6)
    stop = threading.Event()
    memory, others, _ = arguments(function)
    if function != "index_records":
        memory["buffer"] = np.tile(memory["buffer"], 50)
    victim = memory[table].copy()
    memory[table] = victim
    right, wild = victim.copy(), np.full_like(victim, 2**40 if victim.dtype == np.int64 else 0x7F)

    def write() -> None:
        while not stop.is_set():
            np.copyto(victim, wild)
            np.copyto(victim, right)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(100):
            memory["cursor"][...] = 0
            try:
                getattr(k, function)(**memory, **others)
            except ValueError:
                continue
    finally:
        stop.set()
        thread.join()


RACES = [
    ("decode_fixed", "fields"),
    ("decode_fixed", "cursor"),
    ("decode_examples", "columns"),
    ("decode_examples", "schema"),
    ("gather_examples", "spans"),
    ("index_records", "cursor"),
]


@pytest.mark.part("index_records", native=True)
def test_another_thread_writes_to_a_table(backend: ModuleType) -> None:
    run_in_child(
        backend, [f"from records.test_tables import race; race(k, *{case})" for case in RACES]
    )


# ---- names ------------------------------------------------------------------------------------


@pytest.mark.part("decode_examples", kernels=True)
def test_every_field_is_found_by_its_name(backend: ModuleType) -> None:
    """The names have all lengths, and many differ in their last bytes; two orders of features."""
    names = ["", *("n" * size for size in range(1, 40)), *(f"abcdefgh{i:08}" for i in range(400))]
    schema = Schema(dict.fromkeys(names, "int64"))
    numbers = {name: [number] for number, name in enumerate(names)}
    backwards = dict(reversed(numbers.items()))
    data = b"".join(frame(encode_example(row)) for row in (numbers, backwards, numbers))
    arena = Arena(schema, 3, [(3, 0)] * len(names))
    cursor = np.zeros(4, np.int64)
    rows = backend.decode_examples(data, schema.buffer, arena.memory, arena.table, cursor, 3)
    batch = arena.batch(rows)
    assert all(batch[name].values.tolist() == [i] * 3 for i, name in enumerate(names))


@pytest.mark.part("decode_examples", kernels=True)
def test_fields_of_one_name_have_the_same_values(backend: ModuleType) -> None:
    n = 300
    single = Schema({"x": "int64"}).buffer
    offsets = np.arange(24 * n, 25 * n).astype("=i4")
    schema = b"".join(offset.tobytes() + single[4:24] for offset in offsets) + b"x" * n
    arena = Arena(Schema({f"{i}": "int64" for i in range(n)}), 1, [(3, 0)] * n)
    data, cursor = frame(encode_example({"x": [5, 6, 7], "y": [1]})), np.zeros(4, np.int64)
    assert backend.decode_examples(data, schema, arena.memory, arena.table, cursor, 1) == 1
    assert all(column.values.tolist() == [5, 6, 7] for column in arena.batch(1).values())


@pytest.mark.part("decode_examples", kernels=True)
def test_names_must_not_share_bytes(backend: ModuleType) -> None:
    """A short schema could otherwise have many long names, each of which is read."""
    single = Schema({"x" * 100: "int64"}).buffer
    row = (48).to_bytes(4, sys.byteorder) + single[4:24]
    arena = Arena(Schema({"a": "int64", "b": "int64"}), 1, [(3, 0)] * 2)
    arguments = arena.memory, arena.table, np.zeros(4, np.int64), 1
    with pytest.raises(ValueError, match="contradict"):
        backend.decode_examples(b"", row * 2 + b"x" * 100, *arguments)


@pytest.mark.part("decode_examples")
@pytest.mark.parametrize("kind", ["B", "i", "M8[s]"])
def test_an_error_names_the_feature_whatever_the_schema_is_made_of(
    backend: ModuleType, kind: str
) -> None:
    schema = Schema({"is_there": ("int64", 2)}).buffer  # of 32 bytes
    words: Any = np.frombuffer(schema, kind)
    arena = Arena(Schema({"a": ("int64", 2)}), 1, [(2, 0)])
    tables = arena.memory, arena.table, np.zeros(4, np.int64), 1
    with pytest.raises(RecordError, match="feature 'is_there'"):
        backend.decode_examples(FILE, words, *tables)
