"""The speed of streams of records, beside the loaders of other libraries."""

from __future__ import annotations

from studies.records import loaders
from studies.study import Part, Study

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
    packages=(
        "array-record",
        "datasets",
        "grain",
        "tensorflow-cpu",
        "tfrecord",
        "torch",
        "webdataset",
    ),
)
