"""Containers and writers that several threads share.

A list or dict argument is locked for the call, or copied at its beginning: the answer is that of
the content at some moment. Without the GIL these tests find more.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import data, records
from support.backends import NATIVE, binding
from support.shared_work import small_model

N_THREADS, SECONDS = 4, 0.15


@pytest.fixture(autouse=True)
def hurry() -> Iterator[None]:
    """Make Python switch threads often."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def while_changing(change: Callable[[], Any], call: Callable[[], Any]) -> None:
    """Call again and again while another thread changes what is read."""
    done = threading.Event()

    def run() -> None:
        while not done.is_set():
            change()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            call()
    finally:
        done.set()
        thread.join()


# ---- arguments -----------------------------------------------------------------------------

LISTS: dict[str, tuple[Any, Any]] = {
    "list_in": ([1.0] * 200, [2.0] * 300),
    "strings_in": (["a"] * 200, ["é"] * 300),
    "encode_batch": (["a"] * 200, [b"b"] * 300),
}


def function(backend: ModuleType, name: str) -> Callable[[Any], Any]:
    """Return a function of one list, whose result can be compared."""
    if name == "encode_batch":
        tokenizer = backend.Tokenizer(small_model())
        return lambda texts: [array.tolist() for array in tokenizer.encode_batch(texts)]
    return getattr(backend.patterns, name)  # type: ignore[no-any-return]


@pytest.mark.part("patterns")
@pytest.mark.parametrize("subclass", [False, True], ids=["list", "subclass"])
@pytest.mark.parametrize("name", LISTS)
def test_a_list_that_another_thread_changes(backend: ModuleType, name: str, subclass: bool) -> None:
    if subclass and not name.endswith("in"):
        pytest.skip("the texts of a subclass are read by its iterator")
    if name == "encode_batch" and not hasattr(backend, "Tokenizer"):
        pytest.skip("the binding has no tokenizer")
    call = function(backend, name)
    contents = [*LISTS[name], []]
    values: list[Any] = type("Sub", (list,), {})() if subclass else []
    answers = [call(content) for content in contents]
    try:
        call(values)
    except TypeError:
        pytest.skip("the binding takes no subclass")
    following = cycle(contents)

    def change() -> None:
        values[:] = next(following)

    def check() -> None:
        assert call(values) in answers

    while_changing(change, check)


@pytest.mark.part("patterns")
def test_a_dict_that_another_thread_changes(backend: ModuleType) -> None:
    dict_in, weights = backend.patterns.dict_in, dict[str, float]()
    contents = [{str(i): value for i in range(200)} for value in (1.0, 2.0)]
    answers = [dict_in(content) for content in (*contents, {})]
    steps = cycle([lambda: weights.update(contents[0]), lambda: weights.update(contents[1]),
                   weights.clear])  # fmt: skip

    def check() -> None:
        try:
            assert dict_in(weights) in answers
        except RuntimeError as error:
            assert "changed" in str(error)  # noqa: PT017

    while_changing(lambda: next(steps)(), check)


@pytest.mark.parametrize("name", [name for name in NATIVE if name not in ("capi", "torch")])
@pytest.mark.parametrize("pattern", ["list_in", "strings_in", "dict_in"])
def test_idiomatic_variants(name: str, pattern: str) -> None:
    """Their signatures copy item by item, so any mixture is allowed, and nothing else."""
    space = binding(name).patterns
    call = getattr(getattr(space, "idiomatic", None), pattern, None)
    if call is None:
        pytest.skip("no such variant")
    item: Any = "a" if pattern == "strings_in" else 1.0
    values: Any = {} if pattern == "dict_in" else []

    def change() -> None:
        if pattern == "dict_in":
            values.update((str(i), 1.0) for i in range(200))
        else:
            values[:] = [item] * 200
        values.clear()

    def check() -> None:
        with suppress(RuntimeError):
            assert call(values) >= 0

    while_changing(change, check)


