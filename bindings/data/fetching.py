"""The records of a batch, with as few reads as their places allow."""

from __future__ import annotations

from functools import partial

import numpy as np

from bindings.errors import RecordError
from bindings.protocol import Backend, Int64Array
from bindings.records import Batch, Schema, gather
from bindings.records.picking import opened

_HEADER, _FOOTER = 12, 4


def gather_frames(
    paths: list[str],
    spans: Int64Array,
    schema: Schema,
    backend: str | Backend | None,
    verify: bool,
) -> Batch:
    """Return what `records.gather` does; neighbours in one file are read at once.

    Args:
        spans: (n, 3), the number of the file, offset and size of each record's data.
    """
    pick = partial(gather, schema=schema, backend=backend, verify=verify)
    if _are_neighbours(spans) and not any(kind == "span" for _, kind, _ in schema.fields):
        number, start = spans[0, :2] - (0, _HEADER)
        memory = np.empty(spans[-1, 1:].sum() + _FOOTER - start, np.uint8)
        with opened(paths[number]) as file:
            size = file.read(int(start), memory.data)
        try:
            return pick(memory[:size], spans[:, 1:] - (start, 0))
        except RecordError:
            pass  # below, it says where in the file
    return pick(paths, spans)


def _are_neighbours(spans: Int64Array) -> bool:
    """Return True if the frames lie in one file, one directly behind the other."""
    ends = spans[:-1, 1] + spans[:-1, 2]
    return (
        len(spans) > 1
        and bool((spans[:, 0] == spans[0, 0]).all())
        and bool((spans[1:, 1] == ends + _HEADER + _FOOTER).all())
    )
