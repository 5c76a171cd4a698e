"""Records that tasks of Ray read: with our data source, and with Ray's own, which needs TensorFlow.

A call returns all records once, as Arrow blocks in the calling process. The records are compared
first. Ray's own reader gets fewer records, so that a call takes seconds with either, and the fixed
cost of a call is the smaller part of both.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.study import Contender, Setting
from ffi_cookbook.records import Schema, encode_example, frame

OURS, OF_RAY = "ffi_cookbook.data.ray", "ray.data.read_tfrecords"
RECORDS = 8192  # in a file for Ray's own reader
COPIES = 96  # of these records in a file for our reader
DENSE, IDS = 13, 26
SCHEMA = Schema(
    {"label": ("int64", ()), "dense": ("float32", DENSE), "ids": ("int64", IDS), "history": "int64"}
)


def readers(setting: Setting) -> dict[str, Contender]:
    """Return the two readers."""
    found = setting.load(OURS, _ours) | setting.load(OF_RAY, _of_ray)
    if len(found) < 2:
        return {}
    _start()
    data = b"".join(_framed())
    few = _written(setting.folder / "few", data, 2)
    many = _written(setting.folder / "many", data * COPIES, 4)
    wanted, got = (_columns(found[name](few[:1])) for name in (OF_RAY, OURS))
    for name, column in wanted.items():
        setting.right(OURS, got[name] == column, f"{name} is not what {OF_RAY} reads")
    return {
        OURS: (partial(_drain, found[OURS], many), RECORDS * COPIES * len(many)),
        OF_RAY: (partial(_drain, found[OF_RAY], few), RECORDS * len(few)),
    }


def _ours() -> Callable[[list[str]], Any]:
    from ffi_cookbook.data.ray import read_tfrecords

    return partial(read_tfrecords, schema=SCHEMA)


def _of_ray() -> Callable[[list[str]], Any]:
    import ray.data  # type: ignore[import-not-found, import-untyped, unused-ignore]
    import tensorflow  # type: ignore[import-not-found, import-untyped, unused-ignore]  # noqa: F401

    read: Callable[[list[str]], Any] = ray.data.read_tfrecords
    return read


def _start() -> None:
    """Start Ray on two processors of this machine; it ends with this process."""
    import ray

    ray.init(
        num_cpus=2, object_store_memory=1 << 30, include_dashboard=False, logging_level="error"
    )
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars, context.execution_options.preserve_order = False, True
    logging.getLogger("ray.data").setLevel(logging.ERROR)


def _framed() -> list[bytes]:
    """Return framed Examples of advertising.

    A history has at least two ids: Ray's reader turns a single one into a number, which does not
    fit the lists of the other records.
    """
    random, ids = np.random.default_rng(1), partial(np.random.default_rng(2).integers, 0, 1 << 20)
    return [
        frame(
            encode_example(
                {
                    "label": number % 2,
                    "dense": random.random(DENSE, np.float32),
                    "ids": ids(IDS),
                    "history": ids(random.integers(2, 40)),
                }
            )
        )
        for number in range(RECORDS)
    ]


def _written(folder: Path, data: bytes, files: int) -> list[str]:
    folder.mkdir()
    paths = [folder / f"{number}.tfrecords" for number in range(files)]
    for path in paths:
        path.write_bytes(data)
    return [str(path) for path in paths]


def _columns(dataset: Any) -> dict[str, list[Any]]:
    """Return the values of every record, by feature name."""
    frame = dataset.to_pandas()
    return {name: [np.ravel(row).tolist() for row in frame[name]] for name in sorted(frame)}


def _drain(read: Callable[[list[str]], Any], paths: list[str]) -> int:
    blocks = read(paths).iter_batches(batch_size=None, batch_format="pyarrow")
    return sum(len(block) for block in blocks)
