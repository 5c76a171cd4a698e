"""What a training loop reads from: a stream, and what people use, each with files of its format.

A call hands out all samples once, as batches of tensors. What is handed out is compared first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.study import Contender, Setting
from bindings import records
from bindings.data import RecordDataset, RecordStream, to_torch

SAMPLES, BATCH, FLOATS = 8192, 256, 64
STREAM = "stream, 1 thread"
SCHEMA = records.Schema({"number": ("int64", ()), "x": ("float32", FLOATS)})
Batches = Iterator[tuple[Any, Any]]
"""The columns `number` and `x` of some samples."""


def loaders(setting: Setting) -> dict[str, Contender]:
    """Return everyone who hands out all samples, once and as they were written."""
    x = np.random.default_rng(1).random((SAMPLES, FLOATS), np.float32)
    calls: dict[str, Contender] = {}
    for make in (_streams, _torch, _tfrecord, _webdataset, _mosaicml, _datasets, _tensorflow):
        made = setting.load(make.__name__.lstrip("_"), lambda make=make: make(setting.folder, x))
        for name, batches in (one for found in made.values() for one in found.items()):
            if setting.right(name, _right(batches(), x), "it hands out other samples"):
                calls[name] = partial(_drain, batches), SAMPLES
    return calls


def _drain(batches: Callable[[], Batches]) -> None:
    for _ in batches():
        pass


def _right(batches: Batches, x: np.ndarray) -> bool:
    """Whether every sample comes once, as it was written."""
    numbers, values = zip(
        *((np.asarray(a).ravel(), np.asarray(b)) for a, b in batches), strict=True
    )
    order = np.argsort(np.concatenate(numbers))
    return np.array_equal(np.concatenate(numbers)[order], np.arange(SAMPLES)) and np.array_equal(
        np.concatenate(values)[order], x
    )


def _streams(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    from torch.utils.data import DataLoader

    path = _records(folder, x)
    options: Any = {"batch_size": BATCH, "collate": to_torch}

    def batches(source: Any) -> Batches:
        return ((batch["number"], batch["x"]) for batch in source)

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
    return {name: partial(batches, source) for name, source in found.items()}


def _torch(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    dataset = TensorDataset(torch.arange(SAMPLES), torch.from_numpy(x))
    return {"TensorDataset, in memory": lambda: iter(DataLoader(dataset, BATCH))}


def _tfrecord(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    from tfrecord.torch.dataset import TFRecordDataset
    from torch.utils.data import DataLoader

    path = str(_records(folder, x))
    loader = DataLoader(TFRecordDataset(path, None, {"number": "int", "x": "float"}), BATCH)
    return {"tfrecord": lambda: ((batch["number"], batch["x"]) for batch in loader)}


def _webdataset(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    import webdataset

    path = str(folder / "samples.tar")
    with webdataset.TarWriter(path) as file:
        for number, row in enumerate(x):
            file.write({"__key__": f"{number:06}", "cls": number, "npy": row})
    shards = webdataset.WebDataset(path, shardshuffle=False)
    samples = shards.decode().to_tuple("cls", "npy").batched(BATCH)
    return {"WebDataset": lambda: iter(samples)}


def _mosaicml(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    from streaming import MDSWriter, StreamingDataLoader, StreamingDataset

    path, columns = str(folder / "mds"), {"number": "int64", "x": f"ndarray:float32:{FLOATS}"}
    with MDSWriter(out=path, columns=columns) as file:
        for number, row in enumerate(x):
            file.write({"number": np.int64(number), "x": row})
    found = StreamingDataset(local=path, batch_size=BATCH, num_canonical_nodes=1)
    loader = StreamingDataLoader(found, batch_size=BATCH)
    return {"MosaicML Streaming": lambda: ((one["number"], one["x"]) for one in loader)}


def _datasets(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    import datasets

    datasets.disable_progress_bars()
    table = datasets.Dataset.from_dict({"number": np.arange(SAMPLES), "x": x})
    table.save_to_disk(folder / "samples")
    found = datasets.load_from_disk(folder / "samples").with_format("torch")
    return {"HF datasets": lambda: ((one["number"], one["x"]) for one in found.iter(BATCH))}


def _tensorflow(folder: Path, x: np.ndarray) -> dict[str, Callable[[], Batches]]:
    import tensorflow as tf

    path = str(_records(folder, x))
    features = {
        "number": tf.io.FixedLenFeature([], tf.int64),
        "x": tf.io.FixedLenFeature([FLOATS], tf.float32),
    }
    found = tf.data.TFRecordDataset(path).batch(BATCH)
    found = found.map(lambda some: tf.io.parse_example(some, features), tf.data.AUTOTUNE)
    found = found.prefetch(tf.data.AUTOTUNE)
    return {"TensorFlow": lambda: ((one["number"], one["x"]) for one in found)}


def _records(folder: Path, x: np.ndarray) -> Path:
    path = folder / "samples.tfrecord"
    if not path.exists():
        records.write(path, ({"number": number, "x": row} for number, row in enumerate(x)))
    return path
