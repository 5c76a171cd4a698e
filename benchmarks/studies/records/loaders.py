"""The sources of a training loop: a stream, and other libraries, each with files of its format.

A call returns some samples once, as batches of tensors. The samples are compared first.
TensorFlow is not among them: its messages are those of the tfrecord package, and a process that has
imported both ends with an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.core.figures import against, interval, table
from benchmarks.studies.records.gil import share_held
from benchmarks.studies.records.jobs import ONE, TWO, counting
from benchmarks.studies.records.libraries import PACKAGE
from benchmarks.study import Contender, Result, Setting
from bindings import records
from bindings.data import RecordDataset, RecordStream, to_torch

SAMPLES, BATCH, FLOATS = 65536, 256, 64
FEW = 8192  # samples for those who take seconds for them
SIZES = {"256 bytes": 64, "3 kB": 784, "16 kB": 4096}  # floats of a sample
SLICE, LOOKED = 0.03, 0.3  # seconds
STREAM = "stream, 1 thread"
SCHEMA = records.Schema({"number": ("int64", ()), "x": ("float32", FLOATS)})
Batches = Iterator[tuple[Any, Any]]
"""The columns `number` and `x` of some samples."""


def measure(setting: Setting) -> Result:
    """Return everyone's samples a second, and the share of the time in which the GIL is held."""
    calls = loaders(setting)
    held = {
        name: [share_held(call, LOOKED, setting.folder) for _ in range(3)]
        for name, (call, _) in calls.items()
    }
    return {"speeds": setting.speeds(calls, SLICE), "held": held}


def show(found: Result, _: list[str]) -> str:
    """Return the table of the speeds and shares."""
    speeds, held = found["speeds"], found.get("held", {})
    rows = [
        [
            name,
            interval(samples, scale=1e-3),
            *(interval(against(speeds, name, other), " ×") for other in (STREAM, PACKAGE)),
            interval(held.get(name), " %"),
        ]
        for name, samples in speeds.items()
    ]
    return table(["", "thousand samples/s", f"of {STREAM}", f"of {PACKAGE}", "GIL held"], rows)


def loaders(setting: Setting) -> dict[str, Contender]:
    """Return the contenders that return all samples, once and unchanged."""
    x = np.random.default_rng(1).random((SAMPLES, FLOATS), np.float32)
    calls: dict[str, Contender] = {}
    for make, n in (
        (_streams, SAMPLES),
        (_torch, SAMPLES),
        (_tfrecord, FEW),
        (_webdataset, FEW),
        (_mosaicml, FEW),
        (_datasets, SAMPLES),
    ):
        some = x[:n]
        made = setting.load(
            make.__name__.lstrip("_"), lambda make=make, some=some: make(setting.folder, some)
        )
        for name, batches in (one for found in made.values() for one in found.items()):
            if setting.right(name, _right(batches(), some), "it returns other samples"):
                calls[name] = partial(_drain, batches), len(some)
    return calls


def threads(setting: Setting) -> dict[str, Contender]:
    """Return streams of samples of several sizes, with one thread and with two."""
    calls = counting(setting)
    for size, floats in SIZES.items():
        n = SAMPLES * FLOATS // floats
        path = _records(setting.folder, np.random.default_rng(1).random((n, floats), np.float32))
        schema = records.Schema({"number": ("int64", ()), "x": ("float32", floats)})
        for name, number in ((ONE, 1), (TWO, 2)):
            stream = RecordStream(
                path, schema, batch_size=BATCH, threads=number, shuffle=True, collate=to_torch
            )
            calls[f"samples of {size}{name}"] = partial(_drain, stream.__iter__), n
    return calls


def _drain(batches: Callable[[], Batches]) -> None:
    for _ in batches():
        pass


def _right(batches: Batches, x: np.ndarray) -> bool:
    """Return True if every sample comes once, unchanged."""
    numbers, values = zip(
        *((np.asarray(a).ravel(), np.asarray(b)) for a, b in batches), strict=True
    )
    order = np.argsort(np.concatenate(numbers))
    return np.array_equal(np.concatenate(numbers)[order], np.arange(len(x))) and np.array_equal(
        np.concatenate(values)[order], x
    )


