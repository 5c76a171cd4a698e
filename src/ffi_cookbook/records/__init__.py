"""TFRecord files of tf.train.Example, and files of fixed-size records, as columns.

    schema = Schema({"label": "int64", "pixels": ("float32", 784)})
    for batch in read("train.tfrecord", schema):
        batch["pixels"]  # (4096, 784) float32

Everything here works through any binding that has the records functions (`backend=`).
docs/records.md specifies the decoding to the byte; docs/record_files.md explains how files are
read, repaired and picked from.
"""

from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.records.columns.batch import Batch
from ffi_cookbook.records.columns.fields import Field
from ffi_cookbook.records.columns.layout import FixedLayout
from ffi_cookbook.records.columns.ragged import Ragged, RaggedBytes
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.picking.gathering import gather
from ffi_cookbook.records.picking.index import index
from ffi_cookbook.records.picking.sidecar import load_index, save_index
from ffi_cookbook.records.reading.cursor import Position
from ffi_cookbook.records.reading.fixed import read_fixed
from ffi_cookbook.records.reading.raw import Payloads, raw
from ffi_cookbook.records.reading.reader import read
from ffi_cookbook.records.recovery.losses import Loss, Report
from ffi_cookbook.records.writing.encoding import encode_example, encode_sequence_example
from ffi_cookbook.records.writing.writer import Writer, write
from ffi_cookbook.wire import frame

__all__ = [
    "Batch",
    "Field",
    "FixedLayout",
    "Loss",
    "Payloads",
    "Position",
    "Ragged",
    "RaggedBytes",
    "RecordError",
    "Report",
    "Schema",
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
    "save_index",
    "write",
]
