"""Attacks on what threads share above the bindings: readers, writers, streams, data sets."""

from __future__ import annotations

import time
import warnings
from contextlib import suppress
from itertools import chain
from pathlib import Path
from random import choice
from typing import Any

import numpy as np

from ffi_cookbook import data, records, tokenizer
from ffi_cookbook import load as load_binding
from ffi_cookbook.data.order.epochs import Epochs
from ffi_cookbook.data.stream.maker import Made
from ffi_cookbook.wire import frame_records
from races.bindings import content_changes
from races.ring import Ring
from support.rank_files import Formats
from support.shared_work import TEXT, small_model

SCHEMA = records.Schema({"x": ("int64", ())})
TEXTS = [TEXT, TEXT[:9], ""]

warnings.simplefilter("ignore")  # of the absent feature, once a data set


def written(folder: Path, n: int, damaged: int = 0) -> Path:
    """Return a file of records with the numbers 0 to n - 1, the first `damaged` of them bad."""
    path = folder / f"{n}-{damaged}"
    if not path.exists():
        records.write(path, ({"x": [i]} if i >= damaged else {"y": [i]} for i in range(n)))
    return path


# ---- writers -------------------------------------------------------------------------------


def writers(ring: Ring) -> None:
    """Write with all threads: every record is in the file once."""
    for size, compression in ((200, None), (200, "gzip"), (20_000, None)):
        path, n = ring.folder / f"{size}-{compression}", 400_000 // size
        with records.Writer(path, compression=compression) as writer:

            def work(number: int, n: int = n, size: int = size, writer: Any = writer) -> None:
                for i in range(n):
                    writer.write(b"%d %06d " % (number, i) + b"x" * size)

            ring.once(work)
        found = [one[:9] for one in records.raw(path)]
        expected = [b"%d %06d " % (t, i) for t in range(ring.threads) for i in range(n)]
        assert sorted(found) == sorted(expected), path


def a_writer_is_closed(ring: Ring) -> None:
    """Close a writer: a record is in the file, or its thread has got a ValueError."""
    for attempt in ring.rounds():
        path = ring.folder / f"closed-{attempt}"
        writer = records.Writer(path)

        def work(number: int, writer: Any = writer) -> int:
            n_records = 0
            if number == 0:
                time.sleep(0.001)
                writer.close()
                return 0
            with suppress(ValueError):
                while True:
                    writer.write(b"record")
                    n_records += 1
            return n_records

        n_records = sum(ring.once(work))
        assert len(list(records.raw(path))) == n_records


def a_row_changes(ring: Ring) -> None:
    """Encode a mapping, a list in it and a list of records, all of which change."""
    row: dict[str, Any] = {"x": [1], "y": ["a"]}
    changes = ([1] * 50, [2.5] * 9, [b"a"], [])
    framed = [b"a"] * 9

    def change() -> None:
        row["x"][:] = choice(changes)
        row[choice("abc")] = "b"
        row.pop(choice("abc"), None)
        framed[:] = [b"b" * 9] * choice((0, 9, 90))

    def call() -> None:
        with suppress(TypeError):  # the list was changed between its numbers and its strings
            records.encode_example(row)
        list(records.raw(frame_records(framed)))

    ring.while_changing(change, call, ())


# ---- readers and streams -------------------------------------------------------------------


def iterators(ring: Ring) -> None:
    """Share an iterator: each item goes to one of the threads."""
    n = 2000
    path, fixed = written(ring.folder, n), ring.folder / "fixed"
    np.arange(n, dtype="<i8").tofile(fixed)
    shared: dict[str, Any] = {
        "read": lambda: records.read(path, SCHEMA, batch_size=4),
        "raw": lambda: records.raw(path),
        "read_fixed": lambda: records.read_fixed(fixed, np.dtype([("x", "<i8")]), batch_size=4),
        "stream": lambda: iter(data.RecordStream(path, SCHEMA, batch_size=4, threads=0)),
        "ahead": lambda: iter(data.RecordStream(path, SCHEMA, batch_size=4, threads=2)),
    }
    for name, make in shared.items():
        for _ in range(3):
            items = make()
            found = list(chain(*ring.once(lambda _, items=items: list(items))))
            if name == "raw":
                assert sorted(found) == sorted(records.raw(path))
            else:
                assert sorted(np.concatenate([one["x"] for one in found])) == list(range(n)), name


def passes(ring: Ring) -> None:
    """Iterate one stream in each thread: every batch is counted, and the epoch ends once."""
    n = 600
    path = written(ring.folder, n)
    for attempt in ring.rounds():
        stream = data.RecordStream(path, SCHEMA, batch_size=4, threads=attempt % 2)
        passing = [iter(stream) for _ in range(ring.threads)]
        for one in passing:
            next(one)

        def work(number: int, stream: Any = stream, passing: Any = passing) -> int:
            stream.state_dict()
            return sum(len(batch["x"]) for batch in passing[number])

        assert ring.once(work) == [n - 4] * ring.threads
        assert stream.metrics.records == n * ring.threads
        assert stream.metrics.batches == n // 4 * ring.threads
        assert stream.epoch == 1


