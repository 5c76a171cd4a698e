"""The base of the writers of records: they take records and columns, and end a `with` block."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ffi_cookbook.bindings.protocol import Buffer
from ffi_cookbook.files import Written
from ffi_cookbook.records.columns.batch import Batch
from ffi_cookbook.records.writing.encoding import Encoder
from ffi_cookbook.records.writing.values import refuse_mask

Record: TypeAlias = Buffer | Mapping[str, Any]
"""The bytes of a buffer, a protobuf message, or a mapping that becomes a tf.train.Example."""


class Appending(Written):
    """A writer of records, whose serialised bytes go to `append`."""

    def __init__(self) -> None:
        self._encoder = Encoder()

    def write(self, record: Record) -> None:
        """Append a record.

        The bytes of a buffer are written as they are, a protobuf message is serialised, and a
        mapping becomes a tf.train.Example.
        """
        if type(record) is bytes:
            self.append((record,), len(record))
        elif type(record) is not dict and isinstance(record, Batch):
            raise TypeError("record must not be a Batch, which write_columns takes")
        elif type(record) is dict or isinstance(record, Mapping):
            self.append(*self._encoder.example(record))
        elif hasattr(record, "SerializeToString"):
            data = bytes(memoryview(record.SerializeToString()))
            self.append((data,), len(data))
        else:
            refuse_mask("record", record)
            data = bytes(memoryview(record))
            self.append((data,), len(data))

    def write_columns(self, columns: Mapping[str, Any] | Batch) -> None:
        """Append a tf.train.Example for each row of some columns.

        The columns are arrays whose first axis is the records, `Ragged`, `RaggedBytes` or lists; or
        a batch that has been read. A batch with feature lists becomes SequenceExamples.

        Raises:
            ValueError: the columns have different lengths.
            TypeError: a column of a batch has spans, which are places and not values.
        """
        if isinstance(columns, Batch):
            for field in columns.schema.fields + columns.schema.sequence:
                if field.kind == "span":
                    raise TypeError(f"feature {field.name!r}: spans cannot be written")
            columns = {name: columns[name] for name in columns.schema.names}
        for parts, size in self._encoder.columns(dict(columns.items())):
            self.append(parts, size)

    @abstractmethod
    def close(self) -> None:
        """Complete what has been written and publish it; do nothing if that has been done."""

    @abstractmethod
    def append(self, parts: Sequence[bytes], size: int) -> None:
        """Append a serialised record of `size` bytes, which consists of these parts."""

    def _complete(self) -> None:
        self.close()
