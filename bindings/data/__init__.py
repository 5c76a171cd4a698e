"""Feed a training loop from files of records or text: shuffled, shared out, read ahead, resumable.

    stream = RecordStream("train-*.tfrecord", schema, batch_size=256, shuffle=True, threads=2)
    for batch in stream:
        batch["pixels"]  # (256, 28, 28) float32

    tokenize("corpus/*.jsonl", "tokens", model)
    for batch in TokenStream("tokens/*.bin", length=1024, batch_size=8, shuffle=True):
        batch.inputs, batch.targets  # (8, 1024) int64

Records are decoded by `bindings.records`, through any binding. torch is not needed; where it is
installed, its DataLoader takes a `RecordDataset` as a map-style dataset and a `RecordStream` as an
iterable one. docs/data-loading.md has the design and a training loop.
"""

from bindings.data.batch import StreamBatch
from bindings.data.dataset import RecordDataset
from bindings.data.file_spans import FileSpan, spans
from bindings.data.metrics import Metrics
from bindings.data.mixture import Mixture
from bindings.data.plan import EpochPlan
from bindings.data.stream import RecordStream
from bindings.data.tensors import to_torch
from bindings.data.tokenizing import tokenize
from bindings.data.tokens import TokenBatch, TokenStream
from bindings.records.ragged import padded

__all__ = [
    "EpochPlan",
    "FileSpan",
    "Metrics",
    "Mixture",
    "RecordDataset",
    "RecordStream",
    "StreamBatch",
    "TokenBatch",
    "TokenStream",
    "padded",
    "spans",
    "to_torch",
    "tokenize",
]