def test_a_dict_that_its_items_change() -> None:
    """PyO3's iterator of a dict panics if an item's methods change it."""
    patterns = binding("pyo3").patterns

    class Value(float):
        def __del__(self) -> None:
            weights.clear()

    class Clears:
        def __float__(self) -> float:
            weights.clear()
            return 1.0

    class Replaces:
        def __float__(self) -> float:
            weights["a"] = 1.0  # the call holds the only reference to the old value
            return 1.0

        __del__ = Value.__del__

    for item in (Clears, Replaces):
        for call in (patterns.dict_in, patterns.idiomatic.dict_in):
            weights: dict[str, Any] = {"a": item(), **{str(i): 1.0 for i in range(9)}}
            with suppress(RuntimeError):
                assert call(weights) >= 0


def in_threads(run: Callable[..., Any], numbered: bool = False) -> None:
    """Run it in all threads at once."""
    gate = threading.Barrier(N_THREADS)

    def begin(number: int) -> None:
        gate.wait()
        run(number) if numbered else run()

    threads = [threading.Thread(target=begin, args=(i,)) for i in range(N_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# ---- writers -------------------------------------------------------------------------------


def sharded(target: Path, **options: Any) -> records.ShardedWriter:
    return records.ShardedWriter(f"{target}-{{shard}}", shards=3, **options)


def limited(target: Path, **options: Any) -> records.ShardedWriter:
    return records.ShardedWriter(f"{target}-{{shard}}", max_records=500, **options)


@pytest.mark.parametrize("compression", [None, "gzip"])
@pytest.mark.parametrize("size", [200, 20_000], ids=["small", "large"])
@pytest.mark.parametrize("make", [records.Writer, sharded, limited], ids=lambda make: make.__name__)
def test_a_shared_writer_loses_nothing(
    make: Callable[..., Any], size: int, compression: Any, tmp_path: Path
) -> None:
    n = 400_000 // size
    with make(tmp_path / "w", compression=compression) as writer:

        def run(number: int) -> None:
            for i in range(n):
                writer.write(b"%d %d " % (number, i) + b"x" * size)

        in_threads(run, numbered=True)
    found = [bytes(one) for path in tmp_path.iterdir() for one in records.raw(path)]
    names = sorted(one.split(b" ")[0] + b" %06d" % int(one.split(b" ")[1]) for one in found)
    assert names == [b"%d %06d" % (t, i) for t in range(N_THREADS) for i in range(n)]


def test_a_writer_that_is_closed_meanwhile(tmp_path: Path) -> None:
    """A record is in the file, or its writer was told that the file is closed."""
    for attempt in range(20):
        writer = records.Writer(tmp_path / f"{attempt}")
        written = [0] * N_THREADS

        def run(number: int, writer: Any = writer, written: list[int] = written) -> None:
            if number == 0:
                time.sleep(0.001)
                writer.close()
                return
            with suppress(ValueError):
                for _ in range(10_000):
                    writer.write(b"record")
                    written[number] += 1

        in_threads(run, numbered=True)
        assert len(list(records.raw(tmp_path / f"{attempt}"))) == sum(written)


# ---- readers -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["read", "raw", "read_fixed", "stream", "threads"])
def test_threads_share_an_iterator(kind: str, tmp_path: Path) -> None:
    """Each of them gets items of its own, and all of them together get all."""
    path, n = tmp_path / "file", 2000
    if kind == "read_fixed":
        np.arange(n, dtype="<i8").tofile(path)
    else:
        records.write(path, ({"x": [i]} for i in range(n)))
    schema = records.Schema({"x": ("int64", ())})
    iterators = {
        "read": lambda: records.read(path, schema, batch_size=4),
        "raw": lambda: records.raw(path),
        "read_fixed": lambda: records.read_fixed(path, np.dtype([("x", "<i8")]), batch_size=4),
        "stream": lambda: iter(data.RecordStream(path, schema, batch_size=4, threads=0)),
        "threads": lambda: iter(data.RecordStream(path, schema, batch_size=4, threads=2)),
    }
    found: list[Any] = []
    shared = iterators[kind]()

    def run() -> None:
        for item in shared:
            found.extend([item] if kind == "raw" else item["x"].tolist())

    in_threads(run)
    assert sorted(found) == (sorted(records.raw(path)) if kind == "raw" else list(range(n)))
