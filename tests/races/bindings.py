"""Attacks on what threads share in a binding.

Every attack must leave exact sums, every item once, no torn pair, and no exception that one thread
alone would not get. A container that another thread changes is read as it was at some moment, or
refused with RuntimeError.
"""

from __future__ import annotations

import array
import gc
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from random import choice, randrange
from types import ModuleType
from typing import Any

import numpy as np

from ffi_cookbook.bindings.errors import RecordError, TokenizerError
from ffi_cookbook.records.columns.arena import Arena
from races.ring import Ring
from support.backends import WITHOUT_GIL
from support.shared_work import FIELDS, JOBS, RECORDS, SCHEMA, TEXT, small_model

N = 3000  # calls of a thread: fewer would be over before the next thread begins


def counter(ring: Ring, p: Any) -> None:
    for _ in ring.rounds():
        shared = p.Counter(0)
        found = ring.once(lambda _, shared=shared: [shared.add(1) for _ in range(N)])
        assert sorted(chain(*found)) == list(range(1, N * ring.threads + 1))
        assert shared.value == N * ring.threads


def countdown(ring: Ring, p: Any) -> None:
    for _ in ring.rounds():
        shared = p.countdown(N * ring.threads)
        if hasattr(shared, "send") and not WITHOUT_GIL:  # a generator is for one thread
            return
        found = ring.once(lambda _, shared=shared: list(shared))
        assert sorted(chain(*found)) == list(range(N * ring.threads))


def point(ring: Ring, p: Any) -> None:
    shared = p.Point(1.0, 1.0)

    def work(number: int) -> None:
        for i in range(N):
            if number % 2:
                assert p.struct_in(shared) in (2.0, 4.0)
            else:
                with suppress(TypeError):  # some are made once
                    shared.__init__(i % 2 + 1.0, i % 2 + 1.0)

    for _ in ring.rounds():
        ring.once(work)


