"""The speed of streams of records, beside the loaders of other libraries."""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

from studies.records import loaders
from studies.study import Part, Study

LIBRARIES = ("tfrecord", "torch", "webdataset", "datasets", "grain", "array-record")


def versions() -> dict[str, str]:
    """Return the versions of the installed libraries."""
    found = {}
    for name in (*LIBRARIES, "tensorflow-cpu"):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


STUDY = Study(
    name="records",
    question="How fast does a training loop get its samples?",
    page="records-speed",
    parts={
        "loading": Part(
            "samples of three sizes as batches of 256 in tensors, in order and shuffled",
            loaders.measure,
            loaders.show,
        ),
    },
    backends=("capi",),
    versions=versions,
)
