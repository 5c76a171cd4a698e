"""Other libraries that feed a training loop, each by its quickest path that returns tensors.

A source writes samples in the library's own format, and returns functions that iterate over the
columns `number` and `x` of all samples, in batches.
"""

from __future__ import annotations

import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ffi_cookbook import records

BATCH = 256
FEW = 8192  # samples for those who take seconds for them
Batches = Iterator[tuple[Any, Any]]
"""The columns `number` and `x` of some samples."""
Made = dict[str, Callable[[], Batches]]


def write_records(folder: Path, x: np.ndarray) -> Path:
    """Return a TFRecord file of the samples."""
    path = folder / f"samples-{'x'.join(map(str, x.shape))}.tfrecord"
    if not path.exists():
        records.write(path, ({"number": number, "x": row} for number, row in enumerate(x)))
    return path


def _tensors(folder: Path, x: np.ndarray, shuffled: bool) -> Made:
    import torch
    from torch.utils import data

    dataset = data.TensorDataset(torch.arange(len(x)), torch.from_numpy(x))
    order = (data.RandomSampler if shuffled else data.SequentialSampler)(dataset)
    batches = data.BatchSampler(order, BATCH, False)
    loader = data.DataLoader(dataset, batch_size=None, sampler=batches)
    return {"tensors in memory": lambda: iter(loader)}


def _tfrecord(folder: Path, x: np.ndarray, shuffled: bool) -> Made:
    from tfrecord.torch.dataset import TFRecordDataset
    from torch.utils.data import DataLoader

    if shuffled:
        return {}  # it has a buffer, no order of all samples
    path = str(write_records(folder, x))
    loader = DataLoader(TFRecordDataset(path, None, {"number": "int", "x": "float"}), BATCH)
    return {"tfrecord": lambda: ((batch["number"], batch["x"]) for batch in loader)}


def _webdataset(folder: Path, x: np.ndarray, shuffled: bool) -> Made:
    import torch
    import webdataset

    if shuffled:
        return {}  # it has a buffer, no order of all samples
    path = str(folder / "samples.tar")
    with webdataset.TarWriter(path) as file:
        for number, row in enumerate(x):
            file.write(
                {"__key__": f"{number:06}", "bin": np.int64(number).tobytes() + row.tobytes()}
            )

    def parts(sample: dict[str, bytes]) -> tuple[np.ndarray, np.ndarray]:
        return np.frombuffer(sample["bin"][:8], np.int64), np.frombuffer(sample["bin"][8:], "f4")

    def columns(samples: list[tuple[np.ndarray, np.ndarray]]) -> tuple[Any, ...]:
        return tuple(torch.from_numpy(np.stack(part)) for part in zip(*samples, strict=True))

    found = webdataset.WebDataset(path, shardshuffle=False).map(parts)
    batches = found.batched(BATCH, collation_fn=columns)
    return {"WebDataset": lambda: iter(batches)}


def _grain(folder: Path, x: np.ndarray, shuffled: bool) -> Made:
    import grain.python as grain
    import torch
    from array_record.python.array_record_module import ArrayRecordWriter

    path = folder / "samples.array_record"
    writer = ArrayRecordWriter(str(path), "group_size:1")
    for number, row in enumerate(x):
        writer.write(np.int64(number).tobytes() + row.tobytes())
    writer.close()
    kind = np.dtype([("number", "i8"), ("x", "f4", x.shape[1])])
    found = grain.MapDataset.source(grain.ArrayRecordDataSource(str(path)))
    found = found.shuffle(seed=1) if shuffled else found

    def columns(samples: list[bytes]) -> tuple[Any, Any]:
        rows = np.frombuffer(bytearray().join(samples), kind)
        return tuple(torch.from_numpy(np.ascontiguousarray(rows[name])) for name in kind.names)

    batches = found.batch(BATCH, batch_fn=columns).to_iter_dataset()
    return {"Grain, ArrayRecord": lambda: iter(batches)}


def _datasets(folder: Path, x: np.ndarray, shuffled: bool) -> Made:
    import datasets
    import torch

    datasets.disable_progress_bars()
    features = datasets.Features(
        {
            "number": datasets.Value("int64"),
            "x": datasets.List(datasets.Value("float32"), length=x.shape[1]),
        }
    )
    written = datasets.Dataset.from_dict({"number": np.arange(len(x)), "x": x}, features)
    written.save_to_disk(folder / "samples")
    found = datasets.load_from_disk(folder / "samples").with_format("arrow")
    found = found.shuffle(seed=1) if shuffled else found

    def columns(batch: Any) -> tuple[Any, Any]:
        numbers, values = (batch[name].combine_chunks() for name in ("number", "x"))
        flat = values.flatten().to_numpy(zero_copy_only=True).reshape(len(values), -1)
        return torch.from_numpy(numbers.to_numpy()), torch.from_numpy(flat)

    return {"HF datasets, Arrow": lambda: map(columns, found.iter(BATCH))}


TF_DATA = """
import os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
path, floats, n, batch, shuffled = sys.argv[1], *map(int, sys.argv[2:])
import tensorflow as tf
tf.config.threading.set_inter_op_parallelism_threads(2)
features = {"number": tf.io.FixedLenFeature([], tf.int64),
            "x": tf.io.FixedLenFeature([floats], tf.float32)}
found = tf.data.TFRecordDataset(path)
found = found.shuffle(n, seed=1) if shuffled else found
found = found.batch(batch).map(lambda some: tf.io.parse_example(some, features),
                               num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
for line in sys.stdin:
    rows = []
    for one in found:
        if line == "check\\n":
            rows.append((one["number"].numpy(), one["x"].numpy()))
    if rows:
        import numpy as np
        np.savez(path + ".npz", number=np.concatenate([a for a, _ in rows]),
                 x=np.concatenate([b for _, b in rows]))
    print("done", flush=True)
"""
"""It reads the file once for each line, in a process of its own: TensorFlow and the tfrecord
package do not live in one."""


def _tf_data(folder: Path, x: np.ndarray, shuffled: bool) -> Made:
    from importlib.util import find_spec

    if find_spec("tensorflow") is None:
        raise ImportError("No module named 'tensorflow'")
    path = write_records(folder, x)
    numbers = map(str, (x.shape[1], len(x), BATCH, int(shuffled)))
    process = subprocess.Popen(
        [sys.executable, "-c", TF_DATA, str(path), *numbers],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    asked = ["check\n"]

    def batches() -> Batches:
        assert process.stdin is not None
        assert process.stdout is not None
        word = asked.pop() if asked else "go\n"
        process.stdin.write(word)
        process.stdin.flush()
        if process.stdout.readline() != "done\n":
            raise RuntimeError("the process of tf.data has ended")
        if word == "check\n":
            with np.load(f"{path}.npz") as read:
                yield read["number"], read["x"]

    weakref.finalize(batches, process.kill)
    return {"tf.data": batches}


SOURCES = {
    _tensors: False,
    _tf_data: False,
    _tfrecord: True,
    _webdataset: True,
    _grain: True,
    _datasets: False,
}
"""By source, whether it reads a few samples only, since it takes seconds for all."""