def counts(ring: Ring) -> None:
    """Count batches and passes of a stream, without the work in between."""
    made = Made({}, None, 4, 32, 1, 0.0, 0.0)
    for _ in ring.rounds():
        metrics, epochs = data.Metrics(), Epochs()

        def work(number: int, metrics: Any = metrics, epochs: Any = epochs) -> list[int]:
            for _ in range(2000):
                metrics.add(made, 0.5, 0.0)
            begun = []
            for i in range(100):
                tag = 1000 * number + i + 1
                begun.append(epochs.begin(tag, 0)[0])
                epochs.finish(tag, 1)
            return begun

        found = ring.once(work)
        assert metrics.batches == metrics.lost == metrics.elapsed * 2 == 2000 * ring.threads
        assert {*chain(*found)} == {*range(epochs.read("epoch"))}  # each begun and ended once


def epochs(ring: Ring) -> None:
    """Begin, break off, end and resume passes in all threads."""
    path = written(ring.folder, 40)
    stream = data.RecordStream(path, SCHEMA, batch_size=4, threads=0, shuffle=True)
    state = stream.state_dict()

    def work(number: int) -> None:
        for i in range(20):
            batches = iter(stream)
            next(batches, None)
            if i % 4 == 0:
                stream.set_epoch(number)
            if i % 4 == 1:
                stream.load_state_dict(state)
            if i % 2:
                list(batches)
            stream.state_dict()

    for _ in ring.rounds():
        ring.once(work)
    stream.set_epoch(0)
    for _ in range(3):
        assert sorted(np.concatenate([one["x"] for one in stream])) == list(range(40))
    assert stream.epoch == 3


def datasets(ring: Ring) -> None:
    """Pick records in all threads, some of them bad, and one feature absent."""
    n, n_bad = 300, 9
    schema = records.Schema({"x": ("int64", ()), "absent": "int64", "z": "bytes"})
    for _ in ring.rounds():
        good = data.RecordDataset(written(ring.folder, n), schema)
        bad = data.RecordDataset(written(ring.folder, n, n_bad), SCHEMA, on_error="skip")

        def work(number: int, good: Any = good, bad: Any = bad) -> None:
            numbers = np.random.default_rng(number).permutation(n)
            assert good.__getitems__(numbers)["x"].tolist() == numbers.tolist()
            assert good[number]["x"] == number
            assert good.take(9)[8]["x"] == 8
            assert len(bad.__getitems__(range(n))["x"]) == n - n_bad

        ring.once(work)
        assert bad.report.count == len(bad.report.losses) == n_bad * ring.threads


def reports(ring: Ring) -> None:
    """Fill one report by the readers of all threads."""
    path = written(ring.folder, 300, 100)
    for _ in ring.rounds():
        report = records.Report()
        how: Any = {"on_error": "skip", "report": report}
        ring.once(lambda _, how=how: list(records.read(path, SCHEMA, **how)))
        assert report.count == sum(report.codes.values()) == 100 * ring.threads


# ---- tokenizers ----------------------------------------------------------------------------


def models(ring: Ring) -> None:
    """Let all threads at once ask for what a model and an Encoding make when it is needed."""
    for _ in ring.rounds():
        model = small_model.__wrapped__()
        shared = load_binding("cython").Tokenizer(model)
        encoding = tokenizer.Encoding(shared, "small")

        def work(_: int, model: Any = model, shared: Any = shared, encoding: Any = encoding) -> Any:
            ids = encoding.encode_batch(TEXTS, allowed_special="all")
            rows = tokenizer.BatchEncoder(shared, threads=2)(TEXTS, return_offsets_mapping=True)
            decoder = tokenizer.Decoder(shared)
            return (
                ids,
                rows,
                len(model.ranks),
                [encoding.decode_tokens_bytes(row) for row in ids],
                "".join(map(decoder.push, ids[0])) + decoder.finish(),
            )

        found = ring.once(work)
        assert found == [found[0]] * ring.threads


def lists(ring: Ring) -> None:
    """Change a list of texts that have to be normalized, of rows of ids, and of paths."""
    bytes_alone = Formats({bytes([i]): i for i in range(256)}, ring.folder)
    model = tokenizer.Model.load(bytes_alone.tokenizer_json(normalizer={"type": "NFC"}))
    shared = tokenizer.tokenizer_of(load_binding("cython"), model)
    paths = [written(ring.folder, n) for n in (3, 4)]
    for call, (one, other) in (
        (lambda texts: [part.tolist() for part in shared.encode_batch(texts)], ["e\u0301", "a"]),
        (lambda rows: tokenizer.decode_batch(shared, rows), [[1] * 9, [2]]),
        (lambda paths: len(records.index(paths)), paths),
    ):
        content_changes(ring, call, list, [[one] * 200, [other] * 90, []], whole=True)


ATTACKS = (
    writers,
    a_writer_is_closed,
    a_row_changes,
    iterators,
    passes,
    counts,
    epochs,
    datasets,
    reports,
    models,
    lists,
)
