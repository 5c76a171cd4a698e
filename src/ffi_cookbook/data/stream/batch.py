"""StreamBatch: a batch of a stream, which knows where the stream stands."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ffi_cookbook.data.order.plan import State
from ffi_cookbook.records import Batch
from ffi_cookbook.records.columns.ragged import arrays_of


class StreamBatch(Batch):
    """Some records as columns, by feature name. `len(batch)` is the number of records.

    Attributes:
        state: the position of its share of the stream after this batch.
        valid: bool for each record, False for those that only fill up the batch. With `pad_last`,
            it is a column too, which `to_torch` and a DataLoader convert with the others.
    """

    __slots__ = ("state", "valid")

    def __init__(
        self, batch: Batch, state: State | None = None, valid: npt.NDArray[np.bool_] | None = None
    ) -> None:
        if state is None:
            raise TypeError(
                "a framework cannot rebuild a StreamBatch: give the stream collate=to_torch"
            )
        super().__init__(batch.schema, dict(batch.items()), len(batch), batch.end)
        self.state = state
        self.valid = np.ones(len(batch), bool) if valid is None else valid
        if "pad" in state:
            self._columns["valid"] = self.valid

    @property
    def nbytes(self) -> int:
        """The number of bytes of the columns."""
        return sum(array.nbytes for one in self.values() for array in arrays_of(one))
