"""Feed a training loop from files of records or text: shuffled, shared out, read ahead, resumable.

    stream = RecordStream("train-*.tfrecord", schema, batch_size=256, shuffle=True, threads=2)
    for batch in stream:
        batch["pixels"]  # (256, 28, 28) float32

    tokenize("corpus/*.jsonl", "tokens", model)
    for batch in TokenStream("tokens/*.bin", length=1024, batch_size=8, shuffle=True):
        batch.inputs, batch.targets  # (8, 1024) int64

Records are decoded by `ffi_cookbook.records`, through any binding. torch is not needed; where it is
installed, its DataLoader takes a `RecordDataset` as a map-style dataset and a `RecordStream` as an
iterable one. docs/data-loading.md has the design and a training loop.
"""

from ffi_cookbook.data.order.mixture import Mixture
from ffi_cookbook.data.order.plan import EpochPlan
from ffi_cookbook.data.records.dataset import RecordDataset
from ffi_cookbook.data.records.tensors import to_torch
from ffi_cookbook.data.stream.batch import StreamBatch
from ffi_cookbook.data.stream.metrics import Metrics
from ffi_cookbook.data.stream.records import RecordStream
from ffi_cookbook.data.tokens.stream import TokenBatch, TokenStream
from ffi_cookbook.data.tokens.tokenizing import tokenize
from ffi_cookbook.records.columns.ragged import padded

__all__ = [
    "EpochPlan",
    "Metrics",
    "Mixture",
    "RecordDataset",
    "RecordStream",
    "StreamBatch",
    "TokenBatch",
    "TokenStream",
    "padded",
    "to_torch",
    "tokenize",
]