def objects(ring: Ring, p: Any) -> None:
    """Make and free objects that other threads hold, while garbage is collected."""
    slots = [p.Point(1.0, 2.0)] * 4

    def work(number: int) -> None:
        for i in range(N // 10):
            slots[i % 4] = p.struct_out(1.0, 2.0)
            assert p.struct_in(slots[number % 4]) == 3.0
            assert p.Counter(i).add(1) == i + 1
            assert next(p.countdown(3)) == 2
        gc.collect(0)

    for _ in ring.rounds():
        ring.once(work)


def text(ring: Ring, p: Any) -> None:
    """Let all threads at once ask for the UTF-8 of a new str."""
    for number in ring.rounds():
        new = [f"é{number}" * (100 + i) for i in range(20)]
        found = ring.once(lambda _, new=new: [p.str_in(one) for one in new])
        assert found == [[sum(one.encode()) for one in new]] * ring.threads


CONTENTS: dict[str, list[Any]] = {
    "list_in": [[1.0] * 200, [2.0] * 300, []],
    "strings_in": [["a"] * 200, ["é"] * 300, []],
    "dict_in": [{str(i): value for i in range(200)} for value in (1.0, 2.0)] + [{}],
    "buffer_in": [b"a" * 300, b"b" * 10],
    "array_in": [array.array("d", [1.0] * 300), array.array("d", [2.0] * 10)],
}
if WITHOUT_GIL:
    del CONTENTS["array_in"]  # CPython 3.14 itself crashes where threads write to one


def containers(ring: Ring, p: Any, whole: bool = True) -> None:
    """Change arguments. A variant that is not `whole` copies item by item: any mixture will do."""
    for name, contents in CONTENTS.items():
        call = getattr(p, name, None)
        kind = bytearray if isinstance(contents[0], bytes) else type(contents[0])
        if call is None:
            continue
        for sub in (kind, type("Sub", (kind,), {})) if kind is list else (kind,):
            content_changes(ring, call, sub, contents, whole)


def content_changes(
    ring: Ring, call: Callable[[Any], Any], kind: Any, contents: list[Any], whole: bool
) -> None:
    values = kind("d") if kind is array.array else kind()
    try:
        answers = [call(values)] + [call(content) for content in contents]
    except (TypeError, AttributeError):  # some take no subclass, or NumPy's arrays alone
        return

    def change() -> None:
        with suppress(BufferError):  # it cannot be resized now
            if kind is dict:
                choice((values.clear, lambda: values.update(choice(contents))))()
            else:
                values[:] = choice(contents)

    ring.while_changing(change, lambda: call(values), answers if whole else ())


def variants(ring: Ring, p: Any) -> None:
    for name in ("idiomatic", "checked", "fast"):
        if variant := getattr(p, name, None):
            containers(ring, variant, whole=False)
            if hasattr(variant, "Counter"):
                counter(ring, variant)


def callbacks(ring: Ring, p: Any) -> None:
    class Own(Exception):
        pass

    def work(number: int) -> None:
        def fails(x: float) -> float:
            raise Own(number)

        for i in range(N // 10):
            assert p.callback(lambda x, i=i: x * i, number) == number * i + 1
            try:
                p.callback(fails, 1.0)
            except Own as error:
                assert error.args == (number,)  # noqa: PT017
            try:
                p.error_fields(3, number)
            except ValueError as error:
                assert error.offset == number  # noqa: PT017

    for _ in ring.rounds():
        ring.once(work)


def kernels(ring: Ring, k: ModuleType) -> None:
    """Use inputs and a tokenizer that all threads share, the first time at once."""
    parts = [part for part in JOBS if hasattr(k, part)]
    jobs = [job for part in parts for job in JOBS[part].values()]
    expected = [[job(k)(number) for number in range(8)] for job in jobs]
    for _ in ring.rounds():
        for job, results in zip(jobs, expected, strict=True):
            work = job(k)
            found = ring.once(lambda number, work=work: [work(number % 8) for _ in range(5)])
            assert found == [[results[i % 8]] * 5 for i in range(ring.threads)], job.__name__


def one_out(ring: Ring, k: ModuleType) -> None:
    if k.__name__.endswith(".numpy"):  # its BLAS adds up in `out` itself
        return
    a, b = np.random.default_rng(0).standard_normal((2, 60, 60))
    expected, out = k.matmul(a, b), np.zeros((60, 60))
    for _ in ring.rounds():
        ring.once(lambda _: k.matmul(a, b, out=out, threads=choice((1, 2, 3, 1000))))
        assert (out == expected).all()


def batches(ring: Ring, k: ModuleType) -> None:
    """Encode a list that changes, and initialize the tokenizer again."""
    if not hasattr(k, "Tokenizer"):
        return
    shared, contents = k.Tokenizer(small_model()), [["a"] * 200, [TEXT[:20]] * 90, []]

    def call(texts: Any) -> Any:
        return [part.tolist() for part in shared.encode_batch(texts, 2)]

    def again() -> None:
        with suppress(TypeError):
            shared.__init__(small_model())

    content_changes(ring, call, list, contents, whole=True)
    ring.while_changing(again, lambda: call(contents[0]), [call(contents[0])])


def inputs(ring: Ring, k: ModuleType) -> None:
    """Change what a kernel reads: there is any result or an error of bad data, and no crash."""
    a, fixed, spans = np.ones((64, 64)), np.zeros(250, np.uint8), np.zeros((200, 2), np.int64)
    frames = np.frombuffer(bytearray(RECORDS * 100), np.uint8)
    text = np.frombuffer(bytearray(TEXT.encode() * 20), np.uint8)
    arena, cursor = Arena(SCHEMA, 200, [(500, 500)] * 3), np.zeros(4, np.int64)
    jobs: list[tuple[Any, Callable[[], Any]]] = [(a, lambda: k.matmul(a, a.T, threads=2))]
    if hasattr(k, "Tokenizer"):
        tokenizer, ids = k.Tokenizer(small_model()), np.arange(256, dtype=np.uint32)
        jobs.append((text, lambda: tokenizer.encode_into(text, np.zeros(text.size, np.uint32))))
        jobs.append((ids, lambda: tokenizer.decode(ids)))
    if hasattr(k, "decode_examples"):
        table = (arena.memory, arena.table, cursor.copy(), 200, False)
        jobs += [
            (frames, lambda: k.index_records(frames, spans.copy(), cursor.copy(), False)),
            (frames, lambda: k.decode_examples(frames, SCHEMA.buffer, *table)),
            (fixed, lambda: k.decode_fixed(fixed, 5, FIELDS, arena.memory, cursor.copy(), 60)),
        ]
    for values, job in jobs:
        good, bits = values.copy(), values.view(np.uint8).reshape(-1)

        def change(values: Any = values, good: Any = good, bits: Any = bits) -> None:
            bits[randrange(bits.size)] ^= randrange(256)
            values[:] = good

        def call(job: Any = job) -> None:
            with suppress(RecordError, TokenizerError):
                job()

        ring.while_changing(change, call, ())


PATTERNS = (
    counter,
    countdown,
    point,
    objects,
    text,
    containers,
    variants,
    callbacks,
)
KERNELS = (kernels, one_out, batches, inputs)