def _in_workers(loader: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return a loader with two processes, which stay."""
    return loader(*arguments, num_workers=2, persistent_workers=True, **options)


def _streams(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    from torch.utils.data import DataLoader

    path = _records(folder, x)
    options: Any = {"batch_size": BATCH, "collate": to_torch}

    found: dict[str, Any] = {}
    for name, threads in (("no thread", 0), ("1 thread", 1), ("2 threads", 2)):
        found[f"stream, {name}"] = RecordStream(path, SCHEMA, threads=threads, **options)
    found["stream, shuffled, 1 thread"] = RecordStream(path, SCHEMA, shuffle=True, **options)
    for name, workers in (("1 process", 1), ("2 processes", 2)):
        stream = RecordStream(path, SCHEMA, threads=0, **options)
        found[f"stream, {name}"] = DataLoader(
            stream, batch_size=None, num_workers=workers, persistent_workers=True
        )
    dataset = RecordDataset(path, SCHEMA)
    found["dataset in a DataLoader"] = DataLoader(dataset, BATCH, collate_fn=to_torch)
    return {name: partial(_columns, source) for name, source in found.items()}


def _columns(source: Any) -> Batches:
    return ((batch["number"], batch["x"]) for batch in source)


def _torch(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    dataset = TensorDataset(torch.arange(len(x)), torch.from_numpy(x))
    two = _in_workers(DataLoader, dataset, BATCH)
    return {
        "TensorDataset, in memory": lambda: iter(DataLoader(dataset, BATCH)),
        "TensorDataset, 2 processes": lambda: iter(two),
    }


def _tfrecord(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    from tfrecord.torch.dataset import TFRecordDataset
    from torch.utils.data import DataLoader

    path = str(_records(folder, x))
    loader = DataLoader(TFRecordDataset(path, None, {"number": "int", "x": "float"}), BATCH)
    return {PACKAGE: partial(_columns, loader)}


def _webdataset(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    import webdataset

    for shard in range(2):
        with webdataset.TarWriter(str(folder / f"samples-{shard}.tar")) as file:
            for number in range(shard, len(x), 2):
                file.write({"__key__": f"{number:06}", "cls": number, "npy": x[number]})
    shards = webdataset.WebDataset(str(folder / "samples-{0..1}.tar"), shardshuffle=False)
    samples = shards.decode().to_tuple("cls", "npy").batched(BATCH)
    two = _in_workers(webdataset.WebLoader, samples, batch_size=None)
    return {"WebDataset": lambda: iter(samples), "WebDataset, 2 processes": lambda: iter(two)}


def _mosaicml(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    from streaming import MDSWriter, StreamingDataLoader, StreamingDataset

    path, columns = str(folder / "mds"), {"number": "int64", "x": f"ndarray:float32:{FLOATS}"}
    with MDSWriter(out=path, columns=columns) as file:
        for number, row in enumerate(x):
            file.write({"number": np.int64(number), "x": row})
    found = StreamingDataset(local=path, batch_size=BATCH, num_canonical_nodes=1)
    loader = StreamingDataLoader(found, batch_size=BATCH)
    return {"MosaicML Streaming": partial(_columns, loader)}


def _datasets(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    import datasets
    from torch.utils.data import DataLoader

    datasets.disable_progress_bars()
    written = datasets.Dataset.from_dict({"number": np.arange(len(x)), "x": x})
    written.save_to_disk(folder / "samples")
    found = datasets.load_from_disk(folder / "samples").with_format("torch")
    two = _in_workers(DataLoader, found, BATCH)
    return {
        "HF datasets": lambda: _columns(found.iter(BATCH)),
        "HF datasets, 2 processes": partial(_columns, two),
    }


def _records(folder: Path, x: np.ndarray) -> Path:
    path = folder / f"samples-{'x'.join(map(str, x.shape))}.tfrecord"
    if not path.exists():
        records.write(path, ({"number": number, "x": row} for number, row in enumerate(x)))
    return path
