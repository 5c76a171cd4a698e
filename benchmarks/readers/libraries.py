"""What users have without this project: the tfrecord package and protobuf.

They decode some of the Examples, checked against the binding in plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from answers import normal
from baselines import BASELINES
from inputs import Inputs, clicks

from bindings.records import Schema, read

PACKAGE, PROTOBUF = "tfrecord", "protobuf"
SAMPLE = 1000  # records


def libraries(
    folder: Path,
) -> tuple[dict[str, tuple[Callable[[], object], float]], dict[str, str]]:
    """Return calls with their numbers of Examples, and which libraries are absent and why."""
    schema, framed, _ = clicks(SAMPLE)
    data = b"".join(framed)
    (folder / "sample").write_bytes(data)
    inputs = Inputs(folder, data, data, Schema(schema), b"", "")
    (batch,) = read(data, inputs.schema, backend="python", batch_size=SAMPLE)
    wanted = normal(batch)
    calls: dict[str, tuple[Callable[[], object], float]] = {}
    absent: dict[str, str] = {}
    for name in (PACKAGE, PROTOBUF):
        try:
            job = BASELINES["records"][name](inputs, True)["records decode"]
        except ImportError as error:
            absent[name] = str(error)
            continue
        got = normal(job.result())
        assert len(got) == len(wanted), name
        assert all(map(np.array_equal, got, wanted)), name
        calls[name] = job.names["f"], SAMPLE
    return calls, absent


def versions() -> dict[str, str]:
    """Of those that are here."""
    found = {}
    loaders = "torch", "webdataset", "mosaicml-streaming", "datasets", "tensorflow"
    for name in (PACKAGE, PROTOBUF, *loaders, "ray", "tensorflow-cpu"):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found
