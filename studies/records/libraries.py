"""The libraries that users have without this project: the tfrecord package and protobuf.

They decode some of the Examples, checked against the binding in plain Python.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from benchmarks.ledger.answers import normal
from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.inputs import Inputs, clicks
from ffi_cookbook.records import read
from studies.study import Contender, Setting

PACKAGE, PROTOBUF = "tfrecord", "protobuf"
SAMPLE = 1000  # records


def libraries(setting: Setting) -> dict[str, Contender]:
    """Return calls with their numbers of Examples."""
    data = b"".join(clicks(SAMPLE))
    (setting.folder / "sample").write_bytes(data)
    inputs = Inputs(setting.folder, data, data, "")
    (batch,) = read(data, inputs.schema, backend="python", batch_size=SAMPLE)
    wanted = normal(batch)
    calls: dict[str, Contender] = {}
    for name in (PACKAGE, PROTOBUF):
        jobs = setting.load(name, lambda name=name: BASELINES["records"][name](inputs, True))
        for job in (made["records decode"] for made in jobs.values()):
            got = normal(job.result())
            alike = len(got) == len(wanted) and all(map(np.array_equal, got, wanted))
            if setting.right(name, alike, "it decodes differently from plain Python"):
                calls[name] = job.names["f"], SAMPLE
    return calls


def versions() -> dict[str, str]:
    """Return the versions of the installed libraries."""
    found = {}
    loaders = "torch", "webdataset", "datasets", "grain", "array-record", "tensorflow-cpu"
    for name in (PACKAGE, PROTOBUF, *loaders):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found
