"""What a training loop takes: a stream and other libraries, each on files of its own format.

A call returns some samples once, as batches of tensors, in order or shuffled. The samples are
compared first. Each library takes its quickest path that returns tensors; see sources.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.core.pages import table
from ffi_cookbook import records
from ffi_cookbook.data import RecordDataset, RecordStream, to_torch
from studies.figures import against, interval, names
from studies.records.sources import BATCH, FEW, SOURCES, Batches, write_records
from studies.study import Contender, Result, Setting

SAMPLES, FLOATS = 65536, 64  # of the smallest size; larger samples are fewer
SIZES = {"260 B": 64, "3 kB": 784, "16 kB": 4096}  # floats of a sample
ORDERS = {"in order": False, "shuffled": True}
SLICE = 0.03  # seconds
STREAM = "stream, 1 thread"


def measure(setting: Setting) -> Result:
    """Return everyone's samples a second, by size and order."""
    speeds = {}
    for size, floats in SIZES.items():
        for order, shuffled in ORDERS.items():
            speeds[f"{size}, {order}"] = setting.speeds(loaders(setting, floats, shuffled), SLICE)
    return {"cases": speeds}


def show(found: Result, _: list[str]) -> str:
    """Return the table of the speeds as multiples of the stream's."""
    cases: Mapping[str, Any] = found["cases"]
    rows = [
        [name, *(interval(against(speeds, name, STREAM)) for speeds in cases.values())]
        for name in names(cases.values())
    ]
    ours = [f"{STREAM}, thousand samples/s"]
    ours += [interval(speeds.get(STREAM), scale=1e-3) for speeds in cases.values()]
    return table(["", *cases], [ours, *rows])


def loaders(setting: Setting, floats: int, shuffled: bool) -> dict[str, Contender]:
    """Return the contenders that return all samples, once and unchanged."""
    n = SAMPLES * FLOATS // floats
    x = np.random.default_rng(1).random((n, floats), np.float32)
    folder = setting.folder / f"{floats}-{shuffled}"
    folder.mkdir(exist_ok=True)
    calls: dict[str, Contender] = {}
    for source in (streams, *SOURCES):
        some = x[:FEW] if SOURCES.get(source) else x
        made = setting.load(
            source.__name__.lstrip("_"),
            lambda source=source, some=some: source(folder, some, shuffled),
        )
        for name, batches in (one for found in made.values() for one in found.items()):
            right = _right(batches(), some, shuffled)
            if setting.right(name, right, "it returns other samples, or another order"):
                calls[name] = partial(drain, batches), len(some)
    return calls


def drain(batches: Callable[[], Batches]) -> None:
    """Take all batches."""
    for _ in batches():
        pass


def _right(batches: Batches, x: np.ndarray, shuffled: bool) -> bool:
    """Return True if every sample comes once, unchanged, in order or not."""
    numbers, values = (
        np.concatenate([np.asarray(part) for part in column])
        for column in zip(*batches, strict=True)
    )
    numbers = numbers.ravel()
    ordered = np.array_equal(numbers, np.arange(len(x)))
    order = np.argsort(numbers)
    return (
        ordered != shuffled
        and np.array_equal(numbers[order], np.arange(len(x)))
        and np.array_equal(values[order], x)
    )


def streams(
    folder: Path, x: np.ndarray, shuffled: bool, collate: Any = to_torch, workers: Any = (0,)
) -> dict[str, Callable[[], Batches]]:
    """Return streams, and DataLoaders with these numbers of workers."""
    from torch.utils.data import DataLoader

    path, schema = write_records(folder, x), _schema(x.shape[1])
    options: Any = {"batch_size": BATCH, "collate": collate, "shuffle": shuffled}
    found: dict[str, Any] = {
        f"stream, {name}": RecordStream(path, schema, threads=threads, **options)
        for name, threads in (("1 thread", 1), ("no thread", 0), ("2 threads", 2))
    }
    dataset, options = RecordDataset(path, schema), {"shuffle": shuffled, "collate_fn": collate}
    for n in workers:
        name = f"dataset in a DataLoader{f', workers: {n}' * (n > 0)}"
        options |= {"num_workers": n, "persistent_workers": n > 0}
        found[name] = DataLoader(dataset, BATCH, **options)
    return {name: partial(_columns, source) for name, source in found.items()}


def _columns(source: Any) -> Iterator[tuple[Any, Any]]:
    return ((batch["number"], batch["x"]) for batch in source)


def _schema(floats: int) -> records.Schema:
    return records.Schema({"number": ("int64", ()), "x": ("float32", floats)})
