"""Calls from many threads at once, and inputs that change during a call."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from ffi_cookbook.bindings.errors import RecordError, TokenizerError
from ffi_cookbook.records.columns.arena import Arena
from support.backends import NATIVE
from support.shared_work import FIELDS, JOBS, RECORDS, SCHEMA, TEXT, Work, small_model

Job = Callable[[ModuleType], Work]
Changing = tuple[npt.NDArray[Any], Callable[[], Any]]
N_THREADS = 8


@pytest.fixture(autouse=True)
def hurry() -> Iterator[None]:
    """Make Python switch threads often."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


# ---- many threads --------------------------------------------------------------------------


def check_threads(backend: ModuleType, job: Job) -> None:
    """Check that each thread gets its own result from inputs that all share."""
    work = job(backend)
    repeats = 200 if backend.__name__.split(".")[-1] in NATIVE else 5
    barrier = threading.Barrier(N_THREADS)

    def run(number: int) -> list[Any]:
        barrier.wait()
        return [work(number) for _ in range(repeats)]

    expected = [work(number) for number in range(N_THREADS)]
    with ThreadPoolExecutor(N_THREADS) as pool:
        for number, outcomes in enumerate(pool.map(run, range(N_THREADS))):
            assert outcomes == [expected[number]] * repeats


@pytest.mark.part("matmul")
@pytest.mark.parametrize("job", JOBS["matmul"].values(), ids=JOBS["matmul"])
def test_threads(backend: ModuleType, job: Job) -> None:
    check_threads(backend, job)


@pytest.mark.part("Tokenizer")
def test_threads_of_a_tokenizer(backend: ModuleType) -> None:
    check_threads(backend, JOBS["Tokenizer"]["tokenizer"])


@pytest.mark.part("decode_examples")
@pytest.mark.parametrize("job", JOBS["decode_examples"].values(), ids=JOBS["decode_examples"])
def test_threads_of_more(backend: ModuleType, job: Job) -> None:
    check_threads(backend, job)


# ---- inputs that change --------------------------------------------------------------------


@contextmanager
def changing(array: npt.NDArray[Any]) -> Iterator[None]:
    """Change the array in another thread and restore it, over and over."""
    good, done = array.copy(), threading.Event()
    rng = np.random.default_rng(4)

    def scribble() -> None:
        bits = array.view(f"u{array.itemsize}").reshape(-1)
        while not done.is_set():
            for _ in range(20):
                bits[rng.integers(bits.size, size=3)] ^= rng.integers(256, dtype=np.uint8)
            array[:] = good

    thread = threading.Thread(target=scribble)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def changing_matmul(backend: ModuleType) -> Changing:
    a = np.random.default_rng(2).standard_normal((64, 64))
    return a, lambda: backend.matmul(a, a.T, threads=2)


def changing_index(backend: ModuleType) -> Changing:
    buffer = np.frombuffer(bytearray(RECORDS * 100), np.uint8)
    spans = np.zeros((200, 2), np.int64)
    return buffer, lambda: backend.index_records(buffer, spans, np.zeros(4, np.int64), False)


def changing_examples(backend: ModuleType) -> Changing:
    buffer, names = np.frombuffer(bytearray(RECORDS * 100), np.uint8), SCHEMA.buffer
    arena = Arena(SCHEMA, 200, [(500, 500)] * 3)
    memory, table = arena.memory, arena.table
    return buffer, lambda: backend.decode_examples(
        buffer, names, memory, table, np.zeros(4, np.int64), 200, False
    )


def changing_fixed(backend: ModuleType) -> Changing:
    buffer, arena = np.zeros(250, np.uint8), np.zeros(1024, np.uint8)
    return buffer, lambda: backend.decode_fixed(buffer, 5, FIELDS, arena, np.zeros(4, np.int64), 60)


def changing_text(backend: ModuleType) -> Changing:
    text = np.frombuffer(bytearray(TEXT.encode() * 20), np.uint8)
    out, tokenizer = np.zeros(text.size, np.uint32), backend.Tokenizer(small_model())
    return text, lambda: tokenizer.encode_into(text, out)


def changing_ids(backend: ModuleType) -> Changing:
    tokenizer = backend.Tokenizer(small_model())
    ids = tokenizer.encode(TEXT * 20, allowed_special="all")
    return ids, lambda: tokenizer.decode(ids)


def check_changing(job: Changing) -> None:
    """Check that there is any result or any error of bad data, and no crash or other error."""
    array, work = job
    calls, end = 0, time.monotonic() + 0.06
    with changing(array):
        while calls < 6 or time.monotonic() < end:
            with suppress(RecordError, TokenizerError):
                work()
            calls += 1


CHANGING = [changing_matmul, changing_index, changing_examples, changing_fixed]


@pytest.mark.part("decode_examples", native=True)
@pytest.mark.parametrize("job", CHANGING, ids=lambda job: job.__name__)
def test_changing_inputs(backend: ModuleType, job: Callable[[ModuleType], Changing]) -> None:
    check_changing(job(backend))


@pytest.mark.part("Tokenizer", native=True)
@pytest.mark.parametrize("job", [changing_text, changing_ids], ids=lambda job: job.__name__)
def test_changing_texts_and_ids(backend: ModuleType, job: Callable[[ModuleType], Changing]) -> None:
    check_changing(job(backend))


@pytest.mark.part("patterns")
def test_a_list_that_changes_under_the_pattern(backend: ModuleType) -> None:
    class Clears:
        def __float__(self) -> float:
            values.clear()
            return 1.0

    for _ in range(50):
        values: list[Any] = [0.5, Clears(), *([1.5] * 1000)]
        try:
            backend.patterns.list_in(values)
        except (TypeError, IndexError, RuntimeError):
            continue
