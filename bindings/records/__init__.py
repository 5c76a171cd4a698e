"""TFRecord files of tf.train.Example, and files of fixed-size records, as columns.

    schema = Schema({"label": "int64", "pixels": ("float32", 784)})
    for batch in read("train.tfrecord", schema):
        batch["pixels"]  # (4096, 784) float32

Everything here works through any binding that has the records functions (`backend=`).
docs/records.md specifies the decoding to the byte; docs/record_files.md explains how files are
read, repaired and picked from.
"""

from bindings.errors import RecordError
from bindings.records.batch import Batch
from bindings.records.encoding import encode_example, encode_sequence_example
from bindings.records.fields import Field
from bindings.records.fixed import read_fixed
from bindings.records.frames import frame
from bindings.records.gathering import gather
from bindings.records.index import index
from bindings.records.layout import FixedLayout
from bindings.records.losses import Loss, Report
from bindings.records.position import Position
from bindings.records.ragged import Ragged, RaggedBytes
from bindings.records.raw import Payloads, raw
from bindings.records.reader import read
from bindings.records.salvaging import Health, salvage, verify
from bindings.records.schema import Schema
from bindings.records.sharding import ShardedWriter
from bindings.records.sidecar import load_index, save_index
from bindings.records.writer import Writer, write

__all__ = [
    "Batch",
    "Field",
    "FixedLayout",
    "Health",
    "Loss",
    "Payloads",
    "Position",
    "Ragged",
    "RaggedBytes",
    "RecordError",
    "Report",
    "Schema",
    "ShardedWriter",
    "Writer",
    "encode_example",
    "encode_sequence_example",
    "frame",
    "gather",
    "index",
    "load_index",
    "raw",
    "read",
    "read_fixed",
    "salvage",
    "save_index",
    "verify",
    "write",
]
